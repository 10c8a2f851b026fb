/* SPDX-License-Identifier: MIT */
/*
 * The index of a recording: its lines, its configuration, its frames (vma.md 2,
 * 4.1, 4.2). A packet is one line. Made by one walk over the file, at open, and
 * read-only afterwards: any thread may read it.
 *
 * Of a recording that grows (follow.md 3) it is always that of the lines before a frame's
 * end: what is in it never changes, and nothing in it moves, when more is added.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_INDEX_RECORDING_H
#define GPUDUMPFS_FORMATS_VMA_INDEX_RECORDING_H

#include "base/cancel.h"
#include "formats/vma/decode/decode.h"
#include "source/growing_source.h"

#include <pthread.h>

/* What a packet is. */
enum vma_packet_kind { VMA_PACKET_HEADER, VMA_PACKET_VERSION, VMA_PACKET_CONFIG, VMA_PACKET_CALL };

enum vma_frame_end { VMA_FRAME_INDEX, VMA_FRAME_CALLS, VMA_FRAME_END };

struct vma_frame {
    uint32_t first;             /* packet */
    uint32_t index;             /* the allocator's frame index */
    uint64_t milliseconds : 60; /* of its last call; VMA_NO_TIME: not known */
    uint64_t ended_by : 4;      /* enum vma_frame_end */
};

#define VMA_NO_TIME ((UINT64_C(1) << 60) - 1)

enum {
    VMA_NO_FRAME = UINT32_MAX,
    VMA_FRAMES_MAX = 1 << 24, /* frames of one recording; what follows joins the last one */
    VMA_FOLLOWED_LANES = 8,   /* of a recording that grows, when nothing else is wanted */
    VMA_POOL_SLOTS = 32,      /* pools that may have a lane of their own in a memory map */
    VMA_PSEUDO_FRAMES = 1000, /* at most so many marks of pseudo-frames when their size is chosen */
};

struct vma_recording_params {
    int64_t calls_per_frame; /* pseudo-frames: -1 chosen, 0 none, K allocating calls */
    uint32_t pool_lanes;     /* see struct vma_recording; 0: as many as are needed */
    uint64_t max_memory;     /* bytes that the index may take */
    const struct cancel *cancel;
    struct growing_source *growth; /* NULL: all is there */
};

/* What lines of calls add up to. */
struct vma_counts {
    uint64_t functions[VMA_FUNCTIONS]; /* calls of each */
    uint64_t call_lines;               /* lines of four columns and more */
    uint64_t allocating;
    uint64_t late_lines, set_back;
    uint32_t threads;
    uint32_t pools;                 /* good vmaCreatePool lines */
    uint32_t max_pools;             /* alive at one time */
    uint64_t first_time, last_time; /* milliseconds; VMA_NO_TIME */
    bool finished;                  /* vmaDestroyAllocator was met */
};

struct vma_walk;

struct vma_recording {
    const uint8_t *data;   /* borrowed */
    _Atomic uint64_t size; /* in which all packets lie */
    uint32_t minor;        /* of the version */
    struct vma_configuration configuration;

    _Atomic uint32_t packets;
    uint32_t first_call; /* the first packet behind header and configuration */
    uint64_t *offsets;   /* of every VMA_LINE_STEP-th line */

    struct vma_frame *frames; /* one more, behind the last, has the end of that one */
    _Atomic uint32_t frame_count;
    uint32_t calls_per_frame; /* where frames are groups of them: allocating ones */
    _Atomic bool by_index;    /* they are no groups */

    /* Pools of a memory map that have a lane of their own; all others may share one. */
    uint32_t pool_lanes;
    bool shared_lane;

    struct vma_counts counts; /* while it grows: vma_recording_counts() */

    struct vma_walk *walk; /* of a recording that grows, else NULL */
    _Atomic bool complete; /* nothing more will come */
    uint64_t offset_room;  /* of arrays that grow, in elements */
    pthread_mutex_t lock;  /* of `counts`, while it grows */
};

enum { VMA_LINE_STEP = 16 };

/* Whether the bytes begin with the recording's first line (a BOM may precede it). */
bool vma_recording_probe(const uint8_t *data, uint64_t size);

/*
 * Indexes. 0; -EPROTO: bad header or version, with a sentence in *message (a
 * constant); -ENOMEM, -EINTR. What is wrong with lines of the configuration goes to
 * the diagnostics, whose problems outlive the recording; the lines of calls are judged by the
 * replay. Of a recording that grows the configuration is waited for.
 */
int vma_recording_open(const uint8_t *data, uint64_t size,
                       const struct vma_recording_params *params,
                       struct vma_diagnostics *diagnostics, const char **message,
                       struct vma_recording *out);
void vma_recording_close(struct vma_recording *recording);

/*
 * Of a recording that grows, until it is complete: indexes what has come, or waits for it a
 * little while. Any thread may read what it has written. 0; -EINTR when cancelled, and it may be
 * called again; -ENOMEM.
 */
int vma_recording_follow(struct vma_recording *recording, const struct cancel *cancel);

/* What the lines so far add up to. */
void vma_recording_counts(struct vma_recording *recording, struct vma_counts *out);

/* A packet's line (packet < packets). */
void vma_recording_line(const struct vma_recording *recording, uint32_t packet,
                        struct vma_line *out);

/* The line behind `line`; the caller knows that there is one. */
void vma_recording_next(const struct vma_recording *recording, struct vma_line *line);

enum vma_packet_kind vma_recording_kind(const struct vma_recording *recording, uint32_t packet);

/* The name of a packet's type: header, version, config, blank, unknown or the function. */
const char *vma_recording_name(const struct vma_recording *recording, uint32_t packet,
                               const struct vma_line *line);

/* The frame that a packet belongs to, or VMA_NO_FRAME. */
uint32_t vma_recording_frame_of(const struct vma_recording *recording, uint32_t packet);

/* The last packet of a frame. */
uint32_t vma_recording_frame_last(const struct vma_recording *recording, uint32_t frame);

/* Memory that the index holds. */
size_t vma_recording_bytes(const struct vma_recording *recording);

#endif
