/* SPDX-License-Identifier: MIT */
/*
 * Tests the PSX format through its tree, on recordings of real programs: the rules of
 * gpudumpfs-tree(7) for every file, checksums of VRAM, and dumps with the same content in other
 * packets, with the other magic, cut off, or compressed differently.
 */
#include "tests/formats/psx/build.h"

#include "base/bytes.h"
#include "formats/format.h"
#include "formats/psx/dump.h"
#include "formats/psx/replay/replay.h"
#include "formats/psx/views/views.h"

#include "tests/formats/psx/play.h"
#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <errno.h>
#include <lzma.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { PATH_BYTES = 128 };

/* "A small set for quick runs" of psx-dump.md 6.2. */
static const char *const quick[] = {
    "cube",          "hello",         "hello-bulk",          "lines",         "teapot-magic14",
    "bezier480i",    "nb-render2tex", "nb-rgb24-boot",       "nb-tilesasm",   "pt-triangle",
    "pt-quad",       "raster-phase1", "pt-uv-interpolation", "raster-phase5", "raster-phase10",
    "raster-phase12"};

/*
 * Step through those recordings in tests that read each several times: only a quarter under a
 * sanitizer.
 */
static size_t quick_stride(void)
{
    return support_stride() > 1 ? 4 : 1;
}

static void read_recording(const char *name, struct psx_build *out)
{
    char file[PATH_BYTES], *path;

    snprintf(file, sizeof(file), "psx/real/%s.psxgpu.zst", name);
    path = support_corpus(file);
    *out = (struct psx_build){0};
    out->bytes = support_read_zst(path, &out->size);
    out->room = out->size;
    free(path);
}

static void every_file_is_as_long_as_it_says(void **state)
{
    const struct walk_params params = {.max_entries = 20};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(quick); i += quick_stride()) {
        struct psx_build build;
        struct psx_opened opened;
        struct walk_result result;

        read_recording(quick[i], &build);
        psx_opened_build(&opened, &build);
        walk_tree(opened.tree, &params, &result);
        assert_in_range(result.files, 50, 100000);
        assert_int_equal(result.broken, 0);
        psx_opened_close(&opened);
        psx_build_free(&build);
    }
}

/* The same, for every file of a small dump. */
static void every_file_of_a_small_dump(void **state)
{
    struct psx_build build;
    struct psx_opened opened;
    struct walk_result result;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_14);
    psx_build_string(&build, PSX_PACKET_GAME, "SLUS-01234", 10);
    psx_build_full_area(&build);
    EMPTY_PACKET(&build, PSX_PACKET_BEGIN);
    GP1(&build, 0x03000000);
    GP0(&build, 0x02FFFFFF, 0, 0x01000100);
    psx_build_vsync(&build, 1000);
    GP0(&build, 0xC0000000, 0, 0x00020003);
    PACKET(&build, PSX_PACKET_READBACK, 2);
    PACKET(&build, PSX_PACKET_DISCARD, 7);
    GP1(&build, 0x07000000);
    EMPTY_PACKET(&build, PSX_PACKET_VSYNC);
    PACKET(&build, 0x99, 1, 2, 3);
    GP0(&build, 0x2C000000);
    psx_opened_build(&opened, &build);
    walk_tree(opened.tree, NULL, &result);
    assert_int_equal(result.broken, 0);
    psx_opened_close(&opened);

    psx_opened_init(&opened, build.bytes, build.size);
    opened.options.png = PICTURE_SMALL;
    psx_opened_tree(&opened);
    walk_tree(opened.tree, NULL, &result);
    psx_opened_close(&opened);
    psx_build_free(&build);
}

static uint32_t crc_of_vram(const struct psx_opened *opened, unsigned frame)
{
    char path[PATH_BYTES], *vram;
    size_t size;
    uint32_t crc;

    snprintf(path, sizeof(path), "vram/%06u.bin", frame);
    vram = walk_read(opened->tree, path, &size);
    assert_int_equal(size, 1024 * 1024);
    crc = support_crc32(vram, size);
    free(vram);
    return crc;
}

