/* SPDX-License-Identifier: MIT */
#include "formats/psx/views/views.h"

#include "base/bytes.h"
#include "formats/psx/gpu/pixel.h"
#include "formats/psx/gpu/scanout.h"
#include "formats/psx/gpu/state.h"
#include "formats/psx/index/walk.h"
#include "formats/psx/replay/replay.h"

#include <errno.h>
#include <string.h>

int psx_paint(const struct psx_dump *dump, const struct picture_header *header, picture_paint *row,
              const void *context, const struct cancel *cancel, struct blob **out)
{
    return picture_write(header, dump->base.options->png, row, context, cancel, out);
}

uint32_t psx_paint_area_line(const struct psx_paint_area *area, uint32_t y)
{
    return ((uint32_t)area->box.y + y) & (area->lines.addressed - 1U);
}

void psx_paint_area_row(const void *context, uint32_t y, uint8_t *rgb)
{
    const struct psx_paint_area *area = context;
    uint32_t x = (uint32_t)area->box.x & (PSX_VRAM_WIDTH - 1);
    uint32_t width = (uint32_t)area->box.width;
    uint32_t first = width < PSX_VRAM_WIDTH - x ? width : PSX_VRAM_WIDTH - x;
    uint32_t line = psx_paint_area_line(area, y);
    const uint16_t *row = area->vram + (size_t)line * PSX_VRAM_WIDTH;

    if (width == 0 || line >= area->lines.memory) {
        memset(rgb, 0, 3 * (size_t)(width > 0 ? width : 1));
        return;
    }
    psx_scanout_expand(row + x, first, rgb);
    psx_scanout_expand(row, width - first, rgb + 3 * (size_t)first);
}

void psx_paint_dim(uint8_t *rgb, uint32_t pixels)
{
    for (size_t i = 0; i < 3 * (size_t)pixels; i++)
        rgb[i] /= 2;
}

enum { VRAM_BITS = 5 }; /* significant bits in each channel of a 15-bit pixel */

/* What a picture of VRAM is made from. */
struct rows {
    const struct psx_screen *screen; /* NULL for all of VRAM */
    const uint16_t *halfwords; /* all of VRAM, or what the screen shows; NULL for a black picture */
    uint32_t width;            /* width of the picture */
};

static void paint_row(const void *context, uint32_t y, uint8_t *rgb)
{
    const struct rows *rows = context;

    if (rows->halfwords == NULL)
        memset(rgb, 0, 3 * (size_t)rows->width);
    else if (rows->screen != NULL)
        psx_scanout_show(rows->screen,
                         rows->halfwords + (size_t)y * psx_scanout_columns(rows->screen), rgb);
    else
        psx_scanout_expand(rows->halfwords + (size_t)y * PSX_VRAM_WIDTH, rows->width, rgb);
}

static int write_picture(const struct psx_dump *dump, const struct picture_header *header,
                         struct rows *rows, const struct cancel *cancel, struct blob **out)
{
    rows->width = header->width;
    return picture_write(header, dump->base.options->png, paint_row, rows, cancel, out);
}

/* Takes an instance at the frame's end, or at another position with the same VRAM. */
static int take_frame(struct psx_dump *dump, uint64_t frame, const struct cancel *cancel,
                      struct psx_gpu_instance **out)
{
    struct psx_vram_request request;
    int status = psx_index_shows(&dump->index, frame) ? psx_replay_wait_picture(dump, frame, cancel)
                                                      : -ENOENT;

    if (status != 0)
        return status;
    psx_vram_request_frame(&dump->index, frame, psx_index_knows_frame(&dump->index, frame),
                           &request);
    return psx_replay_take(dump, &request, cancel, out);
}

/* The same, with only what the display shows being valid. */
static int take_picture(struct psx_dump *dump, uint64_t frame, const struct cancel *cancel,
                        struct psx_gpu_instance **out)
{
    struct psx_vram_request request;
    int status = psx_replay_wait_picture(dump, frame, cancel);

    if (status != 0)
        return status;
    psx_vram_request_picture(&dump->index, frame, psx_index_knows_frame(&dump->index, frame),
                             &request);
    return psx_replay_take(dump, &request, cancel, out);
}

