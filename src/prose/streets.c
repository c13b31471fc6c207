/* Streets named by a word before them ("C/ Sol, 5, 2º B"), and what belongs to an address behind its street: numbers, floors, doors. */
#include <string.h>
#include <strings.h>
#include "prose/context.h"

static bool digit_at(const Context *c, uint32_t i) { return i < c->size && c->text[i] >= '0' && c->text[i] <= '9'; }
static bool letter_at(const Context *c, uint32_t i) {
    return i < c->size && ((unsigned char)c->text[i] >= 0x80 || ((unsigned char)c->text[i] | 32u) - 'a' < 26u);
}
static bool capital_at(const Context *c, uint32_t i) {
    int length;
    return i < c->size && code_is_upper(code_point(c->text + i, c->text + c->size, &length));
}

/* ---- Behind a street ---- */

/* º, ª, °, or a full stop and one of them; how many bytes. */
static uint32_t ordinal(const Context *c, uint32_t at) {
    static const char *const marks[] = { ".º", ".ª", "º", "ª", "°", ".°", ".o", ".a", "er", "th", "nd", "st", "rd", "ème", "o", "a" };
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        uint32_t n = (uint32_t)strlen(marks[i]);
        if (at + n > c->size || memcmp(c->text + at, marks[i], n)) continue;
        bool small = (unsigned char)marks[i][n - 1] < 0x80; /* letters: nothing of a word behind them, unless it is a door ("1oE") */
        if (!small || !letter_at(c, at + n) || (capital_at(c, at + n) && !letter_at(c, at + n + 1))) return n;
    }
    return 0;
}

/* One of these words here, without regard to case, and nothing of a word behind it; its bytes, with its full stop. */
static uint32_t one_of(const Context *c, uint32_t at, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint32_t n = (uint32_t)strlen(words[i]);
        if (at + n > c->size || strncasecmp(c->text + at, words[i], n)) continue;
        bool open = letter_at(c, at + n) && letter_at(c, at + n - 1);
        if (!open) return n + (at + n < c->size && c->text[at + n] == '.' && (at + n + 1 == c->size || c->text[at + n + 1] != '\n'));
    }
    return 0;
}

/* 12, 12A, 12-14, 12 y 14: up to four digits; 0 where it is none. */
static uint32_t house_number(const Context *c, uint32_t at) {
    uint32_t i = at;
    while (digit_at(c, i)) i++;
    if (i == at || i - at > 4) return 0;
    i += ordinal(c, i);
    if (letter_at(c, i) && !letter_at(c, i + 1) && !digit_at(c, i + 1)) i++; /* 12B */
    else if (i < c->size && c->text[i] == ' ' && capital_at(c, i + 1) && (unsigned char)c->text[i + 1] < 0x80 && !letter_at(c, i + 2) &&
             !digit_at(c, i + 2) && c->text[i + 2 < c->size ? i + 2 : i] != '-' && c->text[i + 2 < c->size ? i + 2 : i] != '\'')
        i += 2;                    /* 2 B */
    if (letter_at(c, i)) return 0; /* 12mm */
    uint32_t next = i;
    if (next + 1 < c->size && (c->text[next] == '-' || c->text[next] == '/')) next++;
    else if (next + 3 < c->size && !memcmp(c->text + next, "–", 3)) next += 3;
    else if (next + 3 < c->size && (!memcmp(c->text + next, " y ", 3) || !memcmp(c->text + next, " - ", 3))) next += 3;
    if (next > i) {
        uint32_t more = next;
        while (digit_at(c, more)) more++;
        more += more > next ? ordinal(c, more) : 0;
        if (letter_at(c, more) && !letter_at(c, more + 1)) more++;
        if (more > next && more - next <= 6 && !letter_at(c, more) && !digit_at(c, more)) return more - at;
    }
    return i - at;
}

/* Is what follows a number what may follow one of an address, and not what is counted ("3 hijos")? */
static bool closes(const Context *c, uint32_t at) {
    static const char *const units[] = { "piso", "planta", "esc", "pta", "puerta", "dcha", "izda",  "izq",
                                         "bajo", "bis",    "ter", "int", "bus",    "hs",   "entlo", "local" };
    uint32_t i = at;
    while (i < c->size && c->text[i] == ' ') i++;
    if (i == c->size || !letter_at(c, i) || capital_at(c, i)) return i == at || i == c->size || !digit_at(c, i) || i > at;
    return i > at && one_of(c, i, units, sizeof units / sizeof *units);
}

