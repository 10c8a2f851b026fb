/* SPDX-License-Identifier: MIT */
/*
 * An opened AeroGPU trace, as the files of this folder see it; its options; and the follower of
 * one that grows. What views make for the tree is declared in views/views.h.
 */
#ifndef GPUDUMPFS_AEROGPU_DUMP_H
#define GPUDUMPFS_AEROGPU_DUMP_H

#include "cache/index_task.h"
#include "formats/aerogpu/scan.h"
#include "tree/dump.h"
#include "tree/options.h"

struct aerogpu_cutter;
struct aerogpu_replay;
struct aerogpu_follower;

struct aerogpu_dump {
    struct dump base;
    struct follow follow;
    struct aerogpu_index index;
    struct aerogpu_limits limits;
    struct aerogpu_replay *replay;
    struct aerogpu_cutter *cutter;

    struct index_task pass; /* makes the scan, in one step; of a trace that grows, follows it */
    struct aerogpu_scan scan;
    struct aerogpu_follower *follower; /* NULL: it does not grow */
};

static inline struct aerogpu_dump *aerogpu_dump_of(struct dump *dump)
{
    return (struct aerogpu_dump *)dump;
}

static inline const struct aerogpu_dump *aerogpu_dump_of_const(const struct dump *dump)
{
    return (const struct aerogpu_dump *)dump;
}

/*
 * The index: of a trace that grows, that of what is shown, and once it has ended, of all.
 * Both are the same for frames that are shown; a caller that needs index and scan of a frame
 * gets the index first.
 */
const struct aerogpu_index *aerogpu_dump_index(const struct aerogpu_dump *dump);

static inline const struct aerogpu_index *aerogpu_index_of(struct dump *dump)
{
    return aerogpu_dump_index(aerogpu_dump_of(dump));
}

/* The scan where it is known that it is there. */
const struct aerogpu_scan *aerogpu_dump_scanned(const struct aerogpu_dump *dump);

/* What follows from all of a trace is there: 0, or -ENOENT while more may come. */
int aerogpu_has_all(struct dump *dump, uint64_t key);

/* The scan, made now if need be. 0, -EINTR, -ENOMEM, -EFBIG. */
int aerogpu_dump_scan(struct aerogpu_dump *dump, const struct cancel *cancel,
                      const struct aerogpu_scan **out);

/* The scan if it is there already, else NULL; then the answer is -EAGAIN. */
const struct aerogpu_scan *aerogpu_dump_peek(struct aerogpu_dump *dump);

/* The record that packet `number` is, as far as it goes. */
static inline void aerogpu_dump_record(const struct aerogpu_dump *dump, uint64_t number,
                                       struct aerogpu_record *out)
{
    aerogpu_index_record(aerogpu_dump_index(dump), (uint32_t)number, out);
}

/* options.c: the format's own. */

enum { AEROGPU_BACK_STANDARD = 64 }; /* width and height of the implicit back buffer */

struct aerogpu_options {
    char *backbuffer;    /* WxH; NULL: not given */
    unsigned time_limit; /* seconds that the worker may take for one request */
};

extern const struct option_table aerogpu_options_table;

/* The values in force. */
static inline const struct aerogpu_options *aerogpu_options_of(const struct options *options)
{
    return options_values(options, &aerogpu_options_table);
}

/* The implicit back buffer's size. */
void aerogpu_options_backbuffer(const struct aerogpu_options *options, uint32_t *width,
                                uint32_t *height);

/*
 * follow.c: follows a trace that grows (follow.md 7.3): adds records to the index as they are
 * whole, and shows a frame with its Present, as long as all records stand in frames from their
 * BeginFrame to their Present, one behind the other. A trace that is not like this is divided by
 * its table of contents, so nothing more of it is shown before its end. Then the index is made
 * anew, of all. One thread advances, any thread may read what is shown.
 */

struct growing_source;

/* Waits for the header and the meta JSON. 0, -EPROTO: no header; -ENOMEM, -EINTR. */
int aerogpu_follow_open(struct growing_source *growth, const struct cancel *cancel,
                        struct aerogpu_header *header);

/*
 * Follows the source of `dump`, whose options, problems and tree it uses; both it and the
 * limits are borrowed until the destruction. Shows no frame yet. 0 or -ENOMEM; on failure
 * `out` may be set, and is to be destroyed.
 */
int aerogpu_follow_create(struct dump *dump, const struct aerogpu_limits *limits,
                          const struct aerogpu_header *header, struct aerogpu_follower **out);
void aerogpu_follow_destroy(struct aerogpu_follower **follower);

/* Goes on, as struct index_task_work's `advance`. */
int aerogpu_follow_advance(struct aerogpu_follower *follower, const struct cancel *cancel,
                           struct index_task_position *position);

/* Of what is shown, or of all once that is there. */
const struct aerogpu_index *aerogpu_follow_index(const struct aerogpu_follower *follower);
const struct aerogpu_scan *aerogpu_follow_scan(const struct aerogpu_follower *follower);
bool aerogpu_follow_is_whole(const struct aerogpu_follower *follower);

/* Copies whose counts belong together, for sums; the arrays are shared, and hold as many. */
void aerogpu_follow_totals(struct aerogpu_follower *follower, struct aerogpu_index *index,
                           struct aerogpu_scan *scan);

#endif
