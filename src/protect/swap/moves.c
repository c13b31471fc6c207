/* Data swapping: moves that keep tables exactly.
 *
 * A move of order t takes two tuples u and v of the unswapped columns and cuts the columns in which they differ into t blocks. Of the 2^t
 * tuples that take each block from u or from v, those that take an even number from v belong to records with swapped value a, the others to
 * records with value b; all exchange a and b. A table of the swapped value with t − 1 unswapped columns touches at most t − 1 blocks; over
 * the free block a and b balance, so every such table stays as it is. Order 1 is the plain exchange between two records; order 2 is that of
 * table 1 in Matthews & Harel 2011 (from Fienberg & McIntyre 2004). */
#include <string.h>
#include "protect/swap/swap.h"

static uint64_t piece(int64_t column, int32_t code) { return word_hash(((uint64_t)(column + 1) << 40) ^ (uint64_t)(uint32_t)code); }

static uint64_t hash_row(const Swap *s, int64_t row) {
    uint64_t sum = word_hash((uint64_t)s->strata.of[row]);
    for (int64_t k = 0; k < s->against.count; k++) sum += piece(k, s->code[k][row]);
    return sum;
}

/* Rows listed by group: row[start[g]] …. */
static Status list_members(Work *work, const Grouping *groups, int64_t rows, int64_t **start, int64_t **row) {
    Status status = OK;
    int64_t *next = NULL;
    NEW(work, *start, groups->count + 1);
    NEW(work, *row, rows + 1);
    NEW(work, next, groups->count + 1);
    for (int64_t g = 0; g < groups->count; g++) next[g + 1] = (*start)[g + 1] = (*start)[g] + groups->size[g];
    for (int64_t i = 0; i < rows; i++) (*row)[next[groups->of[i]]++] = i;
done:
    arena_drop(work->arena, next);
    return status;
}

static Status group_by(Work *work, const Swap *s, const int32_t *const *code, int64_t count, Grouping *out) {
    Status status = OK;
    Codes *codes = NULL;
    NEW(work, codes, count + 1);
    for (int64_t k = 0; k < count; k++) {
        int32_t most = -1;
        for (int64_t i = 0; i < s->rows; i++)
            if (code[k][i] > most) most = code[k][i];
        codes[k] = (Codes){ .count = most + 1, .at = code[k] };
    }
    TRY(group_codes(work, codes, count, s->rows, out));
done:
    return status;
}

Status swap_prepare(Swap *s) {
    Status status = OK;
    Work *work = &s->run->work;
    const int32_t **code = NULL;
    NEW(work, code, s->against.count + 2);
    NEW(work, s->used, s->rows + 1);
    NEW(work, s->from, s->rows + 1);
    for (int64_t i = 0; i < s->rows; i++) {
        s->from[i] = i;
        s->used[i] = s->value[i] < 0;
    }
    if (s->order < 2) return OK;
    memcpy(code, s->code, (size_t)s->against.count * sizeof *code);
    code[s->against.count] = s->strata.of;
    TRY(group_by(work, s, code, s->against.count + 1, &s->classes));
    TRY(list_members(work, &s->classes, s->rows, &s->class_start, &s->class_row));
    TRY(group_by(work, s, (const int32_t *[]){ s->value, s->strata.of }, 2, &s->alike));
    TRY(list_members(work, &s->alike, s->rows, &s->alike_start, &s->alike_row));
    for (s->slots = 64; s->slots < 2 * s->classes.count;) s->slots *= 2;
    NEW(work, s->slot, s->slots);
    for (int64_t c = 0; c < s->classes.count; c++) {
        uint64_t at = hash_row(s, s->classes.first[c]);
        while (s->slot[(at >> 20) & (uint64_t)(s->slots - 1)]) at += UINT64_C(1) << 20;
        s->slot[(at >> 20) & (uint64_t)(s->slots - 1)] = c + 1;
    }
done:
    return status;
}

