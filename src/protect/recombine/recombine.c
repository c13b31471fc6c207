/* protect.recombine: records cut into sub-records, and these put together again across similar records. Defined after Paass 1988:
 * docs/methods/protect-recombine.md. */
#include "base/elementary.h"
#include "base/extremes.h"
#include "math/linear/moments.h"
#include "math/ranks.h"
#include "protect/microaggregate/job.h"
#include "protect/changed_table.h"
#include "protect/recombine/groups.h"

typedef struct {
    const Table *data;
    Groups groups;
    int64_t parts;
    Columns vars, match, strata;
    int64_t k;
} RecombineArgs;

static const Param params[] = {
    TABLE(RecombineArgs, data, "Table to protect", .flags = REQUIRED | POSITIONAL),
    GROUPS(RecombineArgs, groups, data,
           "Sub-records: columns separated by commas, sub-records by semicolons (a,b;c,d). Other columns are not moved"),
    INT(RecombineArgs, parts, ABSENT, 2, 1000, "Number of groups of columns, formed by association, instead of --groups (Paass uses 8)"),
    ONE_OF("groups", "parts"),
    COLUMNS(RecombineArgs, vars, data,
            "parts: the columns to group (default: all except strata, text and names that differ in every record)"),
    COLUMNS(RecombineArgs, match, data, "Columns on which records must be similar (default: those of the sub-records)"),
    INT(RecombineArgs, k, 10, 2, 1000000000,
        "Smallest number of similar records among which sub-records are recombined; the largest is 2k−1. Larger = more protection"),
    COLUMNS(RecombineArgs, strata, data, "Sub-records are recombined within each stratum"),
    END,
};

typedef struct {
    Run *run;
    const RecombineArgs *a;
    Groups groups;
    Columns match;
    Strata strata;
    Partition partition; /* similar records */
    GroupRows clusters;
    int64_t **from; /* group → record → the record whose sub-record it takes */
    int64_t unlike, untouched, together;
} Recombining;

static bool among(const Column *column, Columns columns) {
    for (int64_t k = 0; k < columns.count; k++)
        if (columns.at[k] == column) return true;
    return false;
}

static Status check_groups(Work *work, const RecombineArgs *a) {
    for (int64_t g = 0; g < a->groups.count; g++)
        for (int64_t k = 0; k < a->groups.at[g].count; k++) {
            bool twice = among(a->groups.at[g].at[k], a->strata);
            for (int64_t other = 0; other < g; other++) twice |= among(a->groups.at[g].at[k], a->groups.at[other]);
            if (!twice) continue;
            fail(work->error, BAD, "is named twice: a column is of one sub-record, or a stratum");
            return error_column(work->error, a->groups.at[g].at[k]->name);
        }
    if (!a->vars.count || a->parts != ABSENT) return OK;
    fail(work->error, BAD, "has a meaning only with --parts");
    return error_parameter(work->error, "vars");
}

/* Is it text, or a category of as many words as records? */
static Status tells_apart(Work *work, const Column *column, bool *out) {
    Status status = OK;
    Codes codes;
    *out = column->type == TEXT_TYPE;
    if (column->type != CATEGORY_TYPE) return OK;
    TRY(column_codes(work, column, &codes));
    *out = codes.count > 1 && codes.count >= column->rows - column->missing;
    codes_drop(work, column, &codes);
done:
    return status;
}

/* The columns that --parts groups: not what tells every record apart, since it has nothing in common with anything. */
static Status candidates(Recombining *r, Columns *out) {
    Status status = OK;
    const Table *data = r->a->data;
    *out = (Columns){ 0 };
    NEW(&r->run->work, out->at, data->columns + 1);
    for (int64_t j = 0; j < data->columns; j++) {
        const Column *column = data->column[j];
        bool tells = false;
        if (among(column, r->a->strata) || (r->a->vars.count && !among(column, r->a->vars))) continue;
        if (!r->a->vars.count) TRY(tells_apart(&r->run->work, column, &tells));
        if (!tells) out->at[out->count++] = column;
    }
    if (out->count >= r->a->parts) goto done;
    fail(r->run->work.error, BAD, "asks for %lld groups, and there are %lld columns to group", (long long)r->a->parts,
         (long long)out->count);
    TRY(error_parameter(r->run->work.error, "parts"));
done:
    return status;
}

static Status choose_groups(Recombining *r) {
    Status status = OK;
    Columns columns;
    TRY(check_groups(&r->run->work, r->a));
    r->groups = r->a->groups;
    if (r->a->parts != ABSENT) {
        TRY(candidates(r, &columns));
        TRY(column_groups(&r->run->work, columns, r->a->parts, &r->groups));
    }
    r->match = r->a->match;
    if (r->match.count) goto done;
    NEW(&r->run->work, r->match.at, r->a->data->columns + 1);
    for (int64_t g = 0; g < r->groups.count; g++)
        for (int64_t k = 0; k < r->groups.at[g].count; k++)
            if (r->groups.at[g].at[k]->type != TEXT_TYPE) r->match.at[r->match.count++] = r->groups.at[g].at[k];
    if (!r->match.count) {
        fail(r->run->work.error, BAD, "is needed: the sub-records hold only text");
        TRY(error_parameter(r->run->work.error, "match"));
    }
done:
    return status;
}

