/* protect.location: circles that contain the home, laws of the moves, grids, maps, cells of k subjects, bad input. */
#include "methods.h"
#include "base/random.h"
#include "math/geo.h"

static GeoPlace place_of(const Table *table, int64_t i) {
    return (GeoPlace){ column_number(table_column(table, "lat"), i), column_number(table_column(table, "lon"), i) };
}

/* `subjects` people with `points` points each, round a home of their own. */
static void make_tracks(int subjects, int points, double metres) {
    double *lat = malloc(sizeof(double) * subjects * points), *lon = malloc(sizeof(double) * subjects * points),
           *who = malloc(sizeof(double) * subjects * points);
    RandomStream stream = stream_make(&(Seed){ 0 }, "test", subjects, "location", "x");
    RandomReader reader = reader_make(&stream);
    for (int s = 0; s < subjects; s++) {
        GeoPlace home = geo_move((GeoPlace){ 47, 8 }, 6 * reader_uniform(&reader), 20000 * reader_uniform(&reader));
        for (int k = 0; k < points; k++) {
            GeoPlace p = geo_move(home, 6.28 * reader_uniform(&reader), metres * reader_uniform(&reader));
            lat[s * points + k] = p.lat;
            lon[s * points + k] = p.lon;
            who[s * points + k] = s;
        }
    }
    table_reals("t", (const double *[]){ lat, lon, who }, 3, subjects * points);
    const char *names[] = { "lat", "lon", "who" };
    for (int j = 0; j < 3; j++) {
        free(shelf[0]->column[j]->name);
        shelf[0]->column[j]->name = strdup(names[j]);
    }
    free(lat), free(lon), free(who);
}

static int ascending(const void *a, const void *b) {
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}
/* Kolmogorov's distance from the uniform; false alarm about one in a million. */
static void uniform(double *u, int64_t n) {
    double worst = 0;
    qsort(u, (size_t)n, sizeof *u, ascending);
    for (int64_t i = 0; i < n; i++) worst = fmax(worst, fmax(fabs(u[i] - (double)i / (double)n), fabs(u[i] - (double)(i + 1) / (double)n)));
    if (worst > 2.69 / sqrt((double)n)) fail_msg("not uniform: %g at n = %d", worst, (int)n);
}

/* Homes given: each circle's centre is within r of the home, so that the circle of R > r contains it; uniform on the disc; all of the
 * subject's points in it are gone, and no others. */
static void test_cloak(void **state) {
    (void)state;
    enum { SUBJECTS = 400 };
    static double share[SUBJECTS];
    make_tracks(SUBJECTS, 10, 900);
    const Table *tracks = shelf[0];
    char *text = malloc(SUBJECTS * 60), *at = text + sprintf(text, "who,lat,lon\n");
    GeoPlace home[SUBJECTS];
    for (int s = 0; s < SUBJECTS; s++) {
        home[s] = place_of(tracks, 10 * s);
        at += sprintf(at, "%d,%.17g,%.17g\n", s, home[s].lat, home[s].lon);
    }
    table_from("homes", text);
    free(text);
    run_ok("protect location t --lat lat --lon lon --subject who --method cloak --inner 300 --outer 500 --homes homes --show-records "
           "--action blank");
    assert_int_equal(output()->rows, 10 * SUBJECTS);
    int64_t gone = 0;
    for (int s = 0; s < SUBJECTS; s++) {
        GeoPlace centre = { table_value("circles", "centre_lat", s), table_value("circles", "centre_lon", s) };
        double metres = geo_metres(home[s], centre);
        assert_true(metres <= 300);
        share[s] = metres * metres / 300 / 300;
        for (int64_t i = 10 * s; i < 10 * s + 10; i++) {
            bool inside = geo_metres(centre, place_of(tracks, i)) <= 500;
            assert_int_equal(column_missing(output_column("lat"), i), inside);
            assert_int_equal(column_missing(output_column("lon"), i), inside);
            if (!inside) near(geo_metres(place_of(tracks, i), place_of(output(), i)), 0, 0);
            gone += inside;
        }
        assert_true(column_missing(output_column("lat"), 10 * s)); /* the point at home is always gone */
    }
    near(value("suppressed"), (double)gone, 0);
    uniform(share, SUBJECTS);
    run_ok("protect location t --lat lat --lon lon --subject who --method cloak --inner 300 --outer 500 --homes homes");
    assert_int_equal(output()->rows, 10 * SUBJECTS - (int64_t)value("suppressed")); /* another call, and so other draws */
    assert_null(result_find_table(last_result, "circles"));
}

static void test_homes_found(void **state) {
    (void)state;
    table_from_file("tracks", "examples/tracks.csv");
    const Table *homes = table_from_file("homes", "examples/homes.csv");
    run_ok("protect location tracks --lat lat --lon lon --subject subject --time time --method cloak --inner 0 --outer 200 --show-records");
    for (int64_t s = 0; s < homes->rows; s++)
        assert_true(geo_metres(place_of(homes, s),
                               (GeoPlace){ table_value("circles", "home_lat", s), table_value("circles", "home_lon", s) }) < 15);
}

