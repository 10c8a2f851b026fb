/*
 * What stands in a shader's directory of resources/: its code, genuine, disassembled,
 * translated. The key is the shader's life. As the members of struct rule.
 */
#ifndef GPUDUMPFS_AEROGPU_VIEWS_SHADERS_H
#define GPUDUMPFS_AEROGPU_VIEWS_SHADERS_H

#include "formats/aerogpu/dump.h"

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

#endif
