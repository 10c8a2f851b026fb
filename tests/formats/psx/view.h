/* SPDX-License-Identifier: MIT */
/*
 * For tests of what a PSX dump's tree shows: recordings of the corpus, pictures as
 * they are read back, cells of tables. One thread.
 */
#ifndef GPUDUMPFS_TESTS_FORMATS_PSX_VIEW_H
#define GPUDUMPFS_TESTS_FORMATS_PSX_VIEW_H

#include "tests/formats/psx/build.h"

#include <png.h>

/* The recording of that name: psx_build_free(). Skips the test where there is no corpus. */
void psx_view_recording(const char *name, struct psx_build *out);

/* All 63 of them. */
extern const char *const psx_view_recordings[];
extern const size_t psx_view_recording_count;

/*
 * Each case of the corpus' INDEX.tsv, by its name; every so many of them as support_stride() says.
 * Skips the test where there is no corpus.
 */
void psx_view_cases(void (*visit)(void *context, const char *name, const struct psx_build *build),
                    void *context);

struct psx_picture {
    unsigned width, height;
    uint8_t *rgba;
};

void psx_view_picture(const struct psx_opened *opened, const char *path, struct psx_picture *out);
void psx_view_free(struct psx_picture *picture);

/* Its pixel as 0xRRGGBB. */
uint32_t psx_view_pixel(const struct psx_picture *picture, unsigned x, unsigned y);

/* A halfword of VRAM as 0xRRGGBB. */
uint32_t psx_view_rgb(uint16_t pixel);

/* `by-frame/NNNNNN/REST`, where REST is printed; good until the next call. */
__attribute__((format(printf, 2, 3))) const char *psx_view_path(unsigned frame, const char *format,
                                                                ...);

/* The field in that row, from 0, and column of a table; NULL: there is no such row. Static. */
const char *psx_view_cell(const char *table, unsigned row, const char *column);

#endif
