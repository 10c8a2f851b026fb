/* SPDX-License-Identifier: MIT */
/*
 * Cuts of traces whose handles, aliases and tokens are destroyed and used again: a reused handle
 * names another object, and what is kept by other references is there. Each trace is written by
 * hand.
 */
#include "tests/formats/aerogpu/cuts.h"
#include "tests/formats/aerogpu/frames.h"
#include "tests/formats/aerogpu/open.h"
#include "tests/support/support.h"
#include "tests/worker/scene.h"
#include "tests/worker/shaders.h"

#include <stdio.h>
#include <stdlib.h>

/* An object is bound by a handle that is destroyed and then used for another object. */
static void test_given_again(void **state)
{
    struct trace_writer writer = {.version = 2};
    struct trace_stream stream;

    (void)state;
    trace_begin(&writer, 2);
    frames_begin(&writer, &stream);
    cuts_screen(&stream, 1, 8);
    trace_target(&stream, 1, 0);
    trace_clear(&stream, 1, 0, 0, 1);
    trace_present(&stream);
    TRACE(&stream, AEROGPU_DESTROY_RESOURCE, 1, 0);
    frames_end(&writer, &stream);
    frames_begin(&writer, &stream);
    cuts_screen(&stream, 1, 5);
    trace_present(&stream);
    frames_end(&writer, &stream);
    frames_begin(&writer, &stream);
    trace_clear(&stream, 0, 1, 0, 1);
    trace_present(&stream);
    frames_end(&writer, &stream);
    cuts_expect_written(&writer, "given again");
}

enum { SAMPLER = 20, LAYOUT };

static void make_sampler(struct trace_stream *stream)
{
    TRACE(stream, AEROGPU_CREATE_SAMPLER, SAMPLER, AEROGPU_NEAREST, AEROGPU_REPEAT, AEROGPU_REPEAT,
          AEROGPU_REPEAT);
}

/*
 * Draws the complete screen, sampled beyond the right edge of a texture of a red and a green texel.
 */
static void begin_sampled(struct trace_stream *stream)
{
    static const uint8_t texels[] = {255, 0, 0, 255, 0, 255, 0, 255};
    static const float corners[3][8] = {
        {-1, -1, 0, 1, 1.25f}, {-1, 3, 0, 1, 1.25f}, {3, -1, 0, 1, 1.25f}};

    cuts_screen(stream, 1, 8);
    trace_target(stream, 1, 0);
    trace_texture(stream, 2, AEROGPU_USAGE_TEXTURE, AEROGPU_R8G8B8A8, 2, 1, 1, 1);
    trace_upload(stream, 2, 0, texels, sizeof(texels));
    TRACE(stream, AEROGPU_SET_TEXTURE, AEROGPU_PIXEL, 0, 2, 0);
    trace_buffer(stream, 3, AEROGPU_USAGE_VERTEX, sizeof(corners));
    trace_upload(stream, 3, 0, corners, sizeof(corners));
    TRACE(stream, AEROGPU_SET_VERTEX_BUFFERS, 0, 1, 3, 32, 0, 0);
    cuts_make_shader(stream, 4, AEROGPU_VERTEX, scene_pass_vertex());
    cuts_make_shader(stream, 5, AEROGPU_PIXEL, shader_sample());
    TRACE(stream, AEROGPU_BIND_SHADERS, 4, 5, 0, 0);
    cuts_make_layout(stream, LAYOUT, false);
    make_sampler(stream);
    TRACE(stream, AEROGPU_SET_INPUT_LAYOUT, LAYOUT, 0);
    TRACE(stream, AEROGPU_SET_SAMPLERS, AEROGPU_PIXEL, 0, 1, 0, SAMPLER);
}

static void shoot(struct trace_stream *stream)
{
    trace_clear(stream, 0, 0, 1, 1);
    TRACE(stream, AEROGPU_DRAW, 3, 1, 0, 0);
    trace_present(stream);
}

/*
 * A sampler, then a layout, is destroyed while it is bound. Creating it again does not bind it
 * again.
 */
