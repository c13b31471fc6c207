/* What the values of a column are as numbers: how many, how many distinct, their range, and whether they are serial numbers. */
#include "profile/column_role.h"
#include "base/elementary.h"
#include "base/extremes.h"
#include "table/column_cache.h"
#include "table/measurement_level.h"

/* Is every value a whole number? Texts are none. */
static bool all_whole(const Column *column, const Codes *codes) {
    bool by_type = column->type == INTEGER_TYPE || column->type == CATEGORY_TYPE || column->type == DATE_TYPE;
    for (int32_t c = 0; c < codes->count && !by_type; c++) {
        double number = column_number(column, codes->first_row[c]);
        if (number != floor(number)) return false;
    }
    return true;
}

/* Whole numbers, each once: whether they stand in order, how long they are, and how evenly they lie (Kolmogorov's distance). */
static void profile_serials(const Column *column, const Codes *codes, Profile *out) {
    int32_t before = -1;
    bool up = true, down = true;
    for (int64_t i = 0; i < column->rows && (up || down); i++) {
        if (codes->at[i] < 0) continue;
        up = up && codes->at[i] > before;
        down = down && (before < 0 || codes->at[i] < before);
        before = codes->at[i];
    }
    out->in_order = up || down;
    for (int32_t c = 0; c < codes->count; c++) {
        double x = column_number(column, codes->first_row[c]), n = codes->count, place = out->range > 0 ? (x - out->least) / out->range : 0;
        int digits = 1;
        for (double rest = fabs(x); rest >= 10; rest /= 10) digits++;
        out->digits = c && digits != out->digits ? 0 : digits;
        out->uneven = larger(out->uneven, larger(place - c / n, (c + 1) / n - place));
    }
}

Profile codes_profile(const Column *column, const Codes *codes, const int64_t *size) {
    Profile out = { .distinct = codes->count, .whole = all_whole(column, codes), .positive = true };
    for (int32_t c = 0; c < codes->count; c++) {
        out.uniques += size[c] == 1;
        out.present += size[c];
    }
    if (!codes->count) return out;
    double least = column_number(column, codes->first_row[0]), most = column_number(column, codes->first_row[codes->count - 1]);
    out.positive = least >= 0 && most >= 0; /* not a number is neither */
    out.range = most - least;
    out.least = least;
    out.most = most;
    if (column->type == INTEGER_TYPE && out.distinct == out.present) profile_serials(column, codes, &out);
    return out;
}

/* The codes it is made of are much larger than it is, and go at once unless someone else has them. */
static Status make_profile(Work *work, Columns columns, int how, void *out) {
    Status status = OK;
    Work own = *work;
    const Column *column = columns.at[0];
    Codes codes = { 0 };
    int64_t *size = NULL;
    (void)how;
    own.memo = cache_borrow(work->memo);
    TRY(column_codes(&own, column, &codes));
    TRY(codes_sizes(&own, &codes, column->rows, &size));
    *(Profile *)out = codes_profile(column, &codes, size);
done:
    arena_drop(work->arena, size);
    codes_drop(&own, column, &codes);
    cache_free(own.memo);
    return status;
}

Status column_profile(Work *work, const Column *column, Profile *out) {
    return cache_take(work, CACHE_PROFILE, (Columns){ .count = 1, .at = &column }, 0, make_profile, out, sizeof *out);
}
