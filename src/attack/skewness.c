/* Skewness: a class may be diverse and yet make a rare, sensitive value far likelier than it is in the table (Li, Li & Venkatasubramanian
 * 2007). */
#include "attack/class_attack.h"

typedef struct {
    const Table *data;
    Columns keys, sensitive;
    const Column *person;
    double factor, rare;
    unsigned missing;
} args;
static const Param params[] = {
    BY_CLASS_TABLE(args),
    REAL(args, factor, 5, 1, 1e9, "Smallest ratio of a rare value's share in a class to its share in the table that counts as suspicious"),
    REAL(args, rare, 0.1, 0, 1, "A value is rare if at most this share of the table has it"),
    MISSING_RULE(args),
    END,
};
static const Return values[] = {
    VALUE(exposed, INTEGER, "Records in classes where some rare value is at least --factor times as frequent as in the table. 0 = safe",
          .flags = PUBLIC),
    VALUE(classes, INTEGER, "Equivalence classes of this kind. 0 = safe", .flags = PUBLIC),
    VALUE(share, REAL, "Share of records exposed, 0 to 1. Smaller is safer", .flags = PUBLIC),
    VALUE(baseline, REAL, "0: in the table as a whole no value exceeds its own share", .flags = PUBLIC),
    BY_CLASS_GAIN,
    RECORD(exposed, INTEGER, "1 = a rare value is far more frequent in the record's class than in the table"),
    END,
};

/* Anyone who is in the class is under suspicion, whatever their own value. */
static bool exposes(const Sight *sight, int32_t value, const void *p) {
    const args *a = p;
    (void)value;
    for (int64_t i = 0; i < sight->class.distinct; i++) {
        int32_t v = sight->class.value[i];
        double here = (double)sight->class.count[i] / (double)sight->class.total;
        if (sight->share[v] <= a->rare && here >= a->factor * sight->share[v]) return true;
    }
    return false;
}
static bool never(const Sight *sight, int32_t value, const void *p) {
    const args *a = p;
    return a->factor <= 1 && exposes(sight, value, p);
}

static Status skewness_run(Run *run, const void *p) {
    const args *a = p;
    return attack_by_class(run, &(ClassAttack){ BY_CLASS_OF(a), .exposed = "exposed", .exposes = exposes, .known_before = never });
}

static const InParts in_parts = { .shape = BY_CLASS };

const Method attack_skewness = {
    .group = "attack",
    .name = "skewness",
    .summary = "Skewness attack: equivalence classes in which a rare sensitive value is frequent",
    .source = "Li, Li & Venkatasubramanian 2007",
    .params = params,
    .size = sizeof(args),
    .traits = ATTRIBUTE,
    .run = skewness_run,
    .parts = &in_parts,
    .values = values,
    .example = "scrim attack skewness examples/clinic.csv --keys sex,region --sensitive diagnosis --factor 4",
};
