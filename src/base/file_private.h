/* What file.c and stage.c share. */
#ifndef SCRIM_BASE_FILE_PRIVATE_H
#define SCRIM_BASE_FILE_PRIVATE_H
#include <stdbool.h>
#include "base/status.h"

/* What errno says of `path`. */
Status file_error(Error *error, const char *path, const char *doing);
/* Where a chain of symlinks ends, whether or not there is a file yet: that is what gets written. False with errno set. */
bool follow_links(char path[4096]);
/* Sixteen letters that nobody guesses, for what is written aside. */
MUST_CHECK Status random_name(char out[17], Error *error);
#endif
