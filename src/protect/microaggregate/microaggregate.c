/* protect.microaggregate: values replaced by the averages of small groups of similar records. */
#include "base/elementary.h"
#include "base/number_text.h"
#include "protect/microaggregate/job.h"
#include "protect/changed_table.h"

static const Param params[] = {
    TABLE(args, data, "Table to protect", .flags = REQUIRED | POSITIONAL),
    COLUMNS(args, vars, data, "Columns to aggregate. Categories get the mode of their group", .flags = REQUIRED, .role = "numeric"),
    INT(args, k, 3, 2, 1e9, "Smallest group size (k). The largest is 2k−1. Larger = more protection"),
    CHOICE(args, method, "mdav", "Grouping: mdav, vmdav and pca over all columns at once, the other two for each column separately",
           WORDS("mdav", "vmdav", "optimal-univariate", "individual-ranking", "pca")),
    CHOICE(args, aggregate, "mean", "Aggregate of a number: mean or median", WORDS("mean", "median")),
    REAL(args, gamma, 0.2, 0, 1e6, "vmdav: a group grows while the next record is nearer than this multiple of its distance to the rest"),
    ONLY_IF("gamma", "method", "vmdav"),
    COLUMNS(args, strata, data, "Groups are formed within each stratum"),
    PERSON(args, data),
    END,
};

static const Return values[] = {
    VALUE(groups, INTEGER, "Groups formed, over all columns if each has its own", .flags = PUBLIC),
    VALUE(smallest, INTEGER, "Records in the smallest group. Larger is safer", .flags = PUBLIC),
    VALUE(largest, INTEGER, "Records in the largest group", .flags = PUBLIC),
    VALUE(information_loss, REAL, "Information loss in percent, 0 to 100: 100·SSE/SST on standardised columns. Smaller = more utility",
          .flags = PUBLIC),
    VALUE(blanked, INTEGER,
          "Records that could not be in a group of k (too few have the same values missing), whose values were suppressed",
          .flags = PUBLIC),
    CHANGED_VALUES,
    TABLE_OUT(columns, "column:text information_loss:real groups:integer smallest:integer largest:integer",
              "Information loss of each column, and its groups", .flags = PUBLIC),
    TABLE_OUT(sizes, "records:integer groups:integer", "Groups by number of records", .flags = PUBLIC),
    RELEASED("The protected table"),
    END,
};

/* 100·SSE/SST: squared changes over squared deviations from the mean, of the values that are there before and after, in standard
 * deviations: numbers of any size. */
static Status column_loss(Work *work, const Column *before, const Column *after, double *loss, double *total) {
    Status status = OK;
    const Scale *scale;
    Space x, y;
    *loss = *total = 0;
    if (!column_numeric(before)) return OK;
    TRY(scale_make(work, (Columns){ 1, &before }, NULL, EUCLIDEAN, &scale));
    TRY(scale_space(work, scale, (Columns){ 1, &before }, &x));
    TRY(scale_space(work, scale, (Columns){ 1, &after }, &y));
    if (!x.axes) return OK;
    for (int64_t i = 0; i < before->rows; i++) {
        double change = space_measure(&x, i, &y, i);
        if (!isnan(change)) *loss += change;
    }
    *total = (double)(before->rows - before->missing - 1);
    space_drop(work, &x);
    space_drop(work, &y);
done:
    return status;
}

static Status finish_column(Job *job, int64_t j, const GroupRows *groups, const Partition *partition) {
    Status status = OK;
    Work *work = &job->run->work;
    const Column *column = job->a->vars.at[j];
    TRY(aggregate_column(work, column, groups, partition, job->a->aggregate, true, &job->column[j]));
    TRY(column_loss(work, column, job->column[j], &job->loss[j], &job->total[j]));
    job->groups[j] = groups->count;
    job->smallest[j] = groups->count ? INT64_MAX : 0;
    for (int64_t g = 0; g < groups->count; g++) {
        int64_t size = groups->start[g + 1] - groups->start[g];
        if (size < job->smallest[j]) job->smallest[j] = size;
        if (size > job->largest[j]) job->largest[j] = size;
    }
done:
    return status;
}

