/* From candidates to finds: the tagger's spans added, overlaps settled, names found once looked for again. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "base/elementary.h"
#include "prose/context.h"
#include "prose/known_names.h"

static const double NEAR_MISS = 0.2; /* candidates below this, before they are calibrated, are forgotten */

static const double ORDINARY = 0.27; /* how far a single word that is no name elsewhere is believed to be one */

enum { NAMED = LIST_GIVEN | LIST_SURNAME | LIST_CITY | LIST_REGION | LIST_CODE };

static const double SMALL = 0.3; /* how far a single word in small letters among capitals is */

static unsigned best_tag(const float p[TAG_ROOM]) {
    unsigned best = TAG_PERSON;
    for (unsigned t = TAG_PLACE; t < TAGS; t++)
        if (p[t] > p[best]) best = t;
    return best;
}

static unsigned tag_kind(unsigned tag) {
    static const unsigned kinds[] = { [TAG_PERSON] = TRACE_PERSON,
                                      [TAG_PLACE] = TRACE_PLACE,
                                      [TAG_STREET] = TRACE_ADDRESS,
                                      [TAG_ZIP] = TRACE_ZIP,
                                      [TAG_ORGANISATION] = TRACE_ORGANISATION,
                                      [TAG_NUMBER] = TRACE_ID,
                                      [TAG_DATE] = TRACE_DATE };
    return kinds[tag];
}

/* "Rd. Stay": the full stop of a short form was that of the sentence, too. */
static bool opens_a_sentence(const Token *t) {
    return t->flags & TOKEN_SENTENCE && !(t->flags & TOKEN_LINE_START) && (t->lists & (LIST_ORDINARY | NAMED)) == LIST_ORDINARY &&
           t[-1].shape == SHAPE_MARK;
}

/* Marks at either end do not belong to a name, but for the full stop of an initial. */
static void trim(const Search *s, const char *text, int64_t *first, int64_t *last) {
    const Token *k = s->tokens.at;
    while (*first < *last && k[*first].shape >= SHAPE_MARK) (*first)++;
    while (*last > *first && k[*last - 1].shape >= SHAPE_MARK) {
        const Token *t = &k[*last - 1];
        bool initial = *last - 2 >= *first && t->shape == SHAPE_MARK && text[t->start] == '.' && k[*last - 2].shape == SHAPE_INITIAL;
        if (initial) break;
        (*last)--;
    }
    while (*last - 2 > *first && opens_a_sentence(&k[*last - 1])) (*last) -= 2;
}

/* States and countries are regions; a place that a list knows as a town, or that no list knows, is a place. */
static unsigned place_kind(const Search *s, int64_t first, int64_t last) {
    bool region = true;
    for (int64_t i = first; i < last; i++) {
        const Token *t = &s->tokens.at[i];
        if (shape_is_word(t->shape) && !(t->lists & (LIST_REGION | LIST_CODE))) region = false;
    }
    return region ? TRACE_REGION : TRACE_PLACE;
}

/* A single letter names nobody by itself, nor does a number that stands by no street, place or box. */
static bool empty_span(const Search *s, int64_t first, int64_t last, unsigned tag) {
    bool word = false, near = false, long_word = false;
    for (int64_t i = first; i < last; i++) {
        const Token *t = &s->tokens.at[i];
        long_word |= shape_is_word(t->shape) && t->end - t->start > 2;
        word |= shape_is_word(t->shape) && t->shape != SHAPE_INITIAL && (t->shape != SHAPE_LOWER || t->end - t->start > 1);
    }
    if (tag >= BUILT_IN_TAGS) return false;           /* what a site has marked */
    if (tag == TAG_STREET && !long_word) return true; /* "806 U/L", "36mm" */
    if (word || tag == TAG_ORGANISATION) return false;
    if (tag == TAG_PERSON || tag == TAG_PLACE) return true;
    for (int64_t i = first - 4 < 0 ? 0 : first - 4; i < last + 4 && i < s->tokens.count; i++)
        near |=
            (i < first || i >= last) && (s->tags[i][TAG_STREET] > 0.5f || s->tags[i][TAG_PLACE] > 0.5f || s->tokens.at[i].cues & CUE_ZIP);
    return !near;
}

