/* Jobs: a method run on a table that comes in parts. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include "method/job_private.h"

const char *parts_name(const Method *method) { return !method->parts ? "whole" : method->parts->shape == BY_ROW ? "by row" : "by class"; }

Status job_new(const Session *session, const Method *method, const Args *given, const Args *roles, Job **out, Error *error) {
    Status status = OK;
    Job *job = NULL;
    *out = NULL;
    job = calloc(1, sizeof *job);
    if (!job || !(job->arena = arena_new()) || sodium_init() < 0)
        TRY(fail(error, FAILED, "this job failed within a part and is incomplete"));
    job->session = *session;
    job->method = method;
    TRY(job_subjects(job, method, error));
    TRY(job_copy_args(job, given, true, &job->given, error));
    TRY(job_copy_args(job, roles, false, &job->roles, error));
    *out = job;
    job = NULL;
done:
    job_free(job);
    return status;
}

static void forget_made(Made *made) {
    table_release(made->like);
    free(made->missing);
    free(made->suppressed);
    *made = (Made){ 0 };
}

void job_free(Job *job) {
    if (!job) return;
    if (job->given.at) job_release_args(&(Args){ job->given.count - job->tables, job->given.at + job->tables });
    job_release_args(&job->roles);
    if (job->once.drop) job->once.drop(job->once.at);
    state_clear(&job->fit);
    state_clear(&job->done);
    spill_free(job->spill);
    for (int t = 0; t < PART_TABLES; t++) table_release(job->like[t]);
    forget_made(&job->made);
    arena_free(job->laid);
    result_free(job->result);
    arena_free(job->arena);
    sodium_memzero(&job->seed, sizeof job->seed);
    sodium_memzero(&job->session.seed, sizeof job->session.seed);
    free(job);
}

size_t job_size(const Job *job) {
    size_t size = 0;
    for (int64_t i = 0; i < job->fit.rolls; i++) size += job->fit.roll[i] ? tuple_counts_size(job->fit.roll[i]) : 0;
    for (int64_t i = 0; i < job->fit.ladders; i++) size += job->fit.ladder[i] ? value_counts_size(job->fit.ladder[i]) : 0;
    return size;
}

/* ---- chunks ---- */

Status job_sound(const Job *job, Error *error) {
    if (!job->broken) return OK;
    fail(error, BAD, "this job failed in the middle of a part, and what it has is not whole");
    return error_advice(error, "Start a new job.");
}

/* The same columns without records. */
static Status without_records(const Table *table, Table **out, Error *error) { return table_take(table, NULL, 0, out, error); }

/* Perturbed, released, and which columns were altered. */
static void keep_marks(const Table *from, Table *to) {
    to->perturbed = from->perturbed;
    to->released = from->released;
    to->reordered = from->reordered;
    for (int64_t j = 0; j < to->columns; j++) to->altered[j] = table_altered(from, to->column[j]->name);
}

/* Every chunk is cut from one table. */
Status job_check(Job *job, int t, const Table *chunk, Error *error) {
    Table *like = job->like[t];
    if (!like) {
        Status status = without_records(chunk, &like, error);
        if (status) return status;
        job->like[t] = like;
        keep_marks(chunk, like);
        if (job->path[t]) {
            free(like->name);
            like->name = strdup(job->path[t]);
        }
        return OK;
    }
    if (chunk->columns != like->columns)
        return fail(error, BAD, "this part of the table has %lld columns, and the first had %lld", (long long)chunk->columns,
                    (long long)like->columns);
    for (int64_t j = 0; j < chunk->columns; j++) {
        const Column *column = chunk->column[j], *first = like->column[j];
        if (strcmp(column->name, first->name)) {
            fail(error, BAD, "this part of the table has this column where the first part had '%s'", first->name);
            return error_column(error, column->name);
        }
        if (plain_type(column->type) == plain_type(first->type)) continue;
        fail(error, BAD, "holds %s in this part of the table, and %s in the first", type_values(column->type), type_values(first->type));
        return error_column(error, column->name);
    }
    return OK;
}