/* Calls `check` with each frame of `name` in vram.tsv. */
static void for_snapshots(const char *name, const struct psx_opened *opened, unsigned *checked)
{
    char *path = support_corpus("psx/real/vram.tsv"), dump[64], *text, *rest, *line;
    size_t size;
    unsigned vsync, crc;

    text = rest = (char *)support_read(path, &size);
    text[size] = '\0';
    while ((line = strsep(&rest, "\n")) != NULL) {
        if (sscanf(line, "%63s %u %x", dump, &vsync, &crc) != 3 || strcmp(dump, name) != 0)
            continue;
        if (crc_of_vram(opened, vsync) != crc)
            fail_msg("%s: VRAM at VSync %u is not %08x", name, vsync, crc);
        ++*checked;
    }
    free(text);
    free(path);
}

static void vram_is_the_emulators(void **state)
{
    unsigned checked = 0;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(quick); i++) {
        struct psx_build build;
        struct psx_opened opened;

        read_recording(quick[i], &build);
        psx_opened_build(&opened, &build);
        for_snapshots(quick[i], &opened, &checked);
        psx_opened_close(&opened);
        psx_build_free(&build);
    }
    assert_in_range(checked, 40, 300);
}

/* Puts the same stream into other gp0 packets: one a word, or as few as possible. */
static void repack(const struct psx_build *from, bool by_word, struct psx_build *out)
{
    uint64_t offset = psx_magic_length(psx_magic_read(from->bytes, from->size));
    struct psx_packet packet;
    size_t open = 0; /* offset of the header of the gp0 packet in progress; 0 if none */

    *out = (struct psx_build){0};
    psx_build_bytes(out, from->bytes, offset);
    for (; psx_packet_read(from->bytes, from->size, offset, &packet);
         offset = psx_packet_end(&packet)) {
        if (packet.type != PSX_PACKET_GP0) {
            psx_build_packet(out, packet.type, NULL, 0);
            out->size -= 4;
            psx_build_bytes(out, packet.payload - 4, 4 + 4 * (size_t)packet.words);
            open = 0;
            continue;
        }
        for (uint32_t i = 0; i < packet.words; i++) {
            if (by_word || open == 0) {
                open = out->size;
                psx_build_word(out, 0);
            }
            psx_build_word(out, bytes_le32(packet.payload + 4 * (size_t)i));
            out->bytes[open] = (uint8_t)((out->size - open - 4) / 4);
            out->bytes[open + 1] = (uint8_t)((out->size - open - 4) / 4 >> 8);
            out->bytes[open + 2] = (uint8_t)((out->size - open - 4) / 4 >> 16);
        }
    }
}

/* Removes the first two fields of each line, the second of which is a packet number. */
static void cut_places(char *text)
{
    char *to = text;

    for (char *line; (line = strsep(&text, "\n")) != NULL && *line != '\0';) {
        char *number = strsep(&line, " ");

        (void)number;
        strsep(&line, " ");
        to = stpcpy(to, line);
        *to++ = '\n';
    }
    *to = '\0';
}

static char *read_commands(const struct psx_opened *opened, unsigned frame)
{
    char path[PATH_BYTES], *text;

    snprintf(path, sizeof(path), "by-frame/%06u/commands.txt", frame);
    text = psx_opened_read(opened, path);
    cut_places(text);
    return text;
}

static void expect_same_stream(const char *name, const struct psx_opened *a,
                               const struct psx_opened *b)
{
    uint64_t frames = psx_opened_index(a)->frame_count;
    unsigned checked = 0;

    assert_int_equal(psx_opened_index(b)->frame_count, frames);
    for (unsigned frame = 0; frame < frames; frame++) {
        char *of_a = read_commands(a, frame), *of_b = read_commands(b, frame);

        if (strcmp(of_a, of_b) != 0)
            fail_msg("%s: commands of frame %u differ", name, frame);
        free(of_a);
        free(of_b);
    }
    for_snapshots(name, b, &checked);
    assert_int_not_equal(checked, 0);
}

