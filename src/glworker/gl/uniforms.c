/* SPDX-License-Identifier: MIT */
/*
 * uniforms.tsv: inputs of a draw's programs: active uniforms, members of uniform blocks as in their
 * buffers, and current values of attributes that have no array; for assembly programs, the
 * parameters that they name.
 */
#include "config.h"

#include "glworker/gl/uniforms.h"

#include "base/bytes.h"
#include "glworker/core/serve.h"

#include "glworker/gl/assembly.h"
#include "glworker/gl/buffers.h"
#include "glworker/gl/draw_texts.h"
#include "glworker/gl/names.h"
#include "glworker/gl/programs.h"
#include "glworker/gl/sources.h"
#include "glworker/gl/state_values.h"
#include "glworker/gl/surfaces.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MAX_BYTES = 1024, COMPONENTS = 16, ELEMENTS_MAX = 65536, MEMBERS_MAX = 4096 };

/* Types that are not in the table are samplers or images. */
static const struct retrace_value_type types[] = {
    {GL_FLOAT, RETRACE_BASE_FLOAT, 1, 1},
    {GL_FLOAT_VEC2, RETRACE_BASE_FLOAT, 1, 2},
    {GL_FLOAT_VEC3, RETRACE_BASE_FLOAT, 1, 3},
    {GL_FLOAT_VEC4, RETRACE_BASE_FLOAT, 1, 4},
    {GL_INT, RETRACE_BASE_INT, 1, 1},
    {GL_INT_VEC2, RETRACE_BASE_INT, 1, 2},
    {GL_INT_VEC3, RETRACE_BASE_INT, 1, 3},
    {GL_INT_VEC4, RETRACE_BASE_INT, 1, 4},
    {GL_UNSIGNED_INT, RETRACE_BASE_UNSIGNED, 1, 1},
    {GL_UNSIGNED_INT_VEC2, RETRACE_BASE_UNSIGNED, 1, 2},
    {GL_UNSIGNED_INT_VEC3, RETRACE_BASE_UNSIGNED, 1, 3},
    {GL_UNSIGNED_INT_VEC4, RETRACE_BASE_UNSIGNED, 1, 4},
    {GL_BOOL, RETRACE_BASE_BOOL, 1, 1},
    {GL_BOOL_VEC2, RETRACE_BASE_BOOL, 1, 2},
    {GL_BOOL_VEC3, RETRACE_BASE_BOOL, 1, 3},
    {GL_BOOL_VEC4, RETRACE_BASE_BOOL, 1, 4},
    {GL_FLOAT_MAT2, RETRACE_BASE_FLOAT, 2, 2},
    {GL_FLOAT_MAT3, RETRACE_BASE_FLOAT, 3, 3},
    {GL_FLOAT_MAT4, RETRACE_BASE_FLOAT, 4, 4},
    {GL_FLOAT_MAT2x3, RETRACE_BASE_FLOAT, 2, 3},
    {GL_FLOAT_MAT2x4, RETRACE_BASE_FLOAT, 2, 4},
    {GL_FLOAT_MAT3x2, RETRACE_BASE_FLOAT, 3, 2},
    {GL_FLOAT_MAT3x4, RETRACE_BASE_FLOAT, 3, 4},
    {GL_FLOAT_MAT4x2, RETRACE_BASE_FLOAT, 4, 2},
    {GL_FLOAT_MAT4x3, RETRACE_BASE_FLOAT, 4, 3},
    {GL_DOUBLE, RETRACE_BASE_DOUBLE, 1, 1},
    {GL_DOUBLE_VEC2, RETRACE_BASE_DOUBLE, 1, 2},
    {GL_DOUBLE_VEC3, RETRACE_BASE_DOUBLE, 1, 3},
    {GL_DOUBLE_VEC4, RETRACE_BASE_DOUBLE, 1, 4},
    {GL_DOUBLE_MAT2, RETRACE_BASE_DOUBLE, 2, 2},
    {GL_DOUBLE_MAT3, RETRACE_BASE_DOUBLE, 3, 3},
    {GL_DOUBLE_MAT4, RETRACE_BASE_DOUBLE, 4, 4},
    {GL_DOUBLE_MAT2x3, RETRACE_BASE_DOUBLE, 2, 3},
    {GL_DOUBLE_MAT2x4, RETRACE_BASE_DOUBLE, 2, 4},
    {GL_DOUBLE_MAT3x2, RETRACE_BASE_DOUBLE, 3, 2},
    {GL_DOUBLE_MAT3x4, RETRACE_BASE_DOUBLE, 3, 4},
    {GL_DOUBLE_MAT4x2, RETRACE_BASE_DOUBLE, 4, 2},
    {GL_DOUBLE_MAT4x3, RETRACE_BASE_DOUBLE, 4, 3},
};

