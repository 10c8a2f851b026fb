/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/decode/events.h"

enum {
    WITH_SIGNS = 3, /* the first version in which the value of an enum follows its id */
};

static void read_enum(struct apitrace_reader *reader, struct apitrace_definitions *definitions,
                      struct apitrace_value *value)
{
    value->enumeration = apitrace_read_enum(reader, definitions);
    if (value->enumeration == NULL)
        return;
    value->number = (uint64_t)(value->enumeration->single ? value->enumeration->constants->value
                                                          : apitrace_read_signed(reader));
}

static void read_other(struct apitrace_reader *reader, struct apitrace_definitions *definitions,
                       struct apitrace_value *value)
{
    uint64_t place = apitrace_reader_position(reader) - 1;
    uint64_t bits;

    switch (value->type) {
    case APITRACE_DOUBLE:
        bits = apitrace_read_le64(reader);
        memcpy(&value->real, &bits, sizeof(bits));
        break;
    case APITRACE_STRING:
    case APITRACE_BLOB: /* whether the bytes exist is found out when they are read */
        value->number = apitrace_read_number(reader);
        break;
    case APITRACE_ARRAY:
    case APITRACE_WSTRING:
        value->number = apitrace_read_count(reader, 1);
        break;
    case APITRACE_BITMASK:
        value->bitmask = apitrace_read_bitmask(reader, definitions);
        value->number = apitrace_read_number(reader);
        break;
    case APITRACE_STRUCT:
        value->structure = apitrace_read_struct(reader, definitions);
        value->number = value->structure != NULL ? value->structure->member_count : 0;
        break;
    case APITRACE_REPR:
        value->number = 2;
        break;
    default:
        apitrace_reader_fault(reader, place, "unknown type %u", value->type);
    }
}

static void read_any(struct apitrace_reader *reader, struct apitrace_definitions *definitions,
                     struct apitrace_value *value)
{
    uint32_t bits;

    value->type = apitrace_read_byte(reader);
    value->number = 0;
    switch (value->type) {
    case APITRACE_NULL:
    case APITRACE_FALSE:
    case APITRACE_TRUE:
        break;
    case APITRACE_FLOAT:
        bits = apitrace_read_le32(reader);
        memcpy(&value->single, &bits, sizeof(bits));
        break;
    case APITRACE_NEGATIVE:
    case APITRACE_POSITIVE:
    case APITRACE_OPAQUE:
        value->number = apitrace_read_number(reader);
        break;
    case APITRACE_ENUM:
        read_enum(reader, definitions, value);
        break;
    default:
        read_other(reader, definitions, value);
    }
    if (reader->status != 0)
        value->type = APITRACE_NULL;
}

/*
 * Reads the id of an enum that another event defines, and its value. Returns NULL if that is not
 * possible in place.
 */
static inline const uint8_t *read_plain_enum(const struct apitrace_reader *reader,
                                             const uint8_t *at,
                                             const struct apitrace_definitions *definitions,
                                             struct apitrace_value *value)
{
    uint64_t number;
    uint8_t sign;

    at = apitrace_plain_number(at, &number);
    value->enumeration = at != NULL ? apitrace_known_enum(definitions, number) : NULL;
    if (value->enumeration == NULL || definitions->version < WITH_SIGNS ||
        value->enumeration->base.position == reader->end_position - (uint64_t)(reader->end - at))
        return NULL;
    sign = *at;
    at = apitrace_plain_number(at + 1, &number);
    value->number = sign == APITRACE_NEGATIVE ? 0 - number : number;
    return sign == APITRACE_NEGATIVE || sign == APITRACE_POSITIVE ? at : NULL;
}

/*
 * Reads the head of a value of the common types, if it is completely in memory. Returns NULL if
 * not, or if it has another type.
 */
static inline const uint8_t *read_plain(const struct apitrace_reader *reader,
                                        const struct apitrace_definitions *definitions,
                                        struct apitrace_value *value)
{
    const uint8_t *at = reader->at + 1;
    uint32_t bits;

    value->type = *reader->at;
    value->number = 0;
    switch (value->type) {
    case APITRACE_NULL:
    case APITRACE_FALSE:
    case APITRACE_TRUE:
        return at;
    case APITRACE_FLOAT:
        bits = bytes_le32(at);
        memcpy(&value->single, &bits, sizeof(bits));
        return at + sizeof(bits);
    case APITRACE_NEGATIVE:
    case APITRACE_POSITIVE:
    case APITRACE_OPAQUE:
        return apitrace_plain_number(at, &value->number);
    case APITRACE_ENUM:
        return read_plain_enum(reader, at, definitions, value);
    default:
        return NULL;
    }
}

