/* SPDX-License-Identifier: MIT */
/* Shader models 1 to 3 in the worker, and D3D9's states. */
#include "config.h"

#include "tests/support/support.h"
#include "tests/worker/play.h"
#include "tests/worker/shaders.h"

#include "formats/aerogpu/decode/abi.h"

#include <errno.h>
#include <string.h>

static struct scene scene; /* too large for the stack */

/* The layout of position and colour as a D3D9 declaration, both FLOAT4. */
static void d3d9_layout(struct scene *made)
{
    static const uint8_t declaration[] = {
        0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 16, 0, 3, 0, 10, 0, 0xFF, 0, 0, 0, 17, 0, 0, 0,
    };

    scene_add(made, AEROGPU_CREATE_INPUT_LAYOUT, (const uint32_t[]){LAYOUT, sizeof(declaration), 0},
              3, declaration, sizeof(declaration));
}

static void begin_d3d9(struct scene *made, float vertices[6][8])
{
    static const float half[4] = {0.5f, 1, 1, 0.25f};

    play_begin(made, 0, vertices, 6);
    scene_bytecode(made, VERTEX, AEROGPU_VERTEX, shader_vs_2_0, sizeof(shader_vs_2_0));
    scene_bytecode(made, PIXEL, AEROGPU_PIXEL, shader_ps_2_0, sizeof(shader_ps_2_0));
    d3d9_layout(made);
    scene_add(made, AEROGPU_SET_SHADER_CONSTANTS_F, (const uint32_t[]){AEROGPU_PIXEL, 3, 1, 0}, 4,
              half, sizeof(half));
}

static void render_state(struct scene *made, uint32_t number, uint32_t value)
{
    SCENE(made, AEROGPU_SET_RENDER_STATE, number, value);
}

static void test_d3d9_shaders(void **state)
{
    float vertices[6][8];
    struct player player;

    (void)state;
    /* D3D9's pixel centres are integers: a rectangle that begins at 10 covers pixel 10. */
    play_rectangle(vertices, 10, 10, 20, 20, 0, 0xFF804080);
    player_open(&player);
    begin_d3d9(&scene, vertices);
    scene_draw(&scene, 6);
    play_assert(&player, &scene, 10, 10, 0x80804020);
    play_assert(&player, &scene, 19, 19, 0x80804020);
    play_assert(&player, &scene, 9, 10, 0x000000FF);
    play_assert(&player, &scene, 10, 9, 0x000000FF);
    play_assert(&player, &scene, 20, 19, 0x000000FF);
    play_assert(&player, &scene, 19, 20, 0x000000FF);
    play_close(&player);
}

/*
 * A shader that is of D3D9 and alone, or bound to a stage of another kind, is reported. Magenta
 * replaces what a pixel shader draws.
 */
static void test_d3d9_shader_alone(void **state)
{
    static const struct {
        uint32_t vertex, pixel, geometry;
        uint32_t rgba;
        const char *reason;
    } cases[] = {
        {VERTEX, 0, 0, 0x000000FF, "is of D3D9"},
        {VERTEX, OTHER, 0, 0xFF00FFFF, "there is no shader"},
        {OTHER + 1, PIXEL, 0, 0xFF00FFFF, "of D3D11 are used together"},
        {OTHER + 1, OTHER + 2, PIXEL, 0x000000FF, "a stage of another kind"},
        {OTHER + 1, OTHER + 1, 0, 0xFF00FFFF, "a stage of another kind"},
    };
    struct aerogpu_picture shown;
    float vertices[6][8];
    struct player player;

    (void)state;
    play_rectangle(vertices, 0, 0, 64, 64, 0, 0xFF804080);
    player_open(&player);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        begin_d3d9(&scene, vertices);
        scene_shader(&scene, OTHER + 1, AEROGPU_VERTEX, scene_pass_vertex());
        scene_shader(&scene, OTHER + 2, AEROGPU_PIXEL, scene_pass_pixel());
        SCENE(&scene, AEROGPU_BIND_SHADERS, cases[i].vertex, cases[i].pixel, 0, cases[i].geometry);
        scene_draw(&scene, 6);
        play_reset(&player, 0);
        play_run(&player, &scene);
        assert_true(player.notes > 0);
        assert_non_null(strstr(player.note, cases[i].reason));
        play_picture(&player, AEROGPU_PICTURE_TARGET, &shown);
        assert_int_equal(play_pixel(&shown, 30, 30), cases[i].rgba);
        blob_unref(&shown.owner);
    }
    play_close(&player);
}

/* A shader that is alone is reported once, even if it is drawn with others in between. */
static void test_d3d9_shader_alone_again(void **state)
{
    float vertices[6][8];
    struct player player;

    (void)state;
    play_rectangle(vertices, 0, 0, 64, 64, 0, 0xFF804080);
    player_open(&player);
    begin_d3d9(&scene, vertices);
    for (int i = 0; i < 2; i++) {
        SCENE(&scene, AEROGPU_BIND_SHADERS, VERTEX, 0, 0, 0);
        scene_draw(&scene, 6);
        SCENE(&scene, AEROGPU_BIND_SHADERS, VERTEX, PIXEL, 0, 0);
        scene_draw(&scene, 6);
    }
    play_reset(&player, 0);
    play_run(&player, &scene);
    assert_int_equal(player.notes, 1);
    play_close(&player);
}

