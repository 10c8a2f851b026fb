/* SPDX-License-Identifier: MIT */
#include "formats/vma/container.h"

#include "base/bytes.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void vma_line_read(const uint8_t *data, uint64_t size, uint64_t offset, struct vma_line *out)
{
    const uint8_t *begin, *feed, *end;

    if (offset > size) /* another program has changed the file */
        offset = size;
    begin = data + offset;
    feed = memchr(begin, '\n', size - offset);
    end = feed != NULL ? feed : data + size;
    out->offset = offset;
    out->ended = feed != NULL;
    out->bytes = (uint64_t)(end - begin) + out->ended;
    if (out->ended && end > begin && end[-1] == '\r')
        end--;
    out->text = (struct vma_slice){begin, end};
}

bool vma_columns_next(struct vma_columns *columns, struct vma_slice *out)
{
    const uint8_t *begin = columns->next, *comma;

    if (begin == NULL) {
        *out = (struct vma_slice){columns->end, columns->end};
        return false;
    }
    comma = memchr(begin, ',', (size_t)(columns->end - begin));
    *out = (struct vma_slice){begin, comma != NULL ? comma : columns->end};
    columns->next = comma != NULL ? comma + 1 : NULL;
    return true;
}

bool vma_columns_long_digits(struct vma_columns *columns, uint64_t *out)
{
    const uint8_t *begin = columns->next, *end = columns->end, *p = begin;
    uint64_t value = 0;

    if (begin == NULL)
        return false;
    if (end - p > 20)
        end = p + 20;
    for (; p < end && (uint8_t)(*p - '0') <= 9; p++)
        value = value * 10 + (uint8_t)(*p - '0');
    if (p == begin || p - begin > 19 || (p < columns->end && *p != ','))
        return false;
    columns->next = p < columns->end ? p + 1 : NULL;
    *out = value;
    return true;
}

bool vma_columns_rest(struct vma_columns *columns, struct vma_slice *out)
{
    bool any = columns->next != NULL;

    *out = (struct vma_slice){any ? columns->next : columns->end, columns->end};
    columns->next = NULL;
    return any;
}

size_t vma_columns_count(const struct vma_columns *columns)
{
    size_t count = 1;

    if (columns->next == NULL)
        return 0;
    for (const uint8_t *p = columns->next; p < columns->end; p++) {
        p = memchr(p, ',', (size_t)(columns->end - p));
        if (p == NULL)
            break;
        count++;
    }
    return count;
}

static struct vma_slice skip_blanks(struct vma_slice slice)
{
    while (slice.begin < slice.end &&
           (*slice.begin == ' ' || (*slice.begin >= '\t' && *slice.begin <= '\r')))
        slice.begin++;
    return slice;
}

/* Reads digits up to the end of the column; there must be at least one. */
static bool read_digits(struct vma_slice digits, uint64_t *out)
{
    uint64_t value = 0;
    /* Nineteen digits always fit; each digit after them is checked. */
    const uint8_t *safe = vma_slice_length(digits) > 19 ? digits.begin + 19 : digits.end;
    const uint8_t *p = digits.begin;

    for (; p < safe; p++) {
        unsigned digit = *p - (unsigned)'0';

        if (digit > 9)
            return false;
        value = value * 10 + digit;
    }
    for (; p < digits.end; p++) {
        unsigned digit = *p - (unsigned)'0';

        if (digit > 9 || !bytes_mul(value, 10, &value) || !bytes_add(value, digit, &value))
            return false;
    }
    *out = value;
    return p > digits.begin;
}

/*
 * Reads the rare forms: an empty column, leading blanks, a sign. A minus negates modulo 2^64, as
 * strtoull() does.
 */
static bool read_signed(struct vma_slice column, uint64_t max, uint64_t *out)
{
    bool negative;

    *out = 0;
    if (column.begin == column.end)
        return true;
    column = skip_blanks(column);
    negative = column.begin < column.end && *column.begin == '-';
    if (negative || (column.begin < column.end && *column.begin == '+'))
        column.begin++;
    if (!read_digits(column, out) || *out > max)
        return false;
    if (negative)
        *out = 0 - *out;
    return true;
}

bool vma_read_u64(struct vma_slice column, uint64_t *out)
{
    return read_digits(column, out) || read_signed(column, UINT64_MAX, out);
}

bool vma_read_u32(struct vma_slice column, uint32_t *out)
{
    uint64_t value = 0;

    if (!(read_digits(column, &value) && value <= UINT32_MAX) &&
        !read_signed(column, UINT32_MAX, &value))
        return false;
    *out = (uint32_t)value;
    return true;
}

