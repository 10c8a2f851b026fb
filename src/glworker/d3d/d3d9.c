/* SPDX-License-Identifier: MIT */
/*
 * D3D9 shaders, by mojoshader. A vertex and a pixel shader are linked to one program, since their
 * varyings match by name. Their main functions are wrapped, to flip y, to shift by D3D9's pixel
 * centres, and to test alpha (worker.md 5.2).
 */
#include "config.h"

#include "glworker/d3d/d3d9.h"

#include "glworker/core/breadcrumb_page.h"

#include "glworker/d3d/bind.h"
#include "glworker/d3d/codes.h"
#include "glworker/d3d/resources.h"
#include "glworker/d3d/textures.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_MOJOSHADER

#include <mojoshader.h>

struct aero_d3d9 {
    const MOJOSHADER_parseData *data;
};

enum { REGISTERS_MAX = 512, SAMPLERS_MAX = AERO_SAMPLER_SLOTS };

/* Indexed by MOJOSHADER_usage, whose numbers are those of D3DDECLUSAGE. */
static const char *const semantics[] = {
    "POSITION", "BLENDWEIGHT", "BLENDINDICES", "NORMAL", "PSIZE", "TEXCOORD", "TANGENT",
    "BINORMAL", "TESSFACTOR",  "POSITIONT",    "COLOR",  "FOG",   "DEPTH",    "SAMPLE",
};

void aero_d3d9_free(struct aero_d3d9 *d3d9)
{
    if (d3d9 == NULL)
        return;
    MOJOSHADER_freeParseData(d3d9->data);
    free(d3d9);
}

static const MOJOSHADER_parseData *data_of(const struct aero_shader *shader)
{
    return shader->code->d3d9->data;
}

static int parse(struct aero *aero, struct aero_shader *shader)
{
    struct aero_code *code = shader->code;

    if (shader->bad || shader->genuine == NULL)
        return -EINVAL;
    if (code->d3d9 == NULL) {
        code->d3d9 = calloc(1, sizeof(*code->d3d9));
        if (code->d3d9 == NULL)
            return -ENOMEM;
        breadcrumb_set_one(BREADCRUMB_TRANSLATE, code->key.name);
        code->d3d9->data =
            MOJOSHADER_parse("glsl120", "main", shader->genuine->data,
                             (unsigned)shader->genuine->size, NULL, 0, NULL, 0, NULL, NULL, NULL);
        breadcrumb_set(BREADCRUMB_NONE, NULL);
    }
    if (data_of(shader)->error_count == 0)
        return 0;
    if (!shader->refused)
        aero_note(aero, PROBLEM_ERROR, "shader %u cannot be run: mojoshader refuses it: %s",
                  shader->handle, data_of(shader)->errors[0].error);
    shader->refused = true;
    return -EINVAL;
}

/* Returns GLSL's comparison operator for a GL function; "" for GL_NEVER and GL_ALWAYS. */
static const char *operator_of(GLenum function)
{
    static const char *const operators[] = {"", "<", "==", "<=", ">", "!=", ">=", ""};

    return operators[(function - GL_NEVER) & 7];
}

/*
 * Returns the text of a stage whose main function is renamed and called by a new one; NULL if there
 * is no memory. The caller frees it.
 */
static char *wrapped(const struct aero_shader *shader, const char *declarations, const char *after)
{
    const char *output = data_of(shader)->output;
    const char *rest = strchr(output, '\n'); /* after #version */
    char *text = NULL;

    if (rest == NULL || asprintf(&text,
                                 "%.*s\n#define main d3d9_main\n%s\n#undef main\n%s"
                                 "void main()\n{\n    d3d9_main();\n%s}\n",
                                 (int)(rest - output), output, rest, declarations, after) < 0)
        return NULL;
    return text;
}

static char *vertex_text(const struct aero_shader *shader)
{
    return wrapped(shader, "uniform vec4 half_pixel;\n",
                   "    gl_Position.xy += half_pixel.xy * gl_Position.w;\n"
                   "    gl_Position.y = -gl_Position.y;\n");
}

static char *pixel_text(const struct aero_shader *shader, GLenum function)
{
    bool several = strstr(data_of(shader)->output, "gl_FragData") != NULL;
    char test[120];

    if (function == GL_ALWAYS)
        return wrapped(shader, "", "");
    if (function == GL_NEVER)
        return wrapped(shader, "", "    discard;\n");
    snprintf(test, sizeof(test), "    if (!(%s.a %s alpha_reference))\n        discard;\n",
             several ? "gl_FragData[0]" : "gl_FragColor", operator_of(function));
    return wrapped(shader, "uniform float alpha_reference;\n", test);
}

