/* The register of releases: a folder of the data custodian with a copy of every release of one input, each record with its record of the
 * input. `run` finds the earlier releases there, judges the new one together with them, and enters it. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/compare.h"
#include "base/file.h"
#include "base/file_transaction.h"
#include "io/format.h"
#include "io/open.h"
#include "verb/run_private.h"

#define RECORD_COLUMN "scrim_input_record"
static const char about[] = "register.json";

static const char *in_folder(RecipeRun *k, const char *name) { return arena_print(k->work->arena, "%s/%s", k->folder, name); }

/* The entry of an output: its own name, as CSV. */
static const char *entry_of(RecipeRun *k, const char *output) {
    const char *slash = strrchr(output, '/'), *base = slash ? slash + 1 : output;
    size_t length = strlen(base);
    bool csv = length > 4 && !strcmp(base + length - 4, ".csv");
    return arena_print(k->work->arena, "%s%s", base, csv ? "" : ".csv");
}

/* One register is of one input in one state: records are told by their places in it. */
static Status check_input(RecipeRun *k) {
    Status status = OK;
    const YamlNode *root, *hash;
    const char *path = in_folder(k, about), *known = NULL;
    TRY(file_hash(k->recipe.input, k->input_hash, k->work->error));
    if (access(path, F_OK)) goto done;
    TRY(yaml_open(k->work, path, "the register", &root));
    hash = yaml_find(root, "blake2b");
    if (!hash) TRY(yaml_fail(k->work, root, "the register does not say of which input it is"));
    TRY(yaml_need_text(k->work, hash, "blake2b", &known));
    if (!strcmp(known, k->input_hash)) goto done;
    fail(k->work->error, BAD, "is a register of another input, or of this one before it was changed");
    error_advice(
        k->work->error,
        "Use a register of its own, or name earlier releases as `previous` among the roles, with a column that numbers the people.");
    TRY(error_file(k->work->error, k->folder));
done:
    return status;
}

/* An entry without its numbers of records, which become its origin. */
static Status read_entry(RecipeRun *k, const char *name, Table **out) {
    Status status = OK;
    Table *table = NULL;
    const Column *record;
    const char *path = in_folder(k, name);
    TRY(table_open(k->work, path, NULL, &table));
    TRY(table_need(table, RECORD_COLUMN, &record, k->work->error));
    TRY(table_without(table, (const char *const[]){ RECORD_COLUMN }, 1, out, k->work->error));
    free((*out)->origin);
    (*out)->origin = malloc((size_t)(table->rows + 1) * sizeof *(*out)->origin);
    if (!(*out)->origin) TRY(out_of_memory(k->work->error));
    for (int64_t i = 0; i < table->rows; i++) {
        double row = column_missing(record, i) ? -1 : column_number(record, i) - 1;
        (*out)->origin[i] = row >= 0 && row < (double)k->original->rows ? (int64_t)row : -1;
    }
    (*out)->released = true;
done:
    table_release(table);
    return status;
}

static Status list_entries(RecipeRun *k, const char *own) {
    Status status = OK;
    DIR *folder = opendir(k->folder);
    int64_t names = 0, tables = 0;
    if (!folder) {
        fail(k->work->error, BAD, "this folder cannot be read");
        error_advice(k->work->error, "Make the folder of the register first. It is for the data custodian alone.");
        return error_file(k->work->error, k->folder);
    }
    for (const struct dirent *entry; (entry = readdir(folder));) {
        size_t length = strlen(entry->d_name);
        if (entry->d_name[0] == '.' || length < 5 || strcmp(entry->d_name + length - 4, ".csv") || !strcmp(entry->d_name, own)) continue;
        GROW(k->work, k->earlier.name, names, k->earlier.count + 1);
        GROW(k->work, k->earlier.at, tables, k->earlier.count + 1);
        k->earlier.name[k->earlier.count] = arena_text(k->work->arena, entry->d_name);
        k->earlier.at[k->earlier.count++] = NULL;
    }
done:
    if (folder) closedir(folder);
    return status;
}

Status run_find_earlier(RecipeRun *k) {
    Status status = OK;
    const char *output = k->args->output ? k->args->output : k->recipe.output;
    k->folder = k->args->releases ? k->args->releases : k->recipe.releases;
    if (!k->folder) return OK;
    if (k->promise >= 0 || k->answers || !output || !strcmp(output, "-")) {
        fail(k->work->error, BAD, "a register has releases that are files, one table each, without a formal guarantee");
        TRY(error_parameter(k->work->error, "releases"));
    }
    if (args_find(&k->recipe.roles.args, "previous")) {
        fail(k->work->error, BAD, "the roles name earlier releases, and so does the register: use one of them");
        TRY(error_parameter(k->work->error, "releases"));
    }
    TRY(work_files(k->work));
    TRY(check_input(k));
    TRY(list_entries(k, entry_of(k, output)));
    if (k->earlier.count) qsort(k->earlier.name, (size_t)k->earlier.count, sizeof *k->earlier.name, compare_texts);
    for (int64_t i = 0; i < k->earlier.count; i++) {
        Table *table = NULL;
        TRY(read_entry(k, k->earlier.name[i], &table));
        k->earlier.at[i] = table;
    }
    if (k->earlier.count)
        result_note(k->run->result, "The register has %lld earlier release%s, with which this one was judged.", (long long)k->earlier.count,
                    k->earlier.count == 1 ? "" : "s");
done:
    return status;
}

void run_drop_earlier(RecipeRun *k) {
    for (int64_t i = 0; i < k->earlier.count; i++) table_release((Table *)(uintptr_t)k->earlier.at[i]);
}

/* The release with the number of each record in the input. */
static Status write_entry(RecipeRun *k, const char *output) {
    Status status = OK;
    Column *record = NULL;
    Table *entry = NULL;
    const Table *release = k->current;
    const char *now;
    TRY(column_new(INTEGER_TYPE, RECORD_COLUMN, release->rows, &record, k->work->error));
    for (int64_t i = 0; i < release->rows; i++) record->integer[i] = (release->origin ? release->origin[i] : i) + 1;
    column_seal(record);
    TRY(table_beside(release, &record, 1, &entry, k->work->error));
    entry->closed = 0077;
    TRY(table_save_staged(k->work, k->stage, entry, in_folder(k, entry_of(k, output)), &(CsvOptions){ 0 }, &now));
done:
    column_release(record);
    table_release(entry);
    return status;
}

Status run_enter(RecipeRun *k, const char *output) {
    Status status = OK;
    const char *path, *now;
    if (!k->folder) return OK;
    if (k->output_count > 1 || (!k->current->origin && k->current->rows != k->input->rows)) {
        fail(k->work->error, BAD,
             "this release has several tables, or records that stem from none of the input: a register cannot hold it");
        TRY(error_parameter(k->work->error, "releases"));
    }
    TRY(write_entry(k, output));
    path = in_folder(k, about);
    if (!access(path, F_OK)) goto done;
    const char *text = arena_print(k->work->arena, "{\"schema\": 1, \"blake2b\": \"%s\"}\n", k->input_hash);
    if (!text) TRY(out_of_memory(k->work->error));
    TRY(transaction_path(k->stage, k->work->arena, path, 0077, &now, k->work->error));
    TRY(transaction_restore_path(k->work->error, now, path, file_write(now, text, strlen(text), true, k->work->error)));
    result_note(k->run->result, "The release was entered into the register. Keep its folder secret: it tells whose each record is.");
done:
    return status;
}
