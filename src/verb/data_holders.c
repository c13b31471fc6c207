/* The register of who has which part of the data (Matthews & Harel 2011, section 3.2.1; 2013, p. 894), and what each of them, alone or
 * together, would learn from the release. */
#include <string.h>
#include "base/elementary.h"
#include "base/number_text.h"
#include "verb/data_holders_private.h"
#include "verb/measure_expression.h"
#include "recipe/yaml_args.h"

enum { MOST_PARTIES = 20, MOST_COALITIONS = 2000 };

/* ---- Reading ---- */

static Status open_beside(Register *r, const char *path, Table **out) {
    const Host *host = r->run->session->host;
    if (!host || !host->table) return fail(r->work->error, BAD, "this caller lends no tables");
    const char *beside = path_beside(r->work, r->folder, path);
    result_read(r->run->result, beside);
    return host->table(host->self, beside, out, r->work->error);
}

static Status text_at(Work *work, const YamlNode *map, const char *name, const char **out) {
    const YamlNode *node = yaml_find(map, name);
    return node ? yaml_need_text(work, node, name, out) : OK;
}

static Status read_rule(Register *r, const YamlNode *node, Holder *h) {
    Status status = OK;
    const char *rule = NULL, *file = NULL;
    const Expr *expr;
    int64_t count;
    TRY(text_at(r->work, node, "rule", &rule));
    TRY(text_at(r->work, node, "file", &file));
    if (!rule && !file) TRY(yaml_fail(r->work, node, "a holder needs a rule (which records are its own) or a file"));
    if (rule) {
        TRY(expr_parse(r->work, r->data, rule, &expr));
        TRY(expr_mask(r->work, expr, r->data, &h->mask, &count));
    }
    if (file) TRY(open_beside(r, file, &h->file));
done:
    return status;
}

/* What a holder is said to know, and its file does not have, links nobody. */
static void note_lacking(Register *r, const Holder *h) {
    Buffer lacks = { 0 };
    for (int64_t i = 0; h->file && i < h->columns; i++)
        if (!table_column(h->file, h->column[i])) buffer_print(&lacks, "%s%s", lacks.count ? ", " : "", h->column[i]);
    if (lacks.count)
        result_note(r->run->result, "The file of %s lacks columns that it is said to know (%s): linkage is measured without them.",
                    h->party, buffer_get(&lacks));
    buffer_free(&lacks);
}

static Status read_earlier(Register *r, const YamlNode *node, Holder *h) {
    Status status = OK;
    const char **paths = NULL;
    TRY(node_texts(r->work, node, "earlier", &h->earlier_count, &paths));
    NEW(r->work, h->earlier, h->earlier_count + 1);
    for (int64_t i = 0; i < h->earlier_count; i++) {
        h->earlier[i].path = paths[i];
        TRY(open_beside(r, paths[i], &h->earlier[i].table));
    }
done:
    return status;
}

static Status read_holder(Register *r, const YamlNode *node, Holder *h) {
    static const char *const names[] = { "party", "rule", "file", "columns", "since", "earlier", NULL };
    Status status = OK;
    const YamlNode *columns, *earlier;
    TRY(yaml_need_kind(r->work, node, YAML_MAP, "a holder"));
    TRY(yaml_known(r->work, node, "a holder", names));
    if (!yaml_find(node, "party")) TRY(yaml_fail(r->work, node, "a holder needs a party: its name"));
    TRY(text_at(r->work, node, "party", &h->party));
    if (!*h->party) TRY(yaml_fail(r->work, node, "a holder needs a party: its name"));
    for (const Holder *other = r->at; other < h; other++)
        if (!strcmp(other->party, h->party)) TRY(yaml_fail(r->work, node, "two holders have one name"));
    TRY(text_at(r->work, node, "since", &h->since));
    TRY(read_rule(r, node, h));
    if ((columns = yaml_find(node, "columns"))) TRY(node_texts(r->work, columns, "columns", &h->columns, &h->column));
    for (int64_t i = 0; i < h->columns; i++) {
        const Column *column;
        TRY(table_need(r->data, h->column[i], &column, r->work->error));
    }
    note_lacking(r, h);
    if ((earlier = yaml_find(node, "earlier"))) TRY(read_earlier(r, earlier, h));
done:
    return status;
}

