/* A result as aligned text, JSON, CSV, SVG and one-file HTML; and many results as one report. Nothing here fails but for memory
 * (Buffer.failed). */
#ifndef SCRIM_RENDER_RENDER_H
#define SCRIM_RENDER_RENDER_H
#include "base/text.h"
#include "result/result.h"

/* A page for a person: what ran, values with what they mean, tables (at most 40 rows), notes, parameters. width in columns (0 = 80);
 * colour: bold and dim by escape sequences. Text from the data never reaches the terminal as control characters. */
void render_text(const Result *result, int width, bool colour, Buffer *out);

/* One object: {"schema": 1, "method", "version", "params", "values", "tables", "charts", "notes", "results", "outputs"}. A parameter is a
 * number where its text is a number's shortest form, else text; a list is an array; secret ones are left out. Missing is null; ±∞ and whole
 * numbers beyond ±2^53 are text. Results within have the same members but for schema and version. outputs: {"rows": count, "columns":
 * [names]}. */
void render_json(const Result *result, Buffer *out);
void render_chart_json(const Chart *chart, Buffer *out); /* one of its charts, the same way */

/* One table. A result with exactly one table of its own: that table, with a header. Any other: its values, as `name,value`; those of
 * results within as `result.name,value`. Missing is an empty cell. */
void render_csv(const Result *result, Buffer *out);
void render_csv_table(const Table *table, Buffer *out);

/* A picture on its own, colours explicit, on white. Width and height in pixels, at least 160 by 120. */
void render_svg(const Chart *chart, int width, int height, Buffer *out);

/* One file without scripts or anything fetched; light, dark and print. title may be NULL: the method's name. */
void render_html(const Result *result, const char *title, Buffer *out);

/* Many results under one verdict. */
typedef enum { VERDICT_GOOD, VERDICT_WARN, VERDICT_BAD } VerdictLevel;
typedef struct ReportRule {
    const char *rule; /* "risk.k-anonymity.k >= 3" */
    bool passed;
    const char *seen;  /* the value found; NULL: it could not be computed, which is not passing */
    const char *why;   /* a recommendation, or why there is no value; or NULL */
    const char *words; /* "Smallest class: must be at least 3, is 1"; NULL: only the expression is shown */
} ReportRule;
typedef struct ReportLine {
    const char *kind;     /* of disclosure: identity, attribute, inferential, population */
    const char *what;     /* read after the number: "found for certain by who knows …" */
    bool share;           /* a share, else people */
    double before, after; /* before NaN: one table was measured */
} ReportLine;
typedef struct ReportPair {
    const char *what, *text;
} ReportPair;
typedef struct ReportRecord {
    int64_t record;
    const char *why;
} ReportRecord;
typedef struct ReportMeasure {
    const char *kind, *measure, *value, *before, *after;
    const char *change; /* better, worse, same; NULL: neither is better */
    const char *meaning;
} ReportMeasure;
typedef struct Report {
    const char *title;
    const char *verdict;       /* plain sentences */
    const char *author, *date; /* of the sign-off; NULL: lines to write on */
    VerdictLevel level;
    bool judged; /* by a policy */
    bool brief, public;
    int64_t rules, results, notes, provenances, lines, costs, roles, kinds, holders, measures, steps, nexts, charts, records, pictures;
    int64_t current; /* of the results, the first so many are of the table judged; the rest of what it was before */
    const ReportRule *rule;
    const ReportLine *line; /* what an intruder would learn, and about how many people */
    const ReportPair *cost, *role, *kind, *holder;
    const ReportMeasure *measure; /* grouped by kind */
    const ReportRecord *record;   /* the riskiest */
    const char *const *next;      /* what to do */
    const Chart *const *chart;    /* of the first page */
    const Chart *const *picture;  /* of each column */
    const NamedResult *step;
    const NamedResult *result;
    const char *const *note;       /* what a reader must know: what was left out, and why */
    const char *const *provenance; /* file, hash, version, time: one line each */
} Report;
void render_report(const Report *report, Buffer *out); /* HTML, one page to sign and the details folded */
void render_report_text(const Report *report, int width, bool colour,
                        Buffer *out); /* brief: verdict, findings, rules, costs, next steps; else measures and notes too */
#endif
