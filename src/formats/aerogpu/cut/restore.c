/* SPDX-License-Identifier: MIT */
#include "formats/aerogpu/cut/restore.h"

#include "formats/aerogpu/replay/replay.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    RUN_BYTES = 1 << 20,
    MARKER_TEXT = AEROGPU_MARKER_BYTES - AEROGPU_PACKET_HEADER,
    STUB = 1, /* a handle */
};

/* The first token with which aliases are made. Such tokens are retired at once. */
#define FIRST_TOKEN UINT64_C(0x6375740000000001)

struct restoring {
    struct aerogpu_dump *dump;
    const struct aerogpu_initial *initial;
    struct aerogpu_output *out;
    uint64_t token; /* the next token to use */
};

static void put(const struct restoring *restoring, uint32_t value)
{
    aerogpu_output_u32(restoring->out, value);
}

static void begin_command(const struct restoring *restoring, uint32_t opcode, uint32_t size)
{
    put(restoring, opcode);
    put(restoring, size);
}

static void record_header(struct aerogpu_output *out, uint32_t type, uint64_t length)
{
    aerogpu_output_u32(out, type);
    aerogpu_output_u32(out, (uint32_t)length);
}

static void blob_header(struct aerogpu_output *out, uint64_t id, uint32_t kind, uint64_t size)
{
    record_header(out, AEROGPU_RECORD_BLOB, AEROGPU_BLOB_HEADER + size);
    aerogpu_output_u64(out, id);
    aerogpu_output_u32(out, kind);
    aerogpu_output_u32(out, 0);
}

/* State. */

/*
 * Returns whether the command has a stage_ex. Before ABI 1.3 that field was reserved, and may have
 * any value.
 */
static bool has_stage_ex(const struct aerogpu_command *command)
{
    switch (command->opcode) {
    case AEROGPU_CREATE_SHADER_DXBC:
    case AEROGPU_SET_TEXTURE:
    case AEROGPU_SET_SAMPLERS:
    case AEROGPU_SET_CONSTANT_BUFFERS:
    case AEROGPU_SET_SHADER_RESOURCE_BUFFERS:
    case AEROGPU_SET_UNORDERED_ACCESS_BUFFERS:
    case AEROGPU_SET_SHADER_CONSTANTS_F:
    case AEROGPU_SET_SHADER_CONSTANTS_I:
    case AEROGPU_SET_SHADER_CONSTANTS_B:
        return command->abi_minor >= AEROGPU_STAGE_EX_MINOR;
    default:
        return true;
    }
}

_Static_assert((int)AEROGPU_AT_CREATE_SHADER_DXBC_STAGE_EX == (int)AEROGPU_AT_SET_TEXTURE_STAGE_EX,
               "stage_ex stands in one place");
_Static_assert((int)AEROGPU_AT_SET_CONSTANT_BUFFERS_STAGE_EX ==
                   (int)AEROGPU_AT_SET_TEXTURE_STAGE_EX,
               "stage_ex stands in one place");

static void repeat(const struct restoring *restoring, const struct aerogpu_command *command)
{
    const uint32_t at = AEROGPU_AT_SET_TEXTURE_STAGE_EX;

    if (has_stage_ex(command)) {
        aerogpu_output_bytes(restoring->out, command->bytes, command->size);
        return;
    }
    aerogpu_output_bytes(restoring->out, command->bytes, at);
    put(restoring, 0);
    aerogpu_output_bytes(restoring->out, command->bytes + at + 4, command->size - at - 4);
}

static void destroy(const struct restoring *restoring, uint32_t opcode, uint32_t handle)
{
    begin_command(restoring, opcode, AEROGPU_DESTROY_BYTES);
    put(restoring, handle);
    put(restoring, 0);
}

static void begin_stub_buffer(const struct restoring *restoring, uint32_t handle)
{
    begin_command(restoring, AEROGPU_CREATE_BUFFER, AEROGPU_STUB_BUFFER_BYTES);
    put(restoring, handle);
    put(restoring, 0);
    aerogpu_output_u64(restoring->out, 4);
    aerogpu_output_zeros(restoring->out, 16);
}

static void stub_buffer(const struct restoring *restoring, uint32_t handle)
{
    begin_stub_buffer(restoring, handle);
    destroy(restoring, AEROGPU_DESTROY_RESOURCE, handle);
}

