/* SPDX-License-Identifier: MIT */
#include "formats/vma/replay/history.h"

#include "base/array.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

enum { FIRST_ROOM = 64 };

/*
 * Makes room for one more item. Returns false if memory is short; the status is -ENOMEM then, and
 * no array grows any more.
 */
static bool grow(struct vma_history *history, void *items, uint32_t count, uint32_t *room,
                 size_t size)
{
    uint64_t more = *room < FIRST_ROOM ? FIRST_ROOM : *room + (uint64_t)*room / 2;

    if (count < *room)
        return true;
    if (more >= UINT32_MAX || history->status != 0 || array_resize(items, more, size) != 0) {
        history->status = -ENOMEM;
        return false;
    }
    *room = (uint32_t)more;
    return true;
}

/*
 * Returns the record of rare events, which is made when first needed. Returns NULL if memory is
 * short.
 */
static struct vma_lifetime_rare *more_of(struct vma_history *history, uint32_t number)
{
    struct vma_lifetime *lifetime;

    if (number >= history->lifetime_count || !grow(history, &history->more, history->more_count,
                                                   &history->more_room, sizeof(*history->more)))
        return NULL;
    lifetime = &history->lifetimes[number];
    if (lifetime->more == 0) {
        lifetime->more = history->more_count;
        history->more[history->more_count++] =
            (struct vma_lifetime_rare){.lost_frame = VMA_NEVER, .renamed = VMA_NEVER};
    }
    return &history->more[lifetime->more];
}

static void on_moved(struct vma_observer *observer, const struct vma_allocation *allocation)
{
    struct vma_lifetime_rare *more = more_of((struct vma_history *)observer, allocation->number);

    if (more != NULL)
        more->moved++;
}

static void on_lost(struct vma_observer *observer, const struct vma_allocation *allocation)
{
    struct vma_history *history = (struct vma_history *)observer;
    struct vma_lifetime_rare *more = more_of(history, allocation->number);

    if (more != NULL)
        more->lost_frame = history->frame;
}

void vma_history_init(struct vma_history *history)
{
    static const struct vma_lifetime_rare nothing = {.lost_frame = VMA_NEVER, .renamed = VMA_NEVER};

    *history = (struct vma_history){.observer = {on_moved, on_lost}};
    history->name_count = 1;
    if (grow(history, &history->more, 0, &history->more_room, sizeof(*history->more)))
        history->more[history->more_count++] = nothing;
}

void vma_history_clear(struct vma_history *history)
{
    free(history->lifetimes);
    free(history->more);
    free(history->pools);
    free(history->names);
    free(history->failures);
    *history = (struct vma_history){0};
}

void vma_history_begin(struct vma_history *history, const struct vma_allocator *allocator,
                       uint32_t allocation_index, uint64_t size)
{
    const struct vma_allocation *allocation = vma_allocation(allocator, allocation_index);
    struct vma_lifetime *lifetime;

    if (!grow(history, &history->lifetimes, history->lifetime_count, &history->lifetime_room,
              sizeof(*history->lifetimes)))
        return;
    lifetime = &history->lifetimes[history->lifetime_count++];
    *lifetime = (struct vma_lifetime){.pointer = allocation->pointer,
                                      .created = allocation->packet,
                                      .destroyed = VMA_NEVER,
                                      .pool = VMA_NO_POOL,
                                      .type = allocation->type,
                                      .place = allocation->place};
    if (allocation->place == VMA_PLACE_BLOCK) {
        const struct vma_range *range = vma_range(allocator, allocation->range);
        uint32_t pool = vma_vector(allocator, allocation->vector)->pool;

        lifetime->rounded = allocation->size != size;
        lifetime->offset = range->offset;
        lifetime->block = vma_block(allocator, range->block)->id;
        if (pool != VMA_NONE) {
            lifetime->pool = vma_pool(allocator, pool)->ordinal;
            if (lifetime->pool < history->pool_count)
                history->pools[lifetime->pool].allocations++;
        }
    }
}

void vma_history_end(struct vma_history *history, uint32_t number, uint32_t packet)
{
    if (number < history->lifetime_count)
        history->lifetimes[number].destroyed = packet;
}

void vma_history_orphan(struct vma_history *history, uint32_t number)
{
    if (number < history->lifetime_count)
        history->lifetimes[number].place = VMA_PLACE_ORPHAN;
}

void vma_history_map(struct vma_history *history, uint32_t number)
{
    struct vma_lifetime_rare *more = more_of(history, number);

    if (more != NULL)
        more->maps++;
}

void vma_history_rename(struct vma_history *history, uint32_t number, uint32_t packet)
{
    struct vma_lifetime_rare *more = more_of(history, number);

    if (more != NULL)
        more->renamed = packet;
}

void vma_history_pool(struct vma_history *history, uint32_t packet, uint32_t id)
{
    if (grow(history, &history->pools, history->pool_count, &history->pool_room,
             sizeof(*history->pools)))
        history->pools[history->pool_count++] =
            (struct vma_pool_lifetime){.created = packet, .destroyed = VMA_NEVER, .id = id};
}

void vma_history_pool_end(struct vma_history *history, uint32_t ordinal, uint32_t packet)
{
    if (ordinal < history->pool_count)
        history->pools[ordinal].destroyed = packet;
}

void vma_history_pool_name(struct vma_history *history, uint32_t ordinal, uint32_t packet)
{
    struct vma_pool_lifetime *pool;

    if (ordinal >= history->pool_count || !grow(history, &history->names, history->name_count,
                                                &history->name_room, sizeof(*history->names)))
        return;
    pool = &history->pools[ordinal];
    history->names[history->name_count] = (struct vma_pool_naming){packet, 0};
    if (pool->last_name != 0)
        history->names[pool->last_name].next = history->name_count;
    else
        pool->first_name = history->name_count;
    pool->last_name = history->name_count++;
}

void vma_history_failure(struct vma_history *history, uint32_t packet, enum vma_failure reason,
                         bool succeeded)
{
    if (grow(history, &history->failures, history->failure_count, &history->failure_room,
             sizeof(*history->failures)))
        history->failures[history->failure_count++] = (struct vma_failed_call){
            .packet = packet, .reason = (uint8_t)reason, .succeeded = succeeded};
}

size_t vma_history_bytes(const struct vma_history *history)
{
    return history->lifetime_room * sizeof(*history->lifetimes) +
           history->more_room * sizeof(*history->more) +
           history->pool_room * sizeof(*history->pools) +
           history->name_room * sizeof(*history->names) +
           history->failure_room * sizeof(*history->failures);
}
