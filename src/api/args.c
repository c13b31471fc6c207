/* Arguments, grown by the caller. */
#include <stdlib.h>
#include <string.h>
#include "api/api.h"
#include "base/number.h"

struct scrim_args { Arena *arena; Work work; Args args; Arg *list; int64_t room; };

scrim_args *scrim_args_new(void) {
    scrim_args *args = calloc(1, sizeof *args);
    if (!args) return NULL;
    args->arena = arena_new();
    if (!args->arena) { free(args); return NULL; }
    args->work = (Work){ .arena = args->arena };
    return args;
}

void scrim_args_free(scrim_args *args) {
    if (!args) return;
    for (int64_t i = 0; i < args->args.count; i++)
        for (int64_t j = 0; args->list[i].tables && j < args->list[i].count; j++) table_release(args->list[i].tables[j]);
    arena_free(args->arena);
    free(args);
}

const Args *api_args(const scrim_args *args) { return args ? &args->args : NULL; }

static Arg *named(scrim_args *args, const char *name) {
    Arg *found = (Arg *)(uintptr_t)args_find(&args->args, name);
    if (found) return found;
    if (work_grow(&args->work, sizeof *args->list, &args->list, &args->room, args->args.count + 1)) return NULL;
    found = &args->list[args->args.count];
    *found = (Arg){ .name = arena_text(args->arena, name) };
    if (!found->name) return NULL;
    args->args.count++;
    args->args.at = args->list;
    return found;
}

/* A list one longer; what stood in it is kept. */
static void *longer(scrim_args *args, const void *old, int64_t count, size_t size) {
    void *list = NULL;
    if (arena_array(args->arena, count + 1, size, &list, NULL)) return NULL;
    if (count) memcpy(list, old, (size_t)count * size);
    return list;
}

scrim_status scrim_args_text(scrim_args *args, const char *name, const char *value) {
    Arg *arg = args && name && value ? named(args, name) : NULL;
    if (!arg || arg->tables) return SCRIM_BAD;
    const char **items = longer(args, arg->items, arg->count, sizeof *items);
    const char *copy = arena_text(args->arena, value);
    if (!items || !copy) return SCRIM_FAILED;
    items[arg->count++] = copy;
    arg->items = items;
    return SCRIM_OK;
}

scrim_status scrim_args_number(scrim_args *args, const char *name, double value) {
    char text[33];
    return scrim_args_text(args, name, real_text(value, text));
}

scrim_status scrim_args_table(scrim_args *args, const char *name, const scrim_table *value) {
    Arg *arg = args && name && value ? named(args, name) : NULL;
    if (!arg || arg->items) return SCRIM_BAD;
    Table **tables = longer(args, arg->tables, arg->count, sizeof *tables);
    if (!tables) return SCRIM_FAILED;
    tables[arg->count++] = table_retain(api_table(value));
    arg->tables = tables;
    return SCRIM_OK;
}

scrim_status scrim_args_flag(scrim_args *args, const char *name) { return args && name && named(args, name) ? SCRIM_OK : SCRIM_FAILED; }
