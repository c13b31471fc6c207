/* The library's edge: what its files share. Public handles are the inner objects under another name. */
#ifndef SCRIM_API_API_H
#define SCRIM_API_API_H
#include "io/csv/csv.h"
#include "method/method.h"
#include "scrim.h"

/* What NULL stands for where something is only looked at: a table without columns, a result without anything in it. Never retained. */
extern const Table api_no_table;
extern const Result api_no_result;
static inline Table *api_table(const scrim_table *table) { return (Table *)(uintptr_t)(table ? (const void *)table : &api_no_table); }
static inline Result *api_result(const scrim_result *result) {
    return (Result *)(uintptr_t)(result ? (const void *)result : &api_no_result);
}
/* BAD: the caller left out what the function cannot do without. */
scrim_status api_absent(scrim_error *error);
/* Copies into a caller's struct, which may be older (smaller) than ours, or NULL. */
scrim_status api_error(Status status, const Error *from, scrim_error *to);
void api_error_back(const scrim_error *from, Error *to);
const Args *api_args(const scrim_args *args); /* NULL for NULL */
/* A method or verb by its name: "risk.suda", "audit", "ledger.create". */
const Method *api_method_at(int64_t index); /* methods, then verbs */
MUST_CHECK Status api_method(const char *name, const Method **out, Error *error);
/* The caller's way of reading; `threads` where it says nothing of them. */
/* A table by its name: a file, a database; or a saved result (.json) whose one output it is. */
MUST_CHECK Status api_open(Work *work, const char *path, const CsvOptions *csv, Table **out);
CsvOptions api_reading(const scrim_reading *reading, int threads);
/* A struct whose size was never set would be passed over in silence, `no_files` and all: BAD. NULL is well. */
MUST_CHECK Status api_sized(const scrim_reading *reading, Error *error);
bool api_shows_values(const scrim_reading *reading);
bool api_needs_records(const scrim_reading *reading);
atomic_int *api_cancel(scrim_cancel *cancel);
/* A text made in a buffer becomes the caller's, and the buffer is freed; a buffer that failed is memory running out. */
scrim_status api_text(Status status, Buffer *text, char **out, Error *local, scrim_error *error);
MUST_CHECK Status api_public(const Result *result, Result **out, Error *error); /* its edition for everyone */
/* Pages of a result, put aside with what else the stage holds; who may read them is what the stage says. */
struct Transaction;
MUST_CHECK Status api_write_beside(Work *work, struct Transaction *stage, const Result *result, const Result *shown,
                                   const char *const *pages, int64_t count);
/* A page of a result: a report, where it judges. */
void api_html(Work *work, const Result *result, Buffer *text);
/* A Work of its own for one call. */
typedef struct Call {
    Arena *arena;
    Error error;
    Work work;
} Call;
/* False where memory is out; call_end comes in any case. */
bool call_begin(Call *call);
void call_end(Call *call);

/* The one Host there is: a name becomes what the caller lends, or else what lies at that path. */
typedef struct HostAdapter {
    scrim_host lent;
    CsvOptions reading;
    bool needs_records; /* a file without records is an error */
    Work *work;
    atomic_int stop, *cancel;
    Ledger *ledger;
    const char *ledger_name;
    Host host;
    Progress progress;
} HostAdapter;
/* Copies what the host lends and fits the work to it; host_adapter_close closes the ledger that was opened. */
void host_adapter_open(HostAdapter *lender, const scrim_host *host, Work *work);
void host_adapter_close(HostAdapter *lender);
/* The method of this name, and what it wants of the files that it is lent. */
MUST_CHECK Status host_adapter_method(HostAdapter *lender, const char *name, const Method **out, Error *error);
/* --roles of a method that has no such parameter itself: what they say goes to the binder, and the rest of the arguments stay. */
MUST_CHECK Status api_roles(Call *call, const Method *method, const Args **args, const Args **roles);
/* The surroundings of a run, with its seed, from what the caller lends. */
MUST_CHECK Status api_session(HostAdapter *lender, const Work *work, const scrim_args *args, Session *out, Error *error);
#endif
