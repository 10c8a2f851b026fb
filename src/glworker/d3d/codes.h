/* SPDX-License-Identifier: MIT */
/*
 * What shaders were compiled to, and pairs of them were linked to, which outlives a session, since
 * drivers take long (shaders.c). The worker's one thread.
 */
#ifndef GPUDUMPFS_GLWORKER_D3D_CODES_H
#define GPUDUMPFS_GLWORKER_D3D_CODES_H

#include "glworker/d3d/d3d.h"

/* That of a shader, by its name and size, made at its first need; NULL: no memory. */
struct aero_code *aero_code(uint64_t name, uint64_t size);
/* The pair, with `made` false if it is new and is to be linked; NULL: no memory. */
struct aero_pair *aero_pair(uint64_t vertex, uint64_t pixel, uint64_t alpha_function, bool *made);
/* Between sessions: drops all when they have become many. */
void aero_codes_trim(void);

#endif
