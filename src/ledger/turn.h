/* Whose turn it is to write a file: among processes, and among the threads of one. */
#ifndef SCRIM_LEDGER_TURN_H
#define SCRIM_LEDGER_TURN_H
#include "base/status.h"

typedef struct Turn Turn;
/* Opens the file (create: it must not exist, and is made with mode 0600); NULL with errno where it cannot be. */
Turn *turn_open(const char *path, bool create);
MUST_CHECK Status turn_wait(Turn *turn, Error *error);
void turn_pass(Turn *turn);
void turn_close(Turn *turn); /* after whatever else has the file open through this handle; NULL is harmless */
#endif
