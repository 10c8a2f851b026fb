/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "glworker/gl/sources.h"

#include "glworker/gl/budget.h"
#include "glworker/gl/spirv.h"
#include "glworker/gl/state_values.h"
#include "glworker/gl/surfaces.h"

#include <stdlib.h>
#include <string.h>

enum { SHADERS_MAX = 64 };

/* In pipeline order. */
static const GLenum stages[] = {GL_VERTEX_SHADER,          GL_TESS_CONTROL_SHADER,
                                GL_TESS_EVALUATION_SHADER, GL_GEOMETRY_SHADER,
                                GL_FRAGMENT_SHADER,        GL_COMPUTE_SHADER};

static uint32_t stage_of(GLenum type)
{
    for (uint32_t n = 0; n < RETRACE_STAGES; n++)
        if (stages[n] == type)
            return n;
    return RETRACE_STAGES;
}

GLenum retrace_stage_type(uint32_t stage)
{
    return stage < RETRACE_STAGES ? stages[stage] : GL_NONE;
}

bool retrace_compile(GLuint program, GLenum type, const char *const strings[], unsigned count)
{
    GLuint shader = glCreateShader(type);
    GLint compiled = 0;

    glShaderSource(shader, (GLsizei)count, strings, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    glAttachShader(program, shader);
    glDeleteShader(shader);
    return compiled != 0;
}

bool retrace_sources_compile(const struct retrace_linked *linked, unsigned wanted, GLuint program)
{
    bool compiled = true;

    for (unsigned n = 0; n < linked->count && compiled; n++) {
        const struct retrace_source *source = &linked->sources[n];
        const char *text = source->text;

        if (wanted >> source->stage & 1)
            compiled = text != NULL &&
                       retrace_compile(program, retrace_stage_type(source->stage), &text, 1);
    }
    return compiled;
}

uint32_t retrace_stages_last(unsigned wanted)
{
    uint32_t last = 0;

    for (uint32_t n = 0; n < RETRACE_STAGES; n++)
        last = wanted >> n & 1 ? n : last;
    return last;
}

/* Like retrace_spirv_make(). Only the program keeps the shader. */
static bool compile_module(const struct retrace_source *source, bool captures, GLuint program,
                           const char **why)
{
    GLuint shader = glCreateShader(retrace_stage_type(source->stage));
    const bool compiled = retrace_spirv_make(source->spirv, source->stage, captures, shader, why);

    glAttachShader(program, shader);
    glDeleteShader(shader);
    return compiled;
}

bool retrace_sources_are_modules(const struct retrace_linked *linked)
{
    unsigned modules = 0;

    for (unsigned n = 0; linked != NULL && n < linked->count; n++)
        modules += linked->sources[n].spirv != NULL;
    return modules > 0 && modules == linked->count;
}

bool retrace_sources_compile_all(const struct retrace_linked *linked, GLuint program)
{
    bool compiled = true;
    const char *why;

    for (unsigned n = 0; n < linked->count && compiled; n++)
        compiled = compile_module(&linked->sources[n], false, program, &why);
    return compiled;
}

bool retrace_sources_capture(const struct retrace_linked *linked, unsigned wanted, GLuint program,
                             const char **why)
{
    const uint32_t last = retrace_stages_last(wanted);
    bool compiled = true;

    for (unsigned n = 0; n < linked->count && compiled; n++) {
        const struct retrace_source *source = &linked->sources[n];

        if (wanted >> source->stage & 1)
            compiled = compile_module(source, source->stage == last, program, why);
    }
    return compiled;
}

/* Contexts that share nothing may use the same name for two programs. */
static uint64_t key_of(const struct retrace *retrace, GLuint program)
{
    return (uint64_t)retrace_context(retrace)->group << 32 | program;
}

static void release(struct retrace *retrace, struct retrace_linked *linked)
{
    for (unsigned n = 0; n < linked->count; n++) {
        struct retrace_source *source = &linked->sources[n];

        if (source->spirv != NULL)
            retrace_spirv_drop(retrace, source->spirv);
        retrace->sources.bytes -= source->size;
        free(source->text);
    }
    free(linked);
}

static void drop(struct retrace *retrace, uint64_t key)
{
    uint64_t found;

    if (!retrace_map_get(&retrace->sources.linked, key, &found))
        return;
    retrace_map_remove(&retrace->sources.linked, key);
    release(retrace, (struct retrace_linked *)(uintptr_t)found);
}

/* Keeps the sources of a program, replacing earlier ones. Takes `linked` over even if it fails. */
static void keep(struct retrace *retrace, GLuint program, struct retrace_linked *linked)
{
    const uint64_t key = key_of(retrace, program);

    drop(retrace, key);
    if (linked->count == 0 ||
        retrace_map_put(&retrace->sources.linked, key, (uint64_t)(uintptr_t)linked) != 0)
        release(retrace, linked);
}

static struct retrace_linked *begin(unsigned room)
{
    return calloc(1, sizeof(struct retrace_linked) + room * sizeof(struct retrace_source));
}

/* Appends a source with room for its text. Returns NULL if that is not possible. */
static struct retrace_source *add(struct retrace *retrace, struct retrace_linked *linked,
                                  size_t size)
{
    struct retrace_source *source = &linked->sources[linked->count];

    if (!retrace_budget_fits_sources(retrace, size))
        return NULL;
    *source = (struct retrace_source){.size = size, .text = calloc(1, size + 1)};
    if (source->text == NULL)
        return NULL;
    linked->count++;
    retrace->sources.bytes += size;
    return source;
}

static void add_shader(struct retrace *retrace, struct retrace_linked *linked, GLuint shader)
{
    struct retrace_spirv *spirv = retrace_spirv_take(retrace, shader);
    struct retrace_source *source;
    GLint length = 0, type = 0;

    glGetShaderiv(shader, GL_SHADER_SOURCE_LENGTH, &length);
    glGetShaderiv(shader, GL_SHADER_TYPE, &type);
    if (spirv != NULL) {
        source = &linked->sources[linked->count++];
        *source = (struct retrace_source){.spirv = spirv};
    } else {
        source = graphics_failed() || length <= 1 ? NULL : add(retrace, linked, (size_t)length - 1);
        if (source == NULL)
            return;
        glGetShaderSource(shader, length, NULL, source->text);
    }
    source->stage = stage_of((GLenum)type);
    source->object = (uint32_t)retrace_old_name(retrace, RETRACE_PROGRAM, shader);
}

void retrace_sources_link(struct retrace *retrace, GLuint program)
{
    struct retrace_linked *linked;
    GLuint shaders[SHADERS_MAX];
    GLsizei count = 0;
    GLint is_linked = 0;

    graphics_failed();
    glGetProgramiv(program, GL_LINK_STATUS, &is_linked);
    if (graphics_failed() || !is_linked)
        return;
    glGetAttachedShaders(program, SHADERS_MAX, &count, shaders);
    linked = begin(SHADERS_MAX);
    for (GLsizei n = 0; linked != NULL && n < count; n++)
        add_shader(retrace, linked, shaders[n]);
    if (linked != NULL)
        keep(retrace, program, linked);
    graphics_failed();
}

void retrace_sources_create(struct retrace *retrace, GLuint program, uint64_t old, GLenum type,
                            const struct retrace_argument *strings)
{
    struct retrace_linked *linked = begin(1);
    struct retrace_source *source;
    size_t size = 0, at = 0;

    for (uint64_t n = 0; n < strings->count; n++)
        size += strlen(((const char **)strings->memory)[n]);
    source = linked != NULL ? add(retrace, linked, size) : NULL;
    for (uint64_t n = 0; source != NULL && n < strings->count; n++) {
        const char *text = ((const char **)strings->memory)[n];

        memcpy(source->text + at, text, strlen(text));
        at += strlen(text);
    }
    if (source != NULL) {
        source->stage = stage_of(type);
        source->object = (uint32_t)old;
    }
    if (linked != NULL)
        keep(retrace, program, linked);
}

const struct retrace_linked *retrace_sources_find(const struct retrace *retrace, GLuint program)
{
    uint64_t found;

    return retrace_map_get(&retrace->sources.linked, key_of(retrace, program), &found)
               ? (const struct retrace_linked *)(uintptr_t)found
               : NULL;
}

void retrace_sources_forget(struct retrace *retrace, GLuint program)
{
    drop(retrace, key_of(retrace, program));
}

void retrace_sources_end_group(struct retrace *retrace, uint32_t group)
{
    const uint64_t first = (uint64_t)group << 32, last = first | UINT32_MAX;
    uint64_t key = RETRACE_NO_KEY;

    for (uint32_t at = 0; retrace_map_next(&retrace->sources.linked, first, last, &at, &key);)
        drop(retrace, key);
}

void retrace_sources_clear(struct retrace *retrace)
{
    for (uint32_t n = 0; n < retrace->sources.linked.room; n++)
        while (retrace->sources.linked.count > 0 &&
               retrace->sources.linked.pairs[n].key != RETRACE_NO_KEY)
            drop(retrace, retrace->sources.linked.pairs[n].key);
    retrace_map_clear(&retrace->sources.linked);
}
