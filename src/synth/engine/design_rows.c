/* Design rows from states and numbers, with few nonzeros each; and the small dense algebra that the fits need, the same bits on every
 * processor. */
#include <stdlib.h>
#include "base/elementary.h"
#include "synth/engine/regression.h"

/* Numbers with few values are codes or scales as often as not: an indicator for each. */
static bool is_number(const Variable *v) { return v->numeric && v->bins > (v->nominal ? 100 : 12); }

static Term make_term(const Synthesis *s, int32_t variable, const int32_t *rows, int64_t count, int32_t first) {
    const Variable *v = &s->variable[variable];
    Term t = { .variable = variable, .first = first, .states = v->states, .numeric = is_number(v), .missing = v->missing, .bins = v->bins };
    double sum = 0, squares = 0, n = 0;
    if (!t.numeric) return t;
    for (int64_t i = 0; i < count; i++)
        if (!isnan(v->real[rows[i]])) {
            sum += v->real[rows[i]];
            n++;
        }
    t.mean = n > 0 ? sum / n : 0;
    for (int64_t i = 0; i < count; i++)
        if (!isnan(v->real[rows[i]])) squares += pow(v->real[rows[i]] - t.mean, 2);
    t.sd = n > 1 && squares > 0 ? sqrt(squares / n) : 1;
    return t;
}

Status terms_make(const Synthesis *s, const Model *m, const int32_t *rows, int64_t count, Terms *out, Error *error) {
    *out = (Terms){ .columns = 1, .most = 1, .term = calloc((size_t)m->predictors + 1, sizeof *out->term) };
    if (!out->term) return out_of_memory(error);
    for (int32_t k = 0; k < m->predictors; k++) {
        const Variable *v = &s->variable[m->predictor[k]];
        out->term[out->count++] = make_term(s, m->predictor[k], rows, count, out->columns);
        out->columns += is_number(v) ? 1 + v->missing : v->states - 1;
        out->most += 1;
    }
    return OK;
}

int32_t terms_row(const Terms *terms, uint16_t *const *state, double *const *real, int64_t row, int32_t *index, double *value) {
    int32_t n = 1;
    index[0] = 0;
    value[0] = 1;
    for (int32_t k = 0; k < terms->count; k++) {
        const Term *t = &terms->term[k];
        uint16_t at = state[t->variable][row];
        if (!t->numeric) {
            if (!at) continue;
            index[n] = t->first + at - 1;
            value[n++] = 1;
            continue;
        }
        bool gone = t->missing && at == t->bins;
        index[n] = t->first + gone;
        value[n++] = gone ? 1 : (real[t->variable][row] - t->mean) / t->sd;
    }
    return n;
}

double terms_product(const double *b, const int32_t *index, const double *value, int32_t count) {
    double sum = 0;
    for (int32_t i = 0; i < count; i++) sum += b[index[i]] * value[i];
    return sum;
}

bool lower_root(double *a, int32_t n) {
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j <= i; j++) {
            double sum = a[(int64_t)i * n + j];
            for (int32_t k = 0; k < j; k++) sum -= a[(int64_t)i * n + k] * a[(int64_t)j * n + k];
            if (i == j && !(sum > 0)) return false;
            a[(int64_t)i * n + j] = i == j ? sqrt(sum) : sum / a[(int64_t)j * n + j];
        }
    return true;
}

void lower_back(const double *root, int32_t n, double *z) {
    for (int32_t i = n - 1; i >= 0; i--) {
        for (int32_t k = i + 1; k < n; k++) z[i] -= root[(int64_t)k * n + i] * z[k];
        z[i] /= root[(int64_t)i * n + i];
    }
}

void lower_solve(const double *root, int32_t n, double *b) {
    for (int32_t i = 0; i < n; i++) {
        for (int32_t k = 0; k < i; k++) b[i] -= root[(int64_t)i * n + k] * b[k];
        b[i] /= root[(int64_t)i * n + i];
    }
    lower_back(root, n, b);
}
