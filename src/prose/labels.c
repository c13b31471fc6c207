/* The labels of forms: read from the built-in list, and recognised before a colon without regard to case, accents and marks. */
#include <string.h>
#include "prose/labels.h"

static const char *const keys[LABELS] = {
    [LABEL_NAME] = "name",       [LABEL_WHO] = "who",           [LABEL_ADDRESS] = "address", [LABEL_PLACE] = "place",
    [LABEL_ZIP] = "zip",         [LABEL_DATE] = "date",         [LABEL_PHONE] = "phone",     [LABEL_FAX] = "fax",
    [LABEL_RECORD] = "record",   [LABEL_NATIONAL] = "national", [LABEL_PLAN] = "plan",       [LABEL_LICENCE] = "licence",
    [LABEL_VEHICLE] = "vehicle", [LABEL_DEVICE] = "device",     [LABEL_ACCOUNT] = "account", [LABEL_ID] = "id",
    [LABEL_NOT] = "not"
};
enum { LONGEST = 64, WORDS = 6 };

/* Letters and digits in lower case without accents; one blank for whatever lies between words; º, ª and ° are left out. Where each word
 * begins, in the text and in `out`; how many there are. */
typedef struct Plain {
    char text[LONGEST * 2];
    size_t size;
    int words;
    size_t at[LONGEST], from[LONGEST];
} Plain;

static void make_plain(const char *text, size_t start, size_t end, Plain *out) {
    bool inside = false;
    int length;
    out->size = 0;
    out->words = 0;
    for (size_t i = start; i < end && out->size + 8 < sizeof out->text; i += (size_t)length) {
        uint32_t code = code_point(text + i, text + end, &length);
        if (code == 0xba || code == 0xaa || code == 0xb0) continue;
        if (!code_is_letter(code) && code - '0' >= 10) {
            inside = false;
            continue;
        }
        if (!inside) {
            if (out->words) out->text[out->size++] = ' ';
            out->at[out->words] = out->size;
            out->from[out->words++] = i;
            inside = true;
        }
        out->size += word_fold(text + i, (size_t)length, out->text + out->size, sizeof out->text - out->size);
    }
}

static uint64_t hash_of(const char *text, size_t size) {
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < size; i++) h = (h ^ (unsigned char)text[i]) * 1099511628211u;
    return h ? h : 1;
}

static LabelSlot *slot_of(const LabelTable *table, uint64_t hash) {
    uint64_t at = hash & table->mask;
    while (table->slot[at].hash && table->slot[at].hash != hash) at = (at + 1) & table->mask;
    return &table->slot[at];
}

/* The first meaning of a phrase stands: a language may give another's label another one. */
static Status add_label(Work *work, LabelTable *table, char *phrase, Label label) {
    Plain plain;
    for (char *p = phrase; *p; p++)
        if (*p == '_') *p = ' ';
    make_plain(phrase, 0, strlen(phrase), &plain);
    LabelSlot *slot = slot_of(table, hash_of(plain.text, plain.size));
    if (slot->hash || !plain.size) return OK;
    if (++table->count * 2 > (int64_t)table->mask) return fail(work->error, FAILED, "the built-in labels outgrew their table");
    *slot = (LabelSlot){ hash_of(plain.text, plain.size), label };
    return OK;
}

static Status read_line(Work *work, char *line, Language language, LabelTable *out) {
    Status status = OK;
    char *colon = strchr(line, ':'), *state = NULL, *state2 = NULL;
    if (line[0] == '#' || !colon) return OK;
    *colon = 0;
    (void)strtok_r(line, " ", &state);
    const char *key = strtok_r(NULL, " ", &state), *tongue = strtok_r(NULL, " ", &state);
    Label label = LABEL_NONE;
    for (int l = 1; key && l < LABELS; l++)
        if (!strcmp(key, keys[l])) label = (Label)l;
    if (!label || !tongue) return fail(work->error, FAILED, "the built-in labels have a line without a kind or a language");
    int of = language_named(tongue);
    if (language != LANGUAGE_ANY && of && of != (int)language) return OK;
    for (char *phrase = strtok_r(colon + 1, " ", &state2); phrase; phrase = strtok_r(NULL, " ", &state2))
        TRY(add_label(work, out, phrase, label));
done:
    return status;
}

Status labels_read(Work *work, Language language, LabelTable *out) {
    Status status = OK;
    char *state = NULL, *text = arena_text(work->arena, lists_file("labels"));
    if (!text) TRY(out_of_memory(work->error));
    *out = (LabelTable){ .mask = 8191 };
    NEW(work, out->slot, 8192);
    for (char *line = strtok_r(text, "\n", &state); line; line = strtok_r(NULL, "\n", &state)) TRY(read_line(work, line, language, out));
done:
    return status;
}

Label label_before(const LabelTable *table, const char *text, size_t end, size_t *start) {
    Plain plain;
    size_t from = end;
    while (from && end - from < LONGEST && text[from - 1] != '\n' && text[from - 1] != ':' && text[from - 1] != ';') from--;
    while (from < end && ((unsigned char)text[from] & 0xc0) == 0x80) from++;
    make_plain(text, from, end, &plain);
    bool cut = from && end - from >= LONGEST; /* the first word may be the end of one */
    for (int w = plain.words > WORDS ? plain.words - WORDS : cut; w < plain.words; w++) {
        const LabelSlot *slot = slot_of(table, hash_of(plain.text + plain.at[w], plain.size - plain.at[w]));
        if (!slot->hash) continue;
        *start = plain.from[w];
        return slot->label;
    }
    return LABEL_NONE;
}
