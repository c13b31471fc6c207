/* Mondrian: multidimensional partitioning; each record gets its part's range of every key. Defined after LeFevre, DeWitt & Ramakrishnan
 * 2006: docs/methods/protect-mondrian.md. */
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "base/number_text.h"
#include "method/method.h"
#include "protect/mondrian/partition.h"

typedef struct {
    const Table *data;
    Columns keys, sensitive;
    Tables hierarchies;
    int64_t k;
    unsigned cut, definition, distance;
    double l, c, t;
    const Column *person;
} args;

static const Param params[] = {
    TABLE(args, data, "Table to protect", .flags = REQUIRED | POSITIONAL),
    KEYS(args, data, .flags = REQUIRED),
    INT(args, k, 3, 2, 1000000000, "Smallest number of records in a part (k). Larger = more protection"),
    CHOICE(args, cut, "strict",
           "strict divides between values, so that parts do not overlap; relaxed halves the records, including equal values",
           WORDS("strict", "relaxed")),
    COLUMNS(args, sensitive, data, "Sensitive columns, for --l and --t"),
    REAL(args, l, NAN, 1, 1e9, "Smallest allowed l-diversity of a part. Larger = more protection"),
    CHOICE(args, definition, "distinct", "Definition of l-diversity: distinct values, exp(entropy), or recursive with --c",
           WORDS("distinct", "entropy", "recursive")),
    REAL(args, c, NAN, 0, 1e9, "c of recursive (c,l)-diversity"),
    REAL(args, t, NAN, 0, 1, "Largest allowed t-closeness of a part, 0 to 1. Smaller = more protection"),
    CHOICE(args, distance, "equal", "Ground distance of the earth mover's distance for --t",
           WORDS("equal", "ordered", "hierarchical", "numeric")),
    HIERARCHIES(args, 0),
    ONLY_WITH("definition", "l"),
    ONLY_IF("c", "definition", "recursive"),
    ONLY_WITH("distance", "t"),
    PERSON(args, data),
    END,
};

static const Return values[] = {
    VALUE(classes, INTEGER, "Parts into which the table was divided", .flags = PUBLIC),
    VALUE(smallest, INTEGER, "Records in the smallest part. Larger is safer", .flags = PUBLIC),
    VALUE(largest, INTEGER, "Records in the largest part", .flags = PUBLIC),
    VALUE(average, REAL, "Mean number of records in a part, over k. 1 = optimal", .flags = PUBLIC),
    VALUE(discernibility, REAL, "Discernibility: Σn² over parts. Smaller = more utility", .flags = PUBLIC),
    VALUE(loss, REAL,
          "Information loss: mean over records and keys of the width of the released range, as a share of the key's whole range, 0 to 1",
          .flags = PUBLIC),
    TABLE_OUT(ranges, "key:text loss:real exact:integer", "Each key: its mean share, and the records with their exact value",
              .flags = PUBLIC),
    RELEASED("The protected table"),
    END,
};

static Status bad(Run *run, const char *parameter, const char *why) {
    fail(run->work.error, BAD, "%s", why);
    return error_parameter(run->work.error, parameter);
}

static Status read_promise(Run *run, const args *a, Promise *out) {
    Status status = OK;
    bool diverse = !isnan(a->l), close = !isnan(a->t);
    Codes *codes = NULL;
    Closeness *closeness = NULL;
    if ((diverse || close) && !a->sensitive.count) return bad(run, "sensitive", "is needed with --l and --t");
    if (diverse && a->definition == 2 && isnan(a->c)) return bad(run, "c", "is needed for recursive diversity");
    *out = (Promise){ .k = a->k,
                      .l = a->l,
                      .c = a->c,
                      .t = a->t,
                      .definition = a->definition,
                      .sensitives = diverse || close ? a->sensitive.count : 0 };
    NEW(&run->work, codes, out->sensitives);
    NEW(&run->work, closeness, out->sensitives);
    for (int64_t j = 0; j < out->sensitives; j++) {
        Hierarchy *hierarchy = NULL;
        bool found = false;
        TRY((close && a->distance == ORDERED_DISTANCE ? codes_along_line : column_codes)(&run->work, a->sensitive.at[j], &codes[j]));
        if (close && a->distance == HIERARCHICAL_DISTANCE) {
            NEW(&run->work, hierarchy, 1);
            TRY(hierarchy_find(&run->work, a->hierarchies.count, a->hierarchies.name, a->hierarchies.at, a->sensitive.at[j], hierarchy,
                               &found));
            if (!found) TRY(bad(run, "hierarchies", "has no hierarchy of the sensitive column, which the hierarchical distance needs"));
        }
        if (close) TRY(closeness_make(&run->work, a->distance, a->sensitive.at[j], &codes[j], hierarchy, &closeness[j]));
    }
    out->sensitive = codes;
    out->closeness = closeness;
done:
    return status;
}

/* Where each value of a key lies between 0 and 1: numbers and dates by value, others by their order. A missing value lies beyond all
 * others. */
