/* An audit with a policy: every risk and attack that fits, one verdict, one report. Ends with 3 where the policy is broken.
 *     cc audit.c $(pkg-config --cflags --libs scrim) -o audit && ./audit clinic.csv policy.yaml report.html */
#include <scrim.h>
#include <stdio.h>

/* Roles may be a file; here they are the text itself. */
static const char roles[] = "keys: [sex, age, region]\nsensitive: [diagnosis]\nidentifiers: [id, name, phone]\n";

int main(int argc, char **argv) {
    scrim_error error = { .size = sizeof error };
    scrim_reading reading = { .size = sizeof reading, .need_records = 1 };
    scrim_host host = { .size = sizeof host, .threads = 2, .reading = &reading };
    scrim_result *result = NULL;
    char line[2048];
    if (argc != 4) {
        fprintf(stderr, "usage: audit TABLE POLICY REPORT.html\n");
        return SCRIM_BAD;
    }
    scrim_args *args = scrim_args_new();
    scrim_status status = scrim_args_text(args, "data", argv[1]);
    if (!status) status = scrim_args_text(args, "roles", roles);
    if (!status) status = scrim_args_text(args, "policy", argv[2]);
    if (!status) status = scrim_run(&host, "audit", args, &result, &error);
    if (!status) {
        printf("%s\n", scrim_result_text(result, "verdict"));
        for (int64_t i = 0; i < scrim_result_results(result); i++) {
            const scrim_result *one = scrim_result_result(result, i); /* belongs to the audit's */
            const char *value = scrim_result_value_name(one, 0);
            if (value) printf("  %s: %s %g\n", scrim_result_result_name(result, i), value, scrim_result_number(one, value));
        }
        status = scrim_result_write(result, argv[3], &error);
    }
    if (!status) status = scrim_result_verdict(result, &error);
    if (status) {
        scrim_error_text(&error, line, sizeof line);
        fprintf(stderr, "audit: %s\n", line);
    }
    scrim_result_free(result);
    scrim_args_free(args);
    return (int)status;
}
