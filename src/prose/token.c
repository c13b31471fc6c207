/* The tokeniser: one pass over the bytes, ASCII by a table, the rest by code point. */
#include <stdlib.h>
#include <string.h>
#include "prose/token.h"

static const uint64_t PRIME = 0x100000001b3u, BASIS = 0xcbf29ce484222325u;

uint64_t letters_hash(const char *word, size_t size) {
    char lower[256];
    size_t count = word_lower(word, size, lower, sizeof lower);
    uint64_t hash = BASIS;
    for (size_t i = 0; i < count; i++) hash = (hash ^ (unsigned char)lower[i]) * PRIME;
    return hash;
}

typedef struct Cutter {
    const char *text, *end;
    Tokens *out;
    bool sentence, line; /* the next word opens a sentence, a line */
} Cutter;

/* What a run of letters and digits is made of, seen byte by byte. */
typedef struct Form {
    int letters, uppers, lowers, digits, points;
    bool first_upper, inner_upper;
} Form;

static unsigned digits_shape(int digits) { return digits <= 5 ? (unsigned)(SHAPE_1 + digits - 1) : SHAPE_LONG; }

static unsigned form_shape(const Form *f) {
    if (!f->letters) return digits_shape(f->digits);
    if (f->digits) return SHAPE_ALNUM;
    if (f->uppers && f->letters == 1) return SHAPE_INITIAL;
    if (!f->uppers) return f->lowers ? SHAPE_LOWER : SHAPE_UNCASED;
    if (!f->lowers) return SHAPE_UPPER;
    return f->first_upper && !f->inner_upper ? SHAPE_CAPITAL : SHAPE_MIXED;
}

static void form_add(Form *f, uint32_t code, bool after_joint) {
    f->points++;
    if (code - '0' < 10) {
        f->digits++;
        return;
    }
    f->letters++;
    if (code_is_upper(code)) {
        f->uppers++;
        if (f->letters == 1) f->first_upper = true;
        else if (!after_joint) f->inner_upper = true;
    } else if (code < 0x80 || (code < 0x590 && code_upper(code) != code) || code == 0xdf) f->lowers++;
}

static bool is_apostrophe(uint32_t code) { return code == '\'' || code == 0x2019; }

/* "'s" at the end of a word is a token of its own, so that the name before it is whole. */
static bool possessive_at(const char *p, const char *end, int length) {
    const char *s = p + length;
    int more;
    if (s >= end || (*s | 32) != 's') return false;
    return s + 1 >= end || (!code_is_letter(code_point(s + 1, end, &more)) && !(s[1] >= '0' && s[1] <= '9'));
}

/* d'Anna, l'hôpital: the elided word is cut off. O'Neill and D'Angelo stay whole: theirs is a capital before a capital. */
static bool elided(const char *word, const char *p, const char *end, int length) {
    int more;
    if (p - word == 2 && (word[0] | 32) == 'q' && word[1] == 'u') return true;
    if (p - word != 1 || !strchr("dljmnstc", word[0] | 32)) return false;
    return (word[0] & 32) || !code_is_upper(code_point(p + length, end, &more));
}

static bool letter_follows(const char *p, const char *end) {
    int length;
    return p < end && code_is_letter(code_point(p, end, &length));
}

static Status push(Cutter *c, const char *start, const char *end, uint64_t hash, unsigned shape, unsigned flags, Error *error) {
    Tokens *t = c->out;
    if (t->count == t->capacity) {
        int64_t capacity = t->capacity ? t->capacity * 2 : 1024;
        Token *more = realloc(t->at, (size_t)capacity * sizeof *more);
        if (!more) return out_of_memory(error);
        t->at = more;
        t->capacity = capacity;
    }
    if (start > c->text && (start[-1] == ' ' || start[-1] == '\t')) flags |= TOKEN_SPACED;
    if (shape < SHAPE_MARK) {
        flags |= (c->sentence ? TOKEN_SENTENCE : 0u) | (c->line ? TOKEN_LINE_START : 0u);
        c->sentence = c->line = false;
    }
    t->at[t->count++] = (Token){ .start = (uint32_t)(start - c->text),
                                 .end = (uint32_t)(end - c->text),
                                 .hash = hash,
                                 .word = shape >= SHAPE_MARK     ? hash
                                         : shape > SHAPE_INITIAL ? WORD_NUMBER
                                                                 : WORD_UNKNOWN,
                                 .shape = (uint8_t)shape,
                                 .flags = (uint8_t)flags };
    return OK;
}

