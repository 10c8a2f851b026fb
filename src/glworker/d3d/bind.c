/* SPDX-License-Identifier: MIT */
/*
 * Passes the current state to GL before a draw. All of it is passed every time: a draw of llvmpipe
 * costs more than a hundred such calls. Each stage has its own units, buffers and images (worker.md
 * 5.2).
 */
#include "config.h"

#include "glworker/d3d/bind.h"

#include "glworker/d3d/resources.h"
#include "glworker/d3d/textures.h"

#include <errno.h>
#include <math.h>
#include <string.h>

enum { ENCODED_BYTES = 4 }; /* of a texel of the formats that SRGBWRITEENABLE encodes */

/* Returns the texture or view that is bound as a target; NULL if nothing is, or something else. */
static struct aero_resource *bound_target(struct aero *aero, uint32_t original)
{
    struct aero_resource *resource = aero_find_bound(aero, original);

    return resource == NULL || resource->kind == AERO_BUFFER ? NULL : resource;
}

struct aero_resource *aero_presented(struct aero *aero)
{
    struct aero_resource *target = NULL;

    for (uint32_t i = 0; i < aero->state.target_count && target == NULL; i++)
        target = bound_target(aero, aero->state.targets[i]);
    return target != NULL ? target : aero->back;
}

struct aero_resource *aero_depth_target(struct aero *aero)
{
    return bound_target(aero, aero->state.depth_target);
}

struct aero_resource *aero_target(struct aero *aero, uint32_t index)
{
    if (aero_presented(aero) != aero->back)
        return index < aero->state.target_count ? bound_target(aero, aero->state.targets[index])
                                                : NULL;
    return index == 0 && aero_depth_target(aero) == NULL ? aero->back : NULL;
}

static void shrink(const struct aero_texture *texture, uint32_t mip, uint32_t *width,
                   uint32_t *height)
{
    uint32_t own_width = texture->shape.width >> mip, own_height = texture->shape.height >> mip;

    own_width += own_width == 0;
    own_height += own_height == 0;
    *width = own_width < *width ? own_width : *width;
    *height = own_height < *height ? own_height : *height;
}

/* Attaches a target, with all its layers if it is a view of several. */
static int attach(struct aero *aero, GLenum point, struct aero_resource *resource, bool depth,
                  uint32_t *width, uint32_t *height)
{
    struct aero_view *view = NULL;
    struct aero_texture *texture = aero_texture_of(resource, &view);
    GLuint name;

    if (texture == NULL || texture->info.depth != depth || texture->info.block != 1)
        return aero_note(aero, PROBLEM_ERROR, "a target is not a texture that can be drawn to");
    aero_refresh(aero, resource);
    if (aero_own(aero, resource) < 0)
        return -ENOMEM;
    name = aero_gl_view(texture, view,
                        view != NULL && view->layers > 1 ? GL_TEXTURE_2D_ARRAY : GL_TEXTURE_2D,
                        !depth && aero->state.srgb_write && texture->info.bytes == ENCODED_BYTES);
    glNamedFramebufferTexture(aero->framebuffer, point, name, 0);
    shrink(texture, view == NULL ? 0 : view->base_mip, width, height);
    return name == 0 ? -EINVAL : 0;
}