const struct retrace_value_type *retrace_value_type(GLenum type)
{
    static const struct retrace_value_type opaque = {GL_INT, RETRACE_BASE_INT, 1, 1};

    for (size_t n = 0; n < sizeof(types) / sizeof(types[0]); n++)
        if (types[n].type == type)
            return &types[n];
    return &opaque;
}

/* A uniform as the program declares it. */
struct uniform {
    GLuint program;
    uint64_t old_program;
    char name[NAME_MAX_BYTES]; /* of an array without its index */
    GLenum type;
    GLint size, block, offset, array_stride, matrix_stride, row_major;
};

/* Values of one element, by base type. */
union values {
    GLfloat real[COMPONENTS];
    GLdouble wide[COMPONENTS];
    GLint integer[COMPONENTS];
    GLuint natural[COMPONENTS];
};

static void add_values(struct text *text, const struct retrace_value_type *type,
                       const union values *values)
{
    for (unsigned n = 0; n < (unsigned)type->columns * type->rows; n++) {
        if (n > 0)
            text_add_char(text, ',');
        if (type->base == RETRACE_BASE_FLOAT)
            retrace_state_add_float(text, (double)values->real[n]);
        else if (type->base == RETRACE_BASE_DOUBLE)
            text_printf(text, "%.17g", values->wide[n]);
        else if (type->base == RETRACE_BASE_UNSIGNED)
            text_add_u64(text, values->natural[n]);
        else if (type->base == RETRACE_BASE_BOOL)
            text_add(text, values->integer[n] ? "true" : "false");
        else
            text_add_i64(text, values->integer[n]);
    }
}

/* Returns the location that the trace knows, or the driver's if the trace never queried it. */
static int64_t old_location(const struct retrace *retrace, const struct uniform *uniform,
                            int64_t location, GLint element)
{
    struct retrace_map *maps = NULL;
    uint64_t value;

    if (retrace_map_get(&retrace->programs, uniform->old_program, &value))
        maps = &((struct retrace_numbers *)(uintptr_t)value)->locations;
    for (uint32_t n = 0; maps != NULL && n < maps->room; n++)
        if (maps->pairs[n].key != RETRACE_NO_KEY &&
            (int64_t)maps->pairs[n].value == location - element)
            return (int64_t)maps->pairs[n].key + element;
    return location;
}

static void begin_row(struct text *text, const struct uniform *uniform, const char *kind)
{
    text_add_u64(text, uniform->old_program);
    text_cell_word(text, kind);
    text_cell_escaped(text, uniform->name, strlen(uniform->name));
    text_add_char(text, '\t');
    retrace_state_add_enum(text, uniform->type);
}

/* Adds an element of a uniform of the default block, which has its own location. */
static void add_plain(const struct retrace *retrace, const struct uniform *uniform, GLint element,
                      struct text *text)
{
    const struct retrace_value_type *type = retrace_value_type(uniform->type);
    union values values = {.wide = {0}};
    char name[NAME_MAX_BYTES + 16];
    GLint location;

    snprintf(name, sizeof(name), uniform->size > 1 ? "%s[%d]" : "%s", uniform->name, element);
    location = glGetUniformLocation(uniform->program, name);
    if (location < 0)
        return;
    if (type->base == RETRACE_BASE_FLOAT)
        glGetUniformfv(uniform->program, location, values.real);
    else if (type->base == RETRACE_BASE_DOUBLE)
        glGetUniformdv(uniform->program, location, values.wide);
    else if (type->base == RETRACE_BASE_UNSIGNED)
        glGetUniformuiv(uniform->program, location, values.natural);
    else
        glGetUniformiv(uniform->program, location, values.integer);
    begin_row(text, uniform, "uniform");
    text_printf(
        text, "\t%lld\t-\t-\t%d\t",
        (long long)old_location(retrace, uniform, location, uniform->size > 1 ? element : 0),
        element);
    add_values(text, type, &values);
    text_add_char(text, '\n');
}

