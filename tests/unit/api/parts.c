/* A table that would not fit is taken in parts: when, and when not. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "scrim.h"

static char folder[] = "/tmp/scrim-parts-XXXXXX", path[4096];

/* So many bytes, of which the disk holds none. */
static const char *file_of(const char *name, off_t bytes) {
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int file = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    assert_true(file >= 0 && !ftruncate(file, bytes) && !close(file));
    return path;
}

static int64_t memory_for(const char *method, const char *input, const char *output) {
    scrim_args *args = scrim_args_new();
    assert_non_null(args);
    if (input) assert_int_equal(scrim_args_text(args, "data", input), SCRIM_OK);
    int64_t memory = scrim_parts_memory(method, args, output);
    scrim_args_free(args);
    if (input) unlink(input);
    return memory;
}

static void test_what_fits(void **state) {
    (void)state;
    const off_t huge = (off_t)1 << 42;
    int64_t memory = memory_for("protect.noise", file_of("a.csv", huge), NULL);
    assert_true(memory > 0 && memory < huge);
    assert_true(memory_for("risk.k-anonymity", file_of("a.tsv", huge), "out.csv.gz") > 0);
    assert_int_equal(memory_for("protect.noise", file_of("a.csv", 1000), NULL), 0);
    assert_int_equal(memory_for("protect.microaggregate", file_of("a.csv", huge), NULL), 0); /* needs the whole table */
    assert_int_equal(memory_for("protect.noise", file_of("a.csv", huge), "out.arrow"),
                     0); /* unasked, only what has the same bytes in parts */
    assert_int_equal(memory_for("protect.noise", file_of("a.sav", huge), NULL), 0);
    assert_int_equal(memory_for("protect.noise", NULL, NULL), 0);
    assert_int_equal(memory_for("protect.nothing", NULL, NULL), 0);
    assert_int_equal(memory_for("protect.noise", "/nowhere/at/all.csv", NULL), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_what_fits) };
    if (!mkdtemp(folder)) return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(folder);
    return failed;
}
