/* SPDX-License-Identifier: MIT */
/*
 * Textures that a draw samples or loads: those of the texture units that its programs' samplers or
 * its assembly programs name, or that fixed functions have enabled, and those of the image units
 * that its programs' images name.
 */
#include "config.h"

#include "glworker/gl/assembly.h"
#include "glworker/gl/draw_parts.h"
#include "glworker/gl/draw_texts.h"
#include "glworker/gl/programs.h"
#include "glworker/gl/sources.h"
#include "glworker/gl/state_values.h"
#include "image/picture.h"

#include <stdlib.h>
#include <string.h>

enum {
    LEVELS = 15,
    SAMPLED_MAX = 256,
    NAME_ROOM = 1024,
    FIXED_UNITS = 8,
    MAX_TEXTURE_UNITS = 0x84E2
};

/* A target of a unit that is sampled; with GL_NONE, an image unit. */
struct sampled {
    uint32_t unit;
    GLenum target;
};

struct sampled_list {
    struct sampled list[SAMPLED_MAX];
    unsigned count;
};

/* Targets, and the GLSL types that sample them. */
static const struct {
    GLenum target, binding;
    GLenum types[4];
} targets[] = {
    {GL_TEXTURE_1D,
     GL_TEXTURE_BINDING_1D,
     {GL_SAMPLER_1D, GL_SAMPLER_1D_SHADOW, GL_INT_SAMPLER_1D, GL_UNSIGNED_INT_SAMPLER_1D}},
    {GL_TEXTURE_2D,
     GL_TEXTURE_BINDING_2D,
     {GL_SAMPLER_2D, GL_SAMPLER_2D_SHADOW, GL_INT_SAMPLER_2D, GL_UNSIGNED_INT_SAMPLER_2D}},
    {GL_TEXTURE_3D,
     GL_TEXTURE_BINDING_3D,
     {GL_SAMPLER_3D, GL_INT_SAMPLER_3D, GL_UNSIGNED_INT_SAMPLER_3D, 0}},
    {GL_TEXTURE_CUBE_MAP,
     GL_TEXTURE_BINDING_CUBE_MAP,
     {GL_SAMPLER_CUBE, GL_SAMPLER_CUBE_SHADOW, GL_INT_SAMPLER_CUBE, GL_UNSIGNED_INT_SAMPLER_CUBE}},
    {GL_TEXTURE_RECTANGLE,
     GL_TEXTURE_BINDING_RECTANGLE,
     {GL_SAMPLER_2D_RECT, GL_SAMPLER_2D_RECT_SHADOW, GL_INT_SAMPLER_2D_RECT,
      GL_UNSIGNED_INT_SAMPLER_2D_RECT}},
    {GL_TEXTURE_1D_ARRAY,
     GL_TEXTURE_BINDING_1D_ARRAY,
     {GL_SAMPLER_1D_ARRAY, GL_SAMPLER_1D_ARRAY_SHADOW, GL_INT_SAMPLER_1D_ARRAY,
      GL_UNSIGNED_INT_SAMPLER_1D_ARRAY}},
    {GL_TEXTURE_2D_ARRAY,
     GL_TEXTURE_BINDING_2D_ARRAY,
     {GL_SAMPLER_2D_ARRAY, GL_SAMPLER_2D_ARRAY_SHADOW, GL_INT_SAMPLER_2D_ARRAY,
      GL_UNSIGNED_INT_SAMPLER_2D_ARRAY}},
    {GL_TEXTURE_CUBE_MAP_ARRAY,
     GL_TEXTURE_BINDING_CUBE_MAP_ARRAY,
     {GL_SAMPLER_CUBE_MAP_ARRAY, GL_SAMPLER_CUBE_MAP_ARRAY_SHADOW, GL_INT_SAMPLER_CUBE_MAP_ARRAY,
      GL_UNSIGNED_INT_SAMPLER_CUBE_MAP_ARRAY}},
    {GL_TEXTURE_2D_MULTISAMPLE,
     GL_TEXTURE_BINDING_2D_MULTISAMPLE,
     {GL_SAMPLER_2D_MULTISAMPLE, GL_INT_SAMPLER_2D_MULTISAMPLE,
      GL_UNSIGNED_INT_SAMPLER_2D_MULTISAMPLE, 0}},
    {GL_TEXTURE_2D_MULTISAMPLE_ARRAY,
     GL_TEXTURE_BINDING_2D_MULTISAMPLE_ARRAY,
     {GL_SAMPLER_2D_MULTISAMPLE_ARRAY, GL_INT_SAMPLER_2D_MULTISAMPLE_ARRAY,
      GL_UNSIGNED_INT_SAMPLER_2D_MULTISAMPLE_ARRAY, 0}},
    {GL_TEXTURE_BUFFER,
     GL_TEXTURE_BINDING_BUFFER,
     {GL_SAMPLER_BUFFER, GL_INT_SAMPLER_BUFFER, GL_UNSIGNED_INT_SAMPLER_BUFFER, 0}},
};

