/* Numbers and cells as people read them; shared by text, charts and HTML. Private to render/. */
#ifndef SCRIM_RENDER_HUMAN_NUMBERS_H
#define SCRIM_RENDER_HUMAN_NUMBERS_H
#include "base/text.h"
#include "result/result.h"

enum { PEOPLE_DIGITS = 6 };
/* At most `digits` significant digits, but never fewer than the whole part has; whole numbers whole. */
const char *human_real(double value, int digits, char out[33]);
/* An amount on the first page of a report: three digits, and 0 for less than 0.005. */
const char *human_amount(double value, char out[33]);
/* A value as text (NULL = null). */
const char *human_value(const Value *value, char out[33]);
/* A cell as text (NULL = missing). */
const char *human_cell(const Column *column, int64_t row, char out[33]);
/* How many characters stand from the decimal point on ("12.50" 3, "7" 0): what to add on the right so that points align. */
int human_fraction(const char *number);
/* Thousands set apart by commas where the whole part has at least `digits` digits; other text unchanged. */
enum { GROUP_DIGITS = 5 };
void human_grouped(Buffer *out, const char *number, size_t digits);
/* "1 row", "4,580 rows". */
void human_count(Buffer *out, int64_t count, const char *one, const char *many);
#endif
