/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "glworker/gl/mark.h"

#include "glworker/gl/arrays.h"
#include "glworker/gl/compatibility.h"
#include "glworker/gl/draws.h"
#include "glworker/gl/lists.h"
#include "glworker/gl/matrices.h"
#include "glworker/gl/names.h"
#include "glworker/gl/pixel_watch.h"
#include "glworker/gl/probe.h"
#include "glworker/gl/surfaces.h"
#include "glworker/gl/values.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Enumerators of compatibility contexts, which headers for core profiles lack. */
enum {
    ALL_ATTRIB_BITS = 0xFFFFFFFF,
    PERSPECTIVE_CORRECTION_HINT = 0x0C50,
    FOG_HINT = 0x0C54,
};

struct retrace_mark {
    const struct retrace_thread *thread; /* only this thread's calls may run */
    uint64_t place, call;                /* of the next event */
    struct retrace_progress progress;
    GLint matrices[RETRACE_MATRIX_STACKS],
        attributes; /* depths of the stacks, including the mark's own pushes */
    struct retrace_kept_arrays arrays;
};

/* Functions. */

/*
 * What may be called besides steps of plain lists (lists.h), by the beginnings of functions' names
 * or by complete names. Two pushes with ALL_ATTRIB_BITS, one on each attribute stack, save all of
 * it. Longer beginnings precede shorter ones.
 */
static const struct {
    const char *begin;
    enum retrace_marked marked;
    bool whole;
} rows[] = {
    {"glActiveTexture", RETRACE_MARKED_UNIT, false},
    {"glAlphaFunc", RETRACE_MARKED_ALWAYS, true},
    {"glBindBuffer", RETRACE_MARKED_BUFFER, true},
    {"glBindBufferARB", RETRACE_MARKED_BUFFER, true},
    {"glBindTexture", RETRACE_MARKED_TEXTURE, true},
    {"glBindTextureEXT", RETRACE_MARKED_TEXTURE, true},
    {"glBindTexture", RETRACE_MARKED_NEVER, false},
    {"glBlendColor", RETRACE_MARKED_ALWAYS, false},
    {"glBlendEquation", RETRACE_MARKED_ALWAYS, false},
    {"glBlendFunc", RETRACE_MARKED_ALWAYS, false},
    {"glClear", RETRACE_MARKED_ALWAYS, true},
    {"glClearColor", RETRACE_MARKED_ALWAYS, true},
    {"glClearDepth", RETRACE_MARKED_ALWAYS, true},
    {"glClearStencil", RETRACE_MARKED_ALWAYS, true},
    {"glClientActiveTexture", RETRACE_MARKED_ALWAYS, false},
    {"glClipPlane", RETRACE_MARKED_ALWAYS, true},
    {"glColorMask", RETRACE_MARKED_ALWAYS, true},
    {"glColorPointer", RETRACE_MARKED_ALWAYS, false},
    {"glDepthFunc", RETRACE_MARKED_ALWAYS, true},
    {"glDepthMask", RETRACE_MARKED_ALWAYS, true},
    {"glDepthRange", RETRACE_MARKED_ALWAYS, true},
    {"glFinish", RETRACE_MARKED_ALWAYS, true},
    {"glFlush", RETRACE_MARKED_ALWAYS, true},
    {"glHint", RETRACE_MARKED_HINT, true},
    {"glLineStipple", RETRACE_MARKED_ALWAYS, true},
    {"glLineWidth", RETRACE_MARKED_ALWAYS, true},
    {"glLogicOp", RETRACE_MARKED_ALWAYS, true},
    {"glMultiDrawArrays", RETRACE_MARKED_ALWAYS, true},
    {"glMultiDrawElements", RETRACE_MARKED_ALWAYS, true},
    {"glPointParameter", RETRACE_MARKED_ALWAYS, false},
    {"glPointSize", RETRACE_MARKED_ALWAYS, true},
    {"glPolygonMode", RETRACE_MARKED_ALWAYS, true},
    {"glScissor", RETRACE_MARKED_ALWAYS, true},
    {"glStencilFunc", RETRACE_MARKED_ALWAYS, false},
    {"glStencilMask", RETRACE_MARKED_ALWAYS, false},
    {"glStencilOp", RETRACE_MARKED_ALWAYS, false},
    {"glVertexArray", RETRACE_MARKED_NEVER, false},
    {"glVertexBinding", RETRACE_MARKED_NEVER, false},
    {"glViewport", RETRACE_MARKED_ALWAYS, true},
};

