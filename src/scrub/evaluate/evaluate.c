/* scrub.evaluate: finds against a marked-up sample: recall, precision and F2 by kind, and what is likely still in the release. Defined
 * after van Rijsbergen 1979; Garwood 1936: docs/methods/scrub-evaluate.md. */
#include <stdlib.h>
#include <string.h>
#include "base/compare.h"
#include "base/elementary.h"
#include "math/proportion.h"
#include "math/special/gamma.h"
#include "scrub/evaluate/evaluate.h"

static const Param params[] = {
    TABLE(EvaluateArgs, gold,
          "Manual annotation: a row for each span, with the note's id, start and end in code points (end exclusive), and kind",
          .flags = REQUIRED | POSITIONAL),
    TABLE(EvaluateArgs, found, "The finds in the same form: a report of `scrim scrub`", .flags = REQUIRED | POSITIONAL),
    TABLE(EvaluateArgs, texts,
          "The notes themselves: with them letters and digits are counted, not spaces and marks, and words are tokens. Notes are found by "
          "the id column, or by their place (from 0) where the id is row"),
    TEXT(EvaluateArgs, column, NULL, "Text column to evaluate, if there are several"),
    TEXT(EvaluateArgs, id, "row", "Column that identifies the note, in both tables"),
    TEXTS(EvaluateArgs, ignore, "Kinds of marked spans to ignore"),
    PAIRS(EvaluateArgs, rename, 1, "Marked kinds that have another name in the finds: GPE:PLACE,DATE_TIME:DATE"),
    TABLE(EvaluateArgs, map, "The same as a table with the columns kind and as. A kind without a name in `as` counts neither way"),
    TEXTS(EvaluateArgs, direct, "Kinds that identify a person directly, for notes_leaking; all kinds that count where none are given"),
    INT(EvaluateArgs, notes, ABSENT, 1, 1e12,
        "Notes in the marked-up sample, including those without a span: needed to estimate residual identifiers. With texts it is their "
        "number"),
    END,
};

static const Return values[] = {
    VALUE(recall_whole, REAL,
          "Recall by whole spans: share of marked spans of which every letter and digit lies inside finds of any kind. 0 to 1; larger is "
          "safer",
          .flags = PUBLIC | MORE),
    VALUE(recall_whole_low, REAL, "Its 95% interval", .flags = PUBLIC),
    VALUE(recall_whole_high, REAL, "Its 95% interval", .flags = PUBLIC),
    VALUE(recall_token, REAL, "Recall by token: share of words and numbers of marked spans that lie inside finds. 0 to 1; larger is safer",
          .flags = PUBLIC | MORE),
    VALUE(precision_token, REAL, "Precision by token: share of words and numbers of finds that lie inside marked spans. 0 to 1",
          .flags = PUBLIC | MORE),
    VALUE(leaked, INTEGER, "Letters and digits of marked spans that no find covers (without texts: characters)", .flags = PUBLIC | LESS),
    VALUE(recall, REAL, "Share of marked spans that a find of any kind overlaps by at least one character. 0 to 1; larger is safer",
          .flags = PUBLIC | MORE),
    VALUE(recall_low, REAL, "Its 95% interval", .flags = PUBLIC),
    VALUE(recall_high, REAL, "Its 95% interval", .flags = PUBLIC),
    VALUE(precision, REAL, "Finds that overlap a marked span", .flags = PUBLIC | MORE),
    VALUE(precision_low, REAL, "Its 95% interval", .flags = PUBLIC),
    VALUE(precision_high, REAL, "Its 95% interval", .flags = PUBLIC),
    VALUE(f2, REAL, "F2 score, 5PR/(4P + R), 0 to 1: recall weighs four times as much as precision", .flags = PUBLIC | MORE),
    VALUE(recall_exact, REAL, "Marked spans with a find of the same start, end and kind", .flags = PUBLIC | MORE),
    VALUE(precision_exact, REAL, "Finds with a marked span of the same start, end and kind", .flags = PUBLIC | MORE),
    VALUE(f2_exact, REAL, "F2 of these two", .flags = PUBLIC | MORE),
    VALUE(missed, INTEGER, "Marked spans that no find overlaps", .flags = PUBLIC | LESS),
    VALUE(false_finds, INTEGER, "Finds that overlap no marked span", .flags = PUBLIC | LESS),
    VALUE(missed_per_1000, REAL, "Missed spans in 1,000 notes, estimated from the sample. Smaller is safer", .flags = PUBLIC | LESS),
    VALUE(missed_per_1000_low, REAL, "Its 95% interval", .flags = PUBLIC),
    VALUE(missed_per_1000_high, REAL, "Its 95% interval", .flags = PUBLIC),
    VALUE(notes_leaking, REAL,
          "Share of notes with residual identifiers: a character of a marked span is not covered. 0 to 1; smaller is safer",
          .flags = PUBLIC | LESS),
    VALUE(notes_leaking_low, REAL, "Its 95% interval", .flags = PUBLIC),
    VALUE(notes_leaking_high, REAL, "Its 95% interval", .flags = PUBLIC),
    TABLE_OUT(kinds,
              "kind:text marked:integer found:integer recall_whole:real leaked:integer recall:real recall_low:real recall_high:real "
              "precision:real precision_low:real "
              "precision_high:real f2:real recall_exact:real precision_exact:real f2_exact:real",
              "Recall and precision by kind", .flags = PUBLIC),
    END,
};

