/*
 * resources.tsv, and what stands in resources/NNNNNN-KIND-0xHANDLE/, one directory
 * for each life of a handle. The key of its files is the life; of a texture's
 * pictures the life above layer and mip, by RESOURCE_BITS. As struct rule's members.
 */
#ifndef GPUDUMPFS_AEROGPU_VIEWS_RESOURCES_H
#define GPUDUMPFS_AEROGPU_VIEWS_RESOURCES_H

#include "formats/aerogpu/dump.h"
#include "tree/rule.h"

enum { RESOURCE_BITS = 28 };

extern const struct dump_listing aerogpu_resource_table;
extern const struct rule_family aerogpu_resource_family, aerogpu_texture_family;

/* The life that a key is: 0, -EAGAIN while lives are not known, -ENOENT. */
int aerogpu_life_find(struct dump *dump, uint64_t key, const struct aerogpu_life **out);
/* The same where the caller may wait; also -EINTR, -ENOMEM, -EFBIG. */
int aerogpu_life_need(struct dump *dump, uint64_t key, const struct cancel *cancel,
                      const struct aerogpu_life **out);

int aerogpu_resource_info(struct dump *dump, uint64_t key, const struct cancel *cancel,
                          struct blob **out);
int aerogpu_content_exists(struct dump *dump, uint64_t key);
int aerogpu_content_size(struct dump *dump, uint64_t key, uint64_t *size);
int aerogpu_content_piece(struct dump *dump, uint64_t key, uint64_t offset, size_t length,
                          const struct cancel *cancel, struct blob **out);
int aerogpu_texture_size(struct dump *dump, uint64_t key, uint64_t *size);
int aerogpu_texture_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                         struct blob **out);

/* Input layouts. */
int aerogpu_layout_exists(struct dump *dump, uint64_t key);
int aerogpu_layout_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        struct blob **out);

#endif