/* What may be enabled or disabled besides what plain lists may. */
static const GLenum switches[] = {
    GL_POINT_SMOOTH,
    GL_LINE_SMOOTH,
    GL_LINE_STIPPLE,
    GL_POLYGON_SMOOTH,
    GL_POLYGON_STIPPLE,
    GL_DEPTH_TEST,
    GL_STENCIL_TEST,
    GL_ALPHA_TEST,
    GL_DITHER,
    GL_BLEND,
    GL_COLOR_LOGIC_OP,
    GL_SCISSOR_TEST,
    GL_POLYGON_OFFSET_POINT,
    GL_POLYGON_OFFSET_LINE,
    GL_CLIP_DISTANCE0, /* same value as GL_CLIP_PLANE0 of fixed functions */
    GL_CLIP_DISTANCE1,
    GL_CLIP_DISTANCE2,
    GL_CLIP_DISTANCE3,
    GL_CLIP_DISTANCE4,
    GL_CLIP_DISTANCE5,
    GL_MULTISAMPLE,
    GL_COLOR_SUM,
    GL_TEXTURE_RECTANGLE,
    GL_POINT_SPRITE,
};

static const enum retrace_marked steps[] = {
    [RETRACE_STEP_NONE] = RETRACE_MARKED_NEVER,
    [RETRACE_STEP_DRAWS] = RETRACE_MARKED_ALWAYS,
    [RETRACE_STEP_SETS] = RETRACE_MARKED_ALWAYS,
    [RETRACE_STEP_SWITCHES] = RETRACE_MARKED_SWITCH,
    [RETRACE_STEP_MATRIX_MODE] = RETRACE_MARKED_MATRIX_MODE,
    [RETRACE_STEP_PUSHES_MATRIX] = RETRACE_MARKED_PUSHES_MATRIX,
    [RETRACE_STEP_POPS_MATRIX] = RETRACE_MARKED_POPS_MATRIX,
    [RETRACE_STEP_PUSHES_STATE] = RETRACE_MARKED_PUSHES_STATE,
    [RETRACE_STEP_POPS_STATE] = RETRACE_MARKED_POPS_STATE,
    [RETRACE_STEP_CALLS] = RETRACE_MARKED_CALLS,
};

enum retrace_marked retrace_marked(const char *name)
{
    for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++)
        if (rows[n].whole ? strcmp(name, rows[n].begin) == 0
                          : strncmp(name, rows[n].begin, strlen(rows[n].begin)) == 0)
            return rows[n].marked;
    return steps[retrace_step(name)];
}

static bool is_among(const GLenum *list, size_t count, int64_t what)
{
    for (size_t n = 0; n < count; n++)
        if (what == list[n])
            return true;
    return false;
}

static bool is_switch(int64_t what)
{
    return retrace_is_switch(what) ||
           is_among(switches, sizeof(switches) / sizeof(switches[0]), what);
}

static bool is_texture(int64_t target)
{
    static const GLenum targets[] = {GL_TEXTURE_1D, GL_TEXTURE_2D, GL_TEXTURE_3D,
                                     GL_TEXTURE_CUBE_MAP, GL_TEXTURE_RECTANGLE};

    return is_among(targets, sizeof(targets) / sizeof(targets[0]), target);
}

/* Stacks. */

/* Leaves enough room that plain lists can push with the mark as they could without it. */
static bool can_push_matrix(void)
{
    GLint depth, max;

    return retrace_matrix_stack(&depth, &max) >= 0 && depth + 2 + RETRACE_MATRICES_DEEP <= max;
}

static bool can_pop_matrix(const struct retrace_mark *mark)
{
    GLint depth, max;
    const int stack = retrace_matrix_stack(&depth, &max);

    return stack >= 0 && depth > mark->matrices[stack];
}

static bool can_push_state(void)
{
    return retrace_get(GL_ATTRIB_STACK_DEPTH) + 2 + RETRACE_ATTRIBUTES_DEEP <=
           retrace_get(GL_MAX_ATTRIB_STACK_DEPTH);
}

static void push_matrix(void *context, unsigned stack)
{
    struct retrace_mark *mark = context;
    GLint max;

    glPushMatrix();
    (void)retrace_matrix_stack(&mark->matrices[stack], &max);
}

