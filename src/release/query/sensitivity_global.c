/* Global sensitivity: the largest change over all tables, from declared bounds (Dwork 2006). Measures and answers of each kind of query. */
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "base/number_text.h"
#include "release/query/query.h"

/* Can a value of this column be missing? The schema says so, or the universe; without one the file does, and the result says that this was
 * taken for public. */
bool can_be_missing(const Plan *plan, const Column *column, const Subset *subset) {
    const SchemaColumn *declared = column ? schema_find(plan->args->schema, column->name) : NULL;
    const Column *everyone = column && plan->args->universe ? table_column(plan->args->universe, column->name) : NULL;
    if (!column) return false;
    if (everyone) return everyone->missing > 0;
    return plan->args->schema ? !declared || declared->missing : subset->missing > 0;
}

/* Is the number of records that count known to everyone? Only that of the whole table under replace-one, with nothing missing and a record
 * for each person: how many persons there are is nobody's business. */
bool count_is_public(const Plan *plan, const Query *q, const Subset *subset) {
    const ReleaseArgs *a = plan->args;
    if (q->where || a->where || q->by.count || plan->person || can_be_missing(plan, q->x, subset) || can_be_missing(plan, q->y, subset))
        return false;
    for (int64_t k = 0; k < q->more.count; k++)
        if (can_be_missing(plan, q->more.at[k], subset)) return false;
    return a->neighbours == WORLDS || plan->unit == REPLACE_ONE;
}

/* A measure of sums or counts over the groups (one group where there is no `by`). `of`: what is summed, in words, where other queries may
 * need the same sums. */
typedef struct Sums {
    const char *part;
    const Fixed *x;
    int64_t centre; /* NULL x: a count */
    const char *of;
} Sums;

/* Which numbers over which records: mean, variance and sd of one column need the same counts and sums, and share them. Records without a
 * value are left out, so that the columns count whose values decide that. */
static Status sums_key(Plan *plan, const Query *q, const Sums *s, bool always, double divisor, const char **out) {
    Buffer text = { 0 };
    char number[33];
    *out = NULL;
    if (!s->of) return OK;
    buffer_print(&text, "%s|%lld|%d|%s|", s->of, (long long)s->centre, always, real_text(divisor, number));
    if (q->x) buffer_print(&text, "%zu:%s", strlen(q->x->name), q->x->name);
    if (q->y) buffer_print(&text, "|%zu:%s", strlen(q->y->name), q->y->name);
    if (q->where) expr_identity(q->where, &text);
    for (int64_t i = 0; i < q->by.count; i++) buffer_print(&text, "|by %zu:%s", strlen(q->by.at[i]->name), q->by.at[i]->name);
    *out = arena_text(plan->work->arena, buffer_get(&text));
    bool failed = text.failed;
    buffer_free(&text);
    return failed || !*out ? out_of_memory(plan->work->error) : OK;
}

/* The measure of this key, if another query made it; it then has the larger of their weights. */
static bool find_sums(Plan *plan, int64_t query, const char *key, int64_t *out) {
    for (int64_t b = 0; key && b < plan->measures; b++) {
        if (!plan->measure[b].key || strcmp(plan->measure[b].key, key)) continue;
        Query *first = &plan->query[plan->measure[b].query];
        if (plan->query[query].weight > first->weight) first->weight = plan->query[query].weight;
        *out = b;
        return true;
    }
    return false;
}

/* A record that counts contributes something in [low, high], one that does not 0. Replaced within a group it moves `span`; out of one group
 * and into another, both contributions; added or removed, the larger one. `always`: every record counts. A person of several records does
 * so with each. */
