/* What can be done to a table: the options of each slot by its roles, and a gene as the steps of a recipe. */
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "base/number_text.h"
#include "verb/plan/plan.h"

enum { FEW = 20 };

/* ---- how keys are recoded ---- */

static void add_level(KeyLevels *levels, const char *param, const char *text) {
    if (levels->count == PLAN_LEVELS - 1) return; /* level 0 is as it is */
    for (int l = 1; l <= levels->count; l++)
        if (!strcmp(levels->text[l], text)) return;
    levels->count++;
    levels->param[levels->count] = param;
    levels->text[levels->count] = text;
}

/* 1, 2 or 5 times a power of ten, not below x. */
static double round_step(double x) {
    double power = pow(10, floor(log10(x)));
    return x <= power ? power : x <= 2 * power ? 2 * power : x <= 5 * power ? 5 * power : 10 * power;
}

/* Intervals of equal, round width, about so many. */
static const char *breaks_of(Work *work, const Column *column, int parts) {
    double low = INFINITY, high = -INFINITY;
    Buffer text = { 0 };
    char number[33];
    for (int64_t i = 0; i < column->rows; i++) {
        double x = column_number(column, i);
        if (column_missing(column, i) || isnan(x)) continue;
        low = fmin(low, x);
        high = fmax(high, x);
    }
    if (!(high > low)) return NULL;
    double step = round_step((high - low) / parts), from = step * floor(low / step);
    for (int i = 0; from + i * step <= high && i < 4 * parts; i++)
        buffer_print(&text, "%s%s", i ? "," : "", real_short(from + i * step, 12, number));
    const char *copy = arena_text(work->arena, buffer_get(&text));
    buffer_free(&text);
    return copy;
}

/* A hierarchy's level as a recoding: its first column is the value, column `level` what it becomes. */
static bool occurs(const Column *key, const Codes *codes, const char *word) {
    char cell[33];
    for (int32_t c = 0; c < codes->count; c++)
        if (!strcmp(column_cell(key, codes->first_row[c], cell), word)) return true;
    return false;
}

static const char *merge_of(Work *work, const Column *key, const Codes *codes, const Table *hierarchy, int64_t level) {
    Buffer text = { 0 };
    char a[33], b[33];
    bool plain = true;
    for (int64_t i = 0; i < hierarchy->rows; i++) {
        const char *from = column_cell(hierarchy->column[0], i, a), *to = column_cell(hierarchy->column[level], i, b);
        if (!from || !occurs(key, codes, from)) continue; /* a header, or a value of other tables */
        if (!to || strpbrk(from, ",;=") || strpbrk(to, ",;=")) plain = false;
        else if (strcmp(from, to)) buffer_print(&text, "%s%s=%s", text.count ? ";" : "", from, to);
    }
    const char *copy = plain && text.count ? arena_text(work->arena, buffer_get(&text)) : NULL;
    buffer_free(&text);
    return copy;
}

/* COLUMN, or *_hierarchy_COLUMN. */
static const Table *hierarchy_of(const Tables *all, const char *name) {
    static const char between[] = "_hierarchy_";
    for (int64_t i = 0; i < all->count; i++) {
        const char *tail = strstr(all->name[i], between);
        if (!strcmp(tail ? tail + sizeof between - 1 : all->name[i], name)) return all->at[i];
    }
    return NULL;
}

/* Rare categories folded together, ever more of them; where fewer than two more would go, nothing is gained. */
static Status rare_levels(Plan *plan, const Column *key, const Codes *codes, KeyLevels *out) {
    static const char *const shares[] = { "0.005", "0.02", "0.05" };
    static const double least[] = { .005, .02, .05 };
    Status status = OK;
    int64_t *count = NULL, folded = 0;
    TRY(codes_sizes(plan->work, codes, key->rows, &count));
    for (int l = 0; l < 3; l++) {
        int64_t rare = 0;
        for (int32_t c = 0; c < codes->count; c++) rare += (double)count[c] < least[l] * (double)key->rows;
        if (rare >= 2 && rare > folded && rare < codes->count) add_level(out, "min-count", shares[l]);
        if (rare >= 2) folded = rare;
    }
done:
    return status;
}

