/* SPDX-License-Identifier: MIT */
/* Textures in the worker: formats, parts, views, guest memory, sharing. */
#include "config.h"

#include "tests/support/support.h"
#include "tests/worker/play.h"
#include "tests/worker/shaders.h"

#include "formats/aerogpu/decode/abi.h"

#include <errno.h>
#include <string.h>

static struct scene scene; /* too large for the stack */

/* Two targets, one of which is mip 1 of layer 1 through a view that is then sampled by ld. */
static void test_targets_and_views(void **state)
{
    struct aerogpu_picture_request request = {.kind = AEROGPU_PICTURE_TEXTURE, .handle = OTHER};
    struct aerogpu_picture shown;
    float vertices[6][8];
    struct player player;

    (void)state;
    play_rectangle(vertices, 0, 0, 64, 64, 0, 0x00FF80FF);
    player_open(&player);
    play_begin(&scene, 0, vertices, 6);
    scene_texture(&scene, OTHER, AEROGPU_B8G8R8A8, 128, 128, 2, 3);
    SCENE(&scene, AEROGPU_CREATE_TEXTURE_VIEW, TEXTURE, OTHER, AEROGPU_B8G8R8A8, 1, 1, 1, 1, 0, 0);
    scene_shader(&scene, PIXEL, AEROGPU_PIXEL, shader_two_targets());
    SCENE(&scene, AEROGPU_SET_RENDER_TARGETS, 2, 0, TARGET, TEXTURE, 0, 0, 0, 0, 0, 0);
    scene_draw(&scene, 6);
    play_reset(&player, 0);
    play_shoot(&player, &scene, &shown);
    assert_int_equal(play_count(&shown, 0xFF0000FF), 64 * 64);
    blob_unref(&shown.owner);
    for (request.mip = 0; request.mip < 2; request.mip++)
        for (request.layer = 0; request.layer < 3; request.layer++) {
            uint32_t size = 128 >> request.mip;
            bool drawn = request.mip == 1 && request.layer == 1;

            assert_int_equal(aerogpu_session_picture(player.session, &request, NULL, &shown), 0);
            assert_int_equal(shown.width, size);
            assert_int_equal(play_count(&shown, drawn ? 0x00FF80FF : 0), size * size);
            blob_unref(&shown.owner);
        }
    request.mip = 2;
    assert_int_equal(aerogpu_session_picture(player.session, &request, NULL, &shown), -ENOENT);
    play_close(&player);
}

static void test_texture_formats(void **state)
{
    static const uint8_t bc1[8] = {0xFF, 0xFF, 0, 0, 0x00, 0x55, 0xAA, 0xFF};
    static const struct {
        uint32_t format;
        uint8_t texel[4];
        uint32_t size, rgba;
    } cases[] = {
        {AEROGPU_R8G8B8A8, {0x80, 0x40, 0x20, 0x10}, 4, 0x80402010},
        {AEROGPU_B8G8R8A8, {0x80, 0x40, 0x20, 0x10}, 4, 0x20408010},
        {AEROGPU_B8G8R8X8, {0x80, 0x40, 0x20, 0x10}, 4, 0x204080FF},
        {AEROGPU_R8G8B8A8_SRGB, {188, 0, 255, 0x80}, 4, 0x8000FF80},
        {AEROGPU_B5G6R5, {0x00, 0xF8}, 2, 0xFF0000FF},
        {AEROGPU_B5G5R5A1, {0x1F, 0x80}, 2, 0x0000FFFF},
    };
    uint8_t texels[64];
    float vertices[6][8];
    struct player player;

    (void)state;
    play_textured(vertices);
    player_open(&player);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        for (uint32_t k = 0; k < 16 * cases[i].size; k++)
            texels[k] = cases[i].texel[k % cases[i].size];
        play_begin_textured(&scene, vertices, cases[i].format, texels, 16 * cases[i].size);
        scene_draw(&scene, 6);
        play_assert(&player, &scene, 30, 30, cases[i].rgba);
    }
    play_begin_textured(&scene, vertices, AEROGPU_BC1, bc1, sizeof(bc1));
    scene_draw(&scene, 6);
    play_assert(&player, &scene, 8, 8, 0xFFFFFFFF);
    play_assert(&player, &scene, 8, 24, 0x000000FF);
    play_assert(&player, &scene, 8, 40, 0xAAAAAAFF);
    play_assert(&player, &scene, 8, 56, 0x555555FF);
    play_close(&player);
}

