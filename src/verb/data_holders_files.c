/* What those who hold files, earlier releases or published tables, or records behind a ROC curve, learn from a table together. */
#include <string.h>
#include "base/elementary.h"
#include "verb/measure_expression.h"
#include "verb/data_holders_private.h"
#include "classes/joint_codes.h"

/* ---- Linkage ---- */

/* People of a file whose records the coalition does not hold: by id, or else by place, where the file has as many rows as the table. */
static Status others_of(Register *r, const Coalition *c, const Table *file, Table **out) {
    Status status = OK;
    const Column *mine, *theirs;
    JointCodes codes;
    uint8_t *others = NULL;
    int64_t *rows = NULL, count = 0;
    if (!c->records || (!r->id && file->rows != r->data->rows)) {
        *out = table_retain(file);
        return OK;
    }
    if (!r->id) return table_take(file, c->other, c->others, out, r->work->error);
    TRY(table_need(r->data, r->id, &mine, r->work->error));
    TRY(table_need(file, r->id, &theirs, r->work->error));
    TRY(joint_codes(r->work, mine, theirs, 0, 0, &codes));
    NEW(r->work, others, codes.count + 1);
    NEW(r->work, rows, file->rows + 1);
    for (int64_t i = 0; i < r->data->rows; i++)
        if (codes.at[0][i] >= 0) others[codes.at[0][i]] = 1; /* in the table, and so far one's own */
    for (int64_t i = 0; i < c->others; i++)
        if (codes.at[0][c->other[i]] >= 0) others[codes.at[0][c->other[i]]] = 0;
    for (int64_t i = 0; i < file->rows; i++)
        if (codes.at[1][i] < 0 || !others[codes.at[1][i]]) rows[count++] = i;
    TRY(table_take(file, rows, count, out, r->work->error));
done:
    return status;
}

/* The people that are in both, with the columns of both: where both have one, the first's. */
static Status join_by_id(Register *r, const Table *first, const Table *second, Table **out) {
    Status status = OK;
    const Column *a, *b;
    JointCodes codes;
    Table *left = NULL;
    Column **more = NULL;
    int64_t *row = NULL, *mine = NULL, *theirs = NULL, count = 0, added = 0;
    TRY(table_need(first, r->id, &a, r->work->error));
    TRY(table_need(second, r->id, &b, r->work->error));
    TRY(joint_codes(r->work, a, b, 0, 0, &codes));
    NEW(r->work, row, codes.count + 1);
    NEW(r->work, mine, first->rows + 1);
    NEW(r->work, theirs, first->rows + 1);
    NEW(r->work, more, second->columns + 1);
    for (int64_t i = second->rows - 1; i >= 0; i--)
        if (codes.at[1][i] >= 0) row[codes.at[1][i]] = i + 1;
    for (int64_t i = 0; i < first->rows; i++)
        if (codes.at[0][i] >= 0 && row[codes.at[0][i]]) {
            mine[count] = i;
            theirs[count++] = row[codes.at[0][i]] - 1;
        }
    TRY(table_take(first, mine, count, &left, r->work->error));
    for (int64_t j = 0; j < second->columns; j++)
        if (!table_column(first, second->column[j]->name))
            TRY(column_take(second->column[j], theirs, count, &more[added++], r->work->error));
    TRY(table_with(left, more, added, out, r->work->error));
done:
    for (int64_t j = 0; j < added; j++) column_release(more[j]);
    table_release(left);
    return status;
}

/* The columns by which the members of a set can link: those they say, in this file and in the table; none said, all that are in both. */
static Status linking_columns(Register *r, unsigned members, const Table *file, int64_t *count, const char ***out) {
    Status status = OK;
    *count = 0;
    NEW(r->work, *out, r->data->columns + 1);
    for (int64_t j = 0; j < r->data->columns; j++) {
        const char *name = r->data->column[j]->name;
        bool said = false;
        for (int64_t h = 0; h < r->count; h++) {
            if (!(members >> h & 1)) continue;
            said |= !r->at[h].columns && table_column(r->at[h].file, name);
            for (int64_t i = 0; i < r->at[h].columns; i++) said |= !strcmp(r->at[h].column[i], name);
        }
        if (said && table_column(file, name) && !same_text(name, r->id)) (*out)[(*count)++] = name;
    }
done:
    return status;
}

