/* Attacks that read sensitive values off classes: one pass over classes and their values. */
#include "attack/class_attack.h"
#include <string.h>
#include "classes/people_values.h"
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

/* The sensitive values that each class shows, and the whole table. */
typedef struct Shown {
    ClassTallies seen, whole;
    PeopleValues of_class, of_all; /* with persons, in place of the tallies */
    bool by_person;
} Shown;

static Status show_values(Run *run, const ClassAttack *a, const Classes *classes, const Histories *h, const Codes *codes, Shown *out) {
    Status status = OK;
    const int64_t rows = classes->rows, all = rows ? 1 : 0;
    int32_t *of = NULL;
    NEW(&run->work, of, rows + 1);
    *out = (Shown){ .by_person = a->person && a->missing == CATEGORY_RULE };
    if (out->by_person) {
        TRY(people_values_make(&run->work, classes->of, classes->count, rows, h, codes, &out->of_class));
        TRY(people_values_make(&run->work, of, all, rows, h, codes, &out->of_all));
        goto done;
    }
    TRY(class_tallies_agreeing(&run->work, classes, a->missing, codes, &out->seen));
    TRY(class_tallies_make(&run->work, of, all, rows, codes, &out->whole));
done:
    return status;
}

static Tally shown_by_class(const Shown *s, int64_t c, int32_t missing) {
    return s->by_person ? people_tally(&s->of_class, c, missing) : tally_present(spread_tally(&s->seen, c), missing);
}

static Tally shown_by_all(const Shown *s, int64_t rows, int32_t missing) {
    if (!rows) return (Tally){ 0 };
    return s->by_person ? people_tally(&s->of_all, 0, missing) : tally_present(spread_tally(&s->whole, 0), missing);
}

static Sight sight_of(const ClassAttack *a, Tally class, const double *share, const Tally *all, const Column *sensitive, const Codes *codes,
                      const void *more) {
    Sight sight = { class, share, all, sensitive, codes, more, NAN, NAN };
    if (a->learns) a->learns(&sight, a->args, &sight.low, &sight.high);
    return sight;
}

/* What of each record is exposed, and was before; then of each person, if any record is. */
enum { EXPOSED = 1, KNOWN = 2 };

static void count_exposed(const Work *work, const Histories *h, const uint8_t *flags, int64_t rows, uint8_t *of_owner, Exposure *out) {
    for (int64_t i = 0; h && i < rows; i++) of_owner[h->of[i]] |= flags[i];
    const int64_t units = h ? h->owners : rows;
    for (int64_t i = 0; i < units; i++) {
        const uint8_t flag = h ? of_owner[i] : flags[i];
        const int64_t times = h ? h->stands_for[i] : work_times(work, i);
        const bool exposed = flag & EXPOSED, known = flag & KNOWN;
        out->records += exposed * times;
        out->before += known * times;
        out->only_now += (exposed && !known) * times;
        out->only_before += (known && !exposed) * times;
    }
}

static Status expose(Run *run, const ClassAttack *a, const Classes *classes, const Histories *h, const Column *sensitive, Exposure *out) {
    Status status = OK;
    Codes codes;
    Shown shown;
    const void *more = NULL;
    double *share = NULL;
    uint8_t *class_exposed = NULL, *flags = NULL, *of_owner = NULL;
    int64_t rows = classes->rows;
    TRY(column_codes(&run->work, sensitive, &codes));
    TRY(show_values(run, a, classes, h, &codes, &shown));
    if (a->prepare) TRY(a->prepare(run, sensitive, &codes, a->args, &more));
    Tally all = shown_by_all(&shown, rows, codes.count);
    bool release = is_release(a);
    NEW(&run->work, share, codes.count + 2);
    for (int64_t i = 0; i < all.distinct; i++) share[all.value[i]] = (double)all.count[i] / (double)all.total;
    *out = (Exposure){ 0 };
    NEW(&run->work, out->record, rows + 1);
    NEW(&run->work, flags, rows + 1);
    NEW(&run->work, of_owner, h ? h->owners + 1 : 1);
    NEW(&run->work, class_exposed, classes->count + 1);
    Sight before = sight_of(a, all, share, &all, sensitive, &codes, more), *sight = NULL;
    NEW(&run->work, sight, classes->count + 1);
    for (int64_t c = 0; c < classes->count; c++)
        sight[c] = sight_of(a, shown_by_class(&shown, c, codes.count), share, &all, sensitive, &codes, more);
    for (int64_t i = 0; i < rows; i++) {
        const Sight now = sight[classes->of[i]];
        int32_t value = codes.at[i] >= 0 ? codes.at[i] : release ? commonest(&now.class) : -1;
        if (value < 0) continue; /* there is nothing to learn */
        bool exposed = a->exposes(&now, value, a->args), known = a->known_before(&before, value, a->args);
        flags[i] = (uint8_t)((exposed ? EXPOSED : 0) | (known ? KNOWN : 0));
        out->record[i] = exposed;
        class_exposed[classes->of[i]] |= exposed;
    }
    count_exposed(&run->work, shown.by_person ? h : NULL, flags, rows, of_owner, out);
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
    Histories histories;
    Exposure worst = { .records = -1 };
    double rows = (double)work_records(&run->work, a->data->rows);
    const bool by_person = a->person && a->missing == CATEGORY_RULE;
    TRY(classes_make_by(&run->work, a->keys, a->missing, &classes));
    if (by_person) TRY(histories_make(&run->work, &classes, a->person, &histories));
    if (by_person) rows = (double)histories.people;
    Grid *grid =
        grid_new(run->result, "sensitive", "sensitive:text exposed:integer classes:integer baseline:real gain:real lower:real upper:real");
    for (int64_t j = 0; j < a->sensitive.count; j++) {
        Exposure e;
        TRY(expose(run, a, &classes, by_person ? &histories : NULL, a->sensitive.at[j], &e));
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
    if (by_person) {
        result_describe(run->result, a->exposed, "People of whom some record's sensitive value is exposed by its class", true);
        result_describe(run->result, "share", "The same over the number of people", true);
        result_describe(run->result, "baseline", "The share of people exposed without the release, from the table's totals alone", true);
        result_note(run->result, "People are counted, not records. A class gives a value away that every person in it has in some record.");
    } else if (a->person) result_note(run->result, "By sdcMicro's rule records are counted, not people.");
    result_note(run->result, "%s", missing_rule_note(a->missing));
done:
    return status;
}
