/* Checking one node of the lattice: its classes, which of them fail, and what that loses. */
#ifndef SCRIM_PROTECT_GENERALIZE_NODE_CHECK_H
#define SCRIM_PROTECT_GENERALIZE_NODE_CHECK_H
#include "classes/privacy_models.h"
#include "protect/generalize/key_domain.h"

enum { KEYS_MOST = 40 };

/* What every class must have. */
typedef enum { DISTINCT_L, ENTROPY_L, RECURSIVE_L } Definition;
typedef struct Model {
    int64_t k;
    Columns sensitive;
    double l, c, t; /* NaN: not asked for */
    Definition definition;
    Distance distance;
    const Table *population; /* NULL: no presence asked for */
    double delta_min, delta_max;
} Model;

typedef enum { LOSS, LOSS_MEAN, AECS, DISCERNIBILITY, PRECISION, ENTROPY } Loss;

/* Distinct records with the number that have them; a snapshot of a finer node serves all coarser ones. */
typedef struct Entries {
    int64_t count;
    int32_t *code[KEYS_MOST]; /* leaves */
    int32_t *records;         /* in the data */
    int32_t *population;      /* NULL without one */
    int32_t *combination;     /* of sensitive values; NULL without them */
    uint8_t level[KEYS_MOST]; /* of the node they are of */
} Entries;

typedef struct Outcome {
    bool valid;                  /* the records in failing classes are within the limit */
    bool hopeless;               /* no finer node can be valid */
    int64_t suppressed, classes; /* records in failing classes; classes that hold */
    int64_t surely;              /* records in classes that fail at every finer node too */
    double extra[KEYS_MOST];     /* what suppression adds to each key's loss */
    double sure_extra[KEYS_MOST];
    double squares, all_squares; /* Σn² over classes that hold; over all */
    int64_t all_classes;
    int64_t groups; /* entries after grouping */
    double score;
} Outcome;

/* Room for one check at a time. */
typedef struct Scratch {
    uint64_t *word, *class_word;
    uint64_t *digit[4]; /* leaf → its digit, of up to four keys at a time */
    int32_t *of, *first, *order;
    uint32_t *slot;
    int64_t slots;
    int32_t *records, *population;
    uint8_t *fails;
    int64_t *start, *tally_count, *sort;
    int32_t *tally_value;
    int64_t *count_of; /* by sensitive value, zero between uses */
    double *numbers;   /* for closeness */
    int64_t *histogram;
    int64_t classes;
} Scratch;

typedef struct Checker {
    const Domains *domains;
    const Model *model;
    Loss loss;
    double *weight;         /* of each key, summing to 1 */
    const int64_t *times;   /* row → records that it stands for; NULL: one each */
    int64_t rows;           /* of the data */
    int64_t records, limit; /* in the data; how many may be suppressed */
    Entries all;
    int32_t *entry_of_row;
    Codes *sensitive;       /* per sensitive column */
    int32_t **sensitive_of; /* sensitive column → combination → its value */
    Closeness *closeness;
    int64_t combinations;
    double **base; /* key → level → the loss that generalising alone brings */
} Checker;

/* `hierarchies` is asked for those of sensitive columns; `weight` may be NULL: all keys alike. */
MUST_CHECK Status checker_make(Work *work, const Domains *domains, const Model *model, const Tables *hierarchies, Loss loss,
                               const double *weight, double max_suppression, Checker *out);
MUST_CHECK Status scratch_make(Work *work, const Checker *checker, Scratch *out);
/* `from`: checker->all, or a snapshot of a finer node. Runs on any thread, each with a scratch of its own. */
void check_node(const Checker *checker, Scratch *scratch, const Entries *from, const uint8_t *level, Outcome *out);
/* The grouped entries of the node last checked with this scratch. */
MUST_CHECK Status snapshot_make(Work *work, const Checker *checker, Scratch *scratch, const Entries *from, const uint8_t *level,
                                Entries *out);
void snapshot_drop(Work *work, Entries *entries);
static inline int64_t checker_times(const Checker *checker, int64_t row) { return checker->times ? checker->times[row] : 1; }
/* Marks the rows in classes that fail at this node; how many records they are. */
int64_t failing_rows(const Checker *checker, Scratch *scratch, const uint8_t *level, uint8_t *out);
/* Are these rows, taken as one class, as diverse and as close as the model asks? */
bool rows_are_diverse(const Checker *checker, Scratch *scratch, int64_t rows, const uint8_t *in);
void check_regroup(Scratch *scratch, int64_t entries,
                   uint64_t range); /* of, first and classes again, from words that are below range (0: any) */

/* Losses (loss.c). The additive ones are sums over keys of a term that rises with level and with what is suppressed. */
MUST_CHECK Status loss_base(Work *work, Checker *checker);
bool loss_is_additive(Loss loss);
double loss_term(const Checker *checker, int64_t key, int64_t level, double extra, int64_t suppressed);
double loss_of_sum(const Checker *checker, double sum);
double loss_score(const Checker *checker, const uint8_t *level, const Outcome *outcome);
#endif
