/* SPDX-License-Identifier: MIT */
/*
 * Memory of the program whose contents come in the stream: malloc() gives a block its address, and
 * memcpy() writes to it. If a call has an address in a block, the block's contents at the time of
 * the call are used. The table of lengths (lengths.tsv) limits how much of a block a call sees.
 */
#include "config.h"

#include "glworker/gl/budget.h"
#include "glworker/gl/memory.h"
#include "glworker/gl/values.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    BLOCKS_MAX = 64,
    FEW = 16,            /* maximum of elements that an enumerator implies */
    STRINGS_MAX = 65536, /* of a list of pointers */
};

uint8_t *retrace_heap_find(const struct retrace *retrace, uint64_t address, uint64_t *left)
{
    /* of overlapping blocks the latest one counts */
    for (uint32_t n = retrace->memory.block_count; n > 0; n--) {
        const struct retrace_block *block = &retrace->memory.blocks[n - 1];

        if (address - block->address < block->size) {
            *left = block->size - (address - block->address);
            return block->memory + (address - block->address);
        }
    }
    return NULL;
}

/* malloc(size) = address. The block counts as memory of objects. */
enum retrace_outcome retrace_heap_allocate(struct retrace *retrace, struct retrace_call *call)
{
    struct retrace_block block = {.address = retrace_result(call),
                                  .size = (uint64_t)retrace_integer(call, 0)};

    if (block.size == 0 || block.address == 0)
        return RETRACE_LEFT;
    /* Traces of older tracers have many calls of malloc(), and describe memory in another way. */
    if (block.address + block.size < block.address || retrace->memory.block_count == BLOCKS_MAX)
        return RETRACE_LEFT;
    if (!retrace_budget_fits(retrace, block.size))
        return RETRACE_REFUSED;
    if (retrace->memory.blocks == NULL)
        retrace->memory.blocks = calloc(BLOCKS_MAX, sizeof(*retrace->memory.blocks));
    if (retrace->memory.blocks != NULL)
        block.memory = calloc(1, (size_t)block.size + RETRACE_PAD);
    if (block.memory == NULL)
        return retrace_refuse(retrace, "out of memory");
    retrace_budget_take(retrace, block.size);
    retrace->memory.blocks[retrace->memory.block_count++] = block;
    return RETRACE_MADE;
}

void retrace_heap_clear(struct retrace *retrace)
{
    for (uint32_t n = 0; n < retrace->memory.block_count; n++)
        free(retrace->memory.blocks[n].memory);
    free(retrace->memory.blocks);
    retrace->memory.blocks = NULL;
    retrace->memory.block_count = 0;
}

/* Arguments. */

/* Returns the bytes of elements up to the first one that is zero, including it. */
static uint64_t text_bytes(const uint8_t *memory, uint64_t left, size_t size)
{
    static const uint8_t zero[sizeof(uint64_t)];
    uint64_t bytes = 0;

    while (left - bytes >= size) {
        bytes += size;
        if (memcmp(memory + bytes - size, zero, size) == 0)
            break;
    }
    return bytes;
}

/* Returns the bytes of an argument that a call may see, of the `left` bytes that there are. */
static uint64_t seen_bytes(const struct retrace_call *call,
                           const struct retrace_parameter *parameter, const uint8_t *memory,
                           uint64_t left)
{
    const size_t size = retrace_type_size(parameter->type);
    uint64_t count = FEW;

    if (parameter->length == RETRACE_LENGTH_TEXT)
        return text_bytes(memory, left, size);
    if (parameter->length == RETRACE_LENGTH_COUNTED)
        count = retrace_needed(call, parameter);
    return count < left / size ? count * size : left / size * size;
}

/* Makes a separate copy, followed by zeros, because names in it may be translated. */
static void copy_seen(struct retrace *retrace, const struct retrace_call *call, unsigned n,
                      const uint8_t *memory, uint64_t left)
{
    const struct retrace_parameter *parameter = &call->binding->gl->parameters[n];
    struct retrace_argument *argument = (struct retrace_argument *)&call->arguments[n];
    uint64_t size = seen_bytes(call, parameter, memory, left);
    uint8_t *copy = retrace_scratch_take(&retrace->scratch, size + RETRACE_PAD);

    if (copy == NULL)
        return; /* remains an address whose contents are unknown */
    memcpy(copy, memory, (size_t)size);
    argument->kind = RETRACE_MEMORY;
    argument->memory = copy;
    argument->size = size;
    argument->count = size / retrace_type_size(parameter->type);
}

