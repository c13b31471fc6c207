/* Private keys shown by the optimal rule: each by how many people have it, with no count of its own. */
#include <stdlib.h>
#include "math/privacy/partition_selection.h"
#include "base/elementary.h"
#include "release/query/query.h"

typedef struct Having {
    int32_t person, key;
} Having;
static int by_person(const void *a, const void *b) {
    const Having *x = a, *y = b;
    return x->person != y->person ? (x->person > y->person) - (x->person < y->person) : (x->key > y->key) - (x->key < y->key);
}

/* How many people have each key; a record is a person unless it says whose it is. */
static Status people_of(Plan *plan, const Subset *subset, const GroupKeys *keys, Wide *out) {
    Status status = OK;
    Codes codes = { 0 };
    Having *list = NULL;
    int64_t count = 0;
    if (plan->person) TRY(column_codes(plan->work, plan->person, &codes));
    NEW(plan->work, list, subset->count + 1);
    for (int64_t i = 0; i < subset->count; i++) {
        int64_t row = subset->row[i];
        if (keys->of[row] >= 0) list[count++] = (Having){ plan->person ? codes.at[row] : (int32_t)i, keys->of[row] };
    }
    if (plan->person) qsort(list, (size_t)count, sizeof *list, by_person);
    for (int64_t i = 0; i < count; i++)
        if (!i || by_person(&list[i - 1], &list[i])) out[list[i].key]++;
    arena_drop(plan->work->arena, list);
done:
    return status;
}

/* Anyone who is added or removed moves the keys of their records, one each; anyone who is replaced by another, those of both. */
Status plan_select(Plan *plan, int64_t query, const Subset *subset, const GroupKeys *keys) {
    Status status = OK;
    Measure made = { .part = "selection",
                     .query = query,
                     .divisor = 1,
                     .choice = true,
                     .select = true,
                     .l1 = times_most(plan_most(plan), plan->unit == REPLACE_ONE ? 2 : 1),
                     .l2_squared = 1 };
    TRY(plan_measure(plan, made, keys->count, &plan->query[query].select_measure));
    Wide *people = plan->measure[plan->query[query].select_measure].value;
    TRY(people_of(plan, subset, keys, people));
    TRY(carry_wide(plan, people, keys->count, true)); /* in parts a record is a person */
done:
    return status;
}

/* What one key may cost; a part in 10⁹ is kept back for the rounding of probabilities. The keys of one person are different ones, and their
 * ε and δ add up; k people may all have the same one, and (ε/k, δ₁) for each of them is (ε, δ₁(e^ε − 1)/(e^(ε/k) − 1)) for all of them
 * (group privacy: Vadhan 2017, lemma 2.2, its geometric sum kept). */
void selection_each(const Plan *plan, const Measure *b, double *epsilon, double *delta) {
    double each = (double)b->l1, people = (double)plan->args->group, one = expm1(b->epsilon / people) / expm1(b->epsilon);
    if (!(one > 0)) one = exp(b->epsilon / people - b->epsilon); /* where e^ε is beyond a double */
    *epsilon = b->epsilon / each * (1 - 1e-9);
    *delta = plan->threshold_delta / (double)plan->gates * one / (each / people) * (1 - 1e-9);
}

Status draw_selection(Plan *plan, Measure *b, RandomBits *bits) {
    double epsilon, delta;
    selection_each(plan, b, &epsilon, &delta);
    for (int64_t g = 0; g < b->count; g++) {
        double shown = selection_probability(epsilon, delta, (int64_t)b->value[g]);
        b->value[g] = bits_chance(bits, shown);
    }
    return bits->status;
}
