/* Resolution (Bethlehem, Keller & Pannekoek 1990): how many equally large classes would tell records apart as well as these keys do. */
#include "method/parts.h"
#include "classes/equivalence_class.h"

typedef struct {
    const Table *data;
    Columns keys;
    const Column *weight;
    unsigned missing;
} args;
static const Param params[] = {
    TABLE(args, data, "Table to examine", .flags = REQUIRED | POSITIONAL),
    KEYS(args, data, .flags = REQUIRED),
    WEIGHT(args, data),
    MISSING_RULE(args),
    END,
};
static const Return values[] = {
    VALUE(resolution, REAL,
          "Resolution 1/Σ(F/N)²: the number of equally large classes with the same discriminating power. Smaller is safer",
          .flags = PUBLIC | LESS),
    VALUE(classes, INTEGER, "Equivalence classes", .flags = PUBLIC),
    END,
};

/* The chance that two records drawn with replacement agree is Σ over records of (own weight)·F/N²; without missing keys that is Σ(F_i/N)²
 * over classes. */
static Status resolution_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    Classes classes;
    Frequencies all, own;
    double agree = 0, total = 0;
    TRY(classes_make_by(&run->work, a->keys, a->missing, &classes));
    TRY(classes_frequencies(&run->work, &classes, a->missing, a->weight, &all));
    TRY(classes_frequencies(&run->work, &classes, CATEGORY_RULE, a->weight, &own));
    for (int64_t c = 0; c < classes.count; c++) {
        agree += own.F[c] * all.F[c];
        total += own.F[c];
    }
    if (agree > 0) result_real(run->result, "resolution", total * total / agree);
    else result_null(run->result, "resolution", "The table has no records.");
    result_integer(run->result, "classes", classes.count);
    result_note(run->result, "%s", missing_rule_note(a->missing));
done:
    return status;
}

static const InParts in_parts = { .shape = BY_CLASS };

const Method risk_resolution = { .group = "risk",
                                 .name = "resolution",
                                 .summary = "Resolution of the quasi-identifiers: how finely they distinguish records",
                                 .source = "Bethlehem, Keller & Pannekoek 1990",
                                 .params = params,
                                 .size = sizeof(args),
                                 .traits = FREQUENCY | IDENTITY,
                                 .run = resolution_run,
                                 .parts = &in_parts,
                                 .headline = "-resolution",
                                 .values = values,
                                 .example = "scrim risk resolution examples/clinic.csv --keys sex,region,education",
                                 .instead = "risk linkage" };
