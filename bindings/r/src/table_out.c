/* A table as R's vectors. */
#include "binding.h"
#include <stdlib.h>
#include <string.h>

/* What Arrow lends, released by R's collector should R jump out of here. */
typedef struct Lent {
    struct ArrowSchema schema;
    struct ArrowArray array;
} Lent;

static void give_back(SEXP handle) {
    Lent *lent = R_ExternalPtrAddr(handle);
    if (!lent) return;
    if (lent->schema.release) lent->schema.release(&lent->schema);
    if (lent->array.release) lent->array.release(&lent->array);
    free(lent);
    R_ClearExternalPtr(handle);
}

static bool missing(const struct ArrowArray *a, R_xlen_t i) {
    const uint8_t *bits = a->buffers[0];
    return bits && !((bits[i >> 3] >> (i & 7)) & 1);
}

static void set_class(SEXP vector, const char *first, const char *second) {
    SEXP class = PROTECT(Rf_allocVector(STRSXP, second ? 2 : 1));
    SET_STRING_ELT(class, 0, Rf_mkChar(first));
    if (second) SET_STRING_ELT(class, 1, Rf_mkChar(second));
    Rf_setAttrib(vector, R_ClassSymbol, class);
    UNPROTECT(1);
}

static SEXP reals(const struct ArrowArray *a) {
    SEXP out = PROTECT(Rf_allocVector(REALSXP, a->length));
    if (a->length) memcpy(REAL(out), a->buffers[1], (size_t)a->length * sizeof(double));
    for (R_xlen_t i = 0; a->buffers[0] && i < a->length; i++)
        if (missing(a, i)) REAL(out)[i] = NA_REAL;
    UNPROTECT(1);
    return out;
}

/* As R's integers where they fit; else as doubles, exact up to 2^53. */
static SEXP integers(const struct ArrowArray *a) {
    const int64_t *cells = a->buffers[1];
    bool narrow = true;
    for (R_xlen_t i = 0; narrow && i < a->length; i++) narrow = missing(a, i) || (cells[i] > INT_MIN && cells[i] <= INT_MAX);
    SEXP out = PROTECT(Rf_allocVector(narrow ? INTSXP : REALSXP, a->length));
    for (R_xlen_t i = 0; i < a->length; i++) {
        bool none = missing(a, i);
        if (narrow) INTEGER(out)[i] = none ? NA_INTEGER : (int)cells[i];
        else REAL(out)[i] = none ? NA_REAL : (double)cells[i];
    }
    UNPROTECT(1);
    return out;
}

static SEXP wide_integers(const struct ArrowArray *a) {
    const int64_t *cells = a->buffers[1];
    SEXP out = PROTECT(Rf_allocVector(REALSXP, a->length));
    int64_t *to = (int64_t *)REAL(out);
    for (R_xlen_t i = 0; i < a->length; i++) to[i] = missing(a, i) ? INT64_MIN : cells[i];
    set_class(out, "integer64", NULL);
    UNPROTECT(1);
    return out;
}

static SEXP texts(const struct ArrowArray *a) {
    const int64_t *offsets = a->buffers[1];
    const char *bytes = a->buffers[2];
    SEXP out = PROTECT(Rf_allocVector(STRSXP, a->length));
    for (R_xlen_t i = 0; i < a->length; i++)
        SET_STRING_ELT(out, i, missing(a, i) ? NA_STRING : Rf_mkCharLenCE(bytes + offsets[i], (int)(offsets[i + 1] - offsets[i]), CE_UTF8));
    UNPROTECT(1);
    return out;
}

static SEXP factor(const struct ArrowSchema *s, const struct ArrowArray *a) {
    const int32_t *codes = a->buffers[1];
    bool ordered = s->flags & ARROW_FLAG_DICTIONARY_ORDERED;
    SEXP out = PROTECT(Rf_allocVector(INTSXP, a->length));
    for (R_xlen_t i = 0; i < a->length; i++) INTEGER(out)[i] = missing(a, i) ? NA_INTEGER : codes[i] + 1;
    SEXP levels = PROTECT(texts(a->dictionary));
    Rf_setAttrib(out, R_LevelsSymbol, levels);
    set_class(out, ordered ? "ordered" : "factor", ordered ? "factor" : NULL);
    UNPROTECT(2);
    return out;
}