/* Records whose missing values leave them without k similar ones are put together, stratum by stratum; one alone joins a cluster of its
 * stratum. */
static Status place_rest(Recombining *r) {
    Status status = OK;
    Partition *p = &r->partition;
    for (int64_t s = 0; s < r->strata.count; s++) {
        int64_t rest = 0;
        int32_t other = -1;
        for (int64_t k = r->strata.start[s]; k < r->strata.start[s + 1]; k++) {
            int32_t group = p->group[r->strata.row[k]];
            if (group < 0) rest++;
            else other = group;
        }
        int32_t to = rest == 1 ? other : (int32_t)p->groups;
        if (!rest) continue;
        if (rest == 1 && other < 0) {
            r->untouched++;
            continue;
        }
        for (int64_t k = r->strata.start[s]; k < r->strata.start[s + 1]; k++)
            if (p->group[r->strata.row[k]] < 0) p->group[r->strata.row[k]] = to;
        p->groups += rest > 1;
        r->unlike += rest;
    }
    return status;
}

/* Clusters of similar records: those of microaggregation by maximum distance to the average. */
static Status find_similar(Recombining *r) {
    Status status = OK;
    Work *work = &r->run->work;
    int64_t rows = r->a->data->rows;
    args mdav = { .data = r->a->data, .vars = r->match, .k = r->a->k, .method = MDAV };
    Job job = { .run = r->run, .a = &mdav };
    TRY(strata_make(work, r->a->strata, rows, &r->strata));
    job.strata = r->strata;
    NEW(work, r->partition.group, rows + 1);
    for (int64_t i = 0; i < rows; i++) r->partition.group[i] = -1;
    TRY(job_space(work, r->match, &job.space));
    TRY(job_part_all(&job, &r->partition));
    TRY(place_rest(r));
    TRY(group_rows(work, &r->partition, rows, &r->clusters));
done:
    return status;
}

/* A cluster's records in random order; sub-record g of each goes to the one o_g places on. The o_g are drawn from 1 … c−1, different while
 * there are enough: then no two sub-records of a released record are of one person. */
static void turn_cluster(Recombining *r, RandomReader *reader, const int64_t *rows, int64_t c, int64_t *offset) {
    for (int64_t k = 0; k < c - 1; k++) offset[k] = k + 1;
    for (int64_t k = c - 2; k > 0; k--) {
        int64_t other = (int64_t)reader_below(reader, (uint64_t)k + 1), swap = offset[k];
        offset[k] = offset[other];
        offset[other] = swap;
    }
    for (int64_t g = 0; g < r->groups.count; g++)
        for (int64_t k = 0; k < c; k++) r->from[g][rows[k]] = rows[(k + offset[g % (c - 1)]) % c];
    if (r->groups.count > c - 1) r->together += c;
}

static Status recombine(Recombining *r) {
    Status status = OK;
    Work *work = &r->run->work;
    int64_t rows = r->a->data->rows, *order = NULL, *laid = NULL, *next = NULL, *offset = NULL;
    uint64_t *words = NULL;
    RandomStream places = run_stream(r->run, NULL, "order"), offsets = run_stream(r->run, NULL, "offset");
    RandomReader reader = reader_make(&offsets);
    NEW(work, r->from, r->groups.count + 1);
    NEW(work, words, rows + 1);
    NEW(work, order, rows + 1);
    NEW(work, laid, rows + 1);
    NEW(work, offset, rows + 1);
    NEW(work, next, r->clusters.count + 1);
    for (int64_t g = 0; g < r->groups.count; g++) {
        NEW(work, r->from[g], rows + 1);
        for (int64_t i = 0; i < rows; i++) r->from[g][i] = i;
    }
    stream_words(&places, 0, (size_t)rows, words);
    TRY(order_words(work, words, rows, order));
    for (int64_t c = 0; c < r->clusters.count; c++) next[c] = r->clusters.start[c];
    for (int64_t k = 0; k < rows; k++)
        if (r->partition.group[order[k]] >= 0) laid[next[r->partition.group[order[k]]]++] = order[k];
    for (int64_t c = 0; c < r->clusters.count; c++) {
        int64_t size = r->clusters.start[c + 1] - r->clusters.start[c];
        if (size > 1) turn_cluster(r, &reader, laid + r->clusters.start[c], size, offset);
        else r->untouched += size;
    }
done:
    return status;
}

