/* What a model finds of the marks, with every other detector beside it, as `scrub text` would. */
#include <string.h>
#include "scrub/train/train.h"

static bool counts(const SiteNote *note, uint32_t at) {
    unsigned char c = (unsigned char)note->text[at];
    return c >= 0x80 || (c >= '0' && c <= '9') || ((c | 32u) >= 'a' && (c | 32u) <= 'z');
}

static void score_note(const Training *t, const SiteNote *note, const Finds *finds, Score *out) {
    bool leaks = false;
    for (int64_t m = 0; m < note->marks; m++) {
        const Mark *mark = &note->mark[m];
        if (t->kind[mark->kind].trace < 0) continue;
        int64_t f = 0;
        bool whole = true;
        for (uint32_t i = mark->start; whole && i < mark->end; i++) {
            while (f < finds->count && finds->at[f].end <= i) f++;
            whole = !counts(note, i) || (f < finds->count && finds->at[f].start <= i);
        }
        out->marks++;
        out->whole += whole;
        leaks |= !whole;
    }
    for (int64_t f = 0; f < finds->count; f++) {
        bool right = false;
        for (int64_t m = 0; m < note->marks; m++) right |= note->mark[m].start < finds->at[f].end && finds->at[f].start < note->mark[m].end;
        out->finds++;
        out->right += right;
    }
    out->notes++;
    out->leaking += leaks;
}

Status training_score(Training *t, const Model *model, bool held, Score *out) {
    Status status = OK;
    Search search = { 0 };
    const Model *before = t->finder.model;
    *out = (Score){ 0 };
    t->finder.model = model;
    TRY(search_open(&t->finder, &search, t->run->work.error));
    for (int64_t n = 0; n < t->notes; n++) {
        if (t->note[n].held != held) continue;
        TRY(search_text(&search, t->note[n].text, t->note[n].size, NULL, t->run->work.error));
        score_note(t, &t->note[n], &search.finds, out);
    }
done:
    search_close(&search);
    t->finder.model = before;
    return status;
}
