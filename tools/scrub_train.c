/* Trains the tagger of scrub: usage: scrub_train TRAIN HELD MODEL. Reads what tools/scrub_corpus.py writes; stochastic gradient of the
 * conditional likelihood of a linear chain (Lafferty, McCallum & Pereira 2001), steps by AdaGrad (Duchi, Hazan & Singer 2011). One thread,
 * fixed order, no library random numbers: the same corpus gives the same model. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/file.h"
#include "prose/tagger.h"

enum { EPOCHS = 6, AVERAGED = 3, MOST = 2048 };
static const double RATE = 0.15, RIDGE = 1e-5;
static float weight[MODEL_BUCKETS][TAG_ROOM], squares[MODEL_BUCKETS][TAG_ROOM], mean[MODEL_BUCKETS][TAG_ROOM];
static double transition[TAG_ROOM][TAG_ROOM], transition_squares[TAG_ROOM][TAG_ROOM];

typedef struct Record {
    const char *at;
    size_t size;
} Record;
typedef struct Sentence {
    char *text;
    size_t size;
    Tokens tokens;
    uint8_t tag[MOST];
} Sentence;
typedef struct Features {
    int count;
    uint32_t at[WORD_FEATURES * ROLES + PAIR_FEATURES];
} Features;

static uint64_t state = 88172645463325252u;
static uint64_t next_word(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}
static double uniform(void) { return (double)(next_word() >> 11) * 0x1p-53; }

static int tag_of(char letter) {
    switch (letter) {
    case 'P': return TAG_PERSON;
    case 'L': return TAG_PLACE;
    case 'S': return TAG_STREET;
    case 'Z': return TAG_ZIP;
    case 'G': return TAG_ORGANISATION;
    default: return TAG_OTHER;
    }
}

/* Takes the marks out, cuts tokens, and gives each the tag of the span it lies in. */
static Status sentence_read(const Lists *lists, const Record *record, Sentence *out, Error *error) {
    Status status = OK;
    uint8_t *tags = calloc(record->size + 1, 1);
    out->text = malloc(record->size + 1);
    out->size = 0;
    out->tokens.count = 0;
    int current = TAG_OTHER;
    for (size_t i = 0; i < record->size; i++) {
        char c = record->at[i];
        if (c == 1) current = tag_of(record->at[++i]);
        else if (c == 2) current = TAG_OTHER;
        else {
            tags[out->size] = (uint8_t)current;
            out->text[out->size++] = c;
        }
    }
    TRY(tokens_cut(out->text, out->size, &out->tokens, error));
    if (out->tokens.count > MOST) out->tokens.count = MOST;
    lists_mark(lists, out->text, &out->tokens);
    for (int64_t i = 0; i < out->tokens.count; i++) out->tag[i] = tags[out->tokens.at[i].start];
done:
    free(tags);
    return status;
}

/* A name is not to be known by itself, nor only from the lists: some are forgotten, so that the form and the neighbours must tell. */
static void forget(Sentence *s) {
    for (int64_t i = 0; i < s->tokens.count; i++) {
        Token *t = &s->tokens.at[i];
        if (!shape_is_word(t->shape)) continue;
        if (s->tag[i] == TAG_OTHER) { /* nor is every ordinary word in the list */
            bool content = t->end - t->start > 3 && !(t->lists & ~(uint32_t)(LIST_ORDINARY | LIST_GIVEN | LIST_SURNAME | LIST_CITY));
            if (content && uniform() < (t->shape == SHAPE_LOWER ? 0.35 : 0.08)) {
                t->word = WORD_UNKNOWN;
                t->lists &= ~(uint32_t)LIST_ORDINARY;
            }
            continue;
        }
        bool named = !(t->lists & (LIST_ORDINARY | LIST_STREET_AFTER | LIST_STREET_BEFORE | LIST_ORGANISATION | LIST_UNIT));
        if (named && uniform() < 0.6) t->word = WORD_UNKNOWN;
        if (named && uniform() < 0.3) t->lists &= ~(uint32_t)(LIST_GIVEN | LIST_SURNAME | LIST_CITY | LIST_REGION);
    }
}

