/* SPDX-License-Identifier: MIT */
#include "formats/psx/gpu/texel_trace.h"

#include "formats/psx/gpu/raster.h"
#include "formats/psx/gpu/raster_texel.h"

#include <string.h>

/*
 * Used to find which lines the primitives of the notes have left in the cache. The notes are passed
 * from the last one back: the last primitive that samples a line of a place has left its line
 * there, so a place is FILLED by the first note that is found to do so. NEW marks the places that
 * the current note fills: within a primitive the last texel decides.
 */
struct tracer {
    struct psx_observer observer;
    struct psx_gpu gpu;
    uint32_t *tags;
    enum { FREE, NEW, FILLED } state[PSX_TEXEL_LINES];
};

INLINE void trace_rows(struct tracer *tracer, const struct psx_raster_job *job,
                       enum psx_depth depth)
{
    const struct psx_raster_texture texture = texture_of(job, depth);
    const struct psx_raster_walk walk = pack_texels(&job->u, &job->v);

    for (int y = job->y0; y < job->y1; y++) {
        uint64_t uv = walk_at(&walk, job->left[y], y);

        for (int x = job->left[y]; x < job->right[y]; x++, uv += walk.dx) {
            uint32_t line =
                (uint32_t)(texel_place(&texture, depth, uv) - job->vram) / PSX_TEXEL_LINE;
            unsigned place = psx_texel_cache_place(line, depth);

            if (tracer->state[place] == FILLED)
                continue;
            tracer->state[place] = NEW;
            tracer->tags[place] = line + 1;
        }
    }
}

static bool trace_job(struct psx_observer *observer, const struct psx_gpu *gpu,
                      psx_raster_shader *shade, const struct psx_raster_job *job)
{
    struct tracer *tracer = (struct tracer *)observer;

    (void)gpu, (void)shade;
    switch (observer->draw->depth) {
    case PSX_DEPTH_4:
        trace_rows(tracer, job, PSX_DEPTH_4);
        break;
    case PSX_DEPTH_8:
        trace_rows(tracer, job, PSX_DEPTH_8);
        break;
    default:
        trace_rows(tracer, job, PSX_DEPTH_15);
        break;
    }
    return false;
}

/* Returns whether the primitive may fill a place that is not filled yet. */
static bool may_fill(const struct tracer *tracer, const struct psx_texel_note *note)
{
    struct psx_box box;

    psx_texel_reach_box(&note->draw, note->registers.e[2], &box);
    for (int y = box.y; y < box.y + box.height && y < box.y + 64; y++)
        for (int x = box.x; x < box.x + box.width && x < box.x + 8 * PSX_TEXEL_LINE;
             x += PSX_TEXEL_LINE) {
            uint32_t line = (uint32_t)(y * PSX_VRAM_WIDTH + x % PSX_VRAM_WIDTH) / PSX_TEXEL_LINE;

            if (tracer->state[psx_texel_cache_place(line, note->draw.depth)] != FILLED)
                return true;
        }
    return false;
}

static void trace_note(struct tracer *tracer, const struct psx_texel_note *note)
{
    if (!may_fill(tracer, note))
        return;
    tracer->gpu.state.registers = note->registers;
    psx_raster_draw(&tracer->gpu, &note->draw);
    for (unsigned i = 0; i < PSX_TEXEL_LINES; i++)
        if (tracer->state[i] == NEW)
            tracer->state[i] = FILLED;
}

/* Brings the tags up to date with the last note, and removes all notes. */
static void find_tags(const struct psx_gpu *gpu)
{
    struct psx_texel_cache *cache = gpu->texel_cache;
    struct tracer tracer = {.observer.job = trace_job, .tags = cache->tags};

    tracer.gpu.vram = gpu->vram;
    tracer.gpu.lines = gpu->lines;
    tracer.gpu.never_skip = gpu->never_skip;
    tracer.gpu.in_order = true;
    tracer.gpu.ops = &psx_raster_ops_c;
    tracer.gpu.observer = &tracer.observer;
    cache->is_tagged = true;
    while (cache->count > 0)
        trace_note(&tracer, &cache->notes[--cache->count]);
}

/* Reads the lines of all tags, each of which VRAM still has unchanged. */
static void read_lines(const struct psx_gpu *gpu)
{
    struct psx_texel_cache *cache = gpu->texel_cache;

    for (unsigned i = 0; i < PSX_TEXEL_LINES; i++)
        if (cache->tags[i] != 0)
            memcpy(cache->lines[i], gpu->vram + (size_t)PSX_TEXEL_LINE * (cache->tags[i] - 1),
                   sizeof(cache->lines[i]));
}

void psx_texel_trace_settle(const struct psx_gpu *gpu)
{
    struct psx_texel_cache *cache = gpu->texel_cache;

    if (cache == NULL || cache->reach.stale)
        return;
    find_tags(gpu);
    read_lines(gpu);
    cache->reach.stale = true;
}

void psx_texel_trace_save(const struct psx_gpu *gpu, struct psx_texel_lines *out)
{
    struct psx_texel_cache *cache = gpu->texel_cache;

    if (!cache->reach.stale) {
        find_tags(gpu);
        read_lines(gpu);
    }
    out->run = cache->reach.run;
    memcpy(out->tags, cache->tags, sizeof(out->tags));
    memcpy(out->lines, cache->lines, sizeof(out->lines));
}

static void note(const struct psx_gpu *gpu, const struct psx_draw *draw)
{
    struct psx_texel_cache *cache = gpu->texel_cache;
    struct psx_texel_note *added;

    if (cache->count == PSX_TEXEL_NOTES)
        find_tags(gpu);
    added = &cache->notes[cache->count++];
    added->registers = gpu->state.registers;
    added->draw = *draw;
}

void psx_texel_trace_draw(const struct psx_gpu *gpu, const struct psx_draw *draw)
{
    struct psx_texel_cache *cache = gpu->texel_cache;
    bool stale;

    if (cache == NULL)
        return;
    stale = cache->reach.stale;
    if (cache->reach.run != gpu->state.texel_run) {
        psx_texel_cache_empty(cache);
        stale = false;
    }
    psx_texel_reach_draw(&cache->reach, gpu->state.texel_run, &gpu->state.registers, draw);
    if (cache->every || (cache->reach.stale && !stale)) {
        cache->reach.stale = stale;
        psx_texel_trace_settle(gpu);
    }
    if (draw->textured && !cache->reach.stale)
        note(gpu, draw);
}
