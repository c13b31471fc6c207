/* Reconstruction (Dinur & Nissim 2003): enough answers to subset sums, noisy as they may be, give a binary column back. */
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "base/number_text.h"
#include "math/lp/program.h"
#include "math/proportion.h"
#include "method/method.h"

typedef struct {
    const Table *answers;
    int64_t n;
    const Column *answer, *members;
    const Table *truth;
    const Column *sensitive;
} args;
static const Param params[] = {
    TABLE(args, answers, "Published sums, one per row: the records that were summed, and the answer", .flags = REQUIRED | POSITIONAL),
    INT(args, n, ABSENT, 1, 1000000, "Number of records", .flags = REQUIRED),
    COLUMN(args, answer, answers, "Column of the answers (default: answer)", .flags = NUMERIC),
    COLUMN(args, members, answers, "Column of the members: record numbers from 1, separated by spaces (default: members)"),
    TABLE(args, truth, "The true table, to judge the result"),
    COLUMN(args, sensitive, truth, "The 0/1 column that was summed", .flags = NUMERIC),
    END,
};
static const Return values[] = {
    VALUE(correct, REAL, "Share of records whose value is reconstructed correctly. Smaller is safer", .flags = PUBLIC),
    VALUE(queries, INTEGER, "Answers used", .flags = PUBLIC),
    VALUE(largest_error, REAL, "Largest difference between an answer and the sum of the reconstruction", .flags = PUBLIC),
    VALUE(baseline, REAL, "The same share if the more frequent value is guessed for all", .flags = PUBLIC),
    VALUE(gain, REAL, "correct − baseline. 0 = safe", .flags = PUBLIC),
    VALUE(lower, REAL, "Lower end of the 95% confidence interval of the gain", .flags = PUBLIC),
    VALUE(upper, REAL, "Upper end of the 95% confidence interval of the gain", .flags = PUBLIC),
    TABLE_OUT(reconstructed, "record:integer value:integer solution:real", "Reconstructed value of each record (with --show-records)"),
    END,
};

/* "1 5 7" into columns 0, 4, 6. */
static Status read_members(Run *run, const args *a, const Column *members, int64_t row, int32_t *out, int64_t *count) {
    char number[33];
    const char *text = column_cell(members, row, number), *at = text ? text : "";
    *count = 0;
    while (*at) {
        size_t length = strcspn(at, " ;");
        int64_t record;
        if (length && (!read_integer(at, at + length, &record) || record < 1 || record > a->n || *count >= a->n)) {
            fail(run->work.error, BAD, "members are record numbers from 1 to %lld, each once, separated by spaces", (long long)a->n);
            error_column(run->work.error, members->name);
            return error_row(run->work.error, row);
        }
        if (length) out[(*count)++] = (int32_t)(record - 1);
        at += length + (at[length] != 0);
    }
    return OK;
}

/* minimise Σ e_q, −e_q ≤ Σ_{i in q} x_i − a_q ≤ e_q, 0 ≤ x ≤ 1: variables x first, then e. Two rows to an answer. */
static Status build(Run *run, const args *a, const Column *answer, const Column *members, Program *out) {
    Status status = OK;
    int64_t queries = a->answers->rows;
    ProgramRow *rows = NULL;
    ProgramColumn *columns = NULL;
    int32_t *list = NULL;
    NEW(&run->work, rows, 2 * queries + 1);
    NEW(&run->work, columns, a->n + queries + 1);
    NEW(&run->work, list, a->n + 1);
    for (int64_t i = 0; i < a->n; i++) columns[i] = (ProgramColumn){ 0, 0, 1, false };
    for (int64_t q = 0; q < queries; q++) {
        int64_t count;
        int32_t *at = NULL;
        double *up = NULL, *down = NULL;
        TRY(read_members(run, a, members, q, list, &count));
        NEW(&run->work, at, count + 1);
        NEW(&run->work, up, count + 1);
        NEW(&run->work, down, count + 1);
        for (int64_t k = 0; k < count; k++) {
            at[k] = list[k];
            up[k] = down[k] = 1;
        }
        at[count] = (int32_t)(a->n + q);
        up[count] = -1;
        down[count] = 1;
        double value = column_number(answer, q);
        if (isnan(value)) {
            fail(run->work.error, BAD, "an answer is missing");
            TRY(error_row(run->work.error, q));
        }
        rows[2 * q] = (ProgramRow){ count + 1, at, up, -INFINITY, value };
        rows[2 * q + 1] = (ProgramRow){ count + 1, at, down, value, INFINITY };
        columns[a->n + q] = (ProgramColumn){ 1, 0, INFINITY, false };
    }
    *out = (Program){ .rows = 2 * queries, .columns = a->n + queries, .row = rows, .column = columns };
done:
    return status;
}

