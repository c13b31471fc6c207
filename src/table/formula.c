/* Formulas read: a sum of products of variables, worked out as an algebra of terms. */
#include <stdlib.h>
#include <string.h>
#include "table/formula_terms.h"
#include "table/lexer.h"

enum { MOST_TERMS = 20000, DEEPEST = 200 };

typedef struct TermList {
    int64_t count, room;
    Term *at;
} TermList;
typedef struct Parser {
    Lexer lexer;
    Token token;
    Formula *formula;
    int64_t variable_room, column_room;
    int deep;
} Parser;

static Work *work_of(Parser *p) { return p->lexer.work; }
static Status advance(Parser *p, bool value) { return lexer_next(&p->lexer, value, &p->token); }

static bool same_term(const Term *a, const Term *b) {
    return a->count == b->count && (!a->count || !memcmp(a->at, b->at, (size_t)a->count * sizeof *a->at));
}

static Status list_add(Parser *p, TermList *list, Term term) {
    Status status = OK;
    for (int64_t i = 0; i < list->count; i++)
        if (same_term(&list->at[i], &term)) return OK;
    if (list->count == MOST_TERMS) return lexer_fail(&p->lexer, p->token.start, "the formula has more than %d terms", MOST_TERMS);
    GROW(work_of(p), list->at, list->room, list->count + 1);
    list->at[list->count++] = term;
done:
    return status;
}

static void list_remove(TermList *list, const Term *term) {
    for (int64_t i = 0; i < list->count; i++)
        if (same_term(&list->at[i], term)) {
            memmove(&list->at[i], &list->at[i + 1], (size_t)(list->count - i - 1) * sizeof *list->at);
            list->count--;
            return;
        }
}

/* The union of two sorted sets of variables. */
static Status multiply(Parser *p, const Term *a, const Term *b, Term *out) {
    Status status = OK;
    int64_t i = 0, j = 0, n = 0;
    int32_t *at = NULL;
    NEW(work_of(p), at, a->count + b->count);
    while (i < a->count || j < b->count) {
        int32_t x = i < a->count ? a->at[i] : INT32_MAX, y = j < b->count ? b->at[j] : INT32_MAX;
        at[n++] = x < y ? x : y;
        i += x <= y;
        j += y <= x;
    }
    *out = (Term){ n, at };
done:
    return status;
}

static Status list_join(Parser *p, TermList *to, const TermList *from) {
    Status status = OK;
    for (int64_t i = 0; i < from->count; i++) TRY(list_add(p, to, from->at[i]));
done:
    return status;
}

/* a:b, for every pair of a term of the one and a term of the other. */
static Status list_cross(Parser *p, const TermList *a, const TermList *b, TermList *out) {
    Status status = OK;
    for (int64_t i = 0; i < a->count; i++)
        for (int64_t j = 0; j < b->count; j++) {
            Term product;
            TRY(multiply(p, &a->at[i], &b->at[j], &product));
            TRY(list_add(p, out, product));
        }
done:
    return status;
}

static Status read_column_names(Parser *p, const Expr *expr) {
    Status status = OK;
    Formula *f = p->formula;
    for (int64_t i = 0; i < expr_columns(expr); i++) {
        const char *name = expr_column_at(expr, i);
        int64_t known = 0;
        while (known < f->columns && strcmp(f->column[known], name)) known++;
        if (known < f->columns) continue;
        GROW(work_of(p), f->column, p->column_room, f->columns + 1);
        f->column[f->columns++] = name;
    }
done:
    return status;
}

/* Bytes [start, end) of the source as a variable: a column, a function of columns, factor(x) or I(x). The source is cut behind it, so that
 * the expression ends there and places in errors stay true. */
