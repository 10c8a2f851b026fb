/* SPDX-License-Identifier: MIT */
/*
 * Finds out what one command does to a subresource (worker.md 5.7). For one texel: its value and
 * that of the depth target before and after; and, if the command is a draw, whether the draw writes
 * that texel, or what prevents it. To this end the draw is repeated for that texel, with one test
 * fewer each time. For a complete subresource: which texels a draw writes. To this end it is
 * repeated onto a target where it leaves zeros.
 */
#include "config.h"

#include "glworker/d3d/probe.h"

#include "glworker/d3d/bind.h"
#include "glworker/d3d/resources.h"
#include "glworker/d3d/shaders.h"
#include "glworker/d3d/textures.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { TEXEL_BYTES = 4 };

/* Returns the requested texture, and stores its resource; NULL if there is none. */
static struct aero_texture *texture_of(struct aero *aero, struct aero_resource **resource)
{
    const struct aero_probe *probe = aero->probe;

    *resource = probe->handle == 0 ? aero->back : aero_find_kept(aero, probe->handle);
    if (*resource == NULL || (*resource)->kind != AERO_TEXTURE_2D)
        return NULL;
    return &(*resource)->texture;
}

/* Returns GL's number for a line of the texture. */
static uint32_t line_of(const struct aero *aero, uint32_t line, uint32_t height)
{
    return aero->probe->handle == 0 && aero->upside_down ? height - 1 - line : line;
}

/* Reads one texel. Returns false if there is none. */
static bool read_texel(struct aero_texture *texture, uint32_t mip, uint32_t layer, uint32_t x,
                       uint32_t y, uint8_t *to)
{
    struct aerogpu_subresource part;

    if (texture == NULL || !aerogpu_subresource(&texture->shape, mip, layer, &part) ||
        x >= part.width || y >= part.height)
        return false;
    glGetTextureSubImage(texture->storage->name, (GLint)mip, (GLint)x, (GLint)y, (GLint)layer, 1, 1,
                         1, texture->info.depth ? GL_DEPTH_COMPONENT : GL_RGBA,
                         texture->info.depth ? GL_FLOAT : GL_UNSIGNED_BYTE, TEXEL_BYTES, to);
    return true;
}

/* Reads the requested texel. Returns false if there is none. */
static bool read_wanted(struct aero *aero, uint8_t *to)
{
    const struct aero_probe *probe = aero->probe;
    struct aero_resource *resource;
    struct aero_texture *texture = texture_of(aero, &resource);

    if (texture == NULL)
        return false;
    aero_refresh(aero, resource);
    return read_texel(texture, probe->mip, probe->layer, probe->x,
                      line_of(aero, probe->y, texture->shape.height), to);
}

/* Reads the depth target at the requested place. Returns false if there is none. */
static bool read_depth(struct aero *aero, uint8_t *to)
{
    struct aero_resource *resource = aero_depth_target(aero);
    struct aero_view *view = NULL;
    struct aero_texture *texture = aero_texture_of(resource, &view);

    if (texture == NULL || !texture->info.depth)
        return false;
    aero_refresh(aero, resource);
    return read_texel(texture, view == NULL ? 0 : view->base_mip,
                      view == NULL ? 0 : view->base_layer, aero->probe->x, aero->probe->y, to);
}

/*
 * Returns the index of the colour target as which the requested subresource is bound, or
 * AEROGPU_MAX_TARGETS if it is not bound. Stores in *layered whether the target has several layers.
 */
static uint32_t slot_of(struct aero *aero, bool *layered)
{
    const struct aero_probe *probe = aero->probe;
    struct aero_resource *resource;
    const struct aero_texture *texture = texture_of(aero, &resource);

    for (uint32_t i = 0; texture != NULL && i < AEROGPU_MAX_TARGETS; i++) {
        struct aero_view *view = NULL;
        uint32_t mip = 0, first = 0, layers = 1;

        if (aero_texture_of(aero_target(aero, i), &view) != texture)
            continue;
        if (view != NULL) {
            mip = view->base_mip;
            first = view->base_layer;
            layers = view->layers;
        }
        *layered = layers > 1;
        if (mip == probe->mip && probe->layer >= first && probe->layer - first < layers)
            return i;
    }
    return AEROGPU_MAX_TARGETS;
}

