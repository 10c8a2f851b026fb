/* SPDX-License-Identifier: MIT */
/*
 * Out of memory, at any moment: small dumps of each format are opened, indexed and read while one
 * allocation fails, the first, the second and so on, of our code or of a library. The failure must
 * be reported as -ENOMEM or made up for; the tree must go on, and be correct afterwards; and all
 * memory must be freed.
 *
 * GPUDUMPFS_ALLOCATIONS is the number of allocations of each dump that fail (120), spread over all
 * of them; 0 means every one.
 */
#include "config.h"

#include "tests/formats/starve.h"
#include "tests/formats/use.h"
#include "tests/support/support.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ALLOCATIONS = 120,
    COMPLAINTS_TOLD = 20,
};

static const struct fault fault = {starve_begin, starve_end, starve_count};

static unsigned complaints; /* about the current dump */

/* Reported one by one, since each may have a cause of its own. */
static void complain(const char *path, int n, const char *what, int status, const char *wanted)
{
    if (complaints++ < COMPLAINTS_TOLD)
        print_error("%s: allocation %d: %s: %s%s\n", path, n, what, strerror(-status), wanted);
}

/* Checks that each file was read as in a good run, or refused with -ENOMEM. */
static void compare(const char *path, int n, const struct seen *seen, const struct seen *good)
{
    if (seen->worst != 0 && seen->worst != -ENOMEM)
        complain(path, n, "a listing", seen->worst, "");
    for (size_t i = 0; i < seen->count; i++) {
        const struct file_seen *file = &seen->files[i], *other = use_find(good, file->inode);
        char what[40];

        snprintf(what, sizeof(what), "file %#" PRIx64, file->inode);
        if (file->status == -ENOMEM)
            continue;
        if (other == NULL)
            complain(path, n, what, file->status, ", and it should not be there");
        else if (file->status != other->status)
            complain(path, n, what, file->status, ", in another way than without");
        else if (file->digest != other->digest)
            complain(path, n, what, file->status, ", with other bytes");
    }
}

static unsigned refused(const struct seen *seen)
{
    unsigned count = seen->worst != 0;

    for (size_t i = 0; i < seen->count; i++)
        count += seen->files[i].status == -ENOMEM;
    return count;
}

static void starve_dump(const char *path)
{
    struct use *good = malloc(sizeof(*good)), *use = malloc(sizeof(*use));
    const int wanted = use_wanted("GPUDUMPFS_ALLOCATIONS", ALLOCATIONS);
    struct starve_held before, after;
    unsigned tried = 0, opened = 0, stuck = 0;

    assert_true(good != NULL && use != NULL);
    complaints = 0;
    /* Twice, since libraries keep what they build at their first use. */
    for (int i = 0; i < 2; i++) {
        use_dump(path, &fault, INT_MAX, good);
        assert_int_equal(good->status, 0);
        assert_int_equal(good->amid.worst, 0);
    }
    before = starve_held();
    for (int n = 0; n < good->calls; n = use_next(n, good->calls, wanted)) {
        use_dump(path, &fault, n, use);
        if (use->status != 0 && (use->status != -ENOMEM || !use->reached))
            complain(path, n, "opening", use->status, "");
        compare(path, n, &use->amid, &good->amid);
        compare(path, n, &use->after, &good->amid);
        tried++;
        opened += use->status == 0;
        stuck += refused(&use->after) > 0;
    }
    after = starve_held();
    print_message("%s: %u of %d allocations failed, %u after opening, %u of them for good\n", path,
                  tried, good->calls, opened, stuck);
    if (after.blocks != before.blocks || after.mappings != before.mappings ||
        after.files != before.files)
        fail_msg("%s: %+" PRId64 " blocks, %+" PRId64 " mappings, %+" PRId64 " files are left",
                 path, after.blocks - before.blocks, after.mappings - before.mappings,
                 after.files - before.files);
    assert_int_equal(complaints, 0);
    free(good);
    free(use);
}

static void starve_seeds(const char *format, const char *const *seeds)
{
    if (!use_is_built(format))
        support_skip("built without the format");
    for (; *seeds != NULL; seeds++) {
        char *path = support_path(TOP_SRCDIR "/tests/fuzz/seeds", *seeds);

        starve_dump(path);
        free(path);
    }
}

#define STARVE(format, ...)                                                                        \
    static void want_of_memory_in_##format(void **state)                                           \
    {                                                                                              \
        const char *const seeds[] = {__VA_ARGS__, NULL};                                           \
                                                                                                   \
        (void)state;                                                                               \
        starve_seeds(#format, seeds);                                                              \
    }

STARVE(psx, "psx_dump/frames", "psx_dump/duckstation", "psx_dump/defects")
STARVE(aerogpu, "aerogpu_dump/commands", "aerogpu_dump/two_frames_begin_frame")
STARVE(gapir, "gapir_dump/vulkan_readback", "gapir_dump/gles_frame")
STARVE(vma, "vma_dump/pools.csv", "vma_dump/default_device.csv", "vma_snapshots")
STARVE(apitrace, "apitrace_dump/v6_alltypes.trace", "apitrace_dump/v6_alltypes_gzip.trace",
       "apitrace_dump/v6_backtrace.trace")
STARVE(gfxreconstruct, "gfxreconstruct_dump/lz4.gfxr", "gfxreconstruct_dump/markers.gfxr")

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(want_of_memory_in_psx),
        cmocka_unit_test(want_of_memory_in_aerogpu),
        cmocka_unit_test(want_of_memory_in_gapir),
        cmocka_unit_test(want_of_memory_in_vma),
        cmocka_unit_test(want_of_memory_in_apitrace),
        cmocka_unit_test(want_of_memory_in_gfxreconstruct),
    };

    setenv("GPUDUMPFS_GLWORKER", "/nonexistent", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
