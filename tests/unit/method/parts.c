/* Running in parts: every method that can gives the same records and says the same of them as on the whole table, whatever the cut and
 * the order; states are the same bytes; what does not belong together is refused. */
#include "methods.h"
#include "method/parts.h"
#include "verb/verbs.h"
#include "parts_commands.h"
#include "parts_tables.h"
#include "render/render.h"

/* ---- commands ---- */

static Args args;
static Work work;
static const Method *method;
static const Table *data, *beside; /* the latter: of a method that takes two in parts */

/* The words of a command as arguments; the table's own name stays in them, as on a command line. */
static void take(const char *command) {
    static char *copy;
    char *words[64];
    free(copy);
    copy = strdup(command);
    int count = words_of(copy, words);
    method = strcmp(words[0], "verb") ? method_find(words[0], words[1]) : verb_find(words[0], words[1]);
    assert_non_null(method);
    data = NULL;
    for (int i = 0; i < SHELF && shelf[i]; i++)
        if (!strcmp(shelf[i]->name, words[2])) data = shelf[i];
    assert_non_null(data);
    beside = NULL;
    for (int i = 0; method->parts && method->parts->beside && i < SHELF && shelf[i]; i++)
        if (!strcmp(shelf[i]->name, words[3])) beside = shelf[i];
    assert_int_equal(args_from_argv(&work, method, count - 2, words + 2, &args), OK);
}

static Job *job_for(uint64_t seed) {
    Session session = { .host = &test_host, .seed = seed_from_number(seed), .seed_given = true, .threads = 2 };
    Job *job;
    if (job_new(&session, method, &args, NULL, &job, &last_error)) fail_msg("%s", last_error.message);
    return job;
}

static Table *cut(const Table *table, int64_t first, int64_t count) {
    Table *part;
    int64_t *rows = malloc((size_t)(count + 1) * sizeof *rows);
    for (int64_t i = 0; i < count; i++) rows[i] = first + i;
    assert_int_equal(table_take(table, rows, count, &part, &last_error), OK);
    free(rows);
    free(part->name);
    part->name = strdup(table->name);
    return part;
}

/* Records of the longer table. */
static int64_t all_rows(void) { return beside && beside->rows > data->rows ? beside->rows : data->rows; }

static int64_t within(const Table *table, int64_t first, int64_t count) {
    int64_t left = table->rows - first;
    return left < 0 ? 0 : left < count ? left : count;
}

static Table *cut_beside(int64_t first, int64_t count) { return beside ? cut(beside, first, within(beside, first, count)) : NULL; }

static Status fit_at(Job *job, int64_t first, int64_t count) {
    Table *part = cut(data, first, within(data, first, count)), *other = cut_beside(first, count);
    Status status = job_fit_both(job, (const Table *[]){ part, other }, first, &last_error);
    table_release(part);
    table_release(other);
    return status;
}

static Status apply_at(Job *job, int64_t first, int64_t count, Table **made) {
    Table *part = cut(data, first, within(data, first, count)), *other = cut_beside(first, count);
    Status status = job_apply_both(job, (const Table *[]){ part, other }, first, made, &last_error);
    table_release(part);
    table_release(other);
    return status;
}

/* ---- the whole ---- */

static char *whole_json;
static Table *whole_table; /* what it made, or the records with the columns of the result */

static void run_whole(uint64_t seed) {
    Session session = { .host = &test_host, .seed = seed_from_number(seed), .seed_given = true, .threads = 2 };
    Buffer text = { 0 };
    Result *result;
    if (method_run(&session, method, &args, NULL, &result, &last_error)) fail_msg("%s", last_error.message);
    render_json(result, &text);
    free(whole_json);
    whole_json = strdup(buffer_get(&text));
    buffer_free(&text);
    table_release(whole_table);
    whole_table = NULL;
    if (result->outputs) whole_table = table_retain(result->output[0]);
    else if (result->columns) {
        Column *columns[32];
        for (int64_t i = 0; i < result->columns; i++) columns[i] = result->column[i].column;
        assert_int_equal(table_with(data, columns, result->columns, &whole_table, &last_error), OK);
    }
    result_free(result);
}

