/* synth.combine: one estimate from M synthetic or imputed tables, with the variance that their making left. Defined after Rubin 1987;
 * Raghunathan, Reiter & Rubin 2003; Reiter 2003, 2004; Raab, Nowok & Dibben 2016: docs/methods/synth-combine.md. */
#include <string.h>
#include "base/elementary.h"
#include "math/linear/least_squares.h"
#include "math/special/normal.h"
#include "math/special/student.h"
#include "method/method.h"

typedef struct {
    Tables files;
    const Table *estimates;
    const char *formula;
    enum { FULL, PARTIAL, IMPUTATION, NESTED } design;
    unsigned family;
    enum { UNKNOWN, SIMPLE, PROPER } synthesis;
    int64_t nests, n, n_synthetic;
    double level;
} args;

static const Param params[] = {
    TABLES(args, files, "The M tables, nested ones in the order of their nests", .flags = POSITIONAL),
    TABLE(args, estimates,
          "Estimates already computed: columns q (estimate) and u (its variance), one row per table; term if there are several; nest for a "
          "nested design"),
    TEXT(args, formula, NULL, "Model to fit to each table: y ~ a + b, or y ~ 1 for a mean"),
    ONE_OF("files", "estimates"),
    ONLY_WITH("formula", "files"),
    CHOICE(args, design, "partial",
           "How the tables were made: full (Raghunathan et al. 2003), partial (Reiter 2003), imputation (Rubin 1987), nested (Reiter 2004: "
           "each imputed table synthesised several times)",
           WORDS("full", "partial", "imputation", "nested")),
    CHOICE(args, family, "gaussian", "Distribution of the response", WORDS("gaussian", "binomial", "poisson")),
    INT(args, nests, ABSENT, 2, 1000000, "nested: number of imputed tables, each followed by the same number of synthetic ones"),
    ONLY_IF("nests", "design", "nested"),
    CHOICE(args, synthesis, "unknown",
           "full: how the tables were drawn: simple (the models' parameters estimated once), proper (drawn again for each table, as synth "
           "full and synth sequential do); if known, the variance needs no differences between tables (Raab, Nowok & Dibben 2016)",
           WORDS("unknown", "simple", "proper")),
    INT(args, n, ABSENT, 1, 1e15, "full: records of the original"),
    INT(args, n_synthetic, ABSENT, 1, 1e15, "full: records of each synthetic table (default: those of the first table)"),
    REAL(args, level, 0.95, 0, 1, "Level of the intervals", .flags = EXCLUSIVE),
    END,
};

/* The estimates of one term, table by table. */
typedef struct Term {
    const char *name;
    int64_t count;
    double *q, *u;
    int64_t *nest;
} Term;
typedef struct Combined {
    double estimate, variance, df, between, within;
    bool replaced;
    const char *rule;
} Combined;

static double mean_of(const double *x, int64_t n) {
    double sum = 0;
    for (int64_t i = 0; i < n; i++) sum += x[i];
    return sum / (double)n;
}

static double variance_of(const double *x, int64_t n) {
    double mean = mean_of(x, n), sum = 0;
    for (int64_t i = 0; i < n; i++) sum += (x[i] - mean) * (x[i] - mean);
    return n > 1 ? sum / (double)(n - 1) : 0;
}

/* n_syn/n; 1 where it is not known. */
static double size_ratio(const args *a) {
    int64_t synthetic = a->n_synthetic != ABSENT ? a->n_synthetic : a->files.count ? a->files.at[0]->rows : ABSENT;
    return a->n != ABSENT && synthetic != ABSENT ? (double)synthetic / (double)a->n : 1;
}

/* Full: T = (1 + 1/M)b − v̄ (Raghunathan et al. 2003), which can be negative, and near 0 has hardly a degree of freedom; T* = (n_syn/n)·v̄
 * then, with normal quantiles (Reiter 2002). From how the tables were drawn alone, so that one table is enough (Raab, Nowok & Dibben 2016):
 * v̄(n_syn/n + 1/M), and where the parameters were drawn as well v̄(n_syn/n + (1 + n_syn/n)/M). */
