/* libscrim: statistical disclosure control. The whole public API; the program scrim uses nothing else.
 *
 * Every function may be called from any thread; tables and results may be shared between threads. The library never prints, exits or
 * aborts. Every object has one _free function, for which NULL is harmless. Structs that cross begin with their size: set it to sizeof the
 * struct, the rest to zero. Texts are UTF-8. Texts returned as const belong to the object they came from and live as long as it does. An
 * error may be NULL everywhere.
 *
 * Functions that can fail answer with a scrim_status: SCRIM_BAD where the caller, its data or its files are at fault, a NULL or a size
 * that was not set among them, SCRIM_FAILED where memory or the disk is. What is `const` is borrowed for the call; what comes by an `out`
 * is the caller's to free, and NULL where there is none. Functions that only look take NULL for an empty table or result: counts are 0,
 * texts and tables NULL, numbers NaN.
 *
 * Excel, SPSS, Stata and SAS files are written by a child, and the last three are read by one, made by fork() and waited for: libraries
 * that end their process where memory runs out end that one (docs/faults.md). */
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

/* REFUSED: a policy is broken or a budget refuses. INTERRUPTED: the caller asked to stop. */
typedef enum { SCRIM_OK = 0, SCRIM_FAILED = 1, SCRIM_BAD = 2, SCRIM_REFUSED = 3, SCRIM_INTERRUPTED = 130 } scrim_status;
typedef struct scrim_table scrim_table;
typedef struct scrim_result scrim_result;
typedef struct scrim_args scrim_args;
typedef struct scrim_cancel scrim_cancel;
typedef struct scrim_job scrim_job;

/* The version of this header; scrim_version() is that of the library. Until 1.0 every minor version may change the ABI (SONAME). */
#define SCRIM_VERSION_MAJOR 0
#define SCRIM_VERSION_MINOR 1
#define SCRIM_VERSION_PATCH 0
SCRIM_API const char *scrim_version(void);   /* "0.1.0"; lives as long as the program, as the next */
SCRIM_API const char *scrim_libraries(void); /* what it stands on, with versions, for people */
SCRIM_API void scrim_text_free(char *text);  /* for every `char **out` below */

/* ---- Errors ---- */

/* What went wrong, where, and what to do; fixed in size, nothing to free. It holds no cell's value unless that was allowed. Numbers are -1
 * and texts empty where unset. `parameter` is the argument's name, `row` counts records from 0, `line` and `place` lines and characters of
 * a file from 1. */
typedef struct scrim_error {
    size_t size;
    scrim_status status;
    int64_t row, line, place;
    char file[256], column[128], parameter[64], message[768], advice[384];
} scrim_error;
/* All of it as one sentence or two, cut to `size` bytes, its end among them; empty where there is no error. */
SCRIM_API void scrim_error_text(const scrim_error *error, char *out, size_t size);

/* ---- What there is ---- */

/* Methods ("protect.noise"), then verbs ("audit", "ledger.create"). */
SCRIM_API int64_t scrim_methods_count(void);
SCRIM_API const char *scrim_methods_name(int64_t index); /* NULL past the end; lives as long as the program */
/* By the words that people call it by: "risk suda", "audit", "ledger create", and "release", "calibrate", "scrub" for short. `used` says
 * how many words its name took. A slip is answered with the nearest. */
SCRIM_API scrim_status scrim_methods_find(int64_t count, const char *const *words, const char **method, int64_t *used, scrim_error *error);
/* A declaration as JSON: summary, parameters with kinds, defaults, bounds, choices and roles, the rules between them, and what comes back.
 */
SCRIM_API scrim_status scrim_methods_describe(const char *method, char **out, scrim_error *error);

/* ---- Arguments ---- */

/* A name and its items: adding to a name again makes a list, a name without items is a flag. Names and texts are copied. SCRIM_FAILED:
 * memory is out; SCRIM_BAD: a name has texts or tables, not both. Not from two threads at once. */
