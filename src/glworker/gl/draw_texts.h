/* SPDX-License-Identifier: MIT */
/*
 * What a draw saw, as texts (worker.md 6.9). The driver is queried while the session has stopped
 * after the draw; this leaves the state of the trace's context unchanged. One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_DRAW_TEXTS_H
#define GPUDUMPFS_GLWORKER_GL_DRAW_TEXTS_H

#include "base/text.h"
#include "glworker/gl/gl.h"

/* Write all of state.txt (state_text.c) and of uniforms.tsv (uniforms.c). */
void retrace_state_text(const struct retrace *retrace, struct text *text);
void retrace_uniforms_text(const struct retrace *retrace, struct text *text);

/* Write textures.tsv (draw_textures.c), and the driver's logs of programs (draw_shaders.c). */
void retrace_textures_text(const struct retrace *retrace, struct text *text);
void retrace_logs_text(const struct retrace *retrace, struct text *text);

/*
 * Write attributes.tsv, mesh.obj and transformed.obj of the draw after which the session has
 * stopped (draw_vertices.c).
 */
void retrace_vertices_text(struct retrace *retrace, struct text *text);
void retrace_mesh_text(struct retrace *retrace, struct text *text);
void retrace_transformed_text(struct retrace *retrace, struct text *text);

/* Write primitives.tsv and primitives.obj of that draw (primitives.c). */
void retrace_primitives_text(struct retrace *retrace, struct text *text);
void retrace_primitives_mesh_text(struct retrace *retrace, struct text *text);

#endif
