/* scrim serve: the command. Options, the address, and an orderly end. */
#include "serve.h"
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "bench.h"
#include "registry.h"

enum { MIB = 1 << 20 };

typedef struct Serving {
    const char *file;
    long port, upload_limit;
    bool open;
} Serving;

static const struct {
    const char *name, *value, *help;
} options[] = {
    { "--port", "N", "The port on 127.0.0.1 (default 0: a free one)" },
    { "--open", NULL, "Open the page in the browser" },
    { "--upload-limit", "MIB", "The largest file that the page may upload, in MiB (default 1024)" },
};

bool serve_option(size_t index, const char **name, const char **value, const char **help) {
    if (index >= sizeof options / sizeof *options) return false;
    *name = options[index].name;
    *value = options[index].value;
    *help = options[index].help;
    return true;
}

static scrim_status whole(const char *name, const char *text, long least, long most, long *out, scrim_error *error) {
    char *end = NULL;
    *out = text ? strtol(text, &end, 10) : least - 1;
    if (text && end != text && !*end && *out >= least && *out <= most) return SCRIM_OK;
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

static scrim_status read_options(int count, const char *const *words, Serving *out, scrim_error *error) {
    scrim_status status = SCRIM_OK;
    const char *value;
    *out = (Serving){ .upload_limit = 1024 };
    for (int i = 0; i < count; i++) {
        if ((value = value_of(count, words, &i, "--port"))) TRY(whole("port", value, 0, 65535, &out->port, error));
        else if ((value = value_of(count, words, &i, "--upload-limit")))
            TRY(whole("upload-limit", value, 1, 1 << 20, &out->upload_limit, error));
        else if (!strcmp(words[i], "--open")) out->open = true;
        else if (words[i][0] == '-' && words[i][1]) {
            fail(error, SCRIM_BAD, "serve has no parameter %s", words[i]);
            TRY(advise(error, "`scrim help serve` lists them."));
        } else if (out->file) TRY(fail(error, SCRIM_BAD, "one file at a time: more can be uploaded on the page"));
        else out->file = words[i];
    }
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

/* No shell: the address goes to the desktop's opener as one word. */
static void open_browser(const char *address) {
    pid_t child = fork();
    if (child) return;
    if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)) _exit(127);
    execlp("xdg-open", "xdg-open", address, (char *)NULL);
    execlp("open", "open", address, (char *)NULL);
    _exit(127);
}

static void wait_for_end(const sigset_t *ends) {
    int number;
    do number = sigwaitinfo(ends, NULL);
    while (number < 0 && errno == EINTR);
}

static scrim_status run_bench(Bench *bench, const Serving *serving, const sigset_t *ends, bool quiet, scrim_error *error) {
    Site site = { .self = bench,
                  .admit = bench_admit,
                  .keep = bench_keep,
                  .answer = bench_answer,
                  .most_body = 4 * MIB,
                  .most_upload = bench->upload_limit,
                  .connections = 64 };
    struct MHD_Daemon *daemon = http_start(&site, (uint16_t)serving->port, error);
    char address[128];
    if (!daemon) return SCRIM_FAILED;
    bench->port = http_port(daemon);
    snprintf(address, sizeof address, "http://127.0.0.1:%u/#%s", bench->port, bench->token);
    printf("%s\n", address);
    fflush(stdout);
    if (!quiet) fprintf(stderr, "The workbench is open at this address, on this computer alone. Ctrl-C ends it.\n");
    if (serving->open) open_browser(address);
    wait_for_end(ends);
    MHD_stop_daemon(daemon);
    jobs_end();
    return SCRIM_OK;
}

scrim_status serve_command(int count, const char *const *words, const scrim_reading *reading, int threads, bool quiet, scrim_error *error) {
    scrim_status status = SCRIM_OK;
    Serving serving;
    sigset_t ends;
    Bench *bench = calloc(1, sizeof *bench);
    if (!bench || sodium_init() < 0) TRY(fail(error, SCRIM_FAILED, "out of memory"));
    pthread_mutex_init(&bench->lock, NULL);
    TRY(read_options(count, words, &serving, error));
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &ends, NULL); /* of every thread: one waits for them */
    bench->reading = *reading;
    bench->threads = threads;
    bench->upload_limit = (int64_t)serving.upload_limit * MIB;
    fresh_secrets(bench);
    for (int64_t i = 0; i < methods_count(); i++) methods_at(i); /* read once, before there are threads */
    TRY(place_make(&bench->place, error));
    if (serving.file) TRY(open_file(bench, serving.file, error));
    if (chdir(bench->place.folder)) TRY(fail(error, SCRIM_FAILED, "the private folder cannot be entered"));
    TRY(run_bench(bench, &serving, &ends, quiet, error));
done:
    if (bench) bench_close(bench);
    free(bench);
    return status;
}
