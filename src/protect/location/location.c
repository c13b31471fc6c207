/* protect.location: places masked: cloaked, moved at random, rounded to a grid, mapped, aggregated. Defined after Krumm 2007; Armstrong,
 * Rushton & Zimmerman 1999; Hampton et al. 2010; Andrés et al. 2013: docs/methods/protect-location.md. */
#include "protect/location/location.h"
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "protect/changed_table.h"
#include "table/group.h"
#include "classes/joint_codes.h"

static const Param params[] = {
    TABLE(LocationArgs, data, "Points or tracks to protect", .flags = REQUIRED | POSITIONAL),
    COLUMN(LocationArgs, lat, data, "Latitude, degrees", .flags = REQUIRED | NUMERIC),
    COLUMN(LocationArgs, lon, data, "Longitude, degrees", .flags = REQUIRED | NUMERIC),
    COLUMN(LocationArgs, subject, data, "Column that identifies the subject of a point; without it each record is a subject"),
    CHOICE(LocationArgs, method, NULL, "Method applied to the points",
           WORDS("cloak", "noise", "grid", "affine", "aggregate", "donut", "planar-laplace"), .flags = REQUIRED),
    REAL(LocationArgs, inner, NAN, 0, 2e7,
         "cloak: radius in metres around the home in which the circle's centre is drawn; donut: smallest displacement in metres"),
    ONLY_IF("inner", "method", "cloak", "donut"),
    REAL(LocationArgs, outer, NAN, 0, 2e7,
         "cloak: radius of the circle in metres; donut: largest displacement in metres. Larger = more protection", .flags = EXCLUSIVE),
    ONLY_IF("outer", "method", "cloak", "donut"),
    TABLE(LocationArgs, homes,
          "cloak: homes of the subjects (columns named like --subject, --lat and --lon). A subject may have several. Default: estimated"),
    ONLY_IF("homes", "method", "cloak"),
    COLUMN(LocationArgs, time, data,
           "cloak: local time (2024-03-04T23:15:00). If no homes are given, they are estimated from points between 22 and 6 o'clock"),
    ONLY_IF("time", "method", "cloak"),
    CHOICE(LocationArgs, action, "drop", "cloak: drop suppressed points, or keep them with blank coordinates", WORDS("drop", "blank")),
    ONLY_IF("action", "method", "cloak"),
    REAL(LocationArgs, sigma, NAN, 0, 2e7, "noise: standard deviation in metres, to the east and to the north. Larger = more protection",
         .flags = EXCLUSIVE),
    ONLY_IF("sigma", "method", "noise"),
    REAL(LocationArgs, epsilon, NAN, 0, 1e6,
         "planar-laplace: privacy parameter per metre. Smaller = more protection; the mean displacement is 2/epsilon metres",
         .flags = EXCLUSIVE),
    ONLY_IF("epsilon", "method", "planar-laplace"),
    CHOICE(LocationArgs, per, "record",
           "noise, donut, planar-laplace: move each record independently, or all records of a subject together",
           WORDS("record", "subject")),
    ONLY_IF("per", "method", "noise", "donut", "planar-laplace"),
    REAL(LocationArgs, cell, NAN, 0, 2e6, "grid: spacing in metres; aggregate: boxes up to this length in metres are not divided",
         .flags = EXCLUSIVE),
    ONLY_IF("cell", "method", "grid", "aggregate"),
    INT(LocationArgs, k, 5, 1, 1000000000, "aggregate: smallest number of subjects in a box. Larger = more protection"),
    ONLY_IF("k", "method", "aggregate"),
    REAL(LocationArgs, shift_east, 0, -2e7, 2e7, "affine: shift to the east in metres", .flags = SECRET),
    ONLY_IF("shift-east", "method", "affine"),
    REAL(LocationArgs, shift_north, 0, -2e7, 2e7, "affine: shift to the north in metres", .flags = SECRET),
    ONLY_IF("shift-north", "method", "affine"),
    REAL(LocationArgs, scale, 1, 0, 1000, "affine: factor for distances from the centre of all points", .flags = SECRET | EXCLUSIVE),
    ONLY_IF("scale", "method", "affine"),
    REAL(LocationArgs, rotate, 0, -360, 360, "affine: clockwise rotation about the centre of all points, in degrees", .flags = SECRET),
    ONLY_IF("rotate", "method", "affine"),
    END,
};