static Status new_partition(Work *work, int64_t rows, Partition *out) {
    Status status = OK;
    *out = (Partition){ 0 };
    NEW(work, out->group, rows + 1);
    for (int64_t i = 0; i < rows; i++) out->group[i] = -1;
done:
    return status;
}

static void count_sizes(Job *job, const GroupRows *groups) {
    for (int64_t g = 0; g < groups->count; g++) job->sizes[groups->start[g + 1] - groups->start[g] - job->a->k]++;
}

static Status together(Job *job) {
    Status status = OK;
    Work *work = &job->run->work;
    Partition partition;
    GroupRows groups;
    TRY(job_space(work, job->a->vars, &job->space));
    TRY(new_partition(work, job->a->data->rows, &partition));
    TRY(job_part_all(job, &partition));
    TRY(group_rows(work, &partition, job->a->data->rows, &groups));
    count_sizes(job, &groups);
    for (int64_t j = 0; j < job->a->vars.count; j++) TRY(finish_column(job, j, &groups, &partition));
done:
    return status;
}

static Status one_by_one(Job *job) {
    Status status = OK;
    Work *work = &job->run->work;
    for (int64_t j = 0; j < job->a->vars.count; j++) {
        Partition partition;
        GroupRows groups;
        TRY(new_partition(work, job->a->data->rows, &partition));
        TRY(job_part_column(job, job->a->vars.at[j], &partition));
        TRY(group_rows(work, &partition, job->a->data->rows, &groups));
        count_sizes(job, &groups);
        TRY(finish_column(job, j, &groups, &partition));
        arena_drop(work->arena, partition.group);
        arena_drop(work->arena, groups.row);
        arena_drop(work->arena, groups.start);
    }
done:
    return status;
}

/* ---- What it says ---- */

static void say_columns(Job *job) {
    Grid *grid = grid_new(job->run->result, "columns", "column:text information_loss:real groups:integer smallest:integer largest:integer");
    for (int64_t j = 0; j < job->a->vars.count; j++) {
        grid_text(grid, job->a->vars.at[j]->name);
        grid_real(grid, job->total[j] > 0 ? 100 * job->loss[j] / job->total[j] : NAN);
        grid_integer(grid, job->groups[j]);
        grid_integer(grid, job->smallest[j]);
        grid_integer(grid, job->largest[j]);
    }
    grid_done(grid);
}

static void say_sizes(Job *job, int64_t largest) {
    Grid *grid = grid_new(job->run->result, "sizes", "records:integer groups:integer");
    for (int64_t size = job->a->k; size <= largest; size++) {
        if (!job->sizes[size - job->a->k]) continue;
        grid_integer(grid, size);
        grid_integer(grid, job->sizes[size - job->a->k]);
    }
    grid_done(grid);
}

static void say_values(Job *job) {
    Result *result = job->run->result;
    const args *a = job->a;
    int64_t groups = 0, smallest = INT64_MAX, largest = 0;
    double loss = 0, total = 0;
    bool each = a->method == OPTIMAL_UNIVARIATE || a->method == INDIVIDUAL_RANKING;
    for (int64_t j = 0; j < a->vars.count; j++) {
        groups = each ? groups + job->groups[j] : job->groups[j];
        if (job->groups[j] && job->smallest[j] < smallest) smallest = job->smallest[j];
        if (job->largest[j] > largest) largest = job->largest[j];
        loss += job->loss[j];
        total += job->total[j];
    }
    result_integer(result, "groups", groups);
    if (groups) result_integer(result, "smallest", smallest);
    else result_null(result, "smallest", "No group was formed.");
    result_integer(result, "largest", largest);
    if (total > 0) result_real(result, "information_loss", 100 * loss / total);
    else result_null(result, "information_loss", "No numeric column varies, so there is no variation to lose.");
    result_integer(result, "blanked", job->blanked);
    if (job->blanked)
        result_note(result, "%lld %s fewer than %lld in their stratum %s and were suppressed, because no group of %lld contains them.",
                    (long long)job->blanked, each ? "values are" : "records are", (long long)a->k,
                    each ? "and column" : "that lack the same values", (long long)a->k);
    say_columns(job);
    say_sizes(job, largest);
}

