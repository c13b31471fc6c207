/* Side information (Dwork 2006): a statistic says nothing of a person until someone adds "she is two inches below the mean". */
#include <string.h>
#include "base/elementary.h"
#include "base/number_text.h"
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
         "What the intruder knows about the target: \"2 inches below the mean\", \"0.5 sd above it\" (of --spread), \"1.5 times the "
         "mean\", \"10 percent above it\", \"equal\"",
         .flags = REQUIRED),
    REAL(args, sd, 0, 0, INFINITY, "Standard deviation of the noise in the release"),
    CHOICE(args, noise, "laplace", "Distribution of that noise", WORDS("normal", "laplace")),
    REAL(args, spread, NAN, 0, INFINITY, "Standard deviation of the target's value without the release (that of the population)"),
    END,
};
static const Return values[] = {
    VALUE(estimate, REAL, "Estimate of the target's value"),
    VALUE(least, REAL, "Lower end of its 95% interval"),
    VALUE(most, REAL, "Upper end of its 95% interval"),
    VALUE(sd, REAL, "Standard deviation of the estimate, from the noise. Larger is safer", .flags = PUBLIC),
    VALUE(baseline, REAL, "Standard deviation without the release (--spread)", .flags = PUBLIC),
    VALUE(gain, REAL, "Share of that uncertainty that the release removes, 0 to 1. Smaller is safer", .flags = PUBLIC),
    VALUE(lower, REAL, "Equal to gain, which follows from the noise alone", .flags = PUBLIC),
    VALUE(upper, REAL, "Equal to gain", .flags = PUBLIC),
    END,
};

static bool says(const char *text, const char *const *words) {
    for (; *words; words++) {
        size_t length = strlen(*words);
        for (const char *at = text; (at = strstr(at, *words)); at += length)
            if ((at == text || at[-1] == ' ') && (!at[length] || strchr(" ,.%", at[length]))) return true;
    }
    return false;
}

static const char *const numbers[] = { "zero",  "one",   "two",  "three", "four",   "five",   "six",
                                       "seven", "eight", "nine", "ten",   "eleven", "twelve", NULL };

/* "2", "two", "a", "half an": the number that a relation begins with. */
static bool first_number(const char *text, double *out) {
    size_t length = strcspn(text, " ");
    if (length && text[length - 1] == '%') length--;
    for (size_t i = 0; numbers[i]; i++)
        if (strlen(numbers[i]) == length && !strncmp(text, numbers[i], length)) {
            *out = (double)i;
            return true;
        }
    if (!strncmp(text, "half ", 5)) *out = 0.5;
    else if (!strncmp(text, "a ", 2) || !strncmp(text, "an ", 3)) *out = 1;
    else if (!strncmp(text, "twice ", 6) || !strncmp(text, "double ", 7)) *out = 2;
    else return length && read_real(text, text + length, '.', out);
    return true;
}

/* "N … below", "N … above", "N sd above", "N times", "half the", "N percent above|below", "equal": target = factor·statistic + shift +
 * deviations·spread. */
typedef struct Relation {
    double factor, shift, deviations;
} Relation;
#define WORDS_OF(...) ((const char *const[]){ __VA_ARGS__, NULL })
/* "two hundred", "two and a half", "2 to 3", "five feet two", "a third", "a few": the first word is not the whole number. */
static bool more_numbers(const char *rest) {
    return strpbrk(rest, "0123456789") || says(rest, numbers) ||
           says(rest, WORDS_OF("hundred", "thousand", "million", "billion", "dozen", "half", "twice", "double", "and", "to", "or")) ||
           says(rest, WORDS_OF("third", "thirds", "quarter", "quarters", "fifth", "fifths", "tenth", "tenths", "hundredth", "fraction",
                               "few", "couple", "pair", "bit", "lot", "little", "score", "several", "some"));
}

/* "not", "at least", "nearly": then it is no number that is known. */
static bool vague(const char *text) {
    return says(text, WORDS_OF("not", "no", "never", "neither", "nor", "least", "most", "about", "almost", "nearly", "roughly", "maybe"));
}

/* Only "equal", or "equal to the mean": not "equal to half of it". */
static bool is_equal(const char *text) {
    const char *rest = text + 5;
    if (!strncmp(rest, " to ", 4)) rest += 3;
    double number;
    return (!*rest || *rest == ' ') && !more_numbers(rest) && !says(rest, WORDS_OF("times", "percent", "per cent", "above", "below")) &&
           !strchr(rest, '%') && !(*rest && first_number(rest + 1, &number));
}

