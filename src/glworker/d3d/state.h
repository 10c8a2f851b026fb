/* SPDX-License-Identifier: MIT */
/*
 * The state that commands set, in GL's terms: D3D11's in state.c, Direct3D 9's in state9.c. Only
 * for the worker's thread.
 */
#ifndef GPUDUMPFS_GLWORKER_D3D_STATE_H
#define GPUDUMPFS_GLWORKER_D3D_STATE_H

#include "glworker/d3d/d3d.h"

/* Sets the initial state of Direct3D 11. */
void aero_state_init(struct aero_state *state);
void aero_state_free(struct aero_state *state);
/* Unbinds a resource, given by its original handle, from all slots. */
void aero_state_forget(struct aero_state *state, uint32_t original);
/* Unbinds a sampler from all slots. */
void aero_state_forget_sampler(struct aero_state *state, uint32_t handle);

aero_command aero_set_floats, aero_set_integers, aero_set_booleans, aero_set_layout, aero_set_blend,
    aero_set_depth_stencil, aero_set_rasterizer, aero_set_targets, aero_set_viewport,
    aero_set_scissor, aero_set_vertices, aero_set_indices, aero_set_topology, aero_set_texture,
    aero_set_samplers, aero_set_constants, aero_set_buffers, aero_set_written;

aero_command aero_set_sampler_state, aero_set_render_state;

#endif
