/* Several responses with equations between them ("turnover = domestic + export; staff"): one table in which the variables are a dimension,
 * so that what follows from one of them for another is part of its protection. */
#include <string.h>
#include "base/elementary.h"
#include "tabular/build/build.h"

enum { MOST_VARIABLES = 64 };

typedef struct Parsing {
    Work *work;
    const BuildArgs *a;
    int32_t variables;
    const char *name[MOST_VARIABLES];
    const Column *column[MOST_VARIABLES];
    int64_t sums;
    Sum sum[MOST_VARIABLES];
} Parsing;

static Status bad_equation(Work *work, const char *what) {
    fail(work->error, BAD, "%s", what);
    error_parameter(work->error, "response");
    return error_advice(work->error, "Write a = b + c, or a - b = c. Separate several equations with semicolons.");
}

static Status numeric_column(Work *work, const BuildArgs *a, const char *name, const Column **out) {
    Status status = table_need(a->data, name, out, work->error);
    if (!status && !column_numeric(*out)) {
        status = fail(work->error, BAD, "the response must hold numbers");
        error_column(work->error, name);
    }
    if (status) error_parameter(work->error, "response");
    return status;
}

static Status find_variable(Parsing *p, const char *name, int32_t *out) {
    Status status = OK;
    for (*out = 0; *out < p->variables; ++*out)
        if (!strcmp(p->name[*out], name)) return OK;
    if (p->variables == MOST_VARIABLES) return bad_equation(p->work, "more than 64 variables");
    TRY(numeric_column(p->work, p->a, name, &p->column[p->variables]));
    p->name[p->variables++] = name;
done:
    return status;
}

/* The next name and the sign before it, up to + or " - "; NULL at the end. */
static char *next_name(char **at, int *sign) {
    char *from = *at;
    *sign = 1;
    while (*from == ' ' || *from == '+' || (*from == '-' && from[1] == ' ')) {
        if (*from == '-') *sign = -*sign;
        from++;
    }
    if (!*from) return NULL;
    char *end = from;
    while (*end && *end != '+' && strncmp(end, " - ", 3) != 0) end++;
    *at = end;
    if (*end) {
        *at = *end == '+' ? end : end + 1;
        if (*end == '+') {
            *at = end + 1;
            *end = 0;
        } else *end = 0;
    }
    while (end > from && end[-1] == ' ') *--end = 0;
    return *from ? from : NULL;
}

/* All terms on one side: the total has one sign, its parts the other. */
static Status add_equation(Parsing *p, const int32_t *term, const int *sign, int32_t terms) {
    Status status = OK;
    int32_t above = 0;
    for (int32_t k = 0; k < terms; k++) above += sign[k] > 0;
    int total = above == 1 ? 1 : terms - above == 1 ? -1 : 0;
    if (!total || terms < 3) TRY(bad_equation(p->work, "an equation must contain one variable that is the sum of at least two others"));
    if (p->sums == MOST_VARIABLES) TRY(bad_equation(p->work, "more than 64 equations"));
    Sum *sum = &p->sum[p->sums++];
    NEW(p->work, sum->part, terms);
    for (int32_t k = 0; k < terms; k++) {
        for (int32_t j = 0; j < k; j++)
            if (term[j] == term[k]) TRY(bad_equation(p->work, "an equation has a variable twice"));
        if (sign[k] == total) sum->total = term[k];
        else sum->part[sum->count++] = term[k];
    }
done:
    return status;
}

static Status read_statement(Parsing *p, char *text) {
    Status status = OK;
    int32_t term[MOST_VARIABLES], terms = 0;
    int sign[MOST_VARIABLES], s;
    char *equal = strchr(text, '=');
    if (equal) *equal++ = 0;
    if (equal && strchr(equal, '=')) TRY(bad_equation(p->work, "an equation must contain exactly one ="));
    for (int side = 0; side < (equal ? 2 : 1); side++) {
        char *at = side ? equal : text;
        const int32_t before = terms;
        for (char *name; (name = next_name(&at, &s));) {
            if (terms == MOST_VARIABLES) TRY(bad_equation(p->work, "more than 64 terms"));
            TRY(find_variable(p, name, &term[terms]));
            sign[terms++] = side ? -s : s;
        }
        if (terms == before) TRY(bad_equation(p->work, "an equation or a variable is missing"));
    }
    if (equal) TRY(add_equation(p, term, sign, terms));
    else if (terms != 1) TRY(bad_equation(p->work, "a sum without ="));
done:
    return status;
}

static Status read_text(Parsing *p, const char *text) {
    Status status = OK;
    char *copy = arena_text(p->work->arena, text);
    if (!copy) TRY(out_of_memory(p->work->error));
    for (char *at = copy; at;) {
        char *end = strchr(at, ';'), *next = end ? end + 1 : NULL;
        if (end) *end = 0;
        TRY(read_statement(p, at));
        at = next;
    }
done:
    return status;
}

/* The equations hold in every record, but for rounding in the last digits. */
static Status check_record(const Parsing *p, int64_t row) {
    for (int64_t s = 0; s < p->sums; s++) {
        const Sum *sum = &p->sum[s];
        double left = column_number(p->column[sum->total], row), size = fabs(left);
        for (int32_t k = 0; k < sum->count; k++) {
            double x = column_number(p->column[sum->part[k]], row);
            left -= x;
            size += fabs(x);
        }
        if (fabs(left) <= 1e-9 * size) continue;
        fail(p->work->error, BAD, "the equation for '%s' does not hold in a record", p->name[sum->total]);
        return error_row(p->work->error, row);
    }
    return OK;
}

