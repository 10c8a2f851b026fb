/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tests/formats/use.h"

#include "base/memory.h"
#include "formats/format.h"

#include "tests/support/support.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
    ENTRIES = 9,         /* of one directory that are visited */
    BYTES_MAX = 1 << 18, /* of one file */
    FIRST = 40,          /* the first calls, which open the dump: each is made to fail */
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
            status = -EBADMSG; /* shorter than its size said */
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
        } else if (walking.kinds[i] == RULE_FILE && seen->count < USE_FILES_MAX) {
            file->inode = walking.inodes[i];
            file->status = read_all(tree, file->inode, &file->digest);
            seen->count++;
        }
    }
}

void use_dump(const char *path, const struct fault *fault, int n, struct use *use)
{
    const struct source_params params = {0};
    struct text message = TEXT_INIT;
    struct format_dump dump = {.format = NULL};
    struct options options;
    struct tree *tree = NULL;

    memset(use, 0, sizeof(*use));
    assert_int_equal(format_options_init(&options), 0);
    fault->begin(n);
    use->status = format_open(path, &options, &params, &message, &dump);
    if (use->status == 0)
        use->status = format_tree(&dump, 0, &tree);
    if (use->status == 0)
        walk(tree, TREE_ROOT, &use->amid);
    use->reached = fault->end();
    use->calls = fault->count();
    if (dump.problems != NULL)
        use->problems = problems_count(dump.problems);
    if (use->status == 0)
        walk(tree, TREE_ROOT, &use->after);
    tree_destroy(&tree);
    format_close(&dump);
    options_clear(&options);
    text_clear(&message);
    memory_trim();
}

const struct file_seen *use_find(const struct seen *seen, uint64_t inode)
{
    for (size_t i = 0; i < seen->count; i++)
        if (seen->files[i].inode == inode)
            return &seen->files[i];
    return NULL;
}

int use_next(int n, int all, int wanted)
{
    if (n < FIRST || wanted >= all || wanted <= FIRST)
        return n + 1;
    return n + 1 + (all - FIRST) / (wanted - FIRST);
}

int use_wanted(const char *variable, int standard)
{
    const char *told = getenv(variable);
    int wanted = told != NULL ? atoi(told) : standard;

    return wanted > 0 ? wanted : INT_MAX;
}

bool use_is_built(const char *format)
{
    for (size_t i = 0; formats_table[i].name != NULL; i++)
        if (strcmp(formats_table[i].name, format) == 0)
            return true;
    return false;
}
