/* SPDX-License-Identifier: MIT */
/*
 * libpsxgpudump: writes PSX GPU dumps (.psxgpu), and reads their packets, piece by piece: to and
 * from a file, a pipe, a socket or memory. The library is for emulators that record and for
 * filters. It needs only the C library, keeps all state in its structs, and can be linked or copied
 * into a project (this file and psxgpudump.c; C11 or C++).
 *
 * A dump contains all words that a program writes to the two ports of the PlayStation's GPU, with a
 * mark at each VSync (psxgpudump(3), docs/psx-dump.md). A recorder calls, in this order,
 *
 *     psxgpudump_writer_init(), or _init_v1()        to begin the dump
 *     psxgpudump_writer_gpu(), _text()               to describe the GPU and the game; optional
 *     psxgpudump_writer_state(), or _begin()         to begin the trace, with a state or at a reset
 *     psxgpudump_writer_gp0(), _gp1(), _vsync(), …   for each event
 *     psxgpudump_writer_flush()                      at the end, and when all must be readable
 *
 * Errors are negative errno values, or whatever negative number the sink or origin returned. A
 * writer or reader keeps its first error and does nothing after it, so it is enough to check for
 * errors at the end. One thread may use a writer or reader at a time.
 */
#ifndef PSXGPUDUMP_H
#define PSXGPUDUMP_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PSXGPUDUMP_VERSION 2 /* of this interface */

/* Types of packets. A reader also returns packets of other types, and a writer can write them. */
enum psxgpudump_type {
    PSXGPUDUMP_GP0 = 0x00,      /* words written to port 0: drawing and transfers */
    PSXGPUDUMP_GP1 = 0x01,      /* words written to port 1: display control */
    PSXGPUDUMP_VSYNC = 0x02,    /* end of a frame; empty, or CPU cycles in two words, low first */
    PSXGPUDUMP_DISCARD = 0x03,  /* one word: number of words read from port 0 and discarded */
    PSXGPUDUMP_READBACK = 0x04, /* one word: number of words read from port 0 and kept */
    PSXGPUDUMP_BEGIN = 0x05, /* the trace begins; the packets before it restored the GPU's state */
    PSXGPUDUMP_GPU = 0x06,   /* one word: enum psxgpudump_gpu */
    PSXGPUDUMP_GAME = 0x10,  /* a string, as are the next two; padded with zeros to whole words */
    PSXGPUDUMP_VIDEO = 0x11,
    PSXGPUDUMP_COMMENT = 0x12
};

/* Versions of the GPU. */
enum psxgpudump_gpu {
    PSXGPUDUMP_GPU_V1 = 1,    /* first consoles and arcade boards */
    PSXGPUDUMP_GPU_V2 = 2,    /* 1 MiB of video memory; nearly all consoles */
    PSXGPUDUMP_GPU_V2_2MB = 3 /* 2 MiB of video memory; arcade boards */
};

enum {
    PSXGPUDUMP_WORDS_MAX = (1 << 24) - 1, /* in a packet */
    PSXGPUDUMP_VRAM_WIDTH = 1024,         /* halfwords per line */
    PSXGPUDUMP_VRAM_HEIGHT = 512
};

/*
 * Takes all `size` bytes, which are often only a few. Returns 0, or a negative errno. If `size` is
 * 0 and `bytes` is NULL, the sink hands on all bytes that it has buffered.
 */
typedef int psxgpudump_sink(void *context, const void *bytes, size_t size);

/*
 * Stores from 1 to `size` bytes, as many as are available, and may wait for the first one. Returns
 * the number of bytes, 0 at the end, or a negative errno.
 */
typedef int psxgpudump_origin(void *context, void *bytes, size_t size);

/*
 * The sink and the origin for a FILE *, which is passed as `context` and may belong to a pipe or a
 * socket (fdopen()). A signal whose handler was installed without SA_RESTART may interrupt a write,
 * which is an error. If the reader of a pipe has gone, SIGPIPE ends the program, unless the program
 * ignores this signal; the error is -EPIPE then.
 */
int psxgpudump_file_sink(void *file, const void *bytes, size_t size);
int psxgpudump_file_origin(void *file, void *bytes, size_t size);

/* The members are private. */
struct psxgpudump_writer {
    psxgpudump_sink *sink;
    void *context;
    uint32_t words[256]; /* words for port 0 that are not written yet */
    size_t count;
    int numbering; /* what is subtracted from an enum psxgpudump_gpu, to get the number that the
                      dump has */
    int status;
};

/* Initializes a writer and writes the 16 bytes with which a dump begins ("PSXGPUDUMPv1r1"). */
void psxgpudump_writer_init(struct psxgpudump_writer *writer, psxgpudump_sink *sink, void *context);

/*
 * The same for the form that DuckStation writes, and the only one that DuckStation reads: a dump
 * begins with 14 bytes ("PSXGPUDUMPv1") and numbers the GPUs differently; the functions below
 * convert these numbers. Readers that know only v1r1 refuse this form; psxgpudump_reader_init() and
 * gpudumpfs read both. Available since PSXGPUDUMP_VERSION 2.
 */
void psxgpudump_writer_init_v1(struct psxgpudump_writer *writer, psxgpudump_sink *sink,
                               void *context);

