/* Expressions read: recursive descent, one function per strength of binding; types are checked as the tree grows. */
#include <stdarg.h>
#include <string.h>
#include "base/elementary.h"
#include "base/number_text.h"
#include "base/text.h"
#include "table/expr_node.h"
#include "table/lexer.h"

enum { DEEPEST = 400, LONGEST = 5000 }; /* brackets within brackets; links of one chain a & b & … */

typedef struct Parser {
    Lexer lexer;
    Token token; /* the one looked at */
    Expr *expr;
    int64_t slot_room;
    int deep; /* brackets and signs now open */
} Parser;

static Work *work_of(Parser *p) { return p->lexer.work; }
static Status advance(Parser *p, bool value) { return lexer_next(&p->lexer, value, &p->token); }

ExprType column_expr_type(const Column *column) { return column_numeric(column) ? OF_NUMBER : column_linear(column) ? OF_DATE : OF_TEXT; }
static const char *type_words(ExprType type) {
    return type == OF_NUMBER ? "a number" : type == OF_DATE ? "a date" : type == OF_LOGICAL ? "true or false" : "text";
}

static int32_t join(int32_t a, int32_t b) { return a == NO_COLUMN ? b : b == NO_COLUMN || a == b ? a : MANY_COLUMNS; }
static int32_t larger(int32_t a, int32_t b) { return a > b ? a : b; }

static Status node_new(Parser *p, ExprNode node, ExprNode **out) {
    Status status = OK;
    const ExprNode *l = node.left, *r = node.right;
    ExprNode *made = NULL;
    node.id = p->expr->nodes++;
    if (l || r) {
        node.only = join(l ? l->only : NO_COLUMN, r ? r->only : NO_COLUMN);
        node.depth = 1 + larger(l ? l->depth : 0, r ? r->depth : 0);
        node.apart = (l && l->type != node.type) || (r && r->type != node.type);
        node.need = node.apart + larger(l ? l->need : 0, r ? 1 + r->need : 0);
    } else {
        node.only = node.op == OP_COLUMN ? node.slot : NO_COLUMN;
        node.need = 1;
    }
    if (node.depth > LONGEST) return lexer_fail(&p->lexer, node.start, "the expression is nested too deeply");
    NEW(work_of(p), made, 1);
    *made = node;
    *out = made;
done:
    return status;
}

static Status wrong_type(Parser *p, const ExprNode *node, const char *operator, ExprType wanted) {
    lexer_fail(&p->lexer, node->start, "%s needs %s, and this is %s", operator, type_words(wanted), type_words(node->type));
    if (wanted == OF_LOGICAL) error_advice(work_of(p)->error, "Compare it with a value, such as x == 1.");
    return BAD;
}

/* Logical becomes 0 and 1 where a number is wanted; nothing else is turned into something else. */
static Status as_number(Parser *p, ExprNode **node, const char *operator) {
    if ((*node)->type == OF_NUMBER) return OK;
    if ((*node)->type != OF_LOGICAL) return wrong_type(p, *node, operator, OF_NUMBER);
    return node_new(p, (ExprNode){ .op = OP_AS_NUMBER, .type = OF_NUMBER, .start = (*node)->start, .left = *node }, node);
}

static Status column_node(Parser *p, int64_t place, ExprNode **out) {
    Status status = OK;
    Expr *expr = p->expr;
    const Column *column = p->lexer.table->column[place];
    int32_t slot = 0;
    while (slot < expr->slots && strcmp(expr->slot[slot].name, column->name)) slot++;
    if (slot == expr->slots) {
        GROW(work_of(p), expr->slot, p->slot_room, slot + 1);
        char *name = arena_text(work_of(p)->arena, column->name);
        if (!name) return out_of_memory(work_of(p)->error);
        expr->slot[slot] = (ExprSlot){ name, column_expr_type(column) };
        expr->slots++;
    }
    return node_new(p, (ExprNode){ .op = OP_COLUMN, .type = expr->slot[slot].type, .slot = slot, .start = p->token.start }, out);
done:
    return status;
}

