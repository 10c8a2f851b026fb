/* SPDX-License-Identifier: MIT */
/*
 * What names and sizes need. It is made when the capture is opened, by a walk over the headers of
 * the blocks: where blocks and frames are, which blocks hold shaders and memory, and how often each
 * function is called. Nothing is expanded. It is read-only afterwards; any thread may use it.
 * (gfxreconstruct.md 5)
 */
#ifndef GPUDUMPFS_GFXRECONSTRUCT_INDEX_H
#define GPUDUMPFS_GFXRECONSTRUCT_INDEX_H

#include "base/cancel.h"
#include "base/problems.h"
#include "formats/gfxreconstruct/container.h"

struct gfxreconstruct_frame {
    uint32_t first, last; /* packets, inclusive */
    bool ended;
    uint64_t number; /* its number in the capture; 0 if it has not ended */
    const char *end; /* what ended it: frame-end, the name of a call, or `-` */
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
    const uint8_t *data; /* borrowed from the dump */
    uint64_t size;
    struct gfxreconstruct_header header;
    uint64_t *offsets; /* of blocks */
    uint32_t packet_count, packet_room;
    struct gfxreconstruct_frame *frames;
    uint32_t frame_count, frame_room;
    bool markers;                       /* frames end at markers rather than at calls */
    struct gfxreconstruct_list shaders; /* vkCreateShaderModule */
    struct gfxreconstruct_list memory;  /* blocks that hold bytes of memory, buffers or images */
    struct gfxreconstruct_list notes;   /* annotations, and what the capture says about itself */
    struct gfxreconstruct_function *functions; /* by index in gfxreconstruct_calls */
    uint64_t calls, unknown_calls;             /* function calls and method calls */
    /* Packets of the first vkCreateInstance and of the first properties of a device. */
    uint32_t instance, properties; /* GFXR_NO_PACKET if there is none */
    uint64_t state_begin; /* packet of the marker that begins the snapshot; UINT64_MAX if none */
    uint64_t first_frame; /* the number of the next frame if no marker gives it */
    uint64_t draws, dispatches, submits; /* of the complete dump */
};

#define GFXR_NO_PACKET UINT32_MAX

/*
 * Makes the index. index->data, size and header must be set. Returns 0, -EINTR or -ENOMEM. Call
 * gfxreconstruct_index_clear() even if this fails.
 */
int gfxreconstruct_index_make(struct gfxreconstruct_index *index, struct problems *problems,
                              const struct cancel *cancel);
void gfxreconstruct_index_clear(struct gfxreconstruct_index *index);

/* Reads a packet's block; `packet` must be less than packet_count. */
void gfxreconstruct_index_block(const struct gfxreconstruct_index *index, uint64_t packet,
                                struct gfxreconstruct_block *out);

/* Returns the frame that holds a packet. */
uint32_t gfxreconstruct_index_frame(const struct gfxreconstruct_index *index, uint64_t packet);

/* Returns the place of the first entry >= packet, or `count` if there is none. */
uint32_t gfxreconstruct_list_find(const struct gfxreconstruct_list *list, uint64_t packet);

#endif
