/* scrub.evaluate: finds against a marked-up sample: recall, precision and F2 by kind, and what is likely still in the release. Defined
 * after van Rijsbergen 1979; Garwood 1936: docs/methods/scrub-evaluate.md. */
#include <gsl/gsl_cdf.h>
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "math/proportion.h"
#include "method/method.h"

typedef struct {
    const Table *gold, *found;
    const char *id;
    Texts ignore;
    Pairs rename;
    int64_t notes;
} args;

static const Param params[] = {
    TABLE(args, gold,
          "What a person marked: a row for each span, with the note's id, start and end in code points (end exclusive), and kind",
          .flags = REQUIRED | POSITIONAL),
    TABLE(args, found, "What was found, in the same form: a report of `scrim scrub`", .flags = REQUIRED | POSITIONAL),
    TEXT(args, id, "row", "The column that says which note, in both tables"),
    TEXTS(args, ignore, "Kinds of the marked spans that count neither way"),
    PAIRS(args, rename, 1, "Marked kinds that go by another name in the finds: GPE:PLACE,DATE_TIME:DATE"),
    INT(args, notes, ABSENT, 1, 1e12, "Notes in the marked-up sample, those without any span too: gives the estimate of what is left"),
    END,
};

static const Return values[] = {
    VALUE(recall, REAL, "Marked spans that a find overlaps, of any kind", .flags = PUBLIC | MORE),
    VALUE(recall_low, REAL, "Its 95% interval", .flags = PUBLIC),
    VALUE(recall_high, REAL, "Its 95% interval", .flags = PUBLIC),
    VALUE(precision, REAL, "Finds that overlap a marked span", .flags = PUBLIC | MORE),
    VALUE(precision_low, REAL, "Its 95% interval", .flags = PUBLIC),
    VALUE(precision_high, REAL, "Its 95% interval", .flags = PUBLIC),
    VALUE(f2, REAL, "5PR / (4P + R): recall counts four times as much as precision", .flags = PUBLIC | MORE),
    VALUE(recall_exact, REAL, "Marked spans with a find of the same start, end and kind", .flags = PUBLIC | MORE),
    VALUE(precision_exact, REAL, "Finds with a marked span of the same start, end and kind", .flags = PUBLIC | MORE),
    VALUE(f2_exact, REAL, "F2 of these two", .flags = PUBLIC | MORE),
    VALUE(missed, INTEGER, "Marked spans that no find overlaps", .flags = PUBLIC | LESS),
    VALUE(false_finds, INTEGER, "Finds that overlap no marked span", .flags = PUBLIC | LESS),
    VALUE(missed_per_1000, REAL, "Missed spans in 1,000 notes, by the sample", .flags = PUBLIC | LESS),
    VALUE(missed_per_1000_low, REAL, "Its 95% interval", .flags = PUBLIC),
    VALUE(missed_per_1000_high, REAL, "Its 95% interval", .flags = PUBLIC),
    VALUE(notes_leaking, REAL, "Share of notes with a missed span", .flags = PUBLIC | LESS),
    VALUE(notes_leaking_low, REAL, "Its 95% interval", .flags = PUBLIC),
    VALUE(notes_leaking_high, REAL, "Its 95% interval", .flags = PUBLIC),
    TABLE_OUT(kinds,
              "kind:text marked:integer found:integer recall:real recall_low:real recall_high:real precision:real precision_low:real "
              "precision_high:real f2:real recall_exact:real precision_exact:real f2_exact:real",
              "By kind: of the marked spans of it, and of the finds of it", .flags = PUBLIC),
    END,
};

typedef struct Span {
    const char *id, *kind;
    int64_t start, end;
    bool ignored, hit, exact, neither;
} Span;
typedef struct Spans {
    int64_t count;
    Span *at;
} Spans;

