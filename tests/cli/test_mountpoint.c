/* SPDX-License-Identifier: MIT */
#include "cli/mountpoint.h"

#include "tests/support/support.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void assert_name(const char *dump, const char *expected)
{
    char *name = mountpoint_name(dump);

    assert_non_null(name);
    assert_string_equal(name, expected);
    free(name);
}

static void test_names(void **state)
{
    (void)state;
    assert_name("", "");
    assert_name("/", "");
    assert_name("a", "a");
    assert_name("a.psxgpu", "a");
    assert_name("a.psxgpu.zst", "a");
    assert_name("a.psxgpu.xz", "a");
    assert_name("a.psxgpu.gz", "a");
    assert_name("a.zst", "a");
    assert_name(".zst", ".zst");
    assert_name(".psxgpu", ".psxgpu");
    assert_name("b.c/a", "a");
    assert_name("/b.c/a.v2.psxgpu", "a.v2");
    assert_name("../folder.trace/", "folder");
    assert_name("a.", "a");
}

/* Checks a mount point. A failure must have a message, and success must not have one. */
static int check(struct mountpoint *point, const char *name)
{
    struct text message = TEXT_INIT;
    int result = mountpoint_check(point, name, &message);

    assert_int_equal(result != 0, message.length > 0);
    text_clear(&message);
    return result;
}

static void test_folder_that_is_there(void **state)
{
    char *folder = support_folder();
    struct mountpoint point;
    struct stat status;

    (void)state;
    assert_int_equal(check(&point, folder), 0);
    assert_int_equal(point.path[0], '/');
    assert_int_equal(mountpoint_make(&point), 0);
    mountpoint_clear(&point);
    assert_null(point.path);
    assert_int_equal(stat(folder, &status), 0);
    support_remove(&folder);
}

static void test_folder_that_is_made(void **state)
{
    char *folder = support_folder(), *place = support_path(folder, "new");
    char *slashes = support_path(folder, "new//");
    struct mountpoint point;
    struct stat status;

    (void)state;
    assert_int_equal(check(&point, slashes), 0);
    assert_int_not_equal(stat(place, &status), 0);
    assert_int_equal(mountpoint_make(&point), 0);
    assert_int_equal(stat(place, &status), 0);
    assert_true(S_ISDIR(status.st_mode));
    mountpoint_clear(&point);
    assert_int_not_equal(stat(place, &status), 0);
    free(place);
    free(slashes);
    support_remove(&folder);
}

static void test_files_that_are_hidden(void **state)
{
    char *folder = support_folder(), *place = support_path(folder, "place");
    struct mountpoint point;

    (void)state;
    assert_int_equal(mkdir(place, 0700), 0);
    assert_int_equal(check(&point, place), 0);
    assert_false(point.occupied);
    mountpoint_clear(&point);
    assert_int_equal(check(&point, folder), 0);
    assert_true(point.occupied);
    mountpoint_clear(&point);
    free(place);
    support_remove(&folder);
}

static void expect_device(const char *device, const char *words)
{
    struct text message = TEXT_INIT;

    assert_int_equal(mountpoint_explain_device(device, &message), words != NULL);
    text_add_char(&message, '\0');
    if (words != NULL)
        assert_non_null(strstr(message.bytes, words));
    else
        assert_int_equal(message.length, 1);
    text_clear(&message);
}

static void test_devices(void **state)
{
    char *folder = support_folder(), *missing = support_path(folder, "fuse");

    (void)state;
    expect_device("/dev/null", NULL);
    expect_device(missing, "No such file or directory; run modprobe fuse");
    expect_device(folder, "Is a directory; it should be the character device");
    free(missing);
    support_remove(&folder);
}

/* Paths must stay valid when the daemon leaves the current folder. */
static void test_relative_paths(void **state)
{
    char *folder = support_folder(), *expected = support_path(folder, "new");
    char *before = getcwd(NULL, 0);
    struct mountpoint point;

    (void)state;
    assert_int_equal(chdir(folder), 0);
    assert_int_equal(check(&point, "new"), 0);
    assert_int_equal(chdir(before), 0);
    assert_string_equal(point.path, expected);
    mountpoint_clear(&point);
    free(expected);
    free(before);
    support_remove(&folder);
}

static void test_folder_that_goes_away(void **state)
{
    char *folder = support_folder(), *place = support_path(folder, "place");
    struct mountpoint point;

    (void)state;
    assert_int_equal(mkdir(place, 0700), 0);
    assert_int_equal(check(&point, place), 0);
    assert_int_equal(mountpoint_make(&point), 0);
    assert_false(mountpoint_remake(&point));
    assert_false(point.made);
    assert_int_equal(rmdir(place), 0);
    assert_true(mountpoint_remake(&point));
    assert_false(mountpoint_remake(&point));
    mountpoint_clear(&point);
    assert_int_equal(access(place, F_OK), -1);
    free(place);
    support_remove(&folder);
}

static void test_refusals(void **state)
{
    char *folder = support_folder(), *file = support_path(folder, "file");
    char *below = support_path(folder, "no/such"), *through = support_path(folder, "file/x");
    struct mountpoint point;

    (void)state;
    support_write(file, "x", 1);
    assert_int_equal(check(&point, ""), -ENOENT);
    assert_int_equal(check(&point, file), -ENOTDIR);
    assert_int_equal(check(&point, below), -ENOENT);
    assert_int_equal(check(&point, through), -ENOTDIR);
    assert_null(point.path);
    mountpoint_clear(&point);
    free(file);
    free(below);
    free(through);
    support_remove(&folder);
}

static void test_without_memory(void **state)
{
    char *folder = support_folder(), *place = support_path(folder, "new");

    (void)state;
    for (int n = 0; n == 0 || support_allocation_failed(); n++) {
        struct mountpoint point;
        struct text message = TEXT_INIT;
        int result;

        support_fail_allocation(n);
        result = mountpoint_check(&point, place, &message);
        assert_true(result == 0 || (result == -ENOMEM && support_allocation_failed()));
        mountpoint_clear(&point);
        text_clear(&message);
    }
    support_fail_allocation(-1);
    free(place);
    support_remove(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_folder_that_is_there),
        cmocka_unit_test(test_folder_that_is_made),
        cmocka_unit_test(test_folder_that_goes_away),
        cmocka_unit_test(test_files_that_are_hidden),
        cmocka_unit_test(test_devices),
        cmocka_unit_test(test_relative_paths),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_without_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
