/* SPDX-License-Identifier: MIT */
#include "formats/gapir/views/views.h"

#include <errno.h>
#include <inttypes.h>

enum { ROW = 16 }; /* bytes in a row of constants.txt */

static int borrow(const uint8_t *data, uint64_t size, struct blob **out)
{
    return blob_borrow(size != 0 ? data : NULL, size, out);
}

int gapir_constants_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    (void)key;
    *size = gapir_dump_of(dump)->replay->payload.constants.size;
    return 0;
}

int gapir_constants_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                         struct blob **out)
{
    const struct gapir_slice *constants = &gapir_dump_of(dump)->replay->payload.constants;

    (void)key, (void)cancel;
    return borrow(constants->data, constants->size, out);
}

/* constants.txt */

static int count_constants(struct dump *dump, uint64_t key, const struct cancel *cancel,
                           uint64_t *rows)
{
    uint64_t size = gapir_dump_of(dump)->replay->payload.constants.size;

    (void)key, (void)cancel;
    *rows = (size + ROW - 1) / ROW;
    return 0;
}

static void write_hex_digits(struct text *text, uint64_t value, unsigned digits)
{
    while (digits-- > 0)
        text_add_char(text, "0123456789abcdef"[value >> 4 * digits & 15]);
}

/* `00000010  67 70 75 … 6d  |gpudumpfs frame.|` */
static void write_row(const struct gapir_slice *constants, uint64_t offset, struct text *text)
{
    uint64_t left = constants->size - offset;
    unsigned count = left < ROW ? (unsigned)left : ROW;
    const uint8_t *bytes = constants->data + offset;

    write_hex_digits(text, offset, 8);
    text_add_char(text, ' ');
    for (unsigned n = 0; n < ROW; n++) {
        text_add_char(text, ' ');
        if (n < count)
            write_hex_digits(text, bytes[n], 2);
        else
            text_add(text, "  ");
    }
    text_add(text, "  |");
    for (unsigned n = 0; n < count; n++)
        text_add_char(text, bytes[n] >= 0x20 && bytes[n] <= 0x7e ? (char)bytes[n] : '.');
    text_add(text, "|\n");
}

static int write_constants(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                           const struct cancel *cancel, struct text *text)
{
    (void)key, (void)cancel;
    for (uint64_t row = first; row < end; row++)
        write_row(&gapir_dump_of(dump)->replay->payload.constants, row * ROW, text);
    return 0;
}

const struct dump_listing gapir_constants_listing = {.count = count_constants,
                                                     .rows = write_constants};

/* Resources. */

static const struct gapir_resource *resource_of(struct dump *dump, uint64_t key)
{
    const struct gapir_replay *replay = gapir_dump_of(dump)->replay;

    return key < replay->payload.resource_count ? &replay->resources[key] : NULL;
}

int gapir_resource_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    const struct gapir_resource *resource = resource_of(dump, key);

    if (resource == NULL)
        return -ENOENT;
    *size = resource->size;
    return 0;
}

int gapir_resource_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        struct blob **out)
{
    const struct gapir_resource *resource = resource_of(dump, key);

    (void)cancel;
    if (resource == NULL)
        return -ENOENT;
    if (resource->status != GAPIR_RESOURCE_OK)
        return -EIO;
    return borrow(resource->data, resource->size, out);
}

/* Inline resources. */

static const struct gapir_inline_site *inline_at(const struct gapir_scan *scan, uint64_t pc)
{
    uint32_t low = 0, high = scan->inline_count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (scan->inlines[middle].pc == pc)
            return &scan->inlines[middle];
        if (scan->inlines[middle].pc < pc)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static int find_inline(struct dump *dump, uint64_t pc, struct gapir_inline *out)
{
    const struct gapir_scan *scan = &gapir_dump_of(dump)->replay->scan;
    const struct gapir_inline_site *site = inline_at(scan, pc);

    return site != NULL && gapir_decode_inline(&scan->code, site->pc, out) ? 0 : -ENOENT;
}

int gapir_inline_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    struct gapir_inline parts;
    int status = find_inline(dump, key, &parts);

    *size = status == 0 ? parts.bytes : 0;
    return status;
}

int gapir_inline_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                      struct blob **out)
{
    const struct gapir_code *code = &gapir_dump_of(dump)->replay->scan.code;
    struct gapir_inline parts;
    int status = find_inline(dump, key, &parts);

    (void)cancel;
    return status == 0 ? borrow(code->words + (uint64_t)parts.data * 4, parts.bytes, out) : status;
}

static void write_patches(const struct gapir_code *code, const char *key, uint32_t at,
                          uint32_t count, struct text *text)
{
    for (uint32_t n = 0; n < count; n++, at += 2)
        text_field(text, key, "VOL+0x%" PRIx32 " <- VOL+0x%" PRIx32, gapir_word(code, at),
                   gapir_word(code, at + 1));
}

int gapir_inline_text_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                           struct blob **out)
{
    const struct gapir_scan *scan = &gapir_dump_of(dump)->replay->scan;
    const struct gapir_inline_site *site = inline_at(scan, key);
    struct gapir_inline parts;
    struct text text = TEXT_INIT;

    (void)cancel;
    if (site == NULL || !gapir_decode_inline(&scan->code, site->pc, &parts))
        return -ENOENT;
    text_field(&text, "pc", "%" PRIu32, site->pc);
    text_field(&text, "packet", "%" PRIu32, site->packet);
    text_field(&text, "bytes", "%" PRIu32, parts.bytes);
    text_field(&text, "value_patches", "%" PRIu32, parts.value_patches);
    text_field(&text, "pointer_patches", "%" PRIu32, parts.pointer_patches);
    write_patches(&scan->code, "value", parts.values, parts.value_patches, &text);
    write_patches(&scan->code, "pointer", parts.pointers, parts.pointer_patches, &text);
    return text_blob(&text, out);
}
