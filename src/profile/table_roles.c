/* Roles of a table's columns, made to agree with each other. */
#include "profile/table_roles.h"
#include <string.h>
#include "table/column_cache.h"
#include "table/group.h"
#include "table/measurement_level.h"

void suggested_role(const Column *column, const Profile *profile, SuggestedRole *out) {
    *out = (SuggestedRole){ .column = column, .present = profile->present, .distinct = profile->distinct };
    out->whole = column->type != REAL_TYPE && (!column_linear(column) || column_numeric(column));
    column_guess(column, profile, &out->guess);
}

static bool has_role(const SuggestedRole *role, const char *name) { return role->guess.role && !strcmp(role->guess.role, name); }

static int weight_rank(Concept concept) { return concept == CALLED_PERSON_WEIGHT ? 3 : concept == CALLED_WEIGHT ? 2 : 1; }

static void settle_weights(int64_t columns, SuggestedRole *role) {
    int64_t best = -1;
    for (int64_t j = 0; j < columns; j++)
        if (has_role(&role[j], "weight") && (best < 0 || weight_rank(role[j].guess.concept) > weight_rank(role[best].guess.concept)))
            best = j;
    for (int64_t j = 0; j < columns; j++) {
        if (!has_role(&role[j], "weight") || j == best) continue;
        role[j].guess.role = "other";
        role[j].guess.reason = "another weight: one has the role";
    }
}

/* The first column of the role; further ones number the same thing, and lead to it. */
static int64_t settle_one(int64_t columns, SuggestedRole *role, const char *name, const char *reason) {
    int64_t first = -1;
    for (int64_t j = 0; j < columns; j++) {
        if (!has_role(&role[j], name)) continue;
        if (first < 0) {
            first = j;
            continue;
        }
        role[j].guess.role = "identifiers";
        role[j].guess.reason = reason;
    }
    return first;
}

/* Does every value of one column go with one value of the other, and the other way round? */
static Status one_to_one(Work *work, const Column *a, const Column *b, bool *out) {
    Status status = OK;
    Codes codes[2];
    Work own = *work;
    Grouping groups = { 0 };
    own.memo = cache_borrow(work->memo);
    *out = false;
    TRY(column_codes(&own, a, &codes[0]));
    TRY(column_codes(&own, b, &codes[1]));
    if (codes[0].count != codes[1].count) goto done;
    TRY(group_codes(&own, codes, 2, a->rows, &groups));
    *out = groups.count == codes[0].count + (a->missing || b->missing ? 1 : 0) && a->missing == b->missing;
    grouping_drop(&own, &groups);
done:
    cache_free(own.memo);
    return status;
}

/* What repeats exactly with the person is another number of the person. Dates and amounts of a person do not, or are rare. */
static Status settle_shadows(Work *work, int64_t columns, SuggestedRole *role, int64_t person) {
    enum { FEWEST = 10 };
    Status status = OK;
    const SuggestedRole *of = &role[person];
    if (of->distinct < FEWEST || of->distinct >= of->present) return OK;
    for (int64_t j = 0; j < columns; j++) {
        bool shadow = false;
        if (j == person || !role[j].whole || role[j].distinct != of->distinct) continue;
        if (role[j].guess.role && !has_role(&role[j], "numeric")) continue;
        TRY(one_to_one(work, of->column, role[j].column, &shadow));
        if (!shadow) continue;
        role[j].guess.role = "identifiers";
        role[j].guess.reason = "repeats exactly with the person";
    }
done:
    return status;
}

Status settle_roles(Work *work, const Table *table, int64_t columns, SuggestedRole *role) {
    Status status = OK;
    settle_weights(columns, role);
    settle_one(columns, role, "household", "another number of the household");
    int64_t person = settle_one(columns, role, "person", "another number of the person");
    if (table && person >= 0) TRY(settle_shadows(work, columns, role, person));
done:
    return status;
}

Status table_roles(Work *work, const Table *table, SuggestedRole **out) {
    Status status = OK;
    *out = NULL;
    NEW(work, *out, table->columns + 1);
    for (int64_t j = 0; j < table->columns; j++) {
        Profile profile;
        TRY(column_profile(work, table->column[j], &profile));
        suggested_role(table->column[j], &profile, &(*out)[j]);
    }
    TRY(settle_roles(work, table, table->columns, *out));
done:
    return status;
}
