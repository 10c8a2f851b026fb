/* SPDX-License-Identifier: MIT */
/*
 * Functions for which translating names is not enough. Vendors' variants of a function share its
 * row.
 */
#include "config.h"

#include "glworker/gl/rules.h"

#include "glworker/gl/array_elements.h"
#include "glworker/gl/arrays.h"
#include "glworker/gl/blits.h"
#include "glworker/gl/budget.h"
#include "glworker/gl/compatibility.h"
#include "glworker/gl/draws.h"
#include "glworker/gl/images.h"
#include "glworker/gl/list_rules.h"
#include "glworker/gl/memory.h"
#include "glworker/gl/names.h"
#include "glworker/gl/sources.h"
#include "glworker/gl/spirv.h"
#include "glworker/gl/surfaces.h"
#include "glworker/gl/values.h"
#include "glworker/gl/windows.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Enumerators that core profiles lack. */
enum {
    DEBUG_OUTPUT_SYNCHRONOUS = 0x8242,
    DEBUG_OUTPUT = 0x92E0,
    RASTERIZER_DISCARD = 0x8C89,
};

enum {
    FEEDBACK_MAX = 1 << 22, /* elements */
    WAITS = 5,              /* seconds to wait for a fence */
};

enum retrace_outcome retrace_leave_out(struct retrace *retrace, struct retrace_call *call)
{
    (void)retrace, (void)call;
    return RETRACE_LEFT;
}

/* Programs. */

static void use_program(struct retrace *retrace, struct retrace_call *call)
{
    retrace_context(retrace)->program = retrace->old_program;
    (void)call;
}

/* Stores the old name before it is translated. */
static enum retrace_outcome remember_program(struct retrace *retrace, struct retrace_call *call)
{
    retrace->old_program = (uint64_t)retrace_integer(call, 0);
    return RETRACE_GO_ON;
}

static enum retrace_outcome bind_pipeline(struct retrace *retrace, struct retrace_call *call)
{
    retrace_context(retrace)->pipeline = (uint64_t)retrace_integer(call, 0);
    return RETRACE_GO_ON;
}

static enum retrace_outcome active_program(struct retrace *retrace, struct retrace_call *call)
{
    retrace_map_put(&retrace_context(retrace)->pipeline_programs,
                    (uint64_t)retrace_integer(call, 0), (uint64_t)retrace_integer(call, 1));
    return RETRACE_GO_ON;
}

/* After linking again, a program has other numbers. */
static enum retrace_outcome link_program(struct retrace *retrace, struct retrace_call *call)
{
    struct retrace_numbers *numbers =
        retrace_numbers(retrace, (uint64_t)retrace_integer(call, 0), false);

    if (numbers != NULL) {
        retrace_map_clear(&numbers->locations);
        retrace_map_clear(&numbers->blocks);
        retrace_map_clear(&numbers->storage);
        retrace_map_clear(&numbers->subroutines);
    }
    return RETRACE_GO_ON;
}

static void program_linked(struct retrace *retrace, struct retrace_call *call)
{
    retrace_sources_link(retrace, (GLuint)retrace_integer(call, 0));
}

static void program_loaded(struct retrace *retrace, struct retrace_call *call)
{
    retrace_sources_forget(retrace, (GLuint)retrace_integer(call, 0));
}

static void program_created(struct retrace *retrace, struct retrace_call *call)
{
    const GLuint program = (GLuint)call->returned.integer;

    if (program != 0 && call->arguments[2].kind == RETRACE_MEMORY)
        retrace_sources_create(retrace, program, retrace_result(call),
                               (GLenum)retrace_integer(call, 0), &call->arguments[2]);
}

enum number { LOCATION, RESOURCE_LOCATION, BLOCK, RESOURCE, SUBROUTINE };