SCRIM_API scrim_args *scrim_args_new(void); /* NULL where memory is out */
SCRIM_API scrim_status scrim_args_text(scrim_args *args, const char *name, const char *value);
SCRIM_API scrim_status scrim_args_number(scrim_args *args, const char *name, double value);
SCRIM_API scrim_status scrim_args_table(scrim_args *args, const char *name, const scrim_table *value); /* shares it */
SCRIM_API scrim_status scrim_args_flag(scrim_args *args, const char *name);
/* The words of a command line behind the method's name: "--k 3", "--k=3", lists split at commas, inputs in their places. SCRIM_BAD: the
 * method has no such parameter, or one lacks its value; what they hold is checked when it runs. */
SCRIM_API scrim_status scrim_args_words(scrim_args *args, const char *method, int64_t count, const char *const *words, scrim_error *error);
SCRIM_API int64_t scrim_args_count(const scrim_args *args, const char *name); /* its items; 0 for a flag, -1 where the name was not given */
SCRIM_API const char *scrim_args_item(const scrim_args *args, const char *name, int64_t index); /* NULL where it is a table */
SCRIM_API void scrim_args_free(scrim_args *args);

/* ---- Running ---- */

/* How files are read and written. */
typedef struct scrim_reading {
    size_t size;
    char separator;        /* 0: found by itself */
    char decimal;          /* 0: . */
    const char *const *na; /* words that mean missing, beside the bare empty cell */
    int64_t na_count;
    const char *const *types; /* "column:type", instead of what the file suggests */
    int64_t type_count;
    const char *encoding; /* NULL: UTF-8, or what the file says */
    const char *sheet;    /* of a workbook; NULL: its first */
    int codes;            /* non-zero: labelled values are their codes, not categories */
    int threads;          /* 0: the host's, or one */
    int need_records;     /* non-zero: a table without records is an error */
    int show_values;      /* non-zero: errors may show cells' values */
    int spreadsheet_safe; /* non-zero: in CSV that is written, words that a spreadsheet program takes for formulas begin with ' */
} scrim_reading;

/* Stops a computation from a signal handler or another thread: it ends soon, with SCRIM_INTERRUPTED and no result. Set it stays set: one
 * for each run that is to be stopped, kept until that has ended. */
SCRIM_API scrim_cancel *scrim_cancel_new(void);
SCRIM_API void scrim_cancel_set(scrim_cancel *cancel); /* async-signal-safe */
SCRIM_API void scrim_cancel_free(scrim_cancel *cancel);
/* Removes the files that this process is half-way through writing, for a handler that then ends the process: async-signal-safe. */
SCRIM_API void scrim_abandon(void);
/* Non-zero: large files are mapped from now on, not read, for a process with a handler of SIGBUS, which is what a mapped file that becomes
 * shorter ends in. Without it that is an error like others. */
SCRIM_API void scrim_map_files(int yes);
/* Who is told, in a sentence, that a killed process left files that could not be put in their places since these have changed; NULL:
 * nobody. One for the process; called on the thread that writes. */
SCRIM_API void scrim_notices(void (*tell)(const char *text));

/* Could a file be written there? A temporary beside it is made, and removed. */
SCRIM_API scrim_status scrim_writable(const char *path, scrim_error *error);

/* What the caller lends, for as long as the run or the job lasts. Any member but the size may be zero: files are then opened by their
 * paths, by one thread. A NULL host opens no file, writes none, and uses one thread. */
typedef struct scrim_host {
    size_t size;
    void *self;
    /* A name in the arguments becomes a table (a new one, which the library frees); what it fails with is what the run fails with. NULL:
     * names are paths of files. */
    scrim_status (*table)(void *self, const char *name, scrim_table **out, scrim_error *error);
    /* Told how far it is, from the calling thread; a non-zero answer stops the computation. `share` is from 0 to 1. */
    int (*progress)(void *self, const char *what, double share);
    int threads;                /* 0: one */
    const char *seed;           /* 64 hexadecimal digits; NULL, with the next two: a fresh secret one */
    int no_files;               /* non-zero: nothing in the arguments is opened as a path, nor written to */
    const int64_t *seed_number; /* a number to draw from: anyone who guesses it undoes the randomness, and the result says so */
    const char *seed_file;      /* a file with such digits; made, for the owner's eyes only, where there is none */
    const scrim_reading *reading;
    const scrim_args *roles; /* fill what the arguments leave open: keys, sensitive, weight, … */
    scrim_cancel *cancel;
    double time_limit; /* seconds: a method that expects to take longer is refused unrun; 0: none */
    int files_too;     /* with `table`: a name that it does not know (SCRIM_OK, and no table) is a path, unless no_files */
    int64_t step;      /* which step of a recipe this is, from 0: with the recipe's seed it draws the same numbers there and here */
} scrim_host;

