/* Arguments, grown by the caller. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "api/api.h"
#include "base/number_text.h"

struct scrim_args {
    Arena *arena;
    Work work;
    Args args;
    Arg *list;
    int64_t room;
};

scrim_args *scrim_args_new(void) {
    scrim_args *args = calloc(1, sizeof *args);
    if (!args) return NULL;
    args->arena = arena_new();
    if (!args->arena) {
        free(args);
        return NULL;
    }
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

/* The argument of that name, made where there is none; NULL: memory is out. */
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
    if (!args || !name || !value) return SCRIM_BAD;
    Arg *arg = named(args, name);
    if (!arg) return SCRIM_FAILED;
    if (arg->tables) return SCRIM_BAD;
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
    if (!args || !name || !value) return SCRIM_BAD;
    Arg *arg = named(args, name);
    if (!arg) return SCRIM_FAILED;
    if (arg->items) return SCRIM_BAD;
    Table **tables = longer(args, arg->tables, arg->count, sizeof *tables);
    if (!tables) return SCRIM_FAILED;
    tables[arg->count++] = table_retain(api_table(value));
    arg->tables = tables;
    return SCRIM_OK;
}

scrim_status scrim_args_flag(scrim_args *args, const char *name) {
    if (!args || !name) return SCRIM_BAD;
    return named(args, name) ? SCRIM_OK : SCRIM_FAILED;
}

scrim_status scrim_args_words(scrim_args *args, const char *method, int64_t count, const char *const *words, scrim_error *error) {
    Call call;
    const Method *found;
    Args more = { 0 };
    if (!args || !method || count < 0 || count > INT_MAX || (count && !words)) return api_absent(error);
    Status status = call_begin(&call) ? api_method(method, &found, &call.error) : FAILED;
    if (!status) status = args_from_argv(&call.work, found, (int)count, (char *const *)(uintptr_t)words, &more);
    for (int64_t i = 0; !status && i < more.count; i++) {
        const Arg *arg = &more.at[i];
        if (!arg->count && scrim_args_flag(args, arg->name)) status = FAILED;
        for (int64_t j = 0; !status && j < arg->count; j++) status = (Status)scrim_args_text(args, arg->name, arg->items[j]);
        if (status == FAILED) out_of_memory(&call.error);
        if (status == BAD) fail(&call.error, BAD, "'%s' was given as a table already", arg->name);
    }
    scrim_status answer = api_error(status, &call.error, error);
    call_end(&call);
    return answer;
}

int64_t scrim_args_count(const scrim_args *args, const char *name) {
    const Arg *arg = name ? args_find(api_args(args), name) : NULL;
    return arg ? arg->count : -1;
}

const char *scrim_args_item(const scrim_args *args, const char *name, int64_t index) {
    const Arg *arg = name ? args_find(api_args(args), name) : NULL;
    return arg && arg->items && index >= 0 && index < arg->count ? arg->items[index] : NULL;
}
