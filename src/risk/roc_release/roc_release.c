/* ROC privacy of any randomised release: can it be told from the release whether a person was in the data?. Defined after Matthews &
 * Harel 2012, section 6: docs/methods/risk-roc-release.md. */
#include "base/elementary.h"
#include <stdlib.h>
#include <string.h>
#include "math/mann_whitney.h"
#include "risk/roc_release/roc_release.h"

typedef struct {
    const Table *data;
    const char *method;
    Texts set, estimates;
    Reals records;
    int64_t draws, among, replacement;
    unsigned statistic, attacker;
} args;
enum { DIRECTION, DISTANCE };
static const Param params[] = {
    TABLE(args, data, "The confidential table", .flags = REQUIRED | POSITIONAL),
    TEXT(args, method, NULL, "Method that makes the release, such as protect.noise. Its parameters may be given beside it",
         .flags = REQUIRED),
    TEXTS(args, set, "NAME=VALUE: a parameter of that method that has the same name as one of this method", .flags = WHOLE),
    REALS(args, records, 1, 1e15, "Record numbers (from 1) whose membership is tested (default: the most unusual ones)"),
    INT(args, among, 10, 1, 1000, "Number of unusual records tested if --records is not given"),
    INT(args, replacement, ABSENT, 1, 1000000000000,
        "The neighbouring table has a copy of this record in the person's place (default: one record less)"),
    INT(args, draws, 200, 4, 100000, "Releases drawn from the whole table, and from the table without each record"),
    CHOICE(args, statistic, "energy",
           "Statistic by which the attacker ranks releases: energy distance from the table, propensity mean square error against it, or "
           "estimates",
           WORDS("energy", "pmse", "estimates")),
    TEXTS(args, estimates, "mean(x), sd(x), variance(x), median(x), share(x=value)"),
    CHOICE(args, attacker, "direction",
           "Estimates: the attacker knows the direction in which the person changes them, or only their distance from the table's own",
           WORDS("direction", "distance")),
    ONLY_IF("estimates", "statistic", "estimates"),
    ONLY_IF("attacker", "statistic", "estimates"),
    END,
};
static const Return values[] = {
    VALUE(auc, REAL,
          "Probability that a release without a person looks farther from the table than a release with the person, mean over the records. "
          "0.5 = safe, 1 = membership is disclosed",
          .flags = PUBLIC | LESS),
    VALUE(lower, REAL, "Lower end of the 95% confidence interval of auc", .flags = PUBLIC),
    VALUE(upper, REAL, "Upper end of the 95% confidence interval of auc", .flags = PUBLIC),
    VALUE(privacy, REAL, "1 − auc: 0.5 = best, 0 = none", .flags = PUBLIC | MORE),
    VALUE(worst_auc, REAL, "The same for the record at highest risk (chosen on one half of the draws, measured on the other)",
          .flags = PUBLIC | LESS),
    VALUE(worst_lower, REAL, "Lower end of the 95% confidence interval of worst_auc", .flags = PUBLIC),
    VALUE(worst_upper, REAL, "Upper end of the 95% confidence interval of worst_auc", .flags = PUBLIC),
    VALUE(copied, REAL, "Share of released records that equal a record of the table in all columns. Smaller is safer",
          .flags = PUBLIC | LESS),
    VALUE(linked, REAL,
          "Share of released records whose nearest original is their source (1 − confidentiality of risk linkage). Smaller is safer",
          .flags = PUBLIC | LESS),
    TABLE_OUT(records, "record:integer auc:real lower:real upper:real", "Each record that was tested"),
    END,
};

typedef struct {
    Run *run;
    const args *a;
    const Method *method;
    const Param *subject;
    Args fixed;
    Estimates estimates;
    Energy energy;
    double *truth, *scale;  /* the table's own estimates, and how they vary between releases of it */
    int64_t tried, *record; /* rows */
    double *with, *without; /* statistics: draws; tried × draws */
    TablePrint whole, less; /* prints of the table, and of the neighbour that is drawn from at the time */
} Study;