static void stub_layout(const struct restoring *restoring, uint32_t handle)
{
    begin_command(restoring, AEROGPU_CREATE_INPUT_LAYOUT, AEROGPU_STUB_LAYOUT_BYTES);
    put(restoring, handle);
    put(restoring, 16);
    put(restoring, 0);
    put(restoring, AEROGPU_LAYOUT_MAGIC);
    put(restoring, 1);
    aerogpu_output_zeros(restoring->out, 8);
    destroy(restoring, AEROGPU_DESTROY_INPUT_LAYOUT, handle);
}

static void stub_sampler(const struct restoring *restoring, uint32_t handle)
{
    begin_command(restoring, AEROGPU_CREATE_SAMPLER, AEROGPU_STUB_SAMPLER_BYTES);
    put(restoring, handle);
    aerogpu_output_zeros(restoring->out, 16);
    destroy(restoring, AEROGPU_DESTROY_SAMPLER, handle);
}

/* Creates and destroys a handle, which unbinds what is bound by it. */
static void write_stub(const struct restoring *restoring, const struct aerogpu_state_command *entry)
{
    if (entry->space == AEROGPU_SPACE_LAYOUT)
        stub_layout(restoring, entry->destroyed);
    else if (entry->space == AEROGPU_SPACE_SAMPLER)
        stub_sampler(restoring, entry->destroyed);
    else
        stub_buffer(restoring, entry->destroyed);
}

static void share(const struct restoring *restoring, uint32_t opcode, uint32_t handle,
                  uint64_t token)
{
    begin_command(restoring, opcode, AEROGPU_SHARE_BYTES);
    put(restoring, handle);
    put(restoring, 0);
    aerogpu_output_u64(restoring->out, token);
}

static int write_retired(void *context, uint64_t token, const struct aerogpu_object *object)
{
    if (object == NULL)
        share(context, AEROGPU_EXPORT_SHARED_SURFACE, STUB, token);
    return 0;
}

/*
 * Retires tokens together with the resource that they name: a stub that is created before any
 * handle is in use.
 */
static void write_retired_tokens(struct restoring *restoring)
{
    const struct aerogpu_objects *objects = &restoring->initial->player.machine.objects;
    const struct aerogpu_objects_visitor visitor = {.token = write_retired, .context = restoring};

    if (objects->retired == 0)
        return;
    begin_stub_buffer(restoring, STUB);
    aerogpu_objects_visit(objects, &visitor);
    destroy(restoring, AEROGPU_DESTROY_RESOURCE, STUB);
}

static void write_marker(const struct restoring *restoring)
{
    char text[MARKER_TEXT + 1] = "";

    snprintf(text, sizeof(text), "cut: as it is before frame %010" PRIu32,
             restoring->initial->player.frame);
    begin_command(restoring, AEROGPU_DEBUG_MARKER, AEROGPU_MARKER_BYTES);
    aerogpu_output_bytes(restoring->out, text, MARKER_TEXT);
}

/* Clears the implicit back buffer: no target is bound yet. */
static void write_clear(const struct restoring *restoring)
{
    begin_command(restoring, AEROGPU_CLEAR, AEROGPU_CLEAR_BYTES);
    put(restoring, AEROGPU_CLEAR_COLOUR);
    aerogpu_output_bytes(restoring->out, restoring->initial->colour,
                         sizeof(restoring->initial->colour));
    put(restoring, 0);
    put(restoring, 0);
}

static void write_state(const struct restoring *restoring)
{
    if (restoring->initial->back == AEROGPU_BACK_CLEARED)
        write_clear(restoring);
    for (const struct aerogpu_state_command *entry = restoring->initial->state.first; entry != NULL;
         entry = entry->next)
        if (entry->destroyed != 0)
            write_stub(restoring, entry);
        else
            repeat(restoring, &entry->command);
}

/* Contents. */

/* Writes bytes that shaders drew to the linear layout, with its padding. */
static void spread(const struct aerogpu_object *object, const struct blob *tight,
                   struct aerogpu_output *out)
{
    const uint8_t *from = tight->data;
    struct aerogpu_subresource sub;

    if (object->kind == AEROGPU_OBJECT_BUFFER) {
        aerogpu_output_bytes(out, from, tight->size);
        return;
    }
    for (uint32_t layer = 0; layer < object->shape.layers; layer++)
        for (uint32_t mip = 0; mip < object->shape.mips; mip++) {
            aerogpu_subresource(&object->shape, mip, layer, &sub);
            for (uint32_t y = 0; y < sub.rows; y++, from += sub.row_size) {
                aerogpu_output_bytes(out, from, sub.row_size);
                aerogpu_output_zeros(out, sub.pitch - sub.row_size);
            }
        }
}

