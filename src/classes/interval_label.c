/* Intervals read from the words that recoding writes. */
#include "classes/interval_label.h"
#include "base/elementary.h"
#include <string.h>
#include "base/number_text.h"

static const char *skip(const char *at) {
    while (*at == ' ') at++;
    return at;
}

static bool starts(const char **at, const char *word) {
    size_t length = strlen(word);
    if (strncmp(*at, word, length)) return false;
    *at = skip(*at + length);
    return true;
}

/* A number at `at`, which moves past it. */
static bool number(const char **at, double *out) {
    const char *from = skip(*at), *end = from;
    if (*end == '-' || *end == '+') end++;
    while ((*end >= '0' && *end <= '9') || *end == '.' || ((*end == 'e' || *end == 'E') && end > from)) end++;
    if (end == from || !read_real(from, end, '.', out)) return false;
    *at = skip(end);
    return true;
}

static bool infinite(const char **at, double *out) {
    const char *from = *at;
    bool minus = starts(&from, "-") || starts(&from, "−");
    if (!starts(&from, "Inf") && !starts(&from, "inf") && !starts(&from, "∞")) return false;
    *at = from;
    *out = minus ? -INFINITY : INFINITY;
    return true;
}

static bool bracketed(const char *at, LabelInterval *out) {
    char open = *at;
    at = skip(at + 1);
    if (!infinite(&at, &out->low) && !number(&at, &out->low)) return false;
    if (*at != ',' && *at != ';') return false;
    at = skip(at + 1);
    if (!infinite(&at, &out->high) && !number(&at, &out->high)) return false;
    out->low_open = open == '(' || open == ']';
    out->high_open = *at == ')' || *at == '[';
    return (*at == ')' || *at == ']' || *at == '[') && !*skip(at + 1);
}

/* One end only: ">= 90", "under 5". */
static bool one_sided(const char *at, LabelInterval *out) {
    static const struct {
        const char *word;
        bool above, open;
    } words[] = { { ">=", true, false }, { "≥", true, false }, { ">", true, true },       { "over ", true, true },  { "<=", false, false },
                  { "≤", false, false }, { "<", false, true }, { "under ", false, true }, { "below ", false, true } };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        double x;
        if (!starts(&at, words[i].word)) continue;
        if (!number(&at, &x) || *at) return false;
        *out =
            words[i].above ? (LabelInterval){ x, INFINITY, words[i].open, false } : (LabelInterval){ -INFINITY, x, false, words[i].open };
        return true;
    }
    return false;
}

bool interval_label_read(const char *text, LabelInterval *out) {
    const char *at = skip(text);
    *out = (LabelInterval){ 0 };
    if (*at == '[' || *at == '(' || *at == ']') return bracketed(at, out) && out->low <= out->high;
    if (one_sided(at, out)) return true;
    if (!number(&at, &out->low)) return false;
    if (*at == '+' && !*skip(at + 1)) {
        out->high = INFINITY;
        return true;
    }
    if (!starts(&at, "to ") && !starts(&at, "–") && !starts(&at, "-") && !starts(&at, "..")) return false;
    return number(&at, &out->high) && !*at && out->low <= out->high;
}

bool interval_label_holds(const LabelInterval *i, double x) {
    return (x > i->low || (x == i->low && !i->low_open)) && (x < i->high || (x == i->high && !i->high_open));
}
