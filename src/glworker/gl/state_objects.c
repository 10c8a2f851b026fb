/* SPDX-License-Identifier: MIT */
/*
 * Objects that a draw uses: attachments, programs, attributes, buffers, textures by unit, and
 * objects of fixed functions. If nothing is bound, or a function is disabled, only its switch is
 * written.
 */
#include "config.h"

#include "glworker/gl/state_objects.h"

#include "glworker/gl/assembly.h"
#include "glworker/gl/compatibility.h"
#include "glworker/gl/renderbuffers.h"
#include "glworker/gl/state_values.h"
#include "glworker/gl/surfaces.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/*
 * Enumerators of compatibility contexts, which the core profile's header lacks. libOpenGL has the
 * functions.
 */

enum {
    PREFIX_MAX = 80,
    COLOURS = 8,
    LIGHTS_MAX = 32,
    UNITS_MAX = 512,
    PLACES_MAX = 256, /* of indexed buffer bindings */
    PIPELINE_STAGES = 6,
    /* As in GL/gl.h. */
    MAX_LIGHTS = 0x0D31,
    TEXTURE_ENV = 0x2300,
    TEXTURE_FILTER_CONTROL = 0x8500,
    POINT_SPRITE_NOW = 0x8861,
    COORDINATE_S = 0x2000,
};

/* Texture units. */

/* Texture targets: the query for the bound texture, and whether the target can be enabled. */
static const struct {
    GLenum target, binding;
    const char *name;
    bool in_es, switched;
} targets[] = {
    {GL_TEXTURE_1D, GL_TEXTURE_BINDING_1D, "GL_TEXTURE_1D", false, true},
    {GL_TEXTURE_2D, GL_TEXTURE_BINDING_2D, "GL_TEXTURE_2D", true, true},
    {GL_TEXTURE_3D, GL_TEXTURE_BINDING_3D, "GL_TEXTURE_3D", true, true},
    {GL_TEXTURE_RECTANGLE, GL_TEXTURE_BINDING_RECTANGLE, "GL_TEXTURE_RECTANGLE", false, true},
    {GL_TEXTURE_CUBE_MAP, GL_TEXTURE_BINDING_CUBE_MAP, "GL_TEXTURE_CUBE_MAP", true, true},
    {GL_TEXTURE_1D_ARRAY, GL_TEXTURE_BINDING_1D_ARRAY, "GL_TEXTURE_1D_ARRAY", false, false},
    {GL_TEXTURE_2D_ARRAY, GL_TEXTURE_BINDING_2D_ARRAY, "GL_TEXTURE_2D_ARRAY", true, false},
    {GL_TEXTURE_CUBE_MAP_ARRAY, GL_TEXTURE_BINDING_CUBE_MAP_ARRAY, "GL_TEXTURE_CUBE_MAP_ARRAY",
     true, false},
    {GL_TEXTURE_BUFFER, GL_TEXTURE_BINDING_BUFFER, "GL_TEXTURE_BUFFER", true, false},
    {GL_TEXTURE_2D_MULTISAMPLE, GL_TEXTURE_BINDING_2D_MULTISAMPLE, "GL_TEXTURE_2D_MULTISAMPLE",
     true, false},
    {GL_TEXTURE_2D_MULTISAMPLE_ARRAY, GL_TEXTURE_BINDING_2D_MULTISAMPLE_ARRAY,
     "GL_TEXTURE_2D_MULTISAMPLE_ARRAY", true, false},
};

enum { TARGETS = sizeof(targets) / sizeof(targets[0]) };

static GLint count_of(GLenum what, GLint max)
{
    GLint count;

    if (!retrace_state_get(what, &count) || count < 0)
        return 0;
    return count < max ? count : max;
}

/* Returns whether a target of the active unit has a texture. */
static bool is_bound(size_t n, bool es)
{
    GLint name;

    return (!es || targets[n].in_es) && retrace_state_get(targets[n].binding, &name) && name != 0;
}

