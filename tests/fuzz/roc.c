/* Any text as a published ROC curve: the records behind it are searched for, or it is refused with a reason. */
#include <stdlib.h>
#include <string.h>
#include "io/csv/csv.h"
#include "method/method.h"

static const char *const known_csv = "score,status\n1,0\n2,1\n3,0\n4,1\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Error error = ERROR_NONE;
    Work work = { .arena = arena_new(), .error = &error, .threads = 1 };
    char *bytes = malloc(size + 1);
    Table *curve = NULL, *known = NULL;
    Result *result = NULL;
    const char *score = "score", *status_name = "status", *n = "6";
    if (!work.arena || !bytes || csv_read_bytes(&work, "known", known_csv, strlen(known_csv), &(CsvOptions){ .threads = 1 }, &known))
        abort();
    memcpy(bytes, data, size);
    if (!csv_read_bytes(&work, "fuzz", bytes, size, &(CsvOptions){ .threads = 1 }, &curve) && curve->rows < 40) {
        Session session = { .seed = seed_from_number(1), .threads = 1, .time_limit = 1 };
        Arg list[] = { { .name = "roc", .count = 1, .tables = &curve },
                       { .name = "known", .count = 1, .tables = &known },
                       { .name = "score", .count = 1, .items = &score },
                       { .name = "status", .count = 1, .items = &status_name },
                       { .name = "n", .count = 1, .items = &n } };
        error = ERROR_NONE;
        Status status = method_run(&session, method_find("attack", "roc"), &(Args){ 5, list }, NULL, &result, &error);
        if (status && !error.message[0]) abort();
        result_free(result);
    }
    table_release(curve);
    table_release(known);
    arena_free(work.arena);
    free(bytes);
    return 0;
}
