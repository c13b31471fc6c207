/* A table by its name: which format a file has, whether a manifest beside it says that it was perturbed, and how cells add up. */
#include "io/open.h"
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/compare.h"
#include "base/file.h"
#include "base/json_memory.h"
#include "io/csv/private.h"
#include "io/format.h"
#include "io/arrow/ipc.h"
#include "io/letter_codes.h"
#include "io/reading_rules.h"
#include "io/release_mark.h"
#include "io/sql/table_name.h"
#include "io/treatments.h"

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Standard streams, pipes and devices have no suffix to go by: they carry CSV, or are read as Arrow where they begin so. */
static bool is_stream(const char *path) {
    struct stat about;
    return !strcmp(path, "-") || (stat(path, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode));
}

static Status known_formats(Error *error) {
    Buffer list = { 0 };
    format_list(&list);
    error_advice(error, "%s.", buffer_get(&list));
    buffer_free(&list);
    return error ? error->status : BAD;
}

/* The format that a name is in; streams carry CSV. */
static Status find_format(const char *path, bool writing, const Format **out, Error *error) {
    bool source = format_is_source(path);
    *out = !source && is_stream(path) ? &format_csv : format_of(source ? path : base_name(path), NULL);
    if (*out && (writing ? (*out)->write != NULL : (*out)->read != NULL)) return OK;
    struct stat about;
    bool folder = stat(path, &about) == 0 && S_ISDIR(about.st_mode);
    if (*out) fail(error, BAD, writing ? "%s files are read, but not written" : "%s files are only written, not read", (*out)->name);
    else fail(error, BAD, folder ? "is a folder, not a table" : "is in no format that is known by its name");
    if (folder && !*out && !writing)
        error_advice(error,
                     "Name a table in it. `scrim inspect FOLDER` profiles linked tables, and `scrim run` with a recipe that lists them "
                     "under `files:` protects and audits them together.");
    else known_formats(error);
    return error_file(error, path);
}

/* A manifest speaks of the bytes it was written with: beside others it would say what is not so. */
static Status check_hash(Work *work, const char *path, const char *manifest, const json_t *expected) {
    char hash[65];
    if (!json_is_string(expected)) return OK;
    Status status = file_hash(path, hash, work->error);
    if (status || !strcmp(hash, json_string_value(expected))) return status;
    fail(work->error, BAD, "is not of the table beside it, whose bytes have changed: a run was cut short, or one of the two was replaced");
    error_advice(work->error, "Make the table again, or remove the manifest if it does not belong to it.");
    return error_file(work->error, manifest);
}

/* The input that a manifest names, in full: `folder` leads from where the manifest lies to where its paths begin. */
static char *source_of(Work *work, const char *path, const json_t *root) {
    const char *folder = json_string_value(json_object_get(root, "folder")),
               *file = json_string_value(json_object_get(json_object_get(root, "input"), "file"));
    if (!file || format_is_source(file)) return NULL;
    const char *input =
        *file == '/' ? file : arena_print(work->arena, "%.*s%s%s", (int)(base_name(path) - path), path, folder ? folder : "", file);
    return input ? realpath(input, NULL) : NULL;
}

/* PATH.manifest.json: { "perturbed": true } means that frequencies of this table's perturbed columns no longer count. One that cannot be
 * read is an error: it would be unsafe to think that there is none. */
static Status read_manifest(Work *work, const char *path, Table *table) {
    char *manifest = arena_print(work->arena, "%s.manifest.json", path);
    if (!manifest) return out_of_memory(work->error);
    struct stat about;
    if (stat(manifest, &about) || (access(manifest, R_OK) && errno == EACCES)) return OK; /* its keeper's own: no error to others */
    json_error_t problem;
    json_memory();
    errno = 0;
    json_t *root = json_load_file(manifest, 0, &problem);
    if (!root) {
        if (errno == ENOMEM) memory_lost_note(); /* of the file itself */
        fail(work->error, BAD, "this manifest is not JSON: %s", problem.text);
        error_line(work->error, problem.line, problem.column);
        error_advice(work->error, "Remove it if it does not belong to the table beside it.");
        return error_file(work->error, manifest);
    }
    Status status = check_hash(work, path, manifest, json_object_get(json_object_get(root, "output"), "blake2b"));
    if (!status) {
        release_mark_of(table, root, true);
        status = treatments_read(table, root, work->error);
        table->source = source_of(work, path, root);
    }
    json_decref(root);
    return status;
}

