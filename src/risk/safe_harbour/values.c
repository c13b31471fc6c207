/* What a column's cells look like: every distinct one is searched as scrub searches text. */
#include <ctype.h>
#include <string.h>
#include "base/number_text.h"
#include "risk/safe_harbour/safe_harbour.h"

/* scrub's kinds are finer than the law's, and a few are none of its business. */
static int kind_of(unsigned trace) {
    static const int8_t kinds[TRACES] = {
        [TRACE_PERSON] = NAMES,
        [TRACE_ADDRESS] = AREAS,
        [TRACE_PLACE] = -1,
        [TRACE_REGION] = -1,
        [TRACE_ZIP] = -1,
        [TRACE_DATE] = DATES,
        [TRACE_AGE] = DATES,
        [TRACE_PHONE] = PHONES,
        [TRACE_FAX] = FAXES,
        [TRACE_EMAIL] = EMAILS,
        [TRACE_SSN] = SOCIAL_SECURITY,
        [TRACE_NATIONAL_ID] = OTHER_CODES,
        [TRACE_RECORD] = RECORD_NUMBERS,
        [TRACE_PLAN] = PLAN_NUMBERS,
        [TRACE_ACCOUNT] = ACCOUNTS,
        [TRACE_LICENCE] = LICENCES,
        [TRACE_VEHICLE] = VEHICLES,
        [TRACE_DEVICE] = DEVICES,
        [TRACE_BIOMETRIC] = BIOMETRICS,
        [TRACE_CARD] = ACCOUNTS,
        [TRACE_IBAN] = ACCOUNTS,
        [TRACE_IP] = IP_ADDRESSES,
        [TRACE_MAC] = DEVICES,
        [TRACE_URL] = URLS,
        [TRACE_ID] = OTHER_CODES,
        [TRACE_ORGANISATION] = -1,
    };
    return trace < TRACES ? kinds[trace] : -1;
}

/* In running text places count too: a town named in a note is an area below a state. */
static int kind_in_prose(unsigned trace) { return trace == TRACE_PLACE || trace == TRACE_ZIP ? AREAS : kind_of(trace); }

/* A file of a picture, or one by its address. */
static bool is_picture(const char *cell) {
    static const char *const ends[] = { ".jpg", ".jpeg", ".png", ".gif", ".bmp", ".tif", ".tiff", ".webp", ".dcm", ".heic" };
    size_t size = strlen(cell);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        size_t n = strlen(ends[i]), same = 0;
        if (size <= n) continue;
        while (same < n && tolower((unsigned char)cell[size - n + same]) == ends[i][same]) same++;
        if (same == n) return true;
    }
    return !strncmp(cell, "data:image/", 11);
}

/* A cell of a code column counts where the find is most of it: in "R51.9 (10)" nothing is. Bare years are no date. */
static bool fills(const Find *find, size_t size) {
    size_t length = find->end - find->start;
    if (find->kind == TRACE_DATE && length <= 4) return false;
    return length * 10 >= size * (find->kind == TRACE_PERSON ? 5 : 7); /* Dr. Smith */
}

/* Somebody wrote a note into one cell of a column of codes. */
static bool is_note(const char *cell) {
    int spaces = 0;
    for (; *cell; cell++) spaces += *cell == ' ';
    return spaces >= 2;
}

/* Distinct cells in which each kind was found: as the whole cell, and in the text of notes among codes. */
typedef struct Found {
    int64_t whole[KINDS], noted[KINDS];
    WordsSeen words;
} Found;

static Status count_finds(Harbour *h, const Suspect *s, Found *found) {
    Status status = OK;
    char number[33];
    *found = (Found){ 0 };
    for (int32_t c = 0; c < s->codes.count; c++) {
        const char *cell = column_cell(s->column, s->codes.first_row[c], number);
        bool here[KINDS] = { false }, note[KINDS] = { false };
        if (!cell) continue;
        size_t size = strlen(cell);
        if (c % 1024 == 0) TRY(work_check(h->work));
        TRY(search_text(&h->search, cell, size, NULL, h->work->error));
        for (int64_t f = 0; f < h->search.finds.count; f++) {
            const Find *find = &h->search.finds.at[f];
            int kind = s->prose ? kind_in_prose(find->kind) : fills(find, size) ? kind_of(find->kind) : -1;
            int within = !s->prose && is_note(cell) ? kind_in_prose(find->kind) : -1;
            if (kind >= 0) here[kind] = true;
            if (within >= 0) note[within] = true;
        }
        here[PHOTOGRAPHS] |= is_picture(cell);
        words_see(&found->words, cell, &h->search.tokens);
        for (int k = 0; k < KINDS; k++) {
            found->whole[k] += here[k];
            found->noted[k] += note[k] && !here[k];
        }
    }
done:
    return status;
}

/* Names and dates are guessed from lists and forms that codes share, so most cells must be one; what has a form of its own counts from a
 * fifth on; fewer are worth a look. */
static void judge_codes(Harbour *h, Suspect *s, const Found *in) {
    const int64_t *found = in->whole;
    int64_t distinct = s->codes.count;
    for (int k = 0; k < KINDS; k++) {
        bool vague = k == NAMES || k == OTHER_CODES || k == RECORD_NUMBERS || k == PLAN_NUMBERS || k == LICENCES || k == VEHICLES;
        if (in->noted[k]) harbour_untold(h, (HarbourKind)k, s, "found in the text of some cells: look at them");
        if (!found[k]) continue;
        if (found[k] * (vague ? 2 : 5) >= distinct && (!vague || distinct >= 5))
            harbour_broken(h, (HarbourKind)k, s, "its values look like it");
        else if (!vague || (distinct < 5 && found[k] * 2 >= distinct))
            harbour_untold(h, (HarbourKind)k, s, "some of its values look like it: look at them");
    }
}

/* Whole numbers of nine digits and more, all as long, that hardly repeat: some register's. */
static bool long_numbers(const Suspect *s) {
    char text[33];
    int64_t longest = 0, shortest = 99;
    if (s->column->type != INTEGER_TYPE || s->profile.present < 10 || s->profile.distinct * 2 < s->profile.present) return false;
    for (int32_t c = 0; c < s->codes.count; c++) {
        const char *cell = column_cell(s->column, s->codes.first_row[c], text);
        int64_t length = cell ? (int64_t)strlen(cell) : 0;
        if (length > longest) longest = length;
        if (length < shortest) shortest = length;
    }
    return shortest >= 9 && longest - shortest <= 1;
}

Status judge_values(Harbour *h, Suspect *s) {
    Status status = OK;
    Found found;
    if (long_numbers(s) && !s->settled) harbour_broken(h, OTHER_CODES, s, "long numbers that hardly repeat");
    if (s->column->type != TEXT_TYPE && s->column->type != CATEGORY_TYPE) return OK;
    TRY(count_finds(h, s, &found));
    if (!s->prose) {
        judge_words(h, s, &found.words, found.whole[NAMES]);
        if (!s->settled) judge_codes(h, s, &found);
        return OK;
    }
    for (int k = 0; k < KINDS; k++) {
        if (found.whole[k]) harbour_broken(h, (HarbourKind)k, s, "found in its text");
        else harbour_untold(h, (HarbourKind)k, s, "free text, whose content cannot be decided");
    }
    s->settled = true;
done:
    return status;
}
