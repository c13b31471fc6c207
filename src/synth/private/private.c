/* synth.private: synthetic rows with differential privacy: marginals selected, measured with exact noise, and a graphical model fitted to
 * them. Defined after McKenna, Miklau & Sheldon 2021; McKenna et al. 2022: docs/methods/synth-private.md. */
#include "base/elementary.h"
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/number_text.h"
#include "math/privacy/compose.h"
#include "synth/engine/params.h"
#include "synth/private/private.h"

static const Param params[] = {
    TABLE(PrivateArgs, data, "The confidential table", .flags = REQUIRED | POSITIONAL),
    SCHEMA(PrivateArgs, schema, data,
           "Public metadata of the table: columns, bounds, categories. Everything else is taken from it with noise only",
           .flags = REQUIRED),
    CHOICE(PrivateArgs, method, "aim",
           "Selection of the marginals: mst (a spanning tree of pairs), aim (in each round the marginal with the largest error)",
           WORDS("mst", "aim")),
    REAL(PrivateArgs, epsilon, ABSENT, 0, 1000,
         "Guarantee: ε of (ε, δ)-differential privacy, with --delta. Smaller = more privacy, more noise", .flags = EXCLUSIVE),
    REAL(PrivateArgs, delta, ABSENT, 0, 1, "δ of the guarantee; with --zcdp, the δ at which ε is reported", .flags = EXCLUSIVE),
    REAL(PrivateArgs, zcdp, ABSENT, 0, 1000, "Guarantee: ρ of zero-concentrated differential privacy. Smaller = more privacy, more noise",
         .flags = EXCLUSIVE),
    ONE_OF("epsilon", "zcdp"),
    REAL(PrivateArgs, max_model_size, 16, 0.001, 100000, "aim: largest size of the model in megabytes"),
    INT(PrivateArgs, workload, 3, 1, 3, "aim: workload, all tables of this many columns"),
    INT(PrivateArgs, bins, 32, 2, 10000,
        "Number of codes for a numeric column with more than 64 values: its bounds, the schema's points, and intervals of equal width"),
    INT(PrivateArgs, n, ABSENT, 1, 1000000000, "Records to draw (default: as in the data under replace-one, otherwise a noisy estimate)"),
    TABLE(PrivateArgs, rules, "Rules that must hold in every row drawn: a column 'rule' of expressions"),
    DIRECT_ROLES(data),
    LEDGER(PrivateArgs, ledger, "Ledger that is charged before noise is drawn"),
    FLAG(PrivateArgs, no_ledger, "Release without a ledger"),
    TEXT(PrivateArgs, analyst, NULL, "Analyst whose budget is charged"),
    TEXT(PrivateArgs, account, NULL, "Project that pays, if the ledger has accounts"),
    TEXT(PrivateArgs, request, NULL, "Identifier of this request. A request is never charged twice"),
    FLAG(PrivateArgs, insecure_reproducible, "For tests only: noise from --seed. Anyone who knows the seed can remove the noise"),
    END,
};

/* ---- the promise ---- */

static Status read_promise(Private *p) {
    const PrivateArgs *a = p->args;
    Error *error = p->run->work.error;
    if (!isnan(a->epsilon) && isnan(a->delta)) {
        fail(error, BAD, "is needed with --epsilon: Gaussian noise satisfies ε only together with a δ");
        return error_parameter(error, "delta");
    }
    p->zcdp = isnan(a->zcdp) ? zcdp_within(a->epsilon, a->delta) : a->zcdp;
    if (a->schema->person && a->schema->max_records > 1) {
        fail(error, BAD, "the schema allows a person %lld records, and this promise is of one record a person",
             (long long)a->schema->max_records);
        return error_advice(error, "Declare max-records: 1; one record of each person then counts.");
    }
    p->replace = a->schema->unit != SCHEMA_ADD_REMOVE;
    p->count_public = p->replace && !a->schema->person;
    return OK;
}

static Status check_secrecy(Run *run, const PrivateArgs *a) {
    Status status = run_unseeded(run, a->insecure_reproducible);
    return status ? status : ledger_or_none(a->ledger, a->no_ledger, run->work.error);
}

/* Debited before any noise is drawn. Every run is a new release with noise of its own, and is charged. Of AIM, which chooses its noise
 * after its answers, only ρ is known. */
