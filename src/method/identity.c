/* The identity of a request: each parameter of the declaration in one fixed form. */
#include "method/identity.h"
#include <string.h>
#include "base/number_text.h"

void identity_text(Buffer *out, const char *text) {
    if (text) buffer_print(out, "%zu:%s", strlen(text), text);
    else buffer_text(out, "-");
}

static void put_number(Buffer *out, double value) {
    char text[33];
    buffer_text(out, isnan(value) ? "-" : real_text(value, text));
    buffer_char(out, ',');
}

static void put_columns(Buffer *out, const Columns *columns) {
    buffer_print(out, "%lld;", (long long)columns->count);
    for (int64_t i = 0; i < columns->count; i++) identity_text(out, columns->at[i]->name);
}

static void put_pairs(Buffer *out, const Pairs *pairs, int parts) {
    for (int64_t i = 0; i < pairs->count; i++) {
        identity_text(out, pairs->at[i].name);
        for (int k = 0; k < parts; k++) {
            put_number(out, pairs->at[i].number[k]);
            if (isnan(pairs->at[i].number[k])) identity_text(out, pairs->at[i].text[k]);
        }
    }
}

static Status put_tables(const IdentityWriter *w, const Tables *tables, Buffer *out, Error *error) {
    Status status = OK;
    for (int64_t i = 0; i < tables->count && !status; i++) {
        identity_text(out, tables->name[i]);
        status = w->table(w->self, tables->at[i], out, error);
    }
    return status;
}

static Status put_value(const Param *p, const void *at, const IdentityWriter *w, Buffer *out, Error *error) {
    switch (p->kind) {
    case KIND_INT: buffer_print(out, "%lld", (long long)*(const int64_t *)at); break;
    case KIND_REAL: put_number(out, *(const double *)at); break;
    case KIND_FLAG: buffer_char(out, *(const bool *)at ? '1' : '0'); break;
    case KIND_TEXT: identity_text(out, *(const char *const *)at); break;
    case KIND_CHOICE: buffer_text(out, p->words[*(const unsigned *)at]); break;
    case KIND_COLUMN: identity_text(out, *(const Column *const *)at ? (*(const Column *const *)at)->name : NULL); break;
    case KIND_COLUMNS: put_columns(out, at); break;
    case KIND_TABLE: return w->table(w->self, *(const Table *const *)at, out, error);
    case KIND_TABLES: return put_tables(w, at, out, error);
    case KIND_EXPR:
        if (*(const Expr *const *)at) expr_identity(*(const Expr *const *)at, out);
        break;
    case KIND_FORMULA: return fail(error, FAILED, "a formula has no form by which two requests could be compared");
    case KIND_REALS:
        for (int64_t i = 0; i < ((const Reals *)at)->count; i++) put_number(out, ((const Reals *)at)->at[i]);
        break;
    case KIND_TEXTS:
        for (int64_t i = 0; i < ((const Texts *)at)->count; i++) identity_text(out, ((const Texts *)at)->at[i]);
        break;
    case KIND_PAIRS: put_pairs(out, at, p->parts); break;
    case KIND_GROUPS:
        for (int64_t i = 0; i < ((const Groups *)at)->count; i++) put_columns(out, &((const Groups *)at)->at[i]);
        break;
    case KIND_SCHEMA: identity_text(out, *(const Schema *const *)at ? (*(const Schema *const *)at)->hash : NULL); break;
    default: break;
    }
    return OK;
}

Status method_identity(const Method *method, const void *args, const IdentityWriter *w, Buffer *out, Error *error) {
    buffer_print(out, "%s.%s 4", method->group, method->name);
    for (const Param *p = method->params; p && p->kind; p++) {
        if (p->kind >= RULE_ONE_OF || p->kind == KIND_LEDGER || (p->flags & BOOKKEEPING)) continue;
        buffer_print(out, "|%s=", p->name);
        if (w->own && w->own(w->self, p, out)) continue;
        Status status = put_value(p, (const char *)args + p->offset, w, out, error);
        if (status) return status;
    }
    return out->failed ? out_of_memory(error) : OK;
}