/* Runs a method or a verb by its name. SCRIM_BAD names the parameter, file, column or row that is wrong; a policy that is broken is not
 * an error here (scrim_result_verdict). Where a verb asks for a YAML or JSON file (roles, policy, recipe), the text itself will do: what
 * has a line's end or begins with { or [. */
SCRIM_API scrim_status scrim_run(const scrim_host *host, const char *method, const scrim_args *args, scrim_result **out,
                                 scrim_error *error);

/* ---- Running in parts ---- */

/* Does the method run on a table that comes in parts? "by row", "by class", or "whole": it does not. NULL where there is no such method. */
SCRIM_API const char *scrim_methods_in_parts(const char *method);
/* The memory to allow for a run in parts where the method's table, a CSV file named in the arguments, would not fit whole by its size and
 * what this machine has left; 0 where it would, where the method does not run in parts, or where `output` (NULL: none) cannot be written
 * so. */
SCRIM_API int64_t scrim_parts_memory(const char *method, const scrim_args *args, const char *output);
/* A file larger than memory: its table (of a method that compares two: both), named in the arguments, is read in parts, as often as needed;
 * what is made is written to `output` as it comes (CSV; NULL: nowhere), with its manifest, and put in place at the end. The bytes and the
 * result are those of scrim_run, save that the result has no records in it. `max_memory`: bytes that may be used, about; `rows`: records in
 * a part, 0 for as many as fit. */
SCRIM_API scrim_status scrim_run_in_parts(const scrim_host *host, const char *method, const scrim_args *args, int64_t max_memory,
                                          int64_t rows, const char *output, scrim_result **out, scrim_error *error);
/* The same, with files that show the result (`pages`: scrim_result_renders) and change together with the table, all or none. Pages are
 * written where `output` is: not without one, nor where the method makes nothing of single records. `everyone`: they show the edition for
 * everyone (scrim_result_public), and an output that holds the input's own records is refused. */
typedef struct scrim_parts {
    size_t size;
    int64_t max_memory, rows;
    const char *output;
    const char *const *pages;
    int64_t page_count;
    int everyone;
} scrim_parts;
SCRIM_API scrim_status scrim_run_parts(const scrim_host *host, const char *method, const scrim_args *args, const scrim_parts *parts,
                                       scrim_result **out, scrim_error *error);

/* The same by hand, for who has the parts elsewhere. A job learns from every part (fit), on one machine or on many whose states are merged;
 * finish says what the whole table says; apply answers part by part; result is what scrim_run would say. A part has the columns of all
 * others, of the same types, and begins with record `first_row` of the table, from 0. A record that was learned from before is refused,
 * and, by row, one that was answered before: what is done is counted. The arguments leave that table out. States are bytes with a version:
 * any cut of the table into parts, any order and any machine gives the same. A job merges the state of another of the same method,
 * arguments and seed: before finish what was learned, after it what was done. Not from two threads at once. */
SCRIM_API scrim_status scrim_job_new(const scrim_host *host, const char *method, const scrim_args *args, scrim_job **out,
                                     scrim_error *error);
SCRIM_API scrim_status scrim_job_fit(scrim_job *job, const scrim_table *part, int64_t first_row, scrim_error *error);
/* Of a method that compares two tables (utility.compare) the parts of both: from the same record on, and the shorter ends its table; where
 * one has ended, its part has no records. The arguments leave both tables out. */
SCRIM_API scrim_status scrim_job_fit_both(scrim_job *job, const scrim_table *part, const scrim_table *beside, int64_t first_row,
                                          scrim_error *error);
SCRIM_API scrim_status scrim_job_state(scrim_job *job, char **out, size_t *count, scrim_error *error);
/* One of `pieces` of what was learned, from 0: a distinct tuple is in the same piece of every state, so that anyone who shuffles merges each
 * piece by itself, and then all of them. */