static struct retrace_map *map_of(struct retrace_numbers *numbers, const struct retrace_call *call)
{
    if (call->binding->detail == LOCATION)
        return &numbers->locations;
    if (call->binding->detail == RESOURCE_LOCATION)
        return retrace_integer(call, 1) == GL_UNIFORM ? &numbers->locations : NULL;
    if (call->binding->detail == SUBROUTINE)
        return &numbers->subroutines;
    if (call->binding->detail == RESOURCE && retrace_integer(call, 1) == GL_SHADER_STORAGE_BLOCK)
        return &numbers->storage;
    if (call->binding->detail == RESOURCE && retrace_integer(call, 1) != GL_UNIFORM_BLOCK)
        return NULL;
    return &numbers->blocks;
}

/* The driver has returned a number: from now on it replaces the trace's number. */
static void learn_number(struct retrace *retrace, struct retrace_call *call)
{
    struct retrace_numbers *numbers = retrace_numbers(retrace, retrace->old_program, true);
    struct retrace_map *map = numbers == NULL ? NULL : map_of(numbers, call);
    int32_t old = (int32_t)retrace_result(call), now = (int32_t)call->returned.integer;

    if (map != NULL && call->result.kind == RETRACE_NUMBER && old >= 0)
        retrace_map_put(map, (uint64_t)(uint32_t)old, (uint64_t)(int64_t)now);
}

static void map_number(struct retrace_call *call, unsigned n, const struct retrace_map *map)
{
    uint64_t number;

    if (retrace_map_get(map, call->arguments[n].number, &number))
        call->arguments[n].number = number;
}

/*
 * The rule of glUniformBlockBinding() and glShaderStorageBlockBinding(), which `detail`
 * distinguishes.
 */
static enum retrace_outcome bind_block(struct retrace *retrace, struct retrace_call *call)
{
    const struct retrace_numbers *numbers =
        retrace_numbers(retrace, (uint64_t)retrace_integer(call, 0), false);

    if (numbers != NULL)
        map_number(call, 1, call->binding->detail == BLOCK ? &numbers->blocks : &numbers->storage);
    return RETRACE_GO_ON;
}

static enum retrace_outcome use_subroutines(struct retrace *retrace, struct retrace_call *call)
{
    const struct retrace_numbers *numbers =
        retrace_numbers(retrace, retrace_program(retrace), false);
    struct retrace_argument *indices = &call->arguments[2];

    if (numbers != NULL && indices->kind == RETRACE_MEMORY)
        for (uint64_t n = 0; n < indices->count; n++) {
            uint64_t number;
            uint32_t now;

            if (!retrace_map_get(&numbers->subroutines, (uint64_t)retrace_element(call, 2, n),
                                 &number))
                continue;
            now = (uint32_t)number;
            memcpy(indices->memory + n * sizeof(now), &now, sizeof(now));
        }
    return RETRACE_GO_ON;
}

/*
 * The lengths of the strings, argument 2, are those in the trace, or the call's own where these are
 * less.
 */
static enum retrace_outcome shader_source(struct retrace *retrace, struct retrace_call *call)
{
    struct retrace_argument *strings = &call->arguments[2], *lengths = &call->arguments[3];
    int64_t count = retrace_integer(call, 1);
    GLint *sizes, end;

    if (strings->kind != RETRACE_MEMORY || count < 0 || (uint64_t)count > strings->count)
        return retrace_refuse(retrace, "there are fewer strings than it states");
    sizes = retrace_scratch_take(&retrace->scratch, strings->count * sizeof(*sizes));
    if (sizes == NULL)
        return retrace_refuse(retrace, "out of memory");
    for (uint64_t n = 0; n < strings->count; n++) {
        sizes[n] = (GLint)strings->sizes[n];
        end = n < lengths->count ? (GLint)retrace_element(call, 3, n) : -1;
        if (end >= 0 && end < sizes[n])
            sizes[n] = end;
    }
    *lengths = (struct retrace_argument){.kind = RETRACE_MEMORY,
                                         .memory = (uint8_t *)sizes,
                                         .count = strings->count,
                                         .size = strings->count * sizeof(*sizes)};
    return RETRACE_GO_ON;
}

/* Memory that the driver keeps a pointer to. */

