/* SPDX-License-Identifier: MIT */
#include "formats/psx/replay/gpu_instance.h"

#include "base/bytes.h"
#include "formats/psx/gpu/scanout.h"
#include "formats/psx/gpu/texel_cache.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * Packets of at most this many words are carried out without interruption, so that the instance
 * survives a cancel, unless they draw more than takes some milliseconds.
 */
enum { SMALL_PACKET = 1024, SMALL_PIXELS = 1 << 22 };

void psx_gpu_instance_destroy(struct psx_gpu_instance **instance)
{
    if (*instance == NULL)
        return;
    psx_gpu_destroy(&(*instance)->gpu);
    free(*instance);
    *instance = NULL;
}

void psx_gpu_instance_rewind(struct psx_gpu_instance *instance, const struct psx_index *index)
{
    struct psx_gpu *gpu = instance->gpu;

    psx_state_reset(&gpu->state, index->model);
    gpu->state.restoring = index->begin_packet != PSX_NO_PACKET;
    gpu->never_skip = index->field_option == PSX_FIELD_BOTH;
    memset(gpu->vram, 0, sizeof(*gpu->vram) * PSX_VRAM_WIDTH * gpu->lines);
    if (gpu->texel_cache != NULL)
        psx_texel_cache_forget(gpu->texel_cache);
    instance->packet = 0;
    instance->offset = psx_magic_length(index->magic);
    instance->frame = 0;
    instance->part = PSX_GPU_INSTANCE_WHOLE;
    instance->is_hollow = false;
}

int psx_gpu_instance_create(const struct psx_index *index, struct psx_gpu_instance **out)
{
    struct psx_gpu_instance *instance = calloc(1, sizeof(*instance));

    if (instance == NULL || psx_gpu_create(index->model, &instance->gpu) != 0) {
        free(instance);
        return -ENOMEM;
    }
    if (!index->texel_cache)
        psx_gpu_leave_out_texel_cache(instance->gpu);
    instance->stale_runs = &index->stale_runs;
    psx_gpu_instance_rewind(instance, index);
    *out = instance;
    return 0;
}

uint64_t psx_gpu_instance_bytes(const struct psx_gpu_instance *instance)
{
    return sizeof(*instance) + psx_gpu_bytes(instance->gpu);
}

static int step_words(struct psx_gpu_instance *instance, const struct psx_packet *packet,
                      const struct cancel *cancel)
{
    if (packet->type == PSX_PACKET_GP0)
        return psx_gpu_gp0_patiently(instance->gpu, packet->payload, packet->words,
                                     packet->words > SMALL_PACKET ? 0 : SMALL_PIXELS, cancel);
    for (uint32_t i = 0; i < packet->words; i++)
        psx_gpu_gp1(instance->gpu, bytes_le32(packet->payload + 4 * (uint64_t)i));
    return 0;
}

int psx_gpu_instance_step(struct psx_gpu_instance *instance, const struct psx_index *index,
                          const struct cancel *cancel)
{
    struct psx_packet packet;
    int status = 0;

    if (!psx_packet_read(index->data, index->size, instance->offset, &packet))
        return -ENOENT;
    if (instance->frame < index->frame_count &&
        instance->packet == index->frames[instance->frame].packet)
        instance->gpu->state.registers.field = index->frames[instance->frame++].field;
    switch (packet.type) {
    case PSX_PACKET_GP0:
    case PSX_PACKET_GP1:
        status = step_words(instance, &packet, cancel);
        break;
    case PSX_PACKET_DISCARD:
    case PSX_PACKET_READBACK:
        if (packet.words > 0)
            psx_gpu_read(instance->gpu, bytes_le32(packet.payload), NULL);
        break;
    case PSX_PACKET_BEGIN:
        if (instance->packet == index->begin_packet)
            instance->gpu->state.restoring = false;
        break;
    default:
        break;
    }
    instance->packet++;
    instance->offset = psx_packet_end(&packet);
    return status;
}

