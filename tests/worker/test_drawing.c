/* SPDX-License-Identifier: MIT */
/* Drawing in the worker: which pixels a draw covers, and what is written to them. */
#include "config.h"

#include "tests/support/support.h"
#include "tests/worker/play.h"
#include "tests/worker/shaders.h"

#include "formats/aerogpu/decode/abi.h"
#include "formats/aerogpu/decode/layout.h"

#include <math.h>
#include <string.h>

static struct scene scene; /* too large for the stack */

/* D3D's rule for edges on pixel centres (worker.md 5.1). */
static void test_fill_rule(void **state)
{
    float vertices[6][8];
    struct player player;
    struct aerogpu_picture shown;

    (void)state;
    play_rectangle(vertices, 10.5f, 10.5f, 20.5f, 20.5f, 0, 0xFF8000FF);
    play_begin(&scene, 0, vertices, 6);
    scene_draw(&scene, 6);
    player_open(&player);
    play_reset(&player, 0);
    play_shoot(&player, &scene, &shown);
    for (uint32_t y = 0; y < 64; y++)
        for (uint32_t x = 0; x < 64; x++)
            assert_int_equal(play_pixel(&shown, x, y),
                             x >= 10 && x < 20 && y >= 10 && y < 20 ? 0xFF8000FF : 0x000000FF);
    blob_unref(&shown.owner);
    play_close(&player);
}

static void test_diagonal(void **state)
{
    float vertices[3][8];
    struct player player;
    struct aerogpu_picture shown;

    (void)state;
    play_vertex(vertices[0], 0, 0, 0, 0xFFFFFFFF);
    play_vertex(vertices[1], 64, 0, 0, 0xFFFFFFFF);
    play_vertex(vertices[2], 0, 64, 0, 0xFFFFFFFF);
    play_begin(&scene, 0, vertices, 3);
    scene_draw(&scene, 3);
    player_open(&player);
    play_reset(&player, 0);
    play_shoot(&player, &scene, &shown);
    assert_int_equal(play_count(&shown, 0xFFFFFFFF), 2016);
    assert_int_equal(play_pixel(&shown, 0, 0), 0xFFFFFFFF);
    blob_unref(&shown.owner);
    play_close(&player);
}

static void test_depth(void **state)
{
    static const struct {
        uint32_t format, function, write;
        int32_t bias;
        uint32_t rgba;
    } cases[] = {
        {AEROGPU_D24S8, AEROGPU_LESS, 1, 0, 0xFF0000FF},
        {AEROGPU_D32F, AEROGPU_LESS, 1, 0, 0xFF0000FF},
        {AEROGPU_D24S8, AEROGPU_GREATER, 1, 0, 0x000000FF},
        {AEROGPU_D24S8, AEROGPU_ALWAYS, 1, 0, 0x00FF00FF},
        {AEROGPU_D24S8, AEROGPU_LESS, 0, 0, 0x00FF00FF},
        {AEROGPU_D24S8, AEROGPU_LESS_EQUAL, 1, 0, 0xFF0000FF},
    };
    float vertices[12][8];
    struct player player;

    (void)state;
    play_rectangle(vertices, 0, 0, 64, 64, 0.25f, 0xFF0000FF);
    play_rectangle(vertices + 6, 0, 0, 64, 64, 0.5f, 0x00FF00FF);
    player_open(&player);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        play_begin(&scene, cases[i].format, vertices, 12);
        SCENE(&scene, AEROGPU_SET_DEPTH_STENCIL_STATE, 1, cases[i].write, cases[i].function, 0, 0);
        scene_draw(&scene, 12);
        play_assert(&player, &scene, 30, 30, cases[i].rgba);
    }
    play_close(&player);
}