static bool is_used(bool es, bool fixed)
{
    bool used = false;

    for (size_t n = 0; n < TARGETS && !used; n++) {
        used = is_bound(n, es);
        if (fixed && targets[n].switched && !used)
            used = glIsEnabled(targets[n].target);
    }
    graphics_failed();
    return used;
}

static GLenum level_target(GLenum target)
{
    return target == GL_TEXTURE_CUBE_MAP ? GL_TEXTURE_CUBE_MAP_POSITIVE_X : target;
}

static void tell_texture(const struct retrace *retrace, const char *unit, size_t n,
                         struct text *text)
{
    char prefix[PREFIX_MAX];
    struct state_place place = {
        .group = STATE_OF_TEXTURE, .target = targets[n].target, .prefix = prefix};

    snprintf(prefix, sizeof(prefix), "%s.%s", unit, targets[n].name);
    retrace_state_tell(retrace, &place, STATE_TEXTURES, text);
    place.group = STATE_OF_LEVEL;
    place.target = level_target(place.target);
    retrace_state_tell(retrace, &place, STATE_TEXTURES, text);
}

static void tell_unit(const struct retrace *retrace, const char *unit, struct text *text)
{
    bool es = retrace_context(retrace)->es;
    char prefix[PREFIX_MAX];
    struct state_place place = {.group = STATE_OF_UNIT, .prefix = unit};
    GLint sampler;

    retrace_state_tell(retrace, &place, STATE_TEXTURES, text);
    for (size_t n = 0; n < TARGETS; n++)
        if (is_bound(n, es))
            tell_texture(retrace, unit, n, text);
    if (!retrace_state_get(GL_SAMPLER_BINDING, &sampler) || sampler == 0)
        return;
    snprintf(prefix, sizeof(prefix), "%s.GL_SAMPLER", unit);
    place =
        (struct state_place){.group = STATE_OF_SAMPLER, .index = (GLuint)sampler, .prefix = prefix};
    retrace_state_tell(retrace, &place, STATE_TEXTURES, text);
}

static void tell_environment(const struct retrace *retrace, const char *unit, struct text *text)
{
    static const struct {
        uint8_t group;
        GLenum target;
        const char *name;
    } parts[] = {
        {STATE_OF_TEXTURE_ENV, TEXTURE_ENV, "GL_TEXTURE_ENV"},
        {STATE_OF_TEXTURE_FILTER, TEXTURE_FILTER_CONTROL, "GL_TEXTURE_FILTER_CONTROL"},
        {STATE_OF_POINT_SPRITE, POINT_SPRITE_NOW, "GL_POINT_SPRITE"},
        {STATE_OF_TEXTURE_GEN, COORDINATE_S, "GL_S"},
        {STATE_OF_TEXTURE_GEN, COORDINATE_S + 1, "GL_T"},
        {STATE_OF_TEXTURE_GEN, COORDINATE_S + 2, "GL_R"},
        {STATE_OF_TEXTURE_GEN, COORDINATE_S + 3, "GL_Q"},
    };
    struct state_place place = {.group = STATE_OF_UNIT, .prefix = unit};
    char prefix[PREFIX_MAX];

    retrace_state_tell(retrace, &place, STATE_TEXTURE_ENV, text);
    for (size_t n = 0; n < sizeof(parts) / sizeof(parts[0]); n++) {
        snprintf(prefix, sizeof(prefix), "%s.%s", unit, parts[n].name);
        place = (struct state_place){
            .group = parts[n].group, .target = parts[n].target, .prefix = prefix};
        retrace_state_tell(retrace, &place, STATE_TEXTURE_ENV, text);
    }
}

/* Calls `tell` for each unit that is used, with that unit active, and restores the active unit. */
static void tell_units(const struct retrace *retrace, GLenum counted, bool fixed,
                       void (*tell)(const struct retrace *retrace, const char *unit,
                                    struct text *text),
                       struct text *text)
{
    const struct retrace_context *context = retrace_context(retrace);
    GLint active = retrace_get(GL_ACTIVE_TEXTURE), count = count_of(counted, UNITS_MAX);
    char unit[PREFIX_MAX];

