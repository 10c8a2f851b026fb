/*
 * What moves pixels without drawing: fill, VRAM to VRAM copy, upload, read
 * (psx-gpu.md 11). All addresses wrap; E6 acts on copies and uploads. Inside the
 * replay core, one thread per VRAM.
 */
#ifndef GPUDUMPFS_PSX_GPU_TRANSFER_H
#define GPUDUMPFS_PSX_GPU_TRANSFER_H

#include "formats/psx/gpu/device.h"
#include "formats/psx/gpu/draw.h"

#include <stdint.h>

void psx_transfer_fill(struct psx_gpu *gpu, const struct psx_draw *fill);
void psx_transfer_copy(struct psx_gpu *gpu, const struct psx_draw *copy);

/* Writes the next pixels of gpu->state.upload, two a word, without moving it on. */
void psx_transfer_upload(struct psx_gpu *gpu, const uint8_t *words, uint32_t count);

/* Copies the area of gpu->state.read to gpu->read_data. */
void psx_transfer_latch_read(struct psx_gpu *gpu);

/* Fills the latched palette from VRAM (psx-gpu.md 6). */
void psx_transfer_latch_clut(struct psx_gpu *gpu);

#endif
