/* Rounding a table to multiples of a base: cell by cell, at random without bias, or so that all totals still add up. Defined after Cox
 * 1987: docs/methods/tabular-round.md. */
#include <stdlib.h>
#include <string.h>
#include "base/compare.h"
#include "base/elementary.h"
#include "tabular/feasibility/attacker_problem.h"
#include "method/method.h"
#include "tabular/model.h"

typedef struct {
    const Table *table;
    int64_t base;
    enum { NEAREST, AT_RANDOM, CONTROLLED } method;
    bool unbiased;
    const char *total_code;
} args;
static const Param params[] = {
    TABLE(args, table, "The table of cells", .flags = REQUIRED | POSITIONAL),
    INT(args, base, 5, 2, 1000000000, "Rounding base: every cell becomes a multiple of it. Larger = more protection, less accuracy"),
    CHOICE(args, method, "controlled",
           "nearest: conventional rounding; random: unbiased random rounding of each cell; controlled: totals still add up, with the "
           "smallest total change",
           WORDS("nearest", "random", "controlled")),
    FLAG(args, unbiased, "With --method controlled: unbiased controlled rounding (Cox 1987)"),
    TEXT(args, total_code, "Total", "Code of the total in each dimension, for a table without a structure file"),
    ONLY_IF("unbiased", "method", "controlled"),
    END,
};
static const Return values[] = {
    VALUE(change, REAL, "Sum of |change| over all cells; smaller is more accurate", .flags = LESS),
    VALUE(least, REAL, "Proven lower bound of that sum for this kind of rounding"),
    VALUE(changed, INTEGER, "Cells that changed"),
    VALUE(unbalanced, INTEGER, "Sums that no longer add up", .flags = PUBLIC | LESS),
    OUTPUT("The rounded table"),
    END,
};

enum { MOST_NODES = 50000 }; /* of a search for whole numbers */

typedef struct Rounding {
    Run *run;
    const args *a;
    Model m;
    int64_t *low;
    double *rest; /* value = base·(low + rest), 0 ≤ rest < 1 */
    double *up;   /* 0 or 1 */
    double least;
} Rounding;

static Status split(Rounding *r) {
    Status status = OK;
    Work *work = &r->run->work;
    r->m.structure.is_protected = true; /* of what is given out */
    NEW(work, r->low, r->m.cells + 1);
    NEW(work, r->rest, r->m.cells + 1);
    NEW(work, r->up, r->m.cells + 1);
    for (int64_t i = 0; i < r->m.cells; i++) {
        double units = r->m.value[i] / (double)r->a->base, low = floor(units + 1e-12);
        if (isnan(units) || fabs(units) > 1e15) {
            fail(work->error, BAD, isnan(units) ? "a cell has no value" : "a cell is too large to round");
            TRY(error_row(work->error, i));
        }
        r->low[i] = (int64_t)low;
        r->rest[i] = fmax(0, units - low);
        if (r->rest[i] < 1e-12) r->rest[i] = 0;
    }
done:
    return status;
}

/* ---- cell by cell ---- */

static void nearest(Rounding *r) {
    for (int64_t i = 0; i < r->m.cells; i++) r->up[i] = r->rest[i] >= 0.5;
}

static void at_random(Rounding *r) {
    RandomStream stream = run_stream(r->run, NULL, "round");
    for (int64_t i = 0; i < r->m.cells; i++) {
        uint64_t word;
        stream_words(&stream, (uint64_t)i, 1, &word);
        r->up[i] = word_uniform(word) < r->rest[i];
    }
}

/* ---- controlled: min Σ (1 − 2·rest)·u subject to Σ coefficient·(low + u) = 0, u in {0, 1} (Cox 1987; zero-restricted: multiples stay)
 * ---- */

static Status load(Rounding *r, const int32_t *cell, int32_t columns, Lp *lp) {
    Status status = OK;
    Work *work = &r->run->work;
    const Memberships *member = &r->m.member;
    int64_t *start = NULL, entries = 0, at = 0;
    for (int32_t j = 0; j < columns; j++) entries += member->start[cell[j] + 1] - member->start[cell[j]];
    int32_t *row = NULL;
    double *coefficient = NULL;
    NEW(work, start, columns + 1);
    NEW(work, row, entries + 1);
    NEW(work, coefficient, entries + 1);
    for (int32_t j = 0; j < columns; j++) {
        for (int64_t k = member->start[cell[j]]; k < member->start[cell[j] + 1]; k++, at++) {
            row[at] = member->relation[k];
            coefficient[at] = member->coefficient[k];
        }
        start[j + 1] = at;
        lp_column(lp, j, 0, 1);
        lp_cost(lp, j, 1 - 2 * r->rest[cell[j]]);
        lp_whole(lp, j, true);
    }
    TRY(lp_matrix(lp, start, row, coefficient));
    for (int64_t i = 0; i < r->m.relations.count; i++) {
        double right = 0;
        for (int64_t k = r->m.relations.start[i]; k < r->m.relations.start[i + 1]; k++)
            right -= r->m.relations.coefficient[k] * (double)r->low[r->m.relations.cell[k]];
        lp_row(lp, (int)i, right, right);
    }
done:
    return status;
}

