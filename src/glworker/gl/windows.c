/* SPDX-License-Identifier: MIT */
/*
 * What functions of EGL, GLX, WGL and CGL do to contexts and surfaces. Functions that are not in
 * the table have no effect on pictures.
 */
#include "config.h"

#include "glworker/gl/windows.h"

#include "glworker/gl/depths.h"
#include "glworker/gl/names.h"
#include "glworker/gl/surfaces.h"
#include "glworker/gl/values.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <string.h>

/* Enumerators of other window systems. */
enum {
    GLX_PBUFFER_HEIGHT = 0x8040,
    GLX_PBUFFER_WIDTH = 0x8041,
    /* Of GLX_ARB_create_context and WGL_ARB_create_context. */
    CONTEXT_MAJOR_VERSION = 0x2091,
    CONTEXT_MINOR_VERSION = 0x2092,
    CONTEXT_FLAGS = 0x2094,
    CONTEXT_PROFILE_MASK = 0x9126,
    CONTEXT_CORE = 1,
    CONTEXT_ES = 4,
    CONTEXT_FORWARD = 2,
    CGL_OPENGL_PROFILE = 99,
    CGL_CORE = 0x3200,
};

static struct retrace_thread *thread_of(struct retrace *retrace, const struct retrace_call *call)
{
    return retrace_thread(retrace, call->event->thread);
}

/* Returns whether a call is known to have failed, and so to have no effect. */
static bool failed(const struct retrace_call *call)
{
    return call->result.kind != RETRACE_ABSENT && retrace_result(call) == 0;
}

static uint64_t handle(const struct retrace_call *call, unsigned n)
{
    return (uint64_t)retrace_integer(call, n);
}

/* Returns the value of an attribute in a list of pairs. */
static int64_t attribute(const struct retrace_call *call, unsigned list, int64_t name,
                         int64_t otherwise)
{
    const uint64_t count = list < call->count ? call->arguments[list].count : 0;

    for (uint64_t n = 0; n + 1 < count; n += 2)
        if (retrace_element(call, list, n) == name)
            return retrace_element(call, list, n + 1);
    return otherwise;
}

/* Contexts. */

static enum retrace_outcome create(struct retrace *retrace, struct retrace_context_config *config)
{
    const unsigned version = config->major * 10 + config->minor;

    if (config->handle == 0)
        return RETRACE_LEFT;
    /*
     * Before version 3.2 there were no profiles, but a forward-compatible context lacks everything
     * that is deprecated, whatever its profile (GLX_ARB_create_context_profile).
     */
    if (version < 32 || config->es)
        config->core = false;
    if (config->forward && version >= 30 && !config->es)
        config->core = true;
    return retrace_context_create(retrace, config) != NULL ? RETRACE_MADE : RETRACE_REFUSED;
}

/*
 * `detail` is the index of the argument with the context to share with, plus 1, or 0 if there is
 * none.
 */
static enum retrace_outcome create_plain(struct retrace *retrace, struct retrace_call *call)
{
    unsigned share = call->binding->detail;
    struct retrace_context_config config = {.handle = retrace_result(call), .major = 1};

    if (share > 0)
        config.share = handle(call, share - 1);
    return create(retrace, &config);
}

/*
 * `detail` is the index of the argument with the context to share with. The last argument is the
 * list of attributes.
 */
static enum retrace_outcome create_with_attributes(struct retrace *retrace,
                                                   struct retrace_call *call)
{
    unsigned list = call->count - 1;
    int64_t profile = attribute(call, list, CONTEXT_PROFILE_MASK, CONTEXT_CORE);
    struct retrace_context_config config = {
        .handle = retrace_result(call),
        .share = handle(call, call->binding->detail),
        .es = (profile & CONTEXT_ES) != 0,
        .core = (profile & CONTEXT_CORE) != 0,
        .forward = (attribute(call, list, CONTEXT_FLAGS, 0) & CONTEXT_FORWARD) != 0,
        .major = (unsigned)attribute(call, list, CONTEXT_MAJOR_VERSION, 1) & 15,
        .minor = (unsigned)attribute(call, list, CONTEXT_MINOR_VERSION, 0) & 15};

