/* SPDX-License-Identifier: MIT */
/* Complete trees: rules, inode numbers, walks, and failing allocations. */
#include "config.h"

#include "tests/support/fake.h"
#include "tests/support/tree_play.h"
#include "tests/support/walk.h"

#include "tree/inode.h"

#include "tests/support/support.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* The table of rules. */

static int none(struct dump *dump, uint64_t parent_key, uint64_t from, uint64_t *ordinal)
{
    (void)dump, (void)parent_key, (void)from, (void)ordinal;
    return -ENOENT;
}

static int nameless(struct dump *dump, uint64_t parent_key, uint64_t ordinal, char *name)
{
    (void)dump, (void)parent_key, (void)ordinal, (void)name;
    return -ENOENT;
}

static int nothing(struct dump *dump, uint64_t key, const struct cancel *cancel, struct blob **out)
{
    (void)dump, (void)key, (void)cancel;
    return blob_borrow(NULL, 0, out);
}

static int no_piece(struct dump *dump, uint64_t key, uint64_t offset, size_t length,
                    const struct cancel *cancel, struct blob **out)
{
    (void)offset, (void)length;
    return nothing(dump, key, cancel, out);
}

static const struct rule_family empty_family = {8, none, nameless, NULL};
static const struct rule_family half_family = {8, none, NULL, NULL};

static void unsound_rules_are_refused(void **state)
{
    static const struct {
        struct rule rules[2];
    } cases[] = {
        {{{.id = 70, .parent = RULE_ROOT, .name = "a", .kind = RULE_FILE, .make = nothing},
          {.id = 70, .parent = RULE_ROOT, .name = "b", .kind = RULE_FILE, .make = nothing}}},
        {{{.id = RULE_README, .parent = RULE_ROOT, .name = "a", .kind = RULE_FILE, .make = nothing},
          {.id = 70, .parent = RULE_ROOT, .name = "b", .kind = RULE_DIRECTORY}}},
        {{{.id = 70, .parent = 71, .name = "a", .kind = RULE_DIRECTORY},
          {.id = 71, .parent = 70, .name = "b", .kind = RULE_DIRECTORY}}},
        {{{.id = 70, .parent = 200, .name = "a", .kind = RULE_DIRECTORY},
          {.id = 71, .parent = RULE_ROOT, .name = "b", .kind = RULE_DIRECTORY}}},
        {{{.id = 70, .parent = RULE_ROOT, .name = "a", .kind = RULE_FILE, .make = nothing},
          {.id = 71, .parent = 70, .name = "b", .kind = RULE_FILE, .make = nothing}}},
        {{{.id = 70, .parent = RULE_ROOT, .name = "a", .kind = RULE_FILE},
          {.id = 71, .parent = RULE_ROOT, .name = "b", .kind = RULE_DIRECTORY}}},
        {{{.id = 70, .parent = RULE_ROOT, .name = "a", .kind = RULE_FILE, .piece = no_piece},
          {.id = 71, .parent = RULE_ROOT, .name = "b", .kind = RULE_DIRECTORY}}},
        {{{.id = 70, .parent = RULE_ROOT, .name = "a", .kind = RULE_FILE, .alias = 72},
          {.id = 71, .parent = RULE_ROOT, .name = "b", .kind = RULE_DIRECTORY}}},
        {{{.id = 70, .parent = RULE_ROOT, .name = "a", .kind = RULE_FILE, .alias = 71},
          {.id = 71, .parent = RULE_ROOT, .name = "b", .kind = RULE_DIRECTORY}}},
        {{{.id = 70, .parent = RULE_ROOT, .name = "a", .kind = RULE_FILE, .alias = 71},
          {.id = 71,
           .parent = RULE_ROOT,
           .name = "b",
           .kind = RULE_FILE,
           .make = nothing,
           .live = true}}},
        {{{.id = 70, .parent = RULE_ROOT, .name = "a", .kind = RULE_FILE, .alias = 71},
          {.id = 71,
           .parent = RULE_ROOT,
           .name = "b",
           .kind = RULE_FILE,
           .make = nothing,
           .grows = true}}},
        {{{.id = 70,
           .parent = RULE_ROOT,
           .name = "a",
           .kind = RULE_DIRECTORY,
           .family = &half_family},
          {.id = 71, .parent = RULE_ROOT, .name = "b", .kind = RULE_DIRECTORY}}},
        {{{.id = 70, .parent = RULE_ROOT, .kind = RULE_DIRECTORY},
          {.id = 71, .parent = RULE_ROOT, .name = "b", .kind = RULE_DIRECTORY}}},
    };
    static const struct rule sound[] = {
        {.id = 255,
         .parent = RULE_ROOT,
         .name = "a",
         .kind = RULE_DIRECTORY,
         .family = &empty_family},
        {.id = 64, .parent = 255, .name = "b", .kind = RULE_FILE, .make = nothing}};
    struct fake *fake = fake_create(1);
    struct tree *tree = NULL;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tree_params params = {.dump = &fake->dump, .rules = cases[i].rules, .rule_count = 2};

        assert_int_equal(tree_create(&params, &tree), -EINVAL);
        assert_null(tree);
    }
    assert_int_equal(fake->closed, 0);
    assert_int_equal(
        tree_create(&(struct tree_params){.dump = &fake->dump, .rules = sound, .rule_count = 2},
                    &tree),
        0);
    tree_destroy(&tree);
    assert_null(tree);
    assert_int_equal(fake->closed, 1);
    tree_destroy(&tree);
    fake_free(fake);
}

