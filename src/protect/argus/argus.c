/* μ-Argus: recode keys globally while rare combinations are many, then suppress cells where some are left. Defined after De Waal,
 * Hundepool & Willenborg 1995; Hundepool & Willenborg 1996: docs/methods/protect-argus.md. */
#include <string.h>
#include "method/parts.h"
#include "protect/argus/combined_keys.h"
#include "protect/generalize/key_domain.h"
#include "protect/generalize/suppressed_class.h"
#include "protect/suppress/suppress.h"

typedef struct {
    const Table *data;
    Columns keys;
    Tables hierarchies;
    int64_t k, combinations;
    double max_suppression;
    bool keep_suppressed;
    Columns importance;
    Groups cross;
    const Column *person;
} args;

static const Param params[] = {
    TABLE(args, data, "Table to protect", .flags = REQUIRED | POSITIONAL),
    KEYS(args, data, .flags = REQUIRED),
    HIERARCHIES(args, 0),
    INT(args, k, 3, 2, 1000000000, "Combinations shared by fewer records than this are unsafe. Larger = more protection"),
    INT(args, combinations, 3, 1, 10, "Number of keys that an intruder may know together: 2 = pairs, 3 = triples"),
    REAL(args, max_suppression, 0.05, 0, 1, "Share of records that may have an unsafe combination before keys are recoded further"),
    COLUMNS(args, importance, data, "Order of importance of the keys, the most important first. It is suppressed least"),
    GROUPS(args, cross, data,
           "Keys that are first combined into one column, groups separated by semicolons: region,education. A combination of fewer than k "
           "records becomes `other`"),
    FLAG(args, keep_suppressed, "Keep the suppressed records even if they are fewer than k. They are then a class below k"),
    PERSON(args, data),
    END,
};

static const Return values[] = {
    VALUE(cells, INTEGER, "Cells suppressed after recoding. Smaller = more utility", .flags = PUBLIC),
    VALUE(records, INTEGER, "Records with a suppressed cell", .flags = PUBLIC),
    VALUE(left_out, INTEGER, "Records with all keys missing that are left out, because as a class they are fewer than k", .flags = PUBLIC),
    VALUE(unsafe, INTEGER, "Records with an unsafe combination after recoding", .flags = PUBLIC),
    VALUE(lower_bound, INTEGER, "Cells that any suppression takes after which k people share every combination: proven", .flags = PUBLIC),
    VALUE(gap, REAL, "(cells − lower_bound)/cells: 0 = proven optimal", .flags = PUBLIC),
    VALUE(k, INTEGER, "People in the smallest class of records that are alike on a combination of so many keys", .flags = PUBLIC | MORE),
    VALUE(crossed, INTEGER, "Combinations that --cross made", .flags = PUBLIC),
    VALUE(folded, INTEGER, "Combinations among them that became `other`", .flags = PUBLIC),
    VALUE(steps, INTEGER, "Global recodings made", .flags = PUBLIC),
    TABLE_OUT(levels, "key:text level:integer levels:integer rare_before:integer rare_after:integer cells:integer",
              "Each key: its final level, unsafe combinations before and after recoding, and suppressed cells", .flags = PUBLIC),
    RELEASED("The protected table"),
    END,
};

typedef struct {
    Run *run;
    const args *a;
    const Table *data; /* with crossed keys, where there are any */
    Columns from;      /* its keys; those that have a hierarchy come first */
    Domains domains;
    int64_t *level;
    int64_t *rare, *rare_before; /* key → records in rare combinations with it, counted once for each */
    int64_t *price;
    bool *is_rare; /* row → has it a rare combination? */
    int64_t steps, unsafe, k;
    Table *recoded;
    Columns keys; /* of the recoded table */
    Combinations combinations;
    Request request;
} Argus;

/* Rare combinations at the present levels, and how much each key has part in them. */
static Status count_rare(Argus *g) {
    Status status = OK;
    Work *work = &g->run->work;
    int64_t rows = g->data->rows;
    for (int64_t key = 0; key < g->keys.count; key++) g->rare[key] = 0;
    for (int64_t i = 0; i < rows; i++) g->is_rare[i] = false;
    g->k = INT64_MAX;
    for (int64_t c = 0; c < g->combinations.count; c++) {
        Combination combination = g->combinations.at[c];
        Classes classes;
        int64_t *people = NULL;
        TRY(suppress_classes(work, &g->request, combination.keys, &classes, &people));
        for (int64_t i = 0; i < rows; i++) {
            int64_t f = people[classes.of[i]];
            if (f < g->k) g->k = f;
            if (f >= combination.k) continue;
            g->is_rare[i] = true;
            for (uint64_t left = combination.keys; left; left &= left - 1)
                if (!column_missing(g->keys.at[__builtin_ctzll(left)], i)) g->rare[__builtin_ctzll(left)] += work_times(work, i);
        }
    }
    g->unsafe = 0;
    for (int64_t i = 0; i < rows; i++) g->unsafe += g->is_rare[i] ? work_times(work, i) : 0;
done:
    return status;
}