static Status need(Work *work, double value, const char *parameter, const char *method) {
    if (!isnan(value)) return OK;
    fail(work->error, BAD, "is needed by --method %s", method);
    return error_parameter(work->error, parameter);
}

static Status check_args(Work *work, const LocationArgs *a) {
    Status status = OK;
    const char *name = a->method == CLOAK ? "cloak" : "donut";
    if (a->method == CLOAK || a->method == DONUT) {
        TRY(need(work, a->inner, "inner", name));
        TRY(need(work, a->outer, "outer", name));
        if (!(a->inner < a->outer)) {
            fail(work->error, BAD, "must be less than --outer%s", a->method == CLOAK ? ", or the circle may not contain the home" : "");
            TRY(error_parameter(work->error, "inner"));
        }
    }
    if (a->method == NOISE) TRY(need(work, a->sigma, "sigma", "noise"));
    if (a->method == PLANAR_LAPLACE) TRY(need(work, a->epsilon, "epsilon", "planar-laplace"));
    if (a->method == GRID || a->method == AGGREGATE) TRY(need(work, a->cell, "cell", a->method == GRID ? "grid" : "aggregate"));
    if (a->method == AFFINE && a->shift_east == 0 && a->shift_north == 0 && a->scale == 1 && a->rotate == 0)
        TRY(fail(work->error, BAD, "--method affine needs --shift-east, --shift-north, --scale or --rotate"));
    if (a->homes && !a->subject) {
        fail(work->error, BAD, "needs --subject, to assign homes to subjects");
        TRY(error_parameter(work->error, "homes"));
    }
done:
    return status;
}

static Status read_places(Location *l) {
    Status status = OK;
    Work *work = &l->run->work;
    NEW(work, l->place, l->rows + 1);
    NEW(work, l->masked, l->rows + 1);
    NEW(work, l->suppress, l->rows + 1);
    for (int64_t i = 0; i < l->rows; i++) {
        GeoPlace place = { column_number(l->a->lat, i), column_number(l->a->lon, i) };
        bool known = place_known(place);
        l->suppress[i] = isnan(place.lat) != isnan(place.lon); /* half a place tells something too */
        if (known && !place_valid(place)) {
            fail(work->error, BAD, "not a place on earth: latitude is -90 to 90, longitude -180 to 360 degrees");
            error_column(work->error, l->a->lat->name);
            TRY(error_row(work->error, i));
        }
        l->place[i] = l->masked[i] = known ? place : (GeoPlace){ NAN, NAN };
    }
done:
    return status;
}

/* Subjects numbered; one that occurs in `homes` too has the same number there. */
static Status number_subjects(Location *l) {
    Status status = OK;
    Work *work = &l->run->work;
    JointCodes joint = { 0 };
    Codes codes = { 0 };
    Grouping groups;
    uint64_t *words = NULL;
    int32_t *of_code = NULL, *home_of = NULL;
    int64_t *next = NULL;
    const Column *there = NULL;
    if (l->a->homes) {
        TRY(table_need(l->a->homes, l->a->subject->name, &there, work->error));
        TRY(joint_codes(work, l->a->subject, there, 0, 0, &joint));
        codes = (Codes){ joint.count, joint.at[0], NULL };
    } else if (l->a->subject) TRY(column_codes(work, l->a->subject, &codes));
    NEW(work, words, l->rows + 1);
    for (int64_t i = 0; i < l->rows; i++)
        words[i] = codes.at && codes.at[i] >= 0 ? (uint64_t)codes.at[i] : (uint64_t)codes.count + (uint64_t)i;
    TRY(group_words(work, words, (uint64_t)(codes.count + l->rows + 1), l->rows, &groups));
    l->subject = groups.of;
    l->subjects = groups.count;
    NEW(work, l->start, groups.count + 1);
    NEW(work, l->row, l->rows + 1);
    NEW(work, next, groups.count + 1);
    for (int64_t s = 0; s < groups.count; s++) {
        next[s] = l->start[s];
        l->start[s + 1] = l->start[s] + groups.size[s];
    }
    for (int64_t i = 0; i < l->rows; i++) l->row[next[groups.of[i]]++] = i;
    if (!there) goto done;
    NEW(work, of_code, joint.count + 1);
    NEW(work, home_of, there->rows + 1);
    for (int32_t c = 0; c < joint.count; c++) of_code[c] = -1;
    for (int64_t i = 0; i < l->rows; i++)
        if (codes.at[i] >= 0) of_code[codes.at[i]] = groups.of[i];
    for (int64_t h = 0; h < there->rows; h++) home_of[h] = joint.at[1][h] >= 0 ? of_code[joint.at[1][h]] : -1;
    l->home_of = home_of;
done:
    return status;
}

