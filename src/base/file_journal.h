/* A journal of file replacements: all take place, or none; a killed process is finished or undone by the next one.
 *
 * In each folder that is written to, `.scrim-XXXXXXXX/` (mode 0700, the side folder) holds the new files under their own names, and
 * `.lock`, held while the process lives. `.journal` in the first side folder lists the replacements in their order; the others hold
 * `.with`, which says where the first is. Without `.journal` nothing has happened, and what a killed process left is removed.
 *
 * For each replacement the journal holds the identity of the file that is replaced: absent, or inode, size, time of change and hash. The
 * replaced file is kept in the side folder as `.old-N` until all replacements are done. From these:
 *   - a replacement that fails undoes those before it, and leaves nothing (`.undo` marks a journal that is being undone);
 *   - after a kill, the next process finishes the replacements whose targets are still what they were. If one is not, it replaces nothing
 *     more: each new file goes beside its target as NAME.interrupted-XXXXXXXX, and the host is told (file_notices);
 *   - two processes that replace files in one folder do so one after the other: the folder is locked meanwhile. */
#ifndef SCRIM_BASE_FILE_JOURNAL_H
#define SCRIM_BASE_FILE_JOURNAL_H
#include "base/status.h"

/* A folder that is written to. `path` ends in a slash, or is empty; both texts are owned; lock is -1 where there is no side folder. */
typedef struct SideFolder {
    char *path, *aside;
    int lock;
} SideFolder;
/* A file that lies in folder number `folder` as NAME, and is to replace the one of that name; `given` is the name for messages. */
typedef struct NewFile {
    int64_t folder;
    char *name, *given;
    unsigned closed; /* permission bits that it must not have */
} NewFile;

/* Finishes or undoes what killed processes of this user left in the folder, then makes a side folder: fills `aside` and `lock`. An error
 * names `given`. */
MUST_CHECK Status side_folder_open(SideFolder *folder, const char *given, Error *error);
/* Is it a name of the journal's own, which no new file can have? */
bool side_folder_keeps(const char *name);
/* Removes the new files; the lock stays the caller's to close. */
void side_folder_remove(const SideFolder *folder);

/* Replaces all files, the last first, and removes the side folders. FAILED (BAD where a name cannot be written to): nothing has changed, or
 * the message names what could not be undone. */
MUST_CHECK Status journal_commit(const SideFolder *folder, int64_t folders, const NewFile *file, int64_t files, Error *error);

/* Who is told of what a killed process left and could not be finished, in one sentence; NULL: nobody. One for the process. */
void file_notices(void (*tell)(const char *text));
#endif