static enum retrace_outcome keep_memory(struct retrace *retrace, struct retrace_call *call,
                                        unsigned argument, void **kept)
{
    int64_t count = retrace_integer(call, 0);
    void *memory;

    if (count < 0 || count > FEEDBACK_MAX)
        return retrace_refuse(retrace, "it is too large");
    memory = calloc((size_t)count + 64, 4);
    if (memory == NULL)
        return retrace_refuse(retrace, "out of memory");
    call->arguments[argument] =
        (struct retrace_argument){.kind = RETRACE_MEMORY, .memory = memory, .checked = true};
    free(*kept);
    *kept = memory;
    return RETRACE_GO_ON;
}

static enum retrace_outcome feedback_buffer(struct retrace *retrace, struct retrace_call *call)
{
    return keep_memory(retrace, call, 2, &retrace_context(retrace)->feedback);
}

static enum retrace_outcome select_buffer(struct retrace *retrace, struct retrace_call *call)
{
    return keep_memory(retrace, call, 1, &retrace_context(retrace)->selection);
}

/* Fences. */

static enum retrace_outcome wait_for_fence(struct retrace *retrace, struct retrace_call *call)
{
    uint64_t sync = retrace_name(retrace, RETRACE_SYNC, (uint64_t)retrace_integer(call, 0));
    uint64_t result = retrace_result(call), known;

    if (result != GL_ALREADY_SIGNALED && result != GL_CONDITION_SATISFIED)
        return RETRACE_LEFT;
    if (!retrace_map_get(&retrace->names[RETRACE_SYNC], (uint64_t)retrace_integer(call, 0), &known))
        return RETRACE_LEFT;
    for (int n = 0; n < WAITS; n++)
        if (glClientWaitSync((GLsync)(uintptr_t)sync, GL_SYNC_FLUSH_COMMANDS_BIT, 1000000000) !=
            GL_TIMEOUT_EXPIRED)
            break;
    return RETRACE_MADE;
}

static enum retrace_outcome ask_fence(struct retrace *retrace, struct retrace_call *call)
{
    if (retrace_integer(call, 1) == GL_SYNC_STATUS && retrace_element(call, 4, 0) == GL_SIGNALED)
        glFinish();
    (void)retrace;
    return RETRACE_LEFT;
}

/* The driver would take the handle of a fence that was not created here for an address. */
static enum retrace_outcome known_fence(struct retrace *retrace, struct retrace_call *call)
{
    uint64_t known;

    if (!retrace_map_get(&retrace->names[RETRACE_SYNC], (uint64_t)retrace_integer(call, 0), &known))
        return RETRACE_LEFT;
    return RETRACE_GO_ON;
}

/* Translates an image, which must have been created here. */
static enum retrace_outcome use_image(struct retrace *retrace, struct retrace_call *call)
{
    struct retrace_argument *image = &call->arguments[1];

    if (!retrace_map_get(&retrace->images, image->number, &image->number))
        return retrace_refuse(retrace, "there is no such image");
    graphics_failed();
    return RETRACE_GO_ON;
}

static void image_used(struct retrace *retrace, struct retrace_call *call)
{
    (void)call;
    if (!graphics_failed())
        retrace_context(retrace)->imaged = retrace->stream.ready->number + 1;
}

/* Switches. */

static enum retrace_outcome enable(struct retrace *retrace, struct retrace_call *call)
{
    int64_t what = retrace_integer(call, 0);
    struct retrace_context *context = retrace_context(retrace);

    if (what == DEBUG_OUTPUT || what == DEBUG_OUTPUT_SYNCHRONOUS)
        return RETRACE_LEFT;
    if (context->in_list && call->binding->detail != 0 &&
        (what == GL_LINE_SMOOTH || what == GL_POINT_SMOOTH))
        retrace->smooth_lists = true;
    if (what != RASTERIZER_DISCARD)
        return RETRACE_GO_ON;
    context->discards = call->binding->detail != 0;
    if (retrace->feed.discard && !context->in_list)
        return RETRACE_MADE; /* set before something is drawn */
    context->discarding = context->discards;
    return RETRACE_GO_ON;
}

/*
 * A call that is only compiled into a list begins nothing: lists may have glBegin() without
 * glEnd().
 */
