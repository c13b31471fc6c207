/* Patterns in a build without PCRE2: no text can be searched. */
#ifdef SCRIM_WITHOUT_PCRE2
#include "base/component.h"
#include "prose/announced.h"
#include "prose/find.h"

Status patterns_open(Work *work, const UserPattern *user, int count, Patterns **out) {
    (void)user, (void)count, (void)out;
    return component_absent(work->error, "search in free text (PCRE2)", "SCRIM_PCRE2");
}
void patterns_close(Patterns *patterns) { (void)patterns; }
Status patterns_scratch(void **match, Error *error) {
    *match = NULL;
    return component_absent(error, "search in free text (PCRE2)", "SCRIM_PCRE2");
}
void patterns_scratch_free(void *match) { (void)match; }
Status patterns_run(Search *search, const char *text, size_t size, Error *error) {
    (void)search, (void)text, (void)size;
    return component_absent(error, "search in free text (PCRE2)", "SCRIM_PCRE2");
}
Status patterns_user(Search *search, const char *text, size_t size, Error *error) {
    (void)search, (void)text, (void)size;
    return component_absent(error, "search in free text (PCRE2)", "SCRIM_PCRE2");
}
Status announced_open(Work *work, const char *text, Announced **out) {
    (void)text, (void)out;
    return component_absent(work->error, "search in free text (PCRE2)", "SCRIM_PCRE2");
}
void announced_close(Announced *announced) { (void)announced; }
Status announced_run(Search *search, const char *text, size_t size, Error *error) {
    (void)search, (void)text, (void)size;
    return component_absent(error, "search in free text (PCRE2)", "SCRIM_PCRE2");
}
#endif
