/* A data frame as a table. Doubles and 64-bit integers are read where R has them: the vectors are kept from R's collector, and from being
 * changed in place, until libscrim lets them go. */
#include "binding.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* ---- what libscrim has let go ---- */

/* R's objects may be released by R's own thread alone: what another thread lets go waits here until R comes by. */
static pthread_t main_thread;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
typedef struct Waiting {
    SEXP object;
    struct Waiting *next;
} Waiting;
static Waiting *waiting;

void mind_the_thread(void) { main_thread = pthread_self(); }

static void release_waiting(void) {
    pthread_mutex_lock(&lock);
    Waiting *list = waiting;
    waiting = NULL;
    pthread_mutex_unlock(&lock);
    while (list) {
        Waiting *next = list->next;
        R_ReleaseObject(list->object);
        free(list);
        list = next;
    }
}

static void let_go(struct ArrowArray *array) {
    SEXP object = array->private_data;
    array->release = NULL;
    if (pthread_equal(pthread_self(), main_thread)) {
        R_ReleaseObject(object);
        return;
    }
    Waiting *one = malloc(sizeof *one);
    if (!one) return; /* kept for ever, rather than released where it may not be */
    pthread_mutex_lock(&lock);
    *one = (Waiting){ object, waiting };
    waiting = one;
    pthread_mutex_unlock(&lock);
}
static void schema_gone(struct ArrowSchema *schema) { schema->release = NULL; }

/* ---- columns ---- */

/* What is made for the crossing lives on R's transient stack; what libscrim goes on reading is an R vector in `kept`. */
typedef struct Crossing {
    R_xlen_t rows;
    SEXP kept;
} Crossing;

static void *transient(R_xlen_t count, size_t size) {
    void *at = R_alloc((size_t)count + 1, (int)size);
    memset(at, 0, ((size_t)count + 1) * size);
    return at;
}

static uint8_t *all_present(R_xlen_t rows) {
    uint8_t *bits = transient((rows + 7) / 8, 1);
    memset(bits, 255, (size_t)((rows + 7) / 8));
    return bits;
}
static void set_missing(uint8_t **bits, R_xlen_t rows, R_xlen_t i) {
    if (!*bits) *bits = all_present(rows);
    (*bits)[i >> 3] &= (uint8_t) ~(1 << (i & 7));
}

static void fill(struct ArrowArray *array, R_xlen_t rows, const void *bits, const void *values, const void *bytes) {
    const void **buffers = transient(3, sizeof *buffers);
    buffers[0] = bits;
    buffers[1] = values;
    buffers[2] = bytes;
    *array = (struct ArrowArray){ .length = rows, .null_count = bits ? -1 : 0, .n_buffers = bytes ? 3 : 2, .buffers = buffers };
}

/* Nobody changes it in place while it is lent. */
static const void *lend(Crossing *c, R_xlen_t j, SEXP values) {
    MARK_NOT_MUTABLE(values);
    SET_VECTOR_ELT(c->kept, j, values);
    return TYPEOF(values) == REALSXP ? (const void *)REAL(values) : (const void *)INTEGER(values);
}

static void reals(Crossing *c, R_xlen_t j, SEXP values, struct ArrowArray *array) { fill(array, c->rows, NULL, lend(c, j, values), NULL); }

/* integer and logical: libscrim widens them, so nothing is kept. */
static void integers(Crossing *c, SEXP values, struct ArrowArray *array) {
    const int *cells = TYPEOF(values) == LGLSXP ? LOGICAL(values) : INTEGER(values);
    uint8_t *bits = NULL;
    for (R_xlen_t i = 0; i < c->rows; i++)
        if (cells[i] == NA_INTEGER) set_missing(&bits, c->rows, i);
    fill(array, c->rows, bits, cells, NULL);
}

/* bit64's integer64: 64-bit integers in a double's place; the least of them is NA. */
static void wide_integers(Crossing *c, R_xlen_t j, SEXP values, struct ArrowArray *array) {
    const int64_t *cells = lend(c, j, values);
    uint8_t *bits = NULL;
    for (R_xlen_t i = 0; i < c->rows; i++)
        if (cells[i] == INT64_MIN) set_missing(&bits, c->rows, i);
    fill(array, c->rows, bits, cells, NULL);
}