static void packets_do_not_matter(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(quick); i += quick_stride()) {
        struct psx_build build, other;
        struct psx_opened opened, again;

        read_recording(quick[i], &build);
        psx_opened_build(&opened, &build);
        for (int by_word = 0; by_word < 2; by_word++) {
            repack(&build, by_word, &other);
            psx_opened_build(&again, &other);
            expect_same_stream(quick[i], &opened, &again);
            psx_opened_close(&again);
            psx_build_free(&other);
        }
        psx_opened_close(&opened);
        psx_build_free(&build);
    }
}

static void the_other_magic_says_the_same(void **state)
{
    static const char short_magic[14] = "PSXGPUDUMPv1\0";
    struct psx_build build, other = {0};
    struct psx_opened opened, again;
    char *text;

    (void)state;
    read_recording("hello", &build);
    psx_build_bytes(&other, short_magic, sizeof(short_magic));
    psx_build_bytes(&other, build.bytes + 16, build.size - 16);
    psx_opened_build(&opened, &build);
    psx_opened_build(&again, &other);
    expect_same_stream("hello", &opened, &again);
    text = psx_opened_read(&again, "metadata.txt");
    assert_non_null(strstr(text, "\nmagic: 14\nalignment: 2\n"));
    free(text);
    psx_opened_close(&opened);
    psx_opened_close(&again);
    psx_build_free(&build);
    psx_build_free(&other);
}

/* `folder`NNNNNN`rest` */
static void expect_same_file(const struct psx_opened *a, const struct psx_opened *b,
                             const char *folder, unsigned frame, const char *rest)
{
    char path[PATH_BYTES], *of_a, *of_b;
    size_t size_a, size_b;

    snprintf(path, sizeof(path), "%s%06u%s", folder, frame, rest);
    of_a = walk_read(a->tree, path, &size_a);
    of_b = walk_read(b->tree, path, &size_b);
    assert_int_equal(size_a, size_b);
    assert_memory_equal(of_a, of_b, size_a);
    free(of_a);
    free(of_b);
}

/* Checks that the last two complete frames are as in the complete dump. */
static void expect_same_before_cut(const struct psx_opened *whole, const struct psx_opened *cut,
                                   bool pictures)
{
    const struct psx_index *index = psx_opened_index(cut);
    uint64_t frames = index->frame_count;

    if (frames > 0 && index->frames[frames - 1].unfinished)
        frames--;
    for (unsigned frame = frames > 2 ? (unsigned)frames - 2 : 0; frame < frames; frame++) {
        expect_same_file(whole, cut, "by-frame/", frame, "/commands.txt");
        expect_same_file(whole, cut, "by-frame/", frame, "/packets.tsv");
        expect_same_file(whole, cut, "by-frame/", frame, "/info.txt");
        expect_same_file(whole, cut, "by-frame/", frame, "/state.txt");
        if (pictures)
            expect_same_file(whole, cut, "frames/", frame, ".png");
    }
}

static void a_cut_dump_shows_what_is_there(void **state)
{
    static const char *const names[] = {"hello-bulk", "hello", "teapot-magic14"};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        struct psx_build build;
        struct psx_opened whole, cut;
        struct walk_result result;
        const struct walk_params params = {.max_entries = 1};
        size_t step;

        read_recording(names[i], &build);
        psx_opened_build(&whole, &build);
        step = build.size * support_stride() / 40 | 1; /* odd, to cut at every alignment */
        for (size_t size = 14, n = 0; size < build.size; size += step, n++) {
            psx_opened_init(&cut, build.bytes, size);
            if (psx_opened_probe(&cut) != NULL && psx_opened_open(&cut) == -EPROTO) {
                psx_opened_close(&cut); /* cut within the magic */
                continue;
            }
            psx_opened_tree(&cut);
            expect_same_before_cut(&whole, &cut, n % 8 == 0);
            if (n % 16 == 0)
                walk_tree(cut.tree, &params, &result);
            psx_opened_close(&cut);
        }
        psx_opened_close(&whole);
        psx_build_free(&build);
    }
}

