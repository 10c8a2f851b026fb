/* SPDX-License-Identifier: MIT */
/*
 * Draws with Direct3D 9's shaders (worker.md 5.2). The worker's one thread.
 */
#ifndef GPUDUMPFS_GLWORKER_D3D_D3D9_H
#define GPUDUMPFS_GLWORKER_D3D_D3D9_H

#include "glworker/d3d/d3d.h"

/* Frees what mojoshader says of a shader; NULL is harmless. */
void aero_d3d9_free(struct aero_d3d9 *d3d9);
/* Program, constants, textures and vertices of a pair; -EAGAIN: magenta stands in, noted. */
int aero_d3d9_bind(struct aero *aero, struct aero_shader *vertex, struct aero_shader *pixel,
                   uint32_t width, uint32_t height);

#endif
