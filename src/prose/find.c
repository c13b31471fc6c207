/* The finder: opened once, searched by many threads, record by record. */
#include <stdlib.h>
#include <string.h>
#include "prose/announced.h"
#include "prose/find.h"
#include "prose/known_names.h"

static const char *const names[TRACES] = { "PERSON",  "ADDRESS", "PLACE",   "REGION", "ZIP",         "DATE",   "AGE",
                                           "PHONE",   "FAX",     "EMAIL",   "SSN",    "NATIONAL_ID", "RECORD", "PLAN",
                                           "ACCOUNT", "LICENCE", "VEHICLE", "DEVICE", "BIOMETRIC",   "CARD",   "IBAN",
                                           "IP",      "MAC",     "URL",     "ID",     "ORGANISATION" };

const char *trace_name(const Finder *finder, unsigned kind) {
    if (kind < TRACES) return names[kind];
    return finder && kind >= TRACE_USER && kind < TRACE_USER + (unsigned)finder->user_patterns ? finder->user_name[kind - TRACE_USER]
                                                                                               : "OTHER";
}

int trace_named(const Finder *finder, const char *name) {
    for (int i = 0; i < TRACES; i++)
        if (!strcasecmp(names[i], name)) return i;
    for (int i = 0; finder && i < finder->user_patterns; i++)
        if (!strcasecmp(finder->user_name[i], name)) return TRACE_USER + i;
    return -1;
}

Status finds_add(Finds *finds, Find find, Error *error) {
    if (finds->count == finds->capacity) {
        int64_t capacity = finds->capacity ? finds->capacity * 2 : 64;
        Find *more = realloc(finds->at, (size_t)capacity * sizeof *more);
        if (!more) return out_of_memory(error);
        finds->at = more;
        finds->capacity = capacity;
    }
    finds->at[finds->count++] = find;
    return OK;
}

Status finder_open(Work *work, Language language, const UserPattern *patterns, int count, Finder *out) {
    Status status = OK;
    *out = (Finder){ .threshold = SURE_ENOUGH, .kinds = ~((uint64_t)1 << TRACE_ORGANISATION) };
    if (count > USER_PATTERNS) {
        fail(work->error, BAD, "takes at most %d patterns", USER_PATTERNS);
        TRY(error_parameter(work->error, "pattern"));
    }
    TRY(lists_read(work, language, &out->lists));
    TRY(labels_read(work, language, &out->labels));
    for (int i = 0; i < count; i++) out->user_name[out->user_patterns++] = patterns[i].name;
    TRY(patterns_open(work, patterns, count, &out->patterns));
    TRY(announced_open(work, lists_file("announced"), &out->announced));
done:
    return status;
}

void finder_close(Finder *finder) {
    patterns_close(finder->patterns);
    announced_close(finder->announced);
    finder->patterns = NULL;
    finder->announced = NULL;
}

Status search_open(const Finder *finder, Search *out, Error *error) {
    Status status = OK;
    *out = (Search){ .finder = finder };
    TRY(tagger_new(finder->model ? finder->model : model_built_in(), &out->tagger, error));
    TRY(patterns_scratch(&out->match, error));
    out->tokens.memo = calloc(MEMO, sizeof *out->tokens.memo); /* without it the same answers come, slower */
done:
    return status;
}

void search_close(Search *s) {
    tokens_free(&s->tokens);
    free(s->tags);
    tagger_free(s->tagger);
    patterns_scratch_free(s->match);
    free(s->candidates.at);
    free(s->finds.at);
    free(s->misses.at);
    *s = (Search){ 0 };
}

Status search_text(Search *s, const char *text, size_t size, const Names *known, Error *error) {
    Status status = OK;
    s->tokens.count = s->candidates.count = s->finds.count = s->misses.count = 0;
    TRY(tokens_cut(text, size, &s->tokens, error));
    if (s->tokens.count > s->tag_room) {
        int64_t room = s->tokens.capacity;
        free(s->tags);
        s->tag_room = 0;
        s->tags = malloc((size_t)room * sizeof *s->tags);
        if (!s->tags) TRY(out_of_memory(error));
        s->tag_room = room;
    }
    lists_mark(&s->finder->lists, text, &s->tokens);
    tagger_run(s->tagger, text, &s->tokens, s->tags);
    TRY(patterns_run(s, text, size, error));
    TRY(announced_run(s, text, size, error));
    TRY(contexts_run(s, text, size, error));
    TRY(patterns_user(s, text, size, error));
    TRY(names_run(s, s->finder->known, text, error));
    TRY(names_run(s, known, text, error));
    TRY(resolve_overlaps(s, text, size, error));
done:
    return status;
}
