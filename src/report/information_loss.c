/* What a release cost, each measure before and after, and the pictures of a first page. */
#include <stdio.h>
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "base/number_text.h"
#include "report/findings.h"

enum { DIGITS = 3, MOST_COLUMNS = 16 };

static const Table *table_in(const Result *measured, const char *method, const char *name) {
    const Result *result = measured ? result_within(measured, method) : NULL;
    return result ? result_find_table(result, name) : NULL;
}

/* ---- costs ---- */

static const char *per_cent(Work *work, double share) {
    char number[33];
    return arena_print(work->arena, "%s%%", real_short(100 * share, DIGITS, number));
}

static void cost(Grid *grid, const char *what, const char *how_much) {
    if (!how_much) return;
    grid_text(grid, what);
    grid_text(grid, how_much);
}

/* Columns that were dropped have no blanked cells, and are named by themselves. */
static void put_blanked(Work *work, Grid *grid, const Table *columns) {
    double cells = 0;
    char number[33], name[33];
    Buffer dropped = { 0 };
    if (!columns) return;
    for (int64_t i = 0; i < columns->rows; i++) {
        double here = table_number(columns, "blanked", i);
        if (isnan(here)) buffer_print(&dropped, "%s%s", dropped.count ? ", " : "", table_cell(columns, "column", i, name));
        else cells += here;
    }
    cost(grid, "Values suppressed", arena_text(work->arena, real_short(cells, 12, number)));
    if (dropped.count) cost(grid, "Columns dropped", arena_text(work->arena, buffer_get(&dropped)));
    buffer_free(&dropped);
}

/* "age 67 → 5, region 8 → 6": keys that have fewer values than before. */
static const char *levels(Work *work, const Table *before, const Table *after) {
    Buffer text = { 0 };
    char a[33], b[33], c[33];
    if (!before || !after) return NULL;
    for (int64_t i = 0; i < after->rows; i++)
        for (int64_t j = 0; j < before->rows; j++) {
            const char *name = table_cell(after, "key", i, a), *other = table_cell(before, "key", j, b);
            double was = table_number(before, "values", j), is = table_number(after, "values", i);
            if (!name || !other || strcmp(name, other) || !(is < was)) continue;
            buffer_print(&text, "%s%s %s → ", text.count ? ", " : "", name, real_short(was, 12, c));
            buffer_text(&text, real_short(is, 12, c));
        }
    const char *copy = arena_text(work->arena, text.count ? buffer_get(&text) : "none");
    buffer_free(&text);
    return copy;
}

/* "by at most 0.4 standard errors": the analysis that the roles name (`formula`). */
static const char *analysis_moved(Work *work, const Result *regression) {
    const Table *terms = regression ? result_find_table(regression, "coefficients") : NULL;
    double most = 0;
    char number[33];
    if (!terms || !table_column(terms, "difference_in_se")) return NULL;
    for (int64_t i = 0; i < terms->rows; i++) {
        double shift = table_number(terms, "difference_in_se", i);
        if (isnan(shift)) return "some of its terms are gone";
        most = larger_known(most, fabs(shift));
    }
    return arena_print(work->arena, "at most %s standard errors%s", real_short(most, 2, number),
                       result_find_table(regression, "coarsened") ? ", at the release's coarser level" : "");
}

void costs_table(Work *work, Result *into, const Result *before, const Result *after, const Result *utility) {
    const Result *loss = utility ? result_within(utility, "utility.loss") : NULL;
    Grid *grid = grid_new(into, "costs", COSTS_COLUMNS);
    put_blanked(work, grid, loss ? result_find_table(loss, "columns") : NULL);
    cost(grid, "Number of categories of the keys",
         levels(work, table_in(before, "risk.k-anonymity", "keys"), table_in(after, "risk.k-anonymity", "keys")));
    if (loss) {
        cost(grid, "Overall information loss (0% none, 100% all)", per_cent(work, result_number(loss, "loss")));
        cost(grid, "Part lost of the single values", per_cent(work, result_number(loss, "values_lost")));
        cost(grid, "Change of the distribution of each column", per_cent(work, result_number(loss, "distributions_moved")));
        if (!isnan(result_number(loss, "pairs_moved")))
            cost(grid, "Change of the tables of two columns", per_cent(work, result_number(loss, "pairs_moved")));
    }
    cost(grid, "Change of the coefficients of the analysis",
         analysis_moved(work, utility ? result_within(utility, "utility.regression") : NULL));
    grid_done(grid);
}

