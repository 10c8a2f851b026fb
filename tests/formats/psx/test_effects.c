/* SPDX-License-Identifier: MIT */
/*
 * Compares the effects of a command as the index describes them (index/effects.h) with what the
 * command does, to the pixel: it must write nothing outside of `part`, must write all of `full`
 * whatever was there, and must depend on nothing but `read`, `palette` and `part`.
 */
#include "tests/support/support.h"

#include "base/bytes.h"
#include "formats/psx/gpu/gpu.h"
#include "formats/psx/index/effects.h"

#include <stdlib.h>
#include <string.h>

enum { COMMANDS = 200, PIXELS_MAX = PSX_VRAM_WIDTH * PSX_VRAM_HEIGHT_MAX };

static uint64_t random_state;

static uint32_t below(uint32_t n)
{
    return (uint32_t)(support_random(&random_state) >> 33) % n;
}

static uint32_t bits(void)
{
    return (uint32_t)(support_random(&random_state) >> 24);
}

struct stage {
    struct psx_gpu *first, *second;
    uint16_t *before, *marks; /* one element a pixel */
};

enum { IN_PART = 1, IN_FULL = 2, IN_READ = 4 };

static void mark(struct stage *stage, const struct psx_box *box, uint16_t bit)
{
    const uint32_t lines = stage->first->lines;

    for (int y = 0; y < box->height; y++)
        for (int x = 0; x < box->width; x++)
            stage->marks[((uint32_t)(box->y + y) % lines) * PSX_VRAM_WIDTH +
                         (uint32_t)(box->x + x) % PSX_VRAM_WIDTH] |= bit;
}

static void fill_with_noise(uint16_t *pixels, size_t count)
{
    for (size_t i = 0; i < count; i += 2) {
        uint32_t word = bits();

        memcpy(&pixels[i], &word, sizeof(word));
    }
}

static void send(struct psx_gpu *gpu, const uint32_t *words, size_t count)
{
    uint8_t bytes[4 * 64];

    bytes_put_words(bytes, words, count);
    psx_gpu_gp0(gpu, bytes, count, NULL);
}

static void send_both(struct stage *stage, uint32_t word)
{
    send(stage->first, &word, 1);
    send(stage->second, &word, 1);
}

static uint32_t place(void)
{
    static const uint32_t edges[] = {0, 1, 3, 4, 15, 63, 64, 255, 256, 511, 512, 1023};
    uint32_t x = below(2) ? bits() : edges[below(12)], y = below(2) ? bits() : edges[below(12)];

    return (x & 0x7FF) | (y & 0x7FF) << 16;
}

/* Returns a position that is mostly near another. */
static uint32_t near_place(uint32_t from)
{
    uint32_t range = below(3) == 0 ? 1100 : below(2) ? 200 : 20;
    uint32_t x = from + below(range) - range / 4, y = (from >> 16) + below(range / 2) - range / 8;

    return below(12) == 0 ? place() : (x & 0x7FF) | (y & 0x7FF) << 16;
}

static void set_registers(struct stage *stage)
{
    static const uint32_t modes[] = {0x08000000, 0x08000024, 0x08000000, 0x08000001};
    uint32_t area = bits() & (below(3) ? 0x3FC0F : 0xFFFFF);
    uint32_t gp1 = modes[below(4)];

    send_both(stage, 0xE1000000 | (bits() & 0x3FFF));
    send_both(stage, 0xE2000000 | (below(2) ? bits() & 0xFFFFF : 0));
    send_both(stage, 0xE3000000 | (below(2) ? area : 0));
    send_both(stage, 0xE4000000 | (below(2) ? 0xFFFFF : bits() & 0xFFFFF));
    send_both(stage, 0xE5000000 | (below(2) ? bits() & 0x3FFFFF : 0));
    send_both(stage, 0xE6000000 | (below(3) == 0 ? bits() & 3 : 0));
    psx_gpu_gp1(stage->first, gp1);
    psx_gpu_gp1(stage->second, gp1);
    gp1 = 0x09000000 | below(2);
    psx_gpu_gp1(stage->first, gp1);
    psx_gpu_gp1(stage->second, gp1);
}

static void set_polygon(struct psx_gp0_event *event)
{
    const bool textured = event->op & GP0_TEXTURED, quad = event->op & GP0_QUAD;
    const unsigned corners = quad ? 4 : 3;
    const uint32_t turn = below(3);
    uint32_t corner[4] = {place()}, *word = event->words;

    for (unsigned i = 1; i < corners; i++)
        corner[i] = near_place(corner[0]);
    if (quad && below(2)) { /* upright, in one of the orders in which it can be sent */
        corner[1] = (corner[3] & 0xFFFF) | (corner[0] & 0xFFFF0000);
        corner[2] = (corner[0] & 0xFFFF) | (corner[3] & 0xFFFF0000);
        if (turn == 1) {
            uint32_t other = corner[1];

            corner[1] = corner[2];
            corner[2] = other;
        }
    }
    for (unsigned i = 0; i < corners; i++) {
        if (i == 0 || event->op & GP0_GOURAUD)
            *word++ = (i == 0 ? (uint32_t)event->op << 24 : 0) | (bits() & 0xFFFFFF);
        *word++ = corner[i];
        if (textured)
            *word++ = (bits() & 0xFFFF) | (bits() & (i == 1 ? 0x9FF : 0xFFFF)) << 16;
    }
}

