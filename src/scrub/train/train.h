/* What the files of scrub.train share. */
#ifndef SCRIM_SCRUB_TRAIN_TRAIN_H
#define SCRIM_SCRUB_TRAIN_TRAIN_H
#include "method/method.h"
#include "prose/find.h"

typedef struct TrainArgs {
    const Table *notes, *marked, *model, *map;
    const char *column, *id;
    unsigned language;
    int64_t epochs;
    double holdout, target;
} TrainArgs;

/* A marked span: bytes [start, end) of its note. */
typedef struct Mark {
    uint32_t start, end;
    int32_t kind; /* in Training.kind */
} Mark;
/* A part of a note that was read, where not all of it was. */
typedef struct Part {
    uint32_t start, end;
} Part;
typedef struct SiteNote {
    const char *text;
    size_t size;
    Mark *mark; /* in order of start */
    int64_t marks, mark_room;
    Part *part;
    int64_t parts, part_room;
    Tokens tokens;
    uint8_t *tag;
    bool held; /* for measuring */
} SiteNote;

/* A kind of the marks: what the finds call it, by its name, by the map, or by what is found where it is marked. */
typedef struct SiteKind {
    const char *name, *by;
    int trace; /* −1: counts neither way */
    int64_t marks, met[TRACES], words, numbers;
} SiteKind;

typedef struct Score {
    int64_t marks, whole, finds, right, notes, leaking;
} Score;

typedef struct Training {
    Run *run;
    const TrainArgs *a;
    Finder finder;
    SiteNote *note;
    int64_t notes;
    SiteKind *kind;
    int64_t kinds, kind_room;
    bool by_parts; /* only the parts of the notes are learned from */
} Training;

/* notes.c: reads notes and marks, and determines what each kind is. */
MUST_CHECK Status training_read(Training *t);
void training_free(Training *t);
/* The steps of training_read, for callers with marks of their own: the notes without marks; the place of a kind in Training.kind, which is
 * appended where it is new; the byte at which a code point of a note begins (−1 beyond its end); the tags, once all marks are known. */
MUST_CHECK Status training_notes(Training *t);
MUST_CHECK Status training_kind(Training *t, const char *name, int32_t *out);
int64_t note_byte(const SiteNote *note, int64_t point);
MUST_CHECK Status training_tags(Training *t);
uint64_t training_traces(const Training *t); /* bit by Trace: what was marked */
/* fit.c: a model trained on the notes that are not held back, or on all. */
MUST_CHECK Status training_fit(Training *t, const Model *from, bool all, Model *out);
/* score.c: how the finder does on the notes that were held back (or on the others). */
MUST_CHECK Status training_score(Training *t, const Model *model, bool held, Score *out);
#endif
