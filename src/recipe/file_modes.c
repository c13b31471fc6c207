/* Who may read what a method makes: by its declaration, at once, in parts and as a step. */
#include "recipe/file_modes.h"
#include "io/open.h"

bool file_mode_keeper(const Method *method, int64_t outputs) {
    int64_t output = 0;
    for (const Return *v = method->values; returns_more(v); v++)
        if (v->kind == RETURN_OUTPUT && output++ < outputs && v->flags & KEEPERS) return true;
    return false;
}

void file_mode_limit(Transaction *stage, const Method *method, const Result *result, bool everyone) {
    if (!result->kept && (result->outputs || everyone) && !file_mode_keeper(method, result->outputs)) return;
    for (const Param *p = method->params; p && p->kind; p++)
        for (int64_t i = 0; (p->kind == KIND_TABLE || p->kind == KIND_TABLES) && i < result->params; i++)
            if (param_is(p, result->param[i].name) && !result->param[i].handle) table_limit(stage, result->param[i].text);
}
