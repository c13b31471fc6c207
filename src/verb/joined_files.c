/* The join: persons numbered over all files, records beside each other, columns and roles under names of their own. */
#include "verb/joined_files.h"
#include <string.h>

/* ---- values in common ---- */

static Status distinct_cells(Work *work, const Column *column, const Codes *codes, const char **cell) {
    char number[33];
    for (int32_t c = 0; c < codes->count; c++) {
        const char *text = column_cell(column, codes->first_row[c], number);
        cell[c] = text == number ? arena_text(work->arena, text) : text;
        if (!cell[c]) return out_of_memory(work->error);
    }
    return OK;
}

Status codes_in_common(Work *work, const Column *const *column, int64_t columns, int64_t **code, int64_t *count) {
    Status status = OK;
    Codes *codes = NULL;
    const char **cells = NULL;
    Column *all = NULL;
    int64_t total = 0, at = 0;
    NEW(work, codes, columns + 1);
    for (int64_t f = 0; f < columns; f++) {
        TRY(column_codes(work, column[f], &codes[f]));
        total += codes[f].count;
    }
    NEW(work, cells, total + 1);
    for (int64_t f = 0; f < columns; at += codes[f++].count) TRY(distinct_cells(work, column[f], &codes[f], cells + at));
    TRY(column_category("person", cells, total, &all, work->error));
    at = 0;
    for (int64_t f = 0; f < columns; f++) {
        NEW(work, code[f], column[f]->rows + 1);
        for (int64_t i = 0; i < column[f]->rows; i++) code[f][i] = codes[f].at[i] < 0 ? -1 : all->code[at + codes[f].at[i]];
        at += codes[f].count;
        codes_drop(work, column[f], &codes[f]);
    }
    *count = all->words->count;
done:
    column_release(all);
    return status;
}

Status records_without_parent(Work *work, const Column *child, const Column *parent, int64_t *out) {
    Status status = OK;
    const Column *both[] = { child, parent };
    int64_t *code[2] = { NULL, NULL }, count = 0;
    uint8_t *there = NULL;
    *out = 0;
    TRY(codes_in_common(work, both, 2, code, &count));
    NEW(work, there, count + 1);
    for (int64_t i = 0; i < parent->rows; i++)
        if (code[1][i] >= 0) there[code[1][i]] = 1;
    for (int64_t i = 0; i < child->rows; i++) *out += code[0][i] >= 0 && !there[code[0][i]];
done:
    arena_drop(work->arena, code[0]);
    arena_drop(work->arena, code[1]);
    return status;
}

/* ---- whose records stand beside each other ---- */

/* A file's record of each person; false where somebody has two, or a record is nobody's. */
static bool rows_by_person(const int64_t *who, int64_t records, int64_t people, int64_t *row_of) {
    for (int64_t p = 0; p < people; p++) row_of[p] = -1;
    for (int64_t i = 0; i < records; i++) {
        if (who[i] < 0 || row_of[who[i]] >= 0) return false;
        row_of[who[i]] = i;
    }
    return true;
}

/* The parent's record that each record of a child names. A key that two of the parent's records have names neither, and links nothing. */
static Status records_above(Work *work, const Column *child, const Column *parent, int64_t **out) {
    Status status = OK;
    const Column *both[] = { child, parent };
    int64_t *code[2] = { NULL, NULL }, *record_of = NULL, count = 0;
    bool once = true;
    *out = NULL;
    TRY(codes_in_common(work, both, 2, code, &count));
    NEW(work, record_of, count + 1);
    for (int64_t c = 0; c < count; c++) record_of[c] = -1;
    for (int64_t i = 0; i < parent->rows && once; i++) {
        if (code[1][i] < 0) continue;
        once = record_of[code[1][i]] < 0;
        record_of[code[1][i]] = i;
    }
    if (!once) goto done;
    *out = code[0];
    for (int64_t i = 0; i < child->rows; i++) (*out)[i] = code[0][i] < 0 ? -1 : record_of[code[0][i]];
    code[0] = NULL;
done:
    arena_drop(work->arena, record_of);
    arena_drop(work->arena, code[1]);
    arena_drop(work->arena, code[0]);
    return status;
}

