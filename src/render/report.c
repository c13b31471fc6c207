/* A report: one page that a person signs, then how it was made and measured, then every detail, folded. */
#include <string.h>
#include "base/elementary.h"
#include "base/escape.h"
#include "base/number_text.h"
#include "render/chart/plot.h"
#include "render/html.h"
#include "render/human_numbers.h"

enum { PICTURE = 440 };
static const char *const level_class[] = { "good", "warn", "bad" };

/* ---- the first page ---- */

static void verdict(const Report *report, Buffer *out) {
    static const char *const words[] = { "✓ Ready", "! Rules satisfied, but a risk remains", "✗ Not ready" };
    const char *word = report->level == VERDICT_WARN && !report->judged ? "! Not judged" : words[report->level];
    buffer_print(out, "<p class=\"verdict %s\"><b>%s</b><span>", level_class[report->level], word);
    static const char *const said[] = { "Ready: ", "Not ready: " }; /* the label has it */
    const char *text = report->verdict;
    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        if (!strncmp(text, said[i], strlen(said[i]))) text += strlen(said[i]);
    if (text != report->verdict && *text >= 'a' && *text <= 'z') buffer_char(out, (char)(*text++ - 'a' + 'A'));
    xml_text(out, text);
    buffer_text(out, "</span></p>\n");
}

static void put_amount(const ReportLine *line, double value, Buffer *out) {
    char number[33];
    if (isnan(value)) buffer_text(out, "<span class=\"missing\">–</span>");
    else human_grouped(out, human_amount((line->share ? 100 : 1) * value, number), GROUP_DIGITS);
}

static bool any_before(const Report *report) {
    for (int64_t i = 0; i < report->lines; i++)
        if (!isnan(report->line[i].before)) return true;
    return false;
}

static bool is_higher(const ReportLine *line) { return line->after > line->before; } /* false where one was not measured */

static const char *change_class(const ReportLine *line) {
    if (isnan(line->before) || isnan(line->after)) return "number";
    return is_higher(line) ? "number bad" : line->after <= line->before / 2 ? "number good" : "number"; /* a little less is no news */
}

static const char *risk_title(const char *kind) {
    return !strcmp(kind, "identity")      ? "Identity disclosure: a record is linked to the person to whom it belongs"
           : !strcmp(kind, "attribute")   ? "Attribute disclosure: a sensitive value of a person becomes known"
           : !strcmp(kind, "inferential") ? "Inferential disclosure: a sensitive value becomes easier to guess"
                                          : "Disclosure by comparison with the whole population";
}

static void exposure(const Report *report, Buffer *out) {
    bool before = any_before(report);
    const char *last = NULL;
    if (!report->lines) return;
    html_element(out, "h2", NULL, "People at risk");
    html_element(out, "p", "quiet",
                 before ? "Number of people, unless a line says otherwise. Before: the original file. After: the release."
                        : "Number of people, unless a line says otherwise.");
    buffer_text(out,
                "<div class=\"whole\" role=\"region\" tabindex=\"0\" aria-label=\"Who is at risk\"><table class=\"risks\"><thead><tr><th "
                "scope=\"col\">People</th>");
    buffer_text(out, before ? "<th scope=\"col\" class=\"number\">Before</th><th scope=\"col\" class=\"number\">After</th>"
                            : "<th scope=\"col\" class=\"number\">Now</th>");
    buffer_text(out, "</tr></thead>");
    for (int64_t i = 0; i < report->lines; i++) {
        const ReportLine *line = &report->line[i];
        if (!last || strcmp(last, line->kind))
            buffer_print(out, "%s<tbody>\n<tr><th scope=\"rowgroup\" colspan=\"%d\">%s</th></tr>\n", last ? "</tbody>" : "", before ? 3 : 2,
                         risk_title(line->kind));
        last = line->kind;
        buffer_text(out, "<tr><td>");
        xml_text(out, line->what);
        if (before) {
            buffer_text(out, "</td><td class=\"number\">");
            put_amount(line, line->before, out);
        }
        buffer_print(out, "</td><td class=\"%s\">", change_class(line));
        if (is_higher(line)) buffer_text(out, "↑ ");
        put_amount(line, line->after, out);
        buffer_text(out, "</td></tr>\n");
    }
    buffer_text(out, "</tbody></table></div>\n");
}