static Status look(Argus *g) {
    Status status = OK;
    Work *work = &g->run->work;
    Table *recoded = NULL;
    if (g->domains.count) TRY(domains_release(work, g->data, &g->domains, g->level, NULL, &recoded));
    else recoded = table_retain((Table *)(uintptr_t)g->data);
    table_release(g->recoded);
    g->recoded = recoded;
    for (int64_t key = 0; key < g->keys.count; key++) g->keys.at[key] = table_column(recoded, g->from.at[key]->name);
    g->request = (Request){ .keys = g->keys, .price = g->price, .effort = SUPPRESS_EFFORT, .bound = SUPPRESS_BOUND };
    TRY(count_rare(g));
done:
    return status;
}

/* Recodes the key that has part in most rare combinations, until few records have one. */
static Status recode(Argus *g) {
    Status status = OK;
    double limit = g->a->max_suppression * (double)work_records(&g->run->work, g->a->data->rows);
    TRY(look(g));
    for (int64_t key = 0; key < g->keys.count; key++) g->rare_before[key] = g->rare[key];
    while (g->domains.count && (double)g->unsafe > limit) {
        int64_t worst = -1;
        TRY(work_check(&g->run->work));
        for (int64_t key = 0; key < g->keys.count; key++)
            if (key < g->domains.count && g->level[key] + 1 < g->domains.at[key].levels && (worst < 0 || g->rare[key] > g->rare[worst]))
                worst = key;
        if (worst < 0) break;
        g->level[worst]++;
        g->steps++;
        TRY(look(g));
    }
done:
    return status;
}

/* Rows that are without any key now; *any: some of them were suppressed. */
static void find_blank(const Argus *g, const int64_t *from, const uint64_t *blank, uint8_t *out, bool *any) {
    *any = false;
    for (int64_t i = 0; i < g->data->rows; i++) {
        out[i] = 1;
        for (int64_t key = 0; key < g->keys.count && out[i]; key++) out[i] = column_missing(g->keys.at[key], i);
        *any |= out[i] && blank[from[i]];
    }
}

static void take_keys(Argus *g, const Table *released) {
    for (int64_t key = 0; key < g->keys.count; key++) g->keys.at[key] = table_column(released, g->from.at[key]->name);
    g->data = released;
}

/* Without the rows that were left out: where those that remain come from, and the records that they stand for. */
static Status drop_rows(Argus *g, const uint8_t *gone, int64_t rows, int64_t *from) {
    Status status = OK;
    Work *work = &g->run->work;
    int64_t *times = NULL, kept = 0, records = 0;
    if (work->times) NEW(work, times, rows + 1);
    for (int64_t i = 0; i < rows; i++) {
        if (gone[i]) continue;
        from[kept] = from[i];
        records += work_times(work, i);
        if (times) times[kept] = work->times[i];
        kept++;
    }
    if (times) {
        work->times = times;
        work->records = records;
    }
done:
    return status;
}

/* Suppresses what is still unsafe among the rows that remain. `blank` is of the rows at the beginning. */
static Status suppress_rest(Argus *g, const int64_t *from, uint64_t *blank, Table **released) {
    Status status = OK;
    Work *work = &g->run->work;
    uint64_t *more = NULL;
    Table *next = NULL;
    int64_t bound;
    NEW(work, more, g->data->rows + 1);
    TRY(suppress_combinations(work, &g->request, &g->combinations, more, &bound));
    for (int64_t i = 0; i < g->data->rows; i++) blank[from[i]] |= more[i];
    TRY(suppress_apply(work, *released, g->keys, more, &next));
    take_keys(g, next);
    table_release(*released);
    *released = next;
done:
    arena_drop(work->arena, more);
    return status;
}

/* Records without any key are a class. Where it is too small they are left out, and combinations that they were needed for are made safe
 * without them; until nothing changes. k is counted on what is released. */