/*
 * Adds words for port 0, any number in a call. The writer collects words of several calls into
 * packets. A command may continue from one call, or one packet, to the next.
 */
void psxgpudump_writer_gp0(struct psxgpudump_writer *writer, const uint32_t *words, size_t count);

/* Adds a word for port 1, which has the command in bits 24 to 31. */
void psxgpudump_writer_gp1(struct psxgpudump_writer *writer, uint32_t word);

/*
 * Ends a frame and flushes. `cycles` is the time in cycles of 33.8688 MHz since any fixed moment.
 */
void psxgpudump_writer_vsync(struct psxgpudump_writer *writer, uint64_t cycles);

/*
 * Records that the program has read `words` words of a GP0(C0) from port 0, and discarded or kept
 * them. Do not count words that GP1(10) returns, or more words than the transfer has. Each call
 * writes a packet, so count single reads together, up to the next word for either port.
 */
void psxgpudump_writer_discard(struct psxgpudump_writer *writer, uint32_t words);
void psxgpudump_writer_readback(struct psxgpudump_writer *writer, uint32_t words);

/* Begins the trace. If psxgpudump_writer_state() was not called, the GPU has just been reset. */
void psxgpudump_writer_begin(struct psxgpudump_writer *writer);

/* Describes the version of the GPU. Optional; to be called before the trace begins. */
void psxgpudump_writer_gpu(struct psxgpudump_writer *writer, enum psxgpudump_gpu gpu);

/*
 * Adds a string. `type` is PSXGPUDUMP_GAME, PSXGPUDUMP_VIDEO ("NTSC" or "PAL") or
 * PSXGPUDUMP_COMMENT.
 */
void psxgpudump_writer_text(struct psxgpudump_writer *writer, enum psxgpudump_type type,
                            const char *text);

/*
 * Adds any packet, and flushes after a VSync. The first word of a PSXGPUDUMP_GPU packet is an enum
 * psxgpudump_gpu. The writer's error becomes -EINVAL if `type` does not fit a byte, or -EFBIG if
 * `count` exceeds PSXGPUDUMP_WORDS_MAX.
 */
void psxgpudump_writer_packet(struct psxgpudump_writer *writer, unsigned type,
                              const uint32_t *words, size_t count);

/* The state of a GPU when a recording begins in the middle of a program. */
struct psxgpudump_state {
    /*
     * The complete last word of each command of port 1 that sets something, by command: 03 display,
     * 04 DMA, 05 start, 06 and 07 ranges, 08 mode, 09 size of video memory. Other elements are
     * ignored. 0 means not set since the last GP1(00), which resets all of them and `e`.
     */
    uint32_t gp1[10];
    /*
     * The complete words GP0(E1) to GP0(E6) that are in force, in elements 1 to 6; 0 means as after
     * a reset. A textured polygon also replaces bits 0 to 8 and 11 of E1, by bits 16 to 24 and 27
     * of the texture coordinates of its second vertex.
     */
    uint32_t e[7];
    /* PSXGPUDUMP_VRAM_HEIGHT lines of PSXGPUDUMP_VRAM_WIDTH halfwords; NULL if all are zero */
    const uint16_t *vram;
};

/*
 * Writes packets that restore this state, and begins the trace. Call this between two commands,
 * when no transfer is under way; otherwise wait for the next VSync at which that is the case.
 */
void psxgpudump_writer_state(struct psxgpudump_writer *writer,
                             const struct psxgpudump_state *state);

/*
 * Writes all buffered words and has the sink hand on what it has buffered. Returns 0, or the
 * writer's first error.
 */
int psxgpudump_writer_flush(struct psxgpudump_writer *writer);

/* The members are private, except `status`, which may be read. */
struct psxgpudump_reader {
    psxgpudump_origin *origin;
    void *context;
    uint32_t left; /* words of the current packet that have not been read */
    int numbering; /* what is added to the number of a GPU as the dump has it, to get an enum
                      psxgpudump_gpu */
    int numbered;  /* whether the next word is the number of a GPU */
    int status;
};

struct psxgpudump_packet {
    unsigned type;  /* enum psxgpudump_type, or any other byte */
    uint32_t words; /* number of words of the payload */
};

/*
 * Initializes a reader and reads the beginning of a dump of either form: v1r1, or v1, which
 * DuckStation writes. Sets `status` to -EINVAL if the bytes are not a dump or have a later version;
 * psxgpudump_reader_next() returns this error, too. Expand a compressed dump (.zst) before.
 */
void psxgpudump_reader_init(struct psxgpudump_reader *reader, psxgpudump_origin *origin,
                            void *context);

/*
 * Reads the head of the next packet, skipping words of the previous packet that have not been read.
 * Returns 1, 0 at the end, or a negative error: -EPIPE if the dump ends within a packet.
 */
int psxgpudump_reader_next(struct psxgpudump_reader *reader, struct psxgpudump_packet *packet);

/*
 * Reads up to `count` of the current packet's next words, possibly fewer than are left. Returns the
 * number of words, 0 after the last one, or a negative error: -EPIPE if the dump ends within the
 * packet. The first word of a PSXGPUDUMP_GPU packet is an enum psxgpudump_gpu in either form of
 * dumps.
 */
int psxgpudump_reader_words(struct psxgpudump_reader *reader, uint32_t *words, size_t count);

#ifdef __cplusplus
}
#endif

#endif