static void contribution(const Plan *plan, const Sums *s, bool grouped, bool always, Measure *measure) {
    uint64_t most = plan_most(plan);
    int64_t low = s->x ? s->x->low - s->centre : 1, high = s->x ? s->x->high - s->centre : 1;
    uint64_t end = (uint64_t)(llabs(low) > llabs(high) ? llabs(low) : llabs(high));
    uint64_t span = (uint64_t)(always ? high - low : (high > 0 ? high : 0) - (low < 0 ? low : 0));
    unsigned __int128 apart = 2 * (unsigned __int128)end * end, within = (unsigned __int128)span * span;
    uint64_t l1 = end;
    unsigned __int128 squared = (unsigned __int128)end * end;
    if (plan->unit == REPLACE_ONE) {
        l1 = grouped && 2 * end > span ? 2 * end : span;
        squared = grouped && apart > within ? apart : within;
    }
    measure->l1 = times_most(l1, most);
    measure->l2_squared = measure->l1 == UINT64_MAX ? 0 : squared * most * most; /* ≤ l1², which fits where l1 does */
}

static Status sums_measure(Plan *plan, int64_t query, const Sums *s, const Subset *subset, const GroupKeys *keys, bool always,
                           double divisor, int64_t *out) {
    Status status = OK;
    int64_t groups = keys ? keys->count : 1;
    Measure measure = { .part = s->part, .query = query, .exponent = s->x ? s->x->exponent : 0, .divisor = divisor };
    TRY(sums_key(plan, &plan->query[query], s, always, divisor, &measure.key));
    if (find_sums(plan, query, measure.key, out)) return OK;
    contribution(plan, s, keys != NULL, always, &measure);
    TRY(plan_measure(plan, measure, groups, out));
    Wide *value = plan->measure[*out].value;
    for (int64_t i = 0; i < subset->count; i++) {
        int64_t row = subset->row[i], group = keys ? keys->of[row] : 0;
        if (group >= 0) value[group] += s->x ? s->x->at[row] - s->centre : 1;
    }
    TRY(carry_wide(plan, value, groups, !s->x));
done:
    return status;
}

static int64_t middle_of(const Fixed *x) { return x->low + (x->high - x->low) / 2; }

/* One answer per group, made of the same places of these measures. */
typedef struct AnswerShape {
    Form form;
    int measures;
    double centre, low, high;
    int64_t gate;
} AnswerShape;
static Status group_answers(Plan *plan, int64_t query, const int64_t *measures, const GroupKeys *keys, AnswerShape shape) {
    Status status = OK;
    for (int64_t g = 0; g < (keys ? keys->count : 1); g++) {
        Answer answer = { .query = query,
                          .group = keys ? keys->label[g] : NULL,
                          .form = shape.form,
                          .measures = shape.measures,
                          .element = g,
                          .centre = shape.centre,
                          .low = shape.low,
                          .high = shape.high,
                          .gate_measure = !plan->query[query].gated ? -1
                                          : plan->args->select      ? plan->query[query].select_measure
                                                                    : shape.gate };
        memcpy(answer.measure, measures, (size_t)shape.measures * sizeof *measures);
        TRY(plan_answer(plan, answer));
    }
done:
    return status;
}

static Status plan_count(Plan *plan, int64_t query, const Subset *subset, const GroupKeys *keys) {
    Status status = OK;
    int64_t measure;
    const Query *q = &plan->query[query];
    TRY(sums_measure(plan, query, &(Sums){ .part = "count" }, subset, keys, false, 1, &measure));
    if (q->kind == QUERY_COUNT && count_is_public(plan, q, subset)) {
        plan->measure[measure].exact = true;
        result_note(plan->run->result, "%s: under replace-one the number of records is public and is released without noise.", q->text);
    }
    TRY(group_answers(plan, query, &measure, keys, (AnswerShape){ .form = FORM_COUNT, .measures = 1, .gate = measure }));
done:
    return status;
}

/* A sum over records whose number is public needs no centre; a mean is that sum over n. Otherwise a mean is a noisy sum about the middle
 * over a noisy count. */
