/* utility.track: what became of named rare records. */
#include <string.h>
#include "base/elementary.h"
#include "method/method.h"
#include "classes/joint_codes.h"

typedef struct {
    const Table *original, *released;
    const Expr *where;
    const Column *id;
} args;

static const Param params[] = {
    TABLE(args, original, "The original file", .flags = REQUIRED | POSITIONAL),
    TABLE(args, released, "The protected file", .flags = REQUIRED | POSITIONAL),
    EXPR(args, where, original, "Records to track: sex == 2 & phd == 1 & age < 31", .flags = REQUIRED),
    COLUMN(args, id, BOTH, "Column that identifies a record in both files (default: the row number)"),
    END,
};

typedef enum { STILL_MATCHING, BLANKED, MOVED, DROPPED } Fate;
static const char *const fate_names[] = { "still matching", "blanked", "moved", "dropped" };

/* The release's record of each original one, or -1. Without an id they must run side by side. */
static Status link_records(Run *run, const args *a, int64_t **out) {
    Status status = OK;
    int64_t *link = NULL, *place = NULL;
    JointCodes codes;
    *out = NULL;
    if (!a->id && a->original->rows != a->released->rows) return OK;
    NEW(&run->work, link, a->original->rows);
    for (int64_t i = 0; i < a->original->rows; i++) link[i] = i;
    *out = link;
    if (!a->id) return OK;
    const Column *other = table_column(a->released, a->id->name);
    TRY(joint_codes(&run->work, a->id, other, 0, 0, &codes));
    NEW(&run->work, place, codes.count + 1);
    for (int32_t c = 0; c < codes.count; c++) place[c] = -1;
    for (int64_t i = 0; i < other->rows; i++) {
        int32_t code = codes.at[1][i];
        if (code >= 0 && place[code] >= 0) {
            fail(run->work.error, BAD, "two records of the release have the same id");
            error_column(run->work.error, a->id->name);
            TRY(error_row(run->work.error, i));
        }
        if (code >= 0) place[code] = i;
    }
    for (int64_t i = 0; i < a->original->rows; i++) link[i] = codes.at[0][i] < 0 ? -1 : place[codes.at[0][i]];
done:
    return status;
}

static bool same_cell(const Column *a, int64_t i, const Column *b, int64_t j) {
    char x[33], y[33];
    const char *s = column_cell(a, i, x), *t = column_cell(b, j, y);
    return s && t ? !strcmp(s, t) : s == t;
}

static bool unchanged(const args *a, int64_t i, int64_t j) {
    for (int64_t c = 0; c < a->original->columns; c++) {
        const Column *other = table_column(a->released, a->original->column[c]->name);
        if (other && !same_cell(a->original->column[c], i, other, j)) return false;
    }
    return true;
}

/* The fate of every tracked record; per fate how many. */
static Status follow(Run *run, const args *a, const double *was, const double *is, const int64_t *link, int64_t tracked) {
    Status status = OK;
    int64_t count[4] = { 0 }, same = 0;
    Result *result = run->result;
    Grid *grid =
        run->common.show_records ? grid_new(result, "records", "record:integer released_record:integer fate:text unchanged:integer") : NULL;
    for (int64_t i = 0; i < a->original->rows; i++) {
        if (was[i] != 1) continue;
        int64_t j = link[i];
        Fate fate = j < 0 ? DROPPED : is[j] == 1 ? STILL_MATCHING : isnan(is[j]) ? BLANKED : MOVED;
        bool intact = j >= 0 && unchanged(a, i, j);
        count[fate]++;
        same += intact;
        if (!grid) continue;
        grid_integer(grid, i + 1);
        if (j < 0) grid_missing(grid);
        else grid_integer(grid, j + 1);
        grid_text(grid, fate_names[fate]);
        grid_integer(grid, intact);
    }
    if (grid) grid_done(grid);
    result_integer(result, "same_source", count[STILL_MATCHING]);
    result_integer(result, "blanked", count[BLANKED]);
    result_integer(result, "moved", count[MOVED]);
    if (a->id) result_integer(result, "dropped", count[DROPPED]);
    result_integer(result, "unchanged", same);
    double height[4];
    for (int f = 0; f < 4; f++) height[f] = (double)count[f];
    Chart *chart = result_chart(result, CHART_BAR, "Tracked records in the release", "fate", "records");
    chart_series(chart, "records", a->id ? 4 : 3, NULL, height, NULL, fate_names);
    if (tracked && same)
        result_note(result, "Warning: %lld of the tracked records %s released unchanged.", (long long)same, same == 1 ? "is" : "are");
    return status;
}

static Status track_run(Run *run, const void *p) {
    const args *a = p;
    Status status = OK;
    Work *work = &run->work;
    const Expr *again;
    double *was = NULL, *is = NULL;
    int64_t *link = NULL, before = 0, after = 0;
    if (!expr_logical(a->where)) {
        fail(work->error, BAD, "\"%s\" is neither true nor false", expr_source(a->where));
        return error_parameter(work->error, "where");
    }
    TRY(expr_reals(work, a->where, a->original, &was));
    TRY(expr_parse(work, a->released, expr_source(a->where), &again)); /* a recoded column may be of another type there */
    TRY(expr_reals(work, again, a->released, &is));
    TRY(link_records(run, a, &link));
    for (int64_t i = 0; i < a->original->rows; i++) before += was[i] == 1;
    for (int64_t i = 0; i < a->released->rows; i++) after += is[i] == 1;
    result_integer(run->result, "original_matches", before);
    result_integer(run->result, "released_matches", after);
    if (link) TRY(follow(run, a, was, is, link, before));
    else {
        static const char *const unknown[] = { "same_source", "blanked", "moved" };
        for (int i = 0; i < 3; i++)
            result_null(run->result, unknown[i], "%s needs --id: the files differ in length, so rows do not correspond.", unknown[i]);
    }
    if (!before) result_note(run->result, "No original record matches the condition.");
done:
    return status;
}

static const Return values[] = {
    VALUE(original_matches, INTEGER, "Original records that satisfy the condition"),
    VALUE(released_matches, INTEGER, "Released records that satisfy the condition, whatever their source. More than same_source is safer"),
    VALUE(same_source, INTEGER, "Original matches whose own released record still satisfies the condition. 0 = safe", .flags = LESS),
    VALUE(blanked, INTEGER, "Original matches whose released record lacks a value that the condition needs"),
    VALUE(moved, INTEGER, "Original matches whose released record no longer satisfies the condition"),
    VALUE(dropped, INTEGER, "Original matches that are not in the release (with --id)"),
    VALUE(unchanged, INTEGER, "Original matches released with every common column unchanged. 0 = safe"),
    TABLE_OUT(records, "record:integer released_record:integer fate:text unchanged:integer",
              "With --show-records: each tracked record and its state in the release"),
    END,
};

const Method utility_track = {
    .group = "utility",
    .name = "track",
    .summary = "Tracking of rare records: those of a condition that still satisfy it in the release",
    .source = "Matloff & Tendick, section 6",
    .params = params,
    .size = sizeof(args),
    .traits = OWN_WHERE,
    .run = track_run,
    .headline = "-same_source",
    .values = values,
    .example = "scrim utility track examples/clinic.csv examples/clinic-released.csv --where \"sex == 'f' & education == 'university' & "
               "age < 31\"",
};
