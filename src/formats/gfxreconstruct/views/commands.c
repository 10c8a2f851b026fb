/* SPDX-License-Identifier: MIT */
#include "formats/gfxreconstruct/views/views.h"

#include "tree/tree.h"

#include <errno.h>
#include <inttypes.h>

enum {
    STEP_BLOCKS = 256, /* blocks in one step of the pass */
    ANNOTATION_SHOWN = 400,
};

/* A block as a line. */

static const char *failure_name(int status)
{
    return status == -EFBIG        ? "larger than 1 GiB, or half of max-resident, when expanded"
           : status == -EOPNOTSUPP ? "of an unknown compression"
                                   : "damaged";
}

static int write_call(const struct gfxreconstruct_dump *dump,
                      const struct gfxreconstruct_block *block, const struct cancel *cancel,
                      struct text *text)
{
    const struct gfxreconstruct_call *call = gfxreconstruct_call_find(block->id);
    struct gfxreconstruct_reading reading = {.cancel = cancel};
    struct blob *blob = NULL;
    int status = 0;

    if (call == NULL) {
        text_printf(text, "(<%" PRIu64 " bytes not decoded>)", block->expanded);
        return 0;
    }
    status = gfxreconstruct_block_expand(block, dump->index.header.compression, &blob);
    if (status == -ENOMEM)
        return status;
    if (status < 0) {
        text_printf(text, "(<%s>)", failure_name(status));
        return 0;
    }
    reading.bytes = (struct gfxreconstruct_slice){blob->data, blob->size};
    if (gfxreconstruct_read_call(call, &reading, text) == GFXR_CANCELLED)
        status = -EINTR;
    blob_unref(&blob);
    return status;
}

static void write_annotation(const struct gfxreconstruct_block *block, struct text *text)
{
    static const char *const kinds[] = {"unknown", "text", "json", "xml"};
    uint64_t shown = block->data.size < ANNOTATION_SHOWN ? block->data.size : ANNOTATION_SHOWN;

    text_printf(text, "(type=%s, label=", block->id < 4 ? kinds[block->id] : "unknown");
    gfxreconstruct_write_shown(block->label.data, block->label.size, text);
    text_add(text, ", data=");
    gfxreconstruct_write_quoted(block->data.data, shown, text);
    text_add(text, shown < block->data.size ? "...)" : ")");
}

int gfxreconstruct_write_block(const struct gfxreconstruct_dump *dump,
                               const struct gfxreconstruct_block *block,
                               const struct cancel *cancel, struct text *text)
{
    char room[32];

    text_add(text, gfxreconstruct_block_name(block, room));
    if (!block->whole) {
        text_printf(text, "(<%" PRIu64 " of %" PRIu64 " bytes>)", block->there, block->size);
        return 0;
    }
    switch (block->type) {
    case GFXR_BLOCK_FRAME:
    case GFXR_BLOCK_STATE:
        text_printf(text, "(frame=%" PRIu64 ")", block->number);
        return 0;
    case GFXR_BLOCK_CALL:
        return write_call(dump, block, cancel, text);
    case GFXR_BLOCK_ANNOTATION:
        write_annotation(block, text);
        return 0;
    case GFXR_BLOCK_META:
        if (block->meta != NULL) {
            (void)gfxreconstruct_write_meta(block->meta, block->fields, text);
            return 0;
        }
        break;
    default:
        break;
    }
    text_printf(text, "(<%" PRIu64 " bytes not decoded>)", block->expanded);
    return 0;
}

/* commands.txt: `packet thread name(…) = result`. */

int gfxreconstruct_count_commands(struct dump *dump, uint64_t key, const struct cancel *cancel,
                                  uint64_t *rows)
{
    const struct gfxreconstruct_index *index = gfxreconstruct_index_of(dump);

    (void)cancel;
    if (key >= index->frame_count)
        return -ENOENT;
    *rows = (uint64_t)index->frames[key].last - index->frames[key].first + 1;
    return 0;
}

int gfxreconstruct_write_commands(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                                  const struct cancel *cancel, struct text *text)
{
    const struct gfxreconstruct_index *index = gfxreconstruct_index_of(dump);
    unsigned digits = tree_packet_digits(dump);
    struct gfxreconstruct_block block;
    int status = 0;

    for (uint64_t row = first; row < end && status == 0; row++) {
        uint64_t packet = index->frames[key].first + row;

        gfxreconstruct_index_block(index, packet, &block);
        text_add_padded(text, packet, digits);
        text_add_char(text, ' ');
        if (block.has_thread)
            text_add_u64(text, block.thread);
        else
            text_add_char(text, '-');
        text_add_char(text, ' ');
        status = gfxreconstruct_write_block(gfxreconstruct_dump_of(dump), &block, cancel, text);
        text_add_char(text, '\n');
        if (status == 0 && cancel_requested(cancel))
            status = -EINTR;
    }
    return status;
}

