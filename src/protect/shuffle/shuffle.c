/* protect.shuffle: data shuffling: confidential values change places so that marginals stay exact and rank correlations are kept. Defined
 * after Sarathy & Muralidhar 2002; Muralidhar & Sarathy 2006: docs/methods/protect-shuffle.md. */
#include "protect/shuffle/shuffle.h"
#include "base/elementary.h"
#include "base/extremes.h"
#include "math/linear/moments.h"
#include "math/ranks.h"
#include "protect/changed_table.h"

typedef struct {
    const Table *data;
    Columns confidential, nonconfidential, strata;
} args;

static const Param params[] = {
    TABLE(args, data, "Table to protect", .flags = REQUIRED | POSITIONAL),
    COLUMNS(args, confidential, data, "Confidential columns whose values are shuffled", .flags = REQUIRED | NUMERIC, .role = "numeric"),
    COLUMNS(args, nonconfidential, data, "Columns that stay unchanged, and whose relations with the shuffled ones are preserved"),
    COLUMNS(args, strata, data, "Values are shuffled within each stratum"),
    END,
};

enum { MOST_WORDS = 100 };

/* A column of words becomes one 0/1 column for each word but the first. */
static Status add_dummies(Shuffle *s, const Column *column) {
    Status status = OK;
    Work *work = &s->run->work;
    Codes codes;
    TRY(column_codes(work, column, &codes));
    if (codes.count > MOST_WORDS) {
        fail(work->error, BAD, "has %d values: too many for a categorical column beside the shuffled ones (at most %d)", codes.count,
             MOST_WORDS);
        TRY(error_column(work->error, column->name));
    }
    for (int32_t c = 1; c < codes.count; c++) {
        double *dummy = NULL;
        NEW(work, dummy, s->rows + 1);
        for (int64_t i = 0; i < s->rows; i++) dummy[i] = codes.at[i] < 0 ? NAN : codes.at[i] == c;
        GROW(work, s->x, s->room, s->confidential + s->others + 1);
        s->x[s->confidential + s->others++] = dummy;
    }
done:
    return status;
}

/* A missing value of S tells something, too: 0 in its place (of ranks and scores their middle), and a 0/1 column for each missing code. */
static Status add_indicators(Shuffle *s, const Column *column) {
    Status status = OK;
    const int64_t codes = column->about ? column->about->missing : 0;
    for (int64_t c = 0; c < MISSING_CODE_FIRST + codes; c++) {
        double *dummy = NULL;
        int64_t ones = 0;
        NEW(&s->run->work, dummy, s->rows + 1);
        for (int64_t i = 0; i < s->rows; i++) {
            dummy[i] = column_missing(column, i) && (column->reason ? column->reason[i] : MISSING_CODE_NONE) == c;
            ones += dummy[i] > 0;
        }
        if (!ones || ones == s->rows) continue;
        GROW(&s->run->work, s->x, s->room, s->confidential + s->others + 1);
        s->x[s->confidential + s->others++] = dummy;
    }
done:
    return status;
}

/* Records without any confidential value have no part in the model. */
static Status leave_unused(Shuffle *s) {
    Status status = OK;
    uint8_t *used = NULL;
    int64_t count = 0;
    NEW(&s->run->work, used, s->rows + 1);
    for (int64_t i = 0; i < s->rows; i++) {
        for (int64_t j = 0; j < s->confidential; j++) used[i] = used[i] || !isnan(s->x[j][i]);
        count += used[i];
    }
    s->used = used;
    for (int64_t k = s->confidential; count < s->rows && k < s->confidential + s->others; k++) {
        double *some = NULL;
        NEW(&s->run->work, some, s->rows + 1);
        for (int64_t i = 0; i < s->rows; i++) some[i] = used[i] ? s->x[k][i] : NAN;
        s->x[k] = some;
    }
done:
    return status;
}

static Status gather_columns(Shuffle *s, const args *a) {
    Status status = OK;
    Work *work = &s->run->work;
    GROW(work, s->x, s->room, a->confidential.count + a->nonconfidential.count + 1);
    NEW(work, s->stream, a->confidential.count + 1);
    for (int64_t j = 0; j < a->confidential.count; j++) {
        TRY(column_reals(work, a->confidential.at[j], &s->x[j]));
        s->stream[j] = run_stream(s->run, a->confidential.at[j]->name, "shuffle");
    }
    for (int64_t k = 0; k < a->nonconfidential.count; k++) {
        const Column *column = a->nonconfidential.at[k];
        for (int64_t j = 0; j < a->confidential.count; j++)
            if (a->confidential.at[j] == column) {
                fail(work->error, BAD, "is both confidential and nonconfidential");
                TRY(error_column(work->error, column->name));
            }
        if (column->type == CATEGORY_TYPE || column->type == TEXT_TYPE) TRY(add_dummies(s, column));
        else {
            GROW(work, s->x, s->room, s->confidential + s->others + 1);
            GROW(work, s->source, s->sources, s->others + 1);
            s->source[s->others] = column;
            TRY(column_reals(work, column, &s->x[s->confidential + s->others++]));
        }
        TRY(add_indicators(s, column));
    }
    GROW(work, s->source, s->sources, s->others + 1); /* of what is no number, NULL */
    TRY(leave_unused(s));
done:
    return status;
}

