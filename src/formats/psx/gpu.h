/*
 * The replay core: the PlayStation's GPU as a function from words to VRAM,
 * bit-exact by psx-gpu.md. It runs from memory, knows no file and no FUSE,
 * allocates nothing after psx_gpu_create(), and accepts every stream of words.
 * One thread at a time per GPU.
 */
#ifndef GPUDUMPFS_PSX_GPU_H
#define GPUDUMPFS_PSX_GPU_H

#include "core/cancel.h"
#include "formats/psx/gp0.h"
#include "formats/psx/registers.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The palette latch's key (psx-gpu.md 6): follows from the stream alone. */
struct psx_clut_key {
    uint16_t id;
    uint16_t entries; /* 16 or 256; 0: nothing is latched */
};

/* An upload or a read under way, in VRAM coordinates. */
struct psx_transfer {
    uint16_t x, y, width, height;
    uint32_t done, total; /* halfwords written, or words read; total 0: none */
};

/* Everything but memory contents: what a frame's start looks like to the parser. */
struct psx_state {
    struct psx_registers registers;
    struct gp0_parser parser;
    struct psx_clut_key clut;
    struct psx_transfer upload;
    struct psx_transfer read; /* the last C0 that has words left */
    uint32_t last_vertex[2];  /* open polyline: colour, vertex */
    bool restoring;           /* before Trace begin: psx-dump.md 3.2 */
};

struct psx_gpu {
    struct psx_state state;
    uint16_t *vram;          /* 1024 * lines halfwords */
    uint32_t lines;          /* 512, or 1024 with 2 MiB */
    uint16_t clut[256];      /* the latched palette */
    uint64_t pixels_written; /* by drawing commands, since creation */
    bool never_skip;         /* field=both */
};

int psx_gpu_create(uint32_t lines, struct psx_gpu **out); /* power-on, VRAM zero */
void psx_gpu_destroy(struct psx_gpu **gpu);
int psx_gpu_copy(struct psx_gpu *to, const struct psx_gpu *from);

/* Words to port 0, little-endian and unaligned. -EINTR when cancelled, else 0. */
int psx_gpu_gp0(struct psx_gpu *gpu, const uint8_t *words, size_t count,
                const struct cancel *cancel);

/* One word to port 1. */
void psx_gpu_gp1(struct psx_gpu *gpu, uint32_t word);

/* Packets 03 and 04: takes words from the open read; returns how many there were. */
uint32_t psx_gpu_read(struct psx_gpu *gpu, uint32_t words, uint8_t *out);

/* GPUSTAT as the CPU would read it. */
uint32_t psx_gpu_status(const struct psx_gpu *gpu);

#endif
