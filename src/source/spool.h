/* SPDX-License-Identifier: MIT */
/*
 * The expansion of a container into a file on disk that has no name: it goes away
 * with the mapping of it, however the program ends. On a tmpfs such a file would
 * count as memory (RssShmem), which is why /var/tmp is the default. One thread.
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
 * Bytes that all containers of a mount may have expanded to at a time. One that has become
 * SPOOL_FAIR times its own size leaves a sixteenth of them to others; one that has not may have
 * more, so that dumps as they are had as a rule take nothing from each other. Any thread.
 */
struct spool_budget {
    atomic_uint_fast64_t used;
    uint64_t max;
};

enum { SPOOL_FAIR = 16, SPOOL_KEPT = 16 /* a part of so many */ };

/* Bytes are free again: NULL is fine. */
void spool_budget_give(struct spool_budget *budget, uint64_t bytes);

/*
 * A container that is small, but expands without end, is told by its ratio, which counts from so
 * many bytes on. Zeros give 1000 times their size in gzip, 7000 times in xz, more in zstd.
 */
#define SPOOL_RATIO_FROM ((uint64_t)64 << 20)

/* Zeros behind the streams of a container, as far as they are passed: holes may be endless. */
#define SPOOL_PADDING_MAX ((uint64_t)256 << 20)

struct spool_params {
    const struct expander *expander;
    const uint8_t *data; /* the container */
    uint64_t size;
    uint64_t stored;             /* bytes of it that are no hole, by which it is limited; 0: all */
    uint64_t max_size;           /* bytes that it may expand to, … */
    unsigned max_ratio;          /* … and times its own size; 0: any */
    struct spool_budget *budget; /* shared with others; NULL: none. Outlives the file */
    const char *folder;          /* for the file; NULL: $TMPDIR, else /var/tmp */
    struct problems *problems;
    const struct cancel *cancel;
    int64_t until; /* of clock_ms(), when it stops to be gone on with; 0: never */
    /* NULL, or told now and then: bytes of the container taken so far. */
    void (*progress)(void *context, uint64_t done, uint64_t total);
    void *progress_context;
};

/*
 * Expands all of the container, or what can be had of it: what is missing is told
 * in `problems`, such as what is beyond a limit. One of them is half of what is free in the
 * folder. *fd, the caller's to close, has *size bytes then, which are the caller's to give back to
 * the budget. 0, -ENOMEM, -EINTR, -EAGAIN at the time `until`, or -errno of the spool, which is
 * told in `problems`, too: -ENOSPC also where the budget is used up.
 */
int spool_expand(const struct spool_params *params, int *fd, uint64_t *size);

/*
 * The same step by step, also of a container that is still being written: `data` is where all
 * of it will stand, and nothing that the spool is given moves.
 */
struct spool;

int spool_open(const struct spool_params *params, struct spool **out);
void spool_close(struct spool **spool); /* NULL inside is fine */

/*
 * Expands the container up to `size`; `open`: more of it may come. As spool_expand(); it may be
 * gone on with after -EAGAIN.
 */
int spool_take(struct spool *spool, uint64_t size, bool open);

/* Goes on with no limit in time, and tells of no progress: all of it, as spool_take(). */
int spool_finish(struct spool *spool, const struct cancel *cancel);

/* The file becomes the caller's, and its bytes the caller's to give back to the budget. */
int spool_release(struct spool *spool);

/* The file, which is the spool's to close, and the bytes that are in it. */
int spool_file(const struct spool *spool);
uint64_t spool_size(const struct spool *spool);

/* The folder in which files are made: `folder`, or what stands for NULL. */
const char *spool_folder(const char *folder);

/* A file without a name in a folder, to be written and mapped: its descriptor, or -errno. */
int spool_create(const char *folder);

/* The most that `packed` bytes may expand to by a ratio; 0: any. */
uint64_t spool_max_ratio(uint64_t packed, unsigned max_ratio);

/*
 * How many of `more` bytes a file of `size` bytes has room for, so that as much is left free as the
 * file has. Others fill the folder, too, so it is looked at again before half of the rest is used:
 * *safe, 0 at first, tells when.
 */
size_t spool_room(int fd, uint64_t size, size_t more, uint64_t *safe);

enum { SPOOL_DAMAGE_ROOM = 160 };

/*
 * Why a container is damaged, and what may be wrong of the `size` bytes that it has expanded to:
 * damage is met behind where it is, at the latest by a checksum; the first `checked` bytes are of
 * streams that ended as they should.
 */
void spool_describe_damage(const char *why, uint64_t checked, uint64_t size,
                           char detail[SPOOL_DAMAGE_ROOM]);

#endif
