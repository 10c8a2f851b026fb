/* SPDX-License-Identifier: MIT */
/* Compute, geometry, hull and domain shaders in the worker. */
#include "config.h"

#include "tests/support/support.h"
#include "tests/worker/play.h"
#include "tests/worker/shaders.h"

#include "base/bytes.h"
#include "formats/aerogpu/decode/abi.h"

static struct scene scene; /* too large for the stack */

static void test_compute(void **state)
{
    struct player player;
    struct blob *content;

    (void)state;
    player_open(&player);
    play_reset(&player, 0);
    scene_init(&scene);
    scene_buffer(&scene, OTHER, NULL, 64);
    scene_shader(&scene, VERTEX, AEROGPU_COMPUTE, shader_triples());
    SCENE(&scene, AEROGPU_BIND_SHADERS, 0, 0, VERTEX, 0);
    SCENE(&scene, AEROGPU_SET_UNORDERED_ACCESS_BUFFERS, AEROGPU_COMPUTE, 0, 1, 0, OTHER, 0, 0,
          0xFFFFFFFF);
    SCENE(&scene, AEROGPU_DISPATCH, 3, 1, 1, 0);
    play_run(&player, &scene);
    if (player.notes > 0)
        print_error("%s\n", player.note);
    assert_int_equal(player.notes, 0);
    assert_int_equal(aerogpu_session_content(player.session, OTHER, NULL, &content), 0);
    assert_int_equal(content->size, 64);
    for (uint32_t i = 0; i < 16; i++)
        assert_int_equal(bytes_le32(content->data + 4 * i), i < 12 ? i * 3 : 0);
    blob_unref(&content);
    play_close(&player);
}

/* Both buffers have an offset and a size: words beyond the size read as 0 and are not written. */
static void test_buffers_of_shaders(void **state)
{
    static const uint32_t words[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    struct player player;
    struct blob *content;

    (void)state;
    player_open(&player);
    play_reset(&player, 0);
    scene_init(&scene);
    scene_buffer(&scene, TEXTURE, words, sizeof(words));
    scene_buffer(&scene, OTHER, words, sizeof(words));
    scene_shader(&scene, VERTEX, AEROGPU_COMPUTE, shader_copy_words());
    SCENE(&scene, AEROGPU_BIND_SHADERS, 0, 0, VERTEX, 0);
    SCENE(&scene, AEROGPU_SET_SHADER_RESOURCE_BUFFERS, AEROGPU_COMPUTE, 0, 1, 0, TEXTURE, 16, 8, 0);
    SCENE(&scene, AEROGPU_SET_UNORDERED_ACCESS_BUFFERS, AEROGPU_COMPUTE, 0, 1, 0, OTHER, 32, 12,
          0xFFFFFFFF);
    SCENE(&scene, AEROGPU_DISPATCH, 1, 1, 1, 0);
    play_run(&player, &scene);
    if (player.notes > 0)
        print_error("%s\n", player.note);
    assert_int_equal(player.notes, 0);
    assert_int_equal(aerogpu_session_content(player.session, OTHER, NULL, &content), 0);
    for (uint32_t i = 0; i < 12; i++) {
        static const uint32_t expected[] = {1, 2, 3, 4, 5, 6, 7, 8, 5, 6, 0, 12};

        assert_int_equal(bytes_le32(content->data + 4 * i), expected[i]);
    }
    blob_unref(&content);
    play_close(&player);
}

static void test_geometry(void **state)
{
    float vertices[1][8];
    struct aerogpu_picture shown;
    struct player player;

    (void)state;
    play_vertex(vertices[0], 60, 60, 0, 0x00FFFFFF);
    play_begin(&scene, 0, vertices, 1);
    scene_shader(&scene, OTHER, AEROGPU_GEOMETRY, shader_corner());
    SCENE(&scene, AEROGPU_BIND_SHADERS, VERTEX, PIXEL, 0, 0, OTHER, 0, 0);
    SCENE(&scene, AEROGPU_SET_PRIMITIVE_TOPOLOGY, AEROGPU_POINT_LIST, 0);
    scene_draw(&scene, 1);
    player_open(&player);
    play_reset(&player, 0);
    play_shoot(&player, &scene, &shown);
    assert_int_equal(play_pixel(&shown, 0, 0), 0x00FFFFFF);
    assert_int_equal(play_pixel(&shown, 63, 63), 0x000000FF);
    assert_int_equal(play_count(&shown, 0x00FFFFFF), 2016);
    blob_unref(&shown.owner);
    play_close(&player);
}

/* A patch is the triangle of its control points, divided as its factors say. */
static void test_tessellation(void **state)
{
    unsigned lines[3];
    float vertices[3][8];
    struct aerogpu_picture shown;
    struct player player;

    (void)state;
    play_vertex(vertices[0], 0, 0, 0, 0xFF0000FF);
    play_vertex(vertices[1], 64, 0, 0, 0xFF0000FF);
    play_vertex(vertices[2], 0, 64, 0, 0xFF0000FF);
    player_open(&player);
    for (int i = 0; i < 3; i++) {
        play_begin(&scene, 0, vertices, 3);
        scene_shader(&scene, VERTEX, AEROGPU_VERTEX, shader_patch_vertex());
        scene_shader_ex(&scene, OTHER, AEROGPU_EX_HULL, shader_hull(i == 0 ? 1 : 5, i != 2));
        scene_shader_ex(&scene, TEXTURE, AEROGPU_EX_DOMAIN, shader_domain());
        SCENE(&scene, AEROGPU_BIND_SHADERS, VERTEX, PIXEL, 0, 0, 0, OTHER, TEXTURE);
        SCENE(&scene, AEROGPU_SET_PRIMITIVE_TOPOLOGY, AEROGPU_PATCH_LIST_1 + 2, 0);
        scene_draw(&scene, 3);
        play_reset(&player, 0);
        play_shoot(&player, &scene, &shown);
        assert_int_equal(play_count(&shown, 0xFF0000FF), 2016);
        assert_int_equal(play_pixel(&shown, 0, 0), 0xFF0000FF);
        blob_unref(&shown.owner);
        play_reset(&player, AEROGPU_SESSION_WIREFRAME);
        play_shoot(&player, &scene, &shown);
        lines[i] = play_count(&shown, 0xFF0000FF);
        blob_unref(&shown.owner);
    }
    assert_in_range(lines[0], 32, 200);
    assert_in_range(lines[1], 2 * lines[0], 2016);
    assert_int_equal(lines[2], lines[1]);
    play_close(&player);
}

static bool has_word(const uint8_t *bytes, size_t count, uint32_t word)
{
    for (size_t i = 0; i < count; i++)
        if (bytes_le32(bytes + 4 * i) == word)
            return true;
    return false;
}

/*
 * Appending begins at an initial count; the counter stays with the buffer from dispatch to
 * dispatch.
 */
static void test_append_and_consume(void **state)
{
    struct player player;
    struct blob *content;

    (void)state;
    player_open(&player);
    play_reset(&player, 0);
    scene_init(&scene);
    scene_buffer(&scene, OTHER, NULL, 64);
    scene_buffer(&scene, TEXTURE, NULL, 64);
    scene_shader(&scene, VERTEX, AEROGPU_COMPUTE, shader_append());
    scene_shader(&scene, PIXEL, AEROGPU_COMPUTE, shader_consume());
    SCENE(&scene, AEROGPU_BIND_SHADERS, 0, 0, VERTEX, 0);
    SCENE(&scene, AEROGPU_SET_UNORDERED_ACCESS_BUFFERS, AEROGPU_COMPUTE, 0, 2, 0, OTHER, 0, 0, 2,
          TEXTURE, 0, 0, 0);
    SCENE(&scene, AEROGPU_DISPATCH, 2, 1, 1, 0);
    SCENE(&scene, AEROGPU_BIND_SHADERS, 0, 0, PIXEL, 0);
    SCENE(&scene, AEROGPU_SET_UNORDERED_ACCESS_BUFFERS, AEROGPU_COMPUTE, 0, 1, 0, OTHER, 0, 0,
          0xFFFFFFFF);
    SCENE(&scene, AEROGPU_DISPATCH, 1, 1, 1, 0);
    SCENE(&scene, AEROGPU_BIND_SHADERS, 0, 0, VERTEX, 0);
    SCENE(&scene, AEROGPU_DISPATCH, 1, 1, 1, 0);
    play_run(&player, &scene);
    if (player.notes > 0)
        print_error("%s\n", player.note);
    assert_int_equal(player.notes, 0);
    assert_int_equal(aerogpu_session_content(player.session, OTHER, NULL, &content), 0);
    /* Eight words were appended from 2 on; four were consumed, and four appended in their place. */
    for (uint32_t i = 0; i < 16; i++)
        if (i < 2 || i >= 10)
            assert_int_equal(bytes_le32(content->data + 4 * i), 0);
    for (uint32_t i = 0; i < 4; i++)
        assert_true(has_word(content->data + 24, 4, i));
    for (uint32_t i = 0; i < 8; i++) {
        bool kept = has_word(content->data + 8, 4, i);
        struct blob *taken;

        assert_int_equal(aerogpu_session_content(player.session, TEXTURE, NULL, &taken), 0);
        assert_int_equal(has_word(taken->data, 4, i), !kept);
        blob_unref(&taken);
    }
    blob_unref(&content);
    play_close(&player);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compute),
        cmocka_unit_test(test_buffers_of_shaders),
        cmocka_unit_test(test_geometry),
        cmocka_unit_test(test_tessellation),
        cmocka_unit_test(test_append_and_consume),
    };

#if !defined(HAVE_VKD3D) || !defined(HAVE_MOJOSHADER)
    return 0; /* shaders cannot be translated in this build */
#endif
    return cmocka_run_group_tests_name("worker_stages", tests, NULL, NULL);
}