    return create(retrace, &config);
}

static enum retrace_outcome egl_create(struct retrace *retrace, struct retrace_call *call)
{
    struct retrace_thread *thread = thread_of(retrace, call);
    int64_t flags = attribute(call, 3, EGL_CONTEXT_FLAGS_KHR, 0);
    struct retrace_context_config config = {
        .handle = retrace_result(call),
        .share = handle(call, 2),
        .es = thread == NULL || thread->api != EGL_OPENGL_API,
        .core = (attribute(call, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
                           EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT) &
                 EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT) != 0,
        .forward = (flags & EGL_CONTEXT_OPENGL_FORWARD_COMPATIBLE_BIT_KHR) != 0 ||
                   attribute(call, 3, EGL_CONTEXT_OPENGL_FORWARD_COMPATIBLE, 0) != 0,
        .major = (unsigned)attribute(call, 3, EGL_CONTEXT_MAJOR_VERSION, 1) & 15,
        .minor = (unsigned)attribute(call, 3, EGL_CONTEXT_MINOR_VERSION, 0) & 15};

    return create(retrace, &config);
}

static enum retrace_outcome cgl_choose(struct retrace *retrace, struct retrace_call *call)
{
    for (uint64_t n = 0; n + 1 < call->arguments[0].count; n++)
        if (retrace_element(call, 0, n) == CGL_OPENGL_PROFILE)
            retrace_map_put(&retrace->formats, (uint64_t)retrace_element(call, 1, 0),
                            (uint64_t)retrace_element(call, 0, n + 1));
    return RETRACE_MADE;
}

static enum retrace_outcome cgl_create(struct retrace *retrace, struct retrace_call *call)
{
    struct retrace_context_config config = {
        .handle = (uint64_t)retrace_element(call, 2, 0), .share = handle(call, 1), .major = 1};
    uint64_t profile = 0;

    retrace_map_get(&retrace->formats, handle(call, 0), &profile);
    if (profile >= CGL_CORE) {
        config.core = true;
        config.major = 4;
        config.minor = 1;
    }
    return create(retrace, &config);
}

static enum retrace_outcome destroy(struct retrace *retrace, struct retrace_call *call)
{
    retrace_context_destroy(retrace, handle(call, call->binding->detail));
    return RETRACE_MADE;
}

/*
 * A context can start to share with another one until it has been current, so it is created again.
 */
static enum retrace_outcome share_lists(struct retrace *retrace, struct retrace_call *call)
{
    const struct retrace_context *context = retrace_context_find(retrace, handle(call, 1));
    struct retrace_context_config config;

    if (failed(call) || context == NULL)
        return RETRACE_LEFT;
    if (context->begun)
        return retrace_refuse(
            retrace, "a context that has been current can no longer begin to share objects");
    config = context->config;
    config.share = handle(call, 0);
    return create(retrace, &config);
}

/* Surfaces. */

/* `detail` is the index of the list that may give the size, plus 1, or 0 if there is none. */
static enum retrace_outcome make_surface(struct retrace *retrace, struct retrace_call *call)
{
    uint32_t width = 0, height = 0, list = call->binding->detail;

    if (retrace_result(call) == 0)
        return RETRACE_LEFT;
    if (list > 0) {
        width = (uint32_t)attribute(call, list - 1, EGL_WIDTH,
                                    attribute(call, list - 1, GLX_PBUFFER_WIDTH, 0));
        height = (uint32_t)attribute(call, list - 1, EGL_HEIGHT,
                                     attribute(call, list - 1, GLX_PBUFFER_HEIGHT, 0));
    }
    return retrace_surface_create(retrace, retrace_result(call), width, height) != NULL
               ? RETRACE_MADE
               : RETRACE_REFUSED;
}

