/* Places on the earth, taken as a sphere: great-circle metres, bearings, and a flat map about a centre. */
#ifndef SCRIM_MATH_GEO_H
#define SCRIM_MATH_GEO_H
#include <stdbool.h>
#include <stdint.h>

#define EARTH_RADIUS 6371008.8 /* metres: the mean radius of the ellipsoid WGS 84 (Moritz 2000) */

typedef struct GeoPlace {
    double lat, lon;
} GeoPlace; /* degrees; NaN where not known */
typedef struct MapPoint {
    double east, north;
} MapPoint; /* metres */

/* Neither coordinate is NaN. */
bool place_known(GeoPlace place);
bool place_valid(GeoPlace place);                                /* latitude within ±90, longitude within −180…360 */
double geo_metres(GeoPlace a, GeoPlace b);                       /* great-circle distance */
double geo_bearing(GeoPlace from, GeoPlace to);                  /* radians clockwise from north, at `from` */
GeoPlace geo_move(GeoPlace from, double bearing, double metres); /* along a great circle; longitude in −180…180 */
/* The azimuthal equidistant map: distances and bearings from the centre are true (Snyder 1987, ch. 25). */
MapPoint geo_flat(GeoPlace centre, GeoPlace place);
GeoPlace geo_round(GeoPlace centre, MapPoint point); /* back to the sphere */
/* The mean direction of the places that are known; NaN where there is none. `row` lists them (NULL: 0…count-1). */
GeoPlace geo_centre(const GeoPlace *place, const int64_t *row, int64_t count);
#endif
