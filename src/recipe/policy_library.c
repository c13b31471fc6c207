/* Policies by path, or by the name of one that comes with the program (share/policies, built in). */
#include <string.h>
#include "recipe/policy.h"

static const struct {
    const char *name, *text;
} policies[] = {
#include "policies.h"
    { NULL, NULL }
};

static const char *built_in(const char *name) {
    for (int i = 0; policies[i].name; i++)
        if (!strcmp(policies[i].name, name)) return policies[i].text;
    return NULL;
}

bool policy_is_built_in(const char *name) { return built_in(name) != NULL; }

const char *policy_path(Work *work, const char *folder, const char *path) {
    return built_in(path) || yaml_inline(path) ? path : path_beside(work, folder, path);
}

/* A word that is neither a file nor a policy of ours. */
static Status no_policy(Work *work, const char *name, Status status) {
    const char *names[64];
    size_t count = 0;
    Buffer all = { 0 };
    if (strpbrk(name, "./\n{[")) return status;
    for (; policies[count].name && count < 64; count++) {
        names[count] = policies[count].name;
        buffer_print(&all, "%s%s", count ? ", " : "", names[count]);
    }
    const char *near = nearest_name(name, names, count);
    if (near) error_advice(work->error, "Did you mean '%s'? These come with the program: %s.", near, buffer_get(&all));
    else error_advice(work->error, "These come with the program: %s.", buffer_get(&all));
    buffer_free(&all);
    return status;
}

Status policy_read(Work *work, const char *path, Policy *out) {
    Status status = OK;
    const YamlNode *node;
    const char *text = built_in(path);
    if (text) TRY(yaml_parse(work, path, text, strlen(text), &node));
    else if ((status = yaml_open(work, path, "the policy", &node))) return no_policy(work, path, status);
    TRY(policy_make(work, node, out));
done:
    return status;
}