typedef struct Count {
    int64_t marked, hit, whole, exact, found, right, right_exact;
    int64_t tokens, tokens_covered, leaked, found_tokens, right_tokens;
} Count;

static Count count_of(const Spans *gold, const Spans *found, const char *kind) {
    Count c = { 0 };
    for (int64_t i = 0; i < gold->count; i++) {
        const Span *s = &gold->at[i];
        if (s->ignored || (kind && strcmp(kind, s->kind))) continue;
        c.marked++;
        c.hit += s->hit;
        c.whole += s->tokens_covered == s->tokens;
        c.exact += s->exact;
        c.tokens += s->tokens;
        c.tokens_covered += s->tokens_covered;
        c.leaked += s->leaked;
    }
    for (int64_t i = 0; i < found->count; i++) {
        const Span *s = &found->at[i];
        if ((s->neither && !s->hit) || (kind && strcmp(kind, s->kind))) continue;
        c.found++;
        c.right += s->hit;
        c.right_exact += s->exact;
        c.found_tokens += s->tokens;
        c.right_tokens += s->tokens_covered;
    }
    return c;
}

static double share(int64_t part, int64_t whole) { return whole ? (double)part / (double)whole : NAN; }

/* van Rijsbergen 1979: F_β with β = 2. */
static double f_two(double precision, double recall) {
    return precision + recall > 0 ? 5 * precision * recall / (4 * precision + recall) : isnan(precision + recall) ? NAN : 0;
}

