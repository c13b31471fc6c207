/* What forms write before a colon ("Surname:", "NHC:"), and what stands behind it. */
#ifndef SCRIM_PROSE_LABELS_H
#define SCRIM_PROSE_LABELS_H
#include "prose/lists.h"

typedef enum {
    LABEL_NONE,
    LABEL_NAME, /* a person, whatever the words are */
    LABEL_WHO,  /* a person, if the words are no ordinary ones */
    LABEL_ADDRESS,
    LABEL_PLACE,
    LABEL_ZIP,
    LABEL_DATE,
    LABEL_PHONE,
    LABEL_FAX,
    LABEL_RECORD,
    LABEL_NATIONAL,
    LABEL_PLAN,
    LABEL_LICENCE,
    LABEL_VEHICLE,
    LABEL_DEVICE,
    LABEL_ACCOUNT,
    LABEL_ID,
    LABEL_NOT, /* a heading behind which no person stands */
    LABELS
} Label;

typedef struct LabelSlot {
    uint64_t hash;
    Label label;
} LabelSlot;
typedef struct LabelTable {
    LabelSlot *slot; /* open addressing by hash */
    uint64_t mask;
    int64_t count;
} LabelTable;

/* From share/scrub/labels.txt: those of the language and of none, or all; lives as long as the arena. */
MUST_CHECK Status labels_read(Work *work, Language language, LabelTable *out);
/* The label that ends at byte `end` of the text (before its colon), and where it begins; LABEL_NONE where there is none. */
Label label_before(const LabelTable *table, const char *text, size_t end, size_t *start);
#endif