/* As many tables as the method is run on, side by side, from a record that can be counted on. */
static Status check_chunk(Job *job, const Table *const chunk[PART_TABLES], int64_t first_row, Error *error) {
    Status status = OK;
    char said[128];
    if (job->tables == 2 && !chunk[1])
        return fail(error, BAD, "%s is given the parts of two tables together", method_said(job->method, said));
    if (job->tables == 1 && chunk[1]) return fail(error, BAD, "%s is given the parts of one table", method_said(job->method, said));
    for (int t = 0; t < job->tables; t++) {
        if (first_row < 0 || first_row > INT64_MAX - chunk[t]->rows) return fail(error, BAD, "a part begins with a row from 0 on");
        TRY(job_check(job, t, chunk[t], error));
    }
done:
    return status;
}

/* Opens a frame whose table, or tables, are this chunk. */
static Status open_chunk(Job *job, const Session *session, const Table *const chunk[PART_TABLES], Frame *frame, Error *error) {
    Arg *first = (Arg *)(uintptr_t)job->given.at; /* their places were kept */
    for (int t = 0; t < job->tables; t++)
        first[t] = (Arg){ .name = job->subject[t]->name, .count = 1, .tables = (Table *const *)&chunk[t] };
    Status status = frame_open(frame, session, job->method, &job->given, &job->roles, true, error);
    for (int t = 0; t < job->tables; t++) first[t] = (Arg){ 0 };
    frame->run.once = &job->once;
    return status;
}

Status parts_refuse(const Method *method, const char *why, Error *error) {
    char said[128];
    fail(error, BAD, "%s needs the whole table here: %s", method_said(method, said), why);
    return error_advice(error, "Leave --max-memory out if the table fits into memory, or choose other options.");
}

static Status check_whole(const Job *job, Frame *frame) {
    const Param *original = method_param(job->method, "original");
    const char *why = job->method->parts->whole ? job->method->parts->whole(frame->binding.args) : NULL;
    if (!why && !job->method->parts->original_aside && original && original != job->subject[0] && original->kind == KIND_TABLE &&
        *(const Table *const *)(const void *)(frame->binding.args + original->offset))
        why = "--original is compared record by record";
    if (!why && job->tables > 1 && frame->binding.common.where) why = "--where chooses records of both tables by the first";
    if (!why && bound_person(&frame->binding)) why = "a person's records may be in several parts";
    return why ? parts_refuse(job->method, why, frame->work.error) : OK;
}

/* ---- by class ---- */

enum { KEPT = 0 }; /* a place in PartState.count: records that --where keeps */

static Status fit_classes(Job *job, Frame *frame, int64_t first_row) {
    Status status = OK;
    Columns keys = { 0 };
    const Column *weight = NULL;
    int64_t *place;
    TRY(used_columns(frame, &keys, &weight));
    TRY(state_tuple_counts(&job->fit, 0, keys.count, 0, weight != NULL, &job->roll, frame->work.error));
    job->roll->signs = true;
    if (job->method->parts->apart) job->roll->apart = job->method->parts->apart(frame->binding.args);
    job->roll->number = frame->binding.rows;
    job->fit.count[KEPT] += first_table(&frame->binding)->rows;
    TRY(tuple_counts_add(&frame->work, job->roll, keys, weight, first_table(&frame->binding)->rows, first_row, &place));
done:
    if (job->roll) job->roll->number = NULL;
    return status;
}

/* By row: --where numbers the records again, and how many it keeps before a part is known only to anyone who was given all before it. */
static Status number_anew(Job *job, Frame *frame, const Table *chunk, int64_t first_row) {
    frame->run.first_row = first_row;
    if (!frame->binding.rows || job->method->parts->shape != BY_ROW || !chunk->rows) return OK;
    if (!first_row) job->kept = job->seen = 0;
    if (first_row != job->seen || job->merged) {
        char said[128];
        fail(frame->work.error, BAD, "%s with --where takes the parts of a table in their order, from the first, in a single job",
             method_said(job->method, said));
        return error_advice(frame->work.error, "Filter the records beforehand, or omit --where.");
    }
    frame->run.first_row = job->kept;
    job->kept += frame->binding.row_count;
    job->seen += chunk->rows;
    return OK;
}

