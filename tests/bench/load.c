/* SPDX-License-Identifier: MIT */
/*
 * A model of a game: forty objects, each with a texture and a dozen primitives around one place; a
 * display list that is sent node by node; textures that are streamed now and then.
 */
#include "tests/bench/load.h"

#include "examples/display_list.h"
#include "examples/dump_writer.h"
#include "examples/fixed.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WIDTH = 320,
    HEIGHT = 240,
    TEXTURES_LEFT = 320, /* textures are right of this column, and above the palettes */
    PALETTES_TOP = 480,
    VRAM_WIDTH = 1024,
    VRAM_HEIGHT = 512,
    MODELS = 40,
    SIZES = 64,
    VSYNC_CYCLES = 564480,
    WRITE_BYTES = 4 << 20, /* collected before a write */
};

struct preset {
    const char *name;
    unsigned vsyncs, vsyncs_per_frame;
    int primitives, upload_words; /* of a drawn frame, on average */
};

static const struct preset presets[] = {
    {"small", 60, 1, 500, 600},
    {"typical", 3000, 2, 1500, 600}, /* 50 seconds of a game with 30 pictures a second */
    {"large", 36000, 2, 300, 200},   /* ten minutes */
    {"huge", 192000, 2, 300, 200},   /* 1 GiB */
};

struct model {
    struct texture texture;
    enum blend blend;
};

struct load {
    struct dump_writer dump;
    struct display_list list;
    FILE *file;
    uint64_t random;
    struct model models[MODELS];
    const struct preset *preset;
};

/* Edges of primitives: quantiles of a log-normal distribution, 22 pixels on average. */
static const uint16_t sizes[SIZES] = {
    2,  3,  4,  4,  5,  5,  6,  6,  7,  7,  7,  8,  8,  8,  9,  9,  9,  10, 10, 11, 11, 11,
    12, 12, 13, 13, 13, 14, 14, 15, 15, 16, 16, 17, 17, 18, 18, 19, 20, 20, 21, 22, 22, 23,
    24, 25, 26, 27, 28, 29, 30, 32, 33, 35, 37, 39, 41, 44, 48, 52, 58, 65, 78, 111};

/* Sixteenths of a mean: quantiles of an exponential distribution. */
static const uint8_t spread[32] = {0,  1,  1,  2,  2,  3,  4,  4,  5,  6,  6,  7,  8,  9,  10, 11,
                                   12, 13, 14, 15, 16, 18, 19, 21, 23, 26, 28, 31, 35, 41, 49, 67};

/* The upper half of xorshift64*. */
static uint32_t random_bits(struct load *load)
{
    load->random ^= load->random >> 12;
    load->random ^= load->random << 25;
    load->random ^= load->random >> 27;
    return (uint32_t)(load->random * UINT64_C(0x2545F4914F6CDD1D) >> 32);
}

static int below(struct load *load, int n)
{
    return (int)((uint64_t)random_bits(load) * (uint32_t)n >> 32);
}

static int between(struct load *load, int min, int max)
{
    return min + below(load, max - min + 1);
}

static bool percent(struct load *load, int n)
{
    return below(load, 100) < n;
}

/* A number near `middle`: a sum of random steps. */
static int around(struct load *load, int middle, int deviation)
{
    int sum = 0;

    for (int i = 0; i < 12; i++)
        sum += between(load, -1000, 1000);
    return middle + sum * deviation / 2000;
}

static int spread_mean(struct load *load, int mean)
{
    return mean * spread[below(load, 32)] / 16;
}

/* Fills in pixels that change little from one to the next, as those of a texture do. */
static void fill_texture(struct load *load, uint16_t *pixels, int width, int height, int stride)
{
    for (int y = 0; y < height; y++) {
        uint16_t value = (uint16_t)random_bits(load);

        for (int x = 0; x < width; x++) {
            if (percent(load, 35))
                value = (uint16_t)(value + between(load, -0x421, 0x421));
            pixels[y * stride + x] = value;
        }
    }
}

static void fill_palettes(struct load *load, uint16_t *vram)
{
    for (int i = PALETTES_TOP * VRAM_WIDTH; i < VRAM_HEIGHT * VRAM_WIDTH; i++)
        vram[i] =
            i % 16 == 0
                ? 0
                : (uint16_t)((random_bits(load) & 0x7fff) | (percent(load, 30) ? 0x8000u : 0));
}

static void upload_vram(struct load *load)
{
    uint16_t *vram = calloc((size_t)VRAM_WIDTH * VRAM_HEIGHT, sizeof *vram);

    if (vram == NULL) {
        load->dump.status = -ENOMEM;
        return;
    }
    fill_texture(load, vram + TEXTURES_LEFT, VRAM_WIDTH - TEXTURES_LEFT, PALETTES_TOP, VRAM_WIDTH);
    fill_palettes(load, vram);
    list_upload(&load->list, 0, 0, VRAM_WIDTH, VRAM_HEIGHT, vram);
    display_list_send(&load->list);
    free(vram);
}

