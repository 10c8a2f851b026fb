#include "tree/dump.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Printable ASCII alone, as tEXt and every reader of it take; anything else becomes `?`. */
static void copy_ascii(char *to, size_t room, const char *from)
{
    size_t length = 0;

    for (; from[length] != '\0' && length + 1 < room; length++)
        to[length] = from[length] >= ' ' && from[length] <= '~' ? from[length] : '?';
    to[length] = '\0';
}

static void add_text(struct dump_picture *picture, const char *keyword, const char *text)
{
    if (*text == '\0' || strcmp(text, "-") == 0)
        return;
    picture->texts[picture->header.text_count++] =
        (struct picture_text){.keyword = keyword, .text = text};
}

static void add_texts(struct dump *dump, uint64_t number, const struct dump_frame *frame,
                      struct dump_picture *picture)
{
    const char *game = dump->ops->game != NULL ? dump->ops->game(dump) : NULL;

    snprintf(picture->frame, sizeof(picture->frame), "%" PRIu64, number);
    copy_ascii(picture->time, sizeof(picture->time), frame->time_text);
    copy_ascii(picture->game, sizeof(picture->game), game != NULL ? game : "");
    add_text(picture, "Frame", picture->frame);
    add_text(picture, "Time", picture->time);
    add_text(picture, "Game", picture->game);
    picture->header.texts = picture->texts;
}

int dump_picture_init(struct dump *dump, uint64_t frame, uint32_t width, uint32_t height,
                      enum picture_colour colour, uint8_t significant_bits,
                      struct dump_picture *out)
{
    struct dump_frame description = {0};
    int status = dump->ops->frame(dump, frame, &description);

    *out = (struct dump_picture){.header = {.width = width,
                                            .height = height,
                                            .colour = colour,
                                            .significant_bits = significant_bits}};
    if (status == 0)
        add_texts(dump, frame, &description, out);
    return status;
}

int dump_picture_header(struct dump *dump, uint64_t frame, struct dump_picture *out)
{
    struct dump_frame description = {0};
    int status = dump->ops->frame(dump, frame, &description);

    if (status < 0)
        return status;
    if (description.width == 0 || description.height == 0)
        return -ENOENT;
    *out = (struct dump_picture){
        .header = {.width = description.width,
                   .height = description.height,
                   .colour = description.colour != 0 ? description.colour : PICTURE_RGB,
                   .significant_bits =
                       description.significant_bits != 0 ? description.significant_bits : 8}};
    add_texts(dump, frame, &description, out);
    return 0;
}

int dump_picture_size(const struct dump *dump, const struct dump_picture *picture, uint64_t *size)
{
    if (dump->options->png == PICTURE_SMALL)
        return -ENODATA;
    *size = picture_size(&picture->header);
    return *size == 0 ? -EFBIG : 0;
}
