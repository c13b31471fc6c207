/* The kernels of dense.c once, included for each width of register with LANE_COUNT, LANE_TARGET, LANE_NAME defined. No include guard: that
 * is the purpose. A sum's parts and their order never depend on the width: dots have eight parts always, tiles one per product. */

typedef double LANE_NAME(Lane) __attribute__((vector_size(LANE_COUNT * sizeof(double)), aligned(8)));
#define LANE LANE_NAME(Lane)
#define PARTS (EIGHT / LANE_COUNT) /* registers that hold eight doubles */
#define EACH(i, n) _Pragma("GCC unroll 16") for (int i = 0; i < (n); i++)
#define AT(p) (*(LANE *)(void *)(p))
#define FROM(p) (*(const LANE *)(const void *)(p))

LANE_TARGET static double LANE_NAME(fold)(const double *s) { return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7])); }

LANE_TARGET static double LANE_NAME(dot)(const double *a, const double *b, int64_t n) {
    LANE sum[PARTS];
    double part[EIGHT];
    int64_t i = 0;
    EACH(v, PARTS) sum[v] = (LANE){ 0 };
    for (; i + EIGHT <= n; i += EIGHT) EACH(v, PARTS) sum[v] += FROM(a + i + v * LANE_COUNT) * FROM(b + i + v * LANE_COUNT);
    EACH(v, PARTS) AT(part + v * LANE_COUNT) = sum[v];
    for (int k = 0; i + k < n; k++) part[k] += a[i + k] * b[i + k];
    return LANE_NAME(fold)(part);
}

LANE_TARGET static void LANE_NAME(add)(double s, const double *x, int64_t n, double *y) {
    int64_t i = 0;
    for (; i + EIGHT <= n; i += EIGHT) EACH(v, PARTS) AT(y + i + v * LANE_COUNT) += s * FROM(x + i + v * LANE_COUNT);
    for (; i < n; i++) y[i] += s * x[i];
}

LANE_TARGET static void LANE_NAME(add_two)(double s, const double *x, double t, const double *z, int64_t n, double *y) {
    int64_t i = 0;
    for (; i + EIGHT <= n; i += EIGHT) EACH(v, PARTS) {
            LANE first = AT(y + i + v * LANE_COUNT) + s * FROM(x + i + v * LANE_COUNT);
            AT(y + i + v * LANE_COUNT) = first + t * FROM(z + i + v * LANE_COUNT);
        }
    for (; i < n; i++) {
        double first = y[i] + s * x[i];
        y[i] = first + t * z[i];
    }
}

/* The products of `rows` columns, TILE or those of two panels `apart`, with the eight of another panel over `count` rows, added to out. */
LANE_TARGET static inline __attribute__((always_inline)) void LANE_NAME(tile_of)(const double *a, int64_t apart, const double *b,
                                                                                 int64_t count, double *out, int64_t stride, int rows) {
    LANE sum[2 * EIGHT][PARTS];
    EACH(i, rows) __builtin_prefetch(out + i * stride, 1);
    EACH(i, rows) EACH(v, PARTS) sum[i][v] = (LANE){ 0 };
    for (int64_t k = 0; k < count; k++, a += EIGHT, b += EIGHT) {
        LANE right[PARTS];
        EACH(v, PARTS) right[v] = FROM(b + v * LANE_COUNT);
        EACH(i, rows) EACH(v, PARTS) sum[i][v] += a[i / EIGHT * apart + i % EIGHT] * right[v];
    }
    EACH(i, rows) EACH(v, PARTS) AT(out + i * stride + v * LANE_COUNT) += sum[i][v];
}
LANE_TARGET static void LANE_NAME(tile)(const double *a, const double *b, int64_t count, double *out, int64_t stride) {
    LANE_NAME(tile_of)(a, 0, b, count, out, stride, TILE);
}
#if TILE == 8 /* registers for two panels */
LANE_TARGET static void LANE_NAME(two)(const double *a, int64_t apart, const double *b, int64_t count, double *out, int64_t stride) {
    LANE_NAME(tile_of)(a, apart, b, count, out, stride, 2 * TILE);
}
#else
LANE_TARGET static void LANE_NAME(two)(const double *a, int64_t apart, const double *b, int64_t count, double *out, int64_t stride) {
    for (int row = 0; row < 2 * EIGHT; row += TILE)
        LANE_NAME(tile)(a + row / EIGHT * apart + row % EIGHT, b, count, out + row * stride, stride);
}
#endif

/* The dots of one vector with GROUP columns, `stride` apart, over n rows (a multiple of eight), added to out. */
LANE_TARGET static void LANE_NAME(dots)(const double *a, const double *c, int64_t stride, int64_t n, double *out) {
    LANE sum[GROUP][PARTS];
    EACH(j, GROUP) EACH(v, PARTS) sum[j][v] = (LANE){ 0 };
    for (int64_t i = 0; i < n; i += EIGHT) EACH(v, PARTS) {
            LANE left = FROM(a + i + v * LANE_COUNT);
            EACH(j, GROUP) sum[j][v] += left * FROM(c + j * stride + i + v * LANE_COUNT);
        }
    EACH(j, GROUP) {
        double part[EIGHT];
        EACH(v, PARTS) AT(part + v * LANE_COUNT) = sum[j][v];
        out[j] += LANE_NAME(fold)(part);
    }
}

