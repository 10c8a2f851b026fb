/* SPDX-License-Identifier: MIT */
/*
 * The functions of a driver that messages which read state need, for fuzz_worker_retrace: they do
 * nothing, or return zeros, and are linked by their names.
 */
#include "config.h"

#include "glworker/core/graphics.h"

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
NOTHING(glMatrixMode, GLenum mode)
NOTHING(glPauseTransformFeedback, void)
NOTHING(glPixelTransferf, GLenum what, GLfloat value)
NOTHING(glPopAttrib, void)
NOTHING(glPopClientAttrib, void)
NOTHING(glPopMatrix, void)
NOTHING(glPushAttrib, GLbitfield groups)
NOTHING(glPushClientAttrib, GLbitfield groups)
NOTHING(glPushMatrix, void)
NOTHING(glResumeTransformFeedback, void)
NOTHING(glGetVertexAttribPointerv, GLuint n, GLenum what, void **pointer)

/*
 * Functions that display lists use, and those that set state and draw between glBegin() and
 * glEnd().
 */
NOTHING(glBegin, GLenum mode)
NOTHING(glColor4fv, const GLfloat *color)
NOTHING(glEnd, void)
NOTHING(glFogCoordfv, const GLfloat *coord)
NOTHING(glGetVertexAttribIiv, GLuint n, GLenum what, GLint *values)
NOTHING(glGetVertexAttribIuiv, GLuint n, GLenum what, GLuint *values)
NOTHING(glGetVertexAttribLdv, GLuint n, GLenum what, GLdouble *values)
NOTHING(glLoadMatrixf, const GLfloat *matrix)
NOTHING(glMultiTexCoord4fv, GLenum unit, const GLfloat *coords)
NOTHING(glNormal3fv, const GLfloat *normal)
NOTHING(glSecondaryColor3fv, const GLfloat *color)
NOTHING(glVertex2f, GLfloat x, GLfloat y)
NOTHING(glVertex4fv, const GLfloat *place)
NOTHING(glVertexAttrib4fv, GLuint n, const GLfloat *values)
NOTHING(glVertexAttribI4iv, GLuint n, const GLint *values)
NOTHING(glVertexAttribI4uiv, GLuint n, const GLuint *values)

NOTHING(glBindTexture, GLenum target, GLuint texture)
NOTHING(glDeleteSync, GLsync sync)
NOTHING(glDeleteTextures, GLsizei n, const GLuint *textures)
NOTHING(glBlitNamedFramebuffer, GLuint from, GLuint to, GLint x0, GLint y0, GLint x1, GLint y1,
        GLint to_x0, GLint to_y0, GLint to_x1, GLint to_y1, GLbitfield planes, GLenum filter)
NOTHING(glFramebufferTexture, GLenum target, GLenum attachment, GLuint name, GLint level)
NOTHING(glFramebufferTexture2D, GLenum target, GLenum attachment, GLenum kind, GLuint name,
        GLint level)
NOTHING(glFramebufferTextureLayer, GLenum target, GLenum attachment, GLuint name, GLint level,
        GLint layer)
NOTHING(glGenTextures, GLsizei n, GLuint *textures)
NOTHING(glGenerateMipmap, GLenum target)
NOTHING(glGetActiveAttrib, GLuint program, GLuint n, GLsizei room, GLsizei *length, GLint *size,
        GLenum *type, GLchar *name)
NOTHING(glGetActiveUniform, GLuint program, GLuint n, GLsizei room, GLsizei *length, GLint *size,
        GLenum *type, GLchar *name)
NOTHING(glGetActiveUniformBlockName, GLuint program, GLuint n, GLsizei room, GLsizei *length,
        GLchar *name)
NOTHING(glGetActiveUniformBlockiv, GLuint program, GLuint n, GLenum what, GLint *values)
NOTHING(glGetActiveUniformsiv, GLuint program, GLsizei count, const GLuint *numbers, GLenum what,
        GLint *values)
