/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "glworker/gl/assembly.h"

#include "glworker/gl/assembly_lexer.h"
#include "glworker/gl/programs.h"
#include "glworker/gl/sources.h"
#include "glworker/gl/state_table.h"
#include "glworker/gl/state_values.h"
#include "glworker/gl/surfaces.h"

#include <EGL/egl.h>
#include <stdlib.h>
#include <string.h>

/* Values from GL/glext.h. */
enum {
    VERTEX_PROGRAM = 0x8620,
    FRAGMENT_PROGRAM = 0x8804,
    PROGRAM_LENGTH = 0x8627,
    PROGRAM_STRING = 0x8628,
    PROGRAM_BINDING = 0x8677,
};

enum { STAGE_VERTEX = 0, STAGE_FRAGMENT = 4 };

/* Functions of extensions, which no library exports. */
static struct {
    void (*get_number)(GLenum target, GLenum what, GLint *value);
    void (*get_string)(GLenum target, GLenum what, void *string);
    void (*get_env)(GLenum target, GLuint number, GLfloat *values);
    void (*get_local)(GLenum target, GLuint number, GLfloat *values);
} gl;

static bool has_functions(void)
{
    if (gl.get_number != NULL)
        return true;
    gl.get_string = (void (*)(GLenum, GLenum, void *))eglGetProcAddress("glGetProgramStringARB");
    gl.get_env =
        (void (*)(GLenum, GLuint, GLfloat *))eglGetProcAddress("glGetProgramEnvParameterfvARB");
    gl.get_local =
        (void (*)(GLenum, GLuint, GLfloat *))eglGetProcAddress("glGetProgramLocalParameterfvARB");
    if (gl.get_string != NULL && gl.get_env != NULL && gl.get_local != NULL)
        gl.get_number = (void (*)(GLenum, GLenum, GLint *))eglGetProcAddress("glGetProgramivARB");
    return gl.get_number != NULL;
}

/*
 * A program whose sources are not kept counts as having all stages, because its stages are unknown.
 */
static bool is_shaded(const struct retrace *retrace, uint32_t stage)
{
    struct retrace_program_here programs[RETRACE_PROGRAMS_MAX];
    unsigned count = retrace_programs(retrace, programs);

    for (unsigned n = 0; n < count; n++) {
        const struct retrace_linked *linked = retrace_sources_find(retrace, programs[n].name);

        if (linked == NULL)
            return true;
        for (unsigned i = 0; i < linked->count; i++)
            if (linked->sources[i].stage == stage)
                return true;
    }
    return false;
}

static bool is_switched_on(GLenum target)
{
    bool is_on;

    graphics_failed();
    is_on = glIsEnabled(target);
    return !graphics_failed() && is_on;
}

static bool ask(const struct retrace *retrace, GLenum target, uint32_t stage,
                struct retrace_assembly *out)
{
    GLint name = 0, length = 0;

    if (!is_switched_on(target) || is_shaded(retrace, stage))
        return false;
    gl.get_number(target, PROGRAM_BINDING, &name);
    gl.get_number(target, PROGRAM_LENGTH, &length);
    if (graphics_failed() || length <= 0)
        return false;
    *out = (struct retrace_assembly){
        .target = target,
        .stage = stage,
        .old = retrace_old_name(retrace, RETRACE_ASSEMBLY, (uint32_t)name),
        .size = (size_t)length};
    return true;
}

unsigned retrace_assemblies(const struct retrace *retrace,
                            struct retrace_assembly out[RETRACE_ASSEMBLIES_MAX])
{
    unsigned count = 0;

    if (retrace_state_api(retrace_context(retrace)) != STATE_OLD || !has_functions())
        return 0;
    count += ask(retrace, VERTEX_PROGRAM, STAGE_VERTEX, &out[count]);
    count += ask(retrace, FRAGMENT_PROGRAM, STAGE_FRAGMENT, &out[count]);
    return count;
}

bool retrace_assembly_is_on(void)
{
    return is_switched_on(VERTEX_PROGRAM);
}

