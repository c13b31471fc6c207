/* What a release kept of its original: values as they were, of people who alone have them. */
#ifndef SCRIM_RISK_LOOSE_ENDS_UNCHANGED_VALUES_H
#define SCRIM_RISK_LOOSE_ENDS_UNCHANGED_VALUES_H
#include "risk/residual/column_pair.h"

MUST_CHECK Status kept_make(Work *work, const Table *data, const Table *original, const char *id, Kept *out);

/* Is the column as it was in the original: record for record, or, where records cannot be paired for certain, the same numbers as often? */
MUST_CHECK Status kept_as_before(const Kept *kept, const Column *column, bool *out);
/* Were most values of the column changed at random: as the table says of itself, or as the original shows? */
MUST_CHECK Status kept_changed(const Kept *kept, const Column *column, bool *out);
/* Is it of new values, mostly different ones, of which at most one in twenty is a value of the original? So are pseudonyms, which nobody
 * knows. */
MUST_CHECK Status kept_none(const Kept *kept, const Column *column, bool *out);
/* Do the records stand in the order that they had, as far as a column shows that has more than two values and was not changed? */
MUST_CHECK Status kept_order(const Kept *kept, bool *out);
/* People whose value no other person has, in release and original, and whose record has it still: anyone who knows it finds them. 0 where he would
 * more often, or as often, come upon another's record (swapping; noise that reaches others): he cannot tell whom he found. Where records
 * cannot be paired, the value itself pairs them, and other columns must bear it out. */
MUST_CHECK Status kept_alone(const Kept *kept, const Column *column, int64_t *out);
/* Records of the release that alone have their category; without those who, as the original shows, came by it by a change from another
 * that it knows. `least`: the count, or population by `weight`, below which categories must be folded together so that at least three
 * records share every one, and what comes of it; 0 where that would be more than a tenth of the records. */
MUST_CHECK Status kept_rare(const Kept *kept, const Column *column, const Column *weight, int64_t *out, int64_t *least);
#endif
