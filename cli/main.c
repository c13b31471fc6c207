/* scrim: the program. Finds the command, runs it, delivers the result; all of it through scrim.h. */
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include "cli.h"
#include "commands.h"
#include "serve.h"

static scrim_status print_buffer(Buffer *text, scrim_error *error) {
    scrim_status status = text->failed ? fail(error, SCRIM_FAILED, "out of memory") : print_out(text->bytes, text->count, error);
    buffer_free(text);
    return status;
}

static scrim_status take_seed(const Options *o, int64_t *number, scrim_host *host, scrim_error *error) {
    if (o->seed && o->seed_file) return fail(error, SCRIM_BAD, "only one of --seed and --seed-file can be given");
    host->seed_file = o->seed_file;
    if (!o->seed) return SCRIM_OK;
    char *end;
    errno = 0;
    *number = strtoll(o->seed, &end, 10);
    if (errno || end == o->seed || *end || strchr(" \t\n", o->seed[0])) {
        fail(error, SCRIM_BAD, "expects a whole number");
        return of_parameter(error, "seed");
    }
    host->seed_number = number;
    return SCRIM_OK;
}

/* A verb that writes for itself has a parameter `output`: -o is that one. */
static scrim_status own_output(const Method *method, Options *o, scrim_args *args, scrim_error *error) {
    if (!method_param(method, "output") || !o->output_count) return SCRIM_OK;
    bool given = scrim_args_count(args, "output") >= 0;
    for (int64_t i = 0; !given && i < o->output_count; i++)
        if (scrim_args_text(args, "output", o->outputs[i])) return fail(error, SCRIM_FAILED, "out of memory");
    o->output_count = 0;
    return SCRIM_OK;
}

/* Has it written files of its own by the time it has a result? */
static bool writes_itself(const Method *method, const scrim_args *args) {
    return (method_param(method, "output") && scrim_args_count(args, "output") > 0) || !strcmp(method->id, "run") ||
           !strcmp(method->id, "ledger.create");
}

/* A method that debits a ledger uses INPUT.ledger where that is there and no other was named. */
static scrim_status default_ledger(const Method *method, scrim_args *args, scrim_error *error) {
    const Param *ledger = NULL, *input = NULL;
    for (const Param *p = method->params; p->kind; p++) {
        if (p->kind == KIND_LEDGER) ledger = p;
        if (p->kind == KIND_TABLE && (p->flags & POSITIONAL) && !input) input = p;
    }
    const char *data = input ? scrim_args_item(args, input->name, 0) : NULL;
    if (!ledger || !data || scrim_args_count(args, ledger->name) >= 0 || scrim_args_count(args, "no-ledger") >= 0) return SCRIM_OK;
    const char *path = keep_text("%s.ledger", data);
    if (access(path, F_OK)) return SCRIM_OK;
    return scrim_args_text(args, ledger->name, path) ? fail(error, SCRIM_FAILED, "out of memory") : SCRIM_OK;
}

static scrim_status run_method(const Method *method, Options *o, scrim_args *args, scrim_error *error) {
    scrim_status status = SCRIM_OK;
    scrim_result *result = NULL;
    scrim_host host = { .size = sizeof host, .threads = o->threads, .reading = &o->reading };
    int64_t seed;
    o->reading.need_records = strcmp(method->id, "convert") && strcmp(method->id, "inspect");
    o->reading.show_values = scrim_args_count(args, "show-values") >= 0;
    TRY(own_output(method, o, args, error));
    if (o->public && method_param(method, "public")) { /* a verb that writes a public report itself */
        if (scrim_args_flag(args, "public")) TRY(fail(error, SCRIM_FAILED, "out of memory"));
        o->public = false;
    }
    TRY(default_ledger(method, args, error));
    TRY(deliver_check(o, method, args, error));
    TRY(take_seed(o, &seed, &host, error));
    progress_start(o->quiet, &host);
    if (o->part_rows && !o->max_memory) status = fail(error, SCRIM_BAD, "--part-rows has a meaning only with --max-memory");
    else if (o->max_memory && streams(method, args)) status = run_stream(method, o, &host, args, &result, error);
    else if (o->max_memory) status = run_out_of_core(method, o, &host, args, &result, error);
    else status = run_as_it_fits(method, o, &host, args, &result, error);
    progress_end();
    if (!status && (status = deliver(o, args, result, error)) && (writes_itself(method, args) || o->in_place))
        advise(error, "The output is complete.");
    if (!status) status = scrim_result_verdict(result, error);
done:
    scrim_result_free(result);
    return status;
}

