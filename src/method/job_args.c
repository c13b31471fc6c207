/* A job's arguments: those that are given once, and the tables that come in parts. */
#include "method/job_private.h"

static Status copy_arg(Job *job, const Arg *from, Arg *to, Error *error) {
    Status status = OK;
    Work work = { .arena = job->arena, .error = error };
    const char **items = NULL;
    *to = (Arg){ .name = arena_text(job->arena, from->name), .count = from->count };
    if (!to->name) TRY(out_of_memory(error));
    if (from->tables) {
        Table **tables = NULL;
        NEW(&work, tables, from->count + 1);
        for (int64_t i = 0; i < from->count; i++) tables[i] = table_retain(from->tables[i]);
        to->tables = tables;
        goto done;
    }
    NEW(&work, items, from->count + 1);
    to->items = items;
    for (int64_t i = 0; i < from->count; i++)
        if (!(items[i] = arena_text(job->arena, from->items[i]))) TRY(out_of_memory(error));
done:
    return status;
}

/* Is this one of the tables that come in parts? Then its name is kept. */
static bool comes_in_parts(Job *job, const Arg *arg) {
    for (int t = 0; t < job->tables; t++) {
        if (!param_is(job->subject[t], arg->name)) continue;
        if (arg->items && arg->count) job->path[t] = arena_text(job->arena, arg->items[0]);
        return true;
    }
    return false;
}

Status job_copy_args(Job *job, const Args *from, bool own, Args *to, Error *error) {
    Status status = OK;
    Work work = { .arena = job->arena, .error = error };
    Arg *list = NULL;
    int64_t count = own ? job->tables : 0;
    NEW(&work, list, (from ? from->count : 0) + PART_TABLES + 1);
    for (int64_t i = 0; from && i < from->count; i++) {
        if (own && comes_in_parts(job, &from->at[i])) continue;
        TRY(copy_arg(job, &from->at[i], &list[count++], error));
        to->count = count;
        to->at = list;
    }
    to->count = count;
    to->at = list;
done:
    return status;
}

void job_release_args(const Args *args) {
    for (int64_t i = 0; i < args->count; i++)
        for (int64_t j = 0; args->at[i].name && args->at[i].tables && j < args->at[i].count; j++) table_release(args->at[i].tables[j]);
}

const Param *parts_subject(const Method *method, int table) {
    const char *beside = method->parts ? method->parts->beside : NULL;
    if (table) return beside ? method_param(method, beside) : NULL;
    for (const Param *p = method->params; p && p->kind; p++)
        if (p->kind == KIND_TABLE) return p;
    return NULL;
}

Status job_subjects(Job *job, const Method *method, Error *error) {
    for (int t = 0; t < PART_TABLES; t++)
        if ((job->subject[t] = parts_subject(method, t))) job->tables++;
    if (method->parts && job->tables) return OK;
    char said[128];
    fail(error, BAD, "%s does not run in parts: it needs the whole table in memory", method_said(method, said));
    return error_advice(error, "scrim methods --in-parts lists those that do.");
}

Args job_others(const Job *job) { return (Args){ job->given.count - job->tables, job->given.at + job->tables }; }