/* ---- in parts ---- */

static void same_rows(const Table *part, const Table *whole, int64_t first) {
    char a[33], b[33];
    assert_int_equal(part->columns, whole->columns);
    assert_true(part->reordered == whole->reordered && part->perturbed == whole->perturbed && part->released == whole->released);
    for (int64_t j = 0; j < part->columns; j++) {
        assert_string_equal(part->column[j]->name, whole->column[j]->name);
        for (int64_t i = 0; i < part->rows; i++) {
            const char *mine = column_cell(part->column[j], i, a), *wanted = column_cell(whole->column[j], first + i, b);
            if (!mine != !wanted || (mine && strcmp(mine, wanted)))
                fail_msg("%s %s: column %s, row %lld: '%s' in parts, '%s' at once", method->group, method->name, part->column[j]->name,
                         (long long)(first + i), mine ? mine : "", wanted ? wanted : "");
        }
    }
}

/* Fits in shuffled order on `hands` jobs, merges them in shuffled order, and gives the state. */
static Buffer fit_shuffled(int64_t size, int hands, uint64_t seed) {
    Job *job[8], *all = job_for(seed);
    int64_t chunks = (all_rows() + size - 1) / size, *order = malloc((size_t)(chunks + 1) * sizeof *order);
    Buffer bytes = { 0 };
    for (int h = 0; h < hands; h++) job[h] = job_for(seed);
    for (int64_t i = 0; i < chunks; i++) order[i] = i;
    for (int64_t i = chunks - 1; i > 0; i--) {
        int64_t other = below(i + 1), kept = order[i];
        order[i] = order[other];
        order[other] = kept;
    }
    for (int64_t i = 0; i < chunks; i++) {
        if (fit_at(job[below(hands)], order[i] * size, size)) fail_msg("%s", last_error.message);
    }
    if (fit_at(job[below(hands)], data->rows / 2, 0)) fail_msg("%s", last_error.message); /* a part without records adds nothing */
    for (; hands > 0; hands--) { /* any two, until one is left, which the last takes over */
        int one = (int)below(hands), other = hands > 1 ? (one + 1 + (int)below(hands - 1)) % hands : -1;
        int64_t pieces = below(3) ? 1 : 1 + below(9), turn = below(pieces); /* as one, or as several from any of them on */
        for (int64_t i = 0; i < pieces; i++) {
            bytes.count = 0;
            assert_int_equal(job_state_piece(job[one], (turn + i) % pieces, pieces, &bytes, &last_error), OK);
            if (job_merge(other < 0 ? all : job[other], bytes.bytes, bytes.count, &last_error)) fail_msg("%s", last_error.message);
        }
        job_free(job[one]);
        job[one] = job[hands - 1];
    }
    bytes.count = 0;
    assert_int_equal(job_state(all, &bytes, &last_error), OK);
    job_free(all);
    free(order);
    return bytes;
}

static void same_json(Buffer *text, int64_t size) {
    const char *a = buffer_get(text), *b = whole_json;
    if (!strcmp(a, b)) return;
    while (*a == *b) a++, b++;
    fail_msg("%s %s says in parts of %lld: …%.200s… and at once: …%.200s…", method->group, method->name, (long long)size, a, b);
}

