/* HIPAA's safe harbour, 45 CFR 164.514(b)(2)(i): its eighteen kinds of identifiers, each held, broken, or not to be told from the data.
 *
 * Every column goes past six judges: its place (areas.c), its dates (dates.c), its name (names.c), the form of its values (forms.c),
 * what is found in them (values.c), and last whether
 * it is a code that hardly repeats, whatever it is called. A kind's value is the number of columns that have it; where a column leaves it
 * open, the value is null, which no rule takes for 0. */
#include "risk/safe_harbour/safe_harbour.h"
#include <string.h>
#include "table/column_cache.h"

static const Param params[] = {
    TABLE(HarbourArgs, data, "Table to examine", .flags = REQUIRED | POSITIONAL),
    COLUMNS(HarbourArgs, geography, data, "Geographic columns, in addition to those recognised by name"),
    COLUMNS(HarbourArgs, state_level, data, "Columns of areas at least as large as a state, as the data custodian declares"),
    TABLE(HarbourArgs, population,
          "Population by area: a column named like the table's own, and one called people; without that, each row is a person"),
    COLUMNS(HarbourArgs, codes, data,
            "Codes that 164.514(c) allows, as the data custodian declares: not derived from the person, and their key is not disclosed"),
    COLUMNS(HarbourArgs, harmless, data,
            "Columns that hold none of the eighteen kinds, as the data custodian declares. They are not examined"),
    COLUMN(HarbourArgs, age, data, "Columns of ages in years, in addition to those recognised by name"),
    INT(HarbourArgs, oldest, 89, 0, 200, "Largest age that may be released"),
    END,
};

#define KIND_VALUE(name, help) VALUE(name, INTEGER, help, .flags = PUBLIC | LESS)
static const Return values[] = {
    KIND_VALUE(names, "(A) Columns of names"),
    KIND_VALUE(areas, "(B) Columns of areas smaller than a state"),
    KIND_VALUE(dates, "(C) Columns of dates finer than a year, or of ages above --oldest"),
    KIND_VALUE(phones, "(D) Columns of telephone numbers"),
    KIND_VALUE(faxes, "(E) Columns of fax numbers"),
    KIND_VALUE(emails, "(F) Columns of e-mail addresses"),
    KIND_VALUE(social_security, "(G) Columns of social security numbers"),
    KIND_VALUE(record_numbers, "(H) Columns of medical record numbers"),
    KIND_VALUE(plan_numbers, "(I) Columns of health plan beneficiary numbers"),
    KIND_VALUE(accounts, "(J) Columns of account numbers"),
    KIND_VALUE(licences, "(K) Columns of certificate and licence numbers"),
    KIND_VALUE(vehicles, "(L) Columns of vehicle identifiers and plates"),
    KIND_VALUE(devices, "(M) Columns of device identifiers and serial numbers"),
    KIND_VALUE(urls, "(N) Columns of web addresses"),
    KIND_VALUE(ip_addresses, "(O) Columns of IP addresses"),
    KIND_VALUE(biometrics, "(P) Columns of biometric identifiers"),
    KIND_VALUE(photographs, "(Q) Columns of pictures"),
    KIND_VALUE(other_codes, "(R) Columns of any other number or code that names one person"),
    VALUE(held, INTEGER, "Kinds of which nothing was found", .flags = PUBLIC | MORE),
    VALUE(broken, INTEGER, "Kinds that are in the table. 0 = no violation found", .flags = PUBLIC | LESS),
    VALUE(untold, INTEGER, "Kinds that cannot be decided from the data", .flags = PUBLIC | LESS),
    TABLE_OUT(kinds, "kind:text status:text column:text why:text", "Findings and open questions by column"),
    END,
};

static const char *const letters[KINDS] = {
    "(A) names",
    "(B) areas below a state",
    "(C) dates and high ages",
    "(D) telephone numbers",
    "(E) fax numbers",
    "(F) e-mail",
    "(G) social security",
    "(H) medical records",
    "(I) health plans",
    "(J) accounts",
    "(K) licences",
    "(L) vehicles",
    "(M) devices",
    "(N) web addresses",
    "(O) IP addresses",
    "(P) biometrics",
    "(Q) photographs",
    "(R) other codes",
};

static void say(Harbour *h, HarbourKind kind, const char *status, const char *column, const char *why) {
    grid_text(h->grid, letters[kind]);
    grid_text(h->grid, status);
    grid_text(h->grid, column);
    grid_text(h->grid, why);
}

void harbour_broken(Harbour *h, HarbourKind kind, Suspect *s, const char *why) {
    h->seen[kind].broken++;
    s->settled = true;
    say(h, kind, "found", s->column->name, why);
}

