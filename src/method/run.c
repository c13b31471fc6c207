/* Running a method: bind, filter, run, put filtered results back in place. */
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include "base/json_memory.h"
#include "base/whole_memory.h"
#include "base/number_text.h"
#include "method/run_private.h"

RandomStream run_stream(const Run *run, const char *column, const char *purpose) {
    char name[160];
    snprintf(name, sizeof name, "%s.%s", run->method->group, run->method->name);
    return stream_make(&run->seed, name, run->session->step, column, purpose);
}

Status run_unseeded(const Run *run, bool insecure_reproducible) {
    if (!run->session->seed_given || insecure_reproducible) return OK;
    fail(run->work.error, BAD, "noise with a formal guarantee has no seed: anyone who knows the seed can remove the noise");
    error_parameter(run->work.error, "seed");
    return error_advice(run->work.error, "Leave --seed out; for a test add --insecure-reproducible.");
}

/* Random, and not by a key of its own. */
static bool draws_by_data(const Method *method) { return (method->traits & RANDOM) && !(method->traits & KEYED); }
static bool drawn_by_row(const Method *method) { return method->parts && method->parts->shape == BY_ROW; }

void row_print_key(const Seed *seed, unsigned char out[ROW_PRINT_KEY]) {
    static const char purpose[] = "scrim row print 1";
    crypto_generichash(out, ROW_PRINT_KEY, (const unsigned char *)purpose, sizeof purpose, seed->bytes, sizeof seed->bytes);
}

void run_key(const Run *run, const char *purpose, const void *with, size_t count, unsigned char out[16]) {
    crypto_generichash_state state;
    const Seed *seed = &run->session->seed;
    crypto_generichash_init(&state, seed->bytes, sizeof seed->bytes, 16);
    crypto_generichash_update(&state, (const unsigned char *)purpose, strlen(purpose) + 1);
    crypto_generichash_update(&state, with, count);
    crypto_generichash_final(&state, out, 16);
}

/* The data's part of the seed: of what may come in parts the sum over its records, else one hash. */
static Status print_of(const Session *session, Work *work, const Table *table, bool by_row, const RowPrint *sum,
                       unsigned char out[FINGERPRINT]) {
    Status status = OK;
    RowPrint own = 0;
    unsigned char key[ROW_PRINT_KEY];
    memset(out, 0, FINGERPRINT);
    if (!table) return OK;
    if (!by_row) {
        table_fingerprint(table, out);
        return OK;
    }
    row_print_key(&session->seed, key);
    if (!sum) TRY(rows_print(work, table, 0, key, &own));
    memcpy(out, sum ? sum : &own, sizeof own);
done:
    return status;
}

Status session_print(const Session *session, Work *work, const Method *method, const Table *table, TablePrint *out) {
    *out = (TablePrint){ draws_by_data(method) ? table : NULL, drawn_by_row(method), { 0 } };
    return print_of(session, work, out->table, out->by_row, NULL, out->hash);
}

static Status hash_table(Binding *b, const Table *table, bool by_row, const RowPrint *sum, crypto_generichash_state *state) {
    const TablePrint *known = b->session->print;
    unsigned char hash[FINGERPRINT];
    if (known && table && known->table == table && known->by_row == by_row) memcpy(hash, known->hash, sizeof hash);
    else {
        Status status = print_of(b->session, b->work, table, by_row, sum, hash);
        if (status) return status;
    }
    for (int64_t j = 0; by_row && table && j < table->columns; j++)
        crypto_generichash_update(state, (const unsigned char *)table->column[j]->name, strlen(table->column[j]->name) + 1);
    crypto_generichash_update(state, hash, sizeof hash);
    return OK;
}

/* Two releases drawn by one seed with different amounts of noise would give the true values back (2a₁ − a₂): what decides the draw is part
 * of the key. */
