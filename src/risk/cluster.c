/* Clusters (Rajasekaran et al. 2009): records far from the centre of their own cluster, and those in clusters of few, stand out. */
#include <string.h>
#include "base/elementary.h"
#include "math/linear/moments.h"
#include "math/ranks.h"
#include "math/linear/symmetric.h"
#include "risk/paired_columns.h"

typedef struct {
    const Table *data;
    Columns vars;
    int64_t clusters, min_size;
    double far;
} args;
static const Param params[] = {
    TABLE(args, data, "Table to examine", .flags = REQUIRED | POSITIONAL),
    COLUMNS(args, vars, data, "Numeric columns", .flags = REQUIRED | NUMERIC, .role = "numeric"),
    INT(args, clusters, 10, 1, 100000, "Number of clusters"),
    INT(args, min_size, 5, 1, 1000000000, "Clusters with fewer records than this are small"),
    REAL(args, far, 3, 0, 1e9, "A record is far if its distance exceeds the mean distance by this many standard deviations"),
    END,
};
static const Return values[] = {
    VALUE(far, INTEGER, "Records far from the centre of their cluster. 0 = safe", .flags = PUBLIC),
    VALUE(in_small_clusters, INTEGER, "Records in clusters of fewer than --min-size. 0 = safe", .flags = PUBLIC),
    VALUE(exposed, INTEGER, "Records that are far or in a small cluster. 0 = safe", .flags = PUBLIC),
    VALUE(mean_distance, REAL, "Mean distance to the cluster's centre, in standard deviations of the columns", .flags = PUBLIC),
    VALUE(records, INTEGER, "Records that were clustered (without missing values)", .flags = PUBLIC),
    VALUE(iterations, INTEGER, "Iterations of k-means", .flags = PUBLIC),
    TABLE_OUT(clusters, "cluster:integer records:integer mean_distance:real largest_distance:real far:integer",
              "Each cluster: its records, their mean and largest distance, and how many are far"),
    RECORD(cluster, REAL, "Cluster of the record"),
    RECORD(distance, REAL, "Distance to its cluster's centre"),
    RECORD(cluster_size, REAL, "Records in its cluster"),
    RECORD(far, REAL, "1 = further from the centre than --far allows"),
    RECORD(exposed, REAL, "1 = far, or in a small cluster: `protect suppress-records --where \"exposed == 1\"` drops those"),
    END,
};

/* Complete records in units of the columns' standard deviations. */
typedef struct Points {
    int64_t count, columns, clusters;
    double *x;
    int32_t *row;
    double *centre;
    int32_t *of;
    double *distance;
} Points;

static Status points_of(Run *run, const args *a, Points *p) {
    Status status = OK;
    const double **x;
    Moments m;
    int64_t rows = a->data->rows;
    TRY(columns_reals(&run->work, a->vars, &x));
    TRY(moments_make(&run->work, x, a->vars.count, NULL, rows, &m));
    p->columns = a->vars.count;
    NEW(&run->work, p->x, rows * p->columns + 1);
    NEW(&run->work, p->row, rows + 1);
    for (int64_t i = 0; i < rows; i++) {
        bool whole = true;
        for (int64_t j = 0; j < p->columns; j++) {
            double sd = m.rows > 1 ? sqrt(moments_covariance(&m, j, j)) : 0;
            p->x[p->count * p->columns + j] = sd > 0 ? (x[j][i] - m.mean[j]) / sd : x[j][i] * 0;
            whole &= !isnan(x[j][i]);
        }
        if (whole) p->row[p->count++] = (int32_t)i;
    }
    p->clusters = a->clusters < p->count ? a->clusters : p->count;
    NEW(&run->work, p->centre, p->clusters * p->columns + 1);
    NEW(&run->work, p->of, p->count + 1);
done:
    return status;
}

/* The start: records in order of the first principal component, cut into equally many. No random numbers, and no outlier gets a cluster by
 * being one. */
