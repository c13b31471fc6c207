/* Neighbours: every answer against comparing all pairs, in few and many dimensions, with ties, categories, missing values and removals. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "math/neighbours/neighbours.h"
#include "math/neighbours/float_filter.h"
#include "math/neighbours/gaussian_sum.h"
#include "testing.h"

static Error error;
static Work work_new(int threads) {
    error = ERROR_NONE;
    return (Work){ .arena = arena_new(), .error = &error, .threads = threads };
}
static uint64_t state;
static uint64_t next_word(void) {
    state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = state;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}
static double next_uniform(void) { return (double)(next_word() >> 11) * 0x1p-53; }

/* Numbers that may be missing (+∞), each with the axis beside it that says how far that is; by two missing codes. */
static bool with_gaps;
static void open_gaps(Work *work, int64_t rows, double *x, Axis *beside) {
    double *code, *half;
    assert_int_equal(arena_array(work->arena, rows + 1, sizeof *code, &code, &error), OK);
    assert_int_equal(arena_array(work->arena, rows + 1, sizeof *half, &half, &error), OK);
    for (int64_t i = 0; i < rows; i++) {
        uint64_t draw = next_word() % 10;
        code[i] = draw < 2 ? (double)(1 + draw) : 0;
        half[i] = 0.3;
        if (code[i] > 0) x[i] = INFINITY;
    }
    *beside = (Axis){ .x = code, .half = half };
}

/* `grid` > 0: values on a grid of that many steps, so that ties abound. Every third axis is nominal where asked. */
static Space random_space(Work *work, Metric metric, int64_t rows, int64_t axes, uint64_t grid, bool nominal, int missing_percent) {
    Axis *axis;
    int64_t beside = axes;
    assert_int_equal(arena_array(work->arena, 2 * axes + 1, sizeof *axis, &axis, &error), OK);
    for (int64_t j = 0; j < axes; j++) {
        double *x, *half = NULL;
        assert_int_equal(arena_array(work->arena, rows + 1, sizeof *x, &x, &error), OK);
        bool words = nominal && j % 3 == 2;
        if (words) assert_int_equal(arena_array(work->arena, rows + 1, sizeof *half, &half, &error), OK);
        for (int64_t i = 0; i < rows; i++) {
            x[i] = words  ? (double)(next_word() % 5)
                   : grid ? (double)(next_word() % grid) / (double)grid
                          : next_uniform() + next_uniform() * next_uniform();
            if (words) half[i] = 0.05 * x[i];
            if ((int)(next_word() % 100) < missing_percent) x[i] = NAN;
        }
        axis[j] = (Axis){ .x = x, .half = half, .gaps = with_gaps && !words };
        if (axis[j].gaps) open_gaps(work, rows, x, &axis[beside++]);
    }
    return (Space){ .metric = metric, .rows = rows, .axes = beside, .axis = axis };
}

static bool complete(const Space *space, int64_t row) {
    for (int64_t j = 0; j < space->axes; j++)
        if (isnan(space->axis[j].x[row])) return false;
    return true;
}

typedef struct {
    const Space *from, *in;
    bool other, inclusive;
    const double *limit;
    int64_t visits;
    int64_t *count;
} Checked;
static Status check_visit(void *self, int64_t query, const int32_t *rows, int64_t count, Error *e) {
    Checked *c = self;
    int64_t at = 0;
    (void)e;
    for (int64_t i = 0; i < c->in->rows; i++) {
        if ((c->other && i == query) || !complete(c->in, i)) continue;
        double m = space_measure(c->from, query, c->in, i);
        if (!(m < c->limit[query] || (c->inclusive && m == c->limit[query]))) continue;
        if (at >= count || rows[at] != i) return FAILED;
        at++;
    }
    __atomic_add_fetch(&c->visits, 1, __ATOMIC_RELAXED);
    return at == count && count == c->count[query] ? OK : FAILED;
}

static void check_within(Work *work, const Space *a, const Space *b, const Neighbours *from, const Neighbours *in, bool other) {
    double *limit;
    int64_t *count, complete_rows = 0;
    assert_int_equal(arena_array(work->arena, a->rows + 1, sizeof *limit, &limit, &error), OK);
    assert_int_equal(arena_array(work->arena, a->rows + 1, sizeof *count, &count, &error), OK);
    for (int64_t i = 0; i < a->rows; i++) {
        complete_rows += complete(a, i);
        limit[i] = b->rows && i % 3 ? space_measure(a, i, b, (i * 7) % b->rows)
                                    : 0.1 * (double)(i % 7); /* some limits are some record's own measure */
    }
    for (int inclusive = 0; inclusive < 2; inclusive++) {
        assert_int_equal(neighbours_within_count(work, from, in, other, limit, inclusive, count), OK);
        Checked c = { a, b, other, inclusive, limit, 0, count };
        assert_int_equal(neighbours_within(work, from, in, other, limit, inclusive, check_visit, &c), OK);
        assert_int_equal(c.visits, complete_rows);
    }
}

