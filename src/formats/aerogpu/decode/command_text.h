/*
 * Commands as text and as JSON, in the line and JSON shapes of the reference's
 * decoder (aerogpu.md 6.2). Pure functions, any thread.
 */
#ifndef GPUDUMPFS_AEROGPU_DECODE_COMMAND_TEXT_H
#define GPUDUMPFS_AEROGPU_DECODE_COMMAND_TEXT_H

#include "base/text.h"
#include "formats/aerogpu/decode/command_stream.h"

/* `0x00000018 Name size_bytes=N opcode_id=0x… key=value …`, a line. */
void aerogpu_describe_command(const struct aerogpu_command *command, struct text *text);

/* `header magic=… abi=… …`, a line, for a stream of `length` bytes, slack included. */
void aerogpu_describe_header(const struct aerogpu_stream *stream, struct text *text);

/* `0x00000018 error BadSizeBytes …`, a line; nothing when there is no error. */
void aerogpu_describe_error(const struct aerogpu_error *error, struct text *text);

/* The whole stream's JSON: what stands before its records, each of them, and after them. */
void aerogpu_json_begin(const struct aerogpu_stream *stream, struct text *text);
void aerogpu_json_command(const struct aerogpu_command *command, struct text *text);
void aerogpu_json_error(const struct aerogpu_error *error, struct text *text);
void aerogpu_json_end(struct text *text);

#endif