/* "the", "any", or a quotation mark: before an ordinary word they make it a term, as contracts and manuals have them ("the Contributor").
 */
static bool leads_a_term(const Search *s, const char *text, int64_t i) {
    if (i < 0) return false;
    const Token *t = &s->tokens.at[i];
    if (t->shape == SHAPE_MARK) return text[t->start] == '"' || (t->end - t->start == 3 && !memcmp(text + t->start, "“", 3));
    return shape_is_word(t->shape) && set_has(&s->finder->lists, SET_LEADS_TERM, t->hash);
}

static bool all_ordinary(const Search *s, int64_t first, int64_t last) {
    for (int64_t i = first; i < last; i++) {
        const Token *t = &s->tokens.at[i];
        if (shape_is_word(t->shape) &&
            (!(t->lists & LIST_ORDINARY) || t->lists & (LIST_GIVEN | LIST_SURNAME | LIST_CITY | LIST_REGION | LIST_CODE)))
            return false;
    }
    return true;
}

/* "MPL", "ROM": a few capitals that no list of names has, where the words beside them are written otherwise. Up to four by themselves; more
 * where no title or given name says that it is a surname ("DUPONT Jean"). */
static bool is_acronym(const Search *s, int64_t i) {
    const Token *t = &s->tokens.at[i], *before = i ? t - 1 : NULL, *after = i + 1 < s->tokens.count ? t + 1 : NULL;
    if (t->shape != SHAPE_UPPER || t->end - t->start > 8 || t->lists & NAMED) return false;
    if ((before && before->shape == SHAPE_UPPER && !before->cues) || (after && after->shape == SHAPE_UPPER && !after->cues)) return false;
    bool full_stop = before && i > 1 && before->shape == SHAPE_MARK && t[-2].lists & LIST_TITLE; /* "Mrs. OKORO" */
    uint32_t beside = (before ? before->lists : 0) | (after ? after->lists : 0);
    return t->end - t->start <= 4 || (!full_stop && !(beside & (LIST_TITLE | LIST_ROLE | LIST_GIVEN)) && t->flags & TOKEN_SPACED);
}

/* "R. Hargreaves": the initial is his. */
static int64_t with_initials(const Search *s, const char *text, int64_t first) {
    while (first > 1 && s->tokens.at[first - 2].shape == SHAPE_INITIAL && s->tokens.at[first - 1].shape == SHAPE_MARK &&
           text[s->tokens.at[first - 1].start] == '.')
        first -= 2;
    return first;
}

/* A single word in small letters, where the writer uses capitals: "manuel" is French for "manual", too. */
static bool lone_small(const Search *s, int64_t i) { return !s->small && s->tokens.at[i].shape == SHAPE_LOWER; }

/* "ID 4471", "DE: …": a code of two letters that leads to a number is no state. */
static bool announces(const Search *s, const char *text, int64_t i) {
    const Token *t = &s->tokens.at[i], *next = i + 1 < s->tokens.count ? t + 1 : NULL;
    return t->cues & CUE_JOINT && next &&
           (next->shape == SHAPE_ALNUM || shape_is_number(next->shape) || (next->shape == SHAPE_MARK && strchr(":#", text[next->start])));
}

/* "(PA)", "AR": two capitals are a state only behind a comma or before a post code. */
static bool lone_code(const Search *s, const char *text, int64_t i) {
    const Token *t = &s->tokens.at[i], *before = i ? t - 1 : NULL, *after = i + 1 < s->tokens.count ? t + 1 : NULL;
    if (t->shape != SHAPE_UPPER || t->end - t->start > 3 || t->lists & (LIST_CITY | LIST_REGION)) return false;
    if (after && (after->shape == SHAPE_5 || after->shape == SHAPE_LONG)) return false;
    return !before || !(before->shape == SHAPE_MARK && text[before->start] == ',');
}

