/* SPDX-License-Identifier: MIT */
/*
 * An opened GAPIR payload, as the files of this format see it. views/views.h declares what the
 * views provide to the tree.
 */
#ifndef GPUDUMPFS_GAPIR_DUMP_H
#define GPUDUMPFS_GAPIR_DUMP_H

#include "cache/index_task.h"
#include "formats/gapir/index.h"
#include "formats/gapir/replay/player.h"
#include "formats/gapir/replay/vm_pool.h"
#include "formats/gapir/views/lengths.h"
#include "tree/dump.h"
#include "tree/rule.h"

struct gapir_dump {
    struct dump base;
    struct source *payload;                /* NULL if base.source is the payload */
    struct source *index_file, *data_file; /* NULL if there is no such file */
    struct gapir_replay *replay;
    struct gapir_vm_pool *pool;
    struct gapir_player *player; /* NULL if nothing is drawn */
    struct gapir_lengths packet_lengths;
    struct gapir_lengths call_lengths; /* valid once the index exists */

    struct index_task pass; /* builds the index in a single step */
    struct gapir_index index;
};

static inline struct gapir_dump *gapir_dump_of(struct dump *dump)
{
    return (struct gapir_dump *)dump;
}

static inline const struct gapir_dump *gapir_dump_of_const(const struct dump *dump)
{
    return (const struct gapir_dump *)dump;
}

/*
 * Returns the index in *out: waits for the run that builds it, or builds it in this thread. Returns
 * 0, -EINTR if the reader or the mount goes away, or -ENOMEM. *out is NULL on failure.
 */
int gapir_dump_index(struct gapir_dump *dump, const struct cancel *cancel,
                     const struct gapir_index **out);

/* Returns the index if it has been built, otherwise NULL. */
const struct gapir_index *gapir_dump_peek(struct gapir_dump *dump);

/*
 * Returns the index and one of its frames, as gapir_dump_index() does. Returns -ENOENT if there is
 * no frame of that number.
 */
int gapir_dump_frame(struct gapir_dump *dump, uint64_t number, const struct cancel *cancel,
                     const struct gapir_index **index, const struct gapir_frame_record **frame);

/*
 * Gets a VM instance that has executed `steps` instructions. The caller gives it back with
 * gapir_vm_pool_park(). Returns 0, -EIO if the payload is refused, or what gapir_vm_pool_take()
 * returns.
 */
int gapir_dump_take_vm(struct gapir_dump *dump, uint64_t steps, const struct cancel *cancel,
                       struct gapir_vm_instance **out);

/*
 * Calls gapir_player_show() for the point that the index run had reached after `steps`
 * instructions.
 */
int gapir_dump_show(struct gapir_dump *dump, const struct gapir_index *index, uint64_t steps,
                    const struct cancel *cancel, gapir_player_look *look, void *context);

/*
 * The rules that the GAPIR format adds to the tree (gapir.md 4.2).
 */

enum gapir_rule {
    GAPIR_RULE_DISASSEMBLY = RULE_FORMAT_FIRST,
    GAPIR_RULE_CALLS,
    GAPIR_RULE_FUNCTIONS,
    GAPIR_RULE_OPCODES,
    GAPIR_RULE_CONSTANTS_BIN,
    GAPIR_RULE_CONSTANTS_TXT,
    GAPIR_RULE_RESOURCES_TSV,
    GAPIR_RULE_RESOURCES,
    GAPIR_RULE_RESOURCE,
    GAPIR_RULE_INLINE,
    GAPIR_RULE_INLINE_BIN,
    GAPIR_RULE_INLINE_TXT,
    GAPIR_RULE_POSTS_TSV,
    GAPIR_RULE_POSTS,
    GAPIR_RULE_POST,
    GAPIR_RULE_MEMORY,
    GAPIR_RULE_MEMORY_GROUP,
    GAPIR_RULE_MEMORY_PACKET,
    GAPIR_RULE_MEMORY_END,
    GAPIR_RULE_WINDOWS_TSV,
    GAPIR_RULE_WINDOWS,
    GAPIR_RULE_WINDOW,
    GAPIR_RULE_NOTIFICATIONS_TSV,
    GAPIR_RULE_NOTIFICATIONS,
    GAPIR_RULE_NOTIFICATION,
    GAPIR_RULE_FENCES,
    GAPIR_RULE_FAULT,
    GAPIR_RULE_FRAME_DRAWING,
    GAPIR_RULE_FRAME_MEMORY,
    GAPIR_RULE_FRAME_POST,
    GAPIR_RULES_END
};

enum { GAPIR_RULES = GAPIR_RULES_END - RULE_FORMAT_FIRST };

extern const struct rule gapir_rules[GAPIR_RULES];

#endif
