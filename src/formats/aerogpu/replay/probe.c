/* SPDX-License-Identifier: MIT */
#include "formats/aerogpu/replay/probe.h"

#include "formats/aerogpu/replay/replay.h"
#include "formats/aerogpu/replay/soft_draw.h"

#include <errno.h>
#include <string.h>

enum { RGBA = 4, BLOCK_TEXELS_MAX = 16 };

/* Sets the colour of a depth texture that is shown as a picture; `grey` is 0 to 255. */
static void set_grey(uint8_t grey, uint8_t rgba[RGBA])
{
    memset(rgba, grey, RGBA - 1);
    rgba[RGBA - 1] = 255;
}

/* Probes on the CPU. */

/* Decodes one texel of rows that begin at `texels`. */
static void decode(const struct aerogpu_shot *shot, const uint8_t *texels, uint32_t pitch,
                   uint32_t x, uint32_t y, uint8_t rgba[RGBA])
{
    struct aerogpu_format_info format = {.block = 1};
    uint8_t block[BLOCK_TEXELS_MAX * RGBA], grey[2];
    const uint8_t *at;

    aerogpu_format_find(shot->format, &format);
    at = texels + (size_t)pitch * (y / format.block) + (size_t)format.bytes * (x / format.block);
    if (format.depth) {
        aerogpu_depth_row(shot->format, at, 1, grey);
        set_grey(grey[0], rgba);
    } else if (aerogpu_texels_decode(shot->format, format.block, format.block, at, pitch, block)) {
        memcpy(rgba, block + RGBA * (size_t)(y % format.block * format.block + x % format.block),
               RGBA);
    }
}

static bool read_colour(const struct aerogpu_dump *dump, const struct aerogpu_shot *shot,
                        uint32_t x, uint32_t y, uint8_t rgba[RGBA])
{
    const uint8_t *texels = NULL;
    uint32_t pitch = 0;

    if (!aerogpu_replay_find_shot(dump, shot, &texels, &pitch))
        return false;
    decode(shot, texels, pitch, x, y, rgba);
    return true;
}

/* Reads the depth target at a texel. Returns false if there is none. */
static bool read_depth(const struct aerogpu_cpu_replay *cpu, uint32_t x, uint32_t y, float *out)
{
    const struct aerogpu_machine *machine = aerogpu_cpu_replay_machine(cpu);
    struct aerogpu_format_info format;
    struct aerogpu_target target;
    uint32_t pitch = 0, bits;
    const uint8_t *texels;

    if (!aerogpu_machine_target_of(machine, machine->pipeline.depth_stencil, &target) ||
        !aerogpu_format_find(target.format, &format) || !format.depth || x >= target.width ||
        y >= target.height)
        return false;
    texels = aerogpu_cpu_replay_target(cpu, &target, &pitch);
    bits = bytes_le32(texels + (size_t)pitch * y + (size_t)4 * x);
    if (target.format == AEROGPU_D24S8)
        *out = (float)((double)(bits & 0xFFFFFF) / 0xFFFFFF);
    else
        memcpy(out, &bits, sizeof(*out));
    return true;
}

static void mark(void *context, uint32_t x, uint32_t y, const float colour[4])
{
    (void)x, (void)y, (void)colour;
    *(bool *)context = true;
}

/* Gets the outcome of a draw without shaders, which is the replay's last command. */
static int find_soft_outcome(const struct aerogpu_cpu_replay *cpu, uint32_t x, uint32_t y,
                             const struct cancel *cancel, enum aerogpu_outcome *out)
{
    const struct aerogpu_player *player = aerogpu_cpu_replay_player(cpu);
    const struct aerogpu_texels only = {x, y, x + 1, y + 1};
    bool covered = false;
    struct aerogpu_target target;
    struct aerogpu_soft_draw draw = {.machine = &player->machine,
                                     .command = &player->command,
                                     .target = &target,
                                     .only = &only,
                                     .cancel = cancel,
                                     .paint = mark,
                                     .context = &covered};
    int status;

    *out = AEROGPU_OUTCOME_NONE;
    if (!aerogpu_machine_painted(&player->machine, &target))
        return 0;
    status = aerogpu_soft_draw(&draw);
    *out = AEROGPU_OUTCOME_WRITTEN;
    if (status != 0 || covered)
        return status;
    draw.unscissored = true;
    status = aerogpu_soft_draw(&draw);
    *out = covered ? AEROGPU_OUTCOME_SCISSOR : AEROGPU_OUTCOME_NONE;
    return status;
}