void apitrace_read_value(struct apitrace_reader *reader, struct apitrace_definitions *definitions,
                         struct apitrace_value *value)
{
    const uint8_t *next = NULL;

    if (reader->end - reader->at >= APITRACE_PLAIN_MAX && reader->refers == NULL)
        next = read_plain(reader, definitions, value);
    if (next != NULL)
        reader->at = next;
    else
        read_any(reader, definitions, value);
}

/* How many values are left on each level. */
struct skipping {
    uint64_t left[APITRACE_NESTING_MAX + 1];
    unsigned depth;
    unsigned human; /* 1 + level of the skipped human form's representation; 0: none */
};

/* Most values, and most elements of long arrays, are floats. */
static void skip_floats(struct apitrace_reader *reader, uint64_t *left)
{
    while (*left > 0 && reader->end - reader->at >= 5 && *reader->at == APITRACE_FLOAT) {
        reader->at += 5;
        --*left;
    }
}

static void descend(struct apitrace_reader *reader, struct skipping *skipping, uint64_t count)
{
    if (skipping->depth == APITRACE_NESTING_MAX) {
        apitrace_reader_fault(reader, apitrace_reader_position(reader),
                              "values are nested too deeply");
        return;
    }
    skipping->left[++skipping->depth] = count;
}

static void skip_deep(struct apitrace_reader *reader, struct apitrace_definitions *definitions,
                      apitrace_blob_met *met, void *context)
{
    struct skipping skipping;
    struct apitrace_value value;

    skipping.left[0] = 1;
    skipping.depth = skipping.human = 0;
    while (reader->status == 0) {
        uint64_t *left = &skipping.left[skipping.depth];

        skip_floats(reader, left);
        if (*left == 0) {
            if (skipping.human == skipping.depth + 1)
                skipping.human = 0; /* both forms were floats, which the code below has not seen */
            if (skipping.depth-- == 0)
                return;
            continue;
        }
        --*left;
        if (skipping.human == skipping.depth + 1 && *left == 0)
            skipping.human = 0; /* the form for machines begins */
        apitrace_read_value(reader, definitions, &value);
        switch (value.type) {
        case APITRACE_STRING:
            apitrace_skip_bytes(reader, value.number);
            break;
        case APITRACE_BLOB:
            if (met != NULL && skipping.human == 0 && reader->status == 0)
                met(context, apitrace_reader_position(reader), value.number);
            apitrace_skip_bytes(reader, value.number);
            break;
        case APITRACE_WSTRING:
            for (uint64_t n = 0; n < value.number && reader->status == 0; n++)
                apitrace_read_number(reader);
            break;
        case APITRACE_ARRAY:
        case APITRACE_STRUCT:
            descend(reader, &skipping, value.number);
            break;
        case APITRACE_REPR:
            descend(reader, &skipping, value.number);
            if (skipping.human == 0)
                skipping.human = skipping.depth + 1;
            break;
        default:
            break;
        }
    }
}

/* Handles single scalars, which most values are, separately. */
void apitrace_skip_value(struct apitrace_reader *reader, struct apitrace_definitions *definitions,
                         apitrace_blob_met *met, void *context)
{
    struct apitrace_value value;

    switch (reader->at < reader->end ? *reader->at : APITRACE_TYPES) {
    case APITRACE_NULL:
    case APITRACE_FALSE:
    case APITRACE_TRUE:
        reader->at++;
        break;
    case APITRACE_ENUM:
        apitrace_read_value(reader, definitions, &value);
        break;
    case APITRACE_NEGATIVE:
    case APITRACE_POSITIVE:
    case APITRACE_OPAQUE:
        reader->at++;
        apitrace_read_number(reader);
        break;
    case APITRACE_FLOAT:
        reader->at++;
        apitrace_read_le32(reader);
        break;
    default:
        skip_deep(reader, definitions, met, context);
    }
}

void apitrace_skip_rest(struct apitrace_reader *reader, struct apitrace_definitions *definitions,
                        const struct apitrace_value *value)
{
    switch (value->type) {
    case APITRACE_STRING:
    case APITRACE_BLOB:
        apitrace_skip_bytes(reader, value->number);
        break;
    case APITRACE_WSTRING:
        for (uint64_t n = 0; n < value->number && reader->status == 0; n++)
            apitrace_read_number(reader);
        break;
    case APITRACE_ARRAY:
    case APITRACE_STRUCT:
    case APITRACE_REPR:
        for (uint64_t n = 0; n < value->number && reader->status == 0; n++)
            apitrace_skip_value(reader, definitions, NULL, NULL);
        break;
    default:
        break;
    }
}

