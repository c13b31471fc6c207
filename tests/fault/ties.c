/* Loaded before a program (LD_PRELOAD): a qsort that leaves equal items in the reverse of the order in which they came. The C standard
 * allows it, C libraries differ in it, and glibc changes its own where it gets no memory: nothing that is printed or written may depend on
 * it. */
#include <stdlib.h>
#include <string.h>

typedef int Compare(const void *, const void *, void *);

static void merge(char *at, char *room, size_t left, size_t count, size_t size, Compare *compare, void *with) {
    size_t i = 0, j = left;
    for (size_t k = 0; k < count; k++) {
        int later = i >= left || (j < count && compare(at + i * size, at + j * size, with) >= 0);
        memcpy(room + k * size, at + (later ? j++ : i++) * size, size);
    }
    memcpy(at, room, count * size);
}

static void sort(char *at, char *room, size_t count, size_t size, Compare *compare, void *with) {
    size_t left = count / 2;
    if (count < 2) return;
    sort(at, room, left, size, compare, with);
    sort(at + left * size, room, count - left, size, compare, with);
    merge(at, room, left, count, size, compare, with);
}

void qsort_r(void *at, size_t count, size_t size, Compare *compare, void *with) {
    char *room = count && size ? malloc(count * size) : NULL;
    if (count && size && !room) abort();
    sort(at, room, count, size, compare, with);
    free(room);
}

static int plain(const void *a, const void *b, void *with) { return (*(int (**)(const void *, const void *))with)(a, b); }
void qsort(void *at, size_t count, size_t size, int (*compare)(const void *, const void *)) { qsort_r(at, count, size, plain, &compare); }
