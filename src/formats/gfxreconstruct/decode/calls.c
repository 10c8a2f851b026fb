/* SPDX-License-Identifier: MIT */
#include "formats/gfxreconstruct/decode/walk.h"

enum {
    FAMILY_VULKAN = 1,
    TEXT_MAX = 64 * 1024, /* maximum of bytes of one call's text */
};

const struct gfxreconstruct_call *gfxreconstruct_call_find(uint32_t id)
{
    unsigned low = 0, high = gfxreconstruct_call_count;

    if (id >> 16 != FAMILY_VULKAN)
        return NULL;
    while (low < high) {
        unsigned middle = low + (high - low) / 2;

        if (gfxreconstruct_calls[middle].id < (id & 0xffff))
            low = middle + 1;
        else
            high = middle;
    }
    return low < gfxreconstruct_call_count && gfxreconstruct_calls[low].id == (id & 0xffff)
               ? &gfxreconstruct_calls[low]
               : NULL;
}

enum gfxreconstruct_outcome gfxreconstruct_read_call(const struct gfxreconstruct_call *call,
                                                     struct gfxreconstruct_reading *reading,
                                                     struct text *text)
{
    struct gfxreconstruct_walk walk = {
        .reading = reading, .text = text, .text_end = text != NULL ? text->length + TEXT_MAX : 0};
    unsigned parameters = call->count - (call->result ? 1u : 0u);

    reading->found = (struct gfxreconstruct_slice){NULL, 0};
    gfxreconstruct_walk_word(&walk, "(");
    for (unsigned i = 0; i < parameters && walk.outcome == GFXR_DECODED; i++) {
        const struct gfxreconstruct_member *member = &gfxreconstruct_members[call->first + i];

        gfxreconstruct_walk_word(&walk, i > 0 ? ", " : "");
        gfxreconstruct_walk_word(&walk, gfxreconstruct_names + member->name);
        gfxreconstruct_walk_word(&walk, "=");
        gfxreconstruct_walk_member(&walk, member, 0);
    }
    if (text != NULL)
        text_add_char(text, ')');
    walk.text = text;
    walk.text_end += 256;
    if (call->result && walk.outcome == GFXR_DECODED) {
        gfxreconstruct_walk_word(&walk, " = ");
        gfxreconstruct_walk_member(&walk, &gfxreconstruct_members[call->first + parameters], 0);
    }
    reading->left = reading->bytes.size - walk.at;
    return walk.outcome;
}
