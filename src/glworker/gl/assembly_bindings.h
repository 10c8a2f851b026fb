/* SPDX-License-Identifier: MIT */
/*
 * What the text of an ARB vertex program binds, `vertex.*`, `state.*`, `program.*`, `result.*` and
 * constants, as expressions of GLSL. Pure functions of a text that a zero ends: *at is where it is
 * read, and moves behind what is taken; where nothing is, it may have moved as well.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_ASSEMBLY_BINDINGS_H
#define GPUDUMPFS_GLWORKER_GL_ASSEMBLY_BINDINGS_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

enum retrace_binding_kind {
    RETRACE_BINDING_ENV,
    RETRACE_BINDING_LOCAL,
    RETRACE_BINDING_MATRIX,   /* a row of a matrix of programs, state.matrix.program */
    RETRACE_BINDING_CONSTANT, /* four numbers */
    RETRACE_BINDING_STATE,    /* an expression of GLSL */
    RETRACE_BINDING_ROW,      /* the same, of a matrix: a column follows it */
};
enum retrace_matrix_change {
    RETRACE_MATRIX_AS_IS,
    RETRACE_MATRIX_INVERSE,
    RETRACE_MATRIX_TRANSPOSE,
    RETRACE_MATRIX_INVTRANS
};

/* One vector of four numbers. */
struct retrace_register {
    uint8_t kind;    /* enum retrace_binding_kind */
    uint8_t change;  /* enum retrace_matrix_change, of a matrix of programs */
    uint32_t number; /* of the register, or of the matrix */
    uint32_t row;
    float constant[4];
    char state[96];
};

/*
 * The first of *count vectors, of which others than the first are the next registers or rows.
 * False: none is there, or *why says that GLSL has no such state.
 */
bool retrace_take_parameter(const char **at, struct retrace_register *first, unsigned *count,
                            const char **why);
/* The n-th behind the first. */
struct retrace_register retrace_next_parameter(const struct retrace_register *first, unsigned n);

/* The expression of one that is no register, and that GLSL has a word for; else false. */
bool retrace_add_parameter(const struct retrace_register *parameter, struct text *text);

/* The shader of a whole text (assembly_shader.h), and what it needs. */
struct retrace_assembly_shader {
    struct text source; /* a zero follows */
    struct retrace_register *parameters;
    unsigned parameter_count;
    unsigned generics; /* attributes that it reads, a bit each */
    uint64_t results;  /* that it writes, a bit each */
};

/*
 * Behind `vertex`: an expression. Generic attributes but the first are variables "attribute1" and
 * so on; which one it is stands in *generic then, else 0.
 */
enum { RETRACE_GENERIC_MAX = 16, RETRACE_ATTRIBUTE_ROOM = 48 };
bool retrace_take_attribute(const char **at, char expression[RETRACE_ATTRIBUTE_ROOM],
                            unsigned *generic, const char **why);

/* Behind `result`: which one of these. */
enum { RETRACE_RESULT_POSITION = 0, RETRACE_RESULT_TEXTURES = 7, RETRACE_RESULTS = 7 + 32 };
bool retrace_take_result(const char **at, unsigned *result);
/* Its name in texts of programs; whether it is of one number. */
void retrace_result_name(unsigned result, char name[32]);
bool retrace_result_is_single(unsigned result);

#endif