static Status place_values(Work *work, const Column *column, const Codes *codes, double **out) {
    Status status = OK;
    bool by_value = column_linear(column);
    int32_t last = codes->count - 1;
    NEW(work, *out, codes->count + 1);
    (*out)[codes->count] = last < 0 ? 0 : 2;
    if (last <= 0) return OK;
    double low = column_number(column, codes->first_row[0]), high = column_number(column, codes->first_row[last]);
    for (int32_t v = 0; v <= last; v++)
        (*out)[v] = by_value ? (column_number(column, codes->first_row[v]) - low) / (high - low) : (double)v / (double)last;
done:
    return status;
}

typedef struct {
    int32_t low, high;
    bool missing;
} Span; /* of one part along one key; missing: some value is */

typedef struct {
    const Partition *p;
    Span *at; /* part, key */
} Spans;

/* All keys of a part at once: their codes lie side by side. */
static Status span_block(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    const Spans *s = self;
    const Partition *p = s->p;
    (void)block, (void)error;
    for (int64_t part = first; part < last; part++) {
        Span *span = s->at + part * p->keys;
        for (int64_t key = 0; key < p->keys; key++) span[key] = (Span){ INT32_MAX, -1, false };
        for (int64_t i = p->start[part]; i < p->start[part + 1]; i++)
            for (int64_t key = 0; key < p->keys; key++) {
                int32_t code = p->code[i * p->keys + key];
                if (code == p->codes[key].count) span[key].missing = true;
                else {
                    span[key].low = code < span[key].low ? code : span[key].low;
                    span[key].high = code > span[key].high ? code : span[key].high;
                }
            }
    }
    return OK;
}

/* "[20,35]" of two numbers or dates, which a column writes where it is told to. */
static const char *interval_text(const Column *column, int64_t low, int64_t high, char text[70]) {
    size_t end = 1;
    text[0] = '[';
    end += strlen(column_cell(column, low, text + end));
    text[end++] = ',';
    end += strlen(column_cell(column, high, text + end));
    text[end++] = ']';
    text[end] = 0;
    return text;
}

/* "[20,35]" of numbers and dates, "{a,b,c}" of words that occur in the part; one value alone as it is. */
static Status span_text(Work *work, const Partition *p, const Column *column, int64_t part, int64_t key, Span span, const char **out) {
    Status status = OK;
    const Codes *codes = &p->codes[key];
    char line[70];
    Buffer text = { 0 };
    uint8_t *seen = NULL;
    if (span.low == span.high) *out = arena_text(work->arena, column_cell(column, codes->first_row[span.low], line));
    else if (column_linear(column))
        *out = arena_text(work->arena, interval_text(column, codes->first_row[span.low], codes->first_row[span.high], line));
    else {
        NEW(work, seen, span.high - span.low + 1);
        for (int64_t i = p->start[part]; i < p->start[part + 1]; i++) seen[codes->at[p->row[i]] - span.low] = 1;
        for (int32_t v = span.low; v <= span.high; v++)
            if (seen[v - span.low]) buffer_print(&text, "%s%s", text.count ? "," : "{", column_cell(column, codes->first_row[v], line));
        buffer_char(&text, '}');
        *out = arena_text(work->arena, buffer_get(&text));
    }
    if (!*out) TRY(out_of_memory(work->error));
done:
    arena_drop(work->arena, seen);
    buffer_free(&text);
    return status;
}

typedef struct {
    double loss;
    int64_t exact;
} Ranges;

/* One key of the release: each record has its part's span; where a part has a missing value, all its records have. */
static Status release_key(Work *work, const Spans *spans, const int64_t *of, const Column *column, int64_t key, Column **out,
                          Ranges *ranges) {
    Status status = OK;
    const Partition *p = spans->p;
    const char **cells = NULL;
    Column *parts = NULL;
    bool unchanged = true;
    NEW(work, cells, p->parts);
    for (int64_t part = 0; part < p->parts; part++) {
        Span span = spans->at[part * p->keys + key];
        int64_t size = p->start[part + 1] - p->start[part];
        if (!span.missing) TRY(span_text(work, p, column, part, key, span, &cells[part]));
        ranges->loss += (double)size * (span.missing ? 1 : p->place[key][span.high] - p->place[key][span.low]);
        if (!span.missing && span.low == span.high) ranges->exact += size;
        unchanged &= span.missing ? span.high < 0 : span.low == span.high;
    }
    if (unchanged) *out = column_retain(column);
    else {
        TRY(column_category(column->name, cells, p->parts, &parts, work->error)); /* a word for each part, then for each record */
        TRY(column_take(parts, of, p->rows, out, work->error));
    }
done:
    column_release(parts);
    arena_drop(work->arena, cells);
    return status;
}

typedef struct {
    Work *work;
    Spans spans;
    const int64_t *of; /* row → part */
    Columns keys;
    Column **columns;
    Ranges *ranges;
} Release;

