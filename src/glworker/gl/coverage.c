/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "glworker/gl/coverage.h"

#include "glworker/gl/blits.h"
#include "glworker/gl/compatibility.h"
#include "glworker/gl/depths.h"
#include "glworker/gl/draw_edges.h"
#include "glworker/gl/draws.h"
#include "glworker/gl/lists.h"
#include "glworker/gl/probe.h"
#include "glworker/gl/reading.h"
#include "glworker/gl/recording.h"
#include "glworker/gl/renderbuffers.h"
#include "glworker/gl/surfaces.h"
#include "glworker/gl/values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    COUNT_MAX = 127, /* after this many halvings a float is 0 */
};

/* What is disabled when fragments are counted, or only when edges are drawn. */
static const struct {
    GLenum what;
    bool in_es, in_core, for_edges;
} switches[] = {
    {GL_COLOR_LOGIC_OP, false, true, false}, {GL_DEPTH_TEST, true, true, true},
    {GL_STENCIL_TEST, true, true, true},     {GL_LINE_SMOOTH, false, true, true},
    {GL_ALPHA_TEST, false, false, true},     {GL_LINE_STIPPLE, false, false, true},
};

enum { SWITCHES = sizeof(switches) / sizeof(switches[0]) };

/* State that covering changes, as the trace has set it. */
struct state {
    GLint drawn;
    GLint equations[2], factors[4]; /* of the first draw buffer, like `mask` and `blends` */
    GLboolean mask[4];
    bool blends;
    GLfloat colour[4], line_width;
    GLint polygons[2];
    bool switched[SWITCHES];
};

static const GLenum equations[] = {GL_BLEND_EQUATION_RGB, GL_BLEND_EQUATION_ALPHA};
static const GLenum factors[] = {GL_BLEND_SRC_RGB, GL_BLEND_DST_RGB, GL_BLEND_SRC_ALPHA,
                                 GL_BLEND_DST_ALPHA};

static bool has_switch(const struct retrace_context *context, unsigned n)
{
    return context->es ? switches[n].in_es : context->config.core ? switches[n].in_core : true;
}

static void save(const struct retrace_context *context, struct state *out)
{
    *out = (struct state){.drawn = retrace_get(GL_DRAW_FRAMEBUFFER_BINDING)};
    for (unsigned n = 0; n < 2; n++)
        glGetIntegeri_v(equations[n], 0, &out->equations[n]);
    for (unsigned n = 0; n < 4; n++)
        glGetIntegeri_v(factors[n], 0, &out->factors[n]);
    glGetBooleani_v(GL_COLOR_WRITEMASK, 0, out->mask);
    out->blends = glIsEnabledi(GL_BLEND, 0);
    glGetFloatv(GL_BLEND_COLOR, out->colour);
    glGetFloatv(GL_LINE_WIDTH, &out->line_width);
    if (!context->es)
        glGetIntegerv(GL_POLYGON_MODE, out->polygons);
    for (unsigned n = 0; n < SWITCHES; n++)
        out->switched[n] = has_switch(context, n) && glIsEnabled(switches[n].what);
}

static void set_polygons(GLint front, GLint back)
{
    if (front == back || back == 0) {
        glPolygonMode(GL_FRONT_AND_BACK, (GLenum)front);
        return;
    }
    glPolygonMode(GL_FRONT, (GLenum)front);
    glPolygonMode(GL_BACK, (GLenum)back);
}

static void restore(const struct retrace_context *context, const struct state *state)
{
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)state->drawn);
    glBlendEquationSeparatei(0, (GLenum)state->equations[0], (GLenum)state->equations[1]);
    glBlendFuncSeparatei(0, (GLenum)state->factors[0], (GLenum)state->factors[1],
                         (GLenum)state->factors[2], (GLenum)state->factors[3]);
    glColorMaski(0, state->mask[0], state->mask[1], state->mask[2], state->mask[3]);
    (state->blends ? glEnablei : glDisablei)(GL_BLEND, 0);
    glBlendColor(state->colour[0], state->colour[1], state->colour[2], state->colour[3]);
    glLineWidth(state->line_width);
    if (!context->es)
        set_polygons(state->polygons[0], state->polygons[1]);
    for (unsigned n = 0; n < SWITCHES; n++)
        if (state->switched[n])
            glEnable(switches[n].what);
}

