/* Rows from the model that keep the rules: those that break one are drawn again, and of a pool of such rows the most balanced are kept. */
#include <stdio.h>
#include "synth/private/private.h"

enum { DRAWS = 60, TRIES = 20000 };

typedef struct Rows {
    int64_t count;
    uint16_t **code;  /* attribute → row → code */
    int64_t *word_at; /* row → the word of each column's stream that its value within an interval comes from */
} Rows;

static Status rows_room(Private *p, int64_t count, Rows *out) {
    Status status = OK;
    *out = (Rows){ .count = count };
    NEW(&p->run->work, out->code, p->domain.count + 1);
    for (int32_t j = 0; j < p->domain.count; j++) NEW(&p->run->work, out->code[j], count + 1);
    NEW(&p->run->work, out->word_at, count + 1);
done:
    return status;
}

static void rows_drop(Private *p, Rows *rows) {
    for (int32_t j = 0; rows->code && j < p->domain.count; j++) arena_drop(p->run->work.arena, rows->code[j]);
    arena_drop(p->run->work.arena, rows->word_at);
    *rows = (Rows){ 0 };
}

static Status rows_table(Private *p, const Rows *rows, Table **out) {
    return domain_table(p->run, &p->domain, p->args->data->name, rows->code, rows->word_at, rows->count, out);
}

static void copy_row(const Private *p, const Rows *from, int64_t i, Rows *to, int64_t k) {
    to->word_at[k] = from->word_at[i];
    for (int32_t j = 0; j < p->domain.count; j++) to->code[j][k] = from->code[j][i];
}

/* Which rows break a rule. */
static Status find_broken(Private *p, const EditRules *rules, const Rows *rows, int32_t *broken, int64_t *bad) {
    Status status = OK;
    Table *table = NULL;
    *bad = 0;
    if (!rules->count) return OK;
    TRY(rows_table(p, rows, &table));
    TRY(edit_rules_broken(&p->run->work, rules, table, broken, NULL));
    for (int64_t i = 0; i < rows->count; i++) *bad += broken[i] > 0;
done:
    table_release(table);
    return status;
}

static Status cannot_keep(Private *p) {
    Error *error = p->run->work.error;
    fail(error, BAD, "the rules cannot be kept: no row that was drawn keeps them all");
    error_parameter(error, "rules");
    return error_advice(error, "See whether the rules contradict one another or the schema.");
}

/* What no draw corrected takes a row that keeps the rules. */
static Status copy_sound(Private *p, Rows *rows, const int32_t *broken, RandomReader *reader) {
    Status status = OK;
    int64_t *sound = NULL, count = 0;
    NEW(&p->run->work, sound, rows->count + 1);
    for (int64_t i = 0; i < rows->count; i++)
        if (!broken[i]) sound[count++] = i;
    for (int64_t i = 0; i < rows->count; i++)
        if (broken[i]) copy_row(p, rows, sound[reader_below(reader, (uint64_t)count)], rows, i);
done:
    return status;
}

/* Rows that break a rule are drawn again: post-processing, which costs nothing. */
static Status draw_lawful(Private *p, const EditRules *rules, const Tree *tree, Rows *rows) {
    Status status = OK;
    Rows more = { 0 };
    int32_t *broken = NULL;
    int64_t bad = rows->count;
    RandomStream stream = run_stream(p->run, NULL, "mend");
    RandomReader reader = reader_make(&stream);
    TRY(rows_room(p, rows->count, &more));
    NEW(&p->run->work, broken, rows->count + 1);
    for (int64_t i = 0; i < rows->count; i++) broken[i] = 1;
    for (int round = 0; round <= DRAWS && bad; round++) {
        char name[32];
        snprintf(name, sizeof name, "rows %d", round);
        TRY(rows_draw(p, tree, rows->count, name, more.code));
        for (int64_t i = 0; i < rows->count; i++) {
            more.word_at[i] = i + round * rows->count;
            if (broken[i]) copy_row(p, &more, i, rows, i);
        }
        TRY(find_broken(p, rules, rows, broken, &bad));
        if (round >= 5 && bad == rows->count) break;
    }
    if (bad == rows->count && bad) return cannot_keep(p);
    if (bad) TRY(copy_sound(p, rows, broken, &reader));
done:
    rows_drop(p, &more);
    arena_drop(p->run->work.arena, broken);
    return status;
}

Status lawful_table(Private *p, const EditRules *rules, const Tree *tree, int64_t count, Table **out) {
    Status status = OK;
    Rows pool = { 0 }, kept = { 0 };
    int64_t *pick = NULL;
    TRY(rows_room(p, balance_pool(count), &pool));
    TRY(draw_lawful(p, rules, tree, &pool));
    NEW(&p->run->work, pick, count + 1);
    TRY(rows_balance(p, pool.code, pool.count, count, pick));
    TRY(rows_room(p, count, &kept));
    for (int64_t i = 0; i < count; i++) copy_row(p, &pool, pick[i], &kept, i);
    rows_drop(p, &pool);
    TRY(rows_table(p, &kept, out));
done:
    rows_drop(p, &pool);
    rows_drop(p, &kept);
    arena_drop(p->run->work.arena, pick);
    return status;
}

/* Synthetic records evenly from the schema. */
Status lawful_check(Private *p, EditRules *rules) {
    Status status = OK;
    Rows even = { 0 };
    int32_t *broken = NULL;
    int64_t bad;
    RandomStream stream = run_stream(p->run, NULL, "even");
    RandomReader reader = reader_make(&stream);
    if (!p->args->rules) return OK;
    TRY(edit_rules_make(&p->run->work, p->args->rules, p->args->data, rules));
    TRY(rows_room(p, TRIES, &even));
    NEW(&p->run->work, broken, TRIES + 1);
    for (int64_t i = 0; i < TRIES; i++) {
        even.word_at[i] = i;
        for (int32_t j = 0; j < p->domain.count; j++) even.code[j][i] = (uint16_t)reader_below(&reader, (uint64_t)p->domain.at[j].merged);
    }
    TRY(find_broken(p, rules, &even, broken, &bad));
    if (bad == TRIES) return cannot_keep(p);
done:
    return status;
}
