/* Optimal full-domain generalisation: the node of the lattice that loses least among those that keep the promise.  The way through this
 * folder:    generalize.c   the method: its declaration, the result   domain.c       each key with its hierarchy: leaves, levels, what a
 * value is at each level; and the generalised table at the end   → Domains entries.c      distinct records with the number that have
 * them, made once; snapshots of them at coarser nodes → Entries check.c one node: entries grouped by their generalised keys, classes
 * tested against the model (k, l, t, presence)          → Outcome loss.c what a node loses: from generalising alone, which bounds every
 * coarser node, and with what must be suppressed lattice.c      the search: a node is a level per key; bounds and what a checked node
 * proves of finer and coarser ones close most nodes unseen  Two orders make it fast and exact: generalising only ever merges classes (a
 * valid node stays valid when made coarser, suppression counted), and the loss of generalising alone only ever rises. Every node is
 * checked, or closed by one of these; what was left open when time ran out is what `bound` tells. Defined after Samarati 2001; LeFevre et
 * al. 2005; Kohlmayer et al. 2012: docs/methods/protect-generalize.md. */
#include <stdio.h>
#include "base/elementary.h"
#include "base/number_text.h"
#include "method/parts.h"
#include "protect/generalize/lattice.h"
#include "protect/generalize/suppressed_class.h"

typedef struct {
    const Table *data, *population;
    Columns keys, sensitive;
    Tables hierarchies;
    int64_t k;
    double l, c, t;
    unsigned definition, distance, loss;
    double delta_min, delta_max, max_suppression, time_limit;
    Pairs weights, levels;
    int64_t runners_up;
    bool keep_suppressed;
    const Column *person;
} args;

static const Param params[] = {
    TABLE(args, data, "Table to protect", .flags = REQUIRED | POSITIONAL),
    KEYS(args, data, .flags = REQUIRED),
    HIERARCHIES(args, REQUIRED),
    INT(args, k, ABSENT, 1, 1000000000, "Smallest allowed equivalence class (k). Larger = more protection"),
    COLUMNS(args, sensitive, data, "Sensitive columns, for --l and --t"),
    REAL(args, l, NAN, 1, 1e9, "Smallest allowed l-diversity of a class. Larger = more protection"),
    CHOICE(args, definition, "distinct", "Definition of l-diversity: distinct values, exp(entropy), or recursive with --c",
           WORDS("distinct", "entropy", "recursive")),
    REAL(args, c, NAN, 0, 1e9, "c of recursive (c,l)-diversity"),
    REAL(args, t, NAN, 0, 1, "Largest allowed t-closeness of a class, 0 to 1. Smaller = more protection"),
    CHOICE(args, distance, "equal", "Ground distance of the earth mover's distance for --t",
           WORDS("equal", "ordered", "hierarchical", "numeric")),
    TABLE(args, population, "Population that contains the data, for δ-presence"),
    REAL(args, delta_min, 0, 0, 1, "Smallest allowed share of a population class that is in the data"),
    REAL(args, delta_max, 1, 0, 1, "Largest allowed share of a population class that is in the data. Smaller = more protection"),
    REAL(args, max_suppression, 0, 0, 1, "Share of the records that may be suppressed"),
    CHOICE(args, loss, "loss", "Information loss to minimise",
           WORDS("loss", "loss-mean", "aecs", "discernibility", "precision", "entropy")),
    PAIRS(args, weights, 1, "Weights of keys in the loss: age:2,sex:0.5. Other keys have weight 1"),
    PAIRS(args, levels, 1, "Fixed levels: age:2,sex:0. The optimum is sought among the lattice nodes with them"),
    REAL(args, time_limit, NAN, 0, 1e9, "Seconds after which the best node so far is used, with a proven bound"),
    INT(args, runners_up, 3, 0, 1000, "Number of next best nodes to list"),
    FLAG(args, keep_suppressed, "Keep the suppressed records even if they are fewer than k. They are then a class below k"),
    ONLY_WITH("definition", "l"),
    ONLY_IF("c", "definition", "recursive"),
    ONLY_WITH("distance", "t"),
    ONLY_WITH("delta_min", "population"),
    ONLY_WITH("delta_max", "population"),
    PERSON(args, data),
    END,
};

