/* Traces that the tests write: containers, threads, what is replaced or cut, what calls hand over.
 */
#include "config.h"

#include "examples/apitrace_writer.h"
#include "formats/apitrace/container/container.h"
#include "formats/apitrace/index/index.h"
#include "tests/formats/apitrace/open.h"
#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

static char *folder;

static const struct trace_constant names[] = {{"GL_FRAGMENT_SHADER", 0x8B30},
                                              {"GL_TEXTURE_2D", 0xDE1},
                                              {"GL_RGB", 0x1907},
                                              {"GL_UNSIGNED_SHORT_5_6_5", 0x8363},
                                              {"GL_COMPRESSED_RGBA_S3TC_DXT1_EXT", 0x83F1},
                                              {"GL_UNPACK_ALIGNMENT", 0xCF5}};
static const struct trace_names gl = {1, COUNT_OF(names), names};

static const struct trace_function plain = {1, "plain", 2, {"a", "b"}},
                                   swap = {2, "glXSwapBuffers", 0, {NULL}},
                                   create_shader = {3, "glCreateShader", 1, {"type"}},
                                   shader_source = {4,
                                                    "glShaderSource",
                                                    4,
                                                    {"shader", "count", "string", "length"}},
                                   pixel_store = {5, "glPixelStorei", 2, {"pname", "param"}},
                                   tex_image = {6,
                                                "glTexImage2D",
                                                9,
                                                {"target", "level", "internalformat", "width",
                                                 "height", "border", "format", "type", "pixels"}},
                                   compressed = {7,
                                                 "glCompressedTexImage2D",
                                                 8,
                                                 {"target", "level", "internalformat", "width",
                                                  "height", "border", "imageSize", "data"}};

/* Writes a trace with `write`, and opens it. */
static void open_written(const struct trace_params *params,
                         void (*write)(struct trace_writer *writer), struct apitrace_opened *out)
{
    char *path = support_path(folder, "written.trace");
    struct trace_writer *writer;

    assert_int_equal(trace_writer_open(path, params, &writer), 0);
    write(writer);
    assert_int_equal(trace_writer_close(&writer), 0);
    apitrace_open(path, out);
    free(path);
}

static void expect_text(const struct apitrace_opened *opened, const char *name, const char *wanted)
{
    size_t size;
    char *text = apitrace_all(opened, name, &size);

    assert_string_equal(text, wanted);
    free(text);
}

static void expect_file(const struct apitrace_opened *opened, const char *path, const void *wanted,
                        size_t wanted_size)
{
    size_t size;
    char *bytes = walk_read(opened->tree, path, &size);

    assert_int_equal(size, wanted_size);
    assert_memory_equal(bytes, wanted, size);
    free(bytes);
}

static void expect_clean(const struct apitrace_opened *opened)
{
    char *problems = apitrace_problems(opened);

    assert_string_equal(problems, "");
    free(problems);
}

static void uint_argument(struct trace_writer *writer, unsigned argument, uint64_t value)
{
    trace_argument(writer, argument);
    trace_uint(writer, value);
}

static void enum_argument(struct trace_writer *writer, unsigned argument, int64_t value)
{
    trace_argument(writer, argument);
    trace_enum(writer, &gl, value);
}

/* Containers. */

/* Long enough for many chunks, with every call across a border somewhere. */
static void write_many(struct trace_writer *writer)
{
    for (unsigned n = 0; n < 3000; n++) {
        uint64_t call = trace_enter(writer, 0, n % 100 == 99 ? &swap : &plain);

        if (n % 100 != 99) {
            uint_argument(writer, 0, n * 1000003ULL);
            trace_argument(writer, 1);
            trace_string(writer, "a string that chunks part");
        }
        trace_call_end(writer, call);
    }
}

