/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tests/formats/apitrace/modules.h"
#include "tests/support/support.h"

#include <string.h>

/* Numbers of SPIR-V */
enum opcode {
    OP_MEMORY_MODEL = 14,
    OP_ENTRY_POINT = 15,
    OP_EXECUTION_MODE = 16,
    OP_CAPABILITY = 17,
    OP_TYPE_VOID = 19,
    OP_TYPE_INT = 21,
    OP_TYPE_FLOAT = 22,
    OP_TYPE_VECTOR = 23,
    OP_TYPE_IMAGE = 25,
    OP_TYPE_SAMPLED_IMAGE = 27,
    OP_TYPE_ARRAY = 28,
    OP_TYPE_STRUCT = 30,
    OP_TYPE_POINTER = 32,
    OP_TYPE_FUNCTION = 33,
    OP_CONSTANT = 43,
    OP_CONSTANT_COMPOSITE = 44,
    OP_SPEC_CONSTANT = 50,
    OP_FUNCTION = 54,
    OP_FUNCTION_END = 56,
    OP_VARIABLE = 59,
    OP_LOAD = 61,
    OP_STORE = 62,
    OP_ACCESS_CHAIN = 65,
    OP_DECORATE = 71,
    OP_MEMBER_DECORATE = 72,
    OP_COMPOSITE_CONSTRUCT = 80,
    OP_IMAGE_SAMPLE_EXPLICIT_LOD = 88,
    OP_F_ADD = 129,
    OP_F_MUL = 133,
    OP_EMIT_VERTEX = 218,
    OP_LABEL = 248,
    OP_RETURN = 253,
};

enum { INPUT = 1, OUTPUT = 3, UNIFORM = 2, CONSTANT = 0 };     /* storage classes */
enum { SPEC_ID = 1, BLOCK = 2, BUILT_IN = 11, LOCATION = 30 }; /* decorations … */
enum { BINDING = 33, SET = 34, OFFSET = 35, XFB_BUFFER = 36, XFB_STRIDE = 37 };
enum { POSITION = 0, POINT_SIZE = 1 };                      /* built-in values */
enum { SHADER = 1, GEOMETRY = 2, TRANSFORM_FEEDBACK = 53 }; /* capabilities */
enum { ONE = 0x3F800000 };

/* Ids that all modules use */
enum id {
    MAIN = 1,
    VOID,
    PROCEDURE,
    FLOAT,
    VEC4,
    VEC2,
    INT,
    ZERO,
    FIRST,
    SECOND,
    INPUT_VEC4,
    OUTPUT_VEC4,
    CONSTANT_VEC4,
    UNIFORM_VEC4,
    ATTRIBUTE,
    SCALE,
    RESULT = MODULE_RESULT,
    PER_VERTEX = MODULE_PER_VERTEX,
    OUTPUT_BLOCK,
    PART,
    ADDED,
    MATRIX,
    UNIFORM_MATRIX,
    VALUES,
    IMAGE,
    SAMPLED_IMAGE,
    CONSTANT_SAMPLED,
    SAMPLER,
    CORNER,
    LABEL,
    OTHER_BLOCK,
    OTHER_ARRAY,
    INPUT_ARRAY,
    INCOMING,
    NEXT,
    BOUND = 100, /* first id of results */
};

static void add(struct module *module, enum opcode opcode, const uint32_t *operands, size_t count)
{
    assert_true(module->count + count < sizeof(module->words) / sizeof(module->words[0]));
    module->words[module->count++] = (uint32_t)(count + 1) << 16 | (uint32_t)opcode;
    if (count > 0)
        memcpy(module->words + module->count, operands, count * sizeof(*operands));
    module->count += (unsigned)count;
    module->words[3] = BOUND;
}

