/* The folder that a workbench keeps what it was given in: the owner's alone, and gone when the server ends. And where recipes are saved. */
#ifndef SCRIM_SERVER_PLACE_H
#define SCRIM_SERVER_PLACE_H
#include "text.h"

typedef struct Place {
    char folder[1024];
    int lock; /* held while it is in use: what a killed server left is known by its lock, and removed by the next */
} Place;
scrim_status place_make(Place *place, scrim_error *error);
void place_remove(Place *place); /* with everything in it */
void place_path(const Place *place, const char *name, char path[4096]);
/* A name that is one of ours to use: no folder, not hidden, no database (duckdb:…), of letters that any file system takes. */
bool name_is_plain(const char *name);

/* Of the file's bytes; of the name where it is no file. */
void data_hash(const char *data, char hex[33]);
/* Where the recipe for the data of this hash is saved: $XDG_STATE_HOME/scrim or ~/.local/state/scrim, made where it is not. "" where there
 * is none.
 */
void saved_path(const char *hex, char path[4096]);
bool file_save(const char *path, const char *text); /* replaced atomically, for the owner alone */
bool file_load(const char *path, Buffer *out);
#endif
