/* Decoding: unary scores by the sum of a token's features, then the probabilities of the chain by forward and backward sums. */
#include <stdlib.h>
#include <string.h>
#include "base/elementary.h"
#include "prose/tagger.h"

#include "scrub_model.h"

_Static_assert(sizeof built_in >= sizeof(Model), "share/scrub/model.bin is not a model of this form: make scrub-model");
const Model *model_built_in(void) { return (const Model *)(const void *)built_in; }

/* What a word scores in each role, by itself: the same wherever it stands, so that it is added up once. */
typedef struct WordScore {
    uint64_t key;
    int16_t role[ROLES][TAG_ROOM];
} WordScore;
/* All tags of a weight at once; their sums stay far below 2^15. */
typedef int8_t Eight8 __attribute__((vector_size(8)));
typedef int16_t Eight16 __attribute__((vector_size(16)));
enum { CACHE = 1 << 13, PIECE = 512, EXPONENTS = 1024, NEAR = 8 };

struct Tagger {
    const Model *model;
    int tags;                                                  /* that the model has: the others stay at 0 */
    float forth[TAG_ROOM][TAG_ROOM], back[TAG_ROOM][TAG_ROOM]; /* e^transition, from row to column; and turned round */
    float power[EXPONENTS];                                    /* e^(−i/scale): scores are whole numbers */
    WordScore cache[CACHE], near[NEAR];                        /* of words; and of the tokens around the one that is weighed */
    float unary[PIECE][TAG_ROOM], forward[PIECE][TAG_ROOM];
};

Status tagger_new(const Model *model, Tagger **out, Error *error) {
    Tagger *t = *out = calloc(1, sizeof *t);
    if (!t) return out_of_memory(error);
    t->model = model;
    t->tags = model_tags(model);
    double scale = 1.0 / (model->scale > 0 ? model->scale : 1);
    for (int a = 0; a < t->tags; a++)
        for (int b = 0; b < t->tags; b++) t->forth[a][b] = t->back[b][a] = (float)fixed_exp(model->transition[a][b] * scale);
    for (int i = 0; i < EXPONENTS; i++) t->power[i] = (float)fixed_exp(-i * scale);
    return OK;
}

void tagger_free(Tagger *tagger) { free(tagger); }

static void word_score_fill(const Model *model, const char *text, const Token *token, WordScore *out) {
    uint32_t features[WORD_FEATURES];
    memset(out->role, 0, sizeof out->role);
    for (int r = 0; r < ROLES; r++) {
        int n = word_features(text, token, r - 2, features);
        for (int i = 0; i < n; i++)
            for (int tag = 0; tag < TAG_ROOM; tag++) out->role[r][tag] = (int16_t)(out->role[r][tag] + model->weight[features[i]][tag]);
    }
}

/* By the word, its form and what the lists know of it. */
static const WordScore *word_score(Tagger *t, const char *text, const Token *token) {
    uint64_t key = (token->hash ^ (uint64_t)token->shape << 56 ^ (uint64_t)token->lists << 32) * 0x9e3779b97f4a7c15u | 1;
    WordScore *slot = &t->cache[key >> 51];
    if (slot->key != key) {
        word_score_fill(t->model, text, token, slot);
        slot->key = key;
    }
    return slot;
}

/* An ordinary word in lower case between two words in lower case names nobody: most of all text, and not weighed. */
static bool beyond_doubt(const Tokens *tokens, int64_t i) {
    const Token *t = &tokens->at[i];
    if (t->shape == SHAPE_MARK || t->shape >= SHAPE_LINE) {
        return (i == 0 || tokens->at[i - 1].shape == SHAPE_LOWER) && (i + 1 == tokens->count || tokens->at[i + 1].shape == SHAPE_LOWER);
    }
    if (t->shape != SHAPE_LOWER || !(t->lists & LIST_ORDINARY)) return false;
    unsigned before = i ? tokens->at[i - 1].shape : SHAPE_MARK, after = i + 1 < tokens->count ? tokens->at[i + 1].shape : SHAPE_MARK;
    return (before == SHAPE_LOWER || before >= SHAPE_MARK) && (after == SHAPE_LOWER || after >= SHAPE_MARK);
}

