/* SPDX-License-Identifier: MIT */
/*
 * The one pass over a recording (vma.md 4.4). It replays all calls once, reports their defects, and
 * keeps checkpoints, histories and peaks. It runs in steps, by a thread of its own or by a caller
 * that needs it (cache/index_task.h). Any thread.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_REPLAY_PASS_H
#define GPUDUMPFS_FORMATS_VMA_REPLAY_PASS_H

#include "formats/vma/replay/checkpoints.h"
#include "formats/vma/replay/history.h"

/* Maximum values, each reached at its own time. */
struct vma_peaks {
    uint64_t blocks, allocations, unused_ranges, block_bytes, used_bytes, unused_bytes;
};

/*
 * Bytes of each heap over the recording, for timeline.png. There is one sample for each column: as
 * many as there are frames, at most VMA_TIMELINE_SAMPLES.
 */
enum { VMA_TIMELINE_SAMPLES = 1192 };

struct vma_sample {
    /* For each heap: the maximum at the ends of those frames that the sample stands for. */
    uint64_t block_bytes[VMA_HEAPS], used_bytes[VMA_HEAPS];
};

/* Returns the number of samples of a recording. */
uint32_t vma_sample_count(const struct vma_recording *recording);

/* Adds a frame's end, where the replay must be, to its sample. */
void vma_sample_add(struct vma_sample *samples, const struct vma_replay *replay);

struct vma_pass;

struct vma_pass_params {
    struct vma_recording *recording; /* must outlive the pass; if it grows, the pass extends it */
    /* what is shown of a recording that grows; NULL if it does not grow */
    struct follow *follow;
    /* called by the pass; may be NULL */
    void (*at_frame_end)(void *context, const struct vma_replay *replay);
    void *context;
    const struct vma_allocator_params *allocator;
    struct vma_checkpoints *checkpoints; /* where the pass puts checkpoints */
    struct problems *problems;
    const struct cancel *cancel; /* raised when the pass is not needed any more; may be NULL */
    struct budget *spending;     /* used only if the recording does not grow; may be NULL */
};

/* Creates a pass, which does nothing yet. Returns 0 or -ENOMEM. */
int vma_pass_create(const struct vma_pass_params *params, struct vma_pass **out);
void vma_pass_destroy(struct vma_pass **pass);

/* Starts a thread that runs the pass. Returns as index_task_start() (cache/index_task.h). */
int vma_pass_start(struct vma_pass *pass);

/* Waits for the end of that thread, if there is one. The pass should be cancelled before. */
void vma_pass_join(struct vma_pass *pass);

/*
 * Waits until all packets before `packet` were executed; works on the pass, unless another thread
 * does. Returns 0 or -EINTR. Returns -ENOMEM if memory was short, and in all later calls.
 */
int vma_pass_until(struct vma_pass *pass, uint32_t packet, const struct cancel *cancel);

/* Allows the pass of a long recording to have its lines parsed by another thread. */
void vma_pass_allow_threads(struct vma_pass *pass);

/* Returns whether a packet was executed. Never waits. */
bool vma_pass_knows(struct vma_pass *pass, uint32_t packet);

/*
 * The following functions may be called when vma_pass_until() has returned 0 for all packets and no
 * more can come.
 */

const struct vma_history *vma_pass_history(const struct vma_pass *pass);

/* Returns the state after the last packet. */
const struct vma_replay *vma_pass_end(const struct vma_pass *pass);

struct vma_pass_peaks {
    struct vma_peaks total, heaps[VMA_HEAPS], types[VMA_TYPES];
    uint32_t packet; /* the first packet after which total.used_bytes had its maximum */
};

const struct vma_pass_peaks *vma_pass_peaks(const struct vma_pass *pass);

/*
 * Returns the samples of the timeline, or NULL if the recording grew, since their number was not
 * known.
 */
const struct vma_sample *vma_pass_samples(const struct vma_pass *pass);

/* Returns the bytes of memory that the pass holds. */
size_t vma_pass_bytes(const struct vma_pass *pass);

#endif
