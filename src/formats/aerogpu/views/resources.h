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

int aerogpu_resource_info(struct dump *dump, uint64_t key, const struct cancel *cancel,
                          struct blob **out);
int aerogpu_content_exists(struct dump *dump, uint64_t key);
int aerogpu_content_size(struct dump *dump, uint64_t key, uint64_t *size);
int aerogpu_content_piece(struct dump *dump, uint64_t key, uint64_t offset, size_t length,
                          const struct cancel *cancel, struct blob **out);
int aerogpu_texture_size(struct dump *dump, uint64_t key, uint64_t *size);
int aerogpu_texture_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                         struct blob **out);

/* Shaders, and input layouts. */
int aerogpu_dxbc_exists(struct dump *dump, uint64_t key);
int aerogpu_d3d9_exists(struct dump *dump, uint64_t key);
int aerogpu_code_size(struct dump *dump, uint64_t key, uint64_t *size);
int aerogpu_code_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                      struct blob **out);
int aerogpu_genuine_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                         struct blob **out);
int aerogpu_signature_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                           struct blob **out);
int aerogpu_shader_exists(struct dump *dump, uint64_t key);
int aerogpu_disassembly_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                             struct blob **out);
int aerogpu_spirv_exists(struct dump *dump, uint64_t key);
int aerogpu_spirv_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                       struct blob **out);
int aerogpu_glsl_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                      struct blob **out);
int aerogpu_layout_exists(struct dump *dump, uint64_t key);
int aerogpu_layout_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        struct blob **out);

#endif
