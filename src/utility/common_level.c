/* Original and release at the level that both know, and what is said of it. */
#include "utility/common_level.h"
#include "base/number_text.h"
#include "classes/recoding.h"
#include "table/measurement_level.h"
#include "classes/joint_codes.h"

void common_say(Run *run, const RecodedColumn *what, int64_t recoded) {
    Grid *grid = NULL;
    char share[33];
    int64_t columns = 0, before = 0, after = 0;
    for (int64_t j = 0; j < recoded; j++) {
        if (!what[j].after) {
            result_note(
                run->result,
                "'%s' has intervals that overlap or occur beside single values, so there is no common level. It is compared as text.",
                what[j].name);
            continue;
        }
        if (!grid) grid = grid_new(run->result, "coarsened", COARSENED_COLUMNS);
        grid_text(grid, what[j].name);
        grid_integer(grid, what[j].before);
        grid_integer(grid, what[j].after);
        grid_real(grid, 1 - (double)what[j].after / (double)what[j].before);
        columns++;
        before += what[j].before;
        after += what[j].after;
    }
    if (!grid) return;
    grid_done(grid);
    result_note(run->result,
                "%lld column%s compared at the release's coarser level: of the original's %lld values it distinguishes %lld (%s%% lost). "
                "The distances do not count that loss.",
                (long long)columns, columns == 1 ? " is" : "s are", (long long)before, (long long)after,
                real_short(100 * (1 - (double)after / (double)before), 3, share));
}

void common_release(CommonTables *tables) {
    for (int t = 0; t < 2; t++) table_release(tables->at[t]);
    *tables = (CommonTables){ { 0 } };
}

/* The words of both columns in the order of their numbers. */
static Status code_words(Work *work, const Column *const column[2], int64_t least, Dictionary **out, JointCodes *codes) {
    Status status = OK;
    *out = NULL;
    TRY(joint_labelled(work, column[0], column[1], 0, 0, codes));
    if (codes->count >= least) TRY(dictionary_new(codes->label, codes->count, true, out, work->error));
done:
    return status;
}

static Status as_category(Work *work, const Column *column, const int32_t *code, Dictionary *words, Column **out) {
    Status status = OK;
    TRY(column_new(CATEGORY_TYPE, column->name, column->rows, out, work->error));
    (*out)->words = dictionary_retain(words);
    if (column->missing) TRY(column_need_valid(*out, work->error));
    for (int64_t i = 0; i < column->rows; i++) {
        if (code[i] >= 0) (*out)->code[i] = code[i];
        else column_set_missing(*out, i);
    }
    column_seal(*out);
done:
    return status;
}

Status typed_pair(Work *work, const Column *const column[2], const int64_t *times, int64_t least, Column *made[2]) {
    Status status = OK;
    Dictionary *words = NULL;
    JointCodes codes = { 0 };
    if (!column[0] || !column[1] || column[1]->type != INTEGER_TYPE || !column_is_codes_times(column[0], times)) return OK;
    TRY(code_words(work, column, least, &words, &codes));
    for (int t = 0; t < 2 && words; t++) TRY(as_category(work, column[t], codes.at[t], words, &made[t]));
done:
    joint_drop(work, &codes);
    dictionary_release(words);
    return status;
}

void common_say_codes(Run *run, const char *list) {
    result_note(run->result, "Treated as codes, not as numbers: %s. If they are numbers, declare it: --types COLUMN:integer.", list);
}

static Status typed_named(Run *run, const Table *original, const Table *released, const char *const *name, int64_t count, int64_t least,
                          CommonTables *out) {
    Status status = OK;
    Column **made[2] = { 0 };
    Buffer list = { 0 };
    int64_t typed = 0;
    for (int t = 0; t < 2; t++) NEW(&run->work, made[t], count + 1);
    for (int64_t j = 0; j < count; j++) {
        Column *pair[2] = { 0 };
        const Column *both[2] = { table_column(original, name[j]), table_column(released, name[j]) };
        status = typed_pair(&run->work, both, NULL, least, pair);
        if (pair[0]) buffer_print(&list, "%s%s", typed ? ", " : "", name[j]);
        for (int t = 0; t < 2; t++) made[t][typed] = pair[t];
        typed += pair[0] != NULL;
        TRY(status);
    }
    for (int t = 0; t < 2; t++) TRY(table_with(t ? released : original, made[t], typed, &out->at[t], run->work.error));
    if (typed) common_say_codes(run, buffer_get(&list));
done:
    for (int t = 0; t < 2; t++)
        for (int64_t j = 0; made[t] && j <= count; j++) column_release(made[t][j]);
    buffer_free(&list);
    return status;
}

Status typed_tables(Run *run, const Table *original, const Table *released, Columns vars, int64_t least, CommonTables *out) {
    Status status = OK;
    const char **name = NULL;
    int64_t count = 0;
    TRY(common_columns(&run->work, original, released, vars, &name, &count));
    TRY(typed_named(run, original, released, name, count, least, out));
done:
    return status;
}

Status common_named(Run *run, const Table *original, const Table *released, const char *const *name, int64_t count, int64_t least,
                    CommonTables *out) {
    Status status = OK;
    CommonTables typed = { { 0 } };
    RecodedColumn *what = NULL;
    int64_t recoded = 0;
    TRY(typed_named(run, original, released, name, count, least, &typed));
    TRY(recode_original(&run->work, typed.at[0], typed.at[1], name, count, &out->at[0], &what, &recoded));
    out->at[1] = table_retain(typed.at[1]);
    common_say(run, what, recoded);
done:
    common_release(&typed);
    return status;
}

Status common_tables(Run *run, const Table *original, const Table *released, Columns vars, CommonTables *out) {
    Status status = OK;
    const char **name = NULL;
    int64_t count = 0;
    TRY(common_columns(&run->work, original, released, vars, &name, &count));
    TRY(common_named(run, original, released, name, count, 0, out));
done:
    return status;
}
