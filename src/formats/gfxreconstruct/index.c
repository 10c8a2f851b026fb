/* SPDX-License-Identifier: MIT */
#include "formats/gfxreconstruct/index.h"

#include "base/array.h"
#include "base/string.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { CANCEL_EVERY = 4096 };

static int add_packet(struct gfxreconstruct_list *list, uint32_t packet)
{
    if (ARRAY_GROW(list->packets, list->count, list->room) != 0)
        return -ENOMEM;
    list->packets[list->count++] = packet;
    return 0;
}

uint32_t gfxreconstruct_list_find(const struct gfxreconstruct_list *list, uint64_t packet)
{
    uint32_t low = 0, high = list->count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (list->packets[middle] < packet)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void gfxreconstruct_index_block(const struct gfxreconstruct_index *index, uint64_t packet,
                                struct gfxreconstruct_block *out)
{
    (void)gfxreconstruct_block_read(index->data, index->size, index->offsets[packet], out);
}

uint32_t gfxreconstruct_index_frame(const struct gfxreconstruct_index *index, uint64_t packet)
{
    uint32_t low = 0, high = index->frame_count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (index->frames[middle].last < packet)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The walk. */

struct indexer {
    struct gfxreconstruct_index *index;
    struct problems *problems;
    struct gfxreconstruct_frame open; /* the contents of the open frame so far */
};

/* Returns whether a call ends a frame in captures without markers. */
static bool ends_frame(const char *name)
{
    return strcmp(name, "vkQueuePresentKHR") == 0 || strcmp(name, "vkFrameBoundaryANDROID") == 0;
}

static int end_frame(struct indexer *indexer, uint32_t packet, uint64_t number, const char *end)
{
    struct gfxreconstruct_index *index = indexer->index;

    if (ARRAY_GROW(index->frames, index->frame_count, index->frame_room) != 0)
        return -ENOMEM;
    indexer->open.last = packet;
    indexer->open.number = number != 0 || end[0] == '-' ? number : index->first_frame++;
    indexer->open.end = end;
    indexer->open.ended = end[0] != '-';
    index->frames[index->frame_count++] = indexer->open;
    indexer->open = (struct gfxreconstruct_frame){.first = packet + 1};
    return 0;
}

static int note_function(struct indexer *indexer, const struct gfxreconstruct_call *call,
                         uint32_t packet)
{
    struct gfxreconstruct_index *index = indexer->index;
    struct gfxreconstruct_function *function = &index->functions[call - gfxreconstruct_calls];
    const char *name = gfxreconstruct_call_name(call);
    bool draw = string_begins(name, "vkCmdDraw"), dispatch = string_begins(name, "vkCmdDispatch");
    bool submit = string_begins(name, "vkQueueSubmit");

    if (function->calls++ == 0)
        function->first_packet = packet;
    indexer->open.draws += draw;
    indexer->open.dispatches += dispatch;
    indexer->open.submits += submit;
    index->draws += draw;
    index->dispatches += dispatch;
    index->submits += submit;
    if (index->instance == GFXR_NO_PACKET && strcmp(name, "vkCreateInstance") == 0)
        index->instance = packet;
    if (index->properties == GFXR_NO_PACKET && string_begins(name, "vkGetPhysicalDeviceProperties"))
        index->properties = packet;
    return strcmp(name, "vkCreateShaderModule") == 0 ? add_packet(&index->shaders, packet) : 0;
}

static int note_call(struct indexer *indexer, const struct gfxreconstruct_block *block,
                     uint32_t packet)
{
    const struct gfxreconstruct_call *call = gfxreconstruct_call_find(block->id);
    int status = 0;

    indexer->open.calls++;
    indexer->index->calls++;
    if (call == NULL) {
        indexer->index->unknown_calls++;
        return 0;
    }
    status = note_function(indexer, call, packet);
    if (status == 0 && !indexer->index->markers && ends_frame(gfxreconstruct_call_name(call)))
        status = end_frame(indexer, packet, 0, gfxreconstruct_call_name(call));
    return status;
}

static int note_meta(struct indexer *indexer, const struct gfxreconstruct_block *block,
                     uint32_t packet)
{
    struct gfxreconstruct_index *index = indexer->index;
    unsigned type = block->id & 0xffff;

    if (block->meta == NULL) {
        problems_add(indexer->problems, PROBLEM_WARNING, block->offset, packet,
                     "meta data of unknown type %u is not decoded", type);
        return 0;
    }
    if (block->meta->bytes >= 0 && block->meta->data != GFXR_DATA_NONE) {
        indexer->open.memory_writes++;
        if (gfxreconstruct_block_is_plausible(block, index->header.compression))
            indexer->open.memory_bytes += block->expanded;
        return add_packet(&index->memory, packet);
    }
    if (type == GFXR_META_EXECUTE_FILE)
        problems_add(indexer->problems, PROBLEM_WARNING, block->offset, packet,
                     "blocks of another file would be executed here, but that file is not read");
    if (type == GFXR_META_EXE_INFO || type == GFXR_META_DRIVER_INFO || type == GFXR_META_MESSAGE)
        return add_packet(&index->notes, packet);
    return 0;
}

static int note_marker(struct indexer *indexer, const struct gfxreconstruct_block *block,
                       uint32_t packet)
{
    struct gfxreconstruct_index *index = indexer->index;

    if (block->id != GFXR_MARKER_BEGIN && block->id != GFXR_MARKER_END)
        problems_add(indexer->problems, PROBLEM_WARNING, block->offset, packet,
                     "marker of unknown kind %" PRIu32, block->id);
    if (block->type == GFXR_BLOCK_FRAME)
        return block->id == GFXR_MARKER_END ? end_frame(indexer, packet, block->number, "frame-end")
                                            : 0;
    if (block->id == GFXR_MARKER_BEGIN && index->state_begin == UINT64_MAX)
        index->state_begin = packet;
    if (block->id == GFXR_MARKER_END)
        index->first_frame = block->number;
    return 0;
}

static int note_block(struct indexer *indexer, const struct gfxreconstruct_block *block,
                      uint32_t packet)
{
    if (!block->whole) {
        if (block->there < block->size)
            problems_add(indexer->problems, PROBLEM_ERROR, block->offset, packet,
                         "the block is cut off, %" PRIu64 " of %" PRIu64 " bytes present",
                         block->there, block->size);
        else
            problems_add(indexer->problems, PROBLEM_ERROR, block->offset, packet,
                         "the block has %" PRIu64 " bytes, fewer than its type needs", block->size);
        return 0;
    }
    switch (block->type) {
    case GFXR_BLOCK_FRAME:
    case GFXR_BLOCK_STATE:
        return note_marker(indexer, block, packet);
    case GFXR_BLOCK_META:
        return note_meta(indexer, block, packet);
    case GFXR_BLOCK_CALL:
        return note_call(indexer, block, packet);
    case GFXR_BLOCK_METHOD:
        indexer->open.calls++;
        indexer->index->calls++;
        indexer->index->unknown_calls++;
        return 0;
    case GFXR_BLOCK_ANNOTATION:
        return add_packet(&indexer->index->notes, packet);
    default:
        problems_add(indexer->problems, PROBLEM_WARNING, block->offset, packet,
                     "block of unknown type %" PRIu32, block->type);
        return 0;
    }
}

static int add_offset(struct gfxreconstruct_index *index, uint64_t offset)
{
    if (ARRAY_GROW(index->offsets, index->packet_count, index->packet_room) != 0)
        return -ENOMEM;
    index->offsets[index->packet_count++] = offset;
    return 0;
}

/* Finds the offsets of all blocks, and whether there is a frame marker among them. */
static int find_blocks(struct gfxreconstruct_index *index, struct problems *problems,
                       const struct cancel *cancel)
{
    uint64_t offset = index->header.size;
    struct gfxreconstruct_block block;
    int status = 0;

    while (status == 0 && gfxreconstruct_block_read(index->data, index->size, offset, &block)) {
        status = add_offset(index, offset);
        if (block.whole && block.type == GFXR_BLOCK_FRAME && block.id == GFXR_MARKER_END)
            index->markers = true;
        offset += GFXR_BLOCK_HEADER + block.there;
        if (status == 0 && index->packet_count % CANCEL_EVERY == 0 && cancel_requested(cancel))
            status = -EINTR;
    }
    if (status == 0 && offset < index->size)
        problems_add(problems, PROBLEM_ERROR, offset, PROBLEM_NOWHERE,
                     "a block's header is cut off, %" PRIu64 " of %u bytes present",
                     index->size - offset, (unsigned)GFXR_BLOCK_HEADER);
    return status;
}

static void report_header(const struct gfxreconstruct_index *index, struct problems *problems)
{
    const struct gfxreconstruct_header *header = &index->header;
    uint32_t key = 0, value = 0;

    if (header->minor > GFXR_MINOR_KNOWN)
        problems_add(problems, PROBLEM_WARNING, 0, PROBLEM_NOWHERE,
                     "version %" PRIu32 ".%" PRIu32 " is newer than the latest known one (0.%d)",
                     header->major, header->minor, (int)GFXR_MINOR_KNOWN);
    if (header->readable < header->options)
        problems_add(problems, PROBLEM_ERROR, 0, PROBLEM_NOWHERE,
                     "the header is cut off, %" PRIu32 " of %" PRIu32 " options present",
                     header->readable, header->options);
    if (header->readable > GFXR_OPTIONS_MAX)
        problems_add(problems, PROBLEM_WARNING, 0, PROBLEM_NOWHERE,
                     "%" PRIu32 " options: those after the first %d are ignored", header->readable,
                     (int)GFXR_OPTIONS_MAX);
    if (gfxreconstruct_compression_name(header->compression) == NULL)
        problems_add(problems, PROBLEM_ERROR, 0, PROBLEM_NOWHERE,
                     "unknown compression %" PRIu32 ": compressed blocks are not expanded",
                     header->compression);
    for (uint32_t i = 0; i < header->readable && i < GFXR_OPTIONS_MAX; i++) {
        gfxreconstruct_option_read(index->data, i, &key, &value);
        if (key != GFXR_OPTION_COMPRESSION)
            problems_add(problems, PROBLEM_NOTE, GFXR_FILE_HEADER + 8 * (uint64_t)i,
                         PROBLEM_NOWHERE, "unknown option %" PRIu32 " with value %" PRIu32, key,
                         value);
    }
}

int gfxreconstruct_index_make(struct gfxreconstruct_index *index, struct problems *problems,
                              const struct cancel *cancel)
{
    struct indexer indexer = {.index = index, .problems = problems};
    struct gfxreconstruct_block block;
    int status = 0;

    index->instance = index->properties = GFXR_NO_PACKET;
    index->state_begin = UINT64_MAX;
    index->first_frame = 1;
    index->functions = calloc(gfxreconstruct_call_count, sizeof(*index->functions));
    if (index->functions == NULL)
        return -ENOMEM;
    index->markers = index->header.minor >= GFXR_MINOR_MARKERS;
    report_header(index, problems);
    status = find_blocks(index, problems, cancel);
    for (uint32_t i = 0; i < index->packet_count && status == 0; i++) {
        gfxreconstruct_index_block(index, i, &block);
        status = note_block(&indexer, &block, i);
        if (status == 0 && i % CANCEL_EVERY == 0 && cancel_requested(cancel))
            status = -EINTR;
    }
    if (status == 0 && indexer.open.first < index->packet_count)
        status = end_frame(&indexer, index->packet_count - 1, 0, "-");
    return status;
}

void gfxreconstruct_index_clear(struct gfxreconstruct_index *index)
{
    free(index->offsets);
    free(index->frames);
    free(index->shaders.packets);
    free(index->memory.packets);
    free(index->notes.packets);
    free(index->functions);
    *index = (struct gfxreconstruct_index){0};
}
