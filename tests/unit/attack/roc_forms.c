/* The ROC curve attack on every form in which curves are published: what it calls certain, and every interval, holds of the records behind
 * the curve. */
#include "methods.h"

typedef struct {
    double score;
    int status;
} Record;
typedef struct {
    int64_t count;
    double fpr[64], tpr[64], threshold[64];
} Curve;
enum {
    EXACT,
    TWICE,
    TWO_DIGITS,
    THREE_DIGITS,
    FOUR_DIGITS,
    PER_CENT,
    THINNED,
    ALONG_AXES,
    HULL,
    LEFT_OUT,
    SCORES,
    SCORES_THINNED,
    HALFWAY,
    FORMS
};

static uint64_t state_of_cases = 55;
static int64_t below(int64_t n) {
    state_of_cases = state_of_cases * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int64_t)((state_of_cases >> 33) % (uint64_t)n);
}

static int descending(const void *x, const void *y) {
    const Record *a = x, *b = y;
    return (a->score < b->score) - (a->score > b->score);
}

static void curve_of(const Record *data, int64_t n, Curve *out) {
    int64_t tp = 0, fp = 0, P = 0;
    for (int64_t i = 0; i < n; i++) P += data[i].status;
    *out = (Curve){ .count = 1, .threshold = { INFINITY } };
    for (int64_t i = 0; i < n; i++) {
        tp += data[i].status;
        fp += !data[i].status;
        if (i + 1 < n && data[i + 1].score == data[i].score) continue;
        out->fpr[out->count] = (double)fp / (double)(n - P);
        out->tpr[out->count] = (double)tp / (double)P;
        out->threshold[out->count++] = data[i].score;
    }
}

static double turn(const Curve *c, int64_t i, int64_t j, int64_t k) {
    return (c->fpr[j] - c->fpr[i]) * (c->tpr[k] - c->tpr[i]) - (c->tpr[j] - c->tpr[i]) * (c->fpr[k] - c->fpr[i]);
}

static void keep_points(Curve *c, const int64_t *kept, int64_t count) {
    Curve old = *c;
    for (int64_t i = 0; i < count; i++) {
        c->fpr[i] = old.fpr[kept[i]];
        c->tpr[i] = old.tpr[kept[i]];
        c->threshold[i] = old.threshold[kept[i]];
    }
    c->count = count;
}

static bool along(const Curve *c, int64_t k) {
    return (c->fpr[k - 1] == c->fpr[k] && c->fpr[k] == c->fpr[k + 1]) || (c->tpr[k - 1] == c->tpr[k] && c->tpr[k] == c->tpr[k + 1]);
}

static void thin(Curve *c, int form) {
    int64_t kept[64], count = 0;
    for (int64_t k = 0; k < c->count; k++) {
        bool end = k == 0 || k == c->count - 1;
        bool drop = !end && (form == LEFT_OUT ? below(3) == 0 : form == ALONG_AXES ? along(c, k) : fabs(turn(c, k - 1, k, k + 1)) < 1e-12);
        while (form == HULL && count > 1 && turn(c, kept[count - 2], kept[count - 1], k) >= -1e-12) count--;
        if (form == HULL || !drop) kept[count++] = k;
    }
    keep_points(c, kept, count);
}

static void round_points(Curve *c, double scale, double unit) {
    for (int64_t k = 0; k < c->count; k++) {
        c->fpr[k] = rint(c->fpr[k] * scale) / unit;
        c->tpr[k] = rint(c->tpr[k] * scale) / unit;
    }
}

static void publish(Curve *c, int form) {
    static const double digits[] = { [TWO_DIGITS] = 100, [THREE_DIGITS] = 1000, [FOUR_DIGITS] = 10000 };
    char name[] = "threshold";
    const char *names[] = { "fpr", "tpr", name };
    double *given[] = { c->fpr, c->tpr, c->threshold };
    Column *made[3];
    Table *table;
    if (form == THINNED || form == SCORES_THINNED || form == ALONG_AXES || form == HULL || form == LEFT_OUT) thin(c, form);
    if (form >= TWO_DIGITS && form <= FOUR_DIGITS) round_points(c, digits[form], digits[form]);
    if (form == PER_CENT) round_points(c, 1000, 10);
    if (form == HALFWAY) {
        for (int64_t k = 1; k + 1 < c->count; k++) c->threshold[k] = (c->threshold[k] + c->threshold[k + 1]) / 2;
        c->threshold[c->count - 1] = -INFINITY;
    }
    int64_t columns = form >= SCORES ? 3 : 2;
    for (int64_t j = 0; j < columns; j++) {
        assert_int_equal(column_new(REAL_TYPE, names[j], c->count, &made[j], &last_error), OK);
        for (int64_t i = 0; i < c->count; i++) made[j]->real[i] = given[j][i];
        column_seal(made[j]);
    }
    assert_int_equal(table_new("roc", made, columns, c->count, &table, &last_error), OK);
    for (int64_t j = 0; j < columns; j++) column_release(made[j]);
    shelve("roc", table);
}

