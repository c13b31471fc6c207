/* scrim inspect: what a file holds, and what each column would be to an intruder, with the reason. */
#include <ctype.h>
#include <string.h>
#include "base/elementary.h"
#include "base/number_text.h"
#include "io/csv/csv.h"
#include "method/method.h"
#include "profile/person.h"
#include "recipe/roles.h"
#include "verb/inspect.h"
#include "verb/whose.h"
#include "report/column_charts.h"

typedef InspectArgs args;

static const Param params[] = {
    TABLE(args, data, "Table to profile; or a folder of linked files, which are profiled one by one, with the links between them",
          .flags = POSITIONAL),
    FLAG(args, charts, "Chart of each column: a histogram of numbers, or the most frequent values"),
    TABLE(args, beside, "Another table, such as the release: its columns of the same names are drawn beside"),
    COLUMNS(args, vars, data, "Draw only these columns"),
    TABLES(args, files, "Other files of the same people, or a folder of them: the links between all files are proposed"),
    FLAG(args, schema, "Propose a schema for `synth private` and `release query`; -o schema.yaml writes it"),
    ONLY_WITH("beside", "charts"),
    ONLY_WITH("vars", "charts"),
    END,
};

/* The suggestion as a roles file would have it. */
static void say_roles(Run *run, const Table *data, const SuggestedRole *role) {
    static const char *const names[] = { "person", "keys", "sensitive", "numeric", "weight", "household", "identifiers", "notes", "other" };
    Grid *grid = grid_new(run->result, "roles", "role:text columns:text");
    for (size_t r = 0; r < sizeof names / sizeof *names; r++) {
        Buffer text = { 0 };
        bool single = role_is_single(names[r]);
        for (int64_t j = 0; j < data->columns; j++)
            if (same_text(role[j].guess.role, names[r]) && !(single && text.count))
                buffer_print(&text, "%s%s", text.count ? ", " : "", data->column[j]->name);
        if (text.count) {
            grid_text(grid, names[r]);
            grid_text(grid, buffer_get(&text));
        }
        buffer_free(&text);
    }
    grid_done(grid);
}

/* What an SPSS, Stata or SAS file says of its columns; other files say nothing. */
static void say_labels(Run *run, const Table *data, const int64_t *coded) {
    bool any = false;
    for (int64_t j = 0; j < data->columns && !any; j++) {
        const ColumnMetadata *about = data->column[j]->about;
        any = about && (about->label || about->labels || about->missing);
    }
    if (data->label) result_note(run->result, "The file's label: %s.", data->label);
    if (!any) return;
    Grid *grid = grid_new(run->result, "labels", "column:text label:text labelled_values:integer missing_for_a_reason:integer");
    for (int64_t j = 0; j < data->columns; j++) {
        const ColumnMetadata *about = data->column[j]->about;
        grid_text(grid, data->column[j]->name);
        grid_text(grid, about ? about->label : NULL);
        grid_integer(grid, about ? about->labels : 0);
        grid_integer(grid, coded[j]);
    }
    grid_done(grid);
}

/* Which columns a manifest beside the table says were changed at random. */
static void say_perturbed(Run *run, const Table *data) {
    Buffer names = { 0 };
    if (!data->perturbed) return;
    for (int64_t i = 0; i < data->columns; i++)
        if (data->altered[i]) buffer_print(&names, "%s%s", names.count ? ", " : "", data->column[i]->name);
    result_note(run->result, "A manifest beside this table, or its mark, says that it was perturbed: %s.",
                names.count ? buffer_get(&names) : "no column");
    buffer_free(&names);
}

/* Notes kept until all columns have been seen. */
typedef struct {
    Work *work;
    char decimal; /* the mark that numbers were read by */
    int64_t count, room;
    const char **at;
} Hints;

static void hint(Hints *hints, const char *text) {
    if (text && !work_grow(hints->work, sizeof *hints->at, &hints->at, &hints->room, hints->count + 1)) hints->at[hints->count++] = text;
}

