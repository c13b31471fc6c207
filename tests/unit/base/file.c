/* Files: what is read, and what is mapped only where the process has said that it can end by it. */
#include "base/file.h"
#include "testing.h"
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LARGE = 17 << 20 };

/* A guest's large file is in its own memory: cut while it is used, it is all there. A program with a handler has it mapped. */
static void mapped_only_by_leave(void **state) {
    (void)state;
    char path[] = "/tmp/scrim-file-XXXXXX";
    Error error = ERROR_NONE;
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    for (int leave = 0; leave < 2; leave++) {
        Bytes bytes = { 0 };
        assert_int_equal(ftruncate(descriptor, LARGE), 0);
        bytes_map_large(leave);
        assert_int_equal(bytes_open(path, &bytes, &error), OK);
        assert_null(bytes.mapped);
        bytes_close(&bytes);
        assert_int_equal(bytes_open_by(&(Work){ .error = &error, .threads = 1 }, path, &bytes), OK);
        assert_int_equal(bytes.mapped != NULL, leave);
        assert_int_equal(bytes.count, LARGE);
        if (!leave) assert_int_equal(ftruncate(descriptor, 0), 0);
        assert_int_equal(bytes.at[LARGE - 1], 0);
        bytes_close(&bytes);
    }
    bytes_map_large(false);
    close(descriptor);
    unlink(path);
}

/* How many pages of files this process has at hand. */
static long pages_of_files(void) {
    long all = 0, resident = 0, shared = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%ld %ld %ld", &all, &resident, &shared), 3);
    fclose(file);
    return shared;
}

/* Pages let go come back as the file has them; memory of one's own stays as it is, whatever range is named. */
static void let_go_and_read_again(void **state) {
    (void)state;
    char path[] = "/tmp/scrim-file-XXXXXX", *written = malloc(LARGE);
    Error error = ERROR_NONE;
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0 && written);
    for (int i = 0; i < LARGE; i++) written[i] = (char)(i % 251);
    assert_int_equal(write(descriptor, written, LARGE), LARGE);
    for (int leave = 0; leave < 2; leave++) {
        Bytes bytes = { 0 };
        Work work = { .error = &error, .threads = 3 };
        bytes_map_large(leave);
        assert_int_equal(bytes_open_by(&work, path, &bytes), OK);
        assert_memory_equal(bytes.at, written, LARGE);
        long before = pages_of_files();
        bytes_let_go(&bytes, bytes.at + 100, bytes.at + LARGE - 100);
        if (leave) assert_true(before - pages_of_files() > LARGE / sysconf(_SC_PAGESIZE) / 2);
        assert_memory_equal(bytes.at, written, LARGE);
        bytes_let_go(&bytes, bytes.at + 5, bytes.at + 6);
        bytes_close(&bytes);
    }
    bytes_let_go(NULL, written, written + LARGE);
    assert_int_equal(written[LARGE - 1], (char)((LARGE - 1) % 251));
    bytes_map_large(false);
    close(descriptor);
    unlink(path);
    free(written);
}

enum { HANDLED = 7 };
static void shorter(int signal) {
    (void)signal;
    _exit(HANDLED);
}

/* Reads a page that is gone, unless it runs on the calling thread, which waits for the end. */
static Status read_beyond(void *self, int64_t block, int64_t first, int64_t last, Error *error) {
    (void)block, (void)first, (void)last, (void)error;
    const Bytes *bytes = self;
    if (getpid() == gettid()) sleep(10);
    else _exit(bytes->at[LARGE - 1]);
    return OK;
}

/* The end of a mapped file that becomes shorter reaches the process's handler from any thread. */
static void shorter_on_any_thread(void **state) {
    (void)state;
    char path[] = "/tmp/scrim-file-XXXXXX";
    int descriptor = mkstemp(path), status = 0;
    assert_true(descriptor >= 0);
    assert_int_equal(ftruncate(descriptor, LARGE), 0);
    pid_t child = fork();
    if (!child) {
        Bytes bytes = { 0 };
        Error error = ERROR_NONE;
        Work work = { .error = &error, .threads = 2 };
        signal(SIGBUS, shorter);
        bytes_map_large(true);
        if (bytes_open_by(&work, path, &bytes) || ftruncate(descriptor, 0)) _exit(1);
        _exit((int)parallel_for(&work, 2, 1, read_beyond, &bytes));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), HANDLED);
    close(descriptor);
    unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(mapped_only_by_leave), cmocka_unit_test(let_go_and_read_again),
                                        cmocka_unit_test(shorter_on_any_thread) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
