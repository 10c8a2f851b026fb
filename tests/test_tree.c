#include "config.h"

#include "fake.h"
#include "walk.h"

#include "core/bytes.h"
#include "tree/inode.h"
#include "tree/names.h"

#include "support.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const broken[] = {"broken.txt", "lying.bin", NULL};
static const struct walk_params with_broken = {.broken = broken};

static uint64_t find(struct tree *tree, const char *path)
{
    uint64_t inode = 0;
    int status = tree_find(tree, path, true, &inode);

    if (status < 0)
        fail_msg("%s: %s", path, strerror(-status));
    return inode;
}

static struct tree_file *open_path(struct tree *tree, const char *path)
{
    struct tree_file *file = NULL;

    assert_int_equal(tree_open(tree, find(tree, path), &file), 0);
    return file;
}

/* Expects some bytes at an offset, and gives them back. */
static void expect_read(struct tree_file *file, uint64_t offset, size_t size, size_t expected)
{
    struct tree_window window;

    assert_int_equal(tree_read(file, offset, size, NULL, &window), 0);
    assert_int_equal(window.length, expected);
    blob_unref(&window.blob);
}

static void expect_failure(struct tree *tree, const char *path, int expected)
{
    struct tree_file *file = open_path(tree, path);
    struct tree_window window;

    assert_int_equal(tree_read(file, 0, 10, NULL, &window), expected);
    assert_null(window.blob);
    tree_close(&file);
}

/* The path's size, or a negative errno. */
static int64_t size_of(struct tree *tree, const char *path)
{
    struct tree_attributes attributes;
    int status = tree_stat(tree, find(tree, path), NULL, &attributes);

    return status < 0 ? status : (int64_t)attributes.size;
}

static struct cache_statistics statistics(struct tree *tree)
{
    struct cache_statistics now;

    cache_statistics(tree_cache(tree), &now);
    return now;
}

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
        {{{.id = 70, .parent = RULE_ROOT, .name = "a", .kind = RULE_FILE, .alias = 72},
          {.id = 71, .parent = RULE_ROOT, .name = "b", .kind = RULE_DIRECTORY}}},
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
    walk_tree(tree, &with_broken, &first);
    assert_int_equal(first.broken, 10);
    assert_true(first.files > 300);
    tree_destroy(&tree);

    /* with threads, and another cache: the same inodes and bytes */
    fake->options.cache = 64 << 20;
    tree = fake_tree(fake, 2);
    assert_int_equal(fake->started, 1);
    walk_tree(tree, &with_broken, &again);
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
    walk_tree(tree, &with_broken, &result);
    assert_int_equal(tree_find(tree, "/latest.png", false, &inode), -ENOENT);
    assert_int_equal(size_of(tree, "/frames.tsv"), strlen("packet\tname\n"));
    tree_destroy(&tree);
    fake_free(fake);
}

static bool count_entry(void *context, const char *name, uint64_t inode, enum rule_kind kind,
                        uint64_t next)
{
    (void)name, (void)inode, (void)kind, (void)next;
    ++*(uint64_t *)context;
    return true;
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

        assert_int_equal(tree_list(tree, find(tree, directories[i]), &cursor, count_entry, &count),
                         0);
    }
    assert_true(count > 3800);
    for (uint64_t frame = 0; frame < 4; frame++)
        assert_int_equal(tree_attributes(tree, inode_pack(RULE_FRAME_PNG, frame), &attributes), 0);
    assert_int_equal(tree_attributes(tree, find(tree, "/frames.tsv"), &attributes), -EAGAIN);
    assert_int_equal(tree_attributes(tree, find(tree, "/problems.txt"), &attributes), -EAGAIN);
    assert_true(attributes.live);
    assert_int_equal(fake->pictures + fake->pieces + fake->settlings, 0);
    assert_int_equal(statistics(tree).misses, 0);

    assert_int_equal(tree_stat(tree, find(tree, "/frames.tsv"), NULL, &attributes), 0);
    assert_int_equal(tree_attributes(tree, find(tree, "/frames.tsv"), &attributes), 0);
    tree_destroy(&tree);
    fake_free(fake);
}

/* Names. */

