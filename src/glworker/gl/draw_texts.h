/* SPDX-License-Identifier: MIT */
/*
 * What a draw saw, as texts (worker.md 6.9): told by the driver where the session stands, which
 * leaves the state of the trace's context as it was. One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_DRAW_TEXTS_H
#define GPUDUMPFS_GLWORKER_GL_DRAW_TEXTS_H

#include "base/text.h"
#include "glworker/gl/gl.h"

/* state_text.c, uniforms.c: the whole of state.txt and of uniforms.tsv. */
void retrace_state_text(const struct retrace *retrace, struct text *text);
void retrace_uniforms_text(const struct retrace *retrace, struct text *text);

/* draw_textures.c and draw_shaders.c: textures.tsv, and what the driver says of programs. */
void retrace_textures_text(const struct retrace *retrace, struct text *text);
void retrace_logs_text(const struct retrace *retrace, struct text *text);

/* draw_vertices.c: attributes.tsv, mesh.obj and transformed.obj of the draw that the session stands
 * behind. */
void retrace_vertices_text(struct retrace *retrace, struct text *text);
void retrace_mesh_text(struct retrace *retrace, struct text *text);
void retrace_transformed_text(struct retrace *retrace, struct text *text);

/* primitives.c: primitives.tsv and primitives.obj of it. */
void retrace_primitives_text(struct retrace *retrace, struct text *text);
void retrace_primitives_mesh_text(struct retrace *retrace, struct text *text);

#endif