SCRIM_API scrim_status scrim_job_piece(scrim_job *job, int64_t piece, int64_t pieces, char **out, size_t *count, scrim_error *error);
SCRIM_API scrim_status scrim_job_merge(scrim_job *job, const char *bytes, size_t count, scrim_error *error);
SCRIM_API scrim_status scrim_job_finish(scrim_job *job, scrim_error *error);
/* The part as it is released, or with the columns that the method has for each record; NULL where it makes neither. */
SCRIM_API scrim_status scrim_job_apply(scrim_job *job, const scrim_table *part, int64_t first_row, scrim_table **out, scrim_error *error);
SCRIM_API scrim_status scrim_job_apply_both(scrim_job *job, const scrim_table *part, const scrim_table *beside, int64_t first_row,
                                            scrim_table **out, scrim_error *error);
SCRIM_API scrim_status scrim_job_result(scrim_job *job, scrim_result **out, scrim_error *error); /* once, at the end */
SCRIM_API void scrim_job_free(scrim_job *job);

/* ---- Tables ---- */

/* Columns cross by the Arrow C data interface: a struct array of columns, or a stream of them. Import takes over what it is given, as the
 * interface says, also when it fails: doubles, 64-bit integers, date32 and timestamps in microseconds stay where they are, and the array is
 * released when the last table or result that holds such a column is gone, by the thread that lets it go; until then nobody may change
 * them (scrim_result_own). NaN is a missing value. Export fills structs that the caller releases; numbers, dates, codes and bitmaps are
 * shared, not copied. The interface's structs, as https://arrow.apache.org/docs/format/CDataInterface.html gives them to copy: */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE
#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4
struct ArrowSchema {
    const char *format, *name, *metadata;
    int64_t flags, n_children;
    struct ArrowSchema **children, *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};
struct ArrowArray {
    int64_t length, null_count, offset, n_buffers, n_children;
    const void **buffers;
    struct ArrowArray **children, *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};
#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE
struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};
#endif
SCRIM_API scrim_status scrim_table_from_arrow(const char *name, struct ArrowSchema *schema, struct ArrowArray *array, scrim_table **out,
                                              scrim_error *error);
SCRIM_API scrim_status scrim_table_to_arrow(const scrim_table *table, struct ArrowSchema *schema, struct ArrowArray *array,
                                            scrim_error *error);
SCRIM_API scrim_status scrim_table_from_stream(const char *name, struct ArrowArrayStream *stream, scrim_table **out, scrim_error *error);
SCRIM_API scrim_status scrim_table_to_stream(const scrim_table *table, struct ArrowArrayStream *stream, scrim_error *error);
/* A table from the caller's arrays of `rows` values each, which are copied, column by column in the order in which they are added.
 * NULL: memory is out, or rows is negative. One builder is used by one thread at a time; free it when the table is made. */
typedef struct scrim_builder scrim_builder;
SCRIM_API scrim_builder *scrim_builder_new(const char *name, int64_t rows);
SCRIM_API scrim_status scrim_builder_reals(scrim_builder *builder, const char *column, const double *values,
                                           scrim_error *error); /* NaN: missing */
SCRIM_API scrim_status scrim_builder_integers(scrim_builder *builder, const char *column, const int64_t *values,
                                              const unsigned char *missing, scrim_error *error); /* missing[i] not 0; NULL: none */
SCRIM_API scrim_status scrim_builder_texts(scrim_builder *builder, const char *column, const char *const *values,
                                           scrim_error *error); /* UTF-8, categories; NULL: missing */
SCRIM_API scrim_status scrim_builder_table(scrim_builder *builder, scrim_table **out, scrim_error *error);
SCRIM_API void scrim_builder_free(scrim_builder *builder); /* NULL harmless */
/* Another handle to the same table; NULL where memory is out. */
SCRIM_API scrim_table *scrim_table_share(const scrim_table *table);
/* The table as a file's reader would take it: text whose words repeat is a category. A new handle; what is not text is shared. */
SCRIM_API scrim_status scrim_table_infer_categories(const scrim_table *table, scrim_table **out, scrim_error *error);
/* Files: the suffix decides the format; reading may be NULL. Writing replaces atomically. */
SCRIM_API scrim_status scrim_table_read(const char *path, const scrim_reading *reading, scrim_table **out, scrim_error *error);
SCRIM_API scrim_status scrim_table_write(const scrim_table *table, const char *path, const scrim_reading *reading, scrim_error *error);
/* Do both name one table that is there? Or is `other` what reading `path` takes besides: a file of that folder or list (with commas), or
 * the manifest, structure or ledger beside it? Writing `other` would lose it. 1 for yes, 0 for no; -1 where it cannot be told for want of
 * memory or of descriptors: who only asks whether it is 0 loses nothing. */