bool vma_read_bool(struct vma_slice column, bool *out)
{
    if (vma_slice_length(column) != 1 || (*column.begin != '0' && *column.begin != '1'))
        return false;
    *out = *column.begin == '1';
    return true;
}

/* Returns 0 to 15, or 255 for a character that is not a hexadecimal digit. */
static unsigned hex_value(uint8_t c)
{
    if (c >= '0' && c <= '9')
        return c - (unsigned)'0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - (unsigned)'a' + 10 : 255;
}

static bool is_null_word(struct vma_slice column)
{
    static const char *const words[] = {"", "(nil)", "(null)", "nil", "nullptr"};

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (vma_slice_is(column, words[i]))
            return true;
    return false;
}

bool vma_read_pointer(struct vma_slice column, uint64_t *out)
{
    uint64_t value = 0;
    const uint8_t *p = column.begin;
    uint32_t high, low;

    if (column.end - p == 16 && vma_hex8(bytes_le64(p), &high) &&
        vma_hex8(bytes_le64(p + 8), &low)) {
        *out = (uint64_t)high << 32 | low;
        return true;
    }
    if (column.end - p > 2 && p[0] == '0' && (p[1] | 0x20) == 'x')
        p += 2;
    if (column.end - p >= 1 && column.end - p <= 16) {
        unsigned bad = 0;

        for (; p < column.end; p++) {
            unsigned digit = hex_value(*p);

            bad |= digit;
            value = value << 4 | (digit & 15);
        }
        if (bad <= 15) {
            *out = value;
            return true;
        }
    }
    *out = 0;
    return is_null_word(column);
}

bool vma_read_milliseconds(struct vma_slice column, uint64_t *out)
{
    const uint8_t *point = column.begin;
    uint64_t seconds = 0, thousandths = 0;
    struct vma_slice fraction;

    *out = 0;
    while (point < column.end && *point != '.')
        point++;
    if (!read_digits((struct vma_slice){column.begin, point}, &seconds))
        return false;
    if (point < column.end) {
        unsigned unit = 100;

        fraction = (struct vma_slice){point + 1, column.end};
        for (const uint8_t *p = fraction.begin; p < fraction.end; p++) {
            if (*p < '0' || *p > '9')
                return false;
            thousandths += unit * (*p - (unsigned)'0');
            unit /= 10;
        }
    }
    return bytes_mul(seconds, 1000, &seconds) && bytes_add(seconds, thousandths, out);
}

bool vma_list_next(struct vma_slice *list, struct vma_slice *item)
{
    const uint8_t *p;

    while (list->begin < list->end && *list->begin == ' ')
        list->begin++;
    p = list->begin;
    while (p < list->end && *p != ' ')
        p++;
    *item = (struct vma_slice){list->begin, p};
    list->begin = p;
    return item->begin < item->end;
}

struct vma_slice vma_slice_trim(struct vma_slice slice)
{
    while (slice.end > slice.begin && (slice.end[-1] == ' ' || slice.end[-1] == '\t'))
        slice.end--;
    return slice;
}

void vma_diagnostics_add(struct vma_diagnostics *diagnostics, enum problem_severity severity,
                         uint64_t offset, uint64_t packet, const char *format, ...)
{
    char what[256];
    va_list arguments;

    if (diagnostics == NULL)
        return;
    diagnostics->count++;
    if (diagnostics->problems == NULL && diagnostics->text == NULL)
        return;
    if (diagnostics->problems != NULL && diagnostics->count > VMA_DEFECTS_MAX) {
        if (diagnostics->count == VMA_DEFECTS_MAX + 1)
            problems_add(diagnostics->problems, PROBLEM_ERROR, PROBLEM_NOWHERE, PROBLEM_NOWHERE,
                         "more than %d defects in lines; further ones are not counted",
                         VMA_DEFECTS_MAX);
        return;
    }
    va_start(arguments, format);
    vsnprintf(what, sizeof(what), format, arguments);
    va_end(arguments);
    if (diagnostics->problems != NULL)
        problems_add(diagnostics->problems, severity, offset, packet, "Line %" PRIu64 ": %s",
                     packet + 1, what);
    if (diagnostics->text != NULL) {
        text_add(diagnostics->text, "problem: ");
        text_add_escaped(diagnostics->text, what, strlen(what));
        text_add_char(diagnostics->text, '\n');
    }
}