static void test_given_again_unbound(void **state)
{
    static const uint32_t expected[] = {0xFF0000FF, 0x00FF00FF, 0x00FF00FF, 0x0000FFFF};
    struct trace_writer writer = {.version = 2};
    struct trace_stream stream;
    struct opened opened;
    char path[64];

    (void)state;
    opened_need_driver();
    trace_begin(&writer, 2);
    for (unsigned i = 0; i < COUNT_OF(expected); i++) {
        frames_begin(&writer, &stream);
        if (i == 0)
            begin_sampled(&stream);
        if (i == 2)
            make_sampler(&stream);
        if (i == 3)
            cuts_make_layout(&stream, LAYOUT, false);
        shoot(&stream);
        if (i == 0)
            TRACE(&stream, AEROGPU_DESTROY_SAMPLER, SAMPLER, 0);
        if (i == 2)
            TRACE(&stream, AEROGPU_DESTROY_INPUT_LAYOUT, LAYOUT, 0);
        frames_end(&writer, &stream);
    }
    opened_trace(&opened, &writer);
    for (unsigned i = 0; i < COUNT_OF(expected); i++) {
        snprintf(path, sizeof(path), "frames/%06u.png", i);
        opened_expect_colour(&opened, path, expected[i]);
    }
    cuts_expect(&opened, "given again, unbound");
    opened_close(&opened);
}

/*
 * A texture, a target, vertices and an index buffer are bound while their handles are destroyed and
 * used again.
 */
static void test_bound_by_aliases(void **state)
{
    enum { TOKEN = 30, ALIAS = 40 };
    static const uint16_t indices[] = {0, 1, 2, 0};
    static const uint32_t expected[] = {0xFF0000FF, 0xFF0000FF, 0x00FF00FF, 0x0000FFFF};
    struct trace_writer writer = {.version = 2};
    struct trace_stream stream;
    struct opened opened;
    char path[64];

    (void)state;
    opened_need_driver();
    trace_begin(&writer, 2);
    frames_begin(&writer, &stream);
    begin_sampled(&stream);
    trace_buffer(&stream, 6, AEROGPU_USAGE_INDEX, sizeof(indices));
    trace_upload(&stream, 6, 0, indices, sizeof(indices));
    for (uint32_t i = 0; i < 4; i++) { /* aliases of target, texture, vertices, indices */
        const uint32_t handle = i < 3 ? 1 + i : 6;

        TRACE(&stream, AEROGPU_EXPORT_SHARED_SURFACE, handle, 0, TOKEN + i, 0);
        TRACE(&stream, AEROGPU_IMPORT_SHARED_SURFACE, ALIAS + i, 0, TOKEN + i, 0);
    }
    trace_target(&stream, ALIAS, 0);
    TRACE(&stream, AEROGPU_SET_TEXTURE, AEROGPU_PIXEL, 0, ALIAS + 1, 0);
    TRACE(&stream, AEROGPU_SET_VERTEX_BUFFERS, 0, 1, ALIAS + 2, 32, 0, 0);
    TRACE(&stream, AEROGPU_SET_INDEX_BUFFER, ALIAS + 3, AEROGPU_UINT16, 0, 0);
    for (unsigned i = 0; i < COUNT_OF(expected); i++) {
        if (i > 0)
            frames_begin(&writer, &stream);
        if (i == 2) /* no more sampling far to the right */
            TRACE(&stream, AEROGPU_SET_SAMPLERS, AEROGPU_PIXEL, 0, 1, 0, 0);
        trace_clear(&stream, 0, 0, 1, 1);
        TRACE(&stream, AEROGPU_DRAW_INDEXED, 3, 1, 0, 0, 0);
        trace_present(&stream);
        for (uint32_t k = 0; k < 4; k++) {
            if (i == 0) /* target and vertices lose the originals, others their aliases */
                TRACE(&stream, AEROGPU_DESTROY_RESOURCE, k % 2 != 0 ? ALIAS + k : 1 + k, 0);
            if (i == 0 && k % 2 != 0)
                trace_buffer(&stream, ALIAS + k, 0, 64); /* another buffer */
        }
        if (i == 2)
            TRACE(&stream, AEROGPU_DESTROY_RESOURCE, ALIAS + 2, 0); /* last handle of vertices */
        if (i == 2) {
            trace_buffer(&stream, ALIAS + 2, AEROGPU_USAGE_VERTEX, 96);
            trace_buffer(&stream, 3, AEROGPU_USAGE_VERTEX, 96);
        }
        frames_end(&writer, &stream);
    }
    opened_trace(&opened, &writer);
    for (unsigned i = 0; i < COUNT_OF(expected); i++) {
        snprintf(path, sizeof(path), "frames/%06u.png", i);
        opened_expect_colour(&opened, path, expected[i]);
    }
    cuts_expect(&opened, "bound by aliases");
    opened_close(&opened);
}

