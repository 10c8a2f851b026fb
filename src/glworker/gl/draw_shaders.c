/* SPDX-License-Identifier: MIT */
/*
 * The stages of a draw's programs: the sources or modules from which they were linked, the sources
 * of attached shaders, or the texts of assembly programs; and the driver's logs.
 */
#include "config.h"

#include "glworker/gl/assembly.h"
#include "glworker/gl/draw_parts.h"
#include "glworker/gl/draw_texts.h"
#include "glworker/gl/programs.h"
#include "glworker/gl/sources.h"
#include "glworker/gl/spirv.h"
#include "glworker/gl/state_values.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { SHADERS_MAX = 64, LOG_MAX = 1 << 20 };

static uint32_t stage_of(GLuint shader)
{
    GLint type = 0;
    uint32_t n = 0;

    glGetShaderiv(shader, GL_SHADER_TYPE, &type);
    while (n < RETRACE_STAGES && retrace_stage_type(n) != (GLenum)type)
        n++;
    return n;
}

/*
 * Adds a shader once, even if several programs use it. Returns NULL if it is in the list already.
 */
static struct retrace_part *add(struct retrace_parts *parts, uint32_t object, uint32_t stage,
                                uint64_t bytes)
{
    struct retrace_part *part;

    for (unsigned n = 0; n < parts->count; n++)
        if (parts->list[n].told.kind == APITRACE_PART_SHADER &&
            parts->list[n].told.object == object && parts->list[n].told.number == stage)
            return NULL;
    part = retrace_parts_add(parts, APITRACE_PART_SHADER);
    part->told.number = stage;
    part->told.object = object;
    part->told.bytes = bytes;
    return part;
}

static void add_linked(const struct retrace_linked *linked, struct retrace_parts *parts)
{
    for (unsigned n = 0; n < linked->count; n++) {
        const struct retrace_source *source = &linked->sources[n];
        const struct retrace_spirv *spirv = source->spirv;
        struct retrace_part *part =
            add(parts, source->object, source->stage,
                spirv != NULL ? spirv->count * sizeof(*spirv->words) : source->size);

        if (part == NULL)
            continue;
        part->told.format = spirv != NULL ? APITRACE_SPIRV : 0;
        part->memory =
            spirv != NULL ? (const uint8_t *)spirv->words : (const uint8_t *)source->text;
    }
}

static void add_attached(const struct retrace *retrace, GLuint program, struct retrace_parts *parts)
{
    GLuint shaders[SHADERS_MAX];
    GLsizei count = 0;

    glGetAttachedShaders(program, SHADERS_MAX, &count, shaders);
    if (graphics_failed())
        return;
    for (GLsizei n = 0; n < count; n++) {
        struct retrace_part *part;
        GLint length = 0;

        glGetShaderiv(shaders[n], GL_SHADER_SOURCE_LENGTH, &length);
        if (graphics_failed() || length <= 1)
            continue;
        part = add(parts, (uint32_t)retrace_old_name(retrace, RETRACE_PROGRAM, shaders[n]),
                   stage_of(shaders[n]), (uint64_t)length - 1);
        if (part != NULL)
            part->name = shaders[n];
    }
}

static void add_program(const struct retrace *retrace, GLuint program, struct retrace_parts *parts)
{
    const struct retrace_linked *linked = retrace_sources_find(retrace, program);

    if (linked != NULL)
        add_linked(linked, parts);
    else
        add_attached(retrace, program, parts);
}

static void add_assembly(const struct retrace_assembly *assembly, struct retrace_parts *parts)
{
    struct retrace_part *part =
        add(parts, (uint32_t)assembly->old, assembly->stage, assembly->size);

    if (part != NULL)
        part->told.target = assembly->target;
}

void retrace_parts_shaders(const struct retrace *retrace, struct retrace_parts *parts)
{
    struct retrace_program_here programs[RETRACE_PROGRAMS_MAX];
    struct retrace_assembly assemblies[RETRACE_ASSEMBLIES_MAX];
    unsigned count = retrace_programs(retrace, programs);

    for (unsigned n = 0; n < count; n++)
        add_program(retrace, programs[n].name, parts);
    count = retrace_assemblies(retrace, assemblies);
    for (unsigned n = 0; n < count; n++)
        add_assembly(&assemblies[n], parts);
}