static void pairs(const char *title, const ReportPair *pair, int64_t count, Buffer *out) {
    if (!count) return;
    if (title) html_element(out, "h2", NULL, title);
    buffer_text(out, "<dl>\n");
    for (int64_t i = 0; i < count; i++) {
        buffer_text(out, "<div>");
        html_element(out, "dt", NULL, pair[i].what);
        html_element(out, "dd", NULL, pair[i].text);
        buffer_text(out, "</div>");
    }
    buffer_text(out, "</dl>\n");
}

static void pictures(const Chart *const *chart, int64_t charts, Buffer *out) {
    if (!charts) return;
    buffer_text(out, "<div class=\"pictures\">\n");
    for (int64_t i = 0; i < charts; i++) {
        int height = chart_height(chart[i], PICTURE);
        buffer_text(out, "<figure>");
        chart_svg(chart[i], PICTURE, height < 300 ? 300 : height, false, out);
        buffer_text(out, "</figure>\n");
    }
    buffer_text(out, "</div>\n");
}

static void rules(const Report *report, Buffer *out) {
    if (!report->rules) return;
    html_element(out, "h2", NULL, "The policy's rules");
    buffer_text(out, "<div class=\"whole\" role=\"region\" tabindex=\"0\" aria-label=\"Rules\"><table><thead><tr><th "
                     "scope=\"col\">Rule</th><th scope=\"col\">Verdict</th></tr></thead><tbody>\n");
    for (int64_t i = 0; i < report->rules; i++) {
        const ReportRule *rule = &report->rule[i];
        buffer_text(out, "<tr><td>");
        if (rule->words) {
            xml_text(out, rule->words);
            buffer_text(out, ". ");
        }
        buffer_text(out, "<code>");
        xml_text(out, rule->rule);
        buffer_text(out, "</code>");
        if (!rule->words) {
            buffer_text(out, rule->seen ? ", observed: " : ", not computed");
            if (rule->seen) xml_text(out, rule->seen);
        }
        buffer_print(out, "</td><td class=\"%s\">%s</td></tr>\n", rule->passed ? "good" : "bad",
                     rule->passed ? "✓ satisfied" : "✗ violated");
    }
    buffer_text(out, "</tbody></table></div>\n");
}

static void next(const Report *report, Buffer *out) {
    html_element(out, "h2", NULL, "Recommendations");
    if (report->nexts) html_notes(out, report->next, report->nexts);
    else
        html_element(
            out, "p", NULL,
            report->level == VERDICT_GOOD
                ? "None: all rules are satisfied, and no residual risk was found. This holds for intruders who know the columns that were "
                  "named as keys or numbers. Whether the data are anonymous in law is for the data custodian to decide."
            : report->judged ? "Review the measures below."
                             : "Give a policy, so that the table can be judged.");
    for (int64_t i = 0; i < report->lines; i++)
        if (is_higher(&report->line[i])) {
            html_element(out, "p", NULL,
                         "A number marked ↑ under People at risk is higher in the release than in the original file. Decide whether it is "
                         "acceptable.");
            break;
        }
}

static void sign_line(const char *who, const char *name, const char *date, Buffer *out) {
    buffer_text(out, "<tr>");
    html_element(out, "th", NULL, who);
    html_element(out, "td", NULL, name ? name : "");
    html_element(out, "td", NULL, date ? date : "");
    buffer_text(out, "<td></td></tr>\n");
}

static void sign_off(const Report *report, Buffer *out) {
    html_element(out, "h2", NULL, "Sign-off");
    buffer_text(out, "<table class=\"sign\"><thead><tr><td></td><th scope=\"col\">Name</th><th scope=\"col\">Date</th><th "
                     "scope=\"col\">Signature</th></tr></thead><tbody>\n");
    sign_line("Prepared by", report->author, report->date, out);
    sign_line("Reviewed by", NULL, NULL, out);
    sign_line("Release approved by", NULL, NULL, out);
    buffer_text(out, "</tbody></table>\n<div class=\"provenance\">\n");
    for (int64_t i = 0; i < report->provenances; i++) html_element(out, "p", NULL, report->provenance[i]);
    buffer_text(out, "</div>\n");
}

