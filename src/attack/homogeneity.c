/* Homogeneity: where all who share a target's keys share a sensitive value, nobody needs to be identified (Machanavajjhala et al. 2007). */
#include "attack/class_attack.h"

typedef struct {
    const Table *data;
    Columns keys, sensitive;
    double certainty;
    unsigned missing;
    const Table *original;
    const Column *id;
} args;
static const Param params[] = {
    BY_CLASS_TABLE(args),
    REAL(args, certainty, 1, 0, 1, "How sure the intruder must be: the share of the class that has the value"),
    MISSING_RULE(args),
    ORIGINAL(args, data),
    END,
};
static const Return values[] = {
    VALUE(certain, INTEGER, "Records whose sensitive value is sure (or sure to --certainty) for whoever knows their keys", .flags = PUBLIC),
    VALUE(classes, INTEGER, "Classes that give it away", .flags = PUBLIC),
    VALUE(share, REAL, "certain over the number of records", .flags = PUBLIC),
    VALUE(baseline, REAL, "The share of records that are as sure without the release, from the table's totals alone", .flags = PUBLIC),
    BY_CLASS_GAIN,
    RECORD(exposed, INTEGER, "1 where its sensitive value is certain"),
    END,
};

/* The commonest value has at least the share asked for, and it is the record's own: a wrong certainty discloses nothing. */
static bool exposes(const Sight *sight, int32_t value, const void *p) {
    const args *a = p;
    return sight->class.total > 0 && (double)tally_count(&sight->class, value) >= a->certainty * (double)sight->class.total;
}

static Status homogeneity_run(Run *run, const void *p) {
    const args *a = p;
    return attack_by_class(run, &(ClassAttack){ BY_CLASS_OF(a), .exposed = "certain", .exposes = exposes, .known_before = exposes });
}

static const InParts in_parts = { .shape = BY_CLASS };

const Method attack_homogeneity = {
    .group = "attack",
    .name = "homogeneity",
    .summary = "Whose sensitive value is sure because all who share their keys have it",
    .source = "Machanavajjhala et al. 2007",
    .params = params,
    .size = sizeof(args),
    .traits = ATTRIBUTE,
    .run = homogeneity_run,
    .parts = &in_parts,
    .values = values,
    .example = "scrim attack homogeneity examples/clinic.csv --keys sex,region,education --sensitive diagnosis",
};
