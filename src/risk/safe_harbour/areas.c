/* (B): areas smaller than a state. Three digits of a ZIP code may stay where more than 20,000 people live under them. */
#include <ctype.h>
#include <string.h>
#include "risk/safe_harbour/safe_harbour.h"

enum { PEOPLE = 20000 };

static const char states[] =
    "|al|ak|az|ar|ca|co|ct|de|fl|ga|hi|id|il|in|ia|ks|ky|la|me|md|ma|mi|mn|ms|mo|mt|ne|nv|nh|nj|nm|ny|nc|nd|oh|ok|or|pa|ri|sc|sd|tn|tx|"
    "ut|vt|va|wa|wv|wi|wy|dc|pr|vi|gu|as|mp|alabama|alaska|arizona|arkansas|california|colorado|connecticut|delaware|florida|georgia|"
    "hawaii|idaho|illinois|indiana|iowa|kansas|kentucky|louisiana|maine|maryland|massachusetts|michigan|minnesota|mississippi|missouri|"
    "montana|nebraska|nevada|new hampshire|new jersey|new mexico|new york|north carolina|north dakota|ohio|oklahoma|oregon|pennsylvania|"
    "rhode island|south carolina|south dakota|tennessee|texas|utah|vermont|virginia|washington|west virginia|wisconsin|wyoming|"
    "district of columbia|puerto rico|virgin islands|guam|american samoa|northern mariana islands|";

/* Beside what inspect goes by: here a doubt costs a look, there a wrong role. */
static const char more_places[] =
    " zipcode zcta fips plz postleitzahl ort wohnort gemeinde kreis landkreis residence hometown suburb borough "
    "neighborhood neighbourhood village precinct locality ciudad municipio localidad comuna comune ville ";

bool is_state(const char *cell) {
    char word[40] = "|";
    size_t n = 1;
    for (; *cell && n < sizeof word - 2; cell++) word[n++] = (char)tolower((unsigned char)*cell);
    memcpy(word + n, "|", 2);
    return !*cell && strstr(states, word);
}

static int leading_digits(const char *cell) {
    int n = 0;
    while (isdigit((unsigned char)cell[n])) n++;
    return n;
}

/* 02138, 02138-1234, 2138 where a spreadsheet lost the zero; and 021, 021**, 021XX. */
static bool is_zip5(const char *cell) {
    int n = leading_digits(cell);
    return ((n == 4 || n == 5) && (!cell[n] || cell[n] == '-')) || (n == 9 && !cell[9]);
}
static bool is_zip3(const char *cell) {
    if (leading_digits(cell) != 3) return false;
    for (cell += 3; *cell; cell++)
        if (!strchr("*xX#", *cell)) return false;
    return true;
}

static bool all_cells(const Suspect *s, bool (*fits)(const char *)) {
    char number[33];
    for (int32_t c = 0; c < s->codes.count; c++) {
        const char *cell = column_cell(s->column, s->codes.first_row[c], number);
        if (cell && !fits(cell)) return false;
    }
    return s->codes.count > 0;
}

bool is_among(Columns columns, const Column *column) {
    for (int64_t i = 0; i < columns.count; i++)
        if (columns.at[i] == column) return true;
    return false;
}

static const Column *people_column(const Table *population) {
    for (int64_t j = 0; j < population->columns; j++)
        if (column_numeric(population->column[j]) && name_has_word(population->column[j]->name, " people population pop inhabitants "))
            return population->column[j];
    return NULL;
}

/* People of the area that this cell names: the sum of its rows' people, or its rows where each is a person. −1 where it has none. */
static double people_of(const Column *area, const Column *people, const char *cell) {
    double sum = -1;
    char number[33];
    for (int64_t i = 0; i < area->rows; i++) {
        const char *name = column_cell(area, i, number);
        if (!name || strcmp(name, cell)) continue;
        double here = !people ? 1 : column_missing(people, i) ? 0 : column_number(people, i);
        sum = (sum < 0 ? 0 : sum) + here;
    }
    return sum;
}

/* The fewest people in an area of this column, −1 where an area is not in the table of people, or there is none. */
static Status fewest_people(Harbour *h, const Suspect *s, double *out) {
    Status status = OK;
    const Table *population = h->a->population;
    const Column *area = population ? table_column(population, s->column->name) : NULL;
    char number[33];
    *out = -1;
    if (!area) return OK;
    double least = -1;
    for (int32_t c = 0; c < s->codes.count; c++) {
        const char *cell = column_cell(s->column, s->codes.first_row[c], number);
        TRY(work_check(h->work));
        double people = people_of(area, people_column(population), cell);
        if (people < 0) return OK;
        if (least < 0 || people < least) least = people;
    }
    *out = least;
done:
    return status;
}

/* Three digits: by their people, where they are known. "000" is what the law puts for small ones. */
static void judge_zip3(Harbour *h, Suspect *s, double fewest) {
    if (fewest < 0) harbour_untold(h, AREAS, s, "three digits of ZIP codes: --population would tell whether more than 20,000 live there");
    else if (fewest <= PEOPLE) harbour_broken(h, AREAS, s, "three digits under which 20,000 people or fewer live: write 000");
    else s->settled = true;
}

Status judge_area(Harbour *h, Suspect *s) {
    Status status = OK;
    const HarbourArgs *a = h->a;
    bool named =
        is_among(a->geography, s->column) || name_has_word(s->column->name, geography_words) || name_has_word(s->column->name, more_places);
    if (s->column->type == REAL_TYPE && name_has_word(s->column->name, " lat lon lng long latitude longitude gps coordinates ")) {
        harbour_broken(h, AREAS, s, "coordinates");
        return OK;
    }
    if (name_has_word(s->column->name, " street address addr strasse calle rue ") && s->profile.distinct > 1 &&
        s->column->type != REAL_TYPE) {
        harbour_broken(h, AREAS, s, "addresses");
        return OK;
    }
    if (!named || s->profile.distinct < 1) return OK;
    double fewest;
    TRY(fewest_people(h, s, &fewest));
    bool larger = is_among(a->state_level, s->column) || name_has_word(s->column->name, " country nation land pais pays ");
    if (larger || all_cells(s, is_state)) s->settled = true;
    else if (all_cells(s, is_zip5)) harbour_broken(h, AREAS, s, "five digits of ZIP codes");
    else if (all_cells(s, is_zip3)) judge_zip3(h, s, fewest);
    else if (fewest >= 0 && fewest <= PEOPLE) harbour_broken(h, AREAS, s, "areas of 20,000 people or fewer");
    else
        harbour_untold(h, AREAS, s,
                       "areas that may be smaller than a state, and so forbidden: name the column in --state-level where they are not");
    s->settled = true;
done:
    return status;
}