static Status key_levels(Plan *plan, const Column *key, const Tables *hierarchies, KeyLevels *out) {
    Status status = OK;
    Codes codes;
    const Table *hierarchy = hierarchy_of(hierarchies, key->name);
    *out = (KeyLevels){ .name = key->name };
    TRY(column_codes(plan->work, key, &codes));
    if (codes.count < 3) return OK;
    if (hierarchy && codes.count <= 400)
        for (int64_t l = 1; l + 1 < hierarchy->columns; l++) {
            const char *merge = merge_of(plan->work, key, &codes, hierarchy, l);
            if (merge) add_level(out, "merge", merge);
        }
    if (out->count) return OK;
    if (column_numeric(key) && codes.count > FEW) {
        static const int parts[] = { 12, 6, 3 };
        for (int i = 0; i < 3; i++) {
            const char *breaks = breaks_of(plan->work, key, parts[i]);
            if (breaks) add_level(out, "breaks", breaks);
        }
        return OK;
    }
    TRY(rare_levels(plan, key, &codes, out));
done:
    return status;
}

static Status all_levels(Plan *plan) {
    Status status = OK;
    Tables hierarchies = { 0 };
    const Arg *folder = args_find(&plan->roles.args, "hierarchies");
    const Host *host = plan->run->session->host;
    if (folder && folder->count && folder->items && host && host->texts)
        TRY(host->texts(host->self, folder->items[0], plan->work, &hierarchies, plan->work->error));
    for (int64_t k = 0; k < plan->keys.count; k++) TRY(key_levels(plan, plan->keys.at[k], &hierarchies, &plan->levels[k]));
done:
    for (int64_t i = 0; i < hierarchies.count; i++) table_release((Table *)(uintptr_t)hierarchies.at[i]);
    return status;
}

/* ---- what guards keys, what hides numbers ---- */

static void add_option(Options *options, Option option) {
    if (options->count < (int)(sizeof options->at / sizeof *options->at)) options->at[options->count++] = option;
}

static const char *counted(Work *work, double x) {
    char number[33];
    return arena_text(work->arena, real_short(ceil(x), 9, number));
}

/* Columns that --keep speaks of are spared where keys are blanked. */
static const char *spared(Plan *plan) {
    Buffer text = { 0 };
    for (int64_t k = 0; k < plan->keys.count; k++)
        for (int64_t i = 0; i < plan->keeps; i++) {
            const char *name = plan->keys.at[k]->name, *at = strstr(plan->keep[i].inner, name);
            if (!at) continue;
            buffer_print(&text, "%s`%s`", text.count ? "," : "", name);
            break;
        }
    const char *copy = text.count ? arena_print(plan->work->arena, "importance=%s", buffer_get(&text)) : NULL;
    buffer_free(&text);
    return copy;
}

