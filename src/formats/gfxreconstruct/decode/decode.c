/* SPDX-License-Identifier: MIT */
#include "formats/gfxreconstruct/decode/decode.h"

#include "base/bytes.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

enum { FAMILY_VULKAN = 1 };

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

enum {
    POLL_ELEMENTS = 4096,
    DEPTH_MAX = 512,        /* maximum of nested pointers and structures, as in pNext chains */
    ELEMENTS_SHOWN = 64,    /* maximum of elements of an array that are shown */
    BYTES_SHOWN = 32,       /* maximum of bytes of an array of bytes that are shown */
    TEXT_MAX = 64 * 1024,   /* maximum of bytes of one call's text */
    QUOTED_MAX = 15 * 1024, /* maximum of bytes that are quoted, each of which may become four */
    ESCAPED_MAX = 4,        /* maximum of characters that a byte becomes */
    WIDE_ESCAPED = 6,       /* maximum of characters that a unit of UTF-16 becomes */
};

/* A walk over encoded values. */
struct walk {
    struct gfxreconstruct_reading *reading;
    uint64_t at;
    struct text *text; /* NULL if nothing is written */
    size_t text_end;   /* no more is written after this length */
    unsigned depth;
    unsigned elements;                   /* of arrays, counted for polling the cancel flag */
    enum gfxreconstruct_outcome outcome; /* any value other than GFXR_DECODED ends the walk */
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

/* Texts. */

void gfxreconstruct_write_quoted(const uint8_t *data, uint64_t size, struct text *text)
{
    uint64_t begin = 0;

    text_add_char(text, '"');
    for (uint64_t i = 0; i < size; i++) {
        if (data[i] != '"')
            continue;
        text_add_escaped(text, data + begin, (size_t)(i - begin));
        text_add(text, "\\\"");
        begin = i + 1;
    }
    text_add_escaped(text, size > 0 ? data + begin : (const uint8_t *)"", (size_t)(size - begin));
    text_add_char(text, '"');
}

void gfxreconstruct_write_shown(const uint8_t *data, uint64_t size, struct text *text)
{
    gfxreconstruct_write_quoted(data, size < QUOTED_MAX ? size : QUOTED_MAX, text);
    if (size > QUOTED_MAX)
        text_add(text, "...");
}

/*
 * Returns the text to write to, or NULL. When the text has become too long, appends three dots
 * once.
 */
static struct text *room(struct walk *walk)
{
    if (walk->text != NULL && walk->text->length > walk->text_end) {
        text_add(walk->text, "...");
        walk->text = NULL;
    }
    return walk->text;
}

static void write_word(struct walk *walk, const char *word)
{
    struct text *text = room(walk);

    if (text != NULL)
        text_add(text, word);
}

static void write_number(struct walk *walk, const char *before, uint64_t value, const char *after)
{
    struct text *text = room(walk);

    if (text != NULL)
        text_printf(text, "%s%" PRIu64 "%s", before, value, after);
}

static void write_signed(struct walk *walk, int64_t value)
{
    struct text *text = room(walk);

    if (text != NULL)
        text_add_i64(text, value);
}

static void write_hex(struct walk *walk, uint64_t value)
{
    struct text *text = room(walk);

    if (text != NULL)
        text_printf(text, "0x%" PRIx64, value);
}

/* Bytes. */

static bool take(struct walk *walk, uint64_t size, const uint8_t **data)
{
    if (walk->outcome != GFXR_DECODED)
        return false;
    if (!bytes_inside(walk->at, size, walk->reading->bytes.size)) {
        walk->outcome = GFXR_CUT_OFF;
        write_word(walk, "<cut off>");
        return false;
    }
    *data = walk->reading->bytes.data + walk->at;
    walk->at += size;
    return true;
}

static bool take_u32(struct walk *walk, uint32_t *value)
{
    const uint8_t *data = NULL;

    if (!take(walk, 4, &data))
        return false;
    *value = bytes_le32(data);
    return true;
}

static bool take_u64(struct walk *walk, uint64_t *value)
{
    const uint8_t *data = NULL;

    if (!take(walk, 8, &data))
        return false;
    *value = bytes_le64(data);
    return true;
}

static void stop(struct walk *walk)
{
    write_number(walk, "<", walk->reading->bytes.size - walk->at, " bytes not decoded>");
    walk->outcome = GFXR_PARTLY;
}

/* Numbers. */

static unsigned size_of(unsigned kind)
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

static void write_enum(struct walk *walk, unsigned type, int32_t value)
{
    const struct gfxreconstruct_value *found =
        type != GFXR_NO_TYPE ? find_value(&gfxreconstruct_types[type], value) : NULL;

    if (found == NULL) {
        write_signed(walk, value);
        return;
    }
    write_word(walk, gfxreconstruct_names + gfxreconstruct_types[type].prefix);
    write_word(walk, gfxreconstruct_names + found->name);
}

/* Writes the names of single bits, and the remaining bits as a number. */
static void write_flags(struct walk *walk, unsigned type, uint64_t value)
{
    const char *between = "";

    if (value == 0)
        write_word(walk, "0");
    for (unsigned bit = 0; bit < 64 && type != GFXR_NO_TYPE; bit++) {
        const struct gfxreconstruct_value *found =
            (value >> bit & 1) != 0
                ? find_value(&gfxreconstruct_types[type], (int64_t)(UINT64_C(1) << bit))
                : NULL;

        if (found == NULL)
            continue;
        write_word(walk, between);
        write_word(walk, gfxreconstruct_names + gfxreconstruct_types[type].prefix);
        write_word(walk, gfxreconstruct_names + found->name);
        between = "|";
        value &= ~(UINT64_C(1) << bit);
    }
    if (value != 0) {
        write_word(walk, between);
        write_hex(walk, value);
    }
}

/* Writes as many digits as distinguish the value from all others. */
static void write_float(struct walk *walk, double value, unsigned digits)
{
    struct text *text = room(walk);

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

static void write_scalar(struct walk *walk, const struct gfxreconstruct_member *member,
                         uint64_t value)
{
    static const uint8_t signed_bits[GFXR_NEXT + 1] = {
        [GFXR_I8] = 56, [GFXR_I16] = 48, [GFXR_I32] = 32};

    if (room(walk) == NULL)
        return;
    switch (member->kind) {
    case GFXR_I8:
    case GFXR_I16:
    case GFXR_I32:
    case GFXR_I64: {
        unsigned shift = signed_bits[member->kind];

        write_signed(walk, (int64_t)(value << shift) >> shift);
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
            write_number(walk, "", value, "");
        else
            write_word(walk, value != 0 ? "true" : "false");
        break;
    case GFXR_HEX:
        write_hex(walk, value);
        break;
    case GFXR_ENUM:
        write_enum(walk, member->type, (int32_t)value);
        break;
    case GFXR_FLAGS:
    case GFXR_FLAGS64:
        write_flags(walk, member->type, value);
        break;
    default:
        write_number(walk, "", value, "");
        break;
    }
}

/* Structures. */

static void walk_member(struct walk *walk, const struct gfxreconstruct_member *member,
                        uint32_t selected);
static void walk_pointer(struct walk *walk, const struct gfxreconstruct_member *member,
                         uint32_t selected);

static void watch(struct walk *walk, const struct gfxreconstruct_member *member,
                  const uint8_t *data, uint64_t size)
{
    struct gfxreconstruct_reading *reading = walk->reading;

    if (reading->watched != NULL && reading->found.data == NULL &&
        strcmp(reading->watched, gfxreconstruct_names + member->name) == 0)
        reading->found = (struct gfxreconstruct_slice){data, size};
}

/*
 * Returns the value of a member that may select a union's: a plain value of four bytes. Returns 0
 * for other members.
 */
static uint32_t value_at(const struct walk *walk, const struct gfxreconstruct_member *member,
                         uint64_t at)
{
    return !member->pointer && size_of(member->kind) == 4 &&
                   bytes_inside(at, 4, walk->reading->bytes.size)
               ? bytes_le32(walk->reading->bytes.data + at)
               : 0;
}

/* Returns whether this is the correct sType of a structure, which its name already shows. */
static bool is_redundant(const struct walk *walk, const struct gfxreconstruct_type *type,
                         uint32_t i)
{
    return i == 0 && type->stype >= 0 && bytes_inside(walk->at, 4, walk->reading->bytes.size) &&
           bytes_le32(walk->reading->bytes.data + walk->at) == (uint32_t)type->stype;
}

enum { SELECTORS_MAX = 16 }; /* members before a union */

static void walk_members(struct walk *walk, const struct gfxreconstruct_type *type)
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
            write_word(walk, between);
            write_word(walk, gfxreconstruct_names + members[i].name);
            write_word(walk, "=");
            between = ", ";
        }
        walk_member(walk, &members[i], selector < SELECTORS_MAX ? values[selector] : 0);
        if (i < SELECTORS_MAX)
            values[i] = value_at(walk, &members[i], begin);
        if (hidden)
            walk->text = kept;
    }
}

