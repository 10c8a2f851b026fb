/* SPDX-License-Identifier: MIT */
#include "formats/gfxreconstruct/decode/walk.h"

#include "base/bytes.h"

enum {
    QUOTED_MAX = 15 * 1024, /* maximum of bytes that are quoted, each of which may become four */
    ESCAPED_MAX = 4,        /* maximum of characters that a byte becomes */
    WIDE_ESCAPED = 6,       /* maximum of characters that a unit of UTF-16 becomes */
};

void gfxreconstruct_write_quoted(const uint8_t *data, uint64_t size, struct text *text)
{
    uint64_t begin = 0;

    text_add_char(text, '"');
    for (uint64_t i = 0; i < size; i++) {
        if (data[i] != '"')
            continue;
        text_add_escaped(text, data + begin, (size_t)(i - begin));
        text_add(text, "\\\"");
        begin = i + 1;
    }
    text_add_escaped(text, size > 0 ? data + begin : (const uint8_t *)"", (size_t)(size - begin));
    text_add_char(text, '"');
}

void gfxreconstruct_write_shown(const uint8_t *data, uint64_t size, struct text *text)
{
    gfxreconstruct_write_quoted(data, size < QUOTED_MAX ? size : QUOTED_MAX, text);
    if (size > QUOTED_MAX)
        text_add(text, "...");
}

static void write_wide(const uint8_t *data, uint64_t length, struct text *text)
{
    text_add_char(text, '"');
    for (uint64_t i = 0; i < length; i++) {
        uint16_t unit = bytes_le16(data + 2 * i);

        if (unit >= 0x20 && unit < 0x7f && unit != '"' && unit != '\\')
            text_add_char(text, (char)unit);
        else
            text_printf(text, "\\u%04x", unit);
    }
    text_add_char(text, '"');
}

/* Writes as much of a string as fits even if every character is escaped. */
static void write_string(struct gfxreconstruct_walk *walk, const uint8_t *data, uint64_t length,
                         unsigned width)
{
    struct text *text = gfxreconstruct_walk_text(walk);
    uint64_t max = 0, shown = 0;

    if (text == NULL)
        return;
    max = (walk->text_end - text->length) / (width == 1 ? ESCAPED_MAX : WIDE_ESCAPED);
    shown = length < max ? length : max;
    if (width == 1)
        gfxreconstruct_write_quoted(data, shown, text);
    else
        write_wide(data, shown, text);
    if (shown < length) {
        text_add(text, "...");
        walk->text = NULL;
    }
}

void gfxreconstruct_walk_string(struct gfxreconstruct_walk *walk,
                                const struct gfxreconstruct_member *member, uint64_t length)
{
    unsigned width = member->kind == GFXR_WIDE ? 2 : 1;
    const uint8_t *data = NULL;
    uint64_t size = 0;

    if (!bytes_mul(length, width, &size))
        size = UINT64_MAX;
    if (!gfxreconstruct_walk_take(walk, size, &data))
        return;
    gfxreconstruct_walk_watch(walk, member, data, size);
    write_string(walk, data, length, width);
}
