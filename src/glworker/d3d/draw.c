/* SPDX-License-Identifier: MIT */
/* Clears, draws, dispatches and presents (worker.md 5.4). */
#include "config.h"

#include "glworker/d3d/draw.h"

#include "glworker/core/breadcrumb_page.h"

#include "glworker/d3d/bind.h"
#include "glworker/d3d/d3d9.h"
#include "glworker/d3d/probe.h"
#include "glworker/d3d/resources.h"
#include "glworker/d3d/shaders.h"
#include "glworker/d3d/textures.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    VERTICES_MAX = 1 << 26, /* of all instances of a draw together */
    GROUPS_MAX = 65535,
    WORK_MAX = 1 << 18, /* vertices or threads; a draw with more is blamed itself */
};

/* A draw, whichever command requested it. */
struct draw {
    uint32_t count, instances, first, first_instance;
    int32_t base_vertex;
    bool indexed;
    GLenum mode;
    uint32_t patch; /* vertices of a patch; 0 if it draws no patches */
};

/* Sets the fourth byte of a cleared layer of an X8 format to 255. */
static int clear_x8_layer(struct aero_texture *texture, uint32_t mip, uint32_t layer)
{
    struct aerogpu_subresource part;
    uint8_t *bytes = aero_texture_x8(texture);

    if (bytes == NULL || !aerogpu_subresource(&texture->shape, mip, layer, &part))
        return bytes == NULL ? -ENOMEM : 0;
    for (uint32_t y = 0; y < part.height; y++)
        for (uint64_t x = 0; x < part.width; x++)
            bytes[part.offset + (uint64_t)y * part.pitch + x * AERO_X8_BYTES] = 255;
    return 0;
}

/* The same for all layers of a target, if it is of such a format. */
static int clear_x8(struct aero *aero, uint32_t index)
{
    struct aero_view *view = NULL;
    struct aero_texture *texture = aero_texture_of(aero_target(aero, index), &view);
    uint32_t layers = view == NULL ? 1 : view->layers;
    int status = 0;

    if (texture == NULL || !aero_texture_has_x8(texture))
        return 0;
    for (uint32_t i = 0; status == 0 && i < layers; i++)
        status = clear_x8_layer(texture, view == NULL ? 0 : view->base_mip,
                                (view == NULL ? 0 : view->base_layer) + i);
    return status;
}

/* Clears a colour target, with alpha 1 if it has none. */
static int clear_colour(struct aero *aero, uint32_t index, const struct aerogpu_command *command)
{
    float colour[4];
    int status = aero_bind_colour_target(aero, index);

    if (status < 0)
        return status;
    for (uint32_t i = 0; i < 4; i++)
        colour[i] = aerogpu_f32(command, AEROGPU_AT_CLEAR_COLOR + 4 * i);
    if (aero_is_opaque(aero, index))
        colour[3] = 1;
    glClearBufferfv(GL_COLOR, (GLint)index, colour);
    aero_target_drawn(aero_target(aero, index));
    return clear_x8(aero, index);
}

static int clear_depth(struct aero *aero, uint32_t flags, const struct aerogpu_command *command)
{
    float depth = aerogpu_depth_clamp(aerogpu_f32(command, AEROGPU_AT_CLEAR_DEPTH));
    GLint stencil = (GLint)(aerogpu_u32(command, AEROGPU_AT_CLEAR_STENCIL) & 255);
    int status = aero_bind_depth_target(aero);

    if (status < 0)
        return status;
    if ((flags & AEROGPU_CLEAR_DEPTH) != 0)
        glClearBufferfv(GL_DEPTH, 0, &depth);
    if ((flags & AEROGPU_CLEAR_STENCIL) != 0)
        glClearBufferiv(GL_STENCIL, 0, &stencil);
    aero_target_drawn(aero_depth_target(aero));
    return 0;
}

