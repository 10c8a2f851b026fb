/* SPDX-License-Identifier: MIT */
/*
 * Reduces dumps while their last picture keeps a property. The result must be small, must be a
 * dump, and its picture, as the tree shows it, must have the property.
 */
#include "formats/psx/reduce/reduce.h"

#include "base/bytes.h"
#include "formats/psx/reduce/items.h"
#include "formats/psx/reduce/pairing.h"
#include "tests/formats/psx/build.h"
#include "tests/formats/psx/streams.h"
#include "tests/support/support.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 320, HEIGHT = 240, DRAWS = 300, NEVER = 1 << 30 };

/* The property, that a pixel has a colour, and the smallest dump so far */
struct wanted {
    uint32_t x, y, rgb;
    /* Another pixel of the same column must have a colour, too, unless `also_y` is 0. */
    uint32_t also_y, also_rgb;
    bool differs; /* the property is instead that it differs from the other picture */
    struct text best, other;
    unsigned tries, fails_after;
    bool grew;
};

static bool has_colour(const struct format_picture *picture, uint32_t x, uint32_t y, uint32_t rgb)
{
    const uint8_t *at = picture->rgb + 3 * ((size_t)y * picture->width + x);

    return x < picture->width && y < picture->height &&
           ((uint32_t)at[0] << 16 | (uint32_t)at[1] << 8 | at[2]) == rgb;
}

static int judge(void *context, const struct format_picture *picture,
                 const struct format_picture *other)
{
    struct wanted *wanted = context;

    if (wanted->tries++ == wanted->fails_after)
        return -EIO;
    if (wanted->differs)
        return picture->width != other->width || picture->height != other->height ||
               memcmp(picture->rgb, other->rgb, 3 * (size_t)picture->width * picture->height) != 0;
    return has_colour(picture, wanted->x, wanted->y, wanted->rgb) &&
           (wanted->also_y == 0 ||
            has_colour(picture, wanted->x, wanted->also_y, wanted->also_rgb));
}

static int keep(void *context, const void *dump, size_t size)
{
    struct wanted *wanted = context;

    text_reset(&wanted->best);
    text_add_bytes(&wanted->best, dump, size);
    return text_status(&wanted->best);
}

static int keep_other(void *context, const void *dump, size_t size)
{
    struct wanted *wanted = context;

    text_reset(&wanted->other);
    text_add_bytes(&wanted->other, dump, size);
    return text_status(&wanted->other);
}

static void progress(void *context, const char *units, size_t left, size_t count, uint64_t tries)
{
    struct wanted *wanted = context;

    wanted->grew |= left > count || units == NULL || tries > wanted->tries + 1;
}

static int reduce(const void *bytes, size_t size, const struct psx_opened *other,
                  uint64_t last_frame, struct wanted *wanted)
{
    struct format_reduction params = {.last_frame = last_frame,
                                      .other = other != NULL ? other->dump : NULL,
                                      .judge = judge,
                                      .keep = keep,
                                      .keep_other = keep_other,
                                      .progress = progress,
                                      .context = wanted};
    struct psx_opened opened;
    int status;

    psx_opened_init(&opened, bytes, size);
    assert_int_equal(psx_opened_open(&opened), 0);
    status = psx_reduce(opened.dump, &params);
    psx_opened_close(&opened);
    return status;
}

static void begin(struct psx_build *build)
{
    psx_build_start(build, PSX_MAGIC_16);
    PACKET(build, PSX_PACKET_VERSION, 2);
    psx_build_string(build, PSX_PACKET_COMMENT, "is not needed", 13);
    GP1(build, 0x08000001);
    GP1(build, 0x06C60260);
    GP1(build, 0x07040010);
    GP1(build, 0x05000000);
    GP1(build, 0x03000000);
    GP0(build, 0xA0000000, 0, 0x02000400);
    psx_build_packet(build, PSX_PACKET_GP0, NULL, 0x40000);
    psx_build_full_area(build);
    EMPTY_PACKET(build, PSX_PACKET_BEGIN);
}

/*
 * Builds 300 draws in three frames, of which two matter for pixel 100,100: they are blended over
 * each other. Besides, a VSync cuts the words of a quad.
 */
