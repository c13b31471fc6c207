/* The role that a column suggests: by its name, by its label, then by what its values look like. */
#include "profile/column_role.h"
#include <ctype.h>
#include <string.h>
#include "base/elementary.h"
#include "profile/person.h"
#include "profile/value_forms.h"
#include "table/measurement_level.h"

/* What else must hold for a name to count. */
typedef enum {
    ANY,
    NAMED,    /* words, that do not only say yes or no */
    PLACED,   /* the same, of more than a few values: street = paved, gravel */
    NUMBERED, /* values that are many for a category */
    DETAILED, /* more than half distinct, or names by their words */
    SERIAL,   /* an id: hardly repeats */
    CODED,    /* many values, or none of one digit */
    DECIMALS, /* numbers with decimals */
    DAYS,     /* dates */
    WORDY,    /* text of more than a few words */
    WEIGHTS,
    REPEATED,
    MAGNITUDE, /* any, but numbers of many values become `numeric` */
} Needs;

/* One line a concept: role NULL says that the name is known and the values decide. */
static const struct {
    Needs needs;
    const char *role, *reason;
} by_concept[CONCEPTS] = {
    [CALLED_NAME] = { NAMED, "identifiers", "named like a person's name" },
    [CALLED_WEAK_NAME] = { DETAILED, "identifiers", "named like a person's name" },
    [CALLED_PHONE] = { NUMBERED, "identifiers", "named like a telephone number" },
    [CALLED_FAX] = { NUMBERED, "identifiers", "named like a fax number" },
    [CALLED_EMAIL] = { NUMBERED, "identifiers", "named like an e-mail address" },
    [CALLED_URL] = { NUMBERED, "identifiers", "named like a web address" },
    [CALLED_IP] = { NUMBERED, "identifiers", "named like a computer's address" },
    [CALLED_ADDRESS] = { PLACED, "identifiers", "named like an address" },
    [CALLED_COORDINATES] = { DECIMALS, "identifiers", "coordinates lead to a home" },
    [CALLED_NATIONAL_ID] = { NUMBERED, "identifiers", "named like an official number" },
    [CALLED_PLAN] = { NUMBERED, "identifiers", "named like a number of an insurance" },
    [CALLED_ACCOUNT] = { NUMBERED, "identifiers", "named like an account" },
    [CALLED_LICENCE] = { NUMBERED, "identifiers", "named like a licence or certificate" },
    [CALLED_VEHICLE] = { NUMBERED, "identifiers", "named like a vehicle's plate or number" },
    [CALLED_DEVICE] = { NUMBERED, "identifiers", "named like a device's number" },
    [CALLED_BIOMETRIC] = { NUMBERED, "identifiers", "named like a biometric identifier" },
    [CALLED_PHOTO] = { PLACED, "identifiers", "named like a picture" },
    [CALLED_USERNAME] = { NUMBERED, "identifiers", "named like a user's or employee's identifier" },
    [CALLED_RECORD] = { NUMBERED, "identifiers", "named like a record's number" },
    [CALLED_WEAK_RECORD] = { SERIAL, "identifiers", "named like a record's number, and its values hardly repeat" },
    [CALLED_BIRTHDATE] = { DAYS, "identifiers", "singles out almost everyone; release the age" },
    [CALLED_PERSON_WEIGHT] = { WEIGHTS, "weight", "named like the weight of a person" },
    [CALLED_WEIGHT] = { WEIGHTS, "weight", "named like a sampling weight" },
    [CALLED_HOUSEHOLD_WEIGHT] = { WEIGHTS, "weight", "named like the weight of a household" },
    [CALLED_REPLICATE_WEIGHT] = { WEIGHTS, "other", "a replicate weight" },
    [CALLED_BODY_WEIGHT] = { MAGNITUDE, "numeric", "a weight in kilograms or pounds" },
    [CALLED_HOUSEHOLD] = { REPEATED, "household", "named like a household, and its values repeat" },
    [CALLED_DISABILITY] = { ANY, "sensitive", "a disability" },
    [CALLED_AGE] = { ANY, "keys", "an age: others may know it of a person" },
    [CALLED_BIRTH_YEAR] = { ANY, "keys", "tells the age: others may know it of a person" },
    [CALLED_SEX] = { ANY, "keys", "the sex: others may know it of a person" },
    [CALLED_POSTCODE] = { CODED, "keys", "a postcode: others may know it of a person" },
    [CALLED_NATIONALITY] = { ANY, "keys", "nationality or migration: others may know it of a person" },
    [CALLED_ORIGIN] = { ANY, "keys", "origin: others may know it of a person" },
    [CALLED_RELIGION] = { ANY, "keys", "religion: others may know it of a person" },
    [CALLED_LANGUAGE] = { ANY, "keys", "a language: others may know it of a person" },
    [CALLED_PLACE] = { ANY, "keys", "a place: others may know it of a person" },
    [CALLED_EDUCATION] = { ANY, "keys", "education: others may know it of a person" },
    [CALLED_OCCUPATION] = { ANY, "keys", "work: others may know it of a person" },
    [CALLED_INDUSTRY] = { ANY, "keys", "the industry or employer: others may know it of a person" },
    [CALLED_MARITAL] = { ANY, "keys", "marital status: others may know it of a person" },
    [CALLED_RELATIONSHIP] = { ANY, "keys", "the place in the household: others may know it of a person" },
    [CALLED_HOUSEHOLD_SIZE] = { ANY, "keys", "who lives in the household: others may know it of a person" },
    [CALLED_HOUSING] = { ANY, "keys", "housing: others may know it of a person" },
    [CALLED_VETERAN] = { ANY, "keys", "military service: others may know it of a person" },
    [CALLED_BODY] = { ANY, "keys", "to be seen of a person" },
    [CALLED_EVENT] = { DAYS, "keys", "others may know a date" },
    [CALLED_DATE] = { DAYS, "keys", "others may know a date" },
    [CALLED_DIAGNOSIS] = { MAGNITUDE, "sensitive", "health: not for others to know" },
    [CALLED_TREATMENT] = { MAGNITUDE, "sensitive", "treatment: not for others to know" },
    [CALLED_OUTCOME] = { MAGNITUDE, "sensitive", "an outcome: not for others to know" },
    [CALLED_MENTAL] = { MAGNITUDE, "sensitive", "mental health: not for others to know" },
    [CALLED_HEALTH] = { MAGNITUDE, "sensitive", "health: not for others to know" },
    [CALLED_SUBSTANCE] = { MAGNITUDE, "sensitive", "use of substances: not for others to know" },
    [CALLED_SEXUAL] = { MAGNITUDE, "sensitive", "sexual life: not for others to know" },
    [CALLED_CRIME] = { MAGNITUDE, "sensitive", "crime: not for others to know" },
    [CALLED_POLITICS] = { MAGNITUDE, "sensitive", "political opinion: not for others to know" },
    [CALLED_ATTITUDE] = { MAGNITUDE, "sensitive", "an opinion: not for others to know" },
    [CALLED_WELFARE] = { MAGNITUDE, "sensitive", "benefits or debts: not for others to know" },
    [CALLED_AMOUNT] = { MAGNITUDE, "sensitive", "money: not for others to know" },
    [CALLED_LAB] = { MAGNITUDE, "sensitive", "a measurement of health: not for others to know" },
    [CALLED_TEXT] = { WORDY, "notes", "free text: scrub it, or drop it" },
    [CALLED_OTHER] = { ANY, "other", "tells how the file was made" },
};