/* Ranks over the whole table, of the values alone. */
static Status table_ranks(Shuffle *s, const double **ranks) {
    Status status = OK;
    for (int64_t j = 0; j < s->confidential + s->others; j++) {
        double *own = NULL;
        NEW(&s->run->work, own, s->rows + 1);
        TRY(mid_ranks(&s->run->work, s->x[j], s->rows, own));
        ranks[j] = own;
    }
done:
    return status;
}

/* Spearman's correlations before and after: a released value has the rank of the record it came from. */
static Status say_correlations(Shuffle *s, const args *a) {
    Status status = OK;
    Work *work = &s->run->work;
    int64_t p = s->confidential, n = p + s->others;
    const double **before = NULL, **after = NULL;
    double worst = 0;
    Moments old, new;
    NEW(work, before, n + 1);
    NEW(work, after, n + 1);
    TRY(table_ranks(s, before));
    for (int64_t j = 0; j < n; j++) {
        double *moved = NULL;
        after[j] = before[j];
        if (j >= p) continue;
        NEW(work, moved, s->rows + 1);
        for (int64_t i = 0; i < s->rows; i++) moved[i] = s->from[j][i] < 0 ? NAN : before[j][s->from[j][i]];
        after[j] = moved;
    }
    TRY(moments_make(work, before, n, NULL, s->rows, &old));
    TRY(moments_make(work, after, n, NULL, s->rows, &new));
    Grid *grid = grid_new(s->run->result, "correlations", "variable:text other:text original:real released:real difference:real");
    for (int64_t j = 0; j < p; j++)
        for (int64_t k = j + 1; k < n; k++) {
            double was = moments_correlation(&old, j, k), is = moments_correlation(&new, j, k);
            worst = larger_known(worst, fabs(is - was)); /* a constant column has no correlation */
            if (k >= p && !s->source[k - p]) continue;
            grid_text(grid, a->confidential.at[j]->name);
            grid_text(grid, k < p ? a->confidential.at[k]->name : s->source[k - p]->name);
            grid_real(grid, was);
            grid_real(grid, is);
            grid_real(grid, is - was);
        }
    grid_done(grid);
    result_real(s->run->result, "largest_change", n > 1 ? worst : NAN);
done:
    return status;
}

static void say(Shuffle *s) {
    int64_t pooled = 0;
    for (int64_t k = 0; k < s->strata.count; k++) pooled += s->fit[k].pooled;
    result_note(s->run->result,
                "Every confidential column keeps its values exactly, and rank correlations are preserved up to chance. Given the "
                "nonconfidential columns, the release discloses nothing about a record's own confidential values.");
    if (pooled)
        result_note(s->run->result, "%lld of %lld strata are too small for their own correlations and share those pooled over strata.",
                    (long long)pooled, (long long)s->strata.count);
    result_note(s->run->result, "Correlations are over the records that have every confidential value; missing values stay missing. A "
                                "missing nonconfidential value enters with an indicator of its own.");
}

/* Released and own scores have the correlation R² of the regression on the nonconfidential columns: does that leave most of the released
 * value to chance? */
static bool drawn_freely(const Shuffle *s, int64_t j) {
    static const double least = 0.7;
    for (int64_t k = 0; k < s->strata.count; k++) {
        double own = 0;
        for (int64_t i = 0; i <= j; i++) own += s->fit[k].root[j * s->confidential + i] * s->fit[k].root[j * s->confidential + i];
        if (!(own >= least)) return false;
    }
    return true;
}

static Status shuffle_run(Run *run, const void *p) {
    const args *a = p;
    Status status = OK;
    Work *work = &run->work;
    Column **made = NULL;
    Shuffle s = { .run = run, .rows = a->data->rows, .confidential = a->confidential.count };
    NEW(work, made, a->confidential.count + 1);
    TRY(strata_make(work, a->strata, s.rows, &s.strata));
    TRY(gather_columns(&s, a));
    TRY(shuffle_rank(&s));
    TRY(shuffle_fit(&s));
    TRY(shuffle_draw(&s));
    for (int64_t j = 0; j < s.confidential; j++) TRY(column_of_rows(a->confidential.at[j], s.from[j], &made[j], work->error));
    for (int64_t j = 0; j < s.confidential; j++)
        if (drawn_freely(&s, j)) TRY(column_treat(made[j], treatment_of_amount(TREATED_SHUFFLED, 0), work->error));
    TRY(output_changed(run, a->data, made, s.confidential));
    TRY(say_correlations(&s, a));
    say(&s);
done:
    columns_release(made, a->confidential.count);
    return status;
}

static const Return values[] = {
    CHANGED_VALUES,
    VALUE(largest_change, REAL, "Largest change of a rank correlation. 0 = unchanged", .flags = PUBLIC),
    TABLE_OUT(correlations, "variable:text other:text original:real released:real difference:real",
              "Spearman correlations with each confidential column, before and after"),
    RELEASED("The protected table"),
    END,
};

const Method protect_shuffle = {
    .group = "protect",
    .name = "shuffle",
    .summary = "Data shuffling: preserve marginal distributions and rank correlations",
    .source = "Sarathy & Muralidhar 2002; Muralidhar & Sarathy 2006",
    .params = params,
    .size = sizeof(args),
    .traits = PERTURBS | RANDOM | IDENTITY | ATTRIBUTE,
    .run = shuffle_run,
    .values = values,
    .example = "scrim protect shuffle examples/clinic.csv --confidential income,cholesterol --nonconfidential age,visits",
};
