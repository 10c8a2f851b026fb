/* SPDX-License-Identifier: MIT */
/*
 * Mipmaps that the worker generates instead of the driver have the driver's pixels. Each texture is
 * made twice; the one with a lowest level of its own is left to the driver.
 */
#include "config.h"

#include "tests/worker/hostile_trace.h"

#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

enum {
    TEXTURE_2D = 0xDE1,
    GENERATE_MIPMAP = 0x8191,
    MAX_LEVEL = 0x813D,
    ALL_LEVELS = 1000, /* the initial value */
    LEVELS = 15,       /* as good as ALL_LEVELS, but left to the driver */
    UNPACK_ROW_LENGTH = 0xCF2,
    UNPACK_SKIP_PIXELS = 0xCF4,
    RED_SCALE = 0xD14,
    RGBA = 0x1908,
    BYTES = 0x1401,
    SIDE = 256,
    OURS = 40, /* the worker's texture; the driver's is the next one */
};

static uint8_t texels[SIDE * SIDE * 4];

static void fill(void)
{
    uint32_t state = 1;

    for (size_t n = 0; n < sizeof(texels); n++) {
        state = state * 1664525 + 1013904223;
        texels[n] = (uint8_t)(state >> 24);
    }
}

struct kind {
    int internal, width, height;
};

static void say_image(const struct kind *kind)
{
    say("glTexImage2D", "uuuuuuuub", TEXTURE_2D, 0, kind->internal, kind->width, kind->height, 0,
        RGBA, BYTES, texels, sizeof(texels));
}

static void by_itself(const struct kind *kind)
{
    say("glTexParameteri", "uuu", TEXTURE_2D, GENERATE_MIPMAP, 1);
    say_image(kind);
}

static void generated(const struct kind *kind)
{
    say_image(kind);
    say("glGenerateMipmap", "u", TEXTURE_2D);
}

static void in_parts(const struct kind *kind)
{
    by_itself(kind);
    say("glTexSubImage2D", "uuuuuuuub", TEXTURE_2D, 0, 0, 0, 1, 1, RGBA, BYTES, texels + 64, 4);
}

/*
 * Unpack state that the trace has set for its own pixels does not apply to those of the levels, and
 * is unchanged.
 */
static void out_of_a_wider_image(const struct kind *kind)
{
    say("glPixelStorei", "uu", UNPACK_ROW_LENGTH, SIDE);
    say("glPixelStorei", "uu", UNPACK_SKIP_PIXELS, 3);
    say("glPixelTransferf", "uf", RED_SCALE, 0.5);
    by_itself(kind);
    say_image(kind);
}

typedef void make(const struct kind *kind);

static void assert_level(uint32_t level, uint32_t width, uint32_t height)
{
    struct apitrace_texture_request request = {.name = OURS, .target = TEXTURE_2D, .level = level};
    struct apitrace_picture ours, drivers;

    assert_int_equal(apitrace_session_texture(playing.session, &request, NULL, &ours), 0);
    request.name = OURS + 1;
    assert_int_equal(apitrace_session_texture(playing.session, &request, NULL, &drivers), 0);
    assert_int_equal(ours.width, width);
    assert_int_equal(ours.height, height);
    assert_int_equal(drivers.width, width);
    assert_int_equal(drivers.height, height);
    assert_memory_equal(ours.pixels, drivers.pixels, (size_t)4 * width * height);
    blob_unref(&ours.owner);
    blob_unref(&drivers.owner);
}

static void assert_alike(make *made, const struct kind *kind)
{
    uint32_t width = (uint32_t)kind->width, height = (uint32_t)kind->height, level = 0;
    struct hostile_trace hostile;

    hostile_trace_open(&hostile);
    for (int drivers = 0; drivers < 2; drivers++) {
        say("glBindTexture", "uu", TEXTURE_2D, OURS + drivers);
        say("glTexParameteri", "uuu", TEXTURE_2D, MAX_LEVEL, drivers ? LEVELS : ALL_LEVELS);
        made(kind);
    }
    hostile_trace_replay(&hostile);
    replay_to(&hostile.played, APITRACE_NO_CALL, 0);
    assert_int_equal(hostile.played.progress.skipped, 0);
    assert_level(level, width, height);
    while (width > 1 || height > 1) {
        width = width > 1 ? width / 2 : 1;
        height = height > 1 ? height / 2 : 1;
        assert_level(++level, width, height);
    }
    hostile_trace_close(&hostile);
}

static void levels_are_the_drivers(void **state)
{
    static const struct kind kinds[] = {
        {0x8058, 64, 64}, {0x8058, 128, 32}, {0x8058, 1, 64},  {0x8058, 64, 1},  {0x8058, 2, 2},
        {0x8058, 1, 1},   {RGBA, 32, 16},    {0x1907, 32, 16}, {0x1909, 16, 32}, {0x190A, 32, 32},
        {0x1906, 16, 16}, {0x8049, 16, 16},  {0x8229, 32, 16}, {0x822B, 16, 32}, {0x8051, 32, 32},
        {0x8040, 16, 16}, {4, 16, 16},       {0x8056, 16, 16}, {0x8C43, 16, 16}, {0x8058, 20, 12},
        {0x881A, 16, 16},
    };
    static make *const ways[] = {by_itself, generated, in_parts};

    (void)state;
    fill();
    for (size_t n = 0; n < COUNT_OF(kinds); n++)
        assert_alike(ways[n % COUNT_OF(ways)], &kinds[n]);
    for (size_t n = 0; n < COUNT_OF(ways); n++)
        assert_alike(ways[n], &kinds[0]);
}

static void what_the_trace_has_set_stays(void **state)
{
    static const struct kind kind = {0x8058, 32, 32};

    (void)state;
    fill();
    assert_alike(out_of_a_wider_image, &kind);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(levels_are_the_drivers, replay_begin, replay_end),
        cmocka_unit_test_setup_teardown(what_the_trace_has_set_stays, replay_begin, replay_end),
    };

    return cmocka_run_group_tests_name("worker_mipmaps", tests, NULL, NULL);
}
