/* A result that judges, as the parts of a page. */
#include <string.h>
#include "base/elementary.h"
#include "report/verdict.h"
#include "render/human_numbers.h"

static const char *cell(Work *work, const Table *table, const char *column, int64_t row) {
    char number[33];
    const char *text = table_cell(table, column, row, number);
    return text == number ? arena_text(work->arena, text) : text;
}

static Status take_rules(Work *work, const Table *table, Report *out) {
    Status status = OK;
    ReportRule *rules = NULL;
    NEW(work, rules, table->rows + 1);
    for (int64_t i = 0; i < table->rows; i++)
        rules[i] = (ReportRule){ .rule = cell(work, table, "rule", i),
                                 .passed = same_text(cell(work, table, "met", i), "yes"),
                                 .seen = cell(work, table, "seen", i),
                                 .why = cell(work, table, "why", i),
                                 .words = cell(work, table, "words", i) };
    out->rule = rules;
    out->rules = table->rows;
done:
    return status;
}

/* What the roles do not fill, in one line: method (parameter), … */
static const char *unfilled(Work *work, const Table *skipped) {
    Buffer text = { 0 };
    for (int64_t i = 0; i < skipped->rows; i++) {
        const char *lacks = cell(work, skipped, "lacks", i);
        const char *before = text.count ? ", " : "Not run, since the roles do not give what they need: ";
        if (lacks) buffer_print(&text, "%s%s (%s)", before, cell(work, skipped, "method", i), lacks);
    }
    const char *line = text.count ? arena_text(work->arena, buffer_get(&text)) : NULL;
    buffer_free(&text);
    return line;
}

/* The result's own notes, then what was left out. */
static Status take_notes(Work *work, const Result *result, const Table *skipped, Report *out) {
    Status status = OK;
    const char **notes = NULL, *line = skipped ? unfilled(work, skipped) : NULL;
    NEW(work, notes, result->notes + (skipped ? skipped->rows : 0) + 2);
    for (int64_t i = 0; i < result->notes; i++) notes[out->notes++] = result->note[i];
    for (int64_t i = 0; skipped && i < skipped->rows; i++) {
        const char *why = cell(work, skipped, "why", i);
        if (why && !cell(work, skipped, "lacks", i))
            notes[out->notes++] = arena_print(work->arena, "Not run: %s: %s", cell(work, skipped, "method", i), why);
    }
    if (line) notes[out->notes++] = line;
    out->note = notes;
done:
    return status;
}

static Status take_files(Work *work, const Table *files, Report *out) {
    Status status = OK;
    const char **lines = NULL;
    NEW(work, lines, (files ? files->rows : 0) + 2);
    for (int64_t i = 0; files && i < files->rows; i++) {
        const char *hash = cell(work, files, "blake2b", i);
        lines[out->provenances++] =
            arena_print(work->arena, "%s: %s records, %s columns%s%s", cell(work, files, "file", i), cell(work, files, "rows", i),
                        cell(work, files, "columns", i), hash ? ", BLAKE2b " : "", hash ? hash : "");
    }
    lines[out->provenances++] = "scrim " SCRIM_VERSION;
    out->provenance = lines;
done:
    return status;
}

static Status take_lines(Work *work, const Table *table, Report *out) {
    Status status = OK;
    ReportLine *lines = NULL;
    NEW(work, lines, table->rows + 1);
    for (int64_t i = 0; i < table->rows; i++)
        lines[i] = (ReportLine){ .kind = cell(work, table, "kind", i),
                                 .what = cell(work, table, "what", i),
                                 .share = same_text(cell(work, table, "unit", i), "share"),
                                 .before = table_number(table, "before", i),
                                 .after = table_number(table, "after", i) };
    out->line = lines;
    out->lines = table->rows;
done:
    return status;
}

/* Two columns of words: what it cost, or the roles. */
static Status take_pairs(Work *work, const Table *table, const char *first, const char *second, const ReportPair **list, int64_t *count) {
    Status status = OK;
    ReportPair *pairs = NULL;
    NEW(work, pairs, (table ? table->rows : 0) + 1);
    for (*count = 0; table && *count < table->rows; ++*count)
        pairs[*count] = (ReportPair){ cell(work, table, first, *count), cell(work, table, second, *count) };
    *list = pairs;
done:
    return status;
}

