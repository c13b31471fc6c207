/* cmocka, without its macro `fail`, which base/status.h needs for itself. */
#ifndef SCRIM_TESTING_H
#define SCRIM_TESTING_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#undef fail
#undef fail_msg
#define fail_msg(...) (print_error(__VA_ARGS__), print_error("\n"), _fail(__FILE__, __LINE__))
#endif
