/* SPDX-License-Identifier: MIT */
/*
 * Writes a PSX GPU dump: the container alone, as short as the format is
 * (docs/psx-dump.md 2). A dump is a magic and packets; a packet is a type, a
 * length and words; all is little-endian. The dump grows in memory and is saved
 * at the end. The example and the tests write their dumps with it. Not shared
 * among threads.
 */
#ifndef GPUDUMPFS_EXAMPLES_DUMP_WRITER_H
#define GPUDUMPFS_EXAMPLES_DUMP_WRITER_H

#include <stddef.h>
#include <stdint.h>

enum dump_type {
    DUMP_GP0 = 0x00,      /* words written to port 0: drawing and transfers */
    DUMP_GP1 = 0x01,      /* words written to port 1: display control */
    DUMP_VSYNC = 0x02,    /* the end of a frame; none, or 64 bits of CPU cycles */
    DUMP_DISCARD = 0x03,  /* words read from port 0 and thrown away: their number */
    DUMP_READBACK = 0x04, /* words read from port 0 and kept: their number */
    DUMP_BEGIN = 0x05,    /* the trace begins; what came before restored its state */
    DUMP_VERSION = 0x06,  /* 1: v1, 2: v2 with 1 MiB, 3: v2 with 2 MiB (16-byte magic) */
    DUMP_GAME = 0x10,     /* strings, filled up with zeros to whole words */
    DUMP_VIDEO = 0x11,
    DUMP_COMMENT = 0x12,
};

enum dump_magic {
    DUMP_MAGIC_16, /* "PSXGPUDUMPv1r1": packets begin at 16 */
    DUMP_MAGIC_14, /* "PSXGPUDUMPv1", as DuckStation writes: at 14 */
};

struct dump_writer {
    uint8_t *bytes;
    size_t size, room;
    int status; /* 0, or the first negative errno: then nothing more is written */
};

void dump_writer_init(struct dump_writer *dump, enum dump_magic magic);
void dump_writer_clear(struct dump_writer *dump);

/* Any packet; at most 2^24 - 1 words. */
void dump_writer_packet(struct dump_writer *dump, uint8_t type, const uint32_t *words,
                        size_t count);

void dump_writer_string(struct dump_writer *dump, uint8_t type, const char *string);
void dump_writer_word(struct dump_writer *dump, uint8_t type, uint32_t word);

/* A GP1 packet of one word: the command and its 24 bits. */
void dump_writer_gp1(struct dump_writer *dump, uint8_t command, uint32_t operand);

/* A VSync with a full time stamp, in cycles of 33.8688 MHz. */
void dump_writer_vsync(struct dump_writer *dump, uint64_t cycles);

/* 0, or a negative errno: the first that was met, or that of the file. */
int dump_writer_save(const struct dump_writer *dump, const char *path);

#endif
