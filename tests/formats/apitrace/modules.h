/* SPDX-License-Identifier: MIT */
/*
 * Small modules of SPIR-V for tests, an instruction a line. What they compute stands at each.
 */
#ifndef GPUDUMPFS_TESTS_FORMATS_APITRACE_MODULES_H
#define GPUDUMPFS_TESTS_FORMATS_APITRACE_MODULES_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

struct module {
    uint32_t words[512];
    unsigned count;
};

/* How a module says what gl_Position is, and what else it has. */
enum {
    MODULE_BLOCK = 1,    /* gl_Position is the second member of a block, or else a variable */
    MODULE_CAPTURES = 2, /* a capture of its own: gl_Position at 32 of 64 bytes in buffer 1 */
    MODULE_MATRIX = 4,   /* and a uniform block, bound to 2, whose vector is added */
    MODULE_SAMPLER = 8,  /* and what a texture of unit 1 has at its corner */
    MODULE_NOWHERE = 16, /* what it computes is at location 1, and no gl_Position */
};

/* Ids of the variable that gl_Position is, or is in, and of the block. */
enum { MODULE_RESULT = 17, MODULE_PER_VERTEX = 18 };

/*
 * The vertex stage, entry point "main": attribute 0 times the vector that is the uniform at
 * location 3, plus the float that is constant 7 of specialization, 0 at first, in each coordinate.
 */
void module_vertex(struct module *out, unsigned flags);
/* Of each point a line from there to where x is more by the uniform at location 0. */
void module_geometry(struct module *out);
/* White; or what a texture of unit 0 has at its corner (MODULE_SAMPLER). */
void module_fragment(struct module *out, unsigned flags);

/* Bytes for a script, without brackets. */
void module_print(const struct module *module, struct text *text);

#endif