/* What comes through a pipe has no suffix to go by: its first bytes say whether it is Arrow, and else it is CSV. */
static Status read_stream(Work *work, const char *path, const CsvOptions *options, bool *arrow, Table **out) {
    Bytes bytes;
    const char *name = strcmp(path, "-") ? path : "standard input";
    Status status = csv_bytes(work, path, options ? options->encoding : NULL, &bytes);
    if (status) return status;
    *arrow = bytes.count && ipc_is(bytes.at, bytes.count);
    if (*arrow) status = ipc_read_bytes(work, name, bytes.at, bytes.count, out);
    else status = csv_read_bytes(work, name, bytes.count ? bytes.at : "", bytes.count, options, out);
    bytes_close(&bytes);
    return status;
}

/* Is it a file that others can lie beside? */
static bool lies_in_folder(const char *path) { return !is_stream(path) && !format_is_source(path); }

/* PATH.structure.json: how the cells of a table of cells add up. Kept as it stands; who uses it, checks it. */
static Status read_structure(Work *work, const char *path, Table *table) {
    Bytes bytes = { 0 };
    char *beside = arena_print(work->arena, "%s.structure.json", path);
    if (!beside) return out_of_memory(work->error);
    if (!file_is_regular(beside)) return OK;
    Status status = bytes_open(beside, &bytes, work->error);
    if (status) return status;
    bool none = !bytes.count; /* emptied by table_save_staged */
    if (!none) table->structure = strndup(bytes.at, bytes.count);
    bytes_close(&bytes);
    return none || table->structure ? OK : out_of_memory(work->error);
}

/* A table without one (or with one inside) leaves none beside it: what lay there was of the table before. */
static Status write_structure(Work *work, const char *path, const char *text) {
    char *beside = arena_print(work->arena, "%s.structure.json", path);
    if (!beside) return out_of_memory(work->error);
    if (text) return file_write(beside, text, strlen(text), false, work->error);
    if (file_is_regular(beside)) unlink(beside);
    return OK;
}

static const char *structure_beside(const Format *format, const Table *table) {
    return format->holds & HOLDS_STRUCTURE ? NULL : table->structure;
}

/* The table as the file has it, and then as the user says that it is to be read. */
static Status read_by_rules(Work *work, const char *path, const Format *format, bool stream, const CsvOptions *options, Table **out) {
    Status status = OK;
    Table *read = NULL, *split = NULL;
    CsvOptions rest;
    ReadingRules rules;
    bool arrow = false;
    TRY(reading_rules_make(work, options, format == &format_csv, &rest, &rules));
    if (stream) TRY(read_stream(work, path, options ? &rest : NULL, &arrow, &read));
    else TRY(format->read(work, path, options ? &rest : NULL, &read));
    if (arrow) TRY(reading_rules_make(work, options, false, &rest, &rules));
    if (!stream && (format->holds & MIXES_CELLS)) {
        TRY(letter_codes_split_table(work, read, &split));
        table_release(read);
        read = split;
        split = NULL;
    }
    if (rules.missings || rules.types) TRY(reading_rules_apply(work, &rules, read, out));
    else *out = table_retain(read);
done:
    table_release(read);
    if (status) error_file(work->error, path);
    return status;
}

Status table_open(Work *work, const char *path, const CsvOptions *options, Table **out) {
    Status status = OK;
    Table *table = NULL;
    const Format *format;
    if (!format_is_source(path) && !strchr(base_name(path), '.') && strcmp(path, "-") && access(path, F_OK) && errno == ENOENT) {
        fail(work->error, BAD, "cannot open: there is no such file");
        return error_file(work->error, path);
    }
    TRY(find_format(path, false, &format, work->error));
    bool stream = !format_is_source(path) && is_stream(path);
    TRY(read_by_rules(work, path, format, stream, options, &table));
    table->closed |= table_closed(path);
    if (!stream) TRY(read_manifest(work, path, table));
    if (lies_in_folder(path) && !(format->holds & HOLDS_STRUCTURE)) TRY(read_structure(work, path, table));
    *out = table;
done:
    if (status) table_release(table);
    return status;
}

Status table_save(Work *work, const Table *table, const char *path, const CsvOptions *options) {
    const Format *format;
    Status status = find_format(path, true, &format, work->error);
    if (!status) status = format->write(work, table, path, options);
    if (!status && lies_in_folder(path)) status = write_structure(work, path, structure_beside(format, table));
    return status;
}

Status table_format(const char *path, const Format **out, Error *error) { return find_format(path, false, out, error); }
Status table_marks(Work *work, const char *path, Table *table) { return read_manifest(work, path, table); }

