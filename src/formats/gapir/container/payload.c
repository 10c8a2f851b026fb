/* SPDX-License-Identifier: MIT */
#include "formats/gapir/container/payload.h"

#include "base/array.h"
#include "formats/gapir/container/payload.pb-c.h"
#include "formats/gapir/decode/decode.h"

#include <errno.h>
#include <stdlib.h>

enum { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2, WIRE_FIXED32 = 5 };

enum {
    FIELD_STACK_SIZE = 1,
    FIELD_VOLATILE_SIZE = 2,
    FIELD_CONSTANTS = 3,
    FIELD_RESOURCES = 4,
    FIELD_OPCODES = 5,
};

enum {
    DEFECTS_LISTED = 1000,
    POLL_FIELDS = 1 << 16,
    PART_FIELDS = 2, /* complete fields by which a part of a payload is recognised */
};

/* protobuf refuses messages above 2 GiB; bytes beyond are ignored. */
#define MESSAGE_MAX UINT64_C(0x7fffffff)

static enum gapir_walk walk_varint(const uint8_t *data, uint64_t size, uint64_t *offset,
                                   uint64_t *value)
{
    *value = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
        if (*offset >= size)
            return GAPIR_WALK_TRUNCATED;
        uint8_t byte = data[(*offset)++];
        *value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return GAPIR_WALK_FIELD;
    }
    return GAPIR_WALK_VARINT;
}

static enum gapir_walk walk_fixed(const uint8_t *data, uint64_t size, uint64_t *offset,
                                  unsigned bytes, uint64_t *value)
{
    if (bytes > size - *offset)
        return GAPIR_WALK_TRUNCATED;
    *value = bytes == 8 ? bytes_le64(data + *offset) : bytes_le32(data + *offset);
    *offset += bytes;
    return GAPIR_WALK_FIELD;
}

static enum gapir_walk walk_bytes(const uint8_t *data, uint64_t size, uint64_t *offset,
                                  struct gapir_field *field)
{
    enum gapir_walk walk = walk_varint(data, size, offset, &field->claimed);

    if (walk != GAPIR_WALK_FIELD)
        return walk;
    field->data = *offset;
    field->size = field->claimed;
    if (field->size > size - *offset) {
        field->size = size - *offset;
        walk = GAPIR_WALK_TRUNCATED;
    }
    *offset += field->size;
    return walk;
}

enum gapir_walk gapir_payload_walk(const uint8_t *data, uint64_t size, uint64_t *offset,
                                   struct gapir_field *field)
{
    uint64_t tag;

    *field = (struct gapir_field){.offset = *offset};
    if (*offset >= size)
        return GAPIR_WALK_END;
    enum gapir_walk walk = walk_varint(data, size, offset, &tag);
    if (walk != GAPIR_WALK_FIELD)
        return walk;
    field->number = (uint32_t)(tag >> 3);
    field->wire = tag & 7;
    if (field->number == 0 || tag >> 3 > UINT32_MAX)
        return GAPIR_WALK_WIRE;
    switch (field->wire) {
    case WIRE_VARINT:
        return walk_varint(data, size, offset, &field->value);
    case WIRE_FIXED64:
        return walk_fixed(data, size, offset, 8, &field->value);
    case WIRE_BYTES:
        return walk_bytes(data, size, offset, field);
    case WIRE_FIXED32:
        return walk_fixed(data, size, offset, 4, &field->value);
    default:
        return GAPIR_WALK_WIRE;
    }
}

/* The state of reading one payload. */
struct reader {
    const uint8_t *data;
    struct problems *problems;
    struct gapir_payload *payload;
    uint32_t room; /* of payload->resources */
    uint64_t dropped;
    uint64_t defects;               /* in single fields */
    enum problem_severity unlisted; /* the highest severity of the defects that are not listed */
};

#define REPORT(reader, severity, offset, ...)                                                      \
    do {                                                                                           \
        if ((reader)->problems != NULL)                                                            \
            problems_add((reader)->problems, severity, offset, PROBLEM_NOWHERE, __VA_ARGS__);      \
    } while (0)

/*
 * Counts a defect and returns whether to list it. Only the first are listed, so that millions of
 * defects take no time.
 */
static bool lists(struct reader *reader, enum problem_severity severity)
{
    if (reader->defects++ < DEFECTS_LISTED)
        return true;
    if (severity > reader->unlisted)
        reader->unlisted = severity;
    return false;
}

static struct gapir_slice slice(const struct reader *reader, const struct gapir_field *field)
{
    return (struct gapir_slice){.data = field->size != 0 ? reader->data + field->data : NULL,
                                .size = field->size,
                                .offset = field->data};
}

/*
 * Finds the id within the mapped file. protobuf-c copies the id; the slice with the same bytes is
 * kept instead.
 */
static struct gapir_slice find_id(const struct reader *reader, const struct gapir_field *message)
{
    const uint8_t *data = reader->data + message->data;
    struct gapir_slice id = {.offset = message->data};
    struct gapir_field field;
    uint64_t offset = 0;