static int by_near(const void *a, const void *b) {
    const Near *x = a, *y = b;
    return x->measure != y->measure ? (x->measure > y->measure) - (x->measure < y->measure) : (x->row > y->row) - (x->row < y->row);
}

static int64_t all_near(const Space *a, int64_t query, const Space *b, bool other, Near *out) {
    int64_t count = 0;
    for (int64_t i = 0; i < b->rows; i++)
        if (complete(b, i) && !(other && i == query)) out[count++] = (Near){ space_measure(a, query, b, i), i };
    qsort(out, (size_t)count, sizeof *out, by_near);
    return count;
}

typedef struct {
    int64_t k;
    const int64_t *row;
    int64_t visits;
} CheckedK;
static int by_row(const void *a, const void *b) {
    return (*(const int32_t *)a > *(const int32_t *)b) - (*(const int32_t *)a < *(const int32_t *)b);
}
static Status check_k_visit(void *self, int64_t query, const int32_t *rows, int64_t count, Error *e) {
    CheckedK *c = self;
    int32_t wanted[64], have = 0;
    (void)e;
    while (have < c->k && c->row[query * c->k + have] >= 0) {
        wanted[have] = (int32_t)c->row[query * c->k + have];
        have++;
    }
    qsort(wanted, (size_t)have, sizeof *wanted, by_row);
    __atomic_add_fetch(&c->visits, 1, __ATOMIC_RELAXED);
    return count == have && !memcmp(rows, wanted, sizeof *wanted * (size_t)have) ? OK : FAILED;
}

static void check_nearest(Work *work, const Space *a, const Space *b, const Neighbours *from, const Neighbours *in, bool other, int64_t k) {
    int64_t *row, *ties, *k_row;
    double *measure, *k_measure;
    Near *near;
    assert_int_equal(arena_array(work->arena, a->rows + 1, sizeof *row, &row, &error), OK);
    assert_int_equal(arena_array(work->arena, a->rows + 1, sizeof *ties, &ties, &error), OK);
    assert_int_equal(arena_array(work->arena, a->rows + 1, sizeof *measure, &measure, &error), OK);
    assert_int_equal(arena_array(work->arena, a->rows * k + 1, sizeof *k_row, &k_row, &error), OK);
    assert_int_equal(arena_array(work->arena, a->rows * k + 1, sizeof *k_measure, &k_measure, &error), OK);
    assert_int_equal(arena_array(work->arena, b->rows + 1, sizeof *near, &near, &error), OK);
    assert_int_equal(neighbours_nearest(work, from, in, other, (Nearest){ row, measure, ties }), OK);
    assert_int_equal(neighbours_k(work, from, in, other, k, k_row, k_measure), OK);
    CheckedK c = { k, k_row, 0 };
    assert_int_equal(neighbours_each_k(work, from, in, other, k, check_k_visit, &c), OK);
    assert_int_equal(c.visits, neighbours_count(from));
    double *kth;
    assert_int_equal(arena_array(work->arena, a->rows + 1, sizeof *kth, &kth, &error), OK);
    assert_int_equal(neighbours_kth(work, from, in, other, k, kth), OK);
    double *below; /* within the measure of one of them, not the same one for all that are alike: what is beyond is not there */
    assert_int_equal(arena_array(work->arena, a->rows * k + 1, sizeof *below, &below, &error), OK);
    double *limit;
    assert_int_equal(arena_array(work->arena, a->rows + 1, sizeof *limit, &limit, &error), OK);
    for (int64_t i = 0; i < a->rows; i++) limit[i] = k_measure[i * k + i % k];
    assert_int_equal(neighbours_k_below(work, from, in, other, k, limit, NULL, below), OK);
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t j = 0; complete(a, i) && j < k; j++)
            assert_true(below[i * k + j] == (k_measure[i * k + j] <= limit[i] ? k_measure[i * k + j] : INFINITY));
    for (int64_t i = 0; i < a->rows; i++) {
        if (!complete(a, i)) continue;
        assert_true(kth[i] == k_measure[i * k + k - 1]);
        int64_t count = all_near(a, i, b, other, near), equal = 0;
        while (equal < count && near[equal].measure == near[0].measure) equal++;
        assert_int_equal(row[i], count ? near[0].row : -1);
        assert_int_equal(ties[i], equal);
        assert_true(measure[i] == (count ? near[0].measure : INFINITY));
        for (int64_t j = 0; j < k; j++) {
            assert_int_equal(k_row[i * k + j], j < count ? near[j].row : -1);
            assert_true(k_measure[i * k + j] == (j < count ? near[j].measure : INFINITY));
        }
    }
}