NOTHING(glGetBufferSubData, GLenum target, GLintptr offset, GLsizeiptr size, void *bytes)
NOTHING(glGetNamedRenderbufferParameteriv, GLuint name, GLenum what, GLint *value)
NOTHING(glGetPointerv, GLenum what, void **pointer)
NOTHING(glGetProgramInfoLog, GLuint program, GLsizei room, GLsizei *length, GLchar *log)
NOTHING(glGetShaderInfoLog, GLuint shader, GLsizei room, GLsizei *length, GLchar *log)
NOTHING(glGetShaderSource, GLuint shader, GLsizei room, GLsizei *length, GLchar *source)
NOTHING(glGetTexImage, GLenum target, GLint level, GLenum format, GLenum type, void *pixels)
NOTHING(glGetUniformdv, GLuint program, GLint location, GLdouble *values)
NOTHING(glGetUniformfv, GLuint program, GLint location, GLfloat *values)
NOTHING(glGetUniformiv, GLuint program, GLint location, GLint *values)
NOTHING(glGetUniformuiv, GLuint program, GLint location, GLuint *values)
NOTHING(glGetVertexAttribfv, GLuint n, GLenum what, GLfloat *values)
NOTHING(glTexSubImage2D, GLenum target, GLint level, GLint x, GLint y, GLsizei width,
        GLsizei height, GLenum format, GLenum type, const void *pixels)
NOTHING(glTexStorage2D, GLenum target, GLsizei levels, GLenum format, GLsizei width, GLsizei height)
NOTHING(glTexStorage2DMultisample, GLenum target, GLsizei samples, GLenum format, GLsizei width,
        GLsizei height, GLboolean fixed)

/* the size of the memory that glMapBufferRange() of fuzz_worker_retrace returns */
void glGetBufferParameteri64v(GLenum target, GLenum what, GLint64 *value)
{
    *value = 1 << 12;
}

GLsync glFenceSync(GLenum condition, GLbitfield flags)
{
    return NULL;
}

GLint glGetAttribLocation(GLuint program, const GLchar *name)
{
    return -1;
}

NOTHING(glAttachShader, GLuint program, GLuint shader)
NOTHING(glBeginTransformFeedback, GLenum primitiveMode)
NOTHING(glBindAttribLocation, GLuint program, GLuint index, const GLchar *name)
NOTHING(glBindBufferBase, GLenum target, GLuint index, GLuint buffer)
NOTHING(glBindTransformFeedback, GLenum target, GLuint id)
NOTHING(glBufferData, GLenum target, GLsizeiptr size, const void *data, GLenum usage)
NOTHING(glCompileShader, GLuint shader)
NOTHING(glDeleteBuffers, GLsizei n, const GLuint *buffers)
NOTHING(glDeleteProgram, GLuint program)
NOTHING(glDeleteShader, GLuint shader)
NOTHING(glDeleteTransformFeedbacks, GLsizei n, const GLuint *ids)
NOTHING(glBindProgramPipeline, GLuint pipeline)
NOTHING(glDeleteProgramPipelines, GLsizei n, const GLuint *pipelines)
NOTHING(glDrawArraysInstanced, GLenum mode, GLint first, GLsizei count, GLsizei instancecount)
NOTHING(glDrawArraysInstancedBaseInstance, GLenum mode, GLint first, GLsizei count,
        GLsizei instancecount, GLuint baseinstance)
NOTHING(glDrawElementsInstanced, GLenum mode, GLsizei count, GLenum type, const void *indices,
        GLsizei instancecount)
NOTHING(glDrawElementsInstancedBaseVertex, GLenum mode, GLsizei count, GLenum type,
        const void *indices, GLsizei instancecount, GLint basevertex)
NOTHING(glDrawElementsInstancedBaseVertexBaseInstance, GLenum mode, GLsizei count, GLenum type,
        const void *indices, GLsizei instancecount, GLint basevertex, GLuint baseinstance)
NOTHING(glEndTransformFeedback, void)
NOTHING(glGenBuffers, GLsizei n, GLuint *buffers)
NOTHING(glGenProgramPipelines, GLsizei n, GLuint *pipelines)
NOTHING(glGenTransformFeedbacks, GLsizei n, GLuint *ids)
NOTHING(glGetProgramInterfaceiv, GLuint program, GLenum interface, GLenum what, GLint *values)
NOTHING(glGetProgramResourceName, GLuint program, GLenum interface, GLuint n, GLsizei room,
        GLsizei *length, GLchar *name)
