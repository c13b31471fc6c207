/* scrim serve: the command. Options, the address, and an orderly end. */
#include "serve.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "bench.h"
#include "confine.h"
#include "queries.h"
#include "registry.h"

enum { MIB = 1 << 20 };

enum { MOST_WORDS = MOST_DATA };

/* Words that an option was given, once or several times. */
typedef struct Words {
    size_t count;
    const char *at[MOST_WORDS + 1];
} Words;

typedef struct Serving {
    const char *file, *tokens, *analyst, *account;
    Words queries, ledgers, schemas, hosts;
    long port, upload_limit;
    double answer_time, time_limit;
    bool open;
} Serving;

static const struct {
    const char *name, *value, *help;
} options[] = {
    { "--port", "N", "Port on 127.0.0.1 (default 0: a free one)" },
    { "--open", NULL, "Open the page in the browser" },
    { "--upload-limit", "MIB", "Largest file that the page may upload, in MiB (default 1024)" },
    { "--queries", "DATA…", "Run as a query server: analysts send `scrim release` queries on these data, each with a token" },
    { "--ledger", "LEDGER", "With --queries: ledger to charge (default DATA.ledger); once for each DATA" },
    { "--schema", "FILE", "With --queries: public description of the data, as for release; once for each DATA" },
    { "--tokens", "FILE", "With --queries: analysts and the hashes of their tokens" },
    { "--add-token", "NAME", "With --tokens: create a token for this analyst, print it once, store its hash in the file, and end" },
    { "--answer-time", "SECONDS", "With --queries: delay between a query and its answer, the same for all (default 0.5)" },
    { "--time-limit", "SECONDS", "With --queries: a query that takes longer is cancelled (default 60)" },
    { "--account", "NAME", "With --add-token: the project whose account pays for this analyst, if the ledger has accounts" },
    { "--host", "NAME", "With --queries: a host name that a proxy passes on, in addition to 127.0.0.1 and localhost" },
};

bool serve_option(size_t index, const char **name, const char **value, const char **help) {
    if (index >= sizeof options / sizeof *options) return false;
    *name = options[index].name;
    *value = options[index].value;
    *help = options[index].help;
    return true;
}

bool serve_names_file(const char *value) { return !strcmp(value, "FILE") || !strcmp(value, "LEDGER") || !strncmp(value, "DATA", 4); }

static scrim_status whole(const char *name, const char *text, long least, long most, long *out, scrim_error *error) {
    char *end;
    *out = strtol(text, &end, 10);
    if (end != text && !*end && *out >= least && *out <= most) return SCRIM_OK;
    fail(error, SCRIM_BAD, "expects a whole number from %ld to %ld", least, most);
    return of_parameter(error, name);
}

/* "--port 80" and "--port=80" alike; `at` moves on past a value of its own. */
static const char *value_of(int count, const char *const *words, int *at, const char *name) {
    size_t length = strlen(name);
    if (strncmp(words[*at], name, length)) return NULL;
    if (words[*at][length] == '=') return words[*at] + length + 1;
    if (words[*at][length]) return NULL;
    return *at + 1 < count ? words[++*at] : "";
}

static scrim_status add_word(Words *words, const char *name, const char *word, scrim_error *error) {
    if (*word && words->count < MOST_WORDS) {
        words->at[words->count++] = word;
        return SCRIM_OK;
    }
    fail(error, SCRIM_BAD, *word ? "is given too often" : "needs a value");
    return of_parameter(error, name);
}

static scrim_status take_seconds(const char *name, const char *text, double most, double *out, scrim_error *error) {
    char *end;
    *out = strtod(text, &end);
    if (end != text && !*end && *out >= 0.001 && *out <= most) return SCRIM_OK;
    fail(error, SCRIM_BAD, "expects seconds, from 0.001 to %g", most);
    return of_parameter(error, name);
}

/* One option with its value; `known` is false where it is none of ours. */
static scrim_status read_option(int count, const char *const *words, int *i, Serving *out, bool *known, scrim_error *error) {
    const char *value;
    const struct {
        const char *name;
        Words *words;
    } lists[] = { { "--ledger", &out->ledgers }, { "--schema", &out->schemas }, { "--host", &out->hosts } };
    const struct {
        const char *name;
        const char **text;
    } texts[] = { { "--tokens", &out->tokens }, { "--add-token", &out->analyst }, { "--account", &out->account } };
    *known = true;
    for (size_t n = 0; n < sizeof lists / sizeof *lists; n++)
        if ((value = value_of(count, words, i, lists[n].name))) return add_word(lists[n].words, lists[n].name + 2, value, error);
    for (size_t n = 0; n < sizeof texts / sizeof *texts; n++)
        if ((value = value_of(count, words, i, texts[n].name))) {
            *texts[n].text = value;
            return SCRIM_OK;
        }
    if ((value = value_of(count, words, i, "--port"))) return whole("port", value, 0, 65535, &out->port, error);
    if ((value = value_of(count, words, i, "--upload-limit"))) return whole("upload-limit", value, 1, 1 << 20, &out->upload_limit, error);
    if ((value = value_of(count, words, i, "--answer-time"))) return take_seconds("answer-time", value, 60, &out->answer_time, error);
    if ((value = value_of(count, words, i, "--time-limit"))) return take_seconds("time-limit", value, 86400, &out->time_limit, error);
    *known = false;
    return SCRIM_OK;
}

