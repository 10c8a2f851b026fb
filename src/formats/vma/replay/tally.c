/* SPDX-License-Identifier: MIT */
#include "formats/vma/replay/tally.h"

#include "formats/vma/decode/decode.h"
#include "formats/vma/replay/allocator_parts.h"

static const char *const label_names[VMA_LABELS] = {
    [VMA_FREE] = "FREE",
    [VMA_UNKNOWN] = "UNKNOWN",
    [VMA_BUFFER] = "BUFFER",
    [VMA_IMAGE_UNKNOWN] = "IMAGE_UNKNOWN",
    [VMA_IMAGE_LINEAR] = "IMAGE_LINEAR",
    [VMA_IMAGE_OPTIMAL] = "IMAGE_OPTIMAL",
};

static const uint8_t label_lengths[VMA_LABELS] = {
    [VMA_FREE] = VMA_LENGTH("FREE"),
    [VMA_UNKNOWN] = VMA_LENGTH("UNKNOWN"),
    [VMA_BUFFER] = VMA_LENGTH("BUFFER"),
    [VMA_IMAGE_UNKNOWN] = VMA_LENGTH("IMAGE_UNKNOWN"),
    [VMA_IMAGE_LINEAR] = VMA_LENGTH("IMAGE_LINEAR"),
    [VMA_IMAGE_OPTIMAL] = VMA_LENGTH("IMAGE_OPTIMAL"),
};

const char *vma_label_name(enum vma_label label)
{
    return label_names[label];
}

unsigned vma_tally_min(const uint32_t counts[VMA_DIGITS])
{
    for (unsigned digits = 1; digits < VMA_DIGITS; digits++)
        if (counts[digits] != 0)
            return digits;
    return 0;
}

unsigned vma_tally_max(const uint32_t counts[VMA_DIGITS])
{
    for (unsigned digits = VMA_DIGITS - 1; digits > 0; digits--)
        if (counts[digits] != 0)
            return digits;
    return 0;
}

void vma_tally_block(struct vma_allocator *allocator, uint32_t block_index, int sign)
{
    struct vma_block *block = vma_block(allocator, block_index);
    struct vma_vector *vector = vma_vector(allocator, block->vector);
    struct vma_tally *tally = &allocator->types[vector->type].tally;

    allocator->touched |= UINT32_C(1) << vector->type;
    tally->blocks += (uint64_t)(int64_t)sign;
    tally->block_bytes += (uint64_t)sign * block->size;
    if (sign < 0) {
        vector->json_length -= block->json_length;
        block->json_length = 0;
    }
}

/* Returns the printed length of a block with its header; vma.md 3.11 describes the layout. */
static uint32_t block_length(const struct vma_block *block)
{
    uint64_t length = VMA_LENGTH("        \"\": {\n"
                                 "          \"TotalBytes\": , \n"
                                 "          \"UnusedBytes\": , \n"
                                 "          \"Allocations\": , \n"
                                 "          \"UnusedRanges\": , \n"
                                 "          \"Suballocations\": [\n"
                                 "          ]\n"
                                 "        }, \n") -
                      VMA_JSON_SEPARATOR + VMA_JSON_LAST + decimal_digits(block->id) +
                      decimal_digits(block->size) + decimal_digits(block->free) +
                      decimal_digits(block->allocations) + decimal_digits(block->free_ranges) +
                      block->rows_length;

    return length < UINT32_MAX ? (uint32_t)length : UINT32_MAX;
}

void vma_tally_settle(struct vma_allocator *allocator, uint32_t block_index)
{
    struct vma_block *block = vma_block(allocator, block_index);
    struct vma_vector *vector = vma_vector(allocator, block->vector);

    vector->json_length -= block->json_length;
    block->json_length = block_length(block);
    vector->json_length += block->json_length;
    if (vector->pool != VMA_NONE)
        vma_tally_pool(allocator, vector->pool);
}

/*
 * Returns the printed length of a pool without its blocks and the digits of their number; vma.md
 * 3.11 describes the layout.
 */
