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
    TEXT(ReleaseArgs, query, NULL, "Statistics to release, separated by semicolons, each with 'where' and 'by' if needed",
         .flags = REQUIRED),
    SCHEMA(ReleaseArgs, schema, data,
           "Public description of the table: types, bounds, categories, definition of a person. The table is read accordingly"),
    PAIRS(ReleaseArgs, bounds, 2,
          "Public bounds of the columns, known without looking at the data; values beyond them are clamped: age:0:100"),
    EXPR(ReleaseArgs, where, data, "Only these records, in every query"),
    CHOICE(ReleaseArgs, neighbours, "global",
           "Neighbouring tables: global (all tables within the bounds), leave-one-out (this table without one record), worlds (all values "
           "of the unknown record)",
           WORDS("global", "leave-one-out", "worlds")),
    CHOICE(ReleaseArgs, unit, "replace-one",
           "Neighbouring relation: replace-one (one person is replaced by another) or add-remove (one person is added or removed)",
           WORDS("replace-one", "add-remove")),
    COLUMN(ReleaseArgs, person, data, "Column that identifies the person. Of a person's records --max-records are drawn at random"),
    INT(ReleaseArgs, max_records, 1, 1, 1000000, "With --person: records of one person that count"),
    ONLY_WITH("max_records", "person"),
    INT(ReleaseArgs, group, 1, 1, 100000, "Protect groups of this many people"),
    REAL(ReleaseArgs, epsilon, ABSENT, 0, 1000,
         "Guarantee: ε-differential privacy; with --delta (ε, δ). Smaller = more privacy, more noise", .flags = EXCLUSIVE),
    REAL(ReleaseArgs, delta, ABSENT, 0, 1,
         "δ of the guarantee, or of the threshold for groups whose keys are not public. Smaller = more privacy", .flags = EXCLUSIVE),
    REAL(ReleaseArgs, zcdp, ABSENT, 0, INFINITY, "Guarantee: ρ-zero-concentrated differential privacy. Smaller = more privacy, more noise",
         .flags = EXCLUSIVE),
    REAL(ReleaseArgs, gdp, ABSENT, 0, INFINITY, "Guarantee: μ-Gaussian differential privacy. Smaller = more privacy, more noise",
         .flags = EXCLUSIVE),
    REAL(ReleaseArgs, auc, ABSENT, 0.5, 1, "Guarantee (ROC privacy): area under the ROC curve of two releases, 0.5 (best privacy) to 1",
         .flags = EXCLUSIVE),
    REALS(ReleaseArgs, noncentrality, 0, INFINITY,
          "Guarantee (ROC privacy): noncentrality Δ²/(2σ²) of each query, one number or one for each"),
    REAL(
        ReleaseArgs, identifiability, ABSENT, 0, 1,
        "Guarantee: differential identifiability ρ, the largest probability with which an individual is identified. Smaller = more privacy",
        .flags = EXCLUSIVE),
    ONE_OF("epsilon", "zcdp", "gdp", "auc", "noncentrality", "identifiability"),
    INT(ReleaseArgs, worlds, ABSENT, 2, 9e15, "Number of possible worlds that the adversary considers"),
    REAL(ReleaseArgs, prior, ABSENT, 0, 1, "Largest prior probability of a world", .flags = EXCLUSIVE),
    TABLE(ReleaseArgs, priors, "Prior probabilities of the worlds: columns value, prior"),
    TABLE(ReleaseArgs, universe, "Everyone who could be in the table, one per row"),
    INT(ReleaseArgs, known, ABSENT, 0, 9e15, "Records that the adversary knows, of a table drawn from --universe (default: all but one)"),
    FLAG(ReleaseArgs, tight, "Smallest noise whose worst-case risk over all responses satisfies --identifiability"),
    FLAG(ReleaseArgs, contributions, "List the contribution of each possible individual"),
    FLAG(
        ReleaseArgs, show_scales,
        "With leave-one-out or worlds, for the data custodian only: take the scales from this table, as in the papers, and show them. They "
        "disclose information about its records"),
    FLAG(ReleaseArgs, smooth, "Smooth sensitivity for the median and quantiles, with --epsilon and --delta"),
    TABLE(ReleaseArgs, public_keys, "All possible group keys, one per row: then no threshold is needed"),
    CHOICE(ReleaseArgs, select, "threshold",
           "Selection of group keys that are not public: threshold (on the noisy count) or optimal (by the number of people; Desfontaines "
           "et al. 2022)",
           WORDS("threshold", "optimal")),
    LEDGER(ReleaseArgs, ledger, "Ledger to charge (default: INPUT.ledger if it exists)", .flags = SECRET),
    TEXT(ReleaseArgs, request, NULL, "Identifier of this request: the same identifier is charged once", .flags = BOOKKEEPING),
    TEXT(ReleaseArgs, analyst, NULL, "Analyst who asks, if the ledger has budgets by analyst", .flags = BOOKKEEPING),
    TEXT(ReleaseArgs, account, NULL, "Project that pays, if the ledger has accounts", .flags = BOOKKEEPING),
    FLAG(ReleaseArgs, nonnegative, "tree: make counts non-negative and additive"),
    FLAG(ReleaseArgs, dry_run, "Show scales, expected errors and the charge. Nothing is charged, and no record is read",
         .flags = BOOKKEEPING),
    FLAG(ReleaseArgs, no_ledger, "Release without a ledger: no charge is recorded", .flags = BOOKKEEPING),
    FLAG(ReleaseArgs, insecure_reproducible, "For tests only: draw the noise from --seed. Anyone who knows the seed can remove the noise",
         .flags = BOOKKEEPING),
    END,
};