SCRIM_API int scrim_table_same(const char *path, const char *other);
SCRIM_API int64_t scrim_table_rows(const scrim_table *table);
SCRIM_API int64_t scrim_table_columns(const scrim_table *table);
SCRIM_API const char *scrim_table_column_name(const scrim_table *table, int64_t column);
SCRIM_API const char *scrim_table_column_type(const scrim_table *table, int64_t column); /* real, integer, category, text, date, datetime */
/* Cells, by the column's place (scrim_table_find: -1 where there is none) and the row, both from 0. What lies outside is missing. */
SCRIM_API int64_t scrim_table_find(const scrim_table *table, const char *column);
SCRIM_API int scrim_table_missing(const scrim_table *table, int64_t column, int64_t row);
SCRIM_API double scrim_table_number(const scrim_table *table, int64_t column, int64_t row);   /* NaN where it is missing or no number */
SCRIM_API int64_t scrim_table_integer(const scrim_table *table, int64_t column, int64_t row); /* exact; 0 where it is no whole number */
/* As a file would have it: NULL where it is missing; a number or a date is written into `room`, which is then what comes back. */
SCRIM_API const char *scrim_table_text(const scrim_table *table, int64_t column, int64_t row, char room[33]);
SCRIM_API int scrim_table_perturbed(const scrim_table *table, const char *column); /* was it changed at random? NULL: any column of it */
SCRIM_API int scrim_table_released(const scrim_table *table); /* was it made by a protecting method? a missing cell may be a blanked one */
/* Says so of a table that comes back from the caller's own memory: it is a release (column NULL), or that column was changed at random.
 * Only before it is lent to anything. */
SCRIM_API void scrim_table_mark(scrim_table *table, const char *column);
/* Does it hold that column of the other as it is, untouched? What a caller knows of its own column beyond the cells then still holds. */
SCRIM_API int scrim_table_shares(const scrim_table *table, const scrim_table *other, const char *column);
SCRIM_API int64_t scrim_table_origin(const scrim_table *table, int64_t row); /* the row of the original that it stems from */
/* The table without these columns, as a recipe begins: identifiers dropped, and nothing else changed or marked. Names that it lacks are let
 * be. */
SCRIM_API scrim_status scrim_table_without(const scrim_table *table, int64_t count, const char *const *columns, scrim_table **out,
                                           scrim_error *error);
SCRIM_API void scrim_table_free(scrim_table *table);

/* ---- Results ---- */

SCRIM_API const char *scrim_result_method(const scrim_result *result);
/* Values. A number that is missing is NaN; a text's number is NaN too. */
typedef enum { SCRIM_NULL = 0, SCRIM_REAL = 1, SCRIM_INTEGER = 2, SCRIM_TEXT = 3 } scrim_kind;
SCRIM_API int64_t scrim_result_values(const scrim_result *result);
SCRIM_API const char *scrim_result_value_name(const scrim_result *result, int64_t index);
SCRIM_API scrim_kind scrim_result_value_kind(const scrim_result *result, const char *name); /* SCRIM_NULL also where there is none */
SCRIM_API double scrim_result_number(const scrim_result *result, const char *name);
SCRIM_API int64_t scrim_result_integer(const scrim_result *result, const char *name);  /* exact; 0 where it is no whole number */
SCRIM_API const char *scrim_result_text(const scrim_result *result, const char *name); /* NULL where it is no text */
/* Notes: what a reader must know. */
SCRIM_API int64_t scrim_result_notes(const scrim_result *result);
SCRIM_API const char *scrim_result_note(const scrim_result *result, int64_t index);
/* Tables of the result. A table returned is a new handle: scrim_table_free. */
SCRIM_API int64_t scrim_result_tables(const scrim_result *result);
SCRIM_API const char *scrim_result_table_name(const scrim_result *result, int64_t index);
SCRIM_API scrim_table *scrim_result_table(const scrim_result *result, const char *name); /* NULL where there is none */
/* Columns with a cell for each record of an input (a parameter's name; NULL: the first that has such columns), as a table of their own; or
 * behind the input's own columns, under another name where the input has that one (fk_2). NULL where there are none, or where the result
 * was read back and the input is not at hand. */
