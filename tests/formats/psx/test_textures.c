/* SPDX-License-Identifier: MIT */
/*
 * Textures: their pictures are drawn back, texel by texel, where the frame's draws sample them. One
 * identity must stand for the same texels wherever it occurs.
 */
#include "tests/formats/psx/feedback.h"
#include "tests/formats/psx/truth.h"
#include "tests/formats/psx/view.h"

#include "formats/psx/frame/textures.h"
#include "formats/psx/gpu/state.h"
#include "formats/psx/views/views.h"

#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS = 12, KEYS = 512, SIDE = 256 };

/* A texture as some frame uses it */
struct use {
    uint64_t identity;
    uint32_t frame, key, texels; /* CRC of its picture */
};

struct check {
    const char *name;
    struct psx_opened opened;
    unsigned every;
    uint32_t seen[KEYS], seen_count; /* of this frame: the keys whose first draw has been reached */
    unsigned compared;               /* pixels */
    struct use *uses;
    unsigned use_count, use_room;
};

/*
 * A draw on a GPU of its own, raw and opaque, whose pixels are compared with the texture's picture
 */
struct drawing {
    struct psx_observer observer;
    const struct check *check;
    const struct psx_truth *truth;
    struct psx_picture picture;
    const uint16_t *before;
    struct psx_raster_job **jobs;
    unsigned job_count, job_room;
};

static bool matters(void *context, uint32_t frame)
{
    struct check *check = context;

    check->seen_count = 0;
    return frame < 3 || frame % check->every == 0;
}

static bool keep_job(struct psx_observer *observer, const struct psx_gpu *gpu,
                     psx_raster_shader *shade, const struct psx_raster_job *job)
{
    struct drawing *drawing = (struct drawing *)observer;

    (void)gpu;
    (void)shade;
    if (drawing->job_count == drawing->job_room) {
        drawing->job_room = 2 * drawing->job_room + 2;
        drawing->jobs = realloc(drawing->jobs, drawing->job_room * sizeof(struct psx_raster_job *));
        assert_non_null(drawing->jobs);
    }
    drawing->jobs[drawing->job_count] = malloc(sizeof(*job));
    assert_non_null(drawing->jobs[drawing->job_count]);
    *drawing->jobs[drawing->job_count++] = *job;
    return true;
}

static void keep_run(struct psx_observer *observer, const struct psx_gpu *gpu, uint32_t index,
                     uint32_t count, bool check, bool blended)
{
    (void)observer, (void)gpu, (void)index, (void)count, (void)check, (void)blended;
}

static bool covers_anything(const struct drawing *drawing)
{
    for (unsigned i = 0; i < drawing->job_count; i++)
        for (int y = drawing->jobs[i]->y0; y < drawing->jobs[i]->y1; y++)
            if (drawing->jobs[i]->left[y] < drawing->jobs[i]->right[y])
                return true;
    return false;
}

/*
 * Returns whether the draw may change its own texels: the picture shows them as they were before.
 */
static bool draws_on_texels(const struct drawing *drawing, const struct psx_draw *draw)
{
    int width = SIDE >> (2 - draw->depth);

    for (unsigned i = 0; i < drawing->job_count; i++) {
        const struct psx_raster_job *job = drawing->jobs[i];

        for (int y = job->y0; y < job->y1; y++)
            if (job->left[y] < job->right[y] && y >= job->page_y && y < job->page_y + SIDE &&
                ((job->left[y] < job->page_x + width && job->right[y] > job->page_x) ||
                 job->left[y] < job->page_x + width - PSX_VRAM_WIDTH))
                return true;
    }
    return false;
}

/* Returns the pixel that the picture implies. The later triangle of a quad overwrites the first. */
static uint16_t expected_pixel(const struct drawing *drawing, const struct psx_raster_job *job,
                               int x, int y, uint16_t before)
{
    const uint8_t *rgba =
        drawing->picture.rgba + 4 * ((size_t)texel_v(job, x, y) * SIDE + texel_u(job, x, y));

    if (rgba[3] == 0)
        return before;
    return (uint16_t)(rgba[0] >> 3 | rgba[1] >> 3 << 5 | rgba[2] >> 3 << 10);
}

