/* What stands behind a label: names, addresses, places, dates and numbers, as far as they go. */
#include <string.h>
#include "prose/context.h"
#include "prose/labels.h"

typedef struct Value {
    const Context *c;
    Label label;
    int64_t first; /* the first token behind the colon */
    uint32_t end;  /* where the line, or the next label in it, ends the value */
} Value;

/* The value ends with its line, at a wide gap, or where another label begins. */
static uint32_t value_end(const Context *c, uint32_t from) {
    enum { MOST = 200 };
    uint32_t end = from, label_end = 0;
    while (end < c->size && end - from < MOST && c->text[end] != '\n' && c->text[end] != '\r' && c->text[end] != '\t') {
        if (c->text[end] == ' ' && end > from && end + 1 < c->size && c->text[end + 1] == ' ') break;
        if (c->text[end] == ':' && end > from && (end + 1 == c->size || c->text[end + 1] < '0' || c->text[end + 1] > '9')) {
            label_end = end;
            break;
        }
        end++;
    }
    if (!label_end) return end;
    size_t start = label_end;
    if (!label_before(&c->search->finder->labels, c->text, label_end, &start)) /* some other label: its last word */
        while (start > from && c->text[start - 1] != ' ') start--;
    end = start > from ? (uint32_t)start : from;
    while (end > from && strchr(" .,;(-", c->text[end - 1])) end--;
    return end;
}

static uint32_t without_stop(const char *text, uint32_t from, uint32_t end) {
    while (end > from && strchr(" .,;:-", text[end - 1])) end--;
    return end;
}

/* Does this word stand in a name behind a label? */
static bool word_of_name(const Value *v, const Token *t, int words) {
    bool particle = t->lists & (LIST_PARTICLE | LIST_PARTICLE_MORE) || t->end - t->start <= 2;
    if (!shape_is_word(t->shape) || t->lists & LIST_ORGANISATION) return false;
    if (shape_is_cased(t->shape)) return !(t->lists & LIST_STREET_BEFORE && words > 1);
    return t->shape == SHAPE_UNCASED || particle || t->lists & (LIST_GIVEN | LIST_SURNAME) ||
           (v->label == LABEL_NAME && words < 3 && !(t->lists & LIST_ORDINARY));
}

/* A mark that a name goes on over: the full stop of a short word, an apostrophe, a hyphen, one comma ("May, Rose"). */
static bool mark_of_name(const Value *v, int64_t i, int words, bool *comma) {
    const Tokens *k = &v->c->search->tokens;
    const Token *t = &k->at[i], *before = token_at(k, i - 1), *next = token_at(k, i + 1);
    char mark = v->c->text[t->start];
    if (t->shape != SHAPE_MARK || !shape_is_word(next->shape) || next->start >= v->end || !words) return false;
    if (mark == '.') return before->end - before->start <= 4 && (shape_is_cased(next->shape) || before->shape == SHAPE_INITIAL);
    if (mark == '-' || mark == '\'') return t->start == before->end && next->start == t->end;
    if ((unsigned char)mark == 0xc2 || (unsigned char)mark == 0xe2) return t->start == before->end;
    if (mark != ',' || *comma || !shape_is_cased(next->shape) || words > 3 || v->label != LABEL_NAME) return false;
    *comma = true;
    return true;
}

static Status name_value(const Value *v) {
    enum { MOST = 8 };
    const Tokens *k = &v->c->search->tokens;
    int64_t first = v->first, last = -1;
    int words = 0, cased = 0, plain = 0, named = 0;
    bool comma = false;
    while (first + 1 < k->count && k->at[first].lists & LIST_TITLE && k->at[first + 1].start < v->end) /* "Dr. " stays */
        first += is_mark(v->c->text, &k->at[first + 1], '.') && first + 2 < k->count ? 2 : 1;
    for (int64_t i = first; i < k->count && k->at[i].start < v->end && words < MOST; i++) {
        const Token *t = &k->at[i];
        if (i > first && t->start - k->at[i - 1].end > 1) break;
        if (mark_of_name(v, i, words, &comma)) continue;
        if (!word_of_name(v, t, words)) break;
        bool ordinary =
            (t->lists & LIST_ORDINARY && !(t->lists & (LIST_GIVEN | LIST_SURNAME))) || t->lists & (LIST_ROLE | LIST_MONTH | LIST_DAY);
        words++;
        cased += shape_is_cased(t->shape);
        plain += ordinary;
        named += (t->lists & (LIST_GIVEN | LIST_SURNAME)) != 0;
        if (shape_is_cased(t->shape) || t->shape == SHAPE_UNCASED || !(t->lists & (LIST_PARTICLE | LIST_PARTICLE_MORE))) last = i;
    }
    if (last < 0 || (plain == words && !cased)) return OK;
    double sure = 0.97;
    if (v->label == LABEL_WHO && !named && plain * 2 >= words) return OK; /* "Patient: Woman of 52" */
    if (v->label == LABEL_WHO && !named) sure = words == 1 ? 0.2 : 0.7;
    uint32_t end = k->at[last].end;
    if (k->at[last].shape == SHAPE_INITIAL && end < v->c->size && v->c->text[end] == '.' && words > 1) end++;
    return context_add(v->c, k->at[first].start, end, sure, TRACE_PERSON);
}