int aero_clear(struct aero *aero, const struct aerogpu_command *command)
{
    uint32_t flags = aerogpu_u32(command, AEROGPU_AT_CLEAR_FLAGS);
    int status = 0;

    glDisable(GL_SCISSOR_TEST);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glDepthMask(GL_TRUE);
    glStencilMask(255);
    for (uint32_t i = 0; i < AEROGPU_MAX_TARGETS && (flags & AEROGPU_CLEAR_COLOUR) != 0; i++)
        if (status == 0 && aero_target(aero, i) != NULL)
            status = clear_colour(aero, i, command);
    if (status == 0 && (flags & (AEROGPU_CLEAR_DEPTH | AEROGPU_CLEAR_STENCIL)) != 0 &&
        aero_depth_target(aero) != NULL)
        status = clear_depth(aero, flags, command);
    return status;
}

static int find_mode(struct aero *aero, struct draw *draw)
{
    static const GLenum modes[] = {
        [AEROGPU_POINT_LIST] = GL_POINTS,
        [AEROGPU_LINE_LIST] = GL_LINES,
        [AEROGPU_LINE_STRIP] = GL_LINE_STRIP,
        [AEROGPU_TRIANGLE_LIST] = GL_TRIANGLES,
        [AEROGPU_TRIANGLE_STRIP] = GL_TRIANGLE_STRIP,
        [AEROGPU_TRIANGLE_FAN] = GL_TRIANGLE_FAN,
        [AEROGPU_LINE_LIST_ADJ] = GL_LINES_ADJACENCY,
        [AEROGPU_LINE_STRIP_ADJ] = GL_LINE_STRIP_ADJACENCY,
        [AEROGPU_TRIANGLE_LIST_ADJ] = GL_TRIANGLES_ADJACENCY,
        [AEROGPU_TRIANGLE_STRIP_ADJ] = GL_TRIANGLE_STRIP_ADJACENCY,
    };
    uint32_t topology = aero->state.topology;

    if (topology >= AEROGPU_PATCH_LIST_1 && topology <= AEROGPU_PATCH_LIST_32) {
        draw->patch = topology - AEROGPU_PATCH_LIST_1 + 1;
        draw->mode = GL_PATCHES;
        return 0;
    }
    if (topology == 0 || topology >= sizeof(modes) / sizeof(modes[0]) ||
        (modes[topology] == 0 && topology != AEROGPU_POINT_LIST))
        return aero_note(aero, PROBLEM_ERROR, "there is no topology %u", topology);
    draw->mode = modes[topology];
    return 0;
}

static bool is_strip(GLenum mode)
{
    return mode == GL_LINE_STRIP || mode == GL_TRIANGLE_STRIP || mode == GL_LINE_STRIP_ADJACENCY ||
           mode == GL_TRIANGLE_STRIP_ADJACENCY;
}

/*
 * Binds the index buffer, and stores the index type and the byte where the draw begins. Clamps the
 * draw's count, with a note, to the indices that there are.
 */
static int bind_indices(struct aero *aero, struct draw *draw, GLenum *type, uint64_t *offset)
{
    struct aero_resource *resource = aero_find_bound(aero, aero->state.indices.buffer);
    uint32_t size = aero->state.indices.format == AEROGPU_UINT16 ? 2 : 4;
    uint64_t there;

    if (resource == NULL || resource->kind != AERO_BUFFER)
        return aero_note(aero, PROBLEM_ERROR, "handle %u is not a buffer",
                         aero->state.indices.buffer);
    aero_refresh(aero, resource);
    *type = size == 2 ? GL_UNSIGNED_SHORT : GL_UNSIGNED_INT;
    *offset = aero->state.indices.offset + (uint64_t)draw->first * size;
    if (*offset % size != 0)
        return aero_note(aero, PROBLEM_ERROR,
                         "the offset of the indices is not a multiple of their size");
    there = *offset < resource->buffer.size ? (resource->buffer.size - *offset) / size : 0;
    if (draw->count > there) {
        aero_note(aero, PROBLEM_WARNING, "%u indices are drawn, but there are only %llu",
                  draw->count, (unsigned long long)there);
        draw->count = (uint32_t)there;
    }
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, resource->buffer.storage->name);
    if (is_strip(draw->mode))
        glEnable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
    else
        glDisable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
    return 0;
}

