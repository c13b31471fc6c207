/* The best division of one node by one feature. */
#ifndef SCRIM_SYNTH_ENGINE_SPLIT_H
#define SCRIM_SYNTH_ENGINE_SPLIT_H
#include "synth/engine/grow.h"

enum { STATE_WORDS = 1024 }; /* bits for every state that there can be */

/* A node's records, gathered. Classes are renumbered to those that occur in it. */
typedef struct Node {
    int64_t count, min_leaf;
    const int32_t *row;
    const uint16_t *block; /* their states, a record's beside each other: feature f of record i at place[i] · features + f; or NULL */
    const int32_t *place;
    int32_t features;
    const double *y, *w; /* numbers: centred; weights, or NULL for 1 each */
    const uint16_t *class;
    int32_t classes; /* 0: numbers */
    double weight;   /* all */
    double quality;  /* of the node undivided: S²/W, or Σ W_c²/W */
} Node;

typedef struct Division {
    double gain;
    int32_t feature;
    uint16_t threshold;
    bool missing_left;
    int32_t lefts;
    uint16_t *left; /* categories that go left */
} Division;

/* Room for the work on one node, made once. */
typedef struct Bench {
    int32_t *count;       /* state → records; zero between calls */
    double *weight, *sum; /* state → Σw, Σwy; zero between calls */
    int64_t *start;       /* state → where its records begin in `sorted` */
    uint16_t *sorted;     /* classes of the records, by state */
    double *sorted_weight;
    uint64_t used[STATE_WORDS];         /* bits of states that occur; zero between calls */
    uint16_t *listed;                   /* states that occur, ascending */
    double *key;                        /* state → place on the axis along which categories are cut */
    double *left, *right, *axis, *next; /* by class */
    uint16_t *best_left;                /* categories of the best division found by this call */
} Bench;
MUST_CHECK Status bench_open(Bench *bench, int32_t states, int32_t classes, int64_t rows, Error *error);
void bench_close(Bench *bench);

/* Looks at one feature, and puts a better division into `best`; best->left is room for every state. */
void split_by(Bench *bench, const Node *node, const Feature *feature, int32_t number, Division *best);
#endif
