/* Linkage: an intruder with an identified file claims, for each released record, the person in it that fits best. Defined after Spruill
 * 1982; Gower 1971: docs/methods/attack-linkage.md. */
#include <string.h>
#include "base/elementary.h"
#include "math/neighbours/neighbours.h"
#include "math/proportion.h"
#include "math/kim_transform.h"
#include "method/method.h"
#include "classes/joint_codes.h"

typedef struct {
    const Table *released, *auxiliary;
    Texts vars;
    const char *id;
    double confidence, scale;
} args;
static const Param params[] = {
    TABLE(args, released, "The protected file", .flags = REQUIRED | POSITIONAL),
    TABLE(args, auxiliary, "File with identities that an intruder may have", .flags = REQUIRED | POSITIONAL, .role = "auxiliary"),
    TEXTS(args, vars, "Columns to compare (default: all common columns except the id)"),
    TEXT(args, id, NULL, "Column that identifies people in both files, to judge the links (default: the same row is the same person)"),
    REAL(args, confidence, 0.5, 0, 1, "Smallest confidence at which the intruder claims a link, 0 to 1"),
    UNSCALE(args),
    END,
};
static const Return values[] = {
    VALUE(claims, INTEGER, "Released records for which the intruder claims a person at --confidence", .flags = PUBLIC),
    VALUE(correct, REAL, "Correct links among them. Smaller is safer", .flags = PUBLIC),
    VALUE(precision, REAL, "correct / claimed. Smaller is safer", .flags = PUBLIC),
    VALUE(recall, REAL, "Correct links over released records whose person is in the auxiliary file. Smaller is safer", .flags = PUBLIC),
    VALUE(baseline, REAL, "Probability of a correct link if a person is drawn at random", .flags = PUBLIC),
    VALUE(gain, REAL, "precision − baseline. 0 = safe", .flags = PUBLIC),
    VALUE(lower, REAL, "Lower end of the 95% confidence interval of the gain", .flags = PUBLIC),
    VALUE(upper, REAL, "Upper end of the 95% confidence interval of the gain", .flags = PUBLIC),
    TABLE_OUT(levels, "confidence:real claims:integer correct:real precision:real recall:real", "The same at each confidence",
              .flags = PUBLIC),
    RECORD(distance, REAL, "Distance to the auxiliary record to which it is linked", .of = "released"),
    RECORD(linked, INTEGER, "1 = a person is claimed at --confidence, and the true person is this one or an equally near one",
           .of = "released"),
    END,
};

/* The right person of each released record, as rows of the auxiliary file: by id, or by row. -1: not there. */
static Status find_truth(Run *run, const args *a, int64_t *truth, int64_t *there) {
    Status status = OK;
    const Column *mine, *theirs;
    JointCodes codes;
    int64_t *row = NULL;
    *there = 0;
    if (!a->id) {
        for (int64_t i = 0; i < a->released->rows; i++) {
            truth[i] = i < a->auxiliary->rows ? i : -1;
            *there += truth[i] >= 0;
        }
        if (a->released->rows != a->auxiliary->rows) {
            fail(run->work.error, BAD, "the files differ in length (%lld and %lld records), so a column must identify the people (--id)",
                 (long long)a->released->rows, (long long)a->auxiliary->rows);
            TRY(error_parameter(run->work.error, "id"));
        }
        return OK;
    }
    TRY(table_need(a->released, a->id, &mine, run->work.error));
    TRY(table_need(a->auxiliary, a->id, &theirs, run->work.error));
    TRY(joint_codes(&run->work, mine, theirs, 0, 0, &codes));
    NEW(&run->work, row, codes.count + 1);
    for (int64_t i = a->auxiliary->rows - 1; i >= 0; i--)
        if (codes.at[1][i] >= 0) row[codes.at[1][i]] = i + 1;
    for (int64_t i = 0; i < a->released->rows; i++) {
        truth[i] = codes.at[0][i] < 0 ? -1 : row[codes.at[0][i]] - 1;
        *there += truth[i] >= 0;
    }
done:
    return status;
}

/* The columns to compare, of both files in the same order. */
static Status pick_columns(Run *run, const args *a, Columns *mine, Columns *theirs) {
    Status status = OK;
    NEW(&run->work, mine->at, a->released->columns + a->vars.count + 1);
    NEW(&run->work, theirs->at, a->released->columns + a->vars.count + 1);
    int64_t count = a->vars.count ? a->vars.count : a->released->columns;
    for (int64_t i = 0; i < count; i++) {
        const char *name = a->vars.count ? a->vars.at[i] : a->released->column[i]->name;
        const Column *one = table_column(a->released, name), *other = table_column(a->auxiliary, name);
        if (a->vars.count && (!one || !other)) TRY(table_need(one ? a->auxiliary : a->released, name, &other, run->work.error));
        if (!one || !other || (a->id && !strcmp(name, a->id))) continue;
        mine->at[mine->count++] = one;
        theirs->at[theirs->count++] = other;
    }
    if (!mine->count) TRY(fail(run->work.error, BAD, "the files have no column in common to compare"));
done:
    return status;
}

typedef struct Links {
    int64_t *row, *ties;
    double *measure;
    bool *right;
} Links;

/* The nearest person by Gower's distance, on the auxiliary file's scale; as sure as one of those who are equally near. A tie is right when
 * the person is among them. */
