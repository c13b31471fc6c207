/* Attacks that read sensitive values off classes: one pass over classes and their values. */
#include "attack/class_attack.h"
#include <string.h>
#include "math/proportion.h"

int64_t tally_count(const Tally *tally, int32_t value) {
    int64_t low = 0, high = tally->distinct - 1;
    while (low <= high) {
        int64_t middle = low + (high - low) / 2;
        if (tally->value[middle] == value) return tally->count[middle];
        if (tally->value[middle] < value) low = middle + 1;
        else high = middle - 1;
    }
    return 0;
}

/* A missing value may be a blanked one there; else nobody knows it. */
static bool is_release(const ClassAttack *a) { return a->data->released; }

/* What the intruder would take a blanked value for: the commonest of those that the class shows; -1 where it shows none. */
static int32_t commonest(const Tally *tally) {
    int64_t most = 0;
    for (int64_t i = 1; i < tally->distinct; i++)
        if (tally->count[i] > tally->count[most]) most = i;
    return tally->distinct ? tally->value[most] : -1;
}

/* One sensitive column: who is exposed, and who was before. */
typedef struct Exposure {
    int64_t records, classes, before, only_now, only_before;
    uint8_t *record;
} Exposure;

static Status whole_tally(Run *run, const Codes *codes, int64_t rows, ClassTallies *out) {
    Status status = OK;
    int32_t *of = NULL;
    NEW(&run->work, of, rows + 1);
    TRY(class_tallies_make(&run->work, of, rows ? 1 : 0, rows, codes, out));
done:
    return status;
}

static Sight sight_of(const ClassAttack *a, Tally class, const double *share, const Tally *all, const Column *sensitive, const Codes *codes,
                      const void *more) {
    Sight sight = { class, share, all, sensitive, codes, more, NAN, NAN };
    if (a->learns) a->learns(&sight, a->args, &sight.low, &sight.high);
    return sight;
}

static Status expose(Run *run, const ClassAttack *a, const Classes *classes, const Column *sensitive, Exposure *out) {
    Status status = OK;
    Codes codes;
    ClassTallies seen, whole;
    const void *more = NULL;
    double *share = NULL;
    uint8_t *class_exposed = NULL;
    int64_t rows = classes->rows;
    TRY(column_codes(&run->work, sensitive, &codes));
    TRY(class_tallies_agreeing(&run->work, classes, a->missing, &codes, &seen));
    TRY(whole_tally(run, &codes, rows, &whole));
    if (a->prepare) TRY(a->prepare(run, sensitive, &codes, a->args, &more));
    Tally all = rows ? tally_present(spread_tally(&whole, 0), codes.count) : (Tally){ 0 };
    bool release = is_release(a);
    NEW(&run->work, share, codes.count + 2);
    for (int64_t i = 0; i < all.distinct; i++) share[all.value[i]] = (double)all.count[i] / (double)all.total;
    *out = (Exposure){ 0 };
    NEW(&run->work, out->record, rows + 1);
    NEW(&run->work, class_exposed, classes->count + 1);
    Sight before = sight_of(a, all, share, &all, sensitive, &codes, more), *sight = NULL;
    NEW(&run->work, sight, classes->count + 1);
    for (int64_t c = 0; c < classes->count; c++)
        sight[c] = sight_of(a, tally_present(spread_tally(&seen, c), codes.count), share, &all, sensitive, &codes, more);
    for (int64_t i = 0; i < rows; i++) {
        const Sight now = sight[classes->of[i]];
        int32_t value = codes.at[i] >= 0 ? codes.at[i] : release ? commonest(&now.class) : -1;
        if (value < 0) continue; /* there is nothing to learn */
        bool exposed = a->exposes(&now, value, a->args), known = a->known_before(&before, value, a->args);
        int64_t times = work_times(&run->work, i);
        out->record[i] = exposed;
        out->records += exposed * times;
        out->before += known * times;
        out->only_now += (exposed && !known) * times;
        out->only_before += (known && !exposed) * times;
        class_exposed[classes->of[i]] |= exposed;
    }
    for (int64_t c = 0; c < classes->count; c++) out->classes += class_exposed[c];
done:
    return status;
}

static void put_row(Grid *grid, const Column *sensitive, const Exposure *e, double rows, Interval gain) {
    grid_text(grid, sensitive->name);
    grid_integer(grid, e->records);
    grid_integer(grid, e->classes);
    grid_real(grid, rows > 0 ? (double)e->before / rows : 0);
    grid_real(grid, rows > 0 ? (double)(e->records - e->before) / rows : 0);
    grid_real(grid, gain.low);
    grid_real(grid, gain.high);
}

static Status put_column(Run *run, const Exposure *worst, int64_t rows) {
    Column *column = NULL;
    if (!run_wants(run, "exposed")) return OK;
    Status status = column_new(INTEGER_TYPE, "exposed", rows, &column, run->work.error);
    for (int64_t i = 0; !status && i < rows; i++) column->integer[i] = worst->record[i];
    if (!status) result_column(run->result, "data", column);
    return status;
}

static void note_missing(Run *run, const ClassAttack *a) {
    int64_t missing = 0;
    for (int64_t j = 0; j < a->sensitive.count; j++) missing += a->sensitive.at[j]->missing;
    if (!missing) return;
    result_note(run->result, "A missing sensitive value counts neither as a value nor as a record.%s",
                is_release(a) ? " It may be suppressed here. Its record is disclosed if the class discloses the value." : "");
}

Status attack_by_class(Run *run, const ClassAttack *a) {
    Status status = OK;
    Classes classes;
    Exposure worst = { .records = -1 };
    double rows = (double)work_records(&run->work, a->data->rows);
    TRY(classes_make_by(&run->work, a->keys, a->missing, &classes));
    Grid *grid =
        grid_new(run->result, "sensitive", "sensitive:text exposed:integer classes:integer baseline:real gain:real lower:real upper:real");
    for (int64_t j = 0; j < a->sensitive.count; j++) {
        Exposure e;
        TRY(expose(run, a, &classes, a->sensitive.at[j], &e));
        put_row(grid, a->sensitive.at[j], &e, rows, paired_interval((double)e.only_now, (double)e.only_before, rows));
        if (e.records > worst.records) worst = e;
    }
    grid_done(grid);
    Interval gain = paired_interval((double)worst.only_now, (double)worst.only_before, rows);
    result_integer(run->result, a->exposed, worst.records);
    result_integer(run->result, "classes", worst.classes);
    result_real(run->result, "share", rows > 0 ? (double)worst.records / rows : 0);
    result_real(run->result, "baseline", rows > 0 ? (double)worst.before / rows : 0);
    result_real(run->result, "gain", rows > 0 ? (double)(worst.records - worst.before) / rows : 0);
    result_real(run->result, "lower", gain.low);
    result_real(run->result, "upper", gain.high);
    TRY(put_column(run, &worst, a->data->rows));
    if (table_altered_any(a->data, a->keys) || table_altered_any(a->data, a->sensitive))
        result_note(run->result, "The table was perturbed: conclusions from its classes may be wrong for the people concerned.");
    note_missing(run, a);
    result_note(run->result, "%s", missing_rule_note(a->missing));
done:
    return status;
}