static Status debit(Private *p, LedgerReceipt *receipt) {
    Status status = OK;
    const PrivateArgs *a = p->args;
    char query[128], amount[33], person[160], detail[96];
    if (!a->ledger) return OK;
    snprintf(query, sizeof query, "synth private --method %s", a->method == MST ? "mst" : "aim");
    snprintf(detail, sizeof detail, "{\"noise\":\"zcdp\",\"zcdp\":%s}", real_text(p->zcdp, amount));
    LedgerRequest request = { .query = query,
                              .analyst = a->analyst,
                              .account = a->account,
                              .request = a->request,
                              .detail = detail,
                              .schema = a->schema->hash,
                              .unit = p->replace ? "replace-one" : "add-remove",
                              .person = ledger_person(a->schema->person, 1, person) };
    TRY(ledger_charge_file(&p->run->work, a->ledger, &request, a->data, p->zcdp, receipt));
    result_text(p->run->result, "charged", units_text(receipt->price, amount));
    result_text(p->run->result, "left", units_text(receipt->left, amount));
done:
    return status;
}

/* ---- records ---- */

/* One record of each person: the first. A record that does not say whose it is counts for nobody, as in release query. */
static Status one_each(Private *p, const Table **data, Table **kept) {
    Status status = OK;
    const char *person = p->args->schema->person;
    Codes codes;
    int64_t *rows = NULL, count = 0;
    uint8_t *seen = NULL;
    const Column *column = person ? table_column(*data, person) : NULL;
    if (!column) return OK;
    TRY(column_codes(&p->run->work, column, &codes));
    NEW(&p->run->work, rows, (*data)->rows + 1);
    NEW(&p->run->work, seen, codes.count + 1);
    for (int64_t i = 0; i < (*data)->rows; i++) {
        if (codes.at[i] < 0 || seen[codes.at[i]]) continue;
        seen[codes.at[i]] = 1;
        rows[count++] = i;
    }
    TRY(table_take(*data, rows, count, kept, p->run->work.error));
    *data = *kept;
done:
    return status;
}

/* ---- what is told: only what is public or was drawn with noise ---- */

static const char *set_name(Private *p, Set set) {
    Buffer text = { 0 };
    for (int32_t j = 0; j < p->domain.count; j++)
        if (set >> j & 1) buffer_print(&text, "%s%s", text.count ? " × " : "", p->domain.at[j].column->name);
    const char *copy = arena_text(p->run->work.arena, buffer_get(&text));
    buffer_free(&text);
    return copy;
}

static void say(Private *p, const Tree *tree, int64_t rows) {
    Result *result = p->run->result;
    double cells = 0, delta = isnan(p->args->delta) ? 1e-9 : p->args->delta;
    for (int32_t k = 0; k < tree->count; k++) cells += (double)tree->clique[k].cells;
    result_real(result, "zcdp", p->zcdp);
    result_real(result, "epsilon", isnan(p->args->epsilon) ? zcdp_epsilon(p->zcdp, delta) : p->args->epsilon);
    result_real(result, "delta", delta);
    result_integer(result, "marginals", p->measured);
    result_integer(result, "cells", (int64_t)cells);
    result_integer(result, "records", rows);
    Grid *grid = grid_new(result, "measured", "marginal:text cells:integer sigma:real");
    for (int64_t r = 0; r < p->measured; r++) {
        grid_text(grid, set_name(p, p->at[r].set));
        grid_integer(grid, p->at[r].cells);
        grid_real(grid, p->at[r].sigma);
    }
    grid_done(grid);
    result_note(result,
                "Differentially private: the table is drawn from marginals with exact discrete Gaussian noise; one %s %s moves what is "
                "released by no more than the promise says.",
                p->args->schema->person ? "person" : "record", p->replace ? "replaced by another" : "added or removed");
    if (p->count_public) result_note(result, "The number of records is taken as public (replace-one).");
    else if (p->replace) result_note(result, "The number of people is not public, and is estimated from the noisy marginals.");
    if (!p->args->ledger)
        result_note(result, "No ledger was charged. Several releases about the same people add up, and their total is not recorded.");
    if (p->args->insecure_reproducible)
        result_note(result, "Warning: the noise came from a seed (--insecure-reproducible). Anyone who knows the seed can remove the "
                            "noise. Do not publish this result.");
}