static Status link_file(Register *r, const Coalition *c, const Table *released, const Table *file, unsigned members, Told *best) {
    Status status = OK;
    Result *result = NULL;
    Table *others = NULL, *table = (Table *)(uintptr_t)released;
    const char **vars = NULL, *why;
    int64_t named;
    TRY(others_of(r, c, file, &others));
    TRY(linking_columns(r, members, file, &named, &vars));
    if (!named) {
        if (isnan(best->learned)) best->why = "Its file has none of its columns that the table has.";
        goto done;
    }
    Arg arg[4] = { { .name = "released", .count = 1, .tables = &table },
                   { .name = "auxiliary", .count = 1, .tables = &others },
                   { .name = "vars", .count = named, .items = vars } };
    int64_t count = 3;
    if (r->id) arg[count++] = (Arg){ .name = "id", .count = 1, .items = &r->id };
    TRY(data_holders_attack(r, "attack.linkage", &(Args){ count, arg }, &result, &why));
    if (!result) {
        if (isnan(best->learned)) best->why = why;
        goto done;
    }
    double correct = value_number(result_find(result, "correct"));
    if (!(correct <= best->learned)) {
        best->learned = correct;
        best->baseline = value_number(result_find(result, "baseline")) * value_number(result_find(result, "claims"));
        best->of = of_whom(r, c, result_record(result, "linked"));
        best->why = NULL;
    }
done:
    table_release(others);
    result_free(result);
    return status;
}

/* All files of the coalition together, joined by id: NULL where it has but one, or nothing says who is who. */
static Status all_files(Register *r, const Coalition *c, Table **out, unsigned *members) {
    Status status = OK;
    Table *joined = NULL, *next = NULL;
    *members = 0;
    for (int64_t h = 0; h < r->count; h++) {
        const Table *file = r->at[h].file;
        if (!is_member(c, h) || !file || !r->id || !table_column(file, r->id)) continue;
        *members |= 1u << h;
        if (!joined) joined = table_retain(file);
        else {
            TRY(join_by_id(r, joined, file, &next));
            table_release(joined);
            joined = next;
            next = NULL;
        }
    }
    if (__builtin_popcount(*members) > 1) {
        *out = joined;
        joined = NULL;
    }
done:
    table_release(joined);
    return status;
}

/* Its own records are taken off the table, and the people in them off its files. Each file by itself, and all of them joined by id, which
 * know less people but more of each: what finds most counts. */
Status tell_linkage(Register *r, const Coalition *c) {
    Status status = OK;
    Table *released = NULL, *joined = NULL;
    unsigned members;
    int64_t files = 0;
    Told best = { "attack.linkage", "people", NULL, NULL, NAN, NAN };
    for (int64_t h = 0; h < r->count; h++) files += is_member(c, h) && r->at[h].file;
    if (!files) return OK;
    TRY(table_take(r->data, c->other, c->others, &released, r->work->error));
    for (int64_t h = 0; h < r->count; h++)
        if (is_member(c, h) && r->at[h].file) TRY(link_file(r, c, released, r->at[h].file, 1u << h, &best));
    TRY(all_files(r, c, &joined, &members));
    if (joined) TRY(link_file(r, c, released, joined, members, &best));
    worst_take(r, &r->found, c, &best);
    data_holders_report(r, c, &best);
done:
    table_release(released);
    table_release(joined);
    return status;
}

/* ---- Earlier releases ---- */