enum { TARGETS = sizeof(targets) / sizeof(targets[0]) };

static void add_sampled(struct sampled_list *list, uint32_t unit, GLenum target)
{
    for (unsigned n = 0; n < list->count; n++)
        if (list->list[n].unit == unit && list->list[n].target == target)
            return;
    if (list->count < SAMPLED_MAX)
        list->list[list->count++] = (struct sampled){unit, target};
}

static GLenum target_of(GLenum type)
{
    for (size_t n = 0; n < TARGETS; n++)
        for (size_t i = 0; i < 4; i++)
            if (type != 0 && targets[n].types[i] == type)
                return targets[n].target;
    return GL_NONE;
}

static bool is_image(GLenum type)
{
    return type >= GL_IMAGE_1D && type <= GL_UNSIGNED_INT_IMAGE_2D_MULTISAMPLE_ARRAY;
}

/* Adds the units that a program's samplers and images are set to. */
static void add_samplers(GLuint program, struct sampled_list *list)
{
    GLint count = 0;

    glGetProgramiv(program, GL_ACTIVE_UNIFORMS, &count);
    for (GLint n = 0; n < count; n++) {
        char name[NAME_ROOM] = "";
        GLint size = 0, location;
        GLenum type = 0;

        glGetActiveUniform(program, (GLuint)n, NAME_ROOM, NULL, &size, &type, name);
        location = glGetUniformLocation(program, name);
        if (graphics_failed() || (target_of(type) == GL_NONE && !is_image(type)) || location < 0)
            continue;
        for (GLint i = 0; i < size && i < SAMPLED_MAX; i++) {
            GLint unit = 0;

            glGetUniformiv(program, location + i, &unit);
            if (!graphics_failed() && unit >= 0)
                add_sampled(list, (uint32_t)unit, target_of(type));
        }
    }
}

static void add_named(const struct retrace_assembly *assembly, struct sampled_list *list)
{
    char *text = retrace_assembly_text(assembly);
    const char *at = text;
    struct retrace_operand operand;
    GLint units = 0;

    if (!retrace_state_get(GL_MAX_TEXTURE_IMAGE_UNITS, &units))
        units = 0;
    while (at != NULL && retrace_assembly_operand(&at, &operand))
        if (operand.kind == RETRACE_OPERAND_TEXTURE && (GLint)operand.first < units)
            add_sampled(list, operand.first, operand.target);
    free(text);
}

/*
 * Adds the textures that fixed functions sample: for each unit, the enabled target with the highest
 * priority in OpenGL.
 */
static void add_switched(struct sampled_list *list)
{
    static const GLenum ranked[] = {GL_TEXTURE_CUBE_MAP, GL_TEXTURE_3D, GL_TEXTURE_RECTANGLE,
                                    GL_TEXTURE_2D, GL_TEXTURE_1D};
    GLint units = 0;

    if (!retrace_state_get(MAX_TEXTURE_UNITS, &units))
        return;
    for (GLint unit = 0; unit < units && unit < FIXED_UNITS; unit++) {
        glActiveTexture((GLenum)(GL_TEXTURE0 + unit));
        for (size_t n = 0; n < sizeof(ranked) / sizeof(ranked[0]); n++)
            if (glIsEnabled(ranked[n])) {
                add_sampled(list, (uint32_t)unit, ranked[n]);
                break;
            }
        graphics_failed();
    }
}

/*
 * Returns whether a program shades fragments. A program without a fragment shader leaves them to
 * fixed functions.
 */
static bool makes_fragments(const struct retrace *retrace, GLuint program)
{
    const struct retrace_linked *linked = retrace_sources_find(retrace, program);

    for (unsigned n = 0; linked != NULL && n < linked->count; n++)
        if (retrace_stage_type(linked->sources[n].stage) == GL_FRAGMENT_SHADER)
            return true;
    return linked == NULL;
}