static bool in_units(const char *text, double number, Relation *out) {
    bool deviations = says(text, WORDS_OF("sd", "sds", "standard deviation", "standard deviations", "sigma", "σ"));
    bool percent = says(text, WORDS_OF("percent", "per cent")) || strchr(text, '%');
    if ((deviations && percent) || says(text, WORDS_OF("times"))) return false; /* "2 times more": twice, or three times? */
    if (deviations) out->deviations = number;
    else if (percent) out->factor = 1 + number / 100;
    else out->shift = number;
    return true;
}

static bool read_relation(const char *text, Relation *out) {
    double number = 0;
    while (*text == ' ') text++;
    *out = (Relation){ .factor = 1 };
    if (!strncmp(text, "equal", 5)) return is_equal(text);
    if (vague(text) || !first_number(text, &number) || more_numbers(text + strcspn(text, " ")) || number < 0) return false;
    bool below = says(text, WORDS_OF("below", "less", "under", "shorter", "lower", "smaller", "lighter", "younger", "poorer", "fewer"));
    bool above =
        says(text, WORDS_OF("above", "more", "over", "taller", "higher", "larger", "greater", "longer", "heavier", "older", "richer"));
    bool half = !strncmp(text, "half ", 5), share = half || !strncmp(text, "twice ", 6) || !strncmp(text, "double ", 7);
    if (below && above) return false;
    if (below || above) { /* "half an inch above", but not "half as much above" */
        if (share && !(half && (!strncmp(text + 5, "a ", 2) || !strncmp(text + 5, "an ", 3)))) return false;
        return in_units(text, below ? -number : number, out);
    }
    out->factor = number;
    return share || says(text, WORDS_OF("times"));
}

/* Letters of ASCII in lower case: how it is written says nothing. */
static Status lower_case(Work *work, const char *text, const char **out) {
    Status status = OK;
    char *copy = NULL;
    NEW(work, copy, (int64_t)strlen(text) + 1);
    for (size_t i = 0; text[i]; i++) copy[i] = text[i] >= 'A' && text[i] <= 'Z' ? (char)(text[i] + 'a' - 'A') : text[i];
    *out = copy;
done:
    return status;
}

static Status side_information_run(Run *run, const void *p) {
    const args *a = p;
    Relation relation;
    const char *text;
    Status status = lower_case(&run->work, a->relation, &text);
    if (status) return status;
    if (!read_relation(text, &relation)) {
        fail(run->work.error, BAD, "is not understood");
        error_advice(run->work.error, "Say how the target relates to the statistic: \"2 below\", \"two inches taller\", \"0.5 sd above\", "
                                      "\"1.5 times\", \"10 percent below\" or "
                                      "\"equal\".");
        return error_parameter(run->work.error, "relation");
    }
    if (relation.deviations != 0 && !(a->spread > 0)) {
        fail(run->work.error, BAD, "counts in standard deviations of the population, which are not given");
        error_advice(run->work.error, "Give it with --spread.");
        return error_parameter(run->work.error, "relation");
    }
    double factor = relation.factor, shift = relation.shift + (relation.deviations != 0 ? relation.deviations * a->spread : 0);
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
                    "Give --spread, the standard deviation of the target's value without the release, to compute the gain.");
    else result_real(run->result, "gain", gain);
    result_real(run->result, "lower", gain);
    result_real(run->result, "upper", gain);
    if (a->sd == 0) result_note(run->result, "The statistic has no noise. An intruder who knows the relation knows the value.");
    result_note(run->result, "The target need not be in the data: the disclosure comes from the statistic itself. A formal guarantee "
                             "bounds only the effect of being in the data.");
    return OK;
}

const Method attack_side_information = {
    .group = "attack",
    .name = "side-information",
    .summary = "Side-information attack: what a published statistic discloses about a person with a known relation to it",
    .source = "Dwork 2006",
    .params = params,
    .size = sizeof(args),
    .traits = INFERENTIAL,
    .run = side_information_run,
    .values = values,
    .example = "scrim attack side-information --statistic 64.2 --relation '2 inches below the mean' --sd 0.1 --spread 2.5",
};
