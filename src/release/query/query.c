/* release.query: statistics of a table, released with noise that keeps a promise and is debited to a ledger. Defined after Dwork 2006;
 * Matthews & Harel 2012; Lee & Clifton 2012; Canonne, Kamath & Steinke 2020: docs/methods/release-query.md. */
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "base/number_text.h"
#include "base/text.h"
#include "release/query/query.h"

static const Param params[] = {
    TABLE(ReleaseArgs, data, "The confidential table", .flags = REQUIRED | POSITIONAL),
    TEXT(ReleaseArgs, query, NULL, "What to release: queries apart by ';', each with 'where' and 'by' if need be", .flags = REQUIRED),
    SCHEMA(ReleaseArgs, schema, data,
           "What is public about the table: types, bounds, categories, who is a person; the table is read as it says"),
    PAIRS(ReleaseArgs, bounds, 2, "Bounds of the columns, known without looking at the data; values beyond them are clamped: age:0:100"),
    EXPR(ReleaseArgs, where, data, "Only these records, in every query"),
    CHOICE(ReleaseArgs, neighbours, "global",
           "Whose tables are compared: global (all tables, from the bounds), leave-one-out (tables without one of their "
           "records), worlds (all that the unknown record could be)",
           WORDS("global", "leave-one-out", "worlds")),
    CHOICE(ReleaseArgs, unit, "replace-one", "One person: replaced by another, or added and removed", WORDS("replace-one", "add-remove")),
    COLUMN(ReleaseArgs, person, data, "Whose record each is; one person's records beyond --max-records are left out"),
    INT(ReleaseArgs, max_records, 1, 1, 1000000, "Records of one person that count, with --person"),
    ONLY_WITH("max_records", "person"),
    INT(ReleaseArgs, group, 1, 1, 100000, "Promise for groups of this many people"),
    REAL(ReleaseArgs, epsilon, ABSENT, 0, 1000, "The promise: ε-differential privacy; with --delta (ε, δ)", .flags = EXCLUSIVE),
    REAL(ReleaseArgs, delta, ABSENT, 0, 1, "δ of the promise, or of the threshold on groups whose keys are not public", .flags = EXCLUSIVE),
    REAL(ReleaseArgs, zcdp, ABSENT, 0, INFINITY,
         "Guarantee: ρ of zero-concentrated differential privacy. Smaller = more privacy, more noise", .flags = EXCLUSIVE),
    REAL(ReleaseArgs, gdp, ABSENT, 0, INFINITY, "The promise: μ-Gaussian differential privacy", .flags = EXCLUSIVE),
    REAL(ReleaseArgs, auc, ABSENT, 0.5, 1, "The promise: area under the ROC curve of two releases", .flags = EXCLUSIVE),
    REALS(ReleaseArgs, noncentrality, 0, INFINITY, "The promise: Δ²/(2σ²) of each query, one number or one for each"),
    REAL(ReleaseArgs, identifiability, ABSENT, 0, 1, "The promise: no one is named with more than this probability", .flags = EXCLUSIVE),
    ONE_OF("epsilon", "zcdp", "gdp", "auc", "noncentrality", "identifiability"),
    INT(ReleaseArgs, worlds, ABSENT, 2, 9e15, "Possible worlds that the adversary weighs"),
    REAL(ReleaseArgs, prior, ABSENT, 0, 1, "Largest probability that the adversary gives any one world beforehand", .flags = EXCLUSIVE),
    TABLE(ReleaseArgs, priors, "Probabilities of the worlds beforehand: columns value, prior"),
    TABLE(ReleaseArgs, universe, "Everyone who could be in the table, one a row"),
    INT(ReleaseArgs, known, ABSENT, 0, 9e15,
        "Records that the adversary knows, of a table drawn from --universe; all but one unless given"),
    FLAG(ReleaseArgs, tight, "The least noise whose worst risk over all responses keeps --identifiability"),
    FLAG(ReleaseArgs, contributions, "List the contribution of each possible individual"),
    FLAG(ReleaseArgs, show_scales,
         "With leave-one-out, for the steward's eyes: take the scales from this table, as the paper does, and show what tells of its "
         "records"),
    FLAG(ReleaseArgs, smooth, "Smooth sensitivity for the median and quantiles, with --epsilon and --delta"),
    TABLE(ReleaseArgs, public_keys, "All keys that groups can have, one a row: no threshold is needed then"),
    CHOICE(ReleaseArgs, select, "threshold",
           "How keys that are not public are shown: threshold (on their noisy count) or optimal (by how many people have them; "
           "Desfontaines et al. 2022)",
           WORDS("threshold", "optimal")),
    LEDGER(ReleaseArgs, ledger, "The ledger that is debited; INPUT.ledger where that is there", .flags = SECRET),
    TEXT(ReleaseArgs, request, NULL, "An id of this request: the same id is charged once", .flags = BOOKKEEPING),
    TEXT(ReleaseArgs, analyst, NULL, "Who asks, where the ledger has budgets by analyst", .flags = BOOKKEEPING),
    TEXT(ReleaseArgs, account, NULL, "Project that pays, if the ledger has accounts", .flags = BOOKKEEPING),
    FLAG(ReleaseArgs, nonnegative, "tree: no count below 0, and all of them still add up"),
    FLAG(ReleaseArgs, dry_run, "Show scales and expected errors, and what it would cost: nothing is charged, and no cell is looked at",
         .flags = BOOKKEEPING),
    FLAG(ReleaseArgs, no_ledger, "Release without a ledger: nobody counts what is spent", .flags = BOOKKEEPING),
    FLAG(ReleaseArgs, insecure_reproducible, "Draw the noise from --seed, for tests: whoever knows the seed can take the noise off",
         .flags = BOOKKEEPING),
    END,
};

