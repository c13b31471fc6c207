/* Background knowledge: what an intruder learns who knows the sensitive values of j records of the target's class (Dalenius's k−1
 * collusion). Defined after Dalenius 1986; Machanavajjhala et al. 2007: docs/methods/attack-background.md. */
#include "attack/class_attack.h"

typedef struct {
    const Table *data;
    Columns keys, sensitive;
    const Column *person;
    int64_t colluding;
    unsigned missing;
} args;
static const Param params[] = {
    BY_CLASS_TABLE(args),
    INT(args, colluding, 1, 0, 1000000000, "Number of other records in the class whose sensitive value the intruder knows"),
    MISSING_RULE(args),
    END,
};
static const Return values[] = {
    VALUE(certain, INTEGER, "Records whose sensitive value follows for some choice of --colluding known records. 0 = safe",
          .flags = PUBLIC),
    VALUE(classes, INTEGER, "Equivalence classes in which this happens. 0 = safe", .flags = PUBLIC),
    VALUE(share, REAL, "Share of records whose sensitive value can be inferred, 0 to 1. Smaller is safer", .flags = PUBLIC),
    VALUE(baseline, REAL, "The same share if the intruder has only the totals of the table", .flags = PUBLIC),
    BY_CLASS_GAIN,
    RECORD(exposed, INTEGER, "1 = the sensitive value follows for an intruder who knows the others of the class"),
    END,
};

/* The worst case: the intruder knows all in the class who have another value. What is left has the target's value alone; where nothing is
 * left, since the target's own record is no candidate, nothing follows. */
static bool exposes(const Sight *sight, int32_t value, const void *p) {
    const args *a = p;
    int64_t own = tally_count(&sight->class, value);
    return own > 0 && sight->class.total - own <= a->colluding;
}

static Status background_run(Run *run, const void *p) {
    const args *a = p;
    return attack_by_class(run, &(ClassAttack){ BY_CLASS_OF(a), .exposed = "certain", .exposes = exposes, .known_before = exposes });
}

static const InParts in_parts = { .shape = BY_CLASS };

const Method attack_background = {
    .group = "attack",
    .name = "background",
    .summary = "Background knowledge attack: sensitive values that follow for an intruder who knows others of the class",
    .source = "Dalenius 1986; Machanavajjhala et al. 2007",
    .params = params,
    .size = sizeof(args),
    .traits = ATTRIBUTE,
    .run = background_run,
    .parts = &in_parts,
    .values = values,
    .example = "scrim attack background examples/clinic.csv --keys sex,region,education --sensitive diagnosis --colluding 1",
};
