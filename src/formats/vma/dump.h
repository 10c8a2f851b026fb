/* SPDX-License-Identifier: MIT */
/*
 * An opened recording of VMA calls, as its own files see it. What each file of
 * texts or pictures answers for the tree is declared in that file's header.
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

/* Of the JSON after each packet of a group, the first `count` of them. */
struct vma_lengths {
    uint32_t count;
    uint32_t after[];
};

/* Of texts of a frame's end; UINT32_MAX: longer than the field holds. */
struct vma_frame_lengths {
    uint32_t stats, detailed, live;
};

struct vma_dump {
    struct dump base;
    struct follow follow;
    struct vma_recording recording;
    struct vma_configuration recorded; /* the recording's has what is in force */
    struct vma_allocator_params params;
    struct vma_checkpoints *checkpoints;
    struct vma_pass *pass;
    struct vma_series
        *series; /* NULL: a recording; else there are neither checkpoints nor a pass */
    struct vma_frame_lengths *frame_lengths; /* of those that the pass has reached */
    pthread_mutex_t lock;                    /* of what follows */
    /* Of after/BBBBB/: for each group of packets, once measured. */
    struct vma_lengths **lengths GUARDED_BY(lock_of_vma_lengths);
};

enum { VMA_GROUP_PACKETS = 1000 }; /* as in packets/ */

static inline struct vma_dump *vma_dump_of(struct dump *dump)
{
    return (struct vma_dump *)dump;
}

static inline const struct vma_dump *vma_dump_of_const(const struct dump *dump)
{
    return (const struct vma_dump *)dump;
}

/* Whether more may be shown later. */
static inline bool vma_dump_grows(const struct vma_dump *dump)
{
    return follow_grows(&dump->follow);
}

/* All that is shown; if no more comes, histories and the last state are there then. */
static inline int vma_dump_wait(struct vma_dump *dump, const struct cancel *cancel)
{
    return dump->series != NULL ? 0 : vma_pass_until(dump->pass, dump->recording.packets, cancel);
}

/* A replay right after a packet, to be given back. -ENOENT; -EIO, -EINTR, -ENOMEM. */
static inline int vma_seek_packet(struct vma_dump *dump, uint64_t packet,
                                  const struct cancel *cancel, struct vma_replay **out)
{
    if (packet >= dump->recording.packets)
        return -ENOENT;
    if (dump->series != NULL)
        return vma_series_state(dump->series, packet, cancel, out);
    return vma_checkpoints_seek(dump->checkpoints, (uint32_t)packet + 1, cancel, out);
}

/* A replay at the end of a frame, likewise. */
static inline int vma_seek_frame(struct vma_dump *dump, uint64_t frame, const struct cancel *cancel,
                                 struct vma_replay **out)
{
    if (frame >= dump->recording.frame_count)
        return -ENOENT;
    return vma_seek_packet(dump, vma_recording_frame_last(&dump->recording, (uint32_t)frame),
                           cancel, out);
}

static inline void vma_give_back(struct vma_dump *dump, struct vma_replay **replay)
{
    if (dump->series != NULL)
        vma_series_give_back(replay);
    else
        vma_checkpoints_give_back(dump->checkpoints, replay);
}

/*
 * Calls `visit` with the state at the end of each frame from `first` up to `end`, in one run.
 * 0, -ENOENT, -EINTR, -ENOMEM.
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

/* struct dump_ops' prepare(). */
int vma_prepare(struct dump *dump, unsigned rule, uint64_t key, const struct cancel *cancel);

#endif