static Status bound_seed(Binding *b, const Result *result, const RowPrint *print, Seed *out) {
    Status status = OK;
    crypto_generichash_state state;
    bool by_row = drawn_by_row(b->method);
    const unsigned aside = b->method->traits & PROMISES ? 0 : BOOKKEEPING; /* what is measured of a draw has no part in it */
    *out = b->session->seed;
    crypto_generichash_init(&state, b->session->seed.bytes, sizeof b->session->seed.bytes, sizeof out->bytes);
    for (int64_t i = 0; i < result->params; i++) {
        const Given *given = &result->param[i];
        const Param *param = method_param(b->method, given->name);
        if (param && (param->flags & aside)) continue;
        bool place = param && (param->kind == KIND_TABLE || param->kind == KIND_TABLES ||
                               param->kind == KIND_LEDGER); /* a name; what is in it counts */
        crypto_generichash_update(&state, (const unsigned char *)given->name, strlen(given->name) + 1);
        if (!place && given->text) crypto_generichash_update(&state, (const unsigned char *)given->text, strlen(given->text) + 1);
    }
    for (const Param *p = b->method->params; p && p->kind; p++) {
        if (p->kind != KIND_TABLE || (p->flags & aside)) continue;
        TRY(hash_table(b, table_as_read(b, *(const Table **)(void *)(b->args + p->offset)), by_row, print, &state));
        by_row = false; /* only the first table may come in parts */
    }
    crypto_generichash_final(&state, out->bytes, sizeof out->bytes);
done:
    return status;
}

Status frame_seed(Frame *frame, const RowPrint *print) {
    const Method *method = frame->binding.method;
    frame->run.seed = frame->binding.session->seed;
    if (!draws_by_data(method)) return OK;
    return bound_seed(&frame->binding, frame->result, print, &frame->run.seed);
}

Status run_method(Run *run, const char *dotted, const Args *args, Result **out) {
    const Method *method;
    Session session = *run->session;
    Status status = method_need(dotted, &method, run->work.error);
    session.record = NULL; /* the caller may read any of them */
    return status ? status : method_run(&session, method, args, NULL, out, run->work.error);
}

/* The columns that a parameter binds: does it name any of the first table, and was one of those perturbed? */
static bool reads_altered(const Binding *b, const Param *p, bool *any) {
    const void *field = b->args + p->offset;
    const Column *const *one = field;
    const Columns *some = field;
    const Groups *groups = field;
    const Formula *const *formula = field;
    bool altered = false;
    if (p->kind == KIND_COLUMN && *one) {
        *any = true;
        altered = table_altered(b->whole, (*one)->name);
    }
    if (p->kind == KIND_COLUMNS && some->count) {
        *any = true;
        altered = table_altered_any(b->whole, *some);
    }
    for (int64_t g = 0; p->kind == KIND_GROUPS && g < groups->count; g++) {
        *any = true;
        altered |= table_altered_any(b->whole, groups->at[g]);
    }
    for (int64_t i = 0; p->kind == KIND_FORMULA && *formula && i < formula_columns(*formula); i++) {
        *any = true;
        altered |= table_altered(b->whole, formula_column_at(*formula, i));
    }
    return altered;
}

/* Does the method count a perturbed column? One that names no column counts them all. */
static bool counts_altered(const Binding *b) {
    bool any = false, altered = false;
    if (!b->whole || !b->whole->perturbed) return false;
    for (const Param *p = b->method->params; p && p->kind; p++) altered |= reads_altered(b, p, &any);
    return altered || !any;
}

/* Frequencies of a perturbed table are not the frequencies that an intruder faces. */
static Status check_frequency(const Binding *b, Result *result) {
    if (!(b->method->traits & FREQUENCY) || !counts_altered(b)) return OK;
    if (b->common.force) {
        result_note(
            result,
            "Warning: this table was perturbed, so a measure of frequencies does not show its risk. Computed because --force was given.");
        return OK;
    }
    fail(b->work->error, BAD, "this table was perturbed: %s %s counts frequencies, which no longer show its risk", b->method->group,
         b->method->name);
    return error_advice(b->work->error, "Use %s, which compares with the original, or --force to compute it nevertheless.",
                        b->method->instead ? b->method->instead : "risk linkage");
}

