/* Any bytes at all: finds lie within the text, in order, apart; what is kept comes back byte for byte; and every way of replacing ends. */
#include <stdlib.h>
#include <string.h>
#include "prose/known_names.h"
#include "prose/replace.h"

static Finder finder;
static Search search;
static Names names;
static Work work;
static Error error;

static void open_once(void) {
    static const UserPattern pattern = { "STUDY", "ST-[0-9]{3}|é+" };
    if (finder.patterns) return;
    work = (Work){ .arena = arena_new(), .error = &error, .threads = 1 };
    if (!work.arena || finder_open(&work, LANGUAGE_ANY, &pattern, 1, &finder) || search_open(&finder, &search, &error)) abort();
    if (names_add(&work, &names, "Margaret O'Neill Quimbleton-Smythe Fernández") || names_index(&work, &names)) abort();
}

static void must_be_apart(size_t size) {
    uint32_t last = 0;
    for (int64_t i = 0; i < search.finds.count; i++) {
        const Find *f = &search.finds.at[i];
        if (f->start < last || f->end <= f->start || f->end > size || f->confidence < 0 || f->confidence > 1.001f || f->kind >= TRACE_ROOM)
            abort();
        last = f->end;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    open_once();
    Seed seed = seed_from_number(1);
    People people = { .subject = "s" };
    char *text = malloc(size + 1); /* exactly as long as it is, so that reading beyond is seen */
    memcpy(text, data, size);
    if (search_text(&search, text, size, &names, &error)) {
        error = ERROR_NONE; /* the caller's pattern ran too long */
        free(text);
        return 0;
    }
    must_be_apart(size);
    for (int64_t i = 0; i < search.finds.count; i++)
        if (search.finds.at[i].kind == TRACE_PERSON && people_note(&people, &finder.lists, text, &search.finds.at[i], &error)) abort();
    for (int how = REPLACE_PSEUDO; how < REPLACEMENTS; how++) {
        Replacer replacer = replacer_make(&finder, &seed, (How)how, LANGUAGE_ANY, 365);
        Buffer out = { 0 };
        Made made[4096];
        int64_t count = search.finds.count < 4096 ? search.finds.count : 4096;
        replace_text(&replacer, &people, text, size, search.finds.at, count, &out, made);
        if (how == REPLACE_KEEP && (out.count != size || (size && memcmp(out.bytes, text, size)))) abort();
        for (int64_t i = 0; i < count; i++)
            if (made[i].to < made[i].from || made[i].to > out.count) abort();
        buffer_free(&out);
    }
    people_free(&people);
    free(text);
    return 0;
}
