/* SPDX-License-Identifier: MIT */
#include "formats/gapir/replay/gl_calls.h"

#include "base/array.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { API_GLES = 1, MEMORY_CHUNK = 256 << 10 };

/* Constants of EGL, glMapBufferRange() and OpenGL ES. */
enum {
    EGL_NONE = 0x3038,
    EGL_HEIGHT = 0x3056,
    EGL_WIDTH = 0x3057,
    EGL_CONTEXT_MAJOR_VERSION = 0x3098,
    EGL_CONTEXT_MINOR_VERSION = 0x30fb,
    EGL_GL_TEXTURE_2D = 0x30b1,
    MAP_INVALIDATES = 0x4 | 0x8,
    ES_MAJOR = 3,
    ES_MINOR = 2,
};

/*
 * Functions that the stream has besides those of the payload's table, whose ids come after these.
 */
enum own {
    OWN_CREATE_CONTEXT,
    OWN_CREATE_SURFACE,
    OWN_DESTROY_SURFACE,
    OWN_MAKE_CURRENT,
    OWN_CREATE_IMAGE,
    OWN_VIEWPORT,
    OWN_SCISSOR,
    OWN_MALLOC,
    OWN_MEMCPY,
    OWN_FUNCTIONS,
};

static const char *const context_arguments[] = {"dpy", "config", "share_context", "attrib_list"};
static const char *const surface_arguments[] = {"dpy", "config", "attrib_list"};
static const char *const destroy_arguments[] = {"dpy", "surface"};
static const char *const current_arguments[] = {"dpy", "draw", "read", "ctx"};
static const char *const image_arguments[] = {"dpy", "ctx", "target", "buffer", "attrib_list"};
static const char *const box_arguments[] = {"x", "y", "width", "height"};
static const char *const malloc_arguments[] = {"size"};
static const char *const memcpy_arguments[] = {"dest", "src", "n"};

static const struct gapir_gl_signature own[OWN_FUNCTIONS] = {
    {OWN_CREATE_CONTEXT, "eglCreateContext", 4, context_arguments},
    {OWN_CREATE_SURFACE, "eglCreatePbufferSurface", 3, surface_arguments},
    {OWN_DESTROY_SURFACE, "eglDestroySurface", 2, destroy_arguments},
    {OWN_MAKE_CURRENT, "eglMakeCurrent", 4, current_arguments},
    {OWN_CREATE_IMAGE, "eglCreateImageKHR", 5, image_arguments},
    {OWN_VIEWPORT, "glViewport", 4, box_arguments},
    {OWN_SCISSOR, "glScissor", 4, box_arguments},
    {OWN_MALLOC, "malloc", 1, malloc_arguments},
    {OWN_MEMCPY, "memcpy", 3, memcpy_arguments},
};

/* Handles: of the context with which all share, of renderers' contexts, of their surfaces. */
enum { ROOT_CONTEXT = 1, FIRST_CONTEXT = 0x100 };

static uint64_t surface_handle(uint32_t renderer, uint64_t serial)
{
    return (uint64_t)(renderer + 1) << 32 | (serial & UINT32_MAX);
}

/* Events. */

/* The current call, for which events are written. */
struct telling {
    struct gapir_gl_calls *calls;
    const struct gapir_vm_instance *instance;
    struct gapir_call_source source;
};

static struct telling tell(struct gapir_gl_calls *calls, const struct gapir_vm_instance *instance)
{
    const struct gapir_vm *vm = instance->vm;

    return (struct telling){
        calls, instance, {.call = vm->calls > 0 ? vm->calls - 1 : 0, .pc = vm->pc}};
}

static struct gapir_gl_stream *enter(const struct telling *telling, uint32_t thread,
                                     const struct gapir_gl_signature *function)
{
    struct gapir_gl_calls *calls = telling->calls;

    if (calls->status == 0)
        calls->status = ARRAY_GROW(calls->sources, calls->source_count, calls->source_room);
    if (calls->status == 0)
        calls->sources[calls->source_count++] = telling->source;
    gapir_gl_enter(&calls->stream, thread, function);
    return &calls->stream;
}

