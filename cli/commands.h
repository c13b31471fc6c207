/* Every command there is: methods, verbs, and the short names of a few methods; what completion and the man page are made from. */
#ifndef SCRIM_CLI_COMMANDS_H
#define SCRIM_CLI_COMMANDS_H
#include "registry.h"

typedef struct Command {
    const char *first, *second; /* its words; second is NULL for a command of one word */
    const Method *method;
} Command;
int64_t commands_count(void);
Command commands_at(int64_t index);
/* The distinct first words, in order; false past the last. `about` is what stands behind it, for people. */
bool commands_first(int64_t index, const char **word, const char **about);
const char *group_about(const char *group); /* NULL for a verb */

/* Options that every command takes, read one by one; false past the last. `value` is NULL for a flag, its choices where it has bars. */
bool options_at(size_t index, const char **name, const char **value, const char **help);

/* What a parameter's value is, as far as a shell can complete it. */
typedef enum { COMPLETES_NONE, COMPLETES_ANY, COMPLETES_WORDS, COMPLETES_COLUMNS, COMPLETES_FILES } Completes;
Completes param_completes(const Param *param);
void quote_shell(Buffer *out, const char *text); /* in single quotes */

void completion_bash(Buffer *out);
void completion_zsh(Buffer *out);
void completion_fish(Buffer *out);
void man_page(Buffer *out);
#endif
