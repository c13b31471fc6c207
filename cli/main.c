/* scrim: the program. Finds the command, binds its arguments, runs it, delivers the result. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "base/file.h"
#include "base/number.h"
#include "cli.h"
#include "commands.h"
#include "recipe/verbs.h"

/* Among verbs, groups and the short words. */
static const char *nearest_command(const char *word) {
    const char *names[256] = { "help", "methods", "calibrate" };
    size_t count = 3;
    for (int64_t i = 0; i < verbs_count() && count < 256; i++) names[count++] = strcmp(verbs_at(i)->group, "verb") ? verbs_at(i)->group : verbs_at(i)->name;
    for (int64_t i = 0; i < methods_count() && count < 256; i++) names[count++] = methods_at(i)->group;
    return nearest_name(word, names, count);
}

static bool is_group(const char *word) {
    for (int64_t i = 0; i < methods_count(); i++)
        if (!strcmp(methods_at(i)->group, word)) return true;
    return false;
}

/* A group without one of its methods or verbs after it. */
static Status which_of(const char *group, const char *second, Error *error) {
    const char *names[256];
    char list[256] = "";
    size_t count = 0;
    for (int64_t i = 0; i < verbs_count(); i++)
        if (!strcmp(verbs_at(i)->group, group)) names[count++] = verbs_at(i)->name;
    if (!count) {
        fail(error, BAD, "which method of '%s'?", group);
        return error_advice(error, "`scrim methods %s` lists them.", group);
    }
    for (size_t i = 0; i < count; i++) snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", names[i]);
    if (!second[0]) fail(error, BAD, "%s what?", group);
    else fail(error, BAD, "%s has no '%s'", group, second);
    return error_advice(error, "There is: %s.", list);
}

/* A method named without its group. */
static Status without_group(const char *word, Error *error) {
    for (int64_t i = 0; i < methods_count(); i++)
        if (!strcmp(methods_at(i)->name, word)) {
            fail(error, BAD, "there is no command '%s'", word);
            return error_advice(error, "Did you mean '%s %s'?", methods_at(i)->group, word);
        }
    return OK;
}

/* release, calibrate and scrub are short for methods; other words are verbs or groups. `used` says how many words the name took. */
static Status find_command(int argc, char **argv, const Method **out, int *used, Error *error) {
    const char *first = argv[0], *second = argc > 1 ? argv[1] : "";
    *used = 2;
    if ((*out = method_find(first, second)) || (*out = verb_find(first, second))) return OK;
    *used = 1;
    if ((*out = verb_find("verb", first))) return OK;
    if (!strcmp(first, "release") && (*out = method_find("release", "query"))) return OK;
    if (!strcmp(first, "calibrate") && (*out = method_find("release", "calibrate"))) return OK;
    if (!strcmp(first, "scrub") && (*out = method_find("scrub", "text"))) return OK;
    bool group = is_group(first), verbs = false;
    for (int64_t i = 0; i < verbs_count(); i++) verbs |= !strcmp(verbs_at(i)->group, first) && strcmp(first, "verb");
    if (second[0] == '-') second = "";
    if (verbs || (group && !second[0])) return which_of(first, second, error);
    if (without_group(first, error)) return BAD;
    const char *near = group ? NULL : nearest_command(first);
    if (near) {
        fail(error, BAD, "there is no command '%s'", first);
        return error_advice(error, "Did you mean '%s'?", near);
    }
    char dotted[160];
    snprintf(dotted, sizeof dotted, "%.70s.%.70s", first, second);
    return method_need(dotted, out, error);
}

static Status take_seed(const Options *o, Session *session, Error *error) {
    Status status = OK;
    Bytes bytes = { 0 };
    char hex[66], text[80];
    int64_t number;
    if (o->seed && o->seed_file) return fail(error, BAD, "only one of --seed and --seed-file can be given");
    if (o->seed) {
        if (!read_integer(o->seed, o->seed + strlen(o->seed), &number)) { fail(error, BAD, "expects a whole number"); return error_parameter(error, "seed"); }
        session->seed = seed_from_number((uint64_t)number);
        session->seed_given = true;
        return OK;
    }
    if (o->seed_file && access(o->seed_file, F_OK) == 0) {
        TRY(bytes_open(o->seed_file, &bytes, error));
        snprintf(text, sizeof text, "%.*s", (int)(bytes.count < 70 ? bytes.count : 70), bytes.at ? bytes.at : "");
        status = seed_from_hex(text, &session->seed, error);
        if (status) TRY(error_file(error, o->seed_file));
        session->seed_given = true;
    } else {
        TRY(seed_fresh(&session->seed, error));
        if (o->seed_file) {
            seed_to_hex(&session->seed, hex);
            strcat(hex, "\n");
            TRY(file_write(o->seed_file, hex, strlen(hex), true, error));
        }
    }
done:
    bytes_close(&bytes);
    return status;
}

/* A verb that writes for itself has a parameter `output`: -o is that one. */
static Status own_output(Work *work, const Method *method, Options *o, Args *args) {
    Status status = OK;
    Arg *list = NULL;
    if (!method_param(method, "output") || !o->output_count) return OK;
    NEW(work, list, args->count + 1);
    if (args->count) memcpy(list, args->at, (size_t)args->count * sizeof *list);
    list[args->count] = (Arg){ .name = "output", .count = o->output_count, .items = o->outputs };
    *args = (Args){ args->count + 1, list };
    o->output_count = 0;
done:
    return status;
}