static Status impossible(Rounding *r) {
    fail(r->run->work.error, REFUSED, "no additive table of adjacent multiples of %lld exists", (long long)r->a->base);
    return error_advice(r->run->work.error, "Tables of three and more dimensions may have none. Use another --base, or --method random.");
}

static Status not_found(Rounding *r) {
    fail(r->run->work.error, REFUSED, "the search found no additive table of adjacent multiples of %lld in %d steps", (long long)r->a->base,
         MOST_NODES);
    return error_advice(r->run->work.error, "One may exist. Use another --base, or --method random.");
}

static Status controlled(Rounding *r) {
    Status status = OK;
    Work *work = &r->run->work;
    int32_t *cell = NULL, columns = 0;
    Lp *lp = NULL;
    LpState state;
    double constant = 0;
    NEW(work, cell, r->m.cells + 1);
    for (int64_t i = 0; i < r->m.cells; i++)
        if (r->rest[i] > 0) {
            cell[columns++] = (int32_t)i;
            constant += r->rest[i];
        }
    TRY(lp_new(work->error, (int)r->m.relations.count, columns, &lp));
    TRY(load(r, cell, columns, lp));
    TRY(lp_solve(lp, false, &state));
    if (state != LP_OPTIMAL) TRY(impossible(r));
    bool whole = true;
    for (int32_t j = 0; j < columns; j++) {
        double x = lp_x(lp, j);
        whole &= fabs(x - round(x)) < 1e-7;
    }
    if (!whole) {
        TRY(lp_solve_whole(lp, 0, MOST_NODES, &state));
        if (state == LP_INFEASIBLE) TRY(impossible(r));
        if (!lp_whole_found(lp)) TRY(not_found(r));
        if (state == LP_STOPPED) result_note(r->run->result, "The search ended early. Another rounding may change less.");
    }
    for (int32_t j = 0; j < columns; j++) r->up[cell[j]] = round(whole ? lp_x(lp, j) : lp_whole_x(lp, j));
    r->least = (double)r->a->base * (constant + (whole ? lp_objective(lp) : lp_whole_bound(lp)));
done:
    lp_free(lp);
    return status;
}

/* ---- controlled and unbiased ---- */

typedef struct Walk {
    int32_t *list, *seen, turn;
} Walk;

/* Fractional cells around one, through their relations, at most `most`. Ascending. */
static int64_t around(const Rounding *r, Walk *w, int32_t from, int64_t most) {
    int64_t n = 1;
    w->list[0] = from;
    w->seen[from] = ++w->turn;
    for (int64_t at = 0; at < n && n < most; at++)
        for (int64_t k = r->m.member.start[w->list[at]]; k < r->m.member.start[w->list[at] + 1]; k++) {
            int32_t relation = r->m.member.relation[k];
            for (int64_t e = r->m.relations.start[relation]; e < r->m.relations.start[relation + 1] && n < most; e++) {
                int32_t i = r->m.relations.cell[e];
                if (r->rest[i] <= 0 || w->seen[i] == w->turn) continue;
                w->seen[i] = w->turn;
                w->list[n++] = i;
            }
        }
    qsort(w->list, (size_t)n, sizeof *w->list, ascending_int32);
    return n;
}

/* How far along x (times `sign`) all rests stay between 0 and 1. */
static double room(const Rounding *r, const Move *x, double sign) {
    double most = INFINITY;
    for (int64_t k = 0; k < x->count; k++) {
        double step = sign * x->x[k], rest = r->rest[x->cell[k]];
        most = fmin(most, step > 0 ? (1 - rest) / step : rest / -step);
    }
    return most;
}

/* A step of a fair game: along a direction that keeps all sums, as far as one cell becomes whole, forward with the odds that leave every
 * mean as it is. */
static void play(Rounding *r, const Move *x, double u) {
    double ahead = room(r, x, 1), back = room(r, x, -1), go = u < back / (ahead + back) ? ahead : -back;
    for (int64_t k = 0; k < x->count; k++) {
        int32_t i = x->cell[k];
        r->rest[i] += go * x->x[k];
        if (r->rest[i] < 1e-9) r->rest[i] = 0;
        if (r->rest[i] > 1 - 1e-9) {
            r->rest[i] = 0;
            r->low[i]++;
        }
    }
}

