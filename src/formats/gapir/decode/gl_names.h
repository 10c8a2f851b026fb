/* SPDX-License-Identifier: MIT */
/*
 * Names for the arguments of OpenGL ES, from Khronos' registry: groups of constants, and the number
 * of elements that a pointer refers to. gl_names.awk generates the tables; they are empty if the
 * program was built without the registry. Constant; any thread.
 */
#ifndef GPUDUMPFS_GAPIR_DECODE_GL_NAMES_H
#define GPUDUMPFS_GAPIR_DECODE_GL_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sorted by group and value. Group 0 has all constants whose value alone identifies them. */
struct gapir_gl_constant {
    uint32_t group, value;
    const char *name;
};

enum gapir_gl_kind {
    GAPIR_GL_PLAIN, /* a constant of `group` */
    GAPIR_GL_FLOATS,
    GAPIR_GL_INTS,
    GAPIR_GL_UINTS,
    GAPIR_GL_ENUMS,   /* a list of constants */
    GAPIR_GL_STRINGS, /* pointers to strings */
};

enum { GAPIR_GL_RESULT = 255 };

/* Sorted by function and argument. */
struct gapir_gl_parameter {
    const char *function;
    uint8_t argument; /* GAPIR_GL_RESULT for the result */
    uint8_t kind;     /* enum gapir_gl_kind */
    /*
     * The length of a list is the value of argument `counted` - 1 (1 if `counted` is 0), times
     * `factor`.
     */
    uint8_t counted, factor;
    uint16_t group;
};

extern const struct gapir_gl_constant gapir_gl_constants[];
extern const size_t gapir_gl_constant_count;
extern const struct gapir_gl_parameter gapir_gl_parameters[];
extern const size_t gapir_gl_parameter_count;

/* Returns what is known of an argument, or NULL if nothing is. */
const struct gapir_gl_parameter *gapir_gl_parameter_find(const char *function, unsigned argument);

/*
 * Returns the name of a value in a group, or failing that in group 0. Returns NULL if it has none.
 */
const char *gapir_gl_constant_name(unsigned group, uint64_t value);

/*
 * Finds a constant of the group, of one bit or several, whose bits are all set in *bits. Clears
 * these bits and returns the constant's name. Returns NULL, leaving *bits unchanged, if no constant
 * is left.
 */
const char *gapir_gl_take_bits(unsigned group, uint64_t *bits);

#endif
