/* SPDX-License-Identifier: MIT */
/*
 * A dump taken apart into what can be left out of it: whole commands of either port, and packets.
 * Whatever is left out, what remains is a dump. One thread.
 */
#ifndef GPUDUMPFS_PSX_REDUCE_ITEMS_H
#define GPUDUMPFS_PSX_REDUCE_ITEMS_H

#include "formats/psx/index/index.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Words of one packet type that follow each other. Of port 0 they stand in the items' memory. */
struct psx_part {
    uint8_t *payload; /* words, little-endian; not to be written but for port 0 */
    uint32_t words;
    uint8_t type;
};

/*
 * A command with all its words and, for an upload, its data; or a packet. What stood between the
 * words of a command, such as a word to port 1, is a part of the same item. One without parts is
 * empty: it stands beside what another dump alone has.
 */
struct psx_item {
    size_t first_part;
    uint32_t parts;
    uint8_t op;    /* of a command of port 0 */
    bool is_gp0;   /* a command of port 0, whole, and of one part */
    bool is_fixed; /* is kept: GPU version, begin, the last VSync */
    bool is_kept;
    uint64_t frame; /* in which it begins; PSX_INITIAL: before the first */
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
    struct psx_items_block *blocks; /* words that were written later */
};

/* All of a dump, kept; the index outlives them. 0, -ENOMEM, -EINTR; -EIO: it was written. */
int psx_items_read(const struct psx_index *index, const struct cancel *cancel,
                   struct psx_items *out);
void psx_items_clear(struct psx_items *items);

/* Of each such item, whether it is one; those that are empty are none. */
bool psx_item_is_upload(const struct psx_item *item);
bool psx_item_is_vsync(const struct psx_items *items, const struct psx_item *item);

/*
 * Puts empty items between the others, at each place with empty[place]: `count` places in all.
 * Each belongs to the frame of the item before it. 0 or -ENOMEM.
 */
int psx_items_spread(struct psx_items *items, const bool *empty, size_t count);

/* Puts `count` empty items behind one, of its frame, fixed as little as it is. 0 or -ENOMEM. */
int psx_items_insert_empty(struct psx_items *items, size_t number, size_t count);

/* The items that are kept as a dump, a packet for each command; `out` is emptied first. */
void psx_items_write(const struct psx_items *items, struct text *out);

/* Forgets what is not kept: numbers of items change. */
void psx_items_compact(struct psx_items *items);

/*
 * Puts behind an upload one for each of its lines, and keeps these in its place: *count of them.
 * 0, -ENOMEM, -ENOTSUP where it is no upload of several lines of whole words.
 */
int psx_items_split_upload(struct psx_items *items, size_t number, size_t *count);

/* Makes one upload again of `count` such lines that follow each other, in place of the first. */
int psx_items_join_lines(struct psx_items *items, size_t first, size_t count);

#endif