/* Drains the stream if much has gathered. */
static void settle(const struct telling *telling)
{
    struct gapir_gl_calls *calls = telling->calls;

    if (calls->stream.bytes.bad)
        calls->status = -ENOMEM;
    if (calls->status == 0 && calls->stream.bytes.size >= GAPIR_GL_BYTES)
        calls->status = calls->drain(calls->context);
}

/*
 * Writes a call of one of our own functions. Its arguments are numbers; if `list` is not NULL, it
 * is the last argument.
 */
static void tell_own(const struct telling *telling, enum own function, uint32_t thread,
                     const uint64_t *arguments, const uint64_t *list, unsigned list_count,
                     uint64_t result)
{
    const unsigned count = own[function].count - (list != NULL ? 1 : 0);
    const struct gapir_slot returned = {.type = GAPIR_ABSOLUTE_POINTER, .value = result};
    struct gapir_gl_stream *stream = enter(telling, thread, &own[function]);

    for (unsigned n = 0; n < count; n++) {
        gapir_gl_argument(stream, n);
        gapir_gl_number(stream, arguments[n]);
    }
    if (list != NULL) {
        gapir_gl_argument(stream, count);
        gapir_gl_array(stream, list, list_count);
    }
    gapir_gl_leave_with(stream, &returned);
}

/* Memory. */

static void tell_block(const struct telling *telling, uint64_t address, uint64_t size)
{
    if (size != 0)
        tell_own(telling, OWN_MALLOC, 0, &size, NULL, 0, address);
}

static void tell_bytes(const struct telling *telling, uint64_t address, const uint8_t *bytes,
                       uint64_t size)
{
    struct gapir_gl_stream *stream = enter(telling, 0, &own[OWN_MEMCPY]);

    gapir_gl_argument(stream, 0);
    gapir_gl_address(stream, address);
    gapir_gl_argument(stream, 1);
    gapir_gl_blob(stream, bytes, size);
    gapir_gl_argument(stream, 2);
    gapir_gl_number(stream, size);
    gapir_gl_leave(stream);
    settle(telling);
}

static void tell_memory(const struct telling *telling, uint64_t address, const uint8_t *bytes,
                        uint64_t size)
{
    for (uint64_t at = 0; at < size && telling->calls->status == 0; at += MEMORY_CHUNK)
        tell_bytes(telling, address + at, bytes + at,
                   size - at < MEMORY_CHUNK ? size - at : MEMORY_CHUNK);
}

/* Sends what was written to a memory at an address, as far as it has not been sent yet. */
static void tell_written(const struct telling *telling, struct gapir_written *written,
                         uint64_t address, const uint8_t *bytes)
{
    uint64_t offset = 0, size = 0;

    for (;
         telling->calls->status == 0 && gapir_written_take(written, MEMORY_CHUNK, &offset, &size);)
        tell_bytes(telling, address + offset, bytes + offset, size);
}

/* Sends the last window, mapped or already unmapped, of a buffer's target. */
static void tell_buffer(const struct telling *telling, uint64_t target)
{
    const struct gapir_vm *vm = telling->instance->vm;

    for (uint32_t n = vm->window_count; n-- > 0;)
        if (vm->windows[n].tag == (GAPIR_GL_TAG | target)) {
            struct gapir_window *window = &vm->windows[n];

            if (window->data != NULL)
                tell_written(telling, &window->written, window->address, window->data);
            return;
        }
}

/* Contexts. */

static void tell_context(const struct telling *telling, uint64_t handle, uint64_t share)
{
    static const uint64_t list[] = {EGL_CONTEXT_MAJOR_VERSION, ES_MAJOR, EGL_CONTEXT_MINOR_VERSION,
                                    ES_MINOR, EGL_NONE};
    const uint64_t arguments[] = {1, 1, share};

    tell_own(telling, OWN_CREATE_CONTEXT, 0, arguments, list, 5, handle);
}

static void tell_current(const struct telling *telling, uint32_t thread, uint64_t surface,
                         uint64_t context)
{
    const uint64_t arguments[] = {1, surface, surface, context};

    tell_own(telling, OWN_MAKE_CURRENT, thread, arguments, NULL, 0, 1);
}

/*
 * Returns the renderer that a call of the replay's own names, or NULL if it has not been created.
 */