static void test_depth_picture(void **state)
{
    static const uint32_t formats[] = {AEROGPU_D24S8, AEROGPU_D32F};
    float vertices[6][8], depth;
    struct aerogpu_picture shown;
    struct player player;
    struct blob *content;

    (void)state;
    play_rectangle(vertices, 0, 0, 32, 64, 0.25f, 0xFF0000FF);
    player_open(&player);
    for (size_t i = 0; i < COUNT_OF(formats); i++) {
        play_begin(&scene, formats[i], vertices, 6);
        scene_draw(&scene, 6);
        play_reset(&player, 0);
        play_run(&player, &scene);
        play_picture(&player, AEROGPU_PICTURE_DEPTH, &shown);
        assert_true(shown.depth);
        assert_int_equal(shown.format, formats[i]);
        memcpy(&depth, shown.pixels + 4 * 10, 4);
        assert_true(depth > 0.2499999f && depth < 0.2500001f);
        memcpy(&depth, shown.pixels + 4 * 40, 4);
        assert_true(depth == 1.0f);
        blob_unref(&shown.owner);
        assert_int_equal(aerogpu_session_content(player.session, DEPTH, NULL, &content), 0);
        assert_int_equal(content->size, 64 * 64 * 4);
        if (formats[i] == AEROGPU_D24S8)
            assert_int_equal(bytes_le32(content->data + 4 * 40), 0x00FFFFFF);
        blob_unref(&content);
    }
    play_close(&player);
}

static uint32_t depth_texel(struct player *player, uint32_t handle, size_t texel)
{
    struct blob *content = NULL;
    uint32_t bits;

    assert_int_equal(aerogpu_session_content(player->session, handle, NULL, &content), 0);
    bits = bytes_le32(content->data + 4 * texel);
    blob_unref(&content);
    return bits;
}

/* A clear clamps depths to 0..1, and stores the same texels as the CPU. */
static void test_depth_clears(void **state)
{
    static const float depths[] = {-1, 0, 1e-8f, 0.1f, 0.3f, 0.5f, 0.7f, 0.999999f, 1, 2, NAN};
    static const uint32_t formats[] = {AEROGPU_D24S8, AEROGPU_D32F};
    struct player player;

    (void)state;
    player_open(&player);
    for (size_t i = 0; i < COUNT_OF(depths) * COUNT_OF(formats); i++) {
        uint32_t format = formats[i % COUNT_OF(formats)], mask, bits;
        float depth = depths[i / COUNT_OF(formats)], kept;

        scene_init(&scene);
        scene_texture(&scene, DEPTH, format, 2, 2, 1, 1);
        scene_target(&scene, 0, DEPTH);
        scene_clear(&scene, 6, 0, 0, 0, 0, depth, 0x5A);
        play_reset(&player, 0);
        play_run(&player, &scene);
        bits = depth_texel(&player, DEPTH, 3);
        assert_int_equal(bits, aerogpu_depth_encode(format, depth, 0x5A, true, true, &mask));
        memcpy(&kept, &bits, sizeof(kept));
        if (format == AEROGPU_D32F)
            assert_true(kept == (depth > 0 ? depth < 1 ? depth : 1 : 0));
    }
    play_close(&player);
}

/* Uploads and copies keep depths that are no depths, although GL clamps them. */
static void test_depths_are_copied(void **state)
{
    static const float depths[4] = {-1, 0.3f, 2, NAN};
    struct player player;

    (void)state;
    player_open(&player);
    scene_init(&scene);
    scene_texture(&scene, DEPTH, AEROGPU_D32F, 4, 1, 1, 1);
    scene_texture(&scene, OTHER, AEROGPU_D32F, 4, 1, 1, 1);
    scene_upload(&scene, DEPTH, 0, depths, sizeof(depths));
    SCENE(&scene, AEROGPU_COPY_TEXTURE2D, OTHER, DEPTH, 0, 0, 0, 0, 0, 0, 0, 0, 4, 1, 0, 0);
    play_reset(&player, 0);
    play_run(&player, &scene);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(depth_texel(&player, DEPTH, i),
                         bytes_le32((const uint8_t *)depths + 4 * i));
        assert_int_equal(depth_texel(&player, OTHER, i),
                         bytes_le32((const uint8_t *)depths + 4 * i));
    }
    play_close(&player);
}