int psx_gpu_instance_run(struct psx_gpu_instance *instance, const struct psx_index *index,
                         uint64_t packet, const struct cancel *cancel, bool *lost)
{
    *lost = false;
    while (instance->packet < packet) {
        int status = psx_gpu_instance_step(instance, index, cancel);

        *lost = status != 0;
        if (status == -ENOENT)
            return -EIO;
        if (status != 0 || cancel_requested(cancel))
            return -EINTR;
    }
    return 0;
}

/* The first frame that starts at the checkpoint or later. */
static uint64_t next_frame(const struct psx_index *index, const struct psx_parser_state *checkpoint)
{
    if (checkpoint->frame == PSX_INITIAL)
        return 0;
    return checkpoint->packet > index->frames[checkpoint->frame].packet ? checkpoint->frame + 1
                                                                        : checkpoint->frame;
}

int psx_gpu_instance_run_slice(struct psx_gpu_instance *instance, const struct psx_index *index,
                               const struct psx_slice *slice, const struct psx_tiles *tiles,
                               const struct cancel *cancel)
{
    int status;

    instance->part = PSX_GPU_INSTANCE_TILES;
    instance->tiles = (struct psx_tiles){0};
    /* The instance may come from another dump. */
    instance->gpu->never_skip = index->field_option == PSX_FIELD_BOTH;
    status = psx_slice_run(slice, index, instance->gpu, NULL, cancel);
    if (status != 0)
        return status;
    instance->tiles = *tiles;
    instance->hollow_run = slice->end.state.texel_run;
    instance->is_hollow = !slice->texels;
    instance->packet = slice->end.packet;
    instance->offset = slice->end.offset;
    instance->frame = next_frame(index, &slice->end);
    return 0;
}

/* Requests. */

static void request_since(const struct psx_index *index, uint64_t since, uint64_t frame,
                          struct psx_vram_request *out)
{
    *out = (struct psx_vram_request){.packet = index->frames[since + 1].packet,
                                     .upto = index->frames[frame + 1].packet,
                                     .area = {0, 0, PSX_VRAM_WIDTH, (int)index->vram_lines}};
}

void psx_vram_request_frame(const struct psx_index *index, uint64_t frame, bool counted,
                            struct psx_vram_request *out)
{
    request_since(index, counted ? frame - index->counts[frame].same_vram : frame, frame, out);
}

void psx_vram_request_picture(const struct psx_index *index, uint64_t frame, bool counted,
                              struct psx_vram_request *out)
{
    struct psx_screen screen;

    psx_vram_request_frame(index, frame, counted, out);
    psx_display_screen(&index->frames[frame].display, &screen);
    psx_scanout_box(&screen, &out->area);
    if (screen.lines != index->vram_lines)
        psx_box_place(&out->area,
                      (struct psx_vram_lines){(uint16_t)screen.lines, (uint16_t)index->vram_lines},
                      true);
    out->shown = true;
}

bool psx_vram_request_is_all(const struct psx_vram_request *request, uint32_t lines)
{
    return request->area.width >= PSX_VRAM_WIDTH && request->area.height >= (int)lines;
}

void psx_vram_request_tiles(const struct psx_vram_request *request, uint32_t lines,
                            struct psx_tiles *out)
{
    const struct psx_vram_lines all = {(uint16_t)lines, (uint16_t)lines};
    struct psx_tile_box box = psx_tile_box_around(&request->area, all);

    *out = request->tiles != NULL ? *request->tiles : (struct psx_tiles){0};
    if (psx_vram_request_is_all(request, lines)) {
        psx_tiles_fill(out);
        return;
    }
    psx_tiles_add_box(out, &box);
    if (request->read)
        out->latches = PSX_LATCH_READ;
}

/* Idle instances. */

static struct psx_gpu_instance *instance_of(const struct instance_pool_item *item)
{
    return (struct psx_gpu_instance *)(uintptr_t)item; /* the instance's first member */
}

