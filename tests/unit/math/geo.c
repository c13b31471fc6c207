/* Great circles: known distances, there and back, poles and the date line, the flat map. */
#include <math.h>
#include "testing.h"
#include "math/geo.h"

static void near(double seen, double wanted, double within) {
    if (!(fabs(seen - wanted) <= within)) fail_msg("saw %.12g, wanted %.12g", seen, wanted);
}

static const double RADIAN = 57.29577951308232;

static void test_known(void **state) {
    (void)state;
    near(geo_metres((GeoPlace){ 0, 0 }, (GeoPlace){ 0, 1 }), EARTH_RADIUS / RADIAN, 1e-6);
    near(geo_metres((GeoPlace){ 90, 0 }, (GeoPlace){ -90, 77 }), EARTH_RADIUS * 3.141592653589793, 1e-3);
    near(geo_metres((GeoPlace){ 10, 179.5 }, (GeoPlace){ 10, -179.5 }), geo_metres((GeoPlace){ 10, 0 }, (GeoPlace){ 10, 1 }), 1e-6);
    near(geo_metres((GeoPlace){ 47, 8 }, (GeoPlace){ 47, 8 }), 0, 0);
    near(geo_metres((GeoPlace){ 47, 8 }, (GeoPlace){ 47 + 1e-7, 8 }), 1e-7 * EARTH_RADIUS / RADIAN, 1e-8);
    /* Paris (48.8566, 2.3522) to London (51.5074, -0.1278): 343.56 km on the sphere */
    near(geo_metres((GeoPlace){ 48.8566, 2.3522 }, (GeoPlace){ 51.5074, -.1278 }), 343556, 10);
    near(geo_bearing((GeoPlace){ 0, 0 }, (GeoPlace){ 0, 1 }) * RADIAN, 90, 1e-12);
    near(geo_bearing((GeoPlace){ 10, 20 }, (GeoPlace){ 11, 20 }), 0, 1e-12);
    assert_true(place_valid((GeoPlace){ 90, 360 }) && !place_valid((GeoPlace){ 90.1, 0 }) && !place_valid((GeoPlace){ 0, -181 }) &&
                !place_valid((GeoPlace){ NAN, 0 }));
}

static void test_moves(void **state) {
    (void)state;
    for (int lat = -89; lat <= 89; lat += 7)
        for (int turn = 0; turn < 12; turn++)
            for (double metres = .01; metres < 5e6; metres *= 13) {
                GeoPlace from = { lat + .123, -179.9 + 30 * turn }, to = geo_move(from, turn / 2., metres),
                         back = geo_round(from, geo_flat(from, to));
                near(geo_metres(from, to), metres, 1e-6 + 1e-9 * metres);
                assert_true(to.lon >= -180 && to.lon <= 180 && fabs(to.lat) <= 90);
                near(remainder(geo_bearing(from, to) - turn / 2., 6.283185307179586), 0, 1e-6 + 1e-6 / metres);
                near(geo_metres(to, back), 0, 1e-5 + 1e-8 * metres);
            }
}

static void test_centre(void **state) {
    (void)state;
    GeoPlace place[] = { { 10, 179 }, { 10, -179 }, { NAN, 3 }, { -10, 180 } };
    GeoPlace centre = geo_centre(place, NULL, 2);
    near(fabs(centre.lon), 180, 1e-9);
    near(geo_metres(centre, place[0]), geo_metres(centre, place[1]), 1e-6);
    centre = geo_centre(place, (int64_t[]){ 0, 2 }, 2);
    near(centre.lat, 10, 1e-12);
    assert_false(place_known(geo_centre(place, NULL, 0)));
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_known), cmocka_unit_test(test_moves), cmocka_unit_test(test_centre) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
