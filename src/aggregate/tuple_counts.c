/* Rolls: tuples as bytes in a hash table, and what is known of each. */
#include "aggregate/tuple_counts.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "base/elementary.h"
#include "table/group.h"
#include "table/missing_code.h"
#include "aggregate/tuple_counts_private.h"

Status tuple_counts_new(int64_t keys, int64_t sums, bool weighted, TupleCounts **out, Error *error) {
    TupleCounts *roll = calloc(1, sizeof *roll);
    if (roll) {
        *roll = (TupleCounts){ .keys = keys, .sums = sums, .weighted = weighted };
        roll->name = calloc((size_t)keys + 1, sizeof *roll->name);
        roll->type = calloc((size_t)keys + 1, sizeof *roll->type);
        roll->ordered = calloc((size_t)keys + 1, sizeof *roll->ordered);
    }
    *out = roll;
    if (roll && roll->name && roll->type && roll->ordered) return OK;
    tuple_counts_free(roll);
    *out = NULL;
    return out_of_memory(error);
}

static void free_tuples(TupleCounts *roll) {
    free(roll->times);
    free(roll->first);
    free(roll->weight);
    free(roll->sum);
    for (int64_t i = 0; roll->early && i < roll->count; i++) free(roll->early[i].at);
    free(roll->hash);
    free(roll->at);
    free(roll->length);
    free(roll->slot);
    buffer_free(&roll->bytes);
}

void tuple_counts_free(TupleCounts *roll) {
    if (!roll) return;
    for (int64_t k = 0; k < roll->keys; k++) {
        if (roll->name) free(roll->name[k]);
        if (roll->ordered) dictionary_release(roll->ordered[k]);
    }
    free(roll->name);
    free(roll->type);
    free(roll->ordered);
    if (roll->mapped) munmap(roll->mapped, roll->mapped_size);
    else free_tuples(roll);
    free(roll->early);
    free(roll);
}

size_t tuple_counts_size(const TupleCounts *roll) {
    size_t each = sizeof *roll->times + sizeof *roll->first + sizeof *roll->hash + sizeof *roll->at + sizeof *roll->length;
    each += (roll->weighted ? sizeof *roll->weight : 0) + (size_t)roll->sums * sizeof *roll->sum;
    each += roll->apart ? sizeof *roll->early : 0;
    return roll->early_size + (size_t)roll->room * each + (size_t)roll->slots * sizeof *roll->slot + roll->bytes.capacity;
}

/* ---- what the keys are ---- */

static bool same_order(const Dictionary *a, const Dictionary *b) {
    if (!a || !b) return a == b;
    if (a->count != b->count) return false;
    for (int32_t i = 0; a != b && i < a->count; i++)
        if (strcmp(a->word[i], b->word[i])) return false;
    return true;
}

static Dictionary *order_of(const Column *column) { return column->type == CATEGORY_TYPE && column->words->ordered ? column->words : NULL; }

static Status other_chunk(const Column *column, const char *what, Error *error) {
    fail(error, BAD, "%s than in the part of the table before it", what);
    return error_column(error, column->name);
}

/* The first chunk says what the keys are; the others must agree. */
static Status know_keys(TupleCounts *roll, Columns keys, Error *error) {
    for (int64_t k = 0; k < roll->keys; k++) {
        const Column *column = keys.at[k];
        if (!roll->known) {
            roll->type[k] = plain_type(column->type);
            roll->ordered[k] = dictionary_retain(order_of(column));
            if (!(roll->name[k] = strdup(column->name))) return out_of_memory(error);
            continue;
        }
        if (strcmp(roll->name[k], column->name)) return other_chunk(column, "another column", error);
        if (roll->type[k] != plain_type(column->type)) return other_chunk(column, "of another type", error);
        if (!same_order(roll->ordered[k], order_of(column))) return other_chunk(column, "has categories in another order", error);
    }
    roll->known = true;
    return OK;
}

/* ---- tuples as bytes ---- */

void pack_word(Buffer *out, uint64_t word) {
    char bytes[8];
    for (int i = 0; i < 8; i++) bytes[i] = (char)(word >> (8 * i));
    buffer_add(out, bytes, 8);
}

bool unpack_word(const char **at, const char *end, uint64_t *out) {
    if (end - *at < 8) return false;
    *out = 0;
    for (int i = 0; i < 8; i++) *out |= (uint64_t)(unsigned char)(*at)[i] << (8 * i);
    *at += 8;
    return true;
}