/* What would take longer than the caller has is not begun. */
static Status check_cost(const Binding *b) {
    double limit = b->session->time_limit, cost = limit > 0 && b->method->cost ? b->method->cost(b->args) : 0;
    char seconds[33], allowed[33];
    if (!(cost > limit) || limit <= 0) return OK;
    return fail(b->work->error, REFUSED, "would take about %s s, and %s s are allowed", real_short(cost, 2, seconds),
                real_short(limit, 2, allowed));
}

/* Per-record columns of the filtered records, spread over all records; the rest are missing. */
static Status spread_columns(const Binding *b, Result *result) {
    Status status = OK;
    int64_t *from = NULL;
    NEW(b->work, from, b->whole->rows + 1);
    for (int64_t i = 0; i < b->whole->rows; i++) from[i] = -1;
    for (int64_t i = 0; i < b->row_count; i++) from[b->rows[i]] = i;
    for (int64_t i = 0; i < result->columns; i++) {
        Column *narrow = result->column[i].column, *wide = NULL;
        if (narrow->rows != b->row_count) continue;
        TRY(column_take(narrow, from, b->whole->rows, &wide, b->work->error));
        column_release(narrow);
        result->column[i].column = wide;
    }
done:
    return status;
}

/* protect --where: changed records in their places, the rest as they were. A column whose type changed keeps the kept records' text. */
static Status merge_column(const Binding *b, const Column *old, const Column *new, Column **out) {
    Status status = OK;
    const char **cells = NULL;
    int64_t rows = b->whole->rows;
    NEW(b->work, cells, rows + 1);
    for (int64_t i = 0, next = 0; i < rows; i++) {
        char number[33];
        bool changed = next < b->row_count && b->rows[next] == i;
        const char *cell = changed ? column_cell(new, next, number) : old ? column_cell(old, i, number) : NULL;
        next += changed;
        cells[i] = cell == number ? arena_text(b->work->arena, cell) : cell;
    }
    TRY((new->type == TEXT_TYPE ? column_text : column_category)(new->name, cells, rows, out, b->work->error));
done:
    return status;
}

/* Whole numbers that became reals: all reals. */
static Status merge_numbers(const Binding *b, const Column *old, const Column *new, Column **out) {
    Status status = column_new(REAL_TYPE, new->name, b->whole->rows, out, b->work->error);
    if (!status) status = column_need_valid(*out, b->work->error);
    for (int64_t i = 0, next = 0; !status && i < b->whole->rows; i++) {
        bool changed = next < b->row_count && b->rows[next] == i;
        double number = changed ? column_number(new, next) : column_number(old, i);
        if (isnan(number)) column_set_missing(*out, i);
        else (*out)->real[i] = number;
        next += changed;
    }
    if (!status) column_seal(*out);
    return status;
}

static bool same_values(const Column *a, const Column *c) {
    if (a->type != c->type) return false;
    if (a->type != CATEGORY_TYPE) return a->type != TEXT_TYPE;
    if (a->words->count != c->words->count) return false;
    for (int32_t i = 0; i < a->words->count; i++)
        if (strcmp(a->words->word[i], c->words->word[i])) return false;
    return true;
}

static Status merge_in_place(const Binding *b, const Column *old, const Column *new, Column **out) {
    Status status = column_copy(old, out, b->work->error);
    if (!status) status = column_need_valid(*out, b->work->error);
    for (int64_t i = 0; !status && i < b->row_count; i++) {
        int64_t row = b->rows[i];
        if (column_missing(new, i)) {
            column_set_missing(*out, row);
            if (new->reason) status = column_need_reason(*out, b->work->error);
            if ((*out)->reason) (*out)->reason[row] = new->reason ? new->reason[i] : MISSING_CODE_NONE;
            continue;
        }
        (*out)->valid[row >> 6] |= UINT64_C(1) << (row & 63);
        if (type_wide(new->type)) (*out)->integer[row] = column_integer(new, i);
        else (*out)->code[row] = new->code[i];
    }
    if (!status) column_seal(*out);
    return status;
}

