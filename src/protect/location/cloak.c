/* Spatial cloaking (Krumm 2007): every point in a circle around a home goes; the circle's centre is drawn near the home, not at it. */
#include "base/elementary.h"
#include "base/extremes.h"
#include "base/number_text.h"
#include "protect/location/location.h"
#include "table/time_of_day.h"
#include "table/group.h"

enum { STEPS = 20 };
static const double NEAR = 100; /* metres: points this near to one another are one place */
static const double TURN = 6.283185307179586;

typedef struct {
    int64_t subject;
    GeoPlace home, centre;
    int64_t removed;
} Circle;
typedef struct {
    int64_t count, *start;
    Circle *at;
} Circles; /* those of subject s: at[start[s]] … */

/* The points that tell where home is: those with a place; of a subject with points at night, only these. */
static Status telling_points(Location *l, uint8_t *tells) {
    Status status = OK;
    Work *work = &l->run->work;
    uint8_t *nights = NULL;
    char number[33];
    NEW(work, nights, l->subjects + 1);
    for (int64_t i = 0; i < l->rows; i++) {
        const char *cell = l->a->time ? column_cell(l->a->time, i, number) : NULL;
        double hours = 12;
        if (cell && !clock_hours(cell, &hours)) {
            fail(work->error, BAD, "is no date and time like 2024-03-04T23:15:00");
            error_column(work->error, l->a->time->name);
            TRY(error_row(work->error, i));
        }
        tells[i] = place_known(l->place[i]) ? hours >= 22 || hours < 6 ? 2 : 1 : 0;
        nights[l->subject[i]] |= tells[i] == 2;
    }
    for (int64_t i = 0; i < l->rows; i++) tells[i] = nights[l->subject[i]] ? tells[i] == 2 : tells[i] > 0;
done:
    return status;
}

/* Cells of NEAR metres, counted within each subject; the first point of each subject's fullest cell. */
static Status fullest_cells(Location *l, const uint8_t *tells, int64_t *begin) {
    Status status = OK;
    Work *work = &l->run->work;
    int32_t *code[2] = { NULL };
    double step = NEAR / EARTH_RADIUS * 360 / TURN;
    Grouping cells;
    for (int k = 0; k < 2; k++) NEW(work, code[k], l->rows + 1);
    for (int64_t i = 0; i < l->rows; i++) {
        GeoPlace p = l->place[i];
        bool known = tells[i];
        double across = known ? larger(cos(round(p.lat / step) * step * TURN / 360), 1e-6) : 1;
        code[0][i] = known ? (int32_t)lround(p.lat / step) : -1;
        code[1][i] = known ? (int32_t)lround(p.lon * across / step) : -1;
    }
    Codes codes[3] = { { (int32_t)l->subjects, l->subject, NULL }, { 0, code[0], NULL }, { 0, code[1], NULL } };
    for (int k = 0; k < 2; k++) { /* from 0 on, as codes are */
        int32_t least = 0, most = 0;
        for (int64_t i = 0; i < l->rows; i++) {
            if (code[k][i] < least) least = code[k][i];
            if (code[k][i] > most) most = code[k][i];
        }
        for (int64_t i = 0; i < l->rows; i++) code[k][i] -= least;
        codes[k + 1].count = most - least + 1;
    }
    TRY(group_codes(work, codes, 3, l->rows, &cells));
    for (int64_t s = 0; s < l->subjects; s++) begin[s] = -1;
    for (int64_t i = 0; i < l->rows; i++) {
        int64_t *best = &begin[l->subject[i]];
        if (tells[i] && (*best < 0 || cells.size[cells.of[i]] > cells.size[cells.of[*best]])) *best = i;
    }
done:
    return status;
}

/* Where the subject is most often: from the fullest cell, to the mean of the points within NEAR metres, until that rests. */
static Status find_homes(Location *l, Circles *out) {
    Status status = OK;
    Work *work = &l->run->work;
    int64_t *begin = NULL, *close = NULL;
    uint8_t *tells = NULL;
    NEW(work, tells, l->rows + 1);
    NEW(work, begin, l->subjects + 1);
    NEW(work, close, l->rows + 1);
    NEW(work, out->at, l->subjects + 1);
    TRY(telling_points(l, tells));
    TRY(fullest_cells(l, tells, begin));
    for (int64_t s = 0; s < l->subjects; s++) {
        out->start[s] = out->count;
        if (begin[s] < 0) continue;
        GeoPlace home = l->place[begin[s]];
        for (int step = 0; step < STEPS; step++) {
            int64_t count = 0;
            for (int64_t r = l->start[s]; r < l->start[s + 1]; r++)
                if (tells[l->row[r]] && geo_metres(home, l->place[l->row[r]]) <= NEAR) close[count++] = l->row[r];
            GeoPlace next = count ? geo_centre(l->place, close, count) : home;
            bool rests = geo_metres(home, next) < 0.01;
            home = next;
            if (rests) break;
        }
        out->at[out->count++] = (Circle){ .subject = s, .home = home };
    }
    out->start[l->subjects] = out->count;
    if (l->a->time)
        result_note(
            l->run->result,
            "Homes were estimated as the densest place of the subject's points between 22 and 6 o'clock. Give known homes with --homes.");
    else
        result_note(l->run->result, "Warning: homes were estimated as the densest place of the subject's points, which may be a workplace. "
                                    "The home is then not protected. Give --homes, or --time.");
done:
    return status;
}