static void begin(struct retrace *retrace, struct retrace_call *call)
{
    struct retrace_context *context = retrace_context(retrace);

    (void)call;
    context->in_begin = context->in_begin || !context->in_list || context->list.executes;
}

static void end(struct retrace *retrace, struct retrace_call *call)
{
    (void)call;
    retrace_context(retrace)->in_begin = false;
}

/* The rule of draws that read no memory. */
static enum retrace_outcome paint(struct retrace *retrace, struct retrace_call *call)
{
    (void)call;
    return retrace_can_skip_draw(retrace) ? RETRACE_MADE : RETRACE_GO_ON;
}

/* Clears of a framebuffer that the call names, which end with the rasteriser, too. */
static enum retrace_outcome clear_named(struct retrace *retrace, struct retrace_call *call)
{
    (void)call;
    retrace_discard_own(retrace);
    return RETRACE_GO_ON;
}

/* Not left out, because calls between glBegin() and glEnd() also set state that is needed. */
static enum retrace_outcome begin_painting(struct retrace *retrace, struct retrace_call *call)
{
    (void)call;
    retrace_discard_update(retrace);
    retrace_arrays_begin(retrace);
    retrace_elements_begin(retrace);
    return RETRACE_GO_ON;
}

/* Surfaces here have one buffer, even if the window had two. */
static enum retrace_outcome draw_buffer(struct retrace *retrace, struct retrace_call *call)
{
    const struct retrace_context *context = retrace_context(retrace);
    struct retrace_argument *buffer = &call->arguments[call->binding->detail & 1];
    bool reads = (call->binding->detail & 2) != 0;
    GLint bound = call->binding->detail & 1 ? (GLint)retrace_integer(call, 0)
                                            : retrace_get(reads ? GL_READ_FRAMEBUFFER_BINDING
                                                                : GL_DRAW_FRAMEBUFFER_BINDING);

    if (context->es || bound != 0 || retrace_get(GL_DOUBLEBUFFER) != 0)
        return RETRACE_GO_ON;
    if (buffer->number == GL_BACK)
        buffer->number = GL_FRONT;
    else if (buffer->number == GL_BACK_LEFT)
        buffer->number = GL_FRONT_LEFT;
    return RETRACE_GO_ON;
}

static enum retrace_outcome draw_buffers(struct retrace *retrace, struct retrace_call *call)
{
    struct retrace_argument *buffers = &call->arguments[1];

    if (retrace_context(retrace)->es || buffers->kind != RETRACE_MEMORY ||
        retrace_get(GL_DRAW_FRAMEBUFFER_BINDING) != 0 || retrace_get(GL_DOUBLEBUFFER) != 0)
        return RETRACE_GO_ON;
    for (uint64_t n = 0; n < buffers->count; n++) {
        int64_t was = retrace_element(call, 1, n);
        uint32_t is = was == GL_BACK        ? GL_FRONT
                      : was == GL_BACK_LEFT ? GL_FRONT_LEFT
                                            : (uint32_t)was;

        memcpy(buffers->memory + n * sizeof(is), &is, sizeof(is));
    }
    return RETRACE_GO_ON;
}

/* Draws with other effects than pixels are not left out on the way to a frame. */
static enum retrace_outcome has_effects(struct retrace *retrace, struct retrace_call *call)
{
    (void)call;
    retrace->effects = true;
    return RETRACE_GO_ON;
}

static enum retrace_outcome bind_image(struct retrace *retrace, struct retrace_call *call)
{
    retrace->stores = true;
    return has_effects(retrace, call);
}

static enum retrace_outcome begin_condition(struct retrace *retrace, struct retrace_call *call)
{
    graphics_failed();
    return has_effects(retrace, call);
}

static void condition_begun(struct retrace *retrace, struct retrace_call *call)
{
    struct retrace_context *context = retrace_context(retrace);

    if (!context->in_list && !graphics_failed())
        retrace_condition_begin(context, (GLuint)retrace_integer(call, 0),
                                (GLenum)retrace_integer(call, 1));
}