void pack_text(Buffer *out, const char *text) {
    pack_word(out, strlen(text));
    buffer_add(out, text, strlen(text));
}

bool unpack_text(const char **at, const char *end, char **out) {
    uint64_t length;
    if (!unpack_word(at, end, &length) || length > (uint64_t)(end - *at)) return false;
    *out = strndup(*at, length);
    *at += length;
    return *out != NULL && strlen(*out) == length;
}

/* The code that a missing cell has, or NULL. `told`: the column tells its codes. */
static const CodeValue *code_of(const Column *column, bool told, int64_t row) {
    const bool coded = told && column->reason[row] >= MISSING_CODE_FIRST;
    return coded ? &column->about->missing_of[column->reason[row] - MISSING_CODE_FIRST] : NULL;
}

static void put_code(Buffer *out, CodeValue code) {
    pack_word(out, real_bits(code.value));
    pack_word(out, (uint64_t)(unsigned char)code.letter | (code.text ? 256 : 0));
    pack_text(out, code.text ? code.text : "");
}

/* A cell: 1 and its eight bytes, or its length and its letters; 2 and its code where it is missing by one; 0 where it is missing without. */
static void put_cell(Buffer *out, const Column *column, bool told, int64_t row, bool signs) {
    bool missing = column_missing(column, row);
    const CodeValue *code = missing ? code_of(column, told, row) : NULL;
    buffer_char(out, (char)(code ? MISSING_BY_CODE : !missing));
    if (code) put_code(out, *code);
    if (missing) return;
    switch (column->type) {
    case TEXT_TYPE: pack_text(out, column->bytes + column->offset[row]); return;
    case CATEGORY_TYPE: pack_text(out, column->words->word[column->code[row]]); return;
    case DATE_TYPE: pack_word(out, (uint64_t)(int64_t)column->date[row]); return;
    case REAL_TYPE: {
        double value = column->real[row] == 0 && !signs ? 0 : column->real[row]; /* -0 is 0 */
        pack_word(out, real_bits(value));
        return;
    }
    default: pack_word(out, (uint64_t)column_integer(column, row)); return;
    }
}

static uint64_t hash_of(const char *bytes, size_t count) {
    uint64_t hash = count;
    for (; count >= 8; bytes += 8, count -= 8) {
        uint64_t word;
        memcpy(&word, bytes, 8);
        hash = word_hash(hash ^ word);
    }
    for (; count; bytes++, count--) hash = word_hash(hash ^ (unsigned char)*bytes);
    return word_hash(hash);
}

/* ---- the table ---- */

static bool same_tuple(const TupleCounts *roll, int64_t tuple, uint64_t hash, const char *bytes, size_t length) {
    return roll->hash[tuple] == hash && roll->length[tuple] == length &&
           (!length || !memcmp(roll->bytes.bytes + roll->at[tuple], bytes, length));
}

/* Hashes are even: the place is near its share of them. */
static int64_t look_up_ordered(const TupleCounts *roll, uint64_t hash, const char *bytes, size_t length) {
    int64_t low = roll_piece(hash, roll->count), high = low, step = 1;
    for (; low > 0 && roll->hash[low] >= hash; step *= 2) low = low > step ? low - step : 0;
    for (step = 1; high < roll->count && roll->hash[high] < hash; step *= 2) high = roll->count - high > step ? high + step : roll->count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (roll->hash[middle] < hash) low = middle + 1;
        else high = middle;
    }
    for (; low < roll->count && roll->hash[low] == hash; low++)
        if (same_tuple(roll, low, hash, bytes, length)) return low;
    return -1;
}

static int64_t look_up(const TupleCounts *roll, uint64_t hash, const char *bytes, size_t length) {
    if (roll->mapped) return look_up_ordered(roll, hash, bytes, length);
    if (!roll->slots) return -1;
    for (uint64_t i = hash & (uint64_t)(roll->slots - 1);; i = (i + 1) & (uint64_t)(roll->slots - 1)) {
        if (!roll->slot[i]) return -1;
        if (same_tuple(roll, roll->slot[i] - 1, hash, bytes, length)) return roll->slot[i] - 1;
    }
}

static void enter(TupleCounts *roll, int64_t tuple) {
    uint64_t i = roll->hash[tuple] & (uint64_t)(roll->slots - 1);
    while (roll->slot[i]) i = (i + 1) & (uint64_t)(roll->slots - 1);
    roll->slot[i] = tuple + 1;
}

