/* The program: what its files share. */
#ifndef SCRIM_CLI_H
#define SCRIM_CLI_H
#include "io/csv.h"
#include "method/method.h"

typedef enum { FORMAT_TEXT, FORMAT_JSON, FORMAT_CSV, FORMAT_HTML } Format;

/* Options that every command takes, taken out of argv before the rest is read. */
typedef struct Options {
    Format format;
    const char **outputs;
    int64_t output_count;
    const char *seed, *seed_file;
    int threads;
    bool quiet, help, show_values;
    CsvOptions csv;
    int argc;          /* what is left */
    char **argv;
} Options;
MUST_CHECK Status options_take(Work *work, int argc, char **argv, Options *out);
void options_help(Buffer *out);

/* The host that opens paths. */
typedef struct FileHost {
    Work *work;
    const CsvOptions *csv;
    Host host;
    bool need_records; /* a table without records is an error */
    bool keep;         /* hold on to the first table: -o may want it again */
    const char *kept_name;
    Table *kept;
    Ledger *ledger;
} FileHost;
void host_open(FileHost *host, Work *work, const CsvOptions *csv);
void host_close(FileHost *host);
Table *host_kept(const FileHost *host, const char *name); /* the table it kept under that name, for the caller to release; or NULL */

/* Before anything is done: a release must not take the place of the table it is made from. */
MUST_CHECK Status deliver_check(Work *work, const Options *options, const Method *method, const Args *args);
/* What was made goes where it was asked to go. */
MUST_CHECK Status deliver(Work *work, const Options *options, const FileHost *host, const Method *method, const Args *args, const Result *result);
/* Standard output, all of it, at once. A closed pipe is no error. */
MUST_CHECK Status print_out(const Buffer *text, Error *error);

/* The progress bar, and Ctrl-C. */
const Progress *progress_start(bool quiet);
void progress_end(void);

/* Help read off the declarations. */
void help_program(Buffer *out);
void help_methods(const char *group, Buffer *out);
void help_method(const Method *method, Buffer *out);
void help_version(Buffer *out);
#endif
