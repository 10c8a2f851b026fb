/* SPDX-License-Identifier: MIT */
/*
 * The replay core: the PlayStation's GPU as a function from words to VRAM, exact to the bit by
 * psx-gpu.md. It works in memory, knows neither files nor FUSE, allocates nothing after
 * psx_gpu_create(), and accepts any sequence of words. One thread at a time per GPU.
 */
#ifndef GPUDUMPFS_PSX_GPU_GPU_H
#define GPUDUMPFS_PSX_GPU_GPU_H

#include "base/cancel.h"
#include "formats/psx/gpu/draw.h"
#include "formats/psx/gpu/state.h"

#include <stddef.h>
#include <stdint.h>

/* Creates a GPU at power-on, with VRAM zero. Returns 0 or -ENOMEM. */
int psx_gpu_create(enum psx_gpu_model model, struct psx_gpu **out);
void psx_gpu_destroy(struct psx_gpu **gpu);

/* Returns the bytes that the GPU may take, including VRAM and the data of a read. */
uint64_t psx_gpu_bytes(const struct psx_gpu *gpu);

/* Makes the GPU read texels from VRAM at all times, not through the texel cache. */
void psx_gpu_leave_out_texel_cache(struct psx_gpu *gpu);

/* Makes `to` equal to `from`. Returns 0, or -EINVAL if their VRAM differs in size. */
int psx_gpu_copy(struct psx_gpu *to, const struct psx_gpu *from);

/*
 * Sends words to port 0, little-endian and unaligned. Returns 0, or -EINTR when cancelled; some of
 * the words have taken effect then, and the GPU must not be used any more.
 */
int psx_gpu_gp0(struct psx_gpu *gpu, const uint8_t *words, size_t count,
                const struct cancel *cancel);

/* The same, but does not look at `cancel` before `pixels` pixels have been drawn or moved. */
int psx_gpu_gp0_patiently(struct psx_gpu *gpu, const uint8_t *words, size_t count, uint64_t pixels,
                          const struct cancel *cancel);

/*
 * Carries out one event of a parser that the caller runs, as psx_gpu_gp0() does for each event of
 * its own parser. gpu->state is the state before the event; gpu->state.parser is not used.
 */
void psx_gpu_run(struct psx_gpu *gpu, const struct psx_gp0_event *event);

/* Sends one word to port 1. */
void psx_gpu_gp1(struct psx_gpu *gpu, uint32_t word);

/*
 * Carries out a packet 03 or 04: takes words from the open read, with what its area held when the
 * C0 was executed. Returns how many words there were. `out` gets 4 bytes a word, or is NULL.
 */
uint32_t psx_gpu_read(struct psx_gpu *gpu, uint32_t words, uint8_t *out);

/* Returns GPUSTAT as the CPU would read it. */
uint32_t psx_gpu_status(const struct psx_gpu *gpu);

/*
 * These move pixels without drawing: fill, VRAM to VRAM copy, upload, read (psx-gpu.md 11). All
 * addresses wrap; E6 applies to copies and uploads. For use inside the replay core, one thread per
 * VRAM.
 */
void psx_transfer_fill(struct psx_gpu *gpu, const struct psx_draw *fill);
void psx_transfer_copy(struct psx_gpu *gpu, const struct psx_draw *copy);

/* Writes the next pixels of gpu->state.upload, two a word, without advancing gpu->state.upload. */
void psx_transfer_upload(struct psx_gpu *gpu, const uint8_t *words, uint32_t count);

/* Copies the area of gpu->state.read to gpu->read_data. */
void psx_transfer_latch_read(struct psx_gpu *gpu);

/*
 * Reads `count` halfwords of line y from column x on, around the right edge; zeros if memory has no
 * such line.
 */
void psx_transfer_read_row(const struct psx_gpu *gpu, uint32_t y, uint32_t x, uint32_t count,
                           uint16_t *to);

/* Fills the latched palette from VRAM (psx-gpu.md 6; clut.c). */
void psx_clut_latch(struct psx_gpu *gpu);

#endif
