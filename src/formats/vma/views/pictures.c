#include "formats/vma/views/pictures.h"

#include "formats/vma/views/drawing.h"
#include "formats/vma/views/memory_map.h"

#include <errno.h>

/* The header of a map; a packet before the first frame has no texts. */
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
    vma_checkpoints_give_back(vma->checkpoints, &replay);
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
    vma_checkpoints_give_back(vma->checkpoints, &replay);
    return status;
}
