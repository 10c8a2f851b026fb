/* SPDX-License-Identifier: MIT */
#include "base/utf8.h"

static const struct {
    uint8_t mask, lead; /* bits of the first byte */
    uint32_t min;       /* smaller values are overlong */
} utf8_forms[] = {
    {0x80, 0x00, 0},
    {0xE0, 0xC0, 0x80},
    {0xF0, 0xE0, 0x800},
    {0xF8, 0xF0, 0x10000},
};

/*
 * Control characters, separators of lines and paragraphs, annotations, characters that XML forbids,
 * and what the Unicode standard calls Default_Ignorable_Code_Point (DerivedCoreProperties.txt),
 * which is invisible.
 */
static const struct {
    uint32_t first, last;
} unprintable[] = {
    {0x0000, 0x001F}, {0x007F, 0x009F}, {0x00AD, 0x00AD},   {0x034F, 0x034F},   {0x061C, 0x061C},
    {0x115F, 0x1160}, {0x17B4, 0x17B5}, {0x180B, 0x180F},   {0x200B, 0x200F},   {0x2028, 0x202E},
    {0x2060, 0x206F}, {0x3164, 0x3164}, {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0},
    {0xFFF0, 0xFFFB}, {0xFFFE, 0xFFFF}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF},
};

size_t utf8_decode(const uint8_t *bytes, size_t length, uint32_t *point)
{
    size_t form = 0;
    uint32_t value;

    if (length == 0)
        return 0;
    while (form < 4 && (bytes[0] & utf8_forms[form].mask) != utf8_forms[form].lead)
        form++;
    if (form >= 4 || form >= length)
        return 0;
    value = bytes[0] & (uint8_t)~utf8_forms[form].mask;
    for (size_t i = 1; i <= form; i++) {
        if ((bytes[i] & 0xC0) != 0x80)
            return 0;
        value = value << 6 | (bytes[i] & 0x3F);
    }
    if (value < utf8_forms[form].min || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF))
        return 0;
    *point = value;
    return form + 1;
}

bool utf8_printable(uint32_t point)
{
    for (size_t i = 0; i < sizeof(unprintable) / sizeof(unprintable[0]); i++)
        if (point >= unprintable[i].first && point <= unprintable[i].last)
            return false;
    return true;
}

/* Writes one UTF-16 unit as \uXXXX. */
static size_t put_unit(uint32_t unit, char *room)
{
    static const char digits[] = "0123456789ABCDEF";

    room[0] = '\\';
    room[1] = 'u';
    for (unsigned n = 0; n < 4; n++)
        room[2 + n] = digits[unit >> (12 - 4 * n) & 15];
    return 6;
}

size_t utf8_json_escape(uint32_t point, char room[UTF8_JSON_ROOM])
{
    size_t length;

    if (point <= 0xFFFF)
        return put_unit(point, room);
    length = put_unit(0xD800 + ((point - 0x10000) >> 10), room);
    return length + put_unit(0xDC00 + (point & 0x3FF), room + length);
}
