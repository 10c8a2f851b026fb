/* SPDX-License-Identifier: MIT */
#include "base/json_reader.h"

#include <string.h>

bool json_reader_fail(struct json_reader *reader, const char *error)
{
    if (reader->error == NULL)
        reader->error = error;
    return false;
}

static void skip_blanks(struct json_reader *reader)
{
    while (reader->at < reader->size) {
        uint8_t c = reader->data[reader->at];

        if (c != ' ' && c != '\t' && c != '\n' && c != '\r')
            break;
        reader->at++;
    }
}

/* Skips blanks, and returns the byte after them, or 0 at the end. */
static uint8_t next_byte(struct json_reader *reader)
{
    skip_blanks(reader);
    return reader->at < reader->size ? reader->data[reader->at] : 0;
}

enum json_read_kind json_reader_peek(struct json_reader *reader)
{
    if (reader->error != NULL)
        return JSON_READ_END;
    switch (next_byte(reader)) {
    case '{':
        return JSON_READ_OBJECT;
    case '[':
        return JSON_READ_ARRAY;
    case '"':
        return JSON_READ_STRING;
    case 't':
    case 'f':
    case 'n':
        return JSON_READ_LITERAL;
    case '-':
    case '0' ... '9':
        return JSON_READ_NUMBER;
    default:
        return JSON_READ_END;
    }
}

static uint64_t depth_bit(const struct json_reader *reader)
{
    return UINT64_C(1) << reader->depth;
}

bool json_reader_enter(struct json_reader *reader, enum json_read_kind kind)
{
    if (json_reader_peek(reader) != kind)
        return json_reader_fail(reader, kind == JSON_READ_OBJECT ? "an object is expected here"
                                                                 : "an array is expected here");
    if (reader->depth == JSON_READ_DEPTH)
        return json_reader_fail(reader, "nested too deeply");
    reader->at++;
    reader->depth++;
    reader->begun &= ~depth_bit(reader);
    reader->objects &= ~depth_bit(reader);
    if (kind == JSON_READ_OBJECT)
        reader->objects |= depth_bit(reader);
    return true;
}

bool json_reader_more(struct json_reader *reader)
{
    bool object = (reader->objects & depth_bit(reader)) != 0;
    bool begun = (reader->begun & depth_bit(reader)) != 0;
    uint8_t c = reader->error == NULL ? next_byte(reader) : 0;

    if (reader->error != NULL || reader->depth == 0)
        return false;
    reader->begun |= depth_bit(reader);
    if (c == (object ? '}' : ']')) {
        reader->at++;
        reader->depth--;
        return false;
    }
    if (!begun)
        return true;
    if (c != ',')
        return json_reader_fail(reader, object ? "a comma or a closing brace is expected here"
                                               : "a comma or a closing bracket is expected here");
    reader->at++;
    return true;
}

static bool is_hex_digit(uint8_t c)
{
    uint8_t small = c | 0x20;

    return (c >= '0' && c <= '9') || (small >= 'a' && small <= 'f');
}

/* Skips an escape, after its backslash. */
static bool skip_escape(struct json_reader *reader)
{
    static const char letters[] = "\"\\/bfnrt";
    uint8_t c = reader->at < reader->size ? reader->data[reader->at] : 0;

    if (c != 0 && memchr(letters, c, sizeof(letters) - 1) != NULL) {
        reader->at++;
        return true;
    }
    if (c != 'u')
        return json_reader_fail(reader, "an unknown escape follows a backslash");
    reader->at++;
    for (unsigned i = 0; i < 4; i++, reader->at++)
        if (reader->at >= reader->size || !is_hex_digit(reader->data[reader->at]))
            return json_reader_fail(reader, "four hexadecimal digits are expected here");
    return true;
}

bool json_reader_string(struct json_reader *reader, struct json_text *string)
{
    if (json_reader_peek(reader) != JSON_READ_STRING)
        return json_reader_fail(reader, "a string is expected here");
    string->bytes = reader->data + ++reader->at;
    while (reader->at < reader->size) {
        uint8_t c = reader->data[reader->at];

        if (c == '"') {
            string->length = (size_t)(reader->data + reader->at++ - string->bytes);
            return true;
        }
        if (c < 0x20)
            return json_reader_fail(reader, "a control character in a string");
        reader->at++;
        if (c == '\\' && !skip_escape(reader))
            return false;
    }
    return json_reader_fail(reader, "a string has no closing quotation mark");
}