/* Pointers have four bytes if the program's addresses have. */
static uint64_t read_pointer(const uint8_t *memory, size_t size)
{
    uint64_t pointer = 0;

    memcpy(&pointer, memory, size);
    return pointer;
}

/*
 * Translates a list of pointers: addresses in blocks become pointers to the memory here, others are
 * offsets.
 */
static void take_pointers(struct retrace *retrace, struct retrace_call *call, unsigned n,
                          const uint8_t *memory, uint64_t left)
{
    const struct retrace_parameter *parameter = &call->binding->gl->parameters[n];
    struct retrace_argument *argument = &call->arguments[n];
    const size_t size = argument->number > UINT32_MAX ? 8 : 4;
    uint64_t count = retrace_needed(call, parameter);
    void **pointers;

    if (count > STRINGS_MAX || count > left / size)
        return;
    pointers = retrace_scratch_take(&retrace->scratch, count * sizeof(*pointers) + RETRACE_PAD);
    argument->sizes =
        retrace_scratch_take(&retrace->scratch, count * sizeof(*argument->sizes) + RETRACE_PAD);
    if (pointers == NULL || argument->sizes == NULL)
        return;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t address = read_pointer(memory + i * size, size), room = 0;
        uint8_t *found = retrace_heap_find(retrace, address, &room);

        pointers[i] = found != NULL ? found : (uint8_t *)(uintptr_t)address;
        if (found != NULL)
            argument->sizes[i] =
                parameter->type == RETRACE_VOID ? room : strnlen((const char *)found, (size_t)room);
    }
    argument->kind = RETRACE_MEMORY;
    argument->memory = (uint8_t *)pointers;
    argument->count = count;
    argument->size = count * sizeof(*pointers);
}

static void resolve(struct retrace *retrace, struct retrace_call *call, unsigned n)
{
    const struct retrace_parameter *parameter = &call->binding->gl->parameters[n];
    struct retrace_argument *argument = &call->arguments[n];
    uint64_t left = 0;
    uint8_t *memory = retrace_heap_find(retrace, argument->number, &left);

    if (memory == NULL)
        return;
    switch (parameter->length) {
    case RETRACE_LENGTH_COUNTED:
    case RETRACE_LENGTH_TEXT:
    case RETRACE_LENGTH_FEW:
        if (parameter->way == RETRACE_IN_POINTERS)
            take_pointers(retrace, call, n, memory, left);
        else if (parameter->way != RETRACE_OUT_POINTERS)
            copy_seen(retrace, call, n, memory, left);
        break;
    case RETRACE_LENGTH_RULE:
        if (parameter->way == RETRACE_IN_POINTERS || parameter->way == RETRACE_OUT_POINTERS)
            break;
        argument->kind = RETRACE_MEMORY;
        argument->live = true;
        argument->memory = memory;
        argument->size = left;
        argument->count = left / retrace_type_size(parameter->type);
        break;
    default:
        break;
    }
}

void retrace_heap_resolve(struct retrace *retrace, struct retrace_call *call)
{
    for (unsigned n = 0; n < call->count; n++)
        if (call->binding->gl->parameters[n].way != RETRACE_VALUE &&
            call->arguments[n].kind == RETRACE_ADDRESS)
            resolve(retrace, call, n);
}

/* Answers with the contents at an address of a block or of a mapped buffer. */
int retrace_handle_memory(struct message_reader *request, struct serve_answer *answer)
{
    uint64_t address = message_read_u64(request), size = message_read_u64(request), left = 0;
    const struct retrace *retrace = retrace_session();
    const uint8_t *memory;

    if (!message_read_all(request))
        return -EPROTO;
    if (retrace == NULL)
        return serve_refuse(answer, -EINVAL, "there is no session: RESET must be sent first");
    memory = retrace_heap_find(retrace, address, &left);
    if (memory == NULL)
        memory = retrace_mapped(retrace, address, &left);
    if (memory == NULL || size > left)
        return serve_refuse(answer, -ENOENT, "there is no such memory");
    message_write_bytes(&answer->body, memory, (size_t)size);
    return 0;
}