static void write_drawn(const struct restoring *restoring, const struct aerogpu_object *object)
{
    struct aerogpu_output *out = restoring->out;
    struct blob *tight = NULL;

    out->status = aerogpu_replay_drawn_bytes(restoring->dump, object,
                                             restoring->initial->player.tick, out->cancel, &tight);
    if (out->status == 0)
        spread(object, tight, out);
    blob_unref(&tight);
}

static void write_run(const struct restoring *restoring, const struct aerogpu_object *object,
                      uint64_t offset, size_t length, uint8_t *buffer)
{
    struct aerogpu_output *out = restoring->out;

    if (aerogpu_output_wants(out, length))
        out->status = aerogpu_replay_bytes(restoring->dump, object, restoring->initial->player.tick,
                                           offset, length, out->cancel, buffer);
    aerogpu_output_bytes(out, buffer, length);
}

static void write_known(const struct restoring *restoring, const struct aerogpu_object *object)
{
    uint64_t size = aerogpu_object_size(object);
    uint8_t *buffer = calloc(1, RUN_BYTES);

    if (buffer == NULL) {
        restoring->out->status = -ENOMEM;
        return;
    }
    for (uint64_t run, at = 0; at < size && restoring->out->status == 0; at += run) {
        run = size - at < RUN_BYTES ? size - at : RUN_BYTES;
        write_run(restoring, object, at, (size_t)run, buffer);
    }
    free(buffer);
}

static void write_upload(const struct restoring *restoring, const struct aerogpu_object *object)
{
    uint64_t size = aerogpu_object_size(object), padded = (size + 3) / 4 * 4;
    uint64_t end = restoring->out->at + AEROGPU_UPLOAD_BYTES + padded;

    begin_command(restoring, AEROGPU_UPLOAD_RESOURCE, (uint32_t)(AEROGPU_UPLOAD_BYTES + padded));
    put(restoring, object->handle);
    put(restoring, 0);
    aerogpu_output_u64(restoring->out, 0);
    aerogpu_output_u64(restoring->out, size);
    if (!aerogpu_output_wants(restoring->out, size))
        aerogpu_output_skip(restoring->out, size);
    else if (object->drawn)
        write_drawn(restoring, object);
    else
        write_known(restoring, object);
    aerogpu_output_zeros(restoring->out, padded - size);
    if (restoring->out->status == 0 && restoring->out->at != end)
        restoring->out->status = -EIO;
}

/* Objects. */

static void create_buffer(const struct restoring *restoring, const struct aerogpu_object *object)
{
    put(restoring, object->handle);
    put(restoring, object->usage);
    aerogpu_output_u64(restoring->out, object->size);
    put(restoring, object->alloc);
    put(restoring, object->alloc_offset);
    aerogpu_output_u64(restoring->out, 0);
}

static void create_texture(const struct restoring *restoring, const struct aerogpu_object *object)
{
    const struct aerogpu_shape *shape = &object->shape;

    put(restoring, object->handle);
    put(restoring, object->usage);
    put(restoring, shape->format);
    put(restoring, shape->width);
    put(restoring, shape->height);
    put(restoring, shape->mips);
    put(restoring, shape->layers);
    put(restoring, shape->row_pitch);
    put(restoring, object->alloc);
    put(restoring, object->alloc_offset);
    aerogpu_output_u64(restoring->out, 0);
}

static void create_view(const struct restoring *restoring, const struct aerogpu_object *object)
{
    put(restoring, object->handle);
    put(restoring, object->view.texture->handle);
    put(restoring, object->view.format);
    put(restoring, object->view.base_mip);
    put(restoring, object->view.mips);
    put(restoring, object->view.base_layer);
    put(restoring, object->view.layers);
    aerogpu_output_u64(restoring->out, 0);
}

static void create_sampler(const struct restoring *restoring, const struct aerogpu_object *object)
{
    put(restoring, object->handle);
    put(restoring, object->sampler.filter);
    for (int i = 0; i < 3; i++)
        put(restoring, object->sampler.address[i]);
}

static void create(const struct restoring *restoring, const struct aerogpu_initial_life *life)
{
    const struct aerogpu_object *object = life->object;

    if (object->kind == AEROGPU_OBJECT_SHADER || object->kind == AEROGPU_OBJECT_LAYOUT) {
        repeat(restoring, &life->command);
        return;
    }
    begin_command(restoring, life->command.opcode, life->command.type->min_size);
    if (object->kind == AEROGPU_OBJECT_BUFFER)
        create_buffer(restoring, object);
    else if (object->kind == AEROGPU_OBJECT_TEXTURE)
        create_texture(restoring, object);
    else if (object->kind == AEROGPU_OBJECT_VIEW)
        create_view(restoring, object);
    else
        create_sampler(restoring, object);
}