static void check_all(Metric metric, int64_t rows, int64_t others, int64_t axes, uint64_t grid, bool nominal, int missing, int threads) {
    Work work = work_new(threads);
    Neighbours *a_index, *b_index;
    const uint64_t before = state;
    Space a = random_space(&work, metric, rows, axes, grid, nominal, missing),
          b = random_space(&work, metric, others, axes, grid, nominal, missing);
    state = before;
    Space a_again = random_space(&work, metric, rows, axes, grid, nominal, missing),
          b_again = random_space(&work, metric, others, axes, grid, nominal, missing);
    for (int taken = 0; taken < 2; taken++) { /* halved by other axes */
        if (taken) {
            assert_int_equal(neighbours_take(&work, &a_again, &a_index), OK);
            assert_int_equal(neighbours_take(&work, &b_again, &b_index), OK);
        } else {
            assert_int_equal(neighbours_make(&work, &a, NULL, 0, &a_index), OK);
            assert_int_equal(neighbours_make(&work, &b, NULL, 0, &b_index), OK);
        }
        check_within(&work, &a, &a, a_index, a_index, true);
        check_within(&work, &a, &b, a_index, b_index, false);
        check_nearest(&work, &a, &a, a_index, a_index, true, 5);
        check_nearest(&work, &a, &b, a_index, b_index, false, 40);
        neighbours_drop(&work, a_index);
    }
    arena_free(work.arena);
}

static void equals_all_pairs(void **unused) {
    (void)unused;
    state = 1;
    for (Metric metric = EUCLIDEAN; metric <= GOWER; metric++)
        for (int nominal = 0; nominal < 2; nominal++) {
            check_all(metric, 700, 300, 2, 0, nominal, 0, 2);
            check_all(metric, 500, 200, 5, 0, nominal, 0, 1);
            check_all(metric, 400, 300, 3, 4, nominal, 0, 2);  /* ties and duplicates everywhere */
            check_all(metric, 300, 200, 30, 0, nominal, 0, 2); /* many axes */
            check_all(metric, 300, 250, 4, 6, nominal, 5, 2);  /* missing coordinates */
        }
    check_all(EUCLIDEAN, 2300, 1700, 3, 0, false, 0, 2);
    check_all(EUCLIDEAN, 20, 40000, 2, 0, true, 2, 2); /* gathered and built by both threads */
}

/* The same where numbers are missing: nothing is left out, and nothing is found nearer than it is. */
static void gaps_equal_all_pairs(void **unused) {
    (void)unused;
    state = 91;
    with_gaps = true;
    for (Metric metric = EUCLIDEAN; metric <= GOWER; metric++)
        for (int nominal = 0; nominal < 2; nominal++) {
            check_all(metric, 700, 300, 1, 0, nominal, 0, 2);
            check_all(metric, 500, 400, 3, 0, nominal, 0, 2);
            check_all(metric, 300, 1500, 12, 0, nominal, 0, 2); /* many axes, enough records for a scan */
            check_all(metric, 400, 300, 3, 4, nominal, 3, 2);   /* ties; some records left out */
        }
    check_all(EUCLIDEAN, 200, 4000, 2, 0, true, 0, 2);
    Work work = work_new(1);
    Space space = random_space(&work, EUCLIDEAN, 50, 2, 0, false, 0);
    Neighbours *index;
    assert_int_equal(neighbours_make(&work, &space, NULL, 0, &index), OK);
    assert_int_equal(neighbours_far_ready(&work, index), FAILED); /* the farthest are not known there */
    assert_int_equal(neighbours_remove(&work, index, 7), OK);
    assert_int_equal(neighbours_remove(&work, index, 7), FAILED); /* gone */
    assert_int_equal(neighbours_remove(&work, index, -1), FAILED);
    arena_free(work.arena);
    with_gaps = false;
}

static void small_tables(void **unused) {
    (void)unused;
    state = 2;
    int64_t sizes[] = { 0, 1, 2, 15, 16, 17, 32, 33, 127, 128, 129, 130 };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        check_all(EUCLIDEAN, sizes[i], 3, 2, 0, true, 0, 1);
        check_all(MANHATTAN, 3, sizes[i], 1, 3, false, 0, 2);
        check_all(EUCLIDEAN, sizes[i], sizes[i], 0, 0, false, 0, 1); /* no axis: all are everywhere */
    }
}

