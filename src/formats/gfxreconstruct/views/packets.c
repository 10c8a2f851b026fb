/* SPDX-License-Identifier: MIT */
#include "formats/gfxreconstruct/views/views.h"

#include "tree/tables.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

const char *gfxreconstruct_block_name(const struct gfxreconstruct_block *block, char room[32])
{
    static const char *const markers[2][3] = {{"frame-marker", "frame-begin", "frame-end"},
                                              {"state-marker", "state-begin", "state-end"}};
    const struct gfxreconstruct_call *call = NULL;

    switch (block->whole ? block->type : 0) {
    case GFXR_BLOCK_FRAME:
    case GFXR_BLOCK_STATE:
        return markers[block->type - GFXR_BLOCK_FRAME]
                      [block->id <= GFXR_MARKER_END ? block->id : 0];
    case GFXR_BLOCK_META:
        snprintf(room, 32, "meta-%" PRIu32, block->id & 0xffff);
        return block->meta != NULL ? block->meta->name : room;
    case GFXR_BLOCK_CALL:
        call = gfxreconstruct_call_find(block->id);
        snprintf(room, 32, "call-%08" PRIX32, block->id);
        return call != NULL ? gfxreconstruct_call_name(call) : room;
    case GFXR_BLOCK_ANNOTATION:
        return "annotation";
    case GFXR_BLOCK_METHOD:
        snprintf(room, 32, "method-%08" PRIX32, block->id);
        return room;
    default:
        if (!block->whole)
            return "damaged";
        snprintf(room, 32, "type-%" PRIu32, block->type);
        return room;
    }
}

int gfxreconstruct_packet(struct dump *dump, uint64_t number, struct dump_packet *out)
{
    const struct gfxreconstruct_index *index = gfxreconstruct_index_of(dump);
    struct gfxreconstruct_block block;

    if (number >= index->packet_count)
        return -ENOENT;
    gfxreconstruct_index_block(index, number, &block);
    out->offset = block.offset;
    out->data = block.offset + GFXR_BLOCK_HEADER;
    out->bytes = block.there;
    out->frame = gfxreconstruct_index_frame(index, number);
    out->type = block.type;
    out->name = gfxreconstruct_block_name(&block, out->name_room);
    return 0;
}

static const char *type_name(uint32_t type)
{
    static const char *const names[] = {[GFXR_BLOCK_FRAME] = "frame",
                                        [GFXR_BLOCK_STATE] = "state",
                                        [GFXR_BLOCK_META] = "meta",
                                        [GFXR_BLOCK_CALL] = "call",
                                        [GFXR_BLOCK_ANNOTATION] = "annotation",
                                        [GFXR_BLOCK_METHOD] = "method"};

    return type >= GFXR_BLOCK_FRAME && type <= GFXR_BLOCK_METHOD ? names[type] : NULL;
}

void gfxreconstruct_packet_type(struct dump *dump, uint32_t type, struct text *text)
{
    const char *name = type_name(type);

    (void)dump;
    if (name != NULL)
        text_add(text, name);
    else
        text_add_u64(text, type);
}

/* Returns whether a block has an id. How a block of an unknown type begins is not known. */
static bool has_id(const struct gfxreconstruct_block *block)
{
    return block->whole && type_name(block->type) != NULL;
}

static void write_row(struct dump *dump, uint64_t number, struct text *text)
{
    const struct gfxreconstruct_index *index = gfxreconstruct_index_of(dump);
    struct dump_packet description;
    struct gfxreconstruct_block block;

    (void)gfxreconstruct_packet(dump, number, &description);
    gfxreconstruct_index_block(index, number, &block);
    tables_packet(dump, number, &description, text);
    if (has_id(&block))
        text_printf(text, "\t0x%08" PRIX32, block.id);
    else
        text_cell_word(text, "-");
    text_cell_or_none(text, block.has_thread, block.thread);
    text_cell_word(text, block.compressed ? "yes" : "no");
    text_cell_or_none(text, block.whole, block.expanded);
    text_add_char(text, '\n');
}

int gfxreconstruct_packet_rows(struct dump *dump, uint64_t first, uint64_t end,
                               const struct cancel *cancel, struct text *text)
{
    (void)cancel;
    for (uint64_t number = first; number < end; number++)
        write_row(dump, number, text);
    return 0;
}

/* A decoded packet: the fields of its header, and the line that commands.txt has for it. */

int gfxreconstruct_count_packet_text(struct dump *dump, uint64_t key, const struct cancel *cancel,
                                     uint64_t *rows)
{
    (void)cancel;
    *rows = 1;
    return key < gfxreconstruct_index_of(dump)->packet_count ? 0 : -ENOENT;
}

static void write_fields(const struct gfxreconstruct_block *block, struct text *text)
{
    char room[32];

    text_field(text, "name", "%s", gfxreconstruct_block_name(block, room));
    text_add(text, "type: ");
    gfxreconstruct_packet_type(NULL, block->type, text);
    text_add_char(text, '\n');
    text_field(text, "offset", "%" PRIu64, block->offset);
    text_field(text, "bytes", "%" PRIu64, block->size);
    text_field(text, "compressed", "%s", block->compressed ? "yes" : "no");
    if (!block->whole)
        return;
    if (has_id(block))
        text_field(text, "id", "0x%08" PRIX32, block->id);
    if (block->has_thread)
        text_field(text, "thread", "%" PRIu64, block->thread);
    if (block->type == GFXR_BLOCK_METHOD)
        text_field(text, "object", "%" PRIu64, block->number);
    text_field(text, "expanded_bytes", "%" PRIu64, block->expanded);
}

int gfxreconstruct_write_packet_text(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                                     const struct cancel *cancel, struct text *text)
{
    struct gfxreconstruct_block block;
    int status = 0;

    (void)first, (void)end;
    gfxreconstruct_index_block(gfxreconstruct_index_of(dump), key, &block);
    write_fields(&block, text);
    text_add(text, "command: ");
    status = gfxreconstruct_write_block(gfxreconstruct_dump_of(dump), &block, cancel, text);
    text_add_char(text, '\n');
    return status;
}