static Status read_variable(Parser *p, int64_t start, int64_t end, Variable *out) {
    Status status = OK;
    char *cut = NULL, *label = NULL;
    const char *s = p->lexer.source;
    int64_t at = start, length = 0;
    NEW(work_of(p), cut, end + 1);
    NEW(work_of(p), label, end - start + 1);
    memcpy(cut, s, (size_t)end);
    for (int64_t i = start; i < end; i++)
        if (s[i] != ' ' && s[i] != '\t' && s[i] != '\n') label[length++] = s[i];
    *out = (Variable){ .label = label };
    bool factor = !strncmp(label, "factor(", 7) && table_find(p->lexer.table, label) < 0, arithmetic = !strncmp(label, "I(", 2);
    if (factor || arithmetic) {
        out->factor = factor;
        at = strchr(cut + start, '(') - cut + 1;
        cut[end - 1] = 0;
    }
    TRY(expr_parse_part(work_of(p), p->lexer.table, cut, "formula", &at, &out->expr));
    if (cut[at]) return lexer_fail(&p->lexer, at, "this does not belong here");
    if (expr_column(out->expr) && !factor && !arithmetic) out->label = expr_column(out->expr);
    if (expr_is_text(out->expr) && !expr_column(out->expr))
        return lexer_fail(&p->lexer, start, "text made by a function cannot stand in a formula");
    TRY(read_column_names(p, out->expr));
done:
    return status;
}

static Status variable_number(Parser *p, const Variable *variable, int32_t *out) {
    Status status = OK;
    Formula *f = p->formula;
    int64_t i = 0;
    while (i < f->variables && strcmp(f->variable[i].label, variable->label)) i++;
    if (i == f->variables) {
        GROW(work_of(p), f->variable, p->variable_room, i + 1);
        f->variable[f->variables++] = *variable;
    }
    *out = (int32_t)i;
done:
    return status;
}

static Status add_variable(Parser *p, int64_t start, int64_t end, TermList *out) {
    Status status = OK;
    Variable variable;
    Term term = { .count = 1 };
    TRY(read_variable(p, start, end, &variable));
    NEW(work_of(p), term.at, 1);
    TRY(variable_number(p, &variable, term.at));
    TRY(list_add(p, out, term));
done:
    return status;
}

static bool in_response(const Formula *f, const char *name) {
    for (int64_t i = 0; f->has_response && i < expr_columns(f->response.expr); i++)
        if (!strcmp(expr_column_at(f->response.expr, i), name)) return true;
    return false;
}

/* "." : every column that the left side does not read. */
static Status add_all(Parser *p, TermList *out) {
    Status status = OK;
    const Table *table = p->lexer.table;
    for (int64_t i = 0; i < table->columns; i++) {
        const char *name = table->column[i]->name;
        if (in_response(p->formula, name)) continue;
        Variable variable = { 0 };
        Term term = { .count = 1 };
        TRY(expr_of_column(work_of(p), table, i, &variable.expr));
        variable.label = expr_column(variable.expr);
        NEW(work_of(p), term.at, 1);
        TRY(read_column_names(p, variable.expr));
        TRY(variable_number(p, &variable, term.at));
        TRY(list_add(p, out, term));
    }
done:
    return status;
}

/* The byte behind the bracket that closes the one at `open`; -1 where none does. Quotes hide brackets. */
static int64_t closing(const char *s, int64_t open) {
    int depth = 0;
    for (int64_t i = open; s[i]; i++) {
        if (strchr("\"'`", s[i])) {
            const char *end = strchr(s + i + 1, s[i]);
            if (!end) return -1;
            i = end - s;
        } else if (s[i] == '(') depth++;
        else if (s[i] == ')' && !--depth) return i + 1;
    }
    return -1;
}

static Status parse_sum(Parser *p, TermList *out);

static Status parse_name(Parser *p, TermList *out) {
    Status status = OK;
    Token name = p->token;
    int64_t open = p->lexer.at, end = name.end;
    while (p->lexer.source[open] == ' ') open++;
    bool call = p->lexer.source[open] == '(' && !name.quoted && !(name.column >= 0 && strchr(name.text, '('));
    if (!call && name.column < 0 && !strcmp(name.text, ".")) TRY(add_all(p, out));
    else {
        if (call && (end = closing(p->lexer.source, open)) < 0) return lexer_fail(&p->lexer, open, "this bracket is not closed");
        if (!call && name.column < 0) return lexer_no_column(&p->lexer, &name);
        TRY(add_variable(p, name.start, end, out));
    }
    p->lexer.at = end;
    TRY(advance(p, false));
done:
    return status;
}

