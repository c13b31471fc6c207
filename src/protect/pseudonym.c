/* protect.pseudonym: identifiers replaced by others of the same form, one for one, by a secret key. Defined after Luby & Rackoff 1988;
 * Black & Rogaway 2002: docs/methods/protect-pseudonym.md. */
#include <stdlib.h>
#include <string.h>
#include "base/number_text.h"
#include "protect/changed_table.h"
#include "method/secret_key.h"

typedef struct {
    const Table *data;
    Columns vars;
    const char *key;
} args;

static const Param params[] = {
    TABLE(args, data, "Table to protect", .flags = REQUIRED | POSITIONAL),
    COLUMNS(args, vars, data, "Columns of identifiers", .flags = REQUIRED),
    KEY_FILE(args),
    END,
};

static const Return values[] = {
    CHANGED_VALUES,
    VALUE(pseudonyms, INTEGER, "Distinct values replaced", .flags = PUBLIC),
    RELEASED("The table with pseudonyms"),
    END,
};

/* A place of a text and what may stand there: digits, small or capital letters; others stay as they are. */
typedef struct {
    size_t at;
    char base;
    uint8_t radix;
} Place;

/* In a text of digits alone zeros in front stay, and the first other digit does not become one: 12 and 012 keep apart, and numbers their
 * length. */
static int find_places(const char *text, Place *out) {
    int count = 0;
    bool number = text[0] && !text[strspn(text, "0123456789")], lead = number;
    for (size_t i = 0; text[i]; i++) {
        char c = text[i];
        if (lead && c == '0') continue;
        if (c >= '0' && c <= '9') out[count++] = (Place){ i, lead ? '1' : '0', lead ? 9 : 10 };
        else if (c >= 'a' && c <= 'z') out[count++] = (Place){ i, 'a', 26 };
        else if (c >= 'A' && c <= 'Z') out[count++] = (Place){ i, 'A', 26 };
        lead = false;
    }
    return count;
}

/* A Feistel network over the places: in each round one half is shifted, place by place, by words that depend on the other half and on the
 * form. Each round can be undone, so that two texts of one form never share a pseudonym. */
static void scramble(const SecretKey *key, const Place *place, int count, char *text, char *scratch) {
    enum { ROUNDS = 10 };
    size_t length = strlen(text);
    for (int round = 0; round < ROUNDS; round++) {
        memcpy(scratch, text, length + 1);
        for (int i = 0; i < count; i++)
            if (count == 1 || (i < count / 2) == (round % 2 == 0))
                scratch[place[i].at] = place[i].base; /* the half at hand does not count */
        for (int i = 0; i < count; i++) {
            if (count > 1 && (i < count / 2) != (round % 2 == 0)) continue;
            uint64_t shift = secret_word(key, (uint64_t)round << 32 | (uint64_t)i, scratch, length) % place[i].radix;
            text[place[i].at] = (char)(place[i].base + (char)(((uint64_t)(text[place[i].at] - place[i].base) + shift) % place[i].radix));
        }
    }
}

/* Letters beyond ASCII would stay, and tell: each becomes a small letter that depends on the whole text. */
static void hide_beyond(const SecretKey *key, const char *whole, char *text) {
    size_t to = 0;
    for (size_t i = 0; whole[i]; i++) {
        unsigned char c = (unsigned char)whole[i];
        if (c < 0x80) text[to++] = (char)c;
        else if (c >= 0xC0) {
            text[to] = (char)('a' + secret_word(key, UINT64_C(1) << 60 | to, whole, strlen(whole)) % 26);
            to++;
        }
    }
    text[to] = 0;
}

static Status pseudonym_of(Work *work, const SecretKey *key, const char *cell, const char **out) {
    Status status = OK;
    char *text = NULL, *scratch = NULL;
    Place *place = NULL;
    NEW(work, text, strlen(cell) + 1);
    NEW(work, scratch, strlen(cell) + 1);
    NEW(work, place, strlen(cell) + 1);
    hide_beyond(key, cell, text);
    scramble(key, place, find_places(text, place), text, scratch);
    *out = text;
done:
    arena_drop(work->arena, scratch);
    arena_drop(work->arena, place);
    return status;
}

