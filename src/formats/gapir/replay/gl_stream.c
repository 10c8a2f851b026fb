/* SPDX-License-Identifier: MIT */
#include "formats/gapir/replay/gl_stream.h"

#include <string.h>

/* apitrace.md 2.5, 2.6 */
enum { EVENT_ENTER, EVENT_LEAVE };
enum { DETAIL_END, DETAIL_ARGUMENT, DETAIL_RESULT };
enum {
    VALUE_NULL = 0,
    VALUE_NEGATIVE = 3,
    VALUE_POSITIVE = 4,
    VALUE_FLOAT = 5,
    VALUE_DOUBLE = 6,
    VALUE_BLOB = 8,
    VALUE_ARRAY = 11,
    VALUE_OPAQUE = 13,
};
enum { VERSION = 5 };

static void add_byte(struct gapir_gl_stream *stream, uint8_t byte)
{
    message_write_bytes(&stream->bytes, &byte, 1);
}

static void add_varint(struct gapir_gl_stream *stream, uint64_t value)
{
    uint8_t bytes[10];
    size_t count = 0;

    for (; value >= 0x80; value >>= 7)
        bytes[count++] = (uint8_t)(value | 0x80);
    bytes[count++] = (uint8_t)value;
    message_write_bytes(&stream->bytes, bytes, count);
}

static void add_string(struct gapir_gl_stream *stream, const char *string)
{
    add_varint(stream, strlen(string));
    message_write_bytes(&stream->bytes, string, strlen(string));
}

void gapir_gl_stream_begin(struct gapir_gl_stream *stream)
{
    add_varint(stream, VERSION);
}

void gapir_gl_stream_clear(struct gapir_gl_stream *stream)
{
    message_writer_free(&stream->bytes);
    *stream = (struct gapir_gl_stream){.calls = 0};
}

void gapir_gl_stream_taken(struct gapir_gl_stream *stream)
{
    stream->bytes.size = 0;
}

static void define(struct gapir_gl_stream *stream, const struct gapir_gl_signature *function)
{
    uint8_t *byte = &stream->defined[function->id / 8], bit = (uint8_t)(1 << function->id % 8);

    if ((*byte & bit) != 0)
        return;
    *byte |= bit;
    add_string(stream, function->name);
    add_varint(stream, function->count);
    for (unsigned n = 0; n < function->count; n++)
        add_string(stream, function->arguments[n]);
}

void gapir_gl_enter(struct gapir_gl_stream *stream, uint32_t thread,
                    const struct gapir_gl_signature *function)
{
    add_byte(stream, EVENT_ENTER);
    add_varint(stream, thread);
    add_varint(stream, function->id);
    define(stream, function);
}

void gapir_gl_argument(struct gapir_gl_stream *stream, unsigned number)
{
    add_byte(stream, DETAIL_ARGUMENT);
    add_varint(stream, number);
}

static void begin_leave(struct gapir_gl_stream *stream)
{
    add_byte(stream, DETAIL_END);
    add_byte(stream, EVENT_LEAVE);
    add_varint(stream, stream->calls++);
}

void gapir_gl_leave(struct gapir_gl_stream *stream)
{
    begin_leave(stream);
    add_byte(stream, DETAIL_END);
}

void gapir_gl_leave_with(struct gapir_gl_stream *stream, const struct gapir_slot *result)
{
    begin_leave(stream);
    add_byte(stream, DETAIL_RESULT);
    gapir_gl_slot(stream, result);
    add_byte(stream, DETAIL_END);
}

static void add_signed(struct gapir_gl_stream *stream, int64_t value)
{
    add_byte(stream, value < 0 ? VALUE_NEGATIVE : VALUE_POSITIVE);
    add_varint(stream, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

static void add_little_endian(struct gapir_gl_stream *stream, uint64_t bits, unsigned size)
{
    for (unsigned n = 0; n < size; n++)
        add_byte(stream, (uint8_t)(bits >> 8 * n));
}

void gapir_gl_slot(struct gapir_gl_stream *stream, const struct gapir_slot *slot)
{
    switch (slot->type) {
    case GAPIR_INT8:
        add_signed(stream, (int8_t)slot->value);
        break;
    case GAPIR_INT16:
        add_signed(stream, (int16_t)slot->value);
        break;
    case GAPIR_INT32:
        add_signed(stream, (int32_t)slot->value);
        break;
    case GAPIR_INT64:
        add_signed(stream, (int64_t)slot->value);
        break;
    case GAPIR_FLOAT:
        add_byte(stream, VALUE_FLOAT);
        add_little_endian(stream, slot->value, 4);
        break;
    case GAPIR_DOUBLE:
        add_byte(stream, VALUE_DOUBLE);
        add_little_endian(stream, slot->value, 8);
        break;
    case GAPIR_ABSOLUTE_POINTER:
        gapir_gl_address(stream, slot->value);
        break;
    default:
        gapir_gl_number(stream, slot->value);
    }
}

void gapir_gl_number(struct gapir_gl_stream *stream, uint64_t value)
{
    add_byte(stream, VALUE_POSITIVE);
    add_varint(stream, value);
}

void gapir_gl_address(struct gapir_gl_stream *stream, uint64_t address)
{
    add_byte(stream, address == 0 ? VALUE_NULL : VALUE_OPAQUE);
    if (address != 0)
        add_varint(stream, address);
}

void gapir_gl_blob(struct gapir_gl_stream *stream, const uint8_t *bytes, uint64_t size)
{
    add_byte(stream, VALUE_BLOB);
    add_varint(stream, size);
    message_write_bytes(&stream->bytes, bytes, (size_t)size);
}

void gapir_gl_array(struct gapir_gl_stream *stream, const uint64_t *values, unsigned count)
{
    add_byte(stream, VALUE_ARRAY);
    add_varint(stream, count);
    for (unsigned n = 0; n < count; n++)
        gapir_gl_number(stream, values[n]);
}