static Status start(Run *run, Points *p) {
    Status status = OK;
    int64_t d = p->columns, *order = NULL, count = 0;
    double *r = NULL, *value = NULL, *vector = NULL, *score = NULL;
    NEW(&run->work, r, d * d);
    NEW(&run->work, value, d);
    NEW(&run->work, vector, d * d);
    NEW(&run->work, score, p->count + 1);
    NEW(&run->work, order, p->count + 1);
    for (int64_t i = 0; i < p->count; i++)
        for (int64_t j = 0; j < d; j++)
            for (int64_t k = 0; k < d; k++) r[j * d + k] += p->x[i * d + j] * p->x[i * d + k];
    TRY(principal_axes(&run->work, r, d, value, vector));
    for (int64_t i = 0; i < p->count; i++)
        for (int64_t j = 0; j < d; j++) score[i] += vector[j] * p->x[i * d + j];
    TRY(order_reals(&run->work, score, p->count, order, &count));
    for (int64_t i = 0; i < count; i++) p->of[order[i]] = (int32_t)(i * p->clusters / count);
done:
    arena_drop(run->work.arena, score);
    arena_drop(run->work.arena, order);
    return status;
}

/* Two numbers side by side. */
enum { TWIN = 2, LANES = 2 * TWIN };
typedef double Twin __attribute__((vector_size(TWIN * sizeof(double)), aligned(8)));

/* to += x/size; divisions are what it waits for. */
static inline void add_share(const double *x, double size, int64_t d, double *to) {
    int64_t j = 0;
    for (; j + TWIN <= d; j += TWIN) *(Twin *)(void *)(to + j) += *(const Twin *)(const void *)(x + j) / size;
    for (; j < d; j++) to[j] += x[j] / size;
}

static void centres(Points *p, int64_t *size) {
    int64_t d = p->columns;
    for (int64_t c = 0; c < p->clusters; c++) size[c] = 0;
    for (int64_t i = 0; i < p->count; i++) size[p->of[i]]++;
    for (int64_t c = 0; c < p->clusters; c++)
        for (int64_t j = 0; size[c] && j < d; j++) p->centre[c * d + j] = 0;
    for (int64_t i = 0; i < p->count; i++) add_share(p->x + i * d, (double)size[p->of[i]], d, p->centre + p->of[i] * d);
}

/* Bounds on distances spare most of them (Hamerly 2010): `upper` on that to a record's own centre, `lower` on those to all others. A record
 * whose nearest centre could have changed, by however little, is measured again, so that the clusters are Lloyd's. */
typedef struct Assign {
    Points *p;
    int64_t *moved;
    double *upper, *lower;     /* of each record */
    double *before, *drift;    /* centres of the last round, and how far each has gone since */
    double *apart, most_drift; /* half the way from each centre to the nearest other one */
    double *across;            /* the centres axis by axis, `width` to each: clusters, and more up to a multiple of LANES, ever so far */
    int64_t width;
} Assign;
static const double SURE = 1 + 1e-9;
enum { BLOCK = 4096 };

static double square_distance(const Points *p, const double *x, int64_t c) {
    double sum = 0;
    for (int64_t j = 0; j < p->columns; j++) {
        double gap = x[j] - p->centre[c * p->columns + j];
        sum += gap * gap;
    }
    return sum;
}

/* The squares of the distances to LANES centres from c on, each sum in the order of square_distance. */
static inline void some_distances(const Assign *a, const double *x, int64_t c, double out[LANES]) {
    Twin sum[2] = { { 0 }, { 0 } };
    for (int64_t j = 0; j < a->p->columns; j++) {
        const Twin *centre = (const Twin *)(const void *)(a->across + j * a->width + c);
        Twin gap[2] = { x[j] - centre[0], x[j] - centre[1] };
        sum[0] += gap[0] * gap[0];
        sum[1] += gap[1] * gap[1];
    }
    memcpy(out, sum, sizeof sum);
}

/* The nearest centre, the first of equals; and how far the next one is. */
static int32_t nearest_of(const Assign *a, int64_t i, double *out_least, double *out_next) {
    const double *x = a->p->x + i * a->p->columns;
    double least = INFINITY, next = INFINITY, sum[LANES];
    int64_t nearest = a->p->of[i];
    for (int64_t c = 0; c < a->width; c += LANES) {
        some_distances(a, x, c, sum);
        for (int64_t l = 0; l < LANES; l++) {
            double larger = sum[l] > least ? sum[l] : least;
            int64_t nearer = -(int64_t)(sum[l] < least);
            next = larger < next ? larger : next;
            least = sum[l] < least ? sum[l] : least;
            nearest ^= (nearest ^ (c + l)) & nearer;
        }
    }
    *out_least = least;
    *out_next = next;
    return (int32_t)nearest;
}