static const Return values[] = {
    VALUE(epsilon, REAL, "ε of the whole release", .flags = PUBLIC),
    VALUE(delta, REAL, "δ of the whole release", .flags = PUBLIC),
    VALUE(zcdp, REAL, "ρ of the whole release", .flags = PUBLIC),
    VALUE(gdp_mu, REAL, "μ of the whole release", .flags = PUBLIC),
    VALUE(identifiability, REAL, "Largest probability with which anyone is named", .flags = PUBLIC),
    VALUE(worlds, REAL, "Possible worlds that the adversary weighs", .flags = PUBLIC),
    VALUE(noncentrality, REAL, "Δ²/(2σ²), summed over everything released", .flags = PUBLIC),
    VALUE(noncentrality_joint, REAL, "The same, with the changes that one and the same record makes", .flags = PUBLIC),
    VALUE(auc, REAL, "The paper's area under the ROC curve between two releases, for who does not know the signs of the changes",
          .flags = PUBLIC),
    VALUE(auc_direction, REAL, "The same for who knows in which direction a record moves the answers", .flags = PUBLIC),
    VALUE(auc_informed, REAL, "Area for who knows the table and the change, and sees one release", .flags = PUBLIC),
    VALUE(auc_joint, REAL, "The paper's area with the changes that one and the same record makes", .flags = PUBLIC),
    VALUE(sensitivity, REAL, "How far one person moves the answer, where there is one number", .flags = PUBLIC),
    VALUE(scale, REAL, "Scale of its noise: b of the discrete Laplace, σ of the discrete Gaussian", .flags = PUBLIC),
    VALUE(noise_ratio, REAL, "Mean of |noise| over the width of the column's bounds, where there is one number in the column's own unit",
          .flags = PUBLIC),
    VALUE(threshold, REAL, "Noisy count from which on a group is shown, where keys are not public", .flags = PUBLIC),
    VALUE(roc_auc, REAL, "roc: area under the noisy curve", .flags = PUBLIC),
    TABLE_OUT(curve, "query:text threshold:real fpr:real tpr:real", "roc: the noisy curve, a point at each end of a bin", .flags = PUBLIC),
    TABLE_OUT(
        tests, "query:text chi_squared:real df:real p_value:real",
        "chisq: the statistic of the noisy table, and how often noise and sampling make it as large where the columns are independent"),
    VALUE(promise, TEXT, "What was promised, in one sentence", .flags = PUBLIC),
    VALUE(cost, TEXT, "With --dry-run: what this release would be charged"),
    VALUE(cost_delta, REAL, "With --dry-run: δ that it would be charged beside it"),
    VALUE(charged, TEXT, "What this release was charged"),
    VALUE(charged_delta, REAL, "δ that this release was charged beside it"),
    VALUE(left, TEXT, "What is left in the ledger"),
    VALUE(currency, TEXT, "What the ledger counts in"),
    TABLE_OUT(ranges, "column:text low:real high:real schema:text",
              "bounds: what was bought, and the line that declares the column in a schema", .flags = PUBLIC),
    TABLE_OUT(answers, "query:text group:text answer:real lower:real upper:real sensitivity:real scale:real",
              "The answers, with the 95% interval of their noise", .flags = PUBLIC),
    TABLE_OUT(parts, "query:text part:text numbers:integer sensitivity:real scale:real grid:real",
              "The noisy numbers that the answers are made of, and their noise"),
    TABLE_OUT(expected, "query:text term:text half_width:real ranks:real",
              "With --dry-run: the noise of an answer stays within half_width, or its rank within ranks, with probability 0.95"),
    TABLE_OUT(contributions, "value:real contribution:real", "How far each possible individual moves the answer"),
    END,
};

