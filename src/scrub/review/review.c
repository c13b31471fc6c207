/* scrub.review: rounds of questions to a reviewer. Passages are drawn by how uncertain the tagger is of them; the answers estimate recall
 * and train the tagger. Defined after Settles 2009, Hájek 1971 and Korn & Graubard 1998: docs/methods/scrub-review.md. */
#include "prose/tagger_train.h"
#include "scrub/review/review.h"
#include "scrub/site_model.h"

static const Param params[] = {
    TABLE(ReviewArgs, notes, "The notes: a table with a column of text", .flags = REQUIRED),
    TABLE(
        ReviewArgs, answers,
        "The questions of the last round with the column `answer` filled in: the table that this method wrote. Without it the first round "
        "begins"),
    TEXT(ReviewArgs, column, NULL, "Text column of the notes, if there are several (default: `note`)"),
    TABLE(ReviewArgs, model, "A model of `scrub train` to begin with, instead of the built-in one. Give the same one in every round"),
    CHOICE(ReviewArgs, language, "any", "Language of the lists", SCRUB_LANGUAGES),
    INT(ReviewArgs, questions, 100, 1, 100000, "Passages to ask about in the next round"),
    INT(ReviewArgs, epochs, 8, 1, 100, "How often each answered passage is learned from"),
    REAL(ReviewArgs, target, 0.98, 0.5, 1, "Whole-span recall to reach: the stopping rule asks for it at the lower end of the interval",
         .flags = EXCLUSIVE),
    END,
};

static const Return values[] = {
    VALUE(round, INTEGER, "Round of the answers; 0 before the first", .flags = PUBLIC),
    VALUE(answered, INTEGER, "Passages answered in this round", .flags = PUBLIC),
    VALUE(marks, INTEGER, "Identifiers in these passages, by the answers", .flags = PUBLIC),
    VALUE(missed, INTEGER, "Those of which a letter or digit was not found", .flags = PUBLIC | LESS),
    VALUE(recall_whole, REAL,
          "Estimated share of the identifiers in all passages not reviewed before this round that the model of this round finds whole. "
          "0 to 1; larger is safer",
          .flags = PUBLIC | MORE),
    VALUE(recall_whole_low, REAL, "Its 95% interval", .flags = PUBLIC),
    VALUE(recall_whole_high, REAL, "Its 95% interval", .flags = PUBLIC),
    VALUE(precision, REAL, "Estimated share of finds that are identifiers", .flags = PUBLIC),
    VALUE(missed_in_all, REAL, "Estimated number of identifiers not found whole in these passages", .flags = PUBLIC | LESS),
    VALUE(enough, INTEGER,
          "1 where the target is reached, by an interval that allows for looking after every round: reviewing may stop; else 0",
          .flags = PUBLIC | MORE),
    VALUE(passages, INTEGER, "Passages that nobody has reviewed", .flags = PUBLIC),
    VALUE(questions, INTEGER, "Passages in the next round", .flags = PUBLIC),
    OUTPUT("The questions, with earlier answers: fill in the column `answer`", .flags = KEEPERS),
    OUTPUT("With --answers: the model trained on all answers, for `scrub text --model`", .flags = KEEPERS),
    END,
};

/* The model for the next round: trained on every passage that was answered. */
static Status learn(Review *r, const Model **model) {
    Status status = OK;
    Model *made = NULL;
    if (!r->answered) return OK;
    TRY(training_tags(&r->training));
    NEW(&r->run->work, made, 1);
    TRY(training_fit(&r->training, *model, true, made));
    *model = made;
done:
    return status;
}

static Status give_model(Review *r) {
    Status status = OK;
    Table *table = NULL;
    if (!r->answered) return OK;
    TRY(site_model_table(&r->run->work, r->training.finder.model, training_traces(&r->training), &table));
    result_output(r->run->result, table);
done:
    return status;
}

static Status review_run(Run *run, const void *p) {
    Status status = OK;
    const ReviewArgs *a = p;
    Review r = { .run = run, .a = a };
    TrainArgs train = { .notes = a->notes, .column = a->column, .id = "row", .language = a->language, .epochs = a->epochs };
    const Model *model = model_built_in();
    uint64_t traces = 0;
    r.training = (Training){ .run = run, .a = &train, .by_parts = true };
    if (a->model) TRY(site_model_read(&run->work, a->model, &model, &traces));
    TRY(finder_open(&run->work, (Language)a->language, NULL, 0, &r.training.finder));
    r.training.finder.kinds |= traces;
    TRY(training_notes(&r.training));
    TRY(review_answers(&r));
    review_estimate(&r);
    TRY(learn(&r, &model));
    r.training.finder.model = model;
    r.training.finder.kinds |= training_traces(&r.training);
    TRY(review_draw(&r));
    TRY(review_questions(&r));
    TRY(give_model(&r));
    run->result->kept = true;
    run->result->closed |= 077; /* both outputs hold words of the notes */
    result_note(run->result, "The questions and the model hold words of the notes: keep them as the notes are kept.");
done:
    training_free(&r.training);
    return status;
}

const Method scrub_review = { .group = "scrub",
                              .name = "review",
                              .summary = "Ask a reviewer about uncertain passages of notes, estimate recall and train the tagger",
                              .source = "Settles 2009; Korn & Graubard 1998",
                              .params = params,
                              .size = sizeof(ReviewArgs),
                              .traits = RANDOM | UNAUDITED | WORKSHEET,
                              .run = review_run,
                              .headline = "recall_whole",
                              .values = values,
                              .example = "scrim scrub review --notes examples/notes.csv --questions 8 --seed 1" };
