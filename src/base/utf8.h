/* SPDX-License-Identifier: MIT */
/*
 * UTF-8 in untrusted bytes: distinguishes characters from anything else. Pure functions, any
 * thread.
 */
#ifndef GPUDUMPFS_BASE_UTF8_H
#define GPUDUMPFS_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Decodes the character at the beginning of `bytes`, by table 3-7 of the Unicode standard (no
 * overlong forms, no surrogates). Returns its length, 1 to 4, or 0 if it is not valid UTF-8.
 */
size_t utf8_decode(const uint8_t *bytes, size_t length, uint32_t *point);

/*
 * Returns false for characters that disturb a line or a terminal, or are invisible: control
 * characters, line and paragraph separators, marks of writing direction, the byte order mark,
 * fillers and tags.
 */
bool utf8_printable(uint32_t point);

enum { UTF8_JSON_ROOM = 12 };

/*
 * Writes the character as JSON's \uXXXX, or two of them beyond U+FFFF. Returns the length; writes
 * no NUL.
 */
size_t utf8_json_escape(uint32_t point, char room[UTF8_JSON_ROOM]);

#endif