/* Binds indices 0, 1, 2, …, for shaders that number vertices from the first one drawn. */
static int bind_counting(struct aero *aero, uint32_t count)
{
    if (count > aero->counting_max) {
        uint32_t *numbers = malloc((size_t)count * 4);

        if (numbers == NULL)
            return -ENOMEM;
        for (uint32_t i = 0; i < count; i++)
            numbers[i] = i;
        if (aero->counting == 0)
            glCreateBuffers(1, &aero->counting);
        glNamedBufferData(aero->counting, (GLsizeiptr)count * 4, numbers, GL_STATIC_DRAW);
        aero->counting_max = count;
        free(numbers);
    }
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, aero->counting);
    glDisable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
    return 0;
}

/* Issues the draw, for which everything else is bound. */
static int issue(struct aero *aero, struct draw *draw, bool numbered)
{
    GLenum type = GL_UNSIGNED_INT;
    uint64_t offset = 0;
    int status = 0;

    if (draw->patch != 0)
        glPatchParameteri(GL_PATCH_VERTICES, (GLint)draw->patch);
    if (!draw->indexed && !(numbered && draw->first != 0)) {
        glDrawArraysInstancedBaseInstance(draw->mode, (GLint)draw->first, (GLsizei)draw->count,
                                          (GLsizei)draw->instances, draw->first_instance);
        return 0;
    }
    if (draw->indexed)
        status = bind_indices(aero, draw, &type, &offset);
    else {
        status = bind_counting(aero, draw->count);
        draw->base_vertex = (int32_t)draw->first;
    }
    if (status == 0 && draw->count > 0)
        glDrawElementsInstancedBaseVertexBaseInstance(
            draw->mode, (GLsizei)draw->count, type, (const void *)(uintptr_t)offset,
            (GLsizei)draw->instances, draw->base_vertex, draw->first_instance);
    return status;
}

/* Binds position and colour from the first slot, as in the driver's own draws. */
static int bind_fixed(struct aero *aero)
{
    static const struct aerogpu_element elements[2] = {
        {.format = 16 /* R32G32_FLOAT */},
        {.format = 2 /* R32G32B32A32_FLOAT */, .offset = 8},
    };
    GLuint program = aero_plain_program(aero, false);

    if (program == 0)
        return -EINVAL;
    for (GLuint i = 0; i < AERO_ATTRIBUTES; i++)
        glDisableVertexAttribArray(i);
    for (unsigned i = 0; i < 2; i++)
        aero_bind_attribute(aero, i, &elements[i], false);
    glUseProgram(program);
    return 0;
}

static void use_stage(struct aero *aero, enum dxbc_program stage, GLuint program)
{
    static const GLbitfield bits[AERO_STAGES] = {
        GL_FRAGMENT_SHADER_BIT,     GL_VERTEX_SHADER_BIT,          GL_GEOMETRY_SHADER_BIT,
        GL_TESS_CONTROL_SHADER_BIT, GL_TESS_EVALUATION_SHADER_BIT, 0};

    if (aero->bound[stage] == program)
        return;
    glUseProgramStages(aero->pipeline, bits[stage], program);
    aero->bound[stage] = program;
}

/*
 * Returns what a stage runs of its shader, or NULL, with a note, if the stage cannot run the
 * shader.
 */
static struct aero_variant *stage_variant(struct aero *aero, enum dxbc_program stage, bool flip)
{
    uint32_t handle = aero->state.stages[stage].shader;
    struct aero_shader *shader = aero_shader(aero, handle);

    if (shader != NULL && shader->stage == stage)
        return aero_variant(aero, shader, flip);
    if (shader == NULL)
        aero_note(aero, PROBLEM_ERROR, "there is no shader %u", handle);
    else if (!shader->misplaced)
        aero_note(aero, PROBLEM_ERROR, "shader %u is bound to a stage of another kind", handle);
    if (shader != NULL)
        shader->misplaced = true;
    return NULL;
}

/*
 * Returns a stage's program, 0 if the stage has no shader, or `instead`, with *broken set, if its
 * shader cannot be run. Sets *numbered if the shader numbers vertices.
 */