/* Binds the colour targets whose bits are set, and the depth target if that is wanted. */
static int bind_some(struct aero *aero, uint32_t colours, bool with_depth, uint32_t *width,
                     uint32_t *height)
{
    struct aero_resource *depth = with_depth ? aero_depth_target(aero) : NULL;
    struct aero_texture *texture = aero_texture_of(depth, NULL);
    GLenum points[AEROGPU_MAX_TARGETS];
    bool stencil = texture != NULL && texture->shape.format == AEROGPU_D24S8;
    int status = 0;

    *width = *height = AEROGPU_MAX_EXTENT;
    for (uint32_t i = 0; i < AEROGPU_MAX_TARGETS && status == 0; i++) {
        struct aero_resource *target = (colours >> i & 1) != 0 ? aero_target(aero, i) : NULL;
        GLenum point = GL_COLOR_ATTACHMENT0 + i;

        points[i] = target == NULL ? GL_NONE : point;
        if (target == NULL)
            glNamedFramebufferTexture(aero->framebuffer, point, 0, 0);
        else
            status = attach(aero, point, target, false, width, height);
    }
    glNamedFramebufferTexture(aero->framebuffer, GL_DEPTH_STENCIL_ATTACHMENT, 0, 0);
    if (depth != NULL && status == 0)
        status = attach(aero, stencil ? GL_DEPTH_STENCIL_ATTACHMENT : GL_DEPTH_ATTACHMENT, depth,
                        true, width, height);
    if (status < 0)
        return status;
    glNamedFramebufferDrawBuffers(aero->framebuffer, AEROGPU_MAX_TARGETS, points);
    glBindFramebuffer(GL_FRAMEBUFFER, aero->framebuffer);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        return aero_note(aero, PROBLEM_ERROR, "the targets cannot be used together");
    return 0;
}

int aero_bind_targets(struct aero *aero, uint32_t *width, uint32_t *height)
{
    return bind_some(aero, UINT32_MAX, true, width, height);
}

int aero_bind_colour_target(struct aero *aero, uint32_t index)
{
    uint32_t width, height;

    return bind_some(aero, UINT32_C(1) << index, false, &width, &height);
}

int aero_bind_depth_target(struct aero *aero)
{
    uint32_t width, height;

    return bind_some(aero, 0, true, &width, &height);
}

void aero_target_drawn(struct aero_resource *target)
{
    struct aero_view *view = NULL;
    struct aero_texture *texture = aero_texture_of(target, &view);

    if (texture == NULL)
        return;
    if (view == NULL)
        aero_texture_drawn(texture, 0, 0, 1);
    else
        aero_texture_drawn(texture, view->base_mip, view->base_layer, view->layers);
}

void aero_targets_drawn(struct aero *aero)
{
    for (uint32_t i = 0; i < AEROGPU_MAX_TARGETS; i++)
        aero_target_drawn(aero_target(aero, i));
    aero_target_drawn(aero_depth_target(aero));
}

static void enable(GLenum what, bool on)
{
    if (on)
        glEnable(what);
    else
        glDisable(what);
}

bool aero_has_viewport(const struct aero_state *state)
{
    for (int i = 0; i < 6; i++)
        if (!isfinite(state->viewport[i]))
            return false;
    return state->viewport[2] > 0 && state->viewport[3] > 0;
}

static void bind_viewport(const struct aero_state *state, uint32_t width, uint32_t height)
{
    const float *port = state->viewport;
    bool set = aero_has_viewport(state);

    if (set)
        glViewportIndexedf(0, port[0], port[1], port[2], port[3]);
    else
        glViewportIndexedf(0, 0, 0, (float)width, (float)height);
    if (set)
        glDepthRangef(port[4], port[5]);
    else
        glDepthRangef(0, 1);
}

static void bind_scissor(const struct aero_state *state)
{
    int64_t x = state->scissor[0], y = state->scissor[1];
    int64_t right = x + state->scissor[2], bottom = y + state->scissor[3];

    enable(GL_SCISSOR_TEST,
           state->raster.scissor && state->scissor[2] > 0 && state->scissor[3] > 0);
    x = x < 0 ? 0 : x;
    y = y < 0 ? 0 : y;
    glScissor((GLint)x, (GLint)y, right > x ? (GLsizei)(right - x) : 0,
              bottom > y ? (GLsizei)(bottom - y) : 0);
}

bool aero_is_opaque(struct aero *aero, uint32_t index)
{
    struct aero_view *view = NULL;
    struct aero_texture *texture = aero_texture_of(aero_target(aero, index), &view);
    struct aerogpu_format_info info = {.bytes = 0};

    if (view != NULL)
        aerogpu_format_find(view->format, &info);
    return texture != NULL && (texture->info.opaque || info.opaque);
}