static void destroy(struct instance_pool_item *item)
{
    struct psx_gpu_instance *instance = instance_of(item);

    psx_gpu_instance_destroy(&instance);
}

void psx_gpu_instance_pool_init(struct psx_gpu_instance_pool *instances, unsigned max,
                                struct cache *const *cache)
{
    const struct instance_pool_params params = {
        .max_count = max, .max_bytes = UINT64_MAX, .destroy = destroy, .cache = cache};

    instances->ahead = NULL;
    instance_pool_init(&instances->idle, &params);
}

void psx_gpu_instance_pool_clear(struct psx_gpu_instance_pool *instances)
{
    instance_pool_clear(&instances->idle);
}

/* What is needed of an instance. */
struct search {
    enum psx_gpu_instance_use use;
    const struct psx_vram_request *request;
    const struct psx_tiles *tiles;
    const struct psx_ahead *ahead; /* may be NULL */
};

/*
 * Returns whether later draws find in the texel cache what a replay of everything would have there.
 * The index or the sketch has its list of stale runs complete as far as the request.
 */
static bool can_go_on(const struct psx_gpu_instance *instance, const struct psx_ahead *ahead)
{
    const uint32_t run = instance->hollow_run;

    if (!instance->is_hollow || instance->gpu->state.texel_run != run)
        return true;
    return !psx_stale_runs_have(instance->stale_runs, run) &&
           !(ahead != NULL && psx_ahead_has_stale_run(ahead, run));
}

static uint64_t rate_there(const struct psx_gpu_instance *instance, const struct search *search)
{
    const struct psx_vram_request *request = search->request;
    const struct psx_tiles *tiles = search->tiles;

    if (instance->packet < request->packet || instance->packet > request->upto)
        return 0;
    if ((tiles->latches & PSX_LATCH_TEXELS) && !can_go_on(instance, search->ahead))
        return 0;
    if (instance->part == PSX_GPU_INSTANCE_TILES)
        return psx_tiles_hold(&instance->tiles, tiles);
    return instance->part == PSX_GPU_INSTANCE_WHOLE || (request->shown && !request->read);
}

static uint64_t rate_before(const struct psx_gpu_instance *instance, const struct search *search)
{
    const struct psx_vram_request *request = search->request;

    if (instance->packet >= request->packet || instance->part == PSX_GPU_INSTANCE_TILES ||
        !can_go_on(instance, search->ahead))
        return 0;
    return instance->part == PSX_GPU_INSTANCE_WHOLE || (request->shown && !request->read)
               ? instance->packet + 1
               : 0;
}

static uint64_t rate(const void *context, const struct instance_pool_item *item)
{
    const struct search *search = context;
    const struct psx_gpu_instance *instance = instance_of(item);

    switch (search->use) {
    case PSX_INSTANCE_THERE:
        return rate_there(instance, search);
    case PSX_INSTANCE_BEFORE:
        return rate_before(instance, search);
    default:
        return item->spare;
    }
}

struct psx_gpu_instance *psx_gpu_instance_pool_take(struct psx_gpu_instance_pool *instances,
                                                    enum psx_gpu_instance_use use,
                                                    const struct psx_vram_request *request,
                                                    const struct psx_tiles *tiles)
{
    const struct search search = {use, request, tiles, instances->ahead};
    struct instance_pool_item *taken = instance_pool_take(&instances->idle, rate, &search);

    return taken != NULL ? instance_of(taken) : NULL;
}

/*
 * An instance that a slice was carried out on cannot go on: it serves at its position, and for its
 * memory.
 */
void psx_gpu_instance_pool_give(struct psx_gpu_instance_pool *instances,
                                struct psx_gpu_instance **instance)
{
    struct psx_gpu_instance *given = *instance;

    *instance = NULL;
    given->idle.bytes = psx_gpu_instance_bytes(given);
    given->idle.spare = given->part == PSX_GPU_INSTANCE_TILES;
    instance_pool_give(&instances->idle, &given->idle);
}
