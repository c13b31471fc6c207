/* Expressions evaluated: blocks of records at a time, each operator one loop over a block. */
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "base/number_text.h"
#include "base/text.h"
#include "table/expr_node.h"

enum { BLOCK = 1024, SPAN = 1 << 16 }; /* records per loop; per parallel block */

/* What an operator gives for each word of a dictionary (and, last, for missing): the words are few, the records many. */
typedef struct Lookup {
    const uint8_t *logical;
    const double *real;
    const Column *column;
} Lookup;

/* An expression tied to one table's columns. */
typedef struct Bound {
    const Expr *expr;
    const Column **column; /* by slot */
    Lookup *lookup;        /* by node; empty where the operator is computed */
} Bound;

/* One thread's buffers: `need` of them, and text that lower() made. */
typedef struct Frame {
    const Bound *bound;
    int64_t first;
    int count;
    char *buffer;
    char **owned;
    int64_t owned_count, owned_room;
    bool failed;
} Frame;

static void *buffer_at(const Frame *f, int level) { return f->buffer + (size_t)level * BLOCK * 8; }

static const double *load_reals(const Frame *f, const Column *column, double *out) {
    int64_t first = f->first;
    int n = f->count;
    if (column->type == TEXT_TYPE || column->type == CATEGORY_TYPE) { /* bound only where every cell is missing */
        for (int i = 0; i < n; i++) out[i] = NAN;
        return out;
    }
    if (column->type == REAL_TYPE && !column->valid) return column->real + first;
    if (column->type == REAL_TYPE) memcpy(out, column->real + first, (size_t)n * sizeof *out);
    else if (column->type == INTEGER_TYPE) {
        int64_t room[BLOCK];
        const int64_t *value = column_integers(column, first, n, room);
        for (int i = 0; i < n; i++) out[i] = (double)value[i];
    } else if (column->type == DATETIME_TYPE)
        for (int i = 0; i < n; i++) out[i] = column_number(column, first + i);
    else
        for (int i = 0; i < n; i++) out[i] = column->date[first + i];
    if (column->valid)
        for (int i = 0; i < n; i++)
            if (column_missing(column, first + i)) out[i] = NAN;
    return out;
}

static const char *const *load_texts(const Frame *f, const Column *column, const char **out) {
    for (int i = 0; i < f->count; i++) {
        int64_t row = f->first + i;
        bool missing = column_missing(column, row) || (column->type != TEXT_TYPE && column->type != CATEGORY_TYPE);
        out[i] = missing ? NULL : column->type == TEXT_TYPE ? column->bytes + column->offset[row] : column->words->word[column->code[row]];
    }
    return out;
}

static const void *load_constant(const Frame *f, const ExprNode *node, void *out) {
    if (node->op == OP_TEXT)
        for (int i = 0; i < f->count; i++) ((const char **)out)[i] = node->text;
    else if (node->type == OF_LOGICAL) memset(out, (int)node->number, (size_t)f->count);
    else
        for (int i = 0; i < f->count; i++) ((double *)out)[i] = node->number;
    return out;
}

static const void *load_lookup(const Frame *f, const Lookup *lookup, void *out) {
    const Column *column = lookup->column;
    for (int i = 0; i < f->count; i++) {
        int64_t row = f->first + i;
        int32_t code = column_missing(column, row) ? column->words->count : column->code[row];
        if (lookup->logical) ((uint8_t *)out)[i] = lookup->logical[code];
        else ((double *)out)[i] = lookup->real[code];
    }
    return out;
}

/* The verdict of a comparison from "is less" and "is equal". */
static uint8_t verdict(Op op, bool less, bool equal) {
    bool truth = op == OP_EQ   ? equal
                 : op == OP_NE ? !equal
                 : op == OP_LT ? less
                 : op == OP_LE ? less || equal
                 : op == OP_GT ? !less && !equal
                               : !less;
    return truth ? IS_TRUE : IS_FALSE;
}

