/* SPDX-License-Identifier: MIT */
/*
 * Helpers for tests of what a PSX dump's tree shows: recordings of the corpus, pictures read back,
 * cells of tables. One thread.
 */
#ifndef GPUDUMPFS_TESTS_FORMATS_PSX_VIEW_H
#define GPUDUMPFS_TESTS_FORMATS_PSX_VIEW_H

#include "tests/formats/psx/build.h"

#include <png.h>

/*
 * Loads the recording of that name, to be freed with psx_build_free(). Skips the test if there is
 * no corpus.
 */
void psx_view_recording(const char *name, struct psx_build *out);

/* The names of all 63 recordings */
extern const char *const psx_view_recordings[];
extern const size_t psx_view_recording_count;

/*
 * Calls `visit` for each case of the corpus's INDEX.tsv, with its name, or for every n-th case
 * where n is support_stride(). Skips the test if there is no corpus.
 */
void psx_view_cases(void (*visit)(void *context, const char *name, const struct psx_build *build),
                    void *context);

struct psx_picture {
    unsigned width, height;
    uint8_t *rgba;
};

void psx_view_picture(const struct psx_opened *opened, const char *path, struct psx_picture *out);
void psx_view_free(struct psx_picture *picture);

/* Returns a pixel of the picture as 0xRRGGBB. */
uint32_t psx_view_pixel(const struct psx_picture *picture, unsigned x, unsigned y);

/* Converts a halfword of VRAM to 0xRRGGBB. */
uint32_t psx_view_rgb(uint16_t pixel);

/*
 * Returns `by-frame/NNNNNN/REST`, where REST is printed from `format`; valid until the next call.
 */
__attribute__((format(printf, 2, 3))) const char *psx_view_path(unsigned frame, const char *format,
                                                                ...);

/*
 * Returns a field of a table by its row, counted from 0, and the name of its column, or NULL if
 * there is no such row. The result is static.
 */
const char *psx_view_cell(const char *table, unsigned row, const char *column);

#endif
