/*
 * Runs a whole PSX dump from memory through the replay core, packet by packet:
 * the reference that tests hold everything else against.
 */
#ifndef GPUDUMPFS_TESTS_PSX_PLAY_H
#define GPUDUMPFS_TESTS_PSX_PLAY_H

#include "formats/psx/field.h"
#include "formats/psx/gpu.h"
#include "formats/psx/packet.h"

#include <stddef.h>
#include <stdint.h>

struct psx_play {
    struct psx_gpu *gpu;
    struct psx_packet packet; /* the one that was just executed */
    uint32_t number;          /* its number in the dump */
    uint32_t vsyncs;          /* VSync packets executed so far, after Trace begin */
};

/*
 * Executes all packets and calls `after` (NULL: nothing) after each. The GPU is
 * the caller's, at power-on. Fails the test when the dump has no magic.
 */
void psx_play(const uint8_t *dump, size_t size, enum option_field rule, struct psx_gpu *gpu,
              void (*after)(void *context, const struct psx_play *play), void *context);

/* CRC32 of 1 MiB of VRAM as little-endian halfwords. */
uint32_t psx_play_crc32(const struct psx_gpu *gpu);

#endif
