/* SPDX-License-Identifier: MIT */
#include "trace_writer.h"

#include "base/bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ABI = 0x00010004,
    HEADER = 32,
    TOC_HEADER = 16,
    SUBMISSION_HEADER = 56,
    ALLOCS_HEADER = 24,
    ALLOCS_ENTRY = 32,
    RECORD_BEGIN = 1,
    RECORD_PRESENT = 2,
    RECORD_PACKET = 3,
    RECORD_BLOB = 4,
    RECORD_SUBMISSION = 5,
    BLOB_STREAM = 0x100,
    BLOB_ALLOCS = 0x101,
    BLOB_MEMORY = 0x102,
    SUBMIT_PRESENT = 1,
};

static const char meta[] = "{\"command_abi_version\":65540,\"emulator_version\":\"0.0.0-example\"}";

void trace_bytes_add(struct trace_bytes *bytes, const void *data, size_t size)
{
    if (bytes->size + size > bytes->room) {
        bytes->room = (bytes->size + size) * 2;
        bytes->data = realloc(bytes->data, bytes->room);
        if (bytes->data == NULL) {
            fputs("no memory\n", stderr);
            exit(1);
        }
    }
    if (size > 0)
        memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

void trace_bytes_add_u32(struct trace_bytes *bytes, uint32_t value)
{
    uint8_t encoded[4];

    bytes_put_le32(encoded, value);
    trace_bytes_add(bytes, encoded, sizeof(encoded));
}

void trace_bytes_add_u64(struct trace_bytes *bytes, uint64_t value)
{
    uint8_t encoded[8];

    bytes_put_le64(encoded, value);
    trace_bytes_add(bytes, encoded, sizeof(encoded));
}

void trace_bytes_put_u32(struct trace_bytes *bytes, size_t offset, uint32_t value)
{
    bytes_put_le32(bytes->data + offset, value);
}

void trace_bytes_free(struct trace_bytes *bytes)
{
    free(bytes->data);
    *bytes = (struct trace_bytes){0};
}

/* Streams. */

void trace_stream_begin(struct trace_stream *stream)
{
    *stream = (struct trace_stream){0};
    trace_bytes_add(&stream->bytes, "ACMD", 4);
    trace_bytes_add_u32(&stream->bytes, ABI);
    trace_bytes_add_u32(&stream->bytes, 24);
    for (int i = 0; i < 3; i++)
        trace_bytes_add_u32(&stream->bytes, 0);
}

void trace_stream_free(struct trace_stream *stream)
{
    trace_bytes_free(&stream->bytes);
}

void trace_command_data(struct trace_stream *stream, uint32_t opcode, const uint32_t *words,
                        size_t count, const void *data, size_t size)
{
    static const uint8_t padding[3];
    size_t begin = stream->bytes.size;

    trace_bytes_add_u32(&stream->bytes, opcode);
    trace_bytes_add_u32(&stream->bytes, 0);
    for (size_t i = 0; i < count; i++)
        trace_bytes_add_u32(&stream->bytes, words[i]);
    trace_bytes_add(&stream->bytes, data, size);
    trace_bytes_add(&stream->bytes, padding, (4 - size % 4) % 4);
    trace_bytes_put_u32(&stream->bytes, begin + 4, (uint32_t)(stream->bytes.size - begin));
    trace_bytes_put_u32(&stream->bytes, 8, (uint32_t)stream->bytes.size);
}

void trace_command(struct trace_stream *stream, uint32_t opcode, const uint32_t *words,
                   size_t count)
{
    trace_command_data(stream, opcode, words, count, NULL, 0);
}

uint32_t trace_float(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

void trace_texture(struct trace_stream *stream, uint32_t handle, uint32_t usage, uint32_t format,
                   uint32_t width, uint32_t height, uint32_t mips, uint32_t layers)
{
    TRACE(stream, AEROGPU_CREATE_TEXTURE2D, handle, usage, format, width, height, mips, layers, 0,
          0, 0, 0, 0);
}

void trace_buffer(struct trace_stream *stream, uint32_t handle, uint32_t usage, uint32_t size)
{
    TRACE(stream, AEROGPU_CREATE_BUFFER, handle, usage, size, 0, 0, 0, 0, 0);
}

void trace_upload(struct trace_stream *stream, uint32_t handle, uint64_t offset, const void *data,
                  size_t size)
{
    const uint32_t words[] = {handle,           0,
                              (uint32_t)offset, (uint32_t)(offset >> 32),
                              (uint32_t)size,   (uint32_t)((uint64_t)size >> 32)};

    trace_command_data(stream, AEROGPU_UPLOAD_RESOURCE, words, 6, data, size);
}

void trace_target(struct trace_stream *stream, uint32_t colour, uint32_t depth)
{
    TRACE(stream, AEROGPU_SET_RENDER_TARGETS, 1, depth, colour, 0, 0, 0, 0, 0, 0, 0);
}

void trace_clear(struct trace_stream *stream, float red, float green, float blue, float alpha)
{
    TRACE(stream, AEROGPU_CLEAR, AEROGPU_CLEAR_COLOUR, trace_float(red), trace_float(green),
          trace_float(blue), trace_float(alpha), trace_float(1), 0);
}

void trace_present(struct trace_stream *stream)
{
    TRACE(stream, AEROGPU_PRESENT, 0, 1);
}

/* The container. */

static void add_header(struct trace_bytes *bytes, const char *magic, uint32_t version)
{
    trace_bytes_add(bytes, magic, 8);
    trace_bytes_add_u32(bytes, HEADER);
    trace_bytes_add_u32(bytes, version);
}

void trace_begin(struct trace_writer *writer, uint32_t version)
{
    *writer = (struct trace_writer){.version = version};
    add_header(&writer->bytes, "AEROGPUT", version);
    trace_bytes_add_u32(&writer->bytes, ABI);
    trace_bytes_add_u32(&writer->bytes, 0);
    trace_bytes_add_u32(&writer->bytes, sizeof(meta) - 1);
    trace_bytes_add_u32(&writer->bytes, 0);
    trace_bytes_add(&writer->bytes, meta, sizeof(meta) - 1);
}

static void add_record(struct trace_writer *writer, uint32_t type, size_t size)
{
    trace_bytes_add_u32(&writer->bytes, type);
    trace_bytes_add_u32(&writer->bytes, (uint32_t)size);
}

void trace_begin_frame(struct trace_writer *writer)
{
    writer->frame_begin = writer->bytes.size;
    writer->frame_present = 0;
    add_record(writer, RECORD_BEGIN, 4);
    trace_bytes_add_u32(&writer->bytes, writer->frames);
}

uint64_t trace_blob(struct trace_writer *writer, uint32_t kind, const void *data, size_t size)
{
    add_record(writer, RECORD_BLOB, 16 + size);
    trace_bytes_add_u64(&writer->bytes, ++writer->blobs);
    trace_bytes_add_u32(&writer->bytes, kind);
    trace_bytes_add_u32(&writer->bytes, 0);
    trace_bytes_add(&writer->bytes, data, size);
    return writer->blobs;
}

void trace_packet(struct trace_writer *writer, const void *data, size_t size)
{
    add_record(writer, RECORD_PACKET, size);
    trace_bytes_add(&writer->bytes, data, size);
}

static uint64_t add_allocs(struct trace_writer *writer, const struct trace_range *ranges,
                           size_t count)
{
    struct trace_bytes table = {0};
    uint64_t blob = 0;

    trace_bytes_add(&table, "ALOC", 4);
    trace_bytes_add_u32(&table, ABI);
    trace_bytes_add_u32(&table, (uint32_t)(ALLOCS_HEADER + ALLOCS_ENTRY * count));
    trace_bytes_add_u32(&table, (uint32_t)count);
    trace_bytes_add_u32(&table, ALLOCS_ENTRY);
    trace_bytes_add_u32(&table, 0);
    for (size_t i = 0; i < count; i++) {
        trace_bytes_add_u32(&table, ranges[i].alloc_id);
        trace_bytes_add_u32(&table, ranges[i].flags);
        trace_bytes_add_u64(&table, ranges[i].gpa);
        trace_bytes_add_u64(&table, ranges[i].size);
        trace_bytes_add_u64(&table, 0);
    }
    blob = trace_blob(writer, BLOB_ALLOCS, table.data, table.size);
    trace_bytes_free(&table);
    return blob;
}

static void add_ranges(const struct trace_range *ranges, size_t count, uint64_t first_blob,
                       struct trace_bytes *bytes)
{
    for (size_t i = 0; i < count; i++) {
        trace_bytes_add_u32(bytes, ranges[i].alloc_id);
        trace_bytes_add_u32(bytes, ranges[i].flags);
        trace_bytes_add_u64(bytes, ranges[i].gpa);
        trace_bytes_add_u64(bytes, ranges[i].size);
        trace_bytes_add_u64(bytes, first_blob + i);
    }
}

void trace_submit(struct trace_writer *writer, const struct trace_stream *stream,
                  const struct trace_range *ranges, size_t count)
{
    struct trace_bytes *bytes = &writer->bytes;
    uint64_t commands = trace_blob(writer, BLOB_STREAM, stream->bytes.data, stream->bytes.size);
    uint64_t allocs = count > 0 ? add_allocs(writer, ranges, count) : 0;
    uint64_t memory = writer->blobs + 1;

    for (size_t i = 0; i < count; i++)
        trace_blob(writer, BLOB_MEMORY, ranges[i].data, ranges[i].size);
    add_record(writer, RECORD_SUBMISSION, SUBMISSION_HEADER + 32 * count);
    trace_bytes_add_u32(bytes, 1);
    trace_bytes_add_u32(bytes, SUBMISSION_HEADER);
    trace_bytes_add_u32(bytes, SUBMIT_PRESENT);
    for (int i = 0; i < 3; i++)
        trace_bytes_add_u32(bytes, 0);
    trace_bytes_add_u64(bytes, ++writer->fence);
    trace_bytes_add_u64(bytes, commands);
    trace_bytes_add_u64(bytes, allocs);
    trace_bytes_add_u32(bytes, (uint32_t)count);
    trace_bytes_add_u32(bytes, 0);
    add_ranges(ranges, count, memory, bytes);
}

void trace_end_frame(struct trace_writer *writer)
{
    writer->frame_present = writer->bytes.size;
    add_record(writer, RECORD_PRESENT, 4);
    trace_bytes_add_u32(&writer->bytes, writer->frames);
    trace_bytes_add_u32(&writer->toc, writer->frames++);
    trace_bytes_add_u32(&writer->toc, 0);
    trace_bytes_add_u64(&writer->toc, writer->frame_begin);
    trace_bytes_add_u64(&writer->toc, writer->frame_present);
    trace_bytes_add_u64(&writer->toc, writer->bytes.size);
}

void trace_end(struct trace_writer *writer)
{
    uint64_t offset = writer->bytes.size;

    trace_bytes_add(&writer->bytes, "AEROTOC", 8);
    trace_bytes_add_u32(&writer->bytes, 1);
    trace_bytes_add_u32(&writer->bytes, writer->frames);
    trace_bytes_add(&writer->bytes, writer->toc.data, writer->toc.size);
    add_header(&writer->bytes, "AEROGPUF", writer->version);
    trace_bytes_add_u64(&writer->bytes, offset);
    trace_bytes_add_u64(&writer->bytes, TOC_HEADER + writer->toc.size);
}

void trace_free(struct trace_writer *writer)
{
    trace_bytes_free(&writer->bytes);
    trace_bytes_free(&writer->toc);
}
