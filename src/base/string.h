/* SPDX-License-Identifier: MIT */
/*
 * What strings begin and end with, and the numbers in them. Pure functions, any thread.
 */
#ifndef GPUDUMPFS_BASE_STRING_H
#define GPUDUMPFS_BASE_STRING_H

#include <stdbool.h>
#include <stdint.h>

bool string_begins(const char *string, const char *prefix);
bool string_ends(const char *string, const char *suffix);

/*
 * The digits of one base, 2 to 10, that a string begins with; moves `*at` behind them. False,
 * and *value undefined, where there are none, or where they are more than 64 bits hold.
 */
bool string_take_number(const char **at, unsigned base, uint64_t *value);

#endif
