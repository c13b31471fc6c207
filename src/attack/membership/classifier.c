/* An attack by a classifier: bagged trees (Breiman 1996) learn to distinguish the release from the reference. */
#include <stdlib.h>
#include <string.h>
#include "attack/membership/membership.h"
#include "base/compare.h"
#include "base/elementary.h"
#include "math/tree/tree.h"

enum { TREES = 16, LEAF = 5, MOST_RECORDS = 20000, MOST_CODES = 1000, TABLES = 4 };

/* The columns of the release, the reference, the members and the others: numbers in all of them, or codes that mean the same word. */
typedef struct Predictors {
    int64_t count;
    TreeColumn *of[TABLES];
} Predictors;

static Status word_of(Work *work, const Column *column, int64_t row, const char **out) {
    char number[33];
    *out = arena_text(work->arena, column_cell(column, row, number));
    return *out ? OK : out_of_memory(work->error);
}

/* The distinct words of the release and the reference, sorted. */
static Status words_of(Work *work, const Column *const column[TABLES], const Codes codes[TABLES], const char ***out, int64_t *count) {
    Status status = OK;
    int64_t all = 0, kept = 0;
    NEW(work, *out, codes[0].count + codes[1].count + 1);
    for (int t = 0; t < 2; t++)
        for (int32_t c = 0; c < codes[t].count; c++) TRY(word_of(work, column[t], codes[t].first_row[c], &(*out)[all++]));
    qsort(*out, (size_t)all, sizeof **out, compare_texts);
    for (int64_t i = 0; i < all; i++)
        if (!i || strcmp((*out)[i], (*out)[kept - 1])) (*out)[kept++] = (*out)[i];
    *count = kept;
done:
    return status;
}

/* A word that neither the release nor the reference has is missing, as the trees see it. */
static Status code_column(Work *work, const Column *const column[TABLES], Predictors *p, bool *fits) {
    Status status = OK;
    Codes codes[TABLES];
    const char **words = NULL;
    int64_t count = 0;
    for (int t = 0; t < TABLES; t++) TRY(column_codes(work, column[t], &codes[t]));
    *fits = codes[0].count <= MOST_CODES && codes[1].count <= MOST_CODES;
    if (!*fits) return OK;
    TRY(words_of(work, column, codes, &words, &count));
    for (int t = 0; t < TABLES; t++) {
        int32_t *map = NULL, *at = NULL;
        NEW(work, map, codes[t].count + 1);
        NEW(work, at, column[t]->rows + 1);
        for (int32_t c = 0; c < codes[t].count; c++) {
            const char *word;
            TRY(word_of(work, column[t], codes[t].first_row[c], &word));
            const char **found = count ? bsearch(&word, words, (size_t)count, sizeof *words, compare_texts) : NULL;
            map[c] = found ? (int32_t)(found - words) : -1;
        }
        for (int64_t i = 0; i < column[t]->rows; i++) at[i] = codes[t].at[i] < 0 ? -1 : map[codes[t].at[i]];
        p->of[t][p->count] = (TreeColumn){ .code = at, .codes = (int32_t)count };
    }
done:
    return status;
}

static Status predictors_make(Targets *t, Predictors *p) {
    Status status = OK;
    Work *work = &t->run->work;
    const Table *table[TABLES] = { t->a->released, t->reference, t->a->original, t->others };
    *p = (Predictors){ 0 };
    for (int k = 0; k < TABLES; k++) NEW(work, p->of[k], t->near.count + 1);
    for (int64_t j = 0; j < t->near.count; j++) {
        const Column *column[TABLES];
        bool number = true, fits = true;
        for (int k = 0; k < TABLES; k++) {
            TRY(table_need(table[k], t->near.names[j], &column[k], work->error));
            number &= column_linear(column[k]);
        }
        if (!number) TRY(code_column(work, column, p, &fits));
        for (int k = 0; number && k < TABLES; k++) TRY(packed_reals_of(work, column[k], &p->of[k][p->count].number));
        p->count += fits;
    }
done:
    return status;
}

