/* SPDX-License-Identifier: MIT */
/* Names of a tree: which exist, what they refer to, and which a dump does not have. */
#include "config.h"

#include "tests/support/fake.h"
#include "tests/support/tree_play.h"
#include "tests/support/walk.h"

#include "tree/inode.h"
#include "tree/names.h"

#include "tests/support/support.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    assert_int_equal(play_find(tree, ""), TREE_ROOT);
    assert_int_equal(play_find(tree, "///"), TREE_ROOT);
    assert_int_equal(play_find(tree, "/.."), TREE_ROOT);
    assert_int_equal(play_find(tree, "by-frame/000001/image.png"),
                     play_find(tree, "/frames/000001.png"));
    assert_int_equal(play_find(tree, "latest.png"), play_find(tree, "/frames/000010.png"));
    assert_int_equal(play_find(tree, "/things/00-a/next/next/./notes.txt"),
                     play_find(tree, "/things/02-c.d/notes.txt"));
    assert_int_equal(play_find(tree, "/things/00-a/inner/../../01-b"),
                     play_find(tree, "/things/01-b"));
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
    assert_int_equal(play_find(tree, "/by-frame/000010/packets/00000042-gp0.bin"),
                     play_find(tree, "/packets/00000/00000042-gp0.bin"));
    assert_int_equal(play_find(tree, "/by-frame/000010/packets/00000042-gp0.txt"),
                     play_find(tree, "/packets/00000/00000042-gp0.txt"));

    /* the bytes are the dump's own; a reader gets a copy that no other program can write to */
    file = play_open(tree, "/packets/00000/00000042-gp0.bin");
    assert_int_equal(tree_read(file, 2, 100, NULL, &window), 0);
    assert_int_equal(window.length, FAKE_PACKET_BYTES - 2);
    assert_memory_equal(window.data, fake->source.data + 42 * FAKE_PACKET_BYTES + 2, window.length);
    assert_ptr_not_equal(window.data, fake->source.data + 42 * FAKE_PACKET_BYTES + 2);
    blob_unref(&window.blob);
    tree_close(&file);
    assert_int_equal(play_statistics(tree).misses, 0);
    tree_destroy(&tree);
    fake_free(fake);
}

static void numbers_grow_with_the_dump(void **state)
{
    struct fake *fake = fake_create(43);
    struct tree *tree = fake_tree(fake, 0);
    uint64_t inode = 0;

    (void)state;
    assert_int_equal(names_digits(0, 1), 1);
    assert_int_equal(names_digits(10, 1), 1);
    assert_int_equal(names_digits(11, 1), 2);
    assert_int_equal(names_digits(UINT64_MAX, 1), 20);
    assert_int_equal(names_digits(11, 6), 6);
    fake->frames = 1000001;
    fake->packets = 100000001;
    assert_int_equal(tree_frame_digits(&fake->dump), 7);
    assert_int_equal(tree_packet_digits(&fake->dump), 9);
    play_find(tree, "/by-frame/0000001");
    play_find(tree, "/by-frame/1000000");
    play_find(tree, "/packets/000000/000000000-gp0.bin");
    play_find(tree, "/packets/100000/100000000-gp0.bin");
    assert_int_equal(tree_find(tree, "/by-frame/000001", true, &inode), -ENOENT);
    fake->options.digits = 9;
    play_find(tree, "/by-frame/000000001");
    fake->frames = 10;
    play_find(tree, "/by-frame/000000001");
    fake->options.digits = 2;
    play_find(tree, "/by-frame/000001");
    tree_destroy(&tree);
    fake_free(fake);
}

static void members_that_do_not_fit_are_not_shown(void **state)
{
    struct fake *fake = fake_create(43);
    struct tree *tree = fake_tree(fake, 0);
    uint64_t cursor = 0, count = 0;

    (void)state;
    assert_int_equal(tree_list(tree, play_find(tree, "/wide"), &cursor, play_count_entry, &count),
                     0);
    assert_int_equal(count, 2 + 16);
    tree_destroy(&tree);
    fake_free(fake);
}

static bool is_not_hidden(void *context, const char *name, uint64_t inode, enum rule_kind kind,
                          uint64_t cursor)
{
    (void)inode, (void)kind, (void)cursor;
    assert_null(strstr(name, ".hidden"));
    ++*(uint64_t *)context;
    return true;
}

