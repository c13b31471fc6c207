/* The sensitive values that an intruder sees for each class: those of all records that agree with it under the rule for missing keys. */
#ifndef SCRIM_CLASSES_AGREEING_H
#define SCRIM_CLASSES_AGREEING_H
#include "classes/privacy_models.h"
#include "classes/equivalence_class.h"

/* Without missing keys, or under the category rule, the class's own records. Under the wildcard rule one near-linear count per sensitive
 * value: many missing keys with many sensitive values are refused where they would not fit memory. */
MUST_CHECK Status class_tallies_agreeing(Work *work, const Classes *classes, MissingRule rule, const Codes *sensitive, ClassTallies *out);
#endif