/* Inode numbers. */

static void keys_pack_and_unpack_within_56_bits(void **state)
{
    uint64_t key = 0;

    (void)state;
    assert_int_equal(inode_pack(RULE_ROOT, 0), TREE_ROOT);
    assert_int_equal(inode_rule(TREE_ROOT), RULE_ROOT);
    assert_int_equal(inode_key(TREE_ROOT), 0);
    assert_int_equal(inode_rule(0), RULE_NONE);
    assert_int_equal(inode_rule(UINT64_C(1) << 56), RULE_NONE);
    assert_int_equal(inode_rule(inode_pack(255, INODE_KEY_MASK)), 255);
    assert_int_equal(inode_key(inode_pack(255, INODE_KEY_MASK)), INODE_KEY_MASK);

    assert_true(inode_member(24, 0xFFFFFFF, 0xFFFFFF, &key));
    assert_int_equal(key, 0xFFFFFFFFFFFFF);
    assert_int_equal(inode_parent_key(24, key), 0xFFFFFFF);
    assert_int_equal(inode_ordinal(24, key), 0xFFFFFF);
    assert_false(inode_member(24, 1, 1 << 24, &key));
    assert_false(inode_member(24, UINT64_C(1) << 32, 0, &key));
    assert_true(inode_member(56, 0, INODE_KEY_MASK, &key));
    assert_false(inode_member(56, 1, 0, &key));
    assert_false(inode_member(57, 0, 0, &key));
    assert_true(inode_member(0, 12345, INODE_KEY_MASK, &key));
    assert_int_equal(key, INODE_KEY_MASK);
    assert_false(inode_member(0, 0, INODE_KEY_MASK + 1, &key));
}

static void numbers_that_no_file_has_are_refused(void **state)
{
    struct fake *fake = fake_create(5);
    struct tree *tree = fake_tree(fake, 0);
    const uint64_t inodes[] = {
        0,
        2,
        UINT64_C(1) << 56,
        inode_pack(RULE_README, 1),
        inode_pack(RULE_FRAME, 2),
        inode_pack(RULE_FRAME_INFO, 2),
        inode_pack(RULE_FRAME_PNG, 4),
        inode_pack(RULE_FRAME_PACKET_BIN, 1),
        inode_pack(RULE_PACKET_BIN, 5),
        inode_pack(RULE_PACKET_TXT, INODE_KEY_MASK),
        inode_pack(RULE_PACKET_GROUP, 1),
        inode_pack(60, 0),
        inode_pack(255, 0),
        UINT64_MAX,
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(inodes); i++) {
        struct tree_attributes attributes;
        struct tree_file *file = NULL;
        struct tree_window window = {0};
        uint64_t inode = 0, cursor = 0;
        int status = tree_open(tree, inodes[i], &file);

        assert_int_equal(tree_stat(tree, inodes[i], NULL, &attributes), -ENOENT);
        if (status == 0)
            status = tree_read(file, 0, 1, NULL, &window);
        assert_int_equal(status, -ENOENT);
        tree_close(&file);
        status = tree_lookup(tree, inodes[i], "x", &inode);
        assert_true(status == -ENOENT || status == -ENOTDIR);
        status = tree_list(tree, inodes[i], &cursor, NULL, NULL);
        assert_true(status == -ENOENT || status == -ENOTDIR);
    }
    tree_destroy(&tree);
    fake_free(fake);
}

