/* Ledgers of a kind that this build leaves out. */
#include "base/component.h"
#include "ledger/database.h"

#ifdef SCRIM_WITHOUT_SQLITE
Status database_sqlite(const char *path, bool create, Database *out, Error *error) {
    (void)path, (void)create, (void)out;
    return component_absent(error, "ledger in a file (SQLite)", "SCRIM_SQLITE");
}
#endif
#ifdef SCRIM_WITHOUT_POSTGRESQL
Status database_postgres(const char *address, Database *out, Error *error) {
    (void)address, (void)out;
    return component_absent(error, "ledger in PostgreSQL", "SCRIM_POSTGRESQL");
}
#endif