static void some_rows_only(void **unused) {
    (void)unused;
    state = 3;
    Work work = work_new(2);
    Neighbours *all, *some;
    Space space = random_space(&work, EUCLIDEAN, 300, 3, 0, false, 0);
    int64_t rows[100], row[300];
    for (int i = 0; i < 100; i++) rows[i] = 3 * i;
    assert_int_equal(neighbours_make(&work, &space, NULL, 0, &all), OK);
    assert_int_equal(neighbours_make(&work, &space, rows, 100, &some), OK);
    assert_int_equal(neighbours_count(some), 100);
    assert_int_equal(neighbours_nearest(&work, all, some, true, (Nearest){ .row = row }), OK);
    for (int64_t i = 0; i < 300; i++) {
        int64_t best = -1;
        for (int64_t j = 0; j < 300; j += 3)
            if (j != i && (best < 0 || space_measure(&space, i, &space, j) < space_measure(&space, i, &space, best))) best = j;
        assert_int_equal(row[i], best);
    }
    arena_free(work.arena);
}

/* Records leave one by one, nearest or farthest first: each answer against those that are left. */
static void check_removals_of(Work work, Space space, bool far_ready) {
    Neighbours *index;
    int64_t rows = space.rows, axes = space.axes;
    bool gone[2000] = { false };
    assert_int_equal(neighbours_make(&work, &space, NULL, 0, &index), OK);
    if (far_ready) assert_int_equal(neighbours_far_ready(&work, index), OK);
    for (int64_t left = rows; left > 0; left--) {
        int64_t query = (int64_t)(next_word() % (uint64_t)rows), near_row = -1, far_row = -1;
        double point[64], half[64];
        for (int64_t j = 0; j < axes; j++) {
            point[j] = space.axis[j].x[query];
            half[j] = space.axis[j].half ? space.axis[j].half[query] : 0;
        }
        double near_measure = INFINITY, far_measure = -1;
        for (int64_t i = 0; i < rows; i++) {
            if (gone[i]) continue;
            double m = space_measure(&space, query, &space, i);
            if (m < near_measure) {
                near_measure = m;
                near_row = i;
            }
            if (m > far_measure) {
                far_measure = m;
                far_row = i;
            }
        }
        Near near[3], far = neighbours_farthest(index, point, half);
        assert_int_equal(neighbours_at(index, point, half, 3, near), left < 3 ? left : 3);
        assert_int_equal(near[0].row, near_row);
        assert_true(near[0].measure == near_measure);
        assert_int_equal(far.row, far_row);
        assert_true(far.measure == far_measure);
        int64_t leaves = left % 2 ? near_row : far_row;
        assert_int_equal(neighbours_remove(&work, index, leaves), OK);
        gone[leaves] = true;
        assert_int_equal(neighbours_count(index), left - 1);
    }
    assert_int_equal(neighbours_farthest(index, (double[64]){ 0 }, (double[64]){ 0 }).row, -1);
    arena_free(work.arena);
}

static void check_removals(Metric metric, int64_t rows, int64_t axes, uint64_t grid, bool nominal, bool far_ready) {
    Work work = work_new(1);
    check_removals_of(work, random_space(&work, metric, rows, axes, grid, nominal, 0), far_ready);
}

/* Three clusters: the average lies in the middle one. */
static void removals_of_clusters(void **unused) {
    (void)unused;
    state = 8;
    Work work = work_new(1);
    double x[3][1500];
    Axis axis[3] = { { .x = x[0] }, { .x = x[1] }, { .x = x[2] } };
    for (int i = 0; i < 1500; i++)
        for (int j = 0; j < 3; j++) x[j][i] = 10 * (i % 3) + 0.3 * next_uniform();
    check_removals_of(work, (Space){ .metric = EUCLIDEAN, .rows = 1500, .axes = 3, .axis = axis }, true);
}

static void removals(void **unused) {
    (void)unused;
    state = 4;
    check_removals(EUCLIDEAN, 900, 3, 0, false, false);
    check_removals(EUCLIDEAN, 900, 3, 0, false, true);
    check_removals(MANHATTAN, 500, 5, 3, true, false);
    check_removals(MANHATTAN, 500, 5, 3, true, true);
    check_removals(EUCLIDEAN, 400, 2, 4, true, false);
    check_removals(EUCLIDEAN, 400, 2, 4, true, true);
    check_removals(GOWER, 300, 20, 0, true, false);
    check_removals(GOWER, 300, 20, 0, true, true);
    check_removals(EUCLIDEAN, 1500, 1, 0, false, true);
    check_removals(EUCLIDEAN, 800, 4, 3, false, true); /* many alike */
    check_removals(EUCLIDEAN, 200, 2, 1, false, true); /* all alike */
    check_removals(EUCLIDEAN, 200, 24, 0, false, true);
    check_removals(EUCLIDEAN, 200, 25, 0, false, true); /* too many axes for cones */
}