/* The dots of GROUP rows, `stride` apart, with v, bit by bit those of `dot`; before that, where s is not NULL, a_j becomes (a_j − s_j·x) −
 * t_j·z in the same pass. */
LANE_TARGET static inline __attribute__((always_inline)) void LANE_NAME(rows_of)(double *a, int64_t stride, const double *s,
                                                                                 const double *x, const double *t, const double *z,
                                                                                 const double *v, int64_t n, double *out) {
    LANE sum[GROUP][PARTS];
    double part[GROUP][EIGHT];
    int64_t i = 0;
    EACH(j, GROUP) EACH(p, PARTS) sum[j][p] = (LANE){ 0 };
    for (; i + EIGHT <= n; i += EIGHT) EACH(p, PARTS) {
            int64_t at = i + p * LANE_COUNT;
            LANE with = FROM(v + at);
            EACH(j, GROUP) {
                LANE row = FROM(a + j * stride + at);
                if (s) {
                    row -= s[j] * FROM(x + at);
                    row -= t[j] * FROM(z + at);
                    AT(a + j * stride + at) = row;
                }
                sum[j][p] += row * with;
            }
        }
    EACH(j, GROUP) {
        double *rest = a + j * stride + i;
        EACH(p, PARTS) AT(part[j] + p * LANE_COUNT) = sum[j][p];
        for (int k = 0; i + k < n; k++) {
            if (s) {
                rest[k] -= s[j] * x[i + k];
                rest[k] -= t[j] * z[i + k];
            }
            part[j][k] += rest[k] * v[i + k];
        }
        out[j] = LANE_NAME(fold)(part[j]);
    }
}
LANE_TARGET static void LANE_NAME(dot_rows)(const double *a, int64_t stride, const double *v, int64_t n, double *out) {
    LANE_NAME(rows_of)((double *)(uintptr_t)a, stride, NULL, NULL, NULL, NULL, v, n, out);
}
LANE_TARGET static void LANE_NAME(turn_rows)(double *a, int64_t stride, const double *s, const double *x, const double *t, const double *z,
                                             const double *v, int64_t n, double *out) {
    LANE_NAME(rows_of)(a, stride, s, x, t, z, v, n, out);
}

/* GROUP rows of half a symmetric matrix, n columns (a multiple of eight): a_j becomes (a_j − s_j·x) − t_j·z; then out_j += a_j·v, and, for
 * the other half, p += Σ_j u_j·a_j, j in order. */
LANE_TARGET static void LANE_NAME(half_rows)(double *a, int64_t stride, const double *s, const double *x, const double *t, const double *z,
                                             const double *u, const double *v, int64_t n, double *out, double *p) {
    LANE sum[GROUP][PARTS];
    EACH(j, GROUP) EACH(l, PARTS) sum[j][l] = (LANE){ 0 };
    for (int64_t i = 0; i < n; i += EIGHT) EACH(l, PARTS) {
            int64_t at = i + l * LANE_COUNT;
            LANE with = FROM(v + at), below = FROM(p + at);
            EACH(j, GROUP) {
                LANE row = FROM(a + j * stride + at);
                row -= s[j] * FROM(x + at);
                row -= t[j] * FROM(z + at);
                AT(a + j * stride + at) = row;
                sum[j][l] += row * with;
                below += u[j] * row;
            }
            AT(p + at) = below;
        }
    EACH(j, GROUP) {
        double part[EIGHT];
        EACH(l, PARTS) AT(part + l * LANE_COUNT) = sum[j][l];
        out[j] += LANE_NAME(fold)(part);
    }
}

/* c_j −= Σ_k z_kj v_k for GROUP columns, k in order; rows of v `above` apart, n a multiple of eight. */
LANE_TARGET static void LANE_NAME(subtract)(const double *v, int64_t above, int64_t count, const double *z, int64_t n, double *c,
                                            int64_t stride) {
    for (int64_t i = 0; i < n; i += EIGHT) {
        LANE rest[GROUP][PARTS];
        EACH(j, GROUP) EACH(p, PARTS) rest[j][p] = FROM(c + j * stride + i + p * LANE_COUNT);
        for (int64_t k = 0; k < count; k++) EACH(p, PARTS) {
                LANE left = FROM(v + k * above + i + p * LANE_COUNT);
                EACH(j, GROUP) rest[j][p] -= z[k * GROUP + j] * left;
            }
        EACH(j, GROUP) EACH(p, PARTS) AT(c + j * stride + i + p * LANE_COUNT) = rest[j][p];
    }
}

static const Kernels LANE_NAME(kernels) = { LANE_NAME(dot),
                                            LANE_NAME(add),
                                            LANE_NAME(add_two),
                                            LANE_NAME(tile),
                                            LANE_NAME(two),
                                            LANE_NAME(dots),
                                            LANE_NAME(subtract),
                                            LANE_NAME(dot_rows),
                                            LANE_NAME(turn_rows),
                                            LANE_NAME(half_rows),
                                            TILE };

#undef LANE
#undef PARTS
#undef EACH
#undef AT
#undef FROM
#undef TILE
#undef LANE_COUNT
#undef LANE_TARGET
#undef LANE_NAME