/* The next piece of an address from `at` on; where it ends, or `at`. */
static uint32_t address_piece(const Context *c, uint32_t at, bool *numbered) {
    static const char *const no_number[] = { "s/n", "s/nº", "s.n", "sin número", "sin numero" };
    static const char *const heads[] = { "n.º", "nº", "n°", "n º", "núm", "num", "no", "nr", "n", "#", "km", "número" };
    static const char *const units[] = { "piso",   "planta",    "puerta",   "pta",   "pl",           "esc",    "escalera", "portal",
                                         "bloque", "blq",       "dpto",     "depto", "departamento", "local",  "casa",     "apto",
                                         "apt",    "apartment", "flat",     "unit",  "suite",        "ste",    "floor",    "étage",
                                         "etage",  "stock",     "wohnung",  "whg",   "top",          "stiege", "tür",      "appt",
                                         "bât",    "bus",       "hs",       "int",   "interno",      "scala",  "piano",    "torre",
                                         "room",   "rm",        "edificio", "lote",  "manzana",      "mz",     "int." };
    static const char *const ends[] = { "bajo",    "bajos", "ático", "entlo",  "entresuelo", "principal", "dcha", "dch", "drcha",
                                        "derecha", "izda",  "izq",   "izqda",  "izquierda",  "bis",       "ter",  "eg",  "og",
                                        "dg",      "rdc",   "links", "rechts", "centro",     "dx",        "sx" };
    uint32_t i = at, n;
    bool mark = false;
    while (i < c->size && i - at < 2 && c->text[i] == ' ') i++;
    if (i < c->size && strchr(",.-/", c->text[i])) {
        mark = true;
        i++;
    }
    while (i < c->size && i - at < 4 && c->text[i] == ' ') i++;
    if (i == at && !letter_at(c, i)) return at;
    if ((n = one_of(c, i, no_number, sizeof no_number / sizeof *no_number))) return i + n - (c->text[i + n - 1] == '.');
    uint32_t head = one_of(c, i, heads, sizeof heads / sizeof *heads);
    if (head) {
        uint32_t from = i + head;
        while (from < c->size && from - i - head < 2 && c->text[from] == ' ') from++;
        n = house_number(c, from);
        if (n) *numbered = true;
        return n ? from + n : at;
    }
    if ((n = one_of(c, i, units, sizeof units / sizeof *units)) && (*numbered || mark || i > at)) {
        uint32_t from = i + n, value = from;
        while (from < c->size && from - i - n < 2 && c->text[from] == ' ') from++;
        uint32_t number = house_number(c, from);
        for (value = from;
             value < c->size && value - from < 4 && ((unsigned char)c->text[value] | 32u) - 'a' < 26u && capital_at(c, value);)
            value++;
        if (number) return from + number;
        return value > from && !letter_at(c, value) ? value : at;
    }
    if (*numbered && (n = one_of(c, i, ends, sizeof ends / sizeof *ends))) return i + n - (c->text[i + n - 1] == '.');
    n = house_number(c, i);
    bool town = n >= 4 && *numbered && digit_at(c, i + 3); /* a post code of four digits */
    if (n && !town && closes(c, i + n) && (mark || i > at || !*numbered)) {
        *numbered = true;
        return i + n;
    }
    bool door = *numbered && capital_at(c, i) && (unsigned char)c->text[i] < 0x80 && !letter_at(c, i + 1) && !digit_at(c, i + 1) &&
                i + 1 <= c->size;
    if (door && (i + 1 == c->size || !strchr("-'/&", c->text[i + 1]) || !c->text[i + 1])) return i + 1 + ordinal(c, i + 1);
    return at;
}

static uint32_t address_end(const Context *c, uint32_t start, uint32_t end) {
    enum { PIECES = 7 };
    bool numbered = false;
    for (uint32_t i = start; i < end && !numbered; i++) numbered = digit_at(c, i);
    for (int piece = 0; piece < PIECES; piece++) {
        uint32_t next = address_piece(c, end, &numbered);
        if (next == end) break;
        end = next;
    }
    return end;
}

/* Every address that was found so far goes on over its number, floor and door. */
Status streets_extend(const Context *c) {
    for (int64_t f = 0; f < c->search->candidates.count; f++) {
        Find *find = &c->search->candidates.at[f];
        if (find->kind == TRACE_ADDRESS && find->confidence >= 0.4f) find->end = address_end(c, find->start, find->end);
    }
    return OK;
}

/* ---- A street by the word before it ---- */

static bool is_joint_of_street(const Context *c, const Token *t) {
    return t->lists & (LIST_PARTICLE | LIST_PARTICLE_MORE | LIST_TITLE) || is_in(c, t, SET_OF) || is_in(c, t, SET_Y) ||
           t->end - t->start <= 2;
}

/* "Calle Mayor 5", "c/ Dr. Esquerdo, 46", "via Roma 12", "calle sinesio delgado 63": words of any case up to a number; without one only
 * where they have capitals. */
