/* SPDX-License-Identifier: MIT */
/*
 * The container of a PSX GPU dump: magic and packet headers, nothing of what the
 * words mean (psx-dump.md 2.2, 2.3). Pure functions over bytes; what is written goes into a text.
 */
#ifndef GPUDUMPFS_PSX_CONTAINER_H
#define GPUDUMPFS_PSX_CONTAINER_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum psx_packet_type {
    PSX_PACKET_GP0 = 0x00,
    PSX_PACKET_GP1 = 0x01,
    PSX_PACKET_VSYNC = 0x02,
    PSX_PACKET_DISCARD = 0x03,
    PSX_PACKET_READBACK = 0x04,
    PSX_PACKET_BEGIN = 0x05,
    PSX_PACKET_VERSION = 0x06,
    PSX_PACKET_GAME = 0x10,
    PSX_PACKET_VIDEO = 0x11,
    PSX_PACKET_COMMENT = 0x12,
};

enum psx_magic {
    PSX_MAGIC_NONE,    /* not a PSX GPU dump */
    PSX_MAGIC_14,      /* "PSXGPUDUMPv1" 00 00: DuckStation; packets begin at 14 */
    PSX_MAGIC_16,      /* "PSXGPUDUMPv1r1" 00 00: packets begin at 16 */
    PSX_MAGIC_UNKNOWN, /* a dump of another version: to be refused */
};

enum psx_magic psx_magic_read(const uint8_t *data, uint64_t size);

/* Whether that is unknown because the bytes end within the magic of a known version. */
bool psx_magic_is_cut(const uint8_t *data, uint64_t size);

/* Offset of the first packet; 0 for what is no dump. */
uint64_t psx_magic_length(enum psx_magic magic);

/* One packet as it stands in the file. */
struct psx_packet {
    uint64_t offset;        /* of its header */
    const uint8_t *payload; /* unaligned: read with bytes_le32() */
    uint32_t words;         /* of the payload that the file holds */
    uint32_t announced;     /* of the payload as the header says; more than `words` when cut off */
    uint8_t type;
};

/*
 * The packet at `offset` of the dump. False when fewer than 4 bytes are left.
 * The next one begins at psx_packet_end().
 */
bool psx_packet_read(const uint8_t *data, uint64_t size, uint64_t offset, struct psx_packet *out);

static inline uint64_t psx_packet_end(const struct psx_packet *packet)
{
    return packet->offset + 4 + 4 * (uint64_t)packet->words;
}

enum { PSX_PACKET_WORDS_MAX = (1 << 24) - 1 };

/* Appends the magic of a dump: PSX_MAGIC_14 or PSX_MAGIC_16. */
void psx_magic_write(struct text *out, enum psx_magic magic);

/* Appends a packet's header; the `count` words of its payload are to follow. */
void psx_packet_header_write(struct text *out, uint8_t type, size_t count);

/* Appends a packet; `count` is at most PSX_PACKET_WORDS_MAX. */
void psx_packet_write(struct text *out, uint8_t type, const uint32_t *words, size_t count);

/* "gp0", "vsync", …; NULL for a type that is not known. */
const char *psx_packet_name(uint8_t type);

#endif
