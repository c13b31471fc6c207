/* The cell-key method: every record has a key, every cell the sum of its records' keys, and the key decides the change of the count, and
 * of the sum of a variable: the same cell changes the same way in any table. Defined after Fraser & Wooton 2005; Thompson, Broadfoot &
 * Elazar 2013; Giessing 2016: docs/methods/tabular-cell-key.md. */
#include <sodium.h>
#include <string.h>
#include "base/elementary.h"
#include "base/number_text.h"
#include "method/method.h"
#include "tabular/build/build.h"
#include "tabular/ptable.h"

typedef struct {
    const Table *data;
    Groups dims;
    const Column *id, *record_key;
    Tables hierarchies;
    Groups nested;
    const Column *response, *weight;
    double percent;
    int64_t top;
    int64_t maximum, no_small;
    double variance;
    const Table *perturbation;
    const char *total_code;
} args;
static const Param params[] = {
    TABLE(args, data, "The microdata", .flags = REQUIRED | POSITIONAL),
    GROUPS(args, dims, data, "Dimensions of the table. Separate several tables with semicolons", .flags = REQUIRED),
    COLUMN(args, id, data, "Column from which record keys are derived, the same in every extract of the data (default: the row number)"),
    COLUMN(args, record_key, data,
           "Record keys that the data already have: fractions from 0 to below 1, or whole numbers from 0 to 4294967295. No keys are drawn "
           "then",
           .flags = NUMERIC),
    HIERARCHIES(args, 0),
    GROUPS(args, nested, data,
           "Columns that are levels of one dimension, from coarse to fine. Separate several dimensions with semicolons"),
    COLUMN(args, response, data, "Response variable. Its sums are perturbed too", .flags = NUMERIC),
    WEIGHT(args, data),
    REAL(args, percent, 5, 0, 100, "With --response: one unit of perturbation is this percentage of a contribution", .flags = EXCLUSIVE),
    INT(args, top, 1, 1, 9, "With --response: number of largest contributors per cell whose contributions are perturbed"),
    INT(args, maximum, 5, 1, PTABLE_MOST, "D: largest change of a count. Larger = more protection, less accuracy"),
    REAL(args, variance, 2, 0, 1000, "V: variance of the changes. Larger = more protection, less accuracy", .flags = EXCLUSIVE),
    INT(args, no_small, 0, 0, 20, "js: perturbed counts from 1 to this value do not occur"),
    TABLE(args, perturbation,
          "Own perturbation table with columns i (true count), v (change) and p (probability). The last i applies to all larger counts"),
    TEXT(args, total_code, "Total", "Code of the total in each dimension"),
    ONLY_WITH("weight", "response"),
    ONLY_WITH("percent", "response"),
    ONLY_WITH("top", "response"),
    END,
};
static const Return values[] = {
    VALUE(cells, INTEGER, "Cells, including totals", .flags = PUBLIC),
    VALUE(changed, INTEGER, "Cells whose count changed"),
    VALUE(mean_change, REAL, "Mean change over non-empty cells; 0 = unbiased"),
    VALUE(variance_change, REAL, "Mean squared change over non-empty cells; smaller is more accurate"),
    VALUE(mean_share, REAL, "With --response: mean of |change|/|sum| over cells whose sum is not 0; smaller is more accurate"),
    TABLE_OUT(perturbation, "i:integer v:integer p:real", "Perturbation table: true count, change, probability"),
    TABLE_OUT(magnitudes, "v:real p:real", "With --response: change of a contribution in units, probability"),
    OUTPUT("The table of perturbed counts and sums"),
    END,
};

/* The seed is a key: its streams are the same in every step of every recipe. What decides how much a cell changes is part of their names,
 * since two tables that one key changes by different amounts would give the true figures back (2a₁ − a₂). */
static RandomStream keyed_stream(const Run *run, const char *column, const char *purpose) {
    return stream_make(&run->seed, "tabular.cell-key", 0, column, purpose);
}