/* To 1e-7 degrees, a centimetre: further digits are noise. Longitudes stay from 0 to 360 where they were. */
static double coordinate(double degrees, bool full) { return round((full && degrees < 0 ? degrees + 360 : degrees) * 1e7) / 1e7; }

static Status changed_points(Location *l, bool full, PartState *did) {
    Status status = OK;
    Work *work = &l->run->work;
    double *lat = NULL, *lon = NULL;
    Column *made[2] = { NULL };
    NEW(work, lat, l->rows + 1);
    NEW(work, lon, l->rows + 1);
    for (int64_t i = 0; i < l->rows; i++) {
        GeoPlace place = l->suppress[i] ? (GeoPlace){ NAN, NAN } : l->masked[i];
        bool same = l->a->method == CLOAK;
        lat[i] = same ? place.lat : coordinate(place.lat, false);
        lon[i] = same ? place.lon : coordinate(place.lon, full);
    }
    TRY(column_of_reals(l->a->lat, lat, &made[0], work->error));
    TRY(column_of_reals(l->a->lon, lon, &made[1], work->error));
    TRY(output_part(l->run, l->a->data, made, 2, did));
done:
    columns_release(made, 2);
    return status;
}

static Status kept_points(Location *l) {
    Status status = OK;
    int64_t kept = 0, *rows = NULL;
    Table *table = NULL;
    NEW(&l->run->work, rows, l->rows + 1);
    for (int64_t i = 0; i < l->rows; i++)
        if (!l->suppress[i]) rows[kept++] = i;
    TRY(table_take(l->a->data, rows, kept, &table, l->run->work.error));
    result_output(l->run->result, table);
done:
    return status;
}

/* ---- in parts ---- */

enum { FULL = 0, MOST_MOVED = 0 }; /* places in PartState.most: of the fit, and of what was done */
enum { HALF = 2, POINTS = 3 };     /* in PartState.count, after those of output.h */
enum { METRES, SQUARES, SUMS };    /* of the roll of what was done; the other counts metres */

/* Subjects, each with its records; is any longitude beyond 180? */
static Status location_fit(Run *run, const void *p, PartState *fit) {
    Status status = OK;
    const LocationArgs *a = p;
    TupleCounts *roll;
    int64_t *place;
    TRY(check_args(&run->work, a));
    const Columns subject = { a->subject != NULL, (const Column **)(uintptr_t)&a->subject };
    TRY(state_tuple_counts(fit, 0, subject.count, 0, false, &roll, run->work.error));
    TRY(tuple_counts_add(&run->work, roll, subject, NULL, a->data->rows, run->first_row, &place));
    for (int64_t i = 0; i < a->data->rows; i++)
        if (place_known((GeoPlace){ column_number(a->lat, i), column_number(a->lon, i) }) && column_number(a->lon, i) > 180)
            fit->most[FULL] = 1;
done:
    return status;
}

/* A record without a subject is one of its own. */
static bool no_subject(const TupleCounts *roll, int64_t tuple) { return !roll->keys || !roll->bytes.bytes[roll->at[tuple]]; }

static Status find_units(Location *l, const PartState *fit) {
    Status status = OK;
    const Columns subject = { l->a->subject != NULL, (const Column **)(uintptr_t)&l->a->subject };
    const TupleCounts *roll = fit->roll[0];
    TRY(tuple_counts_find(&l->run->work, roll, subject, l->rows, &l->unit));
    for (int64_t i = 0; i < l->rows; i++) l->unit[i] = no_subject(roll, l->unit[i]) ? l->run->first_row + i : roll->first[l->unit[i]];
done:
    return status;
}

/* To fourteen bits: so many values at most are counted for the median, however many records there are. */
static double few_digits(double metres) {
    uint64_t bits;
    memcpy(&bits, &metres, 8);
    bits = (bits + (UINT64_C(1) << 38)) & ~((UINT64_C(1) << 39) - 1);
    memcpy(&metres, &bits, 8);
    return metres;
}

