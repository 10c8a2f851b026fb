/* SPDX-License-Identifier: MIT */
/*
 * Event streams that the worker replays, with a driver that does nothing: the input is fed in
 * portions and run to its end, and pictures are requested.
 */
#include "config.h"

#include "glworker/core/confine.h"
#include "glworker/gl/gl.h"
#include "glworker/gl/session.h"

#include "worker/apitrace_session.h"

#include <EGL/egl.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct serve_kind *const kinds[] = {retrace_kinds, NULL};

/* Stubs for the rest of the worker. */

int confine_finish(void)
{
    return 0;
}

void confine_time(void)
{
}

void confine_be_busy(bool now)
{
    (void)now;
}

void confine_memory(uint64_t objects)
{
    (void)objects;
}

int graphics_start(char reason[WORKER_REASON])
{
    (void)reason;
    return 0;
}

int graphics_enter(char reason[WORKER_REASON])
{
    (void)reason;
    return 0;
}

void *graphics_display(void)
{
    return NULL;
}

static bool compile_only; /* as if no pixels were requested */

bool graphics_is_compile_only(void)
{
    return compile_only;
}

const char *graphics_renderer(void)
{
    return "none";
}

bool graphics_failed(void)
{
    return false;
}

/* A driver that does nothing. All mapped buffers share this memory. */
static uint8_t memory[1 << 12];

static uintptr_t one(void)
{
    return 1;
}

static void *map(GLenum target, GLintptr offset, GLsizeiptr length, GLbitfield access)
{
    (void)target, (void)offset, (void)access;
    return length >= 0 && (size_t)length <= sizeof(memory) ? memory : NULL;
}

static void *map_all(GLenum target, GLenum access)
{
    (void)target, (void)access;
    return memory;
}

__eglMustCastToProperFunctionPointerType eglGetProcAddress(const char *name)
{
    if (strstr(name, "Range") != NULL && strncmp(name, "glMap", 5) == 0)
        return (__eglMustCastToProperFunctionPointerType)map;
    if (strncmp(name, "glMap", 5) == 0 && strstr(name, "Buffer") != NULL)
        return (__eglMustCastToProperFunctionPointerType)map_all;
    return (__eglMustCastToProperFunctionPointerType)one;
}

EGLBoolean eglBindAPI(EGLenum api)
{
    (void)api;
    return EGL_TRUE;
}

EGLBoolean eglChooseConfig(EGLDisplay display, const EGLint *attributes, EGLConfig *configs,
                           EGLint max, EGLint *count)
{
    (void)display, (void)attributes, (void)max;
    configs[0] = memory;
    *count = 1;
    return EGL_TRUE;
}

EGLBoolean eglGetConfigAttrib(EGLDisplay display, EGLConfig config, EGLint what, EGLint *value)
{
    (void)display, (void)config;
    *value = what == EGL_DEPTH_SIZE ? 24 : what == EGL_SAMPLES ? 0 : 8;
    return EGL_TRUE;
}

EGLContext eglCreateContext(EGLDisplay display, EGLConfig config, EGLContext share,
                            const EGLint *attributes)
{
    (void)display, (void)config, (void)share, (void)attributes;
    return memory;
}

EGLSurface eglCreatePbufferSurface(EGLDisplay display, EGLConfig config, const EGLint *attributes)
{
    (void)display, (void)config, (void)attributes;
    return memory;
}

EGLContext eglGetCurrentContext(void)
{
    return memory;
}

EGLBoolean eglDestroyContext(EGLDisplay display, EGLContext context)
{
    (void)display, (void)context;
    return EGL_TRUE;
}

EGLBoolean eglDestroySurface(EGLDisplay display, EGLSurface surface)
{
    (void)display, (void)surface;
    return EGL_TRUE;
}

EGLBoolean eglMakeCurrent(EGLDisplay display, EGLSurface draw, EGLSurface read, EGLContext context)
{
    (void)display, (void)draw, (void)read, (void)context;
    return EGL_TRUE;
}

static bool elsewhere; /* draws go to a framebuffer object with several samples */

void glGetIntegerv(GLenum what, GLint *value)
{
    if (elsewhere && (what == GL_DRAW_FRAMEBUFFER_BINDING || what == GL_SAMPLES))
        *value = 4;
    else if (what == GL_DRAW_BUFFER0)
        *value = GL_COLOR_ATTACHMENT0;
    else
        *value = what == GL_MAJOR_VERSION ? 4 : what == GL_UNPACK_ALIGNMENT ? 4 : 0;
}

void glGetBufferParameteriv(GLenum target, GLenum what, GLint *value)
{
    (void)target, (void)what;
    *value = sizeof(memory);
}