static void set_command(struct psx_gp0_event *event)
{
    static const uint8_t first[] = {0x20, 0x20, 0x20, 0x60, 0x60, 0x40, 0x02, 0x80, 0xC0};
    const uint8_t from = first[below(9)];
    const bool shape = from == 0x20 || from == 0x60;

    event->type = GP0_EVENT_COMMAND;
    event->op = (uint8_t)(from + (shape ? below(32) : from == 0x40 ? (below(4) & 1) * 16 : 0));
    event->count = psx_gp0_table[event->op].words;
    for (unsigned i = 0; i < event->count; i++)
        event->words[i] = bits();
    if (from == 0x20)
        set_polygon(event);
    event->words[0] = (uint32_t)event->op << 24 | (event->words[0] & 0xFFFFFF);
    if (from == 0x40) {
        event->words[1] = place();
        event->words[event->count - 1] = near_place(event->words[1]);
    }
    if (from == 0x02 || from == 0x80 || from == 0xC0)
        event->words[event->count - 1] = near_place(0);
    if (from == 0x60)
        event->words[1] = place();
}

/*
 * Runs the command on the background, and on a second GPU with another background except where a
 * pixel is marked with `same`.
 */
static void run(struct stage *stage, const struct psx_gp0_event *event, uint16_t same)
{
    const size_t count = PSX_VRAM_WIDTH * (size_t)stage->first->lines;

    memcpy(stage->first->vram, stage->before, 2 * count);
    memcpy(stage->second->vram, stage->before, 2 * count);
    for (size_t i = 0; i < count; i++)
        if (!(stage->marks[i] & same))
            stage->second->vram[i] ^= (uint16_t)(0x8001 + i * 7);
    send(stage->first, event->words, event->count);
    send(stage->second, event->words, event->count);
}

static void mark_effects(struct stage *stage, const struct psx_effects *effects)
{
    memset(stage->marks, 0, 2 * PSX_VRAM_WIDTH * (size_t)stage->first->lines);
    mark(stage, &effects->part_pixels, IN_PART);
    mark(stage, &effects->full_pixels, IN_FULL);
    mark(stage, &effects->read_pixels, IN_READ);
    mark(stage, &effects->palette_pixels, IN_READ);
}

/* Checks that both GPUs have the same pixels wherever `bit` is marked. */
static void check_equal(const struct stage *stage, uint16_t bit, const struct psx_gp0_event *event,
                        const char *what)
{
    const size_t count = PSX_VRAM_WIDTH * (size_t)stage->first->lines;

    for (size_t i = 0; i < count; i++)
        if ((stage->marks[i] & bit) && stage->first->vram[i] != stage->second->vram[i])
            fail_msg("%08x: pixel %zu %s", event->words[0], i, what);
}

static void check_beside(const struct stage *stage, const struct psx_gp0_event *event)
{
    const size_t count = PSX_VRAM_WIDTH * (size_t)stage->first->lines;

    for (size_t i = 0; i < count; i++)
        if (!(stage->marks[i] & IN_PART) && stage->first->vram[i] != stage->before[i])
            fail_msg("%08x: pixel %zu is written", event->words[0], i);
}

static void check_command(struct stage *stage)
{
    const struct psx_state state = stage->first->state;
    struct psx_gp0_event event = {0};
    struct psx_effects effects;

    set_command(&event);
    psx_effects_of(&event, &state.registers, &state.clut, &effects);
    mark_effects(stage, &effects);
    fill_with_noise(stage->before, PSX_VRAM_WIDTH * (size_t)stage->first->lines);
    run(stage, &event, IN_READ | IN_PART);
    check_equal(stage, IN_PART, &event, "depends on more");
    check_beside(stage, &event);
    assert_memory_equal(stage->first->clut, stage->second->clut,
                        2 * (size_t)stage->first->state.clut.entries);
    stage->first->state = stage->second->state = state;
    memcpy(stage->second->clut, stage->first->clut, sizeof(stage->first->clut));
    run(stage, &event, IN_READ);
    check_equal(stage, IN_FULL, &event, "is not overwritten");
}

static void check_model(enum psx_gpu_model model)
{
    struct stage stage = {.before = malloc(2 * PIXELS_MAX), .marks = malloc(2 * PIXELS_MAX)};

    assert_int_equal(psx_gpu_create(model, &stage.first), 0);
    assert_int_equal(psx_gpu_create(model, &stage.second), 0);
    psx_gpu_leave_out_texel_cache(stage.first);
    psx_gpu_leave_out_texel_cache(stage.second);
    for (unsigned i = 0; i < COMMANDS / support_stride(); i++) {
        if (i % 3 == 0)
            set_registers(&stage);
        check_command(&stage);
    }
    psx_gpu_destroy(&stage.second);
    psx_gpu_destroy(&stage.first);
    free(stage.before);
    free(stage.marks);
}

static void effects_are_what_commands_do(void **state)
{
    (void)state;
    random_state = 11;
    for (unsigned model = 0; model < 3; model++)
        check_model((enum psx_gpu_model)model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(effects_are_what_commands_do),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
