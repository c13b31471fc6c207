/* Home: where each subject of a set of tracks lives, and how near the guess comes (Krumm 2007). */
#include "attack/home/home.h"
#include <stdlib.h>
#include <string.h>
#include "base/compare.h"
#include "base/elementary.h"
#include "base/extremes.h"
#include "base/number_text.h"
#include "math/proportion.h"
#include "table/time_of_day.h"
#include "classes/joint_codes.h"

typedef struct {
    const Table *data;
    const Column *lat, *lon, *time, *subject;
    unsigned method;
    double hour, radius;
    const Table *homes;
} args;
static const Param params[] = {
    TABLE(args, data, "Released tracks: one record for each position", .flags = REQUIRED | POSITIONAL),
    COLUMN(args, lat, data, "Latitude, degrees", .flags = REQUIRED | NUMERIC),
    COLUMN(args, lon, data, "Longitude, degrees", .flags = REQUIRED | NUMERIC),
    COLUMN(args, time, data, "Local date and time (2024-03-04T23:15:00)", .flags = REQUIRED),
    COLUMN(args, subject, data, "Column that identifies the subject of a position", .flags = REQUIRED),
    CHOICE(args, method, "last-destination", "Rule by which the home is estimated",
           WORDS("last-destination", "weighted-median", "largest-cluster", "best-time")),
    REAL(args, hour, 3, 0, 24, "best-time: hour at which people are most likely to be at home"),
    ONLY_IF("hour", "method", "best-time"),
    TABLE(args, homes,
          "True homes, to judge the estimates (columns named like --subject, --lat and --lon; a subject may have several homes)"),
    REAL(args, radius, 60, 0, 2e7, "An estimate within this many metres counts as correct"),
    END,
};
static const Return values[] = {
    VALUE(subjects, INTEGER, "Subjects with at least one usable position", .flags = PUBLIC),
    VALUE(judged, INTEGER, "Subjects whose true home is known", .flags = PUBLIC),
    VALUE(median_error, REAL, "Median distance between estimate and home, in metres. Larger is safer", .flags = PUBLIC),
    VALUE(found, INTEGER, "Homes estimated to within --radius. Smaller is safer", .flags = PUBLIC),
    VALUE(share, REAL, "found / judged, 0 to 1. Smaller is safer", .flags = PUBLIC),
    VALUE(baseline_error, REAL, "Median distance between the centre of all positions and the homes, in metres", .flags = PUBLIC),
    VALUE(baseline, REAL, "The same share if the centre of all positions is used for everyone", .flags = PUBLIC),
    VALUE(gain, REAL, "share − baseline. 0 = safe", .flags = PUBLIC),
    VALUE(lower, REAL, "Lower end of the 95% confidence interval of the gain", .flags = PUBLIC),
    VALUE(upper, REAL, "Upper end of the 95% confidence interval of the gain", .flags = PUBLIC),
    TABLE_OUT(homes, "subject:text lat:real lon:real error:real", "The estimates, with --show-records"),
    END,
};

typedef struct Row {
    int32_t subject;
    double hours;
    int64_t row;
    GeoPlace place;
} Row;
/* The fixes that can be used, in the order of subject and time. */
typedef struct Fixes {
    Row *row;
    int64_t count, left_out;
    Codes codes;
} Fixes;

static Status bad_cell(Run *run, const Column *column, int64_t row, const char *what) {
    fail(run->work.error, BAD, "%s", what);
    error_column(run->work.error, column->name);
    return error_row(run->work.error, row);
}

static bool read_hours(const char *cell, double *out) {
    int32_t days;
    double hours;
    if (strlen(cell) < 16 || !read_date(cell, cell + 10, &days) || !clock_hours(cell, &hours)) return false;
    *out = 24.0 * days + hours;
    return true;
}

static int by_subject_and_time(const void *a, const void *b) {
    const Row *p = a, *q = b;
    if (p->subject != q->subject) return p->subject < q->subject ? -1 : 1;
    if (p->hours < q->hours || p->hours > q->hours) return p->hours < q->hours ? -1 : 1;
    return (p->row > q->row) - (p->row < q->row);
}