static bool longer(void *list, int64_t room, size_t size) {
    void **at = list, *grown = size ? realloc(*at, (size_t)room * size) : *at;
    if (!grown && size) return false;
    *at = grown;
    return true;
}

static Status make_room(TupleCounts *roll, Error *error) {
    if (roll->count < roll->room) return OK;
    int64_t room = roll->room ? roll->room * 2 : 64;
    bool made = longer(&roll->times, room, sizeof *roll->times) && longer(&roll->first, room, sizeof *roll->first) &&
                longer(&roll->hash, room, sizeof *roll->hash) && longer(&roll->at, room, sizeof *roll->at) &&
                longer(&roll->length, room, sizeof *roll->length) &&
                longer(&roll->weight, room, roll->weighted ? sizeof *roll->weight : 0) &&
                longer(&roll->sum, room, (size_t)roll->sums * sizeof *roll->sum) &&
                longer(&roll->early, room, roll->apart ? sizeof *roll->early : 0) && longer(&roll->slot, room * 2, sizeof *roll->slot);
    if (!made) return out_of_memory(error);
    roll->room = room;
    roll->slots = room * 2;
    memset(roll->slot, 0, (size_t)roll->slots * sizeof *roll->slot);
    for (int64_t i = 0; i < roll->count; i++) enter(roll, i);
    return OK;
}

Status tuple_counts_tuple(TupleCounts *roll, const char *bytes, size_t length, int64_t *out, Error *error) {
    uint64_t hash = hash_of(bytes, length);
    *out = look_up(roll, hash, bytes, length);
    if (*out >= 0) return OK;
    Status status = make_room(roll, error);
    if (status) return status;
    int64_t tuple = roll->count;
    roll->at[tuple] = roll->bytes.count;
    buffer_add(&roll->bytes, bytes, length);
    if (roll->bytes.failed) return out_of_memory(error);
    roll->length[tuple] = length;
    roll->hash[tuple] = hash;
    roll->times[tuple] = 0;
    roll->first[tuple] = INT64_MAX;
    if (roll->weighted) roll->weight[tuple] = 0;
    if (roll->sums) memset(roll->sum + tuple * roll->sums, 0, (size_t)roll->sums * sizeof *roll->sum);
    if (roll->apart) roll->early[tuple] = (Early){ 0 };
    roll->count++;
    enter(roll, tuple);
    *out = tuple;
    return OK;
}

/* ---- calling ---- */

/* Which zeros of a column are negative, as a further key; none where none is. */
static Status sign_codes(Work *work, const Column *column, Codes *codes, int64_t *count) {
    Status status = OK;
    int32_t *at = NULL;
    bool any = false;
    NEW(work, at, column->rows + 1);
    for (int64_t i = 0; i < column->rows; i++) {
        at[i] = !column_missing(column, i) && column->real[i] == 0 && signbit(column->real[i]);
        any |= at[i];
    }
    if (any) codes[(*count)++] = (Codes){ .count = 2, .at = at };
done:
    return status;
}

/* The codes of a column's missing cells, as a further key. */
static Status reason_codes(Work *work, const Column *column, Codes *codes, int64_t *count) {
    Status status = OK;
    int32_t *at = NULL;
    NEW(work, at, column->rows + 1);
    for (int64_t i = 0; i < column->rows; i++)
        at[i] = column_missing(column, i) && column->reason[i] >= MISSING_CODE_FIRST ? column->reason[i] - MISSING_CODE_FIRST + 1 : 0;
    codes[(*count)++] = (Codes){ .count = column->about->missing + 1, .at = at };
done:
    return status;
}

/* The chunk's own groups: each is looked up once. told[k]: the codes of missing cells of key k count. */
static Status group_chunk(Work *work, const TupleCounts *roll, Columns keys, int64_t rows, Grouping *out, bool **told) {
    Status status = OK;
    Codes *codes = NULL;
    int64_t count = keys.count;
    *out = (Grouping){ 0 };
    NEW(work, codes, 3 * keys.count + 1);
    NEW(work, *told, keys.count + 1);
    for (int64_t k = 0; k < keys.count; k++) {
        TRY(column_codes(work, keys.at[k], &codes[k]));
        if (roll->signs && keys.at[k]->type == REAL_TYPE) TRY(sign_codes(work, keys.at[k], codes, &count));
        if (((*told)[k] = missing_codes(keys.at[k]).told)) TRY(reason_codes(work, keys.at[k], codes, &count));
    }
    TRY(group_codes(work, codes, count, rows, out));
done:
    for (int64_t k = 0; codes && k < keys.count; k++) codes_drop(work, keys.at[k], &codes[k]);
    for (int64_t k = keys.count; codes && k < count; k++) arena_drop(work->arena, (int32_t *)(uintptr_t)codes[k].at);
    return status;
}