static void find_sampled(const struct retrace *retrace, struct sampled_list *list)
{
    struct retrace_program_here programs[RETRACE_PROGRAMS_MAX];
    struct retrace_assembly assemblies[RETRACE_ASSEMBLIES_MAX];
    unsigned count = retrace_programs(retrace, programs);
    unsigned assembly_count = retrace_assemblies(retrace, assemblies);
    bool is_fixed = true;

    list->count = 0;
    for (unsigned n = 0; n < count; n++) {
        add_samplers(programs[n].name, list);
        is_fixed = is_fixed && !makes_fragments(retrace, programs[n].name);
    }
    for (unsigned n = 0; n < assembly_count; n++) {
        add_named(&assemblies[n], list);
        is_fixed = is_fixed && retrace_stage_type(assemblies[n].stage) != GL_FRAGMENT_SHADER;
    }
    if (is_fixed)
        add_switched(list);
}

static GLint of_level(GLenum target, GLint level, GLenum what)
{
    GLint value = 0;

    glGetTexLevelParameteriv(target == GL_TEXTURE_CUBE_MAP ? GL_TEXTURE_CUBE_MAP_POSITIVE_X
                                                           : target,
                             level, what, &value);
    return graphics_failed() ? 0 : value;
}

/*
 * Returns the number of pictures of that height in a level. The layers of a 1D array are the rows
 * of a single picture.
 */
static uint32_t slices_of(GLenum target, GLint depth)
{
    if (target == GL_TEXTURE_CUBE_MAP)
        return 6;
    return depth > 0 ? (uint32_t)depth : 1;
}

/* Returns the texture that is bound to a target of the active unit, by its name here, or 0. */
static GLint bound_to(GLenum target)
{
    GLint name = 0;

    for (size_t n = 0; n < TARGETS; n++)
        if (targets[n].target == target)
            retrace_state_get(targets[n].binding, &name);
    return name;
}

/*
 * Adds a level of the texture that is bound to a target; its unit is active. Returns false if there
 * is no such level.
 */
static bool add_level(const struct retrace *retrace, uint32_t unit, GLenum target, GLint level,
                      struct retrace_parts *parts)
{
    GLint width = of_level(target, level, GL_TEXTURE_WIDTH);
    GLint height = of_level(target, level, GL_TEXTURE_HEIGHT);
    uint32_t slices = slices_of(target, of_level(target, level, GL_TEXTURE_DEPTH));
    struct retrace_part *part;

    if (width <= 0 || height <= 0 || width > PICTURE_MAX || (uint64_t)height * slices > PICTURE_MAX)
        return false;
    part = retrace_parts_add(parts, APITRACE_PART_TEXTURE);
    part->told.number = unit;
    part->told.target = target;
    part->told.object =
        (uint32_t)retrace_old_name(retrace, RETRACE_TEXTURE, (uint32_t)bound_to(target));
    part->told.level = (uint32_t)level;
    part->told.width = (uint32_t)width;
    part->told.height = (uint32_t)height;
    part->told.slices = slices;
    part->told.format = (uint32_t)of_level(target, level, GL_TEXTURE_INTERNAL_FORMAT);
    return true;
}

/* Adds all levels of the texture that is bound to a target; its unit is active. */
static void add_levels(const struct retrace *retrace, const struct sampled *sampled,
                       struct retrace_parts *parts)
{
    GLint level = 0;

    while (bound_to(sampled->target) != 0 && level < LEVELS &&
           add_level(retrace, sampled->unit, sampled->target, level, parts))
        level++;
}

/* Adds the buffer of a texture buffer; its unit is active. */
static void add_texels(const struct retrace *retrace, const struct sampled *sampled,
                       struct retrace_parts *parts)
{
    retrace_parts_add_buffer(retrace, parts, APITRACE_BUFFER_TEXELS, sampled->unit,
                             of_level(GL_TEXTURE_BUFFER, 0, GL_TEXTURE_BUFFER_DATA_STORE_BINDING));
}

/*
 * Binds a texture to the only target to which it can be bound, and gets the texture that was bound
 * there. Returns the index of the target; TARGETS if there is none.
 */
static size_t bind(GLuint name, GLint *before)
{
    size_t n = glIsTexture(name) ? 0 : TARGETS;

    for (graphics_failed(); n < TARGETS; n++) {
        *before = bound_to(targets[n].target);
        /* A texture that another context has deleted could not be bound again. */
        if (*before != 0 && !glIsTexture((GLuint)*before))
            continue;
        glBindTexture(targets[n].target, name);
        if (!graphics_failed())
            break;
    }
    return n;
}

GLenum retrace_texture_target(GLuint name)
{
    GLint before;
    const size_t n = bind(name, &before);

    if (n == TARGETS)
        return GL_NONE;
    glBindTexture(targets[n].target, (GLuint)before);
    return targets[n].target;
}

/*
 * Adds the level that an image unit has. The texture's target is the one to which it can be bound:
 * a unit may have one layer of an array, for images without layers.
 */
