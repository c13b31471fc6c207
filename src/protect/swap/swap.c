/* protect.swap: data swapping: records exchange the values of some columns, so that chosen tables stay as they are. Defined after
 * Dalenius & Reiss 1982; Reiss 1984; Fienberg & McIntyre 2004: docs/methods/protect-swap.md. */
#include "protect/swap/swap.h"
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "protect/changed_table.h"

typedef struct {
    const Table *data, *rules;
    Columns vars, strata, against;
    const Column *weight;
    double rate;
    int64_t preserve;
    bool exact;
    const Column *person;
} args;

static const Param params[] = {
    TABLE(args, data, "Table to protect", .flags = REQUIRED | POSITIONAL),
    COLUMNS(args, vars, data, "Columns whose values are exchanged together", .flags = REQUIRED, .role = "sensitive"),
    REAL(args, rate, 0.1, 0, 1, "Share of the records that exchange values, 0 to 1. Larger = more protection"),
    COLUMNS(args, strata, data, "Values are exchanged within each stratum"),
    INT(args, preserve, 1, 1, 4,
        "t: preserve every table of a swapped column with t − 1 others exactly, as far as such exchanges are found"),
    COLUMNS(args, against, data, "Other columns whose tables are preserved (default: those of at most fifty values)"),
    FLAG(args, exact,
         "Never change a t-way table, even if fewer records are swapped (default: change one if less than half of the rate would be "
         "reached)"),
    TABLE(args, rules, "Edit rules, one expression per row in column `rule`. An exchange that violates one is undone"),
    COLUMN(args, weight, data, "Sampling weights: weighted counts are shown before and after", .flags = NUMERIC),
    PERSON(args, data),
    END,
};

enum { FEW = 50, ROUNDS = 10 };

static bool among(const Column *column, Columns columns) {
    for (int64_t k = 0; k < columns.count; k++)
        if (columns.at[k] == column) return true;
    return false;
}

/* Named columns, or all others of few values; strata are kept anyway. */
static Status choose_against(Swap *s, const args *a) {
    Status status = OK;
    Work *work = &s->run->work;
    Columns all = { 0 };
    NEW(work, all.at, a->data->columns + 1);
    NEW(work, s->code, a->data->columns + 1);
    for (int64_t j = 0; j < a->data->columns; j++) {
        const Column *column = a->data->column[j];
        Codes codes;
        bool named = among(column, a->against);
        if (a->against.count ? !named : column->type == REAL_TYPE || column == a->weight) continue;
        if (among(column, a->vars)) {
            if (!named) continue;
            fail(work->error, BAD, "is swapped and cannot stay unchanged");
            TRY(error_column(work->error, column->name));
        }
        if (among(column, a->strata)) continue;
        TRY(column_codes(work, column, &codes));
        if (!named && (codes.count > FEW || codes.count < 2)) continue;
        s->code[all.count] = codes.at;
        all.at[all.count++] = column;
    }
    s->against = all;
done:
    return status;
}

/* Tuples of swapped values, numbered; -1 where one is missing. */
static Status number_values(Swap *s) {
    Status status = OK;
    Work *work = &s->run->work;
    Codes *codes = NULL;
    Grouping groups;
    int32_t *value = NULL;
    NEW(work, codes, s->vars.count + 1);
    NEW(work, value, s->rows + 1);
    for (int64_t v = 0; v < s->vars.count; v++) TRY(column_codes(work, s->vars.at[v], &codes[v]));
    TRY(group_codes(work, codes, s->vars.count, s->rows, &groups));
    for (int64_t i = 0; i < s->rows; i++) {
        value[i] = groups.of[i];
        for (int64_t v = 0; v < s->vars.count; v++)
            if (codes[v].at[i] < 0) value[i] = -1;
    }
    s->value = value;
    s->values = groups.count;
done:
    return status;
}

static Status swapped_table(Swap *s, Column **made, Table **out) {
    Status status = OK;
    for (int64_t v = 0; v < s->vars.count; v++) {
        column_release(made[v]);
        made[v] = NULL;
        TRY(column_of_rows(s->vars.at[v], s->from, &made[v], s->run->work.error));
    }
    if (out) TRY(table_with(s->data, made, s->vars.count, out, s->run->work.error));
done:
    return status;
}