/* Returns whether any sample of the draw passes the enabled tests. */
static bool passes(struct aero *aero, aero_again *again, void *context)
{
    GLuint query = 0, passed = 0;

    glGenQueries(1, &query);
    glBeginQuery(GL_SAMPLES_PASSED, query);
    again(aero, context);
    glEndQuery(GL_SAMPLES_PASSED);
    glGetQueryObjectuiv(query, GL_QUERY_RESULT, &passed);
    glDeleteQueries(1, &query);
    return passed != 0;
}

/*
 * Sets the scissor to one texel. Returns false if the texel is outside of the scissor that was set
 * before.
 */
static bool scissor_to(uint32_t x, uint32_t y)
{
    GLint box[4];
    bool inside = true;

    if (glIsEnabled(GL_SCISSOR_TEST)) {
        glGetIntegerv(GL_SCISSOR_BOX, box);
        inside = (int64_t)x >= box[0] && (int64_t)x < (int64_t)box[0] + box[2] &&
                 (int64_t)y >= box[1] && (int64_t)y < (int64_t)box[1] + box[3];
    }
    glEnable(GL_SCISSOR_TEST);
    glScissor((GLint)x, (GLint)y, 1, 1);
    return inside;
}

/*
 * Returns whether the draw covers the texel with another pixel shader, so that its own one must
 * have discarded it.
 */
static bool is_discarded(struct aero *aero, aero_again *again, void *context)
{
    GLuint magenta;
    bool passed;

    if (aero->state.stages[DXBC_PS].shader == 0 || aero->bound[DXBC_PS] == 0)
        return false;
    magenta = aero_magenta_program(aero, DXBC_PS);
    glUseProgramStages(aero->pipeline, GL_FRAGMENT_SHADER_BIT, magenta);
    passed = passes(aero, again, context);
    glUseProgramStages(aero->pipeline, GL_FRAGMENT_SHADER_BIT, aero->bound[DXBC_PS]);
    return passed;
}

/* Returns whether any channel of the target is written; there may be no pixel shader. */
static bool writes_channels(uint32_t slot)
{
    GLboolean channels[4] = {0};

    glGetBooleani_v(GL_COLOR_WRITEMASK, slot, channels);
    return channels[0] || channels[1] || channels[2] || channels[3];
}

static enum aerogpu_outcome find_outcome(struct aero *aero, uint32_t slot, uint32_t line,
                                         aero_again *again, void *context)
{
    static const struct {
        GLenum test;
        enum aerogpu_outcome outcome;
    } tests[] = {
        {GL_DEPTH_TEST, AEROGPU_OUTCOME_DEPTH},
        {GL_STENCIL_TEST, AEROGPU_OUTCOME_STENCIL},
        {GL_CULL_FACE, AEROGPU_OUTCOME_CULLED},
    };
    bool written = writes_channels(slot), inside = scissor_to(aero->probe->x, line);

    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    glDepthMask(GL_FALSE);
    glStencilMask(0);
    if (inside && passes(aero, again, context))
        return written ? AEROGPU_OUTCOME_WRITTEN : AEROGPU_OUTCOME_MASKED;
    for (size_t i = 0; inside && i < sizeof(tests) / sizeof(tests[0]); i++) {
        if (!glIsEnabled(tests[i].test))
            continue;
        glDisable(tests[i].test);
        if (passes(aero, again, context))
            return tests[i].outcome;
    }
    if (inside)
        return is_discarded(aero, again, context) ? AEROGPU_OUTCOME_DISCARDED
                                                  : AEROGPU_OUTCOME_NONE;
    return passes(aero, again, context) ? AEROGPU_OUTCOME_SCISSOR : AEROGPU_OUTCOME_NONE;
}

/*
 * Replaces that slot's target with one of all ones, in which the draw is to leave zeros. Returns 0
 * if this fails.
 */