static void say_missing(Job *job) {
    bool each = job->a->method == OPTIMAL_UNIVARIATE || job->a->method == INDIVIDUAL_RANKING;
    for (int64_t j = 0; j < job->a->vars.count; j++) {
        if (!job->a->vars.at[j]->missing) continue;
        result_note(job->run->result,
                    each ? "Missing values are in no group, and stay missing."
                         : "Records are grouped with records that have the same values missing. Missing values stay missing.");
        return;
    }
}

static void say_chart(Job *job) {
    Chart *chart = result_chart(job->run->result, CHART_BAR, "Information loss by column", "column", "100·SSE/SST");
    chart_of(chart, "columns");
    double *bar = NULL;
    const char **name = NULL;
    int64_t count = 0;
    Work *work = &job->run->work;
    if (arena_array(work->arena, job->a->vars.count + 1, sizeof *bar, &bar, NULL) ||
        arena_array(work->arena, job->a->vars.count + 1, sizeof *name, &name, NULL))
        return;
    for (int64_t j = 0; j < job->a->vars.count; j++) {
        if (!(job->total[j] > 0)) continue;
        bar[count] = 100 * job->loss[j] / job->total[j];
        name[count++] = job->a->vars.at[j]->name;
    }
    chart_series(chart, "information loss", count, NULL, bar, NULL, name);
}

/* ---- Running it ---- */

static Status check(Job *job) {
    const args *a = job->a;
    Error *error = job->run->work.error;
    int64_t small = 0;
    for (int64_t j = 0; a->method == OPTIMAL_UNIVARIATE && j < a->vars.count; j++)
        if (!column_numeric(a->vars.at[j])) {
            fail(error, BAD, "optimal-univariate needs numbers");
            return error_column(error, a->vars.at[j]->name);
        }
    bool numbers = a->method != PCA;
    for (int64_t j = 0; j < a->vars.count; j++) numbers |= column_numeric(a->vars.at[j]);
    if (!numbers) {
        fail(error, BAD, "pca needs at least one column of numbers");
        return error_parameter(error, "vars");
    }
    for (int64_t s = 0; s < job->strata.count; s++) small += job->strata.start[s + 1] - job->strata.start[s] < a->k;
    if (!small || !a->data->rows) return OK;
    if (a->strata.count) fail(error, BAD, "%lld strata have fewer records than the %lld of a group", (long long)small, (long long)a->k);
    else fail(error, BAD, "the table has %lld records, fewer than the %lld of a group", (long long)a->data->rows, (long long)a->k);
    return error_advice(error, a->strata.count ? "Merge small strata (protect recode), or lower --k." : "Lower --k.");
}

static Status microaggregate_run(Run *run, const void *p) {
    Status status = OK;
    Work *work = &run->work;
    Job job = { .run = run, .a = p };
    int64_t vars = job.a->vars.count;
    TRY(strata_make(work, job.a->strata, job.a->data->rows, &job.strata));
    TRY(check(&job));
    NEW(work, job.column, vars + 1);
    NEW(work, job.loss, vars + 1);
    NEW(work, job.total, vars + 1);
    NEW(work, job.groups, vars + 1);
    NEW(work, job.smallest, vars + 1);
    NEW(work, job.largest, vars + 1);
    NEW(work, job.sizes, (job.a->data->rows ? job.a->k : 0) + 1);
    bool each = job.a->method == OPTIMAL_UNIVARIATE || job.a->method == INDIVIDUAL_RANKING;
    TRY(each ? one_by_one(&job) : together(&job));
    say_values(&job);
    say_missing(&job);
    say_chart(&job);
    TRY(output_changed(run, job.a->data, job.column, vars));
done:
    columns_release(job.column, vars);
    return status;
}

const Method protect_microaggregate = { .group = "protect",
                                        .name = "microaggregate",
                                        .summary = "Microaggregation: replace values by the means of groups of at least k similar records",
                                        .source =
                                            "Domingo-Ferrer & Mateo-Sanz 2002; Hansen & Mukherjee 2003; Solanas & Martínez-Ballesté 2006",
                                        .params = params,
                                        .size = sizeof(args),
                                        .traits = BY_PERSON | IDENTITY | ATTRIBUTE | CODES_AS_CATEGORIES,
                                        .run = microaggregate_run,
                                        .values = values,
                                        .example = "scrim protect microaggregate examples/clinic.csv --vars income,visits,bmi --k 3" };
