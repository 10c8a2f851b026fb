/* SPDX-License-Identifier: MIT */
/*
 * Cuts: each must be as long as its size said, open as a trace of its own, and show what the frame
 * does from which it was cut, with the same state at its end; a cut of it must have the same bytes.
 * Cuts traces of the corpus, generated traces of all scenes, random traces, and traces with state
 * that is hard to restore.
 */
#include "tests/formats/aerogpu/cuts.h"
#include "tests/formats/aerogpu/frames.h"
#include "tests/formats/aerogpu/make.h"
#include "tests/formats/aerogpu/open.h"
#include "tests/formats/aerogpu/random.h"
#include "tests/support/support.h"
#include "tests/support/walk.h"
#include "tests/worker/scene.h"
#include "tests/worker/shaders.h"

#include "formats/aerogpu/cut/cut.h"
#include "formats/aerogpu/cut/initial_state.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void test_corpus(void **state)
{
    char *folder = support_corpus("aerogpu"), *path = NULL;
    DIR *directory = opendir(folder);
    struct dirent *entry = NULL;
    unsigned count = 0;

    (void)state;
    assert_non_null(directory);
    while ((entry = readdir(directory)) != NULL) {
        struct opened opened = {0};

        if (strstr(entry->d_name, ".aerogputrace") == NULL)
            continue;
        path = support_path(folder, entry->d_name);
        opened_path(&opened, path);
        cuts_expect(&opened, entry->d_name);
        opened_close(&opened);
        free(path);
        count++;
    }
    closedir(directory);
    free(folder);
    assert_true(count >= 17);
}

static void expect_made(const struct make_params *params, const char *name)
{
    struct opened opened;
    struct made made;

    aerogpu_make(params, &made);
    opened_bytes(&opened, made.writer.bytes.data, made.writer.bytes.size);
    cuts_expect(&opened, name);
    opened_close(&opened);
    aerogpu_made_free(&made);
}

static void test_scenes(void **state)
{
    (void)state;
    expect_made(&(struct make_params){.seed = 1, .frames = 60, .width = 48, .height = 40},
                "scenes");
    for (uint64_t seed = 11; seed < 17; seed += support_stride()) /* begin with other scenes */
        expect_made(&(struct make_params){.seed = seed, .frames = 8, .width = 40, .height = 32},
                    "scenes");
}

static void test_packets(void **state)
{
    (void)state;
    expect_made(
        &(struct make_params){.seed = 2, .frames = 24, .width = 33, .height = 32, .packets = true},
        "packets");
}

static void test_noise(void **state)
{
    (void)state;
    expect_made(
        &(struct make_params){.seed = 3, .frames = 24, .width = 32, .height = 32, .noise = true},
        "noise");
}

static void test_unfinished(void **state)
{
    (void)state;
    expect_made(
        &(struct make_params){
            .seed = 4, .frames = 12, .width = 32, .height = 32, .unfinished = true},
        "unfinished");
}

static void test_appendix(void **state)
{
    (void)state;
    expect_made(
        &(struct make_params){.seed = 5, .frames = 6, .width = 64, .height = 64, .appendix = true},
        "appendix");
}

static void test_random(void **state)
{
    struct random_params params = {.frames = 6, .commands = 50};

    (void)state;
    for (params.number = 300; params.number < 320; params.number += support_stride()) {
        struct trace_writer writer;
        struct opened opened;
        char name[24];

        snprintf(name, sizeof(name), "random %u", (unsigned)params.number);
        random_trace(&params, &writer);
        opened_bytes(&opened, writer.bytes.data, writer.bytes.size);
        cuts_expect(&opened, name);
        opened_close(&opened);
        trace_free(&writer);
    }
}

/* Traces written by hand, of two frames and more */