    for (GLint n = 0; n < count; n++) {
        glActiveTexture((GLenum)(GL_TEXTURE0 + n));
        if (graphics_failed() || !is_used(context->es, fixed))
            continue;
        snprintf(unit, sizeof(unit), "GL_TEXTURE%d", n);
        tell(retrace, unit, text);
    }
    glActiveTexture((GLenum)active);
}

/* Writes the image units that have a texture. */
static void tell_images(const struct retrace *retrace, struct text *text)
{
    GLint count = count_of(GL_MAX_IMAGE_UNITS, UNITS_MAX);
    char prefix[PREFIX_MAX];

    for (GLint n = 0; n < count; n++) {
        const struct state_place place = {
            .group = STATE_OF_IMAGE_UNIT, .index = (GLuint)n, .prefix = prefix};
        GLint name = 0;

        glGetIntegeri_v(GL_IMAGE_BINDING_NAME, (GLuint)n, &name);
        if (graphics_failed() || name == 0)
            continue;
        snprintf(prefix, sizeof(prefix), "GL_IMAGE_UNIT%d", n);
        retrace_state_tell(retrace, &place, STATE_TEXTURES, text);
    }
}

static void tell_textures(const struct retrace *retrace, struct text *text)
{
    unsigned api = retrace_state_api(retrace_context(retrace));

    tell_units(retrace,
               (api & STATE_ES1) != 0 ? GL_MAX_TEXTURE_UNITS : GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS,
               (api & STATE_FIXED) != 0, tell_unit, text);
    tell_images(retrace, text);
}

static void tell_environments(const struct retrace *retrace, struct text *text)
{
    tell_units(retrace, GL_MAX_TEXTURE_UNITS, true, tell_environment, text);
}

/* Framebuffers. */

static void tell_renderbuffer(const struct retrace *retrace, const char *prefix, GLuint name,
                              struct text *text)
{
    const struct state_place place = {.group = STATE_OF_RENDERBUFFER, .prefix = prefix};
    GLuint bound;

    if (!retrace_renderbuffer_bind(name, &bound))
        return;
    retrace_state_tell(retrace, &place, STATE_FRAMEBUFFER, text);
    retrace_renderbuffer_unbind(name, bound);
}

static void tell_attachment(const struct retrace *retrace, GLenum attachment, const char *prefix,
                            struct text *text)
{
    const struct state_place place = {
        .group = STATE_OF_ATTACHMENT, .target = attachment, .prefix = prefix};
    GLint type = GL_NONE, name = 0;

    graphics_failed();
    glGetFramebufferAttachmentParameteriv(GL_DRAW_FRAMEBUFFER, attachment,
                                          GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE, &type);
    if (graphics_failed() || type == GL_NONE)
        return;
    glGetFramebufferAttachmentParameteriv(GL_DRAW_FRAMEBUFFER, attachment,
                                          GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME, &name);
    text_printf(text, "%s.GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME = %" PRIu64 "\n", prefix,
                retrace_old_name(retrace,
                                 type == GL_RENDERBUFFER ? RETRACE_RENDERBUFFER : RETRACE_TEXTURE,
                                 (uint32_t)name));
    retrace_state_tell(retrace, &place, STATE_FRAMEBUFFER, text);
    if (type == GL_RENDERBUFFER)
        tell_renderbuffer(retrace, prefix, (GLuint)name, text);
}

