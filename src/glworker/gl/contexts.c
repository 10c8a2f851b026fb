/* SPDX-License-Identifier: MIT */
/*
 * Implements contexts and surfaces of any window system by EGL, without a window system. All
 * threads of the trace run in the worker's one thread: before a call, the context of its thread is
 * made current.
 */
#include "config.h"

#include "glworker/gl/arrays.h"
#include "glworker/gl/budget.h"
#include "glworker/gl/immediate.h"
#include "glworker/gl/list_calls.h"
#include "glworker/gl/lists.h"
#include "glworker/gl/recording.h"
#include "glworker/gl/sources.h"
#include "glworker/gl/spirv.h"
#include "glworker/gl/surfaces.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <stdlib.h>

/* Handle of implicit contexts and surfaces, which the trace never names. */
#define IMPLICIT_HANDLE (UINT64_MAX - 2)

enum { WIDTH = 640, HEIGHT = 480, SIDE_MAX = 16384, CONFIGS_MAX = 256 };

/*
 * Returns the configuration with eight bits a channel and `samples` samples, or NULL if there is
 * none.
 */
static EGLConfig find_config(EGLint samples)
{
    const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT,
                             EGL_RED_SIZE,     8,
                             EGL_GREEN_SIZE,   8,
                             EGL_BLUE_SIZE,    8,
                             EGL_ALPHA_SIZE,   8,
                             EGL_DEPTH_SIZE,   24,
                             EGL_STENCIL_SIZE, 8,
                             EGL_SAMPLES,      samples,
                             EGL_NONE};
    /*
     * eglChooseConfig() returns configurations with at least what is requested; exactly this is
     * needed.
     */
    static const EGLint exact[][2] = {{EGL_RED_SIZE, 8},    {EGL_GREEN_SIZE, 8},
                                      {EGL_BLUE_SIZE, 8},   {EGL_ALPHA_SIZE, 8},
                                      {EGL_DEPTH_SIZE, 24}, {EGL_STENCIL_SIZE, 8}};
    EGLDisplay display = graphics_display();
    EGLConfig configs[CONFIGS_MAX];
    EGLint count = 0;

    if (!eglChooseConfig(display, wanted, configs, CONFIGS_MAX, &count))
        return NULL;
    for (EGLint n = 0; n < count; n++) {
        EGLint value = -1;
        bool fits =
            eglGetConfigAttrib(display, configs[n], EGL_SAMPLES, &value) && value == samples;

        for (size_t i = 0; fits && i < sizeof(exact) / sizeof(exact[0]); i++)
            fits = eglGetConfigAttrib(display, configs[n], exact[i][0], &value) &&
                   value == exact[i][1];
        if (fits)
            return configs[n];
    }
    return NULL;
}

/* Surfaces. */

static void release_surface(struct retrace *retrace, struct retrace_surface **surface)
{
    if (*surface != NULL && --(*surface)->users == 0) {
        retrace_budget_give(retrace, (*surface)->bytes);
        eglDestroySurface(graphics_display(), (*surface)->surface);
        free(*surface);
    }
    *surface = NULL;
}

static int compare_sizes(const void *a, const void *b)
{
    const struct retrace_size *left = a, *right = b;

    if (left->call != right->call)
        return left->call < right->call ? -1 : 1;
    return left->handle == right->handle ? 0 : left->handle < right->handle ? -1 : 1;
}

void retrace_sizes_sort(struct retrace *retrace)
{
    if (retrace->given.size_count > 0)
        qsort(retrace->given.sizes, retrace->given.size_count, sizeof(retrace->given.sizes[0]),
              compare_sizes);
    retrace->implicit =
        retrace->given.size_count > 0 &&
        retrace->given.sizes[retrace->given.size_count - 1].call == APITRACE_NO_CALL;
}

/* *samples is the number of samples requested, and is set to the number provided. */
static EGLSurface make_pbuffer(uint32_t width, uint32_t height, uint32_t *samples)
{
    const EGLint attributes[] = {EGL_WIDTH, (EGLint)width, EGL_HEIGHT, (EGLint)height, EGL_NONE};
    EGLConfig config = NULL;

    /* llvmpipe supports at most four samples. */
    if (*samples > 1)
        config = find_config(4);
    *samples = config != NULL ? 4 : 0;
    if (config == NULL)
        config = find_config(0);
    return config == NULL ? EGL_NO_SURFACE
                          : eglCreatePbufferSurface(graphics_display(), config, attributes);
}

/*
 * Clears the surface to zeros, like new memory. Otherwise what was drawn before the process's
 * session began would show where the trace draws nothing.
 */