static void wrong_names_are_not_found(void **state)
{
    struct fake *fake = fake_create(43);
    struct tree *tree = fake_tree(fake, 0);
    static const char *const paths[] = {
        "/frames/0.png",
        "/frames/00000.png",
        "/frames/0000000.png",
        "/frames/000000.PNG",
        "/frames/000000",
        "/frames/+00000.png",
        "/frames/-00000.png",
        "/frames/ 00000.png",
        "/frames/000004.png",
        "/frames/000011.png",
        "/frames/999999.png",
        "/frames/00000a.png",
        "/frames/000000.png.",
        "/frames/x00000.png",
        "/frames/0x0000.png",
        "/frames/18446744073709551616.png",
        "/frames/18446744073709551615.png",
        "/packets/00000/00000000-gp1.bin",
        "/packets/00000/00000000-gp0.txt2",
        "/packets/00000/00000043-gp0.bin",
        "/packets/00001",
        "/packets/0",
        "/by-frame/000001/packets/00000000-gp0.bin",
        "/by-frame/000011",
        "/by-frame/000004/image.png",
        "/letters/A-letter",
        "/letters/{-letter",
        "/letters/",
        "/things/3-e_f",
        "/things/03-e_f/next",
        "/wide/16",
        "/README",
        "/readme.txt",
        "/README.txt2",
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(paths); i++) {
        uint64_t inode = 0;
        int status = tree_find(tree, paths[i], false, &inode);

        if (strcmp(paths[i], "/letters/") == 0)
            assert_int_equal(status, 0);
        else if (status != -ENOENT)
            fail_msg("%s: %s", paths[i], strerror(-status));
    }
    tree_destroy(&tree);
    fake_free(fake);
}

static void paths_follow_links_and_dots(void **state)
{
    struct fake *fake = fake_create(43);
    struct tree *tree = fake_tree(fake, 0);
    char long_name[RULE_NAME_MAX + 2];
    uint64_t inode = 0;

    (void)state;
    assert_int_equal(find(tree, ""), TREE_ROOT);
    assert_int_equal(find(tree, "///"), TREE_ROOT);
    assert_int_equal(find(tree, "/.."), TREE_ROOT);
    assert_int_equal(find(tree, "by-frame/000001/image.png"), find(tree, "/frames/000001.png"));
    assert_int_equal(find(tree, "latest.png"), find(tree, "/frames/000010.png"));
    assert_int_equal(find(tree, "/things/00-a/next/next/./notes.txt"),
                     find(tree, "/things/02-c.d/notes.txt"));
    assert_int_equal(find(tree, "/things/00-a/inner/../../01-b"), find(tree, "/things/01-b"));
    assert_int_equal(tree_find(tree, "/latest.png", false, &inode), 0);
    assert_int_equal(inode, inode_pack(RULE_LATEST, 0));
    assert_int_equal(tree_find(tree, "/README.txt/x", true, &inode), -ENOTDIR);
    assert_int_equal(tree_find(tree, "/latest.png/x", true, &inode), -ENOTDIR);
    memset(long_name, 'x', sizeof(long_name) - 1);
    long_name[sizeof(long_name) - 1] = '\0';
    assert_int_equal(tree_find(tree, long_name, true, &inode), -ENAMETOOLONG);
    assert_int_equal(tree_find(tree,
                               "/things/00-a/next/next/next/../00-a/next/next/next/../00-a/next/"
                               "next/next/../00-a/next/next/next/../00-a/next/next/next/../00-a/"
                               "next/next/next",
                               true, &inode),
                     -ELOOP);
    tree_destroy(&tree);
    fake_free(fake);
}

static void a_packet_of_a_frame_is_the_same_file(void **state)
{
    struct fake *fake = fake_create(43);
    struct tree *tree = fake_tree(fake, 0);
    struct tree_file *file = NULL;
    struct tree_window window;

    (void)state;
    assert_int_equal(find(tree, "/by-frame/000010/packets/00000042-gp0.bin"),
                     find(tree, "/packets/00000/00000042-gp0.bin"));
    assert_int_equal(find(tree, "/by-frame/000010/packets/00000042-gp0.txt"),
                     find(tree, "/packets/00000/00000042-gp0.txt"));

    /* its bytes are the dump's own, not a copy */
    file = open_path(tree, "/packets/00000/00000042-gp0.bin");
    assert_int_equal(tree_read(file, 2, 100, NULL, &window), 0);
    assert_int_equal(window.length, FAKE_PACKET_BYTES - 2);
    assert_ptr_equal(window.data, fake->source.data + 42 * FAKE_PACKET_BYTES + 2);
    blob_unref(&window.blob);
    tree_close(&file);
    assert_int_equal(statistics(tree).misses, 0);
    tree_destroy(&tree);
    fake_free(fake);
}