static void vertices(struct trace_stream *stream, uint32_t handle)
{
    static const float corners[3][6] = {
        {-1, -1, 1, 0, 0, 1}, {1, -1, 0, 1, 0, 1}, {0, 1, 0, 0, 1, 0.5f}};

    trace_buffer(stream, handle, AEROGPU_USAGE_VERTEX, sizeof(corners));
    trace_upload(stream, handle, 0, corners, sizeof(corners));
    TRACE(stream, AEROGPU_SET_VERTEX_BUFFERS, 0, 1, handle, 24, 0, 0);
}

/* Creates a red triangle that covers everything. */
static void cover(struct trace_stream *stream, uint32_t handle)
{
    static const float corners[3][6] = {
        {-1, -1, 1, 0, 0, 1}, {-1, 3, 1, 0, 0, 1}, {3, -1, 1, 0, 0, 1}};

    trace_buffer(stream, handle, AEROGPU_USAGE_VERTEX, sizeof(corners));
    trace_upload(stream, handle, 0, corners, sizeof(corners));
    TRACE(stream, AEROGPU_SET_VERTEX_BUFFERS, 0, 1, handle, 24, 0, 0);
}

/* The implicit back buffer, which has no handle, is cleared and drawn to. */
static void test_back_buffer(void **state)
{
    struct trace_writer writer = {.version = 2};
    struct trace_stream stream;

    (void)state;
    trace_begin(&writer, 2);
    frames_begin(&writer, &stream);
    trace_clear(&stream, 0.5f, 0, 0.25f, 1);
    vertices(&stream, 4);
    trace_present(&stream);
    frames_end(&writer, &stream);
    for (int i = 0; i < 3; i++) {
        frames_begin(&writer, &stream);
        trace_present(&stream);
        if (i == 0)
            TRACE(&stream, AEROGPU_DRAW, 3, 1, 0, 0);
        frames_end(&writer, &stream);
    }
    frames_begin(&writer, &stream); /* nothing is presented */
    frames_end(&writer, &stream);
    cuts_expect_written(&writer, "back buffer");
}

enum { FIRST = 1, SECOND, DEPTH, VERTEX, PIXEL, LAYOUT = 21, MISSING = 77 };

/*
 * Binds two colour targets and a depth target. If `drawn`, makes a draw of no vertices with
 * shaders.
 */
static void bind(struct trace_stream *stream, uint32_t first, uint32_t second, uint32_t depth,
                 bool drawn)
{
    TRACE(stream, AEROGPU_SET_RENDER_TARGETS, 2, depth, first, second, 0, 0, 0, 0, 0, 0);
    if (!drawn)
        return;
    TRACE(stream, AEROGPU_BIND_SHADERS, VERTEX, PIXEL, 0, 0);
    TRACE(stream, AEROGPU_DRAW, 0, 1, 0, 0);
    TRACE(stream, AEROGPU_BIND_SHADERS, 0, 0, 0, 0);
}

/*
 * The pictures must be the same from the CPU and from the worker, and the worker must only show
 * what is bound.
 */