static void texts(R_xlen_t count, SEXP values, bool first_empty, struct ArrowArray *array) {
    R_xlen_t all = count + first_empty;
    int64_t *offsets = transient(all + 1, sizeof *offsets), total = 0;
    uint8_t *bits = NULL;
    for (R_xlen_t i = 0; i < all; i++) {
        offsets[i] = total;
        SEXP cell = i < first_empty ? R_BlankString : STRING_ELT(values, i - first_empty);
        if (cell == NA_STRING) set_missing(&bits, all, i);
        else total += LENGTH(cell);
    }
    offsets[all] = total;
    char *bytes = transient(total, 1);
    for (R_xlen_t i = first_empty; i < all; i++)
        if (offsets[i + 1] > offsets[i])
            memcpy(bytes + offsets[i], CHAR(STRING_ELT(values, i - first_empty)), (size_t)(offsets[i + 1] - offsets[i]));
    fill(array, all, bits, offsets, bytes);
}

/* R counts levels from 1: an empty word that no cell has stands at 0, and the codes stay where they are. NA is negative, which is no word.
 */
static void coded(const Crossing *c, const int *codes, R_xlen_t count, SEXP words, struct ArrowSchema *schema, struct ArrowArray *array) {
    schema->dictionary = transient(1, sizeof *schema->dictionary);
    *schema->dictionary = (struct ArrowSchema){ .format = "U", .release = schema_gone };
    fill(array, c->rows, NULL, codes, NULL);
    array->dictionary = transient(1, sizeof *array->dictionary);
    texts(count, words, true, array->dictionary);
}

/* R keeps one copy of each word, so that words are told apart by where they are. A column of few words, each many times, is a category
 * to libscrim, and crosses as one: their places, or NULL where they are more than FEW. */
enum { FEW = 1000, SLOTS = 4096 };
static int *few_words(const Crossing *c, SEXP values, SEXP words, R_xlen_t *count) {
    int *codes = transient(c->rows, sizeof *codes), *slots = transient(SLOTS, sizeof *slots);
    *count = 0;
    for (R_xlen_t i = 0; i < c->rows; i++) {
        SEXP word = STRING_ELT(values, i);
        size_t at = ((uintptr_t)word >> 4) * UINT64_C(0x9E3779B97F4A7C15) >> 52;
        while (slots[at] && STRING_ELT(words, slots[at] - 1) != word) at = (at + 1) % SLOTS;
        if (!slots[at] && word != NA_STRING) {
            if (*count == FEW) return NULL;
            SET_STRING_ELT(words, *count, word);
            slots[at] = (int)++*count;
        }
        codes[i] = word == NA_STRING ? NA_INTEGER : slots[at];
    }
    return *count * 2 <= c->rows ? codes : NULL;
}

/* Levels from 1, as a factor's. */
static bool as_category(const Crossing *c, SEXP values, struct ArrowSchema *schema, struct ArrowArray *array) {
    R_xlen_t count;
    SEXP words = PROTECT(Rf_allocVector(STRSXP, FEW));
    int *codes = c->rows ? few_words(c, values, words, &count) : NULL;
    if (codes) {
        schema->format = "i";
        coded(c, codes, count, words, schema, array);
    }
    UNPROTECT(1);
    return codes;
}

static void dates(Crossing *c, R_xlen_t j, SEXP values, struct ArrowArray *array) {
    SEXP days = Rf_allocVector(INTSXP, c->rows);
    SET_VECTOR_ELT(c->kept, j, days);
    uint8_t *bits = NULL;
    const double *from = REAL(values);
    int *to = INTEGER(days);
    for (R_xlen_t i = 0; i < c->rows; i++) {
        double day = from[i];
        if (ISNAN(day)) {
            set_missing(&bits, c->rows, i);
            day = 0;
        }
        int whole = (int)day;
        to[i] = whole - (day < whole);
    }
    fill(array, c->rows, bits, INTEGER(days), NULL);
}

static void moments(Crossing *c, R_xlen_t j, SEXP values, struct ArrowArray *array) {
    SEXP micros = Rf_allocVector(REALSXP, c->rows); /* eight bytes a cell, whatever they mean */
    SET_VECTOR_ELT(c->kept, j, micros);
    int64_t *to = (int64_t *)REAL(micros);
    uint8_t *bits = NULL;
    for (R_xlen_t i = 0; i < c->rows; i++) {
        double second = REAL(values)[i];
        if (ISNAN(second)) set_missing(&bits, c->rows, i);
        double micro = ISNAN(second) ? 0 : second * 1e6;
        to[i] = (int64_t)(micro < 0 ? micro - 0.5 : micro + 0.5);
    }
    fill(array, c->rows, bits, to, NULL);
}