static void retire(const struct restoring *restoring, uint64_t token)
{
    begin_command(restoring, AEROGPU_RELEASE_SHARED_SURFACE, AEROGPU_SHARE_BYTES);
    aerogpu_output_u64(restoring->out, token);
    aerogpu_output_u64(restoring->out, 0);
}

static int write_alias(void *context, uint32_t handle, const struct aerogpu_object *object,
                       bool reserved)
{
    struct restoring *restoring = context;

    (void)reserved;
    if (handle == object->handle)
        return 0;
    while (aerogpu_objects_has_token(&restoring->initial->player.machine.objects, restoring->token))
        restoring->token++;
    share(restoring, AEROGPU_EXPORT_SHARED_SURFACE, object->handle, restoring->token);
    share(restoring, AEROGPU_IMPORT_SHARED_SURFACE, handle, restoring->token);
    retire(restoring, restoring->token++);
    return 0;
}

static int write_token(void *context, uint64_t token, const struct aerogpu_object *object)
{
    if (object != NULL)
        share(context, AEROGPU_EXPORT_SHARED_SURFACE, object->handle, token);
    return 0;
}

/* Destroys handles whose objects are kept only by aliases or views. */
static int write_reserved(void *context, uint32_t handle, const struct aerogpu_object *object,
                          bool reserved)
{
    if (reserved)
        destroy(context,
                object->kind == AEROGPU_OBJECT_VIEW ? AEROGPU_DESTROY_TEXTURE_VIEW
                                                    : AEROGPU_DESTROY_RESOURCE,
                handle);
    return 0;
}

static void write_objects(struct restoring *restoring)
{
    const struct aerogpu_objects *objects = &restoring->initial->player.machine.objects;
    const struct aerogpu_objects_visitor names = {
        .name = write_alias, .token = write_token, .context = restoring};
    const struct aerogpu_objects_visitor reserved = {.name = write_reserved, .context = restoring};

    for (const struct aerogpu_initial_life *life = restoring->initial->first;
         life != NULL && restoring->out->status == 0; life = life->next) {
        create(restoring, life);
        if (life->written)
            write_upload(restoring, life->object);
    }
    aerogpu_objects_visit(objects, &names);
    aerogpu_objects_visit(objects, &reserved);
}

/* The stream, and the records around it. */

static void write_stream(struct restoring *restoring, uint64_t size)
{
    const struct aerogpu_initial *initial = restoring->initial;
    uint64_t end = restoring->out->at + size;

    put(restoring, AEROGPU_STREAM_MAGIC);
    put(restoring, (uint32_t)AEROGPU_ABI_MAJOR << 16 | initial->minor);
    put(restoring, (uint32_t)size);
    aerogpu_output_zeros(restoring->out, 12);
    write_marker(restoring);
    write_retired_tokens(restoring);
    write_state(restoring);
    write_objects(restoring);
    if (restoring->out->status == 0 && restoring->out->at != end)
        restoring->out->status = -EIO;
}

/*
 * Returns whether the stream is in a submission. A stream alone in a packet has no guest memory,
 * and the reference executes only submissions.
 */
static bool is_submitted(const struct aerogpu_initial_size *size, uint32_t container_version)
{
    return container_version >= 2 || size->ranges > 0;
}

uint64_t aerogpu_restore_size(const struct aerogpu_initial_size *size, uint32_t container_version)
{
    const uint64_t blob = AEROGPU_RECORD_HEADER + AEROGPU_BLOB_HEADER;

    if (size->replayed)
        return size->records;
    if (size->stream == 0)
        return 0;
    if (!is_submitted(size, container_version))
        return AEROGPU_RECORD_HEADER + size->stream;
    return blob + size->stream + (size->ranges > 0 ? blob + size->memory : 0) +
           AEROGPU_RECORD_HEADER + AEROGPU_SUBMISSION_HEADER +
           (uint64_t)AEROGPU_RANGE * size->ranges;
}

/* Ranges share the same zeros, since their contents are uploaded. */
struct ranges {
    struct aerogpu_output *out;
    uint64_t memory, blob;
};

static void write_range(void *context, uint32_t alloc)
{
    const struct ranges *ranges = context;

    aerogpu_output_u32(ranges->out, alloc);
    aerogpu_output_u32(ranges->out, 0);
    aerogpu_output_u64(ranges->out, 0);
    aerogpu_output_u64(ranges->out, ranges->memory);
    aerogpu_output_u64(ranges->out, ranges->blob);
}