/* A stage takes nothing away: where the table has no structure and one lies there, of the table before, it is emptied. */
static Status stage_structure(Work *work, Transaction *stage, const Table *table, const char *structure, const char *path) {
    const char *beside = arena_print(work->arena, "%s.structure.json", path), *text = structure ? structure : "", *now;
    if (!beside) return out_of_memory(work->error);
    if (!structure && !file_is_regular(beside)) return OK;
    Status status = transaction_path(stage, work->arena, beside, table->closed, &now, work->error);
    return status ? status : transaction_restore_path(work->error, now, beside, file_write(now, text, strlen(text), false, work->error));
}

Status table_save_staged(Work *work, Transaction *stage, const Table *table, const char *path, const CsvOptions *options,
                         const char **now) {
    Status status = OK;
    const Format *format;
    *now = path;
    if (!table_in_database(path)) TRY(transaction_path(stage, work->arena, path, table->closed, now, work->error));
    if (*now == path) return table_save(work, table, path, options);
    TRY(transaction_restore_path(work->error, *now, path, find_format(*now, true, &format, work->error)));
    TRY(transaction_restore_path(work->error, *now, path, format->write(work, table, *now, options)));
    TRY(stage_structure(work, stage, table, structure_beside(format, table), path));
done:
    return status;
}

bool table_in_database(const char *name) { return format_is_source(name); }

/* A database's name in its parts: its address or file, and the table or the query. */
typedef struct Place {
    const Format *format;
    const char *where, *table, *query;
    size_t length;
} Place;
static Place place_of(const char *name) {
    Place place = { .format = format_of(name, NULL), .where = strchr(name, ':') + 1 };
    place.length = table_name_where(place.where, &place.query);
    const char *end = place.where + place.length;
    if (place.query || *end != '#') return place;
    place.table = end + 1;
    for (int i = 0; i < 2; i++) { /* where tables are that say nothing else */
        const char *schema = i ? "public." : "main.";
        if (!strncasecmp(place.table, schema, strlen(schema))) place.table += strlen(schema);
    }
    return place;
}

static bool same_database(const Place *a, const Place *b) {
    char path[BEHIND_PATH], other[BEHIND_PATH];
    if (a->format != b->format || a->length >= BEHIND_PATH || b->length >= BEHIND_PATH) return false;
    snprintf(path, sizeof path, "%.*s", (int)a->length, a->where);
    snprintf(other, sizeof other, "%.*s", (int)b->length, b->where);
    return !strcmp(path, other) || file_same(path, other);
}

static bool word_goes_on(char c) { return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80; }

/* Does the query have the table's name as a word? What a view reads is not known. */
static bool query_names(const char *query, const char *table) {
    const size_t length = strlen(table);
    for (const char *at = query + strlen("?query="); length && (at = strcasestr(at, table)); at++)
        if (!word_goes_on(at[-1]) && !word_goes_on(at[length])) return true;
    return false;
}

bool table_same(const char *name, const char *other) {
    if (!format_is_source(name)) return file_same(name, other);
    if (!strcmp(name, other) || !format_is_source(other)) return !strcmp(name, other);
    const Place a = place_of(name), b = place_of(other);
    return same_database(&a, &b) && a.table && b.table && !strcasecmp(a.table, b.table);
}

bool table_replaces(const char *name, const char *output) {
    if (table_same(name, output)) return true;
    if (!format_is_source(name) || !format_is_source(output)) return false;
    const Place a = place_of(name), b = place_of(output);
    return same_database(&a, &b) && a.query && b.table && query_names(a.query, b.table);
}

/* ---- what must stay ---- */

static Status protect_one(void *self, const char *name, Error *error) {
    Transaction *stage = self;
    static const char *const beside[] = { ".manifest.json", ".structure.json", ".ledger" };
    char path[BEHIND_PATH + 16];
    Status status = OK;
    Behind behind;
    for (int n = 0; !status && (behind = format_behind(name, n, path)); n++) {
        if (behind == BEHIND_FILE) status = transaction_guard_input(stage, path, error);
        else if (behind == BEHIND_PATTERN) status = transaction_guard_pattern(stage, path, error);
    }
    for (size_t i = 0; !status && i < sizeof beside / sizeof *beside && !format_is_source(name); i++)
        if (snprintf(path, sizeof path, "%s%s", name, beside[i]) < (int)sizeof path) status = transaction_guard_input(stage, path, error);
    return status;
}

static Status close_one(void *self, const char *name, Error *error) {
    (void)error;
    unsigned *closed = self;
    char path[BEHIND_PATH];
    Behind behind;
    for (int n = 0; (behind = format_behind(name, n, path)) || (!n && format_is_source(name)); n++) {
        *closed |= behind == BEHIND_FILE ? stage_closed(path) : 0077;
        if (!behind) break; /* a server's */
    }
    return OK;
}