/* The design of the changes as text: D, V and js, or a hash of the table that was given. */
enum { DESIGN = 128 };
static void name_design(const args *a, const PTable *t, bool own, char out[DESIGN]) {
    char variance[33];
    unsigned char hash[16];
    crypto_generichash_state state;
    snprintf(out, DESIGN, "record keys: D %lld, V %s, js %lld", (long long)a->maximum, real_text(a->variance, variance),
             (long long)a->no_small);
    if (!own) return;
    crypto_generichash_init(&state, NULL, 0, sizeof hash);
    for (int i = 0; i < t->rows; i++) crypto_generichash_update(&state, (const unsigned char *)t->p[i], sizeof t->p[i]);
    crypto_generichash_final(&state, hash, sizeof hash);
    char text[2 * sizeof hash + 1];
    snprintf(out, DESIGN, "record keys: %s", sodium_bin2hex(text, sizeof text, hash, sizeof hash));
}

static Status bad_key(Run *run, const args *a, int64_t row, const char *what) {
    fail(run->work.error, BAD, "%s", what);
    error_column(run->work.error, a->record_key->name);
    if (row >= 0) error_row(run->work.error, row);
    return error_advice(run->work.error,
                        "Record keys are either all fractions from 0 to below 1, or all whole numbers from 0 to 4294967295.");
}

/* Keys that are there: 64 binary digits behind the point, so that their sum modulo 1 is exact; whole numbers are taken as fractions of
 * 2^32. */
static Status given_keys(Run *run, const args *a, uint64_t **out) {
    Status status = OK;
    bool fractions = true, same = true;
    const int64_t rows = a->data->rows;
    NEW(&run->work, *out, rows + 1);
    for (int64_t i = 0; i < rows; i++) {
        if (column_missing(a->record_key, i)) TRY(bad_key(run, a, i, "a record has no key"));
        fractions &= column_number(a->record_key, i) < 1;
        same &= column_number(a->record_key, i) == column_number(a->record_key, 0);
    }
    if (same && rows > 1) TRY(bad_key(run, a, -1, "every record has the same key"));
    for (int64_t i = 0; i < rows; i++) {
        double key = column_number(a->record_key, i);
        if (!(key >= 0 && key <= UINT32_MAX && (fractions || key == floor(key)))) TRY(bad_key(run, a, i, "a record key is out of range"));
        (*out)[i] = fractions ? (uint64_t)(key * 0x1p64) : (uint64_t)key << 32;
    }
done:
    return status;
}

/* BLAKE2b of the record's identity under the seed's stream: 64 bits that sum modulo 2^64, whatever the order. */
static Status record_keys(Run *run, const args *a, const PTable *t, bool own, uint64_t **out) {
    Status status = OK;
    char design[DESIGN];
    name_design(a, t, own, design);
    RandomStream stream = keyed_stream(run, NULL, design);
    unsigned char hash[32];
    char number[33];
    NEW(&run->work, *out, a->data->rows + 1);
    for (int64_t i = 0; i < a->data->rows; i++) {
        const char *id = a->id ? column_cell(a->id, i, number) : NULL;
        if (a->id && !id) {
            fail(run->work.error, BAD, "a record has no value in the --id column");
            error_column(run->work.error, a->id->name);
            TRY(error_row(run->work.error, i));
        }
        if (id) {
            crypto_generichash(hash, sizeof hash, (const unsigned char *)id, strlen(id), stream.key, sizeof stream.key);
            for (int k = 0; k < 8; k++) (*out)[i] |= (uint64_t)hash[k] << 8 * k;
        } else stream_words(&stream, (uint64_t)i, 1, &(*out)[i]);
    }
done:
    return status;
}