static void wipe(struct retrace *retrace, EGLSurface surface)
{
    char reason[WORKER_REASON];

    retrace->current = NULL;
    if (graphics_enter(reason) < 0 ||
        !eglMakeCurrent(graphics_display(), surface, surface, eglGetCurrentContext()))
        return;
    glDrawBuffer(GL_FRONT);
    glDisable(GL_SCISSOR_TEST);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glDepthMask(GL_TRUE);
    glStencilMask(UINT32_MAX);
    glClearColor(0, 0, 0, 0);
    glClearDepth(0);
    glClearStencil(0);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    graphics_failed();
    graphics_enter(reason);
}

static struct retrace_surface *create_surface(struct retrace *retrace, uint64_t handle,
                                              struct retrace_size size)
{
    struct retrace_surface *surface = calloc(1, sizeof(*surface));

    if (surface == NULL)
        return NULL;
    /* colour, and depth with stencil */
    surface->bytes = (uint64_t)size.width * size.height * 8 * (size.samples > 1 ? 4 : 1);
    if (size.width > 0 && size.height > 0 && size.width <= SIDE_MAX && size.height <= SIDE_MAX &&
        retrace_budget_fits(retrace, surface->bytes))
        surface->surface = make_pbuffer(size.width, size.height, &size.samples);
    if (surface->surface == EGL_NO_SURFACE) {
        retrace_note(retrace, PROBLEM_ERROR, "a surface of %ux%u cannot be created", size.width,
                     size.height);
        free(surface);
        return NULL;
    }
    wipe(retrace, surface->surface);
    retrace_budget_take(retrace, surface->bytes);
    surface->serial = ++retrace->surfaces_made;
    surface->handle = handle;
    surface->width = size.width;
    surface->height = size.height;
    surface->samples = size.samples;
    surface->users = 1;
    retrace_surface_destroy(retrace, handle);
    if (retrace_map_put(&retrace->surfaces, handle, (uint64_t)(uintptr_t)surface) < 0)
        release_surface(retrace, &surface);
    return surface;
}

struct retrace_surface *retrace_surface_create(struct retrace *retrace, uint64_t handle,
                                               uint32_t width, uint32_t height)
{
    struct retrace_size size = {.call = retrace->notes.call, .handle = handle};
    const struct retrace_size *told = bsearch(
        &size, retrace->given.sizes, retrace->given.size_count, sizeof(size), compare_sizes);

    size.width = width != 0 ? width : (uint32_t)WIDTH;
    size.height = height != 0 ? height : (uint32_t)HEIGHT;
    if (told != NULL)
        size.samples = told->samples;
    if (told != NULL && told->width > 0 && told->height > 0)
        size = *told;
    return create_surface(retrace, handle, size);
}

struct retrace_surface *retrace_surface_find(struct retrace *retrace, uint64_t handle)
{
    uint64_t value;

    if (retrace_map_get(&retrace->aliases, handle, &value))
        handle = value;
    if (!retrace_map_get(&retrace->surfaces, handle, &value))
        return NULL;
    return (struct retrace_surface *)(uintptr_t)value;
}

void retrace_surface_destroy(struct retrace *retrace, uint64_t handle)
{
    struct retrace_surface *surface = retrace_surface_find(retrace, handle);

    if (surface == NULL)
        return;
    retrace_map_remove(&retrace->surfaces, surface->handle);
    release_surface(retrace, &surface);
}

/* Contexts. */

static bool has_context(const struct retrace *retrace, uint32_t group)
{
    bool has = false;

    for (const struct retrace_context *one = retrace->contexts; one != NULL; one = one->next)
        has |= one->group == group;
    for (uint32_t n = 0; n < retrace->thread_count; n++)
        has |= retrace->threads[n]->context != NULL && retrace->threads[n]->context->group == group;
    return has;
}

/* The last context of a group takes the shared objects with it; forget what is known of them. */
static void end_group(struct retrace *retrace, uint32_t group)
{
    if (has_context(retrace, group))
        return;
    retrace_lists_end_group(retrace, group);
    retrace_sources_end_group(retrace, group);
    retrace_spirv_end_group(retrace, group);
    retrace_budget_end_group(retrace, group);
}

static void release_context(struct retrace *retrace, struct retrace_context **out)
{
    struct retrace_context *context = *out;
    uint32_t group;

    *out = NULL;
    if (context == NULL || --context->users > 0)
        return;
    retrace_budget_context_ends(retrace);
    eglDestroyContext(graphics_display(), context->context);
    for (int space = 0; space < RETRACE_NAMES; space++)
        retrace_map_clear(&context->names[space]);
    retrace_map_clear(&context->pipeline_programs);
    retrace_arrays_clear(context);
    retrace_recording_free(context->recording);
    retrace_immediate_free(context->immediate);
    retrace_list_calls_drop(retrace, &context->list);
    free(context->feedback);
    free(context->selection);
    group = context->group;
    free(context);
    end_group(retrace, group);
}