/* A pair of shaders that cannot be linked is reported once, whatever is drawn in between. */
static void test_d3d9_pair_again(void **state)
{
    /* dcl_texcoord15 v0; mov oC0, v0: the vertex shader has no such output. */
    static const uint32_t broken[] = {0xFFFF0300, 0x0200001F, 0x800F0005, 0x900F0000,
                                      0x02000001, 0x800F0800, 0x90E40000, 0x0000FFFF};
    enum { TWIN = OTHER + 1 };
    static const uint32_t pixels[] = {OTHER, PIXEL, OTHER, TWIN, PIXEL, TWIN, OTHER};
    float vertices[6][8];
    struct player player;

    (void)state;
    play_rectangle(vertices, 0, 0, 64, 64, 0, 0xFF804080);
    player_open(&player);
    begin_d3d9(&scene, vertices);
    scene_bytecode(&scene, OTHER, AEROGPU_PIXEL, broken, sizeof(broken));
    scene_bytecode(&scene, TWIN, AEROGPU_PIXEL, broken, sizeof(broken));
    for (size_t i = 0; i < COUNT_OF(pixels); i++) {
        SCENE(&scene, AEROGPU_BIND_SHADERS, VERTEX, pixels[i], 0, 0);
        scene_draw(&scene, 6);
    }
    play_reset(&player, 0);
    play_run(&player, &scene);
    assert_int_equal(player.notes, 2);
    assert_non_null(strstr(player.note, "shaders 103 and 108 cannot be run"));
    play_close(&player);
}

/* Registers that a shader defines one after the other, at relative addresses. */
static void test_d3d9_defined_arrays(void **state)
{
    static const uint32_t code[] = {
        0xFFFE0200, 0x05000051, 0xA00F0009, 0x3F800000, 0,          0x3F800000,
        0x3F800000,                                                             /* def c9 */
        0x05000051, 0xA00F000A, 0,          0x3F800000, 0,          0x3E800000, /* def c10 */
        0x0200001F, 0x80000000, 0x900F0000,                         /* dcl_position v0 */
        0x0200002E, 0xB0010000, 0xA0000000,                         /* mova a0.x, c0.x */
        0x02000001, 0xC00F0000, 0x90E40000,                         /* mov oPos, v0 */
        0x03000001, 0xD00F0000, 0xA0E42009, 0xB0000000, 0x0000FFFF, /* mov oD0, c[a0.x + 9] */
    };
    static const uint32_t colours[] = {0x8000FF40, 0x00FF0010};
    float vertices[6][8];
    struct player player;

    (void)state;
    play_rectangle(vertices, 0, 0, 64, 64, 0, 0);
    player_open(&player);
    for (size_t i = 0; i < COUNT_OF(colours); i++) {
        const float first[4] = {(float)i, 0, 0, 1};

        begin_d3d9(&scene, vertices);
        scene_bytecode(&scene, VERTEX, AEROGPU_VERTEX, code, sizeof(code));
        SCENE(&scene, AEROGPU_SET_RENDER_STATE, 27, 0);
        scene_add(&scene, AEROGPU_SET_SHADER_CONSTANTS_F,
                  (const uint32_t[]){AEROGPU_VERTEX, 0, 1, 0}, 4, first, sizeof(first));
        scene_draw(&scene, 6);
        play_assert(&player, &scene, 30, 30, colours[i]);
    }
    play_close(&player);
}

/* Constants at relative addresses: values that were set, and those that the shader defines. */
static void test_d3d9_relative_constants(void **state)
{
    static const uint32_t code[] = {
        0xFFFE0200, 0x05000051, 0xA00F0009, 0x3F800000, 0,
        0x3F800000, 0x3F800000,                                     /* def c9 */
        0x0200001F, 0x80000000, 0x900F0000,                         /* dcl_position v0 */
        0x0200002E, 0xB0010000, 0xA0000000,                         /* mova a0.x, c0.x */
        0x02000001, 0xC00F0000, 0x90E40000,                         /* mov oPos, v0 */
        0x03000001, 0xD00F0000, 0xA0E42003, 0xB0000000, 0x0000FFFF, /* mov oD0, c[a0.x + 3] */
    };
    static const struct {
        float address;
        uint32_t rgba;
    } cases[] = {{6, 0x8000FF40}, {7, 0x00FF0010}, {-3, 0x00000040}, {250, 0x80FFFF08}};
    static const float ones[4] = {1, 1, 1, 1}, set[4] = {0, 1, 0, 0.25f},
                       last[4] = {1, 1, 1, 0.125f};
    float vertices[6][8];
    struct player player;

    (void)state;
    play_rectangle(vertices, 0, 0, 64, 64, 0, 0);
    player_open(&player);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const float first[4] = {cases[i].address, 0, 0, 1};

        begin_d3d9(&scene, vertices);
        scene_bytecode(&scene, VERTEX, AEROGPU_VERTEX, code, sizeof(code));
        SCENE(&scene, AEROGPU_SET_RENDER_STATE, 27, 0);
        scene_add(&scene, AEROGPU_SET_SHADER_CONSTANTS_F,
                  (const uint32_t[]){AEROGPU_VERTEX, 0, 1, 0}, 4, first, sizeof(first));
        scene_add(&scene, AEROGPU_SET_SHADER_CONSTANTS_F,
                  (const uint32_t[]){AEROGPU_VERTEX, 9, 1, 0}, 4, ones, sizeof(ones));
        scene_add(&scene, AEROGPU_SET_SHADER_CONSTANTS_F,
                  (const uint32_t[]){AEROGPU_VERTEX, 10, 1, 0}, 4, set, sizeof(set));
        scene_add(&scene, AEROGPU_SET_SHADER_CONSTANTS_F,
                  (const uint32_t[]){AEROGPU_VERTEX, 253, 1, 0}, 4, last, sizeof(last));
        scene_draw(&scene, 6);
        play_assert(&player, &scene, 30, 30, cases[i].rgba);
    }
    play_close(&player);
}

