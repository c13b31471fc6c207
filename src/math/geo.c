/* Spherical trigonometry. */
#include "base/elementary.h"
#include "base/extremes.h"
#include "math/geo.h"

static const double DEGREE = 0.017453292519943295; /* π/180 */
static const double HALF_TURN = 3.141592653589793;

bool place_known(GeoPlace place) { return !isnan(place.lat) && !isnan(place.lon); }
bool place_valid(GeoPlace place) { return fabs(place.lat) <= 90 && place.lon >= -180 && place.lon <= 360; }

/* The haversine formula: exact for near places too. */
double geo_metres(GeoPlace a, GeoPlace b) {
    double up = sin((b.lat - a.lat) * DEGREE / 2), across = sin((b.lon - a.lon) * DEGREE / 2);
    double h = up * up + cos(a.lat * DEGREE) * cos(b.lat * DEGREE) * across * across;
    return 2 * EARTH_RADIUS * asin(smaller(1, sqrt(h)));
}

/* Near the same latitude the plain formula for the north component loses digits; this form keeps them. */
double geo_bearing(GeoPlace from, GeoPlace to) {
    double a = from.lat * DEGREE, b = to.lat * DEGREE, turn = (to.lon - from.lon) * DEGREE, half = sin(turn / 2);
    return atan2(sin(turn) * cos(b), sin(b - a) + 2 * sin(a) * cos(b) * half * half);
}

GeoPlace geo_move(GeoPlace from, double bearing, double metres) {
    double a = from.lat * DEGREE, arc = metres / EARTH_RADIUS, z = sin(a) * cos(arc) + cos(a) * sin(arc) * cos(bearing);
    double turn = atan2(sin(bearing) * sin(arc) * cos(a), cos(arc) - sin(a) * z);
    double side = hypot(sin(arc) * sin(bearing), cos(arc) * cos(a) - sin(arc) * sin(a) * cos(bearing));
    double lon = fmod(from.lon + turn / DEGREE + 540, 360);
    return (GeoPlace){ atan2(z, side) / DEGREE, (lon < 0 ? lon + 360 : lon) - 180 };
}

MapPoint geo_flat(GeoPlace centre, GeoPlace place) {
    double metres = geo_metres(centre, place), bearing = metres > 0 ? geo_bearing(centre, place) : 0;
    return (MapPoint){ metres * sin(bearing), metres * cos(bearing) };
}

GeoPlace geo_round(GeoPlace centre, MapPoint point) {
    return geo_move(centre, atan2(point.east, point.north), smaller(hypot(point.east, point.north), HALF_TURN * EARTH_RADIUS));
}

GeoPlace geo_centre(const GeoPlace *place, const int64_t *row, int64_t count) {
    double x = 0, y = 0, z = 0;
    int64_t known = 0;
    for (int64_t k = 0; k < count; k++) {
        GeoPlace p = place[row ? row[k] : k];
        if (!place_known(p)) continue;
        x += cos(p.lat * DEGREE) * cos(p.lon * DEGREE);
        y += cos(p.lat * DEGREE) * sin(p.lon * DEGREE);
        z += sin(p.lat * DEGREE);
        known++;
    }
    if (!known) return (GeoPlace){ NAN, NAN };
    return (GeoPlace){ atan2(z, hypot(x, y)) / DEGREE, atan2(y, x) / DEGREE };
}