static Status read_fixes(Run *run, const args *a, const Codes *codes, Fixes *out) {
    Status status = OK;
    *out = (Fixes){ .codes = *codes };
    NEW(&run->work, out->row, a->data->rows + 1);
    for (int64_t i = 0; i < a->data->rows; i++) {
        char number[33];
        const char *cell = column_cell(a->time, i, number);
        Row row = { codes->at[i], 0, i, { column_number(a->lat, i), column_number(a->lon, i) } };
        if (cell && !read_hours(cell, &row.hours)) TRY(bad_cell(run, a->time, i, "is no date and time like 2024-03-04T23:15:00"));
        if (place_known(row.place) && !place_valid(row.place))
            TRY(bad_cell(run, a->lat, i, "latitude and longitude are not a place on earth"));
        if (cell && row.subject >= 0 && place_known(row.place)) out->row[out->count++] = row;
        else out->left_out++;
    }
    qsort(out->row, (size_t)out->count, sizeof *out->row, by_subject_and_time);
done:
    return status;
}

/* The subject's fixes on a flat map about their centre, and the guess back on the sphere. */
static Status guess(Run *run, const args *a, const Row *row, int64_t count, GeoPlace *out) {
    Status status = OK;
    GeoPlace *place = NULL;
    Fix *fix = NULL;
    MapPoint point;
    NEW(&run->work, place, count + 1);
    NEW(&run->work, fix, count + 1);
    for (int64_t i = 0; i < count; i++) place[i] = row[i].place;
    GeoPlace centre = geo_centre(place, NULL, count);
    for (int64_t i = 0; i < count; i++) {
        MapPoint at = geo_flat(centre, place[i]);
        fix[i] = (Fix){ at.east, at.north, row[i].hours, 1 };
    }
    TRY(home_guess(&run->work, (HomeMethod)a->method, a->hour, (Track){ fix, count }, &point));
    *out = geo_round(centre, point);
    arena_drop(run->work.arena, fix);
    arena_drop(run->work.arena, place);
done:
    return status;
}

/* One subject: its guess, and how far that and the baseline's are from the nearest of its homes (NaN where none is known). */
typedef struct Guess {
    int32_t subject;
    GeoPlace place;
    double error, baseline;
} Guess;

static Status guess_all(Run *run, const args *a, const Fixes *fixes, Guess **out, int64_t *count) {
    Status status = OK;
    *count = 0;
    NEW(&run->work, *out, fixes->codes.count + 1);
    for (int64_t first = 0, next; first < fixes->count; first = next) {
        for (next = first; next < fixes->count && fixes->row[next].subject == fixes->row[first].subject; next++) {}
        Guess *g = &(*out)[(*count)++];
        *g = (Guess){ .subject = fixes->row[first].subject, .error = NAN, .baseline = NAN };
        TRY(work_check(&run->work));
        work_show(&run->work, "subjects", (double)first / (double)fixes->count);
        TRY(guess(run, a, fixes->row + first, next - first, &g->place));
    }
done:
    return status;
}

static Status home_column(Run *run, const args *a, const Column *like, const Column **out) {
    Status status = OK;
    TRY(table_need(a->homes, like->name, out, run->work.error));
    if (!column_numeric(*out)) {
        fail(run->work.error, BAD, "must hold numbers in the table of homes");
        TRY(error_column(run->work.error, like->name));
    }
done:
    return status;
}

/* Homes in any order; the codes are those of both tables' subjects. */
static Status judge(Run *run, const args *a, const int32_t *home_of, GeoPlace centre, Guess *guesses, int64_t count, int32_t codes) {
    Status status = OK;
    const Column *lat, *lon;
    int64_t *at = NULL, unseen = 0;
    TRY(home_column(run, a, a->lat, &lat));
    TRY(home_column(run, a, a->lon, &lon));
    NEW(&run->work, at, codes + 1);
    for (int64_t g = 0; g < count; g++) at[guesses[g].subject] = g + 1;
    for (int64_t h = 0; h < a->homes->rows; h++) {
        GeoPlace home = { column_number(lat, h), column_number(lon, h) };
        if (home_of[h] < 0 || !place_known(home)) continue;
        if (!place_valid(home)) TRY(bad_cell(run, lat, h, "a home is not a place on earth"));
        if (!at[home_of[h]]) {
            unseen++;
            continue;
        }
        Guess *g = &guesses[at[home_of[h]] - 1];
        g->error = smaller_known(g->error, geo_metres(g->place, home)); /* fmin passes over NaN */
        g->baseline = smaller_known(g->baseline, geo_metres(centre, home));
    }
    if (unseen)
        result_note(run->result, "%lld homes belong to subjects without a position in the tracks. They were not used.", (long long)unseen);
done:
    return status;
}

static double median(const double *sorted, int64_t count) {
    return count % 2 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
}

