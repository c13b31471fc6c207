/* The time of day in a cell that tells date and time. */
#ifndef SCRIM_TABLE_TIME_OF_DAY_H
#define SCRIM_TABLE_TIME_OF_DAY_H
#include <stdbool.h>

/* "2024-03-04T07:30:00", with a space for the T, or "07:30": hours from 0 on, below 24. Seconds, their fraction and a zone may follow; the
 * hour is taken as it stands. */
bool clock_hours(const char *cell, double *hours);
#endif