static void unlisted_names_are_found_alone(void **state)
{
    struct fake *fake = fake_create(43);
    struct tree *tree = fake_tree(fake, 0);
    uint64_t cursor = 0, count = 0, inode = 0;

    (void)state;
    assert_int_equal(tree_list(tree, play_find(tree, "/letters"), &cursor, is_not_hidden, &count),
                     0);
    assert_true(count > 2);
    for (unsigned i = 0; i < FAKE_HIDDEN; i++) {
        char path[32];

        snprintf(path, sizeof(path), "/letters/%02u.hidden", i);
        assert_int_equal(play_size(tree, path), 7 * i);
    }
    assert_int_equal(tree_find(tree, "/letters/03.hidden", false, &inode), -ENOENT);
    assert_int_equal(tree_find(tree, "/letters/1.hidden", false, &inode), -ENOENT);
    tree_destroy(&tree);
    fake_free(fake);
}

static void any_cursor_is_survived(void **state)
{
    struct fake *fake = fake_create(43);
    struct tree *tree = fake_tree(fake, 0);
    const char *const directories[] = {"/", "/frames", "/wide", "/things/00-a", "/letters"};
    uint64_t random = 1;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(directories); i++) {
        uint64_t directory = play_find(tree, directories[i]);

        for (int n = 0; n < 300; n++) {
            uint64_t cursor = support_random(&random) >> (n % 64), begun = cursor, count = 0;

            assert_int_equal(tree_list(tree, directory, &cursor, play_count_entry, &count), 0);
            assert_true(cursor >= begun || count > 0);
            count = 0;
            assert_int_equal(tree_list(tree, directory, &cursor, play_count_entry, &count), 0);
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
    ops.texts.commands = (struct dump_listing){0};
    ops.recording.game = NULL;
    ops.introduction = NULL;
    ops.start = NULL;
    fake->dump.ops = &ops;
    tree = fake_tree(fake, 1);
    assert_int_equal(tree_find(tree, "/by-frame/000000/commands.txt", true, &inode), -ENOENT);
    assert_int_equal(tree_find(tree, "/by-frame/000000/state.txt", true, &inode), 0);
    walk_tree(tree, &play_with_broken, &result);
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
    ops.pictures.make = NULL;
    ops.texts.frame_info = ops.texts.frame_state = NULL;
    ops.texts.packet = (struct dump_listing){0};
    fake->dump.ops = &ops;
    tree = fake_tree(fake, 0);
    for (size_t i = 0; i < COUNT_OF(absent); i++)
        assert_int_equal(tree_find(tree, absent[i], false, &inode), -ENOENT);
    walk_tree(tree, &play_with_broken, &result);
    readme = walk_read(tree, "/README.txt", &size);
    assert_null(memmem(readme, size, "latest.png", 10));
    assert_null(memmem(readme, size, "ffmpeg", 6));
    assert_null(memmem(readme, size, "state.txt", 9));
    assert_non_null(memmem(readme, size, "NNNNNNNN-NAME.bin", 17));
    free(readme);
    tree_destroy(&tree);
    fake_free(fake);
}

/* Only frame 2 and, if there are enough frames, frame 9 have a picture. */
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
        const char *target; /* NULL if there is none */
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
        ops.pictures.next = i % 2 == 0 ? next_of_two : NULL;
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
    struct tree_file *file;
    size_t size = 0;
    char *problems = NULL;

    (void)state;
    problems_add(fake->problems, PROBLEM_WARNING, 8, 1, "known before");
    fake->settlement = -ENOMEM;
    for (int i = 0; i < 2; i++) {
        problems = walk_read(tree, "/problems.txt", &size);
        assert_non_null(strstr(problems, "0x00000008 packet 1 warning: known before\n"));
        assert_non_null(strstr(problems, "- packet - error: the dump could not be read to its "
                                         "end: Cannot allocate memory\n"));
        assert_int_equal(play_size(tree, "/problems.txt"), size);
        free(problems);
    }
    fake->settlement = -EINTR;
    problems_add(fake->problems, PROBLEM_WARNING, 16, 2, "one more");
    assert_int_equal(tree_open(tree, play_find(tree, "/problems.txt"), &file), -EINTR);
    tree_destroy(&tree);
    fake_free(fake);
}

/*
 * Packets whose payload is not stored in the dump as it is: it is made, cached, and has the
 * announced length.
 */
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
    ops.container.packet_bytes = unpack_packet;
    fake->dump.ops = &ops;
    tree = fake_tree(fake, 1);
    assert_int_equal(play_size(tree, "/packets/00000/00000007-vsync.bin"), FAKE_PACKET_BYTES);
    file = play_open(tree, "/packets/00000/00000007-vsync.bin");
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
    walk_tree(tree, &play_with_broken, &result);
    tree_destroy(&tree);
    fake_free(fake);
}

