/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tests/fuzz/tree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    ENTRIES = 32,        /* that are examined in a directory */
    BYTES_MAX = 1 << 18, /* that are read from a dump, about */
    LARGE = 1 << 16,     /* bytes of a large file, … */
    LARGE_MAX = 1,       /* … as many of which are read */
};

struct walking {
    struct tree *tree;
    bool broken;    /* reading a file may fail with -EIO */
    uint64_t bytes; /* that may still be read */
    unsigned large; /* large files so far */
    struct {
        uint64_t inode;
        enum rule_kind kind;
    } entries[ENTRIES];
    unsigned count;
};

static bool collect(void *context, const char *name, uint64_t inode, enum rule_kind kind,
                    uint64_t next)
{
    struct walking *walking = context;

    (void)next;
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return true;
    walking->entries[walking->count].inode = inode;
    walking->entries[walking->count].kind = kind;
    return ++walking->count < ENTRIES;
}

/*
 * Reads a complete file, or less if the limit of the dump is reached. Aborts if the file does not
 * have the stated size.
 */
static void read_file(struct walking *walking, uint64_t inode)
{
    struct tree_attributes attributes;
    struct tree_file *file = NULL;
    struct tree_window window;
    uint64_t offset = 0;

    int status = tree_stat(walking->tree, inode, NULL, &attributes);

    if (status == 0 && attributes.size >= LARGE && walking->large++ >= LARGE_MAX)
        return;
    if (status == 0)
        status = tree_open(walking->tree, inode, &file);
    if (status == -EIO && walking->broken)
        return;
    if (status < 0)
        abort();
    while (offset < attributes.size && walking->bytes > 0) {
        status = tree_read(file, offset, 1 << 16, NULL, &window);
        if (status == -EIO && walking->broken)
            break;
        if (status < 0 || window.length == 0)
            abort();
        offset += window.length;
        walking->bytes -= window.length < walking->bytes ? window.length : walking->bytes;
        blob_unref(&window.blob);
    }
    if (status == 0 &&
        (tree_read(file, attributes.size, 1, NULL, &window) < 0 || window.length != 0))
        abort();
    tree_close(&file);
}

static void walk(struct walking *walking, uint64_t directory)
{
    struct walking inner = {.tree = walking->tree,
                            .broken = walking->broken,
                            .bytes = walking->bytes,
                            .large = walking->large};
    uint64_t cursor = 0;

    if (tree_list(walking->tree, directory, &cursor, collect, &inner) < 0)
        abort();
    for (unsigned i = 0; i < inner.count && inner.bytes > 0; i++) {
        if (inner.entries[i].kind == RULE_DIRECTORY)
            walk(&inner, inner.entries[i].inode);
        else if (inner.entries[i].kind == RULE_FILE)
            read_file(&inner, inner.entries[i].inode);
    }
    walking->bytes = inner.bytes;
    walking->large = inner.large;
}

void fuzz_tree(struct tree *tree, bool broken)
{
    struct walking walking = {.tree = tree, .broken = broken, .bytes = BYTES_MAX};

    walk(&walking, TREE_ROOT);
}

int fuzz_dump(const struct source *source, const struct options *options, bool broken)
{
    const struct source_params params = {0};
    struct text message = TEXT_INIT;
    struct format_opening opening = {
        .source = source, .options = options, .source_params = &params, .message = &message};
    const struct format *format;
    struct dump *dump = NULL;
    struct tree *tree = NULL;
    int status = format_probe(&opening, &format);

    if (status == 0)
        status = problems_create(&opening.problems);
    if (status == 0)
        status = format->ops->open(&opening, &dump);
    if (status == 0) {
        struct tree_params tree_params = {
            .dump = dump, .rules = format->ops->rules, .rule_count = format->ops->rule_count};

        if (tree_create(&tree_params, &tree) < 0)
            abort();
        fuzz_tree(tree, broken);
        tree_destroy(&tree);
    }
    problems_destroy(&opening.problems);
    text_clear(&message);
    return status;
}