static void pop_matrices(void *context, unsigned stack)
{
    const struct retrace_mark *mark = context;
    GLint depth = 0, max;

    for (retrace_matrix_stack(&depth, &max); depth > mark->matrices[stack]; depth--)
        glPopMatrix();
    glPopMatrix();
}

static void push(struct retrace_mark *mark)
{
    glPushAttrib((GLbitfield)ALL_ATTRIB_BITS);
    mark->attributes = retrace_get(GL_ATTRIB_STACK_DEPTH);
    glPushClientAttrib((GLbitfield)ALL_ATTRIB_BITS);
    retrace_matrices_each(push_matrix, mark);
    graphics_failed();
}

/*
 * Clip planes and lights are saved after transformation by matrices, so matrices are restored
 * first.
 */
static void pop(struct retrace *retrace, struct retrace_mark *mark)
{
    struct retrace_context *context = retrace_context(retrace);

    retrace_matrices_each(pop_matrices, mark);
    glPopClientAttrib();
    for (GLint depth = retrace_get(GL_ATTRIB_STACK_DEPTH); depth >= mark->attributes; depth--)
        glPopAttrib();
    retrace_arrays_restore(context, &mark->arrays);
    graphics_failed();
}

GLint retrace_mark_depth(GLenum what)
{
    const struct retrace *retrace = retrace_session();
    const bool stack = what == GL_MODELVIEW_STACK_DEPTH || what == GL_PROJECTION_STACK_DEPTH ||
                       what == GL_TEXTURE_STACK_DEPTH || what == GL_ATTRIB_STACK_DEPTH ||
                       what == GL_CLIENT_ATTRIB_STACK_DEPTH;

    return stack && retrace != NULL && retrace->mark != NULL &&
           retrace->mark->thread == retrace->current;
}

/* Calls. */

static bool allows(const struct retrace *retrace, const struct retrace_call *call)
{
    const struct retrace_mark *mark = retrace->mark;
    const int64_t first = call->count > 0 ? retrace_integer(call, 0) : 0;

    switch (call->binding->marked) {
    case RETRACE_MARKED_ALWAYS:
        return true;
    case RETRACE_MARKED_SWITCH:
        return call->count == 1 && is_switch(first);
    case RETRACE_MARKED_HINT: /* some drivers do not restore others */
        return first >= PERSPECTIVE_CORRECTION_HINT && first <= FOG_HINT;
    case RETRACE_MARKED_UNIT:
        return first >= GL_TEXTURE0 && first < GL_TEXTURE0 + retrace_matrix_units();
    case RETRACE_MARKED_BUFFER:
        return first == GL_ARRAY_BUFFER || first == GL_ELEMENT_ARRAY_BUFFER;
    case RETRACE_MARKED_TEXTURE:
        return is_texture(first);
    case RETRACE_MARKED_MATRIX_MODE:
        return retrace_is_matrix(first);
    case RETRACE_MARKED_PUSHES_MATRIX:
        return can_push_matrix();
    case RETRACE_MARKED_POPS_MATRIX:
        return can_pop_matrix(mark);
    case RETRACE_MARKED_PUSHES_STATE:
        return can_push_state();
    case RETRACE_MARKED_POPS_STATE:
        return retrace_get(GL_ATTRIB_STACK_DEPTH) > mark->attributes;
    default:
        return false;
    }
}

/* Returns whether the call calls a single plain list. */
static bool allows_list(const struct retrace *retrace, const struct retrace_call *call)
{
    const uint32_t name =
        (uint32_t)retrace_name(retrace, RETRACE_DISPLAY_LIST, call->arguments[0].number);

    return strcmp(call->binding->function->name.bytes, "glCallList") == 0 &&
           retrace_lists_are_plain(retrace, &name, 1);
}

bool retrace_mark_allows(struct retrace *retrace, const struct retrace_call *call)
{
    struct retrace_thread *thread;

    if (retrace->mark == NULL)
        return true;
    thread = retrace_thread(retrace, call->event->thread);
    if (thread != retrace->mark->thread || !retrace_enter(retrace, thread))
        return false;
    return call->binding->marked == RETRACE_MARKED_CALLS ? allows_list(retrace, call)
                                                         : allows(retrace, call);
}

/* Messages. */

/*
 * Returns the thread of the next call, if it is possible to go back to the point before that call;
 * otherwise NULL.
 */
static struct retrace_thread *find_thread(struct retrace *retrace)
{
    const struct retrace_stream *stream = &retrace->stream;
    const struct retrace_event *next = stream->ready;
    struct retrace_thread *thread;

