/* metadata.txt and metadata.json of a trace (apitrace.md 4). */
#ifndef GPUDUMPFS_APITRACE_VIEWS_METADATA_H
#define GPUDUMPFS_APITRACE_VIEWS_METADATA_H

#include "formats/apitrace/dump.h"

/* struct dump_ops' function. */
int apitrace_metadata(struct dump *dump, const struct cancel *cancel, struct metadata *out);

#endif