static void expect_targets(bool drawn)
{
    static const uint32_t expected[] = {0x00FF00FF, 0x0000FFFF, 0xFF0000FF, 0x0000FFFF,
                                        0xFF0000FF, 0xFF0000FF, 0xFF0000FF};
    struct trace_writer writer = {.version = 2};
    struct trace_stream stream;
    struct opened opened;
    char path[64];

    trace_begin(&writer, 2);
    frames_begin(&writer, &stream); /* only depth is bound: the back buffer stays as it is */
    cuts_screen(&stream, FIRST, 8);
    cuts_screen(&stream, SECOND, 8);
    trace_texture(&stream, DEPTH, AEROGPU_USAGE_DEPTH, AEROGPU_D32F, 8, 8, 1, 1);
    cuts_make_shader(&stream, VERTEX, AEROGPU_VERTEX, scene_pass_vertex());
    cuts_make_shader(&stream, PIXEL, AEROGPU_PIXEL, scene_pass_pixel());
    cuts_make_layout(&stream, LAYOUT, true);
    TRACE(&stream, AEROGPU_SET_INPUT_LAYOUT, LAYOUT, 0);
    cover(&stream, 9);
    trace_clear(&stream, 0, 1, 0, 1);
    bind(&stream, 0, 0, DEPTH, drawn);
    trace_clear(&stream, 1, 0, 0, 1);
    TRACE(&stream, AEROGPU_DRAW, 3, 1, 0, 0);
    trace_present(&stream);
    frames_end(&writer, &stream);
    frames_begin(&writer, &stream); /* first target missing: draws do not go to the second */
    bind(&stream, MISSING, FIRST, 0, drawn);
    trace_clear(&stream, 0, 0, 1, 1);
    TRACE(&stream, AEROGPU_DRAW, 3, 1, 0, 0);
    trace_present(&stream);
    frames_end(&writer, &stream);
    frames_begin(&writer, &stream); /* all are missing: clears the back buffer */
    bind(&stream, MISSING, 0, MISSING, drawn);
    trace_clear(&stream, 1, 0, 0, 1);
    trace_present(&stream);
    frames_end(&writer, &stream);
    frames_begin(&writer, &stream); /* nothing is drawn to the second */
    bind(&stream, FIRST, SECOND, 0, drawn);
    trace_clear(&stream, 0, 0, 1, 1);
    TRACE(&stream, AEROGPU_DRAW, 3, 1, 0, 0);
    if (drawn) {
        TRACE(&stream, AEROGPU_BIND_SHADERS, VERTEX, PIXEL, 0, 0);
        TRACE(&stream, AEROGPU_DRAW, 3, 1, 0, 0);
        TRACE(&stream, AEROGPU_BIND_SHADERS, 0, 0, 0, 0);
    }
    bind(&stream, SECOND, 0, 0, false);
    trace_present(&stream);
    frames_end(&writer, &stream);
    frames_begin(&writer, &stream); /* a colour texture as the depth target: refused */
    bind(&stream, FIRST, 0, SECOND, drawn);
    trace_clear(&stream, 0, 1, 0, 1);
    trace_present(&stream);
    frames_end(&writer, &stream);
    frames_begin(&writer, &stream); /* only depth at the end, and nothing is presented */
    bind(&stream, 0, 0, DEPTH, drawn);
    frames_end(&writer, &stream);
    frames_begin(&writer, &stream); /* draws without shaders ignore masks and tests */
    TRACE(&stream, AEROGPU_SET_BLEND_STATE, 1, AEROGPU_ZERO, AEROGPU_ONE, 0, 0, 0, 0, 0, 0, 0, 0, 0,
          0);
    TRACE(&stream, AEROGPU_SET_DEPTH_STENCIL_STATE, 1, 1, AEROGPU_NEVER, 1, 0xFFFF);
    TRACE(&stream, AEROGPU_SET_RASTERIZER_STATE, AEROGPU_WIREFRAME, AEROGPU_CULL_FRONT, 0, 0, 0, 0);
    bind(&stream, FIRST, 0, DEPTH, false);
    trace_clear(&stream, 0, 0, 1, 1);
    bind(&stream, FIRST, 0, DEPTH, drawn); /* drawn by the worker from here on */
    TRACE(&stream, AEROGPU_DRAW, 3, 1, 0, 0);
    trace_present(&stream);
    frames_end(&writer, &stream);
    opened_trace(&opened, &writer);
    for (unsigned i = 0; i < COUNT_OF(expected); i++) {
        snprintf(path, sizeof(path), "frames/%06u.png", i);
        opened_expect_colour(&opened, path, expected[i]);
    }
    assert_int_equal(
        opened_count(&opened, "problems.txt", "Clear is not executed: a target has a format"), 1);
    assert_int_equal(opened_count(&opened, "problems.txt", " error: "), drawn ? 2 : 1);
    cuts_expect(&opened, drawn ? "targets, drawn" : "targets");
    opened_close(&opened);
}

static void test_targets(void **state)
{
    (void)state;
    expect_targets(false);
    opened_need_driver();
    expect_targets(true);
}

