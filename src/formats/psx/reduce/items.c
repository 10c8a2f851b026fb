/* SPDX-License-Identifier: MIT */
#include "formats/psx/reduce/items.h"

#include "base/array.h"
#include "base/bytes.h"
#include "formats/psx/index/walk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { UPLOAD_WORDS = 3, LINE_BITS = 0x3FF };

struct psx_items_block {
    struct psx_items_block *next;
    uint8_t bytes[];
};

static int add_item(struct psx_items *items, const struct psx_item *item)
{
    int status = ARRAY_GROW(items->list, items->count, items->room);

    if (status == 0)
        items->list[items->count++] = *item;
    return status;
}

static int add_part(struct psx_items *items, const struct psx_part *part)
{
    int status = ARRAY_GROW(items->parts, items->part_count, items->part_room);

    if (status == 0)
        items->parts[items->part_count++] = *part;
    return status;
}

/*
 * Allocates memory for words that are generated, which is freed with the items. Returns NULL if
 * there is none.
 */
static uint8_t *add_block(struct psx_items *items, size_t size)
{
    struct psx_items_block *block = malloc(sizeof(*block) + size);

    if (block == NULL)
        return NULL;
    block->next = items->blocks;
    items->blocks = block;
    return block->bytes;
}

/*
 * Copies words of port 0 to the items' memory, where those of a command are one run, however
 * packets cut them. The copies stay the same even if another program writes to the file meanwhile.
 */
static int add_gp0(struct psx_items *items, struct psx_item *item, const struct psx_step *step)
{
    struct psx_part *last = item->parts > 0 ? &items->parts[items->part_count - 1] : NULL;
    struct psx_part part = {
        .payload = items->memory + items->used, .words = step->words, .type = PSX_PACKET_GP0};
    size_t bytes = 4 * (size_t)step->words;
    int status = 0;

    if (bytes > items->room_of_memory - items->used)
        return -EIO;
    memcpy(part.payload, step->packet.payload + 4 * (uint64_t)step->word, bytes);
    items->used += bytes;
    if (last != NULL && last->type == PSX_PACKET_GP0) {
        last->words += step->words;
        return 0;
    }
    status = add_part(items, &part);
    item->parts += status == 0;
    return status;
}

static int add_step(struct psx_items *items, struct psx_item *item, const struct psx_step *step)
{
    struct psx_part part = {.payload = (uint8_t *)(uintptr_t)step->packet.payload +
                                       4 * (uint64_t)step->word,
                            .words = step->words,
                            .type = step->packet.type};
    int status;

    if (step->kind == PSX_STEP_GP0)
        return add_gp0(items, item, step);
    if (part.words == 0 && part.type <= PSX_PACKET_GP1)
        return 0;
    item->is_fixed |= psx_part_is_fixed(&part);
    status = add_part(items, &part);
    item->parts += status == 0;
    return status;
}

bool psx_item_is_upload(const struct psx_item *item)
{
    return item->is_gp0 && psx_gp0_table[item->op].kind == GP0_UPLOAD;
}

bool psx_item_is_vsync(const struct psx_items *items, const struct psx_item *item)
{
    return item->parts == 1 && items->parts[item->first_part].type == PSX_PACKET_VSYNC;
}

static int read_items(struct psx_items *items, const struct psx_index *index,
                      const struct cancel *cancel)
{
    struct psx_walk walk;
    struct psx_step step;
    unsigned steps = 0;
    bool idle = true;
    int status = 0;

    psx_walk_start(&walk, index);
    while (status == 0 && psx_walk_next(&walk, &step)) {
        if (idle)
            status = add_item(
                items,
                &(struct psx_item){.first_part = items->part_count,
                                   .is_kept = true,
                                   .frame = walk.at.frame,
                                   .op = step.kind == PSX_STEP_GP0 ? walk.at.state.parser.op : 0});
        if (status != 0)
            break;

        struct psx_item *item = &items->list[items->count - 1];

        status = add_step(items, item, &step);
        psx_walk_apply(&walk, &step);
        idle = walk.at.state.parser.phase == GP0_PHASE_IDLE;
        item->is_whole = idle && step.kind == PSX_STEP_GP0;
        item->is_gp0 = item->is_whole && item->parts == 1;
        if (psx_walk_cancelled(&steps, cancel))
            status = -EINTR;
    }
    return status;
}

int psx_items_read(const struct psx_index *index, const struct cancel *cancel,
                   struct psx_items *out)
{
    int status = -ENOMEM;

