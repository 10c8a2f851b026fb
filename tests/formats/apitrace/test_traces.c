/* SPDX-License-Identifier: MIT */
/* Traces that the tests write: threads, what is replaced or cut off, what calls pass */
#include "config.h"

#include "tests/formats/apitrace/written.h"
#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct trace_constant names[] = {{"GL_FRAGMENT_SHADER", 0x8B30},
                                              {"GL_TEXTURE_2D", 0xDE1},
                                              {"GL_RGB", 0x1907},
                                              {"GL_UNSIGNED_SHORT_5_6_5", 0x8363},
                                              {"GL_COMPRESSED_RGBA_S3TC_DXT1_EXT", 0x83F1},
                                              {"GL_UNPACK_ALIGNMENT", 0xCF5}};
static const struct trace_names gl = {1, COUNT_OF(names), names};

static const struct trace_function create_shader = {3, "glCreateShader", 1, {"type"}},
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

static void enum_argument(struct trace_writer *writer, unsigned argument, int64_t value)
{
    trace_argument(writer, argument);
    trace_enum(writer, &gl, value);
}

/* Calls */

static void write_threads(struct trace_writer *writer)
{
    uint64_t early = trace_enter(writer, 1, &written_plain);
    static const char blob[] = "abcd";

    trace_argument(writer, 1);
    trace_blob(writer, blob, 4);
    trace_end(writer);
    for (unsigned n = 0; n < 10000; n++) {
        uint64_t call = trace_enter(writer, 0, &written_plain);

        trace_call_end(writer, call);
    }
    trace_leave(writer, early);
    written_uint(writer, 0, 7);
    trace_result(writer);
    trace_int(writer, -1);
    trace_end(writer);
    trace_call_end(writer, trace_enter(writer, 0, &written_swap));
    trace_enter(writer, 2, &written_plain); /* never returns */
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
    written_open(&params, write_threads, &opened);
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
    written_expect_clean(&opened);
    apitrace_close(&opened);
}

static void write_odd_orders(struct trace_writer *writer)
{
    uint64_t call = trace_enter(writer, 0, &written_plain);

    /* The second value of b replaces the first, whose blob is dropped. */
    trace_argument(writer, 1);
    trace_blob(writer, "old", 3);
    written_uint(writer, 0, 1);
    trace_end(writer);
    trace_leave(writer, call);
    trace_result(writer);
    trace_blob(writer, "result", 6);
    trace_argument(writer, 1);
    trace_array(writer, 2);
    trace_blob(writer, "new", 3);
    trace_blob(writer, "er", 2);
    trace_end(writer);

    /* The human side of a representation has no blobs. */
    call = trace_enter(writer, 0, &written_plain);
    trace_argument(writer, 0);
    trace_representation(writer);
    trace_blob(writer, "human", 5);
    trace_blob(writer, "machine", 7);
    trace_backtrace(writer, 1, "/usr/bin/app", "main", 12);
    trace_call_end(writer, call);

    /* The representation ends after two floats as well: the blob after it counts. */
    call = trace_enter(writer, 0, &written_plain);
    trace_argument(writer, 1);
    trace_array(writer, 2);
    trace_representation(writer);
    trace_float(writer, 0.5F);
    trace_float(writer, 0.5F);
    trace_blob(writer, "behind", 6);
    trace_call_end(writer, call);

    /* An argument that the function does not have. */
    call = trace_enter(writer, 0, &written_plain);
    written_uint(writer, 3, 9);
    trace_call_end(writer, call);

    /* A blob is replaced in the same event, by a plain number. */
    call = trace_enter(writer, 0, &written_plain);
    trace_argument(writer, 0);
    trace_blob(writer, "again", 5);
    written_uint(writer, 0, 2);
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
    written_open(&params, write_odd_orders, &opened);
    expect_text(&opened, "calls.txt",
                "0 plain(a = 1, b = {blob(3), blob(2)}) = blob(6)\n"
                "1 plain(a = blob(5), b = ?)\n"
                "Backtrace:\n"
                "/usr/bin/app: main: main.c:12\n"
                "2 plain(a = ?, b = {0.5, blob(6)})\n"
                "3 plain(a = ?, b = ?, ?, 9)\n"
                "4 plain(a = 2, b = ?)\n");
    expect_text(&opened, "calls-oneline.txt",
                "0 plain(a = 1, b = {blob(3), blob(2)}) = blob(6)\n"
                "1 plain(a = blob(5), b = ?)\n"
                "2 plain(a = ?, b = {0.5, blob(6)})\n"
                "3 plain(a = ?, b = ?, ?, 9)\n"
                "4 plain(a = 2, b = ?)\n");
    expect_file(&opened, "blobs/00000/00000000-0.bin", "new", 3);
    expect_file(&opened, "blobs/00000/00000000-1.bin", "er", 2);
    expect_file(&opened, "blobs/00000/00000000-2.bin", "result", 6);
    expect_file(&opened, "blobs/00000/00000001-0.bin", "machine", 7);
    expect_file(&opened, "blobs/00000/00000002-0.bin", "behind", 6);
    assert_int_equal(apitrace_opened_index(&opened)->blob_count, 5);
    problems = apitrace_problems(&opened);
    assert_non_null(strstr(problems, "a call returns that was not entered"));
    free(problems);
    apitrace_close(&opened);
}

