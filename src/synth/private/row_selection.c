/* Which of many rows drawn from the model make the release: those whose tables of the workload together come nearest to the model's.
 *
 * n rows drawn by themselves miss the model by about as much as n people miss their population. A pool of many·n rows misses it by less; n
 * of them are kept, and one is exchanged for another of the pool wherever that brings Σ over tables of the L1 distance to the pool's tables
 * down: balanced sampling (Deville & Tillé 2004), by exchange. Only rows drawn from the model are looked at: the promise is untouched. */
#include <stdlib.h>
#include <string.h>
#include "synth/private/private.h"

static const double VISITS = 3e8;      /* cells looked at, in all */
static const double CELLS = 1 << 24;   /* of all tables together */
static const int64_t POOLED = 2000000; /* rows of a pool */
enum { MOST_MANY = 10, LEAST_TRIES = 4, MOST_TRIES = 10, COLUMNS = 3 };

typedef struct View {
    int32_t start, column[COLUMNS], stride[COLUMNS]; /* of its cells; a table of fewer columns has strides of 0 */
} View;
typedef struct Board {
    int32_t many; /* rows of the pool per row kept */
    int64_t count, room;
    View *view;
    int32_t *gap; /* cell → many·(rows kept) − (rows of the pool) */
    uint16_t *code;
    int32_t width; /* of a row of `code` */
} Board;

int64_t balance_pool(int64_t rows) {
    int64_t many = rows > 0 ? POOLED / rows : 1;
    return rows * (many > MOST_MANY ? MOST_MANY : many < 1 ? 1 : many);
}

static double tables_of(int32_t d, int order) {
    double tables = 1;
    for (int i = 0; i < order; i++) tables = tables * (d - i) / (i + 1);
    return tables;
}

/* The columns that a table of the workload has; fewer where there are too many such tables to look at. Exchanges to be tried per row. */
static int64_t choose_order(const Private *p, int64_t rows, int *order) {
    int32_t d = p->domain.count;
    double tries = 0;
    for (*order = (int)(p->args->workload < d ? p->args->workload : d); *order > 0; --*order) {
        tries = VISITS / ((double)rows * tables_of(d, *order));
        if (tries >= LEAST_TRIES) break;
    }
    return *order == 0 ? 0 : tries > MOST_TRIES ? MOST_TRIES : (int64_t)tries;
}

/* All tables of `order` columns but those with so many cells that rows cannot fill them. */
static Status list_views(Private *p, int order, Board *b, int64_t *cells) {
    Status status = OK;
    const Domain *domain = &p->domain;
    double largest = CELLS / tables_of(domain->count, order);
    *cells = 0;
    for (int32_t i = 0; i < domain->count; i++)
        for (int32_t j = order > 1 ? i + 1 : i; j < (order > 1 ? domain->count : i + 1); j++)
            for (int32_t k = order > 2 ? j + 1 : j; k < (order > 2 ? domain->count : j + 1); k++) {
                int64_t size = set_cells(domain, UINT64_C(1) << i | UINT64_C(1) << j | UINT64_C(1) << k);
                int32_t last = order > 2 ? domain->at[k].merged : 1, next = order > 1 ? domain->at[j].merged : 1;
                if ((double)size > largest) continue;
                GROW(&p->run->work, b->view, b->room, b->count + 1);
                b->view[b->count++] = (View){ .start = (int32_t)*cells,
                                              .column = { i, j, k },
                                              .stride = { next * last, order > 1 ? last : 0, order > 2 ? 1 : 0 } };
                *cells += size;
            }
done:
    return status;
}

static inline int32_t *gap_at(const Board *b, const View *v, const uint16_t *row) {
    return b->gap + v->start + row[v->column[0]] * v->stride[0] + row[v->column[1]] * v->stride[1] + row[v->column[2]] * v->stride[2];
}

static void add_row(Board *b, int64_t row, int32_t by) {
    for (int64_t t = 0; t < b->count; t++) *gap_at(b, &b->view[t], b->code + row * b->width) += by;
}

/* The gaps of the rows kept (the first ones) against the pool. */
static Status lay_out(Private *p, uint16_t *const *codes, int64_t pool, int64_t rows, int64_t cells, Board *b) {
    Status status = OK;
    b->width = p->domain.count;
    b->many = (int32_t)(pool / rows);
    NEW(&p->run->work, b->gap, cells + 1);
    NEW(&p->run->work, b->code, pool * b->width + 1);
    for (int64_t i = 0; i < pool; i++)
        for (int32_t j = 0; j < b->width; j++) b->code[i * b->width + j] = codes[j][i];
    for (int64_t i = 0; i < pool; i++) add_row(b, i, i < rows ? b->many - 1 : -1);
done:
    return status;
}

/* By how much Σ|gap| rises when `in` takes the place of `out`. */
static int64_t rise(const Board *b, int64_t out, int64_t in) {
    const uint16_t *from = b->code + out * b->width, *to = b->code + in * b->width;
    int64_t sum = 0;
    for (int64_t t = 0; t < b->count; t++) {
        const int32_t *less = gap_at(b, &b->view[t], from), *more = gap_at(b, &b->view[t], to);
        int32_t change = abs(*less - b->many) - abs(*less) + abs(*more + b->many) - abs(*more);
        sum += less == more ? 0 : change;
    }
    return sum;
}

Status rows_balance(Private *p, uint16_t *const *codes, int64_t pool, int64_t rows, int64_t *pick) {
    Status status = OK;
    Board b = { 0 };
    int order;
    int64_t cells, tries = choose_order(p, rows, &order), *spare = NULL;
    RandomStream stream = run_stream(p->run, NULL, "balance");
    RandomReader reader = reader_make(&stream);
    for (int64_t i = 0; i < rows; i++) pick[i] = i;
    if (!tries || pool < 2 * rows) return OK;
    TRY(list_views(p, order, &b, &cells));
    TRY(lay_out(p, codes, pool, rows, cells, &b));
    NEW(&p->run->work, spare, pool - rows + 1);
    for (int64_t i = rows; i < pool; i++) spare[i - rows] = i;
    for (int64_t turn = 0; turn < tries; turn++) {
        TRY(work_check(&p->run->work));
        for (int64_t i = 0; i < rows; i++) {
            int64_t other = (int64_t)reader_below(&reader, (uint64_t)(pool - rows)), out = pick[i];
            if (rise(&b, out, spare[other]) >= 0) continue;
            add_row(&b, out, -b.many);
            add_row(&b, spare[other], b.many);
            pick[i] = spare[other];
            spare[other] = out;
        }
    }
done:
    arena_drop(p->run->work.arena, b.view);
    arena_drop(p->run->work.arena, b.gap);
    arena_drop(p->run->work.arena, b.code);
    arena_drop(p->run->work.arena, spare);
    return status;
}
