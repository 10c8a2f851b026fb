/* SPDX-License-Identifier: MIT */
/*
 * Compares a dump that comes through a pipe with the complete dump: whatever is shown of it at any
 * moment must be what the complete dump shows.
 */
#include "config.h"

#include "tests/formats/psx/build.h"
#include "tests/support/piped.h"
#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *folder;

static int set_up(void **state)
{
    (void)state;
    folder = support_folder();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    support_remove(&folder);
    return 0;
}

static void compare_frame(const struct piped *stream, const struct psx_opened *whole,
                          uint64_t frame)
{
    static const char *const names[] = {"info.txt",    "state.txt",   "commands.txt", "draws.tsv",
                                        "packets.tsv", "uploads.tsv", "image.png",    "vram.bin"};
    char path[64];

    for (size_t i = 0; i < COUNT_OF(names); i++) {
        snprintf(path, sizeof(path), "by-frame/%06u/%s", (unsigned)frame, names[i]);
        piped_compare(stream, whole->tree, path, false);
    }
}

/* Feeds the dump in pieces of up to `max` bytes, and compares each frame as soon as it is shown. */
static void feed(const uint8_t *bytes, size_t size, size_t max)
{
    struct psx_opened whole;
    struct piped stream;
    uint64_t random = 7, compared = 0;
    size_t at = 24;

    psx_opened_init(&whole, bytes, size);
    psx_opened_tree(&whole);
    piped_open(&stream, folder, bytes, at, NULL);
    while (at < size) {
        size_t piece = 1 + support_random(&random) % max;

        piece = piece < size - at ? piece : size - at;
        piped_write(&stream, bytes + at, piece);
        at += piece;
        piped_nap();
        piped_compare(&stream, whole.tree, "frames.tsv", true);
        piped_compare(&stream, whole.tree, "packets.tsv", true);
        for (; compared < piped_frames(&stream); compared++)
            compare_frame(&stream, &whole, compared);
    }
    piped_end(&stream);
    for (uint64_t frame = 0; frame < piped_frames(&stream); frame++)
        compare_frame(&stream, &whole, frame);
    piped_compare(&stream, whole.tree, "frames.tsv", false);
    piped_compare(&stream, whole.tree, "packets.tsv", false);
    piped_compare(&stream, whole.tree, "uploads.tsv", false);
    piped_compare(&stream, whole.tree, "textures.tsv", false);
    piped_compare(&stream, whole.tree, "statistics.txt", false);
    piped_compare(&stream, whole.tree, "problems.txt", false);
    piped_close(&stream);
    psx_opened_close(&whole);
}

/*
 * Builds an interlaced dump with commands and uploads that continue over packets, VSyncs and reads.
 */
static void build(struct psx_build *build, unsigned frames)
{
    psx_build_start(build, PSX_MAGIC_16);
    PACKET(build, PSX_PACKET_VERSION, 2);
    psx_build_string(build, PSX_PACKET_GAME, "GAME", 4);
    GP1(build, 0x08000027);
    GP1(build, 0x06C60260);
    GP1(build, 0x07040010);
    GP1(build, 0x03000000);
    psx_build_full_area(build);
    GP0(build, 0xE1000400);
    EMPTY_PACKET(build, PSX_PACKET_BEGIN);
    for (unsigned frame = 0; frame < frames; frame++) {
        GP0(build, 0x02000000 | frame * 0x071305 % 0xFFFFFF, 0, 0x00F00140);
        GP0(build, 0x2C808080, 0x00100010 + frame, 0, 0x00100050, 0x00050002, 0x00500010, 0x0100,
            0x00500050, 0x0102);
        GP0(build, 0xC0000000, 0, 0x00020002);
        PACKET(build, PSX_PACKET_READBACK, 1);
        if (frame % 3 == 0)
            GP0(build, 0x60FFFFFF, 0x00200020 + frame);
        if (frame % 3 == 1)
            GP0(build, 0xA0000000, 0x00000140 + 16 * frame, 0x00020004, 0x11112222);
        psx_build_vsync(build, (frame + 1) * (UINT64_C(563969) + (frame % 2) * 2152));
        if (frame % 3 == 1)
            GP0(build, 0x33334444, 0x55556666, 0x77778888 + frame);
        if (frame % 3 == 0)
            GP0(build, 0x00080008);
    }
    GP0(build, 0x02FFFFFF, 0, 0x00100010);
}

