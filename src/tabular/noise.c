/* Counts with a promise: discrete Gaussian noise on every cell of a table, totals included, then the nearest counts that add up and are
 * not below zero. Defined after Bun & Steinke 2016; Canonne, Kamath & Steinke 2020; Hay et al. 2010: docs/methods/tabular-noise.md. */
#include "base/elementary.h"
#include "base/extremes.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/number_text.h"
#include "ledger/ledger.h"
#include "tabular/feasibility/interior_point.h"
#include "math/discrete_noise.h"
#include "math/privacy/compose.h"
#include "tabular/model.h"

typedef struct {
    const Table *table;
    double epsilon, delta, zcdp;
    int64_t max_records;
    Ledger *ledger;
    bool no_ledger, insecure_reproducible;
    const char *analyst, *account, *request, *person, *total_code;
} args;
static const Param params[] = {
    TABLE(args, table, "Table of counts from `tabular build`. Its codes and totals are public information", .flags = REQUIRED | POSITIONAL),
    REAL(args, zcdp, ABSENT, 0, 1000, "Guarantee: ρ of zero-concentrated differential privacy. Smaller = more privacy, more noise",
         .flags = EXCLUSIVE),
    REAL(args, epsilon, ABSENT, 0, 1000, "Guarantee: ε of (ε, δ)-differential privacy, with --delta. Smaller = more privacy, more noise",
         .flags = EXCLUSIVE),
    REAL(args, delta, ABSENT, 0, 1, "δ of the guarantee; with --zcdp, the δ at which ε is reported", .flags = EXCLUSIVE),
    ONE_OF("epsilon", "zcdp"),
    INT(args, max_records, 1, 1, 1000000, "Largest number of records of one person in the table"),
    TEXT(args, person, NULL,
         "For the ledger: column that identifies the person, as --person of `release` names it. Without it a single record is protected"),
    LEDGER(args, ledger, "Ledger that is charged before noise is drawn"),
    FLAG(args, no_ledger, "Release without a ledger"),
    TEXT(args, analyst, NULL, "Analyst whose budget is charged"),
    TEXT(args, account, NULL, "Project that pays, if the ledger has accounts"),
    TEXT(args, request, NULL, "Identifier of this request. A request is never charged twice"),
    FLAG(args, insecure_reproducible, "For tests only: noise from --seed. Anyone who knows the seed can remove the noise"),
    TEXT(args, total_code, "Total", "Code of the total in each dimension, for a table without a structure file"),
    END,
};
static const Return values[] = {
    VALUE(zcdp, REAL, "ρ of the guarantee (zero-concentrated differential privacy)", .flags = PUBLIC | LESS),
    VALUE(epsilon, REAL, "ε of the guarantee at this δ. Smaller is safer. Smaller = more privacy", .flags = PUBLIC | LESS),
    VALUE(delta, REAL, "δ of the guarantee (default 1e-9)", .flags = PUBLIC),
    VALUE(cells, INTEGER, "Cells with noise, including empty cells and totals", .flags = PUBLIC),
    VALUE(reach, INTEGER, "Largest number of cells in which one record is counted", .flags = PUBLIC),
    VALUE(sd, REAL, "Standard deviation of the noise of one cell before the cells are made additive", .flags = PUBLIC | LESS),
    VALUE(charged, TEXT, "Charge to the ledger", .flags = PUBLIC),
    VALUE(left, TEXT, "Remaining budget in the ledger", .flags = PUBLIC),
    OUTPUT("Table of noisy counts. They add up, and none is below zero"),
    END,
};

enum { MOST_CELLS = 20000, MOST_CODES = MOST_CELLS, GRID = 10 }; /* noise on multiples of 2^-GRID: no floating point comes near a count */

#define MOST_COUNT 0x1p53

typedef struct Noisy {
    Run *run;
    const args *a;
    Structure structure;
    Relations relations; /* between all combinations */
    int64_t cells, reach;
    double *count; /* of every combination of codes; the last dimension runs fastest */
    double zcdp, variance;
} Noisy;

/* ---- the cells: all combinations, so that which of them are empty is not told ---- */

static int64_t place_of(const Structure *s, int32_t *const *place, int64_t row) {
    int64_t at = 0;
    for (int64_t d = 0; d < s->dims; d++) at = at * s->dim[d].codes + place[d][row];
    return at;
}