static void test_culling(void **state)
{
    static const struct {
        uint32_t cull, front_counter;
        bool clockwise, counter;
    } cases[] = {
        {AEROGPU_CULL_NONE, 0, true, true},   {AEROGPU_CULL_BACK, 0, true, false},
        {AEROGPU_CULL_FRONT, 0, false, true}, {AEROGPU_CULL_BACK, 1, false, true},
        {AEROGPU_CULL_FRONT, 1, true, false},
    };
    float vertices[6][8];
    struct player player;

    (void)state;
    play_vertex(vertices[0], 0, 0, 0, 0xFF0000FF);
    play_vertex(vertices[1], 32, 0, 0, 0xFF0000FF);
    play_vertex(vertices[2], 0, 64, 0, 0xFF0000FF);
    play_vertex(vertices[3], 64, 0, 0, 0x00FF00FF);
    play_vertex(vertices[4], 33, 0, 0, 0x00FF00FF);
    play_vertex(vertices[5], 64, 64, 0, 0x00FF00FF);
    player_open(&player);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        play_begin(&scene, 0, vertices, 6);
        SCENE(&scene, AEROGPU_SET_RASTERIZER_STATE, 0, cases[i].cull, cases[i].front_counter, 0, 0,
              0);
        scene_draw(&scene, 6);
        play_assert(&player, &scene, 2, 2, cases[i].clockwise ? 0xFF0000FF : 0x000000FF);
        play_assert(&player, &scene, 61, 2, cases[i].counter ? 0x00FF00FF : 0x000000FF);
    }
    play_close(&player);
}

static void test_blending(void **state)
{
    static const struct {
        uint32_t source, destination, operation, mask;
        uint32_t rgba;
    } cases[] = {
        {AEROGPU_ONE, AEROGPU_ZERO, AEROGPU_ADD, 15, 0x804020C0},
        {AEROGPU_ONE, AEROGPU_ONE, AEROGPU_ADD, 15, 0xFF4020FF},
        {AEROGPU_ONE, AEROGPU_ONE, AEROGPU_REV_SUBTRACT, 15, 0x7F00003F},
        {AEROGPU_ONE, AEROGPU_ONE, AEROGPU_MIN, 15, 0x800000C0},
        {AEROGPU_ONE, AEROGPU_ONE, AEROGPU_MAX, 15, 0xFF4020FF},
        {AEROGPU_ONE, AEROGPU_ZERO, AEROGPU_ADD, 2, 0xFF4000FF},
        {AEROGPU_ZERO, AEROGPU_CONSTANT, AEROGPU_ADD, 15, 0x800000FF},
    };
    float vertices[6][8];
    struct player player;

    (void)state;
    play_rectangle(vertices, 0, 0, 64, 64, 0, 0x804020C0);
    player_open(&player);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        play_begin(&scene, 0, vertices, 6);
        scene_clear(&scene, 1, 1, 0, 0, 1, 0, 0);
        SCENE(&scene, AEROGPU_SET_BLEND_STATE, 1, cases[i].source, cases[i].destination,
              cases[i].operation, cases[i].mask, cases[i].source, cases[i].destination,
              cases[i].operation, scene_float(128.0f / 255), scene_float(0.5f), 0, scene_float(1),
              0xFFFFFFFF);
        scene_draw(&scene, 6);
        play_assert(&player, &scene, 30, 30, cases[i].rgba);
    }
    /* A sample mask without the first sample draws nothing. */
    play_begin(&scene, 0, vertices, 6);
    SCENE(&scene, AEROGPU_SET_BLEND_STATE, 0, 1, 0, 0, 15, 1, 0, 0, 0, 0, 0, 0, 0xFFFFFFFE);
    scene_draw(&scene, 6);
    play_assert(&player, &scene, 30, 30, 0x000000FF);
    play_close(&player);
}

static void test_scissor_and_viewport(void **state)
{
    float vertices[6][8];
    struct player player;

    (void)state;
    play_rectangle(vertices, 0, 0, 64, 64, 0, 0xFF0000FF);
    player_open(&player);
    play_begin(&scene, 0, vertices, 6);
    SCENE(&scene, AEROGPU_SET_RASTERIZER_STATE, 0, 0, 0, 1, 0, 0);
    SCENE(&scene, AEROGPU_SET_SCISSOR, (uint32_t)-10, 8, 20, 8);
    scene_draw(&scene, 6);
    play_assert(&player, &scene, 9, 8, 0xFF0000FF);
    play_assert(&player, &scene, 10, 8, 0x000000FF);
    play_assert(&player, &scene, 9, 7, 0x000000FF);
    play_assert(&player, &scene, 9, 16, 0x000000FF);
    play_begin(&scene, 0, vertices, 6);
    SCENE(&scene, AEROGPU_SET_VIEWPORT, scene_float(16), scene_float(8), scene_float(8),
          scene_float(4), 0, scene_float(1));
    scene_draw(&scene, 6);
    play_assert(&player, &scene, 16, 8, 0xFF0000FF);
    play_assert(&player, &scene, 23, 11, 0xFF0000FF);
    play_assert(&player, &scene, 15, 8, 0x000000FF);
    play_assert(&player, &scene, 16, 12, 0x000000FF);
    play_close(&player);
}