/* A bootstrap sample of the release and one of the reference, end to end. */
typedef struct Sample {
    int64_t rows, released;
    TreeColumn *column;
    uint64_t *bits;
} Sample;

static Status sample_column(Work *work, const Predictors *p, int64_t j, const int64_t *row, const Sample *s, TreeColumn *out) {
    Status status = OK;
    const TreeColumn *from[2] = { &p->of[0][j], &p->of[1][j] };
    double *x = NULL;
    int32_t *code = NULL;
    bool number = tree_numbers(from[0]);
    if (number) NEW(work, x, s->rows + 1);
    else NEW(work, code, s->rows + 1);
    for (int64_t i = 0; i < s->rows; i++) {
        const TreeColumn *own = from[i >= s->released];
        if (number) x[i] = tree_number(own, row[i]);
        else code[i] = own->code[row[i]];
    }
    *out = number ? (TreeColumn){ .number = { .real = x } } : (TreeColumn){ .code = code, .codes = from[0]->codes };
done:
    return status;
}

static Status sample_make(Targets *t, Work *work, const Predictors *p, int64_t number, Sample *s) {
    Status status = OK;
    int64_t rows[2] = { t->a->released->rows, t->reference->rows }, *row = NULL;
    Seed fixed = seed_from_number(0);
    RandomStream stream = stream_make(&fixed, "attack.membership", number, NULL, "tree");
    RandomReader reader = reader_make(&stream);
    int64_t take[2];
    for (int k = 0; k < 2; k++) take[k] = rows[k] < MOST_RECORDS ? rows[k] : MOST_RECORDS;
    *s = (Sample){ .rows = take[0] + take[1], .released = take[0] };
    NEW(work, row, s->rows + 1);
    NEW(work, s->bits, blocks_of(s->rows, 64) + 1);
    NEW(work, s->column, p->count + 1);
    for (int64_t i = 0; i < s->rows; i++) {
        bool released = i < s->released;
        row[i] = (int64_t)reader_below(&reader, (uint64_t)rows[!released]);
        if (released) s->bits[i >> 6] |= UINT64_C(1) << (i & 63);
    }
    for (int64_t j = 0; j < p->count; j++) TRY(sample_column(work, p, j, row, s, &s->column[j]));
done:
    return status;
}

static Status add_tree(Targets *t, Work *work, const Predictors *p, int64_t number, double *score) {
    Status status = OK;
    Sample sample;
    TreeData data;
    Tree tree;
    int64_t members = t->a->original->rows, count = targets_count(t);
    TreeOptions options = { .min_leaf = LEAF, .complexity = 1e-5 };
    TRY(sample_make(t, work, p, number, &sample));
    TRY(tree_data(work, sample.column, p->count, sample.rows, &data));
    TRY(tree_grow(work, &data, &(TreeResponse){ .bits = sample.bits }, &options, &tree));
    for (int64_t i = 0; i < count; i++) {
        int32_t leaf = i < members ? tree_find(&tree, p->of[2], i) : tree_find(&tree, p->of[3], i - members);
        score[i] -= tree.node[leaf].mean;
    }
done:
    return status;
}

Status score_classifier(Targets *t, double *score) {
    Status status = OK;
    Predictors p;
    TRY(predictors_make(t, &p));
    memset(score, 0, (size_t)targets_count(t) * sizeof *score);
    for (int64_t k = 0; p.count && k < TREES; k++) {
        Work own = t->run->work; /* an arena of its own: trees come and go */
        if (!(own.arena = arena_new())) return out_of_memory(own.error);
        status = add_tree(t, &own, &p, k, score);
        arena_free(own.arena);
        if (status) return status;
        TRY(work_check(&t->run->work));
    }
done:
    return status;
}