/* Makes each fragment halve its pixel. */
static void set_halving(const struct state *state)
{
    glEnablei(GL_BLEND, 0);
    glBlendEquationSeparatei(0, GL_FUNC_ADD, GL_FUNC_ADD);
    glBlendFuncSeparatei(0, GL_ZERO, GL_CONSTANT_COLOR, GL_ZERO, GL_CONSTANT_ALPHA);
    glBlendColor(0.5F, 0.5F, 0.5F, 0.5F);
    glColorMaski(0, GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    for (unsigned n = 0; n < SWITCHES; n++)
        if (state->switched[n] && !switches[n].for_edges)
            glDisable(switches[n].what);
}

static void set_edges(const struct state *state)
{
    for (unsigned n = 0; n < SWITCHES; n++)
        if (state->switched[n])
            glDisable(switches[n].what);
    glLineWidth(1);
}

/* The worker's own framebuffer. */

enum { COLOUR, DEPTH, BUFFERS };

struct own {
    GLuint framebuffer, buffers[BUFFERS];
    GLuint depths; /* a texture instead of a renderbuffer; 0 if there is none */
    struct retrace_rectangle all;
};

static void attach(const struct retrace_context *context, struct own *own, unsigned n,
                   GLenum format, GLenum attachment)
{
    own->buffers[n] = retrace_renderbuffer_create(context, format, own->all.width, own->all.height);
    glFramebufferRenderbuffer(GL_DRAW_FRAMEBUFFER, attachment, GL_RENDERBUFFER, own->buffers[n]);
}

/*
 * OpenGL ES has no renderbuffers of 32-bit depths that are not floats, but it has such textures, by
 * an unsized format.
 */
static void attach_depths(struct own *own)
{
    const GLint bound = retrace_get(GL_TEXTURE_BINDING_2D);
    const GLint unpacked = retrace_get(GL_PIXEL_UNPACK_BUFFER_BINDING);

    glGenTextures(1, &own->depths);
    glBindTexture(GL_TEXTURE_2D, own->depths);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT, own->all.width, own->all.height, 0,
                 GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, (GLuint)unpacked);
    glBindTexture(GL_TEXTURE_2D, (GLuint)bound);
    glFramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, own->depths, 0);
}

/*
 * Drawables are stored from the top row down. With the own framebuffer in the same order, depths
 * are copied unchanged, and are interpolated in the same direction: equal to the bit, as GL_EQUAL
 * requires.
 */
static void turn_as_drawables(void)
{
    glFramebufferParameteri(GL_DRAW_FRAMEBUFFER, GL_FRAMEBUFFER_FLIP_Y_MESA, GL_TRUE);
    graphics_failed();
}

/*
 * Creates the framebuffer, with depths and stencil values as the draw finds them. What is drawn on
 * must be bound for reading.
 */
static bool begin_own(const struct retrace_context *context, struct own *own)
{
    GLbitfield planes = 0;
    const GLenum format = retrace_depth_format(&planes);

    glGenFramebuffers(1, &own->framebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, own->framebuffer);
    if (retrace_get(GL_READ_FRAMEBUFFER_BINDING) == 0)
        turn_as_drawables();
    attach(context, own, COLOUR, GL_R32F, GL_COLOR_ATTACHMENT0);
    if (planes != 0 && context->es && format == GL_DEPTH_COMPONENT32)
        attach_depths(own);
    else if (planes != 0)
        attach(context, own, DEPTH, format,
               format == GL_DEPTH24_STENCIL8 || format == GL_DEPTH32F_STENCIL8
                   ? GL_DEPTH_STENCIL_ATTACHMENT
                   : GL_DEPTH_ATTACHMENT);
    if (glCheckFramebufferStatus(GL_DRAW_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        return false;
    if (planes != 0)
        retrace_blit(context, &own->all, &own->all, planes);
    if ((planes & GL_DEPTH_BUFFER_BIT) == 0)
        glDisable(GL_DEPTH_TEST); /* without depths all fragments pass */
    return !graphics_failed();
}

static void end_own(const struct own *own)
{
    glDeleteFramebuffers(1, &own->framebuffer);
    glDeleteRenderbuffers(BUFFERS, own->buffers);
    glDeleteTextures(1, &own->depths);
}

/*
 * Sets all pixels to one, the value before any halving. After a clear Mesa 22.3 fails to tell
 * shaders that another framebuffer has been bound, so gl_FragCoord would count from the window's
 * top; binding the framebuffer again avoids that.
 */
static void clear(const struct retrace_context *context, const struct own *own)
{
    static const GLfloat ones[4] = {1, 1, 1, 1};

    retrace_clear(context, ones);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, own->framebuffer);
}

static void draw(const struct retrace_repeat *repeat)
{
    const enum retrace_sets sets = retrace_sets(repeat->binding);
    ffi_arg returned;

    retrace_push(sets);
    if (repeat->recording != NULL)
        retrace_recording_make(repeat->recording);
    else
        ffi_call(&repeat->binding->cif, repeat->binding->made, &returned, repeat->values);
    retrace_pop(sets);
}

/*
 * For OpenGL ES, which has no polygon mode: draws triangles as lines, with indices of the worker's
 * own.
 */
static void draw_lines(const struct retrace_repeat *repeat)
{
    const GLint bound = retrace_get(GL_ELEMENT_ARRAY_BUFFER_BINDING);
    const bool restarts = glIsEnabled(GL_PRIMITIVE_RESTART_FIXED_INDEX);
    int64_t instances = 0;
    uint32_t count, *pairs = retrace_draw_edges(repeat->call, &count, &instances);
    GLuint buffer;

    if (pairs == NULL || count == 0) {
        free(pairs);
        return;
    }
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)count * 4, pairs, GL_STREAM_DRAW);
    glDisable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
    glDrawElementsInstanced(GL_LINES, (GLsizei)count, GL_UNSIGNED_INT, NULL, (GLsizei)instances);
    if (restarts)
        glEnable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, (GLuint)bound);
    glDeleteBuffers(1, &buffer);
    free(pairs);
}

