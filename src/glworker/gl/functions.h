/* SPDX-License-Identifier: MIT */
/*
 * OpenGL's functions as Khronos' registry has them: what their arguments are, which of
 * them are names of objects, how many elements are behind a pointer. The table is made
 * by functions.awk from the registry and lengths.tsv. Constant; any thread.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_FUNCTIONS_H
#define GPUDUMPFS_GLWORKER_GL_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of an argument, or of what it points to. */
enum retrace_type {
    RETRACE_VOID, /* bytes of any kind, behind a pointer; of a result: none */
    RETRACE_U8,
    RETRACE_I8,
    RETRACE_U16,
    RETRACE_I16,
    RETRACE_U32,
    RETRACE_I32,
    RETRACE_I64, /* also handles and addresses of any sort */
    RETRACE_F32,
    RETRACE_F64,
    RETRACE_TYPES
};

enum retrace_way {
    RETRACE_VALUE,
    RETRACE_IN,
    RETRACE_OUT,
    RETRACE_IN_POINTERS, /* to pointers to `type`, as strings */
    RETRACE_OUT_POINTERS,
};

/* Spaces of names. */
enum retrace_names {
    RETRACE_NO_NAME,
    RETRACE_TEXTURE,
    RETRACE_BUFFER,
    RETRACE_PROGRAM, /* shaders, too: they share one space */
    RETRACE_ASSEMBLY,
    RETRACE_RENDERBUFFER,
    RETRACE_SAMPLER,
    RETRACE_DISPLAY_LIST,
    RETRACE_SYNC,
    /* Those of a context, not of all that share: */
    RETRACE_FRAMEBUFFER,
    RETRACE_QUERY,
    RETRACE_VERTEX_ARRAY,
    RETRACE_TRANSFORM_FEEDBACK,
    RETRACE_PROGRAM_PIPELINE,
    RETRACE_NAMES
};

/* How it is known how much is behind a pointer; lengths.tsv tells what each means. */
enum retrace_length {
    RETRACE_LENGTH_UNKNOWN, /* of a registry that is newer than lengths.tsv */
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
    uint8_t length; /* enum retrace_length, of a pointer; if RETRACE_LENGTH_COUNTED: … */
    uint8_t counted, factor, divisor; /* argument `counted` - 1 (0: one) * factor / divisor … */
    bool may_be_null;                 /* elements, or none */
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

/* NULL: there is none of that name. */
const struct retrace_function *retrace_function_find(const char *name);

/* Bytes of an element; of RETRACE_VOID 1. */
size_t retrace_type_size(unsigned type);

#endif