static void tell_framebuffer(const struct retrace *retrace, struct text *text)
{
    char prefix[PREFIX_MAX];

    if (retrace_context(retrace)->major < 2 || retrace_get(GL_DRAW_FRAMEBUFFER_BINDING) == 0)
        return;
    text_add(text, "GL_FRAMEBUFFER_STATUS = ");
    retrace_state_add_enum(text, glCheckFramebufferStatus(GL_DRAW_FRAMEBUFFER));
    text_add_char(text, '\n');
    for (unsigned n = 0; n < COLOURS; n++) {
        snprintf(prefix, sizeof(prefix), "GL_COLOR_ATTACHMENT%u", n);
        tell_attachment(retrace, GL_COLOR_ATTACHMENT0 + n, prefix, text);
    }
    tell_attachment(retrace, GL_DEPTH_ATTACHMENT, "GL_DEPTH_ATTACHMENT", text);
    tell_attachment(retrace, GL_STENCIL_ATTACHMENT, "GL_STENCIL_ATTACHMENT", text);
}

/* Programs. */

static void tell_shaders(const struct retrace *retrace, GLuint program, const char *prefix,
                         struct text *text)
{
    enum { SHADERS_MAX = 64 };
    GLuint shaders[SHADERS_MAX];
    GLsizei count = 0;

    glGetAttachedShaders(program, SHADERS_MAX, &count, shaders);
    if (graphics_failed())
        return;
    for (GLsizei n = 0; n < count; n++) {
        GLint type = 0;

        glGetShaderiv(shaders[n], GL_SHADER_TYPE, &type);
        text_printf(text, "%s.", prefix);
        retrace_state_add_enum(text, (uint32_t)type);
        text_printf(text, " = %" PRIu64 "\n",
                    retrace_old_name(retrace, RETRACE_PROGRAM, shaders[n]));
    }
}

static void tell_program(const struct retrace *retrace, GLuint program, const char *prefix,
                         struct text *text)
{
    const struct state_place place = {
        .group = STATE_OF_PROGRAM, .index = program, .prefix = prefix};

    retrace_state_tell(retrace, &place, STATE_PROGRAM, text);
    tell_shaders(retrace, program, prefix, text);
}

/* Writes which assembly programs run. */
static void tell_assemblies(const struct retrace *retrace, struct text *text)
{
    struct retrace_assembly assemblies[RETRACE_ASSEMBLIES_MAX];
    unsigned count = retrace_assemblies(retrace, assemblies);

    for (unsigned n = 0; n < count; n++) {
        retrace_state_add_enum(text, assemblies[n].target);
        text_printf(text, ".GL_PROGRAM_BINDING_ARB = %" PRIu64 "\n", assemblies[n].old);
    }
}

static void tell_programs(const struct retrace *retrace, struct text *text)
{
    static const GLenum stages[PIPELINE_STAGES] = {
        GL_VERTEX_SHADER,   GL_TESS_CONTROL_SHADER, GL_TESS_EVALUATION_SHADER,
        GL_GEOMETRY_SHADER, GL_FRAGMENT_SHADER,     GL_COMPUTE_SHADER};
    GLint program = 0, pipeline = 0;

    if (retrace_state_get(GL_CURRENT_PROGRAM, &program) && program != 0) {
        tell_program(retrace, (GLuint)program, "GL_CURRENT_PROGRAM", text);
        return;
    }
    if (!retrace_state_get(GL_PROGRAM_PIPELINE_BINDING, &pipeline) || pipeline == 0)
        return;
    for (unsigned n = 0; n < PIPELINE_STAGES; n++) {
        const char *name = n == 0   ? "GL_VERTEX_SHADER"
                           : n == 1 ? "GL_TESS_CONTROL_SHADER"
                           : n == 2 ? "GL_TESS_EVALUATION_SHADER"
                           : n == 3 ? "GL_GEOMETRY_SHADER"
                           : n == 4 ? "GL_FRAGMENT_SHADER"
                                    : "GL_COMPUTE_SHADER";

        program = 0;
        glGetProgramPipelineiv((GLuint)pipeline, stages[n], &program);
        if (graphics_failed() || program == 0)
            continue;
        text_printf(text, "%s = %" PRIu64 "\n", name,
                    retrace_old_name(retrace, RETRACE_PROGRAM, (uint32_t)program));
        tell_program(retrace, (GLuint)program, name, text);
    }
}

static void tell_stages(const struct retrace *retrace, struct text *text)
{
    tell_programs(retrace, text);
    tell_assemblies(retrace, text);
}

