/* What stands behind certain words, and is declared in share/scrub/announced.txt: extensions, plates, numbers of files, dates, flats. */
#ifndef SCRIM_PROSE_ANNOUNCED_H
#define SCRIM_PROSE_ANNOUNCED_H
#include "prose/find.h"

/* Reads lines of kind, confidence, place, words, regular expression and example, separated by tabs; an error names the line. Ends with
 * announced_close, for which NULL is harmless. */
MUST_CHECK Status announced_open(Work *work, const char *text, Announced **out);
void announced_close(Announced *announced);
/* Candidates behind every word of the text that a line names. */
MUST_CHECK Status announced_run(Search *search, const char *text, size_t size, Error *error);
#endif
