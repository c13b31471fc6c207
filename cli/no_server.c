/* `scrim serve` in a build without it (CMake's SCRIM_SERVER). */
#ifdef SCRIM_WITHOUT_SERVER
#include "cli.h"
#include "serve.h"

scrim_status serve_command(int count, const char *const *words, const scrim_reading *reading, int threads, bool quiet, scrim_error *error) {
    (void)count, (void)words, (void)reading, (void)threads, (void)quiet;
    fail(error, SCRIM_BAD, "this build of scrim has no server");
    return advise(error, "Install a complete package, or build with -DSCRIM_SERVER=ON (see README).");
}
bool serve_option(size_t index, const char **name, const char **value, const char **help) {
    (void)index, (void)name, (void)value, (void)help;
    return false;
}
bool serve_names_file(const char *value) {
    (void)value;
    return false;
}
#endif
