/* SPDX-License-Identifier: MIT */
/*
 * draw-ids.bin and draw-ids.png: for each pixel of a frame's picture, the frame and the draw that
 * wrote it last, searched back through the frames.
 */
#include "formats/aerogpu/views/views.h"

#include "formats/aerogpu/replay/probe.h"
#include "image/draw_ids.h"

#include <errno.h>
#include <string.h>

enum { FRAMES_MAX = 64 }; /* maximum number of frames that are searched */

struct ids {
    struct aerogpu_write_history history;
    struct blob *blob;
    uint64_t pixels, left; /* all pixels, and those whose writer is not known yet */
    struct blob *mask;     /* of one command: a byte for each pixel */
    struct blob *writers;  /* of one frame: a number for each pixel */
};

/*
 * Returns the number of a draw or clear. For other commands, counts down from UINT32_MAX - 1 by the
 * command's number in the frame.
 */
static uint32_t writer_of(const struct ids *ids, const struct aerogpu_event *event)
{
    const struct aerogpu_scan *scan = aerogpu_dump_scanned(ids->history.dump);
    uint32_t frame = ids->history.events.frame;
    uint32_t draw = aerogpu_draw_number(scan, frame, event->tick);

    if (draw != AEROGPU_NONE)
        return draw;
    return UINT32_MAX - 1 - (uint32_t)(event->tick - 1 - scan->frames[frame].begin);
}

static uint32_t *writers_of(const struct ids *ids)
{
    return (uint32_t *)(void *)ids->writers->data;
}

static int add_event(struct ids *ids, const struct aerogpu_event *event)
{
    uint32_t writer = writer_of(ids, event), *writers = writers_of(ids);
    int status;

    memset(ids->mask->data, 0, ids->mask->size);
    status = aerogpu_replay_mask(ids->history.dump, &ids->history, event, ids->mask->data);
    for (uint64_t i = 0; status == 0 && i < ids->pixels; i++)
        if (ids->mask->data[i] != 0)
            writers[i] = writer;
    return status;
}

/* Stores the frame's writers for the pixels that no later frame has written. */
static void take_writers(struct ids *ids)
{
    const uint32_t *writers = writers_of(ids);
    uint8_t *bytes = ids->blob->data;

    for (uint64_t i = 0; i < ids->pixels; i++, bytes += DRAW_IDS_BYTES)
        if (writers[i] != UINT32_MAX && draw_ids_is_none(bytes)) {
            draw_ids_store((struct draw_id){ids->history.events.frame, writers[i]}, bytes);
            ids->left--;
        }
}

/* Adds the commands of a frame, beginning with the last one that writes all pixels. */
static int add_frame(struct ids *ids)
{
    const struct aerogpu_events *events = &ids->history.events;
    size_t first = events->count;
    int status = 0;

    memset(ids->writers->data, 0xFF, ids->writers->size);
    while (first > 0 && !aerogpu_reach_is_whole(&events->list[first - 1].reach, &ids->history.part))
        first--;
    for (size_t i = first > 0 ? first - 1 : 0; status == 0 && i < events->count; i++)
        status = add_event(ids, &events->list[i]);
    if (status == 0)
        take_writers(ids);
    return status;
}

static int go_back(struct ids *ids)
{
    int status = 0;

    for (unsigned frames = 0; status == 0 && ids->left > 0 && frames < FRAMES_MAX; frames++) {
        status = aerogpu_write_history_back(&ids->history);
        if (status == 0)
            status = add_frame(ids);
    }
    return status == -ENOENT ? 0 : status;
}

int aerogpu_draw_ids_bin_size(struct dump *dump, uint64_t frame, uint64_t *size)
{
    const struct aerogpu_scan_frame *found = NULL;
    int status = aerogpu_frame_find(dump, frame, &found);

    if (status == 0)
        *size = (uint64_t)found->shot.width * found->shot.height * DRAW_IDS_BYTES;
    return status;
}

static int make_ids(struct ids *ids)
{
    int status = blob_create((size_t)ids->pixels * DRAW_IDS_BYTES, &ids->blob);

    if (status == 0)
        status = blob_create((size_t)ids->pixels, &ids->mask);
    if (status == 0)
        status = blob_create((size_t)ids->pixels * sizeof(uint32_t), &ids->writers);
    if (status != 0)
        return status;
    draw_ids_clear(ids->blob->data, ids->pixels);
    return go_back(ids);
}

int aerogpu_draw_ids_bin_make(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                              struct blob **out)
{
    const struct aerogpu_scan_frame *found = NULL;
    struct ids ids = {.blob = NULL};
    int status = aerogpu_frame_need(dump, frame, cancel, &found);

    if (status != 0)
        return status;
    aerogpu_write_history_init(&ids.history, aerogpu_dump_of(dump), (uint32_t)frame, &found->shot,
                               cancel);
    ids.pixels = ids.left = (uint64_t)found->shot.width * found->shot.height;
    status = make_ids(&ids);
    aerogpu_write_history_clear(&ids.history);
    blob_unref(&ids.mask);
    blob_unref(&ids.writers);
    if (status == 0)
        *out = ids.blob;
    else
        blob_unref(&ids.blob);
    return status;
}

/* The picture. */

int aerogpu_draw_ids_png_size(struct dump *dump, uint64_t frame, uint64_t *size)
{
    return aerogpu_opaque_size(dump, frame, size); /* the same size and number of colours */
}

int aerogpu_draw_ids_png_make(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                              struct blob **out)
{
    const struct aerogpu_scan_frame *found = NULL;
    struct dump_picture picture;
    struct blob *ids = NULL;
    int status = aerogpu_frame_need(dump, frame, cancel, &found);

    if (status == 0)
        status = dump_picture_init(dump, frame, found->shot.width, found->shot.height, PICTURE_RGB,
                                   0, &picture);
    if (status == 0)
        status = aerogpu_draw_ids_bin_make(dump, frame, cancel, &ids);
    if (status == 0)
        status = draw_ids_write(&picture.header, dump->options->png, ids, cancel, out);
    blob_unref(&ids);
    return status;
}