static Status plan_mean(Plan *plan, int64_t query, const Fixed *x, const Subset *subset, const GroupKeys *keys, bool known) {
    Status status = OK;
    int64_t measures[2];
    const Query *q = &plan->query[query];
    bool sum = q->kind == QUERY_SUM;
    if (!sum && known && !subset->records) TRY(fail(plan->work->error, BAD, "%s: there is no record", q->text));
    int64_t centre = sum || known ? 0 : middle_of(x);
    TRY(sums_measure(plan, query, &(Sums){ "sum", x, centre, q->kind == QUERY_MEAN ? "x" : NULL }, subset, keys, known,
                     known && !sum ? (double)subset->records : 1, &measures[0]));
    if (sum && gates_by_count(plan, q)) { /* private keys need a count to be shown by */
        TRY(sums_measure(plan, query, &(Sums){ .part = "count" }, subset, keys, false, 1, &measures[1]));
        TRY(group_answers(plan, query, measures, keys, (AnswerShape){ .measures = 1, .gate = measures[1] }));
    } else if (sum || known) TRY(group_answers(plan, query, measures, keys, (AnswerShape){ .measures = 1, .gate = -1 }));
    else {
        AnswerShape shape = { .form = FORM_RATIO,
                              .measures = 2,
                              .centre = ldexp((double)centre, x->exponent),
                              .low = ldexp((double)x->low, x->exponent),
                              .high = ldexp((double)x->high, x->exponent) };
        TRY(sums_measure(plan, query, &(Sums){ .part = "count", .of = q->kind == QUERY_MEAN ? "1" : NULL }, subset, keys, false, 1,
                         &measures[1]));
        shape.gate = measures[1];
        TRY(group_answers(plan, query, measures, keys, shape));
    }
done:
    return status;
}

/* Variance and covariance of records whose number is not public: noisy sums of x, (y), products and ones, about the middle of the bounds.
 */
static Status plan_products(Plan *plan, int64_t query, const Fixed *x, const Fixed *y, const Subset *subset, const GroupKeys *keys) {
    Status status = OK;
    int64_t measures[4], cx = middle_of(x), cy = y ? middle_of(y) : 0;
    Fixed product;
    QueryKind kind = plan->query[query].kind;
    if (y) TRY(fixed_product(plan, x, y, cx, cy, &product));
    else TRY(fixed_power(plan, x, 2, cx, &product));
    TRY(sums_measure(plan, query, &(Sums){ .part = "count", .of = "1" }, subset, keys, false, 1, &measures[0]));
    TRY(sums_measure(plan, query, &(Sums){ "sum", x, cx, "x" }, subset, keys, false, 1, &measures[1]));
    TRY(sums_measure(plan, query, &(Sums){ y ? "products" : "squares", &product, 0, y ? "xy" : "xx" }, subset, keys, false, 1,
                     &measures[2]));
    if (y) TRY(sums_measure(plan, query, &(Sums){ "second sum", y, cy, "y" }, subset, keys, false, 1, &measures[3]));
    TRY(group_answers(plan, query, measures, keys,
                      (AnswerShape){ .form = y                  ? FORM_COVARIANCE
                                             : kind == QUERY_SD ? FORM_SD
                                                                : FORM_VARIANCE,
                                     .measures = y ? 4 : 3,
                                     .gate = measures[0] }));
done:
    return status;
}

/* Correlation: five noisy sums about the middles, and a count, which is told as it is where it is public. */
static Status plan_correlation(Plan *plan, int64_t query, const Fixed *x, const Fixed *y, const Subset *subset, const GroupKeys *keys,
                               bool known) {
    Status status = OK;
    int64_t measures[6], cx = middle_of(x), cy = middle_of(y);
    Fixed xy, xx, yy;
    TRY(fixed_product(plan, x, y, cx, cy, &xy));
    TRY(fixed_power(plan, x, 2, cx, &xx));
    TRY(fixed_power(plan, y, 2, cy, &yy));
    TRY(sums_measure(plan, query, &(Sums){ .part = "count", .of = known ? "public" : "1" }, subset, keys, false, 1, &measures[0]));
    if (known) plan->measure[measures[0]].exact = true;
    const Sums sums[] = { { "sum", x, cx, "x" },
                          { "products", &xy, 0, "xy" },
                          { "second sum", y, cy, "y" },
                          { "squares", &xx, 0, "xx" },
                          { "second squares", &yy, 0, "yy" } };
    for (int i = 0; i < 5; i++) TRY(sums_measure(plan, query, &sums[i], subset, keys, known, 1, &measures[i + 1]));
    TRY(group_answers(plan, query, measures, keys, (AnswerShape){ .form = FORM_CORRELATION, .measures = 6, .gate = measures[0] }));
done:
    return status;
}