static Status one_step(Rounding *r, Walk *w, double *ones, double *zeros, int32_t cell, double u) {
    Status status = OK;
    static const int64_t sizes[] = { 60, 600, INT64_MAX };
    AttackerProblem *mover = NULL;
    Move x = { 0 };
    bool moved = false;
    for (int s = 0; s < 3 && !moved; s++) {
        int64_t n = around(r, w, cell, sizes[s]);
        for (int64_t k = 0; k < n; k++) {
            zeros[w->list[k]] = r->rest[w->list[k]];
            ones[w->list[k]] = 1 - r->rest[w->list[k]];
        }
        attacker_free(mover);
        mover = NULL;
        TRY(attacker_new(&r->run->work, &r->m.member, w->list, n, zeros, ones, &mover));
        for (int up = 1; up >= 0 && !moved; up--) {
            TRY(attacker_push(mover, cell, up, INFINITY, 1, &x));
            moved = x.state == LP_OPTIMAL && x.reach > 1e-7;
        }
    }
    if (!moved) {
        fail(r->run->work.error, REFUSED, "no unbiased controlled rounding of this table can be built step by step");
        TRY(error_advice(r->run->work.error, "Two-dimensional tables have one unless both dimensions are hierarchies. For other tables use "
                                             "--method controlled without --unbiased, or --method random."));
    }
    play(r, &x, u);
done:
    attacker_free(mover);
    return status;
}

static Status unbiased(Rounding *r) {
    Status status = OK;
    Work *work = &r->run->work;
    Walk w = { 0 };
    double *ones = NULL, *zeros = NULL;
    RandomStream stream = run_stream(r->run, NULL, "unbiased");
    RandomReader reader = reader_make(&stream);
    NEW(work, w.list, r->m.cells + 1);
    NEW(work, w.seen, r->m.cells + 1);
    NEW(work, ones, r->m.cells + 1);
    NEW(work, zeros, r->m.cells + 1);
    for (int64_t i = 0; i < r->m.cells; i++)
        while (r->rest[i] > 0) {
            TRY(work_check(work));
            TRY(one_step(r, &w, ones, zeros, (int32_t)i, reader_uniform(&reader)));
        }
done:
    return status;
}

/* ---- what comes back ---- */

static Status check_sums(const Rounding *r) {
    if (model_residual(&r->m) <= 1e-9) return OK;
    fail(r->run->work.error, BAD, "the table's sums do not add up, so it has no controlled rounding");
    return error_advice(r->run->work.error, "Use --method nearest or random.");
}

static Status rounded_table(Rounding *r, Table **out) {
    Status status = OK;
    Work *work = &r->run->work;
    Column *column = NULL;
    bool whole = r->m.measure->type == INTEGER_TYPE;
    TRY(column_new(whole ? INTEGER_TYPE : REAL_TYPE, r->m.measure->name, r->m.cells, &column, work->error));
    for (int64_t i = 0; i < r->m.cells; i++) {
        int64_t x = r->a->base * (r->low[i] + (int64_t)r->up[i]);
        if (whole) column->integer[i] = x;
        else column->real[i] = (double)x;
    }
    TRY(model_changed(work, &r->m, column, out));
done:
    column_release(column);
    return status;
}

static void report(Rounding *r) {
    double change = 0;
    int64_t changed = 0, unbalanced = 0, base = r->a->base;
    for (int64_t i = 0; i < r->m.cells; i++) {
        double d = fabs((double)base * ((double)r->low[i] + r->up[i]) - r->m.value[i]);
        change += d;
        changed += d > 1e-9;
    }
    for (int64_t k = 0; k < r->m.relations.count; k++) {
        double sum = 0;
        for (int64_t e = r->m.relations.start[k]; e < r->m.relations.start[k + 1]; e++)
            sum += r->m.relations.coefficient[e] * ((double)r->low[r->m.relations.cell[e]] + r->up[r->m.relations.cell[e]]);
        unbalanced += fabs(sum) > 1e-6;
    }
    result_real(r->run->result, "change", change);
    if (!isnan(r->least)) result_real(r->run->result, "least", r->least);
    result_integer(r->run->result, "changed", changed);
    result_integer(r->run->result, "unbalanced", unbalanced);
}

static Status round_run(Run *run, const void *p) {
    Status status = OK;
    Rounding r = { .run = run, .a = p, .least = NAN };
    Table *table = NULL;
    TRY(model_make(&run->work, r.a->table, r.a->total_code, &r.m));
    TRY(split(&r));
    if (r.a->method == CONTROLLED) TRY(check_sums(&r));
    if (r.a->method == NEAREST) nearest(&r);
    else if (r.a->method == AT_RANDOM) at_random(&r);
    else if (r.a->unbiased) TRY(unbiased(&r));
    else TRY(controlled(&r));
    report(&r);
    model_say_left_out(run->result, &r.m);
    TRY(rounded_table(&r, &table));
    result_output(run->result, table);
done:
    return status;
}

const Method tabular_round = { .group = "tabular",
                               .name = "round",
                               .summary = "Round a table: conventional, random or controlled rounding to a base",
                               .source = "Cox 1987",
                               .params = params,
                               .size = sizeof(args),
                               .run = round_run,
                               .values = values,
                               .traits = PERTURBS | RANDOM | ATTRIBUTE,
                               .headline = "-change",
                               .example = "scrim tabular round examples/counts.csv --base 5" };