/* The run of ASCII letters and digits from here on: most of most words. */
static const char *plain_letters(const char *p, const char *end, Form *f, uint64_t *hash, bool *joint) {
    uint64_t h = *hash;
    for (; p < end; p++) {
        uint32_t c = (unsigned char)*p, low = c | 32;
        if (low - 'a' < 26) {
            bool upper = c != low;
            f->letters++;
            f->uppers += upper;
            f->lowers += !upper;
            if (upper && f->letters == 1) f->first_upper = true;
            else if (upper && !*joint) f->inner_upper = true;
        } else if (c - '0' < 10) {
            low = c;
            f->digits++;
        } else break;
        f->points++;
        h = (h ^ low) * PRIME;
        *joint = false;
    }
    *hash = h;
    return p;
}

/* A word, a number or a mixture, from its first letter or digit on. */
static Status cut_word(Cutter *c, const char **at, Error *error) {
    const char *start = *at, *p = start, *end = c->end;
    Form form = { 0 };
    uint64_t hash = BASIS;
    unsigned flags = 0;
    bool joint = false;
    while (p < end) {
        int length;
        p = plain_letters(p, end, &form, &hash, &joint);
        if (p == end) break;
        uint32_t code = code_point(p, end, &length);
        if (code_is_letter(code) || code - '0' < 10) {
            char low[4];
            int bytes = code_put(code_lower(code), low);
            for (int i = 0; i < bytes; i++) hash = (hash ^ (unsigned char)low[i]) * PRIME;
            form_add(&form, code, joint);
            joint = false;
            p += length;
            continue;
        }
        bool apostrophe = is_apostrophe(code);
        if (form.digits || !(apostrophe || code == '-') || !letter_follows(p + length, end)) break;
        if (apostrophe && possessive_at(p, end, length)) {
            flags |= TOKEN_POSSESSIVE;
            break;
        }
        if (apostrophe && elided(start, p, end, length)) {
            p += length;
            break;
        }
        hash = (hash ^ (unsigned char)(apostrophe ? '\'' : '-')) * PRIME;
        joint = true;
        p += length;
    }
    *at = p;
    return push(c, start, p, hash, form_shape(&form), flags, error);
}

static Status cut_mark(Cutter *c, const char **at, Error *error) {
    const char *start = *at;
    int length;
    uint32_t code = code_point(start, c->end, &length);
    const char *end = start + length;
    if (is_apostrophe(code) && possessive_at(start, c->end, length)) end++;
    uint64_t hash = BASIS;
    for (const char *p = start; p < end; p++) hash = (hash ^ (unsigned char)*p) * PRIME;
    Status status = push(c, start, end, hash, SHAPE_MARK, 0, error);
    if (code == '.' || code == '!' || code == '?' || code == ':' || code == 0x2026 || code == 0x201d) c->sentence = true;
    *at = end;
    return status;
}

/* One token for a run of white space with line ends in it. */
static Status cut_lines(Cutter *c, const char **at, Error *error) {
    const char *start = *at, *p = start;
    int lines = 0;
    for (; p < c->end && (*p == '\n' || *p == '\r' || *p == ' ' || *p == '\t'); p++)
        lines += *p == '\n' || (*p == '\r' && (p + 1 == c->end || p[1] != '\n'));
    while (p > start + 1 && (p[-1] == ' ' || p[-1] == '\t')) p--;
    if (c->out->count) c->out->at[c->out->count - 1].flags |= TOKEN_LINE_END;
    Status status = push(c, start, p, lines > 1 ? 3 : 2, lines > 1 ? SHAPE_PARAGRAPH : SHAPE_LINE, 0, error);
    c->line = c->sentence = true;
    *at = p;
    return status;
}

Status tokens_cut(const char *text, size_t size, Tokens *out, Error *error) {
    Status status = OK;
    Cutter c = { .text = text, .end = text + size, .out = out, .sentence = true, .line = true };
    if (size > UINT32_MAX) return fail(error, BAD, "text of more than 4 GiB in one piece");
    for (const char *p = text; p < c.end;) {
        uint32_t byte = (unsigned char)*p;
        int length;
        if (byte == ' ' || byte == '\t') p++;
        else if (byte == '\n' || byte == '\r') TRY(cut_lines(&c, &p, error));
        else if ((byte | 32) - 'a' < 26 || byte - '0' < 10) TRY(cut_word(&c, &p, error));
        else if (byte >= 0x80 && code_is_letter(code_point(p, c.end, &length))) TRY(cut_word(&c, &p, error));
        else TRY(cut_mark(&c, &p, error));
    }
    if (out->count) out->at[out->count - 1].flags |= TOKEN_LINE_END;
done:
    return status;
}

void tokens_free(Tokens *tokens) {
    free(tokens->at);
    free(tokens->memo);
    *tokens = (Tokens){ 0 };
}
