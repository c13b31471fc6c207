/* Small text files as C: usage: embed [-s] FILE… prints { "name", "text" }, for each, the name without folder and, but for -s, suffix. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    bool suffix = argc > 1 && !strcmp(argv[1], "-s");
    for (int i = 1 + suffix; i < argc; i++) {
        FILE *file = fopen(argv[i], "r");
        if (!file) {
            perror(argv[i]);
            return 1;
        }
        const char *slash = strrchr(argv[i], '/'), *name = slash ? slash + 1 : argv[i], *dot = strrchr(name, '.');
        printf("{ \"%.*s\",\n\"", dot && !suffix ? (int)(dot - name) : (int)strlen(name), name);
        for (int c; (c = getc(file)) != EOF;) {
            if (c == '\n') printf("\\n\"\n\"");
            else if (c == '"' || c == '\\' || c < 32 || c > 126) printf("\\%03o", (unsigned)c);
            else putchar(c);
        }
        printf("\" },\n");
        fclose(file);
    }
    return 0;
}