/* A parent's parent is above, too. */
static Status links_of_links(Work *work, PersonLinks *links, int64_t child, int64_t middle, int64_t top) {
    Status status = OK;
    const int64_t *to = links->above[child * links->files + middle], *on = links->above[middle * links->files + top];
    int64_t **own = &links->above[child * links->files + top];
    if (!to || !on || *own || child == top) return OK;
    NEW(work, *own, links->records[child] + 1);
    for (int64_t i = 0; i < links->records[child]; i++) (*own)[i] = to[i] < 0 ? -1 : on[to[i]];
done:
    return status;
}

/* Joins children to parents. Of several records of a person in the parent's file the key tells which one the child's belongs to: the child's file
 * then has records of its own, even where everybody has one. */
static Status link_parents(Work *work, const Recipe *recipe, Table *const *table, PersonLinks *links) {
    Status status = OK;
    const int64_t n = links->files;
    for (int64_t f = 0; f < n; f++)
        for (int64_t p = 0; p < recipe->linked[f].parents; p++) {
            const ParentKey *key = &recipe->linked[f].parent[p];
            int64_t g = 0;
            while (strcmp(recipe->linked[g].name, key->file)) g++;
            const Column *child = table_column(table[f], key->column), *parent = table_column(table[g], key->parent);
            if (links->single[g] && !recipe->linked[g].parents) continue; /* the person links them */
            if (child && parent && !links->above[f * n + g]) TRY(records_above(work, child, parent, &links->above[f * n + g]));
        }
    for (int64_t middle = 0; middle < n; middle++)
        for (int64_t f = 0; f < n; f++)
            for (int64_t g = 0; g < n; g++) TRY(links_of_links(work, links, f, middle, g));
    for (int64_t f = 0; f < n; f++)
        for (int64_t g = 0; g < n; g++)
            if (links->above[f * n + g] && !links->single[g]) links->single[f] = false;
done:
    return status;
}

/* The person of each joined row. */
static void persons_of_rows(const PersonLinks *links, int64_t *out) {
    for (int64_t f = 0; f < links->files; f++)
        if (!links->single[f])
            for (int64_t i = 0; i < links->records[f]; i++) out[links->first[f] + i] = links->who[f][i];
    for (int64_t r = links->first[links->files]; r < links->rows; r++) out[r] = links->left[r - links->first[links->files]];
}

/* The record of file f in each joined row, -1 for none, in its table. */
static void records_in_rows(const PersonLinks *links, int64_t f, const int64_t *person, const int64_t *via, int64_t *out) {
    for (int64_t r = 0; r < links->rows; r++) {
        out[r] = -1;
        if (links->single[f]) out[r] = person[r] < 0 ? -1 : links->row_of[f][person[r]];
        else if (r >= links->first[f] && r < links->first[f] + links->records[f]) out[r] = r - links->first[f];
    }
    for (int64_t child = 0; child < links->files; child++) {
        const int64_t *above = links->above[child * links->files + f];
        if (!above || links->single[child] || links->single[f]) continue;
        for (int64_t i = 0; i < links->records[child]; i++) out[links->first[child] + i] = above[i];
    }
    for (int64_t r = 0; via && r < links->rows; r++) out[r] = out[r] < 0 ? -1 : via[out[r]];
}

/* ---- which files have a record ---- */

enum { MOST_FILES = 63, MOST_LABELS = 65535 };

/* Bit f: file f has a record in the joined row. */
static Status files_of_rows(Work *work, const PersonLinks *links, uint64_t *out) {
    Status status = OK;
    int64_t *person = NULL, *record = NULL;
    NEW(work, person, links->rows + 1);
    NEW(work, record, links->rows + 1);
    persons_of_rows(links, person);
    for (int64_t f = 0; f < links->files && f < MOST_FILES; f++) {
        records_in_rows(links, f, person, NULL, record);
        for (int64_t r = 0; r < links->rows; r++)
            if (record[r] >= 0) out[r] |= UINT64_C(1) << f;
    }
done:
    arena_drop(work->arena, record);
    arena_drop(work->arena, person);
    return status;
}