/* Width and height are arguments 2 and 3. */
static enum retrace_outcome make_sized(struct retrace *retrace, struct retrace_call *call)
{
    if (retrace_result(call) == 0)
        return RETRACE_LEFT;
    return retrace_surface_create(retrace, retrace_result(call), (uint32_t)handle(call, 2),
                                  (uint32_t)handle(call, 3)) != NULL
               ? RETRACE_MADE
               : RETRACE_REFUSED;
}

static enum retrace_outcome destroy_surface(struct retrace *retrace, struct retrace_call *call)
{
    retrace_surface_destroy(retrace, handle(call, call->binding->detail));
    return RETRACE_MADE;
}

/* wglGetPbufferDCARB(). */
static enum retrace_outcome pbuffer_device(struct retrace *retrace, struct retrace_call *call)
{
    retrace_map_put(&retrace->aliases, retrace_result(call), handle(call, 0));
    return RETRACE_MADE;
}

/* EGL images of textures and renderbuffers. */

/* Returns what names the objects of which such images are made; RETRACE_NO_NAME: none does. */
static enum retrace_names names_of_image(int64_t target)
{
    if (target == EGL_GL_RENDERBUFFER)
        return RETRACE_RENDERBUFFER;
    return target >= EGL_GL_TEXTURE_2D && target <= EGL_GL_TEXTURE_CUBE_MAP_NEGATIVE_Z
               ? RETRACE_TEXTURE
               : RETRACE_NO_NAME;
}

/* The driver makes an image of the layer behind the last one, too, which has no memory. */
static bool has_layer(struct retrace *retrace, uint64_t texture, GLint level, GLint layer)
{
    GLint width, height, depth = 0;

    return layer >= 0 &&
           retrace_texture_size(retrace, (GLuint)texture, level, &width, &height, &depth) &&
           layer < depth;
}

static enum retrace_outcome create_image(struct retrace *retrace, struct retrace_call *call)
{
    const struct retrace_context *context = retrace_context_find(retrace, handle(call, 1));
    PFNEGLCREATEIMAGEKHRPROC make =
        (PFNEGLCREATEIMAGEKHRPROC)eglGetProcAddress("eglCreateImageKHR");
    const int64_t target = retrace_integer(call, 2);
    const enum retrace_names names = names_of_image(target);
    const EGLint of_texture[] = {EGL_GL_TEXTURE_LEVEL,
                                 (EGLint)attribute(call, 4, EGL_GL_TEXTURE_LEVEL, 0),
                                 target == EGL_GL_TEXTURE_3D ? EGL_GL_TEXTURE_ZOFFSET : EGL_NONE,
                                 (EGLint)attribute(call, 4, EGL_GL_TEXTURE_ZOFFSET, 0), EGL_NONE};
    EGLImageKHR image = NULL;
    uint64_t name;

    if (retrace_result(call) == 0)
        return RETRACE_LEFT;
    if (names == RETRACE_NO_NAME || make == NULL || context == NULL)
        return retrace_refuse(retrace, "only images of textures and renderbuffers are supported");
    name = retrace_name(retrace, names, handle(call, 3));
    if (retrace_enter(retrace, thread_of(retrace, call)) &&
        (target != EGL_GL_TEXTURE_3D || has_layer(retrace, name, of_texture[1], of_texture[3])))
        image = make(graphics_display(), context->context, (EGLenum)target,
                     (EGLClientBuffer)(uintptr_t)name,
                     names == RETRACE_TEXTURE ? of_texture : &of_texture[4]);
    if (image == NULL)
        return retrace_refuse(retrace, "the image cannot be created");
    retrace_map_put(&retrace->images, retrace_result(call), (uint64_t)(uintptr_t)image);
    return RETRACE_MADE;
}

