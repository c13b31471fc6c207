/* The attack of risk.reidentification: the releases that an intruder has, attacked by keys and by numbers. */
#include "risk/reidentification/reidentification.h"
#include "risk/paired_columns.h"

/* ---- the four intruders ---- */

/* A release's column beside the records of all releases. */
static Status joint_column(Attack *x, int64_t table, const Column *column, const Column **out) {
    Status status = OK;
    Column *taken = NULL;
    *out = column;
    if (x->tables == 1) return OK;
    TRY(column_take(column, x->joint.row[table], x->joint.records, &taken, x->run->work.error));
    *out = x->held.at[x->held.count++] = taken;
done:
    return status;
}

Status reidentification_by_keys(Attack *x) {
    Status status = OK;
    const ReidentificationArgs *a = x->a;
    Columns before = { 0 }, after = { 0 };
    bool *altered = NULL;
    Work *work = &x->run->work;
    NEW(work, before.at, x->tables * a->keys.count + 1);
    NEW(work, after.at, x->tables * a->keys.count + 1);
    NEW(work, altered, x->tables * a->keys.count + 1);
    for (int64_t t = 0; t < x->tables; t++)
        for (int64_t k = 0; k < a->keys.count; k++) {
            const char *name = a->keys.at[k]->name;
            const Column *released = table_column(x->table[t], name);
            if (!released) continue; /* an earlier release need not have it */
            TRY(table_need(a->original, name, &before.at[before.count++], work->error));
            altered[after.count] = table_altered(x->table[t], name);
            TRY(joint_column(x, t, released, &after.at[after.count++]));
        }
    TRY(key_graph_make(work, before, after, &x->owner, altered, &x->graph));
    for (int64_t k = 0; k < after.count; k++)
        if (x->graph.channel[k].kind == CHANNEL_UNKNOWN)
            result_note(
                x->run->result,
                "The recoding of %s is unknown, because it is not known whose records are whose. Every value is taken to match everybody.",
                x->graph.channel[k].name);
    TRY(believe_by_counting(work, &x->graph, &x->owner, &x->beliefs[COUNTING]));
    TRY(believe_by_weighing(work, &x->graph, &x->owner, &x->beliefs[WEIGHING]));
    TRY(believe_by_assigning(work, &x->graph, &x->owner, &x->assigned));
    x->beliefs[ASSIGNING] = x->assigned.beliefs;
done:
    return status;
}

/* Numbers that are numbers in both tables. */
Status reidentification_by_numbers(Attack *x) {
    Status status = OK;
    const ReidentificationArgs *a = x->a;
    Columns before = { 0 }, after = { 0 };
    Work *work = &x->run->work;
    NEW(work, before.at, x->tables * a->vars.count + 1);
    NEW(work, after.at, x->tables * a->vars.count + 1);
    for (int64_t t = 0; t < x->tables; t++)
        for (int64_t j = 0; j < a->vars.count; j++) {
            const Column *now = table_column(x->table[t], a->vars.at[j]->name);
            if (!now || now->missing == now->rows) continue; /* dropped, or suppressed as a whole */
            if (!column_numeric(now)) {
                if (t == 0) TRY(leave_out(x->run, a->vars.at[j], now, a->released));
                continue;
            }
            before.at[before.count++] = a->vars.at[j];
            TRY(joint_column(x, t, now, &after.at[after.count++]));
        }
    x->before = before;
    x->after = after;
    const KeyGraph *graph = a->keys.count ? &x->graph : NULL;
    TRY(believe_by_joining(work, graph, before, after, &x->owner, x->tables == 1 && a->released->released, &x->beliefs[JOINING]));
done:
    return status;
}

/* ---- releases over time ---- */

/* Whose the joint records are: those of people whom the original lacks are left out. */
static Status own_joint_records(Attack *x, const Ownership *owner) {
    Status status = OK;
    int64_t kept = 0, *row = NULL;
    NEW(&x->run->work, row, x->joint.records + 1);
    for (int64_t i = 0; i < x->joint.records; i++) {
        int64_t own = -1;
        for (int64_t t = 0; t < x->tables && own < 0; t++)
            if (x->joint.row[t][i] >= 0) own = owner[t].row[x->joint.row[t][i]];
        if (own < 0) continue;
        for (int64_t t = 0; t < x->tables; t++) x->joint.row[t][kept] = x->joint.row[t][i];
        row[kept++] = own;
    }
    x->joint.records = kept;
    x->owner = (Ownership){ .known = true, .how = owner[0].how, .row = row };
done:
    return status;
}

/* The releases that an intruder has, their records side by side. */
Status reidentification_gather(Attack *x) {
    Status status = OK;
    const ReidentificationArgs *a = x->a;
    Work *work = &x->run->work;
    LinkedReleases linked;
    Ownership *owner = NULL;
    const char *id = a->id ? a->id->name : NULL;
    x->tables = 1 + a->previous.count;
    NEW(work, x->table, x->tables + 1);
    NEW(work, x->held.at, x->tables * (a->keys.count + a->vars.count) + 1);
    x->table[0] = a->released;
    for (int64_t t = 1; t < x->tables; t++) x->table[t] = a->previous.at[t - 1];
    x->joint.records = a->released->rows;
    if (x->tables == 1) return ownership_find(work, a->released, a->original, id, &x->owner);
    TRY(releases_link(work, a->released, a->previous.at, a->previous.count, a->original, id, &linked));
    TRY(releases_side_by_side(work, &linked, a->released->rows, &x->joint));
    NEW(work, owner, x->tables);
    for (int64_t t = 0; t < x->tables; t++) {
        const bool named = id && table_column(x->table[t], id);
        TRY(ownership_find(work, x->table[t], a->original, named ? id : NULL, &owner[t]));
        if (owner[t].known) continue;
        fail(work->error, BAD, "it is not known whose its records are, so that releases over time cannot be judged together");
        if (x->table[t]->name) error_file(work->error, x->table[t]->name);
        TRY(error_advice(work->error, "Name a column of all tables that numbers the records with --id."));
    }
    TRY(own_joint_records(x, owner));
    result_note(x->run->result,
                "The intruders have this release and %lld earlier ones. %lld people are only in earlier releases, and count as well.",
                (long long)a->previous.count, (long long)(x->joint.records - a->released->rows));
done:
    return status;
}