static const Method *named(const char *dotted) {
    char group[64];
    const char *dot = dotted ? strchr(dotted, '.') : NULL;
    if (!dot || (size_t)(dot - dotted) >= sizeof group) return NULL;
    memcpy(group, dotted, (size_t)(dot - dotted));
    group[dot - dotted] = 0;
    return method_find(group, dot + 1);
}

static const Method *releasing(const Args *given) {
    const Arg *method = args_find(given, "method");
    return method && method->count == 1 && method->items ? named(method->items[0]) : NULL;
}

/* What was given and is not ours is the method's; --set gives it the rest. The table itself changes from draw to draw and comes last. */
static Status fix_arguments(Study *s) {
    Status status = OK;
    const Args *given = s->run->given;
    Arg *list = NULL;
    int64_t count = 0;
    NEW(&s->run->work, list, given->count + s->a->set.count + 2);
    for (int64_t i = 0; i < given->count; i++)
        if (!method_param(s->run->method, given->at[i].name)) list[count++] = given->at[i];
    for (int64_t i = 0; i < s->a->set.count; i++) {
        char *name = arena_text(s->run->work.arena, s->a->set.at[i]), *equal = name ? strchr(name, '=') : NULL;
        const char **items;
        int64_t pieces;
        if (!name) return out_of_memory(s->run->work.error);
        if (!equal) {
            fail(s->run->work.error, BAD, "takes NAME=VALUE");
            return error_parameter(s->run->work.error, "set");
        }
        *equal = 0;
        TRY(args_split(&s->run->work, equal + 1, &pieces, &items));
        list[count++] = (Arg){ .name = name, .count = pieces, .items = items };
    }
    s->fixed = (Args){ count, list };
done:
    return status;
}

static Status find_method(Study *s) {
    Status status = method_need(s->a->method, &s->method, s->run->work.error);
    if (status) return error_parameter(s->run->work.error, "method");
    for (const Param *p = s->method->params; p && p->kind && !s->subject; p++)
        if (p->kind == KIND_TABLE && (p->flags & POSITIONAL)) s->subject = p;
    if (!s->subject || !(s->method->traits & RANDOM)) {
        fail(s->run->work.error, BAD, "%s does not make a randomised release of a table", s->a->method);
        return error_parameter(s->run->work.error, "method");
    }
    return OK;
}

/* How unusual: squared standard scores of numbers, and −2 ln of the share of a category; both would sum to a χ² were columns independent.
 */
static Status unusual(Study *s, double *out) {
    Status status = OK;
    const Table *t = s->a->data;
    Codes codes;
    const double *x;
    for (int64_t j = 0; j < t->columns; j++) {
        const Column *column = t->column[j];
        if (column_numeric(column)) {
            double mean = 0, square = 0, n = (double)(t->rows - column->missing);
            TRY(column_reals(&s->run->work, column, &x));
            for (int64_t i = 0; i < t->rows; i++)
                if (!isnan(x[i])) mean += x[i] / n;
            for (int64_t i = 0; i < t->rows; i++)
                if (!isnan(x[i])) square += (x[i] - mean) * (x[i] - mean) / n;
            for (int64_t i = 0; square > 0 && i < t->rows; i++)
                if (!isnan(x[i])) out[i] += (x[i] - mean) * (x[i] - mean) / square;
            continue;
        }
        double *count = NULL;
        TRY(column_codes(&s->run->work, column, &codes));
        if (codes.count > t->rows / 2) continue; /* names and numbers of persons */
        NEW(&s->run->work, count, codes.count + 1);
        for (int64_t i = 0; i < t->rows; i++)
            if (codes.at[i] >= 0) count[codes.at[i]]++;
        for (int64_t i = 0; i < t->rows; i++)
            if (codes.at[i] >= 0) out[i] -= 2 * log(count[codes.at[i]] / (double)t->rows);
    }
done:
    return status;
}