#define COMPARE(test)                                                                                                                      \
    for (int i = 0; i < n; i++) out[i] = (uint8_t)(((a[i] != a[i]) | (b[i] != b[i])) ? IS_MISSING : (test) ? IS_TRUE : IS_FALSE);          \
    break
static void compare_reals(Op op, int n, const double *a, const double *b, uint8_t *out) {
    switch ((int)op) {
    case OP_EQ: COMPARE(a[i] == b[i]);
    case OP_NE: COMPARE(a[i] != b[i]);
    case OP_LT: COMPARE(a[i] < b[i]);
    case OP_LE: COMPARE(a[i] <= b[i]);
    case OP_GT: COMPARE(a[i] > b[i]);
    default: COMPARE(a[i] >= b[i]);
    }
}

static void compare_logicals(Op op, int n, const uint8_t *a, const uint8_t *b, uint8_t *out) {
    for (int i = 0; i < n; i++) out[i] = a[i] == IS_MISSING || b[i] == IS_MISSING ? IS_MISSING : verdict(op, a[i] < b[i], a[i] == b[i]);
}

/* In an ordered category a word stands where its dictionary puts it, and a word it lacks stands nowhere. */
static void compare_texts(Op op, int n, const char *const *a, const char *const *b, const Dictionary *order, uint8_t *out) {
    for (int i = 0; i < n; i++) {
        if (!a[i] || !b[i]) {
            out[i] = IS_MISSING;
            continue;
        }
        int way = strcmp(a[i], b[i]);
        if (order && way) {
            int32_t x = dictionary_find(order, a[i]), y = dictionary_find(order, b[i]);
            if ((x < 0 || y < 0) && op != OP_EQ && op != OP_NE) {
                out[i] = IS_MISSING;
                continue;
            }
            way = x - y ? x - y : 1;
        }
        out[i] = verdict(op, way < 0, way == 0);
    }
}

/* Whole numbers beyond 2^53 differ where their doubles do not: identifiers are compared as they are. */
static bool compare_integers(const Frame *f, const ExprNode *node, uint8_t *out) {
    const ExprNode *l = node->left, *r = node->right;
    const Column *a = l->op == OP_COLUMN ? f->bound->column[l->slot] : NULL, *b = r->op == OP_COLUMN ? f->bound->column[r->slot] : NULL;
    int64_t constant = 0;
    if (!a || a->type != INTEGER_TYPE) return false;
    if (!b && !(r->op == OP_NUMBER && r->text && fabs(r->number) < 0x1p63 && r->number == floor(r->number))) return false;
    if (b && b->type != INTEGER_TYPE) return false;
    if (!b && !read_integer(r->text, r->text + strlen(r->text), &constant)) constant = (int64_t)r->number;
    for (int i = 0; i < f->count; i++) {
        int64_t row = f->first + i, x = column_integer(a, row), y = b ? column_integer(b, row) : constant;
        out[i] = column_missing(a, row) || (b && column_missing(b, row)) ? IS_MISSING : verdict(node->op, x < y, x == y);
    }
    return true;
}

static const void *eval(Frame *f, const ExprNode *node, int level);

static const Dictionary *order_of(const Frame *f, const ExprNode *node) {
    for (const ExprNode *side = node->left;; side = node->right) {
        const Column *column = side->op == OP_COLUMN ? f->bound->column[side->slot] : NULL;
        if (column && column->type == CATEGORY_TYPE && column->words->ordered) return column->words;
        if (side == node->right) return NULL;
    }
}

static const void *eval_comparison(Frame *f, const ExprNode *node, int level, uint8_t *out) {
    if (node->left->type == OF_NUMBER && compare_integers(f, node, out)) return out;
    int deeper = level + node->apart;
    const void *a = eval(f, node->left, deeper), *b = eval(f, node->right, deeper + 1);
    if (node->left->type == OF_TEXT) compare_texts(node->op, f->count, a, b, order_of(f, node), out);
    else if (node->left->type == OF_LOGICAL) compare_logicals(node->op, f->count, a, b, out);
    else compare_reals(node->op, f->count, a, b, out);
    return out;
}

