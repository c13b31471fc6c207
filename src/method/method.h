/* A method: one declaration from which command line, help, docs, recipes and bindings all derive; and how it is run. */
#ifndef SCRIM_METHOD_METHOD_H
#define SCRIM_METHOD_METHOD_H
#include <string.h>
#include "base/random.h"
#include "base/text.h"
#include "method/param.h"
#include "method/returns.h"
#include "result/result.h"
#include "table/fingerprint.h"

typedef struct Run Run;
typedef struct PartState PartState; /* method/parts.h */
typedef struct InParts InParts;
typedef enum {
    PERTURBS = 1,  /* its output was changed at random: frequencies of it no longer count */
    FREQUENCY = 2, /* counts classes of the table: not valid on a perturbed one unless forced */
    IDENTITY = 4,
    ATTRIBUTE = 8,
    INFERENTIAL = 16,
    POPULATION = 32,            /* the kinds of disclosure it bears on */
    OWN_WHERE = 64,             /* has a `where` of its own; the runner filters nothing */
    RANDOM = 128,               /* draws random numbers: takes a seed */
    UNAUDITED = 256,            /* audit does not run it by itself */
    KEYED = 512,                /* its seed is a key: one identity gets the same change in every table and by every call */
    ANEW = 1024,                /* its output is made of new records: with `where` the others are not in it */
    BY_PERSON = 8192,           /* with a parameter `person` it runs on one record of each person (run_by_person.c) */
    CODES_AS_CATEGORIES = 4096, /* columns of codes (table/measurement_level.h) come as categories, and go out as they came */
    WORKSHEET = 16384,          /* a person fills in its output: no manifest stands beside it, which holds only for the bytes as written */
    PROMISES = 2048 /* what it shows is promised to hide single records: beside its noise, nothing that follows from the table is told */
} Trait;

/* One shape for argv, YAML, JSON and bindings: a name and its items; a flag has none. Tables may come as handles instead of names. */
typedef struct Arg {
    const char *name;
    int64_t count;
    const char *const *items;
    Table *const *tables;
} Arg;
typedef struct Args {
    int64_t count;
    const Arg *at;
} Args;

typedef struct Method {
    const char *group, *name;
    const char *summary; /* one line, imperative, no full stop */
    const char *source;  /* the paper it comes from */
    const Param *params;
    size_t size; /* of the args struct; 0 with no parameters */
    unsigned traits;
    Status (*run)(Run *run, const void *args);   /* NULL where `parts` says how, by row, of the whole table too */
    const InParts *parts;                        /* how it runs on a table that comes in parts; NULL: it needs the whole */
    const Return *values;                        /* what comes back: values, tables, per-record columns, outputs */
    const char *example;                         /* a command that runs on examples/ */
    const char *instead;                         /* FREQUENCY: what to use on a perturbed table ("risk linkage") */
    double (*cost)(const void *args);            /* estimated seconds; NULL = cheap */
    bool (*record_by_record)(const Args *given); /* makes a table: with these arguments each of its records follows from one record of the
                                                    input alone, so that one changed record changes one. NULL: never */
    const char *headline;                        /* the value that sums it up, for charts and choices; '-' before it: the less the better */
    const struct Method *(*passes)(
        const Args *given); /* verbs: the method whose parameters it takes beside its own; NULL until it is named */
} Method;

/* What the caller lends: a name becomes a table, a folder of tables, a ledger. The method layer opens nothing. Any member may be NULL. */
struct CsvOptions; /* io's: how files are read; only carried through here */
typedef struct Host {
    void *self;
    const struct CsvOptions *reading; /* how the caller reads files; NULL where it lends tables itself */
    Status (*table_as)(void *self, const char *name, const struct CsvOptions *reading, Table **out, Error *error); /* read in another way */
    Status (*table)(void *self, const char *name, Table **out, Error *error);                                      /* a new reference */
    Status (*table_any)(
        void *self, const char *name, bool schema, Table **out,
        Error *error); /* the same where a cell that is no UTF-8 is no error: a schema will decide about it, else it is missing */
    Status (*tables)(void *self, const char *name, Work *work, Tables *out, Error *error); /* a folder: names and new references */
    Status (*texts)(void *self, const char *name, Work *work, Tables *out,
                    Error *error);                                              /* the same, read as they stand: no header, cells as text */
    Status (*ledger)(void *self, const char *name, Ledger **out, Error *error); /* stays the host's */
    Status (*bytes)(void *self, const char *name, Work *work, const char **out, size_t *count,
                    Error *error); /* a small file whole, in the arena */
} Host;

/* Parameters that every method has. */
typedef struct Common {
    const Expr *where;
    const char *roles; /* taken by the library's edge: a method never sees it */
    bool force, show_records, show_values;
} Common;
extern const Param common_params[];

/* A table's part of the seed that a method draws by (session_print), for anyone who draws from the same table again and again. */
typedef struct TablePrint {
    const Table *table;
    bool by_row;
    unsigned char hash[FINGERPRINT];
} TablePrint;

/* The surroundings of one or many runs. */
typedef struct Session {
    const Host *host;
    Seed seed;
    bool seed_given;
    int64_t step; /* which step of a recipe: steps draw different numbers */
    int threads;
    const Progress *progress;
    bool show_values;
    bool by_person;       /* the table has one record of each person, or of each of their combinations (run_by_person.c) */
    bool no_files;        /* texts are never opened as paths, nor written to */
    double time_limit;    /* seconds; a method whose `.cost` is above it is REFUSED unrun. 0 = none */
    const int64_t *times; /* the first table is a roll: see Work */
    const WeightSum *weights;
    int64_t records;
    struct ColumnCache *memo; /* of anyone who runs several methods on the same tables; or NULL */
    const char *record;       /* the one per-record column that is wanted; NULL: every one */
    const TablePrint *print;  /* of a table, by this seed; NULL: none is known */
} Session;
/* For runs of this method with this session's seed and the table as its first one. */
MUST_CHECK Status session_print(const Session *session, Work *work, const Method *method, const Table *table, TablePrint *out);

