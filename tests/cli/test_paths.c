/* SPDX-License-Identifier: MIT */
#include "cli/gpudump.h"

#include "tests/support/fake.h"

#include "tests/support/support.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct found {
    struct text paths;
    unsigned max; /* stop after this number of paths; 0 means never */
    unsigned count;
};

static bool note(void *context, const char *path, uint64_t inode)
{
    struct found *found = context;

    assert_int_not_equal(inode, 0);
    text_add(&found->paths, path);
    text_add_char(&found->paths, ' ');
    return ++found->count != found->max;
}

/* Expects the paths, each followed by a space, or a negative errno and no paths. */
static void expect(struct tree *tree, const char *pattern, int status, const char *paths)
{
    struct found found = {0};

    assert_int_equal(paths_match(tree, pattern, note, &found), status);
    text_add_char(&found.paths, '\0');
    assert_string_equal(found.paths.bytes, paths);
    text_clear(&found.paths);
}

static void test_matches(void **state)
{
    struct fake *fake = fake_create(40);
    struct tree *tree = fake_tree(fake, 0);

    (void)state;
    expect(tree, "", 0, " ");
    expect(tree, "/", 0, " ");
    expect(tree, "metadata.txt", 0, "metadata.txt ");
    expect(tree, "//by-frame//000001/info.txt/", 0, "by-frame/000001/info.txt ");
    expect(tree, "by-frame/00000[12]/info.txt", 0,
           "by-frame/000001/info.txt by-frame/000002/info.txt ");
    expect(tree, "frames/00000?.png", 0,
           "frames/000000.png frames/000001.png frames/000002.png frames/000003.png "
           "frames/000005.png frames/000006.png frames/000007.png frames/000008.png ");
    expect(tree, "*/000003", 0, "by-frame/000003 ");
    expect(tree, "meta*", 0, "metadata.txt metadata.json ");
    tree_destroy(&tree);
    fake_free(fake);
}

static void test_nothing_matches(void **state)
{
    static const char *const patterns[] = {
        "nothing", "frames/nothing.png", "frames/x*", "metadata.txt/*", "*/nothing/*",
        "../..x",  "frames/000000.png/x"};
    struct fake *fake = fake_create(40);
    struct tree *tree = fake_tree(fake, 0);
    char longest[4096];

    (void)state;
    for (size_t i = 0; i < COUNT_OF(patterns); i++)
        expect(tree, patterns[i], -ENOENT, "");
    memset(longest, '*', sizeof(longest) - 1);
    longest[sizeof(longest) - 1] = '\0';
    expect(tree, longest, -ENOENT, "");
    tree_destroy(&tree);
    fake_free(fake);
}

static void test_hidden_names_are_not_matched(void **state)
{
    struct fake *fake = fake_create(40);
    struct tree *tree = fake_tree(fake, 0);

    (void)state;
    expect(tree, "*pudumpfs", -ENOENT, "");
    expect(tree, ".gpudump*/version", 0, ".gpudumpfs/version ");
    tree_destroy(&tree);
    fake_free(fake);
}

static void test_search_can_be_ended(void **state)
{
    struct fake *fake = fake_create(40);
    struct tree *tree = fake_tree(fake, 0);
    struct found found = {.max = 2};

    (void)state;
    assert_int_equal(paths_match(tree, "by-frame/*/info.txt", note, &found), 0);
    assert_int_equal(found.count, 2);
    text_clear(&found.paths);
    tree_destroy(&tree);
    fake_free(fake);
}

static void expect_link(const char *link, const char *target, int status, const char *expected)
{
    struct text path = TEXT_INIT;

    assert_int_equal(paths_resolve_link(link, target, &path), status);
    text_add_char(&path, '\0');
    if (status == 0)
        assert_string_equal(path.bytes, expected);
    text_clear(&path);
}

static void test_links(void **state)
{
    (void)state;
    expect_link("latest.png", "frames/000001.png", 0, "frames/000001.png");
    expect_link("a/b/image.png", "../../frames/1.png", 0, "frames/1.png");
    expect_link("a/b/c", "./d//e/.", 0, "a/b/d/e");
    expect_link("a/b", "..", 0, "");
    expect_link("a/b", "", 0, "a");
    expect_link("b", "..", -ENOENT, NULL);
    expect_link("a/b", "../../c", -ENOENT, NULL);
}

static void test_patterns(void **state)
{
    (void)state;
    assert_false(paths_is_pattern(""));
    assert_false(paths_is_pattern("a/b.png"));
    assert_true(paths_is_pattern("a/*"));
    assert_true(paths_is_pattern("a?/b"));
    assert_true(paths_is_pattern("[a]"));
    assert_string_equal(paths_last("a/b"), "b");
    assert_string_equal(paths_last("a"), "a");
    assert_string_equal(paths_last(""), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matches),
        cmocka_unit_test(test_nothing_matches),
        cmocka_unit_test(test_hidden_names_are_not_matched),
        cmocka_unit_test(test_search_can_be_ended),
        cmocka_unit_test(test_links),
        cmocka_unit_test(test_patterns),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