void harbour_untold(Harbour *h, HarbourKind kind, const Suspect *s, const char *why) {
    if (!h->seen[kind].untold++) {
        h->seen[kind].why = arena_print(h->work->arena, "Cannot be decided from the data: %s (column %s).", why, s->column->name);
        if (!h->seen[kind].why) h->seen[kind].why = "Cannot be decided from the data.";
    }
    if (!s->prose) say(h, kind, "undecided", s->column->name, why); /* eighteen lines a column of free text would hide the rest */
}

/* Kinds of their own, which judge_name has judged. */
static bool is_by_name(Concept concept) { return concept >= CALLED_NAME && concept <= CALLED_PHOTO && concept != CALLED_COORDINATES; }

/* A value that hardly repeats is a name for its record, whatever its column is called. */
static void judge_uniqueness(Harbour *h, Suspect *s) {
    RoleGuess guess;
    column_guess(s->column, &s->profile, &guess);
    if (s->settled || !guess.role || is_by_name(guess.concept)) return;
    bool person = same_text(guess.role, "person") && !(s->column->about && s->column->about->pseudonym);
    if (person || same_text(guess.role, "identifiers")) harbour_broken(h, OTHER_CODES, s, guess.reason);
    else if (same_text(guess.role, "household"))
        harbour_untold(h, OTHER_CODES, s, "numbers of households: --codes where 164.514(c) allows them");
}

/* On the data custodian's statement. */
static bool left_out(const HarbourArgs *a, const Column *column) { return is_among(a->codes, column) || is_among(a->harmless, column); }

static Status judge_column(Harbour *h, const Column *column) {
    Status status = OK;
    Suspect s = { .column = column };
    Work own = *h->work;
    if (left_out(h->a, column)) return OK;
    own.memo = cache_borrow(h->work->memo); /* codes of one column at a time */
    TRY(column_codes(&own, column, &s.codes));
    TRY(column_profile(&own, column, &s.profile));
    s.prose = column_is_prose(column, &s.profile);
    if (s.prose) say(h, NAMES, "undecided", column->name, "free text, which may contain all other kinds");
    if (!s.prose) {
        TRY(judge_area(h, &s));
        if (!s.settled) judge_dates(h, &s);
        if (!s.settled) judge_name(h, &s);
        if (!s.settled) judge_forms(h, &s);
    }
    if (!s.settled) TRY(judge_values(h, &s));
    judge_uniqueness(h, &s);
done:
    codes_drop(&own, column, &s.codes);
    cache_free(own.memo);
    return status;
}

static void report(Harbour *h) {
    int64_t held = 0, broken = 0, untold = 0;
    for (int k = 0; k < KINDS; k++) {
        const Seen *seen = &h->seen[k];
        if (seen->broken || !seen->untold) result_integer(h->run->result, values[k].name, seen->broken);
        else result_null(h->run->result, values[k].name, "%s", seen->why);
        if (seen->broken) broken++;
        else if (seen->untold) untold++;
        else held++;
    }
    result_integer(h->run->result, "held", held);
    result_integer(h->run->result, "broken", broken);
    result_integer(h->run->result, "untold", untold);
}

static Status safe_harbour_run(Run *run, const void *p) {
    Status status = OK;
    const HarbourArgs *a = p;
    Harbour h = { .run = run, .work = &run->work, .a = a };
    h.grid = grid_new(run->result, "kinds", "kind:text status:text column:text why:text");
    TRY(finder_open(h.work, LANGUAGE_ANY, NULL, 0, &h.finder));
    TRY(search_open(&h.finder, &h.search, h.work->error));
    for (int64_t j = 0; j < a->data->columns; j++) TRY(judge_column(&h, a->data->column[j]));
    report(&h);
    grid_done(h.grid);
    result_note(run->result, "Nothing of the kind was found in column names and values. The data custodian's actual knowledge "
                             "(164.514(b)(2)(ii)) is not in the table.");
    if (a->state_level.count || a->codes.count || a->harmless.count)
        result_note(run->result,
                    "Some columns were excluded because of the data custodian's declaration: --state-level, --codes and --harmless.");
done:
    search_close(&h.search);
    finder_close(&h.finder);
    return status;
}

/* Searching is about 30 ns a byte of distinct text; 20 bytes a cell. */
static double cost(const void *p) {
    const HarbourArgs *a = p;
    return 0.02 + 6e-7 * (double)a->data->rows * (double)a->data->columns;
}

const Method risk_safe_harbour = {
    .group = "risk",
    .name = "safe-harbour",
    .summary = "HIPAA safe harbour: check a table for the eighteen kinds of identifiers",
    .source = "45 CFR 164.514(b)(2)(i)",
    .params = params,
    .size = sizeof(HarbourArgs),
    .traits = IDENTITY,
    .run = safe_harbour_run,
    .values = values,
    .headline = "held",
    .cost = cost,
    .example = "scrim risk safe-harbour examples/clinic.csv",
};
