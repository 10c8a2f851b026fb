/* SPDX-License-Identifier: MIT */
/*
 * What asks for state needs of a driver, for fuzz_worker_retrace: functions that do nothing, or
 * answer zeros, by names alone.
 */
#include "config.h"

#include "glworker/core/core.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

#define NOTHING(name, ...)                                                                         \
    void name(__VA_ARGS__)                                                                         \
    {                                                                                              \
    }

NOTHING(glClientActiveTexture, GLenum unit)
NOTHING(glGetAttachedShaders, GLuint program, GLsizei room, GLsizei *count, GLuint *shaders)
NOTHING(glGetClipPlane, GLenum plane, GLdouble *equation)
NOTHING(glGetDoublei_v, GLenum what, GLuint n, GLdouble *values)
NOTHING(glGetFloati_v, GLenum what, GLuint n, GLfloat *values)
NOTHING(glGetFloatv, GLenum what, GLfloat *values)
NOTHING(glGetInteger64i_v, GLenum what, GLuint n, GLint64 *values)
NOTHING(glGetLightfv, GLenum light, GLenum what, GLfloat *values)
NOTHING(glGetMaterialfv, GLenum face, GLenum what, GLfloat *values)
NOTHING(glGetProgramPipelineiv, GLuint pipeline, GLenum what, GLint *values)
NOTHING(glGetProgramiv, GLuint program, GLenum what, GLint *values)
NOTHING(glGetSamplerParameterfv, GLuint sampler, GLenum what, GLfloat *values)
NOTHING(glGetSamplerParameteriv, GLuint sampler, GLenum what, GLint *values)
NOTHING(glGetShaderiv, GLuint shader, GLenum what, GLint *values)
NOTHING(glGetTexEnvfv, GLenum target, GLenum what, GLfloat *values)
NOTHING(glGetTexEnviv, GLenum target, GLenum what, GLint *values)
NOTHING(glGetTexGenfv, GLenum coordinate, GLenum what, GLfloat *values)
NOTHING(glGetTexGeniv, GLenum coordinate, GLenum what, GLint *values)
NOTHING(glGetTexParameterfv, GLenum target, GLenum what, GLfloat *values)
NOTHING(glGetVertexAttribPointerv, GLuint n, GLenum what, void **pointer)

GLenum glCheckFramebufferStatus(GLenum target)
{
    return GL_FRAMEBUFFER_COMPLETE;
}