static bool is_item(const ExprNode *node, const void *value, int i) {
    for (int64_t k = 0; k < node->items; k++) {
        const ExprNode *item = node->item[k];
        if (item->op == OP_TEXT        ? !strcmp(((const char *const *)value)[i], item->text)
            : item->type == OF_LOGICAL ? ((const uint8_t *)value)[i] == (uint8_t)item->number
                                       : ((const double *)value)[i] == item->number)
            return true;
    }
    return false;
}

static bool absent(ExprType type, const void *value, int i) {
    if (type == OF_TEXT) return !((const char *const *)value)[i];
    if (type == OF_LOGICAL) return ((const uint8_t *)value)[i] == IS_MISSING;
    return isnan(((const double *)value)[i]);
}

static const void *eval_in(Frame *f, const ExprNode *node, int level, uint8_t *out) {
    ExprType type = node->left->type;
    const void *value = eval(f, node->left, level + node->apart);
    for (int i = 0; i < f->count; i++) out[i] = absent(type, value, i) ? IS_MISSING : is_item(node, value, i) ? IS_TRUE : IS_FALSE;
    return out;
}

/* R's %%: the sign of the divisor. */
static double modulo(double a, double b) { return b == 0 ? NAN : a - floor(a / b) * b; }

static double round_to(double x, double digits) {
    if (isnan(digits)) return NAN;
    if (digits > 15) return x;
    double scale = pow(10, fabs(trunc(digits)));
    return digits >= 0 ? rint(x * scale) / scale : rint(x / scale) * scale;
}

#define LOOP(value)                                                                                                                        \
    for (int i = 0; i < n; i++) out[i] = (value);                                                                                          \
    break
static const void *eval_reals(Op op, int n, const double *a, const double *b, double *out) {
    switch ((int)op) {
    case OP_ADD: LOOP(a[i] + b[i]);
    case OP_SUB: LOOP(a[i] - b[i]);
    case OP_MUL: LOOP(a[i] * b[i]);
    case OP_DIV: LOOP(a[i] / b[i]);
    case OP_MOD: LOOP(modulo(a[i], b[i]));
    case OP_POW: LOOP(isnan(a[i]) || isnan(b[i]) ? NAN : pow(a[i], b[i]));
    case OP_MIN: LOOP(isnan(a[i]) || isnan(b[i]) ? NAN : a[i] < b[i] ? a[i] : b[i]);
    case OP_MAX: LOOP(isnan(a[i]) || isnan(b[i]) ? NAN : a[i] > b[i] ? a[i] : b[i]);
    case OP_NEG: LOOP(-a[i]);
    case OP_ABS: LOOP(fabs(a[i]));
    case OP_LOG: LOOP(log(a[i]));
    case OP_EXP: LOOP(exp(a[i]));
    case OP_SQRT: LOOP(sqrt(a[i]));
    case OP_FLOOR: LOOP(floor(a[i]));
    default: LOOP(b ? round_to(a[i], b[i]) : rint(a[i])); /* OP_ROUND: halves to even, as R does */
    }
    return out;
}

/* ASCII and Latin-1 letters in UTF-8 (À … Þ, but ×). */
static void fold(const char *from, char *to) {
    for (; *from; from++, to++) {
        unsigned char c = (unsigned char)*from;
        *to = c >= 'A' && c <= 'Z' ? (char)(c + 32) : *from;
        if (c == 0xC3 && (unsigned char)from[1] >= 0x80 && (unsigned char)from[1] <= 0x9E && (unsigned char)from[1] != 0x97) {
            *++to = (char)((unsigned char)from[1] + 32);
            from++;
        }
    }
    *to = 0;
}

