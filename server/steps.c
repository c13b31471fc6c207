/* Steps taken one by one, as a recipe takes them: the same numbers are drawn here and there. */
#include <stdlib.h>
#include <string.h>
#include "bench.h"
#include "registry.h"

/* ---- arguments ---- */

static scrim_status add_item(scrim_args *args, const char *name, const json_t *item) {
    if (json_is_string(item)) return scrim_args_text(args, name, json_string_value(item));
    if (json_is_number(item)) return scrim_args_number(args, name, json_number_value(item));
    return SCRIM_OK;
}

scrim_status args_from(scrim_args *args, const char *method, const json_t *params, scrim_error *error) {
    scrim_status status = SCRIM_OK;
    const char *name;
    json_t *value, *item;
    size_t i;
    json_object_foreach ((json_t *)(uintptr_t)params, name, value) {
        if (json_is_true(value)) TRY(scrim_args_flag(args, name));
        else if (json_is_string(value)) TRY(args_typed(args, method, name, json_string_value(value), error));
        else if (json_is_array(value)) {
            json_array_foreach (value, i, item) TRY(add_item(args, name, item));
        } else if (json_is_number(value)) TRY(add_item(args, name, value));
    }
done:
    return status;
}

static scrim_status fill_roles(Snapshot *s, scrim_error *error) {
    scrim_status status = SCRIM_OK;
    const char *name;
    json_t *value, *item;
    size_t i;
    json_object_foreach (json_object_get(s->recipe, "roles"), name, value) {
        if (!strcmp(name, "identifiers")) continue; /* they are gone before anything is measured */
        if (!json_is_array(value)) TRY(add_item(s->roles, name, value));
        json_array_foreach (value, i, item) TRY(add_item(s->roles, name, item));
    }
done:
    return status ? fail(error, SCRIM_FAILED, "out of memory") : SCRIM_OK;
}

const char *subject_of(const char *name) {
    const Method *method = method_named(name);
    for (const Param *p = method ? method->params : NULL; p && p->kind; p++)
        if (p->kind == KIND_TABLE && strcmp(p->name, "original") && (p->flags & (POSITIONAL | REQUIRED))) return p->name;
    return NULL;
}

/* ---- what was made before ---- */

bool made_recall(Snapshot *s, const char *key, scrim_table **table, json_t **result) {
    Bench *bench = s->bench;
    bool found = false;
    pthread_mutex_lock(&bench->lock);
    for (int64_t i = 0; i < bench->made_count && !found && s->generation == bench->generation; i++) {
        if (strcmp(bench->made[i].key, key)) continue;
        found = true;
        *table = scrim_table_share(bench->made[i].table);
        *result = json_incref(bench->made[i].result);
    }
    pthread_mutex_unlock(&bench->lock);
    return found;
}

void made_remember(Snapshot *s, const char *key, const scrim_table *table, json_t *result) {
    Bench *bench = s->bench;
    char *own = strdup(key);
    pthread_mutex_lock(&bench->lock);
    if (own && s->generation == bench->generation) {
        if (bench->made_count == MOST_MADE) {
            Made *last = &bench->made[--bench->made_count];
            free(last->key);
            scrim_table_free(last->table);
            json_decref(last->result);
        }
        memmove(bench->made + 1, bench->made, (size_t)bench->made_count * sizeof *bench->made);
        bench->made[0] = (Made){ own, scrim_table_share(table), json_incref(result) };
        bench->made_count++;
        own = NULL;
    }
    pthread_mutex_unlock(&bench->lock);
    free(own);
}

/* ---- taking them ---- */

static void take_output(Snapshot *s, const scrim_result *result) {
    scrim_table *made = scrim_result_outputs(result) ? scrim_result_output(result, 0) : NULL;
    if (!made) return; /* it measured in passing */
    scrim_table_free(s->current);
    s->current = made;
}

scrim_status steps_base(Snapshot *s, scrim_error *error) {
    scrim_status status = SCRIM_OK;
    const json_t *identifiers = json_object_get(json_object_get(s->recipe, "roles"), "identifiers");
    const char **names = calloc(json_array_size(identifiers) + 1, sizeof *names);
    int64_t count = 0;
    size_t i;
    json_t *item;
    if (!names) return fail(error, SCRIM_FAILED, "out of memory");
    json_array_foreach (identifiers, i, item)
        if (json_is_string(item)) names[count++] = json_string_value(item);
    TRY(fill_roles(s, error));
    TRY(scrim_table_without(s->lent[0].table, count, names, &s->base, error));
    s->current = scrim_table_share(s->base);
done:
    free(names);
    return status;
}

static scrim_status run_step(Snapshot *s, int64_t number, const json_t *step, json_t **told, scrim_error *error) {
    scrim_status status = SCRIM_OK;
    scrim_host host;
    scrim_result *result = NULL;
    scrim_args *args = scrim_args_new();
    const char *name = json_string_value(json_object_get(step, "method"));
    const Method *method = method_named(name);
    const char *subject = subject_of(name);
    const Param *original = method ? method_param(method, "original") : NULL;
    if (!args) return fail(error, SCRIM_FAILED, "out of memory");
    if (!subject) TRY(fail(error, SCRIM_BAD, "%s takes no table, so that it cannot be a step", name));
    TRY(args_from(args, name, json_object_get(step, "params"), error));
    TRY(scrim_args_table(args, subject, s->current));
    if (original && original->kind == KIND_TABLE && scrim_args_count(args, "original") < 0)
        TRY(scrim_args_table(args, "original", s->base));
    snapshot_host(s, &host);
    host.step = number;
    TRY(scrim_run(&host, name, args, &result, error));
    take_output(s, result);
    *told = result_json(result);
done:
    scrim_result_free(result);
    scrim_args_free(args);
    return status;
}

static scrim_status take_step(Snapshot *s, int64_t number, const json_t *step, Buffer *key, scrim_error *error) {
    json_t *told = NULL;
    scrim_table *table = NULL;
    char *text = json_dumps(step, JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(17));
    buffer_text(key, text ? text : "");
    buffer_char(key, '\n');
    free(text);
    if (made_recall(s, buffer_get(key), &table, &told)) {
        scrim_table_free(s->current);
        s->current = table;
        json_array_append_new(s->steps, told);
        return SCRIM_OK;
    }
    scrim_status status = run_step(s, number, step, &told, error);
    if (status) return status;
    made_remember(s, buffer_get(key), s->current, told);
    json_array_append_new(s->steps, told);
    return SCRIM_OK;
}

/* Steps that are off are left out of the recipe, and do not count. */
scrim_status steps_take(Snapshot *s, int64_t count, scrim_error *error) {
    scrim_status status = SCRIM_OK;
    const json_t *steps = json_object_get(s->recipe, "steps");
    Buffer key = { 0 };
    size_t i;
    json_t *step;
    int64_t number = 0;
    buffer_print(&key, "%s\n", s->roles_text);
    json_array_foreach (steps, i, step) {
        if (count >= 0 && (int64_t)i >= count) break;
        if (json_is_true(json_object_get(step, "off"))) {
            json_array_append_new(s->steps, json_null());
            continue;
        }
        status = take_step(s, number++, step, &key, error);
        if (status && status != SCRIM_INTERRUPTED) s->failed = (int64_t)i;
        if (status) break;
    }
    buffer_free(&key);
    return status;
}
