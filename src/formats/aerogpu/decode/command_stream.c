/* SPDX-License-Identifier: MIT */
#include "formats/aerogpu/decode/command_stream.h"

enum {
#define COMMAND(id, dialect, opcode, name, size, tail, count, stride) TYPE_##id,
#define FIELD(command, field, offset, kind, names, ...)
#include "formats/aerogpu/decode/commands.def"
    TYPE_COUNT
};

/* FIRST_X is the row of the first field of command X. */
enum {
#define COMMAND(id, dialect, opcode, name, size, tail, count, stride)                              \
    FIRST_##id, BEFORE_##id = FIRST_##id - 1,
#define FIELD(command, field, offset, kind, names, ...) ROW_##command##_##field,
#include "formats/aerogpu/decode/commands.def"
    FIELD_COUNT
};

static const struct aerogpu_field all_fields[] = {
#define COMMAND(id, dialect, opcode, name, size, tail, count, stride)
#define FIELD(command, field, offset, kind, names, ...)                                            \
    {TYPE_##command, offset, AEROGPU_KIND_##kind, AEROGPU_NAMES_##names, __VA_ARGS__},
#include "formats/aerogpu/decode/commands.def"
};

const struct aerogpu_packet_type aerogpu_types[] = {
#define COMMAND(id, dialect, opcode, name, size, tail, count, stride)                              \
    {name, opcode, size, AEROGPU_##dialect, AEROGPU_TAIL_##tail, count, stride, FIRST_##id},
#define FIELD(command, field, offset, kind, names, ...)
#include "formats/aerogpu/decode/commands.def"
};

const size_t aerogpu_type_count = TYPE_COUNT;

const struct aerogpu_field *aerogpu_type_fields(const struct aerogpu_packet_type *type,
                                                size_t *count)
{
    size_t row = (size_t)(type - aerogpu_types);
    size_t first = type->first, end = first;

    while (end < FIELD_COUNT && all_fields[end].command == row)
        end++;
    *count = end - first;
    return &all_fields[first];
}

/*
 * Searches the table, in which opcodes ascend within a dialect and Appendix A's rows follow the
 * others.
 */
const struct aerogpu_packet_type *aerogpu_type_find(enum aerogpu_dialect dialect, uint32_t opcode)
{
    size_t low = dialect == AEROGPU_A3A0 ? 0 : TYPE_A_CREATE_BUFFER;
    size_t high = dialect == AEROGPU_A3A0 ? TYPE_A_CREATE_BUFFER : TYPE_COUNT;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (aerogpu_types[middle].opcode == opcode)
            return &aerogpu_types[middle];
        if (aerogpu_types[middle].opcode < opcode)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static const char *const error_names[] = {
    [AEROGPU_OK] = "ok",
    [AEROGPU_BUFFER_TOO_SMALL] = "BufferTooSmall",
    [AEROGPU_BAD_MAGIC] = "BadMagic",
    [AEROGPU_ABI] = "Abi",
    [AEROGPU_BAD_SIZE_BYTES] = "BadSizeBytes",
    [AEROGPU_SIZE_NOT_ALIGNED] = "SizeNotAligned",
    [AEROGPU_PACKET_OVERRUNS_STREAM] = "PacketOverrunsStream",
    [AEROGPU_PAYLOAD_SIZE_MISMATCH] = "PayloadSizeMismatch",
    [AEROGPU_COUNT_OVERFLOW] = "CountOverflow",
};

const char *aerogpu_error_name(enum aerogpu_error_kind kind)
{
    return error_names[kind];
}

static bool refuse(struct aerogpu_error *error, enum aerogpu_error_kind kind, uint32_t offset,
                   uint32_t found)
{
    *error = (struct aerogpu_error){.kind = kind, .offset = offset, .found = found};
    return false;
}

static uint64_t count_of(const struct aerogpu_command *command)
{
    const struct aerogpu_packet_type *type = command->type;

    if (type->tail == AEROGPU_TAIL_COUNT64)
        return aerogpu_u64(command, type->count);
    return aerogpu_u32(command, type->count);
}

/*
 * Returns the stride of the tail. For bools, the C header writes 16 bytes each, but the reference
 * reads 4 (aerogpu.md 3.2).
 */
static uint32_t stride_of(const struct aerogpu_command *command, uint64_t count)
{
    const struct aerogpu_packet_type *type = command->type;

    if (type->tail == AEROGPU_TAIL_BOOLS && (command->size - type->min_size) / 16 >= count)
        return 16;
    return type->stride;
}

static enum aerogpu_error_kind find_tail(struct aerogpu_command *command)
{
    const struct aerogpu_packet_type *type = command->type;
    uint64_t count = count_of(command), length = 0;

    command->tail_stride = stride_of(command, count);
    if (!bytes_mul(count, command->tail_stride, &length) ||
        !bytes_add(length, type->min_size, &command->needed))
        return AEROGPU_COUNT_OVERFLOW;
    if (command->needed > command->size)
        return AEROGPU_PAYLOAD_SIZE_MISMATCH;
    command->tail = command->bytes + type->min_size;
    command->tail_length = (uint32_t)length;
    return AEROGPU_OK;
}

/* Checks the opcode, length and counts of a command against each other. */
static void examine(struct aerogpu_command *command, enum aerogpu_dialect dialect)
{
    command->type = aerogpu_type_find(dialect, command->opcode);
    if (command->type == NULL)
        return;
    command->needed = command->type->min_size;
    if (command->size < command->type->min_size)
        command->error = AEROGPU_PAYLOAD_SIZE_MISMATCH;
    else if (command->type->tail != AEROGPU_TAIL_NONE)
        command->error = find_tail(command);
}

bool aerogpu_stream_open(struct aerogpu_stream *stream, const uint8_t *bytes, uint64_t size)
{
    *stream = (struct aerogpu_stream){.bytes = bytes, .available = size};
    if (size < AEROGPU_STREAM_HEADER)
        return refuse(&stream->error, AEROGPU_BUFFER_TOO_SMALL, 0, 0);
    stream->magic = bytes_le32(bytes);
    stream->abi_version = bytes_le32(bytes + 4);
    stream->size = bytes_le32(bytes + 8);
    stream->flags = bytes_le32(bytes + 12);
    stream->reserved[0] = bytes_le32(bytes + 16);
    stream->reserved[1] = bytes_le32(bytes + 20);
    stream->position = AEROGPU_STREAM_HEADER;
    if (stream->magic != AEROGPU_STREAM_MAGIC)
        return refuse(&stream->error, AEROGPU_BAD_MAGIC, 0, stream->magic);
    if (stream->abi_version >> 16 != AEROGPU_ABI_MAJOR)
        return refuse(&stream->error, AEROGPU_ABI, 4, stream->abi_version);
    if (stream->size < AEROGPU_STREAM_HEADER)
        return refuse(&stream->error, AEROGPU_BAD_SIZE_BYTES, 8, stream->size);
    if (stream->size % 4 != 0)
        return refuse(&stream->error, AEROGPU_SIZE_NOT_ALIGNED, 8, stream->size);
    if (stream->size > size)
        return refuse(&stream->error, AEROGPU_BUFFER_TOO_SMALL, 8, stream->size);
    return true;
}

bool aerogpu_stream_next(struct aerogpu_stream *stream, struct aerogpu_command *command)
{
    uint32_t offset = stream->position, left = 0, size = 0;

    if (stream->error.kind != AEROGPU_OK || offset >= stream->size)
        return false;
    left = stream->size - offset;
    if (left < AEROGPU_PACKET_HEADER)
        return refuse(&stream->error, AEROGPU_BUFFER_TOO_SMALL, offset, left);
    size = bytes_le32(stream->bytes + offset + 4);
    if (size < AEROGPU_PACKET_HEADER)
        return refuse(&stream->error, AEROGPU_BAD_SIZE_BYTES, offset, size);
    if (size % 4 != 0)
        return refuse(&stream->error, AEROGPU_SIZE_NOT_ALIGNED, offset, size);
    if (size > left) {
        refuse(&stream->error, AEROGPU_PACKET_OVERRUNS_STREAM, offset, size);
        stream->error.expected = stream->size;
        return false;
    }
    *command = (struct aerogpu_command){.bytes = stream->bytes + offset,
                                        .opcode = bytes_le32(stream->bytes + offset),
                                        .size = size,
                                        .offset = offset,
                                        .number = stream->number++,
                                        .abi_minor = (uint16_t)stream->abi_version};
    examine(command, AEROGPU_A3A0);
    stream->position = offset + size;
    return true;
}

bool aerogpu_dwords_read(const uint8_t *bytes, uint64_t size, struct aerogpu_command *command,
                         struct aerogpu_error *error)
{
    uint32_t dwords = 0;

    *error = (struct aerogpu_error){.kind = AEROGPU_OK};
    if (size < AEROGPU_PACKET_HEADER)
        return refuse(error, AEROGPU_BUFFER_TOO_SMALL, 0, (uint32_t)size);
    dwords = bytes_le32(bytes + 4);
    if (dwords < AEROGPU_PACKET_HEADER / 4)
        return refuse(error, AEROGPU_BAD_SIZE_BYTES, 4, dwords);
    if (dwords > size / 4) {
        refuse(error, AEROGPU_PACKET_OVERRUNS_STREAM, 0, dwords);
        error->expected = size;
        return false;
    }
    *command =
        (struct aerogpu_command){.bytes = bytes, .opcode = bytes_le32(bytes), .size = dwords * 4};
    examine(command, AEROGPU_APPENDIX_A);
    return true;
}

/*
 * Returns whether a record holds a packet of A3A0. A3A0 counts bytes where Appendix A counts
 * dwords, so a record that is exactly as long as its packet determines the dialect. In a longer
 * record, an opcode that only A3A0 has does.
 */
static bool is_bare(const uint8_t *bytes, uint64_t size, uint32_t abi_version)
{
    uint32_t opcode, length;

    if (size < AEROGPU_PACKET_HEADER || abi_version >> 16 != AEROGPU_ABI_MAJOR)
        return false;
    opcode = bytes_le32(bytes);
    length = bytes_le32(bytes + 4);
    if (length < AEROGPU_PACKET_HEADER || length % 4 != 0 || length > size || size / 4 == length)
        return false;
    return length == size || (aerogpu_type_find(AEROGPU_A3A0, opcode) != NULL &&
                              aerogpu_type_find(AEROGPU_APPENDIX_A, opcode) == NULL);
}

bool aerogpu_packet_read(const uint8_t *bytes, uint64_t size, uint32_t abi_version,
                         struct aerogpu_command *command, struct aerogpu_error *error)
{
    if (!is_bare(bytes, size, abi_version))
        return aerogpu_dwords_read(bytes, size, command, error);
    *error = (struct aerogpu_error){.kind = AEROGPU_OK};
    *command = (struct aerogpu_command){.bytes = bytes,
                                        .opcode = bytes_le32(bytes),
                                        .size = bytes_le32(bytes + 4),
                                        .abi_minor = (uint16_t)abi_version};
    examine(command, AEROGPU_A3A0);
    return true;
}

void aerogpu_bind_shaders(const struct aerogpu_command *command, struct aerogpu_shaders *out)
{
    *out = (struct aerogpu_shaders){
        .vs = aerogpu_u32(command, AEROGPU_AT_BIND_SHADERS_VS),
        .ps = aerogpu_u32(command, AEROGPU_AT_BIND_SHADERS_PS),
        .cs = aerogpu_u32(command, AEROGPU_AT_BIND_SHADERS_CS),
    };
    if (command->size < AEROGPU_AT_BIND_SHADERS_DS + 4) {
        out->gs = aerogpu_u32(command, AEROGPU_AT_BIND_SHADERS_GS_SHORT);
        return;
    }
    out->gs = aerogpu_u32(command, AEROGPU_AT_BIND_SHADERS_GS);
    out->hs = aerogpu_u32(command, AEROGPU_AT_BIND_SHADERS_HS);
    out->ds = aerogpu_u32(command, AEROGPU_AT_BIND_SHADERS_DS);
}

static bool program_of_stage_ex(uint32_t stage_ex, enum dxbc_program *out)
{
    switch (stage_ex) {
    case AEROGPU_EX_NONE:
    case AEROGPU_EX_COMPUTE:
        *out = DXBC_CS;
        return true;
    case AEROGPU_EX_GEOMETRY:
        *out = DXBC_GS;
        return true;
    case AEROGPU_EX_HULL:
        *out = DXBC_HS;
        return true;
    case AEROGPU_EX_DOMAIN:
        *out = DXBC_DS;
        return true;
    default:
        return false;
    }
}

bool aerogpu_program_of(const struct aerogpu_command *command, uint32_t stage, uint32_t stage_ex,
                        enum dxbc_program *out)
{
    bool has_ex = command->abi_minor >= AEROGPU_STAGE_EX_MINOR;

    switch (stage) {
    case AEROGPU_VERTEX:
        *out = DXBC_VS;
        return true;
    case AEROGPU_PIXEL:
        *out = DXBC_PS;
        return true;
    case AEROGPU_GEOMETRY:
        *out = DXBC_GS;
        return true;
    case AEROGPU_COMPUTE:
        return program_of_stage_ex(has_ex ? stage_ex : AEROGPU_EX_NONE, out);
    default:
        return false;
    }
}

/* Handles. */

enum { EACH = 0xFF }; /* in `count`: the handle is at the beginning of each item of the tail */

struct handle_row {
    uint32_t opcode;
    uint8_t offset, count; /* `count`: number of consecutive handles */
    uint8_t space;
};

/* clang-format off */
static const struct handle_row handle_rows[] = {
    {AEROGPU_RESOURCE_DIRTY_RANGE, AEROGPU_AT_RESOURCE_DIRTY_RANGE_RESOURCE, 1, AEROGPU_SPACE_RESOURCE},
    {AEROGPU_UPLOAD_RESOURCE, AEROGPU_AT_UPLOAD_RESOURCE_RESOURCE, 1, AEROGPU_SPACE_RESOURCE},
    {AEROGPU_COPY_BUFFER, AEROGPU_AT_COPY_BUFFER_DST, 2, AEROGPU_SPACE_RESOURCE},
    {AEROGPU_COPY_TEXTURE2D, AEROGPU_AT_COPY_TEXTURE2D_DST, 2, AEROGPU_SPACE_RESOURCE},
    {AEROGPU_CREATE_TEXTURE_VIEW, AEROGPU_AT_CREATE_TEXTURE_VIEW_TEXTURE, 1, AEROGPU_SPACE_RESOURCE},
    {AEROGPU_BIND_SHADERS, AEROGPU_AT_BIND_SHADERS_VS, 3, AEROGPU_SPACE_SHADER},
    {AEROGPU_SET_INPUT_LAYOUT, AEROGPU_AT_SET_INPUT_LAYOUT_LAYOUT, 1, AEROGPU_SPACE_LAYOUT},
    {AEROGPU_SET_RENDER_TARGETS, AEROGPU_AT_SET_RENDER_TARGETS_DEPTH_STENCIL, 9, AEROGPU_SPACE_RESOURCE},
    {AEROGPU_SET_VERTEX_BUFFERS, AEROGPU_AT_SET_VERTEX_BUFFERS_ITEMS, EACH, AEROGPU_SPACE_RESOURCE},
    {AEROGPU_SET_INDEX_BUFFER, AEROGPU_AT_SET_INDEX_BUFFER_BUFFER, 1, AEROGPU_SPACE_RESOURCE},
    {AEROGPU_SET_TEXTURE, AEROGPU_AT_SET_TEXTURE_TEXTURE, 1, AEROGPU_SPACE_RESOURCE},
    {AEROGPU_SET_SAMPLERS, AEROGPU_AT_SET_SAMPLERS_ITEMS, EACH, AEROGPU_SPACE_SAMPLER},
    {AEROGPU_SET_CONSTANT_BUFFERS, AEROGPU_AT_SET_CONSTANT_BUFFERS_ITEMS, EACH, AEROGPU_SPACE_RESOURCE},
    {AEROGPU_SET_SHADER_RESOURCE_BUFFERS, AEROGPU_AT_SET_CONSTANT_BUFFERS_ITEMS, EACH, AEROGPU_SPACE_RESOURCE},
    {AEROGPU_SET_UNORDERED_ACCESS_BUFFERS, AEROGPU_AT_SET_CONSTANT_BUFFERS_ITEMS, EACH, AEROGPU_SPACE_RESOURCE},
    {AEROGPU_EXPORT_SHARED_SURFACE, AEROGPU_AT_EXPORT_SHARED_SURFACE_RESOURCE, 1, AEROGPU_SPACE_RESOURCE},
};

static const struct handle_row handle_rows_a[] = {
    {AEROGPU_A_UPLOAD_BUFFER, AEROGPU_AT_A_UPLOAD_BUFFER_BUFFER, 1, AEROGPU_SPACE_A_BUFFER},
    {AEROGPU_A_CREATE_PIPELINE, AEROGPU_AT_A_CREATE_PIPELINE_VS, 2, AEROGPU_SPACE_A_SHADER},
    {AEROGPU_A_SET_PIPELINE, AEROGPU_AT_A_SET_PIPELINE_PIPELINE, 1, AEROGPU_SPACE_A_PIPELINE},
    {AEROGPU_A_SET_VERTEX_BUFFER, AEROGPU_AT_A_SET_VERTEX_BUFFER_BUFFER, 1, AEROGPU_SPACE_A_BUFFER},
};
/* clang-format on */

static void emit_one(const uint8_t *bytes, enum aerogpu_space space, aerogpu_handle_emit *emit,
                     void *context)
{
    if (bytes_le32(bytes) != 0)
        emit(context, space, bytes_le32(bytes));
}

static void emit_row(const struct aerogpu_command *command, const struct handle_row *handle_row,
                     aerogpu_handle_emit *emit, void *context)
{
    enum aerogpu_space space = (enum aerogpu_space)handle_row->space;

    if (handle_row->count == EACH) {
        for (uint32_t at = 0; at < command->tail_length; at += command->tail_stride)
            emit_one(command->tail + at, space, emit, context);
        return;
    }
    for (uint32_t i = 0; i < handle_row->count; i++)
        emit_one(command->bytes + handle_row->offset + (size_t)4 * i, space, emit, context);
}

static void emit_more_shaders(const struct aerogpu_command *command, aerogpu_handle_emit *emit,
                              void *context)
{
    struct aerogpu_shaders shaders;

    aerogpu_bind_shaders(command, &shaders);
    if (shaders.gs != 0)
        emit(context, AEROGPU_SPACE_SHADER, shaders.gs);
    if (shaders.hs != 0)
        emit(context, AEROGPU_SPACE_SHADER, shaders.hs);
    if (shaders.ds != 0)
        emit(context, AEROGPU_SPACE_SHADER, shaders.ds);
}

void aerogpu_handles(const struct aerogpu_command *command, aerogpu_handle_emit *emit,
                     void *context)
{
    bool a = command->type->dialect == AEROGPU_APPENDIX_A;
    const struct handle_row *table = a ? handle_rows_a : handle_rows;
    size_t count = a ? sizeof(handle_rows_a) / sizeof(handle_rows_a[0])
                     : sizeof(handle_rows) / sizeof(handle_rows[0]);

    for (size_t i = 0; i < count; i++)
        if (table[i].opcode == command->opcode)
            emit_row(command, &table[i], emit, context);
    if (!a && command->opcode == AEROGPU_BIND_SHADERS)
        emit_more_shaders(command, emit, context);
}

static void rename_one(uint8_t *bytes, uint32_t (*rename)(void *context, uint32_t handle),
                       void *context)
{
    if (bytes_le32(bytes) != 0)
        bytes_put_le32(bytes, rename(context, bytes_le32(bytes)));
}

static void rename_row(const struct aerogpu_command *command, const struct handle_row *row,
                       uint8_t *bytes, uint32_t (*rename)(void *context, uint32_t handle),
                       void *context)
{
    if (row->count == EACH) {
        bytes += command->tail - command->bytes;
        for (uint32_t at = 0; at < command->tail_length; at += command->tail_stride)
            rename_one(bytes + at, rename, context);
        return;
    }
    for (uint32_t i = 0; i < row->count; i++)
        rename_one(bytes + row->offset + (size_t)4 * i, rename, context);
}

void aerogpu_handles_rename(const struct aerogpu_command *command, uint8_t *bytes,
                            uint32_t (*rename)(void *context, uint32_t handle), void *context)
{
    for (size_t i = 0; i < sizeof(handle_rows) / sizeof(handle_rows[0]); i++)
        if (handle_rows[i].opcode == command->opcode &&
            handle_rows[i].space == AEROGPU_SPACE_RESOURCE)
            rename_row(command, &handle_rows[i], bytes, rename, context);
}
