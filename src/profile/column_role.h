/* What a column would be to an intruder, guessed from its name and its values. */
#ifndef SCRIM_PROFILE_COLUMN_ROLE_H
#define SCRIM_PROFILE_COLUMN_ROLE_H
#include "profile/column_names.h"
#include "table/table.h"

typedef struct Profile {
    int64_t present, distinct, uniques;
    bool whole, positive;
    double range, least, most;
    /* Of whole numbers that all differ, else unset: do they ascend or descend from record to record; the digits that each of them has, 0
     * where they differ in it; and the largest distance of their distribution from an even one between the least and the most. */
    bool in_order;
    int digits;
    double uneven;
} Profile;
/* Looks at every cell once. */
MUST_CHECK Status column_profile(Work *work, const Column *column, Profile *out);
/* The same of codes at hand; size: the records of each. */
Profile codes_profile(const Column *column, const Codes *codes, const int64_t *size);
/* What a column suggests. role: identifiers, keys, sensitive, numeric, weight, household, person, notes (free text), other (harmless), or
 * NULL, and `reason` is then the question that its owner must answer. */
typedef struct RoleGuess {
    const char *role, *reason;
    Concept concept; /* that decided; CALLED_NOTHING: the values did */
    bool weak;       /* by how often values occur alone: what its owner says of the column counts more */
} RoleGuess;
/* Does its name, or its label, call it this before anything else? */
bool column_called(const Column *column, Concept concept);
void column_guess(const Column *column, const Profile *profile, RoleGuess *out);
const char *column_role(const Column *column, const Profile *profile, const char **reason);
enum { GUESS_CELLS = 1000 }; /* forms are asked of so many of the first cells that are not missing */
/* What most cells look like that would lead to a person, whatever the column is called: "e-mail addresses"; NULL where they do not. */
const char *column_trace(const Column *column, const Profile *profile);
/* Text most of whose cells are numbers, some with a comma: before their decimals, as in 1,5, and with points between thousands, as in
 * 1.234,56, or always before three digits, which may be thousands: 1,234. */
typedef enum { NO_COMMAS, DECIMAL_COMMAS, COMMAS_AND_POINTS, COMMAS_BEFORE_THREE } Commas;
Commas column_commas(const Column *column);
/* Several words in most cells: somebody wrote it. */
bool column_is_prose(const Column *column, const Profile *profile);
/* Text most of whose cells are days: 31/12/1999, 12-31-99, 31.12.1999, 1999-12-31T08:00; or whole numbers: 19991231. */
bool column_tells_days(const Column *column);
/* How such a column writes its days, decided from all cells that are looked at: dd.mm.yyyy, mm/dd/yyyy, yyyymmdd. False where no cell has a
 * number above 12 that tells the day from the month, or where the cells disagree. */
bool column_day_format(const Column *column, char format[12]);
#endif
