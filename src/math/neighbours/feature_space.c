/* Columns as the axes of a space. */
#include "math/neighbours/feature_space.h"
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"

typedef struct {
    const char *word;
    int32_t code;
} Word;
typedef struct {
    const char *name;
    bool nominal;
    double factor; /* numbers: x·factor; 0 = no axis */
    int32_t count; /* nominal: codes, and by code what half it costs to differ */
    double *half;
    double half_other; /* of a word that the scale has not seen */
    Word *word;        /* sorted */
} Ruler;
struct Scale {
    Metric metric;
    int64_t columns;
    Ruler *ruler;
};

double measure_of_distance(Metric metric, double distance) { return metric == EUCLIDEAN ? distance * distance : distance; }
double distance_of_measure(Metric metric, double measure) { return metric == EUCLIDEAN ? sqrt(measure) : measure; }

/* Numbers first, nominal axes after them: the order in which the search adds, so that the bits agree. */
double space_measure(const Space *a, int64_t row, const Space *b, int64_t other) {
    double sum = 0;
    for (int64_t j = 0; j < a->axes; j++) {
        if (a->axis[j].half) continue;
        double d = a->axis[j].x[row] - b->axis[j].x[other];
        sum += a->metric == EUCLIDEAN ? d * d : fabs(d);
    }
    for (int64_t j = 0; j < a->axes; j++) {
        if (!a->axis[j].half) continue;
        double x = a->axis[j].x[row], y = b->axis[j].x[other];
        if (isnan(x) || isnan(y)) return NAN;
        if (x != y) sum += a->axis[j].half[row] + b->axis[j].half[other];
    }
    return sum;
}

static bool is_nominal(const Column *column) { return column->type == CATEGORY_TYPE || column->type == TEXT_TYPE; }

typedef struct {
    int64_t count;
    double variance, least, most;
} Spread;

/* Two passes, so that the variance does not cancel. */
static Spread spread_of(const double *x, int64_t rows) {
    Spread s = { 0, 0, INFINITY, -INFINITY };
    double sum = 0, centre, squares = 0, rest = 0;
    for (int64_t i = 0; i < rows; i++) {
        if (isnan(x[i])) continue;
        s.count++;
        sum += x[i];
        s.least = fmin(s.least, x[i]);
        s.most = fmax(s.most, x[i]);
    }
    centre = s.count ? sum / (double)s.count : 0;
    for (int64_t i = 0; i < rows; i++) {
        if (isnan(x[i])) continue;
        double d = x[i] - centre;
        squares += d * d;
        rest += d;
    }
    s.variance = s.count > 1 ? (squares - rest * rest / (double)s.count) / (double)(s.count - 1) : 0;
    return s;
}

static Status packed_reals_of(Work *work, const Column *column, const double **out) {
    Status status = OK;
    double *x = NULL;
    if (column_numeric(column)) return column_reals(work, column, out);
    NEW(work, x, column->rows + 1);
    for (int64_t i = 0; i < column->rows; i++) x[i] = column_number(column, i);
    *out = x;
done:
    return status;
}

/* Gives back what packed_reals_of made, if it was made for whoever asked: the column's own and a memo's are not of this arena. */
static void numbers_drop(Work *work, const Column *column, const double *x) {
    if (x != column->real) arena_drop(work->arena, (double *)(uintptr_t)x);
}

static Status rule_number(Work *work, const Column *column, double weight, Metric metric, Ruler *ruler) {
    const double *x = NULL;
    Status status = packed_reals_of(work, column, &x);
    if (status) return status;
    Spread s = spread_of(x, column->rows);
    numbers_drop(work, column, x);
    if (s.count == 0 || !(s.most > s.least)) return OK;
    ruler->factor = weight / (metric == GOWER ? s.most - s.least : sqrt(s.variance));
    return OK;
}

static int by_word(const void *a, const void *b) { return strcmp(((const Word *)a)->word, ((const Word *)b)->word); }

static Status keep_words(Work *work, const Column *column, const Codes *codes, Ruler *ruler) {
    Status status = OK;
    NEW(work, ruler->word, codes->count + 1);
    for (int32_t c = 0; c < codes->count; c++) {
        char number[33];
        ruler->word[c].word = arena_text(work->arena, column_cell(column, codes->first_row[c], number));
        ruler->word[c].code = c;
        if (!ruler->word[c].word) TRY(fail(work->error, FAILED, "out of memory"));
    }
    qsort(ruler->word, (size_t)codes->count, sizeof *ruler->word, by_word);
done:
    return status;
}

/* Codes a ≠ b of c values, as dummies d_1 … d_{c−1} over their standard deviations s_a: Σ (d_j(a) − d_j(b))²/s_j² = 1/s_a² + 1/s_b², the
 * first value's term being 0; likewise Σ |d_j(a) − d_j(b)|/s_j = 1/s_a + 1/s_b. */
static double dummy_half(Metric metric, double weight, int32_t code, int64_t of_it, int64_t present) {
    if (metric == GOWER) return weight / 2;
    if (code == 0) return 0;
    double share = (double)of_it / (double)present, variance = share * (1 - share) * (double)present / (double)(present - 1);
    return metric == EUCLIDEAN ? weight * weight / variance : weight / sqrt(variance);
}

