/* SPSS, Stata and SAS files by ReadStat: what reading and writing them share. */
#ifndef SCRIM_IO_STAT_STAT_H
#define SCRIM_IO_STAT_STAT_H
#include <readstat.h>
#include "io/format.h"

typedef enum { STAT_SAV, STAT_POR, STAT_DTA, STAT_SAS, STAT_XPT } StatKind;

/* What a number is by its variable's format: a date, a date with a time, or itself. */
typedef enum { CLOCK_NONE, CLOCK_DAY, CLOCK_MOMENT } StatDateKind;
/* By the program's own words: DATE9., %td, ADATE10; no format is CLOCK_NONE. */
StatDateKind stat_date_kind(StatKind kind, const char *format);
/* Formats of the program `origin` (About.origin): of numbers that count seconds of a day in SPSS and SAS alike; of times that are no dates.
 */
bool stat_seconds_of_day(char origin, const char *format);
bool stat_is_time(char origin, const char *format);
/* Microseconds that a unit counts, and the day that it counts from, as days since 1970. */
double stat_unit(StatKind kind, StatDateKind clock);
int64_t stat_origin(StatKind kind);
char stat_program(StatKind kind);     /* as in About.origin */
const char *stat_name(StatKind kind); /* "SPSS", … */

/* Reads from memory, in a process of its own as far as ReadStat does it; `beside` is the path, to look for a SAS catalogue next to it
 * (NULL: none). */
MUST_CHECK Status stat_read_bytes(Work *work, const char *name, const char *bytes, size_t count, StatKind kind, const char *beside,
                                  const CsvOptions *options, Table **out);
/* The same all in this process, which ends where ReadStat crashes: for those who look for that. */
MUST_CHECK Status stat_read_here(Work *work, const char *name, const char *bytes, size_t count, StatKind kind, Table **out);

/* The names that columns get in such a file: their own where they are allowed, else changed so that they are, each once. In the arena. */
MUST_CHECK Status stat_names(Work *work, const Table *table, StatKind kind, bool short_names, const char ***out);
#endif