/* Each of them once, anyone who of the coalition has it: published tables (with a column `count`), or releases of the records. */
static Status earlier_of(Register *r, const Coalition *c, bool counts, Table **all, int64_t *count) {
    Status status = OK;
    const char **seen = NULL;
    int64_t known = 0, room = 0;
    for (int64_t h = 0; h < r->count; h++) room += r->at[h].earlier_count;
    NEW(r->work, seen, room + 1);
    for (int64_t h = 0; h < r->count; h++)
        for (int64_t i = 0; is_member(c, h) && i < r->at[h].earlier_count; i++) {
            const Earlier *one = &r->at[h].earlier[i];
            bool again = (table_column(one->table, "count") != NULL) != counts;
            for (int64_t k = 0; k < known; k++) again |= !strcmp(seen[k], one->path);
            if (again) continue;
            seen[known++] = one->path;
            all[(*count)++] = one->table;
        }
done:
    return status;
}

static Status tell_these(Register *r, const Coalition *c, bool counts, Table **all, int64_t count) {
    Status status = OK;
    Result *result = NULL;
    const char **names = NULL;
    Told told = { counts ? "attack.differencing" : "attack.averaging", counts ? "cells" : "share of the error", NULL, NULL, NAN, NAN };
    NEW(r->work, names, count + 1);
    for (int64_t i = 0; i < count; i++)
        if (!(names[i] = arena_print(r->work->arena, "%lld", (long long)i + 1))) TRY(out_of_memory(r->work->error));
    Arg arg = { .name = counts ? "tables" : "releases", .count = count, .items = names, .tables = all };
    TRY(data_holders_attack(r, told.method, &(Args){ 1, &arg }, &result, &told.why));
    if (result) {
        told.learned = value_number(result_find(result, counts ? "exposed" : "gain"));
        told.baseline = counts ? value_number(result_find(result, "baseline")) : 0;
    }
    data_holders_report(r, c, &told);
done:
    result_free(result);
    return status;
}

/* Earlier releases of the same records, with this one, average the noise away; published tables are subtracted from one another. */
Status tell_earlier(Register *r, const Coalition *c) {
    Status status = OK;
    Table **all = NULL;
    int64_t room = 2;
    for (int64_t h = 0; h < r->count; h++) room += r->at[h].earlier_count;
    NEW(r->work, all, room);
    for (int counts = 0; counts < 2; counts++) {
        int64_t count = 0, own = !counts;
        if (own) all[count++] = (Table *)(uintptr_t)r->data;
        TRY(earlier_of(r, c, counts, all, &count));
        if (count > own) TRY(tell_these(r, c, counts, all, count));
    }
done:
    return status;
}

/* ---- ROC curves ---- */

/* The ROC curve of all records, in the hands of those who contributed some (Matthews & Harel 2013). */
Status tell_roc(Register *r, const Coalition *c) {
    static const char *const these = "these", *const rest = "the rest";
    Status status = OK;
    Column *party = NULL;
    Table *with = NULL;
    Result *result = NULL;
    const char **cells = NULL, *name = "(party)";
    Told told = { "risk.roc-publication", "people", NULL, NULL, NAN, NAN };
    if (!r->score || !r->status || !c->records || !c->others) return OK;
    NEW(r->work, cells, r->data->rows + 1);
    for (int64_t i = 0; i < r->data->rows; i++) cells[i] = these;
    for (int64_t i = 0; i < c->others; i++) cells[c->other[i]] = rest;
    TRY(column_category(name, cells, r->data->rows, &party, r->work->error));
    TRY(table_with(r->data, &party, 1, &with, r->work->error));
    Arg arg[] = { { .name = "data", .count = 1, .tables = &with },
                  { .name = "score", .count = 1, .items = &r->score },
                  { .name = "status", .count = 1, .items = &r->status },
                  { .name = "party", .count = 1, .items = &name } };
    TRY(data_holders_attack(r, "risk.roc-publication", &(Args){ 4, arg }, &result, &told.why));
    const Table *all = result ? result_find_table(result, "parties") : NULL;
    for (int64_t i = 0; all && i < all->rows; i++) {
        char text[33];
        if (!same_text(column_cell(table_column(all, "party"), i, text), these)) continue;
        told.learned = column_number(table_column(all, "certain"), i);
        told.baseline = 0;
    }
    data_holders_report(r, c, &told);
done:
    column_release(party);
    table_release(with);
    result_free(result);
    return status;
}
