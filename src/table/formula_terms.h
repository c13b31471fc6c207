/* Inside formulas: variables and terms, as the parser leaves them to the design. Only formula*.c include it. */
#ifndef SCRIM_TABLE_FORMULA_TERMS_H
#define SCRIM_TABLE_FORMULA_TERMS_H
#include "table/expr.h"
#include "table/formula.h"

typedef struct Variable {
    const char *label;
    const Expr *expr;
    bool factor; /* factor(…) was written around it */
} Variable;

/* The product of some variables, by ascending number; the empty product is the intercept. */
typedef struct Term {
    int64_t count;
    int32_t *at;
} Term;

struct Formula {
    const char *source;
    bool has_response, intercept;
    Variable response;
    int64_t variables, terms;
    Variable *variable;
    Term *term; /* without the intercept, by degree */
    int64_t columns;
    const char **column; /* names of the columns read */
};
#endif
