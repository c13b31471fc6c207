/* A table from cells and the linear relations between them, or as another program wrote it. Defined after Fischetti & Salazar 2001:
 * docs/methods/tabular-import.md. */
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "method/method.h"
#include "table/cell_structure.h"
#include "tabular/model.h"

typedef struct {
    const Table *table, *cells, *relations;
    bool counts;
} args;
static const Param params[] = {
    TABLE(args, table, "A finished table: τ-Argus NAME.rda (with its .tab and .hrc files), a JJ file (.jj), or a table of cells",
          .flags = POSITIONAL),
    TABLE(args, cells, "Cells: columns cell and value, optionally primary, lower, upper and protection"),
    TABLE(args, relations, "Relations, one row per term: columns relation, cell and coef. In each relation Σ coef·value = 0"),
    FLAG(args, counts, "The values are counts, and an intruder knows that they are whole numbers"),
    ONE_OF("table", "cells"),
    ONLY_WITH("cells", "relations"),
    ONLY_WITH("relations", "cells"),
    END,
};
static const Return values[] = {
    VALUE(cells, INTEGER, "Cells"),
    VALUE(relations, INTEGER, "Relations between the cells"),
    VALUE(primary, INTEGER, "Cells that are marked as primary"),
    VALUE(residual, REAL, "Largest relative error of a relation, where cells do not add up"),
    OUTPUT("The table with its relations", .flags = KEEPERS),
    END,
};

typedef struct {
    const char *text;
    int32_t at;
} Word;
static int by_text(const void *a, const void *b) { return strcmp(((const Word *)a)->text, ((const Word *)b)->text); }

static Status read_names(Work *work, const Table *cells, Structure *s, Word **words) {
    Status status = OK;
    const Column *column;
    char number[33];
    TRY(table_need(cells, "cell", &column, work->error));
    s->names = cells->rows;
    NEW(work, s->name, s->names + 1);
    NEW(work, *words, s->names + 1);
    for (int64_t i = 0; i < s->names; i++) {
        const char *cell = column_cell(column, i, number);
        if (!cell) {
            fail(work->error, BAD, "a cell without a name");
            TRY(error_row(work->error, i));
        }
        if (!(s->name[i] = arena_text(work->arena, cell))) TRY(out_of_memory(work->error));
        (*words)[i] = (Word){ s->name[i], (int32_t)i };
    }
    qsort(*words, (size_t)s->names, sizeof **words, by_text);
    for (int64_t i = 1; i < s->names; i++)
        if (!strcmp((*words)[i].text, (*words)[i - 1].text)) {
            fail(work->error, BAD, "this cell occurs in two rows");
            TRY(error_row(work->error, (*words)[i].at));
        }
done:
    return status;
}

/* A cell that a relation names twice counts with both coefficients; one that counts with 0 is not in it. */
static Status gather_terms(Work *work, Relations *r) {
    Status status = OK;
    int64_t *at = NULL, end = 0, from = 0;
    NEW(work, at, r->cells + 1);
    for (int64_t i = 0; i < r->count; i++) {
        int64_t begin = end, kept = end;
        for (int64_t k = from; k < r->start[i + 1]; k++) {
            int32_t cell = r->cell[k];
            double c = r->coefficient[k];
            if (!at[cell]) {
                r->cell[end] = cell;
                r->coefficient[end] = 0;
                at[cell] = ++end;
            }
            r->coefficient[at[cell] - 1] += c;
        }
        for (int64_t k = begin; k < end; k++) {
            at[r->cell[k]] = 0;
            if (r->coefficient[k] == 0) continue;
            r->cell[kept] = r->cell[k];
            r->coefficient[kept++] = r->coefficient[k];
        }
        from = r->start[i + 1];
        r->start[i + 1] = end = kept;
    }
done:
    return status;
}

