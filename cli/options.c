/* Options that every command takes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cli.h"
#include "commands.h"

typedef enum {
    OPT_OUTPUT,
    OPT_FORMAT,
    OPT_SEED,
    OPT_SEED_FILE,
    OPT_THREADS,
    OPT_QUIET,
    OPT_HELP,
    OPT_SEPARATOR,
    OPT_DECIMAL,
    OPT_NA,
    OPT_TYPES,
    OPT_ENCODING,
    OPT_CODES,
    OPT_SPREADSHEET_SAFE,
    OPT_SHEET,
    OPT_PUBLIC,
    OPT_MAX_MEMORY,
    OPT_PART_ROWS
} Which;
static const struct {
    const char *name, *value, *help;
} table[] = {
    [OPT_OUTPUT] = { "--output", "FILE",
                     "Output file (-o): .csv, .tsv, .gz, .zst the table; .html, .svg, .json the result; .yaml the roles that inspect "
                     "suggests; - standard output" },
    [OPT_FORMAT] = { "--format", "text|json|csv|html", "Format of the printed result (default text)" },
    [OPT_SEED] = { "--seed", "N", "Random seed, a number: the same number gives the same bytes (guessable: not for a release)" },
    [OPT_SEED_FILE] = { "--seed-file", "FILE",
                        "File with a secret seed of 64 hexadecimal digits; it is created, with mode 0600, if it does not exist" },
    [OPT_THREADS] = { "--threads", "N", "Number of threads (default: all cores)" },
    [OPT_QUIET] = { "--quiet", NULL, "No progress on standard error" },
    [OPT_HELP] = { "--help", NULL, "Show this help" },
    [OPT_SEPARATOR] = { "--separator", "C", "CSV: separator (default: detected among , ; tab |)" },
    [OPT_DECIMAL] = { "--decimal", "C", "CSV: decimal mark (default .)" },
    [OPT_NA] = { "--na", "A,B", "Codes that mean missing, in every column or in one: NA,bmi=999" },
    [OPT_TYPES] = { "--types", "COLUMN:TYPE,…",
                    "integer, real, category, text, date or datetime, instead of what the file suggests; birth:date:dd.mm.yyyy" },
    [OPT_ENCODING] = { "--encoding", "NAME",
                       "CSV, SPSS, Stata, SAS, plain text: encoding of the file (default UTF-8, or what the file declares)" },
    [OPT_CODES] = { "--codes", NULL, "Read labelled values as their codes, not as categories" },
    [OPT_SPREADSHEET_SAFE] = { "--spreadsheet-safe", NULL, "CSV output: words that a spreadsheet program reads as formulas begin with '" },
    [OPT_SHEET] = { "--sheet", "NAME", "Excel: sheet to read (default: the first)" },
    [OPT_PUBLIC] = { "--public", NULL, "Show only what may be published, and nothing that helps an intruder" },
    [OPT_MAX_MEMORY] = { "--max-memory", "SIZE", "Run in parts, in about this much memory: 512M, 2G (docs/scale.md)" },
    [OPT_PART_ROWS] = { "--part-rows", "N", "With --max-memory: records in a part (default: as many as fit)" },
};

/* Columns on a terminal: characters, not bytes. */
static int width(const char *text) {
    int count = 0;
    for (; *text; text++) count += ((unsigned char)*text & 0xC0) != 0x80;
    return count;
}

void options_help(Buffer *out) {
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char left[64];
        snprintf(left, sizeof left, "%s%s%s", table[i].name, table[i].value ? " " : "", table[i].value ? table[i].value : "");
        buffer_print(out, "  %s%*s %s\n", left, 28 - width(left) > 0 ? 28 - width(left) : 0, "", table[i].help);
    }
}

bool options_at(size_t index, const char **name, const char **value, const char **help) {
    if (index >= sizeof table / sizeof *table) return false;
    *name = table[index].name;
    *value = table[index].value;
    *help = table[index].help;
    return true;
}

/* Words apart at commas, added to those that were there. */
static void take_list(const char *value, const char *const **items, int64_t *count) {
    const char **list = keep(((size_t)*count + strlen(value) + 2) * sizeof *list);
    if (*count) memcpy(list, *items, (size_t)*count * sizeof *list);
    for (const char *at = value; *at;) {
        size_t length = strcspn(at, ",");
        if (length) list[(*count)++] = keep_text("%.*s", (int)length, at);
        at += length + (at[length] == ',');
    }
    *items = list;
}

static scrim_status one_char(const char *name, const char *value, char *out, scrim_error *error) {
    if (!strcmp(value, "tab") || !strcmp(value, "\\t")) value = "\t";
    if (strlen(value) != 1) {
        fail(error, SCRIM_BAD, "expects one character");
        return of_parameter(error, name);
    }
    *out = value[0];
    return SCRIM_OK;
}

static scrim_status take_format(const char *value, const char **out, scrim_error *error) {
    static const char *const names[] = { "text", "json", "csv", "html" };
    for (unsigned i = 0; i < 4; i++)
        if (!strcmp(names[i], value)) {
            *out = names[i];
            return SCRIM_OK;
        }
    fail(error, SCRIM_BAD, "has no value '%s'", value);
    advise(error, "It takes text, json, csv or html.");
    return of_parameter(error, "format");
}

