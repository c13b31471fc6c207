/* Names that are not repeated. */
#ifndef SCRIM_BASE_PASSWORD_H
#define SCRIM_BASE_PASSWORD_H
#include <stdbool.h>

/* An address with a password in it: user:PASSWORD@ behind a scheme, or password=, in whatever case and however escaped. Where it is
 * not understood as an address it may hold one all the same. */
bool holds_password(const char *name);
#endif