static GLuint link_pair(struct aero_shader *vertex, struct aero_shader *pixel, GLenum function,
                        char reason[WORKER_REASON])
{
    const MOJOSHADER_parseData *data = data_of(vertex);
    const char *names[AERO_ATTRIBUTES];
    unsigned count = (unsigned)data->attribute_count;
    char *first = vertex_text(vertex), *second = pixel_text(pixel, function);
    GLuint program = 0;

    if (count > AERO_ATTRIBUTES)
        count = AERO_ATTRIBUTES;
    for (unsigned i = 0; i < count; i++)
        names[i] = data->attributes[i].name;
    breadcrumb_set(BREADCRUMB_COMPILE, (const uint64_t[BREADCRUMB_SUBJECTS]){
                                           vertex->code->key.name, pixel->code->key.name});
    if (first != NULL && second != NULL)
        program = graphics_program(first, second, names, count, reason);
    breadcrumb_set(BREADCRUMB_NONE, NULL);
    free(first);
    free(second);
    return program;
}

static GLuint program_of(struct aero *aero, struct aero_shader *vertex, struct aero_shader *pixel)
{
    GLenum function = aero->state.alpha.test ? aero->state.alpha.function : GL_ALWAYS;
    char reason[WORKER_REASON] = "";
    bool made;
    struct aero_pair *pair =
        aero_pair(vertex->code->key.name, pixel->code->key.name, function, &made);

    if (pair == NULL)
        return 0;
    if (!made) {
        pair->program = link_pair(vertex, pixel, function, reason);
        pair->reason = pair->program == 0 ? strdup(reason) : NULL;
    }
    if (pair->program == 0) {
        /* Shaders that are both in pairs of which notes have told are not reported again. */
        if (!vertex->refused || !pixel->refused)
            aero_note(aero, PROBLEM_ERROR, "shaders %u and %u cannot be run: %s", vertex->handle,
                      pixel->handle, pair->reason == NULL ? "" : pair->reason);
        vertex->refused = pixel->refused = true;
    }
    return pair->program;
}

/*
 * Stores the value of a register: the constant that the shader itself defines, or the value that
 * was set. In an array, a relative address may find both.
 */
static void float_register(const struct aero_stage_state *stage, const MOJOSHADER_parseData *data,
                           const MOJOSHADER_uniform *uniform, int index, float to[4])
{
    memset(to, 0, 16);
    if (index >= 0 && index < AERO_REGISTERS)
        memcpy(to, stage->floats[index], 16);
    for (int i = 0; (uniform->constant || uniform->array_count > 0) && i < data->constant_count;
         i++)
        if (data->constants[i].type == MOJOSHADER_UNIFORM_FLOAT &&
            data->constants[i].index == index)
            memcpy(to, data->constants[i].value.f, 16);
}

/* The registers of a shader, packed by kind. */
struct registers {
    float floats[REGISTERS_MAX][4];
    GLint integers[REGISTERS_MAX][4], booleans[REGISTERS_MAX];
    GLsizei float_count, integer_count, boolean_count;
};

static void collect(const struct aero_stage_state *stage, const MOJOSHADER_parseData *data,
                    const MOJOSHADER_uniform *uniform, int index, struct registers *out)
{
    bool small = index >= 0 && index < AERO_SMALL_REGISTERS;

    switch (uniform->type) {
    case MOJOSHADER_UNIFORM_FLOAT:
        if (out->float_count < REGISTERS_MAX)
            float_register(stage, data, uniform, index, out->floats[out->float_count++]);
        break;
    case MOJOSHADER_UNIFORM_INT:
        if (out->integer_count < REGISTERS_MAX && small)
            memcpy(out->integers[out->integer_count++], stage->integers[index], 16);
        break;
    case MOJOSHADER_UNIFORM_BOOL:
        if (out->boolean_count < REGISTERS_MAX && small)
            out->booleans[out->boolean_count++] = stage->booleans[index];
        break;
    default:
        break;
    }
}

static GLint location(GLuint program, const char *prefix, const char *rest)
{
    char name[40];

    snprintf(name, sizeof(name), "%s_%s", prefix, rest);
    return glGetUniformLocation(program, name);
}

/*
 * Sets the arrays of constants that the shader itself defines one after the other. They are
 * uniforms of their own, outside of the packed registers.
 */
static void bind_constant_arrays(const struct aero_stage_state *stage,
                                 const MOJOSHADER_parseData *data, GLuint program)
{
    static float values[REGISTERS_MAX][4]; /* too large for the stack; only one thread uses it */

    for (int i = 0; i < data->uniform_count; i++) {
        const MOJOSHADER_uniform *uniform = &data->uniforms[i];
        int count = uniform->array_count < REGISTERS_MAX ? uniform->array_count : REGISTERS_MAX;

        if (!uniform->constant)
            continue;
        for (int k = 0; k < count; k++)
            float_register(stage, data, uniform, uniform->index + k, values[k]);
        glProgramUniform4fv(program, glGetUniformLocation(program, uniform->name), count,
                            values[0]);
    }
}

