/* Blobs that calls hand over, as files, and blobs.tsv (apitrace.md 4). */
#ifndef GPUDUMPFS_APITRACE_VIEWS_BLOBS_H
#define GPUDUMPFS_APITRACE_VIEWS_BLOBS_H

#include "tree/rule.h"

extern const struct rule_family apitrace_blob_group_family, apitrace_blob_family,
    apitrace_frame_blob_family;
extern const struct dump_listing apitrace_blobs_listing;

/* struct rule's functions. Key: the place in the index's list. */
int apitrace_blob_size(struct dump *dump, uint64_t key, uint64_t *size);
int apitrace_blob_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                       struct blob **out);

#endif
