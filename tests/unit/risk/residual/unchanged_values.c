/* Loose ends against their definition: thousands of small releases, and who alone has a number that is still at their record. */
#include "methods.h"

enum { MOST = 60, NUMBERS = 3, CATEGORIES = 3 };

static uint64_t state;
static int draw(int below) {
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((state >> 33) % (uint64_t)below);
}

/* How records lie in the release, and what the command says of it. */
typedef enum { IN_PLACE, BY_ID, SHUFFLED, SAMPLED } Order;

typedef struct World {
    int rows, kept;                            /* people; released records */
    int was[NUMBERS][MOST], is[NUMBERS][MOST]; /* by person; -1: missing. Numbers are written with a decimal */
    int category[2][CATEGORIES][MOST];         /* original, release */
    int person[MOST];                          /* of each released record */
} World;

static void shuffle(int *x, int count) {
    for (int i = count - 1; i > 0; i--) {
        int j = draw(i + 1), other = x[j];
        x[j] = x[i];
        x[i] = other;
    }
}

/* Values with few, many or almost only ties. */
static int a_number(int kind) { return kind == 0 ? draw(2000) : kind == 1 ? draw(40) : draw(8) ? 0 : 1 + draw(2000); }

/* Left alone, noise for some, swaps between some, blanks, rounding, a top. */
static void change(World *w, int column) {
    int how = draw(7), /* 0 and 6: left alone */
        share = 1 + draw(10), *x = w->is[column];
    for (int i = 0; i < w->rows; i++) {
        bool hit = draw(10) < share;
        if (how == 1 && hit && x[i] >= 0) x[i] = abs(x[i] + draw(9) - 4);
        if (how == 2 && hit) x[i] = -1;
        if (how == 3) x[i] = x[i] < 0 ? x[i] : x[i] / 10 * 10;
        if (how == 4 && x[i] > 1000) x[i] = 1000;
        if (how == 5 && hit) {
            int j = draw(w->rows), other = x[j];
            x[j] = x[i];
            x[i] = other;
        }
    }
}

static void make_world(World *w, Order order) {
    *w = (World){ .rows = 8 + draw(MOST - 8) };
    for (int j = 0; j < NUMBERS; j++) {
        int kind = draw(3);
        for (int i = 0; i < w->rows; i++) w->is[j][i] = w->was[j][i] = draw(20) ? a_number(kind) : -1;
        change(w, j);
    }
    for (int j = 0; j < CATEGORIES; j++)
        for (int i = 0; i < w->rows; i++) w->category[0][j][i] = w->category[1][j][i] = draw(2 + 3 * j);
    for (int i = 0; i < w->rows; i++) w->person[i] = i;
    if (order != IN_PLACE) shuffle(w->person, w->rows);
    w->kept = order == SAMPLED ? w->rows - 1 - draw(w->rows / 3) : w->rows;
}

static void write_record(char *text, const World *w, int person, const int number[][MOST], int side) {
    char *at = text + strlen(text);
    at += sprintf(at, "P%d", person);
    for (int j = 0; j < NUMBERS; j++) at += number[j][person] < 0 ? sprintf(at, ",") : sprintf(at, ",%d.5", number[j][person]);
    for (int j = 0; j < CATEGORIES; j++) at += sprintf(at, ",%c", 'a' + w->category[side][j][person]);
    sprintf(at, "\n");
}

static void write_world(const World *w, Order order) {
    static char before[8000], after[8000];
    strcpy(before, order == BY_ID ? "who" : "gone");
    strcat(before, ",x,y,z,a,b,c\n");
    strcpy(after, order == BY_ID ? "who" : "new");
    strcat(after, ",x,y,z,a,b,c\n");
    for (int i = 0; i < w->rows; i++) write_record(before, w, i, w->was, 0);
    for (int i = 0; i < w->kept; i++) write_record(after, w, w->person[i], w->is, 1);
    table_from("before", before);
    table_from("after", after);
}

static int holders(const int *x, const int *people, int count, int value) {
    int n = 0;
    for (int i = 0; i < count; i++) n += x[people ? people[i] : i] == value;
    return n;
}