static const Return values[] = {
    VALUE(score, REAL, "Information loss of the chosen node. Smaller = more utility", .flags = PUBLIC),
    VALUE(bound, REAL, "Proven lower bound of the loss of any node that satisfies the criteria; equal to score if the search was completed",
          .flags = PUBLIC),
    VALUE(suppressed, INTEGER, "Records whose keys were all suppressed", .flags = PUBLIC),
    VALUE(left_out, INTEGER,
          "Records with all keys missing that are left out, because as a class they are fewer than k or violate --l or --t",
          .flags = PUBLIC),
    VALUE(classes, INTEGER, "Equivalence classes in the release, apart from the class of suppressed records", .flags = PUBLIC),
    VALUE(smallest, INTEGER, "Records in the smallest equivalence class. Larger is safer", .flags = PUBLIC),
    VALUE(lattice, INTEGER, "Nodes in the generalisation lattice", .flags = PUBLIC),
    VALUE(checked, INTEGER, "Nodes that were evaluated", .flags = PUBLIC),
    VALUE(pruned, INTEGER, "Nodes that were excluded without evaluation", .flags = PUBLIC),
    VALUE(tied, INTEGER, "1 = another node has the same loss", .flags = PUBLIC),
    TABLE_OUT(levels, "key:text level:integer levels:integer values:integer loss:real",
              "Chosen level of each key, and its information loss", .flags = PUBLIC),
    TABLE_OUT(best, "rank:integer levels:text score:real suppressed:integer classes:integer",
              "The best nodes, levels in the order of the keys", .flags = PUBLIC),
    RELEASED("The protected table"),
    END,
};

static Status bad(Run *run, const char *parameter, const char *why) {
    fail(run->work.error, BAD, "%s", why);
    return error_parameter(run->work.error, parameter);
}

static Status read_model(Run *run, const args *a, Model *out) {
    bool diverse = !isnan(a->l), close = !isnan(a->t);
    *out = (Model){ .k = a->k == ABSENT ? 1 : a->k,
                    .sensitive = a->sensitive,
                    .l = a->l,
                    .c = a->c,
                    .t = a->t,
                    .definition = a->definition,
                    .distance = a->distance,
                    .population = a->population,
                    .delta_min = a->delta_min,
                    .delta_max = a->delta_max };
    if (a->k == ABSENT && !diverse && !close && !a->population) return bad(run, "k", "nothing to do: give --k, --l, --t or --population");
    if ((diverse || close) && !a->sensitive.count) return bad(run, "sensitive", "is needed with --l and --t");
    if (!diverse && !close) out->sensitive.count = 0;
    if (diverse && a->definition == RECURSIVE_L && isnan(a->c)) return bad(run, "c", "is needed for recursive diversity");
    if (a->delta_min > a->delta_max) return bad(run, "delta-min", "is more than --delta-max");
    for (int64_t i = 0; i < out->sensitive.count; i++)
        for (int64_t key = 0; key < a->keys.count; key++)
            if (a->keys.at[key] == a->sensitive.at[i]) return bad(run, "sensitive", "names a column that is also a key");
    return OK;
}

static Status read_weights(Run *run, const args *a, double **out) {
    Status status = OK;
    double sum = 0;
    NEW(&run->work, *out, a->keys.count);
    for (int64_t key = 0; key < a->keys.count; key++) (*out)[key] = 1;
    if (a->weights.count && !loss_is_additive(a->loss))
        return bad(run, "weights", "have no meaning for this loss, which does not depend on single keys");
    for (int64_t i = 0; i < a->weights.count; i++) {
        int64_t key = 0;
        while (key < a->keys.count && !same_text(a->keys.at[key]->name, a->weights.at[i].name)) key++;
        if (key == a->keys.count) return bad(run, "weights", "names a column that is not a key");
        if (!(a->weights.at[i].number[0] >= 0)) return bad(run, "weights", "must be numbers of at least 0");
        (*out)[key] = a->weights.at[i].number[0];
    }
    for (int64_t key = 0; key < a->keys.count; key++) sum += (*out)[key];
    if (!(sum > 0)) return bad(run, "weights", "must not all be 0");
    for (int64_t key = 0; key < a->keys.count; key++) (*out)[key] /= sum;
done:
    return status;
}

