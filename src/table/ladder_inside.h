/* What the files of ladders share. */
#ifndef SCRIM_TABLE_LADDER_INSIDE_H
#define SCRIM_TABLE_LADDER_INSIDE_H
#include "table/ladder.h"

typedef struct Shelf Shelf; /* runs on disk */
void shelf_free(Shelf *shelf);
void ladder_drop_runs(Ladder *ladder);
#endif
