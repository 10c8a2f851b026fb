/* SPDX-License-Identifier: MIT */
/*
 * The state of the packet pass (indexing.h), for the files that carry it out; and how the pass
 * takes over frames from the index of the dump before it was edited. One thread at a time.
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
    uint64_t size;                  /* bytes that may be read */
    bool more;                      /* more bytes may come */
    bool limited;                   /* a limit was reached */
    uint64_t looked, looked_offset; /* packet that the search for Trace begin has come to */
    bool begin_found;               /* the search has ended, whether or not there is one */
    uint64_t mapped;                /* offset up to which pages were mapped ahead */
    uint64_t left;                  /* packets to look at before the step ends */
    bool rests;                     /* the step ended because `left` was 0 */
    bool cut;                       /* the last packet was cut off */
    struct psx_registers registers;
    struct psx_packet packet;
    uint64_t number; /* number of `packet` */
    uint64_t end;    /* offset of the end of the last packet */
    uint64_t group_room, frame_room;
    uint64_t frames;                 /* number of frames that have ended */
    uint64_t defects, frame_defects; /* found so far; found before the frame in progress */
    bool in_frames;                  /* at or after the start of frame 0 */
    bool frame_has_words;
    bool after_stream;    /* a packet 00 to 05 came: too late for a version packet */
    uint64_t last_cycles; /* time of the last VSync that has one */
    bool has_cycles;      /* there was such a VSync */
    uint8_t told_field;   /* stated for the frame in progress or the next one: psx_frame */
};

/* Ensures that the arrays of groups have room for group `group`. Returns 0 or -ENOMEM. */
int psx_packet_index_make_room(struct psx_packet_index *packet_index, uint64_t group);

/* Begins a frame at that packet; the frame before it must have ended. Returns 0 or -ENOMEM. */
int psx_packet_index_start_frame(struct psx_packet_index *packet_index, uint64_t packet,
                                 uint64_t offset);

/*
 * Called after a VSync, when the next frame has been started. Takes over the frames from there on
 * that are the same in the origin, as if their packets had been walked; the pass is then after
 * another VSync. Returns 0 or -ENOMEM.
 */
int psx_packet_reuse_take(struct psx_packet_index *packet_index);

/* Counts the packets of all frames that were taken over. Called at the end of the dump. */
void psx_packet_reuse_count(struct psx_packet_index *packet_index);

#endif