/* A part of a texture is overwritten by bytes that begin and end inside of texels. */
static void test_partial_upload(void **state)
{
    static const uint8_t part[6] = {1, 2, 3, 4, 5, 6};
    struct aerogpu_picture_request request = {.kind = AEROGPU_PICTURE_TEXTURE, .handle = TEXTURE};
    float vertices[6][8];
    uint8_t texels[64];
    struct aerogpu_picture shown;
    struct player player;
    struct blob *content;

    (void)state;
    play_textured(vertices);
    memset(texels, 0x99, sizeof(texels));
    player_open(&player);
    play_reset(&player, 0);
    play_begin_textured(&scene, vertices, AEROGPU_R8G8B8A8, texels, 64);
    /* A clear between two uploads is kept. */
    scene_target(&scene, TEXTURE, 0);
    scene_clear(&scene, 1, 1, 1, 1, 1, 0, 0);
    scene_upload(&scene, TEXTURE, 18, part, sizeof(part));
    play_run(&player, &scene);
    assert_int_equal(player.notes, 0);
    assert_int_equal(aerogpu_session_picture(player.session, &request, NULL, &shown), 0);
    assert_int_equal(play_pixel(&shown, 0, 0), 0xFFFFFFFF);
    assert_int_equal(play_pixel(&shown, 0, 1), 0xFFFF0102);
    assert_int_equal(play_pixel(&shown, 1, 1), 0x03040506);
    assert_int_equal(play_pixel(&shown, 2, 1), 0xFFFFFFFF);
    blob_unref(&shown.owner);
    assert_int_equal(aerogpu_session_content(player.session, TEXTURE, NULL, &content), 0);
    assert_int_equal(content->size, 64);
    assert_memory_equal(content->data + 16, "\377\377\1\2\3\4\5\6\377", 9);
    blob_unref(&content);
    play_close(&player);
}

static void test_srgb_and_opaque_targets(void **state)
{
    enum { SRGBWRITEENABLE = 194 };
    struct player player;

    (void)state;
    player_open(&player);
    scene_init(&scene);
    scene_texture(&scene, TARGET, AEROGPU_R8G8B8A8_SRGB, 8, 8, 1, 1);
    scene_target(&scene, TARGET, 0);
    scene_clear(&scene, 1, 0.5f, 0, 1, 0.5f, 0, 0);
    play_assert(&player, &scene, 1, 1, 0xBC00FF80);
    scene_init(&scene);
    scene_texture(&scene, TARGET, AEROGPU_B8G8R8X8, 8, 8, 1, 1);
    scene_target(&scene, TARGET, 0);
    play_assert(&player, &scene, 1, 1, 0x000000FF);
    scene_clear(&scene, 1, 0.5f, 0, 1, 0.25f, 0, 0);
    play_assert(&player, &scene, 1, 1, 0x8000FFFF);
    SCENE(&scene, AEROGPU_SET_RENDER_STATE, SRGBWRITEENABLE, 1);
    scene_clear(&scene, 1, 0.5f, 0, 1, 0.25f, 0, 0);
    play_assert(&player, &scene, 1, 1, 0xBC00FFFF);
    scene_texture(&scene, OTHER, AEROGPU_B5G6R5, 8, 8, 1, 1);
    scene_target(&scene, OTHER, 0);
    scene_clear(&scene, 1, 0, 1, 0.5f, 1, 0, 0);
    play_assert(&player, &scene, 1, 1, 0x00FF80FF);
    play_close(&player);
}

/* A clear fills each target completely, whatever the size of the others, and all its layers. */
static void test_clears_of_different_targets(void **state)
{
    enum { VIEW = OTHER + 1 };
    struct player player;

    (void)state;
    player_open(&player);
    scene_init(&scene);
    scene_texture(&scene, TARGET, AEROGPU_R8G8B8A8, 64, 64, 1, 1);
    scene_texture(&scene, OTHER, AEROGPU_R8G8B8A8, 8, 8, 1, 3);
    scene_texture(&scene, DEPTH, AEROGPU_D32F, 4, 4, 1, 1);
    SCENE(&scene, AEROGPU_CREATE_TEXTURE_VIEW, VIEW, OTHER, AEROGPU_R8G8B8A8, 0, 1, 1, 2, 0, 0);
    SCENE(&scene, AEROGPU_SET_RENDER_TARGETS, 2, DEPTH, TARGET, VIEW, 0, 0, 0, 0, 0, 0);
    scene_clear(&scene, 3, 1, 0, 1, 1, 0.5f, 0);
    play_assert(&player, &scene, 50, 50, 0xFF00FFFF);
    SCENE(&scene, AEROGPU_CREATE_TEXTURE_VIEW, VIEW + 1, OTHER, AEROGPU_R8G8B8A8, 0, 1, 2, 1, 0, 0);
    scene_target(&scene, VIEW + 1, 0);
    play_assert(&player, &scene, 7, 7, 0xFF00FFFF);
    play_close(&player);
}

/* A shader reads nothing from what it draws to, but everything else of that texture. */
static void test_target_is_not_read(void **state)
{
    enum { UPPER = OTHER, LOWER };
    uint8_t texels[8 * 8 * 4 + 4 * 4 * 4];
    float vertices[6][8];
    struct player player;

    (void)state;
    memset(texels, 0x40, sizeof(texels));
    play_textured(vertices);
    player_open(&player);
    play_begin_textured(&scene, vertices, AEROGPU_R8G8B8A8, texels, 64);
    scene_target(&scene, TEXTURE, 0);
    scene_draw(&scene, 6);
    play_assert(&player, &scene, 1, 1, 0x000000FF);
    scene_target(&scene, TARGET, 0);
    scene_upload(&scene, TEXTURE, 0, texels, 64);
    scene_draw(&scene, 6);
    play_assert(&player, &scene, 1, 1, 0x40404040);
    play_begin_textured(&scene, vertices, AEROGPU_R8G8B8A8, texels, 64);
    scene_texture(&scene, LOWER + 1, AEROGPU_R8G8B8A8, 8, 8, 2, 1);
    scene_upload(&scene, LOWER + 1, 0, texels, sizeof(texels));
    SCENE(&scene, AEROGPU_CREATE_TEXTURE_VIEW, UPPER, LOWER + 1, AEROGPU_R8G8B8A8, 0, 1, 0, 1, 0,
          0);
    SCENE(&scene, AEROGPU_CREATE_TEXTURE_VIEW, LOWER, LOWER + 1, AEROGPU_R8G8B8A8, 1, 1, 0, 1, 0,
          0);
    SCENE(&scene, AEROGPU_SET_TEXTURE, AEROGPU_PIXEL, 0, UPPER, 0);
    scene_target(&scene, LOWER, 0);
    scene_clear(&scene, 1, 1, 1, 1, 1, 0, 0);
    SCENE(&scene, AEROGPU_SET_VIEWPORT, 0, 0, scene_float(4), scene_float(4), 0, scene_float(1));
    scene_draw(&scene, 6);
    play_assert(&player, &scene, 1, 1, 0x40404040);
    play_close(&player);
}

/* A shader reads a depth target that the draw cannot write. */
static void test_depth_target_is_read(void **state)
{
    enum { STENCILPASS = 55, KEEP = 1, REPLACE = 3 };
    static const struct {
        uint32_t format, depth, written, stencil, mask, pass, rgba;
    } cases[] = {
        {AEROGPU_D32F, 1, 1, 0, 0, KEEP, 0x000000FF},
        {AEROGPU_D32F, 1, 0, 0, 0, KEEP, 0x800000FF},
        {AEROGPU_D32F, 0, 1, 0, 0, KEEP, 0x800000FF},
        {AEROGPU_D32F, 1, 0, 1, 0xFFFF, REPLACE, 0x800000FF},
        {AEROGPU_D24S8, 0, 0, 1, 0xFFFF, REPLACE, 0x000000FF},
        {AEROGPU_D24S8, 0, 0, 1, 0xFFFF, KEEP, 0x800000FF},
        {AEROGPU_D24S8, 0, 0, 1, 0x00FF, REPLACE, 0x800000FF},
        {AEROGPU_D24S8, 0, 0, 0, 0xFFFF, REPLACE, 0x800000FF},
    };
    uint8_t texels[64] = {0};
    float vertices[6][8];
    struct player player;

    (void)state;
    play_textured(vertices);
    player_open(&player);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        play_begin_textured(&scene, vertices, AEROGPU_R8G8B8A8, texels, sizeof(texels));
        scene_texture(&scene, DEPTH, cases[i].format, 64, 64, 1, 1);
        scene_target(&scene, TARGET, DEPTH);
        scene_clear(&scene, 6, 0, 0, 0, 0, 0.5f, 0);
        SCENE(&scene, AEROGPU_SET_DEPTH_STENCIL_STATE, cases[i].depth, cases[i].written,
              AEROGPU_LESS, cases[i].stencil, cases[i].mask);
        SCENE(&scene, AEROGPU_SET_RENDER_STATE, STENCILPASS, cases[i].pass);
        SCENE(&scene, AEROGPU_SET_TEXTURE, AEROGPU_PIXEL, 0, DEPTH, 0);
        scene_draw(&scene, 6);
        play_assert(&player, &scene, 30, 30, cases[i].rgba);
    }
    play_close(&player);
}

/* A shader reads the layers that the draw's target does not have. */
static void test_other_layers_are_read(void **state)
{
    enum { DRAWN = OTHER, READ };
    static const struct {
        uint32_t base, layers;
        uint32_t rgba;
    } cases[] = {{0, 1, 0x40404040}, {2, 1, 0x40404040}, {1, 1, 0x000000FF}, {0, 2, 0x000000FF}};
    uint8_t texels[3 * 64];
    float vertices[6][8];
    struct player player;

    (void)state;
    memset(texels, 0x40, sizeof(texels));
    play_textured(vertices);
    player_open(&player);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        play_begin_textured(&scene, vertices, AEROGPU_R8G8B8A8, texels, 64);
        scene_texture(&scene, READ + 1, AEROGPU_R8G8B8A8, 4, 4, 1, 3);
        scene_upload(&scene, READ + 1, 0, texels, sizeof(texels));
        SCENE(&scene, AEROGPU_CREATE_TEXTURE_VIEW, DRAWN, READ + 1, AEROGPU_R8G8B8A8, 0, 1,
              cases[i].base, cases[i].layers, 0, 0);
        SCENE(&scene, AEROGPU_CREATE_TEXTURE_VIEW, READ, READ + 1, AEROGPU_R8G8B8A8, 0, 1, 1, 1, 0,
              0);
        SCENE(&scene, AEROGPU_SET_TEXTURE, AEROGPU_PIXEL, 0, READ, 0);
        scene_target(&scene, DRAWN, 0);
        scene_clear(&scene, 1, 1, 1, 1, 1, 0, 0);
        scene_upload(&scene, READ + 1, 64, texels, 64);
        scene_draw(&scene, 6);
        play_assert(&player, &scene, 1, 1, cases[i].rgba);
    }
    play_close(&player);
}

