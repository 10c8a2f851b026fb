/* SPDX-License-Identifier: MIT */
/*
 * What names and sizes need, made at the opening by a walk over the blocks' headers: where blocks
 * and frames are, which blocks hold shaders and memory, and how often a call is there. Nothing is
 * expanded. Not written to afterwards; any thread. (gfxreconstruct.md 5)
 */
#ifndef GPUDUMPFS_GFXRECONSTRUCT_INDEX_H
#define GPUDUMPFS_GFXRECONSTRUCT_INDEX_H

#include "base/cancel.h"
#include "base/problems.h"
#include "formats/gfxreconstruct/container.h"

struct gfxreconstruct_frame {
    uint32_t first, last; /* packets, inclusive */
    bool ended;
    uint64_t number; /* that it has in the capture; 0: not ended */
    const char *end; /* what has ended it: frame-end, a call's name, `-` */
    uint32_t calls, draws, dispatches, submits, memory_writes;
    uint64_t memory_bytes;
};

/* Numbers of packets, ascending. */
struct gfxreconstruct_list {
    uint32_t *packets;
    uint32_t count, room;
};

struct gfxreconstruct_function {
    uint64_t calls;
    uint32_t first_packet;
};

struct gfxreconstruct_index {
    const uint8_t *data; /* the dump's, borrowed */
    uint64_t size;
    struct gfxreconstruct_header header;
    uint64_t *offsets; /* of blocks */
    uint32_t packet_count, packet_room;
    struct gfxreconstruct_frame *frames;
    uint32_t frame_count, frame_room;
    bool markers;                       /* frames end at markers, and not at calls */
    struct gfxreconstruct_list shaders; /* vkCreateShaderModule */
    struct gfxreconstruct_list memory;  /* blocks that hold bytes of memory, buffers, images */
    struct gfxreconstruct_list notes;   /* annotations, and what the capture tells of itself */
    struct gfxreconstruct_function *functions; /* by index in gfxreconstruct_calls */
    uint64_t calls, unknown_calls;             /* function calls and method calls */
    uint32_t instance, properties;       /* first vkCreateInstance and properties of a device */
    uint64_t state_begin;                /* packet of the snapshot's marker; UINT64_MAX: none */
    uint64_t first_frame;                /* the next frame's number, where no marker tells it */
    uint64_t draws, dispatches, submits; /* of the whole dump */
};

#define GFXR_NO_PACKET UINT32_MAX

/* 0, -EINTR, -ENOMEM; the header is read already. To be cleared in any case. */
int gfxreconstruct_index_make(struct gfxreconstruct_index *index, struct problems *problems,
                              const struct cancel *cancel);
void gfxreconstruct_index_clear(struct gfxreconstruct_index *index);

/* A packet below packet_count. */
void gfxreconstruct_index_block(const struct gfxreconstruct_index *index, uint64_t packet,
                                struct gfxreconstruct_block *out);

/* The frame that holds a packet. */
uint32_t gfxreconstruct_index_frame(const struct gfxreconstruct_index *index, uint64_t packet);

/* The first entry >= packet; count when there is none. */
uint32_t gfxreconstruct_list_find(const struct gfxreconstruct_list *list, uint64_t packet);

#endif