static Status need_numbers(Run *run, const Table *table, const char *name, const Column **out) {
    Status status = OK;
    TRY(table_need(table, name, out, run->work.error));
    if (column_numeric(*out)) return OK;
    fail(run->work.error, BAD, "this column of the perturbation table must hold numbers");
    TRY(error_column(run->work.error, name));
done:
    return status;
}

static Status own_table(Run *run, const args *a, PTable *out) {
    Status status = OK;
    const Column *i, *v, *p;
    memset(out, 0, sizeof *out);
    TRY(need_numbers(run, a->perturbation, "i", &i));
    TRY(need_numbers(run, a->perturbation, "v", &v));
    TRY(need_numbers(run, a->perturbation, "p", &p));
    for (int64_t r = 0; r < a->perturbation->rows; r++) {
        double row = column_number(i, r), change = column_number(v, r), chance = column_number(p, r);
        bool right = row >= 0 && row <= 2 * PTABLE_MOST && row == floor(row) && fabs(change) <= PTABLE_MOST && change == floor(change) &&
                     chance >= 0 && chance <= 1 && row + change >= 0;
        if (!right) {
            fail(run->work.error, BAD, "a row of the perturbation table is not a count, a change and a probability");
            TRY(error_row(run->work.error, r));
        }
        int at = (int)row;
        if (at >= out->rows) out->rows = at + 1;
        out->first[at] = -PTABLE_MOST;
        out->count[at] = 2 * PTABLE_MOST + 1;
        out->p[at][(int)change + PTABLE_MOST] += chance;
    }
    for (int r = 0; r < out->rows; r++) {
        double sum = 0;
        for (int k = 0; k < out->count[r]; k++) sum += out->p[r][k];
        if (fabs(sum - 1) > 1e-6)
            TRY(fail(run->work.error, BAD, "the probabilities of true count %d do not sum to 1 in the perturbation table", r));
    }
    if (!out->rows) TRY(fail(run->work.error, BAD, "the perturbation table is empty"));
done:
    return status;
}

static double chance(const PTable *t, int count, int change) {
    int row = count < t->rows ? count : t->rows - 1, k = change - t->first[row];
    return k >= 0 && k < t->count[row] ? t->p[row][k] : 0;
}

static bool same_chances(const PTable *a, const PTable *b) {
    for (int i = 0; i < a->rows || i < b->rows; i++)
        for (int v = -PTABLE_MOST; v <= PTABLE_MOST; v++)
            if (fabs(chance(a, i, v) - chance(b, i, v)) > 1e-6) return false;
    return true;
}

/* The table that is designed, or the one given. One given that is the designed one, as it was printed, is that: its records have the same
 * keys, and its cells the same changes. *own: it is another. */
static Status choose_table(Run *run, const args *a, PTable *out, bool *own) {
    Status status = OK;
    PTable *designed = NULL;
    Error quiet = ERROR_NONE;
    Work within = run->work;
    *own = false;
    if (!a->perturbation) return ptable_design(&run->work, (int)a->maximum, a->variance, (int)a->no_small, out);
    NEW(&run->work, designed, 1);
    TRY(own_table(run, a, out));
    within.error = &quiet;
    *own = ptable_design(&within, (int)a->maximum, a->variance, (int)a->no_small, designed) != OK || !same_chances(designed, out);
    if (!*own) *out = *designed;
done:
    return status;
}

static void show_table(Run *run, const PTable *t) {
    Grid *grid = grid_new(run->result, "perturbation", "i:integer v:integer p:real");
    for (int i = 0; i < t->rows; i++)
        for (int k = 0; k < t->count[i]; k++) {
            if (t->p[i][k] <= 0) continue;
            grid_integer(grid, i);
            grid_integer(grid, t->first[i] + k);
            grid_real(grid, t->p[i][k]);
        }
    grid_done(grid);
}

