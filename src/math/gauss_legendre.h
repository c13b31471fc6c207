/* Gauss and Legendre's rule of eight points: exact for polynomials up to degree 15. */
#ifndef SCRIM_MATH_GAUSS_LEGENDRE_H
#define SCRIM_MATH_GAUSS_LEGENDRE_H

enum { GAUSS_LEGENDRE_POINTS = 8 };
typedef struct QuadratureNode {
    double x, weight;
} QuadratureNode;

/* Node i of eight on [from, to], in ascending order. */
static inline QuadratureNode gauss_legendre(double from, double to, int i) {
    static const double place[] = { 0.18343464249564980494, 0.52553240991632898582, 0.79666647741362673959, 0.96028985649753623168 };
    static const double weight[] = { 0.36268378337836198297, 0.31370664587788728734, 0.22238103445337447054, 0.10122853629037625915 };
    int k = i < 4 ? 3 - i : i - 4;
    double half = (to - from) / 2, middle = (to + from) / 2;
    return (QuadratureNode){ i < 4 ? middle - half * place[k] : middle + half * place[k], half * weight[k] };
}
#endif
