/* SPDX-License-Identifier: MIT */
/*
 * The one pass over a recording (vma.md 4.4): it replays all calls once, reports what
 * is wrong with them, and keeps checkpoints, histories and peaks. It runs in steps, by a thread of
 * its own or by a caller that needs it (cache/index_task.h). Any thread.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_REPLAY_PASS_H
#define GPUDUMPFS_FORMATS_VMA_REPLAY_PASS_H

#include "formats/vma/replay/checkpoints.h"
#include "formats/vma/replay/history.h"

/* The greatest values that were met, each at its own time. */
struct vma_peaks {
    uint64_t blocks, allocations, unused_ranges, block_bytes, used_bytes, unused_bytes;
};

/*
 * Bytes of each heap over the recording, for timeline.png: one sample a column, as many as
 * there are frames, at most VMA_TIMELINE_SAMPLES.
 */
enum { VMA_TIMELINE_SAMPLES = 1192 };

struct vma_sample {
    uint64_t block_bytes[VMA_HEAPS], used_bytes[VMA_HEAPS]; /* the greatest at ends of frames */
};

uint32_t vma_sample_count(const struct vma_recording *recording);

/* The replay is at a frame's end. */
void vma_sample_add(struct vma_sample *samples, const struct vma_replay *replay);

struct vma_pass;

struct vma_pass_params {
    struct vma_recording *recording; /* outlives the pass, which makes it longer if it grows */
    struct follow *follow;           /* what is shown of it then; NULL: it does not */
    void (*at_frame_end)(void *context, const struct vma_replay *replay); /* by the pass; or NULL */
    void *context;
    const struct vma_allocator_params *allocator;
    struct vma_checkpoints *checkpoints; /* gets the checkpoints */
    struct problems *problems;
    const struct cancel *cancel; /* raised when the pass is not needed any more; may be NULL */
    struct budget *spending;     /* of a recording that does not grow; may be NULL */
};

int vma_pass_create(const struct vma_pass_params *params, struct vma_pass **out);
void vma_pass_destroy(struct vma_pass **pass);

/* A thread that carries it out, and its end, once it is cancelled (cache/index_task.h). */
int vma_pass_start(struct vma_pass *pass);
void vma_pass_join(struct vma_pass *pass);

/*
 * Returns when all packets before `packet` were carried out; works on it, unless
 * another thread does. 0, -EINTR; -ENOMEM from then on when memory ran out.
 */
int vma_pass_until(struct vma_pass *pass, uint32_t packet, const struct cancel *cancel);

/* From now on the pass of a long recording has its lines parsed by a thread of its own. */
void vma_pass_allow_threads(struct vma_pass *pass);

/* Whether a packet was carried out. Never waits. */
bool vma_pass_knows(struct vma_pass *pass, uint32_t packet);

/*
 * What follows is for when vma_pass_until() has returned 0 for all packets, and no more may
 * come.
 */

const struct vma_history *vma_pass_history(const struct vma_pass *pass);

/* The state after the last packet. */
const struct vma_replay *vma_pass_end(const struct vma_pass *pass);

struct vma_pass_peaks {
    struct vma_peaks total, heaps[VMA_HEAPS], types[VMA_TYPES];
    uint32_t packet; /* the first after which total.used_bytes were used */
};

const struct vma_pass_peaks *vma_pass_peaks(const struct vma_pass *pass);

/* Samples of the timeline; NULL: the recording grew, and their number was not known. */
const struct vma_sample *vma_pass_samples(const struct vma_pass *pass);

/* Memory that the pass holds. */
size_t vma_pass_bytes(const struct vma_pass *pass);

#endif