#define OP(module, opcode, ...)                                                                    \
    add(module, opcode, (const uint32_t[]){__VA_ARGS__},                                           \
        sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

#define NAME_MAIN 0x6E69616D, 0 /* "main" */

static void begin(struct module *module)
{
    static const uint32_t header[5] = {0x07230203, 0x00010000, 0, BOUND, 0};

    memcpy(module->words, header, sizeof(header));
    module->count = 5;
    OP(module, OP_CAPABILITY, SHADER);
}

/* Appends the types that all modules have. */
static void add_types(struct module *module)
{
    OP(module, OP_TYPE_VOID, VOID);
    OP(module, OP_TYPE_FUNCTION, PROCEDURE, VOID);
    OP(module, OP_TYPE_FLOAT, FLOAT, 32);
    OP(module, OP_TYPE_VECTOR, VEC4, FLOAT, 4);
    OP(module, OP_TYPE_VECTOR, VEC2, FLOAT, 2);
    OP(module, OP_TYPE_INT, INT, 32, 1);
    OP(module, OP_CONSTANT, FLOAT, ZERO, 0);
    OP(module, OP_CONSTANT, INT, FIRST, 0);
    OP(module, OP_CONSTANT, INT, SECOND, 1);
    OP(module, OP_TYPE_POINTER, INPUT_VEC4, INPUT, VEC4);
    OP(module, OP_TYPE_POINTER, OUTPUT_VEC4, OUTPUT, VEC4);
    OP(module, OP_TYPE_POINTER, CONSTANT_VEC4, CONSTANT, VEC4);
}

static void decorate_sampler(struct module *module, uint32_t binding)
{
    OP(module, OP_DECORATE, SAMPLER, SET, 0);
    OP(module, OP_DECORATE, SAMPLER, BINDING, binding);
}

static void add_sampler(struct module *module)
{
    OP(module, OP_TYPE_IMAGE, IMAGE, FLOAT, 1, 0, 0, 0, 1, 0);
    OP(module, OP_TYPE_SAMPLED_IMAGE, SAMPLED_IMAGE, IMAGE);
    OP(module, OP_TYPE_POINTER, CONSTANT_SAMPLED, CONSTANT, SAMPLED_IMAGE);
    OP(module, OP_VARIABLE, CONSTANT_SAMPLED, SAMPLER, CONSTANT);
    OP(module, OP_CONSTANT_COMPOSITE, VEC2, CORNER, ZERO, ZERO);
}

/* Samples the texel. Its results have the ids from `result` on. */
static void sample(struct module *module, uint32_t result)
{
    OP(module, OP_LOAD, SAMPLED_IMAGE, result + 1, SAMPLER);
    OP(module, OP_IMAGE_SAMPLE_EXPLICIT_LOD, VEC4, result, result + 1, CORNER, 2, ZERO);
}

static void begin_main(struct module *module)
{
    OP(module, OP_FUNCTION, VOID, MAIN, 0, PROCEDURE);
    OP(module, OP_LABEL, LABEL);
}

static void end_main(struct module *module)
{
    add(module, OP_RETURN, NULL, 0);
    add(module, OP_FUNCTION_END, NULL, 0);
}

/* The vertex stage */

static void decorate_capture(struct module *module, bool block)
{
    OP(module, OP_DECORATE, RESULT, XFB_BUFFER, 1);
    OP(module, OP_DECORATE, RESULT, XFB_STRIDE, 64);
    if (block) {
        OP(module, OP_MEMBER_DECORATE, PER_VERTEX, 0, OFFSET, 0);
        OP(module, OP_MEMBER_DECORATE, PER_VERTEX, 1, OFFSET, 32);
    } else {
        OP(module, OP_DECORATE, RESULT, OFFSET, 32);
    }
}

static void decorate_vertex(struct module *module, unsigned flags)
{
    OP(module, OP_DECORATE, ATTRIBUTE, LOCATION, 0);
    OP(module, OP_DECORATE, SCALE, LOCATION, 3);
    OP(module, OP_DECORATE, ADDED, SPEC_ID, 7);
    if (flags & MODULE_BLOCK) {
        OP(module, OP_MEMBER_DECORATE, PER_VERTEX, 0, BUILT_IN, POINT_SIZE);
        OP(module, OP_MEMBER_DECORATE, PER_VERTEX, 1, BUILT_IN, POSITION);
        OP(module, OP_DECORATE, PER_VERTEX, BLOCK);
    } else if (flags & MODULE_NOWHERE) {
        OP(module, OP_DECORATE, RESULT, LOCATION, 1);
    } else {
        OP(module, OP_DECORATE, RESULT, BUILT_IN, POSITION);
    }
    if (flags & MODULE_CAPTURES)
        decorate_capture(module, flags & MODULE_BLOCK);
    if (flags & MODULE_MATRIX) {
        OP(module, OP_MEMBER_DECORATE, MATRIX, 0, OFFSET, 0);
        OP(module, OP_DECORATE, MATRIX, BLOCK);
        OP(module, OP_DECORATE, VALUES, SET, 0);
        OP(module, OP_DECORATE, VALUES, BINDING, 2);
    }
    if (flags & MODULE_SAMPLER)
        decorate_sampler(module, 1);
}

static void add_variables(struct module *module, unsigned flags)
{
    OP(module, OP_SPEC_CONSTANT, FLOAT, ADDED, 0);
    OP(module, OP_VARIABLE, INPUT_VEC4, ATTRIBUTE, INPUT);
    OP(module, OP_VARIABLE, CONSTANT_VEC4, SCALE, CONSTANT);
    if (flags & MODULE_BLOCK) {
        OP(module, OP_TYPE_STRUCT, PER_VERTEX, FLOAT, VEC4);
        OP(module, OP_TYPE_POINTER, OUTPUT_BLOCK, OUTPUT, PER_VERTEX);
        OP(module, OP_VARIABLE, OUTPUT_BLOCK, RESULT, OUTPUT);
    } else {
        OP(module, OP_VARIABLE, OUTPUT_VEC4, RESULT, OUTPUT);
    }
    if (flags & MODULE_MATRIX) {
        OP(module, OP_TYPE_STRUCT, MATRIX, VEC4);
        OP(module, OP_TYPE_POINTER, UNIFORM_MATRIX, UNIFORM, MATRIX);
        OP(module, OP_TYPE_POINTER, UNIFORM_VEC4, UNIFORM, VEC4);
        OP(module, OP_VARIABLE, UNIFORM_MATRIX, VALUES, UNIFORM);
    }
    if (flags & MODULE_SAMPLER)
        add_sampler(module);
}

/* Appends the computation. Returns the id of the sum. */
static uint32_t compute(struct module *module, unsigned flags)
{
    uint32_t sum = 44;

    OP(module, OP_LOAD, VEC4, 40, ATTRIBUTE);
    OP(module, OP_LOAD, VEC4, 41, SCALE);
    OP(module, OP_F_MUL, VEC4, 42, 40, 41);
    OP(module, OP_COMPOSITE_CONSTRUCT, VEC4, 43, ADDED, ADDED, ADDED, ADDED);
    OP(module, OP_F_ADD, VEC4, 44, 42, 43);
    if (flags & MODULE_MATRIX) {
        OP(module, OP_ACCESS_CHAIN, UNIFORM_VEC4, 50, VALUES, FIRST);
        OP(module, OP_LOAD, VEC4, 51, 50);
        OP(module, OP_F_ADD, VEC4, 52, sum, 51);
        sum = 52;
    }
    if (flags & MODULE_SAMPLER) {
        sample(module, 60);
        OP(module, OP_F_ADD, VEC4, 62, sum, 60);
        sum = 62;
    }
    return sum;
}

void module_vertex(struct module *out, unsigned flags)
{
    uint32_t sum;

    begin(out);
    if (flags & MODULE_CAPTURES)
        OP(out, OP_CAPABILITY, TRANSFORM_FEEDBACK);
    OP(out, OP_MEMORY_MODEL, 0, 1);
    OP(out, OP_ENTRY_POINT, 0, MAIN, NAME_MAIN, ATTRIBUTE, RESULT);
    if (flags & MODULE_CAPTURES)
        OP(out, OP_EXECUTION_MODE, MAIN, 11);
    decorate_vertex(out, flags);
    add_types(out);
    add_variables(out, flags);
    begin_main(out);
    sum = compute(out, flags);
    if (flags & MODULE_BLOCK) {
        OP(out, OP_ACCESS_CHAIN, OUTPUT_VEC4, PART, RESULT, SECOND);
        OP(out, OP_STORE, PART, sum);
    } else {
        OP(out, OP_STORE, RESULT, sum);
    }
    end_main(out);
}

/* The other stages */

void module_geometry(struct module *out)
{
    begin(out);
    OP(out, OP_CAPABILITY, GEOMETRY);
    OP(out, OP_MEMORY_MODEL, 0, 1);
    OP(out, OP_ENTRY_POINT, 3, MAIN, NAME_MAIN, INCOMING, RESULT);
    OP(out, OP_EXECUTION_MODE, MAIN, 19);    /* takes points … */
    OP(out, OP_EXECUTION_MODE, MAIN, 0, 1);  /* … in one invocation each … */
    OP(out, OP_EXECUTION_MODE, MAIN, 28);    /* … and makes a line strip … */
    OP(out, OP_EXECUTION_MODE, MAIN, 26, 2); /* … of two vertices */
    OP(out, OP_MEMBER_DECORATE, OTHER_BLOCK, 0, BUILT_IN, POSITION);
    OP(out, OP_DECORATE, OTHER_BLOCK, BLOCK);
    OP(out, OP_MEMBER_DECORATE, PER_VERTEX, 0, BUILT_IN, POSITION);
    OP(out, OP_DECORATE, PER_VERTEX, BLOCK);
    OP(out, OP_DECORATE, SCALE, LOCATION, 0);
    add_types(out);
    OP(out, OP_TYPE_STRUCT, OTHER_BLOCK, VEC4);
    OP(out, OP_TYPE_ARRAY, OTHER_ARRAY, OTHER_BLOCK, SECOND); /* an array of one element */
    OP(out, OP_TYPE_POINTER, INPUT_ARRAY, INPUT, OTHER_ARRAY);
    OP(out, OP_VARIABLE, INPUT_ARRAY, INCOMING, INPUT);
    OP(out, OP_TYPE_STRUCT, PER_VERTEX, VEC4);
    OP(out, OP_TYPE_POINTER, OUTPUT_BLOCK, OUTPUT, PER_VERTEX);
    OP(out, OP_VARIABLE, OUTPUT_BLOCK, RESULT, OUTPUT);
    OP(out, OP_TYPE_POINTER, UNIFORM_VEC4, CONSTANT, FLOAT);
    OP(out, OP_VARIABLE, UNIFORM_VEC4, SCALE, CONSTANT);
    begin_main(out);
    OP(out, OP_ACCESS_CHAIN, INPUT_VEC4, 40, INCOMING, FIRST, FIRST);
    OP(out, OP_LOAD, VEC4, 41, 40);
    OP(out, OP_ACCESS_CHAIN, OUTPUT_VEC4, 42, RESULT, FIRST);
    OP(out, OP_STORE, 42, 41);
    add(out, OP_EMIT_VERTEX, NULL, 0);
    OP(out, OP_LOAD, FLOAT, 43, SCALE);
    OP(out, OP_COMPOSITE_CONSTRUCT, VEC4, 44, 43, ZERO, ZERO, ZERO);
    OP(out, OP_F_ADD, VEC4, 45, 41, 44);
    OP(out, OP_STORE, 42, 45);
    add(out, OP_EMIT_VERTEX, NULL, 0);
    end_main(out);
}

void module_fragment(struct module *out, unsigned flags)
{
    const bool samples = flags & MODULE_SAMPLER;

    begin(out);
    OP(out, OP_MEMORY_MODEL, 0, 1);
    OP(out, OP_ENTRY_POINT, 4, MAIN, NAME_MAIN, RESULT);
    OP(out, OP_EXECUTION_MODE, MAIN, 8); /* its origin is the lower left corner */
    OP(out, OP_DECORATE, RESULT, LOCATION, 0);
    if (samples)
        decorate_sampler(out, 0);
    add_types(out);
    OP(out, OP_CONSTANT, FLOAT, ADDED, ONE);
    OP(out, OP_CONSTANT_COMPOSITE, VEC4, NEXT, ADDED, ADDED, ADDED, ADDED);
    OP(out, OP_VARIABLE, OUTPUT_VEC4, RESULT, OUTPUT);
    if (samples)
        add_sampler(out);
    begin_main(out);
    if (samples)
        sample(out, 60);
    OP(out, OP_STORE, RESULT, samples ? 60 : NEXT);
    end_main(out);
}

void module_print(const struct module *module, struct text *text)
{
    for (unsigned n = 0; n < module->count * 4; n++)
        text_printf(text, n == 0 ? "%02x" : " %02x",
                    (unsigned)(uint8_t)(module->words[n / 4] >> 8 * (n % 4)));
}
