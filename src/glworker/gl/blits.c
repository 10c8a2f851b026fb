/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "glworker/gl/blits.h"

#include "glworker/gl/surfaces.h"

/* Returns whether each viewport has its own scissor test; a blit uses the first one. */
static bool has_many(const struct retrace_context *context)
{
    return retrace_is_new(context, 41, 32);
}

static void set_scissor(const struct retrace_context *context, bool on)
{
    if (has_many(context))
        (on ? glEnablei : glDisablei)(GL_SCISSOR_TEST, 0);
    else
        (on ? glEnable : glDisable)(GL_SCISSOR_TEST);
}

void retrace_condition_begin(struct retrace_context *context, GLuint query, GLenum mode)
{
    context->conditional = true;
    context->condition = query;
    context->condition_mode = mode;
}

bool retrace_condition_suspend(const struct retrace_context *context)
{
    /* If its query is gone, conditional rendering could not be resumed. */
    if (!context->conditional || !glIsQuery(context->condition))
        return false;
    glEndConditionalRender();
    return true;
}

void retrace_condition_resume(const struct retrace_context *context, bool suspended)
{
    if (suspended)
        glBeginConditionalRender(context->condition, context->condition_mode);
}

void retrace_clear(const struct retrace_context *context, const GLfloat colour[4])
{
    const bool scissored = glIsEnabled(GL_SCISSOR_TEST);
    const bool suspended = retrace_condition_suspend(context);

    if (scissored)
        set_scissor(context, false);
    glClearBufferfv(GL_COLOR, 0, colour);
    if (scissored)
        set_scissor(context, true);
    retrace_condition_resume(context, suspended);
}

void retrace_blit(const struct retrace_context *context, const struct retrace_rectangle *from,
                  const struct retrace_rectangle *to, GLbitfield planes)
{
    const bool scissored = glIsEnabled(GL_SCISSOR_TEST);
    const bool suspended = retrace_condition_suspend(context);

    if (scissored)
        set_scissor(context, false);
    glBlitFramebuffer(from->x, from->y, from->x + from->width, from->y + from->height, to->x, to->y,
                      to->x + to->width, to->y + to->height, planes, GL_NEAREST);
    if (scissored)
        set_scissor(context, true);
    retrace_condition_resume(context, suspended);
}
