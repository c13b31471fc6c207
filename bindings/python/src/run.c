/* run(): a method in a thread of its own, without the interpreter's lock, while the caller's thread waits for it, for signals and for news.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include "core.h"

typedef struct Named {
    const char *name;
    scrim_table *table;
} Named;

typedef struct Job {
    const char *method;
    scrim_args *args, *roles;
    Named *lent; /* tables by name */
    Py_ssize_t lent_count;
    scrim_reading reading;
    scrim_host host;
    int64_t seed;
    bool own;
    long long max_memory; /* not 0: a file in parts, what is made of it written to `output` */
    const char *output;
    scrim_result *result;
    scrim_error error;
    scrim_status status;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool done, news;
    char what[96];
    double share;
} Job;

/* ---- in the worker's thread: nothing of Python's ---- */

static scrim_status lend(void *self, const char *name, scrim_table **out, scrim_error *error) {
    Job *job = self;
    (void)error;
    *out = NULL;
    for (Py_ssize_t i = 0; i < job->lent_count; i++)
        if (!strcmp(job->lent[i].name, name)) *out = scrim_table_share(job->lent[i].table);
    return SCRIM_OK;
}

static int tell(void *self, const char *what, double share) {
    Job *job = self;
    pthread_mutex_lock(&job->lock);
    strncpy(job->what, what ? what : "", sizeof job->what - 1);
    job->share = share;
    job->news = true;
    pthread_mutex_unlock(&job->lock);
    return 0;
}

static void *work(void *self) {
    Job *job = self;
    scrim_status status =
        job->max_memory ? scrim_run_in_parts(&job->host, job->method, job->args, job->max_memory, 0, job->output, &job->result, &job->error)
                        : scrim_run(&job->host, job->method, job->args, &job->result, &job->error);
    if (!status && job->own) status = scrim_result_own(job->result, &job->error);
    pthread_mutex_lock(&job->lock);
    job->status = status;
    job->done = true;
    pthread_cond_signal(&job->changed);
    pthread_mutex_unlock(&job->lock);
    return NULL;
}

/* Interrupts are for the thread that waits. */
static int start(Job *job, pthread_t *thread) {
    sigset_t interrupt, before;
    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    pthread_sigmask(SIG_BLOCK, &interrupt, &before);
    int failed = pthread_create(thread, NULL, work, job);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed;
}

/* ---- in the caller's ---- */

/* For as long as nothing happens, and a fiftieth of a second at most. */
static bool wait_a_little(Job *job) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += 20000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000;
    }
    PyThreadState *state = PyEval_SaveThread();
    pthread_mutex_lock(&job->lock);
    while (!job->done && pthread_cond_timedwait(&job->changed, &job->lock, &until) != ETIMEDOUT) {}
    bool done = job->done;
    pthread_mutex_unlock(&job->lock);
    PyEval_RestoreThread(state);
    return done;
}

static bool pass_news_on(Job *job, PyObject *progress) {
    char what[sizeof job->what];
    pthread_mutex_lock(&job->lock);
    bool news = job->news;
    double share = job->share;
    memcpy(what, job->what, sizeof what);
    job->news = false;
    pthread_mutex_unlock(&job->lock);
    if (!news || progress == Py_None) return true;
    PyObject *answer = PyObject_CallFunction(progress, "sd", what, share);
    Py_XDECREF(answer);
    return answer;
}

static void join(pthread_t thread) {
    PyThreadState *state = PyEval_SaveThread();
    pthread_join(thread, NULL);
    PyEval_RestoreThread(state);
}

/* Leaves an exception where a signal, or the progress callable, raised one: the computation is stopped first. */
static void wait_for(Job *job, PyObject *progress) {
    pthread_t thread;
    bool stopped = false;
    if (start(job, &thread)) {
        PyErr_SetString(PyExc_RuntimeError, "no thread could be started");
        return;
    }
    while (!wait_a_little(job))
        if (!stopped && (PyErr_CheckSignals() || !pass_news_on(job, progress))) {
            scrim_cancel_set(job->host.cancel);
            stopped = true;
            PyObject *type, *value, *trace;
            PyErr_Fetch(&type, &value, &trace); /* waiting goes on without it */
            while (!wait_a_little(job)) {}
            PyErr_Restore(type, value, trace);
            break;
        }
    join(thread);
}

/* ---- arguments ---- */

static bool add_item(scrim_args *args, const char *name, PyObject *item) {
    const char *text = PyUnicode_Check(item) ? core_text(item) : NULL;
    if (PyUnicode_Check(item) && !text) return false;
    bool number = PyFloat_Check(item);
    scrim_table *table = text || number ? NULL : table_of(item);
    if (!text && !number && !table) return false;
    scrim_status status = text     ? scrim_args_text(args, name, text)
                          : number ? scrim_args_number(args, name, PyFloat_AsDouble(item))
                                   : scrim_args_table(args, name, table);
    if (status == SCRIM_BAD) PyErr_Format(PyExc_TypeError, "%s: tables in memory and names of files cannot be mixed", name);
    else if (status) PyErr_NoMemory();
    return !status;
}

