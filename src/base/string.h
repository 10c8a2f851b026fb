/* SPDX-License-Identifier: MIT */
/* Prefixes and suffixes of strings, and numbers in them. Pure functions, any thread. */
#ifndef GPUDUMPFS_BASE_STRING_H
#define GPUDUMPFS_BASE_STRING_H

#include <stdbool.h>
#include <stdint.h>

/* Returns whether the string begins with the prefix. */
bool string_begins(const char *string, const char *prefix);

/* Returns whether the string ends with the suffix. */
bool string_ends(const char *string, const char *suffix);

/*
 * Reads the digits of a base from 2 to 10 at the beginning of a string, and moves *at past them.
 * Returns false, with *value undefined, if there are none or the number exceeds 64 bits.
 */
bool string_take_number(const char **at, unsigned base, uint64_t *value);

#endif
