/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "glworker/gl/outputs.h"

#include "glworker/gl/assembly_bindings.h"
#include "glworker/gl/sources.h"
#include "glworker/gl/state_values.h"
#include "glworker/gl/surfaces.h"
#include "glworker/gl/uniforms.h"

#include <stdio.h>
#include <string.h>

enum { POSITION = 4 /* components */ };

void retrace_outputs_clear(struct retrace_outputs *outputs)
{
    outputs->count = 0;
    outputs->components = POSITION;
}

/* Adds the program's n-th output, if it is the shader's own, and there is room. */
static void add(GLuint program, GLuint n, unsigned room, struct retrace_outputs *out)
{
    static const GLenum properties[] = {GL_TYPE, GL_ARRAY_SIZE, GL_NAME_LENGTH};
    struct retrace_output *output = &out->list[out->count];
    GLint values[3] = {0, 0, 0};
    char *index;

    glGetProgramResourceiv(program, GL_PROGRAM_OUTPUT, n, 3, properties, 3, NULL, values);
    if (graphics_failed() || values[2] > (GLint)sizeof(output->name))
        return;
    output->name[0] = output->variable[0] = '\0';
    glGetProgramResourceName(program, GL_PROGRAM_OUTPUT, n, sizeof(output->name), NULL,
                             output->name);
    output->type = retrace_value_type((GLenum)values[0]);
    if (strncmp(output->name, "gl_", 3) == 0 || output->name[0] == '\0' || values[1] < 0 ||
        values[1] > (GLint)room || output->type->base == RETRACE_BASE_DOUBLE)
        return;
    output->components = (unsigned)output->type->columns * output->type->rows *
                         (values[1] > 1 ? (unsigned)values[1] : 1);
    index = strrchr(output->name, '[');
    if (index != NULL && strcmp(index, "[0]") == 0 && values[1] > 0)
        *index = '\0';
    if (out->components + output->components > room)
        return;
    out->components += output->components;
    out->count++;
}

void retrace_outputs_find(const struct retrace_context *context,
                          const struct retrace_linked *linked, uint32_t stage,
                          struct retrace_outputs *out)
{
    GLint linked_well = 0, count = 0, room = 0;
    GLuint program;

    retrace_outputs_clear(out);
    if (!retrace_is_new(context, 43, 31) ||
        !retrace_state_get(GL_MAX_TRANSFORM_FEEDBACK_INTERLEAVED_COMPONENTS, &room) || room < 0)
        return;
    program = glCreateProgram();
    glProgramParameteri(program, GL_PROGRAM_SEPARABLE, GL_TRUE);
    if (retrace_sources_compile(linked, 1U << stage, program))
        glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &linked_well);
    if (linked_well)
        glGetProgramInterfaceiv(program, GL_PROGRAM_OUTPUT, GL_ACTIVE_RESOURCES, &count);
    for (GLint n = 0; n < count && out->count < RETRACE_OUTPUTS_MAX; n++)
        add(program, (GLuint)n, (unsigned)room, out);
    glDeleteProgram(program);
    graphics_failed();
}

void retrace_outputs_of_results(uint64_t results, struct retrace_outputs *out)
{
    retrace_outputs_clear(out);
    for (unsigned n = RETRACE_RESULT_POSITION + 1; n < RETRACE_RESULTS; n++) {
        struct retrace_output *output = &out->list[out->count];

        if ((results >> n & 1) == 0 || out->count == RETRACE_OUTPUTS_MAX)
            continue;
        retrace_result_name(n, output->name);
        snprintf(output->variable, sizeof(output->variable), "result%u", n);
        output->type = retrace_value_type(retrace_result_is_single(n) ? GL_FLOAT : GL_FLOAT_VEC4);
        output->components = output->type->rows;
        out->components += output->components;
        out->count++;
    }
}

void retrace_outputs_add_names(const struct retrace_outputs *outputs, struct text *text)
{
    for (unsigned n = 0; n < outputs->count; n++)
        text_cell_word(text, outputs->list[n].name);
}

static void add_value(uint8_t base, float value, struct text *text)
{
    int32_t integer;
    uint32_t natural;

    memcpy(&integer, &value, sizeof(integer));
    memcpy(&natural, &value, sizeof(natural));
    if (base == RETRACE_BASE_FLOAT)
        retrace_state_add_float(text, (double)value);
    else if (base == RETRACE_BASE_UNSIGNED)
        text_add_u64(text, natural);
    else
        text_add_i64(text, integer);
}

void retrace_outputs_add_values(const struct retrace_outputs *outputs, const float *values,
                                struct text *text)
{
    values += POSITION;
    for (unsigned n = 0; n < outputs->count; n++) {
        const struct retrace_output *output = &outputs->list[n];

        text_add_char(text, '\t');
        for (unsigned i = 0; i < output->components; i++) {
            if (i > 0)
                text_add_char(text, ',');
            add_value(output->type->base, *values++, text);
        }
    }
}