static void test_every_frame_is_the_whole_dumps(void **state)
{
    struct psx_build dump;

    (void)state;
    build(&dump, 30);
    feed(dump.bytes, dump.size, 64);
    feed(dump.bytes, dump.size, 1024);
    feed(dump.bytes, dump.size, dump.size);
    psx_build_free(&dump);
}

static void test_recordings_too(void **state)
{
    static const char *const names[] = {"psx/real/nb-balls480i.psxgpu.zst",
                                        "psx/real/nb-render2tex.psxgpu.zst"};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(names); i += support_stride()) {
        char *path = support_corpus(names[i]);
        size_t size;
        uint8_t *bytes = support_read_zst(path, &size);

        feed(bytes, size < 1200000 ? size : 1200000, 60000);
        free(bytes);
        free(path);
    }
}

static void test_frames_come_with_their_ends(void **state)
{
    struct psx_build dump;
    struct piped stream;
    size_t at;

    (void)state;
    psx_build_start(&dump, PSX_MAGIC_16);
    psx_build_full_area(&dump);
    EMPTY_PACKET(&dump, PSX_PACKET_BEGIN);
    piped_open(&stream, folder, dump.bytes, dump.size, NULL);
    assert_false(piped_has(&stream, "latest.png"));
    assert_false(piped_has(&stream, "initial"));
    at = dump.size;
    GP0(&dump, 0x60FFFFFF, 0x00200020);
    psx_build_vsync(&dump, 564480);
    piped_write(&stream, dump.bytes + at, dump.size - at);
    for (int ms = 0; ms < 50; ms++)
        piped_nap();
    assert_int_equal(piped_frames(&stream), 0); /* the rectangle goes on in the next frame */
    at = dump.size;
    GP0(&dump, 0x00100010);
    psx_build_vsync(&dump, 2 * 564480);
    GP0(&dump, 0x02FFFFFF, 0, 0x00100010);
    piped_write(&stream, dump.bytes + at, dump.size - at);
    piped_wait_for_frames(&stream, 2);
    assert_true(piped_has(&stream, "frames/000001.png"));
    assert_true(piped_has(&stream, "latest.png"));
    assert_true(piped_has(&stream, "initial/state.txt"));
    assert_false(piped_has(&stream, "frames/000002.png"));
    assert_false(piped_has(&stream, "textures.tsv"));
    assert_false(piped_has(&stream, "by-frame/000000/textures.tsv"));
    piped_end(&stream);
    assert_int_equal(piped_frames(&stream), 3); /* the unfinished one */
    assert_true(piped_has(&stream, "textures.tsv"));
    assert_true(piped_has(&stream, "by-frame/000000/textures.tsv"));
    piped_close(&stream);
    psx_build_free(&dump);
}

static void test_a_vsync_first_means_no_begin(void **state)
{
    struct psx_build dump;
    struct piped stream;
    char *text;
    size_t size;

    (void)state;
    psx_build_start(&dump, PSX_MAGIC_14);
    psx_build_full_area(&dump);
    psx_build_vsync(&dump, 1);
    EMPTY_PACKET(&dump, PSX_PACKET_BEGIN);
    psx_build_vsync(&dump, 2);
    piped_open(&stream, folder, dump.bytes, dump.size, NULL);
    piped_wait_for_frames(&stream, 2);
    assert_false(piped_has(&stream, "initial"));
    piped_end(&stream);
    text = walk_read(stream.tree, "problems.txt", &size);
    assert_non_null(strstr(text, "no Trace begin"));
    assert_non_null(
        strstr(text, "warning: Trace begin after a vsync: it has no effect in a stream"));
    assert_null(strstr(text, "another Trace begin"));
    free(text);
    piped_close(&stream);
    psx_build_free(&dump);
}

static void test_a_cut_stream_ends_as_a_cut_dump(void **state)
{
    struct psx_build dump;

    (void)state;
    build(&dump, 4);
    for (size_t cut = 1; cut < 40; cut += 3)
        feed(dump.bytes, dump.size - cut, dump.size);
    psx_build_free(&dump);
}

static void test_a_limit_ends_the_dump(void **state)
{
    struct psx_build dump;
    struct piped stream;
    struct dump *opened;

    (void)state;
    psx_build_start(&dump, PSX_MAGIC_16);
    EMPTY_PACKET(&dump, PSX_PACKET_BEGIN);
    for (unsigned i = 0; i < 4000; i++)
        EMPTY_PACKET(&dump, PSX_PACKET_VSYNC);
    piped_open(&stream, folder, dump.bytes, 20, NULL);
    opened = tree_dump(stream.tree);
    piped_write(&stream, dump.bytes + 20, dump.size - 20);
    piped_end(&stream);
    assert_int_equal(opened->ops->frames(opened), 4000);
    piped_close(&stream);
    psx_build_free(&dump);
}

