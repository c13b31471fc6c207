/* protect.reorder: records in a random order, so that their place tells nothing. Defined after Hundepool et al. 2006, section 3.7:
 * docs/methods/protect-reorder.md. */
#include "method/method.h"

typedef struct {
    const Table *data;
} args;

static const Param params[] = {
    TABLE(args, data, "Table to protect", .flags = REQUIRED | POSITIONAL),
    END,
};

static const Return values[] = {
    VALUE(records, INTEGER, "Records put in a random order", .flags = PUBLIC),
    RELEASED("The same records in that order"),
    END,
};

static Status reorder_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    int64_t *order = NULL;
    Table *table = NULL;
    RandomStream stream = run_stream(run, "", "order");
    NEW(&run->work, order, a->data->rows + 1);
    TRY(stream_permutation(&run->work, &stream, a->data->rows, order));
    TRY(table_take(a->data, order, a->data->rows, &table, run->work.error));
    result_integer(run->result, "records", a->data->rows);
    result_note(run->result, "Every order is equally likely. Columns that number the records or follow the old order (sequence numbers, "
                             "dates of entry) still disclose it.");
    result_output(run->result, table);
done:
    return status;
}

const Method protect_reorder = { .group = "protect",
                                 .name = "reorder",
                                 .summary = "Random reordering of the records",
                                 .source = "Hundepool et al. 2006, section 3.7",
                                 .params = params,
                                 .size = sizeof(args),
                                 .record_by_record = always_record_by_record,
                                 .traits = RANDOM | OWN_WHERE | IDENTITY,
                                 .run = reorder_run,
                                 .values = values,
                                 .example = "scrim protect reorder examples/clinic.csv --seed 1" };
