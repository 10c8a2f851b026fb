/* SPDX-License-Identifier: MIT */
#include "compare/contents.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

enum { PIECE = 1 << 20, FRAME_DIGITS_MAX = 20 };

static int read_some(struct tree *tree, uint64_t inode, size_t max, const struct cancel *cancel,
                     struct text *out)
{
    struct tree_file *file = NULL;
    struct tree_window window = {0};
    uint64_t offset = 0;
    int status = tree_open(tree, inode, &file);

    while (status == 0 && offset <= max) {
        status = tree_read(file, offset, PIECE, cancel, &window);
        if (status != 0 || window.length == 0)
            break;
        text_add_bytes(out, (const char *)window.data, window.length);
        offset += window.length;
        blob_unref(&window.blob);
        status = text_status(out);
    }
    blob_unref(&window.blob);
    tree_close_for_good(&file);
    return status;
}

int contents_read(struct tree *tree, uint64_t inode, const struct cancel *cancel, struct text *out)
{
    return read_some(tree, inode, SIZE_MAX, cancel, out);
}

int contents_read_lines(struct tree *tree, uint64_t inode, size_t max, const struct cancel *cancel,
                        struct text *out)
{
    int status = read_some(tree, inode, max, cancel, out);

    if (status == 0 && out->length > max)
        for (out->length = max; out->length > 0 && out->bytes[out->length - 1] != '\n';)
            out->length--;
    return status;
}

int contents_find_frame(struct tree *tree, const char *folder, uint64_t frame, const char *rest,
                        char path[CONTENTS_PATH], uint64_t *inode)
{
    int status = -ENOENT;

    for (int digits = 1; digits <= FRAME_DIGITS_MAX && status == -ENOENT; digits++) {
        snprintf(path, CONTENTS_PATH, "%s%0*" PRIu64 "%s", folder, digits, frame, rest);
        status = tree_find(tree, path, true, inode);
    }
    return status;
}