static EGLContext make_context(const struct retrace_context_config *config, EGLContext share)
{
    EGLint attributes[12], count = 0;

    if (!eglBindAPI(config->es ? EGL_OPENGL_ES_API : EGL_OPENGL_API))
        return EGL_NO_CONTEXT;
    if (config->es || config->core) {
        attributes[count++] = EGL_CONTEXT_MAJOR_VERSION;
        attributes[count++] = (EGLint)config->major;
        attributes[count++] = EGL_CONTEXT_MINOR_VERSION;
        attributes[count++] = (EGLint)config->minor;
    }
    if (config->core) {
        attributes[count++] = EGL_CONTEXT_OPENGL_PROFILE_MASK;
        attributes[count++] = EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT;
        if (config->forward) {
            attributes[count++] = EGL_CONTEXT_OPENGL_FORWARD_COMPATIBLE;
            attributes[count++] = EGL_TRUE;
        }
    }
    attributes[count] = EGL_NONE;
    return eglCreateContext(graphics_display(), EGL_NO_CONFIG_KHR, share, attributes);
}

/* If the driver lacks the requested version, its newest one is used. */
static EGLContext make_best(struct retrace_context_config config, EGLContext share)
{
    EGLContext context = make_context(&config, share);

    while (context == EGL_NO_CONTEXT && config.minor > 0) {
        config.minor--;
        context = make_context(&config, share);
    }
    return context;
}

struct retrace_context *retrace_context_find(struct retrace *retrace, uint64_t handle)
{
    struct retrace_context *context = handle == 0 ? NULL : retrace->contexts;

    while (context != NULL && context->handle != handle)
        context = context->next;
    return context;
}

struct retrace_context *retrace_context_create(struct retrace *retrace,
                                               const struct retrace_context_config *config)
{
    const struct retrace_context *share = retrace_context_find(retrace, config->share);
    struct retrace_context *context;

    if (!retrace_budget_context(retrace))
        return NULL;
    context = calloc(1, sizeof(*context));
    if (context == NULL) {
        retrace_note(retrace, PROBLEM_ERROR, "out of memory for a context");
        retrace_budget_context_ends(retrace);
        return NULL;
    }
    context->context = make_best(*config, share == NULL ? EGL_NO_CONTEXT : share->context);
    if (context->context == EGL_NO_CONTEXT) {
        retrace_note(retrace, PROBLEM_ERROR, "no context of OpenGL%s %u.%u can be created",
                     config->es ? " ES" : "", config->major, config->minor);
        retrace_budget_context_ends(retrace);
        free(context);
        return NULL;
    }
    context->group = share == NULL ? ++retrace->groups : share->group;
    retrace_context_destroy(retrace, config->handle); /* which may be `share` */
    context->handle = config->handle;
    context->config = *config;
    context->es = config->es;
    context->users = 1;
    context->next = retrace->contexts;
    retrace->contexts = context;
    return context;
}

void retrace_context_destroy(struct retrace *retrace, uint64_t handle)
{
    struct retrace_context **link = &retrace->contexts, *context;

    while (*link != NULL && (*link)->handle != handle)
        link = &(*link)->next;
    context = *link;
    if (context == NULL)
        return;
    *link = context->next;
    if (retrace->contexts == NULL)
        retrace->memory.region_count = 0; /* the buffers are gone with the context */
    release_context(retrace, &context);
}

struct retrace_context *retrace_context_assume(struct retrace *retrace, uint64_t handle, bool es)
{
    struct retrace_context_config config = {.handle = handle, .es = es, .major = es ? 2 : 1};

    if (retrace->contexts != NULL)
        config.share = retrace->contexts->handle;
    retrace_note(retrace, PROBLEM_WARNING, "no call creates the context; one of OpenGL%s is used",
                 es ? " ES" : "");
    return retrace_context_create(retrace, &config);
}

/* Threads. */

struct retrace_thread *retrace_thread(struct retrace *retrace, uint32_t number)
{
    struct retrace_thread **threads;

    for (uint32_t n = 0; n < retrace->thread_count; n++)
        if (retrace->threads[n]->number == number)
            return retrace->threads[n];
    if (retrace->thread_count == RETRACE_THREADS_MAX)
        return NULL;
    threads = realloc(retrace->threads, (retrace->thread_count + 1) * sizeof(*threads));
    if (threads == NULL)
        return NULL;
    retrace->threads = threads;
    threads[retrace->thread_count] = calloc(1, sizeof(**threads));
    if (threads[retrace->thread_count] == NULL)
        return NULL;
    threads[retrace->thread_count]->number = number;
    threads[retrace->thread_count]->api = EGL_OPENGL_ES_API;
    return threads[retrace->thread_count++];
}

