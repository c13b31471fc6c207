/* Recall by the answers of one round: a ratio of weighted sums over a sample with unequal chances (Hájek 1971), and Wilson's interval at the
 * effective number of marks (Korn & Graubard 1998). */
#include "base/elementary.h"
#include "math/proportion.h"
#include "math/special/normal.h"
#include "scrub/review/review.h"

typedef struct Sums {
    int64_t answered, marks, missed;
    double all, whole, finds, right, squares; /* weighted; squares: Σ w² marks */
} Sums;

static Sums sums_of(const Review *r) {
    Sums s = { 0 };
    for (int64_t i = 0; i < r->numbers; i++) {
        const Reviewed *p = &r->reviewed[i];
        if (!p->named || !p->answer || p->round != r->round) continue;
        s.answered++;
        s.marks += p->marks;
        s.missed += p->marks - p->whole;
        s.all += p->weight * (double)p->marks;
        s.whole += p->weight * (double)p->whole;
        s.finds += p->weight * (double)p->finds;
        s.right += p->weight * (double)p->right;
        s.squares += p->weight * p->weight * (double)p->marks;
    }
    return s;
}

/* Marks of a simple random sample that would estimate recall as precisely. By the variance of the ratio, Σ (1−π) w² (whole − R marks)² /
 * (Σ w marks)², where something was missed; by the weights alone (Kish 1965) where nothing was. */
static double effective_marks(const Review *r, const Sums *s, double recall) {
    double by_weights = s->squares > 0 ? s->all * s->all / s->squares : 0, variance = 0;
    for (int64_t i = 0; i < r->numbers; i++) {
        const Reviewed *p = &r->reviewed[i];
        if (!p->named || !p->answer || p->round != r->round) continue;
        double rest = p->weight * ((double)p->whole - recall * (double)p->marks);
        variance += (1 - 1 / p->weight) * rest * rest;
    }
    if (!s->missed) return by_weights;
    variance += s->squares / (double)s->marks; /* few misses say little of their own spread: one more, of a mark drawn as they were */
    variance /= s->all * s->all;
    double most = 4 * (double)s->marks, by_variance = variance > 0 ? recall * (1 - recall) / variance : most;
    return by_variance < most ? by_variance : most;
}

void review_estimate(Review *r) {
    static const char first[] = "The first round begins: nothing has been answered.",
                      nothing[] = "The answers of this round have no identifier.";
    Result *result = r->run->result;
    Sums s = sums_of(r);
    result_integer(result, "round", r->round);
    result_integer(result, "answered", s.answered);
    result_integer(result, "marks", s.marks);
    result_integer(result, "missed", s.missed);
    if (!s.marks) {
        result_null(result, "recall_whole", r->round ? nothing : first);
        result_null(result, "enough", r->round ? nothing : first);
        return;
    }
    double recall = s.whole / s.all, trials = effective_marks(r, &s, recall), round = (double)r->round;
    Interval interval = wilson_interval(recall * trials, trials);
    /* Errors of the stopping rule after all rounds: 0.025 × Σ 2/(r (r+1)) = 0.05 at most. */
    double z = normal_quantile(1 - 0.025 * 2 / (round * (round + 1)));
    result_real(result, "recall_whole", recall);
    result_real(result, "recall_whole_low", interval.low);
    result_real(result, "recall_whole_high", interval.high);
    if (s.finds > 0) result_real(result, "precision", s.right / s.finds);
    result_real(result, "missed_in_all", s.all - s.whole);
    result_integer(result, "enough", wilson_interval_at(recall * trials, trials, z).low >= r->a->target);
}
