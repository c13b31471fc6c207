/* Information loss of categorical columns (Domingo-Ferrer & Torra 2001): cells that changed, tables of counts, conditional entropy. */
#include "base/elementary.h"
#include "utility/score/score.h"

/* Missing is a category of its own: code `count`. */
static int32_t code_of(const JointCodes *codes, int t, int64_t row) { return codes->at[t][row] < 0 ? codes->count : codes->at[t][row]; }

/* Cells that are not what they were; in an ordered category, how far they moved along it. */
static double changed(const JointCodes *codes, int64_t rows, bool ordered) {
    double sum = 0;
    for (int64_t i = 0; i < rows; i++) {
        int32_t a = code_of(codes, 0, i), b = code_of(codes, 1, i);
        bool either_missing = a == codes->count || b == codes->count;
        if (a != b) sum += ordered && !either_missing && codes->count > 1 ? fabs((double)(a - b)) / (codes->count - 1) : 1;
    }
    return sum / (double)rows;
}

/* Σ over released values of their share times the entropy of the original values behind them, as a share of the entropy of the original
 * column (Kooiman, Willenborg & Gouweleeuw 1998): what the release leaves unsaid about the original. */
static Status entropy_loss(Work *work, const JointCodes *codes, int64_t rows, double *out) {
    Status status = OK;
    int64_t n = (int64_t)codes->count + 1;
    double *both = NULL, *released = NULL, *original = NULL, loss = 0, whole = 0;
    if (n > 5000) {
        *out = NAN;
        return OK;
    }
    NEW(work, both, n * n);
    NEW(work, released, n);
    NEW(work, original, n);
    for (int64_t i = 0; i < rows; i++) {
        int32_t a = code_of(codes, 0, i), b = code_of(codes, 1, i);
        both[(int64_t)b * n + a]++;
        released[b]++;
        original[a]++;
    }
    for (int64_t b = 0; b < n; b++) {
        if (original[b] > 0) whole -= original[b] / (double)rows * log(original[b] / (double)rows);
        for (int64_t a = 0; a < n; a++)
            if (both[b * n + a] > 0) loss -= both[b * n + a] / (double)rows * log(both[b * n + a] / released[b]);
    }
    *out = whole > 0 ? loss / whole : 0;
done:
    arena_drop(work->arena, both);
    return status;
}

/* ½Σ|p − q| of one- and two-way tables, from utility.contingency: the mean over the tables. */
static Status tables_moved(Run *run, const Table *original, const Table *released, const char *const *names, int64_t count, double *out) {
    Status status = OK;
    double sum = 0, tables = 0;
    Table *first = table_retain(original), *second = table_retain(released);
    for (int order = 1; order <= 2 && order <= count; order++) {
        const char *digits[] = { "1", "2" };
        Result *result = NULL;
        Arg given[] = { { .name = "original", .count = 1, .tables = &first },
                        { .name = "released", .count = 1, .tables = &second },
                        { .name = "vars", .count = count, .items = names },
                        { .name = "order", .count = 1, .items = &digits[order - 1] } };
        TRY(run_method(run, "utility.contingency", &(Args){ 4, given }, &result));
        const Value *mean = result_find(result, "total_variation"), *n = result_find(result, "tables_compared");
        sum += mean->real * (double)n->integer;
        tables += (double)n->integer;
        result_free(result);
    }
    *out = sum / tables;
done:
    table_release(first);
    table_release(second);
    return status;
}

Status score_categorical(Run *run, const Table *original, const Table *released, const char *const *names, int64_t count, Part *parts) {
    Status status = OK;
    double moved = 0, entropy = 0, tables = 0;
    int64_t known = 0;
    for (int64_t j = 0; j < count; j++) {
        const Column *first = table_column(original, names[j]);
        JointCodes codes;
        double loss;
        TRY(joint_codes(&run->work, first, table_column(released, names[j]), 0, 0, &codes));
        moved += changed(&codes, original->rows, first->type == CATEGORY_TYPE && first->words->ordered);
        TRY(entropy_loss(&run->work, &codes, original->rows, &loss));
        joint_drop(&run->work, &codes);
        if (!isnan(loss)) {
            entropy += loss;
            known++;
        }
    }
    TRY(tables_moved(run, original, released, names, count, &tables));
    parts[0] = (Part){ "cells changed", 100 * moved / (double)count, 0 };
    parts[1] = (Part){ "tables of counts", 100 * tables, 0 };
    parts[2] = (Part){ "conditional entropy", known ? 100 * entropy / (double)known : NAN, 0 };
done:
    return status;
}
