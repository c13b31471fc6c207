/* Masking places: what the methods share. */
#ifndef SCRIM_PROTECT_LOCATION_H
#define SCRIM_PROTECT_LOCATION_H
#include "math/geo.h"
#include "method/method.h"

typedef enum { CLOAK, NOISE, GRID, AFFINE, AGGREGATE, DONUT, PLANAR_LAPLACE } LocationMethod;

typedef struct LocationArgs {
    const Table *data, *homes;
    const Column *lat, *lon, *subject, *time;
    LocationMethod method;
    double inner, outer, sigma, cell, epsilon, shift_east, shift_north, scale, rotate;
    int64_t k;
    unsigned action, per;
} LocationArgs;

typedef struct Location {
    Run *run;
    const LocationArgs *a;
    int64_t rows, subjects;
    GeoPlace *place;        /* as they are; not known where either coordinate is missing */
    GeoPlace *masked;       /* as they will be */
    const int32_t *subject; /* row → subject, from 0; a record without one is one of its own */
    int64_t *start, *row;   /* the subject's records: row[start[s]] … row[start[s+1]-1] */
    const int32_t *home_of; /* row of `homes` → subject, -1 = of none here; NULL without homes */
    uint8_t *suppress;      /* cloak: the records to suppress */
    int64_t *unit;          /* row → the number of its subject's first record, or its own: whose draw it gets */
} Location;

/* Each fills l->masked (cloak: l->suppress); cloak, affine and aggregate, which need the whole table, say in the result what only they can
 * say. */
MUST_CHECK Status location_cloak(Location *l);
MUST_CHECK Status location_displace(Location *l);                           /* noise, donut, planar-laplace */
void location_say_displaced(Run *run, const LocationArgs *a, int64_t most); /* most: records of the subject that has most */
MUST_CHECK Status location_grid(Location *l);
MUST_CHECK Status location_affine(Location *l);
MUST_CHECK Status location_aggregate(Location *l);
#endif
