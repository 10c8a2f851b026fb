/* SPDX-License-Identifier: MIT */
#include "tests/formats/psx/play.h"

#include "base/bytes.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

/* Steps to the next VSync packet. Returns false at the end of the dump. */
static bool next_vsync(const uint8_t *dump, size_t size, struct psx_packet *packet)
{
    do {
        if (!psx_packet_read(dump, size, psx_packet_end(packet), packet))
            return false;
    } while (packet->type != PSX_PACKET_VSYNC);
    return true;
}

/* Returns the cycles between the next two VSyncs after `packet`, 0 if there are not two. */
static uint64_t interval_after(const uint8_t *dump, size_t size, const struct psx_packet *packet)
{
    struct psx_packet first = *packet, second;

    if (!next_vsync(dump, size, &first))
        return 0;
    second = first;
    return next_vsync(dump, size, &second) ? psx_field_interval(&first, &second) : 0;
}

static bool has_begin(const uint8_t *dump, size_t size, uint64_t offset)
{
    struct psx_packet packet;

    for (; psx_packet_read(dump, size, offset, &packet); offset = psx_packet_end(&packet))
        if (packet.type == PSX_PACKET_BEGIN)
            return true;
    return false;
}

static void execute(struct psx_gpu *gpu, const struct psx_packet *packet)
{
    switch (packet->type) {
    case PSX_PACKET_GP0:
        assert_int_equal(psx_gpu_gp0(gpu, packet->payload, packet->words, NULL), 0);
        break;
    case PSX_PACKET_GP1:
        for (uint32_t i = 0; i < packet->words; i++)
            psx_gpu_gp1(gpu, bytes_le32(packet->payload + 4 * (size_t)i));
        break;
    case PSX_PACKET_DISCARD:
    case PSX_PACKET_READBACK:
        if (packet->words > 0)
            psx_gpu_read(gpu, bytes_le32(packet->payload), NULL);
        break;
    default:
        break;
    }
}

void psx_play(const uint8_t *dump, size_t size, enum psx_field_option rule, struct psx_gpu *gpu,
              void (*after)(void *context, const struct psx_play *play), void *context)
{
    uint64_t offset = psx_magic_length(psx_magic_read(dump, size));
    struct psx_play play = {.gpu = gpu};
    struct psx_registers *registers = &gpu->state.registers;

    assert_true(offset > 0);
    gpu->never_skip = rule == PSX_FIELD_BOTH;
    gpu->state.restoring = has_begin(dump, size, offset);
    if (!gpu->state.restoring)
        registers->field = psx_field_first(rule, &registers->display, 0);
    for (; psx_packet_read(dump, size, offset, &play.packet);
         offset = psx_packet_end(&play.packet)) {
        const struct psx_packet *packet = &play.packet;

        execute(gpu, packet);
        if (packet->type == PSX_PACKET_BEGIN && gpu->state.restoring) {
            gpu->state.restoring = false;
            registers->field =
                psx_field_first(rule, &registers->display, interval_after(dump, size, packet));
        }
        if (packet->type == PSX_PACKET_VSYNC && !gpu->state.restoring)
            play.vsyncs++;
        if (after != NULL)
            after(context, &play);
        if (packet->type == PSX_PACKET_VSYNC && !gpu->state.restoring)
            registers->field = psx_field_next(rule, &registers->display, registers->field,
                                              interval_after(dump, size, packet));
        play.number++;
    }
}

struct psx_gpu *psx_play_gpu(void)
{
    struct psx_gpu *gpu;

    assert_int_equal(psx_gpu_create(PSX_GPU_SECOND, &gpu), 0);
    PSX_PLAY(gpu, 0xE3000000, 0xE4000000 | 511 << 10 | 1023);
    return gpu;
}

void psx_play_gp0(struct psx_gpu *gpu, const uint32_t *words, size_t count)
{
    uint8_t *bytes = malloc(4 * count);

    assert_non_null(bytes);
    bytes_put_words(bytes, words, count);
    assert_int_equal(psx_gpu_gp0(gpu, bytes, count, NULL), 0);
    free(bytes);
}

uint16_t psx_play_pixel(const struct psx_gpu *gpu, int x, int y)
{
    return gpu->vram[y * PSX_VRAM_WIDTH + x];
}

uint32_t psx_play_crc32(const struct psx_gpu *gpu)
{
    enum { PIXELS = PSX_VRAM_WIDTH * PSX_VRAM_HEIGHT };
    uint8_t *bytes = malloc(2 * PIXELS);

    assert_non_null(bytes);
    for (size_t i = 0; i < PIXELS; i++) {
        bytes[2 * i] = (uint8_t)gpu->vram[i];
        bytes[2 * i + 1] = (uint8_t)(gpu->vram[i] >> 8);
    }

    uint32_t crc = support_crc32(bytes, 2 * PIXELS);

    free(bytes);
    return crc;
}
