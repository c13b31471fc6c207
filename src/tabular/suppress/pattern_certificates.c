/* Proofs: which moves answer which demands, and for whom; what was learned since a mark can be taken back. */
#include "base/elementary.h"
#include "tabular/suppress/pattern.h"

static bool knows(const Pattern *pattern, const Proof *proof, int32_t contributor) {
    for (int32_t k = 0; k < proof->knowers; k++)
        if (pattern->moves.knower[proof->knowers_at + k] == contributor) return true;
    return false;
}

static const Need *own_need(const Pattern *pattern, const Demand *d, int32_t who) {
    for (int64_t k = d->own_at; k < d->own_end; k++)
        if (pattern->own[k].who == who) return &pattern->own[k];
    return NULL;
}

double demand_need(const Pattern *pattern, const Demand *d, int32_t who) {
    const Need *own = who >= 0 ? own_need(pattern, d, who) : NULL;
    return fmax(own ? own->need : d->need, 0);
}

/* How far proof i takes the demand's cell the way that is asked. */
static double proof_reach(const Pattern *pattern, const Demand *d, int32_t i) {
    const Proof *p = &pattern->proof[d->proof[i]];
    for (int32_t k = 0; k < p->count; k++)
        if (proof_cell(pattern, p, k) == d->cell) return way_reach(d->way, proof_x(pattern, p, k));
    return 0;
}

static bool deceived(const Pattern *pattern, const Demand *d, int32_t who, double need) {
    for (int32_t i = 0; i < d->proofs; i++)
        if (is_reached(proof_reach(pattern, d, i), need) && !knows(pattern, &pattern->proof[d->proof[i]], who)) return true;
    return false;
}

int32_t pattern_undeceived(const Pattern *pattern, const Demand *d) {
    const Proof *first = NULL;
    if (d->need > 0) {
        for (int32_t i = 0; i < d->proofs && !first; i++)
            if (is_reached(proof_reach(pattern, d, i), d->need)) first = &pattern->proof[d->proof[i]];
        if (!first) return OUTSIDER;
    }
    for (int64_t k = d->own_at; k < d->own_end; k++)
        if (pattern->own[k].need > 0 && !deceived(pattern, d, pattern->own[k].who, pattern->own[k].need)) return pattern->own[k].who;
    for (int32_t k = 0; first && k < first->knowers; k++) { /* who is not deceived knows a cell of the first move, too */
        int32_t who = pattern->moves.knower[first->knowers_at + k];
        if (!own_need(pattern, d, who) && !deceived(pattern, d, who, d->need)) return who;
    }
    return NOBODY;
}

/* A program's answer is whole to a part in a million. */
static double change(const Pattern *pattern, double x) { return pattern->m->whole && fabs(x - round(x)) < 1e-6 ? round(x) : x; }

bool pattern_allows(const Pattern *pattern, int32_t cell, double x) {
    return x <= pattern->plain_high[cell] * (1 + 1e-9) + 1e-9 && -x <= pattern->plain_low[cell] * (1 + 1e-9) + 1e-9;
}

static bool move_allowed(const Pattern *pattern, const Move *move, double sign) {
    for (int64_t k = 0; k < move->count; k++)
        if (!pattern_allows(pattern, move->cell[k], change(pattern, sign * move->x[k]))) return false;
    return true;
}

/* The move's cells, at the end of all moves. */
static Status store(Pattern *pattern, const Move *move, Proof *out) {
    Status status = OK;
    Moves *moves = &pattern->moves;
    *out = (Proof){ .at = moves->cells, .count = (int32_t)move->count };
    GROW(pattern->work, moves->cell, moves->cell_room, moves->cells + move->count + 1);
    GROW(pattern->work, moves->x, moves->x_room, moves->cells + move->count + 1);
    for (int64_t k = 0; k < move->count; k++) {
        moves->cell[moves->cells] = move->cell[k];
        moves->x[moves->cells++] = change(pattern, move->x[k]);
    }
done:
    return status;
}

bool contributor_knows(const Pattern *pattern, const Share *share, int32_t cell, double x) {
    const Contributors *c = pattern->contributors;
    if (c->alone[cell]) return true;
    double left = pattern->m->value[cell] - share->own;
    return c->bounds && x < 0 && -x > fmax(left, 0) * (1 + 1e-9) + 1e-9;
}

/* Who can rule the move out, the way of its sign. */
static Status list_knowers(Pattern *pattern, Proof *p) {
    Status status = OK;
    const Contributors *c = pattern->contributors;
    Moves *moves = &pattern->moves;
    p->knowers_at = moves->knowers;
    for (int32_t k = 0; c && k < p->count; k++) {
        int32_t cell = proof_cell(pattern, p, k);
        for (int64_t e = c->cell_start[cell]; e < c->cell_start[cell + 1]; e++) {
            if (!contributor_knows(pattern, &c->of_cell[e], cell, proof_x(pattern, p, k))) break; /* the others have less in it */
            if (knows(pattern, p, c->of_cell[e].other)) continue;
            GROW(pattern->work, moves->knower, moves->knower_room, moves->knowers + 1);
            moves->knower[moves->knowers++] = c->of_cell[e].other;
            p->knowers++;
        }
    }
done:
    return status;
}

