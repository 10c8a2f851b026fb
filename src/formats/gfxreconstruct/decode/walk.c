/* SPDX-License-Identifier: MIT */
#include "formats/gfxreconstruct/decode/walk.h"

#include "base/bytes.h"

#include <inttypes.h>
#include <string.h>

struct text *gfxreconstruct_walk_text(struct gfxreconstruct_walk *walk)
{
    if (walk->text != NULL && walk->text->length > walk->text_end) {
        text_add(walk->text, "...");
        walk->text = NULL;
    }
    return walk->text;
}

void gfxreconstruct_walk_word(struct gfxreconstruct_walk *walk, const char *word)
{
    struct text *text = gfxreconstruct_walk_text(walk);

    if (text != NULL)
        text_add(text, word);
}

void gfxreconstruct_walk_number(struct gfxreconstruct_walk *walk, const char *before,
                                uint64_t value, const char *after)
{
    struct text *text = gfxreconstruct_walk_text(walk);

    if (text != NULL)
        text_printf(text, "%s%" PRIu64 "%s", before, value, after);
}

void gfxreconstruct_walk_signed(struct gfxreconstruct_walk *walk, int64_t value)
{
    struct text *text = gfxreconstruct_walk_text(walk);

    if (text != NULL)
        text_add_i64(text, value);
}

void gfxreconstruct_walk_hex(struct gfxreconstruct_walk *walk, uint64_t value)
{
    struct text *text = gfxreconstruct_walk_text(walk);

    if (text != NULL)
        text_printf(text, "0x%" PRIx64, value);
}

bool gfxreconstruct_walk_take(struct gfxreconstruct_walk *walk, uint64_t size, const uint8_t **data)
{
    if (walk->outcome != GFXR_DECODED)
        return false;
    if (!bytes_inside(walk->at, size, walk->reading->bytes.size)) {
        walk->outcome = GFXR_CUT_OFF;
        gfxreconstruct_walk_end(walk, "");
        return false;
    }
    *data = walk->reading->bytes.data + walk->at;
    walk->at += size;
    return true;
}

bool gfxreconstruct_walk_take_u32(struct gfxreconstruct_walk *walk, uint32_t *value)
{
    const uint8_t *data = NULL;

    if (!gfxreconstruct_walk_take(walk, 4, &data))
        return false;
    *value = bytes_le32(data);
    return true;
}

bool gfxreconstruct_walk_take_u64(struct gfxreconstruct_walk *walk, uint64_t *value)
{
    const uint8_t *data = NULL;

    if (!gfxreconstruct_walk_take(walk, 8, &data))
        return false;
    *value = bytes_le64(data);
    return true;
}

bool gfxreconstruct_walk_address(struct gfxreconstruct_walk *walk, uint32_t *attributes,
                                 uint64_t *address)
{
    if (!gfxreconstruct_walk_take_u32(walk, attributes))
        return false;
    if ((*attributes & ATTRIBUTE_NULL) != 0) {
        gfxreconstruct_walk_word(walk, "NULL");
        return false;
    }
    return (*attributes & ATTRIBUTE_ADDRESS) == 0 || gfxreconstruct_walk_take_u64(walk, address);
}

void gfxreconstruct_walk_end(struct gfxreconstruct_walk *walk, const char *before)
{
    if (walk->outcome != GFXR_PARTLY && walk->outcome != GFXR_CUT_OFF)
        return;
    gfxreconstruct_walk_word(walk, before);
    if (walk->outcome == GFXR_CUT_OFF)
        gfxreconstruct_walk_word(walk, walk->damaged ? "<damaged>" : "<cut off>");
    else
        gfxreconstruct_walk_number(walk, "<", walk->reading->bytes.size - walk->at,
                                   " bytes not decoded>");
}

void gfxreconstruct_walk_stop(struct gfxreconstruct_walk *walk)
{
    walk->outcome = GFXR_PARTLY;
    gfxreconstruct_walk_end(walk, "");
}

void gfxreconstruct_walk_damaged(struct gfxreconstruct_walk *walk)
{
    walk->outcome = GFXR_CUT_OFF;
    walk->damaged = true;
    gfxreconstruct_walk_end(walk, "");
}

void gfxreconstruct_walk_watch(struct gfxreconstruct_walk *walk,
                               const struct gfxreconstruct_member *member, const uint8_t *data,
                               uint64_t size)
{
    struct gfxreconstruct_reading *reading = walk->reading;

    if (reading->watched != NULL && reading->found.data == NULL &&
        strcmp(reading->watched, gfxreconstruct_names + member->name) == 0)
        reading->found = (struct gfxreconstruct_slice){data, size};
}
