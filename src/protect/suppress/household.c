/* Blanks carried over to the household. */
#include "protect/suppress/household.h"

/* shared[h]: bits of the keys on which all members of household h have the same value (a missing one included). */
static Status shared_keys(Work *work, Columns keys, const Codes *household, int64_t rows, uint64_t **out) {
    Status status = OK;
    NEW(work, *out, household->count);
    for (int32_t h = 0; h < household->count; h++) (*out)[h] = low_bits(keys.count);
    for (int64_t key = 0; key < keys.count; key++) {
        Codes codes;
        TRY(column_codes(work, keys.at[key], &codes));
        for (int64_t i = 0; i < rows; i++) {
            int32_t h = household->at[i];
            if (h >= 0 && codes.at[i] != codes.at[household->first_row[h]]) (*out)[h] &= ~(UINT64_C(1) << key);
        }
    }
done:
    return status;
}

Status household_extend(Work *work, Columns keys, const Column *household, uint64_t *blank, bool *any) {
    Status status = OK;
    Codes codes;
    uint64_t *shared = NULL, *lost = NULL;
    *any = false;
    TRY(column_codes(work, household, &codes));
    TRY(shared_keys(work, keys, &codes, household->rows, &shared));
    NEW(work, lost, codes.count);
    for (int64_t i = 0; i < household->rows; i++)
        if (codes.at[i] >= 0) lost[codes.at[i]] |= blank[i] & shared[codes.at[i]];
    for (int64_t i = 0; i < household->rows; i++) {
        if (codes.at[i] < 0) continue;
        uint64_t missing = 0;
        for (int64_t key = 0; key < keys.count; key++) missing |= (uint64_t)column_missing(keys.at[key], i) << key;
        missing |= blank[i];
        *any |= (lost[codes.at[i]] & ~missing) != 0;
        blank[i] |= lost[codes.at[i]] & ~missing;
    }
done:
    return status;
}

Status household_prices(Work *work, Columns keys, const Column *household, int64_t *price) {
    Status status = OK;
    Codes codes;
    uint64_t *shared = NULL;
    int64_t *size = NULL, rows = household->rows;
    TRY(column_codes(work, household, &codes));
    TRY(shared_keys(work, keys, &codes, rows, &shared));
    TRY(codes_sizes(work, &codes, rows, &size));
    for (int64_t key = 0; key < keys.count; key++) {
        int64_t cells = 0;
        for (int64_t i = 0; i < rows; i++) cells += codes.at[i] >= 0 && shared[codes.at[i]] >> key & 1 ? size[codes.at[i]] : 1;
        price[key] *= rows ? 1 + (8 * cells) / rows : 1;
    }
done:
    return status;
}
