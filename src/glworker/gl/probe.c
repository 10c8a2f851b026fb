/* SPDX-License-Identifier: MIT */
/*
 * Fragments that come through are counted by a query while the draw is repeated with a scissor's
 * box of one pixel. Masks keep it from writing anything. Tests are left out first, and then put
 * back in the order in which fragments meet them.
 */
#include "config.h"

#include "glworker/gl/probe.h"

#include "glworker/gl/scissors.h"
#include "glworker/gl/surfaces.h"

#include <string.h>

enum {
    BUFFERS = 8,         /* that are drawn to, at most */
    ALPHA_TEST = 0x0BC0, /* core profiles have no name for these */
    RENDER_MODE = 0x0C40,
    RENDER = 0x1C00,
};

/* What probing sets otherwise. */
struct state {
    struct retrace_scissors scissors;
    GLboolean masks[BUFFERS][4], depth_mask;
    GLint stencil_mask, stencil_back_mask;
    unsigned buffers; /* 1: the context has no more, and others functions */
    bool cull, alpha, stencil, depth;
};

/* OpenGL ES 1, and profiles for compatibility. */
static bool has_alpha_test(const struct retrace_context *context)
{
    return context->es ? context->major < 2 : !context->config.core;
}

static void save(const struct retrace_context *context, struct state *out)
{
    *out = (struct state){.buffers = retrace_is_new(context, 30, 32) ? BUFFERS : 1};
    retrace_scissors_save(context, &out->scissors);
    for (GLuint n = 0; n < out->buffers; n++) {
        if (out->buffers > 1)
            glGetBooleani_v(GL_COLOR_WRITEMASK, n, out->masks[n]);
        else
            glGetBooleanv(GL_COLOR_WRITEMASK, out->masks[n]);
    }
    glGetBooleanv(GL_DEPTH_WRITEMASK, &out->depth_mask);
    out->stencil_mask = retrace_get(GL_STENCIL_WRITEMASK);
    out->stencil_back_mask = retrace_get(GL_STENCIL_BACK_WRITEMASK);
    out->cull = glIsEnabled(GL_CULL_FACE);
    out->alpha = has_alpha_test(context) && glIsEnabled(ALPHA_TEST);
    out->stencil = glIsEnabled(GL_STENCIL_TEST);
    out->depth = glIsEnabled(GL_DEPTH_TEST);
}

static void set(GLenum what, bool on)
{
    if (on)
        glEnable(what);
    else
        glDisable(what);
}

static void restore(const struct state *state)
{
    retrace_scissors_restore(&state->scissors);
    for (GLuint n = 0; n < state->buffers; n++) {
        const GLboolean *mask = state->masks[n];

        if (state->buffers > 1)
            glColorMaski(n, mask[0], mask[1], mask[2], mask[3]);
        else
            glColorMask(mask[0], mask[1], mask[2], mask[3]);
    }
    glDepthMask(state->depth_mask);
    glStencilMaskSeparate(GL_FRONT, (GLuint)state->stencil_mask);
    glStencilMaskSeparate(GL_BACK, (GLuint)state->stencil_back_mask);
    set(GL_CULL_FACE, state->cull);
    if (state->alpha)
        glEnable(ALPHA_TEST);
    set(GL_STENCIL_TEST, state->stencil);
    set(GL_DEPTH_TEST, state->depth);
    graphics_failed();
}

/* Nothing is written, but for what a query counts, and that in one pixel alone. */
static void narrow(uint32_t x, uint32_t y)
{
    glEnable(GL_SCISSOR_TEST);
    glScissor((GLint)x, (GLint)y, 1, 1);
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    glDepthMask(GL_FALSE);
    glStencilMask(0);
}

/* Tests that fragments meet, in their order. */
static const struct {
    GLenum test;
    uint32_t outcome;
} tests[] = {
    {GL_CULL_FACE, APITRACE_PIXEL_CULLED},
    {GL_SCISSOR_TEST, APITRACE_PIXEL_SCISSOR}, /* which is not left out: the box is looked at */
    {ALPHA_TEST, APITRACE_PIXEL_ALPHA},
    {GL_STENCIL_TEST, APITRACE_PIXEL_STENCIL},
    {GL_DEPTH_TEST, APITRACE_PIXEL_DEPTH},
};

enum { TESTS = sizeof(tests) / sizeof(tests[0]) };

struct probe {
    const struct retrace_repeat *repeat;
    GLuint query;
    bool failed;
};

static bool passes(struct probe *probe)
{
    ffi_arg returned;
    GLuint count = 0;

    glBeginQuery(GL_ANY_SAMPLES_PASSED, probe->query);
    ffi_call(&probe->repeat->binding->cif, probe->repeat->binding->made, &returned,
             probe->repeat->values);
    glEndQuery(GL_ANY_SAMPLES_PASSED);
    glGetQueryObjectuiv(probe->query, GL_QUERY_RESULT, &count);
    probe->failed = probe->failed || graphics_failed();
    return count > 0;
}

/* With what each of `tests` was for the trace. */
static uint32_t find_outcome(struct probe *probe, const bool enabled[TESTS])
{
    for (unsigned n = 0; n < TESTS; n++)
        if (enabled[n] && tests[n].test != GL_SCISSOR_TEST)
            glDisable(tests[n].test);
    if (!passes(probe))
        return APITRACE_PIXEL_OUTCOMES;
    for (unsigned n = 0; n < TESTS; n++) {
        if (!enabled[n])
            continue;
        if (tests[n].test == GL_SCISSOR_TEST)
            return tests[n].outcome;
        glEnable(tests[n].test);
        if (!passes(probe))
            return tests[n].outcome;
    }
    return APITRACE_PIXEL_UNCHANGED;
}

bool retrace_draws_pixels(const struct retrace_context *context)
{
    return !context->discards && !context->in_list && !context->in_begin &&
           retrace_is_new(context, 33, 30) &&
           (!has_alpha_test(context) || retrace_get(RENDER_MODE) == RENDER);
}

bool retrace_can_repeat(const struct retrace *retrace, const struct retrace_binding *binding)
{
    const struct retrace_context *context = retrace_context(retrace);
    const char *name = binding->gl->name;

    /* Others draw what came before them, as glEnd() does, or cannot be made by libffi alone. */
    if (strncmp(name, "glDraw", 6) != 0 && strncmp(name, "glMultiDraw", 11) != 0)
        return false;
    return retrace_draws_pixels(context) && retrace_get(GL_TRANSFORM_FEEDBACK_ACTIVE) == 0;
}

bool retrace_can_probe(const struct retrace *retrace, const struct retrace_call *call)
{
    return !retrace->effects && retrace_can_repeat(retrace, call->binding);
}

uint32_t retrace_probe(const struct retrace *retrace, const struct retrace_repeat *repeat,
                       uint32_t x, uint32_t y)
{
    struct probe probe = {.repeat = repeat};
    struct state state;
    uint32_t outcome;

    graphics_failed();
    glGenQueries(1, &probe.query);
    save(retrace_context(retrace), &state);
    if (graphics_failed()) {
        glDeleteQueries(1, &probe.query);
        return APITRACE_PIXEL_OUTCOMES;
    }
    narrow(x, y);
    {
        const bool enabled[TESTS] = {state.cull, retrace_scissors_keep_away(&state.scissors, x, y),
                                     state.alpha, state.stencil, state.depth};

        outcome = find_outcome(&probe, enabled);
    }
    restore(&state);
    glDeleteQueries(1, &probe.query);
    return probe.failed ? APITRACE_PIXEL_OUTCOMES : outcome;
}
