/* SPDX-License-Identifier: MIT */
#include "cli/mounts.h"

#include "tests/support/support.h"

#include <string.h>

static int read_lines(const char *lines, struct mounts *out)
{
    FILE *file = fmemopen((void *)(uintptr_t)lines, strlen(lines) + 1, "r");
    int status;

    assert_non_null(file);
    status = mounts_read(file, out);
    fclose(file);
    return status;
}

static void only_ours_are_read(void **state)
{
    static const char lines[] =
        "22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw\n"
        "40 22 0:4000000001 / /home/x rw - fuse.sshfs host: rw\n" /* not a mount of this machine */
        "41 22 0:39 / /a ro,nosuid - fuse.gpudumpfs /d/one.psxgpu ro,user_id=0\n"
        "42 22 0:4000000000 / /b ro shared:3 master:1 - fuse.gpudumpfs - ro\n"
        "43 22 0:41 / /fuse.gpudumpfs rw - tmpfs fuse.gpudumpfs rw\n";
    struct mounts mounts;

    (void)state;
    assert_int_equal(read_lines(lines, &mounts), 0);
    assert_int_equal(mounts.count, 2);
    assert_string_equal(mounts.entries[0].place, "/a");
    assert_string_equal(mounts.entries[0].dump, "/d/one.psxgpu");
    assert_int_equal(mounts.entries[0].connection, 39);
    assert_string_equal(mounts.entries[1].place, "/b");
    assert_string_equal(mounts.entries[1].dump, "-");
    mounts_clear(&mounts);
    assert_int_equal(mounts.count, 0);
}

static void escapes_are_decoded(void **state)
{
    static const char lines[] =
        "1 2 0:3 / /a\\040b\\011c\\012d\\134e ro - fuse.gpudumpfs tcp:\\134040 ro\n"
        "1 2 0:3 / /q\\04 - - fuse.gpudumpfs \\777\\18\\ ro\n";
    struct mounts mounts;

    (void)state;
    assert_int_equal(read_lines(lines, &mounts), 0);
    assert_int_equal(mounts.count, 2);
    assert_string_equal(mounts.entries[0].place, "/a b\tc\nd\\e");
    assert_string_equal(mounts.entries[0].dump, "tcp:\\040");
    assert_string_equal(mounts.entries[1].place, "/q\\04"); /* the kernel writes no such escapes */
    assert_string_equal(mounts.entries[1].dump, "\\777\\18\\");
    mounts_clear(&mounts);
}

/* The kernel writes no such lines. */
static void other_lines_are_left_out(void **state)
{
    static const char *const lines[] = {
        "",
        "\n",
        "-",
        "- - - - - - - - -\n",
        "1 2 0:3 / /a ro - fuse.gpudumpfs",
        "1 2 03 / /a ro - fuse.gpudumpfs x ro\n",
        "1 2 0:3x / /a ro - fuse.gpudumpfs x ro\n",
        "1 2 0:3 / /a ro fuse.gpudumpfs x ro\n",
        "1 2 0:3 - fuse.gpudumpfs x ro\n",
    };
    struct mounts mounts;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        assert_int_equal(read_lines(lines[i], &mounts), 0);
        assert_int_equal(mounts.count, 0);
        mounts_clear(&mounts);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_ours_are_read),
        cmocka_unit_test(escapes_are_decoded),
        cmocka_unit_test(other_lines_are_left_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
