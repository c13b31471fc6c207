/* What scrub.text reports: counts by kind, the queue for review, and every find as a table of its own. */
#include <stdlib.h>
#include <string.h>
#include "scrub/text/text.h"

static int64_t points(const char *text, size_t bytes) {
    int64_t n = 0;
    int length;
    for (const char *p = text, *end = text + bytes; p < end; p += length, n++) (void)code_point(p, end, &length);
    return n;
}

static double rounded(double confidence) { return (double)(int64_t)(confidence * 1000 + 0.5) / 1000; }

typedef struct Tally {
    int64_t finds, records, last_row;
    double least;
} Tally;

static void count_kinds(Scrubbing *s) {
    Tally tally[TRACE_ROOM] = { 0 };
    int64_t finds = 0, changed = 0, uncertain = 0, near = 0;
    for (int64_t row = 0; row < s->rows; row++) {
        bool any = false;
        for (int64_t c = 0; c < s->columns; c++) {
            const CellFinds *f = &cell_at(s, c, row)->found;
            near += f->misses;
            for (int64_t i = 0; i < f->finds; i++) {
                Tally *t = &tally[f->find[i].kind];
                double sure = (double)f->find[i].confidence;
                t->least = t->finds ? (sure < t->least ? sure : t->least) : sure;
                t->finds++;
                if (t->records == 0 || t->last_row != row) t->records++;
                t->last_row = row;
                any = true;
                finds++;
                uncertain += sure < 0.8;
            }
        }
        changed += any;
    }
    Result *r = s->run->result;
    result_integer(r, "records", s->rows);
    result_integer(r, "changed", changed);
    result_integer(r, "finds", finds);
    result_integer(r, "uncertain", uncertain);
    result_integer(r, "near_misses", near);
    if (s->a->subject) result_integer(r, "subjects", s->human_count - 1);
    else
        result_null(r, "subjects",
                    "No --subject was given: all records count as one subject, so that one name has one pseudonym and dates move by one "
                    "number of days in all of them.");
    Grid *grid = grid_new(r, "kinds", "kind:text finds:integer records:integer least_confidence:real");
    for (unsigned k = 0; k < TRACE_ROOM; k++) {
        if (!tally[k].finds) continue;
        grid_text(grid, trace_name(&s->finder, k));
        grid_integer(grid, tally[k].finds);
        grid_integer(grid, tally[k].records);
        grid_real(grid, rounded(tally[k].least));
    }
    grid_done(grid);
}

/* ---- The queue for review ---- */

typedef struct Doubt {
    int64_t row, column;
    const Find *find;
    bool found;
    double distance;
} Doubt;

static int by_doubt(const void *a, const void *b) {
    const Doubt *x = a, *y = b;
    if (x->distance != y->distance) return x->distance < y->distance ? -1 : 1;
    if (x->row != y->row) return x->row < y->row ? -1 : 1;
    if (x->column != y->column) return x->column < y->column ? -1 : 1;
    return (x->find->start > y->find->start) - (x->find->start < y->find->start);
}

static int64_t gather(Scrubbing *s, Doubt *out) {
    int64_t n = 0;
    for (int64_t c = 0; c < s->columns; c++)
        for (int64_t row = 0; row < s->rows; row++) {
            const CellFinds *f = &cell_at(s, c, row)->found;
            for (int64_t i = 0; i < f->finds; i++) {
                if (out) out[n] = (Doubt){ row, c, &f->find[i], true, (double)f->find[i].confidence - s->finder.threshold };
                n++;
            }
            for (int64_t i = 0; i < f->misses; i++) {
                if (out) out[n] = (Doubt){ row, c, &f->miss[i], false, s->finder.threshold - (double)f->miss[i].confidence };
                n++;
            }
        }
    return n;
}

static const char *piece(Work *work, const char *text, uint32_t start, uint32_t end) {
    return arena_print(work->arena, "%.*s", (int)(end - start), text + start);
}

static Status review_queue(Scrubbing *s) {
    Status status = OK;
    Doubt *doubt = NULL;
    if (!s->a->review) return OK;
    int64_t count = gather(s, NULL);
    NEW(&s->run->work, doubt, count + 1);
    gather(s, doubt);
    qsort(doubt, (size_t)count, sizeof *doubt, by_doubt);
    Grid *grid = grid_new(s->run->result, "review",
                          "row:integer column:text start:integer end:integer kind:text confidence:real state:text text:text");
    for (int64_t i = 0; i < count && i < s->a->review; i++) {
        const Cell *cell = cell_at(s, doubt[i].column, doubt[i].row);
        const Find *f = doubt[i].find;
        grid_integer(grid, doubt[i].row);
        grid_text(grid, s->a->columns.at[doubt[i].column]->name);
        grid_integer(grid, points(cell->text, f->start));
        grid_integer(grid, points(cell->text, f->end));
        grid_text(grid, trace_name(&s->finder, f->kind));
        grid_real(grid, rounded((double)f->confidence));
        grid_text(grid, doubt[i].found ? "found" : "left");
        grid_text(grid, piece(&s->run->work, cell->text, f->start, f->end));
    }
    grid_done(grid);
done:
    return status;
}