static void guard_options(Plan *plan) {
    Options *g = &plan->guards;
    Work *work = plan->work;
    double k = (double)plan->k;
    const char *ks[] = { counted(work, k),      counted(work, 2 * k),  counted(work, 4 * k),
                         counted(work, 10 * k), counted(work, 30 * k), counted(work, 100 * k) };
#define KS                                                                                                                                 \
    { ks[0], ks[1], ks[2], ks[3], ks[4], ks[5] }
    bool hierarchies = args_find(&plan->roles.args, "hierarchies"), sensitive = args_find(&plan->roles.args, "sensitive");
    const char *spare = spared(plan);
    add_option(g, (Option){ 0 }); /* keys as they are */
    if (!plan->keys.count) return;
    add_option(g, (Option){ "protect.suppress", NULL, NULL, "k", KS });
    if (spare) add_option(g, (Option){ "protect.suppress", NULL, spare, "k", KS });
    add_option(g, (Option){ "protect.mondrian", NULL, NULL, "k", KS });
    if (hierarchies)
        add_option(g, (Option){ "protect.generalize",
                                NULL,
                                arena_print(work->arena, "k=%s", ks[0]),
                                "max-suppression",
                                { "0", "0.01", "0.02", "0.05", "0.1", NULL } });
    if (hierarchies && sensitive)
        add_option(g, (Option){ "protect.generalize",
                                NULL,
                                arena_print(work->arena, "k=%s;max-suppression=0.05", ks[0]),
                                "l",
                                { "2", "3", "4", NULL } });
    if (sensitive)
        add_option(g, (Option){ "protect.mondrian", NULL, arena_print(work->arena, "k=%s", ks[0]), "l", { "2", "3", "4", NULL } });
    add_option(g, (Option){ "protect.pram", "vars", "invariant", "keep", { "0.95", "0.9", "0.8", "0.7", "0.5", NULL } });
    add_option(g, (Option){ "protect.swap", "vars", NULL, "rate", { "0.05", "0.1", "0.2", "0.4", NULL } });
    add_option(g, (Option){ "synth.keys", NULL, NULL, "k", KS });
#undef KS
}

static void number_options(Plan *plan) {
    Options *n = &plan->number_options, *a = &plan->afters;
    const Option noise = { "protect.noise", "vars", NULL, "amount", { "0.005", "0.02", "0.05", "0.1", "0.2", "0.4" } };
    const Option rank = { "protect.rank-swap", "vars", NULL, "range", { "1", "2", "4", "8", "15", "30" } };
    add_option(n, (Option){ 0 }); /* numbers as they are */
    add_option(a, (Option){ 0 }); /* no second step */
    if (!plan->numbers.count) return;
    add_option(n, (Option){ "protect.microaggregate", "vars", NULL, "k", { "3", "5", "8", "12", "20", "40" } });
    add_option(n, (Option){ "protect.microaggregate", "vars", "method=individual-ranking", "k", { "3", "5", "10", "20", "40", "80" } });
    add_option(n, noise);
    add_option(n, (Option){ "protect.noise", "vars", "method=correlated", "amount", { "0.005", "0.02", "0.05", "0.1", "0.2", "0.4" } });
    add_option(n, rank);
    add_option(n, (Option){ "protect.shuffle", "confidential", NULL, NULL, { NULL } });
    add_option(n, (Option){ "protect.nbrs", "vars", "empty=nearest", "neighbours", { "3", "5", "10", "20", "40", NULL } });
    add_option(n, (Option){ "synth.partial", "vars", NULL, "min-leaf", { "5", "10", "20", "40", NULL } });
    add_option(a, noise);
    add_option(a, rank);
}

static void whole_options(Plan *plan) {
    Options *w = &plan->wholes;
    add_option(w, (Option){ 0 }); /* records stay people's own */
    add_option(w, (Option){ "synth.cart", "all", NULL, "min-leaf", { "5", "10", "20", "40", NULL } });
    add_option(w, (Option){ "synth.sequential", "all", NULL, NULL, { NULL } });
}

Status plan_space(Plan *plan) {
    Status status = OK;
    TRY(all_levels(plan));
    plan->quick = plan->sample != NULL;
    guard_options(plan);
    number_options(plan);
    whole_options(plan);
done:
    return status;
}

/* ---- genes ---- */

static int amounts(const Option *option) {
    int count = 0;
    while (count < PLAN_AMOUNTS && option->amount[count]) count++;
    return count ? count : 1;
}

static void tidy_slot(const Options *options, int8_t *which, int8_t *amount) {
    if (*which < 0 || *which >= options->count) *which = 0;
    int most = amounts(&options->at[*which]);
    *amount = (int8_t)(*amount < 0 || !*which ? 0 : *amount >= most ? most - 1 : *amount);
}

/* These recode keys themselves, by their own lights. */
static bool recodes(const Option *option) {
    return option->method && (!strcmp(option->method, "protect.generalize") || !strcmp(option->method, "protect.mondrian"));
}

