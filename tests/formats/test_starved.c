/* SPDX-License-Identifier: MIT */
/*
 * Want of memory, at any moment: small dumps of each format are opened, indexed and
 * read while one allocation fails, the first, the second and so on, ours or one of a
 * library's. What holds: the failure is told as -ENOMEM, or made up for; the tree
 * goes on; what it gives then is right; and all memory comes back.
 *
 * GPUDUMPFS_ALLOCATIONS is how many allocations of each dump fail (120), spread over
 * all; 0: every one of them.
 */
#include "config.h"

#include "formats/format.h"

#include "base/memory.h"

#include "tests/formats/starve.h"
#include "tests/support/support.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ENTRIES = 9,         /* of one directory that are looked into */
    FILES_MAX = 400,     /* of one dump that are read */
    BYTES_MAX = 1 << 18, /* of one file */
    ALLOCATIONS = 120,
    COMPLAINTS_TOLD = 20,
    FIRST = 40, /* of them in any case, where opening begins */
};

/* What a file was: its bytes, or why they could not be had. */
struct file_seen {
    uint64_t inode;
    uint32_t digest;
    int status;
};

struct seen {
    struct file_seen files[FILES_MAX];
    size_t count;
    int worst; /* of listing and the like */
};

struct walking {
    struct tree *tree;
    struct seen *seen;
    uint64_t inodes[ENTRIES];
    enum rule_kind kinds[ENTRIES];
    unsigned count;
};

static bool collect(void *context, const char *name, uint64_t inode, enum rule_kind kind,
                    uint64_t next)
{
    struct walking *walking = context;

    (void)next;
    if (name[0] == '.')
        return true;
    walking->inodes[walking->count] = inode;
    walking->kinds[walking->count] = kind;
    return ++walking->count < ENTRIES;
}

static int read_all(struct tree *tree, uint64_t inode, uint32_t *digest)
{
    struct tree_attributes attributes;
    struct tree_file *file = NULL;
    struct tree_window window;
    uint64_t offset = 0;
    int status = tree_stat(tree, inode, NULL, &attributes);

    *digest = 0;
    if (status == 0 && attributes.live)
        return 0;
    if (status == 0)
        status = tree_open(tree, inode, &file);
    while (status == 0 && offset < attributes.size && offset < BYTES_MAX) {
        status = tree_read(file, offset, 1 << 16, NULL, &window);
        if (status == 0 && window.length == 0)
            status = -EBADMSG; /* shorter than told */
        if (status != 0)
            break;
        *digest = *digest * 31 + support_crc32(window.data, window.length);
        offset += window.length;
        blob_unref(&window.blob);
    }
    tree_close(&file);
    return status;
}

static void walk(struct tree *tree, uint64_t directory, struct seen *seen)
{
    struct walking walking = {.tree = tree, .seen = seen};
    uint64_t cursor = 0;
    int status = tree_list(tree, directory, &cursor, collect, &walking);

    if (status < 0)
        seen->worst = status;
    for (unsigned i = 0; i < walking.count; i++) {
        struct file_seen *file = &seen->files[seen->count];

        if (walking.kinds[i] == RULE_DIRECTORY) {
            walk(tree, walking.inodes[i], seen);
        } else if (walking.kinds[i] == RULE_FILE && seen->count < FILES_MAX) {
            file->inode = walking.inodes[i];
            file->status = read_all(tree, file->inode, &file->digest);
            seen->count++;
        }
    }
}

/* One use of a dump. `hungry` is what is read while an allocation fails, `after` once more later.
 */
struct use {
    struct seen hungry, after;
    int status; /* of opening */
    bool reached;
    int allocations;
};

