/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/container/parts.h"

#include "source/growing_source.h"
#include "source/sigbus_guard.h"
#include "source/spool.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Brotli. */

/* Maps the spool. A read error there is reported like a change of the dump's own file. */
static int map_spool(struct apitrace_stream *stream, int fd, uint64_t size)
{
    void *mapped;

    if (size == 0)
        return 0;
    if (size > SIZE_MAX / 2)
        return -EFBIG;
    mapped = mmap(NULL, (size_t)size, PROT_READ, MAP_SHARED | MAP_NORESERVE, fd, 0);
    if (mapped == MAP_FAILED)
        return -errno;
    if (sigbus_guard_add(mapped, (size_t)size, source_lost(stream->source)) != 0) {
        munmap(mapped, (size_t)size);
        return -ENOMEM;
    }
    stream->mapped = mapped;
    stream->spooled = size;
    return 0;
}

static int expand_brotli(struct apitrace_stream *stream,
                         const struct apitrace_stream_params *params)
{
    struct spool_params spool = {.expander = &apitrace_brotli,
                                 .data = stream->source->data,
                                 .size = stream->source->size,
                                 .problems = params->problems};
    uint64_t size = 0;
    int fd = -1, status;

    source_limit_spool(params->source, &spool);
    status = spool_expand(&spool, &fd, &size);
    if (status < 0)
        return status;
    status = map_spool(stream, fd, size);
    close(fd);
    if (status < 0)
        spool_budget_give(spool.budget, size);
    else
        stream->budget = spool.budget;
    stream->size = stream->spooled;
    return status;
}

/* A stream that grows. */

struct apitrace_growing {
    struct growing_source *growth;
    struct apitrace_stream_params params;
    uint64_t seen;                         /* bytes of the source that were examined */
    struct apitrace_chunk_listing listing; /* of Snappy chunks */
    struct spool *spool;                   /* of Brotli */
    bool over;     /* no further bytes of the source can be used, such as after a damaged chunk */
    bool complete; /* the source has ended, and all of it was examined */
};

/* Expands Brotli as it arrives, into address space for the maximum allowed size. */
static int begin_brotli(struct apitrace_stream *stream)
{
    struct apitrace_growing *growing = stream->growing;
    struct spool_params spool = {.expander = &apitrace_brotli,
                                 .data = stream->source->data,
                                 .problems = growing->params.problems};
    int status;

    source_limit_spool(growing->params.source, &spool);
    spool.until = 0;
    status = spool_open(&spool, &growing->spool);
    return status < 0 ? status : map_spool(stream, spool_file(growing->spool), spool.max_size);
}

static int begin_growing(struct apitrace_stream *stream,
                         const struct apitrace_stream_params *params)
{
    struct apitrace_growing *growing = calloc(1, sizeof(*growing));

    stream->growing = growing;
    if (growing == NULL)
        return -ENOMEM;
    growing->growth = stream->source->growth;
    growing->params = *params;
    growing->listing =
        (struct apitrace_chunk_listing){.params = &growing->params, .file = APITRACE_MAGIC_BYTES};
    if (stream->container == APITRACE_SNAPPY) {
        stream->memory.reserve = apitrace_reserve(params->max_memory);
        return apitrace_chunks_begin(stream, APITRACE_MAGIC_BYTES + APITRACE_HEAD_BYTES);
    }
    return stream->container == APITRACE_BROTLI ? begin_brotli(stream) : 0;
}

/* Makes the bytes that arrived part of the stream. */
static int take(struct apitrace_stream *stream, bool ended, const struct cancel *cancel)
{
    struct apitrace_growing *growing = stream->growing;
    int status = 0;

    switch (stream->container) {
    case APITRACE_SNAPPY:
        growing->listing.size = growing->seen;
        growing->listing.open = !ended;
        status = apitrace_chunks_list(stream, &growing->listing, cancel);
        break;
    case APITRACE_BROTLI:
        status = spool_take(growing->spool, growing->seen, !ended);
        stream->size = spool_size(growing->spool);
        break;
    default:
        stream->size = growing->seen;
        break;
    }
    growing->over = status == 1;
    return status < 0 ? status : 0;
}