/* Cuts a small dump at every byte, and reads every file. */
static void every_cut_of_a_small_dump(void **state)
{
    struct psx_build build;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_14);
    psx_build_string(&build, PSX_PACKET_COMMENT, "small", 5);
    psx_build_full_area(&build);
    EMPTY_PACKET(&build, PSX_PACKET_BEGIN);
    GP1(&build, 0x03000000);
    GP0(&build, 0xA0000000, 0, 0x00020003, 1, 2, 3);
    psx_build_vsync(&build, 1);
    GP0(&build, 0xC0000000, 0, 0x00010003);
    PACKET(&build, PSX_PACKET_READBACK, 2);
    GP0(&build, 0x48000000, 0, 0x00010001, 0x00050005);
    psx_build_vsync(&build, 2);
    for (size_t size = 14; size <= build.size; size++) {
        const struct walk_params params = {.max_entries = 2};
        struct psx_opened opened;
        struct walk_result result;
        uint8_t *exact = malloc(size); /* lets ASan find a read beyond the end */

        assert_non_null(exact);
        memcpy(exact, build.bytes, size);
        psx_opened_init(&opened, exact, size);
        psx_opened_tree(&opened);
        walk_tree(opened.tree, &params, &result);
        psx_opened_close(&opened);
        free(exact);
    }
    psx_build_free(&build);
}

/* Must not be reported as another version, of which nothing could be said. */
static void a_cut_magic_is_told(void **state)
{
    static const char *const magics[] = {"PSXGPUDUMPv1\0", "PSXGPUDUMPv1r1\0"};
    static const size_t sizes[] = {13, 15};
    static const char told[] = "the magic of the PSX GPU dump is cut off after '";

    (void)state;
    for (size_t i = 0; i < COUNT_OF(magics); i++)
        for (size_t size = 10; size <= sizes[i]; size++) {
            struct psx_opened opened;

            psx_opened_init(&opened, magics[i], size);
            assert_int_equal(psx_opened_open(&opened), -EPROTO);
            assert_in_range(opened.message.length, sizeof(told), SIZE_MAX);
            assert_memory_equal(opened.message.bytes, told, sizeof(told) - 1);
            psx_opened_close(&opened);
        }
}

static void compress_xz(const struct psx_build *build, const char *path)
{
    size_t room = lzma_stream_buffer_bound(build->size), size = 0;
    uint8_t *packed = malloc(room);

    assert_non_null(packed);
    assert_int_equal(lzma_easy_buffer_encode(0, LZMA_CHECK_CRC32, NULL, build->bytes, build->size,
                                             packed, &size, room),
                     LZMA_OK);
    support_write(path, packed, size);
    free(packed);
}

static void compress_gz(const struct psx_build *build, const char *path)
{
    gzFile file = gzopen(path, "wb1");

    assert_non_null(file);
    assert_int_equal(gzwrite(file, build->bytes, (unsigned)build->size), build->size);
    assert_int_equal(gzclose(file), Z_OK);
}

static void expect_container(const char *path, const char *name, const struct psx_opened *plain)
{
    struct psx_opened opened = {0};
    struct format_dump dump;
    struct source_params params = {0};
    struct text message = TEXT_INIT;
    char *text, line[32];

    assert_int_equal(format_options_init(&opened.options), 0);
    assert_int_equal(format_open(path, &opened.options, &params, &message, &dump), 0);
    opened.dump = dump.dump;
    assert_int_equal(format_tree(&dump, 0, &opened.tree), 0);
    text = psx_opened_read(&opened, "metadata.txt");
    snprintf(line, sizeof(line), "\ncontainer: %s\n", name);
    assert_non_null(strstr(text, line));
    free(text);
    expect_same_file(plain, &opened, "frames/", 50, ".png");
    expect_same_file(plain, &opened, "by-frame/", 50, "/commands.txt");
    tree_destroy(&opened.tree);
    format_close(&dump);
    options_clear(&opened.options);
    text_clear(&message);
}

