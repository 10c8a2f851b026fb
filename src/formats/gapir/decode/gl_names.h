/* SPDX-License-Identifier: MIT */
/*
 * What arguments of OpenGL ES mean by name, as Khronos' registry has it: groups of constants, and
 * how many elements there are behind a pointer. The tables are made by gl_names.awk, and are empty
 * where the registry was not there when the program was built. Constant; any thread.
 */
#ifndef GPUDUMPFS_GAPIR_DECODE_GL_NAMES_H
#define GPUDUMPFS_GAPIR_DECODE_GL_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sorted by group and value. Group 0 has all whose value tells them apart. */
struct gapir_gl_constant {
    uint32_t group, value;
    const char *name;
};

enum gapir_gl_kind {
    GAPIR_GL_PLAIN, /* a constant of the group */
    GAPIR_GL_FLOATS,
    GAPIR_GL_INTS,
    GAPIR_GL_UINTS,
    GAPIR_GL_ENUMS,   /* a list of them */
    GAPIR_GL_STRINGS, /* pointers to them */
};

enum { GAPIR_GL_RESULT = 255 };

/* Sorted by function and argument. */
struct gapir_gl_parameter {
    const char *function;
    uint8_t argument;        /* GAPIR_GL_RESULT: what it returns */
    uint8_t kind;            /* enum gapir_gl_kind */
    uint8_t counted, factor; /* a list: argument `counted` - 1 (0: one) * factor elements */
    uint16_t group;
};

extern const struct gapir_gl_constant gapir_gl_constants[];
extern const size_t gapir_gl_constant_count;
extern const struct gapir_gl_parameter gapir_gl_parameters[];
extern const size_t gapir_gl_parameter_count;

/* NULL: nothing is known of it. */
const struct gapir_gl_parameter *gapir_gl_parameter_find(const char *function, unsigned argument);

/* The name of a value in a group, else in group 0; NULL: it has none. */
const char *gapir_gl_constant_name(unsigned group, uint64_t value);

/*
 * One bit or more of *bits that a constant of the group is for, which are taken off; NULL: none is
 * left that has a name.
 */
const char *gapir_gl_take_bits(unsigned group, uint64_t *bits);

#endif
