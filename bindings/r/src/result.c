/* What a result holds, as R's lists. */
#include "binding.h"
#include <string.h>

static SEXP value_of(const scrim_result *r, const char *name) {
    switch (scrim_result_value_kind(r, name)) {
    case SCRIM_TEXT: return text_of(scrim_result_text(r, name));
    case SCRIM_REAL: {
        double number = scrim_result_number(r, name);
        return Rf_ScalarReal(ISNAN(number) ? NA_REAL : number);
    }
    case SCRIM_INTEGER: {
        int64_t whole = scrim_result_integer(r, name);
        return whole > INT_MIN && whole <= INT_MAX ? Rf_ScalarInteger((int)whole) : Rf_ScalarReal((double)whole);
    }
    default: return Rf_ScalarLogical(NA_LOGICAL);
    }
}

static SEXP values(const scrim_result *r) {
    R_xlen_t count = scrim_result_values(r);
    SEXP out = PROTECT(Rf_allocVector(VECSXP, count)), names = PROTECT(Rf_allocVector(STRSXP, count));
    for (R_xlen_t i = 0; i < count; i++) {
        const char *name = scrim_result_value_name(r, i);
        SET_STRING_ELT(names, i, Rf_mkCharCE(name, CE_UTF8));
        SET_VECTOR_ELT(out, i, value_of(r, name));
    }
    Rf_setAttrib(out, R_NamesSymbol, names);
    UNPROTECT(2);
    return out;
}

typedef const char *(*Namer)(const scrim_result *, int64_t);
static SEXP names_of(const scrim_result *r, int64_t count, Namer name) {
    SEXP out = PROTECT(Rf_allocVector(STRSXP, count));
    for (R_xlen_t i = 0; i < count; i++) {
        const char *text = name(r, i);
        SET_STRING_ELT(out, i, text ? Rf_mkCharCE(text, CE_UTF8) : NA_STRING);
    }
    UNPROTECT(1);
    return out;
}

SEXP r_result(SEXP result) {
    static const char *const parts[] = {
        "method", "values", "notes", "tables", "records", "record_of", "outputs", "charts", "results", ""
    };
    const scrim_result *r = result_at(result);
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)(uintptr_t)parts));
    SET_VECTOR_ELT(out, 0, text_of(scrim_result_method(r)));
    SET_VECTOR_ELT(out, 1, values(r));
    SET_VECTOR_ELT(out, 2, names_of(r, scrim_result_notes(r), scrim_result_note));
    SET_VECTOR_ELT(out, 3, names_of(r, scrim_result_tables(r), scrim_result_table_name));
    SET_VECTOR_ELT(out, 4, names_of(r, scrim_result_records(r), scrim_result_record_name));
    SET_VECTOR_ELT(out, 5, names_of(r, scrim_result_records(r), scrim_result_record_of));
    SET_VECTOR_ELT(out, 6, Rf_ScalarInteger((int)scrim_result_outputs(r)));
    SET_VECTOR_ELT(out, 7, Rf_ScalarInteger((int)scrim_result_charts(r)));
    SET_VECTOR_ELT(out, 8, names_of(r, scrim_result_results(r), scrim_result_result_name));
    UNPROTECT(1);
    return out;
}

/* A result within another lives as long as that one: its handle holds the outer's. */
SEXP r_result_inner(SEXP result, SEXP index) {
    const scrim_result *inner = scrim_result_result(result_at(result), Rf_asInteger(index));
    return R_MakeExternalPtr((void *)(uintptr_t)inner, Rf_install("scrim_result"), result);
}

static SEXP as_handle(scrim_table *table) {
    if (!table) return R_NilValue;
    SEXP handle = PROTECT(table_handle());
    R_SetExternalPtrAddr(handle, table);
    UNPROTECT(1);
    return handle;
}
SEXP r_result_table(SEXP result, SEXP name) { return as_handle(scrim_result_table(result_at(result), CHAR(STRING_ELT(name, 0)))); }
SEXP r_result_records(SEXP result, SEXP of) { return as_handle(scrim_result_record_table(result_at(result), CHAR(STRING_ELT(of, 0)))); }
SEXP r_result_output(SEXP result, SEXP index) { return as_handle(scrim_result_output(result_at(result), Rf_asInteger(index))); }

SEXP r_result_verdict(SEXP result) {
    scrim_error error = { .size = sizeof error, .row = -1, .line = -1, .place = -1 };
    return scrim_result_verdict(result_at(result), &error) ? error_list(&error) : R_NilValue;
}

/* What was lent by a data.table, whose columns are changed in place, is copied. */
SEXP r_result_own(SEXP result) {
    scrim_error error = { .size = sizeof error };
    result_at(result);
    return scrim_result_own(R_ExternalPtrAddr(result), &error) ? error_list(&error) : R_NilValue;
}

SEXP r_result_render(SEXP result, SEXP format, SEXP width) {
    scrim_error error = { .size = sizeof error };
    char *text = NULL;
    if (scrim_result_render(result_at(result), CHAR(STRING_ELT(format, 0)), Rf_asInteger(width), 0, &text, &error))
        return error_list(&error);
    return text_taken(text);
}

SEXP r_result_chart(SEXP result, SEXP index, SEXP format, SEXP size) {
    scrim_error error = { .size = sizeof error };
    char *text = NULL;
    if (scrim_result_chart(result_at(result), Rf_asInteger(index), CHAR(STRING_ELT(format, 0)), INTEGER(size)[0], INTEGER(size)[1], &text,
                           &error))
        return error_list(&error);
    return text_taken(text);
}

SEXP r_result_write(SEXP result, SEXP path) {
    scrim_error error = { .size = sizeof error };
    return scrim_result_write(result_at(result), CHAR(STRING_ELT(path, 0)), &error) ? error_list(&error) : R_NilValue;
}

SEXP r_result_output_write(SEXP result, SEXP path) {
    scrim_error error = { .size = sizeof error };
    const scrim_result *r = result_at(result);
    return scrim_result_output_write(r, 0, scrim_result_outputs(r), CHAR(STRING_ELT(path, 0)), NULL, &error) ? error_list(&error)
                                                                                                             : R_NilValue;
}

SEXP r_describe(SEXP method) {
    scrim_error error = { .size = sizeof error };
    char *text = NULL;
    return scrim_methods_describe(CHAR(STRING_ELT(method, 0)), &text, &error) ? error_list(&error) : text_taken(text);
}

SEXP r_version(void) { return text_of(scrim_version()); }
