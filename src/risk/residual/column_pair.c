/* One column in a release and its original: codes that both share, and the people whom a value that no other person has leads to. */
#include "risk/residual/column_pair.h"

Status both_make(const Kept *k, const Column *column, Both *out) {
    Status status = OK;
    const Column *before = table_column(k->original, column->name);
    *out = (Both){ 0 };
    if (!before) return OK;
    TRY(joint_codes(k->work, before, column, 0, 0, &out->codes));
    for (int side = 0; side < 2; side++) NEW(k->work, out->times[side], out->codes.count + 1);
    NEW(k->work, out->where, out->codes.count + 1);
    for (int64_t i = 0; i < before->rows; i++)
        if (out->codes.at[0][i] >= 0) {
            out->times[0][out->codes.at[0][i]]++;
            out->where[out->codes.at[0][i]] = i;
        }
    for (int64_t i = 0; i < column->rows; i++)
        if (out->codes.at[1][i] >= 0) out->times[1][out->codes.at[1][i]]++;
done:
    return status;
}

void both_drop(const Kept *k, Both *both) {
    if (!both->where) return;
    for (int side = 0; side < 2; side++) arena_drop(k->work->arena, both->times[side]);
    arena_drop(k->work->arena, both->where);
    joint_drop(k->work, &both->codes);
}

bool both_as_often(const Both *b) {
    for (int32_t c = 0; c < b->codes.count; c++)
        if (b->times[0][c] != b->times[1][c]) return false;
    return true;
}

bool both_no_oftener(const Both *b) {
    for (int32_t c = 0; c < b->codes.count; c++)
        if (b->times[1][c] > b->times[0][c]) return false;
    return true;
}

Found both_found(const Kept *k, const Both *b) {
    Found found = { 0 };
    for (int64_t i = 0; i < k->data->rows; i++) {
        int32_t is = b->codes.at[1][i];
        if (!both_alone(b, is)) continue;
        if (b->where[is] == kept_whose(k, i)) found.right++;
        else found.wrong++;
    }
    return found;
}
