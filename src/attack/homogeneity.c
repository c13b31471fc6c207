/* Homogeneity: where all who share a target's keys share a sensitive value, nobody needs to be identified (Machanavajjhala et al. 2007). */
#include "attack/by_class.h"

typedef struct { const Table *data; Columns keys, sensitive; double certainty; unsigned missing; } args;
static const Param params[] = {
    TABLE(args, data, "The release", .flags = REQUIRED | POSITIONAL),
    KEYS(args, data, .flags = REQUIRED),
    COLUMNS(args, sensitive, data, "Columns an intruder wants to learn", .flags = REQUIRED),
    REAL(args, certainty, 1, 0, 1, "How sure the intruder must be: the share of the class that has the value"),
    MISSING_RULE(args),
    END
};
static const char *const values[] = {
    "certain", "Records whose sensitive value is sure (or sure to --certainty) for whoever knows their keys",
    "classes", "Classes that give it away",
    "share", "certain over the number of records",
    "baseline", "The share of records that are as sure without the release, from the table's totals alone",
    "gain", "share − baseline: what the release adds",
    "lower", "95% interval of the gain",
    "upper", "95% interval of the gain",
    "sensitive", "The same for each sensitive column; the values above are those of the worst",
    NULL
};

/* The commonest value has at least the share asked for, and it is the record's own: a wrong certainty discloses nothing. */
static bool exposes(const Sight *sight, int32_t value, const void *p) {
    const args *a = p;
    return sight->class.total > 0 && (double)tally_count(&sight->class, value) >= a->certainty * (double)sight->class.total;
}

static Status run(Run *run, const void *p) {
    const args *a = p;
    return attack_by_class(run, &(ByClass){ .data = a->data, .keys = a->keys, .sensitive = a->sensitive, .missing = a->missing, .exposed = "certain",
                                            .exposes = exposes, .known_before = exposes, .args = a });
}

const Method attack_homogeneity = {
    .group = "attack", .name = "homogeneity", .summary = "Whose sensitive value is sure because all who share their keys have it",
    .source = "Machanavajjhala et al. 2007",
    .params = params, .size = sizeof(args), .traits = ATTRIBUTE, .run = run, .values = values,
    .example = "scrim attack homogeneity examples/clinic.csv --keys sex,region,education --sensitive diagnosis"
};