static void build_300(struct psx_build *build)
{
    begin(build);
    for (unsigned i = 0; i < DRAWS; i++) {
        const uint32_t x = 4 * (i % 60), y = 130 + 4 * (i / 60);

        if (i == 130)
            GP0(build, 0x60000080, 0x00500050, 0x00400040);
        else if (i == 170)
            GP0(build, 0x62008000, 0x00600060, 0x00200020);
        else
            GP0(build, 0x60000000 | i * 77, y << 16 | x, 0x00100010);
        if (i == 150)
            GP0(build, 0x28FFFFFF, 0x00C80000);
        if (i % 100 == 99 || i == 150)
            psx_build_vsync(build, 566121 * (i / 50));
        if (i == 150)
            GP0(build, 0x00C80004, 0x00CC0000, 0x00CC0004);
    }
}

static unsigned count_lines(const char *text, const char *word)
{
    unsigned count = 0;

    for (; (text = strstr(text, word)) != NULL; text++)
        count++;
    return count;
}

/* Reads a file of the last frame in the tree of a dump. */
static char *read_last(struct psx_opened *opened, const char *file)
{
    char path[64];

    snprintf(path, sizeof(path), "by-frame/%06llu/%s",
             (unsigned long long)opened->dump->ops->frames(opened->dump) - 1, file);
    return psx_opened_read(opened, path);
}

static void of_300_draws_two_are_left(void **state)
{
    struct wanted wanted = {.x = 100, .y = 100, .rgb = 0x424200, .fails_after = NEVER};
    struct psx_build build;
    struct psx_opened opened;

    (void)state;
    build_300(&build);
    assert_int_equal(reduce(build.bytes, build.size, NULL, DUMP_NO_FRAME, &wanted), 0);
    assert_false(wanted.grew);
    assert_true(wanted.best.length < 160);
    assert_true(wanted.tries < 400);
    psx_opened_init(&opened, wanted.best.bytes, wanted.best.length);
    psx_opened_tree(&opened);

    char *commands = read_last(&opened, "commands.txt"), *problems = psx_opened_problems(&opened);

    assert_int_equal(count_lines(commands, " rect "), 2);
    assert_int_equal(count_lines(commands, " quad "), 0);
    assert_int_equal(count_lines(problems, "error"), 0);
    assert_int_equal(count_lines(problems, "warning"), 0);
    free(commands);
    free(problems);
    psx_opened_close(&opened);
    text_clear(&wanted.best);
    psx_build_free(&build);
}

static void what_comes_behind_a_frame_goes_at_once(void **state)
{
    struct wanted wanted = {.x = 100, .y = 100, .rgb = 0x000000, .fails_after = NEVER};
    struct psx_build build;

    (void)state;
    begin(&build);
    psx_build_vsync(&build, 1);
    GP0(&build, 0x60FFFFFF, 0, 0x01000100);
    psx_build_vsync(&build, 2);
    assert_int_equal(reduce(build.bytes, build.size, NULL, DUMP_NO_FRAME, &wanted), -ENODATA);
    assert_int_equal(wanted.best.length, 0);
    assert_int_equal(reduce(build.bytes, build.size, NULL, 0, &wanted), 0);
    assert_true(wanted.best.length > 0 && wanted.best.length < 100);
    text_clear(&wanted.best);
    psx_build_free(&build);
}

/* A texture of 64 lines, of which one texel is visible */
static void lines_of_uploads_and_words_go(void **state)
{
    struct wanted wanted = {.x = 21, .y = 33, .rgb = 0xFF0000, .fails_after = NEVER};
    uint32_t texture[3 + 32 * 64] = {0xA0000000, 0x00000200, 0x00400040};
    struct psx_build build;

    (void)state;
    begin(&build);
    for (unsigned i = 0; i < 32 * 64; i++)
        texture[3 + i] = 0x12341234;
    texture[3 + 32 * 3 + 5] = 0x001F0042;
    psx_build_packet(&build, PSX_PACKET_GP0, texture, COUNT_OF(texture));
    GP0(&build, 0xE1000108); /* page 8, 15 bits */
    GP0(&build, 0x65808080, 0x001E000A, 0, 0x00400040);
    psx_build_vsync(&build, 1);
    assert_int_equal(reduce(build.bytes, build.size, NULL, DUMP_NO_FRAME, &wanted), 0);
    assert_true(wanted.best.length < 4 * (32 + 50));

    unsigned texels = 0;

    for (size_t i = 16; i < wanted.best.length; i += 4)
        texels += bytes_le32((const uint8_t *)wanted.best.bytes + i) == 0x12341234;
    assert_int_equal(texels, 0);
    text_clear(&wanted.best);
    psx_build_free(&build);
}

