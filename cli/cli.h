/* The program: what its files share. It knows the library by scrim.h alone; a test holds its #include lines to that. */
#ifndef SCRIM_CLI_H
#define SCRIM_CLI_H
#include "registry.h"

/* Options that every command takes, taken out of argv before the rest is read. */
typedef struct Options {
    const char *format; /* text, json, csv, html */
    const char **outputs;
    int64_t output_count;
    const char *seed, *seed_file;
    int threads;
    bool quiet, help, public;
    int64_t max_memory; /* bytes; 0: tables are held whole */
    int64_t part_rows;  /* records in a part; 0: as many as fit */
    bool table_shown;   /* a table has gone to standard output, and nothing else may */
    bool in_place;      /* a table was written in parts, and all of -o with it */
    scrim_reading reading;
    int argc; /* what is left */
    const char **argv;
} Options;
scrim_status options_take(int argc, char **argv, Options *out, scrim_error *error);
void options_help(Buffer *out);

/* Before anything is done: a release must not take the place of the table it is made from. */
scrim_status deliver_check(const Options *options, const Method *method, const scrim_args *args, scrim_error *error);
/* What was made goes where it was asked to go. */
scrim_status deliver(const Options *options, const scrim_args *args, const scrim_result *result, scrim_error *error);
bool is_stdout(const char *path); /* NULL is not */
/* A table in parts, in o->max_memory; and at once where it fits. */
scrim_status run_out_of_core(const Method *method, Options *o, const scrim_host *host, const scrim_args *args, scrim_result **out,
                             scrim_error *error);
scrim_status run_as_it_fits(const Method *method, Options *o, const scrim_host *host, const scrim_args *args, scrim_result **out,
                            scrim_error *error);
/* A command that reads its input as a stream: within --max-memory without parts. */
bool streams(const Method *method, const scrim_args *args);
scrim_status run_stream(const Method *method, const Options *o, const scrim_host *host, const scrim_args *args, scrim_result **out,
                        scrim_error *error);
/* Standard output, all of it, at once. A closed pipe is no error. */
scrim_status print_out(const char *text, size_t count, scrim_error *error);

/* The progress bar, and Ctrl-C: fills in what the host needs. */
void progress_start(bool quiet, scrim_host *host);
void progress_end(void);

/* Help read off the declarations. */
void help_program(Buffer *out);
void help_methods(const char *group, Buffer *out);
bool help_bears_on(const Method *m, const char *kind);
void help_methods_of_kind(const char *group, const char *kind, Buffer *out); /* group: or NULL */
void help_methods_in_parts(Buffer *out);                                     /* only those that run in parts, and how */
void help_method(const Method *method, Buffer *out);
void help_serve(Buffer *out);
void help_version(Buffer *out);
#endif