/* Terms gathered by relation, in the order in which relations first appear. */
static Status read_relations(Work *work, const Table *table, const Word *words, Structure *s) {
    Status status = OK;
    const Column *relation, *cell, *coef;
    Codes codes;
    char number[33];
    Relations *r = &s->relations;
    TRY(table_need(table, "relation", &relation, work->error));
    TRY(table_need(table, "cell", &cell, work->error));
    TRY(table_need(table, "coef", &coef, work->error));
    if (!column_numeric(coef)) {
        fail(work->error, BAD, "coefficients must be numbers");
        TRY(error_column(work->error, "coef"));
    }
    TRY(column_codes(work, relation, &codes));
    *r = (Relations){ .cells = s->names, .count = codes.count };
    NEW(work, r->start, codes.count + 2);
    NEW(work, r->cell, table->rows + 1);
    NEW(work, r->coefficient, table->rows + 1);
    for (int64_t i = 0; i < table->rows; i++) {
        if (codes.at[i] < 0) {
            fail(work->error, BAD, "a term without a relation");
            TRY(error_row(work->error, i));
        }
        r->start[codes.at[i] + 2]++;
    }
    for (int32_t c = 0; c < codes.count; c++) r->start[c + 2] += r->start[c + 1];
    for (int64_t i = 0; i < table->rows; i++) {
        Word key = { column_cell(cell, i, number), 0 };
        const Word *found = key.text ? bsearch(&key, words, (size_t)s->names, sizeof *words, by_text) : NULL;
        if (!found || !isfinite(column_number(coef, i))) {
            fail(work->error, BAD, found ? "a coefficient is missing" : "a relation names a cell that is not in --cells");
            TRY(error_row(work->error, i));
        }
        int64_t at = r->start[codes.at[i] + 1]++;
        r->cell[at] = found->at;
        r->coefficient[at] = column_number(coef, i);
    }
    TRY(gather_terms(work, r));
done:
    return status;
}

/* primary: 1, yes or true. */
static bool is_marked(const Column *column, int64_t row) {
    char number[33];
    const char *cell = column ? column_cell(column, row, number) : NULL;
    return cell && (!strcmp(cell, "1") || !strcmp(cell, "yes") || !strcmp(cell, "true") || !strcmp(cell, "primary"));
}

static Status make_table(Work *work, const Table *cells, const Structure *s, Table **out) {
    Status status = OK;
    Column *mark = NULL;
    Table *without = NULL;
    uint8_t *at = NULL;
    const char *drop[] = { "primary" };
    const Column *flag = table_column(cells, "primary");
    NEW(work, at, cells->rows + 1);
    for (int64_t i = 0; i < cells->rows; i++) at[i] = is_marked(flag, i) ? CELL_PRIMARY : CELL_OPEN;
    TRY(table_without(cells, drop, 1, &without, work->error));
    if (flag || !table_column(cells, "status")) {
        TRY(model_status_column(work, at, cells->rows, &mark));
        TRY(table_with(without, &mark, 1, out, work->error));
    } else *out = table_retain(without);
    TRY(structure_keep(work, s, *out));
done:
    column_release(mark);
    table_release(without);
    return status;
}

/* From cells and relations, with its structure. */
static Status from_cells(Work *work, const args *a, Table **out) {
    Status status = OK;
    Structure s = { .total = "Total", .whole = a->counts };
    Word *words;
    TRY(read_names(work, a->cells, &s, &words));
    TRY(read_relations(work, a->relations, words, &s));
    TRY(make_table(work, a->cells, &s, out));
done:
    return status;
}

/* As it was read; what was told of it is kept with it. */
static Status from_table(Work *work, const args *a, Table **out) {
    Status status = OK;
    Structure s;
    TRY(structure_read(work, a->table, NULL, &s));
    s.whole |= a->counts;
    TRY(table_without(a->table, NULL, 0, out, work->error));
    TRY(structure_keep(work, &s, *out));
done:
    return status;
}

static Status import_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    Work *work = &run->work;
    Table *table = NULL;
    Model model;
    int64_t primary = 0;
    TRY((a->table ? from_table : from_cells)(work, a, &table));
    TRY(model_make(work, table, NULL, &model));
    for (int64_t i = 0; i < model.cells; i++) primary += model.status[i] == CELL_PRIMARY;
    double residual = model_residual(&model);
    result_integer(run->result, "cells", model.cells);
    result_integer(run->result, "relations", model.relations.count);
    result_integer(run->result, "primary", primary);
    result_real(run->result, "residual", residual < 1e-12 ? 0 : residual);
    if (residual > 1e-4)
        result_note(run->result,
                    "Some relations do not add up. Intervals are computed for the changes between cells, not for their values.");
    result_output(run->result, table);
    table = NULL;
done:
    table_release(table);
    return status;
}

const Method tabular_import = { .group = "tabular",
                                .name = "import",
                                .summary = "Import a finished table: cells and relations, τ-Argus or JJ files",
                                .source = "Fischetti & Salazar 2001",
                                .params = params,
                                .size = sizeof(args),
                                .run = import_run,
                                .values = values,
                                .example = "scrim tabular import --cells examples/cells.csv --relations examples/relations.csv" };