SCRIM_API int64_t scrim_result_records(const scrim_result *result);
SCRIM_API const char *scrim_result_record_name(const scrim_result *result, int64_t index);
SCRIM_API const char *scrim_result_record_of(const scrim_result *result, int64_t index);
SCRIM_API scrim_table *scrim_result_record_table(const scrim_result *result, const char *of);
SCRIM_API scrim_table *scrim_result_record_joined(const scrim_result *result);
/* Outputs: tables that were made. Written to a file they get a manifest beside them, which says what was done; never a seed. Several are
 * written as out.csv, out-2.csv, out-3.csv. */
SCRIM_API int64_t scrim_result_outputs(const scrim_result *result);
SCRIM_API scrim_table *scrim_result_output(const scrim_result *result, int64_t index);
SCRIM_API scrim_status scrim_result_output_write(const scrim_result *result, int64_t first, int64_t count, const char *path,
                                                 const scrim_reading *reading, scrim_error *error);
/* Copies what outputs, tables and per-record columns still share with imported memory, and lets the inputs go (scrim_result_record_joined
 * has none then): afterwards the caller may change that memory. Before the result is shared between threads. */
SCRIM_API scrim_status scrim_result_own(scrim_result *result, scrim_error *error);
/* Charts, as data ("json") or as a picture of that size ("svg"). */
SCRIM_API int64_t scrim_result_charts(const scrim_result *result);
SCRIM_API scrim_status scrim_result_chart(const scrim_result *result, int64_t index, const char *format, int width, int height, char **out,
                                          scrim_error *error);
/* Results within: of each step, of each measure. Borrowed: they live as long as the outer one. */
SCRIM_API int64_t scrim_result_results(const scrim_result *result);
SCRIM_API const char *scrim_result_result_name(const scrim_result *result, int64_t index);
SCRIM_API const scrim_result *scrim_result_result(const scrim_result *result, int64_t index);
/* As text (that many columns wide; colour: bold and dim by escape sequences), json, csv or html. Width 0 is 80. */
SCRIM_API scrim_status scrim_result_render(const scrim_result *result, const char *format, int width, int colour, char **out,
                                           scrim_error *error);
/* The same to a file, replaced atomically; its suffix decides: .json, .html, or .svg for the charts (out.svg, out-2.svg, …). */
SCRIM_API scrim_status scrim_result_write(const scrim_result *result, const char *path, scrim_error *error);
/* Several files that change together, all or none; what is no file (a stream, a database) is written last before. Names of tables take the
 * outputs in their order, the last of them all that are left (out.csv, out-2.csv, …), with their manifests; where a method makes no table,
 * the input with its per-record columns, or else the first table of the result, at most as readable as the input. All others show `shown`
 * (an edition for everyone; NULL: the result itself), as scrim_result_write does. */
SCRIM_API scrim_status scrim_result_write_all(const scrim_result *result, const scrim_result *shown, const char *const *paths,
                                              int64_t count, const scrim_reading *reading, scrim_error *error);
SCRIM_API int scrim_result_renders(const char *path); /* a result goes there, not a table: by its suffix */
/* SCRIM_REFUSED, with the rules, where a policy that it was judged by is broken. */
SCRIM_API scrim_status scrim_result_verdict(const scrim_result *result, scrim_error *error);
/* Saved and read back, value for value: per-record columns and outputs too, with what is known of them (released, perturbed, origin). Not
 * kept: secret parameters, inputs, and what a file said of its columns (labels, why a cell is missing). `name` is for errors. */
SCRIM_API scrim_status scrim_result_save(const scrim_result *result, char **out, size_t *count, scrim_error *error);
SCRIM_API scrim_status scrim_result_load(const char *name, const char *bytes, size_t count, scrim_result **out, scrim_error *error);
/* Its edition for everyone: what the declarations mark as internal is left out, with notes, parameters and single records. A new result,
 * the caller's; the one that it was made from stays whole. */
SCRIM_API scrim_status scrim_result_public(const scrim_result *result, scrim_result **out, scrim_error *error);
SCRIM_API void scrim_result_free(scrim_result *result);

#ifdef __cplusplus
}
#endif
#endif
