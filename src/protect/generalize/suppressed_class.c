/* Suppressed records form a class: where it breaks the rules for classes it is left out of the release. */
#include "protect/generalize/suppressed_class.h"

static Status leave_out(Work *work, const Classes *classes, int64_t class, Table **released) {
    Status status = OK;
    int64_t *rows = NULL, kept = 0;
    Table *rest = NULL;
    NEW(work, rows, classes->rows + 1);
    for (int64_t i = 0; i < classes->rows; i++)
        if (classes->of[i] != class) rows[kept++] = i;
    TRY(table_take(*released, rows, kept, &rest, work->error));
    table_release(*released);
    *released = rest;
done:
    arena_drop(work->arena, rows);
    return status;
}

/* Does the class break another rule than k? */
static Status ask_rule(Work *work, const Classes *classes, int64_t class, ClassRule rule, bool *breaks) {
    Status status = OK;
    uint8_t *in = NULL;
    if (class < 0 || !rule.ask) return OK;
    NEW(work, in, classes->rows + 1);
    for (int64_t i = 0; i < classes->rows; i++) in[i] = classes->of[i] == class;
    *breaks = !rule.ask(rule.self, classes->rows, in);
done:
    arena_drop(work->arena, in);
    return status;
}

Status suppressed_class(Work *work, Table **released, Columns keys, int64_t k, ClassRule rule, const uint8_t *suppressed, bool keep,
                        SuppressedClass *out) {
    Status status = OK;
    Columns now = { .count = keys.count };
    Classes classes;
    int64_t class = -1;
    *out = (SuppressedClass){ 0 };
    NEW(work, now.at, keys.count + 1);
    for (int64_t key = 0; key < keys.count; key++) now.at[key] = table_column(*released, keys.at[key]->name);
    TRY(classes_make(work, now, &classes));
    for (int64_t i = 0; i < classes.rows && class < 0; i++)
        if (suppressed[i]) class = classes.of[i];
    out->size = class < 0 ? 0 : classes.size[class];
    TRY(ask_rule(work, &classes, class, rule, &out->breaks));
    if ((out->size < k || out->breaks) && !keep) out->left_out = out->size;
    for (int64_t c = 0; c < classes.count; c++)
        if ((c != class || !out->left_out) && (!out->smallest || classes.size[c] < out->smallest)) out->smallest = classes.size[c];
    if (out->left_out) TRY(leave_out(work, &classes, class, released));
done:
    return status;
}

void show_suppressed_class(Result *result, const SuppressedClass *class, int64_t k) {
    result_integer(result, "left_out", class->left_out);
    if (class->left_out)
        result_note(result, "Left out of the release: %lld records, whose keys were suppressed. %s", (long long)class->left_out,
                    class->breaks ? "As a class, they violate the rule for sensitive values." : "They are fewer than k.");
    else if (class->breaks)
        result_note(result, "Warning: the suppressed records were kept. As a class, they violate the rule for sensitive values.");
    else if (class->size && class->size < k)
        result_note(result, "The suppressed records were kept. Records without any key: %lld, which is fewer than k.",
                    (long long)class->size);
}
