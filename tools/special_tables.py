#!/usr/bin/env python3
"""Writes src/math/special/tables.h: coefficients of the special functions, each rounded once from 60 digits. Needs mpmath."""
import sys
from mpmath import mp, mpf, pi, sqrt, exp, log, erfc, zeta, bernoulli, euler, matrix, lu_solve, cos

mp.dps = 60
out = []


def numbers(name, comment, values, columns=4):
    out.append('/* %s */' % comment)
    out.append('static const double %s[] = {' % name)
    for i in range(0, len(values), columns):
        out.append('    ' + ', '.join(float(v).hex() for v in values[i:i + columns]) + ',')
    out.append('};\n')


def mills_times(y):
    """Q(x)/φ(x)·(x + 2) where y = 1/(x + 2)."""
    x = 1 / y - 2
    return sqrt(pi / 2) * exp(x * x / 2) * erfc(x / sqrt(mpf(2))) * (x + 2)


SEGMENTS, DEGREE = 64, 9
rows = []
for k in range(SEGMENTS // 2):
    nodes = [cos(pi * (2 * i + 1) / (2 * DEGREE + 2)) / 2 for i in range(DEGREE + 1)]
    system = matrix(DEGREE + 1, DEGREE + 1)
    right = matrix(DEGREE + 1, 1)
    for i, s in enumerate(nodes):
        for j in range(DEGREE + 1): system[i, j] = s ** j
        right[i] = mills_times((k + mpf(1) / 2 + s) / SEGMENTS)
    rows += list(lu_solve(system, right))
out.append('/* Coefficients of the special functions. Written by tools/special_tables.py: change that. */')
out.append('#ifndef SCRIM_MATH_SPECIAL_TABLES_H\n#define SCRIM_MATH_SPECIAL_TABLES_H\n\n/* clang-format off */')
out.append('enum { MILLS_SEGMENTS = %d, MILLS_TERMS = %d };' % (SEGMENTS, DEGREE + 1))
numbers('MILLS', 'Upper tail of the normal over its density, times x + 2: polynomials in the place within a segment of 1/(x + 2).', rows, 5)
numbers('ERROR_SERIES', '(Φ(x) − ½)/x in powers of x².', [(-1) ** k / (sqrt(2 * pi) * 2 ** k * mp.factorial(k) * (2 * k + 1)) for k in range(14)])
numbers('EXP_SERIES', '1/2!, 1/3!, …', [1 / mp.factorial(k) for k in range(2, 18)])
numbers('ATANH_SERIES', '1/3, 1/5, …', [mpf(1) / k for k in range(3, 43, 2)])
numbers('ZETA_SERIES', 'ln Γ(2 + t) − (1 − γ)t in powers of t, from t² on: (−1)^k (ζ(k) − 1)/k.', [(-1) ** k * (zeta(k) - 1) / k for k in range(2, 34)])
numbers('STIRLING_SERIES', 'ln Γ(x) − Stirling in powers of 1/x: 1/x, 1/x³, …', [bernoulli(2 * k) / (2 * k * (2 * k - 1)) for k in range(1, 13)])
numbers('BERNOULLI', 'B₂, B₄, …', [bernoulli(2 * k) for k in range(1, 13)])
out.append('static const double ONE_LESS_EULER = %s, HALF_LOG_TWO_PI = %s, ROOT_TWO_PI = %s;\n' %
           (float(1 - euler).hex(), float(log(2 * pi) / 2).hex(), float(sqrt(2 * pi)).hex()))
STEP = mpf(3) / 32
places, weights = [], []
t = mpf(-29) / 8
while t <= mpf(37) / 8:
    y = exp(t - exp(-t))
    places.append(y)
    weights.append(STEP * y * (1 + exp(-t)))
    t += STEP
out.append('enum { HALF_LINE_NODES = %d };' % len(places))
numbers('HALF_LINE_PLACE', 'The trapezoidal rule for ∫₀^∞ f(y) dy after y = exp(t − e^−t) (Takahasi & Mori 1974).', places)
numbers('HALF_LINE_WEIGHT', 'Its weights.', weights)
out.append('/* clang-format on */\n#endif')
open(sys.argv[1], 'w').write('\n'.join(out) + '\n')
