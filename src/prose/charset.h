/* Text of one byte a letter, made UTF-8 and back: every byte is a code point, so that what is not touched comes back as it was. */
#ifndef SCRIM_PROSE_CHARSET_H
#define SCRIM_PROSE_CHARSET_H
#include "base/text.h"

typedef enum { CHARSET_UTF8, CHARSET_LATIN1, CHARSET_LATIN9, CHARSET_WINDOWS, CHARSETS, CHARSET_UNKNOWN = CHARSETS } Charset;
/* By its usual names, without case: utf-8, latin1, iso-8859-1, iso-8859-15, windows-1252, cp1252; NULL is UTF-8. */
Charset charset_named(const char *name);
/* Appends. From UTF-8 to itself bytes are copied. */
void charset_decode(Charset charset, const char *bytes, size_t size, Buffer *out);
/* A letter that the charset lacks is written without its accent, anything else that it lacks as a question mark. */
void charset_encode(Charset charset, const char *text, size_t size, Buffer *out);
#endif
