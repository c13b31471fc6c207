/* A program that uses libscrim: reads a table, counts its classes, protects it, and writes the release.
 *     cc count.c $(pkg-config --cflags --libs scrim) -o count && ./count clinic.csv sex,age,region released.csv */
#include <scrim.h>
#include <stdio.h>
#include <string.h>

static int complain(const scrim_error *error) {
    fprintf(stderr, "%s %s\n", error->message, error->advice);
    return (int)error->status;
}

/* "sex,age,region" becomes three items of the parameter `keys`. */
static scrim_args *arguments(const scrim_table *table, const char *keys) {
    scrim_args *args = scrim_args_new();
    char name[128];
    if (!args || scrim_args_table(args, "data", table)) return args;
    while (*keys) {
        size_t length = strcspn(keys, ",");
        if (length >= sizeof name) length = sizeof name - 1;
        memcpy(name, keys, length);
        name[length] = 0;
        if (scrim_args_text(args, "keys", name)) break;
        keys += length + (keys[length] == ',');
    }
    return args;
}

int main(int argc, char **argv) {
    scrim_error error = { .size = sizeof error };
    scrim_host host = { .size = sizeof host, .threads = 2 };
    scrim_table *table = NULL, *released = NULL;
    scrim_result *risk = NULL, *protected = NULL;
    if (argc != 4) {
        fprintf(stderr, "usage: count TABLE.csv KEY,KEY,… RELEASED.csv\n");
        return 2;
    }
    if (scrim_table_read(argv[1], NULL, &table, &error)) return complain(&error);
    scrim_args *args = arguments(table, argv[2]);
    if (scrim_run(&host, "risk.k-anonymity", args, &risk, &error)) return complain(&error);
    printf("%lld records, k = %.0f, unique %.0f\n", (long long)scrim_table_rows(table), scrim_result_number(risk, "k"), scrim_result_number(risk, "uniques"));
    scrim_args_number(args, "k", 3);
    if (scrim_run(&host, "protect.suppress", args, &protected, &error)) return complain(&error);
    printf("%.0f cells blanked\n", scrim_result_number(protected, "cells"));
    released = scrim_result_output(protected, 0);
    if (scrim_table_write(released, argv[3], NULL, &error)) return complain(&error);
    scrim_table_free(released);
    scrim_table_free(table);
    scrim_result_free(risk);
    scrim_result_free(protected);
    scrim_args_free(args);
    return 0;
}