/* However short it is cut off, a trace mounts, and shows a beginning of the complete text. */
static void cut_anywhere_the_beginning_is_shown(void **state)
{
    const struct trace_params params = {.version = 6, .bare = true};
    char *path = written_path("written.trace");
    struct apitrace_opened opened;
    size_t size, whole_size;
    uint8_t *bytes;
    char *whole;

    (void)state;
    written_open(&params, write_odd_orders, &opened);
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
        /* The difference is a call that has not returned. */
        assert_true(same == length || strstr(text + same, "// incomplete") != NULL);
        free(text);
        apitrace_close(&opened);
    }
    free(whole);
    free(bytes);
    free(path);
}

/* Hundreds of thousands of calls that stay open take only their records. */
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
    written_open(&params, write_open, &opened);
    index = apitrace_opened_index(&opened);
    assert_int_equal(index->listed, 300000);
    assert_int_equal(index->incomplete, 300000);
    assert_true(index->calls.memory.taken + index->memory.taken < (uint64_t)300000 * 128);
    apitrace_close(&opened);
}

static void max_memory_ends_the_index(void **state)
{
    const struct trace_params params = {.version = 6};
    char *path = written_path("written.trace");
    struct source_params source = {0};
    struct apitrace_opened opened = {0};

    (void)state;
    written_open(&params, write_open, &opened);
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

/* What calls pass */

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
        written_uint(writer, 0, 5 + n); /* 6 was never created */
        written_uint(writer, 1, 2);
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
    written_open(&params, write_shaders, &opened);
    expect_file(&opened, "shaders/00000001-frag.glsl", "void main(){}\n", 14);
    expect_file(&opened, "shaders/00000002-unknown.glsl", "void{}\n", 7);
    expect_file(&opened, "by-frame/000000/shaders/00000001-frag.glsl", "void main(){}\n", 14);
    apitrace_close(&opened);
}

/* Rows of three pixels of two bytes, which are contiguous only with an alignment of 2 */
static void write_textures(struct trace_writer *writer)
{
    static const uint8_t pixels[] = {0x00, 0xF8, 0xE0, 0x07, 0x1F, 0x00,
                                     0xFF, 0xFF, 0x00, 0x00, 0x00, 0xF8};
    static const uint8_t block[] = {0x00, 0xF8, 0x1F, 0x00, 0xE4, 0, 0, 0};
    /* The alignment, and two settings that only three-dimensional images heed. */
    static const struct {
        uint32_t name, value;
    } stores[] = {{0xCF5, 2}, {0x806D, 3}, {0x806E, 7}};
    uint64_t call;

    for (unsigned n = 0; n < COUNT_OF(stores); n++) {
        call = trace_enter(writer, 0, &pixel_store);
        enum_argument(writer, 0, stores[n].name);
        written_uint(writer, 1, stores[n].value);
        trace_call_end(writer, call);
    }
    for (unsigned n = 0; n < 2; n++) {
        call = trace_enter(writer, 0, &tex_image);
        enum_argument(writer, 0, 0xDE1);
        written_uint(writer, 1, 0);
        enum_argument(writer, 2, 0x1907);
        written_uint(writer, 3, 3);
        written_uint(writer, 4, 2 + n); /* the second has too few bytes */
        written_uint(writer, 5, 0);
        enum_argument(writer, 6, 0x1907);
        enum_argument(writer, 7, 0x8363);
        trace_argument(writer, 8);
        trace_blob(writer, pixels, sizeof(pixels));
        trace_call_end(writer, call);
    }
    call = trace_enter(writer, 0, &compressed);
    enum_argument(writer, 0, 0xDE1);
    written_uint(writer, 1, 0);
    enum_argument(writer, 2, 0x83F1);
    written_uint(writer, 3, 4);
    written_uint(writer, 4, 1);
    written_uint(writer, 5, 0);
    written_uint(writer, 6, 8);
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
    written_open(&params, write_textures, &opened);
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
    text = walk_read(opened.tree, "textures/00000003-3x2.png", &size);
    assert_memory_equal(text, "\x89PNG", 4);
    free(text);
    text = walk_read(opened.tree, "textures/00000005-4x1.png", &size);
    free(text);
    apitrace_close(&opened);
}

