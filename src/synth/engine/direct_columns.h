/* Columns that name people and free text: a synthesis never draws their values, but makes up others. */
#ifndef SCRIM_SYNTH_ENGINE_DIRECT_COLUMNS_H
#define SCRIM_SYNTH_ENGINE_DIRECT_COLUMNS_H
#include "synth/engine/engine.h"

/* Why the column is not to be released: its role, its name, its form; NULL where it may be drawn, or --other says that it is harmless. */
typedef struct DirectColumns {
    const Table *table;
    const char **why; /* by column of the table */
} DirectColumns;
/* Of the data of `args`. A column that looks like an identifier only because its values hardly repeat may be drawn where an argument says
 * how; BAD where one says it of any other. */
MUST_CHECK Status direct_find(Run *run, const SynthArgs *args, DirectColumns *out);
/* The same of a table that is not the data, or of a saved model's values, whose order says nothing: by names and forms alone. */
MUST_CHECK Status direct_guess(Run *run, const SynthArgs *args, const Table *table, DirectColumns *out);
const char *direct_why(const DirectColumns *direct, const Column *column);
/* The columns that may be drawn; the others are added to args->made_up. */
MUST_CHECK Status direct_part(Run *run, SynthArgs *args, const DirectColumns *direct, Columns asked, Columns *rest);
/* All of that for columns that --vars names, or all; args->vars becomes those that are drawn. BAD where none is. */
MUST_CHECK Status direct_leave_out(Run *run, SynthArgs *args);
MUST_CHECK Status direct_refuse(Run *run, const char *column, const char *parameter); /* BAD: it is not drawn */
/* BAD where the expression needs a column that is made up. */
MUST_CHECK Status direct_refuse_expr(Run *run, const SynthArgs *args, const Expr *expr, const char *parameter);
MUST_CHECK Status direct_refuse_rules(Run *run, const SynthArgs *args, const EditRules *rules);
/* Says which columns were made up, and why; of a saved model, that it lacks them. */
MUST_CHECK Status direct_say(Run *run, const SynthArgs *args, const DirectColumns *direct);
/* Where only some columns are replaced: a direct identifier is not drawn (BAD), and those that stay are named, because they are released
 * as they are. `out` (or NULL): all of them. */
MUST_CHECK Status direct_name_kept(Run *run, const SynthArgs *args, Columns replaced, const char *parameter, DirectColumns *out);
/* Where values are taken from the data as they are: BAD where one of these columns names people. */
MUST_CHECK Status direct_refuse_named(Run *run, const SynthArgs *args, Columns columns, const char *parameter);

/* Values that occur nowhere in `column` or `beside` (NULL: none), all distinct: numbers of one more digit, "NAME 17"; dates are missing.
 * The first is number `first` + 1. */
MUST_CHECK Status made_up_column(Run *run, const Column *column, const Column *beside, int64_t first, int64_t rows, Column **out);
/* The table with args->made_up in it, in the order of the data. `set`: which table of several. */
MUST_CHECK Status with_made_up(Run *run, const SynthArgs *args, const Table *table, int64_t set, Table **out);
#endif
