/* The ledger's growth: processor time of a debit with its answer, in ledgers of 10² to 10⁶ entries. A debit takes the same time
 * however long the ledger is; LEDGER_TO=100000 stops earlier. On /dev/shm, so that the disk's time is not in it. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include "ledger/ledger.h"

static double cpu(void) { return (double)clock() / CLOCKS_PER_SEC; }

static void need(Status status, const Error *error) {
    if (!status) return;
    fprintf(stderr, "%s\n", error->message);
    exit(1);
}

int main(void) {
    char path[64];
    const char *to = getenv("LEDGER_TO");
    int64_t last = to ? atoll(to) : 1000000, next = 100;
    Ledger *ledger = NULL;
    Error error = ERROR_NONE;
    const AnalystBudget analysts[] = { { "ann", LEDGER_UNIT }, { "bob", LEDGER_UNIT } };
    const LedgerBudget budget = { .currency = CURRENCY_ZCDP, .units = 9 * LEDGER_UNIT };
    snprintf(path, sizeof path, "%s/scrim-bench-%d", access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm", (int)getpid());
    need(ledger_make(path, &budget, analysts, 2, &error), &error);
    need(ledger_open(path, &ledger, &error), &error);
    printf("%10s %16s\n", "debits", "ms a debit (CPU)");
    double began = cpu();
    for (int64_t i = 0, before = 0; i < last; i++) {
        char name[32], *recorded = NULL;
        LedgerReceipt receipt;
        snprintf(name, sizeof name, "query %lld", (long long)i);
        const LedgerRequest r = { .query = name, .identity = name, .request = name, .analyst = i % 2 ? "ann" : "bob", .price = 1 };
        need(ledger_debit(ledger, &r, &receipt, &error), &error);
        need(ledger_record(ledger, receipt.entry, "{\"answers\":[[0,null,1,0,2]]}", &recorded, &error), &error);
        free(recorded);
        if (i + 1 < next && i + 1 < last) continue;
        printf("%10lld %16.3f\n", (long long)i + 1, 1000 * (cpu() - began) / (double)(i + 1 - before));
        fflush(stdout);
        began = cpu();
        before = i + 1;
        next *= 10;
    }
    ledger_close(ledger);
    unlink(path);
    return 0;
}
