/* What each party that contributed records would learn of the others' if the ROC curve of all were published. Defined after Matthews &
 * Harel 2013: docs/methods/risk-roc-publication.md. */
#include <string.h>
#include "base/elementary.h"
#include "base/number_text.h"
#include "math/roc/roc.h"
#include "method/method.h"
#include "risk/roc_publication/alternatives.h"

typedef struct {
    const Table *data;
    const Column *score, *status, *party;
    const char *positive;
    int64_t coalition;
    double factor, width, epsilon;
    unsigned direction;
    bool instead;
    int64_t points;
} args;
enum { MOST_COALITIONS = 200000, MOST_TOGETHER = 8, MOST_INSTEAD = 20000 };

static const Param params[] = {
    TABLE(args, data, "All records behind the curve", .flags = REQUIRED | POSITIONAL),
    COLUMN(args, score, data, "Score of the diagnostic test", .flags = REQUIRED | NUMERIC),
    COLUMN(args, status, data, "True status: 0 or 1, or one of two words", .flags = REQUIRED),
    COLUMN(args, party, data, "Column that names the party who contributed the record", .flags = REQUIRED),
    TEXT(args, positive, NULL, "Word that means status 1 (default: 1, or the later of two words)"),
    CHOICE(args, direction, "higher", "Direction of scores that indicates status 1", WORDS("higher", "lower")),
    INT(args, coalition, 1, 1, MOST_TOGETHER, "Largest number of parties that combine their records"),
    REAL(args, factor, 1.5, 1, 1000, "A status counts as inferred if its probability is at least this many times its prevalence"),
    REAL(args, width, NAN, 0, INFINITY,
         "A score counts as known if its interval is narrower than this (default: a tenth of the scores' standard deviation)",
         .flags = EXCLUSIVE),
    FLAG(args, instead, "Also evaluate alternatives against the worst party: the curve thinned, binormal, and kernel-smoothed"),
    INT(args, points, 10, 2, 1000, "Points of the thinned curve, and bins of the noisy counts"),
    REAL(args, epsilon, NAN, 0, 1000, "Also evaluate a curve from noisy counts, as `scrim release` publishes it with this ε",
         .flags = EXCLUSIVE),
    ONLY_WITH("points", "instead"),
    ONLY_WITH("epsilon", "instead"),
    END,
};

static const Return values[] = {
    VALUE(records, INTEGER, "Records behind the curve", .flags = PUBLIC),
    VALUE(parties, INTEGER, "Parties", .flags = PUBLIC),
    TABLE_OUT(parties,
              "party:text known:integer missing:integer certain:integer share:real likelier:integer narrow:integer accuracy:real "
              "baseline:real gain:real",
              "What each party or coalition would learn"),
    VALUE(coalitions, INTEGER, "Parties and coalitions examined", .flags = PUBLIC),
    VALUE(worst_certain, INTEGER, "Statuses of others' records that the worst party or coalition learns with certainty. 0 = safe",
          .flags = PUBLIC | LESS),
    VALUE(worst_share, REAL, "The same as a share of the records that it does not have, 0 to 1. Smaller is safer", .flags = PUBLIC),
    VALUE(worst_party, TEXT, "The worst party or coalition"),
    VALUE(worst_likelier, INTEGER,
          "Largest number of others' records whose status is at least `factor` times as likely as its prevalence. 0 = safe",
          .flags = PUBLIC),
    VALUE(worst_narrow, INTEGER, "Largest number of others' records whose score lies in an interval narrower than `width`. 0 = safe",
          .flags = PUBLIC),
    VALUE(auc, REAL, "Area under the curve that would be published"),
    TABLE_OUT(instead, "curve:text auc:real auc_change:real certain:integer accuracy:real baseline:real gain:real",
              "With --instead: AUC of each alternative, and what the worst party learns from it"),
    END,
};

