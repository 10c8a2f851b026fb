/* SPDX-License-Identifier: MIT */
/*
 * The container of a PSX GPU dump: its magic and packet headers (psx-dump.md 2.2, 2.3). What the
 * words mean is left to other files. Pure functions over bytes; the writers append to a text.
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
    PSX_MAGIC_UNKNOWN, /* a dump of another version, which must be refused */
};

/* Returns which magic the bytes begin with. */
enum psx_magic psx_magic_read(const uint8_t *data, uint64_t size);

/*
 * Returns whether `data` ends inside the magic of a known version. psx_magic_read() reports
 * PSX_MAGIC_UNKNOWN then.
 */
bool psx_magic_is_cut(const uint8_t *data, uint64_t size);

/* Returns the offset of the first packet; 0 if the magic is not of a known version. */
uint64_t psx_magic_length(enum psx_magic magic);

/* One packet, as it is in the file. */
struct psx_packet {
    uint64_t offset;        /* of its header */
    const uint8_t *payload; /* unaligned: read with bytes_le32() */
    uint32_t words;         /* payload words that the file holds */
    uint32_t announced; /* payload words according to the header; more than `words` if the packet is
                           cut off */
    uint8_t type;
};

/*
 * Reads the packet at `offset` of the dump. Returns false if fewer than 4 bytes are left there. The
 * next packet begins at psx_packet_end().
 */
bool psx_packet_read(const uint8_t *data, uint64_t size, uint64_t offset, struct psx_packet *out);

static inline uint64_t psx_packet_end(const struct psx_packet *packet)
{
    return packet->offset + 4 + 4 * (uint64_t)packet->words;
}

enum { PSX_PACKET_WORDS_MAX = (1 << 24) - 1 };

/* Appends the magic of a dump; `magic` is PSX_MAGIC_14 or PSX_MAGIC_16. */
void psx_magic_write(struct text *out, enum psx_magic magic);

/* Appends a packet's header; the caller appends the `count` words of the payload after it. */
void psx_packet_header_write(struct text *out, uint8_t type, size_t count);

/* Appends a packet with its payload; `count` is at most PSX_PACKET_WORDS_MAX. */
void psx_packet_write(struct text *out, uint8_t type, const uint32_t *words, size_t count);

/* Returns the name of a packet type, such as "gp0" or "vsync"; NULL if the type is unknown. */
const char *psx_packet_name(uint8_t type);

#endif