static void end_condition(struct retrace *retrace, struct retrace_call *call)
{
    struct retrace_context *context = retrace_context(retrace);

    (void)call;
    context->conditional = context->conditional && context->in_list;
}

static enum retrace_outcome bind_buffer(struct retrace *retrace, struct retrace_call *call)
{
    int64_t target = retrace_integer(call, 0);

    if (target == GL_SHADER_STORAGE_BUFFER || target == GL_ATOMIC_COUNTER_BUFFER)
        retrace->effects = retrace->stores = true;
    return RETRACE_GO_ON;
}

static enum retrace_outcome begin_query(struct retrace *retrace, struct retrace_call *call)
{
    int64_t target = retrace_integer(call, 0);

    if (target != GL_TIME_ELAPSED)
        retrace->effects = true;
    return RETRACE_GO_ON;
}

/* Checks an offset into a buffer: with very large offsets the driver's own check overflows. */
static enum retrace_outcome check_offset(struct retrace *retrace,
                                         const struct retrace_argument *offset)
{
    if (offset->number > INT32_MAX)
        return retrace_refuse(retrace, "its result is beyond the end of any buffer");
    return RETRACE_GO_ON;
}

/* Results are only needed if they go to a buffer. */
static enum retrace_outcome ask_query(struct retrace *retrace, struct retrace_call *call)
{
    struct retrace_argument *result = &call->arguments[2];

    if (retrace_get(GL_QUERY_BUFFER_BINDING) == 0 || result->kind == RETRACE_MEMORY)
        return RETRACE_LEFT;
    result->checked = true;
    return check_offset(retrace, result);
}

static enum retrace_outcome ask_query_into_buffer(struct retrace *retrace,
                                                  struct retrace_call *call)
{
    return check_offset(retrace, &call->arguments[3]);
}

/* Refused, because file descriptors belong to another process. */
static enum retrace_outcome import(struct retrace *retrace, struct retrace_call *call)
{
    (void)call;
    return retrace_refuse(retrace, "what it imports from another process is not in the trace");
}

/* Returns whether an evaluator's map can have such a stride and order. */
static bool can_map(int64_t stride, int64_t order)
{
    return stride >= 0 && stride <= 1 << 16 && order >= 1 && order <= 1 << 10;
}

/* Checks that a map has the `last` values before its last control point. */
static enum retrace_outcome check_points(struct retrace *retrace, struct retrace_argument *points,
                                         int64_t last)
{
    if ((uint64_t)last > points->count)
        return retrace_refuse(retrace, "there are fewer control points than it states");
    points->checked = points->kind == RETRACE_MEMORY;
    return RETRACE_GO_ON;
}

static enum retrace_outcome map_1(struct retrace *retrace, struct retrace_call *call)
{
    int64_t stride = retrace_integer(call, 3), order = retrace_integer(call, 4);

    if (!can_map(stride, order))
        return retrace_refuse(retrace, "its stride or order is out of range");
    return check_points(retrace, &call->arguments[5], (order - 1) * stride);
}

static enum retrace_outcome map_2(struct retrace *retrace, struct retrace_call *call)
{
    int64_t u = retrace_integer(call, 3), rows = retrace_integer(call, 4);
    int64_t v = retrace_integer(call, 7), columns = retrace_integer(call, 8);

    if (!can_map(u, rows) || !can_map(v, columns))
        return retrace_refuse(retrace, "its strides or orders are out of range");
    return check_points(retrace, &call->arguments[9], (rows - 1) * u + (columns - 1) * v);
}