/* Lines that are needed are joined to one upload in the end. */
static void lines_that_stay_are_joined(void **state)
{
    uint32_t upload[3 + 2 * 8] = {0xA0000000, 0x00100020, 0x00080004};
    struct psx_items items;
    struct psx_build build;
    struct psx_opened opened;
    struct text before = TEXT_INIT, after = TEXT_INIT;
    size_t count = 0;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_16);
    for (unsigned i = 0; i < 16; i++)
        upload[3 + i] = 0x01000100 * i;
    psx_build_packet(&build, PSX_PACKET_GP0, upload, COUNT_OF(upload));
    GP0(&build, 0xE1000400);
    psx_opened_init(&opened, build.bytes, build.size);
    assert_int_equal(psx_opened_open(&opened), 0);
    assert_int_equal(psx_items_read(psx_opened_index(&opened), NULL, &items), 0);
    assert_int_equal(items.count, 2);
    psx_items_write(&items, &before);
    assert_int_equal(before.length, build.size);
    assert_memory_equal(before.bytes, build.bytes, build.size);
    assert_int_equal(psx_items_split_upload(&items, 1, &count), -ENOTSUP);
    assert_int_equal(psx_items_split_upload(&items, 0, &count), 0);
    assert_int_equal(count, 8);
    items.list[1].is_kept = items.list[2].is_kept = items.list[8].is_kept = false;
    assert_int_equal(psx_items_join_lines(&items, 3, 5), 0);
    psx_items_compact(&items);
    assert_int_equal(items.count, 2);
    psx_items_write(&items, &after);
    assert_int_equal(after.length, before.length - 3 * 8);
    assert_int_equal(bytes_le32((const uint8_t *)after.bytes + 24), 0x00120020);
    assert_int_equal(bytes_le32((const uint8_t *)after.bytes + 28), 0x00050004);
    assert_memory_equal(after.bytes + 32, &upload[3 + 4], 4 * 10);
    psx_items_clear(&items);
    text_clear(&before);
    text_clear(&after);
    psx_opened_close(&opened);
    psx_build_free(&build);
}

/* Two dumps that differ in a word of a texture: what shows the word is left in both. */
static void two_dumps_are_reduced_in_step(void **state)
{
    struct wanted wanted = {.differs = true, .fails_after = NEVER};
    struct psx_build build, other;
    struct psx_opened opened;

    (void)state;
    build_300(&build);
    psx_build_start(&other, PSX_MAGIC_16);
    psx_build_bytes(&other, build.bytes + 16, build.size - 16);
    for (size_t i = 16; i + 4 <= other.size; i += 4)
        if (bytes_le32(other.bytes + i) == 0x60000080)
            other.bytes[i] = 0x90;
    psx_opened_init(&opened, other.bytes, other.size);
    assert_int_equal(psx_opened_open(&opened), 0);
    assert_int_equal(reduce(build.bytes, build.size, &opened, DUMP_NO_FRAME, &wanted), 0);
    assert_true(wanted.best.length < 130);
    assert_int_equal(wanted.other.length, wanted.best.length);
    psx_opened_close(&opened);
    text_clear(&wanted.best);
    text_clear(&wanted.other);
    psx_build_free(&build);
    psx_build_free(&other);
}

static void check_pair(const struct psx_items *a, const struct psx_items *b)
{
    assert_int_equal(a->count, b->count);
    for (size_t i = 0; i < a->count; i++) {
        const struct psx_item *item = &a->list[i], *other = &b->list[i];

        assert_true(item->parts > 0 || other->parts > 0);
        assert_int_equal(item->is_fixed, other->is_fixed);
        if (item->parts == 0 || other->parts == 0)
            continue;
        assert_int_equal(item->op, other->op);
        assert_int_equal(item->parts, other->parts);
        for (uint32_t p = 0; p < item->parts; p++)
            assert_int_equal(a->parts[item->first_part + p].words,
                             b->parts[other->first_part + p].words);
    }
}