typedef struct {
    double score;
    int64_t row;
} Odd;
static int most_unusual(const void *x, const void *y) {
    const Odd *a = x, *b = y;
    return a->score != b->score ? (a->score < b->score) - (a->score > b->score) : (a->row > b->row) - (a->row < b->row);
}

static Status choose_records(Study *s) {
    Status status = OK;
    int64_t rows = s->a->data->rows;
    double *score = NULL;
    Odd *odd = NULL;
    s->tried = s->a->records.count ? s->a->records.count : s->a->among < rows ? s->a->among : rows;
    NEW(&s->run->work, s->record, s->tried + 1);
    for (int64_t i = 0; i < s->a->records.count; i++) {
        s->record[i] = (int64_t)s->a->records.at[i] - 1;
        bool whole = s->a->records.at[i] == floor(s->a->records.at[i]) && s->record[i] < rows, again = false;
        for (int64_t k = 0; k < i && whole; k++) again |= s->record[k] == s->record[i];
        if (whole && !again) continue;
        if (again) fail(s->run->work.error, BAD, "names record %lld twice", (long long)s->record[i] + 1);
        else fail(s->run->work.error, BAD, "names records from 1 to %lld", (long long)rows);
        return error_parameter(s->run->work.error, "records");
    }
    if (s->a->replacement != ABSENT && s->a->replacement > rows) {
        fail(s->run->work.error, BAD, "names a record from 1 to %lld", (long long)rows);
        return error_parameter(s->run->work.error, "replacement");
    }
    if (s->a->records.count) return OK;
    NEW(&s->run->work, score, rows + 1);
    NEW(&s->run->work, odd, rows + 1);
    TRY(unusual(s, score));
    for (int64_t i = 0; i < rows; i++) odd[i] = (Odd){ score[i], i };
    qsort(odd, (size_t)rows, sizeof *odd, most_unusual);
    for (int64_t i = 0; i < s->tried; i++) s->record[i] = odd[i].row;
done:
    return status;
}

/* Draw `step` of the release of this table. */
static Status draw(Study *s, const Table *table, int64_t step, Result **out) {
    Session session = *s->run->session;
    Arg *list = NULL;
    Table *handle = (Table *)(uintptr_t)table;
    Status status = OK;
    const Progress quiet = progress_quiet(session.progress);
    session.step = step;
    session.progress = &quiet;
    session.print = table == s->a->data ? &s->whole : &s->less;
    NEW(&s->run->work, list, s->fixed.count + 1);
    memcpy(list, s->fixed.at, (size_t)s->fixed.count * sizeof *list);
    list[s->fixed.count] = (Arg){ .name = s->subject->name, .count = 1, .tables = &handle };
    TRY(method_run(&session, s->method, &(Args){ s->fixed.count + 1, list }, NULL, out, s->run->work.error));
    if (!(*out)->outputs) TRY(fail(s->run->work.error, BAD, "%s made no table", s->a->method));
done:
    return status;
}

static Status pmse_of(Study *s, const Table *release, double *out) {
    Table *tables[] = { (Table *)(uintptr_t)s->a->data, (Table *)(uintptr_t)release };
    const char *order = "1"; /* a statistic for many releases: the same predictors in all */
    Arg list[] = { { .name = "original", .count = 1, .tables = &tables[0] },
                   { .name = "released", .count = 1, .tables = &tables[1] },
                   { .name = "order", .count = 1, .items = &order } };
    Result *result = NULL;
    Status status = run_method(s->run, "utility.propensity", &(Args){ 3, list }, &result);
    const Value *pmse = status ? NULL : result_find(result, "pmse");
    *out = pmse && pmse->kind == VALUE_REAL ? pmse->real : NAN;
    result_free(result);
    return status;
}