static const struct gapir_renderer *renderer_of(const struct telling *telling, uint32_t *number)
{
    const struct gapir_driver *driver = telling->instance->driver;
    const struct gapir_renderer *renderer =
        gapir_driver_renderer(driver, (uint32_t)telling->instance->vm->call.arguments[0].value);

    if (renderer != NULL)
        *number = renderer->number;
    return renderer;
}

/* Creates the renderer's current backbuffer if the stream has another one, which is destroyed. */
static void tell_surface(const struct telling *telling, const struct gapir_renderer *renderer,
                         uint32_t number)
{
    const uint64_t list[] = {EGL_WIDTH, renderer->width != 0 ? renderer->width : 1, EGL_HEIGHT,
                             renderer->height != 0 ? renderer->height : 1, EGL_NONE};
    const uint64_t made[] = {1, 1};
    const uint64_t last = telling->calls->surfaces[number];
    const uint64_t ended[] = {1, surface_handle(number, last)};
    const uint64_t surface = surface_handle(number, renderer->surfaces);

    if (last == renderer->surfaces)
        return;
    tell_own(telling, OWN_CREATE_SURFACE, 0, made, list, 5, surface);
    if (renderer->thread != GAPIR_UNBOUND)
        tell_current(telling, renderer->thread, surface, FIRST_CONTEXT + number);
    if (last != 0)
        tell_own(telling, OWN_DESTROY_SURFACE, 0, ended, NULL, 0, 1);
    telling->calls->surfaces[number] = renderer->surfaces;
}

static void tell_bind(const struct telling *telling, const struct gapir_renderer *renderer,
                      uint32_t number)
{
    const struct gapir_vm *vm = telling->instance->vm;
    const uint64_t box[] = {0, 0, renderer->width, renderer->height};

    tell_current(telling, vm->thread, surface_handle(number, renderer->surfaces),
                 FIRST_CONTEXT + number);
    if (vm->call.count < 2 || vm->call.arguments[1].value == 0)
        return;
    tell_own(telling, OWN_VIEWPORT, vm->thread, box, NULL, 0, 0);
    tell_own(telling, OWN_SCISSOR, vm->thread, box, NULL, 0, 0);
}

static void tell_image(const struct telling *telling, uint32_t number)
{
    static const uint64_t none[] = {EGL_NONE};
    const struct gapir_vm *vm = telling->instance->vm;
    const uint64_t arguments[] = {1, FIRST_CONTEXT + number, EGL_GL_TEXTURE_2D,
                                  vm->call.arguments[1].value};

    tell_own(telling, OWN_CREATE_IMAGE, vm->thread, arguments, none, 1, vm->call.result.value);
}

/* Writes events for the replay's own functions. Returns false if the call is not of one of them. */
static bool tell_replays_own(const struct telling *telling, enum gapir_action action)
{
    uint32_t number = 0;
    const struct gapir_renderer *renderer;

    if (action < GAPIR_ACTION_CREATE_RENDERER || action > GAPIR_ACTION_EXTERNAL_IMAGE)
        return false;
    renderer = renderer_of(telling, &number);
    if (renderer == NULL)
        return true;
    if (action == GAPIR_ACTION_CREATE_RENDERER)
        tell_context(telling, FIRST_CONTEXT + number, ROOT_CONTEXT);
    if (action == GAPIR_ACTION_CREATE_RENDERER || action == GAPIR_ACTION_CHANGE_BACKBUFFER)
        tell_surface(telling, renderer, number);
    else if (action == GAPIR_ACTION_BIND_RENDERER)
        tell_bind(telling, renderer, number);
    else if (action == GAPIR_ACTION_UNBIND_RENDERER)
        tell_current(telling, telling->instance->vm->thread, 0, 0);
    else
        tell_image(telling, number);
    return true;
}

/* Calls of GLES. */

/* Draws read vertices to which earlier calls have set pointers. */
static bool looks_at_memory(const struct gapir_call *call)
{
    if (strncmp(gapir_function_name(call->function), "glDraw", 6) == 0)
        return true;
    for (unsigned n = 0; n < call->count; n++)
        if (call->arguments[n].type == GAPIR_ABSOLUTE_POINTER && call->arguments[n].value != 0)
            return true;
    return false;
}

