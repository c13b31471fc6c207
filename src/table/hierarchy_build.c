/* Making hierarchies by rule. */
#include "table/hierarchy_build.h"
#include <stdio.h>
#include <string.h>
#include "base/elementary.h"
#include "base/number_text.h"
#include "base/text.h"

static Status add_level(Work *work, HierarchyBuilder *b, const char ***out) {
    Status status = OK;
    GROW(work, b->cell, b->room, b->levels + 1);
    NEW(work, b->cell[b->levels], b->leaves);
    *out = b->cell[b->levels++];
done:
    return status;
}

Status build_start(Work *work, const Column *column, double from, double to, HierarchyBuilder *out) {
    Status status = OK;
    Codes codes;
    const char **cells;
    char number[33];
    *out = (HierarchyBuilder){ 0 };
    if (from <= to) {
        if (from != floor(from) || to != floor(to) || to - from > 1e6)
            return fail(work->error, BAD, "the range of values must be whole numbers, a million at most");
        out->leaves = (int64_t)(to - from) + 1;
        TRY(add_level(work, out, &cells));
        for (int64_t i = 0; i < out->leaves; i++)
            if (!(cells[i] = arena_text(work->arena, real_text(from + (double)i, number)))) TRY(out_of_memory(work->error));
        return OK;
    }
    TRY(column_codes(work, column, &codes));
    out->leaves = codes.count;
    TRY(add_level(work, out, &cells));
    for (int32_t v = 0; v < codes.count; v++)
        if (!(cells[v] = arena_text(work->arena, column_cell(column, codes.first_row[v], number)))) TRY(out_of_memory(work->error));
done:
    return status;
}

static Status packed_reals_of(Work *work, const HierarchyBuilder *b, double **out, bool *whole) {
    Status status = OK;
    NEW(work, *out, b->leaves);
    *whole = true;
    for (int64_t i = 0; i < b->leaves; i++) {
        const char *text = b->cell[0][i];
        if (!read_real(text, text + strlen(text), '.', &(*out)[i])) {
            fail(work->error, BAD, "intervals need numbers, and one value is none");
            error_value(work->error, text);
            TRY(error_advice(work->error, "Use --mask for codes, --group for words, --periods for dates."));
        }
        *whole = *whole && (*out)[i] == floor((*out)[i]) && (*out)[i] >= 0;
    }
done:
    return status;
}

Status build_intervals(Work *work, HierarchyBuilder *b, double width) {
    Status status = OK;
    double *number = NULL;
    bool whole;
    const char **cells;
    if (!(width > 0)) return fail(work->error, BAD, "an interval must be wider than 0");
    TRY(packed_reals_of(work, b, &number, &whole));
    TRY(add_level(work, b, &cells));
    for (int64_t i = 0; i < b->leaves; i++) {
        char low[33], high[33];
        double from = floor(number[i] / width) * width;
        bool closed = whole && width == floor(width);
        real_text(from, low);
        real_text(closed ? from + width - 1 : from + width, high);
        cells[i] = closed && width == 1 ? arena_text(work->arena, low) : arena_print(work->arena, closed ? "%s-%s" : "[%s,%s)", low, high);
        if (!cells[i]) TRY(out_of_memory(work->error));
    }
done:
    return status;
}

/* Characters, not bytes: `keep` of them from the left, or all but the first so many. */
static char *masked(Work *work, const char *text, int64_t hidden, bool right) {
    int64_t length = utf8_count(text), shown = length > hidden ? length - hidden : 0;
    const char *end = text + strlen(text), *at = text;
    if (hidden > length) hidden = length;
    Buffer out = { 0 };
    for (int64_t i = 0; !right && i < hidden; i++) buffer_char(&out, '*');
    for (int64_t i = 0; i < length; i++) {
        int bytes = utf8_length(at, end);
        if (!bytes) bytes = 1;
        if (right ? i < shown : i >= hidden) buffer_add(&out, at, (size_t)bytes);
        at += bytes;
    }
    for (int64_t i = 0; right && i < hidden; i++) buffer_char(&out, '*');
    char *copy = out.failed ? NULL : arena_text(work->arena, buffer_get(&out));
    buffer_free(&out);
    return copy;
}

Status build_masks(Work *work, HierarchyBuilder *b, bool right) {
    Status status = OK;
    int64_t longest = 0;
    const char **cells;
    for (int64_t i = 0; i < b->leaves; i++)
        if (utf8_count(b->cell[0][i]) > longest) longest = utf8_count(b->cell[0][i]);
    if (longest > 60) return fail(work->error, BAD, "a value is longer than 60 characters: no code to mask");
    for (int64_t hidden = 1; hidden < longest; hidden++) {
        TRY(add_level(work, b, &cells));
        for (int64_t i = 0; i < b->leaves; i++)
            if (!(cells[i] = masked(work, b->cell[0][i], hidden, right))) TRY(out_of_memory(work->error));
    }
done:
    return status;
}

Status build_order(Work *work, HierarchyBuilder *b, int64_t count, const char *const *values) {
    Status status = OK;
    const char **ordered = NULL;
    NEW(work, ordered, count);
    for (int64_t i = 0; i < count; i++) {
        ordered[i] = values[i];
        for (int64_t j = 0; j < i; j++)
            if (!strcmp(values[i], values[j])) TRY(fail(work->error, BAD, "the order names '%s' twice", values[i]));
    }
    for (int64_t i = 0; i < b->leaves; i++) {
        int64_t j = 0;
        while (j < count && strcmp(values[j], b->cell[0][i])) j++;
        if (j == count) {
            fail(work->error, BAD, "the order leaves out a value of the data");
            TRY(error_value(work->error, b->cell[0][i]));
        }
    }
    b->leaves = count;
    b->cell[0] = ordered;
done:
    return status;
}

