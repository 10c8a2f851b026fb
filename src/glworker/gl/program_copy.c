/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "glworker/gl/program_copy.h"

#include "glworker/gl/assembly.h"
#include "glworker/gl/assembly_copy.h"
#include "glworker/gl/assembly_shader.h"
#include "glworker/gl/outputs.h"
#include "glworker/gl/programs.h"
#include "glworker/gl/sources.h"
#include "glworker/gl/state_values.h"
#include "glworker/gl/surfaces.h"
#include "glworker/gl/uniform_copy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    NAME_ROOM = 1024,
    VERTEX_STAGE = 1, /* its bit in `stages` */
    LAST_STAGE = 3,   /* before the fragment stage: geometry, by its position in the pipeline */
};

/*
 * Adds a fragment shader, without which OpenGL ES links no program. Its version is that of the
 * vertex shader.
 */
static bool add_idle_fragments(GLuint program, const struct retrace_linked *linked)
{
    const char *at = NULL;
    char version[32] = "";
    const char *const strings[] = {version, "\nvoid main() {}\n"};

    for (unsigned n = 0; n < linked->count && at == NULL; n++)
        if (linked->sources[n].stage == 0)
            at = strstr(linked->sources[n].text, "#version");
    if (at != NULL)
        snprintf(version, sizeof(version), "%.*s", (int)strcspn(at, "\r\n"), at);
    return retrace_compile(program, GL_FRAGMENT_SHADER, strings, 2);
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

static bool is_linked(GLuint program)
{
    GLint linked = 0;

    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    return linked != 0;
}

/* Links with all outputs if the driver can capture them, otherwise without them. */
static bool link_copy(GLuint program, struct retrace_outputs *outputs)
{
    const char *names[1 + RETRACE_OUTPUTS_MAX] = {"gl_Position"};

    for (unsigned n = 0; n < outputs->count; n++)
        names[n + 1] = outputs->list[n].variable[0] != '\0' ? outputs->list[n].variable
                                                            : outputs->list[n].name;
    glTransformFeedbackVaryings(program, (GLsizei)outputs->count + 1, names,
                                GL_INTERLEAVED_ATTRIBS);
    if (is_linked(program))
        return true;
    if (outputs->count == 0)
        return false;
    retrace_outputs_clear(outputs);
    return link_copy(program, outputs);
}

/* The programs that draws use, and what is copied of them. */

static const char cannot_link[] = "its shaders cannot be linked for transform feedback";

struct copying {
    GLuint from; /* 0 for fixed functions or an ARB program */
    bool is_assembly;
    struct retrace_assembly_shader assembly; /* if `is_assembly` */
    GLint pipeline;                          /* that contains the program; 0 if none does */
    unsigned stages;                         /* of the program, one bit each */
    const struct retrace_linked *linked;
    bool modules; /* its sources are SPIR-V */
};

static bool has_subroutines(GLuint program)
{
    GLint subroutines = 0;

    for (uint32_t n = 0; n < RETRACE_STAGES && subroutines == 0; n++)
        glGetProgramStageiv(program, retrace_stage_type(n), GL_ACTIVE_SUBROUTINE_UNIFORMS,
                            &subroutines);
    graphics_failed();
    return subroutines > 0;
}

/* Returns whether all programs can be used again, unchanged, after another one was used. */
static bool can_leave(const struct retrace *retrace, GLuint current)
{
    struct retrace_program_here programs[RETRACE_PROGRAMS_MAX];
    GLint deleted = 0;

    if (current != 0)
        glGetProgramiv(current, GL_DELETE_STATUS, &deleted);
    if (!retrace_is_new(retrace_context(retrace), 40, 99))
        return !deleted;
    for (unsigned n = retrace_programs(retrace, programs); n-- > 0;)
        if (has_subroutines(programs[n].name))
            return false;
    return !deleted;
}

/*
 * Returns whether a program failed to link again. Draws still use its former version, but its
 * uniforms are gone, and it cannot be used again.
 */
static bool is_broken(GLuint program)
{
    GLint linked = 1;

    if (program != 0)
        glGetProgramiv(program, GL_LINK_STATUS, &linked);
    return !linked;
}

/* Returns the stages whose sources are known. */
static unsigned known_stages(const struct retrace_linked *linked)
{
    unsigned stages = 0;

    for (unsigned n = 0; linked != NULL && n < linked->count; n++)
        stages |= 1U << linked->sources[n].stage;
    return stages;
}

/* Finds the program with the vertex stage. */
static void find_vertices(const struct retrace *retrace, struct copying *out)
{
    struct retrace_program_here programs[RETRACE_PROGRAMS_MAX];
    const unsigned count = retrace_programs(retrace, programs);

    out->stages = VERTEX_STAGE;
    for (unsigned n = 0; n < count; n++) {
        out->linked = retrace_sources_find(retrace, programs[n].name);
        out->from = programs[n].name;
        if (known_stages(out->linked) & VERTEX_STAGE)
            return;
    }
    out->from = 0;
}

/* Returns the stages before the fragment stage that a program was linked with. */
static unsigned stages_of(const struct retrace_context *context, GLuint program)
{
    static const struct {
        GLenum query;
        int desktop;
    } stages[] = {[1] = {GL_TESS_CONTROL_OUTPUT_VERTICES, 40},
                  [2] = {GL_TESS_GEN_MODE, 40},
                  [3] = {GL_GEOMETRY_VERTICES_OUT, 32}};
    unsigned found = VERTEX_STAGE;
    GLint value;

    for (unsigned n = 1; n < sizeof(stages) / sizeof(stages[0]); n++) {
        if (!retrace_is_new(context, stages[n].desktop, 32))
            continue;
        graphics_failed();
        glGetProgramiv(program, stages[n].query, &value);
        found |= graphics_failed() ? 0 : 1U << n;
    }
    return found;
}

/*
 * Finds the program with the last stage before the fragment stage, and all such stages of it that
 * draws use.
 */
static void find_last(const struct retrace *retrace, GLuint current, struct copying *out)
{
    GLint program = (GLint)current;

    if (current == 0 && retrace_state_get(GL_PROGRAM_PIPELINE_BINDING, &out->pipeline) &&
        out->pipeline != 0)
        for (int n = LAST_STAGE; n >= 0; n--) {
            GLint here = 0;

            glGetProgramPipelineiv((GLuint)out->pipeline, retrace_stage_type((uint32_t)n), &here);
            program = program == 0 ? here : program;
            out->stages |= here != 0 && here == program ? 1U << n : 0;
        }
    if (program == 0)
        return;
    out->linked = retrace_sources_find(retrace, (GLuint)program);
    if (current != 0)
        out->stages = stages_of(retrace_context(retrace), current);
    if (current == 0 || (known_stages(out->linked) & VERTEX_STAGE))
        out->from = (GLuint)program;
}

/* The modules themselves say what is captured, and have the attributes' locations. */
static bool make_module_copy(const struct copying *copying, GLuint program, const char **why)
{
    if (copying->pipeline != 0)
        glProgramParameteri(program, GL_PROGRAM_SEPARABLE, GL_TRUE);
    if (!retrace_sources_capture(copying->linked, copying->stages, program, why))
        return false;
    *why = cannot_link;
    return is_linked(program);
}

static bool make_copy(const struct retrace_context *context, const struct copying *copying,
                      struct retrace_program_copied *copied, const char **why)
{
    static const char *const fixed[] = {"void main() { gl_Position = ftransform(); }"};
    const GLuint program = copied->program;

    if (copying->modules)
        return make_module_copy(copying, program, why);
    *why = cannot_link;
    if (copying->is_assembly)
        return retrace_assembly_shader_compile(&copying->assembly, program) &&
               link_copy(program, &copied->outputs);
    if (copying->from == 0)
        return retrace_compile(program, GL_VERTEX_SHADER, fixed, 1) &&
               link_copy(program, &copied->outputs);
    if (copying->pipeline != 0)
        glProgramParameteri(program, GL_PROGRAM_SEPARABLE, GL_TRUE);
    if (!retrace_sources_compile(copying->linked, copying->stages, program))
        return false;
    if (context->es && copying->pipeline == 0 && !add_idle_fragments(program, copying->linked))
        return false;
    bind_attributes(copying->from, program);
    return link_copy(program, &copied->outputs);
}

/*
 * Returns NULL, or the reason why it is unknown what transforms vertices, if no program's source is
 * known.
 */
static const char *find_fixed_obstacle(const struct retrace *retrace)
{
    const struct retrace_context *context = retrace_context(retrace);
    struct retrace_program_here programs[RETRACE_PROGRAMS_MAX];

    if ((retrace_state_api(context) & STATE_FIXED) == 0 || context->es)
        return "the source of its vertex shader is not known";
    for (unsigned n = retrace_programs(retrace, programs); n-- > 0;) {
        GLint attributes = 0;

        glGetProgramiv(programs[n].name, GL_ACTIVE_ATTRIBUTES, &attributes);
        if (attributes > 0 || retrace_sources_find(retrace, programs[n].name) == NULL)
            return "the source of its vertex shader is not known";
    }
    return NULL;
}

/*
 * Finds the shader of an ARB program that transforms vertices, if there is one. Returns NULL, or
 * the reason why it cannot be copied.
 */
static const char *find_assembly(const struct retrace *retrace, struct copying *out)
{
    struct retrace_assembly assembly;
    const char *why = NULL;
    char *text;

    if (!retrace_assembly_is_on())
        return NULL;
    text =
        retrace_assembly_of_vertices(retrace, &assembly) ? retrace_assembly_text(&assembly) : NULL;
    if (text == NULL)
        return "the text of its ARB program is not known";
    out->is_assembly = retrace_assembly_translate(text, &out->assembly, &why);
    free(text);
    return out->is_assembly ? NULL : why;
}

/* Returns NULL, or the reason why there can be no copy. */
static const char *find_obstacle(const struct retrace *retrace, struct copying *copying,
                                 GLuint current)
{
    if (is_broken(current) || is_broken(copying->from))
        return "its program was linked again, which failed";
    if (!can_leave(retrace, current))
        return "its program cannot be replaced by another one";
    if (copying->from == 0) {
        const char *why = find_fixed_obstacle(retrace);

        return why != NULL ? why : find_assembly(retrace, copying);
    }
    if ((copying->stages & ~known_stages(copying->linked)) != 0)
        return "the sources of its shaders are not all known";
    if (copying->modules && !retrace_is_new(retrace_context(retrace), 43, 99))
        return "the context does not report the locations of uniforms without names";
    return NULL;
}

/* Binds a pipeline of the worker's own, with the copy instead of the original program. */
static void use_pipeline(const struct copying *copying, struct retrace_program_copied *copied)
{
    glUseProgram(0);
    glGenProgramPipelines(1, &copied->pipeline);
    for (uint32_t n = 0; n <= LAST_STAGE; n++) {
        static const GLbitfield bits[] = {GL_VERTEX_SHADER_BIT, GL_TESS_CONTROL_SHADER_BIT,
                                          GL_TESS_EVALUATION_SHADER_BIT, GL_GEOMETRY_SHADER_BIT};
        GLint program = (GLint)copied->program;

        if ((copying->stages >> n & 1) == 0)
            glGetProgramPipelineiv((GLuint)copying->pipeline, retrace_stage_type(n), &program);
        if (!graphics_failed() && program != 0)
            glUseProgramStages(copied->pipeline, bits[n], (GLuint)program);
    }
    glBindProgramPipeline(copied->pipeline);
}

/* Finds the kind of primitives that the last stage creates, if it creates any. */
static void find_output(const struct retrace_context *context, unsigned stages,
                        struct retrace_program_copied *copied)
{
    const unsigned geometry = 1U << LAST_STAGE, evaluation = 1U << (LAST_STAGE - 1);
    GLint value = 0, points = 0;

    copied->makes = retrace_is_new(context, 32, 32) && (stages & (geometry | evaluation)) != 0;
    if (!copied->makes)
        return;
    if (stages & geometry) {
        glGetProgramiv(copied->program, GL_GEOMETRY_OUTPUT_TYPE, &value);
        copied->output = value == GL_POINTS       ? GL_POINTS
                         : value == GL_LINE_STRIP ? GL_LINES
                                                  : GL_TRIANGLES;
        return;
    }
    glGetProgramiv(copied->program, GL_TESS_GEN_POINT_MODE, &points);
    glGetProgramiv(copied->program, GL_TESS_GEN_MODE, &value);
    copied->output = points ? GL_POINTS : value == GL_ISOLINES ? GL_LINES : GL_TRIANGLES;
}

/*
 * Copies uniforms by means of a program of all unchanged modules, which equals the trace's own when
 * it was linked.
 */
static bool copy_places(const struct copying *copying, GLuint to)
{
    const GLuint pristine = glCreateProgram();
    bool copied;

    if (copying->pipeline != 0)
        glProgramParameteri(pristine, GL_PROGRAM_SEPARABLE, GL_TRUE);
    copied = retrace_sources_compile_all(copying->linked, pristine) && is_linked(pristine) &&
             retrace_uniforms_copy_places(copying->from, pristine, to);
    glDeleteProgram(pristine);
    return copied;
}

static bool copy_uniforms(const struct copying *copying, GLuint to, const char **why)
{
    *why = copying->modules       ? "its uniforms cannot be read, or are doubles"
           : copying->is_assembly ? "its parameters cannot be read"
                                  : "it has uniforms that are doubles";
    if (copying->is_assembly)
        return retrace_assembly_shader_fill(&copying->assembly, to);
    if (copying->from == 0)
        return true;
    return copying->modules ? copy_places(copying, to) : retrace_uniforms_copy(copying->from, to);
}

/* Makes the copy current, with the uniforms of the original. */
static bool use_copy(const struct retrace_context *context, const struct copying *copying,
                     struct retrace_program_copied *copied, const char **why)
{
    copied->bound = copying->pipeline;
    glUseProgram(copied->program);
    if (!copy_uniforms(copying, copied->program, why))
        return false;
    if (copying->pipeline != 0)
        use_pipeline(copying, copied);
    find_output(context, copying->stages, copied);
    return true;
}

/* Finds what is captured besides the position. */
static void find_outputs(const struct retrace_context *context, const struct copying *copying,
                         struct retrace_outputs *outputs)
{
    if (copying->is_assembly)
        retrace_outputs_of_results(copying->assembly.results, outputs);
    else if (copying->from != 0 && !copying->modules)
        retrace_outputs_find(context, copying->linked, retrace_stages_last(copying->stages),
                             outputs);
}

static bool copy(const struct retrace *retrace, bool all_stages, struct copying *copying,
                 struct retrace_program_copied *copied, const char **why)
{
    const struct retrace_context *context = retrace_context(retrace);

    *why = find_obstacle(retrace, copying, copied->current);
    if (*why != NULL)
        return false;
    graphics_failed();
    retrace_outputs_clear(&copied->outputs);
    if (all_stages)
        find_outputs(context, copying, &copied->outputs);
    copied->program = glCreateProgram();
    if (!make_copy(context, copying, copied, why)) {
        glDeleteProgram(copied->program);
        graphics_failed();
        return false;
    }
    if (use_copy(context, copying, copied, why))
        return true;
    retrace_program_copy_end(copied);
    return false;
}

bool retrace_program_copy(const struct retrace *retrace, bool all_stages,
                          struct retrace_program_copied *copied, const char **why)
{
    struct copying copying = {.from = 0};
    bool is_copied;

    *copied = (struct retrace_program_copied){.current = (GLuint)retrace_get(GL_CURRENT_PROGRAM)};
    if (all_stages)
        find_last(retrace, copied->current, &copying);
    else
        find_vertices(retrace, &copying);
    copying.modules = copying.from != 0 && retrace_sources_are_modules(copying.linked);
    is_copied = copy(retrace, all_stages, &copying, copied, why);
    retrace_assembly_shader_clear(&copying.assembly);
    return is_copied;
}

void retrace_program_copy_end(const struct retrace_program_copied *copied)
{
    glUseProgram(copied->current);
    if (copied->bound != 0)
        glBindProgramPipeline((GLuint)copied->bound);
    if (copied->pipeline != 0)
        glDeleteProgramPipelines(1, &copied->pipeline);
    glDeleteProgram(copied->program);
    graphics_failed();
}
