/* One method on a table in memory: columns go in and come back through the Arrow C data interface, nothing is read from or written to a
 * file. cc memory.c $(pkg-config --cflags --libs scrim) -o memory && ./memory */
#include <scrim.h>
#include <stdio.h>

/* Eight people, whom the program's own memory holds: there is nothing to release but the structs' marks. */
static const int64_t sex[] = { 1, 1, 2, 2, 2, 1, 1, 1 }, age[] = { 30, 30, 30, 41, 41, 41, 41, 87 };
static const double weight[] = { 10, 10, 10, 20, 20, 20, 20, 50 };
static void leave_schema(struct ArrowSchema *schema) { schema->release = NULL; }
static void leave_array(struct ArrowArray *array) { array->release = NULL; }

static scrim_status people(scrim_table **out, scrim_error *error) {
    static const void *buffers[3][2] = { { NULL, sex }, { NULL, age }, { NULL, weight } }, *none[1];
    static struct ArrowSchema column[3] = { { .format = "l", .name = "sex" },
                                            { .format = "l", .name = "age" },
                                            { .format = "g", .name = "weight" } },
                              *columns[3];
    static struct ArrowArray values[3], *arrays[3];
    for (int i = 0; i < 3; i++) {
        values[i] = (struct ArrowArray){ .length = 8, .n_buffers = 2, .buffers = buffers[i], .release = leave_array };
        column[i].release = leave_schema;
        columns[i] = &column[i];
        arrays[i] = &values[i];
    }
    struct ArrowSchema schema = { .format = "+s", .n_children = 3, .children = columns, .release = leave_schema };
    struct ArrowArray array = { .length = 8, .n_buffers = 1, .buffers = none, .n_children = 3, .children = arrays, .release = leave_array };
    return scrim_table_from_arrow("people", &schema, &array, out, error);
}

/* The per-record column `risk`, printed from the library's own memory. */
static scrim_status show(const scrim_result *result, scrim_error *error) {
    struct ArrowSchema schema;
    struct ArrowArray array;
    scrim_table *records = scrim_result_record_table(result, "data");
    scrim_status status = scrim_table_to_arrow(records, &schema, &array, error);
    if (!status) {
        const double *risk = array.children[0]->buffers[1];
        for (int64_t i = 0; i < array.length; i++) printf("person %lld: %s %.3f\n", (long long)i + 1, schema.children[0]->name, risk[i]);
        schema.release(&schema);
        array.release(&array);
    }
    scrim_table_free(records);
    return status;
}

int main(void) {
    scrim_error error = { .size = sizeof error };
    scrim_host host = { .size = sizeof host, .no_files = 1 };
    scrim_table *table = NULL;
    scrim_result *result = NULL;
    scrim_args *args = scrim_args_new();
    scrim_status status = people(&table, &error);
    if (!status) status = scrim_args_table(args, "data", table);
    if (!status) status = scrim_args_text(args, "keys", "sex");
    if (!status) status = scrim_args_text(args, "keys", "age"); /* the same name again: a list */
    if (!status) status = scrim_args_text(args, "weight", "weight");
    if (!status) status = scrim_run(&host, "risk.individual", args, &result, &error);
    if (!status) printf("expected re-identifications: %.3f\n", scrim_result_number(result, "expected_reidentifications"));
    if (!status) status = show(result, &error);
    if (status) fprintf(stderr, "%s %s\n", error.message, error.advice);
    scrim_result_free(result);
    scrim_args_free(args);
    scrim_table_free(table);
    return (int)status;
}
