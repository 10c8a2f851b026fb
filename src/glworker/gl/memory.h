/* SPDX-License-Identifier: MIT */
/*
 * Memory of the traced program: buffers that it has mapped (memory.c), and blocks whose contents
 * the stream brings, by malloc() and memcpy() (heap.c, worker.md 6.10), which live as long as the
 * session. One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_MEMORY_H
#define GPUDUMPFS_GLWORKER_GL_MEMORY_H

#include "glworker/core/serve.h"
#include "glworker/gl/call.h"
#include "glworker/gl/gl.h"

#include <stddef.h>
#include <stdint.h>

/* Memory that the traced program has, as the stream writes it. */
struct retrace_block {
    uint64_t address, size; /* in the traced program */
    uint8_t *memory;        /* here; zeros behind it */
};

/* Memory of a buffer that is mapped. */
struct retrace_region {
    uint64_t address, length; /* in the traced program */
    uint8_t *memory;          /* here */
    GLuint buffer;            /* its name here */
};

/* The bytes from an address of the traced program on that are mapped here; NULL: none. */
uint8_t *retrace_mapped(const struct retrace *retrace, uint64_t address, uint64_t *length);

/* The bytes of a block from an address on; NULL: none has it. */
uint8_t *retrace_heap_find(const struct retrace *retrace, uint64_t address, uint64_t *left);
/* Of a call that has been read: what its addresses in blocks point to takes their place. */
void retrace_heap_resolve(struct retrace *retrace, struct retrace_call *call);
void retrace_heap_clear(struct retrace *retrace);
retrace_rule retrace_heap_allocate;
serve_handler retrace_handle_memory;

extern const struct retrace_rule_row retrace_memory_rules[];
extern const size_t retrace_memory_rule_count;

#endif