/* scrim inspect FOLDER: its files, and no table before them. */
static scrim_status inspected_folder(const char *id, scrim_args **args, scrim_error *error) {
    struct stat about;
    const char *path = scrim_args_item(*args, "data", 0);
    const char *words[] = { "--files", path };
    if (strcmp(id, "inspect") || !path || scrim_args_count(*args, "files") >= 0) return SCRIM_OK;
    if (stat(path, &about) || !S_ISDIR(about.st_mode)) return SCRIM_OK;
    scrim_args *files = scrim_args_new();
    scrim_status status = files ? scrim_args_words(files, id, 2, words, error) : fail(error, SCRIM_FAILED, "out of memory");
    scrim_args *old = *args;
    *args = files;
    scrim_args_free(old);
    return status;
}

static scrim_status run_command(Options *o, scrim_error *error) {
    scrim_status status = SCRIM_OK;
    const char *id;
    int64_t used;
    Buffer text = { 0 };
    if (o->help && o->argc == 1 && is_group(o->argv[0]) && strcmp(o->argv[0], "release") && strcmp(o->argv[0], "scrub")) {
        help_methods(o->argv[0], &text);
        return print_buffer(&text, error);
    }
    TRY(scrim_methods_find(o->argc, o->argv, &id, &used, error));
    if (o->help) {
        help_method(method_named(id), &text);
        return print_buffer(&text, error);
    }
    scrim_args *args = scrim_args_new();
    status = args ? scrim_args_words(args, id, o->argc - used, o->argv + used, error) : fail(error, SCRIM_FAILED, "out of memory");
    if (!status) status = inspected_folder(id, &args, error);
    if (!status) status = run_method(method_named(id), o, args, error);
    scrim_args_free(args);
done:
    return status;
}

static scrim_status completion_command(const Options *o, scrim_error *error) {
    static const struct {
        const char *shell;
        void (*write)(Buffer *);
    } shells[] = { { "bash", completion_bash }, { "zsh", completion_zsh }, { "fish", completion_fish } };
    Buffer text = { 0 };
    for (size_t i = 0; i < 3; i++)
        if (o->argc == 2 && !strcmp(o->argv[1], shells[i].shell)) shells[i].write(&text);
    if (text.count) return print_buffer(&text, error);
    fail(error, SCRIM_BAD, "completion for which shell?");
    return advise(error, "scrim completion bash, zsh or fish; in bash: source <(scrim completion bash)");
}

/* One method in full; with --format json its declaration. */
static scrim_status help_on(const Options *o, bool listing, Buffer *text, scrim_error *error) {
    const char *id;
    int64_t used;
    char *json = NULL;
    scrim_status status = scrim_methods_find(o->argc - 1, o->argv + 1, &id, &used, error);
    if (status) return status;
    if (!listing || strcmp(o->format, "json")) {
        help_method(method_named(id), text);
        return SCRIM_OK;
    }
    status = scrim_methods_describe(id, &json, error);
    buffer_text(text, json);
    scrim_text_free(json);
    return status;
}

/* Every declaration, or those of one group or that bear on one kind of disclosure, as one list: what bindings are made from. */
static scrim_status declarations(const char *group, const char *kind, Buffer *text, scrim_error *error) {
    scrim_status status = SCRIM_OK;
    const char *id, *between = "[";
    size_t length = group ? strlen(group) : 0;
    for (int64_t i = 0; !status && (id = scrim_methods_name(i)); i++) {
        char *json = NULL;
        if (group && (strncmp(id, group, length) || id[length] != '.')) continue;
        if (kind && !help_bears_on(method_named(id), kind)) continue;
        status = scrim_methods_describe(id, &json, error);
        if (!status) buffer_print(text, "%s%s", between, json);
        between = ",\n";
        scrim_text_free(json);
    }
    buffer_text(text, *between == '[' ? "[]\n" : "]\n");
    return status;
}

