/* A page for review: the text as it was, its finds marked by kind, each with its confidence and what took its place. */
#ifndef SCRIM_VERB_SCRUB_PAGE_H
#define SCRIM_VERB_SCRUB_PAGE_H
#include "base/work.h"
#include "table/table.h"

typedef struct ScrubPage ScrubPage;
/* Nothing is in place before scrub_page_close; ends with it or with scrub_page_abandon. */
MUST_CHECK Status scrub_page_open(Work *work, const char *path, const char *title, ScrubPage **out);
/* Records that have finds, from the second table of scrub.text. `plain`: records are pieces of one text, and all are shown. */
MUST_CHECK Status scrub_page_add(ScrubPage *page, const Table *data, const Table *finds, bool plain, Error *error);
MUST_CHECK Status scrub_page_close(ScrubPage **page, Error *error); /* writes it in place */
void scrub_page_abandon(ScrubPage *page);                           /* NULL harmless */
#endif