static void compare_pixels(struct check *check, struct drawing *drawing, const struct psx_gpu *gpu)
{
    uint16_t *expected = malloc(2 * PSX_VRAM_WIDTH * PSX_VRAM_HEIGHT);

    assert_non_null(expected);
    memcpy(expected, drawing->before, 2 * PSX_VRAM_WIDTH * PSX_VRAM_HEIGHT);
    for (unsigned i = 0; i < drawing->job_count; i++) {
        const struct psx_raster_job *job = drawing->jobs[i];

        for (int y = job->y0; y < job->y1; y++)
            for (int x = job->left[y]; x < job->right[y]; x++) {
                uint16_t *pixel = &expected[y * PSX_VRAM_WIDTH + x];

                *pixel = expected_pixel(drawing, job, x, y, *pixel);
                check->compared++;
            }
    }
    for (unsigned i = 0; i < PSX_VRAM_WIDTH * PSX_VRAM_HEIGHT; i++)
        if ((gpu->vram[i] ^ expected[i]) & 0x7FFF)
            fail_msg("%s: frame %u, draw %u: pixel %u,%u is %04x, by the texture %04x", check->name,
                     drawing->truth->frame, drawing->truth->draws, i % 1024, i / 1024, gpu->vram[i],
                     expected[i]);
    free(expected);
}

static bool is_new(struct check *check, uint32_t key)
{
    for (unsigned i = 0; i < check->seen_count; i++)
        if (check->seen[i] == key)
            return false;
    assert_true(check->seen_count < KEYS);
    check->seen[check->seen_count++] = key;
    return true;
}

static void draw_back(struct check *check, const struct psx_truth *truth,
                      const struct psx_step *step, const struct psx_draw *draw)
{
    struct drawing drawing = {.observer = {.job = keep_job, .run = keep_run},
                              .check = check,
                              .truth = truth,
                              .before = truth->gpu->vram};
    struct psx_gp0_event event = step->event;
    char name[TEXTURE_NAME_MAX];
    struct psx_gpu *gpu;

    event.op = (uint8_t)((event.op | GP0_RAW) & ~GP0_SEMI);
    event.words[0] = (event.words[0] & 0x00FFFFFF) | (uint32_t)event.op << 24;
    assert_int_equal(psx_gpu_create(PSX_GPU_SECOND, &gpu), 0);
    assert_int_equal(psx_gpu_copy(gpu, truth->gpu), 0);
    gpu->observer = &drawing.observer;
    gpu->state.registers.e[6] = 0;
    psx_gpu_run(gpu, &event);
    if (covers_anything(&drawing) && is_new(check, psx_texture_key(draw))) {
        psx_texture_name(psx_texture_key(draw), name);
        psx_view_picture(&check->opened, psx_view_path(truth->frame, "textures/%s.png", name),
                         &drawing.picture);
        assert_int_equal(drawing.picture.width, SIDE);
        assert_int_equal(drawing.picture.height, SIDE);
        if (!draws_on_texels(&drawing, draw))
            compare_pixels(check, &drawing, gpu);
        psx_view_free(&drawing.picture);
    }
    psx_gpu_destroy(&gpu);
    for (unsigned i = 0; i < drawing.job_count; i++)
        free(drawing.jobs[i]);
    free(drawing.jobs);
}

static void before_step(void *context, const struct psx_truth *truth, const struct psx_walk *walk,
                        const struct psx_step *step)
{
    struct check *check = context;
    enum psx_gp0_kind kind = psx_gp0_table[step->event.op].kind;
    struct psx_draw draw;

    (void)walk;
    if (truth->gpu->observer == NULL || step->kind != PSX_STEP_GP0 ||
        step->event.type != GP0_EVENT_COMMAND || !(step->event.op & GP0_TEXTURED) ||
        (kind != GP0_POLYGON && kind != GP0_RECTANGLE) ||
        (!step->event.begins && truth->began != truth->frame))
        return;
    psx_draw_decode(&step->event, &truth->gpu->state.registers, &draw);
    draw_back(check, truth, step, &draw);
}

