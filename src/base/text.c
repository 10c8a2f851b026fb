/* SPDX-License-Identifier: MIT */
/*
 * Numbers are formatted by hand, not by printf(): listings of millions of rows consist of little
 * else. The buffer doubles, so that a text of n bytes is copied less than twice; the system moves
 * large buffers without copying.
 */
#include "base/text.h"

#include "base/bytes.h"
#include "base/decimal.h"
#include "base/utf8.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_FIRST_ROOM = 256 };

void text_clear(struct text *text)
{
    free(text->bytes);
    *text = (struct text){.limit = text->limit};
}

void text_reset(struct text *text)
{
    text->length = 0;
    text->status = 0;
}

size_t text_skip_fields(const char *line, size_t length, unsigned count)
{
    size_t skipped = 0;

    for (; count > 0 && skipped < length; count--) {
        const char *blank = memchr(line + skipped, ' ', length - skipped);

        skipped = blank != NULL ? (size_t)(blank - line) + 1 : length;
    }
    return skipped;
}

void text_fail(struct text *text, int status)
{
    if (text->status == 0)
        text->status = status;
}

static _Thread_local struct text_allowance *allowed;

struct text_allowance *text_allow(struct text_allowance *allowance)
{
    struct text_allowance *before = allowed;

    allowed = allowance;
    return before;
}

/* Checked when a text needs more memory. */
static bool is_allowed(size_t length)
{
    if (allowed == NULL || allowed->max == 0 || length <= allowed->max)
        return true;
    allowed->exceeded = true;
    return false;
}

/* Returns the buffer's next size, at least `needed`; 0 if that overflows. */
static size_t text_next_room(const struct text *text, size_t needed)
{
    size_t room = text->room == 0 ? TEXT_FIRST_ROOM : text->room;

    while (room < needed) {
        if (room > SIZE_MAX / 2)
            return 0;
        room *= 2;
    }
    return room;
}

void text_expect(struct text *text, size_t more)
{
    char *bytes;

    if (text->status != 0 || more > SIZE_MAX - text->length || text->length + more <= text->room ||
        (allowed != NULL && allowed->max != 0 && text->length + more > allowed->max))
        return;
    bytes = realloc(text->bytes, text->length + more);
    if (bytes == NULL)
        return;
    text->bytes = bytes;
    text->room = text->length + more;
}

static bool text_grow(struct text *text, size_t more)
{
    size_t room = 0;
    char *bytes = NULL;

    if (__builtin_expect(more <= text->room - text->length, true))
        return true;
    if (more <= SIZE_MAX - text->length && !is_allowed(text->length + more)) {
        text_fail(text, -EFBIG);
        return false;
    }
    if (more <= SIZE_MAX - text->length)
        room = text_next_room(text, text->length + more);
    if (allowed != NULL && allowed->max != 0 && room > allowed->max)
        room = allowed->max; /* the last step: doubling would go far beyond the allowance */
    if (room != 0)
        bytes = realloc(text->bytes, room);
    if (bytes == NULL) {
        text_fail(text, -ENOMEM);
        return false;
    }
    text->bytes = bytes;
    text->room = room;
    return true;
}

/* Makes room for `more` bytes. Returns false if the text has failed. */
static bool text_reserve(struct text *text, size_t more)
{
    if (text->limit != 0 && (text->length > text->limit || more > text->limit - text->length))
        text_fail(text, -EFBIG);
    if (text->status != 0)
        return false;
    return text_grow(text, more);
}

void text_add(struct text *text, const char *string)
{
    text_add_bytes(text, string, strlen(string));
}

void text_add_bytes(struct text *text, const char *bytes, size_t length)
{
    if (length == 0 || !text_reserve(text, length))
        return;
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
}

void text_add_le32(struct text *text, uint32_t value)
{
    uint8_t bytes[4];

    bytes_put_le32(bytes, value);
    text_add_bytes(text, (const char *)bytes, sizeof(bytes));
}

void text_add_unwritten(struct text *text, size_t length)
{
    if (text_reserve(text, length))
        text->length += length;
}

void text_add_text(struct text *text, const struct text *more)
{
    if (more->status != 0)
        text_fail(text, more->status);
    text_add_bytes(text, more->bytes, more->length);
}