/* One estimate whose direction is known is its own statistic; else the squared distance of all from the table's own, each over its size. */
static Status statistic_of(Study *s, Work *work, const Table *release, double *out) {
    Status status = OK;
    double *seen = NULL, sum = 0;
    if (s->a->statistic == ENERGY) return energy_of(work, &s->energy, release, out);
    if (s->a->statistic == PMSE) return pmse_of(s, release, out);
    NEW(work, seen, s->estimates.count + 1);
    TRY(estimates_of(work, &s->estimates, release, seen));
    if (s->a->attacker == DIRECTION) {
        *out = seen[0];
        goto done;
    }
    for (int64_t e = 0; e < s->estimates.count; e++) {
        double d = (seen[e] - s->truth[e]) / s->scale[e];
        sum += d * d;
    }
    *out = sum;
done:
    return status;
}

static Status estimates_seen(Study *s, Work *work, const Table *release, double *out) {
    return estimates_of(work, &s->estimates, release, out);
}

/* Release number so and so of a table, looked at in memory of its own. */
typedef Status Look(Study *s, Work *work, const Table *release, double *out);
static Status look_at(Study *s, const Table *table, int64_t number, Look *look, double *out) {
    Status status = OK;
    Result *release = NULL;
    Work work = s->run->work;
    if (!(work.arena = arena_new())) return out_of_memory(work.error);
    TRY(draw(s, table, number, &release));
    TRY(look(s, &work, release->output[0], out));
done:
    result_free(release);
    arena_free(work.arena);
    return status;
}

/* How each estimate varies between releases of the whole table, by thirty that are used for nothing else: distances in several are
 * comparable then. */
static Status find_scales(Study *s) {
    enum { PILOT = 30 };
    Status status = OK;
    int64_t count = s->estimates.count;
    double *seen = NULL;
    NEW(&s->run->work, seen, PILOT * count + 1);
    NEW(&s->run->work, s->scale, count + 1);
    for (int64_t b = 0; b < PILOT; b++) TRY(look_at(s, s->a->data, -1 - b, estimates_seen, seen + b * count));
    for (int64_t e = 0; e < count; e++) {
        double mean = 0, square = 0;
        for (int64_t b = 0; b < PILOT; b++) mean += seen[b * count + e] / PILOT;
        for (int64_t b = 0; b < PILOT; b++) square += (seen[b * count + e] - mean) * (seen[b * count + e] - mean) / (PILOT - 1);
        s->scale[e] = square > 0 ? sqrt(square) : 1;
    }
done:
    return status;
}

static Status draw_all(Study *s, const Table *table, int64_t from, double *out) {
    Status status = OK;
    for (int64_t b = 0; b < s->a->draws; b++) {
        TRY(look_at(s, table, from + b, statistic_of, &out[b]));
        TRY(work_check(&s->run->work));
    }
done:
    return status;
}

/* The neighbouring table: one record less, or another's copy in its place. */
static Status without_record(Study *s, int64_t row, Table **out) {
    Status status = OK;
    int64_t *rows = NULL, kept = 0, other = s->a->replacement;
    NEW(&s->run->work, rows, s->a->data->rows + 1);
    for (int64_t i = 0; i < s->a->data->rows; i++)
        if (i != row || other != ABSENT) rows[kept++] = i == row ? other - 1 : i;
    TRY(table_take(s->a->data, rows, kept, out, s->run->work.error));
done:
    return status;
}

static Status draw_everything(Study *s) {
    Status status = OK;
    Table *less = NULL;
    NEW(&s->run->work, s->with, s->a->draws + 1);
    NEW(&s->run->work, s->without, s->tried * s->a->draws + 1);
    TRY(draw_all(s, s->a->data, 1, s->with));
    for (int64_t r = 0; r < s->tried; r++) {
        work_show(&s->run->work, "releases", (double)(r + 1) / (double)(s->tried + 1));
        TRY(without_record(s, s->record[r], &less));
        TRY(session_print(s->run->session, &s->run->work, s->method, less, &s->less));
        TRY(draw_all(s, less, 1 + (r + 1) * s->a->draws, s->without + r * s->a->draws));
        table_release(less);
        less = NULL;
    }
done:
    table_release(less);
    return status;
}

