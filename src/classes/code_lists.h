/* Lists of codes, one for each owner, and which of them are equal. */
#ifndef SCRIM_CLASSES_CODE_LISTS_H
#define SCRIM_CLASSES_CODE_LISTS_H
#include "base/work.h"

/* List l is item[start[l]] … item[start[l + 1] - 1]. In the arena. */
typedef struct CodeLists {
    int64_t count, *start;
    int32_t *item;
} CodeLists;
/* Each owner's codes (0 … codes − 1), ascending. owner[row] < 0: nobody's. */
MUST_CHECK Status code_lists_make(Work *work, const int32_t *owner, const int32_t *code, int64_t rows, int64_t owners, int64_t codes,
                                  CodeLists *out);
/* List → number, the same for equal lists, 0 … count − 1. Items are not negative. */
MUST_CHECK Status code_lists_number(Work *work, const CodeLists *lists, int32_t **of, int64_t *count);
#endif
