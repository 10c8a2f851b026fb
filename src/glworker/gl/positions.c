/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "glworker/gl/positions.h"

#include "glworker/gl/coverage.h"
#include "glworker/gl/program_copy.h"
#include "glworker/gl/state.h"

#include <stdlib.h>

enum { CAPTURED_MAX = 1 << 20, VERTEX_BYTES = 16 };

/* What the trace has bound, and what is bound meanwhile. */
struct capture {
    GLint feedback, bound;
    GLuint own, buffer;
    bool discards;
};

static void begin(struct capture *capture, GLsizeiptr size)
{
    *capture = (struct capture){.feedback = retrace_get(GL_TRANSFORM_FEEDBACK_BINDING),
                                .bound = retrace_get(GL_TRANSFORM_FEEDBACK_BUFFER_BINDING),
                                .discards = glIsEnabled(GL_RASTERIZER_DISCARD)};
    glGenTransformFeedbacks(1, &capture->own);
    glGenBuffers(1, &capture->buffer);
    glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, capture->own);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, capture->buffer);
    glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, size, NULL, GL_STREAM_READ);
    glEnable(GL_RASTERIZER_DISCARD);
    glBeginTransformFeedback(GL_POINTS);
}

static void end(const struct capture *capture)
{
    glEndTransformFeedback();
    if (!capture->discards)
        glDisable(GL_RASTERIZER_DISCARD);
    glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, (GLuint)capture->feedback);
    glBindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, (GLuint)capture->bound);
    glDeleteTransformFeedbacks(1, &capture->own);
}

/* The first instance's. */
static void draw(const struct retrace_context *context, const struct retrace_points *points)
{
    const GLsizei count = (GLsizei)points->count;
    const GLuint instance = (GLuint)points->first_instance;

    if (instance > 0 && retrace_is_new(context, 42, 99) && points->type == GL_NONE)
        glDrawArraysInstancedBaseInstance(GL_POINTS, (GLint)points->first, count, 1, instance);
    else if (instance > 0 && retrace_is_new(context, 42, 99))
        glDrawElementsInstancedBaseVertexBaseInstance(
            GL_POINTS, count, points->type, points->indices, 1, (GLint)points->base, instance);
    else if (points->type == GL_NONE)
        glDrawArrays(GL_POINTS, (GLint)points->first, count);
    else if (points->base != 0)
        glDrawElementsBaseVertex(GL_POINTS, count, points->type, points->indices,
                                 (GLint)points->base);
    else
        glDrawElements(GL_POINTS, count, points->type, points->indices);
}

static float *capture(const struct retrace *retrace, const struct retrace_points *points)
{
    const struct retrace_context *context = retrace_context(retrace);
    const int64_t size = (int64_t)points->captured * VERTEX_BYTES;
    const bool suspended = retrace_condition_suspend(context);
    float *values = calloc((size_t)points->captured + 1, VERTEX_BYTES);
    struct capture capture;
    bool captured;

    begin(&capture, (GLsizeiptr)size + VERTEX_BYTES);
    draw(context, points);
    end(&capture);
    captured = values != NULL && !graphics_failed() &&
               retrace_buffer_read(capture.buffer, 0, size, (uint8_t *)values);
    glDeleteBuffers(1, &capture.buffer);
    retrace_condition_resume(context, suspended);
    if (captured)
        return values;
    free(values);
    return NULL;
}

float *retrace_positions(const struct retrace *retrace, const struct retrace_points *points,
                         const char **why)
{
    GLuint program, current;
    float *values;

    *why = NULL;
    if (points->captured == 0)
        *why = "it has no vertices";
    else if (points->captured > CAPTURED_MAX)
        *why = "it has too many vertices";
    else if (!retrace_is_new(retrace_context(retrace), 40, 32))
        *why = "the context has no transform feedback objects";
    else if (!retrace_can_capture(retrace, points->binding))
        *why = "the trace would see that it is drawn once more";
    if (*why != NULL)
        return NULL;
    graphics_failed();
    program = retrace_program_copy(retrace, &current, why);
    if (program == 0)
        return NULL;
    values = capture(retrace, points);
    glUseProgram(current);
    glDeleteProgram(program);
    graphics_failed();
    *why = values == NULL ? "the driver does not capture it" : NULL;
    return values;
}
