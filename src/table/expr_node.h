/* Inside expressions: the tree that the parser makes and the evaluator walks. Only expr*.c include it. */
#ifndef SCRIM_TABLE_EXPR_NODE_H
#define SCRIM_TABLE_EXPR_NODE_H
#include "table/expr.h"

typedef enum { OF_NUMBER, OF_DATE, OF_LOGICAL, OF_TEXT } ExprType;
typedef enum {
    OP_COLUMN,
    OP_NUMBER,
    OP_TEXT,
    OP_OR,
    OP_AND,
    OP_NOT,
    OP_EQ,
    OP_NE,
    OP_LT,
    OP_LE,
    OP_GT,
    OP_GE,
    OP_IN,
    OP_ADD,
    OP_SUB,
    OP_MUL,
    OP_DIV,
    OP_MOD,
    OP_POW,
    OP_NEG,
    OP_MISSING,
    OP_ABS,
    OP_LOG,
    OP_EXP,
    OP_SQRT,
    OP_ROUND,
    OP_FLOOR,
    OP_MIN,
    OP_MAX,
    OP_NCHAR,
    OP_LOWER,
    OP_STARTS,
    OP_CONTAINS,
    OP_AS_NUMBER /* a logical as 0 and 1 */
} Op;

enum { NO_COLUMN = -1, MANY_COLUMNS = -2 };

typedef struct ExprNode {
    Op op;
    ExprType type;
    int32_t id;          /* 0…nodes-1 */
    int32_t slot;        /* OP_COLUMN: which of the expression's columns */
    int32_t only;        /* the one slot that the whole subtree reads, NO_COLUMN or MANY_COLUMNS */
    int32_t depth, need; /* height of the tree; buffers that evaluating it takes */
    bool apart;          /* an argument is of another type: its values cannot lie where the result goes */
    int64_t start;       /* byte of the source, for errors */
    double number;       /* OP_NUMBER (logical constants: 0 and 2, as below) */
    const char *text;    /* OP_TEXT; OP_NUMBER: as it was typed */
    const struct ExprNode *left, *right;
    const struct ExprNode **item; /* OP_IN: constants, `items` of them */
    int64_t items;
} ExprNode;

typedef struct ExprSlot {
    const char *name;
    ExprType type;
} ExprSlot;

struct Expr {
    const char *source;
    const ExprNode *root;
    int32_t nodes, slots;
    ExprSlot *slot;
};

/* Logical values in the order of their truth: & is the least, | the most, ! is 2 - x. */
enum { IS_FALSE = 0, IS_MISSING = 1, IS_TRUE = 2 };
ExprType column_expr_type(const Column *column);
#endif
