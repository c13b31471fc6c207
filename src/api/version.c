/* What the library is, and what it stands on. */
#include <glpk.h>
#include <gmp.h>
#include <jansson.h>
#include <libpq-fe.h>
#include <pthread.h>
#include <sodium.h>
#include <sqlite3.h>
#include <stdio.h>
#include <yaml.h>
#include <zlib.h>
#include <zstd.h>
#include "api/api.h"

static char text[1024];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make(void) {
    int pq = PQlibVersion();
    snprintf(text, sizeof text, "GLPK %s, GMP %s, libsodium %s,\nJansson %s, libyaml %s, zlib %s, zstd %s, SQLite %s, libpq %d.%d",
             glp_version(), gmp_version, sodium_version_string(), jansson_version_str(), yaml_get_version_string(), zlibVersion(),
             ZSTD_versionString(), sqlite3_libversion(), pq / 10000, pq % 10000);
}

const char *scrim_version(void) { return SCRIM_VERSION; }

const char *scrim_libraries(void) {
    pthread_once(&once, make);
    return text;
}