static Status add_weight(TupleCounts *roll, const Column *weight, int64_t row, int64_t tuple, Error *error) {
    Status status = OK;
    WeightSum fixed = 0;
    if (!column_missing(weight, row)) status = weight_sum(column_number(weight, row), &fixed, error);
    if (status) {
        error_column(error, weight->name);
        return error_row(error, row);
    }
    roll->weight[tuple] += fixed;
    return OK;
}

Status tuple_counts_add(Work *work, TupleCounts *roll, Columns keys, const Column *weight, int64_t rows, int64_t first_row,
                        int64_t **place) {
    Status status = OK;
    Grouping groups = { 0 };
    bool *told = NULL;
    Buffer bytes = { 0 };
    int64_t *tuple = NULL;
    TRY(know_keys(roll, keys, work->error));
    TRY(group_chunk(work, roll, keys, rows, &groups, &told));
    NEW(work, tuple, groups.count + 1);
    NEW(work, *place, rows + 1);
    for (int64_t g = 0; g < groups.count; g++) {
        bytes.count = 0;
        for (int64_t k = 0; k < keys.count; k++) put_cell(&bytes, keys.at[k], told[k], groups.first[g], roll->signs);
        if (bytes.failed) TRY(out_of_memory(work->error));
        TRY(tuple_counts_tuple(roll, bytes.bytes ? bytes.bytes : "", bytes.count, &tuple[g], work->error));
        roll->times[tuple[g]] += groups.size[g];
        int64_t first = first_row + (roll->number ? roll->number[groups.first[g]] : groups.first[g]);
        if (first < roll->first[tuple[g]]) roll->first[tuple[g]] = first;
    }
    for (int64_t i = 0; i < rows; i++) (*place)[i] = tuple[groups.of[i]];
    for (int64_t i = 0; roll->apart && !roll->lots && i < rows; i++)
        TRY(early_add(roll, (*place)[i], first_row + (roll->number ? roll->number[i] : i), work->error));
    for (int64_t i = 0; weight && roll->weighted && i < rows; i++) TRY(add_weight(roll, weight, i, (*place)[i], work->error));
    if (roll->head) TRY(tuple_counts_cut(roll, work->error));
done:
    grouping_drop(work, &groups);
    arena_drop(work->arena, told);
    arena_drop(work->arena, tuple);
    buffer_free(&bytes);
    return status;
}

Status tuple_counts_find(Work *work, const TupleCounts *roll, Columns keys, int64_t rows, int64_t **place) {
    Status status = OK;
    Grouping groups = { 0 };
    bool *told = NULL;
    Buffer bytes = { 0 };
    int64_t *tuple = NULL;
    TRY(group_chunk(work, roll, keys, rows, &groups, &told));
    NEW(work, tuple, groups.count + 1);
    NEW(work, *place, rows + 1);
    for (int64_t g = 0; g < groups.count; g++) {
        bytes.count = 0;
        for (int64_t k = 0; k < keys.count; k++) put_cell(&bytes, keys.at[k], told[k], groups.first[g], roll->signs);
        if (bytes.failed) TRY(out_of_memory(work->error));
        const char *at = bytes.bytes ? bytes.bytes : "";
        tuple[g] = look_up(roll, hash_of(at, bytes.count), at, bytes.count);
    }
    for (int64_t i = 0; i < rows; i++) (*place)[i] = tuple[groups.of[i]];
done:
    grouping_drop(work, &groups);
    arena_drop(work->arena, told);
    arena_drop(work->arena, tuple);
    buffer_free(&bytes);
    return status;
}

/* ---- merging ---- */

