/* A fuzz target without its fuzzer: runs it on every input that was kept of it, one a line in base64 (tests/fuzz/corpus/NAME.b64). */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int argc, char **argv) {
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    long count = 0;
    FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (!file || sodium_init() < 0) return 1;
    while ((length = getline(&line, &room, file)) > 0) {
        uint8_t *bytes = malloc((size_t)length); /* as long as what is in it would hide a read past its end */
        size_t used;
        if (!bytes || sodium_base642bin(bytes, (size_t)length, line, (size_t)length, "\n", &used, NULL, sodium_base64_VARIANT_ORIGINAL))
            return 1;
        uint8_t *exact = malloc(used);
        if (used && !exact) return 1;
        if (used) memcpy(exact, bytes, used);
        free(bytes);
        LLVMFuzzerTestOneInput(exact, used);
        free(exact);
        count++;
    }
    free(line);
    fclose(file);
    printf("%ld inputs\n", count);
    return count ? 0 : 1;
}
