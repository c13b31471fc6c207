/* Columns as whole numbers on power-of-two grids, clamped to their bounds: what every sum is made of. */
#include <string.h>
#include "base/elementary.h"
#include "base/extremes.h"
#include "base/number_text.h"
#include "release/query/query.h"

static const Pair *find_bounds(const ReleaseArgs *a, const char *name) {
    for (int64_t i = 0; i < a->bounds.count; i++)
        if (!strcmp(a->bounds.at[i].name, name)) return &a->bounds.at[i];
    return NULL;
}

static Status bad_bounds(Plan *plan, const char *name, const char *what) {
    fail(plan->work->error, BAD, "the bounds of '%s' %s", name, what);
    return error_parameter(plan->work->error, "bounds");
}

/* The smallest and the largest individual: what the universe says of the column, regardless of who is in the table. */
static Status universe_bounds(Plan *plan, const char *name, Bounds *out) {
    Status status = OK;
    const Column *all;
    double low = INFINITY, high = -INFINITY;
    TRY(table_need(plan->args->universe, name, &all, plan->work->error));
    for (int64_t i = 0; i < all->rows; i++) {
        double value = column_missing(all, i) ? NAN : column_number(all, i);
        low = fmin(low, value);
        high = fmax(high, value);
    }
    if (!(low < high))
        return fail(plan->work->error, BAD,
                    "'%s' has the same value for everyone in the universe, or none: there is nothing to hide and no noise to scale", name);
    *out = (Bounds){ low, high, true, all->type == INTEGER_TYPE };
done:
    return status;
}

Status bounds_of(Plan *plan, const Column *column, bool need, Bounds *out) {
    const Pair *pair = find_bounds(plan->args, column->name);
    const SchemaColumn *declared = schema_find(plan->args->schema, column->name);
    *out = (Bounds){ .low = NAN, .high = NAN };
    if (!pair && declared && declared->kind != SCHEMA_CATEGORIES) {
        *out = (Bounds){ declared->low, declared->high, true, declared->kind == SCHEMA_INTEGER };
        return OK;
    }
    if (!pair && plan->args->universe && column_numeric(column)) return universe_bounds(plan, column->name, out);
    if (!pair && need) {
        fail(plan->work->error, BAD, "the bounds of '%s' must be declared: without limits one person can change the answer by any amount",
             column->name);
        error_parameter(plan->work->error, "bounds");
        return error_advice(
            plan->work->error,
            "Give --bounds %s:LOW:HIGH, from what is known without looking at the data. Values beyond the bounds are clamped.",
            column->name);
    }
    if (!pair) return OK;
    double low = pair->number[0], high = pair->number[1];
    if (isnan(low) || isnan(high)) return bad_bounds(plan, column->name, "are not two numbers");
    if (!(low < high)) return bad_bounds(plan, column->name, "are not in order");
    if (!isfinite(high - low) || high - low < 1e-290) return bad_bounds(plan, column->name, "are too far apart or too near");
    *out = (Bounds){ low, high, true, column->type == INTEGER_TYPE && low == floor(low) && high == floor(high) };
    return OK;
}

/* Bits that are left for one record when all records of one person, or of a group of people, must fit in 2⁶¹ units. */
static int room_for(const Plan *plan) { return 58 - ilogb((double)plan_most(plan)); }

/* 2³⁰ to 2³¹ grid points between the bounds, fewer where one person has very many records; whole numbers keep all their digits, and their
 * halves, where that fits. */
static int grid_for(const Plan *plan, const Bounds *b) {
    int room = room_for(plan), width = ilogb(b->high - b->low), exponent = width - (room < 30 ? room : 30);
    return b->whole && exponent > -1 && exponent < 15 && width + 1 <= room ? -1 : exponent;
}

/* A Δ that is a double is taken a part in 10¹² larger, so that no rounding makes it too small. */
int grid_of(double delta) { return ilogb(delta) - 30; }
uint64_t units_up(double delta, int grid) { return (uint64_t)ceil(ldexp(delta * (1 + 1e-12), -grid)); }

static int64_t on_grid(double value, int exponent) { return (int64_t)rint(ldexp(value, -exponent)); }