/*
 * There is too little address space for all that max-memory would allow: the index gets less, and
 * still holds all of this dump.
 */
static void test_short_address_space_is_enough(void **state)
{
    struct psx_build dump;

    (void)state;
    build(&dump, 6);
    support_limit_space(UINT64_C(2) << 30);
    feed(dump.bytes, dump.size, 200);
    support_limit_space(0);
    psx_build_free(&dump);
}

/*
 * The file gets the readbacks of the complete dump in order, which are those of packets of type 04.
 */
static void test_readbacks_are_appended_in_order(void **state)
{
    char *path = support_path(folder, "readbacks");
    struct text option = TEXT_INIT;
    struct psx_build dump;
    struct psx_opened whole;
    struct piped stream;
    struct stat now;
    size_t size, at = 0;
    char *got;

    (void)state;
    build(&dump, 20);
    psx_opened_build(&whole, &dump);
    support_write(path, "before", 6);
    text_printf(&option, "psx-readback-to=%s", path);
    piped_open(&stream, folder, dump.bytes, 24, option.bytes);
    piped_write(&stream, dump.bytes + 24, dump.size - 24);
    piped_end(&stream);
    for (int ms = 0; stat(path, &now) == 0 && now.st_size < 6 + 20 * 4 && ms < PIPED_WAIT_MS; ms++)
        piped_nap();
    piped_close(&stream);
    got = (char *)support_read(path, &size);
    assert_int_equal(size, 6 + 20 * 4);
    assert_memory_equal(got, "before", 6);
    at = 6;
    for (uint64_t packet = 0; packet < dump.packets; packet++) {
        char name[64];
        size_t length;
        char *expected;
        uint64_t inode;

        snprintf(name, sizeof(name), "readbacks/%08u.bin", (unsigned)packet);
        if (tree_find(whole.tree, name, false, &inode) != 0)
            continue;
        expected = walk_read(whole.tree, name, &length);
        assert_memory_equal(got + at, expected, length);
        at += length;
        free(expected);
    }
    assert_int_equal(at, size);
    free(got);
    free(path);
    text_clear(&option);
    psx_opened_close(&whole);
    psx_build_free(&dump);
}

/* A reader of a pipe sees the end of the readbacks while the dump is still mounted. */
static void test_the_end_of_readbacks_is_told(void **state)
{
    char *path = support_path(folder, "pipe"), got[256];
    struct text option = TEXT_INIT;
    struct psx_build dump;
    struct piped stream;
    ssize_t length = -1, total = 0;
    int end;

    (void)state;
    build(&dump, 20);
    assert_int_equal(mkfifo(path, 0600), 0);
    end = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    assert_true(end >= 0);
    text_printf(&option, "psx-readback-to=%s", path);
    piped_open(&stream, folder, dump.bytes, 24, option.bytes);
    piped_write(&stream, dump.bytes + 24, dump.size - 24);
    piped_end(&stream);
    for (int ms = 0; length != 0 && ms < PIPED_WAIT_MS; ms++) {
        length = read(end, got, sizeof(got));
        total += length > 0 ? length : 0;
        piped_nap();
    }
    assert_int_equal(length, 0);
    assert_int_equal(total, 20 * 4);
    piped_close(&stream);
    close(end);
    free(path);
    text_clear(&option);
    psx_build_free(&dump);
}

static void test_readbacks_of_a_whole_dump_are_refused(void **state)
{
    struct psx_build dump;
    struct psx_opened whole;

    (void)state;
    build(&dump, 1);
    psx_opened_init(&whole, dump.bytes, dump.size);
    assert_int_equal(options_parse(&whole.options, "psx-readback-to=/nowhere", &whole.message), 1);
    assert_int_equal(psx_opened_open(&whole), -EINVAL);
    assert_true(whole.message.length > 0);
    psx_opened_close(&whole);
    psx_build_free(&dump);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_frames_come_with_their_ends, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_every_frame_is_the_whole_dumps, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_vsync_first_means_no_begin, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_cut_stream_ends_as_a_cut_dump, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_limit_ends_the_dump, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_short_address_space_is_enough, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_readbacks_are_appended_in_order, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_end_of_readbacks_is_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_readbacks_of_a_whole_dump_are_refused, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_recordings_too, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