/* One name, or several with commas between; NULL: a table of the caller's own memory. */
static Status each_name(void *self, const char *names, Status (*take)(void *self, const char *name, Error *error), Error *error) {
    char part[BEHIND_PATH];
    if (!names) return OK;
    Status status = take(self, names, error);
    for (const char *at = strchr(names, ',') ? names : ""; *at && !status; at += strcspn(at, ","), at += *at == ',')
        if (snprintf(part, sizeof part, "%.*s", (int)strcspn(at, ","), at) < (int)sizeof part) status = take(self, part, error);
    return status;
}

Status table_protect(Transaction *stage, const char *names, Error *error) { return each_name(stage, names, protect_one, error); }
unsigned table_closed(const char *names) {
    unsigned closed = 0;
    return each_name(&closed, names, close_one, NULL) ? 0077 : closed;
}

Status table_loses(const char *names, const char *path, Error *error) {
    Status status = OK;
    Transaction *stage = NULL;
    if (table_replaces(names, path)) return transaction_refuses(path, error);
    TRY(transaction_new(&stage, error));
    TRY(table_protect(stage, names, error));
    TRY(transaction_check(stage, path, error));
done:
    transaction_rollback(stage);
    return status;
}

/* ---- several tables ---- */

typedef struct Paths {
    const char **at;
    int64_t count, capacity;
} Paths;

static Status add_path(Work *work, Paths *paths, const char *folder, const char *name, size_t length) {
    Status status = OK;
    GROW(work, paths->at, paths->capacity, paths->count + 1);
    char *path =
        folder ? arena_print(work->arena, "%s/%.*s", folder, (int)length, name) : arena_print(work->arena, "%.*s", (int)length, name);
    if (!path) TRY(out_of_memory(work->error));
    paths->at[paths->count++] = path;
done:
    return status;
}

static Status list_folder(Work *work, const char *path, Paths *paths) {
    Status status = OK;
    DIR *folder = opendir(path);
    if (!folder) {
        fail(work->error, BAD, "this folder cannot be read");
        return error_file(work->error, path);
    }
    for (const struct dirent *entry; (entry = readdir(folder));)
        if (entry->d_name[0] != '.' && format_of(entry->d_name, NULL) && !format_is_source(entry->d_name))
            TRY(add_path(work, paths, path, entry->d_name, strlen(entry->d_name)));
    if (!paths->count) {
        fail(work->error, BAD, "there is no table in this folder");
        known_formats(work->error);
        status = error_file(work->error, path);
    }
done:
    closedir(folder);
    return status;
}

static Status list_paths(Work *work, const char *path, Paths *paths) {
    Status status = OK;
    struct stat about;
    bool exists = stat(path, &about) == 0;
    if (exists && S_ISDIR(about.st_mode)) return list_folder(work, path, paths);
    for (const char *p = path;;) { /* a file, or several with commas between them */
        size_t length = exists ? strlen(p) : strcspn(p, ",");
        TRY(add_path(work, paths, NULL, p, length));
        p += length;
        if (!*p++) break;
    }
done:
    return status;
}

Status folder_open(Work *work, const char *path, const CsvOptions *options, int64_t *count, const char ***names, const Table ***tables) {
    Status status = OK;
    Paths paths = { 0 };
    Table **table = NULL;
    CsvOptions own = options ? *options : (CsvOptions){ 0 };
    own.types_elsewhere = true;
    TRY(list_paths(work, path, &paths));
    qsort(paths.at, (size_t)paths.count, sizeof *paths.at, compare_texts);
    NEW(work, table, paths.count);
    NEW(work, *names, paths.count);
    for (int64_t i = 0; i < paths.count; i++) {
        const char *base = base_name(paths.at[i]);
        size_t stem;
        format_of(base, &stem);
        (*names)[i] = arena_print(work->arena, "%.*s", (int)stem, base);
        if (!(*names)[i]) TRY(out_of_memory(work->error));
        TRY(table_open(work, paths.at[i], &own, &table[i]));
        for (int64_t j = 0; j < i; j++)
            if (!strcmp((*names)[i], (*names)[j])) TRY(fail(work->error, BAD, "two tables are named '%s'", (*names)[i]));
    }
    *count = paths.count;
    *tables = (const Table **)table;
done:
    for (int64_t i = 0; status && table && i < paths.count; i++) table_release(table[i]);
    return status;
}
