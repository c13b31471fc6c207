/* The trainer: stochastic gradient of the conditional likelihood of a linear chain (Lafferty, McCallum & Pereira 2001), steps by AdaGrad
 * (Duchi, Hazan & Singer 2011), weights drawn towards those of the model that training began with (Chelba & Acero 2004). */
#include <string.h>
#include "base/elementary.h"
#include "prose/tagger_train.h"

static const double RATE = 0.12, RIDGE = 2e-5, STIFF = 0.02, MOST_WEIGHT = 3.9, LEAST_GRADIENT = 1e-4;

typedef struct Features {
    int count;
    uint32_t at[WORD_FEATURES * ROLES + PAIR_FEATURES];
} Features;
typedef float Row[TAG_ROOM];
typedef double Chance[TAG_ROOM];

struct Trainer {
    Row *weight, *squares, *mean, *prior;
    Chance transition[TAG_ROOM], transition_squares[TAG_ROOM], transition_mean[TAG_ROOM];
    int64_t averaged;
    uint64_t state;
    Chance *unary, *forward, *backward;
    Features *features;
    Token *token; /* a copy, in which some names are forgotten */
};

static double uniform(Trainer *t) {
    t->state ^= t->state << 13;
    t->state ^= t->state >> 7;
    t->state ^= t->state << 17;
    return (double)(t->state >> 11) * 0x1p-53;
}

Status trainer_new(Work *work, const Model *from, Trainer **out) {
    Status status = OK;
    Trainer *t = NULL;
    NEW(work, t, 1);
    NEW(work, t->weight, MODEL_BUCKETS);
    NEW(work, t->squares, MODEL_BUCKETS);
    NEW(work, t->mean, MODEL_BUCKETS);
    NEW(work, t->prior, MODEL_BUCKETS);
    NEW(work, t->unary, TRAIN_MOST);
    NEW(work, t->forward, TRAIN_MOST);
    NEW(work, t->backward, TRAIN_MOST);
    NEW(work, t->features, TRAIN_MOST);
    NEW(work, t->token, TRAIN_MOST);
    double scale = 1.0 / (from->scale > 0 ? from->scale : 1);
    int had = model_tags(from);
    for (int b = 0; b < MODEL_BUCKETS; b++)
        for (int a = 0; a < TAGS; a++) {
            t->prior[b][a] = t->weight[b][a] = a < had ? (float)(from->weight[b][a] * scale) : 0;
            t->squares[b][a] = (float)STIFF;
        }
    for (int a = 0; a < TAGS; a++)
        for (int b = 0; b < TAGS; b++) {
            bool known = a < had && b < had;
            t->transition[a][b] = known ? from->transition[a][b] * scale : a == b ? 2 : a == TAG_OTHER ? -4 : b == TAG_OTHER ? 0 : -3;
            t->transition_squares[a][b] = 1;
        }
    t->state = 88172645463325252u;
    *out = t;
done:
    return status;
}

/* A name is not to be known by itself, nor only from the lists. */
static void forget(Trainer *t, int64_t count, const uint8_t *tag) {
    for (int64_t i = 0; i < count; i++) {
        Token *k = &t->token[i];
        if (!shape_is_word(k->shape)) continue;
        if (tag[i] == TAG_OTHER) {
            bool content = k->end - k->start > 3 && !(k->lists & ~(uint32_t)(LIST_ORDINARY | LIST_GIVEN | LIST_SURNAME | LIST_CITY));
            if (content && uniform(t) < (k->shape == SHAPE_LOWER ? 0.2 : 0.05)) {
                k->word = WORD_UNKNOWN;
                k->lists &= ~(uint32_t)LIST_ORDINARY;
            }
            continue;
        }
        bool named = !(k->lists & (LIST_ORDINARY | LIST_STREET_AFTER | LIST_STREET_BEFORE | LIST_ORGANISATION | LIST_UNIT));
        if (named && uniform(t) < 0.5) k->word = WORD_UNKNOWN;
        if (named && uniform(t) < 0.2) k->lists &= ~(uint32_t)(LIST_GIVEN | LIST_SURNAME | LIST_CITY | LIST_REGION);
    }
}

static void normalise(Chance v) {
    double sum = 0;
    for (int a = 0; a < TAGS; a++) sum += v[a];
    for (int a = 0; a < TAGS; a++) v[a] = sum > 0 ? v[a] / sum : 1.0 / TAGS;
}

static void unary_scores(Trainer *t, const char *text, const Tokens *tokens, int64_t count) {
    static const Token edge = { .word = 1, .shape = SHAPE_EDGE };
    for (int64_t i = 0; i < count; i++) {
        Features *f = &t->features[i];
        Chance sum = { 0 };
        f->count = 0;
        for (int role = -2; role <= 2; role++)
            f->count += word_features(text, i + role < 0 || i + role >= count ? &edge : &t->token[i + role], role, f->at + f->count);
        f->count += pair_features(tokens, i, f->at + f->count);
        for (int n = 0; n < f->count; n++)
            for (int a = 0; a < TAGS; a++) sum[a] += (double)t->weight[f->at[n]][a];
        double top = sum[0];
        for (int a = 1; a < TAGS; a++) top = sum[a] > top ? sum[a] : top;
        for (int a = 0; a < TAGS; a++) t->unary[i][a] = fixed_exp(sum[a] - top);
    }
}

