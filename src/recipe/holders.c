/* The register of who has which part of the data (Matthews & Harel 2011, section 3.2.1; 2013, p. 894), and what each of them, alone or
 * together, would learn from the release. */
#include "recipe/holders.h"
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "recipe/call.h"
#include "recipe/node.h"

enum { MOST_PARTIES = 20, MOST_COALITIONS = 2000 };
#define NOBODY "(nobody)"

typedef struct Holder {
    const char *party, *since;
    uint8_t *mask; /* its records in the table; NULL: it holds none of them */
    Table *file;   /* what it holds of people, beside the table; or NULL */
    int64_t columns, earlier_count;
    const char **column;
    Table **earlier; /* releases that it has */
} Holder;

typedef struct Register {
    Run *run;
    Work *work;
    const Table *data;
    const Roles *roles;
    const char *folder, *id, *score, *status;
    int64_t most; /* parties together */
    int64_t count;
    Holder *at;
    Columns keys;
    const char *sensitive;
    Grid *grid;
    double worst;
    const char *worst_who, *worst_of;
    int64_t worst_others;
} Register;

/* ---- Reading ---- */

static Status open_beside(Register *r, const char *path, Table **out) {
    const Host *host = r->run->session->host;
    if (!host || !host->table) return fail(r->work->error, BAD, "this caller lends no tables");
    return host->table(host->self, path_beside(r->work, r->folder, path), out, r->work->error);
}

static Status text_at(Work *work, const Node *map, const char *name, const char **out) {
    const Node *node = node_find(map, name);
    return node ? node_need_text(work, node, name, out) : OK;
}

static Status read_rule(Register *r, const Node *node, Holder *h) {
    Status status = OK;
    const char *rule = NULL, *file = NULL;
    const Expr *expr;
    int64_t count;
    TRY(text_at(r->work, node, "rule", &rule));
    TRY(text_at(r->work, node, "file", &file));
    if (!rule && !file) TRY(node_fail(r->work, node, "a holder needs a rule (which records are its own) or a file"));
    if (rule) {
        TRY(expr_parse(r->work, r->data, rule, &expr));
        TRY(expr_mask(r->work, expr, r->data, &h->mask, &count));
    }
    if (file) TRY(open_beside(r, file, &h->file));
done:
    return status;
}

static Status read_holder(Register *r, const Node *node, Holder *h) {
    static const char *const names[] = { "party", "rule", "file", "columns", "since", "earlier", NULL };
    Status status = OK;
    const Node *columns, *earlier;
    const char **paths = NULL;
    TRY(node_need_kind(r->work, node, NODE_MAP, "a holder"));
    TRY(node_known(r->work, node, "a holder", names));
    if (!node_find(node, "party")) TRY(node_fail(r->work, node, "a holder needs a party: its name"));
    TRY(text_at(r->work, node, "party", &h->party));
    TRY(text_at(r->work, node, "since", &h->since));
    TRY(read_rule(r, node, h));
    if ((columns = node_find(node, "columns"))) TRY(node_texts(r->work, columns, "columns", &h->columns, &h->column));
    for (int64_t i = 0; i < h->columns; i++) {
        const Column *column;
        TRY(table_need(r->data, h->column[i], &column, r->work->error));
    }
    if (!(earlier = node_find(node, "earlier"))) return OK;
    TRY(node_texts(r->work, earlier, "earlier", &h->earlier_count, &paths));
    NEW(r->work, h->earlier, h->earlier_count + 1);
    for (int64_t i = 0; i < h->earlier_count; i++) TRY(open_beside(r, paths[i], &h->earlier[i]));
done:
    return status;
}

static Status read_register(Register *r, const char *path) {
    static const char *const names[] = { "holders", "coalition", "id", "score", "status", NULL };
    Status status = OK;
    const Node *root, *list;
    const char *most = NULL;
    TRY(node_open(r->work, path, "holders", &root));
    TRY(node_need_kind(r->work, root, NODE_MAP, "holders"));
    TRY(node_known(r->work, root, "a register of holders", names));
    r->folder = node_inline(path) ? "" : path_folder(r->work, path);
    TRY(text_at(r->work, root, "id", &r->id));
    TRY(text_at(r->work, root, "score", &r->score));
    TRY(text_at(r->work, root, "status", &r->status));
    TRY(text_at(r->work, root, "coalition", &most));
    r->most = most ? strtol(most, NULL, 10) : 1;
    if (r->most < 1 || r->most > MOST_PARTIES) TRY(node_fail(r->work, root, "coalition must be a number from 1 to %d", MOST_PARTIES));
    if (!(list = node_find(root, "holders"))) TRY(node_fail(r->work, root, "there are no holders"));
    TRY(node_need_kind(r->work, list, NODE_LIST, "holders"));
    if (list->count > MOST_PARTIES) TRY(node_fail(r->work, list, "more than %d holders", MOST_PARTIES));
    NEW(r->work, r->at, list->count + 1);
    for (int64_t i = 0; i < list->count; i++) {
        r->count = i + 1;
        TRY(read_holder(r, list->item[i], &r->at[i]));
    }
done:
    return status;
}

