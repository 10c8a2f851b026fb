/* SPDX-License-Identifier: MIT */
/*
 * Disks and machines that fail, at any moment: small dumps of each format, plain and in containers,
 * are opened, indexed and read while one of our system calls fails, the first, the second and so
 * on. The dump or a file must be refused, or everything must be as without the failure. Bytes may
 * differ only if a problem is reported. The tree must go on, and nothing may leak. A call that
 * moves fewer bytes than requested must change nothing at all.
 *
 * GPUDUMPFS_FAULTS is the number of calls of each dump that fail (60), spread over all of them; 0
 * means every one.
 */
#include "config.h"

#include "tests/formats/starve.h"
#include "tests/formats/use.h"
#include "tests/support/faults.h"
#include "tests/support/support.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { FAULTS = 60, COMPLAINTS_TOLD = 20 };

static enum faults_kind kind;

static void begin(int n)
{
    faults_begin(kind, n);
}

static const struct fault fault = {begin, faults_end, faults_count};

static unsigned complaints; /* about the current dump */

static void complain(const char *path, int n, const char *what, int status, const char *wanted)
{
    if (complaints++ < COMPLAINTS_TOLD)
        print_error("%s: call %d, %s as %s: %s: %s%s\n", path, n, faults_name(),
                    strerror(-faults_status()), what, strerror(-status), wanted);
}

/*
 * Returns whether a failed call may be reported as `status`. A file whose status cannot be read
 * counts as one that is being written.
 */
static bool is_refusal(int status)
{
    return kind != FAULTS_SHORT &&
           (status == faults_status() || status == -EIO || status == -ENOMEM || status == -EBUSY);
}

static void compare(const char *path, int n, const struct seen *seen, const struct seen *good,
                    bool told)
{
    if (seen->worst != 0 && !is_refusal(seen->worst))
        complain(path, n, "a listing", seen->worst, "");
    for (size_t i = 0; i < seen->count; i++) {
        const struct file_seen *file = &seen->files[i], *other = use_find(good, file->inode);
        char what[40];

        snprintf(what, sizeof(what), "file %#" PRIx64, file->inode);
        if (is_refusal(file->status) || told)
            continue;
        if (other == NULL)
            complain(path, n, what, file->status, ", and it should not be there");
        else if (file->status != other->status)
            complain(path, n, what, file->status, ", in another way than without");
        else if (file->digest != other->digest)
            complain(path, n, what, file->status, ", with other bytes");
    }
}

static void check_use(const char *path, int n, const struct use *use, const struct use *good)
{
    bool told = kind != FAULTS_SHORT && use->problems > good->problems;

    if (use->status != 0 && (!use->reached || !is_refusal(use->status)))
        complain(path, n, "opening", use->status, "");
    compare(path, n, &use->amid, &good->amid, told);
    compare(path, n, &use->after, &good->amid, told);
}

static void check_held(const char *path, const struct starve_held *before)
{
    struct starve_held after = starve_held();

    if (after.blocks != before->blocks || after.mappings != before->mappings ||
        after.files != before->files)
        fail_msg("%s: %+" PRId64 " blocks, %+" PRId64 " mappings, %+" PRId64 " files are left",
                 path, after.blocks - before->blocks, after.mappings - before->mappings,
                 after.files - before->files);
}

static void fail_calls(const char *path)
{
    struct use *good = malloc(sizeof(*good)), *use = malloc(sizeof(*use));
    const int wanted = use_wanted("GPUDUMPFS_FAULTS", FAULTS);
    struct starve_held before;
    unsigned tried = 0, opened = 0;

    assert_true(good != NULL && use != NULL);
    complaints = 0;
    /* Twice, since libraries keep what they build at their first use. */
    for (int i = 0; i < 2; i++) {
        use_dump(path, &fault, INT_MAX, good);
        assert_int_equal(good->status, 0);
    }
    before = starve_held();
    for (int n = 0; n < good->calls; n = use_next(n, good->calls, wanted)) {
        use_dump(path, &fault, n, use);
        check_use(path, n, use, good);
        tried++;
        opened += use->status == 0;
    }
    check_held(path, &before);
    print_message("%s: %u of %d calls failed, %u after opening\n", path, tried, good->calls,
                  opened);
    assert_true(good->calls > 0 || kind == FAULTS_SHORT);
    assert_int_equal(complaints, 0);
    free(good);
    free(use);
}