void text_add_char(struct text *text, char c)
{
    if (text_reserve(text, 1))
        text->bytes[text->length++] = c;
}

/*
 * A number is written backwards from the middle of its room. Whatever follows the middle is copied
 * along with it, since a copy of fixed length is cheapest.
 */
struct digits {
    char room[2 * DECIMAL_DIGITS_MAX];
    char *first;
};

#define DIGITS_END(digits) ((digits).room + DECIMAL_DIGITS_MAX)

static void text_add_digits(struct text *text, const struct digits *digits, unsigned min)
{
    size_t count = (size_t)(DIGITS_END(*digits) - digits->first);

    for (; count < min; min--)
        text_add_char(text, '0');
    if (!text_reserve(text, count))
        return;
    if (__builtin_expect(text->room - text->length >= DECIMAL_DIGITS_MAX, true))
        memcpy(text->bytes + text->length, digits->first, DECIMAL_DIGITS_MAX);
    else
        memcpy(text->bytes + text->length, digits->first, count); /* not enough room for that */
    text->length += count;
}

void text_add_padded(struct text *text, uint64_t value, unsigned digits)
{
    struct digits number;
    char *p = DIGITS_END(number);

    for (; value >= 100; value /= 100) {
        p -= 2;
        memcpy(p, &decimal_pairs[value % 100 * 2], 2);
    }
    p -= 2;
    memcpy(p, &decimal_pairs[value * 2], 2);
    number.first = p + (value < 10);
    text_add_digits(text, &number, digits);
}

void text_add_u64(struct text *text, uint64_t value)
{
    text_add_padded(text, value, 1);
}

