/* What a column is called, in a few languages: a hint that counts only where its values could be what the name says. */
#include <ctype.h>
#include <string.h>
#include "risk/safe_harbour/safe_harbour.h"

/* sure: nobody calls anything else so. Otherwise the values must hardly repeat: `plan` may be one of three tariffs. */
static const struct {
    HarbourKind kind;
    bool sure;
    Concept concept;
    const char *words; /* besides */
} called[] = {
    { NAMES, true, CALLED_NAME, NULL },
    { NAMES, false, CALLED_WEAK_NAME, " relative contact guardian spouse mother father " },
    { PHONES, true, CALLED_PHONE, NULL },
    { FAXES, true, CALLED_FAX, NULL },
    { EMAILS, true, CALLED_EMAIL, NULL },
    { SOCIAL_SECURITY, true, CALLED_NATIONAL_ID, NULL },
    { RECORD_NUMBERS, true, CALLED_RECORD, " patientid patientnumber " },
    { PLAN_NUMBERS, true, CALLED_PLAN, " beneficiary memberid medicareid " },
    { PLAN_NUMBERS, false, CALLED_NOTHING, " insurance plan member policy medicare medicaid " },
    { ACCOUNTS, true, CALLED_ACCOUNT, NULL },
    { ACCOUNTS, false, CALLED_NOTHING, " card " },
    { LICENCES, true, CALLED_LICENCE, " passport " },
    { LICENCES, false, CALLED_NOTHING, " certificate permit " },
    { VEHICLES, true, CALLED_VEHICLE, NULL },
    { VEHICLES, false, CALLED_NOTHING, " vehicle car " },
    { DEVICES, true, CALLED_DEVICE, NULL },
    { DEVICES, false, CALLED_NOTHING, " device serial implant mac " },
    { URLS, false, CALLED_URL, " web " },
    { IP_ADDRESSES, true, CALLED_IP, NULL },
    { BIOMETRICS, false, CALLED_BIOMETRIC, " dna " },
    { PHOTOGRAPHS, false, CALLED_PHOTO, " face scan " },
};

static bool is_called(const Column *column, size_t i) {
    NameConcepts concepts;
    concepts_of_name(column->name, &concepts);
    for (int c = 0; c < concepts.count; c++)
        if (called[i].concept && concepts.at[c] == called[i].concept) return true;
    return called[i].words && name_has_word(column->name, called[i].words);
}

static bool hardly_repeats(const Profile *p) { return p->present > 0 && p->distinct * 2 > p->present; }

/* Whether there is one, not which: phone = yes. */
static bool yes_or_no(const Suspect *s) {
    static const char words[] = "|yes|no|y|n|true|false|t|f|0|1|2|none|";
    char number[33], word[40];
    for (int32_t c = 0; c < s->codes.count; c++) {
        const char *cell = column_cell(s->column, s->codes.first_row[c], number);
        size_t n = 0;
        word[n++] = '|';
        for (; cell && *cell && n < sizeof word - 2; cell++) word[n++] = (char)tolower((unsigned char)*cell);
        memcpy(word + n, "|", 2);
        if (!strstr(words, word)) return false;
    }
    return true;
}

/* The identifiers of employers are forbidden as those of the person are; how many work there does not help. */
static bool names_employers(const Suspect *s) {
    bool words = s->column->type == TEXT_TYPE || s->column->type == CATEGORY_TYPE;
    return words && !yes_or_no(s) &&
           name_has_word(s->column->name, " employer company firm workplace arbeitgeber firma empresa empleador employeur entreprise ");
}

void judge_name(Harbour *h, Suspect *s) {
    if (s->profile.distinct < 1) return;
    if (names_employers(s)) harbour_untold(h, NAMES, s, "names of employers are forbidden too: look at them");
    for (size_t i = 0; i < sizeof called / sizeof *called; i++) {
        if (!is_called(s->column, i)) continue;
        bool many = called[i].sure && s->profile.distinct > 10;
        if (s->column->type == REAL_TYPE || yes_or_no(s)) continue;
        if (!many && (!hardly_repeats(&s->profile) || (s->profile.distinct < 2 && !called[i].sure))) {
            if (called[i].sure) harbour_untold(h, called[i].kind, s, "its name says so, though its values are few: look at them");
            continue;
        }
        harbour_broken(h, called[i].kind, s, "its name says so, and its values are many");
        return;
    }
}