static void containers_do_not_matter(void **state)
{
    char *folder = support_folder();
    char *xz = support_path(folder, "dump.xz"), *gz = support_path(folder, "dump.gz");
    char *zst = support_corpus("psx/real/hello.psxgpu.zst");
    struct psx_build build;
    struct psx_opened plain;

    (void)state;
    read_recording("hello", &build);
    psx_opened_build(&plain, &build);
    compress_xz(&build, xz);
    compress_gz(&build, gz);
    expect_container(xz, "xz", &plain);
    expect_container(gz, "gzip", &plain);
    expect_container(zst, "zstd", &plain);
    psx_opened_close(&plain);
    psx_build_free(&build);
    free(xz);
    free(gz);
    free(zst);
    support_remove(&folder);
}

/* Frames read in any order, and readbacks, are what a replay in order gives. */

static void reads_answer_as_the_area_stood(void **state)
{
    static const uint8_t expected[8] = {0x34, 0x12, 0x78, 0x56, 0xBC, 0x9A, 0, 0};
    struct psx_build build;
    struct psx_opened opened;
    size_t size;
    char *bytes;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_16);
    GP0(&build, 0xA0000000, 0, 0x00010003, 0x56781234, 0x00009ABC);
    GP0(&build, 0xC0000000, 0, 0x00010004);
    GP0(&build, 0x02FFFFFF, 0, 0x00010010); /* later than the C0 */
    PACKET(&build, PSX_PACKET_DISCARD, 1);  /* packet 3 */
    PACKET(&build, PSX_PACKET_READBACK, 9); /* packet 4 */
    PACKET(&build, PSX_PACKET_READBACK, 9); /* packet 5: nothing is left */
    psx_opened_build(&opened, &build);
    bytes = walk_read(opened.tree, "readbacks/00000004.bin", &size);
    assert_int_equal(size, 4);
    assert_memory_equal(bytes, expected + 4, 4);
    free(bytes);
    bytes = walk_read(opened.tree, "readbacks/00000003.bin", &size);
    assert_int_equal(size, 4);
    assert_memory_equal(bytes, expected, 4);
    free(bytes);
    bytes = walk_read(opened.tree, "readbacks/00000005.bin", &size);
    assert_int_equal(size, 0);
    free(bytes);
    psx_opened_close(&opened);
    psx_build_free(&build);
}

/* The index has not been built yet: sizes do not wait for it, but are known once it is prepared. */
static void sizes_of_readbacks_wait_for_nothing(void **state)
{
    struct psx_build build;
    struct psx_opened opened;
    uint64_t size = 0;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_16);
    GP0(&build, 0xC0000000, 0, 0x00010004);
    PACKET(&build, PSX_PACKET_READBACK, 1); /* packet 1 */
    psx_opened_build(&opened, &build);
    assert_int_equal(psx_readback_size(opened.dump, 1, &size), -EAGAIN);
    assert_int_equal(opened.dump->ops->readiness.prepare(opened.dump, PSX_RULE_READBACK, 1, NULL),
                     0);
    assert_int_equal(psx_readback_size(opened.dump, 1, &size), 0);
    assert_int_equal(size, 4);
    psx_opened_close(&opened);
    psx_build_free(&build);
}

static void any_order_gives_the_same(void **state)
{
    static const char *const names[] = {"bezier480i", "teapot-magic14", "torus-load"};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        struct psx_build build;
        struct psx_opened in_order, at_random;
        uint64_t random = 9, frames;
        uint32_t crc[512];

        read_recording(names[i], &build);
        psx_opened_build(&in_order, &build);
        psx_opened_build(&at_random, &build);
        frames = psx_opened_index(&in_order)->frame_count;
        assert_in_range(frames, 2, COUNT_OF(crc));
        for (unsigned frame = 0; frame < frames; frame++)
            crc[frame] = crc_of_vram(&in_order, frame);
        for (unsigned n = 0; n < 25; n++) {
            unsigned frame = (unsigned)(support_random(&random) % frames);

            assert_int_equal(crc_of_vram(&at_random, frame), crc[frame]);
        }
        psx_opened_close(&in_order);
        psx_opened_close(&at_random);
        psx_build_free(&build);
    }
}