static void give_whole(Result *r, const Count *c, bool texts) {
    static const char no_texts[] = "Words are counted in the notes themselves, which were not given (texts).";
    Interval whole = wilson_interval((double)c->whole, (double)c->marked);
    if (c->marked) {
        result_real(r, "recall_whole", share(c->whole, c->marked));
        result_real(r, "recall_whole_low", whole.low);
        result_real(r, "recall_whole_high", whole.high);
    } else result_null(r, "recall_whole", "No span is marked that counts.");
    if (texts && c->tokens) result_real(r, "recall_token", share(c->tokens_covered, c->tokens));
    else result_null(r, "recall_token", texts ? "No word is marked that counts." : no_texts);
    if (texts && c->found_tokens) result_real(r, "precision_token", share(c->right_tokens, c->found_tokens));
    else result_null(r, "precision_token", texts ? "No word was found that counts." : no_texts);
    result_integer(r, "leaked", c->leaked);
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

static Status give_kinds(Run *run, const Spans *gold, const Spans *found) {
    Status status = OK;
    const char **kinds = NULL;
    int64_t count = 0;
    NEW(&run->work, kinds, gold->count + found->count + 1);
    for (int64_t i = 0; i < gold->count; i++)
        if (!gold->at[i].ignored) kinds[count++] = gold->at[i].kind;
    for (int64_t i = 0; i < found->count; i++) kinds[count++] = found->at[i].kind;
    qsort(kinds, (size_t)count, sizeof *kinds, compare_texts);
    Grid *grid = grid_new(run->result, "kinds", returns_find(values, RETURN_TABLE, "kinds")->columns);
    for (int64_t i = 0; i < count; i++) {
        if (i && !strcmp(kinds[i], kinds[i - 1])) continue;
        Count c = count_of(gold, found, kinds[i]);
        Interval recall = wilson_interval((double)c.hit, (double)c.marked), precision = wilson_interval((double)c.right, (double)c.found);
        grid_text(grid, kinds[i]);
        grid_integer(grid, c.marked);
        grid_integer(grid, c.found);
        grid_real(grid, share(c.whole, c.marked));
        grid_integer(grid, c.leaked);
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
static Status give_left(Run *run, const EvaluateArgs *a, const Spans *gold, int64_t missed) {
    Status status = OK;
    int64_t leaking = 0, marked = 0, notes = a->notes == ABSENT && a->texts ? a->texts->rows : a->notes;
    const char *last = NULL, *last_note = NULL;
    for (int64_t i = 0; i < gold->count; i++) {
        const Span *s = &gold->at[i];
        if (!last_note || strcmp(last_note, s->id)) marked++;
        last_note = s->id;
        if (s->ignored || !s->direct || s->tokens_covered == s->tokens || (last && !strcmp(last, s->id))) continue;
        leaking++;
        last = s->id;
    }
    if (notes == ABSENT) {
        result_null(
            run->result, "missed_per_1000",
            "The number of marked-up notes was not given (notes or texts), so residual identifiers in other notes cannot be estimated.");
        return OK;
    }
    if (notes < marked) {
        fail(run->work.error, BAD, "is less than the %lld notes that have a marked span", (long long)marked);
        return error_parameter(run->work.error, a->notes == ABSENT ? "texts" : "notes");
    }
    double n = (double)notes, m = (double)missed, low = 0, high;
    if (missed) TRY(chi_square_quantile(2 * m, 0.025, 0.975, &low, run->work.error));
    TRY(chi_square_quantile(2 * m + 2, 0.975, 0.025, &high, run->work.error));
    Interval share_of = wilson_interval((double)leaking, n);
    result_real(run->result, "missed_per_1000", 1000 * m / n);
    result_real(run->result, "missed_per_1000_low", 1000 * low / (2 * n));
    result_real(run->result, "missed_per_1000_high", 1000 * high / (2 * n));
    result_real(run->result, "notes_leaking", (double)leaking / n);
    result_real(run->result, "notes_leaking_low", share_of.low);
    result_real(run->result, "notes_leaking_high", share_of.high);
    result_note(
        run->result,
        "The estimate holds for notes like the sample: drawn at random from the release, and marked by someone who missed nothing.");
done:
    return status;
}

static Status evaluate_run(Run *run, const void *p) {
    Status status = OK;
    const EvaluateArgs *a = p;
    Spans gold = { 0 }, found = { 0 };
    TRY(spans_read(run, a, a->gold, true, &gold));
    TRY(spans_read(run, a, a->found, false, &found));
    spans_match(&gold, &found);
    TRY(spans_cover(run, a, &gold, &found));
    Count all = count_of(&gold, &found, NULL);
    give_whole(run->result, &all, a->texts != NULL);
    give_shares(run->result, &all);
    TRY(give_left(run, a, &gold, all.marked - all.hit));
    TRY(give_kinds(run, &gold, &found));
done:
    return status;
}

const Method scrub_evaluate = { .group = "scrub",
                                .name = "evaluate",
                                .summary =
                                    "Evaluation of de-identification: recall, precision and residual identifiers, from a marked-up sample",
                                .source = "van Rijsbergen 1979; Garwood 1936",
                                .params = params,
                                .size = sizeof(EvaluateArgs),
                                .traits = UNAUDITED,
                                .run = evaluate_run,
                                .headline = "recall_whole",
                                .values = values,
                                .example = "scrim scrub evaluate examples/notes-marked.csv examples/notes-found.csv --notes 12" };
