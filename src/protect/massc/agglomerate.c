/* Risk strata, and chance selection within them. */
#include "base/elementary.h"
#include "classes/individual_risk.h"
#include "math/ranks.h"
#include "protect/massc/massc.h"

/* Stratum 0: unique on the core keys, which an intruder has easily; 1: unique only with the noncore ones; 2: neither (Singh et al. 2003).
 */
Status massc_agglomerate(void *self) {
    Status status = OK;
    Massc *m = self;
    Work *work = &m->run->work;
    Classes core, all;
    Frequencies core_count, all_count;
    TRY(classes_make(work, m->a->core, &core));
    TRY(classes_frequencies(work, &core, m->a->missing, NULL, &core_count));
    TRY(classes_make(work, m->keys, &all));
    TRY(classes_frequencies(work, &all, m->a->missing, m->a->weight, &all_count));
    for (int64_t i = 0; i < m->rows; i++) {
        int32_t class = all.of[i];
        m->stratum[i] = core_count.f[core.of[i]] == 1 ? 0 : all_count.f[class] == 1 ? 1 : 2;
        m->risk[i] = individual_risk(all_count.f[class], all_count.F[class]);
    }
done:
    return status;
}

/* Systematic selection from a random start along records laid by risk stratum, then by --strata, then at random. */
Status massc_choose(Massc *m, const char *purpose, const double rate[RISK_STRATA], uint8_t *mask) {
    Status status = OK;
    Work *work = &m->run->work;
    RandomStream stream = run_stream(m->run, NULL, purpose);
    Strata strata;
    int64_t *order = NULL, *laid = NULL, *begin = NULL;
    uint64_t *words = NULL;
    double place[RISK_STRATA];
    TRY(strata_make(work, m->a->strata, m->rows, &strata));
    NEW(work, words, m->rows + RISK_STRATA);
    NEW(work, order, m->rows + 1);
    NEW(work, laid, m->rows + 1);
    NEW(work, begin, strata.count + 1);
    stream_words(&stream, 0, (size_t)(m->rows + RISK_STRATA), words);
    for (int h = 0; h < RISK_STRATA; h++) place[h] = word_uniform(words[m->rows + h]);
    TRY(order_words(work, words, m->rows, order));
    TRY(strata_gather(work, &strata, order, m->rows, laid, begin));
    for (int64_t r = 0; r < m->rows; r++) {
        int h = m->stratum[laid[r]];
        place[h] += rate[h];
        mask[laid[r]] = place[h] >= 1;
        if (place[h] >= 1) place[h] -= 1;
    }
done:
    arena_drop(work->arena, words);
    arena_drop(work->arena, order);
    arena_drop(work->arena, laid);
    return status;
}
