/* What the files of scrub.evaluate share. */
#ifndef SCRIM_SCRUB_EVALUATE_EVALUATE_H
#define SCRIM_SCRUB_EVALUATE_EVALUATE_H
#include "method/method.h"

typedef struct EvaluateArgs {
    const Table *gold, *found, *texts, *map;
    const char *id, *column;
    Texts ignore, direct;
    Pairs rename;
    int64_t notes;
} EvaluateArgs;

/* A marked span or a find: code points [start, end) of the note `id`. */
typedef struct Span {
    const char *id, *kind;
    int64_t start, end;
    bool ignored, direct, hit, exact, neither;
    int64_t tokens, tokens_covered, leaked; /* span_cover: words and numbers in it; those inside the other side; characters outside */
} Span;
typedef struct Spans {
    int64_t count;
    Span *at;
} Spans;

/* Sorted by note and start. Fails where a row holds no span. */
MUST_CHECK Status spans_read(Run *run, const EvaluateArgs *a, const Table *table, bool gold, Spans *out);
/* Sets hit, exact and neither of both sides by overlap. */
void spans_match(Spans *gold, Spans *found);
/* Sets tokens, tokens_covered and leaked of the marked spans by the union of the finds, and tokens of the finds by the union of the marks.
 * With texts only letters and digits count; without them every code point does, and a span is one token. Fails where a span reaches beyond
 * its note. */
MUST_CHECK Status spans_cover(Run *run, const EvaluateArgs *a, Spans *gold, Spans *found);
#endif