/* Forward and backward sums, with an ordinary token before and after. */
static void sums(Trainer *t, int64_t count, Chance power[TAG_ROOM]) {
    for (int64_t i = 0; i < count; i++) {
        for (int b = 0; b < TAGS; b++) {
            double sum = 0;
            for (int a = 0; a < TAGS; a++) sum += (i ? t->forward[i - 1][a] : a == TAG_OTHER) * power[a][b];
            t->forward[i][b] = sum * t->unary[i][b];
        }
        normalise(t->forward[i]);
    }
    for (int64_t i = count; i-- > 0;) {
        for (int a = 0; a < TAGS; a++) {
            double sum = 0;
            for (int b = 0; b < TAGS; b++)
                sum += power[a][b] * (i + 1 < count ? t->unary[i + 1][b] * t->backward[i + 1][b] : b == TAG_OTHER);
            t->backward[i][a] = sum;
        }
        normalise(t->backward[i]);
    }
}

static void step(float *w, float *g2, float prior, double gradient) {
    gradient += RIDGE * (double)(*w - prior);
    *g2 += (float)(gradient * gradient);
    double moved = (double)*w - RATE * gradient / (1e-3 + sqrt((double)*g2));
    *w = (float)(moved > MOST_WEIGHT ? MOST_WEIGHT : moved < -MOST_WEIGHT ? -MOST_WEIGHT : moved);
}

static void learn_transitions(Trainer *t, int64_t count, const uint8_t *tag, Chance power[TAG_ROOM]) {
    Chance gradient[TAG_ROOM] = { 0 };
    for (int64_t i = 0; i < count; i++) {
        Chance pair[TAG_ROOM];
        double sum = 0;
        for (int a = 0; a < TAGS; a++)
            for (int b = 0; b < TAGS; b++)
                sum += pair[a][b] = (i ? t->forward[i - 1][a] : a == TAG_OTHER) * power[a][b] * t->unary[i][b] * t->backward[i][b];
        int from = i ? tag[i - 1] : TAG_OTHER;
        for (int a = 0; a < TAGS; a++)
            for (int b = 0; b < TAGS; b++) gradient[a][b] += (sum > 0 ? pair[a][b] / sum : 0) - (a == from && b == tag[i]);
    }
    for (int a = 0; a < TAGS; a++)
        for (int b = 0; b < TAGS; b++) {
            t->transition_squares[a][b] += gradient[a][b] * gradient[a][b];
            t->transition[a][b] -= 0.1 * gradient[a][b] / (1e-3 + sqrt(t->transition_squares[a][b]));
        }
}

Status trainer_learn(Trainer *t, const char *text, const Tokens *tokens, const uint8_t *tag, int64_t first, int64_t count) {
    Chance power[TAG_ROOM] = { 0 };
    if (count > TRAIN_MOST) count = TRAIN_MOST;
    memcpy(t->token, tokens->at + first, (size_t)count * sizeof *t->token);
    forget(t, count, tag + first);
    Tokens window = { .at = t->token, .count = count };
    for (int a = 0; a < TAGS; a++)
        for (int b = 0; b < TAGS; b++) power[a][b] = fixed_exp(t->transition[a][b]);
    unary_scores(t, text, &window, count);
    sums(t, count, power);
    learn_transitions(t, count, tag + first, power);
    for (int64_t i = 0; i < count; i++) {
        Chance p;
        for (int a = 0; a < TAGS; a++) p[a] = t->forward[i][a] * t->backward[i][a];
        normalise(p);
        for (int a = 0; a < TAGS; a++) {
            double gradient = p[a] - (a == tag[first + i]);
            if (gradient < LEAST_GRADIENT && gradient > -LEAST_GRADIENT) continue;
            for (int f = 0; f < t->features[i].count; f++) {
                uint32_t bucket = t->features[i].at[f];
                step(&t->weight[bucket][a], &t->squares[bucket][a], t->prior[bucket][a], gradient);
            }
        }
    }
    return OK;
}

void trainer_average(Trainer *t) {
    t->averaged++;
    for (int b = 0; b < MODEL_BUCKETS; b++)
        for (int a = 0; a < TAGS; a++) t->mean[b][a] += t->weight[b][a];
    for (int a = 0; a < TAGS; a++)
        for (int b = 0; b < TAGS; b++) t->transition_mean[a][b] += t->transition[a][b];
}

static long nearest(double x) { return (long)(x < 0 ? x - 0.5 : x + 0.5); }

void trainer_model(const Trainer *t, Model *out) {
    double share = 1.0 / (double)(t->averaged ? t->averaged : 1);
    *out = (Model){ .magic = MODEL_ALL_TAGS, .scale = 32 };
    for (int a = 0; a < TAGS; a++)
        for (int b = 0; b < TAGS; b++) out->transition[a][b] = (int32_t)nearest(t->transition_mean[a][b] * share * out->scale);
    for (int b = 0; b < MODEL_BUCKETS; b++)
        for (int a = 0; a < TAGS; a++) out->weight[b][a] = (int8_t)nearest((double)t->mean[b][a] * share * out->scale);
}
