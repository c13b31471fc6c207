/* Cells suppressed for good: nothing of their values stays behind in the column. */
#include <stdlib.h>
#include <string.h>
#include "table/column.h"

/* Keeps only words that occur. */
static Status drop_unused_words(Column *column, Error *error) {
    Status status = OK;
    int32_t count = column->words->count, kept = 0;
    int32_t *number = calloc((size_t)count + 1, sizeof *number);
    const char **words = malloc(((size_t)count + 1) * sizeof *words);
    Dictionary *fresh = NULL;
    if (!number || !words) TRY(out_of_memory(error));
    for (int64_t i = 0; i < column->rows; i++)
        if (!column_missing(column, i)) number[column->code[i]] = 1;
    for (int32_t w = 0; w < count; w++) {
        if (!number[w]) continue;
        words[kept] = column->words->word[w];
        number[w] = kept++;
    }
    if (kept == count) goto done;
    TRY(dictionary_new(words, kept, column->words->ordered, &fresh, error));
    for (int64_t i = 0; i < column->rows; i++) column->code[i] = column_missing(column, i) ? 0 : number[column->code[i]];
    dictionary_release(column->words);
    column->words = fresh;
done:
    free(number);
    free(words);
    return status;
}

Status column_blank(const Column *column, const uint8_t *mask, Column **out, Error *error) {
    Status status = OK;
    Column *blanked = NULL;
    int64_t *rows = malloc((size_t)(column->rows ? column->rows : 1) * sizeof *rows);
    if (!rows) TRY(out_of_memory(error));
    for (int64_t i = 0; i < column->rows; i++) rows[i] = mask[i] ? -1 : i;
    TRY(column_take(column, rows, column->rows, &blanked, error));
    if (blanked->missing) TRY(column_need_reason(blanked, error));
    for (int64_t i = 0; i < column->rows; i++)
        if (mask[i] && (!column_missing(column, i) || (column->reason && column->reason[i]))) blanked->reason[i] = MISSING_SUPPRESSED;
    if (blanked->type == CATEGORY_TYPE) TRY(drop_unused_words(blanked, error));
    *out = blanked;
    blanked = NULL;
done:
    column_release(blanked);
    free(rows);
    return status;
}