/* Walks. */

static void every_name_size_and_byte_agrees(void **state)
{
    struct fake *fake = fake_create(43);
    struct tree *tree = fake_tree(fake, 0);
    struct walk_result first, again;

    (void)state;
    assert_int_equal(fake->started, 0);
    walk_tree(tree, &play_with_broken, &first);
    assert_int_equal(first.broken, 10);
    assert_true(first.files > 300);
    tree_destroy(&tree);

    /* with threads and another cache size, inodes and bytes are the same */
    fake->options.cache = 64 << 20;
    tree = fake_tree(fake, 2);
    assert_int_equal(fake->started, 1);
    walk_tree(tree, &play_with_broken, &again);
    assert_int_equal(again.digest, first.digest);
    assert_int_equal(again.files, first.files);
    tree_destroy(&tree);
    fake_free(fake);
}

static void a_dump_without_packets_has_a_tree(void **state)
{
    struct fake *fake = fake_create(0);
    struct tree *tree = fake_tree(fake, 0);
    struct walk_result result;
    uint64_t inode = 0;

    (void)state;
    walk_tree(tree, &play_with_broken, &result);
    assert_int_equal(tree_find(tree, "/latest.png", false, &inode), -ENOENT);
    assert_int_equal(play_size(tree, "/frames.tsv"), strlen("packet\tname\n"));
    tree_destroy(&tree);
    fake_free(fake);
}

static void looking_makes_nothing(void **state)
{
    struct fake *fake = fake_create(4000);
    struct tree *tree = fake_tree(fake, 0);
    const char *const directories[] = {"/",           "/frames",
                                       "/packets",    "/packets/00003",
                                       "/by-frame",   "/by-frame/000999/packets",
                                       "/things/01-b"};
    struct tree_attributes attributes;
    uint64_t count = 0;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(directories); i++) {
        uint64_t cursor = 0;

        assert_int_equal(
            tree_list(tree, play_find(tree, directories[i]), &cursor, play_count_entry, &count), 0);
    }
    assert_true(count > 3800);
    for (uint64_t frame = 0; frame < 4; frame++)
        assert_int_equal(tree_attributes(tree, inode_pack(RULE_FRAME_PNG, frame), &attributes), 0);
    assert_int_equal(tree_attributes(tree, play_find(tree, "/frames.tsv"), &attributes), -EAGAIN);
    assert_int_equal(tree_attributes(tree, play_find(tree, "/problems.txt"), &attributes), -EAGAIN);
    assert_true(attributes.live);
    assert_int_equal(fake->pictures + fake->pieces + fake->settlings, 0);
    assert_int_equal(play_statistics(tree).misses, 0);

    assert_int_equal(tree_stat(tree, play_find(tree, "/frames.tsv"), NULL, &attributes), 0);
    assert_int_equal(tree_attributes(tree, play_find(tree, "/frames.tsv"), &attributes), 0);
    tree_destroy(&tree);
    fake_free(fake);
}

/* Failing allocations. */

static int use_a_tree(struct fake *fake)
{
    struct tree_params params = {
        .dump = &fake->dump, .rules = fake_rules, .rule_count = fake_rule_count};
    static const char *const paths[] = {"/README.txt", "/metadata.json", "/packets.tsv",
                                        "/latest.png", "/packets/00000/00000001-gp0.bin"};
    struct tree *tree = NULL;
    int status = 0;

    cancel_init(&fake->dump.cancel, NULL);
    status = tree_create(&params, &tree);
    for (size_t i = 0; i < COUNT_OF(paths) && status == 0; i++) {
        struct tree_file *file = NULL;
        struct tree_window window = {0};
        uint64_t inode = 0;

        status = tree_find(tree, paths[i], true, &inode);
        if (status == 0)
            status = tree_open(tree, inode, &file);
        if (status == 0)
            status = tree_read(file, 0, 10, NULL, &window);
        if (status == 0 && window.length == 0)
            status = -EBADMSG;
        blob_unref(&window.blob);
        tree_close(&file);
    }
    tree_destroy(&tree);
    return status;
}

