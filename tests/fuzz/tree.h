/* SPDX-License-Identifier: MIT */
/*
 * What fuzz targets of complete dumps share: opens a dump from memory, walks a part of its tree,
 * reads some of its files, and aborts if a file does not have the size that its attributes state.
 */
#ifndef GPUDUMPFS_TESTS_FUZZ_TREE_H
#define GPUDUMPFS_TESTS_FUZZ_TREE_H

#include "formats/format.h"

#include <stdbool.h>

/*
 * Walks a part of the tree and reads files. `broken` means that reading a file may fail with -EIO.
 */
void fuzz_tree(struct tree *tree, bool broken);

/* Opens a dump, walks its tree and closes it. Returns 0, or -errno if that fails. */
int fuzz_dump(const struct source *source, const struct options *options, bool broken);

#endif