/* Applies to every chunk, by two jobs that only have the state; the second's deeds are merged into the first's. */
static void apply_all(const Buffer *fit, int64_t size, uint64_t seed) {
    Job *job[2];
    Buffer did = { 0 }, text = { 0 };
    Result *result;
    for (int h = 0; h < 2; h++) {
        job[h] = job_for(seed);
        assert_int_equal(job_merge(job[h], fit->bytes, fit->count, &last_error), OK);
        if (job_finish(job[h], &last_error)) fail_msg("%s", last_error.message);
    }
    int hands = 2;
    int64_t released = 0; /* a method may drop records: those released so far */
    for (int64_t first = 0, turn = 0; first < all_rows(); first += size, turn++) {
        int64_t count = within(data, first, size);
        Table *made;
        if (apply_at(job[turn % hands], first, size, &made)) fail_msg("%s", last_error.message);
        assert_true(!made == !whole_table);
        if (made) same_rows(made, whole_table, made->rows == count && whole_table->rows == data->rows ? first : released);
        released += made ? made->rows : 0;
        table_release(made);
    }
    assert_int_equal(job_state(job[1], &did, &last_error), OK);
    assert_int_equal(job_merge(job[0], did.bytes, did.count, &last_error), OK);
    assert_int_equal(job_result(job[0], &result, &last_error), OK);
    render_json(result, &text);
    same_json(&text, size);
    result_free(result);
    buffer_free(&did);
    buffer_free(&text);
    for (int h = 0; h < 2; h++) job_free(job[h]);
}

static void test_same_in_parts(void **unused) {
    (void)unused;
    for (int c = 0; c < COMMANDS; c++) {
        take(commands[c]);
        run_whole(11);
        Buffer first = { 0 };
        const int64_t sizes[] = { data->rows, 1, 7, 1000, 2 + below(data->rows) };
        for (int s = 0; s < 5; s++) {
            Buffer fit = fit_shuffled(sizes[s], s ? 2 + (int)below(7) : 1, 11);
            if (!s) {
                first = fit;
            } else {
                assert_int_equal(fit.count, first.count);
                assert_memory_equal(fit.bytes, first.bytes, fit.count);
            }
            apply_all(&fit, sizes[s], 11);
            if (s) buffer_free(&fit);
        }
        buffer_free(&first);
    }
}

static void test_every_method_is_here(void **unused) {
    (void)unused;
    for (int64_t i = 0; i < methods_count() + verbs_count(); i++) {
        const Method *m = i < methods_count() ? methods_at(i) : verbs_at(i - methods_count());
        bool here = !m->parts;
        char name[128];
        snprintf(name, sizeof name, "%s %s ", m->group, m->name);
        for (int c = 0; c < COMMANDS; c++) here |= !strncmp(commands[c], name, strlen(name));
        if (!here) fail_msg("%sruns in parts, and no command here holds it to that", name);
    }
}

/* ---- groups of columns ---- */

typedef struct {
    const Table *data;
    Columns keys;
    Groups cross;
} GroupArgs;
static const Param group_params[] = {
    TABLE(GroupArgs, data, "A table", .flags = REQUIRED | POSITIONAL),
    COLUMNS(GroupArgs, keys, data, "Keys"),
    GROUPS(GroupArgs, cross, data, "Groups"),
    END,
};
static int64_t group_rows, group_columns;

/* Every column that it is given must be one of the reduced table, and all of them must have told its rows apart. */
static Status group_run(Run *run, const void *p) {
    const GroupArgs *a = p;
    (void)run;
    group_rows = a->data->rows;
    group_columns = 0;
    for (int64_t g = 0; g < a->cross.count; g++)
        for (int64_t j = 0; j < a->cross.at[g].count; j++, group_columns++)
            assert_ptr_equal(a->cross.at[g].at[j], table_column(a->data, a->cross.at[g].at[j]->name));
    for (int64_t j = 0; j < a->keys.count; j++) assert_ptr_equal(a->keys.at[j], table_column(a->data, a->keys.at[j]->name));
    return OK;
}
static int64_t one_apart(const void *p) {
    (void)p;
    return 1;
}