enum { FEW_WORDS = 3, LONGEST_WORD = 12 };
static const double MOSTLY = .8; /* numbers among a column's words: the rest is an exception */
static const double HALF = .5;   /* the same where the rest is one word, and not a letter, which may be a category */

/* A column of words that are numbers but for a few: "97% numbers, the rest 'NA': try --na NA". */
static void hint_words(Hints *hints, const Seen *seen) {
    const Column *column = seen->column;
    const Codes *codes = &seen->codes;
    const char *word[FEW_WORDS];
    int64_t words = 0, numbers = 0, present = seen->present;
    Buffer quoted = { 0 }, listed = { 0 };
    bool blank = false;                                                                          /* "", which --na cannot name */
    char cell[33], decimal = column_commas(seen->head) == DECIMAL_COMMAS ? ',' : hints->decimal; /* hint_forms tells of the mark */
    for (int32_t c = 0; c < codes->count; c++) {
        const char *text = column_cell(column, codes->first_row[c], cell);
        double number;
        if (read_real(text, text + strlen(text), decimal, &number)) {
            numbers += seen->size[c];
            continue;
        }
        if (words == FEW_WORDS || strlen(text) > LONGEST_WORD || strpbrk(text, ", '")) return;
        if (*text) word[words++] = text;
        else blank = true;
    }
    if (blank && !words && (double)numbers >= HALF * (double)present)
        hint(hints,
             arena_print(hints->work->arena,
                         "'%s' is read as words: %lld%% numbers, the rest \"\", a word without letters: a missing cell has no quotes.",
                         column->name, (long long)(100 * numbers / present)));
    if (blank || !words ||
        (double)numbers < (words > 1 || (isalpha((unsigned char)word[0][0]) && !word[0][1]) ? MOSTLY : HALF) * (double)present)
        return;
    for (int64_t w = 0; w < words; w++) {
        buffer_print(&quoted, "%s'%s'", w ? ", " : "", word[w]);
        buffer_print(&listed, "%s%s", w ? "," : "", word[w]);
    }
    hint(hints, arena_print(hints->work->arena, "'%s' is read as words: %lld%% numbers, the rest %s: try --na %s.", column->name,
                            (long long)(100 * numbers / present), buffer_get(&quoted), buffer_get(&listed)));
    buffer_free(&quoted);
    buffer_free(&listed);
}

/* -9, -8, …, 99, 999, …: what questionnaires write where there is no answer. */
static bool is_usual_code(double x) {
    static const double codes[] = { 7, 8, 9, 97, 98, 99, 997, 998, 999, 9997, 9998, 9999, 99997, 99998, 99999, 999999, 9999999 };
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (x == -codes[i] || (x == codes[i] && codes[i] > 9)) return true;
    return false;
}

static void hint_code(Hints *hints, const Column *column, double x, int64_t count) {
    char text[33];
    real_text(x, text);
    hint(hints, arena_print(hints->work->arena,
                            "'%s': %s (%lld records) stands apart from the other values and may be a code for a missing one: if so, --na "
                            "%s=%s.",
                            column->name, text, (long long)count, column->name, text));
}

/* Such a number, more than once, and apart: below zero where nothing else is, or farther from the other values than they are from each
 * other. Codes ascend, so that what stands apart is at either end. */
static void hint_codes(Hints *hints, const Seen *seen) {
    const Column *column = seen->column;
    const Codes *codes = &seen->codes;
    const int64_t *count = seen->size;
    int32_t least = 0, most = codes->count - 1;
    while (least < most && is_usual_code(column_number(column, codes->first_row[least]))) least++;
    while (most > least && is_usual_code(column_number(column, codes->first_row[most]))) most--;
    double low = column_number(column, codes->first_row[least]), high = column_number(column, codes->first_row[most]);
    if (low >= high) return; /* nothing to stand apart from */
    for (int32_t c = 0; c < least; c++) {
        double x = column_number(column, codes->first_row[c]);
        if (count[c] > 1 && ((x < 0 && low >= 0) || low - x > high - low)) hint_code(hints, column, x, count[c]);
    }
    for (int32_t c = most + 1; c < codes->count; c++) {
        double x = column_number(column, codes->first_row[c]);
        if (count[c] > 1 && x - high > high - low) hint_code(hints, column, x, count[c]);
    }
}