/* Returns the final contents of the only buffer with that handle. */
static char *read_buffer(const struct opened *opened, uint32_t handle, size_t *size)
{
    char path[64];

    for (unsigned life = 0; life < 32; life++) {
        snprintf(path, sizeof(path), "resources/%06u-buffer-0x%08X/content.bin", life, handle);
        if (cuts_has_file(opened, path))
            return walk_read(opened->tree, path, size);
    }
    fail_msg("buffer %u is not there", handle);
    return NULL;
}

/* A shader appends to a buffer, frame after frame, from a position that no command has set. */
static void test_counted(void **state)
{
    enum { SHADER = 8, BUFFER = 9, SIZE = 64 };
    struct trace_writer writer = {.version = 2};
    struct trace_stream stream;
    struct opened opened, cut;
    struct blob *code = shader_append();
    char *expected, *found;
    size_t size = 0;
    uint8_t *bytes;

    (void)state;
    opened_need_driver();
    trace_begin(&writer, 2);
    for (int i = 0; i < 2; i++) {
        frames_begin(&writer, &stream);
        if (i == 0) {
            cuts_screen(&stream, 1, 8);
            trace_buffer(&stream, BUFFER, 0, SIZE);
            trace_command_data(&stream, AEROGPU_CREATE_SHADER_DXBC,
                               (const uint32_t[]){SHADER, AEROGPU_COMPUTE, (uint32_t)code->size, 0},
                               4, code->data, code->size);
            TRACE(&stream, AEROGPU_BIND_SHADERS, 0, 0, SHADER, 0);
            TRACE(&stream, AEROGPU_SET_UNORDERED_ACCESS_BUFFERS, AEROGPU_COMPUTE, 0, 1, 0, BUFFER,
                  0, 0, UINT32_MAX);
        }
        TRACE(&stream, AEROGPU_DISPATCH, 1, 1, 1, 0);
        trace_present(&stream);
        frames_end(&writer, &stream);
    }
    blob_unref(&code);
    opened_trace(&opened, &writer);
    expected = read_buffer(&opened, BUFFER, &size);
    bytes = cuts_read(&opened, 1, &size);
    opened_bytes(&cut, bytes, size);
    found = read_buffer(&cut, BUFFER, &size);
    assert_int_equal(size, SIZE);
    assert_memory_equal(found, expected, SIZE);
    free(expected);
    free(found);
    free(bytes);
    opened_close(&cut);
    opened_close(&opened);
}

/* A stream of an earlier frame is submitted again, and presents in both. */
static void submit_again(bool drawn)
{
    struct trace_writer writer = {.version = 2};
    struct trace_stream stream;

    trace_begin(&writer, 2);
    frames_begin(&writer, &stream);
    cuts_screen(&stream, 1, 8);
    if (drawn) {
        vertices(&stream, 4);
        TRACE(&stream, AEROGPU_DRAW, 3, 1, 0, 0);
    }
    frames_end(&writer, &stream);
    frames_begin(&writer, &stream);
    trace_target(&stream, drawn ? 0 : 1, 0);
    trace_present(&stream);
    frames_end(&writer, &stream);
    frames_begin(&writer, &stream);
    frames_end(&writer, &stream);
    trace_bytes_put_u32(&writer.bytes, writer.bytes.size - 12 - 56 + 32, 2);
    cuts_expect_written(&writer, drawn ? "submitted again, drawn" : "submitted again");
}

static void test_submitted_again(void **state)
{
    (void)state;
    submit_again(false);
    submit_again(true);
}

static void *raise_soon(void *context)
{
    nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
    cancel_raise(context);
    return NULL;
}

/* Walks to the last frame, but is cancelled on the way, most likely in the frame before it. */
static void walk_for_a_while(const struct opened *opened)
{
    struct aerogpu_dump *dump = aerogpu_dump_of(tree_dump(opened->tree));
    struct cancel cancel;
    pthread_t thread;
    int status;

    assert_int_equal(aerogpu_cutter_know(dump, 1, NULL), 0);
    cancel_init(&cancel, NULL);
    assert_int_equal(pthread_create(&thread, NULL, raise_soon, &cancel), 0);
    status = aerogpu_cutter_know(dump, 2, &cancel);
    assert_true(status == 0 || status == -EINTR);
    pthread_join(thread, NULL);
}

