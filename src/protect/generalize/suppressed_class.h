/* Suppressed records form a class, since all their keys are missing: where it has fewer than k people, or breaks another rule for classes,
 * they are left out of the release. */
#ifndef SCRIM_PROTECT_GENERALIZE_SUPPRESSED_CLASS_H
#define SCRIM_PROTECT_GENERALIZE_SUPPRESSED_CLASS_H
#include "classes/equivalence_class.h"
#include "method/method.h"

typedef struct SuppressedClass {
    int64_t size;     /* records in it, as long as they are not left out; 0: nothing was suppressed */
    int64_t left_out; /* records */
    bool breaks;      /* another rule than k: too little diverse, or too far from the table */
    int64_t smallest; /* records in the smallest class of the release, counted on it; 0: it has none */
} SuppressedClass;
/* Another rule for classes, of the rows whose `in` is set; ask is NULL where there is none. */
typedef struct ClassRule {
    bool (*ask)(const void *self, int64_t rows, const uint8_t *in);
    const void *self;
} ClassRule;
/* `suppressed`: row → all its keys were suppressed. A record whose keys were all missing before is in the same class. */
MUST_CHECK Status suppressed_class(Work *work, Table **released, Columns keys, int64_t k, ClassRule rule, const uint8_t *suppressed,
                                   bool keep, SuppressedClass *out);
void show_suppressed_class(Result *result, const SuppressedClass *class, int64_t k);
#endif