/* The class whose tuple takes column k from row v where block[k] is in `mask`, else from row u; -1 where there is none. */
static int64_t find_class(const Swap *s, int64_t u, int64_t v, const int8_t *block, unsigned mask) {
    uint64_t at = word_hash((uint64_t)s->strata.of[u]);
    for (int64_t k = 0; k < s->against.count; k++) at += piece(k, s->code[k][block[k] >= 0 && (mask >> block[k] & 1) ? v : u]);
    for (;; at += UINT64_C(1) << 20) {
        int64_t c = s->slot[(at >> 20) & (uint64_t)(s->slots - 1)] - 1;
        if (c < 0) return -1;
        int64_t row = s->classes.first[c];
        bool same = s->strata.of[row] == s->strata.of[u];
        for (int64_t k = 0; same && k < s->against.count; k++)
            same = s->code[k][row] == s->code[k][block[k] >= 0 && (mask >> block[k] & 1) ? v : u];
        if (same) return c;
    }
}

/* A free record of a class with the swapped value `wanted` (or, where that is -1, with any but `avoid`), looked for from a random place on;
 * -1 where none. */
static int64_t find_member(const Swap *s, RandomReader *reader, int64_t c, int32_t wanted, int32_t avoid) {
    enum { LOOKS = 256 };
    int64_t first = s->class_start[c], size = s->class_start[c + 1] - first,
            start = (int64_t)word_below(reader_word(reader), (uint64_t)size);
    for (int64_t k = 0; k < size && k < LOOKS; k++) {
        int64_t row = s->class_row[first + (start + k) % size];
        if (!s->used[row] && (wanted >= 0 ? s->value[row] == wanted : s->value[row] != avoid)) return row;
    }
    return -1;
}

/* Columns in which u and v differ, cut into t blocks: t − 1 columns at random each alone, the rest together. False where they differ in
 * fewer than t. */
static bool cut(const Swap *s, RandomReader *reader, int64_t u, int64_t v, int order, int8_t *block) {
    int64_t differ = 0, seen = 0;
    for (int64_t k = 0; k < s->against.count; k++) {
        block[k] = s->code[k][u] == s->code[k][v] ? -1 : (int8_t)(order - 1);
        differ += block[k] >= 0;
    }
    if (differ < order) return false;
    int taken = 0; /* each differing column is one of the t − 1 with the same chance (selection sampling) */
    for (int64_t k = 0; k < s->against.count && taken < order - 1; k++) {
        if (block[k] < 0) continue;
        if (word_below(reader_word(reader), (uint64_t)(differ - seen)) < (uint64_t)(order - 1 - taken)) block[k] = (int8_t)taken++;
        seen++;
    }
    return true;
}

/* One attempt at a move of order t ≥ 2 that begins at record u. */
static bool attempt(const Swap *s, RandomReader *reader, int64_t u, int order, int8_t *block, Move *move) {
    int32_t a = s->value[u], b = -1;
    int64_t list = s->alike.of[u], first = s->alike_start[list], size = s->alike_start[list + 1] - first, v;
    if (order % 2) { /* the tuple all from v has value b */
        int64_t stratum = s->strata.of[u], from = s->strata.start[stratum];
        v = s->strata.row[from + (int64_t)word_below(reader_word(reader), (uint64_t)(s->strata.start[stratum + 1] - from))];
        if (s->used[v] || s->value[v] == a) return false;
        b = s->value[v];
    } else v = s->alike_row[first + (int64_t)word_below(reader_word(reader), (uint64_t)size)];
    if (v == u || s->used[v] || !cut(s, reader, u, v, order, block)) return false;
    int64_t even = 0, odd = 0;
    for (unsigned mask = 0; mask < 1u << order; mask++) {
        bool turn = __builtin_popcount(mask) % 2;
        int64_t row = mask == 0 ? u : mask == (1u << order) - 1 ? v : -1;
        if (row < 0) {
            int64_t c = find_class(s, u, v, block, mask);
            row = c < 0 ? -1 : find_member(s, reader, c, turn ? b : a, a);
        }
        if (row < 0) return false;
        if (turn && b < 0) b = s->value[row];
        move->row[turn ? 2 * odd++ + 1 : 2 * even++] = row;
    }
    move->order = order;
    return true;
}

static Status apply(Swap *s, const Move *move) {
    Status status = OK;
    GROW(&s->run->work, s->move, s->room, s->moves + 1);
    s->move[s->moves++] = *move;
    for (int k = 0; k < 1 << move->order; k += 2) {
        s->from[move->row[k]] = move->row[k + 1];
        s->from[move->row[k + 1]] = move->row[k];
        s->used[move->row[k]] = s->used[move->row[k + 1]] = 1;
    }
done:
    return status;
}

