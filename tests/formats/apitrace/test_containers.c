/* SPDX-License-Identifier: MIT */
/* Containers: the text of a trace is the same in whichever it came. */
#include "config.h"

#include "formats/apitrace/container/container.h"
#include "formats/apitrace/decode/reader.h"
#include "formats/apitrace/index/index.h"
#include "tests/formats/apitrace/written.h"
#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <endian.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

static uint8_t *bare_bytes(size_t *size)
{
    const struct trace_params params = {.version = 6, .bare = true};
    char *path = written_path("bare.trace");
    struct trace_writer *writer;
    uint8_t *bytes;

    assert_int_equal(trace_writer_open(path, &params, &writer), 0);
    written_many(writer);
    assert_int_equal(trace_writer_close(&writer), 0);
    bytes = support_read(path, size);
    free(path);
    return bytes;
}

static char *wanted_text(size_t *size)
{
    const struct trace_params params = {.version = 6, .bare = true};
    struct apitrace_opened opened;
    char *text;

    written_open(&params, written_many, &opened);
    text = apitrace_all(&opened, "calls.txt", size);
    assert_int_equal(strncmp(text, "0 plain(a = 0, b = \"a string", 28), 0);
    apitrace_close(&opened);
    return text;
}

/* Returns in how many chunks the stream stands; 0: it was expanded as a whole. */
static uint64_t expect_same_text(const void *bytes, size_t size, const char *container)
{
    uint64_t chunks;
    struct apitrace_opened opened;
    char found[128] = "";
    size_t length, wanted_length;
    char *wanted = wanted_text(&wanted_length), *text;

    apitrace_open_bytes(bytes, size, &opened);
    text = apitrace_all(&opened, "calls.txt", &length);
    assert_int_equal(length, wanted_length);
    assert_memory_equal(text, wanted, length);
    free(text);
    text = walk_read(opened.tree, "metadata.txt", &length);
    snprintf(found, sizeof(found), "\ncontainer: %s\n", container);
    assert_non_null(strstr(text, found));
    free(text);
    free(wanted);
    chunks = apitrace_opened_index(&opened)->stream.count;
    apitrace_close(&opened);
    return chunks;
}

static void snappy_chunks_of_any_size(void **state)
{
    static const size_t chunks[] = {1, 2, 7, 100, 65536, 1 << 20};

    (void)state;
    for (size_t n = 0; n < COUNT_OF(chunks); n++) {
        const struct trace_params params = {.version = 6, .chunk = chunks[n]};
        struct apitrace_opened opened;
        size_t length, wanted_length;
        char *wanted = wanted_text(&wanted_length), *text;

        written_open(&params, written_many, &opened);
        text = apitrace_all(&opened, "calls.txt", &length);
        assert_int_equal(length, wanted_length);
        assert_memory_equal(text, wanted, length);
        written_expect_clean(&opened);
        apitrace_close(&opened);
        free(text);
        free(wanted);
    }
}

/* Enough for chunks that are worth a thread. */
static void write_a_lot(struct trace_writer *writer)
{
    for (unsigned n = 0; n < 8; n++)
        written_many(writer);
}

static void expect_chunk(struct apitrace_expander *expander, const struct apitrace_stream *stream,
                         uint64_t number)
{
    struct blob *ahead = NULL, *wanted = NULL;

    assert_int_equal(apitrace_expander_get(expander, number, &ahead), 0);
    assert_int_equal(apitrace_stream_load(stream, number, &wanted), 0);
    assert_int_equal(ahead->size, wanted->size);
    assert_memory_equal(ahead->data, wanted->data, wanted->size);
    blob_unref(&ahead);
    blob_unref(&wanted);
}

/* A Snappy block as it is made. */
struct block {
    uint8_t bytes[200000];
    size_t size, raw;
};

static void put(struct block *block, uint8_t byte)
{
    block->bytes[block->size++] = byte;
}

static void put_head(struct block *block, uint32_t raw)
{
    block->size = block->raw = 0;
    for (; raw >= 0x80; raw >>= 7)
        put(block, (uint8_t)(raw | 0x80));
    put(block, (uint8_t)raw);
}

/* `seed` makes the bytes others each time. */
static void put_literal(struct block *block, uint32_t length, uint32_t seed)
{
    put(block, 62 << 2);
    for (unsigned n = 0; n < 3; n++)
        put(block, (uint8_t)((length - 1) >> 8 * n));
    for (uint32_t n = 0; n < length; n++)
        put(block, (uint8_t)(n * 31 + (n >> 8) * seed + seed));
    block->raw += length;
}

static void put_copy(struct block *block, uint32_t length, uint32_t offset)
{
    put(block, (uint8_t)((length - 1) << 2 | 3));
    for (unsigned n = 0; n < 4; n++)
        put(block, (uint8_t)(offset >> 8 * n));
    block->raw += length;
}

