/* What the cells of a column look like: names of people, addresses, codes of diagnoses, numbers of records, a person's sex. */
#ifndef SCRIM_PROFILE_VALUE_FORMS_H
#define SCRIM_PROFILE_VALUE_FORMS_H
#include "profile/column_role.h"

bool column_says_yes_or_no(const Column *column);                                        /* every cell: yes, no, 0, 1, true … */
bool column_says_sex(const Column *column, const Profile *profile);                      /* m, f; Mann, Frau */
bool column_looks_like_names(const Column *column, const Profile *profile);              /* first or last names, by the lists */
bool column_looks_like_addresses(const Column *column);                                  /* 12 Mill Street, Hauptstr. 5 */
bool column_looks_like_numbers_of_records(const Column *column, const Profile *profile); /* AB-123456: one form, many values */
/* ICD-9, ICD-10, ATC or SNOMED CT codes, by their form: which, in words; NULL where they are none. */
const char *column_holds_diagnoses(const Column *column, const Profile *profile);
/* Do so many per cent of the first cells that are not missing fit? */
bool share_of_cells(const Column *column, int per_cent, bool (*fits)(const char *));
#endif