/* The largest change of a correlation between numbers of different sub-records, or of one and what stays. */
static Status say_correlations(Recombining *r, Column **made, int64_t count) {
    Status status = OK;
    Work *work = &r->run->work;
    const double **x[2] = { NULL };
    const Column **numbers = NULL;
    int64_t m = 0;
    double worst = NAN;
    Moments moments[2];
    NEW(work, numbers, count + 1);
    for (int side = 0; side < 2; side++) NEW(work, x[side], count + 1);
    for (int64_t j = 0; j < count; j++) {
        const Column *before = table_column(r->a->data, made[j]->name);
        if (!column_numeric(before)) continue;
        TRY(column_reals(work, before, &x[0][m]));
        TRY(column_reals(work, made[j], &x[1][m]));
        numbers[m++] = before;
    }
    for (int64_t j = 0; j < m; j++)
        for (int64_t k = 0; k < j; k++) {
            for (int side = 0; side < 2; side++)
                TRY(moments_make(work, (const double *[]){ x[side][j], x[side][k] }, 2, NULL, r->a->data->rows, &moments[side]));
            worst = larger_known(worst, fabs(moments_correlation(&moments[0], 0, 1) - moments_correlation(&moments[1], 0, 1)));
        }
    result_real(r->run->result, "correlation_change", worst);
done:
    return status;
}

static void say(Recombining *r) {
    Result *result = r->run->result;
    int64_t least = 0, most = 0;
    Grid *grid = grid_new(result, "groups", "group:integer columns:text count:integer");
    for (int64_t g = 0; g < r->groups.count; g++) {
        Buffer names = { 0 };
        for (int64_t k = 0; k < r->groups.at[g].count; k++) buffer_print(&names, "%s%s", k ? ", " : "", r->groups.at[g].at[k]->name);
        grid_integer(grid, g + 1);
        grid_text(grid, buffer_get(&names));
        grid_integer(grid, r->groups.at[g].count);
        buffer_free(&names);
    }
    grid_done(grid);
    for (int64_t c = 0; c < r->clusters.count; c++) {
        int64_t size = r->clusters.start[c + 1] - r->clusters.start[c];
        if (!c || size < least) least = size;
        if (size > most) most = size;
    }
    result_integer(result, "clusters", r->clusters.count);
    result_integer(result, "smallest", least);
    result_integer(result, "largest", most);
    result_integer(result, "unlike", r->unlike);
    result_integer(result, "untouched", r->untouched);
    result_note(result,
                "Every sub-record is released once%s, so tables of columns of one sub-record are exact. Other columns are not moved.",
                r->strata.count > 1 ? ", in its stratum" : "");
    if (r->untouched) result_note(result, "Warning: %lld records are alone in their stratum and stay unchanged.", (long long)r->untouched);
    if (r->unlike)
        result_note(
            result,
            "%lld records had fewer than k in their stratum with the same values missing. They were recombined regardless of similarity.",
            (long long)r->unlike);
    if (r->together)
        result_note(result,
                    "%lld records have two sub-records of one person, because there are more sub-records than other records in the "
                    "cluster. Use a larger --k.",
                    (long long)r->together);
}

static Status recombine_run(Run *run, const void *p) {
    const RecombineArgs *a = p;
    Status status = OK;
    Column **made = NULL;
    int64_t count = 0;
    Recombining r = { .run = run, .a = a };
    NEW(&run->work, made, a->data->columns + 1);
    TRY(choose_groups(&r));
    TRY(find_similar(&r));
    TRY(recombine(&r));
    for (int64_t g = 0; g < r.groups.count; g++)
        for (int64_t k = 0; k < r.groups.at[g].count; k++, count++)
            TRY(column_of_rows(r.groups.at[g].at[k], r.from[g], &made[count], run->work.error));
    TRY(output_changed(run, a->data, made, count));
    TRY(say_correlations(&r, made, count));
    say(&r);
done:
    columns_release(made, count + 1);
    return status;
}

static const Return values[] = {
    CHANGED_VALUES,
    VALUE(correlation_change, REAL, "Largest change of a correlation between two numbers of the sub-records. 0 = unchanged",
          .flags = PUBLIC),
    VALUE(clusters, INTEGER, "Clusters of similar records", .flags = PUBLIC),
    VALUE(smallest, INTEGER, "Records in the smallest cluster. Larger is safer", .flags = PUBLIC),
    VALUE(largest, INTEGER, "Records in the largest cluster", .flags = PUBLIC),
    VALUE(unlike, INTEGER, "Records recombined regardless of similarity, because values are missing", .flags = PUBLIC),
    VALUE(untouched, INTEGER, "Records without another record in their stratum", .flags = PUBLIC),
    TABLE_OUT(groups, "group:integer columns:text count:integer", "The sub-records and their columns", .flags = PUBLIC),
    RELEASED("The protected table"),
    END,
};

const Method protect_recombine = {
    .group = "protect",
    .name = "recombine",
    .summary = "Recombination: exchange sub-records among similar records",
    .source = "Paass 1988",
    .params = params,
    .size = sizeof(RecombineArgs),
    .traits = PERTURBS | RANDOM | IDENTITY | ATTRIBUTE | CODES_AS_CATEGORIES,
    .run = recombine_run,
    .values = values,
    .example =
        "scrim protect recombine examples/clinic.csv --groups 'sex,age,marital;income,education,occupation;cholesterol,bmi,diagnosis' "
        "--match age,income,bmi --k 6",
};
