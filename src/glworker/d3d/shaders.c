/* SPDX-License-Identifier: MIT */
/*
 * Shaders are translated and compiled when they are first drawn with, each stage separately. A
 * shader that cannot be run is drawn in magenta, and reported once.
 */
#include "config.h"

#include "glworker/d3d/shaders.h"

#include "glworker/core/breadcrumb_page.h"

#include "glworker/d3d/codes.h"
#include "glworker/d3d/d3d9.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct aero_shader *aero_shader(struct aero *aero, uint32_t handle)
{
    struct aero_shader *shader = NULL;

    if (handle != 0)
        HASH_FIND(hh, aero->shaders, &handle, sizeof(handle), shader);
    return shader;
}

void aero_shader_free(struct aero *aero, struct aero_shader *shader)
{
    HASH_DEL(aero->shaders, shader);
    blob_unref(&shader->genuine);
    free(shader);
}

bool aero_is_bad(const struct aero *aero, uint64_t name)
{
    for (uint32_t i = 0; i < aero->bad_count; i++)
        if (aero->bad[i] == name)
            return true;
    return false;
}

/*
 * Returns the bits of the colour targets that a pixel shader writes: all if it has no output
 * signature. Depth outputs have no register.
 */
static uint32_t read_outputs(const struct dxbc *dxbc)
{
    struct dxbc_parameter parameter;
    uint32_t outputs = 0;

    if (dxbc->outputs.data == NULL)
        return UINT32_MAX;
    for (uint32_t i = 0; dxbc_signature_at(&dxbc->outputs, i, &parameter); i++)
        if (parameter.location < AEROGPU_MAX_TARGETS)
            outputs |= 1u << parameter.location;
    return outputs;
}

/*
 * Collects the inputs of a vertex shader, by semantic. System-generated values are no attributes.
 */
static void read_inputs(struct aero_shader *shader, const struct dxbc *dxbc)
{
    struct dxbc_parameter parameter;
    const unsigned max = sizeof(shader->inputs) / sizeof(shader->inputs[0]);

    for (uint32_t i = 0; dxbc_signature_at(&dxbc->inputs, i, &parameter); i++)
        if (parameter.system_value == 0 && shader->input_count < max) {
            shader->inputs[shader->input_count].hash = parameter.hash;
            shader->inputs[shader->input_count].index = parameter.semantic_index;
            shader->inputs[shader->input_count].location = parameter.location;
            shader->inputs[shader->input_count++].type = parameter.component_type;
        }
}

static void understand(struct aero *aero, struct aero_shader *shader, const uint8_t *bytes,
                       size_t size)
{
    struct dxbc dxbc;
    int status = -EINVAL;

    shader->kind = dxbc_classify(bytes, size);
    switch (shader->kind) {
    case DXBC_SHADER_GENUINE:
    case DXBC_SHADER_DIALECT:
        status = dxbc_genuine(bytes, size, &shader->genuine);
        break;
    case DXBC_SHADER_D3D9:
        shader->stage = bytes[2] == 0xFE ? DXBC_VS : DXBC_PS;
        status = dxbc_d3d9_genuine(bytes, size, &shader->genuine);
        break;
    default:
        break;
    }
    if (status < 0) {
        aero_note(aero, PROBLEM_ERROR, "shader %u is neither DXBC nor D3D9 bytecode",
                  shader->handle);
        return;
    }
    if (shader->kind != DXBC_SHADER_D3D9 &&
        dxbc_open(shader->genuine->data, shader->genuine->size, &dxbc)) {
        shader->stage = dxbc.program;
        if (dxbc.program == DXBC_VS)
            read_inputs(shader, &dxbc);
        if (dxbc.program == DXBC_PS)
            shader->outputs = read_outputs(&dxbc);
    }
}

int aero_create_shader(struct aero *aero, const struct aerogpu_command *command)
{
    uint32_t handle = aerogpu_u32(command, AEROGPU_AT_CREATE_SHADER_DXBC_SHADER);
    uint32_t stage = aerogpu_u32(command, AEROGPU_AT_CREATE_SHADER_DXBC_STAGE);
    struct aero_shader *shader = aero_shader(aero, handle);
    enum dxbc_program program;

    if (handle == 0 ||
        !aerogpu_program_of(command, stage,
                            aerogpu_u32(command, AEROGPU_AT_CREATE_SHADER_DXBC_STAGE_EX), &program))
        return aero_note(aero, PROBLEM_ERROR, "shader %u of stage %u cannot be created", handle,
                         stage);
    if (shader != NULL)
        aero_shader_free(aero, shader);
    shader = calloc(1, sizeof(*shader));
    if (shader == NULL)
        return -ENOMEM;
    shader->handle = handle;
    shader->stage = program;
    shader->outputs = UINT32_MAX;
    shader->code =
        aero_code(breadcrumb_name(command->tail, command->tail_length), command->tail_length);
    if (shader->code == NULL) {
        free(shader);
        return -ENOMEM;
    }
    shader->bad = aero_is_bad(aero, shader->code->key.name);
    HASH_ADD(hh, aero->shaders, handle, sizeof(shader->handle), shader);
    understand(aero, shader, command->tail, command->tail_length);
    if (shader->bad)
        aero_note(aero, PROBLEM_ERROR, "shader %u killed the graphics worker; drawn in magenta",
                  handle);
    else if (shader->stage != program)
        aero_note(aero, PROBLEM_WARNING,
                  "shader %u is created for another stage than that of its code", handle);
    return 0;
}