static void write_submission(const struct restoring *restoring,
                             const struct aerogpu_initial_size *size, const uint64_t blobs[2])
{
    struct aerogpu_output *out = restoring->out;
    struct ranges ranges = {out, size->memory, blobs[1]};

    record_header(out, AEROGPU_RECORD_SUBMISSION,
                  AEROGPU_SUBMISSION_HEADER + (uint64_t)AEROGPU_RANGE * size->ranges);
    aerogpu_output_u32(out, 1);
    aerogpu_output_u32(out, AEROGPU_SUBMISSION_HEADER);
    aerogpu_output_zeros(out, 24); /* flags, context, engine, fence */
    aerogpu_output_u64(out, blobs[0]);
    aerogpu_output_u64(out, 0);
    aerogpu_output_u32(out, size->ranges);
    aerogpu_output_u32(out, 0);
    aerogpu_initial_allocs(restoring->initial, write_range, &ranges);
}

static void write_made(struct restoring *restoring, const struct aerogpu_initial_size *size,
                       const uint64_t blobs[2])
{
    struct aerogpu_output *out = restoring->out;

    if (!is_submitted(size, restoring->initial->player.index->header.version)) {
        record_header(out, AEROGPU_RECORD_PACKET, size->stream);
        write_stream(restoring, size->stream);
        return;
    }
    blob_header(out, blobs[0], AEROGPU_BLOB_STREAM, size->stream);
    write_stream(restoring, size->stream);
    if (size->ranges > 0) {
        blob_header(out, blobs[1], AEROGPU_BLOB_MEMORY, size->memory);
        aerogpu_output_zeros(out, size->memory);
    }
    write_submission(restoring, size, blobs);
}

/* All commands executed again. */

/* Writes a stream with its PRESENTs replaced by NOPs. */
static void write_quiet_stream(struct aerogpu_output *out, const uint8_t *bytes, uint64_t size)
{
    struct aerogpu_command command;
    struct aerogpu_stream stream;
    uint64_t at = 0;

    if (aerogpu_stream_open(&stream, bytes, size))
        while (aerogpu_stream_next(&stream, &command))
            if (command.opcode == AEROGPU_PRESENT || command.opcode == AEROGPU_PRESENT_EX) {
                aerogpu_output_bytes(out, bytes + at, command.offset - at);
                aerogpu_output_u32(out, AEROGPU_NOP);
                at = (uint64_t)command.offset + 4;
            }
    aerogpu_output_bytes(out, bytes + at, size - at);
}

static void write_quiet_record(const struct aerogpu_index *index, uint32_t number,
                               struct aerogpu_output *out)
{
    struct aerogpu_record record;
    struct aerogpu_blob blob;
    uint32_t head = 0;

    aerogpu_index_record(index, number, &record);
    if (!aerogpu_output_wants(out, AEROGPU_RECORD_HEADER + (uint64_t)record.length)) {
        aerogpu_output_skip(out, AEROGPU_RECORD_HEADER + (uint64_t)record.length);
        return;
    }
    aerogpu_output_bytes(out, index->data + record.offset, 4);
    aerogpu_output_u32(out, record.length);
    if (record.type == AEROGPU_RECORD_BLOB && aerogpu_blob_read(&record, &blob) &&
        blob.kind == AEROGPU_BLOB_STREAM)
        head = AEROGPU_BLOB_HEADER;
    if (head > 0 || (record.type == AEROGPU_RECORD_PACKET && aerogpu_packet_is_stream(&record))) {
        aerogpu_output_bytes(out, record.payload, head);
        write_quiet_stream(out, record.payload + head, record.length - head);
    } else {
        aerogpu_output_bytes(out, record.payload, record.length);
    }
}

static void write_replayed(const struct restoring *restoring)
{
    const struct aerogpu_index *index = restoring->initial->player.index;

    for (uint32_t i = 0; i < restoring->initial->player.frame; i++)
        for (uint32_t record = index->frames[i].first;
             record < index->frames[i].end && restoring->out->status == 0; record++)
            if (!aerogpu_initial_leaves_out(index, record))
                write_quiet_record(index, record, restoring->out);
}

void aerogpu_restore_write(struct aerogpu_dump *dump, const struct aerogpu_initial *initial,
                           const uint64_t blobs[2], struct aerogpu_output *out)
{
    struct restoring restoring = {
        .dump = dump, .initial = initial, .out = out, .token = FIRST_TOKEN};
    struct aerogpu_initial_size size;

    aerogpu_initial_size(initial, &size);
    if (size.replayed)
        write_replayed(&restoring);
    else if (size.stream > 0)
        write_made(&restoring, &size, blobs);
}
