/* Rules of share/scrub/announced.txt: by the word that announces them, then by a regular expression. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdlib.h>
#include <string.h>
#include "base/number_text.h"
#include "base/text.h"
#include "prose/announced.h"

enum { RULES = 64, SLOTS = 1024, FIELDS = 6, WINDOW = 96 };
typedef enum { BEHIND, WITH, NUMBER } Standing; /* the find stands behind its word, or is the word with it; or begins with a number */
typedef struct Rule {
    pcre2_code *code;
    float sure;
    uint8_t kind, standing;
} Rule;
struct Announced {
    Rule rule[RULES];
    int rules;
    uint64_t numbers;                /* rules that are tried at numbers */
    uint64_t word[SLOTS], of[SLOTS]; /* by the hash of a word in small letters: its rules */
    pcre2_match_context *limits;
};

static uint64_t *slot_of(Announced *a, uint64_t hash) {
    size_t at = (size_t)(hash % SLOTS);
    while (a->word[at] && a->word[at] != hash) at = (at + 1) % SLOTS;
    a->word[at] = hash;
    return &a->of[at];
}

static uint64_t rules_of(const Announced *a, uint64_t hash) {
    size_t at = (size_t)(hash % SLOTS);
    while (a->word[at] && a->word[at] != hash) at = (at + 1) % SLOTS;
    return a->word[at] ? a->of[at] : 0;
}

static Status bad_line(Error *error, int line, const char *what) {
    return fail(error, BAD, "line %d of the announced patterns %s", line, what);
}

static Status add_words(Announced *a, char *words, int rule, int line, Error *error) {
    char *state = NULL;
    int used = 0;
    for (int i = 0; i < SLOTS; i++) used += a->word[i] != 0;
    for (char *word = strtok_r(words, " ", &state); word; word = strtok_r(NULL, " ", &state)) {
        if (++used > SLOTS / 2) return bad_line(error, line, "has more words than there is room for");
        *slot_of(a, letters_hash(word, strlen(word))) |= (uint64_t)1 << rule;
    }
    return OK;
}

static Status add_rule(Work *work, Announced *a, char *line, int number) {
    static const char *const places[] = { "behind", "with", "number" };
    Status status = OK;
    char *field[FIELDS];
    double sure;
    int standing = 0, code;
    PCRE2_SIZE at;
    if (a->rules == RULES) return bad_line(work->error, number, "is one too many");
    if (!text_cut_fields(line, FIELDS, field)) return bad_line(work->error, number, "does not have six fields");
    int kind = trace_named(NULL, field[0]);
    while (standing < 3 && strcmp(field[2], places[standing]) != 0) standing++;
    if (kind < 0 || standing == 3 || !read_real(field[1], field[1] + strlen(field[1]), '.', &sure) || !(sure > 0 && sure < 1))
        return bad_line(work->error, number, "has no kind, confidence or place that is known");
    const char *regex = arena_print(work->arena, "(?:%s)(?![0-9A-Za-z\\x80-\\xff])", field[4]);
    if (!regex) return out_of_memory(work->error);
    Rule *rule = &a->rule[a->rules];
    rule->code = pcre2_compile((PCRE2_SPTR)regex, PCRE2_ZERO_TERMINATED, PCRE2_ANCHORED, &code, &at, NULL);
    if (!rule->code) return bad_line(work->error, number, "has no regular expression that is one");
    (void)pcre2_jit_compile(rule->code, PCRE2_JIT_COMPLETE);
    rule->sure = (float)sure;
    rule->kind = (uint8_t)kind;
    rule->standing = (uint8_t)standing;
    if (standing == NUMBER) a->numbers |= (uint64_t)1 << a->rules;
    else TRY(add_words(a, field[3], a->rules, number, work->error));
    a->rules++;
done:
    return status;
}

Status announced_open(Work *work, const char *text, Announced **out) {
    Status status = OK;
    Announced *a = *out = calloc(1, sizeof *a);
    char *copy = arena_text(work->arena, text), *state = NULL;
    int number = 0;
    if (!a || !copy) return out_of_memory(work->error);
    a->limits = pcre2_match_context_create(NULL);
    if (!a->limits) return out_of_memory(work->error);
    pcre2_set_match_limit(a->limits, 20000);
    pcre2_set_depth_limit(a->limits, 1000);
    for (char *line = strtok_r(copy, "\n", &state); line; line = strtok_r(NULL, "\n", &state)) {
        number++;
        if (line[0] != '#') TRY(add_rule(work, a, line, number));
    }
done:
    return status;
}

void announced_close(Announced *a) {
    if (!a) return;
    for (int i = 0; i < a->rules; i++) pcre2_code_free(a->rule[i].code);
    pcre2_match_context_free(a->limits);
    free(a);
}

/* Is the first word with a capital, or the first word at all, one that names nobody? */
static bool is_ordinary(const Search *s, int64_t token, uint32_t start, uint32_t end) {
    while (token < s->tokens.count && s->tokens.at[token].start < start) token++;
    int64_t first = token;
    while (token < s->tokens.count && s->tokens.at[token].end <= end && !shape_is_cased(s->tokens.at[token].shape)) token++;
    if (token == s->tokens.count || s->tokens.at[token].end > end) token = first;
    if (token == s->tokens.count) return true;
    unsigned lists = s->tokens.at[token].lists, names = LIST_GIVEN | LIST_SURNAME;
    return (lists & LIST_ORDINARY && !(lists & names)) || lists & (LIST_TITLE | LIST_ROLE | LIST_ORGANISATION);
}

static Status try_rule(Search *s, const Rule *rule, const char *text, size_t size, int64_t i, Error *error) {
    const Token *t = &s->tokens.at[i];
    uint32_t from = rule->standing == NUMBER ? t->start : t->end;
    size_t length = size - from < WINDOW ? size - from : WINDOW;
    int pairs = pcre2_match(rule->code, (PCRE2_SPTR)text + from, length, 0, 0, s->match, s->finder->announced->limits);
    if (pairs < 0) return OK;
    const PCRE2_SIZE *at = pcre2_get_ovector_pointer(s->match);
    bool group = rule->standing == BEHIND && pairs > 1 && at[2] != PCRE2_UNSET && at[3] > at[2];
    uint32_t start = rule->standing == WITH ? t->start : from + (uint32_t)(group ? at[2] : at[0]);
    uint32_t end = from + (uint32_t)(group ? at[3] : at[1]);
    if (end <= start || (rule->kind == TRACE_PERSON && is_ordinary(s, i + 1, start, end))) return OK;
    return finds_add(&s->candidates, (Find){ start, end, rule->sure, rule->kind, FOUND_CUE }, error);
}

Status announced_run(Search *s, const char *text, size_t size, Error *error) {
    Status status = OK;
    const Announced *a = s->finder->announced;
    if (!a) return OK;
    for (int64_t i = 0; i < s->tokens.count; i++) {
        const Token *t = &s->tokens.at[i];
        bool within = t->start && (text[t->start - 1] == '.' || text[t->start - 1] == ',') && t->start > 1 && text[t->start - 2] >= '0' &&
                      text[t->start - 2] <= '9';
        uint64_t rules = shape_is_word(t->shape) ? rules_of(a, t->hash) : shape_is_number(t->shape) && !within ? a->numbers : 0;
        for (int r = 0; rules; r++, rules >>= 1)
            if (rules & 1) TRY(try_rule(s, &a->rule[r], text, size, i, error));
    }
done:
    return status;
}
