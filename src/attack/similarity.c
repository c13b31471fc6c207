/* Similarity: values that differ and yet mean the same, as three stomach diseases do (Li, Li & Venkatasubramanian 2007). */
#include "attack/class_attack.h"

typedef struct {
    const Table *data;
    Columns keys, sensitive;
    const Column *person;
    Tables hierarchies;
    int64_t level;
    unsigned missing;
} args;
static const Param params[] = {
    BY_CLASS_TABLE(args),
    TABLES(args, hierarchies, "Folder of hierarchies, one per sensitive column: categories of its values at each level",
           .flags = REQUIRED | AS_TEXT, .role = "hierarchies"),
    INT(args, level, 1, 1, 100, "Level of the hierarchy at which values count as equal"),
    MISSING_RULE(args),
    END,
};
static const Return values[] = {
    VALUE(exposed, INTEGER, "Records in classes whose values differ but are equal at --level. 0 = safe", .flags = PUBLIC),
    VALUE(classes, INTEGER, "Equivalence classes of this kind. 0 = safe", .flags = PUBLIC),
    VALUE(share, REAL, "Share of records exposed, 0 to 1. Smaller is safer", .flags = PUBLIC),
    VALUE(baseline, REAL, "The same share from the totals of the table alone", .flags = PUBLIC),
    BY_CLASS_GAIN,
    RECORD(exposed, INTEGER, "1 = the sensitive value of the record can be inferred at that level"),
    END,
};

/* code → its value at the level. */
typedef struct {
    const int32_t *at;
} Meaning;

static Status prepare(Run *run, const Column *sensitive, const Codes *codes, const void *p, const void **more) {
    Status status = OK;
    const args *a = p;
    Hierarchy hierarchy;
    bool found = false;
    int32_t *leaf = NULL, *at = NULL;
    Meaning *meaning = NULL;
    TRY(hierarchy_find(&run->work, a->hierarchies.count, a->hierarchies.name, a->hierarchies.at, sensitive, &hierarchy, &found));
    if (!found) {
        fail(run->work.error, BAD, "there is no hierarchy for the sensitive column '%s'", sensitive->name);
        TRY(error_advice(run->work.error, "Put %s.csv into the folder of hierarchies: one row per value, a column per level.",
                         sensitive->name));
    }
    if (a->level >= hierarchy.levels) {
        fail(run->work.error, BAD, "the hierarchy of '%s' has levels 0 to %lld", sensitive->name, (long long)hierarchy.levels - 1);
        TRY(error_parameter(run->work.error, "level"));
    }
    TRY(hierarchy_match(&run->work, &hierarchy, sensitive, codes, &leaf));
    NEW(&run->work, at, codes->count + 2);
    NEW(&run->work, meaning, 1);
    for (int32_t v = 0; v < codes->count; v++) at[v] = hierarchy.level[a->level].of[leaf[v]];
    meaning->at = at;
    *more = meaning;
done:
    return status;
}

static bool exposes(const Sight *sight, int32_t value, const void *p) {
    (void)p;
    const Meaning *meaning = sight->more;
    for (int64_t i = 0; i < sight->class.distinct; i++)
        if (meaning->at[sight->class.value[i]] != meaning->at[value]) return false;
    return sight->class.distinct > 1;
}

static Status similarity_run(Run *run, const void *p) {
    const args *a = p;
    return attack_by_class(
        run, &(ClassAttack){ BY_CLASS_OF(a), .exposed = "exposed", .exposes = exposes, .known_before = exposes, .prepare = prepare });
}

const Method attack_similarity = {
    .group = "attack",
    .name = "similarity",
    .summary = "Similarity attack: equivalence classes whose sensitive values fall into one category",
    .source = "Li, Li & Venkatasubramanian 2007",
    .params = params,
    .size = sizeof(args),
    .traits = ATTRIBUTE,
    .run = similarity_run,
    .values = values,
    .example =
        "scrim attack similarity examples/clinic.csv --keys sex,region,education --sensitive occupation --hierarchies examples/hierarchies",
};