/* The least that the other centres are from a record. */
static inline double others_from(const Assign *a, int64_t i) {
    double apart = a->apart[a->p->of[i]];
    return apart > a->lower[i] ? apart : a->lower[i];
}

/* Those that the bounds leave open are listed, then those that the distance to their own centre does: no branch has to be guessed. */
static Status assign(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    Assign *a = self;
    Points *p = a->p;
    int64_t row[BLOCK], open = 0, unsure = 0;
    (void)error;
    for (int64_t i = first; i < last; i++) {
        a->upper[i] += a->drift[p->of[i]];
        a->lower[i] -= a->most_drift;
        row[open] = i;
        open += !(a->upper[i] * SURE < others_from(a, i));
    }
    for (int64_t k = 0; k < open; k++) {
        int64_t i = row[k];
        a->upper[i] = sqrt(square_distance(p, p->x + i * p->columns, p->of[i]));
        row[unsure] = i;
        unsure += !(a->upper[i] * SURE < others_from(a, i));
    }
    for (int64_t k = 0; k < unsure; k++) {
        int64_t i = row[k];
        int32_t own = p->of[i];
        double least, next;
        p->of[i] = nearest_of(a, i, &least, &next);
        a->moved[block] += p->of[i] != own;
        a->upper[i] = sqrt(least);
        a->lower[i] = sqrt(next);
    }
    return OK;
}

static Status measure_block(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    (void)block, (void)error;
    Points *p = ((Assign *)self)->p;
    for (int64_t i = first; i < last; i++) p->distance[i] = sqrt(square_distance(p, p->x + i * p->columns, p->of[i]));
    return OK;
}

/* How far centres went, and how far apart they are now. */
static void take_bounds(Assign *a) {
    Points *p = a->p;
    a->most_drift = 0;
    for (int64_t c = 0; c < p->clusters; c++) {
        double nearest = INFINITY;
        a->drift[c] = sqrt(square_distance(p, a->before + c * p->columns, c));
        if (a->drift[c] > a->most_drift) a->most_drift = a->drift[c];
        for (int64_t other = 0; other < p->clusters; other++) {
            double sum = other == c ? INFINITY : square_distance(p, p->centre + other * p->columns, c);
            if (sum < nearest) nearest = sum;
        }
        a->apart[c] = sqrt(nearest) / 2;
    }
    for (int64_t c = 0; c < a->width; c++)
        for (int64_t j = 0; j < p->columns; j++) a->across[j * a->width + c] = c < p->clusters ? p->centre[c * p->columns + j] : INFINITY;
    memcpy(a->before, p->centre, (size_t)(p->clusters * p->columns) * sizeof *a->before);
}

static Status bounds_make(Run *run, Assign *a) {
    Status status = OK;
    Points *p = a->p;
    NEW(&run->work, a->upper, p->count + 1);
    NEW(&run->work, a->lower, p->count + 1);
    NEW(&run->work, a->before, p->clusters * p->columns + 1);
    NEW(&run->work, a->drift, p->clusters + 1);
    NEW(&run->work, a->apart, p->clusters + 1);
    a->width = blocks_of(p->clusters, LANES) * LANES;
    NEW(&run->work, a->across, a->width * p->columns + 1);
    for (int64_t i = 0; i < p->count; i++) a->upper[i] = INFINITY; /* nothing is known yet */
done:
    return status;
}

/* Lloyd's k-means (1982). A cluster that empties keeps its last centre. */
static Status cluster(Run *run, Points *p, int64_t *size, int64_t *rounds) {
    enum { MOST = 300 };
    Status status = OK;
    Assign a = { .p = p };
    int64_t moved = 1, blocks = blocks_of(p->count, BLOCK);
    NEW(&run->work, a.moved, blocks + 1);
    TRY(start(run, p));
    TRY(bounds_make(run, &a));
    for (*rounds = 0; moved && *rounds < MOST; ++*rounds) {
        centres(p, size);
        take_bounds(&a);
        for (int64_t b = 0; b < blocks; b++) a.moved[b] = 0;
        TRY(parallel_for(&run->work, p->count, BLOCK, assign, &a));
        moved = 0;
        for (int64_t b = 0; b < blocks; b++) moved += a.moved[b];
        work_show(&run->work, "clustering", (double)*rounds / MOST);
    }
    arena_drop(run->work.arena, a.lower);
    a.lower = NULL;
    NEW(&run->work, p->distance, p->count + 1);
    TRY(parallel_for(&run->work, p->count, BLOCK, measure_block, &a));
    centres(p, size);
    if (moved) result_note(run->result, "k-means did not converge in %d iterations.", MOST);
done:
    arena_drop(run->work.arena, a.upper);
    arena_drop(run->work.arena, a.lower);
    return status;
}

