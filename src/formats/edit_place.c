/* SPDX-License-Identifier: MIT */
/* Several edits may part one packet. The headers of its parts depend on all of them. */
#include "formats/format.h"

#include <errno.h>
#include <stdlib.h>

static void place(struct format_placed *placed, uint64_t offset, uint64_t size,
                  const struct text *bytes)
{
    placed->edits[placed->count++] =
        (struct source_edit){offset, size, (const uint8_t *)bytes->bytes, bytes->length};
}

/* Places the header of the part before the first of the edits that part a packet. */
static int place_first_header(struct dump *dump, const struct format_ops *ops,
                              const struct format_edit *first, struct format_placed *out)
{
    struct text *header = &out->texts[out->text_count++];
    int status = ops->part(dump, first->parted, first->parted, first->offset, header);

    if (status == 0)
        place(out, first->parted, header->length, header);
    return status;
}

/* Places the bytes that an edit inserts, and the header of the part after them. */
static int place_between(struct dump *dump, const struct format_ops *ops,
                         const struct format_edit *edit, const struct format_edit *next,
                         struct format_placed *out)
{
    bool again = next != NULL && next->parted == edit->parted;
    struct text *bytes = &out->texts[out->text_count++];
    int status;

    text_add_text(bytes, &edit->bytes);
    status = ops->part(dump, edit->parted, edit->offset, again ? next->offset : FORMAT_PACKET_END,
                       bytes);
    if (status == 0)
        place(out, edit->offset, 0, bytes);
    return status;
}

int format_place_edits(struct dump *dump, const struct format_ops *ops,
                       const struct format_edit *const *edits, size_t count,
                       struct format_placed *out)
{
    uint64_t parted = 0;
    int status = 0;

    *out = (struct format_placed){.edits = calloc(2 * count + 1, sizeof(*out->edits)),
                                  .texts = calloc(2 * count + 1, sizeof(*out->texts))};
    if (out->edits == NULL || out->texts == NULL)
        return -ENOMEM;
    for (size_t i = 0; i < count && status == 0; i++) {
        const struct format_edit *edit = edits[i], *next = i + 1 < count ? edits[i + 1] : NULL;

        if (edit->parted == 0) {
            place(out, edit->offset, edit->size, &edit->bytes);
            continue;
        }
        if (edit->parted != parted)
            status = place_first_header(dump, ops, edit, out);
        parted = edit->parted;
        if (status == 0)
            status = place_between(dump, ops, edit, next, out);
    }
    return status;
}

void format_placed_clear(struct format_placed *placed)
{
    for (size_t i = 0; i < placed->text_count; i++)
        text_clear(&placed->texts[i]);
    free(placed->texts);
    free(placed->edits);
    *placed = (struct format_placed){0};
}
