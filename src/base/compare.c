/* Orders for qsort and bsearch. */
#include "base/compare.h"
#include <stdint.h>
#include <string.h>

#define ASCENDING(name, type)                                                                                                              \
    int name(const void *a, const void *b) {                                                                                               \
        const type x = *(const type *)a, y = *(const type *)b;                                                                             \
        return (x > y) - (x < y);                                                                                                          \
    }
ASCENDING(ascending_int32, int32_t)
ASCENDING(ascending_int64, int64_t)
ASCENDING(ascending_uint64, uint64_t)
ASCENDING(ascending_real, double)

int compare_texts(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }
