/* SPDX-License-Identifier: MIT */
/* Textures that replayed calls upload and generate, and all their levels. */
#include "config.h"

#include "tests/worker/hostile_trace.h"

#include "tests/support/support.h"

#include <errno.h>
#include <stdlib.h>

static void textures_are_given_as_they_were_uploaded(void **state)
{
    static const uint8_t texels[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    const struct apitrace_texture_request request = {.name = 40, .target = 0xDE1};
    struct apitrace_texture_request other = {.name = 41, .target = 0xDE1};
    struct apitrace_picture picture;
    struct hostile_trace hostile;

    (void)state;
    hostile_trace_open(&hostile);
    say("glBindTexture", "uu", 0xDE1, 40);
    say("glTexImage2D", "uuuuuuuub", 0xDE1, 0, 0x8058, 2, 2, 0, 0x1908, 0x1401, texels, 16);
    hostile_trace_replay(&hostile);
    replay_to(&hostile.played, APITRACE_NO_CALL, 0);
    assert_int_equal(apitrace_session_texture(playing.session, &other, NULL, &picture), -ENOENT);
    other = request;
    other.level = 1;
    assert_int_equal(apitrace_session_texture(playing.session, &other, NULL, &picture), -ENOENT);
    assert_int_equal(apitrace_session_texture(playing.session, &request, NULL, &picture), 0);
    assert_int_equal(picture.width, 2);
    assert_int_equal(picture.height, 2);
    assert_int_equal(picture.pixel_bytes, 4);
    assert_memory_equal(picture.pixels, texels, sizeof(texels));
    blob_unref(&picture.owner);
    hostile_trace_assert_colour(0, 255, 0);
    hostile_trace_close(&hostile);
}

/* … and so are such textures as targets, of which draws have pictures. */
static void targets_of_whole_numbers_are_pictures(void **state)
{
    static const int32_t colour[] = {-5, 200, 30000, 9};
    const struct apitrace_picture_request request = {
        .kind = APITRACE_PICTURE_TARGET, .width = 4, .height = 2};
    struct apitrace_picture picture;
    struct hostile_trace hostile;

    (void)state;
    hostile_trace_open(&hostile);
    say("glBindTexture", "uu", 0xDE1, 40);
    say("glTexImage2D", "uuuuuuuun", 0xDE1, 0, 0x8D82, 4, 2, 0, 0x8D99, 0x1404);
    say("glBindFramebuffer", "uu", 0x8D40, 3);
    say("glFramebufferTexture2D", "uuuuu", 0x8D40, 0x8CE0, 0xDE1, 40, 0);
    say("glClearBufferiv", "uub", 0x1800, 0, colour, (int)sizeof(colour));
    hostile_trace_replay(&hostile);
    replay_to(&hostile.played, APITRACE_NO_CALL, 0);
    assert_int_equal(playing.notes, 0);
    assert_int_equal(apitrace_session_picture(playing.session, &request, NULL, &picture), 0);
    assert_int_equal(picture.pixel_bytes, 3);
    for (size_t n = 0; n < 8; n++)
        assert_memory_equal(picture.pixels + 3 * n, ((const uint8_t[]){0, 200, 255}), 3);
    blob_unref(&picture.owner);
    hostile_trace_close(&hostile);
}

/*
 * Integer texels are clamped to a byte, as pictures of uploads are, and are opaque without alpha.
 */
static void whole_numbers_are_given_as_they_are(void **state)
{
    static const int16_t texels[] = {-1, 0, 200, 255, 256, 30000, 7, 8};
    static const uint8_t both[] = {0, 0, 200, 255, 255, 255, 7, 8};
    static const uint8_t one[] = {0, 0, 0, 255, 0, 0, 0, 255};
    const struct apitrace_texture_request request = {.name = 40, .target = 0xDE1};
    struct hostile_trace hostile;

    (void)state;
    for (int red = 0; red < 2; red++) {
        struct apitrace_picture picture;

        hostile_trace_open(&hostile);
        say("glBindTexture", "uu", 0xDE1, 40);
        say("glTexImage2D", "uuuuuuuub", 0xDE1, 0, red ? 0x8233 : 0x8D88, 2, 1, 0,
            red ? 0x8D94 : 0x8D99, 0x1402, texels, (int)sizeof(texels));
        hostile_trace_replay(&hostile);
        replay_to(&hostile.played, APITRACE_NO_CALL, 0);
        assert_int_equal(apitrace_session_texture(playing.session, &request, NULL, &picture), 0);
        assert_int_equal(picture.pixel_bytes, 4);
        assert_memory_equal(picture.pixels, red ? one : both, sizeof(both));
        blob_unref(&picture.owner);
        hostile_trace_close(&hostile);
    }
}

enum { TEXTURE_2D = 0xDE1, UNPACK_BUFFER = 0x88EC, GENERATE_MIPMAP = 0x8191, BASE_LEVEL = 0x813C };

static const uint8_t texels[64] = {1};

static void say_image(int level, int side)
{
    say("glTexImage2D", "uuuuuuuub", TEXTURE_2D, level, 0x8058, side, side, 0, 0x1908, 0x1401,
        texels, 4 * side * side);
}

static void say_part(void)
{
    say("glTexSubImage2D", "uuuuuuuub", TEXTURE_2D, 0, 0, 0, 4, 4, 0x1908, 0x1401, texels, 64);
}

static void say_parameter(int parameter, int value)
{
    say("glTexParameteri", "uuu", TEXTURE_2D, parameter, value);
}

static void say_generate(void)
{
    say("glGenerateMipmap", "u", TEXTURE_2D);
}

/* Ways to create a texture of 4x4 texels with all of its levels. */

static void generated(void)
{
    say_image(0, 4);
    say_generate();
}

static void by_itself(void)
{
    say_parameter(GENERATE_MIPMAP, 1);
    say_image(0, 4);
}

static void by_itself_and_in_parts(void)
{
    by_itself();
    say_part();
}

/* The parameter is set after the image. */
static void in_parts(void)
{
    say_image(0, 4);
    say_parameter(GENERATE_MIPMAP, 1);
    say_part();
}

static void generated_again_for_another_size(void)
{
    say_image(0, 2);
    say_generate();
    generated();
}

static void generated_below_its_base(void)
{
    say_image(0, 4);
    say_image(1, 2);
    say_parameter(BASE_LEVEL, 1);
    say_generate();
}

static void by_itself_below_its_base(void)
{
    say_image(0, 4);
    say_parameter(BASE_LEVEL, 1);
    say_parameter(GENERATE_MIPMAP, 1);
    say_image(1, 2);
}

static void from_a_buffer(void)
{
    say("glBindBuffer", "uu", UNPACK_BUFFER, 50);
    say("glBufferData", "uubu", UNPACK_BUFFER, 64, texels, 64, 0x88E4);
    say_parameter(GENERATE_MIPMAP, 1);
    say("glTexImage2D", "uuuuuuuuu", TEXTURE_2D, 0, 0x8058, 4, 4, 0, 0x1908, 0x1401, 0);
}

static void by_a_list(void)
{
    say_parameter(GENERATE_MIPMAP, 1);
    say("glNewList", "uu", 1, 0x1300);
    say_image(0, 4);
    say("glEndList", "");
    say("glCallList", "u", 1);
}

/* Levels of a compressed format that the driver cannot encode get no storage without pixels. */
static void generated_of_blocks(void)
{
    say("glCompressedTexImage2D", "uuuuuuub", TEXTURE_2D, 0, 0x9278, 4, 4, 0, 16, texels, 16);
    say_generate();
}

/* An image is refused, since its call lacks the border; the next one is not. */
static void behind_a_refused_one(void)
{
    say_parameter(GENERATE_MIPMAP, 1);
    say("glTexImage2D", "uuuuu-uub", TEXTURE_2D, 0, 0x8058, 2, 2, 0x1908, 0x1401, texels, 16);
    say_image(0, 4);
}

struct mipmap {
    void (*make)(void);
    unsigned skipped;
};

static void assert_mipmap(const struct mipmap *mipmap)
{
    struct apitrace_texture_request request = {.name = 40, .target = TEXTURE_2D};
    struct apitrace_picture picture;
    struct hostile_trace hostile;

    hostile_trace_open(&hostile);
    say("glBindTexture", "uu", TEXTURE_2D, 40);
    mipmap->make();
    hostile_trace_replay(&hostile);
    replay_to(&hostile.played, APITRACE_NO_CALL, 0);
    assert_int_equal(hostile.played.progress.skipped, mipmap->skipped);
    for (request.level = 0; request.level < 3; request.level++) {
        assert_int_equal(apitrace_session_texture(playing.session, &request, NULL, &picture), 0);
        assert_int_equal(picture.width, 4 >> request.level);
        assert_int_equal(picture.height, 4 >> request.level);
        blob_unref(&picture.owner);
    }
    assert_int_equal(apitrace_session_texture(playing.session, &request, NULL, &picture), -ENOENT);
    hostile_trace_close(&hostile);
}

/* All levels exist even if their pixels are not generated: they affect how a texture is sampled. */
static void mipmaps_have_all_levels(void **state)
{
    static const struct mipmap mipmaps[] = {
        {generated, 0},
        {by_itself, 0},
        {by_itself_and_in_parts, 0},
        {in_parts, 0},
        {generated_again_for_another_size, 0},
        {generated_below_its_base, 0},
        {by_itself_below_its_base, 0},
        {from_a_buffer, 0},
        {by_a_list, 0},
        {generated_of_blocks, 0},
        {behind_a_refused_one, 1},
    };

    (void)state;
    for (size_t n = 0; n < COUNT_OF(mipmaps); n++)
        assert_mipmap(&mipmaps[n]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(targets_of_whole_numbers_are_pictures, replay_begin,
                                        replay_end),
        cmocka_unit_test_setup_teardown(whole_numbers_are_given_as_they_are, replay_begin,
                                        replay_end),
        cmocka_unit_test_setup_teardown(textures_are_given_as_they_were_uploaded, replay_begin,
                                        replay_end),
        cmocka_unit_test_setup_teardown(mipmaps_have_all_levels, replay_begin, replay_end),
        cmocka_unit_test_setup_teardown(mipmaps_have_all_levels, replay_begin_compile_only,
                                        replay_end),
    };

    if (getenv("GPUDUMPFS_TEST") != NULL)
        cmocka_set_test_filter(getenv("GPUDUMPFS_TEST"));
    return cmocka_run_group_tests_name("worker_call_textures", tests, NULL, NULL);
}