static void numbers_grow_with_the_dump(void **state)
{
    struct fake *fake = fake_create(43);
    struct tree *tree = fake_tree(fake, 0);
    uint64_t inode = 0;

    (void)state;
    assert_int_equal(names_digits(0), 1);
    assert_int_equal(names_digits(10), 1);
    assert_int_equal(names_digits(11), 2);
    assert_int_equal(names_digits(UINT64_MAX), 20);
    fake->frames = 1000001;
    fake->packets = 100000001;
    assert_int_equal(tree_frame_digits(&fake->dump), 7);
    assert_int_equal(tree_packet_digits(&fake->dump), 9);
    find(tree, "/by-frame/0000001");
    find(tree, "/by-frame/1000000");
    find(tree, "/packets/000000/000000000-gp0.bin");
    find(tree, "/packets/100000/100000000-gp0.bin");
    assert_int_equal(tree_find(tree, "/by-frame/000001", true, &inode), -ENOENT);
    fake->options.digits = 9;
    find(tree, "/by-frame/000000001");
    fake->frames = 10;
    find(tree, "/by-frame/000000001");
    fake->options.digits = 2;
    find(tree, "/by-frame/000001");
    tree_destroy(&tree);
    fake_free(fake);
}

static void members_that_do_not_fit_are_not_shown(void **state)
{
    struct fake *fake = fake_create(43);
    struct tree *tree = fake_tree(fake, 0);
    uint64_t cursor = 0, count = 0;

    (void)state;
    assert_int_equal(tree_list(tree, find(tree, "/wide"), &cursor, count_entry, &count), 0);
    assert_int_equal(count, 2 + 16);
    tree_destroy(&tree);
    fake_free(fake);
}

static void any_cursor_is_survived(void **state)
{
    struct fake *fake = fake_create(43);
    struct tree *tree = fake_tree(fake, 0);
    const char *const directories[] = {"/", "/frames", "/wide", "/things/00-a"};
    uint64_t random = 1;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(directories); i++) {
        uint64_t directory = find(tree, directories[i]);

        for (int n = 0; n < 300; n++) {
            uint64_t cursor = support_random(&random) >> (n % 64), begun = cursor, count = 0;

            assert_int_equal(tree_list(tree, directory, &cursor, count_entry, &count), 0);
            assert_true(cursor >= begun || count > 0);
            count = 0;
            assert_int_equal(tree_list(tree, directory, &cursor, count_entry, &count), 0);
            assert_int_equal(count, 0);
        }
    }
    tree_destroy(&tree);
    fake_free(fake);
}

static void a_listing_that_a_format_does_not_have_is_absent(void **state)
{
    struct fake *fake = fake_create(43);
    struct dump_ops ops = *fake->dump.ops;
    struct tree *tree = NULL;
    struct walk_result result;
    uint64_t inode = 0;

    (void)state;
    ops.frame_commands = (struct dump_listing){0};
    ops.game = NULL;
    ops.introduction = NULL;
    ops.start = NULL;
    fake->dump.ops = &ops;
    tree = fake_tree(fake, 1);
    assert_int_equal(tree_find(tree, "/by-frame/000000/commands.txt", true, &inode), -ENOENT);
    assert_int_equal(tree_find(tree, "/by-frame/000000/state.txt", true, &inode), 0);
    walk_tree(tree, &with_broken, &result);
    tree_destroy(&tree);
    fake_free(fake);
}