/* Vertices and buffers. */

/* Writes an offset into a buffer, or that the pointer is memory of the trace. */
static void tell_pointer(const char *name, const void *pointer, bool in_buffer, struct text *text)
{
    if (in_buffer || pointer == NULL)
        text_printf(text, "%s = %" PRIu64 "\n", name, (uint64_t)(uintptr_t)pointer);
    else
        text_printf(text, "%s = memory\n", name);
}

/*
 * Writes the vertex buffer bindings of enabled attributes, given as one bit each. Bindings of
 * attributes in memory are left out, because their offsets would be addresses.
 */
static void tell_bindings(const struct retrace *retrace, uint64_t bindings, struct text *text)
{
    char prefix[PREFIX_MAX];

    for (GLuint n = 0; n < 64; n++) {
        const struct state_place place = {
            .group = STATE_OF_VERTEX_BINDING, .index = n, .prefix = prefix};

        snprintf(prefix, sizeof(prefix), "GL_VERTEX_BINDING%u", n);
        if ((bindings >> n & 1) != 0)
            retrace_state_tell(retrace, &place, STATE_VERTEX_ARRAY, text);
    }
}

static void tell_attributes(const struct retrace *retrace, struct text *text)
{
    GLint count = count_of(GL_MAX_VERTEX_ATTRIBS, UNITS_MAX);
    char prefix[PREFIX_MAX], name[PREFIX_MAX + 40];
    uint64_t bindings = 0;

    if (retrace_context(retrace)->es && retrace_context(retrace)->major < 2)
        return;
    for (GLint n = 0; n < count; n++) {
        const struct state_place place = {
            .group = STATE_OF_ATTRIBUTE, .index = (GLuint)n, .prefix = prefix};
        GLint enabled = 0, buffer = 0, binding = -1;
        void *pointer = NULL;

        snprintf(prefix, sizeof(prefix), "GL_VERTEX_ATTRIB_ARRAY%d", n);
        glGetVertexAttribiv((GLuint)n, GL_VERTEX_ATTRIB_ARRAY_ENABLED, &enabled);
        if (graphics_failed())
            continue;
        if (!enabled) {
            text_printf(text, "%s.GL_VERTEX_ATTRIB_ARRAY_ENABLED = GL_FALSE\n", prefix);
            continue;
        }
        retrace_state_tell(retrace, &place, STATE_VERTEX_ARRAY, text);
        glGetVertexAttribiv((GLuint)n, GL_VERTEX_ATTRIB_ARRAY_BUFFER_BINDING, &buffer);
        glGetVertexAttribPointerv((GLuint)n, GL_VERTEX_ATTRIB_ARRAY_POINTER, &pointer);
        snprintf(name, sizeof(name), "%s.GL_VERTEX_ATTRIB_ARRAY_POINTER", prefix);
        tell_pointer(name, pointer, buffer != 0, text);
        glGetVertexAttribiv((GLuint)n, GL_VERTEX_ATTRIB_BINDING, &binding);
        if (!graphics_failed() && buffer != 0 && binding >= 0 && binding < 64)
            bindings |= UINT64_C(1) << binding;
    }
    tell_bindings(retrace, bindings, text);
}

