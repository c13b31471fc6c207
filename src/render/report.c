/* Many results as one page, under a verdict. */
#include "base/escape.h"
#include "render/html.h"

static const char *const level_class[] = { "good", "warn", "bad" };

static void verdict(const Report *report, Buffer *out) {
    static const char *const words[] = { "✓ Passed", "! Take care", "✗ Failed" };
    buffer_print(out, "<p class=\"verdict %s\" role=\"status\"><b>%s</b><span>", level_class[report->level], words[report->level]);
    xml_text(out, report->verdict);
    buffer_text(out, "</span></p>\n");
}

static void rules(const Report *report, Buffer *out) {
    if (!report->rules) return;
    html_element(out, "h2", NULL, "Rules");
    buffer_text(out, "<div class=\"scroll\"><table><thead><tr><th scope=\"col\">Rule</th><th scope=\"col\" class=\"number\">Seen</th><th "
                     "scope=\"col\">Verdict</th><th scope=\"col\"></th></tr></thead><tbody>\n");
    for (int64_t i = 0; i < report->rules; i++) {
        const ReportRule *rule = &report->rule[i];
        buffer_text(out, "<tr><td><code>");
        xml_text(out, rule->rule);
        buffer_text(out, rule->seen ? "</code></td><td class=\"number\">" : "</code></td><td class=\"number missing\">");
        xml_text(out, rule->seen ? rule->seen : "not computed");
        buffer_print(out, "</td><td class=\"%s\">%s</td><td>", rule->passed ? "good" : "bad", rule->passed ? "✓ holds" : "✗ broken");
        xml_text(out, rule->why);
        buffer_text(out, "</td></tr>\n");
    }
    buffer_text(out, "</tbody></table></div>\n");
}

static void contents(const Report *report, Buffer *out) {
    if (report->results < 3) return;
    buffer_text(out, "<nav aria-label=\"Contents\"><h2>Contents</h2><ol>\n");
    for (int64_t i = 0; i < report->results; i++) {
        buffer_print(out, "<li><a href=\"#r%d\">", (int)i);
        xml_text(out, report->result[i].name);
        buffer_text(out, "</a></li>\n");
    }
    buffer_text(out, "</ol></nav>\n");
}

static void results(const Report *report, Buffer *out) {
    for (int64_t i = 0; i < report->results; i++) {
        const Result *result = report->result[i].result;
        buffer_print(out, "<article><h2 id=\"r%d\">", (int)i);
        xml_text(out, report->result[i].name);
        buffer_text(out, "</h2>\n");
        if (result->summary) html_element(out, "p", "quiet", result->summary);
        html_result(result, 3, out);
        buffer_text(out, "</article>\n");
    }
}

void render_report(const Report *report, Buffer *out) {
    const char *title = report->title ? report->title : "Report";
    html_begin(title, out);
    html_element(out, "h1", NULL, title);
    verdict(report, out);
    rules(report, out);
    if (report->notes) {
        html_element(out, "h2", NULL, "Notes");
        html_notes(out, report->note, report->notes);
    }
    contents(report, out);
    results(report, out);
    buffer_text(out, "<footer>\n");
    for (int64_t i = 0; i < report->provenances; i++) html_element(out, "p", NULL, report->provenance[i]);
    buffer_text(out, "<p>scrim " SCRIM_VERSION "</p></footer>\n");
    html_end(out);
}
