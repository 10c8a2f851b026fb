/*
 * metadata.txt and metadata.json of a PSX dump (psx-dump.md 4.1). Any thread.
 */
#ifndef GPUDUMPFS_PSX_VIEWS_METADATA_H
#define GPUDUMPFS_PSX_VIEWS_METADATA_H

#include "formats/psx/dump.h"

/* As struct dump_ops has it: waits for the whole index. */
int psx_metadata(struct dump *dump, const struct cancel *cancel, struct metadata *out);

#endif
