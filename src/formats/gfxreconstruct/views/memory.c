/* SPDX-License-Identifier: MIT */
#include "formats/gfxreconstruct/views/views.h"

#include "base/bytes.h"
#include "tree/tree.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#define SPIRV_MAGIC UINT32_C(0x07230203)

static int name_packet(struct dump *dump, uint64_t packet, const char *suffix, char *name)
{
    snprintf(name, RULE_NAME_MAX + 1, "%0*" PRIu64 "%s", (int)tree_packet_digits(dump), packet,
             suffix);
    return 0;
}

static int next_in(const struct gfxreconstruct_list *list, uint64_t from, uint64_t *packet)
{
    uint32_t place = gfxreconstruct_list_find(list, from);

    if (place == list->count)
        return -ENOENT;
    *packet = list->packets[place];
    return 0;
}

/* Reads a block of a list. Returns false if the packet is not in the list. */
static bool block_in(const struct gfxreconstruct_index *index,
                     const struct gfxreconstruct_list *list, uint64_t packet,
                     struct gfxreconstruct_block *block)
{
    uint32_t place = gfxreconstruct_list_find(list, packet);

    if (place == list->count || list->packets[place] != packet)
        return false;
    gfxreconstruct_index_block(index, packet, block);
    return true;
}

/* Shaders. */

static int next_shader(struct dump *dump, uint64_t parent_key, uint64_t from, uint64_t *packet)
{
    (void)parent_key;
    return next_in(&gfxreconstruct_index_of(dump)->shaders, from, packet);
}

static int name_shader(struct dump *dump, uint64_t parent_key, uint64_t packet, char *name)
{
    (void)parent_key;
    return name_packet(dump, packet, ".spv", name);
}

/* Expands the arguments of a call that creates a shader module. Returns 0, -EIO or -ENOMEM. */
static int read_arguments(struct dump *dump, const struct gfxreconstruct_block *block,
                          struct blob **out)
{
    uint32_t compression = gfxreconstruct_index_of(dump)->header.compression;
    int status = gfxreconstruct_call_find(block->id) != NULL
                     ? gfxreconstruct_block_expand(block, compression, out)
                     : -EIO; /* the file was changed since it was indexed */

    return status < 0 && status != -ENOMEM ? -EIO : status;
}

/*
 * Finds a member in the arguments. found->data is NULL if it cannot be read. Returns 0 or -EINTR.
 */
static int find_member(const struct gfxreconstruct_block *block, const struct blob *arguments,
                       const char *member, const struct cancel *cancel,
                       struct gfxreconstruct_slice *found)
{
    struct gfxreconstruct_reading reading = {
        .watched = member, .bytes = {arguments->data, arguments->size}, .cancel = cancel};
    enum gfxreconstruct_outcome outcome =
        gfxreconstruct_read_call(gfxreconstruct_call_find(block->id), &reading, NULL);

    *found = reading.found;
    return outcome == GFXR_CANCELLED ? -EINTR : 0;
}

int gfxreconstruct_shader_make(struct dump *dump, uint64_t packet, const struct cancel *cancel,
                               struct blob **out)
{
    const struct gfxreconstruct_index *index = gfxreconstruct_index_of(dump);
    struct gfxreconstruct_slice code;
    struct gfxreconstruct_block block;
    struct blob *blob = NULL;
    int status = 0;

    if (!block_in(index, &index->shaders, packet, &block))
        return -ENOENT;
    status = read_arguments(dump, &block, &blob);
    if (status < 0)
        return status;
    status = find_member(&block, blob, "pCode", cancel, &code);
    if (status == 0)
        status = code.data != NULL ? blob_create((size_t)code.size, out) : -EIO;
    if (status == 0 && code.size > 0)
        memcpy((*out)->data, code.data, (size_t)code.size);
    blob_unref(&blob);
    return status;
}

const struct rule_family gfxreconstruct_shader_family = {0, next_shader, name_shader, NULL};

static int count_shaders(struct dump *dump, uint64_t key, const struct cancel *cancel,
                         uint64_t *rows)
{
    (void)key, (void)cancel;
    *rows = gfxreconstruct_index_of(dump)->shaders.count;
    return 0;
}

static void write_code(struct gfxreconstruct_slice code, struct text *text)
{
    bool spirv = code.size >= 8 && bytes_le32(code.data) == SPIRV_MAGIC;

    text_cell_or_none(text, code.data != NULL, code.size);
    if (spirv)
        text_printf(text, "\t%u.%u", code.data[6], code.data[5]);
    else
        text_cell_word(text, "-");
}