static int64_t rows_of(const Table *const chunk[PART_TABLES]) {
    return chunk[1] && chunk[1]->rows > chunk[0]->rows ? chunk[1]->rows : chunk[0]->rows;
}

Status job_fit(Job *job, const Table *chunk, int64_t first_row, Error *error) {
    return job_fit_both(job, (const Table *[PART_TABLES]){ chunk }, first_row, error);
}

Status job_fit_both(Job *job, const Table *const chunk[PART_TABLES], int64_t first_row, Error *error) {
    Status status = OK;
    Frame frame = { 0 };
    const InParts *parts = job->method->parts;
    if (job->finished) return fail(error, BAD, "this job has learned what it could");
    TRY(job_sound(job, error));
    TRY(check_chunk(job, chunk, first_row, error));
    TRY(open_chunk(job, &job->session, chunk, &frame, error));
    TRY(check_whole(job, &frame));
    TRY(frame_check(&frame));
    TRY(number_anew(job, &frame, chunk[0], first_row));
    TRY(state_learns(&job->fit, first_row, rows_of(chunk), error));
    job->broken = true; /* until the part is learned from */
    if (parts->shape == BY_CLASS) TRY(fit_classes(job, &frame, first_row));
    else if (parts->fit) TRY(parts->fit(&frame.run, frame.binding.args, &job->fit));
    if (parts->shape == BY_ROW && (job->method->traits & RANDOM)) {
        unsigned char key[ROW_PRINT_KEY];
        row_print_key(&job->session.seed, key);
        TRY(rows_print(&frame.work, first_table(&frame.binding), frame.run.first_row, key, &job->fit.print));
    }
    job->fit.rows += parts->shape == BY_CLASS ? chunk[0]->rows : first_table(&frame.binding)->rows;
    job->broken = false;
done:
    if (status) error_part(error, first_row);
    frame_close(&frame);
    return status;
}

/* What the column of weights is called, of a roll that has them: as given, else by its role. */
static const char *weight_name(const Job *job) {
    const Args others = job_others(job);
    const Arg *named = args_find(&others, "weight");
    return (named ? named : args_find(&job->roles, "weight"))->items[0];
}

/* The roll as a table: its rows, and the weights that they add up to. */
static Status lay_out(Job *job, Work *work, Table **out) {
    Status status = OK;
    TupleCounts *roll = job->roll;
    Table *tuples = NULL, *table = NULL;
    Column *weight = NULL;
    int64_t *order = NULL;
    Work own = *work;
    if (!(own.arena = job->laid = arena_new())) TRY(fail(work->error, FAILED, "this job failed within a part and is incomplete"));
    TRY(tuple_counts_rows(&own, roll, &job->rows));
    NEW(&own, job->weights, job->rows.count + 1);
    NEW(work, order, roll->count + 1);
    for (int64_t i = 0; i < roll->count; i++) order[i] = i;
    TRY(tuple_counts_table(work, roll, job->like[0]->name, order, &tuples));
    TRY(table_take(tuples, job->rows.tuple, job->rows.count, &table, work->error));
    free(table->origin); /* its rows are no table's records, and in no order of theirs */
    table->origin = NULL;
    if (roll->weighted) {
        TRY(column_new(REAL_TYPE, weight_name(job), job->rows.count, &weight, work->error));
        for (int64_t i = 0; i < job->rows.count; i++) weight->real[i] = weight_real(job->weights[i] = roll->weight[job->rows.tuple[i]]);
        TRY(table_with(table, &weight, 1, out, work->error));
    } else {
        *out = table;
        table = NULL;
    }
    keep_marks(job->like[0], *out);
done:
    column_release(weight);
    table_release(tuples);
    table_release(table);
    return status;
}