static const Return values[] = {
    VALUE(epsilon, REAL, "ε of the whole release. Smaller is safer", .flags = PUBLIC),
    VALUE(delta, REAL, "δ of the whole release. Smaller is safer", .flags = PUBLIC),
    VALUE(zcdp, REAL, "ρ of the whole release. Smaller is safer", .flags = PUBLIC),
    VALUE(gdp_mu, REAL, "μ of the whole release. Smaller is safer", .flags = PUBLIC),
    VALUE(identifiability, REAL, "Largest probability with which an individual is identified. Smaller is safer", .flags = PUBLIC),
    VALUE(worlds, REAL, "Number of possible worlds that the adversary considers", .flags = PUBLIC),
    VALUE(noncentrality, REAL, "Noncentrality Δ²/(2σ²), summed over everything released. Smaller is safer", .flags = PUBLIC),
    VALUE(noncentrality_joint, REAL, "The same, with changes that one and the same record makes", .flags = PUBLIC),
    VALUE(auc, REAL, "Area under the ROC curve of two releases if the adversary does not know the signs of the changes. 0.5 = chance",
          .flags = PUBLIC),
    VALUE(auc_direction, REAL, "The same if the adversary knows the signs of the changes", .flags = PUBLIC),
    VALUE(auc_informed, REAL, "Area under the ROC curve of one release if the adversary knows the table and the change. 0.5 = chance",
          .flags = PUBLIC),
    VALUE(auc_joint, REAL, "Area under the ROC curve of two releases with changes that one and the same record makes", .flags = PUBLIC),
    VALUE(sensitivity, REAL, "Sensitivity: largest change of the answer by one person (for a single number)", .flags = PUBLIC),
    VALUE(scale, REAL, "Scale of the noise: b of the discrete Laplace, σ of the discrete Gaussian", .flags = PUBLIC),
    VALUE(noise_ratio, REAL, "Mean |noise| over the width of the column's bounds, for a single number in the column's unit",
          .flags = PUBLIC),
    VALUE(threshold, REAL, "Noisy count from which a group is shown, if keys are not public", .flags = PUBLIC),
    VALUE(roc_auc, REAL, "roc: area under the noisy ROC curve", .flags = PUBLIC),
    TABLE_OUT(curve, "query:text threshold:real fpr:real tpr:real", "roc: the noisy curve, a point at each end of a bin", .flags = PUBLIC),
    TABLE_OUT(tests, "query:text chi_squared:real df:real p_value:real",
              "chisq: statistic of the noisy table, and p-value under independence, including noise and sampling"),
    VALUE(promise, TEXT, "The guarantee in one sentence", .flags = PUBLIC),
    VALUE(cost, TEXT, "With --dry-run: charge of this release"),
    VALUE(cost_delta, REAL, "With --dry-run: δ charged in addition"),
    VALUE(request_hash, TEXT, "With --dry-run: what identifies the request. Requests with the same hash are charged once"),
    VALUE(charged, TEXT, "Charge of this release"),
    VALUE(charged_delta, REAL, "δ charged in addition"),
    VALUE(left, TEXT, "Remaining budget in the ledger"),
    VALUE(currency, TEXT, "Unit of the ledger's budget"),
    TABLE_OUT(ranges, "column:text low:real high:real schema:text",
              "bounds: the estimated bounds, and the line that declares the column in a schema", .flags = PUBLIC),
    TABLE_OUT(answers, "query:text group:text answer:real lower:real upper:real sensitivity:real scale:real",
              "The answers, with the 95% interval of their noise", .flags = PUBLIC),
    TABLE_OUT(parts, "query:text part:text numbers:integer sensitivity:real scale:real grid:real",
              "The noisy numbers from which the answers are computed, and their noise"),
    TABLE_OUT(expected, "query:text term:text half_width:real ranks:real",
              "With --dry-run: with probability 0.95 the noise is at most half_width, or the rank error at most ranks"),
    TABLE_OUT(
        sensitive_ranges, "query:text range:real scale:real global_range:real global_scale:real",
        "With --show-scales and worlds: the range S(f) over the possible worlds of this table and its scale, and those over all tables, "
        "which a release uses"),
    TABLE_OUT(contributions, "value:real contribution:real", "Largest change of the answer by each possible individual"),
    END,
};