static Combined combine_full(const args *a, const Term *t) {
    double m = (double)t->count, b = t->count > 1 ? variance_of(t->q, t->count) : NAN, v = mean_of(t->u, t->count),
           between = (1 + 1 / m) * b, ratio = size_ratio(a);
    Combined c = { .estimate = mean_of(t->q, t->count), .df = INFINITY, .between = b, .within = v };
    if (t->count == 1 || a->synthesis != UNKNOWN) {
        c.variance = v * (ratio + (a->synthesis == PROPER ? 1 + ratio : 1) / m);
        c.rule = a->synthesis == PROPER ? "v̄(n_syn/n + (1 + n_syn/n)/M)" : "v̄(n_syn/n + 1/M)";
        return c;
    }
    c.variance = between - v;
    c.df = between > 0 ? (m - 1) * pow(1 - v / between, 2) : 0;
    c.rule = "T";
    if (c.variance > 0 && c.df >= 1) return c;
    c.replaced = true;
    c.variance = v * ratio;
    c.df = INFINITY;
    c.rule = "T*";
    return c;
}

/* Partial: T = b/M + v̄. Imputation: T = (1 + 1/M)b + v̄. Both: df = (M − 1)(1 + v̄/(the part of b))². */
static Combined combine_plain(const args *a, const Term *t) {
    double m = (double)t->count, b = variance_of(t->q, t->count), v = mean_of(t->u, t->count),
           part = a->design == PARTIAL ? b / m : (1 + 1 / m) * b;
    return (Combined){ .estimate = mean_of(t->q, t->count),
                       .variance = part + v,
                       .df = part > 0 ? (m - 1) * pow(1 + v / part, 2) : INFINITY,
                       .between = b,
                       .within = v,
                       .rule = "T" };
}

/* Nested: T = (1 + 1/M)B − b̄/r + ū, B between the means of nests, b̄ the mean of the variances within them; where T ≤ 0 the term that is
 * taken off is left out, of T and of its degrees of freedom (Reiter 2004). */
static Combined nested_of(const double *mean, int64_t nests, int64_t size, double within, double u) {
    double m = (double)nests, r = (double)size, b = variance_of(mean, nests), whole = (1 + 1 / m) * b, less = within / r;
    bool replaced = whole - less + u <= 0;
    if (replaced) less = 0;
    double variance = whole - less + u;
    double inverse = pow(whole / variance, 2) / (m - 1) + pow(less / variance, 2) / (m * (r - 1));
    return (
        Combined){ mean_of(mean, nests), variance, inverse > 0 ? 1 / inverse : INFINITY, b, u, replaced, replaced ? "T without b̄/r" : "T" };
}

/* Nests are counted from 0, and may come in any order. */
static Status combine_nested(Work *work, const Term *t, Combined *out) {
    Status status = OK;
    double *mean = NULL, *own = NULL, within = 0;
    int64_t *start = NULL, nests = 0, size = 0;
    NEW(work, mean, t->count + 1);
    NEW(work, own, t->count + 1);
    for (int64_t i = 0; i < t->count; i++) nests = t->nest[i] >= nests ? t->nest[i] + 1 : nests;
    NEW(work, start, nests + 2);
    for (int64_t i = 0; i < t->count; i++) start[t->nest[i] + 2]++;
    for (int64_t k = 0; k < nests; k++) {
        if (k && start[k + 2] != size) TRY(fail(work->error, BAD, "every nest must hold equally many tables"));
        size = start[k + 2];
    }
    if (nests < 2 || size < 2) TRY(fail(work->error, BAD, "a nested design has at least two nests of at least two tables"));
    for (int64_t k = 0; k < nests; k++) start[k + 1] = k * size; /* where the next of nest k goes */
    for (int64_t i = 0; i < t->count; i++) own[start[t->nest[i] + 1]++] = t->q[i];
    for (int64_t k = 0; k < nests; k++) {
        mean[k] = mean_of(own + k * size, size);
        within += variance_of(own + k * size, size);
    }
    *out = nested_of(mean, nests, size, within / (double)nests, mean_of(t->u, t->count));
done:
    return status;
}