static void read_items(struct psx_opened *opened, const struct psx_build *build,
                       struct psx_items *items, struct text *before)
{
    psx_opened_init(opened, build->bytes, build->size);
    assert_int_equal(psx_opened_open(opened), 0);
    assert_int_equal(psx_items_read(psx_opened_index(opened), NULL, items), 0);
    psx_items_write(items, before);
}

/* Checks that both dumps are unchanged after their items have been paired. */
static void check_pairing(const struct psx_build *first, const struct psx_build *second)
{
    const struct psx_build *builds[] = {first, second};
    struct psx_opened opened[2];
    struct psx_items items[2];
    struct text before[2] = {TEXT_INIT, TEXT_INIT}, after = TEXT_INIT;

    for (unsigned i = 0; i < 2; i++)
        read_items(&opened[i], builds[i], &items[i], &before[i]);
    assert_int_equal(psx_items_pair(&items[0], &items[1], NULL), 0);
    check_pair(&items[0], &items[1]);
    for (unsigned i = 0; i < 2; i++) {
        psx_items_write(&items[i], &after);
        assert_int_equal(after.length, before[i].length);
        assert_memory_equal(after.bytes, before[i].bytes, after.length);
        psx_items_clear(&items[i]);
        text_clear(&before[i]);
        psx_opened_close(&opened[i]);
    }
    text_clear(&after);
}

static void items_stand_beside_each_other(void **state)
{
    struct psx_build a, b;

    (void)state;
    for (uint64_t seed = 1; seed < 6; seed++) {
        assert_true(psx_streams_build("clean", seed, &a));
        assert_true(psx_streams_build(seed % 2 != 0 ? "clean" : "feedback", seed + 1, &b));
        check_pairing(&a, &b);
        check_pairing(&a, &a);
        psx_build_free(&a);
        psx_build_free(&b);
    }
}

enum { UPLOAD_LINES = 8 };

/* Builds a frame of three draws, then one with one of them. With `has_more`, the first has more. */
static void build_frames(struct psx_build *build, bool has_more)
{
    static const uint32_t upload[3 + 4 * UPLOAD_LINES] = {
        0xA0000000, 0x00600060, UPLOAD_LINES << 16 | 8, [20] = 0x7FFF7FFF};

    begin(build);
    GP0(build, 0x60000080, 0x00500050, 0x00400040);
    if (has_more)
        psx_build_packet(build, PSX_PACKET_GP0, upload, COUNT_OF(upload));
    if (has_more)
        psx_build_vsync(build, 100000);
    GP0(build, 0x60008000, 0x00200020, 0x00100010);
    psx_build_vsync(build, 566121);
    GP0(build, 0x60FFFFFF, 0, 0x00F00140);
    psx_build_vsync(build, 1132242);
}

/* What only one of the dumps has is found: an upload, of which one line is left, and a VSync. */
static void what_one_dump_has_alone_is_found(void **state)
{
    struct wanted wanted = {.differs = true, .fails_after = NEVER};
    struct psx_build build, other;
    struct psx_opened opened;

    (void)state;
    build_frames(&build, false);
    build_frames(&other, true);
    psx_opened_init(&opened, other.bytes, other.size);
    assert_int_equal(psx_opened_open(&opened), 0);
    assert_int_equal(reduce(build.bytes, build.size, &opened, DUMP_NO_FRAME, &wanted), -ENODATA);
    assert_int_equal(reduce(build.bytes, build.size, &opened, 0, &wanted), 0);
    assert_true(wanted.best.length < 100);
    assert_true(wanted.other.length > wanted.best.length + 16);
    assert_true(wanted.other.length < wanted.best.length + 4 * (1 + 3 + 4 * 2));
    psx_opened_close(&opened);

    psx_opened_init(&opened, build.bytes, build.size);
    assert_int_equal(psx_opened_open(&opened), 0);
    assert_int_equal(reduce(other.bytes, other.size, &opened, 1, &wanted), 0);
    assert_true(wanted.other.length < 100);
    assert_true(wanted.best.length > wanted.other.length + 16);
    psx_opened_close(&opened);
    text_clear(&wanted.best);
    text_clear(&wanted.other);
    psx_build_free(&build);
    psx_build_free(&other);
}

/*
 * Random streams, some of them cut anywhere: what is kept at any time is a dump that has the
 * property.
 */