/* A street has a word for one, or a number in it or beside it. */
static bool like_a_street(const Search *s, int64_t first, int64_t last) {
    for (int64_t i = first > 0 ? first - 1 : 0; i <= last && i < s->tokens.count; i++) {
        const Token *t = &s->tokens.at[i];
        bool within = i >= first && i < last;
        if (shape_is_number(t->shape) || t->shape == SHAPE_ALNUM) return true;
        if (within && t->lists & (LIST_STREET_BEFORE | LIST_STREET_AFTER | LIST_STREET_SUFFIX | LIST_UNIT | LIST_BOX)) return true;
    }
    return false;
}

static Status add_span(Search *s, const char *text, int64_t first, int64_t last, unsigned tag, Error *error) {
    double sum = 0;
    int words = 0;
    trim(s, text, &first, &last);
    if (tag == TAG_PERSON) first = with_initials(s, text, first);
    if (first >= last || empty_span(s, first, last, tag)) return OK;
    if (tag == TAG_PLACE && last == first + 1 && (announces(s, text, first) || lone_code(s, text, first))) return OK;
    bool ordinary = (tag == TAG_PERSON || tag == TAG_PLACE) && all_ordinary(s, first, last);
    if (ordinary && leads_a_term(s, text, first - 1)) return OK;
    for (int64_t i = first; i < last; i++) {
        if (s->tokens.at[i].shape >= SHAPE_MARK) continue;
        if (s->tokens.at[i].shape == SHAPE_INITIAL && s->tags[i][TAG_OTHER] > 0.5f) continue;
        sum += (double)(1 - s->tags[i][TAG_OTHER] - (tag == TAG_ORGANISATION ? 0 : s->tags[i][TAG_ORGANISATION]));
        words++;
    }
    if (!words) return OK;
    if (words == 1 && (tag == TAG_PERSON || tag == TAG_PLACE) && (ordinary || is_acronym(s, first))) sum *= ORDINARY;
    if (words == 1 && tag == TAG_PERSON && lone_small(s, first)) sum *= SMALL;
    if (tag == TAG_STREET && !like_a_street(s, first, last)) sum *= ORDINARY;
    unsigned kind = tag == TAG_PLACE ? place_kind(s, first, last) : tag_kind(tag);
    return finds_add(&s->candidates,
                     (Find){ s->tokens.at[first].start, s->tokens.at[last - 1].end, (float)(sum / words), (uint8_t)kind, FOUND_TAGGER },
                     error);
}

static void set_other(float p[TAG_ROOM]) {
    memset(p, 0, TAG_ROOM * sizeof *p);
    p[TAG_OTHER] = 1;
}

/* Is this a text whose writer uses no capitals? Fewer than one word in twenty has one. */
static bool written_small(const Search *s) {
    int64_t words = 0, capitals = 0;
    for (int64_t i = 0; i < s->tokens.count; i++) {
        const Token *t = &s->tokens.at[i];
        words += shape_is_word(t->shape);
        capitals += t->shape == SHAPE_CAPITAL || t->shape == SHAPE_MIXED || t->shape == SHAPE_UPPER;
    }
    return capitals * 20 < words;
}

/* A word in small letters that no list of names has is a name only in a text without capitals, or within a name ("van der", "rue de la").
 */
static void doubt_small(Search *s) {
    s->small = written_small(s);
    for (int64_t i = 0; i < s->tokens.count; i++) {
        const Token *t = &s->tokens.at[i];
        if (t->shape != SHAPE_LOWER || s->tags[i][TAG_OTHER] > 0.9f || s->tags[i][TAG_NUMBER] + s->tags[i][TAG_DATE] > 0.5f ||
            (t->lists & (LIST_GIVEN | LIST_SURNAME | LIST_CITY | LIST_REGION) && !(t->lists & LIST_ORDINARY)))
            continue;
        const Token *before = i ? t - 1 : t, *after = i + 1 < s->tokens.count ? t + 1 : t;
        bool street = s->tags[i][TAG_STREET] > 0.5f && (t->lists & (LIST_STREET_AFTER | LIST_STREET_BEFORE | LIST_UNIT | LIST_ORDINARY));
        bool within = (shape_is_cased(before->shape) || before->shape == SHAPE_LOWER) &&
                      (shape_is_cased(after->shape) || after->shape == SHAPE_LOWER) && t->end - t->start <= 4;
        if (!street && !within && (!s->small || s->tags[i][TAG_OTHER] > 0.2f)) set_other(s->tags[i]);
    }
}

