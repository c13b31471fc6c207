/* Guesses: words in a column's name first, then what its values look like. */
#include "profile/column_role.h"
#include <ctype.h>
#include <string.h>
#include "base/elementary.h"
#include "table/column_cache.h"
#include "table/measurement_level.h"

typedef enum { ANY, NUMBERS, WEIGHTS, REPEATED, DETAILED } Needs; /* what else must hold for a name to count */

/* Words of a column's name that tell what it is. The first rule that fits wins. */
static const struct {
    const char *role;
    const char *words;
    Needs needs;
    const char *reason;
} by_name[] = {
    { "weight",
      " w weight weights wgt wt pweight sampweight fnlwgt afnlwgt finalweight perwt hhwt pwgt fexp expansion ponderacion ponderador "
      "hochrechnung hrf ",
      WEIGHTS, "named like a sampling weight" },
    { "household", " hid hh hhid household householdid family famid familyid dwelling ", REPEATED,
      "named like a household, and its values repeat" },
    { "identifiers", " name names surname forename firstname lastname fullname nickname ", DETAILED, "names a person" },
    { "identifiers", " phone telephone tel mobile fax email mail url website ip ", DETAILED, "a way to reach a person" },
    { "identifiers", " ssn nino passport iban account mrn card licence license plate vin insurance ", DETAILED,
      "an official or account number" },
    { "identifiers", " street address addr ", DETAILED, "an address" },
    { "identifiers", " lat lon lng long latitude longitude gps coordinates ", NUMBERS, "coordinates lead to a home" },
    { "identifiers", " birthdate dateofbirth dob birthday ", DETAILED, "singles out almost everyone; release the age" },
    { "keys",
      " sex gender age agegroup birth birthyear born region county state province district municipality city town zip postcode postal "
      "country nation "
      "nationality citizenship race ethnicity ethnic religion education edu educ schooling degree occupation job profession industry "
      "employer "
      "marital civil hhcivil "
      "relat relation relationship children language height urban rural urbrur geo nuts ",
      ANY, "others may know it of a person" },
    { "sensitive",
      " diagnosis diagnoses disease illness condition icd hiv drug drugs alcohol medication therapy treatment crime conviction offence "
      "offense party vote "
      "orientation pregnant abortion suicide psychiatric ",
      ANY, "not for others to know" },
};

/* Is every value a whole number? Texts are none. */
static bool all_whole(const Column *column, const Codes *codes) {
    bool by_type = column->type == INTEGER_TYPE || column->type == CATEGORY_TYPE || column->type == DATE_TYPE;
    for (int32_t c = 0; c < codes->count && !by_type; c++) {
        double number = column_number(column, codes->first_row[c]);
        if (number != floor(number)) return false;
    }
    return true;
}

/* Whole numbers, each once: whether they stand in order, how long they are, and how evenly they lie (Kolmogorov's distance). */
static void profile_serials(const Column *column, const Codes *codes, Profile *out) {
    int32_t before = -1;
    bool up = true, down = true;
    for (int64_t i = 0; i < column->rows && (up || down); i++) {
        if (codes->at[i] < 0) continue;
        up = up && codes->at[i] > before;
        down = down && (before < 0 || codes->at[i] < before);
        before = codes->at[i];
    }
    out->in_order = up || down;
    for (int32_t c = 0; c < codes->count; c++) {
        double x = column_number(column, codes->first_row[c]), n = codes->count, place = out->range > 0 ? (x - out->least) / out->range : 0;
        int digits = 1;
        for (double rest = fabs(x); rest >= 10; rest /= 10) digits++;
        out->digits = c && digits != out->digits ? 0 : digits;
        out->uneven = fmax(out->uneven, fmax(place - c / n, (c + 1) / n - place));
    }
}

Profile codes_profile(const Column *column, const Codes *codes, const int64_t *size) {
    Profile out = { .distinct = codes->count, .whole = all_whole(column, codes), .positive = true };
    for (int32_t c = 0; c < codes->count; c++) {
        out.uniques += size[c] == 1;
        out.present += size[c];
    }
    if (!codes->count) return out;
    double least = column_number(column, codes->first_row[0]), most = column_number(column, codes->first_row[codes->count - 1]);
    out.positive = least >= 0 && most >= 0; /* not a number is neither */
    out.range = most - least;
    out.least = least;
    out.most = most;
    if (column->type == INTEGER_TYPE && out.distinct == out.present) profile_serials(column, codes, &out);
    return out;
}

