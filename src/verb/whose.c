/* Whose the records are, where that is not said. */
#include "verb/whose.h"
#include "profile/person.h"

Status question_whose(Work *work, const Table *table, bool person_named, const char **out) {
    Status status = OK;
    RepeatedRecords seen;
    *out = NULL;
    if (person_named) return OK;
    TRY(records_look_repeated(work, table, &seen));
    if (!seen.birth) return OK;
    *out =
        arena_print(work->arena,
                    "Does this file have several records per person? %lld of %lld records share %s%s%s%s%s with another record, far more "
                    "than by chance. Name the column that says whose a record is (role person); where each person has one record, a "
                    "column that numbers the records. Without it, every record counts as a person, and k is too large.",
                    (long long)seen.records, (long long)table->rows, seen.birth->name, seen.sex ? ", " : "", seen.sex ? seen.sex->name : "",
                    seen.place ? ", " : "", seen.place ? seen.place->name : "");
    if (!*out) TRY(out_of_memory(work->error));
done:
    return status;
}

Status ask_whose(Work *work, const Table *table, const Roles *roles, Result *result) {
    const char *question;
    Status status = question_whose(work, table, args_find(&roles->args, "person") != NULL, &question);
    if (!status && question) result_text(result, "question", question);
    return status;
}

Status refuse_unless_answered(Work *work, const Table *table, const Roles *roles) {
    const char *question;
    Status status = question_whose(work, table, args_find(&roles->args, "person") != NULL, &question);
    if (status || !question) return status;
    fail(work->error, BAD, "it is not said whose the records are");
    return error_advice(work->error, "%s", question);
}
