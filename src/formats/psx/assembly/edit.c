/* SPDX-License-Identifier: MIT */
/*
 * Parts of a dump as files that can be edited: the bytes of a packet, whose number stays the same,
 * the text of a frame, and textures (texture_edit.h).
 */
#include "formats/psx/assembly/assembly.h"

#include "formats/psx/assembly/texture_edit.h"

#include "formats/psx/dump.h"
#include "formats/psx/frame/frame.h"

#include <errno.h>

/* Limits the result: few lines can make many bytes (`words=`). */
enum { EDIT_MAX = 128 << 20 };

static int add_bytes(void *context, const void *bytes, size_t length)
{
    struct text *text = context;

    text_add_bytes(text, bytes, length);
    return text_status(text);
}

int psx_frame_assembly_make(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                            struct blob **out)
{
    const struct psx_frame_counts *counts;
    struct text text = TEXT_INIT;
    const struct format_sink sink = {add_bytes, &text};
    int status = psx_frame_counts_wait(dump, frame, cancel, &counts);

    if (status == 0)
        status = psx_disassemble_frame(&psx_dump_of(dump)->index, frame, cancel, &sink);
    if (status == 0)
        return text_blob(&text, out);
    text_clear(&text);
    return status;
}

static int add_edited(void *context, const void *bytes, size_t length)
{
    const struct text *text = context;

    return length > EDIT_MAX - text->length ? -EFBIG : add_bytes(context, bytes, length);
}

static int edit_frame(const struct psx_index *index, const struct format_edited *edited,
                      struct format_edit *out, struct format_text_error *error)
{
    const struct format_sink sink = {add_edited, &out->bytes};
    struct psx_packet last;
    int status;

    if (!psx_index_shows(index, edited->key))
        return -ENOTSUP;
    status = psx_index_packet(index, index->frames[edited->key + 1].packet - 1, &last);
    if (status != 0)
        return status;
    out->offset = index->frames[edited->key].offset;
    out->size = psx_packet_end(&last) - out->offset;
    return psx_assemble_part(edited->lines, index->size - psx_packet_end(&last) < 4, &sink, error);
}

int psx_edit(struct dump *dump, const struct format_edited *edited, struct format_edit *out,
             struct format_text_error *error)
{
    int status = psx_index_wait_packets(&psx_dump_of(dump)->index, edited->cancel);

    if (status != 0)
        return status;
    if (edited->rule == PSX_RULE_TEXTURE_PNG)
        return psx_texture_edit(psx_dump_of(dump), edited, out, error);
    if (edited->rule != PSX_RULE_ASSEMBLY)
        return format_edit_packet(dump, edited, out, error);
    *error = (struct format_text_error){0};
    return edit_frame(&psx_dump_of(dump)->index, edited, out, error);
}

int psx_part_packet(struct dump *dump, uint64_t packet, uint64_t from, uint64_t to,
                    struct text *out)
{
    const struct psx_index *index = &psx_dump_of(dump)->index;
    uint64_t begin = from > packet ? from : packet + 4;
    struct psx_packet whole;
    size_t words;

    if (!psx_packet_read(index->data, index->size, packet, &whole))
        return -EIO;
    if (to < psx_packet_end(&whole))
        words = (to - begin) / 4;
    else /* a packet that is cut off stays cut off */
        words = (psx_packet_end(&whole) - begin) / 4 + (whole.announced - whole.words);
    psx_packet_header_write(out, whole.type, words);
    return text_status(out);
}