static uint32_t pool_frame(const struct vma_allocator *allocator, const struct vma_pool *pool)
{
    const struct vma_vector *vector = vma_vector(allocator, pool->vector);
    uint64_t length = VMA_LENGTH("    \"\": {\n"
                                 "      \"MemoryTypeIndex\": , \n"
                                 "      \"BlockSize\": , \n"
                                 "      \"BlockCount\": {\"Cur\": }, \n"
                                 "      \"Blocks\": {\n"
                                 "      }\n"
                                 "    }, \n") +
                      decimal_digits(pool->id) + decimal_digits(vector->type) +
                      decimal_digits(vector->preferred);

    if (pool->name_length > 0)
        length += VMA_LENGTH("      \"Name\": \"\", \n") +
                  vma_json_escaped_length(allocator->data + pool->name, pool->name_length);
    if (vector->min_count > 0)
        length += VMA_LENGTH("\"Min\": , ") + decimal_digits(vector->min_count);
    if (vector->max_count < UINT64_MAX)
        length += VMA_LENGTH("\"Max\": , ") + decimal_digits(vector->max_count);
    if (vector->frames_in_use > 0)
        length +=
            VMA_LENGTH("      \"FrameInUseCount\": , \n") + decimal_digits(vector->frames_in_use);
    if (vector->algorithm == VMA_ALGORITHM_LINEAR)
        length += VMA_LENGTH("      \"Algorithm\": \"Linear\", \n");
    if (vector->algorithm == VMA_ALGORITHM_BUDDY)
        length += VMA_LENGTH("      \"Algorithm\": \"Buddy\", \n");
    return length < UINT32_MAX ? (uint32_t)length : UINT32_MAX;
}

void vma_tally_name(struct vma_allocator *allocator, uint32_t pool_index)
{
    struct vma_pool *pool = vma_pool(allocator, pool_index);

    pool->json_frame = pool_frame(allocator, pool);
    vma_tally_pool(allocator, pool_index);
}

void vma_tally_pool(struct vma_allocator *allocator, uint32_t pool_index)
{
    struct vma_pool *pool = vma_pool(allocator, pool_index);
    const struct vma_vector *vector = vma_vector(allocator, pool->vector);
    uint64_t length = pool->json_frame + decimal_digits(vector->count);

    if (pool->json_frame == 0)
        return;
    if (vector->json_length > 0)
        length += vector->json_length - VMA_JSON_SEPARATOR + VMA_JSON_LAST;
    allocator->pools_json_length += length - pool->json_length;
    pool->json_length = length;
}

static unsigned dedicated_length(const struct vma_allocation *allocation)
{
    return VMA_JSON_DEDICATED_INDENT + VMA_LENGTH("{}") + VMA_JSON_SEPARATOR +
           allocation->json_length;
}

void vma_tally_dedicated(struct vma_allocator *allocator, uint32_t allocation_index, int sign)
{
    const struct vma_allocation *allocation = vma_allocation(allocator, allocation_index);
    struct vma_type_state *type = &allocator->types[allocation->type];
    unsigned digits = decimal_digits(allocation->size);

    allocator->touched |= UINT32_C(1) << allocation->type;
    type->tally.dedicated += (uint64_t)(int64_t)sign;
    type->tally.allocations += (uint64_t)(int64_t)sign;
    type->tally.block_bytes += (uint64_t)sign * allocation->size;
    type->tally.used_bytes += (uint64_t)sign * allocation->size;
    type->tally.min_used[digits] += (uint32_t)sign;
    type->tally.max_used[digits] += (uint32_t)sign;
    type->dedicated_json_length +=
        (uint64_t)((int64_t)sign * (int64_t)dedicated_length(allocation));
    allocator->rows_length +=
        (uint64_t)((int64_t)sign * (int64_t)vma_place_length(allocator, allocation));
}

