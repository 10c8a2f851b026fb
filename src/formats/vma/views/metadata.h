/*
 * metadata.txt and .json: what the header, the configuration and the index say
 * (vma.md 4.2, 4.3). An answer of struct dump_ops, any thread.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_VIEWS_METADATA_H
#define GPUDUMPFS_FORMATS_VMA_VIEWS_METADATA_H

#include "formats/vma/dump.h"

int vma_metadata(struct dump *dump, const struct cancel *cancel, struct metadata *out);

#endif
