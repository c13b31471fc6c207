/* Side information (Dwork 2006): a statistic says nothing of a person until someone adds "she is two inches below the mean". */
#include <string.h>
#include "base/elementary.h"
#include "base/number.h"
#include "method/method.h"

typedef struct {
    double statistic;
    const char *relation;
    double sd;
    unsigned noise;
    double spread;
} args;
enum { NORMAL_NOISE, LAPLACE_NOISE };
static const Param params[] = {
    REAL(args, statistic, NAN, -INFINITY, INFINITY, "The released statistic", .flags = REQUIRED),
    TEXT(args, relation, NULL,
         "What the intruder knows of the target: \"2 inches below the mean\", \"1.5 times the mean\", \"10 percent above it\", \"equal\"",
         .flags = REQUIRED),
    REAL(args, sd, 0, 0, INFINITY, "Standard deviation of the release's noise"),
    CHOICE(args, noise, "laplace", "The law of that noise", WORDS("normal", "laplace")),
    REAL(args, spread, NAN, 0, INFINITY,
         "Standard deviation of the target's value for someone without the release (that of the population)"),
    END,
};
static const Return values[] = {
    VALUE(estimate, REAL, "What follows for the target"),
    VALUE(least, REAL, "95% interval of the target's value"),
    VALUE(most, REAL, "95% interval of the target's value"),
    VALUE(sd, REAL, "Standard deviation of the target's value that the noise leaves", .flags = PUBLIC),
    VALUE(baseline, REAL, "The standard deviation without the release (--spread)", .flags = PUBLIC),
    VALUE(gain, REAL, "The share of that uncertainty which the release takes away", .flags = PUBLIC),
    VALUE(lower, REAL, "The gain follows from the noise alone: the same", .flags = PUBLIC),
    VALUE(upper, REAL, "The same", .flags = PUBLIC),
    END,
};

/* "N … below", "N … above", "N times", "N percent above|below", "equal": target = factor·statistic + shift. */
static bool read_relation(const char *text, double *factor, double *shift) {
    char word[64];
    double number = 0;
    while (*text == ' ') text++;
    size_t length = strcspn(text, " ");
    *factor = 1;
    *shift = 0;
    if (!strncmp(text, "equal", 5)) return true;
    if (length == 0 || length >= sizeof word || !read_real(text, text + length, '.', &number)) return false;
    bool below = strstr(text, "below") || strstr(text, "less") || strstr(text, "under") || strstr(text, "shorter");
    bool above = strstr(text, "above") || strstr(text, "more") || strstr(text, "over") || strstr(text, "taller");
    if (strstr(text, "times")) {
        *factor = number;
        return true;
    }
    if (below == above) return false;
    if (strstr(text, "percent") || strchr(text, '%')) *factor = 1 + (below ? -number : number) / 100;
    else *shift = below ? -number : number;
    return true;
}

static Status side_information_run(Run *run, const void *p) {
    const args *a = p;
    double factor, shift;
    if (!read_relation(a->relation, &factor, &shift)) {
        fail(run->work.error, BAD, "is not understood");
        error_advice(
            run->work.error,
            "Say how the target relates to the statistic: \"2 below\", \"3 above\", \"1.5 times\", \"10 percent below\" or \"equal\".");
        return error_parameter(run->work.error, "relation");
    }
    double sd = fabs(factor) * a->sd;
    /* 95% of a normal lies within 1.96 sd; of a Laplace of scale b = sd/√2 within b·ln 20. */
    double half = sd * (a->noise == NORMAL_NOISE ? 1.959963984540054 : log(20) / sqrt(2)), estimate = factor * a->statistic + shift;
    double gain = a->spread > 0 ? fmax(0, 1 - sd / a->spread) : NAN;
    result_real(run->result, "estimate", estimate);
    result_real(run->result, "least", estimate - half);
    result_real(run->result, "most", estimate + half);
    result_real(run->result, "sd", sd);
    result_real(run->result, "baseline", a->spread);
    if (isnan(gain))
        result_null(run->result, "gain",
                    "Give --spread, the standard deviation of the target's value without the release, to tell how much is learned.");
    else result_real(run->result, "gain", gain);
    result_real(run->result, "lower", gain);
    result_real(run->result, "upper", gain);
    if (a->sd == 0) result_note(run->result, "The statistic carries no noise: whoever knows the relation knows the value.");
    result_note(run->result, "The target need not be in the data: the harm comes from the statistic itself. A formal promise bounds only "
                             "what being in the data adds.");
    return OK;
}

const Method attack_side_information = {
    .group = "attack",
    .name = "side-information",
    .summary = "What a statistic tells of a person whose relation to it is known",
    .source = "Dwork 2006",
    .params = params,
    .size = sizeof(args),
    .traits = INFERENTIAL,
    .run = side_information_run,
    .values = values,
    .example = "scrim attack side-information --statistic 64.2 --relation '2 inches below the mean' --sd 0.1 --spread 2.5",
};