static Status replace_column(Run *run, const SecretKey *key, const Column *column, Column **out, int64_t *distinct) {
    Status status = OK;
    Work *work = &run->work;
    Codes codes;
    const char **word = NULL, **cells = NULL;
    char number[33];
    TRY(column_codes(work, column, &codes));
    NEW(work, word, codes.count + 1);
    NEW(work, cells, column->rows + 1);
    for (int32_t c = 0; c < codes.count; c++) TRY(pseudonym_of(work, key, column_cell(column, codes.first_row[c], number), &word[c]));
    for (int64_t i = 0; i < column->rows; i++) cells[i] = codes.at[i] < 0 ? NULL : word[codes.at[i]];
    *distinct += codes.count;
    if (column->type != INTEGER_TYPE) TRY(column_text(column->name, cells, column->rows, out, work->error));
    else {
        TRY(column_new(INTEGER_TYPE, column->name, column->rows, out, work->error));
        TRY(column_need_valid(*out, work->error));
        for (int64_t i = 0; i < column->rows; i++) {
            if (!cells[i]) {
                column_set_missing(*out, i);
                continue;
            }
            if (!read_integer(cells[i], cells[i] + strlen(cells[i]),
                              &(*out)->integer[i])) { /* 9,2… of nineteen digits can become too large */
                fail(work->error, BAD, "has numbers too large for a pseudonym with as many digits");
                error_advice(work->error, "`--types %s:text` reads them as text.", column->name);
                TRY(error_column(work->error, column->name));
            }
        }
        column_seal(*out);
    }
    if (!(*out)->about && !((*out)->about = metadata_new())) TRY(out_of_memory(work->error));
    (*out)->about->pseudonym = true;
done:
    return status;
}

static Status pseudonym_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    SecretKey key;
    Column **made = NULL;
    int64_t distinct = 0;
    NEW(&run->work, made, a->vars.count + 1);
    TRY(secret_key(run, a->key, "pseudonym", &key));
    for (int64_t j = 0; j < a->vars.count; j++) {
        if (a->vars.at[j]->type == REAL_TYPE) {
            fail(run->work.error, BAD, "pseudonyms replace identifiers, and this column holds numbers with a fraction");
            TRY(error_column(run->work.error, a->vars.at[j]->name));
        }
        TRY(replace_column(run, &key, a->vars.at[j], &made[j], &distinct));
    }
    TRY(output_changed(run, a->data, made, a->vars.count));
    result_integer(run->result, "pseudonyms", distinct);
    result_note(run->result, "Equal values have equal pseudonyms in every column and file that use this key, and different values of one "
                             "form have different pseudonyms. A person who has the key can reverse them by trying values.");
    if (!a->key)
        result_note(run->result, "No --key was given. The secret was drawn for this run, and other files will get other pseudonyms.");
    result_note(run->result, "A pseudonym still shows which records belong to one person. Drop the column if analysts do not need that.");
done:
    memset(&key, 0, sizeof key);
    columns_release(made, a->vars.count);
    return status;
}

const Method protect_pseudonym = { .group = "protect",
                                   .name = "pseudonym",
                                   .summary = "Pseudonymisation: replace identifiers by others of the same form, with a secret key",
                                   .source = "Luby & Rackoff 1988; Black & Rogaway 2002",
                                   .params = params,
                                   .size = sizeof(args),
                                   .record_by_record = always_record_by_record,
                                   .traits = RANDOM | KEYED | IDENTITY,
                                   .run = pseudonym_run,
                                   .values = values,
                                   .example = "scrim protect pseudonym examples/clinic.csv --vars hid --seed 1" };
