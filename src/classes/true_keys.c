/* True keys in the words of the release: what the records that kept a key show of how its values were recoded. */
#include "classes/true_keys.h"
#include <string.h>
#include "base/number_text.h"
#include "classes/interval_label.h"
#include "classes/joint_codes.h"

static int64_t from_row(const Table *table, int64_t i) { return table->origin ? table->origin[i] : i; }

static Status unequal(Work *work, const Table *released, const Table *original) {
    fail(work->error, BAD, "the release has %lld records and the original %lld: who is who?", (long long)released->rows,
         (long long)original->rows);
    return error_advice(work->error, "Name the column that tells in both with --id.");
}

/* Row i of the release is of row i of the original, or of the row that either table says it stems from. */
static Status pair_by_position(Work *work, const Table *released, const Table *original, int64_t **out) {
    Status status = OK;
    int64_t *row = NULL, most = -1;
    if (!released->origin && released->rows != original->rows) return unequal(work, released, original);
    NEW(work, *out, released->rows + 1);
    for (int64_t i = 0; i < original->rows; i++)
        if (from_row(original, i) > most) most = from_row(original, i);
    NEW(work, row, most + 2);
    for (int64_t i = 0; i < original->rows; i++)
        if (from_row(original, i) >= 0) row[from_row(original, i)] = i + 1;
    for (int64_t i = 0; i < released->rows; i++) {
        int64_t from = from_row(released, i);
        (*out)[i] = from >= 0 && from <= most ? row[from] - 1 : -1;
        if ((*out)[i] < 0) TRY(unequal(work, released, original));
    }
done:
    arena_drop(work->arena, row);
    return status;
}

Status true_keys_pairs(Work *work, const Table *released, const Table *original, const char *id, int64_t **out) {
    Status status = OK;
    const Column *here, *there;
    JointCodes codes;
    int64_t *row = NULL;
    if (!id) return pair_by_position(work, released, original, out);
    NEW(work, *out, released->rows + 1);
    TRY(table_need(released, id, &here, work->error));
    TRY(table_need(original, id, &there, work->error));
    TRY(joint_codes(work, there, here, 0, 0, &codes));
    NEW(work, row, codes.count + 1);
    for (int64_t i = 0; i < original->rows; i++) {
        int32_t c = codes.at[0][i];
        if (c >= 0 && row[c]) {
            fail(work->error, BAD, "two records of the original have the same id");
            error_column(work->error, id);
            TRY(error_row(work->error, i));
        }
        if (c >= 0) row[c] = i + 1;
    }
    for (int64_t i = 0; i < released->rows; i++) {
        int32_t c = codes.at[1][i];
        (*out)[i] = c >= 0 ? row[c] - 1 : -1;
        if ((*out)[i] < 0) {
            fail(work->error, BAD, "a released record has an id that the original lacks");
            error_column(work->error, id);
            TRY(error_row(work->error, i));
        }
    }
done:
    return status;
}

/* The original's record of a released one; without a list the one in the same place. */
static inline int64_t own_row(const int64_t *row, int64_t i) { return row ? row[i] : i; }

typedef struct {
    int32_t *map;
    int32_t missing; /* what became of a missing one, as at a hierarchy's top, where all are one; -1: nothing, it is missing still */
    uint8_t *before, *released;
    bool unlike, foreign;
} Recoding;

/* An original value all of whose records lost the key: in which of the intervals that the release made does it lie, or did it make all of
 * them a hierarchy's top, `*`? -1: in none, and then only blanks fit it. What the original had as well (`*` may be a code of its own) is
 * not of the release's making, and a `*` among other values need not be this one's. */
static int32_t made_of(const JointCodes *joint, const Recoding *r, const char *label) {
    double x;
    int32_t top = -1;
    bool number = read_real(label, label + strlen(label), '.', &x), others = false;
    for (int32_t c = 0; c < joint->count; c++) {
        LabelInterval interval;
        if (!r->released[c]) continue;
        if (number && !r->before[c] && interval_label_read(joint->label[c], &interval) && interval_label_holds(&interval, x)) return c;
        if (!r->before[c] && !strcmp(joint->label[c], "*")) top = c;
        else others = true;
    }
    return others ? -1 : top;
}

/* What became of each original value. `unlike`: of some, several things; `foreign`: the release has values that the original lacks. A
 * missing value that became several things was filled in: it is none of them. */