    while (gapir_payload_walk(data, message->size, &offset, &field) == GAPIR_WALK_FIELD)
        if (field.number == 1 && field.wire == WIRE_BYTES)
            id = (struct gapir_slice){.data = field.size != 0 ? data + field.data : NULL,
                                      .size = field.size,
                                      .offset = message->data + field.data};
    return id;
}

/* Allocates for protobuf-c, which does not distinguish a lack of memory from a damaged message. */
static void *allocate(void *short_of_memory, size_t size)
{
    void *block = malloc(size);

    if (block == NULL)
        *(bool *)short_of_memory = true;
    return block;
}

static void release(void *short_of_memory, void *block)
{
    (void)short_of_memory;
    free(block);
}

static int add_resource(struct reader *reader, const struct gapir_field *field)
{
    struct gapir_payload *payload = reader->payload;

    if (payload->resource_count == GAPIR_RESOURCES_MAX) {
        reader->dropped++;
        return 0;
    }
    if (ARRAY_GROW(payload->resources, payload->resource_count, reader->room) != 0)
        return -ENOMEM;
    /*
     * Its index in the list is the operand of RESOURCE, so a damaged message must keep its place.
     */
    struct gapir_resource_info *info = &payload->resources[payload->resource_count++];
    *info = (struct gapir_resource_info){.id = {.offset = field->data}};
    bool short_of_memory = false;
    ProtobufCAllocator allocator = {
        .alloc = allocate, .free = release, .allocator_data = &short_of_memory};
    Gapir__ResourceInfo *message = gapir__resource_info__unpack(
        &allocator, field->size,
        field->size != 0 ? reader->data + field->data : (const uint8_t *)"");
    if (short_of_memory) {
        gapir__resource_info__free_unpacked(message, &allocator);
        return -ENOMEM;
    }
    if (message == NULL) {
        if (lists(reader, PROBLEM_ERROR))
            REPORT(reader, PROBLEM_ERROR, field->offset,
                   "resource %u is not a well-formed ResourceInfo", payload->resource_count - 1);
        payload->damaged = true;
        return 0;
    }
    info->size = message->size;
    info->id = find_id(reader, field);
    gapir__resource_info__free_unpacked(message, &allocator);
    return 0;
}

static bool expects_bytes(uint32_t number)
{
    return number >= FIELD_CONSTANTS;
}

static int take_field(struct reader *reader, const struct gapir_field *field)
{
    struct gapir_payload *payload = reader->payload;

    if (field->number > FIELD_OPCODES) {
        if (lists(reader, PROBLEM_NOTE))
            REPORT(reader, PROBLEM_NOTE, field->offset,
                   "unknown field %u of the payload is skipped", field->number);
        return 0;
    }
    if (field->wire != (expects_bytes(field->number) ? WIRE_BYTES : WIRE_VARINT)) {
        if (lists(reader, PROBLEM_WARNING))
            REPORT(reader, PROBLEM_WARNING, field->offset,
                   "field %u of the payload has wire type %u and is skipped", field->number,
                   field->wire);
        return 0;
    }
    switch (field->number) {
    case FIELD_STACK_SIZE:
        payload->stack_size = (uint32_t)field->value;
        break;
    case FIELD_VOLATILE_SIZE:
        payload->volatile_size = (uint32_t)field->value;
        break;
    case FIELD_CONSTANTS:
        payload->constants = slice(reader, field);
        break;
    case FIELD_RESOURCES:
        return add_resource(reader, field);
    default:
        payload->opcodes = slice(reader, field);
        break;
    }
    return 0;
}

static int report_damage(struct reader *reader, enum gapir_walk walk,
                         const struct gapir_field *field)
{
    reader->payload->damaged = true;
    switch (walk) {
    case GAPIR_WALK_TRUNCATED:
        if (field->claimed > field->size) {
            REPORT(reader, PROBLEM_ERROR, field->offset,
                   "field %u of the payload claims %llu bytes, but only %llu are left",
                   field->number, (unsigned long long)field->claimed,
                   (unsigned long long)field->size);
            if (field->number == FIELD_CONSTANTS || field->number == FIELD_OPCODES)
                return take_field(reader, field);
        } else {
            REPORT(reader, PROBLEM_ERROR, field->offset, "the payload ends within a field");
        }
        return 0;
    case GAPIR_WALK_VARINT:
        REPORT(reader, PROBLEM_ERROR, field->offset, "a varint of more than ten bytes");
        return 0;
    default:
        REPORT(reader, PROBLEM_ERROR, field->offset, "field number %u or wire type %u is invalid",
               field->number, field->wire);
        return 0;
    }
}

