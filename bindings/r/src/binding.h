/* The .Call side of the package: R's vectors lent to libscrim by the Arrow C data interface, its results as R's vectors. */
#ifndef SCRIM_R_BINDING_H
#define SCRIM_R_BINDING_H
#define R_NO_REMAP
#define STRICT_R_HEADERS
#include <R.h>
#include <Rinternals.h>
#include <scrim.h>
#include <stdbool.h>

/* An error as a list of its fields, for R to signal: nothing here jumps out of C. */
SEXP error_list(const scrim_error *error);
SEXP text_of(const char *text); /* one string, NA for NULL */
/* A scrim_text as one string; freed. */
SEXP text_taken(char *text);

/* Handles are external pointers, freed by R's collector; NULL inside once saved and read back by R. */
SEXP table_handle(void);                    /* empty, with its finalizer */
const scrim_table *table_at(SEXP handle);   /* an R error where it is no table */
const scrim_result *result_at(SEXP handle); /* an R error where it is no result */
SEXP result_handle(void);

SEXP r_table(SEXP name, SEXP columns, SEXP names, SEXP kinds, SEXP levels, SEXP rows);
SEXP r_table_rows(SEXP table);
SEXP r_copy(SEXP object);
SEXP r_result_own(SEXP result);
SEXP r_table_mark(SEXP table, SEXP column);
SEXP r_table_marks(SEXP table);
SEXP r_table_read(SEXP path, SEXP encoding);
SEXP r_table_write(SEXP table, SEXP path);
SEXP r_table_shares(SEXP table, SEXP other, SEXP names);
SEXP r_table_in_place(SEXP table);
SEXP r_table_columns(SEXP table, SEXP wide);
SEXP r_hold(SEXP columns);
SEXP r_same_columns(SEXP frame, SEXP handle);
SEXP r_same_missing(SEXP now, SEXP before);
SEXP r_run(SEXP method, SEXP args, SEXP options);
SEXP r_live(SEXP handle);
SEXP r_result(SEXP result);
SEXP r_result_inner(SEXP result, SEXP index);
SEXP r_result_table(SEXP result, SEXP name);
SEXP r_result_records(SEXP result, SEXP of);
SEXP r_result_output(SEXP result, SEXP index);
SEXP r_result_verdict(SEXP result);
SEXP r_result_render(SEXP result, SEXP format, SEXP width);
SEXP r_result_chart(SEXP result, SEXP index, SEXP format, SEXP size);
SEXP r_result_write(SEXP result, SEXP path);
SEXP r_result_output_write(SEXP result, SEXP path);
SEXP r_describe(SEXP method);
SEXP r_version(void);
void mind_the_thread(void);
#endif
