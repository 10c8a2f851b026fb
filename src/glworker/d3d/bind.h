/* SPDX-License-Identifier: MIT */
/*
 * State to GL, before a draw. The worker's one thread.
 */
#ifndef GPUDUMPFS_GLWORKER_D3D_BIND_H
#define GPUDUMPFS_GLWORKER_D3D_BIND_H

#include "glworker/d3d/d3d.h"

/* Attaches the targets; *width and *height: the smallest of them. -EINVAL: noted. */
int aero_bind_targets(struct aero *aero, uint32_t *width, uint32_t *height);
void aero_targets_drawn(struct aero *aero);
/* Whether colour target `index` has no alpha: it stays at 255, as it reads. */
bool aero_is_opaque(struct aero *aero, uint32_t index);
void aero_bind_raster(struct aero *aero, uint32_t width, uint32_t height, bool fixed);
void aero_bind_stage(struct aero *aero, enum dxbc_program program,
                     const struct translation *translation);
void aero_bind_vertices(struct aero *aero, const struct aero_shader *shader);
/* One attribute from a slot. */
void aero_bind_attribute(struct aero *aero, unsigned location,
                         const struct aerogpu_element *element, bool integer);
/* Colour target `index`, or the back buffer if nothing at all is bound; NULL: none there. */
struct aero_resource *aero_target(struct aero *aero, uint32_t index);
struct aero_resource *aero_depth_target(struct aero *aero);
/* The first colour target, or the back buffer. */
struct aero_resource *aero_presented(struct aero *aero);
GLuint aero_sampler_of(struct aero *aero, enum dxbc_program stage, unsigned index, bool *srgb);

#endif