static Status select_and_draw(Private *p, const EditRules *rules) {
    Status status = OK;
    Tree tree = { 0 };
    Table *table = NULL;
    TRY(p->args->method == MST ? mst_select(p) : aim_select(p));
    TRY(tree_make(p, &tree));
    TRY(tree_fit(p, &tree, p->turns));
    int64_t rows = p->args->n != ABSENT ? p->args->n : (int64_t)nearbyint(p->total);
    TRY(lawful_table(p, rules, &tree, rows, &table));
    say(p, &tree, rows);
    result_output(p->run->result, table);
    table = NULL;
done:
    table_release(table);
    return status;
}

static Status private_run(Run *run, const void *args) {
    Status status = OK;
    Private p = { .run = run, .args = args, .turns = 2000, .momentum = true };
    const Table *data = p.args->data;
    Table *kept = NULL;
    EditRules rules = { 0 };
    LedgerReceipt receipt = { 0 };
    char *recorded = NULL;
    RandomStream stream = run_stream(run, NULL, "noise");
    RandomReader reader = reader_make(&stream);
    TRY(check_secrecy(run, p.args));
    TRY(refuse_named(run, p.args));
    TRY(read_promise(&p));
    TRY(one_each(&p, &data, &kept));
    TRY(domain_make(&run->work, p.args->schema, p.args->bins, &p.domain));
    NEW(&run->work, p.code, p.domain.count + 1);
    TRY(domain_codes(&run->work, &p.domain, data, p.code));
    p.rows = data->rows;
    if (p.count_public && !p.rows) TRY(fail(run->work.error, BAD, "the table has no records"));
    TRY(lawful_check(&p, &rules));
    TRY(debit(&p, &receipt));
    TRY(p.args->insecure_reproducible ? random_bits_open_reader(&p.bits, &reader, run->work.error)
                                      : random_bits_open(&p.bits, run->work.error));
    TRY(select_and_draw(&p, &rules));
    if (p.spent > p.zcdp * (1 + 1e-9)) TRY(fail(run->work.error, FAILED, "more was spent than was promised; nothing is released"));
    if (p.args->ledger) TRY(ledger_record(p.args->ledger, receipt.entry, "{\"synthetic\":true}", &recorded, run->work.error));
done:
    random_bits_close(&p.bits);
    table_release(kept);
    free(receipt.answer);
    free(recorded);
    return status;
}

static const Return values[] = {
    VALUE(zcdp, REAL, "ρ of the guarantee (zero-concentrated differential privacy)", .flags = PUBLIC | LESS),
    VALUE(epsilon, REAL, "ε of the guarantee at this δ. Smaller is safer", .flags = PUBLIC | LESS),
    VALUE(delta, REAL, "δ of the guarantee (default 1e-9)", .flags = PUBLIC),
    VALUE(marginals, INTEGER, "Number of marginals measured with noise", .flags = PUBLIC),
    VALUE(cells, INTEGER, "Cells of the model", .flags = PUBLIC),
    VALUE(records, INTEGER, "Synthetic records", .flags = PUBLIC),
    VALUE(charged, TEXT, "Charge to the ledger", .flags = PUBLIC),
    VALUE(left, TEXT, "Remaining budget in the ledger", .flags = PUBLIC),
    TABLE_OUT(measured, "marginal:text cells:integer sigma:real",
              "Each measured marginal: number of cells and standard deviation of the noise"),
    RELEASED("The synthetic table"),
    END,
};

const Method synth_private = {
    .group = "synth",
    .name = "private",
    .summary = "Synthetic data with differential privacy from noisy marginals",
    .source = "McKenna, Miklau & Sheldon 2021; McKenna et al. 2022",
    .params = params,
    .size = sizeof(PrivateArgs),
    .traits = PERTURBS | RANDOM | PROMISES | UNAUDITED | IDENTITY | ATTRIBUTE | INFERENTIAL,
    .run = private_run,
    .values = values,
    .example =
        "scrim synth private examples/clinic.csv --schema examples/schema.yaml --method mst --epsilon 2 --delta 0.000001 --no-ledger",
};
