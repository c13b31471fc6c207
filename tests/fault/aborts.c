/* A library that ends its program when it is opened. */
#include <stdlib.h>

__attribute__((constructor)) static void end(void) { abort(); }
