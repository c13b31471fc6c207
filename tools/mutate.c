/* Draws small changes of C sources at random, as somebody makes them by mistake: what `make mutation` tries (scripts/mutation).
 *
 * usage: mutate SEED N FILE…    prints N lines: file, line, kind, offset, length, replacement; tabs between.
 *
 * A tokenizer finds the sites, outside of comments, texts, characters and preprocessor lines:
 *   comparison  < <= > >= == != by its neighbour        logic    && by ||, || by &&
 *   arithmetic  + - * / += -= by its counterpart         constant a number by the next one (0 by 1, 0.5 by 1.5)
 *   call        a call that is a statement, left out     swap     the first two arguments of a call, exchanged
 *   return      a function that returns 0 at once
 * Every site has the same chance. What does not compile is no mutant, and is drawn again by the caller. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Token {
    size_t at, length;
} Token;
typedef struct Site {
    const char *file, *kind;
    size_t line, at, length;
    char *replacement;
} Site;

static Site *sites;
static size_t site_count;

static void *grow(void *list, size_t count, size_t size) {
    if (count & (count - 1)) return list;
    void *more = realloc(list, (count ? 2 * count : 1) * size);
    if (!more) exit(1);
    return more;
}

static char *copy(const char *text, size_t length) {
    char *out = strndup(text, length);
    if (!out) exit(1);
    return out;
}

static void add_site(const char *file, const char *text, const char *kind, size_t at, size_t length, char *replacement) {
    size_t line = 1;
    for (size_t i = 0; i < at; i++) line += text[i] == '\n';
    sites = grow(sites, site_count, sizeof *sites);
    sites[site_count++] = (Site){ file, kind, line, at, length, replacement };
}

/* Behind a text or a character that begins at `at`. */
static size_t after_quotes(const char *text, size_t at) {
    const char quote = text[at++];
    while (text[at] && text[at] != quote) at += text[at] == '\\' && text[at + 1] ? 2 : 1;
    return at + (text[at] != 0);
}

/* Behind a line of the preprocessor, with those that it goes on in. */
static size_t after_directive(const char *text, size_t at) {
    while (text[at] && text[at] != '\n') at += text[at] == '\\' && text[at + 1] ? 2 : 1;
    return at;
}

static size_t token_length(const char *p) {
    static const char *const operators[] = { "<<=", ">>=", "...", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=",
                                             "*=",  "/=",  "->",  "++", "--", "<<", ">>", "|=", "&=", "^=", "%=" };
    size_t n = 0;
    if (isalpha((unsigned char)*p) || *p == '_')
        while (isalnum((unsigned char)p[n]) || p[n] == '_') n++;
    else if (isdigit((unsigned char)*p) || (*p == '.' && isdigit((unsigned char)p[1])))
        while (isalnum((unsigned char)p[n]) || p[n] == '.' || ((p[n] == '+' || p[n] == '-') && strchr("eEpP", p[n - 1]))) n++;
    for (size_t i = 0; !n && i < sizeof operators / sizeof *operators; i++)
        if (!strncmp(p, operators[i], strlen(operators[i]))) n = strlen(operators[i]);
    return n ? n : 1;
}

static Token *tokenize(const char *text, size_t *count) {
    Token *token = NULL;
    size_t at = 0, n = 0;
    int fresh = 1; /* nothing but space in this line so far */
    while (text[at]) {
        if (text[at] == '\n') fresh = 1;
        if (isspace((unsigned char)text[at])) at++;
        else if (!strncmp(text + at, "/*", 2)) {
            const char *end = strstr(text + at + 2, "*/");
            at = end ? (size_t)(end - text) + 2 : strlen(text);
        } else if (!strncmp(text + at, "//", 2) || (fresh && text[at] == '#')) at = after_directive(text, at);
        else {
            size_t length = text[at] == '"' || text[at] == '\'' ? after_quotes(text, at) - at : token_length(text + at);
            token = grow(token, n, sizeof *token);
            token[n++] = (Token){ at, length };
            at += length;
            fresh = 0;
        }
    }
    *count = n;
    return token;
}

static int is(const char *text, Token token, const char *word) {
    return strlen(word) == token.length && !strncmp(text + token.at, word, token.length);
}
static int is_name(const char *text, Token token) { return isalpha((unsigned char)text[token.at]) || text[token.at] == '_'; }
static int is_number(const char *text, Token token) {
    return isdigit((unsigned char)text[token.at]) || (text[token.at] == '.' && token.length > 1);
}
static int ends_value(const char *text, Token token) {
    return is_name(text, token) || is_number(text, token) || is(text, token, ")") || is(text, token, "]");
}