static GLuint stage_program(struct aero *aero, enum dxbc_program stage, GLuint instead, bool flip,
                            bool *broken, bool *numbered)
{
    struct aero_variant *variant;

    if (aero->state.stages[stage].shader == 0)
        return 0;
    variant = stage_variant(aero, stage, flip);
    if (variant == NULL) {
        *broken = true;
        return instead;
    }
    *numbered = *numbered || variant->translation.base_vertex;
    aero_bind_stage(aero, stage, &variant->translation);
    return variant->program;
}

/*
 * Binds a position for the vertex shader that stands in: the layout's POSITION, otherwise its first
 * element.
 */
static void bind_magenta_vertices(struct aero *aero)
{
    uint32_t position = dxbc_semantic_hash("POSITION");
    struct aero_layout *layout;
    unsigned found = 0;

    for (GLuint i = 0; i < AERO_ATTRIBUTES; i++)
        glDisableVertexAttribArray(i);
    HASH_FIND(hh, aero->layouts, &aero->state.layout, sizeof(aero->state.layout), layout);
    if (layout == NULL || layout->count == 0)
        return;
    for (unsigned i = 0; i < layout->count; i++)
        if (layout->elements[i].semantic_hash == position) {
            found = i;
            break;
        }
    aero_bind_attribute(aero, 0, &layout->elements[found], false);
}

/* Binds D3D11's shaders, each stage separately. */
static int bind_pipeline(struct aero *aero, struct draw *draw, bool *numbered)
{
    const struct aero_stage_state *stages = aero->state.stages;
    bool broken = false, lost = false;
    bool geometry = stages[DXBC_GS].shader != 0;
    bool tessellated =
        draw->patch != 0 && stages[DXBC_HS].shader != 0 && stages[DXBC_DS].shader != 0;
    struct aero_shader *vertex = aero_shader(aero, stages[DXBC_VS].shader);
    GLuint programs[AERO_STAGES] = {0};

    if (stages[DXBC_VS].shader == 0)
        return aero_note(aero, PROBLEM_ERROR, "a draw without a vertex shader");
    if (draw->patch != 0 && !tessellated)
        return aero_note(aero, PROBLEM_ERROR, "patches are drawn without hull and domain shaders");
    programs[DXBC_VS] = stage_program(aero, DXBC_VS, aero_magenta_program(aero, DXBC_VS),
                                      !geometry && !tessellated, &lost, numbered);
    if (tessellated) {
        programs[DXBC_HS] = stage_program(aero, DXBC_HS, 0, false, &broken, numbered);
        programs[DXBC_DS] = stage_program(aero, DXBC_DS, 0, !geometry, &broken, numbered);
    }
    programs[DXBC_GS] = stage_program(aero, DXBC_GS, 0, true, &broken, numbered);
    if (broken)
        return -EINVAL; /* no program can stand in for a stage that generates vertices */
    programs[DXBC_PS] =
        stage_program(aero, DXBC_PS, aero_magenta_program(aero, DXBC_PS), false, &broken, numbered);
    if (lost)
        programs[DXBC_PS] = aero_magenta_program(aero, DXBC_PS);
    if (lost)
        bind_magenta_vertices(aero);
    else
        aero_bind_vertices(aero, vertex);
    glUseProgram(0);
    for (int stage = DXBC_PS; stage <= DXBC_DS; stage++)
        use_stage(aero, (enum dxbc_program)stage, programs[stage]);
    glBindProgramPipeline(aero->pipeline);
    return 0;
}

/* Returns the draw's name in breadcrumbs, which is made of its command and shaders. */
static uint64_t name_of(struct aero *aero, bool compute)
{
    uint64_t names[AERO_STAGES + 1] = {breadcrumb_name(aero->command.bytes, aero->command.size)};

    for (int stage = 0; stage < AERO_STAGES; stage++) {
        struct aero_shader *shader = (stage == DXBC_CS) != compute
                                         ? NULL
                                         : aero_shader(aero, aero->state.stages[stage].shader);

        names[stage + 1] = shader == NULL ? 0 : shader->code->key.name;
    }
    return breadcrumb_name(names, sizeof(names));
}