/* Frequencies as weights: the method runs once on the tuples. */
static Status run_roll(Job *job, Error *error) {
    Status status = OK;
    Error local = ERROR_NONE;
    Work work = { .arena = arena_new(), .error = error ? error : &local, .threads = job->session.threads };
    Table *data = NULL;
    Frame frame = { 0 };
    if (!work.arena) TRY(fail(error, FAILED, "this job failed within a part and is incomplete"));
    TRY(lay_out(job, &work, &data));
    spill_rest(job->roll);
    Session session = job->session;
    session.times = job->rows.times;
    session.weights = job->roll->weighted ? job->weights : NULL;
    session.records = job->fit.count[KEPT];
    TRY(open_chunk(job, &session, (const Table *[PART_TABLES]){ data }, &frame, error));
    TRY(frame_check(&frame));
    TRY(frame_seed(&frame, NULL));
    status = job->method->run(&frame.run, frame.binding.args);
    if (status && error && error->row >= 0 && error->row < job->rows.count) error->row = job->rows.record[error->row];
    TRY(status);
    TRY(frame_finish(&frame));
    const Args others = job_others(job);
    if (args_find(&others, "where")) note_where(frame.result, job->fit.count[KEPT], job->fit.rows, frame.result->outputs == 1);
    job->result = frame.result;
    frame.result = NULL;
done:
    frame_close(&frame);
    table_release(data);
    arena_free(work.arena);
    return status;
}

Status job_finish(Job *job, Error *error) {
    Status status = OK;
    if (job->finished) return OK;
    TRY(job_sound(job, error));
    if (!job->like[0]) return fail(error, BAD, "no part of the table has come");
    if (job->method->parts->shape == BY_CLASS) {
        job->roll = job->fit.roll[0];
        if (!job->roll) return fail(error, BAD, "no part of the table has come");
        TRY(run_roll(job, error));
    }
    job->finished = true;
done:
    return status;
}

/* ---- what is made ---- */

Status made_open(Made *made, const Table *part, Error *error) {
    if (made->like) return OK;
    Status status = without_records(part, &made->like, error);
    if (status) return status;
    keep_marks(part, made->like);
    made->missing = calloc((size_t)part->columns + 1, sizeof *made->missing);
    made->suppressed = calloc((size_t)part->columns + 1, sizeof *made->suppressed);
    return made->missing && made->suppressed ? OK : fail(error, FAILED, "this job failed within a part and is incomplete");
}

static Status note_made(Job *job, const Table *part, Error *error) {
    Made *made = &job->made;
    Status status = made_open(made, part, error);
    if (status) return status;
    made->rows += part->rows;
    made->like->perturbed |= part->perturbed;
    made->like->released |= part->released;
    for (int64_t j = 0; j < part->columns && j < made->like->columns; j++) {
        made->missing[j] += part->column[j]->missing;
        made->suppressed[j] += column_suppressed(part->column[j]);
        made->like->altered[j] |= part->altered[j];
    }
    return OK;
}

/* The output as a result shows it: how many records, which columns. */
static Status made_table(Job *job, Table **out, Error *error) {
    Made *made = &job->made;
    Table *table = NULL;
    Status status = without_records(made->like, &table, error);
    if (status) return status;
    keep_marks(made->like, table);
    table->elsewhere = made->suppressed;
    made->suppressed = NULL;
    table->rows = made->rows;
    for (int64_t j = 0; j < table->columns; j++) table->column[j]->missing = made->missing[j];
    *out = table;
    return OK;
}

void job_forget(Job *job) {
    state_clear(&job->done);
    forget_made(&job->made);
    job->broken = false;
}

static Status unknown_tuple(const Job *job, Error *error) {
    char said[128];
    return fail(error, BAD, "%s was not shown this part of the table when it learned", method_said(job->method, said));
}

/* With --where: the records that it keeps among the others, as a run at once puts them. */
static Status beside_others(Frame *frame, const Table *chunk, const Table *some, Column *const *columns, int64_t count, bool makes,
                            Table **out) {
    Status status = OK;
    Table *narrow = NULL;
    Column **wide = NULL;
    if (makes) {
        TRY(table_with(some, columns, count, &narrow, frame->work.error));
        result_output(frame->result, narrow);
    }
    for (int64_t j = 0; !makes && j < count; j++) result_column(frame->result, "data", column_retain(columns[j]));
    TRY(frame_finish(frame));
    if (makes) {
        *out = table_retain(frame->result->output[0]);
        return OK;
    }
    NEW(&frame->work, wide, count + 1);
    for (int64_t j = 0; j < count; j++) wide[j] = frame->result->column[j].column;
    TRY(table_beside(chunk, wide, count, out, frame->work.error));
done:
    return status;
}

