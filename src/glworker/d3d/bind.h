/* SPDX-License-Identifier: MIT */
/*
 * Passes the session's state to GL before a draw. Only for the worker's thread.
 */
#ifndef GPUDUMPFS_GLWORKER_D3D_BIND_H
#define GPUDUMPFS_GLWORKER_D3D_BIND_H

#include "glworker/d3d/d3d.h"

/*
 * Attaches the targets to the framebuffer, and stores the smallest of their widths and heights.
 * Returns 0, -EINVAL or -ENOMEM; failures are noted.
 */
int aero_bind_targets(struct aero *aero, uint32_t *width, uint32_t *height);
/*
 * Binds one colour target, which must exist, or only the depth target. Clears need this: GL limits
 * them to what all targets have in common, D3D does not.
 */
int aero_bind_colour_target(struct aero *aero, uint32_t index);
int aero_bind_depth_target(struct aero *aero);
/* Marks a target, or all that are bound, as drawn (aero_texture_drawn()); NULL is none. */
void aero_target_drawn(struct aero_resource *target);
void aero_targets_drawn(struct aero *aero);
/*
 * Returns whether colour target `index` has no alpha channel: its alpha stays at 255, as it reads.
 */
bool aero_is_opaque(struct aero *aero, uint32_t index);
/*
 * Returns whether a viewport is set: all six values are finite, and width and height are positive.
 */
bool aero_has_viewport(const struct aero_state *state);
/*
 * Binds raster, blend, depth and stencil state. The viewport is width x height if none is set.
 * `fixed`: the draw has no shaders, and so no blending, depth test, stencil test, culling or write
 * masks.
 */
void aero_bind_raster(struct aero *aero, uint32_t width, uint32_t height, bool fixed);
/* Binds the constants, textures, buffers and images that a translated stage uses. */
void aero_bind_stage(struct aero *aero, enum dxbc_program program,
                     const struct translation *translation);
/* Binds the inputs of a vertex shader, found by semantic in the layout. */
void aero_bind_vertices(struct aero *aero, const struct aero_shader *shader);
/*
 * Binds one vertex attribute to the vertex buffer slot of `element`; leaves it disabled if the slot
 * has no valid buffer.
 */
void aero_bind_attribute(struct aero *aero, unsigned location,
                         const struct aerogpu_element *element, bool integer);
/*
 * Returns colour target `index`; the back buffer if index is 0 and no target at all is bound; NULL
 * if there is none.
 */
struct aero_resource *aero_target(struct aero *aero, uint32_t index);
/* Returns the depth target; NULL if there is none. */
struct aero_resource *aero_depth_target(struct aero *aero);
/* Returns the first colour target, or the back buffer if there is none. */
struct aero_resource *aero_presented(struct aero *aero);
/*
 * Returns the sampler of a slot of a stage, never 0, and stores in *srgb whether D3D9's state
 * requests conversion from sRGB. The session owns the sampler.
 */
GLuint aero_sampler_of(struct aero *aero, enum dxbc_program stage, unsigned index, bool *srgb);

#endif