static void tell_call(const struct telling *telling)
{
    const struct gapir_vm *vm = telling->instance->vm;
    const struct gapir_call *call = &vm->call;
    const struct gapir_table *table = telling->instance->replay->scan.tables[API_GLES];
    const char *names[GAPIR_ARGUMENTS_MAX];
    const struct gapir_gl_signature signature = {.id = OWN_FUNCTIONS +
                                                       gapir_table_index(table, call->function),
                                                 .name = gapir_function_name(call->function),
                                                 .count = call->count,
                                                 .arguments = names};
    struct gapir_gl_stream *stream;

    if (signature.id >= GAPIR_GL_FUNCTIONS)
        return;
    for (unsigned n = 0; n < call->count; n++)
        names[n] = gapir_argument_name(gapir_function_argument(call->function, n));
    stream = enter(telling, vm->thread, &signature);
    for (unsigned n = 0; n < call->count; n++) {
        gapir_gl_argument(stream, n);
        gapir_gl_slot(stream, &call->arguments[n]);
    }
    if (call->has_result)
        gapir_gl_leave_with(stream, &call->result);
    else
        gapir_gl_leave(stream);
}

static enum gapir_gl_need need_of(const struct gapir_vm *vm, enum gapir_action action)
{
    const struct gapir_call *call = &vm->call;

    if (action == GAPIR_ACTION_READ_PIXELS)
        return GAPIR_GL_PIXELS;
    if (action == GAPIR_ACTION_MAP_RANGE && call->result.value != 0 &&
        (call->arguments[3].value & MAP_INVALIDATES) == 0)
        return GAPIR_GL_WINDOW;
    return GAPIR_GL_NOTHING;
}

enum gapir_gl_need gapir_gl_calls_add(struct gapir_gl_calls *calls,
                                      const struct gapir_vm_instance *instance)
{
    struct gapir_vm *vm = instance->vm;
    const struct gapir_call *call = &vm->call;
    const struct telling telling = tell(calls, instance);
    enum gapir_action action;

    if (call->function == NULL || gapir_call_api(call->word) != API_GLES)
        return GAPIR_GL_NOTHING;
    action = gapir_model_action(&instance->replay->model, API_GLES, call->function);
    if (tell_replays_own(&telling, action) ||
        strncmp(gapir_function_name(call->function), "gl", 2) != 0)
        return GAPIR_GL_NOTHING;
    if (looks_at_memory(call))
        tell_written(&telling, &vm->written, vm->plan->memory, vm->memory);
    if (action == GAPIR_ACTION_UNMAP_BUFFER ||
        strncmp(gapir_function_name(call->function), "glFlushMapped", 13) == 0)
        tell_buffer(&telling, call->arguments[0].value);
    tell_call(&telling);
    settle(&telling);
    return need_of(vm, action);
}

void gapir_gl_calls_begin(struct gapir_gl_calls *calls, const struct gapir_vm_instance *instance)
{
    const struct telling telling = tell(calls, instance);
    const struct gapir_vm *vm = instance->vm;
    const struct gapir_program *program = vm->program;

    gapir_gl_stream_begin(&calls->stream);
    tell_block(&telling, vm->plan->constants, program->constants_size);
    tell_memory(&telling, vm->plan->constants, program->constants, program->constants_size);
    tell_block(&telling, vm->plan->memory, program->volatile_size);
    tell_context(&telling, ROOT_CONTEXT, 0);
}

void gapir_gl_calls_clear(struct gapir_gl_calls *calls)
{
    gapir_gl_stream_clear(&calls->stream);
    free(calls->sources);
    *calls = (struct gapir_gl_calls){.drain = calls->drain, .context = calls->context};
}

void gapir_gl_calls_taken(struct gapir_gl_calls *calls)
{
    gapir_gl_stream_taken(&calls->stream);
    calls->first += calls->source_count;
    calls->source_count = 0;
}

const struct gapir_call_source *gapir_gl_calls_source(const struct gapir_gl_calls *calls,
                                                      uint64_t event)
{
    return event - calls->first < calls->source_count ? &calls->sources[event - calls->first]
                                                      : NULL;
}
