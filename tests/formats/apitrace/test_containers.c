/* SPDX-License-Identifier: MIT */
/* Containers: the text of a trace is the same in any container. */
#include "config.h"

#include "base/text.h"
#include "formats/apitrace/container/container.h"
#include "formats/apitrace/decode/reader.h"
#include "formats/apitrace/index/index.h"
#include "tests/formats/apitrace/snappy_block.h"
#include "tests/formats/apitrace/written.h"
#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <endian.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

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

/*
 * Checks the text and the container. Returns the number of chunks of the stream, 0 if it was
 * expanded as a whole.
 */
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

/* Appends a literal, whose bytes depend on `seed`. */
static void put_literal(struct snappy_block *block, uint32_t length, uint32_t seed)
{
    snappy_put(block, 62 << 2);
    for (unsigned n = 0; n < 3; n++)
        snappy_put(block, (uint8_t)((length - 1) >> 8 * n));
    for (uint32_t n = 0; n < length; n++)
        snappy_put(block, (uint8_t)(n * 31 + (n >> 8) * seed + seed));
    block->raw += length;
}

/* Compares each byte of the expanded block with the byte that is found through the sparse blob. */
static void expect_same_bytes(const struct snappy_block *block, const struct blob *sparse)
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
    static struct snappy_block block;
    struct blob *sparse = NULL;

    (void)state;
    snappy_put_head(&block, 40000 + 7 + 64 + 30000 + 64 + 20 + 300 + 40);
    put_literal(&block, 40000, 3);
    put_literal(&block, 7, 5);
    snappy_put_copy(&block, 64,
                    39); /* the long one's end, the short one, and what this has begun */
    put_literal(&block, 30000, 9);
    snappy_put_copy(&block, 64, 1);     /* one byte of a long literal, repeated */
    snappy_put_copy(&block, 20, 70135); /* the first bytes of the block */
    put_literal(&block, 300, 2);
    snappy_put_copy(&block, 40, 310); /* across the beginning of a long literal */
    assert_int_equal(apitrace_sparse_make(block.bytes, block.size, block.raw, &sparse), 0);
    assert_non_null(sparse);
    assert_true(apitrace_sparse_is(sparse, block.raw));
    assert_in_range(sparse->size, 195, 400);
    expect_same_bytes(&block, sparse);
    blob_unref(&sparse);
}

static void expect_none(const struct snappy_block *block, size_t size, size_t raw)
{
    struct blob *sparse = NULL;

    assert_int_equal(apitrace_sparse_make(block->bytes, size, raw, &sparse), 0);
    assert_null(sparse);
}

static void other_blocks_are_expanded(void **state)
{
    static struct snappy_block block;

    (void)state;
    expect_none(&block, 0, 1);
    snappy_put_head(&block, 5000);
    put_literal(&block, 5000, 1);
    expect_none(&block, block.size - 1, 5000); /* cut off */
    expect_none(&block, block.size, 4999);
    snappy_put_copy(&block, 1, 1); /* more than the header states */
    expect_none(&block, block.size, 5001);
    snappy_put_head(&block, 5010);
    put_literal(&block, 5000, 1);
    snappy_put_copy(&block, 10, 5001); /* from before the beginning */
    expect_none(&block, block.size, 5010);
    snappy_put_head(&block, 64000);
    put_literal(&block, 32000, 1);
    for (unsigned n = 0; n < 500; n++)
        snappy_put_copy(&block, 64, 1000); /* half of it would have to be stored */
    expect_none(&block, block.size, 64000);
    snappy_put_head(&block, 51200);
    for (unsigned n = 0; n < 200; n++)
        put_literal(&block, 255, 1), snappy_put_copy(&block, 1, 1); /* too many elements */
    expect_none(&block, block.size, 51200);
}

/* A block that another program writes to */
struct written_block {
    uint8_t *bytes; /* a second mapping of it */
    size_t size, at;
    uint8_t other; /* written to `at` now and then */
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

/* Checks that the sparse blob says for each byte of the block where it is. */
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
    static struct snappy_block block;
    struct written_block written = {.other = 62 << 2 | 3}; /* a copy of one byte less */
    int file = memfd_create("block", MFD_CLOEXEC);
    struct blob *sparse = NULL;
    uint8_t *bytes;
    pthread_t thread;