static GLuint begin_mask(struct aero *aero, uint32_t slot)
{
    const GLenum point = GL_COLOR_ATTACHMENT0 + slot;
    GLenum points[AEROGPU_MAX_TARGETS] = {GL_NONE};
    static const uint8_t ones[TEXEL_BYTES] = {255, 255, 255, 255};
    GLuint name = 0;

    glCreateTextures(GL_TEXTURE_2D, 1, &name);
    glTextureStorage2D(name, 1, GL_RGBA8, (GLsizei)aero->probe->width,
                       (GLsizei)aero->probe->height);
    if (graphics_failed()) {
        glDeleteTextures(1, &name);
        return 0;
    }
    glClearTexImage(name, 0, GL_RGBA, GL_UNSIGNED_BYTE, ones);
    for (uint32_t i = 0; i < AEROGPU_MAX_TARGETS; i++)
        if (i != slot)
            glNamedFramebufferTexture(aero->framebuffer, GL_COLOR_ATTACHMENT0 + i, 0, 0);
    glNamedFramebufferTexture(aero->framebuffer, point, name, 0);
    points[slot] = point;
    glNamedFramebufferDrawBuffers(aero->framebuffer, AEROGPU_MAX_TARGETS, points);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE)
        return name;
    glDeleteTextures(1, &name);
    return 0;
}

/*
 * Finds which texels a draw writes: blending multiplies the shader's output by zero, so that
 * written texels become 0. Returns false if this cannot be found out.
 */
static bool make_mask(struct aero *aero, uint32_t slot, aero_again *again, void *context)
{
    const struct aero_probe *probe = aero->probe;
    size_t texels = (size_t)probe->width * probe->height;
    uint8_t *left = malloc(texels * TEXEL_BYTES);
    GLuint name = left == NULL ? 0 : begin_mask(aero, slot);

    if (name == 0) {
        free(left);
        return false;
    }
    glEnablei(GL_BLEND, slot);
    glBlendFunc(GL_ZERO, GL_ZERO);
    glBlendEquation(GL_FUNC_ADD);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glDepthMask(GL_FALSE);
    glStencilMask(0);
    again(aero, context);
    glGetTextureImage(name, 0, GL_RGBA, GL_UNSIGNED_BYTE, (GLsizei)(texels * TEXEL_BYTES), left);
    for (size_t i = 0; i < texels; i++)
        probe->mask[i] = left[TEXEL_BYTES * i] == 0;
    glDeleteTextures(1, &name);
    free(left);
    return true;
}

void aero_probe_draw(struct aero *aero, bool writes, aero_again *again, void *context)
{
    struct aero_probe *probe = aero->probe;
    bool layered = false;
    uint32_t slot = slot_of(aero, &layered);

    if (slot == AEROGPU_MAX_TARGETS)
        return;
    probe->drawn = true;
    probe->outcome = AEROGPU_OUTCOME_UNKNOWN;
    if (writes || layered)
        return;
    aero->quiet = true;
    if (probe->mask == NULL)
        probe->outcome =
            find_outcome(aero, slot, line_of(aero, probe->y, probe->height), again, context);
    else if (!writes_channels(slot))
        probe->outcome = AEROGPU_OUTCOME_MASKED;
    else if (make_mask(aero, slot, again, context))
        probe->outcome = AEROGPU_OUTCOME_WRITTEN;
    aero->quiet = false;
}

/* Handling the message. */

/*
 * Returns all texels of the requested subresource; NULL if there is no memory, or no such texture.
 * The caller frees them.
 */
static uint8_t *read_all(struct aero *aero)
{
    const struct aero_probe *probe = aero->probe;
    struct aero_resource *resource;
    struct aero_texture *texture = texture_of(aero, &resource);
    uint8_t *texels =
        texture == NULL ? NULL : malloc((size_t)probe->width * probe->height * TEXEL_BYTES);

    if (texels == NULL)
        return NULL;
    aero_refresh(aero, resource);
    aero_texture_read(texture, probe->mip, probe->layer, texels);
    return texels;
}

/* Fills in the mask with the texels that have changed, for a draw that could not be repeated. */
static void compare(const struct aero_probe *probe, const uint8_t *before, const uint8_t *after)
{
    for (size_t i = 0; i < (size_t)probe->width * probe->height; i++)
        probe->mask[i] =
            memcmp(before + TEXEL_BYTES * i, after + TEXEL_BYTES * i, TEXEL_BYTES) != 0;
}

