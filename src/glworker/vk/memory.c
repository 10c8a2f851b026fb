/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "glworker/vk/memory.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 16 };

#define BLOCK_MAX   (UINT64_C(1) << 30)
#define SCRATCH_MIN (UINT64_C(64) << 10)
#define SCRATCH_ALL (UINT64_C(64) << 20) /* of one call */

bool vk_memory_add(struct vk_session *session, uint64_t address, uint64_t size)
{
    struct vk_block *block = &session->blocks[session->block_count];

    if (session->block_count == VK_BLOCKS_MAX || size > BLOCK_MAX)
        return false;
    *block = (struct vk_block){address, size, calloc(1, size + 1)};
    if (block->bytes == NULL)
        return false;
    session->block_count++;
    return true;
}

void vk_memory_clear(struct vk_session *session)
{
    for (uint32_t n = 0; n < session->block_count; n++)
        free(session->blocks[n].bytes);
    session->block_count = session->window_count = 0;
}

/*
 * Returns a pointer to an address, and stores how many bytes are left from there on; NULL if the
 * address is nowhere. Where blocks and windows are adjacent, their common address belongs to the
 * one that begins there.
 */
static uint8_t *find(const struct vk_session *session, uint64_t address, uint64_t *left)
{
    for (uint32_t n = 0; n < session->block_count; n++) {
        const struct vk_block *block = &session->blocks[n];

        if (address - block->address < block->size) {
            *left = block->size - (address - block->address);
            return block->bytes + (address - block->address);
        }
    }
    for (uint32_t n = 0; n < session->window_count; n++) {
        const struct vk_window *window = &session->windows[n];

        if (address - window->address < window->size) {
            *left = window->size - (address - window->address);
            return window->bytes + (address - window->address);
        }
    }
    return NULL;
}

uint8_t *vk_memory_at(const struct vk_session *session, uint64_t address, uint64_t size)
{
    uint64_t left = 0;
    uint8_t *bytes = find(session, address, &left);

    if (bytes == NULL && size == 0 && (bytes = find(session, address - 1, &left)) != NULL)
        return bytes + 1; /* the end of a block or window */
    return bytes != NULL && size <= left ? bytes : NULL;
}

const char *vk_memory_text(const struct vk_session *session, uint64_t address, uint64_t *length)
{
    uint64_t left = 0;
    const char *text = (const char *)find(session, address, &left);

    *length = text != NULL ? strnlen(text, left) : 0;
    return *length < left ? text : NULL;
}

bool vk_memory_map(struct vk_session *session, const struct vk_window *window)
{
    if (session->window_count == VK_WINDOWS_MAX)
        return vk_note(session, "too many ranges of memory are mapped");
    session->windows[session->window_count++] = *window;
    return true;
}

void vk_memory_unmap(struct vk_session *session, uint64_t memory)
{
    for (uint32_t n = session->window_count; n-- > 0;)
        if (session->windows[n].memory == memory)
            session->windows[n] = session->windows[--session->window_count];
}

/* Adds a piece of scratch memory, of at least SCRATCH_MIN bytes, so that there are few pieces. */
static bool add_piece(struct vk_session *session, uint64_t size)
{
    uint64_t room = size > SCRATCH_MIN ? size : SCRATCH_MIN;

    if (session->scratch_count == VK_SCRATCH_MAX || session->scratch_bytes + room > SCRATCH_ALL)
        return false;
    session->scratch[session->scratch_count] = calloc(1, room);
    if (session->scratch[session->scratch_count] == NULL)
        return false;
    session->scratch_count++;
    session->scratch_bytes += room;
    session->scratch_left = room;
    return true;
}

void *vk_scratch(struct vk_session *session, uint64_t size)
{
    uint8_t *bytes;

    if (size > SCRATCH_ALL)
        return NULL;
    size = (size + ALIGNMENT) / ALIGNMENT * ALIGNMENT; /* never 0 */
    if (size > session->scratch_left && !add_piece(session, size))
        return NULL;
    /* A piece is used from its end downwards. */
    session->scratch_left -= size;
    bytes = session->scratch[session->scratch_count - 1] + session->scratch_left;
    return bytes;
}

void vk_scratch_clear(struct vk_session *session)
{
    while (session->scratch_count > 0)
        free(session->scratch[--session->scratch_count]);
    session->scratch_bytes = session->scratch_left = 0;
}
