/* A normal copula over the columns' own distributions: its margins, its draws, and the copula as a saved model. */
#ifndef SCRIM_SYNTH_ENGINE_COPULA_H
#define SCRIM_SYNTH_ENGINE_COPULA_H
#include "synth/engine/engine.h"

/* A column: its rows in the order of their values (missing first, so that a missing cell is the lowest; categories without an order by
 * their places), and what its correlations are taken of. */
typedef struct Margin {
    const Column *column;
    int64_t *order;  /* rows, ascending */
    double *value;   /* by row: the value; where some are missing or there are only categories, the middle rank */
    double *sorted;  /* values in order */
    double *table;   /* standardised value by latent normal */
    double *hermite; /* its coefficients of the normalised Hermite polynomials */
    double mean, sd;
    Spacing spacing; /* numbers and dates: of the cells that are present */
    bool number;     /* correlations are Pearson's of the values; else of the ranks */
    bool nominal;    /* categories without an order */
    Codes codes;     /* nominal: of the column */
    int32_t *place;  /* nominal: of each code, and last of a missing cell, in the order of the margin */
} Margin;

typedef struct Copula {
    Run *run;
    const SynthArgs *args;
    int64_t columns, rows;
    Margin *margin;
    double *correlation, *latent, *root; /* latent: of the normals; root: its lower root */
    EditRules rules;
    ReplicatedUniques uniques;
} Copula;

MUST_CHECK Status copula_margin(Copula *c, const Column *column, Margin *m);
/* Nominal columns: puts their categories into the order in which they go best with the other columns. */
MUST_CHECK Status copula_order_categories(Copula *c);
/* Sorts the rows of a nominal column again, after its places have changed. */
MUST_CHECK Status copula_sort_places(Copula *c, Margin *m);
/* So many records that keep the rules; `set` names the draw. */
MUST_CHECK Status copula_draw(Copula *c, int64_t set, int64_t rows, Table **out);

/* Every column sorted by itself, with "copula of NAME", its latent correlations with all columns. */
MUST_CHECK Status copula_table(const Copula *c, Table **out);
/* Is the table such a model? Then the copula that it holds, ready to draw from, whose values the caller releases. */
bool copula_saved(Work *work, const Table *model);
MUST_CHECK Status copula_read(Copula *c, const Table *model, Table **values);
#endif
