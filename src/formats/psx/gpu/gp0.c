/* SPDX-License-Identifier: MIT */
#include "formats/psx/gpu/gp0.h"

#include "base/bytes.h"

#include <string.h>

#define NOP                                                                                        \
    {                                                                                              \
        "nop", GP0_NOP, 1                                                                          \
    }
#define UNKNOWN                                                                                    \
    {                                                                                              \
        "unknown", GP0_UNKNOWN, 1                                                                  \
    }
#define ENV(name)                                                                                  \
    {                                                                                              \
        name, GP0_ENVIRONMENT, 1                                                                   \
    }

/* Four bytes that differ in S and R have the same name and length. */
#define FOUR(first, ...) [first... first + 3] = __VA_ARGS__

/* In lines, bits R and T mean nothing. */
#define LINES(first, ...) [first... first + 7] = __VA_ARGS__

/* Rectangles of one size, first untextured, then textured; the variable size has one word more. */
#define RECTANGLES(first, size_words)                                                              \
    FOUR(first, {"rect", GP0_RECTANGLE, 2 + (size_words)}),                                        \
        FOUR((first) + 4, {"rect-t", GP0_RECTANGLE, 3 + (size_words)})

const struct psx_gp0_info psx_gp0_table[256] = {
    [0x00] = NOP,
    [0x01] = {"clear-cache", GP0_CLEAR_CACHE, 1},
    [0x02] = {"fill", GP0_FILL, 3},
    [0x03] = UNKNOWN,
    [0x04 ... 0x1E] = NOP,
    [0x1F] = {"irq", GP0_IRQ, 1},
    FOUR(0x20, {"tri", GP0_POLYGON, 4}),
    FOUR(0x24, {"tri-t", GP0_POLYGON, 7}),
    FOUR(0x28, {"quad", GP0_POLYGON, 5}),
    FOUR(0x2C, {"quad-t", GP0_POLYGON, 9}),
    FOUR(0x30, {"tri-g", GP0_POLYGON, 6}),
    FOUR(0x34, {"tri-gt", GP0_POLYGON, 9}),
    FOUR(0x38, {"quad-g", GP0_POLYGON, 8}),
    FOUR(0x3C, {"quad-gt", GP0_POLYGON, 12}),
    LINES(0x40, {"line", GP0_LINE, 3}),
    LINES(0x48, {"polyline", GP0_POLYLINE, 3}),
    LINES(0x50, {"line-g", GP0_LINE, 4}),
    LINES(0x58, {"polyline-g", GP0_POLYLINE, 4}),
    RECTANGLES(0x60, 1),
    RECTANGLES(0x68, 0),
    RECTANGLES(0x70, 0),
    RECTANGLES(0x78, 0),
    [0x80 ... 0x9F] = {"copy", GP0_COPY, 4},
    [0xA0 ... 0xBF] = {"upload", GP0_UPLOAD, 3},
    [0xC0 ... 0xDF] = {"read", GP0_READ, 3},
    [0xE0] = NOP,
    [0xE1] = ENV("texpage"),
    [0xE2] = ENV("window"),
    [0xE3] = ENV("area-min"),
    [0xE4] = ENV("area-max"),
    [0xE5] = ENV("offset"),
    [0xE6] = ENV("mask"),
    [0xE7 ... 0xEF] = NOP,
    [0xF0 ... 0xFF] = UNKNOWN,
};

const struct psx_gp1_info psx_gp1_table[64] = {
    [0x00] = {"reset"},         [0x01] = {"abort"},
    [0x02] = {"ack-irq"},       [0x03] = {"display"},
    [0x04] = {"dma"},           [0x05] = {"display-start"},
    [0x06] = {"display-x"},     [0x07] = {"display-y"},
    [0x08] = {"mode"},          [0x09] = {"allow-texture-disable"},
    [0x10 ... 0x1F] = {"info"},
};

void psx_gp0_parser_reset(struct psx_gp0_parser *parser)
{
    memset(parser, 0, sizeof(*parser));
}

/* Halfwords come in pairs; if their number is odd, half of the last word is empty. */
static uint32_t upload_words(uint32_t size_word)
{
    return (gp0_transfer_width(size_word) * gp0_transfer_height(size_word) + 1) / 2;
}

/* Enters the phase after a complete command, which is usually that of the next command. */
static void enter_next_phase(struct psx_gp0_parser *parser, enum psx_gp0_kind kind,
                             const struct psx_gp0_event *event)
{
    parser->have = 0;
    parser->phase = GP0_PHASE_IDLE;
    if (kind == GP0_POLYLINE) {
        parser->phase = GP0_PHASE_POLYLINE;
        parser->need = parser->op & GP0_GOURAUD ? 2 : 1;
    } else if (kind == GP0_UPLOAD) {
        parser->phase = GP0_PHASE_UPLOAD;
        parser->due = upload_words(event->words[2]);
    }
}