static void test_groups_by_class(void **unused) {
    (void)unused;
    static const InParts parts = { .shape = BY_CLASS, .apart = one_apart };
    static const Method toy = { .group = "toy",
                                .name = "groups",
                                .params = group_params,
                                .size = sizeof(GroupArgs),
                                .run = group_run,
                                .parts = &parts };
    Session session = { .host = &test_host, .threads = 1 };
    Result *result;
    table_from("few", "a,b,c,d\n1,1,1,1\n1,1,1,2\n1,2,1,3\n1,2,2,4\n1,2,2,5\n");
    char *words[] = { "few", "--keys", "a", "--cross", "b,a;c" };
    assert_int_equal(args_from_argv(&work, &toy, 5, words, &args), OK);
    if (method_run(&session, &toy, &args, NULL, &result, &last_error)) fail_msg("%s", last_error.message);
    result_free(result);
    assert_int_equal(group_columns, 3);
    assert_int_equal(group_rows, 3); /* (1,1,1), (1,2,1), (1,2,2): d is not named */
}

/* ---- what is refused ---- */

static void refused(Status status, const char *part) {
    char text[2048];
    error_text(&last_error, text, sizeof text);
    assert_int_equal(status, BAD);
    if (!strstr(text, part)) fail_msg("says: %s; not: %s", text, part);
}

static void test_refused(void **unused) {
    (void)unused;
    Session session = { .host = &test_host, .threads = 1 };
    Job *job;
    Buffer bytes = { 0 };
    take("protect microaggregate clinic --vars income --k 3");
    refused(job_new(&session, method, &args, NULL, &job, &last_error), "does not run in parts");
    take("protect noise clinic --vars income --amount 0.1 --method own-distribution");
    job = job_for(1);
    refused(job_fit(job, data, 0, &last_error), "needs the whole table here: own-distribution uses");
    job_free(job);

    char wide[600] = ""; /* what cannot be in parts by its types alone is not read through first */
    for (int line = 0; line < 3; line++)
        for (int j = 0; j < 33; j++)
            snprintf(wide + strlen(wide), 16, line ? "%d.5%s" : "c%d%s", line ? j % 9 + line : j, j < 32 ? "," : "\n");
    table_from("wide", wide);
    take("utility compare wide wide");
    job = job_for(1);
    refused(fit_at(job, 0, 2), "correlations of more than 32 numeric columns");
    job_free(job);

    take("protect noise clinic --vars income --amount 0.1");
    job = job_for(1);
    assert_int_equal(job_fit(job, data, 0, &last_error), OK);
    refused(job_fit(job, table_from("other", "income,x\n1,2\n3,4\n"), 300, &last_error), "2 columns, and the first had 22");
    assert_int_equal(job_state(job, &bytes, &last_error), OK);
    Table *like = table_from("worded", "income,x\nlow,2\nhigh,4\n");
    Job *small = job_for(1);
    assert_int_equal(job_fit(small, table_from("two", "income,x\n1,2\n3,4\n"), 0, &last_error), OK);
    refused(job_fit(small, like, 2, &last_error), "holds categories in this part of the table, and whole numbers in the first");
    job_free(small);

    refused(job_fit(job, data, 0, &last_error), "record 1 of the table came before");
    Table *late = cut(data, 250, 50);
    refused(job_fit(job, late, 299, &last_error), "record 300 of the table came before");
    assert_int_equal(job_fit(job, late, 300, &last_error), OK);
    refused(job_merge(job, bytes.bytes, bytes.count, &last_error), "came before. Parts do not overlap");
    table_release(late);

    take("protect noise clinic --vars income --amount 0.2");
    small = job_for(1);
    refused(job_merge(small, bytes.bytes, bytes.count, &last_error), "of another method, or of other arguments");
    bytes.bytes[12] = '9';
    refused(job_merge(small, bytes.bytes, bytes.count, &last_error), "of another version");
    refused(job_merge(small, "scrim", 5, &last_error), "no state of a job");
    refused(job_finish(small, &last_error), "no part of the table has come");
    job_free(small);
    job_free(job);
    buffer_free(&bytes);
}

