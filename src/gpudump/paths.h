/*
 * Paths of the tree as a user types them, with the shell's wildcards: no shell
 * can expand names within a dump. Any thread.
 */
#ifndef GPUDUMPFS_GPUDUMP_PATHS_H
#define GPUDUMPFS_GPUDUMP_PATHS_H

#include "tree/tree.h"

#include <stdbool.h>

/* `path` without leading slash, as it was found; links are followed. False ends the search. */
typedef bool (*paths_found)(void *context, const char *path, uint64_t inode);

bool paths_is_pattern(const char *path);

/*
 * Calls `found` for everything that the pattern names, in the tree's order; a wildcard never
 * stands for `.` and `..`. 0,
 * -ENOENT when there was nothing, or another -errno.
 */
int paths_match(struct tree *tree, const char *pattern, paths_found found, void *context);

/* The last component; "" for the root. */
const char *paths_last(const char *path);

/*
 * Where a link leads, as a path from the root: `link` is the link's own path. It
 * is not followed further. 0 or -ENOMEM, or -ENOENT when it leads out of the tree.
 */
int paths_resolve_link(const char *link, const char *target, struct text *out);

#endif
