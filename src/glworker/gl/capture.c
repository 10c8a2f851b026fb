/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "glworker/gl/capture.h"

#include "glworker/gl/blits.h"
#include "glworker/gl/buffers.h"
#include "glworker/gl/called_lists.h"
#include "glworker/gl/coverage.h"
#include "glworker/gl/draw_call.h"
#include "glworker/gl/draws.h"
#include "glworker/gl/immediate.h"
#include "glworker/gl/lists.h"
#include "glworker/gl/recording.h"
#include "glworker/gl/rectangle.h"
#include "glworker/gl/surfaces.h"

#include <stdlib.h>

enum { NO_ROOM = 16 /* bytes of a buffer that is to receive nothing */ };

unsigned retrace_corners(GLenum kind)
{
    return kind == GL_POINTS ? 1 : kind == GL_LINES ? 2 : 3;
}

/*
 * Returns whether the rule of the call's function lets the call be made: a draw that was refused is
 * not made again.
 */
static bool is_allowed(struct retrace *retrace, struct retrace_call *call)
{
    const bool discard = retrace->feed.discard;
    enum retrace_outcome outcome;

    if (call->binding->rule == NULL)
        return true;
    retrace->notes.quiet = true;
    retrace->feed.discard = false;
    outcome = call->binding->rule(retrace, call);
    retrace->feed.discard = discard;
    retrace->notes.quiet = false;
    return outcome == RETRACE_GO_ON;
}

const char *retrace_capture_obstacle(struct retrace *retrace)
{
    struct retrace_call call;

    if (!retrace_call_again(retrace, &call))
        return "there is no draw call here";
    if (!retrace_calls_lists(&call) &&
        (call.binding->paints != RETRACE_PAINTS_FRAGMENTS ||
         (call.binding->rule == NULL && !retrace_is_immediate(&call))))
        return "it does not draw vertices";
    if (retrace_calls_lists(&call) && !retrace->lists.calls_plain)
        return "its display lists set state that cannot be restored";
    if (!retrace_is_new(retrace_context(retrace), 40, 32))
        return "the context has no transform feedback objects";
    if (!retrace_can_capture(retrace, call.binding))
        return "it cannot be drawn again with the same result and without side effects";
    if (!is_allowed(retrace, &call))
        return "the call was not executed";
    return NULL;
}

/* Making it. */

static void draw_vertices(const struct retrace_again *again)
{
    const struct retrace_draw_call *draw = again->draw;
    const struct retrace_vertices *vertices = &draw->vertices;
    const GLsizei count = (GLsizei)vertices->count, instances = (GLsizei)again->instances;
    const GLuint first = (GLuint)vertices->first_instance;
    const GLenum type = (GLenum)vertices->type;

    if (!vertices->indexed && first > 0)
        glDrawArraysInstancedBaseInstance(again->mode, (GLint)vertices->first, count, instances,
                                          first);
    else if (!vertices->indexed)
        glDrawArraysInstanced(again->mode, (GLint)vertices->first, count, instances);
    else if (first > 0)
        glDrawElementsInstancedBaseVertexBaseInstance(again->mode, count, type, draw->indices_here,
                                                      instances, (GLint)vertices->base, first);
    else
        glDrawElementsInstancedBaseVertex(again->mode, count, type, draw->indices_here, instances,
                                          (GLint)vertices->base);
}

/* Draws a recording, and restores the current values afterwards. */
static void draw_immediate(const struct retrace_again *again)
{
    retrace_push(RETRACE_SETS_ATTRIBUTES);
    retrace_recording_make_as(again->draw->recording, again->mode);
    retrace_pop(RETRACE_SETS_ATTRIBUTES);
}

static void draw_listed(const struct retrace *retrace, const struct retrace_again *again)
{
    if (again->as_points)
        retrace_called_lists_make_points(retrace, again->draw);
    else
        retrace_called_lists_make(retrace, again->draw, again->kind);
}

/* Makes the call unchanged, except for its mode, without notes: they have been written before. */
static bool make_call(struct retrace *retrace, const struct retrace_again *again)
{
    const bool discard = retrace->feed.discard, watching = retrace->feed.watching;
    struct retrace_call call;
    bool made;

    retrace->notes.quiet = true;
    retrace->feed.discard = retrace->feed.watching = false;
    made = retrace_call_again(retrace, &call);
    if (made && again->draw != NULL)
        call.arguments[0].number = again->mode;
    made = made && retrace_run(retrace, &call) == RETRACE_MADE;
    retrace->feed.discard = discard;
    retrace->feed.watching = watching;
    retrace->notes.quiet = false;
    return made;
}