/* Each byte of the block, read from what is in place of the expanded bytes. */
static void expect_same_bytes(const struct block *block, const struct blob *sparse)
{
    uint8_t *wanted = malloc(block->raw);
    bool whole;

    assert_int_equal(apitrace_snappy_expand(block->bytes, block->size, wanted, block->raw, &whole),
                     block->raw);
    assert_true(whole);
    for (size_t raw = 0; raw < block->raw; raw++) {
        size_t begin, size;
        const uint8_t *found = apitrace_sparse_find(sparse, block->bytes, raw, &begin, &size);

        assert_true(begin <= raw && raw - begin < size);
        assert_int_equal(found[raw - begin], wanted[raw]);
    }
    free(wanted);
}

static void long_literals_are_read_where_they_stand(void **state)
{
    static struct block block;
    struct blob *sparse = NULL;

    (void)state;
    put_head(&block, 40000 + 7 + 64 + 30000 + 64 + 20 + 300 + 40);
    put_literal(&block, 40000, 3);
    put_literal(&block, 7, 5);
    put_copy(&block, 64, 39); /* the long one's end, the short one, and what this has begun */
    put_literal(&block, 30000, 9);
    put_copy(&block, 64, 1);     /* one byte of a long one, over and over */
    put_copy(&block, 20, 70135); /* the first bytes of all */
    put_literal(&block, 300, 2);
    put_copy(&block, 40, 310); /* across a long one's begin */
    assert_int_equal(apitrace_sparse_make(block.bytes, block.size, block.raw, &sparse), 0);
    assert_non_null(sparse);
    assert_true(apitrace_sparse_is(sparse, block.raw));
    assert_in_range(sparse->size, 195, 400);
    expect_same_bytes(&block, sparse);
    blob_unref(&sparse);
}

static void expect_none(const struct block *block, size_t size, size_t raw)
{
    struct blob *sparse = NULL;

    assert_int_equal(apitrace_sparse_make(block->bytes, size, raw, &sparse), 0);
    assert_null(sparse);
}

static void other_blocks_are_expanded(void **state)
{
    static struct block block;

    (void)state;
    expect_none(&block, 0, 1);
    put_head(&block, 5000);
    put_literal(&block, 5000, 1);
    expect_none(&block, block.size - 1, 5000); /* cut off */
    expect_none(&block, block.size, 4999);
    put_copy(&block, 1, 1); /* more than the head says */
    expect_none(&block, block.size, 5001);
    put_head(&block, 5010);
    put_literal(&block, 5000, 1);
    put_copy(&block, 10, 5001); /* from before the beginning */
    expect_none(&block, block.size, 5010);
    put_head(&block, 64000);
    put_literal(&block, 32000, 1);
    for (unsigned n = 0; n < 500; n++)
        put_copy(&block, 64, 1000); /* half of it would have to be kept */
    expect_none(&block, block.size, 64000);
    put_head(&block, 51200);
    for (unsigned n = 0; n < 200; n++)
        put_literal(&block, 255, 1), put_copy(&block, 1, 1); /* too many elements */
    expect_none(&block, block.size, 51200);
}

/* A block that another program writes to. */
struct written_block {
    uint8_t *bytes; /* a second mapping of it */
    size_t size, at;
    uint8_t other; /* what stands at `at` at times */
    atomic_bool stop;
};

static void *write_to_block(void *context)
{
    struct written_block *written = context;
    volatile uint8_t *byte = written->bytes + written->at;
    const uint8_t first = *byte;

    while (!atomic_load(&written->stop)) {
        *byte = written->other;
        *byte = first;
    }
    return NULL;
}

/* What there is of a block says where each of its bytes is. */
static void expect_all_of(const uint8_t *bytes, size_t raw, const struct blob *sparse)
{
    for (size_t at = 0; at < raw;) {
        size_t begin, size;

        apitrace_sparse_find(sparse, bytes, at, &begin, &size);
        assert_int_equal(begin, at);
        assert_in_range(size, 1, raw - at);
        at += size;
    }
}