    (void)state;
    snappy_put_head(&block, 40000 + 64 + 30000);
    put_literal(&block, 40000, 3);
    written.at = block.size;
    snappy_put_copy(&block, 64, 100);
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
    written_open(&params, written_a_lot, &opened);
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

/* Reads a chunk. Returns the number of items that are in the cache after that. */
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

/* For a stream of few bytes, the index pass leaves all chunks where texts find them. */
static void chunks_of_few_bytes_are_kept(void **state)
{
    const struct trace_params params = {.version = 6, .chunk = 128 * 1024};
    const struct apitrace_stream *stream;
    struct apitrace_opened opened;

    (void)state;
    written_open(&params, written_a_lot, &opened);
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

/*
 * The chunks are stored in the order of the stream; a chunk that is expanded once more has memory
 * of its own.
 */
static void chunks_of_few_bytes_stand_behind_each_other(void **state)
{
    const struct trace_params params = {.version = 6, .chunk = 256 * 1024};
    struct blob *first, *second, *again;
    struct apitrace_stream *stream;
    struct apitrace_opened opened;

    (void)state;
    written_open(&params, written_a_lot, &opened);
    stream = (struct apitrace_stream *)(uintptr_t)&apitrace_opened_index(&opened)->stream;
    apitrace_recent_destroy(&stream->recent);
    stream->recent = apitrace_recent_create(stream->count, stream->size);
    assert_int_equal(apitrace_stream_expand(stream, 1, &second), 0);
    assert_int_equal(apitrace_stream_expand(stream, 0, &first), 0);
    assert_int_equal(apitrace_stream_expand(stream, 1, &again), 0);
    assert_ptr_not_equal(again->data, second->data);
    assert_memory_equal(again->data, second->data, second->size);
    if (blob_footprint(first) == 0) /* under a sanitizer each chunk has memory of its own */
        assert_ptr_equal(first->data + first->size, second->data);
    blob_unref(&first);
    blob_unref(&second);
    blob_unref(&again);
    apitrace_close(&opened);
}

/*
 * With many bytes, chunks that are read once, in order, are not cached, which leaves the cache to
 * those that are read again.
 */
static void chunks_go_to_the_cache_when_they_are_read_again(void **state)
{
    const struct trace_params params = {.version = 6, .chunk = 128 * 1024};
    struct apitrace_stream *stream;
    struct apitrace_opened opened;

    (void)state;
    written_open(&params, written_a_lot, &opened);
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

/*
 * Removes these holes from a chunk of `raw` bytes, and checks that all bytes outside of them are
 * still there.
 */
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

static size_t upload_size; /* size of each upload */

static uint8_t upload_byte(unsigned number, size_t at)
{
    return (uint8_t)(at % 17 * 3 + number);
}

/* Writes more than the size of a stream whose chunks are all kept, in blobs that compress well. */
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

/*
 * Checks a byte at a position of the stream. Returns the size of the blob that holds the chunk, or
 * what is left of it.
 */
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

/* Texts skip blobs, so what the index pass left of their chunks is enough: at most `max` bytes. */
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

/* Adds the text of the calls of write_uploads(). */
static void add_uploads(struct text *text)
{
    for (unsigned n = 0; n < UPLOAD_BYTES / upload_size; n++)
        text_printf(text, "%u plain(a = %u, b = blob(%zu))\n", n, n, upload_size);
    assert_int_equal(text->status, 0);
}

/*
 * What is kept of a chunk may end with a blob that continues in the next chunk: this is no damage.
 */
static void texts_pass_over_blobs_at_the_ends_of_chunks(void **state)
{
    static const size_t sizes[] = {UPLOAD_MAX, 40000};
    const struct trace_params params = {.version = 6};

    (void)state;
    for (size_t n = 0; n < COUNT_OF(sizes); n++) {
        struct text expected = TEXT_INIT;
        struct apitrace_opened opened;
        char *text;
        size_t size;

        upload_size = sizes[n];
        written_open(&params, write_uploads, &opened);
        add_uploads(&expected);
        text = apitrace_all(&opened, "calls-raw.txt", &size);
        assert_int_equal(size, expected.length);
        assert_memory_equal(text, expected.bytes, size);
        free(text);
        text_clear(&expected);
        written_expect_clean(&opened);
        apitrace_close(&opened);
    }
}

static void gzip_with_and_without_its_end(void **state)
{
    size_t size;
    uint8_t *bare = written_bare(&size), *packed = malloc(compressBound(size) + 64);
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

/* Independent frames followed by a table of them, as newer tracers write */
static void zstd_plain_and_seekable(void **state)
{
    enum { FRAME = 20000 };
    size_t size, used = 0, frames = 0;
    uint8_t *bare = written_bare(&size), *packed = malloc(2 * ZSTD_compressBound(size) + 4096);
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
    /*
     * Read frame by frame; without its last byte the table is invalid, and the trace is expanded as
     * a whole.
     */
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
        cmocka_unit_test(texts_pass_over_blobs_at_the_ends_of_chunks),
        cmocka_unit_test(gzip_with_and_without_its_end),
        cmocka_unit_test(zstd_plain_and_seekable),
    };

    return cmocka_run_group_tests(tests, written_make_folder, written_remove_folder);
}
