/* The workbench's data and recipe. */
#include "bench.h"
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

static void forget_made(Bench *bench) {
    for (int64_t i = 0; i < bench->made_count; i++) {
        free(bench->made[i].key);
        scrim_table_free(bench->made[i].table);
        json_decref(bench->made[i].result);
    }
    bench->made_count = 0;
}

static void forget_lent(Lent *lent) {
    free(lent->name);
    scrim_table_free(lent->table);
    *lent = (Lent){ 0 };
}

static json_t *empty_recipe(void) { return json_pack("{s:{}, s:[], s:n}", "roles", "steps", "policy"); }

/* Work on the same bytes is taken up where it was left. */
static void restore(Bench *bench, const char *hash) {
    Buffer text = { 0 };
    json_decref(bench->recipe);
    bench->recipe = NULL;
    bench->restored = false;
    saved_path(hash, bench->saved);
    if (bench->saved[0] && file_load(bench->saved, &text)) {
        json_t *saved = json_loads(buffer_get(&text), JSON_REJECT_DUPLICATES, NULL);
        if (json_is_object(json_object_get(saved, "roles")) && json_is_array(json_object_get(saved, "steps"))) {
            bench->recipe = json_incref(saved);
            bench->restored = true;
        }
        json_decref(saved);
    }
    buffer_free(&text);
    if (!bench->recipe) bench->recipe = empty_recipe();
}

static Lent *slot_for(Bench *bench, const char *name, bool as_data) {
    if (as_data) {
        for (int64_t i = 0; i < bench->lent_count; i++) forget_lent(&bench->lent[i]); /* other data are another session's */
        bench->lent_count = 1;
        return &bench->lent[0];
    }
    for (int64_t i = 1; i < bench->lent_count; i++)
        if (!strcmp(bench->lent[i].name, name)) {
            forget_lent(&bench->lent[i]);
            return &bench->lent[i];
        }
    return bench->lent_count < MOST_LENT ? &bench->lent[bench->lent_count++] : NULL;
}

scrim_status bench_open(Bench *bench, const char *path, const char *name, bool as_data, scrim_error *error) {
    scrim_status status = SCRIM_OK;
    scrim_table *table = NULL;
    scrim_reading reading = bench->reading;
    reading.need_records = 1;
    char *own = strdup(name), hash[33];
    if (!own) return fail(error, SCRIM_FAILED, "out of memory");
    data_hash(path, hash);
    status = scrim_table_read(path, &reading, &table, error);
    pthread_mutex_lock(&bench->lock);
    Lent *slot = status ? NULL : slot_for(bench, name, as_data || !bench->lent_count);
    if (slot) {
        *slot = (Lent){ .name = own, .table = table };
        memcpy(slot->hash, hash, sizeof hash);
        bench->generation++;
        forget_made(bench);
        if (slot == &bench->lent[0]) restore(bench, hash);
    }
    pthread_mutex_unlock(&bench->lock);
    if (slot) return SCRIM_OK;
    free(own);
    scrim_table_free(table);
    return status ? status : fail(error, SCRIM_BAD, "there are %d tables already", MOST_LENT);
}

/* ---- the recipe ---- */

static scrim_status check_step(const json_t *step, scrim_error *error) {
    const char *method = json_string_value(json_object_get(step, "method"));
    const json_t *params = json_object_get(step, "params");
    char *about = NULL;
    if (!method || (params && !json_is_object(params))) return fail(error, SCRIM_BAD, "a step has a method and its parameters");
    scrim_status status = scrim_methods_describe(method, &about, error);
    scrim_text_free(about);
    return status;
}

scrim_status bench_recipe(Bench *bench, const json_t *recipe, scrim_error *error) {
    scrim_status status = SCRIM_OK;
    const json_t *roles = json_object_get(recipe, "roles"), *steps = json_object_get(recipe, "steps"),
                 *policy = json_object_get(recipe, "policy");
    size_t i;
    json_t *step;
    if (!json_is_object(roles) || !json_is_array(steps)) return fail(error, SCRIM_BAD, "a recipe has roles and steps");
    if (policy && !json_is_null(policy) && !json_is_string(policy) && !json_is_object(policy))
        return fail(error, SCRIM_BAD, "a policy is a name, or has rules");
    if (json_is_string(policy) && !name_is_plain(json_string_value(policy))) /* no name that a page sends becomes a path */
        return fail(error, SCRIM_BAD, "a policy is the name of one that comes with the program, or has rules");
    json_array_foreach (steps, i, step) TRY(check_step(step, error));
    pthread_mutex_lock(&bench->lock);
    json_decref(bench->recipe);
    bench->recipe = json_pack("{s:O, s:O, s:O?}", "roles", roles, "steps", steps, "policy", policy);
    char *text = bench->recipe ? json_dumps(bench->recipe, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) : NULL;
    bool saved = text && bench->lent_count && bench->saved[0] && file_save(bench->saved, text);
    pthread_mutex_unlock(&bench->lock);
    free(text);
    if (!saved) status = fail(error, SCRIM_FAILED, "the recipe was accepted, but could not be saved");
done:
    return status;
}