/* People weigh between 25 and 250 kilograms, and none ten times as much as another: so narrow a column named `weight` is no sampling weight
 * for certain. */
static bool may_be_kilograms(const Column *column, const Profile *p) {
    return p->least >= 25 && p->most <= 250 && p->most < 10 * p->least &&
           name_has_word(column->name, " w weight weights wt gewicht peso poids ");
}

static bool is_text(const Column *column) { return column->type == TEXT_TYPE || column->type == CATEGORY_TYPE; }
static bool many_values(const Profile *p) { return p->distinct > 20 ? p->distinct * 200 > p->present : p->distinct * 2 > p->present; }
static bool magnitude(const Column *column, const Profile *p) { return column_numeric(column) && (p->distinct > 20 || !p->whole); }

static bool fits(Needs needs, const Column *column, const Profile *p) {
    switch (needs) {
    case ANY: return true;
    case MAGNITUDE: return true;
    case NAMED: return is_text(column) && p->distinct >= 3 && !column_says_yes_or_no(column);
    case PLACED: return is_text(column) && (p->distinct > 10 || column_looks_like_addresses(column)) && !column_says_yes_or_no(column);
    case NUMBERED: return p->distinct >= 3 && many_values(p) && column->type != REAL_TYPE && !column_says_yes_or_no(column);
    case DETAILED: return is_text(column) && (p->distinct * 2 > p->present || column_looks_like_names(column, p));
    case SERIAL: return p->distinct * 2 > p->present && column->type != REAL_TYPE;
    case CODED: return p->distinct > 10 || is_text(column) || p->least >= 10;
    case DECIMALS: return column->type == REAL_TYPE;
    case DAYS: return (column_linear(column) && !column_numeric(column)) || column_tells_days(column);
    case WORDY: return is_text(column) && p->distinct * 10 > p->present && p->distinct > 5;
    case WEIGHTS: return column_numeric(column) && p->positive && !may_be_kilograms(column, p);
    case REPEATED: return p->distinct < p->present && p->distinct * 20 > p->present && column->type != REAL_TYPE;
    }
    return false;
}

static bool day_of_few(Concept concept, const Profile *p) { return concept == CALLED_BIRTHDATE && p->distinct * 2 <= p->present; }