static uint8_t *bare_bytes(size_t *size)
{
    const struct trace_params params = {.version = 6, .bare = true};
    char *path = support_path(folder, "bare.trace");
    struct trace_writer *writer;
    uint8_t *bytes;

    assert_int_equal(trace_writer_open(path, &params, &writer), 0);
    write_many(writer);
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

    open_written(&params, write_many, &opened);
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

        open_written(&params, write_many, &opened);
        text = apitrace_all(&opened, "calls.txt", &length);
        assert_int_equal(length, wanted_length);
        assert_memory_equal(text, wanted, length);
        expect_clean(&opened);
        apitrace_close(&opened);
        free(text);
        free(wanted);
    }
}

/* Enough for chunks that are worth a thread. */
static void write_a_lot(struct trace_writer *writer)
{
    for (unsigned n = 0; n < 8; n++)
        write_many(writer);
}

static void expect_chunk(struct apitrace_expander *expander, const struct apitrace_stream *stream,
                         uint64_t number)
{
    struct blob *ahead = NULL, *wanted = NULL;

    assert_int_equal(apitrace_expander_get(expander, number, &ahead), 0);
    assert_int_equal(apitrace_stream_expand(stream, number, &wanted), 0);
    assert_int_equal(ahead->size, wanted->size);
    assert_memory_equal(ahead->data, wanted->data, wanted->size);
    blob_unref(&ahead);
    blob_unref(&wanted);
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
    open_written(&params, write_a_lot, &opened);
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
    char *path = support_path(folder, "written.trace");
    struct apitrace_opened opened;
    uint64_t calls[2], end[2];
    uint8_t *bytes;
    size_t size;

    (void)state;
    open_written(&params, write_a_lot, &opened);
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

        table[2 * frames] = (uint32_t)some;
        table[2 * frames++ + 1] = (uint32_t)raw;
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

/* Calls. */

static void write_threads(struct trace_writer *writer)
{
    uint64_t early = trace_enter(writer, 1, &plain);
    static const char blob[] = "abcd";

    trace_argument(writer, 1);
    trace_blob(writer, blob, 4);
    trace_end(writer);
    for (unsigned n = 0; n < 10000; n++) {
        uint64_t call = trace_enter(writer, 0, &plain);

        trace_call_end(writer, call);
    }
    trace_leave(writer, early);
    uint_argument(writer, 0, 7);
    trace_result(writer);
    trace_int(writer, -1);
    trace_end(writer);
    trace_call_end(writer, trace_enter(writer, 0, &swap));
    trace_enter(writer, 2, &plain); /* never returns */
    trace_end(writer);
}

static void a_call_may_return_much_later(void **state)
{
    const struct trace_params params = {.version = 6};
    const struct apitrace_index *index;
    struct apitrace_opened opened;
    size_t size;
    char *text;

    (void)state;
    open_written(&params, write_threads, &opened);
    index = apitrace_opened_index(&opened);
    assert_int_equal(index->listed, 10003);
    assert_int_equal(apitrace_index_listed(index, 0), 1);
    assert_int_equal(apitrace_index_listed(index, 10000), 0);
    assert_int_equal(apitrace_index_at(index, 0).order, 10000);
    assert_int_equal(apitrace_index_at(index, 0).thread, 1);
    text = walk_read(opened.tree, "packets/00000/00000000-plain.txt", &size);
    assert_string_equal(text, "0 plain(a = 7, b = blob(4)) = -1\n");
    free(text);
    text = walk_read(opened.tree, "by-frame/000001/calls-verbose.txt", &size);
    assert_string_equal(text, "10002 @2 plain(a = ?, b = ?) // incomplete\n");
    free(text);
    expect_file(&opened, "blobs/00000/00000000-0.bin", "abcd", 4);
    expect_file(&opened, "by-frame/000000/blobs/00000000-0.bin", "abcd", 4);
    expect_clean(&opened);
    apitrace_close(&opened);
}

static void write_odd_orders(struct trace_writer *writer)
{
    uint64_t call = trace_enter(writer, 0, &plain);

    /* the second value of b replaces the first, whose blob is gone with it */
    trace_argument(writer, 1);
    trace_blob(writer, "old", 3);
    uint_argument(writer, 0, 1);
    trace_end(writer);
    trace_leave(writer, call);
    trace_result(writer);
    trace_blob(writer, "result", 6);
    trace_argument(writer, 1);
    trace_array(writer, 2);
    trace_blob(writer, "new", 3);
    trace_blob(writer, "er", 2);
    trace_end(writer);

    /* a representation's human side has no blobs */
    call = trace_enter(writer, 0, &plain);
    trace_argument(writer, 0);
    trace_representation(writer);
    trace_blob(writer, "human", 5);
    trace_blob(writer, "machine", 7);
    trace_backtrace(writer, 1, "/usr/bin/app", "main", 12);
    trace_call_end(writer, call);

    /* an argument that the function does not have */
    call = trace_enter(writer, 0, &plain);
    uint_argument(writer, 3, 9);
    trace_call_end(writer, call);

    /* in one event, by a plain number */
    call = trace_enter(writer, 0, &plain);
    trace_argument(writer, 0);
    trace_blob(writer, "again", 5);
    uint_argument(writer, 0, 2);
    trace_call_end(writer, call);
    trace_leave(writer, 77); /* was never called */
    trace_end(writer);
}

static void later_values_replace_earlier_ones(void **state)
{
    const struct trace_params params = {.version = 6};
    struct apitrace_opened opened;
    char *problems;

    (void)state;
    open_written(&params, write_odd_orders, &opened);
    expect_text(&opened, "calls.txt",
                "0 plain(a = 1, b = {blob(3), blob(2)}) = blob(6)\n"
                "1 plain(a = blob(5), b = ?)\n"
                "Backtrace:\n"
                "/usr/bin/app: main: main.c:12\n"
                "2 plain(a = ?, b = ?, ?, 9)\n"
                "3 plain(a = 2, b = ?)\n");
    expect_text(&opened, "calls-oneline.txt",
                "0 plain(a = 1, b = {blob(3), blob(2)}) = blob(6)\n"
                "1 plain(a = blob(5), b = ?)\n"
                "2 plain(a = ?, b = ?, ?, 9)\n"
                "3 plain(a = 2, b = ?)\n");
    expect_file(&opened, "blobs/00000/00000000-0.bin", "new", 3);
    expect_file(&opened, "blobs/00000/00000000-1.bin", "er", 2);
    expect_file(&opened, "blobs/00000/00000000-2.bin", "result", 6);
    expect_file(&opened, "blobs/00000/00000001-0.bin", "machine", 7);
    assert_int_equal(apitrace_opened_index(&opened)->blob_count, 4);
    problems = apitrace_problems(&opened);
    assert_non_null(strstr(problems, "a call returns that is not open"));
    free(problems);
    apitrace_close(&opened);
}

/* However short it is cut, a trace mounts, and shows a beginning of the whole text. */
static void cut_anywhere_the_beginning_is_shown(void **state)
{
    const struct trace_params params = {.version = 6, .bare = true};
    char *path = support_path(folder, "written.trace");
    struct apitrace_opened opened;
    size_t size, whole_size;
    uint8_t *bytes;
    char *whole;

    (void)state;
    open_written(&params, write_odd_orders, &opened);
    whole = apitrace_all(&opened, "calls.txt", &whole_size);
    apitrace_close(&opened);
    bytes = support_read(path, &size);
    for (size_t cut = 3; cut < size; cut++) {
        size_t length, same = 0;
        char *text;

        apitrace_open_bytes(bytes, cut, &opened);
        text = apitrace_all(&opened, "calls.txt", &length);
        while (same < length && same < whole_size && text[same] == whole[same])
            same++;
        /* what differs is a call that has not returned */
        assert_true(same == length || strstr(text + same, "// incomplete") != NULL);
        free(text);
        apitrace_close(&opened);
    }
    free(whole);
    free(bytes);
    free(path);
}

/* Hundreds of thousands of calls that stay open take no more than their records. */
static void write_open(struct trace_writer *writer)
{
    static const struct trace_function nothing = {1, "f", 0, {NULL}};

    for (unsigned n = 0; n < 300000; n++) {
        trace_enter(writer, 0, &nothing);
        trace_end(writer);
    }
}

static void open_calls_are_cheap(void **state)
{
    const struct trace_params params = {.version = 6};
    const struct apitrace_index *index;
    struct apitrace_opened opened;

    (void)state;
    open_written(&params, write_open, &opened);
    index = apitrace_opened_index(&opened);
    assert_int_equal(index->listed, 300000);
    assert_int_equal(index->incomplete, 300000);
    assert_true(index->calls.memory.taken + index->memory.taken < (uint64_t)300000 * 128);
    apitrace_close(&opened);
}

static void max_memory_ends_the_index(void **state)
{
    const struct trace_params params = {.version = 6};
    char *path = support_path(folder, "written.trace");
    struct source_params source = {0};
    struct apitrace_opened opened = {0};

    (void)state;
    open_written(&params, write_open, &opened);
    apitrace_close(&opened);
    opened = (struct apitrace_opened){0};
    assert_int_equal(format_options_init(&opened.options), 0);
    opened.options.max_memory = 1 << 20;
    assert_int_equal(format_open(path, &opened.options, &source, &opened.message, &opened.dump), 0);
    assert_int_equal(format_tree(&opened.dump, 0, &opened.tree), 0);
    assert_true(apitrace_opened_index(&opened)->listed < 300000);
    char *problems = apitrace_problems(&opened);
    assert_non_null(strstr(problems, "max-memory"));
    free(problems);
    apitrace_close(&opened);
    free(path);
}

/* What calls hand over. */

static void write_shaders(struct trace_writer *writer)
{
    uint64_t call = trace_enter(writer, 0, &create_shader);

    enum_argument(writer, 0, 0x8B30);
    trace_end(writer);
    trace_leave(writer, call);
    trace_result(writer);
    trace_uint(writer, 5);
    trace_end(writer);
    for (unsigned n = 0; n < 2; n++) {
        call = trace_enter(writer, 0, &shader_source);
        uint_argument(writer, 0, 5 + n); /* 6 was never created */
        uint_argument(writer, 1, 2);
        trace_argument(writer, 2);
        trace_array(writer, 2);
        trace_string(writer, "void main()");
        trace_string(writer, "{}\n");
        trace_argument(writer, 3);
        if (n == 0) {
            trace_null(writer);
        } else {
            trace_array(writer, 2);
            trace_int(writer, 4);
            trace_int(writer, -1);
        }
        trace_call_end(writer, call);
    }
}

static void shaders_are_joined(void **state)
{
    const struct trace_params params = {.version = 6};
    struct apitrace_opened opened;

    (void)state;
    open_written(&params, write_shaders, &opened);
    expect_file(&opened, "shaders/00000001-frag.glsl", "void main(){}\n", 14);
    expect_file(&opened, "shaders/00000002-unknown.glsl", "void{}\n", 7);
    expect_file(&opened, "by-frame/000000/shaders/00000001-frag.glsl", "void main(){}\n", 14);
    apitrace_close(&opened);
}

/* Rows of three pixels of two bytes, one after the other only with an alignment of 2. */
static void write_textures(struct trace_writer *writer)
{
    static const uint8_t pixels[] = {0x00, 0xF8, 0xE0, 0x07, 0x1F, 0x00,
                                     0xFF, 0xFF, 0x00, 0x00, 0x00, 0xF8};
    static const uint8_t block[] = {0x00, 0xF8, 0x1F, 0x00, 0xE4, 0, 0, 0};
    uint64_t call = trace_enter(writer, 0, &pixel_store);

    enum_argument(writer, 0, 0xCF5);
    uint_argument(writer, 1, 2);
    trace_call_end(writer, call);
    for (unsigned n = 0; n < 2; n++) {
        call = trace_enter(writer, 0, &tex_image);
        enum_argument(writer, 0, 0xDE1);
        uint_argument(writer, 1, 0);
        enum_argument(writer, 2, 0x1907);
        uint_argument(writer, 3, 3);
        uint_argument(writer, 4, 2 + n); /* the second has too few bytes */
        uint_argument(writer, 5, 0);
        enum_argument(writer, 6, 0x1907);
        enum_argument(writer, 7, 0x8363);
        trace_argument(writer, 8);
        trace_blob(writer, pixels, sizeof(pixels));
        trace_call_end(writer, call);
    }
    call = trace_enter(writer, 0, &compressed);
    enum_argument(writer, 0, 0xDE1);
    uint_argument(writer, 1, 0);
    enum_argument(writer, 2, 0x83F1);
    uint_argument(writer, 3, 4);
    uint_argument(writer, 4, 1);
    uint_argument(writer, 5, 0);
    uint_argument(writer, 6, 8);
    trace_argument(writer, 7);
    trace_blob(writer, block, sizeof(block));
    trace_call_end(writer, call);
}

static void textures_are_decoded(void **state)
{
    static const uint8_t rows[2][9] = {{255, 0, 0, 0, 255, 0, 0, 0, 255},
                                       {255, 255, 255, 0, 0, 0, 255, 0, 0}};
    static const uint8_t block_row[16] = {255, 0, 0,  255, 0,  0, 255, 255,
                                          170, 0, 85, 255, 85, 0, 170, 255};
    const struct trace_params params = {.version = 6};
    const struct apitrace_object_index *objects;
    struct apitrace_opened opened;
    struct blob *data;
    uint8_t row[16];
    size_t size;
    char *text;

    (void)state;
    open_written(&params, write_textures, &opened);
    assert_int_equal(apitrace_dump_objects(tree_dump(opened.tree), NULL, &objects), 0);
    assert_int_equal(objects->texture_count, 3);
    assert_string_equal(objects->textures[1].status, "too-few-bytes");
    assert_int_equal(
        apitrace_texture_read(apitrace_opened_index(&opened), &objects->textures[0], NULL, &data),
        0);
    for (unsigned y = 0; y < 2; y++) {
        apitrace_image_row(&objects->textures[0].image, data->data, y, row);
        assert_memory_equal(row, rows[y], 9);
    }
    blob_unref(&data);
    assert_int_equal(
        apitrace_texture_read(apitrace_opened_index(&opened), &objects->textures[2], NULL, &data),
        0);
    apitrace_image_row(&objects->textures[2].image, data->data, 0, row);
    assert_memory_equal(row, block_row, 16);
    blob_unref(&data);
    text = walk_read(opened.tree, "textures/00000001-3x2.png", &size);
    assert_memory_equal(text, "\x89PNG", 4);
    free(text);
    text = walk_read(opened.tree, "textures/00000003-4x1.png", &size);
    free(text);
    apitrace_close(&opened);
}

/* One function, enum and struct in every version. */
static void write_old(struct trace_writer *writer)
{
    uint64_t call = trace_enter(writer, 0, &plain);

    enum_argument(writer, 0, 0xDE1);
    trace_argument(writer, 1);
    trace_double(writer, 0.1);
    trace_call_end(writer, call);
    call = trace_enter(writer, 0, &plain);
    enum_argument(writer, 0, 0xDE1);
    enum_argument(writer, 1, 0x1907);
    trace_call_end(writer, call);
}

static void all_versions_are_read(void **state)
{
    (void)state;
    for (unsigned version = 0; version <= 6; version++) {
        const struct trace_params params = {.version = version};
        struct apitrace_opened opened;

        open_written(&params, write_old, &opened);
        assert_int_equal(apitrace_opened_index(&opened)->version, version);
        expect_text(&opened, "calls.txt",
                    "0 plain(a = GL_TEXTURE_2D, b = 0.1)\n"
                    "1 plain(a = GL_TEXTURE_2D, b = GL_RGB)\n");
        expect_clean(&opened);
        apitrace_close(&opened);
    }
}

static void write_masks(struct trace_writer *writer)
{
    static const struct trace_constant behind[] = {{"A", 1}, {"NONE", 0}};
    static const struct trace_constant before[] = {{"NONE", 0}, {"A", 1}};
    static const struct trace_names masks[] = {{1, 2, behind}, {2, 2, before}};

    for (unsigned n = 0; n < 2; n++) {
        uint64_t call = trace_enter(writer, 0, &plain);

        trace_argument(writer, 0);
        trace_bitmask(writer, &masks[n], 0);
        trace_argument(writer, 1);
        trace_bitmask(writer, &masks[n], 3);
        trace_call_end(writer, call);
    }
}

static void a_flag_of_no_bits_counts_only_as_the_first(void **state)
{
    const struct trace_params params = {.version = 6};
    struct apitrace_opened opened;

    (void)state;
    open_written(&params, write_masks, &opened);
    expect_text(&opened, "calls.txt",
                "0 plain(a = 0x0, b = A | 0x2)\n"
                "1 plain(a = NONE, b = A | 0x2)\n");
    apitrace_close(&opened);
}

static void write_one(struct trace_writer *writer)
{
    trace_call_end(writer, trace_enter(writer, 0, &swap));
}

/* Properties of one name are all in the metadata, in the order of the trace; the dump has the last.
 */
static void properties_may_repeat(void **state)
{
    static const char *const properties[] = {
        "b", "3", "a", "2", "process.name", "x", "b", "second", "a\tb", "-", "b", "1", NULL};
    const struct trace_params params = {.version = 6, .properties = properties};
    struct apitrace_opened opened;
    size_t size;
    char *text;

    (void)state;
    open_written(&params, write_one, &opened);
    text = walk_read(opened.tree, "metadata.txt", &size);
    assert_non_null(strstr(text, "\nproperty.a: 2\nproperty.a\\tb: -\nproperty.b: 3\n"
                                 "property.b: second\nproperty.b: 1\nproperty.process.name: x\n"));
    free(text);
    text = walk_read(opened.tree, "metadata.json", &size);
    assert_non_null(strstr(text, "\"property.b\": [\n    \"3\",\n    \"second\",\n    \"1\"\n  ]"));
    assert_non_null(strstr(text, "\"property.a\": [\n    \"2\"\n  ]"));
    free(text);
    expect_text(&opened, "calls.txt",
                "// a = \"2\"\n// a\tb = \"-\"\n// b = \"1\"\n// process.name = \"x\"\n"
                "0 glXSwapBuffers()\n\n");
    expect_clean(&opened);
    apitrace_close(&opened);
}

static void every_tree_keeps_the_rules(void **state)
{
    void (*const writers[])(struct trace_writer *) = {write_many, write_odd_orders, write_shaders,
                                                      write_textures};
    const struct trace_params params = {.version = 6};
    const struct walk_params walk = {.most_entries = 12};

    (void)state;
    for (size_t n = 0; n < COUNT_OF(writers); n++) {
        struct apitrace_opened opened;
        struct walk_result result;

        open_written(&params, writers[n], &opened);
        walk_tree(opened.tree, &walk, &result);
        apitrace_close(&opened);
    }
}

static int make_folder(void **state)
{
    (void)state;
    folder = support_folder();
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    support_remove(&folder);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(snappy_chunks_of_any_size),
        cmocka_unit_test(chunks_are_expanded_ahead),
        cmocka_unit_test(a_damaged_chunk_is_met_by_any_number_of_threads),
        cmocka_unit_test(gzip_with_and_without_its_end),
        cmocka_unit_test(zstd_plain_and_seekable),
        cmocka_unit_test(a_call_may_return_much_later),
        cmocka_unit_test(later_values_replace_earlier_ones),
        cmocka_unit_test(cut_anywhere_the_beginning_is_shown),
        cmocka_unit_test(open_calls_are_cheap),
        cmocka_unit_test(max_memory_ends_the_index),
        cmocka_unit_test(shaders_are_joined),
        cmocka_unit_test(textures_are_decoded),
        cmocka_unit_test(all_versions_are_read),
        cmocka_unit_test(a_flag_of_no_bits_counts_only_as_the_first),
        cmocka_unit_test(properties_may_repeat),
        cmocka_unit_test(every_tree_keeps_the_rules),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