/*
 * Sets the breadcrumb: the draw itself, if all its shaders have been drawn with before or it is a
 * lot of work; otherwise the shaders that are new. Returns false if the caller must wait for the
 * draw to complete.
 */
static bool begin(struct aero *aero, bool compute, uint64_t work)
{
    uint64_t subjects[BREADCRUMB_SUBJECTS] = {0};
    bool proven = true;

    for (int stage = 0; stage < AERO_STAGES; stage++) {
        struct aero_shader *shader = (stage == DXBC_CS) != compute
                                         ? NULL
                                         : aero_shader(aero, aero->state.stages[stage].shader);

        if (shader == NULL || shader->code->proven)
            continue; /* not to blame for what new shaders do */
        subjects[stage] = shader->code->key.name;
        proven = false;
    }
    if (proven || work > WORK_MAX) {
        memset(subjects, 0, sizeof(subjects));
        subjects[0] = name_of(aero, compute);
    }
    breadcrumb_set(BREADCRUMB_DRAW, subjects);
    return proven && work <= WORK_MAX;
}

static bool killed_before(struct aero *aero, bool compute)
{
    if (aero->bad_count == 0 || !aero_is_bad(aero, name_of(aero, compute)))
        return false;
    aero_note(aero, PROBLEM_ERROR, "skipped: it killed the graphics worker before");
    return true;
}

/* Returns whether a stage of the draw, or the dispatch, writes buffers. */
static bool writes(struct aero *aero, bool compute)
{
    bool written = false;

    for (int stage = 0; stage < AERO_STAGES; stage++) {
        struct aero_shader *shader = (stage == DXBC_CS) != compute
                                         ? NULL
                                         : aero_shader(aero, aero->state.stages[stage].shader);

        written =
            written || (shader != NULL && (shader->code->variants[0].translation.image_count > 0 ||
                                           shader->code->variants[1].translation.image_count > 0));
    }
    return written;
}

/*
 * Ends a draw or dispatch. Waits for the first one of a shader, so that the shader is blamed for
 * its own faults.
 */
static void end(struct aero *aero, bool compute, bool proven)
{
    for (int stage = 0; stage < AERO_STAGES; stage++) {
        struct aero_shader *shader = (stage == DXBC_CS) != compute
                                         ? NULL
                                         : aero_shader(aero, aero->state.stages[stage].shader);

        if (shader != NULL)
            shader->code->proven = true;
    }
    if (writes(aero, compute))
        glMemoryBarrier(GL_ALL_BARRIER_BITS);
    if (!proven)
        glFinish();
}

static bool is_d3d9(const struct aero_shader *shader)
{
    return shader != NULL && shader->kind == DXBC_SHADER_D3D9;
}

/* Binds programs that draw in magenta at the layout's positions. */
static int bind_magenta(struct aero *aero)
{
    bind_magenta_vertices(aero);
    glUseProgram(0);
    for (int stage = DXBC_PS; stage <= DXBC_DS; stage++)
        use_stage(aero, (enum dxbc_program)stage,
                  stage == DXBC_PS || stage == DXBC_VS
                      ? aero_magenta_program(aero, (enum dxbc_program)stage)
                      : 0);
    glBindProgramPipeline(aero->pipeline);
    return 0;
}

static int bind_shaders(struct aero *aero, struct draw *draw, uint32_t width, uint32_t height,
                        bool *numbered)
{
    struct aero_shader *vertex = aero_shader(aero, aero->state.stages[DXBC_VS].shader);
    struct aero_shader *pixel = aero_shader(aero, aero->state.stages[DXBC_PS].shader);
    int status;

    if (is_d3d9(vertex) != is_d3d9(pixel) && vertex != NULL && pixel != NULL) {
        aero_note(aero, PROBLEM_ERROR, "shaders of D3D9 and of D3D11 are used together");
        return bind_magenta(aero);
    }
    if (!is_d3d9(vertex) || !is_d3d9(pixel))
        return bind_pipeline(aero, draw, numbered);
    status = aero_d3d9_bind(aero, vertex, pixel, width, height);
    return status == -EAGAIN ? bind_magenta(aero) : status;
}