static int page_x(struct load *load)
{
    return TEXTURES_LEFT + 64 * below(load, (VRAM_WIDTH - TEXTURES_LEFT) / 64);
}

static void make_models(struct load *load)
{
    for (int i = 0; i < MODELS; i++) {
        int kind = below(load, 10);
        enum depth depth = kind < 6 ? DEPTH_4 : kind < 9 ? DEPTH_8 : DEPTH_15;

        load->models[i] = (struct model){
            .texture = {.x = page_x(load),
                        .y = 256 * below(load, 2),
                        .depth = depth,
                        .clut_x = 16 * below(load, depth == DEPTH_4 ? 64 : 49),
                        .clut_y = PALETTES_TOP + below(load, VRAM_HEIGHT - PALETTES_TOP)},
            .blend = (enum blend)below(load, 4)};
    }
}

static void put_head(struct load *load)
{
    dump_writer_init(&load->dump, DUMP_MAGIC_16);
    dump_writer_word(&load->dump, DUMP_VERSION, 2);
    dump_writer_string(&load->dump, DUMP_GAME, "LOAD-00001");
    dump_writer_string(&load->dump, DUMP_VIDEO, "NTSC");
    dump_writer_string(&load->dump, DUMP_COMMENT, load->preset->name);
    dump_writer_gp1(&load->dump, 0x00, 0);
    dump_writer_gp1(&load->dump, 0x03, 0);
    dump_writer_gp1(&load->dump, 0x06, 0x260 | 0xc60 << 12);
    dump_writer_gp1(&load->dump, 0x07, 0x10 | 0x100 << 10);
    dump_writer_gp1(&load->dump, 0x08, 1);
    upload_vram(load);
    dump_writer_packet(&load->dump, DUMP_BEGIN, NULL, 0);
}

static void put_upload(struct load *load, int words)
{
    uint16_t pixels[64 * 128];
    int width = 16 << below(load, 3), height = words * 2 / width + 1;

    if (height > 128)
        height = 128;
    fill_texture(load, pixels, width, height, width);
    list_upload(&load->list, page_x(load), 256 * below(load, 2) + below(load, 224 - height), width,
                height, pixels);
    display_list_send(&load->list);
}

/* Adds streamed textures, a palette now and then, and rarely a copy. */
static void put_transfers(struct load *load)
{
    uint16_t palette[16];

    for (int left = spread_mean(load, load->preset->upload_words); left > 0; left -= 4096)
        put_upload(load, left);
    if (percent(load, 30)) {
        for (int i = 0; i < 16; i++)
            palette[i] = (uint16_t)random_bits(load);
        list_upload(&load->list, 16 * below(load, 64), PALETTES_TOP + below(load, 32), 16, 1,
                    palette);
    }
    if (percent(load, 5))
        list_copy(&load->list, below(load, VRAM_WIDTH), below(load, VRAM_HEIGHT),
                  page_x(load) + below(load, 64), below(load, 400), between(load, 1, 63),
                  between(load, 1, 63));
    display_list_send(&load->list);
}

/* Places the corners of a parallelogram, more or less, in reading order. */
static void place_corners(struct load *load, int x, int y, int size, struct corner out[4])
{
    int angle = below(load, FIXED_TURN), slant = between(load, 128, 384);
    int dx = fixed_cos(angle) * size / FIXED_ONE, dy = fixed_sin(angle) * size / FIXED_ONE;
    int ex = -dy * slant / 256, ey = dx * slant / 256;
    int side = size < 1 ? 1 : size > 255 ? 255 : size;
    int u = below(load, 256 - side), v = below(load, 256 - side);

    x += between(load, -30, 30);
    y += between(load, -30, 30);
    for (int i = 0; i < 4; i++) {
        int right = i & 1, down = i >> 1;

        out[i] = (struct corner){.x = x + right * dx + down * ex,
                                 .y = y + right * dy + down * ey,
                                 .colour = random_bits(load) & 0xffffff,
                                 .u = u + right * side,
                                 .v = v + down * side};
    }
    out[3].x += below(load, 4);
    out[3].y += below(load, 4);
}

/* What is drawn, and the share of each in percent. */
enum shape { TRIANGLE, QUAD, SPRITE, RECTANGLE, LINE, POLYLINE };

static const struct {
    enum shape shape;
    bool textured, gouraud;
    int share;
} mixture[] = {
    {TRIANGLE, true, false, 6},   {QUAD, true, false, 14},     {TRIANGLE, true, true, 14},
    {QUAD, true, true, 16},       {TRIANGLE, false, false, 2}, {QUAD, false, false, 4},
    {TRIANGLE, false, true, 10},  {QUAD, false, true, 8},      {SPRITE, true, false, 20},
    {RECTANGLE, false, false, 2}, {LINE, false, false, 1},     {LINE, false, true, 1},
    {POLYLINE, false, false, 1},  {POLYLINE, false, true, 1},
};