/* ---- Terms: products, and what a contract calls its parties ---- */

enum { SEEN = 1024 };
typedef struct Seen {
    uint64_t hash[SEEN];
    int count;
} Seen;

static bool seen_has(const Seen *seen, uint64_t hash) {
    for (uint64_t at = hash % SEEN, n = 0; n < SEEN && seen->hash[at]; at = (at + 1) % SEEN, n++)
        if (seen->hash[at] == hash) return true;
    return false;
}

static void seen_add(Seen *seen, uint64_t hash) {
    uint64_t at = hash % SEEN;
    if (seen->count > SEEN / 2 || seen_has(seen, hash)) return;
    while (seen->hash[at]) at = (at + 1) % SEEN;
    seen->hash[at] = hash;
    seen->count++;
}

/* A capitalised word, in no list of names, that is clearly no name behind "the" or "a": elsewhere in the same text it is none, either, but
 * behind a title or beside a given name. */
static bool shows_a_term(const Search *s, const char *text, int64_t i) {
    const Token *t = &s->tokens.at[i];
    bool word = shape_is_cased(t->shape) && t->shape != SHAPE_INITIAL && !(t->lists & NAMED);
    return word && s->tags[i][TAG_PERSON] + s->tags[i][TAG_PLACE] < 0.3f && leads_a_term(s, text, i - 1);
}

static bool beside_a_name(const Search *s, const char *text, int64_t i) {
    const Token *k = s->tokens.at;
    int64_t before = i > 1 && k[i - 1].shape == SHAPE_MARK && text[k[i - 1].start] == '.' ? i - 2 : i - 1;
    unsigned naming = LIST_TITLE | LIST_ROLE | LIST_GIVEN;
    bool initial = before >= 0 && before < i - 1 && k[before].shape == SHAPE_INITIAL;
    return initial || (before >= 0 && k[before].lists & naming) ||
           (i + 1 < s->tokens.count && k[i + 1].lists & (LIST_GIVEN | LIST_SURNAME));
}

static void doubt_terms(Search *s, const char *text) {
    Seen terms = { .count = 0 };
    for (int64_t i = 1; i < s->tokens.count; i++)
        if (shows_a_term(s, text, i)) seen_add(&terms, s->tokens.at[i].hash);
    for (int64_t i = 0; i < s->tokens.count && terms.count; i++) {
        const Token *t = &s->tokens.at[i];
        bool held = s->tags[i][TAG_PERSON] + s->tags[i][TAG_PLACE] > 0.2f && shape_is_cased(t->shape) && !(t->lists & NAMED);
        if (held && seen_has(&terms, t->hash) && !beside_a_name(s, text, i)) set_other(s->tags[i]);
    }
}

/* Runs of tokens that the tagger holds for the same, each token above the least that counts. */
static Status tagger_spans(Search *s, const char *text, Error *error) {
    Status status = OK;
    for (int64_t i = 0; i < s->tokens.count;) {
        if (1 - s->tags[i][TAG_OTHER] < NEAR_MISS || s->tokens.at[i].shape >= SHAPE_MARK) {
            i++;
            continue;
        }
        unsigned tag = best_tag(s->tags[i]);
        bool sure = 1 - s->tags[i][TAG_OTHER] >= 0.5f;
        int64_t last = i + 1;
        while (last < s->tokens.count && 1 - s->tags[last][TAG_OTHER] >= NEAR_MISS && best_tag(s->tags[last]) == tag &&
               (1 - s->tags[last][TAG_OTHER] >= 0.5f) == sure)
            last++;
        TRY(add_span(s, text, i, last, tag, error));
        i = last;
    }
done:
    return status;
}

/* What a check digit or the caller's own pattern vouches for goes before what was learnt; then the surer; then the longer; then the
 * earlier. */