bool core_fill(scrim_args *args, PyObject *list) {
    for (Py_ssize_t i = 0; i < PyList_Size(list); i++) {
        const char *name;
        PyObject *items;
        if (!PyArg_ParseTuple(PyList_GetItem(list, i), "sO!", &name, &PyList_Type, &items)) return false;
        if (!PyList_Size(items) && scrim_args_flag(args, name)) {
            PyErr_NoMemory();
            return false;
        }
        for (Py_ssize_t j = 0; j < PyList_Size(items); j++)
            if (!add_item(args, name, PyList_GetItem(items, j))) return false;
    }
    return true;
}

bool core_seed(PyObject *seed, scrim_host *host, int64_t *number) {
    if (PyUnicode_Check(seed)) return (host->seed = core_text(seed));
    if (seed == Py_None) return true;
    *number = PyLong_AsLongLong(seed);
    host->seed_number = number;
    return *number != -1 || !PyErr_Occurred();
}

static bool take_lent(Job *job, PyObject *tables) {
    if (tables == Py_None) return true;
    job->lent_count = PyList_Size(tables);
    job->lent = PyMem_Calloc((size_t)job->lent_count + 1, sizeof *job->lent);
    for (Py_ssize_t i = 0; job->lent && i < job->lent_count; i++) {
        PyObject *table;
        if (!PyArg_ParseTuple(PyList_GetItem(tables, i), "sO", &job->lent[i].name, &table)) return false;
        if (!(job->lent[i].table = table_of(table))) return false;
    }
    job->host.table = lend;
    job->host.files_too = 1;
    if (!job->lent) PyErr_NoMemory();
    return job->lent;
}

static bool prepare(Job *job, PyObject *args, PyObject *roles, PyObject *tables, PyObject *seed) {
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&job->changed, &clock);
    pthread_condattr_destroy(&clock);
    pthread_mutex_init(&job->lock, NULL);
    job->args = scrim_args_new();
    job->roles = roles == Py_None ? NULL : scrim_args_new();
    job->host.cancel = scrim_cancel_new();
    if (!job->args || !job->host.cancel || (roles != Py_None && !job->roles)) {
        PyErr_NoMemory();
        return false;
    }
    job->host.roles = job->roles;
    job->host.self = job;
    job->host.progress = tell;
    job->host.reading = &job->reading;
    return core_seed(seed, &job->host, &job->seed) && core_fill(job->args, args) && (!job->roles || core_fill(job->roles, roles)) &&
           take_lent(job, tables);
}

static void clear(Job *job) {
    scrim_args_free(job->args);
    scrim_args_free(job->roles);
    scrim_cancel_free(job->host.cancel);
    scrim_result_free(job->result);
    PyMem_Free(job->lent);
    pthread_cond_destroy(&job->changed);
    pthread_mutex_destroy(&job->lock);
}

/* run(method, args, roles=None, tables=None, seed=None, seed_file=None, threads=1, time_limit=0, show_values=0, need_records=1,
 * progress=None, own=0, max_memory=0, output=None) */
PyObject *core_run(PyObject *module, PyObject *arguments, PyObject *named) {
    static char *names[] = { "method",      "args",         "roles",    "tables", "seed",       "seed_file", "threads", "time_limit",
                             "show_values", "need_records", "progress", "own",    "max_memory", "output",    NULL };
    PyObject *args, *roles = Py_None, *tables = Py_None, *seed = Py_None, *progress = Py_None, *out = NULL;
    int own = 0;
    Job job = { .host = { .size = sizeof job.host, .threads = 1 },
                .reading = { .size = sizeof job.reading, .need_records = 1 },
                .error = NEW_ERROR };
    (void)module;
    if (!PyArg_ParseTupleAndKeywords(arguments, named, "sO!|OOOzidiiOiLz", names, &job.method, &PyList_Type, &args, &roles, &tables, &seed,
                                     &job.host.seed_file, &job.host.threads, &job.host.time_limit, &job.reading.show_values,
                                     &job.reading.need_records, &progress, &own, &job.max_memory, &job.output))
        return NULL;
    job.own = own;
    if (prepare(&job, args, roles, tables, seed)) wait_for(&job, progress);
    if (PyErr_Occurred()) goto done;
    if (job.status) core_raise(job.status, &job.error);
    else if ((out = result_wrap(job.result, NULL))) job.result = NULL;
done:
    clear(&job);
    return out;
}
