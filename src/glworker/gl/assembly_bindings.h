/* SPDX-License-Identifier: MIT */
/*
 * Translates the bindings in the text of an ARB vertex program (`vertex.*`, `state.*`, `program.*`,
 * `result.*` and constants) to GLSL expressions. These are pure functions of a zero-terminated
 * text. *at is the position in the text, and moves past what is parsed; it may also have moved if
 * parsing fails.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_ASSEMBLY_BINDINGS_H
#define GPUDUMPFS_GLWORKER_GL_ASSEMBLY_BINDINGS_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

enum retrace_binding_kind {
    RETRACE_BINDING_ENV,
    RETRACE_BINDING_LOCAL,
    RETRACE_BINDING_MATRIX,   /* a row of a program matrix, state.matrix.program */
    RETRACE_BINDING_CONSTANT, /* four numbers */
    RETRACE_BINDING_STATE,    /* a GLSL expression */
    RETRACE_BINDING_ROW,      /* a GLSL expression for a matrix, to be followed by a column index */
};
enum retrace_matrix_change {
    RETRACE_MATRIX_AS_IS,
    RETRACE_MATRIX_INVERSE,
    RETRACE_MATRIX_TRANSPOSE,
    RETRACE_MATRIX_INVTRANS
};

/* A vector of four numbers. */
struct retrace_register {
    uint8_t kind;    /* enum retrace_binding_kind */
    uint8_t change;  /* enum retrace_matrix_change, of a program matrix */
    uint32_t number; /* of the register, or of the matrix */
    uint32_t row;
    float constant[4];
    char state[96];
};

/*
 * Parses a binding of *count vectors and writes the first of them; the others are the following
 * registers or rows. Returns false if there is no such binding, or if GLSL has no such state, which
 * *why then says.
 */
bool retrace_take_parameter(const char **at, struct retrace_register *first, unsigned *count,
                            const char **why);
/* Returns the n-th vector after the first. */
struct retrace_register retrace_next_parameter(const struct retrace_register *first, unsigned n);

/*
 * Appends the GLSL expression of a parameter. Returns false if the parameter is a register or a row
 * of a program matrix, or if GLSL cannot express it.
 */
bool retrace_add_parameter(const struct retrace_register *parameter, struct text *text);

/* The shader translated from a text (assembly_shader.h), and its inputs and outputs. */
struct retrace_assembly_shader {
    struct text source; /* zero-terminated */
    struct retrace_register *parameters;
    unsigned parameter_count;
    unsigned generics; /* generic attributes that it reads, one bit each */
    uint64_t results;  /* results that it writes, one bit each */
};

/*
 * Parses what follows `vertex`, and writes a GLSL expression. Generic attributes other than 0
 * become variables "attribute1" and so on; *generic is set to the attribute's number then, and to 0
 * otherwise.
 */
enum { RETRACE_GENERIC_MAX = 16, RETRACE_ATTRIBUTE_ROOM = 48 };
bool retrace_take_attribute(const char **at, char expression[RETRACE_ATTRIBUTE_ROOM],
                            unsigned *generic, const char **why);

/* Parses what follows `result`, and sets *result to one of these. */
enum { RETRACE_RESULT_POSITION = 0, RETRACE_RESULT_TEXTURES = 7, RETRACE_RESULTS = 7 + 32 };
bool retrace_take_result(const char **at, unsigned *result);
/* Writes the name that a result has in texts of programs. */
void retrace_result_name(unsigned result, char name[32]);
/* Returns whether a result is a single number. */
bool retrace_result_is_single(unsigned result);

#endif