/* One function, enum and struct, as in every version */
static void write_old(struct trace_writer *writer)
{
    uint64_t call = trace_enter(writer, 0, &written_plain);

    enum_argument(writer, 0, 0xDE1);
    trace_argument(writer, 1);
    trace_double(writer, 0.1);
    trace_call_end(writer, call);
    call = trace_enter(writer, 0, &written_plain);
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

        written_open(&params, write_old, &opened);
        assert_int_equal(apitrace_opened_index(&opened)->version, version);
        expect_text(&opened, "calls.txt",
                    "0 plain(a = GL_TEXTURE_2D, b = 0.1)\n"
                    "1 plain(a = GL_TEXTURE_2D, b = GL_RGB)\n");
        written_expect_clean(&opened);
        apitrace_close(&opened);
    }
}

static void write_masks(struct trace_writer *writer)
{
    static const struct trace_constant behind[] = {{"A", 1}, {"NONE", 0}};
    static const struct trace_constant before[] = {{"NONE", 0}, {"A", 1}};
    static const struct trace_names masks[] = {{1, 2, behind}, {2, 2, before}};

    for (unsigned n = 0; n < 2; n++) {
        uint64_t call = trace_enter(writer, 0, &written_plain);

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
    written_open(&params, write_masks, &opened);
    expect_text(&opened, "calls.txt",
                "0 plain(a = 0x0, b = A | 0x2)\n"
                "1 plain(a = NONE, b = A | 0x2)\n");
    apitrace_close(&opened);
}

static void write_one(struct trace_writer *writer)
{
    trace_call_end(writer, trace_enter(writer, 0, &written_swap));
}

/*
 * All properties of one name are in the metadata, in the order of the trace; the dump has the last
 * one.
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
    written_open(&params, write_one, &opened);
    text = walk_read(opened.tree, "metadata.txt", &size);
    assert_non_null(strstr(text, "\nproperty.a: 2\nproperty.a\\tb: -\nproperty.b: 3\n"
                                 "property.b: second\nproperty.b: 1\nproperty.process.name: x\n"));
    free(text);
    text = walk_read(opened.tree, "metadata.json", &size);
    assert_non_null(strstr(text, "\"property.b\": [\n    \"3\",\n    \"second\",\n    \"1\"\n  ]"));
    assert_non_null(strstr(text, "\"property.a\": [\n    \"2\"\n  ]"));
    free(text);
    expect_text(&opened, "calls-raw.txt",
                "// a = \"2\"\n// a\tb = \"-\"\n// b = \"1\"\n// process.name = \"x\"\n"
                "0 glXSwapBuffers()\n\n");
    written_expect_clean(&opened);
    apitrace_close(&opened);
}

static void every_tree_keeps_the_rules(void **state)
{
    void (*const writers[])(struct trace_writer *) = {written_many, write_odd_orders, write_shaders,
                                                      write_textures};
    const struct trace_params params = {.version = 6};
    const struct walk_params walk = {.max_entries = 12};

    (void)state;
    for (size_t n = 0; n < COUNT_OF(writers); n++) {
        struct apitrace_opened opened;
        struct walk_result result;

        written_open(&params, writers[n], &opened);
        walk_tree(opened.tree, &walk, &result);
        apitrace_close(&opened);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
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

    return cmocka_run_group_tests(tests, written_make_folder, written_remove_folder);
}