static int by_measure(const void *a, const void *b) {
    const Near *x = a, *y = b;
    return x->measure != y->measure ? (x->measure < y->measure ? -1 : 1) : (x->row > y->row) - (x->row < y->row);
}

/* Several records at once, while others leave, on one thread and on three: against all pairs. */
static void several(void **unused) {
    (void)unused;
    state = 9;
    enum { NEAR = 5, FAR = 7, ROWS = 2300 };
    for (int round = 0; round < 6; round++) {
        Work work = work_new(round % 2 ? 1 : 3);
        Space space = random_space(&work, round % 3 ? EUCLIDEAN : MANHATTAN, round == 5 ? 9 : ROWS, 30, round == 1 ? 2 : 0, round >= 3, 0);
        Neighbours *index;
        Near near[NEIGHBOURS_SEVERAL * NEAR], far[NEIGHBOURS_SEVERAL * FAR], *all = malloc(sizeof *all * ROWS);
        assert_int_equal(neighbours_make(&work, &space, NULL, 0, &index), OK);
        assert_true(neighbours_many_axes(index));
        for (int64_t i = 0; i < space.rows / 3; i++) assert_int_equal(neighbours_remove(&work, index, 3 * i), OK);
        int64_t rows[NEIGHBOURS_SEVERAL] = { 1, 2, 4, 5, 7, 8 }, step = round == 5 ? 0 : 99;
        int count = round == 5 ? 6 : NEIGHBOURS_SEVERAL;
        for (int q = 6; q < count; q++) rows[q] = 1 + step * q;
        assert_int_equal(neighbours_several(&work, index, rows, count, NEAR, near, round == 2 ? 0 : FAR, far), OK);
        for (int q = 0; q < count; q++) {
            int64_t held = 0;
            for (int64_t i = 0; i < space.rows; i++)
                if (i != rows[q] && (i % 3 || i / 3 >= space.rows / 3))
                    all[held++] = (Near){ space_measure(&space, rows[q], &space, i), i };
            qsort(all, (size_t)held, sizeof *all, by_measure);
            for (int i = 0; i < NEAR; i++) assert_int_equal(near[q * NEAR + i].row, i < held ? all[i].row : -1);
            for (int64_t i = 0; i < held; i++) all[i].measure = -all[i].measure;
            qsort(all, (size_t)held, sizeof *all, by_measure);
            for (int i = 0; round != 2 && i < FAR; i++) {
                assert_int_equal(far[q * FAR + i].row, i < held ? all[i].row : -1);
                if (i < held) assert_true(far[q * FAR + i].measure == -all[i].measure);
            }
        }
        free(all);
        arena_free(work.arena);
    }
}

/* Distances whose squares are no numbers, and a point far from all records: boxes answer. */
static void far_beyond_squares(void **unused) {
    (void)unused;
    state = 6;
    Work work = work_new(1);
    double x[40];
    Axis axis = { .x = x };
    Space space = { .metric = EUCLIDEAN, .rows = 40, .axes = 1, .axis = &axis };
    Neighbours *index;
    for (int i = 0; i < 40; i++) x[i] = (i % 2 ? 1e152 : 1e-3) * (double)(i + 1);
    assert_int_equal(neighbours_make(&work, &space, NULL, 0, &index), OK);
    assert_int_equal(neighbours_far_ready(&work, index), OK);
    assert_int_equal(neighbours_farthest(index, (double[]){ 0 }, NULL).row, 39);
    for (int i = 0; i < 40; i++) x[i] = i == 7 ? -1 : 1;
    assert_int_equal(neighbours_make(&work, &space, NULL, 0, &index), OK);
    assert_int_equal(neighbours_far_ready(&work, index), OK);
    assert_int_equal(neighbours_farthest(index, (double[]){ 0.5 }, NULL).row, 7);
    assert_int_equal(neighbours_farthest(index, (double[]){ 1e153 }, NULL).row, 0); /* all as far, as doubles go: the lowest */
    arena_free(work.arena);
}