static double moved(int64_t i) { return geo_metres(place_of(shelf[0], i), place_of(output(), i)); }

/* Radial laws: the distribution function of the distance is uniform; so is the bearing. */
static void test_laws(void **state) {
    (void)state;
    enum { N = 4000 };
    static double u[N], angle[N];
    make_tracks(N, 1, 0);
    static const char *const command[] = { "noise --sigma 80", "donut --inner 100 --outer 250", "planar-laplace --epsilon 0.02" };
    for (int m = 0; m < 3; m++) {
        char line[200];
        snprintf(line, sizeof line, "protect location t --lat lat --lon lon --method %s", command[m]);
        run_ok(line);
        for (int64_t i = 0; i < N; i++) {
            double r = moved(i);
            u[i] = m == 0 ? 1 - exp(-r * r / 2 / 80 / 80) : m == 1 ? (r * r - 1e4) / (250. * 250 - 1e4) : 1 - (1 + .02 * r) * exp(-.02 * r);
            angle[i] = geo_bearing(place_of(shelf[0], i), place_of(output(), i)) / 6.283185307179586;
            angle[i] -= floor(angle[i]);
            if (m == 1) assert_true(r > 99.98 && r < 250.02);
        }
        uniform(u, N);
        uniform(angle, N);
        if (m == 0) near(value("moved_rms"), 80 * sqrt(2), 80 * .08);
        if (m == 2) near(value("moved_mean"), 100, 100 * 4.5 / sqrt(2. * N));
    }
}

static void test_per_subject(void **state) {
    (void)state;
    make_tracks(5, 20, 500);
    run_ok("protect location t --lat lat --lon lon --subject who --method planar-laplace --epsilon 0.01 --per subject");
    near(value("epsilon_subject"), .01, 1e-15);
    for (int64_t i = 0; i < 100; i++) near(moved(i), moved(i / 20 * 20), .02);
    assert_true(fabs(moved(0) - moved(20)) > 1);
    run_ok("protect location t --lat lat --lon lon --subject who --method planar-laplace --epsilon 0.01");
    near(value("epsilon_subject"), .2, 1e-15);
}

static void test_grid(void **state) {
    (void)state;
    make_tracks(500, 1, 0);
    run_ok("protect location t --lat lat --lon lon --method grid --cell 1000");
    assert_true(value("moved_most") <= 1000 * .7072 && value("moved_most") > 500);
    double step = 1000 / EARTH_RADIUS * 57.29577951308232;
    for (int64_t i = 0; i < 500; i++) {
        GeoPlace p = place_of(output(), i);
        double rows = p.lat / step, columns = p.lon * cos(round(rows) * step / 57.29577951308232) / step;
        near(rows, round(rows), 1e-4);
        near(columns, round(columns), 1e-4);
    }
    char *first = strdup(cells_of(output_column("lon")));
    Table *again = table_retain(output());
    shelve("t", again);
    run_ok("protect location t --lat lat --lon lon --method grid --cell 1000"); /* a point of the grid stays */
    assert_string_equal(first, cells_of(output_column("lon")));
    free(first);
}

/* Distances keep their ratios, angles their size: turned by 90 degrees, doubled, shifted. */
static void test_affine(void **state) {
    (void)state;
    make_tracks(50, 1, 0);
    run_ok("protect location t --lat lat --lon lon --method affine --rotate 90 --scale 0.5 --shift-east 3000 --shift-north -1000");
    GeoPlace centre = geo_centre((GeoPlace[]){ place_of(shelf[0], 0) }, NULL, 1);
    static GeoPlace all[50];
    for (int64_t i = 0; i < 50; i++) all[i] = place_of(shelf[0], i);
    centre = geo_centre(all, NULL, 50);
    for (int64_t i = 0; i < 50; i++) {
        MapPoint p = geo_flat(centre, all[i]), q = geo_flat(centre, place_of(output(), i));
        near(q.east, .5 * p.north + 3000, .02);
        near(q.north, -.5 * p.east - 1000, .02);
    }
    for (int64_t k = 0; k < last_result->params; k++)
        if (!strcmp(last_result->param[k].name, "rotate")) assert_true(last_result->param[k].secret);
}