/* D3DSAMP_SRGBTEXTURE also decodes formats of 16 bits, which no target encodes. */
static void test_srgb_of_16_bits(void **state)
{
    enum { SRGBTEXTURE = 11 };
    uint8_t texels[32];
    float vertices[6][8];
    struct player player;

    (void)state;
    for (size_t i = 0; i < sizeof(texels); i += 4)
        bytes_put_le32(texels + i, 0x80108010); /* red and blue 132 of 255 */
    play_textured(vertices);
    player_open(&player);
    play_begin_textured(&scene, vertices, AEROGPU_B5G6R5, texels, sizeof(texels));
    SCENE(&scene, AEROGPU_SET_SAMPLER_STATE, AEROGPU_PIXEL, 0, SRGBTEXTURE, 1);
    scene_draw(&scene, 6);
    play_assert(&player, &scene, 30, 30, 0x3B003BFF);
    play_close(&player);
}

/* A copy within a subresource moves the texels, even if it overlaps what it reads. */
static void test_overlapping_copies(void **state)
{
    uint8_t texels[16 * 16 * 4];
    struct player player;

    (void)state;
    for (size_t i = 0; i < sizeof(texels); i++)
        texels[i] = i % 4 == 3 ? 255 : (uint8_t)(i / 64 * 16 + i / 4 % 16);
    player_open(&player);
    scene_init(&scene);
    scene_texture(&scene, TARGET, AEROGPU_R8G8B8A8, 16, 16, 1, 1);
    scene_upload(&scene, TARGET, 0, texels, sizeof(texels));
    scene_target(&scene, TARGET, 0);
    SCENE(&scene, AEROGPU_COPY_TEXTURE2D, TARGET, TARGET, 0, 0, 0, 0, 1, 1, 0, 0, 15, 15, 0, 0);
    play_assert(&player, &scene, 15, 15, 0xEEEEEEFF);
    play_assert(&player, &scene, 9, 5, 0x484848FF);
    play_assert(&player, &scene, 0, 9, 0x909090FF);
    SCENE(&scene, AEROGPU_COPY_TEXTURE2D, TARGET, TARGET, 0, 0, 0, 0, 0, 0, 1, 1, 15, 15, 0, 0);
    play_assert(&player, &scene, 14, 14, 0xEEEEEEFF);
    play_close(&player);
}

/* A copy is written back to guest memory, from which another resource reads it. */
static void test_write_back(void **state)
{
    static const struct aerogpu_picture_request request = {.kind = AEROGPU_PICTURE_TEXTURE,
                                                           .handle = OTHER};
    uint8_t memory[512] = {0}, texels[64];
    const struct aerogpu_session_range range = {.id = 7, .data = memory, .size = sizeof(memory)};
    struct aerogpu_session_submission submission = {
        .commands = scene.bytes, .ranges = &range, .range_count = 1, .until = UINT32_MAX};
    struct aerogpu_picture shown;
    struct player player;

    (void)state;
    memset(texels, 0x40, sizeof(texels));
    player_open(&player);
    play_reset(&player, 0);
    scene_init(&scene);
    scene_texture(&scene, TEXTURE, AEROGPU_B8G8R8A8, 4, 4, 1, 1);
    scene_upload(&scene, TEXTURE, 0, texels, 64);
    /* Two textures of 4x4 texels with a pitch of 32, at 128 and at 128 + 32 of the same memory. */
    SCENE(&scene, AEROGPU_CREATE_TEXTURE2D, TARGET, 8, AEROGPU_B8G8R8A8, 4, 4, 1, 1, 32, 7, 128, 0,
          0);
    SCENE(&scene, AEROGPU_CREATE_TEXTURE2D, OTHER, 8, AEROGPU_B8G8R8A8, 4, 4, 1, 1, 32, 7, 160, 0,
          0);
    SCENE(&scene, AEROGPU_COPY_TEXTURE2D, TARGET, TEXTURE, 0, 0, 0, 0, 1, 1, 0, 0, 2, 2,
          AEROGPU_COPY_WRITEBACK, 0);
    SCENE(&scene, AEROGPU_RESOURCE_DIRTY_RANGE, OTHER, 0, 0, 0, 64, 0);
    submission.size = scene.size;
    play_submit(&player, &submission);
    assert_int_equal(player.notes, 0);
    assert_int_equal(aerogpu_session_picture(player.session, &request, NULL, &shown), 0);
    assert_int_equal(play_pixel(&shown, 0, 0), 0);
    assert_int_equal(play_pixel(&shown, 1, 0), 0x40404040);
    assert_int_equal(play_pixel(&shown, 2, 1), 0x40404040);
    assert_int_equal(play_pixel(&shown, 3, 1), 0);
    assert_int_equal(play_pixel(&shown, 1, 2), 0);
    blob_unref(&shown.owner);
    /* The daemon's memory is unchanged. */
    for (size_t i = 0; i < sizeof(memory); i++)
        assert_int_equal(memory[i], 0);
    play_close(&player);
}

