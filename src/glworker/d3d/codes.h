/* SPDX-License-Identifier: MIT */
/*
 * Compiled shaders and linked pairs of them. They outlive a session, since drivers take long to
 * compile (shaders.c). Only for the worker's thread.
 */
#ifndef GPUDUMPFS_GLWORKER_D3D_CODES_H
#define GPUDUMPFS_GLWORKER_D3D_CODES_H

#include "glworker/d3d/d3d.h"

/*
 * Returns the compiled code of the shader with that name and size, creating an empty entry at the
 * first call. Returns NULL if there is no memory.
 */
struct aero_code *aero_code(uint64_t name, uint64_t size);
/*
 * Returns the entry of a pair of shaders. `made` is set to false if the entry is new, so that the
 * caller has to link the pair. Returns NULL if there is no memory.
 */
struct aero_pair *aero_pair(uint64_t vertex, uint64_t pixel, uint64_t alpha_function, bool *made);
/* Drops all entries once there are many of them. Call it between sessions. */
void aero_codes_trim(void);

#endif
