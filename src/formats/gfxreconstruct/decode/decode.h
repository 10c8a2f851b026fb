/* SPDX-License-Identifier: MIT */
/*
 * The meaning of blocks: the names of calls and of meta data, and the parameters of Vulkan's calls
 * as text. Pure functions of bytes and of constant tables, which tables.awk generates from
 * vulkan.tsv; any thread may call them. (gfxreconstruct.md 3 and 4)
 */
#ifndef GPUDUMPFS_GFXRECONSTRUCT_DECODE_H
#define GPUDUMPFS_GFXRECONSTRUCT_DECODE_H

#include "base/cancel.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

/* How a parameter or a member is encoded. */
enum gfxreconstruct_kind {
    GFXR_UNKNOWN, /* in no table: this and what follows is not decoded */
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
    GFXR_UNION, /* the member whose value is that of the selecting member */
    GFXR_NEXT,  /* pNext: a structure that begins with its type */
};

enum gfxreconstruct_class { GFXR_CLASS_ENUM, GFXR_CLASS_BITS, GFXR_CLASS_STRUCT, GFXR_CLASS_UNION };

enum { GFXR_NO_TYPE = 65535 };

struct gfxreconstruct_value {
    int64_t value;
    uint32_t name; /* offset in gfxreconstruct_names, without the enumeration's prefix */
};

struct gfxreconstruct_member {
    uint32_t name;
    int32_t value;   /* in a union: the value of the selecting member */
    uint8_t kind;    /* enum gfxreconstruct_kind */
    uint16_t type;   /* index in gfxreconstruct_types, or GFXR_NO_TYPE */
    int8_t selector; /* of a union: index of the selecting member in its structure */
    bool pointer;    /* it is encoded after a pointer's attributes */
};

struct gfxreconstruct_type {
    uint32_t name, prefix; /* `prefix` is that of the names of its values */
    uint8_t class;         /* enum gfxreconstruct_class */
    /* Its part of gfxreconstruct_values (ordered by value) or gfxreconstruct_members. */
    uint32_t first, count;
    int32_t stype; /* VkStructureType; -1 if none */
};

struct gfxreconstruct_call {
    uint16_t id; /* without the family */
    uint32_t name;
    uint32_t first;
    uint16_t count; /* number of members */
    bool result;    /* the last member is the result of the call */
};

extern const struct gfxreconstruct_value gfxreconstruct_values[];
extern const struct gfxreconstruct_member gfxreconstruct_members[];
extern const struct gfxreconstruct_type
    gfxreconstruct_types[]; /* structures from gfxreconstruct_first_struct on, by stype */
extern const struct gfxreconstruct_call gfxreconstruct_calls[]; /* ordered by id */
extern const unsigned gfxreconstruct_type_count, gfxreconstruct_call_count,
    gfxreconstruct_first_struct;
extern const char gfxreconstruct_names[];

/* Returns the Vulkan call with this ApiCallId, or NULL if it is unknown. */
const struct gfxreconstruct_call *gfxreconstruct_call_find(uint32_t id);

static inline const char *gfxreconstruct_call_name(const struct gfxreconstruct_call *call)
{
    return gfxreconstruct_names + call->name;
}

/* The result of decoding parameters. */
enum gfxreconstruct_outcome {
    GFXR_DECODED,
    GFXR_PARTLY,  /* a parameter cannot be decoded; what follows is not read */
    GFXR_CUT_OFF, /* the bytes end within a parameter, or are inconsistent */
    GFXR_CANCELLED,
};

struct gfxreconstruct_slice {
    const uint8_t *data; /* NULL if not present */
    uint64_t size;
};

struct gfxreconstruct_reading {
    struct gfxreconstruct_slice bytes; /* the encoded parameters */
    const struct cancel *cancel;       /* may be NULL */
    const char *watched; /* name of a member to find outside of pNext chains; may be NULL */
    struct gfxreconstruct_slice found; /* out: its first value; an array or string without length */
    uint64_t left;                     /* out: bytes after the last parameter */
};

/*
 * Reads the parameters of a call. Appends `(name=value, ...) = result` to `text`, unless it is
 * NULL. Long arrays and texts are shortened.
 */
enum gfxreconstruct_outcome gfxreconstruct_read_call(const struct gfxreconstruct_call *call,
                                                     struct gfxreconstruct_reading *reading,
                                                     struct text *text);

/*
 * Appends untrusted bytes in quotation marks. A quotation mark among the bytes is escaped with a
 * backslash.
 */
void gfxreconstruct_write_quoted(const uint8_t *data, uint64_t size, struct text *text);

/* The same for bytes of any length: they may be cut, and three dots follow then. */
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
    uint8_t kind; /* GFXR_U32, _U64, _I64, _HEX or _HANDLE */
};

/* What follows the fields. */
enum gfxreconstruct_meta_data { GFXR_DATA_NONE, GFXR_DATA_BYTES, GFXR_DATA_LEVELS, GFXR_DATA_TEXT };

struct gfxreconstruct_meta {
    uint16_t type;
    const char *name;
    struct gfxreconstruct_meta_field fields[GFXR_META_FIELDS]; /* up to the first without a name */
    enum gfxreconstruct_meta_data data;
    /* Indexes of fields, -1 for none: an object, an offset, and the size of the expanded data. */
    int8_t object, offset, bytes;
};

/* Returns NULL if the type is unknown. */
const struct gfxreconstruct_meta *gfxreconstruct_meta_find(uint32_t id);

/* Gets the value of a field, or 0 if `index` is -1. Returns false if the bytes end before it. */
bool gfxreconstruct_meta_value(const struct gfxreconstruct_meta *meta,
                               struct gfxreconstruct_slice fields, int index, uint64_t *value);

/*
 * Gets the size of all fields, including the level sizes of an image. Returns false if the bytes
 * end before.
 */
bool gfxreconstruct_meta_size(const struct gfxreconstruct_meta *meta,
                              struct gfxreconstruct_slice fields, uint64_t *size);

/* Appends `(name=value, ...)`. Returns false if the bytes end before. */
bool gfxreconstruct_write_meta(const struct gfxreconstruct_meta *meta,
                               struct gfxreconstruct_slice fields, struct text *text);

#endif
