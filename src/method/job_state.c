/* A job's state as bytes, and merged. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include "method/job_private.h"

static const char version[] = "scrim state 4";

/* Whose state: the method, and the arguments but for the table. */
static void hash_job(const Job *job, unsigned char out[32]) {
    crypto_generichash_state hash;
    char said[128];
    crypto_generichash_init(&hash, NULL, 0, 32);
    method_said(job->method, said);
    crypto_generichash_update(&hash, (const unsigned char *)said, strlen(said) + 1);
    for (int64_t i = job->tables; i < job->given.count; i++) {
        const Arg *arg = &job->given.at[i];
        crypto_generichash_update(&hash, (const unsigned char *)arg->name, strlen(arg->name) + 1);
        for (int64_t j = 0; arg->items && j < arg->count; j++)
            crypto_generichash_update(&hash, (const unsigned char *)arg->items[j], strlen(arg->items[j]) + 1);
    }
    crypto_generichash_final(&hash, out, 32);
}

/* A table without its records. */
static void put_like(Buffer *out, const Table *like) {
    pack_word(out, like ? (uint64_t)like->columns : 0);
    for (int64_t j = 0; like && j < like->columns; j++) {
        pack_text(out, like->column[j]->name);
        pack_word(out, (uint64_t)plain_type(like->column[j]->type));
        pack_word(out, like->altered[j]);
    }
    pack_word(out, like ? (uint64_t)like->perturbed + 2 * (uint64_t)like->released + 4 * (uint64_t)like->reordered : 0);
}

static void put_made(Buffer *out, const Made *made) {
    put_like(out, made->like);
    pack_word(out, (uint64_t)made->rows);
    for (int64_t j = 0; made->like && j < made->like->columns; j++) {
        pack_word(out, (uint64_t)made->missing[j]);
        pack_word(out, (uint64_t)made->suppressed[j]);
    }
}

Status job_state(Job *job, Buffer *out, Error *error) { return job_state_piece(job, 0, 1, out, error); }

Status job_state_piece(Job *job, int64_t piece, int64_t pieces, Buffer *out, Error *error) {
    unsigned char hash[32];
    Status status = job_sound(job, error);
    if (status) return status;
    if ((job->spill || job->aside) && !job->finished) return fail(error, BAD, "what this job has learned lies on disk");
    if (piece < 0 || piece >= pieces) return fail(error, BAD, "there is no such piece of a state");
    if (job->finished && pieces > 1) return fail(error, BAD, "what was done is one piece");
    hash_job(job, hash);
    buffer_add(out, version, sizeof version);
    buffer_char(out, job->finished ? 'd' : 'f');
    buffer_add(out, (const char *)hash, sizeof hash);
    for (int t = 0; t < job->tables; t++) put_like(out, job->like[t]);
    state_save_piece(job->finished ? &job->done : &job->fit, piece, pieces, out);
    if (job->finished) put_made(out, &job->made);
    return out->failed ? out_of_memory(error) : OK;
}

static Status read_like(const char **at, const char *end, Table **out, Error *error) {
    Status status = OK;
    uint64_t columns = 0, type, altered, marks;
    Column *column[4096] = { 0 };
    char *name = NULL;
    bool was[4096];
    *out = NULL;
    if (!unpack_word(at, end, &columns) || columns > 4096) TRY(fail(error, BAD, "this state is broken"));
    for (uint64_t j = 0; j < columns; j++) {
        if (!unpack_text(at, end, &name) || !unpack_word(at, end, &type) || !unpack_word(at, end, &altered) || type > DATETIME_TYPE ||
            type == TEXT_TYPE)
            TRY(fail(error, BAD, "this state is broken"));
        if (type == CATEGORY_TYPE) TRY(column_category(name, NULL, 0, &column[j], error));
        else TRY(column_new((Type)type, name, 0, &column[j], error));
        was[j] = altered;
        free(name);
        name = NULL;
    }
    if (!unpack_word(at, end, &marks) || marks > 7) TRY(fail(error, BAD, "this state is broken"));
    if (!columns) return OK;
    TRY(table_new(NULL, column, (int64_t)columns, 0, out, error));
    (*out)->perturbed = marks & 1;
    (*out)->released = marks & 2;
    (*out)->reordered = marks & 4;
    for (uint64_t j = 0; j < columns; j++) (*out)->altered[j] = was[j];
done:
    free(name);
    for (uint64_t j = 0; j < columns && j < 4096; j++) column_release(column[j]);
    return status;
}