static void bind_blend(struct aero *aero, bool fixed)
{
    const struct aero_state *state = &aero->state;

    enable(GL_BLEND, state->blend.enabled && !fixed);
    glBlendFuncSeparate(state->blend.source, state->blend.destination, state->blend.source_alpha,
                        state->blend.destination_alpha);
    glBlendEquationSeparate(state->blend.operation, state->blend.operation_alpha);
    glBlendColor(state->blend.constant[0], state->blend.constant[1], state->blend.constant[2],
                 state->blend.constant[3]);
    for (uint32_t i = 0; i < AEROGPU_MAX_TARGETS; i++) {
        uint8_t mask = fixed ? 15 : state->blend.masks[i];

        glColorMaski(i, mask & 1, mask >> 1 & 1, mask >> 2 & 1,
                     (mask >> 3 & 1) && !aero_is_opaque(aero, i));
    }
}

static void bind_depth(struct aero *aero, bool fixed)
{
    const struct aero_state *state = &aero->state;
    bool target = aero_depth_target(aero) != NULL;

    enable(GL_DEPTH_TEST, state->depth.enabled && target && !fixed);
    glDepthMask(state->depth.written);
    glDepthFunc(state->depth.function);
    enable(GL_DEPTH_CLAMP, state->raster.clamp);
}

static void bind_face(GLenum face, const struct aero_state *state,
                      const struct aero_stencil_face *from)
{
    glStencilFuncSeparate(face, from->function, state->stencil.reference, state->stencil.read_mask);
    glStencilOpSeparate(face, from->fail, from->depth_fail, from->pass);
    glStencilMaskSeparate(face, state->stencil.write_mask);
}

static void bind_stencil(const struct aero_state *state, bool fixed)
{
    bool front_counter = state->raster.front_counter;
    const struct aero_stencil_face *clockwise = &state->stencil.clockwise;
    const struct aero_stencil_face *counter =
        state->stencil.two_sided ? &state->stencil.counter : clockwise;

    enable(GL_STENCIL_TEST, state->stencil.enabled && !fixed);
    bind_face(GL_FRONT, state, front_counter ? counter : clockwise);
    bind_face(GL_BACK, state, front_counter ? clockwise : counter);
}

void aero_bind_raster(struct aero *aero, uint32_t width, uint32_t height, bool fixed)
{
    const struct aero_state *state = &aero->state;
    bool wire = (state->raster.fill == AEROGPU_WIREFRAME && !fixed) ||
                (aero->flags & AEROGPU_SESSION_WIREFRAME) != 0;
    bool bias = state->raster.bias != 0 || state->raster.slope != 0;

    bind_viewport(state, width, height);
    bind_scissor(state);
    bind_blend(aero, fixed);
    bind_depth(aero, fixed);
    bind_stencil(state, fixed);
    enable(GL_CULL_FACE, !fixed && state->raster.cull != AEROGPU_CULL_NONE);
    glCullFace(state->raster.cull == AEROGPU_CULL_FRONT ? GL_FRONT : GL_BACK);
    /* Shaders flip y, and so reverse windings. */
    glFrontFace(state->raster.front_counter ? GL_CW : GL_CCW);
    glPolygonMode(GL_FRONT_AND_BACK, wire ? GL_LINE : GL_FILL);
    enable(GL_POLYGON_OFFSET_FILL, bias);
    enable(GL_POLYGON_OFFSET_LINE, bias);
    glPolygonOffset(state->raster.slope, state->raster.bias);
}

/*
 * Returns a buffer that is bound by range, and stores in *size how many bytes of the range are
 * inside the buffer. Returns NULL if there is none.
 */
static struct aero_buffer *range_buffer(struct aero *aero, const struct aero_range_binding *range,
                                        uint64_t *size)
{
    struct aero_resource *resource = aero_find_bound(aero, range->buffer);
    struct aero_buffer *buffer;

    if (resource == NULL || resource->kind != AERO_BUFFER)
        return NULL;
    aero_refresh(aero, resource);
    buffer = &resource->buffer;
    if (range->offset >= buffer->size)
        return NULL;
    *size = buffer->size - range->offset;
    if (range->size != 0 && range->size < *size)
        *size = range->size;
    return buffer;
}

