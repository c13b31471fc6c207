/* protect.target-swap: households at risk exchange their places with households elsewhere. Defined after Shlomo, Tudor & Groom 2010;
 * Fienberg & McIntyre 2004: docs/methods/protect-target-swap.md. */
#include "base/elementary.h"
#include "base/number_text.h"
#include "classes/individual_risk.h"
#include "math/ranks.h"
#include "protect/changed_table.h"
#include "protect/target_swap/households.h"
#include "protect/target_swap/pool.h"

typedef struct {
    const Table *data;
    Columns geography, keys, similar, carry;
    const Column *household, *weight;
    double rate;
    int64_t k;
    bool exact;
    unsigned missing;
} args;

static const Param params[] = {
    TABLE(args, data, "Table to protect", .flags = REQUIRED | POSITIONAL),
    COLUMNS(args, geography, data, "Geography of the household, the coarsest level first (region,district): exchanged together",
            .flags = REQUIRED),
    COLUMN(args, household, data, "Household: moves as a whole; without it each record is one"),
    KEYS(args, data, .flags = REQUIRED),
    REAL(args, rate, 0.1, 0, 1,
         "Share of the households that exchange places, 0 to 1. Households at higher risk are drawn with higher probability"),
    INT(args, k, 1, 1, 1000000000,
        "Households with a member whose keys fewer than k records of their area share are always exchanged. 1 = none"),
    COLUMNS(args, similar, data,
            "Households are exchanged with households of the same size whose members have the same values of these columns"),
    FLAG(args, exact, "Do not exchange a household if no similar household exists within the next coarser area"),
    COLUMNS(args, carry, data, "Columns that move with the place (postcode, coordinates)"),
    COLUMN(args, weight, data, "Sampling weights: risk is then that of the population", .flags = NUMERIC),
    MISSING_RULE(args),
    END,
};

enum { ALIKE_NEAR, ALIKE, SIZE_ALONE, POOLS };
typedef struct {
    int64_t at_risk, exchanged[POOLS], left;
} Level;
typedef struct {
    Run *run;
    const args *a;
    Households homes;
    uint8_t *used;     /* exchanged, or without a known place */
    int32_t *violates; /* the coarsest level at which fewer than k share a member's keys; `levels` = none */
    double *risk;      /* at the finest level */
    int64_t *order;    /* households in the order in which they are drawn */
    Level *level;
    int64_t *from; /* record → the record whose place it takes */
    int64_t known, swapped;
} Swapping;

/* Risk of a record: E[1/F | f] among the records of its area (1/f without weights); of a household, that one member is found: 1 − Π(1 −
 * risk). */
static Status measure_level(Swapping *s, Columns columns, int64_t level) {
    Status status = OK;
    Classes classes;
    Frequencies frequencies;
    bool finest = level == s->homes.levels - 1;
    TRY(classes_make(&s->run->work, columns, &classes));
    TRY(classes_frequencies(&s->run->work, &classes, s->a->missing, s->a->weight, &frequencies));
    for (int64_t i = 0; i < s->a->data->rows; i++) {
        int64_t home = s->homes.of[i];
        int32_t class = classes.of[i];
        if (frequencies.f[class] < s->a->k && s->violates[home] > level) s->violates[home] = (int32_t)level;
        if (finest) s->risk[home] += log1p(-individual_risk(frequencies.f[class], frequencies.F[class]));
    }
    for (int64_t h = 0; finest && h < s->homes.count; h++) s->risk[h] = -expm1(s->risk[h]);
done:
    return status;
}

static Status measure(Swapping *s) {
    Status status = OK;
    Columns geography = s->a->geography, keys = s->a->keys, columns = { 0 };
    NEW(&s->run->work, s->violates, s->homes.count + 1);
    NEW(&s->run->work, s->risk, s->homes.count + 1);
    NEW(&s->run->work, columns.at, geography.count + keys.count + 1);
    for (int64_t h = 0; h < s->homes.count; h++) s->violates[h] = (int32_t)s->homes.levels;
    for (int64_t level = 0; level < s->homes.levels; level++) {
        columns.count = 0;
        for (int64_t g = 0; g <= level; g++) columns.at[columns.count++] = geography.at[g];
        for (int64_t k = 0; k < keys.count; k++) columns.at[columns.count++] = keys.at[k];
        TRY(work_check(&s->run->work));
        TRY(measure_level(s, columns, level));
    }
done:
    return status;
}

