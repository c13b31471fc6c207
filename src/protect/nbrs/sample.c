/* Neighbourhood sampling: neighbourhoods found pattern by pattern of missing values, donors drawn as each is found. */
#include <stdlib.h>
#include "base/elementary.h"
#include "protect/nbrs/nbrs.h"
#include "table/group.h"

/* Records that lack the same columns. They are compared on the columns they have, with every record that has those too, and the measure is
 * scaled up by the weight of all columns over that of those compared, as is usual for distances with missing values. */
typedef struct {
    Space space;            /* the axes present */
    bool *present;          /* by column */
    double share;           /* of the weight that is compared */
    int64_t *asks, *donors; /* changed records of this pattern; records that have all its columns */
    int64_t ask_count, donor_count;
    Neighbours *from, *in;
} Pattern;

typedef struct {
    Sampling *sampling;
    const bool *present;
} Drawing;

/* The j-th value from the j-th draw: draw j is the word_below(word i·p + j, |S|)-th of S in the order of rows. */
static Status draw_donors(void *self, int64_t query, const int32_t *rows, int64_t count, Error *error) {
    const Drawing *drawing = self;
    Sampling *s = drawing->sampling;
    enum { AT_ONCE = 64 };
    uint64_t words[AT_ONCE];
    (void)error;
    s->neighbours[query] = count;
    for (int64_t first = 0; count && first < s->vars.count; first += AT_ONCE) {
        int64_t some = s->vars.count - first < AT_ONCE ? s->vars.count - first : AT_ONCE;
        stream_words(&s->draws, (uint64_t)(query * s->vars.count + first), (size_t)some, words);
        for (int64_t j = 0; j < some; j++)
            if (drawing->present[first + j]) s->donor[first + j][query] = rows[word_below(words[j], (uint64_t)count)];
    }
    return OK;
}

/* ---- Patterns of missing values ---- */

static Status group_patterns(Work *work, const Sampling *s, Grouping *out) {
    Status status = OK;
    Codes *codes = NULL;
    int64_t keys = 0;
    NEW(work, codes, s->vars.count + 1);
    for (int64_t j = 0; j < s->vars.count; j++) {
        int32_t *at = NULL;
        if (!s->vars.at[j]->missing) continue;
        NEW(work, at, s->rows + 1);
        for (int64_t i = 0; i < s->rows; i++) at[i] = column_missing(s->vars.at[j], i);
        codes[keys++] = (Codes){ .count = 2, .at = at };
    }
    if (keys) return group_codes(work, codes, keys, s->rows, out);
    *out = (Grouping){ .count = s->rows > 0 };
    NEW(work, out->of, s->rows + 1);
    NEW(work, out->first, 1);
    NEW(work, out->size, 1);
    out->size[0] = s->rows;
done:
    return status;
}

static double axis_weight(const Sampling *s, int64_t column) {
    return s->metric == EUCLIDEAN ? s->weight[column] * s->weight[column] : s->weight[column];
}

/* The axes that the pattern has; false where it has no column at all. */
static Status pattern_axes(Work *work, const Sampling *s, int64_t row, Pattern *p, bool *any) {
    Status status = OK;
    Axis *axis = NULL;
    double all = 0, here = 0;
    NEW(work, axis, s->space->axes + 1);
    NEW(work, p->present, s->vars.count + 1);
    *any = false;
    for (int64_t j = 0; j < s->vars.count; j++) *any |= p->present[j] = !column_missing(s->vars.at[j], row);
    p->space = (Space){ .metric = s->metric, .rows = s->rows, .axis = axis };
    for (int64_t a = 0; a < s->space->axes; a++) {
        double weight = axis_weight(s, s->space->column[a]);
        all += weight;
        if (!p->present[s->space->column[a]]) continue;
        here += weight;
        axis[p->space.axes++] = s->space->axis[a];
    }
    p->share = all > 0 && here < all ? here / all : 1;
done:
    return status;
}

static bool left_out(const Sampling *s, int64_t row) { return s->excluded && s->excluded[row]; }

static bool has_columns(const Sampling *s, const bool *present, int64_t row) {
    for (int64_t j = 0; j < s->vars.count; j++)
        if (present[j] && column_missing(s->vars.at[j], row)) return false;
    return true;
}

static Status pattern_open(Work *work, const Sampling *s, const Grouping *patterns, int64_t g, Pattern *p, bool *any) {
    Status status = OK;
    *p = (Pattern){ 0 };
    *any = false;
    NEW(work, p->asks, patterns->size[g] + 1);
    for (int64_t i = patterns->first[g]; i < s->rows; i++)
        if (patterns->of[i] == g && s->neighbours[i] >= 0) p->asks[p->ask_count++] = i;
    if (!p->ask_count) return OK;
    TRY(pattern_axes(work, s, patterns->first[g], p, any));
    if (!*any) return OK;
    NEW(work, p->donors, s->rows + 1);
    for (int64_t i = 0; i < s->rows; i++)
        if (!left_out(s, i) && has_columns(s, p->present, i)) p->donors[p->donor_count++] = i;
    TRY(neighbours_make(work, &p->space, p->donors, p->donor_count, &p->in));
    p->from = p->in;
    if (p->ask_count < p->donor_count) TRY(neighbours_make(work, &p->space, p->asks, p->ask_count, &p->from));
done:
    return status;
}

static void pattern_close(Work *work, Pattern *p) {
    if (p->from != p->in) neighbours_drop(work, p->from);
    neighbours_drop(work, p->in);
    arena_drop(work->arena, p->asks);
    arena_drop(work->arena, p->donors);
}

/* ---- One pattern ---- */

