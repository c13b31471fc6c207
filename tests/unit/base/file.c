/* Files: what is read, and what is mapped only where the process has said that it can end by it. */
#include "base/file.h"
#include "testing.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LARGE = 65 << 20 };

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

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(mapped_only_by_leave) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