/* Probes before the command and after it, and gets the outcome. */
static int probe_cpu(struct aerogpu_dump *dump, const struct aerogpu_write_history *history,
                     const struct aerogpu_shot *shot, const struct aerogpu_event *event, uint32_t x,
                     uint32_t y, struct aerogpu_probe *out)
{
    struct aerogpu_cpu_replay *cpu = NULL;
    int status = aerogpu_replay_take_cpu(dump, event->tick - 1, history->cancel, &cpu);

    if (status != 0)
        return status;
    if (!event->drawn[0])
        out->had_colour = read_colour(dump, shot, x, y, out->before);
    if (!event->depth_drawn[0])
        out->had_depth = read_depth(cpu, x, y, &out->depth_before);
    status = aerogpu_cpu_replay_seek(cpu, event->tick, history->cancel);
    if (status == 0 && !event->drawn[1])
        out->has_colour = read_colour(dump, shot, x, y, out->after);
    if (status == 0 && !event->depth_drawn[1])
        out->has_depth = read_depth(cpu, x, y, &out->depth_after);
    if (status == 0 && event->reach.unshaded && !event->drawn[1])
        status = find_soft_outcome(cpu, x, y, history->cancel, &out->outcome);
    aerogpu_replay_leave_cpu(dump);
    return status;
}

/* Probes by the worker. */

static void request_for(const struct aerogpu_write_history *history, uint32_t x, uint32_t y,
                        struct aerogpu_probe_request *out)
{
    const struct aerogpu_part *part = &history->part;

    *out = (struct aerogpu_probe_request){.mip = part->mip, .layer = part->layer, .x = x, .y = y};
    if (part->life != AEROGPU_NONE)
        out->handle = aerogpu_dump_scanned(history->dump)->lives[part->life].object.handle;
}

/* Converts a texel that the worker has stored to the picture's format. */
static void take_texel(const struct aerogpu_shot *shot, const uint8_t stored[RGBA],
                       uint8_t rgba[RGBA])
{
    struct aerogpu_format_info format = {0};
    float depth;

    aerogpu_format_find(shot->format, &format);
    memcpy(rgba, stored, RGBA);
    memcpy(&depth, stored, sizeof(depth));
    if (format.depth)
        set_grey((uint8_t)(aerogpu_depth_grey(shot->format, depth) >> 8), rgba);
    else if (format.opaque)
        rgba[RGBA - 1] = 255;
}

/* Fills in what only the worker knows. */
static int probe_gpu(struct aerogpu_dump *dump, const struct aerogpu_write_history *history,
                     const struct aerogpu_shot *shot, const struct aerogpu_event *event, uint32_t x,
                     uint32_t y, struct aerogpu_probe *out)
{
    struct aerogpu_gpu_replay *gpu = NULL;
    struct aerogpu_probe_request request;
    struct aerogpu_probe found;
    int status = aerogpu_replay_take_gpu(dump, history->cancel, &gpu);

    if (status != 0)
        return status;
    request_for(history, x, y, &request);
    status = aerogpu_gpu_replay_probe(gpu, event->tick - 1, &request, history->cancel, &found);
    aerogpu_replay_leave_gpu(dump);
    if (status != 0)
        return status;
    if (event->drawn[0] && found.had_colour)
        take_texel(shot, found.before, out->before);
    if (event->drawn[1] && found.has_colour)
        take_texel(shot, found.after, out->after);
    out->had_colour = event->drawn[0] ? found.had_colour : out->had_colour;
    out->has_colour = event->drawn[1] ? found.has_colour : out->has_colour;
    if (event->depth_drawn[0]) {
        out->had_depth = found.had_depth;
        out->depth_before = found.depth_before;
    }
    if (event->depth_drawn[1]) {
        out->has_depth = found.has_depth;
        out->depth_after = found.depth_after;
    }
    if (event->reach.kind == AEROGPU_REACH_DRAW && event->drawn[1])
        out->outcome = found.drawn ? found.outcome : AEROGPU_OUTCOME_NONE;
    return 0;
}

