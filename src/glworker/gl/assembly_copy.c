/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "glworker/gl/assembly_copy.h"

#include "glworker/gl/assembly.h"
#include "glworker/gl/compatibility.h"
#include "glworker/gl/sources.h"
#include "glworker/gl/surfaces.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Values from GL/gl.h and GL/glext.h. */
enum {
    CURRENT_MATRIX = 0x8641,
    MATRIX0 = 0x88C0,
};

bool retrace_assembly_shader_compile(const struct retrace_assembly_shader *shader, GLuint program)
{
    const char *const strings[] = {shader->source.bytes};

    for (unsigned n = 1; n < RETRACE_GENERIC_MAX; n++) {
        char name[24];

        snprintf(name, sizeof(name), "attribute%u", n);
        if (shader->generics >> n & 1)
            glBindAttribLocation(program, n, name);
    }
    return retrace_compile(program, GL_VERTEX_SHADER, strings, 1);
}

/* Matrices, in column-major order. */

/* The driver returns the matrix of the current mode, which is restored afterwards. */
static void read_matrix(uint32_t number, double out[16])
{
    const GLint mode = retrace_get(GL_MATRIX_MODE);
    GLfloat values[16] = {0};

    glMatrixMode(MATRIX0 + number);
    glGetFloatv(CURRENT_MATRIX, values);
    glMatrixMode((GLenum)mode);
    for (unsigned n = 0; n < 16; n++)
        out[n] = (double)values[n];
}

static void swap_rows(double *a, double *b)
{
    for (unsigned n = 0; n < 8; n++) {
        const double kept = a[n];

        a[n] = b[n];
        b[n] = kept;
    }
}

static void exchange(double rows[4][8], unsigned column)
{
    unsigned best = column;

    for (unsigned n = column + 1; n < 4; n++) {
        const double here = rows[n][column], there = rows[best][column];

        if (here * here > there * there)
            best = n;
    }
    swap_rows(rows[column], rows[best]);
}

/* Makes a column that of the identity matrix. Returns false if that is impossible. */
static bool clear_column(double rows[4][8], unsigned column)
{
    exchange(rows, column);
    if (!(rows[column][column] * rows[column][column] > 0))
        return false;
    for (unsigned n = 8; n-- > 0;)
        rows[column][n] /= rows[column][column];
    for (unsigned row = 0; row < 4; row++) {
        const double factor = rows[row][column];

        for (unsigned n = 0; n < 8 && row != column; n++)
            rows[row][n] -= factor * rows[column][n];
    }
    return true;
}

/* The inverse of a singular matrix is the identity matrix, as in the driver. */
static void invert(double matrix[16])
{
    double rows[4][8] = {{0}};
    bool is_inverted = true;

    for (unsigned n = 0; n < 16; n++) {
        rows[n % 4][n / 4] = matrix[n];
        rows[n % 4][4 + n / 4] = n % 5 == 0;
    }
    for (unsigned n = 0; n < 4 && is_inverted; n++)
        is_inverted = clear_column(rows, n);
    for (unsigned n = 0; n < 16; n++)
        matrix[n] = is_inverted ? rows[n % 4][4 + n / 4] : n % 5 == 0;
}

static void read_row(const struct retrace_register *parameter, GLfloat out[4])
{
    const bool is_inverse =
        parameter->change == RETRACE_MATRIX_INVERSE || parameter->change == RETRACE_MATRIX_INVTRANS;
    const bool is_transposed = parameter->change == RETRACE_MATRIX_TRANSPOSE ||
                               parameter->change == RETRACE_MATRIX_INVTRANS;
    double matrix[16];

    read_matrix(parameter->number, matrix);
    if (is_inverse)
        invert(matrix);
    for (uint32_t n = 0; n < 4; n++)
        out[n] = (GLfloat)matrix[is_transposed ? parameter->row * 4 + n : n * 4 + parameter->row];
}

/*
 * Parameters that are not queried from the driver are in the shader itself, and here only to fill
 * the array.
 */
static void read_parameter(const struct retrace_register *parameter, GLfloat out[4])
{
    const struct retrace_assembly assembly = {.target = GL_VERTEX_PROGRAM_ARB};

    memset(out, 0, 4 * sizeof(*out));
    if (parameter->kind == RETRACE_BINDING_ENV || parameter->kind == RETRACE_BINDING_LOCAL)
        (void)retrace_assembly_parameter(
            &assembly,
            parameter->kind == RETRACE_BINDING_ENV ? RETRACE_OPERAND_ENV : RETRACE_OPERAND_LOCAL,
            parameter->number, out);
    else if (parameter->kind == RETRACE_BINDING_MATRIX)
        read_row(parameter, out);
    else
        memcpy(out, parameter->constant, sizeof(parameter->constant));
}

bool retrace_assembly_shader_fill(const struct retrace_assembly_shader *shader, GLuint program)
{
    const GLint location = glGetUniformLocation(program, "parameters");
    GLfloat(*values)[4];

    if (location < 0) /* the shader reads none */
        return true;
    values = calloc(shader->parameter_count, sizeof(*values));
    if (values == NULL)
        return false;
    for (unsigned n = 0; n < shader->parameter_count; n++)
        read_parameter(&shader->parameters[n], values[n]);
    glUniform4fv(location, (GLsizei)shader->parameter_count, values[0]);
    free(values);
    return !graphics_failed();
}
