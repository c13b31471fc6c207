#!/usr/bin/env python3
"""Writes tests/known/special_values.h: values of the special functions to 17 digits over their whole domains, by mpmath with 45 digits."""
import random, sys
from mpmath import (mp, mpf, erf, erfc, loggamma, psi, log, log1p, exp, expm1, sqrt, pi, inf, quad, gammainc, besselk, gamma, npdf, findroot)

mp.dps = 45
random.seed(34)
rows = []


def ten(low, high): return 10 ** random.uniform(low, high)
def add(name, arguments, value):
    value = mpf(value)
    if value == value and (abs(value) > mpf(10) ** -301 or value == 0): rows.append((name, [float(a) for a in arguments], value))


def tail(a, slope, curvature, fall):
    """∫₀^∞ e^fall in pieces of the scale on which it falls."""
    s = 2 / (slope + sqrt(slope * slope + 2 * curvature))
    if a < 1: s = max(s, mpf(1) / (3 * a))
    return s * quad(lambda t: exp(fall(s * t)), [0, .01, .03, .1, .3, 1, 2, 4, 8, 16, 32, 64, 150, 400])


def gamma_tail(a, x, above):
    a, x = mpf(a), mpf(x)
    if a < 300: return gammainc(a, x, inf, regularized=True) if above else gammainc(a, 0, x, regularized=True)
    sign = 1 if above else -1
    return exp(a * log(x) - x - loggamma(a)) * tail(a, abs(a - x), x, lambda v: a * sign * v - x * expm1(sign * v))


def beta_tail(a, b, x, y, above):
    a, b, x, y = mpf(a), mpf(b), mpf(x), mpf(y)
    if above: return beta_tail(b, a, y, x, False)
    n = a + b
    return exp(a * log(x) + b * log(y) - loggamma(a) - loggamma(b) + loggamma(n)) * tail(a, abs(a - n * x), n * x * y, lambda v: -a * v - n * log1p(x * expm1(-v)))


def student_tail(df, t):
    df, t = mpf(df), mpf(t)
    y, x = t * t / (df + t * t), df / (df + t * t)
    return beta_tail(df / 2, mpf(1) / 2, x, y, False) / 2 if t * t > 1 else (1 - beta_tail(mpf(1) / 2, df / 2, y, x, False)) / 2


def characteristic(df, u):
    a, z = mpf(df) / 2, sqrt(mpf(df)) * mpf(u)
    if df < 2000: return besselk(a, z) * z ** a / (gamma(a) * mpf(2) ** (a - 1))
    g = (a + sqrt(a * a + z * z)) / 2
    r = z * z / 4 / g
    s = 1 / sqrt(g + r)
    return exp(a * log(g) - g - r - loggamma(a)) * s * quad(lambda v: exp(a * s * v - g * expm1(s * v) - r * expm1(-s * v)), [-16 + 4 * i for i in range(9)])


def choose(n, k): return loggamma(mpf(n) + 1) - loggamma(mpf(k) + 1) - loggamma(mpf(n) - k + 1)
def log_beta(a, b): return loggamma(a) + loggamma(b) - loggamma(a + b)


