/* SPDX-License-Identifier: MIT */
/*
 * The event stream of a trace, whatever its container (apitrace.md 2.1, 2.2): bytes by their offset
 * in the stream. Snappy chunks are found by their heads and expanded one by one when they are read,
 * through the cache; source/source unwraps gzip, zstd and xz, and Brotli is expanded once into a
 * spool. Opening a stream reports what is wrong with its container. After that, any thread may use
 * it. A stream grows with its source: one thread waits for more, and the others read what is there.
 */
#ifndef GPUDUMPFS_APITRACE_CONTAINER_CONTAINER_H
#define GPUDUMPFS_APITRACE_CONTAINER_CONTAINER_H

#include "base/blob.h"
#include "base/problems.h"
#include "cache/cache.h"
#include "formats/apitrace/collections.h"
#include "source/expand.h"
#include "source/source.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    APITRACE_CHUNK_MAX = 64 << 20, /* raw bytes */
    APITRACE_VERSION_MAX = 6,
};

enum apitrace_container {
    APITRACE_SNAPPY,
    APITRACE_BROTLI,
    APITRACE_ZSTD, /* with a table of its frames; source/source unwraps the others */
    APITRACE_BARE, /* uncompressed, or unwrapped by source/source */
};

struct apitrace_chunk {
    uint64_t file; /* offset in the file of the compressed block, after its head */
    uint64_t raw;  /* offset in the stream */
};

/*
 * Provides chunks instead of the cache, with the contract of apitrace_stream_load(). If `provide`
 * is NULL, the cache provides them.
 */
struct apitrace_chunk_provider {
    int (*provide)(void *context, uint64_t number, struct blob **out);
    void *context;
};

struct apitrace_stream {
    const struct source *source; /* borrowed */
    enum apitrace_container container;
    _Atomic uint64_t size;       /* bytes of the stream */
    const uint8_t *mapped;       /* the complete stream; NULL if it is in chunks */
    uint64_t spooled;            /* bytes of `mapped` that the stream itself has mapped (Brotli) */
    struct spool_budget *budget; /* receives `spooled` back when the stream is closed; or NULL */
    struct apitrace_chunk *chunks; /* count + 1: the last one is where the chunks end */
    _Atomic uint64_t count;
    uint64_t room;
    struct apitrace_memory memory; /* of the chunk list */
    /* Where the cache will be set; while *cache is NULL, chunks are expanded for each read. */
    struct cache *const *cache;
    /* Chunks that are not in the cache yet; NULL: all chunks go to the cache at once. */
    struct apitrace_recent *recent;
    /* Set while one thread reads the complete stream before others may. */
    struct apitrace_chunk_provider provider;
    /* Used instead of all the above where a stream arrives in pieces: the piece that is there. */
    const uint8_t *fed;
    uint64_t fed_at, fed_size;        /* its offset in the stream, and its size */
    struct apitrace_growing *growing; /* NULL: the stream is complete */
};

struct apitrace_stream_params {
    const struct source_params *source; /* must outlive a stream that grows */
    uint64_t max_memory;                /* for the list of chunks */
    struct problems *problems;
};

/* Returns the format's probe score for how the source begins; 0 if it is no trace; or -ENOMEM. */
int apitrace_stream_probe(const struct source *source);

/*
 * Opens the stream of `source`, which must outlive it. Returns 0, -EINTR, -ENOMEM, or -errno of the
 * spool. Call apitrace_stream_close() even if it fails.
 */
int apitrace_stream_open(const struct source *source, const struct apitrace_stream_params *params,
                         struct apitrace_stream *out);
void apitrace_stream_close(struct apitrace_stream *stream);

/*
 * Waits until a stream that grows has more than `size` bytes; the caller no longer needs what came
 * before. Returns 0; -ENODATA at the end, whose problems are reported then; -EINTR, -ENOMEM, or
 * -errno of the spool.
 */
int apitrace_stream_wait(struct apitrace_stream *stream, uint64_t size,
                         const struct cancel *cancel);

/* Consecutive bytes of the stream in memory: [begin, begin + size) of it. */
struct apitrace_stretch {
    struct blob *blob; /* owned by the receiver; NULL if the bytes are mapped */
    const uint8_t *data;
    uint64_t begin, size;
    uint64_t chunk; /* number of the chunk in `blob` */
};