static void what_a_format_does_not_have_is_absent(void **state)
{
    static const char *const absent[] = {"/frames",
                                         "/frames/000000.png",
                                         "/latest.png",
                                         "/by-frame/000000/image.png",
                                         "/by-frame/000000/info.txt",
                                         "/by-frame/000000/state.txt",
                                         "/packets/00000/00000000-gp0.txt",
                                         "/by-frame/000000/packets/00000000-gp0.txt"};
    struct fake *fake = fake_create(43);
    struct dump_ops ops = *fake->dump.ops;
    struct tree *tree = NULL;
    struct walk_result result;
    uint64_t inode = 0;
    size_t size = 0;
    char *readme = NULL;

    (void)state;
    ops.frame_picture = NULL;
    ops.frame_info = ops.frame_state = NULL;
    ops.packet_text = (struct dump_listing){0};
    fake->dump.ops = &ops;
    tree = fake_tree(fake, 0);
    for (size_t i = 0; i < COUNT_OF(absent); i++)
        assert_int_equal(tree_find(tree, absent[i], false, &inode), -ENOENT);
    walk_tree(tree, &with_broken, &result);
    readme = walk_read(tree, "/README.txt", &size);
    assert_null(memmem(readme, size, "latest.png", 10));
    assert_null(memmem(readme, size, "ffmpeg", 6));
    assert_null(memmem(readme, size, "state.txt", 9));
    assert_non_null(memmem(readme, size, "NNNNNNNN-NAME.bin", 17));
    free(readme);
    tree_destroy(&tree);
    fake_free(fake);
}

/* Only frame 2 and, if there are as many, frame 9 have a picture. */
static int next_of_two(struct dump *dump, uint64_t from, uint64_t *frame)
{
    *frame = from <= 2 ? 2 : 9;
    return from <= 9 && *frame < dump->ops->frames(dump) ? 0 : -ENOENT;
}

static int frame_of_two(struct dump *dump, uint64_t number, struct dump_frame *out)
{
    (void)dump;
    *out = (struct dump_frame){.first_packet = 4 * number, .last_packet = 4 * number + 3};
    if (number == 2 || number == 9)
        out->width = out->height = 1;
    return number < dump->ops->frames(dump) ? 0 : -ENOENT;
}

static void the_latest_picture_is_the_last_one(void **state)
{
    static const struct {
        uint64_t packets;
        const char *target; /* NULL: there is none */
    } cases[] = {
        {0, NULL},
        {4, NULL},
        {12, "frames/000002.png"},
        {36, "frames/000002.png"},
        {40, "frames/000009.png"},
        {400, "frames/000009.png"},
    };

    (void)state;
    for (size_t i = 0; i < 2 * COUNT_OF(cases); i++) {
        const char *target = cases[i / 2].target;
        struct fake *fake = fake_create(cases[i / 2].packets);
        struct dump_ops ops = *fake->dump.ops;
        struct text text = TEXT_INIT;
        struct tree *tree = NULL;
        uint64_t inode = 0;

        ops.frame = frame_of_two;
        ops.next_picture = i % 2 == 0 ? next_of_two : NULL;
        fake->dump.ops = &ops;
        tree = fake_tree(fake, 0);
        assert_int_equal(tree_find(tree, "/latest.png", false, &inode), target ? 0 : -ENOENT);
        if (target != NULL) {
            assert_int_equal(tree_link(tree, inode, &text), 0);
            assert_int_equal(text.length, strlen(target));
            assert_memory_equal(text.bytes, target, text.length);
        }
        text_clear(&text);
        tree_destroy(&tree);
        fake_free(fake);
    }
}

static void problems_are_told_when_settling_fails(void **state)
{
    struct fake *fake = fake_create(43);
    struct tree *tree = fake_tree(fake, 1);
    size_t size = 0;
    char *problems = NULL;

    (void)state;
    problems_add(fake->problems, PROBLEM_WARNING, 8, 1, "known before");
    fake->settlement = -ENOMEM;
    for (int i = 0; i < 2; i++) {
        problems = walk_read(tree, "/problems.txt", &size);
        assert_non_null(strstr(problems, "0x00000008 packet 1 warning: known before\n"));
        assert_non_null(strstr(problems, "- packet - error: the dump could not be looked at to its "
                                         "end: Cannot allocate memory\n"));
        assert_int_equal(size_of(tree, "/problems.txt"), size);
        free(problems);
    }
    fake->settlement = -EINTR;
    problems_add(fake->problems, PROBLEM_WARNING, 16, 2, "one more");
    expect_failure(tree, "/problems.txt", -EINTR);
    tree_destroy(&tree);
    fake_free(fake);
}

/* A packet whose payload is not in the dump as it is: made, cached, of the length announced. */
static atomic_uint unpacked;

static int unpack_packet(struct dump *dump, uint64_t packet, const struct cancel *cancel,
                         struct blob **out)
{
    int status = blob_create(FAKE_PACKET_BYTES, out);

    (void)dump, (void)cancel;
    unpacked++;
    if (status == 0)
        memset((*out)->data, (int)packet, FAKE_PACKET_BYTES);
    return status;
}