/* Drawn without replacement with chances in proportion to risk: ascending −ln(u)/risk (Efraimidis & Spirakis 2006). */
static Status draw_order(Swapping *s) {
    Status status = OK;
    Work *work = &s->run->work;
    RandomStream stream = run_stream(s->run, NULL, "order");
    int64_t count = 0;
    uint64_t *words = NULL;
    double *key = NULL;
    NEW(work, words, s->homes.count + 1);
    NEW(work, key, s->homes.count + 1);
    NEW(work, s->order, s->homes.count + 1);
    stream_words(&stream, 0, (size_t)s->homes.count, words);
    for (int64_t h = 0; h < s->homes.count; h++) key[h] = s->risk[h] > 0 ? -log(word_uniform(words[h])) / s->risk[h] : INFINITY;
    TRY(order_reals(work, key, s->homes.count, s->order, &count));
done:
    return status;
}

static Status make_pools(Swapping *s, int64_t level, Pool pools[POOLS]) {
    Status status = OK;
    Households *homes = &s->homes;
    uint64_t *words = NULL;
    NEW(&s->run->work, words, homes->count + 1);
    for (int kind = 0; kind < POOLS; kind++) {
        for (int64_t h = 0; h < homes->count; h++) {
            uint32_t parent = kind == ALIKE_NEAR && level ? (uint32_t)homes->area[level - 1][h] : 0;
            words[h] = (uint64_t)(kind == SIZE_ALONE ? household_size(homes, h) : homes->profile[h]) << 32 | parent;
        }
        TRY(pool_make(&s->run->work, words, homes->count, homes->area[level], s->used, &pools[kind]));
    }
done:
    return status;
}

static void exchange(Swapping *s, int64_t a, int64_t b) {
    for (int64_t k = 0; k < household_size(&s->homes, a); k++) {
        int64_t one = s->homes.row[s->homes.start[a] + k], other = s->homes.row[s->homes.start[b] + k];
        s->from[one] = other;
        s->from[other] = one;
    }
    s->used[a] = s->used[b] = 1;
    s->swapped += 2;
}

static bool find_partner(Swapping *s, Pool *pools, RandomReader *reader, int64_t household, Level *level) {
    for (int kind = 0; kind < (s->a->exact ? ALIKE_NEAR + 1 : POOLS); kind++) {
        int64_t other = pool_draw(&pools[kind], reader, household);
        if (other < 0) continue;
        exchange(s, household, other);
        level->exchanged[kind] += 2;
        return true;
    }
    return false;
}

/* Level by level, the coarsest first: those who must move; at the finest, the rest until the rate is reached. */
static Status swap_level(Swapping *s, RandomReader *reader, int64_t at) {
    Status status = OK;
    Pool pools[POOLS];
    Level *level = &s->level[at];
    int64_t target = (int64_t)floor(s->a->rate * (double)s->known * (1 + 1e-12));
    TRY(make_pools(s, at, pools));
    for (int64_t r = 0; r < s->homes.count; r++) {
        int64_t home = s->order[r];
        if (s->violates[home] != at || s->homes.area[s->homes.levels - 1][home] < 0) continue;
        level->at_risk++;
        if (!s->used[home] && !find_partner(s, pools, reader, home, level)) level->left++;
        if (!(r & 4095)) TRY(work_check(&s->run->work));
    }
    for (int64_t r = 0; at == s->homes.levels - 1 && r < s->homes.count && s->swapped + 2 <= target; r++) {
        if (!s->used[s->order[r]]) (void)find_partner(s, pools, reader, s->order[r], level);
        if (!(r & 4095)) TRY(work_check(&s->run->work));
    }
done:
    return status;
}

