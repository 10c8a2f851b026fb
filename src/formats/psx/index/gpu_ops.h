/* SPDX-License-Identifier: MIT */
/*
 * GPU operations, ops for short: the steps of the command stream (walk.h) that draw, move pixels or
 * fill a latch (tiles.h), each with all that carrying it out needs besides VRAM and the latches.
 * Ops can be looked at in any order, and any of them can be left out. Plain data, one thread per
 * struct; the index is only read.
 */
#ifndef GPUDUMPFS_PSX_INDEX_GPU_OPS_H
#define GPUDUMPFS_PSX_INDEX_GPU_OPS_H

#include "base/cancel.h"
#include "formats/psx/gpu/gpu.h"
#include "formats/psx/index/effects.h"
#include "formats/psx/index/walk.h"

/* Registers that many ops share: all except E1, of which each op has its own value. */
struct psx_setting {
    struct psx_registers registers;
    bool restoring;
    struct psx_tile_box area; /* the drawing area's tiles */
};

/* The data of an upload, as far as no other op interrupts it. */
struct psx_gpu_op_data {
    uint64_t offset;            /* of the packet in which the data begins */
    uint32_t word;              /* index of the first word in that packet */
    uint32_t from, to;          /* halfwords of the upload, `to` excluded */
    struct psx_transfer upload; /* its destination */
};

enum psx_gpu_op_part {
    PSX_GPU_OP_ALL,
    PSX_GPU_OP_LATCH, /* only the palette that it latches */
};

struct psx_gpu_op {
    union {
        uint32_t words[GP0_WORDS_MAX]; /* words of a command; for a segment, those of its line */
        struct psx_gpu_op_data data;   /* if `type` is GP0_EVENT_DATA */
    };
    uint32_t e1;              /* before the op */
    uint32_t texel_run;       /* before the op */
    struct psx_clut_key clut; /* before the op */
    uint32_t setting;         /* index of its setting */
    uint8_t type;             /* enum psx_gp0_event_type: a command, or data */
    uint8_t opcode;
    uint8_t part; /* enum psx_gpu_op_part */
    bool latches; /* it latches a palette */
    bool textured;
    bool drops_texels; /* it drops the texel cache before it draws */
};

/* The ops from a checkpoint of the index up to a later point, in order. */
struct psx_stretch {
    struct psx_gpu_op *ops;
    struct psx_setting *settings;
    uint32_t count, room, setting_count, setting_room;
    struct psx_parser_state end; /* state where they end */
};

/*
 * Reads the ops from `from` up to word `word` of packet `packet`. They replace those in the struct,
 * which must be zero-initialised before the first call. Returns 0, -ENOMEM or -EINTR.
 */
int psx_stretch_read(struct psx_stretch *stretch, const struct psx_index *index,
                     const struct psx_parser_state *from, uint64_t packet, uint32_t word,
                     const struct cancel *cancel);
void psx_stretch_clear(struct psx_stretch *stretch);

/* Computes the effects of an op (effects.h). */
void psx_gpu_op_effects(const struct psx_gpu_op *op, const struct psx_setting *setting,
                        struct psx_effects *out);

/* Returns the run of the texel cache that the op draws in (psx_state.texel_run). */
static inline uint32_t psx_gpu_op_texel_run(const struct psx_gpu_op *op)
{
    return op->texel_run + op->drops_texels;
}

/* Returns psx_state_page() of an op that is a textured primitive. */
uint32_t psx_gpu_op_page(const struct psx_gpu_op *op, const struct psx_setting *setting);

/*
 * Carries the op out. What it leaves in the GPU's state has no meaning between ops. Returns 0 or
 * -EINTR.
 */
int psx_gpu_op_run(const struct psx_gpu_op *op, const struct psx_setting *setting,
                   const struct psx_index *index, struct psx_gpu *gpu, const struct cancel *cancel);

#endif