/* The published table: changed columns in place, and nothing else that would tell what they were. */
static Status changed_table(Run *run, const Table *table, const char *total_code, Column *const *columns, int64_t count, Table **out) {
    Status status = OK;
    Structure structure;
    Table *bare = NULL;
    const char **drop = NULL;
    int64_t drops = 0;
    NEW(&run->work, drop, table->columns + 1);
    for (int64_t j = 0; j < table->columns; j++)
        if (structure_reserved(table->column[j]->name) && strcmp(table->column[j]->name, "count") &&
            strcmp(table->column[j]->name, "value"))
            drop[drops++] = table->column[j]->name;
    TRY(table_without(table, drop, drops, &bare, run->work.error));
    TRY(table_with(bare, columns, count, out, run->work.error));
    TRY(structure_read(&run->work, *out, total_code, &structure));
    structure.is_protected = true;
    TRY(structure_keep(&run->work, &structure, *out));
done:
    table_release(bare);
    return status;
}

static Status change_counts(Run *run, const Made *made, const PTable *t, Column **out) {
    Status status = OK;
    int64_t changed = 0, full = 0;
    double sum = 0, squares = 0;
    TRY(column_new(INTEGER_TYPE, "count", made->cells, out, run->work.error));
    for (int64_t i = 0; i < made->cells; i++) {
        int v = made->count[i] ? ptable_change(t, made->count[i], word_uniform(made->key[i])) : 0;
        (*out)->integer[i] = made->count[i] + v;
        changed += v != 0;
        full += made->count[i] > 0;
        sum += v;
        squares += (double)v * v;
    }
    result_integer(run->result, "cells", made->cells);
    result_integer(run->result, "changed", changed);
    result_real(run->result, "mean_change", full ? sum / (double)full : 0);
    result_real(run->result, "variance_change", full ? squares / (double)full : 0);
done:
    return status;
}

/* X + Σ_j |x_j|·m·v_j over the largest contributions x_j (Thompson, Broadfoot & Elazar 2013): the j-th change v_j is drawn by
 * word 16·key + j of a stream of its own, so that it tells nothing of the count's, and the same records get the same. With D·m at most 1
 * no contribution changes by more than itself. */
static Status change_values(Run *run, const args *a, const Made *made, const Halves *h, Column **out) {
    Status status = OK;
    char design[DESIGN], percent[33], variance[33];
    snprintf(design, DESIGN, "magnitudes: %lld by %s percent, D %lld, V %s", (long long)a->top, real_text(a->percent, percent),
             (long long)a->maximum, real_text(a->variance, variance));
    RandomStream stream = keyed_stream(run, a->response->name, design);
    double shares = 0;
    int64_t counted = 0;
    TRY(column_new(REAL_TYPE, "value", made->cells, out, run->work.error));
    for (int64_t i = 0; i < made->cells; i++) {
        uint64_t words[16];
        double change = 0;
        stream_words(&stream, made->key[i] << 4, (size_t)made->top, words);
        for (int64_t j = 0; j < made->top; j++)
            change += fabs(made->largest[i * made->top + j]) * a->percent / 100 * halves_change(h, word_uniform(words[j]));
        (*out)->real[i] = made->value[i] + change;
        if (made->value[i] == 0) continue;
        shares += fabs(change / made->value[i]);
        counted++;
    }
    result_real(run->result, "mean_share", counted ? shares / (double)counted : 0);
    Grid *grid = grid_new(run->result, "magnitudes", "v:real p:real");
    for (int k = 0; k <= 2 * h->most; k++) {
        grid_real(grid, (k - h->most) / 2.0);
        grid_real(grid, h->p[k]);
    }
    grid_done(grid);
done:
    return status;
}

/* A contribution must not change by more than itself. */
static Status design_halves(Run *run, const args *a, Halves *out) {
    if ((double)a->maximum * a->percent <= 100 && a->maximum <= PTABLE_MOST / 2)
        return ptable_halves(&run->work, (int)a->maximum, a->variance, out);
    fail(run->work.error, BAD, "with --response --maximum is at most %d, and --maximum times --percent at most 100", PTABLE_MOST / 2);
    error_parameter(run->work.error, "percent");
    return error_advice(run->work.error, "A larger product would change a contribution by more than its own size.");
}

