/* A binary file as a C array: usage: embed_bytes FILE NAME. A string literal, since compilers read those fastest. */
#include <stdio.h>

int main(int argc, char **argv) {
    FILE *file = argc == 3 ? fopen(argv[1], "rb") : NULL;
    if (!file) {
        fprintf(stderr, "usage: embed_bytes FILE NAME\n");
        return 1;
    }
    printf("_Alignas(16) static const unsigned char %s[] =\n\"", argv[2]);
    int column = 0;
    for (int c; (c = getc(file)) != EOF;) {
        printf("\\%03o", (unsigned)c);
        if (++column % 32 == 0) printf("\"\n\"");
    }
    printf("\";\n");
    fclose(file);
    return 0;
}