/* The file that a joined row is of; of a person who has no records of its own, the first with a record. */
static int64_t file_of_row(const PersonLinks *links, int64_t row, uint64_t there) {
    int64_t f = 0;
    if (row >= links->first[links->files]) {
        while (f < links->files - 1 && !(there >> f & 1)) f++;
        return f;
    }
    while (links->single[f] || row >= links->first[f] + links->records[f]) f++;
    return f;
}

/* "visits without surgery": the files that could have a record beside it, and have none. */
static Status name_label(Work *work, const Recipe *recipe, const PersonLinks *links, int64_t row, uint64_t there, const char **out) {
    Status status = OK;
    Buffer text = { 0 };
    const int64_t own = file_of_row(links, row, there);
    bool lacks = false;
    buffer_print(&text, "%s", recipe->linked[own].name);
    for (int64_t f = 0; f < links->files && f < MOST_FILES; f++) {
        if (f == own || there >> f & 1 || !(links->single[f] || links->above[own * links->files + f])) continue;
        buffer_print(&text, "%s%s", lacks ? ", " : " without ", recipe->linked[f].name);
        lacks = true;
    }
    *out = arena_text(work->arena, buffer_get(&text));
    if (!*out) TRY(out_of_memory(work->error));
done:
    buffer_free(&text);
    return status;
}

static Status label_rows(Work *work, const Recipe *recipe, PersonLinks *links) {
    Status status = OK;
    uint64_t *there = NULL, *known = NULL;
    int64_t room = 0, named = 0, at = 0;
    NEW(work, there, links->rows + 1);
    NEW(work, links->label_of, links->rows + 1);
    TRY(files_of_rows(work, links, there));
    for (int64_t r = 0; r < links->rows; r++) {
        if (at >= links->labels || known[at] != there[r])
            for (at = 0; at < links->labels && known[at] != there[r];) at++;
        if (at == links->labels && at < MOST_LABELS) {
            GROW(work, known, room, at + 1);
            GROW(work, links->label, named, at + 1);
            known[at] = there[r];
            TRY(name_label(work, recipe, links, r, there[r], &links->label[at]));
            links->labels++;
        }
        links->label_of[r] = (uint16_t)(at < links->labels ? at : 0);
    }
done:
    arena_drop(work->arena, there);
    arena_drop(work->arena, known);
    return status;
}

Status person_links_make(Work *work, const Recipe *recipe, Table *const *table, const int64_t *const *who, const int64_t *records,
                         int64_t people, PersonLinks *out) {
    const int64_t files = recipe->files;
    Status status = OK;
    uint8_t *met = NULL;
    *out = (PersonLinks){ .files = files, .people = people, .who = who, .records = records };
    NEW(work, out->single, files + 1);
    NEW(work, out->row_of, files + 1);
    NEW(work, out->first, files + 2);
    NEW(work, out->left, people + 1);
    NEW(work, out->above, files * files + 1);
    NEW(work, met, people + 1);
    for (int64_t f = 0; f < files; f++) {
        NEW(work, out->row_of[f], people + 1);
        out->single[f] = rows_by_person(who[f], records[f], people, out->row_of[f]);
    }
    TRY(link_parents(work, recipe, table, out));
    for (int64_t f = 0; f < files; f++) {
        out->first[f] = out->rows;
        if (out->single[f]) continue;
        out->several++;
        out->rows += records[f];
        for (int64_t i = 0; i < records[f]; i++)
            if (who[f][i] >= 0) met[who[f][i]] = 1;
    }
    out->first[files] = out->rows;
    for (int64_t p = 0; p < people; p++) {
        bool any = false;
        for (int64_t f = 0; f < files && !any; f++) any = out->single[f] && out->row_of[f][p] >= 0;
        if (!met[p] && any) out->left[out->rows++ - out->first[files]] = p;
    }
    TRY(label_rows(work, recipe, out));
done:
    arena_drop(work->arena, met);
    return status;
}

