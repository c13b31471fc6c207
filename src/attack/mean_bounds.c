/* The professor's exam: from a published mean and some of the values, exact bounds on each of the others. Defined after Matthews & Harel
 * 2012, section 1: docs/methods/attack-mean-bounds.md. */
#include "base/elementary.h"
#include "base/number_text.h"
#include "method/method.h"

typedef struct {
    double mean;
    int64_t n;
    Reals known;
    double min, max, sd;
    int64_t digits;
    bool whole;
    unsigned noise;
} args;
enum { NORMAL, LAPLACE };
static const Param params[] = {
    REAL(args, mean, NAN, -INFINITY, INFINITY, "The published mean", .flags = REQUIRED),
    INT(args, n, ABSENT, 1, 1000000000, "Number of values behind it", .flags = REQUIRED),
    REALS(args, known, -INFINITY, INFINITY, "Values that the intruder knows"),
    REAL(args, min, -INFINITY, -INFINITY, INFINITY, "Smallest possible value"),
    REAL(args, max, INFINITY, -INFINITY, INFINITY, "Largest possible value"),
    INT(args, digits, ABSENT, 0, 15, "Decimals to which the mean was rounded (default: it is exact)"),
    FLAG(args, whole, "The values are whole numbers"),
    REAL(args, sd, NAN, 0, 1e300, "Standard deviation of the noise in the published mean", .flags = EXCLUSIVE),
    CHOICE(args, noise, "normal", "Distribution of that noise", WORDS("normal", "laplace")),
    ONLY_WITH("noise", "sd"),
    END,
};
static const Return values[] = {
    VALUE(remaining, INTEGER, "Values that the intruder does not know", .flags = PUBLIC),
    VALUE(least, REAL, "Smallest possible remaining value"),
    VALUE(most, REAL, "Largest possible remaining value"),
    VALUE(remaining_mean, REAL, "Mean of the remaining values"),
    VALUE(baseline, REAL, "Width of the interval without the release: --max − --min", .flags = PUBLIC),
    VALUE(gain, REAL, "Share of that width that the release removes, 0 to 1. Smaller is safer", .flags = PUBLIC),
    VALUE(lower, REAL, "Equal to gain, which is exact", .flags = PUBLIC),
    VALUE(upper, REAL, "Equal to gain, which is exact", .flags = PUBLIC),
    VALUE(estimate, REAL, "Noisy mean with one unknown value: n·mean − sum of the known values"),
    VALUE(estimate_sd, REAL, "Standard deviation of the estimate, n·sd"),
    VALUE(estimate_lower, REAL, "Lower end of its 95% interval, at least --min"),
    VALUE(estimate_upper, REAL, "Upper end of its 95% interval, at most --max"),
    END,
};

static Status impossible(Run *run) {
    fail(run->work.error, BAD, "no values can have this mean");
    return error_advice(run->work.error, "Check --mean, --n, --known, --min, --max, and whether the mean was rounded (--digits).");
}

/* The mean was published as m + e, e with standard deviation s: n·m is known up to n·e, and so is the sum of what remains. For one value
 * the interval is central: ±1.96 sd for normal noise; for Laplace, of scale b = sd/√2, ±b·ln 20; rounding (slack) widens it. Nothing is
 * certain then, so that no bound is claimed; nor is an interval, where it and what is possible have nothing in common. */