static Status merge_keys(TupleCounts *roll, const TupleCounts *other, Error *error) {
    if (roll->keys != other->keys || roll->sums != other->sums || roll->weighted != other->weighted || roll->signs != other->signs ||
        roll->apart != other->apart || roll->lots != other->lots || roll->head != other->head || roll->share != other->share)
        return fail(error, BAD, "these states are not of one table and one method");
    for (int64_t k = 0; k < roll->keys && other->known; k++) {
        if (!roll->known) {
            roll->type[k] = other->type[k];
            roll->ordered[k] = dictionary_retain(other->ordered[k]);
            if (!(roll->name[k] = strdup(other->name[k]))) return out_of_memory(error);
        } else if (strcmp(roll->name[k], other->name[k]) || roll->type[k] != other->type[k] ||
                   !same_order(roll->ordered[k], other->ordered[k])) {
            fail(error, BAD, "another column, or of another type, than in the part of the table before it");
            return error_column(error, other->name[k]);
        }
    }
    roll->known |= other->known;
    return OK;
}

Status tuple_counts_like(const TupleCounts *roll, TupleCounts **out, Error *error) {
    Status status = tuple_counts_new(roll->keys, roll->sums, roll->weighted, out, error);
    if (status) return status;
    (*out)->signs = roll->signs;
    (*out)->apart = roll->apart;
    (*out)->lots = roll->lots;
    (*out)->head = roll->head;
    (*out)->share = roll->share;
    status = merge_keys(*out, roll, error);
    if (status) {
        tuple_counts_free(*out);
        *out = NULL;
    }
    return status;
}

Status tuple_counts_merge(TupleCounts *roll, const TupleCounts *other, Error *error) {
    Status status = OK;
    TRY(merge_keys(roll, other, error));
    for (int64_t i = 0; i < other->count; i++) {
        int64_t tuple;
        TRY(tuple_counts_tuple(roll, other->bytes.bytes ? other->bytes.bytes + other->at[i] : "", other->length[i], &tuple, error));
        roll->times[tuple] += other->times[i];
        if (other->first[i] < roll->first[tuple]) roll->first[tuple] = other->first[i];
        if (roll->weighted) roll->weight[tuple] += other->weight[i];
        for (int64_t e = 0; roll->apart && e < other->early[i].count; e++) TRY(early_add(roll, tuple, other->early[i].at[e], error));
        for (int64_t s = 0; s < roll->sums; s++) exact_sum_merge(&roll->sum[tuple * roll->sums + s], &other->sum[i * roll->sums + s]);
    }
    if (roll->head) TRY(tuple_counts_cut(roll, error));
done:
    return status;
}

/* ---- in order ---- */

Status tuple_counts_order(Work *work, const TupleCounts *roll, int64_t **order) {
    Status status = OK;
    FirstPlace *places = NULL;
    NEW(work, places, roll->count + 1);
    NEW(work, *order, roll->count + 1);
    for (int64_t i = 0; i < roll->count; i++) places[i] = (FirstPlace){ roll->first[i], i };
    qsort(places, (size_t)roll->count, sizeof *places, first_before);
    for (int64_t i = 0; i < roll->count; i++) (*order)[i] = places[i].tuple;
done:
    arena_drop(work->arena, places);
    return status;
}

bool unpack_code(const char **at, const char *end, CodeValue *out, char **text) {
    uint64_t value, kind;
    if (!unpack_word(at, end, &value) || !unpack_word(at, end, &kind) || !unpack_text(at, end, text)) return false;
    *out = (CodeValue){ .letter = (char)(kind & 255), .text = kind & 256 ? *text : NULL };
    memcpy(&out->value, &value, 8);
    return true;
}

/* A missing cell's code: the column that is made has it from now on. `place`: of the tuple in the column. */
typedef struct Coded {
    uint16_t *reason; /* of each tuple; NULL while none has one */
    ColumnMetadata *about;
} Coded;
static Status take_code(Work *work, Coded *coded, const char **at, const char *end, int64_t place, int64_t count) {
    Status status = OK;
    CodeValue code;
    char *text = NULL;
    if (!unpack_code(at, end, &code, &text)) TRY(fail(work->error, BAD, "this state is broken"));
    if (!coded->reason) NEW(work, coded->reason, count + 1);
    if (!coded->about && !(coded->about = metadata_new())) TRY(out_of_memory(work->error));
    TRY(metadata_reason(coded->about, code, &coded->reason[place], work->error));
done:
    free(text);
    return status;
}