static Status merge_output(const Binding *b, Result *result) {
    Status status = OK;
    Table *narrow = result->output[0], *wide = NULL;
    Column **columns = NULL;
    int64_t made = 0;
    if (narrow->rows != b->row_count) {
        fail(b->work->error, BAD, "cannot be used with %s %s, which changes the number of records", b->method->group, b->method->name);
        return error_parameter(b->work->error, "where");
    }
    NEW(b->work, columns, narrow->columns + 1);
    for (; made < narrow->columns; made++) {
        const Column *new = narrow->column[made], *old = table_column(b->whole, new->name);
        if (old && same_values(old, new)) TRY(merge_in_place(b, old, new, &columns[made]));
        else if (old && column_numeric(old) && column_numeric(new)) TRY(merge_numbers(b, old, new, &columns[made]));
        else TRY(merge_column(b, old, new, &columns[made]));
    }
    TRY(table_new(b->whole->name, columns, narrow->columns, b->whole->rows, &wide, b->work->error));
    wide->perturbed = narrow->perturbed;
    if (narrow->columns) memcpy(wide->altered, narrow->altered, (size_t)narrow->columns * sizeof *wide->altered);
    table_release(narrow);
    result->output[0] = wide;
done:
    for (int64_t i = 0; i < made; i++) column_release(columns[i]);
    return status;
}

/* Which columns of an output were changed at random: those that were before, and what a perturbing method made different from the first
 * input or new. Where a promise holds, all: whether a column came out as it was is not public. */
static void mark_perturbed(const Binding *b, Table *output) {
    bool before = b->whole && b->whole->perturbed, by_hand = output->perturbed && !before;
    for (int64_t i = 0; i < output->columns && by_hand; i++) by_hand = !output->altered[i]; /* said of the table, of no column */
    bool perturbs = (b->method->traits & PERTURBS) || by_hand;
    if (perturbs || before) output->perturbed = true;
    for (int64_t i = 0; output->perturbed && i < output->columns; i++) {
        const Column *new = output->column[i], *old = b->whole ? table_column(b->whole, new->name) : NULL;
        if (old)
            output->altered[i] |=
                table_altered(b->whole, new->name) || (perturbs && (method_promises(b->method) || !column_equal(old, new)));
        else output->altered[i] |= perturbs || before;
    }
}

/* Do the records stand elsewhere than in the input? */
static bool moved(const Table *from, const Table *to) {
    if (to->rows != from->rows || (to->reordered && !from->reordered)) return true;
    for (int64_t i = 0; to->origin && i < to->rows; i++)
        if (to->origin[i] != (from->origin ? from->origin[i] : i)) return true;
    return false;
}

/* What the input's file says of a column holds of what was made of it, but for reasons of missing cells where values were moved at random. */
static Status inherit(const Binding *b, Table *output) {
    Status status = OK;
    bool other = b->whole && (moved(b->whole, output) || (b->method->traits & ANEW));
    for (int64_t i = 0; b->whole && i < output->columns; i++) {
        const Column *old = table_column(b->whole, output->column[i]->name);
        bool perturbed = output->altered[i] || (b->method->traits & PERTURBS);
        RowRelation rows = other ? ROWS_OTHER : perturbed ? ROWS_PERTURBED : ROWS_SAME;
        if (old) TRY(column_inherit(output->column[i], old, rows, b->work->error));
    }
done:
    return status;
}

