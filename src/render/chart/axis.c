/* Scales: from data to pixels, with ticks at 1, 2 and 5 times powers of ten. */
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "base/number_text.h"
#include "render/chart/plot.h"
#include "render/human_numbers.h"

bool drawable(double value, bool log) { return isfinite(value) && (!log || value > 0); }

void range_add(Range *range, double value, bool log) {
    if (!drawable(value, log)) return;
    if (!range->any || value < range->low) range->low = value;
    if (!range->any || value > range->high) range->high = value;
    range->any = true;
}

/* Halves keep the widest ranges from overflowing. */
double axis_at(const Axis *axis, double value) {
    double share = axis->log ? (log10(value) - log10(axis->low)) / (log10(axis->high) - log10(axis->low))
                             : (value / 2 - axis->low / 2) / (axis->high / 2 - axis->low / 2);
    return axis->from + share * (axis->to - axis->from);
}

static double nice_step(double low, double high, int wanted) {
    double raw = (high / 2 - low / 2) / wanted * 2, power = pow(10, floor(log10(raw))), ratio = raw / power;
    return power * (ratio <= 1.0000001 ? 1 : ratio <= 2.0000001 ? 2 : ratio <= 5.0000001 ? 5 : 10);
}

/* k steps, without the rounding of k·0.1. */
static double multiple(double k, double step) {
    double inverse = round(1 / step);
    return step < 1 && inverse < 1e15 && fabs(inverse * step - 1) < 1e-9 ? k / inverse : k * step;
}

static void linear_ticks(Axis *axis, bool nice, int wanted) {
    double step = nice_step(axis->low, axis->high, wanted);
    double first = axis->low / step, last = axis->high / step, slack = 1e-9 * (last - first);
    first = nice ? floor(first + slack) : ceil(first - slack);
    last = nice ? ceil(last - slack) : floor(last + slack);
    axis->step = step;
    axis->ticks = 0;
    for (double k = first; k <= last && axis->ticks < MOST_TICKS; k++) axis->tick[axis->ticks++] = multiple(k, step);
    if (nice && axis->ticks) {
        axis->low = axis->tick[0];
        axis->high = axis->tick[axis->ticks - 1];
    }
}

static void add_tick(Axis *axis, double value) {
    bool inside = value >= axis->low * (1 - 1e-9) && value <= axis->high * (1 + 1e-9);
    if (inside && axis->ticks < MOST_TICKS) axis->tick[axis->ticks++] = value;
}

static void log_ticks(Axis *axis, bool nice, int wanted) {
    double first = floor(log10(axis->low) + 1e-9), last = ceil(log10(axis->high) - 1e-9);
    int every = (int)ceil((last - first) / (wanted < 2 ? 2 : wanted));
    bool between = last - first <= 2;
    if (nice && log10(axis->low) - first < 0.4) axis->low = pow(10, first);
    if (nice && last - log10(axis->high) < 0.4) axis->high = pow(10, last);
    axis->step = 0;
    axis->ticks = 0;
    for (double power = first; power <= last; power += every < 1 ? 1 : every) {
        add_tick(axis, pow(10, power));
        if (between) {
            add_tick(axis, 2 * pow(10, power));
            add_tick(axis, 5 * pow(10, power));
        }
    }
    if (axis->ticks < 2) linear_ticks(axis, false, wanted);
}

/* A range of one value, or as good as one, is widened. */
static void widen(Axis *axis) {
    double size = larger(fabs(axis->low), fabs(axis->high));
    if (axis->high / 2 - axis->low / 2 > size * 1e-11) return;
    if (axis->log) {
        axis->low /= 2;
        axis->high *= 2;
    } else if (size == 0) axis->high = 1;
    else {
        axis->low -= size * 0.1;
        axis->high += size * 0.1;
    }
}

void axis_fit(Axis *axis, double low, double high, bool zero, bool nice, int wanted) {
    if (zero && !axis->log) {
        low = fmin(low, 0);
        high = fmax(high, 0);
    }
    axis->low = low;
    axis->high = high;
    widen(axis);
    if (wanted < 2) wanted = 2;
    if (axis->log) log_ticks(axis, nice, wanted);
    else linear_ticks(axis, nice, wanted);
    double size = larger(fabs(axis->low), fabs(axis->high));
    axis->scientific = size >= 1e9 || (axis->step > 0 ? axis->step < 1e-5 : axis->low < 1e-4 || axis->high > 1e6);
}

/* A fixed number of decimals: 0.0, 0.5, 1.0. */
static void fixed_text(double value, int decimals, bool grouped, Buffer *out) {
    char digits[33], text[40];
    double scale = pow(10, decimals), scaled = round(fabs(value) * scale);
    size_t count = write_integer((int64_t)scaled, digits), at = 0;
    if (value < 0 && scaled > 0) text[at++] = '-';
    for (; count <= (size_t)decimals; count++) {
        memmove(digits + 1, digits, count);
        digits[0] = '0';
    }
    for (size_t i = 0; i < count; i++) {
        if (decimals && i == count - (size_t)decimals) text[at++] = '.';
        text[at++] = digits[i];
    }
    text[at] = 0;
    human_grouped(out, text, grouped ? 4 : GROUP_DIGITS);
}

static double power_of(double value) { return value == 0 ? 0 : floor(log10(fabs(value)) + 1e-12); }
static int decimals_of(double step) { return step < 1 ? (int)ceil(-log10(step) - 1e-9) : 0; }

static void raised_text(double power, Buffer *out) {
    static const char *const raised[] = { "⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹" };
    char digits[33];
    size_t count = write_integer((int64_t)fabs(power), digits);
    buffer_text(out, power < 0 ? "10⁻" : "10");
    for (size_t i = 0; i < count; i++) buffer_text(out, raised[digits[i] - '0']);
}

/* 1.25×10⁹; on a linear axis all have the same power, on a logarithmic one each its own. */
static void scientific_text(const Axis *axis, double value, Buffer *out) {
    double power = power_of(axis->step > 0 ? larger(fabs(axis->low), fabs(axis->high)) : value);
    double scale = pow(10, power / 2), front = value / scale / scale; /* in two steps: 10^308 and beyond must not overflow */
    if (value == 0) {
        buffer_char(out, '0');
        return;
    }
    Buffer number = { 0 };
    fixed_text(front, axis->step > 0 ? decimals_of(axis->step / scale / scale) : 0, false, &number);
    bool one = axis->step <= 0 && !strcmp(buffer_get(&number), "1");
    if (!one) buffer_print(out, "%s×", buffer_get(&number));
    raised_text(power, out);
    buffer_free(&number);
}

void axis_text(const Axis *axis, double tick, Buffer *out) {
    char text[33];
    bool grouped = larger(fabs(axis->low), fabs(axis->high)) >= 10000;
    if (axis->scientific) scientific_text(axis, tick, out);
    else if (axis->step > 0) fixed_text(tick, decimals_of(axis->step), grouped, out);
    else human_grouped(out, real_short(tick, 3, text), grouped ? 4 : GROUP_DIGITS);
}

double axis_widest(const Axis *axis) {
    double widest = 0;
    for (int i = 0; i < axis->ticks; i++) {
        Buffer label = { 0 };
        axis_text(axis, axis->tick[i], &label);
        widest = larger(widest, text_width(buffer_get(&label), FONT));
        buffer_free(&label);
    }
    return widest;
}
