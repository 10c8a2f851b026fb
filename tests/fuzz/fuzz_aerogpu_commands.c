/* SPDX-License-Identifier: MIT */
/*
 * AeroGPU command streams as text and as JSON: the input is read as a stream, as a single packet of
 * either dialect, and as an input layout.
 */
#include "config.h"

#include "formats/aerogpu/decode/command_stream.h"
#include "formats/aerogpu/decode/layout.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void count_handle(void *context, enum aerogpu_space space, uint32_t handle)
{
    unsigned *count = context;

    if (handle == 0 || space > AEROGPU_SPACE_A_PIPELINE)
        abort();
    ++*count;
}

/* Aborts unless the fixed part and the tail of the command are within the bytes. */
static void check_command(const struct aerogpu_command *command, const uint8_t *data, size_t size,
                          struct text *text)
{
    struct aerogpu_shaders shaders;
    enum dxbc_program program;
    unsigned handles = 0;

    aerogpu_describe_command(command, text);
    aerogpu_json_command(command, text);
    if (command->error != AEROGPU_OK || command->type == NULL)
        return;
    if (command->size > size || (size_t)(command->bytes - data) > size - command->size)
        abort();
    if (command->tail != NULL && command->tail_length > 0 &&
        (size_t)(command->tail - data) > size - command->tail_length)
        abort();
    aerogpu_handles(command, count_handle, &handles);
    if (command->type->dialect == AEROGPU_A3A0 && command->opcode == AEROGPU_BIND_SHADERS)
        aerogpu_bind_shaders(command, &shaders);
    (void)aerogpu_program_of(command, (uint32_t)size & 7, command->opcode & 7, &program);
}

static void read_stream(const uint8_t *data, size_t size, struct text *text)
{
    struct aerogpu_stream stream;
    struct aerogpu_command command;

    if (!aerogpu_stream_open(&stream, data, size)) {
        aerogpu_describe_error(&stream.error, text);
        return;
    }
    aerogpu_describe_header(&stream, text);
    aerogpu_json_begin(&stream, text);
    while (aerogpu_stream_next(&stream, &command))
        check_command(&command, data, size, text);
    aerogpu_describe_error(&stream.error, text);
    aerogpu_json_error(&stream.error, text);
    aerogpu_json_end(text);
}

static void read_packet(const uint8_t *data, size_t size, struct text *text)
{
    struct aerogpu_command command;
    struct aerogpu_error error;

    if (aerogpu_dwords_read(data, size, &command, &error))
        check_command(&command, data, size, text);
    for (uint32_t version = 1; version < 3; version++)
        if (aerogpu_packet_read(data, size, version << 16, &command, &error))
            check_command(&command, data, size, text);
}

static void read_layout(const uint8_t *data, size_t size)
{
    struct aerogpu_layout layout;
    struct aerogpu_element element;
    uint32_t count = 0;

    if (!aerogpu_layout_open(data, size, &layout))
        return;
    while (aerogpu_layout_next(&layout, &element)) {
        (void)aerogpu_attribute_find(element.format);
        (void)aerogpu_semantic_name(element.semantic_hash);
        count++;
    }
    if (count > layout.count)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct text text = {.limit = 1 << 20};

    text_reset(&text);
    read_stream(data, size, &text);
    read_packet(data, size, &text);
    read_layout(data, size);
    return 0;
}