/* Returns a buffer with the registers of SET_SHADER_CONSTANTS_F. */
static GLuint registers_of(struct aero_stage_state *stage)
{
    if (stage->registers == 0) {
        glCreateBuffers(1, &stage->registers);
        glNamedBufferData(stage->registers, sizeof(stage->floats), NULL, GL_DYNAMIC_DRAW);
        stage->registers_changed = true;
    }
    if (stage->registers_changed)
        glNamedBufferSubData(stage->registers, 0, sizeof(stage->floats), stage->floats);
    stage->registers_changed = false;
    return stage->registers;
}

/* Binds a constant buffer of `wanted` bytes; bytes that the bound range lacks read as zeros. */
static void bind_constant(struct aero *aero, struct aero_stage_state *stage, uint32_t slot,
                          GLuint place, uint32_t wanted)
{
    const struct aero_range_binding *range = &stage->constants[slot];
    uint64_t size = 0;
    struct aero_buffer *buffer = range_buffer(aero, range, &size);
    GLuint *scratch = &aero->scratch[place];

    if (buffer == NULL && slot == 0 && range->buffer == 0) {
        glBindBufferBase(GL_UNIFORM_BUFFER, place, registers_of(stage));
        return;
    }
    if (buffer != NULL && size >= wanted && range->offset % 16 == 0) {
        glBindBufferRange(GL_UNIFORM_BUFFER, place, buffer->storage->name, range->offset, wanted);
        return;
    }
    if (buffer == NULL) {
        glBindBufferBase(GL_UNIFORM_BUFFER, place, aero->empty);
        return;
    }
    if (*scratch == 0)
        glCreateBuffers(1, scratch);
    size = size < wanted ? size : wanted;
    glNamedBufferData(*scratch, wanted, NULL, GL_STREAM_DRAW);
    glClearNamedBufferData(*scratch, GL_R8UI, GL_RED_INTEGER, GL_UNSIGNED_BYTE, NULL);
    glCopyNamedBufferSubData(buffer->storage->name, *scratch, range->offset, 0, (GLsizeiptr)size);
    glBindBufferBase(GL_UNIFORM_BUFFER, place, *scratch);
}

static GLenum wrap_of(uint32_t d3dtaddress)
{
    static const GLenum modes[] = {GL_REPEAT,        GL_REPEAT,          GL_MIRRORED_REPEAT,
                                   GL_CLAMP_TO_EDGE, GL_CLAMP_TO_BORDER, GL_MIRROR_CLAMP_TO_EDGE};

    return d3dtaddress < sizeof(modes) / sizeof(modes[0]) ? modes[d3dtaddress] : GL_REPEAT;
}

/* Returns GL's minification filter for two D3DTEXF values: none, point, linear, anisotropic. */
static GLenum minification(uint32_t within, uint32_t between)
{
    static const GLenum filters[2][3] = {
        {GL_NEAREST, GL_NEAREST_MIPMAP_NEAREST, GL_NEAREST_MIPMAP_LINEAR},
        {GL_LINEAR, GL_LINEAR_MIPMAP_NEAREST, GL_LINEAR_MIPMAP_LINEAR}};

    return filters[within >= 2][between > 2 ? 2 : between];
}