static void tell_buffers(const struct retrace *retrace, struct text *text)
{
    static const struct {
        GLenum target, binding;
        const char *name;
    } plain[] = {
        {GL_ARRAY_BUFFER, GL_ARRAY_BUFFER_BINDING, "GL_ARRAY_BUFFER"},
        {GL_ELEMENT_ARRAY_BUFFER, GL_ELEMENT_ARRAY_BUFFER_BINDING, "GL_ELEMENT_ARRAY_BUFFER"},
        {GL_DRAW_INDIRECT_BUFFER, GL_DRAW_INDIRECT_BUFFER_BINDING, "GL_DRAW_INDIRECT_BUFFER"},
        {GL_PIXEL_PACK_BUFFER, GL_PIXEL_PACK_BUFFER_BINDING, "GL_PIXEL_PACK_BUFFER"},
        {GL_PIXEL_UNPACK_BUFFER, GL_PIXEL_UNPACK_BUFFER_BINDING, "GL_PIXEL_UNPACK_BUFFER"},
    };
    static const struct {
        GLenum binding, start, size, count;
        const char *name;
    } indexed[] = {
        {GL_UNIFORM_BUFFER_BINDING, GL_UNIFORM_BUFFER_START, GL_UNIFORM_BUFFER_SIZE,
         GL_MAX_UNIFORM_BUFFER_BINDINGS, "GL_UNIFORM_BUFFER"},
        {GL_SHADER_STORAGE_BUFFER_BINDING, GL_SHADER_STORAGE_BUFFER_START,
         GL_SHADER_STORAGE_BUFFER_SIZE, GL_MAX_SHADER_STORAGE_BUFFER_BINDINGS,
         "GL_SHADER_STORAGE_BUFFER"},
        {GL_ATOMIC_COUNTER_BUFFER_BINDING, GL_ATOMIC_COUNTER_BUFFER_START,
         GL_ATOMIC_COUNTER_BUFFER_SIZE, GL_MAX_ATOMIC_COUNTER_BUFFER_BINDINGS,
         "GL_ATOMIC_COUNTER_BUFFER"},
        {GL_TRANSFORM_FEEDBACK_BUFFER_BINDING, GL_TRANSFORM_FEEDBACK_BUFFER_START,
         GL_TRANSFORM_FEEDBACK_BUFFER_SIZE, GL_MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS,
         "GL_TRANSFORM_FEEDBACK_BUFFER"},
    };

    for (size_t n = 0; n < sizeof(plain) / sizeof(plain[0]); n++) {
        const struct state_place place = {
            .group = STATE_OF_BUFFER, .target = plain[n].target, .prefix = plain[n].name};
        GLint bound;

        if (retrace_state_get(plain[n].binding, &bound) && bound != 0)
            retrace_state_tell(retrace, &place, STATE_BUFFERS, text);
    }
    for (size_t k = 0; k < sizeof(indexed) / sizeof(indexed[0]); k++) {
        GLint count = count_of(indexed[k].count, PLACES_MAX);

        for (GLint n = 0; n < count; n++) {
            GLint name = 0;
            GLint64 start = 0, size = 0;

            glGetIntegeri_v(indexed[k].binding, (GLuint)n, &name);
            if (graphics_failed() || name == 0)
                continue;
            glGetInteger64i_v(indexed[k].start, (GLuint)n, &start);
            glGetInteger64i_v(indexed[k].size, (GLuint)n, &size);
            text_printf(text, "%s[%d] = %" PRIu64 ", offset %" PRId64 ", size %" PRId64 "\n",
                        indexed[k].name, n,
                        retrace_old_name(retrace, RETRACE_BUFFER, (uint32_t)name), start, size);
        }
    }
}

static void tell_arrays(const struct retrace *retrace, struct text *text)
{
    GLint active = 0, count = count_of(GL_MAX_TEXTURE_UNITS, UNITS_MAX);
    char prefix[PREFIX_MAX];

    if (!retrace_state_get(GL_CLIENT_ACTIVE_TEXTURE, &active))
        return;
    for (GLint n = 0; n < count; n++) {
        const struct state_place place = {.group = STATE_OF_COORDINATES, .prefix = prefix};

        snprintf(prefix, sizeof(prefix), "GL_TEXTURE%d", n);
        glClientActiveTexture((GLenum)(GL_TEXTURE0 + n));
        if (!graphics_failed())
            retrace_state_tell(retrace, &place, STATE_ARRAYS, text);
    }
    glClientActiveTexture((GLenum)active);
}

/* Fixed functions. */