/* Each record as its tuple: changed columns, or columns beside the records'. */
static Status apply_classes(Job *job, Frame *frame, const Table *chunk, Table **out) {
    Status status = OK;
    Columns keys = { 0 };
    const Column *weight = NULL;
    Column **columns = NULL;
    int64_t *place = NULL, count = 0;
    Result *r = job->result;
    Table *rest = NULL;
    const Table *some = first_table(&frame->binding); /* those of the chunk that --where keeps */
    const int64_t *number = frame->binding.rows;
    NEW(&frame->work, columns, r->columns + (r->outputs ? r->output[0]->columns : 0) + 1);
    TRY(used_columns(frame, &keys, &weight));
    TRY(tuple_counts_find(&frame->work, job->roll, keys, some->rows, &place));
    for (int64_t i = 0; i < some->rows; i++) {
        if (place[i] < 0) TRY(unknown_tuple(job, frame->work.error));
        place[i] = tuple_counts_row(job->roll, &job->rows, place[i], frame->run.first_row + (number ? number[i] : i));
    }
    if (r->outputs) {
        int64_t *kept, rows;
        TRY(rows_released(&frame->work, r->output[0], job->rows.count, some->rows, place, &kept, &rows));
        if (kept && rows < some->rows) {
            TRY(table_take(some, kept, rows, &rest, frame->work.error));
            some = rest;
            chunk = number ? chunk : rest;
        }
    }
    for (int64_t j = 0; r->outputs && j < r->output[0]->columns; j++) {
        const Column *made = r->output[0]->column[j];
        if (weight && !strcmp(made->name, weight->name)) continue; /* of the roll it is a sum */
        TRY(column_take(made, place, some->rows, &columns[count++], frame->work.error));
    }
    for (int64_t j = 0; !r->outputs && j < r->columns; j++)
        TRY(column_take(r->column[j].column, place, some->rows, &columns[count++], frame->work.error));
    if (number) TRY(beside_others(frame, chunk, some, columns, count, r->outputs > 0, out));
    else TRY((r->outputs ? table_with : table_beside)(chunk, columns, count, out, frame->work.error));
    if (r->outputs) keep_marks(r->output[0], *out);
done:
    table_release(rest);
    for (int64_t j = 0; j < count; j++) column_release(columns[j]);
    return status;
}

static Status apply_rows(Job *job, Frame *frame, Table **out) {
    Status status = OK;
    const InParts *parts = job->method->parts;
    if (!job->seeded) {
        TRY(frame_seed(frame, &job->fit.print));
        job->seed = frame->run.seed;
        job->seeded = true;
    }
    frame->run.seed = job->seed;
    TRY(parts->apply(&frame->run, frame->binding.args, &job->fit, &job->done));
    TRY(frame_finish(frame));
    if (frame->result->outputs) *out = table_retain(frame->result->output[0]);
done:
    return status;
}

bool job_makes(const Job *job) {
    return job->method->parts->shape == BY_ROW || (job->result && (job->result->outputs || job->result->columns));
}

Status job_apply(Job *job, const Table *chunk, int64_t first_row, Table **out, Error *error) {
    return job_apply_both(job, (const Table *[PART_TABLES]){ chunk }, first_row, out, error);
}

