/* SPDX-License-Identifier: MIT */
/*
 * Names of the values of OpenGL's enumerations, from Khronos' registry; enums.awk generates the
 * table. Numbers below 0x100 have many names, and are not included. Constant; any thread.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_ENUM_NAMES_H
#define GPUDUMPFS_GLWORKER_GL_ENUM_NAMES_H

#include <stddef.h>
#include <stdint.h>

struct retrace_enum {
    uint32_t value;
    const char *name;
};

/* Sorted by value. */
extern const struct retrace_enum retrace_enums[];
extern const size_t retrace_enum_count;

/* Returns NULL if no enumeration has this value. */
const char *retrace_enum_name(uint32_t value);

#endif