static Status take_counts(Noisy *n, const Model *m) {
    Status status = OK;
    Work *work = &n->run->work;
    int32_t **place;
    double cells = 1;
    if (!m->structure.dims) TRY(fail(work->error, BAD, "a table of named cells has no public set of cells: build it from the data"));
    if (!m->count || !m->whole) TRY(fail(work->error, BAD, "the table has no counts of records (a column 'count' of whole numbers)"));
    n->structure = m->structure;
    for (int64_t d = 0; d < m->structure.dims; d++) cells *= m->structure.dim[d].codes;
    if (cells > MOST_CELLS) TRY(fail(work->error, BAD, "the table has %lld cells, and %d are the most here", (long long)cells, MOST_CELLS));
    if (cells < 1) TRY(fail(work->error, BAD, "the table has no cells"));
    n->cells = (int64_t)cells;
    NEW(work, n->count, n->cells + 1);
    TRY(structure_places(work, &m->structure, m->table, &place));
    for (int64_t i = 0; i < m->cells; i++) {
        if (isnan(m->count[i]) || m->status[i] != CELL_OPEN) {
            fail(work->error, BAD, "a count is suppressed: the confidential table is needed, not a published one");
            TRY(error_row(work->error, i));
        }
        if (!(m->count[i] >= 0 && m->count[i] <= MOST_COUNT && m->count[i] == floor(m->count[i]))) {
            fail(work->error, BAD, "not a count of records: a whole number from 0 to 2^53");
            TRY(error_row(work->error, i));
        }
        n->count[place_of(&m->structure, place, i)] = m->count[i];
    }
done:
    return status;
}

/* Codes of one dimension that a record with this leaf is counted under: itself, and whatever it adds up to. */
static int64_t codes_above(const Dimension *d, int32_t code, uint8_t *seen) {
    int64_t found = 1;
    if (seen[code]) return 0;
    seen[code] = 1;
    for (int64_t s = 0; s < d->sums; s++)
        for (int32_t k = 0; k < d->sum[s].count; k++)
            if (d->sum[s].part[k] == code) found += codes_above(d, d->sum[s].total, seen);
    return found;
}

/* By the public codes alone: the worst leaf of each dimension, multiplied. Squared L2 sensitivity of all cells together. */
static Status find_reach(Noisy *n) {
    Status status = OK;
    n->reach = 1;
    for (int64_t d = 0; d < n->structure.dims; d++) {
        const Dimension *dim = &n->structure.dim[d];
        uint8_t *seen = NULL;
        int64_t most = 1;
        NEW(&n->run->work, seen, dim->codes + 1);
        for (int32_t c = 0; c < dim->codes; c++) {
            memset(seen, 0, (size_t)dim->codes);
            int64_t above = codes_above(dim, c, seen);
            if (above > most) most = above;
        }
        n->reach *= most;
    }
done:
    return status;
}

/* ---- the promise ---- */

static Status read_promise(Noisy *n) {
    const args *a = n->a;
    Error *error = n->run->work.error;
    Status status = run_unseeded(n->run, a->insecure_reproducible);
    if (status) return status;
    if (!isnan(a->epsilon) && isnan(a->delta)) {
        fail(error, BAD, "is needed with --epsilon: Gaussian noise satisfies ε only together with a δ");
        return error_parameter(error, "delta");
    }
    if ((status = ledger_or_none(a->ledger, a->no_ledger, error))) return status;
    n->zcdp = isnan(a->zcdp) ? zcdp_within(a->epsilon, a->delta) : a->zcdp;
    n->variance = (double)a->max_records * (double)a->max_records * (double)n->reach / (2 * n->zcdp); /* ρ = Δ²/(2σ²) */
    return OK;
}

/* All cells together are one normal vector: its ρ is that of one number that moves by √(2ρ) standard deviations. */
static Status debit(Noisy *n, LedgerReceipt *receipt) {
    Status status = OK;
    const args *a = n->a;
    char amount[33], person[160], detail[128];
    if (!a->ledger) return OK;
    snprintf(detail, sizeof detail, "{\"noise\":\"discrete-gaussian\",\"parts\":[[%s,1]]}", real_text(sqrt(2 * n->zcdp), amount));
    LedgerRequest request = { .query = "tabular noise",
                              .analyst = a->analyst,
                              .account = a->account,
                              .request = a->request,
                              .detail = detail,
                              .unit = "add-remove",
                              .person = ledger_person(a->person, a->max_records, person) };
    TRY(ledger_charge_file(&n->run->work, a->ledger, &request, a->table, n->zcdp, receipt));
    result_text(n->run->result, "charged", units_text(receipt->price, amount));
    result_text(n->run->result, "left", units_text(receipt->left, amount));
done:
    return status;
}

/* σ² on the grid, rounded up: never less noise than promised. */
static Status add_noise(Noisy *n, RandomBits *bits) {
    Status status = OK;
    DiscreteGaussian gaussian = { 0 };
    mpz_t variance;
    mpz_init_set_d(variance, larger(1, ceil(ldexp(n->variance, 2 * GRID) * (1 + 1e-12))));
    status = discrete_gaussian_open(&gaussian, variance, n->run->work.error);
    mpz_clear(variance);
    if (status) return status;
    for (int64_t i = 0; i < n->cells; i++) {
        Wide noise;
        TRY(draw_discrete_gaussian(bits, &gaussian, &noise));
        n->count[i] = ldexp((double)(((Wide)n->count[i] << GRID) + noise), -GRID);
    }
done:
    discrete_gaussian_close(&gaussian);
    return status;
}

