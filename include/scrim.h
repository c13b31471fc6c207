/* libscrim: statistical disclosure control. The whole public API.
 *
 * Every function may be called from any thread; tables and results may be shared between threads. The library never prints, exits or aborts. Every
 * object has one _free function, for which NULL is harmless. Structs that cross begin with their size: set it to sizeof the struct. Texts are UTF-8.
 * Texts that are returned as const belong to the object they came from and live as long as it does. */
#ifndef SCRIM_H
#define SCRIM_H
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define SCRIM_API __attribute__((visibility("default")))
#else
#define SCRIM_API
#endif

typedef enum { SCRIM_OK = 0, SCRIM_FAILED = 1, SCRIM_BAD = 2, SCRIM_REFUSED = 3, SCRIM_INTERRUPTED = 130 } scrim_status;
typedef struct scrim_table scrim_table;
typedef struct scrim_result scrim_result;
typedef struct scrim_args scrim_args;

/* What went wrong, where, and what to do; fixed in size, nothing to free. It never holds a cell's value. Numbers are -1 and texts empty where unset. */
typedef struct scrim_error {
    size_t size;
    scrim_status status;
    int64_t row, line, place;
    char file[256], column[128], parameter[64], message[768], advice[384];
} scrim_error;

/* What the caller lends. Any member may be zero; a NULL host opens no files and uses one thread. */
typedef struct scrim_host {
    size_t size;
    void *self;
    /* A name in the arguments becomes a table (a new one, which the library frees). NULL: names are paths of files. */
    scrim_status (*table)(void *self, const char *name, scrim_table **out, scrim_error *error);
    /* Told how far it is, from the calling thread; a non-zero answer stops the computation. */
    int (*progress)(void *self, const char *what, double share);
    int threads;          /* 0: one */
    const char *seed;     /* 64 hexadecimal digits; NULL: a fresh secret one */
    int no_files;         /* non-zero: names of tables and ledgers are never opened as paths */
} scrim_host;

SCRIM_API const char *scrim_version(void);

/* Arguments: a name and its items. Adding to a name again makes a list. They return SCRIM_FAILED when memory is out. */
SCRIM_API scrim_args *scrim_args_new(void);
SCRIM_API scrim_status scrim_args_text(scrim_args *args, const char *name, const char *value);
SCRIM_API scrim_status scrim_args_number(scrim_args *args, const char *name, double value);
SCRIM_API scrim_status scrim_args_table(scrim_args *args, const char *name, const scrim_table *value); /* shares it */
SCRIM_API scrim_status scrim_args_flag(scrim_args *args, const char *name);
SCRIM_API void scrim_args_free(scrim_args *args);

/* Runs any method by its name, "GROUP.NAME". */
SCRIM_API scrim_status scrim_run(const scrim_host *host, const char *method, const scrim_args *args, scrim_result **out, scrim_error *error);

/* What there is. */
SCRIM_API int64_t scrim_methods_count(void);
SCRIM_API const char *scrim_methods_name(int64_t index);                                    /* "protect.noise"; NULL past the end */
SCRIM_API scrim_status scrim_methods_describe(const char *method, char **out, scrim_error *error); /* JSON; scrim_text_free */
SCRIM_API void scrim_text_free(char *text);

/* Tables. Columns cross by the Arrow C data interface (struct ArrowSchema, struct ArrowArray: a struct array of columns). Import takes over both, as
 * the interface says, also when it fails. Export fills two structs that the caller releases. */
struct ArrowSchema;
struct ArrowArray;
SCRIM_API scrim_status scrim_table_from_arrow(const char *name, struct ArrowSchema *schema, struct ArrowArray *array, scrim_table **out, scrim_error *error);
SCRIM_API scrim_status scrim_table_to_arrow(const scrim_table *table, struct ArrowSchema *schema, struct ArrowArray *array, scrim_error *error);
SCRIM_API scrim_status scrim_table_read(const char *path, scrim_table **out, scrim_error *error);
SCRIM_API scrim_status scrim_table_write(const scrim_table *table, const char *path, scrim_error *error); /* replaced atomically */
SCRIM_API int64_t scrim_table_rows(const scrim_table *table);
SCRIM_API int64_t scrim_table_columns(const scrim_table *table);
SCRIM_API const char *scrim_table_column_name(const scrim_table *table, int64_t column);
SCRIM_API void scrim_table_free(scrim_table *table);

/* Results. A number that is missing is NaN; a text value's number is NaN too. */
SCRIM_API int64_t scrim_result_values(const scrim_result *result);
SCRIM_API const char *scrim_result_value_name(const scrim_result *result, int64_t index);
SCRIM_API double scrim_result_number(const scrim_result *result, const char *name);
SCRIM_API const char *scrim_result_text(const scrim_result *result, const char *name); /* NULL where it is no text */
SCRIM_API int64_t scrim_result_outputs(const scrim_result *result);
SCRIM_API scrim_table *scrim_result_output(const scrim_result *result, int64_t index); /* a new handle; scrim_table_free */
SCRIM_API scrim_table *scrim_result_table(const scrim_result *result, const char *name); /* the same; NULL where there is none */
SCRIM_API scrim_status scrim_result_render(const scrim_result *result, const char *format, char **out, scrim_error *error); /* text, json, csv, html */
SCRIM_API void scrim_result_free(scrim_result *result);

#ifdef __cplusplus
}
#endif
#endif