/* ---- how it was made ---- */

static void put_given(const Result *step, Buffer *out) {
    for (int64_t i = 0; i < step->params; i++) {
        const Given *given = &step->param[i];
        if (given->preset || given->role || given->handle || given->secret || !strcmp(given->name, "original")) continue;
        buffer_char(out, ' ');
        buffer_text(out, "<code>");
        xml_text(out, given->name);
        buffer_text(out, " = ");
        xml_text(out, given->text ? given->text : "true");
        buffer_text(out, "</code>");
    }
}

static void steps(const Report *report, Buffer *out) {
    if (!report->steps) return;
    html_element(out, "h2", NULL, "Steps of the recipe");
    buffer_text(out, "<ol class=\"steps\">\n");
    for (int64_t i = 0; i < report->steps; i++) {
        buffer_text(out, "<li><b>");
        xml_text(out, report->step[i].name);
        buffer_text(out, "</b>");
        put_given(report->step[i].result, out);
        if (report->step[i].result->summary) html_element(out, "span", "quiet", report->step[i].result->summary);
        buffer_text(out, "</li>\n");
    }
    buffer_text(out, "</ol>\n");
}

/* ---- measures ---- */

static const char *kind_title(const char *kind) {
    return !strcmp(kind, "identity")      ? "Identity: who can be re-identified"
           : !strcmp(kind, "attribute")   ? "Attribute: what can be inferred about a person"
           : !strcmp(kind, "inferential") ? "Inference: what can be predicted"
           : !strcmp(kind, "population")  ? "Population: who is known to be there"
           : !strcmp(kind, "utility")     ? "Utility"
                                          : "Other measures";
}

static void put_change(const char *change, Buffer *out) {
    bool better = same_text(change, "better"), worse = same_text(change, "worse");
    buffer_print(out, "<td class=\"%s\">%s</td>",
                 better  ? "good"
                 : worse ? "bad"
                         : "quiet",
                 better   ? "✓ better"
                 : worse  ? "✗ worse"
                 : change ? "same"
                          : "");
}

static void measure_row(const ReportMeasure *m, bool before, Buffer *out) {
    buffer_text(out, "<tr><th scope=\"row\">");
    xml_text(out, m->measure);
    buffer_text(out, "<span class=\"quiet\">");
    html_text(out, m->meaning);
    buffer_text(out, "</span></th>");
    for (int after = before ? 0 : 1; after < 2; after++) {
        const char *text = after ? m->after : m->before;
        buffer_text(out, "<td class=\"number\">");
        if (text) xml_text(out, text);
        else buffer_text(out, "<span class=\"missing\">–</span>");
        buffer_text(out, "</td>");
    }
    if (before) put_change(m->change, out);
    buffer_text(out, "</tr>\n");
}

static void measures(const Report *report, Buffer *out) {
    bool before = any_before(report), open = false;
    if (!report->measures) return;
    html_element(out, "h2", NULL, before ? "All measures, before and after" : "All measures");
    for (int64_t i = 0; i < report->measures; i++) {
        const ReportMeasure *m = &report->measure[i];
        const char *kind = m->kind ? m->kind : "";
        bool both = before && strcmp(kind, "utility");
        if (!i || !same_text(m->kind, report->measure[i - 1].kind)) {
            if (open) buffer_text(out, "</tbody></table></div>\n");
            html_element(out, "h3", NULL, kind_title(kind));
            buffer_print(out,
                         "<div class=\"whole\" role=\"region\" tabindex=\"0\" aria-label=\"Measures\"><table "
                         "class=\"measures\"><thead><tr><th scope=\"col\">Measure</th>%s</tr></thead><tbody>\n",
                         both ? "<th scope=\"col\" class=\"number\">Before</th><th scope=\"col\" class=\"number\">After</th><th "
                                "scope=\"col\">Change</th>"
                              : "<th scope=\"col\" class=\"number\">Value</th>");
            open = true;
        }
        measure_row(m, both, out);
    }
    if (open) buffer_text(out, "</tbody></table></div>\n");
}