static void streams_are_reduced(void **state)
{
    static const char *const kinds[] = {"clean", "feedback", "areas", "first-gpu", "2-mib"};

    (void)state;
    for (unsigned i = 0; i < 3 * COUNT_OF(kinds); i++) {
        struct wanted wanted = {.x = 0, .y = 0, .fails_after = 40 + 30 * i};
        struct psx_build build;

        assert_true(psx_streams_build(kinds[i % COUNT_OF(kinds)], i + 1, &build));

        int status = reduce(build.bytes, build.size - 37 * i, NULL, DUMP_NO_FRAME, &wanted);

        assert_true(status == 0 || status == -ENODATA || status == -EIO);
        if (wanted.best.length > 0) {
            wanted.tries = 0;
            wanted.fails_after = 1;

            struct text best = wanted.best;

            wanted.best = (struct text)TEXT_INIT;
            assert_int_not_equal(reduce(best.bytes, best.length, NULL, DUMP_NO_FRAME, &wanted),
                                 -ENODATA);
            text_clear(&best);
        }
        text_clear(&wanted.best);
        psx_build_free(&build);
    }
}

/* Streams that have little in common: what is left of them differs as well. */
static void unlike_streams_are_reduced(void **state)
{
    static const char *const kinds[] = {"clean", "feedback", "areas"};

    (void)state;
    for (unsigned i = 0; i < 2 * COUNT_OF(kinds); i++) {
        struct wanted wanted = {.differs = true, .fails_after = 150 + 100 * i};
        struct psx_build build, other;
        struct psx_opened opened;

        assert_true(psx_streams_build(kinds[i % COUNT_OF(kinds)], i + 1, &build));
        assert_true(psx_streams_build(kinds[(i + i / 2) % COUNT_OF(kinds)], i + 50, &other));
        psx_opened_init(&opened, other.bytes, other.size - 41 * i);
        assert_int_equal(psx_opened_open(&opened), 0);

        int status = reduce(build.bytes, build.size, &opened, DUMP_NO_FRAME, &wanted);

        psx_opened_close(&opened);
        assert_true(status == 0 || status == -ENODATA || status == -EIO);
        if (wanted.best.length > 0) {
            wanted.tries = 0;
            wanted.fails_after = 1;

            struct text best = wanted.best, left = wanted.other;

            wanted.best = wanted.other = (struct text)TEXT_INIT;
            psx_opened_init(&opened, left.bytes, left.length);
            assert_int_equal(psx_opened_open(&opened), 0);
            assert_int_not_equal(reduce(best.bytes, best.length, &opened, DUMP_NO_FRAME, &wanted),
                                 -ENODATA);
            psx_opened_close(&opened);
            text_clear(&best);
            text_clear(&left);
        }
        text_clear(&wanted.best);
        text_clear(&wanted.other);
        psx_build_free(&build);
        psx_build_free(&other);
    }
}

/* Writes words of a command, and a word to port 1 after each of the first ones. */
static void put_mixed(struct psx_build *build, const uint32_t *words, size_t count,
                      const uint32_t *gp1, size_t gp1_count)
{
    for (size_t i = 0; i < gp1_count; i++) {
        psx_build_packet(build, PSX_PACKET_GP0, words + i, 1);
        GP1(build, gp1[i]);
    }
    psx_build_packet(build, PSX_PACKET_GP0, words + gp1_count, (uint32_t)(count - gp1_count));
}

/* Builds an upload of many lines that nothing needs, with the display's mode between its words. */
static void build_mixed(struct psx_build *build, uint32_t rgb)
{
    static const uint32_t upload[3 + 64 * 64 / 2] = {0xA0000000, 0x00000200, 0x00400040};
    static const uint32_t mode[] = {0x08000001, 0x03000000};

    psx_build_start(build, PSX_MAGIC_16);
    psx_build_full_area(build);
    put_mixed(build, upload, COUNT_OF(upload), mode, COUNT_OF(mode));
    GP0(build, 0x60000000 | rgb, 0x00140014, 0x00100010);
    psx_build_vsync(build, 1);
}

