/* A measure as people write it: regression(wageinc ~ age + sex), linkage, -linkage(vars = a, b).confidentiality */
#ifndef SCRIM_VERB_MEASURE_EXPRESSION_H
#define SCRIM_VERB_MEASURE_EXPRESSION_H
#include "method/method.h"

typedef struct MeasureExpression {
    const char *text; /* as written */
    const Method *method;
    Args args;         /* from the parentheses */
    const char *value; /* which of its values; NULL: the method's headline, or where it has none its first number */
    bool less;         /* the less of it the better */
    bool own;          /* what the method that made the release says of it itself: not run, read */
    bool force;        /* on perturbed tables too */
} MeasureExpression;

/* [-]NAME[(ARGUMENTS)][.VALUE]. NAME is a method's, looked for in these groups in turn (NULL ends them), or GROUP.NAME. Arguments are apart
 * at commas; `name = …` names one; a bare one goes to the list before it, else to the first parameter that the method needs (a formula, an
 * expression, columns). `less` is how a value is judged that is not a headline; '-' in front turns the judgement round. */
MUST_CHECK Status measure_expression_parse(Work *work, const char *text, const char *const *groups, bool less, MeasureExpression *out);
/* Runs it with the tables filled in by name (original; released and data are the release) and reads its value; NaN where that is null. The
 * roles fill what is left. Once run, call->value is settled. */
MUST_CHECK Status measure_expression_run(const Session *session, MeasureExpression *call, const Table *original, const Table *released,
                                         const Args *roles, double *out, Error *error);
double value_number(const Value *value); /* NaN where it is none */
#endif