static scrim_status take_threads(const char *value, int *out, scrim_error *error) {
    char *end;
    long n = strtol(value, &end, 10);
    if (end == value || *end || n < 1 || n > 1024) {
        fail(error, SCRIM_BAD, "expects a whole number from 1 to 1024");
        return of_parameter(error, "threads");
    }
    *out = (int)n;
    return SCRIM_OK;
}

/* 512M, 2G, 1.5G; plain numbers are bytes. */
static scrim_status take_size(const char *value, int64_t *out, scrim_error *error) {
    static const char units[] = "KMGT";
    char *end;
    double number = strtod(value, &end);
    const char *unit = *end ? strchr(units, *end) : NULL;
    for (const char *u = units; unit && u <= unit; u++) number *= 1024;
    end += unit != NULL;
    if (*end == 'B') end++;
    if (end == value || *end || !(number >= 1 << 20) || number > 0x1p60) {
        fail(error, SCRIM_BAD, "expects a size of at least 1M");
        advise(error, "Like 512M or 2G.");
        return of_parameter(error, "max-memory");
    }
    *out = (int64_t)number;
    return SCRIM_OK;
}

static scrim_status take_rows(const char *value, int64_t *out, scrim_error *error) {
    char *end;
    long long n = strtoll(value, &end, 10);
    if (end == value || *end || n < 1) {
        fail(error, SCRIM_BAD, "expects a whole number from 1 on");
        return of_parameter(error, "part-rows");
    }
    *out = n;
    return SCRIM_OK;
}

static scrim_status take(Options *o, Which which, const char *value, scrim_error *error) {
    switch (which) {
    case OPT_OUTPUT: o->outputs[o->output_count++] = value; return SCRIM_OK;
    case OPT_FORMAT: return take_format(value, &o->format, error);
    case OPT_SEED: o->seed = value; return SCRIM_OK;
    case OPT_SEED_FILE: o->seed_file = value; return SCRIM_OK;
    case OPT_THREADS: return take_threads(value, &o->threads, error);
    case OPT_PUBLIC: o->public = true; return SCRIM_OK;
    case OPT_QUIET: o->quiet = true; return SCRIM_OK;
    case OPT_HELP: o->help = true; return SCRIM_OK;
    case OPT_SEPARATOR: return one_char("separator", value, &o->reading.separator, error);
    case OPT_DECIMAL: return one_char("decimal", value, &o->reading.decimal, error);
    case OPT_NA: take_list(value, &o->reading.na, &o->reading.na_count); return SCRIM_OK;
    case OPT_TYPES: take_list(value, &o->reading.types, &o->reading.type_count); return SCRIM_OK;
    case OPT_ENCODING: o->reading.encoding = value; return SCRIM_OK;
    case OPT_CODES: o->reading.codes = 1; return SCRIM_OK;
    case OPT_SPREADSHEET_SAFE: o->reading.spreadsheet_safe = 1; return SCRIM_OK;
    case OPT_SHEET: o->reading.sheet = value; return SCRIM_OK;
    case OPT_MAX_MEMORY: return take_size(value, &o->max_memory, error);
    case OPT_PART_ROWS: return take_rows(value, &o->part_rows, error);
    }
    return SCRIM_OK;
}

/* Which option a word is: its number in the table, or -1. `value` is what stands behind an equals sign. */
static int find(const char *word, const char **value) {
    *value = NULL;
    if (!strcmp(word, "-o")) return OPT_OUTPUT;
    if (!strcmp(word, "-h")) return OPT_HELP;
    if (!strcmp(word, "-q")) return OPT_QUIET;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        size_t length = strlen(table[i].name);
        if (strncmp(word, table[i].name, length)) continue;
        if (word[length] == '=') *value = word + length + 1;
        if (!word[length] || *value) return (int)i;
    }
    return -1;
}

scrim_status options_take(int argc, char **argv, Options *o, scrim_error *error) {
    scrim_status status = SCRIM_OK;
    *o = (Options){ .format = "text", .threads = (int)sysconf(_SC_NPROCESSORS_ONLN), .reading = { .size = sizeof o->reading } };
    o->outputs = keep(((size_t)argc + 1) * sizeof *o->outputs);
    o->argv = keep(((size_t)argc + 2) * sizeof *o->argv);
    bool options = true;
    for (int i = 0; i < argc; i++) {
        const char *value;
        int which = options ? find(argv[i], &value) : -1;
        if (!strcmp(argv[i], "--")) options = false;
        if (which < 0) {
            o->argv[o->argc++] = argv[i];
            continue;
        }
        if (table[which].value && !value) {
            if (i + 1 >= argc) {
                fail(error, SCRIM_BAD, "needs a value");
                TRY(of_parameter(error, table[which].name + 2));
            }
            value = argv[++i];
        }
        TRY(take(o, (Which)which, value, error));
    }
    o->reading.threads = o->threads;
done:
    return status;
}