/* A command goes although what stands between its words is needed. */
static void commands_go_from_around_what_is_needed(void **state)
{
    struct wanted wanted = {.x = 20, .y = 20, .rgb = 0xFF0000, .fails_after = NEVER};
    struct psx_build build;

    (void)state;
    build_mixed(&build, 0x0000FF);
    assert_int_equal(reduce(build.bytes, build.size, NULL, DUMP_NO_FRAME, &wanted), 0);
    assert_true(wanted.best.length < 100);
    text_clear(&wanted.best);
    psx_build_free(&build);
}

static void commands_go_from_around_in_two_dumps(void **state)
{
    struct wanted wanted = {.differs = true, .fails_after = NEVER};
    struct psx_build build, other;
    struct psx_opened opened;

    (void)state;
    build_mixed(&build, 0x0000FF);
    build_mixed(&other, 0x00FF00);
    psx_opened_init(&opened, other.bytes, other.size);
    assert_int_equal(psx_opened_open(&opened), 0);
    assert_int_equal(reduce(build.bytes, build.size, &opened, DUMP_NO_FRAME, &wanted), 0);
    assert_true(wanted.best.length < 100);
    assert_int_equal(wanted.other.length, wanted.best.length);
    psx_opened_close(&opened);
    text_clear(&wanted.best);
    text_clear(&wanted.other);
    psx_build_free(&build);
    psx_build_free(&other);
}

/* Uploads of one length but of other sizes, with port 1 between their words, are no pair. */
static void mixed_uploads_of_other_sizes_are_no_pair(void **state)
{
    static const uint32_t display[] = {0x03000000};
    struct wanted wanted = {.differs = true, .fails_after = NEVER};
    struct psx_build build, other;
    struct psx_opened opened;

    (void)state;
    for (unsigned pair = 0; pair < 2; pair++) {
        struct psx_build *to = pair == 0 ? &build : &other;
        uint32_t upload[3 + 4 * 64 / 2] = {0xA0000000, 0, pair == 0 ? 0x00040040 : 0x00400004};

        for (unsigned i = 3; i < COUNT_OF(upload); i++)
            upload[i] = 0x001F001F;
        psx_build_start(to, PSX_MAGIC_16);
        put_mixed(to, upload, COUNT_OF(upload), display, COUNT_OF(display));
        psx_build_vsync(to, 1);
    }
    psx_opened_init(&opened, other.bytes, other.size);
    assert_int_equal(psx_opened_open(&opened), 0);
    assert_int_equal(reduce(build.bytes, build.size, &opened, DUMP_NO_FRAME, &wanted), 0);
    assert_true(wanted.best.length < 200);
    assert_true(wanted.other.length < 200);
    psx_opened_close(&opened);
    text_clear(&wanted.best);
    text_clear(&wanted.other);
    psx_build_free(&build);
    psx_build_free(&other);
}

/* The command is needed, and so is what stands between its words: they are taken apart. */
static void commands_that_stay_are_reduced_by_themselves(void **state)
{
    static const uint32_t mode[] = {0x08000001, 0x03000000};
    struct wanted wanted = {.x = 20, .y = 20, .rgb = 0xFF0000, .fails_after = NEVER};
    uint32_t upload[3 + 64 * 64 / 2] = {0xA0000000, 0x00000000, 0x00400040};
    struct psx_build build;

    (void)state;
    for (unsigned i = 3; i < COUNT_OF(upload); i++)
        upload[i] = 0x001F001F;
    psx_build_start(&build, PSX_MAGIC_16);
    put_mixed(&build, upload, COUNT_OF(upload), mode, COUNT_OF(mode));
    psx_build_vsync(&build, 1);
    assert_int_equal(reduce(build.bytes, build.size, NULL, DUMP_NO_FRAME, &wanted), 0);
    assert_true(wanted.best.length < 64 + 4 * (3 + 32));
    text_clear(&wanted.best);
    psx_build_free(&build);
}

