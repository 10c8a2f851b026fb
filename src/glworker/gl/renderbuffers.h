/* SPDX-License-Identifier: MIT */
/*
 * Uses renderbuffers, and leaves the one that is bound bound. Its name may have been deleted by
 * another context: then it is still bound, but could not be bound again, since its name would make
 * a new one. One thread; the context is current.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_RENDERBUFFERS_H
#define GPUDUMPFS_GLWORKER_GL_RENDERBUFFERS_H

#include "glworker/gl/surfaces.h"

/*
 * Binds a renderbuffer of the trace, given by its name here, for queries. Call
 * retrace_renderbuffer_unbind() afterwards.
 * Returns false, changing nothing, if there is none of that name, or if the one that is bound could
 * not be bound again.
 */
bool retrace_renderbuffer_bind(GLuint name, GLuint *bound);
/* Ends what retrace_renderbuffer_bind() began. */
void retrace_renderbuffer_unbind(GLuint name, GLuint bound);

/* Queries a renderbuffer of the trace, given by its name here. Returns 0 if that is impossible. */
GLint retrace_renderbuffer_get(const struct retrace_context *context, GLuint name, GLenum what);

/* Creates a renderbuffer of the worker with storage, and returns its name. */
GLuint retrace_renderbuffer_create(const struct retrace_context *context, GLenum format,
                                   GLsizei width, GLsizei height);

#endif