/* The token that closes the bracket at `open`; `count` where there is none. *comma: the first comma of its own, *second the next. */
static size_t closing(const char *text, const Token *token, size_t count, size_t open, size_t *comma, size_t *second) {
    int depth = 0;
    *comma = *second = 0;
    for (size_t i = open; i < count; i++) {
        if (strchr("([{", text[token[i].at]) && token[i].length == 1) depth++;
        else if (strchr(")]}", text[token[i].at]) && token[i].length == 1 && !--depth) return i;
        else if (depth == 1 && is(text, token[i], ",")) *(*comma ? *second ? &(size_t){ 0 } : second : comma) = i;
    }
    return count;
}

static void operator_sites(const char *file, const char *text, const Token *token, size_t i) {
    static const struct {
        const char *kind, *was, *is;
        int binary;
    } pairs[] = { { "comparison", "<", "<=", 1 },  { "comparison", "<=", "<", 1 },  { "comparison", ">", ">=", 1 },
                  { "comparison", ">=", ">", 1 },  { "comparison", "==", "!=", 1 }, { "comparison", "!=", "==", 1 },
                  { "logic", "&&", "||", 1 },      { "logic", "||", "&&", 1 },      { "arithmetic", "+", "-", 1 },
                  { "arithmetic", "-", "+", 1 },   { "arithmetic", "*", "/", 1 },   { "arithmetic", "/", "*", 1 },
                  { "arithmetic", "+=", "-=", 1 }, { "arithmetic", "-=", "+=", 1 } };
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
        if (is(text, token[i], pairs[k].was) && i && ends_value(text, token[i - 1]))
            add_site(file, text, pairs[k].kind, token[i].at, token[i].length, copy(pairs[k].is, 2));
    if (!is_number(text, token[i])) return;
    char number[64];
    char *end;
    double value = strtod(text + token[i].at, &end);
    if (memchr(text + token[i].at, 'x', token[i].length) || value > 1e9) return;
    snprintf(number, sizeof number, memchr(text + token[i].at, '.', token[i].length) ? "%.17g" : "%.0f", value + 1);
    add_site(file, text, "constant", token[i].at, token[i].length, copy(number, sizeof number));
}

static void call_sites(const char *file, const char *text, const Token *token, size_t count, size_t i, int depth) {
    static const char *const words[] = { "if", "for", "while", "switch", "return", "sizeof", "defined" };
    size_t comma, second;
    if (!is_name(text, token[i]) || i + 1 >= count || !is(text, token[i + 1], "(") || !depth) return;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (is(text, token[i], words[k])) return;
    size_t close = closing(text, token, count, i + 1, &comma, &second);
    if (close >= count) return;
    int begins = i && (strchr(";{}:", text[token[i - 1].at]) || is(text, token[i - 1], "else"));
    if (begins && close + 1 < count && is(text, token[close + 1], ";"))
        add_site(file, text, "call", token[i].at, token[close].at + 1 - token[i].at, copy("(void)0", 8));
    if (!comma) return;
    size_t from = token[i + 1].at + 1, middle = token[comma].at, to = token[second ? second : close].at;
    char *swapped = malloc(to - from + 3);
    if (!swapped) exit(1);
    sprintf(swapped, "%.*s, %.*s", (int)(to - middle - 1), text + middle + 1, (int)(middle - from), text + from);
    for (char *p = swapped; *p; p++)
        if (*p == '\n' || *p == '\t') *p = ' ';
    add_site(file, text, "swap", from, to - from, swapped);
}

static void find_sites(const char *file, const char *text) {
    size_t count;
    Token *token = tokenize(text, &count);
    int depth = 0;
    for (size_t i = 0; i < count; i++) {
        if (is(text, token[i], "{")) {
            if (!depth && i && is(text, token[i - 1], ")")) add_site(file, text, "return", token[i].at + 1, 0, copy(" return 0;", 16));
            depth++;
        }
        depth -= is(text, token[i], "}");
        if (depth) operator_sites(file, text, token, i);
        call_sites(file, text, token, count, i, depth);
    }
    free(token);
}

static char *load(const char *path) {
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 20);
    if (!file || !text || fread(text, 1, (1 << 20) - 1, file) == (1 << 20) - 1) {
        fprintf(stderr, "mutate: cannot read %s\n", path);
        exit(2);
    }
    fclose(file);
    return text;
}

/* SplitMix64 (Steele, Lea & Flood 2014). */
static uint64_t draw(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

int main(int argc, char **argv) {
    if (argc < 4) {
        fprintf(stderr, "usage: mutate SEED N FILE…\n");
        return 2;
    }
    uint64_t state = strtoull(argv[1], NULL, 10);
    for (int i = 3; i < argc; i++) find_sites(argv[i], load(argv[i]));
    for (long n = strtol(argv[2], NULL, 10); n > 0 && site_count; n--) {
        const Site *s = &sites[draw(&state) % site_count];
        printf("%s\t%zu\t%s\t%zu\t%zu\t%s\n", s->file, s->line, s->kind, s->at, s->length, s->replacement);
    }
    return 0;
}
