/* SPDX-License-Identifier: MIT */
/*
 * Shared by the files of this folder: where chunks begin, and how containers are distinguished. One
 * thread for each stream.
 */
#ifndef GPUDUMPFS_APITRACE_CONTAINER_PARTS_H
#define GPUDUMPFS_APITRACE_CONTAINER_PARTS_H

#include "formats/apitrace/container/container.h"

enum {
    APITRACE_MAGIC_BYTES = 2,
    APITRACE_HEAD_BYTES = 4, /* length field before each chunk, which has its compressed size */
};

/*
 * probe.c: returns the format's probe score if a source begins like an uncompressed stream; 0 if it
 * does not.
 */
int apitrace_probe_bare(const struct source *source);

/* Returns the format's probe score if a file begins like one of Snappy chunks; 0 if it does not. */
int apitrace_probe_snappy(const uint8_t *data, uint64_t size);

/*
 * Gets the trace's version from the beginning of the first chunk's block. Returns false if it
 * cannot be expanded.
 */
bool apitrace_probe_version(const uint8_t *block, uint64_t size, uint8_t *version);

/* chunk_list.c: the search for Snappy chunks. */
struct apitrace_chunk_listing {
    const struct apitrace_stream_params *params;
    uint64_t size; /* bytes of the file known so far */
    bool open;     /* more bytes may come, so that an incomplete chunk has to wait */
    uint64_t file; /* offset of the next chunk's head */
    bool told;     /* the fault of the last chunk has been reported */
};

/* Begins the chunk list; `file` is where the first chunk begins. Returns 0 or -ENOMEM. */
int apitrace_chunks_begin(struct apitrace_stream *stream, uint64_t file);

/*
 * Lists all chunks that are there, and reports what is wrong with them. Returns 1 if there are no
 * more, 2 if more may come, -EINTR or -ENOMEM.
 */
int apitrace_chunks_list(struct apitrace_stream *stream, struct apitrace_chunk_listing *listing,
                         const struct cancel *cancel);

/* Lists the frames of a Zstandard file that has a table of them. Returns 0 or -ENOMEM. */
int apitrace_chunks_list_frames(struct apitrace_stream *stream,
                                const struct apitrace_stream_params *params);

#endif
