/* SPDX-License-Identifier: MIT */
/*
 * Memory of the traced program: buffers that it has mapped (memory.c), and blocks whose contents
 * come in the stream, by malloc() and memcpy() (heap.c, worker.md 6.10). Blocks live as long as the
 * session. One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_MEMORY_H
#define GPUDUMPFS_GLWORKER_GL_MEMORY_H

#include "glworker/core/serve.h"
#include "glworker/gl/call.h"
#include "glworker/gl/gl.h"

#include <stddef.h>
#include <stdint.h>

/* A block of the traced program's memory, as written by the stream. */
struct retrace_block {
    uint64_t address, size; /* in the traced program */
    uint8_t *memory;        /* here; zeros follow */
};

/* A mapping of a buffer. */
struct retrace_region {
    uint64_t address, length; /* in the traced program */
    uint8_t *memory;          /* here */
    GLuint buffer;            /* its name here */
};

/*
 * Returns the bytes here from an address of the traced program that is in a mapped buffer, and sets
 * *length to their number. Returns NULL if the address is in no mapped buffer.
 */
uint8_t *retrace_mapped(const struct retrace *retrace, uint64_t address, uint64_t *length);

/*
 * Returns the bytes here of a block from an address, and sets *left to their number. Returns NULL
 * if no block contains the address.
 */
uint8_t *retrace_heap_find(const struct retrace *retrace, uint64_t address, uint64_t *left);
/*
 * Replaces a call's arguments that are addresses in blocks by the memory here. The call must have
 * been read.
 */
void retrace_heap_resolve(struct retrace *retrace, struct retrace_call *call);
void retrace_heap_clear(struct retrace *retrace);
retrace_rule retrace_heap_allocate;
serve_handler retrace_handle_memory;

extern const struct retrace_rule_row retrace_memory_rules[];
extern const size_t retrace_memory_rule_count;

#endif
