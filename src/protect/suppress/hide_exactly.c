/* Small tables: the least, by a whole-number program. */
#include "base/elementary.h"
#include <string.h>
#include "math/lp/program.h"
#include "protect/suppress/hide.h"

/* y[c,P]: records of class c that lack the keys of P once they have lost some; P holds what the class lacks from the start, M_c. o[c]: the
 * class is open, and no record looks like it. z[c]: its records lack every key, and no other record that has one left fits it.
 *
 *     Σ_P y[c,P] = n_c        k(1 − o) ≤ Σ y[u,M_c] over u that then equal c ≤ n(1 − o)        z ≤ o
 *     k(o − z) ≤ Σ y[u,P] over P that make u fit c, neither empty nor all ≤ n(1 − z)        Σ_u y[u,all] ≥ kz
 *
 * and the cells one fewer than found: infeasible proves that those are the least. */
enum { COLUMNS_MOST = 1200, NODES_MOST = 400, WORK_MOST = 64 * 1000 }; /* nodes times columns: about a second */

typedef struct {
    Hide *h;
    int64_t sets;  /* 2^keys */
    uint64_t *set; /* place → keys */
    double records;
    int64_t columns, rows, room, entries_room, entries;
    ProgramColumn *column;
    ProgramRow *row;
    int64_t *entry; /* row → its first entry */
    int32_t *index;
    double *value;
} Model;

static int32_t y_of(const Model *m, int64_t c, int64_t s) { return (int32_t)(c * m->sets + s); }
static int32_t o_of(const Model *m, int64_t c) { return (int32_t)(m->h->classes * m->sets + 2 * c); }
static int64_t size_of(const Hide *h, int64_t c) { return h->size[c]; }
/* The place of what class c lacks from the start. */
static int64_t stays(const Model *m, int64_t c) {
    int64_t s = 0;
    while (m->set[s] != m->h->lacks[c]) s++;
    return s;
}

static Status begin_row(Work *work, Model *m, double low, double high) {
    Status status = OK;
    int64_t room = m->room;
    GROW(work, m->row, room, m->rows + 1);
    GROW(work, m->entry, m->room, m->rows + 1);
    m->row[m->rows] = (ProgramRow){ .low = low, .high = high };
    m->entry[m->rows++] = m->entries;
done:
    return status;
}

static Status put(Work *work, Model *m, int32_t column, double value) {
    Status status = OK;
    int64_t room = m->entries_room;
    GROW(work, m->index, room, m->entries + 1);
    GROW(work, m->value, m->entries_room, m->entries + 1);
    m->index[m->entries] = column;
    m->value[m->entries++] = value;
    m->row[m->rows - 1].count++;
done:
    return status;
}

static Status fit_row(Work *work, Model *m, int64_t c, double low, double high, double open, double alone) {
    Status status = OK;
    Hide *h = m->h;
    TRY(begin_row(work, m, low, high));
    for (int64_t u = 0; u < h->classes; u++) {
        uint64_t differs = hide_differs(h, c, u);
        for (int64_t s = 1; s < m->sets - 1; s++)
            if (!(differs & ~m->set[s])) TRY(put(work, m, y_of(m, u, s), 1));
    }
    if (open != 0) TRY(put(work, m, o_of(m, c), open));
    TRY(put(work, m, o_of(m, c) + 1, alone));
done:
    return status;
}

/* Records that equal class c once they lack what it lacks. */
static Status equal_row(Work *work, Model *m, int64_t c, double low, double high, double open) {
    Status status = OK;
    Hide *h = m->h;
    int64_t s = stays(m, c);
    TRY(begin_row(work, m, low, high));
    for (int64_t u = 0; u < h->classes; u++)
        if (!((hide_differs(h, c, u) | h->lacks[u]) & ~m->set[s])) TRY(put(work, m, y_of(m, u, s), 1));
    TRY(put(work, m, o_of(m, c), open));
done:
    return status;
}

static Status class_rows(Work *work, Model *m, int64_t c) {
    Status status = OK;
    Hide *h = m->h;
    double k = (double)h->k, n = (double)size_of(h, c);
    TRY(begin_row(work, m, n, n));
    for (int64_t s = 0; s < m->sets; s++) TRY(put(work, m, y_of(m, c, s), 1));
    TRY(equal_row(work, m, c, k, INFINITY, k));
    TRY(equal_row(work, m, c, -INFINITY, m->records, m->records));
    TRY(begin_row(work, m, 0, INFINITY));
    TRY(put(work, m, o_of(m, c), 1));
    TRY(put(work, m, o_of(m, c) + 1, -1));
    TRY(fit_row(work, m, c, 0, INFINITY, -k, k));
    TRY(fit_row(work, m, c, -INFINITY, m->records, 0, m->records));
    TRY(begin_row(work, m, 0, INFINITY));
    for (int64_t u = 0; u < h->classes; u++) TRY(put(work, m, y_of(m, u, m->sets - 1), 1));
    TRY(put(work, m, o_of(m, c) + 1, -k));
done:
    return status;
}