static Status swap_all(Swapping *s) {
    Status status = OK;
    RandomStream stream = run_stream(s->run, NULL, "partner");
    RandomReader reader = reader_make(&stream);
    NEW(&s->run->work, s->used, s->homes.count + 1);
    NEW(&s->run->work, s->level, s->homes.levels + 1);
    NEW(&s->run->work, s->from, s->a->data->rows + 1);
    for (int64_t i = 0; i < s->a->data->rows; i++) s->from[i] = i;
    for (int64_t h = 0; h < s->homes.count; h++) {
        s->used[h] = s->homes.area[s->homes.levels - 1][h] < 0;
        s->known += !s->used[h];
    }
    for (int64_t level = 0; level < s->homes.levels; level++) {
        work_show(&s->run->work, "exchanges", (double)level / (double)s->homes.levels);
        TRY(swap_level(s, &reader, level));
    }
done:
    return status;
}

/* Total variation of each level's table with a key, ½Σ|p − q|: what moving cost. */
static Status say_distances(Swapping *s) {
    Status status = OK;
    Work *work = &s->run->work;
    int64_t rows = s->a->data->rows, *change = NULL;
    uint64_t *words = NULL;
    double worst = 0;
    Grid *grid = grid_new(s->run->result, "tables", "level:text key:text total_variation:real");
    NEW(work, words, 2 * rows + 1);
    NEW(work, change, 2 * rows + 1);
    for (int64_t level = 0; level < s->homes.levels; level++)
        for (int64_t k = 0; k < s->a->keys.count; k++) {
            Codes codes;
            Grouping cells;
            int64_t moved = 0;
            TRY(column_codes(work, s->a->keys.at[k], &codes));
            for (int64_t i = 0; i < rows; i++) {
                words[i] = (uint64_t)(uint32_t)s->homes.area[level][s->homes.of[i]] << 32 | (uint32_t)codes.at[i];
                words[rows + i] = (uint64_t)(uint32_t)s->homes.area[level][s->homes.of[s->from[i]]] << 32 | (uint32_t)codes.at[i];
            }
            TRY(group_words(work, words, 0, 2 * rows, &cells));
            for (int64_t c = 0; c < cells.count; c++) change[c] = 0;
            for (int64_t i = 0; i < 2 * rows; i++) change[cells.of[i]] += i < rows ? 1 : -1;
            for (int64_t c = 0; c < cells.count; c++) moved += change[c] < 0 ? -change[c] : change[c];
            double distance = rows ? (double)moved / (2.0 * (double)rows) : NAN;
            grid_text(grid, s->a->geography.at[level]->name);
            grid_text(grid, s->a->keys.at[k]->name);
            grid_real(grid, distance);
            worst = fmax(worst, distance);
        }
    grid_done(grid);
    result_real(s->run->result, "distance", worst);
done:
    return status;
}

static void say(Swapping *s) {
    Result *result = s->run->result;
    int64_t left = 0, unlike = 0, at_risk = 0;
    Grid *grid =
        grid_new(result, "levels", "level:text at_risk:integer exchanged:integer alike_elsewhere:integer size_alone:integer left:integer");
    for (int64_t at = 0; at < s->homes.levels; at++) {
        const Level *level = &s->level[at];
        grid_text(grid, s->a->geography.at[at]->name);
        grid_integer(grid, level->at_risk);
        grid_integer(grid, level->exchanged[ALIKE_NEAR] + level->exchanged[ALIKE] + level->exchanged[SIZE_ALONE]);
        grid_integer(grid, level->exchanged[ALIKE]);
        grid_integer(grid, level->exchanged[SIZE_ALONE]);
        grid_integer(grid, level->left);
        left += level->left;
        at_risk += level->at_risk;
        unlike += s->a->similar.count ? level->exchanged[SIZE_ALONE] : 0;
    }
    grid_done(grid);
    result_integer(result, "households", s->homes.count);
    result_integer(result, "swapped", s->swapped);
    result_real(result, "rate", s->known ? (double)s->swapped / (double)s->known : NAN);
    result_integer(result, "at_risk", at_risk);
    result_integer(result, "left", left);
    result_integer(result, "unlike", unlike);
    result_note(result,
                "Every area keeps its number of records and of households of each size%s. Tables of the area with other columns change "
                "(see tables).",
                s->a->similar.count && !unlike ? ", and its counts of the similar columns" : "");
    if (left) result_note(result, "Warning: %lld households at risk were not exchanged, because no partner was left.", (long long)left);
    if (unlike)
        result_note(result, "%lld households were exchanged with households that have only the same size. --exact prevents that.",
                    (long long)unlike);
    if (s->a->rate > 0 && s->known && (double)s->swapped < 0.9 * s->a->rate * (double)s->known - 1)
        result_note(result, "Fewer households were exchanged than requested, because no partners were left.");
    if (s->known < s->homes.count)
        result_note(result, "%lld households without a place were not exchanged.", (long long)(s->homes.count - s->known));
    result_note(result, "%s", missing_rule_note(s->a->missing));
}

