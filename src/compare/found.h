/* SPDX-License-Identifier: MIT */
/*
 * JSON values for differences between two dumps: pairs, with null for a value that one of them
 * lacks. Any thread.
 */
#ifndef GPUDUMPFS_COMPARE_FOUND_H
#define GPUDUMPFS_COMPARE_FOUND_H

#include "compare/pixels.h"

#include <jansson.h>

/* Returns an array of two numbers, with null for UINT64_MAX. */
json_t *found_numbers(uint64_t a, uint64_t b);

/* Returns bytes of a dump as a printable string. */
json_t *found_string(const char *bytes, size_t length);

/* Sets `pixels`, `x`, `y` and `colours` of an object. */
void found_set_pixels(json_t *object, const struct pixels *a, const struct pixels *b,
                      const struct pixels_difference *difference);

#endif
