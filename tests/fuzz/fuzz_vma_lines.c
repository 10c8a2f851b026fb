/* SPDX-License-Identifier: MIT */
/*
 * Lines of VMA recordings, one by one, as calls and as configuration: the lines cover the input,
 * the fast functions that read a number return what the general functions return, and texts have
 * the lengths that were computed before.
 */
#include "config.h"

#include "formats/vma/decode/decode.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { BYTES_MAX = 1 << 13 };

static struct vma_configuration configuration;
static struct vma_configuration_reader reader;
static struct vma_diagnostics diagnostics;

static void expect(bool true_here)
{
    if (!true_here)
        abort();
}

/* Reads each column with both kinds of functions. */
static void check_columns(struct vma_slice line)
{
    struct vma_columns columns, quick;
    struct vma_slice column;
    uint64_t value, other;
    bool flag;

    vma_columns_init(&columns, line);
    for (;;) {
        quick = columns;
        if (!vma_columns_next(&columns, &column))
            break;
        if (vma_columns_digits(&quick, &value))
            expect(vma_read_u64(column, &other) && other == value && quick.next == columns.next);
        quick.next = column.begin;
        if (vma_columns_hex16(&quick, &value))
            expect(vma_read_pointer(column, &other) && other == value);
        (void)vma_read_bool(column, &flag);
        (void)vma_read_milliseconds(column, &value);
        (void)vma_slice_trim(column);
    }
}

static void check_texts(struct vma_slice line)
{
    const uint8_t *bytes = line.begin;
    size_t length = vma_slice_length(line);
    uint64_t cell, json;
    struct text text = TEXT_INIT;

    vma_escaped_lengths(bytes, length, &cell, &json);
    vma_json_escaped_write(bytes, length, &text);
    expect(text_status(&text) < 0 ||
           (text.length == json && text.length == vma_json_escaped_length(bytes, length)));
    text_reset(&text);
    text_cell_escaped(&text, bytes, length);
    expect(text_status(&text) < 0 || text.length == cell + 1);
    text_clear(&text);
}

static void check_call(const struct vma_line *line, uint64_t packet)
{
    struct vma_call call;
    struct vma_call_head head;
    struct vma_requirements needs;
    uint64_t pointer;
    bool surplus;

    vma_call_read_head(line->text, &head);
    vma_call_read(line->text, line->ended, &call);
    expect(head.function == call.head.function);
    vma_call_judge(&call, line, packet, &diagnostics);
    expect(call.verdict != VMA_CALL_GOOD || vma_verdict_message(call.verdict) == NULL);
    if (call.verdict != VMA_CALL_GOOD)
        return;
    if ((vma_functions[call.head.function].roles & VMA_ALLOCATES) != 0)
        (void)vma_requirements(&configuration.device, &call, &needs);
    if (call.has_text)
        (void)vma_call_text_pointer(call.text, &pointer, &surplus);
    for (struct vma_slice item; vma_list_next(&call.allocations, &item);)
        (void)vma_read_pointer(item, &pointer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct vma_line line;
    uint64_t packet = 0, offset = 0;

    if (size > BYTES_MAX)
        return 0;
    vma_configuration_default(&configuration);
    memset(&reader, 0, sizeof(reader));
    vma_configuration_begin(&configuration);
    for (; offset < size; packet++) {
        vma_line_read(data, size, offset, &line);
        expect(line.offset == offset && line.bytes > 0);
        vma_configuration_line(&configuration, &reader, &line, packet, &diagnostics);
        offset += line.bytes;
    }
    expect(offset == size);
    vma_configuration_end(&configuration, size, packet, &diagnostics);
    for (packet = offset = 0; offset < size; packet++, offset += line.bytes) {
        vma_line_read(data, size, offset, &line);
        check_columns(line.text);
        check_texts(line.text);
        check_call(&line, packet);
    }
    return 0;
}
