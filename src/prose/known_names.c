/* The matcher of known names: deletion neighbourhoods as an index, the edit distance as the judge. */
#include <string.h>
#include "prose/known_names.h"

static uint64_t key_of(const char *word, size_t size, size_t left_out, size_t and_out) {
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < size; i++)
        if (i != left_out && i != and_out) h = (h ^ (unsigned char)word[i]) * 1099511628211u;
    return h ? h : 1;
}

/* Optimal string alignment (Damerau 1964): insert, delete, change, swap neighbours. Words have at most 31 bytes. */
int slips_between(const char *a, const char *b, int most) {
    int m = (int)strlen(a), n = (int)strlen(b), row[3][33];
    if (m > 31 || n > 31 || m - n > most || n - m > most) return most + 1;
    for (int j = 0; j <= n; j++) row[0][j] = j;
    for (int i = 1; i <= m; i++) {
        int *now = row[i % 3], *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];
        now[0] = i;
        for (int j = 1; j <= n; j++) {
            int best = last[j - 1] + (a[i - 1] != b[j - 1]);
            if (last[j] + 1 < best) best = last[j] + 1;
            if (now[j - 1] + 1 < best) best = now[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && before[j - 2] + 1 < best) best = before[j - 2] + 1;
            now[j] = best;
        }
    }
    return row[m % 3][n];
}

/* Parts of names that are no names by themselves. */
static bool is_particle(const char *folded) {
    static const char *const particles[] = { "van", "von", "der", "den", "de",  "del", "la",  "the", "and", "dr",
                                             "mr",  "mrs", "ms",  "jr",  "sr",  "dos", "das", "el",  "le",  "di",
                                             "da",  "do",  "du",  "ter", "ten", "of",  "st",  "y",   "e",   "zu" };
    for (size_t p = 0; p < sizeof particles / sizeof *particles; p++)
        if (!strcmp(folded, particles[p])) return true;
    return false;
}

static Status add_folded(Work *work, Names *names, const char *folded, uint64_t letters, int64_t same) {
    Status status = OK;
    GROW(work, names->letters, names->lettered, names->count + 1);
    GROW(work, names->same, names->spelt, names->count + 1);
    GROW(work, names->word, names->capacity, names->count + 1);
    names->letters[names->count] = letters;
    names->same[names->count] = (int32_t)(same < 0 ? names->count : same);
    memset(names->word[names->count], 0, sizeof *names->word);
    strncpy(names->word[names->count++], folded, 31);
done:
    return status;
}

/* "oneill" for "o'neill". */
static bool without_marks(const char *folded, char out[40]) {
    size_t n = 0;
    for (const char *p = folded; *p; p++)
        if (*p != '\'' && *p != '-') out[n++] = *p;
    out[n] = 0;
    return n < strlen(folded);
}

/* "joerg" for "jörg", "soerensen" for "sørensen", "aase" for "åse". */
static bool with_digraphs(const char *word, size_t size, char out[40]) {
    static const struct {
        uint32_t code;
        const char *letters;
    } pairs[] = { { 0xe4, "ae" }, { 0xf6, "oe" }, { 0xfc, "ue" }, { 0xf8, "oe" }, { 0xe5, "aa" } };
    bool any = false;
    size_t used = 0;
    int length;
    for (const char *p = word, *end = word + size; p < end && used < 27; p += length) {
        uint32_t code = code_lower(code_point(p, end, &length));
        const char *letters = NULL;
        for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
            if (pairs[i].code == code) letters = pairs[i].letters;
        if (letters) used += (size_t)(stpcpy(out + used, letters) - (out + used));
        else used += word_fold(p, (size_t)length, out + used, 40 - used);
        any |= letters != NULL;
    }
    out[used] = 0;
    return any;
}

static Status add_one(Work *work, Names *names, const char *word, size_t size) {
    Status status = OK;
    char folded[40], other[40];
    word_fold(word, size, folded, 32);
    if (size < (names->own ? 2 : 3) || size > 28 || is_particle(folded)) return OK;
    int64_t same = names->count;
    uint64_t letters = letters_hash(word, size);
    TRY(add_folded(work, names, folded, letters, -1));
    if (!names->own) return OK;
    if (without_marks(folded, other)) TRY(add_folded(work, names, other, letters, same));
    if (with_digraphs(word, size, other)) TRY(add_folded(work, names, other, letters, same));
done:
    return status;
}

/* "Müller-Lüdenscheidt" is called by either half, too; and O'Brien by the second. */
static Status add_halves(Work *work, Names *names, const char *word, size_t size) {
    Status status = OK;
    bool parts = memchr(word, '-', size) || (names->own && (memchr(word, '\'', size) || memchr(word, '\xe2', size)));
    for (size_t from = 0, to; parts && from < size; from = to + 1) {
        for (to = from; to < size && word[to] != '-' && !(names->own && (word[to] == '\'' || word[to] == '\xe2'));) to++;
        size_t mark = to < size && word[to] == '\xe2' ? 2 : 0;
        if (to - from >= 4) TRY(add_one(work, names, word + from, to - from));
        to += mark;
    }
done:
    return status;
}