/* Area of record r by draws first … first + count − 1; its direction is the attacker's to know, and is read off the half that is not
 * measured (or all, for the mean over records). */
typedef struct {
    double area, variance, low, high;
} Area;
static Status area_of(Study *s, int64_t r, int64_t first, int64_t count, bool turned, Area *out) {
    Status status = OK;
    double *all = NULL;
    NEW(&s->run->work, all, 2 * count + 1);
    for (int64_t b = 0; b < count; b++) {
        double sign = turned ? -1 : 1;
        all[b] = sign * s->with[first + b];
        all[count + b] = sign * s->without[r * s->a->draws + first + b];
    }
    TRY(mann_whitney(&s->run->work, all, count, count, &out->area, &out->variance));
    mann_whitney_interval(out->area, out->variance, (double)count, (double)count, &out->low, &out->high);
done:
    return status;
}

/* In which direction the record moves the estimate, from other draws than those that are measured. A distance only grows. */
static Status is_turned(Study *s, int64_t r, int64_t first, int64_t count, bool *out) {
    Area area;
    *out = false;
    if (s->a->statistic != ESTIMATES || s->a->attacker != DIRECTION) return OK;
    Status status = area_of(s, r, first, count, false, &area);
    *out = !status && area.area < 0.5;
    return status;
}

static Status report_areas(Study *s) {
    Status status = OK;
    Result *result = s->run->result;
    int64_t half = s->a->draws / 2, worst = 0;
    double sum = 0, low = 0, high = 0, best = -1;
    Area area;
    bool turned = false, worst_turned = false;
    Grid *grid = grid_new(result, "records", "record:integer auc:real lower:real upper:real");
    for (int64_t r = 0; r < s->tried; r++) {
        TRY(is_turned(s, r, 0, half, &turned));
        TRY(area_of(s, r, 0, half, turned, &area));
        if (area.area > best) {
            best = area.area;
            worst = r;
            worst_turned = turned;
        }
        TRY(area_of(s, r, half, s->a->draws - half, turned, &area));
        if (s->a->statistic != ESTIMATES || s->a->attacker != DIRECTION) TRY(area_of(s, r, 0, s->a->draws, false, &area));
        sum += area.area;
        low += area.low;
        high += area.high;
        grid_integer(grid, s->record[r] + 1);
        grid_real(grid, area.area);
        grid_real(grid, area.low);
        grid_real(grid, area.high);
    }
    grid_done(grid);
    double mean = s->tried ? sum / (double)s->tried : NAN;
    if (isnan(mean)) {
        result_null(result, "auc", "The statistic cannot be computed on these releases, or there is no record.");
        goto done;
    }
    result_real(result, "auc", mean);
    result_real(result, "lower", low / (double)s->tried); /* the records share draws: their errors may all go one way */
    result_real(result, "upper", high / (double)s->tried);
    result_real(result, "privacy", 1 - mean);
    TRY(area_of(s, worst, half, s->a->draws - half, worst_turned, &area));
    result_real(result, "worst_auc", area.area);
    result_real(result, "worst_lower", area.low);
    result_real(result, "worst_upper", area.high);
done:
    return status;
}

typedef struct Copies {
    Work *work;
    const Table *data, *release;
    double share;
} Copies;

static Status find_copies(void *self) {
    Copies *c = self;
    return copied_share(c->work, c->data, c->release, &c->share);
}