/* ---- A coalition ---- */

typedef struct Coalition {
    unsigned members;
    const char *who, *columns, *since;
    int64_t parties, records, others;
    int64_t *other; /* rows that it does not hold */
    Columns keys;   /* that it knows of everyone */
} Coalition;

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
    if (!out->who || !out->columns || !out->since) status = fail(r->work->error, FAILED, "out of memory");
done:
    buffer_free(&who);
    buffer_free(&columns);
    buffer_free(&since);
    return status;
}

typedef struct Told {
    const char *method, *unit, *of, *why;
    double learned, baseline;
} Told;

static void say(Register *r, const Coalition *c, const Told *told) {
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

/* An attack that could not be run is written down with its reason; only an interruption or lack of memory ends the audit. */
static Status attack(Register *r, const char *name, const Args *args, Result **out, const char **why) {
    Error error = ERROR_NONE;
    const Method *method;
    Status status = method_need(name, &method, r->work->error);
    *out = NULL;
    *why = NULL;
    if (status) return status;
    status = method_run(r->run->session, method, args, NULL, out, &error);
    if (status == BAD) {
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
    TRY(attack(r, "attack.homogeneity", &(Args){ 3, arg }, out, why));
done:
    return status;
}

static const Column *exposed_in(const Result *result) {
    for (int64_t c = 0; c < result->columns; c++)
        if (!strcmp(result->column[c].column->name, "exposed")) return result->column[c].column;
    return NULL;
}

/* Whose people are exposed most: the holder with most of them among its records. */
static const char *of_whom(const Register *r, const Coalition *c, const Column *exposed) {
    const char *of = NULL;
    int64_t most = 0;
    for (int64_t h = 0; h < r->count; h++) {
        int64_t count = 0;
        if (c->members >> h & 1 || !r->at[h].mask) continue;
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
        if (told.learned > r->worst || !r->worst_who) {
            r->worst = told.learned;
            r->worst_who = c->who;
            r->worst_of = told.of;
            r->worst_others = c->others;
        }
    }
    say(r, c, &told);
done:
    table_release(others);
    result_free(result);
    return status;
}

/* ---- What a holder's own files tell ---- */

static Status tell_linkage(Register *r, const Coalition *c, const Holder *h) {
    Status status = OK;
    Result *result = NULL;
    Told told = { "attack.linkage", "people", NULL, NULL, NAN, NAN };
    Table *released = (Table *)(uintptr_t)r->data, *file = h->file;
    Arg arg[4] = { { .name = "released", .count = 1, .tables = &released }, { .name = "auxiliary", .count = 1, .tables = &file } };
    int64_t count = 2;
    if (h->columns) arg[count++] = (Arg){ .name = "vars", .count = h->columns, .items = h->column };
    if (r->id) arg[count++] = (Arg){ .name = "id", .count = 1, .items = &r->id };
    TRY(attack(r, "attack.linkage", &(Args){ count, arg }, &result, &told.why));
    if (result) {
        told.learned = value_number(result_find(result, "correct"));
        told.baseline = value_number(result_find(result, "baseline")) * value_number(result_find(result, "claims"));
    }
    say(r, c, &told);
done:
    result_free(result);
    return status;
}

/* Earlier releases of the same records average the noise away; published tables (with a column `count`) are subtracted. */
static Status tell_earlier(Register *r, const Coalition *c, const Holder *h) {
    Status status = OK;
    Result *result = NULL;
    bool tables = table_column(h->earlier[0], "count") != NULL;
    Told told = { tables ? "attack.differencing" : "attack.averaging", tables ? "cells" : "share of the error", NULL, NULL, NAN, NAN };
    Table **all = NULL;
    const char **names = NULL;
    int64_t count = 0;
    NEW(r->work, all, h->earlier_count + 1);
    NEW(r->work, names, h->earlier_count + 1);
    if (!tables) all[count++] = (Table *)(uintptr_t)r->data;
    for (int64_t i = 0; i < h->earlier_count; i++) all[count++] = h->earlier[i];
    for (int64_t i = 0; i < count; i++) names[i] = arena_print(r->work->arena, "%lld", (long long)i + 1);
    Arg arg = { .name = tables ? "tables" : "releases", .count = count, .items = names, .tables = all };
    TRY(attack(r, told.method, &(Args){ 1, &arg }, &result, &told.why));
    if (result) {
        told.learned = value_number(result_find(result, tables ? "exposed" : "gain"));
        told.baseline = tables ? value_number(result_find(result, "baseline")) : 0;
    }
    say(r, c, &told);
done:
    result_free(result);
    return status;
}

/* The ROC curve of all records, in the hands of those who contributed some (Matthews & Harel 2013). */
static Status tell_roc(Register *r) {
    Status status = OK;
    Column *party = NULL;
    Table *with = NULL;
    Result *result = NULL;
    const char **cells = NULL, *why, *name = "(party)", number[2] = { (char)('0' + (r->most > 8 ? 8 : r->most)), 0 }, *together = number;
    Coalition c = { .columns = "", .since = "" };
    double worst = -1;
    NEW(r->work, cells, r->data->rows + 1);
    for (int64_t i = 0; i < r->data->rows; i++) {
        cells[i] = NOBODY;
        for (int64_t h = r->count - 1; h >= 0; h--)
            if (r->at[h].mask && r->at[h].mask[i]) cells[i] = r->at[h].party;
    }
    TRY(column_category(name, cells, r->data->rows, &party, r->work->error));
    TRY(table_with(r->data, &party, 1, &with, r->work->error));
    Arg arg[] = { { .name = "data", .count = 1, .tables = &with },
                  { .name = "score", .count = 1, .items = &r->score },
                  { .name = "status", .count = 1, .items = &r->status },
                  { .name = "party", .count = 1, .items = &name },
                  { .name = "coalition", .count = 1, .items = &together } };
    TRY(attack(r, "risk.roc-publication", &(Args){ 5, arg }, &result, &why));
    if (!result) {
        result_note(r->run->result, "What holders would learn from the ROC curve was not measured: %s", why);
        goto done;
    }
    const Table *all = result_find_table(result, "parties");
    for (int64_t i = 0; all && i < all->rows; i++) {
        char text[33];
        const char *who = column_cell(table_column(all, "party"), i, text);
        double certain = column_number(table_column(all, "certain"), i);
        if (!who || strstr(who, NOBODY) || !(certain > worst)) continue; /* records that nobody holds are in nobody's hands */
        worst = certain;
        c.who = arena_text(r->work->arena, who);
        c.records = (int64_t)column_number(table_column(all, "known"), i);
    }
    if (c.who) say(r, &c, &(Told){ "risk.roc-publication", "people", NULL, NULL, worst, 0 });
done:
    column_release(party);
    table_release(with);
    result_free(result);
    return status;
}

/* ---- All of them ---- */

static Status tell(Register *r, unsigned members, const Result *anyone) {
    Status status = OK;
    Coalition c;
    Result *same = NULL;
    const char *why = NULL;
    TRY(coalition_make(r, members, &c));
    if (c.keys.count < r->keys.count && c.keys.count && r->sensitive) { /* the baseline is of who knows the same keys */
        TRY(certain_of(r, r->data, c.keys, &same, &why));
        anyone = same;
    }
    TRY(tell_background(r, &c, anyone));
    for (int64_t h = 0; h < r->count && c.parties == 1; h++) {
        if (!(members >> h & 1)) continue;
        if (r->at[h].file) TRY(tell_linkage(r, &c, &r->at[h]));
        if (r->at[h].earlier_count) TRY(tell_earlier(r, &c, &r->at[h]));
    }
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
            TRY(tell(r, members, anyone));
        }
    if (r->score && r->status) TRY(tell_roc(r));
done:
    result_free(anyone);
    return status;
}

/* A paragraph for consent forms (Matthews & Harel 2013, p. 894), from the same figures. */
static void say_worst(Register *r) {
    Result *result = r->run->result;
    if (!r->worst_who) return;
    result_integer(result, "holders_certain", (int64_t)r->worst);
    result_text(result, "holders_worst", r->worst_who);
    result_note(result,
                "For consent forms: %lld parties hold parts of these data. From this table, the one that would learn most (%s) would be "
                "certain of the %s of "
                "%lld of the %lld people whose records it does not hold%s%s.",
                (long long)r->count, r->worst_who, r->sensitive, (long long)r->worst, (long long)r->worst_others,
                r->worst_of ? ", most of them of " : "", r->worst_of ? r->worst_of : "");
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

Status holders_measure(Run *run, const Table *data, const Roles *roles, const char *path) {
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
        for (int64_t i = 0; r.at[h].earlier && i < r.at[h].earlier_count; i++) table_release(r.at[h].earlier[i]);
    }
    return status;
}