/* Moves after which a record breaks a rule that it kept before are undone. How many were is added to *undone. */
static Status undo_broken(Swap *s, const EditRules *rules, const int32_t *before, int32_t *after, Column **made, int64_t *undone) {
    Status status = OK;
    Table *table = NULL;
    int64_t kept = 0;
    TRY(swapped_table(s, made, &table));
    TRY(edit_rules_broken(&s->run->work, rules, table, after, NULL));
    for (int64_t m = 0; m < s->moves; m++) {
        bool broken = false;
        for (int k = 0; k < 1 << s->move[m].order; k++) broken |= after[s->move[m].row[k]] > before[s->move[m].row[k]];
        if (broken) {
            swap_revert(s, &s->move[m]);
            ++*undone;
        } else s->move[kept++] = s->move[m];
    }
    s->moves = kept;
done:
    table_release(table);
    return status;
}

static int64_t moved_in(const Swap *s, int64_t stratum) {
    int64_t moved = 0;
    for (int64_t r = s->strata.start[stratum]; r < s->strata.start[stratum + 1]; r++)
        moved += s->from[s->strata.row[r]] != s->strata.row[r];
    return moved;
}

/* One pass over the strata: what is still to be moved, by the highest order that finds moves, then by lower ones down to `lowest`. */
static Status pass(Swap *s, const args *a, RandomReader *reader, int lowest) {
    Status status = OK;
    double carry = 0;
    for (int64_t stratum = 0; stratum < s->strata.count; stratum++) {
        int64_t size = s->strata.start[stratum + 1] - s->strata.start[stratum];
        carry += a->rate * (double)size * (1 + 1e-12); /* small strata share one budget */
        int64_t need = (int64_t)floor(carry) - moved_in(s, stratum);
        work_show(&s->run->work, "swaps", (double)stratum / (double)s->strata.count);
        TRY(work_check(&s->run->work));
        for (int order = (int)s->order; order >= lowest && need > 0; order--) {
            int64_t moved = 0;
            TRY(swap_stratum(s, reader, stratum, order, need, &moved));
            need -= moved;
        }
        carry = smaller(carry - (double)moved_in(s, stratum),
                        (double)(1 << s->order)); /* what a stratum cannot do, the others need not make up for */
    }
done:
    return status;
}

/* Keeping the tables comes first: moves of lower order only where those that keep them reach less than half of the rate. */
static Status swap_all(Swap *s, const args *a, RandomReader *reader) {
    Status status = OK;
    int64_t moved = 0;
    TRY(pass(s, a, reader, (int)s->order));
    if (s->order == 1 || a->exact) return OK;
    for (int64_t stratum = 0; stratum < s->strata.count; stratum++) moved += moved_in(s, stratum);
    if (2 * (double)moved < a->rate * (double)s->rows) TRY(pass(s, a, reader, 1));
done:
    return status;
}

static Status make_swaps(Swap *s, const args *a, Column **made) {
    Status status = OK;
    Work *work = &s->run->work;
    EditRules rules = { 0 };
    int32_t *before = NULL, *after = NULL;
    int64_t undone = 0, last = -1;
    RandomStream stream = run_stream(s->run, NULL, "swap");
    RandomReader reader = reader_make(&stream);
    if (a->rules) {
        TRY(edit_rules_make(work, a->rules, a->data, &rules));
        NEW(work, before, s->rows + 1);
        NEW(work, after, s->rows + 1);
        TRY(edit_rules_broken(work, &rules, a->data, before, NULL));
    }
    for (int round = 0; round < ROUNDS && undone != last; round++) {
        last = undone;
        TRY(swap_all(s, a, &reader));
        if (rules.count) TRY(undo_broken(s, &rules, before, after, made, &undone));
    }
    if (a->rules) result_integer(s->run->result, "undone", undone);
    TRY(swapped_table(s, made, NULL));
done:
    return status;
}