typedef struct {
    int64_t member[MOST_TOGETHER], members, known, missing, certain, likelier, narrow;
    double accuracy, baseline;
} Learned;
typedef struct {
    const RocSteps *steps;
    const double *score;
    const int8_t *status;
    Codes parties;
    int64_t rows;
    double prevalence, factor, width;
    Learned *at;
} Study;

static void tally(const Study *study, const RocKnown *known, const RocAnswer *answer, Learned *out) {
    double sum = 0, share = known->records ? (double)known->positives / (double)known->records : study->prevalence;
    out->known = known->records;
    out->missing = answer->missing;
    out->certain = answer->certain;
    for (int64_t r = 0; r < answer->missing; r++) {
        double p = answer->at[r].positive;
        sum += fmax(p, 1 - p);
        out->likelier += p >= study->factor * study->prevalence || 1 - p >= study->factor * (1 - study->prevalence);
        out->narrow += answer->at[r].upper - answer->at[r].lower < study->width;
    }
    out->accuracy = answer->missing ? sum / (double)answer->missing : NAN;
    out->baseline = fmax(share, 1 - share);
}

static Status coalition_records(Work *work, const Study *study, const Learned *coalition, RocKnown *known) {
    Status status = OK;
    int8_t *held;
    NEW(work, held, study->rows);
    for (int64_t i = 0; i < study->rows; i++) {
        held[i] = -1;
        for (int64_t k = 0; k < coalition->members; k++)
            if (study->parties.at[i] == coalition->member[k]) held[i] = study->status[i];
    }
    TRY(roc_known(work, study->score, held, study->rows, known));
done:
    return status;
}

/* The records of the coalition are known, the curve is of all: the attack itself. */
static Status attack(Work *work, const Study *study, Learned *out) {
    Status status = OK;
    RocKnown known;
    RocAnswer answer;
    TRY(coalition_records(work, study, out, &known));
    TRY(roc_embed(work, study->steps, &known, false, &answer));
    tally(study, &known, &answer, out);
done:
    return status;
}

static Status attack_block(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    (void)block;
    const Study *study = self;
    Status status = OK;
    for (int64_t c = first; c < last && !status; c++) {
        Work work = { .arena = arena_new(), .error = error, .threads = 1 };
        status = work.arena ? attack(&work, study, &study->at[c]) : out_of_memory(error);
        arena_free(work.arena);
    }
    return status;
}

/* The next set of `members` of `parties`, in order; false after the last. */
static bool next_set(int64_t *member, int64_t members, int64_t parties) {
    int64_t k = members - 1;
    while (k >= 0 && member[k] == parties - members + k) k--;
    if (k < 0) return false;
    member[k]++;
    for (k++; k < members; k++) member[k] = member[k - 1] + 1;
    return true;
}

static Status list_coalitions(Work *work, int64_t parties, int64_t most, Learned **out, int64_t *count) {
    Status status = OK;
    int64_t room = 0;
    *out = NULL;
    *count = 0;
    for (int64_t members = 1; members <= most && members <= parties; members++) {
        Learned next = { .members = members };
        for (int64_t k = 0; k < members; k++) next.member[k] = k;
        do {
            if (*count == MOST_COALITIONS) {
                fail(work->error, BAD, "more than %d coalitions of %lld parties", MOST_COALITIONS, (long long)parties);
                error_parameter(work->error, "coalition");
                return error_advice(work->error, "choose a smaller --coalition");
            }
            GROW(work, *out, room, *count + 1);
            (*out)[(*count)++] = next;
        } while (next_set(next.member, members, parties));
    }
done:
    return status;
}

static const char *party_name(Run *run, const args *a, const Codes *parties, const Learned *l) {
    char text[33];
    Buffer name = { 0 };
    for (int64_t k = 0; k < l->members; k++)
        buffer_print(&name, "%s%s", k ? " + " : "", column_cell(a->party, parties->first_row[l->member[k]], text));
    const char *copy = arena_text(run->work.arena, buffer_get(&name));
    buffer_free(&name);
    return copy ? copy : "";
}