static Status combine_term(Run *run, const args *a, const Term *t, Combined *out) {
    if (t->count < 2 && a->design != FULL)
        return fail(run->work.error, BAD, "at least two tables are needed to tell how much they differ, and '%s' has %lld", t->name,
                    (long long)t->count);
    if (a->design == NESTED) return combine_nested(&run->work, t, out);
    *out = a->design == FULL ? combine_full(a, t) : combine_plain(a, t);
    return OK;
}

/* ---- where the estimates come from ---- */

static Status number_column(Work *work, const Table *table, const char *name, const Column **out) {
    Status status = table_need(table, name, out, work->error);
    if (status) return status;
    if (!column_numeric(*out)) {
        fail(work->error, BAD, "must hold numbers");
        return error_column(work->error, name);
    }
    for (int64_t i = 0; i < (*out)->rows; i++)
        if (column_missing(*out, i)) {
            fail(work->error, BAD, "has a missing number");
            error_column(work->error, name);
            return error_row(work->error, i);
        }
    return OK;
}

static Status term_room(Work *work, Term *t, const char *name, int64_t count) {
    Status status = OK;
    *t = (Term){ .name = name };
    NEW(work, t->q, count + 1);
    NEW(work, t->u, count + 1);
    NEW(work, t->nest, count + 1);
done:
    return status;
}

static Status read_estimates(Run *run, const args *a, Term **terms, int64_t *count) {
    Status status = OK;
    Work *work = &run->work;
    const Column *q, *u, *nest = NULL, *term = table_column(a->estimates, "term");
    Codes nests = { 0 };
    int64_t rows = a->estimates->rows;
    char number[33];
    TRY(number_column(work, a->estimates, "q", &q));
    TRY(number_column(work, a->estimates, "u", &u));
    if (a->design == NESTED) TRY(table_need(a->estimates, "nest", &nest, work->error));
    if (nest) TRY(column_codes(work, nest, &nests));
    NEW(work, *terms, rows + 1);
    for (int64_t i = 0; i < rows; i++) {
        const char *name = term ? column_cell(term, i, number) : "q";
        int64_t k = 0;
        while (k < *count && !same_text((*terms)[k].name, name ? name : "")) k++;
        if (k == *count) TRY(term_room(work, &(*terms)[(*count)++], arena_text(work->arena, name ? name : ""), rows));
        Term *t = &(*terms)[k];
        if (column_number(u, i) < 0) {
            fail(work->error, BAD, "a variance is below 0");
            error_column(work->error, "u");
            TRY(error_row(work->error, i));
        }
        t->q[t->count] = column_number(q, i);
        t->u[t->count] = column_number(u, i);
        if (nest && nests.at[i] < 0) {
            fail(work->error, BAD, "has no nest");
            error_column(work->error, "nest");
            TRY(error_row(work->error, i));
        }
        t->nest[t->count++] = nest ? nests.at[i] : 0;
    }
done:
    return status;
}

