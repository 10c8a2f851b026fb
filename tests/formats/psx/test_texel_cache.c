/* SPDX-License-Identifier: MIT */
/*
 * The texel cache (psx-gpu.md 6): tests by tables what it keeps and what drops it, and compares
 * random streams that draw over what they sample with a model that looks up every texel.
 */

#include "tests/formats/psx/build.h"
#include "tests/formats/psx/model.h"
#include "tests/formats/psx/play.h"
#include "tests/support/support.h"
#include "tests/support/walk.h"

#include "formats/psx/gpu/raster.h"
#include "formats/psx/gpu/texel_cache.h"

#include <stdlib.h>
#include <string.h>

#define XY       psx_play_xy
#define AT(x, y) ((uint32_t)(y) << 16 | (x)) /* XY() for constants */

enum {
    WIDTH = 1024,
    LINES = 512,
    PIXELS = WIDTH * LINES,
    BITS_4 = 0,
    BITS_8 = 1 << 7,
    BITS_15 = 2 << 7,
    OLD = 0x8001, /* at first in column 0 of lines 0 to 511 … */
    NEW = 0x8002, /* … and what is drawn over them */
};

/* Tables */

static void texpage(struct psx_gpu *gpu, uint32_t page)
{
    PSX_PLAY(gpu, 0xE1000000 | page);
}

/* Draws a rectangle of one texel, at u, v. Returns the pixel. */
static uint16_t sample(struct psx_gpu *gpu, int u, int v)
{
    PSX_PLAY(gpu, 0x6D808080, XY(500, 500), (uint32_t)(u | v << 8 | 300 << 22));
    return psx_play_pixel(gpu, 500, 500);
}

/* Creates a GPU in which texels of value 1 and 2 show OLD and NEW at every depth. */
static struct psx_gpu *gpu_with_texture(void)
{
    struct psx_gpu *gpu = psx_play_gpu();

    for (int y = 0; y < 256; y++)
        for (int x = 0; x < 256; x++)
            gpu->vram[y * WIDTH + x] = OLD;
    gpu->vram[300 * WIDTH + 1] = OLD;
    gpu->vram[300 * WIDTH + 2] = NEW;
    return gpu;
}

static void draw_over(struct psx_gpu *gpu, int x, int y)
{
    PSX_PLAY(gpu, 0xE6000001, 0x60000010, XY(x, y), XY(1, 1), 0xE6000000); /* NEW */
    assert_int_equal(psx_play_pixel(gpu, x, y), NEW);
}

/*
 * What is done between drawing over a texel and sampling it again, and whether the new texel is
 * seen
 */
static const struct {
    const char *what;
    uint32_t page, words[4];
    unsigned count;
    bool port_1, dropped;
} drops[] = {
    {"nothing", BITS_15, {0}, 0, false, false},
    {"GP0(00)", BITS_15, {0}, 1, false, false},
    {"GP0(01)", BITS_15, {0x01000000}, 1, false, true},
    {"a fill", BITS_15, {0x02000000, 0x00100200, 0x00010010}, 3, false, false},
    {"a copy", BITS_15, {0x80000000, AT(600, 0), AT(700, 0), AT(1, 1)}, 4, false, true},
    {"an upload", BITS_15, {0xA0000000, AT(600, 0), AT(1, 1), 0}, 4, false, true},
    {"a read", BITS_15, {0xC0000000, AT(600, 0), AT(1, 1)}, 3, false, true},
    {"the same page", BITS_15, {0xE1000000 | BITS_15}, 1, false, false},
    {"the same page with bits beside it", BITS_15, {0xE1000660 | BITS_15}, 1, false, false},
    {"15 bits as 3", BITS_15, {0xE1000180}, 1, false, false},
    {"8 bits", BITS_15, {0xE1000000 | BITS_8}, 1, false, false},
    {"15 bits", BITS_8, {0xE1000000 | BITS_15}, 1, false, false},
    {"4 bits", BITS_15, {0xE1000000 | BITS_4}, 1, false, true},
    {"15 bits in place of 4", BITS_4, {0xE1000000 | BITS_15}, 1, false, true},
    {"another page", BITS_15, {0xE1000001 | BITS_15}, 1, false, true},
    {"the page below", BITS_15, {0xE1000010 | BITS_15}, 1, false, true},
    {"a window", BITS_15, {0xE2000000}, 1, false, false},
    {"a line", BITS_15, {0x40000000, AT(700, 9), AT(710, 9)}, 3, false, false},
    {"GP1(00)", BITS_15, {0x00000000}, 1, true, true},
    {"GP1(01)", BITS_15, {0x01000000}, 1, true, false},
    {"GP1(05)", BITS_15, {0x05000000}, 1, true, false},
};

