/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "glworker/gl/draw_parts.h"

#include "glworker/gl/draw_message.h"
#include "glworker/gl/named_target.h"

#include <errno.h>

struct retrace_part *retrace_parts_add(struct retrace_parts *parts, enum apitrace_part_kind kind)
{
    static struct retrace_part spare;
    struct retrace_part *part =
        parts->count < RETRACE_PARTS_MAX ? &parts->list[parts->count++] : &spare;

    *part = (struct retrace_part){.told = {.kind = (uint32_t)kind}};
    return part;
}

/* Finds all parts of the draw after which the session has stopped. */
static const struct retrace_parts *find(struct retrace *retrace, uint32_t width, uint32_t height)
{
    static struct retrace_parts parts;
    struct retrace_named_target named;

    parts.count = 0;
    parts.width = width;
    parts.height = height;
    retrace_named_target_bind(retrace, &named);
    retrace_parts_targets(retrace, &parts);
    retrace_parts_coverage(retrace, &parts);
    retrace_named_target_end(&named);
    retrace_parts_textures(retrace, &parts);
    retrace_parts_buffers(retrace, &parts);
    retrace_parts_shaders(retrace, &parts);
    graphics_failed();
    return &parts;
}

int retrace_handle_draw_parts(struct message_reader *request, struct serve_answer *answer)
{
    uint32_t width = message_read_u32(request), height = message_read_u32(request);
    const struct retrace_parts *parts;
    struct retrace *retrace;
    int status;

    if (!message_read_all(request))
        return -EPROTO;
    retrace = retrace_draw_enter(answer, &status);
    if (retrace == NULL)
        return status;
    parts = find(retrace, width, height);
    message_write_u32(&answer->body, parts->count);
    for (unsigned n = 0; n < parts->count; n++) {
        const struct apitrace_draw_part *told = &parts->list[n].told;
        const uint32_t numbers[] = {told->kind,   told->number, told->target,
                                    told->object, told->level,  told->width,
                                    told->height, told->slices, told->format};

        for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
            message_write_u32(&answer->body, numbers[i]);
        message_write_u64(&answer->body, told->bytes);
    }
    return 0;
}

static int read_target(struct retrace *retrace, const struct retrace_part *part, struct blob **out)
{
    struct retrace_named_target named;
    int status;

    retrace_named_target_bind(retrace, &named);
    status = retrace_part_target(retrace, part, out);
    retrace_named_target_end(&named);
    return status;
}

int retrace_handle_draw_part(struct message_reader *request, struct serve_answer *answer)
{
    uint32_t width = message_read_u32(request), height = message_read_u32(request);
    uint32_t place = message_read_u32(request);
    const struct retrace_parts *parts;
    const struct retrace_part *part;
    struct retrace *retrace;
    int status;

    if (!message_read_all(request))
        return -EPROTO;
    retrace = retrace_draw_enter(answer, &status);
    if (retrace == NULL)
        return status;
    parts = find(retrace, width, height);
    if (place >= parts->count)
        return serve_refuse(answer, -ENOENT, "there is no such part");
    part = &parts->list[place];
    if (part->told.kind <= APITRACE_PART_STENCIL)
        status = read_target(retrace, part, &answer->bulk);
    else if (part->told.kind == APITRACE_PART_BUFFER)
        status = retrace_part_buffer(part, &answer->bulk);
    else if (part->told.kind == APITRACE_PART_SHADER)
        status = retrace_part_shader(part, &answer->bulk);
    else
        status = -ENOENT;
    graphics_failed();
    return status == 0 ? 0 : serve_refuse(answer, status, "the driver cannot read it back");
}