bool json_reader_key(struct json_reader *reader, struct json_text *key)
{
    if (!json_reader_string(reader, key))
        return false;
    if (next_byte(reader) != ':')
        return json_reader_fail(reader, "no colon after a key");
    reader->at++;
    return true;
}

static bool is_digit(const struct json_reader *reader)
{
    return reader->at < reader->size && reader->data[reader->at] >= '0' &&
           reader->data[reader->at] <= '9';
}

/* Returns whether a number or literal may end here. */
static bool ends_here(const struct json_reader *reader)
{
    static const char ends[] = " \t\r\n,]}";

    return reader->at >= reader->size ||
           memchr(ends, reader->data[reader->at], sizeof(ends) - 1) != NULL;
}

bool json_reader_u64(struct json_reader *reader, uint64_t *number)
{
    uint64_t value = 0;
    size_t begin;

    if (json_reader_peek(reader) != JSON_READ_NUMBER || !is_digit(reader))
        return json_reader_fail(reader, "a whole number is expected here");
    for (begin = reader->at; is_digit(reader); reader->at++) {
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, (uint64_t)(reader->data[reader->at] - '0'), &value))
            return json_reader_fail(reader, "a number of more than 64 bits");
    }
    if (!ends_here(reader) || (reader->data[begin] == '0' && reader->at > begin + 1))
        return json_reader_fail(reader, "a whole number is expected here");
    *number = value;
    return true;
}

/* Skips one or more digits. */
static bool skip_digits(struct json_reader *reader)
{
    if (!is_digit(reader))
        return json_reader_fail(reader, "a digit is missing");
    while (is_digit(reader))
        reader->at++;
    return true;
}

static bool skip_byte(struct json_reader *reader, char a, char b)
{
    bool found = reader->at < reader->size &&
                 (reader->data[reader->at] == (uint8_t)a || reader->data[reader->at] == (uint8_t)b);

    reader->at += found;
    return found;
}

static bool skip_number(struct json_reader *reader)
{
    skip_byte(reader, '-', '-');
    if (!skip_byte(reader, '0', '0') && !skip_digits(reader))
        return false;
    if (skip_byte(reader, '.', '.') && !skip_digits(reader))
        return false;
    if (skip_byte(reader, 'e', 'E')) {
        skip_byte(reader, '+', '-');
        if (!skip_digits(reader))
            return false;
    }
    return ends_here(reader) || json_reader_fail(reader, "a number is malformed");
}

static bool skip_literal(struct json_reader *reader)
{
    static const char *const words[] = {"true", "false", "null"};

    for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        size_t length = strlen(words[i]);

        if (reader->size - reader->at >= length &&
            memcmp(reader->data + reader->at, words[i], length) == 0) {
            reader->at += length;
            return ends_here(reader) || json_reader_fail(reader, "a value is expected here");
        }
    }
    return json_reader_fail(reader, "a value is expected here");
}

/* Skips a value that contains no other values. */
static bool skip_scalar(struct json_reader *reader)
{
    struct json_text string;

    switch (json_reader_peek(reader)) {
    case JSON_READ_STRING:
        return json_reader_string(reader, &string);
    case JSON_READ_NUMBER:
        return skip_number(reader);
    case JSON_READ_LITERAL:
        return skip_literal(reader);
    default:
        return json_reader_fail(reader, "a value is expected here");
    }
}

bool json_reader_skip(struct json_reader *reader)
{
    unsigned depth = reader->depth;
    struct json_text key;

    do {
        enum json_read_kind kind = json_reader_peek(reader);

        if (kind != JSON_READ_ARRAY && kind != JSON_READ_OBJECT)
            skip_scalar(reader);
        else
            json_reader_enter(reader, kind);
        while (reader->error == NULL && reader->depth > depth && !json_reader_more(reader))
            ;
        if (reader->depth > depth && (reader->objects & depth_bit(reader)) != 0)
            json_reader_key(reader, &key);
    } while (reader->error == NULL && reader->depth > depth);
    return reader->error == NULL;
}