/* 1 is the empty product; 0 is handled by the sum it stands in. */
static Status parse_atom(Parser *p, TermList *out) {
    Status status = OK;
    Token t = p->token;
    if (++p->deep > DEEPEST) return lexer_fail(&p->lexer, t.start, "the formula is nested too deeply");
    if (t.kind == TOKEN_NAME) TRY(parse_name(p, out));
    else if (token_is(&t, "(")) {
        TRY(advance(p, true));
        TRY(parse_sum(p, out));
        if (!token_is(&p->token, ")")) return lexer_fail(&p->lexer, t.start, "this bracket is not closed");
        TRY(advance(p, false));
    } else if (t.kind == TOKEN_NUMBER && t.number == 1) {
        TRY(list_add(p, out, (Term){ 0 }));
        TRY(advance(p, false));
    } else if (t.kind == TOKEN_END) return lexer_fail(&p->lexer, t.start, "it ends where a term should stand");
    else {
        lexer_fail(&p->lexer, t.start, "'%s' stands where a term should", t.text);
        return error_advice(work_of(p)->error, "Arithmetic goes in I(…), as in y ~ I(x^2).");
    }
    p->deep--;
done:
    return status;
}

static Status parse_power(Parser *p, TermList *out) {
    Status status = OK;
    TermList base = { 0 };
    TRY(parse_atom(p, out));
    if (!token_is(&p->token, "^")) return OK;
    TRY(advance(p, true));
    if (p->token.kind != TOKEN_NUMBER || p->token.number < 1 || p->token.number > 10 || p->token.number != (int)p->token.number) {
        lexer_fail(&p->lexer, p->token.start, "a power of terms is a whole number from 1 to 10");
        return error_advice(work_of(p)->error, "A power of values goes in I(…), as in y ~ I(x^2).");
    }
    TRY(list_join(p, &base, out));
    for (int i = 1; i < (int)p->token.number; i++) {
        TermList next = { 0 };
        TRY(list_join(p, &next, out));
        TRY(list_cross(p, out, &base, &next));
        *out = next;
    }
    TRY(advance(p, false));
done:
    return status;
}

static Status parse_interaction(Parser *p, TermList *out) {
    Status status = OK;
    TRY(parse_power(p, out));
    while (token_is(&p->token, ":")) {
        TermList right = { 0 }, product = { 0 };
        TRY(advance(p, true));
        TRY(parse_power(p, &right));
        TRY(list_cross(p, out, &right, &product));
        *out = product;
    }
done:
    return status;
}

static Status parse_product(Parser *p, TermList *out) {
    Status status = OK;
    TRY(parse_interaction(p, out));
    while (token_is(&p->token, "*")) {
        TermList right = { 0 }, product = { 0 };
        TRY(advance(p, true));
        TRY(parse_interaction(p, &right));
        TRY(list_cross(p, out, &right, &product));
        TRY(list_join(p, out, &right));
        TRY(list_join(p, out, &product));
    }
done:
    return status;
}

static Status parse_sum(Parser *p, TermList *out) {
    Status status = OK;
    const Term intercept = { 0 };
    bool first = true;
    for (;;) {
        bool minus = token_is(&p->token, "-"), sign = minus || token_is(&p->token, "+");
        if (!first && !sign) return OK;
        if (sign) TRY(advance(p, true));
        TermList terms = { 0 };
        if (p->token.kind == TOKEN_NUMBER && p->token.number == 0) {
            TRY(advance(p, false));
            if (minus) TRY(list_add(p, out, intercept));
            else list_remove(out, &intercept);
        } else {
            TRY(parse_product(p, &terms));
            if (minus)
                for (int64_t i = 0; i < terms.count; i++) list_remove(out, &terms.at[i]);
            else TRY(list_join(p, out, &terms));
        }
        first = false;
    }
done:
    return status;
}

