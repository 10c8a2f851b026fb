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

#include <stddef.h>
#include <stdint.h>

struct spool_params {
    const struct expander *expander;
    const uint8_t *data; /* the container */
    uint64_t size;
    uint64_t max_size;  /* bytes that it may expand to */
    const char *folder; /* for the file; NULL: $TMPDIR, else /var/tmp */
    struct problems *problems;
    const struct cancel *cancel;
    /* NULL, or told now and then: bytes of the container taken so far. */
    void (*progress)(void *context, uint64_t done, uint64_t total);
    void *progress_context;
};

/*
 * Expands all of the container, or what can be had of it: what is missing is told
 * in `problems`. *fd, the caller's to close, has *size bytes then. 0, -ENOMEM,
 * -EINTR, or -errno of the spool (-ENOSPC), which is told in `problems`, too.
 */
int spool_expand(const struct spool_params *params, int *fd, uint64_t *size);

/*
 * The same of a container that is still being written, step by step: `data` is where all
 * of it will stand, and nothing that the spool is given moves.
 */
struct spool;

int spool_open(const struct spool_params *params, struct spool **out);
void spool_close(struct spool **spool); /* NULL inside is fine */

/* Expands the container up to `size`; `open`: more of it may come. As spool_expand(). */
int spool_take(struct spool *spool, uint64_t size, bool open);

/* The file, which is the spool's to close, and the bytes that are in it. */
int spool_file(const struct spool *spool);
uint64_t spool_size(const struct spool *spool);

/* The folder in which files are made: `folder`, or what stands for NULL. */
const char *spool_folder(const char *folder);

/* A file without a name in a folder, to be written and mapped: its descriptor, or -errno. */
int spool_create(const char *folder);

/* 0 or -errno. */
int spool_write(int fd, const uint8_t *bytes, size_t size);

#endif