/* A constant that stands against `type`: text that is a date or a number becomes one, a number against text is what was typed. */
static Status constant_as(Parser *p, ExprNode **node, ExprType type) {
    ExprNode *n = *node;
    const char *end = n->text ? n->text + strlen(n->text) : NULL;
    int32_t days;
    if (n->op == OP_TEXT && type == OF_DATE) {
        if (!read_date(n->text, end, &days))
            return lexer_fail(&p->lexer, n->start, "'%s' is compared with a date and is no date (YYYY-MM-DD)", n->text);
        return node_new(p, (ExprNode){ .op = OP_NUMBER, .type = OF_DATE, .number = days, .start = n->start }, node);
    }
    if (n->op == OP_TEXT && type == OF_NUMBER) {
        double value;
        if (!read_real(n->text, end, '.', &value))
            return lexer_fail(&p->lexer, n->start, "'%s' is compared with a number and is no number", n->text);
        return node_new(p, (ExprNode){ .op = OP_NUMBER, .type = OF_NUMBER, .number = value, .text = n->text, .start = n->start }, node);
    }
    if (n->op == OP_NUMBER && n->type == OF_NUMBER && n->text && type == OF_TEXT)
        return node_new(p, (ExprNode){ .op = OP_TEXT, .type = OF_TEXT, .text = n->text, .start = n->start }, node);
    return OK;
}

/* A labelled value may be written as its label or as its code: sex == "male", sex == 1. */
static void as_label(Parser *p, const ExprNode *column, ExprNode *constant) {
    if (column->op != OP_COLUMN || constant->op != OP_TEXT) return;
    const Column *labelled = table_column(p->lexer.table, p->expr->slot[column->slot].name);
    const char *word = labelled ? column_word(labelled, constant->text) : constant->text;
    if (word == constant->text) return;
    const char *copy = arena_text(work_of(p)->arena, word); /* the expression may outlive the table */
    if (copy) constant->text = copy;
}

/* Brings both sides of a comparison to one type. */
static Status agree(Parser *p, ExprNode **a, ExprNode **b, const char *operator) {
    Status status = OK;
    bool equality = operator[0] == '=' || operator[0] == '!'; /* "9" < "31" is false: numbers and text have no common order */
    if ((*b)->op == OP_TEXT || ((*b)->op == OP_NUMBER && equality)) TRY(constant_as(p, b, (*a)->type));
    if ((*a)->op == OP_TEXT || ((*a)->op == OP_NUMBER && equality)) TRY(constant_as(p, a, (*b)->type));
    as_label(p, *a, *b);
    as_label(p, *b, *a);
    if ((*a)->type == OF_LOGICAL && (*b)->type == OF_NUMBER) TRY(as_number(p, a, operator));
    if ((*b)->type == OF_LOGICAL && (*a)->type == OF_NUMBER) TRY(as_number(p, b, operator));
    if ((*a)->type == OF_LOGICAL && (*b)->type == OF_LOGICAL) return OK;
    if ((*a)->type != (*b)->type)
        return lexer_fail(&p->lexer, (*b)->start, "%s compares %s with %s", operator, type_words((*a)->type), type_words((*b)->type));
done:
    return status;
}

static Status parse_or(Parser *p, ExprNode **out);
static Status parse_unary(Parser *p, ExprNode **out);

static Status need_mark(Parser *p, const char *mark, bool value, const char *after) {
    if (!token_is(&p->token, mark)) return lexer_fail(&p->lexer, p->token.start, "'%s' is missing after %s", mark, after);
    return advance(p, value);
}