/* Tokens that were released, and one that disappeared with its resource, must not be used again. */
static void test_tokens(void **state)
{
    struct trace_writer writer = {.version = 2};
    struct trace_stream stream;
    struct opened opened, cut;
    size_t size = 0;
    uint8_t *bytes;

    (void)state;
    trace_begin(&writer, 2);
    frames_begin(&writer, &stream);
    TRACE(&stream, AEROGPU_RELEASE_SHARED_SURFACE, 8, 0, 0, 0); /* does nothing */
    cuts_screen(&stream, 1, 8);
    cuts_screen(&stream, 2, 9);
    TRACE(&stream, AEROGPU_EXPORT_SHARED_SURFACE, 1, 0, 5, 0);
    TRACE(&stream, AEROGPU_EXPORT_SHARED_SURFACE, 1, 0, 6, 0);
    TRACE(&stream, AEROGPU_EXPORT_SHARED_SURFACE, 2, 0, 7, 0);
    TRACE(&stream, AEROGPU_RELEASE_SHARED_SURFACE, 5, 0, 0, 0);
    TRACE(&stream, AEROGPU_DESTROY_RESOURCE, 2, 0);
    trace_present(&stream);
    frames_end(&writer, &stream);
    frames_begin(&writer, &stream);
    for (uint32_t token = 5; token <= 8; token++)
        TRACE(&stream, AEROGPU_EXPORT_SHARED_SURFACE, 1, 0, token, 0);
    TRACE(&stream, AEROGPU_IMPORT_SHARED_SURFACE, 9, 0, 6, 0);
    trace_target(&stream, 9, 0);
    trace_clear(&stream, 0, 1, 0, 1);
    trace_present(&stream);
    frames_end(&writer, &stream);
    opened_trace(&opened, &writer);
    cuts_expect(&opened, "tokens");
    bytes = cuts_read(&opened, 1, &size);
    opened_bytes(&cut, bytes, size);
    opened_expect_colour(&cut, "frames/000000.png", 0x00FF00FF);
    assert_int_equal(
        opened_count(&cut, "problems.txt", " is not executed: share token was retired"), 2);
    assert_int_equal(opened_count(&cut, "problems.txt", " is not executed"), 2);
    opened_close(&cut);
    opened_close(&opened);
    free(bytes);
}

/*
 * Textures that are kept by only an alias or a view; their first handle stays in use for as long.
 */
static void test_kept_by_others(void **state)
{
    struct trace_writer writer = {.version = 2};
    struct trace_stream stream;

    (void)state;
    trace_begin(&writer, 2);
    frames_begin(&writer, &stream);
    cuts_screen(&stream, 1, 8);
    cuts_screen(&stream, 2, 9);
    TRACE(&stream, AEROGPU_EXPORT_SHARED_SURFACE, 1, 0, 5, 0);
    TRACE(&stream, AEROGPU_IMPORT_SHARED_SURFACE, 7, 0, 5, 0);
    TRACE(&stream, AEROGPU_CREATE_TEXTURE_VIEW, 8, 2, AEROGPU_R8G8B8A8, 0, 1, 0, 1, 0, 0);
    TRACE(&stream, AEROGPU_DESTROY_RESOURCE, 1, 0);
    TRACE(&stream, AEROGPU_DESTROY_RESOURCE, 2, 0);
    trace_target(&stream, 8, 0);
    trace_clear(&stream, 0.25f, 0.5f, 0.75f, 1);
    trace_present(&stream);
    frames_end(&writer, &stream);
    frames_begin(&writer, &stream);
    trace_target(&stream, 7, 0);
    trace_clear(&stream, 0, 0, 1, 1);
    trace_present(&stream);
    TRACE(&stream, AEROGPU_RELEASE_SHARED_SURFACE, 5, 0, 0, 0);
    frames_end(&writer, &stream);
    frames_begin(&writer, &stream);
    cuts_screen(&stream, 1, 3); /* the handle is in use */
    cuts_screen(&stream, 2, 3);
    TRACE(&stream, AEROGPU_IMPORT_SHARED_SURFACE, 9, 0, 5, 0); /* the token is retired */
    trace_target(&stream, 1, 0);
    trace_present(&stream);
    frames_end(&writer, &stream);
    frames_begin(&writer, &stream);
    trace_target(&stream, 8, 0);
    trace_present(&stream);
    frames_end(&writer, &stream);
    cuts_expect_written(&writer, "kept by others");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_given_again),      cmocka_unit_test(test_given_again_unbound),
        cmocka_unit_test(test_bound_by_aliases), cmocka_unit_test(test_tokens),
        cmocka_unit_test(test_kept_by_others),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