NOTHING(glGetProgramResourceiv, GLuint program, GLenum interface, GLuint n, GLsizei count,
        const GLenum *what, GLsizei room, GLsizei *length, GLint *values)
NOTHING(glGetProgramStageiv, GLuint program, GLenum shadertype, GLenum pname, GLint *values)
NOTHING(glLinkProgram, GLuint program)
NOTHING(glProgramParameteri, GLuint program, GLenum what, GLint value)
NOTHING(glShaderBinary, GLsizei count, const GLuint *shaders, GLenum format, const void *binary,
        GLsizei length)
NOTHING(glShaderSource, GLuint shader, GLsizei count, const GLchar *const *string,
        const GLint *length)
NOTHING(glTransformFeedbackVaryings, GLuint program, GLsizei count, const GLchar *const *varyings,
        GLenum bufferMode)
NOTHING(glUniform1fv, GLint location, GLsizei count, const GLfloat *value)
NOTHING(glUniform1iv, GLint location, GLsizei count, const GLint *value)
NOTHING(glUniform1uiv, GLint location, GLsizei count, const GLuint *value)
NOTHING(glUniform2fv, GLint location, GLsizei count, const GLfloat *value)
NOTHING(glUniform2iv, GLint location, GLsizei count, const GLint *value)
NOTHING(glUniform2uiv, GLint location, GLsizei count, const GLuint *value)
NOTHING(glUniform3fv, GLint location, GLsizei count, const GLfloat *value)
NOTHING(glUniform3iv, GLint location, GLsizei count, const GLint *value)
NOTHING(glUniform3uiv, GLint location, GLsizei count, const GLuint *value)
NOTHING(glUniform4fv, GLint location, GLsizei count, const GLfloat *value)
NOTHING(glUniform4iv, GLint location, GLsizei count, const GLint *value)
NOTHING(glUniform4uiv, GLint location, GLsizei count, const GLuint *value)
NOTHING(glUseProgramStages, GLuint pipeline, GLbitfield stages, GLuint program)
NOTHING(glUniformBlockBinding, GLuint program, GLuint uniformBlockIndex, GLuint uniformBlockBinding)
NOTHING(glUniformMatrix2fv, GLint location, GLsizei count, GLboolean transpose,
        const GLfloat *value)
NOTHING(glUniformMatrix2x3fv, GLint location, GLsizei count, GLboolean transpose,
        const GLfloat *value)
NOTHING(glUniformMatrix2x4fv, GLint location, GLsizei count, GLboolean transpose,
        const GLfloat *value)
NOTHING(glUniformMatrix3fv, GLint location, GLsizei count, GLboolean transpose,
        const GLfloat *value)
NOTHING(glUniformMatrix3x2fv, GLint location, GLsizei count, GLboolean transpose,
        const GLfloat *value)
NOTHING(glUniformMatrix3x4fv, GLint location, GLsizei count, GLboolean transpose,
        const GLfloat *value)
NOTHING(glUniformMatrix4fv, GLint location, GLsizei count, GLboolean transpose,
        const GLfloat *value)
NOTHING(glUniformMatrix4x2fv, GLint location, GLsizei count, GLboolean transpose,
        const GLfloat *value)
NOTHING(glUniformMatrix4x3fv, GLint location, GLsizei count, GLboolean transpose,
        const GLfloat *value)
NOTHING(glUseProgram, GLuint program)

GLint glGetUniformLocation(GLuint program, const GLchar *name)
{
    return 0;
}

GLboolean glIsShader(GLuint shader)
{
    return shader % 2 == 0;
}

GLboolean glIsFramebuffer(GLuint framebuffer)
{
    return framebuffer % 2 == 0;
}

GLboolean glIsRenderbuffer(GLuint renderbuffer)
{
    return renderbuffer % 2 == 0;
}

GLenum glCheckFramebufferStatus(GLenum target)
{
    return GL_FRAMEBUFFER_COMPLETE;
}

GLuint glCreateProgram(void)
{
    return 1;
}

GLuint glCreateShader(GLenum stage)
{
    return 1;
}

GLuint glGetUniformBlockIndex(GLuint program, const GLchar *name)
{
    return 0;
}
