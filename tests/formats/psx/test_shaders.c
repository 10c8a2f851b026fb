/* SPDX-License-Identifier: MIT */
/*
 * Compares every vector shader with its plain C version on random jobs: all combinations of
 * features, rows of every width at every position up to the right edge, windows, palettes, pages
 * that wrap, colours that are clamped. VRAM must be bit-identical.
 */

#include "config.h"

#include "formats/psx/gpu/raster.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

enum {
    VRAM_PIXELS = PSX_VRAM_WIDTH * PSX_VRAM_HEIGHT,
    SLACK = 32, /* pixels after VRAM, as in struct psx_gpu */
    FIRST_ROW = 256,
    ROWS = 12,
    JOBS = 10, /* of each shader */
};

static uint32_t random_below(uint64_t *random, uint32_t bound)
{
    return (uint32_t)(support_random(random) >> 16) % bound;
}

/* Returns a plane whose value stays within 0 to 255 over the job's rows. */
static struct psx_raster_plane random_plane(uint64_t *random)
{
    int64_t at = (int64_t)(random_below(random, 100) + 60) << RASTER_FRACTION;
    int32_t dx = (int32_t)random_below(random, 2 * 200) - 200; /* at most 50 over 1024 columns */
    int32_t dy = (int32_t)random_below(random, 2 * 3000) - 3000;

    return (struct psx_raster_plane){at - (int64_t)dy * FIRST_ROW, dx, dy};
}

/* Returns a constant colour that dithering moves below 0 or above 255. */
static struct psx_raster_plane extreme_plane(uint64_t *random)
{
    int64_t value =
        random_below(random, 2) ? random_below(random, 6) : 250 + random_below(random, 6);

    return (struct psx_raster_plane){(value << RASTER_FRACTION) + random_below(random, 4096), 0, 0};
}

/* Sets steps as for a rectangle: one texel a pixel, U far beyond 255. */
static void random_steps(uint64_t *random, struct psx_raster_job *job)
{
    int32_t one = 1 << RASTER_FRACTION;
    int32_t u_step = random_below(random, 2) ? one : -one;
    int32_t v_step = random_below(random, 2) ? one : -one;

    job->u = (struct psx_raster_plane){(int64_t)random_below(random, 256) * one, u_step, 0};
    job->v = (struct psx_raster_plane){
        (int64_t)(random_below(random, 256) + 512) * one - (int64_t)v_step * FIRST_ROW, 0, v_step};
}

static void random_rows(uint64_t *random, struct psx_raster_job *job)
{
    job->y0 = FIRST_ROW + (int)random_below(random, 4);
    job->y1 = job->y0 + ROWS;
    for (int y = job->y0; y < job->y1; y++) {
        uint32_t width = random_below(random, random_below(random, 4) ? 40 : 300);
        uint32_t left = random_below(random, 3) ? random_below(random, PSX_VRAM_WIDTH - width)
                                                : PSX_VRAM_WIDTH - width;

        job->left[y] = (int16_t)left;
        job->right[y] = (int16_t)(left + width);
    }
}

static void random_job(uint64_t *random, const uint16_t *clut, struct psx_raster_job *job)
{
    uint32_t mask_u = random_below(random, 2) ? random_below(random, 32) : 0;
    uint32_t mask_v = random_below(random, 2) ? random_below(random, 32) : 0;

    random_rows(random, job);
    for (unsigned i = 0; i < 3; i++) {
        job->flat[i] = (uint8_t)support_random(random);
        job->plane[i] = random_below(random, 3) ? random_plane(random) : extreme_plane(random);
    }
    job->u = random_plane(random);
    job->v = random_plane(random);
    if (random_below(random, 2))
        random_steps(random, job);
    job->and_u = (uint8_t) ~(mask_u << 3);
    job->and_v = (uint8_t) ~(mask_v << 3);
    job->or_u = (uint8_t)((random_below(random, 32) & mask_u) << 3);
    job->or_v = (uint8_t)((random_below(random, 32) & mask_v) << 3);
    job->page_x = (uint16_t)(random_below(random, 16) * 64);
    job->page_y = 0; /* above all rows drawn, so that nothing samples what it draws */
    job->clut = clut;
    job->set = random_below(random, 2) ? 0x8000 : 0;
    job->check = random_below(random, 2) ? 0x8000 : 0;
}