static Status settle_suppressed(Argus *g, uint64_t *blank, Table **released, SuppressedClass *out) {
    Status status = OK;
    const Table *data = g->data;
    const Work before = g->run->work;
    Work *work = &g->run->work;
    int64_t *from = NULL, left_out = 0;
    uint8_t *gone = NULL;
    bool any;
    NEW(work, from, data->rows + 1);
    NEW(work, gone, data->rows + 1);
    for (int64_t i = 0; i < data->rows; i++) from[i] = i;
    take_keys(g, *released);
    *out = (SuppressedClass){ 0 };
    for (find_blank(g, from, blank, gone, &any); any; find_blank(g, from, blank, gone, &any)) {
        const int64_t rows = (*released)->rows;
        TRY(suppressed_class(work, released, g->keys, g->a->k, (ClassRule){ 0 }, gone, g->a->keep_suppressed, out));
        take_keys(g, *released);
        if (!out->left_out) break;
        left_out += out->left_out;
        TRY(drop_rows(g, gone, rows, from));
        TRY(suppress_rest(g, from, blank, released));
    }
    out->left_out = left_out;
    TRY(count_rare(g));
    if (g->unsafe) TRY(fail(work->error, FAILED, "%lld records are still unsafe: this is a fault in scrim", (long long)g->unsafe));
done:
    g->data = data;
    g->run->work.times = before.times;
    g->run->work.records = before.records;
    return status;
}

static void show(Argus *g, const uint64_t *blank, int64_t unsafe, int64_t lower_bound) {
    Result *result = g->run->result;
    int64_t cells = 0, records = 0;
    for (int64_t i = 0; i < g->data->rows; i++) {
        cells += work_times(&g->run->work, i) * __builtin_popcountll(blank[i]);
        records += blank[i] ? work_times(&g->run->work, i) : 0;
    }
    result_integer(result, "cells", cells);
    result_integer(result, "records", records);
    result_integer(result, "unsafe", unsafe);
    result_integer(result, "lower_bound", lower_bound);
    result_real(result, "gap", cells ? (double)(cells - lower_bound) / (double)cells : 0);
    if (g->data->rows) result_integer(result, "k", g->k);
    else result_null(result, "k", "The table has no records.");
    result_integer(result, "steps", g->steps);
    Grid *grid = grid_new(result, "levels", "key:text level:integer levels:integer rare_before:integer rare_after:integer cells:integer");
    for (int64_t key = 0; key < g->keys.count; key++) {
        int64_t blanked = 0;
        for (int64_t i = 0; i < g->data->rows; i++) blanked += blank[i] >> key & 1 ? work_times(&g->run->work, i) : 0;
        grid_text(grid, g->keys.at[key]->name);
        grid_integer(grid, g->level[key]);
        if (key < g->domains.count) grid_integer(grid, g->domains.at[key].levels);
        else grid_missing(grid);
        grid_integer(grid, g->rare_before[key]);
        grid_integer(grid, g->rare[key]);
        grid_integer(grid, blanked);
    }
    grid_done(grid);
    result_note(
        result,
        "Every combination of up to %lld keys, a blank being a value, is shared by k people. More keys together were not looked at.",
        (long long)(g->a->combinations < g->keys.count ? g->a->combinations : g->keys.count));
    if (!g->a->hierarchies.count) result_note(result, "No hierarchies were given, so nothing was recoded.");
}

static void draw(Argus *g) {
    double *before = NULL, *after = NULL;
    const char **names = NULL;
    Arena *arena = g->run->work.arena;
    int64_t n = g->keys.count;
    Chart *chart = result_chart(g->run->result, CHART_BAR, "Contribution of each key to unsafe combinations", "key",
                                "records, once for each combination");
    chart_of(chart, "levels");
    if (arena_array(arena, n, sizeof *before, &before, NULL) || arena_array(arena, n, sizeof *after, &after, NULL) ||
        arena_array(arena, n, sizeof *names, &names, NULL))
        return;
    for (int64_t key = 0; key < n; key++) {
        before[key] = (double)g->rare_before[key];
        after[key] = (double)g->rare[key];
        names[key] = g->keys.at[key]->name;
    }
    chart_series(chart, "before recoding", n, NULL, before, NULL, names);
    chart_series(chart, "after recoding", n, NULL, after, NULL, names);
}