static void add_image(const struct retrace *retrace, uint32_t unit, struct retrace_parts *parts)
{
    struct sampled texels = {.unit = unit, .target = GL_TEXTURE_BUFFER};
    GLint name = 0, level = 0, before;
    size_t n;

    glGetIntegeri_v(GL_IMAGE_BINDING_NAME, unit, &name);
    glGetIntegeri_v(GL_IMAGE_BINDING_LEVEL, unit, &level);
    if (graphics_failed() || name == 0)
        return;
    n = bind((GLuint)name, &before);
    if (n == TARGETS)
        return;
    if (targets[n].target == GL_TEXTURE_BUFFER)
        add_texels(retrace, &texels, parts);
    else
        add_level(retrace, APITRACE_IMAGE_UNIT | unit, targets[n].target, level, parts);
    glBindTexture(targets[n].target, (GLuint)before);
}

void retrace_parts_textures(const struct retrace *retrace, struct retrace_parts *parts)
{
    GLint active = retrace_get(GL_ACTIVE_TEXTURE);
    struct sampled_list list;

    find_sampled(retrace, &list);
    for (unsigned n = 0; n < list.count; n++) {
        if (list.list[n].target == GL_NONE) {
            add_image(retrace, list.list[n].unit, parts);
            continue;
        }
        glActiveTexture(GL_TEXTURE0 + list.list[n].unit);
        if (graphics_failed())
            continue;
        if (list.list[n].target == GL_TEXTURE_BUFFER)
            add_texels(retrace, &list.list[n], parts);
        else
            add_levels(retrace, &list.list[n], parts);
    }
    glActiveTexture((GLenum)active);
}

/* textures.tsv: what each sampled unit has. */

static void add_parameter(GLenum target, GLuint sampler, GLenum what, struct text *text)
{
    GLint value = 0;

    if (sampler != 0)
        glGetSamplerParameteriv(sampler, what, &value);
    else
        glGetTexParameteriv(target, what, &value);
    text_add_char(text, '\t');
    if (graphics_failed())
        text_add_char(text, '-');
    else if (value == 0)
        text_add(text, "GL_NONE");
    else
        retrace_state_add_enum(text, (uint32_t)value);
}

static void add_texture(const struct retrace *retrace, const struct sampled *sampled,
                        struct text *text)
{
    static const GLenum parameters[] = {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER,
                                        GL_TEXTURE_WRAP_S,     GL_TEXTURE_WRAP_T,
                                        GL_TEXTURE_WRAP_R,     GL_TEXTURE_COMPARE_MODE};
    const GLint name = bound_to(sampled->target);
    GLint sampler = 0, height = of_level(sampled->target, 0, GL_TEXTURE_HEIGHT);
    GLint format = of_level(sampled->target, 0, GL_TEXTURE_INTERNAL_FORMAT), levels = 0;

    retrace_state_get(GL_SAMPLER_BINDING, &sampler);
    while (levels < LEVELS && of_level(sampled->target, levels, GL_TEXTURE_WIDTH) > 0)
        levels++;
    text_add_u64(text, sampled->unit);
    text_add_char(text, '\t');
    retrace_state_add_enum(text, sampled->target);
    text_cell(text, retrace_old_name(retrace, RETRACE_TEXTURE, (uint32_t)name));
    text_add_char(text, '\t');
    retrace_state_add_enum(text, (uint32_t)format);
    text_printf(text, "\t%d\t%d\t%d\t%d", of_level(sampled->target, 0, GL_TEXTURE_WIDTH), height,
                of_level(sampled->target, 0, GL_TEXTURE_DEPTH), levels);
    text_cell(text, retrace_old_name(retrace, RETRACE_SAMPLER, (uint32_t)sampler));
    for (size_t n = 0; n < sizeof(parameters) / sizeof(parameters[0]); n++)
        add_parameter(sampled->target, (GLuint)sampler, parameters[n], text);
    text_add_char(text, '\n');
}

void retrace_textures_text(const struct retrace *retrace, struct text *text)
{
    GLint active = retrace_get(GL_ACTIVE_TEXTURE);
    struct sampled_list list;

    text_add(text, "unit\ttarget\tobject\tformat\twidth\theight\tdepth\tlevels\tsampler\t"
                   "min_filter\tmag_filter\twrap_s\twrap_t\twrap_r\tcompare_mode\n");
    find_sampled(retrace, &list);
    for (unsigned n = 0; n < list.count; n++) {
        if (list.list[n].target == GL_NONE)
            continue; /* state.txt has image units */
        glActiveTexture(GL_TEXTURE0 + list.list[n].unit);
        if (!graphics_failed())
            add_texture(retrace, &list.list[n], text);
    }
    glActiveTexture((GLenum)active);
}
