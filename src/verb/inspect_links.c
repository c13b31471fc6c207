/* scrim inspect, with other files: which columns refer to which, and whose the records of each file are. */
#include <string.h>
#include "base/text.h"
#include "profile/column_names.h"
#include "verb/inspect.h"
#include "verb/joined_files.h"

enum { FEWEST_VALUES = 5 };
static const double mostly = 0.9; /* of the records that refer to something must find it */

typedef struct File {
    const char *name;
    const Table *table;
    const bool *key;    /* column: does no other have a record's value, and has every record one? */
    const char *person; /* column that says whose a record is; NULL: none was found */
    Buffer parents;
} File;

typedef struct Link {
    int64_t child, parent, column, key, records, without;
} Link;

typedef struct Links {
    Run *run;
    File *file;
    Link *at;
    int64_t files, count, room;
} Links;

/* visits.csv of a/b/visits.csv, without what the format adds. */
static const char *short_name(Work *work, const char *path) {
    const char *slash = path ? strrchr(path, '/') : NULL, *name = slash ? slash + 1 : path;
    const char *point = name ? strchr(name, '.') : NULL;
    if (!name) return "data";
    return point && point > name ? arena_print(work->arena, "%.*s", (int)(point - name), name) : name;
}

static Status find_keys(Work *work, File *file) {
    Status status = OK;
    bool *key = NULL;
    Codes codes;
    NEW(work, key, file->table->columns + 1);
    for (int64_t j = 0; j < file->table->columns; j++) {
        const Column *column = file->table->column[j];
        if (column->missing || column->rows < FEWEST_VALUES || column->type == REAL_TYPE || column->type == DATE_TYPE) continue;
        TRY(column_codes(work, column, &codes));
        key[j] = codes.count == column->rows;
    }
    file->key = key;
done:
    return status;
}

/* Both of one name; or words that hardly stand in two files by chance. Whole numbers of other names do: they count from 1 everywhere. */
static bool may_refer(const Column *child, const Column *parent) {
    if (same_text(child->name, parent->name)) return true;
    const bool words = !column_linear(child) && !column_linear(parent);
    return words && child->type == parent->type;
}

static Status try_link(Links *l, int64_t child, int64_t column, int64_t parent, int64_t key) {
    Status status = OK;
    const Column *from = l->file[child].table->column[column], *to = l->file[parent].table->column[key];
    const int64_t present = from->rows - from->missing;
    int64_t without;
    if (!may_refer(from, to) || !present) return OK;
    TRY(records_without_parent(&l->run->work, from, to, &without));
    if ((double)(present - without) < mostly * (double)present) return OK;
    GROW(&l->run->work, l->at, l->room, l->count + 1);
    l->at[l->count++] = (Link){ child, parent, column, key, present, without };
done:
    return status;
}

static Status find_links(Links *l) {
    Status status = OK;
    for (int64_t child = 0; child < l->files; child++)
        for (int64_t parent = 0; parent < l->files; parent++)
            for (int64_t key = 0; parent != child && key < l->file[parent].table->columns; key++)
                for (int64_t j = 0; l->file[parent].key[key] && j < l->file[child].table->columns; j++)
                    TRY(try_link(l, child, j, parent, key));
done:
    return status;
}

/* ---- people ---- */

/* The file and the column that most files refer to; one named like a person's number before all others. */
static void find_people(const Links *l, int64_t *file, int64_t *key) {
    int64_t most = 0;
    *file = *key = -1;
    for (int64_t f = 0; f < l->files; f++)
        for (int64_t j = 0; j < l->file[f].table->columns; j++) {
            int64_t count = 0;
            if (!l->file[f].key[j]) continue;
            for (int64_t i = 0; i < l->count; i++) count += l->at[i].parent == f && l->at[i].key == j;
            if (count && name_of_person_number(l->file[f].table->column[j]->name)) count += l->count;
            if (count > most) {
                most = count;
                *file = f;
                *key = j;
            }
        }
}

static void name_people(Links *l, int64_t register_file, int64_t key) {
    if (register_file < 0) return;
    l->file[register_file].person = l->file[register_file].table->column[key]->name;
    for (int64_t i = 0; i < l->count; i++) {
        const Link *link = &l->at[i];
        if (link->parent == register_file && link->key == key && !l->file[link->child].person)
            l->file[link->child].person = l->file[link->child].table->column[link->column]->name;
    }
}