static void test_constants(void **state)
{
    static const float colour[8] = {0, 0, 0, 0, 0, 1, 0, 1}, other[12] = {0, 0, 0, 0, 1, 0, 1, 1};
    float vertices[6][8];
    struct player player;

    (void)state;
    play_rectangle(vertices, 0, 0, 64, 64, 0, 0xFF0000FF);
    player_open(&player);
    for (int i = 0; i < 4; i++) {
        /*
         * Registers; a buffer; a buffer from an offset inside a vector; a buffer that is too short.
         */
        static const uint32_t expected[] = {0x00FF00FF, 0xFF00FFFF, 0xFF00FFFF, 0x00000000};

        play_begin(&scene, 0, vertices, 6);
        scene_shader(&scene, PIXEL, AEROGPU_PIXEL, shader_constant_pixel());
        scene_add(&scene, AEROGPU_SET_SHADER_CONSTANTS_F,
                  (const uint32_t[]){AEROGPU_PIXEL, 0, 2, 0}, 4, colour, sizeof(colour));
        scene_buffer(&scene, OTHER, NULL, 64);
        scene_upload(&scene, OTHER, i == 2 ? 8 : 0, other, sizeof(other));
        if (i > 0)
            SCENE(&scene, AEROGPU_SET_CONSTANT_BUFFERS, AEROGPU_PIXEL, 0, 1, 0, OTHER,
                  i == 2 ? 8 : 0, i == 3 ? 16 : 0, 0);
        scene_draw(&scene, 6);
        play_assert(&player, &scene, 30, 30, expected[i]);
    }
    play_close(&player);
}

/* Positions per vertex, colours and shifts per instance. */
static void test_instances(void **state)
{
    static const uint32_t layout[] = {0x59414C49, 1, 2,          0, 0x7808E88A, 0, 2, 0, 0,
                                      0,          0, 0xE7C308F8, 0, 2,          1, 0, 1, 2};
    static const float colours[3][4] = {{9, 9, 9, 9}, {1, 0, 0, 1}, {0, 1, 0, 1}};
    float vertices[6][8];
    struct player player;

    (void)state;
    play_rectangle(vertices, 0, 0, 64, 64, 0, 0);
    player_open(&player);
    for (uint32_t instances = 1; instances <= 3; instances++) {
        play_begin(&scene, 0, vertices, 6);
        scene_add(&scene, AEROGPU_CREATE_INPUT_LAYOUT, (const uint32_t[]){OTHER, sizeof(layout), 0},
                  3, layout, sizeof(layout));
        SCENE(&scene, AEROGPU_SET_INPUT_LAYOUT, OTHER, 0);
        scene_buffer(&scene, TEXTURE, colours, sizeof(colours));
        SCENE(&scene, AEROGPU_SET_VERTEX_BUFFERS, 1, 1, TEXTURE, 16, 0, 0);
        SCENE(&scene, AEROGPU_DRAW, 6, instances, 0, 1);
        /* The step rate is 2: the third instance has the next colour. */
        play_assert(&player, &scene, 5, 5, instances < 3 ? 0xFF0000FF : 0x00FF00FF);
    }
    play_close(&player);
}