/* Blocks. */

/* The part of a buffer that is bound to a block. */
struct store {
    GLint block;
    char name[NAME_MAX_BYTES];
    uint8_t *bytes;
    GLint64 size;
};

static void drop_store(struct store *store)
{
    free(store->bytes);
    *store = (struct store){.block = -1};
}

static void read_store(GLuint program, GLint block, struct store *store)
{
    enum { BLOCK_MAX = 1 << 24 };
    GLint binding = 0, buffer = 0, size = 0;
    GLint64 start = 0, length = 0, all = 0;

    drop_store(store);
    store->block = block;
    glGetActiveUniformBlockName(program, (GLuint)block, NAME_MAX_BYTES, NULL, store->name);
    glGetActiveUniformBlockiv(program, (GLuint)block, GL_UNIFORM_BLOCK_BINDING, &binding);
    glGetActiveUniformBlockiv(program, (GLuint)block, GL_UNIFORM_BLOCK_DATA_SIZE, &size);
    glGetIntegeri_v(GL_UNIFORM_BUFFER_BINDING, (GLuint)binding, &buffer);
    if (graphics_failed() || buffer == 0)
        return;
    glGetInteger64i_v(GL_UNIFORM_BUFFER_START, (GLuint)binding, &start);
    glGetInteger64i_v(GL_UNIFORM_BUFFER_SIZE, (GLuint)binding, &length);
    all = retrace_buffer_size((GLuint)buffer);
    if (length == 0 || start + length > all)
        length = all - start;
    if (length > size)
        length = size;
    if (start < 0 || length <= 0 || length > BLOCK_MAX)
        return;
    store->bytes = malloc((size_t)length);
    if (store->bytes == NULL || !retrace_buffer_read((GLuint)buffer, start, length, store->bytes)) {
        free(store->bytes);
        store->bytes = NULL;
        return;
    }
    store->size = length;
}

/*
 * Reads the columns and rows of an element from a buffer. Returns false if the buffer ends before.
 */
static bool gather(const struct uniform *uniform, const struct retrace_value_type *type,
                   GLint element, const struct store *store, union values *values)
{
    const unsigned bytes = type->base == RETRACE_BASE_DOUBLE ? 8 : 4;
    uint64_t at = (uint64_t)uniform->offset + (uint64_t)element * (uint64_t)uniform->array_stride;

    for (unsigned column = 0; column < type->columns; column++)
        for (unsigned row = 0; row < type->rows; row++) {
            uint64_t stride = (uint64_t)uniform->matrix_stride;
            uint64_t place = at + (uniform->row_major ? row * stride + (uint64_t)column * bytes
                                                      : column * stride + (uint64_t)row * bytes);

            if (!bytes_inside(place, bytes, (uint64_t)store->size))
                return false;
            memcpy((uint8_t *)values + (size_t)(column * type->rows + row) * bytes,
                   store->bytes + place, bytes);
        }
    return true;
}

static void add_member(const struct uniform *uniform, GLint element, const struct store *store,
                       struct text *text)
{
    const struct retrace_value_type *type = retrace_value_type(uniform->type);
    union values values = {.wide = {0}};

    begin_row(text, uniform, "block");
    text_add(text, "\t-");
    text_cell_escaped(text, store->name, strlen(store->name));
    text_printf(text, "\t%lld\t%d\t",
                (long long)uniform->offset + (long long)element * uniform->array_stride, element);
    if (store->bytes != NULL && gather(uniform, type, element, store, &values))
        add_values(text, type, &values);
    else
        text_add_char(text, '-');
    text_add_char(text, '\n');
}

/* Programs. */