/* Sorted by name. */
static const struct retrace_rule_row rules[] = {
    {"glAccum", paint, NULL, 0},
    {"glActiveShaderProgram", active_program, NULL, 0},
    {"glArrayElement", retrace_array_element, NULL, 0},
    {"glBegin", begin_painting, begin, 0},
    {"glBeginConditionalRender", begin_condition, condition_begun, 0},
    {"glBeginQuery", begin_query, NULL, 0},
    {"glBeginQueryIndexed", begin_query, NULL, 0},
    {"glBindBufferBase", bind_buffer, NULL, 0},
    {"glBindBufferRange", bind_buffer, NULL, 0},
    {"glBindBuffersBase", bind_buffer, NULL, 0},
    {"glBindBuffersRange", bind_buffer, NULL, 0},
    {"glBindImageTexture", bind_image, NULL, 0},
    {"glBindImageTextures", bind_image, NULL, 0},
    {"glBindProgramPipeline", bind_pipeline, NULL, 0},
    {"glClear", paint, NULL, 0},
    {"glClearBufferfi", paint, NULL, 0},
    {"glClearBufferfv", paint, NULL, 0},
    {"glClearBufferiv", paint, NULL, 0},
    {"glClearBufferuiv", paint, NULL, 0},
    {"glClearNamedFramebufferfi", clear_named, NULL, 0},
    {"glClearNamedFramebufferfv", clear_named, NULL, 0},
    {"glClearNamedFramebufferiv", clear_named, NULL, 0},
    {"glClearNamedFramebufferuiv", clear_named, NULL, 0},
    {"glClientWaitSync", wait_for_fence, NULL, 0},
    {"glCompileShaderInclude", shader_source, NULL, 0},
    {"glCopyPixels", paint, NULL, 0},
    {"glCreateShaderProgramv", NULL, program_created, 0},
    {"glDeleteSync", known_fence, NULL, 0},
    {"glDisable", enable, NULL, 0},
    {"glDrawBuffer", draw_buffer, NULL, 0},
    {"glDrawBuffers", draw_buffers, NULL, 0},
    {"glEGLImageTargetRenderbufferStorage", use_image, NULL, 0},
    {"glEGLImageTargetTexStorage", import, NULL, 0},
    {"glEGLImageTargetTexture2D", use_image, image_used, 0},
    {"glEGLImageTargetTextureStorage", import, NULL, 0},
    {"glEnable", enable, NULL, 1},
    {"glEnd", NULL, end, 0},
    {"glEndConditionalRender", NULL, end_condition, 0},
    {"glEvalMesh1", begin_painting, NULL, 0},
    {"glEvalMesh2", begin_painting, NULL, 0},
    {"glFeedbackBuffer", feedback_buffer, NULL, 0},
    {"glGetProgramResourceIndex", remember_program, learn_number, RESOURCE},
    {"glGetProgramResourceLocation", remember_program, learn_number, RESOURCE_LOCATION},
    {"glGetQueryBufferObjecti64v", ask_query_into_buffer, NULL, 0},
    {"glGetQueryBufferObjectiv", ask_query_into_buffer, NULL, 0},
    {"glGetQueryBufferObjectui64v", ask_query_into_buffer, NULL, 0},
    {"glGetQueryBufferObjectuiv", ask_query_into_buffer, NULL, 0},
    {"glGetQueryObjecti64v", ask_query, NULL, 0},
    {"glGetQueryObjectiv", ask_query, NULL, 0},
    {"glGetQueryObjectui64v", ask_query, NULL, 0},
    {"glGetQueryObjectuiv", ask_query, NULL, 0},
    {"glGetSubroutineIndex", remember_program, learn_number, SUBROUTINE},
    {"glGetSynciv", ask_fence, NULL, 0},
    {"glGetUniformBlockIndex", remember_program, learn_number, BLOCK},
    {"glGetUniformLocation", remember_program, learn_number, LOCATION},
    {"glImportMemoryFd", import, NULL, 0},
    {"glImportMemoryWin32Handle", import, NULL, 0},
    {"glImportMemoryWin32Name", import, NULL, 0},
    {"glImportSemaphoreFd", import, NULL, 0},
    {"glImportSemaphoreWin32Handle", import, NULL, 0},
    {"glImportSemaphoreWin32Name", import, NULL, 0},
    {"glImportSync", import, NULL, 0},
    {"glLinkProgram", link_program, program_linked, 0},
    {"glMap1d", map_1, NULL, 0},
    {"glMap1f", map_1, NULL, 0},
    {"glMap2d", map_2, NULL, 0},
    {"glMap2f", map_2, NULL, 0},
    {"glNamedFramebufferDrawBuffer", draw_buffer, NULL, 1},
    {"glNamedFramebufferReadBuffer", draw_buffer, NULL, 1},
    {"glProgramBinary", link_program, program_loaded, 0},
    {"glReadBuffer", draw_buffer, NULL, 2},
    {"glRectd", paint, NULL, 0},
    {"glRectdv", paint, NULL, 0},
    {"glRectf", paint, NULL, 0},
    {"glRectfv", paint, NULL, 0},
    {"glRecti", paint, NULL, 0},
    {"glRectiv", paint, NULL, 0},
    {"glRects", paint, NULL, 0},
    {"glRectsv", paint, NULL, 0},
    {"glSelectBuffer", select_buffer, NULL, 0},
    {"glShaderBinary", retrace_spirv_begin, retrace_spirv_brought, 0},
    {"glShaderSource", shader_source, NULL, 0},
    {"glShaderStorageBlockBinding", bind_block, NULL, RESOURCE},
    {"glSpecializeShader", retrace_spirv_begin, retrace_spirv_specialized, 0},
    {"glUniformBlockBinding", bind_block, NULL, BLOCK},
    {"glUniformSubroutinesuiv", use_subroutines, NULL, 0},
    {"glUseProgram", remember_program, use_program, 0},
    {"glUseProgramObject", remember_program, use_program, 0},
    {"glWaitSync", known_fence, NULL, 0},
};