static Status make_model(Work *work, Hide *h, int64_t cells, Model *m) {
    Status status = OK;
    int key[TUPLE_KEYS], keys = 0;
    for (uint64_t left = h->among; left; left &= left - 1) key[keys++] = __builtin_ctzll(left);
    *m = (Model){ .h = h, .sets = INT64_C(1) << keys };
    for (int64_t c = 0; c < h->classes; c++) m->records += (double)h->size[c];
    NEW(work, m->set, m->sets);
    for (int64_t s = 0; s < m->sets; s++)
        for (int64_t left = s; left; left &= left - 1) m->set[s] |= UINT64_C(1) << key[__builtin_ctzll((uint64_t)left)];
    m->columns = h->classes * (m->sets + 2);
    NEW(work, m->column, m->columns);
    for (int64_t c = 0; c < h->classes; c++) {
        bool small = size_of(h, c) < h->k && !h->lacks[c], bare = h->lacks[c] == h->among;
        for (int64_t s = 0; s < m->sets; s++) {
            bool may = !(h->lacks[c] & ~m->set[s]);
            m->column[y_of(m, c, s)] = (ProgramColumn){ .cost = may ? __builtin_popcountll(m->set[s] & ~h->lacks[c]) : 0,
                                                        .low = 0,
                                                        .high = may ? (double)size_of(h, c) : 0,
                                                        .whole = true };
        }
        m->column[o_of(m, c)] = (ProgramColumn){ .low = small, .high = bare ? 0 : 1, .whole = true };
        m->column[o_of(m, c) + 1] = (ProgramColumn){ .low = 0, .high = 1, .whole = true };
    }
    for (int64_t c = 0; c < h->classes; c++) TRY(class_rows(work, m, c));
    TRY(begin_row(work, m, 0, (double)cells - 1));
    for (int64_t j = 0; j < h->classes * m->sets; j++)
        if (m->column[j].cost > 0) TRY(put(work, m, (int32_t)j, m->column[j].cost));
    for (int64_t i = 0; i < m->rows; i++) {
        m->row[i].column = m->index + m->entry[i];
        m->row[i].coefficient = m->value + m->entry[i];
    }
done:
    return status;
}

static bool has_heavy(const Hide *h, int64_t c) { return h->size[c] > h->start[c + 1] - h->start[c]; }

/* Where rows stand for several records: are enough of those that do not, for what the class loses? */
static bool can_be_read(const Model *m, const double *x) {
    const Hide *h = m->h;
    for (int64_t c = 0; c < h->classes; c++) {
        int64_t light = 0, lost = h->size[c] - llround(x[y_of(m, c, stays(m, c))]);
        for (int64_t i = h->start[c]; i < h->start[c + 1]; i++) light += hide_times(h, h->row[i]) == 1;
        if (has_heavy(h, c) && lost > light) return false;
    }
    return true;
}

static void lose_light(const Model *m, const double *x, int64_t c) {
    Hide *h = m->h;
    int64_t at = h->start[c];
    for (int64_t s = 0; s < m->sets; s++)
        for (int64_t n = m->set[s] == h->lacks[c] ? 0 : llround(x[y_of(m, c, s)]); n > 0; at++) {
            if (hide_times(h, h->row[at]) > 1) continue;
            hide_set(h, h->row[at], (h->lost[h->row[at]] & ~h->among) | m->set[s]);
            n--;
        }
    for (int64_t i = h->start[c]; i < h->start[c + 1]; i++)
        if (i >= at || hide_times(h, h->row[i]) > 1) hide_set(h, h->row[i], (h->lost[h->row[i]] & ~h->among) | h->lacks[c]);
}

static void read_answer(const Model *m, const double *x) {
    Hide *h = m->h;
    for (int64_t c = 0; c < h->classes; c++) {
        int64_t at = h->start[c];
        if (has_heavy(h, c)) {
            lose_light(m, x, c);
            continue;
        }
        for (int64_t s = 0; s < m->sets; s++)
            for (int64_t n = llround(x[y_of(m, c, s)]); n > 0 && at < h->start[c + 1]; n--, at++)
                hide_set(h, h->row[at], (h->lost[h->row[at]] & ~h->among) | m->set[s]);
    }
}

static bool suits(const Hide *h) {
    int keys = __builtin_popcountll(h->among);
    if (keys > 6 || h->problem->stratum || h->classes * ((INT64_C(1) << keys) + 2) > COLUMNS_MOST) return false;
    for (uint64_t left = h->among; left; left &= left - 1)
        if (h->price[__builtin_ctzll(left)] > 1.5) return false;
    return true;
}

Status hide_exactly(Work *work, Hide *h, int64_t *bound) {
    Status status = OK;
    int64_t cells = 0;
    if (!suits(h)) return OK;
    for (int64_t i = 0; i < h->rows; i++) cells += hide_times(h, i) * __builtin_popcountll(h->lost[i] & h->among & ~h->lacks[h->of[i]]);
    Model m;
    Solution found;
    TRY(make_model(work, h, cells, &m));
    int64_t nodes = WORK_MOST / (m.columns + 1) < NODES_MOST ? WORK_MOST / (m.columns + 1) : NODES_MOST;
    TRY(program_solve(work, &(Program){ .rows = m.rows, .columns = m.columns, .row = m.row, .column = m.column, .nodes = nodes }, &found));
    if (found.state == PROGRAM_INFEASIBLE) *bound = cells;
    if (found.state == PROGRAM_OPTIMAL) *bound = llround(found.objective);
    if (found.state == PROGRAM_STOPPED && found.bound > (double)*bound && found.bound <= (double)cells)
        *bound = (int64_t)ceil(found.bound - 1e-6);
    if (found.x && found.state != PROGRAM_INFEASIBLE && can_be_read(&m, found.x)) read_answer(&m, found.x);
done:
    return status;
}
