/* What a column is called: concepts (a surname, an age, a diagnosis) by the word lists of share/columns, in many languages.
 * Names and labels of columns are taken apart into words (last_name, lastName, LAST-NAME: last, name), folded to small letters without
 * accents, and looked up joined: the longest run of words that a list has decides, of runs of one length the first concept. */
#ifndef SCRIM_PROFILE_COLUMN_NAMES_H
#define SCRIM_PROFILE_COLUMN_NAMES_H
#include "base/text.h"

/* In the order in which they decide where several fit. */
typedef enum {
    CALLED_NOTHING,
    CALLED_NAME,
    CALLED_PHONE,
    CALLED_FAX,
    CALLED_EMAIL,
    CALLED_URL,
    CALLED_IP,
    CALLED_ADDRESS,
    CALLED_COORDINATES,
    CALLED_NATIONAL_ID,
    CALLED_PLAN,
    CALLED_ACCOUNT,
    CALLED_LICENCE,
    CALLED_VEHICLE,
    CALLED_DEVICE,
    CALLED_BIOMETRIC,
    CALLED_PHOTO,
    CALLED_USERNAME,
    CALLED_RECORD,
    CALLED_BIRTHDATE,
    CALLED_PERSON_WEIGHT,
    CALLED_HOUSEHOLD_WEIGHT,
    CALLED_REPLICATE_WEIGHT,
    CALLED_WEIGHT,
    CALLED_BODY_WEIGHT,
    CALLED_HOUSEHOLD,
    CALLED_DISABILITY,
    CALLED_AGE,
    CALLED_BIRTH_YEAR,
    CALLED_SEX,
    CALLED_POSTCODE,
    CALLED_NATIONALITY,
    CALLED_ORIGIN,
    CALLED_RELIGION,
    CALLED_LANGUAGE,
    CALLED_PLACE,
    CALLED_EDUCATION,
    CALLED_OCCUPATION,
    CALLED_INDUSTRY,
    CALLED_MARITAL,
    CALLED_RELATIONSHIP,
    CALLED_HOUSEHOLD_SIZE,
    CALLED_HOUSING,
    CALLED_VETERAN,
    CALLED_BODY,
    CALLED_EVENT,
    CALLED_DATE,
    CALLED_DIAGNOSIS,
    CALLED_TREATMENT,
    CALLED_OUTCOME,
    CALLED_MENTAL,
    CALLED_HEALTH,
    CALLED_SUBSTANCE,
    CALLED_SEXUAL,
    CALLED_CRIME,
    CALLED_POLITICS,
    CALLED_ATTITUDE,
    CALLED_WELFARE,
    CALLED_AMOUNT,
    CALLED_LAB,
    CALLED_TEXT,
    CALLED_OTHER,
    CALLED_WEAK_NAME,   /* name, nom: of a person, or of anything */
    CALLED_WEAK_RECORD, /* id, no, code */
    CONCEPTS
} Concept;

/* What one name may mean: last_visit_age is an age, and perhaps a visit. */
typedef struct NameConcepts {
    int count;
    Concept at[8];
} NameConcepts;
/* The concepts of a column's name, the most telling first. */
void concepts_of_name(const char *name, NameConcepts *out);
/* The same of a label ("Age of respondent"); one of more than six words is a question or a sentence, and has none. */
void concepts_of_label(const char *label, NameConcepts *out);
/* Is it called like the number of a patient, subject, case or person (patient_id, SUBJID, Patientennummer), and like nothing else? */
bool name_of_person_number(const char *name);
/* Do these two values say a person's sex (m, f; Mann, Frau)? And does one say that neither applies? */
bool values_say_sex(const char *a, const char *b);
bool value_says_neither(const char *value);
bool word_names_street(const char *word);  /* Street, rue, Hauptstrasse */
const char *concept_word(Concept concept); /* its name in the lists: "birthdate" */
/* The text of share/columns/NAME.txt; NULL where there is none. */
const char *column_list(const char *name);
#endif