static Status add_moves(Location *l, PartState *did) {
    Status status = OK;
    Work *work = &l->run->work;
    TupleCounts *sums, *counts;
    Column *moved = NULL;
    int64_t *place, known = 0;
    TRY(state_tuple_counts(did, 0, 0, SUMS, false, &sums, work->error));
    TRY(tuple_counts_add(work, sums, (Columns){ 0 }, NULL, l->rows, l->run->first_row, &place));
    TRY(state_tuple_counts(did, 1, 1, 0, false, &counts, work->error));
    TRY(column_new(REAL_TYPE, "metres", l->rows, &moved, work->error));
    for (int64_t i = 0; i < l->rows; i++) {
        if (!place_known(l->place[i])) continue;
        double metres = geo_metres(l->place[i], l->masked[i]);
        int64_t bits;
        memcpy(&bits, &metres, 8); /* in the order of the numbers, none of which is negative */
        if (bits > did->most[MOST_MOVED]) did->most[MOST_MOVED] = bits;
        exact_sum_add(&sums->sum[METRES], metres);
        exact_sum_add(&sums->sum[SQUARES], metres * metres);
        moved->real[known++] = few_digits(metres);
    }
    did->count[POINTS] += known;
    moved->rows = known;
    TRY(tuple_counts_add(work, counts, (Columns){ 1, (const Column *[]){ moved } }, NULL, known, l->run->first_row, &place));
done:
    column_release(moved);
    return status;
}

static Status location_part(Run *run, const void *p, const PartState *fit, PartState *did) {
    Status status = OK;
    Location l = { .run = run, .a = p, .rows = ((const LocationArgs *)p)->data->rows };
    static Status (*const act[])(Location *) = { location_cloak,     location_displace, location_grid,    location_affine,
                                                 location_aggregate, location_displace, location_displace };
    TRY(read_places(&l));
    if (l.a->method == CLOAK || l.a->method == AGGREGATE) TRY(number_subjects(&l));
    TRY(find_units(&l, fit));
    for (int64_t i = 0; i < l.rows; i++) did->count[HALF] += isnan(column_number(l.a->lat, i)) != isnan(column_number(l.a->lon, i));
    TRY(act[l.a->method](&l));
    TRY(add_moves(&l, did));
    TRY(l.a->method == CLOAK && !l.a->action ? kept_points(&l) : changed_points(&l, fit->most[FULL] > 0, did));
done:
    return status;
}

typedef struct {
    double value;
    int64_t times;
} Times;
static int by_value(const void *a, const void *b) {
    const Times *x = a, *y = b;
    return (x->value > y->value) - (x->value < y->value);
}

/* The middle of the values, or the mean of the two in the middle. */
static double times_median(const Times *sorted, int64_t count, int64_t all) {
    double low = NAN;
    for (int64_t i = 0, upto = 0; i < count; i++) {
        upto += sorted[i].times;
        if (isnan(low) && upto > (all - 1) / 2) low = sorted[i].value;
        if (upto > all / 2) return (low + sorted[i].value) / 2;
    }
    return NAN;
}

static Status say_moves(Run *run, const PartState *did) {
    Status status = OK;
    Work *work = &run->work;
    const TupleCounts *sums = did->roll[0], *counts = did->roll[1];
    int64_t points = did->count[POINTS], *order = NULL;
    double most, median = NAN;
    Times *sorted = NULL;
    Table *table = NULL;
    memcpy(&most, &did->most[MOST_MOVED], 8);
    if (points) {
        NEW(work, order, counts->count + 1);
        NEW(work, sorted, counts->count + 1);
        for (int64_t i = 0; i < counts->count; i++) order[i] = i;
        TRY(tuple_counts_table(work, counts, NULL, order, &table));
        for (int64_t i = 0; i < counts->count; i++) sorted[i] = (Times){ table->column[0]->real[i], counts->times[i] };
        qsort(sorted, (size_t)counts->count, sizeof *sorted, by_value);
        median = times_median(sorted, counts->count, points);
    }
    result_real(run->result, "moved_mean", points ? exact_mean(&sums->sum[METRES], points) : NAN);
    result_real(run->result, "moved_median", median);
    result_real(run->result, "moved_rms", points ? sqrt(exact_mean(&sums->sum[SQUARES], points)) : NAN);
    result_real(run->result, "moved_most", points ? most : NAN);
done:
    table_release(table);
    return status;
}