/* Functions: name, fewest and most arguments, of what type, giving what. */
typedef struct Function {
    const char *name;
    Op op;
    int fewest, most;
    ExprType takes, gives;
} Function;
static const Function functions[] = { { "is.missing", OP_MISSING, 1, 1, OF_NUMBER, OF_LOGICAL },
                                      { "abs", OP_ABS, 1, 1, OF_NUMBER, OF_NUMBER },
                                      { "log", OP_LOG, 1, 1, OF_NUMBER, OF_NUMBER },
                                      { "exp", OP_EXP, 1, 1, OF_NUMBER, OF_NUMBER },
                                      { "sqrt", OP_SQRT, 1, 1, OF_NUMBER, OF_NUMBER },
                                      { "round", OP_ROUND, 1, 2, OF_NUMBER, OF_NUMBER },
                                      { "floor", OP_FLOOR, 1, 1, OF_NUMBER, OF_NUMBER },
                                      { "min", OP_MIN, 2, 64, OF_NUMBER, OF_NUMBER },
                                      { "max", OP_MAX, 2, 64, OF_NUMBER, OF_NUMBER },
                                      { "nchar", OP_NCHAR, 1, 1, OF_TEXT, OF_NUMBER },
                                      { "lower", OP_LOWER, 1, 1, OF_TEXT, OF_TEXT },
                                      { "starts", OP_STARTS, 2, 2, OF_TEXT, OF_LOGICAL },
                                      { "contains", OP_CONTAINS, 2, 2, OF_TEXT, OF_LOGICAL } };
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static Status no_function(Parser *p, const Token *name) {
    const char *names[FUNCTIONS + 1];
    for (int i = 0; i < FUNCTIONS; i++) names[i] = functions[i].name;
    names[FUNCTIONS] = "c";
    const char *near = !strcmp(name->text, "is.na") ? "is.missing" : nearest_name(name->text, names, FUNCTIONS + 1);
    lexer_fail(&p->lexer, name->start, "there is no function '%s'", name->text);
    if (near) return error_advice(work_of(p)->error, "Did you mean '%s'?", near);
    return error_advice(work_of(p)->error,
                        "There are is.missing, abs, log, exp, sqrt, round, floor, min, max, nchar, lower, starts, contains.");
}

static Status argument(Parser *p, const Function *f, ExprNode **node) {
    if (f->op == OP_MISSING) return OK;
    if ((f->op == OP_MIN || f->op == OP_MAX) && (*node)->type == OF_DATE) return OK;
    if (f->takes == OF_NUMBER) return as_number(p, node, f->name);
    Status status = constant_as(p, node, OF_TEXT);
    return status ? status : (*node)->type == OF_TEXT ? OK : wrong_type(p, *node, f->name, OF_TEXT);
}

/* min(a, b, c) is min(min(a, b), c): all of one type. */
static Status apply(Parser *p, const Function *f, int64_t start, ExprNode **given, int count, ExprNode **out) {
    Status status = OK;
    ExprNode *node = given[0];
    ExprType type = f->op == OP_MIN || f->op == OP_MAX ? node->type : f->gives;
    for (int i = 1; i < count; i++) {
        if (type == OF_DATE && given[i]->type != OF_DATE) TRY(constant_as(p, &given[i], OF_DATE));
        if (given[i]->type != node->type) return wrong_type(p, given[i], f->name, node->type);
        TRY(node_new(p, (ExprNode){ .op = f->op, .type = type, .start = start, .left = node, .right = given[i] }, &node));
    }
    if (count == 1) TRY(node_new(p, (ExprNode){ .op = f->op, .type = type, .start = start, .left = node }, &node));
    *out = node;
done:
    return status;
}

static Status parse_call(Parser *p, const Token *name, ExprNode **out) {
    Status status = OK;
    const Function *f = NULL;
    ExprNode *given[64];
    int count = 0;
    for (int i = 0; i < FUNCTIONS; i++)
        if (!strcmp(functions[i].name, name->text)) f = &functions[i];
    if (!f && !strcmp(name->text, "c")) {
        lexer_fail(&p->lexer, name->start, "a list can only stand after %%in%%");
        return error_advice(work_of(p)->error, "Write x %%in%% c(1, 2).");
    }
    if (!f) return no_function(p, name);
    TRY(advance(p, true));
    while (!token_is(&p->token, ")")) {
        if (count == f->most)
            return lexer_fail(&p->lexer, p->token.start, "%s takes at most %d argument%s", f->name, f->most, f->most > 1 ? "s" : "");
        TRY(parse_or(p, &given[count]));
        TRY(argument(p, f, &given[count]));
        count++;
        if (token_is(&p->token, ",")) TRY(advance(p, true));
        else if (!token_is(&p->token, ")")) return lexer_fail(&p->lexer, p->token.start, "')' or ',' is missing in %s(…)", f->name);
    }
    if (count < f->fewest)
        return lexer_fail(&p->lexer, name->start, "%s needs at least %d argument%s", f->name, f->fewest, f->fewest > 1 ? "s" : "");
    TRY(apply(p, f, name->start, given, count, out));
    TRY(advance(p, false));
done:
    return status;
}

static bool before_bracket(const Parser *p) {
    const char *s = p->lexer.source + p->lexer.at;
    while (*s == ' ') s++;
    return *s == '(';
}

