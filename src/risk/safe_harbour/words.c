/* What the words of a column's cells are known as: months, towns, counties; and words that no list knows, which may be anybody's name. */
#include <string.h>
#include "risk/safe_harbour/safe_harbour.h"

static const char *const county_words[] = { "county",    "parish",   "borough",   "township", "municipality",
                                            "landkreis", "gemeinde", "municipio", "commune",  "comune" };

static bool says_county(const Token *t) {
    for (size_t i = 0; i < sizeof county_words / sizeof *county_words; i++)
        if (t->hash == letters_hash(county_words[i], strlen(county_words[i]))) return true;
    return false;
}

/* A town, where its state or country may follow: Boston, MA. Sure where no word of it is anything else as well (Austin, Nice). */
static void see_town(WordsSeen *seen, const char *cell, const Tokens *tokens) {
    bool town = false, sure = false;
    for (int64_t i = 0; i < tokens->count; i++) {
        const Token *t = &tokens->at[i];
        if (!shape_is_word(t->shape)) continue;
        if (!(t->lists & (LIST_CITY | LIST_REGION | LIST_CODE))) return;
        if (!(t->lists & LIST_CITY)) continue;
        town = true;
        sure |= !(t->lists & (LIST_ORDINARY | LIST_GIVEN | LIST_SURNAME | LIST_REGION));
    }
    if (is_state(cell)) return;
    seen->towns += town;
    seen->sure_towns += sure;
}

void words_see(WordsSeen *seen, const char *cell, const Tokens *tokens) {
    bool county = false;
    int64_t words = 0, months = 0, people = 0, strange = 0, known = 0;
    for (int64_t i = 0; i < tokens->count; i++) {
        const Token *t = &tokens->at[i];
        if (!shape_is_word(t->shape)) continue;
        words++;
        county |= words > 1 || tokens->count > i + 1 ? says_county(t) : false;
        months += (t->lists & LIST_MONTH) != 0;
        people += (t->lists & (LIST_GIVEN | LIST_SURNAME)) != 0;
        strange += !t->lists && t->end - t->start >= 4;
        known += t->lists && t->end - t->start >= 4;
    }
    seen->months += words && months == words;
    seen->people += people > 0;
    seen->counties += county;
    seen->strange += strange && !known;
    see_town(seen, cell, tokens);
}

/* Called like something else that people write in words: drug, occupation. */
static bool called_otherwise(const Suspect *s) {
    const char *reason, *role = column_role(s->column, &s->profile, &reason);
    return role && (same_text(role, "keys") || same_text(role, "sensitive"));
}

void judge_words(Harbour *h, Suspect *s, const WordsSeen *seen, int64_t names) {
    int64_t distinct = s->codes.count;
    bool open = false;
    if (seen->months > 2 && seen->months * 5 >= distinct * 4) harbour_broken(h, DATES, s, "month names");
    if (s->settled) return;
    if (seen->sure_towns > 1 && seen->towns * 2 >= distinct) harbour_broken(h, AREAS, s, "towns");
    else if (seen->counties > 1 && seen->counties * 2 >= distinct) harbour_broken(h, AREAS, s, "county names");
    else if (seen->sure_towns || seen->counties || seen->towns * 2 >= distinct)
        harbour_untold(h, AREAS, s, "some of its values may be towns or counties: look at them");
    else open = true;
    if (!open || called_otherwise(s)) return;
    if (names * 2 < distinct) names = 0; /* by chance */
    if (names && seen->people * 2 < distinct) harbour_untold(h, AREAS, s, "names of people or of places that are in no list");
    if (names || seen->strange * 2 < distinct) return;
    harbour_untold(h, NAMES, s, "words that are in no list: --harmless if they name no person and no place");
    harbour_untold(h, AREAS, s, "words that are in no list: --harmless if they name no person and no place");
}
