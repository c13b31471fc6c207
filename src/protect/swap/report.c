/* Data swapping: what it did to the tables and the weighted counts. */
#include "base/elementary.h"
#include "protect/swap/swap.h"

enum { MOST_TABLES = 500, MOST_CATEGORIES = 1000, MANY = 200 };

/* Total variation between the tables of `count` columns before and after: both stacked, grouped, and counted apart. */
static Status table_distance(Swap *s, const int32_t *const *code, int64_t count, int64_t swapped, double *distance) {
    Status status = OK;
    Work *work = &s->run->work;
    Codes *codes = NULL;
    Grouping groups = { 0 };
    int64_t *balance = NULL, sum = 0;
    NEW(work, codes, count + 1);
    for (int64_t k = 0; k < count; k++) {
        int32_t *both = NULL, most = -1;
        NEW(work, both, 2 * s->rows + 1);
        for (int64_t i = 0; i < s->rows; i++) {
            both[i] = code[k][i];
            both[s->rows + i] = code[k][k == swapped ? s->from[i] : i];
            if (code[k][i] > most) most = code[k][i];
        }
        codes[k] = (Codes){ .count = most + 1, .at = both };
    }
    TRY(group_codes(work, codes, count, 2 * s->rows, &groups));
    NEW(work, balance, groups.count + 1);
    for (int64_t i = 0; i < s->rows; i++) {
        balance[groups.of[i]]++;
        balance[groups.of[s->rows + i]]--;
    }
    for (int64_t g = 0; g < groups.count; g++) sum += balance[g] < 0 ? -balance[g] : balance[g];
    *distance = s->rows ? 0.5 * (double)sum / (double)s->rows : NAN;
    for (int64_t k = 0; k < count; k++) arena_drop(work->arena, (void *)(uintptr_t)codes[k].at);
done:
    arena_drop(work->arena, balance);
    grouping_drop(work, &groups);
    return status;
}

/* The next choice of `size` out of `n`, in order; false after the last. */
static bool next_choice(int64_t *choice, int64_t size, int64_t n) {
    for (int64_t k = size - 1; k >= 0; k--) {
        if (choice[k] >= n - size + k) continue;
        choice[k]++;
        for (int64_t l = k + 1; l < size; l++) choice[l] = choice[l - 1] + 1;
        return true;
    }
    return false;
}

/* Where nothing beyond the marginals was promised, a column of very many values is compared in twenty classes of about equally many
 * records. */
static Status coarse_codes(Swap *s, const Codes *codes, const int32_t **out) {
    enum { CLASSES = 20 };
    Status status = OK;
    int64_t *count = NULL, before = 0;
    int32_t *class_of = NULL, *coarse = NULL;
    NEW(&s->run->work, count, codes->count + 1);
    NEW(&s->run->work, class_of, codes->count + 1);
    NEW(&s->run->work, coarse, s->rows + 1);
    for (int64_t i = 0; i < s->rows; i++)
        if (codes->at[i] >= 0) count[codes->at[i]]++;
    for (int32_t c = 0; c < codes->count; c++) {
        class_of[c] = (int32_t)(before * CLASSES / s->rows);
        before += count[c];
    }
    for (int64_t i = 0; i < s->rows; i++) coarse[i] = codes->at[i] < 0 ? -1 : class_of[codes->at[i]];
    *out = coarse;
done:
    return status;
}

/* Every swapped column with every t − 1 of the others (one, where t is 1): the worst distance, and how many tables changed. */
static Status say_distances(Swap *s) {
    Status status = OK;
    int64_t others = s->order > 1 ? s->order - 1 : 1, tables = 0, kept = 0, choice[MOST_ORDER] = { 0 };
    double worst = NAN;
    if (s->against.count < others) {
        result_null(s->run->result, "distance", "There is no other column with few values to form tables.");
        return OK;
    }
    for (int64_t v = 0; v < s->vars.count; v++) {
        Codes codes;
        TRY(column_codes(&s->run->work, s->vars.at[v], &codes));
        if (s->order == 1 && codes.count > MANY && column_numeric(s->vars.at[v])) TRY(coarse_codes(s, &codes, &codes.at));
        for (int64_t k = 0; k < others; k++) choice[k] = k;
        do {
            const int32_t *code[MOST_ORDER + 1] = { codes.at };
            double distance;
            if (tables == MOST_TABLES) break;
            TRY(work_check(&s->run->work));
            for (int64_t k = 0; k < others; k++) code[k + 1] = s->code[choice[k]];
            TRY(table_distance(s, code, others + 1, 0, &distance));
            worst = fmax(worst, distance);
            kept += distance == 0;
            tables++;
        } while (next_choice(choice, others, s->against.count));
    }
    result_real(s->run->result, "distance", worst);
    result_integer(s->run->result, "tables", tables);
    result_integer(s->run->result, "tables_kept", kept);
    if (tables == MOST_TABLES) result_note(s->run->result, "Only the first %d tables were compared.", MOST_TABLES);
done:
    return status;
}

static Status say_weighted(Swap *s) {
    Status status = OK;
    char number[33];
    Grid *grid = grid_new(s->run->result, "weighted_counts", "variable:text category:text before:real after:real");
    for (int64_t v = 0; v < s->vars.count; v++) {
        const Column *column = s->vars.at[v];
        Codes codes;
        double *before = NULL, *after = NULL, mean[2] = { 0 }, total = 0;
        TRY(column_codes(&s->run->work, column, &codes));
        NEW(&s->run->work, before, codes.count + 1);
        NEW(&s->run->work, after, codes.count + 1);
        for (int64_t i = 0; i < s->rows; i++) {
            double weight = column_number(s->weight, i);
            if (codes.at[i] < 0 || isnan(weight)) continue;
            before[codes.at[i]] += weight;
            after[codes.at[s->from[i]]] += weight;
            total += weight;
        }
        bool many = codes.count > MOST_CATEGORIES;
        for (int32_t c = 0; c < codes.count; c++) {
            double value = column_number(column, codes.first_row[c]);
            mean[0] += before[c] * value / total;
            mean[1] += after[c] * value / total;
            if (many) continue;
            grid_text(grid, column->name);
            grid_text(grid, column_cell(column, codes.first_row[c], number));
            grid_real(grid, before[c]);
            grid_real(grid, after[c]);
        }
        if (many && column_numeric(column)) {
            grid_text(grid, column->name);
            grid_text(grid, "(mean)");
            grid_real(grid, mean[0]);
            grid_real(grid, mean[1]);
        }
    }
    grid_done(grid);
done:
    return status;
}

Status swap_report(Swap *s) {
    Status status = OK;
    Result *result = s->run->result;
    int64_t moves[MOST_ORDER + 1] = { 0 }, swapped = 0;
    for (int64_t m = 0; m < s->moves; m++) {
        moves[s->move[m].order]++;
        swapped += (int64_t)1 << s->move[m].order;
    }
    result_integer(result, "swapped", swapped);
    result_real(result, "rate", s->rows ? (double)swapped / (double)s->rows : NAN);
    TRY(say_distances(s));
    Grid *grid = grid_new(result, "moves", "order:integer moves:integer records:integer");
    for (int64_t order = s->order; order >= 1; order--) {
        grid_integer(grid, order);
        grid_integer(grid, moves[order]);
        grid_integer(grid, moves[order] << order);
    }
    grid_done(grid);
    if (s->weight) TRY(say_weighted(s));
done:
    return status;
}