Status street_at(const Context *c, int64_t i) {
    enum { MOST = 9 };
    const Tokens *k = &c->search->tokens;
    const Token *t = &k->at[i];
    int64_t n = i + 1, last = -1;
    int cased = 0, words = 0, plain = 0;
    bool slash = is_mark(c->text, token_at(k, n), '/'), number;
    if (t->end - t->start == 1 && !slash) return OK; /* "c" alone is no street */
    if (t->shape == SHAPE_UPPER && t->end - t->start <= 3 && !slash && !is_mark(c->text, token_at(k, n), '.') &&
        token_at(k, n)->shape != SHAPE_CAPITAL)
        return OK;
    while (n < k->count && n < i + 3 && (is_mark(c->text, &k->at[n], '/') || is_mark(c->text, &k->at[n], '.'))) n++;
    for (; n < k->count && n < i + MOST; n++) {
        const Token *w = &k->at[n];
        if (shape_is_number(w->shape) || w->shape == SHAPE_ALNUM) break;
        if (w->shape == SHAPE_MARK) {
            bool stop = is_mark(c->text, w, '.') && k->at[n - 1].end - k->at[n - 1].start <= 4 && shape_is_word(token_at(k, n + 1)->shape);
            bool tight = strchr("'-", c->text[w->start]) && w->start == k->at[n - 1].end;
            bool mark = (unsigned char)c->text[w->start] >= 0x80 && w->start == k->at[n - 1].end; /* º */
            if (stop || tight || mark) continue;
            break;
        }
        if (!shape_is_word(w->shape)) break;
        bool ordinary = w->shape == SHAPE_LOWER && w->lists & LIST_ORDINARY && !(w->lists & (LIST_GIVEN | LIST_SURNAME | LIST_CITY));
        if (ordinary && !is_joint_of_street(c, w) && words > 0 && ++plain > 1) break; /* unless a number ends it: below */
        if (w->lists & LIST_ORGANISATION) break;
        words += !is_joint_of_street(c, w) || shape_is_cased(w->shape);
        cased += shape_is_cased(w->shape);
        if (!is_joint_of_street(c, w) || shape_is_cased(w->shape)) last = n;
    }
    if (last < 0) return OK;
    uint32_t end = address_end(c, t->start, k->at[last].end);
    number = end > k->at[last].end;
    bool strong = slash || is_in(c, t, SET_STREET_SURE);
    if ((!cased || plain) && !(number && strong)) return OK;
    double sure = number ? 0.95 : shape_is_cased(t->shape) || slash ? 0.75 : 0.3;
    return context_add(c, t->start, end, sure, TRACE_ADDRESS);
}

/* ---- A street before its post code ---- */

static bool part_of_number(const Context *c, const Token *t) {
    if (t->shape == SHAPE_MARK) return (unsigned char)c->text[t->start] >= 0x80 || strchr(",.-/#", c->text[t->start]);
    if (shape_is_number(t->shape)) return t->shape <= SHAPE_4;
    if (t->shape == SHAPE_ALNUM) return t->end - t->start <= 4;
    return t->shape == SHAPE_INITIAL || (shape_is_word(t->shape) && t->end - t->start == 1) ||
           (t->lists & LIST_UNIT && t->shape == SHAPE_LOWER);
}

/* "Gaspar Alto 90 46017 Valencia": capitalised words and a number right before a post code are a street, though nothing calls it one. */
Status street_before_zip(const Context *c, int64_t i) {
    enum { MOST_WORDS = 5, MOST_PARTS = 9 };
    const Tokens *k = &c->search->tokens;
    int64_t n = i - 1, last = -1, first = -1;
    int words = 0;
    bool number = false, slash = false, letter = false;
    if (n > 0 && is_mark(c->text, &k->at[n], '-') && k->at[n - 1].shape == SHAPE_INITIAL) n -= 2; /* E-28001 */
    for (; n >= 0 && n > i - MOST_PARTS && part_of_number(c, &k->at[n]); n--) {
        const Token *t = &k->at[n];
        bool counts = t->shape != SHAPE_MARK;
        if (counts && last < 0) last = n;
        number |= shape_is_number(t->shape) || (t->shape == SHAPE_ALNUM && digit_at(c, t->start));
        slash |= is_mark(c->text, t, '/');
        letter |= shape_is_word(t->shape);
        if (is_mark(c->text, t, '.') && number && shape_is_word(token_at(k, n - 1)->shape) &&
            token_at(k, n - 1)->end - token_at(k, n - 1)->start > 4)
            return OK;
    }
    if (last < 0 || (!number && !(slash && letter))) return OK;
    for (; n >= 0 && words < MOST_WORDS; n--) {
        const Token *t = &k->at[n];
        bool joint = t->lists & (LIST_PARTICLE | LIST_PARTICLE_MORE) || is_in(c, t, SET_OF) || is_in(c, t, SET_Y);
        bool tight = t->shape == SHAPE_MARK && strchr("-'", c->text[t->start]) && t->end == k->at[n + 1].start;
        if (tight && words) continue;
        if (!shape_is_word(t->shape) || t->lists & LIST_ORGANISATION || (!joint && !shape_is_cased(t->shape))) break;
        words += !joint || shape_is_cased(t->shape);
        if (shape_is_cased(t->shape)) first = n;
    }
    return first < 0 ? OK : context_add(c, k->at[first].start, k->at[last].end, 0.85, TRACE_ADDRESS);
}
