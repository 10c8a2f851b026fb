/* SPDX-License-Identifier: MIT */
/*
 * Runs a complete PSX dump from memory through the replay core, packet by packet: the reference
 * that tests compare everything else with.
 */
#ifndef GPUDUMPFS_TESTS_FORMATS_PSX_PLAY_H
#define GPUDUMPFS_TESTS_FORMATS_PSX_PLAY_H

#include "formats/psx/container.h"
#include "formats/psx/gpu/gpu.h"
#include "formats/psx/index/indexing.h"

#include <stddef.h>
#include <stdint.h>

struct psx_play {
    struct psx_gpu *gpu;
    struct psx_packet packet; /* the packet that was just executed */
    uint32_t number;          /* its number in the dump */
    uint32_t vsyncs;          /* VSync packets executed so far, counted from Trace begin */
};

/*
 * Executes all packets and calls `after`, unless it is NULL, after each. The GPU belongs to the
 * caller and must be at power-on. Fails the test if the dump has no magic.
 */
void psx_play(const uint8_t *dump, size_t size, enum psx_field_option rule, struct psx_gpu *gpu,
              void (*after)(void *context, const struct psx_play *play), void *context);

/* Creates a GPU at power-on with all of VRAM as its drawing area. Free with psx_gpu_destroy(). */
struct psx_gpu *psx_play_gpu(void);

/* Sends words to port 0. PSX_PLAY(gpu, words...) takes the words as arguments. */
void psx_play_gp0(struct psx_gpu *gpu, const uint32_t *words, size_t count);

#define PSX_PLAY(gpu, ...)                                                                         \
    psx_play_gp0(gpu, (const uint32_t[]){__VA_ARGS__}, COUNT_OF(((uint32_t[]){__VA_ARGS__})))

/* Packs two coordinates, or a width and a height, into one word. */
static inline uint32_t psx_play_xy(int x, int y)
{
    return ((uint32_t)x & 0xFFFF) | (uint32_t)y << 16;
}

/* Returns the pixel of VRAM at (x, y). */
uint16_t psx_play_pixel(const struct psx_gpu *gpu, int x, int y);

/* Returns the CRC-32 of 1 MiB of VRAM as little-endian halfwords. */
uint32_t psx_play_crc32(const struct psx_gpu *gpu);

#endif
