/* SPDX-License-Identifier: MIT */
/*
 * The replay core: the input is packets without a magic. VRAM and state must be the same however
 * the words of port 0 are divided into calls, and the state must be equal to that of the parser
 * that the index uses, which draws nothing. The length of the input chooses the GPU model.
 */
#include "base/bytes.h"
#include "formats/psx/container.h"
#include "formats/psx/gpu/gpu.h"
#include "formats/psx/gpu/scanout.h"
#include "formats/psx/gpu/texel_cache.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    BYTES_MAX = 1 << 13,  /* some thousand of the largest fills take seconds */
    PIXELS_MAX = 1 << 17, /* no further packet is executed after this number */
    MODELS = PSX_GPU_SECOND_2MIB + 1,
};

/* Created once: clearing GPUs is cheaper than creating them, which took most of the time. */
static struct {
    struct psx_gpu *whole, *cut;
    bool is_drawn; /* VRAM may contain something other than zeros */
} gpus[MODELS], *in_use;

static struct psx_gpu *whole, *cut; /* of the model in use */

static struct psx_gpu *create(enum psx_gpu_model model)
{
    struct psx_gpu *gpu;

    if (psx_gpu_create(model, &gpu) < 0)
        abort();
    return gpu;
}

/* Resets a GPU to its state after creation. */
static void reset(struct psx_gpu *gpu, enum psx_gpu_model model)
{
    psx_state_reset(&gpu->state, model);
    psx_texel_cache_forget(gpu->texel_cache);
    memset(gpu->clut, 0, sizeof(gpu->clut));
    gpu->pixels = gpu->moved = 0;
    if (in_use->is_drawn)
        memset(gpu->vram, 0, sizeof(*gpu->vram) * PSX_VRAM_WIDTH * gpu->lines);
}

static void begin(enum psx_gpu_model model)
{
    in_use = &gpus[model];
    if (in_use->whole == NULL) {
        in_use->whole = create(model);
        in_use->cut = create(model);
    }
    whole = in_use->whole;
    cut = in_use->cut;
    reset(whole, model);
    reset(cut, model);
    in_use->is_drawn = false;
}

static bool is_drawing(const struct psx_gp0_event *event)
{
    enum psx_gp0_kind kind = psx_gp0_table[event->op].kind;

    return event->type != GP0_EVENT_COMMAND || (kind >= GP0_FILL && kind <= GP0_COPY);
}

static void follow(struct psx_state *state, const uint8_t *words, size_t count)
{
    struct psx_gp0_event event;

    while (count > 0) {
        size_t used = psx_gp0_parse(&state->parser, words, count, &event);

        if (used == 0 || used > count)
            abort();
        psx_state_gp0(state, &event);
        in_use->is_drawn |= is_drawing(&event);
        words += 4 * used;
        count -= used;
    }
}

static void execute(struct psx_state *state, const struct psx_packet *packet)
{
    uint32_t first = packet->words > 0 ? bytes_le32(packet->payload) : 0;

    switch (packet->type & 7) {
    case PSX_PACKET_GP1:
        psx_gpu_gp1(whole, first);
        psx_gpu_gp1(cut, first);
        psx_state_gp1(state, first);
        break;
    case PSX_PACKET_VSYNC:
        whole->state.registers.field ^= 1;
        cut->state.registers.field ^= 1;
        state->registers.field ^= 1;
        break;
    case PSX_PACKET_DISCARD:
        if (psx_gpu_read(whole, first, NULL) != psx_gpu_read(cut, first, NULL))
            abort();
        psx_state_read(state, first);
        break;
    case PSX_PACKET_BEGIN:
        whole->state.restoring = cut->state.restoring = state->restoring ^= true;
        break;
    default:
        psx_gpu_gp0(whole, packet->payload, packet->words, NULL);
        for (uint32_t i = 0; i < packet->words; i++)
            psx_gpu_gp0(cut, packet->payload + 4 * (size_t)i, 1, NULL);
        follow(state, packet->payload, packet->words);
        break;
    }
}

static bool is_same_vram(void)
{
    return memcmp(whole->vram, cut->vram, sizeof(*cut->vram) * PSX_VRAM_WIDTH * cut->lines) == 0;
}

/* Aborts unless both GPUs and `state` are equal, and builds some rows of the GPU's picture. */
static void compare(const struct psx_state *state)
{
    enum { ROW_BYTES = 3 * PSX_VRAM_WIDTH, ROWS_APART = 29 };
    struct psx_screen screen;
    uint8_t row[ROW_BYTES];

    if (memcmp(&whole->state, &cut->state, sizeof(*state)) != 0 ||
        memcmp(&whole->state, state, sizeof(*state)) != 0 || (in_use->is_drawn && !is_same_vram()))
        abort();
    psx_display_screen(&state->registers.display, &screen);
    if (screen.width * 3 > ROW_BYTES)
        abort();
    for (uint32_t y = 0; y < screen.height; y += ROWS_APART)
        psx_scanout_row(&screen, whole->vram, whole->lines, y, row);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const enum psx_gpu_model model = (enum psx_gpu_model)(size % MODELS);
    struct psx_state state;
    struct psx_packet packet;

    if (size > BYTES_MAX)
        return 0;
    begin(model);
    psx_state_reset(&state, model);
    for (uint64_t offset = 0;
         psx_packet_read(data, size, offset, &packet) && whole->pixels + whole->moved <= PIXELS_MAX;
         offset = psx_packet_end(&packet))
        execute(&state, &packet);
    compare(&state);
    return 0;
}