static void note_use(struct check *check, uint32_t frame, const char *name, const char *identity)
{
    struct psx_picture picture;
    uint64_t key;

    if (check->use_count == check->use_room) {
        check->use_room = 2 * check->use_room + 256;
        check->uses = realloc(check->uses, check->use_room * sizeof(*check->uses));
        assert_non_null(check->uses);
    }
    assert_true(psx_texture_parse(name, "", &key));
    psx_view_picture(&check->opened, psx_view_path(frame, "textures/%s.png", name), &picture);
    check->uses[check->use_count++] =
        (struct use){.identity = strtoull(identity, NULL, 16),
                     .frame = frame,
                     .key = (uint32_t)key,
                     .texels = support_crc32(picture.rgba, 4 * SIDE * SIDE)};
    psx_view_free(&picture);
}

/* Checks that info.txt counts the rows of textures.tsv. */
static void check_count(const struct psx_opened *opened, unsigned frame, unsigned rows)
{
    char *info = psx_opened_read(opened, psx_view_path(frame, "info.txt"));
    char line[32];

    snprintf(line, sizeof(line), "\ntextures: %u\n", rows);
    if (strstr(info, line) == NULL)
        fail_msg("frame %u: info.txt has not%.*s", frame, (int)strlen(line) - 1, line);
    free(info);
}

/*
 * Checks that there are as many rows as textures were reached, and at most one more, of a draw that
 * ends after the frame.
 */
static void end_frame(void *context, const struct psx_truth *truth)
{
    struct check *check = context;
    char *table, name[TEXTURE_NAME_MAX];
    unsigned rows = 0;

    if (truth->gpu->observer == NULL)
        return;
    table = psx_opened_read(&check->opened, psx_view_path(truth->frame, "textures.tsv"));
    for (const char *cell; (cell = psx_view_cell(table, rows, "texture")) != NULL; rows++) {
        snprintf(name, sizeof(name), "%s", cell);
        note_use(check, truth->frame, name, psx_view_cell(table, rows, "identity"));
    }
    free(table);
    assert_in_range(rows, check->seen_count, check->seen_count + 1);
    check_count(&check->opened, truth->frame, rows);
}

static int by_identity(const void *a, const void *b)
{
    const struct use *x = a, *y = b;

    return x->identity != y->identity ? (x->identity > y->identity ? 1 : -1)
                                      : (x->texels > y->texels) - (x->texels < y->texels);
}

static int by_texels(const void *a, const void *b)
{
    const struct use *x = a, *y = b;

    if (x->key != y->key)
        return x->key > y->key ? 1 : -1;
    return (x->texels > y->texels) - (x->texels < y->texels);
}

/* Checks identities. With `drawn`, textures may be drawn, and then get a new identity each time. */
static void check_identities(struct check *check, bool drawn)
{
    if (check->use_count == 0)
        return;
    qsort(check->uses, check->use_count, sizeof(*check->uses), by_identity);
    for (unsigned i = 1; i < check->use_count; i++) {
        const struct use *a = &check->uses[i - 1], *b = &check->uses[i];

        if (a->identity == b->identity && (a->texels != b->texels || a->key != b->key))
            fail_msg("%s: frames %u and %u show two textures as one", check->name, a->frame,
                     b->frame);
    }
    qsort(check->uses, check->use_count, sizeof(*check->uses), by_texels);
    for (unsigned i = 1; i < check->use_count && !drawn; i++) {
        const struct use *a = &check->uses[i - 1], *b = &check->uses[i];

        if (a->key == b->key && a->texels == b->texels && a->identity != b->identity)
            fail_msg("%s: frames %u and %u show one texture as two", check->name, a->frame,
                     b->frame);
    }
}

/* Checks that the pictures of the dump's textures are those of the frames that use them. */
static void check_all_textures(struct check *check)
{
    char *table = psx_opened_read(&check->opened, "textures.tsv"), path[64];
    const char *cell;

    for (unsigned row = 0; (cell = psx_view_cell(table, row, "texture")) != NULL; row += 7) {
        struct psx_picture picture;
        uint64_t identity;

        snprintf(path, sizeof(path), "textures/%06u-%s.png", row, cell);
        identity = strtoull(psx_view_cell(table, row, "identity"), NULL, 16);
        psx_view_picture(&check->opened, path, &picture);
        for (unsigned i = 0; i < check->use_count; i++)
            if (check->uses[i].identity == identity)
                assert_int_equal(support_crc32(picture.rgba, 4 * SIDE * SIDE),
                                 check->uses[i].texels);
        psx_view_free(&picture);
    }
    free(table);
}

