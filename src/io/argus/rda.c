/* τ-Argus' metadata of a table or of microdata: variables in the order of the columns, each with its tags on the lines below it, as sdcTable
 * and rtauargus write them for τ-Argus (Hundepool et al. 2014). */
#include <string.h>
#include "base/number_text.h"
#include "io/argus/argus.h"

Status argus_bad(Work *work, const char *file, int64_t line, const char *what) {
    fail(work->error, BAD, "%s", what);
    if (line) error_line(work->error, line, 0);
    return error_file(work->error, file);
}

char *argus_line(char **text) {
    char *line = *text;
    if (!*line) return NULL;
    size_t length = strcspn(line, "\n");
    *text = line[length] ? line + length + 1 : line + length;
    line[length] = 0;
    while (length && (line[length - 1] == '\r' || line[length - 1] == ' ' || line[length - 1] == '\t')) line[--length] = 0;
    return line;
}

/* The next word of a line, out of its quotes; NULL at the end. */
static char *next_word(char **at) {
    while (**at == ' ' || **at == '\t') ++*at;
    if (!**at) return NULL;
    char stop = **at == '"' ? *(*at)++ : 0, *word = *at;
    while (**at && (stop ? **at != stop : **at != ' ' && **at != '\t')) ++*at;
    if (**at) *(*at)++ = 0;
    return word;
}

static bool read_levels(char **at, ArgusVariable *v) {
    for (char *word; (word = next_word(at));) {
        int64_t n;
        if (!read_integer(word, word + strlen(word), &n) || n < 0 || n > 1000 || v->levels == ARGUS_LEVELS) return false;
        if (n) v->level[v->levels++] = (int)n;
    }
    return v->levels > 0;
}

/* <NUMERIC> alone is the value; a second tag says what else the number is. */
static ArgusKind numeric_kind(const char *what) {
    if (!what) return ARGUS_VALUE;
    if (!strcmp(what, "<COST>") || !strcmp(what, "<COSTVAR>")) return ARGUS_COST;
    if (!strcmp(what, "<LOWERPL>")) return ARGUS_LOWER;
    return !strcmp(what, "<UPPERPL>") ? ARGUS_UPPER : ARGUS_OTHER;
}

/* What a tag says of the whole file; false where it is of a variable. */
static bool file_tag(const char *tag, char **at, ArgusMeta *m) {
    static const char *const status[] = { "<SAFE>", "<UNSAFE>", "<PROTECT>" };
    const char *word;
    if (!strcmp(tag, "<SEPARATOR>")) {
        word = next_word(at);
        m->separator = !word || !*word ? ';' : strcmp(word, "\\t") ? *word : '\t';
        return true;
    }
    for (int k = 0; k < 3; k++)
        if (!strcmp(tag, status[k])) {
            word = next_word(at);
            m->word[k] = word ? word : "";
            return true;
        }
    return false;
}

static bool kind_tag(const char *tag, ArgusVariable *v) {
    static const struct {
        const char *tag;
        ArgusKind kind;
    } kinds[] = { { "<RECODEABLE>", ARGUS_DIMENSION }, { "<RECODABLE>", ARGUS_DIMENSION }, { "<FREQUENCY>", ARGUS_COUNT },
                  { "<MAXSCORE>", ARGUS_LARGEST },     { "<STATUS>", ARGUS_STATUS },       { "<WEIGHT>", ARGUS_COST },
                  { "<RECORDKEY>", ARGUS_COST },       { "<HOLDING>", ARGUS_CODE },        { "<REQUEST>", ARGUS_CODE } };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(tag, kinds[i].tag)) {
            v->kind = kinds[i].kind;
            return true;
        }
    return false;
}

static bool variable_tag(const char *tag, char **at, ArgusVariable *v) {
    static const char *const unused[] = { "<HIERARCHICAL>", "<DECIMALS>", "<DISTANCE>",     "<CODELIST>",   "<PFILE>",  "<PFILE_CONT>",
                                          "<PFILE_SEP>",    "<CKM>",      "<INCLUDEZEROS>", "<SEPARATION>", "<PARITY>", "<SCALING>" };
    if (kind_tag(tag, v)) return true;
    if (!strcmp(tag, "<HIERLEVELS>")) return read_levels(at, v);
    if (!strcmp(tag, "<NUMERIC>")) v->kind = numeric_kind(next_word(at));
    else if (!strcmp(tag, "<TOTCODE>")) v->total = next_word(at);
    else if (!strcmp(tag, "<HIERCODELIST>")) v->hierarchy = next_word(at);
    else if (!strcmp(tag, "<HIERLEADSTRING>")) v->lead = next_word(at);
    else {
        size_t i = 0;
        while (i < sizeof unused / sizeof *unused && strcmp(tag, unused[i])) i++;
        return i < sizeof unused / sizeof *unused;
    }
    return true;
}

enum { LONGEST_RECORD = 1000000 };

/* Where a variable stands in a record of fixed width. */
static bool read_place(char **at, ArgusVariable *v) {
    int64_t n[2];
    for (int k = 0; k < 2; k++) {
        const char *word = next_word(at);
        if (!word || !read_integer(word, word + strlen(word), &n[k]) || n[k] < 1 || n[k] > LONGEST_RECORD) return false;
    }
    v->start = (int)n[0];
    v->width = (int)n[1];
    return true;
}

static Status read_line(Work *work, const char *file, int64_t number, char *line, ArgusMeta *m) {
    char *word = next_word(&line);
    if (!word) return OK;
    if (*word == '<') {
        if (file_tag(word, &line, m)) return OK;
        if (!m->variables) return argus_bad(work, file, number, "a variable is expected before what is said of it");
        if (variable_tag(word, &line, &m->variable[m->variables - 1])) return OK;
        return argus_bad(work, file, number, "this tag is not known, or does not say what it must");
    }
    if (m->variables == ARGUS_VARIABLES) return argus_bad(work, file, number, "more variables than a table can have");
    ArgusVariable *v = &m->variable[m->variables++];
    *v = (ArgusVariable){ .name = word, .lead = "@" };
    if (!m->separator && !read_place(&line, v))
        return argus_bad(work, file, number, "without a <SEPARATOR> a variable has a position and a width behind its name");
    while ((word = next_word(&line)) && v->missings < ARGUS_MISSING) v->missing[v->missings++] = word;
    return OK;
}

bool argus_is_missing(const ArgusVariable *v, const char *code) {
    for (int k = 0; k < v->missings; k++) {
        const char *word = v->missing[k];
        while (*word == ' ') word++;
        if (*word && !strcmp(word, code)) return true;
    }
    return false;
}

Status argus_meta(Work *work, const char *file, char *text, ArgusMeta *out) {
    Status status = OK;
    int64_t number = 0;
    *out = (ArgusMeta){ .word = { "S", "U", "P" } };
    if (!strncmp(text, "\xef\xbb\xbf", 3)) text += 3;
    for (char *line; !status && (line = argus_line(&text));) status = read_line(work, file, ++number, line, out);
    if (!status && !out->variables) status = argus_bad(work, file, 0, "the file names no variable");
    return status;
}
