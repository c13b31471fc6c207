/* The release as an index of records. */
#include "attack/near_release.h"
#include "classes/joint_codes.h"

static Status pick(Run *run, const NearRelease *near, const Table *table, Columns *out) {
    Status status = OK;
    NEW(&run->work, out->at, near->count + 1);
    for (int64_t i = 0; i < near->count; i++) TRY(table_need(table, near->names[i], &out->at[out->count++], run->work.error));
done:
    return status;
}

Status near_release_make(Run *run, const Table *released, const Table *original, const Table *holdout, const Table *more, Texts known,
                         const char *except, NearRelease *out) {
    Status status = OK;
    Columns named = { 0 }, columns = { 0 }, others[3] = { { 0 } };
    const char **names;
    int64_t count;
    Space space;
    *out = (NearRelease){ 0 };
    NEW(&run->work, named.at, known.count + 1);
    for (int64_t i = 0; i < known.count; i++) TRY(table_need(released, known.at[i], &named.at[named.count++], run->work.error));
    TRY(common_columns(&run->work, released, original, named, &names, &count));
    NEW(&run->work, out->names, count + 1);
    for (int64_t i = 0; i < count; i++)
        if (!except || !same_text(names[i], except)) out->names[out->count++] = names[i];
    if (!out->count)
        TRY(fail(run->work.error, BAD, except ? "the tables share no column except the sensitive one" : "the tables share no column"));
    TRY(pick(run, out, released, &columns));
    TRY(pick(run, out, original, &others[0]));
    TRY(pick(run, out, holdout, &others[1]));
    if (more) TRY(pick(run, out, more, &others[2]));
    TRY(scale_make_with_missing(&run->work, columns, others, more ? 3 : 2, GOWER, &out->scale));
    TRY(scale_space(&run->work, out->scale, columns, &space));
    TRY(neighbours_take(&run->work, &space, &out->index));
done:
    return status;
}

Status near_release_index(Run *run, const NearRelease *near, const Table *table, Neighbours **out) {
    Status status = OK;
    Columns columns = { 0 };
    Space space;
    TRY(pick(run, near, table, &columns));
    TRY(scale_space(&run->work, near->scale, columns, &space));
    TRY(neighbours_take(&run->work, &space, out));
done:
    return status;
}

Status near_release_find(Run *run, const NearRelease *near, const Table *table, Nearest out) {
    Status status = OK;
    Neighbours *from = NULL;
    TRY(near_release_index(run, near, table, &from));
    TRY(neighbours_nearest(&run->work, from, near->index, false, out));
done:
    neighbours_drop(&run->work, from);
    return status;
}
