/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tests/support/tree_play.h"

#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

static const char *const broken[] = {"broken.txt", "lying.bin", NULL};
const struct walk_params play_with_broken = {.broken = broken};

uint64_t play_find(struct tree *tree, const char *path)
{
    uint64_t inode = 0;
    int status = tree_find(tree, path, true, &inode);

    if (status < 0)
        fail_msg("%s: %s", path, strerror(-status));
    return inode;
}

struct tree_file *play_open(struct tree *tree, const char *path)
{
    struct tree_file *file = NULL;

    assert_int_equal(tree_open(tree, play_find(tree, path), &file), 0);
    return file;
}

void play_expect_read(struct tree_file *file, uint64_t offset, size_t size, size_t expected)
{
    struct tree_window window;

    assert_int_equal(tree_read(file, offset, size, NULL, &window), 0);
    assert_int_equal(window.length, expected);
    blob_unref(&window.blob);
}

void play_expect_failure(struct tree *tree, const char *path, int expected)
{
    struct tree_file *file = play_open(tree, path);
    struct tree_window window;

    assert_int_equal(tree_read(file, 0, 10, NULL, &window), expected);
    assert_null(window.blob);
    tree_close(&file);
}

int64_t play_size(struct tree *tree, const char *path)
{
    struct tree_attributes attributes;
    int status = tree_stat(tree, play_find(tree, path), NULL, &attributes);

    return status < 0 ? status : (int64_t)attributes.size;
}

struct cache_statistics play_statistics(struct tree *tree)
{
    struct cache_statistics now;

    cache_statistics(tree_cache(tree), &now);
    return now;
}

bool play_count_entry(void *context, const char *name, uint64_t inode, enum rule_kind kind,
                      uint64_t next)
{
    (void)name, (void)inode, (void)kind, (void)next;
    ++*(uint64_t *)context;
    return true;
}

void play_expect_begins(struct tree *tree, const char *path, const char *beginning)
{
    size_t size = 0;
    char *bytes = walk_read(tree, path, &size);

    if (strncmp(bytes, beginning, strlen(beginning)) != 0)
        fail_msg("%s: %.40s", path, bytes);
    free(bytes);
}