static void report_parties(Run *run, const args *a, const Study *study, int64_t count) {
    Grid *grid = grid_new(run->result, "parties",
                          "party:text known:integer missing:integer certain:integer share:real likelier:integer narrow:integer "
                          "accuracy:real baseline:real gain:real");
    for (int64_t c = 0; c < count; c++) {
        const Learned *l = &study->at[c];
        grid_text(grid, party_name(run, a, &study->parties, l));
        grid_integer(grid, l->known);
        grid_integer(grid, l->missing);
        grid_integer(grid, l->certain);
        grid_real(grid, l->missing ? (double)l->certain / (double)l->missing : NAN);
        grid_integer(grid, l->likelier);
        grid_integer(grid, l->narrow);
        grid_real(grid, l->accuracy);
        grid_real(grid, l->baseline);
        grid_real(grid, l->accuracy - l->baseline);
    }
    grid_done(grid);
}

static Status chart_parties(Run *run, const args *a, const Study *study, int64_t count) {
    Status status = OK;
    const char **names;
    double *certain;
    int64_t bars = count < 40 ? count : 40;
    NEW(&run->work, names, bars);
    NEW(&run->work, certain, bars);
    for (int64_t c = 0; c < bars; c++) {
        names[c] = party_name(run, a, &study->parties, &study->at[c]);
        certain[c] = study->at[c].missing ? (double)study->at[c].certain / (double)study->at[c].missing : 0;
    }
    Chart *chart =
        result_chart(run->result, CHART_BAR, "Share of others' statuses learned with certainty, by party", "party", "share certain");
    chart_series(chart, "certain", bars, NULL, certain, NULL, names);
done:
    return status;
}

/* The coalition that knows most in the end: where `certain` is largest, the earliest of equals. */
static int64_t worst_of(const Study *study, int64_t count) {
    int64_t worst = 0;
    for (int64_t c = 0; c < count; c++)
        if (study->at[c].certain > study->at[worst].certain) worst = c;
    return worst;
}

static void report_worst(Run *run, const args *a, const Study *study, int64_t count) {
    int64_t worst = worst_of(study, count), likelier = 0, narrow = 0;
    for (int64_t c = 0; c < count; c++) {
        const Learned *l = &study->at[c];
        if (l->likelier > likelier) likelier = l->likelier;
        if (l->narrow > narrow) narrow = l->narrow;
    }
    const Learned *l = count ? &study->at[worst] : NULL;
    result_integer(run->result, "worst_certain", l ? l->certain : 0);
    if (l && l->missing) result_real(run->result, "worst_share", (double)l->certain / (double)l->missing);
    else result_null(run->result, "worst_share", "Every party has all records.");
    if (l) result_text(run->result, "worst_party", party_name(run, a, &study->parties, l));
    else result_null(run->result, "worst_party", "There is no party.");
    result_integer(run->result, "worst_likelier", likelier);
    result_integer(run->result, "worst_narrow", narrow);
}

static double deviation(const RocKnown *all) {
    double n = 0, mean = 0, sum = 0;
    for (int64_t i = 0; i < all->count; i++) {
        double w = all->at[i].positives + all->at[i].negatives, d = all->at[i].score - mean;
        n += w;
        mean += d * w / n;
        sum += w * d * (all->at[i].score - mean);
    }
    return n > 1 ? sqrt(sum / (n - 1)) : 0;
}

