/* Whose a record is: the column that numbers people who have several records, and records that look like one person's. */
#ifndef SCRIM_PROFILE_PERSON_H
#define SCRIM_PROFILE_PERSON_H
#include "profile/column_role.h"

/* Is it called like the number of a patient, subject, case or person (patient_id, SUBJID, Patientennummer), and do its values repeat? */
bool column_numbers_people(const Column *column, const Profile *profile, const char **reason);

/* Records that share what hardly two people share by chance. */
typedef struct RepeatedRecords {
    const Column *birth, *sex, *place; /* what they share; sex and place may be NULL */
    int64_t records;                   /* that share it with another record */
    int64_t groups;                    /* distinct values among the records */
} RepeatedRecords;
/* `birth` is NULL where no date of birth is there, or where the sharing is no more than chance explains. */
MUST_CHECK Status records_look_repeated(Work *work, const Table *table, RepeatedRecords *out);
#endif
