/* SPDX-License-Identifier: MIT */
/*
 * A growing source: the bytes of a dump that is still being written, as one read-only array that
 * gets longer. They come from a pipe, a socket, or a file to which another program appends. Address
 * space for the maximum size is mapped once over a file on disk: over the followed file itself if
 * it is plain, otherwise over a spool (source/spool.h). Nothing moves, therefore, and bytes that
 * were published stay the same. A container is expanded as it arrives.
 *
 * growing_source_create() and growing_source_fill() are for the thread that opens the source. After
 * growing_source_start() a separate thread reads, and any thread may call the other functions.
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
    const char *path; /* followed file; NULL for a pipe or socket, at whose end the source ends */
    bool raw;         /* do not look for a container */
    uint64_t max;     /* bytes after which nothing more is read, and the source counts as ended */
    uint64_t max_expand; /* the same for expanded bytes, at most `max`; 0 means `max` */
    unsigned max_ratio;  /* maximum ratio of expanded to arrived bytes, as in struct spool_params */
    const char *spool_dir; /* as in struct spool_params */
    struct problems *problems;
    atomic_bool *lost; /* set when the followed file has lost bytes */
};

enum {
    /* Bytes by which a spool may be ahead of the index, see growing_source_pass(). */
    GROWING_SOURCE_LAG = 64 << 20,
    /* Milliseconds without growth after which a file that was closed has ended. */
    GROWING_SOURCE_SETTLED = 2000,
};

/*
 * Creates a growing source and takes over the descriptor, even if this fails. Returns 0 or -ENOMEM.
 */
int growing_source_create(int fd, const struct growing_source_params *params,
                          struct growing_source **out);

/* Ends the thread and closes the descriptor, which the writer of a pipe notices. */
void growing_source_destroy(struct growing_source **growing);

/*
 * Reads until `bytes` bytes are there or the input has ended, for at most `milliseconds` (negative
 * means no limit). Returns 0, -EINTR when cancelled, -ENOMEM, or -errno of the spool or the
 * mapping.
 */
int growing_source_fill(struct growing_source *growing, uint64_t bytes, int milliseconds,
                        const struct cancel *cancel);

/* Starts the thread that reads. Returns 0 or -errno. */
int growing_source_start(struct growing_source *growing);

/*
 * Returns the first byte. growing_source_size() bytes may be read from then on. NULL if there are
 * none yet.
 */
const uint8_t *growing_source_data(const struct growing_source *growing);
uint64_t growing_source_size(const struct growing_source *growing);

/* Gets the current status of the file or stream that is read. Returns 0 or -errno. */
int growing_source_stat(const struct growing_source *growing, struct stat *out);

/* Returns how many bytes of the file or stream have arrived, before any expansion. */
uint64_t growing_source_arrived(const struct growing_source *growing);

/* Sets *params.lost if the followed file is shorter than what was published of it. Any thread. */
void growing_source_look(const struct growing_source *growing);

/*
 * Returns whether nothing more will come. Call this before growing_source_size(), whose result is
 * then final.
 */
bool growing_source_has_ended(const struct growing_source *growing);

/* Returns the container in which the bytes come; SOURCE_PLAIN if there is none. */
enum source_container growing_source_container(const struct growing_source *growing);

/*
 * Returns true if there are more than *seen bytes, or if no more will come (*ended), and sets *seen
 * to the current number. Otherwise returns false after waiting some milliseconds, so that the
 * caller can check its cancel.
 */
bool growing_source_await(struct growing_source *growing, uint64_t *seen, bool *ended);

/*
 * Waits until there are more than `size` bytes or the input has ended, for at most `milliseconds`.
 */
void growing_source_wait(struct growing_source *growing, uint64_t size, unsigned milliseconds);

/* Reports that the index is done with the first `bytes` bytes, so that more may be read. */
void growing_source_pass(struct growing_source *growing, uint64_t bytes);

#endif
