/* SPDX-License-Identifier: MIT */
#include "formats/psx/gpu/gpu.h"

#include "base/bytes.h"
#include "formats/psx/gpu/draw.h"
#include "formats/psx/gpu/raster.h"
#include "formats/psx/gpu/texel_trace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    READ_PIXELS = PSX_VRAM_WIDTH * PSX_VRAM_HEIGHT, /* pixels of the largest read */
    VRAM_SLACK = 64, /* bytes after VRAM that a wide load may touch */
};

static size_t vram_bytes(const struct psx_gpu *gpu)
{
    return sizeof(*gpu->vram) * PSX_VRAM_WIDTH * gpu->lines;
}

int psx_gpu_create(enum psx_gpu_model model, struct psx_gpu **out)
{
    struct psx_gpu *gpu = calloc(1, sizeof(*gpu));

    *out = NULL;
    if (gpu == NULL)
        return -ENOMEM;
    gpu->lines = psx_model_lines(model);
    gpu->vram = calloc(1, vram_bytes(gpu) + VRAM_SLACK);
    gpu->read_data = calloc(READ_PIXELS, sizeof(*gpu->read_data));
    if (gpu->vram == NULL || gpu->read_data == NULL ||
        psx_texel_cache_create(&gpu->texel_cache) != 0) {
        psx_gpu_destroy(&gpu);
        return -ENOMEM;
    }
    gpu->ops = psx_raster_ops_get(0);
    psx_state_reset(&gpu->state, model);
    *out = gpu;
    return 0;
}

void psx_gpu_destroy(struct psx_gpu **gpu)
{
    if (*gpu == NULL)
        return;
    free((*gpu)->vram);
    free((*gpu)->read_data);
    free((*gpu)->texel_cache);
    free(*gpu);
    *gpu = NULL;
}

void psx_gpu_leave_out_texel_cache(struct psx_gpu *gpu)
{
    free(gpu->texel_cache);
    gpu->texel_cache = NULL;
}

uint64_t psx_gpu_bytes(const struct psx_gpu *gpu)
{
    return sizeof(*gpu) + (gpu->texel_cache != NULL ? sizeof(*gpu->texel_cache) : 0) +
           vram_bytes(gpu) + VRAM_SLACK + READ_PIXELS * sizeof(*gpu->read_data);
}

int psx_gpu_copy(struct psx_gpu *to, const struct psx_gpu *from)
{
    if (to->lines != from->lines)
        return -EINVAL;
    to->state = from->state;
    to->pixels = from->pixels;
    to->moved = from->moved;
    to->never_skip = from->never_skip;
    if (to->texel_cache != NULL && from->texel_cache != NULL)
        psx_texel_cache_copy(to->texel_cache, from->texel_cache);
    memcpy(to->clut, from->clut, sizeof(to->clut));
    memcpy(to->vram, from->vram, vram_bytes(from));
    memcpy(to->read_data, from->read_data, 4 * (size_t)from->state.read.total);
    return 0;
}

/* Draws a primitive, after latching its palette if the command requires that. */
static void draw_primitive(struct psx_gpu *gpu, const struct psx_gp0_event *event)
{
    struct psx_clut_key before = gpu->state.clut;
    struct psx_draw draw;

    psx_draw_decode(event, &gpu->state.registers, &draw);
    psx_state_gp0(&gpu->state, event);
    if (before.id != gpu->state.clut.id || before.entries != gpu->state.clut.entries)
        psx_clut_latch(gpu);
    psx_texel_trace_draw(gpu, &draw);
    psx_raster_draw(gpu, &draw);
}

/* Draws a polyline's next segment, as a line from the vertex that waits. */
static void draw_segment(struct psx_gpu *gpu, const struct psx_gp0_event *event)
{
    struct psx_gp0_event line;
    struct psx_draw draw;

    psx_state_segment(&gpu->state, event, &line);
    psx_draw_decode(&line, &gpu->state.registers, &draw);
    psx_state_gp0(&gpu->state, event);
    psx_texel_trace_draw(gpu, &draw);
    psx_raster_draw(gpu, &draw);
}

static void run_command(struct psx_gpu *gpu, const struct psx_gp0_event *event)
{
    enum psx_gp0_kind kind = psx_gp0_table[event->op].kind;
    struct psx_draw draw;

    switch (kind) {
    case GP0_POLYGON:
    case GP0_LINE:
    case GP0_POLYLINE:
    case GP0_RECTANGLE:
        draw_primitive(gpu, event);
        break;
    case GP0_FILL:
    case GP0_COPY:
        psx_draw_decode(event, &gpu->state.registers, &draw);
        if (kind == GP0_FILL) {
            psx_texel_trace_draw(gpu, &draw);
            psx_transfer_fill(gpu, &draw);
            break;
        }
        psx_state_gp0(&gpu->state, event);
        psx_transfer_copy(gpu, &draw);
        gpu->moved += (uint64_t)draw.width * draw.height;
        break;
    default:
        psx_state_gp0(&gpu->state, event);
        if (kind == GP0_READ)
            psx_transfer_latch_read(gpu);
        break;
    }
}

void psx_gpu_run(struct psx_gpu *gpu, const struct psx_gp0_event *event)
{
    switch (event->type) {
    case GP0_EVENT_COMMAND:
        run_command(gpu, event);
        break;
    case GP0_EVENT_SEGMENT:
        draw_segment(gpu, event);
        break;
    case GP0_EVENT_DATA:
        psx_transfer_upload(gpu, event->data, event->data_words);
        gpu->moved += 2 * (uint64_t)event->data_words;
        psx_state_gp0(&gpu->state, event);
        break;
    default:
        psx_state_gp0(&gpu->state, event);
        break;
    }
}

int psx_gpu_gp0_patiently(struct psx_gpu *gpu, const uint8_t *words, size_t count, uint64_t pixels,
                          const struct cancel *cancel)
{
    uint64_t before = gpu->pixels + gpu->moved;
    struct psx_gp0_event event;

    while (count > 0) {
        size_t used = psx_gp0_parse(&gpu->state.parser, words, count, &event);

        psx_gpu_run(gpu, &event);
        words += 4 * used;
        count -= used;
        if (gpu->pixels + gpu->moved - before >= pixels && cancel_requested(cancel))
            return -EINTR;
    }
    return 0;
}

int psx_gpu_gp0(struct psx_gpu *gpu, const uint8_t *words, size_t count,
                const struct cancel *cancel)
{
    return psx_gpu_gp0_patiently(gpu, words, count, 0, cancel);
}

void psx_gpu_gp1(struct psx_gpu *gpu, uint32_t word)
{
    psx_state_gp1(&gpu->state, word);
}

uint32_t psx_gpu_read(struct psx_gpu *gpu, uint32_t words, uint8_t *out)
{
    const uint16_t *from = gpu->read_data + 2 * (size_t)gpu->state.read.done;
    uint32_t taken = psx_state_read(&gpu->state, words);

    for (uint32_t i = 0; out != NULL && i < 2 * taken; i++) {
        out[2 * i] = (uint8_t)from[i];
        out[2 * i + 1] = (uint8_t)(from[i] >> 8);
    }
    return taken;
}

uint32_t psx_gpu_status(const struct psx_gpu *gpu)
{
    return psx_registers_status(&gpu->state.registers, psx_state_read_left(&gpu->state) > 0);
}