static unsigned check_dump(const char *name, const struct psx_build *build, unsigned every,
                           bool drawn)
{
    struct check check = {.name = name, .every = every};
    struct psx_truth_hooks hooks = {
        .matters = matters, .before = before_step, .frame = end_frame, .context = &check};

    psx_opened_build(&check.opened, build);
    psx_truth_run(&check.opened, &hooks);
    check_identities(&check, drawn);
    check_all_textures(&check);
    psx_opened_close(&check.opened);
    free(check.uses);
    return check.compared;
}

static uint64_t identity_of(const struct psx_opened *opened, unsigned frame)
{
    char *table = psx_opened_read(opened, psx_view_path(frame, "textures.tsv"));
    const char *cell = psx_view_cell(table, 0, "identity");
    uint64_t identity = cell != NULL ? strtoull(cell, NULL, 16) : 0;

    free(table);
    return identity;
}

/*
 * The identity depends on the palette that is latched, not on the later content of VRAM (psx-gpu.md
 * 6).
 */
static void identity_follows_the_latch(void **state)
{
    struct psx_build build;
    struct psx_opened opened;
    uint64_t first;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_16);
    psx_build_full_area(&build);
    GP0(&build, 0xA0000000, 0x01F00000, 0x00010002, 0x7FFF001F); /* palette at 0,496 */
    GP0(&build, 0xE1000008);                                     /* 4 bit, page 8 */
    GP0(&build, 0x75808080, 0x00000000, 0x7C000000);             /* latches it */
    psx_build_vsync(&build, 1000);
    GP0(&build, 0xA0000000, 0x01F00000, 0x00010002, 0x03E003E0);
    GP0(&build, 0x75808080, 0x00000000, 0x7C000000); /* still the old palette */
    psx_build_vsync(&build, 2000);
    GP0(&build, 0x01000000);
    GP0(&build, 0x75808080, 0x00000000, 0x7C000000); /* the new palette */
    psx_build_vsync(&build, 3000);
    psx_opened_build(&opened, &build);
    first = identity_of(&opened, 0);
    assert_true(first != 0);
    assert_true(identity_of(&opened, 1) == first);
    assert_true(identity_of(&opened, 2) != first);
    psx_opened_close(&opened);
    psx_build_free(&build);
}

/* A draw belongs to the frame in which its command begins, and so does its texture. */
static void a_draw_over_two_frames_is_the_firsts(void **state)
{
    struct psx_build build;
    struct psx_opened opened;
    struct psx_picture picture;
    char *table;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_16);
    psx_build_full_area(&build);
    GP0(&build, 0xA0000000, 0x00000200, 0x00010002, 0x7FFF001F); /* two texels */
    GP0(&build, 0xE1000108);                                     /* 15 bit, page 8 */
    GP0(&build, 0x60FFFFFF, 0x00100010, 0x00010001);
    GP0(&build, 0x75808080, 0x00000000);
    psx_build_vsync(&build, 1000);
    GP0(&build, 0x00000000); /* its last word */
    GP0(&build, 0x60FFFFFF, 0x00100010, 0x00010001);
    psx_build_vsync(&build, 2000);
    psx_opened_build(&opened, &build);
    assert_true(identity_of(&opened, 0) != 0);
    assert_true(identity_of(&opened, 1) == 0);
    table = psx_opened_read(&opened, "textures.tsv");
    assert_string_equal(psx_view_cell(table, 0, "frame"), "0");
    assert_string_equal(psx_view_cell(table, 0, "draw"), "1");
    free(table);
    psx_view_picture(&opened, "textures/000000-08-none-15.png", &picture);
    assert_int_equal(psx_view_pixel(&picture, 0, 0), 0xFF0000);
    psx_view_free(&picture);
    psx_view_picture(&opened, "by-frame/000000/textures/08-none-15.png", &picture);
    assert_int_equal(psx_view_pixel(&picture, 1, 0), 0xFFFFFF);
    psx_view_free(&picture);
    psx_view_picture(&opened, "by-frame/000000/draws/00001.png", &picture);
    assert_int_equal(psx_view_pixel(&picture, 0, 0), 0); /* not yet */
    psx_view_free(&picture);
    psx_opened_close(&opened);
    psx_build_free(&build);
}