static Status read_data(Run *run, const args *a, Study *study, RocKnown *all) {
    Status status = OK;
    const double *score;
    double *turned;
    int8_t *given;
    TRY(column_reals(&run->work, a->score, &score));
    TRY(roc_statuses(&run->work, a->status, a->positive, &given));
    TRY(column_codes(&run->work, a->party, &study->parties));
    NEW(&run->work, turned, a->score->rows);
    for (int64_t i = 0; i < a->score->rows; i++) turned[i] = a->direction ? -score[i] : score[i];
    TRY(roc_known(&run->work, turned, given, a->score->rows, all));
    if (!all->positives || all->positives == all->records) {
        fail(run->work.error, BAD, "a ROC curve needs records of both statuses");
        return error_column(run->work.error, a->status->name);
    }
    study->score = turned;
    study->status = given;
    study->rows = a->score->rows;
    study->prevalence = (double)all->positives / (double)all->records;
    study->factor = a->factor;
    study->width = isnan(a->width) ? deviation(all) / 10 : a->width;
done:
    return status;
}

static void notes(Run *run, const args *a, const Study *study, const RocKnown *all) {
    char text[33], share[33];
    result_note(run->result,
                "A score counts as known in an interval narrower than %s. A status counts as inferred from %s times its prevalence on.",
                real_short(study->width, 4, text), real_short(a->factor, 4, share));
    if (a->score->rows > all->records)
        result_note(run->result, "%lld records without a score or status are not behind the curve and were left out.",
                    (long long)(a->score->rows - all->records));
    if (a->party->missing) result_note(run->result, "%lld records have no party.", (long long)a->party->missing);
    if (!a->instead) result_note(run->result, "--instead evaluates alternatives: a thinned or smoothed curve.");
}

static Status try_instead(Run *run, const args *a, const Study *study, const RocKnown *all, int64_t count) {
    Status status = OK;
    RocKnown known;
    const Learned *worst = &study->at[worst_of(study, count)];
    if (all->records > MOST_INSTEAD) {
        result_note(run->result, "Alternatives are evaluated for at most %d records.", MOST_INSTEAD);
        return OK;
    }
    TRY(coalition_records(&run->work, study, worst, &known));
    TRY(report_instead(run, &(Instead){ all, &known, study->steps, a->points, a->epsilon, party_name(run, a, &study->parties, worst) }));
done:
    return status;
}

static Status roc_publication_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    Study study = { 0 };
    RocKnown all;
    RocSteps steps;
    int64_t count;
    TRY(read_data(run, a, &study, &all));
    TRY(roc_steps(&run->work, &all, &steps));
    study.steps = &steps;
    TRY(list_coalitions(&run->work, study.parties.count, a->coalition, &study.at, &count));
    TRY(parallel_for(&run->work, count, 1, attack_block, &study));
    result_integer(run->result, "records", all.records);
    result_integer(run->result, "parties", study.parties.count);
    result_integer(run->result, "coalitions", count);
    report_worst(run, a, &study, count);
    result_real(run->result, "auc", roc_area(&steps));
    report_parties(run, a, &study, count);
    TRY(chart_parties(run, a, &study, count));
    if (a->instead && count) TRY(try_instead(run, a, &study, &all, count));
    notes(run, a, &study, &all);
done:
    return status;
}

/* About 100 nanoseconds a record for each coalition. */
static double cost(const void *p) {
    const args *a = p;
    double parties = 10, sets = 1;
    for (int64_t k = 0; k < a->coalition; k++) sets *= parties;
    return 1e-7 * (double)a->data->rows * sets;
}

const Method risk_roc_publication = { .group = "risk",
                                      .name = "roc-publication",
                                      .summary = "Disclosure risk of publishing a ROC curve of pooled data, for each contributing party",
                                      .source = "Matthews & Harel 2013",
                                      .params = params,
                                      .size = sizeof(args),
                                      .traits = ATTRIBUTE | INFERENTIAL | RANDOM | UNAUDITED,
                                      .run = roc_publication_run,
                                      .headline = "-worst_certain",
                                      .values = values,
                                      .cost = cost,
                                      .example =
                                          "scrim risk roc-publication examples/clinic.csv --score score --status event --party region" };
