/* SPDX-License-Identifier: MIT */
/*
 * Draws with Direct3D 9 shaders (worker.md 5.2). Only for the worker's thread.
 */
#ifndef GPUDUMPFS_GLWORKER_D3D_D3D9_H
#define GPUDUMPFS_GLWORKER_D3D_D3D9_H

#include "glworker/d3d/d3d.h"

/* Frees mojoshader's result for a shader; NULL is harmless. */
void aero_d3d9_free(struct aero_d3d9 *d3d9);
/*
 * Binds program, constants, textures and vertices of a pair of shaders. Returns 0, or -EAGAIN, with
 * a note, if the pair cannot be run: the caller then draws in magenta.
 */
int aero_d3d9_bind(struct aero *aero, struct aero_shader *vertex, struct aero_shader *pixel,
                   uint32_t width, uint32_t height);

#endif