static void packets_may_have_to_be_unpacked(void **state)
{
    struct fake *fake = fake_create(43);
    struct dump_ops ops = *fake->dump.ops;
    struct tree *tree = NULL;
    struct walk_result result;
    struct tree_file *file = NULL;

    (void)state;
    unpacked = 0;
    ops.packet_bytes = unpack_packet;
    fake->dump.ops = &ops;
    tree = fake_tree(fake, 1);
    assert_int_equal(size_of(tree, "/packets/00000/00000007-vsync.bin"), FAKE_PACKET_BYTES);
    file = open_path(tree, "/packets/00000/00000007-vsync.bin");
    assert_int_equal(unpacked, 0);
    tree_close(&file);
    for (int i = 0; i < 3; i++) {
        size_t size = 0;
        char *bytes = walk_read(tree, "/packets/00000/00000007-vsync.bin", &size);

        assert_int_equal(size, FAKE_PACKET_BYTES);
        assert_int_equal(bytes[5], 7);
        free(bytes);
    }
    assert_int_equal(unpacked, 1);
    walk_tree(tree, &with_broken, &result);
    tree_destroy(&tree);
    fake_free(fake);
}

/* Contents. */

static void expect_begins(struct tree *tree, const char *path, const char *beginning)
{
    size_t size = 0;
    char *bytes = walk_read(tree, path, &size);

    if (strncmp(bytes, beginning, strlen(beginning)) != 0)
        fail_msg("%s: %.40s", path, bytes);
    free(bytes);
}

static void the_common_files_say_what_they_should(void **state)
{
    struct fake *fake = fake_create(43);
    struct tree *tree = fake_tree(fake, 0);

    (void)state;
    expect_begins(tree, "/metadata.txt", "format: fake\npackets: 43\n");
    expect_begins(tree, "/metadata.json", "{");
    expect_begins(tree, "/packets.tsv", "packet\tname\n0\tsome row\n1\tsome row\n2\tsome");
    expect_begins(tree, "/by-frame/000010/packets.tsv", "packet\tname\n40\tsome row\n");
    expect_begins(tree, "/by-frame/000010/commands.txt", "40\tsome row\n41\tsome row\n42");
    expect_begins(tree, "/by-frame/000010/info.txt", "frame: 000010\nhalf: 5\n");
    expect_begins(tree, "/packets/00000/00000007-vsync.txt", "7\tsome row\n");
    expect_begins(tree, "/.gpudumpfs/version", "gpudumpfs ");
    expect_begins(tree, "/.gpudumpfs/options.txt", "cache: ");
    assert_int_equal(size_of(tree, "/problems.txt"), 0);
    tree_destroy(&tree);
    fake_free(fake);
}

static void the_readme_tells_every_rule_and_this_dumps_numbers(void **state)
{
    struct fake *fake = fake_create(43);
    struct tree *tree = fake_tree(fake, 0);
    size_t size = 0;
    char *text = walk_read(tree, "/README.txt", &size);
    static const char *const contents[] = {
        "made up.fake",
        ("A dump made up for tests. It shows nothing that ever was on a screen, and has\n"
         "a sentence long enough to be broken, which 'must not: happen' in quotes.\n\nIt has"),
        "43 packets, 00000000 to 00000042",
        "11 frames, 000000 to 000010",
        "\nREADME.txt ",
        "\npackets/BBBBB/NNNNNNNN-NAME.bin ",
        "\nby-frame/NNNNNN/commands.txt ",
        "\nlatest.png ",
        "\n.gpudumpfs/cache.txt ",
        "\nthings/ ",
        "\nthings/NN-NAME/inner/NN.bin ",
        "frames/%06d.png",
        "by-frame/000005/commands.txt",
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(contents); i++)
        if (strstr(text, contents[i]) == NULL)
            fail_msg("no '%s' in:\n%s", contents[i], text);
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n"))
        assert_true(strlen(line) <= 80);
    free(text);
    tree_destroy(&tree);
    fake_free(fake);
}