/* Is the variance of the same records asked for too? Then the standard deviation is its root, and costs nothing more. */
static bool variance_asked(const Plan *plan, const Query *q) {
    for (int64_t i = 0; i < plan->queries; i++)
        if (plan->query[i].kind == QUERY_VARIANCE && plan->query[i].x == q->x && !plan->query[i].where && !plan->query[i].by.count)
            return true;
    return false;
}

/* Statistics of all records, n public, that are one number: sum R, mean R/n, variance R²/n, sd R/√n, covariance R_x R_y/n, and linear forms
 * of order statistics max w·R. */
double largest_change(const Query *q, int64_t n, double range, double range_y) {
    double count = (double)n;
    switch (q->kind) {
    case QUERY_SUM: return range;
    case QUERY_MEAN: return range / count;
    case QUERY_VARIANCE: return range * range / count;
    case QUERY_SD: return range / sqrt(count);
    case QUERY_COVARIANCE: return range * range_y / count;
    default: return range * statistic_largest_weight(query_statistic(q), n);
    }
}

Status gather_numbers(Plan *plan, const Fixed *f, const Subset *subset, const GroupKeys *keys, int64_t group, int64_t **out, int64_t *n) {
    Status status = OK;
    NEW(plan->work, *out, subset->count + 1);
    *n = 0;
    for (int64_t i = 0; i < subset->count; i++)
        if (!keys || keys->of[subset->row[i]] == group) (*out)[(*n)++] = f->at[subset->row[i]];
done:
    return status;
}

static Status plan_whole(Plan *plan, int64_t query, const Fixed *x, const Fixed *y, const Subset *subset) {
    Status status = OK;
    const Query *q = &plan->query[query];
    int64_t measure, n, least = query_linear(q) ? 1 : 2;
    bool root = q->kind == QUERY_SD && variance_asked(plan, q), spread = root || q->kind == QUERY_VARIANCE;
    Query asked = *q;
    Sums3 sums;
    sums_start(&sums);
    if (root) asked.kind = QUERY_VARIANCE;
    const char *key = spread && !plan->args->tight ? arena_print(plan->work->arena, "variance|%s", q->x->name) : NULL;
    const AnswerShape shape = { .form = root ? FORM_ROOT : FORM_SELF, .measures = 1, .gate = -1 };
    if (find_sums(plan, query, key, &measure)) {
        status = group_answers(plan, query, &measure, NULL, shape);
        goto done;
    }
    Exact exact = { .statistic = query_statistic(&asked), .exponent_x = x->exponent, .exponent_y = y ? y->exponent : 0 };
    if (subset->records < least) TRY(fail(plan->work->error, BAD, "%s needs at least %lld records", q->text, (long long)least));
    TRY(gather_numbers(plan, x, subset, NULL, 0, &exact.x, &exact.n));
    if (y) TRY(gather_numbers(plan, y, subset, NULL, 0, &exact.y, &n));
    if (!query_linear(q)) {
        exact_sums(&exact, &sums);
        exact.sums = &sums;
        exact.n = subset->records;
        TRY(carry_sums(plan, &sums));
    }
    double range = ldexp((double)(x->high - x->low), x->exponent), range_y = y ? ldexp((double)(y->high - y->low), y->exponent) : 0,
           delta = largest_change(&asked, exact.n, range, range_y) * (double)plan_most(plan);
    if (query_linear(q)) delta = fmin(delta, range);
    int grid = grid_of(delta);
    uint64_t units = units_up(delta, grid);
    Measure made = { .part = root ? "variance" : "value",
                     .query = query,
                     .exponent = grid,
                     .divisor = 1,
                     .l1 = units,
                     .l2_squared = (unsigned __int128)units * units,
                     .key = key };
    TRY(plan_measure(plan, made, 1, &measure));
    TRY(exact_statistic(plan->work, &exact, grid, plan->measure[measure].value));
    if (plan->args->smooth) TRY(plan_smooth(plan, measure, &exact, x));
    TRY(group_answers(plan, query, &measure, NULL, shape));
done:
    sums_end(&sums);
    return status;
}

