/* SPDX-License-Identifier: MIT */
/*
 * What fuzz targets of whole dumps share: opens a dump from memory, walks some of
 * its tree, reads some of its files, and aborts when a size is not true.
 */
#ifndef GPUDUMPFS_TESTS_FUZZ_TREE_H
#define GPUDUMPFS_TESTS_FUZZ_TREE_H

#include "formats/format.h"

#include <stdbool.h>

/* `broken`: files may read as -EIO. */
void fuzz_tree(struct tree *tree, bool broken);

/* Opens, walks and closes; a negative errno when it is no dump. */
int fuzz_dump(const struct source *source, const struct options *options, bool broken);

#endif