bool retrace_assembly_of_vertices(const struct retrace *retrace, struct retrace_assembly *out)
{
    return retrace_state_api(retrace_context(retrace)) == STATE_OLD && has_functions() &&
           ask(retrace, VERTEX_PROGRAM, STAGE_VERTEX, out);
}

char *retrace_assembly_text(const struct retrace_assembly *assembly)
{
    char *text = calloc(assembly->size + 1, 1);
    GLint length = 0;

    if (text == NULL || !has_functions()) {
        free(text);
        return NULL;
    }
    gl.get_number(assembly->target, PROGRAM_LENGTH, &length);
    if (graphics_failed() || length < 0 || (size_t)length != assembly->size) {
        free(text);
        return NULL;
    }
    gl.get_string(assembly->target, PROGRAM_STRING, text);
    graphics_failed();
    return text;
}

bool retrace_assembly_parameter(const struct retrace_assembly *assembly,
                                enum retrace_operand_kind kind, uint32_t number, GLfloat out[4])
{
    graphics_failed();
    (kind == RETRACE_OPERAND_ENV ? gl.get_env : gl.get_local)(assembly->target, number, out);
    return !graphics_failed();
}

/* Operands in texts. */

/* Parses what follows `program`. */
static bool take_register(const char **at, struct retrace_operand *out)
{
    if (!retrace_token_take(at, "."))
        return false;
    if (retrace_token_take(at, "env"))
        out->kind = RETRACE_OPERAND_ENV;
    else if (retrace_token_take(at, "local"))
        out->kind = RETRACE_OPERAND_LOCAL;
    else
        return false;
    return retrace_token_take_range(at, &out->first, &out->last) &&
           out->last < RETRACE_PARAMETERS_MAX;
}

/* Parses what follows `texture`; without an index it means unit 0. */
static bool take_texture(const char **at, struct retrace_operand *out)
{
    static const struct {
        const char *word;
        GLenum target;
    } targets[] = {{"1D", GL_TEXTURE_1D},
                   {"2D", GL_TEXTURE_2D},
                   {"3D", GL_TEXTURE_3D},
                   {"CUBE", GL_TEXTURE_CUBE_MAP},
                   {"RECT", GL_TEXTURE_RECTANGLE},
                   {"SHADOW1D", GL_TEXTURE_1D},
                   {"SHADOW2D", GL_TEXTURE_2D},
                   {"SHADOWRECT", GL_TEXTURE_RECTANGLE},
                   {"ARRAY1D", GL_TEXTURE_1D_ARRAY},
                   {"ARRAY2D", GL_TEXTURE_2D_ARRAY},
                   {"SHADOWARRAY1D", GL_TEXTURE_1D_ARRAY},
                   {"SHADOWARRAY2D", GL_TEXTURE_2D_ARRAY}};

    out->kind = RETRACE_OPERAND_TEXTURE;
    out->first = out->last = 0;
    (void)retrace_token_take_range(at, &out->first, &out->last);
    if (!retrace_token_take(at, ","))
        return false;
    for (size_t n = 0; n < sizeof(targets) / sizeof(targets[0]); n++)
        if (retrace_token_take(at, targets[n].word)) {
            out->target = targets[n].target;
            return out->first == out->last;
        }
    return false;
}

bool retrace_assembly_operand(const char **at, struct retrace_operand *out)
{
    bool is_member = false; /* like `texture` in `state.matrix.texture[1]` */

    *out = (struct retrace_operand){.target = GL_NONE};
    for (struct retrace_token token = retrace_token_next(at); token.length > 0;
         token = retrace_token_next(at)) {
        const char *behind = *at;
        bool is_operand =
            !is_member && ((retrace_token_is(token, "program") && take_register(&behind, out)) ||
                           (retrace_token_is(token, "texture") && take_texture(&behind, out)));

        if (is_operand) {
            *at = behind;
            return true;
        }
        is_member = retrace_token_is(token, ".");
    }
    return false;
}
