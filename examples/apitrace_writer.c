/* SPDX-License-Identifier: MIT */
#include "apitrace_writer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHUNK = 1 << 20,
    IDS = 4096,
    HASH_BITS = 14,
    COPY_MAX = 64,
    REACH = 65535, /* of a copy with an offset of two bytes */
};

enum space { FUNCTIONS, STRUCTS, ENUMS, BITMASKS, FRAMES, SPACES };

struct trace_writer {
    FILE *file;
    struct trace_params params;
    uint8_t *raw; /* of the current chunk */
    size_t used, room;
    uint8_t *packed;
    uint64_t calls;
    uint8_t defined[SPACES][IDS / 8];
    int status;
};

/* Snappy: repeated bytes are copied; a hash of four bytes finds the place to copy from. */

static size_t put_varint(uint8_t *to, uint64_t value)
{
    size_t count = 0;

    for (; value >= 0x80; value >>= 7)
        to[count++] = (uint8_t)(value | 0x80);
    to[count++] = (uint8_t)value;
    return count;
}

static size_t put_literal(uint8_t *to, const uint8_t *bytes, size_t count)
{
    size_t at = 0, length = count - 1;

    if (count == 0)
        return 0;
    if (length < 60) {
        to[at++] = (uint8_t)(length << 2);
    } else {
        to[at++] = 62 << 2; /* the length has three bytes */
        to[at++] = (uint8_t)length;
        to[at++] = (uint8_t)(length >> 8);
        to[at++] = (uint8_t)(length >> 16);
    }
    memcpy(to + at, bytes, count);
    return at + count;
}

static size_t put_copy(uint8_t *to, size_t offset, size_t length)
{
    to[0] = (uint8_t)((length - 1) << 2 | 2);
    to[1] = (uint8_t)offset;
    to[2] = (uint8_t)(offset >> 8);
    return 3;
}

static uint32_t load(const uint8_t *at)
{
    uint32_t value;

    memcpy(&value, at, sizeof(value));
    return value;
}

static size_t compress(const uint8_t *in, size_t size, uint8_t *out)
{
    uint32_t table[1 << HASH_BITS] = {0}; /* positions + 1 */
    size_t at = 0, literal = 0, written = put_varint(out, size);

    while (at + 4 <= size) {
        uint32_t *slot = &table[load(in + at) * 2654435761U >> (32 - HASH_BITS)];
        size_t before = *slot, length = 0;

        *slot = (uint32_t)at + 1;
        if (before > 0 && at - (before - 1) <= REACH)
            while (at + length < size && length < COPY_MAX &&
                   in[before - 1 + length] == in[at + length])
                length++;
        if (length < 4) {
            at++;
            continue;
        }
        written += put_literal(out + written, in + literal, at - literal);
        written += put_copy(out + written, at - (before - 1), length);
        at += length;
        literal = at;
    }
    return written + put_literal(out + written, in + literal, size - literal);
}

/* Bytes. */

static void put_file(struct trace_writer *writer, const void *bytes, size_t size)
{
    if (writer->status == 0 && size > 0 && fwrite(bytes, 1, size, writer->file) != size)
        writer->status = errno != 0 ? -errno : -EIO;
}

static void store(uint8_t *to, uint64_t value, size_t size)
{
    for (size_t n = 0; n < size; n++)
        to[n] = (uint8_t)(value >> 8 * n);
}

static void flush(struct trace_writer *writer, size_t size)
{
    uint8_t head[4];
    size_t packed;

    if (size == 0)
        return;
    if (writer->params.bare) {
        put_file(writer, writer->raw, size);
    } else {
        packed = compress(writer->raw, size, writer->packed);
        store(head, packed, sizeof(head));
        put_file(writer, head, sizeof(head));
        put_file(writer, writer->packed, packed);
    }
    writer->used -= size;
    memmove(writer->raw, writer->raw + size, writer->used);
}