static Status read_register(Register *r, const char *path) {
    static const char *const names[] = { "holders", "coalition", "id", "score", "status", NULL };
    Status status = OK;
    const YamlNode *root, *list;
    const char *most = NULL;
    TRY(yaml_open(r->work, path, "holders", &root));
    TRY(yaml_need_kind(r->work, root, YAML_MAP, "holders"));
    TRY(yaml_known(r->work, root, "a register of holders", names));
    r->folder = yaml_inline(path) ? "" : path_folder(r->work, path);
    TRY(text_at(r->work, root, "id", &r->id));
    TRY(text_at(r->work, root, "score", &r->score));
    TRY(text_at(r->work, root, "status", &r->status));
    for (int i = 0; i < 3; i++) {
        const char *name = (const char *[]){ r->id, r->score, r->status }[i];
        const Column *column;
        if (name) TRY(table_need(r->data, name, &column, r->work->error));
    }
    TRY(text_at(r->work, root, "coalition", &most));
    r->most = 1;
    if ((most && !read_integer(most, most + strlen(most), &r->most)) || r->most < 1 || r->most > MOST_PARTIES)
        TRY(yaml_fail(r->work, root, "coalition must be a number from 1 to %d", MOST_PARTIES));
    if (!(list = yaml_find(root, "holders"))) TRY(yaml_fail(r->work, root, "there are no holders"));
    TRY(yaml_need_kind(r->work, list, YAML_LIST, "holders"));
    if (list->count > MOST_PARTIES) TRY(yaml_fail(r->work, list, "more than %d holders", MOST_PARTIES));
    NEW(r->work, r->at, list->count + 1);
    for (int64_t i = 0; i < list->count; i++) {
        r->count = i + 1;
        TRY(read_holder(r, list->item[i], &r->at[i]));
    }
done:
    return status;
}

/* ---- A coalition ---- */

static bool knows(const Register *r, unsigned members, const char *column) {
    for (int64_t h = 0; h < r->count; h++) {
        if (!(members >> h & 1)) continue;
        if (!r->at[h].columns) return true; /* not said: all */
        for (int64_t i = 0; i < r->at[h].columns; i++)
            if (!strcmp(r->at[h].column[i], column)) return true;
    }
    return false;
}

static Status coalition_make(Register *r, unsigned members, Coalition *out) {
    Status status = OK;
    Buffer who = { 0 }, columns = { 0 }, since = { 0 };
    *out = (Coalition){ .members = members, .parties = __builtin_popcount(members) };
    NEW(r->work, out->other, r->data->rows + 1);
    NEW(r->work, out->keys.at, r->keys.count + 1);
    for (int64_t h = 0; h < r->count; h++)
        if (members >> h & 1) {
            buffer_print(&who, "%s%s", who.count ? " with " : "", r->at[h].party);
            if (r->at[h].since) buffer_print(&since, "%s%s", since.count ? ", " : "", r->at[h].since);
        }
    for (int64_t k = 0; k < r->keys.count; k++) {
        if (!knows(r, members, r->keys.at[k]->name)) continue;
        buffer_print(&columns, "%s%s", columns.count ? ", " : "", r->keys.at[k]->name);
        out->keys.at[out->keys.count++] = r->keys.at[k];
    }
    for (int64_t i = 0; i < r->data->rows; i++) {
        bool own = false;
        for (int64_t h = 0; h < r->count; h++) own |= (members >> h & 1) && r->at[h].mask && r->at[h].mask[i];
        if (!own) out->other[out->others++] = i;
    }
    out->records = r->data->rows - out->others;
    out->who = arena_text(r->work->arena, buffer_get(&who));
    out->columns = arena_text(r->work->arena, columns.count ? buffer_get(&columns) : "");
    out->since = arena_text(r->work->arena, since.count ? buffer_get(&since) : "");
    if (!out->who || !out->columns || !out->since) status = out_of_memory(r->work->error);
done:
    buffer_free(&who);
    buffer_free(&columns);
    buffer_free(&since);
    return status;
}

