/* SPDX-License-Identifier: MIT */
/*
 * The packet pass under way (indexing.h), for the files that carry it out, and how it takes frames
 * over from the index of the dump that was edited. One thread at a time.
 */
#ifndef GPUDUMPFS_PSX_INDEX_PACKET_PASS_H
#define GPUDUMPFS_PSX_INDEX_PACKET_PASS_H

#include "formats/psx/index/indexing.h"
#include "formats/psx/index/origin.h"

#include <stdbool.h>
#include <stdint.h>

struct psx_packet_index {
    struct psx_index *index;
    struct psx_packet_index_limits limits;
    uint64_t size; /* bytes that may be read */
    bool more;     /* than those may come */
    bool limited;
    uint64_t looked, looked_offset; /* for Trace begin, up to this packet */
    bool begin_found;               /* or there is none */
    uint64_t mapped;                /* up to where pages were mapped ahead */
    uint64_t left;                  /* packets to look at before it rests */
    bool rests;                     /* it did */
    bool cut;                       /* the last packet was */
    struct psx_registers registers;
    struct psx_packet packet;
    uint64_t number; /* of that packet */
    uint64_t end;    /* of the last packet */
    uint64_t group_room, frame_room;
    uint64_t frames;                 /* that have ended */
    uint64_t defects, frame_defects; /* that were met; before the frame in progress */
    bool in_frames;                  /* at or after the start of frame 0 */
    bool frame_has_words;
    bool after_stream; /* a packet 00 to 05 came: too late for a version */
    uint64_t last_cycles;
    bool has_cycles;
    uint8_t told_field; /* of the frame in progress, or the next one: psx_frame */
};

/* Room for what is kept of groups up to this one. 0 or -ENOMEM. */
int psx_packet_index_make_room(struct psx_packet_index *packet_index, uint64_t group);

/* A frame begins, and the one before it has ended. 0 or -ENOMEM. */
int psx_packet_index_start_frame(struct psx_packet_index *packet_index, uint64_t packet,
                                 uint64_t offset);

/*
 * Behind a VSync, where a frame has been started: takes over those from there on that are the
 * origin's, as if their packets had been walked, and stands behind another VSync then.
 * 0 or -ENOMEM.
 */
int psx_packet_reuse_take(struct psx_packet_index *packet_index);

/* At the end: counts the packets of all that was taken over. */
void psx_packet_reuse_count(struct psx_packet_index *packet_index);

#endif
