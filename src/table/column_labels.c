/* Columns whose values have labels: their words, their numbers, and what a new column keeps of an old one. */
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "base/number_text.h"
#include "table/column.h"

int64_t column_suppressed(const Column *column) {
    int64_t count = 0;
    for (int64_t i = 0; column->reason && i < column->rows; i++)
        count += column->reason[i] == MISSING_SUPPRESSED && column_missing(column, i);
    return count;
}

bool column_gives_reasons(const Column *column) {
    for (int64_t i = 0; column->reason && i < column->rows; i++)
        if (column->reason[i] >= MISSING_CODE_FIRST && column_missing(column, i)) return true;
    return false;
}

bool column_tells_reasons(const Column *column) { return column_gives_reasons(column) && !column_suppressed(column); }

Status column_without_reasons(const Column *column, Column **out, Error *error) {
    Status status = column_copy(column, out, error);
    for (int64_t i = 0; !status && (*out)->reason && i < column->rows; i++)
        if ((*out)->reason[i] >= MISSING_CODE_FIRST) (*out)->reason[i] = MISSING_CODE_NONE;
    return status;
}

/* Reasons of cells that are missing in both. Of a cell that a method blanked by itself no more is known than that. */
static Status inherit_reasons(Column *column, const Column *old, Error *error) {
    Status status = column_need_reason(column, error);
    for (int64_t i = 0; !status && i < column->rows; i++) {
        if (column->reason[i] || !column_missing(column, i)) continue;
        if (!column_missing(old, i)) column->reason[i] = MISSING_SUPPRESSED;
        else if (old->reason) column->reason[i] = old->reason[i];
    }
    return status;
}

/* Nothing is missing in one of them that is present in the other, and the new one gives no reason of its own. */
static bool missing_alike(const Column *column, const Column *old) {
    if (column->missing != old->missing) return false;
    for (int64_t i = 0; i < column->rows; i++)
        if (column_missing(column, i) != column_missing(old, i) || (column->reason && column_missing(column, i) && column->reason[i]))
            return false;
    return true;
}

Status column_inherit(Column *column, const Column *old, RowRelation rows, Error *error) {
    if (column == old || atomic_load(&column->references) > 1) return OK; /* another holds it as it is */
    bool same = column->about == old->about;
    if (!column->about) column->about = metadata_retain(old->about);
    if (rows == ROWS_OTHER || !column->missing || column->rows != old->rows) return OK;
    if (rows == ROWS_PERTURBED && !missing_alike(column, old)) return OK;
    if (!same && column->about != old->about) return OK; /* its reasons are numbered by another list */
    return inherit_reasons(column, old, error);
}

Status column_treat(Column *column, Treatment *treatment, Error *error) {
    if (!treatment) return out_of_memory(error);
    treatment_release(column->treatment);
    column->treatment = treatment;
    return OK;
}

const char *column_word(const Column *column, const char *word) {
    if (!column->about || !column->about->labels || column->type != CATEGORY_TYPE || dictionary_find(column->words, word) >= 0) return word;
    CodeValue code = { 0 };
    const ValueLabel *label = read_real(word, word + strlen(word), '.', &code.value) ? metadata_label(column->about, code) : NULL;
    if (!label) label = metadata_label(column->about, (CodeValue){ .text = word });
    return label ? label->word : word;
}

/* The value of each word; false where one has none that is a number. */
static bool word_values(const Column *column, double *value) {
    for (int32_t w = 0; w < column->words->count; w++) {
        const ValueLabel *label = metadata_word(column->about, column->words->word[w]);
        if (!label || label->of.text || label->of.letter) return false;
        value[w] = label->of.value;
    }
    return true;
}

static bool all_whole(const double *value, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        if (value[i] != floor(value[i]) || fabs(value[i]) > 0x1p53) return false;
    return true;
}

static Status copy_missing(const Column *from, Column *to, Error *error) {
    Status status = OK;
    if (!from->valid) return OK;
    TRY(column_need_valid(to, error));
    memcpy(to->valid, from->valid, (size_t)((from->rows + 63) / 64) * 8);
    if (!from->reason) goto done;
    TRY(column_need_reason(to, error));
    memcpy(to->reason, from->reason, (size_t)from->rows * sizeof *to->reason);
done:
    return status;
}

Status column_as_numbers(const Column *column, Column **out, Error *error) {
    Status status = OK;
    Column *numbers = NULL;
    *out = NULL;
    if (column->type != CATEGORY_TYPE || !column->about || !column->about->labels) return OK;
    double *value = malloc((size_t)(column->words->count + 1) * sizeof *value);
    if (!value) TRY(out_of_memory(error));
    if (!word_values(column, value)) goto done;
    bool whole = all_whole(value, column->words->count);
    TRY(column_new(whole ? INTEGER_TYPE : REAL_TYPE, column->name, column->rows, &numbers, error));
    TRY(copy_missing(column, numbers, error));
    for (int64_t i = 0; i < column->rows; i++) {
        if (column_missing(column, i)) continue;
        if (whole) numbers->integer[i] = (int64_t)value[column->code[i]];
        else numbers->real[i] = value[column->code[i]];
    }
    column_seal(numbers);
    numbers->about = metadata_retain(column->about);
    *out = numbers;
    numbers = NULL;
done:
    column_release(numbers);
    free(value);
    return status;
}