/* Kinds, as R/frame.R names them: g real, i integer or logical, l 64-bit, f factor, o ordered, u text, d date, t date with time. */
static void column(Crossing *c, R_xlen_t j, char kind, SEXP values, SEXP levels, struct ArrowSchema *schema, struct ArrowArray *array) {
    static const struct {
        char kind;
        const char *format;
    } formats[] = { { 'g', "g" }, { 'i', "i" }, { 'l', "l" }, { 'f', "i" }, { 'o', "i" }, { 'u', "U" }, { 'd', "tdD" }, { 't', "tsu:" } };
    *schema = (struct ArrowSchema){ .flags = ARROW_FLAG_NULLABLE, .release = schema_gone };
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (formats[i].kind == kind) schema->format = formats[i].format;
    switch (kind) {
    case 'g': reals(c, j, values, array); break;
    case 'i': integers(c, values, array); break;
    case 'l': wide_integers(c, j, values, array); break;
    case 'f':
    case 'o':
        if (kind == 'o') schema->flags |= ARROW_FLAG_DICTIONARY_ORDERED;
        coded(c, INTEGER(values), XLENGTH(levels), levels, schema, array);
        break;
    case 'u':
        if (!as_category(c, values, schema, array)) texts(c->rows, values, false, array);
        break;
    case 'd': dates(c, j, values, array); break;
    default: moments(c, j, values, array); break;
    }
}

/* Text whose words repeat is a category, as in a file. */
static scrim_status settle(scrim_table **table, scrim_error *error) {
    scrim_table *settled = NULL;
    scrim_status status = scrim_table_infer_categories(*table, &settled, error);
    scrim_table_free(*table);
    *table = settled;
    return status;
}

/* Columns that R/frame.R has made plain, each of `rows` cells: a table, or what is wrong. */
SEXP r_table(SEXP name, SEXP columns, SEXP names, SEXP kinds, SEXP levels, SEXP rows) {
    const void *vmax = vmaxget();
    R_xlen_t count = XLENGTH(columns);
    release_waiting();
    SEXP handle = PROTECT(table_handle());
    Crossing c = { .rows = (R_xlen_t)Rf_asReal(rows), .kept = PROTECT(Rf_allocVector(VECSXP, count)) };
    struct ArrowSchema *fields = transient(count, sizeof *fields), **schemas = transient(count, sizeof *schemas);
    struct ArrowArray *cells = transient(count, sizeof *cells), **arrays = transient(count, sizeof *arrays);
    for (R_xlen_t j = 0; j < count; j++) {
        column(&c, j, CHAR(STRING_ELT(kinds, j))[0], VECTOR_ELT(columns, j), VECTOR_ELT(levels, j), &fields[j], &cells[j]);
        fields[j].name = CHAR(STRING_ELT(names, j));
        schemas[j] = &fields[j];
        arrays[j] = &cells[j];
    }
    const void **none = transient(1, sizeof *none);
    struct ArrowSchema schema = { .format = "+s", .n_children = count, .children = schemas, .release = schema_gone };
    struct ArrowArray array = { .length = c.rows,
                                .n_buffers = 1,
                                .buffers = none,
                                .n_children = count,
                                .children = arrays,
                                .release = let_go,
                                .private_data = c.kept };
    scrim_error error = { .size = sizeof error };
    scrim_table *table = NULL;
    R_PreserveObject(c.kept);
    scrim_status status = scrim_table_from_arrow(CHAR(STRING_ELT(name, 0)), &schema, &array, &table, &error);
    if (!status) status = settle(&table, &error);
    R_SetExternalPtrAddr(handle, table);
    vmaxset(vmax);
    SEXP out = status ? error_list(&error) : handle;
    UNPROTECT(2);
    return out;
}

SEXP r_table_mark(SEXP table, SEXP column) {
    table_at(table);
    scrim_table_mark(R_ExternalPtrAddr(table), column == R_NilValue ? NULL : CHAR(STRING_ELT(column, 0)));
    return table;
}