/* Reads the text of the bound program. Fails if its size has changed since the part was found. */
static int read_assembly(const struct retrace_part *part, struct blob **out)
{
    const struct retrace_assembly assembly = {.target = part->told.target,
                                              .size = (size_t)part->told.bytes};
    char *text = retrace_assembly_text(&assembly);
    int status = text != NULL ? blob_create(assembly.size, out) : -ENOENT;

    if (status == 0)
        memcpy((*out)->data, text, assembly.size);
    free(text);
    return status;
}

static int copy_source(const struct retrace_part *part, struct blob **out)
{
    int status = blob_create((size_t)part->told.bytes, out);

    if (status == 0)
        memcpy((*out)->data, part->memory, (size_t)part->told.bytes);
    return status;
}

int retrace_part_shader(const struct retrace_part *part, struct blob **out)
{
    const size_t room = (size_t)part->told.bytes + 1;
    char *source = NULL;
    GLsizei length = 0;
    int status;

    if (part->memory != NULL)
        return copy_source(part, out);
    if (part->told.target != GL_NONE)
        return read_assembly(part, out);
    source = malloc(room);
    status = source != NULL ? 0 : -ENOMEM;
    if (status == 0)
        glGetShaderSource(part->name, (GLsizei)room, &length, source);
    if (status == 0 && graphics_failed())
        status = -ENOENT;
    if (status == 0)
        status = blob_create((size_t)length, out);
    if (status == 0)
        memcpy((*out)->data, source, (size_t)length);
    free(source);
    return status;
}

/* Appends a log of the driver, with unprintable characters as \xNN. */
static void add_log(const char *log, GLsizei length, struct text *text)
{
    for (GLsizei n = 0; n < length; n++) {
        unsigned char c = (unsigned char)log[n];

        if (c == '\n' || c == '\t' || (c >= ' ' && c <= '~'))
            text_add_char(text, (char)c);
        else
            text_printf(text, "\\x%02X", c);
    }
    if (length > 0 && log[length - 1] != '\n')
        text_add_char(text, '\n');
}

static void add_logs(const struct retrace *retrace, const struct retrace_program_here *program,
                     char *log, struct text *text)
{
    GLuint shaders[SHADERS_MAX];
    GLsizei count = 0, length = 0;
    GLint linked = 0;

    glGetProgramiv(program->name, GL_LINK_STATUS, &linked);
    glGetProgramInfoLog(program->name, LOG_MAX, &length, log);
    text_printf(text, "program %llu: %s\n", (unsigned long long)program->old,
                linked ? "linked" : "not linked");
    add_log(log, graphics_failed() ? 0 : length, text);
    glGetAttachedShaders(program->name, SHADERS_MAX, &count, shaders);
    for (GLsizei n = 0; !graphics_failed() && n < count; n++) {
        GLint compiled = 0;

        glGetShaderiv(shaders[n], GL_COMPILE_STATUS, &compiled);
        length = 0;
        glGetShaderInfoLog(shaders[n], LOG_MAX, &length, log);
        text_printf(text, "shader %llu: %s\n",
                    (unsigned long long)retrace_old_name(retrace, RETRACE_PROGRAM, shaders[n]),
                    compiled ? "compiled" : "not compiled");
        add_log(log, length, text);
    }
}

void retrace_logs_text(const struct retrace *retrace, struct text *text)
{
    struct retrace_program_here programs[RETRACE_PROGRAMS_MAX];
    unsigned count = retrace_programs(retrace, programs);
    char *log = malloc(LOG_MAX);

    if (log == NULL)
        text_fail(text, -ENOMEM);
    for (unsigned n = 0; log != NULL && n < count; n++)
        add_logs(retrace, &programs[n], log, text);
    free(log);
}
