/* SPDX-License-Identifier: MIT */
/*
 * A trace that is opened as a mount would, for the tests of the AeroGPU format: its tree,
 * and what its files say.
 */
#ifndef GPUDUMPFS_TESTS_FORMATS_AEROGPU_OPEN_H
#define GPUDUMPFS_TESTS_FORMATS_AEROGPU_OPEN_H

#include "examples/trace_writer.h"
#include "formats/format.h"

#include <png.h>

struct opened {
    char *folder;
    struct options options;
    struct text message;
    struct format_dump dump;
    struct tree *tree;
};

struct picture {
    png_image png;
    uint8_t *pixels;
};

void opened_path(struct opened *opened, const char *path);
void opened_bytes(struct opened *opened, const void *bytes, size_t size);
/* What was written so far, ended; the writer is freed. */
void opened_trace(struct opened *opened, struct trace_writer *writer);
void opened_close(struct opened *opened);
void opened_expect(const struct opened *opened, const char *path, const char *part);
/* How often the part stands in a file. */
unsigned opened_count(const struct opened *opened, const char *path, const char *part);
void opened_expect_no_problems(const struct opened *opened);
struct picture opened_picture(const struct opened *opened, const char *path, uint32_t format);
uint32_t opened_pixel(const struct picture *picture, uint32_t x, uint32_t y);
/*
 * Whether there are graphics libraries, without which the worker refuses its first call; any
 * other failure of that call fails the test.
 */
bool opened_has_driver(void);
/* Skips the test where there are none. */
void opened_need_driver(void);
/* Every pixel of the picture. */
void opened_expect_colour(const struct opened *opened, const char *path, uint32_t rgba);

#endif
