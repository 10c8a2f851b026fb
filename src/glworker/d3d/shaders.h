/* SPDX-License-Identifier: MIT */
/*
 * Shaders of a session, and the worker's own programs. Only for the worker's thread.
 */
#ifndef GPUDUMPFS_GLWORKER_D3D_SHADERS_H
#define GPUDUMPFS_GLWORKER_D3D_SHADERS_H

#include "glworker/d3d/d3d.h"

/* Returns the shader of that handle; NULL if there is none. */
struct aero_shader *aero_shader(struct aero *aero, uint32_t handle);
void aero_shader_free(struct aero *aero, struct aero_shader *shader);
/* Returns whether the shader or draw of that name has killed a worker before. */
bool aero_is_bad(const struct aero *aero, uint64_t name);
/*
 * Returns a shader's compiled variant, which flips y if `flip` is set; compiles it at the first
 * use. Returns NULL if it cannot be run, which is noted once for each shader.
 */
struct aero_variant *aero_variant(struct aero *aero, struct aero_shader *shader, bool flip);

/*
 * Returns a program that passes position and colour on; y points down as in D3D, or up if `upwards`
 * is set. Returns 0, with a note, on failure.
 */
GLuint aero_plain_program(struct aero *aero, bool upwards);
/*
 * Returns a program that draws in magenta, as pixel or vertex stage. Returns 0, with a note, on
 * failure.
 */
GLuint aero_magenta_program(struct aero *aero, enum dxbc_program stage);

aero_command aero_create_shader, aero_destroy_shader, aero_bind_shaders_command;

#endif
