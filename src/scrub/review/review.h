/* What the files of scrub.review share. */
#ifndef SCRIM_SCRUB_REVIEW_REVIEW_H
#define SCRIM_SCRUB_REVIEW_REVIEW_H
#include "scrub/train/train.h"

typedef struct ReviewArgs {
    const Table *notes, *answers, *model;
    const char *column;
    unsigned language;
    int64_t questions, epochs;
    double target;
} ReviewArgs;

/* A line or sentence of a note that has not been reviewed. */
typedef struct Passage {
    int64_t note;
    uint32_t start, end; /* bytes */
    double doubt;        /* errors that the model expects in it */
    double chance;       /* of being asked about */
    bool asked;
} Passage;

/* A passage that was asked about in this or an earlier round, and what the reviewer answered. */
typedef struct Reviewed {
    int64_t note, round;
    uint32_t start, end;
    double weight; /* passages that it stands for: 1 / chance */
    const char *answer;
    bool named; /* the table of answers has this passage */
    int64_t marks, whole, finds, right;
} Reviewed;

typedef struct Review {
    Run *run;
    const ReviewArgs *a;
    Training training; /* notes, marks and finder */
    Passage *passage;
    int64_t passages, room, asked;
    Reviewed *reviewed; /* by the number of the passage */
    int64_t numbers, answered, round;
} Review;

/* answers.c: reads the answers, and marks the notes by them. */
MUST_CHECK Status review_answers(Review *r);
/* estimate.c: recall, by the answers of the last round. */
void review_estimate(Review *r);
/* passages.c: cuts what was not reviewed into passages, and draws those to ask about. */
MUST_CHECK Status review_draw(Review *r);
/* questions.c: the table to fill in: what was asked before, and the new questions. */
MUST_CHECK Status review_questions(Review *r);
#endif