struct scene {
    uint16_t *vram, *before, *must;
    uint16_t clut[258];
    uint64_t random;
};

/* Fills with random pixels, some of which are transparent or have the mask bit. */
static void fill_random(uint64_t *random, uint16_t *pixels, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        pixels[i] = (uint16_t)(support_random(random) >> 20);
        if (random_below(random, 6) == 0)
            pixels[i] = 0;
    }
}

static void compare(struct scene *scene, const struct psx_raster_ops *ops, const unsigned which[4])
{
    size_t bytes = sizeof(*scene->vram) * (VRAM_PIXELS + SLACK);
    psx_raster_shader *plain = psx_raster_ops_c.shade[which[0]][which[1]][which[2]][which[3]];
    psx_raster_shader *twin = ops->shade[which[0]][which[1]][which[2]][which[3]];
    struct psx_raster_job job;

    if (which[1] == RASTER_COARSE) { /* only plain C has these */
        assert_null(twin);
        return;
    }
    assert_true((plain == NULL) == (twin == NULL));
    for (unsigned n = 0; plain != NULL && n < JOBS; n++) {
        random_job(&scene->random, scene->clut, &job);
        memcpy(scene->before, scene->vram, bytes);
        job.vram = scene->vram;
        plain(&job);
        memcpy(scene->must, scene->vram, bytes);
        memcpy(scene->vram, scene->before, bytes);
        twin(&job);
        for (size_t i = 0; memcmp(scene->vram, scene->must, bytes) != 0; i++)
            if (scene->vram[i] != scene->must[i])
                fail_msg("%s: depth %u, colour %u, dither %u, blend %u: pixel %zu,%zu of "
                         "%d..%d is %04x, not %04x",
                         ops->name, which[0], which[1], which[2], which[3], i % 1024, i / 1024,
                         job.left[(i / 1024) & 511], job.right[(i / 1024) & 511], scene->vram[i],
                         scene->must[i]);
    }
}

static void compare_all(const struct psx_raster_ops *ops)
{
    size_t pixels = VRAM_PIXELS + SLACK;
    struct scene scene = {.random = 11};
    unsigned w[4];

    scene.vram = malloc(sizeof(*scene.vram) * pixels);
    scene.before = malloc(sizeof(*scene.vram) * pixels);
    scene.must = malloc(sizeof(*scene.vram) * pixels);
    assert_true(scene.vram != NULL && scene.before != NULL && scene.must != NULL);
    fill_random(&scene.random, scene.vram, pixels);
    fill_random(&scene.random, scene.clut, COUNT_OF(scene.clut));
    for (w[0] = 0; w[0] < RASTER_DEPTHS; w[0]++)
        for (w[1] = 0; w[1] < RASTER_COLOURS; w[1]++)
            for (w[2] = 0; w[2] < 2; w[2]++)
                for (w[3] = 0; w[3] < RASTER_BLENDS; w[3]++)
                    compare(&scene, ops, w);
    free(scene.vram);
    free(scene.before);
    free(scene.must);
}

static void test_all_of_this_processor(void **state)
{
    const struct psx_raster_ops *ops;
    unsigned count = 0;

    (void)state;
    for (; (ops = psx_raster_ops_get(count)) != NULL; count++) {
        print_message("%s\n", ops->name);
        if (ops != &psx_raster_ops_c)
            compare_all(ops);
    }
    assert_true(count >= 2);
    assert_ptr_equal(psx_raster_ops_get(count - 1), &psx_raster_ops_c);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    assert_ptr_equal(psx_raster_ops_get(count - 2), &psx_raster_ops_lanes);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_of_this_processor),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