static Status parse_name(Parser *p, ExprNode **out) {
    Status status = OK;
    Token name = p->token;
    bool truth = !name.quoted && (!strcmp(name.text, "TRUE") || !strcmp(name.text, "FALSE"));
    bool column_is_long = name.column >= 0 && strchr(name.text, '(');
    if (!name.quoted && !column_is_long && before_bracket(p)) {
        TRY(advance(p, false));
        return parse_call(p, &name, out);
    }
    if (name.column >= 0) TRY(column_node(p, name.column, out));
    else if (truth)
        TRY(node_new(
            p, (ExprNode){ .op = OP_NUMBER, .type = OF_LOGICAL, .number = name.text[0] == 'T' ? IS_TRUE : IS_FALSE, .start = name.start },
            out));
    else if (!strcmp(name.text, "NA")) {
        lexer_fail(&p->lexer, name.start, "nothing equals a missing value");
        return error_advice(work_of(p)->error, "Write is.missing(x).");
    } else return lexer_no_column(&p->lexer, &name);
    TRY(advance(p, false));
done:
    return status;
}

static Status parse_primary(Parser *p, ExprNode **out) {
    Status status = OK;
    Token t = p->token;
    if (t.kind == TOKEN_NAME) return parse_name(p, out);
    if (token_is(&t, "(")) {
        TRY(advance(p, true));
        TRY(parse_or(p, out));
        return need_mark(p, ")", false, "what stands in brackets");
    }
    if (t.kind == TOKEN_NUMBER)
        TRY(node_new(p, (ExprNode){ .op = OP_NUMBER, .type = OF_NUMBER, .number = t.number, .text = t.text, .start = t.start }, out));
    else if (t.kind == TOKEN_TEXT) TRY(node_new(p, (ExprNode){ .op = OP_TEXT, .type = OF_TEXT, .text = t.text, .start = t.start }, out));
    else if (t.kind == TOKEN_END) return lexer_fail(&p->lexer, t.start, "it ends where a value should stand");
    else return lexer_fail(&p->lexer, t.start, "'%s' stands where a value should", t.text);
    TRY(advance(p, false));
done:
    return status;
}

static Status parse_power(Parser *p, ExprNode **out) {
    Status status = OK;
    int64_t start = p->token.start;
    TRY(parse_primary(p, out));
    if (!token_is(&p->token, "^")) return OK;
    ExprNode *power = NULL;
    TRY(advance(p, true));
    TRY(parse_unary(p, &power));
    TRY(as_number(p, out, "^"));
    TRY(as_number(p, &power, "^"));
    TRY(node_new(p, (ExprNode){ .op = OP_POW, .type = OF_NUMBER, .start = start, .left = *out, .right = power }, out));
done:
    return status;
}

/* Every way into deeper brackets passes here (or through parse_not), so that the depth is watched in one place. */
static Status deeper(Parser *p) {
    return ++p->deep > DEEPEST ? lexer_fail(&p->lexer, p->token.start, "the expression is nested too deeply") : OK;
}

static Status parse_unary(Parser *p, ExprNode **out) {
    Status status = OK;
    int64_t start = p->token.start;
    TRY(deeper(p));
    if (token_is(&p->token, "-") || token_is(&p->token, "+")) {
        bool minus = token_is(&p->token, "-");
        TRY(advance(p, true));
        TRY(parse_unary(p, out));
        TRY(as_number(p, out, minus ? "-" : "+"));
        if (minus && (*out)->op == OP_NUMBER && (*out)->text) { /* a constant stays one: x %in% c(-1, 1) */
            char *text = arena_print(work_of(p)->arena, "-%s", (*out)->text);
            if (!text) return out_of_memory(work_of(p)->error);
            (*out)->number = -(*out)->number;
            (*out)->text = text;
            (*out)->start = start;
        } else if (minus) TRY(node_new(p, (ExprNode){ .op = OP_NEG, .type = OF_NUMBER, .start = start, .left = *out }, out));
    } else TRY(parse_power(p, out));
    p->deep--;
done:
    return status;
}