bool apitrace_value_integer(const struct apitrace_value *value, int64_t *integer)
{
    switch (value->type) {
    case APITRACE_NULL:
    case APITRACE_FALSE:
    case APITRACE_TRUE:
        *integer = value->type == APITRACE_TRUE;
        return true;
    case APITRACE_NEGATIVE:
        *integer = (int64_t)(0 - value->number);
        return true;
    case APITRACE_POSITIVE:
    case APITRACE_ENUM:
    case APITRACE_BITMASK:
    case APITRACE_OPAQUE:
        *integer = (int64_t)value->number;
        return true;
    default:
        return false;
    }
}

bool apitrace_read_integer(struct apitrace_reader *reader, struct apitrace_definitions *definitions,
                           int64_t *integer)
{
    struct apitrace_value value;
    bool is;

    apitrace_read_value(reader, definitions, &value);
    is = apitrace_value_integer(&value, integer);
    apitrace_skip_rest(reader, definitions, &value);
    return is;
}

bool apitrace_value_real(const struct apitrace_value *value, double *real)
{
    int64_t integer = 0;

    if (value->type == APITRACE_FLOAT)
        *real = value->single;
    else if (value->type == APITRACE_DOUBLE)
        *real = value->real;
    else if (apitrace_value_integer(value, &integer))
        *real = (double)integer;
    else
        return false;
    return true;
}

/* Events. */

enum {
    PLAIN_HEAD = 3,  /* bytes: the detail, the number of the argument, the type of the value */
    FLOAT_BYTES = 5, /* of a float in an array */
};

/*
 * Plain events consist of numbers that are in memory, like those of most calls. These functions
 * skip them with a minimum of checks, and leave anything that is not certainly valid to the slow
 * path. Each returns the address after what it skips, or NULL if that is not plain.
 */

/* Skips an array of floats, whose count is at `at`. */
static const uint8_t *plain_floats(const uint8_t *at, const uint8_t *end)
{
    unsigned count = *at++;

    if (count >= 0x80 || (size_t)(end - at) < (size_t)count * FLOAT_BYTES)
        return NULL;
    for (unsigned n = 0; n < count; n++, at += FLOAT_BYTES)
        if (*at != APITRACE_FLOAT)
            return NULL;
    return at;
}

/* Skips the id and value of an enum or bitmask that is already defined. */
static const uint8_t *plain_name(const uint8_t *at, bool mask,
                                 const struct apitrace_definitions *definitions)
{
    uint64_t number;

    at = apitrace_plain_number(at, &number);
    if (at == NULL || definitions->version < WITH_SIGNS)
        return NULL;
    if (mask)
        return apitrace_known_bitmask(definitions, number) != NULL
                   ? apitrace_plain_number(at, &number)
                   : NULL;
    if (apitrace_known_enum(definitions, number) == NULL ||
        (*at != APITRACE_NEGATIVE && *at != APITRACE_POSITIVE))
        return NULL;
    return apitrace_plain_number(at + 1, &number);
}

/* Skips the argument at `at`. */
static inline const uint8_t *plain_argument(const uint8_t *at, const uint8_t *end,
                                            const struct apitrace_definitions *definitions)
{
    uint64_t number;

    if (end - at < APITRACE_PLAIN_MAX || at[0] != APITRACE_DETAIL_ARGUMENT || at[1] >= 0x80)
        return NULL;
    switch (at[2]) {
    case APITRACE_NULL:
    case APITRACE_FALSE:
    case APITRACE_TRUE:
        return at + PLAIN_HEAD;
    case APITRACE_NEGATIVE:
    case APITRACE_POSITIVE:
    case APITRACE_OPAQUE:
        return apitrace_plain_number(at + PLAIN_HEAD, &number);
    case APITRACE_FLOAT:
        return at + PLAIN_HEAD + sizeof(float);
    case APITRACE_ENUM:
    case APITRACE_BITMASK:
        return plain_name(at + PLAIN_HEAD, at[2] == APITRACE_BITMASK, definitions);
    case APITRACE_ARRAY:
        return plain_floats(at + PLAIN_HEAD, end);
    default:
        return NULL;
    }
}

/* Skips all plain arguments from `at` on. Never returns NULL. */
static inline const uint8_t *plain_arguments(const uint8_t *at, const uint8_t *end,
                                             const struct apitrace_definitions *definitions)
{
    const uint8_t *next;

    while ((next = plain_argument(at, end, definitions)) != NULL)
        at = next;
    return at;
}

