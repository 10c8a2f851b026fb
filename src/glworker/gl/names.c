/* SPDX-License-Identifier: MIT */
/*
 * Names of objects. Names that contexts share have one table. Framebuffers and similar objects have
 * one table per context, and a common one besides, because some drivers share them, too.
 */
#include "config.h"

#include "glworker/gl/names.h"

#include "glworker/gl/surfaces.h"

#include <stdlib.h>

static bool is_own(enum retrace_names space)
{
    return space >= RETRACE_FRAMEBUFFER;
}

uint64_t retrace_name(const struct retrace *retrace, enum retrace_names space, uint64_t old)
{
    const struct retrace_context *context = retrace_context(retrace);
    uint64_t name;

    if (old == 0)
        return 0;
    if (context != NULL && is_own(space) && retrace_map_get(&context->names[space], old, &name))
        return name;
    return retrace_map_get(&retrace->names[space], old, &name) ? name : old;
}

void retrace_name_put(struct retrace *retrace, enum retrace_names space, uint64_t old,
                      uint64_t name)
{
    struct retrace_context *context = retrace_context(retrace);

    if (old == 0 || name == 0)
        return;
    if (context != NULL && is_own(space))
        retrace_map_put(&context->names[space], old, name);
    retrace_map_put(&retrace->names[space], old, name);
}

void retrace_name_remove(struct retrace *retrace, enum retrace_names space, uint64_t old)
{
    struct retrace_context *context = retrace_context(retrace);

    if (context != NULL && is_own(space))
        retrace_map_remove(&context->names[space], old);
    retrace_map_remove(&retrace->names[space], old);
}

/* Numbers of programs. */

struct retrace_numbers *retrace_numbers(struct retrace *retrace, uint64_t program, bool begin)
{
    struct retrace_numbers *numbers;
    uint64_t value;

    if (retrace_map_get(&retrace->programs, program, &value))
        return (struct retrace_numbers *)(uintptr_t)value;
    if (!begin)
        return NULL;
    numbers = calloc(1, sizeof(*numbers));
    if (numbers == NULL ||
        retrace_map_put(&retrace->programs, program, (uint64_t)(uintptr_t)numbers) < 0) {
        free(numbers);
        return NULL;
    }
    return numbers;
}

void retrace_numbers_clear(struct retrace *retrace)
{
    for (uint32_t n = 0; n < retrace->programs.room; n++) {
        struct retrace_pair *pair = &retrace->programs.pairs[n];
        struct retrace_numbers *numbers = (struct retrace_numbers *)(uintptr_t)pair->value;

        if (pair->key == RETRACE_NO_KEY)
            continue;
        retrace_map_clear(&numbers->locations);
        retrace_map_clear(&numbers->blocks);
        retrace_map_clear(&numbers->storage);
        retrace_map_clear(&numbers->subroutines);
        free(numbers);
    }
    retrace_map_clear(&retrace->programs);
}

/* The trace only queries the location of an array; its elements' locations follow it. */
int64_t retrace_location(struct retrace *retrace, uint64_t program, int64_t old)
{
    enum { ELEMENTS_MAX = 1024 };
    const struct retrace_numbers *numbers = retrace_numbers(retrace, program, false);
    uint64_t location;

    if (numbers == NULL || old < 0)
        return old;
    for (int64_t back = 0; back <= old && back < ELEMENTS_MAX; back++)
        if (retrace_map_get(&numbers->locations, (uint64_t)(old - back), &location))
            return (int64_t)location < 0 ? -1 : (int64_t)location + back;
    return old;
}

uint64_t retrace_program(const struct retrace *retrace)
{
    const struct retrace_context *context = retrace_context(retrace);
    uint64_t program = 0;

    if (context == NULL)
        return 0;
    if (context->program == 0 && context->pipeline != 0)
        retrace_map_get(&context->pipeline_programs, context->pipeline, &program);
    return context->program != 0 ? context->program : program;
}