static json_t *tell_columns(const scrim_table *table) {
    json_t *list = json_array();
    for (int64_t j = 0; j < scrim_table_columns(table); j++)
        json_array_append_new(
            list, json_pack("{s:s, s:s}", "name", scrim_table_column_name(table, j), "type", scrim_table_column_type(table, j)));
    return list;
}

json_t *bench_tell(Bench *bench) {
    json_t *all = json_pack("{s:s, s:I}", "version", scrim_version(), "upload_limit", (json_int_t)bench->upload_limit),
           *tables = json_array();
    pthread_mutex_lock(&bench->lock);
    for (int64_t i = 1; i < bench->lent_count; i++) json_array_append_new(tables, json_string(bench->lent[i].name));
    json_object_set_new(all, "tables", tables);
    if (bench->lent_count) {
        const scrim_table *data = bench->lent[0].table;
        json_object_set_new(all, "data",
                            json_pack("{s:s, s:I, s:o}", "name", bench->lent[0].name, "rows", (json_int_t)scrim_table_rows(data), "columns",
                                      tell_columns(data)));
        json_object_set(all, "recipe", bench->recipe);
        json_object_set_new(all, "restored", json_boolean(bench->restored));
        json_object_set_new(all, "saved", json_string(bench->saved));
        json_object_set_new(all, "generation", json_integer(bench->generation));
    }
    pthread_mutex_unlock(&bench->lock);
    return all;
}

void bench_close(Bench *bench) {
    for (int64_t i = 0; i < bench->lent_count; i++) forget_lent(&bench->lent[i]);
    forget_made(bench);
    json_decref(bench->recipe);
    place_remove(&bench->place);
}

/* ---- snapshots ---- */

static char *policy_of(const json_t *recipe) {
    const json_t *policy = json_object_get(recipe, "policy");
    if (json_is_string(policy)) return strdup(json_string_value(policy));
    return json_is_object(policy) ? json_dumps(policy, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
}

Snapshot *snapshot_take(Bench *bench, json_t *asked) {
    Snapshot *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->bench = bench;
    s->asked = asked;
    s->failed = -1;
    s->steps = json_array();
    pthread_mutex_lock(&bench->lock);
    s->generation = bench->generation;
    for (; s->lent_count < bench->lent_count; s->lent_count++) {
        Lent *from = &bench->lent[s->lent_count], *to = &s->lent[s->lent_count];
        *to = (Lent){ .name = strdup(from->name), .table = scrim_table_share(from->table) };
        memcpy(to->hash, from->hash, sizeof to->hash);
    }
    s->recipe = json_deep_copy(bench->recipe);
    memcpy(s->seed, bench->seed, sizeof s->seed);
    pthread_mutex_unlock(&bench->lock);
    if (s->lent_count && s->recipe) {
        s->roles_text = json_dumps(json_object_get(s->recipe, "roles"), JSON_COMPACT);
        s->policy_text = policy_of(s->recipe);
        s->roles = scrim_args_new();
    }
    if (s->roles && s->roles_text) return s;
    s->asked = NULL;
    snapshot_free(s);
    return NULL;
}

void snapshot_free(Snapshot *s) {
    for (int64_t i = 0; i < s->lent_count; i++) forget_lent(&s->lent[i]);
    json_decref(s->recipe);
    json_decref(s->asked);
    json_decref(s->steps);
    scrim_table_free(s->base);
    scrim_table_free(s->current);
    scrim_args_free(s->roles);
    free(s->roles_text);
    free(s->policy_text);
    sodium_memzero(s->seed, sizeof s->seed);
    free(s);
}

/* Only what was opened or uploaded is lent: no name that a page sends becomes a path. */
static scrim_status lend(void *self, const char *name, scrim_table **out, scrim_error *error) {
    Snapshot *s = self;
    for (int64_t i = 0; i < s->lent_count; i++)
        if (!strcmp(s->lent[i].name, name)) {
            *out = scrim_table_share(s->lent[i].table);
            return SCRIM_OK;
        }
    return fail(error, SCRIM_BAD, "there is no table '%s' here: upload it first", name);
}

static int show(void *self, const char *what, double share) {
    const Snapshot *s = self;
    job_show(s->job, what, share);
    return 0;
}

void snapshot_host(Snapshot *s, scrim_host *host) {
    *host = (scrim_host){ .size = sizeof *host, .self = s, .table = lend, .progress = show, .no_files = 1, .seed = s->seed };
    host->threads = s->bench->threads;
    host->reading = &s->bench->reading;
    host->roles = s->roles;
    host->cancel = s->job->cancel;
}