/* What a method made once of what it had learned, for all parts that follow; goes with the job. */
typedef struct Once {
    void *at;
    void (*drop)(void *at);
} Once;

struct Run {
    Work work; /* first, so that a Run * is a Work * for code that computes */
    const Method *method;
    Result *result;
    const Session *session;
    Common common;
    Seed seed;         /* the session's, bound to the method's parameters and data: other amounts or other data draw other numbers */
    const Args *given; /* as they came: a verb hands on those that are another method's */
    const Args *roles; /* what the caller says that the columns are; or NULL */
    int64_t first_row; /* of the chunk at hand, where the table comes in parts */
    Once *once;        /* where the table comes in parts, else NULL */
};

/* The registry, in the order of methods.def. */
int64_t methods_count(void);
const Method *methods_at(int64_t index);
const Method *method_find(const char *group, const char *name); /* NULL where there is none */
static inline bool method_is_verb(const Method *method) {
    return method->group[0] == 'v' && !strcmp(method->group, "verb");
} /* called by one word: "audit" */
const char *method_said(const Method *method, char out[128]); /* as it is called: "risk suda", "hierarchy build", "audit" */
MUST_CHECK Status method_need(const char *dotted, const Method **out, Error *error); /* "GROUP.NAME"; else BAD with the nearest */
const Param *method_param(const Method *method, const char *name);                   /* its own or a common one; rules are not found */
/* May a caller add this parameter to what was given? Not where it is given already, or has a meaning only with another that is not there. */
bool method_takes(const Method *method, const char *name, const Args *given, const Args *roles);
/* Whatever is told of such a method's table, even whether it has a record at all, may be what it hides. */
static inline bool method_promises(const Method *method) { return (method->traits & PROMISES) != 0; }

/* Checks and binds arguments, runs, and gives the result. What was given, else what a role fills, else the default. */
MUST_CHECK Status method_run(const Session *session, const Method *method, const Args *given, const Args *roles, Result **out,
                             Error *error);
/* Who may read what is written of a result, decided here alone, from the declaration. What a method makes to be given away is for everyone
 * (Table.closed 0). A table that tells of records as they are (KEEPERS), a state or a model, a table that is not PUBLIC, and the result
 * itself are for those who may read its inputs: they get `closed`, with what the result has already. A verb's outputs stay as they are. */
MUST_CHECK Status result_close(const Method *method, Result *result, unsigned closed, Error *error);
/* Would the roles and arguments fill every required parameter? The first that is not filled, else NULL. Opens nothing. */
const Param *method_unfilled(const Method *method, const Args *given, const Args *roles);

/* argv after GROUP METHOD into args: "--name value", "--name=value", flags, positionals. Unknown names are answered with the nearest. */
MUST_CHECK Status args_from_argv(Work *work, const Method *method, int argc, char *const *argv, Args *out);
/* "a,`b,c`,d" into three items: what the value of a list is. Backticks protect a name and are taken off. */
MUST_CHECK Status args_split(Work *work, const char *text, int64_t *count, const char ***items);
const Arg *args_find(const Args *args, const char *name); /* dashes or underscores; NULL where there is none */

/* The declaration as JSON. */
void method_describe(const Method *method, Buffer *out);

/* Says of each value and table of a result what it means and whether it is public. The runner does so once a method is done; who renders
 * its own result before that calls it. */
void describe_returns(const Method *method, Result *result);

/* Is a schema put over this table? Then what a cell holds can end nothing, whatever its bytes. */
bool method_under_schema(const Method *method, const char *table, const Args *given, const Args *roles);

/* For methods whose every argument looks at one record alone (`.record_by_record`). */
bool always_record_by_record(const Args *given);
/* Is one of these given? Names end with NULL. */
bool args_any(const Args *args, const char *const *names);

/* For methods. */
RandomStream run_stream(const Run *run, const char *column, const char *purpose);
/* Sixteen bytes from the session's own seed, which is known before the whole table is: for what is drawn while it is learned from. `with`:
 * what else decides the draw. */
void run_key(const Run *run, const char *purpose, const void *with, size_t count, unsigned char out[16]);
/* For noise that keeps a promise: BAD where a seed was given, unless it is for a test (--insecure-reproducible). */
MUST_CHECK Status run_unseeded(const Run *run, bool insecure_reproducible);
/* Runs another method by name on tables at hand, with this run's seed, threads and progress. */
MUST_CHECK Status run_method(Run *run, const char *dotted, const Args *args, Result **out);
/* Is the per-record column of this name wanted? What is made for it alone need not be made where it is not. */
bool run_wants(const Run *run, const char *name);
/* Where it is wanted, a column of doubles (NaN becomes missing) put into the result beside the records of table parameter `of`. */
MUST_CHECK Status put_reals(Run *run, const char *of, const char *name, const double *x, int64_t rows);
MUST_CHECK Status put_integers(Run *run, const char *of, const char *name, const int64_t *x, int64_t rows);
void put_record(Run *run, const char *of, Column *column); /* the same of a column, which is taken over */
#endif
