/* SPDX-License-Identifier: MIT */
/*
 * Long dumps whose packets are walked after the opening: the names in the root are there at once,
 * everything else waits, and the result is the same as when all is walked at the opening.
 */
#include "config.h"

#include "tests/formats/psx/build.h"
#include "tests/support/support.h"
#include "tests/support/walk.h"

#include "formats/psx/index/indexing.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    FRAMES = 24,
    FRAME_PACKETS = 700,
    FIRST_STEP = 4096, /* packets that are walked at the opening */
    NAMES_MAX = 64,
};

/* What is unusual about a dump */
enum { WITHOUT_BEGIN = 1, LATE_FRAME = 2, LATE_BEGIN = 4, DAMAGED = 8 };

static struct psx_build built;

static void add_nothing(unsigned count)
{
    while (count-- > 0)
        GP0(&built, 0);
}

static void add_frame(unsigned frame, unsigned unusual)
{
    GP1(&built, 0x05000000 | (frame & 1) << 10);
    GP0(&built, 0x60000000 | frame * 0x70503, frame % 300, 32 << 16 | 24);
    if (unusual & DAMAGED && frame % 5 == 3)
        EMPTY_PACKET(&built, PSX_PACKET_GP0);
    if (frame % 7 == 2)
        EMPTY_PACKET(&built, PSX_PACKET_DISCARD);
    add_nothing(FRAME_PACKETS);
    psx_build_vsync(&built, 1000 + frame * UINT64_C(566000));
}

static void build(unsigned unusual)
{
    psx_build_start(&built, PSX_MAGIC_14);
    psx_build_string(&built, PSX_PACKET_GAME, "SLUS-12345", 10);
    psx_build_full_area(&built);
    add_nothing(unusual & LATE_BEGIN ? FIRST_STEP : 3);
    if (!(unusual & WITHOUT_BEGIN))
        EMPTY_PACKET(&built, PSX_PACKET_BEGIN);
    GP1(&built, 0x03000000);
    GP1(&built, 0x06C60260);
    GP1(&built, 0x07040010);
    add_nothing(unusual & LATE_FRAME ? FIRST_STEP : 0);
    for (unsigned frame = 0; frame < FRAMES; frame++)
        add_frame(frame, unusual);
    if (unusual & DAMAGED)
        psx_build_bytes(&built, "xyz", 3);
}

static int tear_down(void **state)
{
    (void)state;
    psx_build_free(&built);
    psx_index_early_from = UINT64_MAX;
    return 0;
}

static void open_early(struct psx_opened *opened, bool early)
{
    psx_index_early_from = early ? 1 : UINT64_MAX;
    psx_opened_build(opened, &built);
    assert_int_equal(psx_index_is_early(psx_opened_index(opened)), early);
    psx_index_early_from = UINT64_MAX;
}

static bool is_early(const struct psx_opened *opened)
{
    return psx_index_is_early(psx_opened_index(opened));
}

struct names {
    unsigned count;
    char *list[NAMES_MAX];
};

static bool add_name(void *context, const char *name, uint64_t inode, enum rule_kind kind,
                     uint64_t next)
{
    struct names *names = context;

    (void)inode, (void)kind, (void)next;
    assert_true(names->count < NAMES_MAX);
    names->list[names->count++] = strdup(name);
    return true;
}

static void list_root(const struct psx_opened *opened, struct names *names)
{
    uint64_t cursor = 0;

    names->count = 0;
    assert_int_equal(tree_list(opened->tree, TREE_ROOT, &cursor, add_name, names), 0);
}

static void clear_names(struct names *names)
{
    while (names->count > 0)
        free(names->list[--names->count]);
}

/*
 * Compares the root of the built dump, opened early and not. Returns whether the dump was still
 * early after listing.
 */
static bool expect_root(void)
{
    struct psx_opened whole, opened;
    struct names expected, names;
    bool early;

    open_early(&whole, false);
    open_early(&opened, true);
    list_root(&whole, &expected);
    list_root(&opened, &names);
    early = is_early(&opened);
    assert_int_equal(names.count, expected.count);
    for (unsigned i = 0; i < names.count; i++)
        assert_string_equal(names.list[i], expected.list[i]);
    clear_names(&names);
    clear_names(&expected);
    psx_opened_close(&opened);
    psx_opened_close(&whole);
    return early;
}

static void test_names_in_the_root_do_not_wait(void **state)
{
    (void)state;
    build(0);
    assert_true(built.packets > 3 * FIRST_STEP);
    assert_true(expect_root());
}