static enum retrace_outcome destroy_image(struct retrace *retrace, struct retrace_call *call)
{
    PFNEGLDESTROYIMAGEKHRPROC end =
        (PFNEGLDESTROYIMAGEKHRPROC)eglGetProcAddress("eglDestroyImageKHR");
    uint64_t image;

    if (end == NULL || !retrace_map_get(&retrace->images, handle(call, 1), &image))
        return RETRACE_LEFT;
    retrace_map_remove(&retrace->images, handle(call, 1));
    end(graphics_display(), (EGLImageKHR)(uintptr_t)image);
    return RETRACE_MADE;
}

/* What is current. */

/*
 * Returns the surface of a drawable. A drawable that the trace did not create, such as a window,
 * gets one.
 */
static struct retrace_surface *surface_of(struct retrace *retrace, uint64_t drawable)
{
    struct retrace_surface *surface =
        drawable == 0 ? NULL : retrace_surface_find(retrace, drawable);

    if (surface == NULL && drawable != 0)
        surface = retrace_surface_create(retrace, drawable, 0, 0);
    return surface;
}

static enum retrace_outcome make_current(struct retrace *retrace, struct retrace_call *call,
                                         uint64_t draw, uint64_t read, uint64_t context)
{
    struct retrace_thread *thread = thread_of(retrace, call);
    struct retrace_context *found = retrace_context_find(retrace, context);

    if (thread == NULL)
        return retrace_refuse(retrace, "too many threads");
    if (context != 0 && found == NULL)
        found =
            retrace_context_assume(retrace, context,
                                   strncmp(call->binding->function->name.bytes, "egl", 3) == 0 &&
                                       thread->api != EGL_OPENGL_API);
    if (context != 0 && found == NULL) {
        retrace_make_current(retrace, thread, NULL, NULL, NULL);
        return retrace_refuse(retrace, "there is no such context");
    }
    if (found == NULL)
        draw = read = 0;
    else
        retrace->implicit = false;
    return retrace_make_current(retrace, thread, found, surface_of(retrace, draw),
                                surface_of(retrace, read));
}

/* The arguments from `detail` on are drawable and context. */
static enum retrace_outcome make_current_one(struct retrace *retrace, struct retrace_call *call)
{
    unsigned first = call->binding->detail;

    if (failed(call))
        return RETRACE_LEFT;
    return make_current(retrace, call, handle(call, first), handle(call, first),
                        handle(call, first + 1));
}

/*
 * The arguments from `detail` on are the drawable to draw on, the drawable to read, and the
 * context.
 */
static enum retrace_outcome make_current_two(struct retrace *retrace, struct retrace_call *call)
{
    unsigned first = call->binding->detail;

    if (failed(call))
        return RETRACE_LEFT;
    return make_current(retrace, call, handle(call, first), handle(call, first + 1),
                        handle(call, first + 2));
}

static enum retrace_outcome cgl_make_current(struct retrace *retrace, struct retrace_call *call)
{
    return make_current(retrace, call, handle(call, 0), handle(call, 0), handle(call, 0));
}

static enum retrace_outcome release_thread(struct retrace *retrace, struct retrace_call *call)
{
    return make_current(retrace, call, 0, 0, 0);
}

static enum retrace_outcome bind_api(struct retrace *retrace, struct retrace_call *call)
{
    struct retrace_thread *thread = thread_of(retrace, call);

    if (!failed(call) && thread != NULL)
        thread->api = (unsigned)handle(call, 0);
    return RETRACE_MADE;
}

/*
 * The contents of the drawable stay. Flushing lets the driver start to draw. `detail` is the
 * argument with the drawable.
 */
enum retrace_outcome retrace_swap(struct retrace *retrace, struct retrace_call *call)
{
    if (retrace_enter(retrace, thread_of(retrace, call)))
        glFlush();
    return RETRACE_MADE;
}