static Status release_block(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    const Release *r = self;
    Status status = OK;
    Work here = { .arena = arena_new(), .error = error, .threads = 1, .progress = r->work->progress };
    (void)block;
    if (!here.arena) return out_of_memory(error);
    for (int64_t key = first; key < last; key++)
        TRY(release_key(&here, &r->spans, r->of, r->keys.at[key], key, &r->columns[key], &r->ranges[key]));
done:
    arena_free(here.arena);
    return status;
}

static void show(Run *run, const args *a, const Partition *p, const Ranges *ranges) {
    int64_t least = INT64_MAX, most = 0;
    double squares = 0, loss = 0, n = (double)p->rows;
    for (int64_t part = 0; part < p->parts; part++) {
        int64_t size = p->start[part + 1] - p->start[part];
        least = size < least ? size : least;
        most = size > most ? size : most;
        squares += (double)size * (double)size;
    }
    Grid *grid = grid_new(run->result, "ranges", "key:text loss:real exact:integer");
    for (int64_t key = 0; key < p->keys; key++) {
        loss += ranges[key].loss / (double)p->keys;
        grid_text(grid, a->keys.at[key]->name);
        grid_real(grid, n > 0 ? ranges[key].loss / n : 0);
        grid_integer(grid, ranges[key].exact);
    }
    grid_done(grid);
    result_integer(run->result, "classes", p->parts);
    result_integer(run->result, "smallest", p->parts ? least : 0);
    result_integer(run->result, "largest", most);
    result_real(run->result, "average", p->parts ? n / (double)p->parts / (double)a->k : 0);
    result_real(run->result, "discernibility", squares);
    result_real(run->result, "loss", n > 0 ? loss / n : 0);
    result_note(run->result, "Missing keys: in a part where some record lacks a key, the release lacks it for all.");
}

static Status draw(Run *run, const Partition *p) {
    Status status = OK;
    enum { BINS = 20 };
    double edges[BINS + 1], counts[BINS] = { 0 };
    int64_t most = 1;
    for (int64_t part = 0; part < p->parts; part++)
        if (p->start[part + 1] - p->start[part] > most) most = p->start[part + 1] - p->start[part];
    for (int i = 0; i <= BINS; i++) edges[i] = (double)(most + 1) * i / BINS;
    for (int64_t part = 0; part < p->parts; part++) counts[(p->start[part + 1] - p->start[part]) * BINS / (most + 1)]++;
    Chart *chart = result_chart(run->result, CHART_HISTOGRAM, "Sizes of the parts", "records in a part", "parts");
    chart_series(chart, "parts", BINS, edges, counts, NULL, NULL);
    return status;
}

static Status mondrian_run(Run *run, const void *input) {
    Status status = OK;
    const args *a = input;
    Promise promise;
    Codes *codes = NULL;
    double **place = NULL;
    Ranges *ranges = NULL;
    Column **columns = NULL;
    Table *released = NULL;
    int64_t *of = NULL;
    TRY(read_promise(run, a, &promise));
    NEW(&run->work, codes, a->keys.count);
    NEW(&run->work, place, a->keys.count);
    NEW(&run->work, ranges, a->keys.count);
    NEW(&run->work, columns, a->keys.count);
    for (int64_t key = 0; key < a->keys.count; key++) {
        TRY(column_codes(&run->work, a->keys.at[key], &codes[key]));
        TRY(place_values(&run->work, a->keys.at[key], &codes[key], &place[key]));
    }
    Partition p = { .rows = a->data->rows,
                    .keys = a->keys.count,
                    .codes = codes,
                    .place = (const double *const *)place,
                    .relaxed = a->cut == 1,
                    .promise = &promise };
    TRY(partition_make(&run->work, &p));
    NEW(&run->work, of, p.rows + 1);
    for (int64_t part = 0; part < p.parts; part++)
        for (int64_t i = p.start[part]; i < p.start[part + 1]; i++) of[p.row[i]] = part;
    Release release = { .work = &run->work, .spans = { .p = &p }, .of = of, .keys = a->keys, .columns = columns, .ranges = ranges };
    NEW(&run->work, release.spans.at, p.parts * p.keys + 1);
    TRY(parallel_for(&run->work, p.parts, 4096, span_block, &release.spans));
    TRY(parallel_for(&run->work, a->keys.count, 1, release_block, &release));
    TRY(table_with(a->data, columns, a->keys.count, &released, run->work.error));
    show(run, a, &p, ranges);
    TRY(draw(run, &p));
    result_output(run->result, released);
done:
    for (int64_t i = 0; columns && i < a->keys.count; i++) column_release(columns[i]);
    return status;
}

const Method protect_mondrian = { .group = "protect",
                                  .name = "mondrian",
                                  .summary = "Mondrian: multidimensional partitioning into groups of at least k",
                                  .source = "LeFevre, DeWitt & Ramakrishnan 2006",
                                  .params = params,
                                  .size = sizeof(args),
                                  .traits = BY_PERSON | IDENTITY | ATTRIBUTE | CODES_AS_CATEGORIES,
                                  .run = mondrian_run,
                                  .values = values,
                                  .example = "scrim protect mondrian examples/clinic.csv --keys sex,age,region,education --k 5" };