/* Begins a quad, whose words port 1 drops together with what was set before. */
static void aborted_commands_go_without_what_aborts_them(void **state)
{
    static const uint32_t abort[] = {0x05000000, 0x03000000, 0x01000000};
    static const uint32_t quad[] = {0x28FFFFFF, 0, 100};
    struct wanted wanted = {.x = 20, .y = 20, .rgb = 0xFF0000, .fails_after = NEVER};
    struct psx_build build;
    struct psx_opened opened;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_16);
    psx_build_full_area(&build);
    put_mixed(&build, quad, COUNT_OF(quad), abort, COUNT_OF(abort));
    GP0(&build, 0x600000FF, 0x00140014, 0x00100010);
    psx_build_vsync(&build, 1);
    assert_int_equal(reduce(build.bytes, build.size, NULL, DUMP_NO_FRAME, &wanted), 0);
    psx_opened_init(&opened, wanted.best.bytes, wanted.best.length);
    psx_opened_tree(&opened);

    char *commands = read_last(&opened, "commands.txt");

    assert_int_equal(count_lines(commands, " aborted "), 0);
    assert_int_equal(count_lines(commands, " display on=1"), 1);
    assert_int_equal(count_lines(commands, " display-start "), 0);
    free(commands);
    psx_opened_close(&opened);
    text_clear(&wanted.best);
    psx_build_free(&build);
}

/*
 * With 2 MiB, the first line of the upload is written beyond line 511, and the second one, after
 * GP1(09), is not: neither order of the two does the same. What stands there without need goes.
 */
static void what_is_needed_between_words_stays_there(void **state)
{
    static const uint32_t upload[] = {0xA0000000, 0x02000000, 0x00020008, 0x03E003E0,
                                      0x03E003E0, 0x03E003E0, 0x03E003E0, 0x001F001F,
                                      0x001F001F, 0x001F001F, 0x001F001F};
    static const uint32_t gp1[] = {0x02000000, 0x04000001, 0x04000002, 0x04000003,
                                   0x02000000, 0x02000000, 0x09000000, 0x02000000};
    struct wanted wanted = {
        .x = 4, .rgb = 0x0000FF, .also_y = 1, .also_rgb = 0xFF0000, .fails_after = NEVER};
    struct psx_build build;
    struct psx_opened opened;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_16);
    PACKET(&build, PSX_PACKET_VERSION, 3);
    GP1(&build, 0x03000000);
    GP0(&build, 0x02FF0000, 0, 0x00100010);
    GP1(&build, 0x09000001);
    put_mixed(&build, upload, COUNT_OF(upload), gp1, COUNT_OF(gp1));
    psx_build_vsync(&build, 1);
    assert_int_equal(reduce(build.bytes, build.size, NULL, DUMP_NO_FRAME, &wanted), 0);
    psx_opened_init(&opened, wanted.best.bytes, wanted.best.length);
    psx_opened_tree(&opened);

    char *commands = read_last(&opened, "commands.txt");

    assert_int_equal(count_lines(commands, " upload "), 1);
    assert_int_equal(count_lines(commands, " allow-texture-disable on=0"), 1);
    assert_int_equal(count_lines(commands, " ack-irq"), 0);
    assert_int_equal(count_lines(commands, " dma "), 0);
    free(commands);
    psx_opened_close(&opened);
    text_clear(&wanted.best);
    psx_build_free(&build);
}

/* The begin packet is kept, although it stands between words of a command that stays. */
static void begin_stays_between_words(void **state)
{
    static const uint32_t upload[] = {0xA0000000, 0x02000000, 0x00020008, 0x03E003E0,
                                      0x03E003E0, 0x03E003E0, 0x03E003E0, 0x001F001F,
                                      0x001F001F, 0x001F001F, 0x001F001F};
    struct wanted wanted = {
        .x = 4, .rgb = 0x0000FF, .also_y = 1, .also_rgb = 0xFF0000, .fails_after = NEVER};
    struct psx_build build;
    struct psx_opened opened;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_16);
    PACKET(&build, PSX_PACKET_VERSION, 3);
    GP1(&build, 0x03000000);
    GP0(&build, 0x02FF0000, 0, 0x00100010);
    GP1(&build, 0x09000001);
    psx_build_packet(&build, PSX_PACKET_GP0, upload, 4);
    EMPTY_PACKET(&build, PSX_PACKET_BEGIN);
    psx_build_packet(&build, PSX_PACKET_GP0, upload + 4, 3);
    GP1(&build, 0x09000000);
    psx_build_packet(&build, PSX_PACKET_GP0, upload + 7, COUNT_OF(upload) - 7);
    psx_build_vsync(&build, 1);
    assert_int_equal(reduce(build.bytes, build.size, NULL, DUMP_NO_FRAME, &wanted), 0);
    psx_opened_init(&opened, wanted.best.bytes, wanted.best.length);
    assert_int_equal(psx_opened_open(&opened), 0);
    assert_true(psx_opened_index(&opened)->begin_packet != PSX_NO_PACKET);
    psx_opened_close(&opened);
    text_clear(&wanted.best);
    psx_build_free(&build);
}

