/* SPDX-License-Identifier: MIT */
/*
 * libpsxgpudump: writes PSX GPU dumps (.psxgpu), and reads their packets, piece by piece: to and
 * from a file, a pipe, a socket or memory. For emulators that record, and for filters. It needs
 * nothing but the C library, keeps nothing outside of its structs, and can be linked or copied
 * into a project: this file and psxgpudump.c, C11 or C++.
 *
 * A dump is all words that a program writes to the two ports of the PlayStation's GPU, with a
 * mark at each VSync (psxgpudump(3), docs/psx-dump.md). A recorder calls, in this order,
 *
 *     psxgpudump_writer_init(), or _init_v1()        where it begins
 *     psxgpudump_writer_gpu(), _text()               if it has something to say
 *     psxgpudump_writer_state(), or _begin()         what the GPU holds then, or nothing
 *     psxgpudump_writer_gp0(), _gp1(), _vsync(), …   what happens
 *     psxgpudump_writer_flush()                      at the end, and whenever all is to be seen
 *
 * Errors are negative numbers, those of errno where there is one. A writer and a reader keep the
 * first and do nothing from then on, so that it is enough to look at the end. One thread each.
 */
#ifndef PSXGPUDUMP_H
#define PSXGPUDUMP_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PSXGPUDUMP_VERSION 2 /* of this interface */

/* Types of packets. Others are kept by a reader, and may be written. */
enum psxgpudump_type {
    PSXGPUDUMP_GP0 = 0x00,     /* words written to port 0: drawing and transfers */
    PSXGPUDUMP_GP1 = 0x01,     /* words written to port 1: display control */
    PSXGPUDUMP_VSYNC = 0x02,   /* the end of a frame; none, or CPU cycles in two words, low first */
    PSXGPUDUMP_DISCARD = 0x03, /* a word: how many were read from port 0 and thrown away */
    PSXGPUDUMP_READBACK = 0x04, /* a word: how many were read from port 0 and kept */
    PSXGPUDUMP_BEGIN = 0x05,    /* the trace begins; what came before restored its state */
    PSXGPUDUMP_GPU = 0x06,      /* a word: enum psxgpudump_gpu */
    PSXGPUDUMP_GAME = 0x10,     /* strings, filled up with zeros to whole words */
    PSXGPUDUMP_VIDEO = 0x11,
    PSXGPUDUMP_COMMENT = 0x12
};

/* Which GPU. */
enum psxgpudump_gpu {
    PSXGPUDUMP_GPU_V1 = 1,    /* of the first consoles and arcade boards */
    PSXGPUDUMP_GPU_V2 = 2,    /* with 1 MiB of video memory, as nearly all consoles */
    PSXGPUDUMP_GPU_V2_2MB = 3 /* with 2 MiB: arcade boards */
};

enum {
    PSXGPUDUMP_WORDS_MAX = (1 << 24) - 1, /* of a packet */
    PSXGPUDUMP_VRAM_WIDTH = 1024,         /* halfwords of a line */
    PSXGPUDUMP_VRAM_HEIGHT = 512
};

/*
 * Takes all bytes, often only a few at a time: 0, or a negative errno. With a `size` of 0, and
 * NULL, it hands on what it has kept back.
 */
typedef int psxgpudump_sink(void *context, const void *bytes, size_t size);

/*
 * Gives 1 to `size` bytes, as many as there are now: how many; 0 at the end; or a negative errno.
 * May wait.
 */
typedef int psxgpudump_origin(void *context, void *bytes, size_t size);

/*
 * For a FILE *, which may be a pipe's or a socket's (fdopen()): `context` is that. A signal whose
 * handler was installed without SA_RESTART may end a write, which is an error. SIGPIPE, where a
 * pipe's reader has gone, ends the program unless that ignores it; then the error is -EPIPE.
 */
int psxgpudump_file_sink(void *file, const void *bytes, size_t size);
int psxgpudump_file_origin(void *file, void *bytes, size_t size);

/* Its members are its own. */
struct psxgpudump_writer {
    psxgpudump_sink *sink;
    void *context;
    uint32_t words[256]; /* for port 0, not written yet */
    size_t count;
    int numbering; /* what is taken from a number of PSXGPUDUMP_GPU */
    int status;
};

/* Writes the 16 bytes that a dump begins with ("PSXGPUDUMPv1r1"). */
void psxgpudump_writer_init(struct psxgpudump_writer *writer, psxgpudump_sink *sink, void *context);

/*
 * The same of the form that DuckStation writes, and reads alone: 14 bytes ("PSXGPUDUMPv1"), and
 * other numbers of GPUs, which the functions below see to. Readers that know v1r1 alone refuse it;
 * psxgpudump_reader_init() and gpudumpfs take both. Since PSXGPUDUMP_VERSION 2.
 */
void psxgpudump_writer_init_v1(struct psxgpudump_writer *writer, psxgpudump_sink *sink,
                               void *context);