static Status check_columns(Work *work, const args *a) {
    for (int64_t g = 0; g < a->geography.count; g++) {
        const Column *column = a->geography.at[g];
        bool clash = column == a->household;
        for (int64_t k = 0; k < a->keys.count; k++) clash |= a->keys.at[k] == column;
        for (int64_t k = 0; k < a->similar.count; k++) clash |= a->similar.at[k] == column;
        for (int64_t k = 0; k < a->carry.count; k++) clash |= a->carry.at[k] == column;
        if (!clash) continue;
        fail(work->error, BAD, "is geography, and cannot be a key, similar, carried or the household too");
        return error_column(work->error, column->name);
    }
    return OK;
}

static Status target_swap_run(Run *run, const void *p) {
    const args *a = p;
    Status status = OK;
    Column **made = NULL;
    int64_t count = 0;
    Swapping s = { .run = run, .a = a };
    NEW(&run->work, made, a->geography.count + a->carry.count + 1);
    TRY(check_columns(&run->work, a));
    TRY(households_make(&run->work, a->household, a->geography, a->similar, a->data->rows, &s.homes));
    TRY(measure(&s));
    TRY(draw_order(&s));
    TRY(swap_all(&s));
    for (int64_t g = 0; g < a->geography.count; g++, count++)
        TRY(column_of_rows(a->geography.at[g], s.from, &made[count], run->work.error));
    for (int64_t c = 0; c < a->carry.count; c++, count++) TRY(column_of_rows(a->carry.at[c], s.from, &made[count], run->work.error));
    TRY(output_changed(run, a->data, made, count));
    TRY(say_distances(&s));
    say(&s);
done:
    columns_release(made, a->geography.count + a->carry.count);
    return status;
}

static const Return values[] = {
    CHANGED_VALUES,
    VALUE(distance, REAL, "Largest total variation distance of a table of area and key. 0 = unchanged", .flags = PUBLIC),
    VALUE(households, INTEGER, "Households (records without one count as one each)", .flags = PUBLIC),
    VALUE(swapped, INTEGER, "Households that exchanged places", .flags = PUBLIC),
    VALUE(rate, REAL, "Their share of the households with a known place", .flags = PUBLIC),
    VALUE(at_risk, INTEGER, "Households with a member whose keys fewer than k records of the area share", .flags = PUBLIC),
    VALUE(left, INTEGER, "Households among them without a partner", .flags = PUBLIC),
    VALUE(unlike, INTEGER, "Households exchanged with dissimilar households of the same size", .flags = PUBLIC),
    TABLE_OUT(levels, "level:text at_risk:integer exchanged:integer alike_elsewhere:integer size_alone:integer left:integer",
              "Each level: households at risk, households exchanged across its areas, and similarity of the partners"),
    TABLE_OUT(tables, "level:text key:text total_variation:real", "Total variation distance of each table of area and key",
              .flags = PUBLIC),
    RELEASED("The protected table"),
    END,
};

const Method protect_target_swap = {
    .group = "protect",
    .name = "target-swap",
    .summary = "Targeted record swapping: exchange the geography of high-risk households",
    .source = "Shlomo, Tudor & Groom 2010; Fienberg & McIntyre 2004",
    .params = params,
    .size = sizeof(args),
    .traits = PERTURBS | RANDOM | IDENTITY,
    .run = target_swap_run,
    .values = values,
    .example = "scrim protect target-swap examples/clinic.csv --geography region --household hid --keys sex,age,education --rate 0.1 "
               "--similar sex --carry lat,lon",
};
