/* SPDX-License-Identifier: MIT */
/*
 * OpenGL's functions as in Khronos' registry: the types of their arguments, which of them are names
 * of objects, and how many elements pointers point to. functions.awk generates the table from the
 * registry and lengths.tsv. Constant; any thread.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_FUNCTIONS_H
#define GPUDUMPFS_GLWORKER_GL_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Type of an argument, or of the elements that it points to. */
enum retrace_type {
    RETRACE_VOID, /* bytes of any kind, for pointers; no result, for results */
    RETRACE_U8,
    RETRACE_I8,
    RETRACE_U16,
    RETRACE_I16,
    RETRACE_U32,
    RETRACE_I32,
    RETRACE_I64, /* also handles and addresses of any kind */
    RETRACE_F32,
    RETRACE_F64,
    RETRACE_TYPES
};

enum retrace_way {
    RETRACE_VALUE,
    RETRACE_IN,
    RETRACE_OUT,
    RETRACE_IN_POINTERS, /* points to pointers to `type`, such as strings */
    RETRACE_OUT_POINTERS,
};

/* Name spaces. */
enum retrace_names {
    RETRACE_NO_NAME,
    RETRACE_TEXTURE,
    RETRACE_BUFFER,
    RETRACE_PROGRAM, /* also shaders, which share the space */
    RETRACE_ASSEMBLY,
    RETRACE_RENDERBUFFER,
    RETRACE_SAMPLER,
    RETRACE_DISPLAY_LIST,
    RETRACE_SYNC,
    /* The following are per context, not shared: */
    RETRACE_FRAMEBUFFER,
    RETRACE_QUERY,
    RETRACE_VERTEX_ARRAY,
    RETRACE_TRANSFORM_FEEDBACK,
    RETRACE_PROGRAM_PIPELINE,
    RETRACE_NAMES
};

/* How the number of elements that a pointer points to is known; see lengths.tsv. */
enum retrace_length {
    RETRACE_LENGTH_UNKNOWN, /* from a registry that is newer than lengths.tsv */
    RETRACE_LENGTH_COUNTED,
    RETRACE_LENGTH_TEXT,
    RETRACE_LENGTH_FEW,
    RETRACE_LENGTH_RULE,
    RETRACE_LENGTH_LEFT,
    RETRACE_LENGTH_NONE,
};

enum { RETRACE_ARGUMENTS_MAX = 24 };

struct retrace_parameter {
    uint8_t type, way, names; /* enum retrace_type, retrace_way, retrace_names */
    uint8_t length;           /* enum retrace_length, of a pointer */
    /* RETRACE_LENGTH_COUNTED: argument `counted` - 1 (0: one) * factor / divisor */
    uint8_t counted, factor, divisor;
    bool may_be_null; /* pointer may be null */
};

struct retrace_function {
    const char *name;
    uint8_t result, result_names;
    uint8_t count;
    const struct retrace_parameter *parameters;
};

/* Sorted by name. */
extern const struct retrace_function retrace_functions[];
extern const size_t retrace_function_count;

/* Returns NULL if there is no function of that name. */
const struct retrace_function *retrace_function_find(const char *name);

/* Returns the bytes of an element; 1 for RETRACE_VOID. */
size_t retrace_type_size(unsigned type);

#endif
