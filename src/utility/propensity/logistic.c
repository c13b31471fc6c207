/* Propensity scores by logistic regression, whose null distribution is known in closed form. */
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "math/linear/least_squares.h"
#include "utility/propensity/propensity.h"

enum { MOST_TERMS = 2000, FEWEST_PER_TERM = 50 };
static const double MOST_STEP = 4e9; /* records times terms squared, of a step of the fit: of larger tables a sample is fitted */

/* One variable's columns of the design: the first, how many, whether the last tells that it is missing; a number's mean and scale. */
typedef struct Part {
    const Variable *of;
    int64_t first, columns;
    bool missing;
    double mean, scale;
} Part;

/* The design: an intercept, then each variable's columns, then products of two of them. Its rows are made when they are asked for: all of
 * them would be many times the tables. */
typedef struct Terms {
    int64_t count, parts, singles;
    Part *part;
    int32_t (*pair)[2]; /* the columns that a product is of */
    const char **name;
    int64_t *row;   /* the records of the sample; NULL: all */
    double sampled; /* share of the original's records in it */
} Terms;

static bool is_number(const Variable *v) { return numbers_any(&v->number); }
static bool lacks(const Variable *v, int64_t i) { return is_number(v) ? isnan(number_at(&v->number, i)) : v->code[i] < 0; }

static int64_t columns_of(const Variable *v, int64_t rows, bool *missing) {
    *missing = false;
    for (int64_t i = 0; i < rows && !*missing; i++) *missing = lacks(v, i);
    return is_number(v) ? 1 + *missing : (v->codes ? v->codes - 1 : 0) + *missing;
}

static void scale_part(Part *part, int64_t n) {
    const PackedReals *x = &part->of->number;
    double mean = 0, square = 0;
    int64_t present = 0;
    for (int64_t i = 0; i < n; i++) {
        double own = number_at(x, i);
        if (isnan(own)) continue;
        mean += own;
        present++;
    }
    part->mean = present ? mean / (double)present : 0;
    for (int64_t i = 0; i < n; i++) {
        double own = number_at(x, i);
        if (!isnan(own)) square += (own - part->mean) * (own - part->mean);
    }
    part->scale = square > 0 ? sqrt(square / (double)present) : 1;
}

static Status add_name(Stack *s, Terms *t, const char *name) {
    if (!name) return out_of_memory(s->run->work.error);
    t->name[t->count++] = name;
    return OK;
}

/* Numbers are standardised (a missing one is 0, and has a column that says so); a category has a column for each value but the first. */
static Status add_variable(Stack *s, int64_t number, Terms *t) {
    Status status = OK;
    const Variable *v = &s->variable[number];
    Part *part = &t->part[t->parts++];
    *part = (Part){ .of = v, .first = t->count };
    part->columns = columns_of(v, s->rows, &part->missing);
    if (is_number(v)) scale_part(part, s->rows);
    for (int64_t c = 0; c < part->columns; c++) {
        bool tells_missing = part->missing && c == part->columns - 1;
        const char *what = tells_missing ? " missing" : is_number(v) ? "" : v->label[c + 1];
        TRY(add_name(s, t, arena_print(s->run->work.arena, "%s%s", v->name, what)));
    }
done:
    return status;
}

/* Two columns and the terms that their products make. */
typedef struct PartPair {
    int64_t terms;
    int32_t first, second;
} PartPair;
static int by_terms(const void *x, const void *y) {
    const PartPair *a = x, *b = y;
    if (a->terms != b->terms) return (a->terms > b->terms) - (a->terms < b->terms);
    if (a->second != b->second) return (a->second > b->second) - (a->second < b->second);
    return (a->first > b->first) - (a->first < b->first);
}

static Status multiply(Stack *s, Terms *t, const PartPair *pair) {
    Status status = OK;
    const Part *first = &t->part[pair->first], *second = &t->part[pair->second];
    for (int64_t a = second->first; a < second->first + second->columns; a++)
        for (int64_t b = first->first; b < first->first + first->columns; b++) {
            t->pair[t->count][0] = (int32_t)a;
            t->pair[t->count][1] = (int32_t)b;
            TRY(add_name(s, t, arena_print(s->run->work.arena, "%s:%s", t->name[b], t->name[a])));
        }
done:
    return status;
}

/* Pairs of columns with few terms come first, as long as there is room: which ones does not depend on the file of any record, so that the
 * distribution by chance holds. */
static Status add_products(Stack *s, Terms *t) {
    Status status = OK;
    PartPair *pair = NULL;
    int64_t count = 0, taken = 0;
    NEW(&s->run->work, pair, t->parts * t->parts + 1);
    for (int32_t a = 1; a < t->parts; a++)
        for (int32_t b = 0; b < a; b++) {
            int64_t terms = t->part[a].columns * t->part[b].columns;
            if (terms) pair[count++] = (PartPair){ terms, b, a };
        }
    qsort(pair, (size_t)count, sizeof *pair, by_terms);
    while (taken < count && t->count + pair[taken].terms <= MOST_TERMS) TRY(multiply(s, t, &pair[taken++]));
    if (taken < count)
        result_note(s->run->result,
                    "Of %lld pairs of columns the model has products of %lld, those with the fewest terms: it has at most "
                    "%d terms.",
                    (long long)count, (long long)taken, MOST_TERMS);
done:
    return status;
}