/* Skips the details of an event: plain arguments and the end. */
static inline const uint8_t *plain_details(const uint8_t *at, const uint8_t *end,
                                           const struct apitrace_definitions *definitions)
{
    at = plain_arguments(at, end, definitions);
    return at < end && *at == APITRACE_DETAIL_END ? at + 1 : NULL;
}

bool apitrace_scan_plain_call(struct apitrace_reader *reader,
                              const struct apitrace_definitions *definitions, uint64_t number,
                              struct apitrace_plain_call *out)
{
    const uint8_t *begin = reader->at, *end = reader->end, *at, *leave;
    uint64_t thread, id, returned;

    if (end - begin < APITRACE_PLAIN_MAX || begin[0] != APITRACE_EVENT_ENTER || begin[1] >= 0x80)
        return false;
    thread = begin[1];
    at = apitrace_plain_number(begin + 2, &id);
    out->function = at != NULL ? apitrace_known_function(definitions, id) : NULL;
    if (out->function == NULL)
        return false;
    leave = plain_details(at, end, definitions);
    if (leave == NULL || end - leave < APITRACE_PLAIN_MAX || leave[0] != APITRACE_EVENT_LEAVE)
        return false;
    at = apitrace_plain_number(leave + 1, &returned);
    if (at == NULL || returned != number)
        return false;
    at = plain_details(at, end, definitions);
    if (at == NULL)
        return false;
    out->thread = (uint32_t)thread;
    out->enter_bytes = (uint64_t)(leave - begin);
    out->leave_bytes = (uint64_t)(at - leave);
    reader->at = at;
    return true;
}

static void skip(struct apitrace_reader *reader, struct apitrace_definitions *definitions)
{
    apitrace_skip_value(reader, definitions, NULL, NULL);
}

static void scan_argument(struct apitrace_reader *reader, struct apitrace_definitions *definitions,
                          uint32_t arguments, const struct apitrace_details *details)
{
    uint64_t place = apitrace_reader_position(reader);
    uint64_t number = apitrace_read_number(reader);
    uint64_t max = (uint64_t)arguments + 16;

    if (number >= (max > APITRACE_ARGUMENTS_SPARE ? max : (uint64_t)APITRACE_ARGUMENTS_SPARE))
        apitrace_reader_fault(reader, place, "there is no argument %llu",
                              (unsigned long long)number);
    else if (details->argument != NULL)
        details->argument(details->context, reader, (uint32_t)number);
    else
        skip(reader, definitions);
}

static void scan_backtrace(struct apitrace_reader *reader, struct apitrace_definitions *definitions,
                           const struct apitrace_details *details)
{
    uint64_t position = apitrace_reader_position(reader);
    uint64_t count = apitrace_read_count(reader, 1);

    for (uint64_t n = 0; n < count && reader->status == 0; n++)
        apitrace_read_frame(reader, definitions);
    if (reader->status == 0 && details->backtrace != NULL)
        details->backtrace(details->context, position);
}

static void scan_number(struct apitrace_reader *reader, void *context,
                        void (*tell)(void *context, uint64_t number))
{
    uint64_t number = apitrace_read_number(reader);

    if (reader->status == 0 && tell != NULL)
        tell(context, number);
}

bool apitrace_scan_details(struct apitrace_reader *reader, struct apitrace_definitions *definitions,
                           uint32_t arguments, const struct apitrace_details *details)
{
    while (reader->status == 0) {
        uint64_t place;
        uint8_t detail;

        if (details->plain)
            reader->at = plain_arguments(reader->at, reader->end, definitions);
        place = apitrace_reader_position(reader);
        detail = apitrace_read_byte(reader);
        switch (detail) {
        case APITRACE_DETAIL_END:
            return reader->status == 0;
        case APITRACE_DETAIL_ARGUMENT:
            scan_argument(reader, definitions, arguments, details);
            break;
        case APITRACE_DETAIL_RESULT:
            if (details->result != NULL)
                details->result(details->context, reader);
            else
                skip(reader, definitions);
            break;
        case APITRACE_DETAIL_THREAD:
            scan_number(reader, details->context, details->thread);
            break;
        case APITRACE_DETAIL_BACKTRACE:
            scan_backtrace(reader, definitions, details);
            break;
        case APITRACE_DETAIL_FLAGS:
            scan_number(reader, details->context, details->flags);
            break;
        default:
            apitrace_reader_fault(reader, place, "unknown call detail %u", detail);
        }
    }
    return false;
}
