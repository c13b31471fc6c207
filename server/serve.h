/* The workbench and the query server, as the program calls them. They know the library by scrim.h alone, as the program does. */
#ifndef SCRIM_SERVER_SERVE_H
#define SCRIM_SERVER_SERVE_H
#include "text.h"

/* `words` are those behind "serve". Returns when it was asked to end. */
scrim_status serve_command(int count, const char *const *words, const scrim_reading *reading, int threads, bool quiet, scrim_error *error);

/* Its options, read one by one; false past the last. `value` is NULL for a flag. */
bool serve_option(size_t index, const char **name, const char **value, const char **help);
bool serve_names_file(const char *value); /* is what the option wants a file? */
#endif