    *out = (struct psx_items){.magic = index->magic, .room_of_memory = index->size};
    out->memory = malloc(index->size);
    if (out->memory != NULL)
        status = read_items(out, index, cancel);
    if (status != 0)
        psx_items_clear(out);
    for (size_t i = out->count; i-- > 0;)
        if (psx_item_is_vsync(out, &out->list[i])) {
            out->list[i].is_fixed = true;
            break;
        }
    return status;
}

void psx_items_clear(struct psx_items *items)
{
    while (items->blocks != NULL) {
        struct psx_items_block *next = items->blocks->next;

        free(items->blocks);
        items->blocks = next;
    }
    free(items->list);
    free(items->parts);
    free(items->memory);
    *items = (struct psx_items){0};
}

void psx_items_compact(struct psx_items *items)
{
    size_t count = 0;

    for (size_t i = 0; i < items->count; i++)
        if (items->list[i].is_kept)
            items->list[count++] = items->list[i];
    items->count = count;
}

static void write_part(const struct psx_part *part, struct text *out)
{
    uint32_t done = 0;

    do {
        uint32_t left = part->words - done;
        uint32_t words = left < PSX_PACKET_WORDS_MAX ? left : PSX_PACKET_WORDS_MAX;

        psx_packet_header_write(out, part->type, words);
        text_add_bytes(out, (const char *)part->payload + 4 * (size_t)done, 4 * (size_t)words);
        done += words;
    } while (done < part->words);
}

void psx_items_write(const struct psx_items *items, struct text *out)
{
    text_reset(out);
    psx_magic_write(out, items->magic);
    for (size_t i = 0; i < items->count; i++) {
        const struct psx_item *item = &items->list[i];

        for (uint32_t p = 0; item->is_kept && p < item->parts; p++)
            if (!items->parts[item->first_part + p].is_left_out)
                write_part(&items->parts[item->first_part + p], out);
    }
}

/*
 * Writes the command of an upload, without data: `lines` lines, from line `line` of the upload
 * `whole` on.
 */
static void write_upload(uint8_t *to, const uint8_t *whole, uint32_t line, uint32_t lines)
{
    const uint32_t place = bytes_le32(whole + 4), size = bytes_le32(whole + 8);
    const uint32_t y = ((place >> 16) + line) & LINE_BITS;

    bytes_put_le32(to, bytes_le32(whole));
    bytes_put_le32(to + 4, (place & 0xFFFF) | y << 16);
    bytes_put_le32(to + 8, (size & 0xFFFF) | lines << 16);
}

/* Moves items from `at` on up by `count`. Returns 0 or -ENOMEM. */
static int make_room(struct psx_items *items, size_t at, size_t count)
{
    int status = 0;

    for (size_t i = 0; i < count && status == 0; i++)
        status = add_item(items, &(struct psx_item){0});
    if (status != 0)
        return status;
    memmove(items->list + at + count, items->list + at,
            (items->count - count - at) * sizeof(*items->list));
    return 0;
}

int psx_items_insert_empty(struct psx_items *items, size_t number, size_t count)
{
    int status = make_room(items, number + 1, count);
    const struct psx_item *item = &items->list[number];

    for (size_t i = 1; status == 0 && i <= count; i++)
        items->list[number + i] =
            (struct psx_item){.is_kept = true, .is_fixed = item->is_fixed, .frame = item->frame};
    return status;
}

static void clear_added(struct psx_items *items, const bool *empty, size_t count)
{
    uint64_t frame = PSX_INITIAL;

    for (size_t i = 0; i < count; i++) {
        if (empty[i])
            items->list[i] = (struct psx_item){.is_kept = true, .frame = frame};
        frame = items->list[i].frame;
    }
}

int psx_items_spread(struct psx_items *items, const bool *empty, size_t count)
{
    const size_t before = items->count;
    size_t from = before;
    int status = 0;

    while (items->count < count && status == 0)
        status = add_item(items, &(struct psx_item){0});
    if (status != 0) {
        items->count = before;
        return status;
    }
    for (size_t i = count; i-- > 0;)
        if (!empty[i])
            items->list[i] = items->list[--from];
    clear_added(items, empty, count);
    return 0;
}