static void hint_forms(Hints *hints, const Column *column) {
    Arena *arena = hints->work->arena;
    Commas commas = column_commas(column);
    bool read = hints->decimal == ','; /* then commas are not what is wrong */
    if (commas == COMMAS_AND_POINTS)
        hint(hints, arena_print(arena, "'%s' is read as words: its numbers have points between thousands, which must be written without%s",
                                column->name, read ? "." : ", and decimal commas: then try --decimal ,"));
    else if (commas == COMMAS_BEFORE_THREE && !read)
        hint(hints,
             arena_print(arena,
                         "'%s' is read as words: its numbers have commas before three digits. Where these are decimals, try --decimal ,; "
                         "thousands must be written without.",
                         column->name));
    else if (commas && !read)
        hint(hints, arena_print(arena, "'%s' is read as words: its numbers have decimal commas: try --decimal ,", column->name));
    else if (column_tells_days(column)) {
        char format[12];
        const char *read_as = column_numeric(column) ? "numbers" : "words";
        if (column_day_format(column, format))
            hint(hints, arena_print(arena, "'%s' is read as %s: it holds days in another form than 1999-12-31: try --types %s:date:%s",
                                    column->name, read_as, column->name, format));
        else
            hint(hints, arena_print(arena,
                                    "'%s' is read as %s: it holds days, and no value tells whether the day or the month is first: say it "
                                    "by --types %s:date:dd/mm/yyyy or mm/dd/yyyy, with the marks of the file.",
                                    column->name, read_as, column->name));
    }
}

static void look_for_hints(Hints *hints, const Seen *seen) {
    bool words = plain_type(seen->column->type) == CATEGORY_TYPE;
    if (!seen->present || (!words && !column_numeric(seen->column))) return;
    (words ? hint_words : hint_codes)(hints, seen);
    hint_forms(hints, seen->head);
}

/* Of the whole table: its own cells. */
static Status see_whole(Work *work, const Column *column, Seen *out) {
    Status status = OK;
    out->column = out->head = column;
    out->type = type_name(column->type);
    TRY(column_codes(work, column, &out->codes));
    TRY(codes_sizes(work, &out->codes, column->rows, &out->size));
    out->missing = column->missing;
    TRY(inspect_count_codes(work, out));
    for (int64_t i = 0; out->of_code && i < column->rows; i++)
        if (column_missing(column, i) && column->reason[i] >= MISSING_CODE_FIRST) out->of_code[column->reason[i] - MISSING_CODE_FIRST]++;
    out->level = column_level_sized(column, &out->codes, out->size);
done:
    return status;
}

Status inspect_count_codes(Work *work, Seen *seen) {
    Status status = OK;
    const Column *column = seen->column;
    if (column->reason && column->about && column->about->missing) NEW(work, seen->of_code, column->about->missing);
done:
    return status;
}

Status inspect_see(Work *work, const Source *source, int64_t column, Seen *out) {
    Status status = OK;
    *out = (Seen){ 0 };
    TRY(work_check(work));
    if (source->fit) TRY(inspect_learned(work, source, column, out));
    else TRY(see_whole(work, source->data->column[column], out));
    out->profile = codes_profile(out->column, &out->codes, out->size);
    out->present = out->profile.present;
    suggested_role(out->head, &out->profile, &out->suggested);
done:
    return status;
}

void inspect_drop(Work *work, Seen *seen) {
    if (seen->column) codes_drop(work, seen->column, &seen->codes);
    arena_drop(work->arena, seen->size);
    column_release(seen->own_head);
    table_release(seen->values);
    *seen = (Seen){ 0 };
}

