/* SPDX-License-Identifier: MIT */
/*
 * The event stream of a trace, whatever container it came in (apitrace.md 2.1,
 * 2.2): bytes by their offset in the stream. Snappy chunks are found by their heads
 * and expanded one by one when they are read, through the cache; gzip, zstd and xz
 * are source/source's, and Brotli is expanded once into a spool. What is wrong with
 * the container is told when it is opened. Any thread after that. A stream may grow,
 * as its source does: one thread waits for more of it, and the rest reads what there is.
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
    APITRACE_ZSTD, /* with a table of its frames; others source/source unwraps */
    APITRACE_BARE, /* as it is, or unwrapped by source/source */
};

struct apitrace_chunk {
    uint64_t file; /* of the compressed block, past its head */
    uint64_t raw;  /* offset in the stream */
};

/* Provides chunks in the cache's place, as apitrace_stream_load() does. */
struct apitrace_chunk_provider {
    int (*provide)(void *context, uint64_t number,
                   struct blob **out); /* NULL: the cache provides them */
    void *context;
};

struct apitrace_stream {
    const struct source *source; /* borrowed */
    enum apitrace_container container;
    _Atomic uint64_t size;         /* bytes of the stream */
    const uint8_t *mapped;         /* all of the stream; NULL: it stands in chunks */
    uint64_t spooled;              /* bytes of `mapped` that are the stream's own mapping … */
    struct spool_budget *budget;   /* … and are given back to that; NULL: to none */
    struct apitrace_chunk *chunks; /* count + 1: the last one is where they end */
    _Atomic uint64_t count;
    uint64_t room;
    struct apitrace_memory memory; /* of the list */
    /* Where the cache will stand; NULL there: chunks are expanded for each read. */
    struct cache *const *cache;
    struct apitrace_recent *recent; /* what is not in the cache yet; NULL: goes there at once */
    struct apitrace_chunk_provider provider; /* while one reads it all before others may */
    /* In place of all that where a stream arrives piece by piece: what is there of it. */
    const uint8_t *fed;
    uint64_t fed_at, fed_size;        /* its offset in the stream, its bytes */
    struct apitrace_growing *growing; /* NULL: all is there */
};

struct apitrace_stream_params {
    const struct source_params *source; /* outlives a stream that grows */
    uint64_t max_memory;                /* of the list of chunks */
    struct problems *problems;
};

/* Whether the source begins as a trace: a score for the format's probe, 0: it does not. */
int apitrace_stream_probe(const struct source *source);

/* 0, -EINTR, -ENOMEM, -errno of the spool. */
int apitrace_stream_open(const struct source *source, const struct apitrace_stream_params *params,
                         struct apitrace_stream *out);
void apitrace_stream_close(struct apitrace_stream *stream);

/*
 * Waits until a stream that grows has more than `size` bytes: the caller has no more use
 * for what came before. 0; -ENODATA at the end, whose problems are told then; -EINTR,
 * -ENOMEM, -errno of the spool.
 */
int apitrace_stream_wait(struct apitrace_stream *stream, uint64_t size,
                         const struct cancel *cancel);

/* A stretch of the stream in memory: [begin, begin + size) of it. */
struct apitrace_stretch {
    struct blob *blob; /* the receiver's; NULL for what is mapped */
    const uint8_t *data;
    uint64_t begin, size;
    uint64_t chunk; /* the blob's number */
};

/*
 * The stretch that holds `position`. 0, -ENODATA at the end of the stream, -EBADMSG
 * from where its chunk is damaged, -EINTR, -ENOMEM.
 */
int apitrace_stream_get(const struct apitrace_stream *stream, uint64_t position,
                        const struct cancel *cancel, struct apitrace_stretch *out);

/*
 * Lets a stretch that was got be the one that holds `position`, if it is of the same chunk; false:
 * it is not, and nothing has changed.
 */
bool apitrace_stream_move(const struct apitrace_stream *stream, uint64_t position,
                          struct apitrace_stretch *stretch);

/*
 * Expands a chunk. A damaged one is sparse (below): what it gives before the fault, and a hole.
 * 0, -EBADMSG if it gives nothing, -ENOMEM.
 */
int apitrace_stream_expand(const struct apitrace_stream *stream, uint64_t number,
                           struct blob **out);

/* The same, unless it is sparse (below): then it is only made ready to be read. */
int apitrace_stream_load(const struct apitrace_stream *stream, uint64_t number, struct blob **out);

/*
 * Where in the stream the stretch's chunk begins to be damaged; UINT64_MAX: it is not. For what was
 * expanded, not for what is kept of a chunk (recent.c).
 */
uint64_t apitrace_stream_damage(const struct apitrace_stream *stream,
                                const struct apitrace_stretch *stretch);

/* The chunk's number that holds `position`, which is inside the stream. */
uint64_t apitrace_stream_find(const struct apitrace_stream *stream, uint64_t position);

/* The first byte of the stream as far as the source has it, which is its version; else 0. */
uint8_t apitrace_stream_version(const struct apitrace_stream *stream);

/* "snappy", "brotli", "zstd", "xz", "gzip" or "plain". */
const char *apitrace_stream_container(const struct apitrace_stream *stream);

/*
 * recent.c: the chunks that were read last. Most are read once, by a reader of the trace in its
 * order: those are here for a while, and their memory is that of the next ones. Only what is read
 * again goes to the cache, where each chunk has new memory, which takes three times as long to be
 * had as what a tracer has packed badly takes to be expanded. Of a stream of few bytes all are
 * here, from the index pass on, so that each is expanded once; of others what the pass leaves of
 * chunks that are blobs for the most part. Any thread.
 */