static int take_initial(struct psx_dump *dump, const struct cancel *cancel,
                        struct psx_gpu_instance **out)
{
    uint64_t packet = dump->index.begin_packet;
    struct psx_vram_request request = {.packet = packet, .upto = packet};
    int status =
        packet != PSX_NO_PACKET ? psx_index_wait_packet(&dump->index, packet, cancel) : -ENOENT;

    request.area = (struct psx_box){0, 0, PSX_VRAM_WIDTH, (int)dump->index.vram_lines};
    return status == 0 ? psx_replay_take(dump, &request, cancel, out) : status;
}

/* Copies what a screen shows of the instance's VRAM. */
static int copy_screen(const struct psx_gpu *gpu, const struct psx_screen *screen,
                       struct blob **out)
{
    size_t count = (size_t)psx_scanout_columns(screen) * screen->height;
    int status = blob_create(count * sizeof(uint16_t), out);

    if (status == 0)
        psx_scanout_copy(screen, gpu->vram, gpu->lines, (uint16_t *)(void *)(*out)->data);
    return status;
}

int psx_frame_picture(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                      struct blob **out)
{
    struct psx_dump *psx = psx_dump_of(dump);
    struct psx_gpu_instance *instance = NULL;
    struct dump_picture picture;
    struct psx_screen screen;
    struct rows rows = {.screen = &screen};
    int status = dump_picture_header(dump, frame, &picture);

    if (status != 0)
        return status;
    psx_display_screen(&psx->index.frames[frame].display, &screen);
    if (screen.off || screen.empty)
        return write_picture(psx, &picture.header, &rows, cancel, out);
    status = take_picture(psx, frame, cancel, &instance);
    if (status != 0)
        return status;
    status = copy_screen(instance->gpu, &screen, out);
    psx_replay_give(psx, &instance);
    return status == 0 ? CACHE_FIRST_STAGE : status;
}

int psx_frame_finish(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                     const struct blob *stage, struct blob **out)
{
    struct psx_dump *psx = psx_dump_of(dump);
    struct dump_picture picture;
    struct psx_screen screen;
    struct rows rows = {.screen = &screen,
                        .halfwords = (const uint16_t *)(const void *)stage->data};
    int status = dump_picture_header(dump, frame, &picture);

    psx_display_screen(&psx->index.frames[frame].display, &screen);
    return status == 0 ? write_picture(psx, &picture.header, &rows, cancel, out) : status;
}

int psx_vram_bin_size(struct dump *dump, uint64_t frame, uint64_t *size)
{
    (void)frame;
    *size = 2 * (uint64_t)PSX_VRAM_WIDTH * psx_dump_of(dump)->index.vram_lines;
    return 0;
}

static int copy_vram(const struct psx_gpu *gpu, struct blob **out)
{
    size_t pixels = (size_t)PSX_VRAM_WIDTH * gpu->lines;
    int status = blob_create(2 * pixels, out);

    if (status == 0)
        psx_halfwords_store((*out)->data, gpu->vram, pixels);
    return status;
}

int psx_vram_bin_make(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                      struct blob **out)
{
    struct psx_dump *psx = psx_dump_of(dump);
    struct psx_gpu_instance *instance = NULL;
    int status = take_frame(psx, frame, cancel, &instance);

    if (status != 0)
        return status;
    status = copy_vram(instance->gpu, out);
    psx_replay_give(psx, &instance);
    return status;
}

static int vram_header(struct psx_dump *dump, uint64_t frame, struct dump_picture *out)
{
    return dump_picture_init(&dump->base, frame, PSX_VRAM_WIDTH, dump->index.vram_lines,
                             PICTURE_RGB, VRAM_BITS, out);
}

int psx_vram_png_size(struct dump *dump, uint64_t frame, uint64_t *size)
{
    struct dump_picture picture;
    int status = vram_header(psx_dump_of(dump), frame, &picture);

    return status != 0 ? status : dump_picture_size(dump, &picture, size);
}

/* Writes the instance's VRAM as a picture, and gives the instance back. */
static int picture_of_vram(struct psx_dump *dump, const struct picture_header *header,
                           struct psx_gpu_instance *instance, const struct cancel *cancel,
                           struct blob **out)
{
    struct rows rows = {.halfwords = instance->gpu->vram};
    int status = write_picture(dump, header, &rows, cancel, out);