static int write_shader(struct dump *dump, uint32_t packet, const struct cancel *cancel,
                        struct text *text)
{
    const struct gfxreconstruct_index *index = gfxreconstruct_index_of(dump);
    struct gfxreconstruct_slice code = {0}, module = {0};
    struct gfxreconstruct_block block;
    struct blob *blob = NULL;
    int status = 0;

    gfxreconstruct_index_block(index, packet, &block);
    status = read_arguments(dump, &block, &blob);
    if (status == 0)
        status = find_member(&block, blob, "pShaderModule", cancel, &module);
    if (status == 0)
        status = find_member(&block, blob, "pCode", cancel, &code);
    text_add_u64(text, packet);
    text_cell(text, gfxreconstruct_index_frame(index, packet));
    text_cell_or_none(text, module.size >= 8, module.size >= 8 ? bytes_le64(module.data) : 0);
    write_code(code, text);
    text_add_char(text, '\n');
    blob_unref(&blob);
    return status == -EIO ? 0 : status;
}

static int write_shaders(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                         const struct cancel *cancel, struct text *text)
{
    int status = 0;

    (void)key;
    for (uint64_t i = first; i < end && status == 0; i++) {
        status =
            write_shader(dump, gfxreconstruct_index_of(dump)->shaders.packets[i], cancel, text);
        if (status == 0 && cancel_requested(cancel))
            status = -EINTR;
    }
    return status;
}

const struct dump_listing gfxreconstruct_shaders_listing = {
    .columns = "packet\tframe\tmodule\tbytes\tspirv",
    .count = count_shaders,
    .rows = write_shaders};

/* Memory. */

static int next_memory(struct dump *dump, uint64_t parent_key, uint64_t from, uint64_t *packet)
{
    (void)parent_key;
    return next_in(&gfxreconstruct_index_of(dump)->memory, from, packet);
}

static int name_memory(struct dump *dump, uint64_t parent_key, uint64_t packet, char *name)
{
    (void)parent_key;
    return name_packet(dump, packet, ".bin", name);
}

/* Returns -ENODATA if the size is damaged, so that it is not announced. */
int gfxreconstruct_memory_size(struct dump *dump, uint64_t packet, uint64_t *size)
{
    const struct gfxreconstruct_index *index = gfxreconstruct_index_of(dump);
    struct gfxreconstruct_block block;

    if (!block_in(index, &index->memory, packet, &block))
        return -ENOENT;
    *size = block.expanded;
    return gfxreconstruct_block_is_plausible(&block, index->header.compression) ? 0 : -ENODATA;
}

int gfxreconstruct_memory_make(struct dump *dump, uint64_t packet, const struct cancel *cancel,
                               struct blob **out)
{
    const struct gfxreconstruct_index *index = gfxreconstruct_index_of(dump);
    struct gfxreconstruct_block block;
    int status = 0;

    (void)cancel;
    if (!block_in(index, &index->memory, packet, &block))
        return -ENOENT;
    status = gfxreconstruct_block_is_plausible(&block, index->header.compression)
                 ? gfxreconstruct_block_expand(&block, index->header.compression, out)
                 : -EIO;
    return status < 0 && status != -ENOMEM && status != -EFBIG ? -EIO : status;
}

const struct rule_family gfxreconstruct_memory_family = {0, next_memory, name_memory, NULL};

static int count_memory(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        uint64_t *rows)
{
    (void)key, (void)cancel;
    *rows = gfxreconstruct_index_of(dump)->memory.count;
    return 0;
}

static int write_memory(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                        const struct cancel *cancel, struct text *text)
{
    const struct gfxreconstruct_index *index = gfxreconstruct_index_of(dump);
    uint64_t object = 0, offset = 0;
    struct gfxreconstruct_block block;

    (void)key, (void)cancel;
    for (uint64_t i = first; i < end; i++) {
        gfxreconstruct_index_block(index, index->memory.packets[i], &block);
        if (block.meta == NULL) /* the file was changed since it was indexed */
            return -EIO;
        (void)gfxreconstruct_meta_value(block.meta, block.fields, block.meta->object, &object);
        (void)gfxreconstruct_meta_value(block.meta, block.fields, block.meta->offset, &offset);
        text_add_u64(text, index->memory.packets[i]);
        text_cell(text, gfxreconstruct_index_frame(index, index->memory.packets[i]));
        text_cell_word(text, block.meta->name);
        text_cell(text, object);
        text_cell_or_none(text, block.meta->offset >= 0, offset);
        text_cell_or_none(text,
                          gfxreconstruct_block_is_plausible(&block, index->header.compression),
                          block.expanded);
        text_add_char(text, '\n');
    }
    return 0;
}

const struct dump_listing gfxreconstruct_memory_listing = {
    .columns = "packet\tframe\tname\tobject\toffset\tbytes",
    .count = count_memory,
    .rows = write_memory};
