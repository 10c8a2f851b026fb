/* SPDX-License-Identifier: MIT */
/*
 * Textures: what they take, how texels get in and out, and GL's views of them. The worker's one
 * thread.
 */
#ifndef GPUDUMPFS_GLWORKER_D3D_TEXTURES_H
#define GPUDUMPFS_GLWORKER_D3D_TEXTURES_H

#include "glworker/d3d/d3d.h"

/* Storage without contents. 0 or -ENOMEM. */
int aero_texture_storage(const struct aero_texture *texture, struct aero_storage **out);
int aero_texture_make(struct aero *aero, const struct aerogpu_shape *shape, uint32_t usage,
                      struct aero_resource **out);
uint64_t aero_texture_bytes(const struct aerogpu_shape *shape);
/*
 * Bytes that textures and buffers may still have (worker.md 5.3): what a session may have grows
 * with what it was fed, where content comes from.
 */
uint64_t aero_room(const struct aero *aero);
void aero_texture_copy(const struct aero_texture *texture, const struct aero_storage *from,
                       struct aero_storage *to);
int aero_texture_write(struct aero_texture *texture, uint64_t offset, const uint8_t *bytes,
                       uint64_t size);
/* RGBA8, or f32 of depth formats; width * height * 4 bytes. */
void aero_texture_read(const struct aero_texture *texture, uint32_t mip, uint32_t layer,
                       uint8_t *to);
/* Brings the shadow up to date; NULL: no memory. */
const uint8_t *aero_texture_shadow(struct aero_texture *texture, uint32_t mip, uint32_t layer);
/*
 * The byte that X8 formats have beside colours. GL has none: the shadow always tells it,
 * at every fourth byte from here. NULL: no memory.
 */
enum { AERO_X8 = 3, AERO_X8_BYTES = 4 };
bool aero_texture_has_x8(const struct aero_texture *texture);
uint8_t *aero_texture_x8(struct aero_texture *texture);
/* GL has something newer of these. */
void aero_texture_drawn(struct aero_texture *texture, uint32_t mip, uint32_t base_layer,
                        uint32_t layers);
/* The view for a target of GL, of a whole texture (`view` NULL) or a part; 0: no such. */
GLuint aero_gl_view(struct aero_texture *texture, const struct aero_view *view, GLenum target,
                    bool srgb_wanted);

#endif
