/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "glworker/gl/program_copy.h"

#include "glworker/gl/sources.h"
#include "glworker/gl/state.h"

#include <stdio.h>
#include <string.h>

enum {
    NAME_ROOM = 1024,
    ELEMENTS_MAX = 65536,
    COMPONENTS = 16,
    VERTEX_PROGRAM = 0x8620, /* of ARB, which headers for core profiles lack */
};

static bool compile(GLuint program, GLenum stage, const char *const strings[], unsigned count)
{
    GLuint shader = glCreateShader(stage);
    GLint compiled = 0;

    glShaderSource(shader, (GLsizei)count, strings, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    glAttachShader(program, shader);
    glDeleteShader(shader);
    return compiled != 0;
}

/* OpenGL ES links no program without one; its version is that of the vertex shader. */
static bool add_idle_fragments(GLuint program, const char *vertices)
{
    const char *at = strstr(vertices, "#version");
    char version[32] = "";
    const char *const strings[] = {version, "\nvoid main() {}\n"};

    if (at != NULL)
        snprintf(version, sizeof(version), "%.*s", (int)strcspn(at, "\r\n"), at);
    return compile(program, GL_FRAGMENT_SHADER, strings, 2);
}

static void bind_attributes(GLuint from, GLuint to)
{
    GLint count = 0, size;
    GLenum type;

    glGetProgramiv(from, GL_ACTIVE_ATTRIBUTES, &count);
    for (GLint n = 0; n < count && !graphics_failed(); n++) {
        char name[NAME_ROOM] = "";
        GLint location;

        glGetActiveAttrib(from, (GLuint)n, NAME_ROOM, NULL, &size, &type, name);
        location = glGetAttribLocation(from, name);
        if (location >= 0)
            glBindAttribLocation(to, (GLuint)location, name);
    }
}

static bool link_copy(GLuint program)
{
    static const char *const position[] = {"gl_Position"};
    GLint linked = 0;

    glTransformFeedbackVaryings(program, 1, position, GL_INTERLEAVED_ATTRIBS);
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    return linked != 0;
}

/* Uniforms, of the program that is current. */

static void copy_floats(GLuint from, GLint location, const struct retrace_value_type *type,
                        GLint here)
{
    static void (*const vectors[])(GLint, GLsizei, const GLfloat *) = {glUniform1fv, glUniform2fv,
                                                                       glUniform3fv, glUniform4fv};
    static void (*const matrices[3][3])(GLint, GLsizei, GLboolean, const GLfloat *) = {
        {glUniformMatrix2fv, glUniformMatrix2x3fv, glUniformMatrix2x4fv},
        {glUniformMatrix3x2fv, glUniformMatrix3fv, glUniformMatrix3x4fv},
        {glUniformMatrix4x2fv, glUniformMatrix4x3fv, glUniformMatrix4fv}};
    GLfloat values[COMPONENTS] = {0};

    glGetUniformfv(from, location, values);
    if (type->columns == 1)
        vectors[type->rows - 1](here, 1, values);
    else
        matrices[type->columns - 2][type->rows - 2](here, 1, GL_FALSE, values);
}

static void copy_integers(GLuint from, GLint location, const struct retrace_value_type *type,
                          GLint here)
{
    static void (*const vectors[])(GLint, GLsizei, const GLint *) = {glUniform1iv, glUniform2iv,
                                                                     glUniform3iv, glUniform4iv};
    static void (*const naturals[])(GLint, GLsizei, const GLuint *) = {
        glUniform1uiv, glUniform2uiv, glUniform3uiv, glUniform4uiv};
    GLint values[COMPONENTS] = {0};
    GLuint numbers[COMPONENTS] = {0};

    if (type->base == RETRACE_BASE_UNSIGNED) {
        glGetUniformuiv(from, location, numbers);
        naturals[type->rows - 1](here, 1, numbers);
        return;
    }
    glGetUniformiv(from, location, values);
    vectors[type->rows - 1](here, 1, values);
}

/* False: it is of doubles, which are not copied. */
static bool copy_element(GLuint from, GLuint to, const char *name, GLenum kind)
{
    const struct retrace_value_type *type = retrace_value_type(kind);
    const GLint location = glGetUniformLocation(from, name), here = glGetUniformLocation(to, name);

    if (location < 0 || here < 0)
        return true; /* of a block, or OpenGL's own */
    if (type->base == RETRACE_BASE_DOUBLE)
        return false;
    (type->base == RETRACE_BASE_FLOAT ? copy_floats : copy_integers)(from, location, type, here);
    return true;
}

/* Of an array its name has the first element's. */
static void drop_index(char *name)
{
    const size_t length = strlen(name);

    if (length > 3 && strcmp(name + length - 3, "[0]") == 0)
        name[length - 3] = '\0';
}

static bool copy_uniforms(GLuint from, GLuint to)
{
    GLint count = 0;
    bool copied = true;

    glGetProgramiv(to, GL_ACTIVE_UNIFORMS, &count);
    for (GLint n = 0; n < count && copied; n++) {
        char name[NAME_ROOM] = "", element[NAME_ROOM + 16];
        GLint size = 0;
        GLenum type = GL_NONE;

        glGetActiveUniform(to, (GLuint)n, NAME_ROOM, NULL, &size, &type, name);
        if (size > 1)
            drop_index(name);
        for (GLint i = 0; i < size && i < ELEMENTS_MAX && copied; i++) {
            snprintf(element, sizeof(element), size > 1 ? "%s[%d]" : "%s", name, i);
            copied = copy_element(from, to, element, type);
        }
    }
    return copied;
}

static void copy_blocks(GLuint from, GLuint to)
{
    GLint count = 0;

    glGetProgramiv(to, GL_ACTIVE_UNIFORM_BLOCKS, &count);
    for (GLint n = 0; n < count && !graphics_failed(); n++) {
        char name[NAME_ROOM] = "";
        GLint binding = 0;
        GLuint block;

        glGetActiveUniformBlockName(to, (GLuint)n, NAME_ROOM, NULL, name);
        block = glGetUniformBlockIndex(from, name);
        if (block == GL_INVALID_INDEX)
            continue;
        glGetActiveUniformBlockiv(from, block, GL_UNIFORM_BLOCK_BINDING, &binding);
        glUniformBlockBinding(to, (GLuint)n, (GLuint)binding);
    }
}

/* Whether a program can be used again after another one, as it was. */
static bool can_leave(const struct retrace_context *context, GLuint program)
{
    GLint deleted = 0;

    if (program == 0)
        return true;
    glGetProgramiv(program, GL_DELETE_STATUS, &deleted);
    for (uint32_t n = 0; retrace_is_new(context, 40, 99) && n < RETRACE_STAGES; n++) {
        GLint subroutines = 0;

        glGetProgramStageiv(program, retrace_stage_type(n), GL_ACTIVE_SUBROUTINE_UNIFORMS,
                            &subroutines);
        if (!graphics_failed() && subroutines > 0)
            return false;
    }
    return !deleted;
}

/* The program with the vertex stage, and its sources; 0: none has one. */
static GLuint find_vertices(const struct retrace *retrace, const struct retrace_linked **linked)
{
    struct retrace_program_here programs[RETRACE_PROGRAMS_MAX];
    const unsigned count = retrace_programs(retrace, programs);

    for (unsigned n = 0; n < count; n++) {
        *linked = retrace_sources_find(retrace, programs[n].name);
        for (unsigned i = 0; *linked != NULL && i < (*linked)->count; i++)
            if ((*linked)->sources[i].stage == 0)
                return programs[n].name;
    }
    return 0;
}

static bool compile_vertices(const struct retrace_context *context, GLuint program,
                             const struct retrace_linked *linked)
{
    bool compiled = true;

    for (unsigned n = 0; n < linked->count; n++) {
        const char *text = linked->sources[n].text;

        if (linked->sources[n].stage != 0)
            continue;
        compiled = compiled && compile(program, GL_VERTEX_SHADER, &text, 1) &&
                   (!context->es || add_idle_fragments(program, text));
    }
    return compiled;
}

static bool make_copy(const struct retrace_context *context, GLuint from,
                      const struct retrace_linked *linked, GLuint program)
{
    static const char *const fixed[] = {"void main() { gl_Position = ftransform(); }"};

    if (from == 0)
        return compile(program, GL_VERTEX_SHADER, fixed, 1) && link_copy(program);
    if (!compile_vertices(context, program, linked))
        return false;
    bind_attributes(from, program);
    return link_copy(program);
}

/* NULL, or why nobody can tell what transforms vertices: `from`, or fixed functions where it is 0.
 */
static const char *find_obstacle(const struct retrace *retrace, GLuint from, GLuint current)
{
    const struct retrace_context *context = retrace_context(retrace);
    struct retrace_program_here programs[RETRACE_PROGRAMS_MAX];

    if (!can_leave(context, current))
        return "its program cannot be left for another one";
    if (from != 0)
        return NULL;
    if ((retrace_state_api(context) & STATE_FIXED) == 0 || context->es)
        return "the source of its vertex shader is not known";
    for (unsigned n = retrace_programs(retrace, programs); n-- > 0;) {
        GLint attributes = 0;

        glGetProgramiv(programs[n].name, GL_ACTIVE_ATTRIBUTES, &attributes);
        if (attributes > 0 || retrace_sources_find(retrace, programs[n].name) == NULL)
            return "the source of its vertex shader is not known";
    }
    return glIsEnabled(VERTEX_PROGRAM) && !graphics_failed() ? "an ARB program transforms it"
                                                             : NULL;
}

GLuint retrace_program_copy(const struct retrace *retrace, GLuint *current, const char **why)
{
    const struct retrace_linked *linked = NULL;
    const GLuint from = find_vertices(retrace, &linked);
    GLuint program;

    *current = (GLuint)retrace_get(GL_CURRENT_PROGRAM);
    *why = find_obstacle(retrace, from, *current);
    if (*why != NULL)
        return 0;
    program = glCreateProgram();
    *why = "its vertex shader cannot be linked for transform feedback";
    if (!make_copy(retrace_context(retrace), from, linked, program)) {
        glDeleteProgram(program);
        return 0;
    }
    glUseProgram(program);
    *why = "it has uniforms of doubles";
    if (from == 0 || copy_uniforms(from, program)) {
        if (from != 0)
            copy_blocks(from, program);
        return program;
    }
    glUseProgram(*current);
    glDeleteProgram(program);
    return 0;
}