/* A release stems from its input row for row unless the method says which rows it took. */
static void mark_released(const Binding *b, Table *output) {
    output->released |= returns_release(b->method->values) || (b->whole && b->whole->released);
    output->reordered |= b->whole && b->whole->reordered;
    for (int64_t i = 1; output->origin && i < output->rows && !output->reordered; i++)
        output->reordered = output->origin[i] < output->origin[i - 1];
    if (b->whole && !method_promises(b->method)) table_keep_origin(b->whole, output);
    if (b->whole && b->whole->label && !output->label) output->label = strdup(b->whole->label); /* without it where memory is out */
}

/* Is it a key: of this method, or by the roles that it runs under? */
static bool is_key(const Binding *b, const char *name) {
    const Arg *role = b->roles ? args_find(b->roles, "keys") : NULL;
    for (int64_t i = 0; role && i < role->count; i++)
        if (!strcmp(role->items[i], name)) return true;
    for (const Param *p = b->method->params; p && p->kind; p++) {
        const Columns *keys = (const void *)(b->args + p->offset);
        for (int64_t i = 0; p->kind == KIND_COLUMNS && param_is(p, "keys") && i < keys->count; i++)
            if (!strcmp(keys->at[i]->name, name)) return true;
    }
    return false;
}

/* A release gives no reasons where they would tell what was not counted, or what was blanked: of keys, whose missing values count as one,
 * and of columns that the method blanked cells of. */
static Status drop_reasons(const Binding *b, Result *result, Table **output) {
    Status status = OK;
    Buffer names = { 0 };
    Column *plain = NULL;
    Table *table = NULL;
    if (!returns_release(b->method->values)) return OK;
    for (int64_t i = 0; i < (*output)->columns; i++) {
        const Column *column = (*output)->column[i];
        if (!column_gives_reasons(column) || !(column_suppressed(column) || is_key(b, column->name))) continue;
        TRY(column_without_reasons(column, &plain, b->work->error));
        TRY(table_with(*output, &plain, 1, &table, b->work->error));
        buffer_print(&names, "%s%s", names.count ? ", " : "", plain->name);
        column_release(plain);
        table_release(*output);
        *output = table;
        plain = NULL;
    }
    if (names.count)
        result_note(result,
                    "The release does not state why a value is missing in: %s. The reasons in the file would distinguish suppressed cells "
                    "from others, or keys that count as equal.",
                    buffer_get(&names));
done:
    column_release(plain);
    buffer_free(&names);
    return status;
}

/* The tables that per-record columns are of: anyone who delivers them joins them again. */
static void keep_inputs(const Binding *b, Result *result) {
    for (int64_t i = 0; i < result->columns; i++) {
        RecordColumn *record = &result->column[i];
        size_t at = 0;
        for (const Param *p = b->method->params; p && p->kind; p++) {
            if (p->kind != KIND_TABLE || at == sizeof b->bound / sizeof *b->bound) continue;
            const Table *table = b->bound[at++];
            bool its = !record->of || param_is(p, record->of);
            if (!record->input && its && table && table->rows == record->column->rows) record->input = table_retain(table);
        }
    }
}

/* A method that promises k of keys, of which one was changed at random before: the promise is of what is released. */
static void note_altered_keys(const Binding *b, Result *result) {
    const Columns *keys = NULL;
    bool promises = false;
    for (const Param *p = b->method->params; p && p->kind; p++) {
        if (p->kind == KIND_COLUMNS && param_is(p, "keys")) keys = (const void *)(b->args + p->offset);
        promises |= p->kind == KIND_INT && param_is(p, "k");
    }
    if (!returns_release(b->method->values) || !keys || !promises || !b->whole) return;
    for (int64_t i = 0; i < keys->count; i++)
        if (table_altered(b->whole, keys->at[i]->name)) {
            result_note(result,
                        "Warning: the key '%s' was perturbed before. k is computed from the present values and does not show the risk from "
                        "an intruder who knows the true ones. Use risk linkage, which compares with the original.",
                        keys->at[i]->name);
            return;
        }
}

