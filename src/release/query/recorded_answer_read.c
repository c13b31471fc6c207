/* Answers read back from the ledger's record. */
#include <jansson.h>
#include "base/elementary.h"
#include "base/text.h"
#include "release/query/query.h"

static double number_at(const json_t *row, size_t i) {
    const json_t *cell = json_array_get(row, i);
    return json_is_number(cell) ? json_number_value(cell) : NAN;
}

/* Answers were written in the plan's order: each is found behind the one before it, and all of them in one walk. */
static Answer *next_answer(Plan *plan, int64_t *from, int64_t query, const char *group) {
    for (; *from < plan->answers; (*from)++)
        if (plan->answer[*from].query == query && same_text(plan->answer[*from].group, group)) return &plan->answer[(*from)++];
    return NULL;
}

/* What stands in the ledger is what is shown, regardless of who drew it. */
Status answers_read(Plan *plan, const char *text) {
    Status status = OK;
    int64_t from = 0;
    json_error_t where;
    json_t *whole = json_loads(text, 0, &where), *list = whole ? json_object_get(whole, "answers") : NULL;
    if (!json_is_array(list)) TRY(fail(plan->work->error, FAILED, "the ledger's record of this answer cannot be read"));
    for (int64_t i = 0; i < plan->answers; i++) plan->answer[i].shown = false;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *row = json_array_get(list, i), *query = json_array_get(row, 0), *group = json_array_get(row, 1);
        Answer *a = next_answer(plan, &from, json_is_integer(query) ? (int64_t)json_integer_value(query) : -1,
                                json_is_string(group) ? json_string_value(group) : NULL);
        if (!a) TRY(fail(plan->work->error, FAILED, "the ledger's record is of another query"));
        a->shown = true;
        a->value = number_at(row, 2);
        a->lower = number_at(row, 3);
        a->upper = number_at(row, 4);
    }
done:
    json_decref(whole);
    return status;
}
