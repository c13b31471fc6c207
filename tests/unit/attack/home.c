/* Homes from tracks: each guess by hand on small tracks, clusters against all pairs tried, the example's homes found, and no one named
 * unasked. */
#include "attack/home/home.h"
#include "methods.h"

static const double METRES = 111195.08; /* a degree along a great circle of this sphere */

/* At the equator: work at 0.01 east, home at 0, 0. The last fixes of the days (which begin at 3) are at 0, 0.0002 and 0.0004 east. */
static const char three_days[] = "who,when,lat,lon\na,2024-03-04T09:00:00,0,0.01\na,2024-03-04T22:00:00,0,0.0003\na,2024-03-05T02:59:00,0,"
                                 "0.0002\na,2024-03-05T12:00,0,0.01\n"
                                 "a,2024-03-05 23:30,0,0\na,2024-03-06T08:00:00,0,0.01\na,2024-03-06T18:00:00,0,0.0004\n";
#define TRACK " --lat lat --lon lon --time when --subject who"

static void last_destination(void **state) {
    (void)state;
    table_from("track", three_days);
    table_from("homes", "who,lat,lon\na,0,0\nb,1,1\n");
    run_ok("attack home track" TRACK " --homes homes");
    near(value("median_error"), 0.0002 * METRES, 0.01);
    assert_true(value("subjects") == 1 && value("judged") == 1 && value("found") == 1 && value("baseline") == 0 && value("gain") == 1);
    assert_null(result_find_table(last_result, "homes"));
    run_ok("attack home track" TRACK " --homes homes --radius 20 --show-records");
    assert_true(value("found") == 0 && value("gain") == 0);
    near(table_value("homes", "lon", 0), 0.0002, 1e-9);
    table_from("homes", "who,lat,lon\na,50,0\na,0,0.0002\n"); /* the nearer of two homes */
    run_ok("attack home track" TRACK " --homes homes");
    near(value("median_error"), 0, 0.01);
    run_ok("attack home track" TRACK);
    assert_true(value("judged") == 0 && isnan(value("gain")) && isnan(value("found")));
}

/* Stays of 13, 5, 9, 11.5, 8.5, 10 and 0 hours: half of 57 is reached at 0.0003 east (0 and 0.0002 and 0.0003: 8.5 + 9 + 5; work: 34.5). */
static void other_methods(void **state) {
    (void)state;
    table_from("track", three_days);
    table_from("homes", "who,lat,lon\na,0,0\n");
    run_ok("attack home track" TRACK " --homes homes --method weighted-median");
    near(value("median_error"), 0.01 * METRES, 0.01); /* long days at work, and the receiver was off at night */
    run_ok("attack home track" TRACK " --homes homes --method best-time --hour 23"); /* 22:00, 23:30, 18:00: 0.0003, 0, 0.0004 */
    near(value("median_error"), 0.0003 * METRES, 0.01);
    run_ok("attack home track" TRACK " --homes homes --method largest-cluster"); /* four fixes near home against three at work */
    near(value("median_error"), (0.0003 + 0.0002 + 0 + 0.0004) / 4 * METRES, 0.01);
    run_bad("attack home track" TRACK " --hour 4", "best-time");
}

/* All pairs tried at each merge. */
static MapPoint by_all_pairs(const double *east, const double *north, int count) {
    static double x[256], y[256], w[256];
    for (int i = 0; i < count; i++) {
        x[i] = east[i];
        y[i] = north[i];
        w[i] = 1;
    }
    for (;;) {
        int a = -1, b = -1, best = 0;
        double least = 100;
        for (int i = 0; i < count; i++)
            for (int j = i + 1; j < count; j++)
                if (w[i] > 0 && w[j] > 0 && hypot(x[i] - x[j], y[i] - y[j]) <= least) {
                    least = hypot(x[i] - x[j], y[i] - y[j]);
                    a = i;
                    b = j;
                }
        for (int i = 1; i < count; i++)
            if (w[i] > w[best]) best = i;
        if (a < 0) return (MapPoint){ x[best], y[best] };
        x[a] = (x[a] * w[a] + x[b] * w[b]) / (w[a] + w[b]);
        y[a] = (y[a] * w[a] + y[b] * w[b]) / (w[a] + w[b]);
        w[a] += w[b];
        w[b] = 0;
    }
}

static void clusters(void **state) {
    (void)state;
    Error error = ERROR_NONE;
    Work work = { .arena = arena_new(), .error = &error, .threads = 1 };
    for (int trial = 0; trial < 40; trial++) {
        double east[120], north[120];
        Fix fix[120];
        for (int i = 0; i < 120; i++) {
            east[i] = drand48() * 900 + (i % 3 ? 0 : 60 * drand48());
            north[i] = drand48() * 700;
            if (i % 4 == 0) {
                east[i] = 200 + 40 * drand48();
                north[i] = 300 + 40 * drand48();
            }
            fix[i] = (Fix){ east[i], north[i], i, 1 };
        }
        MapPoint wanted = by_all_pairs(east, north, 120), seen;
        assert_int_equal(home_guess(&work, LARGEST_CLUSTER, 0, (Track){ fix, 120 }, &seen), OK);
        near(seen.east, wanted.east, 1e-6);
        near(seen.north, wanted.north, 1e-6);
    }
    arena_free(work.arena);
}

/* Ten thousand fixes, gathered in squares first: three of five about the home. */
static void long_track(void **state) {
    (void)state;
    Error error = ERROR_NONE;
    Work work = { .arena = arena_new(), .error = &error, .threads = 1 };
    Fix *fix = calloc(10000, sizeof *fix);
    MapPoint seen;
    for (int i = 0; i < 10000; i++) fix[i] = (Fix){ (i % 5 < 3 ? 0 : 5000) + 30 * drand48() - 15, 30 * drand48() - 15, i, 1 };
    assert_int_equal(home_guess(&work, LARGEST_CLUSTER, 0, (Track){ fix, 10000 }, &seen), OK);
    near(seen.east, 0, 1);
    near(seen.north, 0, 1);
    free(fix);
    arena_free(work.arena);
}

static void missing_and_bad(void **state) {
    (void)state;
    table_from("homes", "who,lat,lon\na,0,0\n");
    table_from("gaps", "who,when,lat,lon\na,2024-03-04T09:00:00,0,0.01\n,2024-03-04T22:00:00,0,3\na,,0,3\na,2024-03-04T23:00:00,,0.1\na,"
                       "2024-03-04T23:30:00,0,0.0001\n");
    run_ok("attack home gaps" TRACK " --homes homes");
    near(value("median_error"), 0.0001 * METRES, 0.01);
    assert_non_null(strstr(last_result->note[last_result->notes - 1], "3 positions"));
    table_from("dates", "who,when,lat,lon\na,2024-03-04,0,0.01\n");
    run_bad("attack home dates" TRACK, "is no date and time");
    table_from("far", "who,when,lat,lon\na,2024-03-04T09:00:00,95,0.01\n");
    run_bad("attack home far" TRACK, "not a place on earth");
    table_from("nameless", "name,lat,lon\na,0,0\n");
    run_bad("attack home gaps" TRACK " --homes nameless", "no column 'who'");
    table_from("words", "who,lat,lon\na,x,0\n");
    run_bad("attack home gaps" TRACK " --homes words", "numbers");
    run_bad("attack home gaps --lat lat --lon lon --subject who", "time");
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(last_destination), cmocka_unit_test(other_methods), cmocka_unit_test(clusters),
                                        cmocka_unit_test(long_track), cmocka_unit_test(missing_and_bad) };
    srand48(7);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
