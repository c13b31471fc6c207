/* The people at most risk, and why, in words. */
#include <stdlib.h>
#include <string.h>
#include "bench.h"

enum { MOST_PEOPLE = 20 };
typedef struct Person {
    int64_t row;
    double risk;
} Person;

static int by_risk(const void *a, const void *b) {
    const Person *x = a, *y = b;
    if (x->risk != y->risk) return x->risk < y->risk ? 1 : -1;
    return x->row < y->row ? -1 : x->row > y->row;
}

static bool valid(const struct ArrowArray *array, int64_t row) {
    const uint8_t *bits = array->buffers[0];
    int64_t at = row + array->offset;
    return !bits || (bits[at >> 3] >> (at & 7)) & 1;
}

/* The column `risk` of a result's records; NULL where it has none. */
static Person *read_risks(const scrim_result *result, int64_t *count) {
    struct ArrowSchema schema = { 0 };
    struct ArrowArray array = { 0 };
    Person *people = NULL;
    scrim_table *records = scrim_result_record_table(result, NULL);
    *count = 0;
    if (!records || scrim_table_to_arrow(records, &schema, &array, NULL)) goto done;
    for (int64_t j = 0; j < schema.n_children; j++) {
        const struct ArrowArray *column = array.children[j];
        if (strcmp(schema.children[j]->name, "risk") || strcmp(schema.children[j]->format, "g")) continue;
        people = calloc((size_t)column->length + 1, sizeof *people);
        const double *risk = column->buffers[1];
        for (int64_t i = 0; people && i < column->length; i++)
            if (valid(column, i)) people[(*count)++] = (Person){ i, risk[i + column->offset] };
        break;
    }
    if (people) qsort(people, (size_t)*count, sizeof *people, by_risk);
done:
    if (schema.release) schema.release(&schema);
    if (array.release) array.release(&array);
    scrim_table_free(records);
    return people;
}

static scrim_status find_risks(Snapshot *s, scrim_result **out, scrim_error *error) {
    scrim_status status = SCRIM_OK;
    scrim_host host;
    scrim_args *args = scrim_args_new();
    if (!args) return fail(error, SCRIM_FAILED, "out of memory");
    TRY(scrim_args_table(args, "data", s->current));
    snapshot_host(s, &host);
    TRY(scrim_run(&host, "risk.individual", args, out, error));
done:
    scrim_args_free(args);
    return status;
}

static scrim_status explain(Snapshot *s, const Person *person, json_t *list, scrim_error *error) {
    scrim_status status = SCRIM_OK;
    scrim_host host;
    scrim_result *result = NULL;
    scrim_args *args = scrim_args_new();
    if (!args) return fail(error, SCRIM_FAILED, "out of memory");
    TRY(scrim_args_table(args, "data", s->current));
    TRY(scrim_args_text(args, "roles", s->roles_text));
    TRY(scrim_args_number(args, "record", (double)person->row + 1));
    snapshot_host(s, &host);
    host.roles = NULL;
    TRY(scrim_run(&host, "explain", args, &result, error));
    json_array_append_new(
        list, json_pack("{s:I, s:f, s:o}", "record", (json_int_t)person->row + 1, "risk", person->risk, "result", result_json(result)));
done:
    scrim_result_free(result);
    scrim_args_free(args);
    return status;
}

/* {"count": n}: of the data without identifiers, before any step. */
scrim_status work_people(Job *job, void *given, scrim_error *error) {
    scrim_status status = SCRIM_OK;
    Snapshot *s = given;
    int64_t found = 0, count = json_integer_value(json_object_get(s->asked, "count"));
    Person *people = NULL;
    s->job = job;
    json_t *list = json_array();
    TRY(steps_base(s, error));
    TRY(find_risks(s, &job->result, error));
    people = read_risks(job->result, &found);
    if (count < 1 || count > MOST_PEOPLE) count = 5;
    for (int64_t i = 0; i < count && i < found; i++) TRY(explain(s, &people[i], list, error));
    job->answer = json_pack("{s:O, s:o}", "people", list, "result", result_json(job->result));
done:
    free(people);
    json_decref(list);
    snapshot_free(s);
    return status;
}
