/* The files of one command: written aside and synced, then put in their places together, or none of them (base/file_journal.h says how). */
#ifndef SCRIM_BASE_FILE_TRANSACTION_H
#define SCRIM_BASE_FILE_TRANSACTION_H
#include <sys/types.h>
#include "base/arena.h"
#include "base/status.h"

typedef struct Transaction Transaction;
/* Empty; ends with transaction_commit or transaction_rollback. */
MUST_CHECK Status transaction_new(Transaction **out, Error *error);
/* What is read: no output may take its place. "-" is the file that standard input comes from; NULL and what is no file are harmless; of a
 * folder, the files in it. */
MUST_CHECK Status transaction_guard_input(Transaction *stage, const char *path, Error *error);
/* The same of every file that fits a pattern of *, ? and [], or is called like it; where it has **, of all below the folder it begins with.
 */
MUST_CHECK Status transaction_guard_pattern(Transaction *stage, const char *pattern, Error *error);
/* The permission bits of others that the files read under this name lack (of a folder, the files in it; "-" as above): what holds their
 * records must not have them either. All of 0077 where a folder cannot be listed; 0 where there is no such file. */
unsigned stage_closed(const char *path);
/* Where to write what is to become `path`: put in place by transaction_commit in the reverse order of these calls. A stream or device is itself,
 * written straight. It gets none of the permission bits `closed` (0077: its owner's alone). BAD where `path` is protected, or was asked for before. Links are followed. */
MUST_CHECK Status transaction_path(Transaction *stage, Arena *arena, const char *path, unsigned closed, const char **out, Error *error);
/* The file that is to become `path` gets none of these bits either. */
void stage_close(Transaction *stage, const char *path, unsigned closed);
/* An error of writing to `now` is told of `path`; gives `status` back. */
Status transaction_restore_path(Error *error, const char *now, const char *path, Status status);
/* Only the check of transaction_path. */
MUST_CHECK Status transaction_check(const Transaction *stage, const char *path, Error *error);
Status transaction_refuses(const char *path, Error *error);             /* what it says of one that must stay: BAD */
MUST_CHECK Status transaction_commit(Transaction *stage, Error *error); /* frees it, whatever happens */
void transaction_rollback(Transaction *stage);                          /* removes what was written; NULL harmless */
#endif