/* Kind × measured, how bad, or not measured: a line for each kind. */
static Status take_kinds(Work *work, const Table *table, Report *out) {
    Status status = OK;
    ReportPair *list = NULL;
    NEW(work, list, table->rows + 1);
    for (int64_t i = 0; i < table->rows; i++) {
        const char *count = cell(work, table, "measured", i), *bad = cell(work, table, "how_bad", i),
                   *not = cell(work, table, "not_measured", i);
        bool one = count && !strcmp(count, "1");
        list[i] = (ReportPair){ cell(work, table, "kind", i),
                                arena_print(work->arena, "%s%s%s",
                                            !count || !strcmp(count, "0") ? "not measured"
                                                                          : arena_print(work->arena, "%s method%s: %s", count,
                                                                                        one ? "" : "s", bad ? bad : "no count of people"),
                                            not ? "; not measured: " : "", not ? not : "") };
    }
    out->kind = list;
    out->kinds = table->rows;
done:
    return status;
}

/* Each holder and coalition, an attack a line: how many, how many anyone would, and of whom. */
static Status take_holders(Work *work, const Table *table, Report *out) {
    Status status = OK;
    ReportPair *list = NULL;
    NEW(work, list, table->rows + 1);
    for (int64_t i = 0; i < table->rows; i++) {
        const char *of = cell(work, table, "of", i), *why = cell(work, table, "why", i);
        double learned = column_number(table_column(table, "learned"), i), before = column_number(table_column(table, "baseline"), i);
        char now[33], then[33];
        list[i] = (ReportPair){ cell(work, table, "who", i),
                                !isnan(learned)
                                    ? arena_print(work->arena, "%s %s by %s, %s without its own data%s%s", human_real(learned, 3, now),
                                                  cell(work, table, "unit", i), cell(work, table, "method", i), human_real(before, 3, then),
                                                  of ? "; most from " : "", of ? of : "")
                                    : arena_print(work->arena, "%s: not measured. %s", cell(work, table, "method", i), why ? why : "") };
    }
    out->holder = list;
    out->holders = table->rows;
done:
    return status;
}

static Status take_measures(Work *work, const Table *table, Report *out) {
    Status status = OK;
    ReportMeasure *list = NULL;
    NEW(work, list, table->rows + 1);
    for (int64_t i = 0; i < table->rows; i++)
        list[i] = (ReportMeasure){ cell(work, table, "kind", i),   cell(work, table, "measure", i), cell(work, table, "value", i),
                                   cell(work, table, "before", i), cell(work, table, "after", i),   cell(work, table, "change", i),
                                   cell(work, table, "meaning", i) };
    out->measure = list;
    out->measures = table->rows;
done:
    return status;
}

static Status take_records(Work *work, const Table *table, Report *out) {
    Status status = OK;
    ReportRecord *list = NULL;
    NEW(work, list, table->rows + 1);
    for (int64_t i = 0; i < table->rows; i++)
        list[i] = (ReportRecord){ (int64_t)table_number(table, "record", i), cell(work, table, "why", i) };
    out->record = list;
    out->records = table->rows;
done:
    return status;
}

/* Recommendations: for each violated rule, and each residual risk. */
static Status take_next(Work *work, const Result *result, Report *out) {
    Status status = OK;
    const char **next = NULL;
    const Result *within = result_within(result, "after"), *residual = result_within(within ? within : result, "risk.residual");
    const Table *table = residual ? result_find_table(residual, "residuals") : NULL;
    bool released = within || result_find(result, "residual_risks"); /* in an original they are no news */
    NEW(work, next, out->rules + (table ? table->rows : 0) + result->notes + 3);
    if (result->urgent) next[out->nexts++] = result->urgent; /* names and numbers come before every rule */
    for (int64_t i = 0; i < out->rules; i++)
        if (!out->rule[i].passed)
            next[out->nexts++] = arena_print(work->arena, out->rule[i].seen || !out->rule[i].why ? "%s. %s" : "%s: %s", out->rule[i].words,
                                             out->rule[i].why ? out->rule[i].why : "Read the notes of the measure.");
    for (int64_t i = 0; table && released && i < table->rows; i++) {
        const char *kind = cell(work, table, "kind", i), *step = cell(work, table, "recommendation", i),
                   *column = cell(work, table, "column", i);
        if (kind)
            next[out->nexts++] = arena_print(work->arena, "Residual risk%s%s: %s.%s%s", column ? " in " : "", column ? column : "", kind,
                                             step ? " Recommended step: " : "", step ? step : "");
    }
    if (out->level == VERDICT_BAD && same_text(result->method, "audit"))
        next[out->nexts++] = "`scrim plan` searches for the release that satisfies every rule with the least information loss.";
    out->next = next;
done:
    return status;
}

