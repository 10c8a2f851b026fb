/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/replay/readout.h"

#include "base/bytes.h"
#include "formats/apitrace/decode/texture_targets.h"
#include "formats/apitrace/dump.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { RGB = 3, RGBA = 4, RGBA_FLOATS = 16 }; /* bytes of a pixel */

int apitrace_readout_picture(struct apitrace_session *session, const struct apitrace_dump *dump,
                             const struct apitrace_request *request, const struct cancel *cancel,
                             struct blob **out)
{
    const struct apitrace_presented_frame *presented = &dump->presentation.frames[request->frame];
    struct apitrace_picture_request message = {
        .kind = APITRACE_PICTURE_COLOUR, .width = presented->width, .height = presented->height};
    struct apitrace_picture picture = {0};
    int status;

    if (request->snapshot != NULL)
        message = (struct apitrace_picture_request){.kind = APITRACE_PICTURE_TARGET,
                                                    .width = request->snapshot->width,
                                                    .height = request->snapshot->height};
    status = apitrace_session_picture(session, &message, cancel, &picture);
    if (status == 0)
        status = apitrace_session_expect(&picture, message.width, message.height, RGB);
    *out = picture.owner;
    return status;
}

static uint8_t to_byte(const uint8_t *at)
{
    uint32_t bits = bytes_le32(at);
    float value;

    memcpy(&value, &bits, sizeof(value));
    return (uint8_t)(value >= 1 ? 255 : value > 0 ? value * 255 + 0.5F : 0);
}

/* Reads one slice of a level as RGBA8. */
static int copy_slice(struct apitrace_session *session, const struct apitrace_level *level,
                      uint32_t slice, const struct cancel *cancel, uint8_t *to)
{
    bool cube = level->target == APITRACE_TARGET_CUBE;
    const struct apitrace_texture_request message = {
        .name = level->object,
        .target = cube ? APITRACE_TARGET_CUBE_FACE + slice : level->target,
        .level = level->level,
        .layer = cube ? 0 : slice};
    size_t size = (size_t)level->width * level->height * RGBA;
    struct apitrace_picture picture = {0};
    int status = apitrace_session_texture(session, &message, cancel, &picture);

    if (status == 0)
        status = apitrace_session_expect(&picture, level->width, level->height,
                                         picture.real ? RGBA_FLOATS : RGBA);
    if (status == 0 && !picture.real)
        memcpy(to, picture.pixels, size);
    for (size_t n = 0; status == 0 && picture.real && n < size; n++)
        to[n] = to_byte(picture.pixels + 4 * n);
    blob_unref(&picture.owner);
    return status;
}

int apitrace_readout_level(struct apitrace_session *session, struct apitrace_dump *dump,
                           const struct apitrace_request *request, const struct cancel *cancel,
                           struct blob **out)
{
    const struct apitrace_level *level = request->level;
    size_t stride = (size_t)level->width * RGBA, slice = stride * level->height;
    uint8_t *pixels = calloc(level->slices, slice);
    struct dump_picture header;
    int status = pixels != NULL ? 0 : -ENOMEM;

    for (uint32_t n = 0; n < level->slices && status == 0; n++)
        status = copy_slice(session, level, n, cancel, pixels + n * slice);
    if (status == 0)
        status = dump_picture_init(&dump->base, request->frame, level->width,
                                   level->height * level->slices, PICTURE_RGBA, 8, &header);
    if (status == 0)
        status = picture_encode(&header.header, pixels, stride, dump->base.options->png, out);
    free(pixels);
    return status;
}