Status plan_measure(Plan *plan, Measure measure, int64_t elements, int64_t *out) {
    Status status = OK;
    GROW(plan->work, plan->measure, plan->measure_room, plan->measures + 1);
    measure.count = elements;
    NEW(plan->work, measure.value, elements + 1);
    if (measure.l1 > UINT64_C(1) << 61 || (!measure.exact && measure.l1 == 0))
        TRY(fail(plan->work->error, BAD, "one person changes this answer by more than can be computed, or not at all"));
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

static Status other_unit(Plan *plan) {
    fail(plan->work->error, BAD, "contradicts the schema, which says %s", plan->unit == ADD_REMOVE ? "add-remove" : "replace-one");
    return error_parameter(plan->work->error, "unit");
}

/* Who is a person, and what a neighbour is: the schema says so where it does, and what is asked beside it must agree. */
static Status plan_people(Plan *plan) {
    const ReleaseArgs *a = plan->args;
    const Schema *s = a->schema;
    plan->unit = s && s->unit ? (s->unit == SCHEMA_ADD_REMOVE ? ADD_REMOVE : REPLACE_ONE) : a->unit;
    plan->person = a->person;
    plan->max_records = a->max_records;
    if (s && s->unit && args_find(plan->run->given, "unit") && a->unit != plan->unit) return other_unit(plan);
    if (s && a->person && (!s->person || strcmp(s->person, a->person->name) || a->max_records != s->max_records)) {
        fail(plan->work->error, BAD, "contradicts what the schema says about persons and their records");
        return error_parameter(plan->work->error, "person");
    }
    if (!s || !s->person) return OK;
    plan->max_records = s->max_records;
    return table_need(a->data, s->person, &plan->person, plan->work->error);
}

/* Some kinds of query know of all tables only. */
static Status check_neighbours(const Query *q, Error *error) {
    static const char *const why[] = { [QUERY_REGRESSION] = "a regression is made of sums",
                                       [QUERY_LOGISTIC] = "objective perturbation is a guarantee for all tables",
                                       [QUERY_TREE] = "a tree is made of counts",
                                       [QUERY_BOUNDS] = "bounds are made of counts",
                                       [QUERY_CHISQ] = "a test of independence is made of counts",
                                       [QUERY_ROC] = "a ROC curve is made of counts" };
    const char *found = q->kind < sizeof why / sizeof *why ? why[q->kind] : NULL;
    return found ? fail(error, BAD, "%s: %s, which only --neighbours global supports", q->text, found) : OK;
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

/* The custodian's own scales may all be 0: told as they are, the answers would cost nothing, and hold for no other table. */
static Status check_moved(Plan *plan) {
    bool moved = !plan->args->show_scales || !plan->measures;
    for (int64_t b = 0; b < plan->measures; b++) moved |= !plan->measure[b].exact;
    if (moved) return OK;
    fail(plan->work->error, BAD, "%s: no single record of this table changes this answer, so leave-one-out adds no noise",
         plan->query[plan->measure[0].query].text);
    return error_advice(plan->work->error, "Declare --bounds and use --neighbours global.");
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
    TRY(check_moved(plan));
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
        fail(run->work.error, BAD, "draws test noise, which a ledger must not record: it would be returned as a release later");
        error_parameter(run->work.error, "insecure-reproducible");
        return error_advice(run->work.error, "Add --no-ledger and leave --ledger out.");
    }
    if (a->ledger && a->no_ledger) return ledger_or_none(a->ledger, true, run->work.error);
    if (a->ledger || a->no_ledger || a->dry_run) return OK;
    const char *name = a->data->name ? a->data->name : "DATA";
    Status none = ledger_or_none(NULL, false, run->work.error);
    error_advice(run->work.error,
                 "Create one with `scrim ledger create %s.ledger --budget epsilon=1`, or name one with --ledger. With --no-ledger nothing "
                 "is recorded.",
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
    .summary = "Noisy statistics under differential privacy or another formal guarantee, charged to a ledger",
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
