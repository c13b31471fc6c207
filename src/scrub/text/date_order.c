/* Day or month first: decided for each subject by its own dates, else by those of all records, else by the language. */
#include "scrub/text/text.h"

Status scrub_date_orders(Scrubbing *s) {
    enum { AUTO, DAY, MONTH };
    Status status = OK;
    DateEvidence *each = NULL, all = { 0 };
    DateOrder given = s->a->date_order == DAY ? ORDER_DAY : s->a->date_order == MONTH ? ORDER_MONTH : ORDER_UNKNOWN;
    NEW(&s->run->work, each, s->human_count + 1);
    for (int64_t row = 0; row < s->rows; row++)
        for (int64_t c = 0; c < s->columns; c++) {
            const Cell *cell = cell_at(s, c, row);
            if (cell->found.finds) date_evidence(cell->text, cell->found.find, cell->found.finds, &each[s->person_of[row]]);
        }
    for (int64_t i = 0; i < s->human_count; i++) {
        all.day += each[i].day;
        all.month += each[i].month;
    }
    DateOrder general = date_order_by(&all);
    if (general == ORDER_UNKNOWN) general = date_order_of((Language)s->a->language);
    for (int64_t i = 0; i < s->human_count; i++) {
        DateOrder own = date_order_by(&each[i]);
        s->people[i].order = given != ORDER_UNKNOWN ? given : own != ORDER_UNKNOWN ? own : general;
    }
done:
    return status;
}