/* Order statistics of records whose number is not public: anything between the bounds can become anything else. An empty group stands at
 * the middle. */
static Status plan_order(Plan *plan, int64_t query, const Fixed *x, const Subset *subset, const GroupKeys *keys) {
    Status status = OK;
    const Query *q = &plan->query[query];
    int64_t measures[2];
    uint64_t range = (uint64_t)(x->high - x->low),
             times = keys ? plan_most(plan) * (plan->unit == REPLACE_ONE ? 2 : 1) : 1; /* groups that one person moves */
    Measure made = { .part = "value",
                     .query = query,
                     .exponent = x->exponent,
                     .divisor = 1,
                     .l1 = times_most(range, times),
                     .l2_squared = (unsigned __int128)range * range * times };
    if (plan->args->smooth) TRY(fail(plan->work->error, BAD, "--smooth is for order statistics of the whole table under replace-one"));
    TRY(plan_measure(plan, made, keys ? keys->count : 1, &measures[0]));
    for (int64_t g = 0; g < (keys ? keys->count : 1); g++) {
        Exact exact = { .statistic = query_statistic(q), .exponent_x = x->exponent };
        TRY(gather_numbers(plan, x, subset, keys, g, &exact.x, &exact.n));
        plan->measure[measures[0]].value[g] = middle_of(x);
        if (exact.n) TRY(exact_statistic(plan->work, &exact, x->exponent, &plan->measure[measures[0]].value[g]));
        arena_drop(plan->work->arena, exact.x);
    }
    result_note(plan->run->result,
                "%s: the number of records is not public here, so one person may change this answer by the whole width of the bounds. A "
                "mean needs less noise.",
                q->text);
    if (gates_by_count(plan, q)) TRY(sums_measure(plan, query, &(Sums){ .part = "count" }, subset, keys, false, 1, &measures[1]));
    TRY(group_answers(plan, query, measures, keys, (AnswerShape){ .measures = 1, .gate = gates_by_count(plan, q) ? measures[1] : -1 }));
done:
    return status;
}

/* Quantiles are chosen, unless the noise must be normal (ROC privacy) or smooth. */
static bool by_choice(const Plan *plan, const Query *q) {
    return (q->kind == QUERY_MEDIAN || q->kind == QUERY_QUANTILE) && !plan->args->smooth && !plan->args->tight &&
           plan->promise != PROMISE_AUC && plan->promise != PROMISE_NONCENTRALITY;
}

static Status plan_chosen(Plan *plan, int64_t query, const Bounds *bounds, const Fixed *x, const Subset *subset, const GroupKeys *keys) {
    Status status = OK;
    int64_t measures[2];
    TRY(plan_quantile(plan, query, bounds, x, subset, keys, &measures[0]));
    if (gates_by_count(plan, &plan->query[query]))
        TRY(sums_measure(plan, query, &(Sums){ .part = "count" }, subset, keys, false, 1, &measures[1]));
    TRY(group_answers(plan, query, measures, keys,
                      (AnswerShape){ .measures = 1, .gate = gates_by_count(plan, &plan->query[query]) ? measures[1] : -1 }));
done:
    return status;
}

