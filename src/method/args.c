/* argv into named lists of texts: the one shape that the binder takes. */
#include <string.h>
#include "base/password.h"
#include "method/method.h"

const Arg *args_find(const Args *args, const char *name) {
    for (int64_t i = 0; args && i < args->count; i++) {
        if (!args->at[i].name) continue; /* the place of a table that comes in parts */
        Param probe = { .name = args->at[i].name };
        Param asked = { .name = name };
        if (param_is(&probe, name) || param_is(&asked, args->at[i].name)) return &args->at[i];
    }
    return NULL;
}

/* "a,`b,c`,d" into three; backticks protect a name and are taken off. */
static Status split(Work *work, const char *text, bool list, int64_t *count, const char ***items) {
    Status status = OK;
    char *copy = NULL;
    const char **out = NULL;
    size_t length = strlen(text);
    NEW(work, copy, length + 1);
    NEW(work, out, length + 1);
    memcpy(copy, text, length + 1);
    *count = 0;
    for (char *at = copy; at;) {
        bool quoted = false;
        char *end = at;
        for (; *end && (!list || quoted || *end != ','); end++)
            if (*end == '`') quoted = !quoted;
        char *next = *end ? end + 1 : NULL;
        *end = 0;
        if (list && *at == '`' && end > at + 1 && end[-1] == '`') {
            at++;
            end[-1] = 0;
        }
        out[(*count)++] = at;
        at = next;
    }
    *items = out;
done:
    return status;
}

Status args_split(Work *work, const char *text, int64_t *count, const char ***items) { return split(work, text, true, count, items); }

static Status unknown_option(const Method *method, const char *name, Error *error) {
    const char *names[128];
    char dashed[128][64];
    size_t count = 0;
    for (const Param *list = method->params; list; list = list == method->params && list != common_params ? common_params : NULL)
        for (const Param *p = list; p->kind && count < 128; p++)
            if (p->kind < RULE_ONE_OF) {
                param_dashed(p, dashed[count]);
                names[count] = dashed[count];
                count++;
            }
    const char *near = nearest_name(name, names, count);
    char said[128];
    fail(error, BAD, "%s has no parameter --%s", method_said(method, said), name);
    if (near) return error_advice(error, "Did you mean --%s?", near);
    return error_advice(error, "`scrim help %s` lists them.", said);
}

static const Param *next_positional(const Method *method, const Param *from) {
    for (const Param *p = from ? from : method->params; p && p->kind; p++)
        if (p->flags & POSITIONAL) return p;
    return NULL;
}

/* Appends items to the argument of that name, or starts it: positional TABLES take all that is left, repeated options add up. */
static Status append(Work *work, Arg *list, int64_t *count, const char *name, int64_t items, const char **item) {
    Status status = OK;
    for (int64_t i = 0; i < *count; i++) {
        if (strcmp(list[i].name, name)) continue;
        const char **both = NULL;
        NEW(work, both, list[i].count + items);
        for (int64_t j = 0; j < list[i].count; j++) both[j] = list[i].items[j];
        for (int64_t j = 0; j < items; j++) both[list[i].count + j] = item[j];
        list[i].items = both;
        list[i].count += items;
        return OK;
    }
    list[(*count)++] = (Arg){ .name = name, .count = items, .items = item };
done:
    return status;
}

static Status option(Work *work, const Method *method, char *const *argv, int *at, int argc, Arg *list, int64_t *count) {
    Status status = OK;
    char name[64];
    const char *text = argv[*at] + 2, *equals = strchr(text, '=');
    size_t length = equals ? (size_t)(equals - text) : strlen(text);
    if (length >= sizeof name) length = sizeof name - 1;
    memcpy(name, text, length);
    name[length] = 0;
    const Param *param = method_param(method, name);
    const Method *inner = !param && method->passes ? method->passes(&(Args){ *count, list }) : NULL;
    if (inner) param = method_param(inner, name);
    if (!param) return unknown_option(inner ? inner : method, name, work->error);
    if (param->kind == KIND_FLAG) {
        if (equals) {
            fail(work->error, BAD, "takes no value");
            return error_parameter(work->error, name);
        }
        return append(work, list, count, param->name, 0, NULL);
    }
    if (!equals && *at + 1 >= argc) {
        fail(work->error, BAD, "needs a value");
        return error_parameter(work->error, name);
    }
    const char *value = equals ? equals + 1 : argv[++*at];
    const char **items = NULL;
    int64_t pieces = 0;
    TRY(split(work, value, kind_is_list(param->kind) && !(param->flags & WHOLE), &pieces, &items));
    TRY(append(work, list, count, param->name, pieces, items));
done:
    return status;
}

Status args_from_argv(Work *work, const Method *method, int argc, char *const *argv, Args *out) {
    Status status = OK;
    Arg *list = NULL;
    int64_t count = 0;
    const Param *positional = next_positional(method, NULL);
    bool options = true;
    NEW(work, list, argc + 1);
    for (int i = 0; i < argc; i++) {
        if (options && !strcmp(argv[i], "--")) {
            options = false;
            continue;
        }
        if (options && !strncmp(argv[i], "--", 2)) {
            TRY(option(work, method, argv, &i, argc, list, &count));
            continue;
        }
        if (options && argv[i][0] == '-' && argv[i][1]) TRY(fail(work->error, BAD, "there is no option '%s'", argv[i]));
        if (!positional) {
            char said[128];
            fail(work->error, BAD, "'%s' is one input too many for %s", holds_password(argv[i]) ? "…" : argv[i], method_said(method, said));
            TRY(error_advice(work->error, "`scrim help %s` shows its usage.", said));
        }
        const char **item = NULL;
        NEW(work, item, 1);
        item[0] = argv[i];
        TRY(append(work, list, &count, positional->name, 1, item));
        if (positional->kind != KIND_TABLES) positional = next_positional(method, positional + 1);
    }
    *out = (Args){ count, list };
done:
    return status;
}

bool args_any(const Args *args, const char *const *names) {
    for (; *names; names++)
        if (args_find(args, *names)) return true;
    return false;
}

bool always_record_by_record(const Args *given) {
    (void)given;
    return true;
}