/* ---- what adds up ---- */

/* All combinations of codes as a table, with these counts. */
static Status full_table(Noisy *n, const double *count, Table **out) {
    Status status = OK;
    Work *work = &n->run->work;
    const Structure *s = &n->structure;
    Column *columns[17] = { NULL };
    Dictionary *words = NULL;
    int64_t step = n->cells;
    for (int64_t d = 0; d < s->dims; d++) {
        step /= s->dim[d].codes;
        TRY(dictionary_new(s->dim[d].code, s->dim[d].codes, true, &words, work->error));
        TRY(column_unfilled(CATEGORY_TYPE, s->dim[d].name, n->cells, &columns[d], work->error));
        columns[d]->words = words;
        words = NULL;
        for (int64_t i = 0; i < n->cells; i++) columns[d]->code[i] = (int32_t)(i / step % s->dim[d].codes);
    }
    TRY(column_new(REAL_TYPE, "count", n->cells, &columns[s->dims], work->error));
    memcpy(columns[s->dims]->real, count, (size_t)n->cells * sizeof *count);
    TRY(table_new(n->a->table->name, columns, s->dims + 1, n->cells, out, work->error));
    Structure kept = *s; /* codes and sums alone: what else is known comes from the data */
    kept.is_signed = kept.zeros_hidden = false;
    kept.rules = (SafetyRules){ 0 };
    kept.is_protected = true;
    TRY(structure_keep(work, &kept, *out));
done:
    dictionary_release(words);
    for (int i = 0; i < 17; i++) column_release(columns[i]);
    return status;
}

/* The codes of one dimension that are sums, from their parts, for all codes of the others; parts that are sums themselves first. */
static void sum_code(const Noisy *n, int64_t dim, int32_t code, int64_t step, uint8_t *done, double *y) {
    const Dimension *d = &n->structure.dim[dim];
    int64_t block = step * d->codes;
    if (done[code]) return;
    done[code] = 1;
    for (int64_t s = 0; s < d->sums; s++) {
        if (d->sum[s].total != code) continue;
        for (int32_t k = 0; k < d->sum[s].count; k++) sum_code(n, dim, d->sum[s].part[k], step, done, y);
        for (int64_t from = 0; from < n->cells; from += block)
            for (int64_t i = 0; i < step; i++) {
                double sum = 0;
                for (int32_t k = 0; k < d->sum[s].count; k++) sum += y[from + d->sum[s].part[k] * step + i];
                y[from + code * step + i] = sum;
            }
        return; /* a second way to sum the same code gives the same */
    }
}

/* The solver's last digits go: totals are what their parts add up to. */
static void sum_up(const Noisy *n, int64_t dim, double *y) {
    uint8_t done[MOST_CODES] = { 0 };
    int64_t step = n->cells;
    for (int64_t d = 0; d <= dim; d++) step /= n->structure.dim[d].codes;
    for (int32_t c = 0; c < n->structure.dim[dim].codes; c++) sum_code(n, dim, c, step, done, y);
}

/* min Σ (y − noisy)² over tables that add up with y ≥ 0: totals, measured too, hold their parts together (Hay et al. 2010). */
static Status make_consistent(Noisy *n, double *y) {
    Status status = OK;
    Work *work = &n->run->work;
    double *low = NULL, *high = NULL, *weight = NULL;
    bool found;
    NEW(work, low, n->cells + 1);
    NEW(work, high, n->cells + 1);
    NEW(work, weight, n->cells + 1);
    for (int64_t i = 0; i < n->cells; i++) {
        high[i] = INFINITY;
        weight[i] = 1;
    }
    TRY(quadratic_nearest(work, &n->relations, weight, n->count, low, high, y, &found));
    if (!found) TRY(fail(work->error, FAILED, "no additive counts were found"));
    for (int64_t i = 0; i < n->cells; i++) y[i] = y[i] < 1e-6 ? 0 : y[i];
    for (int64_t d = 0; d < n->structure.dims; d++) sum_up(n, d, y);
done:
    return status;
}

/* A combination that is not there is empty, which is false of cells that linked tables do not show and of totals left out: then the sums do
 * not hold, and noise about 0 would pull all others down. A table of counts of records always adds up, regardless of who is in it. */
