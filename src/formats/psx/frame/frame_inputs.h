/*
 * Which tiles of VRAM a frame needs as they stand at its start, if nothing but what
 * it draws and moves is to be looked at: less than all of it, since most frames
 * clear what they draw on. Any thread.
 */
#ifndef GPUDUMPFS_PSX_FRAME_FRAME_INPUTS_H
#define GPUDUMPFS_PSX_FRAME_FRAME_INPUTS_H

#include "base/cancel.h"
#include "formats/psx/index/index.h"
#include "formats/psx/index/tiles.h"

/*
 * With these tiles and latches right at its start, and every step carried out, the
 * drawing areas, what draws and uploads write, and the texture pages that are sampled
 * are right after each step.
 * The frame's counts are known. 0, -ENOMEM, -EINTR.
 */
int psx_frame_inputs(const struct psx_index *index, uint64_t frame, const struct cancel *cancel,
                     struct psx_tiles *out);

#endif