static void finish(struct reader *reader)
{
    struct gapir_payload *payload = reader->payload;
    struct gapir_slice *opcodes = &payload->opcodes;

    payload->trailing_bytes = opcodes->size & 3;
    opcodes->size -= payload->trailing_bytes;
    if (payload->trailing_bytes != 0)
        REPORT(reader, PROBLEM_WARNING, opcodes->offset + opcodes->size,
               "%u bytes after the last complete instruction word are ignored",
               payload->trailing_bytes);
    if (reader->defects > DEFECTS_LISTED)
        REPORT(reader, reader->unlisted, PROBLEM_NOWHERE,
               "%llu more fields of the payload are unknown, of another type or not well-formed",
               (unsigned long long)(reader->defects - DEFECTS_LISTED));
    if (reader->dropped != 0)
        REPORT(reader, PROBLEM_ERROR, PROBLEM_NOWHERE, "%llu resources beyond %d are not shown",
               (unsigned long long)reader->dropped, GAPIR_RESOURCES_MAX);
}

int gapir_payload_read(const uint8_t *data, uint64_t size, struct problems *problems,
                       const struct cancel *cancel, struct gapir_payload *out)
{
    struct reader reader = {.data = data, .problems = problems, .payload = out};
    struct gapir_field field;
    enum gapir_walk walk;
    uint64_t offset = 0, fields = 0;
    int status = 0;

    *out = (struct gapir_payload){0};
    if (size > MESSAGE_MAX) {
        REPORT(&reader, PROBLEM_ERROR, MESSAGE_MAX,
               "a protobuf message cannot be longer than 2 GiB: the rest is ignored");
        out->damaged = true;
        size = MESSAGE_MAX;
    }
    while ((walk = gapir_payload_walk(data, size, &offset, &field)) == GAPIR_WALK_FIELD) {
        status = take_field(&reader, &field);
        if (status == 0 && ++fields % POLL_FIELDS == 0 && cancel_requested(cancel))
            status = -EINTR;
        if (status != 0)
            return status;
    }
    if (walk != GAPIR_WALK_END)
        status = report_damage(&reader, walk, &field);
    finish(&reader);
    return status;
}

void gapir_payload_clear(struct gapir_payload *payload)
{
    free(payload->resources);
    *payload = (struct gapir_payload){0};
}

/*
 * Returns whether up to 64 words from the beginning are instructions of any dialect. `all`: whether
 * no words are cut off.
 */
static bool probe_words(const uint8_t *words, uint64_t size, bool all)
{
    struct gapir_code code = {.words = words, .count = (uint32_t)(size / 4), .dialect = GAPIR_AGI};
    struct gapir_instruction instruction;
    uint32_t pc = 0;

    for (unsigned n = 0; n < 64 && pc < code.count; n++, pc += instruction.length) {
        gapir_decode(&code, pc, &instruction);
        if (instruction.truncated)
            return !all;
        if (instruction.opcode == GAPIR_INVALID)
            return false;
        enum gapir_operand operand = gapir_opcode_table[instruction.opcode].operand;
        if ((operand == GAPIR_OPERAND_TYPED || operand == GAPIR_OPERAND_TYPE) &&
            gapir_type_name(gapir_operand_type(instruction.word)) == NULL)
            return false;
    }
    return true;
}

static bool is_known(const struct gapir_field *field)
{
    return field->number <= FIELD_OPCODES &&
           field->wire == (expects_bytes(field->number) ? WIRE_BYTES : WIRE_VARINT);
}

bool gapir_payload_probe(const uint8_t *data, uint64_t size)
{
    struct gapir_field field;
    enum gapir_walk walk;
    uint64_t offset = 0;
    bool words = false;

    if (size > MESSAGE_MAX)
        return false;
    while ((walk = gapir_payload_walk(data, size, &offset, &field)) == GAPIR_WALK_FIELD) {
        if (!is_known(&field))
            return false;
        if (field.number != FIELD_OPCODES)
            continue;
        if (field.size == 0 || field.size % 4 != 0 ||
            !probe_words(data + field.data, field.size, true))
            return false;
        words = true;
    }
    return walk == GAPIR_WALK_END && words;
}

bool gapir_payload_probe_part(const uint8_t *data, uint64_t size)
{
    struct gapir_field field;
    enum gapir_walk walk;
    uint64_t offset = 0;
    uint32_t last = 0, fields = 0;

    while ((walk = gapir_payload_walk(data, size, &offset, &field)) == GAPIR_WALK_FIELD) {
        if (!is_known(&field) || field.number < last)
            return false;
        last = field.number;
        fields++;
    }
    if (walk != GAPIR_WALK_TRUNCATED || field.claimed <= field.size || fields < PART_FIELDS ||
        !is_known(&field) || field.number < last || field.claimed > MESSAGE_MAX)
        return false;
    return field.number != FIELD_OPCODES ||
           (field.claimed % 4 == 0 && probe_words(data + field.data, field.size, false));
}

bool gapir_payload_begins(const uint8_t *data, uint64_t size)
{
    if (size == 0)
        return true;
    uint32_t number = data[0] >> 3, wire = data[0] & 7;
    return number >= FIELD_STACK_SIZE && number <= FIELD_OPCODES &&
           wire == (expects_bytes(number) ? WIRE_BYTES : WIRE_VARINT);
}