void data_holders_report(Register *r, const Coalition *c, const Told *told) {
    grid_text(r->grid, c->who);
    grid_integer(r->grid, c->parties);
    grid_integer(r->grid, c->records);
    grid_text(r->grid, c->columns);
    grid_text(r->grid, told->method);
    grid_real(r->grid, told->learned);
    grid_real(r->grid, told->baseline);
    grid_text(r->grid, told->unit);
    grid_text(r->grid, told->of);
    grid_text(r->grid, told->why);
    grid_text(r->grid, *c->since ? c->since : NULL);
}

void worst_take(Register *r, Worst *worst, const Coalition *c, const Told *told) {
    if (isnan(told->learned) || (worst->who && told->learned <= worst->learned)) return;
    *worst = (Worst){ told->learned, arena_text(r->run->result->arena, c->who), told->of, c->others };
}

Status data_holders_attack(Register *r, const char *name, const Args *args, Result **out, const char **why) {
    Error error = ERROR_NONE;
    const Method *method;
    Status status = method_need(name, &method, r->work->error);
    *out = NULL;
    *why = NULL;
    if (status) return status;
    status = method_run(r->run->session, method, args, NULL, out, &error);
    if (status == BAD || status == REFUSED) {
        char text[1024];
        error_text(&error, text, sizeof text);
        *why = arena_text(r->work->arena, text);
        return OK;
    }
    if (status) *r->work->error = error;
    return status;
}

/* ---- What the classes tell, once one's own records are taken off ---- */

static Status certain_of(Register *r, const Table *table, Columns keys, Result **out, const char **why) {
    Status status = OK;
    const char **names = NULL;
    Table *handle = (Table *)(uintptr_t)table;
    NEW(r->work, names, keys.count + 1);
    for (int64_t k = 0; k < keys.count; k++) names[k] = keys.at[k]->name;
    Arg arg[] = { { .name = "data", .count = 1, .tables = &handle },
                  { .name = "keys", .count = keys.count, .items = names },
                  { .name = "sensitive", .count = 1, .items = &r->sensitive } };
    TRY(data_holders_attack(r, "attack.homogeneity", &(Args){ 3, arg }, out, why));
done:
    return status;
}

const Column *result_record(const Result *result, const char *name) {
    for (int64_t c = 0; c < result->columns; c++)
        if (!strcmp(result->column[c].column->name, name)) return result->column[c].column;
    return NULL;
}

static const Column *exposed_in(const Result *result) { return result_record(result, "exposed"); }

const char *of_whom(const Register *r, const Coalition *c, const Column *exposed) {
    const char *of = NULL;
    int64_t most = 0;
    for (int64_t h = 0; h < r->count; h++) {
        int64_t count = 0;
        if (is_member(c, h) || !r->at[h].mask) continue;
        for (int64_t i = 0; i < c->others; i++) count += r->at[h].mask[c->other[i]] && column_number(exposed, i) == 1;
        if (count > most) {
            most = count;
            of = r->at[h].party;
        }
    }
    return of;
}

/* The intruder knows the sensitive values of its own records and the keys of everyone: what is left of each class is the others'. The
 * baseline is what anyone who knows these keys is sure of, of the same people. */
static Status tell_background(Register *r, const Coalition *c, const Result *anyone) {
    Status status = OK;
    Table *others = NULL;
    Result *result = NULL;
    Told told = { "attack.background", "people", NULL, NULL, NAN, NAN };
    const Column *before = anyone ? exposed_in(anyone) : NULL;
    if (!c->keys.count || !r->sensitive) told.why = r->sensitive ? "It knows no key." : "No sensitive column is declared.";
    else {
        TRY(table_take(r->data, c->other, c->others, &others, r->work->error));
        TRY(certain_of(r, others, c->keys, &result, &told.why));
    }
    const Column *exposed = result ? exposed_in(result) : NULL;
    if (exposed && before) {
        told.learned = told.baseline = 0;
        for (int64_t i = 0; i < c->others; i++) {
            told.learned += column_number(exposed, i) == 1;
            told.baseline += column_number(before, c->other[i]) == 1;
        }
        told.of = of_whom(r, c, exposed);
        worst_take(r, &r->certain, c, &told);
    }
    data_holders_report(r, c, &told);
done:
    table_release(others);
    result_free(result);
    return status;
}