/* Reverses the mask's lines, for a picture that GL has upside down. */
static void turn_mask(const struct aero_probe *probe)
{
    for (uint32_t y = 0; y < probe->height / 2; y++) {
        uint8_t *a = probe->mask + (size_t)y * probe->width;
        uint8_t *b = probe->mask + (size_t)(probe->height - 1 - y) * probe->width;

        for (uint32_t x = 0; x < probe->width; x++) {
            uint8_t byte = a[x];

            a[x] = b[x];
            b[x] = byte;
        }
    }
}

/*
 * Runs the next command and appends which texels it writes, as bytes. The answer of its run is kept
 * apart, in `ran`.
 */
static int run_for_mask(struct aero *aero, struct serve_answer *ran, struct serve_answer *answer)
{
    struct aero_probe *probe = aero->probe;
    size_t texels = (size_t)probe->width * probe->height;
    uint8_t *before = read_all(aero), *after = NULL;
    int status = 0;

    probe->mask = calloc(1, texels);
    status = before == NULL || probe->mask == NULL ? -ENOMEM : aero_run_next(aero, ran);
    if (status == 0 && probe->drawn && probe->outcome == AEROGPU_OUTCOME_UNKNOWN) {
        after = read_all(aero);
        status = after == NULL ? -ENOMEM : 0;
        if (status == 0)
            compare(probe, before, after);
    }
    if (status == 0 && probe->handle == 0 && aero->upside_down)
        turn_mask(probe);
    if (status == 0) {
        message_write_u32(&answer->body, (uint32_t)texels);
        message_write_bytes(&answer->body, probe->mask, texels);
    }
    free(before);
    free(after);
    free(probe->mask);
    return status;
}

/* Appends whether there is a value, and the value. */
static void add_value(struct serve_answer *answer, bool is_there, const uint8_t bytes[TEXEL_BYTES])
{
    message_write_u32(&answer->body, is_there);
    message_write_bytes(&answer->body, bytes, TEXEL_BYTES);
}

static int run_for_pixel(struct aero *aero, struct serve_answer *ran, struct serve_answer *answer)
{
    uint8_t values[4][TEXEL_BYTES] = {{0}};
    bool is_there[4] = {read_wanted(aero, values[0]), false, read_depth(aero, values[2]), false};
    int status = aero_run_next(aero, ran);

    if (status < 0)
        return status;
    is_there[1] = read_wanted(aero, values[1]);
    is_there[3] = read_depth(aero, values[3]);
    message_write_u32(&answer->body, aero->probe->drawn);
    message_write_u32(&answer->body, aero->probe->outcome);
    for (unsigned i = 0; i < 4; i++)
        add_value(answer, is_there[i], values[i]);
    return 0;
}

static int run_probe(struct aero *aero, bool mask, struct serve_answer *answer)
{
    struct serve_answer ran = {0};
    int status = mask ? run_for_mask(aero, &ran, answer) : run_for_pixel(aero, &ran, answer);

    if (status == 0)
        message_write_bytes(&answer->body, ran.body.bytes, ran.body.size);
    if (status == 0 && (ran.body.bad || answer->body.bad))
        status = -ENOMEM;
    serve_answer_free(&ran);
    return status;
}

int aero_handle_probe(struct message_reader *request, struct serve_answer *answer)
{
    uint32_t flags = message_read_u32(request);
    struct aero_probe probe = {.handle = message_read_u32(request)};
    struct aero *aero = aero_session();
    struct aero_resource *resource;
    struct aerogpu_subresource part = {0};
    struct aero_texture *texture;
    int status;

    probe.mip = message_read_u32(request);
    probe.layer = message_read_u32(request);
    probe.x = message_read_u32(request);
    probe.y = message_read_u32(request);
    if (!message_read_all(request))
        return -EPROTO;
    if (aero == NULL || aero->payload == NULL)
        return serve_refuse(answer, -EINVAL, "there is no submission");
    aero->probe = &probe;
    texture = texture_of(aero, &resource);
    if (texture != NULL && aerogpu_subresource(&texture->shape, probe.mip, probe.layer, &part)) {
        probe.width = part.width;
        probe.height = part.height;
    }
    if ((flags & AEROGPU_PROBE_MASK) != 0 && probe.width == 0)
        status = serve_refuse(answer, -ENOENT, "there is no such picture");
    else
        status = run_probe(aero, (flags & AEROGPU_PROBE_MASK) != 0, answer);
    aero->probe = NULL;
    return status;
}