static int rank(const Find *f) { return f->detector == FOUND_USER ? 2 : f->detector == FOUND_CHECKED && f->confidence >= .9f; }

static int by_worth(const void *a, const void *b) {
    const Find *x = a, *y = b;
    if (rank(x) != rank(y)) return rank(x) > rank(y) ? -1 : 1;
    if (x->confidence != y->confidence) return x->confidence > y->confidence ? -1 : 1;
    uint32_t m = x->end - x->start, n = y->end - y->start;
    if (m != n) return m > n ? -1 : 1;
    if (x->start != y->start) return x->start < y->start ? -1 : 1;
    return (x->kind > y->kind) - (x->kind < y->kind);
}

static int by_place(const void *a, const void *b) {
    const Find *x = a, *y = b;
    return x->start != y->start ? (x->start < y->start ? -1 : 1) : (x->end > y->end) - (x->end < y->end);
}

static bool has_word(const char *text, uint32_t start, uint32_t end) {
    for (uint32_t i = start; i < end; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c >= 0x80 || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z')) return true;
    }
    return false;
}

/* The letters behind an age in one word (90s, 93yo) are no name. */
static bool ends_an_age(const char *text, const uint8_t *covered, uint32_t first, uint32_t at, uint32_t stop) {
    if (at == first || covered[at - 1] != TRACE_AGE + 1) return false;
    for (uint32_t i = at; i < stop; i++)
        if (text[i] == ' ' || (text[i] >= '0' && text[i] <= '9')) return false;
    return true;
}

/* A find that a surer one overlaps keeps what is left of it, so that no part of it stays in the text. `covered`: bytes that are taken, each
 * by the kind that took it, and 1. */
static Status place_find(Search *s, const char *text, const uint8_t *covered, Find find, Error *error) {
    Status status = OK;
    for (uint32_t at = find.start; at < find.end;) {
        while (at < find.end && covered[at]) at++;
        uint32_t last = at;
        while (last < find.end && !covered[last]) last++;
        while (at < last && (text[at] == ' ' || text[at] == '\n' || text[at] == ',')) at++;
        uint32_t stop = last;
        while (stop > at && (text[stop - 1] == ' ' || text[stop - 1] == '\n' || text[stop - 1] == ',')) stop--;
        if (stop > at && has_word(text, at, stop) && !ends_an_age(text, covered, find.start, at, stop)) {
            Find piece = find;
            piece.start = at;
            piece.end = stop;
            TRY(finds_add(&s->finds, piece, error));
        }
        at = last;
    }
done:
    return status;
}

/* What the detectors say of a find as the share of such finds that are right: a logistic curve over the log-odds (Platt 1999), fitted on
 * labelled texts and on licences (docs/scrub.md: how it holds on others of them). What the caller's own pattern says stays. */
static float calibrated(const Find *find) {
    double c = (double)find->confidence;
    if (find->detector == FOUND_USER) return find->confidence;
    c = c < 0.001 ? 0.001 : c > 0.999 ? 0.999 : c;
    return (float)(1 / (1 + fixed_exp(-1.04 * fixed_log(c / (1 - c)) - 1.38)));
}

/* A name within a longer one that is sure enough makes the whole as sure: "R. Jones" stays one person where "Jones" is known, and so does
 * "Jörg Grün" behind a title. Few candidates hold any other, so that the walk is short. */
static void join_names(Search *s) {
    Find *at = s->candidates.at;
    int64_t count = s->candidates.count;
    bool any = false;
    for (int64_t i = 0; i < count && !any; i++) any = at[i].kind == TRACE_PERSON && at[i].detector != FOUND_TAGGER;
    if (!any) return;
    qsort(at, (size_t)count, sizeof(Find), by_place);
    for (int64_t i = 0; i < count; i++) {
        if (at[i].kind != TRACE_PERSON || (at[i].detector != FOUND_TAGGER && at[i].detector != FOUND_CUE) ||
            (double)calibrated(&at[i]) < s->finder->threshold)
            continue;
        int64_t from = i;
        while (from > 0 && at[from - 1].start == at[i].start) from--;
        for (int64_t j = from; j < count && at[j].start < at[i].end; j++)
            if (at[j].kind == TRACE_PERSON && at[j].end <= at[i].end && at[j].confidence > at[i].confidence)
                at[i].confidence = at[j].confidence;
    }
}