/* Takes words into the parser's buffer. Returns true when the command or the vertex is complete. */
static bool gather(struct psx_gp0_parser *parser, const uint8_t *words, size_t count, size_t *used)
{
    while (parser->have < parser->need) {
        if (*used == count)
            return false;
        parser->words[parser->have++] = bytes_le32(words + 4 * (*used)++);
    }
    return true;
}

/*
 * Moves the buffer into the event. Leaves the buffer empty, so that the state does not depend on
 * how the words were divided.
 */
static void emit_gathered(struct psx_gp0_parser *parser, enum psx_gp0_event_type type,
                          struct psx_gp0_event *event)
{
    event->type = type;
    event->op = parser->op;
    event->count = parser->need;
    memcpy(event->words, parser->words, sizeof(event->words[0]) * parser->need);
    memset(parser->words, 0, sizeof(parser->words[0]) * parser->need);
}

/* Parses a command whose words are all here, as they usually are, directly into the event. */
static size_t parse_whole(struct psx_gp0_parser *parser, const uint8_t *words,
                          struct psx_gp0_event *event)
{
    event->type = GP0_EVENT_COMMAND;
    event->op = parser->op;
    event->count = parser->need;
    for (unsigned i = 0; i < event->count; i++)
        event->words[i] = bytes_le32(words + 4 * i);
    enter_next_phase(parser, psx_gp0_table[event->op].kind, event);
    return event->count;
}

static size_t parse_command(struct psx_gp0_parser *parser, const uint8_t *words, size_t count,
                            struct psx_gp0_event *event)
{
    size_t used = 0;

    if (parser->phase == GP0_PHASE_IDLE) {
        event->begins = true;
        parser->op = words[3];
        parser->need = psx_gp0_table[parser->op].words;
        if (parser->need <= count)
            return parse_whole(parser, words, event);
        parser->phase = GP0_PHASE_COMMAND;
        parser->have = 0;
    }
    if (!gather(parser, words, count, &used))
        return used;
    emit_gathered(parser, GP0_EVENT_COMMAND, event);
    enter_next_phase(parser, psx_gp0_table[parser->op].kind, event);
    return used;
}

static size_t parse_polyline(struct psx_gp0_parser *parser, const uint8_t *words, size_t count,
                             struct psx_gp0_event *event)
{
    size_t used = 0;

    if (parser->have == 0 && psx_gp0_is_polyline_end(bytes_le32(words))) {
        event->type = GP0_EVENT_POLYLINE_END;
        event->op = parser->op;
        event->count = 0;
        parser->phase = GP0_PHASE_IDLE;
        return 1;
    }
    if (!gather(parser, words, count, &used))
        return used;
    emit_gathered(parser, GP0_EVENT_SEGMENT, event);
    parser->have = 0;
    return used;
}

static size_t parse_upload(struct psx_gp0_parser *parser, const uint8_t *words, size_t count,
                           struct psx_gp0_event *event)
{
    uint32_t run = count < parser->due ? (uint32_t)count : parser->due;

    parser->due -= run;
    event->type = GP0_EVENT_DATA;
    event->op = parser->op;
    event->count = 0;
    event->data = words;
    event->data_words = run;
    event->data_last = parser->due == 0;
    if (event->data_last)
        parser->phase = GP0_PHASE_IDLE;
    return run;
}

size_t psx_gp0_parse(struct psx_gp0_parser *parser, const uint8_t *words, size_t count,
                     struct psx_gp0_event *event)
{
    event->type = GP0_EVENT_NONE;
    event->begins = false;
    if (count == 0)
        return 0;
    switch (parser->phase) {
    case GP0_PHASE_POLYLINE:
        return parse_polyline(parser, words, count, event);
    case GP0_PHASE_UPLOAD:
        return parse_upload(parser, words, count, event);
    default:
        return parse_command(parser, words, count, event);
    }
}

uint32_t psx_gp0_measure_polyline(const uint8_t *words, uint32_t left)
{
    const uint32_t step = words[3] & GP0_GOURAUD ? 2 : 1;
    uint32_t length = psx_gp0_table[words[3]].words;

    while (length < left && !psx_gp0_is_polyline_end(bytes_le32(words + 4 * (uint64_t)length)))
        length += step;
    return length + 1;
}