Status names_add(Work *work, Names *names, const char *text) {
    Status status = OK;
    Tokens tokens = { 0 };
    TRY(tokens_cut(text, strlen(text), &tokens, work->error));
    for (int64_t i = 0; i < tokens.count; i++) {
        const Token *t = &tokens.at[i];
        if (!shape_is_word(t->shape)) continue;
        TRY(add_one(work, names, text + t->start, t->end - t->start));
        TRY(add_halves(work, names, text + t->start, t->end - t->start));
    }
done:
    tokens_free(&tokens);
    return status;
}

static void put(Names *names, uint64_t key, int32_t which) {
    uint64_t mask = (uint64_t)names->slots - 1, at = key & mask;
    while (names->key[at]) at = (at + 1) & mask;
    names->key[at] = key;
    names->which[at] = which;
}

/* Words of nine letters and more may have two slips: every form with two letters left out is a key, too. */
enum { ONE_SLIP = 5, TWO_SLIPS = 9 };
static int64_t forms_of(size_t n) { return (int64_t)(1 + (n >= ONE_SLIP ? n : 0) + (n >= TWO_SLIPS ? n * (n - 1) / 2 : 0)); }

Status names_index(Work *work, Names *names) {
    Status status = OK;
    int64_t need = 1;
    for (int64_t i = 0; i < names->count; i++) need += forms_of(strlen(names->word[i]));
    for (names->slots = 64; names->slots < need * 2; names->slots *= 2) continue;
    NEW(work, names->key, names->slots);
    NEW(work, names->which, names->slots);
    for (int64_t i = 0; i < names->count; i++) {
        const char *word = names->word[i];
        size_t n = strlen(word);
        put(names, key_of(word, n, n, n), (int32_t)i);
        for (size_t out = 0; n >= ONE_SLIP && out < n; out++) put(names, key_of(word, n, out, n), (int32_t)i);
        for (size_t out = 0; n >= TWO_SLIPS && out < n; out++)
            for (size_t other = out + 1; other < n; other++) put(names, key_of(word, n, out, other), (int32_t)i);
    }
done:
    return status;
}

/* The name with the fewest slips from a word, so far; of several, the one that was added first. */
typedef struct Nearest {
    int slips;
    int64_t which;
} Nearest;

/* Any name that the index has under this key, if it is nearer. */
static void under_key(const Names *names, uint64_t key, const char *word, Nearest *best) {
    uint64_t mask = (uint64_t)names->slots - 1;
    for (uint64_t at = key & mask; names->key[at]; at = (at + 1) & mask)
        if (names->key[at] == key) {
            int slips = slips_between(names->word[names->which[at]], word, 2);
            if (slips < best->slips || (slips == best->slips && names->which[at] < best->which))
                *best = (Nearest){ slips, names->which[at] };
        }
}

/* Two words within d slips share a form with at most d letters left out of either. */
static Nearest nearest(const Names *names, const char *word) {
    size_t n = strlen(word);
    Nearest best = { 9, -1 };
    under_key(names, key_of(word, n, n, n), word, &best);
    for (size_t out = 0; best.slips && n >= ONE_SLIP - 1 && out < n; out++) under_key(names, key_of(word, n, out, n), word, &best);
    for (size_t out = 0; best.slips > 1 && n >= TWO_SLIPS && out < n; out++)
        for (size_t other = out + 1; other < n; other++) under_key(names, key_of(word, n, out, other), word, &best);
    return best;
}

static int slips_allowed(size_t length) { return length >= TWO_SLIPS ? 2 : length >= ONE_SLIP ? 1 : 0; }

int64_t names_nearest(const Names *names, const char *folded) {
    if (!names || !names->count) return -1;
    Nearest best = nearest(names, folded);
    return best.slips <= slips_allowed(strlen(folded)) ? names->same[best.which] : -1;
}

bool names_exact(const Names *names, const char *folded) {
    size_t n = strlen(folded);
    uint64_t key = key_of(folded, n, n, n), mask = (uint64_t)names->slots - 1;
    for (uint64_t at = key & mask; names->key[at]; at = (at + 1) & mask)
        if (names->key[at] == key && !strcmp(names->word[names->which[at]], folded)) return true;
    return false;
}

Status names_run(Search *search, const Names *names, const char *text, Error *error) {
    Status status = OK;
    if (!names || !names->count) return OK;
    if (names->own) TRY(names_run_own(search, names, text, error));
    for (int64_t i = 0; i < search->tokens.count; i++) {
        const Token *t = &search->tokens.at[i];
        if (!shape_is_word(t->shape) || t->end - t->start < 3 || t->end - t->start > 28) continue;
        char word[40];
        word_fold(text + t->start, t->end - t->start, word, 32);
        int slips = nearest(names, word).slips;
        bool ordinary = t->lists & LIST_ORDINARY, small = t->shape == SHAPE_LOWER;
        if (slips > slips_allowed(strlen(word)) || (slips && ordinary) || (ordinary && small)) continue;
        float sure = slips == 0 ? .98f : slips == 1 ? .9f : .8f;
        if (slips && small) sure -= .2f;
        TRY(finds_add(&search->candidates, (Find){ t->start, t->end, sure, TRACE_PERSON, FOUND_KNOWN }, error));
    }
done:
    return status;
}