static Status plan_numbers(Plan *plan, int64_t query, const Subset *subset, const GroupKeys *keys) {
    Status status = OK;
    const Query *q = &plan->query[query];
    Bounds bounds, bounds_y;
    Fixed x, y = { 0 }, power;
    bool known = count_is_public(plan, q, subset), second = q->kind == QUERY_COVARIANCE || q->kind == QUERY_CORRELATION;
    TRY(bounds_of(plan, q->x, true, &bounds));
    TRY(fixed_column(plan, q->x, &bounds, &x));
    if (second) {
        TRY(bounds_of(plan, q->y, true, &bounds_y));
        TRY(fixed_column(plan, q->y, &bounds_y, &y));
    }
    if (q->kind == QUERY_MOMENT) {
        TRY(fixed_power(plan, &x, (int64_t)q->number, 0, &power));
        TRY(plan_mean(plan, query, &power, subset, keys, known));
    } else if (q->kind == QUERY_SUM || q->kind == QUERY_MEAN) TRY(plan_mean(plan, query, &x, subset, keys, known));
    else if (q->kind == QUERY_CORRELATION) TRY(plan_correlation(plan, query, &x, &y, subset, keys, known));
    else if (by_choice(plan, q)) TRY(plan_chosen(plan, query, &bounds, &x, subset, keys));
    else if (known) TRY(plan_whole(plan, query, &x, second ? &y : NULL, subset));
    else if (query_linear(q)) TRY(plan_order(plan, query, &x, subset, keys));
    else TRY(plan_products(plan, query, &x, second ? &y : NULL, subset, keys));
done:
    return status;
}

/* Counts of cells that the query itself names. */
static bool cells_of(const Query *q) { return q->kind == QUERY_HISTOGRAM || q->kind == QUERY_ROC || q->kind == QUERY_CHISQ; }
bool query_grouped(const Query *q) { return q->by.count || cells_of(q); }

/* Whether values can be missing is public; how many are is not. */
static void note_missing(Plan *plan, const Query *q, const Subset *subset) {
    bool possible = can_be_missing(plan, q->y, subset) || (q->kind != QUERY_HISTOGRAM && can_be_missing(plan, q->x, subset));
    for (int64_t k = 0; k < q->more.count; k++) possible |= can_be_missing(plan, q->more.at[k], subset);
    if (possible)
        result_note(plan->run->result, "%s: records without a value are left out, so the number of records that count is not public.",
                    q->text);
}

Status plan_global(Plan *plan, int64_t query) {
    Status status = OK;
    const Query *q = &plan->query[query];
    Subset subset;
    GroupKeys keys;
    bool counts = q->kind == QUERY_COUNT || cells_of(q), grouped = query_grouped(q);
    if (plan->args->smooth && q->kind != QUERY_MEDIAN && q->kind != QUERY_QUANTILE)
        TRY(fail(plan->work->error, BAD, "--smooth is for the median and quantiles, not for %s", q->words->name));
    TRY(query_subset(plan, q, &subset));
    note_missing(plan, q, &subset);
    if (grouped) TRY(group_keys(plan, q, &subset, &keys));
    plan->query[query].gated = grouped && !keys.known;
    if (plan->query[query].gated && plan->args->select) TRY(plan_select(plan, query, &subset, &keys));
    if (q->kind == QUERY_TREE) TRY(plan_tree(plan, query, &subset));
    else if (q->kind == QUERY_BOUNDS) TRY(plan_range(plan, query, &subset));
    else if (q->kind == QUERY_REGRESSION) TRY(plan_regression(plan, query, &subset, count_is_public(plan, q, &subset)));
    else if (q->kind == QUERY_LOGISTIC) TRY(plan_logistic(plan, query, &subset));
    else if (counts) TRY(plan_count(plan, query, &subset, grouped ? &keys : NULL));
    else TRY(plan_numbers(plan, query, &subset, grouped ? &keys : NULL));
done:
    return status;
}