/* The trace begins within an upload, which is not needed. */
static void a_trace_that_begins_within_a_command_is_reduced(void **state)
{
    static const uint32_t words[] = {0xA0000000, 0x00000200, 0x00100010};
    static const uint32_t data[16 * 16 / 2];
    struct wanted wanted = {.x = 20, .y = 20, .rgb = 0xFF0000, .fails_after = NEVER};
    struct psx_build build;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_16);
    GP1(&build, 0x03000000);
    psx_build_full_area(&build);
    psx_build_packet(&build, PSX_PACKET_GP0, words, COUNT_OF(words));
    EMPTY_PACKET(&build, PSX_PACKET_BEGIN);
    psx_build_packet(&build, PSX_PACKET_GP0, data, COUNT_OF(data));
    GP0(&build, 0x600000FF, 0x00140014, 0x00100010);
    psx_build_vsync(&build, 1);
    assert_int_equal(reduce(build.bytes, build.size, NULL, DUMP_NO_FRAME, &wanted), 0);
    assert_true(wanted.best.length < 100);
    text_clear(&wanted.best);
    psx_build_free(&build);
}

/* The frame ends within an upload, which overwrites the pixel only in the next frame. */
static void what_a_command_does_behind_a_frame_goes(void **state)
{
    static const uint32_t words[] = {0xA0000000, 0x00140014, 0x00020002, 0x00000000};
    struct wanted wanted = {.x = 20, .y = 21, .rgb = 0xFF0000, .fails_after = NEVER};
    struct psx_build build, other;
    struct psx_opened opened;

    (void)state;
    for (unsigned pair = 0; pair < 2; pair++) {
        struct psx_build *to = pair == 0 ? &build : &other;

        begin(to);
        GP0(to, pair == 0 ? 0x600000FF : 0x6000FF00, 0x00140014, 0x00100010);
        psx_build_packet(to, PSX_PACKET_GP0, words, COUNT_OF(words));
        psx_build_vsync(to, 1);
        GP0(to, 0x7FFF7FFF);
        GP0(to, 0x60FFFFFF, 0x00140014, 0x00100010);
        psx_build_vsync(to, 2);
    }
    assert_int_equal(reduce(build.bytes, build.size, NULL, DUMP_NO_FRAME, &wanted), -ENODATA);
    assert_int_equal(reduce(build.bytes, build.size, NULL, 0, &wanted), 0);
    assert_true(wanted.best.length < 160);
    wanted.differs = true;
    psx_opened_init(&opened, other.bytes, other.size);
    assert_int_equal(psx_opened_open(&opened), 0);
    assert_int_equal(reduce(build.bytes, build.size, &opened, 0, &wanted), 0);
    assert_true(wanted.best.length < 160);
    psx_opened_close(&opened);
    text_clear(&wanted.best);
    text_clear(&wanted.other);
    psx_build_free(&build);
    psx_build_free(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_300_draws_two_are_left),
        cmocka_unit_test(what_comes_behind_a_frame_goes_at_once),
        cmocka_unit_test(lines_of_uploads_and_words_go),
        cmocka_unit_test(lines_that_stay_are_joined),
        cmocka_unit_test(two_dumps_are_reduced_in_step),
        cmocka_unit_test(items_stand_beside_each_other),
        cmocka_unit_test(what_one_dump_has_alone_is_found),
        cmocka_unit_test(streams_are_reduced),
        cmocka_unit_test(unlike_streams_are_reduced),
        cmocka_unit_test(commands_go_from_around_what_is_needed),
        cmocka_unit_test(commands_go_from_around_in_two_dumps),
        cmocka_unit_test(mixed_uploads_of_other_sizes_are_no_pair),
        cmocka_unit_test(commands_that_stay_are_reduced_by_themselves),
        cmocka_unit_test(aborted_commands_go_without_what_aborts_them),
        cmocka_unit_test(what_is_needed_between_words_stays_there),
        cmocka_unit_test(begin_stays_between_words),
        cmocka_unit_test(a_trace_that_begins_within_a_command_is_reduced),
        cmocka_unit_test(what_a_command_does_behind_a_frame_goes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