/* The byte of the ~ that stands outside quotes and brackets, or -1. */
static int64_t find_tilde(const char *s) {
    for (int64_t i = 0; s[i]; i++) {
        if (s[i] == '~') return i;
        if (strchr("\"'`", s[i])) {
            const char *end = strchr(s + i + 1, s[i]);
            if (!end) return -1;
            i = end - s;
        }
    }
    return -1;
}

static Status parse_left(Parser *p, int64_t tilde) {
    int64_t start = 0, end = tilde;
    const char *s = p->lexer.source;
    while (start < tilde && strchr(" \t\n", s[start])) start++;
    while (end > start && strchr(" \t\n", s[end - 1])) end--;
    if (start == end) return OK;
    p->formula->has_response = true;
    return read_variable(p, start, end, &p->formula->response);
}

/* Terms by degree, as they came within one degree; the intercept apart. */
static Status order_terms(Parser *p, const TermList *list) {
    Status status = OK;
    Formula *f = p->formula;
    int64_t most = 0;
    NEW(work_of(p), f->term, list->count);
    for (int64_t i = 0; i < list->count; i++) most = list->at[i].count > most ? list->at[i].count : most;
    for (int64_t degree = 0; degree <= most; degree++)
        for (int64_t i = 0; i < list->count; i++) {
            if (list->at[i].count != degree) continue;
            if (degree) f->term[f->terms++] = list->at[i];
            else f->intercept = true;
        }
done:
    return status;
}

Status formula_parse(Work *work, const Table *table, const char *source, const Formula **out) {
    Status status = OK;
    Parser p = { .lexer = { work, table, source, "formula", 0 } };
    TermList terms = { 0 };
    int64_t tilde = find_tilde(source);
    NEW(work, p.formula, 1);
    if (!(p.formula->source = arena_text(work->arena, source))) return out_of_memory(work->error);
    p.lexer.source = p.formula->source;
    if (tilde < 0) {
        lexer_fail(&p.lexer, 0, "it has no ~");
        return error_advice(work->error, "Write it as y ~ a + b.");
    }
    TRY(parse_left(&p, tilde));
    p.lexer.at = tilde + 1;
    TRY(list_add(&p, &terms, (Term){ 0 }));
    TRY(advance(&p, true));
    TRY(parse_sum(&p, &terms));
    if (p.token.kind != TOKEN_END) return lexer_fail(&p.lexer, p.token.start, "'%s' does not belong here", p.token.text);
    TRY(order_terms(&p, &terms));
    *out = p.formula;
done:
    return status;
}

int64_t formula_columns(const Formula *formula) { return formula->columns; }
const char *formula_column_at(const Formula *formula, int64_t index) { return formula->column[index]; }

static bool reads(const Variable *variable, const char *column) {
    for (int64_t i = 0; i < expr_columns(variable->expr); i++)
        if (!strcmp(expr_column_at(variable->expr, i), column)) return true;
    return false;
}

static bool is_plain(const Variable *variable, const char *column) {
    return !variable->factor && expr_column(variable->expr) && !strcmp(expr_column(variable->expr), column);
}

bool formula_plain(const Formula *f, const char *column) {
    if (f->has_response && reads(&f->response, column) && !is_plain(&f->response, column)) return false;
    for (int64_t v = 0; v < f->variables; v++) {
        if (!reads(&f->variable[v], column)) continue;
        if (!is_plain(&f->variable[v], column)) return false;
        for (int64_t t = 0; t < f->terms; t++)
            for (int64_t i = 0; i < f->term[t].count; i++)
                if (f->term[t].at[i] == v && f->term[t].count > 1) return false;
    }
    return true;
}

bool formula_bare(const Formula *f, const char *column) {
    bool read = false;
    for (int64_t v = 0; v < f->variables; v++) {
        if (!reads(&f->variable[v], column)) continue;
        if (!same_text(expr_column(f->variable[v].expr), column)) return false;
        read = true;
    }
    return read && !(f->has_response && reads(&f->response, column));
}

int64_t formula_terms(const Formula *f) { return f->terms; }
int64_t formula_term_size(const Formula *f, int64_t term) { return f->term[term].count; }
const char *formula_term_column(const Formula *f, int64_t term, int64_t index) {
    return expr_column(f->variable[f->term[term].at[index]].expr);
}
