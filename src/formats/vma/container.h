/* SPDX-License-Identifier: MIT */
/*
 * Lines and columns of a recording (vma.md 2.1), and the numbers in columns, which are read as the
 * library's own replayer reads them (vma.md 2.4). Slices refer to the dump's bytes. Pure functions,
 * any thread.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_CONTAINER_H
#define GPUDUMPFS_FORMATS_VMA_CONTAINER_H

#include "base/bytes.h"
#include "base/problems.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Bytes of the dump. `begin` may be NULL if the slice is empty. */
struct vma_slice {
    const uint8_t *begin, *end;
};

static inline size_t vma_slice_length(struct vma_slice slice)
{
    return (size_t)(slice.end - slice.begin);
}

static inline bool vma_slice_is(struct vma_slice slice, const char *string)
{
    size_t length = strlen(string);

    return vma_slice_length(slice) == length && memcmp(slice.begin, string, length) == 0;
}

/* One line of the file. */
struct vma_line {
    struct vma_slice text; /* without its line end */
    uint64_t offset;       /* of its first byte in the file */
    uint64_t bytes;        /* with its line end */
    bool ended;            /* by a line feed; false only for the last line */
};

/* Reads the line that begins at `offset`. At or beyond the end of the file the line is empty. */
void vma_line_read(const uint8_t *data, uint64_t size, uint64_t offset, struct vma_line *out);

/*
 * Parses eight hexadecimal digits; the first is in the lowest byte of `text`. Returns false if one
 * of them is not a digit.
 */
static inline bool vma_hex8(uint64_t text, uint32_t *out)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), tops = ones << 7;
    uint64_t lower = text | ones * 0x20;
    /* The top bit of each byte is set if the byte is in 0..9, or in a..f. */
    uint64_t number = (text + ones * (0x80 - '0')) & ~(text + ones * (0x7F - '9')) & tops;
    uint64_t letter = (lower + ones * (0x80 - 'a')) & ~(lower + ones * (0x7F - 'f')) & tops;
    uint64_t value;

    if ((text & tops) != 0 || (number | letter) != tops)
        return false;
    value = __builtin_bswap64((text & ones * 0x0F) + (letter >> 7) * 9);
    value = (value | value >> 4) & UINT64_C(0x00FF00FF00FF00FF);
    value = (value | value >> 8) & UINT64_C(0x0000FFFF0000FFFF);
    *out = (uint32_t)(value | value >> 16);
    return true;
}

/* Returns whether a carriage return before the line end was dropped. */
static inline bool vma_line_has_return(const struct vma_line *line)
{
    return line->bytes - vma_slice_length(line->text) > 1;
}

/* Columns that have not been read yet. `next` is after the last comma that was read. */
struct vma_columns {
    const uint8_t *next; /* NULL if no column is left */
    const uint8_t *end;
};

static inline void vma_columns_init(struct vma_columns *columns, struct vma_slice line)
{
    columns->next = line.begin;
    columns->end = line.end;
}

/* Takes the next column. Returns false and an empty slice if there is none. */
bool vma_columns_next(struct vma_columns *columns, struct vma_slice *out);

/*
 * Takes everything that is left, including commas. Returns false and an empty slice if no column is
 * left.
 */
bool vma_columns_rest(struct vma_columns *columns, struct vma_slice *out);

/*
 * Returns how many of eight characters are digits, up to the first that is not. The first character
 * is in the lowest byte.
 */
static inline unsigned vma_digits8(uint64_t text)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t odd = text ^ ones * '0';

    /* A carry out of a byte affects only bytes after the first one that is not a digit. */
    odd = ((odd + ones * 0x76) | odd) & ones << 7;
    return odd == 0 ? 8 : (unsigned)__builtin_ctzll(odd) / 8;
}

/* Returns the value of the first `count` of eight characters, which are 1 to 8 digits. */
static inline uint64_t vma_decimal8(uint64_t text, unsigned count)
{
    uint64_t value = text << (64 - 8 * count) & UINT64_C(0x0F0F0F0F0F0F0F0F);

    value = (value * (10 * 256 + 1) >> 8) & UINT64_C(0x00FF00FF00FF00FF);
    value = (value * (100 * 65536 + 1) >> 16) & UINT64_C(0x0000FFFF0000FFFF);
    return (uint32_t)(value * (10000 * UINT64_C(0x100000000) + 1) >> 32);
}

