/* SPDX-License-Identifier: MIT */
/* Values of JSON that tell what two dumps have differently: pairs, null where one has none. Any
 * thread. */
#ifndef GPUDUMPFS_COMPARE_FOUND_H
#define GPUDUMPFS_COMPARE_FOUND_H

#include "compare/pixels.h"

#include <jansson.h>

/* Two numbers; UINT64_MAX: null. */
json_t *found_numbers(uint64_t a, uint64_t b);

/* Bytes of a dump as a string for readers. */
json_t *found_string(const char *bytes, size_t length);

/* Sets `pixels`, `x`, `y` and `colours` of an object. */
void found_set_pixels(json_t *object, const struct pixels *a, const struct pixels *b,
                      const struct pixels_difference *difference);

#endif