/* Functions whose names begin like this have no effect on pictures, unless they have a row. */
static const char *const silent[] = {
    "glAreTextures",     "glDebugMessage",
    "glFrameTerminator", "glGet",
    "glInsertEvent",     "glIs",
    "glLabelObject",     "glObjectLabel",
    "glObjectPtr",       "glPopDebugGroup",
    "glPopGroupMarker",  "glPushDebugGroup",
    "glPushGroup",       "glReleaseShaderCo",
    "glStringMarker",    "glValidateProgram",
};

static const char *const vendors[] = {"ARB", "EXT", "OES",  "KHR",  "NV",   "APPLE", "ATI",
                                      "AMD", "SGI", "SGIS", "SGIX", "MESA", "ANGLE", "IBM"};

static int compare(const void *name, const void *row)
{
    return strcmp(name, ((const struct retrace_rule_row *)row)->name);
}

static const struct retrace_rule_row *find(const char *name)
{
    static const struct {
        const struct retrace_rule_row *rows;
        const size_t *count;
    } tables[] = {{retrace_window_rules, &retrace_window_rule_count},
                  {retrace_memory_rules, &retrace_memory_rule_count},
                  {retrace_array_rules, &retrace_array_rule_count},
                  {retrace_draw_rules, &retrace_draw_rule_count},
                  {retrace_list_rules, &retrace_list_rule_count},
                  {retrace_image_rules, &retrace_image_rule_count}};
    const struct retrace_rule_row *row =
        bsearch(name, rules, sizeof(rules) / sizeof(rules[0]), sizeof(rules[0]), compare);

    for (size_t n = 0; row == NULL && n < sizeof(tables) / sizeof(tables[0]); n++)
        row = bsearch(name, tables[n].rows, *tables[n].count, sizeof(*row), compare);
    return row;
}

const struct retrace_rule_row *retrace_rule_find(const char *name)
{
    static const struct retrace_rule_row leave_out = {.rule = retrace_leave_out};
    const struct retrace_rule_row *row = find(name);
    size_t length = strlen(name);
    char plain[64];

    for (size_t n = 0; row == NULL && n < sizeof(vendors) / sizeof(vendors[0]); n++) {
        size_t suffix = strlen(vendors[n]);

        if (length <= suffix || length - suffix >= sizeof(plain) ||
            strcmp(name + length - suffix, vendors[n]) != 0)
            continue;
        memcpy(plain, name, length - suffix);
        plain[length - suffix] = '\0';
        row = find(plain);
    }
    for (size_t n = 0; row == NULL && n < sizeof(silent) / sizeof(silent[0]); n++)
        if (strncmp(name, silent[n], strlen(silent[n])) == 0)
            row = &leave_out;
    return row;
}
