/* Attacks that read sensitive values off classes, without identifying anyone: what they share. */
#ifndef SCRIM_ATTACK_CLASS_ATTACK_H
#define SCRIM_ATTACK_CLASS_ATTACK_H
#include "classes/agreeing.h"
#include "method/parts.h"

/* What the intruder sees of one class, and of the whole table, for one sensitive column. */
typedef struct Sight {
    Tally class; /* the sensitive values of the records that agree with the target's keys; missing ones are unknown, and left out. With
                    persons: of the people, each once for each value; the total is then the people, and the counts may add up to more */
    const double *share; /* of each value in the whole table, missing ones left out */
    const Tally *all;    /* the whole table's tally */
    const Column *sensitive;
    const Codes *codes;
    const void *more; /* the attack's own, made by `prepare` */
    double low, high; /* where the attack learns numbers: the interval in which the value lies; NaN: none is learned */
} Sight;

typedef struct ClassAttack {
    const Table *data;
    Columns keys, sensitive;
    const Column *person; /* NULL: every record is a person of its own */
    MissingRule missing;
    const char *exposed;                                                  /* the value's name: "certain", "exposed" */
    bool (*exposes)(const Sight *sight, int32_t value, const void *args); /* is a record with this sensitive value exposed by its class? */
    bool (*known_before)(const Sight *sight, int32_t value,
                         const void *args); /* was it without the release, from the whole table's tally alone? */
    Status (*prepare)(Run *run, const Column *sensitive, const Codes *codes, const void *args, const void **more); /* may be NULL */
    /* The interval that a class shows of a number; once for each class, and for the whole table. May be NULL. */
    void (*learns)(const Sight *sight, const void *args, double *low, double *high);
    const void *args;
} ClassAttack;
/* The arguments that all of them have, under the same names. */
#define BY_CLASS_OF(a)                                                                                                                     \
    .data = (a)->data, .keys = (a)->keys, .sensitive = (a)->sensitive, .person = (a)->person, .missing = (a)->missing, .args = (a)
/* Values: the exposed records and classes of the worst sensitive column, baseline, gain, lower, upper; table `sensitive`; column `exposed`
 * per record. */
MUST_CHECK Status attack_by_class(Run *run, const ClassAttack *attack);

/* What their declarations share: the release, what is known and what is wanted; and what comes back beside the exposed records and the
 * classes. */
#define BY_CLASS_TABLE(S)                                                                                                                  \
    TABLE(S, data, "The protected file", .flags = REQUIRED | POSITIONAL), KEYS(S, data, .flags = REQUIRED),                                \
        COLUMNS(S, sensitive, data, "Sensitive columns that the intruder wants to infer", .flags = REQUIRED), PERSON(S, data)
#define BY_CLASS_GAIN                                                                                                                      \
    VALUE(gain, REAL, "share − baseline: additional risk from the release. 0 = safe", .flags = PUBLIC),                                    \
        VALUE(lower, REAL, "Lower end of the 95% confidence interval of the gain", .flags = PUBLIC),                                       \
        VALUE(upper, REAL, "Upper end of the 95% confidence interval of the gain", .flags = PUBLIC),                                       \
        TABLE_OUT(sensitive, "sensitive:text exposed:integer classes:integer baseline:real gain:real lower:real upper:real",               \
                  "The same for each sensitive column. The values above are those of the worst column", .flags = PUBLIC)

/* The count of a value in a tally, 0 where it has none. */
int64_t tally_count(const Tally *tally, int32_t value);
#endif