/* Packets further on decide whether these names exist. */
static void test_names_that_are_not_certain_wait(void **state)
{
    (void)state;
    build(WITHOUT_BEGIN);
    assert_false(expect_root());
    psx_build_free(&built);
    build(LATE_FRAME);
    assert_false(expect_root());
    psx_build_free(&built);
    build(LATE_BEGIN);
    assert_false(expect_root());
}

static int find(const struct psx_opened *opened, const char *path)
{
    uint64_t inode;

    return tree_find(opened->tree, path, false, &inode);
}

static void test_counts_are_not_told_too_soon(void **state)
{
    static const char *const late[] = {"frames/000000.png", "by-frame/000000", "packets/00000",
                                       "readbacks/00000003.bin", "vram/000023.png"};
    struct psx_opened opened;
    struct tree_attributes attributes;
    uint64_t inode;

    (void)state;
    build(0);
    for (size_t i = 0; i < COUNT_OF(late); i++) {
        open_early(&opened, true);
        assert_int_equal(opened.dump->ops->frames(opened.dump), DUMP_NOT_KNOWN);
        assert_int_equal(find(&opened, "frames"), 0);
        assert_int_equal(find(&opened, "metadata.txt"), 0);
        assert_int_equal(tree_find(opened.tree, "frames.tsv", false, &inode), 0);
        assert_int_equal(tree_attributes(opened.tree, inode, &attributes), -EAGAIN);
        assert_true(is_early(&opened));
        assert_int_equal(find(&opened, late[i]), i == 3 ? -ENOENT : 0);
        assert_false(is_early(&opened));
        assert_int_equal(opened.dump->ops->frames(opened.dump), FRAMES);
        psx_opened_close(&opened);
    }
    open_early(&opened, true);
    assert_int_equal(find(&opened, "frames/000024.png"), -ENOENT);
    assert_false(is_early(&opened));
    psx_opened_close(&opened);
}

/* Compares all files to the byte, and the dump's problems. */
static void expect_the_same(uint64_t max_memory)
{
    static const struct walk_params params = {.max_entries = 4, .any_source = true};
    struct walk_result results[2];
    char *problems[2];

    for (unsigned i = 0; i < 2; i++) {
        struct psx_opened opened;

        psx_index_early_from = i == 1 ? 1 : UINT64_MAX;
        psx_opened_init(&opened, built.bytes, built.size);
        if (max_memory != 0)
            opened.options.max_memory = max_memory;
        psx_opened_tree(&opened);
        assert_int_equal(is_early(&opened), i);
        walk_tree(opened.tree, &params, &results[i]);
        problems[i] = psx_opened_read(&opened, "problems.txt");
        psx_opened_close(&opened);
    }
    assert_string_equal(problems[0], problems[1]);
    assert_memory_equal(&results[0], &results[1], sizeof(results[0]));
    free(problems[0]);
    free(problems[1]);
}

static void test_all_is_as_without(void **state)
{
    static const unsigned unusual[] = {0, WITHOUT_BEGIN | DAMAGED, LATE_FRAME, LATE_BEGIN};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(unusual); i++) {
        build(unusual[i]);
        expect_the_same(0);
        psx_build_free(&built);
    }
}

/* With so little memory that not all packets are shown. */
static void test_limits_are_the_same(void **state)
{
    (void)state;
    build(0);
    expect_the_same(8 * 1024);
}

/* After any number of steps, and when nothing was requested. */
static void test_it_may_be_closed_at_any_time(void **state)
{
    (void)state;
    build(DAMAGED);
    for (unsigned steps = 0; steps < 6; steps++) {
        struct psx_opened opened;
        struct index_task_position position = {0};

        open_early(&opened, true);
        for (unsigned n = 0; n < steps; n++) {
            struct index_task *pass = &psx_opened_index(&opened)->pass;

            assert_int_equal(pass->work.advance(pass->work.context, NULL, &position), 0);
        }
        psx_opened_close(&opened);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_names_in_the_root_do_not_wait, tear_down),
        cmocka_unit_test_teardown(test_names_that_are_not_certain_wait, tear_down),
        cmocka_unit_test_teardown(test_counts_are_not_told_too_soon, tear_down),
        cmocka_unit_test_teardown(test_all_is_as_without, tear_down),
        cmocka_unit_test_teardown(test_limits_are_the_same, tear_down),
        cmocka_unit_test_teardown(test_it_may_be_closed_at_any_time, tear_down),
    };

    return cmocka_run_group_tests_name("psx early", tests, NULL, NULL);
}
