/* SPDX-License-Identifier: MIT */
/*
 * The dumps in the mount of a folder as branches, without a mount: which branches are kept, and for
 * how long.
 */
#include "fuse/folder.h"

#include "tests/support/support.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct mount mount;
static struct folder *folder;
static struct stat file; /* attributes of every name */

static int find(void *context, const char *name, struct stat *out)
{
    (void)context;
    (void)name;
    *out = file;
    return 0;
}

static int set_up(void **state)
{
    static const struct mount_dumps dumps = {.find = find, .max_open = 4};
    static const struct mount_options options;

    (void)state;
    mount.options = &options;
    file = (struct stat){.st_ino = 7, .st_size = 100};
    return folder_create(&mount, &dumps, &folder);
}

static int tear_down(void **state)
{
    (void)state;
    folder_destroy(&folder);
    return 0;
}

static struct branch *branch_of(const char *name)
{
    struct branch *branch;

    assert_int_equal(branch_by_name(folder, name, &branch), 0);
    return branch;
}

static size_t count_branches(void)
{
    size_t count = 0;

    for (const struct branch *branch = folder->branches; branch != NULL; branch = branch->next)
        count++;
    return count;
}

/* Returns the length of the longest bucket. Stores the number of branches in all buckets. */
static size_t measure_buckets(size_t *all)
{
    size_t max = 0;

    *all = 0;
    for (size_t i = 0; i < folder->name_buckets; i++) {
        size_t length = 0;

        for (const struct branch *branch = folder->names[i]; branch != NULL;
             branch = branch->next_in_bucket)
            length++;
        max = length > max ? length : max;
        *all += length;
    }
    return max;
}

static void test_a_name_is_one_branch_as_long_as_its_file_is_the_same(void **state)
{
    struct branch *first = branch_of("a"), *other;

    (void)state;
    assert_non_null(first);
    assert_ptr_equal(branch_of("a"), first);
    other = branch_of("b");
    assert_ptr_not_equal(other, first);
    assert_ptr_equal(branch_of("a"), first);
    file.st_size++;
    assert_ptr_not_equal(branch_of("a"), first);
    assert_true(first->stale);
    assert_false(other->stale);
    assert_int_equal(count_branches(), 3);
}

/* A dump that is being recorded is another branch at each lookup. */
static void test_branches_that_are_not_known_any_more_go(void **state)
{
    size_t max = 0, all;

    (void)state;
    for (int n = 0; n < 20000; n++) {
        struct branch *branch;
        uint64_t node;

        file.st_size++;
        branch = branch_of("a");
        assert_non_null(branch);
        node = branch_node(branch, 1);
        assert_int_not_equal(node, 0);
        branch_forget(branch, node, 1);
        max = count_branches() > max ? count_branches() : max;
    }
    assert_true(max < 200);
    (void)measure_buckets(&all);
    assert_int_equal(all, count_branches());
}

/*
 * Branches are dropped even if their names are gone, but not while the kernel, a request or a file
 * refers to them.
 */
static void test_branches_that_are_known_stay(void **state)
{
    struct branch *known = branch_of("known"), *held = branch_of("held");
    uint64_t node = branch_node(known, 1);
    char name[32];

    (void)state;
    branch_hold(held);
    for (int n = 0; n < 5000; n++) {
        snprintf(name, sizeof(name), "gone-%d", n);
        assert_non_null(branch_of(name));
    }
    assert_true(count_branches() < 200);
    assert_ptr_equal(branch_of("known"), known);
    assert_ptr_equal(branch_of("held"), held);
    branch_release(held);
    branch_forget(known, node, 1);
}

static void test_many_names_are_found_at_once(void **state)
{
    enum { COUNT = 20000 };
    static struct branch *branches[COUNT];
    size_t all;
    char name[32];

    (void)state;
    for (int n = 0; n < COUNT; n++) {
        snprintf(name, sizeof(name), "dump-%d.psxgpu", n);
        branches[n] = branch_of(name);
        assert_int_not_equal(branch_node(branches[n], 1), 0);
    }
    assert_true(measure_buckets(&all) <= 16);
    assert_int_equal(all, COUNT);
    for (int n = 0; n < COUNT; n++) {
        snprintf(name, sizeof(name), "dump-%d.psxgpu", n);
        assert_ptr_equal(branch_of(name), branches[n]);
        assert_int_equal(branch_state_by_name(folder, name), BRANCH_CLOSED);
    }
}

static void test_a_name_without_memory_is_not_missing(void **state)
{
    struct branch *branch;

    (void)state;
    support_fail_allocation(0);
    assert_int_equal(branch_by_name(folder, "a", &branch), -ENOMEM);
    support_fail_allocation(-1);
    assert_null(branch);
    assert_int_equal(branch_by_name(folder, "a", &branch), 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_a_name_is_one_branch_as_long_as_its_file_is_the_same),
        TEST(test_branches_that_are_not_known_any_more_go),
        TEST(test_branches_that_are_known_stay),
        TEST(test_many_names_are_found_at_once),
        TEST(test_a_name_without_memory_is_not_missing),
    };

    return cmocka_run_group_tests_name("folder", tests, NULL, NULL);
}
