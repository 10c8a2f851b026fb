/* SPDX-License-Identifier: MIT */
/*
 * An opened AeroGPU trace as the files of this folder use it, its options, and the follower of a
 * trace that grows. views/views.h declares what views provide for the tree.
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

    struct index_task pass; /* makes the scan in one step, or follows a trace that grows */
    struct aerogpu_scan scan;
    struct aerogpu_follower *follower; /* NULL if the trace does not grow */
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
 * Returns the index. For a trace that grows, it covers what is shown, and once the trace has ended,
 * all of it. Both versions agree on the frames that are shown. A caller that needs index and scan
 * of a frame must get the index first.
 */
const struct aerogpu_index *aerogpu_dump_index(const struct aerogpu_dump *dump);

static inline const struct aerogpu_index *aerogpu_index_of(struct dump *dump)
{
    return aerogpu_dump_index(aerogpu_dump_of(dump));
}

/* Returns the scan. Call this only where the scan is known to be made. */
const struct aerogpu_scan *aerogpu_dump_scanned(const struct aerogpu_dump *dump);

/* Returns 0 if the end of the trace has been read, or -ENOENT while the trace may still grow. */
int aerogpu_has_all(struct dump *dump, uint64_t key);

/* Gets the scan, making it first if necessary. Returns 0, -EINTR, -ENOMEM or -EFBIG. */
int aerogpu_dump_scan(struct aerogpu_dump *dump, const struct cancel *cancel,
                      const struct aerogpu_scan **out);

/* Returns the scan if it is made already, otherwise NULL; the caller then answers -EAGAIN. */
const struct aerogpu_scan *aerogpu_dump_peek(struct aerogpu_dump *dump);

/* Reads the record of packet `number`, as far as it is present. */
static inline void aerogpu_dump_record(const struct aerogpu_dump *dump, uint64_t number,
                                       struct aerogpu_record *out)
{
    aerogpu_index_record(aerogpu_dump_index(dump), (uint32_t)number, out);
}

/* options.c: the format's own options. */

enum { AEROGPU_BACK_STANDARD = 64 }; /* width and height of the implicit back buffer */

struct aerogpu_options {
    char *backbuffer;    /* WxH; NULL if not given */
    unsigned time_limit; /* seconds that the worker may take for one request */
};

extern const struct option_table aerogpu_options_table;

/* Returns the values in force. */
static inline const struct aerogpu_options *aerogpu_options_of(const struct options *options)
{
    return options_values(options, &aerogpu_options_table);
}

/* Gets the size of the implicit back buffer. */
void aerogpu_options_backbuffer(const struct aerogpu_options *options, uint32_t *width,
                                uint32_t *height);

/*
 * follow.c: follows a trace that grows (follow.md 7.3). Adds records to the index once they are
 * complete, and shows a frame once its Present is complete. This works as long as every record
 * belongs to a frame from its BeginFrame to its Present, and the frames follow each other without
 * gaps. Any other trace is divided by its table of contents, so nothing more of it is shown before
 * its end; then the index is made again, of the complete trace. One thread advances; any thread may
 * read what is shown.
 */

struct growing_source;

/*
 * Waits for the header and the meta JSON. Returns 0, -EPROTO if there is no valid header, -ENOMEM
 * or -EINTR.
 */
int aerogpu_follow_open(struct growing_source *growth, const struct cancel *cancel,
                        struct aerogpu_header *header);

/*
 * Creates a follower of the source of `dump`. It uses the dump's options, problems and tree, and
 * borrows the dump and `limits` until it is destroyed. Shows no frame yet. Returns 0 or -ENOMEM;
 * *out may be set even on failure, and must then be destroyed.
 */
int aerogpu_follow_create(struct dump *dump, const struct aerogpu_limits *limits,
                          const struct aerogpu_header *header, struct aerogpu_follower **out);
void aerogpu_follow_destroy(struct aerogpu_follower **follower);

/* Continues to follow. Implements `advance` of struct index_task_work. */
int aerogpu_follow_advance(struct aerogpu_follower *follower, const struct cancel *cancel,
                           struct index_task_position *position);

/*
 * Return the index and the scan of what is shown, or of the complete trace once it has been read.
 */
const struct aerogpu_index *aerogpu_follow_index(const struct aerogpu_follower *follower);
const struct aerogpu_scan *aerogpu_follow_scan(const struct aerogpu_follower *follower);

/* Returns whether the complete trace has been read. */
bool aerogpu_follow_is_whole(const struct aerogpu_follower *follower);

/*
 * Copies index and scan with counts that belong together, for sums. The arrays are shared, and hold
 * at least as many elements.
 */
void aerogpu_follow_totals(struct aerogpu_follower *follower, struct aerogpu_index *index,
                           struct aerogpu_scan *scan);

#endif