static void test_what_drops_it(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(drops); i++) {
        struct psx_gpu *gpu = gpu_with_texture();
        uint16_t seen;

        texpage(gpu, drops[i].page);
        assert_int_equal(sample(gpu, 0, 0), OLD);
        draw_over(gpu, 0, 0);
        if (drops[i].port_1)
            psx_gpu_gp1(gpu, drops[i].words[0]);
        else
            psx_play_gp0(gpu, drops[i].words, drops[i].count);
        PSX_PLAY(gpu, 0xE3000000, 0xE4000000 | 511 << 10 | 1023);
        texpage(gpu, drops[i].page); /* the same page, or the cache was dropped before */
        seen = sample(gpu, 0, 0);
        if (seen != (drops[i].dropped ? NEW : OLD))
            fail_msg("%s: the texel is %04x", drops[i].what, seen);
        psx_gpu_destroy(&gpu);
    }
}

/*
 * A texel that is drawn over after it was sampled, and another that is sampled next: whether the
 * latter takes the place of the first in the cache
 */
static const struct {
    uint32_t page;
    int u, v;
    bool evicts;
} places[] = {
    /* 4 bits: 64 x 64 texels, in lines of 16 */
    {BITS_4, 15, 0, false},
    {BITS_4, 16, 0, false},
    {BITS_4, 63, 0, false},
    {BITS_4, 64, 0, true},
    {BITS_4, 0, 32, false},
    {BITS_4, 0, 63, false},
    {BITS_4, 0, 64, true},
    {BITS_4, 79, 128, true},
    {BITS_4, 80, 128, false},
    /* 8 bits: 64 x 32, in lines of 8 */
    {BITS_8, 7, 0, false},
    {BITS_8, 32, 0, false},
    {BITS_8, 63, 0, false},
    {BITS_8, 64, 0, true},
    {BITS_8, 0, 31, false},
    {BITS_8, 0, 32, true},
    {BITS_8, 71, 96, true},
    {BITS_8, 72, 96, false},
    /* 15 bits: 32 x 32, in lines of 4 */
    {BITS_15, 3, 0, false},
    {BITS_15, 31, 0, false},
    {BITS_15, 32, 0, true},
    {BITS_15, 0, 31, false},
    {BITS_15, 0, 32, true},
    {BITS_15, 35, 64, true},
    {BITS_15, 36, 64, false},
};

/* The second texel is sampled either before or after the first is drawn over. */
static void test_places(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(places); i++)
        for (unsigned before = 0; before < 2; before++) {
            struct psx_gpu *gpu = gpu_with_texture();

            texpage(gpu, places[i].page);
            sample(gpu, 0, 0);
            if (before)
                sample(gpu, places[i].u, places[i].v);
            draw_over(gpu, 0, 0);
            if (!before)
                sample(gpu, places[i].u, places[i].v);
            if (sample(gpu, 0, 0) != (places[i].evicts ? NEW : OLD))
                fail_msg("row %u: the texel is %04x", (unsigned)i, psx_play_pixel(gpu, 500, 500));
            psx_gpu_destroy(&gpu);
        }
}

/*
 * A rectangle moved to the right by one: of each five pixels, four are from before and one from
 * what was just drawn.
 */
static void test_a_rectangle_that_samples_itself(void **state)
{
    static const uint16_t cached[] = {0, 0, 1, 2, 3, 3, 5, 6, 7, 7, 10};
    static const uint16_t without[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10};

    (void)state;
    for (unsigned on = 0; on < 2; on++)
        for (unsigned n = 0; psx_raster_ops_get(n) != NULL; n++) {
            struct psx_gpu *gpu = psx_play_gpu();

            gpu->ops = psx_raster_ops_get(n);
            if (!on)
                psx_gpu_leave_out_texel_cache(gpu);
            for (unsigned x = 0; x < 16; x++)
                gpu->vram[x] = (uint16_t)(0x8000 | x);
            texpage(gpu, BITS_15);
            PSX_PLAY(gpu, 0x65808080, XY(1, 0), 0, XY(9, 1));
            for (int x = 0; x < (int)COUNT_OF(cached); x++)
                assert_int_equal(psx_play_pixel(gpu, x, 0), 0x8000 | (on ? cached : without)[x]);
            psx_gpu_destroy(&gpu);
        }
}

/* More notes than fit are as good as all of them: lines that the first ones filled are kept. */
static void test_many_primitives_before(void **state)
{
    struct psx_gpu *gpu = gpu_with_texture();

    (void)state;
    texpage(gpu, BITS_15);
    sample(gpu, 0, 0);
    for (int i = 0; i < 3 * PSX_TEXEL_NOTES; i++)
        sample(gpu, 4 + 4 * (i % 7), 1 + i % 31);
    draw_over(gpu, 0, 0);
    assert_int_equal(sample(gpu, 0, 0), OLD);
    psx_gpu_destroy(&gpu);
}