/* Text made here lives until the frame ends. */
static char *own(Frame *f, size_t bytes) {
    if (f->owned_count == f->owned_room) {
        int64_t room = f->owned_room ? f->owned_room * 2 : 16;
        char **more = realloc(f->owned, (size_t)room * sizeof *more);
        if (!more) return NULL;
        f->owned = more;
        f->owned_room = room;
    }
    char *block = malloc(bytes ? bytes : 1);
    if (block) f->owned[f->owned_count++] = block;
    return block;
}

static const void *eval_lower(Frame *f, const char *const *text, const char **out) {
    size_t bytes = 0;
    for (int i = 0; i < f->count; i++) bytes += text[i] ? strlen(text[i]) + 1 : 0;
    char *at = own(f, bytes);
    f->failed |= !at;
    for (int i = 0; i < f->count; i++) {
        if (!text[i] || !at) {
            out[i] = NULL;
            continue;
        }
        size_t length = strlen(text[i]);
        fold(text[i], at);
        out[i] = at;
        at += length + 1;
    }
    return out;
}

static const void *eval_text(Frame *f, const ExprNode *node, int level, void *out) {
    const char *const *a = eval(f, node->left, level + node->apart), *const *b =
                                                                         node->right ? eval(f, node->right, level + node->apart + 1) : NULL;
    if (node->op == OP_LOWER) return eval_lower(f, a, out);
    for (int i = 0; i < f->count; i++) {
        if (node->op == OP_NCHAR) {
            ((double *)out)[i] = a[i] ? (double)utf8_count(a[i]) : NAN;
            continue;
        }
        bool found = a[i] && b[i] && (node->op == OP_STARTS ? !strncmp(a[i], b[i], strlen(b[i])) : strstr(a[i], b[i]) != NULL);
        ((uint8_t *)out)[i] = !a[i] || !b[i] ? IS_MISSING : found ? IS_TRUE : IS_FALSE;
    }
    return out;
}

static const void *eval_logic(Frame *f, const ExprNode *node, int level, void *out) {
    uint8_t *truth = out;
    const uint8_t *a = eval(f, node->left, level + node->apart), *b = node->right ? eval(f, node->right, level + 1) : NULL;
    int n = f->count;
    if (node->op == OP_AND)
        for (int i = 0; i < n; i++) truth[i] = a[i] < b[i] ? a[i] : b[i];
    else if (node->op == OP_OR)
        for (int i = 0; i < n; i++) truth[i] = a[i] > b[i] ? a[i] : b[i];
    else if (node->op == OP_NOT)
        for (int i = 0; i < n; i++) truth[i] = (uint8_t)(IS_TRUE - a[i]);
    else
        for (int i = 0; i < n; i++) ((double *)out)[i] = a[i] == IS_MISSING ? NAN : a[i] / 2;
    return out;
}

/* The node's values on the frame's records: doubles, truths (uint8_t) or texts, in a buffer or in the column itself. */
static const void *eval(Frame *f, const ExprNode *node, int level) {
    void *out = buffer_at(f, level);
    const Lookup *lookup = &f->bound->lookup[node->id];
    if (lookup->column) return load_lookup(f, lookup, out);
    switch (node->op) {
    case OP_NUMBER:
    case OP_TEXT: return load_constant(f, node, out);
    case OP_COLUMN: {
        const Column *column = f->bound->column[node->slot];
        return node->type == OF_TEXT ? (const void *)load_texts(f, column, out) : load_reals(f, column, out);
    }
    case OP_EQ:
    case OP_NE:
    case OP_LT:
    case OP_LE:
    case OP_GT:
    case OP_GE: return eval_comparison(f, node, level, out);
    case OP_IN: return eval_in(f, node, level, out);
    case OP_AND:
    case OP_OR:
    case OP_NOT:
    case OP_AS_NUMBER: return eval_logic(f, node, level, out);
    case OP_NCHAR:
    case OP_LOWER:
    case OP_STARTS:
    case OP_CONTAINS: return eval_text(f, node, level, out);
    case OP_MISSING: {
        const void *value = eval(f, node->left, level + node->apart);
        uint8_t *truth = node->apart ? out : buffer_at(f, level);
        for (int i = 0; i < f->count; i++) truth[i] = absent(node->left->type, value, i) ? IS_TRUE : IS_FALSE;
        return truth;
    }
    default: {
        const double *a = eval(f, node->left, level), *b = node->right ? eval(f, node->right, level + 1) : NULL;
        return eval_reals(node->op, f->count, a, b, out);
    }
    }
}