static int by_place(const void *a, const void *b) {
    const Span *x = a, *y = b;
    int order = strcmp(x->id, y->id);
    if (order) return order;
    return x->start != y->start ? (x->start < y->start ? -1 : 1) : (x->end > y->end) - (x->end < y->end);
}

static Status whole_at(Work *work, const Table *table, const char *name, int64_t row, int64_t *out) {
    const Column *column;
    Status status = table_need(table, name, &column, work->error);
    if (status) return status;
    double value = column_number(column, row);
    if (!column_numeric(column) || column_missing(column, row) || !(value >= 0 && value <= 1e15) || value != (double)(int64_t)value) {
        fail(work->error, BAD, "column %s has no whole number from 0 on in row %lld", name, (long long)row + 1);
        return table->name ? error_file(work->error, table->name) : work->error->status;
    }
    *out = (int64_t)value;
    return OK;
}

/* A span of nothing would be a miss or a hit by chance, and one of no note a note of its own. */
static Status check_span(Work *work, const Table *table, const Span *span, bool named, int64_t row) {
    if (named && span->end > span->start) return OK;
    fail(work->error, BAD, named ? "the span in row %lld ends before it begins, or holds nothing" : "row %lld lacks its note or its kind",
         (long long)row + 1);
    return table->name ? error_file(work->error, table->name) : work->error->status;
}

static const char *renamed(const args *a, const char *kind) {
    for (int64_t i = 0; i < a->rename.count; i++)
        if (!strcmp(a->rename.at[i].name, kind)) return a->rename.at[i].text[0];
    return kind;
}

static Status read_spans(Run *run, const args *a, const Table *table, bool gold, Spans *out) {
    Status status = OK;
    Work *work = &run->work;
    const Column *id, *kind = table_column(table, "kind") ? table_column(table, "kind") : table_column(table, "type");
    char cell[33];
    TRY(table_need(table, a->id, &id, work->error));
    if (!kind) TRY(table_need(table, "kind", &kind, work->error));
    NEW(work, out->at, table->rows + 1);
    for (int64_t row = 0; row < table->rows; row++) {
        Span *span = &out->at[row];
        const char *text = column_cell(id, row, cell), *copy = arena_text(work->arena, text ? text : "");
        const char *word = column_cell(kind, row, cell), *name = arena_text(work->arena, word ? word : "");
        if (!copy || !name) TRY(fail(work->error, FAILED, "out of memory"));
        *span = (Span){ .id = copy, .kind = gold ? renamed(a, name) : name };
        for (int64_t i = 0; gold && i < a->ignore.count; i++) span->ignored |= !strcmp(a->ignore.at[i], name);
        TRY(whole_at(work, table, "start", row, &span->start));
        TRY(whole_at(work, table, "end", row, &span->end));
        TRY(check_span(work, table, span, text != NULL && word != NULL, row));
    }
    out->count = table->rows;
    qsort(out->at, (size_t)out->count, sizeof *out->at, by_place);
done:
    return status;
}

static bool overlap(const Span *a, const Span *b) { return a->start < b->end && b->start < a->end; }

/* Note by note, both in order of their starts: a marked span meets only finds that start before its end, and not further before its start
 * than the longest reaches (a report of plain text is one note). A find that only ignored spans meet counts neither way. */
