/* SPDX-License-Identifier: MIT */
/*
 * Writes PSX GPU dumps, that is, only the simple container (docs/psx-dump.md 2). A dump is a magic
 * and packets; a packet is a type, a length and words, all little-endian. The dump grows in memory
 * and is saved at the end. The example and the tests write their dumps with this. Not shared among
 * threads.
 */
#ifndef GPUDUMPFS_EXAMPLES_DUMP_WRITER_H
#define GPUDUMPFS_EXAMPLES_DUMP_WRITER_H

#include <stddef.h>
#include <stdint.h>

enum dump_type {
    DUMP_GP0 = 0x00,      /* words written to port 0: drawing and transfers */
    DUMP_GP1 = 0x01,      /* words written to port 1: display control */
    DUMP_VSYNC = 0x02,    /* the end of a frame; empty, or 64 bits of CPU cycles */
    DUMP_DISCARD = 0x03,  /* number of words read from port 0 and discarded */
    DUMP_READBACK = 0x04, /* number of words read from port 0 and kept */
    DUMP_BEGIN = 0x05,    /* the trace begins; what came before restores its state */
    DUMP_VERSION = 0x06,  /* 1: v1, 2: v2 with 1 MiB, 3: v2 with 2 MiB (16-byte magic) */
    DUMP_GAME = 0x10,     /* strings, padded with zeros to whole words */
    DUMP_VIDEO = 0x11,
    DUMP_COMMENT = 0x12,
};

enum dump_magic {
    DUMP_MAGIC_16, /* "PSXGPUDUMPv1r1": packets begin at offset 16 */
    DUMP_MAGIC_14, /* "PSXGPUDUMPv1", as by DuckStation: at offset 14 */
};

struct dump_writer {
    uint8_t *bytes;
    size_t size, room;
    int status; /* 0, or the first negative errno, after which nothing is written */
};

void dump_writer_init(struct dump_writer *dump, enum dump_magic magic);
void dump_writer_clear(struct dump_writer *dump);

/* Writes any packet, of at most 2^24 - 1 words. */
void dump_writer_packet(struct dump_writer *dump, uint8_t type, const uint32_t *words,
                        size_t count);

void dump_writer_string(struct dump_writer *dump, uint8_t type, const char *string);
void dump_writer_word(struct dump_writer *dump, uint8_t type, uint32_t word);

/* Writes a GP1 packet of one word: the command and its 24 bits. */
void dump_writer_gp1(struct dump_writer *dump, uint8_t command, uint32_t operand);

/* Writes a VSync with a full time stamp, in cycles of 33.8688 MHz. */
void dump_writer_vsync(struct dump_writer *dump, uint64_t cycles);

/* Returns 0, or a negative errno: the first failure so far, or that of writing the file. */
int dump_writer_save(const struct dump_writer *dump, const char *path);

#endif