/* All widths give the same bits. */
static void kernels_agree(void **unused) {
    (void)unused;
    state = 5;
    Shape shape = { .numbers = 11, .nominals = 2, .slots = 15 };
    double leaf[15 * LEAF], query[15], hi[15], wide[LEAF], plain[LEAF];
    for (Metric metric = EUCLIDEAN; metric <= MANHATTAN; metric++)
        for (int round = 0; round < 200; round++) {
            for (int s = 0; s < 15; s++) {
                query[s] = s < 11 || s % 2 == 0 ? next_uniform() : (double)(next_word() % 3);
                hi[s] = query[s] + (s < 11 ? 0.1 : 0);
                for (int i = 0; i < LEAF; i++) leaf[s * LEAF + i] = s < 11 || s % 2 == 0 ? next_uniform() : (double)(next_word() % 3);
            }
            const Kernels *a = kernels_for(metric), *b = kernels_plain(metric);
            double limit = round % 2 ? INFINITY : next_uniform() * 3;
            uint32_t mask, other_mask;
            a->near(&shape, leaf, query, 1, &limit, &mask, wide);
            b->near(&shape, leaf, query, 1, &limit, &other_mask, plain);
            assert_int_equal(mask, other_mask);
            if (mask) assert_memory_equal(wide, plain, sizeof wide);
            double limits[LEAF];
            for (int i = 0; i < LEAF; i++) limits[i] = next_uniform() * 2;
            double box_lo[15 * FAN], box_hi[15 * FAN];
            for (int s = 0; s < 15; s++) {
                box_lo[s * FAN] = query[s];
                box_hi[s * FAN] = hi[s];
            }
            assert_int_equal(a->able(&shape, leaf, box_lo, box_hi, limits), b->able(&shape, leaf, box_lo, box_hi, limits));
            a->gap(&shape, leaf, leaf, LEAF, query, hi, wide);
            b->gap(&shape, leaf, leaf, LEAF, query, hi, plain);
            assert_memory_equal(wide, plain, FAN * sizeof *wide);
            a->reach(&shape, leaf, leaf, LEAF, query, hi, wide);
            b->reach(&shape, leaf, leaf, LEAF, query, hi, plain);
            assert_memory_equal(wide, plain, FAN * sizeof *wide);
        }
}

static void cones_agree(void **unused) {
    (void)unused;
    state = 7;
    const Shape shape = { .numbers = 11, .slots = 11 };
    const Kernels *a = kernels_for(EUCLIDEAN), *b = kernels_plain(EUCLIDEAN);
    double lo[11 * FAN], hi[11 * FAN], cone[14 * FAN], centre[11], unit[11], wide[FAN], plain[FAN];
    for (int round = 0; round < 200; round++) {
        for (int i = 0; i < 14 * FAN; i++) cone[i] = next_uniform();
        for (int i = 0; i < 11 * FAN; i++) hi[i] = (lo[i] = next_uniform()) + next_uniform();
        for (int s = 0; s < 11; s++) {
            lo[s * FAN + 3] = INFINITY; /* an empty box */
            hi[s * FAN + 3] = -INFINITY;
            centre[s] = next_uniform();
            unit[s] = s ? next_uniform() - 0.5 : 0;
        }
        double most = 3 * next_uniform(), away = next_uniform();
        assert_int_equal(a->beyond(&shape, lo, hi, cone, centre, unit, away, most, wide),
                         b->beyond(&shape, lo, hi, cone, centre, unit, away, most, plain));
        assert_memory_equal(wide, plain, sizeof wide);
        for (int c = 0; c < FAN; c++) assert_false(isnan(wide[c]));
    }
}

/* Many axes, where leaves are scanned block by block. */
static void scans_equal_all_pairs(void **unused) {
    (void)unused;
    state = 21;
    check_all(EUCLIDEAN, 1200, 500, 9, 0, false, 0, 2);
    check_all(EUCLIDEAN, 1200, 500, 14, 3, true, 1, 1);
}

