/* Person numbers by name and repetition; repeated records by date of birth, sex and place. */
#include "profile/person.h"
#include "table/column_cache.h"
#include "table/group.h"
#include "table/measurement_level.h"

/* Up to 200 records a person on average: a code of a few values is no number of people. What is called id alone counts where it repeats. */
bool column_numbers_people(const Column *column, const Profile *p, const char **reason) {
    enum { FEWEST = 3, MOST_RECORDS = 200 };
    if (column->type == REAL_TYPE || column->type == DATE_TYPE || column->type == DATETIME_TYPE) return false;
    if (p->distinct < FEWEST || p->distinct * MOST_RECORDS < p->present) return false;
    if (p->distinct >= p->present) {
        *reason = "named like a person's number";
        return name_of_person_number(column->name);
    }
    if (!name_of_person_number(column->name)) {
        NameConcepts concepts;
        concepts_of_name(column->name, &concepts);
        if (!name_has_word(column->name, " id ident idno idnr ") || concepts.count != 1 || concepts.at[0] != CALLED_WEAK_RECORD ||
            p->distinct * 20 < p->present)
            return false;
    }
    *reason = "named like a person's number, and its values repeat: whose the records are";
    return true;
}

/* ---- records that look repeated ---- */

static const Column *first_named(const Table *table, const char *words, bool dates) {
    for (int64_t j = 0; j < table->columns; j++) {
        const Column *column = table->column[j];
        if (!name_has_word(column->name, words)) continue;
        if (!dates || column->type == DATE_TYPE || column_tells_days(column)) return column;
    }
    return NULL;
}

/* Records in groups of two and more, and the pairs within them; a record without the first column's value is in none. */
static Status count_sharing(Work *work, const Codes *codes, int64_t keys, int64_t rows, RepeatedRecords *out, double *pairs) {
    Status status = OK;
    Grouping groups = { 0 };
    TRY(group_codes(work, codes, keys, rows, &groups));
    out->groups = groups.count;
    out->records = 0;
    *pairs = 0;
    for (int64_t g = 0; g < groups.count; g++) {
        double size = (double)groups.size[g];
        if (codes[0].at[groups.first[g]] < 0 || groups.size[g] < 2) continue;
        out->records += groups.size[g];
        *pairs += size * (size - 1) / 2;
    }
done:
    grouping_drop(work, &groups);
    return status;
}

/* The days that the dates span; for text, which is not read as dates here, those of sixty years. */
static double days_spanned(const Column *birth, const Codes *codes) {
    if (birth->type != DATE_TYPE || codes->count < 2) return 60 * 365.25;
    return column_number(birth, codes->first_row[codes->count - 1]) - column_number(birth, codes->first_row[0]) + 1;
}

/* Pairs of different people that agree in all columns, on average: n(n − 1)/2 times one in so many days times the product over the others
 * of the share of pairs that agree in them. */
static Status pairs_by_chance(Work *work, const Codes *codes, int64_t keys, int64_t rows, double days, double *out) {
    Status status = OK;
    double all = (double)rows * ((double)rows - 1) / 2;
    *out = all / days;
    for (int64_t k = 1; k < keys; k++) {
        int64_t *size = NULL;
        double agree = 0;
        TRY(codes_sizes(work, &codes[k], rows, &size));
        for (int32_t c = 0; c < codes[k].count; c++) agree += (double)size[c] * ((double)size[c] - 1) / 2;
        *out *= agree / all;
        arena_drop(work->arena, size);
    }
done:
    return status;
}

/* A file of people has few pairs beyond chance (twins, duplicates); one of visits has them by the thousand. */
Status records_look_repeated(Work *work, const Table *table, RepeatedRecords *out) {
    enum { FEWEST_ROWS = 20, TIMES_CHANCE = 5 };
    static const double SHARE = .1; /* of the records */
    Status status = OK;
    Codes codes[3];
    const Column *column[3];
    int64_t keys = 0;
    double pairs, chance;
    *out = (RepeatedRecords){ 0 };
    const Column *birth = first_named(table, " birth birthdate dateofbirth dob birthday born geburtsdatum naissance nacimiento ", true);
    if (!birth || table->rows < FEWEST_ROWS) return OK;
    out->sex = first_named(table, " sex gender geschlecht sexo sexe ", false);
    out->place = first_named(table, " postcode zip zipcode postal plz region municipality ", false);
    column[keys++] = birth;
    if (out->sex) column[keys++] = out->sex;
    if (out->place) column[keys++] = out->place;
    for (int64_t k = 0; k < keys; k++) TRY(column_codes(work, column[k], &codes[k]));
    TRY(count_sharing(work, codes, keys, table->rows, out, &pairs));
    TRY(pairs_by_chance(work, codes, keys, table->rows, days_spanned(birth, &codes[0]), &chance));
    if ((double)out->records >= SHARE * (double)table->rows && pairs > TIMES_CHANCE * chance) out->birth = birth;
done:
    return status;
}
