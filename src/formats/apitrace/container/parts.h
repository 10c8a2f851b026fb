/* SPDX-License-Identifier: MIT */
/*
 * What the files of this folder share: where chunks begin, and what tells one container from
 * another. One thread for each stream.
 */
#ifndef GPUDUMPFS_APITRACE_CONTAINER_PARTS_H
#define GPUDUMPFS_APITRACE_CONTAINER_PARTS_H

#include "formats/apitrace/container/container.h"

enum {
    APITRACE_MAGIC_BYTES = 2,
    APITRACE_HEAD_BYTES = 4, /* of a chunk: its compressed length */
};

/* probe.c: how surely a source begins as a bare stream, or as Snappy chunks; 0: it does not. */
int apitrace_probe_bare(const struct source *source);
int apitrace_probe_snappy(const uint8_t *data, uint64_t size);

/* The trace's version, by the first chunk's block or its beginning; false: there is none. */
bool apitrace_probe_version(const uint8_t *block, uint64_t size, uint8_t *version);

/* chunk_list.c: what is looked through for Snappy chunks. */
struct apitrace_chunk_listing {
    const struct apitrace_stream_params *params;
    uint64_t size; /* bytes of the file */
    bool open;     /* more may come: a chunk that is not whole has to wait */
    uint64_t file; /* where the next chunk's head stands */
    bool told;     /* that it is the last one, and why */
};

/* `file`: where the first chunk begins. 0 or -ENOMEM. */
int apitrace_chunks_begin(struct apitrace_stream *stream, uint64_t file);

/*
 * All chunks that are there. 1: there are no more, 2: there may be; -EINTR, -ENOMEM. What is wrong
 * with them is told.
 */
int apitrace_chunks_list(struct apitrace_stream *stream, struct apitrace_chunk_listing *listing,
                         const struct cancel *cancel);

/* The frames of a Zstandard file that has a table of them. 0 or -ENOMEM. */
int apitrace_chunks_list_frames(struct apitrace_stream *stream,
                                const struct apitrace_stream_params *params);

#endif