static Status report(Run *run, const args *a, const Guess *guesses, int64_t count) {
    Status status = OK;
    double *error = NULL, *baseline = NULL, *share = NULL;
    int64_t judged = 0, found = 0, before = 0, only_now = 0, only_before = 0;
    NEW(&run->work, error, count + 1);
    NEW(&run->work, baseline, count + 1);
    NEW(&run->work, share, count + 1);
    for (int64_t g = 0; g < count; g++) {
        bool now = guesses[g].error <= a->radius, then = guesses[g].baseline <= a->radius;
        if (isnan(guesses[g].error)) continue;
        error[judged] = guesses[g].error;
        baseline[judged++] = guesses[g].baseline;
        found += now;
        before += then;
        only_now += now && !then;
        only_before += then && !now;
    }
    result_integer(run->result, "judged", judged);
    if (!judged) {
        const char *names[] = { "median_error", "found", "share", "baseline_error", "baseline", "gain", "lower", "upper" };
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            result_null(run->result, names[i], "No subject's home is known: give --homes to judge the guesses.");
        return OK;
    }
    qsort(error, (size_t)judged, sizeof *error, ascending_real);
    qsort(baseline, (size_t)judged, sizeof *baseline, ascending_real);
    Interval gain = paired_interval((double)only_now, (double)only_before, (double)judged);
    result_real(run->result, "median_error", median(error, judged));
    result_integer(run->result, "found", found);
    result_real(run->result, "share", (double)found / (double)judged);
    result_real(run->result, "baseline_error", median(baseline, judged));
    result_real(run->result, "baseline", (double)before / (double)judged);
    result_real(run->result, "gain", (double)(found - before) / (double)judged);
    result_real(run->result, "lower", gain.low);
    result_real(run->result, "upper", gain.high);
    for (int64_t i = 0; i < judged; i++) share[i] = (double)(i + 1) / (double)judged;
    Chart *chart = result_chart(run->result, CHART_LINE, "Homes found, by distance of the estimate", "metres", "share of homes");
    chart_series(chart, "attack", judged, error, share, NULL, NULL);
    chart_series(chart, "centre of all positions", judged, baseline, share, NULL, NULL);
    chart->log_x = error[0] > 0 && baseline[0] > 0;
done:
    return status;
}

/* Who lives where: only on request. */
static void put_homes(Run *run, const args *a, const Fixes *fixes, const Guess *guesses, int64_t count) {
    char number[33];
    if (!run->common.show_records) {
        result_note(run->result, "The estimates are shown with --show-records.");
        return;
    }
    Grid *grid = grid_new(run->result, "homes", "subject:text lat:real lon:real error:real");
    for (int64_t g = 0, at = 0; g < count; g++) {
        while (fixes->row[at].subject != guesses[g].subject) at++;
        grid_text(grid, column_cell(a->subject, fixes->row[at].row, number));
        grid_real(grid, guesses[g].place.lat);
        grid_real(grid, guesses[g].place.lon);
        grid_real(grid, guesses[g].error);
    }
    grid_done(grid);
}

static Status home_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    Codes codes = { 0 };
    JointCodes joint = { 0 };
    Fixes fixes;
    Guess *guesses;
    GeoPlace *all = NULL;
    int64_t count;
    if (a->homes) {
        const Column *subject;
        TRY(table_need(a->homes, a->subject->name, &subject, run->work.error));
        TRY(joint_codes(&run->work, a->subject, subject, 0, 0, &joint));
        codes = (Codes){ .count = joint.count, .at = joint.at[0] };
    } else TRY(column_codes(&run->work, a->subject, &codes));
    TRY(read_fixes(run, a, &codes, &fixes));
    TRY(guess_all(run, a, &fixes, &guesses, &count));
    NEW(&run->work, all, fixes.count + 1);
    for (int64_t i = 0; i < fixes.count; i++) all[i] = fixes.row[i].place;
    result_integer(run->result, "subjects", count);
    if (a->homes) TRY(judge(run, a, joint.at[1], geo_centre(all, NULL, fixes.count), guesses, count, codes.count));
    TRY(report(run, a, guesses, count));
    put_homes(run, a, &fixes, guesses, count);
    if (fixes.left_out)
        result_note(run->result, "%lld positions without a place, a time or a subject were left out.", (long long)fixes.left_out);
done:
    return status;
}

const Method attack_home = {
    .group = "attack",
    .name = "home",
    .summary = "Home identification attack: estimate where the subjects of GPS tracks live",
    .source = "Krumm 2007",
    .params = params,
    .size = sizeof(args),
    .traits = IDENTITY | ATTRIBUTE,
    .run = home_run,
    .values = values,
    .example = "scrim attack home examples/tracks.csv --lat lat --lon lon --time time --subject subject --homes examples/homes.csv",
};
