/* SPDX-License-Identifier: MIT */
/*
 * Expands a container into an unnamed file on disk, which disappears with its mapping, however the
 * program ends. On a tmpfs such a file would count as memory (RssShmem), which is why the default
 * is /var/tmp. One thread.
 */
#ifndef GPUDUMPFS_SOURCE_SPOOL_H
#define GPUDUMPFS_SOURCE_SPOOL_H

#include "base/cancel.h"
#include "base/problems.h"
#include "source/expand.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The number of bytes to which all containers of a mount together may have expanded at a time. A
 * container that has expanded to more than SPOOL_FAIR times its own size must leave 1/SPOOL_KEPT of
 * them to others. One that has not may exceed the budget, so that ordinary dumps do not take bytes
 * from each other. Any thread.
 */
struct spool_budget {
    atomic_uint_fast64_t used;
    uint64_t max;
};

enum { SPOOL_FAIR = 16, SPOOL_KEPT = 16 /* 1/16 of `max` is kept for others */ };

/* Gives bytes back to the budget; NULL is ignored. */
void spool_budget_give(struct spool_budget *budget, uint64_t bytes);

/*
 * Expanded bytes from which on max_ratio applies, which detects a small container that expands
 * without end. Zeros expand to 1000 times their size in gzip, 7000 times in xz, more in zstd.
 */
#define SPOOL_RATIO_FROM ((uint64_t)64 << 20)

/*
 * Maximum zeros that are skipped between and after the streams of a container: a file may have
 * endless holes.
 */
#define SPOOL_PADDING_MAX ((uint64_t)256 << 20)

struct spool_params {
    const struct expander *expander;
    const uint8_t *data; /* the container */
    uint64_t size;
    uint64_t stored;   /* bytes of the container that are not holes, for the limits; 0: all */
    uint64_t max_size; /* maximum number of bytes after expansion */
    /* Maximum ratio of the bytes after expansion to the container's size; 0: any. */
    unsigned max_ratio;
    struct spool_budget *budget; /* shared with others; NULL: none. Outlives the file */
    const char *folder;          /* for the file; NULL: $TMPDIR or /var/tmp */
    struct problems *problems;
    const struct cancel *cancel;
    int64_t until; /* clock_ms() when expansion is interrupted; 0: never */
    /* Called now and then with the bytes of the container read so far; may be NULL. */
    void (*progress)(void *context, uint64_t done, uint64_t total);
    void *progress_context;
};

/*
 * Expands a complete container, or as much of it as possible. Whatever is missing is reported in
 * `problems`, such as what exceeds a limit; one limit is half of the space that is free in the
 * folder. On success *fd is a file of *size bytes, which the caller closes, and whose bytes the
 * caller gives back to the budget. Returns 0, -ENOMEM, -EINTR, -EAGAIN at the time `until`, or
 * -errno of the spool, which is also reported in `problems`: -ENOSPC also if the budget is used up.
 */
int spool_expand(const struct spool_params *params, int *fd, uint64_t *size);

/*
 * The same step by step, also for a container that is still being written: `data` is where all of
 * the container will be, and nothing may move.
 */
struct spool;

/*
 * Begins an expansion. What `params` points to must exist while the spool is used. Returns 0,
 * -ENOMEM, or -errno of the spool.
 */
int spool_open(const struct spool_params *params, struct spool **out);
void spool_close(struct spool **spool); /* *spool may be NULL */

/*
 * Expands the container up to its first `size` bytes. `open` means that more of it may come.
 * Returns as spool_expand(). May be called again, also after -EAGAIN.
 */
int spool_take(struct spool *spool, uint64_t size, bool open);

/* Expands the rest, like spool_take(), but without a time limit and without reporting progress. */
int spool_finish(struct spool *spool, const struct cancel *cancel);

/* Hands the file over to the caller, which then also gives its bytes back to the budget. */
int spool_release(struct spool *spool);

/* Returns the file, which remains the spool's. */
int spool_file(const struct spool *spool);

/* Returns the number of bytes in the file so far. */
uint64_t spool_size(const struct spool *spool);

/* Returns the folder in which files are created: `folder`, or the default if it is NULL. */
const char *spool_folder(const char *folder);

/* Creates an unnamed file in a folder, for writing and mapping. Returns a descriptor or -errno. */
int spool_create(const char *folder);

/*
 * Returns how many bytes `packed` bytes may expand to with this ratio, at least SPOOL_RATIO_FROM;
 * UINT64_MAX if `max_ratio` is 0.
 */
uint64_t spool_max_ratio(uint64_t packed, unsigned max_ratio);

/*
 * Returns how many of `more` bytes may be appended to a file of `size` bytes such that at least as
 * many bytes stay free on the disk as the file then has. Other programs fill the disk, too, so the
 * free space is checked again from time to time: *safe, 0 at first, is the size up to which no
 * check is needed.
 */
size_t spool_room(int fd, uint64_t size, size_t more, uint64_t *safe);

enum { SPOOL_DAMAGE_ROOM = 160 };

/*
 * Describes why a container is damaged, and which of the `size` bytes that it has expanded to may
 * be wrong. Damage is detected after the place where it is, at the latest by a checksum. The first
 * `checked` bytes are of streams that ended properly.
 */
void spool_describe_damage(const char *why, uint64_t checked, uint64_t size,
                           char detail[SPOOL_DAMAGE_ROOM]);

#endif