/*
 * Words for port 0, as many at a time as one likes: they are put into packets together, and a
 * command may run on from one call, or packet, to the next.
 */
void psxgpudump_writer_gp0(struct psxgpudump_writer *writer, const uint32_t *words, size_t count);

/* A word for port 1: a command in bits 24 to 31. */
void psxgpudump_writer_gp1(struct psxgpudump_writer *writer, uint32_t word);

/* The end of a frame, at so many cycles of 33.8688 MHz since some moment; flushes. */
void psxgpudump_writer_vsync(struct psxgpudump_writer *writer, uint64_t cycles);

/*
 * The program has read so many words of a GP0(C0) from port 0, and thrown them away, or kept them:
 * not what GP1(10) answers, nor more than the transfer has. Each call is a packet, so single reads
 * are better counted together, up to the next word for either port.
 */
void psxgpudump_writer_discard(struct psxgpudump_writer *writer, uint32_t words);
void psxgpudump_writer_readback(struct psxgpudump_writer *writer, uint32_t words);

/* The trace begins here. Without psxgpudump_writer_state() before it, from a GPU that was reset. */
void psxgpudump_writer_begin(struct psxgpudump_writer *writer);

void psxgpudump_writer_gpu(struct psxgpudump_writer *writer, enum psxgpudump_gpu gpu);

/* A string: `type` is PSXGPUDUMP_GAME, PSXGPUDUMP_VIDEO ("NTSC" or "PAL") or PSXGPUDUMP_COMMENT. */
void psxgpudump_writer_text(struct psxgpudump_writer *writer, enum psxgpudump_type type,
                            const char *text);

/*
 * Any packet; a VSync flushes. The word of PSXGPUDUMP_GPU is enum psxgpudump_gpu. -EINVAL for a
 * type of more than a byte, -EFBIG for more than PSXGPUDUMP_WORDS_MAX words.
 */
void psxgpudump_writer_packet(struct psxgpudump_writer *writer, unsigned type,
                              const uint32_t *words, size_t count);

/* What a GPU holds where a recording begins in the midst of a program. */
struct psxgpudump_state {
    /*
     * The last words of port 1 that set something, whole: 03 display, 04 DMA, 05 start, 06 and 07
     * ranges, 08 mode, 09 size of video memory; others of them are ignored. 0: was not set since
     * the last GP1(00), which resets all of them and `e`.
     */
    uint32_t gp1[10];
    /*
     * GP0(E1) to GP0(E6) as they are in force, whole, at 1 to 6; 0: as after a reset. A textured
     * polygon puts bits 0 to 8 and 11 of E1 in force anew, by bits 16 to 24 and 27 of its second
     * vertex' texture coordinates.
     */
    uint32_t e[7];
    /* PSXGPUDUMP_VRAM_HEIGHT lines of PSXGPUDUMP_VRAM_WIDTH halfwords; NULL: all are zero. */
    const uint16_t *vram;
};

/*
 * Packets that make this state, and the trace begins: between two commands, with no transfer under
 * way; a recorder that is asked for it at another time waits for the next VSync where that holds.
 */
void psxgpudump_writer_state(struct psxgpudump_writer *writer,
                             const struct psxgpudump_state *state);

/* Hands on what is kept. 0, or the first error that was met. */
int psxgpudump_writer_flush(struct psxgpudump_writer *writer);

/* Its members are its own; `status` may be read. */
struct psxgpudump_reader {
    psxgpudump_origin *origin;
    void *context;
    uint32_t left; /* words of the current packet that were not read */
    int numbering; /* what is added to a number of PSXGPUDUMP_GPU, … */
    int numbered;  /* … whose word comes next */
    int status;
};

struct psxgpudump_packet {
    unsigned type;  /* enum psxgpudump_type, or another one */
    uint32_t words; /* of its payload */
};

/*
 * Reads what a dump begins with, of either form: v1r1, or v1, as DuckStation writes. `status` is
 * -EINVAL afterwards, which psxgpudump_reader_next() gives, too, if the bytes are no dump, or of a
 * later version; a compressed one (.zst) is to be expanded before.
 */
void psxgpudump_reader_init(struct psxgpudump_reader *reader, psxgpudump_origin *origin,
                            void *context);

/*
 * The next packet's head; what was not read of the one before is left out. 1; 0 at the end; or a
 * negative error, -EPIPE where the dump ends within a packet.
 */
int psxgpudump_reader_next(struct psxgpudump_reader *reader, struct psxgpudump_packet *packet);

/*
 * Up to `count` of its next words: how many, 0 behind the last one; or a negative error. The word
 * of PSXGPUDUMP_GPU is enum psxgpudump_gpu, whichever way the dump numbers it.
 */
int psxgpudump_reader_words(struct psxgpudump_reader *reader, uint32_t *words, size_t count);

#ifdef __cplusplus
}
#endif

#endif
