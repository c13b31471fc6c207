/* What a server gives up before it answers anybody: programs, other processes, the kernel's settings, and most of the file system. */
#ifndef SCRIM_SERVER_CONFINE_H
#define SCRIM_SERVER_CONFINE_H
#include <stdbool.h>
#include <stddef.h>

/* What it keeps. Paths that do not exist are left out. */
typedef struct Keeps {
    const char *const *writes; /* folders in which it writes, besides those for temporary files; NULL: everywhere */
    size_t write_count;
    const char *const *reads; /* files and folders that it reads, besides the system's; NULL: everywhere */
    size_t read_count;
    bool connects; /* to databases on other machines */
} Keeps;

/* For this process and all that come of it, for good, as far as the kernel has it: nothing is an error where it has not. No program is
 * started and no privilege gained any more, other processes are not looked at (seccomp); files are opened where `keeps` says (Landlock).
 * Before there are threads: those that run already keep the files. */
void confine(const Keeps *keeps);
#endif
