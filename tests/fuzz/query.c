/* Any text as a query: it is answered, or refused with a reason, under every notion of neighbours. */
#include <stdlib.h>
#include <string.h>
#include "io/csv/csv.h"
#include "method/method.h"

static const char *const csv =
    "x,y-z,g,when\n1,2.5,a,2020-01-01\n,0,b,2021-02-03\n3,-1,,\n4,1e3,a,1999-12-31\n9,7,b,2000-01-01\n2,2,a,2001-01-01\n";

static void ask(Table *table, const char *text, const char *neighbours, const char *promise, const char *amount) {
    static const char *bounds[] = { "x:0:10", "y-z:-5:5" };
    Error error = ERROR_NONE;
    Result *result = NULL;
    Session session = { .seed = seed_from_number(1), .threads = 1 };
    const char *delta = "0.001";
    Arg list[] = { { .name = "data", .count = 1, .tables = &table },
                   { .name = "query", .count = 1, .items = &text },
                   { .name = "neighbours", .count = 1, .items = &neighbours },
                   { .name = promise, .count = 1, .items = &amount },
                   { .name = "no_ledger" },
                   { .name = "insecure_reproducible" },
                   { .name = "bounds", .count = 2, .items = bounds },
                   { .name = "delta", .count = 1, .items = &delta } };
    Status status = method_run(&session, method_find("release", "query"), &(Args){ 8, list }, NULL, &result, &error);
    if (status == FAILED || (status && !error.message[0])) abort();
    result_free(result);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Error error = ERROR_NONE;
    Work work = { .arena = arena_new(), .error = &error, .threads = 1 };
    Table *table = NULL;
    char *text = malloc(size + 1);
    if (!text || !work.arena || csv_read_bytes(&work, "fuzz", csv, strlen(csv), &(CsvOptions){ 0 }, &table)) abort();
    memcpy(text, data, size);
    text[size] = 0;
    ask(table, text, "global", "epsilon", "0.5");
    ask(table, text, "leave-one-out", "noncentrality", "0.1");
    ask(table, text, "worlds", "identifiability", "0.3");
    table_release(table);
    arena_free(work.arena);
    free(text);
    return 0;
}