/* What another job made, added to what this one did. */
static Status add_made(Job *job, const char **at, const char *end, Error *error) {
    Status status = OK;
    Table *like = NULL;
    uint64_t rows, missing, suppressed;
    TRY(read_like(at, end, &like, error));
    if (!unpack_word(at, end, &rows) || rows > INT64_MAX) TRY(fail(error, BAD, "this state is broken"));
    if (!like) goto done;
    TRY(made_open(&job->made, like, error));
    Made *made = &job->made;
    if (made->like->columns != like->columns) TRY(fail(error, BAD, "this state is of a release with other columns"));
    made->rows += (int64_t)rows;
    made->like->perturbed |= like->perturbed;
    made->like->released |= like->released;
    for (int64_t j = 0; j < like->columns; j++) {
        if (!unpack_word(at, end, &missing) || !unpack_word(at, end, &suppressed)) TRY(fail(error, BAD, "this state is broken"));
        made->missing[j] += (int64_t)missing;
        made->suppressed[j] += (int64_t)suppressed;
        made->like->altered[j] |= like->altered[j];
    }
done:
    table_release(like);
    return status;
}

static Status of_another(const char *what, Error *error) {
    fail(error, BAD, "this state is of another %s", what);
    return error_advice(error, "States merge where the same version ran the same method with the same arguments.");
}

Status job_merge(Job *job, const char *bytes, size_t count, Error *error) {
    Status status = OK;
    unsigned char hash[32];
    const char *at = bytes + sizeof version + 1 + sizeof hash, *end = bytes + count;
    PartState other = { 0 };
    Table *like[PART_TABLES] = { 0 };
    hash_job(job, hash);
    if (count < sizeof version + 1 + sizeof hash || memcmp(bytes, "scrim state ", 12)) return fail(error, BAD, "this is no state of a job");
    if (memcmp(bytes, version, sizeof version)) return of_another("version", error);
    if (memcmp(bytes + sizeof version + 1, hash, sizeof hash)) return of_another("method, or of other arguments", error);
    if (bytes[sizeof version] != (job->finished ? 'd' : 'f'))
        return fail(error, BAD,
                    job->finished ? "what was learned cannot be merged into a job that is finished"
                                  : "what was done cannot be learned from");
    TRY(job_sound(job, error));
    for (int t = 0; t < job->tables; t++) TRY(read_like(&at, end, &like[t], error));
    TRY(state_load(&at, end, &other, error));
    if (job->finished) TRY(add_made(job, &at, end, error));
    if (at != end) TRY(fail(error, BAD, "this state is broken"));
    for (int t = 0; t < job->tables; t++)
        if (like[t]) TRY(job_check(job, t, like[t], error));
    TRY(state_merge(job->finished ? &job->done : &job->fit, &other, error));
    if (!job->finished) job->roll = job->fit.roll[0];
    job->merged = true;
done:
    state_clear(&other);
    for (int t = 0; t < job->tables; t++) table_release(like[t]);
    return status;
}

/* ---- laid aside ---- */

bool job_can_spill(const Job *job) { return (job->method->parts->shape == BY_CLASS && job->fit.rolls == 1) || job->fit.ladders; }

static Status spill_ladders(Job *job, const char *folder, Error *error) {
    Status status = OK;
    for (int64_t i = 0; i < job->fit.ladders; i++)
        if (job->fit.ladder[i]) TRY(value_counts_spill(job->fit.ladder[i], folder, error));
    job->aside |= job->fit.ladders > 0;
done:
    return status;
}

Status job_spill(Job *job, const char *folder, Error *error) {
    Status status = OK;
    TupleCounts *roll = job->fit.roll[0];
    if (!job_can_spill(job)) return fail(error, BAD, "this method cannot lay aside what it learns");
    TRY(spill_ladders(job, folder, error));
    if (job->method->parts->shape != BY_CLASS || !roll || !roll->count) return OK;
    if (!job->spill) TRY(spill_new(folder, &job->spill, error));
    TRY(spill_run(job->spill, roll, error));
    tuple_counts_free(roll);
    job->fit.roll[0] = job->roll = NULL;
done:
    return status;
}

/* A row of the tuples, while the method runs on them: as measured at a million of them, three keys each (docs/speed.md). What answers
 * records of one tuple apart keeps some four times as much. */
static size_t row_bytes(const TupleCounts *roll) {
    size_t bytes = 160 + 16 * (size_t)roll->keys + (roll->weighted ? 32 : 0);
    return roll->apart ? 4 * bytes : bytes;
}

Status job_gather(Job *job, size_t *bytes, int64_t *tuples, Error *error) {
    Status status = OK;
    TupleCounts *merged = NULL;
    *bytes = 0;
    *tuples = 0;
    if (job->spill) {
        TRY(job_spill(job, NULL, error));
        TRY(spill_merge(job->spill, &merged, error));
        spill_free(job->spill);
        job->spill = NULL;
        job->fit.roll[0] = job->roll = merged;
    }
    for (int64_t i = 0; i < job->fit.ladders; i++)
        if (job->fit.ladder[i]) TRY(value_counts_gather(job->fit.ladder[i], error));
    const TupleCounts *roll = job->fit.roll[0];
    if (!roll || job->method->parts->shape != BY_CLASS) return OK;
    *tuples = roll->count;
    for (int64_t i = 0; i < roll->count; i++) {
        int64_t apart = !roll->apart ? 1 : roll->times[i] < roll->apart ? roll->times[i] : roll->apart;
        *bytes += row_bytes(roll) * (size_t)apart;
    }
done:
    return status;
}