static void walk_struct(struct walk *walk, unsigned number)
{
    const struct gfxreconstruct_type *type = &gfxreconstruct_types[number];

    if (++walk->depth > DEPTH_MAX) {
        walk->outcome = GFXR_CUT_OFF;
        return;
    }
    if (type->stype >= 0)
        write_word(walk, gfxreconstruct_names + type->name);
    write_word(walk, "{");
    walk_members(walk, type);
    write_word(walk, "}");
    walk->depth--;
}

static void walk_union(struct walk *walk, const struct gfxreconstruct_member *member,
                       uint32_t selected)
{
    const struct gfxreconstruct_type *type = &gfxreconstruct_types[member->type];

    for (uint32_t i = 0; i < type->count; i++)
        if ((uint32_t)gfxreconstruct_members[type->first + i].value == selected) {
            walk_member(walk, &gfxreconstruct_members[type->first + i], 0);
            return;
        }
    write_word(walk, "{}"); /* an unknown selector: nothing is encoded */
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
static void walk_extension(struct walk *walk, unsigned type)
{
    const char *watched = walk->reading->watched;

    walk->reading->watched = NULL;
    walk_struct(walk, type);
    walk->reading->watched = watched;
}

static void walk_next(struct walk *walk)
{
    uint32_t attributes = 0, stype = 0;
    uint64_t address = 0;
    unsigned type = 0;

    if (!take_u32(walk, &attributes))
        return;
    if ((attributes & ATTRIBUTE_NULL) != 0) {
        write_word(walk, "NULL");
        return;
    }
    if ((attributes & ATTRIBUTE_ADDRESS) != 0 && !take_u64(walk, &address))
        return;
    if ((attributes & ATTRIBUTE_DATA) == 0) {
        write_hex(walk, address);
        return;
    }
    if (!take_u32(walk, &stype))
        return;
    walk->at -= 4;
    type = find_struct(stype);
    if (type < gfxreconstruct_type_count) {
        walk_extension(walk, type);
    } else {
        write_number(walk, "sType=", stype, " ");
        stop(walk);
    }
}

/* Arrays and strings. */

static void write_wide(const uint8_t *data, uint64_t length, struct text *text)
{
    text_add_char(text, '"');
    for (uint64_t i = 0; i < length; i++) {
        uint16_t unit = bytes_le16(data + 2 * i);

        if (unit >= 0x20 && unit < 0x7f && unit != '"' && unit != '\\')
            text_add_char(text, (char)unit);
        else
            text_printf(text, "\\u%04x", unit);
    }
    text_add_char(text, '"');
}

/* Writes as much of a string as fits even if every character is escaped. */
static void write_string(struct walk *walk, const uint8_t *data, uint64_t length, unsigned width)
{
    struct text *text = room(walk);
    uint64_t max = 0, shown = 0;

    if (text == NULL)
        return;
    max = (walk->text_end - text->length) / (width == 1 ? ESCAPED_MAX : WIDE_ESCAPED);
    shown = length < max ? length : max;
    if (width == 1)
        gfxreconstruct_write_quoted(data, shown, text);
    else
        write_wide(data, shown, text);
    if (shown < length) {
        text_add(text, "...");
        walk->text = NULL;
    }
}

static void walk_string(struct walk *walk, const struct gfxreconstruct_member *member,
                        uint64_t length)
{
    unsigned width = member->kind == GFXR_WIDE ? 2 : 1;
    const uint8_t *data = NULL;
    uint64_t size = 0;

    if (!bytes_mul(length, width, &size))
        size = UINT64_MAX;
    if (!take(walk, size, &data))
        return;
    watch(walk, member, data, size);
    write_string(walk, data, length, width);
}

static void walk_bytes(struct walk *walk, const struct gfxreconstruct_member *member,
                       uint64_t length)
{
    const uint8_t *data = NULL;
    struct text *text = NULL;

    if (!take(walk, length, &data))
        return;
    watch(walk, member, data, length);
    if (length > BYTES_SHOWN || length == 0) {
        write_number(walk, "<", length, " bytes>");
        return;
    }
    text = room(walk);
    if (text != NULL)
        text_add(text, "0x");
    for (uint64_t i = 0; i < length && text != NULL; i++)
        text_add_hex(text, data[i], 2);
}

static void walk_scalars(struct walk *walk, const struct gfxreconstruct_member *member,
                         uint64_t length)
{
    unsigned size = size_of(member->kind);
    const uint8_t *data = NULL;
    uint64_t bytes = 0, shown = length < ELEMENTS_SHOWN ? length : ELEMENTS_SHOWN;

    if (!bytes_mul(length, size, &bytes))
        bytes = UINT64_MAX;
    if (!take(walk, bytes, &data))
        return;
    watch(walk, member, data, bytes);
    if (member->kind == GFXR_U32 && shown < length) { /* usually shader code */
        write_number(walk, "<", length, " words>");
        return;
    }
    for (uint64_t i = 0; i < shown; i++) {
        write_word(walk, i > 0 ? ", " : "");
        write_scalar(walk, member, bytes_le(data + i * size, size));
    }
    if (shown < length)
        write_number(walk, ", ... ", length - shown, " more");
}

/*
 * Polls the cancel flag. Nested arrays can have as many elements as bytes, and in a sparse file
 * these bytes cost nothing.
 */
static void poll_cancel(struct walk *walk)
{
    if (++walk->elements % POLL_ELEMENTS == 0 && walk->outcome == GFXR_DECODED &&
        cancel_requested(walk->reading->cancel))
        walk->outcome = GFXR_CANCELLED;
}

/* Walks elements without a fixed size: structures, strings, inner arrays. */
static void walk_elements(struct walk *walk, const struct gfxreconstruct_member *member,
                          uint64_t length, bool pointers)
{
    struct text *kept = NULL;
    bool hidden = false;

    for (uint64_t i = 0; i < length && walk->outcome == GFXR_DECODED; i++) {
        uint64_t begin = walk->at;

        if (i == ELEMENTS_SHOWN) {
            write_number(walk, ", ... ", length - i, " more");
            kept = walk->text;
            hidden = true;
            walk->text = NULL;
        }
        write_word(walk, i > 0 ? ", " : "");
        if (pointers)
            walk_pointer(walk, member, 0);
        else
            walk_struct(walk, member->type);
        if (walk->at == begin && walk->outcome == GFXR_DECODED)
            walk->outcome = GFXR_CUT_OFF; /* elements without bytes: any count could be claimed */
        poll_cancel(walk);
    }
    if (hidden)
        walk->text = kept;
}

static void walk_array(struct walk *walk, const struct gfxreconstruct_member *member,
                       uint32_t attributes, uint64_t length)
{
    bool strings = member->kind == GFXR_STRING || member->kind == GFXR_WIDE;

    if (member->kind == GFXR_UNKNOWN || member->kind == GFXR_UNION) {
        stop(walk);
        return;
    }
    if (member->kind == GFXR_U8 && (attributes & ATTRIBUTE_ARRAY_2D) == 0) {
        walk_bytes(walk, member, length);
        return;
    }
    write_word(walk, "[");
    if ((attributes & ATTRIBUTE_ARRAY_2D) != 0 || strings)
        walk_elements(walk, member, length, true);
    else if (member->kind == GFXR_STRUCT)
        walk_elements(walk, member, length, false);
    else
        walk_scalars(walk, member, length);
    write_word(walk, "]");
}

static void walk_pointed(struct walk *walk, const struct gfxreconstruct_member *member,
                         uint32_t attributes, uint64_t length)
{
    bool string = (attributes & (ATTRIBUTE_STRING | ATTRIBUTE_WIDE)) != 0;
    struct gfxreconstruct_member single = *member;

    if ((attributes & (ATTRIBUTE_ARRAY | ATTRIBUTE_ARRAY_2D)) != 0) {
        walk_array(walk, member, attributes, length);
    } else if (string) {
        single.kind = (attributes & ATTRIBUTE_WIDE) != 0 ? GFXR_WIDE : GFXR_STRING;
        walk_string(walk, &single, length);
    } else {
        if (member->kind != GFXR_STRUCT)
            write_word(walk, "&");
        single.pointer = false;
        walk_member(walk, &single, 0);
    }
}

static void walk_pointer(struct walk *walk, const struct gfxreconstruct_member *member,
                         uint32_t selected)
{
    uint32_t attributes = 0;
    uint64_t address = 0, length = 1;

    (void)selected;
    if (!take_u32(walk, &attributes))
        return;
    if ((attributes & ATTRIBUTE_NULL) != 0) {
        write_word(walk, "NULL");
        return;
    }
    if ((attributes & ATTRIBUTE_ADDRESS) != 0 && !take_u64(walk, &address))
        return;
    if ((attributes & ATTRIBUTE_LENGTH) != 0 && !take_u64(walk, &length))
        return;
    if (++walk->depth > DEPTH_MAX)
        walk->outcome = GFXR_CUT_OFF;
    else if ((attributes & ATTRIBUTE_DATA) == 0)
        write_hex(walk, address);
    else
        walk_pointed(walk, member, attributes, length);
    walk->depth--;
}

static void walk_member(struct walk *walk, const struct gfxreconstruct_member *member,
                        uint32_t selected)
{
    const uint8_t *data = NULL;
    unsigned size = size_of(member->kind);

    if (walk->outcome != GFXR_DECODED)
        return;
    if (member->kind == GFXR_UNKNOWN) {
        stop(walk);
    } else if (member->pointer) {
        walk_pointer(walk, member, selected);
    } else if (member->kind == GFXR_STRUCT) {
        walk_struct(walk, member->type);
    } else if (member->kind == GFXR_UNION) {
        walk_union(walk, member, selected);
    } else if (member->kind == GFXR_NEXT) {
        walk_next(walk);
    } else if (size == 0) {
        walk->outcome = GFXR_CUT_OFF; /* a string without its attributes */
    } else if (take(walk, size, &data)) {
        watch(walk, member, data, size);
        write_scalar(walk, member, bytes_le(data, size));
    }
}

enum gfxreconstruct_outcome gfxreconstruct_read_call(const struct gfxreconstruct_call *call,
                                                     struct gfxreconstruct_reading *reading,
                                                     struct text *text)
{
    struct walk walk = {
        .reading = reading, .text = text, .text_end = text != NULL ? text->length + TEXT_MAX : 0};
    unsigned parameters = call->count - (call->result ? 1u : 0u);

    reading->found = (struct gfxreconstruct_slice){NULL, 0};
    write_word(&walk, "(");
    for (unsigned i = 0; i < parameters && walk.outcome == GFXR_DECODED; i++) {
        const struct gfxreconstruct_member *member = &gfxreconstruct_members[call->first + i];

        write_word(&walk, i > 0 ? ", " : "");
        write_word(&walk, gfxreconstruct_names + member->name);
        write_word(&walk, "=");
        walk_member(&walk, member, 0);
    }
    if (text != NULL)
        text_add_char(text, ')');
    walk.text = text;
    walk.text_end += 256;
    if (call->result && walk.outcome == GFXR_DECODED) {
        write_word(&walk, " = ");
        walk_member(&walk, &gfxreconstruct_members[call->first + parameters], 0);
    }
    reading->left = reading->bytes.size - walk.at;
    return walk.outcome;
}
