/* What the library is, and what it stands on. */
#include <gmp.h>
#include <jansson.h>
#include <pthread.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <yaml.h>
#include <zlib.h>
#ifndef SCRIM_WITHOUT_GLPK
#include <glpk.h>
#endif
#ifndef SCRIM_WITHOUT_POSTGRESQL
#include <libpq-fe.h>
#endif
#ifndef SCRIM_WITHOUT_SQLITE
#include <sqlite3.h>
#endif
#ifndef SCRIM_WITHOUT_ZSTD
#include <zstd.h>
#endif
#include "api/api.h"

static char text[1024];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void add(const char *name, const char *version) {
    size_t used = strlen(text);
    const char *between = !used ? "" : used > 30 && !strchr(text, '\n') ? ",\n" : ", "; /* two lines */
    snprintf(text + used, sizeof text - used, "%s%s %s", between, name, version);
}

static void make(void) {
#ifndef SCRIM_WITHOUT_GLPK
    add("GLPK", glp_version());
#endif
    add("GMP", gmp_version);
    add("libsodium", sodium_version_string());
    add("Jansson", jansson_version_str());
    add("libyaml", yaml_get_version_string());
    add("zlib", zlibVersion());
#ifndef SCRIM_WITHOUT_ZSTD
    add("zstd", ZSTD_versionString());
#endif
#ifndef SCRIM_WITHOUT_SQLITE
    add("SQLite", sqlite3_libversion());
#endif
#ifndef SCRIM_WITHOUT_POSTGRESQL
    char version[32];
    snprintf(version, sizeof version, "%d.%d", PQlibVersion() / 10000, PQlibVersion() % 10000);
    add("libpq", version);
#endif
}

const char *scrim_version(void) { return SCRIM_VERSION; }

const char *scrim_libraries(void) {
    pthread_once(&once, make);
    return text;
}
