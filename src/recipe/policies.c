/* Policies by path, or by the name of one that comes with the program (share/policies, built in). */
#include <string.h>
#include "recipe/policy.h"

static const struct { const char *name, *text; } policies[] = {
#include "policies.h"
    { NULL, NULL }
};

static const char *built_in(const char *name) {
    for (int i = 0; policies[i].name; i++)
        if (!strcmp(policies[i].name, name)) return policies[i].text;
    return NULL;
}

const char *policy_path(Work *work, const char *folder, const char *path) { return built_in(path) ? path : path_beside(work, folder, path); }

Status policy_read(Work *work, const char *path, Policy *out) {
    Status status = OK;
    const Node *node;
    const char *text = built_in(path);
    if (text) TRY(node_parse(work, path, text, strlen(text), &node));
    else TRY(node_read(work, path, &node));
    TRY(policy_make(work, node, out));
done:
    return status;
}