static Status find_neighbourhoods(Work *work, Sampling *s, const Pattern *p, double *limit) {
    Status status = OK;
    Drawing drawing = { s, p->present };
    if (s->reach == K_NEAREST) return neighbours_each_k(work, p->from, p->in, true, s->k, draw_donors, &drawing);
    if (s->reach == OWN_EPS) TRY(neighbours_kth(work, p->from, p->in, true, s->k, limit));
    else
        for (int64_t a = 0; a < p->ask_count; a++) limit[p->asks[a]] = measure_of_distance(s->metric, s->eps) * p->share;
    TRY(neighbours_within(work, p->from, p->in, true, limit, s->reach == OWN_EPS, draw_donors, &drawing));
done:
    return status;
}

/* Who is nearest to a record without neighbours: it may lend its values, and its distance tells what ε would have been needed. */
static Status find_nearest(Work *work, Sampling *s, const Pattern *p, const int64_t *rows, int64_t count, int64_t *nearest) {
    Status status = OK;
    Neighbours *from = NULL;
    double *measure = NULL;
    NEW(work, measure, s->rows + 1);
    TRY(neighbours_make(work, &p->space, rows, count, &from));
    TRY(neighbours_nearest(work, from, p->in, true, (Nearest){ .row = nearest, .measure = measure }));
    GROW(work, s->needed, s->needed_room, s->needed_count + count);
    for (int64_t a = 0; a < count; a++) s->needed[s->needed_count++] = distance_of_measure(s->metric, measure[rows[a]] / p->share);
done:
    neighbours_drop(work, from);
    arena_drop(work->arena, measure);
    return status;
}

static Status fill_empty(Work *work, Sampling *s, const Pattern *p) {
    Status status = OK;
    int64_t *rows = NULL, *nearest = NULL, count = 0;
    NEW(work, rows, p->ask_count + 1);
    for (int64_t a = 0; a < p->ask_count; a++)
        if (!s->neighbours[p->asks[a]]) rows[count++] = p->asks[a];
    s->emptied += count;
    if (count) {
        NEW(work, nearest, s->rows + 1);
        TRY(find_nearest(work, s, p, rows, count, nearest));
    }
    for (int64_t a = 0; a < count && s->empty != EMPTY_KEEP; a++)
        for (int64_t j = 0; j < s->vars.count; j++)
            if (p->present[j]) s->donor[j][rows[a]] = s->empty == EMPTY_NEAREST ? (int32_t)nearest[rows[a]] : -1;
done:
    arena_drop(work->arena, rows);
    arena_drop(work->arena, nearest);
    return status;
}

static Status start(Work *work, Sampling *s) {
    Status status = OK;
    enum { AT_ONCE = 1024 };
    uint64_t words[AT_ONCE];
    NEW(work, s->neighbours, s->rows + 1);
    NEW(work, s->donor, s->vars.count + 1);
    for (int64_t j = 0; j < s->vars.count; j++) {
        NEW(work, s->donor[j], s->rows + 1);
        for (int64_t i = 0; i < s->rows; i++) s->donor[j][i] = left_out(s, i) ? -1 : (int32_t)i;
    }
    for (int64_t first = 0; first < s->rows; first += AT_ONCE) {
        int64_t some = s->rows - first < AT_ONCE ? s->rows - first : AT_ONCE;
        stream_words(&s->chosen, (uint64_t)first, (size_t)some, words);
        for (int64_t i = 0; i < some; i++)
            s->neighbours[first + i] = !left_out(s, first + i) && word_uniform(words[i]) < s->modify ? 0 : -1;
    }
done:
    return status;
}

Status sampling_run(Work *work, Sampling *s) {
    Status status = OK;
    Grouping patterns;
    double *limit = NULL;
    if (s->rows >= INT32_MAX) return fail(work->error, FAILED, "neighbours can be searched among 2,147,483,646 records at most");
    TRY(start(work, s));
    TRY(group_patterns(work, s, &patterns));
    NEW(work, limit, s->rows + 1);
    for (int64_t g = 0; g < patterns.count; g++) {
        Pattern p;
        bool any;
        TRY(work_check(work));
        work_show(work, "neighbourhoods", (double)g / (double)patterns.count);
        TRY(pattern_open(work, s, &patterns, g, &p, &any));
        if (!any) { /* no value to change */
            for (int64_t a = 0; a < p.ask_count; a++) s->neighbours[p.asks[a]] = -1;
            continue;
        }
        s->modified += p.ask_count;
        TRY(find_neighbourhoods(work, s, &p, limit));
        TRY(fill_empty(work, s, &p));
        pattern_close(work, &p);
    }
done:
    arena_drop(work->arena, limit);
    return status;
}

/* ---- What ε would do ---- */

static int falling(const void *a, const void *b) {
    const double *x = a, *y = b;
    return (*x < *y) - (*x > *y);
}

/* Up to three significant digits, strictly above. */
static double just_above(double x) {
    if (!(x > 0)) return 0x1p-20;
    double unit = pow(10, floor(log10(x)) - 2), up = (floor(x / unit) + 1) * unit;
    return up > x ? up : up + unit;
}

/* A record with neighbours has its nearest below ε, one without has it at ε or beyond: where 1% or more are empty, only these matter. */
double sampling_better_eps(const Sampling *s) {
    int64_t allowed = (s->modified + 99) / 100 - 1; /* the most that are fewer than 1% */
    if (s->needed_count <= allowed) return s->eps;
    qsort(s->needed, (size_t)s->needed_count, sizeof *s->needed, falling);
    return isinf(s->needed[allowed]) ? INFINITY : just_above(s->needed[allowed]);
}