static void put_known(const Record *data, const bool *gone, int64_t n) {
    char text[1024] = "t,d\n";
    for (int64_t i = 0; i < n; i++)
        if (!gone[i]) snprintf(text + strlen(text), sizeof text - strlen(text), "%g,%d\n", data[i].score, data[i].status);
    table_from("known", text);
}

/* Ranks of tied missing records are in no order: a claim holds where some order of them meets it. */
static bool status_among(const Record *data, const bool *gone, int64_t n, double score, int status) {
    for (int64_t i = 0; i < n; i++)
        if (gone[i] && data[i].score == score && data[i].status == status) return true;
    return false;
}

static void claims_hold(const Record *data, const bool *gone, int64_t n, int form) {
    int64_t rank = 0, missing = 0;
    bool claims = !isnan(value("statuses_certain"));
    for (int64_t i = 0; i < n; i++) missing += gone[i];
    if (claims && value("missing") != (double)missing) fail_msg("form %d: another number of records, and claims", form);
    bool told = result_find_table(last_result, "missing")->rows == missing; /* intervals hold whether or not a status is certain */
    for (int64_t i = 0; told && i < n; i++) {
        if (!gone[i]) continue;
        double p = table_value("missing", "probability", rank), lower = table_value("missing", "lower", rank),
               upper = table_value("missing", "upper", rank);
        int status = (int)table_value("missing", "status", rank++);
        if (p == 1 && !claims) fail_msg("form %d: a probability of 1, and nothing certain", form);
        if (p == 1 && !status_among(data, gone, n, data[i].score, status))
            fail_msg("form %d: a status is called certain that is not", form);
        if (lower > data[i].score || upper < data[i].score) fail_msg("form %d: a score lies outside its bounds", form);
    }
}

static int64_t judged;

/* n up to 12 with ties, one to three missing; with n, with n and P, or without either. */
static bool one_case(int form) {
    Record data[32];
    bool gone[32] = { 0 };
    int64_t n = 6 + below(7), positives = 0, known = 0, known_positives = 0;
    for (int64_t i = 0; i < n; i++) data[i] = (Record){ (double)below(10), (int)below(2) };
    if (form == TWICE)
        for (int64_t i = 0; i < n; i++) data[n + i] = data[i];
    if (form == TWICE) n *= 2;
    qsort(data, (size_t)n, sizeof *data, descending);
    for (int64_t k = 1 + below(3); k > 0; k--) gone[below(n)] = true;
    for (int64_t i = 0; i < n; i++) {
        positives += data[i].status;
        known += !gone[i];
        known_positives += !gone[i] && data[i].status;
    }
    if (!positives || positives == n || !known_positives || known_positives == known) return false;
    Curve curve;
    char command[160];
    curve_of(data, n, &curve);
    publish(&curve, form);
    put_known(data, gone, n);
    int64_t given = below(4);
    int length = snprintf(command, sizeof command, "attack roc roc --known known --score t --status d");
    if (given) length += snprintf(command + length, sizeof command - (size_t)length, " --n %d", (int)n);
    if (given == 3) snprintf(command + length, sizeof command - (size_t)length, " --positives %d", (int)positives);
    if (run_seeded(1, command)) { /* too coarse a form may be refused; it says why */
        if (form == EXACT || form == THINNED || form == HULL || form == LEFT_OUT)
            fail_msg("form %d is refused: %s", form, last_error.message);
        return false;
    }
    claims_hold(data, gone, n, form);
    judged++;
    return value("statuses_certain") > 0;
}

enum { CASES = 900 };
static void no_false_claim(void **state) {
    (void)state;
    int64_t claimed[FORMS] = { 0 };
    for (int form = 0; form < FORMS; form++)
        for (int i = 0; i < CASES; i++) claimed[form] += one_case(form);
    assert_true(judged >= 10000); /* beside those refused, or without both statuses */
    for (int form = 0; form < FORMS; form++)
        if (claimed[form] < (form == HULL || form == LEFT_OUT ? 20 : 100))
            fail_msg("form %d: claims made in %d of %d cases: too timid to be of use", form, (int)claimed[form], CASES);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(no_false_claim) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