static Status give_codes(Column *column, Coded *coded, Error *error) {
    if (!coded->reason) return OK;
    Status status = column_need_reason(column, error);
    if (status) return status;
    memcpy(column->reason, coded->reason, (size_t)column->rows * sizeof *column->reason);
    column->about = coded->about;
    coded->about = NULL;
    return OK;
}

/* One key of every tuple; `at` walks along the tuples' bytes, from key to key. */
static Status key_column(Work *work, const TupleCounts *roll, int64_t key, const int64_t *order, const char **at, Column **out) {
    Status status = OK;
    Type type = roll->type[key];
    const char **cells = NULL;
    Coded coded = { 0 };
    Column *column = NULL;
    if (type == CATEGORY_TYPE) NEW(work, cells, roll->count + 1);
    else TRY(column_new(type, roll->name[key], roll->count, &column, work->error));
    if (column) TRY(column_need_valid(column, work->error));
    for (int64_t i = 0; i < roll->count; i++) {
        const char **p = &at[order[i]], *end = roll->bytes.bytes + roll->bytes.count;
        uint64_t word = 0;
        const char kind = *(*p)++;
        if (kind != 1) {
            if (column) column_set_missing(column, i);
            if (kind == MISSING_BY_CODE) TRY(take_code(work, &coded, p, end, i, roll->count));
            continue;
        }
        if (!unpack_word(p, end, &word)) TRY(fail(work->error, BAD, "this state is broken"));
        if (!column) {
            cells[i] = arena_print(work->arena, "%.*s", (int)word, *p);
            if (!cells[i]) TRY(out_of_memory(work->error));
            *p += word;
        } else if (type == DATE_TYPE) column->date[i] = (int32_t)(int64_t)word;
        else memcpy(&column->integer[i], &word, 8);
    }
    if (column) {
        column_seal(column);
        column_narrow(column); /* as it was read: what is taken from it is as narrow */
    } else TRY(column_category(roll->name[key], cells, roll->count, &column, work->error));
    TRY(give_codes(column, &coded, work->error));
    *out = column;
    column = NULL;
done:
    metadata_release(coded.about);
    column_release(column);
    return status;
}

/* Categories with an order of their own get it back. */
static Status give_order(Column *column, Dictionary *ordered, Error *error) {
    for (int64_t i = 0; i < column->rows; i++) {
        if (column_missing(column, i)) continue;
        column->code[i] = dictionary_find(ordered, column->words->word[column->code[i]]);
        if (column->code[i] < 0) return fail(error, BAD, "this state is broken");
    }
    dictionary_release(column->words);
    column->words = dictionary_retain(ordered);
    return OK;
}

Status tuple_counts_table(Work *work, const TupleCounts *roll, const char *name, const int64_t *order, Table **out) {
    Status status = OK;
    Column **columns = NULL;
    const char **at = NULL;
    NEW(work, columns, roll->keys + 1);
    NEW(work, at, roll->count + 1);
    for (int64_t i = 0; i < roll->count; i++) at[i] = roll->bytes.bytes ? roll->bytes.bytes + roll->at[i] : "";
    for (int64_t k = 0; k < roll->keys; k++) {
        TRY(key_column(work, roll, k, order, at, &columns[k]));
        if (roll->ordered[k]) TRY(give_order(columns[k], roll->ordered[k], work->error));
    }
    TRY(table_new(name, columns, roll->keys, roll->count, out, work->error));
done:
    for (int64_t k = 0; columns && k < roll->keys; k++) column_release(columns[k]);
    return status;
}

static const char *tuple_name(Work *work, const Table *table, int64_t row) {
    Buffer text = { 0 };
    char number[33];
    for (int64_t j = 0; j < table->columns; j++) {
        const char *cell = column_cell(table->column[j], row, number);
        buffer_print(&text, "%s%s=%s", j ? ", " : "", table->column[j]->name, cell ? cell : "(missing)");
    }
    const char *copy = arena_text(work->arena, table->columns ? buffer_get(&text) : "all");
    buffer_free(&text);
    return copy;
}

Status tuple_counts_names(Work *work, const TupleCounts *roll, const char ***out) {
    Status status = OK;
    Table *table = NULL;
    int64_t *order;
    TRY(tuple_counts_order(work, roll, &order));
    TRY(tuple_counts_table(work, roll, NULL, order, &table));
    NEW(work, *out, roll->count + 1);
    for (int64_t i = 0; i < roll->count; i++) (*out)[i] = tuple_name(work, table, i);
done:
    table_release(table);
    return status;
}
