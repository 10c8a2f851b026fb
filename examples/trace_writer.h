/* SPDX-License-Identifier: MIT */
/*
 * Writes AeroGPU traces, record by record and command by command, as the emulator's recorder does:
 * that of the example and those of the tests. Ends the program if memory runs out.
 */
#ifndef GPUDUMPFS_EXAMPLES_TRACE_WRITER_H
#define GPUDUMPFS_EXAMPLES_TRACE_WRITER_H

#include "formats/aerogpu/decode/abi.h"

#include <stddef.h>
#include <stdint.h>

/* A growing array of bytes. */
struct trace_bytes {
    uint8_t *data;
    size_t size, room;
};

void trace_bytes_add(struct trace_bytes *bytes, const void *data, size_t size);
void trace_bytes_add_u32(struct trace_bytes *bytes, uint32_t value);
void trace_bytes_add_u64(struct trace_bytes *bytes, uint64_t value);
void trace_bytes_put_u32(struct trace_bytes *bytes, size_t offset, uint32_t value);
void trace_bytes_free(struct trace_bytes *bytes);

/* A command stream. Every command updates the size in its header. */
struct trace_stream {
    struct trace_bytes bytes;
};

/* Begins a stream of ABI 1.4. */
void trace_stream_begin(struct trace_stream *stream);
void trace_stream_free(struct trace_stream *stream);

/* Adds a command with these words after its header. */
void trace_command(struct trace_stream *stream, uint32_t opcode, const uint32_t *words,
                   size_t count);
/* The same, with bytes after the words, padded to a multiple of 4. */
void trace_command_data(struct trace_stream *stream, uint32_t opcode, const uint32_t *words,
                        size_t count, const void *data, size_t size);
/* Calls trace_command() with the words as arguments. */
#define TRACE(stream, opcode, ...)                                                                 \
    trace_command((stream), (opcode), (const uint32_t[]){__VA_ARGS__},                             \
                  sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

/* Returns the bits of a float. */
uint32_t trace_float(float value);

/* Add commands that most traces need. */
void trace_texture(struct trace_stream *stream, uint32_t handle, uint32_t usage, uint32_t format,
                   uint32_t width, uint32_t height, uint32_t mips, uint32_t layers);
void trace_buffer(struct trace_stream *stream, uint32_t handle, uint32_t usage, uint32_t size);
void trace_upload(struct trace_stream *stream, uint32_t handle, uint64_t offset, const void *data,
                  size_t size);
void trace_target(struct trace_stream *stream, uint32_t colour, uint32_t depth);
void trace_clear(struct trace_stream *stream, float red, float green, float blue, float alpha);
void trace_present(struct trace_stream *stream);

/* A trace. Must be zero-initialized, except for the version, before its first use. */
struct trace_writer {
    uint32_t version; /* of the container, 1 or 2 */
    struct trace_bytes bytes;
    struct trace_bytes toc; /* entries */
    uint64_t blobs;         /* the last id used */
    uint64_t fence;
    size_t frame_begin, frame_present;
    uint32_t frames;
};

void trace_begin(struct trace_writer *writer, uint32_t version);
void trace_begin_frame(struct trace_writer *writer);
/* Adds a blob, and returns its id. */
uint64_t trace_blob(struct trace_writer *writer, uint32_t kind, const void *data, size_t size);
void trace_packet(struct trace_writer *writer, const void *data, size_t size);

/* Guest memory of a submission: an allocation and its bytes. */
struct trace_range {
    uint32_t alloc_id, flags;
    uint64_t gpa;
    const void *data;
    size_t size;
};

/* Adds the stream as a blob, the ranges as blobs with an allocation table, and the submission. */
void trace_submit(struct trace_writer *writer, const struct trace_stream *stream,
                  const struct trace_range *ranges, size_t count);
void trace_end_frame(struct trace_writer *writer);
/* Adds the table of contents and the footer. */
void trace_end(struct trace_writer *writer);
void trace_free(struct trace_writer *writer);

#endif
