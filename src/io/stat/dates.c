/* Dates in SPSS, Stata and SAS: numbers that a format makes dates. */
#include <ctype.h>
#include <string.h>
#include <strings.h>
#include "io/stat/stat.h"

const char *stat_name(StatKind kind) {
    static const char *const names[] = { "SPSS", "SPSS portable", "Stata", "SAS", "SAS transport" };
    return names[kind];
}

char stat_program(StatKind kind) { return kind == STAT_DTA ? 't' : kind == STAT_SAV || kind == STAT_POR ? 'p' : 's'; }

typedef struct Prefix {
    const char *begins;
    StatDateKind clock;
} Prefix;

static StatDateKind find(const Prefix *list, size_t count, const char *format) {
    for (size_t i = 0; i < count; i++)
        if (!strncmp(format, list[i].begins, strlen(list[i].begins))) return list[i].clock;
    return CLOCK_NONE;
}
#define FIND(list, format) find(list, sizeof list / sizeof *list, format)

/* Longer names first where one begins another. Times of day, months and weekdays stay numbers. */
static StatDateKind spss_clock(const char *format) {
    static const Prefix list[] = { { "DATETIME", CLOCK_MOMENT }, { "YMDHMS", CLOCK_MOMENT }, { "DATE", CLOCK_DAY },  { "ADATE", CLOCK_DAY },
                                   { "EDATE", CLOCK_DAY },       { "JDATE", CLOCK_DAY },     { "SDATE", CLOCK_DAY }, { "QYR", CLOCK_DAY },
                                   { "MOYR", CLOCK_DAY },        { "WKYR", CLOCK_DAY } };
    return FIND(list, format);
}

static StatDateKind sas_clock(const char *format) {
    static const Prefix list[] = { { "DATETIME", CLOCK_MOMENT }, { "DATEAMPM", CLOCK_MOMENT }, { "E8601DT", CLOCK_MOMENT },
                                   { "B8601DT", CLOCK_MOMENT },  { "DATE", CLOCK_DAY },        { "DDMMYY", CLOCK_DAY },
                                   { "MMDDYY", CLOCK_DAY },      { "YYMMDD", CLOCK_DAY },      { "E8601DA", CLOCK_DAY },
                                   { "B8601DA", CLOCK_DAY },     { "JULIAN", CLOCK_DAY },      { "WEEKDATE", CLOCK_DAY },
                                   { "WEEKDATX", CLOCK_DAY },    { "WORDDATE", CLOCK_DAY },    { "WORDDATX", CLOCK_DAY },
                                   { "MONYY", CLOCK_DAY },       { "YYMON", CLOCK_DAY },       { "NLDATM", CLOCK_MOMENT },
                                   { "NLDATE", CLOCK_DAY } };
    return FIND(list, format);
}

static StatDateKind stata_clock(const char *format) {
    if (*format++ != '%') return CLOCK_NONE;
    format += *format == '-';
    if (!strncmp(format, "tc", 2) || !strncmp(format, "tC", 2)) return CLOCK_MOMENT;
    return !strncmp(format, "td", 2) || (format[0] == 'd' && !isdigit((unsigned char)format[1])) ? CLOCK_DAY : CLOCK_NONE;
}

StatDateKind stat_date_kind(StatKind kind, const char *format) {
    char upper[32];
    size_t length = 0;
    if (!format) return CLOCK_NONE;
    if (kind == STAT_DTA) return stata_clock(format);
    for (; format[length] && length + 1 < sizeof upper; length++) upper[length] = (char)toupper((unsigned char)format[length]);
    upper[length] = 0;
    return kind == STAT_SAV || kind == STAT_POR ? spss_clock(upper) : sas_clock(upper);
}

static bool begins(const char *format, const char *const *words) {
    for (; *words; words++)
        if (!strncasecmp(format, *words, strlen(*words))) return true;
    return false;
}

bool stat_seconds_of_day(char origin, const char *format) {
    return (origin == 'p' || origin == 's') && begins(format, (const char *const[]){ "TIME", NULL });
}

bool stat_is_time(char origin, const char *format) {
    static const char *const spss[] = { "TIME", "DTIME", "MTIME", "WKDAY", "MONTH", NULL }, *const sas[] = { "TIME",    "TOD",  "HHMM",
                                                                                                             "MMSS",    "HOUR", "E8601TM",
                                                                                                             "B8601TM", NULL },
                             *const stata[] = { "%tw", "%tm", "%tq", "%th", "%ty", "%tb", "%-tw", "%-tm", "%-tq", "%-th", "%-ty", NULL };
    return begins(format, origin == 't' ? stata : origin == 'p' ? spss : sas);
}

/* SPSS counts seconds since 1582-10-14, whatever the format. Stata and SAS count days since 1960-01-01; for moments Stata milliseconds, SAS
 * seconds. */
double stat_unit(StatKind kind, StatDateKind clock) {
    if (kind == STAT_SAV || kind == STAT_POR) return 1e6;
    if (clock == CLOCK_DAY) return 86400e6;
    return kind == STAT_DTA ? 1e3 : 1e6;
}

int64_t stat_origin(StatKind kind) { return kind == STAT_SAV || kind == STAT_POR ? -141428 : -3653; }
