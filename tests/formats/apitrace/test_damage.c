/* SPDX-License-Identifier: MIT */
/* Damaged streams: what is before a fault is shown, and the fault is reported. */
#include "config.h"

#include "formats/apitrace/container/container.h"
#include "formats/apitrace/index/index.h"
#include "source/seekable.h"
#include "tests/formats/apitrace/snappy_block.h"
#include "tests/formats/apitrace/written.h"
#include "tests/support/support.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

/* Indexes the trace with that many threads. Sets the number of calls and the end of the events. */
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

/* However a chunk is damaged, one thread and two reach the same position. */
static void a_damaged_chunk_is_met_by_any_number_of_threads(void **state)
{
    const struct trace_params params = {.version = 6, .chunk = 128 * 1024};
    char *path = written_path("written.trace");
    struct apitrace_opened opened;
    uint64_t calls[2], end[2];
    uint8_t *bytes;
    size_t size;

    (void)state;
    written_open(&params, written_a_lot, &opened);
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

/* There is nothing before the fault, but it is reported as for any other chunk. */
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

/* A trace whose second chunk is valid up to byte `sound`, with a third chunk after it */
enum { FIRST_CHUNK = 20000, SECOND_CHUNK = 60000 };

static void put_bytes(struct snappy_block *block, const uint8_t *bytes, size_t size)
{
    assert_in_range(size, 0, sizeof(block->bytes) - block->size);
    memcpy(block->bytes + block->size, bytes, size);
    block->size += size;
}

static void put_le32(struct snappy_block *block, uint32_t value)
{
    for (unsigned n = 0; n < 4; n++)
        snappy_put(block, (uint8_t)(value >> 8 * n));
}

static void put_given_literal(struct snappy_block *block, const uint8_t *bytes, uint32_t size)
{
    snappy_put(block, 62 << 2);
    snappy_put(block, (uint8_t)(size - 1));
    snappy_put(block, (uint8_t)((size - 1) >> 8));
    snappy_put(block, (uint8_t)((size - 1) >> 16));
    put_bytes(block, bytes, size);
}

/* Appends a chunk. If `sound` < size, an invalid copy follows after `sound` bytes. */
static void put_snappy_chunk(struct snappy_block *file, const uint8_t *bytes, uint32_t size,
                             uint32_t sound)
{
    static struct snappy_block block;

    snappy_put_head(&block, size);
    put_given_literal(&block, bytes, sound);
    if (sound < size) {
        snappy_put_copy(&block, 1, 0);
        put_given_literal(&block, bytes + sound, size - sound);
    }
    put_le32(file, (uint32_t)block.size);
    put_bytes(file, block.bytes, block.size);
}

static void put_snappy(struct snappy_block *file, const uint8_t *bare, size_t size, uint32_t sound)
{
    const uint32_t rest = (uint32_t)size - FIRST_CHUNK - SECOND_CHUNK;

    file->size = 0;
    put_bytes(file, (const uint8_t *)"at", 2);
    put_snappy_chunk(file, bare, FIRST_CHUNK, FIRST_CHUNK);
    put_snappy_chunk(file, bare + FIRST_CHUNK, SECOND_CHUNK, sound);
    put_snappy_chunk(file, bare + FIRST_CHUNK + SECOND_CHUNK, rest, rest);
}

static void put_block_head(struct snappy_block *file, uint32_t size, unsigned type, bool last)
{
    uint32_t head = size << 3 | type << 1 | last;

    for (unsigned n = 0; n < 3; n++)
        snappy_put(file, (uint8_t)(head >> 8 * n));
}

/*
 * Appends a frame that states its size, with one raw block. If `sound` < size, a block of an
 * unknown type follows after `sound` bytes.
 */
static void put_zstd_frame(struct snappy_block *file, struct snappy_block *table,
                           const uint8_t *bytes, uint32_t size, uint32_t sound)
{
    size_t begin = file->size;

    put_le32(file, ZSTD_MAGICNUMBER);
    snappy_put(file, 0xA0);
    put_le32(file, size);
    put_block_head(file, sound, 0, sound == size);
    put_bytes(file, bytes, sound);
    if (sound < size)
        put_block_head(file, size - sound, 3, true);
    put_le32(table, (uint32_t)(file->size - begin));
    put_le32(table, size);
}

static void put_zstd(struct snappy_block *file, const uint8_t *bare, size_t size, uint32_t sound)
{
    static struct snappy_block table;
    const uint32_t rest = (uint32_t)size - FIRST_CHUNK - SECOND_CHUNK;

    file->size = table.size = 0;
    put_zstd_frame(file, &table, bare, FIRST_CHUNK, FIRST_CHUNK);
    put_zstd_frame(file, &table, bare + FIRST_CHUNK, SECOND_CHUNK, sound);
    put_zstd_frame(file, &table, bare + FIRST_CHUNK + SECOND_CHUNK, rest, rest);
    put_le32(&table, 3);
    snappy_put(&table, 0);
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

/* Checks that everything shown of calls is the same in both. */
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

static void expect_cut_at_fault(void (*put_trace)(struct snappy_block *file, const uint8_t *bare,
                                                  size_t size, uint32_t sound))
{
    static const uint32_t sound[] = {1,
                                     2,
                                     1000,
                                     SECOND_CHUNK / 2 - 40,
                                     SECOND_CHUNK / 2,
                                     SECOND_CHUNK / 2 + 1,
                                     SECOND_CHUNK - 41,
                                     SECOND_CHUNK - 40, /* a sparse blob as long as the chunk */
                                     SECOND_CHUNK - 39,
                                     SECOND_CHUNK - 1};
    static struct snappy_block file;
    size_t size;
    uint8_t *bare = written_bare(&size);

    for (size_t n = 0; n < COUNT_OF(sound); n++) {
        put_trace(&file, bare, size, sound[n]);
        expect_same_calls(file.bytes, file.size, bare, FIRST_CHUNK + sound[n],
                          "a chunk is damaged");
    }
    free(bare);
}

/* Shows what a trace shows that is cut off at the fault. */
static void a_damaged_chunk_is_shown_up_to_its_fault(void **state)
{
    (void)state;
    expect_cut_at_fault(put_snappy);
    expect_cut_at_fault(put_zstd);
}

/*
 * The frame has more bytes than the table of frames says: what follows would be at higher offsets.
 */
static void a_frame_of_other_bytes_is_damaged(void **state)
{
    static struct snappy_block file;
    size_t size, entry;
    uint8_t *bare = written_bare(&size);

    (void)state;
    put_zstd(&file, bare, size, SECOND_CHUNK);
    entry = file.size - 9 - 2 * 8 + 4; /* size of the second frame's contents */
    assert_int_equal(file.bytes[entry] | file.bytes[entry + 1] << 8, SECOND_CHUNK & 0xFFFF);
    file.bytes[entry] -= 64;
    expect_same_calls(file.bytes, file.size, bare, FIRST_CHUNK + SECOND_CHUNK - 65,
                      "a chunk is damaged");
    free(bare);
}

/* The contents of the block are shown, whatever sizes it states. */
static void a_chunk_of_wrong_lengths_is_shown(void **state)
{
    enum { HEAD = 2 + 4 + 3 + 4 + FIRST_CHUNK }; /* offset of the second chunk */
    static struct snappy_block file;
    size_t size;
    uint8_t *bare = written_bare(&size);

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

/* Writes a call with a blob that is longer than a chunk, and some calls around it. */
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

/*
 * The trace ends although the blob's end, and what follows, are in another chunk: nothing could be
 * drawn after the blob.
 */
static void a_blob_over_a_fault_ends_the_trace(void **state)
{
    enum { FIRST = LONG_BLOB / 2, SOUND = LONG_BLOB / 3 };
    const struct trace_params params = {.version = 6, .bare = true};
    static struct snappy_block file;
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

/*
 * Expands one more byte of a Brotli stream, and adds the number of bytes that it yields to *given.
 */
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

enum { BROTLI_SPARE = 128 }; /* input bytes that are expanded together */

/*
 * Returns how many bytes are expanded before a fault, going byte by byte. Sets *min to the number
 * without the BROTLI_SPARE input bytes before the fault.
 */
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
    for (size_t at = 5000; at < size; at += size / 40) { /* after the codes for the whole stream */
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

/* Memory that is taken so that no piece of this size is left to decoders. */
struct taken {
    struct taken *next;
    uint8_t bytes[64 << 10];
};

static struct taken *take_memory(void)
{
    struct taken *taken = NULL, *more;

    support_limit_space(1 << 20);
    while ((more = malloc(sizeof(*more))) != NULL) {
        more->next = taken;
        taken = more;
    }
    return taken;
}

static void give_memory_back(struct taken *taken)
{
    support_limit_space(0);
    while (taken != NULL) {
        struct taken *next = taken->next;

        free(taken);
        taken = next;
    }
}

static void lack_of_memory_does_not_damage_a_frame(void **state)
{
    static const uint8_t bytes[256] = {'a', 'b', 'c'};
    uint8_t frame[512], room[sizeof(bytes)];
    size_t packed = ZSTD_compress(frame, sizeof(frame), bytes, sizeof(bytes), 1), given;
    struct taken *taken;
    int status;

    (void)state;
    if (support_stride() > 1)
        support_skip("a sanitizer keeps memory of each size, and ends the program without any");
    assert_false(ZSTD_isError(packed));
    taken = take_memory();
    status = seekable_expand(frame, packed, room, sizeof(room), &given);
    give_memory_back(taken);
    assert_int_equal(status, -ENOMEM);
    assert_int_equal(seekable_expand(frame, packed, room, sizeof(room), &given), 0);
    assert_int_equal(given, sizeof(bytes));
}

/* The beginning of a stream with a window of 16 MiB, and of a block that fills it. */
static void lack_of_memory_does_not_damage_brotli(void **state)
{
    static const uint8_t bytes[] = {0xCF, 0xFF, 0xFF, 0xFF, 'a', 'b', 'c'};
    uint8_t room[sizeof(bytes)];
    struct expand_buffers buffers = {
        .in = bytes, .in_left = sizeof(bytes), .out = room, .out_left = sizeof(room)};
    struct taken *taken;
    void *decoder = NULL;
    int result;

    (void)state;
    assert_int_equal(apitrace_brotli.create(&decoder), 0);
    taken = take_memory();
    result = apitrace_brotli.step(decoder, &buffers);
    give_memory_back(taken);
    apitrace_brotli.destroy(decoder);
    assert_int_equal(result, -ENOMEM);
}

/* A trace of two bytes in one frame, which is followed by a table of frames. */
static void lack_of_memory_does_not_make_another_file_of_a_seekable_one(void **state)
{
    static const uint8_t trace[] = {5, 0};
    uint8_t file[128] = {0}, *table;
    size_t packed = ZSTD_compress(file, sizeof(file), trace, sizeof(trace), 1);
    struct source source = {
        .container = SOURCE_ZSTD, .packed = true, .data = file, .size = packed + 25};

    (void)state;
    table = file + packed;
    memcpy(table, "\x5e\x2a\x4d\x18\x11", 5);
    table[8] = (uint8_t)packed;
    table[12] = sizeof(trace);
    table[16] = 1;
    memcpy(table + 21, "\xb1\xea\x92\x8f", 4);
    assert_true(apitrace_stream_probe(&source) > 0);
    support_fail_allocation(0);
    assert_int_equal(apitrace_stream_probe(&source), -ENOMEM);
    support_fail_allocation(-1);
}

static void lack_of_memory_does_not_make_another_file_of_brotli(void **state)
{
    static const uint8_t bytes[] = {0xCF, 0xFF, 0xFF, 0xFF, 'a', 'b', 'c'};
    const struct source source = {.container = SOURCE_PLAIN, .data = bytes, .size = sizeof(bytes)};
    struct taken *taken;
    int score;

    (void)state;
    if (support_stride() > 1)
        support_skip("a sanitizer keeps memory of each size, and ends the program without any");
    taken = take_memory();
    score = apitrace_stream_probe(&source);
    give_memory_back(taken);
    assert_int_equal(score, -ENOMEM);
    assert_int_equal(apitrace_stream_probe(&source), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_damaged_chunk_is_met_by_any_number_of_threads),
        cmocka_unit_test(a_damaged_first_chunk_is_a_problem),
        cmocka_unit_test(a_damaged_chunk_is_shown_up_to_its_fault),
        cmocka_unit_test(a_frame_of_other_bytes_is_damaged),
        cmocka_unit_test(a_chunk_of_wrong_lengths_is_shown),
        cmocka_unit_test(a_blob_over_a_fault_ends_the_trace),
        cmocka_unit_test(damaged_brotli_is_shown_up_to_its_fault),
        cmocka_unit_test(lack_of_memory_does_not_damage_a_frame),
        cmocka_unit_test(lack_of_memory_does_not_damage_brotli),
        cmocka_unit_test(lack_of_memory_does_not_make_another_file_of_a_seekable_one),
        cmocka_unit_test(lack_of_memory_does_not_make_another_file_of_brotli),
    };

    return cmocka_run_group_tests(tests, written_make_folder, written_remove_folder);
}