static Status parse_product(Parser *p, ExprNode **out) {
    Status status = OK;
    TRY(parse_unary(p, out));
    for (;;) {
        const char *mark = p->token.text;
        Op op = token_is(&p->token, "*") ? OP_MUL : token_is(&p->token, "/") ? OP_DIV : token_is(&p->token, "%%") ? OP_MOD : OP_COLUMN;
        if (op == OP_COLUMN) return OK;
        ExprNode *right = NULL;
        TRY(advance(p, true));
        TRY(parse_unary(p, &right));
        TRY(as_number(p, out, mark));
        TRY(as_number(p, &right, mark));
        TRY(node_new(p, (ExprNode){ .op = op, .type = OF_NUMBER, .start = (*out)->start, .left = *out, .right = right }, out));
    }
done:
    return status;
}

/* A date and a number of days give a date; two dates a number of days. */
static Status sum_node(Parser *p, Op op, ExprNode **out, ExprNode *right) {
    Status status = OK;
    ExprType type = OF_NUMBER;
    const char *mark = op == OP_ADD ? "+" : "-";
    bool left_date = (*out)->type == OF_DATE, right_date = right->type == OF_DATE;
    if (left_date && right_date) {
        if (op == OP_ADD) return lexer_fail(&p->lexer, right->start, "two dates cannot be added");
    } else if (left_date || (right_date && op == OP_ADD)) type = OF_DATE;
    if (!left_date) TRY(as_number(p, out, mark));
    if (!right_date || type == OF_NUMBER) {
        if (!left_date || !right_date) TRY(as_number(p, &right, mark));
    }
    TRY(node_new(p, (ExprNode){ .op = op, .type = type, .start = (*out)->start, .left = *out, .right = right }, out));
done:
    return status;
}

static Status parse_sum(Parser *p, ExprNode **out) {
    Status status = OK;
    TRY(parse_product(p, out));
    while (token_is(&p->token, "+") || token_is(&p->token, "-")) {
        Op op = token_is(&p->token, "+") ? OP_ADD : OP_SUB;
        ExprNode *right = NULL;
        TRY(advance(p, true));
        TRY(parse_product(p, &right));
        TRY(sum_node(p, op, out, right));
    }
done:
    return status;
}

static Op comparison(const Token *token) {
    static const struct {
        const char *mark;
        Op op;
    } all[] = { { "==", OP_EQ }, { "!=", OP_NE }, { "<", OP_LT }, { "<=", OP_LE }, { ">", OP_GT }, { ">=", OP_GE }, { "%in%", OP_IN } };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (token_is(token, all[i].mark)) return all[i].op;
    return OP_COLUMN;
}

/* What stands right of %in%: c(…) of constants, or one constant. */
static Status parse_list(Parser *p, const ExprNode *left, const ExprNode ***items, int64_t *count) {
    Status status = OK;
    int64_t room = 0;
    bool list = p->token.kind == TOKEN_NAME && !p->token.quoted && !strcmp(p->token.text, "c") && before_bracket(p);
    if (list) {
        TRY(advance(p, true));
        TRY(advance(p, true));
    }
    do {
        ExprNode *item = NULL;
        if (*count) TRY(advance(p, true));
        TRY(parse_sum(p, &item));
        if (item->op != OP_NUMBER && item->op != OP_TEXT) {
            lexer_fail(&p->lexer, item->start, "only constants can stand in the list after %%in%%");
            return error_advice(work_of(p)->error, "Write x %%in%% c(1, 2) or x %%in%% c(\"a\", \"b\").");
        }
        TRY(constant_as(p, &item, left->type));
        as_label(p, left, item);
        if (item->type != left->type)
            return lexer_fail(&p->lexer, item->start, "%%in%% compares %s with %s", type_words(left->type), type_words(item->type));
        GROW(work_of(p), *items, room, *count + 1);
        (*items)[(*count)++] = item;
    } while (list && token_is(&p->token, ","));
    if (list) TRY(need_mark(p, ")", false, "the list"));
done:
    return status;
}

