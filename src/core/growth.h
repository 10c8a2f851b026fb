/*
 * The bytes of a dump that is still being written: what comes from a pipe, a
 * socket or a file that somebody else appends to, as one read-only array that gets
 * longer. Address space for the most that is allowed is mapped once over a file on
 * disk (the followed file itself when it is plain, else a spool), so nothing moves,
 * and what was published once stays as it is. A container is expanded on the way.
 *
 * growth_create() and growth_fill() belong to the thread that opens; after
 * growth_start() a thread of its own reads, and the rest may be called by any.
 */
#ifndef GPUDUMPFS_CORE_GROWTH_H
#define GPUDUMPFS_CORE_GROWTH_H

#include "core/cancel.h"
#include "core/expand.h"
#include "core/problems.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct growth;

struct growth_params {
    const char *path; /* a file that is followed; NULL: a pipe or socket, which ends when it ends */
    bool raw;         /* no container is looked for */
    uint64_t most;    /* bytes; beyond them nothing is read any more, and it counts as ended */
    const char *spool_dir; /* as in struct spool_params */
    struct problems *problems;
    atomic_bool *lost; /* raised when the followed file lost bytes */
};

enum {
    GROWTH_LAG = 64 << 20, /* a pipe is not read while so many bytes are not passed */
    GROWTH_SETTLED = 2000, /* ms: a file that was closed and stands still so long has ended */
};

/*
 * Takes the descriptor over, also by a failure. 0, -ENOMEM, or -errno of the spool.
 */
int growth_create(int fd, const struct growth_params *params, struct growth **out);

/* Ends the thread, and closes the descriptor: a pipe's writer is told then. */
void growth_destroy(struct growth **growth);

/*
 * Reads until `bytes` are there, or the end, for at most `milliseconds` (negative: any
 * time). 0, -EINTR when cancelled, -ENOMEM.
 */
int growth_fill(struct growth *growth, uint64_t bytes, int milliseconds,
                const struct cancel *cancel);

/* 0 or -errno. */
int growth_start(struct growth *growth);

/* The first byte; growth_size() bytes may be read, now and forever. NULL: there is none yet. */
const uint8_t *growth_data(const struct growth *growth);
uint64_t growth_size(const struct growth *growth);

/* Bytes that came of the file or stream as it is, expanded or not. */
uint64_t growth_arrived(const struct growth *growth);

/* Raises params.lost if the followed file is shorter than what was published of it. Any thread. */
void growth_look(const struct growth *growth);

/* Nothing more will come. Ask before growth_size(), which is final then. */
bool growth_has_ended(const struct growth *growth);

enum source_container growth_container(const struct growth *growth);

/* Until there are more than `size` bytes, or the end, or for so long at most. */
void growth_wait(struct growth *growth, uint64_t size, unsigned milliseconds);

/* Whoever understands the bytes is done with the first `bytes`: the next may be read. */
void growth_pass(struct growth *growth, uint64_t bytes);

#endif