/* Same as vma_columns_digits(), digit by digit: for a column that is long or ends the line. */
bool vma_columns_long_digits(struct vma_columns *columns, uint64_t *out);

/*
 * Takes the next column as a number if it consists of one to nineteen digits only. This is the
 * common case, read eight digits at a time. Returns false, taking nothing, for any other column;
 * take that one with vma_columns_next() and read it with the functions below.
 */
static inline bool vma_columns_digits(struct vma_columns *columns, uint64_t *out)
{
    const uint8_t *p = columns->next;
    unsigned count;
    uint64_t text;

    if (p == NULL || columns->end - p < 8)
        return vma_columns_long_digits(columns, out);
    /* Most columns have one digit. */
    if (p[1] == ',' && (uint8_t)(*p - '0') <= 9) {
        columns->next = p + 2;
        *out = (uint8_t)(*p - '0');
        return true;
    }
    text = bytes_le64(p);
    count = vma_digits8(text);
    if (count - 1 >= 7 || p[count] != ',')
        return vma_columns_long_digits(columns, out);
    columns->next = p + count + 1;
    *out = vma_decimal8(text, count);
    return true;
}

/*
 * Takes the next column as a pointer if it consists of sixteen hexadecimal digits, as nearly all
 * pointers do. Returns false, taking nothing, for any other column.
 */
static inline bool vma_columns_hex16(struct vma_columns *columns, uint64_t *out)
{
    const uint8_t *p = columns->next;
    uint32_t high, low;

    if (p == NULL || columns->end - p < 16 || (columns->end - p > 16 && p[16] != ',') ||
        !vma_hex8(bytes_le64(p), &high) || !vma_hex8(bytes_le64(p + 8), &low))
        return false;
    columns->next = columns->end - p > 16 ? p + 17 : NULL;
    *out = (uint64_t)high << 32 | low;
    return true;
}

/* Returns how many columns are left. */
size_t vma_columns_count(const struct vma_columns *columns);

/*
 * This and the next function read a complete column as a number. An empty column reads as 0;
 * leading blanks and a sign are accepted. They return false for anything else, and for a number
 * that does not fit.
 */
bool vma_read_u64(struct vma_slice column, uint64_t *out);
bool vma_read_u32(struct vma_slice column, uint32_t *out);
bool vma_read_bool(struct vma_slice column, bool *out); /* exactly 0 or 1 */

/*
 * Reads a pointer in any spelling of vma.md 2.3: an optional 0x and 1 to 16 hexadecimal digits of
 * either case, or a spelling of null. An empty column is null. Returns false for anything else.
 */
bool vma_read_pointer(struct vma_slice column, uint64_t *out);

/* Reads seconds with a fraction as milliseconds. Drops digits after the third of the fraction. */
bool vma_read_milliseconds(struct vma_slice column, uint64_t *out);

/*
 * Takes the next pointer, as text, from a list that is separated by blanks. Returns false at the
 * end.
 */
bool vma_list_next(struct vma_slice *list, struct vma_slice *item);

/* Returns a slice without the blanks and tabs at its end. */
struct vma_slice vma_slice_trim(struct vma_slice slice);

enum { VMA_DEFECTS_MAX = 1 << 18 }; /* maximum of defects that one walk over all lines reports */

/*
 * Where problems of a recording are reported: to the problems of the mount, to the text of a
 * packet, or nowhere, when lines are replayed again. Not shared among threads, unless `problems` is
 * the only member in use.
 */
struct vma_diagnostics {
    struct problems *problems; /* NULL: none are added */
    struct text *text;         /* NULL: none are written; otherwise gets `problem: …` lines */
    uint64_t count;            /* number of problems reported */
};

/*
 * Reports a problem of a packet's line as `Line N: what`, where N is packet + 1. `diagnostics` may
 * be NULL.
 */
void vma_diagnostics_add(struct vma_diagnostics *diagnostics, enum problem_severity severity,
                         uint64_t offset, uint64_t packet, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

#endif
