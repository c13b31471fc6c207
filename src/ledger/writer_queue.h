/* Whose turn it is to write a file: among processes, and among the threads of one. */
#ifndef SCRIM_LEDGER_WRITER_QUEUE_H
#define SCRIM_LEDGER_WRITER_QUEUE_H
#include "base/status.h"

typedef struct WriterQueue WriterQueue;
/* Opens the file (create: it must not exist, and is made with mode 0600); NULL with errno where it cannot be. */
WriterQueue *writer_queue_open(const char *path, bool create);
MUST_CHECK Status writer_queue_wait(WriterQueue *turn, Error *error);
void writer_queue_pass(WriterQueue *turn);
void writer_queue_leave(WriterQueue *turn); /* after whatever else has the file open through this handle; NULL is harmless */
#endif