/* A draw for which everything is bound, to be issued once more. */
struct bound_draw {
    struct draw draw;
    bool fixed, numbered;
};

static int draw_again(struct aero *aero, void *context)
{
    const struct bound_draw *bound = context;
    struct draw draw = bound->draw;

    return issue(aero, &draw, bound->numbered);
}

/* Returns the bits of the colour targets that the draw writes to. */
static uint32_t outputs_of(struct aero *aero, bool fixed)
{
    uint32_t handle = aero->state.stages[DXBC_PS].shader;
    const struct aero_shader *shader = aero_shader(aero, handle);

    if (fixed)
        return 1;
    if (handle == 0)
        return 0;
    return shader == NULL ? UINT32_MAX : shader->outputs;
}

/*
 * Binds raster state, and masks the targets that the shader does not write to: GL would leave them
 * undefined.
 */
static void bind_raster(struct aero *aero, uint32_t width, uint32_t height, bool fixed)
{
    uint32_t outputs = outputs_of(aero, fixed);

    aero_bind_raster(aero, width, height, fixed);
    for (uint32_t i = 0; i < AEROGPU_MAX_TARGETS; i++)
        if ((outputs >> i & 1) == 0)
            glColorMaski(i, GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
}

/*
 * Runs the session's probe on a draw that is about to be issued; then binds everything as before.
 */
static int probe(struct aero *aero, const struct draw *draw, bool fixed, bool numbered)
{
    struct bound_draw bound = {*draw, fixed, numbered};
    uint32_t width, height;
    int status;

    aero_probe_draw(aero, writes(aero, false), draw_again, &bound);
    status = aero_bind_targets(aero, &width, &height);
    if (status == 0)
        bind_raster(aero, width, height, fixed);
    return status;
}

static int run(struct aero *aero, struct draw *draw)
{
    const struct aero_stage_state *stages = aero->state.stages;
    bool fixed = stages[DXBC_VS].shader == 0 && stages[DXBC_PS].shader == 0;
    bool numbered = false, proven;
    uint32_t width, height;
    int status;

    if (draw->count == 0 || draw->instances == 0 ||
        ((aero->state.blend.sample_mask & 1) == 0 && !fixed))
        return 0;
    if (draw->first > INT32_MAX)
        return aero_note(aero, PROBLEM_ERROR,
                         "a draw from vertex or index %u on: at most %u is allowed", draw->first,
                         (unsigned)INT32_MAX);
    if ((uint64_t)draw->count * draw->instances > VERTICES_MAX)
        return aero_note(aero, PROBLEM_ERROR, "a draw of %u vertices and %u instances is too large",
                         draw->count, draw->instances);
    if (killed_before(aero, false))
        return -EINVAL;
    status = find_mode(aero, draw);
    if (status == 0)
        status = aero_bind_targets(aero, &width, &height);
    if (status < 0)
        return status;
    status = fixed ? bind_fixed(aero) : bind_shaders(aero, draw, width, height, &numbered);
    if (status < 0)
        return status;
    bind_raster(aero, width, height, fixed);
    proven = begin(aero, false, (uint64_t)draw->count * draw->instances);
    if (aero->probe != NULL)
        status = probe(aero, draw, fixed, numbered);
    if (status == 0)
        status = issue(aero, draw, numbered);
    end(aero, false, proven);
    aero_targets_drawn(aero);
    if (graphics_failed())
        aero_note(aero, PROBLEM_ERROR, "the driver refuses the draw");
    return status;
}

int aero_draw(struct aero *aero, const struct aerogpu_command *command)
{
    struct draw draw = {
        .count = aerogpu_u32(command, AEROGPU_AT_DRAW_COUNT),
        .instances = aerogpu_u32(command, AEROGPU_AT_DRAW_INSTANCES),
        .first = aerogpu_u32(command, AEROGPU_AT_DRAW_FIRST),
        .first_instance = aerogpu_u32(command, AEROGPU_AT_DRAW_FIRST_INSTANCE),
    };

    return run(aero, &draw);
}

int aero_draw_indexed(struct aero *aero, const struct aerogpu_command *command)
{
    struct draw draw = {
        .count = aerogpu_u32(command, AEROGPU_AT_DRAW_INDEXED_COUNT),
        .instances = aerogpu_u32(command, AEROGPU_AT_DRAW_INDEXED_INSTANCES),
        .first = aerogpu_u32(command, AEROGPU_AT_DRAW_INDEXED_FIRST),
        .first_instance = aerogpu_u32(command, AEROGPU_AT_DRAW_INDEXED_FIRST_INSTANCE),
        .base_vertex = aerogpu_i32(command, AEROGPU_AT_DRAW_INDEXED_BASE_VERTEX),
        .indexed = true,
    };

    return run(aero, &draw);
}

int aero_dispatch(struct aero *aero, const struct aerogpu_command *command)
{
    uint32_t x = aerogpu_u32(command, AEROGPU_AT_DISPATCH_X);
    uint32_t y = aerogpu_u32(command, AEROGPU_AT_DISPATCH_Y);
    uint32_t z = aerogpu_u32(command, AEROGPU_AT_DISPATCH_Z);
    struct aero_shader *shader = aero_shader(aero, aero->state.stages[DXBC_CS].shader);
    struct aero_variant *variant;
    bool proven;

    if (shader == NULL || shader->stage != DXBC_CS)
        return aero_note(aero, PROBLEM_ERROR, "a dispatch without a compute shader");
    if (x > GROUPS_MAX || y > GROUPS_MAX || z > GROUPS_MAX)
        return aero_note(aero, PROBLEM_ERROR, "a dispatch of %ux%ux%u groups is too large", x, y,
                         z);
    if (killed_before(aero, true))
        return -EINVAL;
    variant = aero_variant(aero, shader, false);
    if (variant == NULL)
        return -EINVAL;
    if (x == 0 || y == 0 || z == 0)
        return 0;
    aero_bind_stage(aero, DXBC_CS, &variant->translation);
    glUseProgram(variant->program);
    proven = begin(aero, true, (uint64_t)x * y * z * 64);
    glDispatchCompute(x, y, z);
    end(aero, true, proven);
    if (graphics_failed())
        aero_note(aero, PROBLEM_ERROR, "the driver refuses the dispatch");
    return 0;
}

/* Makes aero->shown a texture of that shape. */
static int make_shown(struct aero *aero, const struct aerogpu_shape *shape)
{
    if (aero->shown != NULL && memcmp(&aero->shown->texture.shape, shape, sizeof(*shape)) == 0)
        return 0;
    aero_resource_free(aero, aero->shown);
    aero->shown = NULL;
    return aero_texture_make(aero, shape, 0, &aero->shown);
}

int aero_present(struct aero *aero, const struct aerogpu_command *command)
{
    struct aero_resource *resource = aero_presented(aero);
    struct aero_view *view = NULL;
    struct aero_texture *texture = aero_texture_of(resource, &view);
    struct aerogpu_subresource part;
    uint32_t mip = view == NULL ? 0 : view->base_mip, layer = view == NULL ? 0 : view->base_layer;
    struct aerogpu_shape shape = {.mips = 1, .layers = 1};

    (void)command;
    if (texture == NULL || texture->info.depth || texture->info.block != 1 ||
        !aerogpu_subresource(&texture->shape, mip, layer, &part))
        return aero_note(aero, PROBLEM_ERROR,
                         "the presented resource is not an uncompressed colour texture");
    shape.format = view == NULL ? texture->shape.format : view->format;
    shape.width = part.width;
    shape.height = part.height;
    aero_refresh(aero, resource);
    if (make_shown(aero, &shape) < 0 || aero_own(aero, aero->shown) < 0)
        return -EINVAL;
    glCopyImageSubData(texture->storage->name, GL_TEXTURE_2D_ARRAY, (GLint)mip, 0, 0, (GLint)layer,
                       aero->shown->texture.storage->name, GL_TEXTURE_2D_ARRAY, 0, 0, 0, 0,
                       (GLsizei)part.width, (GLsizei)part.height, 1);
    aero->shown_upside_down = resource == aero->back && aero->upside_down;
    aero->presents++;
    return 0;
}