/* The first concept whose needs the values meet. */
static bool role_by_concept(const NameConcepts *concepts, const Column *column, const Profile *p, RoleGuess *out) {
    for (int i = 0; i < concepts->count; i++) {
        Concept concept = concepts->at[i];
        Needs needs = by_concept[concept].needs;
        if (!by_concept[concept].role || !fits(needs, column, p)) continue;
        *out = (RoleGuess){ by_concept[concept].role, by_concept[concept].reason, concept, false };
        if (needs == MAGNITUDE && magnitude(column, p)) out->role = "numeric";
        if (day_of_few(concept, p)) out->role = "keys";
        return true;
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
    return serial(p);
}

static int digits_in(double x) {
    int digits = 1;
    for (; x >= 10; x /= 10) digits++;
    return digits;
}

/* Whole numbers of eight digits and more, all as long, hardly are amounts: numbers of people whose records repeat. */
static bool long_numbers(const Column *column, const Profile *p) {
    if (column->type != INTEGER_TYPE || p->least < 1e7 || p->distinct * 20 <= p->present || p->distinct < 20) return false;
    return digits_in(p->least) == digits_in(p->most) && !column_tells_days(column);
}

static bool guess(RoleGuess *out, const char *role, const char *reason) {
    out->role = role;
    out->reason = reason;
    return true;
}

/* By forms that hardly anything else has. */
static bool role_by_form(const Column *column, const Profile *p, RoleGuess *out) {
    const char *what = column_trace(column, p);
    if (what) return guess(out, "identifiers", what);
    if ((what = column_holds_diagnoses(column, p))) return guess(out, "sensitive", what);
    if (column_says_sex(column, p)) return guess(out, "keys", "says male or female: others may know it of a person");
    if (column_is_prose(column, p)) return guess(out, "notes", "free text: scrub it, or drop it");
    if (p->present >= 10 && column_tells_days(column)) return guess(out, "keys", "others may know a date");
    return false;
}

static const char *question(const Column *column, const Profile *p) {
    if (!p->present) return "no value at all: is it needed?";
    if (p->distinct == 1) return "constant: it distinguishes nobody; other, if it is constant in the population too";
    if (column_says_yes_or_no(column)) return "yes or no to what? Known to others (keys), confidential (sensitive), or harmless (other)?";
    if (p->distinct == 2) return "two values: known to others (keys), confidential (sensitive), or harmless (other)?";
    if (p->distinct > 20) return "many values: do they name or number people or places (identifiers, keys), or are they harmless (other)?";
    return "few values: known to others (keys), confidential (sensitive), or harmless (other)?";
}

/* By what the values look like, where the name tells nothing. */
static void role_by_values(const Column *column, const Profile *p, RoleGuess *out) {
    bool numeric = column_numeric(column);
    out->weak = true;
    if (p->distinct < 2) guess(out, NULL, question(column, p));
    else if (p->present >= 10 && p->distinct == p->present && numbered(column, p)) guess(out, "identifiers", "every value occurs once");
    else if (long_numbers(column, p)) guess(out, "identifiers", "long numbers of one length");
    else if (column_looks_like_numbers_of_records(column, p)) guess(out, "identifiers", "codes of one form, as records are numbered");
    else if (!column_linear(column) && p->present >= 20 && p->distinct * 2 > p->present)
        guess(out, "identifiers", "most values occur once");
    else if (column_linear(column) && !numeric) guess(out, "keys", "others may know a date");
    else if (magnitude(column, p)) guess(out, "numeric", p->distinct > 20 ? "a magnitude of many values" : "numbers with decimals");
    else guess(out, NULL, question(column, p));
}

void column_guess(const Column *column, const Profile *p, RoleGuess *out) {
    const ColumnMetadata *about = column->about;
    NameConcepts concepts;
    const char *why = NULL;
    *out = (RoleGuess){ 0 };
    if (about && about->weights) {
        *out = (RoleGuess){ "weight", "the file weights its records by it", CALLED_PERSON_WEIGHT, false };
        return;
    }
    if (p->distinct > 1) {
        if (column_numbers_people(column, p, &why)) {
            guess(out, p->distinct < p->present ? "person" : "identifiers", why);
            return;
        }
        concepts_of_name(column->name, &concepts);
        if (role_by_concept(&concepts, column, p, out)) return;
        if (about && about->label) {
            concepts_of_label(about->label, &concepts);
            if (role_by_concept(&concepts, column, p, out)) return;
        }
        if (role_by_form(column, p, out)) return;
    }
    role_by_values(column, p, out);
}

bool column_called(const Column *column, Concept concept) {
    NameConcepts concepts;
    concepts_of_name(column->name, &concepts);
    if (!concepts.count && column->about && column->about->label) concepts_of_label(column->about->label, &concepts);
    return concepts.count && concepts.at[0] == concept;
}

const char *column_role(const Column *column, const Profile *p, const char **reason) {
    RoleGuess out;
    column_guess(column, p, &out);
    *reason = out.reason;
    return out.role;
}
