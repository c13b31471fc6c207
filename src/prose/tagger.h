/* The tagger: a linear-chain conditional random field over words, their forms, affixes, lists and neighbours. */
#ifndef SCRIM_PROSE_TAGGER_H
#define SCRIM_PROSE_TAGGER_H
#include "prose/lists.h"

/* A number and a date are tags of models that a site has trained; the built-in model leaves them to patterns. */
typedef enum {
    TAG_OTHER,
    TAG_PERSON,
    TAG_PLACE,
    TAG_STREET,
    TAG_ZIP,
    TAG_ORGANISATION,
    BUILT_IN_TAGS,
    TAG_NUMBER = BUILT_IN_TAGS,
    TAG_DATE,
    TAGS,
    TAG_ROOM = 8
} Tag;
enum { MODEL_BITS = 16, MODEL_BUCKETS = 1 << MODEL_BITS, ROLES = 5, WORD_FEATURES = 24, PAIR_FEATURES = 16 };

/* The model as it lies in its file: little endian, weights in 1/scale. */
typedef struct Model {
    char magic[8]; /* "scrimM1" of the tags of the built-in model, "scrimM2" of all */
    int32_t scale;
    int32_t transition[TAG_ROOM][TAG_ROOM];
    int8_t weight[MODEL_BUCKETS][TAG_ROOM];
} Model;
#define MODEL_ALL_TAGS "scrimM2"
static inline int model_tags(const Model *model) { return model->magic[6] == '2' ? TAGS : BUILT_IN_TAGS; }
/* The one within the library; lives as long as the program. */
const Model *model_built_in(void);

/* Features, for training and use alike: buckets of the weights. Those of a word in the role of the token (0), or of its neighbours (±1,
 * ±2). */
int word_features(const char *text, const Token *token, int role, uint32_t out[WORD_FEATURES]);
/* Those of a token together with its neighbours. `at` may stand at either end: what lies outside is an edge. */
int pair_features(const Tokens *tokens, int64_t at, uint32_t out[PAIR_FEATURES]);

/* Scratch of one thread: what words score by themselves, kept for the next time. */
typedef struct Tagger Tagger;
/* The model must stay. Ends with tagger_free, for which NULL is harmless. */
MUST_CHECK Status tagger_new(const Model *model, Tagger **out, Error *error);
void tagger_free(Tagger *tagger);
/* Probability of each tag for each token, in [count][TAG_ROOM]; tokens that are beyond doubt ordinary are given TAG_OTHER without being
 * weighed. */
void tagger_run(Tagger *tagger, const char *text, const Tokens *tokens, float (*out)[TAG_ROOM]);
#endif
