/* SPDX-License-Identifier: MIT */
/*
 * Generated AeroGPU traces of all commands: every pixel of every frame must be what the test itself
 * painted, in any order of requests.
 */
#include "config.h"

#include "formats/aerogpu/decode/command_stream.h"
#include "formats/aerogpu/replay/replay.h"
#include "formats/format.h"
#include "tests/formats/aerogpu/make.h"

#include "tests/support/support.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct opened {
    char *folder;
    struct options options;
    struct text message;
    struct format_dump dump;
    const struct aerogpu_scan *scan;
    struct made made;
};

static void open_made(struct opened *opened, const struct make_params *params)
{
    struct source_params source = {.max_expand = UINT64_C(1) << 32};
    char *path;

    *opened = (struct opened){.folder = support_folder(), .message = TEXT_INIT};
    (params->appendix ? aerogpu_make_appendix : aerogpu_make)(params, &opened->made);
    path = support_path(opened->folder, "made.aerogputrace");
    support_write(path, opened->made.writer.bytes.data, opened->made.writer.bytes.size);
    assert_int_equal(format_options_init(&opened->options), 0);
    assert_int_equal(format_open(path, &opened->options, &source, &opened->message, &opened->dump),
                     0);
    assert_int_equal(aerogpu_dump_scan(aerogpu_dump_of(opened->dump.dump), NULL, &opened->scan), 0);
    free(path);
}

static void close_opened(struct opened *opened)
{
    format_close(&opened->dump);
    options_clear(&opened->options);
    text_clear(&opened->message);
    support_remove(&opened->folder);
    aerogpu_made_free(&opened->made);
}

static struct aerogpu_dump *dump_of(const struct opened *opened)
{
    return aerogpu_dump_of(opened->dump.dump);
}

static void expect_frame(const struct opened *opened, uint32_t frame)
{
    const struct aerogpu_shot *shot = &opened->scan->frames[frame].shot;
    const struct expected *expected = &opened->made.pictures[frame];
    struct aerogpu_pixels pixels;
    int status = aerogpu_replay_shot(dump_of(opened), shot, NULL, &pixels);

    if (status != 0)
        fail_msg("frame %u (%s): %s", frame, opened->made.scenes[frame], strerror(-status));
    assert_int_equal(pixels.width, expected->width);
    assert_int_equal(pixels.height, expected->height);
    for (size_t i = 0; i < (size_t)expected->width * expected->height; i++)
        if (memcmp(pixels.data + 4 * i, expected->rgba + 4 * i, 4) != 0) {
            const uint8_t *is = pixels.data + 4 * i, *be = expected->rgba + 4 * i;

            fail_msg("frame %u (%s): pixel %zu,%zu is %02x%02x%02x%02x, not %02x%02x%02x%02x",
                     frame, opened->made.scenes[frame], i % expected->width, i / expected->width,
                     is[0], is[1], is[2], is[3], be[0], be[1], be[2], be[3]);
        }
    free(pixels.data);
}

/* Checks that problems.txt only has what noise causes. */
static void expect_frames(const struct make_params *params)
{
    struct text problems = TEXT_INIT;
    struct opened opened;

    open_made(&opened, params);
    assert_int_equal(dump_of(&opened)->index.frame_count, params->frames);
    for (uint32_t i = 0; i < params->frames; i++)
        expect_frame(&opened, i);
    for (uint32_t i = params->frames; i > 0; i -= i > 7 ? 7 : i)
        expect_frame(&opened, i - 1);
    if (!params->noise && !params->unfinished) {
        problems_write(opened.dump.dump->problems, &problems);
        if (problems.length > 0)
            fail_msg("%.*s", (int)problems.length, problems.bytes);
    }
    text_clear(&problems);
    close_opened(&opened);
}

static void test_all_scenes(void **state)
{
    (void)state;
    expect_frames(&(struct make_params){.seed = 1, .frames = 80, .width = 64, .height = 64});
}

static void test_other_sizes(void **state)
{
    static const uint32_t sizes[][2] = {{33, 70}, {320, 200}};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(sizes); i++)
        expect_frames(&(struct make_params){
            .seed = 10 + i, .frames = 45, .width = sizes[i][0], .height = sizes[i][1]});
}