/* Sets the states of a D3D9 sampler slot in a sampler object. */
static void set_states(GLuint sampler, const uint32_t *states)
{
    float border[4], bias;

    for (int i = 0; i < 4; i++)
        border[i] = (float)(states[4] >> (i == 3 ? 24 : 16 - 8 * i) & 255) / 255.0f;
    memcpy(&bias, &states[8], sizeof(bias));
    glSamplerParameteri(sampler, GL_TEXTURE_WRAP_S, (GLint)wrap_of(states[1]));
    glSamplerParameteri(sampler, GL_TEXTURE_WRAP_T, (GLint)wrap_of(states[2]));
    glSamplerParameteri(sampler, GL_TEXTURE_WRAP_R, (GLint)wrap_of(states[3]));
    glSamplerParameterfv(sampler, GL_TEXTURE_BORDER_COLOR, border);
    glSamplerParameteri(sampler, GL_TEXTURE_MAG_FILTER, states[5] >= 2 ? GL_LINEAR : GL_NEAREST);
    glSamplerParameteri(sampler, GL_TEXTURE_MIN_FILTER, (GLint)minification(states[6], states[7]));
    glSamplerParameterf(sampler, GL_TEXTURE_LOD_BIAS, isfinite(bias) ? bias : 0);
    glSamplerParameterf(sampler, GL_TEXTURE_MIN_LOD, (float)(states[9] > 15 ? 15 : states[9]));
}

GLuint aero_sampler_of(struct aero *aero, enum dxbc_program stage, unsigned index, bool *srgb)
{
    const struct aero_sampler_slot *slot = &aero->state.stages[stage].samplers[index];
    GLuint *own = &aero->slot_samplers[stage][index];
    struct aero_sampler *sampler = NULL;

    *srgb = slot->d3d9 && slot->states[11] != 0;
    if (slot->d3d9) {
        if (*own == 0)
            glCreateSamplers(1, own);
        set_states(*own, slot->states);
        return *own;
    }
    if (slot->sampler != 0)
        HASH_FIND(hh, aero->samplers, &slot->sampler, sizeof(slot->sampler), sampler);
    return sampler == NULL ? aero->nearest : sampler->name;
}

/* Returns whether a draw to a target writes to what a texture or a view of it shows. */
static bool is_written(struct aero_resource *target, const struct aero_texture *texture,
                       const struct aero_view *view)
{
    struct aero_view *own = NULL;
    uint32_t mip, layer, layers;

    if (aero_texture_of(target, &own) != texture)
        return false;
    mip = own == NULL ? 0 : own->base_mip;
    layer = own == NULL ? 0 : own->base_layer;
    layers = own == NULL ? 1 : own->layers;
    return view == NULL ||
           (mip >= view->base_mip && mip - view->base_mip < view->mips &&
            layer < view->base_layer + view->layers && view->base_layer < layer + layers);
}

static bool changes_stencil(const struct aero_stencil_face *face)
{
    return face->fail != GL_KEEP || face->depth_fail != GL_KEEP || face->pass != GL_KEEP;
}

/* Returns whether a draw with shaders may write to a depth target of that format. */
static bool writes_depth(const struct aero_state *state, uint32_t format)
{
    bool stencil = format == AEROGPU_D24S8 && state->stencil.enabled &&
                   state->stencil.write_mask != 0 &&
                   (changes_stencil(&state->stencil.clockwise) ||
                    (state->stencil.two_sided && changes_stencil(&state->stencil.counter)));

    return stencil || (state->depth.enabled && state->depth.written);
}

/*
 * D3D11 unbinds from the shaders what a draw writes to. A depth target that is only tested can be
 * read.
 */
static bool is_hazard(struct aero *aero, const struct aero_texture *texture,
                      const struct aero_view *view)
{
    for (uint32_t i = 0; i < AEROGPU_MAX_TARGETS; i++)
        if (is_written(aero_target(aero, i), texture, view))
            return true;
    return writes_depth(&aero->state, texture->shape.format) &&
           is_written(aero_depth_target(aero), texture, view);
}