int aero_destroy_shader(struct aero *aero, const struct aerogpu_command *command)
{
    uint32_t handle = aerogpu_u32(command, AEROGPU_AT_DESTROY_SHADER_SHADER);
    struct aero_shader *shader = aero_shader(aero, handle);

    if (shader == NULL)
        return aero_note(aero, PROBLEM_WARNING, "there is no shader %u", handle);
    aero_shader_free(aero, shader);
    return 0;
}

int aero_bind_shaders_command(struct aero *aero, const struct aerogpu_command *command)
{
    struct aerogpu_shaders shaders;
    const struct {
        enum dxbc_program stage;
        const uint32_t *handle;
    } all[] = {{DXBC_VS, &shaders.vs}, {DXBC_PS, &shaders.ps}, {DXBC_CS, &shaders.cs},
               {DXBC_GS, &shaders.gs}, {DXBC_HS, &shaders.hs}, {DXBC_DS, &shaders.ds}};

    aerogpu_bind_shaders(command, &shaders);
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
        aero->state.stages[all[i].stage].shader = *all[i].handle;
    return 0;
}

static GLuint build(struct aero_shader *shader, struct aero_variant *variant, bool flip,
                    char reason[WORKER_REASON])
{
    static const GLenum stages[AERO_STAGES] = {GL_FRAGMENT_SHADER,        GL_VERTEX_SHADER,
                                               GL_GEOMETRY_SHADER,        GL_TESS_CONTROL_SHADER,
                                               GL_TESS_EVALUATION_SHADER, GL_COMPUTE_SHADER};
    int status;

    breadcrumb_set_one(BREADCRUMB_TRANSLATE, shader->code->key.name);
    status = translate_dxbc(shader->genuine->data, shader->genuine->size, shader->stage, flip,
                            &variant->translation, reason);
    if (status < 0)
        return 0;
    breadcrumb_set_one(BREADCRUMB_COMPILE, shader->code->key.name);
    return graphics_stage(stages[shader->stage], variant->translation.glsl, reason);
}

/* Notes that a shader cannot be run, unless *told says that a note did. */
static void refuse(struct aero *aero, const struct aero_shader *shader, const char *reason,
                   bool *told)
{
    if (!*told)
        aero_note(aero, PROBLEM_ERROR, "shader %u cannot be run: %s", shader->handle,
                  reason == NULL ? "" : reason);
    *told = true;
}

struct aero_variant *aero_variant(struct aero *aero, struct aero_shader *shader, bool flip)
{
    struct aero_variant *variant = &shader->code->variants[flip];
    char reason[WORKER_REASON] = "";

    if (shader->bad || shader->genuine == NULL)
        return NULL;
    if (shader->kind == DXBC_SHADER_D3D9) {
        refuse(aero, shader, "it is of D3D9, and the other stage has no shader of D3D9",
               &shader->misplaced);
        return NULL;
    }
    if (!variant->tried) {
        variant->program = build(shader, variant, flip, reason);
        breadcrumb_set(BREADCRUMB_NONE, NULL);
        if (variant->program == 0)
            variant->reason = strdup(reason);
    }
    variant->tried = true;
    if (variant->program != 0)
        return variant;
    refuse(aero, shader, variant->reason, &shader->refused);
    return NULL;
}

/*
 * Compiled shaders, each of which costs fifty times a small frame. They stay when a new session
 * begins, and are found by their bytecode's name.
 */

enum { CODES_MAX = 2048 };

static struct aero_code *codes;
static struct aero_pair *pairs;

static const char plain_down[] = "#version 450\n"
                                 "layout(location = 0) in vec2 position;\n"
                                 "layout(location = 1) in vec4 colour;\n"
                                 "layout(location = 0) out vec4 out_colour;\n"
                                 "void main()\n"
                                 "{\n"
                                 "    gl_Position = vec4(position.x, -position.y, 0.0, 1.0);\n"
                                 "    out_colour = colour;\n"
                                 "}\n";