/* methods [GROUP] --kind KIND */
static scrim_status methods_of_kind(const char *group, const char *kind, const Options *o, Buffer *text, scrim_error *error) {
    static const char *const kinds[] = { "identity", "attribute", "inferential", "population" };
    bool known = false;
    for (size_t i = 0; i < 4; i++) known |= !strcmp(kind, kinds[i]);
    if (!known) {
        fail(error, SCRIM_BAD, "there is no such kind of disclosure");
        of_parameter(error, "kind");
        return advise(error, "It is one of identity, attribute, inferential and population.");
    }
    if (!strcmp(o->format, "json")) return declarations(group, kind, text, error);
    help_methods_of_kind(group, kind, text);
    return SCRIM_OK;
}

static scrim_status help_command(const Options *o, scrim_error *error) {
    Buffer text = { 0 };
    scrim_status status = SCRIM_OK;
    bool listing = o->argc && !strcmp(o->argv[0], "methods"), whole = o->argc == 1 || (o->argc == 2 && is_group(o->argv[1]));
    if (listing && whole && !strcmp(o->format, "json")) status = declarations(o->argc == 2 ? o->argv[1] : NULL, NULL, &text, error);
    else if (o->argc == 2 && !strcmp(o->argv[1], "--man")) man_page(&text);
    else if (listing && o->argc == 3 && !strcmp(o->argv[1], "--kind")) status = methods_of_kind(NULL, o->argv[2], o, &text, error);
    else if (listing && o->argc == 4 && is_group(o->argv[1]) && !strcmp(o->argv[2], "--kind"))
        status = methods_of_kind(o->argv[1], o->argv[3], o, &text, error);
    else if (listing && o->argc == 2 && !strcmp(o->argv[1], "--in-parts")) help_methods_in_parts(&text);
    else if (o->argc == 2 && is_group(o->argv[1]) && (listing || strcmp(o->argv[1], "release"))) help_methods(o->argv[1], &text);
    else if (o->argc == 2 && !strcmp(o->argv[1], "serve")) help_serve(&text);
    else if (o->argc > 1 && strcmp(o->argv[1], "help")) status = help_on(o, listing, &text, error);
    else if (listing) help_methods(NULL, &text);
    else help_program(&text);
    if (!status) return print_buffer(&text, error);
    buffer_free(&text);
    return status;
}

static scrim_status command(Options *o, scrim_error *error) {
    const char *first = o->argc ? o->argv[0] : NULL;
    Buffer text = { 0 };
    if (first && (!strcmp(first, "--version") || !strcmp(first, "version"))) {
        help_version(&text);
        return print_buffer(&text, error);
    }
    if (!first || !strcmp(first, "help") || !strcmp(first, "methods")) {
        scrim_status status = help_command(o, error);
        return status || first || o->help ? status : SCRIM_BAD; /* without a word it is help, and bad usage */
    }
    if (!strcmp(first, "serve") && !o->help) return serve_command(o->argc - 1, o->argv + 1, &o->reading, o->threads, o->quiet, error);
    if (!strcmp(first, "serve")) {
        help_serve(&text);
        return print_buffer(&text, error);
    }
    return !strcmp(first, "completion") ? completion_command(o, error) : run_command(o, error);
}

/* A large file is mapped, and one that becomes shorter meanwhile takes its pages away: from several threads at once, of which one tells. */
static void shrunk(int signal) {
    static atomic_flag told = ATOMIC_FLAG_INIT;
    static const char text[] = "scrim: a file became shorter while it was read\n";
    (void)signal;
    while (atomic_flag_test_and_set(&told)) pause();
    scrim_abandon();
    if (write(2, text, sizeof text - 1) < 0) _exit(SCRIM_FAILED);
    _exit(SCRIM_FAILED);
}

static void say_notice(const char *text) {
    progress_end();
    fprintf(stderr, "scrim: %s\n", text);
}

int main(int argc, char **argv) {
    scrim_error error = { .size = sizeof error };
    Options options = { 0 };
    setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 }); /* a core would hold the records */
    signal(SIGPIPE, SIG_IGN);                         /* a closed pipe and a full quota are seen where they are written to */
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGBUS, shrunk);
    scrim_map_files(1);
    scrim_notices(say_notice);
    scrim_status status = options_take(argc - 1, argv + 1, &options, &error);
    if (!status) status = command(&options, &error);
    progress_end();
    if (status && error.message[0]) {
        char line[2048];
        scrim_error_text(&error, line, sizeof line);
        fprintf(stderr, "scrim: %s\n", line);
    }
    keep_free();
    return (int)status;
}
