/* SPDX-License-Identifier: MIT */
/*
 * The bytes of a dump that is still being written: what comes from a pipe, a
 * socket or a file that somebody else appends to, as one read-only array that gets
 * longer. Address space for the most that is allowed is mapped once over a file on
 * disk (the followed file itself when it is plain, else a spool), so nothing moves,
 * and what was published once stays as it is. A container is expanded on the way.
 *
 * growing_source_create() and growing_source_fill() belong to the thread that opens; after
 * growing_source_start() a thread of its own reads, and the rest may be called by any.
 */
#ifndef GPUDUMPFS_SOURCE_GROWING_SOURCE_H
#define GPUDUMPFS_SOURCE_GROWING_SOURCE_H

#include "base/cancel.h"
#include "base/problems.h"
#include "source/expand.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

struct growing_source;

struct growing_source_params {
    const char *path; /* a file that is followed; NULL: a pipe or socket, which ends when it ends */
    bool raw;         /* no container is looked for */
    uint64_t max;     /* bytes; beyond them nothing is read any more, and it counts as ended */
    uint64_t max_expand;   /* the same of what is expanded, at most `max`; 0: `max`; … */
    unsigned max_ratio;    /* … and times what came, as in struct spool_params */
    const char *spool_dir; /* as in struct spool_params */
    struct problems *problems;
    atomic_bool *lost; /* raised when the followed file lost bytes */
};

enum {
    GROWING_SOURCE_LAG = 64 << 20, /* a pipe is not read while so many bytes are not passed */
    GROWING_SOURCE_SETTLED =
        2000, /* ms: a file that was closed and stands still so long has ended */
};

/*
 * Takes the descriptor over, also by a failure. 0, -ENOMEM, or -errno of the spool.
 */
int growing_source_create(int fd, const struct growing_source_params *params,
                          struct growing_source **out);

/* Ends the thread, and closes the descriptor: a pipe's writer is told then. */
void growing_source_destroy(struct growing_source **growing);

/*
 * Reads until `bytes` are there, or the end, for at most `milliseconds` (negative: any
 * time). 0, -EINTR when cancelled, -ENOMEM.
 */
int growing_source_fill(struct growing_source *growing, uint64_t bytes, int milliseconds,
                        const struct cancel *cancel);

/* 0 or -errno. */
int growing_source_start(struct growing_source *growing);

/* The first byte; growing_source_size() bytes may be read, now and forever. NULL: there is none
 * yet. */
const uint8_t *growing_source_data(const struct growing_source *growing);
uint64_t growing_source_size(const struct growing_source *growing);

/* What is read, as it is now. 0 or -errno. */
int growing_source_stat(const struct growing_source *growing, struct stat *out);

/* Bytes that came of the file or stream as it is, expanded or not. */
uint64_t growing_source_arrived(const struct growing_source *growing);

/* Raises params.lost if the followed file is shorter than what was published of it. Any thread. */
void growing_source_look(const struct growing_source *growing);

/* Nothing more will come. Ask before growing_source_size(), which is final then. */
bool growing_source_has_ended(const struct growing_source *growing);

enum source_container growing_source_container(const struct growing_source *growing);

/*
 * Whether there are more than the `*seen` bytes, which are all then, or the end; if not, it has
 * waited for them for some milliseconds, so that the caller looks at its cancel.
 */
bool growing_source_await(struct growing_source *growing, uint64_t *seen, bool *ended);

/* Until there are more than `size` bytes, or the end, or for so long at most. */
void growing_source_wait(struct growing_source *growing, uint64_t size, unsigned milliseconds);

/* The index is done with the first `bytes`: the next may be read. */
void growing_source_pass(struct growing_source *growing, uint64_t bytes);

#endif