static Status report(Run *run, const args *a, const Points *p, const int64_t *size) {
    Status status = OK;
    enum { RECORDS = 5 };
    static const char *const name[RECORDS] = { "cluster", "distance", "cluster_size", "far", "exposed" };
    double mean = 0, square = 0, *sum = NULL, *most = NULL, *record[RECORDS] = { 0 };
    int64_t far = 0, small = 0, exposed = 0, rows = a->data->rows, *outside = NULL;
    NEW(&run->work, sum, p->clusters + 1);
    NEW(&run->work, most, p->clusters + 1);
    NEW(&run->work, outside, p->clusters + 1);
    for (int k = 0; k < RECORDS; k++) {
        if (!run_wants(run, name[k])) continue;
        NEW(&run->work, record[k], rows + 1);
        for (int64_t i = 0; i < rows; i++) record[k][i] = NAN;
    }
    for (int64_t i = 0; i < p->count; i++) mean += p->distance[i] / (double)p->count;
    for (int64_t i = 0; i < p->count; i++) square += (p->distance[i] - mean) * (p->distance[i] - mean);
    double limit = mean + a->far * (p->count > 1 ? sqrt(square / (double)(p->count - 1)) : 0);
    for (int64_t i = 0; i < p->count; i++) {
        int32_t c = p->of[i];
        bool is_far = p->distance[i] > limit, is_small = size[c] < a->min_size;
        far += is_far;
        small += is_small;
        exposed += is_far || is_small;
        outside[c] += is_far;
        sum[c] += p->distance[i];
        most[c] = fmax(most[c], p->distance[i]);
        const double own[RECORDS] = { c + 1, p->distance[i], (double)size[c], is_far, is_far || is_small };
        for (int k = 0; k < RECORDS; k++)
            if (record[k]) record[k][p->row[i]] = own[k];
    }
    result_integer(run->result, "far", far);
    result_integer(run->result, "in_small_clusters", small);
    result_integer(run->result, "exposed", exposed);
    result_real(run->result, "mean_distance", p->count ? mean : NAN);
    result_integer(run->result, "records", p->count);
    Grid *grid = grid_new(run->result, "clusters", "cluster:integer records:integer mean_distance:real largest_distance:real far:integer");
    for (int64_t c = 0; c < p->clusters; c++) {
        if (!size[c]) continue;
        grid_integer(grid, c + 1);
        grid_integer(grid, size[c]);
        grid_real(grid, sum[c] / (double)size[c]);
        grid_real(grid, most[c]);
        grid_integer(grid, outside[c]);
    }
    grid_done(grid);
    for (int k = 0; k < RECORDS; k++)
        if (record[k]) TRY(put_reals(run, "data", name[k], record[k], rows));
done:
    return status;
}

static Status cluster_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    Points points = { 0 };
    int64_t *size = NULL, rounds = 0;
    TRY(points_of(run, a, &points));
    NEW(&run->work, size, points.clusters + 1);
    if (points.count) TRY(cluster(run, &points, size, &rounds));
    TRY(report(run, a, &points, size));
    result_integer(run->result, "iterations", rounds);
    result_note(run->result, "Records with a missing value are in no cluster.");
done:
    return status;
}

static double cost(const void *p) {
    const args *a = p;
    return 1e-9 * 30 * (double)a->data->rows * (double)a->clusters * (double)a->vars.count;
}

const Method risk_cluster = {
    .group = "risk",
    .name = "cluster",
    .summary = "Cluster-based outlier risk: records far from the centre of their cluster, or in small clusters",
    .source = "Rajasekaran et al. 2009; Lloyd 1982",
    .params = params,
    .size = sizeof(args),
    .traits = IDENTITY,
    .run = cluster_run,
    .values = values,
    .cost = cost,
    .example = "scrim risk cluster examples/clinic.csv --vars income,visits,cholesterol,bmi --clusters 8",
};