    psx_replay_give(dump, &instance);
    return status;
}

int psx_vram_png_make(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                      struct blob **out)
{
    struct psx_dump *psx = psx_dump_of(dump);
    struct psx_gpu_instance *instance = NULL;
    struct dump_picture picture;
    int status = vram_header(psx, frame, &picture);

    if (status == 0)
        status = take_frame(psx, frame, cancel, &instance);
    return status != 0 ? status : picture_of_vram(psx, &picture.header, instance, cancel, out);
}

int psx_initial_bin_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                         struct blob **out)
{
    struct psx_dump *psx = psx_dump_of(dump);
    struct psx_gpu_instance *instance = NULL;
    int status = take_initial(psx, cancel, &instance);

    (void)key;
    if (status != 0)
        return status;
    status = copy_vram(instance->gpu, out);
    psx_replay_give(psx, &instance);
    return status;
}

/* The picture belongs to no frame, and so has no texts. */
static void initial_header(const struct psx_dump *dump, struct dump_picture *out)
{
    *out = (struct dump_picture){.header = {.width = PSX_VRAM_WIDTH,
                                            .height = dump->index.vram_lines,
                                            .colour = PICTURE_RGB,
                                            .significant_bits = VRAM_BITS}};
}

int psx_initial_png_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    struct dump_picture picture;

    (void)key;
    initial_header(psx_dump_of(dump), &picture);
    return dump_picture_size(dump, &picture, size);
}

int psx_initial_png_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                         struct blob **out)
{
    struct psx_dump *psx = psx_dump_of(dump);
    struct psx_gpu_instance *instance = NULL;
    struct dump_picture picture;
    int status = take_initial(psx, cancel, &instance);

    (void)key;
    initial_header(psx, &picture);
    return status != 0 ? status : picture_of_vram(psx, &picture.header, instance, cancel, out);
}

/* Determines how many words a packet 03 or 04 takes, which depends on the stream before it. */
static int count_readback(struct psx_dump *dump, uint64_t number, const struct cancel *cancel,
                          uint32_t *words)
{
    struct psx_packet packet;
    struct psx_parser_state checkpoint;
    struct psx_walk walk;
    int status = psx_index_packet(&dump->index, number, &packet);

    if (status == 0 && packet.type != PSX_PACKET_DISCARD && packet.type != PSX_PACKET_READBACK)
        status = -ENOENT;
    if (status == 0)
        status = psx_index_wait_packet(&dump->index, number, cancel);
    if (status != 0)
        return status;
    psx_index_checkpoint_before(&dump->index, number, 0, &checkpoint);
    psx_walk_resume(&walk, &dump->index, &checkpoint);
    status = psx_walk_to(&walk, number, 0, cancel);
    *words = packet.words > 0 ? bytes_le32(packet.payload) : 0;
    if (*words > psx_state_read_left(&walk.at.state))
        *words = psx_state_read_left(&walk.at.state);
    return status;
}

int psx_readback_size(struct dump *dump, uint64_t packet, uint64_t *size)
{
    struct psx_dump *psx = psx_dump_of(dump);
    uint32_t words = 0;
    int status = psx_index_knows_packet(&psx->index, packet)
                     ? count_readback(psx, packet, &dump->cancel, &words)
                     : -EAGAIN;

    *size = 4 * (uint64_t)words;
    return status;
}

int psx_readback_make(struct dump *dump, uint64_t packet, const struct cancel *cancel,
                      struct blob **out)
{
    struct psx_dump *psx = psx_dump_of(dump);
    struct psx_gpu_instance *instance = NULL;
    struct psx_vram_request request = {.packet = packet, .upto = packet, .read = true};
    uint32_t words = 0;
    int status = count_readback(psx, packet, cancel, &words);

    if (status == 0)
        status = blob_create(4 * (size_t)words, out);
    if (status != 0)
        return status;
    status = psx_replay_take(psx, &request, cancel, &instance);
    if (status == 0) {
        struct psx_state before = instance->gpu->state;

        psx_gpu_read(instance->gpu, words, (*out)->data);
        instance->gpu->state = before; /* the next user carries out the packet itself */
        psx_replay_give(psx, &instance);
    } else {
        blob_unref(out);
    }
    return status;
}