/* Evaluates on rows [first, last) into `out`: doubles, or truths. */
static Status eval_rows(const Bound *bound, const ExprNode *node, int64_t first, int64_t last, void *out, Error *error) {
    Frame f = { .bound = bound };
    f.buffer = malloc((size_t)(node->need + 2) * BLOCK * 8);
    if (!f.buffer) return out_of_memory(error);
    size_t size = node->type == OF_LOGICAL ? 1 : 8;
    for (f.first = first; f.first < last && !f.failed; f.first += BLOCK) {
        f.count = (int)(last - f.first < BLOCK ? last - f.first : BLOCK);
        memcpy((char *)out + (size_t)f.first * size, eval(&f, node, 0), (size_t)f.count * size);
        while (f.owned_count) free(f.owned[--f.owned_count]);
    }
    free(f.owned);
    free(f.buffer);
    return f.failed ? out_of_memory(error) : OK;
}

/* The words of a dictionary as a column, with a missing cell at its end. */
static Status dictionary_column(const Column *column, Column **out, Error *error) {
    Status status = OK;
    int32_t words = column->words->count;
    Column *all = NULL;
    TRY(column_new(CATEGORY_TYPE, column->name, (int64_t)words + 1, &all, error));
    all->words = dictionary_retain(column->words);
    for (int32_t i = 0; i < words; i++) all->code[i] = i;
    TRY(column_need_valid(all, error));
    column_set_missing(all, words);
    column_seal(all);
    *out = all;
done:
    if (status) column_release(all);
    return status;
}

static Status make_lookup(Work *work, Bound *bound, const ExprNode *node) {
    Status status = OK;
    Column *words = NULL;
    const Column *real = bound->column[node->only];
    void *values = NULL;
    TRY(dictionary_column(real, &words, work->error));
    TRY(arena_array(work->arena, words->rows, node->type == OF_LOGICAL ? 1 : 8, &values, work->error));
    bound->column[node->only] = words;
    status = eval_rows(bound, node, 0, words->rows, values, work->error);
    bound->column[node->only] = real;
    bound->lookup[node->id] = (Lookup){ node->type == OF_LOGICAL ? values : NULL, node->type == OF_LOGICAL ? NULL : values, real };
done:
    column_release(words);
    return status;
}

/* Every topmost operator over one categorical column (and constants) is computed once per word. */
static Status make_lookups(Work *work, Bound *bound, const ExprNode *node) {
    Status status = OK;
    if (!node || node->only == NO_COLUMN || node->op == OP_COLUMN) return OK;
    if (node->only >= 0 && node->type != OF_TEXT) {
        const Column *column = bound->column[node->only];
        bool few = column->type == CATEGORY_TYPE && bound->expr->slot[node->only].type == OF_TEXT && column->words->count < column->rows;
        return few ? make_lookup(work, bound, node) : OK;
    }
    TRY(make_lookups(work, bound, node->left));
    TRY(make_lookups(work, bound, node->right));
done:
    return status;
}