/* Every result within, in two groups: what belongs to the release, and the measures of the original. */
static Status take_results(Work *work, const Result *result, Report *out) {
    Status status = OK;
    NamedResult *list = NULL;
    int64_t count = 0;
    for (int64_t i = 0; i < result->results; i++) count += 1 + result->result[i].result->results;
    NEW(work, list, count + 1);
    for (int before = 0; before < 2; before++)
        for (int64_t i = 0; i < result->results; i++) {
            const NamedResult *outer = &result->result[i];
            const Result *in = outer->result;
            if (!strcmp(outer->name, "distributions")) {
                out->picture = (const Chart *const *)in->chart;
                out->pictures = in->charts;
                continue;
            }
            if (!strcmp(outer->name, "summary") || !strcmp(outer->name, "steps") || before != !strcmp(outer->name, "before")) continue;
            if (in->values || in->tables || in->charts) list[out->results++] = *outer;
            for (int64_t j = 0; j < in->results; j++) list[out->results++] = in->result[j];
            if (!before) out->current = out->results;
        }
    out->result = list;
    const Result *steps = result_within(result, "steps");
    out->step = steps ? steps->result : NULL;
    out->steps = steps ? steps->results : 0;
done:
    return status;
}

static const char *given(const Result *result, const char *name) {
    for (int64_t i = 0; i < result->params; i++)
        if (!strcmp(result->param[i].name, name) && !result->param[i].preset) return result->param[i].text;
    return NULL;
}

bool report_from(Work *work, const Result *result, bool brief, Report *out) {
    const Value *verdict = result_find(result, "verdict"), *broken = result_find(result, "rules_broken"),
                *title = result_find(result, "title");
    if (!verdict || verdict->kind != VALUE_TEXT) return false;
    *out = (Report){ .title = title && title->text ? title->text : result->method, .verdict = verdict->text };
    const Value *state = result_find(result, "state");
    const char *word = state ? state->text : NULL;
    out->judged = broken != NULL;
    out->level = same_text(word, "not ready") || (broken && broken->integer) ? VERDICT_BAD
                 : !broken || (word && !same_text(word, "ready"))            ? VERDICT_WARN
                                                                             : VERDICT_GOOD;
    out->author = given(result, "author");
    out->date = given(result, "date");
    out->brief = brief && !given(result, "all");
    out->public = !result->params;
    out->chart = (const Chart *const *)result->chart;
    out->charts = result->charts;
    const Table *rules = result_find_table(result, "rules"), *lines = result_find_table(result, "exposure"),
                *measures = result_find_table(result, "measures");
    const Table *records = result_find_table(result, "riskiest"), *kinds = result_find_table(result, "kinds");
    const Table *holders = result_find_table(result, "holders");
    if (kinds && take_kinds(work, kinds, out)) return false;
    if (holders && take_holders(work, holders, out)) return false;
    if (records && take_records(work, records, out)) return false;
    if (rules && take_rules(work, rules, out)) return false;
    if (lines && take_lines(work, lines, out)) return false;
    if (measures && take_measures(work, measures, out)) return false;
    return !take_pairs(work, result_find_table(result, "costs"), "what", "how_much", &out->cost, &out->costs) &&
           !take_pairs(work, result_find_table(result, "roles"), "role", "columns", &out->role, &out->roles) &&
           !take_next(work, result, out) && !take_notes(work, result, result_find_table(result, "skipped"), out) &&
           !take_files(work, result_find_table(result, "files"), out) && !take_results(work, result, out);
}