/* ---- the table ---- */

static const char *joined_name(Work *work, const Recipe *recipe, Table *const *named, int64_t f, const char *column) {
    bool taken = !strcmp(column, "file") || !strcmp(column, recipe->linked[0].person);
    for (int64_t g = 0; g < recipe->files && !taken; g++) taken = g != f && table_column(named[g], column);
    return taken ? arena_print(work->arena, "%s.%s", recipe->linked[f].name, column) : column;
}

static Status person_column(Work *work, const PersonLinks *links, const char *name, const int64_t *person, Column **out) {
    Status status = OK;
    TRY(column_new(INTEGER_TYPE, name, links->rows, out, work->error)); /* numbers of ours: they tell nothing that is released */
    TRY(column_need_valid(*out, work->error));
    for (int64_t r = 0; r < links->rows; r++) {
        if (person[r] < 0) column_set_missing(*out, r);
        else (*out)->integer[r] = person[r];
    }
    column_seal(*out);
done:
    return status;
}

static bool names_files(const PersonLinks *links) { return links->labels > 1; }

static Status file_column(Work *work, const PersonLinks *links, Column **out) {
    Status status = OK;
    const char **cells = NULL;
    NEW(work, cells, links->rows + 1);
    for (int64_t r = 0; r < links->rows; r++) cells[r] = links->label[links->label_of[r]];
    TRY(column_category("file", cells, links->rows, out, work->error));
done:
    arena_drop(work->arena, cells);
    return status;
}

/* The columns of one file, as far as its records go. */
static Status columns_of_file(Work *work, const Recipe *recipe, Table *const *named, int64_t f, const Table *table, const int64_t *record,
                              int64_t rows, Column **made, int64_t *count) {
    Status status = OK;
    Column *taken = NULL;
    for (int64_t j = 0; j < table->columns; j++) {
        const Column *column = table->column[j];
        if (!strcmp(column->name, recipe->linked[f].person)) continue;
        const char *name = joined_name(work, recipe, named, f, column->name);
        if (!name) TRY(out_of_memory(work->error));
        TRY(column_take(column, record, rows, &taken, work->error));
        if (strcmp(name, column->name)) TRY(column_rename(taken, name, &made[*count], work->error));
        else made[*count] = column_retain(taken);
        ++*count;
        column_release(taken);
        taken = NULL;
    }
done:
    column_release(taken);
    return status;
}

/* What was changed at random in a file was so here. */
static void keep_marks(Work *work, const Recipe *recipe, Table *const *named, Table *const *table, Table *joined) {
    for (int64_t f = 0; f < recipe->files; f++) {
        joined->released |= table[f]->released;
        joined->reordered |= table[f]->reordered;
        joined->closed |= table[f]->closed;
        for (int64_t j = 0; j < table[f]->columns; j++) {
            const char *name = table[f]->altered[j] ? joined_name(work, recipe, named, f, table[f]->column[j]->name) : NULL;
            if (name && table_column(joined, name)) table_perturb(joined, name);
        }
    }
}

Status person_links_join(Work *work, const PersonLinks *links, const Recipe *recipe, Table *const *named, Table *const *table,
                         const int64_t *const *via, Table **out) {
    Status status = OK;
    Column **made = NULL;
    int64_t *person = NULL, *record = NULL, count = 0, room = 2;
    for (int64_t f = 0; f < links->files; f++) room += table[f]->columns;
    NEW(work, made, room);
    NEW(work, person, links->rows + 1);
    NEW(work, record, links->rows + 1);
    persons_of_rows(links, person);
    TRY(person_column(work, links, recipe->linked[0].person, person, &made[count++]));
    if (names_files(links)) TRY(file_column(work, links, &made[count++]));
    for (int64_t f = 0; f < links->files; f++) {
        records_in_rows(links, f, person, via ? via[f] : NULL, record);
        TRY(columns_of_file(work, recipe, named, f, table[f], record, links->rows, made, &count));
    }
    TRY(table_new("the linked files", made, count, links->rows, out, work->error));
    keep_marks(work, recipe, named, table, *out);
done:
    for (int64_t i = 0; i < count; i++) column_release(made[i]);
    arena_drop(work->arena, person);
    arena_drop(work->arena, record);
    return status;
}

