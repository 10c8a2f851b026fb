/*
 * Numbers as the dump prints them (apitrace.md 3.5): integers, and floats as printf's
 * `%.7g` and `%.16g` would, to the digit, but ten times as fast for all that is
 * common. Pure functions, any thread.
 */
#ifndef GPUDUMPFS_APITRACE_DECODE_DECIMAL_H
#define GPUDUMPFS_APITRACE_DECODE_DECIMAL_H

#include <stddef.h>
#include <stdint.h>

enum { APITRACE_DECIMAL_MAX = 48 }; /* bytes that any of these may touch */

/* Each writes at `to`, without a NUL, and returns how many bytes. */
size_t apitrace_decimal_u64(char *to, uint64_t value);
size_t apitrace_decimal_hex(char *to, uint64_t value); /* lower case, no prefix */
size_t apitrace_decimal_float(char *to, float value);
size_t apitrace_decimal_double(char *to, double value);

/* The plain twins of the last two, which printf() serves. */
size_t apitrace_decimal_plain_float(char *to, float value);
size_t apitrace_decimal_plain_double(char *to, double value);

#endif