void note_where(Result *result, int64_t kept, int64_t all, bool makes) {
    result_note(result, "--where: %lld of %lld records count%s.", (long long)kept, (long long)all,
                makes ? " and may change. The others are unchanged, and results do not refer to them" : "");
}

/* The declaration of output number `index`; the last one stands for all that follow. */
static const Return *declared_output(const Method *method, int64_t index) {
    const Return *found = NULL;
    for (const Return *v = method->values; returns_more(v) && index >= 0; v++)
        if (v->kind == RETURN_OUTPUT && index-- >= 0) found = v;
    return found;
}

Status result_close(const Method *method, Result *result, unsigned closed, Error *error) {
    result->closed |= closed;
    for (int64_t i = 0; i < result->outputs && !method_is_verb(method); i++) {
        const Return *declared = declared_output(method, i);
        const bool keepers = result->kept || (declared && declared->flags & KEEPERS);
        Table *shared = result->output[i];
        if (atomic_load(&shared->references) > 1) { /* the input came out as it was */
            Status status = table_with(shared, NULL, 0, &result->output[i], error);
            if (status) return status;
            table_release(shared);
        }
        result->output[i]->closed = keepers ? result->closed : 0;
    }
    for (int64_t i = 0; i < result->tables; i++)
        if (!result->table[i].public) result->table[i].table->closed |= result->closed;
    return OK;
}

static Status finish(const Binding *b, Result *result) {
    Status status = OK;
    if (result->failed) return out_of_memory(b->work->error);
    TRY(restore_levels(b, result));
    if (b->rows) {
        TRY(spread_columns(b, result));
        bool merges = result->outputs == 1 && !(b->method->traits & ANEW);
        if (merges) TRY(merge_output(b, result));
        note_where(result, b->told[0], b->told[1], merges || b->made_before);
    }
    keep_inputs(b, result);
    note_altered_keys(b, result);
    for (int64_t i = 0; i < result->outputs; i++) {
        mark_perturbed(b, result->output[i]);
        TRY(inherit(b, result->output[i]));
        mark_released(b, result->output[i]);
        TRY(drop_reasons(b, result, &result->output[i]));
        TRY(treatments_follow(b, result->output[i]));
    }
    TRY(result_close(b->method, result, 0, b->work->error));
    if ((b->method->traits & RANDOM) && b->session->seed_given && b->session->seed.guessable)
        result_note(result, "The seed was given as a number. Anyone who guesses it can remove the randomness. Omit it for a release.");
done:
    return status;
}

void describe_returns(const Method *method, Result *result) {
    for (const Return *r = method->values; returns_more(r); r++) {
        const Value *value = r->kind == RETURN_VALUE ? result_find(result, r->name) : NULL;
        if (value) result_describe(result, r->name, value->meaning ? value->meaning : r->meaning, r->flags & PUBLIC);
        if (r->kind == RETURN_TABLE) result_describe_table(result, r->name, r->meaning, r->flags & PUBLIC);
    }
}

Status frame_open(Frame *frame, const Session *session, const Method *method, const Args *given, const Args *roles, bool chunk,
                  Error *error) {
    Status status = OK;
    char name[128];
    if (!method_is_verb(method)) snprintf(name, sizeof name, "%s.%s", method->group, method->name);
    else snprintf(name, sizeof name, "%s", method->name);
    *frame = (Frame){ .local = ERROR_NONE, .result = result_new(name) };
    frame->work = (Work){ .arena = arena_new(),
                          .error = error ? error : &frame->local,
                          .threads = session->threads,
                          .progress = session->progress,
                          .no_files = session->no_files,
                          .times = session->times,
                          .weights = session->weights,
                          .records = session->records,
                          .memo = session->memo };
    frame->binding =
        (Binding){ .work = &frame->work, .method = method, .given = given, .roles = roles, .session = session, .chunk = chunk };
    if (!frame->result || !frame->work.arena || sodium_init() < 0) TRY(out_of_memory(frame->work.error));
    whole_memory();
    json_memory();
    NEW(&frame->work, frame->binding.args, method->size + 16);
    TRY(binding_make(&frame->binding, frame->result));
    for (int64_t i = 0; i < frame->binding.holds; i++) frame->result->closed |= frame->binding.held[i]->closed;
    frame->run = (Run){ .work = frame->work,
                        .method = method,
                        .result = frame->result,
                        .session = session,
                        .common = frame->binding.common,
                        .seed = session->seed,
                        .given = given,
                        .roles = roles };
done:
    return status;
}