static void bind_registers(const struct aero_stage_state *stage, const MOJOSHADER_parseData *data,
                           GLuint program, const char *prefix)
{
    /* Static, since it is too large for the stack; only one thread uses it. */
    static struct registers registers;

    bind_constant_arrays(stage, data, program);
    registers.float_count = registers.integer_count = registers.boolean_count = 0;
    for (int i = 0; i < data->uniform_count; i++) {
        const MOJOSHADER_uniform *uniform = &data->uniforms[i];
        int count = uniform->array_count > 0 ? uniform->array_count : 1;

        for (int k = 0; !uniform->constant && k < count && k < REGISTERS_MAX; k++)
            collect(stage, data, uniform, uniform->index + k, &registers);
    }
    glProgramUniform4fv(program, location(program, prefix, "uniforms_vec4"), registers.float_count,
                        registers.floats[0]);
    glProgramUniform4iv(program, location(program, prefix, "uniforms_ivec4"),
                        registers.integer_count, registers.integers[0]);
    glProgramUniform1iv(program, location(program, prefix, "uniforms_bool"),
                        registers.boolean_count, registers.booleans);
}

static void bind_samplers(struct aero *aero, enum dxbc_program stage,
                          const MOJOSHADER_parseData *data, GLuint program)
{
    for (int i = 0; i < data->sampler_count; i++) {
        const MOJOSHADER_sampler *sampler = &data->samplers[i];
        GLuint place = translate_first_unit(stage) + (GLuint)sampler->index;
        struct aero_view *view = NULL;
        struct aero_resource *resource;
        struct aero_texture *texture;
        GLenum target =
            sampler->type == MOJOSHADER_SAMPLER_CUBE ? GL_TEXTURE_CUBE_MAP : GL_TEXTURE_2D;
        bool srgb;

        if (sampler->index < 0 || sampler->index >= SAMPLERS_MAX)
            continue;
        resource = aero_find_bound(aero, aero->state.stages[stage].textures[sampler->index]);
        texture = aero_texture_of(resource, &view);
        aero_refresh(aero, resource);
        glBindSampler(place, aero_sampler_of(aero, stage, (unsigned)sampler->index, &srgb));
        glBindTextureUnit(place, texture == NULL ? 0 : aero_gl_view(texture, view, target, srgb));
        glProgramUniform1i(program, glGetUniformLocation(program, sampler->name), (GLint)place);
    }
}

static void bind_vertices(struct aero *aero, const MOJOSHADER_parseData *data)
{
    struct aero_layout *layout;

    for (GLuint i = 0; i < AERO_ATTRIBUTES; i++)
        glDisableVertexAttribArray(i);
    HASH_FIND(hh, aero->layouts, &aero->state.layout, sizeof(aero->state.layout), layout);
    for (int i = 0; layout != NULL && i < data->attribute_count && i < AERO_ATTRIBUTES; i++) {
        const MOJOSHADER_attribute *attribute = &data->attributes[i];
        uint32_t hash;

        if ((unsigned)attribute->usage >= sizeof(semantics) / sizeof(semantics[0]))
            continue;
        hash = dxbc_semantic_hash(semantics[attribute->usage]);
        for (unsigned e = 0; e < layout->count; e++)
            if (layout->elements[e].semantic_hash == hash &&
                layout->elements[e].semantic_index == (uint32_t)attribute->index) {
                aero_bind_attribute(aero, (unsigned)i, &layout->elements[e], false);
                break;
            }
    }
}

int aero_d3d9_bind(struct aero *aero, struct aero_shader *vertex, struct aero_shader *pixel,
                   uint32_t width, uint32_t height)
{
    const float *port = aero->state.viewport;
    bool set = aero_has_viewport(&aero->state);
    float port_width = set ? port[2] : (float)width, port_height = set ? port[3] : (float)height;
    GLuint program;

    if (parse(aero, vertex) < 0 || parse(aero, pixel) < 0)
        return -EAGAIN;
    program = program_of(aero, vertex, pixel);
    if (program == 0)
        return -EAGAIN;
    bind_vertices(aero, data_of(vertex));
    bind_registers(&aero->state.stages[DXBC_VS], data_of(vertex), program, "vs");
    bind_registers(&aero->state.stages[DXBC_PS], data_of(pixel), program, "ps");
    bind_samplers(aero, DXBC_VS, data_of(vertex), program);
    bind_samplers(aero, DXBC_PS, data_of(pixel), program);
    /* D3D9's pixel centres are at integers: half a pixel right of and below GL's. */
    glProgramUniform4f(program, glGetUniformLocation(program, "half_pixel"), 1.0f / port_width,
                       -1.0f / port_height, 0, 0);
    glProgramUniform1f(program, glGetUniformLocation(program, "alpha_reference"),
                       aero->state.alpha.reference);
    glUseProgram(program);
    return 0;
}

#else

void aero_d3d9_free(struct aero_d3d9 *d3d9)
{
    (void)d3d9;
}

int aero_d3d9_bind(struct aero *aero, struct aero_shader *vertex, struct aero_shader *pixel,
                   uint32_t width, uint32_t height)
{
    (void)pixel, (void)width, (void)height;
    aero_note(aero, PROBLEM_ERROR, "shader %u cannot be run: built without mojoshader",
              vertex->handle);
    return -EAGAIN;
}

#endif
