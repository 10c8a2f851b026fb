/*
 * A dump that comes through a pipe, against the same dump as a whole: whatever is
 * shown of it, at whatever moment, must be what the whole dump shows.
 */
#include "config.h"

#include "psx_build.h"
#include "support.h"
#include "walk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { WAIT_MS = 20000 };

struct stream {
    int input; /* standard input as it was */
    int pipe;  /* the end to write to; -1: closed */
    struct options options;
    struct text message;
    struct format_dump dump;
    struct tree *tree;
};

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

static void nap(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static void stream_write(const struct stream *stream, const uint8_t *bytes, size_t size)
{
    while (size > 0) {
        ssize_t written = write(stream->pipe, bytes, size);

        assert_true(written > 0);
        bytes += written;
        size -= (size_t)written;
    }
}

/* Opens with the first bytes; `readback_to` may be NULL. */
static void stream_open_with(struct stream *stream, const uint8_t *bytes, size_t size,
                             const char *readback_to)
{
    const struct source_params params = {
        .streams = true, .max_expand = 1 << 28, .spool_dir = folder};
    char option[4096];
    int ends[2];

    *stream = (struct stream){.message = TEXT_INIT};
    assert_int_equal(pipe(ends), 0);
    stream->pipe = ends[1];
    stream->input = dup(STDIN_FILENO);
    assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    close(ends[0]);
    assert_int_equal(format_options_init(&stream->options), 0);
    stream->options.threads = 2;
    if (readback_to != NULL) {
        snprintf(option, sizeof(option), "psx-readback-to=%s", readback_to);
        assert_int_equal(options_parse(&stream->options, option, &stream->message), 1);
    }
    stream_write(stream, bytes, size);
    assert_int_equal(format_open("-", &stream->options, &params, &stream->message, &stream->dump),
                     0);
    assert_int_equal(dup2(stream->input, STDIN_FILENO), STDIN_FILENO);
    close(stream->input);
    assert_int_equal(format_tree(&stream->dump, stream->options.threads, &stream->tree), 0);
}

static void stream_end(struct stream *stream)
{
    if (stream->pipe >= 0)
        close(stream->pipe);
    stream->pipe = -1;
    for (int ms = 0; tree_grows(stream->tree) && ms < WAIT_MS; ms++)
        nap();
    assert_false(tree_grows(stream->tree));
}

static void stream_close(struct stream *stream)
{
    if (stream->pipe >= 0)
        close(stream->pipe);
    tree_destroy(&stream->tree);
    format_close(&stream->dump);
    options_clear(&stream->options);
    text_clear(&stream->message);
}

static uint64_t shown(const struct stream *stream)
{
    struct dump *dump = tree_dump(stream->tree);

    return dump->ops->frames(dump);
}

static void wait_for_frames(const struct stream *stream, uint64_t frames)
{
    for (int ms = 0; shown(stream) < frames && ms < WAIT_MS; ms++)
        nap();
    assert_int_equal(shown(stream), frames);
}

static bool exists(const struct stream *stream, const char *path)
{
    uint64_t inode;
    int status = tree_find(stream->tree, path, false, &inode);

    assert_true(status == 0 || status == -ENOENT);
    return status == 0;
}

/* The live file is the whole one's, or its beginning. */
static void compare(const struct stream *stream, const struct psx_opened *whole, const char *path,
                    bool beginning)
{
    size_t size = 0, expected_size = 0;
    char *got = walk_read(stream->tree, path, &size);
    char *expected = walk_read(whole->tree, path, &expected_size);

    if (!beginning && size != expected_size)
        fail_msg("%s: %zu bytes, not %zu", path, size, expected_size);
    assert_true(size <= expected_size);
    if (memcmp(got, expected, size) != 0)
        fail_msg("%s differs: %.400s\nand not: %.400s", path, got, expected);
    free(got);
    free(expected);
}

static void compare_frame(const struct stream *stream, const struct psx_opened *whole,
                          uint64_t frame)
{
    static const char *const names[] = {"info.txt",    "state.txt",   "commands.txt", "draws.tsv",
                                        "packets.tsv", "uploads.tsv", "image.png",    "vram.bin"};
    char path[64];

    for (size_t i = 0; i < COUNT_OF(names); i++) {
        snprintf(path, sizeof(path), "by-frame/%06u/%s", (unsigned)frame, names[i]);
        compare(stream, whole, path, false);
    }
}

/* Feeds the dump in pieces of up to `most` bytes, and compares each frame as soon as it is shown.
 */
static void feed(const uint8_t *bytes, size_t size, size_t most)
{
    struct psx_opened whole;
    struct stream stream;
    uint64_t random = 7, compared = 0;
    size_t at = 24;

    psx_opened_init(&whole, bytes, size);
    psx_opened_tree(&whole);
    stream_open_with(&stream, bytes, at, NULL);
    while (at < size) {
        size_t piece = 1 + support_random(&random) % most;

        piece = piece < size - at ? piece : size - at;
        stream_write(&stream, bytes + at, piece);
        at += piece;
        nap();
        compare(&stream, &whole, "frames.tsv", true);
        compare(&stream, &whole, "packets.tsv", true);
        for (; compared < shown(&stream); compared++)
            compare_frame(&stream, &whole, compared);
    }
    stream_end(&stream);
    for (uint64_t frame = 0; frame < shown(&stream); frame++)
        compare_frame(&stream, &whole, frame);
    compare(&stream, &whole, "frames.tsv", false);
    compare(&stream, &whole, "packets.tsv", false);
    compare(&stream, &whole, "uploads.tsv", false);
    compare(&stream, &whole, "textures.tsv", false);
    compare(&stream, &whole, "statistics.txt", false);
    compare(&stream, &whole, "problems.txt", false);
    stream_close(&stream);
    psx_opened_close(&whole);
}

/* Interlaced, with commands and uploads that run on over packets, VSyncs and reads. */
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
    for (size_t i = 0; i < COUNT_OF(names); i++) {
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
    struct stream stream;
    size_t at;

    (void)state;
    psx_build_start(&dump, PSX_MAGIC_16);
    psx_build_full_area(&dump);
    EMPTY_PACKET(&dump, PSX_PACKET_BEGIN);
    stream_open_with(&stream, dump.bytes, dump.size, NULL);
    assert_false(exists(&stream, "latest.png"));
    assert_false(exists(&stream, "initial"));
    at = dump.size;
    GP0(&dump, 0x60FFFFFF, 0x00200020);
    psx_build_vsync(&dump, 564480);
    stream_write(&stream, dump.bytes + at, dump.size - at);
    for (int ms = 0; ms < 50; ms++)
        nap();
    assert_int_equal(shown(&stream), 0); /* the rectangle goes on in the next frame */
    at = dump.size;
    GP0(&dump, 0x00100010);
    psx_build_vsync(&dump, 2 * 564480);
    GP0(&dump, 0x02FFFFFF, 0, 0x00100010);
    stream_write(&stream, dump.bytes + at, dump.size - at);
    wait_for_frames(&stream, 2);
    assert_true(exists(&stream, "frames/000001.png"));
    assert_true(exists(&stream, "latest.png"));
    assert_true(exists(&stream, "initial/state.txt"));
    assert_false(exists(&stream, "frames/000002.png"));
    assert_false(exists(&stream, "textures.tsv"));
    assert_false(exists(&stream, "by-frame/000000/textures.tsv"));
    stream_end(&stream);
    assert_int_equal(shown(&stream), 3); /* the unfinished one */
    assert_true(exists(&stream, "textures.tsv"));
    assert_true(exists(&stream, "by-frame/000000/textures.tsv"));
    stream_close(&stream);
    psx_build_free(&dump);
}

static void test_a_vsync_first_means_no_begin(void **state)
{
    struct psx_build dump;
    struct stream stream;
    char *text;
    size_t size;

    (void)state;
    psx_build_start(&dump, PSX_MAGIC_14);
    psx_build_full_area(&dump);
    psx_build_vsync(&dump, 1);
    EMPTY_PACKET(&dump, PSX_PACKET_BEGIN);
    psx_build_vsync(&dump, 2);
    stream_open_with(&stream, dump.bytes, dump.size, NULL);
    wait_for_frames(&stream, 2);
    assert_false(exists(&stream, "initial"));
    stream_end(&stream);
    text = walk_read(stream.tree, "problems.txt", &size);
    assert_non_null(strstr(text, "no Trace begin"));
    free(text);
    stream_close(&stream);
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
    struct stream stream;
    struct dump *opened;

    (void)state;
    psx_build_start(&dump, PSX_MAGIC_16);
    EMPTY_PACKET(&dump, PSX_PACKET_BEGIN);
    for (unsigned i = 0; i < 4000; i++)
        EMPTY_PACKET(&dump, PSX_PACKET_VSYNC);
    stream_open_with(&stream, dump.bytes, 20, NULL);
    opened = tree_dump(stream.tree);
    stream_write(&stream, dump.bytes + 20, dump.size - 20);
    stream_end(&stream);
    assert_int_equal(opened->ops->frames(opened), 4000);
    stream_close(&stream);
    psx_build_free(&dump);
}

/* All readbacks of the whole dump, in order: packets of type 04 alone. */
static void test_readbacks_are_appended_in_order(void **state)
{
    char *path = support_path(folder, "readbacks");
    struct psx_build dump;
    struct psx_opened whole;
    struct stream stream;
    struct stat now;
    size_t size, at = 0;
    char *got;

    (void)state;
    build(&dump, 20);
    psx_opened_build(&whole, &dump);
    support_write(path, "before", 6);
    stream_open_with(&stream, dump.bytes, 24, path);
    stream_write(&stream, dump.bytes + 24, dump.size - 24);
    stream_end(&stream);
    for (int ms = 0; stat(path, &now) == 0 && now.st_size < 6 + 20 * 4 && ms < WAIT_MS; ms++)
        nap();
    stream_close(&stream);
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
    psx_opened_close(&whole);
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
        cmocka_unit_test_setup_teardown(test_readbacks_are_appended_in_order, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_readbacks_of_a_whole_dump_are_refused, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_recordings_too, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