static scrim_status read_options(int count, const char *const *words, Serving *out, scrim_error *error) {
    scrim_status status = SCRIM_OK;
    bool asking = false, known; /* asking: words that follow --queries are data */
    *out = (Serving){ .upload_limit = 1024, .answer_time = 0.5, .time_limit = 60 };
    for (int i = 0; i < count; i++) {
        bool option = words[i][0] == '-' && words[i][1];
        if (!option && asking) TRY(add_word(&out->queries, "queries", words[i], error));
        else if (!option && out->file) TRY(fail(error, SCRIM_BAD, "one file at a time: more can be uploaded on the page"));
        else if (!option) out->file = words[i];
        if (!option) continue;
        TRY(read_option(count, words, &i, out, &known, error));
        if (known) continue;
        if (!strncmp(words[i], "--queries=", 10)) TRY(add_word(&out->queries, "queries", words[i] + 10, error));
        else if (!strcmp(words[i], "--queries")) asking = true;
        else if (!strcmp(words[i], "--open")) out->open = true;
        else {
            fail(error, SCRIM_BAD, "serve has no parameter %s", words[i]);
            TRY(advise(error, "`scrim help serve` lists them."));
        }
    }
    if (asking && !out->queries.count) TRY(fail(error, SCRIM_BAD, "--queries needs at least one data file"));
    if (out->queries.count && out->file) TRY(fail(error, SCRIM_BAD, "a query server has no workbench: name the data after --queries"));
    if (!out->queries.count && !out->analyst && (out->ledgers.count || out->schemas.count || out->hosts.count || out->tokens))
        TRY(fail(error, SCRIM_BAD, "--ledger, --schema, --tokens and --host are for --queries"));
    if (out->account && !out->analyst) TRY(fail(error, SCRIM_BAD, "--account is for --add-token"));
    if (out->analyst && !out->tokens) TRY(fail(error, SCRIM_BAD, "--add-token needs a file: --tokens FILE"));
    if (out->ledgers.count > out->queries.count && out->queries.count)
        TRY(fail(error, SCRIM_BAD, "there are more --ledger than data sets"));
    if (out->schemas.count > out->queries.count && out->queries.count)
        TRY(fail(error, SCRIM_BAD, "there are more --schema than data sets"));
    if (out->queries.count && !out->tokens) TRY(fail(error, SCRIM_BAD, "--queries needs --tokens FILE, which lists the analysts"));
done:
    return status;
}

/* ---- starting ---- */

static void fresh_secrets(Bench *bench) {
    unsigned char bytes[32];
    randombytes_buf(bytes, 16);
    sodium_bin2hex(bench->token, sizeof bench->token, bytes, 16);
    randombytes_buf(bytes, sizeof bytes);
    sodium_bin2hex(bench->seed, sizeof bench->seed, bytes, sizeof bytes);
    sodium_memzero(bytes, sizeof bytes);
}

/* The file lies in the private folder under its own name, with the manifest that may be beside it, so that the recipe has plain names. */
static scrim_status open_file(Bench *bench, const char *file, scrim_error *error) {
    char path[PATH_MAX], beside[PATH_MAX + 16], name[PATH_MAX];
    if (!realpath(file, path)) return bench_open(bench, file, file, true, error); /* a database; or the error is told there */
    const char *last = strrchr(path, '/') + 1;
    if (chdir(bench->place.folder)) return fail(error, SCRIM_FAILED, "the private folder cannot be entered");
    if (symlink(path, last)) return fail(error, SCRIM_FAILED, "cannot be reached from the private folder: %s", strerror(errno));
    snprintf(beside, sizeof beside, "%s.manifest.json", path);
    snprintf(name, sizeof name, "%.4000s.manifest.json", last);
    if (!access(beside, R_OK) && symlink(beside, name))
        return fail(error, SCRIM_FAILED, "its manifest cannot be reached: %s", strerror(errno));
    return bench_open(bench, last, last, true, error);
}

/* The browser is handed a file of ours that leads to the page: a command line can be read by others on this computer, and the token must
 * not stand on one. No shell is between. The process that becomes the browser is made before the server is confined, and waits for a byte.
 */