static Status bind(Work *work, const Expr *expr, const Table *table, Bound *out) {
    Status status = OK;
    out->expr = expr;
    NEW(work, out->column, expr->slots);
    NEW(work, out->lookup, expr->nodes);
    for (int32_t i = 0; i < expr->slots; i++) {
        const Column *column;
        TRY(table_need(table, expr->slot[i].name, &column, work->error));
        out->column[i] = column;
        if (column_expr_type(column) == expr->slot[i].type || column->missing == column->rows) continue;
        fail(work->error, BAD, "in \"%.200s\" column '%s' is of another type than here (%s)", expr->source, column->name,
             type_name(column->type));
        return error_file(work->error, table->name);
    }
    TRY(make_lookups(work, out, expr->root));
done:
    return status;
}

typedef struct Job {
    const Bound *bound;
    void *out;
} Job;
static Status span(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    Job *job = self;
    (void)block;
    return eval_rows(job->bound, job->bound->expr->root, first, last, job->out, error);
}

static Status evaluate(Work *work, const Expr *expr, const Table *table, void *out) {
    Status status = OK;
    Bound bound = { 0 };
    TRY(bind(work, expr, table, &bound));
    TRY(parallel_for(work, table->rows, SPAN, span, &(Job){ &bound, out }));
done:
    return status;
}

const char *expr_source(const Expr *expr) { return expr->source; }

static void put_text(Buffer *out, const char *text) {
    buffer_print(out, "%zu:%s", strlen(text), text);
} /* its length first: no two texts run together alike */

static void node_identity(const Expr *expr, const ExprNode *node, Buffer *out) {
    if (!node) {
        buffer_char(out, '-');
        return;
    }
    char number[33];
    buffer_print(out, "(%d %d ", (int)node->op, (int)node->type);
    if (node->op == OP_COLUMN) put_text(out, expr->slot[node->slot].name);
    else if (node->op == OP_NUMBER) put_text(out, real_text(node->number, number));
    else if (node->op == OP_TEXT) put_text(out, node->text);
    else {
        node_identity(expr, node->left, out);
        node_identity(expr, node->right, out);
    }
    for (int64_t i = 0; i < node->items; i++) node_identity(expr, node->item[i], out);
    buffer_char(out, ')');
}

void expr_identity(const Expr *expr, Buffer *out) { node_identity(expr, expr->root, out); }
bool expr_logical(const Expr *expr) { return expr->root->type == OF_LOGICAL; }
bool expr_is_text(const Expr *expr) { return expr->root->type == OF_TEXT; }
const char *expr_column(const Expr *expr) { return expr->root->op == OP_COLUMN ? expr->slot[expr->root->slot].name : NULL; }
int64_t expr_columns(const Expr *expr) { return expr->slots; }
const char *expr_column_at(const Expr *expr, int64_t index) { return expr->slot[index].name; }

Status expr_mask(Work *work, const Expr *expr, const Table *table, uint8_t **mask, int64_t *count) {
    Status status = OK;
    uint8_t *truth = NULL;
    int64_t trues = 0;
    if (!expr_logical(expr)) {
        fail(work->error, BAD, "expression \"%.200s\" is neither true nor false", expr->source);
        return error_advice(work->error, "Compare it with a value, such as x == 1.");
    }
    NEW(work, truth, table->rows);
    TRY(evaluate(work, expr, table, truth));
    for (int64_t i = 0; i < table->rows; i++) trues += truth[i] = truth[i] == IS_TRUE;
    *mask = truth;
    if (count) *count = trues;
done:
    return status;
}

Status expr_reals(Work *work, const Expr *expr, const Table *table, double **out) {
    Status status = OK;
    double *values = NULL;
    uint8_t *truth = NULL;
    if (expr_is_text(expr)) return fail(work->error, BAD, "expression \"%.200s\" is text, and a number is needed", expr->source);
    NEW(work, values, table->rows);
    if (expr_logical(expr)) {
        NEW(work, truth, table->rows);
        TRY(evaluate(work, expr, table, truth));
        for (int64_t i = 0; i < table->rows; i++) values[i] = truth[i] == IS_MISSING ? NAN : truth[i] / 2;
    } else TRY(evaluate(work, expr, table, values));
    *out = values;
done:
    arena_drop(work->arena, truth);
    return status;
}