/* What was laid aside on disk, however often, is what was learned. */
static void test_laid_aside(void **unused) {
    (void)unused;
    for (int c = 0; c < COMMANDS; c++) {
        take(commands[c]);
        Job *job = job_for(11);
        Result *result;
        Buffer text = { 0 };
        size_t bytes;
        int64_t tuples, size = 1 + below(data->rows / 2), often = 1 + below(3), released = 0;
        for (int64_t first = 0, turn = 1; first < all_rows(); first += size, turn++) {
            if (fit_at(job, first, size)) fail_msg("%s", last_error.message);
            if (job_can_spill(job) && turn % often == 0 && job_spill(job, ".", &last_error)) fail_msg("%s", last_error.message);
        }
        if (!job_can_spill(job)) refused(job_spill(job, ".", &last_error), "cannot lay aside");
        run_whole(11);
        if (job_gather(job, &bytes, &tuples, &last_error) || job_finish(job, &last_error)) fail_msg("%s", last_error.message);
        assert_true((bytes > 0) == (tuples > 0));
        assert_true((tuples > 0) == (method->parts->shape == BY_CLASS));
        for (int64_t first = 0; first < all_rows(); first += size) {
            Table *made;
            if (apply_at(job, first, size, &made)) fail_msg("%s", last_error.message);
            if (made) same_rows(made, whole_table, whole_table->rows == data->rows ? first : released);
            released += made ? made->rows : 0;
            table_release(made);
        }
        if (job_result(job, &result, &last_error)) fail_msg("%s", last_error.message);
        render_json(result, &text);
        same_json(&text, size);
        result_free(result);
        buffer_free(&text);
        job_free(job);
    }
}

/* What failed in the middle of a part is not whole, and is not handed on. */
static void test_fails_half_way(void **unused) {
    (void)unused;
    Buffer bytes = { 0 };
    Result *result;
    Table *made, *bad = table_from("heavy", "a,w\nx,1\ny,1e30\n"), *good = table_from("light", "a,w\nx,1\ny,2.5\n");
    take("risk k-anonymity heavy --keys a --weight w");
    Job *job = job_for(1);
    assert_int_equal(job_fit(job, good, 0, &last_error), OK);
    refused(job_fit(job, bad, 2, &last_error), "too large to be summed exactly");
    refused(job_fit(job, good, 4, &last_error), "failed in the middle of a part");
    refused(job_state(job, &bytes, &last_error), "failed in the middle of a part");
    refused(job_finish(job, &last_error), "failed in the middle of a part");
    refused(job_merge(job, "scrim state 4", 14, &last_error), "no state of a job");
    refused(job_apply(job, good, 0, &made, &last_error), "has not been finished");
    refused(job_result(job, &result, &last_error), "has not been finished");
    job_free(job);
    buffer_free(&bytes);
}

/* --where of methods by row: in their order, by one job, the same as at once; otherwise not at all. */
static void test_where_by_row(void **unused) {
    (void)unused;
    static const char *const some[] = {
        "protect noise clinic --vars income,bmi --amount 0.2 --where 'age > 40'",
        "protect noise gaps --vars x --amount 0.5 --method laplace --strata s --where 'a == \"u1\"'",
        "protect round clinic --vars income --base 50 --method random --where 'sex == \"f\"'",
        "protect pram gaps --vars a,b --keep 0.5 --where 'x > 30'",
        "protect pram clinic --vars region,education --keep 0.8 --invariant --weight w --where 'age < 60'",
        "protect randomized-response clinic --var smoker --p 0.8 --where 'age < 0'",
        "protect top-bottom clinic --var income --top-quantile 0.9 --where 'region == \"north\"' --replace tail-mean",
        "protect recode clinic --var age --breaks 0,30,60 --where 'bmi < 25'",
        "protect location places --lat lat --lon lon --subject who --method donut --inner 50 --outer 900 --per subject --where 'lat > 44'",
    };
    for (size_t c = 0; c < sizeof some / sizeof *some; c++) {
        take(some[c]);
        run_whole(5);
        const int64_t sizes[] = { data->rows, 1, 7, 100 };
        for (int s = 0; s < 4; s++) {
            Job *job = job_for(5);
            Result *result, *again;
            Buffer text = { 0 };
            for (int round = 0; round < 3; round++) { /* learned, applied, and applied once more, as a writer may ask */
                if (round == 1 && job_finish(job, &last_error)) fail_msg("%s", last_error.message);
                job_forget(job);
                for (int64_t first = 0; first < data->rows; first += sizes[s]) {
                    Table *part = cut(data, first, data->rows - first < sizes[s] ? data->rows - first : sizes[s]), *made = NULL;
                    if (round ? job_apply(job, part, first, &made, &last_error) : job_fit(job, part, first, &last_error))
                        fail_msg("%s: %s", some[c], last_error.message);
                    if (made) same_rows(made, whole_table, first);
                    table_release(made);
                    table_release(part);
                }
            }
            assert_int_equal(job_result(job, &result, &last_error), OK);
            render_json(result, &text);
            same_json(&text, sizes[s]);
            refused(job_result(job, &again, &last_error), "was already taken");
            result_free(result);
            buffer_free(&text);
            job_free(job);
        }
    }
    Job *job = job_for(5);
    Table *late = cut(data, 100, 50);
    refused(job_fit(job, late, 100, &last_error), "takes the parts of a table in their order");
    table_release(late);
    job_free(job);
}

