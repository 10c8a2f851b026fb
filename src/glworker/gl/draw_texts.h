/* SPDX-License-Identifier: MIT */
/*
 * What a draw saw, as texts (worker.md 6.9). The driver is queried while the session has stopped
 * after the draw; this leaves the state of the trace's context unchanged. One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_DRAW_TEXTS_H
#define GPUDUMPFS_GLWORKER_GL_DRAW_TEXTS_H

#include "base/text.h"
#include "glworker/gl/gl.h"

/* Each function appends the complete text of one file. */

/* state.txt (state_text.c) */
void retrace_state_text(const struct retrace *retrace, struct text *text);
/* uniforms.tsv (uniforms.c) */
void retrace_uniforms_text(const struct retrace *retrace, struct text *text);
/* textures.tsv (draw_textures.c) */
void retrace_textures_text(const struct retrace *retrace, struct text *text);
/* The driver's logs of programs (draw_shaders.c). */
void retrace_logs_text(const struct retrace *retrace, struct text *text);

/* draw_vertices.c: attributes.tsv, mesh.obj and transformed.obj, which read the call again. */
void retrace_vertices_text(struct retrace *retrace, struct text *text);
void retrace_mesh_text(struct retrace *retrace, struct text *text);
void retrace_transformed_text(struct retrace *retrace, struct text *text);

/* primitives.c: primitives.tsv and primitives.obj, which read the call again, too. */
void retrace_primitives_text(struct retrace *retrace, struct text *text);
void retrace_primitives_mesh_text(struct retrace *retrace, struct text *text);

#endif
