/* Handles, errors and texts. */
#include "binding.h"
#include <string.h>

static void free_table(SEXP handle) {
    scrim_table_free(R_ExternalPtrAddr(handle));
    R_ClearExternalPtr(handle);
}
static void free_result(SEXP handle) {
    scrim_result_free(R_ExternalPtrAddr(handle));
    R_ClearExternalPtr(handle);
}

static SEXP handle_of(const char *kind, R_CFinalizer_t end) {
    SEXP handle = PROTECT(R_MakeExternalPtr(NULL, Rf_install(kind), R_NilValue));
    R_RegisterCFinalizerEx(handle, end, FALSE);
    UNPROTECT(1);
    return handle;
}
SEXP table_handle(void) { return handle_of("scrim_table", free_table); }
SEXP result_handle(void) { return handle_of("scrim_result", free_result); }

static const void *address(SEXP handle, const char *kind) {
    const void *at = TYPEOF(handle) == EXTPTRSXP && R_ExternalPtrTag(handle) == Rf_install(kind) ? R_ExternalPtrAddr(handle) : NULL;
    if (!at) Rf_error("the %s is of another session, or none", strcmp(kind, "scrim_table") ? "result" : "table");
    return at;
}
const scrim_table *table_at(SEXP handle) { return address(handle, "scrim_table"); }
const scrim_result *result_at(SEXP handle) { return address(handle, "scrim_result"); }

SEXP r_live(SEXP handle) { return Rf_ScalarLogical(TYPEOF(handle) == EXTPTRSXP && R_ExternalPtrAddr(handle)); }

SEXP text_of(const char *text) { return Rf_ScalarString(text ? Rf_mkCharCE(text, CE_UTF8) : NA_STRING); }

SEXP text_taken(char *text) {
    SEXP out = PROTECT(text_of(text));
    scrim_text_free(text);
    UNPROTECT(1);
    return out;
}

static SEXP number_or_na(int64_t value) { return Rf_ScalarReal(value < 0 ? NA_REAL : (double)value); }
static SEXP text_or_na(const char *text) { return text_of(text[0] ? text : NULL); }

SEXP error_list(const scrim_error *error) {
    static const char *const names[] = { "status", "message", "advice", "text", "file", "column", "parameter", "row", "line", "place", "" };
    char whole[2048];
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, (const char **)(uintptr_t)names));
    scrim_error_text(error, whole, sizeof whole);
    SET_VECTOR_ELT(out, 0, Rf_ScalarInteger((int)error->status));
    SET_VECTOR_ELT(out, 1, text_of(error->message));
    SET_VECTOR_ELT(out, 2, text_or_na(error->advice));
    SET_VECTOR_ELT(out, 3, text_of(whole));
    SET_VECTOR_ELT(out, 4, text_or_na(error->file));
    SET_VECTOR_ELT(out, 5, text_or_na(error->column));
    SET_VECTOR_ELT(out, 6, text_or_na(error->parameter));
    SET_VECTOR_ELT(out, 7, number_or_na(error->row < 0 ? -1 : error->row + 1)); /* R counts from 1 */
    SET_VECTOR_ELT(out, 8, number_or_na(error->line));
    SET_VECTOR_ELT(out, 9, number_or_na(error->place));
    Rf_setAttrib(out, R_ClassSymbol, Rf_mkString("scrim_failure"));
    UNPROTECT(1);
    return out;
}