static Status parse_comparison(Parser *p, ExprNode **out) {
    Status status = OK;
    TRY(parse_sum(p, out));
    const char *mark = p->token.text;
    Op op = comparison(&p->token);
    if (token_is(&p->token, "=")) {
        lexer_fail(&p->lexer, p->token.start, "'=' compares nothing");
        return error_advice(work_of(p)->error, "Write ==.");
    }
    if (op == OP_COLUMN) return OK;
    ExprNode node = { .op = op, .type = OF_LOGICAL, .start = (*out)->start }, *right = NULL;
    TRY(advance(p, true));
    if (op == OP_IN) TRY(parse_list(p, *out, &node.item, &node.items));
    else {
        TRY(parse_sum(p, &right));
        TRY(agree(p, out, &right, mark));
    }
    node.left = *out;
    node.right = right;
    TRY(node_new(p, node, out));
    if (comparison(&p->token) != OP_COLUMN) {
        lexer_fail(&p->lexer, p->token.start, "comparisons do not chain");
        return error_advice(work_of(p)->error, "Write 1 < x & x < 3.");
    }
done:
    return status;
}

static Status parse_not(Parser *p, ExprNode **out) {
    Status status = OK;
    int64_t start = p->token.start;
    if (!token_is(&p->token, "!")) return parse_comparison(p, out);
    TRY(deeper(p));
    TRY(advance(p, true));
    TRY(parse_not(p, out));
    if ((*out)->type != OF_LOGICAL) return wrong_type(p, *out, "!", OF_LOGICAL);
    TRY(node_new(p, (ExprNode){ .op = OP_NOT, .type = OF_LOGICAL, .start = start, .left = *out }, out));
    p->deep--;
done:
    return status;
}

static Status logical_chain(Parser *p, Op op, const char *mark, const char *twice, Status (*next)(Parser *, ExprNode **), ExprNode **out) {
    Status status = OK;
    TRY(next(p, out));
    while (token_is(&p->token, mark) || token_is(&p->token, twice)) {
        ExprNode *right = NULL;
        TRY(advance(p, true));
        TRY(next(p, &right));
        if ((*out)->type != OF_LOGICAL) return wrong_type(p, *out, mark, OF_LOGICAL);
        if (right->type != OF_LOGICAL) return wrong_type(p, right, mark, OF_LOGICAL);
        TRY(node_new(p, (ExprNode){ .op = op, .type = OF_LOGICAL, .start = (*out)->start, .left = *out, .right = right }, out));
    }
done:
    return status;
}

static Status parse_and(Parser *p, ExprNode **out) { return logical_chain(p, OP_AND, "&", "&&", parse_not, out); }
static Status parse_or(Parser *p, ExprNode **out) { return logical_chain(p, OP_OR, "|", "||", parse_and, out); }

Status expr_parse_part(Work *work, const Table *table, const char *source, const char *what, int64_t *at, const Expr **out) {
    Status status = OK;
    Parser p = { .lexer = { work, table, source, what, *at } };
    ExprNode *root = NULL;
    char *text = NULL;
    NEW(work, p.expr, 1);
    TRY(advance(&p, true));
    int64_t start = p.token.start;
    TRY(parse_or(&p, &root));
    int64_t end = p.token.start; /* the token that does not belong to it was looked at */
    *at = end;
    while (end > start && strchr(" \t\r\n", source[end - 1])) end--;
    NEW(work, text, end - start + 1);
    memcpy(text, source + start, (size_t)(end - start));
    p.expr->source = text;
    p.expr->root = root;
    *out = p.expr;
done:
    return status;
}

Status expr_parse(Work *work, const Table *table, const char *source, const Expr **out) {
    int64_t at = 0;
    Status status = expr_parse_part(work, table, source, "expression", &at, out);
    if (status || !source[at]) return status;
    Lexer lexer = { work, table, source, "expression", at };
    Token rest;
    status = lexer_next(&lexer, false, &rest);
    if (status) return status;
    lexer_fail(&lexer, at, "'%s' does not belong here", rest.text);
    if (!strcasecmp(rest.text, "and") || !strcasecmp(rest.text, "or"))
        error_advice(work->error, "Write %s.", strlen(rest.text) == 2 ? "|" : "&");
    return BAD;
}

Status expr_of_column(Work *work, const Table *table, int64_t place, const Expr **out) {
    Status status = OK;
    Parser p = { .lexer = { work, table, table->column[place]->name, "expression", 0 } };
    ExprNode *root = NULL;
    NEW(work, p.expr, 1);
    TRY(column_node(&p, place, &root));
    p.expr->root = root;
    p.expr->source = p.expr->slot[0].name;
    *out = p.expr;
done:
    return status;
}
