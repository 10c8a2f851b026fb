/* SPDX-License-Identifier: MIT */
/*
 * Shaders for the tests of the worker and of traces: DXBC, assembled from tokens as fxc generates
 * them, and D3D9 bytecode. The caller drops the blobs.
 */
#ifndef GPUDUMPFS_TESTS_WORKER_SHADERS_H
#define GPUDUMPFS_TESTS_WORKER_SHADERS_H

#include "base/blob.h"

#include <stdbool.h>
#include <stdint.h>

/* mov o0, cb0[1] */
struct blob *shader_constant_pixel(void);
/* o0 = red, o1 = v1 */
struct blob *shader_two_targets(void);
/* sample o0, v1.xy, t0, s0 */
struct blob *shader_sample(void);
/* Compute shader with groups of four threads: each thread writes three times its number to u0. */
struct blob *shader_triples(void);
/* Compute shader with groups of four threads: each thread copies a word from t0 to u0. */
struct blob *shader_copy_words(void);
/* Geometry shader that turns each point into a triangle over the upper left half. */
struct blob *shader_corner(void);

/*
 * Shaders in the dialect of Aero's own tests: one passes position and colour on, one returns the
 * colour.
 */
struct blob *shader_dialect_vertex(void);
struct blob *shader_dialect_pixel(void);
/* Vertex shader that outputs position plus OFFSET, and the colour. */
struct blob *shader_offset_vertex(void);

/*
 * Tessellation of triangles: position and colour pass from vertices to patches; each patch has that
 * factor on all sides and inside; the domain shader weights both by the place in the domain.
 */
struct blob *shader_patch_vertex(void);
struct blob *shader_hull(float factor, bool copies);
struct blob *shader_domain(void);
/*
 * Compute shader with groups of four threads: each thread appends its number to u0, a structured
 * buffer of words.
 */
struct blob *shader_append(void);
/*
 * Compute shader with groups of four threads: each thread consumes a word from the end of u0 and
 * stores it at its own place in u1.
 */
struct blob *shader_consume(void);

/* dcl_position v0; dcl_color v1; mov oPos, v0; mov oD0, v1 */
extern const uint32_t shader_vs_2_0[14];
/* dcl v0; mul r0, v0, c3; mov oC0, r0 */
extern const uint32_t shader_ps_2_0[12];
/* dcl t0; dcl_2d s1; texld r0, t0, s1; mov oC0, r0 */
extern const uint32_t shader_texture_ps_2_0[15];
/* dcl_position v0; dcl_color v1; mov oPos, v0; mov oT0, v1 */
extern const uint32_t shader_texture_vs_2_0[14];
/* dcl_position v0; dcl_color v1; mov oPos, v0; mov oD0, v1 */
extern const uint32_t shader_vs_1_1[14];
/* mul r0, v0, c0 */
extern const uint32_t shader_ps_1_1[6];
/* dcl_position v0; dcl_position o0; mov o0, v0 */
extern const uint32_t shader_vs_3_0[11];
/* r0 = c0; i0.x times: r0 += c1; if b0: r0 = c2; oC0 = r0 */
extern const uint32_t shader_ps_3_0[21];

#endif