/* A column named like a person's number that several files have says whose the records are, even where no file has each person once. */
static const char *shared_person_number(const Links *l) {
    for (int64_t f = 0; f < l->files; f++)
        for (int64_t j = 0; j < l->file[f].table->columns; j++) {
            const char *name = l->file[f].table->column[j]->name;
            for (int64_t g = f + 1; name_of_person_number(name) && g < l->files; g++)
                if (table_column(l->file[g].table, name)) return name;
        }
    return NULL;
}

static Status name_repeated_people(Links *l, const char *name) {
    Status status = OK;
    Codes codes;
    int64_t fewest = INT64_MAX, values = 0;
    const File *nearest = NULL;
    for (int64_t f = 0; f < l->files; f++) {
        const Column *column = table_column(l->file[f].table, name);
        if (!column) continue;
        l->file[f].person = name;
        TRY(column_codes(&l->run->work, column, &codes));
        if (column->rows - codes.count < fewest) {
            fewest = column->rows - codes.count;
            values = codes.count;
            nearest = &l->file[f];
        }
    }
    if (fewest && nearest)
        result_note(
            l->run->result,
            "No file has one record for each value of `%s`: %s has %lld records and %lld values. If each person has one record there, "
            "correct the repeated or missing numbers.",
            name, nearest->name, (long long)nearest->table->rows, (long long)values);
done:
    return status;
}

/* ---- what is said ---- */

static void say_links(Links *l, int64_t register_file, int64_t key) {
    Grid *grid = grid_new(l->run->result, "links", INSPECT_LINKS);
    for (int64_t i = 0; i < l->count; i++) {
        const Link *link = &l->at[i];
        File *child = &l->file[link->child];
        const char *column = child->table->column[link->column]->name, *to = l->file[link->parent].table->column[link->key]->name;
        grid_text(grid, child->name);
        grid_text(grid, column);
        grid_text(grid, l->file[link->parent].name);
        grid_text(grid, to);
        grid_integer(grid, link->records);
        grid_integer(grid, link->without);
        if (link->parent == register_file && link->key == key) continue;
        if (same_text(column, child->person)) continue;
        buffer_print(&child->parents, "%s%s: %s.%s", child->parents.count ? ", " : "", column, l->file[link->parent].name, to);
    }
    grid_done(grid);
}

static void say_files(Links *l) {
    Grid *grid = grid_new(l->run->result, "files", INSPECT_FILES);
    for (int64_t f = 0; f < l->files; f++) {
        File *file = &l->file[f];
        grid_text(grid, file->name);
        grid_integer(grid, file->table->rows);
        grid_text(grid, file->person);
        grid_text(grid, file->parents.count ? buffer_get(&file->parents) : NULL);
        buffer_free(&file->parents);
    }
    grid_done(grid);
}

Status inspect_links(Run *run, const InspectArgs *a) {
    Status status = OK;
    Links l = { .run = run };
    int64_t register_file, key;
    NEW(&run->work, l.file, a->files.count + 1);
    if (a->data) l.file[l.files++] = (File){ .name = short_name(&run->work, a->data->name), .table = a->data };
    for (int64_t i = 0; i < a->files.count; i++) {
        const char *name = short_name(&run->work, a->files.name[i]);
        if (a->data && same_text(name, l.file[0].name)) continue; /* a folder has the file itself too */
        l.file[l.files++] = (File){ .name = name, .table = a->files.at[i] };
    }
    for (int64_t f = 0; f < l.files; f++) TRY(find_keys(&run->work, &l.file[f]));
    TRY(find_links(&l));
    find_people(&l, &register_file, &key);
    const char *shared = shared_person_number(&l);
    if (shared && (register_file < 0 || !name_of_person_number(l.file[register_file].table->column[key]->name))) {
        register_file = -1;
        TRY(name_repeated_people(&l, shared));
    }
    name_people(&l, register_file, key);
    say_links(&l, register_file, key);
    say_files(&l);
    result_note(run->result, l.count ? "The links are suggestions from names and values. A recipe takes them as `files:`."
                                     : "No column of these files refers to another file's records.");
    if (register_file >= 0)
        result_note(run->result,
                    "`%s` of %s says whose the records of all linked files are. Name it as the person. It is no identifier to drop: "
                    "protect.pseudonym replaces it alike in all files.",
                    l.file[register_file].person, l.file[register_file].name);
done:
    return status;
}
