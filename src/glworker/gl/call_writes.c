/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "glworker/gl/call_writes.h"

#include "glworker/gl/reading.h"
#include "glworker/gl/values.h"

enum {
    VIEWPORTS = 16, /* maximum of a context */
    STENCIL_MAX = 255,
};

enum { NO_CHANNEL = 0, ALL_CHANNELS = 15 };

/* Returns the channels that primitives and clears write to the drawable, one bit each. */
static unsigned written_channels(const struct retrace_context *context)
{
    GLboolean mask[4] = {GL_FALSE};

    if (retrace_reads_apart(context) && retrace_get(GL_DRAW_BUFFER0) == GL_NONE)
        return NO_CHANNEL;
    glGetBooleanv(GL_COLOR_WRITEMASK, mask);
    return mask[0] | mask[1] << 1 | mask[2] << 2 | mask[3] << 3;
}

bool retrace_writes_colours(const struct retrace_context *context, const struct retrace_call *call)
{
    if (call->binding->paints == RETRACE_PAINTS_FRAGMENTS)
        return written_channels(context) != NO_CHANNEL;
    return call->binding->paints != RETRACE_PAINTS_CLEAR ||
           ((retrace_integer(call, 0) & GL_COLOR_BUFFER_BIT) != 0 &&
            written_channels(context) != NO_CHANNEL);
}

bool retrace_writes_depths(const struct retrace_call *call)
{
    if (call->binding->paints == RETRACE_PAINTS_CLEAR)
        return (retrace_integer(call, 0) & GL_DEPTH_BUFFER_BIT) != 0;
    if (call->binding->paints == RETRACE_PAINTS_FRAGMENTS)
        return glIsEnabled(GL_DEPTH_TEST);
    return true;
}

/* Returns the intersection of two boxes. Its width is 0 if it is empty. */
static struct retrace_box meet(const struct retrace_box *a, int64_t left, int64_t low,
                               int64_t right, int64_t top)
{
    left = left > a->x ? left : a->x;
    low = low > a->y ? low : a->y;
    right = right < (int64_t)a->x + a->width ? right : (int64_t)a->x + a->width;
    top = top < (int64_t)a->y + a->height ? top : (int64_t)a->y + a->height;
    if (left >= right || low >= top)
        return (struct retrace_box){0};
    return (struct retrace_box){(uint32_t)left, (uint32_t)low, (uint32_t)(right - left),
                                (uint32_t)(top - low)};
}

struct retrace_box retrace_written_box(const struct retrace_context *context,
                                       const struct retrace_call *call,
                                       const struct retrace_box *box)
{
    int64_t left = INT32_MAX, low = INT32_MAX, right = 0, top = 0;
    const bool many = !context->es && context->major * 10 + context->minor >= 41;

    if (call->binding->paints == RETRACE_PAINTS_LIST)
        return *box;
    for (GLuint n = 0; n < (many ? (GLuint)VIEWPORTS : 1); n++) {
        GLint at[4] = {0};

        if (!(many ? glIsEnabledi(GL_SCISSOR_TEST, n) : glIsEnabled(GL_SCISSOR_TEST)))
            return *box;
        if (many)
            glGetIntegeri_v(GL_SCISSOR_BOX, n, at);
        else
            glGetIntegerv(GL_SCISSOR_BOX, at);
        left = at[0] < left ? at[0] : left;
        low = at[1] < low ? at[1] : low;
        right = (int64_t)at[0] + at[2] > right ? (int64_t)at[0] + at[2] : right;
        top = (int64_t)at[1] + at[3] > top ? (int64_t)at[1] + at[3] : top;
    }
    return meet(box, left, low, right, top);
}

static uint32_t cleared(const struct retrace_context *context, const struct retrace_call *call)
{
    const int64_t bits = retrace_integer(call, 0);
    GLboolean depth = GL_FALSE;
    uint32_t flags = 0;

    glGetBooleanv(GL_DEPTH_WRITEMASK, &depth);
    if ((bits & GL_COLOR_BUFFER_BIT) != 0 && written_channels(context) == ALL_CHANNELS)
        flags |= APITRACE_PLANE_COLOUR;
    if ((bits & GL_DEPTH_BUFFER_BIT) != 0 && depth)
        flags |= APITRACE_PLANE_DEPTH;
    if ((bits & GL_STENCIL_BUFFER_BIT) != 0 &&
        (retrace_get(GL_STENCIL_WRITEMASK) & STENCIL_MAX) == STENCIL_MAX)
        flags |= APITRACE_PLANE_STENCIL;
    return flags;
}

/*
 * Clears and blits are limited by the scissor box. Conditional rendering may prevent both, so
 * nothing is certain once the trace uses it: it sets `effects`.
 */
void retrace_find_overwritten(const struct retrace *retrace, const struct retrace_context *context,
                              const struct retrace_call *call, const struct retrace_box *box,
                              struct retrace_overwritten *out)
{
    const uint8_t paints = call->binding->paints;
    /* Arguments that precede those of glBlitFramebuffer(): the names of two framebuffers. */
    const unsigned named = paints == RETRACE_PAINTS_BLIT_NAMED ? 2 : 0;
    int64_t at[4];

    *out = (struct retrace_overwritten){.box = {0}};
    if (retrace->effects || context->discards ||
        (paints != RETRACE_PAINTS_CLEAR && paints != RETRACE_PAINTS_BLIT &&
         paints != RETRACE_PAINTS_BLIT_NAMED) ||
        (named != 0 && retrace_integer(call, 1) != 0))
        return;
    out->box = retrace_written_box(context, call, box);
    if (paints == RETRACE_PAINTS_CLEAR) {
        out->flags = cleared(context, call);
        return;
    }
    for (unsigned n = 0; n < 4; n++)
        at[n] = retrace_integer(call, named + 4 + n); /* destination: two opposite corners */
    out->box = meet(&out->box, at[0] < at[2] ? at[0] : at[2], at[1] < at[3] ? at[1] : at[3],
                    at[0] < at[2] ? at[2] : at[0], at[1] < at[3] ? at[3] : at[1]);
    if ((retrace_integer(call, named + 8) & GL_COLOR_BUFFER_BIT) != 0)
        out->flags = APITRACE_PLANE_COLOUR;
}

bool retrace_writes_all_channels(const struct retrace_context *context)
{
    return written_channels(context) == ALL_CHANNELS;
}