/* What the paper wants beside it: does the release repeat records, and can they be linked? By the first draw. */
static Status report_copies(Study *s) {
    Status status = OK;
    Result *release = NULL, *linkage = NULL;
    Table *tables[2];
    TRY(draw(s, s->a->data, 1, &release));
    const Table *out = release->output[0];
    tables[0] = (Table *)(uintptr_t)s->a->data;
    tables[1] = release->output[0];
    Copies copies = { &s->run->work, s->a->data, out, 0 };
    TRY(work_with_arena(copies.work, find_copies, &copies));
    result_real(s->run->result, "copied", copies.share);
    Arg list[] = { { .name = "original", .count = 1, .tables = &tables[0] }, { .name = "released", .count = 1, .tables = &tables[1] } };
    if (out->rows != s->a->data->rows || s->method->traits & (ANEW | PROMISES)) {
        result_null(s->run->result, "linked", "The release's records have no source, record by record.");
        goto done;
    }
    TRY(run_method(s->run, "risk.linkage", &(Args){ 2, list }, &linkage));
    const Value *c = result_find(linkage, "confidentiality");
    if (c && c->kind == VALUE_REAL) result_real(s->run->result, "linked", 1 - c->real);
    else result_null(s->run->result, "linked", "Linkage could not be measured.");
done:
    result_free(release);
    result_free(linkage);
    return status;
}

/* By the columns that a release has, seen in one that is used for nothing else. */
static Status prepare_energy(Study *s) {
    Status status = OK;
    Result *release = NULL;
    TRY(draw(s, s->a->data, -1, &release));
    TRY(energy_make(&s->run->work, s->a->data, release->output[0], 400, &s->energy));
done:
    result_free(release);
    return status;
}

static Status prepare(Study *s) {
    Status status = OK;
    Work *work = &s->run->work;
    TRY(find_method(s));
    TRY(fix_arguments(s));
    TRY(choose_records(s));
    TRY(session_print(s->run->session, work, s->method, s->a->data, &s->whole));
    if (s->a->statistic == ENERGY) TRY(prepare_energy(s));
    if (s->a->statistic != ESTIMATES) goto done;
    TRY(estimates_parse(work, s->a->data, s->a->estimates, &s->estimates));
    if (!s->estimates.count || (s->a->attacker == DIRECTION && s->estimates.count > 1)) {
        fail(work->error, BAD,
             s->estimates.count ? "one estimate, where its direction is known; several by --attacker distance"
                                : "names at least one estimate");
        TRY(error_parameter(work->error, "estimates"));
    }
    NEW(work, s->truth, s->estimates.count + 1);
    TRY(estimates_of(work, &s->estimates, s->a->data, s->truth));
    if (s->a->attacker == DISTANCE) TRY(find_scales(s));
done:
    return status;
}

static Status roc_release_run(Run *run, const void *p) {
    Status status = OK;
    Study s = { .run = run, .a = p };
    if (s.a->data->rows < 3) return fail(run->work.error, BAD, "a table of fewer than three records has no neighbour to compare with");
    TRY(prepare(&s));
    TRY(draw_everything(&s));
    TRY(report_areas(&s));
    TRY(report_copies(&s));
    result_note(run->result, "The attacker knows the table except for one person's membership and ranks releases by this statistic alone. "
                             "Another statistic may disclose more: the area is not an upper bound.");
done:
    return status;
}

static double cost(const void *p) {
    const args *a = p;
    return 1e-6 * (double)a->draws * (double)(a->records.count ? a->records.count + 1 : a->among + 1) * (double)a->data->rows;
}

const Method risk_roc_release = { .group = "risk",
                                  .name = "roc-release",
                                  .summary = "ROC risk of a randomised release: ability of an attacker to detect membership",
                                  .source = "Matthews & Harel 2012, section 6",
                                  .params = params,
                                  .size = sizeof(args),
                                  .traits = IDENTITY | INFERENTIAL | RANDOM | UNAUDITED,
                                  .run = roc_release_run,
                                  .passes = releasing,
                                  .headline = "-worst_auc",
                                  .values = values,
                                  .cost = cost,
                                  .example = "scrim risk roc-release examples/clinic.csv --method protect.noise --vars income --amount 0.1 "
                                             "--statistic estimates --estimates \"mean(income)\" --records 1,2 --draws 50 --seed 1" };