void glGetNamedBufferParameteriv(GLuint buffer, GLenum what, GLint *value)
{
    (void)buffer, (void)what;
    *value = sizeof(memory);
}

void glGetVertexAttribiv(GLuint index, GLenum what, GLint *value)
{
    (void)index;
    *value = what == GL_VERTEX_ATTRIB_ARRAY_ENABLED;
}

void glGetTexLevelParameteriv(GLenum target, GLint level, GLenum what, GLint *value)
{
    (void)target;
    *value = level == 0 && what != GL_TEXTURE_DEPTH_SIZE ? 4 : 0;
}

void glGetTexParameteriv(GLenum target, GLenum what, GLint *value)
{
    (void)target;
    *value = what != GL_TEXTURE_BASE_LEVEL;
}

/* The worker uses this function only to allocate storage. */
void glTexImage2D(GLenum target, GLint level, GLint internal, GLsizei width, GLsizei height,
                  GLint border, GLenum format, GLenum type, const void *pixels)
{
    (void)target, (void)level, (void)internal, (void)width, (void)height;
    (void)border, (void)format, (void)type;
    if (pixels != NULL)
        abort();
}

void glGetTextureLevelParameteriv(GLuint texture, GLint level, GLenum what, GLint *value)
{
    (void)texture, (void)level, (void)what;
    *value = 4;
}

void glGetTextureSubImage(GLuint texture, GLint level, GLint x, GLint y, GLint z, GLsizei width,
                          GLsizei height, GLsizei depth, GLenum format, GLenum type, GLsizei size,
                          void *pixels)
{
    (void)texture, (void)level, (void)x, (void)y, (void)z, (void)width, (void)height;
    (void)depth, (void)format, (void)type;
    memset(pixels, 1, (size_t)size);
}

GLboolean glIsTexture(GLuint texture)
{
    return texture != 0;
}

GLboolean glIsQuery(GLuint query)
{
    return query != 0;
}

GLboolean glIsEnabled(GLenum what)
{
    return what < 0x8F9D;
}

void *glMapBufferRange(GLenum target, GLintptr offset, GLsizeiptr length, GLbitfield access)
{
    (void)target, (void)access;
    return bytes_inside((uint64_t)offset, (uint64_t)length, sizeof(memory)) ? memory : NULL;
}

GLboolean glUnmapBuffer(GLenum target)
{
    (void)target;
    return GL_TRUE;
}

void glReadPixels(GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type,
                  void *pixels)
{
    size_t bytes = format == GL_STENCIL_INDEX ? 1 : format == GL_RGBA_INTEGER ? 16 : 4;

    (void)x, (void)y, (void)type;
    memset(pixels, 1, (size_t)width * (size_t)height * bytes);
}

void glGetBooleanv(GLenum what, GLboolean *value)
{
    memset(value, GL_TRUE, what == GL_COLOR_WRITEMASK ? 4 : 1);
}

void glGetBooleani_v(GLenum what, GLuint index, GLboolean *value)
{
    (void)index;
    glGetBooleanv(what, value);
}

void glGetIntegeri_v(GLenum what, GLuint index, GLint *value)
{
    (void)what;
    for (int n = 0; n < 4; n++)
        value[n] = (GLint)index + n;
}

GLboolean glIsEnabledi(GLenum what, GLuint index)
{
    (void)index;
    return glIsEnabled(what);
}

void glGetQueryObjectuiv(GLuint query, GLenum what, GLuint *value)
{
    static GLuint passed;

    (void)query, (void)what;
    *value = ++passed % 4 != 0;
}

GLenum glClientWaitSync(GLsync sync, GLbitfield flags, GLuint64 timeout)
{
    (void)sync, (void)flags, (void)timeout;
    return GL_ALREADY_SIGNALED;
}

#define NOTHING(name, ...)                                                                         \
    void name(__VA_ARGS__)                                                                         \
    {                                                                                              \
    }
#pragma GCC diagnostic ignored "-Wunused-parameter"
NOTHING(glActiveTexture, GLenum unit)
NOTHING(glBeginConditionalRender, GLuint query, GLenum mode)
NOTHING(glBeginQuery, GLenum target, GLuint query)
NOTHING(glCreateFramebuffers, GLsizei count, GLuint *names)
NOTHING(glCreateRenderbuffers, GLsizei count, GLuint *names)
NOTHING(glNamedFramebufferDrawBuffer, GLuint framebuffer, GLenum buffer)
NOTHING(glNamedFramebufferReadBuffer, GLuint framebuffer, GLenum buffer)
NOTHING(glNamedFramebufferRenderbuffer, GLuint framebuffer, GLenum attachment, GLenum target,
        GLuint renderbuffer)
