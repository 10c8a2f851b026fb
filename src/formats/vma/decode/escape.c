/* SPDX-License-Identifier: MIT */
/*
 * Writing and measuring walk over the bytes in the same way. Runs of plain ASCII, which most names
 * consist of, are handled in one go.
 */
#include "formats/vma/decode/decode.h"

#include "base/bytes.h"
#include "base/utf8.h"

#include <stdbool.h>
#include <string.h>

static bool plain(uint8_t c)
{
    return c >= 0x20 && c < 0x7F && c != '\\' && c != '"';
}

static size_t put_byte(uint8_t byte, char *room)
{
    static const char digits[] = "0123456789ABCDEF";

    memcpy(room, (char[]){'\\', 'u', '0', '0', digits[byte >> 4], digits[byte & 15]}, 6);
    return 6;
}

static size_t put_pair(char c, char *room)
{
    room[0] = '\\';
    room[1] = c;
    return 2;
}

/*
 * Writes the escape of one character and returns its length, or 0 if the character stands for
 * itself. `taken` is the character's length in bytes, 0 for a byte of invalid UTF-8.
 */
static size_t escape_character(const uint8_t *bytes, size_t taken, uint32_t point, char *room)
{
    static const char named[][2] = {{'"', '"'},  {'\\', '\\'}, {'\b', 'b'}, {'\f', 'f'},
                                    {'\n', 'n'}, {'\r', 'r'},  {'\t', 't'}};

    for (size_t i = 0; taken > 0 && i < sizeof(named) / sizeof(named[0]); i++)
        if (point == (uint8_t)named[i][0])
            return put_pair(named[i][1], room);
    if (taken > 0 && utf8_printable(point))
        return 0;
    return taken > 1 ? utf8_json_escape(point, room) : put_byte(*bytes, room);
}

/* Escapes bytes for JSON. `text` may be NULL. Returns the length. */
static uint64_t escape_json(const uint8_t *bytes, size_t length, struct text *text)
{
    const uint8_t *end = bytes + length, *run = bytes;
    uint64_t written = 0;

    while (bytes < end) {
        char room[UTF8_JSON_ROOM];
        uint32_t point = 0;
        size_t taken, escaped;

        if (plain(*bytes)) {
            bytes++;
            continue;
        }
        taken = utf8_decode(bytes, (size_t)(end - bytes), &point);
        escaped = escape_character(bytes, taken, point, room);
        if (escaped > 0) {
            written += (uint64_t)(bytes - run) + escaped;
            if (text != NULL) {
                text_add_bytes(text, (const char *)run, (size_t)(bytes - run));
                text_add_bytes(text, room, escaped);
            }
        }
        bytes += taken > 0 ? taken : 1;
        if (escaped > 0)
            run = bytes;
    }
    if (text != NULL)
        text_add_bytes(text, (const char *)run, (size_t)(bytes - run));
    return written + (uint64_t)(bytes - run);
}

/* Returns whether no byte needs escaping. Checks eight bytes at a time. */
static bool all_plain(const uint8_t *bytes, size_t length)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), tops = ones << 7;
    uint64_t odd = 0;

    for (; length >= 8; bytes += 8, length -= 8) {
        uint64_t word = bytes_le64(bytes);
        uint64_t quote = word ^ ones * '"', backslash = word ^ ones * '\\';

        /*
         * The top bit of a byte is set if the byte is 0x7F or above, below 0x20, or one of the two
         * characters.
         */
        odd |= word | (word + ones) | (word - ones * 0x20) | (quote - ones) | (backslash - ones);
    }
    if ((odd & tops) != 0)
        return false;
    for (; length > 0; bytes++, length--)
        if (!plain(*bytes))
            return false;
    return true;
}

void vma_json_escaped_write(const uint8_t *bytes, size_t length, struct text *text)
{
    escape_json(bytes, length, text);
}

uint64_t vma_json_escaped_length(const uint8_t *bytes, size_t length)
{
    return escape_json(bytes, length, NULL);
}

/* Returns how much text_end_cell() adds. */
static uint64_t cell_more(const uint8_t *bytes, size_t length)
{
    if (length == 0)
        return strlen("-");
    return text_cell_begins_badly((char)bytes[0]) ? strlen("x2D") : 0;
}

void vma_escaped_lengths(const uint8_t *bytes, size_t length, uint64_t *cell, uint64_t *json)
{
    *cell = *json = length;
    if (!all_plain(bytes, length)) {
        *cell = text_escaped_length(bytes, length);
        *json = escape_json(bytes, length, NULL);
    }
    *cell += cell_more(bytes, length);
}

void vma_pointer_write(uint64_t pointer, struct text *text)
{
    char room[16];
    size_t length = 0;

    do {
        room[sizeof(room) - ++length] = "0123456789abcdef"[pointer & 15];
        pointer >>= 4;
    } while (pointer != 0);
    text_add_bytes(text, "0x", 2);
    text_add_bytes(text, room + sizeof(room) - length, length);
}