/* A method that debits a ledger uses INPUT.ledger where that is there and no other was named. */
static Status default_ledger(Work *work, const Method *method, Args *args) {
    Status status = OK;
    const Param *ledger = NULL, *input = NULL;
    Arg *list = NULL;
    const char **path = NULL;
    for (const Param *p = method->params; p && p->kind; p++) {
        if (p->kind == KIND_LEDGER) ledger = p;
        if (p->kind == KIND_TABLE && (p->flags & POSITIONAL) && !input) input = p;
    }
    const Arg *data = input ? args_find(args, input->name) : NULL;
    if (!ledger || !data || !data->count || args_find(args, ledger->name) || args_find(args, "no_ledger")) return OK;
    NEW(work, path, 1);
    path[0] = arena_print(work->arena, "%s.ledger", data->items[0]);
    if (!path[0] || access(path[0], F_OK)) return OK;
    NEW(work, list, args->count + 1);
    memcpy(list, args->at, (size_t)args->count * sizeof *list);
    list[args->count] = (Arg){ .name = ledger->name, .count = 1, .items = path };
    *args = (Args){ args->count + 1, list };
done:
    return status;
}

static Status run_command(Work *work, Options *o) {
    Status status = OK;
    const Method *method;
    int used;
    Args args = { 0 };
    Result *result = NULL;
    FileHost host = { 0 };
    Buffer text = { 0 };
    if (o->help && o->argc == 1 && is_group(o->argv[0]) && strcmp(o->argv[0], "release") && strcmp(o->argv[0], "scrub")) {
        help_methods(o->argv[0], &text);
        TRY(print_out(&text, work->error));
        goto done;
    }
    TRY(find_command(o->argc, o->argv, &method, &used, work->error));
    if (o->help) {
        help_method(method, &text);
        TRY(print_out(&text, work->error));
        goto done;
    }
    TRY(args_from_argv(work, method, o->argc - used, o->argv + used, &args));
    TRY(own_output(work, method, o, &args));
    TRY(default_ledger(work, method, &args));
    TRY(deliver_check(work, o, method, &args));
    host_open(&host, work, &o->csv);
    host.need_records = method != verb_find("verb", "convert") && method != verb_find("verb", "inspect");
    host.keep = o->output_count > 0;
    Session session = { .host = &host.host, .threads = o->threads, .progress = progress_start(o->quiet), .show_values = args_find(&args, "show_values") };
    work->progress = session.progress;
    TRY(take_seed(o, &session, work->error));
    status = method_run(&session, method, &args, NULL, &result, work->error);
    progress_end();
    if (!status) TRY(deliver(work, o, &host, method, &args, result));
    if (!status) status = verb_status(result, work->error);
done:
    host_close(&host);
    result_free(result);
    buffer_free(&text);
    return status;
}

static Status completion_command(const Options *o, Error *error) {
    static const struct { const char *shell; void (*write)(Buffer *); } shells[] = { { "bash", completion_bash }, { "zsh", completion_zsh }, { "fish", completion_fish } };
    Buffer text = { 0 };
    Status status = OK;
    for (size_t i = 0; i < 3; i++)
        if (o->argc == 2 && !strcmp(o->argv[1], shells[i].shell)) shells[i].write(&text);
    if (!text.count) {
        fail(error, BAD, "completion for which shell?");
        return error_advice(error, "scrim completion bash, zsh or fish; in bash: source <(scrim completion bash)");
    }
    status = print_out(&text, error);
    buffer_free(&text);
    return status;
}

static Status help_command(Options *o, Error *error) {
    Buffer text = { 0 };
    Status status = OK;
    const Method *method;
    int used;
    bool listing = o->argc && !strcmp(o->argv[0], "methods");
    if (o->argc == 2 && !strcmp(o->argv[1], "--man")) man_page(&text);
    else if (o->argc == 2 && is_group(o->argv[1]) && (listing || strcmp(o->argv[1], "release"))) help_methods(o->argv[1], &text);
    else if (o->argc > 1 && strcmp(o->argv[1], "help")) {
        status = find_command(o->argc - 1, o->argv + 1, &method, &used, error);
        if (!status && listing && o->format == FORMAT_JSON) method_describe(method, &text);
        else if (!status) help_method(method, &text);
    } else if (listing) help_methods(NULL, &text);
    else help_program(&text);
    if (!status) status = print_out(&text, error);
    buffer_free(&text);
    return status;
}

int main(int argc, char **argv) {
    Error error = ERROR_NONE;
    Options options = { 0 };
    Arena *arena = arena_new();
    signal(SIGPIPE, SIG_IGN); /* a closed pipe and a full quota are seen where they are written to */
    signal(SIGXFSZ, SIG_IGN);
    Work work = { .arena = arena, .error = &error };
    Status status = arena ? options_take(&work, argc - 1, argv + 1, &options) : FAILED;
    work.threads = options.threads;
    if (!status) {
        const char *first = options.argc ? options.argv[0] : NULL;
        Buffer text = { 0 };
        if (first && (!strcmp(first, "--version") || !strcmp(first, "version"))) {
            help_version(&text);
            status = print_out(&text, &error);
        } else if (!first || !strcmp(first, "help") || !strcmp(first, "methods")) status = help_command(&options, &error);
        else if (!strcmp(first, "completion")) status = completion_command(&options, &error);
        else status = run_command(&work, &options);
        if (!first && !options.help) status = status ? status : BAD;
        buffer_free(&text);
    }
    progress_end();
    if (status && error.message[0]) {
        char line[2048];
        error_text(&error, line, sizeof line);
        fprintf(stderr, "scrim: %s\n", line);
    }
    arena_free(arena);
    return (int)status;
}