static void test_packets_and_noise(void **state)
{
    (void)state;
    expect_frames(&(struct make_params){
        .seed = 20, .frames = 45, .width = 64, .height = 48, .packets = true, .noise = true});
    expect_frames(&(struct make_params){
        .seed = 21, .frames = 45, .width = 64, .height = 48, .noise = true, .unfinished = true});
}

static void test_appendix(void **state)
{
    (void)state;
    expect_frames(&(struct make_params){.seed = 30, .frames = 10, .appendix = true});
}

/* Every command of both dialects is in one of the traces. */
static void test_all_commands_are_there(void **state)
{
    bool *seen = calloc(aerogpu_type_count, sizeof(*seen));
    uint64_t unknown = 0;

    (void)state;
    assert_non_null(seen);
    for (int appendix = 0; appendix < 2; appendix++) {
        struct opened opened;
        struct aerogpu_player player;
        enum aerogpu_step step = AEROGPU_STEP_COMMAND;

        open_made(&opened, &(struct make_params){.seed = 40,
                                                 .frames = 60,
                                                 .width = 64,
                                                 .height = 64,
                                                 .noise = true,
                                                 .appendix = appendix != 0});
        aerogpu_player_init(&player, &dump_of(&opened)->index, NULL, NULL,
                            &dump_of(&opened)->limits);
        while (step != AEROGPU_STEP_DONE) {
            assert_int_equal(aerogpu_player_step(&player, &step), 0);
            if (step == AEROGPU_STEP_COMMAND && player.command.type != NULL) {
                assert_null(player.refusal);
                seen[player.command.type - aerogpu_types] = true;
            }
            unknown += step == AEROGPU_STEP_COMMAND && player.command.type == NULL;
        }
        aerogpu_player_clear(&player);
        close_opened(&opened);
    }
    for (size_t i = 0; i < aerogpu_type_count; i++)
        if (!seen[i])
            fail_msg("%s is not there", aerogpu_types[i].name);
    assert_int_not_equal(unknown, 0);
    free(seen);
}

static bool has_contents(const struct aerogpu_life *life)
{
    return !life->drawn && (life->object.kind == AEROGPU_OBJECT_BUFFER ||
                            life->object.kind == AEROGPU_OBJECT_TEXTURE);
}

/* Contents are read piece by piece: rows, mips and layers may begin anywhere in a piece. */
static void test_contents_are_the_same_in_pieces(void **state)
{
    uint64_t random = 50, compared = 0;
    struct opened opened;

    (void)state;
    open_made(&opened, &(struct make_params){.seed = 50, .frames = 45, .width = 33, .height = 70});
    for (uint32_t life = 0; life < opened.scan->life_count; life++) {
        size_t size = aerogpu_replay_contents_size(&opened.scan->lives[life].object);
        struct blob *all = NULL, *piece = NULL;

        if (size == 0 || !has_contents(&opened.scan->lives[life]))
            continue;
        assert_int_equal(aerogpu_replay_contents(dump_of(&opened), life, 0, size, NULL, &all), 0);
        assert_int_equal(all->size, size);
        for (unsigned n = 0; n < 8; n++, compared++) {
            size_t offset = support_random(&random) % size;
            size_t length = 1 + support_random(&random) % (size - offset);

            assert_int_equal(
                aerogpu_replay_contents(dump_of(&opened), life, offset, length, NULL, &piece), 0);
            assert_int_equal(piece->size, length);
            assert_memory_equal(piece->data, all->data + offset, length);
            blob_unref(&piece);
        }
        assert_int_equal(aerogpu_replay_contents(dump_of(&opened), life, 1, size, NULL, &piece),
                         -EIO);
        blob_unref(&all);
    }
    assert_true(compared > 100);
    close_opened(&opened);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_commands_are_there),
        cmocka_unit_test(test_appendix),
        cmocka_unit_test(test_contents_are_the_same_in_pieces),
        cmocka_unit_test(test_all_scenes),
        cmocka_unit_test(test_other_sizes),
        cmocka_unit_test(test_packets_and_noise),
    };

#if !defined(HAVE_VKD3D) || !defined(HAVE_MOJOSHADER)
    return 0; /* this build cannot draw with shaders */
#endif
    return cmocka_run_group_tests_name("aerogpu_scenes", tests, NULL, NULL);
}