static SEXP dates(const struct ArrowArray *a) {
    const int32_t *days = a->buffers[1];
    SEXP out = PROTECT(Rf_allocVector(REALSXP, a->length));
    for (R_xlen_t i = 0; i < a->length; i++) REAL(out)[i] = missing(a, i) ? NA_REAL : days[i];
    set_class(out, "Date", NULL);
    UNPROTECT(1);
    return out;
}

static SEXP moments(const struct ArrowArray *a) {
    const int64_t *micros = a->buffers[1];
    SEXP out = PROTECT(Rf_allocVector(REALSXP, a->length)), zone = PROTECT(Rf_mkString("UTC"));
    for (R_xlen_t i = 0; i < a->length; i++) REAL(out)[i] = missing(a, i) ? NA_REAL : (double)micros[i] / 1e6;
    Rf_setAttrib(out, Rf_install("tzone"), zone);
    set_class(out, "POSIXct", "POSIXt");
    UNPROTECT(2);
    return out;
}

static SEXP column(const struct ArrowSchema *s, const struct ArrowArray *a, bool wide) {
    if (s->dictionary) return factor(s, a);
    switch (s->format[0]) {
    case 'g': return reals(a);
    case 'l': return wide ? wide_integers(a) : integers(a);
    case 'U': return texts(a);
    default: return s->format[1] == 'd' ? dates(a) : moments(a);
    }
}

/* A named list of columns. `wide`: names of those that shall be integer64. */
SEXP r_table_columns(SEXP table, SEXP wide) {
    const scrim_table *from = table_at(table);
    scrim_error error = { .size = sizeof error };
    SEXP guard = PROTECT(R_MakeExternalPtr(NULL, R_NilValue, R_NilValue));
    R_RegisterCFinalizerEx(guard, give_back, FALSE);
    Lent *lent = calloc(1, sizeof *lent);
    if (!lent) Rf_error("out of memory");
    if (scrim_table_to_arrow(from, &lent->schema, &lent->array, &error)) {
        free(lent);
        UNPROTECT(1);
        return error_list(&error);
    }
    R_SetExternalPtrAddr(guard, lent);
    R_xlen_t count = lent->array.n_children;
    SEXP out = PROTECT(Rf_allocVector(VECSXP, count)), names = PROTECT(Rf_allocVector(STRSXP, count));
    for (R_xlen_t j = 0; j < count; j++) {
        const struct ArrowSchema *s = lent->schema.children[j];
        bool as_wide = false;
        SET_STRING_ELT(names, j, Rf_mkCharCE(s->name, CE_UTF8));
        for (R_xlen_t w = 0; w < XLENGTH(wide); w++) as_wide |= !strcmp(CHAR(STRING_ELT(wide, w)), s->name);
        SET_VECTOR_ELT(out, j, column(s, lent->array.children[j], as_wide));
    }
    Rf_setAttrib(out, R_NamesSymbol, names);
    give_back(guard);
    UNPROTECT(3);
    return out;
}

/* Of each name: is it in `table` the very column that it is in `other`? */
SEXP r_table_shares(SEXP table, SEXP other, SEXP names) {
    const scrim_table *a = table_at(table), *b = table_at(other);
    SEXP out = PROTECT(Rf_allocVector(LGLSXP, XLENGTH(names)));
    for (R_xlen_t i = 0; i < XLENGTH(names); i++) LOGICAL(out)[i] = scrim_table_shares(a, b, CHAR(STRING_ELT(names, i)));
    UNPROTECT(1);
    return out;
}

SEXP r_table_rows(SEXP table) {
    int64_t rows = scrim_table_rows(table_at(table));
    return rows <= INT_MAX ? Rf_ScalarInteger((int)rows) : Rf_ScalarReal((double)rows);
}

SEXP r_copy(SEXP object) { return Rf_duplicate(object); }

/* Does each row stem from the row of the same number? */
SEXP r_table_in_place(SEXP table) {
    const scrim_table *t = table_at(table);
    int64_t rows = scrim_table_rows(t);
    bool same = true;
    for (int64_t i = 0; same && i < rows; i++) same = scrim_table_origin(t, i) == i;
    return Rf_ScalarLogical(same);
}