/* Without a person's column, records that look like one person's are a question to the data's owner: classes count records as people. */
static Status note_question(Run *run, const Table *data, const SuggestedRole *role) {
    Status status = OK;
    const char *question;
    bool named = false;
    for (int64_t j = 0; j < data->columns; j++) named |= same_text(role[j].guess.role, "person");
    TRY(question_whose(&run->work, data, named, &question));
    if (question) result_note(run->result, "%s", question);
done:
    return status;
}

/* The codes of a column's missing cells, as the file writes them, with their records; returns the records of all. */
static int64_t say_codes(const Seen *seen, Grid *grid) {
    int64_t total = 0;
    char number[33];
    for (int32_t i = 0; seen->of_code && i < seen->column->about->missing; i++) {
        total += seen->of_code[i];
        if (!seen->of_code[i]) continue;
        grid_text(grid, seen->column->name);
        grid_text(grid, code_text(seen->column->about->missing_of[i], number));
        grid_integer(grid, seen->of_code[i]);
    }
    return total;
}

/* A column's line of the profile, kept until the roles of all columns are settled. */
typedef struct Line {
    const char *type, *level;
    int64_t missing, distinct, uniques;
} Line;

static void say_profile(Run *run, const Table *data, const Line *line, const SuggestedRole *role) {
    Grid *grid = grid_new(run->result, "profile", INSPECT_PROFILE);
    for (int64_t j = 0; j < data->columns; j++) {
        grid_text(grid, data->column[j]->name);
        grid_text(grid, line[j].type);
        grid_text(grid, line[j].level);
        grid_integer(grid, line[j].missing);
        grid_integer(grid, line[j].distinct);
        grid_integer(grid, line[j].uniques);
        grid_text(grid, role[j].guess.role);
        grid_text(grid, role[j].guess.reason);
    }
    grid_done(grid);
}

/* What is to be said of one column. */
static void look_at(const Seen *seen, Line *line, Grid *shapes, Hints *hints) {
    *line = (Line){ seen->type, level_name(seen->level), seen->missing, seen->profile.distinct, seen->profile.uniques };
    inspect_values(shapes, seen);
    look_for_hints(hints, seen);
}

Status inspect_tell(Run *run, const InspectArgs *a, const Source *source) {
    Status status = OK;
    const Table *data = source->data;
    SuggestedRole *role = NULL;
    Line *line = NULL;
    int64_t missing = 0, *coded = NULL;
    bool any_coded = false;
    SchemaLine *declared = NULL;
    Seen seen = { 0 };
    Keys keys = { 0 };
    const CsvOptions *reading = run->session->host ? run->session->host->reading : NULL;
    Hints hints = { .work = &run->work, .decimal = reading && reading->decimal ? reading->decimal : '.' };
    NEW(&run->work, role, data->columns + 1);
    NEW(&run->work, coded, data->columns + 1);
    NEW(&run->work, line, data->columns + 1);
    NEW(&run->work, declared, data->columns + 1);
    Grid *shapes = grid_new(run->result, "values", INSPECT_VALUES);
    Grid *codes = grid_new(run->result, "codes", INSPECT_CODES);
    for (int64_t j = 0; j < data->columns; j++) {
        work_show(&run->work, "columns", (double)j / (double)data->columns);
        TRY(inspect_see(&run->work, source, j, &seen));
        look_at(&seen, &line[j], shapes, &hints);
        role[j] = seen.suggested;
        role[j].column = data->column[j];
        inspect_key(&keys, j, &seen);
        if (a->schema) inspect_schema_line(&run->work, &seen, &declared[j]);
        missing += seen.missing;
        coded[j] = say_codes(&seen, codes);
        any_coded |= coded[j] > 0;
        inspect_drop(&run->work, &seen);
    }
    TRY(settle_roles(&run->work, source->fit ? NULL : data, data->columns, role));
    say_profile(run, data, line, role);
    grid_done(shapes);
    if (any_coded) grid_done(codes);
    result_integer(run->result, "records", source->rows);
    result_integer(run->result, "columns", data->columns);
    result_integer(run->result, "missing", missing);
    say_labels(run, data, coded);
    say_roles(run, data, role);
    if (a->schema) inspect_say_schema(run, data, declared, role);
    TRY(inspect_keys(run, source, &keys));
    if (!source->fit) TRY(note_question(run, data, role));
    result_note(run->result,
                "Roles are suggested from names and counts. Confirm them with someone who knows the data. `uniques` are values of one "
                "record only; missing is not a value.");
    say_perturbed(run, data);
    for (int64_t i = 0; i < hints.count; i++) result_note(run->result, "%s", hints.at[i]);
    if (a->charts) TRY(column_charts(run, data, a->beside, a->vars));
done:
    inspect_drop(&run->work, &seen);
    return status;
}

