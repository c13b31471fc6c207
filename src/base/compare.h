/* Orders for qsort and bsearch: of plain numbers and of texts. Orders of structs stand beside the structs. */
#ifndef SCRIM_BASE_COMPARE_H
#define SCRIM_BASE_COMPARE_H

int ascending_int32(const void *a, const void *b);
int ascending_int64(const void *a, const void *b);
int ascending_uint64(const void *a, const void *b);
int ascending_real(const void *a, const void *b); /* no NaN among them */
int compare_texts(const void *a, const void *b);  /* of `const char *`, by bytes */
#endif
