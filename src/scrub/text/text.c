/* scrub.text: what could name a person in text columns is found and replaced (Sweeney 1996; HIPAA's safe harbour, 45 CFR 164.514(b)(2)). */
#include <stdlib.h>
#include <string.h>
#include "scrub/text/text.h"

static const Param params[] = {
    TABLE(ScrubArgs, data, "Table with text in it", .flags = REQUIRED | POSITIONAL),
    COLUMNS(ScrubArgs, columns, data, "Columns of text to scrub", .flags = REQUIRED, .role = "notes"),
    COLUMN(ScrubArgs, subject, data,
           "Subject of a record: within a subject, a person keeps one replacement name and all dates shift by the same number of days",
           .role = "person"),
    COLUMNS(ScrubArgs, known, data, "Columns with names that may occur in the text of the same record, also misspelt"),
    TABLE(ScrubArgs, names, "Names that may occur in any text, also misspelt: all text columns of this table"),
    CHOICE(ScrubArgs, replace, "pseudo",
           "Replacement of a find: a plausible value drawn with the secret seed, its kind in brackets, stars, a keyed hash, nothing, or a "
           "coarser value",
           WORDS("pseudo", "label", "mask", "hash", "remove", "generalise")),
    PAIRS(ScrubArgs, each, 1, "Replacement of single kinds: DATE:generalise,REGION:label. keep leaves a kind as it is"),
    REAL(ScrubArgs, threshold, SURE_ENOUGH, 0.05, 1,
         "Smallest confidence at which a find is replaced, 0 to 1: 0.6 means that 60% of such finds are correct. Smaller is safer"),
    CHOICE(ScrubArgs, date_order, "auto",
           "Order of day and month in dates such as 03/01/2023. auto: by the other dates of the subject, else of all records, else the "
           "language. A date that stays ambiguous becomes [DATE]",
           WORDS("auto", "day", "month")),
    CHOICE(ScrubArgs, language, "any", "Language of lists and of dates in numbers", SCRUB_LANGUAGES),
    TABLE(ScrubArgs, model, "A tagger that `scrub train` trained on the site's own marked notes, instead of the built-in one"),
    TEXTS(ScrubArgs, kinds, "Only these kinds, instead of all but ORGANISATION: PERSON,DATE,PHONE"),
    TEXTS(ScrubArgs, pattern, "A pattern of your own, NAME=REGEX (PCRE2); once for each. No manifest keeps it: it may hold a name",
          .flags = WHOLE | SECRET),
    TABLE(ScrubArgs, patterns, "Patterns of your own: a table with the columns name and regex"),
    INT(ScrubArgs, shift, 365, 1, 36500,
        "Largest shift of dates in days, in either direction. Each subject has its own secret shift. It is that of protect "
        "shift-dates with the same subject, days and seed or key, so that dates in columns and in text move together"),
    TEXT(ScrubArgs, key, NULL, "File with a secret of at least 16 bytes for the shift of dates: give the one of protect shift-dates",
         .flags = SECRET),
    INT(ScrubArgs, review, 0, 0, 100000, "Show this many of the least certain finds and near misses (they contain the original text)"),
    FLAG(ScrubArgs, finds,
         "Second output table: every find with position, kind, confidence, text and replacement (it contains the original text)"),
    END,
};

static const Return values[] = {
    VALUE(records, INTEGER, "Records looked at", .flags = PUBLIC),
    VALUE(changed, INTEGER, "Records in which something was found", .flags = PUBLIC),
    VALUE(finds, INTEGER, "Places found", .flags = PUBLIC),
    VALUE(uncertain, INTEGER, "Finds with a confidence below 0.8", .flags = PUBLIC),
    VALUE(near_misses, INTEGER, "Near misses: places just below the threshold, left unchanged", .flags = PUBLIC),
    VALUE(subjects, INTEGER, "Subjects, each with its own replacement names and date shift", .flags = PUBLIC),
    TABLE_OUT(kinds, "kind:text finds:integer records:integer least_confidence:real", "Finds by kind", .flags = PUBLIC),
    TABLE_OUT(review, "row:integer column:text start:integer end:integer kind:text confidence:real state:text text:text",
              "Finds and near misses for manual review, least certain first"),
    OUTPUT("The table with all finds replaced"),
    OUTPUT("With --finds: row, column, start, end, kind, confidence, text, replacement", .flags = KEEPERS),
    END,
};

/* ---- Finding ---- */

static Status keep_finds(const Scrubbing *s, Cell *cell, const Search *search, Error *error) {
    CellFinds *f = &cell->found;
    bool made = s->a->finds, misses = s->a->review > 0;
    f->finds = (int32_t)search->finds.count;
    f->misses = (int32_t)search->misses.count;
    if (f->finds) f->find = malloc((size_t)f->finds * sizeof *f->find);
    if (f->finds && made) f->made = calloc((size_t)f->finds, sizeof *f->made);
    if (f->misses && misses) f->miss = malloc((size_t)f->misses * sizeof *f->miss);
    if ((f->finds && (!f->find || (made && !f->made))) || (f->misses && misses && !f->miss)) return out_of_memory(error);
    if (f->finds) memcpy(f->find, search->finds.at, (size_t)f->finds * sizeof *f->find);
    if (f->miss) memcpy(f->miss, search->misses.at, (size_t)f->misses * sizeof *f->miss);
    return OK;
}