/* Column of `homes` named like the data's, a number. */
static Status home_column(Location *l, const Column *like, const Column **out) {
    Status status = OK;
    TRY(table_need(l->a->homes, like->name, out, l->run->work.error));
    if (!column_numeric(*out)) {
        fail(l->run->work.error, BAD, "must hold numbers in the table of homes");
        TRY(error_column(l->run->work.error, like->name));
    }
done:
    return status;
}

static Status take_homes(Location *l, Circles *out) {
    Status status = OK;
    Work *work = &l->run->work;
    const Column *lat, *lon;
    int64_t *next = NULL, homes = l->a->homes->rows;
    TRY(home_column(l, l->a->lat, &lat));
    TRY(home_column(l, l->a->lon, &lon));
    NEW(work, out->at, homes + 1);
    NEW(work, next, l->subjects + 1);
    for (int64_t h = 0; h < homes; h++)
        if (l->home_of[h] >= 0) out->start[l->home_of[h] + 1]++;
    for (int64_t s = 0; s < l->subjects; s++) next[s] = out->start[s], out->start[s + 1] += out->start[s];
    for (int64_t h = 0; h < homes; h++) {
        GeoPlace home = { column_number(lat, h), column_number(lon, h) };
        if (l->home_of[h] < 0) continue;
        if (!place_valid(home)) {
            fail(work->error, BAD, "a home is missing or not a place on earth");
            error_column(work->error, lat->name);
            TRY(error_row(work->error, h));
        }
        out->at[next[l->home_of[h]]++] = (Circle){ .subject = l->home_of[h], .home = home };
        out->count++;
    }
    for (int64_t i = 0; i < l->rows; i++) {
        int64_t s = l->subject[i];
        if (out->start[s] != out->start[s + 1] || !place_known(l->place[i])) continue;
        fail(work->error, BAD, "the table of homes has none for this record's subject");
        TRY(error_row(work->error, i));
    }
done:
    return status;
}

/* Uniform in the disc of radius `inner` about the home: the root of a uniform is its share of the radius. */
static Status draw_centres(Location *l, Circles *circles) {
    Status status = OK;
    RandomStream stream = run_stream(l->run, NULL, "centre");
    uint64_t *words = NULL;
    NEW(&l->run->work, words, 2 * circles->count + 1);
    stream_words(&stream, 0, (size_t)(2 * circles->count), words);
    for (int64_t c = 0; c < circles->count; c++) {
        Circle *circle = &circles->at[c];
        circle->centre = geo_move(circle->home, TURN * word_uniform(words[2 * c]), l->a->inner * sqrt(word_uniform(words[2 * c + 1])));
    }
done:
    return status;
}

/* Who sees the circles knows nearly where the homes are: only on request. */
static void say_circles(Location *l, const Circles *circles) {
    char number[33];
    Grid *grid =
        grid_new(l->run->result, "circles", "subject:text home_lat:real home_lon:real centre_lat:real centre_lon:real removed:integer");
    for (int64_t c = 0; c < circles->count; c++) {
        const Circle *circle = &circles->at[c];
        grid_text(grid, l->a->subject ? column_cell(l->a->subject, l->row[l->start[circle->subject]], number) : NULL);
        grid_real(grid, circle->home.lat);
        grid_real(grid, circle->home.lon);
        grid_real(grid, circle->centre.lat);
        grid_real(grid, circle->centre.lon);
        grid_integer(grid, circle->removed);
    }
    grid_done(grid);
}

Status location_cloak(Location *l) {
    Status status = OK;
    Circles circles = { 0 };
    int64_t removed = 0, gone = 0;
    NEW(&l->run->work, circles.start, l->subjects + 1);
    TRY(l->a->homes ? take_homes(l, &circles) : find_homes(l, &circles));
    TRY(draw_centres(l, &circles));
    for (int64_t s = 0; s < l->subjects; s++) {
        int64_t left = 0;
        for (int64_t r = l->start[s]; r < l->start[s + 1]; r++) {
            int64_t i = l->row[r];
            for (int64_t c = circles.start[s]; c < circles.start[s + 1]; c++) {
                if (!(geo_metres(circles.at[c].centre, l->place[i]) <= l->a->outer)) continue;
                l->suppress[i] = 1;
                circles.at[c].removed++;
            }
            removed += l->suppress[i];
            left += !l->suppress[i];
        }
        gone += !left;
    }
    result_integer(l->run->result, "suppressed", removed);
    result_integer(l->run->result, "vanished", gone);
    if (l->run->common.show_records) say_circles(l, &circles);
    if (gone) result_note(l->run->result, "%lld subjects have no remaining point.", (long long)gone);
    result_note(l->run->result,
                "Releasing the same tracks again with other circles narrows down the homes. Reuse the seed of the first release.");
done:
    return status;
}
