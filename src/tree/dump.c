/* SPDX-License-Identifier: MIT */
#include "tree/dump.h"

#include "base/log.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define GONE                                                                                       \
    " after it was opened, and its contents are gone: nothing more can be shown; open it again, "  \
    "or "                                                                                          \
    "follow it (gpudumpfs --follow) while it is recorded"

static const char *const changes[] = {
    [SOURCE_SHORTENED] = "was shortened" GONE,
    [SOURCE_WRITTEN] = "was written" GONE,
    [SOURCE_UNREADABLE] =
        "could not be read: its disk or that of its spool has failed, and nothing "
        "more can be shown",
};

static void tell_change(struct dump *dump, const struct source *source)
{
    const char *change = changes[source_state(source)];

    if (atomic_exchange(&dump->told_change, true))
        return;
    problems_add(dump->problems, PROBLEM_ERROR, PROBLEM_NOWHERE, PROBLEM_NOWHERE, "%s %s",
                 source_basename(source), change);
    log_write(LOG_ERR, "%s %s", source->path, change);
}

/* Returns the dump's files one after another; NULL after the last. */
static const struct source *file_at(const struct dump *dump, size_t index)
{
    if (index == 0)
        return dump->source;
    return index <= DUMP_BESIDE_MAX ? dump->beside[index - 1] : NULL;
}

int dump_check_files(struct dump *dump)
{
    const struct source *sources[1 + DUMP_BESIDE_MAX] = {NULL}, *source;
    size_t count = 0;

    _Static_assert(1 + DUMP_BESIDE_MAX <= SOURCE_SEVERAL, "all are looked at together");

    for (size_t i = 0; (source = file_at(dump, i)) != NULL; i++)
        sources[count++] = source;
    source_check_several(sources, count);
    for (size_t i = 0; i < count; i++)
        if (source_state(sources[i]) != SOURCE_INTACT) {
            tell_change(dump, sources[i]);
            return -EIO;
        }
    return 0;
}

bool dump_has_changed(const struct dump *dump)
{
    const struct source *source;

    for (size_t i = 0; (source = file_at(dump, i)) != NULL; i++)
        if (source_state(source) != SOURCE_INTACT)
            return true;
    return false;
}

/* Pictures. */

/*
 * Copies printable ASCII only, which is what tEXt and all its readers support; other bytes become
 * `?`.
 */
static void copy_ascii(char *to, size_t room, const char *from, size_t size)
{
    size_t length = 0;

    for (; length < size && length + 1 < room; length++)
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

static int add_time(struct dump *dump, uint64_t frame, struct dump_picture *picture)
{
    struct text time = TEXT_INIT;
    int status = 0;

    if (dump->ops->recording.frame_time == NULL)
        return 0;
    dump->ops->recording.frame_time(dump, frame, &time);
    copy_ascii(picture->time, sizeof(picture->time), time.bytes, time.length);
    status = text_status(&time);
    text_clear(&time);
    return status;
}

static int add_texts(struct dump *dump, uint64_t frame, struct dump_picture *picture)
{
    const char *game = dump_game(dump);
    int status = add_time(dump, frame, picture);

    snprintf(picture->frame, sizeof(picture->frame), "%" PRIu64, frame);
    if (game != NULL)
        copy_ascii(picture->game, sizeof(picture->game), game, strlen(game));
    add_text(picture, "Frame", picture->frame);
    add_text(picture, "Time", picture->time);
    add_text(picture, "Game", picture->game);
    picture->header.texts = picture->texts;
    return status;
}

int dump_picture_init(struct dump *dump, uint64_t frame, uint32_t width, uint32_t height,
                      enum picture_colour colour, uint8_t significant_bits,
                      struct dump_picture *out)
{
    *out = (struct dump_picture){.header = {.width = width,
                                            .height = height,
                                            .colour = colour,
                                            .significant_bits = significant_bits}};
    return frame < dump->ops->frames(dump) ? add_texts(dump, frame, out) : -ENOENT;
}

int dump_picture_header(struct dump *dump, uint64_t frame, struct dump_picture *out)
{
    struct dump_frame description = {0};
    int status = dump->ops->frame(dump, frame, &description);

    if (status < 0)
        return status;
    if (description.width == 0 || description.height == 0)
        return -ENOENT;
    status = dump_picture_init(dump, frame, description.width, description.height,
                               description.colour != 0 ? description.colour : PICTURE_RGB,
                               description.significant_bits != 0 ? description.significant_bits : 8,
                               out);
    out->header.palette = description.palette;
    return status;
}

int dump_picture_size(const struct dump *dump, const struct dump_picture *picture, uint64_t *size)
{
    if (dump->options->png == PICTURE_SMALL)
        return -ENODATA;
    *size = picture_size(&picture->header);
    return *size == 0 ? -EFBIG : 0;
}

void dump_command_numbers(const struct dump *dump, const char *line, size_t length,
                          uint64_t *packet, uint64_t *draw)
{
    uint64_t number = 0;
    size_t i;

    *packet = *draw = DUMP_NOT_KNOWN;
    if (dump->ops->texts.command_numbers != NULL) {
        dump->ops->texts.command_numbers(line, length, packet, draw);
        return;
    }
    for (i = 0; i < length && line[i] >= '0' && line[i] <= '9'; i++)
        if (__builtin_mul_overflow(number, 10, &number) ||
            __builtin_add_overflow(number, (uint64_t)(line[i] - '0'), &number))
            return;
    if (i > 0)
        *packet = number;
}
