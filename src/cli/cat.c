/* SPDX-License-Identifier: MIT */
#include "cli/gpudump.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { PIECE = 1 << 20 };

static int print_file(struct tree *tree, uint64_t inode)
{
    struct tree_file *file = NULL;
    struct tree_window window = {0};
    uint64_t offset = 0;
    int status = tree_open(tree, inode, &file);

    while (status == 0) {
        status = tree_read(file, offset, PIECE, NULL, &window);
        if (status != 0 || window.length == 0)
            break;
        if (fwrite(window.data, 1, window.length, stdout) != window.length)
            status = -errno;
        offset += window.length;
        blob_unref(&window.blob);
    }
    blob_unref(&window.blob);
    tree_close_for_good(&file);
    return status;
}

static bool print_found(void *context, const char *path, uint64_t inode)
{
    struct gpudump *gpudump = context;
    int status;

    if (ferror(stdout)) /* an earlier file could not be written */
        return false;
    status = print_file(gpudump->program.tree, inode);
    if (status == 0 && strcmp(path, "problems.txt") == 0)
        gpudump->program.knows_defects = true; /* the file lists them */
    if (status != 0 && status != -EPIPE)
        gpudump_tell(gpudump, gpudump_failed_place(path), status);
    gpudump->failed = gpudump->failed || status != 0;
    return !ferror(stdout);
}

enum program_status gpudump_cat(struct gpudump *gpudump)
{
    gpudump_each_path(gpudump, gpudump->path_count, print_found, gpudump);
    return gpudump_outcome(gpudump);
}

enum program_status gpudump_info(struct gpudump *gpudump)
{
    uint64_t inode = 0;
    int status = tree_find(gpudump->program.tree, "metadata.txt", true, &inode);

    if (status == 0)
        status = print_file(gpudump->program.tree, inode);
    if (status != 0)
        gpudump_tell(gpudump, gpudump_failed_place("metadata.txt"), status);
    return gpudump_outcome(gpudump);
}