static Status note(Work *work, List *list, int32_t number) {
    Status status = OK;
    GROW(work, list->at, list->room, list->count + 1);
    list->at[list->count++] = number;
done:
    return status;
}

/* One demand more whose proofs use the cell. */
static Status note_user(Pattern *pattern, int32_t cell, int32_t demand) {
    Status status = OK;
    List *users = &pattern->users[cell];
    if (users->count && users->at[users->count - 1] == demand) return OK;
    TRY(note(pattern->work, users, demand));
    if (pattern->opening) TRY(note(pattern->work, &pattern->since.used, cell));
done:
    return status;
}

Status pattern_hide(Pattern *pattern, int32_t cell) {
    if (pattern->hidden[cell]) return OK;
    pattern->hidden[cell] = 1;
    return pattern->opening ? note(pattern->work, &pattern->since.hidden, cell) : OK;
}

static Status give_proof(Pattern *pattern, int32_t demand, int32_t proof) {
    Status status = OK;
    Demand *d = &pattern->demand[demand];
    const Proof p = pattern->proof[proof];
    int64_t room = d->room;
    for (int32_t i = 0; i < d->proofs; i++)
        if (d->proof[i] == proof) return OK;
    GROW(pattern->work, d->proof, room, d->proofs + 1);
    d->room = (int32_t)room;
    d->proof[d->proofs++] = proof;
    if (pattern->opening) TRY(note(pattern->work, &pattern->since.given, demand));
    for (int32_t k = 0; k < p.count; k++) {
        int32_t cell = proof_cell(pattern, &p, k);
        if (pattern->m->status[cell] != CELL_PRIMARY) TRY(note_user(pattern, cell, demand));
    }
done:
    return status;
}

/* Does the proof bring the demand nearer to being met? */
static bool serves(const Pattern *pattern, const Demand *d, double x) {
    if (way_reach(d->way, x) <= 0) return false;
    if (d->need > 0 && is_reached(way_reach(d->way, x), d->need)) return true;
    for (int64_t k = d->own_at; k < d->own_end; k++)
        if (pattern->own[k].need > 0 && is_reached(way_reach(d->way, x), pattern->own[k].need)) return true;
    return false;
}

/* Whatever other demands the move answers, it answers; *taken: whether there is any. */
static Status share_proof(Pattern *pattern, int32_t proof, bool *taken) {
    Status status = OK;
    const Proof p = pattern->proof[proof];
    *taken = false;
    for (int32_t k = 0; k < p.count; k++)
        for (int way = 0; way < WAYS; way++) {
            int64_t at = pattern->demand_at[WAYS * proof_cell(pattern, &p, k) + way];
            if (!at || !serves(pattern, &pattern->demand[at - 1], proof_x(pattern, &p, k))) continue;
            if (pattern_undeceived(pattern, &pattern->demand[at - 1]) == NOBODY) continue;
            TRY(give_proof(pattern, (int32_t)(at - 1), proof));
            *taken = true;
        }
done:
    return status;
}

Status pattern_keep_move(Pattern *pattern, const Move *move) {
    Status status = OK;
    Proof proof;
    const int64_t cells = pattern->moves.cells, knowers = pattern->moves.knowers;
    bool used = false, taken;
    TRY(store(pattern, move, &proof));
    for (proof.sign = 1; proof.sign >= -1; proof.sign -= 2) {
        if (!move_allowed(pattern, move, proof.sign)) continue;
        const int64_t before = pattern->moves.knowers;
        proof.knowers = 0;
        TRY(list_knowers(pattern, &proof));
        GROW(pattern->work, pattern->proof, pattern->proof_room, pattern->proofs + 1);
        pattern->proof[pattern->proofs] = proof;
        TRY(share_proof(pattern, (int32_t)pattern->proofs, &taken));
        pattern->proofs += taken;
        if (!taken) pattern->moves.knowers = before;
        used |= taken;
    }
    if (used) goto done;
    pattern->moves.cells = cells;
    pattern->moves.knowers = knowers;
done:
    return status;
}

void pattern_mark(Pattern *pattern) {
    Since *s = &pattern->since;
    s->proofs = pattern->proofs;
    s->cells = pattern->moves.cells;
    s->knowers = pattern->moves.knowers;
    s->hidden.count = s->given.count = s->used.count = 0;
}

void pattern_back(Pattern *pattern) {
    const Since *s = &pattern->since;
    for (int64_t k = 0; k < s->hidden.count; k++) pattern->hidden[s->hidden.at[k]] = 0;
    for (int64_t k = 0; k < s->used.count; k++) pattern->users[s->used.at[k]].count--;
    for (int64_t k = 0; k < s->given.count; k++) {
        Demand *d = &pattern->demand[s->given.at[k]];
        for (int32_t i = 0; i < d->proofs; i++)
            if (d->proof[i] >= s->proofs) d->proof[i--] = d->proof[--d->proofs];
    }
    pattern->proofs = s->proofs;
    pattern->moves.cells = s->cells;
    pattern->moves.knowers = s->knowers;
}

void pattern_forget(Pattern *pattern) {
    for (int64_t d = 0; d < pattern->demands; d++) pattern->demand[d].proofs = 0;
    for (int64_t i = 0; i < pattern->m->cells; i++) pattern->users[i].count = 0;
    pattern->proofs = pattern->moves.cells = pattern->moves.knowers = 0;
}