/* Without bounds (sensitivities that come from the data): sixty bits for the largest. */
static Status data_bounds(const Column *column, Bounds *bounds, int *exponent) {
    double largest = 0, low = INFINITY, high = -INFINITY;
    for (int64_t i = 0; i < column->rows; i++) {
        if (column_missing(column, i)) continue;
        double x = column_number(column, i);
        low = fmin(low, x);
        high = fmax(high, x);
        largest = larger(largest, fabs(x));
    }
    *bounds = (Bounds){ .low = low <= high ? low : 0, .high = low <= high ? high : 0 };
    *exponent = column->type == INTEGER_TYPE && largest < 0x1p60 ? 0 : largest > 0 ? ilogb(largest) - 59 : 0;
    return OK;
}

Status fixed_column(Plan *plan, const Column *column, const Bounds *given, Fixed *out) {
    Status status = OK;
    Bounds bounds = *given;
    *out = (Fixed){ 0 };
    if (given->given) out->exponent = grid_for(plan, given);
    else TRY(data_bounds(column, &bounds, &out->exponent));
    double low = floor(ldexp(bounds.low, -out->exponent)), high = ceil(ldexp(bounds.high, -out->exponent));
    if (!(fabs(low) < 0x1p61 && fabs(high) < 0x1p61)) return bad_bounds(plan, column->name, "lie too far from zero for their width");
    out->low = (int64_t)low;
    out->high = (int64_t)high;
    NEW(plan->work, out->at, column->rows + 1);
    for (int64_t i = 0; i < column->rows; i++) {
        out->at[i] = FIXED_MISSING;
        if (column_missing(column, i)) continue;
        double x = column_number(column, i);
        if (isnan(x)) continue;
        x = smaller(larger(x, bounds.low), bounds.high); /* clamped before it is a whole number, so that nothing overflows, and after */
        int64_t units = on_grid(x, out->exponent);
        out->at[i] = units < out->low ? out->low : units > out->high ? out->high : units;
    }
done:
    return status;
}

void wide_to_mpz(Wide value, mpz_t out) {
    unsigned __int128 size = value < 0 ? -(unsigned __int128)value : (unsigned __int128)value;
    mpz_set_ui(out, (uint64_t)(size >> 64));
    mpz_mul_2exp(out, out, 64);
    mpz_add_ui(out, out, (uint64_t)size);
    if (value < 0) mpz_neg(out, out);
}

Status wide_from_mpz(const mpz_t value, Wide *out, Error *error) {
    mpz_t high;
    if (mpz_sizeinbase(value, 2) > 122)
        return fail(error, BAD, "a statistic is too large for its noise: its bounds are too far from each other");
    mpz_init(high);
    mpz_tdiv_q_2exp(high, value, 64);
    unsigned __int128 size =
        ((unsigned __int128)(mpz_get_ui(high)) << 64) | mpz_get_ui(value); /* get_ui drops the sign and all but 64 bits */
    mpz_clear(high);
    *out = mpz_sgn(value) < 0 ? -(Wide)size : (Wide)size;
    return OK;
}

double wide_real(Wide value, int exponent) {
    unsigned __int128 size = value < 0 ? -(unsigned __int128)value : (unsigned __int128)value;
    double real = ldexp((double)(uint64_t)(size >> 64), 64) + (double)(uint64_t)size;
    return ldexp(value < 0 ? -real : real, exponent);
}

Status grid_floor(const mpz_t num, const mpz_t den, int shift, Wide *out, Error *error) {
    mpz_t a, b;
    mpz_init_set(a, num);
    mpz_init_set(b, den);
    if (shift > 0) mpz_mul_2exp(a, a, (mp_bitcnt_t)shift);
    if (shift < 0) mpz_mul_2exp(b, b, (mp_bitcnt_t)-shift);
    mpz_fdiv_q(a, a, b);
    Status status = wide_from_mpz(a, out, error);
    mpz_clear(a);
    mpz_clear(b);
    return status;
}

/* Two exact numbers per record (a power, or a product) brought to a grid on which their range has 32 bits, or as many as there is room for.
 * `low` and `high` are the exact ends of the range. */
