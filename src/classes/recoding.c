/* Which released value each value of the original belongs to: by intervals, or by what became of it in the records. */
#include "classes/recoding.h"
#include <string.h>
#include "base/number_text.h"
#include "base/text.h"
#include "classes/interval_label.h"
#include "table/measurement_level.h"
#include "classes/joint_codes.h"

typedef struct Level {
    LabelInterval interval;
    bool is_interval, before, released;
} Level;

/* What of the two columns is not the other's. */
static Status read_levels(Work *work, const Column *original, const Column *released, ColumnRecoding *l) {
    Status status = OK;
    TRY(joint_labelled(work, original, released, 0, 0, &l->joint));
    NEW(work, l->level, l->joint.count + 1);
    NEW(work, l->map, l->joint.count + 1);
    for (int64_t i = 0; i < original->rows; i++)
        if (l->joint.at[0][i] >= 0) l->level[l->joint.at[0][i]].before = true;
    for (int64_t i = 0; i < released->rows; i++)
        if (l->joint.at[1][i] >= 0) l->level[l->joint.at[1][i]].released = true;
    for (int32_t c = 0; c < l->joint.count; c++) {
        Level *level = &l->level[c];
        bool foreign = level->released && !level->before;
        level->is_interval = foreign && interval_label_read(l->joint.label[c], &level->interval);
        l->intervals += level->is_interval;
    }
done:
    return status;
}

/* Each number to the one interval that holds it. False where none has one, or one lies in two, or in one and is released as itself too:
 * intervals overlap, or some records kept it. */
static bool by_interval(ColumnRecoding *l, int32_t *home, const int32_t *intervals) {
    bool any = false;
    for (int32_t c = 0; c < l->joint.count; c++) {
        double x;
        int found = 0;
        home[c] = c;
        if (!l->level[c].before || !read_real(l->joint.label[c], l->joint.label[c] + strlen(l->joint.label[c]), '.', &x)) continue;
        for (int64_t k = 0; k < l->intervals && found < 2; k++)
            if (interval_label_holds(&l->level[intervals[k]].interval, x)) {
                home[c] = intervals[k];
                found++;
            }
        if (found > 1 || (found && l->level[c].released)) return false;
        any |= found > 0;
    }
    return any;
}

int64_t recoding_pair(const Table *original, const Table *released, int64_t i) {
    int64_t from = released->origin ? released->origin[i] : i;
    if (!original->origin) return from < original->rows ? from : -1;
    return released->rows == original->rows && original->origin[i] == from ? i : -1;
}

void recoding_by_record(ColumnRecoding *l, const int32_t *home, int64_t borne_out) {
    /* Records that moved into a category that the original has may be misclassified: nothing in the release says that they were recoded. */
    for (int32_t c = 0; c < l->joint.count; c++)
        if (home[c] >= 0 && home[c] != c && l->level[home[c]].before) return;
    for (int32_t c = 0; c < l->joint.count; c++) l->map[c] = home[c] < 0 ? c : home[c];
    l->found = borne_out >= 2; /* else hardly a value occurs twice, and nothing is borne out */
}

/* Each value to what its records show; not where they show several things. */
static Status by_record(Work *work, const Table *original, const Table *released, ColumnRecoding *l) {
    Status status = OK;
    int32_t *home = NULL;
    int64_t borne_out = 0;
    if (l->found || l->never || !table_places(released) || (!released->origin && released->rows != original->rows)) return OK;
    NEW(work, home, l->joint.count + 1);
    for (int32_t c = 0; c < l->joint.count; c++) home[c] = -1;
    for (int64_t i = 0; i < released->rows; i++) {
        int64_t row = recoding_pair(original, released, i);
        if (row < 0) return OK;
        int32_t o = l->joint.at[0][row], now = l->joint.at[1][i];
        if (o < 0 && now >= 0) return OK; /* imputed: these are not the same records, or not recoded only */
        if (o < 0 || now < 0) continue;
        if (home[o] >= 0 && home[o] != now) return OK;
        borne_out += home[o] >= 0;
        home[o] = now;
    }
    recoding_by_record(l, home, borne_out);
done:
    return status;
}

