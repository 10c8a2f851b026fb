/*
 * How an index is made (index.h): its packet pass, and the steps of its command pass, which
 * follow bytes as they come when the dump grows. Opened and closed by one thread.
 */
#ifndef GPUDUMPFS_PSX_INDEX_INDEXING_H
#define GPUDUMPFS_PSX_INDEX_INDEXING_H

#include "formats/psx/index/index.h"

/*
 * Makes the packet pass over the dump, whose magic is one of the two known. 0, -ENOMEM, or -EINTR.
 * Everything wrong with it becomes a problem. The source's bytes outlive the index.
 */
int psx_index_open(const struct source *source, const struct options *options,
                   struct problems *problems, const struct cancel *cancel, struct psx_index *index);
void psx_index_close(struct psx_index *index);

#endif