unsigned vma_place_length(struct vma_allocator *allocator, const struct vma_allocation *allocation)
{
    const struct vma_range *range;
    struct vma_site site;

    switch ((enum vma_place_kind)allocation->place) {
    case VMA_PLACE_BLOCK:
        range = vma_range(allocator, allocation->range);
        site = vma_site(allocator, range->block);
        return vma_block_place_length(&site, range);
    case VMA_PLACE_DEDICATED:
        return decimal_digits(allocation->type) +
               decimal_digits(allocator->device->types[allocation->type].heap) + VMA_LENGTH("---");
    default:
        return VMA_LENGTH("-----");
    }
}

/* Returns the length of an allocation's members in JSON, between the braces. */
static uint64_t json_length(const struct vma_allocation *allocation)
{
    uint64_t length = VMA_LENGTH("\"Type\": \"\", \"Size\": , \"CreationFrameIndex\": , "
                                 "\"LastUseFrameIndex\": ") +
                      label_lengths[allocation->label] + decimal_digits(allocation->size) +
                      decimal_digits(allocation->created) + decimal_digits(allocation->last_use);

    if (allocation->string)
        length += VMA_LENGTH("\"UserData\": \"\", ") + allocation->user_json_length;
    else if (allocation->user != 0)
        length += VMA_LENGTH("\"UserData\": \"0x\", ") + vma_hex_digits(allocation->user);
    if (allocation->resource_usage != 0)
        length += VMA_LENGTH(", \"Usage\": ") + decimal_digits(allocation->resource_usage);
    return length;
}

/* Returns the length of a row of live.tsv, without the columns of the place. */
static uint64_t row_length(const struct vma_allocation *allocation)
{
    enum { COLUMNS = 21 };
    uint64_t length = COLUMNS - 1 + VMA_LENGTH("\n") + decimal_digits(allocation->number) +
                      VMA_LENGTH("0x") + vma_hex_digits(allocation->pointer) +
                      decimal_digits(allocation->packet) + decimal_digits(allocation->frame) +
                      vma_functions[allocation->function].length +
                      label_lengths[allocation->label] + decimal_digits(allocation->size) +
                      (allocation->estimated ? VMA_LENGTH("estimated") : VMA_LENGTH("exact")) +
                      decimal_digits(allocation->alignment) + VMA_LENGTH("0x") +
                      vma_hex_digits(allocation->resource_usage) + VMA_LENGTH("0x") +
                      vma_hex_digits(allocation->flags) + decimal_digits(allocation->created) +
                      decimal_digits(allocation->last_use) + 1 + decimal_digits(allocation->maps);

    if (allocation->string)
        length += allocation->user_field_length;
    else if (allocation->user != 0)
        length += VMA_LENGTH("0x") + vma_hex_digits(allocation->user);
    else
        length += VMA_LENGTH("-");
    return length;
}

static uint32_t narrow(uint64_t length)
{
    return length < UINT32_MAX ? (uint32_t)length : UINT32_MAX;
}

void vma_tally_measure(struct vma_allocator *allocator, uint32_t allocation_index)
{
    struct vma_allocation *allocation = vma_allocation(allocator, allocation_index);
    uint32_t json = narrow(json_length(allocation));
    uint32_t row = narrow(row_length(allocation));
    uint64_t more = (uint64_t)json - allocation->json_length;
    allocator->rows_length += (uint64_t)row - allocation->row_length;
    allocation->row_length = row;
    allocation->json_length = json;
    if (allocation->place == VMA_PLACE_DEDICATED) {
        allocator->types[allocation->type].dedicated_json_length += more;
    } else if (allocation->place == VMA_PLACE_BLOCK) {
        uint32_t block = vma_range(allocator, allocation->range)->block;

        vma_block(allocator, block)->rows_length += more;
        vma_tally_settle(allocator, block);
    }
}

void vma_tally_forget(struct vma_allocator *allocator, uint32_t allocation_index)
{
    struct vma_allocation *allocation = vma_allocation(allocator, allocation_index);

    allocator->rows_length -= allocation->row_length;
    if (allocation->place == VMA_PLACE_LOST)
        allocator->rows_length -= vma_place_length(allocator, allocation);
    allocation->row_length = 0;
}
