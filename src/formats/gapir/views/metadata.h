/*
 * metadata.txt and metadata.json (gapir.md 4.2).
 */
#ifndef GPUDUMPFS_GAPIR_VIEWS_METADATA_H
#define GPUDUMPFS_GAPIR_VIEWS_METADATA_H

#include "formats/gapir/dump.h"

/* struct dump_ops' function. */
int gapir_metadata(struct dump *dump, const struct cancel *cancel, struct metadata *out);

#endif
