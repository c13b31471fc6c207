/* scrub.train: the tagger trained further on a site's own marked notes, with the recall to expect of it, measured on notes that were held
 * back. Defined after Lafferty, McCallum & Pereira 2001; Chelba & Acero 2004: docs/methods/scrub-train.md. */
#include <string.h>
#include "base/elementary.h"
#include "math/proportion.h"
#include "scrub/site_model.h"
#include "scrub/train/train.h"

static const Param params[] = {
    TABLE(TrainArgs, notes, "The notes: a table with a column of text", .flags = REQUIRED),
    TABLE(TrainArgs, marked,
          "Manual annotation of the notes: a row for each span, with the note's id, start and end in code points (end exclusive), and "
          "kind. A note without marks has no identifiers",
          .flags = REQUIRED),
    TEXT(TrainArgs, column, NULL, "Text column of the notes, if there are several (default: `note`)"),
    TEXT(TrainArgs, id, "row", "Column that identifies the note, in both tables. row: notes are counted from 0"),
    TABLE(TrainArgs, map,
          "What the marked kinds are called among the finds: a table with the columns kind and as. A kind without a name in `as` counts "
          "neither way. Without it a kind is known by its name, or by what is found where it is marked"),
    TABLE(TrainArgs, model, "A model to train further, instead of the built-in one"),
    CHOICE(TrainArgs, language, "any", "Language of the lists", SCRUB_LANGUAGES),
    INT(TrainArgs, epochs, 8, 1, 100, "Training epochs: passes over the notes"),
    REAL(TrainArgs, holdout, 0.25, 0, 0.9,
         "Share of the notes held out to measure recall, 0 to 1. The final model is trained on all notes"),
    REAL(TrainArgs, target, 0.98, 0.5, 1,
         "Target recall by whole spans, 0 to 1: reported as reached if the lower end of the 95% interval reaches it", .flags = EXCLUSIVE),
    END,
};

static const Return values[] = {
    VALUE(notes, INTEGER, "Notes used for training", .flags = PUBLIC),
    VALUE(marks, INTEGER, "Marked spans in them that count", .flags = PUBLIC),
    VALUE(held_notes, INTEGER, "Notes held out to measure recall", .flags = PUBLIC),
    VALUE(held_marks, INTEGER, "Marked spans in them", .flags = PUBLIC),
    VALUE(recall_before, REAL, "Recall by whole spans in the held-out notes before this training. 0 to 1; larger is safer",
          .flags = PUBLIC | MORE),
    VALUE(recall_whole, REAL, "Recall by whole spans in the held-out notes by a model trained on the others. 0 to 1; larger is safer",
          .flags = PUBLIC | MORE),
    VALUE(recall_whole_low, REAL, "Its 95% interval", .flags = PUBLIC),
    VALUE(recall_whole_high, REAL, "Its 95% interval", .flags = PUBLIC),
    VALUE(precision, REAL, "Precision in the held-out notes: share of finds that overlap a marked span", .flags = PUBLIC | MORE),
    VALUE(notes_leaking, REAL, "Share of the held-out notes with residual identifiers. Smaller is safer", .flags = PUBLIC | LESS),
    VALUE(enough, INTEGER, "1 if the lower end of the interval reaches the target, so that annotation may stop; otherwise 0",
          .flags = PUBLIC | MORE),
    VALUE(marks_needed, INTEGER, "Marked spans needed to show this at the present recall", .flags = PUBLIC | LESS),
    TABLE_OUT(kinds, "kind:text marks:integer as:text by:text", "How each marked kind is mapped to the kinds of finds", .flags = PUBLIC),
    OUTPUT("The model, for `scrub text --model`", .flags = KEEPERS),
    END,
};

/* One note in four or so, spread evenly, the same ones each time. */
static void hold_back(Training *t) {
    double sum = 0.5;
    for (int64_t n = 0; n < t->notes; n++) {
        sum += t->a->holdout;
        t->note[n].held = sum >= 1;
        if (sum >= 1) sum -= 1;
    }
}

/* Fewest marks at which Wilson's lower limit reaches the target with this share of hits; −1 where no number does. */
static int64_t marks_needed(double recall, double target) {
    if (!(recall > target)) return -1;
    for (int64_t n = 1; n < 100000000; n += n / 200 + 1)
        if (wilson_interval(recall * (double)n, (double)n).low >= target) return n;
    return -1;
}

