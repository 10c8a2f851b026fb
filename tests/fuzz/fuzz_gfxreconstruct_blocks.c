/* SPDX-License-Identifier: MIT */
/*
 * GFXReconstruct captures, block by block: each block is within the file and is expanded, and its
 * parameters are written as text. Reading the parameters without a text must give the same result.
 */
#include "config.h"

#include "formats/gfxreconstruct/container.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { EXPANDED_MAX = 1 << 20, BLOCKS_MAX = 512 };

static struct text text = {.limit = 1 << 20};

static void expect(bool true_here)
{
    if (!true_here)
        abort();
}

static void read_call(uint32_t id, const struct blob *blob)
{
    const struct gfxreconstruct_call *call = gfxreconstruct_call_find(id);
    struct gfxreconstruct_reading told = {.bytes = {blob->data, blob->size}, .watched = "pCode"};
    struct gfxreconstruct_reading untold = told;
    enum gfxreconstruct_outcome outcome;

    if (call == NULL)
        return;
    outcome = gfxreconstruct_read_call(call, &told, &text);
    expect(gfxreconstruct_read_call(call, &untold, NULL) == outcome);
    expect(told.left == untold.left && told.found.data == untold.found.data);
    expect(told.left <= blob->size);
}

static void expect_inside(struct gfxreconstruct_slice slice, const uint8_t *data, uint64_t size)
{
    expect(slice.data == NULL || (slice.data >= data && slice.size <= size &&
                                  (uint64_t)(slice.data - data) <= size - slice.size));
}

static void read_block(const struct gfxreconstruct_block *block, uint32_t compression,
                       const uint8_t *data, size_t size)
{
    struct blob *blob = NULL;
    uint64_t bytes = 0;

    expect(block->there <= block->size);
    expect_inside(block->fields, data, size);
    expect_inside(block->label, data, size);
    expect_inside(block->data, data, size);
    gfxreconstruct_write_quoted(block->label.data, block->label.size, &text);
    if (block->meta != NULL) {
        (void)gfxreconstruct_meta_size(block->meta, block->fields, &bytes);
        (void)gfxreconstruct_write_meta(block->meta, block->fields, &text);
    }
    if (block->expanded > EXPANDED_MAX)
        return;
    if (gfxreconstruct_block_expand(block, compression, &blob) == 0 &&
        block->type == GFXR_BLOCK_CALL)
        read_call(block->id, blob);
    blob_unref(&blob);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gfxreconstruct_header header;
    struct gfxreconstruct_block block;
    uint64_t offset;
    uint32_t key, value;

    if (gfxreconstruct_header_read(data, size, &header) < 0)
        return 0;
    text_reset(&text);
    for (uint32_t number = 0; number < header.readable; number++)
        gfxreconstruct_option_read(data, number, &key, &value);
    offset = header.size;
    for (unsigned count = 0;
         count < BLOCKS_MAX && gfxreconstruct_block_read(data, size, offset, &block); count++) {
        read_block(&block, header.compression, data, size);
        offset += GFXR_BLOCK_HEADER + block.there;
    }
    return 0;
}