/* A triangle between pixels, and a page where no memory is: draws that do not sample. */
static void what_no_pixel_samples_is_no_texture(void **state)
{
    struct psx_build build;
    struct psx_opened opened;
    char *table;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_16);
    psx_build_full_area(&build);
    GP0(&build, 0x25808080, 0, 0x7C000000, 0x00010002, 0x00080000, 0x00010001, 0);
    GP1(&build, 0x09000001);
    GP0(&build, 0x25808080, 0, 0x7C010000, 0x00000008, 0x08080000, 0x00080000, 0);
    GP0(&build, 0x25808080, 0, 0x7C020000, 0x00000008, 0x00080000, 0x00080000, 0);
    psx_build_vsync(&build, 1000);
    psx_opened_build(&opened, &build);
    check_count(&opened, 0, 1);
    table = psx_opened_read(&opened, psx_view_path(0, "textures.tsv"));
    assert_string_equal(psx_view_cell(table, 0, "texture"), "08-7C02-4");
    assert_null(psx_view_cell(table, 1, "texture"));
    free(table);
    psx_opened_close(&opened);
    psx_build_free(&build);
}

/* Two textures in the same place in one frame, whose own picture shows the first */
static void an_identity_leads_to_its_own_picture(void **state)
{
    struct psx_build build;
    struct psx_opened opened;
    struct psx_picture picture;
    char *table, *where, path[64];

    (void)state;
    psx_build_start(&build, PSX_MAGIC_16);
    psx_build_full_area(&build);
    GP0(&build, 0xE1000108); /* 15 bit, page 8 */
    for (unsigned i = 0; i < 2; i++) {
        GP0(&build, 0xA0000000, 0x00000200, 0x00010001, i == 0 ? 0x001F : 0x03E0);
        GP0(&build, 0x6D808080, 0x00100010, 0x00000000);
    }
    psx_build_vsync(&build, 1000);
    psx_opened_build(&opened, &build);
    table = psx_opened_read(&opened, "textures.tsv");
    snprintf(path, sizeof(path), "find/texture/%s/where.tsv", psx_view_cell(table, 1, "identity"));
    where = psx_opened_read(&opened, path);
    assert_string_equal(psx_view_cell(where, 0, "frame"), "0");
    psx_view_picture(&opened, psx_view_cell(where, 0, "picture"), &picture);
    assert_int_equal(psx_view_pixel(&picture, 0, 0), 0x00FF00);
    psx_view_free(&picture);
    snprintf(path, sizeof(path), "find/texture/%s/first.png", psx_view_cell(table, 1, "identity"));
    psx_view_picture(&opened, path, &picture);
    assert_int_equal(psx_view_pixel(&picture, 0, 0), 0x00FF00);
    psx_view_free(&picture);
    free(where);
    free(table);
    psx_opened_close(&opened);
    psx_build_free(&build);
}

static uint64_t charged(const struct psx_dump *dump)
{
    struct cache_statistics now;

    cache_statistics(dump->base.cache, &now);
    return now.charged;
}

/* Once, and without what only the pass needs. */
static void what_the_catalog_keeps_is_charged(void **state)
{
    struct psx_build build;
    struct psx_opened opened;

    (void)state;
    psx_feedback_build(1, &build);
    psx_opened_build(&opened, &build);

    struct psx_dump *dump = psx_dump_of(opened.dump);
    const struct psx_texture_catalog *catalog = dump->catalog;
    uint64_t before, kept;

    assert_int_equal(psx_index_wait_all(&dump->index, NULL), 0);
    before = charged(dump);
    assert_int_equal(psx_texture_catalog_wait(dump, NULL), 0);
    assert_true(catalog->texture_count > 0);
    kept = catalog->texture_room * sizeof(*catalog->textures) +
           catalog->use_room * (sizeof(*catalog->uses) + sizeof(*catalog->frames));
    assert_int_equal(charged(dump) - before, kept);
    psx_opened_close(&opened);
    psx_build_free(&build);
}

