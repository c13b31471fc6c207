/* The files of one command: written aside and synced, then put in their places together, or none of them (base/file_journal.h says how). */
#ifndef SCRIM_BASE_STAGE_H
#define SCRIM_BASE_STAGE_H
#include <sys/types.h>
#include "base/arena.h"
#include "base/status.h"

typedef struct Stage Stage;
/* Empty; ends with stage_commit or stage_abandon. */
MUST_CHECK Status stage_new(Stage **out, Error *error);
/* What is read: no output may take its place. "-" is the file that standard input comes from; NULL and what is no file are harmless; of a
 * folder, the files in it. */
MUST_CHECK Status stage_protect(Stage *stage, const char *path, Error *error);
/* The same of every file that fits a pattern of *, ? and [], or is called like it; where it has **, of all below the folder it begins with.
 */
MUST_CHECK Status stage_protect_pattern(Stage *stage, const char *pattern, Error *error);
/* What is written holds records of this file (of a folder, the files in it; "-" as above): it gets at most its mode. */
void stage_limit(Stage *stage, const char *path);
void stage_limit_mode(Stage *stage, mode_t most);
/* Where to write what is to become `path`: put in place by stage_commit in the reverse order of these calls. A stream or device is itself,
 * written straight. BAD where `path` is protected, or was asked for before. Links are followed. */
MUST_CHECK Status stage_path(Stage *stage, Arena *arena, const char *path, bool secret, const char **out,
                             Error *error); /* secret: mode 0600 */
/* An error of writing to `now` is told of `path`; gives `status` back. */
Status stage_told(Error *error, const char *now, const char *path, Status status);
/* Only the check of stage_path. */
MUST_CHECK Status stage_check(const Stage *stage, const char *path, Error *error);
Status stage_refuses(const char *path, Error *error);       /* what it says of one that must stay: BAD */
MUST_CHECK Status stage_commit(Stage *stage, Error *error); /* frees it, whatever happens */
void stage_abandon(Stage *stage);                           /* removes what was written; NULL harmless */
#endif
