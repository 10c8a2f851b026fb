/* SPDX-License-Identifier: MIT */
#include "formats/gfxreconstruct/decode/walk.h"

#include "base/bytes.h"

enum {
    POLL_ELEMENTS = 4096,
    ELEMENTS_SHOWN = 64, /* maximum of elements of an array that are shown */
    BYTES_SHOWN = 32,    /* maximum of bytes of an array of bytes that are shown */
};

static void walk_bytes(struct gfxreconstruct_walk *walk, const struct gfxreconstruct_member *member,
                       uint64_t length)
{
    const uint8_t *data = NULL;
    struct text *text = NULL;

    if (!gfxreconstruct_walk_take(walk, length, &data))
        return;
    gfxreconstruct_walk_watch(walk, member, data, length);
    if (length > BYTES_SHOWN || length == 0) {
        gfxreconstruct_walk_number(walk, "<", length, " bytes>");
        return;
    }
    text = gfxreconstruct_walk_text(walk);
    if (text != NULL)
        text_add(text, "0x");
    for (uint64_t i = 0; i < length && text != NULL; i++)
        text_add_hex(text, data[i], 2);
}

static void walk_scalars(struct gfxreconstruct_walk *walk,
                         const struct gfxreconstruct_member *member, uint64_t length)
{
    unsigned size = gfxreconstruct_scalar_size(member->kind);
    const uint8_t *data = NULL;
    uint64_t bytes = 0, shown = length < ELEMENTS_SHOWN ? length : ELEMENTS_SHOWN;

    if (!bytes_mul(length, size, &bytes))
        bytes = UINT64_MAX;
    if (!gfxreconstruct_walk_take(walk, bytes, &data))
        return;
    gfxreconstruct_walk_watch(walk, member, data, bytes);
    if (member->kind == GFXR_U32 && shown < length) { /* usually shader code */
        gfxreconstruct_walk_number(walk, "<", length, " words>");
        return;
    }
    for (uint64_t i = 0; i < shown; i++) {
        gfxreconstruct_walk_word(walk, i > 0 ? ", " : "");
        gfxreconstruct_walk_scalar(walk, member, bytes_le(data + i * size, size));
    }
    if (shown < length)
        gfxreconstruct_walk_number(walk, ", ... ", length - shown, " more");
}

/*
 * Polls the cancel flag. Nested arrays can have as many elements as bytes, and in a sparse file
 * these bytes cost nothing.
 */
static void poll_cancel(struct gfxreconstruct_walk *walk)
{
    if (++walk->elements % POLL_ELEMENTS == 0 && walk->outcome == GFXR_DECODED &&
        cancel_requested(walk->reading->cancel))
        walk->outcome = GFXR_CANCELLED;
}

/* Walks elements without a fixed size: structures, strings, inner arrays. */
static void walk_elements(struct gfxreconstruct_walk *walk,
                          const struct gfxreconstruct_member *member, uint64_t length,
                          bool pointers)
{
    struct text *kept = NULL;
    bool hidden = false;

    for (uint64_t i = 0; i < length && walk->outcome == GFXR_DECODED; i++) {
        uint64_t begin = walk->at;

        if (i == ELEMENTS_SHOWN) {
            gfxreconstruct_walk_number(walk, ", ... ", length - i, " more");
            kept = walk->text;
            hidden = true;
            walk->text = NULL;
        }
        gfxreconstruct_walk_word(walk, i > 0 ? ", " : "");
        if (pointers)
            gfxreconstruct_walk_pointer(walk, member);
        else
            gfxreconstruct_walk_struct(walk, member->type);
        if (walk->at == begin && walk->outcome == GFXR_DECODED)
            /* Elements without bytes: any count could be claimed. */
            gfxreconstruct_walk_damaged(walk);
        poll_cancel(walk);
    }
    if (hidden) {
        walk->text = kept;
        gfxreconstruct_walk_end(walk, ", ");
    }
}

static void walk_array(struct gfxreconstruct_walk *walk, const struct gfxreconstruct_member *member,
                       uint32_t attributes, uint64_t length)
{
    bool strings = member->kind == GFXR_STRING || member->kind == GFXR_WIDE;

    if (member->kind == GFXR_UNKNOWN || member->kind == GFXR_UNION) {
        gfxreconstruct_walk_stop(walk);
        return;
    }
    if (member->kind == GFXR_U8 && (attributes & ATTRIBUTE_ARRAY_2D) == 0) {
        walk_bytes(walk, member, length);
        return;
    }
    gfxreconstruct_walk_word(walk, "[");
    if ((attributes & ATTRIBUTE_ARRAY_2D) != 0 || strings)
        walk_elements(walk, member, length, true);
    else if (member->kind == GFXR_STRUCT)
        walk_elements(walk, member, length, false);
    else
        walk_scalars(walk, member, length);
    gfxreconstruct_walk_word(walk, "]");
}

static void walk_pointed(struct gfxreconstruct_walk *walk,
                         const struct gfxreconstruct_member *member, uint32_t attributes,
                         uint64_t length)
{
    bool string = (attributes & (ATTRIBUTE_STRING | ATTRIBUTE_WIDE)) != 0;
    struct gfxreconstruct_member single = *member;

    if ((attributes & (ATTRIBUTE_ARRAY | ATTRIBUTE_ARRAY_2D)) != 0) {
        walk_array(walk, member, attributes, length);
    } else if (string) {
        single.kind = (attributes & ATTRIBUTE_WIDE) != 0 ? GFXR_WIDE : GFXR_STRING;
        gfxreconstruct_walk_string(walk, &single, length);
    } else {
        if (member->kind != GFXR_STRUCT)
            gfxreconstruct_walk_word(walk, "&");
        single.pointer = false;
        gfxreconstruct_walk_member(walk, &single, 0);
    }
}

void gfxreconstruct_walk_pointer(struct gfxreconstruct_walk *walk,
                                 const struct gfxreconstruct_member *member)
{
    uint32_t attributes = 0;
    uint64_t address = 0, length = 1;

    if (!gfxreconstruct_walk_address(walk, &attributes, &address))
        return;
    if ((attributes & ATTRIBUTE_LENGTH) != 0 && !gfxreconstruct_walk_take_u64(walk, &length))
        return;
    if (++walk->depth > DEPTH_MAX)
        gfxreconstruct_walk_damaged(walk);
    else if ((attributes & ATTRIBUTE_DATA) == 0)
        gfxreconstruct_walk_hex(walk, address);
    else
        walk_pointed(walk, member, attributes, length);
    walk->depth--;
}