static void a_picture_has_the_size_and_texts_that_were_told(void **state)
{
    struct fake *fake = fake_create(43);
    struct tree *tree = fake_tree(fake, 0);
    struct dump_picture picture;
    uint64_t size = 0;

    (void)state;
    assert_int_equal(dump_picture_header(&fake->dump, 4, &picture), -ENOENT);
    assert_int_equal(dump_picture_header(&fake->dump, 11, &picture), -ENOENT);
    assert_int_equal(dump_picture_header(&fake->dump, 0, &picture), 0);
    assert_int_equal(picture.header.text_count, 2); /* no time: no text for it */
    assert_int_equal(dump_picture_header(&fake->dump, 10, &picture), 0);
    assert_int_equal(picture.header.text_count, 3);
    assert_int_equal(picture.header.colour, PICTURE_RGB);
    assert_int_equal(picture.header.significant_bits, 5);
    assert_string_equal(picture.texts[0].text, "10");
    assert_string_equal(picture.texts[1].text, "0.166667");
    assert_string_equal(picture.texts[2].text, "FAKE-?1");
    assert_int_equal(dump_picture_size(&fake->dump, &picture, &size), 0);
    assert_int_equal(size_of(tree, "/frames/000010.png"), size);
    assert_int_equal(fake->pictures, 0);

    assert_int_equal(dump_picture_init(&fake->dump, 10, 1 << 20, 1, PICTURE_RGB, 8, &picture), 0);
    assert_int_equal(dump_picture_size(&fake->dump, &picture, &size), -EFBIG);
    assert_int_equal(dump_picture_init(&fake->dump, 99, 1, 1, PICTURE_RGB, 8, &picture), -ENOENT);
    tree_destroy(&tree);
    fake_free(fake);
}

static void a_small_picture_tells_its_size_by_being_made(void **state)
{
    struct fake *fake = fake_create(43);
    struct tree *tree = NULL;
    struct tree_attributes attributes;
    size_t size = 0;
    char *bytes = NULL;

    (void)state;
    fake->options.png = PICTURE_SMALL;
    tree = fake_tree(fake, 0);
    assert_int_equal(tree_attributes(tree, find(tree, "/frames/000010.png"), &attributes), -EAGAIN);
    bytes = walk_read(tree, "/frames/000010.png", &size);
    assert_int_equal(size_of(tree, "/frames/000010.png"), size);
    assert_int_equal(fake->pictures, 1);
    free(bytes);
    tree_destroy(&tree);
    fake_free(fake);
}

static void a_listing_of_one_piece_is_formatted_once(void **state)
{
    struct fake *fake = fake_create(43);
    struct tree *tree = fake_tree(fake, 0);
    size_t size = 0;

    (void)state;
    free(walk_read(tree, "/by-frame/000001/commands.txt", &size));
    assert_int_equal(fake->pieces, 1);
    assert_int_equal(statistics(tree).made[CACHE_TEXT], 1);
    tree_destroy(&tree);
    fake_free(fake);
}

static void the_end_of_a_listing_is_read_without_its_beginning(void **state)
{
    struct fake *fake = fake_create(43);
    struct tree *tree = fake_tree(fake, 0);
    struct tree_file *file = NULL;
    unsigned formatted = 0;

    (void)state;
    fake->options.cache = 1 << 20;
    assert_int_equal(size_of(tree, "/things/00-a/long.txt"), 40 * 65536);
    assert_int_equal(fake->pieces, 40);
    file = open_path(tree, "/things/00-a/long.txt");
    formatted = fake->pieces;
    expect_read(file, 40 * 65536 - 100, 4096, 100);
    assert_int_equal(fake->pieces, formatted + 1);
    expect_read(file, 39 * 65536, 4096, 4096);   /* held */
    expect_read(file, 38 * 65536, 99999, 65536); /* a window ends where its piece does */
    assert_int_equal(fake->pieces, formatted + 2);
    expect_read(file, 40 * 65536, 1, 0);
    expect_read(file, UINT64_MAX, 1, 0);
    assert_true(statistics(tree).pinned < 3 * 65536);
    tree_close(&file);
    assert_int_equal(statistics(tree).pinned, 0);
    tree_destroy(&tree);
    fake_free(fake);
}