static bool ask_uniform(GLuint n, struct uniform *uniform)
{
    static const GLenum asked[] = {GL_UNIFORM_BLOCK_INDEX, GL_UNIFORM_OFFSET,
                                   GL_UNIFORM_ARRAY_STRIDE, GL_UNIFORM_MATRIX_STRIDE,
                                   GL_UNIFORM_IS_ROW_MAJOR};
    GLint *const answers[] = {&uniform->block, &uniform->offset, &uniform->array_stride,
                              &uniform->matrix_stride, &uniform->row_major};
    GLsizei length = 0;

    uniform->name[0] = '\0';
    graphics_failed();
    glGetActiveUniform(uniform->program, n, NAME_MAX_BYTES, &length, &uniform->size, &uniform->type,
                       uniform->name);
    for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
        *answers[i] = -1;
        glGetActiveUniformsiv(uniform->program, 1, &n, asked[i], answers[i]);
    }
    if (length > 3 && strcmp(uniform->name + length - 3, "[0]") == 0)
        uniform->name[length - 3] = '\0';
    return !graphics_failed() && length > 0;
}

/* Adds all elements of a uniform. Members of a block are read from `store`. */
static void add_uniform(const struct retrace *retrace, const struct uniform *uniform,
                        const struct store *store, struct text *text)
{
    for (GLint element = 0; element < uniform->size && element < ELEMENTS_MAX; element++)
        if (uniform->block >= 0)
            add_member(uniform, element, store, text);
        else
            add_plain(retrace, uniform, element, text);
}

/*
 * For an array of blocks, the driver's members belong to the first block; adds those of another
 * one.
 */
static void add_block(const struct retrace *retrace, struct uniform *uniform, GLint block,
                      struct store *store, struct text *text)
{
    GLint members[MEMBERS_MAX] = {0}, count = 0;

    glGetActiveUniformBlockiv(uniform->program, (GLuint)block, GL_UNIFORM_BLOCK_ACTIVE_UNIFORMS,
                              &count);
    if (graphics_failed() || count > MEMBERS_MAX)
        return;
    glGetActiveUniformBlockiv(uniform->program, (GLuint)block,
                              GL_UNIFORM_BLOCK_ACTIVE_UNIFORM_INDICES, members);
    for (GLint n = 0; n < count && text->status == 0 && !serve_is_withdrawn(); n++) {
        if (!ask_uniform((GLuint)members[n], uniform) || uniform->block == block)
            continue;
        if (store->block != block)
            read_store(uniform->program, block, store);
        add_uniform(retrace, uniform, store, text);
    }
}

static void add_program(const struct retrace *retrace, GLuint program, uint64_t old,
                        struct text *text)
{
    struct uniform uniform = {.program = program, .old_program = old};
    struct store store = {.block = -1};
    GLint count = 0, blocks = 0;

    glGetProgramiv(program, GL_ACTIVE_UNIFORMS, &count);
    for (GLint n = 0; n < count && text->status == 0 && !serve_is_withdrawn(); n++) {
        if (!ask_uniform((GLuint)n, &uniform))
            continue;
        if (uniform.block >= 0 && uniform.block != store.block)
            read_store(program, uniform.block, &store);
        add_uniform(retrace, &uniform, &store, text);
    }
    glGetProgramiv(program, GL_ACTIVE_UNIFORM_BLOCKS, &blocks);
    graphics_failed(); /* some contexts have no blocks */
    for (GLint n = 0; n < blocks; n++)
        add_block(retrace, &uniform, n, &store, text);
    drop_store(&store);
}

/*
 * Adds the current value of an attribute without an array: four numbers, of the type that the
 * program reads.
 */
static void add_current(GLuint location, GLenum type, struct text *text)
{
    union values values = {.wide = {0}};
    GLenum kind = GL_FLOAT_VEC4;

    switch (retrace_value_type(type)->base) {
    case RETRACE_BASE_DOUBLE:
        kind = GL_DOUBLE_VEC4;
        glGetVertexAttribLdv(location, GL_CURRENT_VERTEX_ATTRIB, values.wide);
        break;
    case RETRACE_BASE_UNSIGNED:
        kind = GL_UNSIGNED_INT_VEC4;
        glGetVertexAttribIuiv(location, GL_CURRENT_VERTEX_ATTRIB, values.natural);
        break;
    case RETRACE_BASE_INT:
        kind = GL_INT_VEC4;
        glGetVertexAttribIiv(location, GL_CURRENT_VERTEX_ATTRIB, values.integer);
        break;
    default:
        glGetVertexAttribfv(location, GL_CURRENT_VERTEX_ATTRIB, values.real);
        break;
    }
    if (graphics_failed())
        text_add_char(text, '-');
    else
        add_values(text, retrace_value_type(kind), &values);
}

