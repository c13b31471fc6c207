/* Training the tagger further: from a model that exists, on texts whose tokens have their tags. */
#ifndef SCRIM_PROSE_TAGGER_TRAIN_H
#define SCRIM_PROSE_TAGGER_TRAIN_H
#include "prose/tagger.h"

/* Weights under way. One thread, fixed order: the same texts give the same model. */
typedef struct Trainer Trainer;
/* From the arena of `work`. Weights are drawn towards those of `from`, so that what its texts taught is kept where the new ones do not say
 * otherwise. */
MUST_CHECK Status trainer_new(Work *work, const Model *from, Trainer **out);
/* One step over tokens first…first+count−1 of a text, at most TRAIN_MOST; `tag` is that of each token of the text. Names are forgotten at
 * random, so that form and neighbours must tell what the lists do not know. */
enum { TRAIN_MOST = 1024 };
MUST_CHECK Status trainer_learn(Trainer *trainer, const char *text, const Tokens *tokens, const uint8_t *tag, int64_t first, int64_t count);
void trainer_average(Trainer *trainer);                 /* adds the weights as they are to the mean (Polyak & Juditsky 1992) */
void trainer_model(const Trainer *trainer, Model *out); /* the mean; it has all tags */
#endif
