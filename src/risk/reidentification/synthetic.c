/* risk.reidentification of synthetic records: people who are unique in both tables by the same keys. */
#include <string.h>
#include "classes/joint_codes.h"
#include "risk/reidentification/reidentification.h"
#include "table/group.h"

static Status count_replicated(Attack *x, int64_t *out) {
    Status status = OK;
    const ReidentificationArgs *a = x->a;
    Work *work = &x->run->work;
    Codes *codes = NULL;
    Grouping grouping;
    int64_t *was = NULL, *is = NULL, before = a->original->rows, after = a->released->rows;
    NEW(work, codes, a->keys.count + 1);
    for (int64_t k = 0; k < a->keys.count; k++) {
        JointCodes joint;
        const Column *column;
        int32_t *at = NULL;
        TRY(table_need(a->original, a->keys.at[k]->name, &column, work->error));
        TRY(joint_codes(work, column, a->keys.at[k], 0, 0, &joint));
        NEW(work, at, before + after + 1);
        memcpy(at, joint.at[0], (size_t)before * sizeof *at);
        memcpy(at + before, joint.at[1], (size_t)after * sizeof *at);
        codes[k] = (Codes){ .count = joint.count, .at = at };
    }
    TRY(group_codes(work, codes, a->keys.count, before + after, &grouping));
    NEW(work, was, grouping.count + 1);
    NEW(work, is, grouping.count + 1);
    for (int64_t i = 0; i < before; i++) was[grouping.of[i]]++;
    for (int64_t i = 0; i < after; i++) is[grouping.of[before + i]]++;
    *out = 0;
    for (int64_t g = 0; g < grouping.count; g++) *out += was[g] == 1 && is[g] == 1;
done:
    return status;
}

Status reidentification_of_synthetic(Attack *x) {
    Status status = OK;
    Result *result = x->run->result;
    int64_t count = 0, people = x->a->original->rows;
    if (x->a->keys.count) TRY(count_replicated(x, &count));
    result_real(result, "share", people ? (double)count / (double)people : NAN);
    result_real(result, "expected", (double)count);
    result_text(result, "best", "counting");
    result_integer(result, "certain", count);
    result_integer(result, "class_certain", count);
    result_real(result, "worst", count > 0);
    result_real(result, "by_counting", (double)count);
    result_integer(result, "people", people);
    result_text(result, "truth", "synthetic");
    result_note(result, "No released record is anybody's own. People count who are unique in both tables by the same keys.");
done:
    return status;
}