static void textures_of_random_dumps(void **state)
{
    unsigned compared = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS / support_stride(); seed++) {
        struct psx_build build;
        char name[32];

        snprintf(name, sizeof(name), "feedback %u", (unsigned)seed);
        psx_feedback_build(seed, &build);
        compared += check_dump(name, &build, 1, true);
        psx_build_free(&build);
    }
    assert_true(compared > 10000 / support_stride());
}

static void textures_of_recordings(void **state)
{
    static const struct {
        const char *name;
        unsigned every;
        bool drawn;
    } dumps[] = {
        {"hello", 29, false},         {"gte", 29, false},        {"nb-balls480i", 19, false},
        {"nb-render2tex", 29, true},  {"nb-tilesasm", 29, true}, {"proctex", 29, false},
        {"teapot-magic14", 19, true}, {"tetris", 29, false},     {"torus", 101, true},
    };
    const size_t step = support_stride() > 1 ? 3 : 1;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(dumps); i += step) {
        struct psx_build build;

        psx_view_recording(dumps[i].name, &build);
        if (check_dump(dumps[i].name, &build, dumps[i].every, dumps[i].drawn) == 0)
            fail_msg("%s: no texture could be drawn back", dumps[i].name);
        psx_build_free(&build);
    }
}

/* Checks what the comparison finds in a row of draws.tsv. */
static void check_samples(const char *const *cells, const char *texture, bool expected,
                          struct dump_area area)
{
    struct dump_area found = {0};

    assert_int_equal(psx_compared_samples.samples(cells, texture, &found), expected);
    if (!expected)
        return;
    assert_int_equal(found.x0, area.x0);
    assert_int_equal(found.y0, area.y0);
    assert_int_equal(found.x1, area.x1);
    assert_int_equal(found.y1, area.y1);
}

static void a_row_tells_what_a_draw_samples(void **state)
{
    const char *triangle[] = {"10", "7840", "8", "0,0,0,0", "8,40/3,9/200,2", "-"};
    const char *rectangle[] = {"10", "none", "15", "0,0,0,0", "250,4", "16,8"};
    const char *empty[] = {"10", "none", "15", "0,0,0,0", "5,4", "0,0"};
    const char *folded[] = {"10", "7840", "8", "8,0,0,0", "8,40", "4,4"};
    const char *plain[] = {"-", "-", "-", "-", "-", "-"};

    (void)state;
    check_samples(triangle, "10-7840-8", true, (struct dump_area){3, 2, 200, 40});
    check_samples(triangle, "10-7840-4", false, (struct dump_area){0});
    check_samples(rectangle, "10-none-15", true, (struct dump_area){250, 4, 255, 11});
    check_samples(empty, "10-none-15", true, (struct dump_area){5, 4, 5, 4});
    check_samples(folded, "10-7840-8", true, (struct dump_area){0, 0, 255, 255});
    check_samples(plain, "-----", false, (struct dump_area){0});
}

/* The tables have all columns that the comparison uses. */
static void the_tables_have_what_is_compared(void **state)
{
    const struct dump_samples *samples = &psx_compared_samples;

    (void)state;
    assert_non_null(strstr(psx_all_texture_table.columns, samples->identity));
    assert_non_null(strstr(psx_all_texture_table.columns, samples->frame));
    assert_non_null(strstr(psx_texture_table.columns, samples->texture));
    assert_non_null(strstr(psx_texture_table.columns, samples->area));
    assert_non_null(strstr(psx_draw_table.columns, samples->command));
    for (size_t i = 0; samples->cells[i] != NULL; i++)
        assert_non_null(strstr(psx_draw_table.columns, samples->cells[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(identity_follows_the_latch),
        cmocka_unit_test(a_draw_over_two_frames_is_the_firsts),
        cmocka_unit_test(what_no_pixel_samples_is_no_texture),
        cmocka_unit_test(an_identity_leads_to_its_own_picture),
        cmocka_unit_test(what_the_catalog_keeps_is_charged),
        cmocka_unit_test(a_row_tells_what_a_draw_samples),
        cmocka_unit_test(the_tables_have_what_is_compared),
        cmocka_unit_test(textures_of_random_dumps),
        cmocka_unit_test(textures_of_recordings),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