Status plan_measure(Plan *plan, Measure measure, int64_t elements, int64_t *out) {
    Status status = OK;
    GROW(plan->work, plan->measure, plan->measure_room, plan->measures + 1);
    measure.count = elements;
    NEW(plan->work, measure.value, elements + 1);
    if (measure.l1 > UINT64_C(1) << 61 || (!measure.exact && measure.l1 == 0))
        TRY(fail(plan->work->error, BAD, "one person moves this by more than can be counted, or not at all"));
    mpz_init(measure.variance);
    plan->measure[plan->measures] = measure;
    *out = plan->measures++;
done:
    return status;
}

Status plan_answer(Plan *plan, Answer answer) {
    Status status = OK;
    GROW(plan->work, plan->answer, plan->answer_room, plan->answers + 1);
    plan->answer[plan->answers++] = answer;
done:
    return status;
}

/* Who is a person, and what a neighbour is: the schema says so where it does, and what is asked beside it must agree. */
static Status plan_people(Plan *plan) {
    const ReleaseArgs *a = plan->args;
    const Schema *s = a->schema;
    plan->unit = s && s->unit == SCHEMA_ADD_REMOVE ? ADD_REMOVE : a->unit;
    plan->person = a->person;
    plan->max_records = a->max_records;
    if (s && s->unit == SCHEMA_REPLACE_ONE && a->unit == ADD_REMOVE) {
        fail(plan->work->error, BAD, "is not what the schema says: replace-one");
        return error_parameter(plan->work->error, "unit");
    }
    if (s && a->person && (!s->person || strcmp(s->person, a->person->name) || a->max_records != s->max_records)) {
        fail(plan->work->error, BAD, "is not what the schema says of persons and their records");
        return error_parameter(plan->work->error, "person");
    }
    if (!s || !s->person) return OK;
    plan->max_records = s->max_records;
    return table_need(a->data, s->person, &plan->person, plan->work->error);
}

/* Some kinds of query know of all tables only. */
static Status check_neighbours(const Query *q, Error *error) {
    static const char *const why[] = { [QUERY_REGRESSION] = "a regression is made of sums",
                                       [QUERY_LOGISTIC] = "objective perturbation promises for all tables",
                                       [QUERY_TREE] = "a tree is made of counts",
                                       [QUERY_BOUNDS] = "bounds are made of counts",
                                       [QUERY_CHISQ] = "a test of independence is made of counts",
                                       [QUERY_ROC] = "a ROC curve is made of counts" };
    const char *found = q->kind < sizeof why / sizeof *why ? why[q->kind] : NULL;
    return found ? fail(error, BAD, "%s: %s, and has no --neighbours but global", q->text, found) : OK;
}

Status plan_begin(Plan *plan, Run *run, const ReleaseArgs *a, Carry *carry) {
    Status status = OK;
    *plan = (Plan){ .run = run, .work = &run->work, .args = a, .carry = carry };
    TRY(plan_people(plan));
    TRY(query_parse(&run->work, a->data, a->query, &plan->queries, &plan->query));
    TRY(promise_read(plan));
    TRY(plan_rows(plan));
done:
    return status;
}