/* A state cut short or changed is refused or read, never worse; what is read can be used. */
static void test_broken_states(void **unused) {
    (void)unused;
    take("risk k-anonymity gaps --keys a,b,c --missing wildcard --weight w");
    Buffer fit = fit_shuffled(7, 2, 1);
    for (int round = 0; round < 3000; round++) {
        size_t count = round % 3 ? fit.count : (size_t)below((int64_t)fit.count);
        char *copy = malloc(count + 1);
        memcpy(copy, fit.bytes, count);
        if (round % 3) copy[below((int64_t)count)] ^= (char)(1 << below(8));
        Job *job = job_for(1);
        if (!job_merge(job, copy, count, &last_error) && !job_finish(job, &last_error)) assert_true(count == fit.count);
        job_free(job);
        free(copy);
    }
    buffer_free(&fit);
}

/* What a part was answered with is counted: a part that comes again, or in another's state, is refused, not counted in place of one that
 * never came. */
static void test_applied_once(void **unused) {
    (void)unused;
    static const char *const some[] = {
        "utility compare gaps changed", "verb inspect gaps",
        "release query gaps --query 'mean(x)' --bounds x:0:90 --epsilon 9 --no-ledger --insecure-reproducible",
        "protect noise gaps --vars x --amount 0.5"
    };
    for (size_t c = 0; c < sizeof some / sizeof *some; c++) {
        take(some[c]);
        const int64_t half = data->rows / 2;
        Buffer fit = fit_shuffled(half, 1, 1), did = { 0 };
        Job *job = job_for(1), *other = job_for(1);
        Table *made;
        assert_int_equal(job_merge(job, fit.bytes, fit.count, &last_error), OK);
        assert_int_equal(job_merge(other, fit.bytes, fit.count, &last_error), OK);
        assert_int_equal(job_finish(job, &last_error), OK);
        assert_int_equal(job_finish(other, &last_error), OK);
        for (int j = 0; j < 2; j++) {
            if (apply_at(j ? other : job, 0, half, &made)) fail_msg("%s", last_error.message);
            table_release(made);
        }
        refused(apply_at(job, 0, half, &made), "record 1 of the table came before");
        refused(apply_at(job, half - 1, 1, &made), "came before");
        assert_int_equal(job_state(other, &did, &last_error), OK);
        refused(job_merge(job, did.bytes, did.count, &last_error), "record 1 of the table came before");
        buffer_free(&fit);
        buffer_free(&did);
        job_free(job);
        job_free(other);
    }
}