Status job_apply_both(Job *job, const Table *const chunk[PART_TABLES], int64_t first_row, Table **out, Error *error) {
    Status status = OK;
    Frame frame = { 0 };
    *out = NULL;
    if (!job->finished) return fail(error, BAD, "this job has not been finished");
    TRY(check_chunk(job, chunk, first_row, error));
    if (!job_makes(job)) return OK;
    TRY(open_chunk(job, &job->session, chunk, &frame, error));
    TRY(number_anew(job, &frame, chunk[0], first_row));
    if (job->method->parts->shape == BY_ROW) TRY(state_learns(&job->done, first_row, rows_of(chunk), error)); /* what it does is counted */
    const bool was = job->broken;
    job->broken |= job->method->parts->shape == BY_ROW; /* until it is answered */
    TRY(job->method->parts->shape == BY_CLASS ? apply_classes(job, &frame, chunk[0], out) : apply_rows(job, &frame, out));
    job->done.rows += job->method->parts->shape == BY_CLASS ? chunk[0]->rows : first_table(&frame.binding)->rows;
    if (*out) TRY(note_made(job, *out, error));
    job->broken = was;
done:
    if (status) {
        table_release(*out);
        *out = NULL;
        error_part(error, first_row);
    }
    frame_close(&frame);
    return status;
}

/* A result's parameters as if the table had been named. */
static void name_subject(const Job *job, Result *result) {
    for (int64_t i = 0; i < result->params; i++)
        for (int t = 0; t < job->tables; t++)
            if (param_is(job->subject[t], result->param[i].name)) result->param[i].handle = !job->path[t];
}

/* By row: said of the table without its records, which are elsewhere. */
static Status say_rows(Job *job, Error *error) {
    Status status = OK;
    Frame frame = { 0 };
    TRY(open_chunk(job, &job->session, (const Table *[PART_TABLES]){ job->like[0], job->like[1] }, &frame, error));
    TRY(frame_check(&frame));
    TRY(frame_seed(&frame, &job->fit.print));
    frame.binding.told[0] = job->kept;
    frame.binding.told[1] = job->seen;
    frame.binding.made_before = job->made.like != NULL;
    TRY(job->method->parts->say(&frame.run, frame.binding.args, &job->fit, &job->done));
    TRY(frame_finish(&frame));
    job->result = frame.result;
    frame.result = NULL;
done:
    frame_close(&frame);
    return status;
}

/* By class, where no part was applied: what the release would be. */
static Status made_unseen(Job *job, Error *error) {
    Status status = OK;
    const Table *output = job->result->output[0];
    const char *weight = job->roll->weighted ? weight_name(job) : NULL;
    Table *like = NULL;
    for (int64_t j = 0; j < output->columns; j++) {
        Column *column = NULL;
        Table *with = NULL;
        if (weight && !strcmp(weight, output->column[j]->name)) continue;
        TRY(column_take(output->column[j], NULL, 0, &column, error));
        status = table_with(like ? like : job->like[0], &column, 1, &with, error);
        column_release(column);
        if (status) goto done;
        table_release(like);
        like = with;
    }
    TRY(made_open(&job->made, like ? like : job->like[0], error));
    job->made.rows = job->fit.rows;
done:
    table_release(like);
    return status;
}

Status job_result(Job *job, Result **out, Error *error) {
    Status status = OK;
    Table *made = NULL;
    *out = NULL;
    if (!job->finished) return fail(error, BAD, "this job has not been finished");
    TRY(job_sound(job, error));
    if (job->told) return fail(error, BAD, "the result of this job was already taken"); /* noise is drawn once */
    job->told = true;
    if (job->method->parts->shape == BY_ROW) TRY(say_rows(job, error));
    Result *r = job->result;
    bool makes = r->outputs || job->method->parts->shape == BY_ROW;
    if (r->outputs && !job->made.like) TRY(made_unseen(job, error));
    for (int64_t i = 0; i < r->outputs; i++) table_release(r->output[i]);
    r->outputs = 0;
    for (int64_t i = 0; i < r->columns; i++) { /* their cells went with the records */
        Column *name = NULL;
        TRY(column_take(r->column[i].column, NULL, 0, &name, error));
        column_release(r->column[i].column);
        table_release(r->column[i].input);
        r->column[i].column = name;
        r->column[i].input = NULL;
    }
    if (makes && job->made.like) {
        TRY(made_table(job, &made, error));
        result_output(r, made);
    }
    name_subject(job, r);
    *out = r;
    job->result = NULL;
done:
    return status;
}
