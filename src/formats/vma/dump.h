/* SPDX-License-Identifier: MIT */
/*
 * An opened recording of VMA calls, or series of snapshots, as the files of this format see it.
 * views/views.h declares what the views provide to the tree.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_DUMP_H
#define GPUDUMPFS_FORMATS_VMA_DUMP_H

#include "base/locks.h"
#include "formats/vma/options.h"
#include "formats/vma/replay/pass.h"
#include "formats/vma/snapshot/snapshot.h"
#include "tree/rule.h"

#include <errno.h>
#include <pthread.h>

/* Lengths of the JSON texts of after/BBBBB/, for the first `count` packets of the group BBBBB. */
struct vma_lengths {
    uint32_t count;
    uint32_t after[];
};

/*
 * Lengths of a frame's stats.json, detailed.json and live.tsv. UINT32_MAX: longer than the field
 * can hold.
 */
struct vma_frame_lengths {
    uint32_t stats, detailed, live;
};

struct vma_dump {
    struct dump base;
    struct follow follow;
    struct vma_recording recording;
    /* The configuration as recorded. The one in `recording` is in force, after overrides. */
    struct vma_configuration recorded;
    struct vma_allocator_params params;
    struct vma_checkpoints *checkpoints;
    struct vma_pass *pass;
    struct vma_series *series; /* NULL for a recording; if set, checkpoints and pass are NULL */
    struct vma_frame_lengths *frame_lengths; /* of the frames that the pass has reached */
    pthread_mutex_t lock;                    /* protects what follows */
    /* An element for each group of packets, which is NULL until the group is measured. */
    struct vma_lengths **lengths GUARDED_BY(lock_of_vma_lengths);
};

enum { VMA_GROUP_PACKETS = 1000 }; /* packets of a group, as in packets/ */

static inline struct vma_dump *vma_dump_of(struct dump *dump)
{
    return (struct vma_dump *)dump;
}

static inline const struct vma_dump *vma_dump_of_const(const struct dump *dump)
{
    return (const struct vma_dump *)dump;
}

/* Returns whether more may be shown later. */
static inline bool vma_dump_grows(const struct vma_dump *dump)
{
    return follow_grows(&dump->follow);
}

/*
 * Waits until everything that is shown is known. If no more can come, the histories and the last
 * state are available then.
 */
static inline int vma_dump_wait(struct vma_dump *dump, const struct cancel *cancel)
{
    return dump->series != NULL ? 0 : vma_pass_until(dump->pass, dump->recording.packets, cancel);
}

/*
 * Gets a replay right after a packet; the caller returns it with vma_give_back(). Returns 0,
 * -ENOENT if there is no such packet, -EIO, -EINTR or -ENOMEM.
 */
static inline int vma_seek_packet(struct vma_dump *dump, uint64_t packet,
                                  const struct cancel *cancel, struct vma_replay **out)
{
    if (packet >= dump->recording.packets)
        return -ENOENT;
    if (dump->series != NULL)
        return vma_series_state(dump->series, packet, cancel, out);
    return vma_checkpoints_seek(dump->checkpoints, (uint32_t)packet + 1, cancel, out);
}

/* The same for the end of a frame. */
static inline int vma_seek_frame(struct vma_dump *dump, uint64_t frame, const struct cancel *cancel,
                                 struct vma_replay **out)
{
    if (frame >= dump->recording.frame_count)
        return -ENOENT;
    return vma_seek_packet(dump, vma_recording_frame_last(&dump->recording, (uint32_t)frame),
                           cancel, out);
}

/*
 * Takes back a replay from one of these functions, and sets *replay to NULL; it may be NULL
 * already.
 */
static inline void vma_give_back(struct vma_dump *dump, struct vma_replay **replay)
{
    if (dump->series != NULL)
        vma_series_give_back(replay);
    else
        vma_checkpoints_give_back(dump->checkpoints, replay);
}

/*
 * Calls `visit` with the state at the end of each frame from `first` up to but excluding `end`, in
 * one run. Returns 0, -ENOENT, -EINTR or -ENOMEM, or -EIO for a snapshot that cannot be read.
 */
int vma_each_frame(struct vma_dump *dump, uint64_t first, uint64_t end, const struct cancel *cancel,
                   void (*visit)(void *context, const struct vma_replay *replay), void *context);

/* Names in the tree (rules.c). */
enum vma_rule_id {
    VMA_RULE_MEMORY = RULE_FORMAT_FIRST,
    VMA_RULE_TIMELINE,
    VMA_RULE_ALLOCATIONS,
    VMA_RULE_STATISTICS,
    VMA_RULE_LEAKS,
    VMA_RULE_LEAKS_TABLE,
    VMA_RULE_FAILURES,
    VMA_RULE_PEAK,
    VMA_RULE_LABELS,
    VMA_RULE_LABELS_PNG,
    VMA_RULE_POOLS_TABLE,
    VMA_RULE_POOLS,
    VMA_RULE_POOL,
    VMA_RULE_POOL_INFO,
    VMA_RULE_POOL_ALLOCATIONS,
    VMA_RULE_AFTER,
    VMA_RULE_AFTER_GROUP,
    VMA_RULE_AFTER_JSON,
    VMA_RULE_AFTER_PNG,
    VMA_RULE_STATS,
    VMA_RULE_DETAILED,
    VMA_RULE_LIVE,
    VMA_RULE_BUDGET,
    VMA_RULE_BLOCKS,
    VMA_RULE_FRAME_AFTER,
    VMA_RULE_FRAME_AFTER_PNG,
    VMA_RULES_END,
    VMA_RULES = VMA_RULES_END - RULE_FORMAT_FIRST,
};

extern const struct rule vma_rules[VMA_RULES];

/* Implements `prepare` of struct dump_readiness_ops. */
int vma_prepare(struct dump *dump, unsigned rule, uint64_t key, const struct cancel *cancel);

#endif