/* ---- measures ---- */

const Return *measure_headline(const Method *method) {
    const char *name = method->headline;
    if (name && *name == '-') name++;
    for (const Return *r = method->values; returns_more(r); r++)
        if (r->kind == RETURN_VALUE && (name ? !strcmp(r->name, name) : r->type == REAL_TYPE || r->type == INTEGER_TYPE)) return r;
    return NULL;
}

static bool is_share(const Return *r) {
    return r->type == REAL_TYPE && r->meaning && (!strncmp(r->meaning, "Share", 5) || !strncmp(r->meaning, "Largest share", 13));
}

static const char *measure_text(Work *work, const Return *r, double value) {
    char number[33];
    if (isnan(value)) return NULL;
    if (is_share(r)) return per_cent(work, value);
    return arena_text(work->arena,
                      r->type == INTEGER_TYPE ? real_short(value, 15, number) : real_short(fabs(value) < 1e-9 ? 0 : value, DIGITS, number));
}

int measure_direction(const Method *method, const Return *r) {
    if (r->flags & MORE) return 1;
    if (r->flags & LESS) return -1;
    if (!method->headline) return strcmp(method->group, "attack") ? 0 : -1; /* what an attack finds, it finds of people */
    return *method->headline == '-' ? -1 : 1;
}

static void measure_row(Work *work, Grid *grid, const char *name, const Result *before, const Result *after) {
    const Method *method;
    if (method_need(name, &method, NULL)) return;
    const Return *r = measure_headline(method);
    if (!r) return;
    double was = before ? result_number(before, r->name) : NAN, is = after ? result_number(after, r->name) : NAN;
    int way = measure_direction(method, r);
    if (isnan(was) && isnan(is)) return;
    grid_text(grid, strcmp(method->group, "utility") ? kind_of_disclosure(method) : "utility");
    grid_text(grid, name);
    grid_text(grid, r->name);
    grid_text(grid, measure_text(work, r, was));
    grid_text(grid, measure_text(work, r, is));
    if (isnan(was) || isnan(is) || !way) grid_missing(grid);
    else grid_text(grid, was == is ? "same" : (is - was) * way > 0 ? "better" : "worse");
    bool leans = r->meaning && !strncmp(r->meaning, "The same", 8); /* on the value before it, which is not shown here */
    grid_text(grid, leans ? method->summary : r->meaning);
}

void measures_table(Work *work, Result *into, const Result *before, const Result *after, const Result *utility) {
    static const char *const kinds[] = { "identity", "attribute", "inferential", "population", "", "utility" };
    Grid *grid = grid_new(into, "measures", MEASURES_COLUMNS);
    for (int k = 0; k < 6; k++)
        for (int part = 0; part < 3; part++) {
            const Result *from = part == 0 ? after : part == 1 ? before : utility;
            for (int64_t i = 0; from && i < from->results; i++) {
                const Method *method;
                const char *name = from->result[i].name;
                if (method_need(name, &method, NULL)) continue;
                if (strcmp(strcmp(method->group, "utility") ? kind_of_disclosure(method) : "utility", kinds[k])) continue;
                if (part == 1 && after && result_within(after, name)) continue; /* has its row */
                measure_row(work, grid, name, part == 2 || !before ? NULL : result_within(before, name),
                            part == 2 ? from->result[i].result
                            : after   ? result_within(after, name)
                                      : NULL);
            }
        }
    grid_done(grid);
}

/* ---- pictures ---- */

