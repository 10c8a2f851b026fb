/* SPDX-License-Identifier: MIT */
/*
 * The palette that the GPU keeps: when a draw needs another palette, and how it is copied
 * (psx-gpu.md 6).
 */
#include "formats/psx/gpu/gpu.h"

bool psx_clut_key_latch(struct psx_clut_key *key, uint16_t id, unsigned depth)
{
    uint16_t entries = depth == PSX_DEPTH_4 ? 16 : 256;

    if (depth != PSX_DEPTH_4 && depth != PSX_DEPTH_8)
        return false;
    if (key->entries >= entries && key->id == id)
        return false;
    key->id = id;
    key->entries = entries;
    return true;
}

void psx_clut_latch(struct psx_gpu *gpu)
{
    const struct psx_clut_key *key = &gpu->state.clut;

    psx_transfer_read_row(gpu, key->id >> 6, (key->id & 0x3Fu) * 16, key->entries, gpu->clut);
}
