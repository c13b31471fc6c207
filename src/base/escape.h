/* Text made safe for where it goes: JSON, XML and HTML, CSV, a terminal. Bytes that are not UTF-8 become U+FFFD everywhere but in CSV. */
#ifndef SCRIM_BASE_ESCAPE_H
#define SCRIM_BASE_ESCAPE_H
#include "base/text.h"

void put_json_text(Buffer *out, const char *text); /* in quotes; NULL is null */
void put_json_integer(Buffer *out, int64_t value); /* beyond ±2^53 as text: many readers hold numbers as doubles */
void put_json_real(Buffer *out, double value); /* NaN is null, ±∞ text "Infinity", "-Infinity"; fewest digits that read back the same */
/* Between tags and in quoted attributes. Control characters, which XML forbids, become their pictures (␀ … ␡). */
void xml_text(Buffer *out, const char *text);
/* One CSV cell: quoted where it must be; empty text is "" and NULL (missing) is nothing. */
void csv_text(Buffer *out, const char *text);
/* One line for a terminal: control characters (escape sequences, line ends) and direction overrides shown, not obeyed. */
void plain_text(Buffer *out, const char *text);
#endif