typedef struct Reduction {
    mp_bitcnt_t shift;
    mpz_t low, high, scratch;
} Reduction;

static void reduction_start(Reduction *r) {
    mpz_init(r->low);
    mpz_init(r->high);
    mpz_init(r->scratch);
}
static void reduction_end(Reduction *r) {
    mpz_clear(r->low);
    mpz_clear(r->high);
    mpz_clear(r->scratch);
}
static void reduction_set(Reduction *r, int exponent, size_t bits, Fixed *out) {
    mpz_sub(r->scratch, r->high, r->low);
    size_t range = mpz_sizeinbase(r->scratch, 2), low = mpz_sizeinbase(r->low, 2), high = mpz_sizeinbase(r->high, 2),
           size = low > high ? low : high;
    r->shift = range > bits ? range - bits : 0;
    if (size > 61 + r->shift) r->shift = size - 61;
    out->exponent = exponent + (int)r->shift;
    mpz_fdiv_q_2exp(r->scratch, r->low, r->shift);
    out->low = mpz_get_si(r->scratch);
    mpz_cdiv_q_2exp(r->scratch, r->high, r->shift);
    out->high = mpz_get_si(r->scratch);
}

static size_t product_bits(const Plan *plan) { return (size_t)(room_for(plan) < 32 ? room_for(plan) : 32); }

static void set_power(mpz_t out, int64_t x, int64_t k) {
    mpz_set_si(out, x);
    mpz_pow_ui(out, out, (unsigned long)k);
}

Status fixed_power(Plan *plan, const Fixed *x, int64_t k, int64_t centre, Fixed *out) {
    Status status = OK;
    Reduction r;
    int64_t low = x->low - centre, high = x->high - centre, rows = plan->args->data->rows;
    reduction_start(&r);
    *out = (Fixed){ 0 };
    set_power(r.low, low, k);
    set_power(r.high, high, k);
    if (k % 2 == 0) { /* from 0, or the nearer end, to the farther end */
        if (mpz_cmp(r.low, r.high) > 0) mpz_swap(r.low, r.high);
        if (low <= 0 && high >= 0) mpz_set_ui(r.low, 0);
    }
    reduction_set(&r, (int)k * x->exponent, product_bits(plan), out);
    NEW(plan->work, out->at, rows + 1);
    for (int64_t i = 0; i < rows; i++) {
        out->at[i] = FIXED_MISSING;
        if (x->at[i] == FIXED_MISSING) continue;
        set_power(r.scratch, x->at[i] - centre, k);
        mpz_fdiv_q_2exp(r.scratch, r.scratch, r.shift);
        out->at[i] = mpz_get_si(r.scratch);
    }
done:
    reduction_end(&r);
    return status;
}

Status fixed_product(Plan *plan, const Fixed *x, const Fixed *y, int64_t cx, int64_t cy, Fixed *out) {
    Status status = OK;
    Reduction r;
    int64_t a[] = { x->low - cx, x->high - cx }, b[] = { y->low - cy, y->high - cy }, rows = plan->args->data->rows;
    reduction_start(&r);
    *out = (Fixed){ 0 };
    for (int i = 0; i < 4; i++) {
        mpz_set_si(r.scratch, a[i & 1]);
        mpz_mul_si(r.scratch, r.scratch, b[i >> 1]);
        if (!i || mpz_cmp(r.scratch, r.low) < 0) mpz_set(r.low, r.scratch);
        if (!i || mpz_cmp(r.scratch, r.high) > 0) mpz_set(r.high, r.scratch);
    }
    reduction_set(&r, x->exponent + y->exponent, product_bits(plan), out);
    NEW(plan->work, out->at, rows + 1);
    for (int64_t i = 0; i < rows; i++) {
        out->at[i] = FIXED_MISSING;
        if (x->at[i] == FIXED_MISSING || y->at[i] == FIXED_MISSING) continue;
        mpz_set_si(r.scratch, x->at[i] - cx);
        mpz_mul_si(r.scratch, r.scratch, y->at[i] - cy);
        mpz_fdiv_q_2exp(r.scratch, r.scratch, r.shift);
        out->at[i] = mpz_get_si(r.scratch);
    }
done:
    reduction_end(&r);
    return status;
}
