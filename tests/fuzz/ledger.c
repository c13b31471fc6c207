/* Any bytes as a ledger (a page of a real one, with bytes of the input put over it): opened, shown and verified, or refused with a reason;
 * a debit is refused where the chain does not hold. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "ledger/ledger.h"

static char path[64];
static char *whole;
static size_t length;

static void make_one(void) {
    Error error = ERROR_NONE;
    int64_t units;
    snprintf(path, sizeof path, "%s/fuzz-ledger-%d", access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm", (int)getpid());
    unlink(path);
    if (ledger_units(1, &units, &error) || ledger_create(path, CURRENCY_EPSILON, units, NULL, 0, &error)) abort();
    FILE *file = fopen(path, "rb");
    whole = malloc(1 << 20);
    if (!file || !whole) abort();
    length = fread(whole, 1, 1 << 20, file);
    fclose(file);
}

static void must_say(Status status, const Error *error) {
    if (status && !error->message[0]) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Error error = ERROR_NONE;
    Ledger *ledger = NULL;
    LedgerEntries entries;
    LedgerReceipt receipt;
    int64_t count;
    if (!whole) make_one();
    char *bytes = malloc(length);
    memcpy(bytes, whole, length);
    for (size_t i = 0; i + 3 < size; i += 4)
        bytes[((size_t)data[i] | (size_t)data[i + 1] << 8 | (size_t)(data[i + 2] & 3) << 16) % length] = (char)data[i + 3];
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, length, file) != length) abort();
    fclose(file);
    free(bytes);
    Status status = ledger_open(path, &ledger, &error);
    must_say(status, &error);
    if (!status) {
        status = ledger_entries(ledger, &entries, &error);
        must_say(status, &error);
        if (!status) ledger_entries_free(&entries);
        must_say(ledger_verify(ledger, NULL, &count, &error), &error);
        LedgerRequest request = { .identity = "one", .query = "count()", .price = 1, .data = "data", .unit = "replace-one" };
        status = ledger_debit(ledger, &request, &receipt, &error);
        must_say(status, &error);
        if (!status) free(receipt.answer);
        ledger_close(ledger);
    }
    unlink(path);
    return 0;
}
