/* What a column is called, in a few languages: a hint that counts only where its values could be what the name says. */
#include <ctype.h>
#include <string.h>
#include "risk/safe_harbour/safe_harbour.h"

/* sure: nobody calls anything else so. Otherwise the values must hardly repeat: `plan` may be one of three tariffs. */
static const struct {
    HarbourKind kind;
    bool sure;
    const char *words;
} called[] = {
    { NAMES, true,
      " surname forename firstname lastname fullname givenname maidenname nachname vorname apellido apellidos prenom nomdefamille " },
    { NAMES, false, " name names nickname initials nombre nom signature relative contact guardian spouse mother father " },
    { PHONES, true, " phone telephone tel mobile cellphone telefono telefon handy " },
    { FAXES, true, " fax telefax " },
    { EMAILS, true, " email mail mailaddress correo courriel " },
    { SOCIAL_SECURITY, true, " ssn socialsecurity nino nationalid dni nir bsn personnummer " },
    { RECORD_NUMBERS, true, " mrn medicalrecord recordnumber patientid patientnumber chartnumber " },
    { PLAN_NUMBERS, true, " beneficiary memberid policynumber insurancenumber medicareid medicaidid planid " },
    { PLAN_NUMBERS, false, " insurance plan member policy medicare medicaid " },
    { ACCOUNTS, true, " iban accountnumber creditcard cardnumber " },
    { ACCOUNTS, false, " account acct konto cuenta compte card " },
    { LICENCES, true, " licence license passport npi dea driverslicense certificatenumber " },
    { LICENCES, false, " certificate permit " },
    { VEHICLES, true, " vin licenseplate numberplate kennzeichen matricula " },
    { VEHICLES, false, " vehicle plate car " },
    { DEVICES, true, " imei udi serialnumber deviceid macaddress " },
    { DEVICES, false, " device serial implant mac " },
    { URLS, false, " url website web homepage link " },
    { IP_ADDRESSES, true, " ip ipaddress ipaddr " },
    { BIOMETRICS, false, " fingerprint fingerprints biometric biometrics retina iris voiceprint faceprint dna genome " },
    { PHOTOGRAPHS, false, " photo photograph image picture face foto bild scan " },
};

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
        if (!name_has_word(s->column->name, called[i].words)) continue;
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
