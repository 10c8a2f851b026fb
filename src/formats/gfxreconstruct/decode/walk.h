/* SPDX-License-Identifier: MIT */
/*
 * A walk over the encoded parameters of one call (calls.c), which writes them as text. What is
 * walked is in structures.c, arrays.c, strings.c and scalars.c. Only for these files.
 *
 * A walk goes on while its outcome is GFXR_DECODED. Each function may be called with another
 * outcome, and does nothing but write then, except for gfxreconstruct_walk_stop(), _damaged() and
 * _struct(), which are called only while the walk goes on.
 */
#ifndef GPUDUMPFS_GFXRECONSTRUCT_WALK_H
#define GPUDUMPFS_GFXRECONSTRUCT_WALK_H

#include "formats/gfxreconstruct/decode/decode.h"

/* The attributes of a pointer (gfxreconstruct.md 4.1). */
enum {
    ATTRIBUTE_NULL = 0x1,
    ATTRIBUTE_ARRAY = 0x4,
    ATTRIBUTE_STRING = 0x8,
    ATTRIBUTE_WIDE = 0x10,
    ATTRIBUTE_ADDRESS = 0x40,
    ATTRIBUTE_DATA = 0x80,
    ATTRIBUTE_ARRAY_2D = 0x100,
    ATTRIBUTE_LENGTH = ATTRIBUTE_ARRAY | ATTRIBUTE_ARRAY_2D | ATTRIBUTE_STRING | ATTRIBUTE_WIDE,
};

enum { DEPTH_MAX = 512 }; /* maximum of nested pointers and structures, as in pNext chains */

struct gfxreconstruct_walk {
    struct gfxreconstruct_reading *reading;
    uint64_t at;
    struct text *text; /* NULL if nothing is written */
    size_t text_end;   /* no more is written after this length */
    unsigned depth;
    unsigned elements;                   /* of arrays, counted for polling the cancel flag */
    bool damaged;                        /* GFXR_CUT_OFF stands for a damaged value */
    enum gfxreconstruct_outcome outcome; /* any value other than GFXR_DECODED ends the walk */
};

/* walk.c */

/*
 * Returns the text to write to, or NULL. When the text has become too long, appends three dots
 * once.
 */
struct text *gfxreconstruct_walk_text(struct gfxreconstruct_walk *walk);

/* These write if there is a text. */
void gfxreconstruct_walk_word(struct gfxreconstruct_walk *walk, const char *word);
void gfxreconstruct_walk_number(struct gfxreconstruct_walk *walk, const char *before,
                                uint64_t value, const char *after);
void gfxreconstruct_walk_signed(struct gfxreconstruct_walk *walk, int64_t value);
void gfxreconstruct_walk_hex(struct gfxreconstruct_walk *walk, uint64_t value);

/*
 * These take the next bytes, and point to them, or return them as a number. If there are too few,
 * they return false, and the outcome is GFXR_CUT_OFF.
 */
bool gfxreconstruct_walk_take(struct gfxreconstruct_walk *walk, uint64_t size,
                              const uint8_t **data);
bool gfxreconstruct_walk_take_u32(struct gfxreconstruct_walk *walk, uint32_t *value);
bool gfxreconstruct_walk_take_u64(struct gfxreconstruct_walk *walk, uint64_t *value);

/*
 * Takes the beginning of a pointer: its attributes, and its address if it has one. Returns false if
 * nothing follows: the pointer is NULL, which is written, or the bytes have ended.
 */
bool gfxreconstruct_walk_address(struct gfxreconstruct_walk *walk, uint32_t *attributes,
                                 uint64_t *address);

/*
 * Writes `before` and why the walk has ended, if it has ended at a value. For the caller that hid
 * that value.
 */
void gfxreconstruct_walk_end(struct gfxreconstruct_walk *walk, const char *before);

/* Ends the walk at a value that no table describes: the outcome is GFXR_PARTLY. */
void gfxreconstruct_walk_stop(struct gfxreconstruct_walk *walk);

/*
 * Ends the walk at a value that cannot be what the layer writes, or is nested too deep: the outcome
 * is GFXR_CUT_OFF.
 */
void gfxreconstruct_walk_damaged(struct gfxreconstruct_walk *walk);

/* Keeps the bytes of a member if it is the first one with the watched name. */
void gfxreconstruct_walk_watch(struct gfxreconstruct_walk *walk,
                               const struct gfxreconstruct_member *member, const uint8_t *data,
                               uint64_t size);

/* scalars.c */

/* Returns the bytes of a number of enum gfxreconstruct_kind, or 0 for kinds that are none. */
unsigned gfxreconstruct_scalar_size(unsigned kind);

/* Writes a number of the member's kind, whose bytes are the lower ones of `value`. */
void gfxreconstruct_walk_scalar(struct gfxreconstruct_walk *walk,
                                const struct gfxreconstruct_member *member, uint64_t value);

/* strings.c */

/* Walks a string of `length` characters, which are units of UTF-16 if the kind is GFXR_WIDE. */
void gfxreconstruct_walk_string(struct gfxreconstruct_walk *walk,
                                const struct gfxreconstruct_member *member, uint64_t length);

/* arrays.c */

/* Walks the attributes of a pointer, and what it points to: an array, a string or one value. */
void gfxreconstruct_walk_pointer(struct gfxreconstruct_walk *walk,
                                 const struct gfxreconstruct_member *member);

/* structures.c */

/* Walks the members of the type with this index. */
void gfxreconstruct_walk_struct(struct gfxreconstruct_walk *walk, unsigned number);

/* Walks a parameter or a member. `selected` is the value of the member that selects a union's. */
void gfxreconstruct_walk_member(struct gfxreconstruct_walk *walk,
                                const struct gfxreconstruct_member *member, uint32_t selected);

#endif