/*
 * Gets the stretch that contains `position`. Returns 0, -ENODATA at the end of the stream, -EBADMSG
 * if its chunk is damaged at or before the position, -EINTR or -ENOMEM.
 */
int apitrace_stream_get(const struct apitrace_stream *stream, uint64_t position,
                        const struct cancel *cancel, struct apitrace_stretch *out);

/*
 * Moves a stretch to `position` if its chunk contains that. Otherwise returns false, leaving the
 * stretch unchanged.
 */
bool apitrace_stream_move(const struct apitrace_stream *stream, uint64_t position,
                          struct apitrace_stretch *stretch);

/*
 * Expands a chunk. If it is damaged, the result is sparse (see below): the bytes before the fault,
 * and a hole. Returns 0, -EBADMSG if no byte can be expanded, or -ENOMEM.
 */
int apitrace_stream_expand(const struct apitrace_stream *stream, uint64_t number,
                           struct blob **out);

/*
 * Does the same, but does not expand a chunk that consists mostly of long literals: of this it
 * makes a sparse one (see below), whose literals are read from the file.
 */
int apitrace_stream_load(const struct apitrace_stream *stream, uint64_t number, struct blob **out);

/*
 * Returns where in the stream the damaged part of the stretch's chunk begins; UINT64_MAX if it is
 * not damaged. A hole that recent.c leaves in what it keeps of a chunk is no damage.
 */
uint64_t apitrace_stream_damage(const struct apitrace_stream *stream,
                                const struct apitrace_stretch *stretch);

/* Returns the number of the chunk that contains `position`, which must be inside the stream. */
uint64_t apitrace_stream_find(const struct apitrace_stream *stream, uint64_t position);

/* Returns the first byte of the stream, its version, or 0 if the source does not have it yet. */
uint8_t apitrace_stream_version(const struct apitrace_stream *stream);

/* "snappy", "brotli", "zstd", "xz", "gzip" or "plain". */
const char *apitrace_stream_container(const struct apitrace_stream *stream);

/*
 * recent.c: the chunks that were read last. Most chunks are read once, by a reader that goes
 * through the trace in order. These stay here for a while, and their memory is reused for the next
 * ones. Only chunks that are read again go to the cache, which allocates new memory for each: that
 * takes three times as long as expanding a badly compressed chunk. For a short stream all chunks
 * stay here from the index pass on, so that each is expanded once. For longer streams the index
 * pass leaves here what is outside of the blobs, of chunks that are mostly blobs. Any thread.
 */
struct apitrace_recent;

/* For a stream of `count` chunks and `size` bytes. Returns NULL if memory is short. */
struct apitrace_recent *apitrace_recent_create(uint64_t count, uint64_t size);
void apitrace_recent_destroy(struct apitrace_recent **recent);

/* Returns whether the stream is so short that all of its chunks stay here. */
bool apitrace_recent_keeps_all(const struct apitrace_recent *recent);

/*
 * Provides the memory in which to expand the chunk of `size` bytes from `begin` on. If all chunks
 * are kept, they are consecutive in memory, as in the stream. Only the first call for a chunk gets
 * its place there. Returns 0, with *out NULL if the chunk needs memory of its own, or -ENOMEM.
 */
int apitrace_recent_place(struct apitrace_recent *recent, uint64_t number, uint64_t begin,
                          size_t size, struct blob **out);

/*
 * Returns a reference to the chunk, which the caller drops, or NULL. Sets *seen to whether the
 * chunk has been added before, even if it is no longer here.
 */
struct blob *apitrace_recent_find(struct apitrace_recent *recent, uint64_t number, bool *seen);

/* Adds a chunk, with a reference of its own; it may replace another one. */
void apitrace_recent_add(struct apitrace_recent *recent, uint64_t number, struct blob *blob);

/*
 * Keeps what is left of a chunk without its holes (see below) for the life of the stream. Readers
 * that pass over the holes, as texts do with blobs, then need not have the chunk expanded again.
 */
void apitrace_recent_keep(struct apitrace_recent *recent, uint64_t number, struct blob *rest);

/* Returns a reference that the caller drops, or NULL if nothing of the chunk is kept. */
struct blob *apitrace_recent_kept(struct apitrace_recent *recent, uint64_t number);