int psx_items_split_upload(struct psx_items *items, size_t number, size_t *count)
{
    struct psx_item item = items->list[number];
    const struct psx_part part = items->parts[item.first_part];
    uint32_t width, words;
    uint8_t *block;
    int status;

    if (!psx_item_is_upload(&item))
        return -ENOTSUP;
    width = gp0_transfer_width(bytes_le32(part.payload + 8));
    *count = gp0_transfer_height(bytes_le32(part.payload + 8));
    words = UPLOAD_WORDS + width / 2;
    /*
     * Lines of odd width share a word. And the number of words may be wrong if another program
     * wrote to the file after they were counted.
     */
    if (width % 2 != 0 || *count < 2 || part.words != UPLOAD_WORDS + width / 2 * *count)
        return -ENOTSUP;
    block = add_block(items, 4 * (size_t)words * *count);
    if (block == NULL || (status = make_room(items, number + 1, *count)) != 0)
        return -ENOMEM;
    items->list[number].is_kept = false;
    for (uint32_t line = 0; line < *count; line++, block += 4 * (size_t)words) {
        write_upload(block, part.payload, line, 1);
        memcpy(block + 4 * UPLOAD_WORDS, part.payload + 4 * UPLOAD_WORDS + 2 * (size_t)width * line,
               2 * (size_t)width);
        item.first_part = items->part_count;
        item.is_kept = true;
        status = add_part(
            items, &(struct psx_part){.payload = block, .words = words, .type = PSX_PACKET_GP0});
        if (status != 0)
            return status;
        items->list[number + 1 + line] = item;
    }
    return 0;
}

/* Returns the command of an item that has more than one part. Its words are one run in memory. */
static struct psx_part join_words(const struct psx_items *items, const struct psx_item *item)
{
    struct psx_part command = items->parts[item->first_part];

    for (uint32_t p = 1; p < item->parts; p++)
        if (!psx_part_is_between(&items->parts[item->first_part + p]))
            command.words += items->parts[item->first_part + p].words;
    return command;
}

/* Makes `to` an item of one part, which belongs to the same frame as `from`. */
static int set_part(struct psx_items *items, const struct psx_item *from, struct psx_part part,
                    struct psx_item *to)
{
    const bool is_gp0 = part.type == PSX_PACKET_GP0;

    *to = (struct psx_item){.first_part = items->part_count,
                            .parts = 1,
                            .op = is_gp0 ? from->op : 0,
                            .is_gp0 = is_gp0,
                            .is_whole = is_gp0,
                            .is_fixed = psx_part_is_fixed(&part),
                            .frame = from->frame};
    return add_part(items, &part);
}

int psx_items_take_apart(struct psx_items *items, size_t number, size_t *count)
{
    const struct psx_item item = items->list[number];
    size_t others = 0;
    int status;

    for (uint32_t p = 0; p < item.parts; p++)
        others += psx_part_is_between(&items->parts[item.first_part + p]);
    if (others == 0 || items->parts[item.first_part].type != PSX_PACKET_GP0)
        return -ENOTSUP;
    *count = others + 2;
    status = make_room(items, number + 1, *count);
    if (status != 0)
        return status;

    struct psx_item *to = &items->list[number + 1];
    const struct psx_part command = join_words(items, &item);

    to[0] = (struct psx_item){.frame = item.frame};
    if (item.is_whole)
        status = set_part(items, &item, command, &to[0]);
    to[*count - 1] = to[0];
    for (uint32_t p = 0; p < item.parts && status == 0; p++) {
        const struct psx_part part = items->parts[item.first_part + p];

        if (psx_part_is_between(&part))
            status = set_part(items, &item, part, ++to);
    }
    return status;
}

int psx_items_join_lines(struct psx_items *items, size_t first, size_t count)
{
    struct psx_part part = items->parts[items->list[first].first_part];
    const size_t data = 4 * ((size_t)part.words - UPLOAD_WORDS);
    uint8_t *block = add_block(items, 4 * UPLOAD_WORDS + data * count);
    int status;

    if (block == NULL)
        return -ENOMEM;
    write_upload(block, part.payload, 0, (uint32_t)count);
    for (size_t i = 0; i < count; i++) {
        const struct psx_part *line = &items->parts[items->list[first + i].first_part];

        memcpy(block + 4 * UPLOAD_WORDS + data * i, line->payload + 4 * UPLOAD_WORDS, data);
        items->list[first + i].is_kept = i == 0;
    }
    items->list[first].first_part = items->part_count;
    part.payload = block;
    part.words = (uint32_t)(UPLOAD_WORDS + data / 4 * count);
    status = add_part(items, &part);
    return status;
}
