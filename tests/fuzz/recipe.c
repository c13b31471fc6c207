/* Any bytes at all as roles, policy and recipe: each is read or refused with a message and, where a line is known, the line. */
#include <stdlib.h>
#include <string.h>
#include "recipe/policy.h"
#include "recipe/roles.h"

static void must_say(Status status, const Error *error) {
    if (status != OK && (status != BAD || !error->message[0])) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Error error = ERROR_NONE;
    Work work = { .arena = arena_new(), .error = &error, .threads = 1 };
    char *bytes = malloc(size + 1);
    const YamlNode *node;
    Roles roles;
    Policy policy;
    Args args;
    if (!work.arena || !bytes) abort();
    memcpy(bytes, data, size);
    Status status = yaml_parse(&work, "fuzz.yaml", bytes, size, &node);
    must_say(status, &error);
    if (!status) {
        must_say(roles_make(&work, node, "folder/", &roles), &error);
        must_say(policy_make(&work, node, &policy), &error);
        for (int64_t i = 0; i < methods_count(); i += 7) must_say(node_args(&work, node, methods_at(i), &args), &error);
    }
    free(bytes);
    arena_free(work.arena);
    return 0;
}