NOTHING(glNamedFramebufferTexture, GLuint framebuffer, GLenum attachment, GLuint texture,
        GLint level)
NOTHING(glNamedFramebufferTextureLayer, GLuint framebuffer, GLenum attachment, GLuint texture,
        GLint level, GLint layer)
NOTHING(glNamedRenderbufferStorage, GLuint renderbuffer, GLenum format, GLsizei width,
        GLsizei height)
NOTHING(glBindBuffer, GLenum target, GLuint buffer)
NOTHING(glBindFramebuffer, GLenum target, GLuint framebuffer)
NOTHING(glBindRenderbuffer, GLenum target, GLuint renderbuffer)
NOTHING(glBlendColor, GLfloat red, GLfloat green, GLfloat blue, GLfloat alpha)
NOTHING(glBlendEquationSeparatei, GLuint index, GLenum rgb, GLenum alpha)
NOTHING(glBlendFuncSeparatei, GLuint index, GLenum from, GLenum to, GLenum from_alpha,
        GLenum to_alpha)
NOTHING(glBlitFramebuffer, GLint x0, GLint y0, GLint x1, GLint y1, GLint tox0, GLint toy0,
        GLint tox1, GLint toy1, GLbitfield mask, GLenum filter)
NOTHING(glClear, GLbitfield mask)
NOTHING(glClearBufferfv, GLenum buffer, GLint index, const GLfloat *value)
NOTHING(glClearColor, GLfloat red, GLfloat green, GLfloat blue, GLfloat alpha)
NOTHING(glClearDepth, GLdouble depth)
NOTHING(glClearStencil, GLint stencil)
NOTHING(glColorMask, GLboolean red, GLboolean green, GLboolean blue, GLboolean alpha)
NOTHING(glColorMaski, GLuint index, GLboolean red, GLboolean green, GLboolean blue, GLboolean alpha)
NOTHING(glDeleteFramebuffers, GLsizei n, const GLuint *framebuffers)
NOTHING(glDeleteRenderbuffers, GLsizei n, const GLuint *renderbuffers)
NOTHING(glDeleteQueries, GLsizei n, const GLuint *queries)
NOTHING(glDepthMask, GLboolean flag)
NOTHING(glDisable, GLenum what)
NOTHING(glDisablei, GLenum what, GLuint index)
NOTHING(glDrawBuffer, GLenum buffer)
NOTHING(glEnable, GLenum what)
NOTHING(glEnablei, GLenum what, GLuint index)
NOTHING(glEndConditionalRender, void)
NOTHING(glEndQuery, GLenum target)
NOTHING(glFinish, void)
NOTHING(glFlush, void)
NOTHING(glFramebufferParameteri, GLenum target, GLenum name, GLint value)
NOTHING(glFramebufferRenderbuffer, GLenum target, GLenum attachment, GLenum kind, GLuint name)
NOTHING(glGenFramebuffers, GLsizei n, GLuint *framebuffers)
NOTHING(glGenQueries, GLsizei n, GLuint *queries)
NOTHING(glGenRenderbuffers, GLsizei n, GLuint *renderbuffers)
NOTHING(glGetFramebufferAttachmentParameteriv, GLenum target, GLenum attachment, GLenum what,
        GLint *value)
NOTHING(glGetRenderbufferParameteriv, GLenum target, GLenum what, GLint *value)
NOTHING(glGetQueryiv, GLenum target, GLenum what, GLint *value)
NOTHING(glLineWidth, GLfloat width)
NOTHING(glPixelStorei, GLenum what, GLint value)
NOTHING(glPolygonMode, GLenum face, GLenum mode)
NOTHING(glReadBuffer, GLenum buffer)
NOTHING(glRenderbufferStorage, GLenum target, GLenum format, GLsizei width, GLsizei height)
NOTHING(glScissor, GLint x, GLint y, GLsizei width, GLsizei height)
NOTHING(glScissorIndexedv, GLuint index, const GLint *box)
NOTHING(glStencilMask, GLuint mask)
NOTHING(glStencilMaskSeparate, GLenum face, GLuint mask)
NOTHING(glTexParameteri, GLenum target, GLenum what, GLint value)

/* Sends a message, which consists of numbers and of bytes after them. */
static void send(uint16_t kind, const uint32_t *numbers, size_t count, const uint8_t *bytes,
                 size_t size)
{
    struct serve_answer answer = {.bulk = NULL};
    struct blob *payload = NULL;

    if (blob_create(4 * count + size, &payload) < 0)
        return;
    if (count > 0)
        memcpy(payload->data, numbers, 4 * count);
    if (size > 0)
        memcpy(payload->data + 4 * count, bytes, size);
    if (serve_one(kinds, kind, payload, &answer) < 0 && answer.reason[0] == '\0')
        abort();
    serve_answer_free(&answer);
    blob_unref(&payload);
}

