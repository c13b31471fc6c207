/* Propensity scores by logistic regression, whose null distribution is known in closed form. */
#include <string.h>
#include "base/elementary.h"
#include "math/linear/linear.h"
#include "utility/propensity/propensity.h"

enum { MOST_TERMS = 2000 };

/* The design: an intercept, then each variable's columns, then products. group says which variable a column is of. */
typedef struct Terms {
    int64_t count;
    double *x;
    const char **name;
    int32_t *group;
} Terms;

static int64_t columns_of(const Variable *v, int64_t rows, bool *missing) {
    *missing = false;
    for (int64_t i = 0; i < rows && !*missing; i++) *missing = v->real ? isnan(v->real[i]) : v->code[i] < 0;
    return v->real ? 1 + *missing : v->codes - 1 + *missing;
}

/* Numbers are standardised (a missing one is 0, and has a column that says so); a category has a column for each value but the first. */
static Status add_variable(Stack *s, int32_t number, Terms *t) {
    Status status = OK;
    const Variable *v = &s->variable[number];
    int64_t n = s->rows, first = t->count, present = 0;
    bool missing;
    int64_t columns = columns_of(v, n, &missing);
    double mean = 0, square = 0;
    for (int64_t i = 0; v->real && i < n; i++)
        if (!isnan(v->real[i])) {
            mean += v->real[i];
            present++;
        }
    mean = present ? mean / (double)present : 0;
    for (int64_t i = 0; v->real && i < n; i++)
        if (!isnan(v->real[i])) square += (v->real[i] - mean) * (v->real[i] - mean);
    double scale = square > 0 ? sqrt(square / (double)present) : 1;
    for (int64_t c = 0; c < columns; c++) {
        bool tells_missing = missing && c == columns - 1;
        const char *what = tells_missing ? " missing" : v->real ? "" : v->label[c + 1];
        t->name[t->count] = arena_print(s->run->work.arena, "%s%s", v->name, what);
        if (!t->name[t->count]) TRY(fail(s->run->work.error, FAILED, "out of memory"));
        t->group[t->count++] = number;
    }
    for (int64_t i = 0; i < n; i++) {
        bool none = v->real ? isnan(v->real[i]) : v->code[i] < 0;
        if (none) t->x[(first + columns - 1) * n + i] = 1;
        else if (v->real) t->x[first * n + i] = (v->real[i] - mean) / scale;
        else if (v->code[i]) t->x[(first + v->code[i] - 1) * n + i] = 1;
    }
done:
    return status;
}

static Status add_products(Stack *s, Terms *t) {
    Status status = OK;
    int64_t n = s->rows, singles = t->count;
    for (int64_t a = 1; a < singles; a++)
        for (int64_t b = 1; b < a; b++) {
            if (t->group[a] == t->group[b]) continue;
            double *x = t->x + t->count * n;
            for (int64_t i = 0; i < n; i++) x[i] = t->x[a * n + i] * t->x[b * n + i];
            t->name[t->count] = arena_print(s->run->work.arena, "%s:%s", t->name[b], t->name[a]);
            if (!t->name[t->count]) TRY(fail(s->run->work.error, FAILED, "out of memory"));
            t->group[t->count++] = -1;
        }
done:
    return status;
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
        TRY(error_advice(work->error, "Name fewer columns with --vars, or take --model cart."));
    }
    NEW(work, t->x, total * s->rows);
    NEW(work, t->name, total);
    NEW(work, t->group, total);
    for (int64_t i = 0; i < s->rows; i++) t->x[i] = 1;
    t->name[0] = "(Intercept)";
    t->group[0] = -1;
    t->count = 1;
    for (int64_t v = 0; v < s->variables; v++) TRY(add_variable(s, (int32_t)v, t));
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
    TRY(glm_fit(work, BINOMIAL, &(LinearModel){ s->rows, t.count, t.x, y, NULL, true }, &fit));
    memcpy(score, fit.fitted, (size_t)s->rows * sizeof *score);
    double c = s->share, free = (double)(fit.rank - 1), unit = (1 - c) * (1 - c) * c / (double)s->rows;
    null->expected = free * unit;
    null->deviation = sqrt(2 * free) * unit;
    Grid *grid = grid_new(s->run->result, "terms", "term:text estimate:real standard_error:real z:real");
    for (int64_t j = 1; j < t.count; j++) {
        grid_text(grid, t.name[j]);
        grid_real(grid, settled(fit.coefficient[j], fit.standard_error[j]));
        grid_real(grid, fit.standard_error[j]);
        grid_real(grid, settled(fit.coefficient[j] / fit.standard_error[j], 1));
    }
    grid_done(grid);
    result_note(s->run->result, "Numbers are in standard deviations; %lld parameters were fitted.", (long long)fit.rank);
    if (fit.separated)
        result_note(s->run->result, "Some values occur in one table only: the model tells those records apart without fail.");
    else if (!fit.converged) result_note(s->run->result, "Warning: the model did not converge.");
done:
    return status;
}