/* An address goes to the end of its line; it has a number or a capital. */
static Status address_value(const Value *v) {
    const Tokens *k = &v->c->search->tokens;
    bool number = false, capital = false;
    for (int64_t i = v->first; i < k->count && k->at[i].start < v->end; i++) {
        number |= shape_is_number(k->at[i].shape) || k->at[i].shape == SHAPE_ALNUM;
        capital |= shape_is_cased(k->at[i].shape);
    }
    uint32_t start = k->at[v->first].start, end = without_stop(v->c->text, start, v->end);
    if (end <= start || (!number && !capital)) return OK;
    return context_add(v->c, start, end, number ? 0.96 : 0.8, TRACE_ADDRESS);
}

/* Towns and states, parted by commas, slashes or brackets; numbers among them are post codes. */
static Status place_value(const Value *v) {
    Status status = OK;
    const Tokens *k = &v->c->search->tokens;
    int64_t from = -1, last = -1;
    for (int64_t i = v->first; i <= k->count; i++) {
        const Token *t = token_at(k, i);
        bool over = i == k->count || t->start >= v->end, word = !over && shape_is_word(t->shape);
        bool number = !over && (shape_is_number(t->shape) || t->shape == SHAPE_ALNUM);
        bool joint = !over && t->shape == SHAPE_MARK && strchr(".'-", v->c->text[t->start]) && from >= 0;
        if (number && v->c->text[t->start] != 0 && t->end - t->start >= 4) TRY(context_add(v->c, t->start, t->end, 0.9, TRACE_ZIP));
        if (word && from < 0 && (shape_is_cased(t->shape) || t->shape == SHAPE_UNCASED || !(t->lists & LIST_ORDINARY))) from = i;
        if (word && from >= 0) last = i;
        if (from >= 0 && !word && !joint) {
            bool small = k->at[from].shape == SHAPE_LOWER;
            TRY(context_add(v->c, k->at[from].start, k->at[last].end, small ? 0.6 : 0.9, TRACE_PLACE));
            from = -1;
        }
        if (over || (!word && !joint && !number && t->shape != SHAPE_MARK)) break;
    }
done:
    return status;
}

/* A group of a number: digits, or letters that lead to some ("nhc-7946", "ES 12"); a bracket and what is no such group end it. */
static uint32_t group_end(const Context *c, uint32_t at, uint32_t end, int *digits) {
    uint32_t i = at;
    int found = 0;
    for (; i < end; i++) {
        unsigned char x = (unsigned char)c->text[i];
        bool digit = x >= '0' && x <= '9';
        bool mark = strchr("-/.*", x) && i + 1 < end && c->text[i + 1] != ' ' && i > at;
        found += digit;
        if (!digit && (x | 32u) - 'a' >= 26u && !mark) break;
    }
    *digits += found;
    bool code = i - at <= 4 && i > at && c->text[i - 1] != '.';
    return found || code ? i : at;
}

static unsigned kind_of(Label label) {
    static const unsigned kinds[LABELS] = { [LABEL_ZIP] = TRACE_ZIP,
                                            [LABEL_PHONE] = TRACE_PHONE,
                                            [LABEL_FAX] = TRACE_FAX,
                                            [LABEL_RECORD] = TRACE_RECORD,
                                            [LABEL_NATIONAL] = TRACE_NATIONAL_ID,
                                            [LABEL_PLAN] = TRACE_PLAN,
                                            [LABEL_LICENCE] = TRACE_LICENCE,
                                            [LABEL_VEHICLE] = TRACE_VEHICLE,
                                            [LABEL_DEVICE] = TRACE_DEVICE,
                                            [LABEL_ACCOUNT] = TRACE_ACCOUNT,
                                            [LABEL_ID] = TRACE_ID };
    return kinds[label];
}