static void test_aggregate(void **state) {
    (void)state;
    make_tracks(200, 4, 2000);
    run_ok("protect location t --lat lat --lon lon --subject who --method aggregate --cell 500 --k 5");
    assert_true(value("fewest_subjects") >= 5 && value("groups") > 5);
    const Table *data = shelf[0];
    double fewest = 1e9;
    for (int64_t i = 0; i < 800; i++) { /* count the subjects at each released place anew */
        bool who[200] = { false };
        int subjects = 0;
        GeoPlace p = place_of(output(), i);
        for (int64_t j = 0; j < 800; j++) {
            GeoPlace q = place_of(output(), j);
            int s = (int)column_number(table_column(data, "who"), j);
            if (p.lat == q.lat && p.lon == q.lon && !who[s]) {
                who[s] = true;
                subjects++;
            }
        }
        fewest = fmin(fewest, subjects);
    }
    near(fewest, value("fewest_subjects"), 0);
    double east = 0, north = 0;
    for (int64_t i = 0; i < 800; i++) {
        MapPoint p = geo_flat((GeoPlace){ 47, 8 }, place_of(data, i)), q = geo_flat((GeoPlace){ 47, 8 }, place_of(output(), i));
        east += (p.east - q.east) / 800;
        north += (p.north - q.north) / 800;
    }
    near(hypot(east, north), 0, .5);
    run_bad("protect location t --lat lat --lon lon --subject who --method aggregate --cell 500 --k 201", "the file has 200");
}

static void test_missing_and_edges(void **state) {
    (void)state;
    table_from("m", "lat,lon,s\n47.5,8.5,a\n,8.5,a\n47.5,,b\n,,\n-10.25,-20.5,\n");
    static const char *const command[] = { "noise --sigma 5",
                                           "donut --inner 1 --outer 2",
                                           "planar-laplace --epsilon 1",
                                           "grid --cell 10",
                                           "aggregate --cell 10 --k 1",
                                           "affine --rotate 10",
                                           "cloak --inner 0 --outer 1 --action blank" };
    for (int m = 0; m < 7; m++) {
        char line[200];
        snprintf(line, sizeof line, "protect location m --lat lat --lon lon --subject s --method %s", command[m]);
        run_ok(line);
        for (int64_t i = 1; i < 4; i++) assert_true(column_missing(output_column("lat"), i) && column_missing(output_column("lon"), i));
        assert_int_equal(column_missing(output_column("lat"), 0), m == 6);
    }
    run_ok("protect location m --lat lat --lon lon --subject s --method cloak --inner 0 --outer 1");
    assert_int_equal(output()->rows, 1); /* what has no place at all stays; half a place goes */
    table_from("east", "lat,lon\n0,359.9999\n0,200\n");
    run_ok("protect location east --lat lat --lon lon --method noise --sigma 1");
    for (int64_t i = 0; i < 2; i++) assert_true(column_number(output_column("lon"), i) >= 0);
}

static void test_bad_input(void **state) {
    (void)state;
    table_from("p", "lat,lon,s,when\n47,8,a,noon\n");
    table_from("off", "lat,lon\n47,8\n95,8\n");
    table_from("homes", "s,lat,lon\nb,47,8\n");
    run_bad("protect location p --lat lat --lon lon", "method");
    run_bad("protect location p --lat lat --lon lon --method cloak --outer 5", "inner");
    run_bad("protect location p --lat lat --lon lon --method cloak --inner 5 --outer 5", "less than --outer");
    run_bad("protect location p --lat lat --lon lon --method donut --inner 9 --outer 5", "less than");
    run_bad("protect location p --lat lat --lon lon --method noise", "sigma");
    run_bad("protect location p --lat lat --lon lon --method noise --sigma 0", "more than 0");
    run_bad("protect location p --lat lat --lon lon --method noise --sigma 1 --cell 4", "cell");
    run_bad("protect location p --lat lat --lon lon --method planar-laplace", "epsilon");
    run_bad("protect location p --lat lat --lon lon --method grid", "cell");
    run_bad("protect location p --lat lat --lon lon --method affine", "needs --shift-east");
    run_bad("protect location p --lat s --lon lon --method noise --sigma 1", "number");
    run_bad("protect location off --lat lat --lon lon --method noise --sigma 1", "not a place on earth");
    run_bad("protect location p --lat lat --lon lon --method cloak --inner 1 --outer 2 --homes homes", "needs --subject");
    run_bad("protect location p --lat lat --lon lon --subject s --method cloak --inner 1 --outer 2 --homes homes", "has none");
    run_bad("protect location p --lat lat --lon lon --subject s --method cloak --inner 1 --outer 2 --time when", "date and time");
    table_from("empty", "lat,lon\n");
    run_ok("protect location empty --lat lat --lon lon --method aggregate --cell 5");
    run_ok("protect location empty --lat lat --lon lon --method cloak --inner 1 --outer 5");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_cloak),     cmocka_unit_test(test_homes_found),
                                        cmocka_unit_test(test_laws),      cmocka_unit_test(test_per_subject),
                                        cmocka_unit_test(test_grid),      cmocka_unit_test(test_affine),
                                        cmocka_unit_test(test_aggregate), cmocka_unit_test(test_missing_and_edges),
                                        cmocka_unit_test(test_bad_input) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