static void test_d3d9_alpha_test(void **state)
{
    /* The draw's alpha is 0x20. */
    static const struct {
        uint32_t function, reference;
        bool drawn;
    } cases[] = {
        {1, 0, false}, {7, 0x10, true}, {7, 0x30, false}, {2, 0x30, true}, {8, 0xFF, true}};
    float vertices[6][8];
    struct player player;

    (void)state;
    play_rectangle(vertices, 0, 0, 64, 64, 0, 0xFF804080);
    player_open(&player);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        begin_d3d9(&scene, vertices);
        render_state(&scene, 15, 1);
        render_state(&scene, 24, cases[i].reference);
        render_state(&scene, 25, cases[i].function);
        scene_draw(&scene, 6);
        play_assert(&player, &scene, 30, 30, cases[i].drawn ? 0x80804020 : 0x000000FF);
    }
    play_close(&player);
}

static void test_d3d9_textures(void **state)
{
    uint8_t texels[64];
    float vertices[6][8];
    struct player player;

    (void)state;
    for (int i = 0; i < 16; i++)
        memcpy(texels + 4 * i, i == 0 ? "\377\0\0\377" : "\0\0\377\377", 4);
    play_textured(vertices);
    for (int i = 0; i < 6; i++)
        vertices[i][4] += 1; /* the texture repeats */
    player_open(&player);
    play_begin_textured(&scene, vertices, AEROGPU_R8G8B8A8, texels, 64);
    scene_bytecode(&scene, VERTEX, AEROGPU_VERTEX, shader_texture_vs_2_0,
                   sizeof(shader_texture_vs_2_0));
    scene_bytecode(&scene, PIXEL, AEROGPU_PIXEL, shader_texture_ps_2_0,
                   sizeof(shader_texture_ps_2_0));
    d3d9_layout(&scene);
    SCENE(&scene, AEROGPU_SET_TEXTURE, AEROGPU_PIXEL, 1, TEXTURE, 0);
    SCENE(&scene, AEROGPU_SET_SAMPLER_STATE, AEROGPU_PIXEL, 1, 5, 1);
    scene_draw(&scene, 6);
    play_assert(&player, &scene, 8, 8, 0xFF0000FF);
    play_assert(&player, &scene, 24, 8, 0x0000FFFF);
    /* Clamped, the complete target has the last column's colour. */
    SCENE(&scene, AEROGPU_SET_SAMPLER_STATE, AEROGPU_PIXEL, 1, 1, 3);
    scene_draw(&scene, 6);
    play_assert(&player, &scene, 8, 8, 0x0000FFFF);
    play_close(&player);
}

/* D3D9 shaders are translated without SPIR-V. */
static void test_translation(void **state)
{
    struct shader_translation translation;
    struct player player;

    (void)state;
    player_open(&player);
    assert_int_equal(aerogpu_session_translate(player.session, shader_vs_2_0, sizeof(shader_vs_2_0),
                                               NULL, &translation),
                     0);
    assert_int_equal(translation.spirv->size, 0);
    assert_true(translation.glsl->size > 0);
    blob_unref(&translation.spirv);
    blob_unref(&translation.glsl);
    play_close(&player);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_d3d9_shaders),
        cmocka_unit_test(test_d3d9_shader_alone),
        cmocka_unit_test(test_d3d9_shader_alone_again),
        cmocka_unit_test(test_d3d9_pair_again),
        cmocka_unit_test(test_d3d9_relative_constants),
        cmocka_unit_test(test_d3d9_defined_arrays),
        cmocka_unit_test(test_d3d9_alpha_test),
        cmocka_unit_test(test_d3d9_textures),
        cmocka_unit_test(test_translation),
    };

#if !defined(HAVE_VKD3D) || !defined(HAVE_MOJOSHADER)
    return 0; /* shaders cannot be translated in this build */
#endif
    return cmocka_run_group_tests_name("worker_d3d9", tests, NULL, NULL);
}