/* A reader that is cancelled at any moment does not change what others see. */
static void a_killed_reader_harms_no_machine(void **state)
{
    struct psx_build build;
    struct psx_opened opened;
    uint64_t random = 4;

    (void)state;
    read_recording("teapot-magic14", &build);
    psx_opened_build(&opened, &build);

    uint32_t last = crc_of_vram(&opened, 59), middle = crc_of_vram(&opened, 30);

    for (unsigned n = 0; n < 40; n++) {
        struct psx_dump *psx = psx_dump_of(opened.dump);
        struct psx_gpu_instance *machine = NULL;
        struct psx_vram_request want;
        struct cancel cancel;

        /* A replay that is cancelled before it begins executes at most one packet. */
        cancel_init(&cancel, NULL);
        cancel_raise(&cancel);
        psx_vram_request_frame(&psx->index, support_random(&random) % 60, true, &want);
        want.packet -= support_random(&random) % 100;
        if (psx_replay_take(psx, &want, &cancel, &machine) == 0)
            psx_replay_give(psx, &machine);
        psx_vram_request_frame(&psx->index, n % 2 ? 30 : 59, true, &want);
        assert_int_equal(psx_replay_take(psx, &want, NULL, &machine), 0);
        assert_int_equal(psx_play_crc32(machine->gpu), n % 2 ? middle : last);
        psx_replay_give(psx, &machine);
    }
    psx_opened_close(&opened);
    psx_build_free(&build);
}

struct storm {
    struct psx_opened *opened;
    const uint32_t *crc;
    unsigned start, wrong;
};

static void *read_frames(void *context)
{
    struct storm *storm = context;
    struct psx_dump *psx = psx_dump_of(storm->opened->dump);

    for (unsigned n = 0; n < 30; n++) {
        unsigned frame = (storm->start + 7 * n) % 60;
        struct psx_gpu_instance *machine = NULL;
        struct psx_vram_request want;

        if (psx_index_wait_frame(&psx->index, frame, NULL) != 0)
            storm->wrong++;
        psx_vram_request_frame(&psx->index, frame, true, &want);
        if (psx_replay_take(psx, &want, NULL, &machine) != 0) {
            storm->wrong++;
            continue;
        }
        storm->wrong += psx_play_crc32(machine->gpu) != storm->crc[frame];
        psx_replay_give(psx, &machine);
    }
    return NULL;
}

static void readers_do_not_meet(void **state)
{
    struct psx_build build;
    struct psx_opened opened;
    struct storm storms[4];
    pthread_t threads[4];
    uint32_t crc[60];

    (void)state;
    read_recording("teapot-magic14", &build);
    psx_opened_build(&opened, &build);
    for (unsigned frame = 0; frame < 60; frame++)
        crc[frame] = crc_of_vram(&opened, frame);
    for (unsigned i = 0; i < COUNT_OF(threads); i++) {
        storms[i] = (struct storm){.opened = &opened, .crc = crc, .start = 13 * i};
        assert_int_equal(pthread_create(&threads[i], NULL, read_frames, &storms[i]), 0);
    }
    for (unsigned i = 0; i < COUNT_OF(threads); i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(storms[i].wrong, 0);
    }
    psx_opened_close(&opened);
    psx_build_free(&build);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_file_of_a_small_dump),
        cmocka_unit_test(every_cut_of_a_small_dump),
        cmocka_unit_test(a_cut_magic_is_told),
        cmocka_unit_test(reads_answer_as_the_area_stood),
        cmocka_unit_test(every_file_is_as_long_as_it_says),
        cmocka_unit_test(vram_is_the_emulators),
        cmocka_unit_test(packets_do_not_matter),
        cmocka_unit_test(the_other_magic_says_the_same),
        cmocka_unit_test(a_cut_dump_shows_what_is_there),
        cmocka_unit_test(containers_do_not_matter),
        cmocka_unit_test(sizes_of_readbacks_wait_for_nothing),
        cmocka_unit_test(any_order_gives_the_same),
        cmocka_unit_test(a_killed_reader_harms_no_machine),
        cmocka_unit_test(readers_do_not_meet),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
