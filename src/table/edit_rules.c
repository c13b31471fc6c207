/* Edit rules: each is parsed as its own denial, so that missing stays apart from false. */
#include "table/edit_rules.h"
#include <string.h>

/* "a -> b" (or "a → b") says that b holds wherever a does: !(a) | (b). Arrows within quotes are text. */
static const char *without_arrow(Work *work, const char *source) {
    char quote = 0;
    for (const char *p = source; *p; p++) {
        bool arrow = !quote && (!strncmp(p, "->", 2) || !strncmp(p, "→", strlen("→")));
        if (arrow) return arena_print(work->arena, "!(%.*s) | (%s)", (int)(p - source), source, p + (*p == '-' ? 2 : strlen("→")));
        if (quote ? *p == quote : *p == '"' || *p == '\'' || *p == '`') quote = quote ? 0 : *p;
    }
    return source;
}

static Status parse_rule(Work *work, const char *source, const Table *data, const Expr **out) {
    Status status = OK;
    const Expr *rule;
    source = without_arrow(work, source);
    if (!source) TRY(out_of_memory(work->error));
    TRY(expr_parse(work, data, source, &rule));
    if (!expr_logical(rule)) TRY(fail(work->error, BAD, "a rule must be true or false"));
    const char *denial = arena_print(work->arena, "!(%s)", source);
    if (!denial) TRY(out_of_memory(work->error));
    TRY(expr_parse(work, data, denial, out));
done:
    return status;
}

/* A file given for rules by mistake may hold confidential cells: what could not be read is quoted only where values may be shown. */
static void hide_source(Error *error) {
    if (!error || error->show_values) return;
    Error told = *error;
    fail(error, BAD, "this rule cannot be read as an expression over the table's columns");
    if (told.advice[0]) error_advice(error, "%s", told.advice);
    else error_advice(error, "--show-values tells what is wrong with it.");
}

Status edit_rules_make(Work *work, const Table *rules, const Table *data, EditRules *out) {
    Status status = OK;
    const Column *rule = table_column(rules, "rule"), *name = table_column(rules, "name");
    char number[33];
    *out = (EditRules){ 0 };
    if (!rule) {
        fail(work->error, BAD, "the rules need a column 'rule' of expressions");
        TRY(error_advice(work->error, "One rule to a row, as it must hold in every record: !(sex == \"f\" & diagnosis == \"prostate\")."));
    }
    NEW(work, out->name, rules->rows + 1);
    NEW(work, out->denied, rules->rows + 1);
    for (int64_t i = 0; i < rules->rows; i++) {
        const char *source = column_cell(rule, i, number);
        if (!source) continue;
        source = arena_text(work->arena, source);
        const char *called = name ? column_cell(name, i, number) : NULL;
        out->name[out->count] = called ? arena_text(work->arena, called) : source;
        if (!source || !out->name[out->count]) TRY(out_of_memory(work->error));
        status = parse_rule(work, source, data, &out->denied[out->count]);
        if (status == BAD) hide_source(work->error);
        if (status) {
            error_row(work->error, i);
            goto done;
        }
        out->count++;
    }
done:
    if (status == BAD && rules->name) error_file(work->error, rules->name);
    return status;
}

Status edit_rules_broken(Work *work, const EditRules *rules, const Table *table, int32_t *broken, int64_t *tally) {
    Status status = OK;
    memset(broken, 0, (size_t)table->rows * sizeof *broken);
    for (int64_t r = 0; r < rules->count; r++) {
        uint8_t *mask = NULL;
        int64_t count = 0;
        TRY(expr_mask(work, rules->denied[r], table, &mask, &count));
        for (int64_t i = 0; count && i < table->rows; i++) broken[i] += mask[i];
        if (tally) tally[r] = count;
        arena_drop(work->arena, mask);
    }
done:
    return status;
}
