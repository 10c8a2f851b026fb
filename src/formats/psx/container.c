/* SPDX-License-Identifier: MIT */
#include "formats/psx/container.h"

#include "base/bytes.h"

#include <stddef.h>
#include <string.h>

static const char magic_16[16] = "PSXGPUDUMPv1r1\0";
static const char magic_14[14] = "PSXGPUDUMPv1\0";

enum { MAGIC_COMMON = 10 }; /* "PSXGPUDUMP" */

enum psx_magic psx_magic_read(const uint8_t *data, uint64_t size)
{
    if (size < MAGIC_COMMON || memcmp(data, magic_16, MAGIC_COMMON) != 0)
        return PSX_MAGIC_NONE;
    if (size >= sizeof(magic_16) && memcmp(data, magic_16, sizeof(magic_16)) == 0)
        return PSX_MAGIC_16;
    if (size >= sizeof(magic_14) && memcmp(data, magic_14, sizeof(magic_14)) == 0)
        return PSX_MAGIC_14;
    return PSX_MAGIC_UNKNOWN;
}

bool psx_magic_is_cut(const uint8_t *data, uint64_t size)
{
    return size >= MAGIC_COMMON &&
           ((size < sizeof(magic_16) && memcmp(data, magic_16, (size_t)size) == 0) ||
            (size < sizeof(magic_14) && memcmp(data, magic_14, (size_t)size) == 0));
}

uint64_t psx_magic_length(enum psx_magic magic)
{
    switch (magic) {
    case PSX_MAGIC_14:
        return sizeof(magic_14);
    case PSX_MAGIC_16:
        return sizeof(magic_16);
    default:
        return 0;
    }
}

bool psx_packet_read(const uint8_t *data, uint64_t size, uint64_t offset, struct psx_packet *out)
{
    if (!bytes_inside(offset, 4, size))
        return false;

    uint32_t header = bytes_le32(data + offset);
    uint64_t words_left = (size - offset - 4) / 4;

    out->offset = offset;
    out->payload = data + offset + 4;
    out->type = (uint8_t)(header >> 24);
    out->announced = header & 0xFFFFFF;
    out->words = out->announced < words_left ? out->announced : (uint32_t)words_left;
    return true;
}

void psx_magic_write(struct text *out, enum psx_magic magic)
{
    text_add_bytes(out, magic == PSX_MAGIC_14 ? magic_14 : magic_16, psx_magic_length(magic));
}

void psx_packet_header_write(struct text *out, uint8_t type, size_t count)
{
    text_add_le32(out, (uint32_t)type << 24 | (uint32_t)count);
}

void psx_packet_write(struct text *out, uint8_t type, const uint32_t *words, size_t count)
{
    psx_packet_header_write(out, type, count);
    for (size_t i = 0; i < count; i++)
        text_add_le32(out, words[i]);
}

static const char *const packet_names[] = {
    [PSX_PACKET_GP0] = "gp0",           [PSX_PACKET_GP1] = "gp1",
    [PSX_PACKET_VSYNC] = "vsync",       [PSX_PACKET_DISCARD] = "discard",
    [PSX_PACKET_READBACK] = "readback", [PSX_PACKET_BEGIN] = "begin",
    [PSX_PACKET_VERSION] = "version",   [PSX_PACKET_GAME] = "game",
    [PSX_PACKET_VIDEO] = "video",       [PSX_PACKET_COMMENT] = "comment",
};

const char *psx_packet_name(uint8_t type)
{
    return type < sizeof(packet_names) / sizeof(packet_names[0]) ? packet_names[type] : NULL;
}