static void records(const Report *report, Buffer *out) {
    if (!report->records) return;
    html_element(out, "h2", NULL, "Records at highest risk");
    buffer_text(out, "<ol class=\"steps\">\n");
    for (int64_t i = 0; i < report->records;) {
        int64_t end = i + 1; /* several for the same reason are one line */
        while (end < report->records && same_text(report->record[end].why, report->record[i].why)) end++;
        buffer_text(out, end - i == 1 ? "<li><b>Record" : "<li><b>Records");
        for (int64_t j = i; j < end; j++) buffer_print(out, "%s %lld", j > i ? "," : "", (long long)report->record[j].record);
        buffer_text(out, ".</b> ");
        xml_text(out, report->record[i].why);
        buffer_text(out, "</li>\n");
        i = end;
    }
    buffer_text(out, "</ol>\n");
}

/* ---- details ---- */

static void folded(const NamedResult *named, Buffer *out) {
    buffer_text(out, "<details><summary><b>");
    xml_text(out, named->name);
    buffer_text(out, "</b> ");
    if (named->result->summary) html_element(out, "span", "quiet", named->result->summary);
    buffer_text(out, "</summary>\n");
    html_result(named->result, 4, out);
    buffer_text(out, "</details>\n");
}

static void details(const Report *report, Buffer *out) {
    if (!report->results && !report->steps) return;
    html_element(out, "h2", NULL, "Details");
    html_element(out, "p", "paper quiet",
                 "The file from which this page was printed has the details of every step and measure, and a list of what was not run.");
    for (int64_t i = 0; i < report->steps; i++) folded(&report->step[i], out);
    for (int64_t i = 0; i < report->current && i < report->results; i++) folded(&report->result[i], out);
    if (report->current < report->results) html_element(out, "h3", NULL, "Measures of the original file");
    for (int64_t i = report->current; i < report->results; i++) folded(&report->result[i], out);
    if (!report->notes) return;
    buffer_text(out, "<details><summary><b>Notes, and what was not run</b></summary>\n");
    html_notes(out, report->note, report->notes);
    buffer_text(out, "</details>\n");
}

void render_report(const Report *report, Buffer *out) {
    const char *title = report->title ? report->title : "Report";
    html_begin(title, out);
    html_element(out, "p", "eyebrow",
                 report->public ? "Disclosure report · public edition" : "Disclosure report · for the data custodian only");
    html_element(out, "h1", NULL, title);
    verdict(report, out);
    exposure(report, out);
    next(report, out);
    buffer_text(out, "<div class=\"duo\"><div>\n");
    rules(report, out);
    buffer_text(out, "</div><div>\n");
    pairs("Information loss", report->cost, report->costs, out);
    buffer_text(out, "</div></div>\n");
    pictures(report->chart, report->charts, out);
    sign_off(report, out);
    buffer_text(out, "<div class=\"rest\">\n");
    steps(report, out);
    pairs("The four kinds of disclosure", report->kind, report->kinds, out);
    pairs("Disclosure to holders of parts of the data", report->holder, report->holders, out);
    pairs("Roles of the columns", report->role, report->roles, out);
    measures(report, out);
    if (report->pictures) {
        buffer_text(out, "<section class=\"screen\">\n");
        html_element(out, "h2", NULL, "Each column, before and after");
        html_element(out, "p", "quiet", "Shares of the records, at the level of detail of the release.");
        pictures(report->picture, report->pictures, out);
        buffer_text(out, "</section>\n");
    }
    records(report, out);
    details(report, out);
    buffer_text(out, "</div>\n<footer><p>Terms: see the glossary in the documentation, docs/glossary.md. scrim " SCRIM_VERSION
                     "</p></footer>\n");
    html_end(out);
}