static Status fit_file(Run *run, const args *a, const Formula *formula, int64_t f, Term **terms, int64_t *count) {
    Status status = OK;
    Work *work = &run->work;
    Design d;
    LinearFit fit;
    TRY(formula_design_over(work, formula, a->files.at[f], a->files.at, a->files.count, &d));
    if (!d.y) {
        fail(work->error, BAD, "needs a left side: y ~ a + b");
        TRY(error_parameter(work->error, "formula"));
    }
    LinearModel model = { .rows = d.rows, .columns = d.columns, .x = d.x, .y = d.y, .intercept = d.intercept };
    TRY(glm_fit(work, (Family)a->family, &model, &fit));
    if (fit.separated) {
        fail(work->error, BAD, "some terms separate the two outcomes perfectly in this table: their estimates have no limit");
        TRY(error_advice(work->error, "Leave such terms out, or merge their rare categories, in all tables."));
    }
    if (!fit.converged) TRY(fail(work->error, BAD, "the fit did not converge in this table in %d iterations", fit.iterations));
    if (!*terms) {
        NEW(work, *terms, d.columns + 1);
        *count = d.columns;
        for (int64_t j = 0; j < d.columns; j++) TRY(term_room(work, &(*terms)[j], d.term[j], a->files.count));
    }
    int64_t size = a->nests != ABSENT ? a->files.count / a->nests : 1;
    for (int64_t j = 0; j < *count && j < d.columns; j++) {
        Term *t = &(*terms)[j];
        if (isnan(fit.coefficient[j])) continue; /* aliased in this table: say_lacking tells */
        if (isnan(fit.standard_error[j]))
            TRY(fail(work->error, BAD, "has too few records for this model: none is left to tell its variance by"));
        t->q[t->count] = fit.coefficient[j];
        t->u[t->count] = fit.standard_error[j] * fit.standard_error[j];
        t->nest[t->count++] = f / size;
    }
done:
    return status;
}

static Status fit_files(Run *run, const args *a, Term **terms, int64_t *count) {
    Status status = OK;
    const Formula *formula;
    Work *work = &run->work;
    if (!a->formula) {
        fail(work->error, BAD, "is needed with tables: y ~ a + b");
        TRY(error_parameter(work->error, "formula"));
    }
    if (a->files.count < 2 && a->design != FULL) TRY(fail(work->error, BAD, "at least two tables are needed to tell how much they differ"));
    if (a->design == NESTED && (a->nests == ABSENT || a->files.count % a->nests)) {
        fail(work->error, BAD, "must divide the number of tables, %lld", (long long)a->files.count);
        TRY(error_parameter(work->error, "nests"));
    }
    TRY(formula_parse(work, a->files.at[0], a->formula, &formula));
    for (int64_t f = 0; f < a->files.count; f++) {
        status = fit_file(run, a, formula, f, terms, count);
        if (status == BAD) error_file(work->error, a->files.name[f]);
        if (status) goto done;
    }
done:
    return status;
}

/* Are the tables that a term was estimated in enough? Nests must hold equally many. */
static bool enough(const args *a, const Term *t) {
    return a->estimates || (a->design == NESTED ? t->count == a->files.count : t->count > (a->design != FULL));
}

/* A term that follows from the others in some tables: there the model is another one. */
static void say_lacking(Run *run, const args *a, const Term *t) {
    if (t->count == a->files.count) return;
    result_note(run->result,
                "Warning: %s could not be estimated in %lld of the %lld tables, whose records do not tell it from other terms: it is %s, "
                "and the other terms are "
                "there those of a model without it.",
                t->name, (long long)(a->files.count - t->count), (long long)a->files.count,
                enough(a, t) ? "combined over the rest" : "not combined, the rest being too few for the design");
}

/* Infinite with hardly a degree of freedom: no number is so large. */
static double student_width(double df, double p) {
    double t;
    if (!(df < 1e15)) return normal_quantile(p);
    return student_quantile(df, p, 1 - p, &t, NULL) ? INFINITY : t;
}

static void put_combined(Grid *grid, const args *a, const char *name, const Combined *c) {
    double wide = student_width(c->df, (1 + a->level) / 2);
    double half = c->variance > 0 ? sqrt(c->variance) * wide : c->variance; /* NaN stays */
    const double shown[] = { c->estimate, c->variance, c->df, c->estimate - half, c->estimate + half, c->between, c->within };
    grid_text(grid, name);
    for (size_t k = 0; k < sizeof shown / sizeof *shown; k++) grid_real(grid, shown[k]);
    grid_text(grid, c->rule);
}