/* ---- Every find ---- */

typedef struct FindColumns {
    Column *row, *start, *end, *confidence;
    const char **column, **kind, **text, **made;
} FindColumns;

static Status find_columns(Scrubbing *s, int64_t count, FindColumns *f) {
    Status status = OK;
    Error *error = s->run->work.error;
    TRY(column_new(INTEGER_TYPE, "row", count, &f->row, error));
    TRY(column_new(INTEGER_TYPE, "start", count, &f->start, error));
    TRY(column_new(INTEGER_TYPE, "end", count, &f->end, error));
    TRY(column_new(REAL_TYPE, "confidence", count, &f->confidence, error));
    NEW(&s->run->work, f->column, count + 1);
    NEW(&s->run->work, f->kind, count + 1);
    NEW(&s->run->work, f->text, count + 1);
    NEW(&s->run->work, f->made, count + 1);
done:
    return status;
}

static Status fill_finds(Scrubbing *s, FindColumns *f) {
    int64_t n = 0;
    for (int64_t row = 0; row < s->rows; row++)
        for (int64_t c = 0; c < s->columns; c++) {
            const Cell *cell = cell_at(s, c, row);
            int64_t point = 0;
            uint32_t at = 0; /* `point` code points lie before byte `at`: finds come in order, so that a long cell is counted once */
            for (int64_t i = 0; i < cell->found.finds; i++, n++) {
                const Find *find = &cell->found.find[i];
                f->row->integer[n] = row;
                f->start->integer[n] = point += points(cell->text + at, find->start - at);
                f->end->integer[n] = point += points(cell->text + find->start, find->end - find->start);
                at = find->end;
                f->confidence->real[n] = rounded((double)find->confidence);
                f->column[n] = s->a->columns.at[c]->name;
                f->kind[n] = trace_name(&s->finder, find->kind);
                f->text[n] = piece(&s->run->work, cell->text, find->start, find->end);
                f->made[n] = piece(&s->run->work, cell->made, (uint32_t)cell->found.made[i].from, (uint32_t)cell->found.made[i].to);
                if (!f->text[n] || !f->made[n]) return out_of_memory(s->run->work.error);
            }
        }
    return OK;
}

static Status give_finds(Scrubbing *s) {
    Status status = OK;
    FindColumns f = { 0 };
    Column *words[4] = { NULL };
    Table *table = NULL;
    Error *error = s->run->work.error;
    int64_t count = 0;
    if (!s->a->finds) return OK;
    for (int64_t i = 0; i < s->rows * s->columns; i++) count += s->cell[i].found.finds;
    TRY(find_columns(s, count, &f));
    TRY(fill_finds(s, &f));
    TRY(column_text("column", f.column, count, &words[0], error));
    TRY(column_text("kind", f.kind, count, &words[1], error));
    TRY(column_text("text", f.text, count, &words[2], error));
    TRY(column_text("replacement", f.made, count, &words[3], error));
    Column *all[] = { f.row, words[0], f.start, f.end, words[1], f.confidence, words[2], words[3] };
    TRY(table_new("finds", all, 8, count, &table, error));
    result_output(s->run->result, table);
done:
    column_release(f.row);
    column_release(f.start);
    column_release(f.end);
    column_release(f.confidence);
    for (int i = 0; i < 4; i++) column_release(words[i]);
    return status;
}

/* Known names that stay in columns of their own beside the scrubbed text would give everyone away. */
static void name_columns_kept(Scrubbing *s) {
    Buffer list = { 0 };
    for (int64_t k = 0; k < s->a->known.count; k++) {
        bool scrubbed = false;
        for (int64_t c = 0; c < s->columns; c++) scrubbed |= s->a->columns.at[c] == s->a->known.at[k];
        if (!scrubbed) buffer_print(&list, "%s%s", list.count ? ", " : "", s->a->known.at[k]->name);
    }
    if (list.count)
        result_note(s->run->result,
                    "The output still has the columns with the known names: %s. Remove or replace them before the table is released.",
                    buffer_get(&list));
    buffer_free(&list);
}

Status scrub_tables(Scrubbing *s) {
    Status status = OK;
    name_columns_kept(s);
    count_kinds(s);
    TRY(review_queue(s));
    TRY(give_finds(s));
    result_note(
        s->run->result,
        "A find is what the patterns, lists and the tagger hold for a trace of a person; what none of them knows stays in the text. "
        "Mark up a sample and run `scrim scrub evaluate` to learn how much that is.");
    result_note(s->run->result, "An untouched sequence of events may still name someone (Sweeney 1996): `scrim scrub facts` counts how "
                                "many records share the facts that are left.");
done:
    return status;
}
