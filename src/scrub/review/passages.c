/* Passages of the notes: lines and sentences, the errors to expect in each, and the draw of those to ask about. */
#include "base/elementary.h"
#include "base/random.h"
#include "prose/tagger_train.h"
#include "scrub/review/review.h"

enum { LONG_PASSAGE = 400, SHORT_PASSAGE = 100 };
/* Errors that no detector suspects, by what a token looks like; a false find weighs less than a missed identifier. */
static const double DIGITS = 0.01, CAPITAL = 0.003, OTHER = 0.0005, FALSE_FIND = 0.25;

static bool within_find(const Finds *finds, uint32_t at) {
    for (int64_t f = 0; f < finds->count; f++)
        if (finds->at[f].start < at && at < finds->at[f].end) return true;
    return false;
}

/* A sentence ends at `at`, or a word does. */
static bool cuts(const char *text, uint32_t at, bool sentence) {
    bool blank = text[at - 1] == ' ' || text[at - 1] == '\t';
    return blank && (!sentence || (at >= 2 && (text[at - 2] == '.' || text[at - 2] == ';' || text[at - 2] == '?' || text[at - 2] == '!')));
}

/* Where the passage that begins at `start` ends: with its line, or where that is long, with a sentence or word of it. Never in a find. */
static uint32_t passage_end(const SiteNote *note, const Finds *finds, uint32_t start) {
    uint32_t line = start, size = (uint32_t)note->size;
    while (line < size && (note->text[line] != '\n' || within_find(finds, line))) line++;
    if (line - start <= LONG_PASSAGE) return line;
    for (int words = 0; words < 2; words++)
        for (uint32_t at = start + LONG_PASSAGE; at > start + SHORT_PASSAGE; at--)
            if (cuts(note->text, at, !words) && !within_find(finds, at)) return at;
    return line;
}

static bool reviewed_already(const SiteNote *note, uint32_t start, uint32_t end) {
    for (int64_t p = 0; p < note->parts; p++)
        if (note->part[p].start < end && start < note->part[p].end) return true;
    return false;
}

static const Find *find_over(const Finds *finds, const Token *token) {
    for (int64_t f = 0; f < finds->count; f++)
        if (finds->at[f].start < token->end && token->start < finds->at[f].end) return &finds->at[f];
    return NULL;
}

static double token_doubt(const Search *search, int64_t i) {
    const Token *token = &search->tokens.at[i];
    if (token->shape >= SHAPE_MARK || find_over(&search->finds, token)) return 0;
    bool digits = shape_is_number(token->shape) || token->shape == SHAPE_ALNUM;
    double doubt = 1 - (double)search->tags[i][TAG_OTHER] + (digits ? DIGITS : shape_is_cased(token->shape) ? CAPITAL : OTHER);
    const Find *miss = find_over(&search->misses, token);
    return miss && (double)miss->confidence > doubt ? (double)miss->confidence : doubt;
}

static double passage_doubt(const Search *search, int64_t *token, uint32_t start, uint32_t end) {
    double doubt = 0;
    while (*token < search->tokens.count && search->tokens.at[*token].start < start) ++*token;
    for (; *token < search->tokens.count && search->tokens.at[*token].start < end; ++*token) doubt += token_doubt(search, *token);
    for (int64_t f = 0; f < search->finds.count; f++)
        if (search->finds.at[f].start >= start && search->finds.at[f].start < end)
            doubt += FALSE_FIND * (1 - (double)search->finds.at[f].confidence);
    return doubt;
}

static bool has_words(const SiteNote *note, uint32_t start, uint32_t end) {
    for (uint32_t i = start; i < end; i++) {
        unsigned char c = (unsigned char)note->text[i];
        if (c >= 0x80 || (c >= '0' && c <= '9') || ((c | 32u) >= 'a' && (c | 32u) <= 'z')) return true;
    }
    return false;
}

static Status cut_note(Review *r, const Search *search, int64_t n) {
    Status status = OK;
    const SiteNote *note = &r->training.note[n];
    int64_t token = 0;
    for (uint32_t at = 0, end; at<note->size; at = end> at ? end : at + 1) {
        while (at < note->size && (note->text[at] == '\n' || note->text[at] == ' ' || note->text[at] == '\r' || note->text[at] == '\t'))
            at++;
        end = passage_end(note, &search->finds, at);
        if (!has_words(note, at, end) || reviewed_already(note, at, end)) continue;
        GROW(&r->run->work, r->passage, r->room, r->passages + 1);
        r->passage[r->passages++] = (Passage){ .note = n, .start = at, .end = end, .doubt = passage_doubt(search, &token, at, end) };
    }
done:
    return status;
}

/* Chances in proportion to the root of the errors expected, the best for an estimate of their number (Neyman 1934), at most 1. */
static void set_chances(Review *r, int64_t wanted) {
    double sum = 0, left = (double)wanted;
    int64_t sure = -1, before = -2;
    for (int64_t i = 0; i < r->passages; i++) r->passage[i].chance = sqrt(r->passage[i].doubt);
    while (sure != before) { /* each turn makes at least one passage certain, or ends */
        before = sure;
        sum = 0;
        sure = 0;
        for (int64_t i = 0; i < r->passages; i++) {
            if (r->passage[i].asked) sure++;
            else sum += r->passage[i].chance;
        }
        left = (double)(wanted - sure);
        for (int64_t i = 0; i < r->passages; i++)
            if (!r->passage[i].asked && r->passage[i].chance * left >= sum) r->passage[i].asked = true;
        for (int64_t i = sure = 0; i < r->passages; i++) sure += r->passage[i].asked;
    }
    for (int64_t i = 0; i < r->passages; i++) r->passage[i].chance = r->passage[i].asked ? 1 : r->passage[i].chance * left / sum;
}

/* Systematic, in random order: as many as wanted, each with its chance (Madow 1949). */
static Status draw(Review *r, int64_t wanted) {
    Status status = OK;
    int64_t *order = NULL;
    uint64_t word;
    RandomStream shuffled = stream_make(&r->run->session->seed, "scrub.review", r->round, NULL, "order"),
                 started = stream_make(&r->run->session->seed, "scrub.review", r->round, NULL, "start");
    NEW(&r->run->work, order, r->passages + 1);
    TRY(stream_permutation(&r->run->work, &shuffled, r->passages, order));
    stream_words(&started, 0, 1, &word);
    set_chances(r, wanted);
    double next = word_uniform(word), sum = 0;
    for (int64_t i = 0; i < r->passages; i++) {
        Passage *p = &r->passage[order[i]];
        if (p->asked) continue;
        sum += p->chance;
        if (sum <= next) continue;
        p->asked = true;
        next += 1;
    }
    for (int64_t i = 0; i < r->passages; i++) r->asked += r->passage[i].asked;
done:
    return status;
}

Status review_draw(Review *r) {
    Status status = OK;
    Search search = { 0 };
    Training *t = &r->training;
    TRY(search_open(&t->finder, &search, r->run->work.error));
    for (int64_t n = 0; n < t->notes; n++) {
        TRY(search_text(&search, t->note[n].text, t->note[n].size, NULL, r->run->work.error));
        TRY(cut_note(r, &search, n));
    }
    if (r->passages <= r->a->questions) {
        for (int64_t i = 0; i < r->passages; i++) {
            r->passage[i].asked = true;
            r->passage[i].chance = 1;
        }
        r->asked = r->passages;
    } else TRY(draw(r, r->a->questions));
    result_integer(r->run->result, "passages", r->passages);
    result_integer(r->run->result, "questions", r->asked);
done:
    search_close(&search);
    return status;
}
