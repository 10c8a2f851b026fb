/* SPDX-License-Identifier: MIT */
/*
 * The index of a recording: its lines, its configuration, its frames (vma.md 2, 4.1, 4.2). A packet
 * is one line. One walk over the file builds the index when it is opened; afterwards it is
 * read-only, and any thread may read it.
 *
 * The index of a recording that grows (follow.md 3) always covers the lines up to the end of a
 * frame: when more is added, what is in it neither changes nor moves.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_INDEX_RECORDING_H
#define GPUDUMPFS_FORMATS_VMA_INDEX_RECORDING_H

#include "base/cancel.h"
#include "formats/vma/decode/decode.h"
#include "source/growing_source.h"

#include <pthread.h>

/* The kinds of packets. */
enum vma_packet_kind { VMA_PACKET_HEADER, VMA_PACKET_VERSION, VMA_PACKET_CONFIG, VMA_PACKET_CALL };

enum vma_frame_end { VMA_FRAME_INDEX, VMA_FRAME_CALLS, VMA_FRAME_END };

struct vma_frame {
    uint32_t first;             /* packet with which it begins */
    uint32_t index;             /* the allocator's frame index */
    uint64_t milliseconds : 60; /* time of its last call; VMA_NO_TIME if unknown */
    uint64_t ended_by : 4;      /* enum vma_frame_end */
};

#define VMA_NO_TIME ((UINT64_C(1) << 60) - 1)

enum {
    VMA_NO_FRAME = UINT32_MAX,
    VMA_FRAMES_MAX = 1 << 24, /* maximum of frames; what follows is part of the last one */
    /* lanes for pools in the maps of a recording that grows, unless the option says otherwise */
    VMA_FOLLOWED_LANES = 8,
    VMA_POOL_SLOTS = 32, /* maximum of pools that have a lane of their own in a memory map */
    /* maximum of marks of pseudo-frames, if their size is chosen automatically */
    VMA_PSEUDO_FRAMES = 1000,
};

struct vma_recording_params {
    /* pseudo-frames: -1 chosen automatically, 0 none, K allocating calls each */
    int64_t calls_per_frame;
    uint32_t pool_lanes; /* see struct vma_recording; 0: as many as are needed */
    uint64_t max_memory; /* maximum of bytes that the index may take */
    const struct cancel *cancel;
    struct growing_source *growth; /* NULL if the recording does not grow */
};

/* What is counted of the lines of calls. */
struct vma_counts {
    uint64_t functions[VMA_FUNCTIONS]; /* calls of each function */
    uint64_t call_lines;               /* lines with at least four columns */
    uint64_t allocating;
    uint64_t late_lines, set_back;
    uint32_t threads;
    uint32_t pools;                 /* valid vmaCreatePool lines */
    uint32_t max_pools;             /* maximum that is alive at one time */
    uint64_t first_time, last_time; /* milliseconds; VMA_NO_TIME if unknown */
    bool finished;                  /* there is a vmaDestroyAllocator */
};

struct vma_walk;

struct vma_recording {
    const uint8_t *data;   /* borrowed */
    _Atomic uint64_t size; /* bytes that hold all packets */
    uint32_t minor;        /* of the version; the major version is 1 */
    struct vma_configuration configuration;

    _Atomic uint32_t packets;
    uint32_t first_call; /* the first packet after header and configuration */
    uint64_t *offsets;   /* of every VMA_LINE_STEP-th line */

    /* one more entry, after the last frame, has the end of the last frame */
    struct vma_frame *frames;
    _Atomic uint32_t frame_count;
    /* size of the groups, in allocating calls, if frames are such groups */
    uint32_t calls_per_frame;
    _Atomic bool by_index; /* frames are made by the frame index, not by groups */

    /*
     * Lanes of pools in a memory map: the number of pools that have a lane of their own, and
     * whether the others share one.
     */
    uint32_t pool_lanes;
    bool shared_lane;

    struct vma_counts counts; /* read with vma_recording_counts() while the recording grows */

    struct vma_walk *walk; /* of a recording that grows, otherwise NULL */
    _Atomic bool complete; /* no more will come */
    uint64_t offset_room;  /* room of `offsets`, in elements */
    pthread_mutex_t lock;  /* protects `counts` while the recording grows */
};

enum { VMA_LINE_STEP = 16 };

/*
 * Returns whether the bytes begin with the first line of a recording. A byte order mark may precede
 * it.
 */
bool vma_recording_probe(const uint8_t *data, uint64_t size);

/*
 * Opens a recording and indexes it. Returns 0, -ENOMEM or -EINTR. Returns -EPROTO for an invalid
 * header or version, and sets *message to a constant sentence. Defects of the configuration are
 * reported to the diagnostics, whose problems must outlive the recording; defects of the lines of
 * calls are found by the replay. If the recording grows, this waits for its configuration.
 */
int vma_recording_open(const uint8_t *data, uint64_t size,
                       const struct vma_recording_params *params,
                       struct vma_diagnostics *diagnostics, const char **message,
                       struct vma_recording *out);
void vma_recording_close(struct vma_recording *recording);

/*
 * Continues the index of a recording that grows, until it is complete: indexes the lines that have
 * arrived, or waits a little for more. Meanwhile other threads may read the index.
 * Returns 0 or -ENOMEM. Returns -EINTR when cancelled; it may then be called again.
 */
int vma_recording_follow(struct vma_recording *recording, const struct cancel *cancel);

/* Returns the counts of the lines so far. */
void vma_recording_counts(struct vma_recording *recording, struct vma_counts *out);

/* Returns a packet's line. `packet` must be below `packets`. */
void vma_recording_line(const struct vma_recording *recording, uint32_t packet,
                        struct vma_line *out);

/* Replaces `line` by the next line, which must exist. */
void vma_recording_next(const struct vma_recording *recording, struct vma_line *line);

enum vma_packet_kind vma_recording_kind(const struct vma_recording *recording, uint32_t packet);

/* Returns the name of a packet's type: header, version, config, blank, unknown, or the function. */
const char *vma_recording_name(const struct vma_recording *recording, uint32_t packet,
                               const struct vma_line *line);

/* Returns the frame of a packet, or VMA_NO_FRAME. */
uint32_t vma_recording_frame_of(const struct vma_recording *recording, uint32_t packet);

/* Returns the last packet of a frame. */
uint32_t vma_recording_frame_last(const struct vma_recording *recording, uint32_t frame);

/* Returns the bytes of memory that the index holds. */
size_t vma_recording_bytes(const struct vma_recording *recording);

#endif
