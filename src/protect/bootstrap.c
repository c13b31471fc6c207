/* protect.bootstrap: the privacy bootstrap: noise from the data's own distribution, one donor record for all columns. Defined after
 * Bowden & Sim 1992: docs/methods/protect-bootstrap.md. */
#include "base/elementary.h"
#include "base/number_text.h"
#include "protect/donors.h"
#include "protect/changed_table.h"

typedef struct {
    const Table *data;
    Columns vars, strata;
    double alpha, beta;
} args;

static const Param params[] = {
    TABLE(args, data, "Table to protect", .flags = REQUIRED | POSITIONAL),
    COLUMNS(args, vars, data, "Columns to perturb", .flags = REQUIRED | NUMERIC, .role = "numeric"),
    REAL(args, alpha, 1, 0, 1e6, "α: weight of the donor's deviation from the mean. Larger = more protection"),
    REAL(args, beta, 1, 0, 1e6, "β: weight of the record's own deviation. Smaller = more protection", .flags = EXCLUSIVE),
    COLUMNS(args, strata, data, "Donors come from the record's own stratum"),
    END,
};

enum { BLOCK = 1 << 12 };
typedef struct {
    const args *a;
    const double **x;
    double **y;
    Strata strata;
    Donors donors;
    RandomStream stream;
} Bootstrap;

/* Bowden & Sim 1992: X_i = β·x_i + α·(x*_i − x̄). */
static Status mask_block(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    Bootstrap *b = self;
    uint64_t words[BLOCK];
    (void)block, (void)error;
    stream_words(&b->stream, (uint64_t)first, (size_t)(last - first), words);
    for (int64_t i = first; i < last; i++) {
        const DonorPool *pool = &b->donors.pool[b->strata.of[i]];
        int64_t donor = donor_of(pool, words[i - first]);
        for (int64_t j = 0; j < b->a->vars.count; j++)
            b->y[j][i] = b->a->beta * b->x[j][i] + b->a->alpha * donor_deviation(pool, b->x[j], donor, j);
    }
    return OK;
}

static void say(Run *run, const Bootstrap *b) {
    char alpha[33], beta[33];
    real_short(b->a->alpha, 6, alpha);
    real_short(b->a->beta, 6, beta);
    result_real(run->result, "mean_ratio", b->a->beta);
    result_real(run->result, "variance_ratio", b->a->alpha * b->a->alpha + b->a->beta * b->a->beta);
    result_note(run->result,
                "To correct: divide means by %s, and variances and covariances by %s² + %s². Correlations and regressions among these "
                "columns need no correction.",
                beta, alpha, beta);
    result_note(run->result,
                "Donors are the %lld records with a value in every column, their deviations stretched to the variance of all values of the "
                "column; missing values stay missing.",
                (long long)b->donors.whole.count);
    if (b->donors.borrowed)
        result_note(run->result, "%lld of %lld strata have fewer than two donors and use donors from the whole table.",
                    (long long)b->donors.borrowed, (long long)b->strata.count);
}

static Status bootstrap_run(Run *run, const void *p) {
    const args *a = p;
    Status status = OK;
    Work *work = &run->work;
    Column **made = NULL;
    Bootstrap b = { .a = a, .stream = run_stream(run, NULL, "donor") };
    NEW(work, made, a->vars.count + 1);
    NEW(work, b.x, a->vars.count + 1);
    NEW(work, b.y, a->vars.count + 1);
    for (int64_t j = 0; j < a->vars.count; j++) {
        TRY(column_reals(work, a->vars.at[j], &b.x[j]));
        NEW(work, b.y[j], a->data->rows + 1);
    }
    TRY(strata_make(work, a->strata, a->data->rows, &b.strata));
    if (a->data->rows) TRY(donors_make(work, b.x, a->vars.count, &b.strata, &b.donors));
    TRY(parallel_for(work, a->data->rows, BLOCK, mask_block, &b));
    for (int64_t j = 0; j < a->vars.count; j++) TRY(column_of_draws(a->vars.at[j], b.y[j], &made[j], work->error));
    TRY(output_changed(run, a->data, made, a->vars.count));
    say(run, &b);
done:
    columns_release(made, a->vars.count);
    return status;
}

static const Return values[] = {
    CHANGED_VALUES,
    VALUE(mean_ratio, REAL, "Expected mean of the release over that of the original: β", .flags = PUBLIC),
    VALUE(variance_ratio, REAL, "Expected variance of the release over that of the original: α² + β²", .flags = PUBLIC),
    RELEASED("The protected table"),
    END,
};

const Method protect_bootstrap = {
    .group = "protect",
    .name = "bootstrap",
    .summary = "Privacy bootstrap: add the deviation of a random donor record to numeric values",
    .source = "Bowden & Sim 1992",
    .params = params,
    .size = sizeof(args),
    .traits = PERTURBS | RANDOM | IDENTITY | ATTRIBUTE,
    .run = bootstrap_run,
    .values = values,
    .example = "scrim protect bootstrap examples/clinic.csv --vars income,cholesterol --alpha 0.3",
};
