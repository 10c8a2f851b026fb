/* SPDX-License-Identifier: MIT */
/*
 * A query counts the fragments that pass while the draw is repeated with a scissor box of one
 * pixel. Masks prevent it from writing anything. All tests are disabled at first, and then enabled
 * again in the order in which fragments meet them.
 */
#include "config.h"

#include "glworker/gl/probe.h"

#include "glworker/gl/compatibility.h"
#include "glworker/gl/matrices.h"
#include "glworker/gl/scissors.h"
#include "glworker/gl/surfaces.h"

#include <string.h>

enum {
    BUFFERS = 8, /* maximum of buffers that are drawn to */
    /* Core profiles have no names for these. */
    RENDER_MODE = 0x0C40,
    RENDER = 0x1C00,
    FRAGMENT_PROGRAM = 0x8804,
    FRAGMENT_SHADER_ATI = 0x8920,
};

/* State that probing changes. */
struct state {
    struct retrace_scissors scissors;
    GLboolean masks[BUFFERS][4], depth_mask;
    GLint stencil_mask, stencil_back_mask;
    unsigned buffers; /* 1 if the context has only one, set by other functions */
    bool cull, alpha, stencil, depth;
};

/* OpenGL ES 1 and compatibility profiles have it. */
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
    out->alpha = has_alpha_test(context) && glIsEnabled(GL_ALPHA_TEST);
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
        glEnable(GL_ALPHA_TEST);
    set(GL_STENCIL_TEST, state->stencil);
    set(GL_DEPTH_TEST, state->depth);
    graphics_failed();
}

/* Restricts the draw to one pixel, and prevents writes; only the query sees its fragments. */
static void narrow(uint32_t x, uint32_t y)
{
    glEnable(GL_SCISSOR_TEST);
    glScissor((GLint)x, (GLint)y, 1, 1);
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    glDepthMask(GL_FALSE);
    glStencilMask(0);
}

/* Tests in the order in which fragments meet them. */
static const struct {
    GLenum test;
    uint32_t outcome;
} tests[] = {
    {GL_CULL_FACE, APITRACE_PIXEL_CULLED},
    {GL_SCISSOR_TEST, APITRACE_PIXEL_SCISSOR}, /* not disabled: its box is evaluated instead */
    {GL_ALPHA_TEST, APITRACE_PIXEL_ALPHA},
    {GL_STENCIL_TEST, APITRACE_PIXEL_STENCIL},
    {GL_DEPTH_TEST, APITRACE_PIXEL_DEPTH},
};

enum { TESTS = sizeof(tests) / sizeof(tests[0]) };

struct probe {
    const struct retrace_repeat *repeat;
    GLuint query;
    bool plain; /* the draw uses no shaders of the trace */
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

/* Shaders that OpenGL generates from its state. */

/* Returns whether the draw uses other shaders, or alpha affects which samples are written. */
static bool has_own_shaders(const struct retrace_context *context)
{
    bool own = context->es || context->config.core || retrace_get(GL_CURRENT_PROGRAM) != 0 ||
               retrace_get(GL_PROGRAM_PIPELINE_BINDING) != 0 ||
               glIsEnabled(GL_VERTEX_PROGRAM_ARB) || glIsEnabled(FRAGMENT_PROGRAM) ||
               glIsEnabled(FRAGMENT_SHADER_ATI) || glIsEnabled(GL_SAMPLE_ALPHA_TO_COVERAGE);

    graphics_failed(); /* some versions lack some of it */
    return own;
}

static void compute_nothing(void)
{
    static const GLenum computed[] = {GL_LIGHTING, GL_FOG, GL_COLOR_SUM, GL_BLEND,
                                      GL_COLOR_LOGIC_OP};
    static const GLenum textures[] = {GL_TEXTURE_1D, GL_TEXTURE_2D, GL_TEXTURE_3D,
                                      GL_TEXTURE_CUBE_MAP, GL_TEXTURE_RECTANGLE};
    const GLint active = retrace_get(GL_ACTIVE_TEXTURE), units = retrace_get(GL_MAX_TEXTURE_UNITS);

    for (size_t n = 0; n < sizeof(computed) / sizeof(computed[0]); n++)
        glDisable(computed[n]);
    for (GLint unit = 0; unit < units && unit < RETRACE_UNITS_MAX; unit++) {
        glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
        for (size_t n = 0; n < sizeof(textures) / sizeof(textures[0]); n++)
            glDisable(textures[n]);
    }
    glActiveTexture((GLenum)active);
}

/*
 * Enables the first `count` tests one by one, and returns the outcome of the first that discards
 * all fragments. All of them must be disabled.
 */
static uint32_t try_tests(struct probe *probe, const bool enabled[TESTS], unsigned count)
{
    if (!passes(probe))
        return APITRACE_PIXEL_OUTCOMES;
    for (unsigned n = 0; n < count; n++) {
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

/*
 * Finds the first test that discards all fragments. `enabled` has the trace's setting for each of
 * `tests`.
 *
 * Each draw's shaders would have to be compiled once more because the masks are closed, which takes
 * long. This can mostly be avoided if the draw uses no shaders of the trace, but those that the
 * driver generates from the state of fixed functions. These discard nothing, and place vertices
 * alike whatever else they compute; and of the tests, only the alpha test needs colours. So the
 * tests before the alpha test are tried with state for which these shaders compute nothing: such
 * shaders are the same for all draws. Only if the alpha test is enabled, and no test before it
 * discards the fragments, all tests are tried again with the draw's own state.
 */
static uint32_t find_outcome(struct probe *probe, const bool enabled[TESTS])
{
    uint32_t outcome;
    unsigned plain = 0;

    for (unsigned n = 0; n < TESTS; n++)
        if (enabled[n] && tests[n].test != GL_SCISSOR_TEST)
            glDisable(tests[n].test);
    while (plain < TESTS && !(enabled[plain] && tests[plain].test == GL_ALPHA_TEST))
        plain++;
    if (probe->plain)
        glPushAttrib(GL_ENABLE_BIT);
    if (!probe->plain || graphics_failed()) /* the trace has filled the stack */
        return try_tests(probe, enabled, TESTS);
    compute_nothing();
    outcome = try_tests(probe, enabled, plain);
    glPopAttrib();
    return outcome == APITRACE_PIXEL_UNCHANGED && plain < TESTS ? try_tests(probe, enabled, TESTS)
                                                                : outcome;
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

    /* Others draw what came before them, like glEnd(), or cannot be repeated by libffi alone. */
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
    probe.plain = !has_own_shaders(retrace_context(retrace));
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
