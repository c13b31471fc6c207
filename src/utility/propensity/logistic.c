/* Propensity scores by logistic regression, whose null distribution is known in closed form. */
#include <string.h>
#include "base/elementary.h"
#include "math/linear/least_squares.h"
#include "utility/propensity/propensity.h"

enum { MOST_TERMS = 2000 };

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
    int32_t *group; /* which variable a column is of */
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

static Status add_name(Stack *s, Terms *t, const char *name, int32_t group) {
    if (!name) return out_of_memory(s->run->work.error);
    t->name[t->count] = name;
    t->group[t->count++] = group;
    return OK;
}

/* Numbers are standardised (a missing one is 0, and has a column that says so); a category has a column for each value but the first. */
static Status add_variable(Stack *s, int32_t number, Terms *t) {
    Status status = OK;
    const Variable *v = &s->variable[number];
    Part *part = &t->part[t->parts++];
    *part = (Part){ .of = v, .first = t->count };
    part->columns = columns_of(v, s->rows, &part->missing);
    if (is_number(v)) scale_part(part, s->rows);
    for (int64_t c = 0; c < part->columns; c++) {
        bool tells_missing = part->missing && c == part->columns - 1;
        const char *what = tells_missing ? " missing" : is_number(v) ? "" : v->label[c + 1];
        TRY(add_name(s, t, arena_print(s->run->work.arena, "%s%s", v->name, what), number));
    }
done:
    return status;
}

static Status add_products(Stack *s, Terms *t) {
    Status status = OK;
    for (int64_t a = 1; a < t->singles; a++)
        for (int64_t b = 1; b < a; b++) {
            if (t->group[a] == t->group[b]) continue;
            t->pair[t->count][0] = (int32_t)a;
            t->pair[t->count][1] = (int32_t)b;
            TRY(add_name(s, t, arena_print(s->run->work.arena, "%s:%s", t->name[b], t->name[a]), -1));
        }
done:
    return status;
}

static void read_part(const Part *part, int64_t first, int64_t count, double *out) {
    const Variable *v = part->of;
    double *x = out + part->first * count, *none = x + (part->columns - 1) * count;
    memset(x, 0, (size_t)(part->columns * count) * sizeof *x);
    for (int64_t i = 0; i < count; i++) {
        if (lacks(v, first + i)) none[i] = 1;
        else if (is_number(v)) x[i] = (number_at(&v->number, first + i) - part->mean) / part->scale;
        else if (v->code[first + i]) x[(v->code[first + i] - 1) * count + i] = 1;
    }
}

static void read_terms(const void *self, int64_t first, int64_t count, double *out) {
    const Terms *t = self;
    for (int64_t i = 0; i < count; i++) out[i] = 1;
    for (int64_t p = 0; p < t->parts; p++) read_part(&t->part[p], first, count, out);
    for (int64_t c = t->singles; c < t->count; c++) {
        const double *a = out + t->pair[c][0] * count, *b = out + t->pair[c][1] * count;
        for (int64_t i = 0; i < count; i++) out[c * count + i] = a[i] * b[i];
    }
}

static Status make_terms(Stack *s, Terms *t) {
    Status status = OK;
    Work *work = &s->run->work;
    int64_t singles = 0, pairs = 0;
    bool missing;
    for (int64_t v = 0; v < s->variables; v++) {
        int64_t more = columns_of(&s->variable[v], s->rows, &missing);
        pairs += singles * more;
        singles += more;
    }
    int64_t total = 1 + singles + (s->a->order > 1 ? pairs : 0);
    if (total > MOST_TERMS) {
        fail(work->error, BAD, "the model has %lld terms, and %d is the most it can have", (long long)total, MOST_TERMS);
        TRY(error_advice(work->error, "Name fewer columns with --vars, or use --model cart."));
    }
    NEW(work, t->part, s->variables + 1);
    NEW(work, t->pair, total);
    NEW(work, t->name, total);
    NEW(work, t->group, total);
    TRY(add_name(s, t, "(Intercept)", -1));
    for (int64_t v = 0; v < s->variables; v++) TRY(add_variable(s, (int32_t)v, t));
    t->singles = t->count;
    if (s->a->order > 1) TRY(add_products(s, t));
done:
    return status;
}

/* Snoke et al. 2018, theorem 1: with k parameters, N·pMSE/((1−c)²c) is χ² with k − 1 degrees of freedom. */
Status propensity_logistic(Stack *s, double *score, Null *null) {
    Status status = OK;
    Work *work = &s->run->work;
    Terms t = { 0 };
    double *y = NULL;
    LinearFit fit;
    TRY(make_terms(s, &t));
    NEW(work, y, s->rows);
    for (int64_t i = s->rows - s->released; i < s->rows; i++) y[i] = 1;
    TRY(glm_fit(work, BINOMIAL,
                &(LinearModel){ .rows = s->rows, .columns = t.count, .y = y, .intercept = true, .read = read_terms, .self = &t }, &fit));
    memcpy(score, fit.fitted, (size_t)s->rows * sizeof *score);
    double c = s->share, free = (double)(fit.rank - 1), unit = (1 - c) * (1 - c) * c / (double)s->rows;
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