for i in range(60):
    x = random.uniform(-8, 37)
    add('normal_upper', [x], erfc(mpf(x) / sqrt(2)) / 2)
    x = random.uniform(-3, 3) * ten(-6, 0)
    add('normal_centre', [x], erf(mpf(x) / sqrt(2)) / 2)
    x = random.choice([random.uniform(-20, 60), random.uniform(-2, 2), ten(2, 3)])
    add('normal_log_upper', [x], log1p(-erfc(-mpf(x) / sqrt(2)) / 2) if x < 0 else log(erfc(mpf(x) / sqrt(2)) / 2))
    p = random.choice([random.random(), ten(-300, 0), .5 + random.uniform(-1, 1) * ten(-9, -1)])
    t = mpf(random.uniform(-1, 1))
    low, high = mpf(-40), mpf(40)
    for _ in range(190):
        t = (low + high) / 2
        if erfc(-t / sqrt(mpf(2))) / 2 < p: low = t
        else: high = t
    add('normal_quantile', [p], t)

    x = random.choice([ten(-300, 300), ten(-3, 2), random.uniform(.4, 3.5)])
    add('log_gamma', [x], loggamma(mpf(x)))
    x = random.choice([ten(-3, 15), ten(-1, 1.5)])
    d = random.choice([ten(-8, 8), -x * random.random(), x * ten(-10, 0)])
    X, D = mpf(x), mpf(d)
    if x + d > 1.6 or x + d < 1.3:
        add('log_gamma_difference', [x, d], loggamma(X + D) - loggamma(X))
        add('digamma', [x + d], psi(0, mpf(x + d)))
    add('digamma_difference', [x, d], psi(0, X + D) - psi(0, X))
    add('trigamma', [x], psi(1, X))
    add('trigamma_difference', [x, d], psi(1, X + D) - psi(1, X))
    add('log_minus_digamma', [x], log(X) - psi(0, X))
    n = int(ten(0, 9))
    p = random.choice([random.random(), ten(-8, -1)])
    k = random.choice([int(n * random.random()), min(n, int(n * p)), 0, n])
    add('log_binomial_term', [k, n - k, p], choose(n, k) + k * log(mpf(p)) + (n - k) * log1p(-mpf(p)))
    add('log_choose', [n, k], choose(n, k))
    k, m = int(ten(0, 9)), ten(-2, 9)
    add('log_poisson_term', [k, m], k * log(mpf(m)) - mpf(m) - loggamma(mpf(k) + 1))
    marked, plain = int(ten(0, 8.5)), int(ten(0, 8.5))
    drawn = random.randint(0, marked + plain)
    k = random.randint(max(0, drawn - plain), min(marked, drawn))
    add('log_hypergeometric_term', [k, marked, plain, drawn], choose(marked, k) + choose(plain, drawn - k) - choose(marked + plain, drawn))
    a, b, k = ten(-3, 9), ten(-3, 9), random.randint(0, n)
    add('log_beta_binomial_term', [k, n, a, b], choose(n, k) + log_beta(k + mpf(a), n - k + mpf(b)) - log_beta(mpf(a), mpf(b)))

    a = random.choice([ten(-3, 0), ten(-3, 2), ten(1, 12)])
    x = random.choice([a + a ** .5 * random.gauss(0, 1) * random.choice([1, 5, 15]), a * ten(-3, 1), ten(-300, 2)])
    if x > 0:
        if a < 300 or x < a: add('gamma_lower', [a, x], gamma_tail(a, x, False))
        if a < 300 or x > a: add('gamma_upper', [a, x], gamma_tail(a, x, True))
    a = random.choice([ten(-2, 1), ten(0, 4), ten(3, 15)])
    b = random.choice([ten(-2, 1), ten(0, 4), ten(3, 15)])
    m = a / (a + b)
    x = random.choice([m + (m * (1 - m) / (a + b + 1)) ** .5 * random.gauss(0, 3), random.random()])
    x = 1 - (1 - x)  # so that 1 − x has no rounding
    if 0 < x < 1: add('beta_upper' if x > m else 'beta_lower', [a, b, x], beta_tail(a, b, x, 1 - x, x > m))
    df, t = random.choice([ten(-2, 1), ten(0, 3), ten(2, 18)]), random.choice([ten(-8, 2), ten(0, 1.5), ten(-2, .8)])
    add('student_upper', [df, t], student_tail(df, t))
    df, u = random.choice([ten(-2, 1), ten(0, 3), ten(2, 12)]), random.choice([ten(-8, 2), ten(-1, 1)])
    add('student_characteristic', [df, u], characteristic(df, u))

for i in range(30):
    x = random.uniform(37, 60) if i % 2 else ten(1.6, 9)
    q = -mpf(x) ** 2 / 2 - log(mpf(x) * sqrt(2 * pi)) if x > 1e5 else log(erfc(mpf(x) / sqrt(2)) / 2)
    q, t = mpf(float(q)), mpf(x)
    for _ in range(60): t += (log(erfc(t / sqrt(mpf(2))) / 2) - q) * exp(log(erfc(t / sqrt(mpf(2))) / 2) + t * t / 2) * sqrt(2 * pi)
    add('normal_log_upper_quantile', [q], t)
    df = random.choice([ten(1, 3), ten(3, 18)])
    t = random.choice([ten(0, 1), ten(1, 4), -ten(-2, 1)])
    if t < 0: add('student_log_upper', [df, t], log1p(-student_tail(df, -t)))
    else: add('student_log_upper', [df, t], log(student_tail(df, t)))

def quantile_of_log(q):
    """x with ln(1 − Φ(x)) = q, by bisection; below ln ½ the digits are in Φ(x)."""
    q = mpf(q)
    small = -expm1(q) if q > -log(2) else None
    low, high = mpf(-39), mpf(39)
    for _ in range(170):
        x = (low + high) / 2
        above = erfc(-x / sqrt(mpf(2))) / 2 < small if small is not None else log(erfc(x / sqrt(mpf(2))) / 2) > q
        low, high = (x, high) if above else (low, x)
    return x


for i in range(40):
    q = -ten(-299, 0) if i % 2 else -ten(-3, 2.83)
    add('normal_log_upper_quantile', [q], quantile_of_log(float(q)))

rows.sort(key=lambda row: row[0])
with open(sys.argv[1], 'w') as out:
    out.write('/* Values of special functions, to 17 digits. Written by tools/special_values.py with mpmath: change that. */\n/* clang-format off */\n')
    for name, arguments, value in rows:
        out.write('{ "%s", { %s }, %s },\n' % (name, ', '.join(repr(a) for a in arguments), mp.nstr(value, 18, strip_zeros=False)))
    out.write('/* clang-format on */\n')
print(len(rows))