/* "Avda." and "Carlos Alto, s/n" beside it are one address, which gets one new one. */
static void merge_addresses(Search *s, const char *text) {
    int64_t kept = 0;
    for (int64_t i = 0; i < s->finds.count; i++) {
        Find *last = kept ? &s->finds.at[kept - 1] : NULL, *now = &s->finds.at[i];
        bool joins = last && last->kind == TRACE_ADDRESS && now->kind == TRACE_ADDRESS && now->start - last->end <= 2;
        for (uint32_t p = joins ? last->end : 0; joins && p < now->start; p++) joins = strchr(" ./", text[p]) != NULL && text[p];
        if (!joins) {
            s->finds.at[kept++] = *now;
            continue;
        }
        last->end = now->end;
        if (now->confidence < last->confidence) last->confidence = now->confidence;
    }
    s->finds.count = kept;
}

/* Candidates in order of worth; what is taken is marked byte by byte (a record is read in pieces, so that this stays small). */
static Status choose(Search *s, const char *text, size_t size, Error *error) {
    Status status = OK;
    uint8_t *covered = NULL;
    const Finder *f = s->finder;
    if (!s->candidates.count) return OK;
    covered = calloc(size + 1, 1);
    if (!covered) return out_of_memory(error);
    join_names(s);
    qsort(s->candidates.at, (size_t)s->candidates.count, sizeof(Find), by_worth);
    for (int64_t i = 0; i < s->candidates.count; i++) {
        Find find = s->candidates.at[i];
        if (!(f->kinds >> find.kind & 1)) continue;
        bool near = (double)find.confidence >= NEAR_MISS;
        find.confidence = calibrated(&find);
        if ((double)find.confidence < f->threshold) {
            if (near && !covered[find.start] && !covered[find.end - 1]) TRY(finds_add(&s->misses, find, error));
            continue;
        }
        int64_t before = s->finds.count;
        TRY(place_find(s, text, covered, find, error));
        for (int64_t j = before; j < s->finds.count; j++)
            memset(covered + s->finds.at[j].start, s->finds.at[j].kind + 1, s->finds.at[j].end - s->finds.at[j].start);
    }
    if (s->finds.count) qsort(s->finds.at, (size_t)s->finds.count, sizeof(Find), by_place);
    merge_addresses(s, text);
    if (s->misses.count) qsort(s->misses.at, (size_t)s->misses.count, sizeof(Find), by_place);
done:
    free(covered);
    return status;
}

/* ---- Names that were found once are looked for again ---- */

/* A word that is a name here beyond doubt, and no ordinary word. */
static bool a_sure_name(const Search *s, int64_t i) {
    const Token *t = &s->tokens.at[i];
    return shape_is_cased(t->shape) && t->end - t->start > 2 && s->tags[i][TAG_PERSON] > 0.97f && !is_acronym(s, i) &&
           !(t->lists & (LIST_ORDINARY | LIST_TITLE | LIST_MONTH | LIST_DAY | LIST_STREET_AFTER));
}

static Status names_again(Search *s, const char *text, Error *error) {
    Status status = OK;
    Seen seen = { .count = 0 };
    for (int64_t i = 0; i < s->tokens.count; i++)
        if (a_sure_name(s, i)) seen_add(&seen, s->tokens.at[i].hash);
    if (!seen.count) return OK;
    for (int64_t i = 0; i < s->tokens.count; i++) {
        const Token *t = &s->tokens.at[i];
        if (!shape_is_cased(t->shape) || s->tags[i][TAG_PERSON] > 0.85f || !seen_has(&seen, t->hash)) continue;
        uint32_t start = s->tokens.at[with_initials(s, text, i)].start;
        TRY(finds_add(&s->candidates, (Find){ start, t->end, .75f, TRACE_PERSON, FOUND_AGAIN }, error));
    }
done:
    return status;
}