static bool switch_to(const struct retrace_thread *thread)
{
    EGLSurface draw = thread->draw == NULL ? EGL_NO_SURFACE : thread->draw->surface;
    EGLSurface read = thread->read == NULL ? draw : thread->read->surface;

    if (!eglBindAPI(thread->context->es ? EGL_OPENGL_ES_API : EGL_OPENGL_API))
        return false;
    return eglMakeCurrent(graphics_display(), draw, draw == EGL_NO_SURFACE ? draw : read,
                          thread->context->context);
}

static void learn_version(struct retrace_context *context)
{
    context->begun = true;
    glGetIntegerv(GL_MAJOR_VERSION, &context->major);
    glGetIntegerv(GL_MINOR_VERSION, &context->minor);
    graphics_failed();
}

/*
 * Gives a thread the context and surface that it has before anything is made current. The last
 * entry of the sizes describes them.
 */
static void enter_implicit(struct retrace *retrace, struct retrace_thread *thread)
{
    const struct retrace_size *size = &retrace->given.sizes[retrace->given.size_count - 1];
    struct retrace_context *context = retrace_context_find(retrace, IMPLICIT_HANDLE);
    struct retrace_surface *surface = retrace_surface_find(retrace, IMPLICIT_HANDLE);

    if (context == NULL)
        context = retrace_context_assume(retrace, IMPLICIT_HANDLE, size->handle != 0);
    if (surface == NULL)
        surface = create_surface(retrace, IMPLICIT_HANDLE, *size);
    if (context == NULL || surface == NULL) {
        retrace->implicit = false;
        return;
    }
    context->users++;
    surface->users += 2;
    thread->context = context;
    thread->draw = thread->read = surface;
}

bool retrace_enter(struct retrace *retrace, struct retrace_thread *thread)
{
    if (retrace->implicit && thread != NULL && thread->context == NULL)
        enter_implicit(retrace, thread);
    if (retrace->current == thread)
        return thread != NULL && thread->context != NULL;
    if (thread == NULL || thread->context == NULL)
        return false;
    if (!switch_to(thread)) {
        retrace->current = NULL;
        return false;
    }
    retrace->current = thread;
    if (!thread->context->begun)
        learn_version(thread->context);
    return true;
}

bool retrace_read_drawn(struct retrace *retrace, struct retrace_thread *thread)
{
    struct retrace_thread reader = *thread;

    if (thread->draw == NULL || thread->read == thread->draw)
        return true;
    reader.read = reader.draw;
    if (switch_to(&reader))
        return true;
    retrace->current = NULL;
    return false;
}

void retrace_read_own(struct retrace *retrace, struct retrace_thread *thread)
{
    if (thread->draw == NULL || (retrace->current == thread && thread->read == thread->draw))
        return;
    retrace->current = NULL;
    retrace_enter(retrace, thread);
}

static void leave(struct retrace *retrace, struct retrace_thread *thread)
{
    release_surface(retrace, &thread->draw);
    release_surface(retrace, &thread->read);
    release_context(retrace, &thread->context);
}

enum retrace_outcome retrace_make_current(struct retrace *retrace, struct retrace_thread *thread,
                                          struct retrace_context *context,
                                          struct retrace_surface *draw,
                                          struct retrace_surface *read)
{
    if (thread->context == context && thread->draw == draw && thread->read == read)
        return RETRACE_MADE;
    if (context != NULL)
        context->users++;
    if (draw != NULL)
        draw->users++;
    if (read != NULL)
        read->users++;
    if (retrace->current == thread)
        retrace->current = NULL;
    leave(retrace, thread);
    thread->context = context;
    thread->draw = draw;
    thread->read = read;
    if (context == NULL || retrace_enter(retrace, thread))
        return RETRACE_MADE;
    return retrace_refuse(retrace, "the context cannot be made current");
}

void retrace_contexts_clear(struct retrace *retrace)
{
    char reason[WORKER_REASON];

    graphics_enter(reason);
    retrace->current = NULL;
    for (uint32_t n = 0; n < retrace->thread_count; n++)
        leave(retrace, retrace->threads[n]);
    for (uint32_t n = 0; n < retrace->thread_count; n++)
        free(retrace->threads[n]);
    free(retrace->threads);
    retrace->threads = NULL;
    retrace->thread_count = 0;
    while (retrace->contexts != NULL)
        retrace_context_destroy(retrace, retrace->contexts->handle);
    for (uint32_t n = 0; n < retrace->surfaces.room; n++)
        if (retrace->surfaces.pairs[n].key != RETRACE_NO_KEY) {
            struct retrace_surface *surface =
                (struct retrace_surface *)(uintptr_t)retrace->surfaces.pairs[n].value;

            release_surface(retrace, &surface);
        }
    retrace_map_clear(&retrace->surfaces);
    retrace_map_clear(&retrace->aliases);
}
