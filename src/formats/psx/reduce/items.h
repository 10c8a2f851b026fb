/* SPDX-License-Identifier: MIT */
/*
 * A dump divided into the items that can be left out of it: complete commands to either port, and
 * packets. Whatever is left out, the rest is a valid dump. One thread.
 */
#ifndef GPUDUMPFS_PSX_REDUCE_ITEMS_H
#define GPUDUMPFS_PSX_REDUCE_ITEMS_H

#include "formats/psx/index/index.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Consecutive words of one packet type. Those of port 0 are in the memory of struct psx_items. */
struct psx_part {
    uint8_t *payload; /* little-endian words; may be modified only for port 0 */
    uint32_t words;
    uint8_t type;
    bool is_left_out; /* not written although its item is kept */
};

/*
 * A command with all its words and, for an upload, its data; or a packet. What was between the
 * words of a command, such as a word to port 1, is a part of the same item. An item without parts
 * is empty: it is the counterpart of an item that only the other dump has.
 */
struct psx_item {
    size_t first_part;
    uint32_t parts;
    uint8_t op;    /* first byte of a command to port 0 */
    bool is_gp0;   /* a complete command to port 0, in one part */
    bool is_whole; /* the same, in any number of parts */
    bool is_fixed; /* must be kept: it has the GPU version or begin, or is the last VSync */
    bool is_kept;
    uint64_t frame; /* the frame in which it begins; PSX_INITIAL if before the first */
};

struct psx_items_block;

struct psx_items {
    enum psx_magic magic;
    struct psx_item *list;
    size_t count, room;
    struct psx_part *parts;
    size_t part_count, part_room;
    uint8_t *memory; /* words of port 0 */
    size_t used, room_of_memory;
    struct psx_items_block *blocks; /* words that were generated later */
};

/*
 * Reads all items of a dump, and marks them as kept. The index must outlive them. Returns 0,
 * -ENOMEM, -EINTR, or -EIO if another program wrote to the dump meanwhile. On failure there is
 * nothing to clear.
 */
int psx_items_read(const struct psx_index *index, const struct cancel *cancel,
                   struct psx_items *out);
void psx_items_clear(struct psx_items *items);

/* Returns whether the part of a command's item is not words of the command. */
static inline bool psx_part_is_between(const struct psx_part *part)
{
    return part->type != PSX_PACKET_GP0;
}

/* Returns whether the part must be kept wherever it is: the GPU version, or begin. */
static inline bool psx_part_is_fixed(const struct psx_part *part)
{
    return part->type == PSX_PACKET_VERSION || part->type == PSX_PACKET_BEGIN;
}

/* Return whether the item is an upload or a VSync. An empty item is neither. */
bool psx_item_is_upload(const struct psx_item *item);
bool psx_item_is_vsync(const struct psx_items *items, const struct psx_item *item);

/*
 * Inserts empty items: afterwards there are `count` items, and item i is empty where empty[i] is
 * set. Each empty item belongs to the frame of the item before it. Returns 0 or -ENOMEM.
 */
int psx_items_spread(struct psx_items *items, const bool *empty, size_t count);

/*
 * Inserts `count` empty items after item `number`, with the same frame and is_fixed. Returns 0 or
 * -ENOMEM.
 */
int psx_items_insert_empty(struct psx_items *items, size_t number, size_t count);

/*
 * Writes the kept items as a dump, with one packet for each command that is in one part. `out` is
 * emptied first, and has its own status.
 */
void psx_items_write(const struct psx_items *items, struct text *out);

/* Removes the items that are not kept. The indices of items change. */
void psx_items_compact(struct psx_items *items);

/*
 * Inserts after an upload one upload for each of its lines, and keeps these instead of it. *count
 * is their number. Returns 0, -ENOMEM, or -ENOTSUP if the item is not an upload of several lines of
 * whole words.
 */
int psx_items_split_upload(struct psx_items *items, size_t number, size_t *count);

/*
 * Inserts after a command that has other packets between its words the parts of its item as items
 * of their own, none of which is kept yet: the command with all its words, then the others in their
 * order, then the command again, so that it can be kept on either side of them. *count is their
 * number. Of a command that is not whole, the items are empty. Returns 0, -ENOMEM, or -ENOTSUP if
 * there is nothing between the words.
 */
int psx_items_take_apart(struct psx_items *items, size_t number, size_t *count);

/*
 * Combines `count` consecutive lines from psx_items_split_upload() into one upload, which replaces
 * the first of them. The others are no longer kept. Returns 0 or -ENOMEM.
 */
int psx_items_join_lines(struct psx_items *items, size_t first, size_t count);

#endif