/* The level that was settled for each key, -1 where none was; NULL where there are none at all. */
static Status read_levels(Run *run, const args *a, const Domains *domains, int64_t **out) {
    Status status = OK;
    *out = NULL;
    if (!a->levels.count) return OK;
    NEW(&run->work, *out, a->keys.count);
    for (int64_t key = 0; key < a->keys.count; key++) (*out)[key] = -1;
    for (int64_t i = 0; i < a->levels.count; i++) {
        double level = a->levels.at[i].number[0];
        int64_t key = 0;
        while (key < a->keys.count && !same_text(a->keys.at[key]->name, a->levels.at[i].name)) key++;
        if (key == a->keys.count) return bad(run, "levels", "names a column that is not a key");
        if (!(level >= 0 && level < (double)domains->at[key].levels && level == floor(level)))
            return bad(run, "levels", "must be whole numbers, from 0 to the last level of the key's hierarchy");
        (*out)[key] = (int64_t)level;
    }
done:
    return status;
}

static const char *node_text(Run *run, const LatticeNode *node, int64_t keys) {
    char *text = NULL;
    if (arena_array(run->work.arena, keys * 4 + 1, 1, &text, NULL)) return NULL;
    for (int64_t key = 0, at = 0; key < keys; key++) at += snprintf(text + at, 4, "%s%d", key ? "," : "", node->level[key]);
    return text;
}

static void show_best(Run *run, const Search *search, int64_t wanted) {
    int64_t count = search->found < wanted ? search->found : wanted;
    Grid *grid = grid_new(run->result, "best", "rank:integer levels:text score:real suppressed:integer classes:integer");
    double *score = NULL;
    const char **names = NULL;
    bool room = !arena_array(run->work.arena, count, sizeof *score, &score, NULL) &&
                !arena_array(run->work.arena, count, sizeof *names, &names, NULL);
    for (int64_t i = 0; i < count; i++) {
        const LatticeNode *node = &search->best[i];
        const char *text = node_text(run, node, search->keys);
        grid_integer(grid, i + 1);
        grid_text(grid, text);
        grid_real(grid, node->outcome.score);
        grid_integer(grid, node->outcome.suppressed);
        grid_integer(grid, node->outcome.classes);
        if (!room) continue;
        score[i] = node->outcome.score;
        names[i] = text ? text : "";
    }
    grid_done(grid);
    Chart *chart = result_chart(run->result, CHART_BAR, "Best nodes of the lattice", "levels", "loss");
    chart_of(chart, "best");
    if (room) chart_series(chart, "loss", count, NULL, score, NULL, names);
}

/* What a key loses on its own: 0 as it is, 1 gone, for those losses that are means over keys. */
static double key_loss(const Checker *c, int64_t key, const LatticeNode *node) {
    double term = loss_term(c, key, node->level[key], node->outcome.extra[key], node->outcome.suppressed);
    double weight = c->weight[key];
    if (c->loss == AECS || c->loss == DISCERNIBILITY || !(weight > 0)) return NAN;
    return c->loss == LOSS ? expm1(term / weight) : c->loss == ENTROPY ? term : term / weight;
}

static void show_levels(Run *run, const Checker *c, const LatticeNode *node) {
    Grid *grid = grid_new(run->result, "levels", "key:text level:integer levels:integer values:integer loss:real");
    for (int64_t key = 0; key < c->domains->count; key++) {
        const Domain *d = &c->domains->at[key];
        grid_text(grid, d->column->name);
        grid_integer(grid, node->level[key]);
        grid_integer(grid, d->levels);
        grid_integer(grid, d->count[node->level[key]]);
        grid_real(grid, key_loss(c, key, node));
    }
    grid_done(grid);
}