struct apitrace_recent;

/* Of a stream of so many chunks and bytes. NULL: there is no memory. */
struct apitrace_recent *apitrace_recent_create(uint64_t count, uint64_t size);
void apitrace_recent_destroy(struct apitrace_recent **recent);

bool apitrace_recent_keeps_all(const struct apitrace_recent *recent);

/*
 * Where all chunks are kept, they stand one behind the other, as in the stream: a blob in which the
 * chunk of `size` bytes from `begin` on is to be expanded, once. 0, with *out NULL where it is to
 * have memory of its own; -ENOMEM.
 */
int apitrace_recent_place(struct apitrace_recent *recent, uint64_t number, uint64_t begin,
                          size_t size, struct blob **out);

/* The chunk, the caller's to drop, or NULL; whether it was here before. */
struct blob *apitrace_recent_find(struct apitrace_recent *recent, uint64_t number, bool *seen);
void apitrace_recent_add(struct apitrace_recent *recent, uint64_t number, struct blob *blob);

/*
 * What is left of a chunk without its holes (below), kept as long as the stream: what passes over
 * them, as texts do over blobs, need not have the chunk expanded again.
 */
void apitrace_recent_keep(struct apitrace_recent *recent, uint64_t number, struct blob *rest);

/* The caller's to drop, or NULL. */
struct blob *apitrace_recent_kept(struct apitrace_recent *recent, uint64_t number);

/*
 * expander.c: chunks of a stream, expanded by a thread of their own shortly before they are read:
 * for the index pass, which reads a whole stream once, before others use it. The thread ends with
 * the expander. One reader.
 */
struct apitrace_expander;

/* Whether a thread would gain time: the stream stands in chunks, and they are many and large, but
 * none unusually. */
bool apitrace_expander_helps(const struct apitrace_stream *stream);

/* Begins with the chunk that holds `position`. NULL: there is no thread to be had. */
struct apitrace_expander *apitrace_expander_create(const struct apitrace_stream *stream,
                                                   uint64_t position);
void apitrace_expander_destroy(struct apitrace_expander **expander);

/* As apitrace_stream_load(); those that follow are expanded meanwhile. */
int apitrace_expander_get(struct apitrace_expander *expander, uint64_t number, struct blob **out);

/*
 * sparse.c: chunks that are long literals for the most part, as of textures and vertices that
 * cannot be packed. Those are read where they stand in the file, and only what is between them is
 * expanded: of bytes that are passed over, as blobs mostly are, none is touched. Pure functions,
 * any thread.
 */

/*
 * A block of a chunk of `raw` bytes, made ready. 0, with *out NULL where it is not such a chunk, or
 * damaged; -ENOMEM.
 */
int apitrace_sparse_make(const uint8_t *block, size_t size, size_t raw, struct blob **out);

/* Whether the blob of a chunk of `raw` bytes is sparse, and not just these bytes. */
bool apitrace_sparse_is(const struct blob *blob, uint64_t raw);

/* Bytes of a chunk, by their places in it. */
struct apitrace_hole {
    size_t begin, end;
};

/*
 * What is outside of some holes, in their order, of a chunk of `raw` bytes, as such a chunk whose
 * block nothing is read of. 0, with *out NULL where that would be more than `max` bytes, at most
 * half of it; -ENOMEM.
 */
int apitrace_sparse_without(const uint8_t *bytes, size_t raw, size_t max,
                            const struct apitrace_hole *holes, size_t count, struct blob **out);

/*
 * The first `sound` > 0 bytes of a chunk of `raw`, at most APITRACE_CHUNK_MAX, of which the others
 * are a hole. 0 or -ENOMEM.
 */
int apitrace_sparse_begin(const uint8_t *bytes, size_t sound, size_t raw, struct blob **out);

/* Where the hole begins that such a chunk ends with; `raw`: it ends with none. */
size_t apitrace_sparse_end(const struct blob *blob, size_t raw);

/*
 * The bytes around the place `raw` in such a chunk, which is inside; `*begin` and `*size` tell
 * which. They last as long as block and blob. NULL: they are in a hole.
 */
const uint8_t *apitrace_sparse_find(const struct blob *blob, const uint8_t *block, size_t raw,
                                    size_t *begin, size_t *size);

/*
 * snappy.c: raw Snappy blocks, as trace files hold them (apitrace.md 2.2). A decoder of our
 * own, since a block that is cut off must give what it still holds, which the
 * library does not do. Pure functions, any thread.
 */

/*
 * The uncompressed length that a block states, and at `*head` the bytes that say so;
 * false when the block does not begin with a length.
 */
bool apitrace_snappy_length(const uint8_t *block, size_t size, uint64_t *length, size_t *head);

/*
 * Expands a block into at most `room` bytes. Returns how many were written; `*whole`
 * tells whether that was all of the block, without a fault.
 */
size_t apitrace_snappy_expand(const uint8_t *block, size_t size, uint8_t *out, size_t room,
                              bool *whole);

/* Brotli as one of source/expand.h's containers; it has no magic, so nothing recognises it. */
extern const struct expander apitrace_brotli;

/*
 * The first bytes of what a stream expands to, at most `room`: their number, 0 for
 * what is no Brotli.
 */
size_t apitrace_brotli_peek(const uint8_t *data, uint64_t size, uint8_t *out, size_t room);

#endif