static Status rule_nominal(Work *work, const Column *column, double weight, Metric metric, Ruler *ruler) {
    Status status = OK;
    Codes codes = { 0 };
    int64_t *count = NULL, present = 0;
    ruler->nominal = true;
    TRY(column_codes(work, column, &codes));
    ruler->count = codes.count;
    ruler->factor = codes.count > 1 ? weight : 0;
    NEW(work, count, codes.count + 1);
    NEW(work, ruler->half, codes.count + 1);
    for (int64_t i = 0; i < column->rows; i++)
        if (codes.at[i] >= 0) {
            count[codes.at[i]]++;
            present++;
        }
    for (int32_t c = 0; codes.count > 1 && c < codes.count; c++) {
        ruler->half[c] = dummy_half(metric, weight, c, count[c], present);
        ruler->half_other = fmax(ruler->half_other, ruler->half[c]);
    }
    TRY(keep_words(work, column, &codes, ruler));
done:
    arena_drop(work->arena, count);
    codes_drop(work, column, &codes);
    return status;
}

Status scale_make(Work *work, Columns columns, const double *weight, Metric metric, const Scale **out) {
    Status status = OK;
    Scale *scale = NULL;
    double total = 0;
    NEW(work, scale, 1);
    *scale = (Scale){ .metric = metric, .columns = columns.count };
    NEW(work, scale->ruler, columns.count + 1);
    for (int64_t j = 0; j < columns.count; j++) total += weight ? weight[j] : 1;
    for (int64_t j = 0; j < columns.count; j++) {
        const Column *column = columns.at[j];
        double w = weight ? weight[j] : 1;
        if (metric == GOWER) w = total > 0 ? w / total : 0;
        scale->ruler[j].name = arena_text(work->arena, column->name);
        TRY((is_nominal(column) ? rule_nominal : rule_number)(work, column, w, metric, &scale->ruler[j]));
    }
    *out = scale;
done:
    return status;
}

double scale_divisor(const Scale *scale, int64_t column) {
    const Ruler *ruler = &scale->ruler[column];
    return ruler->nominal ? NAN : 1 / ruler->factor;
}

static Status axis_number(Work *work, const Ruler *ruler, const Column *column, Axis *out) {
    Status status = OK;
    double *scaled = NULL;
    const double *x = NULL;
    if (is_nominal(column)) {
        fail(work->error, BAD, "holds words where numbers are compared");
        return error_column(work->error, column->name);
    }
    TRY(packed_reals_of(work, column, &x));
    NEW(work, scaled, column->rows + 1);
    for (int64_t i = 0; i < column->rows; i++) scaled[i] = x[i] * ruler->factor;
    *out = (Axis){ .x = scaled };
done:
    numbers_drop(work, column, x);
    return status;
}

/* The scale's codes for this column's own; words that it has not seen are numbered after them. */
static Status recode(Work *work, const Ruler *ruler, const Column *column, const Codes *codes, int32_t **out) {
    Status status = OK;
    NEW(work, *out, codes->count + 1);
    for (int32_t c = 0; c < codes->count; c++) {
        char number[33];
        Word asked = { .word = column_cell(column, codes->first_row[c], number) };
        const Word *found = bsearch(&asked, ruler->word, (size_t)ruler->count, sizeof asked, by_word);
        (*out)[c] = found ? found->code : ruler->count + c;
    }
done:
    return status;
}

static Status axis_nominal(Work *work, const Ruler *ruler, const Column *column, Axis *out) {
    Status status = OK;
    Codes codes = { 0 };
    int32_t *code = NULL;
    double *x = NULL, *half = NULL;
    TRY(column_codes(work, column, &codes));
    TRY(recode(work, ruler, column, &codes, &code));
    NEW(work, x, column->rows + 1);
    NEW(work, half, column->rows + 1);
    for (int64_t i = 0; i < column->rows; i++) {
        int32_t c = codes.at[i] < 0 ? -1 : code[codes.at[i]];
        x[i] = c < 0 ? NAN : (double)c;
        half[i] = c < 0 ? NAN : c < ruler->count ? ruler->half[c] : ruler->half_other;
    }
    *out = (Axis){ .x = x, .half = half };
done:
    arena_drop(work->arena, code);
    codes_drop(work, column, &codes);
    return status;
}

Status scale_space(Work *work, const Scale *scale, Columns columns, Space *out) {
    Status status = OK;
    Axis *axis = NULL;
    int64_t *column = NULL;
    *out = (Space){ .metric = scale->metric, .rows = columns.count ? columns.at[0]->rows : 0 };
    NEW(work, axis, scale->columns + 1);
    NEW(work, column, scale->columns + 1);
    for (int64_t j = 0; j < scale->columns; j++) {
        const Ruler *ruler = &scale->ruler[j];
        if (ruler->factor == 0) continue;
        TRY((ruler->nominal ? axis_nominal : axis_number)(work, ruler, columns.at[j], &axis[out->axes]));
        column[out->axes++] = j;
    }
    out->axis = axis;
    out->column = column;
done:
    return status;
}

void space_drop(Work *work, Space *space) {
    for (int64_t j = 0; j < space->axes; j++) {
        arena_drop(work->arena, (double *)(uintptr_t)space->axis[j].x);
        arena_drop(work->arena, (double *)(uintptr_t)space->axis[j].half);
    }
    space->axes = 0;
    memory_return(); /* an index takes its memory in larger pieces than axes of up to some 100,000 records are */
}