static void give_scores(Training *t, const Score *before, const Score *after) {
    static const char none[] = "No note was held back, or none of them has a mark (holdout).";
    Result *r = t->run->result;
    int64_t marks = 0;
    for (int64_t k = 0; k < t->kinds; k++) marks += t->kind[k].trace >= 0 ? t->kind[k].marks : 0;
    result_integer(r, "notes", t->notes);
    result_integer(r, "marks", marks);
    result_integer(r, "held_notes", after->notes);
    result_integer(r, "held_marks", after->marks);
    if (!after->marks) {
        result_null(r, "recall_before", none);
        result_null(r, "recall_whole", none);
        result_null(r, "enough", none);
        return;
    }
    double recall = (double)after->whole / (double)after->marks;
    Interval interval = wilson_interval((double)after->whole, (double)after->marks);
    int64_t needed = marks_needed(recall, t->a->target);
    result_real(r, "recall_before", (double)before->whole / (double)before->marks);
    result_real(r, "recall_whole", recall);
    result_real(r, "recall_whole_low", interval.low);
    result_real(r, "recall_whole_high", interval.high);
    if (after->finds) result_real(r, "precision", (double)after->right / (double)after->finds);
    result_real(r, "notes_leaking", (double)after->leaking / (double)after->notes);
    result_integer(r, "enough", interval.low >= t->a->target);
    if (needed >= 0) result_integer(r, "marks_needed", needed);
    else result_null(r, "marks_needed", "Recall is not above the target: mark more notes to learn from first.");
}

static void give_kinds(Training *t) {
    Grid *grid = grid_new(t->run->result, "kinds", returns_find(values, RETURN_TABLE, "kinds")->columns);
    for (int64_t k = 0; k < t->kinds; k++) {
        grid_text(grid, t->kind[k].name);
        grid_integer(grid, t->kind[k].marks);
        grid_text(grid, t->kind[k].trace < 0 ? "" : trace_name(NULL, (unsigned)t->kind[k].trace));
        grid_text(grid, t->kind[k].by);
    }
    grid_done(grid);
}

static Status give_model(Training *t, const Model *model) {
    Status status = OK;
    Table *table = NULL;
    TRY(site_model_table(&t->run->work, model, training_traces(t), &table));
    result_output(t->run->result, table);
    t->run->result->kept = true;
    result_note(t->run->result, "The model holds weights of words in the notes, by hash: keep it as the notes are kept.");
    result_note(t->run->result, "Recall holds for notes like these. It was measured with a model of the other notes; the model that is "
                                "given was trained on all.");
done:
    return status;
}

static Status train_run(Run *run, const void *p) {
    Status status = OK;
    Training t = { .run = run, .a = p };
    const Model *from = model_built_in();
    Model *made = NULL;
    Score before = { 0 }, after = { 0 };
    uint64_t kinds;
    if (t.a->model) TRY(site_model_read(&run->work, t.a->model, &from, &kinds));
    TRY(finder_open(&run->work, (Language)t.a->language, NULL, 0, &t.finder));
    t.finder.model = from;
    t.finder.kinds = ~(uint64_t)0;
    TRY(training_read(&t));
    NEW(&run->work, made, 1);
    hold_back(&t);
    TRY(training_score(&t, from, true, &before));
    if (before.marks) {
        TRY(training_fit(&t, from, false, made));
        TRY(training_score(&t, made, true, &after));
    }
    TRY(training_fit(&t, from, true, made));
    give_scores(&t, &before, &after);
    give_kinds(&t);
    TRY(give_model(&t, made));
done:
    training_free(&t);
    return status;
}

const Method scrub_train = { .group = "scrub",
                             .name = "train",
                             .summary = "Train the tagger on a site's own annotated notes, and estimate its recall",
                             .source = "Lafferty, McCallum & Pereira 2001; Chelba & Acero 2004",
                             .params = params,
                             .size = sizeof(TrainArgs),
                             .traits = UNAUDITED,
                             .run = train_run,
                             .headline = "recall_whole",
                             .values = values,
                             .example = "scrim scrub train --notes examples/notes.csv --marked examples/notes-marked.csv" };