int apitrace_stream_wait(struct apitrace_stream *stream, uint64_t size, const struct cancel *cancel)
{
    struct apitrace_growing *growing = stream->growing;
    int status = 0;

    if (growing == NULL)
        return -ENODATA;
    while (status == 0 && stream->size <= size && !growing->complete) {
        bool ended = false;

        if (cancel_requested(cancel))
            return -EINTR;
        growing_source_pass(growing->growth, growing->seen);
        if (!growing_source_await(growing->growth, &growing->seen, &ended))
            continue;
        if (!growing->over)
            status = take(stream, ended, cancel);
        growing->complete = ended && status == 0;
    }
    return status == 0 && stream->size <= size ? -ENODATA : status;
}

static int open_whole(struct apitrace_stream *stream, const struct apitrace_stream_params *params)
{
    const struct source *source = stream->source;
    struct apitrace_chunk_listing listing = {
        .params = params, .size = source->size, .file = APITRACE_MAGIC_BYTES};
    int status;

    switch (stream->container) {
    case APITRACE_ZSTD:
        return apitrace_chunks_list_frames(stream, params);
    case APITRACE_SNAPPY:
        status = apitrace_chunks_begin(stream, APITRACE_MAGIC_BYTES + APITRACE_HEAD_BYTES);
        if (status == 0)
            status = apitrace_chunks_list(stream, &listing, params->source->cancel);
        return status < 0 ? status : 0;
    case APITRACE_BARE:
        stream->size = source->size;
        return 0;
    default:
        return expand_brotli(stream, params);
    }
}

static enum apitrace_container container_of(const struct source *source)
{
    if (source->packed)
        return APITRACE_ZSTD;
    if (apitrace_probe_snappy(source->data, source->size) > 0)
        return APITRACE_SNAPPY;
    return apitrace_probe_bare(source) > 0 ? APITRACE_BARE : APITRACE_BROTLI;
}

int apitrace_stream_open(const struct source *source, const struct apitrace_stream_params *params,
                         struct apitrace_stream *out)
{
    int status;

    *out = (struct apitrace_stream){.source = source};
    out->container = container_of(source);
    if (out->container == APITRACE_BARE)
        out->mapped = source->data;
    status = source->growth != NULL ? begin_growing(out, params) : open_whole(out, params);
    if (status == 0 && out->growing == NULL && out->chunks != NULL)
        out->recent = apitrace_recent_create(out->count, out->size);
    return status;
}

void apitrace_stream_close(struct apitrace_stream *stream)
{
    if (stream->spooled > 0) {
        sigbus_guard_remove(stream->mapped);
        munmap((void *)(uintptr_t)stream->mapped, (size_t)stream->spooled);
    }
    spool_budget_give(stream->budget, stream->budget != NULL ? stream->spooled : 0);
    if (stream->growing != NULL)
        spool_close(&stream->growing->spool);
    free(stream->growing);
    apitrace_recent_destroy(&stream->recent);
    apitrace_free(stream->chunks, &stream->memory);
    *stream = (struct apitrace_stream){0};
}

uint8_t apitrace_stream_version(const struct apitrace_stream *stream)
{
    const struct source *source = stream->source;
    uint64_t head = APITRACE_MAGIC_BYTES + APITRACE_HEAD_BYTES;
    uint8_t version = 0;

    if (stream->container == APITRACE_BARE)
        return source->data[0];
    if (stream->container == APITRACE_SNAPPY && source->size > head)
        (void)apitrace_probe_version(source->data + head, source->size - head, &version);
    return version;
}

const char *apitrace_stream_container(const struct apitrace_stream *stream)
{
    if (stream->container == APITRACE_SNAPPY)
        return "snappy";
    if (stream->container == APITRACE_ZSTD)
        return "zstd";
    return stream->container == APITRACE_BROTLI ? "brotli"
                                                : source_container_name(stream->source->container);
}