    if (next == NULL || retrace->behind || stream->open_count > 0 ||
        next->number + 1 != stream->calls || retrace->effects || retrace->memory.region_count > 0)
        return NULL;
    thread = retrace_thread(retrace, next->thread);
    if (thread == NULL || !retrace_enter(retrace, thread) || thread->read != thread->draw ||
        !retrace_draws_pixels(thread->context) || thread->context->conditional)
        return NULL;
    return thread;
}

/* Returns whether calls draw only to framebuffer 0, and all state can be pushed. */
static bool can_mark(const struct retrace_context *context)
{
    return retrace_get(GL_DRAW_FRAMEBUFFER_BINDING) == 0 &&
           retrace_get(GL_TRANSFORM_FEEDBACK_ACTIVE) == 0 &&
           retrace_get(GL_CLIENT_ATTRIB_STACK_DEPTH) <
               retrace_get(GL_MAX_CLIENT_ATTRIB_STACK_DEPTH) &&
           retrace_get(GL_ATTRIB_STACK_DEPTH) + 2 + RETRACE_ATTRIBUTES_DEEP <=
               retrace_get(GL_MAX_ATTRIB_STACK_DEPTH) &&
           retrace_can_push(context, RETRACE_SETS_STATE);
}

/* Sets the mark before the next call. */
static void set(const struct retrace *retrace, const struct retrace_thread *thread,
                struct retrace_mark *out)
{
    *out = (struct retrace_mark){.thread = thread,
                                 .place = retrace->stream.ready->enter,
                                 .call = retrace->stream.ready->number,
                                 .progress = retrace->progress};
}

int retrace_handle_mark(struct message_reader *request, struct serve_answer *answer)
{
    struct retrace *retrace = retrace_session();
    struct retrace_thread *thread;

    if (!message_read_all(request))
        return -EPROTO;
    if (retrace == NULL)
        return serve_refuse(answer, -EINVAL, "there is no session: RESET must be sent first");
    thread = retrace->mark == NULL ? find_thread(retrace) : NULL;
    if (thread == NULL || !can_mark(thread->context))
        return serve_refuse(answer, -ENOENT, "the session cannot return to this call");
    retrace->mark = calloc(1, sizeof(*retrace->mark));
    if (retrace->mark == NULL)
        return -ENOMEM;
    retrace->feed.discard = false;
    retrace_discard_update(retrace);
    set(retrace, thread, retrace->mark);
    if (retrace_arrays_keep(thread->context, &retrace->mark->arrays) < 0) {
        free(retrace->mark);
        retrace->mark = NULL;
        return -ENOMEM;
    }
    push(retrace->mark);
    message_write_u64(&answer->body, retrace->mark->place);
    message_write_u64(&answer->body, retrace->progress.listed);
    return 0;
}

void retrace_mark_drop(struct retrace *retrace)
{
    if (retrace->mark == NULL)
        return;
    retrace_arrays_restore(retrace->mark->thread->context, &retrace->mark->arrays);
    retrace_arrays_release(&retrace->mark->arrays);
    free(retrace->mark);
    retrace->mark = NULL;
}

/* Rewinds the stream to the call that was next when the mark was set. */
static void go_back(struct retrace *retrace)
{
    const struct retrace_mark *mark = retrace->mark;

    retrace_watch_end(retrace);
    retrace_stream_rewind(&retrace->stream, mark->place, mark->call);
    retrace->behind = false;
    retrace->progress = mark->progress;
    retrace->array_changes++;
}

int retrace_handle_back(struct message_reader *request, struct serve_answer *answer)
{
    const bool keep = message_read_u32(request) != 0;
    struct retrace *retrace = retrace_session();
    struct retrace_mark *mark;

    if (!message_read_all(request))
        return -EPROTO;
    mark = retrace != NULL ? retrace->mark : NULL;
    if (mark == NULL || mark->thread->context == NULL || mark->thread->context->in_begin ||
        !retrace_enter(retrace, retrace_thread(retrace, mark->thread->number)))
        return serve_refuse(answer, -ENOENT, "there is no call to return to");
    retrace->feed.discard = false;
    retrace_discard_update(retrace);
    pop(retrace, mark);
    go_back(retrace);
    message_write_u64(&answer->body, mark->place);
    message_write_u64(&answer->body, mark->progress.listed);
    if (keep)
        push(mark);
    else
        retrace_mark_drop(retrace);
    return 0;
}