static void features_of(const Sentence *s, int64_t at, Features *out) {
    static const Token edge = { .word = 1, .shape = SHAPE_EDGE };
    out->count = 0;
    for (int role = -2; role <= 2; role++) {
        int64_t i = at + role;
        out->count += word_features(s->text, i < 0 || i >= s->tokens.count ? &edge : &s->tokens.at[i], role, out->at + out->count);
    }
    out->count += pair_features(&s->tokens, at, out->at + out->count);
}

/* Marginals of tags and of pairs by forward and backward sums; unary and pair gradients applied at once. */
static double unary[MOST][TAG_ROOM], forward[MOST][TAG_ROOM], backward[MOST][TAG_ROOM];
static Features features[MOST];

static void normalise(double v[TAG_ROOM]) {
    double sum = 0;
    for (int t = 0; t < BUILT_IN_TAGS; t++) sum += v[t];
    for (int t = 0; t < BUILT_IN_TAGS; t++) v[t] /= sum;
}

static void sums(int64_t count) {
    for (int64_t i = 0; i < count; i++) {
        for (int b = 0; b < BUILT_IN_TAGS; b++) {
            double sum = 0;
            for (int a = 0; a < BUILT_IN_TAGS; a++) sum += (i ? forward[i - 1][a] : a == TAG_OTHER) * exp(transition[a][b]);
            forward[i][b] = sum * unary[i][b];
        }
        normalise(forward[i]);
    }
    for (int64_t i = count; i-- > 0;) {
        for (int a = 0; a < BUILT_IN_TAGS; a++) {
            double sum = 0;
            for (int b = 0; b < BUILT_IN_TAGS; b++)
                sum += exp(transition[a][b]) * (i + 1 < count ? unary[i + 1][b] * backward[i + 1][b] : b == TAG_OTHER);
            backward[i][a] = sum;
        }
        normalise(backward[i]);
    }
}

static void score(const Sentence *s) {
    for (int64_t i = 0; i < s->tokens.count; i++) {
        double sum[TAG_ROOM] = { 0 }, top = -1e300;
        features_of(s, i, &features[i]);
        for (int f = 0; f < features[i].count; f++)
            for (int t = 0; t < BUILT_IN_TAGS; t++) sum[t] += weight[features[i].at[f]][t];
        for (int t = 0; t < BUILT_IN_TAGS; t++) top = fmax(top, sum[t]);
        for (int t = 0; t < BUILT_IN_TAGS; t++) unary[i][t] = exp(sum[t] - top);
    }
    sums(s->tokens.count);
}

static void step(float *w, float *g2, double gradient) {
    gradient += RIDGE * *w;
    *g2 += (float)(gradient * gradient);
    *w -= (float)(RATE * gradient / (1e-3 + sqrt(*g2)));
    if (*w > 3.9f) *w = 3.9f;
    if (*w < -3.9f) *w = -3.9f;
}

static void learn_pairs(const Sentence *s) {
    for (int64_t i = 0; i < s->tokens.count; i++) {
        double p[TAG_ROOM][TAG_ROOM], sum = 0;
        for (int a = 0; a < BUILT_IN_TAGS; a++)
            for (int b = 0; b < BUILT_IN_TAGS; b++)
                sum += p[a][b] = (i ? forward[i - 1][a] : a == TAG_OTHER) * exp(transition[a][b]) * unary[i][b] * backward[i][b];
        int from = i ? s->tag[i - 1] : TAG_OTHER;
        for (int a = 0; a < BUILT_IN_TAGS; a++)
            for (int b = 0; b < BUILT_IN_TAGS; b++) {
                double gradient = p[a][b] / sum - (a == from && b == s->tag[i]);
                transition_squares[a][b] += gradient * gradient;
                transition[a][b] -= 0.1 * gradient / (1e-3 + sqrt(transition_squares[a][b]));
            }
    }
}

static void learn(const Sentence *s) {
    score(s);
    learn_pairs(s);
    for (int64_t i = 0; i < s->tokens.count; i++) {
        double p[TAG_ROOM];
        for (int t = 0; t < BUILT_IN_TAGS; t++) p[t] = forward[i][t] * backward[i][t];
        normalise(p);
        for (int t = 0; t < BUILT_IN_TAGS; t++) {
            double gradient = p[t] - (t == s->tag[i]);
            if (fabs(gradient) < 1e-4) continue;
            for (int f = 0; f < features[i].count; f++) step(&weight[features[i].at[f]][t], &squares[features[i].at[f]][t], gradient);
        }
    }
}