/* ---- the roles ---- */

static Arg *role_named(Arg *list, int64_t count, const char *name) {
    for (int64_t i = 0; i < count; i++)
        if (!strcmp(list[i].name, name)) return &list[i];
    return NULL;
}

static Status add_names(Work *work, const Recipe *recipe, Table *const *named, int64_t f, const Arg *role, const Table *joined, Arg *to) {
    Status status = OK;
    const char **items = NULL;
    NEW(work, items, to->count + role->count + 1);
    for (int64_t i = 0; i < to->count; i++) items[i] = to->items[i];
    to->items = items;
    for (int64_t i = 0; i < role->count; i++) {
        if (!strcmp(role->items[i], recipe->linked[f].person)) continue;
        const char *name = joined_name(work, recipe, named, f, role->items[i]);
        if (!name) TRY(out_of_memory(work->error));
        if (table_column(joined, name)) items[to->count++] = name;
    }
done:
    return status;
}

/* Of a role that has one column the first file's counts; so does what is no column (hierarchies, a population). */
static Status merge_role(Work *work, const Recipe *recipe, Table *const *named, int64_t f, const Arg *role, const Table *joined, Arg *list,
                         int64_t *count) {
    const Kind kind = role_kind(role->name);
    const bool columns = kind == KIND_COLUMN || kind == KIND_COLUMNS;
    Arg *known = role_named(list, *count, role->name);
    if (!strcmp(role->name, "person") || (known && (!columns || role_is_single(role->name)))) return OK;
    if (!columns) {
        list[(*count)++] = *role;
        return OK;
    }
    if (!known) {
        known = &list[(*count)++];
        *known = (Arg){ .name = role->name };
    }
    Status status = add_names(work, recipe, named, f, role, joined, known);
    if (!status && !known->count && known == &list[*count - 1]) --*count; /* none of its columns is there */
    return status;
}

/* What was looked at and found harmless in a file is so in the joined table. */
static Status merge_others(Work *work, const Recipe *recipe, Table *const *named, const Table *joined, Roles *out) {
    Status status = OK;
    int64_t room = 0;
    for (int64_t f = 0; f < recipe->files; f++) room += recipe->linked[f].roles.others;
    NEW(work, out->other, room + 1);
    for (int64_t f = 0; f < recipe->files; f++)
        for (int64_t i = 0; i < recipe->linked[f].roles.others; i++) {
            const char *name = joined_name(work, recipe, named, f, recipe->linked[f].roles.other[i]);
            if (!name) TRY(out_of_memory(work->error));
            if (table_column(joined, name)) out->other[out->others++] = name;
        }
done:
    return status;
}

Status person_links_roles(Work *work, const PersonLinks *links, const Recipe *recipe, Table *const *named, const Table *joined,
                          Roles *out) {
    Status status = OK;
    Arg *list = NULL;
    int64_t count = 0, room = 2;
    static const char *const file_key[] = { "file" };
    *out = (Roles){ 0 };
    for (int64_t f = 0; f < recipe->files; f++) room += recipe->linked[f].roles.args.count;
    NEW(work, list, room);
    list[count++] = (Arg){ .name = "person", .count = 1, .items = &recipe->linked[0].person };
    if (names_files(links)) list[count++] = (Arg){ .name = "keys", .count = 1, .items = file_key };
    for (int64_t f = 0; f < recipe->files; f++)
        for (int64_t i = 0; i < recipe->linked[f].roles.args.count; i++)
            TRY(merge_role(work, recipe, named, f, &recipe->linked[f].roles.args.at[i], joined, list, &count));
    out->args = (Args){ count, list };
    TRY(merge_others(work, recipe, named, joined, out));
done:
    return status;
}
