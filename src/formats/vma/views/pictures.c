/* SPDX-License-Identifier: MIT */
#include "formats/vma/views/views.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint8_t colours[VMA_COLOURS][3] = {
    [VMA_COLOUR_PAPER] = {255, 255, 255},
    [VMA_COLOUR_TEXT] = {0, 0, 0},
    [VMA_COLOUR_FAINT] = {150, 150, 150},
    [VMA_COLOUR_OUTLINE] = {155, 155, 155},
    [VMA_COLOUR_GRID] = {224, 224, 224},
    [VMA_COLOUR_FREE] = {220, 220, 220},
    [VMA_COLOUR_UNKNOWN] = {175, 175, 175},
    [VMA_COLOUR_BUFFER_VERTEX] = {255, 148, 148},
    [VMA_COLOUR_BUFFER_STORAGE] = {255, 187, 121},
    [VMA_COLOUR_BUFFER_UNIFORM] = {255, 255, 0},
    [VMA_COLOUR_BUFFER_OTHER] = {255, 255, 165},
    [VMA_COLOUR_IMAGE_DEPTH] = {246, 128, 255},
    [VMA_COLOUR_IMAGE_ATTACHMENT] = {179, 179, 255},
    [VMA_COLOUR_IMAGE_SAMPLED] = {0, 255, 255},
    [VMA_COLOUR_IMAGE_OTHER] = {183, 255, 255},
    [VMA_COLOUR_IMAGE_LINEAR] = {0, 255, 0},
    [VMA_COLOUR_IMAGE_UNKNOWN] = {0, 255, 164},
    [VMA_COLOUR_HEAP_BLOCKS] = {190, 205, 225},
    [VMA_COLOUR_HEAP_USED] = {70, 110, 170},
};

const struct picture_palette vma_palette = {colours, VMA_COLOURS};

/* Usage bits that distinguish classes of buffers and images. The first match counts. */
static const struct {
    enum vma_label label;
    uint32_t usage;
    enum vma_colour colour;
} classes[] = {
    {VMA_BUFFER, 0x1C0, VMA_COLOUR_BUFFER_VERTEX},
    {VMA_BUFFER, 0x28, VMA_COLOUR_BUFFER_STORAGE},
    {VMA_BUFFER, 0x14, VMA_COLOUR_BUFFER_UNIFORM},
    {VMA_IMAGE_OPTIMAL, 0x20, VMA_COLOUR_IMAGE_DEPTH},
    {VMA_IMAGE_OPTIMAL, 0xD0, VMA_COLOUR_IMAGE_ATTACHMENT},
    {VMA_IMAGE_OPTIMAL, 0x4, VMA_COLOUR_IMAGE_SAMPLED},
};

static const enum vma_colour label_colours[VMA_LABELS] = {
    [VMA_FREE] = VMA_COLOUR_FREE,
    [VMA_UNKNOWN] = VMA_COLOUR_UNKNOWN,
    [VMA_BUFFER] = VMA_COLOUR_BUFFER_OTHER,
    [VMA_IMAGE_UNKNOWN] = VMA_COLOUR_IMAGE_UNKNOWN,
    [VMA_IMAGE_LINEAR] = VMA_COLOUR_IMAGE_LINEAR,
    [VMA_IMAGE_OPTIMAL] = VMA_COLOUR_IMAGE_OTHER,
};

uint8_t vma_allocation_colour(const struct vma_allocation *allocation)
{
    for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
        if (classes[i].label == (enum vma_label)allocation->label &&
            (allocation->resource_usage & classes[i].usage) != 0)
            return (uint8_t)classes[i].colour;
    return (uint8_t)label_colours[allocation->label];
}

void vma_size_text(uint64_t bytes, char text[VMA_SIZE_ROOM])
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    unsigned unit = 0;
    uint64_t rest = 0;

    for (; bytes >= 1024 && unit + 1 < sizeof(units) / sizeof(units[0]); unit++) {
        rest = bytes % 1024;
        bytes /= 1024;
    }
    if (rest == 0 || bytes >= 100)
        snprintf(text, VMA_SIZE_ROOM, "%" PRIu64 " %s", bytes, units[unit]);
    else
        snprintf(text, VMA_SIZE_ROOM, "%" PRIu64 ".%u %s", bytes, (unsigned)(rest * 10 / 1024),
                 units[unit]);
}

/* Files. */

/* Gets the header of a map. For a packet before the first frame it has no texts. */
static int map_header(struct vma_dump *dump, uint32_t frame, struct dump_picture *out)
{
    uint32_t height = vma_map_height(&dump->recording);
    int status = 0;

    if (frame != VMA_NO_FRAME)
        status = dump_picture_header(&dump->base, frame, out);
    else
        *out = (struct dump_picture){.header = {.width = VMA_MAP_WIDTH,
                                                .height = height,
                                                .colour = PICTURE_GREY,
                                                .palette = &vma_palette}};
    return status;
}

static int draw_map(struct vma_dump *dump, uint32_t frame, const struct vma_replay *replay,
                    struct blob **out)
{
    struct dump_picture picture;
    struct canvas canvas = {0};
    int status = map_header(dump, frame, &picture);

    if (status == 0)
        status = vma_map_draw(replay, vma_options_of(dump->base.options)->scale, &canvas);
    if (status == 0)
        status = picture_encode(&picture.header, canvas.pixels, canvas.width,
                                dump->base.options->png, out);
    canvas_clear(&canvas);
    return status;
}

int vma_frame_picture(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                      struct blob **out)
{
    struct vma_dump *vma = vma_dump_of(dump);
    struct vma_replay *replay = NULL;
    int status = vma_seek_frame(vma, frame, cancel, &replay);

    if (status == 0)
        status = draw_map(vma, (uint32_t)frame, replay, out);
    vma_give_back(vma, &replay);
    return status;
}

int vma_after_png_size(struct dump *dump, uint64_t packet, uint64_t *size)
{
    struct vma_dump *vma = vma_dump_of(dump);
    struct dump_picture picture;
    int status;

    if (packet >= vma->recording.packets)
        return -ENOENT;
    status = map_header(vma, vma_recording_frame_of(&vma->recording, (uint32_t)packet), &picture);
    return status == 0 ? dump_picture_size(dump, &picture, size) : status;
}

int vma_after_png_make(struct dump *dump, uint64_t packet, const struct cancel *cancel,
                       struct blob **out)
{
    struct vma_dump *vma = vma_dump_of(dump);
    struct vma_replay *replay = NULL;
    int status = vma_seek_packet(vma, packet, cancel, &replay);

    if (status == 0)
        status =
            draw_map(vma, vma_recording_frame_of(&vma->recording, (uint32_t)packet), replay, out);
    vma_give_back(vma, &replay);
    return status;
}