static void tell_lights(const struct retrace *retrace, struct text *text)
{
    GLint count = count_of(MAX_LIGHTS, LIGHTS_MAX);
    char prefix[PREFIX_MAX];

    for (GLint n = 0; n < count; n++) {
        const struct state_place place = {
            .group = STATE_OF_LIGHT, .target = (GLenum)(GL_LIGHT0 + n), .prefix = prefix};
        bool lit = glIsEnabled((GLenum)(GL_LIGHT0 + n));

        snprintf(prefix, sizeof(prefix), "GL_LIGHT%d", n);
        text_printf(text, "%s = %s\n", prefix, lit ? "GL_TRUE" : "GL_FALSE");
        if (lit)
            retrace_state_tell(retrace, &place, STATE_LIGHTING, text);
    }
    for (unsigned n = 0; n < 2; n++) {
        const struct state_place place = {.group = STATE_OF_MATERIAL,
                                          .target = n == 0 ? GL_FRONT : GL_BACK,
                                          .prefix = n == 0 ? "GL_FRONT" : "GL_BACK"};

        retrace_state_tell(retrace, &place, STATE_LIGHTING, text);
    }
}

static void tell_planes(struct text *text)
{
    for (unsigned n = 0; n < 6; n++) {
        GLdouble plane[4] = {0};

        if (!glIsEnabled(GL_CLIP_DISTANCE0 + n))
            continue;
        glGetClipPlane(GL_CLIP_DISTANCE0 + n, plane);
        text_printf(text, "GL_CLIP_PLANE%u = %.9g, %.9g, %.9g, %.9g\n", n, plane[0], plane[1],
                    plane[2], plane[3]);
    }
}

/* Writes those of several equal objects that differ from the first one. */
static void tell_others(const struct retrace *retrace, enum state_group group, GLenum counted,
                        enum state_section section, struct text *text)
{
    GLint count = count_of(counted, 64);
    struct text first = TEXT_INIT, other = TEXT_INIT;
    char prefix[PREFIX_MAX];
    struct state_place place = {.group = (uint8_t)group};

    retrace_state_tell(retrace, &place, section, &first);
    for (GLint n = 1; n < count; n++) {
        place.index = (GLuint)n;
        place.prefix = NULL;
        text_reset(&other);
        retrace_state_tell(retrace, &place, section, &other);
        if (other.length == first.length && memcmp(other.bytes, first.bytes, first.length) == 0)
            continue;
        snprintf(prefix, sizeof(prefix), "[%d]", n);
        place.prefix = prefix;
        retrace_state_tell(retrace, &place, section, text);
    }
    text_clear(&first);
    text_clear(&other);
}

void retrace_state_objects(const struct retrace *retrace, enum state_section section,
                           struct text *text)
{
    unsigned api = retrace_state_api(retrace_context(retrace));
    bool fixed = (api & STATE_FIXED) != 0, shaded = (api & STATE_SHADED) != 0;

    if (section == STATE_FRAMEBUFFER && shaded)
        tell_framebuffer(retrace, text);
    else if (section == STATE_PROGRAM && shaded)
        tell_stages(retrace, text);
    else if (section == STATE_VERTEX_ARRAY && shaded)
        tell_attributes(retrace, text);
    else if (section == STATE_BUFFERS)
        tell_buffers(retrace, text);
    else if (section == STATE_TEXTURES)
        tell_textures(retrace, text);
    else if ((section == STATE_VIEWPORT || section == STATE_SCISSOR) && (api & STATE_GL) != 0)
        tell_others(retrace, STATE_OF_VIEWPORT, GL_MAX_VIEWPORTS, section, text);
    else if ((section == STATE_BLEND || section == STATE_MASKS) && shaded)
        tell_others(retrace, STATE_OF_DRAW_BUFFER, GL_MAX_DRAW_BUFFERS, section, text);
    else if (section == STATE_LIGHTING && fixed)
        tell_lights(retrace, text);
    else if (section == STATE_MATRICES && fixed)
        tell_planes(text);
    else if (section == STATE_TEXTURE_ENV && fixed)
        tell_environments(retrace, text);
    else if (section == STATE_ARRAYS && fixed)
        tell_arrays(retrace, text);
}