static void bind_unit(struct aero *aero, enum dxbc_program program,
                      const struct translate_unit *unit, GLuint place)
{
    const struct aero_stage_state *stage = &aero->state.stages[program];
    struct aero_view *view = NULL;
    struct aero_resource *resource = aero_find_bound(aero, stage->textures[unit->slot]);
    struct aero_texture *texture = aero_texture_of(resource, &view);
    GLuint sampler = aero->nearest;
    bool srgb = false;

    if (unit->sampler >= 0)
        sampler = aero_sampler_of(aero, program, (unsigned)unit->sampler, &srgb);
    glBindSampler(place, sampler);
    if (texture != NULL)
        aero_refresh(aero, resource);
    if (texture != NULL && program != DXBC_CS && is_hazard(aero, texture, view))
        texture = NULL;
    glBindTextureUnit(place, texture == NULL ? 0 : aero_gl_view(texture, view, unit->target, srgb));
}

/*
 * Returns a buffer texture for a range of a buffer, created in *name if need be. Returns 0 if there
 * is no such buffer.
 */
static GLuint texels_of(struct aero *aero, const struct aero_range_binding *range, GLenum texel,
                        GLuint *name)
{
    uint64_t size = 0;
    struct aero_buffer *buffer = range_buffer(aero, range, &size);

    if (buffer == NULL)
        return 0;
    if (range->offset % 16 != 0) {
        aero_note(aero, PROBLEM_ERROR,
                  "buffer %u is read from an offset that is not a multiple of 16", range->buffer);
        return 0;
    }
    if (*name == 0)
        glCreateTextures(GL_TEXTURE_BUFFER, 1, name);
    glTextureBufferRange(*name, texel, buffer->storage->name, range->offset,
                         (GLsizeiptr)(size / 4 * 4));
    return *name;
}

/* As texels_of(), for a buffer that the shader writes. */
static GLuint written_of(struct aero *aero, const struct aero_range_binding *range, GLenum texel,
                         GLuint *name)
{
    struct aero_resource *resource = aero_find_bound(aero, range->buffer);

    if (resource == NULL || aero_own(aero, resource) < 0)
        return 0;
    return texels_of(aero, range, texel, name);
}

/*
 * Returns a buffer texture of the counter of a buffer that is appended to, after setting its
 * initial count if one is pending. Returns 0 if there is no such buffer.
 */
static GLuint counter_of(struct aero *aero, struct aero_stage_state *stage, uint32_t slot,
                         GLenum texel, GLuint *name)
{
    struct aero_resource *resource = aero_find_bound(aero, stage->written[slot].buffer);
    uint32_t zero = 0;

    if (resource == NULL || resource->kind != AERO_BUFFER || aero_own(aero, resource) < 0)
        return 0;
    if (resource->buffer.storage->counter == 0) {
        glCreateBuffers(1, &resource->buffer.storage->counter);
        glNamedBufferData(resource->buffer.storage->counter, 4, &zero, GL_DYNAMIC_DRAW);
    }
    if (stage->counters[slot] != UINT32_MAX)
        glNamedBufferSubData(resource->buffer.storage->counter, 0, 4, &stage->counters[slot]);
    stage->counters[slot] = UINT32_MAX;
    if (*name == 0)
        glCreateTextures(GL_TEXTURE_BUFFER, 1, name);
    glTextureBuffer(*name, texel, resource->buffer.storage->counter);
    return *name;
}

void aero_bind_stage(struct aero *aero, enum dxbc_program program,
                     const struct translation *translation)
{
    struct aero_stage_state *stage = &aero->state.stages[program];

    for (uint32_t i = 0; i < TRANSLATE_CONSTANTS; i++)
        if (translation->constants[i] != 0)
            bind_constant(aero, stage, i, translate_first_constant(program) + i,
                          translation->constants[i]);
    for (unsigned i = 0; i < translation->unit_count; i++) {
        const struct translate_unit *unit = &translation->units[i];
        GLuint place = translate_first_unit(program) + i;

        if (unit->buffer)
            glBindTextureUnit(place, texels_of(aero, &stage->buffers[unit->slot], unit->texel,
                                               &aero->unit_texels[place]));
        else
            bind_unit(aero, program, unit, place);
    }
    for (unsigned i = 0; i < translation->image_count; i++) {
        const struct translate_image *image = &translation->images[i];
        GLuint place = translate_first_image(program) + i, *texels = &aero->image_texels[place];
        GLuint name = image->counter
                          ? counter_of(aero, stage, image->slot, image->texel, texels)
                          : written_of(aero, &stage->written[image->slot], image->texel, texels);

        glBindImageTexture(place, name, 0, GL_FALSE, 0, GL_READ_WRITE, image->texel);
    }
}