void text_add_i64(struct text *text, int64_t value)
{
    if (value < 0)
        text_add_char(text, '-');
    text_add_u64(text, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

void text_add_hex(struct text *text, uint64_t value, unsigned digits)
{
    struct digits number;
    char *p = DIGITS_END(number);

    do {
        *--p = "0123456789ABCDEF"[value & 15];
        value >>= 4;
    } while (value != 0);
    number.first = p;
    text_add_digits(text, &number, digits);
}

void text_printf(struct text *text, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    text_vprintf(text, format, arguments);
    va_end(arguments);
}

void text_vprintf(struct text *text, const char *format, va_list arguments)
{
    size_t room = text->room - text->length;
    va_list again;
    int length;

    if (text->status != 0)
        return;
    va_copy(again, arguments);
    length = vsnprintf(room == 0 ? NULL : text->bytes + text->length, room, format, arguments);
    if (length < 0)
        text_fail(text, -EILSEQ);
    else if ((size_t)length >= room && text_reserve(text, (size_t)length) &&
             text_grow(text,
                       (size_t)length + 1)) /* room for the NUL, which is not part of the text */
        vsnprintf(text->bytes + text->length, (size_t)length + 1, format, again);
    va_end(again);
    if (length > 0 && text_reserve(text, (size_t)length))
        text->length += (size_t)length;
}

/* Returns how many of the next bytes are printable ASCII other than `but`. */
static size_t plain_run(const uint8_t *p, const uint8_t *end, char but)
{
    const uint8_t *begin = p;

    while (p < end && *p >= ' ' && *p < 0x7F && *p != (uint8_t)but)
        p++;
    return (size_t)(p - begin);
}

/*
 * Returns the length of the next run of bytes that either all stay unchanged, or are each escaped:
 * *stays. `but` is an ASCII character that is escaped, besides control characters.
 */
static size_t next_run(const uint8_t *p, const uint8_t *end, char but, bool *stays)
{
    size_t taken = plain_run(p, end, but);
    uint32_t point;

    *stays = taken > 0;
    if (taken > 0)
        return taken;
    taken = utf8_decode(p, (size_t)(end - p), &point);
    *stays = taken > 1 && utf8_printable(point);
    return taken > 0 ? taken : 1;
}

static bool has_letter(uint8_t byte)
{
    return byte == '\\' || byte == '\t';
}

static void add_byte_escaped(struct text *text, uint8_t byte)
{
    if (has_letter(byte)) {
        text_add(text, byte == '\t' ? "\\t" : "\\\\");
        return;
    }
    text_add_bytes(text, "\\x", 2);
    text_add_hex(text, byte, 2);
}

static void add_escaped(struct text *text, const void *bytes, size_t length, char but)
{
    const uint8_t *p = bytes, *end = length > 0 ? p + length : p; /* may be NULL if empty */

    while (p < end && text->status == 0) {
        bool stays;
        size_t run = next_run(p, end, but, &stays);

        if (stays)
            text_add_bytes(text, (const char *)p, run);
        for (size_t i = 0; i < run && !stays; i++)
            add_byte_escaped(text, p[i]);
        p += run;
    }
}

void text_add_escaped(struct text *text, const void *bytes, size_t length)
{
    add_escaped(text, bytes, length, '\\');
}

size_t text_escaped_length(const void *bytes, size_t length)
{
    const uint8_t *p = bytes, *end = length > 0 ? p + length : p;
    size_t escaped = 0;

    while (p < end) {
        bool stays;
        size_t run = next_run(p, end, '\\', &stays);

        escaped += run;
        for (size_t i = 0; i < run && !stays; i++)
            escaped += has_letter(p[i]) ? strlen("\\t") - 1 : strlen("\\xNN") - 1;
        p += run;
    }
    return escaped;
}

void text_add_visible(struct text *text, const void *bytes, size_t length)
{
    add_escaped(text, bytes, length, '\x7F');
}

void text_add_json(struct text *text, const char *json, size_t length)
{
    const uint8_t *p = (const uint8_t *)json, *end = length > 0 ? p + length : p, *run = p;
    char room[UTF8_JSON_ROOM];
    uint32_t point;

    while (p < end && text->status == 0) {
        size_t taken = *p < 0x7F ? 1 : utf8_decode(p, (size_t)(end - p), &point);

        if (*p < 0x7F || taken == 0 || utf8_printable(point)) {
            p += taken + (taken == 0);
            continue;
        }
        text_add_bytes(text, (const char *)run, (size_t)(p - run));
        text_add_bytes(text, room, utf8_json_escape(point, room));
        p += taken;
        run = p;
    }
    text_add_bytes(text, (const char *)run, (size_t)(p - run));
}

void text_cell(struct text *text, uint64_t value)
{
    text_add_char(text, '\t');
    text_add_u64(text, value);
}

void text_cell_word(struct text *text, const char *word)
{
    text_add_char(text, '\t');
    text_add(text, word);
}

void text_cell_or_none(struct text *text, bool known, uint64_t value)
{
    if (known)
        text_cell(text, value);
    else
        text_add(text, "\t-");
}

bool text_cell_begins_badly(char first)
{
    return first != '\0' && strchr("\"=+-@", first) != NULL;
}

void text_end_cell(struct text *text, size_t begin)
{
    static const char digits[] = "0123456789ABCDEF";
    size_t length = text->length - begin;
    char first = length > 0 ? text->bytes[begin] : '\0';
    char *cell;

    if (length == 0)
        text_add_char(text, '-');
    if (!text_cell_begins_badly(first))
        return;
    text_add(text, "   "); /* room for \xNN */
    if (text->status != 0)
        return;
    cell = text->bytes + begin;
    memmove(cell + 4, cell + 1, length - 1);
    memcpy(cell, (char[]){'\\', 'x', digits[first >> 4], digits[first & 15]}, 4);
}

void text_cell_escaped(struct text *text, const void *bytes, size_t length)
{
    size_t begin;

    text_add_char(text, '\t');
    begin = text->length;
    text_add_escaped(text, bytes, length);
    text_end_cell(text, begin);
}

void text_field(struct text *text, const char *key, const char *format, ...)
{
    va_list arguments;

    text_add(text, key);
    text_add_bytes(text, ": ", 2);
    va_start(arguments, format);
    text_vprintf(text, format, arguments);
    va_end(arguments);
    text_add_char(text, '\n');
}

int text_status(const struct text *text)
{
    return text->status;
}

int text_blob(struct text *text, struct blob **out)
{
    int status = text->status;
    char *bytes = NULL;

    if (status == 0 && text->length == 0)
        status = blob_create(0, out);
    else if (status == 0) {
        bytes = realloc(text->bytes, text->length);
        status = blob_adopt(bytes != NULL ? bytes : text->bytes, text->length, out);
        text->bytes = NULL;
    }
    text_clear(text);
    return status;
}
