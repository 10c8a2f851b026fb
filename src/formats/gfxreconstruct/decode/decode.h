/* SPDX-License-Identifier: MIT */
/*
 * What blocks mean: names of calls and of meta data, and the parameters of Vulkan's calls as
 * text. Pure functions of bytes and of constant tables, which tables.awk makes from vulkan.tsv;
 * any thread. (gfxreconstruct.md 3 and 4)
 */
#ifndef GPUDUMPFS_GFXRECONSTRUCT_DECODE_H
#define GPUDUMPFS_GFXRECONSTRUCT_DECODE_H

#include "base/cancel.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

/* What a parameter or a member is encoded as. */
enum gfxreconstruct_kind {
    GFXR_UNKNOWN, /* in no table: it, and what follows, stays undecoded */
    GFXR_U8,
    GFXR_I8,
    GFXR_U16,
    GFXR_I16,
    GFXR_U32,
    GFXR_I32,
    GFXR_U64,
    GFXR_I64,
    GFXR_F32,
    GFXR_F64,
    GFXR_BOOL, /* 4 bytes */
    GFXR_HEX,  /* an address, 8 bytes */
    GFXR_HANDLE,
    GFXR_STRING,
    GFXR_WIDE, /* UTF-16 */
    GFXR_ENUM,
    GFXR_FLAGS,
    GFXR_FLAGS64,
    GFXR_STRUCT,
    GFXR_UNION, /* that member whose value the selecting member has */
    GFXR_NEXT,  /* pNext: a structure that tells its type */
};

enum gfxreconstruct_class { GFXR_CLASS_ENUM, GFXR_CLASS_BITS, GFXR_CLASS_STRUCT, GFXR_CLASS_UNION };

enum { GFXR_NO_TYPE = 65535 };

struct gfxreconstruct_value {
    int64_t value;
    uint32_t name; /* offset in gfxreconstruct_names; without the prefix of its enumeration */
};

struct gfxreconstruct_member {
    uint32_t name;
    int32_t value;   /* in a union: of the selecting member */
    uint8_t kind;    /* enum gfxreconstruct_kind */
    uint16_t type;   /* index in gfxreconstruct_types, or GFXR_NO_TYPE */
    int8_t selector; /* of a union: index of the selecting member in its structure */
    bool pointer;    /* it stands behind a pointer's attributes */
};

struct gfxreconstruct_type {
    uint32_t name, prefix; /* the prefix of its values' names */
    uint8_t class;         /* enum gfxreconstruct_class */
    uint32_t first,
        count;     /* in gfxreconstruct_values (ordered by value) or gfxreconstruct_members */
    int32_t stype; /* VkStructureType; -1: none */
};

struct gfxreconstruct_call {
    uint16_t id; /* less the family */
    uint32_t name;
    uint32_t first;
    uint16_t count; /* members, of which the last one is … */
    bool result;    /* … what the call returned */
};

extern const struct gfxreconstruct_value gfxreconstruct_values[];
extern const struct gfxreconstruct_member gfxreconstruct_members[];
extern const struct gfxreconstruct_type
    gfxreconstruct_types[]; /* structures from gfxreconstruct_first_struct on, by stype */
extern const struct gfxreconstruct_call gfxreconstruct_calls[]; /* ordered by id */
extern const unsigned gfxreconstruct_type_count, gfxreconstruct_call_count,
    gfxreconstruct_first_struct;
extern const char gfxreconstruct_names[];

/* The Vulkan call that has this ApiCallId; NULL: none that is known. */
const struct gfxreconstruct_call *gfxreconstruct_call_find(uint32_t id);

static inline const char *gfxreconstruct_call_name(const struct gfxreconstruct_call *call)
{
    return gfxreconstruct_names + call->name;
}

/* How parameters ended. */
enum gfxreconstruct_outcome {
    GFXR_DECODED,
    GFXR_PARTLY,  /* a parameter is not decodable; what follows it is not looked at */
    GFXR_CUT_OFF, /* the bytes end within a parameter, or contradict themselves */
    GFXR_CANCELLED,
};

struct gfxreconstruct_slice {
    const uint8_t *data; /* NULL: not there */
    uint64_t size;
};

struct gfxreconstruct_reading {
    struct gfxreconstruct_slice bytes; /* the encoded parameters */
    const struct cancel *cancel;       /* NULL: never */
    const char *watched; /* a member's name; its first value goes to `found`; NULL: none */
    struct gfxreconstruct_slice found; /* out: of an array or string without its length */
    uint64_t left;                     /* out: bytes behind the last parameter */
};

/*
 * Reads a call's parameters; appends `(name=value, ...) = result` to `text` unless it is NULL.
 * Long arrays and texts are shortened.
 */
enum gfxreconstruct_outcome gfxreconstruct_read_call(const struct gfxreconstruct_call *call,
                                                     struct gfxreconstruct_reading *reading,
                                                     struct text *text);

/* Untrusted bytes between quotation marks; a mark within them has a backslash before it. */
void gfxreconstruct_write_quoted(const uint8_t *data, uint64_t size, struct text *text);

/* The same of what may be of any length: three dots follow where it is cut. */
void gfxreconstruct_write_shown(const uint8_t *data, uint64_t size, struct text *text);

/* Meta data blocks. */

enum {
    GFXR_META_MESSAGE = 1,
    GFXR_META_FILL_MEMORY = 2,
    GFXR_META_INIT_BUFFER = 7,
    GFXR_META_INIT_IMAGE = 8,
    GFXR_META_EXE_INFO = 18,
    GFXR_META_DRIVER_INFO = 22,
    GFXR_META_EXECUTE_FILE = 34,
};

enum { GFXR_META_FIELDS = 9 };

struct gfxreconstruct_meta_field {
    const char *name;
    uint8_t kind; /* of GFXR_U32, _U64, _I64, _HEX, _HANDLE */
};

/* What stands behind the fields. */
enum gfxreconstruct_meta_data { GFXR_DATA_NONE, GFXR_DATA_BYTES, GFXR_DATA_LEVELS, GFXR_DATA_TEXT };

struct gfxreconstruct_meta {
    uint16_t type;
    const char *name;
    struct gfxreconstruct_meta_field fields[GFXR_META_FIELDS]; /* up to the first without a name */
    enum gfxreconstruct_meta_data data;
    int8_t object, offset, bytes; /* indexes of fields, -1: none; `bytes` of expanded data */
};

/* NULL for a type that is not known. */
const struct gfxreconstruct_meta *gfxreconstruct_meta_find(uint32_t id);

/* A field's value; false when the bytes end before. `index` -1 gives 0. */
bool gfxreconstruct_meta_value(const struct gfxreconstruct_meta *meta,
                               struct gfxreconstruct_slice fields, int index, uint64_t *value);

/* The size of all fields, with an image's level sizes; false when the bytes end before. */
bool gfxreconstruct_meta_size(const struct gfxreconstruct_meta *meta,
                              struct gfxreconstruct_slice fields, uint64_t *size);

/* Appends `(name=value, ...)`; true unless the bytes end before. */
bool gfxreconstruct_write_meta(const struct gfxreconstruct_meta *meta,
                               struct gfxreconstruct_slice fields, struct text *text);

#endif