static void add_attributes(GLuint program, uint64_t old, struct text *text)
{
    struct uniform attribute = {.program = program, .old_program = old};
    GLint count = 0;

    glGetProgramiv(program, GL_ACTIVE_ATTRIBUTES, &count);
    for (GLint n = 0; n < count; n++) {
        GLint location, enabled = 0;

        attribute.name[0] = '\0';
        glGetActiveAttrib(program, (GLuint)n, NAME_MAX_BYTES, NULL, &attribute.size,
                          &attribute.type, attribute.name);
        location = glGetAttribLocation(program, attribute.name);
        if (graphics_failed() || location < 0)
            continue;
        glGetVertexAttribiv((GLuint)location, GL_VERTEX_ATTRIB_ARRAY_ENABLED, &enabled);
        begin_row(text, &attribute, enabled ? "array" : "attribute");
        text_printf(text, "\t%d\t-\t-\t0\t", location);
        if (enabled)
            text_add_char(text, '-');
        else
            add_current((GLuint)location, attribute.type, text);
        text_add_char(text, '\n');
    }
}

/* Assembly programs. */

static void add_parameter(const struct retrace_assembly *assembly, enum retrace_operand_kind kind,
                          uint32_t number, struct text *text)
{
    const char *word = kind == RETRACE_OPERAND_ENV ? "env" : "local";
    struct uniform uniform = {.old_program = assembly->old, .type = GL_FLOAT_VEC4};
    union values values = {.wide = {0}};

    if (!retrace_assembly_parameter(assembly, kind, number, values.real))
        return;
    snprintf(uniform.name, sizeof(uniform.name), "program.%s[%u]", word, number);
    begin_row(text, &uniform,
              retrace_stage_type(assembly->stage) == GL_VERTEX_SHADER ? "vertex-parameter"
                                                                      : "fragment-parameter");
    text_printf(text, "\t%u\t-\t-\t0\t", number);
    add_values(text, retrace_value_type(uniform.type), &values);
    text_add_char(text, '\n');
}

/* Adds each parameter that the text names, once, in order of their numbers. */
static void add_assembly(const struct retrace_assembly *assembly, struct text *text)
{
    bool named[2][RETRACE_PARAMETERS_MAX] = {{false}}; /* by kind and number */
    char *source = retrace_assembly_text(assembly);
    const char *at = source;
    struct retrace_operand operand;

    while (at != NULL && retrace_assembly_operand(&at, &operand))
        if (operand.kind != RETRACE_OPERAND_TEXTURE)
            memset(&named[operand.kind][operand.first], true, operand.last - operand.first + 1);
    for (unsigned kind = RETRACE_OPERAND_ENV; kind <= RETRACE_OPERAND_LOCAL; kind++)
        for (uint32_t n = 0; n < RETRACE_PARAMETERS_MAX; n++)
            if (named[kind][n])
                add_parameter(assembly, (enum retrace_operand_kind)kind, n, text);
    free(source);
}

void retrace_uniforms_text(const struct retrace *retrace, struct text *text)
{
    struct retrace_program_here programs[RETRACE_PROGRAMS_MAX];
    struct retrace_assembly assemblies[RETRACE_ASSEMBLIES_MAX];
    unsigned count = retrace_programs(retrace, programs);

    text_add(text, "program\tkind\tname\ttype\tlocation\tblock\toffset\tindex\tvalue\n");
    for (unsigned n = 0; n < count; n++) {
        add_program(retrace, programs[n].name, programs[n].old, text);
        add_attributes(programs[n].name, programs[n].old, text);
    }
    count = retrace_assemblies(retrace, assemblies);
    for (unsigned n = 0; n < count; n++)
        add_assembly(&assemblies[n], text);
}
