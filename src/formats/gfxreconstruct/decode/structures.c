/* SPDX-License-Identifier: MIT */
#include "formats/gfxreconstruct/decode/walk.h"

#include "base/bytes.h"

/*
 * Returns the value of a member that may select a union's: a plain value of four bytes. Returns 0
 * for other members.
 */
static uint32_t value_at(const struct gfxreconstruct_walk *walk,
                         const struct gfxreconstruct_member *member, uint64_t at)
{
    return !member->pointer && gfxreconstruct_scalar_size(member->kind) == 4 &&
                   bytes_inside(at, 4, walk->reading->bytes.size)
               ? bytes_le32(walk->reading->bytes.data + at)
               : 0;
}

/* Returns whether this is the correct sType of a structure, which its name already shows. */
static bool is_redundant(const struct gfxreconstruct_walk *walk,
                         const struct gfxreconstruct_type *type, uint32_t i)
{
    return i == 0 && type->stype >= 0 && bytes_inside(walk->at, 4, walk->reading->bytes.size) &&
           bytes_le32(walk->reading->bytes.data + walk->at) == (uint32_t)type->stype;
}

enum { SELECTORS_MAX = 16 }; /* members before a union */

static void walk_members(struct gfxreconstruct_walk *walk, const struct gfxreconstruct_type *type)
{
    const struct gfxreconstruct_member *members = &gfxreconstruct_members[type->first];
    uint32_t values[SELECTORS_MAX] = {0};
    const char *between = "";

    for (uint32_t i = 0; i < type->count && walk->outcome == GFXR_DECODED; i++) {
        struct text *kept = walk->text;
        uint64_t begin = walk->at;
        bool hidden = is_redundant(walk, type, i);
        unsigned selector = members[i].kind == GFXR_UNION ? (unsigned)members[i].selector : 0;

        if (hidden) {
            walk->text = NULL;
        } else {
            gfxreconstruct_walk_word(walk, between);
            gfxreconstruct_walk_word(walk, gfxreconstruct_names + members[i].name);
            gfxreconstruct_walk_word(walk, "=");
            between = ", ";
        }
        gfxreconstruct_walk_member(walk, &members[i],
                                   selector < SELECTORS_MAX ? values[selector] : 0);
        if (i < SELECTORS_MAX)
            values[i] = value_at(walk, &members[i], begin);
        if (hidden)
            walk->text = kept;
    }
}

void gfxreconstruct_walk_struct(struct gfxreconstruct_walk *walk, unsigned number)
{
    const struct gfxreconstruct_type *type = &gfxreconstruct_types[number];

    if (++walk->depth > DEPTH_MAX) {
        gfxreconstruct_walk_damaged(walk);
        return;
    }
    if (type->stype >= 0)
        gfxreconstruct_walk_word(walk, gfxreconstruct_names + type->name);
    gfxreconstruct_walk_word(walk, "{");
    walk_members(walk, type);
    gfxreconstruct_walk_word(walk, "}");
    walk->depth--;
}

static void walk_union(struct gfxreconstruct_walk *walk, const struct gfxreconstruct_member *member,
                       uint32_t selected)
{
    const struct gfxreconstruct_type *type = &gfxreconstruct_types[member->type];

    for (uint32_t i = 0; i < type->count; i++)
        if ((uint32_t)gfxreconstruct_members[type->first + i].value == selected) {
            gfxreconstruct_walk_member(walk, &gfxreconstruct_members[type->first + i], 0);
            return;
        }
    gfxreconstruct_walk_word(walk, "{}"); /* an unknown selector: nothing is encoded */
}

/* Returns the structure with an sType, or gfxreconstruct_type_count if there is none. */
static unsigned find_struct(uint32_t stype)
{
    unsigned low = gfxreconstruct_first_struct, high = gfxreconstruct_type_count;

    while (low < high) {
        unsigned middle = low + (high - low) / 2;

        if (gfxreconstruct_types[middle].stype < (int64_t)stype)
            low = middle + 1;
        else
            high = middle;
    }
    return low < gfxreconstruct_type_count && gfxreconstruct_types[low].stype == (int64_t)stype
               ? low
               : gfxreconstruct_type_count;
}

/* Its members are not watched: it may describe another object, such as a device below this one. */
static void walk_extension(struct gfxreconstruct_walk *walk, unsigned type)
{
    const char *watched = walk->reading->watched;

    walk->reading->watched = NULL;
    gfxreconstruct_walk_struct(walk, type);
    walk->reading->watched = watched;
}

static void walk_next(struct gfxreconstruct_walk *walk)
{
    uint32_t attributes = 0, stype = 0;
    uint64_t address = 0;
    unsigned type = 0;

    if (!gfxreconstruct_walk_address(walk, &attributes, &address))
        return;
    if ((attributes & ATTRIBUTE_DATA) == 0) {
        gfxreconstruct_walk_hex(walk, address);
        return;
    }
    if (!gfxreconstruct_walk_take_u32(walk, &stype))
        return;
    walk->at -= 4;
    type = find_struct(stype);
    if (type < gfxreconstruct_type_count) {
        walk_extension(walk, type);
    } else {
        gfxreconstruct_walk_number(walk, "sType=", stype, " ");
        gfxreconstruct_walk_stop(walk);
    }
}

void gfxreconstruct_walk_member(struct gfxreconstruct_walk *walk,
                                const struct gfxreconstruct_member *member, uint32_t selected)
{
    const uint8_t *data = NULL;
    unsigned size = gfxreconstruct_scalar_size(member->kind);

    if (walk->outcome != GFXR_DECODED)
        return;
    if (member->kind == GFXR_UNKNOWN) {
        gfxreconstruct_walk_stop(walk);
    } else if (member->pointer) {
        gfxreconstruct_walk_pointer(walk, member);
    } else if (member->kind == GFXR_STRUCT) {
        gfxreconstruct_walk_struct(walk, member->type);
    } else if (member->kind == GFXR_UNION) {
        walk_union(walk, member, selected);
    } else if (member->kind == GFXR_NEXT) {
        walk_next(walk);
    } else if (size == 0) {
        gfxreconstruct_walk_damaged(walk); /* a string without its attributes */
    } else if (gfxreconstruct_walk_take(walk, size, &data)) {
        gfxreconstruct_walk_watch(walk, member, data, size);
        gfxreconstruct_walk_scalar(walk, member, bytes_le(data, size));
    }
}
