/* SPDX-License-Identifier: MIT */
#include "base/utf8.h"

static const struct {
    uint8_t mask, lead; /* of the first byte */
    uint32_t min;       /* smaller ones are overlong */
} utf8_forms[] = {
    {0x80, 0x00, 0},
    {0xE0, 0xC0, 0x80},
    {0xF0, 0xE0, 0x800},
    {0xF8, 0xF0, 0x10000},
};

static const struct {
    uint32_t first, last;
} unprintable[] = {
    {0x0000, 0x001F}, {0x007F, 0x009F}, {0x061C, 0x061C}, {0x200B, 0x200F},
    {0x2028, 0x202E}, {0x2060, 0x206F}, {0xFEFF, 0xFEFF}, {0xFFF0, 0xFFFB},
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