static void put_shape(struct load *load, enum shape shape, struct corner corners[4], int size,
                      struct style style)
{
    struct display_list *list = &load->list;

    switch (shape) {
    case TRIANGLE:
    case QUAD:
        list_polygon(list, corners, shape == QUAD ? 4 : 3, style);
        break;
    case SPRITE:
        if (percent(load, 50))
            size = 8 << below(load, 2);
        list_rectangle(list, corners[0], size, size, style);
        break;
    case RECTANGLE:
        list_rectangle(list, corners[0], size, size, style);
        break;
    case LINE:
        list_line(list, corners[0], corners[1], style);
        break;
    case POLYLINE:
        list_polyline(list, corners, 4, style);
        break;
    }
}

static void put_primitive(struct load *load, const struct model *model, int x, int y)
{
    int size = sizes[below(load, SIZES)], share = below(load, 100), kind = 0;
    struct corner corners[4];
    struct style style;

    while (share >= mixture[kind].share)
        share -= mixture[kind++].share;
    style = (struct style){.texture = mixture[kind].textured ? &model->texture : NULL,
                           .blend = percent(load, 12) ? model->blend : BLEND_OFF,
                           .gouraud = mixture[kind].gouraud};
    style.raw = style.texture != NULL && percent(load, mixture[kind].shape == SPRITE ? 50 : 10);
    place_corners(load, x, y, size, corners);
    if (style.texture != NULL && !style.gouraud && percent(load, 60))
        corners[0].colour = 0x808080;
    put_shape(load, mixture[kind].shape, corners, size, style);
    display_list_send(&load->list);
}

/* Adds about a dozen primitives at one place, with one texture. */
static int put_model(struct load *load, int max)
{
    const struct model *model = &load->models[below(load, MODELS)];
    int x = around(load, WIDTH / 2, WIDTH / 3), y = around(load, HEIGHT / 2, HEIGHT / 3);
    int count = 1 + spread_mean(load, 12);

    if (percent(load, 1))
        list_texture_window(&load->list, 8 << below(load, 6), 8 << below(load, 6));
    if (count > max)
        count = max;
    for (int i = 0; i < count; i++)
        put_primitive(load, model, x, y);
    return count;
}

static void put_frame(struct load *load, int top)
{
    int left = load->preset->primitives * between(load, 70, 130) / 100;

    list_environment(&load->list, 0, top, WIDTH, HEIGHT);
    list_fill(&load->list, 0, top, WIDTH, HEIGHT, random_bits(load) & 0x3f3f3f);
    display_list_send(&load->list);
    put_transfers(load);
    while (left > 0)
        left -= put_model(load, left);
}

static int write_out(struct load *load)
{
    struct dump_writer *dump = &load->dump;

    if (dump->status == 0 && fwrite(dump->bytes, 1, dump->size, load->file) != dump->size)
        dump->status = -EIO;
    dump->size = 0;
    return dump->status;
}

static int write_frames(struct load *load, unsigned vsyncs)
{
    unsigned step = load->preset->vsyncs_per_frame;
    int top = 0, status = 0;

    make_models(load);
    put_head(load);
    for (unsigned vsync = 0; status == 0 && vsync < vsyncs; vsync++) {
        if (vsync % step == 0) {
            put_frame(load, top);
            dump_writer_vsync(&load->dump, (uint64_t)vsync * VSYNC_CYCLES);
            dump_writer_gp1(&load->dump, 0x05, (uint32_t)top << 10);
            top = HEIGHT - top;
        } else {
            dump_writer_vsync(&load->dump, (uint64_t)vsync * VSYNC_CYCLES);
        }
        if (load->dump.size >= WRITE_BYTES)
            status = write_out(load);
    }
    return status == 0 ? write_out(load) : status;
}

static const struct preset *find_preset(const char *name)
{
    for (size_t i = 0; i < sizeof presets / sizeof presets[0]; i++)
        if (strcmp(presets[i].name, name) == 0)
            return &presets[i];
    return NULL;
}

int load_write(const char *preset, unsigned vsyncs, FILE *file)
{
    struct load load = {.preset = find_preset(preset), .file = file, .random = 88172645463325252u};
    int status;

    if (load.preset == NULL)
        return -EINVAL;
    display_list_init(&load.list, &load.dump);
    status = write_frames(&load, vsyncs > 0 ? vsyncs : load.preset->vsyncs);
    display_list_clear(&load.list);
    dump_writer_clear(&load.dump);
    return status;
}