static int64_t records_of(const Bytes *bytes, Record **out) {
    int64_t count = 0;
    for (size_t i = 0; i < bytes->count; i++) count += bytes->at[i] == 0x1e;
    *out = calloc((size_t)count + 1, sizeof **out);
    const char *from = bytes->at;
    int64_t n = 0;
    for (const char *p = bytes->at; p < bytes->at + bytes->count; p++)
        if (*p == 0x1e) {
            (*out)[n++] = (Record){ from, (size_t)(p - from) };
            from = p + 1;
        }
    return count;
}

static void report(const Lists *lists, const Record *records, int64_t count) {
    static const char *const names[] = { "other", "person", "place", "street", "zip", "organisation" };
    int64_t right[TAG_ROOM] = { 0 }, said[TAG_ROOM] = { 0 }, true_of[TAG_ROOM] = { 0 };
    Sentence s = { 0 };
    Error error = ERROR_NONE;
    for (int64_t r = 0; r < count; r++) {
        if (sentence_read(lists, &records[r], &s, &error)) continue;
        score(&s);
        for (int64_t i = 0; i < s.tokens.count; i++) {
            int best = 0;
            for (int t = 1; t < BUILT_IN_TAGS; t++)
                if (forward[i][t] * backward[i][t] > forward[i][best] * backward[i][best]) best = t;
            said[best]++;
            true_of[s.tag[i]]++;
            right[best] += best == s.tag[i];
        }
        free(s.text);
    }
    for (int t = 0; t < BUILT_IN_TAGS; t++)
        printf("  %-13s precision %.4f recall %.4f of %lld tokens\n", names[t], (double)right[t] / (double)(said[t] + !said[t]),
               (double)right[t] / (double)(true_of[t] + !true_of[t]), (long long)true_of[t]);
}

/* The mean of the last epochs' weights (Polyak & Juditsky 1992): steadier than the last ones. */
static void average(void) {
    for (int b = 0; b < MODEL_BUCKETS; b++)
        for (int t = 0; t < BUILT_IN_TAGS; t++) mean[b][t] += weight[b][t] / AVERAGED;
}

static Status save(const char *path, Error *error) {
    Model *model = calloc(1, sizeof *model);
    memcpy(model->magic, "scrimM1", 8);
    model->scale = 32;
    for (int a = 0; a < BUILT_IN_TAGS; a++)
        for (int b = 0; b < BUILT_IN_TAGS; b++) model->transition[a][b] = (int32_t)lrint(transition[a][b] * model->scale);
    for (int b = 0; b < MODEL_BUCKETS; b++)
        for (int t = 0; t < BUILT_IN_TAGS; t++) model->weight[b][t] = (int8_t)lrint((double)mean[b][t] * model->scale);
    Status status = file_write(path, model, sizeof *model, false, error);
    free(model);
    return status;
}

int main(int argc, char **argv) {
    Error error = ERROR_NONE;
    Work work = { .arena = arena_new(), .error = &error };
    Lists lists;
    Bytes train = { 0 }, held = { 0 };
    Record *records, *others;
    Sentence s = { 0 };
    if (argc != 4 || lists_read_trained(&work, &lists) || bytes_open(argv[1], &train, &error) || bytes_open(argv[2], &held, &error)) {
        fprintf(stderr, "usage: scrub_train TRAIN HELD MODEL\n");
        return 1;
    }
    int64_t count = records_of(&train, &records), held_count = records_of(&held, &others);
    for (int epoch = 0; epoch < EPOCHS; epoch++) {
        for (int64_t i = count - 1; i > 0; i--) {
            int64_t j = (int64_t)(next_word() % (uint64_t)(i + 1));
            Record swap = records[i];
            records[i] = records[j];
            records[j] = swap;
        }
        for (int64_t r = 0; r < count; r++) {
            if (sentence_read(&lists, &records[r], &s, &error)) return 1;
            forget(&s);
            learn(&s);
            free(s.text);
        }
        if (epoch >= EPOCHS - AVERAGED) average();
        printf("epoch %d, on sentences held back:\n", epoch + 1);
        report(&lists, others, held_count);
        fflush(stdout);
    }
    return save(argv[3], &error);
}