/* Without a first table each of the files is profiled. */
static Status profile_files(Run *run, const InspectArgs *a) {
    Status status = OK;
    Result *one = NULL;
    int64_t records = 0, columns = 0;
    if (!a->files.count) {
        fail(run->work.error, BAD, "inspect needs an input: a table, or a folder of linked tables");
        TRY(error_advice(run->work.error, "For example: scrim inspect examples/clinic.csv"));
    }
    for (int64_t f = 0; f < a->files.count; f++) {
        const Table *data = a->files.at[f];
        Run each = *run;
        one = each.result = result_new("inspect");
        if (!one) TRY(out_of_memory(run->work.error));
        TRY(inspect_tell(&each, &(InspectArgs){ .data = data }, &(Source){ .data = data, .rows = data->rows }));
        result_result(run->result, a->files.name[f], one);
        one = NULL;
        records += data->rows;
        columns += data->columns;
    }
    result_integer(run->result, "records", records);
    result_integer(run->result, "columns", columns);
done:
    result_free(one);
    return status;
}

static Status inspect_run(Run *run, const void *p) {
    const args *a = p;
    Status status = OK;
    if (a->data) TRY(inspect_tell(run, a, &(Source){ .data = a->data, .rows = a->data->rows }));
    else TRY(profile_files(run, a));
    if (a->files.count) TRY(inspect_links(run, a));
done:
    return status;
}

static const Return values[] = {
    VALUE(records, INTEGER, "Records in the table", .flags = PUBLIC),
    VALUE(columns, INTEGER, "Columns in the table", .flags = PUBLIC),
    VALUE(missing, INTEGER, "Missing cells", .flags = PUBLIC),
    TABLE_OUT(profile, INSPECT_PROFILE,
              "Each column: type, measurement level, missing, distinct and unique values, and the suggested role with its reason"),
    TABLE_OUT(
        values, INSPECT_VALUES,
        "Distribution of each column: minimum, mean and maximum, or the most frequent values with their shares, and a small histogram"),
    TABLE_OUT(codes, INSPECT_CODES,
              "Codes that mark missing values in the file, and the records that have them. They are written back as they were read"),
    TABLE_OUT(labels, "column:text label:text labelled_values:integer missing_for_a_reason:integer",
              "For files with labels: variable labels, number of labelled values, and cells with a stated reason for being missing"),
    TABLE_OUT(roles, "role:text columns:text", "The suggested roles (-o roles.yaml writes them as a file)"),
    TABLE_OUT(schema, INSPECT_SCHEMA,
              "With --schema: each column's line of a schema, and where it comes from; without a line the column is left out"),
    TABLE_OUT(links, INSPECT_LINKS,
              "With --files: columns whose values are those of another file's records, and records whose value that file lacks"),
    TABLE_OUT(files, INSPECT_FILES, "With --files: each file, with the person and the parent keys that a recipe's `files:` would name"),
    TABLE_OUT(keys, INSPECT_KEYS,
              "The suggested keys and small sets of them, by the number of records that are unique on them, largest first"),
    END,
};

const Method verb_inspect = {
    .group = "verb",
    .name = "inspect",
    .summary = "Profile a file: types, missing, distinct and unique values, and suggested roles",
    .params = params,
    .size = sizeof(args),
    .run = inspect_run,
    .parts = &inspect_parts,
    .values = values,
    .example = "scrim inspect examples/clinic.csv",
};