static void match(Spans *gold, Spans *found) {
    for (int64_t i = 0, j = 0; i < gold->count && j < found->count;) {
        int order = strcmp(gold->at[i].id, found->at[j].id);
        if (order < 0) {
            i++;
            continue;
        }
        if (order > 0) {
            j++;
            continue;
        }
        int64_t last_i = i, last_j = j;
        while (last_i < gold->count && !strcmp(gold->at[last_i].id, gold->at[i].id)) last_i++;
        while (last_j < found->count && !strcmp(found->at[last_j].id, gold->at[i].id)) last_j++;
        int64_t longest = 0, from = j;
        for (int64_t f = j; f < last_j; f++)
            if (found->at[f].end - found->at[f].start > longest) longest = found->at[f].end - found->at[f].start;
        for (int64_t g = i; g < last_i; g++) {
            while (from < last_j && found->at[from].start + longest <= gold->at[g].start) from++;
            for (int64_t f = from; f < last_j && found->at[f].start < gold->at[g].end; f++) {
                Span *x = &gold->at[g], *y = &found->at[f];
                if (!overlap(x, y)) continue;
                if (x->ignored) {
                    y->neither = true;
                    continue;
                }
                x->hit = y->hit = true;
                if (x->start == y->start && x->end == y->end && !strcmp(x->kind, y->kind)) x->exact = y->exact = true;
            }
        }
        i = last_i;
        j = last_j;
    }
}

typedef struct Count {
    int64_t marked, hit, exact, found, right, right_exact;
} Count;

static Count count_of(const Spans *gold, const Spans *found, const char *kind) {
    Count c = { 0 };
    for (int64_t i = 0; i < gold->count; i++) {
        const Span *s = &gold->at[i];
        if (s->ignored || (kind && strcmp(kind, s->kind))) continue;
        c.marked++;
        c.hit += s->hit;
        c.exact += s->exact;
    }
    for (int64_t i = 0; i < found->count; i++) {
        const Span *s = &found->at[i];
        if ((s->neither && !s->hit) || (kind && strcmp(kind, s->kind))) continue;
        c.found++;
        c.right += s->hit;
        c.right_exact += s->exact;
    }
    return c;
}

static double share(int64_t part, int64_t whole) { return whole ? (double)part / (double)whole : NAN; }

/* van Rijsbergen 1979: F_β with β = 2. */
static double f_two(double precision, double recall) {
    return precision + recall > 0 ? 5 * precision * recall / (4 * precision + recall) : isnan(precision + recall) ? NAN : 0;
}

static void give_shares(Result *r, const Count *c) {
    Interval recall = wilson_interval((double)c->hit, (double)c->marked), precision = wilson_interval((double)c->right, (double)c->found);
    if (c->marked) {
        result_real(r, "recall", share(c->hit, c->marked));
        result_real(r, "recall_low", recall.low);
        result_real(r, "recall_high", recall.high);
    } else result_null(r, "recall", "No span is marked that counts.");
    if (c->found) {
        result_real(r, "precision", share(c->right, c->found));
        result_real(r, "precision_low", precision.low);
        result_real(r, "precision_high", precision.high);
    } else result_null(r, "precision", "Nothing was found that counts.");
    result_real(r, "f2", f_two(share(c->right, c->found), share(c->hit, c->marked)));
    result_real(r, "recall_exact", share(c->exact, c->marked));
    result_real(r, "precision_exact", share(c->right_exact, c->found));
    result_real(r, "f2_exact", f_two(share(c->right_exact, c->found), share(c->exact, c->marked)));
    result_integer(r, "missed", c->marked - c->hit);
    result_integer(r, "false_finds", c->found - c->right);
}