const struct retrace_rule_row retrace_window_rules[] = {
    {"CGLChoosePixelFormat", cgl_choose, NULL, 0},
    {"CGLCreateContext", cgl_create, NULL, 0},
    {"CGLDestroyContext", destroy, NULL, 0},
    {"CGLFlushDrawable", retrace_swap, NULL, 0},
    {"CGLReleaseContext", destroy, NULL, 0},
    {"CGLSetCurrentContext", cgl_make_current, NULL, 0},
    {"eglBindAPI", bind_api, NULL, 0},
    {"eglCreateContext", egl_create, NULL, 0},
    {"eglCreateImage", create_image, NULL, 0},
    {"eglCreatePbufferFromClientBuffer", make_surface, NULL, 5},
    {"eglCreatePbufferSurface", make_surface, NULL, 3},
    {"eglCreatePixmapSurface", make_surface, NULL, 0},
    {"eglCreatePlatformPixmapSurface", make_surface, NULL, 0},
    {"eglCreatePlatformWindowSurface", make_surface, NULL, 0},
    {"eglCreateWindowSurface", make_surface, NULL, 0},
    {"eglDestroyContext", destroy, NULL, 1},
    {"eglDestroyImage", destroy_image, NULL, 0},
    {"eglDestroySurface", destroy_surface, NULL, 1},
    {"eglMakeCurrent", make_current_two, NULL, 1},
    {"eglReleaseThread", release_thread, NULL, 0},
    {"eglSwapBuffers", retrace_swap, NULL, 1},
    {"eglSwapBuffersWithDamage", retrace_swap, NULL, 1},
    {"glXCreateContext", create_plain, NULL, 3},
    {"glXCreateContextAttribs", create_with_attributes, NULL, 2},
    {"glXCreateContextWithConfig", create_plain, NULL, 4},
    {"glXCreateGLXPbuffer", make_sized, NULL, 0},
    {"glXCreateGLXPixmap", make_surface, NULL, 0},
    {"glXCreateNewContext", create_plain, NULL, 4},
    {"glXCreatePbuffer", make_surface, NULL, 3},
    {"glXCreatePixmap", make_surface, NULL, 0},
    {"glXCreateWindow", make_surface, NULL, 0},
    {"glXDestroyContext", destroy, NULL, 1},
    {"glXDestroyGLXPbuffer", destroy_surface, NULL, 1},
    {"glXDestroyGLXPixmap", destroy_surface, NULL, 1},
    {"glXDestroyPbuffer", destroy_surface, NULL, 1},
    {"glXDestroyPixmap", destroy_surface, NULL, 1},
    {"glXDestroyWindow", destroy_surface, NULL, 1},
    {"glXMakeContextCurrent", make_current_two, NULL, 1},
    {"glXMakeCurrent", make_current_one, NULL, 1},
    {"glXMakeCurrentRead", make_current_two, NULL, 1},
    {"glXSwapBuffers", retrace_swap, NULL, 1},
    {"glXSwapBuffersMscOML", retrace_swap, NULL, 1},
    {"wglCreateContext", create_plain, NULL, 0},
    {"wglCreateContextAttribs", create_with_attributes, NULL, 1},
    {"wglCreateLayerContext", create_plain, NULL, 0},
    {"wglCreatePbuffer", make_sized, NULL, 0},
    {"wglDeleteContext", destroy, NULL, 0},
    {"wglDestroyPbuffer", destroy_surface, NULL, 0},
    {"wglGetPbufferDC", pbuffer_device, NULL, 0},
    {"wglMakeContextCurrent", make_current_two, NULL, 0},
    {"wglMakeCurrent", make_current_one, NULL, 0},
    {"wglShareLists", share_lists, NULL, 0},
    {"wglSwapBuffers", retrace_swap, NULL, 0},
    {"wglSwapLayerBuffers", retrace_swap, NULL, 0},
};
const size_t retrace_window_rule_count =
    sizeof(retrace_window_rules) / sizeof(retrace_window_rules[0]);
