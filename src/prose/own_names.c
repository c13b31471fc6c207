/* The names of a record's own people in its text: as common words too, inflected, in any order, with their initials and particles. */
#include <string.h>
#include "prose/known_names.h"

/* "youngs", "Müllers", "Grants'": a known name and a short ending. */
static bool inflected(const Names *names, const char *folded) {
    static const char *const ends[] = { "s", "es", "'s", "ns", "n", "in", "z" };
    char stem[40];
    size_t n = strlen(folded);
    for (size_t e = 0; e < sizeof ends / sizeof *ends; e++) {
        size_t end = strlen(ends[e]);
        if (n < end + 3 || strcmp(folded + n - end, ends[e])) continue;
        memcpy(stem, folded, n - end);
        stem[n - end] = 0;
        if (names_exact(names, stem)) return true;
    }
    return false;
}

/* "May-Grant", where May is known: the whole word is of her. */
static bool half_known(const Names *names, const char *folded) {
    char half[40];
    for (const char *from = folded; *from;) {
        size_t n = strcspn(from, "-'");
        memcpy(half, from, n);
        half[n] = 0;
        if (n >= 3 && n < strlen(folded) && names_exact(names, half)) return true;
        from += n + (from[n] != 0);
    }
    return false;
}

/* Is this token one of the names? Names of two letters only where they stand as names do, with a capital. */
static bool is_own(const Names *names, const char *text, const Token *t) {
    char folded[40];
    if (!shape_is_word(t->shape) || t->end - t->start < 2 || t->end - t->start > 31) return false;
    word_fold(text + t->start, t->end - t->start, folded, 32);
    if (strlen(folded) < 3) return shape_is_cased(t->shape) && names_exact(names, folded);
    return names_exact(names, folded) || inflected(names, folded) || half_known(names, folded);
}

/* A single letter that one of the names begins with. */
static bool is_own_initial(const Names *names, const char *text, const Token *t) {
    char folded[40];
    if (!shape_is_word(t->shape) || t->end - t->start > 2) return false;
    if (word_fold(text + t->start, t->end - t->start, folded, 32) != 1) return false;
    for (int64_t i = 0; i < names->count; i++)
        if (names->word[i][0] == folded[0]) return true;
    return false;
}

static bool is_stop(const char *text, const Token *t) { return t->shape == SHAPE_MARK && text[t->start] == '.'; }

/* The token after token i of one name: over blanks, a full stop behind an initial, a comma, particles. −1 where the name ends. */
static int64_t next_of_name(const Search *s, const Names *names, const char *text, int64_t i) {
    const Token *k = s->tokens.at;
    int64_t n = i + 1, particles = 0;
    bool initial = k[i].end - k[i].start <= 2;
    if (n < s->tokens.count && initial && is_stop(text, &k[n])) n++;
    if (n < s->tokens.count && k[n].shape == SHAPE_MARK && (text[k[n].start] == ',' || text[k[n].start] == '-')) n++;
    while (n < s->tokens.count && particles < 3 && k[n].lists & (LIST_PARTICLE | LIST_PARTICLE_MORE) && !is_own(names, text, &k[n])) {
        n++;
        particles++;
    }
    if (n >= s->tokens.count) return -1;
    if (is_own(names, text, &k[n])) return n;
    return !particles && k[n].end - k[n].start <= 2 && is_own_initial(names, text, &k[n]) && shape_is_cased(k[n].shape) ? n : -1;
}

/* Where a name that is known from token i on begins: with the initials before it, "R. May", "r may". */
static int64_t first_of_name(const Search *s, const Names *names, const char *text, int64_t i) {
    const Token *k = s->tokens.at;
    while (i > 0) {
        int64_t before = is_stop(text, &k[i - 1]) ? i - 2 : i - 1;
        if (before < 0 || !is_own_initial(names, text, &k[before]) || k[i].start - k[before].end > 2) break;
        bool stopped = before == i - 2, word = k[before].hash == letters_hash("a", 1) || k[before].hash == letters_hash("i", 1);
        if (!stopped && word && k[before].shape == SHAPE_LOWER) break; /* "a", "i", "y": words */
        i = before;
    }
    return i;
}

/* "R.M.": the initials alone, each with its full stop. */
static int64_t initials_alone(const Search *s, const Names *names, const char *text, int64_t i) {
    const Token *k = s->tokens.at;
    int64_t n = i, count = 0;
    while (n + 1 < s->tokens.count && k[n].shape == SHAPE_INITIAL && is_own_initial(names, text, &k[n]) && is_stop(text, &k[n + 1])) {
        n += 2;
        count++;
    }
    return count > 1 ? n - 1 : -1;
}

Status names_run_own(Search *search, const Names *names, const char *text, Error *error) {
    Status status = OK;
    const Token *k = search->tokens.at;
    for (int64_t i = 0; i < search->tokens.count; i++) {
        int64_t last = i, first = i, next;
        if (is_own(names, text, &k[i])) {
            first = first_of_name(search, names, text, i);
            while ((next = next_of_name(search, names, text, last)) > last) last = next;
        } else if ((last = initials_alone(search, names, text, i)) < 0) continue;
        TRY(finds_add(&search->candidates, (Find){ k[first].start, k[last].end, .99f, TRACE_PERSON, FOUND_KNOWN }, error));
        i = last;
    }
done:
    return status;
}