static void feed(const uint8_t *data, size_t from, size_t to, uint32_t stop, uint32_t flags)
{
    const uint32_t numbers[] = {(uint32_t)from, 0, stop, stop == UINT32_MAX ? stop : 0, flags, 0};

    send(APITRACE_MESSAGE_FEED, numbers, 6, data + from, to - from);
}

/*
 * Sets a mark if that is possible, replays, and goes back to it twice: the first time the mark is
 * kept, the second time it is dropped.
 */
static void go_back(const uint8_t *data, size_t from, size_t to)
{
    static const uint32_t stays = 1, goes = 0;

    send(APITRACE_MESSAGE_MARK, NULL, 0, NULL, 0);
    if (retrace_session()->mark == NULL)
        return;
    feed(data, from, to, UINT32_MAX, 0);
    send(APITRACE_MESSAGE_BACK, &stays, 1, NULL, 0);
    from = retrace_session()->stream.end;
    feed(data, from, to, UINT32_MAX, APITRACE_FEED_DISCARD);
    send(APITRACE_MESSAGE_BACK, &goes, 1, NULL, 0);
    feed(data, from, to / 2 > from ? to / 2 : from, UINT32_MAX, 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* a drawable created by call 1, one without a context, and a bad call */
    static const uint32_t reset[] = {1 << 24, 0,          2,          1, 1, 0,  7,  0, 32, 32, 0,
                                     0,       UINT32_MAX, UINT32_MAX, 0, 0, 16, 16, 0, 0,  9,  0};
    static const uint32_t target[] = {APITRACE_PICTURE_TARGET, 8, 8};
    static const uint32_t picture[] = {APITRACE_PICTURE_COLOUR, 0, 0};
    static const uint32_t texture[] = {1, GL_TEXTURE_2D, 0, 0};
    static const uint32_t pixel[] = {
        UINT32_MAX - 2, UINT32_MAX, APITRACE_WATCH_PIXEL, 8, 8, 1, 1, 0};
    static const uint32_t all[] = {7, 0, APITRACE_WATCH_IDS, 0, 0, 32, 32, 0};
    static const uint32_t coverage[] = {
        UINT32_MAX - 3, UINT32_MAX, APITRACE_WATCH_COVERAGE, 0, 0, 16, 16, 0};
    uint32_t parts[] = {8, 8, 0};
    const size_t half = size / 2;

    compile_only = size % 2 == 1;
    send(APITRACE_MESSAGE_RESET, reset, sizeof(reset) / sizeof(reset[0]), NULL, 0);
    feed(data, 0, half, 4, APITRACE_FEED_DISCARD);
    send(APITRACE_MESSAGE_PICTURE, picture, 3, NULL, 0);
    if (size % 16 < 8)
        go_back(data, half, size);
    feed(data, retrace_session()->stream.end, size, 6, APITRACE_FEED_DISCARD | APITRACE_FEED_AFTER);
    send(APITRACE_MESSAGE_WATCH, size % 4 < 2 ? pixel : size % 8 < 4 ? all : coverage, 8, NULL, 0);
    for (uint32_t what = 0; what < APITRACE_DRAW_TEXTS; what++)
        send(APITRACE_MESSAGE_DRAW_TEXT, &what, 1, NULL, 0);
    feed(data, size, size, UINT32_MAX, APITRACE_FEED_END | APITRACE_FEED_WATCH);
    send(APITRACE_MESSAGE_WATCHED, pixel, 0, NULL, 0);
    send(APITRACE_MESSAGE_PICTURE, picture, 3, NULL, 0);
    elsewhere = true;
    send(APITRACE_MESSAGE_PICTURE, target, 3, NULL, 0);
    elsewhere = false;
    send(APITRACE_MESSAGE_TEXTURE, texture, 4, NULL, 0);
    for (uint32_t what = 0; what < APITRACE_DRAW_TEXTS; what++)
        send(APITRACE_MESSAGE_DRAW_TEXT, &what, 1, NULL, 0);
    send(APITRACE_MESSAGE_DRAW_PARTS, parts, 2, NULL, 0);
    for (parts[2] = 0; parts[2] < 8; parts[2]++)
        send(APITRACE_MESSAGE_DRAW_PART, parts, 3, NULL, 0);
    retrace_end();
    return 0;
}