/* Of one table records are missing between parts: which record of the other they lie beside is not known. */
static void test_not_side_by_side(void **unused) {
    (void)unused;
    take("utility compare gaps changed");
    for (int shorter = 0; shorter < 2; shorter++) {
        Job *job = job_for(1);
        const Table *table[2] = { data, beside };
        Table *part[2], *made;
        for (int t = 0; t < 2; t++) part[t] = cut(table[t], 0, t == shorter ? 6 : 10);
        assert_int_equal(job_fit_both(job, (const Table *const *)part, 0, &last_error), OK);
        if (fit_at(job, 10, all_rows() - 10)) fail_msg("%s", last_error.message);
        if (!job_finish(job, &last_error))
            refused(job_apply_both(job, (const Table *const *)part, 0, &made, &last_error), "are not aligned");
        for (int t = 0; t < 2; t++) table_release(part[t]);
        job_free(job);
    }
}

/* One bit of it is another; more often than not near its beginning. */
static Buffer one_bit_off(const Buffer *bytes) {
    Buffer copy = { 0 };
    buffer_add(&copy, bytes->bytes, bytes->count);
    int64_t begin = bytes->count < 4000 ? (int64_t)bytes->count : 4000;
    copy.bytes[below(below(3) ? (int64_t)bytes->count : begin)] ^= (char)(1 << below(8));
    return copy;
}

/* The same where what was read is looked at, and where what was done is. */
static void test_broken_look(void **unused) {
    (void)unused;
    static const char *const some[] = { "verb inspect gaps", "utility compare gaps changed", "utility compare few_codes merged_codes" };
    for (int round = 0; round < 1200; round++) {
        take(some[round % 3]);
        Buffer fit = fit_shuffled(all_rows() + 1, 1, 1), did = { 0 }, off = one_bit_off(&fit);
        Table *made = NULL;
        Result *result = NULL;
        Job *job = job_for(1), *deeds = job_for(1);
        if (!job_merge(job, off.bytes, off.count, &last_error) && !job_finish(job, &last_error) && !apply_at(job, 0, all_rows(), &made) &&
            !job_result(job, &result, &last_error))
            assert_non_null(result);
        result_free(result);
        result = NULL;
        table_release(made);
        buffer_free(&off);
        if (!job_merge(deeds, fit.bytes, fit.count, &last_error) && !job_finish(deeds, &last_error) &&
            !apply_at(deeds, 0, all_rows(), &made) && !job_state(deeds, &did, &last_error)) {
            off = one_bit_off(&did);
            job_free(job);
            job = job_for(1);
            if (!job_merge(job, fit.bytes, fit.count, &last_error) && !job_finish(job, &last_error) &&
                !job_merge(job, off.bytes, off.count, &last_error) && !job_result(job, &result, &last_error))
                assert_non_null(result);
            result_free(result);
            buffer_free(&off);
        }
        job_free(job);
        job_free(deeds);
        buffer_free(&fit);
        buffer_free(&did);
    }
}

int main(void) {
    work = (Work){ .arena = arena_new(), .error = &last_error, .threads = 1 };
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_same_in_parts),   cmocka_unit_test(test_every_method_is_here),
                                        cmocka_unit_test(test_groups_by_class), cmocka_unit_test(test_refused),
                                        cmocka_unit_test(test_laid_aside),      cmocka_unit_test(test_fails_half_way),
                                        cmocka_unit_test(test_where_by_row),    cmocka_unit_test(test_broken_states),
                                        cmocka_unit_test(test_broken_look),     cmocka_unit_test(test_applied_once),
                                        cmocka_unit_test(test_not_side_by_side) };
    table_from_file("clinic", "examples/clinic.csv");
    table_from_file("people", "examples/population.csv");
    table_from_file("sex", "examples/hierarchies/sex.csv");
    table_from_file("age", "examples/hierarchies/age.csv");
    table_from_file("region", "examples/hierarchies/region.csv");
    table_from_file("education", "examples/hierarchies/education.csv");
    table_from_file("tracks", "examples/tracks.csv");
    make_gaps();
    make_places();
    make_forms();
    table_from_file("masked", "examples/clinic-released.csv");
    make_changed();
    make_codes();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(whole_json);
    table_release(whole_table);
    for (int i = 0; i < SHELF; i++) table_release(shelf[i]);
    arena_free(work.arena);
    return failed;
}