size_t gfxreconstruct_command_place(const char *line, size_t length, unsigned *inside)
{
    (void)inside;
    return text_skip_fields(line, length, 2);
}

/* functions.tsv */

static int count_functions(struct dump *dump, uint64_t key, const struct cancel *cancel,
                           uint64_t *rows)
{
    const struct gfxreconstruct_index *index = gfxreconstruct_index_of(dump);

    (void)key, (void)cancel;
    *rows = 0;
    for (unsigned i = 0; i < gfxreconstruct_call_count; i++)
        *rows += index->functions[i].calls != 0;
    return 0;
}

static int write_functions(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                           const struct cancel *cancel, struct text *text)
{
    const struct gfxreconstruct_index *index = gfxreconstruct_index_of(dump);
    uint64_t row = 0;

    (void)key, (void)cancel;
    for (unsigned i = 0; i < gfxreconstruct_call_count && row < end; i++) {
        if (index->functions[i].calls == 0 || row++ < first)
            continue;
        text_add(text, gfxreconstruct_call_name(&gfxreconstruct_calls[i]));
        text_printf(text, "\t0x%08X", 0x10000u | gfxreconstruct_calls[i].id);
        text_cell(text, index->functions[i].calls);
        text_cell(text, index->functions[i].first_packet);
        text_add_char(text, '\n');
    }
    return 0;
}

const struct dump_listing gfxreconstruct_functions_listing = {
    .columns = "name\tid\tcalls\tfirst_packet", .count = count_functions, .rows = write_functions};

/* The pass that reads all parameters. */

/* Returns 0 or -EINTR. */
static int check_call(struct gfxreconstruct_dump *dump, const struct gfxreconstruct_block *block,
                      uint64_t packet, struct gfxreconstruct_reading *reading)
{
    const struct gfxreconstruct_call *call = gfxreconstruct_call_find(block->id);
    enum gfxreconstruct_outcome outcome = gfxreconstruct_read_call(call, reading, NULL);

    if (outcome == GFXR_CANCELLED)
        return -EINTR;
    if (outcome == GFXR_CUT_OFF)
        problems_add(dump->base.problems, PROBLEM_WARNING, block->offset, packet,
                     "%s: its parameters are damaged", gfxreconstruct_call_name(call));
    else if (outcome == GFXR_PARTLY)
        problems_add(dump->base.problems, PROBLEM_NOTE, block->offset, packet,
                     "%s: %" PRIu64 " bytes of its parameters are not decoded",
                     gfxreconstruct_call_name(call), reading->left);
    else if (reading->left > 0)
        problems_add(dump->base.problems, PROBLEM_NOTE, block->offset, packet,
                     "%s: %" PRIu64 " bytes after its parameters", gfxreconstruct_call_name(call),
                     reading->left);
    return 0;
}

static int check_block(struct gfxreconstruct_dump *dump, const struct gfxreconstruct_block *block,
                       uint64_t packet, const struct cancel *cancel)
{
    bool is_call = block->type == GFXR_BLOCK_CALL && gfxreconstruct_call_find(block->id) != NULL;
    struct gfxreconstruct_reading reading = {.cancel = cancel};
    struct blob *blob = NULL;
    int status = 0;

    if (!block->whole || (!is_call && !block->compressed))
        return 0;
    status = gfxreconstruct_block_expand(block, dump->index.header.compression, &blob);
    if (status == -ENOMEM)
        return status;
    if (status < 0) {
        problems_add(dump->base.problems, PROBLEM_ERROR, block->offset, packet,
                     "the block cannot be expanded: %" PRIu64 " bytes, %s", block->data.size,
                     failure_name(status));
        return 0;
    }
    reading.bytes = (struct gfxreconstruct_slice){blob->data, blob->size};
    if (is_call)
        status = check_call(dump, block, packet, &reading);
    blob_unref(&blob);
    return status;
}

int gfxreconstruct_check_parameters(void *context, const struct cancel *cancel,
                                    struct index_task_position *position)
{
    struct gfxreconstruct_dump *dump = context;
    struct gfxreconstruct_block block;
    int status = 0;

    for (unsigned i = 0; i < STEP_BLOCKS && dump->checked < dump->index.packet_count; i++) {
        if (cancel_requested(cancel))
            return -EINTR;
        gfxreconstruct_index_block(&dump->index, dump->checked, &block);
        status = check_block(dump, &block, dump->checked, cancel);
        if (status < 0)
            return status;
        dump->checked++;
    }
    position->known = dump->checked;
    position->ended = dump->checked == dump->index.packet_count;
    return 0;
}