static bool is_suppression(const Plan *plan, const Gene *gene) {
    return same_text(plan->guards.at[gene->guard].method, "protect.suppress");
}

bool plan_is_quick(const Plan *plan, const Gene *gene) { return plan->quick && !gene->thorough && is_suppression(plan, gene); }

void plan_tidy(const Plan *plan, Gene *gene) {
    tidy_slot(&plan->guards, &gene->guard, &gene->guard_amount);
    tidy_slot(&plan->number_options, &gene->number, &gene->number_amount);
    tidy_slot(&plan->afters, &gene->after, &gene->after_amount);
    tidy_slot(&plan->wholes, &gene->whole, &gene->whole_amount);
    if (gene->whole) *gene = (Gene){ .whole = gene->whole, .whole_amount = gene->whole_amount };
    if (!gene->number) gene->after = gene->after_amount = 0;
    if (!is_suppression(plan, gene)) gene->thorough = 0;
    const char *first = plan->number_options.at[gene->number].method, *second = plan->afters.at[gene->after].method;
    if (first && second && !strcmp(first, second)) gene->after = gene->after_amount = 0;
    for (int64_t k = 0; k < PLAN_KEYS; k++) {
        int most = k < plan->keys.count ? plan->levels[k].count : 0;
        if (recodes(&plan->guards.at[gene->guard])) most = 0;
        if (gene->level[k] > most) gene->level[k] = (int8_t)most;
        if (gene->level[k] < 0) gene->level[k] = 0;
    }
}

/* ---- steps ---- */

static Status add_arg(Work *work, Arg *list, int64_t *count, const char *name, int64_t items, const char *const *texts) {
    Status status = OK;
    const char **copy = NULL;
    NEW(work, copy, items + 1);
    for (int64_t i = 0; i < items; i++) copy[i] = texts[i];
    list[(*count)++] = (Arg){ .name = name, .count = items, .items = copy };
done:
    return status;
}

/* "name=value;name=value", a name alone is a flag; values of lists are split as on the command line. */
static Status add_fixed(Work *work, const Method *method, const char *fixed, Arg *list, int64_t *count) {
    Status status = OK;
    char *text = fixed ? arena_text(work->arena, fixed) : NULL;
    for (char *at = text, *next; at; at = next) {
        next = strchr(at, ';');
        if (next) *next++ = 0;
        char *value = strchr(at, '=');
        if (value) *value++ = 0;
        const Param *param = method_param(method, at);
        int64_t items = value ? 1 : 0;
        const char **list_items = NULL, *one = value;
        if (value && param && kind_is_list(param->kind)) TRY(args_split(work, value, &items, &list_items));
        TRY(add_arg(work, list, count, at, items, list_items ? list_items : &one));
    }
done:
    return status;
}

static Status add_columns(Work *work, Arg *list, int64_t *count, const char *name, Columns columns) {
    Status status = OK;
    const char **names = NULL;
    NEW(work, names, columns.count + 1);
    for (int64_t i = 0; i < columns.count; i++) names[i] = columns.at[i]->name;
    TRY(add_arg(work, list, count, name, columns.count, names));
done:
    return status;
}

static Status option_step(Plan *plan, Work *work, const Option *option, int amount, bool quick, Columns columns, Step *out) {
    static const char *const effort = "quick";
    Status status = OK;
    Arg *list = NULL;
    int64_t count = 0;
    *out = (Step){ .name = option->method };
    TRY(method_need(option->method, &out->method, work->error));
    NEW(work, list, 8);
    if (option->columns)
        TRY(add_columns(work, list, &count, strcmp(option->columns, "all") ? option->columns : "vars",
                        strcmp(option->columns, "all") ? columns : plan->vars));
    TRY(add_fixed(work, out->method, option->fixed, list, &count));
    if (option->varies) TRY(add_arg(work, list, &count, option->varies, 1, &option->amount[amount]));
    if (quick) TRY(add_arg(work, list, &count, "effort", 1, &effort));
    out->args = (Args){ count, list };
done:
    return status;
}