/* Records that have all variables. */
static Status whole_records(const Parsing *p, int64_t **rows, int64_t *count) {
    Status status = OK;
    *count = 0;
    NEW(p->work, *rows, p->a->data->rows + 1);
    for (int64_t i = 0; i < p->a->data->rows; i++) {
        bool whole = true;
        for (int32_t v = 0; v < p->variables; v++) whole &= !column_missing(p->column[v], i);
        if (!whole) continue;
        TRY(check_record(p, i));
        (*rows)[(*count)++] = i;
    }
done:
    return status;
}

/* Who stands behind each record of the long table: the holding, else the record. */
static Status holders(const Parsing *p, const int64_t *row, int64_t rows, Column **out) {
    Status status = OK;
    Codes codes = { 0 };
    if (p->a->holding) TRY(column_codes(p->work, p->a->holding, &codes));
    TRY(column_new(INTEGER_TYPE, "holding", rows, out, p->work->error));
    for (int64_t i = 0; i < rows; i++) {
        int32_t own = p->a->holding ? codes.at[row[i]] : -1;
        (*out)->integer[i] = own < 0 ? codes.count + row[i] : own;
    }
done:
    return status;
}

/* The columns of the new table by the names that they had. */
static void rename_columns(const Equations *e, const Columns *from, Columns *to) {
    to->count = from->count;
    for (int64_t i = 0; i < from->count; i++) to->at[i] = table_column(e->data, from->at[i]->name);
}

static Status rename_groups(Work *work, const Equations *e, const Groups *from, Groups *to) {
    Status status = OK;
    NEW(work, to->at, from->count + 1);
    to->count = from->count;
    for (int64_t g = 0; g < from->count; g++) {
        NEW(work, to->at[g].at, from->at[g].count + 1);
        rename_columns(e, &from->at[g], &to->at[g]);
    }
done:
    return status;
}

/* Every record as often as there are variables: the first variable of all records, then the second. */
static Status long_table(const Parsing *p, const int64_t *row, int64_t rows, Equations *e) {
    Status status = OK;
    Work *work = p->work;
    Table *taken = NULL;
    Column *added[3] = { NULL };
    int64_t *again = NULL, n = rows * p->variables;
    const char **word = NULL;
    NEW(work, again, n + 1);
    NEW(work, word, n + 1);
    TRY(column_new(REAL_TYPE, "value", n, &added[1], work->error));
    for (int64_t i = 0; i < n; i++) {
        const int32_t v = (int32_t)(i / (rows ? rows : 1));
        again[i] = row[i % (rows ? rows : 1)];
        word[i] = p->name[v];
        added[1]->real[i] = column_number(p->column[v], again[i]);
    }
    TRY(column_category(VARIABLE_DIMENSION, word, n, &added[0], work->error));
    TRY(holders(p, again, n, &added[2]));
    TRY(table_take(p->a->data, again, n, &taken, work->error));
    TRY(table_beside(taken, added, 3, &e->data, work->error));
    const int64_t last = e->data->columns;
    e->a = *p->a;
    e->a.data = e->data;
    e->a.summed = e->data->column[last - 2];
    e->a.holding = e->data->column[last - 1];
    if (p->a->weight) e->a.weight = table_column(e->data, p->a->weight->name);
    e->axis.column = e->data->column[last - 3];
    TRY(rename_groups(work, e, &p->a->dims, &e->a.dims));
    TRY(rename_groups(work, e, &p->a->nested, &e->a.nested));
done:
    table_release(taken);
    for (int k = 0; k < 3; k++) column_release(added[k]);
    return status;
}

static Status variable_axis(const Parsing *p, int64_t rows, Equations *e) {
    Status status = OK;
    Work *work = p->work;
    Axis *axis = &e->axis;
    axis->d.name = VARIABLE_DIMENSION;
    axis->d.codes = p->variables;
    NEW(work, axis->d.code, p->variables + 1);
    NEW(work, axis->level, p->variables + 1);
    NEW(work, axis->start, p->variables + 2);
    NEW(work, axis->up, p->variables + 1);
    NEW(work, axis->of, rows * p->variables + 1);
    NEW(work, e->sum, p->sums + 1);
    for (int32_t v = 0; v < p->variables; v++) {
        axis->d.code[v] = p->name[v];
        axis->up[v] = v;
        axis->start[v + 1] = v + 1;
    }
    for (int64_t i = 0; i < rows * p->variables; i++) axis->of[i] = (int32_t)(i / rows);
    e->sums = p->sums;
    memcpy(e->sum, p->sum, (size_t)p->sums * sizeof *p->sum);
done:
    return status;
}

Status equations_make(Work *work, const BuildArgs *a, Equations *out) {
    Status status = OK;
    Parsing *p = NULL;
    int64_t *row, rows;
    *out = (Equations){ .a = *a };
    if (!a->response) return OK;
    if (!strpbrk(a->response, "=;") || table_column(a->data, a->response)) return numeric_column(work, a, a->response, &out->a.summed);
    for (int64_t g = 0; g < a->dims.count; g++)
        for (int64_t i = 0; i < a->dims.at[g].count; i++)
            if (!strcmp(a->dims.at[g].at[i]->name, VARIABLE_DIMENSION))
                TRY(bad_equation(work,
                                 "with several responses the table gets a dimension 'variable', but a dimension already has this name"));
    if (a->mean) TRY(bad_equation(work, "--mean needs a single response"));
    NEW(work, p, 1);
    *p = (Parsing){ .work = work, .a = a };
    TRY(read_text(p, a->response));
    TRY(whole_records(p, &row, &rows));
    if (!rows) TRY(bad_equation(work, "no record has all variables"));
    out->dropped = a->data->rows - rows;
    TRY(long_table(p, row, rows, out));
    TRY(variable_axis(p, rows, out));
done:
    return status;
}

void equations_free(Equations *equations) { table_release(equations->data); }