static uint32_t hex4(const uint8_t *digits)
{
    uint32_t value = 0;

    for (unsigned i = 0; i < 4; i++) {
        uint8_t c = digits[i];

        value = value * 16 + (uint32_t)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    return value;
}

enum { HIGH_SURROGATE = 0xD800, LOW_SURROGATE = 0xDC00, SURROGATES_END = 0xE000 };

/*
 * Returns the character of the \uXXXX at *from, or of two of them for a character beyond U+FFFF,
 * and moves *from past it.
 */
static uint32_t unescape_point(const struct json_text *string, size_t *from)
{
    const uint8_t *bytes = string->bytes;
    uint32_t point = hex4(bytes + *from + 2), low;

    *from += 6;
    if (point < HIGH_SURROGATE || point >= SURROGATES_END)
        return point;
    if (point < LOW_SURROGATE && string->length - *from >= 6 && bytes[*from] == '\\' &&
        bytes[*from + 1] == 'u') {
        low = hex4(bytes + *from + 2);
        if (low >= LOW_SURROGATE && low < SURROGATES_END) {
            *from += 6;
            return 0x10000 + ((point - HIGH_SURROGATE) << 10) + (low - LOW_SURROGATE);
        }
    }
    return '?'; /* an unpaired surrogate */
}

enum { UTF8_BYTES = 4 }; /* maximum bytes of a character */

static size_t put_utf8(uint32_t point, uint8_t out[UTF8_BYTES])
{
    if (point < 0x80) {
        out[0] = (uint8_t)point;
        return 1;
    }
    if (point < 0x800) {
        out[0] = (uint8_t)(0xC0 | point >> 6);
        out[1] = (uint8_t)(0x80 | (point & 0x3F));
        return 2;
    }
    if (point < 0x10000) {
        out[0] = (uint8_t)(0xE0 | point >> 12);
        out[1] = (uint8_t)(0x80 | (point >> 6 & 0x3F));
        out[2] = (uint8_t)(0x80 | (point & 0x3F));
        return 3;
    }
    out[0] = (uint8_t)(0xF0 | point >> 18);
    out[1] = (uint8_t)(0x80 | (point >> 12 & 0x3F));
    out[2] = (uint8_t)(0x80 | (point >> 6 & 0x3F));
    out[3] = (uint8_t)(0x80 | (point & 0x3F));
    return 4;
}

/* Stores the bytes that the byte or escape at *from stands for, and moves *from past it. */
static size_t unescape(const struct json_text *string, size_t *from, uint8_t out[UTF8_BYTES])
{
    static const char letters[] = "bfnrt", meant[] = "\b\f\n\r\t";
    const uint8_t *bytes = string->bytes + *from;
    const char *letter;

    if (bytes[0] != '\\') {
        *from += 1;
        out[0] = bytes[0];
        return 1;
    }
    if (bytes[1] == 'u')
        return put_utf8(unescape_point(string, from), out);
    *from += 2;
    letter = strchr(letters, bytes[1]);
    out[0] = letter != NULL ? (uint8_t)meant[letter - letters] : bytes[1];
    return 1;
}

static bool unescaped_is(const struct json_text *string, const char *text)
{
    size_t left = strlen(text), from = 0;
    uint8_t bytes[UTF8_BYTES];

    while (from < string->length) {
        size_t count = unescape(string, &from, bytes);

        if (count > left || memcmp(text, bytes, count) != 0)
            return false;
        text += count;
        left -= count;
    }
    return left == 0;
}

bool json_reader_text_is(const struct json_text *string, const char *text)
{
    if (memchr(string->bytes, '\\', string->length) != NULL)
        return unescaped_is(string, text);
    return strlen(text) == string->length && memcmp(string->bytes, text, string->length) == 0;
}

size_t json_reader_text_bytes(const struct json_text *string, uint8_t *out)
{
    size_t length = 0;

    for (size_t from = 0; from < string->length;) {
        uint8_t bytes[UTF8_BYTES];
        size_t count = unescape(string, &from, bytes);

        memcpy(out + length, bytes, count);
        length += count;
    }
    return length;
}

void json_reader_place(const struct json_reader *reader, size_t at, uint64_t *line,
                       uint64_t *column)
{
    *line = *column = 1;
    for (size_t i = 0; i < at && i < reader->size; i++) {
        ++*column;
        if (reader->data[i] == '\n') {
            ++*line;
            *column = 1;
        }
    }
}
