/* Training runs over the notes of a site: which tokens are learned from, in which order, how often. */
#include "prose/tagger_train.h"
#include "scrub/train/train.h"

static Status learn_tokens(Trainer *trainer, const SiteNote *note, int64_t first, int64_t end) {
    Status status = OK;
    for (; first < end; first += TRAIN_MOST)
        TRY(trainer_learn(trainer, note->text, &note->tokens, note->tag, first, end - first < TRAIN_MOST ? end - first : TRAIN_MOST));
done:
    return status;
}

static Status learn_note(const Training *t, Trainer *trainer, const SiteNote *note) {
    Status status = OK;
    const Tokens *tokens = &note->tokens;
    if (!t->by_parts) return learn_tokens(trainer, note, 0, tokens->count);
    for (int64_t p = 0; p < note->parts; p++) {
        int64_t first = 0;
        while (first < tokens->count && tokens->at[first].start < note->part[p].start) first++;
        int64_t end = first;
        while (end < tokens->count && tokens->at[end].end <= note->part[p].end) end++;
        TRY(learn_tokens(trainer, note, first, end));
    }
done:
    return status;
}

/* Trains on the notes that are not held back, or on all; the mean of the second half of the epochs. */
Status training_fit(Training *t, const Model *from, bool all, Model *out) {
    Status status = OK;
    Trainer *trainer = NULL;
    int64_t *order = NULL;
    uint64_t state = 0x9e3779b97f4a7c15u;
    NEW(&t->run->work, order, t->notes + 1);
    for (int64_t n = 0; n < t->notes; n++) order[n] = n;
    TRY(trainer_new(&t->run->work, from, &trainer));
    for (int64_t epoch = 0; epoch < t->a->epochs; epoch++) {
        for (int64_t i = t->notes - 1; i > 0; i--) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            int64_t j = (int64_t)((state >> 33) % (uint64_t)(i + 1)), swap = order[i];
            order[i] = order[j];
            order[j] = swap;
        }
        for (int64_t i = 0; i < t->notes; i++)
            if (all || !t->note[order[i]].held) TRY(learn_note(t, trainer, &t->note[order[i]]));
        if (epoch * 2 >= t->a->epochs - 1) trainer_average(trainer);
    }
    trainer_model(trainer, out);
done:
    return status;
}