static void note_full(Run *run, const args *a, const Term *terms, int64_t count, int64_t replaced) {
    bool by_synthesis = a->synthesis != UNKNOWN || (count && terms[0].count == 1);
    if (by_synthesis)
        result_note(run->result,
                    "The variance follows from how the tables were drawn, %s (Raab, Nowok & Dibben 2016), with normal quantiles: it holds "
                    "where the models that made the tables are right.%s",
                    a->synthesis == PROPER ? "parameters drawn again for each" : "parameters estimated once",
                    a->synthesis == UNKNOWN ? " One table cannot tell its own variance otherwise; use --synthesis proper if its "
                                              "parameters were drawn."
                                            : "");
    if (replaced)
        result_note(
            run->result,
            "T was not above 0 or had less than one degree of freedom for %lld of %lld terms: T* = (n_syn/n)·v̄ is used, with normal "
            "quantiles. With few tables T* is too small and T has wide intervals; --synthesis simple or proper is precise.",
            (long long)replaced, (long long)count);
    if ((by_synthesis || replaced) && (a->n == ABSENT || (a->n_synthetic == ABSENT && !a->files.count)))
        result_note(run->result, "The sizes were not given (--n, --n-synthetic): n_syn = n is taken.");
}

static Status say(Run *run, const args *a, const Term *terms, int64_t count) {
    static const char *const made[] = { "Fully synthetic tables; T = (1 + 1/M)b − v̄ (Raghunathan, Reiter & Rubin 2003).",
                                        "Partially synthetic tables: T = b/M + v̄ (Reiter 2003).",
                                        "Imputed tables: T = (1 + 1/M)b + v̄ (Rubin 1987).",
                                        "Nested tables: T = (1 + 1/M)B − b̄/r + ū (Reiter 2004)." };
    Status status = OK;
    int64_t replaced = 0;
    Grid *grid = grid_new(run->result, "estimates",
                          "term:text estimate:real variance:real df:real lower:real upper:real between:real within:real rule:text");
    for (int64_t j = 0; j < count; j++) {
        Combined c = { NAN, NAN, NAN, NAN, NAN, false, NULL };
        if (enough(a, &terms[j])) TRY(combine_term(run, a, &terms[j], &c));
        replaced += c.replaced;
        put_combined(grid, a, terms[j].name, &c);
        if (!a->estimates) say_lacking(run, a, &terms[j]);
    }
    grid_done(grid);
    result_integer(run->result, "tables", a->estimates ? terms[0].count : a->files.count);
    result_integer(run->result, "replaced", replaced);
    result_note(run->result, "%s", made[a->design]);
    if (a->design == FULL) note_full(run, a, terms, count, replaced);
    else if (replaced)
        result_note(run->result, "T was not above 0 for %lld of %lld terms: b̄/r was not taken off.", (long long)replaced, (long long)count);
done:
    return status;
}

static Status combine_run(Run *run, const void *p) {
    const args *a = p;
    Status status = OK;
    Term *terms = NULL;
    int64_t count = 0;
    TRY(a->estimates ? read_estimates(run, a, &terms, &count) : fit_files(run, a, &terms, &count));
    if (!count) TRY(fail(run->work.error, BAD, "there are no estimates to combine"));
    TRY(say(run, a, terms, count));
done:
    return status;
}

static const Return values[] = {
    VALUE(tables, INTEGER, "Number of tables combined", .flags = PUBLIC),
    VALUE(replaced, INTEGER, "Terms whose variance T was not positive or had less than one degree of freedom, and was replaced",
          .flags = PUBLIC),
    TABLE_OUT(estimates, "term:text estimate:real variance:real df:real lower:real upper:real between:real within:real rule:text",
              "Each term: the mean of the estimates, its variance, degrees of freedom, interval; variance between the tables, mean "
              "variance within; the rule that gave the variance"),
    END,
};

const Method synth_combine = {
    .group = "synth",
    .name = "combine",
    .summary = "Combining rules: one estimate and a valid interval from M synthetic or imputed tables",
    .source = "Rubin 1987; Raghunathan, Reiter & Rubin 2003; Reiter 2003, 2004; Raab, Nowok & Dibben 2016",
    .params = params,
    .size = sizeof(args),
    .run = combine_run,
    .values = values,
    .traits = UNAUDITED,
    .example = "scrim synth combine --estimates examples/estimates.csv --design partial",
};
