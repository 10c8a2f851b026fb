/* SPDX-License-Identifier: MIT */
/*
 * Shaders of a session, and programs of our own. The worker's one thread.
 */
#ifndef GPUDUMPFS_GLWORKER_D3D_SHADERS_H
#define GPUDUMPFS_GLWORKER_D3D_SHADERS_H

#include "glworker/d3d/d3d.h"

/* By its handle; NULL: none. */
struct aero_shader *aero_shader(struct aero *aero, uint32_t handle);
void aero_shader_free(struct aero *aero, struct aero_shader *shader);
/* Whether this shader, or draw, killed a worker before. */
bool aero_is_bad(const struct aero *aero, uint64_t name);
/* Compiles on first use; NULL: it cannot be run, noted once. */
struct aero_variant *aero_variant(struct aero *aero, struct aero_shader *shader, bool flip);

/* Position and colour passed on; y downwards as in D3D, or upwards. 0: noted. */
GLuint aero_plain_program(struct aero *aero, bool upwards);
/* Magenta, as pixel or vertex stage. 0: noted. */
GLuint aero_magenta_program(struct aero *aero, enum dxbc_program stage);

aero_command aero_create_shader, aero_destroy_shader, aero_bind_shaders_command;

#endif
