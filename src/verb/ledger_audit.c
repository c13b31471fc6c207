/* scrim ledger head, verify, export: what an auditor needs. */
#include "base/file.h"
#include "base/file_transaction.h"
#include "ledger/ledger.h"
#include "verb/verbs.h"

typedef struct {
    const char *ledger;
} open_args;
static const Param open_params[] = {
    TEXT(open_args, ledger, NULL, "Place of the ledger: a file, or postgresql://…", .flags = REQUIRED | POSITIONAL | SECRET),
    END,
};

static Status head(Run *run, const void *p) {
    const open_args *a = p;
    Status status = OK;
    Ledger *ledger = NULL;
    int64_t entry;
    char hash[65];
    TRY(work_files(&run->work));
    TRY(ledger_open(a->ledger, &ledger, run->work.error));
    TRY(ledger_head(ledger, &entry, hash, run->work.error));
    result_integer(run->result, "entry", entry);
    result_text(run->result, "head", hash);
    result_note(run->result,
                "Keep this hash elsewhere: `scrim ledger verify --head` then detects whether the ledger was cut short or rolled back.");
done:
    ledger_close(ledger);
    return status;
}

const Method ledger_head_verb = {
    .group = "ledger",
    .name = "head",
    .summary = "Print the last hash of a ledger, to be kept elsewhere",
    .params = open_params,
    .size = sizeof(open_args),
    .run = head,
    .values = (const Return[]){ VALUE(entry, INTEGER, "Number of the last entry"),
                                VALUE(head, TEXT, "Its hash, which covers all entries before it"), END },
    .example = "scrim ledger head clinic.ledger",
};

typedef struct {
    const char *ledger, *head;
} verify_args;
static const Param verify_params[] = {
    TEXT(verify_args, ledger, NULL, "Place of the ledger: a file, or postgresql://…", .flags = REQUIRED | POSITIONAL | SECRET),
    TEXT(verify_args, head, NULL, "Hash that `scrim ledger head` printed earlier. It must belong to an entry of the ledger"),
    END,
};

static Status verify(Run *run, const void *p) {
    const verify_args *a = p;
    Status status = OK;
    Ledger *ledger = NULL;
    int64_t entries = 0;
    TRY(work_files(&run->work));
    TRY(ledger_open(a->ledger, &ledger, run->work.error));
    TRY(ledger_verify(ledger, a->head, &entries, run->work.error));
    result_integer(run->result, "entries", entries);
    result_note(run->result,
                a->head ? "Every entry is present and unaltered, including the one with the recorded hash. Nothing before it was removed."
                        : "Every entry is unaltered. Only --head can show that no entry was removed from the end.");
done:
    ledger_close(ledger);
    return status;
}

const Method ledger_verify_verb = {
    .group = "ledger",
    .name = "verify",
    .summary = "Verify that no entry of a ledger was lost or altered",
    .params = verify_params,
    .size = sizeof(verify_args),
    .run = verify,
    .values = (const Return[]){ VALUE(entries, INTEGER, "Entries verified"), END },
    .example = "scrim ledger verify clinic.ledger",
};

typedef struct {
    const char *ledger, *output;
    bool answers;
} export_args;
static const Param export_params[] = {
    TEXT(export_args, ledger, NULL, "Place of the ledger: a file, or postgresql://…", .flags = REQUIRED | POSITIONAL | SECRET),
    TEXT(export_args, output, NULL, "File to write: one line of JSON for each entry", .flags = REQUIRED | POSITIONAL),
    FLAG(export_args, answers, "Include the answers that were released (default: only their hashes)"),
    END,
};

static Status export(Run *run, const void *p) {
    const export_args *a = p;
    Status status = OK;
    Ledger *ledger = NULL;
    Buffer text = { 0 };
    Transaction *stage = NULL;
    int64_t entries = 0;
    char hash[65];
    const char *now;
    TRY(work_files(&run->work));
    TRY(ledger_open(a->ledger, &ledger, run->work.error));
    TRY(ledger_verify(ledger, NULL, &entries, run->work.error));
    TRY(ledger_export(ledger, a->answers, &text, run->work.error));
    TRY(ledger_head(ledger, &entries, hash, run->work.error));
    TRY(transaction_new(&stage, run->work.error));
    if (file_is_regular(a->ledger)) TRY(transaction_guard_input(stage, a->ledger, run->work.error));
    TRY(transaction_path(stage, run->work.arena, a->output, true, &now, run->work.error));
    TRY(transaction_restore_path(run->work.error, now, a->output, file_write(now, text.bytes, text.count, true, run->work.error)));
    status = transaction_commit(stage, run->work.error);
    stage = NULL;
    result_integer(run->result, "entries", entries);
    result_text(run->result, "head", hash);
    result_note(run->result, "The secret key is not included%s. The chain of hashes can be verified without scrim: see docs/ledger.md.",
                a->answers ? "" : ", nor are the answers");
done:
    transaction_rollback(stage);
    buffer_free(&text);
    ledger_close(ledger);
    return status;
}

const Method ledger_export_verb = {
    .group = "ledger",
    .name = "export",
    .summary = "Export a ledger as JSON lines that an auditor can verify without scrim",
    .params = export_params,
    .size = sizeof(export_args),
    .run = export,
    .values = (const Return[]){ VALUE(entries, INTEGER, "Entries written"), VALUE(head, TEXT, "Hash of the last entry"), END },
    .example = "scrim ledger export clinic.ledger audit.jsonl",
};
