/* Formats that this build leaves out. Their names are known all the same, and say which option of the build adds them. */
#include "base/component.h"
#include "io/format.h"

/* Both ways of one format. */
#define ABSENT_WAYS(id, says, option)                                                                                                      \
    static Status read_##id(Work *work, const char *name, const CsvOptions *options, Table **out) {                                        \
        (void)name, (void)options, (void)out;                                                                                              \
        return component_absent(work->error, says, option);                                                                                \
    }                                                                                                                                      \
    static Status write_##id(Work *work, const Table *table, const char *name, const CsvOptions *options) {                                \
        (void)table, (void)name, (void)options;                                                                                            \
        return component_absent(work->error, says, option);                                                                                \
    }
#define FILES(...)                                                                                                                         \
    (const char *const[]) { __VA_ARGS__, NULL }
#define ABSENT_FILES(id, says, option, ...)                                                                                                \
    ABSENT_WAYS(id, says, option)                                                                                                          \
    const Format format_##id = { .name = says, .suffixes = FILES(__VA_ARGS__), .read = read_##id, .write = write_##id };
#define ABSENT_SOURCE(id, says, option, how, ...)                                                                                          \
    ABSENT_WAYS(id, says, option)                                                                                                          \
    const Format format_##id = { .name = says,                                                                                             \
                                 .suffixes = (const char *const[]){ NULL },                                                                \
                                 .prefixes = FILES(__VA_ARGS__),                                                                           \
                                 .form = how,                                                                                              \
                                 .read = read_##id,                                                                                        \
                                 .write = write_##id };

#ifdef SCRIM_WITHOUT_READSTAT
ABSENT_FILES(spss, "SPSS", "SCRIM_READSTAT", ".sav", ".zsav")
ABSENT_FILES(spss_portable, "SPSS portable", "SCRIM_READSTAT", ".por")
ABSENT_FILES(stata, "Stata", "SCRIM_READSTAT", ".dta")
ABSENT_FILES(sas, "SAS", "SCRIM_READSTAT", ".sas7bdat")
ABSENT_FILES(sas_transport, "SAS transport", "SCRIM_READSTAT", ".xpt")
#endif
#ifdef SCRIM_WITHOUT_EXCEL
ABSENT_FILES(excel, "Excel", "SCRIM_EXCEL", ".xlsx")
#endif
#ifdef SCRIM_WITHOUT_SQLITE
ABSENT_SOURCE(sqlite, "SQLite", "SCRIM_SQLITE", "sqlite:FILE#TABLE", "sqlite:")
#endif
#ifdef SCRIM_WITHOUT_POSTGRESQL
ABSENT_SOURCE(postgres, "PostgreSQL", "SCRIM_POSTGRESQL", "postgresql://USER@HOST/DB#TABLE", "postgresql://", "postgres://")
#endif