/* The scores of a token's word, copied beside those of its neighbours: each is looked up once, not once for each role. */
static void near_fill(Tagger *t, const char *text, const Tokens *tokens, int64_t i) {
    static const Token edge = { .word = 1, .shape = SHAPE_EDGE };
    t->near[i & (NEAR - 1)] = *word_score(t, text, i < 0 || i >= tokens->count ? &edge : &tokens->at[i]);
}

/* The neighbours of `at`, two before and two after, must be in t->near. */
static void unary_scores(Tagger *t, const Tokens *tokens, int64_t at, float out[TAG_ROOM]) {
    uint32_t features[PAIR_FEATURES];
    int16_t sum[TAG_ROOM];
    Eight16 all = { 0 }, part;
    for (int r = 0; r < ROLES; r++) {
        memcpy(&part, t->near[(at + r - 2) & (NEAR - 1)].role[r], sizeof part);
        all += part;
    }
    int n = pair_features(tokens, at, features);
    for (int i = 0; i < n; i++) {
        Eight8 weight;
        memcpy(&weight, t->model->weight[features[i]], sizeof weight);
        all += __builtin_convertvector(weight, Eight16);
    }
    memcpy(sum, &all, sizeof sum);
    int top = sum[0];
    for (int tag = 1; tag < t->tags; tag++) top = sum[tag] > top ? sum[tag] : top;
    for (int tag = 0; tag < t->tags; tag++) out[tag] = top - sum[tag] < EXPONENTS ? t->power[top - sum[tag]] : 0;
}

static void normalise(float v[TAG_ROOM]) {
    float sum = 0;
    for (int tag = 0; tag < TAGS; tag++) sum += v[tag];
    float share = sum > 0 ? 1 / sum : 0;
    for (int tag = 0; tag < TAG_ROOM; tag++) v[tag] *= share;
}

/* out = v · m, row by row, so that eight tags go at once and in the same order on every processor. */
static void through(const float v[TAG_ROOM], const float m[TAG_ROOM][TAG_ROOM], float out[TAG_ROOM]) {
    float sum[TAG_ROOM] = { 0 };
    for (int a = 0; a < TAGS; a++)
        for (int b = 0; b < TAG_ROOM; b++) sum[b] += v[a] * m[a][b];
    memcpy(out, sum, sizeof sum);
}

/* Forward and backward over tokens first…first+count−1, with an ordinary token before and after (Rabiner 1989, scaled by step). */
static void chain(Tagger *t, const char *text, const Tokens *tokens, int64_t first, int64_t count, float (*out)[TAG_ROOM]) {
    float before[TAG_ROOM] = { 1 }, after[TAG_ROOM] = { 1 }, back[TAG_ROOM];
    for (int64_t i = -2; i < 2; i++) near_fill(t, text, tokens, first + i);
    for (int64_t i = 0; i < count; i++) {
        near_fill(t, text, tokens, first + i + 2);
        unary_scores(t, tokens, first + i, t->unary[i]);
        through(before, t->forth, t->forward[i]);
        for (int tag = 0; tag < TAG_ROOM; tag++) t->forward[i][tag] *= t->unary[i][tag];
        normalise(t->forward[i]);
        memcpy(before, t->forward[i], sizeof before);
    }
    for (int64_t i = count; i-- > 0;) {
        through(after, t->back, back);
        for (int tag = 0; tag < TAG_ROOM; tag++) out[first + i][tag] = t->forward[i][tag] * back[tag];
        normalise(out[first + i]);
        for (int tag = 0; tag < TAG_ROOM; tag++) after[tag] = t->unary[i][tag] * back[tag];
        normalise(after);
    }
}

void tagger_run(Tagger *t, const char *text, const Tokens *tokens, float (*out)[TAG_ROOM]) {
    for (int64_t i = 0; i < tokens->count;) {
        if (beyond_doubt(tokens, i)) {
            memset(out[i], 0, sizeof out[i]);
            out[i++][TAG_OTHER] = 1;
            continue;
        }
        int64_t last = i + 1;
        while (last < tokens->count && last - i < PIECE && !beyond_doubt(tokens, last)) last++;
        chain(t, text, tokens, i, last - i, out);
        i = last;
    }
}