static void failures_are_told_and_leave_the_rest_alone(void **state)
{
    struct fake *fake = fake_create(43);
    struct tree *tree = fake_tree(fake, 0);
    struct tree_file *file = NULL;

    (void)state;
    expect_failure(tree, "/things/00-a/broken.txt", -EIO);
    assert_int_equal(size_of(tree, "/things/00-a/broken.txt"), -EIO);
    fake->failure = -ENOMEM;
    expect_failure(tree, "/things/00-a/broken.txt", -ENOMEM);
    fake->failure = -EINTR;
    expect_failure(tree, "/things/00-a/broken.txt", -EINTR);
    fake->failure = -ENOENT;
    expect_failure(tree, "/things/00-a/broken.txt", -ENOENT);
    assert_int_equal(problems_count(fake->problems), 0);

    /* a length that was not kept: no bytes, and the reason, once */
    expect_failure(tree, "/things/00-a/lying.bin", -EIO);
    expect_failure(tree, "/things/00-a/lying.bin", -EIO);
    assert_int_equal(problems_count(fake->problems), 1);
    expect_begins(tree, "/problems.txt",
                  "- packet - error: lying.bin of key 0: 4 bytes were made, 5 announced\n");

    assert_int_equal(tree_open(tree, find(tree, "/things"), &file), -EISDIR);
    assert_int_equal(tree_open(tree, inode_pack(RULE_LATEST, 0), &file), -ELOOP);
    assert_null(file);
    tree_destroy(&tree);
    fake_free(fake);
}

static void note_change(void *context, uint64_t inode)
{
    assert_int_equal(inode, inode_pack(RULE_PROBLEMS, 0));
    ++*(unsigned *)context;
}

static void problems_are_live_and_their_size_true(void **state)
{
    struct fake *fake = fake_create(43);
    struct tree *tree = fake_tree(fake, 0);
    struct tree_file *file = open_path(tree, "/problems.txt");
    struct tree_attributes attributes;
    unsigned changes = 0;

    (void)state;
    tree_on_change(tree, note_change, &changes);
    expect_read(file, 0, 100, 0);
    for (uint64_t n = 1; n < 5; n++) {
        problems_add(fake->problems, PROBLEM_NOTE, n * 8, n, "defect %llu", (unsigned long long)n);
        assert_int_equal(changes, n);
        assert_int_equal(tree_attributes(tree, find(tree, "/problems.txt"), &attributes), -EAGAIN);
        assert_int_equal(tree_stat(tree, find(tree, "/problems.txt"), NULL, &attributes), 0);
        assert_true(attributes.live && attributes.size > 0);
        expect_read(file, 0, 4096, attributes.size); /* an open file sees them too */
    }
    tree_close(&file);
    tree_destroy(&tree);
    problems_add(fake->problems, PROBLEM_NOTE, 0, 0, "after the tree");
    assert_int_equal(changes, 4);
    fake_free(fake);
}

/* The number of a `key: value` line, -1 without one. */
static int value_of(const void *text, size_t length, const char *key)
{
    char *copy = strndup(text, length), *line = NULL;
    int value = -1;

    assert_non_null(copy);
    line = strstr(copy, key);
    if (line != NULL)
        sscanf(line + strlen(key), ": %d", &value);
    free(copy);
    return value;
}

static void about_files_are_fixed_at_open_and_of_one_size(void **state)
{
    struct fake *fake = fake_create(43);
    struct tree *tree = fake_tree(fake, 0);
    int64_t size = size_of(tree, "/.gpudumpfs/cache.txt");
    struct tree_file *file = open_path(tree, "/.gpudumpfs/cache.txt");
    struct tree_window window;
    char *text = NULL;
    size_t length = 0;

    (void)state;
    free(walk_read(tree, "/frames/000000.png", &length));
    assert_int_equal(tree_read(file, 0, 4096, NULL, &window), 0);
    assert_int_equal(window.length, size);
    assert_int_equal(value_of(window.data, window.length, "renders"), 0);
    assert_int_equal(value_of(window.data, window.length, "budget"), 1 << 20);
    blob_unref(&window.blob);
    tree_close(&file);
    text = walk_read(tree, "/.gpudumpfs/cache.txt", &length);
    assert_int_equal(length, size);
    assert_int_equal(value_of(text, length, "renders"), 1);
    assert_int_equal(value_of(text, length, "failed"), 0);
    free(text);
    tree_destroy(&tree);
    fake_free(fake);
}

/* Pins. */

