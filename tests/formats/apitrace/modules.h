/* SPDX-License-Identifier: MIT */
/*
 * Small SPIR-V modules for tests, one instruction a line. The comment of each says what it
 * computes.
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

/* How a module declares gl_Position, and what else it has */
enum {
    MODULE_BLOCK = 1,    /* gl_Position is the second member of a block instead of a variable */
    MODULE_CAPTURES = 2, /* captures by itself: gl_Position at 32 of 64 bytes in buffer 1 */
    MODULE_MATRIX = 4,   /* adds the vector of a uniform block bound to 2 */
    MODULE_SAMPLER = 8,  /* adds the corner texel of the texture of unit 1 */
    MODULE_NOWHERE = 16, /* the result is at location 1, and there is no gl_Position */
};

/* Ids of the variable that is or contains gl_Position, and of the block */
enum { MODULE_RESULT = 17, MODULE_PER_VERTEX = 18 };

/*
 * Builds the vertex stage, with entry point "main". It computes attribute 0 times the vector that
 * is the uniform at location 3, and adds specialization constant 7, a float that is 0 by default,
 * to each coordinate.
 */
void module_vertex(struct module *out, unsigned flags);
/*
 * Builds a geometry stage that turns each point into a line from there to the position whose x is
 * greater by the uniform at location 0.
 */
void module_geometry(struct module *out);
/*
 * Builds a fragment stage that draws white, or the corner texel of the texture of unit 0
 * (MODULE_SAMPLER).
 */
void module_fragment(struct module *out, unsigned flags);

/* Appends the module's bytes as a script has them, without brackets. */
void module_print(const struct module *module, struct text *text);

#endif
