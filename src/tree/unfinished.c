/* SPDX-License-Identifier: MIT */
#include "tree/unfinished.h"

#include "tree/internal.h"

#include <string.h>

void unfinished_leave(struct tree *tree, struct blob *offsets, uint64_t pieces)
{
    struct blob *before;

    tree_lock(tree);
    before = tree->unfinished.offsets;
    tree->unfinished = (struct unfinished_listing){.offsets = blob_ref(offsets), .pieces = pieces};
    tree_unlock(tree);
    blob_unref(&before);
}

uint64_t unfinished_take(struct tree *tree, struct blob *offsets)
{
    struct unfinished_listing taken;
    uint64_t pieces = 0;

    tree_lock(tree);
    taken = tree->unfinished;
    tree->unfinished = (struct unfinished_listing){.offsets = NULL};
    tree_unlock(tree);
    if (taken.offsets != NULL && taken.offsets->size == offsets->size) {
        pieces = taken.pieces;
        memcpy(offsets->data, taken.offsets->data, (pieces + 1) * sizeof(uint64_t));
    }
    blob_unref(&taken.offsets);
    return pieces;
}

uint64_t unfinished_length(const struct tree *tree)
{
    return atomic_load(&tree->measured);
}