void swap_revert(Swap *s, const Move *move) {
    for (int k = 0; k < 1 << move->order; k++) {
        s->from[move->row[k]] = move->row[k];
        s->used[move->row[k]] = 0;
    }
}

static int64_t agreement(const Swap *s, int64_t a, int64_t b) {
    int64_t same = 0;
    for (int64_t k = 0; k < s->against.count; k++) same += s->code[k][a] == s->code[k][b];
    return same;
}

/* Of some free records drawn from list[from] on, the place of the one with another value that agrees with `row` in most columns; -1 where
 * none has another value. Where no tables are to be kept, the first that comes. */
static int64_t choose_partner(const Swap *s, RandomReader *reader, const int64_t *list, int64_t from, int64_t count, int64_t row) {
    enum { LOOKS = 32 };
    int64_t best = -1, most = -1;
    for (int look = 0; look < LOOKS && from < count; look++) {
        int64_t at = from + (int64_t)word_below(reader_word(reader), (uint64_t)(count - from));
        if (s->value[list[at]] == s->value[row]) continue;
        if (s->order < 2) return at;
        int64_t same = agreement(s, row, list[at]);
        if (same > most) {
            most = same;
            best = at;
        }
    }
    for (int64_t at = from; at < count && best < 0; at++) /* a rare other value */
        if (s->value[list[at]] != s->value[row]) best = at;
    return best;
}

static void exchange_places(int64_t *list, int64_t a, int64_t b) {
    int64_t row = list[a];
    list[a] = list[b];
    list[b] = row;
}

/* Order 1: two records with different values, at random; where higher tables are to be kept but no move does, two that are much alike. */
static Status exchange_pairs(Swap *s, RandomReader *reader, int64_t stratum, int64_t need, int64_t *moved) {
    Status status = OK;
    int64_t first = s->strata.start[stratum], count = 0, *list = NULL;
    NEW(&s->run->work, list, s->strata.start[stratum + 1] - first + 1);
    for (int64_t r = first; r < s->strata.start[stratum + 1]; r++)
        if (!s->used[s->strata.row[r]]) list[count++] = s->strata.row[r];
    for (int64_t i = 0; i + 1 < count && *moved + 1 <= need; i += 2) {
        exchange_places(list, i, i + (int64_t)word_below(reader_word(reader), (uint64_t)(count - i)));
        int64_t partner = choose_partner(s, reader, list, i + 1, count, list[i]);
        if (partner < 0) break; /* one value only is left */
        exchange_places(list, i + 1, partner);
        TRY(apply(s, &(Move){ .order = 1, .row = { list[i], list[i + 1] } }));
        *moved += 2;
    }
done:
    arena_drop(s->run->work.arena, list);
    return status;
}

Status swap_stratum(Swap *s, RandomReader *reader, int64_t stratum, int order, int64_t need, int64_t *moved) {
    enum { HOPELESS = 50000 };
    Status status = OK;
    int64_t first = s->strata.start[stratum], size = s->strata.start[stratum + 1] - first, size_of_move = (int64_t)1 << order;
    int8_t *block = NULL;
    *moved = 0;
    if (order == 1) return exchange_pairs(s, reader, stratum, need, moved);
    if (size < size_of_move) return OK;
    NEW(&s->run->work, block, s->against.count + 1);
    int64_t patience = 200 * size + 1000 < HOPELESS ? 200 * size + 1000 : HOPELESS;
    for (int64_t failures = 0, tries = 0; *moved + size_of_move / 2 <= need && failures < patience; tries++) {
        Move move;
        int64_t u = s->strata.row[first + (int64_t)word_below(reader_word(reader), (uint64_t)size)];
        if ((tries & 4095) == 0) TRY(work_check(&s->run->work));
        if (s->used[u] || !attempt(s, reader, u, order, block, &move)) {
            failures++;
            continue;
        }
        failures = 0;
        TRY(apply(s, &move));
        *moved += size_of_move;
    }
done:
    arena_drop(s->run->work.arena, block);
    return status;
}
