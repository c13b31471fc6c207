/* A PostgreSQL of our own for tests, on a private socket; as the user postgres where we are root, who may not run one. */
#ifndef SCRIM_POSTGRES_SERVER_H
#define SCRIM_POSTGRES_SERVER_H
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct Server {
    char folder[64];
    bool runs;
} Server;
static inline const char *server_user(void) { return getuid() ? "" : "runuser -u postgres -- "; }

static inline bool server_start(Server *server) {
    char command[1024];
    snprintf(server->folder, sizeof server->folder, "/tmp/scrim-postgres-XXXXXX");
    if (system("ls /usr/lib/postgresql/*/bin/initdb > /dev/null 2>&1") || !mkdtemp(server->folder)) return false;
    snprintf(command, sizeof command,
             "%s %s; cd %s && bin=$(ls -d /usr/lib/postgresql/*/bin | tail -n 1) && %s$bin/initdb -D %s/data -A trust -U scrim --no-sync > "
             "/dev/null 2>&1 && "
             "%s$bin/pg_ctl -D %s/data -w -o \"-c listen_addresses='' -c fsync=off -c unix_socket_directories=%s/data\" -l %s/data/log "
             "start > /dev/null 2>&1",
             getuid() ? "true" : "chown postgres", server->folder, server->folder, server_user(), server->folder, server_user(),
             server->folder, server->folder, server->folder);
    return server->runs = system(command) == 0;
}

static inline void server_stop(Server *server) {
    char command[512];
    if (!server->runs) return;
    snprintf(command, sizeof command,
             "cd %s && %s$(ls -d /usr/lib/postgresql/*/bin | tail -n 1)/pg_ctl -D %s/data -m immediate stop > /dev/null 2>&1",
             server->folder, server_user(), server->folder);
    if (system(command)) { /* it may be down already */
    }
    server->runs = false;
}

static inline void server_remove(Server *server) {
    char command[128];
    server_stop(server);
    snprintf(command, sizeof command, "rm -rf %s", server->folder);
    if (system(command)) { /* left for the system to clear */
    }
}
#endif
