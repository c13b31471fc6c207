/* Columns as the axes of a space. */
#include "math/neighbours/feature_space.h"
#include <float.h>
#include <stdlib.h>
#include <string.h>
#include "base/power_scale.h"
#include "table/missing_code.h"

typedef struct {
    const char *word;
    int32_t code;
} Word;
typedef struct {
    const char *name;
    bool nominal, gaps;   /* gaps: a number that is missing in one of the tables */
    double factor;        /* numbers: x·factor; 0 = no axis */
    double first, second; /* the same in two steps that neither overflow nor underflow: a power of two, and the rest */
    double half_gap;      /* what half it costs to be missing where the other is not */
    int32_t count;        /* nominal: codes, and by code what half it costs to differ */
    double *half;
    double half_other; /* of a word that the scale has not seen */
    Word *word;        /* sorted; of a number with gaps: its missing codes, from 1 on */
} Ruler;
struct Scale {
    Metric metric;
    bool missing; /* is a value */
    int64_t columns;
    Ruler *ruler;
};

double measure_of_distance(Metric metric, double distance) { return metric == EUCLIDEAN ? distance * distance : distance; }
double distance_of_measure(Metric metric, double measure) { return metric == EUCLIDEAN ? sqrt(measure) : measure; }

/* Numbers first, those with gaps next, nominal axes after them: the order in which the search adds, so that the bits agree. */
double space_measure(const Space *a, int64_t row, const Space *b, int64_t other) {
    double sum = 0;
    for (int64_t j = 0; j < a->axes; j++) {
        if (a->axis[j].half) continue;
        double d = a->axis[j].x[row] - b->axis[j].x[other];
        if (a->axis[j].gaps) continue;
        sum += a->metric == EUCLIDEAN ? d * d : fabs(d);
    }
    for (int64_t j = 0; j < a->axes; j++) {
        if (!a->axis[j].gaps) continue;
        double d = a->axis[j].x[row] - b->axis[j].x[other], term = a->metric == EUCLIDEAN ? d * d : fabs(d);
        if (term < INFINITY) sum += term;
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

/* Of x·first·second. Two passes, so that the variance does not cancel. */
static Spread spread_of(const double *x, int64_t rows, PowerScale p) {
    Spread s = { 0, 0, INFINITY, -INFINITY };
    double sum = 0, centre, squares = 0, rest = 0;
    for (int64_t i = 0; i < rows; i++) {
        double here = x[i] * p.first * p.second;
        if (isnan(here)) continue;
        s.count++;
        sum += here;
        s.least = here < s.least ? here : s.least;
        s.most = here > s.most ? here : s.most;
    }
    centre = s.count ? sum / (double)s.count : 0;
    for (int64_t i = 0; i < rows; i++) {
        double d = x[i] * p.first * p.second - centre;
        if (isnan(d)) continue;
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

/* Gives back what packed_reals_of made, if it was made for anyone who asked: the column's own and a memo's are not of this arena. */
static void numbers_drop(Work *work, const Column *column, const double *x) {
    if (x != column->real) arena_drop(work->arena, (double *)(uintptr_t)x);
}

static Status rule_number(Work *work, const Column *column, double weight, Metric metric, Ruler *ruler) {
    const double *x = NULL;
    Status status = packed_reals_of(work, column, &x);
    if (status) return status;
    double most = largest_size(x, column->rows);
    PowerScale power = power_scale(most < INFINITY ? most : 1);
    Spread s = spread_of(x, column->rows, power);
    numbers_drop(work, column, x);
    if (!(most < INFINITY)) {
        fail(work->error, BAD, "holds an infinite number, which has no distance from others");
        return error_column(work->error, column->name);
    }
    ruler->half_gap = metric == EUCLIDEAN ? weight * weight : metric == MANHATTAN ? weight * sqrt(0.5) : weight / 2;
    if (s.count == 0 || !(s.most > s.least) || weight == 0) return OK;
    ruler->first = power.first;
    ruler->second = power.second * (weight / (metric == GOWER ? s.most - s.least : sqrt(s.variance)));
    ruler->factor = ruler->first * ruler->second;
    if (ruler->factor == 0) ruler->factor = DBL_MIN; /* an axis all the same */
    return OK;
}

/* A number as a coordinate. Other tables may hold values beyond this scale: farther than any, and their squares are numbers. */
static double place(const Ruler *ruler, double x) {
    const double edge = 1e150;
    double at = x * ruler->first * ruler->second;
    return at > edge ? edge : at < -edge ? -edge : at;
}

static int by_word(const void *a, const void *b) { return strcmp(((const Word *)a)->word, ((const Word *)b)->word); }

/* Missing codes are told from words by their first byte, which no text cell begins with. */
static const char *missing_word(Work *work, const Column *column, int32_t code) {
    char number[33];
    return arena_print(work->arena, "\1%s", missing_code_text(column, code, number));
}

/* The values of a column and then its missing codes, which have codes from codes->count on. */
static Status keep_words(Work *work, const Column *column, const Codes *codes, Ruler *ruler) {
    Status status = OK;
    NEW(work, ruler->word, ruler->count + 1);
    for (int32_t c = 0; c < ruler->count; c++) {
        char number[33];
        ruler->word[c].word = c < codes->count ? arena_text(work->arena, column_cell(column, codes->first_row[c], number))
                                               : missing_word(work, column, c - codes->count);
        ruler->word[c].code = c;
        if (!ruler->word[c].word) TRY(out_of_memory(work->error));
    }
    qsort(ruler->word, (size_t)ruler->count, sizeof *ruler->word, by_word);
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

/* The code of each record; where missing is a value, its codes follow those of the values. */
static int32_t nominal_code(const Codes *codes, const MissingCodes *missing, bool value, const Column *column, int64_t row) {
    return codes->at[row] >= 0 || !value ? codes->at[row] : codes->count + missing_code(missing, column, row);
}

static Status rule_nominal(Work *work, const Column *column, double weight, Metric metric, bool missing, Ruler *ruler) {
    Status status = OK;
    Codes codes = { 0 };
    const MissingCodes gaps = missing_codes(column);
    int64_t *count = NULL, present = 0, seen = 0;
    ruler->nominal = true;
    TRY(column_codes(work, column, &codes));
    ruler->count = codes.count + (missing && column->missing ? gaps.count : 0);
    NEW(work, count, ruler->count + 1);
    NEW(work, ruler->half, ruler->count + 1);
    for (int64_t i = 0; i < column->rows; i++) {
        int32_t c = nominal_code(&codes, &gaps, missing, column, i);
        if (c < 0) continue;
        seen += !count[c]++;
        present++;
    }
    ruler->factor = seen > 1 ? weight : 0;
    for (int32_t c = 0; seen > 1 && c < ruler->count; c++) {
        ruler->half[c] = count[c] ? dummy_half(metric, weight, c, count[c], present) : 0;
        if (ruler->half[c] > ruler->half_other) ruler->half_other = ruler->half[c];
    }
    TRY(keep_words(work, column, &codes, ruler));
done:
    arena_drop(work->arena, count);
    codes_drop(work, column, &codes);
    return status;
}

static const Word *word_find(const Ruler *ruler, const char *text) {
    Word asked = { .word = text };
    return text && ruler->count ? bsearch(&asked, ruler->word, (size_t)ruler->count, sizeof asked, by_word) : NULL;
}

/* The missing codes of all tables, each once, from 1 on: 0 is a number. */
static Status rule_gaps(Work *work, const Column *own, const Columns *others, int64_t tables, int64_t j, Ruler *ruler) {
    Status status = OK;
    for (int64_t t = -1; t < tables; t++) {
        const Column *column = t < 0 ? own : others[t].at[j];
        const MissingCodes gaps = missing_codes(column);
        if (!column->missing) continue;
        ruler->gaps = true;
        Word *more = NULL;
        NEW(work, more, ruler->count + gaps.count + 1);
        for (int32_t c = 0; c < ruler->count; c++) more[c] = ruler->word[c];
        ruler->word = more;
        for (int32_t c = 0; c < gaps.count; c++) {
            const char *word = missing_word(work, column, c);
            if (!word) TRY(out_of_memory(work->error));
            bool known = word_find(ruler, word);
            if (known) continue;
            more[ruler->count] = (Word){ word, ruler->count + 1 };
            ruler->count++;
            qsort(more, (size_t)ruler->count, sizeof *more, by_word);
        }
    }
done:
    return status;
}

static Status make(Work *work, Columns columns, const double *weight, Metric metric, const Columns *others, int64_t tables, bool missing,
                   const Scale **out) {
    Status status = OK;
    Scale *scale = NULL;
    double total = 0;
    NEW(work, scale, 1);
    *scale = (Scale){ .metric = metric, .missing = missing, .columns = columns.count };
    NEW(work, scale->ruler, columns.count + 1);
    for (int64_t j = 0; j < columns.count; j++) total += weight ? weight[j] : 1;
    for (int64_t j = 0; j < columns.count; j++) {
        const Column *column = columns.at[j];
        Ruler *ruler = &scale->ruler[j];
        double w = weight ? weight[j] : 1;
        if (metric == GOWER) w = total > 0 ? w / total : 0;
        ruler->name = arena_text(work->arena, column->name);
        if (is_nominal(column)) TRY(rule_nominal(work, column, w, metric, missing, ruler));
        else TRY(rule_number(work, column, w, metric, ruler));
        if (missing && !ruler->nominal && w > 0) TRY(rule_gaps(work, column, others, tables, j, ruler));
    }
    *out = scale;
done:
    return status;
}

Status scale_make(Work *work, Columns columns, const double *weight, Metric metric, const Scale **out) {
    return make(work, columns, weight, metric, NULL, 0, false, out);
}

Status scale_make_with_missing(Work *work, Columns columns, const Columns *others, int64_t tables, Metric metric, const Scale **out) {
    return make(work, columns, NULL, metric, others, tables, true, out);
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
    if (!(largest_size(x, column->rows) < INFINITY)) {
        fail(work->error, BAD, "holds an infinite number, which has no distance from others");
        TRY(error_column(work->error, column->name));
    }
    NEW(work, scaled, column->rows + 1);
    for (int64_t i = 0; i < column->rows; i++) scaled[i] = place(ruler, x[i]);
    for (int64_t i = 0; ruler->gaps && i < column->rows; i++)
        if (isnan(scaled[i])) scaled[i] = INFINITY;
    *out = (Axis){ .x = scaled, .gaps = ruler->gaps };
done:
    numbers_drop(work, column, x);
    return status;
}

/* Beside a number with gaps: 0 where it is there, else its missing code. */
static Status axis_gaps(Work *work, const Ruler *ruler, const Column *column, Axis *out) {
    Status status = OK;
    const MissingCodes gaps = missing_codes(column);
    double *x = NULL, *half = NULL;
    int32_t *code = NULL;
    NEW(work, code, gaps.count + 1);
    for (int32_t c = 0; c < gaps.count; c++) {
        const Word *found = word_find(ruler, missing_word(work, column, c));
        code[c] = found ? found->code : ruler->count + 1 + c;
    }
    NEW(work, x, column->rows + 1);
    NEW(work, half, column->rows + 1);
    for (int64_t i = 0; i < column->rows; i++) {
        x[i] = column_missing(column, i) ? (double)code[missing_code(&gaps, column, i)] : 0;
        half[i] = ruler->half_gap;
    }
    *out = (Axis){ .x = x, .half = half };
done:
    arena_drop(work->arena, code);
    return status;
}

/* The scale's codes for this column's own, missing ones after its values; words that it has not seen are numbered after them. */
static Status recode(Work *work, const Ruler *ruler, const Column *column, const Codes *codes, const MissingCodes *missing, int32_t **out) {
    Status status = OK;
    NEW(work, *out, codes->count + missing->count + 1);
    for (int32_t c = 0; c < codes->count + missing->count; c++) {
        char number[33];
        const Word *found = word_find(ruler, c < codes->count ? column_cell(column, codes->first_row[c], number)
                                                              : missing_word(work, column, c - codes->count));
        (*out)[c] = found ? found->code : ruler->count + c;
    }
done:
    return status;
}

static Status axis_nominal(Work *work, const Ruler *ruler, const Column *column, bool missing, Axis *out) {
    Status status = OK;
    Codes codes = { 0 };
    const MissingCodes gaps = missing_codes(column);
    int32_t *code = NULL;
    double *x = NULL, *half = NULL;
    TRY(column_codes(work, column, &codes));
    TRY(recode(work, ruler, column, &codes, &gaps, &code));
    NEW(work, x, column->rows + 1);
    NEW(work, half, column->rows + 1);
    for (int64_t i = 0; i < column->rows; i++) {
        int32_t at = nominal_code(&codes, &gaps, missing, column, i), c = at < 0 ? -1 : code[at];
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
    NEW(work, axis, 2 * scale->columns + 1);
    NEW(work, column, 2 * scale->columns + 1);
    for (int64_t j = 0; j < scale->columns; j++) {
        const Ruler *ruler = &scale->ruler[j];
        if (ruler->factor != 0) {
            TRY(ruler->nominal ? axis_nominal(work, ruler, columns.at[j], scale->missing, &axis[out->axes])
                               : axis_number(work, ruler, columns.at[j], &axis[out->axes]));
            column[out->axes++] = j;
        }
        if (ruler->gaps) {
            TRY(axis_gaps(work, ruler, columns.at[j], &axis[out->axes]));
            column[out->axes++] = j;
        }
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
