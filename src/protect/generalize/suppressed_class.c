/* Suppressed records must not be few: an intruder who finds nobody with a person's keys knows that the person is among them. */
#include "protect/generalize/node_check.h"

/* The largest class that can spare `more` and keep k; where classes must be diverse or close none can spare any. -1: none. */
static int64_t lender(const Checker *c, const Scratch *s, int64_t more) {
    int64_t best = -1;
    if (c->model->sensitive.count || c->model->population) return -1;
    for (int64_t k = 0; k < s->classes; k++)
        if (!s->fails[k] && s->records[k] - more >= c->model->k && (best < 0 || s->records[k] > s->records[best])) best = k;
    return best;
}

static int64_t smallest(const Scratch *s) {
    int64_t best = -1;
    for (int64_t k = 0; k < s->classes; k++)
        if (!s->fails[k] && s->records[k] && (best < 0 || s->records[k] < s->records[best])) best = k;
    return best;
}

/* Suppresses the first records of a class, up to `more`: rows that stand for several come after those (InParts.apart). */
static int64_t take_rows(const Checker *c, const Scratch *s, int64_t class, int64_t more, uint8_t *suppressed) {
    int64_t taken = 0;
    for (int64_t i = 0; i < c->rows && taken < more; i++) {
        if (suppressed[i] || s->of[c->entry_of_row[i]] != class) continue;
        suppressed[i] = 1;
        taken += checker_times(c, i);
    }
    return taken;
}

int64_t suppress_beside(const Checker *c, Scratch *s, uint8_t *suppressed) {
    int64_t count = 0, beside = 0;
    for (int64_t i = 0; i < c->rows; i++) count += suppressed[i] ? checker_times(c, i) : 0;
    while (count > 0 && count < c->model->k) {
        int64_t more = c->model->k - count, class = lender(c, s, more), all = smallest(s);
        if (class < 0 && all < 0) break;
        int64_t taken = take_rows(c, s, class < 0 ? all : class, class < 0 ? s->records[all] : more, suppressed);
        if (class < 0) s->fails[all] = 1;
        else s->records[class] -= (int32_t)taken;
        count += taken;
        beside += taken;
    }
    return beside;
}