static void show_values(Run *run, const args *a, const Search *search, const SuppressedClass *class) {
    const LatticeNode *best = &search->best[0];
    char bound[33];
    result_real(run->result, "score", best->outcome.score);
    result_real(run->result, "bound", search->finished ? best->outcome.score : search->bound);
    result_integer(run->result, "suppressed", best->outcome.suppressed);
    result_integer(run->result, "classes", best->outcome.classes);
    show_suppressed_class(run->result, class, a->k);
    result_integer(run->result, "smallest", class->smallest);
    result_integer(run->result, "lattice", search->nodes);
    result_integer(run->result, "checked", search->checked);
    result_integer(run->result, "pruned", search->pruned);
    result_integer(run->result, "tied", search->tied);
    if (search->tied)
        result_note(run->result, "Another node has the same loss (table best). The one with the lowest total level was used.");
    if (!search->finished)
        result_note(run->result, "The search was not completed in %s s. This is the best node found, and no node has a loss below %s.",
                    real_short(a->time_limit, 3, (char[33]){ 0 }), real_short(search->bound, 6, bound));
    result_note(run->result, "Missing keys: category. A missing key is a value of its own up to the level where all values are equal. A "
                             "suppressed record has no keys.");
}

typedef struct Diversity {
    const Checker *checker;
    Scratch *scratch;
} Diversity;
static bool is_diverse(const void *self, int64_t rows, const uint8_t *in) {
    const Diversity *d = self;
    return rows_are_diverse(d->checker, d->scratch, rows, in);
}

static Status generalize_run(Run *run, const void *p) {
    Status status = OK;
    const args *a = p;
    Model model;
    Domains domains;
    Checker checker;
    Search search;
    Scratch scratch;
    SuppressedClass class;
    double *weight = NULL;
    int64_t *level = NULL, *settled = NULL;
    uint8_t *suppressed = NULL;
    Table *released = NULL;
    TRY(read_model(run, a, &model));
    TRY(read_weights(run, a, &weight));
    TRY(domains_make(&run->work, a->keys, &a->hierarchies, a->population, &domains));
    TRY(checker_make(&run->work, &domains, &model, &a->hierarchies, a->loss, weight, a->max_suppression, &checker));
    TRY(read_levels(run, a, &domains, &settled));
    TRY(lattice_search(&run->work, &checker, settled, a->runners_up + 1, a->time_limit, &search));
    if (!search.found) {
        fail(run->work.error, search.finished ? BAD : FAILED,
             search.finished ? "no generalisation satisfies these criteria"
                             : "no generalisation that satisfies these criteria was found in the time limit");
        TRY(error_advice(run->work.error, settled ? "Allow more --max-suppression, relax the criteria, or fix coarser --levels."
                                                  : "Allow more --max-suppression, or relax the criteria."));
    }
    NEW(&run->work, level, domains.count);
    NEW(&run->work, suppressed, a->data->rows);
    TRY(scratch_make(&run->work, &checker, &scratch));
    for (int64_t key = 0; key < domains.count; key++) level[key] = search.best[0].level[key];
    failing_rows(&checker, &scratch, search.best[0].level, suppressed);
    TRY(domains_release(&run->work, a->data, &domains, level, suppressed, &released));
    TRY(suppressed_class(&run->work, &released, a->keys, model.k, (ClassRule){ is_diverse, &(Diversity){ &checker, &scratch } }, suppressed,
                         a->keep_suppressed, &class));
    show_values(run, a, &search, &class);
    show_levels(run, &checker, &search.best[0]);
    show_best(run, &search, a->runners_up + 1);
    result_output(run->result, released);
    released = NULL;
done:
    table_release(released);
    return status;
}

static const char *generalize_whole(const void *p) {
    return isnan(((const args *)p)->time_limit) ? NULL : "the result within --time-limit depends on the machine";
}
static const InParts in_parts = { .shape = BY_CLASS, .whole = generalize_whole };

const Method protect_generalize = { .group = "protect",
                                    .name = "generalize",
                                    .summary = "Optimal full-domain generalisation for k-anonymity, l-diversity, t-closeness or δ-presence",
                                    .source = "Samarati 2001; LeFevre et al. 2005; Kohlmayer et al. 2012",
                                    .params = params,
                                    .size = sizeof(args),
                                    .traits = BY_PERSON | IDENTITY | ATTRIBUTE,
                                    .run = generalize_run,
                                    .parts = &in_parts,
                                    .values = values,
                                    .example = "scrim protect generalize examples/clinic.csv --keys sex,age,region,education --hierarchies "
                                               "examples/hierarchies --k 5 --max-suppression 0.02" };