/* ---- All of them ---- */

typedef struct Telling {
    Register *r;
    unsigned members;
    const Result *anyone;
} Telling;

/* With an arena of its own: there may be thousands of coalitions, each with lists of the table's length. */
static Status tell(void *self) {
    Status status = OK;
    const Telling *telling = self;
    Register *r = telling->r;
    const Result *anyone = telling->anyone;
    Coalition c;
    Result *same = NULL;
    const char *why = NULL;
    TRY(coalition_make(r, telling->members, &c));
    if (c.keys.count < r->keys.count && c.keys.count && r->sensitive) { /* the baseline is of who knows the same keys */
        TRY(certain_of(r, r->data, c.keys, &same, &why));
        anyone = same;
    }
    TRY(tell_background(r, &c, anyone));
    TRY(tell_linkage(r, &c));
    TRY(tell_earlier(r, &c));
    TRY(tell_roc(r, &c));
done:
    result_free(same);
    return status;
}

static Status tell_all(Register *r) {
    Status status = OK;
    Result *anyone = NULL;
    const char *why = NULL;
    int64_t done = 0;
    if (r->sensitive && r->keys.count) TRY(certain_of(r, r->data, r->keys, &anyone, &why));
    for (int64_t size = 1; size <= r->most && size <= r->count; size++)
        for (unsigned members = 1; members < 1u << r->count; members++) {
            if (__builtin_popcount(members) != (int)size) continue;
            if (++done > MOST_COALITIONS) TRY(fail(r->work->error, BAD, "more than %d coalitions of holders", MOST_COALITIONS));
            TRY(work_check(r->work));
            TRY(work_with_arena(r->work, tell, &(Telling){ r, members, anyone }));
        }
done:
    result_free(anyone);
    return status;
}

/* A paragraph for consent forms (Matthews & Harel 2013, p. 894), from the same figures. */
static void say_worst(Register *r) {
    Result *result = r->run->result;
    const Worst *sure = &r->certain, *found = &r->found;
    if (sure->who) {
        result_integer(result, "holders_certain", (int64_t)sure->learned);
        result_text(result, "holders_worst", sure->who);
        result_note(result,
                    "For consent forms: %lld parties hold parts of these data. From this table, the one that would be sure of most people "
                    "(%s) would be certain of the %s of %lld of the %lld people whose records it does not hold%s%s.",
                    (long long)r->count, sure->who, r->sensitive, (long long)sure->learned, (long long)sure->others,
                    sure->of ? ", most of them of " : "", sure->of ? sure->of : "");
    }
    if (found->who) {
        char number[33];
        result_note(result,
                    "For consent forms: by what they hold of people, %s would be expected to tell rightly which record of the table is "
                    "whose for %s of the %lld people whose records it does not hold; no other of them for more.",
                    found->who, real_short(found->learned, 3, number), (long long)found->others);
    }
}

static Status take_roles(Register *r) {
    Status status = OK;
    const Arg *keys = args_find(&r->roles->args, "keys"), *sensitive = args_find(&r->roles->args, "sensitive");
    r->sensitive = sensitive && sensitive->count ? sensitive->items[0] : NULL;
    NEW(r->work, r->keys.at, (keys ? keys->count : 0) + 1);
    for (int64_t i = 0; keys && i < keys->count; i++)
        TRY(table_need(r->data, keys->items[i], &r->keys.at[r->keys.count++], r->work->error));
done:
    return status;
}

Status data_holders_measure(Run *run, const Table *data, const Roles *roles, const char *path) {
    Status status = OK;
    Register r = { .run = run, .work = &run->work, .data = data, .roles = roles };
    TRY(take_roles(&r));
    TRY(read_register(&r, path));
    r.grid = grid_new(run->result, "holders", HOLDERS_COLUMNS);
    TRY(tell_all(&r));
    grid_done(r.grid);
    say_worst(&r);
done:
    for (int64_t h = 0; h < r.count; h++) {
        table_release(r.at[h].file);
        for (int64_t i = 0; r.at[h].earlier && i < r.at[h].earlier_count; i++) table_release(r.at[h].earlier[i].table);
    }
    return status;
}