static void test_strips_are_cut(void **state)
{
    static const uint16_t indices[] = {9, 0, 1, 2, 0xFFFF, 3, 4, 5};
    float vertices[6][8];
    struct player player;

    (void)state;
    play_vertex(vertices[0], 0, 0, 0, 0xFFFFFFFF);
    play_vertex(vertices[1], 16, 0, 0, 0xFFFFFFFF);
    play_vertex(vertices[2], 0, 64, 0, 0xFFFFFFFF);
    play_vertex(vertices[3], 48, 0, 0, 0xFFFFFFFF);
    play_vertex(vertices[4], 64, 0, 0, 0xFFFFFFFF);
    play_vertex(vertices[5], 48, 64, 0, 0xFFFFFFFF);
    player_open(&player);
    play_begin(&scene, 0, vertices, 6);
    scene_buffer(&scene, OTHER, indices, sizeof(indices));
    SCENE(&scene, AEROGPU_SET_INDEX_BUFFER, OTHER, AEROGPU_UINT16, 2, 0);
    SCENE(&scene, AEROGPU_SET_PRIMITIVE_TOPOLOGY, AEROGPU_TRIANGLE_STRIP, 0);
    SCENE(&scene, AEROGPU_DRAW_INDEXED, 7, 1, 0, 0, 0);
    play_assert(&player, &scene, 1, 5, 0xFFFFFFFF);
    play_assert(&player, &scene, 49, 5, 0xFFFFFFFF);
    play_assert(&player, &scene, 30, 5, 0x000000FF);
    play_close(&player);
}

static void render_state(struct scene *made, uint32_t number, uint32_t value)
{
    SCENE(made, AEROGPU_SET_RENDER_STATE, number, value);
}

/*
 * D3D9's states: the first draw writes stencil 5 where it passes, the second passes where it is 5.
 */
static void test_stencil(void **state)
{
    float vertices[12][8];
    struct player player;

    (void)state;
    play_rectangle(vertices, 0, 0, 32, 64, 0.5f, 0xFF0000FF);
    play_rectangle(vertices + 6, 0, 0, 64, 64, 0.25f, 0x00FF00FF);
    player_open(&player);
    play_begin(&scene, AEROGPU_D24S8, vertices, 12);
    render_state(&scene, 52, 1); /* STENCILENABLE */
    render_state(&scene, 57, 5); /* STENCILREF */
    render_state(&scene, 55, 3); /* STENCILPASS: replace */
    scene_draw(&scene, 6);
    render_state(&scene, 55, 1);
    render_state(&scene, 56, 3); /* STENCILFUNC: equal */
    SCENE(&scene, AEROGPU_DRAW, 6, 1, 6, 0);
    play_assert(&player, &scene, 10, 10, 0x00FF00FF);
    play_assert(&player, &scene, 40, 10, 0x000000FF);
    scene_clear(&scene, 4, 0, 0, 0, 0, 0, 5);
    SCENE(&scene, AEROGPU_DRAW, 6, 1, 6, 0);
    render_state(&scene, 23, 8); /* ZFUNC: always */
    SCENE(&scene, AEROGPU_DRAW, 6, 1, 6, 0);
    play_assert(&player, &scene, 40, 10, 0x00FF00FF);
    play_close(&player);
}

static void test_wireframe(void **state)
{
    struct aerogpu_picture shown;
    float vertices[6][8];
    struct player player;

    (void)state;
    play_rectangle(vertices, 8.5f, 8.5f, 56.5f, 56.5f, 0, 0xFFFFFFFF);
    play_begin(&scene, 0, vertices, 6);
    scene_draw(&scene, 6);
    player_open(&player);
    play_reset(&player, AEROGPU_SESSION_WIREFRAME);
    play_shoot(&player, &scene, &shown);
    assert_int_equal(play_pixel(&shown, 12, 20), 0x000000FF);
    assert_in_range(play_count(&shown, 0xFFFFFFFF), 150, 300);
    blob_unref(&shown.owner);
    play_close(&player);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fill_rule),
        cmocka_unit_test(test_diagonal),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_depth_picture),
        cmocka_unit_test(test_depth_clears),
        cmocka_unit_test(test_depths_are_copied),
        cmocka_unit_test(test_culling),
        cmocka_unit_test(test_blending),
        cmocka_unit_test(test_scissor_and_viewport),
        cmocka_unit_test(test_constants),
        cmocka_unit_test(test_instances),
        cmocka_unit_test(test_strips_are_cut),
        cmocka_unit_test(test_stencil),
        cmocka_unit_test(test_wireframe),
    };

#if !defined(HAVE_VKD3D) || !defined(HAVE_MOJOSHADER)
    return 0; /* shaders cannot be translated in this build */
#endif
    return cmocka_run_group_tests_name("worker_drawing", tests, NULL, NULL);
}