/* Groups of digits, single blanks between them: as many as there are. */
static Status number_value(const Value *v) {
    const Context *c = v->c;
    uint32_t start = c->search->tokens.at[v->first].start, at = start, end = start;
    bool phone = v->label == LABEL_PHONE || v->label == LABEL_FAX;
    int digits = 0, least = v->label == LABEL_ZIP ? 2 : phone ? 5 : 3;
    if (at < v->end && strchr("(+#@", c->text[at]) && c->text[at]) at++;
    for (int group = 0; group < 8 && at < v->end; group++) {
        int before = digits;
        uint32_t next = group_end(c, at, v->end, &digits);
        if (next == at) break;
        if (digits > before) end = next;
        at = next;
        while (at < v->end && at - next < 3 && strchr(phone ? " ()/-+." : " -", c->text[at])) at++;
        if (at == next) break;
    }
    if (end > start && end < v->end && c->text[end] == ')' && memchr(c->text + start, '(', end - start)) end++;
    if (digits < least || end <= start) return OK;
    bool short_number = digits < 4 && end - start < 5 && v->label != LABEL_ZIP;
    return context_add(c, start, end, short_number ? 0.7 : 0.95, kind_of(v->label));
}

/* Digits and what stands between those of a date. */
static Status date_value(const Value *v) {
    const Context *c = v->c;
    uint32_t start = c->search->tokens.at[v->first].start, end = start, last = start;
    int digits = 0;
    for (; end < v->end && (strchr("/-. ", c->text[end]) || (c->text[end] >= '0' && c->text[end] <= '9')); end++)
        if (c->text[end] >= '0' && c->text[end] <= '9') {
            digits++;
            last = end + 1;
        } else if (c->text[end] == ' ' && end + 1 < v->end && !strchr("/-.0123456789", c->text[end + 1])) break;
    bool word = end < v->end && ((unsigned char)c->text[end] >= 0x80 || ((unsigned char)c->text[end] | 32u) - 'a' < 26u);
    if (digits < 4 || digits > 12 || (word && c->text[end - 1] != ' ')) return OK;
    return context_add(c, start, last, word ? 0.5 : 0.9, TRACE_DATE);
}

static Status value_add(const Value *v) {
    switch (v->label) {
    case LABEL_NAME:
    case LABEL_WHO: return name_value(v);
    case LABEL_ADDRESS: return address_value(v);
    case LABEL_PLACE: return place_value(v);
    case LABEL_DATE: return date_value(v);
    case LABEL_NOT: return OK;
    case LABEL_ZIP: {
        Status status = number_value(v);
        return status ? status : shape_is_word(v->c->search->tokens.at[v->first].shape) ? place_value(v) : OK;
    }
    default: return number_value(v);
    }
}

/* Behind a colon; or, for the numbers of persons, right behind the label ("NºCol 28 28 12345"). */
static Status label_at(const Context *c, int64_t i, bool colon) {
    const Tokens *k = &c->search->tokens;
    size_t start;
    Value v = { .c = c, .first = colon ? i + 1 : i };
    const Token *before = token_at(k, i - 1);
    v.label = label_before(&c->search->finder->labels, c->text, colon ? k->at[i].start : before->end, &start);
    if (v.label == LABEL_NONE || (!colon && (v.label < LABEL_RECORD || v.label > LABEL_LICENCE))) return OK;
    if (colon && v.first < k->count && k->at[v.first].shape == SHAPE_LINE && v.label != LABEL_WHO) v.first++; /* the value is below */
    while (v.first < k->count && k->at[v.first].shape == SHAPE_MARK && strchr("[<\"'", c->text[k->at[v.first].start])) v.first++;
    if (v.first >= k->count || k->at[v.first].shape >= SHAPE_LINE) return OK;
    v.end = value_end(c, k->at[v.first].start);
    if (!colon && c->size > k->at[i].end && k->at[i].end - k->at[i].start < 5 && c->text[k->at[i].end] != ' ') return OK;
    return v.end > k->at[v.first].start ? value_add(&v) : OK;
}

Status labels_run(const Context *c) {
    Status status = OK;
    const Tokens *k = &c->search->tokens;
    for (int64_t i = 1; i < k->count; i++) {
        if (is_mark(c->text, &k->at[i], ':')) TRY(label_at(c, i, true));
        else if (shape_is_number(k->at[i].shape) && shape_is_cased(k->at[i - 1].shape)) TRY(label_at(c, i, false));
    }
done:
    return status;
}