static GLenum component_type(const struct aerogpu_attribute *attribute)
{
    static const GLenum floats[5] = {0, 0, GL_HALF_FLOAT, 0, GL_FLOAT};
    static const GLenum signeds[5] = {0, GL_BYTE, GL_SHORT, 0, GL_INT};
    static const GLenum unsigneds[5] = {0, GL_UNSIGNED_BYTE, GL_UNSIGNED_SHORT, 0, GL_UNSIGNED_INT};

    if (attribute->size > 4)
        return 0;
    switch (attribute->component) {
    case AEROGPU_COMPONENT_FLOAT:
        return floats[attribute->size];
    case AEROGPU_COMPONENT_SNORM:
    case AEROGPU_COMPONENT_SINT:
        return attribute->size == 0 ? GL_INT_2_10_10_10_REV : signeds[attribute->size];
    default:
        return attribute->size == 0 ? GL_UNSIGNED_INT_2_10_10_10_REV : unsigneds[attribute->size];
    }
}

void aero_bind_attribute(struct aero *aero, unsigned location,
                         const struct aerogpu_element *element, bool integer)
{
    const struct aerogpu_attribute *attribute = aerogpu_attribute_find(element->format);
    GLenum type = attribute == NULL ? 0 : component_type(attribute);
    struct aero_resource *resource;
    uint64_t offset;

    if (type == 0 || element->slot >= AEROGPU_VERTEX_SLOTS)
        return;
    resource = aero_find_bound(aero, aero->state.vertices[element->slot].buffer);
    if (resource == NULL || resource->kind != AERO_BUFFER)
        return;
    aero_refresh(aero, resource);
    offset = (uint64_t)aero->state.vertices[element->slot].offset + element->offset;
    if (offset >= resource->buffer.size || aero->state.vertices[element->slot].stride > 2048)
        return;
    if (integer)
        /* Whatever the type, the shader takes its bits. */
        glVertexAttribIFormat(location, attribute->count, type == GL_FLOAT ? GL_UNSIGNED_INT : type,
                              0);
    else
        glVertexAttribFormat(location, attribute->bgra ? GL_BGRA : attribute->count, type,
                             attribute->component == AEROGPU_COMPONENT_UNORM ||
                                 attribute->component == AEROGPU_COMPONENT_SNORM,
                             0);
    glBindVertexBuffer(location, resource->buffer.storage->name, (GLintptr)offset,
                       (GLsizei)aero->state.vertices[element->slot].stride);
    glVertexAttribBinding(location, location);
    /* A step rate of 0 means that all instances read the first value. */
    glVertexBindingDivisor(location, !element->instanced       ? 0
                                     : element->step_rate == 0 ? INT32_MAX
                                                               : element->step_rate);
    glEnableVertexAttribArray(location);
}

void aero_bind_vertices(struct aero *aero, const struct aero_shader *shader)
{
    struct aero_layout *layout;

    for (GLuint i = 0; i < AERO_ATTRIBUTES; i++)
        glDisableVertexAttribArray(i);
    HASH_FIND(hh, aero->layouts, &aero->state.layout, sizeof(aero->state.layout), layout);
    for (unsigned i = 0; layout != NULL && i < shader->input_count; i++)
        for (unsigned e = 0; e < layout->count; e++)
            if (layout->elements[e].semantic_hash == shader->inputs[i].hash &&
                layout->elements[e].semantic_index == shader->inputs[i].index &&
                shader->inputs[i].location < AERO_ATTRIBUTES) {
                aero_bind_attribute(aero, shader->inputs[i].location, &layout->elements[e],
                                    shader->inputs[i].type == 1 || shader->inputs[i].type == 2);
                break;
            }
}