static void say(const Swap *s, const args *a) {
    Result *result = s->run->result;
    Buffer names = { 0 };
    const Value *distance = result_find(result, "distance");
    for (int64_t k = 0; k < s->against.count; k++) buffer_print(&names, "%s%s", k ? ", " : "", s->against.at[k]->name);
    result_note(result, "Every swapped column keeps its counts exactly%s.", a->strata.count ? ", in every stratum" : "");
    if (s->against.count)
        result_note(result, "distance is the largest total variation distance of a %d-way table of a swapped column with: %s.",
                    s->order > 1 ? (int)s->order : 2, buffer_get(&names));
    if (s->order > 1 && distance && distance->real > 0)
        result_note(result,
                    "Too few exchanges preserve every %d-way table. The others are exchanges of lower order; --exact excludes them.",
                    (int)s->order);
    if (s->order > 1 && result_find(result, "rate")->real + 1e-9 < a->rate * 0.9)
        result_note(result, "Fewer records were swapped than requested: no more exchanges preserve the tables.");
    if (s->weight) result_note(result, "Swapping preserves counts, not weighted counts. Compare them in weighted_counts.");
    result_note(result, "Records with a missing value in a swapped column were not swapped.");
    buffer_free(&names);
}

static Status state_treatment(const Swap *s, Column **made) {
    Status status = OK;
    int64_t moved = 0;
    for (int64_t stratum = 0; stratum < s->strata.count; stratum++) moved += moved_in(s, stratum);
    for (int64_t v = 0; v < s->vars.count && s->rows; v++)
        TRY(column_treat(made[v], treatment_of_amount(TREATED_SWAPPED, (double)moved / (double)s->rows), s->run->work.error));
done:
    return status;
}

static Status swap_run(Run *run, const void *p) {
    const args *a = p;
    Status status = OK;
    Column **made = NULL;
    Swap s = { .run = run,
               .data = a->data,
               .vars = a->vars,
               .strata_columns = a->strata,
               .weight = a->weight,
               .rows = a->data->rows,
               .order = a->preserve };
    NEW(&run->work, made, a->vars.count + 1);
    for (int64_t v = 0; v < a->vars.count; v++)
        if (among(a->vars.at[v], a->strata)) {
            fail(run->work.error, BAD, "is swapped, and cannot be a stratum");
            TRY(error_column(run->work.error, a->vars.at[v]->name));
        }
    TRY(strata_make(&run->work, a->strata, s.rows, &s.strata));
    TRY(choose_against(&s, a));
    TRY(number_values(&s));
    if (s.order > s.against.count + 1) {
        fail(run->work.error, BAD, "asks for tables of %d columns, and there %s %lld to set against the swapped ones", (int)s.order,
             s.against.count == 1 ? "is" : "are", (long long)s.against.count);
        TRY(error_parameter(run->work.error, "preserve"));
    }
    TRY(swap_prepare(&s));
    TRY(make_swaps(&s, a, made));
    TRY(state_treatment(&s, made));
    TRY(output_changed(run, a->data, made, a->vars.count));
    TRY(swap_report(&s));
    say(&s, a);
done:
    columns_release(made, a->vars.count);
    return status;
}

static const Return values[] = {
    VALUE(undone, INTEGER, "Exchanges undone because they violated an edit rule", .flags = PUBLIC),
    CHANGED_VALUES,
    VALUE(swapped, INTEGER, "Records that exchanged values", .flags = PUBLIC),
    VALUE(rate, REAL, "Share of the records that exchanged values", .flags = PUBLIC),
    VALUE(distance, REAL, "Largest total variation distance of a t-way table of a swapped column (two-way if t is 1). 0 = unchanged",
          .flags = PUBLIC),
    VALUE(tables, INTEGER, "Tables compared", .flags = PUBLIC),
    VALUE(tables_kept, INTEGER, "Tables that are unchanged", .flags = PUBLIC),
    TABLE_OUT(moves, "order:integer moves:integer records:integer", "Exchanges by order: an exchange of order t preserves all t-way tables",
              .flags = PUBLIC),
    TABLE_OUT(weighted_counts, "variable:text category:text before:real after:real",
              "Weighted counts of the swapped columns, before and after"),
    RELEASED("The protected table"),
    END,
};

const Method protect_swap = {
    .group = "protect",
    .name = "swap",
    .summary = "Data swapping: exchange values between records and preserve chosen tables",
    .source = "Dalenius & Reiss 1982; Reiss 1984; Fienberg & McIntyre 2004",
    .params = params,
    .size = sizeof(args),
    .traits = BY_PERSON | PERTURBS | RANDOM | IDENTITY | ATTRIBUTE,
    .run = swap_run,
    .values = values,
    .example = "scrim protect swap examples/clinic.csv --vars diagnosis --rate 0.2 --preserve 2 --against sex,region,education",
};
