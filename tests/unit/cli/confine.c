/* What a confined server cannot do any more, and what it can: each in a child, which is confined for good. */
#include <errno.h>
#include <sys/wait.h>
#include <string.h>
#include "../../../server/confine.c"
#include "testing.h"

static char folder[] = "confined-XXXXXX", inside[128]; /* not below /tmp, where anything may be written */

static bool has_landlock(void) { return syscall(SYS_landlock_create_ruleset, NULL, 0, 1) > 0; }

/* The child's answer: the number of the first thing that is not as it must be, 0 where all is. */
static int confined(const Keeps *keeps, int (*body)(void)) {
    int status;
    const pid_t child = fork();
    if (!child) {
        confine(keeps);
        _exit(body());
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static bool opens(const char *path, int how) {
    const int file = open(path, how | O_CLOEXEC, 0600);
    if (file >= 0) close(file);
    return file >= 0;
}

static int starts_nothing(void) {
    char *const words[] = { "true", NULL };
    execv("/bin/true", words);
    if (errno != EPERM && errno != EACCES) return 1;
    if (!syscall(SYS_unshare, 0) || errno != EPERM) return 2;
    if (syscall(SYS_setuid, getuid()) != -1 || errno != EPERM) return 3;
    if (!opens("README.md", O_RDONLY)) return 4;
    const pid_t child = fork(); /* helper processes are */
    if (!child) _exit(execv("/bin/true", words) == -1 ? 7 : 0);
    int status;
    if (waitpid(child, &status, 0) != child || WEXITSTATUS(status) != 7) return 5;
    return 0;
}

static void no_program_is_started(void **state) {
    (void)state;
    assert_int_equal(confined(&(Keeps){ .connects = true }, starts_nothing), 0);
}

/* A checkout below the temporary folder may be read and written, as that folder may. */
static bool checkout_is_temporary(void) {
    char here[4096];
    return getcwd(here, sizeof here) && !strncmp(here, "/tmp/", 5);
}

static int reads_and_writes(void) {
    char path[256];
    snprintf(path, sizeof path, "%s/new", inside);
    if (!opens(path, O_RDWR | O_CREAT | O_EXCL) || unlink(path)) return 1;
    if (!checkout_is_temporary() && opens("README.md", O_RDONLY)) return 2;
    if (opens("/etc/passwd", O_WRONLY)) return 3;
    if (!opens("/etc/passwd", O_RDONLY)) return 4;
    if (!checkout_is_temporary() && opens("confined.new", O_WRONLY | O_CREAT)) return 5;
    if (!opens("LICENSE", O_RDONLY)) return 6;
    return 0;
}
static int writes_there_alone(void) {
    if (!opens("README.md", O_RDONLY)) return 1;
    return !checkout_is_temporary() && opens("confined.new", O_WRONLY | O_CREAT) ? 2 : 0;
}

static void files_are_those_that_it_needs(void **state) {
    (void)state;
    const char *writes[] = { inside, "/there/is/none" }, *reads[] = { "LICENSE" };
    if (!has_landlock()) skip();
    assert_int_equal(confined(&(Keeps){ writes, 2, reads, 1, false }, reads_and_writes), 0);
    assert_int_equal(confined(&(Keeps){ .writes = writes, .write_count = 2 }, writes_there_alone), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(no_program_is_started), cmocka_unit_test(files_are_those_that_it_needs) };
    if (!mkdtemp(folder)) return 77;
    snprintf(inside, sizeof inside, "%s/inside", folder);
    if (mkdir(inside, 0700)) return 77;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(inside);
    rmdir(folder);
    return failed;
}
