/* Tables for what runs in parts, drawn at random. */
#ifndef SCRIM_TESTS_PARTS_TABLES_H
#define SCRIM_TESTS_PARTS_TABLES_H
#include "methods.h"

static uint64_t state = 1;
static int64_t below(int64_t n) {
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (int64_t)((state >> 33) % (uint64_t)n);
}

/* A table with missing keys, few values, weights that no double adds up exactly. */
static void make_gaps(void) {
    static char text[1 << 16];
    size_t at = (size_t)snprintf(text, sizeof text, "a,b,c,s,x,w\n");
    for (int i = 0; i < 700; i++) {
        for (int j = 0; j < 3; j++)
            at += below(5) ? (size_t)snprintf(text + at, sizeof text - at, "%c%lld,", "uvw"[j], (long long)below(4 + j))
                           : (size_t)snprintf(text + at, sizeof text - at, ",");
        at += (size_t)snprintf(text + at, sizeof text - at, "s%lld,%lld.%lld,%lld.%02lld\n", (long long)below(5), (long long)below(90),
                               (long long)below(10), (long long)(1 + below(30)), (long long)below(100));
    }
    table_from("gaps", text);
}

/* Places of which some are missing, or half, or beyond 180 degrees (in the last part alone); some of nobody. */
static void make_places(void) {
    static char text[1 << 14];
    size_t at = (size_t)snprintf(text, sizeof text, "lat,lon,who\n");
    for (int i = 0; i < 300; i++) {
        if (below(9)) at += (size_t)snprintf(text + at, sizeof text - at, "4%lld.%03lld", (long long)below(9), (long long)below(1000));
        if (below(9)) at += (size_t)snprintf(text + at, sizeof text - at, ",%d.%03lld,", i < 290 ? 8 : 351, (long long)below(1000));
        else at += (size_t)snprintf(text + at, sizeof text - at, ",,");
        if (below(6)) at += (size_t)snprintf(text + at, sizeof text - at, "p%lld", (long long)below(40));
        at += (size_t)snprintf(text + at, sizeof text - at, "\n");
    }
    table_from("places", text);
}

/* Forms that hold of the first thousand cells, or only of later ones; many words, few words, codes, -0, serial numbers; and a mail that
 * begins after so many gaps that its first thousand cells end late. */
static void make_forms(void) {
    static char text[1 << 18];
    size_t at = (size_t)snprintf(text, sizeof text, "serial,mail,late,day,packed,word,pick,zero,blood,sex\n");
    for (int i = 0; i < 2100; i++) {
        at += (size_t)snprintf(text + at, sizeof text - at, "%d,", 5000 + 3 * i);
        if (i > 400 && i % 5) at += (size_t)snprintf(text + at, sizeof text - at, "p%d@example.org", i);
        at += (size_t)snprintf(text + at, sizeof text - at, i < 900 ? ",x%d," : ",p%d@example.org,", i);
        at += (size_t)snprintf(text + at, sizeof text - at, "%d/%d/19%d,", 1 + i % 28, 1 + i % 12, 50 + i % 40);
        at += (size_t)snprintf(text + at, sizeof text - at, "%d,", i < 801 ? 19800101 + i % 28 : 7);
        at += (size_t)snprintf(text + at, sizeof text - at, "w%lld,", (long long)below(1040));
        at += (size_t)snprintf(text + at, sizeof text - at, "%c,%s,", "ABCD"[i * i % 7 % 4], i % 3 ? "-0.0" : "0.0");
        at += (size_t)snprintf(text + at, sizeof text - at, "%lld,%c\n", (long long)(1 + below(4)), "mf"[i % 2]);
    }
    table_from("forms", text);
}

/* What a release might be of `gaps`: words merged, numbers in intervals or moved, some missing; and its beginning alone, and none of it. */
static void make_changed(void) {
    static char text[1 << 16], half[1 << 15];
    const Table *gaps = NULL;
    char number[33];
    for (int i = 0; i < SHELF && shelf[i]; i++)
        if (!strcmp(shelf[i]->name, "gaps")) gaps = shelf[i];
    size_t at = (size_t)snprintf(text, sizeof text, "x,a,b,c,w,other\n");
    for (int64_t i = 0; i < gaps->rows; i++) {
        const char *a = table_cell(gaps, "a", i, number), *b = table_cell(gaps, "b", i, number), *c = table_cell(gaps, "c", i, number);
        double x = table_number(gaps, "x", i);
        at += (size_t)snprintf(text + at, sizeof text - at, "%.2f,%s,%s,%s,", x + (double)below(100) / 50,
                               !a           ? ""
                               : a[1] < '2' ? "low"
                                            : "high",
                               b && below(9) ? b : "",
                               !c         ? ""
                               : below(3) ? c
                                          : "w0");
        at += (size_t)snprintf(text + at, sizeof text - at, "\"[%d,%d)\",1\n", (int)(table_number(gaps, "w", i) / 10) * 10,
                               (int)(table_number(gaps, "w", i) / 10) * 10 + 10);
        if (i == 300) memcpy(half, text, at);
    }
    table_from("changed", text);
    table_from("shorter", half);
    table_from("none_left", "a,x,s\n");
}

/* Whole numbers that are codes; merged in the release. */
static void make_codes(void) {
    static char text[2][1 << 14];
    size_t at[2] = { 0 };
    for (int t = 0; t < 2; t++) at[t] = (size_t)snprintf(text[t], sizeof text[t], "sex,region,zip,age,day\n");
    for (int i = 0; i < 400; i++) {
        long long region = below(9), zip = 1000 + below(300), age = below(80), day = below(28);
        at[0] += (size_t)snprintf(text[0] + at[0], sizeof text[0] - at[0], "%lld,%lld,%lld,%lld,2001-02-%02lld\n", 1 + (long long)below(2),
                                  region, zip, age, 1 + day);
        at[1] += (size_t)snprintf(text[1] + at[1], sizeof text[1] - at[1], "%lld,%lld,%lld,%lld,2001-02-%02lld\n", 1 + (long long)below(2),
                                  region / 3 * 3, below(50) ? zip / 100 * 100 : zip, age / 5 * 5, 1 + day / 7 * 7);
    }
    table_from("few_codes", text[0]);
    table_from("merged_codes", text[1]);
}
#endif