/* Levels before and after. A recoding that loses none is a renaming, not a coarsening. */
static Status count_levels(Work *work, const ColumnRecoding *l, RecodedColumn *what) {
    Status status = OK;
    uint8_t *seen = NULL;
    NEW(work, seen, l->joint.count + 1);
    for (int32_t c = 0; c < l->joint.count; c++) {
        if (!l->level[c].before) continue;
        what->before++;
        what->after += !seen[l->map[c]];
        seen[l->map[c]] = 1;
    }
done:
    return status;
}

/* One released value for all: every column fits it. Only the top of a hierarchy, or an interval, says that it was meant. */
static bool tells_nothing(const ColumnRecoding *l) {
    int64_t released = 0, top = 0;
    for (int32_t c = 0; c < l->joint.count; c++) {
        released += l->level[c].released;
        top += l->level[c].released && same_text(l->joint.label[c], "*");
    }
    return released == 1 && !top && !l->intervals;
}

static Status recoded_column(Work *work, const Column *original, const ColumnRecoding *l, Column **out) {
    Status status = OK;
    const char **cell = NULL;
    NEW(work, cell, original->rows + 1);
    for (int64_t i = 0; i < original->rows; i++) cell[i] = l->joint.at[0][i] < 0 ? NULL : l->joint.label[l->map[l->joint.at[0][i]]];
    TRY(column_category(original->name, cell, original->rows, out, work->error));
done:
    return status;
}

/* Numbers, dates and times on both sides keep their distances; codes have none, and may have been merged. */
static bool magnitudes(const Column *before, const Column *after, const int64_t *times) {
    if (column_numeric(before) && column_numeric(after)) return !column_is_codes_times(before, times);
    return column_linear(before) && before->type == after->type;
}

Status recoding_read(Work *work, const Column *before, const Column *after, const int64_t *times, ColumnRecoding *out) {
    Status status = OK;
    int32_t *intervals = NULL, k = 0;
    *out = (ColumnRecoding){ .never = magnitudes(before, after, times) };
    if (out->never) return OK;
    TRY(read_levels(work, before, after, out));
    NEW(work, intervals, out->intervals + 1);
    for (int32_t c = 0; c < out->joint.count; c++)
        if (out->level[c].is_interval) intervals[k++] = c;
    out->found = out->intervals && by_interval(out, out->map, intervals);
done:
    return status;
}

Status recoding_end(Work *work, const ColumnRecoding *l, const Column *before, RecodedColumn *what, Column **out) {
    Status status = OK;
    if (l->never) return OK;
    what->name = before->name;
    if (l->found) TRY(count_levels(work, l, what));
    if (what->after < what->before && !tells_nothing(l)) TRY(recoded_column(work, before, l, out));
    else what->after = 0;
    if (!what->after && !l->intervals) what->name = NULL; /* other words, by chance or made up: nothing says that it is a recoding */
done:
    return status;
}

/* One column; *out stays NULL where it is not recoded. */
static Status coarsen_column(Work *work, const Table *original, const Table *released, const char *name, RecodedColumn *what,
                             Column **out) {
    Status status = OK;
    const Column *before = table_column(original, name), *after = table_column(released, name);
    ColumnRecoding l;
    if (!before || !after || column_equal(before, after)) return OK;
    TRY(recoding_read(work, before, after, NULL, &l));
    TRY(by_record(work, original, released, &l));
    TRY(recoding_end(work, &l, before, what, out));
    if (what->name) what->name = name;
done:
    return status;
}

Status recode_original(Work *work, const Table *original, const Table *released, const char *const *names, int64_t count, Table **out,
                       RecodedColumn **what, int64_t *recoded) {
    Status status = OK;
    Column **column = NULL;
    int64_t columns = 0;
    *recoded = 0;
    NEW(work, column, count + 1);
    NEW(work, *what, count + 1);
    for (int64_t j = 0; j < count; j++) {
        TRY(coarsen_column(work, original, released, names[j], &(*what)[*recoded], &column[columns]));
        *recoded += (*what)[*recoded].name != NULL;
        columns += column[columns] != NULL;
        if (!(*what)[*recoded].name) (*what)[*recoded] = (RecodedColumn){ 0 };
    }
    TRY(table_with(original, column, columns, out, work->error));
done:
    for (int64_t j = 0; column && j < count; j++) column_release(column[j]);
    return status;
}