static void a_file_larger_than_the_cache_is_made_once_for_its_handle(void **state)
{
    struct fake *fake = fake_create(43);
    struct tree *tree = fake_tree(fake, 0);
    struct tree_file *file = open_path(tree, "/things/00-a/big.bin");
    struct tree_file *other = open_path(tree, "/things/00-a/big.bin");

    (void)state;
    assert_true(fake->big_bytes > fake->options.cache);
    for (uint64_t offset = 0; offset < fake->big_bytes; offset += 65536)
        expect_read(file, offset, 65536, 65536);
    assert_int_equal(fake->bigs, 1);
    assert_true(statistics(tree).pinned >= fake->big_bytes);
    expect_read(file, fake->big_bytes, 10, 0);
    expect_read(other, fake->big_bytes, 10, 0); /* what is behind the end needs no bytes */
    assert_int_equal(fake->bigs, 1);
    expect_read(other, 0, 10, 10);
    assert_int_equal(fake->bigs, 2);
    tree_close(&file);
    tree_close(&file);
    tree_close(&other);
    assert_int_equal(statistics(tree).pinned, 0);
    tree_destroy(&tree);
    fake_free(fake);
}

static void pins_beyond_the_overdraft_are_refused(void **state)
{
    struct fake *fake = fake_create(43);
    struct tree *tree = fake_tree(fake, 0);
    struct tree_file *first = NULL, *second = NULL;
    struct tree_window window;

    (void)state;
    fake->big_bytes = TREE_OVERDRAFT / 2 + (1 << 20);
    first = open_path(tree, "/things/00-a/big.bin");
    second = open_path(tree, "/things/01-b/big.bin");
    expect_read(first, 0, 10, 10);
    assert_int_equal(tree_read(second, 0, 10, NULL, &window), -ENOMEM);
    assert_null(window.blob);
    tree_close(&first);
    expect_read(second, 0, 10, 10);
    tree_close(&second);
    tree_destroy(&tree);
    fake_free(fake);
}

static void files_left_open_end_with_the_tree(void **state)
{
    struct fake *fake = fake_create(43);
    struct tree *tree = fake_tree(fake, 0);

    (void)state;
    expect_read(open_path(tree, "/things/00-a/big.bin"), 0, 10, 10);
    expect_read(open_path(tree, "/things/00-a/long.txt"), 0, 10, 10);
    open_path(tree, "/packets.tsv");
    tree_destroy(&tree);
    fake_free(fake);
}

/* Memory that fails. */

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unsound_rules_are_refused),
        cmocka_unit_test(keys_pack_and_unpack_within_56_bits),
        cmocka_unit_test(numbers_that_no_file_has_are_refused),
        cmocka_unit_test(a_dump_without_packets_has_a_tree),
        cmocka_unit_test(every_name_size_and_byte_agrees),
        cmocka_unit_test(looking_makes_nothing),
        cmocka_unit_test(wrong_names_are_not_found),
        cmocka_unit_test(paths_follow_links_and_dots),
        cmocka_unit_test(a_packet_of_a_frame_is_the_same_file),
        cmocka_unit_test(numbers_grow_with_the_dump),
        cmocka_unit_test(members_that_do_not_fit_are_not_shown),
        cmocka_unit_test(any_cursor_is_survived),
        cmocka_unit_test(a_listing_that_a_format_does_not_have_is_absent),
        cmocka_unit_test(what_a_format_does_not_have_is_absent),
        cmocka_unit_test(the_latest_picture_is_the_last_one),
        cmocka_unit_test(problems_are_told_when_settling_fails),
        cmocka_unit_test(packets_may_have_to_be_unpacked),
        cmocka_unit_test(the_common_files_say_what_they_should),
        cmocka_unit_test(the_readme_tells_every_rule_and_this_dumps_numbers),
        cmocka_unit_test(a_picture_has_the_size_and_texts_that_were_told),
        cmocka_unit_test(a_small_picture_tells_its_size_by_being_made),
        cmocka_unit_test(a_listing_of_one_piece_is_formatted_once),
        cmocka_unit_test(the_end_of_a_listing_is_read_without_its_beginning),
        cmocka_unit_test(failures_are_told_and_leave_the_rest_alone),
        cmocka_unit_test(problems_are_live_and_their_size_true),
        cmocka_unit_test(about_files_are_fixed_at_open_and_of_one_size),
        cmocka_unit_test(a_file_larger_than_the_cache_is_made_once_for_its_handle),
        cmocka_unit_test(pins_beyond_the_overdraft_are_refused),
        cmocka_unit_test(files_left_open_end_with_the_tree),
        cmocka_unit_test(want_of_memory_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
