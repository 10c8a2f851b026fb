/* SPDX-License-Identifier: MIT */
/*
 * Shaders for the tests of the worker and of traces: DXBC, assembled from tokens as
 * fxc makes them, and D3D9's bytecode. The caller drops the blob.
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
/* A group of four threads: each writes its number times 3 to u0. */
struct blob *shader_triples(void);
/* Groups of four threads: each copies a word from t0 to u0. */
struct blob *shader_copy_words(void);
/* Makes of each point a triangle that covers the upper left half. */
struct blob *shader_corner(void);

/* The dialect of Aero's own tests: passes position and colour on; returns the colour. */
struct blob *shader_dialect_vertex(void);
struct blob *shader_dialect_pixel(void);
/* Position plus OFFSET, and the colour. */
struct blob *shader_offset_vertex(void);

/*
 * Tessellation of triangles: position and colour from vertices to patches; each patch with
 * that factor on all sides and within; both weighted by the place in the domain.
 */
struct blob *shader_patch_vertex(void);
struct blob *shader_hull(float factor, bool copies);
struct blob *shader_domain(void);
/* Groups of four threads: each appends its number to u0, a structured buffer of words. */
struct blob *shader_append(void);
/* Groups of four threads: each takes a word from the end of u0, for its place in u1. */
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