static bool make(struct retrace *retrace, const struct retrace_again *again)
{
    /* gl_DrawID is only correct if one call makes all draws. */
    if (again->draw == NULL || retrace_draw_call_is_several(again->draw))
        return make_call(retrace, again);
    if (again->draw->lists != NULL)
        draw_listed(retrace, again);
    else if (again->draw->rectangle)
        retrace_rectangle_make_points(again->draw);
    else if (again->draw->recording != NULL)
        draw_immediate(again);
    else
        draw_vertices(again);
    return !graphics_failed();
}

/* A pass that rasterises nothing, and counts primitives. */

struct pass {
    GLuint query;
    GLenum counter;
    bool discards, suspended;
};

static void begin_pass(const struct retrace_context *context, GLenum counter, struct pass *pass)
{
    *pass = (struct pass){.counter = counter,
                          .discards = glIsEnabled(GL_RASTERIZER_DISCARD),
                          .suspended = retrace_condition_suspend(context)};
    glGenQueries(1, &pass->query);
    glEnable(GL_RASTERIZER_DISCARD);
    glBeginQuery(counter, pass->query);
}

static uint64_t end_pass(const struct retrace_context *context, const struct pass *pass)
{
    GLuint count = 0;

    glEndQuery(pass->counter);
    glGetQueryObjectuiv(pass->query, GL_QUERY_RESULT, &count);
    glDeleteQueries(1, &pass->query);
    if (!pass->discards)
        glDisable(GL_RASTERIZER_DISCARD);
    retrace_condition_resume(context, pass->suspended);
    return count;
}

/* The trace's bindings, and those that replace them temporarily. */
struct feedback {
    GLint object, bound;
    GLuint own, buffer;
};

static void begin_feedback(GLenum kind, GLsizeiptr size, struct feedback *feedback)
{
    *feedback = (struct feedback){.object = retrace_get(GL_TRANSFORM_FEEDBACK_BINDING),
                                  .bound = retrace_get(GL_TRANSFORM_FEEDBACK_BUFFER_BINDING)};
    glGenTransformFeedbacks(1, &feedback->own);
    glGenBuffers(1, &feedback->buffer);
    glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, feedback->own);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, feedback->buffer);
    glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, size, NULL, GL_STREAM_READ);
    glBeginTransformFeedback(kind);
}

static void end_feedback(const struct feedback *feedback)
{
    glEndTransformFeedback();
    glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, (GLuint)feedback->object);
    glBindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, (GLuint)feedback->bound);
    glDeleteTransformFeedbacks(1, &feedback->own);
}

/*
 * Uses a buffer that has no room for the primitives: without a buffer, the driver counts the
 * primitives that reach the capture, such as quads, and not those that the capture splits them
 * into.
 */
bool retrace_capture_count(struct retrace *retrace, const struct retrace_again *again, GLenum kind,
                           uint64_t *primitives)
{
    const struct retrace_context *context = retrace_context(retrace);
    struct feedback feedback;
    struct pass pass;
    bool made;

    graphics_failed();
    begin_pass(context, GL_PRIMITIVES_GENERATED, &pass);
    begin_feedback(kind, NO_ROOM, &feedback);
    made = make(retrace, again);
    end_feedback(&feedback);
    *primitives = end_pass(context, &pass);
    glDeleteBuffers(1, &feedback.buffer);
    return made && !graphics_failed();
}

float *retrace_capture(struct retrace *retrace, const struct retrace_again *again, GLenum kind,
                       unsigned components, uint64_t count, uint64_t *captured)
{
    const struct retrace_context *context = retrace_context(retrace);
    const int64_t size = (int64_t)count * retrace_corners(kind) * components * 4;
    float *values = calloc((size_t)size + NO_ROOM, 1);
    struct feedback feedback;
    struct pass pass;
    bool made;

    graphics_failed();
    begin_pass(context, GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, &pass);
    begin_feedback(kind, (GLsizeiptr)size + NO_ROOM, &feedback);
    made = make(retrace, again);
    end_feedback(&feedback);
    *captured = end_pass(context, &pass);
    *captured = *captured < count ? *captured : count;
    made = made && values != NULL && !graphics_failed() &&
           retrace_buffer_read(feedback.buffer, 0, size, (uint8_t *)values);
    glDeleteBuffers(1, &feedback.buffer);
    graphics_failed();
    if (made)
        return values;
    free(values);
    return NULL;
}