static void use_dump(const char *path, int failing, struct use *use)
{
    const struct source_params params = {0};
    struct text message = TEXT_INIT;
    struct format_dump dump = {.format = NULL};
    struct options options;
    struct tree *tree = NULL;

    memset(use, 0, sizeof(*use));
    assert_int_equal(format_options_init(&options), 0);
    starve_begin(failing);
    use->status = format_open(path, &options, &params, &message, &dump);
    if (use->status == 0)
        use->status = format_tree(&dump, 0, &tree);
    if (use->status == 0)
        walk(tree, TREE_ROOT, &use->hungry);
    use->reached = starve_end();
    use->allocations = starve_count();
    if (use->status == 0)
        walk(tree, TREE_ROOT, &use->after);
    tree_destroy(&tree);
    format_close(&dump);
    options_clear(&options);
    text_clear(&message);
    memory_trim();
}

static const struct file_seen *find(const struct seen *seen, uint64_t inode)
{
    for (size_t i = 0; i < seen->count; i++)
        if (seen->files[i].inode == inode)
            return &seen->files[i];
    return NULL;
}

static unsigned complaints; /* about the dump at hand */

/* Told one by one, since each may have another cause. */
static void complain(const char *path, int n, const char *what, int status, const char *wanted)
{
    if (complaints++ < COMPLAINTS_TOLD)
        print_error("%s: allocation %d: %s: %s%s\n", path, n, what, strerror(-status), wanted);
}

/* What was read is what a good run reads, or was refused for want of memory. */
static void compare(const char *path, int n, const struct seen *seen, const struct seen *good)
{
    if (seen->worst != 0 && seen->worst != -ENOMEM)
        complain(path, n, "a listing", seen->worst, "");
    for (size_t i = 0; i < seen->count; i++) {
        const struct file_seen *file = &seen->files[i], *other = find(good, file->inode);
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

static int allocations_wanted(void)
{
    const char *told = getenv("GPUDUMPFS_ALLOCATIONS");
    int wanted = told != NULL ? atoi(told) : ALLOCATIONS;

    return wanted > 0 ? wanted : INT_MAX;
}

/* The next allocation to fail. */
static int next_after(int n, int all)
{
    int wanted = allocations_wanted();

    if (n < FIRST || wanted >= all || wanted <= FIRST)
        return n + 1;
    return n + 1 + (all - FIRST) / (wanted - FIRST);
}

static void starve_dump(const char *path)
{
    struct use *good = malloc(sizeof(*good)), *use = malloc(sizeof(*use));
    struct starve_held before, after;
    unsigned tried = 0, opened = 0, stuck = 0;

    assert_true(good != NULL && use != NULL);
    complaints = 0;
    /* Twice, since libraries keep things made at their first use. */
    for (int i = 0; i < 2; i++) {
        use_dump(path, INT_MAX, good);
        assert_int_equal(good->status, 0);
        assert_int_equal(good->hungry.worst, 0);
    }
    before = starve_held();
    for (int n = 0; n < good->allocations; n = next_after(n, good->allocations)) {
        use_dump(path, n, use);
        if (use->status != 0 && (use->status != -ENOMEM || !use->reached))
            complain(path, n, "opening", use->status, "");
        compare(path, n, &use->hungry, &good->hungry);
        compare(path, n, &use->after, &good->hungry);
        tried++;
        opened += use->status == 0;
        stuck += refused(&use->after) > 0;
    }
    after = starve_held();
    print_message("%s: %u of %d allocations failed, %u after opening, %u of them for good\n", path,
                  tried, good->allocations, opened, stuck);
    if (after.blocks != before.blocks || after.mappings != before.mappings ||
        after.files != before.files)
        fail_msg("%s: %+" PRId64 " blocks, %+" PRId64 " mappings, %+" PRId64 " files are left",
                 path, after.blocks - before.blocks, after.mappings - before.mappings,
                 after.files - before.files);
    assert_int_equal(complaints, 0);
    free(good);
    free(use);
}

static bool is_built(const char *format)
{
    for (size_t i = 0; formats_table[i].name != NULL; i++)
        if (strcmp(formats_table[i].name, format) == 0)
            return true;
    return false;
}

static void starve_seeds(const char *format, const char *const *seeds)
{
    if (!is_built(format))
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
STARVE(vma, "vma_dump/pools.csv", "vma_dump/default_device.csv")
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