static void say(Run *run, const args *a) {
    if (a->record_key)
        result_note(run->result, "The record keys determine the changes of counts. Use one design (--maximum, --variance, --no-small) with "
                                 "them, because tables of two designs can be combined to recover true counts. Do not publish the keys.");
    result_note(run->result, "Totals are perturbed like all other cells, so sums no longer add up exactly. With the same seed, --id and "
                             "design, a cell has the same change in every table.");
    if (!a->id && !a->record_key)
        result_note(run->result, "Without --id a record's key depends on its row. In another extract or order the same cell gets another "
                                 "change, and an intruder can average the two.");
    if (a->response)
        result_note(run->result, "A sum is perturbed by shares of its largest contributions (--top). The sum of a single contributor may "
                                 "stay unchanged. Suppress cells that must not be known.");
}

/* Records that are not counted, and identities that give every record the same key, which the sums of cells would then multiply. */
static Status check_records(Run *run, const args *a) {
    int64_t missing = 0;
    for (int64_t i = 0; i < a->data->rows; i++)
        missing += (a->response && column_missing(a->response, i)) || (a->weight && column_missing(a->weight, i));
    if (missing) result_note(run->result, "%lld records without a response or weight are not counted.", (long long)missing);
    if (!a->id || a->data->rows < 2) return OK;
    Codes codes;
    Status status = column_codes(&run->work, a->id, &codes);
    if (status || codes.count > 1) return status;
    fail(run->work.error, BAD, "every record has the same --id value: all keys would be equal");
    error_parameter(run->work.error, "id");
    return error_advice(run->work.error, "Give a column that identifies records or people.");
}

static Status cell_key_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    PTable *t = NULL;
    Halves halves;
    uint64_t *keys = NULL;
    Made made;
    Table *table = NULL, *out = NULL;
    Column *column[2] = { NULL };
    bool own;
    NEW(&run->work, t, 1);
    if (a->id && a->record_key) {
        fail(run->work.error, BAD, "--id derives keys, and --record-key names existing ones: only one can be given");
        TRY(error_parameter(run->work.error, "record-key"));
    }
    TRY(choose_table(run, a, t, &own));
    TRY(check_records(run, a));
    if (a->response) TRY(design_halves(run, a, &halves));
    TRY(a->record_key ? given_keys(run, a, &keys) : record_keys(run, a, t, own, &keys));
    BuildArgs build = { .data = a->data,
                        .dims = a->dims,
                        .summed = a->response,
                        .weight = a->weight,
                        .hierarchies = a->hierarchies,
                        .nested = a->nested,
                        .total_code = a->total_code,
                        .top = a->top,
                        .keys = keys };
    TRY(build_make(&run->work, &build, &made, &table));
    TRY(change_counts(run, &made, t, &column[0]));
    if (a->response) TRY(change_values(run, a, &made, &halves, &column[1]));
    TRY(changed_table(run, table, a->total_code, column, a->response ? 2 : 1, &out));
    show_table(run, t);
    say(run, a);
    result_output(run->result, out);
done:
    table_release(table);
    column_release(column[0]);
    column_release(column[1]);
    return status;
}

const Method tabular_cell_key = { .group = "tabular",
                                  .name = "cell-key",
                                  .summary = "Cell key method: consistent perturbation of counts and sums by record keys",
                                  .source = "Fraser & Wooton 2005; Thompson, Broadfoot & Elazar 2013; Giessing 2016",
                                  .params = params,
                                  .size = sizeof(args),
                                  .run = cell_key_run,
                                  .values = values,
                                  .traits = PERTURBS | RANDOM | KEYED | IDENTITY | ATTRIBUTE,
                                  .example = "scrim tabular cell-key examples/clinic.csv --dims region,sex --id id" };
