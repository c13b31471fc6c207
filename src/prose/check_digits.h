/* Check digits and ranges of the numbers that have them. */
#ifndef SCRIM_PROSE_CHECK_DIGITS_H
#define SCRIM_PROSE_CHECK_DIGITS_H
#include <stdbool.h>
#include <stddef.h>

/* Each takes the text as matched: separators are skipped. */
typedef bool Check(const char *text, size_t size);
Check check_card; /* Luhn, and a known issuer's first digits and length */
Check check_luhn;
Check check_iban;   /* ISO 13616: mod 97 */
Check check_ssn;    /* area, group and serial that are given out */
Check check_dni;    /* Spain: the letter by mod 23, NIE too */
Check check_nir;    /* France: mod 97 */
Check check_steuer; /* Germany: ISO 7064 mod 11,10 */
Check check_npi;    /* Luhn with 80840 before it */
Check check_dea;
Check check_vin;     /* ISO 3779: check digit in place 9 */
Check check_routing; /* ABA: 3 7 1 */
Check check_ipv4;
Check check_date, check_compact; /* day, month and year that can be */
Check check_week;
int digits_of(const char *text, size_t size, char *out, int room); /* its digits; how many there are in all */
#endif
