/* Roles of all columns of a table, made to agree: one weight, one person, one household. */
#ifndef SCRIM_PROFILE_TABLE_ROLES_H
#define SCRIM_PROFILE_TABLE_ROLES_H
#include "profile/column_role.h"

typedef struct SuggestedRole {
    RoleGuess guess;
    const Column *column; /* for its name and type */
    int64_t present, distinct;
    bool whole; /* whole numbers or words: may number something */
} SuggestedRole;
void suggested_role(const Column *column, const Profile *profile, SuggestedRole *out);
/* Of several weights the person's keeps the role, of several persons and households the first. `table`: where it is at hand, columns whose
 * values repeat exactly with the person are identifiers; NULL where it comes in parts. */
MUST_CHECK Status settle_roles(Work *work, const Table *table, int64_t columns, SuggestedRole *role);
/* The settled roles of a whole table's columns: an array in the arena. */
MUST_CHECK Status table_roles(Work *work, const Table *table, SuggestedRole **out);
#endif