/* A walk that counts the entries after many others. */
struct far_walk {
    struct tree_request request;
    uint64_t near, far;
};

static bool note_far(void *context, const char *name, uint64_t inode, enum rule_kind kind,
                     uint64_t next)
{
    struct far_walk *walk = context;

    (void)name, (void)inode, (void)kind, (void)next;
    if (walk->request.far)
        walk->far++;
    else
        walk->near++;
    return true;
}

static void walk_is_over(struct tree_request *request, int status)
{
    (void)request;
    assert_int_equal(status, 0);
}

static void names_behind_many_others_are_marked(void **state)
{
    struct fake *fake = fake_create((TREE_NEAR + 10) * FAKE_PACKETS_PER_FRAME);
    struct tree *tree = fake_tree(fake, 0);
    struct far_walk walk = {.request.done = walk_is_over};

    (void)state;
    tree_submit_list(tree, play_find(tree, "/by-frame"), 0, note_far, &walk, &walk.request);
    assert_int_equal(walk.near, 2 + TREE_NEAR);
    assert_int_equal(walk.far, 10);
    /* packets are counted from the first one of their group */
    walk.far = walk.near = 0;
    walk.request = (struct tree_request){.done = walk_is_over};
    tree_submit_list(tree, play_find(tree, "/packets/00500"), 0, note_far, &walk, &walk.request);
    assert_int_equal(walk.near, 2 + 2 * 1000);
    assert_int_equal(walk.far, 0);
    tree_destroy(&tree);
    fake_free(fake);
}

/* A directory with more members than are near, and a name after them. */

static int next_number(struct dump *dump, uint64_t parent_key, uint64_t from, uint64_t *ordinal)
{
    (void)dump, (void)parent_key;
    *ordinal = from;
    return from < TREE_NEAR + 10 ? 0 : -ENOENT;
}

static int name_number(struct dump *dump, uint64_t parent_key, uint64_t ordinal, char *name)
{
    (void)dump, (void)parent_key;
    snprintf(name, RULE_NAME_MAX + 1, "%06u", (unsigned)ordinal);
    return 0;
}

static int make_nothing(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        struct blob **out)
{
    (void)dump, (void)key, (void)cancel;
    return blob_borrow(NULL, 0, out);
}

static const struct rule_family numbers = {.bits = 24, .next = next_number, .name = name_number};

static void a_name_after_a_family_is_near(void **state)
{
    enum { MANY = 200, NUMBER, LAST };
    static const struct rule rules[] = {
        {.id = MANY, .parent = RULE_ROOT, .name = "many", .kind = RULE_DIRECTORY},
        {.id = NUMBER,
         .parent = MANY,
         .name = "NNNNNN",
         .kind = RULE_DIRECTORY,
         .family = &numbers},
        {.id = LAST, .parent = MANY, .name = "last", .kind = RULE_FILE, .make = make_nothing}};
    struct fake *fake = fake_create(1);
    struct tree_params params = {
        .dump = &fake->dump, .rules = rules, .rule_count = COUNT_OF(rules)};
    struct far_walk walk = {.request.done = walk_is_over};
    struct tree *tree;

    (void)state;
    assert_int_equal(tree_create(&params, &tree), 0);
    tree_submit_list(tree, play_find(tree, "/many"), 0, note_far, &walk, &walk.request);
    assert_int_equal(walk.far, 10);
    assert_int_equal(walk.near, 2 + TREE_NEAR + 1);
    tree_destroy(&tree);
    fake_free(fake);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_names_are_not_found),
        cmocka_unit_test(paths_follow_links_and_dots),
        cmocka_unit_test(a_packet_of_a_frame_is_the_same_file),
        cmocka_unit_test(numbers_grow_with_the_dump),
        cmocka_unit_test(members_that_do_not_fit_are_not_shown),
        cmocka_unit_test(unlisted_names_are_found_alone),
        cmocka_unit_test(any_cursor_is_survived),
        cmocka_unit_test(a_listing_that_a_format_does_not_have_is_absent),
        cmocka_unit_test(what_a_format_does_not_have_is_absent),
        cmocka_unit_test(the_latest_picture_is_the_last_one),
        cmocka_unit_test(problems_are_told_when_settling_fails),
        cmocka_unit_test(packets_may_have_to_be_unpacked),
        cmocka_unit_test(names_behind_many_others_are_marked),
        cmocka_unit_test(a_name_after_a_family_is_near),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
