/* A host of one's own: a server that knows only what was given to it. No name is ever opened as a path; a recipe runs on a table that the
 * server lends, and the release stays in memory. cc host.c $(pkg-config --cflags --libs scrim) -o host && ./host clinic.csv */
#include <scrim.h>
#include <stdio.h>
#include <string.h>

static const char recipe[] = "input: people\n"
                             "roles: {keys: [sex, age, region], identifiers: [id, name, phone, birthdate, lat, lon]}\n"
                             "steps:\n"
                             "  - protect.recode: {var: age, breaks: [0, 30, 45, 60, 75]}\n"
                             "  - protect.suppress: {k: 3}\n";

typedef struct {
    const char *people;
    scrim_reading reading;
    scrim_cancel *cancel;
    int told;
} Server;

/* A name becomes a table that the library frees; what this server does not have, nobody gets. */
static scrim_status lend(void *self, const char *name, scrim_table **out, scrim_error *error) {
    Server *server = self;
    if (!strcmp(name, "people")) return scrim_table_read(server->people, &server->reading, out, error);
    snprintf(error->message, sizeof error->message, "this server has no table '%s'", name);
    return error->status = SCRIM_BAD;
}

/* Called as the work goes on. Whoever would rather stop answers 1 here, or calls scrim_cancel_set from anywhere. */
static int progress(void *self, const char *what, double share) {
    (void)what, (void)share;
    ((Server *)self)->told++;
    return 0;
}

/* What a stranger asks for by its path is not opened. */
static scrim_status refuses(const scrim_host *host, scrim_error *error) {
    scrim_args *args = scrim_args_new();
    scrim_result *result = NULL;
    const char *const words[] = { "/etc/passwd" };
    scrim_status status = scrim_args_words(args, "inspect", 1, words, error);
    if (!status) status = scrim_run(host, "inspect", args, &result, error);
    printf("refused: %s\n", error->message);
    scrim_result_free(result);
    scrim_args_free(args);
    return status == SCRIM_BAD ? SCRIM_OK : SCRIM_FAILED;
}

int main(int argc, char **argv) {
    scrim_error error = { .size = sizeof error };
    Server server = { .people = argc > 1 ? argv[1] : "clinic.csv",
                      .reading = { .size = sizeof(scrim_reading) },
                      .cancel = scrim_cancel_new() };
    int64_t seed = 1; /* a number can be guessed: not for a real release */
    scrim_host host = { .size = sizeof host,
                        .self = &server,
                        .table = lend,
                        .progress = progress,
                        .no_files = 1,
                        .seed_number = &seed,
                        .cancel = server.cancel };
    scrim_result *result = NULL;
    scrim_args *args = scrim_args_new();
    scrim_status status = scrim_args_text(args, "recipe", recipe);
    if (!status) status = scrim_run(&host, "run", args, &result, &error);
    if (!status) {
        scrim_table *released = scrim_result_output(result, 0);
        printf("%lld records released, %.0f identifiers dropped\n", (long long)scrim_table_rows(released),
               scrim_result_number(result, "identifiers_dropped"));
        scrim_table_free(released);
        status = refuses(&host, &error);
    }
    if (status) fprintf(stderr, "%s %s\n", error.message, error.advice);
    scrim_result_free(result);
    scrim_args_free(args);
    scrim_cancel_free(server.cancel);
    return (int)status;
}