/* The capitalised word after a sure given name is its surname, though no list has it ("Tom Bell reports"). */
static Status names_onward(Search *s, Error *error) {
    for (int64_t i = 0; i + 1 < s->tokens.count; i++) {
        const Token *t = &s->tokens.at[i], *next = &s->tokens.at[i + 1];
        if (!(t->lists & LIST_GIVEN) || s->tags[i][TAG_PERSON] < 0.7f || !shape_is_cased(t->shape) ||
            (next->shape != SHAPE_CAPITAL && next->shape != SHAPE_MIXED))
            continue;
        if (t->shape == SHAPE_UPPER || t->flags & TOKEN_POSSESSIVE || next->start != t->end + 1 || s->tags[i + 1][TAG_PERSON] > 0.7f ||
            next->lists & ~(uint32_t)LIST_SURNAME)
            continue;
        if (finds_add(&s->candidates, (Find){ t->start, next->end, .8f, TRACE_PERSON, FOUND_CUE }, error)) return error->status;
    }
    return OK;
}

/* Where a name whose particles begin at token i starts: with the given names, initials or title before it; −1 where nothing says that it is
 * one. */
static int64_t name_before(const Search *s, const char *text, int64_t i) {
    const Token *k = s->tokens.at;
    int64_t first = with_initials(s, text, i);
    while (first > 0 && k[first - 1].lists & LIST_GIVEN && shape_is_cased(k[first - 1].shape) && s->tags[first - 1][TAG_PERSON] > 0.5f)
        first = with_initials(s, text, first - 1);
    if (first < i) return first;
    int64_t title = i > 1 && k[i - 1].shape == SHAPE_MARK && text[k[i - 1].start] == '.' ? i - 2 : i - 1;
    return title >= 0 && k[title].lists & LIST_TITLE && shape_is_cased(k[title].shape) ? i : -1;
}

/* "Robert van der Berg", "R. de la Cruz", "Dr. von Arnim": one name, particles and all; "van der" needs nothing before it. */
static Status names_with_particles(Search *s, const char *text, Error *error) {
    Status status = OK;
    const Token *k = s->tokens.at;
    for (int64_t i = 0; i + 1 < s->tokens.count; i++) {
        if (!(k[i].lists & LIST_PARTICLE)) continue;
        int64_t last = i + 1;
        while (last < i + 3 && last + 1 < s->tokens.count && k[last].lists & LIST_PARTICLE_MORE) last++;
        bool dutch = k[i].end - k[i].start == 3 && !strncasecmp(text + k[i].start, "van", 3);
        bool ordinary = !dutch && (k[last].lists & (LIST_ORDINARY | LIST_SURNAME)) == LIST_ORDINARY; /* "von der Station" */
        if (!shape_is_cased(k[last].shape) || k[last].shape == SHAPE_INITIAL || ordinary) continue;
        int64_t first = name_before(s, text, i);
        if (first < 0 && !(dutch && last > i + 1)) continue;
        float sure = .98f; /* at least as sure as any part of it, so that it stays whole */
        first = first < 0 ? i : first;
        for (int64_t j = first; j <= last; j++)
            if (1 - s->tags[j][TAG_OTHER] > sure) sure = 1 - s->tags[j][TAG_OTHER];
        TRY(finds_add(&s->candidates, (Find){ k[first].start, k[last].end, sure, TRACE_PERSON, FOUND_CUE }, error));
    }
done:
    return status;
}

Status resolve_overlaps(Search *s, const char *text, size_t size, Error *error) {
    Status status = OK;
    doubt_small(s);
    doubt_terms(s, text);
    doubt_stop_words(&(Context){ s, text, size, &s->finder->lists, error });
    TRY(tagger_spans(s, text, error));
    TRY(names_again(s, text, error));
    TRY(names_onward(s, error));
    TRY(names_with_particles(s, text, error));
    TRY(streets_extend(&(Context){ s, text, size, &s->finder->lists, error }));
    TRY(choose(s, text, size, error));
done:
    return status;
}