/* A walk that was cancelled within a frame must not be taken for one that is before the frame. */
static void test_cancelled(void **state)
{
    enum { COMMANDS = 200000 };
    struct trace_writer writer = {.version = 2};
    struct trace_stream stream;
    struct opened opened;

    (void)state;
    trace_begin(&writer, 2);
    for (unsigned frame = 0; frame < 3; frame++) {
        frames_begin(&writer, &stream);
        if (frame == 0) {
            cuts_screen(&stream, 1, 8);
            trace_target(&stream, 1, 0);
        }
        for (uint32_t i = 0; frame == 1 && i < COMMANDS; i++)
            TRACE(&stream, AEROGPU_SET_RENDER_STATE, 22, 1 + i % 3);
        trace_clear(&stream, 1, 0, 0, 1);
        trace_present(&stream);
        frames_end(&writer, &stream);
    }
    opened_trace(&opened, &writer);
    walk_for_a_while(&opened);
    cuts_expect(&opened, "cancelled");
    opened_close(&opened);
}

static int add_one(struct aerogpu_state_commands *kept, const struct aerogpu_command *command)
{
    static const struct aerogpu_objects no_aliases;
    uint32_t handle = aerogpu_u32(command, 8);

    switch (command->opcode) {
    case AEROGPU_DESTROY_RESOURCE:
        return aerogpu_state_commands_destroy(kept, AEROGPU_SPACE_RESOURCE, handle);
    case AEROGPU_DESTROY_INPUT_LAYOUT:
        return aerogpu_state_commands_destroy(kept, AEROGPU_SPACE_LAYOUT, handle);
    case AEROGPU_DESTROY_SAMPLER:
        return aerogpu_state_commands_destroy(kept, AEROGPU_SPACE_SAMPLER, handle);
    default:
        return aerogpu_state_commands_add(kept, &no_aliases, command);
    }
}

static void add_all(struct aerogpu_state_commands *kept, const struct trace_stream *written)
{
    struct aerogpu_command command;
    struct aerogpu_stream stream;

    assert_true(aerogpu_stream_open(&stream, written->bytes.data, written->bytes.size));
    while (aerogpu_stream_next(&stream, &command))
        assert_int_equal(add_one(kept, &command), 0);
}