/* Random streams. */

struct race {
    struct psx_model *model;
    struct psx_gpu *lazy, *every; /* `every` looks up every texel, as the model does */
    uint64_t random;
    uint32_t words[16];
    unsigned count;
};

static uint32_t below(struct race *race, uint32_t bound)
{
    return (uint32_t)(support_random(&race->random) >> 24) % bound;
}

static void put(struct race *race, uint32_t word)
{
    race->words[race->count++] = word;
    psx_model_gp0(race->model, word);
}

static void end_command(struct race *race)
{
    psx_play_gp0(race->lazy, race->words, race->count);
    psx_play_gp0(race->every, race->words, race->count);
    race->count = 0;
}

static void gp1(struct race *race, uint32_t word)
{
    psx_model_gp1(race->model, word);
    psx_gpu_gp1(race->lazy, word);
    psx_gpu_gp1(race->every, word);
}

/* Positions are on a stage of 64 columns and 96 lines, which is one page, or near it. */
static uint32_t place(struct race *race)
{
    uint32_t x = below(race, 90), y = below(race, 90);

    return x | y << 16;
}

/* Mostly one page and one depth, so that runs last */
static uint32_t page(struct race *race)
{
    uint32_t depth = below(race, 8), at = below(race, 8);

    return (depth < 2 ? depth : 2) << 7 | (at == 0 ? 15 : at == 1 ? 1 : 0) | below(race, 4) << 5;
}

static void put_texel(struct race *race, uint32_t attribute)
{
    uint32_t u = below(race, 100), v = below(race, 100);

    put(race, u | v << 8 | attribute << 16);
}

static void put_page(struct race *race)
{
    uint32_t beside = below(race, 2) << 9 | below(race, 4) << 12;

    put(race, 0xE1000000 | page(race) | beside);
    end_command(race);
}

static void put_rectangle(struct race *race)
{
    uint32_t op = 0x60 | below(race, 8), width = below(race, 50), height = below(race, 40);

    put(race, op << 24 | 0x808080 | below(race, 0x7F7F7F));
    put(race, place(race));
    if (op & 4)
        put_texel(race, below(race, 3) * 40 << 6 | below(race, 3));
    put(race, width | height << 16);
    end_command(race);
}

static void put_polygon(struct race *race)
{
    uint32_t op = 0x20 | below(race, 32), attributes[4] = {below(race, 3) * 40 << 6, page(race)};

    put(race, op << 24 | 0x808080);
    for (unsigned i = 0; i < (op & 8 ? 4u : 3u); i++) {
        if (i > 0 && (op & 0x10))
            put(race, below(race, 0xFFFFFF));
        put(race, place(race));
        if (op & 4)
            put_texel(race, attributes[i]);
    }
    end_command(race);
}

static void put_line(struct race *race)
{
    put(race, 0x42000000 | below(race, 0xFFFFFF));
    put(race, place(race));
    put(race, place(race));
    end_command(race);
}

static void put_move(struct race *race)
{
    uint32_t width = 1 + below(race, 40), height = 1 + below(race, 40), kind = below(race, 6);

    put(race, kind < 4 ? 0x02000000 | below(race, 0xFFFFFF) : kind == 4 ? 0x80000000 : 0xC0000000);
    put(race, place(race));
    if (kind == 4)
        put(race, place(race));
    put(race, width | height << 16);
    end_command(race);
}

static void put_upload(struct race *race)
{
    put(race, 0xA0000000);
    put(race, place(race));
    put(race, 2 | 4 << 16);
    for (unsigned i = 0; i < 4; i++)
        put(race, below(race, 0x1000000) << 8 | below(race, 0x100));
    end_command(race);
}

static void put_environment(struct race *race)
{
    uint32_t x = below(race, 40), y = below(race, 40);

    switch (below(race, 8)) {
    case 0:
        put(race, 0xE2000000 | below(race, 0x100000));
        break;
    case 1:
    case 2:
        put(race, 0xE2000000);
        break;
    case 3:
        put(race, 0xE6000000 | below(race, 4));
        break;
    case 4:
        put(race, 0xE6000000);
        break;
    case 5:
        put(race, 0xE3000000 | x | y << 10);
        break;
    case 6:
        put(race, 0xE4000000 | (60 + x) | (60 + y) << 10);
        break;
    default:
        put(race, 0x01000000);
        break;
    }
    end_command(race);
}