static Status noisy(Run *run, const args *a, int64_t m, long double sum, long double slack) {
    double rest = (double)sum, sd = (double)a->n * a->sd,
           half = (double)slack + (a->noise == NORMAL ? 1.959963984540054 * sd : sd / sqrt(2) * log(20));
    double width = a->max - a->min, low = fmax(a->min, rest - half), high = fmin(a->max, rest + half);
    if (a->whole) {
        low = ceil(low);
        high = floor(high);
    }
    bool apart = low > high;
    double gain = isfinite(width) && width > 0 && !apart ? 1 - (high - low) / width : NAN;
    result_null(run->result, "least",
                "Noise was added to the mean, so no value is impossible. The estimate and its interval show which values are likely.");
    result_real(run->result, "remaining_mean", m ? rest / (double)m : NAN);
    if (m != 1) {
        result_null(run->result, "estimate", m ? "More than one value is unknown: only their mean is estimated." : "All values are known.");
        gain = m ? NAN : 0;
    } else {
        result_real(run->result, "estimate", rest);
        result_real(run->result, "estimate_sd", sd);
        if (apart)
            result_null(run->result, "estimate_lower",
                        "No possible value lies within the 95%% interval of the noise. The noise was unusually large, or --min, --max, "
                        "--whole or --known are wrong.");
        else {
            result_real(run->result, "estimate_lower", low);
            result_real(run->result, "estimate_upper", high);
        }
    }
    result_real(run->result, "baseline", m ? width : 0);
    if (isnan(gain))
        result_null(run->result, "gain",
                    m > 1   ? "Each of the unknown values may still have any value."
                    : apart ? "No possible value lies within the 95%% interval of the noise, so the interval has no meaning."
                            : "Without --min and --max every value was possible before, so the gain cannot be computed.");
    else result_real(run->result, "gain", gain);
    result_real(run->result, "lower", gain);
    result_real(run->result, "upper", gain);
    return OK;
}

/* The sum of the remaining m values lies in [low, high]; the others at an extreme leave the rest to one of them:
 * x ≥ low − (m−1)·max and x ≤ high − (m−1)·min. */
static Status mean_bounds_run(Run *run, const void *p) {
    const args *a = p;
    int64_t m = a->n - a->known.count;
    long double sum = (long double)a->mean * (long double)a->n, slack = 0, known = 0;
    if (m < 0) {
        fail(run->work.error, BAD, "more values are known than the mean has");
        return error_parameter(run->work.error, "known");
    }
    if (!(a->min <= a->max)) {
        fail(run->work.error, BAD, "must not be above --max");
        return error_parameter(run->work.error, "min");
    }
    for (int64_t i = 0; i < a->known.count; i++) known += a->known.at[i];
    if (a->digits != ABSENT) slack = 0.5L * (long double)pow(10, -(double)a->digits) * (long double)a->n;
    if (!isnan(a->sd)) {
        result_integer(run->result, "remaining", m);
        return noisy(run, a, m, sum - known, slack);
    }
    long double tiny = 1e-12L * (fabsl(sum) + fabsl(known) + 1), low = sum - slack - known, high = sum + slack - known;
    if (a->whole) {
        low = ceill(low - tiny);
        high = floorl(high + tiny);
    }
    long double min = a->whole ? ceill(a->min) : (long double)a->min, max = a->whole ? floorl(a->max) : (long double)a->max,
                others = (long double)(m - 1);
    result_integer(run->result, "remaining", m);
    if (m == 0) {
        if (low > tiny || high < -tiny) return impossible(run);
        result_null(run->result, "least", "All values are known.");
        result_real(run->result, "baseline", 0);
        result_real(run->result, "gain", 0);
        result_real(run->result, "lower", 0);
        result_real(run->result, "upper", 0);
        return OK;
    }
    if (low > high || low > max * (long double)m + tiny || high < min * (long double)m - tiny) return impossible(run);
    long double least = m > 1 ? low - others * max : low, most = m > 1 ? high - others * min : high;
    if (!(least > min)) least = min;
    if (!(most < max)) most = max;
    double width = a->max - a->min, gain = isfinite(width) && width > 0 ? 1 - (double)(most - least) / width : NAN;
    result_real(run->result, "least", (double)least);
    result_real(run->result, "most", (double)most);
    result_real(run->result, "remaining_mean", (double)((low + high) / 2 / (long double)m));
    result_real(run->result, "baseline", width);
    if (isnan(gain))
        result_null(run->result, "gain", "Without --min and --max every value was possible before, so the gain cannot be computed.");
    else result_real(run->result, "gain", gain);
    result_real(run->result, "lower", gain);
    result_real(run->result, "upper", gain);
    if (least == most) result_note(run->result, "Every remaining value is known exactly.");
    return OK;
}

const Method attack_mean_bounds = {
    .group = "attack",
    .name = "mean-bounds",
    .summary = "Mean inversion attack: bounds on individual values from a published mean and known values",
    .source = "Matthews & Harel 2012, section 1",
    .params = params,
    .size = sizeof(args),
    .traits = INFERENTIAL,
    .run = mean_bounds_run,
    .values = values,
    .example = "scrim attack mean-bounds --mean 61 --n 4 --known 90,85,67 --min 0 --max 100",
};