static bool read_own(const struct own *own, float *room)
{
    glReadPixels(0, 0, own->all.width, own->all.height, GL_RED, GL_FLOAT, room);
    return !graphics_failed();
}

/* Returns how often a value of one was halved. */
static uint32_t halvings(float value)
{
    int exponent;

    if (!(value > 0))
        return COUNT_MAX;
    (void)frexpf(value, &exponent);
    return exponent > 1 ? 0 : (uint32_t)(1 - exponent);
}

static bool add_fragments(const struct retrace_repeat *repeat, const struct own *own,
                          uint32_t *pixels, float *room)
{
    const size_t count = (size_t)own->all.width * (size_t)own->all.height;

    draw(repeat);
    if (!read_own(own, room))
        return false;
    for (size_t n = 0; n < count; n++) {
        const uint32_t sum = (pixels[n] & APITRACE_COVERED_COUNT) + halvings(room[n]);

        pixels[n] = (pixels[n] & ~(uint32_t)APITRACE_COVERED_COUNT) |
                    (sum < APITRACE_COVERED_COUNT ? sum : APITRACE_COVERED_COUNT);
    }
    return true;
}

static bool add_edges(const struct retrace_context *context, const struct retrace_repeat *repeat,
                      const struct own *own, uint32_t *pixels, float *room)
{
    const size_t count = (size_t)own->all.width * (size_t)own->all.height;

    if (context->es && retrace_integer(repeat->call, 0) != GL_POINTS) {
        draw_lines(repeat);
    } else {
        if (!context->es)
            glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
        draw(repeat);
    }
    if (!read_own(own, room))
        return false;
    for (size_t n = 0; n < count; n++)
        if (room[n] < 1)
            pixels[n] |= APITRACE_COVERED_EDGE;
    return true;
}

/* Returns whether a program creates primitives from those that it is given. */
static bool has_geometry_stage(void)
{
    GLint program = 0, vertices;

    glGetIntegerv(GL_CURRENT_PROGRAM, &program);
    if (program == 0)
        glGetIntegerv(GL_PROGRAM_PIPELINE_BINDING, &program);
    else
        glGetProgramiv((GLuint)program, GL_GEOMETRY_VERTICES_OUT, &vertices);
    return !graphics_failed() && program != 0;
}

static bool has_edges(const struct retrace *retrace, const struct retrace_binding *binding)
{
    if (retrace->stores)
        return false;
    return !retrace_context(retrace)->es ||
           (retrace_tells_vertices(binding) && !has_geometry_stage());
}

static bool cover(const struct retrace *retrace, const struct state *state,
                  const struct retrace_repeat *repeat, const struct own *own, uint32_t *pixels,
                  float *room)
{
    const struct retrace_context *context = retrace_context(retrace);

    set_halving(state);
    clear(context, own);
    if (!add_fragments(repeat, own, pixels, room))
        return false;
    if (!has_edges(retrace, repeat->binding))
        return true;
    set_edges(state);
    clear(context, own);
    return add_edges(context, repeat, own, pixels, room);
}

