/*
 * Compiled shaders, which cost fifty times a small frame: they stay when a session
 * begins anew, found by their bytecode's name.
 */
#include "config.h"

#include "glworker/aero.h"

#include <stdlib.h>
#include <string.h>

enum { CODES_MOST = 2048 };

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

    if (HASH_COUNT(codes) + HASH_COUNT(pairs) < CODES_MOST)
        return;
    HASH_ITER(hh, codes, code, next_code)
    free_code(code);
    HASH_ITER(hh, pairs, pair, next_pair)
    {
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

GLuint aero_magenta_program(struct aero *aero, enum aerogpu_program stage)
{
    static GLuint programs[AERO_STAGES];
    char reason[WORKER_REASON];

    if (programs[stage] == 0)
        programs[stage] = stage == AEROGPU_PS
                              ? graphics_stage(GL_FRAGMENT_SHADER, magenta_fragment, reason)
                              : graphics_stage(GL_VERTEX_SHADER, magenta_vertex, reason);
    if (programs[stage] == 0)
        aero_note(aero, PROBLEM_ERROR, "magenta: %s", reason);
    return programs[stage];
}
