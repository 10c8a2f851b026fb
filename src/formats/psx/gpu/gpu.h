/* SPDX-License-Identifier: MIT */
/*
 * The replay core: the PlayStation's GPU as a function from words to VRAM,
 * bit-exact by psx-gpu.md. It runs from memory, knows no file and no FUSE,
 * allocates nothing after psx_gpu_create(), and accepts every stream of words.
 * One thread at a time per GPU.
 */
#ifndef GPUDUMPFS_PSX_GPU_GPU_H
#define GPUDUMPFS_PSX_GPU_GPU_H

#include "base/cancel.h"
#include "formats/psx/gpu/draw.h"
#include "formats/psx/gpu/state.h"

#include <stddef.h>
#include <stdint.h>

/* A GPU at power-on, VRAM zero. 0 or -ENOMEM. */
int psx_gpu_create(enum psx_gpu_model model, struct psx_gpu **out);
void psx_gpu_destroy(struct psx_gpu **gpu);

/* Bytes that it may take: VRAM, and the data of a read. */
uint64_t psx_gpu_bytes(const struct psx_gpu *gpu);

/* Texels are read from VRAM at all times from then on, not through the texel cache. */
void psx_gpu_leave_out_texel_cache(struct psx_gpu *gpu);

/* Makes `to` equal to `from`. 0, or -EINVAL when their VRAM differs in size. */
int psx_gpu_copy(struct psx_gpu *to, const struct psx_gpu *from);

/*
 * Words to port 0, little-endian and unaligned. 0, or -EINTR when cancelled:
 * then some of them have taken effect, and this GPU is of no more use.
 */
int psx_gpu_gp0(struct psx_gpu *gpu, const uint8_t *words, size_t count,
                const struct cancel *cancel);

/* The same, but not cancelled before so many pixels have been drawn or moved. */
int psx_gpu_gp0_patiently(struct psx_gpu *gpu, const uint8_t *words, size_t count, uint64_t pixels,
                          const struct cancel *cancel);

/*
 * One event of a parser that the caller runs, gpu->state being the state before
 * it: what psx_gpu_gp0() does with each event of its own. gpu->state.parser is
 * not looked at.
 */
void psx_gpu_run(struct psx_gpu *gpu, const struct psx_gp0_event *event);

/* One word to port 1. */
void psx_gpu_gp1(struct psx_gpu *gpu, uint32_t word);

/*
 * Packets 03 and 04: takes words from the open read, as its area stood when the
 * C0 executed; returns how many there were. `out`: 4 bytes a word, or NULL.
 */
uint32_t psx_gpu_read(struct psx_gpu *gpu, uint32_t words, uint8_t *out);

/* GPUSTAT as the CPU would read it. */
uint32_t psx_gpu_status(const struct psx_gpu *gpu);

/*
 * What moves pixels without drawing: fill, VRAM to VRAM copy, upload, read
 * (psx-gpu.md 11). All addresses wrap; E6 acts on copies and uploads. Inside the
 * replay core, one thread per VRAM.
 */
void psx_transfer_fill(struct psx_gpu *gpu, const struct psx_draw *fill);
void psx_transfer_copy(struct psx_gpu *gpu, const struct psx_draw *copy);

/* Writes the next pixels of gpu->state.upload, two a word, without moving it on. */
void psx_transfer_upload(struct psx_gpu *gpu, const uint8_t *words, uint32_t count);

/* Copies the area of gpu->state.read to gpu->read_data. */
void psx_transfer_latch_read(struct psx_gpu *gpu);

/*
 * Reads `count` halfwords of line y from column x on, around the right edge; 0 where
 * memory has no such line.
 */
void psx_transfer_read_row(const struct psx_gpu *gpu, uint32_t y, uint32_t x, uint32_t count,
                           uint16_t *to);

/* Fills the latched palette from VRAM (psx-gpu.md 6; clut.c). */
void psx_clut_latch(struct psx_gpu *gpu);

#endif