/* Queries that count draws, and queries that only count what transform feedback captures. */
static const GLenum counters[] = {GL_SAMPLES_PASSED,
                                  GL_ANY_SAMPLES_PASSED,
                                  GL_ANY_SAMPLES_PASSED_CONSERVATIVE,
                                  GL_PRIMITIVES_GENERATED,
                                  GL_VERTICES_SUBMITTED,
                                  GL_PRIMITIVES_SUBMITTED,
                                  GL_VERTEX_SHADER_INVOCATIONS,
                                  GL_TESS_CONTROL_SHADER_PATCHES,
                                  GL_TESS_EVALUATION_SHADER_INVOCATIONS,
                                  GL_GEOMETRY_SHADER_INVOCATIONS,
                                  GL_GEOMETRY_SHADER_PRIMITIVES_EMITTED,
                                  GL_FRAGMENT_SHADER_INVOCATIONS,
                                  GL_CLIPPING_INPUT_PRIMITIVES,
                                  GL_CLIPPING_OUTPUT_PRIMITIVES};
static const GLenum capture_counters[] = {GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN,
                                          GL_TRANSFORM_FEEDBACK_OVERFLOW,
                                          GL_TRANSFORM_FEEDBACK_STREAM_OVERFLOW};

static bool is_counting(const GLenum *targets, size_t count)
{
    for (size_t n = 0; n < count; n++) {
        GLint query = 0;

        glGetQueryiv(targets[n], GL_CURRENT_QUERY, &query);
        if (!graphics_failed() && query != 0)
            return true;
    }
    return false;
}

/* Returns whether a query of the trace would count the draw twice. */
static bool counts_draws(void)
{
    return is_counting(counters, sizeof(counters) / sizeof(counters[0]));
}

/*
 * Returns whether a draw can be repeated, not considering what the trace counts and shaders store.
 */
static bool is_repeatable(const struct retrace *retrace, const struct retrace_binding *binding)
{
    const char *name = binding->gl->name;
    const enum retrace_sets sets = retrace_sets(binding);

    if (sets != RETRACE_SETS_STATE && sets != RETRACE_SETS_ATTRIBUTES)
        return strncmp(name, "glDraw", 6) == 0 || strncmp(name, "glMultiDraw", 11) == 0 ||
               strncmp(name, "glRect", 6) == 0;
    return (sets == RETRACE_SETS_ATTRIBUTES || retrace->lists.calls_plain) &&
           retrace_can_push(retrace_context(retrace), sets);
}

bool retrace_can_capture(const struct retrace *retrace, const struct retrace_binding *binding)
{
    return retrace_draws_pixels(retrace_context(retrace)) &&
           retrace_get(GL_TRANSFORM_FEEDBACK_ACTIVE) == 0 && is_repeatable(retrace, binding) &&
           !retrace->stores && !counts_draws() &&
           !is_counting(capture_counters, sizeof(capture_counters) / sizeof(capture_counters[0]));
}

unsigned retrace_can_cover(const struct retrace *retrace, const struct retrace_binding *binding)
{
    const struct retrace_context *context = retrace_context(retrace);

    if (!retrace_is_new(context, 40, 32) || !retrace_draws_pixels(context) ||
        !is_repeatable(retrace, binding))
        return 0;
    /* What shaders have stored changes what a repeated draw does. */
    return APITRACE_COVERED_FRAGMENTS | (has_edges(retrace, binding) ? APITRACE_COVERED_EDGES : 0) |
           (retrace->stores || counts_draws() ? APITRACE_COVERED_SPOILS : 0);
}

/* Pauses a capture of the trace, if one is active. Returns whether it did. */
static bool pause_capture(void)
{
    const bool captures = retrace_get(GL_TRANSFORM_FEEDBACK_BUFFER_ACTIVE) != 0 &&
                          retrace_get(GL_TRANSFORM_FEEDBACK_BUFFER_PAUSED) == 0;

    if (captures)
        glPauseTransformFeedback();
    return captures;
}

bool retrace_cover(struct retrace *retrace, const struct retrace_repeat *repeat, uint32_t width,
                   uint32_t height, uint32_t *pixels, float *room)
{
    const struct retrace_context *context = retrace_context(retrace);
    struct own own = {.all = {0, 0, (GLint)width, (GLint)height}};
    struct retrace_reading saved;
    struct state state;
    bool covered, captures;

    graphics_failed();
    captures = pause_capture();
    save(context, &state);
    retrace_reading_begin(context, (GLuint)state.drawn, &saved);
    graphics_failed();
    covered = begin_own(context, &own);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, own.framebuffer);
    covered = covered && cover(retrace, &state, repeat, &own, pixels, room);
    restore(context, &state);
    retrace_reading_end(context, &saved);
    end_own(&own);
    if (captures)
        glResumeTransformFeedback();
    graphics_failed();
    return covered;
}