static void want_of_memory_is_told(void **state)
{
    struct fake *fake = fake_create(43);

    (void)state;
    for (int n = 0; n == 0 || support_allocation_failed(); n++) {
        int status = 0;

        support_fail_allocation(n);
        status = use_a_tree(fake);
        if (support_allocation_failed() ? status != -ENOMEM && status != 0 : status != 0)
            fail_msg("allocation %d: %s", n, strerror(-status));
    }
    support_fail_allocation(-1);
    fake_free(fake);
}

/* Extended attributes. */

/* Expects "name=value" of each attribute, in order, with spaces between them. */
static void assert_attributes(struct tree *tree, const char *path, const char *expected)
{
    struct tree_xattrs xattrs;
    uint64_t inode = 0;
    char got[256] = "";

    assert_int_equal(tree_find(tree, path, false, &inode), 0);
    assert_int_equal(tree_xattrs(tree, inode, &xattrs), 0);
    for (unsigned i = 0; i < xattrs.count; i++)
        snprintf(got + strlen(got), sizeof(got) - strlen(got), "%s%s=%s", i > 0 ? " " : "",
                 xattrs.list[i].name, xattrs.list[i].value);
    assert_string_equal(got, expected);
}

static void attributes_come_from_keys(void **state)
{
    static const struct {
        const char *path, *attributes;
    } cases[] = {
        {"", "format=fake"},
        {"README.txt", "format=fake"},
        {"latest.png", ""},
        {"frames", "format=fake"},
        {"frames/000000.png", "format=fake frame=0"}, /* frame whose time is not known */
        {"frames/000002.png", "format=fake frame=2 time=0.033333"},
        {"by-frame/000002/info.txt", "format=fake frame=2 time=0.033333"},
        {"packets/00000", "format=fake"},
        {"things/03-e_f/inner", "format=fake thing=3"},
        {"things/03-e_f/inner/00.bin", "format=fake thing=3"},
        {"letters/c-letter", "format=fake"},
        {"late/01/02.bin", "format=fake late=2"},
    };
    struct fake *fake = fake_create(40);
    struct tree *tree = fake_tree(fake, 0);
    struct tree_xattrs xattrs;
    struct dump_ops operations;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_attributes(tree, cases[i].path, cases[i].attributes);
    assert_int_equal(tree_xattrs(tree, inode_pack(RULE_FRAME_PNG, 4), &xattrs), -ENOENT);
    assert_int_equal(xattrs.count, 0);
    assert_int_equal(tree_xattrs(tree, 12345, &xattrs), -ENOENT);
    assert_int_equal(tree_xattrs(tree, inode_pack(RULE_PACKET_BIN, 40), &xattrs), -ENOENT);
    assert_int_equal(tree_xattrs(tree, inode_pack(RULE_PACKET_BIN, 39), &xattrs), 0);
    assert_string_equal(tree_xattrs_find(&xattrs, "packet"), "39");
    assert_non_null(tree_xattrs_find(&xattrs, "frame"));
    assert_null(tree_xattrs_find(&xattrs, "pack"));
    assert_null(tree_xattrs_find(&xattrs, ""));
    operations = *fake->dump.ops;
    operations.recording.frame_time = NULL;
    fake->dump.ops = &operations;
    assert_attributes(tree, "frames/000002.png", "format=fake frame=2");
    tree_destroy(&tree);
    fake_free(fake);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unsound_rules_are_refused),
        cmocka_unit_test(keys_pack_and_unpack_within_56_bits),
        cmocka_unit_test(numbers_that_no_file_has_are_refused),
        cmocka_unit_test(a_dump_without_packets_has_a_tree),
        cmocka_unit_test(every_name_size_and_byte_agrees),
        cmocka_unit_test(looking_makes_nothing),
        cmocka_unit_test(want_of_memory_is_told),
        cmocka_unit_test(attributes_come_from_keys),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
