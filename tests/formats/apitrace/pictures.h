/* SPDX-License-Identifier: MIT */
/*
 * What the tests that look at pictures of apitrace traces share.
 */
#ifndef GPUDUMPFS_TESTS_FORMATS_APITRACE_PICTURES_H
#define GPUDUMPFS_TESTS_FORMATS_APITRACE_PICTURES_H

#include "tests/formats/apitrace/open.h"

#include <stddef.h>
#include <stdint.h>

/* Skips the test where there is no graphics driver. */
void apitrace_need_graphics(void);

/* The pixels of a PNG in memory as RGBA, for free(). */
uint8_t *apitrace_decode(const void *bytes, size_t size, unsigned *width, unsigned *height);

/* The same of a file of the tree. */
uint8_t *apitrace_pixels(const struct apitrace_opened *opened, const char *path, unsigned *width,
                         unsigned *height);

#endif