/* The codes it is made of are much larger than it is, and go at once unless someone else has them. */
static Status make_profile(Work *work, Columns columns, int how, void *out) {
    Status status = OK;
    Work own = *work;
    const Column *column = columns.at[0];
    Codes codes = { 0 };
    int64_t *size = NULL;
    (void)how;
    own.memo = cache_borrow(work->memo);
    TRY(column_codes(&own, column, &codes));
    TRY(codes_sizes(&own, &codes, column->rows, &size));
    *(Profile *)out = codes_profile(column, &codes, size);
done:
    arena_drop(work->arena, size);
    codes_drop(&own, column, &codes);
    cache_free(own.memo);
    return status;
}

Status column_profile(Work *work, const Column *column, Profile *out) {
    return cache_take(work, CACHE_PROFILE, (Columns){ .count = 1, .at = &column }, 0, make_profile, out, sizeof *out);
}

/* People weigh between 25 and 250 kilograms, and none ten times as much as another: so narrow a column named `weight` is no sampling weight
 * for certain. */
static bool may_be_kilograms(const Column *column, const Profile *p) {
    if (name_has_word(column->name, " kg kgs lb lbs kilogram kilograms pounds body birth bodyweight birthweight ")) return true;
    return p->least >= 25 && p->most <= 250 && p->most < 10 * p->least && name_has_word(column->name, " w weight weights wt ");
}

static bool fits(Needs needs, const Column *column, const Profile *p) {
    switch (needs) {
    case ANY: return true;
    case NUMBERS: return column_numeric(column);
    case WEIGHTS: return column_numeric(column) && p->positive && !may_be_kilograms(column, p);
    case REPEATED: return p->distinct < p->present && p->distinct * 20 > p->present && column->type != REAL_TYPE;
    case DETAILED: return p->distinct * 2 > p->present;
    }
    return false;
}

/* Are whole numbers that all differ serial numbers? They stand in order, or all have one length, or lie evenly (at the 1% level of
 * Kolmogorov's test) and close together; amounts do none of it, but for long numbers of one length, which no amounts of people are. That
 * few numbers of a wide range all differ says nothing: n of R values do by chance with a probability of exp(−n²/2R), which must be under
 * 1%. */
static bool serial(const Profile *p) {
    enum { LONG = 8 };
    double n = (double)p->present;
    if (p->digits >= LONG) return true;
    if (n * n < 9.2 * (p->range + 1) || p->range >= 20 * n) return p->in_order && p->positive;
    return p->in_order || p->range < 2 * n || p->digits > 2 || p->uneven * sqrt(n) <= 1.63;
}

/* Serial numbers by their form or their name. Words that never repeat name their records. */
static bool numbered(const Column *column, const Profile *p) {
    if (column->type == REAL_TYPE || column->type == DATE_TYPE || column->type == DATETIME_TYPE) return false;
    if (column->type != INTEGER_TYPE) return true;
    return serial(p) || name_has_word(column->name, " id ids no nr num number key code serial record case pid uid uuid patient person ");
}

/* By what the values look like, where the name tells nothing. */
static const char *role_by_values(const Column *column, const Profile *p, const char **reason) {
    bool numeric = column_numeric(column);
    const char *trace = column_trace(column, p);
    if (trace) {
        *reason = trace;
        return "identifiers";
    }
    if (!p->present) {
        *reason = "no value at all";
        return NULL;
    }
    if (p->distinct == 1) {
        *reason = "constant: tells nothing of anyone";
        return NULL;
    }
    if (p->present >= 10 && column_tells_days(column)) {
        *reason = "others may know a date";
        return "keys";
    }
    if (p->present >= 10 && p->distinct == p->present && numbered(column, p)) {
        *reason = "every value occurs once";
        return "identifiers";
    }
    if (!column_linear(column) && p->present >= 20 && p->distinct * 2 > p->present) {
        *reason = "most values occur once";
        return "identifiers";
    }
    if (column_linear(column) && !numeric) {
        *reason = "others may know a date";
        return "keys";
    }
    if (numeric && (p->distinct > 20 || !p->whole)) {
        *reason = p->distinct > 20 ? "a magnitude of many values" : "numbers with decimals";
        return "numeric";
    }
    *reason = "few values: decide by hand";
    return NULL;
}

const char *column_role(const Column *column, const Profile *p, const char **reason) {
    if (column->about && column->about->weights) {
        *reason = "the file weights its records by it";
        return "weight";
    }
    if (p->distinct > 1)
        for (size_t i = 0; i < sizeof by_name / sizeof *by_name; i++)
            if (name_has_word(column->name, by_name[i].words) && fits(by_name[i].needs, column, p)) {
                *reason = by_name[i].reason;
                return by_name[i].role;
            }
    return role_by_values(column, p, reason);
}