static int by_text(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

static Status give_kinds(Run *run, const Spans *gold, const Spans *found) {
    Status status = OK;
    const char **kinds = NULL;
    int64_t count = 0;
    NEW(&run->work, kinds, gold->count + found->count + 1);
    for (int64_t i = 0; i < gold->count; i++)
        if (!gold->at[i].ignored) kinds[count++] = gold->at[i].kind;
    for (int64_t i = 0; i < found->count; i++) kinds[count++] = found->at[i].kind;
    qsort(kinds, (size_t)count, sizeof *kinds, by_text);
    Grid *grid = grid_new(run->result, "kinds", returns_find(values, RETURN_TABLE, "kinds")->columns);
    for (int64_t i = 0; i < count; i++) {
        if (i && !strcmp(kinds[i], kinds[i - 1])) continue;
        Count c = count_of(gold, found, kinds[i]);
        Interval recall = wilson_interval((double)c.hit, (double)c.marked), precision = wilson_interval((double)c.right, (double)c.found);
        grid_text(grid, kinds[i]);
        grid_integer(grid, c.marked);
        grid_integer(grid, c.found);
        grid_real(grid, share(c.hit, c.marked));
        grid_real(grid, c.marked ? recall.low : NAN);
        grid_real(grid, c.marked ? recall.high : NAN);
        grid_real(grid, share(c.right, c.found));
        grid_real(grid, c.found ? precision.low : NAN);
        grid_real(grid, c.found ? precision.high : NAN);
        grid_real(grid, f_two(share(c.right, c.found), share(c.hit, c.marked)));
        grid_real(grid, share(c.exact, c.marked));
        grid_real(grid, share(c.right_exact, c.found));
        grid_real(grid, f_two(share(c.right_exact, c.found), share(c.exact, c.marked)));
    }
    grid_done(grid);
done:
    return status;
}

/* Missed spans per note as a Poisson rate: Garwood's exact interval (1936), χ² quantiles over 2n. Misses of one note come together more
 * often than that, so that the share of notes that leak stands beside it, with Wilson's interval. */
static Status give_left(Run *run, const args *a, const Spans *gold, int64_t missed) {
    int64_t leaking = 0, marked = 0;
    const char *last = NULL, *last_note = NULL;
    for (int64_t i = 0; i < gold->count; i++) {
        const Span *s = &gold->at[i];
        if (!last_note || strcmp(last_note, s->id)) marked++;
        last_note = s->id;
        if (s->ignored || s->hit || (last && !strcmp(last, s->id))) continue;
        leaking++;
        last = s->id;
    }
    if (a->notes == ABSENT) {
        result_null(run->result, "missed_per_1000",
                    "How many notes were marked up was not said (--notes), so that nothing can be said of what is left in the others.");
        return OK;
    }
    if (a->notes < marked) {
        fail(run->work.error, BAD, "is less than the %lld notes that have a marked span", (long long)marked);
        return error_parameter(run->work.error, "notes");
    }
    double n = (double)a->notes, m = (double)missed;
    Interval notes = wilson_interval((double)leaking, n);
    result_real(run->result, "missed_per_1000", 1000 * m / n);
    result_real(run->result, "missed_per_1000_low", missed ? 1000 * gsl_cdf_chisq_Pinv(0.025, 2 * m) / (2 * n) : 0);
    result_real(run->result, "missed_per_1000_high", 1000 * gsl_cdf_chisq_Pinv(0.975, 2 * m + 2) / (2 * n));
    result_real(run->result, "notes_leaking", (double)leaking / n);
    result_real(run->result, "notes_leaking_low", notes.low);
    result_real(run->result, "notes_leaking_high", notes.high);
    result_note(
        run->result,
        "The estimate holds for notes like the sample: drawn at random from the release, and marked by someone who missed nothing.");
    return OK;
}

static Status evaluate_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    Spans gold = { 0 }, found = { 0 };
    TRY(read_spans(run, a, a->gold, true, &gold));
    TRY(read_spans(run, a, a->found, false, &found));
    match(&gold, &found);
    Count all = count_of(&gold, &found, NULL);
    give_shares(run->result, &all);
    TRY(give_left(run, a, &gold, all.marked - all.hit));
    TRY(give_kinds(run, &gold, &found));
done:
    return status;
}

const Method scrub_evaluate = { .group = "scrub",
                                .name = "evaluate",
                                .summary = "Measure finds against a marked-up sample, and estimate what is left",
                                .source = "van Rijsbergen 1979; Garwood 1936",
                                .params = params,
                                .size = sizeof(args),
                                .traits = UNAUDITED,
                                .run = evaluate_run,
                                .headline = "recall",
                                .values = values,
                                .example = "scrim scrub evaluate examples/notes-marked.csv examples/notes-found.csv --notes 12" };
