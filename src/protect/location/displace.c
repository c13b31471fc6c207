/* Points moved: by noise of three laws, to a grid, by one affine map. */
#include "base/elementary.h"
#include "base/extremes.h"
#include "math/distributions.h"
#include "math/special/gamma.h"
#include "protect/location/location.h"

static const double TURN = 6.283185307179586;

/* From two uniforms: how far and where to. noise: independent normals to the east and to the north, whose length is Rayleigh's. donut:
 * uniform on the ring (Hampton et al. 2010). */
static Status draw_move(const LocationArgs *a, const uint64_t words[2], double *bearing, double *metres, Error *error) {
    double u = word_uniform(words[1]);
    *bearing = TURN * word_uniform(words[0]);
    if (a->method == NOISE) *metres = a->sigma * sqrt(-2 * log(u));
    else if (a->method == DONUT) *metres = sqrt(a->inner * a->inner + u * (a->outer * a->outer - a->inner * a->inner));
    else return planar_laplace_radius(a->epsilon, u, metres, error);
    return isfinite(*metres) ? OK : fail(error, FAILED, "a distance that was drawn is not finite");
}

typedef struct {
    Location *l;
    RandomStream stream;
} Moving;
static Status move_block(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    const Moving *m = self;
    Status status = OK;
    (void)block;
    for (int64_t i = first; i < last && !status; i++) {
        uint64_t words[2];
        double bearing, metres;
        int64_t unit = m->l->a->per ? m->l->unit[i] : m->l->run->first_row + i;
        if (!place_known(m->l->place[i])) continue;
        stream_words(&m->stream, 2 * (uint64_t)unit, 2, words);
        status = draw_move(m->l->a, words, &bearing, &metres, error);
        if (!status) m->l->masked[i] = geo_move(m->l->place[i], bearing, metres);
    }
    return status;
}

Status location_displace(Location *l) {
    enum { BLOCK = 4096 };
    Moving moving = { l, run_stream(l->run, NULL, "move") };
    return parallel_for(&l->run->work, l->rows, BLOCK, move_block, &moving);
}

void location_say_displaced(Run *run, const LocationArgs *a, int64_t most) {
    if (a->method == PLANAR_LAPLACE) {
        result_real(run->result, "epsilon_subject", a->epsilon * (a->per ? 1 : (double)most));
        result_note(run->result, "Places d metres apart are distinguished with odds of at most e^(epsilon·d) from one point, and "
                                 "e^(epsilon_subject·d) from all points of one subject at one place. Noise is drawn from a seeded stream "
                                 "in floating point, to 1e-7 degrees: a perturbation with this distribution, not an exact mechanism.");
    }
    if (!a->per && most > 1)
        result_note(run->result, "Each point was moved independently, so many points at one place average to it. --per subject moves a "
                                 "subject's points together.");
    if (a->per)
        result_note(
            run->result,
            "All points of a subject were moved by the same vector. The shape of a track is unchanged and can be matched to a map.");
}

/* Rows of latitude `cell` metres apart, and in each of them points `cell` metres apart: one grid for the whole earth, so that two releases
 * use the same. */
Status location_grid(Location *l) {
    double step = l->a->cell / EARTH_RADIUS * 360 / TURN;
    for (int64_t i = 0; i < l->rows; i++) {
        GeoPlace p = l->place[i];
        if (!place_known(p)) continue;
        double lat = larger(-90, smaller(90, round(p.lat / step) * step)), across = step / larger(cos(lat * TURN / 360), 1e-9);
        double lon = p.lon > 180 ? p.lon - 360 : p.lon;
        l->masked[i] = (GeoPlace){ lat, across >= 360 ? 0 : larger(-180, smaller(180, round(lon / across) * across)) };
    }
    return OK;
}

/* Armstrong, Rushton & Zimmerman 1999: about the centre of all points, turned, scaled and shifted. */
Status location_affine(Location *l) {
    const LocationArgs *a = l->a;
    GeoPlace centre = geo_centre(l->place, NULL, l->rows);
    double turn = a->rotate * TURN / 360;
    for (int64_t i = 0; i < l->rows; i++) {
        if (!place_known(l->place[i])) continue;
        MapPoint p = geo_flat(centre, l->place[i]);
        MapPoint q = { a->scale * (p.east * cos(turn) + p.north * sin(turn)) + a->shift_east,
                       a->scale * (p.north * cos(turn) - p.east * sin(turn)) + a->shift_north };
        l->masked[i] = geo_round(centre, q);
    }
    result_note(l->run->result, "One map was applied to all points, so ratios of distances are unchanged. An intruder who knows two true "
                                "places can invert it. Its parameters are secret and not shown.");
    return OK;
}
