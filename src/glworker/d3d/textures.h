/* SPDX-License-Identifier: MIT */
/*
 * Textures: their size, how texels are written and read, and GL's views of them. Only for the
 * worker's thread.
 */
#ifndef GPUDUMPFS_GLWORKER_D3D_TEXTURES_H
#define GPUDUMPFS_GLWORKER_D3D_TEXTURES_H

#include "glworker/d3d/d3d.h"

/*
 * Creates storage with undefined contents for a texture. Returns 0 or -ENOMEM. The caller drops it
 * with aero_storage_drop().
 */
int aero_texture_storage(const struct aero_texture *texture, struct aero_storage **out);
/*
 * Creates a texture of zeros, with alpha 1 if the format has none, and counts its bytes. Returns 0,
 * -EINVAL with a note, or -ENOMEM. The caller frees it with aero_resource_free().
 */
int aero_texture_make(struct aero *aero, const struct aerogpu_shape *shape, uint32_t usage,
                      struct aero_resource **out);
/* Returns how many bytes a texture takes, in GL and in the shadow together. */
uint64_t aero_texture_bytes(const struct aerogpu_shape *shape);
/*
 * Returns how many more bytes textures and buffers may take (worker.md 5.3). A session's limit
 * grows with the bytes that it was fed, since its contents come from there.
 */
uint64_t aero_room(const struct aero *aero);
/* Copies what GL holds of a texture to other storage of the same shape; not the shadow. */
void aero_texture_copy(const struct aero_texture *texture, const struct aero_storage *from,
                       struct aero_storage *to);
/*
 * Writes bytes at an offset in the linear layout, to the shadow and to GL. The caller has made the
 * storage its own (aero_own()). Returns 0, -EINVAL beyond the end, or -ENOMEM.
 */
int aero_texture_write(struct aero_texture *texture, uint64_t offset, const uint8_t *bytes,
                       uint64_t size);
/* Reads a subresource into width * height * 4 bytes at `to`: RGBA8, or f32 for depth formats. */
void aero_texture_read(const struct aero_texture *texture, uint32_t mip, uint32_t layer,
                       uint8_t *to);
/*
 * Brings the shadow of a subresource up to date and returns it. Returns NULL if there is no memory
 * or no such subresource.
 */
const uint8_t *aero_texture_shadow(struct aero_texture *texture, uint32_t mip, uint32_t layer);
/*
 * Texels of X8 formats have AERO_X8_BYTES bytes. The one at AERO_X8, beside the colours, is not in
 * GL, so its value is always in the shadow.
 */
enum { AERO_X8 = 3, AERO_X8_BYTES = 4 };
bool aero_texture_has_x8(const struct aero_texture *texture);
/*
 * Returns the address in the shadow of that byte of the first texel; it recurs every AERO_X8_BYTES
 * bytes. Returns NULL if there is no memory.
 */
uint8_t *aero_texture_x8(struct aero_texture *texture);
/* Marks the layers as drawn by GL, so that their shadow is outdated. */
void aero_texture_drawn(struct aero_texture *texture, uint32_t mip, uint32_t base_layer,
                        uint32_t layers);
/*
 * Returns a GL view of a complete texture (`view` is NULL) or of a part of it, for a texture target
 * of GL. The texture's storage owns the view. Returns 0 if there is no such view.
 */
GLuint aero_gl_view(struct aero_texture *texture, const struct aero_view *view, GLenum target,
                    bool srgb_wanted);

#endif