Status build_groups(Work *work, HierarchyBuilder *b, int64_t size) {
    Status status = OK;
    const char **before = b->cell[b->levels - 1], **cells;
    if (size < 1) return fail(work->error, BAD, "a group must have at least one value");
    TRY(add_level(work, b, &cells));
    for (int64_t start = 0; start < b->leaves;) {
        int64_t end = start, members = 0, last = start;
        while (end < b->leaves) { /* runs of one value of the level before count once */
            if (end == start || strcmp(before[end], before[end - 1])) {
                if (members == size) break;
                members++;
            }
            last = end++;
        }
        const char *name = members == 1 ? before[start] : arena_print(work->arena, "%s … %s", b->cell[0][start], b->cell[0][last]);
        if (!name) TRY(out_of_memory(work->error));
        for (int64_t i = start; i < end; i++) cells[i] = name;
        start = end;
    }
done:
    return status;
}

static Status find_leaf(Work *work, const HierarchyBuilder *b, const char *word, int64_t *out) {
    for (*out = 0; *out < b->leaves; ++*out)
        if (!strcmp(b->cell[0][*out], word)) return OK;
    return fail(work->error, BAD, "a group names '%s', which is no value of the data", word);
}

Status build_named_groups(Work *work, HierarchyBuilder *b, const char *text) {
    Status status = OK;
    const char **cells;
    char *copy = arena_text(work->arena, text), *groups, *words;
    if (!copy) return out_of_memory(work->error);
    TRY(add_level(work, b, &cells));
    for (char *group = strtok_r(copy, ";", &groups); group; group = strtok_r(NULL, ";", &groups)) {
        char *equals = strchr(group, '=');
        if (!equals) {
            fail(work->error, BAD, "'%s' is not NAME=value,value", group);
            TRY(error_advice(work->error, "For example --group \"north=Aldermoor,Brackwater;south=Copperfell\"."));
        }
        *equals = 0;
        for (char *word = strtok_r(equals + 1, ",", &words); word; word = strtok_r(NULL, ",", &words)) {
            int64_t leaf;
            TRY(find_leaf(work, b, word, &leaf));
            if (cells[leaf]) TRY(fail(work->error, BAD, "the value '%s' stands in two groups", word));
            cells[leaf] = group;
        }
    }
    for (int64_t i = 0; i < b->leaves; i++) {
        if (cells[i]) continue;
        fail(work->error, BAD, "a value of the data stands in no group");
        TRY(error_value(work->error, b->cell[0][i]));
    }
done:
    return status;
}

Status build_period(Work *work, HierarchyBuilder *b, const char *period) {
    static const char *const known[] = { "month", "quarter", "year", "decade" };
    Status status = OK;
    const char **cells;
    int which = 0;
    while (which < 4 && strcmp(known[which], period)) which++;
    if (which == 4) return fail(work->error, BAD, "'%s' is no period: month, quarter, year, decade", period);
    TRY(add_level(work, b, &cells));
    for (int64_t i = 0; i < b->leaves; i++) {
        const char *text = b->cell[0][i];
        int32_t day;
        if (!read_date(text, text + strlen(text), &day)) {
            fail(work->error, BAD, "periods need dates (YYYY-MM-DD), and one value is none");
            TRY(error_value(work->error, text));
        }
        int month = (text[strlen(text) - 5] - '0') * 10 + text[strlen(text) - 4] - '0', year = (int)(strlen(text) - 6);
        if (which == 0) cells[i] = arena_print(work->arena, "%.*s", year + 3, text);
        else if (which == 1) cells[i] = arena_print(work->arena, "%.*s-Q%d", year, text, (month + 2) / 3);
        else cells[i] = which == 2 ? arena_print(work->arena, "%.*s", year, text) : arena_print(work->arena, "%.*s0s", year - 1, text);
        if (!cells[i]) TRY(out_of_memory(work->error));
    }
done:
    return status;
}

Status build_top(Work *work, HierarchyBuilder *b) {
    Status status = OK;
    const char **cells;
    for (int64_t i = 0; i <= b->leaves; i++) {
        if (i == b->leaves && b->levels > 1) return OK; /* all are * already */
        if (i < b->leaves && strcmp(b->cell[b->levels - 1][i], "*")) break;
    }
    TRY(add_level(work, b, &cells));
    for (int64_t i = 0; i < b->leaves; i++) cells[i] = "*";
done:
    return status;
}

Status build_table(Work *work, const HierarchyBuilder *b, const char *name, Table **out) {
    Status status = OK;
    Column **columns = NULL;
    Table *table = NULL;
    Hierarchy checked;
    int64_t made = 0;
    NEW(work, columns, b->levels);
    for (; made < b->levels; made++) {
        char level[32];
        snprintf(level, sizeof level, "level%lld", (long long)made);
        TRY(column_text(level, b->cell[made], b->leaves, &columns[made], work->error));
    }
    TRY(table_new(name, columns, b->levels, b->leaves, &table, work->error));
    if (b->leaves) TRY(hierarchy_from_table(work, table, name, &checked));
    *out = table;
    table = NULL;
done:
    table_release(table);
    for (int64_t i = 0; i < made; i++) column_release(columns[i]);
    return status;
}