static void fail_all(const char *path)
{
    for (kind = 0; kind < FAULTS_KINDS; kind++)
        fail_calls(path);
}

static void fail_seeds(const char *format, const char *const *seeds)
{
    if (!use_is_built(format))
        support_skip("built without the format");
    for (; *seeds != NULL; seeds++) {
        char *path = support_path(TOP_SRCDIR "/tests/fuzz/seeds", *seeds);

        fail_all(path);
        free(path);
    }
}

#define FAULTS_IN(format, ...)                                                                     \
    static void faults_in_##format(void **state)                                                   \
    {                                                                                              \
        const char *const seeds[] = {__VA_ARGS__, NULL};                                           \
                                                                                                   \
        (void)state;                                                                               \
        fail_seeds(#format, seeds);                                                                \
    }

FAULTS_IN(psx, "psx_dump/frames", "psx_dump/defects")
FAULTS_IN(aerogpu, "aerogpu_dump/commands")
FAULTS_IN(gapir, "gapir_dump/vulkan_readback")
FAULTS_IN(vma, "vma_dump/pools.csv")
FAULTS_IN(apitrace, "apitrace_dump/v6_alltypes.trace", "apitrace_dump/v6_alltypes_gzip.trace")
FAULTS_IN(gfxreconstruct, "gfxreconstruct_dump/lz4.gfxr")

static char *folder;

static int make_folder(void **state)
{
    (void)state;
    folder = support_folder();
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    support_remove(&folder);
    return 0;
}

static uint8_t *read_seed(const char *seed, size_t *size)
{
    char *path = support_path(TOP_SRCDIR "/tests/fuzz/seeds", seed);
    uint8_t *bytes = support_read(path, size);

    free(path);
    return bytes;
}

static void write_file(const char *name, const void *bytes, size_t size)
{
    char *path = support_path(folder, name);

    support_write(path, bytes, size);
    free(path);
}

static void fail_file(const char *name)
{
    char *path = support_path(folder, name);

    fail_all(path);
    free(path);
}

/* Expanded into a spool, which is written, read and mapped. */
static void faults_in_containers(void **state)
{
    size_t size, room, used = 0;
    uint8_t *plain = read_seed("psx_dump/frames", &size), *packed;

    (void)state;
    room = ZSTD_compressBound(size) + lzma_stream_buffer_bound(size);
    packed = malloc(room);
    assert_non_null(packed);
    write_file("frames.zst", packed, ZSTD_compress(packed, room, plain, size, 1));
    fail_file("frames.zst");
    assert_int_equal(
        lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, NULL, plain, size, packed, &used, room),
        LZMA_OK);
    write_file("frames.xz", packed, used);
    fail_file("frames.xz");
    free(packed);
    free(plain);
}

/* A payload with its archive next to it: several files are opened. */
static void faults_in_folders(void **state)
{
    static const char *const index = "\x04\x00\x00\x00";
    size_t size;
    uint8_t *payload = read_seed("gapir_dump/vulkan_readback", &size);

    (void)state;
    if (!use_is_built("gapir")) {
        free(payload);
        support_skip("built without the format");
    }
    write_file("payload.bin", payload, size);
    write_file("resources.index", index, 4);
    write_file("resources.data", index, 4);
    free(payload);
    fail_all(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faults_in_psx),
        cmocka_unit_test(faults_in_aerogpu),
        cmocka_unit_test(faults_in_gapir),
        cmocka_unit_test(faults_in_vma),
        cmocka_unit_test(faults_in_apitrace),
        cmocka_unit_test(faults_in_gfxreconstruct),
        cmocka_unit_test_setup_teardown(faults_in_containers, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(faults_in_folders, make_folder, remove_folder),
    };

    setenv("GPUDUMPFS_GLWORKER", "/nonexistent", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