static void blocks_may_be_written_to_meanwhile(void **state)
{
    static struct block block;
    struct written_block written = {.other = 62 << 2 | 3}; /* a copy of one byte less */
    int file = memfd_create("block", MFD_CLOEXEC);
    struct blob *sparse = NULL;
    uint8_t *bytes;
    pthread_t thread;

    (void)state;
    put_head(&block, 40000 + 64 + 30000);
    put_literal(&block, 40000, 3);
    written.at = block.size;
    put_copy(&block, 64, 100);
    put_literal(&block, 30000, 9);
    assert_int_equal(write(file, block.bytes, block.size), block.size);
    bytes = mmap(NULL, block.size, PROT_READ, MAP_SHARED, file, 0);
    written.bytes = mmap(NULL, block.size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    assert_true(bytes != MAP_FAILED && written.bytes != MAP_FAILED);
    assert_int_equal(pthread_create(&thread, NULL, write_to_block, &written), 0);
    for (unsigned n = 0; n < 200000; n++) {
        assert_int_equal(apitrace_sparse_make(bytes, block.size, block.raw, &sparse), 0);
        if (sparse != NULL)
            expect_all_of(bytes, block.raw, sparse);
        blob_unref(&sparse);
    }
    atomic_store(&written.stop, true);
    pthread_join(thread, NULL);
    munmap(bytes, block.size);
    munmap(written.bytes, block.size);
    close(file);
}

static void chunks_are_expanded_ahead(void **state)
{
    static const uint8_t orders[][6] = {
        {0, 1, 2, 3, 4, 5}, {0, 0, 1, 4, 5, 5}, {5, 0, 1, 5, 4, 3}, {3, 2, 4, 4, 5, 0}};
    const struct trace_params params = {.version = 6, .chunk = 128 * 1024};
    struct apitrace_expander *expander;
    const struct apitrace_stream *stream;
    struct apitrace_opened opened;

    (void)state;
    written_open(&params, write_a_lot, &opened);
    stream = &apitrace_opened_index(&opened)->stream;
    assert_in_range(stream->count, 6, 100);
    assert_true(apitrace_expander_helps(stream));
    for (size_t n = 0; n < COUNT_OF(orders); n++) {
        expander = apitrace_expander_create(stream, 0);
        for (size_t i = 0; i < COUNT_OF(orders[n]); i++)
            expect_chunk(expander, stream, orders[n][i]);
        apitrace_expander_destroy(&expander);
        assert_null(expander);
    }
    expander = apitrace_expander_create(stream, stream->chunks[3].raw + 1);
    expect_chunk(expander, stream, 3);
    expect_chunk(expander, stream, stream->count - 1);
    apitrace_expander_destroy(&expander);
    expander = apitrace_expander_create(stream, 0);
    apitrace_expander_destroy(&expander);
    apitrace_expander_destroy(&expander);
    apitrace_close(&opened);
}

/* Chunks in the cache behind a look at one. */
static uint64_t chunks_kept_behind(const struct apitrace_stream *stream, uint64_t number)
{
    struct apitrace_stretch stretch;
    struct cache_statistics statistics;
    struct blob *wanted = NULL;

    assert_int_equal(apitrace_stream_expand(stream, number, &wanted), 0);
    assert_int_equal(apitrace_stream_get(stream, stream->chunks[number].raw, NULL, &stretch), 0);
    assert_int_equal(stretch.size, wanted->size);
    assert_memory_equal(stretch.data, wanted->data, wanted->size);
    blob_unref(&stretch.blob);
    blob_unref(&wanted);
    cache_statistics(*stream->cache, &statistics);
    return statistics.items;
}

/* Of a stream of few bytes the index pass leaves all chunks where texts find them. */
static void chunks_of_few_bytes_are_kept(void **state)
{
    const struct trace_params params = {.version = 6, .chunk = 128 * 1024};
    const struct apitrace_stream *stream;
    struct apitrace_opened opened;

    (void)state;
    written_open(&params, write_a_lot, &opened);
    stream = &apitrace_opened_index(&opened)->stream;
    for (uint64_t n = 0; n < stream->count; n++) {
        bool seen = false;
        struct blob *blob = apitrace_recent_find(stream->recent, n, &seen);

        assert_true(seen);
        assert_non_null(blob);
        blob_unref(&blob);
        assert_int_equal(chunks_kept_behind(stream, n), 0);
    }
    apitrace_close(&opened);
}

/* They stand as in the stream; a chunk that is expanded once more has memory of its own. */
static void chunks_of_few_bytes_stand_behind_each_other(void **state)
{
    const struct trace_params params = {.version = 6, .chunk = 256 * 1024};
    struct blob *first, *second, *again;
    struct apitrace_stream *stream;
    struct apitrace_opened opened;

    (void)state;
    written_open(&params, write_a_lot, &opened);
    stream = (struct apitrace_stream *)(uintptr_t)&apitrace_opened_index(&opened)->stream;
    apitrace_recent_destroy(&stream->recent);
    stream->recent = apitrace_recent_create(stream->count, stream->size);
    assert_int_equal(apitrace_stream_expand(stream, 1, &second), 0);
    assert_int_equal(apitrace_stream_expand(stream, 0, &first), 0);
    assert_int_equal(apitrace_stream_expand(stream, 1, &again), 0);
    assert_ptr_not_equal(again->data, second->data);
    assert_memory_equal(again->data, second->data, second->size);
    if (blob_footprint(first) == 0) /* a sanitizer looks after each chunk */
        assert_ptr_equal(first->data + first->size, second->data);
    blob_unref(&first);
    blob_unref(&second);
    blob_unref(&again);
    apitrace_close(&opened);
}

/* What is read once, in order, leaves the cache to what is read again; of many bytes. */
static void chunks_go_to_the_cache_when_they_are_read_again(void **state)
{
    const struct trace_params params = {.version = 6, .chunk = 128 * 1024};
    struct apitrace_stream *stream;
    struct apitrace_opened opened;

    (void)state;
    written_open(&params, write_a_lot, &opened);
    stream = (struct apitrace_stream *)(uintptr_t)&apitrace_opened_index(&opened)->stream;
    apitrace_recent_destroy(&stream->recent);
    stream->recent = apitrace_recent_create(stream->count, UINT64_MAX);
    for (uint64_t n = 0; n < 6; n++)
        assert_int_equal(chunks_kept_behind(stream, n), 0);
    assert_int_equal(chunks_kept_behind(stream, 5), 0);
    assert_int_equal(chunks_kept_behind(stream, 3), 0);
    assert_int_equal(chunks_kept_behind(stream, 0), 1);
    assert_int_equal(chunks_kept_behind(stream, 1), 2);
    assert_int_equal(chunks_kept_behind(stream, 0), 2);
    apitrace_close(&opened);
}

/* Which holes of a chunk of `raw` bytes there are; what is outside of them is the chunk's. */
static void expect_without(const uint8_t *bytes, size_t raw, const struct apitrace_hole *holes,
                           size_t count)
{
    struct blob *rest = NULL;
    size_t hole = 0;

    assert_int_equal(apitrace_sparse_without(bytes, raw, raw / 32, holes, count, &rest), 0);
    assert_non_null(rest);
    assert_true(apitrace_sparse_is(rest, raw));
    for (size_t at = 0; at < raw; at++) {
        size_t begin, size;
        const uint8_t *found = apitrace_sparse_find(rest, NULL, at, &begin, &size);

        while (hole < count && at >= holes[hole].end)
            hole++;
        assert_true(begin <= at && at - begin < size);
        if (hole < count && at >= holes[hole].begin)
            assert_null(found);
        else
            assert_int_equal(found[at - begin], bytes[at]);
    }
    blob_unref(&rest);
}

static void what_is_outside_of_holes_is_kept(void **state)
{
    enum { RAW = 20000 };
    static uint8_t bytes[RAW];
    const struct apitrace_hole inside[] = {{5, 9000}, {9001, 9002}, {9002, 19900}};
    const struct apitrace_hole edges[] = {{0, 10000}, {10100, RAW}}, all[] = {{0, RAW}};
    const struct apitrace_hole few[] = {{0, RAW / 2}};
    struct blob *rest = NULL;

    (void)state;
    for (size_t n = 0; n < RAW; n++)
        bytes[n] = (uint8_t)(n * 7 + n / 256);
    expect_without(bytes, RAW, inside, COUNT_OF(inside));
    expect_without(bytes, RAW, edges, COUNT_OF(edges));
    expect_without(bytes, RAW, all, COUNT_OF(all));
    assert_int_equal(apitrace_sparse_without(bytes, RAW, RAW / 2, few, COUNT_OF(few), &rest), 0);
    assert_null(rest);
    assert_int_equal(apitrace_sparse_without(bytes, RAW, RAW / 2, NULL, 0, &rest), 0);
    assert_null(rest);
    assert_int_equal(apitrace_sparse_without(NULL, 0, 0, NULL, 0, &rest), 0);
    assert_null(rest);
}

enum { UPLOAD_MAX = 100000, UPLOAD_BYTES = 35000000 };

static size_t upload_size; /* of each */

static uint8_t upload_byte(unsigned number, size_t at)
{
    return (uint8_t)(at % 17 * 3 + number);
}

/* More than the stream of which all chunks are kept; blobs that can be packed well. */
static void write_uploads(struct trace_writer *writer)
{
    static uint8_t data[UPLOAD_MAX];

    for (unsigned n = 0; n < UPLOAD_BYTES / upload_size; n++) {
        uint64_t call = trace_enter(writer, 0, &written_plain);

        for (size_t at = 0; at < upload_size; at++)
            data[at] = upload_byte(n, at);
        written_uint(writer, 0, n);
        trace_argument(writer, 1);
        trace_blob(writer, data, upload_size);
        trace_call_end(writer, call);
    }
}

/* The chunk's blob, or what is left of it, that holds a place of the stream. */
static size_t bytes_behind(const struct apitrace_stream *stream, uint64_t place, uint8_t wanted)
{
    struct apitrace_stretch stretch;
    size_t size;

    assert_int_equal(apitrace_stream_get(stream, place, NULL, &stretch), 0);
    assert_int_equal(stretch.data[place - stretch.begin], wanted);
    size = stretch.blob->size;
    blob_unref(&stretch.blob);
    return size;
}

/* Texts pass over blobs, so what the index pass has left of their chunks will do: `max` bytes. */
static void expect_expanded_once(size_t size, size_t max)
{
    const struct trace_params params = {.version = 6};
    const struct apitrace_index *index;
    struct apitrace_opened opened;

    upload_size = size;
    written_open(&params, write_uploads, &opened);
    index = apitrace_opened_index(&opened);
    assert_false(apitrace_recent_keeps_all(index->stream.recent));
    assert_int_equal(index->blob_count, UPLOAD_BYTES / size);
    for (unsigned n = UPLOAD_BYTES / 20 / size; n < UPLOAD_BYTES / 20 * 19 / size; n += 10) {
        const struct apitrace_blob *blob = &index->blobs[n];
        struct apitrace_record record = apitrace_index_at(index, n);

        assert_in_range(bytes_behind(&index->stream, record.enter, 0), 1, max);
        assert_in_range(bytes_behind(&index->stream, record.leave, 1), 1, max);
        assert_in_range(
            bytes_behind(&index->stream, blob->position + size / 2, upload_byte(n, size / 2)),
            1 << 20, 1 << 20);
    }
    apitrace_close(&opened);
}

static void chunks_of_blobs_are_expanded_once(void **state)
{
    (void)state;
    expect_expanded_once(UPLOAD_MAX, 4096);
    expect_expanded_once(1000, (1 << 20) / 8);
}

/* How many calls there are, and how far the events go. */
static void index_by_threads(const struct apitrace_opened *opened, unsigned threads,
                             uint64_t *calls, uint64_t *end)
{
    struct apitrace_index_params params = apitrace_opened_index(opened)->params;
    struct source_params source = {0};
    struct apitrace_index index;

    params.source_params = &source;
    params.message = NULL;
    params.threads = threads;
    assert_int_equal(apitrace_index_open(&params, &index), 0);
    *calls = index.calls.count;
    *end = index.end;
    apitrace_index_clear(&index);
}

/* Whatever a chunk is damaged by, one thread and two come as far. */
static void a_damaged_chunk_is_met_by_any_number_of_threads(void **state)
{
    const struct trace_params params = {.version = 6, .chunk = 128 * 1024};
    char *path = written_path("written.trace");
    struct apitrace_opened opened;
    uint64_t calls[2], end[2];
    uint8_t *bytes;
    size_t size;

    (void)state;
    written_open(&params, write_a_lot, &opened);
    index_by_threads(&opened, 2, &calls[0], &end[0]);
    assert_int_equal(calls[0], 8 * 3000);
    apitrace_close(&opened);
    bytes = support_read(path, &size);
    for (unsigned n = 1; n < 8; n++) {
        uint8_t *damaged = test_malloc(size);

        memcpy(damaged, bytes, size);
        memset(damaged + size / 8 * n, n % 2 == 0 ? 0xFE : 0xFF, 16);
        apitrace_open_bytes(damaged, size, &opened);
        index_by_threads(&opened, 1, &calls[0], &end[0]);
        index_by_threads(&opened, 2, &calls[1], &end[1]);
        assert_int_equal(calls[1], calls[0]);
        assert_int_equal(end[1], end[0]);
        assert_in_range(calls[0], 1, 8 * 3000);
        apitrace_close(&opened);
        test_free(damaged);
    }
    free(bytes);
    free(path);
}

/* There is nothing before it; that is told as of any other chunk. */
static void a_damaged_first_chunk_is_a_problem(void **state)
{
    const struct trace_params params = {.version = 6};
    char *path = written_path("written.trace"), *problems;
    struct apitrace_opened opened;
    uint8_t *bytes;
    size_t size;

    (void)state;
    written_open(&params, written_many, &opened);
    assert_int_equal(apitrace_opened_index(&opened)->stream.count, 1);
    apitrace_close(&opened);
    bytes = support_read(path, &size);
    memset(bytes + size / 2, 0xFF, 16);
    apitrace_open_bytes(bytes, size, &opened);
    problems = apitrace_problems(&opened);
    assert_non_null(strstr(problems, "a chunk is damaged"));
    assert_true(problems_any(opened.dump.problems, PROBLEM_ERROR));
    free(problems);
    apitrace_close(&opened);
    free(bytes);
    free(path);
}

/* A trace whose second chunk is right up to its byte `sound`, with a third one behind it. */
enum { FIRST_CHUNK = 20000, SECOND_CHUNK = 60000 };

static void put_bytes(struct block *block, const uint8_t *bytes, size_t size)
{
    assert_in_range(size, 0, sizeof(block->bytes) - block->size);
    memcpy(block->bytes + block->size, bytes, size);
    block->size += size;
}

static void put_le32(struct block *block, uint32_t value)
{
    for (unsigned n = 0; n < 4; n++)
        put(block, (uint8_t)(value >> 8 * n));
}

static void put_given_literal(struct block *block, const uint8_t *bytes, uint32_t size)
{
    put(block, 62 << 2);
    put(block, (uint8_t)(size - 1));
    put(block, (uint8_t)((size - 1) >> 8));
    put(block, (uint8_t)((size - 1) >> 16));
    put_bytes(block, bytes, size);
}

/* `sound` < size: a copy from nowhere follows so many bytes. */
static void put_snappy_chunk(struct block *file, const uint8_t *bytes, uint32_t size,
                             uint32_t sound)
{
    static struct block block;

    put_head(&block, size);
    put_given_literal(&block, bytes, sound);
    if (sound < size) {
        put_copy(&block, 1, 0);
        put_given_literal(&block, bytes + sound, size - sound);
    }
    put_le32(file, (uint32_t)block.size);
    put_bytes(file, block.bytes, block.size);
}

static void put_snappy(struct block *file, const uint8_t *bare, size_t size, uint32_t sound)
{
    const uint32_t rest = (uint32_t)size - FIRST_CHUNK - SECOND_CHUNK;

    file->size = 0;
    put_bytes(file, (const uint8_t *)"at", 2);
    put_snappy_chunk(file, bare, FIRST_CHUNK, FIRST_CHUNK);
    put_snappy_chunk(file, bare + FIRST_CHUNK, SECOND_CHUNK, sound);
    put_snappy_chunk(file, bare + FIRST_CHUNK + SECOND_CHUNK, rest, rest);
}

static void put_block_head(struct block *file, uint32_t size, unsigned type, bool last)
{
    uint32_t head = size << 3 | type << 1 | last;

    for (unsigned n = 0; n < 3; n++)
        put(file, (uint8_t)(head >> 8 * n));
}

/* One block as it is, of a size that its frame tells; behind `sound` < size one of no known type.
 */
static void put_zstd_frame(struct block *file, struct block *table, const uint8_t *bytes,
                           uint32_t size, uint32_t sound)
{
    size_t begin = file->size;

    put_le32(file, ZSTD_MAGICNUMBER);
    put(file, 0xA0);
    put_le32(file, size);
    put_block_head(file, sound, 0, sound == size);
    put_bytes(file, bytes, sound);
    if (sound < size)
        put_block_head(file, size - sound, 3, true);
    put_le32(table, (uint32_t)(file->size - begin));
    put_le32(table, size);
}

static void put_zstd(struct block *file, const uint8_t *bare, size_t size, uint32_t sound)
{
    static struct block table;
    const uint32_t rest = (uint32_t)size - FIRST_CHUNK - SECOND_CHUNK;

    file->size = table.size = 0;
    put_zstd_frame(file, &table, bare, FIRST_CHUNK, FIRST_CHUNK);
    put_zstd_frame(file, &table, bare + FIRST_CHUNK, SECOND_CHUNK, sound);
    put_zstd_frame(file, &table, bare + FIRST_CHUNK + SECOND_CHUNK, rest, rest);
    put_le32(&table, 3);
    put(&table, 0);
    put_le32(&table, 0x8F92EAB1);
    put_le32(file, 0x184D2A5E);
    put_le32(file, (uint32_t)table.size);
    put_bytes(file, table.bytes, table.size);
}

static void expect_problem(const struct apitrace_opened *opened, const char *sentence)
{
    char *problems = apitrace_problems(opened);

    assert_non_null(strstr(problems, sentence));
    free(problems);
}

/* All that is shown of calls is the same of both. */
static void expect_same_calls(const void *bytes, size_t size, const void *others, size_t other_size,
                              const char *sentence)
{
    static const char *const names[] = {"calls-raw.txt", "packets.tsv"};
    struct apitrace_opened opened, other;

    apitrace_open_bytes(bytes, size, &opened);
    apitrace_open_bytes(others, other_size, &other);
    for (size_t n = 0; n < COUNT_OF(names); n++) {
        char *text = apitrace_all(&opened, names[n], &size);
        char *expected = apitrace_all(&other, names[n], &other_size);

        assert_string_equal(text, expected);
        free(text);
        free(expected);
    }
    expect_problem(&opened, sentence);
    apitrace_close(&opened);
    apitrace_close(&other);
}

static void expect_cut_at_fault(void (*put_trace)(struct block *file, const uint8_t *bare,
                                                  size_t size, uint32_t sound))
{
    static const uint32_t sound[] = {1,
                                     2,
                                     1000,
                                     SECOND_CHUNK / 2 - 40,
                                     SECOND_CHUNK / 2,
                                     SECOND_CHUNK / 2 + 1,
                                     SECOND_CHUNK - 41,
                                     SECOND_CHUNK - 40, /* as many as all, with what tells so */
                                     SECOND_CHUNK - 39,
                                     SECOND_CHUNK - 1};
    static struct block file;
    size_t size;
    uint8_t *bare = bare_bytes(&size);

    for (size_t n = 0; n < COUNT_OF(sound); n++) {
        put_trace(&file, bare, size, sound[n]);
        expect_same_calls(file.bytes, file.size, bare, FIRST_CHUNK + sound[n],
                          "a chunk is damaged");
    }
    free(bare);
}

/* It shows what a trace shows that is cut there. */
static void a_damaged_chunk_is_shown_up_to_its_fault(void **state)
{
    (void)state;
    expect_cut_at_fault(put_snappy);
    expect_cut_at_fault(put_zstd);
}

/* Its frame gives more than the table of frames says: so what follows stands elsewhere. */
static void a_frame_of_other_bytes_is_damaged(void **state)
{
    static struct block file;
    size_t size, entry;
    uint8_t *bare = bare_bytes(&size);

    (void)state;
    put_zstd(&file, bare, size, SECOND_CHUNK);
    entry = file.size - 9 - 2 * 8 + 4; /* what the second frame gives */
    assert_int_equal(file.bytes[entry] | file.bytes[entry + 1] << 8, SECOND_CHUNK & 0xFFFF);
    file.bytes[entry] -= 64;
    expect_same_calls(file.bytes, file.size, bare, FIRST_CHUNK + SECOND_CHUNK - 65,
                      "a chunk is damaged");
    free(bare);
}

/* What its block gives is shown, however many bytes it states to have or to give. */
static void a_chunk_of_wrong_lengths_is_shown(void **state)
{
    enum { HEAD = 2 + 4 + 3 + 4 + FIRST_CHUNK }; /* of the second chunk */
    static struct block file;
    size_t size;
    uint8_t *bare = bare_bytes(&size);

    (void)state;
    put_snappy(&file, bare, size, SECOND_CHUNK);
    file.bytes[HEAD + 3] = 0x7F; /* 2 GB */
    expect_same_calls(file.bytes, file.size, bare, FIRST_CHUNK + SECOND_CHUNK,
                      "container: a chunk is not a Snappy block");
    put_snappy(&file, bare, size, SECOND_CHUNK);
    file.bytes[HEAD + 6] |= 0x78; /* 2 MB */
    expect_same_calls(file.bytes, file.size, bare, FIRST_CHUNK + SECOND_CHUNK,
                      "stream: a chunk is damaged");
    free(bare);
}

enum { LONG_BLOB = 60000 };

/* A call with a blob that is longer than a chunk, and some around it. */
static void write_long_blob(struct trace_writer *writer)
{
    static uint8_t data[LONG_BLOB];
    uint64_t call;

    for (size_t n = 0; n < LONG_BLOB; n++)
        data[n] = (uint8_t)(n * 7 + n / 256);
    for (unsigned n = 0; n < 3; n++) {
        call = trace_enter(writer, 0, &written_plain);
        written_uint(writer, 0, n);
        trace_argument(writer, 1);
        trace_blob(writer, data, n == 1 ? LONG_BLOB : 4);
        trace_call_end(writer, call);
    }
}

/* Though its end, and what follows it, stand in another chunk: nothing could be drawn from there
 * on. */
static void a_blob_over_a_fault_ends_the_trace(void **state)
{
    enum { FIRST = LONG_BLOB / 2, SOUND = LONG_BLOB / 3 };
    const struct trace_params params = {.version = 6, .bare = true};
    static struct block file;
    char *path = written_path("written.trace");
    struct apitrace_opened opened;
    uint8_t *bare;
    size_t size;

    (void)state;
    written_open(&params, write_long_blob, &opened);
    apitrace_close(&opened);
    bare = support_read(path, &size);
    file.size = 0;
    put_bytes(&file, (const uint8_t *)"at", 2);
    put_snappy_chunk(&file, bare, FIRST, SOUND);
    put_snappy_chunk(&file, bare + FIRST, (uint32_t)size - FIRST, (uint32_t)size - FIRST);
    expect_same_calls(file.bytes, file.size, bare, SOUND, "a chunk is damaged");
    free(bare);
    free(path);
}

/* One more byte of a Brotli stream; what it gives is counted. */
static int give_byte(void *state, const uint8_t *byte, uint64_t *given)
{
    static uint8_t room[65536];
    struct expand_buffers buffers = {.in = byte, .in_left = 1};
    int result;

    do {
        buffers.out = room;
        buffers.out_left = sizeof(room);
        result = apitrace_brotli.step(state, &buffers);
        *given += sizeof(room) - buffers.out_left;
    } while (result == EXPAND_MORE && buffers.out_left == 0);
    return result;
}

enum { BROTLI_SPARE = 128 }; /* bytes of a file that are expanded together */

/* What is given before a fault, byte by byte; in `min` without the bytes right before it. */
static uint64_t brotli_given(const uint8_t *bytes, size_t size, uint64_t *min)
{
    uint64_t given[BROTLI_SPARE + 1] = {0}, all = 0;
    void *state = NULL;
    int result = EXPAND_MORE;

    assert_int_equal(apitrace_brotli.create(&state), 0);
    for (size_t n = 0; n < size && result == EXPAND_MORE; n++) {
        *min = given[n % (BROTLI_SPARE + 1)];
        result = give_byte(state, bytes + n, &all);
        given[n % (BROTLI_SPARE + 1)] = all;
    }
    apitrace_brotli.destroy(state);
    *min = result < 0 ? *min : all;
    return all;
}

static void damaged_brotli_is_shown_up_to_its_fault(void **state)
{
    char *path = support_corpus("apitrace/containers/es2gears-b.trace");
    unsigned damaged = 0;
    size_t size;
    uint8_t *bytes = support_read(path, &size);

    (void)state;
    for (size_t at = 5000; at < size; at += size / 40) { /* behind the codes that all is in */
        struct apitrace_opened opened;
        uint64_t min = 0, max, found;

        bytes[at] ^= 0x10;
        max = brotli_given(bytes, size, &min);
        apitrace_open_bytes(bytes, size, &opened);
        found = apitrace_opened_index(&opened)->stream.size;
        assert_in_range(found, min, max);
        damaged += min < max;
        apitrace_close(&opened);
        bytes[at] ^= 0x10;
    }
    assert_in_range(damaged, 5, 40);
    free(bytes);
    free(path);
}

static void gzip_with_and_without_its_end(void **state)
{
    size_t size;
    uint8_t *bare = bare_bytes(&size), *packed = malloc(compressBound(size) + 64);
    z_stream stream = {.next_in = bare, .avail_in = (uInt)size};

    (void)state;
    assert_int_equal(deflateInit2(&stream, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
    stream.next_out = packed;
    stream.avail_out = (uInt)(compressBound(size) + 64);
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    expect_same_text(packed, stream.total_out, "gzip");
    expect_same_text(packed, stream.total_out - 8, "gzip"); /* the program died */
    deflateEnd(&stream);
    free(packed);
    free(bare);
}

/* Independent frames, and a table of them behind, as newer tracers write. */
static void zstd_plain_and_seekable(void **state)
{
    enum { FRAME = 20000 };
    size_t size, used = 0, frames = 0;
    uint8_t *bare = bare_bytes(&size), *packed = malloc(2 * ZSTD_compressBound(size) + 4096);
    uint32_t table[64];
    uint8_t *at;

    (void)state;
    used = ZSTD_compress(packed, ZSTD_compressBound(size), bare, size, 3);
    assert_int_equal(expect_same_text(packed, used, "zstd"), 0);
    used = 0;
    for (size_t from = 0; from < size; from += FRAME) {
        size_t raw = size - from < FRAME ? size - from : (size_t)FRAME;
        size_t some = ZSTD_compress(packed + used, ZSTD_compressBound(raw), bare + from, raw, 3);

        table[2 * frames] = htole32((uint32_t)some);
        table[2 * frames++ + 1] = htole32((uint32_t)raw);
        used += some;
    }
    assert_true(frames > 2 && frames < 32);
    at = packed + used;
    memcpy(at, "\x5e\x2a\x4d\x18", 4);
    at[4] = (uint8_t)(8 * frames + 9);
    at[5] = (uint8_t)((8 * frames + 9) >> 8);
    at[6] = at[7] = 0;
    memcpy(at + 8, table, 8 * frames);
    at += 8 + 8 * frames;
    at[0] = (uint8_t)frames;
    memset(at + 1, 0, 4);
    memcpy(at + 5, "\xb1\xea\x92\x8f", 4);
    /* read frame by frame; without its last byte the table is none, and all is expanded */
    assert_int_equal(expect_same_text(packed, used + 8 + 8 * frames + 9, "zstd"), frames);
    assert_int_equal(expect_same_text(packed, used + 8 + 8 * frames + 8, "zstd"), 0);
    table[0]++;
    memcpy(packed + used + 8, table, 4);
    assert_int_equal(expect_same_text(packed, used + 8 + 8 * frames + 9, "zstd"), 0);
    free(packed);
    free(bare);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(snappy_chunks_of_any_size),
        cmocka_unit_test(long_literals_are_read_where_they_stand),
        cmocka_unit_test(other_blocks_are_expanded),
        cmocka_unit_test(blocks_may_be_written_to_meanwhile),
        cmocka_unit_test(chunks_are_expanded_ahead),
        cmocka_unit_test(chunks_of_few_bytes_are_kept),
        cmocka_unit_test(chunks_of_few_bytes_stand_behind_each_other),
        cmocka_unit_test(chunks_go_to_the_cache_when_they_are_read_again),
        cmocka_unit_test(what_is_outside_of_holes_is_kept),
        cmocka_unit_test(chunks_of_blobs_are_expanded_once),
        cmocka_unit_test(a_damaged_chunk_is_met_by_any_number_of_threads),
        cmocka_unit_test(a_damaged_first_chunk_is_a_problem),
        cmocka_unit_test(a_damaged_chunk_is_shown_up_to_its_fault),
        cmocka_unit_test(a_frame_of_other_bytes_is_damaged),
        cmocka_unit_test(a_chunk_of_wrong_lengths_is_shown),
        cmocka_unit_test(a_blob_over_a_fault_ends_the_trace),
        cmocka_unit_test(damaged_brotli_is_shown_up_to_its_fault),
        cmocka_unit_test(gzip_with_and_without_its_end),
        cmocka_unit_test(zstd_plain_and_seekable),
    };

    return cmocka_run_group_tests(tests, written_make_folder, written_remove_folder);
}