static Status find_block(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    (void)block;
    Status status = OK;
    Scrubbing *s = self;
    Search search = { 0 };
    TRY(search_open(&s->finder, &search, error));
    for (int64_t row = first; row < last; row++)
        for (int64_t c = 0; c < s->columns; c++) {
            Cell *cell = cell_at(s, c, row);
            if (!cell->text) continue;
            TRY(search_text(&search, cell->text, cell->size, s->row_names ? &s->row_names[row] : NULL, error));
            TRY(keep_finds(s, cell, &search, error));
        }
done:
    search_close(&search);
    return status;
}

/* ---- Replacing ---- */

/* The people of a record's subject, and the names that are known of the record. Rows share what it points to, and none changes it. */
static People people_of(const Scrubbing *s, int64_t row) {
    People people = s->people[s->person_of[row]];
    if (s->a->subject && column_missing(s->a->subject, row)) people.nobody = row + 1;
    people.known[0] = s->row_names ? &s->row_names[row] : NULL;
    people.known[1] = s->finder.known;
    return people;
}

static Buffer *piece_at(const Scrubbing *s, int64_t column, int64_t row) {
    return &s->piece[column * blocks_of(s->rows, s->block) + row / s->block];
}

/* Appends what becomes of the cell. A piece may move while it grows: where the cell is in it is given, not kept. */
static size_t replace_cell(const Scrubbing *s, const Cell *cell, int64_t row, Buffer *out) {
    const CellFinds *f = &cell->found;
    size_t from = out->count;
    People people = people_of(s, row);
    replace_text(&s->replacer, &people, cell->text, cell->size, f->find, f->finds, out, f->made);
    buffer_char(out, 0);
    for (int32_t i = 0; f->made && i < f->finds; i++) f->made[i] = (Made){ f->made[i].from - from, f->made[i].to - from };
    return from;
}

static Status replace_piece(const Scrubbing *s, int64_t column, int64_t first, int64_t last, size_t *from, Error *error) {
    Buffer *out = piece_at(s, column, first);
    for (int64_t row = first; row < last; row++)
        if (cell_at(s, column, row)->found.finds) from[row - first] = replace_cell(s, cell_at(s, column, row), row, out);
    if (out->failed) return out_of_memory(error);
    char *exact = out->count ? realloc(out->bytes, out->count) : NULL; /* a buffer has room for twice as much */
    if (exact) out->bytes = exact;
    for (int64_t row = first; row < last; row++)
        if (cell_at(s, column, row)->found.finds) cell_at(s, column, row)->made = out->bytes + from[row - first];
    return OK;
}

static Status replace_block(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    (void)block;
    Status status = OK;
    const Scrubbing *s = self;
    size_t *from = malloc((size_t)(last - first) * sizeof *from);
    if (!from) return out_of_memory(error);
    for (int64_t c = 0; c < s->columns; c++) TRY(replace_piece(s, c, first, last, from, error));
done:
    free(from);
    return status;
}

/* ---- Who is who ---- */

/* Without a subject all records are one: their people are known record by record, so that one record's initials do not become another's. */
static Status take_subjects(Scrubbing *s) {
    Status status = OK;
    Work *work = &s->run->work;
    Codes codes = { 0 };
    char number[33];
    NEW(work, s->person_of, s->rows + 1);
    if (s->a->subject) TRY(column_codes(work, s->a->subject, &codes));
    s->human_count = s->a->subject ? codes.count + 1 : s->rows;
    NEW(work, s->people, s->human_count + 1);
    for (int64_t i = 0; i < s->human_count; i++) s->people[i].subject = "";
    for (int64_t row = 0; row < s->rows; row++) {
        s->person_of[row] = !s->a->subject ? row : codes.at[row] < 0 ? codes.count : codes.at[row];
        if (s->a->subject && codes.at[row] >= 0 && !s->people[codes.at[row]].subject[0]) {
            const char *text = arena_text(work->arena, column_cell(s->a->subject, row, number));
            if (!text) TRY(out_of_memory(work->error));
            s->people[codes.at[row]].subject = text;
        }
    }
done:
    return status;
}

static Status note_people(Scrubbing *s) {
    Status status = OK;
    for (int64_t row = 0; row < s->rows; row++)
        for (int64_t c = 0; c < s->columns; c++) {
            const Cell *cell = cell_at(s, c, row);
            for (int64_t f = 0; f < cell->found.finds; f++)
                if (cell->found.find[f].kind == TRACE_PERSON) {
                    People people = people_of(s, row);
                    status = people_note(&people, &s->finder.lists, cell->text, &cell->found.find[f], s->run->work.error);
                    s->people[s->person_of[row]] = people;
                    TRY(status);
                }
        }
done:
    return status;
}

