/*
 * blobs.tsv and blobs/: each blob's bytes without its header. The key of a file is
 * the blob's place in the index. As the members of struct rule.
 */
#ifndef GPUDUMPFS_AEROGPU_VIEWS_BLOBS_H
#define GPUDUMPFS_AEROGPU_VIEWS_BLOBS_H

#include "formats/aerogpu/dump.h"
#include "tree/rule.h"

extern const struct dump_listing aerogpu_blob_table;
extern const struct rule_family aerogpu_blob_family;

int aerogpu_blob_size(struct dump *dump, uint64_t key, uint64_t *size);
int aerogpu_blob_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                      struct blob **out);

/* The name of blob `place` in blobs/. */
void aerogpu_blob_name(const struct aerogpu_index *index, uint32_t place, char *name);

#endif
