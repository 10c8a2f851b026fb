/* SPDX-License-Identifier: MIT */
/*
 * UTF-8 in untrusted bytes: telling characters from anything else. Pure
 * functions, any thread.
 */
#ifndef GPUDUMPFS_BASE_UTF8_H
#define GPUDUMPFS_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The character that `bytes` begin with, as the Unicode standard's table 3-7 has
 * it (no overlong forms, no surrogates). Its length, 1 to 4; 0: not UTF-8.
 */
size_t utf8_decode(const uint8_t *bytes, size_t length, uint32_t *point);

/*
 * False for what disturbs a line or a terminal, or is not seen: control characters, line and
 * paragraph separators, marks of writing direction, the byte order mark, fillers and tags.
 */
bool utf8_printable(uint32_t point);

enum { UTF8_JSON_ROOM = 12 };

/* The character as JSON's \uXXXX, two of them beyond U+FFFF. The length. */
size_t utf8_json_escape(uint32_t point, char room[UTF8_JSON_ROOM]);

#endif