static Status recode_step(Plan *plan, Work *work, int64_t key, int level, int64_t rows, Step *out) {
    Status status = OK;
    Arg *list = NULL;
    int64_t count = 0, items = 1;
    const KeyLevels *levels = &plan->levels[key];
    const char *text = levels->text[level], **split = NULL;
    double share = 0;
    *out = (Step){ .name = "protect.recode" };
    TRY(method_need(out->name, &out->method, work->error));
    NEW(work, list, 3);
    TRY(add_arg(work, list, &count, "var", 1, &levels->name));
    if (!strcmp(levels->param[level], "min-count")) {
        if (read_real(text, text + strlen(text), '.', &share)) text = counted(work, fmax(2, share * (double)rows));
    } else if (!strcmp(levels->param[level], "breaks")) TRY(args_split(work, text, &items, &split));
    TRY(add_arg(work, list, &count, levels->param[level], items, split ? split : &text));
    out->args = (Args){ count, list };
done:
    return status;
}

Status plan_steps(Plan *plan, Work *work, const Gene *gene, int64_t rows, Step *steps, int64_t *count) {
    Status status = OK;
    *count = 0;
    if (gene->whole) {
        TRY(option_step(plan, work, &plan->wholes.at[gene->whole], gene->whole_amount, false, plan->vars, &steps[(*count)++]));
        return OK;
    }
    for (int64_t k = 0; k < plan->keys.count && k < PLAN_KEYS; k++)
        if (gene->level[k]) TRY(recode_step(plan, work, k, gene->level[k], rows, &steps[(*count)++]));
    if (gene->guard)
        TRY(option_step(plan, work, &plan->guards.at[gene->guard], gene->guard_amount, plan_is_quick(plan, gene), plan->keys,
                        &steps[(*count)++]));
    if (gene->number)
        TRY(option_step(plan, work, &plan->number_options.at[gene->number], gene->number_amount, false, plan->numbers, &steps[(*count)++]));
    if (gene->after)
        TRY(option_step(plan, work, &plan->afters.at[gene->after], gene->after_amount, false, plan->numbers, &steps[(*count)++]));
done:
    return status;
}

Status plan_candidate_steps(Plan *plan, Work *work, const Candidate *c, const Step **out, int64_t *count) {
    Status status = OK;
    Step *steps = NULL;
    if (c->given >= 0) {
        *out = plan->given[c->given].step;
        *count = plan->given[c->given].steps;
        return OK;
    }
    NEW(work, steps, PLAN_GENE_STEPS + c->remedies);
    TRY(plan_steps(plan, work, &c->gene, c->full ? plan->data->rows : plan->sample->rows, steps, count));
    for (int64_t i = 0; i < c->remedies; i++) steps[(*count)++] = c->remedy[i];
    *out = steps;
done:
    return status;
}

/* What a person tells releases apart by: columns are named only where a step recodes one. */
const char *plan_said(Work *work, const Step *steps, int64_t count) {
    Buffer text = { 0 };
    for (int64_t s = 0; s < count; s++) {
        const char *dot = strchr(steps[s].name, '.');
        buffer_print(&text, "%s%s", s ? ", " : "", dot ? dot + 1 : steps[s].name);
        for (int64_t i = 0; i < steps[s].args.count; i++) {
            const Arg *arg = &steps[s].args.at[i];
            const Param *param = method_param(steps[s].method, arg->name);
            if (param && param->kind == KIND_COLUMN && arg->count) buffer_print(&text, " %s", arg->items[0]);
            else if (param && (param->kind == KIND_COLUMNS || param->kind == KIND_TEXT)) continue;
            else if (!arg->count) buffer_print(&text, " %s", arg->name);
            else if (arg->count == 1) buffer_print(&text, " %s=%s", arg->name, arg->items[0]);
            else buffer_print(&text, " in %lld parts", (long long)arg->count - 1);
        }
    }
    const char *copy = arena_text(work->arena, text.count ? buffer_get(&text) : "nothing but the identifiers left out");
    buffer_free(&text);
    return copy ? copy : "";
}