static void read_part(const Terms *t, const Part *part, int64_t first, int64_t count, double *out) {
    const Variable *v = part->of;
    double *x = out + part->first * count, *none = x + (part->columns - 1) * count;
    memset(x, 0, (size_t)(part->columns * count) * sizeof *x);
    for (int64_t i = 0; i < count; i++) {
        const int64_t row = t->row ? t->row[first + i] : first + i;
        if (lacks(v, row)) none[i] = 1;
        else if (is_number(v)) x[i] = (number_at(&v->number, row) - part->mean) / part->scale;
        else if (v->code[row]) x[(v->code[row] - 1) * count + i] = 1;
    }
}

static void read_terms(const void *self, int64_t first, int64_t count, double *out) {
    const Terms *t = self;
    for (int64_t i = 0; i < count; i++) out[i] = 1;
    for (int64_t p = 0; p < t->parts; p++) read_part(t, &t->part[p], first, count, out);
    for (int64_t c = t->singles; c < t->count; c++) {
        const double *a = out + t->pair[c][0] * count, *b = out + t->pair[c][1] * count;
        for (int64_t i = 0; i < count; i++) out[c * count + i] = a[i] * b[i];
    }
}

static Status make_terms(Stack *s, Terms *t) {
    Status status = OK;
    Work *work = &s->run->work;
    int64_t singles = 0;
    bool missing;
    for (int64_t v = 0; v < s->variables; v++) singles += columns_of(&s->variable[v], s->rows, &missing);
    if (1 + singles > MOST_TERMS) {
        fail(work->error, BAD, "the model has %lld terms, and %d is the most it can have", (long long)(1 + singles), MOST_TERMS);
        TRY(error_advice(work->error, "Name fewer columns with --vars, or use --model cart."));
    }
    NEW(work, t->part, s->variables + 1);
    NEW(work, t->pair, MOST_TERMS + 1);
    NEW(work, t->name, MOST_TERMS + 1);
    TRY(add_name(s, t, "(Intercept)"));
    for (int64_t v = 0; v < s->variables; v++) TRY(add_variable(s, v, t));
    t->singles = t->count;
    if (s->a->order > 1) TRY(add_products(s, t));
done:
    return status;
}

/* Draws from either table, by itself, as many records as the fit can be paid for: the stack is then the sample's. */
static Status choose_records(Stack *s, Terms *t) {
    Status status = OK;
    Work *work = &s->run->work;
    const double terms = (double)t->count, most = larger(MOST_STEP / (terms * terms), FEWEST_PER_TERM * terms);
    const int64_t size[2] = { s->rows - s->released, s->released };
    int64_t count[2], drawn = 0;
    t->sampled = 1;
    if ((double)s->rows <= most) return OK;
    NEW(work, t->row, (int64_t)most + 2);
    for (int table = 0; table < 2; table++) {
        uint64_t *chosen = NULL;
        const RandomStream stream = run_stream(s->run, "", table ? "released records" : "original records");
        count[table] = (int64_t)(most * (double)size[table] / (double)s->rows);
        if (!count[table]) count[table] = 1;
        NEW(work, chosen, size[table] / 64 + 1);
        TRY(stream_choose(work, &stream, size[table], count[table], chosen));
        for (int64_t i = 0; i < size[table]; i++)
            if (chosen[i / 64] >> (i % 64) & 1) t->row[drawn++] = (table ? size[0] : 0) + i;
        arena_drop(work->arena, chosen);
    }
    result_note(
        s->run->result,
        "The model is fitted to a random sample of %lld records of the original and %lld of the release, because it has %lld terms. "
        "The expected pmse accounts for it.",
        (long long)count[0], (long long)count[1], (long long)t->count);
    t->sampled = (double)count[0] / (double)size[0];
    s->rows = drawn;
    s->released = count[1];
    s->share = (double)s->released / (double)s->rows;
done:
    return status;
}

/* Snoke et al. 2018, theorem 1: with k parameters, N·pMSE/((1−c)²c) is χ² with k − 1 degrees of freedom, where the original is held fixed.
 * Of two samples it varies too, f the share of its records in the sample: N·pMSE/((1−cf)(1−c)c) is. */
Status propensity_logistic(Stack *s, double *score, Null *null) {
    Status status = OK;
    Work *work = &s->run->work;
    Terms t = { 0 };
    double *y = NULL;
    LinearFit fit;
    TRY(make_terms(s, &t));
    TRY(choose_records(s, &t));
    NEW(work, y, s->rows);
    for (int64_t i = s->rows - s->released; i < s->rows; i++) y[i] = 1;
    TRY(glm_fit(work, BINOMIAL,
                &(LinearModel){ .rows = s->rows, .columns = t.count, .y = y, .intercept = true, .read = read_terms, .self = &t }, &fit));
    memcpy(score, fit.fitted, (size_t)s->rows * sizeof *score);
    double c = s->share, free = (double)(fit.rank - 1), unit = (1 - c * t.sampled) * (1 - c) * c / (double)s->rows;
    null->expected = free * unit;
    null->deviation = sqrt(2 * free) * unit;
    Grid *grid = grid_new(s->run->result, "terms", "term:text estimate:real standard_error:real z:real");
    for (int64_t j = 1; j < t.count; j++) {
        grid_text(grid, t.name[j]);
        grid_real(grid, snap_to_zero(fit.coefficient[j], fit.standard_error[j]));
        grid_real(grid, fit.standard_error[j]);
        grid_real(grid, snap_to_zero(fit.coefficient[j] / fit.standard_error[j], 1));
    }
    grid_done(grid);
    result_note(s->run->result, "Numbers are in standard deviations. %lld parameters were fitted.", (long long)fit.rank);
    if (fit.separated)
        result_note(s->run->result, "Some values occur in one file only, so the model identifies the file of those records without error.");
    else if (!fit.converged) result_note(s->run->result, "Warning: the model did not converge.");
done:
    return status;
}
