/* An attack by shadow releases: the intruder knows the method, draws releases from data that no target was in, and subtracts from a
 * target's distance the distance that it has then (the offline form of Carlini et al. 2022). */
#include <stdio.h>
#include <string.h>
#include "attack/membership/membership.h"
#include "base/elementary.h"

static Status method_of(const Targets *t, const Method **method, const Param **subject) {
    Status status = method_need(t->a->method, method, t->run->work.error);
    *subject = NULL;
    if (status) return error_parameter(t->run->work.error, "method");
    for (const Param *p = (*method)->params; p && p->kind && !*subject; p++)
        if (p->kind == KIND_TABLE && (p->flags & POSITIONAL)) *subject = p;
    if (*subject && ((*method)->traits & RANDOM)) return OK;
    fail(t->run->work.error, BAD, "%s does not make a randomised release of a table", t->a->method);
    return error_parameter(t->run->work.error, "method");
}

/* NAME=VALUE as arguments; the last place is the table's. */
static Status arguments_of(const Targets *t, Arg **list) {
    Status status = OK;
    Work *work = &t->run->work;
    NEW(work, *list, t->a->set.count + 1);
    for (int64_t i = 0; i < t->a->set.count; i++) {
        char *name = arena_text(work->arena, t->a->set.at[i]), *equal = name ? strchr(name, '=') : NULL;
        const char **items;
        int64_t pieces;
        if (!name) return out_of_memory(work->error);
        if (!equal) {
            fail(work->error, BAD, "takes NAME=VALUE");
            return error_parameter(work->error, "set");
        }
        *equal = 0;
        TRY(args_split(work, equal + 1, &pieces, &items));
        (*list)[i] = (Arg){ .name = name, .count = pieces, .items = items };
    }
done:
    return status;
}

/* Half of the reference, drawn at random, released by the method. */
static Status draw_shadow(Targets *t, const Method *method, Arg *list, const Param *subject, int64_t number, Result **out) {
    Status status = OK;
    int64_t rows = t->reference->rows, *order = NULL, count = t->a->set.count;
    Table *half = NULL;
    char purpose[40], dotted[128];
    snprintf(purpose, sizeof purpose, "shadow %lld", (long long)number);
    RandomStream stream = run_stream(t->run, "", purpose);
    NEW(&t->run->work, order, rows + 1);
    TRY(stream_permutation(&t->run->work, &stream, rows, order));
    TRY(table_take(t->reference, order, rows / 2, &half, t->run->work.error));
    list[count] = (Arg){ .name = subject->name, .count = 1, .tables = &half };
    snprintf(dotted, sizeof dotted, "%s.%s", method->group, method->name);
    TRY(run_method(t->run, dotted, &(Args){ count + 1, list }, out));
    if (!(*out)->outputs) TRY(fail(t->run->work.error, BAD, "%s made no table", t->a->method));
done:
    table_release(half);
    return status;
}

Status score_shadow(Targets *t, double *score) {
    Status status = OK;
    Work *work = &t->run->work;
    const Method *method;
    const Param *subject;
    Arg *list = NULL;
    Result *shadow = NULL;
    Neighbours *index = NULL;
    int64_t members = t->a->original->rows, count = targets_count(t);
    double *own = NULL;
    TRY(method_of(t, &method, &subject));
    TRY(arguments_of(t, &list));
    NEW(work, own, count + 1);
    memcpy(score, t->distance, (size_t)count * sizeof *score);
    for (int64_t s = 0; s < t->a->shadows; s++) {
        TRY(draw_shadow(t, method, list, subject, s, &shadow));
        TRY(near_release_index(t->run, &t->near, shadow->output[0], &index));
        for (int64_t i = 0; i < count; i++) own[i] = NAN;
        for (int k = 0; k < 2; k++)
            TRY(neighbours_nearest(work, t->from[k], index, false, (Nearest){ .measure = own + (k ? members : 0) }));
        for (int64_t i = 0; i < count; i++) score[i] -= own[i] / (double)t->a->shadows;
        neighbours_drop(work, index);
        index = NULL;
        result_free(shadow);
        shadow = NULL;
        work_show(work, "shadow releases", (double)(s + 1) / (double)t->a->shadows);
    }
    for (int64_t i = 0; i < count; i++) score[i] = snap_to_zero(score[i], 1);
done:
    neighbours_drop(work, index);
    result_free(shadow);
    return status;
}
