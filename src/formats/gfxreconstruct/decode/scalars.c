/* SPDX-License-Identifier: MIT */
#include "formats/gfxreconstruct/decode/walk.h"

#include <string.h>

unsigned gfxreconstruct_scalar_size(unsigned kind)
{
    static const uint8_t sizes[GFXR_NEXT + 1] = {
        [GFXR_U8] = 1,     [GFXR_I8] = 1,   [GFXR_U16] = 2,   [GFXR_I16] = 2,
        [GFXR_U32] = 4,    [GFXR_I32] = 4,  [GFXR_U64] = 8,   [GFXR_I64] = 8,
        [GFXR_F32] = 4,    [GFXR_F64] = 8,  [GFXR_BOOL] = 4,  [GFXR_HEX] = 8,
        [GFXR_HANDLE] = 8, [GFXR_ENUM] = 4, [GFXR_FLAGS] = 4, [GFXR_FLAGS64] = 8,
    };

    return sizes[kind];
}

static const struct gfxreconstruct_value *find_value(const struct gfxreconstruct_type *type,
                                                     int64_t value)
{
    uint32_t low = type->first, high = type->first + type->count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (gfxreconstruct_values[middle].value < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low < type->first + type->count && gfxreconstruct_values[low].value == value
               ? &gfxreconstruct_values[low]
               : NULL;
}

static void write_enum(struct gfxreconstruct_walk *walk, unsigned type, int32_t value)
{
    const struct gfxreconstruct_value *found =
        type != GFXR_NO_TYPE ? find_value(&gfxreconstruct_types[type], value) : NULL;

    if (found == NULL) {
        gfxreconstruct_walk_signed(walk, value);
        return;
    }
    gfxreconstruct_walk_word(walk, gfxreconstruct_names + gfxreconstruct_types[type].prefix);
    gfxreconstruct_walk_word(walk, gfxreconstruct_names + found->name);
}

/* Writes the names of single bits, and the remaining bits as a number. */
static void write_flags(struct gfxreconstruct_walk *walk, unsigned type, uint64_t value)
{
    const char *between = "";

    if (value == 0)
        gfxreconstruct_walk_word(walk, "0");
    for (unsigned bit = 0; bit < 64 && type != GFXR_NO_TYPE; bit++) {
        const struct gfxreconstruct_value *found =
            (value >> bit & 1) != 0
                ? find_value(&gfxreconstruct_types[type], (int64_t)(UINT64_C(1) << bit))
                : NULL;

        if (found == NULL)
            continue;
        gfxreconstruct_walk_word(walk, between);
        gfxreconstruct_walk_word(walk, gfxreconstruct_names + gfxreconstruct_types[type].prefix);
        gfxreconstruct_walk_word(walk, gfxreconstruct_names + found->name);
        between = "|";
        value &= ~(UINT64_C(1) << bit);
    }
    if (value != 0) {
        gfxreconstruct_walk_word(walk, between);
        gfxreconstruct_walk_hex(walk, value);
    }
}

/* Writes as many digits as distinguish the value from all others. */
static void write_float(struct gfxreconstruct_walk *walk, double value, unsigned digits)
{
    struct text *text = gfxreconstruct_walk_text(walk);

    if (text != NULL)
        text_printf(text, "%.*g", (int)digits, value);
}

static double double_of(uint64_t bits)
{
    double value;

    memcpy(&value, &bits, sizeof(value));
    return value;
}

static float float_of(uint64_t bits)
{
    uint32_t low = (uint32_t)bits;
    float value;

    memcpy(&value, &low, sizeof(value));
    return value;
}

void gfxreconstruct_walk_scalar(struct gfxreconstruct_walk *walk,
                                const struct gfxreconstruct_member *member, uint64_t value)
{
    static const uint8_t signed_bits[GFXR_NEXT + 1] = {
        [GFXR_I8] = 56, [GFXR_I16] = 48, [GFXR_I32] = 32};

    if (gfxreconstruct_walk_text(walk) == NULL)
        return;
    switch (member->kind) {
    case GFXR_I8:
    case GFXR_I16:
    case GFXR_I32:
    case GFXR_I64: {
        unsigned shift = signed_bits[member->kind];

        gfxreconstruct_walk_signed(walk, (int64_t)(value << shift) >> shift);
        break;
    }
    case GFXR_F32:
        write_float(walk, (double)float_of(value), 9);
        break;
    case GFXR_F64:
        write_float(walk, double_of(value), 17);
        break;
    case GFXR_BOOL:
        if (value > 1)
            gfxreconstruct_walk_number(walk, "", value, "");
        else
            gfxreconstruct_walk_word(walk, value != 0 ? "true" : "false");
        break;
    case GFXR_HEX:
        gfxreconstruct_walk_hex(walk, value);
        break;
    case GFXR_ENUM:
        write_enum(walk, member->type, (int32_t)value);
        break;
    case GFXR_FLAGS:
    case GFXR_FLAGS64:
        write_flags(walk, member->type, value);
        break;
    default:
        gfxreconstruct_walk_number(walk, "", value, "");
        break;
    }
}