static void test_shared_surfaces(void **state)
{
    static const struct aerogpu_picture_request request = {.kind = AEROGPU_PICTURE_TEXTURE,
                                                           .handle = OTHER};
    struct aerogpu_picture shown;
    struct player player;

    (void)state;
    player_open(&player);
    play_reset(&player, 0);
    scene_init(&scene);
    scene_texture(&scene, TARGET, AEROGPU_R8G8B8A8, 4, 4, 1, 1);
    SCENE(&scene, AEROGPU_EXPORT_SHARED_SURFACE, TARGET, 0, 0x1234, 0);
    SCENE(&scene, AEROGPU_IMPORT_SHARED_SURFACE, OTHER, 0, 0x1234, 0);
    scene_target(&scene, OTHER, 0);
    SCENE(&scene, AEROGPU_DESTROY_RESOURCE, TARGET, 0);
    scene_clear(&scene, 1, 1, 0, 0, 1, 0, 0);
    play_run(&player, &scene);
    assert_int_equal(player.notes, 0);
    assert_int_equal(aerogpu_session_picture(player.session, &request, NULL, &shown), 0);
    assert_int_equal(play_pixel(&shown, 1, 1), 0xFF0000FF);
    blob_unref(&shown.owner);
    /*
     * The original's handle is not free while an alias lives, and the token is invalid after its
     * release.
     */
    scene_init(&scene);
    scene_texture(&scene, TARGET, AEROGPU_R8G8B8A8, 4, 4, 1, 1);
    play_run(&player, &scene);
    assert_int_equal(player.notes, 1);
    scene_init(&scene);
    SCENE(&scene, AEROGPU_RELEASE_SHARED_SURFACE, 0x1234, 0, 0, 0);
    SCENE(&scene, AEROGPU_IMPORT_SHARED_SURFACE, TEXTURE, 0, 0x1234, 0);
    SCENE(&scene, AEROGPU_EXPORT_SHARED_SURFACE, OTHER, 0, 0x1234, 0);
    play_run(&player, &scene);
    assert_int_equal(player.notes, 3);
    scene_init(&scene);
    SCENE(&scene, AEROGPU_DESTROY_RESOURCE, OTHER, 0);
    scene_texture(&scene, TARGET, AEROGPU_R8G8B8A8, 4, 4, 1, 1);
    play_run(&player, &scene);
    assert_int_equal(player.notes, 3);
    play_close(&player);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_targets_and_views),
        cmocka_unit_test(test_texture_formats),
        cmocka_unit_test(test_clears_of_different_targets),
        cmocka_unit_test(test_target_is_not_read),
        cmocka_unit_test(test_depth_target_is_read),
        cmocka_unit_test(test_other_layers_are_read),
        cmocka_unit_test(test_srgb_of_16_bits),
        cmocka_unit_test(test_overlapping_copies),
        cmocka_unit_test(test_partial_upload),
        cmocka_unit_test(test_srgb_and_opaque_targets),
        cmocka_unit_test(test_write_back),
        cmocka_unit_test(test_shared_surfaces),
    };

#if !defined(HAVE_VKD3D) || !defined(HAVE_MOJOSHADER)
    return 0; /* shaders cannot be translated in this build */
#endif
    return cmocka_run_group_tests_name("worker_textures", tests, NULL, NULL);
}