void frame_close(Frame *frame) {
    binding_release(&frame->binding);
    result_free(frame->result);
    arena_free(frame->work.arena);
}

Status frame_check(Frame *frame) {
    Status status = check_frequency(&frame->binding, frame->result);
    return status ? status : check_cost(&frame->binding);
}

Status frame_finish(Frame *frame) {
    result_summary(frame->result, frame->binding.method->summary);
    describe_returns(frame->binding.method, frame->result);
    return finish(&frame->binding, frame->result);
}

typedef enum { FIT, APPLY, SAY } Step;

/* One step, in memory of its own: what it leaves to the next is in the states and the result. */
static Status run_step(Frame *frame, Step step, PartState *fit, PartState *done) {
    const InParts *parts = frame->binding.method->parts;
    const void *args = frame->binding.args;
    Run *run = &frame->run;
    Arena *whole = run->work.arena;
    if (!(run->work.arena = arena_new())) {
        run->work.arena = whole;
        return out_of_memory(run->work.error);
    }
    Status status = step == FIT     ? parts->fit(run, args, fit)
                    : step == APPLY ? parts->apply(run, args, fit, done)
                                    : parts->say(run, args, fit, done);
    arena_free(run->work.arena);
    run->work.arena = whole;
    return status;
}

/* The whole table as the one chunk. */
static Status run_by_row(Frame *frame) {
    Status status = OK;
    PartState fit = { 0 }, done = { 0 };
    const Binding *b = &frame->binding;
    const Table *data = first_table(b);
    fit.rows = done.rows = data ? data->rows : 0;
    if (b->method->parts->fit) TRY(run_step(frame, FIT, &fit, &done));
    TRY(run_step(frame, APPLY, &fit, &done));
    TRY(run_step(frame, SAY, &fit, &done));
done:
    state_clear(&fit);
    state_clear(&done);
    return status;
}

static bool answered_apart(const Frame *frame) {
    const InParts *parts = frame->binding.method->parts;
    return parts && parts->apart && parts->apart(frame->binding.args) > 0;
}

static Status run_whole(Frame *frame) {
    if (bound_person(&frame->binding)) {
        bool ran;
        Status status = run_by_person(frame, &ran);
        if (status || ran) return status;
    }
    if (drawn_by_row(frame->binding.method) && !frame->binding.method->run) return run_by_row(frame);
    return answered_apart(frame) ? run_by_class(frame) : frame->binding.method->run(&frame->run, frame->binding.args);
}

Status method_run(const Session *session, const Method *method, const Args *given, const Args *roles, Result **out, Error *error) {
    Status status = OK;
    Frame frame;
    *out = NULL;
    TRY(frame_open(&frame, session, method, given, roles, false, error));
    TRY(frame_check(&frame));
    TRY(frame_seed(&frame, NULL));
    TRY(run_whole(&frame));
    TRY(frame_finish(&frame));
    *out = frame.result;
    frame.result = NULL;
done:
    if (status == BAD) explain_levels(&frame.binding);
    if (memory_lost_take() && status != INTERRUPTED) { /* whatever else went wrong may have gone wrong by it */
        status = out_of_memory(frame.work.error);
        result_free(*out);
        *out = NULL;
    }
    frame_close(&frame);
    return status;
}
