/* SPDX-License-Identifier: MIT */
/*
 * Values of OpenGL's enumerations by name, as Khronos' registry has them; the table is made by
 * enums.awk. Numbers below 0x100 have many names, and are not in it. Constant; any thread.
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

/* NULL: there is none of that value. */
const char *retrace_enum_name(uint32_t value);

#endif