static bool needs_worker(const struct aerogpu_event *event)
{
    return event->drawn[0] || event->drawn[1] || event->depth_drawn[0] || event->depth_drawn[1];
}

static bool needs_cpu(const struct aerogpu_event *event)
{
    return !event->drawn[0] || !event->drawn[1] ||
           (event->has_depth && (!event->depth_drawn[0] || !event->depth_drawn[1]));
}

int aerogpu_replay_probe(struct aerogpu_dump *dump, const struct aerogpu_write_history *history,
                         const struct aerogpu_shot *shot, const struct aerogpu_event *event,
                         uint32_t x, uint32_t y, struct aerogpu_probe *out)
{
    int status = 0;

    *out = (struct aerogpu_probe){.drawn = event->reach.kind == AEROGPU_REACH_DRAW,
                                  .outcome = AEROGPU_OUTCOME_NONE};
    if (!aerogpu_reach_has(&event->reach, &history->part, x, y))
        return 0;
    if (!out->drawn)
        out->outcome = AEROGPU_OUTCOME_WRITTEN;
    if (needs_cpu(event))
        status = probe_cpu(dump, history, shot, event, x, y, out);
    if (status == 0 && needs_worker(event))
        status = probe_gpu(dump, history, shot, event, x, y, out);
    return status;
}

/* Masks. */

struct mask {
    uint8_t *texels;
    uint32_t width;
};

static void mark_texel(void *context, uint32_t x, uint32_t y, const float colour[4])
{
    const struct mask *mask = context;

    (void)colour;
    mask->texels[(size_t)y * mask->width + x] = 1;
}

static int mask_cpu(struct aerogpu_dump *dump, const struct aerogpu_write_history *history,
                    const struct aerogpu_event *event, uint8_t *texels)
{
    const struct aerogpu_texels only = {0, 0, history->part.width, history->part.height};
    struct mask mask = {texels, history->part.width};
    struct aerogpu_cpu_replay *cpu = NULL;
    struct aerogpu_target target;
    struct aerogpu_soft_draw draw = {.target = &target,
                                     .only = &only,
                                     .cancel = history->cancel,
                                     .paint = mark_texel,
                                     .context = &mask};
    int status = aerogpu_replay_take_cpu(dump, event->tick, history->cancel, &cpu);

    if (status != 0)
        return status;
    draw.machine = aerogpu_cpu_replay_machine(cpu);
    draw.command = &aerogpu_cpu_replay_player(cpu)->command;
    if (aerogpu_machine_painted(draw.machine, &target))
        status = aerogpu_soft_draw(&draw);
    aerogpu_replay_leave_cpu(dump);
    return status;
}

static int mask_gpu(struct aerogpu_dump *dump, const struct aerogpu_write_history *history,
                    const struct aerogpu_event *event, uint8_t *texels)
{
    size_t size = (size_t)history->part.width * history->part.height;
    struct aerogpu_gpu_replay *gpu = NULL;
    struct aerogpu_probe_request request;
    struct blob *found = NULL;
    int status = aerogpu_replay_take_gpu(dump, history->cancel, &gpu);

    if (status != 0)
        return status;
    request_for(history, 0, 0, &request);
    status = aerogpu_gpu_replay_mask(gpu, event->tick - 1, &request, history->cancel, &found);
    aerogpu_replay_leave_gpu(dump);
    if (status == 0 && found->size != size)
        status = -EIO;
    for (size_t i = 0; status == 0 && i < size; i++)
        texels[i] |= found->data[i] != 0;
    blob_unref(&found);
    return status;
}

int aerogpu_replay_mask(struct aerogpu_dump *dump, const struct aerogpu_write_history *history,
                        const struct aerogpu_event *event, uint8_t *mask)
{
    const struct aerogpu_part *part = &history->part;

    if (event->reach.kind == AEROGPU_REACH_DRAW)
        return event->drawn[1] ? mask_gpu(dump, history, event, mask)
                               : mask_cpu(dump, history, event, mask);
    for (uint32_t y = 0; y < part->height; y++) {
        if (cancel_requested(history->cancel))
            return -EINTR;
        for (uint32_t x = 0; x < part->width; x++)
            if (aerogpu_reach_has(&event->reach, part, x, y))
                mask[(size_t)y * part->width + x] = 1;
    }
    return 0;
}