static void judge(Run *run, const args *a, const double *x) {
    double right = 0, ones = 0, n = 0, both = 0, only_now = 0, only_guess = 0;
    for (int64_t i = 0; i < a->n; i++) {
        double t = column_number(a->sensitive, i);
        if (!isnan(t)) {
            n++;
            ones += t;
        }
    }
    double guess = ones * 2 >= n ? 1 : 0;
    for (int64_t i = 0; i < a->n; i++) {
        double t = column_number(a->sensitive, i);
        if (isnan(t)) continue;
        bool now = round(x[i]) == t, before = guess == t;
        right += now;
        both += before;
        only_now += now && !before;
        only_guess += before && !now;
    }
    Interval gain = paired_interval(only_now, only_guess, n);
    result_real(run->result, "correct", right / n);
    result_real(run->result, "baseline", both / n);
    result_real(run->result, "gain", (right - both) / n);
    result_real(run->result, "lower", gain.low);
    result_real(run->result, "upper", gain.high);
}

static void unjudged(Run *run) {
    static const char *const names[] = { "correct", "baseline", "gain", "lower", "upper" };
    for (size_t v = 0; v < sizeof names / sizeof *names; v++)
        result_null(run->result, names[v], "Give --truth and --sensitive to judge the reconstruction.");
}

static double largest_error(const args *a, const Program *program, const double *x) {
    double most = 0;
    for (int64_t q = 0; q < a->answers->rows; q++) {
        const ProgramRow *row = &program->row[2 * q];
        double sum = 0;
        for (int64_t k = 0; k + 1 < row->count; k++) sum += round(x[row->column[k]]);
        most = larger(most, fabs(sum - row->high));
    }
    return most;
}

static Status check_truth(Run *run, const args *a) {
    if (!a->sensitive) return fail(run->work.error, BAD, "--truth needs --sensitive, the 0/1 column");
    if (a->truth->rows != a->n) return fail(run->work.error, BAD, "the true table does not have --n records");
    for (int64_t i = 0; i < a->n; i++) {
        double t = column_number(a->sensitive, i);
        if (isnan(t) || t == 0 || t == 1) continue;
        fail(run->work.error, BAD, "must hold only 0 and 1");
        return error_parameter(run->work.error, "sensitive");
    }
    return OK;
}

static Status reconstruction_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    const Column *answer = a->answer, *members = a->members;
    Program program;
    Solution solution;
    if (!answer) TRY(table_need(a->answers, "answer", &answer, run->work.error));
    if (!members) TRY(table_need(a->answers, "members", &members, run->work.error));
    if (!column_numeric(answer)) {
        fail(run->work.error, BAD, "answers must be numbers");
        TRY(error_column(run->work.error, answer->name));
    }
    if (a->truth) TRY(check_truth(run, a));
    TRY(build(run, a, answer, members, &program));
    TRY(program_solve(&run->work, &program, &solution));
    if (solution.state != PROGRAM_OPTIMAL) TRY(fail(run->work.error, FAILED, "no reconstruction was found for the answers"));
    if (a->truth) judge(run, a, solution.x);
    else unjudged(run);
    result_integer(run->result, "queries", a->answers->rows);
    result_real(run->result, "largest_error", largest_error(a, &program, solution.x));
    if (run->common.show_records) {
        Grid *grid = grid_new(run->result, "reconstructed", "record:integer value:integer solution:real");
        for (int64_t i = 0; i < a->n; i++) {
            grid_integer(grid, i + 1);
            grid_integer(grid, (int64_t)round(solution.x[i]));
            grid_real(grid, solution.x[i]);
        }
        grid_done(grid);
    }
    result_note(run->result,
                "The reconstruction minimises the sum of absolute errors over all answers, by linear programming, and rounds.");
done:
    return status;
}

const Method attack_reconstruction = {
    .group = "attack",
    .name = "reconstruction",
    .summary = "Database reconstruction attack: recover a 0/1 column from published subset sums",
    .source = "Dinur & Nissim 2003; Dwork, McSherry & Talwar 2007",
    .params = params,
    .size = sizeof(args),
    .traits = ATTRIBUTE,
    .run = reconstruction_run,
    .values = values,
    .example = "scrim attack reconstruction examples/sums.csv --n 24 --truth examples/sums-truth.csv --sensitive status",
};