static const char plain_up[] = "#version 450\n"
                               "layout(location = 0) in vec2 position;\n"
                               "layout(location = 1) in vec4 colour;\n"
                               "layout(location = 0) out vec4 out_colour;\n"
                               "void main()\n"
                               "{\n"
                               "    gl_Position = vec4(position, 0.0, 1.0);\n"
                               "    out_colour = colour;\n"
                               "}\n";

static const char plain_fragment[] = "#version 450\n"
                                     "layout(location = 0) in vec4 colour;\n"
                                     "layout(location = 0) out vec4 target;\n"
                                     "void main()\n"
                                     "{\n"
                                     "    target = colour;\n"
                                     "}\n";

static const char magenta_vertex[] = "#version 450\n"
                                     "out gl_PerVertex { vec4 gl_Position; };\n"
                                     "layout(location = 0) in vec4 position;\n"
                                     "void main()\n"
                                     "{\n"
                                     "    gl_Position = position * vec4(1.0, -1.0, 1.0, 1.0);\n"
                                     "}\n";

static const char magenta_fragment[] = "#version 450\n"
                                       "layout(location = 0) out vec4 targets[8];\n"
                                       "void main()\n"
                                       "{\n"
                                       "    for (int i = 0; i < 8; i++)\n"
                                       "        targets[i] = vec4(1.0, 0.0, 1.0, 1.0);\n"
                                       "}\n";

struct aero_code *aero_code(uint64_t name, uint64_t size)
{
    struct aero_code *code, key;

    memset(&key, 0, sizeof(key));
    key.key.name = name;
    key.key.size = size;
    HASH_FIND(hh, codes, &key.key, sizeof(key.key), code);
    if (code != NULL)
        return code;
    code = calloc(1, sizeof(*code));
    if (code != NULL) {
        code->key = key.key;
        HASH_ADD(hh, codes, key, sizeof(code->key), code);
    }
    return code;
}

struct aero_pair *aero_pair(uint64_t vertex, uint64_t pixel, uint64_t alpha_function, bool *made)
{
    struct aero_pair *pair, key;

    memset(&key, 0, sizeof(key));
    key.key.vertex = vertex;
    key.key.pixel = pixel;
    key.key.alpha_function = alpha_function;
    HASH_FIND(hh, pairs, &key.key, sizeof(key.key), pair);
    *made = pair != NULL;
    if (pair != NULL)
        return pair;
    pair = calloc(1, sizeof(*pair));
    if (pair != NULL) {
        pair->key = key.key;
        HASH_ADD(hh, pairs, key, sizeof(pair->key), pair);
    }
    return pair;
}

static void free_code(struct aero_code *code)
{
    HASH_DEL(codes, code);
    for (int i = 0; i < 2; i++) {
        glDeleteProgram(code->variants[i].program);
        translate_free(&code->variants[i].translation);
        free(code->variants[i].reason);
    }
    aero_d3d9_free(code->d3d9);
    free(code);
}

void aero_codes_trim(void)
{
    struct aero_code *code, *next_code;
    struct aero_pair *pair, *next_pair;

    if (HASH_COUNT(codes) + HASH_COUNT(pairs) < CODES_MAX)
        return;
    HASH_ITER (hh, codes, code, next_code)
        free_code(code);
    HASH_ITER (hh, pairs, pair, next_pair) {
        HASH_DEL(pairs, pair);
        glDeleteProgram(pair->program);
        free(pair->reason);
        free(pair);
    }
}

GLuint aero_plain_program(struct aero *aero, bool upwards)
{
    static GLuint programs[2];
    char reason[WORKER_REASON];

    if (programs[upwards] == 0)
        programs[upwards] =
            graphics_program(upwards ? plain_up : plain_down, plain_fragment, NULL, 0, reason);
    if (programs[upwards] == 0)
        aero_note(aero, PROBLEM_ERROR, "the fixed pipeline: %s", reason);
    return programs[upwards];
}

GLuint aero_magenta_program(struct aero *aero, enum dxbc_program stage)
{
    static GLuint programs[AERO_STAGES];
    char reason[WORKER_REASON];

    if (programs[stage] == 0)
        programs[stage] = stage == DXBC_PS
                              ? graphics_stage(GL_FRAGMENT_SHADER, magenta_fragment, reason)
                              : graphics_stage(GL_VERTEX_SHADER, magenta_vertex, reason);
    if (programs[stage] == 0)
        aero_note(aero, PROBLEM_ERROR, "magenta: %s", reason);
    return programs[stage];
}
