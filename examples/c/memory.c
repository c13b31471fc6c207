/* One method on a table in memory: columns go in as arrays, and results come back as cells. Nothing is read from or written to a file.
 * cc memory.c $(pkg-config --cflags --libs scrim) -o memory && ./memory */
#include <scrim.h>
#include <stdio.h>

/* Eight people. */
static const int64_t sex[] = { 1, 1, 2, 2, 2, 1, 1, 1 }, age[] = { 30, 30, 30, 41, 41, 41, 41, 87 };
static const double weight[] = { 10, 10, 10, 20, 20, 20, 20, 50 };

static scrim_status people(scrim_table **out, scrim_error *error) {
    scrim_builder *builder = scrim_builder_new("people", 8);
    scrim_status status = scrim_builder_integers(builder, "sex", sex, NULL, error);
    if (!status) status = scrim_builder_integers(builder, "age", age, NULL, error);
    if (!status) status = scrim_builder_reals(builder, "weight", weight, error);
    if (!status) status = scrim_builder_table(builder, out, error);
    scrim_builder_free(builder);
    return status;
}

/* The per-record column `risk`. */
static void show(const scrim_result *result) {
    scrim_table *records = scrim_result_record_table(result, "data");
    for (int64_t i = 0; i < scrim_table_rows(records); i++)
        printf("person %lld: %s %.3f\n", (long long)i + 1, scrim_table_column_name(records, 0), scrim_table_number(records, 0, i));
    scrim_table_free(records);
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
    if (!status) show(result);
    if (status) fprintf(stderr, "%s %s\n", error.message, error.advice);
    scrim_result_free(result);
    scrim_args_free(args);
    scrim_table_free(table);
    return (int)status;
}
