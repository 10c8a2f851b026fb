/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "glworker/gl/named_target.h"

#include "glworker/gl/draw_call.h"
#include "glworker/gl/names.h"
#include "glworker/gl/values.h"

/* Returns whether the call at hand names a framebuffer that exists, and finds its name here. */
static bool find_named(struct retrace *retrace, GLuint *name)
{
    const struct retrace_event *event = retrace->stream.ready;
    const struct retrace_binding *binding =
        event != NULL ? retrace_bind(retrace, event->function) : NULL;
    struct retrace_call call;
    bool found;

    if (binding == NULL ||
        (binding->paints != RETRACE_PAINTS_NAMED && binding->paints != RETRACE_PAINTS_BLIT_NAMED))
        return false;
    found = retrace_call_again(retrace, &call);
    if (found)
        *name = (GLuint)retrace_name(
            retrace, RETRACE_FRAMEBUFFER,
            (uint64_t)retrace_integer(&call, binding->paints == RETRACE_PAINTS_NAMED ? 0 : 1));
    retrace_scratch_reset(&retrace->scratch);
    return found && (*name == 0 || glIsFramebuffer(*name));
}

void retrace_named_target_bind(struct retrace *retrace, struct retrace_named_target *saved)
{
    GLuint name;

    saved->changed = find_named(retrace, &name);
    if (!saved->changed)
        return;
    saved->drawn = retrace_get(GL_DRAW_FRAMEBUFFER_BINDING);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, name);
}

void retrace_named_target_end(const struct retrace_named_target *saved)
{
    if (saved->changed)
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)saved->drawn);
}