static Status link(Run *run, const args *a, const int64_t *truth, Links *out) {
    Status status = OK;
    Columns mine = { 0 }, theirs = { 0 };
    const Scale *scale;
    Space released, auxiliary;
    Neighbours *from, *in;
    double *limit = NULL, *source = NULL;
    Column **made = NULL;
    TRY(pick_columns(run, a, &mine, &theirs));
    if (!isnan(a->scale)) TRY(columns_unscale(&run->work, &mine, a->scale, &made));
    TRY(scale_make_with_missing(&run->work, theirs, &mine, 1, GOWER, &scale));
    TRY(scale_space(&run->work, scale, mine, &released));
    TRY(scale_space(&run->work, scale, theirs, &auxiliary));
    NEW(&run->work, source, a->released->rows + 1);
    for (int64_t i = 0; i < a->released->rows; i++) source[i] = truth[i] < 0 ? NAN : space_measure(&released, i, &auxiliary, truth[i]);
    TRY(neighbours_take(&run->work, &released, &from));
    TRY(neighbours_take(&run->work, &auxiliary, &in));
    NEW(&run->work, out->row, a->released->rows + 1);
    NEW(&run->work, out->ties, a->released->rows + 1);
    NEW(&run->work, out->measure, a->released->rows + 1);
    NEW(&run->work, out->right, a->released->rows + 1);
    for (int64_t i = 0; i < a->released->rows; i++) out->row[i] = -1;
    NEW(&run->work, limit, a->released->rows + 1);
    TRY(neighbours_nearest(&run->work, from, in, false, (Nearest){ .row = out->row, .measure = out->measure }));
    for (int64_t i = 0; i < a->released->rows; i++) limit[i] = measure_as_near(out->measure[i]);
    TRY(neighbours_within_count(&run->work, from, in, false, limit, true, out->ties));
    for (int64_t i = 0; i < a->released->rows; i++) {
        bool known = out->row[i] >= 0 && truth[i] >= 0;
        out->right[i] = known && source[i] <= limit[i];
    }
done:
    for (int64_t j = 0; made && j < mine.count; j++) column_release(made[j]);
    return status;
}

/* A claim among t equally near persons is right with probability 1/t: expected numbers, so that ties are shared out. */
static void level(const args *a, const Links *links, double confidence, double *claims, double *correct) {
    *claims = *correct = 0;
    for (int64_t i = 0; i < a->released->rows; i++) {
        if (links->row[i] < 0 || 1 / (double)links->ties[i] < confidence) continue;
        *claims += 1;
        if (links->right[i]) *correct += 1 / (double)links->ties[i];
    }
}

static Status put_records(Run *run, const args *a, const Links *links) {
    Status status = OK;
    Column *linked = NULL, *distance = NULL;
    if (!run_wants(run, "linked") && !run_wants(run, "distance")) return OK;
    TRY(column_new(INTEGER_TYPE, "linked", a->released->rows, &linked, run->work.error));
    TRY(column_new(REAL_TYPE, "distance", a->released->rows, &distance, run->work.error));
    TRY(column_need_valid(distance, run->work.error));
    for (int64_t i = 0; i < a->released->rows; i++) {
        linked->integer[i] = links->row[i] >= 0 && links->right[i] && 1 / (double)links->ties[i] >= a->confidence;
        if (links->row[i] < 0) column_set_missing(distance, i);
        else distance->real[i] = links->measure[i];
    }
    put_record(run, "released", linked);
    put_record(run, "released", distance);
    return OK;
done:
    column_release(linked);
    column_release(distance);
    return status;
}

static Status linkage_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    Links links = { 0 };
    int64_t *truth = NULL, there;
    double claims, correct, people = (double)a->auxiliary->rows;
    NEW(&run->work, truth, a->released->rows + 1);
    TRY(find_truth(run, a, truth, &there));
    TRY(link(run, a, truth, &links));
    Grid *grid = grid_new(run->result, "levels", "confidence:real claims:integer correct:real precision:real recall:real");
    for (int i = 1; i <= 10; i++) {
        level(a, &links, i / 10.0, &claims, &correct);
        grid_real(grid, i / 10.0);
        grid_integer(grid, (int64_t)claims);
        grid_real(grid, correct);
        grid_real(grid, claims > 0 ? correct / claims : NAN);
        grid_real(grid, there ? correct / (double)there : NAN);
    }
    grid_done(grid);
    level(a, &links, a->confidence, &claims, &correct);
    double baseline = people > 0 ? (double)there / (double)(a->released->rows ? a->released->rows : 1) / people : 0;
    Interval precision = wilson_interval(correct, claims);
    result_integer(run->result, "claims", (int64_t)claims);
    result_real(run->result, "correct", correct);
    if (claims > 0) result_real(run->result, "precision", correct / claims);
    else result_null(run->result, "precision", "No link reaches the required confidence.");
    result_real(run->result, "recall", there ? correct / (double)there : 0);
    result_real(run->result, "baseline", baseline);
    result_real(run->result, "gain", claims > 0 ? correct / claims - baseline : 0);
    result_real(run->result, "lower", claims > 0 ? precision.low - baseline : 0);
    result_real(run->result, "upper", claims > 0 ? precision.high - baseline : 0);
    TRY(put_records(run, a, &links));
    result_note(run->result, "The nearest person by Gower's distance is claimed, with confidence 1 over the number of equally near people. "
                             "Ties are shared. A missing value is compared as a value.");
done:
    return status;
}

const Method attack_linkage = {
    .group = "attack",
    .name = "linkage",
    .summary = "Linkage attack: link released records to a file with identities",
    .source = "Spruill 1982; Gower 1971",
    .params = params,
    .size = sizeof(args),
    .traits = IDENTITY | CODES_AS_CATEGORIES,
    .run = linkage_run,
    .values = values,
    .example = "scrim attack linkage examples/clinic-released.csv examples/clinic.csv --vars sex,age,region,visits --id id",
};
