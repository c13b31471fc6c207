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

static Status add_one(Work *work, Names *names, const char *word, size_t size) {
    static const char *const particles[] = { "van", "von", "der", "den", "de", "del", "la",  "the", "and",
                                             "dr",  "mr",  "mrs", "ms",  "jr", "sr",  "dos", "das" };
    Status status = OK;
    char folded[40];
    int64_t room = names->capacity;
    bool skip = size < 3 || size > 28;
    word_fold(word, size, folded, 32);
    for (size_t p = 0; p < sizeof particles / sizeof *particles; p++) skip |= !strcmp(folded, particles[p]);
    if (skip) return OK;
    GROW(work, names->letters, room, names->count + 1);
    GROW(work, names->word, names->capacity, names->count + 1);
    names->letters[names->count] = letters_hash(word, size);
    memcpy(names->word[names->count++], folded, 32);
done:
    return status;
}

/* "Müller-Lüdenscheidt" is called by either half, too. */
static Status add_halves(Work *work, Names *names, const char *word, size_t size) {
    Status status = OK;
    for (size_t from = 0, to; memchr(word, '-', size) && from < size; from = to + 1) {
        for (to = from; to < size && word[to] != '-';) to++;
        if (to - from >= 4) TRY(add_one(work, names, word + from, to - from));
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
    return best.slips <= slips_allowed(strlen(folded)) ? best.which : -1;
}

Status names_run(Search *search, const Names *names, const char *text, Error *error) {
    Status status = OK;
    if (!names || !names->count) return OK;
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