/* What the filter leaves out is above the limit, however large or small the numbers and wherever they lie. */
static void filter_is_safe(void **unused) {
    (void)unused;
    state = 8;
    /* At last an outlier puts the centre far from all others, a little more than 32, where halves are rounded to 32. */
    static const double scale[] = { 1, 1e-20, 1e12, 1e-3, 1e25, 1 }, shift[] = { 0, 0, 0, 1e6, 0, 0 };
    for (int round = 0; round < 6; round++) {
        Work work = work_new(1);
        Space space = random_space(&work, EUCLIDEAN, 300, 10, 0, false, 0);
        for (int64_t j = 0; j < 10; j++)
            for (int64_t i = 0; i < 300; i++) ((double *)space.axis[j].x)[i] = space.axis[j].x[i] * scale[round] + shift[round];
        for (int64_t i = 0; round == 5 && i < 300; i++) ((double *)space.axis[0].x)[i] = i ? 1e-3 * space.axis[0].x[i] : 64.23;
        Neighbours *in;
        FloatFilter filter;
        float room[10 * LEAF];
        Filtered queries = { .x = room };
        assert_int_equal(neighbours_make(&work, &space, NULL, 0, &in), OK);
        int64_t kept = 0, all = 0;
        for (int width = 0; width < FILTER_WIDTHS; width++) {
            if (!filter_width(width)) continue;
            assert_int_equal(filter_make(&work, in, width, &filter), OK);
            for (int32_t a = 0; a < in->leaves - 1; a++)
                for (int32_t b = 0; b < in->leaves; b++) {
                    double limit[LEAF], measure[LEAF * LEAF], query[LEAF * 10];
                    uint32_t mask[LEAF];
                    for (int q = 0; q < LEAF; q++) {
                        limit[q] = 0.3 * next_uniform() * scale[round] * scale[round];
                        for (int s = 0; s < 10; s++) query[q * 10 + s] = leaf_points(in, a)[s * LEAF + q];
                    }
                    filter_queries(&filter, leaf_points(in, a), &queries);
                    uint32_t passed = filter_leaf(&filter, &queries, 0xffff, limit, b);
                    kernels_plain(EUCLIDEAN)->near(&in->shape, leaf_points(in, b), query, 0xffff, limit, mask, measure);
                    for (int q = 0; q < LEAF; q++) assert_true(!mask[q] || (passed >> q & 1));
                    kept += __builtin_popcount(passed);
                    all += LEAF;
                }
        }
        assert_true(kept > 0 &&
                    (kept < all / 2 || scale[round] == 1e25 || scale[round] == 1e-20 || round == 5)); /* and it leaves something out */
        arena_free(work.arena);
    }
}

/* Sums of normal densities against the sum over all records: crowded (series), sparse (record by record), with weights, and with
 * categories: few (class by class), many, and such that nobody is taken for one of another; so wide that a category is lost beside numbers.
 */
typedef struct {
    uint64_t codes;
    double half;
} Nominal;
static void check_sums(int64_t axes, double width, const Nominal *nominal, bool weighted, int threads) {
    enum { ROWS = 2000, QUERIES = 60 };
    Work work = work_new(threads);
    Neighbours *from, *in;
    Space b = random_space(&work, EUCLIDEAN, ROWS, axes, 0, nominal != NULL, 2),
          a = random_space(&work, EUCLIDEAN, QUERIES, axes, 0, nominal != NULL, 2);
    for (int64_t j = 0; j < axes; j++)
        for (int64_t i = 0; i < ROWS; i++) {
            if (b.axis[j].half) ((double *)b.axis[j].half)[i] = nominal->half; /* not of gaps: those come after */
            if (b.axis[j].half) ((double *)b.axis[j].x)[i] = (double)(next_word() % nominal->codes);
            if (b.axis[j].half && i < QUERIES) ((double *)a.axis[j].half)[i] = nominal->half;
            if (b.axis[j].half && i < QUERIES)
                ((double *)a.axis[j].x)[i] = (double)(next_word() % (nominal->codes + 2)); /* some of a class of their own */
            if (!b.axis[j].half) ((double *)b.axis[j].x)[i] *= width;                      /* +∞ stays */
            if (!b.axis[j].half && i < QUERIES) ((double *)a.axis[j].x)[i] *= i % 20 ? width : 1.4 * width; /* some lie outside */
        }
    double *times, *base, *sum;
    assert_int_equal(arena_array(work.arena, ROWS, sizeof *times, &times, &error), OK);
    assert_int_equal(arena_array(work.arena, QUERIES, sizeof *base, &base, &error), OK);
    assert_int_equal(arena_array(work.arena, QUERIES, sizeof *sum, &sum, &error), OK);
    for (int64_t i = 0; i < ROWS; i++) times[i] = weighted ? (double)(1 + i % 7) : 1;
    assert_int_equal(neighbours_make(&work, &b, NULL, 0, &in), OK);
    assert_int_equal(neighbours_make(&work, &a, NULL, 0, &from), OK);
    assert_int_equal(neighbours_nearest(&work, from, in, false, (Nearest){ .measure = base }), OK);
    assert_int_equal(neighbours_normal_sum(&work, from, in, weighted ? times : NULL, base, sum), OK);
    for (int64_t i = 0; i < QUERIES; i++) {
        double all = 0;
        if (!complete(&a, i)) continue;
        for (int64_t k = 0; k < ROWS; k++)
            if (complete(&b, k)) all += times[k] * exp((base[i] - space_measure(&a, i, &b, k)) / 2);
        assert_true(fabs(sum[i] / all - 1) < 2e-10);
    }
    arena_free(work.arena);
}

