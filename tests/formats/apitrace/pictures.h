/* SPDX-License-Identifier: MIT */
/* What the tests that read pictures of apitrace traces share */
#ifndef GPUDUMPFS_TESTS_FORMATS_APITRACE_PICTURES_H
#define GPUDUMPFS_TESTS_FORMATS_APITRACE_PICTURES_H

#include "tests/formats/apitrace/open.h"

#include <stddef.h>
#include <stdint.h>

/* Skips the test if there is no graphics driver. */
void apitrace_need_graphics(void);

/* Decodes a PNG in memory to RGBA, to be freed with free(). */
uint8_t *apitrace_decode(const void *bytes, size_t size, unsigned *width, unsigned *height);

/* Does the same with a file of the tree. */
uint8_t *apitrace_pixels(const struct apitrace_opened *opened, const char *path, unsigned *width,
                         unsigned *height);

#endif
