/* SPDX-License-Identifier: MIT */
/*
 * Opens a trace as a mount would, for the tests of the AeroGPU format, and checks its tree and
 * files.
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
/* Ends and opens what was written so far. Frees the writer's contents. */
void opened_trace(struct opened *opened, struct trace_writer *writer);
void opened_close(struct opened *opened);
void opened_expect(const struct opened *opened, const char *path, const char *part);
/* Returns how often a file contains `part`. */
unsigned opened_count(const struct opened *opened, const char *path, const char *part);
void opened_expect_no_problems(const struct opened *opened);
struct picture opened_picture(const struct opened *opened, const char *path, uint32_t format);
uint32_t opened_pixel(const struct picture *picture, uint32_t x, uint32_t y);
/*
 * Returns whether there are graphics libraries; without them the worker refuses its first call. Any
 * other failure of that call fails the test.
 */
bool opened_has_driver(void);
/* Skips the test if there are no graphics libraries. */
void opened_need_driver(void);
/* Checks that every pixel of the picture has the colour. */
void opened_expect_colour(const struct opened *opened, const char *path, uint32_t rgba);

#endif