/* Is it a release, and which of its columns were changed at random? NULL, or their names. */
SEXP r_table_marks(SEXP table) {
    const scrim_table *t = table_at(table);
    int64_t columns = scrim_table_columns(t), changed = 0, at = 0;
    if (!scrim_table_released(t) && !scrim_table_perturbed(t, NULL)) return R_NilValue;
    for (int64_t i = 0; i < columns; i++) changed += scrim_table_perturbed(t, scrim_table_column_name(t, i)) != 0;
    SEXP out = PROTECT(Rf_allocVector(STRSXP, changed));
    for (int64_t i = 0; i < columns; i++) {
        const char *name = scrim_table_column_name(t, i);
        if (scrim_table_perturbed(t, name)) SET_STRING_ELT(out, at++, Rf_mkCharCE(name, CE_UTF8));
    }
    UNPROTECT(1);
    return out;
}

/* The columns of a frame, held by a handle that R saves without them: what is taken out of a frame must not be in a file by way of its
 * attributes. */
static void hold_no_more(SEXP handle) {
    SEXP columns = R_ExternalPtrAddr(handle);
    if (columns) R_ReleaseObject(columns);
    R_ClearExternalPtr(handle);
}

SEXP r_hold(SEXP columns) {
    SEXP handle = PROTECT(R_MakeExternalPtr(columns, Rf_install("scrim_held"), R_NilValue));
    R_PreserveObject(columns);
    R_RegisterCFinalizerEx(handle, hold_no_more, FALSE);
    UNPROTECT(1);
    return handle;
}

/* Are a frame's columns, and their names, the very ones that are held? */
SEXP r_same_columns(SEXP frame, SEXP handle) {
    SEXP held = TYPEOF(handle) == EXTPTRSXP && R_ExternalPtrTag(handle) == Rf_install("scrim_held") ? R_ExternalPtrAddr(handle) : NULL;
    if (!held || TYPEOF(frame) != VECSXP || XLENGTH(frame) != XLENGTH(held)) return Rf_ScalarLogical(0);
    for (R_xlen_t j = 0; j < XLENGTH(frame); j++)
        if (VECTOR_ELT(frame, j) != VECTOR_ELT(held, j)) return Rf_ScalarLogical(0);
    return Rf_ScalarLogical(R_compute_identical(Rf_getAttrib(frame, R_NamesSymbol), Rf_getAttrib(held, R_NamesSymbol), 16));
}

/* A changed column gets the tagged NAs of the one it was made from, where exactly the same cells are missing; else they stay plain, so that
 * nobody sees which of them were blanked. */
SEXP r_same_missing(SEXP now, SEXP before) {
    R_xlen_t rows = XLENGTH(now);
    if (TYPEOF(now) != REALSXP || TYPEOF(before) != REALSXP || XLENGTH(before) != rows) return now;
    for (R_xlen_t i = 0; i < rows; i++)
        if (ISNAN(REAL(now)[i]) != ISNAN(REAL(before)[i])) return now;
    SEXP out = PROTECT(Rf_duplicate(now));
    for (R_xlen_t i = 0; i < rows; i++)
        if (ISNAN(REAL(before)[i])) memcpy(REAL(out) + i, REAL(before) + i, sizeof(double)); /* by bytes: the tag is in them */
    UNPROTECT(1);
    return out;
}

SEXP r_table_read(SEXP path, SEXP encoding) {
    scrim_error error = { .size = sizeof error };
    scrim_reading reading = { .size = sizeof reading, .encoding = encoding == R_NilValue ? NULL : CHAR(STRING_ELT(encoding, 0)) };
    scrim_table *table = NULL;
    SEXP handle = PROTECT(table_handle());
    scrim_status status = scrim_table_read(CHAR(STRING_ELT(path, 0)), &reading, &table, &error);
    R_SetExternalPtrAddr(handle, table);
    UNPROTECT(1);
    return status ? error_list(&error) : handle;
}

SEXP r_table_write(SEXP table, SEXP path) {
    scrim_error error = { .size = sizeof error };
    scrim_status status = scrim_table_write(table_at(table), CHAR(STRING_ELT(path, 0)), NULL, &error);
    return status ? error_list(&error) : R_NilValue;
}
