/* chisq(a, b): are two columns independent? From the noisy counts of their table alone, so that it costs nothing beyond them (Gaboardi,
 * Lim, Rogers & Vadhan 2016). */
#include "base/elementary.h"
#include "math/distributions.h"
#include "release/query/query.h"

typedef struct Cells {
    int64_t rows, columns;
    double *count, *expected, total;
} Cells;

/* Σ(O − E)²/E with E from the table's own margins; a cell that should hold less than one counts as one, so that noise in empty cells does
 * not decide. */
static double statistic_of(Cells *c) {
    double sum = 0;
    c->total = 0;
    for (int64_t k = 0; k < c->rows * c->columns; k++) c->total += fmax(c->count[k], 0);
    for (int64_t i = 0; i < c->rows; i++)
        for (int64_t j = 0; j < c->columns; j++) {
            double row = 0, column = 0;
            for (int64_t k = 0; k < c->columns; k++) row += fmax(c->count[i * c->columns + k], 0);
            for (int64_t k = 0; k < c->rows; k++) column += fmax(c->count[k * c->columns + j], 0);
            double expected = c->total > 0 ? row * column / c->total : 0, off = c->count[i * c->columns + j] - expected;
            c->expected[i * c->columns + j] = expected;
            sum += off * off / fmax(expected, 1);
        }
    return sum;
}

/* Tables of as many records drawn where the columns are independent with these margins, and noise of the release's own scale on each cell:
 * how often is their statistic as large? */
enum { TABLES_DRAWN = 999 };
static Status p_value(Plan *plan, const Cells *seen, double statistic, double scale, double *out) {
    Status status = OK;
    int64_t count = seen->rows * seen->columns;
    Cells drawn = { seen->rows, seen->columns, NULL, NULL, 0 };
    int larger = 0;
    RandomStream stream = stream_make(&(Seed){ 0 }, "release.query", 0, NULL, "chisq"); /* needs no secrecy: always the same */
    RandomReader source = reader_make(&stream);
    NEW(plan->work, drawn.count, count + 1);
    NEW(plan->work, drawn.expected, count + 1);
    for (int t = 0; t < TABLES_DRAWN; t++) {
        reader_multinomial(&source, rint(seen->total), seen->expected, count, drawn.count);
        for (int64_t k = 0; k < count; k++) {
            double noise = plan->noise == DISCRETE_LAPLACE_NOISE ? laplace_quantile(reader_uniform(&source)) : reader_normal(&source);
            drawn.count[k] = rint(drawn.count[k] + scale * noise);
        }
        larger += statistic_of(&drawn) >= statistic;
    }
    *out = (double)(larger + 1) / (TABLES_DRAWN + 1);
done:
    return status;
}

/* The counts in the schema's order, without the rows and columns of missing values, which hold nothing. */
Status report_chisq(Plan *plan, int64_t query) {
    Status status = OK;
    const Query *q = &plan->query[query];
    const SchemaColumn *a = schema_find(plan->args->schema, q->x->name), *b = schema_find(plan->args->schema, q->y->name);
    int64_t across = declared_values(b), place = 0;
    Cells c = { declared_values(a) - a->missing, across - b->missing, NULL, NULL, 0 };
    double p = NAN, scale = NAN;
    if (c.rows < 2 || c.columns < 2) return OK;
    NEW(plan->work, c.count, c.rows * c.columns + 1);
    NEW(plan->work, c.expected, c.rows * c.columns + 1);
    for (int64_t i = 0; i < plan->answers; i++) {
        if (plan->answer[i].query != query) continue;
        int64_t row = place / across, column = place % across;
        place++;
        if (row < c.rows && column < c.columns) c.count[row * c.columns + column] = plan->answer[i].value;
        scale = plan->measure[plan->answer[i].measure[0]].scale;
    }
    double statistic = statistic_of(&c);
    if (c.total > 0) TRY(p_value(plan, &c, statistic, scale, &p));
    Grid *grid = grid_new(plan->run->result, "tests", "query:text chi_squared:real df:real p_value:real");
    grid_text(grid, q->text);
    grid_real(grid, statistic);
    grid_real(grid, (double)((c.rows - 1) * (c.columns - 1)));
    grid_real(grid, p);
    grid_done(grid);
    result_note(plan->run->result,
                "%s: the p-value accounts for noise and sampling together, from %d tables drawn with the noisy margins. Standard "
                "chi-squared tables do not apply to noisy counts.",
                q->text, TABLES_DRAWN);
done:
    return status;
}