static int prepare_browser(const Bench *bench) {
    char path[4096], go;
    int to[2];
    place_path(&bench->place, "open.html", path);
    if (pipe2(to, O_CLOEXEC)) return -1;
    pid_t child = fork();
    if (child) {
        close(to[0]);
        return to[1];
    }
    close(to[1]);
    if (read(to[0], &go, 1) != 1) _exit(0); /* the server ended before */
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    int nowhere = open("/dev/null", O_RDWR);
    for (int i = 0; i < 3; i++) dup2(nowhere, i);
    execlp("xdg-open", "xdg-open", path, (char *)NULL);
    execlp("open", "open", path, (char *)NULL);
    _exit(127);
}

static void open_browser(const Bench *bench, const char *address, int browser) {
    char path[4096], text[512];
    if (browser < 0) return;
    place_path(&bench->place, "open.html", path);
    snprintf(text, sizeof text, "<!doctype html><meta http-equiv=\"refresh\" content=\"0;url=%s\"><title>scrim</title>\n", address);
    if (file_save(path, text) && write(browser, "x", 1) != 1) fprintf(stderr, "The browser could not be opened.\n");
    close(browser);
}

/* It writes in its own folder and where recipes are saved, and starts no program. A database may have to write beside itself. */
static void confine_bench(const Bench *bench, const Serving *serving) {
    char saved[4096], path[PATH_MAX];
    const char *writes[] = { bench->place.folder, saved };
    saved_path("", saved);
    if (strrchr(saved, '/')) *strrchr(saved, '/') = 0;
    const bool database = serving->file && !realpath(serving->file, path);
    confine(&(Keeps){ .writes = database ? NULL : writes, .write_count = 2, .connects = true });
}

/* The signal that came. */
static int wait_for_signal(const sigset_t *set) {
    int number;
    do number = sigwaitinfo(set, NULL);
    while (number < 0 && errno == EINTR);
    return number;
}

static scrim_status run_bench(Bench *bench, const Serving *serving, const sigset_t *ends, bool quiet, scrim_error *error) {
    Site site = { .self = bench,
                  .admit = bench_admit,
                  .keep = bench_keep,
                  .answer = bench_answer,
                  .most_body = 4 * MIB,
                  .most_upload = bench->upload_limit,
                  .connections = 64 };
    const int browser = serving->open ? prepare_browser(bench) : -1;
    char address[128];
    confine_bench(bench, serving);
    struct MHD_Daemon *daemon = http_start(&site, (uint16_t)serving->port, error);
    if (!daemon) return SCRIM_FAILED;
    bench->port = http_port(daemon);
    snprintf(address, sizeof address, "http://127.0.0.1:%u/#%s", bench->port, bench->token);
    printf("%s\n", address);
    fflush(stdout);
    if (!quiet) fprintf(stderr, "The workbench is open at this address, on this computer only. Ctrl-C ends it.\n");
    if (serving->open) open_browser(bench, address, browser);
    wait_for_signal(ends);
    jobs_stop(); /* first: a connection may be waiting for one */
    http_stop(daemon);
    jobs_end();
    return SCRIM_OK;
}

static scrim_status serve_bench(const Serving *serving, const scrim_reading *reading, int threads, bool quiet, const sigset_t *ends,
                                scrim_error *error) {
    scrim_status status = SCRIM_OK;
    Bench *bench = calloc(1, sizeof *bench);
    if (!bench) return fail(error, SCRIM_FAILED, "out of memory");
    pthread_mutex_init(&bench->lock, NULL);
    bench->reading = *reading;
    bench->threads = threads;
    bench->upload_limit = (int64_t)serving->upload_limit * MIB;
    fresh_secrets(bench);
    TRY(place_make(&bench->place, error));
    if (serving->file) TRY(open_file(bench, serving->file, error));
    if (chdir(bench->place.folder)) TRY(fail(error, SCRIM_FAILED, "the private folder cannot be entered"));
    TRY(run_bench(bench, serving, ends, quiet, error));
done:
    bench_close(bench);
    free(bench);
    return status;
}

/* ---- the query server ---- */

/* The next signal; questions that have taken too long are cancelled meanwhile. */
static int wait_and_tick(Queries *queries, const sigset_t *ends) {
    const struct timespec pause = { .tv_nsec = 250000000 };
    int number;
    while ((number = sigtimedwait(ends, NULL, &pause)) < 0) queries_tick(queries);
    return number;
}

/* SIGHUP reads the tokens again; the others end it. */
static void serve_until_end(Queries *queries, const sigset_t *ends) {
    while (wait_and_tick(queries, ends) == SIGHUP) {
        scrim_error error = { .size = sizeof error };
        char line[2048];
        if (!tokens_read(&queries->tokens, queries->tokens.path, &error)) continue;
        scrim_error_text(&error, line, sizeof line);
        fprintf(stderr, "scrim: the tokens are unchanged: %s\n", line);
    }
}

