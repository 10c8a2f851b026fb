/* SPDX-License-Identifier: MIT */
#include "formats/gapir/decode/vk_names.h"

#include <stdlib.h>
#include <string.h>

static int compare_command(const void *name, const void *command)
{
    return strcmp(name, ((const struct gapir_vk_command *)command)->name);
}

const struct gapir_vk_command *gapir_vk_command_find(const char *name)
{
    return bsearch(name, gapir_vk_commands, gapir_vk_command_count, sizeof(gapir_vk_commands[0]),
                   compare_command);
}

static int compare_chained(const void *key, const void *element)
{
    uint32_t type = *(const uint32_t *)key;
    const struct gapir_vk_chained *chained = element;

    return (type > chained->type) - (type < chained->type);
}

static const struct gapir_vk_structure *sized(size_t number)
{
    return number < gapir_vk_structure_count && gapir_vk_structures[number].size > 0
               ? &gapir_vk_structures[number]
               : NULL;
}

const struct gapir_vk_structure *gapir_vk_chained_find(uint32_t type)
{
    const struct gapir_vk_chained *found =
        bsearch(&type, gapir_vk_chain, gapir_vk_chain_count, sizeof(*found), compare_chained);

    return found != NULL ? sized(found->structure) : NULL;
}

const struct gapir_vk_structure *gapir_vk_structure_of(const struct gapir_vk_member *member)
{
    return member->kind == GAPIR_VK_STRUCT || member->kind == GAPIR_VK_UNION ? sized(member->type)
                                                                             : NULL;
}

size_t gapir_vk_kind_size(unsigned kind)
{
    static const uint8_t sizes[GAPIR_VK_KINDS] = {
        [GAPIR_VK_BYTES] = 1,   [GAPIR_VK_CHAR] = 1,   [GAPIR_VK_I8] = 1,
        [GAPIR_VK_U8] = 1,      [GAPIR_VK_I16] = 2,    [GAPIR_VK_U16] = 2,
        [GAPIR_VK_I32] = 4,     [GAPIR_VK_U32] = 4,    [GAPIR_VK_I64] = 8,
        [GAPIR_VK_U64] = 8,     [GAPIR_VK_F32] = 4,    [GAPIR_VK_F64] = 8,
        [GAPIR_VK_BOOL] = 4,    [GAPIR_VK_ENUM] = 4,   [GAPIR_VK_FLAGS] = 4,
        [GAPIR_VK_FLAGS64] = 8, [GAPIR_VK_HANDLE] = 8, [GAPIR_VK_FUNCTION] = 8,
    };

    return sizes[kind];
}

size_t gapir_vk_element_size(const struct gapir_vk_member *member)
{
    const struct gapir_vk_structure *structure = gapir_vk_structure_of(member);

    return structure != NULL ? structure->size : gapir_vk_kind_size(member->kind);
}

uint64_t gapir_vk_elements(const struct gapir_vk_member *member, uint64_t counted)
{
    switch (member->length) {
    case GAPIR_VK_ONE:
        return member->elements;
    case GAPIR_VK_WORDS:
        return counted / 4;
    case GAPIR_VK_MASKS:
        return counted / 32 + (counted % 32 != 0);
    default:
        return counted;
    }
}

/* Returns the index of the first constant at or after a value of a group. */
static size_t first_of(unsigned group, uint64_t value)
{
    size_t low = 0, high = gapir_vk_constant_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct gapir_vk_constant *constant = &gapir_vk_constants[middle];

        if (constant->group < group || (constant->group == group && constant->value < value))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const char *gapir_vk_constant_name(unsigned group, uint64_t value)
{
    size_t n = first_of(group, value);

    return n < gapir_vk_constant_count && gapir_vk_constants[n].group == group &&
                   gapir_vk_constants[n].value == value
               ? gapir_vk_constants[n].name
               : NULL;
}

const char *gapir_vk_take_bits(unsigned group, uint64_t *bits)
{
    for (size_t n = first_of(group, 1);
         n < gapir_vk_constant_count && gapir_vk_constants[n].group == group; n++) {
        const uint64_t value = gapir_vk_constants[n].value;

        if ((*bits & value) == value) {
            *bits &= ~value;
            return gapir_vk_constants[n].name;
        }
    }
    return NULL;
}