static void test_what_is_kept(void **state)
{
    enum { CULL = 22, FRONT = 18, ZERO_BLEND = 19 };
    /* For each command that is kept, the word at byte 12; for a destruction, the handle */
    static const uint32_t expected[] = {1, 2, 0, 1, 12, 9, 3, 0, 0, 0};
    static const uint32_t stubs[] = {40 + 16, 36 + 16, 28 + 16};
    struct aerogpu_state_commands kept;
    struct trace_stream stream;
    uint64_t bytes = 0;
    size_t at = 0, destroyed = 0;

    (void)state;
    assert_int_equal(aerogpu_state_commands_init(&kept), 0);
    trace_stream_begin(&stream);
    TRACE(&stream, AEROGPU_SET_INDEX_BUFFER, 9, AEROGPU_UINT16, 0, 0); /* not needed below */
    TRACE(&stream, AEROGPU_SET_RENDER_STATE, FRONT, 1);
    TRACE(&stream, AEROGPU_SET_RENDER_STATE, CULL, 2); /* depends on the front face at that time */
    TRACE(&stream, AEROGPU_SET_RENDER_STATE, FRONT, 0);
    TRACE(&stream, AEROGPU_SET_RENDER_STATE, FRONT, 1);
    TRACE(&stream, AEROGPU_SET_RENDER_STATE, ZERO_BLEND, 12); /* sets both factors */
    TRACE(&stream, AEROGPU_SET_TEXTURE, AEROGPU_PIXEL, 9, 5, 0);
    TRACE(&stream, AEROGPU_DESTROY_RESOURCE, 5, 0);
    TRACE(&stream, AEROGPU_SET_RENDER_STATE, ZERO_BLEND, 3);
    TRACE(&stream, AEROGPU_DESTROY_RESOURCE, 6, 0); /* not bound */
    TRACE(&stream, AEROGPU_SET_INDEX_BUFFER, 10, AEROGPU_UINT16, 0, 0);
    TRACE(&stream, AEROGPU_SET_INPUT_LAYOUT, 5, 0); /* another object with handle 5 */
    TRACE(&stream, AEROGPU_DESTROY_INPUT_LAYOUT, 5, 0);
    TRACE(&stream, AEROGPU_SET_SAMPLERS, AEROGPU_PIXEL, 0, 1, 0, 5);
    TRACE(&stream, AEROGPU_DESTROY_SAMPLER, 5, 0);
    add_all(&kept, &stream);
    for (const struct aerogpu_state_command *entry = kept.first; entry != NULL;
         entry = entry->next) {
        bytes += entry->destroyed != 0 ? stubs[destroyed++] : entry->command.size;
        if (entry->destroyed != 0)
            assert_int_equal(entry->destroyed, 5);
        else
            assert_int_equal(aerogpu_u32(&entry->command, 12), expected[at++]);
    }
    assert_int_equal(at, COUNT_OF(expected));
    assert_int_equal(destroyed, COUNT_OF(stubs));
    assert_int_equal(kept.bytes, bytes);
    aerogpu_state_commands_clear(&kept);
    trace_stream_free(&stream);
}

/* Damaged traces: whatever is cut out of them has the size that it said, and can be opened. */
static void expect_damaged(const uint8_t *bytes, size_t size)
{
    struct opened opened, cut;
    struct dump *dump = NULL;

    opened_bytes(&opened, bytes, size);
    dump = tree_dump(opened.tree);
    for (uint64_t i = 0; i < dump->ops->frames(dump); i++) {
        struct trace_bytes out = {0};
        uint64_t told = 0;

        assert_int_equal(aerogpu_cutter_know(aerogpu_dump_of(dump), i, NULL), 0);
        assert_int_equal(aerogpu_cut_size(aerogpu_dump_of(dump), i, &told), 0);
        if (dump->ops->cut(dump, i, i, NULL, cuts_collect, &out) == 0) {
            assert_int_equal(out.size, told);
            opened_bytes(&cut, out.data, out.size);
            assert_int_equal(tree_dump(cut.tree)->ops->frames(tree_dump(cut.tree)), 1);
            opened_close(&cut);
        }
        trace_bytes_free(&out);
    }
    opened_close(&opened);
}

static void test_damaged(void **state)
{
    struct random_params params = {.number = 400, .frames = 4, .commands = 30};
    struct trace_writer writer;
    uint64_t random = 77;

    (void)state;
    random_trace(&params, &writer);
    for (int i = 0; i < 60; i++) {
        uint8_t *bytes = malloc(writer.bytes.size);
        size_t size = writer.bytes.size;

        if (i % 3 == 0)
            size -= support_random(&random) % (size / 2);

        assert_non_null(bytes);
        memcpy(bytes, writer.bytes.data, writer.bytes.size);
        for (int j = 0; j < 40; j++)
            bytes[64 + support_random(&random) % (size - 64)] = (uint8_t)support_random(&random);
        expect_damaged(bytes, size);
        free(bytes);
    }
    trace_free(&writer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_corpus),       cmocka_unit_test(test_scenes),
        cmocka_unit_test(test_packets),      cmocka_unit_test(test_noise),
        cmocka_unit_test(test_unfinished),   cmocka_unit_test(test_appendix),
        cmocka_unit_test(test_random),       cmocka_unit_test(test_back_buffer),
        cmocka_unit_test(test_counted),      cmocka_unit_test(test_submitted_again),
        cmocka_unit_test(test_what_is_kept), cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_cancelled),    cmocka_unit_test(test_targets),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