/* The folder of a file, which may not be there yet, into `out`; false where it is a database's address. */
static bool folder_of(const char *file, char out[PATH_MAX]) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s", file);
    char *slash = strrchr(path, '/');
    if (strstr(file, "://") || strchr(file, '?') || strchr(file, '#')) return false;
    if (slash) slash[slash == path] = 0;
    else strcpy(path, ".");
    return realpath(path, out) != NULL;
}

/* The tables and schemas are in memory: what stays is the ledgers' folders, and the tokens, which are read again. */
static void confine_queries(const Queries *queries, const Serving *serving) {
    static char ledgers[MOST_DATA][PATH_MAX], tokens[PATH_MAX];
    const char *writes[MOST_DATA], *reads[] = { tokens };
    size_t count = 0;
    bool files = folder_of(serving->tokens, tokens);
    for (size_t i = 0; i < queries->data_count && files; i++)
        if ((files = folder_of(queries->data[i].ledger, ledgers[count]))) writes[count] = ledgers[count], count++;
    confine(&(Keeps){ .writes = files ? writes : NULL,
                      .write_count = count,
                      .reads = files ? reads : NULL,
                      .read_count = 1,
                      .connects = !files });
}

static scrim_status run_queries(Queries *queries, const Serving *serving, const sigset_t *ends, bool quiet, scrim_error *error) {
    Site site = { .self = queries, .admit = queries_admit, .answer = queries_answer, .most_body = 65536, .connections = 512 };
    confine_queries(queries, serving);
    struct MHD_Daemon *daemon = http_start(&site, (uint16_t)serving->port, error);
    if (!daemon) return SCRIM_FAILED;
    queries->port = http_port(daemon);
    printf("http://127.0.0.1:%u/v1/\n", queries->port);
    fflush(stdout);
    if (!quiet && serving->schemas.count < serving->queries.count)
        fprintf(stderr,
                "Without --schema the types of columns, and whether values are missing, are read from the data and treated as public.\n");
    serve_until_end(queries, ends);
    queries_stop(queries); /* first: a connection may be waiting for its question */
    http_stop(daemon);
    return SCRIM_OK;
}

static scrim_status serve_queries(const Serving *serving, const scrim_reading *reading, int threads, bool quiet, const sigset_t *ends,
                                  scrim_error *error) {
    scrim_status status = SCRIM_OK;
    Queries *queries = calloc(1, sizeof *queries);
    if (!queries) return fail(error, SCRIM_FAILED, "out of memory");
    queries->threads = threads;
    queries->reading = reading;
    queries->answer_time = serving->answer_time;
    queries->time_limit = serving->time_limit;
    pthread_mutex_init(&queries->work.lock, NULL);
    pthread_cond_init(&queries->work.changed, NULL);
    queries->hosts = serving->hosts.at;
    queries->started = clock_now();
    pthread_mutex_init(&queries->lock, NULL);
    pthread_mutex_init(&queries->tokens.lock, NULL);
    TRY(tokens_read(&queries->tokens, serving->tokens, error));
    for (size_t i = 0; i < serving->queries.count; i++)
        TRY(queries_open(queries, serving->queries.at[i], serving->ledgers.at[i], serving->schemas.at[i], error));
    TRY(run_queries(queries, serving, ends, quiet, error));
done:
    queries_close(queries);
    free(queries);
    return status;
}

static scrim_status add_token(const Serving *serving, scrim_error *error) {
    char token[65];
    scrim_status status = tokens_add(serving->tokens, serving->analyst, serving->account, token, error);
    if (status) return status;
    printf("%s\n", token);
    sodium_memzero(token, sizeof token);
    return SCRIM_OK;
}

scrim_status serve_command(int count, const char *const *words, const scrim_reading *reading, int threads, bool quiet, scrim_error *error) {
    Serving serving;
    sigset_t ends;
    if (sodium_init() < 0) return fail(error, SCRIM_FAILED, "there is no source of randomness");
    scrim_status status = read_options(count, words, &serving, error);
    if (status) return status;
    if (serving.analyst) return add_token(&serving, error);
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &ends, NULL); /* of every thread: one waits for them */
    scrim_map_files(0);                      /* a file that becomes shorter would end the server, and leave its folder */
    for (int64_t i = 0; i < methods_count(); i++) methods_at(i); /* read once, before there are threads */
    return serving.queries.count ? serve_queries(&serving, reading, threads, quiet, &ends, error)
                                 : serve_bench(&serving, reading, threads, quiet, &ends, error);
}
