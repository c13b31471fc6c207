/* From an assignment to blank cells of records, and from those to the new table. */
#include "base/sort.h"
#include "protect/suppress/suppress.h"

#define GIVEN (UINT64_C(1) << 63)

/* The link that most units of a class have: the rows that stand for many records go there. */
static int64_t home_of(const Assignment *assignment, int64_t class) {
    int64_t home = assignment->head[class];
    for (int64_t l = home; l >= 0; l = assignment->next[l])
        if (assignment->units[l] > assignment->units[home] || (assignment->units[l] == assignment->units[home] && l < home)) home = l;
    return home;
}

/* The links of a class in their order, for the same bytes however the assignment came about. */
static int64_t next_link(const Problem *p, const Assignment *assignment, int64_t class, int64_t link, int64_t home) {
    for (int64_t l = link + 1; l < p->start[class + 1]; l++)
        if (assignment->units[l] && l != home) return l;
    return -1;
}

Status assignment_apply(Work *work, const Problem *p, const Assignment *assignment, uint64_t *blank) {
    Status status = OK;
    int64_t *start = NULL, *row = NULL;
    uint64_t *given = NULL; /* unit → its blanks, and a bit that says so */
    if (p->unit) NEW(work, given, p->rows + 1);
    TRY(rows_listed(work, p->of, p->rows, p->classes, &start, &row));
    for (int64_t c = 0; c < p->classes; c++) {
        int64_t home = home_of(assignment, c);
        if (home < 0) continue;
        int64_t link = next_link(p, assignment, c, p->start[c] - 1, home), left = link >= 0 ? assignment->units[link] : 0;
        for (int64_t i = start[c]; i < start[c + 1]; i++) {
            int64_t r = row[i];
            bool single = !p->times || p->times[r] == 1;
            if (given && given[p->unit[r]]) {
                blank[r] |= given[p->unit[r]] & ~GIVEN;
                continue;
            }
            if (!left && link >= 0) {
                link = next_link(p, assignment, c, link, home);
                left = link >= 0 ? assignment->units[link] : 0;
            }
            uint64_t set = p->mask[p->tuple[link >= 0 && single ? link : home]] & ~p->missing[c];
            blank[r] |= set;
            if (given) given[p->unit[r]] = set | GIVEN;
            if (link >= 0 && single) left--;
        }
    }
done:
    arena_drop(work->arena, start);
    arena_drop(work->arena, row);
    return status;
}

Status suppress_classes(Work *work, const Request *request, uint64_t among, Classes *classes, int64_t **people) {
    Status status = OK;
    Columns all = { 0 };
    NEW(work, all.at, request->keys.count + request->strata.count + 1);
    for (int64_t key = 0; key < request->keys.count; key++)
        if (among >> key & 1) all.at[all.count++] = request->keys.at[key];
    for (int64_t s = 0; s < request->strata.count; s++) all.at[all.count++] = request->strata.at[s];
    TRY(classes_make(work, all, classes));
    TRY(classes_people(work, classes, request->person, people));
done:
    return status;
}

Status suppress_apply(Work *work, const Table *table, Columns keys, const uint64_t *blank, Table **out) {
    Status status = OK;
    Column **changed = NULL;
    uint8_t *mask = NULL;
    int64_t count = 0;
    NEW(work, changed, keys.count);
    NEW(work, mask, table->rows);
    for (int64_t key = 0; key < keys.count; key++) {
        bool any = false;
        for (int64_t i = 0; i < table->rows; i++) {
            mask[i] = blank[i] >> key & 1;
            any |= mask[i];
        }
        if (any) TRY(column_blank(keys.at[key], mask, &changed[count++], work->error));
    }
    TRY(table_with(table, changed, count, out, work->error));
done:
    for (int64_t i = 0; i < count; i++) column_release(changed[i]);
    return status;
}