static Status check_sums(const Noisy *n) {
    const Relations *r = &n->relations;
    for (int64_t i = 0; i < r->count; i++) {
        double sum = 0;
        for (int64_t k = r->start[i]; k < r->start[i + 1]; k++) sum += r->coefficient[k] * n->count[r->cell[k]];
        if (sum == 0) continue;
        fail(n->run->work.error, BAD, "the table does not add up: a sum or one of its parts is missing or wrong");
        return error_advice(n->run->work.error,
                            "Keep all totals of a column or none. Protect linked tables one at a time, each with its part of the budget.");
    }
    return OK;
}

/* Before anything is charged: can they be made to add up? */
static Status find_relations(Noisy *n) {
    Status status = OK;
    Table *table = NULL;
    TRY(full_table(n, n->count, &table));
    TRY(structure_relations(&n->run->work, &n->structure, table, &n->relations));
    if (n->relations.count > QUADRATIC_MOST)
        TRY(fail(n->run->work.error, BAD, "the table has %lld sums; at most %d are supported", (long long)n->relations.count,
                 QUADRATIC_MOST));
    TRY(check_sums(n));
done:
    table_release(table);
    return status;
}

/* A margin under another code than --total-code would be one more cell of every record, and the promise half of what it says. */
static void say_sums(const Noisy *n) {
    for (int64_t d = 0; d < n->structure.dims; d++)
        if (!n->structure.dim[d].sums)
            result_note(n->run->result,
                        "Warning: no code of %s is a sum of others, so each record is assumed to be counted under one code only. If one of "
                        "them is a total (--total-code), the guarantee does not hold.",
                        n->structure.dim[d].name);
}

static void say(const Noisy *n) {
    Result *result = n->run->result;
    double delta = isnan(n->a->delta) ? 1e-9 : n->a->delta;
    result_real(result, "zcdp", n->zcdp);
    result_real(result, "epsilon", isnan(n->a->epsilon) ? zcdp_epsilon(n->zcdp, delta) : n->a->epsilon);
    result_real(result, "delta", delta);
    result_integer(result, "cells", n->cells);
    result_integer(result, "reach", n->reach);
    result_real(result, "sd", sqrt(n->variance));
    result_note(result,
                "Differentially private: adding or removing one person with at most %lld record%s changes the released counts by no more "
                "than the guarantee allows. The codes of the table and its totals are treated as public.",
                (long long)n->a->max_records, n->a->max_records == 1 ? "" : "s");
    say_sums(n);
    result_note(result, "Counts are not whole numbers: `tabular round --base 1 --method controlled` makes them whole and keeps them "
                        "additive. Negative counts were set to zero, so small counts are too high on average.");
    if (!n->a->ledger)
        result_note(result, "No ledger was charged. Several releases about the same people add up, and their total is not recorded.");
    if (n->a->insecure_reproducible)
        result_note(result, "Warning: the noise came from a seed (--insecure-reproducible). Anyone who knows the seed can remove the "
                            "noise. Do not publish this result.");
}

static Status noise_run(Run *run, const void *p) {
    Status status = OK;
    Noisy n = { .run = run, .a = p };
    Model m;
    RandomBits bits = { 0 };
    Table *table = NULL;
    double *y = NULL;
    LedgerReceipt receipt = { 0 };
    char *recorded = NULL;
    RandomStream stream = run_stream(run, NULL, "noise");
    RandomReader reader = reader_make(&stream);
    TRY(model_make(&run->work, n.a->table, n.a->total_code, &m));
    TRY(take_counts(&n, &m));
    TRY(find_relations(&n));
    TRY(find_reach(&n));
    TRY(read_promise(&n));
    NEW(&run->work, y, n.cells + 1);
    TRY(debit(&n, &receipt));
    TRY(n.a->insecure_reproducible ? random_bits_open_reader(&bits, &reader, run->work.error) : random_bits_open(&bits, run->work.error));
    TRY(add_noise(&n, &bits));
    TRY(make_consistent(&n, y));
    TRY(full_table(&n, y, &table));
    say(&n);
    result_output(run->result, table);
    table = NULL;
    if (n.a->ledger) TRY(ledger_record(n.a->ledger, receipt.entry, "{\"table\":true}", &recorded, run->work.error));
done:
    random_bits_close(&bits);
    table_release(table);
    free(receipt.answer);
    free(recorded);
    return status;
}

const Method tabular_noise = {
    .group = "tabular",
    .name = "noise",
    .summary = "Differentially private table of counts with additive totals",
    .source = "Bun & Steinke 2016; Canonne, Kamath & Steinke 2020; Hay et al. 2010",
    .params = params,
    .size = sizeof(args),
    .run = noise_run,
    .values = values,
    .traits = PERTURBS | RANDOM | PROMISES | UNAUDITED | IDENTITY | ATTRIBUTE | INFERENTIAL,
    .headline = "-sd",
    .example = "scrim tabular noise examples/counts.csv --zcdp 0.5 --no-ledger",
};
