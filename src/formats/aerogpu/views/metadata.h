/*
 * The metadata of a trace, its own JSON, its table of contents. As
 * struct dump_ops' and struct rule's members.
 */
#ifndef GPUDUMPFS_AEROGPU_VIEWS_METADATA_H
#define GPUDUMPFS_AEROGPU_VIEWS_METADATA_H

#include "formats/aerogpu/dump.h"

extern const struct dump_listing aerogpu_toc_listing;

int aerogpu_metadata(struct dump *dump, const struct cancel *cancel, struct metadata *out);
int aerogpu_meta_size(struct dump *dump, uint64_t key, uint64_t *size);
int aerogpu_meta_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                      struct blob **out);
int aerogpu_has_toc(struct dump *dump, uint64_t key);

#endif