static Status location_say(Run *run, const void *p, const PartState *fit, const PartState *did) {
    Status status = OK;
    const LocationArgs *a = p;
    const TupleCounts *roll = fit->roll[0];
    int64_t subjects = 0, most = fit->rows > 0;
    for (int64_t t = 0; roll && t < roll->count; t++) {
        subjects += no_subject(roll, t) ? roll->times[t] : 1;
        if (!no_subject(roll, t) && roll->times[t] > most) most = roll->times[t];
    }
    result_integer(run->result, "points", did->count[POINTS]);
    result_integer(run->result, "subjects", subjects);
    if (did->count[HALF])
        result_note(run->result, "%lld records have only one coordinate. It was suppressed too.", (long long)did->count[HALF]);
    if (a->method == NOISE || a->method == DONUT || a->method == PLANAR_LAPLACE) location_say_displaced(run, a, most);
    if (a->method == GRID) result_note(run->result, "No point was moved by more than 0.71 cells, or slightly more near the poles.");
    if (a->method != CLOAK || a->action) say_changed(run, did);
    if (a->method != CLOAK) TRY(say_moves(run, did));
    result_note(run->result, "Metres are along great circles of a sphere of radius 6371008.8 m. Missing places stay missing.");
done:
    return status;
}

static const char *location_whole(const void *p) {
    const LocationMethod method = ((const LocationArgs *)p)->method;
    if (method == CLOAK) return "cloak looks for homes among all points of a subject";
    if (method == AFFINE) return "affine rotates about the centre of all points";
    return method == AGGREGATE ? "aggregate divides the map by all points" : NULL;
}
static const InParts in_parts = {
    .shape = BY_ROW, .whole = location_whole, .fit = location_fit, .apply = location_part, .say = location_say
};

static const Return values[] = {
    VALUE(points, INTEGER, "Records with a place", .flags = PUBLIC),
    VALUE(subjects, INTEGER, "Subjects (records without one count as one each)", .flags = PUBLIC),
    VALUE(suppressed, INTEGER, "cloak: points suppressed", .flags = PUBLIC),
    VALUE(vanished, INTEGER, "cloak: subjects without a remaining point", .flags = PUBLIC),
    TABLE_OUT(circles, "subject:text home_lat:real home_lon:real centre_lat:real centre_lon:real removed:integer",
              "cloak, with --show-records: each home, the circle's centre, and the points suppressed"),
    VALUE(groups, INTEGER, "aggregate: places released", .flags = PUBLIC),
    VALUE(fewest_subjects, INTEGER, "aggregate: smallest number of subjects at one place. Larger is safer", .flags = PUBLIC),
    VALUE(largest_box, REAL, "aggregate: longer side of the largest box in metres", .flags = PUBLIC),
    VALUE(epsilon_subject, REAL, "planar-laplace: epsilon times the number of points of the subject with most points. Smaller is safer"),
    CHANGED_VALUES,
    VALUE(moved_mean, REAL, "Mean displacement in metres", .flags = PUBLIC),
    VALUE(moved_median, REAL, "Median displacement in metres, to 1 part in 16,000", .flags = PUBLIC),
    VALUE(moved_rms, REAL, "Root mean square displacement in metres", .flags = PUBLIC),
    VALUE(moved_most, REAL, "Largest displacement in metres"),
    RELEASED("The protected table"),
    END,
};

const Method protect_location = {
    .group = "protect",
    .name = "location",
    .summary = "Geographic masking of points and tracks: cloaking, noise, grid, affine map, aggregation, donut, planar Laplace",
    .source = "Krumm 2007; Armstrong, Rushton & Zimmerman 1999; Hampton et al. 2010; Andrés et al. 2013",
    .params = params,
    .size = sizeof(LocationArgs),
    .traits = PERTURBS | RANDOM | IDENTITY | ATTRIBUTE,
    .parts = &in_parts,
    .values = values,
    .example = "scrim protect location examples/tracks.csv --lat lat --lon lon --subject subject --method cloak --inner 150 --outer 300 "
               "--homes examples/homes.csv",
};