/* Crossing comes first: the keys are then those of another table. */
static Status cross(Argus *g, Crossed *crossed) {
    Status status = OK;
    Work *work = &g->run->work;
    const args *a = g->a;
    g->data = a->data;
    g->from = a->keys;
    crossed->plain = a->keys.count;
    if (a->cross.count) {
        TRY(combined_keys(work, a->data, a->keys, &a->cross, a->k, crossed));
        g->data = crossed->data;
        g->from = crossed->keys;
        result_integer(g->run->result, "crossed", crossed->categories);
        result_integer(g->run->result, "folded", crossed->folded);
    }
    for (int64_t i = 0; i < a->importance.count; i++)
        if (!table_column(g->data, a->importance.at[i]->name)) {
            fail(work->error, BAD, "names a key that is crossed with others");
            return error_parameter(work->error, "importance");
        }
    g->keys.count = g->from.count;
done:
    return status;
}

/* The first-named key is suppressed last: it costs more than all lesser ones together. */
static Status make_prices(Argus *g) {
    Status status = OK;
    int64_t price = g->from.count + 1;
    NEW(&g->run->work, g->price, g->from.count + 1);
    for (int64_t key = 0; key < g->from.count; key++) g->price[key] = 1;
    for (int64_t i = g->a->importance.count - 1; i >= 0; i--, price *= price < 1 << 20 ? 2 : 1)
        for (int64_t key = 0; key < g->from.count; key++)
            if (!strcmp(g->from.at[key]->name, g->a->importance.at[i]->name)) g->price[key] = price;
done:
    return status;
}

static Status make_combinations(Argus *g) {
    Status status = OK;
    Work *work = &g->run->work;
    Texts texts = { .count = g->a->combinations < g->from.count ? g->a->combinations : g->from.count };
    NEW(work, texts.at, texts.count + 1);
    for (int64_t i = 0; i < texts.count; i++)
        if (!(texts.at[i] = arena_print(work->arena, "%lld", (long long)i + 1))) TRY(out_of_memory(work->error));
    TRY(combinations_make(work, g->from, &texts, g->a->k, &g->combinations));
done:
    return status;
}

static Status argus_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    Argus g = { .run = run, .a = a };
    Crossed crossed = { 0 };
    uint64_t *blank = NULL;
    int64_t lower_bound = 0, *rare = NULL;
    Table *released = NULL;
    SuppressedClass class;
    TRY(cross(&g, &crossed));
    NEW(&run->work, g.level, a->keys.count);
    NEW(&run->work, g.rare, a->keys.count);
    NEW(&run->work, g.rare_before, a->keys.count);
    NEW(&run->work, g.keys.at, a->keys.count);
    NEW(&run->work, g.is_rare, a->data->rows + 1);
    if (a->hierarchies.count && crossed.plain)
        TRY(domains_make(&run->work, (Columns){ crossed.plain, g.from.at }, &a->hierarchies, NULL, &g.domains));
    TRY(make_prices(&g));
    TRY(make_combinations(&g));
    TRY(recode(&g));
    NEW(&run->work, blank, a->data->rows + 1);
    TRY(suppress_combinations(&run->work, &g.request, &g.combinations, blank, &lower_bound));
    TRY(suppress_apply(&run->work, g.recoded, g.keys, blank, &released));
    const int64_t unsafe = g.unsafe;
    NEW(&run->work, rare, a->keys.count);
    for (int64_t key = 0; key < g.keys.count; key++) rare[key] = g.rare[key];
    TRY(settle_suppressed(&g, blank, &released, &class));
    g.rare = rare;
    show(&g, blank, unsafe, lower_bound);
    show_suppressed_class(run->result, &class, a->k);
    draw(&g);
    result_output(run->result, released);
    released = NULL;
done:
    table_release(released);
    table_release(g.recoded);
    table_release(crossed.data);
    return status;
}

static int64_t argus_rows(const void *p) {
    const args *a = p;
    return a->cross.count ? 0 : suppress_apart(a->k, a->keys.count); /* crossed, the table has other columns */
}
static const char *argus_whole(const void *p) {
    return ((const args *)p)->cross.count ? "--cross puts other columns in the place of keys" : NULL;
}
static const InParts in_parts = { .shape = BY_CLASS, .whole = argus_whole, .apart = argus_rows };

const Method protect_argus = {
    .group = "protect",
    .name = "argus",
    .summary = "μ-Argus method: global recoding of quasi-identifiers, then local suppression of unsafe combinations",
    .source = "De Waal, Hundepool & Willenborg 1995; Hundepool & Willenborg 1996",
    .params = params,
    .size = sizeof(args),
    .traits = BY_PERSON | IDENTITY,
    .run = argus_run,
    .parts = &in_parts,
    .values = values,
    .example =
        "scrim protect argus examples/clinic.csv --keys sex,age,region,education --hierarchies examples/hierarchies --k 3 --combinations 2"
};