static void begin_race(struct race *race, uint64_t seed)
{
    unsigned shaders = 0;

    while (psx_raster_ops_get(shaders) != NULL)
        shaders++;
    *race = (struct race){.model = psx_model_create(2), .random = seed};
    assert_int_equal(psx_gpu_create(PSX_GPU_SECOND, &race->lazy), 0);
    assert_int_equal(psx_gpu_create(PSX_GPU_SECOND, &race->every), 0);
    race->lazy->ops = psx_raster_ops_get((unsigned)seed % shaders);
    race->every->texel_cache->every = true;
    put(race, 0xE4000000 | 1023 | 511 << 10);
    end_command(race);
    put(race, 0xA0000000);
    put(race, 0);
    put(race, 96 | 96 << 16);
    end_command(race);
    for (unsigned i = 0; i < 96 * 96 / 2; i++) {
        put(race, (uint32_t)support_random(&race->random));
        end_command(race);
    }
}

static void compare(const struct race *race, unsigned seed, unsigned command)
{
    const uint16_t *model = psx_model_vram(race->model);

    for (int i = 0; i < PIXELS; i++)
        if (race->lazy->vram[i] != model[i] || race->every->vram[i] != model[i])
            fail_msg("stream %u, command %u, %s: pixel %d,%d is %04x, with every texel looked up "
                     "%04x, by the model %04x",
                     seed, command, race->lazy->ops->name, i % WIDTH, i / WIDTH,
                     race->lazy->vram[i], race->every->vram[i], model[i]);
}

static void run_race(struct race *race, unsigned commands)
{
    static void (*const kinds[])(struct race *) = {
        put_polygon, put_polygon, put_polygon, put_polygon,     put_rectangle, put_rectangle,
        put_page,    put_line,    put_move,    put_environment, put_upload,
    };

    for (unsigned i = 0; i < commands; i++) {
        kinds[below(race, below(race, 4) == 0 ? COUNT_OF(kinds) : 6)](race);
        if (below(race, 300) == 0)
            gp1(race, below(race, 2) << 24);
    }
}

static void end_race(struct race *race)
{
    psx_gpu_destroy(&race->lazy);
    psx_gpu_destroy(&race->every);
    psx_model_destroy(&race->model);
}

/* Returns whether the stream draws something else than without a texel cache. */
static bool is_seen(uint64_t seed, unsigned commands)
{
    struct race race;
    bool seen;

    begin_race(&race, seed);
    psx_gpu_leave_out_texel_cache(race.every);
    run_race(&race, commands);
    seen = memcmp(race.lazy->vram, race.every->vram, 2 * PIXELS) != 0;
    end_race(&race);
    return seen;
}

static void test_random_streams(void **state)
{
    enum { STREAMS = 2000, COMMANDS = 30, PROBED = 40 };
    unsigned seen = 0;

    (void)state;
    for (unsigned n = 1; n <= STREAMS / support_stride(); n++) {
        struct race race;

        begin_race(&race, n * 104729);
        run_race(&race, COMMANDS);
        compare(&race, n, COMMANDS);
        end_race(&race);
    }
    for (unsigned n = 1; n <= PROBED; n++)
        seen += is_seen(n * 104729, COMMANDS);
    print_message("%u of %u streams show the cache\n", seen, PROBED);
    assert_in_range(seen, PROBED / 2, PROBED);
}

/* In the tree. */

static uint16_t seen_in_tree(const struct psx_build *build, const char *option)
{
    struct psx_opened opened;
    struct text message = TEXT_INIT;
    size_t size;
    char *vram;
    uint16_t pixel;

    psx_opened_init(&opened, build->bytes, build->size);
    if (option != NULL)
        assert_int_equal(options_parse(&opened.options, option, &message), 1);
    psx_opened_tree(&opened);
    vram = walk_read(opened.tree, "vram/000001.bin", &size);
    pixel = (uint16_t)((uint8_t)vram[2 * 500] | (uint8_t)vram[2 * 500 + 1] << 8);
    free(vram);
    psx_opened_close(&opened);
    return pixel;
}

/* A texel is sampled in one frame, drawn over, and sampled again in the next frame. */
static void test_the_option(void **state)
{
    struct psx_build build;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_16);
    psx_build_full_area(&build);
    GP0(&build, 0xE1000000 | BITS_15, 0x60000008, XY(0, 0), XY(1, 1), 0xE6000001);
    GP0(&build, 0x6D808080, XY(600, 0), 0, 0x60000010, XY(0, 0), XY(1, 1), 0xE6000000);
    psx_build_vsync(&build, 1);
    GP0(&build, 0x6D808080, XY(500, 0), 0);
    psx_build_vsync(&build, 2);
    assert_int_equal(seen_in_tree(&build, NULL), 1);
    assert_int_equal(seen_in_tree(&build, "psx-texel-cache=on"), 1);
    assert_int_equal(seen_in_tree(&build, "psx-texel-cache=off"), NEW);
    psx_build_free(&build);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_drops_it),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_a_rectangle_that_samples_itself),
        cmocka_unit_test(test_many_primitives_before),
        cmocka_unit_test(test_random_streams),
        cmocka_unit_test(test_the_option),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