/* From the definition: an intruder who knows a number that one person alone has looks it up in the release, and finds one record. */
static int people_found(const World *w, int column) {
    int right = 0, wrong = 0;
    for (int i = 0; i < w->rows; i++) {
        int value = w->was[column][i];
        if (value < 0 || holders(w->was[column], NULL, w->rows, value) != 1 || holders(w->is[column], w->person, w->kept, value) != 1)
            continue;
        for (int r = 0; r < w->kept; r++)
            if (w->is[column][w->person[r]] == value) *(w->person[r] == i ? &right : &wrong) += 1;
    }
    return right > wrong ? right : 0;
}

static int people_told(int column) {
    char start[60];
    int people = 0;
    snprintf(start, sizeof start, "%c (", 'x' + column);
    for (const char *at = result_find(last_result, "names")->text; (at = strstr(at, start)); at++)
        if (sscanf(at + strlen(start), "%d p%*[^,], unchanged from the origina%c", &people, &(char){ 0 }) == 2) return people;
    return 0;
}

/* Where who is who is known, to the person. Where only the values tell it, a person who is like others in all columns that were left alone
 * cannot be told from them: nine in ten counts are right to the person, and few tell more people than there are. */
static void every_order(void **unused) {
    (void)unused;
    int equal[4] = { 0 }, more[4] = { 0 }, someone[4] = { 0 };
    state = 20;
    for (int times = 0; times < 4000; times++) {
        World w;
        Order order = (Order)(times % 4);
        make_world(&w, order);
        write_world(&w, order);
        run_ok(order == BY_ID ? "risk residual after --original before --id who" : "risk residual after --original before");
        for (int j = 0; j < NUMBERS; j++) {
            int told = people_told(j), found = people_found(&w, j);
            if (order <= BY_ID && told != found) fail_msg("world %d, column %d: told %d of %d", times, j, told, found);
            equal[order] += told == found && found > 0;
            more[order] += told > found;
            someone[order] += found > 0;
        }
    }
    for (int order = 0; order < 4; order++) {
        assert_true(someone[order] > 2000);
        assert_true(equal[order] * 10 >= someone[order] * 9);
        assert_true(more[order] * 50 <= someone[order]);
    }
}

/* A column of noughts and a few amounts, among others, in another order: by position most cells agree, and mean nothing. */
static void amounts_among_noughts(void **unused) {
    (void)unused;
    state = 3;
    for (int times = 0; times < 200; times++) {
        static char before[4000], after[4000];
        int order[40], g[40], h[40], y[40], people = 3 + draw(6);
        for (int i = 0; i < 40; i++) {
            order[i] = i;
            g[i] = draw(5);
            h[i] = draw(7);
            y[i] = 20 + draw(60);
        }
        shuffle(order, 40);
        strcpy(before, "x,g,h,y\n");
        strcpy(after, before);
        for (int i = 0; i < 40; i++) {
            int j = order[i];
            sprintf(before + strlen(before), "%d.5,%c,%c,%d\n", i < people ? 100 + 7 * i : 0, 'a' + g[i], 'a' + h[i], y[i]);
            sprintf(after + strlen(after), "%d.5,%c,%c,%d\n", j < people ? 100 + 7 * j : 0, 'a' + g[j], 'a' + h[j], y[j]);
        }
        table_from("before", before);
        table_from("after", after);
        run_ok("risk residual after --original before");
        if (people_told(0) != people) fail_msg("told %d of %d: %s", people_told(0), people, result_find(last_result, "names")->text);
    }
}

/* Noise for the larger part, and the rest as it was: they are found, whether half are or fewer. */
static void fewer_than_half(void **unused) {
    (void)unused;
    static char before[4000], after[4000];
    strcpy(before, "g,x\n");
    strcpy(after, before);
    for (int i = 0; i < 90; i++) {
        sprintf(before + strlen(before), "%c,%d.5\n", 'a' + i % 3, 1000 + 37 * i);
        sprintf(after + strlen(after), "%c,%d.5\n", 'a' + i % 3, 1000 + 37 * i + (i % 3 ? 5 + i % 11 : 0));
    }
    table_from("before", before);
    table_from("after", after);
    run_ok("risk residual after --original before");
    assert_int_equal(people_told(0), 30);
    run_ok("protect rank-swap before --vars x --range 5"); /* all are someone else's */
    shelve("after", table_retain(output()));
    run_ok("risk residual after --original before");
    assert_int_equal(people_told(0), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(every_order), cmocka_unit_test(amounts_among_noughts),
                                        cmocka_unit_test(fewer_than_half) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