/*
 * expander.c: a thread that expands chunks of a stream shortly before they are read. It serves the
 * index pass, which reads the complete stream once before others use it. The thread ends with the
 * expander. One reader.
 */
struct apitrace_expander;

/*
 * Returns whether an expander would save time: the stream must have many large chunks, and none
 * that is unusually large.
 */
bool apitrace_expander_helps(const struct apitrace_stream *stream);

/*
 * Starts with the chunk that contains `position`. Returns NULL if memory is short or no thread can
 * be started.
 */
struct apitrace_expander *apitrace_expander_create(const struct apitrace_stream *stream,
                                                   uint64_t position);
void apitrace_expander_destroy(struct apitrace_expander **expander);

/* As apitrace_stream_load(); the next chunks are expanded at the same time. */
int apitrace_expander_get(struct apitrace_expander *expander, uint64_t number, struct blob **out);

/*
 * sparse.c: chunks that consist mostly of long literals, such as textures and vertices that cannot
 * be compressed. The literals are read where they are in the file, and only what is between them is
 * expanded. Bytes that are passed over, as blobs mostly are, are never touched. Pure functions, any
 * thread.
 */

/*
 * Prepares the block of a chunk of `raw` bytes. Returns 0, with *out NULL if the chunk is not of
 * this kind or is damaged, or -ENOMEM.
 */
int apitrace_sparse_make(const uint8_t *block, size_t size, size_t raw, struct blob **out);

/* Returns whether the blob of a chunk of `raw` bytes is sparse rather than just these bytes. */
bool apitrace_sparse_is(const struct blob *blob, uint64_t raw);

/* A range of bytes of a chunk, by their offsets in it. */
struct apitrace_hole {
    size_t begin, end;
};

/*
 * Builds a sparse chunk from the bytes of a chunk of `raw` bytes that are outside of some holes,
 * which are in ascending order. The chunk's block is not read. Returns 0, with *out NULL if the
 * result would take more than `max` bytes, or -ENOMEM.
 */
int apitrace_sparse_without(const uint8_t *bytes, size_t raw, size_t max,
                            const struct apitrace_hole *holes, size_t count, struct blob **out);

/*
 * Builds a sparse chunk of `raw` bytes, at most APITRACE_CHUNK_MAX, from the first `sound` > 0 of
 * them; the rest is a hole. Returns 0 or -ENOMEM.
 */
int apitrace_sparse_begin(const uint8_t *bytes, size_t sound, size_t raw, struct blob **out);

/* Returns how many bytes of a sparse chunk are before its first fault: all if it has none. */
size_t apitrace_sparse_sound(const struct blob *blob);

/*
 * Finds the bytes around offset `raw`, which is inside the sparse chunk; `*begin` and `*size`
 * receive their range. They are valid as long as block and blob are. Returns NULL if they are in a
 * hole.
 */
const uint8_t *apitrace_sparse_find(const struct blob *blob, const uint8_t *block, size_t raw,
                                    size_t *begin, size_t *size);

/*
 * snappy.c: raw Snappy blocks, as trace files contain them (apitrace.md 2.2). This is a separate
 * decoder because a block that is cut off must yield what it still contains, which the Snappy
 * library does not do. Pure functions, any thread.
 */

/*
 * Gets the uncompressed length that a block states, and in `*head` the number of bytes that encode
 * it. Returns false if the block does not begin with a length.
 */
bool apitrace_snappy_length(const uint8_t *block, size_t size, uint64_t *length, size_t *head);

/*
 * Expands a block into at most `room` bytes. Returns how many were written. Sets `*whole` to
 * whether these are the complete block, without a fault.
 */
size_t apitrace_snappy_expand(const uint8_t *block, size_t size, uint8_t *out, size_t room,
                              bool *whole);

/*
 * Brotli as one of source/expand.h's containers. It has no magic number, so it is never recognised
 * by one.
 */
extern const struct expander apitrace_brotli;

/*
 * Expands the beginning of a Brotli stream into at most `room` bytes. Stores how many bytes were
 * written, 0 if it is not Brotli. Returns 0 or -ENOMEM.
 */
int apitrace_brotli_peek(const uint8_t *data, uint64_t size, uint8_t *out, size_t room,
                         size_t *given);

#endif