/* How many people have so many candidates, or records that share their keys. */
static void chart_candidates(Work *work, Result *into, const Result *was_measured, const Result *measured, const Policy *policy) {
    const char *size, *people;
    const Table *before = sizes_of_classes(was_measured ? result_within(was_measured, "risk.k-anonymity") : NULL, &size, &people),
                *after = sizes_of_classes(measured ? result_within(measured, "risk.k-anonymity") : NULL, &size, &people);
    enum { BINS = 10 };
    static const double least[BINS] = { 1, 2, 3, 4, 5, 10, 20, 50, 100, 1000 };
    const char *label[BINS];
    double y[BINS];
    char cell[33];
    if (!after || after->rows != BINS) return;
    for (int64_t i = 0; i < BINS; i++)
        if (!(label[i] = arena_text(work->arena, table_cell(after, size, i, cell)))) return;
    Chart *chart = result_chart(into, CHART_BAR, "People by class size", "records that share the keys (more is better)", "people");
    for (int t = 0; t < 2; t++) {
        const Table *from = t ? after : before;
        if (!from || from->rows != BINS) continue;
        for (int64_t i = 0; i < BINS; i++) y[i] = table_number(from, people, i);
        chart_series(chart, !before ? "people" : t ? "after" : "before", BINS, NULL, y, NULL, label);
    }
    double alone = table_number(after, people, 0), was = before ? table_number(before, people, 0) : NAN;
    char a[33], b[33];
    chart_finding(chart, before ? arena_print(work->arena, "%s people were unique on the keys before, %s are after.",
                                              real_short(was, 12, a), real_short(alone, 12, b))
                                : arena_print(work->arena, "%s people are unique on the keys.", real_short(alone, 12, b)));
    for (int64_t r = 0; policy && r < policy->rules; r++) {
        const Rule *rule = &policy->rule[r];
        if (strcmp(rule->method->name, "k-anonymity") || strcmp(rule->value, "k") || rule->comparison != COMPARE_LEAST) continue;
        for (int64_t i = 1; i < BINS; i++)
            if (least[i] == rule->number)
                chart_limit(chart, i, arena_print(work->arena, "policy: %s or more", real_short(rule->number, 9, a)));
    }
    chart_of(chart, "exposure");
}

/* People at risk by finding, lying bars with short names. */
static void chart_exposure(Work *work, Result *into) {
    const Table *table = result_find_table(into, "exposure");
    const char *label[MOST_COLUMNS];
    double was[MOST_COLUMNS], is[MOST_COLUMNS];
    int64_t count = 0;
    bool before = false;
    char cell[33];
    for (int64_t i = 0; table && i < table->rows && count < MOST_COLUMNS; i++) {
        const char *unit = table_cell(table, "unit", i, cell);
        if (!unit || strcmp(unit, "people")) continue;
        was[count] = table_number(table, "before", i);
        is[count] = table_number(table, "after", i);
        before |= !isnan(was[count]);
        if (!(label[count] = arena_text(work->arena, table_cell(table, "label", i, cell)))) return;
        count++;
    }
    if (!count) return;
    Chart *chart = result_chart(into, CHART_BAR, "People at risk, by kind of disclosure", NULL, "people (fewer is better)");
    if (before) chart_series(chart, "before", count, NULL, was, NULL, label);
    chart_series(chart, before ? "after" : "people", count, NULL, is, NULL, label);
    chart_of(chart, "exposure");
}

static void chart_losses(Work *work, Result *into, const Result *utility) {
    const Table *columns = table_in(utility, "utility.loss", "columns");
    const char *label[MOST_COLUMNS];
    double y[MOST_COLUMNS], most = -1;
    int64_t count = 0, worst = 0;
    char cell[33];
    for (int64_t i = 0; columns && i < columns->rows && count < MOST_COLUMNS; i++) {
        y[count] = 100 * table_number(columns, "values_lost", i);
        if (!(y[count] > 0)) continue;
        if (!(label[count] = arena_text(work->arena, table_cell(columns, "column", i, cell)))) return;
        if (y[count] > most) most = y[worst = count];
        count++;
    }
    if (!count) return;
    Chart *chart =
        result_chart(into, CHART_BAR, "Information loss by column", NULL, "share of the information of its values, % (less is better)");
    chart_series(chart, "lost", count, NULL, y, NULL, label);
    chart_finding(chart, arena_print(work->arena, "%s lost most: %s%%.", label[worst], real_short(most, DIGITS, cell)));
    chart_of(chart, "costs");
}

void front_charts(Work *work, Result *into, const Result *before, const Result *after, const Result *utility, const Policy *policy) {
    chart_candidates(work, into, before, after, policy);
    chart_exposure(work, into);
    chart_losses(work, into, utility);
}
