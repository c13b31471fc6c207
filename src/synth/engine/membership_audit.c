/* Who was in the data, told from the synthesis as a whole: risk roc-release of the very run that is being evaluated. */
#include <stdio.h>
#include <string.h>
#include "synth/engine/engine.h"
#include "synth/engine/membership_audit.h"

enum { AMONG = 2, FEWEST = 12, MOST = 30 };
static const double CELLS = 4e6; /* drawn in all, where more would take longer than the rest of an evaluation */

/* What is not asked for again in every draw: it says what is done with a table, not how it is made. */
static bool of_one_run(const char *name) {
    static const char *const names[] = { "data", "m", "stacked", "evaluate", "keys", "holdout" };
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (!strcmp(name, names[k])) return true;
    return false;
}

/* NAME=ITEM,… for --set; an item that a comma would cut stands in backticks. */
static const char *as_set(Work *work, const Arg *arg) {
    Buffer text = { 0 };
    buffer_print(&text, "%s=", arg->name);
    for (int64_t i = 0; i < arg->count; i++) {
        const char *quote = strchr(arg->items[i], ',') && !strchr(arg->items[i], '`') ? "`" : "";
        buffer_print(&text, "%s%s%s%s", i ? "," : "", quote, arg->items[i], quote);
    }
    const char *copy = arena_text(work->arena, buffer_get(&text));
    buffer_free(&text);
    return copy;
}

/* The run's own arguments; those whose names roc-release has itself go by its --set. */
static Status hand_on(Run *run, const Method *study, Arg *list, int64_t *count, const char **set, int64_t *sets) {
    Status status = OK;
    for (int64_t i = 0; run->given && i < run->given->count; i++) {
        const Arg *arg = &run->given->at[i];
        const Param *own = NULL;
        for (const Param *p = run->method->params; p->kind && !own; p++)
            if (p->name && args_find(&(Args){ 1, arg }, p->name)) own = p;
        const bool protects = own && !strcmp(own->name, "keys") && args_find(run->given, "protect");
        if (!own || (of_one_run(own->name) && !protects)) continue;
        if (!method_param(study, own->name)) {
            list[(*count)++] = *arg;
            continue;
        }
        set[*sets] = as_set(&run->work, arg);
        if (!set[(*sets)++]) TRY(out_of_memory(run->work.error));
    }
done:
    return status;
}

Status told_arguments(Run *run, const Table *original, const Table *synthetic, Args *out) {
    Status status = OK;
    Work *work = &run->work;
    const Method *study = method_find("risk", "roc-release");
    double cells = (double)original->rows * (double)synthetic->columns, draws = cells > 0 ? CELLS / ((AMONG + 1) * cells) : 0;
    int64_t room = run->given ? run->given->count : 0, count = 0, sets = 0;
    Arg *list = NULL;
    const char **text = NULL;
    Table **table = NULL;
    *out = (Args){ 0 };
    if (draws < FEWEST || original->rows < 3) return OK;
    if (run->given && args_find(run->given, "household")) return OK; /* a person is a household here, and not a record */
    NEW(work, list, room + 6);
    NEW(work, text, room + 4);
    NEW(work, table, 1);
    table[0] = (Table *)(uintptr_t)original;
    TRY(hand_on(run, study, list, &count, text + 3, &sets));
    text[0] = arena_print(work->arena, "%s.%s", run->method->group, run->method->name);
    text[1] = arena_print(work->arena, "%d", (int)(draws > MOST ? MOST : draws));
    text[2] = arena_print(work->arena, "%d", (int)AMONG);
    if (!text[0] || !text[1] || !text[2]) TRY(out_of_memory(work->error));
    list[count++] = (Arg){ .name = "data", .count = 1, .tables = table };
    list[count++] = (Arg){ .name = "method", .count = 1, .items = text };
    list[count++] = (Arg){ .name = "draws", .count = 1, .items = text + 1 };
    list[count++] = (Arg){ .name = "among", .count = 1, .items = text + 2 };
    if (sets) list[count++] = (Arg){ .name = "set", .count = sets, .items = text + 3 };
    *out = (Args){ count, list };
done:
    return status;
}