static void normal_sums(void **unused) {
    (void)unused;
    state = 77;
    for (int64_t axes = 1; axes <= 4; axes++)
        for (int width = 0; width < 5; width++)
            for (int kind = 0; kind < 10; kind++) {
                with_gaps = width == 1 && (kind == 1 || kind == 5); /* sums of numbers, some of which are missing, and of categories */
                const Nominal nominal[] = { { 0 }, { 5, 1.3 }, { 300, 1.5 }, { 5, 400 }, { 5, 1000 } };
                check_sums(axes, (double[]){ 0.5, 5, 40, 900, 1e7 }[width], kind % 5 ? &nominal[kind % 5] : NULL, kind >= 5, 1 + width % 2);
            }
    with_gaps = false;
}

/* A low order may leave out a 4000th of what all may leave out, the highest a hundredth; nothing more than is left of it. */
static int taken_order;
static void take_order(const Shape *shape, const double *lanes, const double *base, const SeriesNode *node, int order, double *sum) {
    (void)shape, (void)lanes, (void)base, (void)node, (void)sum;
    taken_order = order;
}

static void series_orders(void **unused) {
    (void)unused;
    const struct {
        double error[SERIES_ORDERS], spent;
        int order;
    } known[] = {
        { { 1, 1, 1, 1 }, 0, 8 },     { { 1.001, 1, 1, 1 }, 0, 12 },    { { 9, 2, 1, 1 }, 0, 16 },    { { 9, 9, 9, 40 }, 0, 20 },
        { { 9, 9, 9, 40.01 }, 0, 0 }, { { 9, 9, 9, 40 }, 7920, 20 },    { { 9, 9, 9, 40 }, 7921, 0 }, { { 1, 0.5, 0, 0 }, 7999, 12 },
        { { 1, 1, 1, 1 }, 8000, 0 },  { { NAN, NAN, NAN, NAN }, 0, 0 },
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        double moment = 0, spent = known[i].spent, sum = 0;
        SeriesNode node = { .moment = &moment };
        const SumKernels kernels = { .node = take_order };
        memcpy(node.error, known[i].error, sizeof node.error);
        taken_order = 0;
        assert_int_equal(
            series_add(&(GaussianSum){ .node = &node }, 0, &kernels, &(SeriesQueries){ .scale = 2, .allowed = 8000 }, &spent, &sum),
            known[i].order > 0);
        assert_int_equal(taken_order, known[i].order);
        double left_out = known[i].order ? 2 * known[i].error[known[i].order / 4 - 2] : 0;
        assert_true(spent == known[i].spent + left_out);
    }
}

/* The same bits however wide. */
static void sums_agree(void **unused) {
    (void)unused;
    const SumKernels *plain = sum_kernels_plain(), *wide = sum_kernels();
    state = 5;
    for (int round = 0; round < 200; round++) {
        double measure[LEAF], times[LEAF], lanes[4 * LEAF], base[LEAF], middle[4], moment[300], sum[2][LEAF] = { 0 };
        Shape shape = { .numbers = 1 + round % 2, .nominals = 1, .slots = 3 + round % 2 };
        for (int i = 0; i < LEAF; i++) {
            measure[i] = next_word() % 9 ? 70 * next_uniform() : NAN;
            times[i] = (double)(next_word() % 5);
            base[i] = next_uniform();
        }
        for (int i = 0; i < 4 * LEAF; i++) lanes[i] = round % 5 ? next_uniform() : 1e6 * next_uniform();
        for (int i = 0; i < 4; i++) middle[i] = next_uniform();
        for (int i = 0; i < 300; i++) moment[i] = next_uniform();
        double one = plain->leaf(measure, 0.5, 60, times), other = wide->leaf(measure, 0.5, 60, times), of[2][300 * 8] = { { 0 } };
        assert_memory_equal(&one, &other, sizeof one);
        const SeriesNode node = { .moment = moment, .middle = middle };
        plain->node(&shape, lanes, base, &node, 8 + 4 * (round % 4), sum[0]);
        wide->node(&shape, lanes, base, &node, 8 + 4 * (round % 4), sum[1]);
        plain->moments(&shape, lanes, times, middle, of[0]);
        wide->moments(&shape, lanes, times, middle, of[1]);
        assert_memory_equal(of[0], of[1], sizeof of[0]);
        assert_memory_equal(sum[0], sum[1], sizeof sum[0]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_all_pairs),
        cmocka_unit_test(small_tables),
        cmocka_unit_test(gaps_equal_all_pairs),
        cmocka_unit_test(some_rows_only),
        cmocka_unit_test(removals),
        cmocka_unit_test(removals_of_clusters),
        cmocka_unit_test(several),
        cmocka_unit_test(far_beyond_squares),
        cmocka_unit_test(kernels_agree),
        cmocka_unit_test(cones_agree),
        cmocka_unit_test(scans_equal_all_pairs),
        cmocka_unit_test(filter_is_safe),
        cmocka_unit_test(normal_sums),
        cmocka_unit_test(sums_agree),
        cmocka_unit_test(series_orders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