void trace_raw(struct trace_writer *writer, const void *bytes, size_t size)
{
    const uint8_t *from = bytes;

    while (size > 0) {
        size_t some = writer->room - writer->used;

        some = some < size ? some : size;
        memcpy(writer->raw + writer->used, from, some);
        writer->used += some;
        from += some;
        size -= some;
        if (writer->used == writer->room)
            flush(writer, writer->used);
    }
}

static void put_byte(struct trace_writer *writer, unsigned byte)
{
    uint8_t value = (uint8_t)byte;

    trace_raw(writer, &value, 1);
}

static void put_number(struct trace_writer *writer, uint64_t value)
{
    uint8_t bytes[10];

    trace_raw(writer, bytes, put_varint(bytes, value));
}

static void put_name(struct trace_writer *writer, const char *name)
{
    put_number(writer, strlen(name));
    trace_raw(writer, name, strlen(name));
}

static void put_signed(struct trace_writer *writer, int64_t value)
{
    put_byte(writer, value < 0 ? 3 : 4);
    put_number(writer, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

/* Writes an id. Returns true if its definition must follow. */
static bool put_id(struct trace_writer *writer, enum space space, unsigned id)
{
    uint8_t *byte = &writer->defined[space][id % IDS / 8], bit = (uint8_t)(1U << id % 8);
    bool is_new = (*byte & bit) == 0;

    *byte |= bit;
    put_number(writer, id);
    return is_new;
}

/* Opening. */

static void put_header(struct trace_writer *writer)
{
    const char *const *property = writer->params.properties;

    put_number(writer, writer->params.version);
    if (writer->params.version < 6)
        return;
    put_number(writer, writer->params.version);
    for (; property != NULL && *property != NULL; property++)
        put_name(writer, *property);
    put_name(writer, "");
}

int trace_writer_open(const char *path, const struct trace_params *params,
                      struct trace_writer **out)
{
    struct trace_writer *writer = calloc(1, sizeof(*writer));

    *out = NULL;
    if (writer == NULL)
        return -ENOMEM;
    writer->params = *params;
    writer->room = params->chunk > 0 ? params->chunk : CHUNK;
    writer->raw = malloc(writer->room);
    writer->packed = malloc(32 + writer->room + writer->room / 6);
    writer->file = writer->raw != NULL && writer->packed != NULL ? fopen(path, "wb") : NULL;
    if (writer->file == NULL) {
        int status = writer->raw != NULL && writer->packed != NULL ? -errno : -ENOMEM;

        free(writer->raw);
        free(writer->packed);
        free(writer);
        return status;
    }
    if (!params->bare)
        put_file(writer, "at", 2);
    put_header(writer);
    *out = writer;
    return 0;
}

int trace_writer_close(struct trace_writer **writer)
{
    struct trace_writer *closing = *writer;
    int status;

    *writer = NULL;
    flush(closing, closing->used);
    status = closing->status;
    if (fclose(closing->file) != 0 && status == 0)
        status = -errno;
    free(closing->raw);
    free(closing->packed);
    free(closing);
    return status;
}

/* Events. */

uint64_t trace_enter(struct trace_writer *writer, unsigned thread,
                     const struct trace_function *function)
{
    put_byte(writer, 0);
    if (writer->params.version >= 4)
        put_number(writer, thread);
    if (put_id(writer, FUNCTIONS, function->id)) {
        put_name(writer, function->name);
        put_number(writer, function->count);
        for (unsigned n = 0; n < function->count; n++)
            put_name(writer, function->arguments[n]);
    }
    return writer->calls++;
}

void trace_leave(struct trace_writer *writer, uint64_t call)
{
    put_byte(writer, 1);
    put_number(writer, call);
}

void trace_argument(struct trace_writer *writer, unsigned number)
{
    put_byte(writer, 1);
    put_number(writer, number);
}

void trace_result(struct trace_writer *writer)
{
    put_byte(writer, 2);
}

void trace_flags(struct trace_writer *writer, unsigned flags)
{
    put_byte(writer, 5);
    put_number(writer, flags);
}

void trace_end(struct trace_writer *writer)
{
    put_byte(writer, 0);
}

void trace_call_end(struct trace_writer *writer, uint64_t call)
{
    trace_end(writer);
    trace_leave(writer, call);
    trace_end(writer);
}

void trace_backtrace(struct trace_writer *writer, unsigned id, const char *module,
                     const char *function, unsigned line)
{
    put_byte(writer, 4);
    put_number(writer, 1);
    if (!put_id(writer, FRAMES, id))
        return;
    put_byte(writer, 1);
    put_name(writer, module);
    put_byte(writer, 2);
    put_name(writer, function);
    put_byte(writer, 3);
    put_name(writer, "main.c");
    put_byte(writer, 4);
    put_number(writer, line);
    put_byte(writer, 0);
}

/* Values. */

void trace_null(struct trace_writer *writer)
{
    put_byte(writer, 0);
}

void trace_bool(struct trace_writer *writer, bool value)
{
    put_byte(writer, value ? 2 : 1);
}

void trace_int(struct trace_writer *writer, int64_t value)
{
    put_signed(writer, value);
}

void trace_uint(struct trace_writer *writer, uint64_t value)
{
    put_byte(writer, 4);
    put_number(writer, value);
}

void trace_float(struct trace_writer *writer, float value)
{
    uint32_t bits;
    uint8_t bytes[5] = {5};

    memcpy(&bits, &value, sizeof(bits));
    store(bytes + 1, bits, sizeof(bits));
    trace_raw(writer, bytes, sizeof(bytes));
}

void trace_double(struct trace_writer *writer, double value)
{
    uint64_t bits;
    uint8_t bytes[9] = {6};

    memcpy(&bits, &value, sizeof(bits));
    store(bytes + 1, bits, sizeof(bits));
    trace_raw(writer, bytes, sizeof(bytes));
}

void trace_string(struct trace_writer *writer, const char *string)
{
    put_byte(writer, 7);
    put_name(writer, string);
}

void trace_blob(struct trace_writer *writer, const void *bytes, size_t size)
{
    put_byte(writer, 8);
    put_number(writer, size);
    trace_raw(writer, bytes, size);
}

void trace_enum(struct trace_writer *writer, const struct trace_names *names, int64_t value)
{
    bool single = writer->params.version < 3;
    unsigned n = 0;

    put_byte(writer, 9);
    /* before version 3, each constant has an id of its own */
    while (single && n + 1 < names->count && names->constants[n].value != value)
        n++;
    if (put_id(writer, ENUMS, single ? names->id + n : names->id)) {
        if (!single)
            put_number(writer, names->count);
        for (unsigned i = single ? n : 0; i < (single ? n + 1 : names->count); i++) {
            put_name(writer, names->constants[i].name);
            put_signed(writer, names->constants[i].value);
        }
    }
    if (!single)
        put_signed(writer, value);
}

void trace_bitmask(struct trace_writer *writer, const struct trace_names *names, uint64_t value)
{
    put_byte(writer, 10);
    if (put_id(writer, BITMASKS, names->id)) {
        put_number(writer, names->count);
        for (unsigned n = 0; n < names->count; n++) {
            put_name(writer, names->constants[n].name);
            put_number(writer, (uint64_t)names->constants[n].value);
        }
    }
    put_number(writer, value);
}

void trace_array(struct trace_writer *writer, uint64_t count)
{
    put_byte(writer, 11);
    put_number(writer, count);
}

void trace_structure(struct trace_writer *writer, const struct trace_struct *structure)
{
    put_byte(writer, 12);
    if (!put_id(writer, STRUCTS, structure->id))
        return;
    put_name(writer, structure->name);
    put_number(writer, structure->count);
    for (unsigned n = 0; n < structure->count; n++)
        put_name(writer, structure->members[n]);
}

void trace_opaque(struct trace_writer *writer, uint64_t value)
{
    put_byte(writer, 13);
    put_number(writer, value);
}

void trace_representation(struct trace_writer *writer)
{
    put_byte(writer, 14);
}

void trace_wide_string(struct trace_writer *writer, const char *string)
{
    put_byte(writer, 15);
    put_number(writer, strlen(string));
    for (; *string != '\0'; string++)
        put_number(writer, (uint8_t)*string);
}