static Status learn(Work *work, const JointCodes *joint, const int64_t *row, int64_t rows, int64_t originals, Recoding *r) {
    Status status = OK;
    bool filled = false;
    r->missing = -1;
    NEW(work, r->map, joint->count + 1);
    NEW(work, r->before, joint->count + 1);
    NEW(work, r->released, joint->count + 1);
    for (int32_t c = 0; c < joint->count; c++) r->map[c] = -1;
    for (int64_t i = 0; i < originals; i++)
        if (joint->at[0][i] >= 0) r->before[joint->at[0][i]] = 1;
    for (int64_t i = 0; i < rows; i++) {
        int32_t o = joint->at[0][own_row(row, i)], now = joint->at[1][i];
        if (now >= 0) r->released[now] = 1;
        if (now >= 0 && !r->before[now]) r->foreign = true;
        if (now < 0) continue;
        int32_t *to = o < 0 ? &r->missing : &r->map[o];
        if (*to >= 0 && *to != now) *(o < 0 ? &filled : &r->unlike) = true;
        if (*to < 0) *to = now;
    }
    if (filled) r->missing = -1;
done:
    return status;
}

/* The true value of one key for each released record. Values recoded one way each: that way. Else, where the release has only values of the
 * original (it was perturbed): as they were. Else (local recoding): as the record itself has it, which finds no more candidates than there
 * are. */
static Status true_codes(Work *work, const Column *released, const Column *original, const int64_t *row, Codes *truth) {
    Status status = OK;
    JointCodes joint = { 0 };
    Recoding r = { 0 };
    int32_t *at = NULL, *lost = NULL;
    int64_t rows = released->rows;
    TRY(joint_labelled(work, original, released, 0, 0, &joint));
    TRY(learn(work, &joint, row, rows, original->rows, &r));
    NEW(work, at, rows + 1);
    NEW(work, lost, joint.count + 1); /* values that no record kept: an interval, or a code of their own */
    for (int32_t c = 0; c < joint.count; c++) {
        if (!r.before[c] || r.map[c] >= 0) continue;
        int32_t interval = made_of(&joint, &r, joint.label[c]);
        lost[c] = interval >= 0 ? interval : joint.count + c;
    }
    for (int64_t i = 0; i < rows; i++) {
        int32_t o = joint.at[0][own_row(row, i)], own = joint.at[1][i];
        if (r.unlike && !r.foreign) at[i] = o;
        else if (r.unlike && own >= 0) at[i] = own;
        else if (o < 0) at[i] = r.unlike ? -1 : r.missing;
        else at[i] = r.map[o] >= 0 ? r.map[o] : lost[o];
    }
    *truth = (Codes){ .count = 2 * joint.count + 1, .at = at };
done:
    if (joint.at[0] != joint.at[1]) arena_drop(work->arena, (int32_t *)(uintptr_t)joint.at[0]);
    arena_drop(work->arena, joint.label);
    arena_drop(work->arena, r.map);
    arena_drop(work->arena, r.before);
    arena_drop(work->arena, r.released);
    arena_drop(work->arena, lost);
    return status;
}

/* One true key in the release's words. A value that no record kept and no interval holds keeps its own word, which nothing released has. */
static Status true_words(Work *work, const Column *released, const Column *original, const int64_t *row, Column **out) {
    Status status = OK;
    Codes truth = { 0 };
    JointCodes joint;
    const char **cells = NULL;
    NEW(work, cells, released->rows + 1);
    TRY(true_codes(work, released, original, row, &truth));
    TRY(joint_labelled(work, original, released, 0, 0, &joint));
    for (int64_t i = 0; i < released->rows; i++) {
        int32_t c = truth.at[i];
        cells[i] = c < 0 ? NULL : joint.label[c >= joint.count ? c - joint.count : c];
    }
    TRY(column_category(released->name, cells, released->rows, out, work->error));
done:
    return status;
}

Status true_keys_table(Work *work, const Table *released, Columns keys, const Table *original, const char *id, Table **out) {
    Status status = OK;
    Column **made = NULL;
    int64_t *row = NULL;
    if (!id) TRY(table_need_places(released, work->error));
    NEW(work, made, keys.count + 1);
    TRY(true_keys_pairs(work, released, original, id, &row));
    for (int64_t k = 0; k < keys.count; k++) {
        const Column *before;
        TRY(table_need(original, keys.at[k]->name, &before, work->error));
        if (column_linear(before) && column_linear(keys.at[k])) TRY(column_take(before, row, released->rows, &made[k], work->error));
        else TRY(true_words(work, keys.at[k], before, row, &made[k]));
    }
    TRY(table_new(original->name, made, keys.count, released->rows, out, work->error));
done:
    arena_drop(work->arena, row);
    for (int64_t k = 0; made && k < keys.count; k++) column_release(made[k]);
    return status;
}