static Status known_of_rows(Scrubbing *s) {
    Status status = OK;
    char number[33];
    if (!s->a->known.count) return OK;
    NEW(&s->run->work, s->row_names, s->rows + 1);
    for (int64_t row = 0; row < s->rows; row++) {
        s->row_names[row].own = true;
        for (int64_t c = 0; c < s->a->known.count; c++) {
            const char *text = column_cell(s->a->known.at[c], row, number);
            if (text) TRY(names_add(&s->run->work, &s->row_names[row], text));
        }
        TRY(names_index(&s->run->work, &s->row_names[row]));
    }
done:
    return status;
}

/* ---- In and out ---- */

static Status take_cells(Scrubbing *s) {
    Status status = OK;
    char number[33];
    NEW(&s->run->work, s->cell, s->columns * s->rows + 1);
    for (int64_t c = 0; c < s->columns; c++)
        for (int64_t row = 0; row < s->rows; row++) {
            const Column *column = s->a->columns.at[c];
            const char *text = column_cell(column, row, number);
            if (text == number) text = arena_text(s->run->work.arena, text);
            if (!text && !column_missing(column, row)) TRY(out_of_memory(s->run->work.error));
            *cell_at(s, c, row) = (Cell){ .text = text, .size = text ? strlen(text) : 0 };
        }
done:
    return status;
}

typedef struct Giving {
    const Scrubbing *s;
    int64_t column;
} Giving;

/* The output has the last row of a piece: the piece can go. */
static void piece_taken(void *self, int64_t row) {
    const Giving *g = self;
    if ((row + 1) % g->s->block == 0) buffer_free(piece_at(g->s, g->column, row));
}

static Status give_column(const Scrubbing *s, int64_t column, const char **cells, Column **out) {
    Status status = OK;
    Giving giving = { s, column };
    for (int64_t row = 0; row < s->rows; row++)
        cells[row] = cell_at(s, column, row)->made ? cell_at(s, column, row)->made : cell_at(s, column, row)->text;
    TRY(column_text_taken(s->a->columns.at[column]->name, cells, s->rows, piece_taken, &giving, out, s->run->work.error));
    for (int64_t row = 0; row < s->rows; row++)
        if (cell_at(s, column, row)->made) cell_at(s, column, row)->made = (*out)->bytes + (*out)->offset[row];
done:
    return status;
}

static Status give_output(Scrubbing *s) {
    Status status = OK;
    Column **columns = NULL;
    const char **cells = NULL;
    Table *made = NULL;
    NEW(&s->run->work, columns, s->columns + 1);
    NEW(&s->run->work, cells, s->rows + 1);
    for (int64_t c = 0; c < s->columns; c++) TRY(give_column(s, c, cells, &columns[c]));
    TRY(table_with(s->a->data, columns, s->columns, &made, s->run->work.error));
    result_output(s->run->result, made);
done:
    for (int64_t c = 0; columns && c < s->columns; c++) column_release(columns[c]);
    return status;
}

static void scrubbing_free(Scrubbing *s) {
    for (int64_t i = 0; s->piece && i < s->columns * blocks_of(s->rows, s->block); i++) buffer_free(&s->piece[i]);
    for (int64_t i = 0; s->cell && i < s->columns * s->rows; i++) {
        free(s->cell[i].found.find);
        free(s->cell[i].found.miss);
        free(s->cell[i].found.made);
    }
    for (int64_t i = 0; s->people && i < s->human_count; i++) people_free(&s->people[i]);
    finder_close(&s->finder);
}

static Status text_run(Run *run, const void *p) {
    Status status = OK;
    const ScrubArgs *a = p;
    Scrubbing s = { .run = run, .a = a, .rows = a->data->rows, .columns = a->columns.count };
    s.block = s.rows / 64 > 16 ? s.rows / 64 : 16;
    TRY(scrub_prepare(run, a, &s.finder, &s.replacer, &s.names));
    TRY(take_cells(&s));
    TRY(known_of_rows(&s));
    TRY(take_subjects(&s));
    TRY(parallel_for(&run->work, s.rows, s.block, find_block, &s));
    TRY(note_people(&s));
    TRY(scrub_date_orders(&s));
    NEW(&run->work, s.piece, s.columns * blocks_of(s.rows, s.block) + 1);
    TRY(parallel_for(&run->work, s.rows, s.block, replace_block, &s));
    TRY(give_output(&s));
    TRY(scrub_tables(&s));
done:
    scrubbing_free(&s);
    return status;
}

const Method scrub_text = { .group = "scrub",
                            .name = "text",
                            .summary = "De-identification of free text: find direct identifiers and replace them",
                            .source = "Sweeney 1996; 45 CFR 164.514(b)(2)",
                            .params = params,
                            .size = sizeof(ScrubArgs),
                            .traits = RANDOM | IDENTITY,
                            .run = text_run,
                            .values = values,
                            .example = "scrim scrub text examples/notes.csv --columns note --subject patient --seed 1" };