Status plan_queries(Plan *plan) {
    Status status = OK;
    static Status (*const plans[])(Plan *, int64_t) = { plan_global, plan_leave_one_out, plan_worlds };
    int curves = 0;
    for (int64_t q = 0; q < plan->queries; q++) {
        TRY(work_check(plan->work));
        if (plan->query[q].kind == QUERY_ROC && curves++) TRY(fail(plan->work->error, BAD, "a release holds one ROC curve"));
        if (plan->args->neighbours != GLOBAL) TRY(check_neighbours(&plan->query[q], plan->work->error));
        TRY(plans[plan->args->neighbours](plan, q));
    }
done:
    return status;
}

static Status plan_promise(Plan *plan) {
    Status status = promise_scales(plan);
    if (!status) promise_sentence(plan);
    return status;
}

Status plan_make(Plan *plan, Run *run, const ReleaseArgs *a) {
    Status status = OK;
    TRY(plan_begin(plan, run, a, NULL));
    TRY(plan_queries(plan));
    TRY(plan_promise(plan));
done:
    return status;
}

void plan_free(Plan *plan) {
    for (int64_t i = 0; i < plan->measures; i++) mpz_clear(plan->measure[i].variance);
    plan->measures = 0;
}

Status draw_answers(Plan *plan) {
    Status status = OK;
    RandomBits bits = { 0 };
    RandomStream stream = run_stream(plan->run, "", "noise");
    RandomReader reader = reader_make(&stream);
    TRY(plan->args->insecure_reproducible ? random_bits_open_reader(&bits, &reader, plan->work->error)
                                          : random_bits_open(&bits, plan->work->error));
    TRY(draw_noise(plan, &bits));
    TRY(form_answers(plan));
done:
    random_bits_close(&bits);
    return status;
}

Status check_secrecy(Run *run, const ReleaseArgs *a) {
    Status status = run_unseeded(run, a->insecure_reproducible);
    if (status) return status;
    if (a->insecure_reproducible && a->ledger) {
        fail(run->work.error, BAD, "draws a test, which a ledger must not hold: it would be given out as a release later");
        error_parameter(run->work.error, "insecure-reproducible");
        return error_advice(run->work.error, "Add --no-ledger and leave --ledger out.");
    }
    if (a->ledger || a->no_ledger || a->dry_run) return OK;
    const char *name = a->data->name ? a->data->name : "DATA";
    Status none = ledger_or_none(NULL, false, run->work.error);
    error_advice(
        run->work.error,
        "Create one with `scrim ledger create %s.ledger --budget epsilon=1`, or name yours with --ledger; --no-ledger releases without.",
        name);
    return none;
}

Status answer_plan(Plan *plan) {
    Status status = OK;
    TRY(plan_promise(plan));
    TRY(plan->args->ledger ? answer_by_ledger(plan) : draw_answers(plan));
    TRY(release_report(plan));
done:
    return status;
}

static Status query_run(Run *run, const void *p) {
    const ReleaseArgs *a = p;
    Status status = OK;
    Plan plan = { 0 };
    ReleaseArgs blank;
    Table *table = NULL;
    TRY(check_secrecy(run, a));
    if (a->dry_run) TRY(blank_arguments(run, a, &blank, &table));
    if (a->dry_run) {
        TRY(plan_make(&plan, run, &blank));
        TRY(report_expected(&plan));
        goto done;
    }
    TRY(plan_begin(&plan, run, a, NULL));
    TRY(plan_queries(&plan));
    TRY(answer_plan(&plan));
done:
    plan_free(&plan);
    table_release(table);
    return status;
}

const Method release_query = {
    .group = "release",
    .name = "query",
    .summary = "Release statistics with noise that keeps a promise, debited to a ledger",
    .source = "Dwork 2006; Matthews & Harel 2012; Lee & Clifton 2012; Canonne, Kamath & Steinke 2020",
    .params = params,
    .size = sizeof(ReleaseArgs),
    .traits = RANDOM | PROMISES | OWN_WHERE | UNAUDITED | IDENTITY | ATTRIBUTE | INFERENTIAL,
    .run = query_run,
    .parts = &query_parts,
    .values = values,
    .example =
        "scrim release examples/clinic.csv --query \"mean(age); histogram(smoker)\" --bounds age:18:95,smoker:0:1 --epsilon 1 --no-ledger",
};
