/* SPDX-License-Identifier: MIT */
/*
 * Compares slices with a replay of everything: on the requested tiles, and on no others, VRAM must
 * be bit-identical, and so must pictures, readbacks and what is drawn later (psx-dump.md 3.7).
 * Slices run on a GPU filled with garbage, so that anything they leave out is noticed.
 */

#include "tests/bench/load.h"
#include "tests/formats/psx/build.h"
#include "tests/formats/psx/feedback.h"
#include "tests/support/support.h"

#include "formats/psx/gpu/scanout.h"
#include "formats/psx/index/indexing.h"
#include "formats/psx/index/sketch.h"
#include "formats/psx/replay/keyframe_builder.h"
#include "formats/psx/replay/keyframe_store.h"
#include "formats/psx/replay/replay.h"
#include "formats/psx/replay/slice.h"
#include "formats/psx/replay/tile_liveness.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A dump, a replay of all of it, and slices that are compared with the replay */
struct contest {
    const char *name;
    struct psx_opened opened;
    struct psx_index *index;
    struct psx_gpu_instance full;
    struct psx_gpu *sliced;
    struct psx_tile_liveness liveness;
    struct psx_keyframe_store *keyframes;
    struct psx_sketch *sketch;
    uint64_t random;
    unsigned compared; /* positions */
};

static void contest_start(struct contest *contest, const char *name, const void *bytes, size_t size)
{
    *contest = (struct contest){.name = name, .random = 12345};
    psx_opened_init(&contest->opened, bytes, size);
    assert_int_equal(psx_opened_open(&contest->opened), 0);
    contest->index = psx_opened_index(&contest->opened);
    assert_int_equal(psx_index_wait_all(contest->index, NULL), 0);
    assert_int_equal(psx_sketch_create(contest->index, NULL, NULL, &contest->sketch), 0);
    if (psx_sketch_reach(contest->sketch, contest->index->packets, NULL) == -EFBIG)
        psx_sketch_destroy(&contest->sketch); /* a dump of one word a packet has none */
    assert_int_equal(psx_gpu_create(contest->index->model, &contest->full.gpu), 0);
    assert_int_equal(psx_gpu_create(contest->index->model, &contest->sliced), 0);
    contest->full.gpu->state.restoring = contest->index->begin_packet != PSX_NO_PACKET;
    contest->full.offset = psx_magic_length(contest->index->magic);
}

/* Builds keyframes at positions at least `spacing` bytes apart, and after every `pixels` pixels. */
static void contest_make_keyframes(struct contest *contest, uint64_t spacing, uint64_t pixels)
{
    struct psx_keyframe_builder_params params = {
        .index = contest->index, .liveness = &contest->liveness, .pixels = pixels};

    assert_int_equal(psx_keyframe_store_create(UINT64_MAX, NULL, &contest->keyframes), 0);
    params.keyframes = contest->keyframes;
    assert_int_equal(psx_tile_liveness_make(contest->index, spacing, NULL, &contest->liveness), 0);
    assert_int_equal(psx_keyframe_builder_run(&params, NULL), 0);
}

static void contest_end(struct contest *contest)
{
    psx_sketch_destroy(&contest->sketch);
    psx_keyframe_store_destroy(&contest->keyframes);
    psx_tile_liveness_clear(&contest->liveness);
    psx_gpu_destroy(&contest->sliced);
    psx_gpu_destroy(&contest->full.gpu);
    psx_opened_close(&contest->opened);
}

static void fill_with_rubbish(struct contest *contest)
{
    struct psx_gpu *gpu = contest->sliced;
    int byte = (int)(support_random(&contest->random) >> 32 & 0xFF);

    memset(gpu->vram, byte, PSX_VRAM_WIDTH * gpu->lines * sizeof(*gpu->vram));
    memset(gpu->clut, byte, sizeof(gpu->clut));
    memset(gpu->read_data, byte, 4096);
}

static void check_tiles(const struct contest *contest, const struct psx_tiles *tiles)
{
    const uint16_t *full = contest->full.gpu->vram, *sliced = contest->sliced->vram;
    const unsigned height = psx_tile_height(contest->sliced->lines);

    for (unsigned y = 0; y < contest->sliced->lines; y++)
        for (unsigned x = 0; x < PSX_TILE_COLUMNS; x++) {
            size_t at = y * PSX_VRAM_WIDTH + x * PSX_TILE_WIDTH;

            if (psx_tiles_have(tiles, x, y / height) &&
                memcmp(full + at, sliced + at, PSX_TILE_WIDTH * sizeof(*full)) != 0)
                fail_msg("%s: before packet %lu: tile %u,%u differs in line %u", contest->name,
                         (unsigned long)contest->full.packet, x, y / height, y);
        }
}

/* Compares the latches as far as they can still have an effect. */
static void check_latches(const struct contest *contest, unsigned latches)
{
    const struct psx_gpu *full = contest->full.gpu, *sliced = contest->sliced;
    const struct psx_state *state = &full->state;

    if ((latches & PSX_LATCH_PALETTE) &&
        memcmp(full->clut, sliced->clut, state->clut.entries * sizeof(full->clut[0])) != 0)
        fail_msg("%s: before packet %lu: the palette differs", contest->name,
                 (unsigned long)contest->full.packet);
    if ((latches & PSX_LATCH_READ) &&
        memcmp(full->read_data, sliced->read_data, 4 * (size_t)state->read.total) != 0)
        fail_msg("%s: before packet %lu: the data of a read differs", contest->name,
                 (unsigned long)contest->full.packet);
}

static void check_state(const struct contest *contest)
{
    struct psx_state full = contest->full.gpu->state, sliced = contest->sliced->state;

    /* words after a command's end have no meaning, and the field changes with the next packet */
    memset(&full.parser.words[full.parser.have], 0,
           sizeof(full.parser.words[0]) * (GP0_WORDS_MAX - full.parser.have));
    memset(&sliced.parser.words[sliced.parser.have], 0,
           sizeof(sliced.parser.words[0]) * (GP0_WORDS_MAX - sliced.parser.have));
    full.registers.field = sliced.registers.field = 0;
    assert_memory_equal(&full.parser.words, &sliced.parser.words, sizeof(full.parser.words));
    assert_int_equal(full.parser.phase, sliced.parser.phase);
    assert_int_equal(full.parser.due, sliced.parser.due);
    assert_memory_equal(&full.registers.e, &sliced.registers.e, sizeof(full.registers.e));
    assert_memory_equal(&full.registers.display, &sliced.registers.display,
                        sizeof(full.registers.display));
    assert_memory_equal(&full.clut, &sliced.clut, sizeof(full.clut));
    assert_memory_equal(&full.upload, &sliced.upload, sizeof(full.upload));
    assert_memory_equal(&full.read, &sliced.read, sizeof(full.read));
    assert_memory_equal(&full.last_vertex, &sliced.last_vertex, sizeof(full.last_vertex));
}

static void compare_slice(struct contest *contest, const struct psx_tiles *tiles,
                          struct psx_stretches stretches, struct psx_keyframe_store *keyframes)
{
    struct psx_slice_params params = {.index = contest->index,
                                      .stretches = stretches,
                                      .keyframes = keyframes,
                                      .packet = contest->full.packet,
                                      .tiles = *tiles};
    struct psx_slice slice;

    fill_with_rubbish(contest);
    assert_int_equal(psx_slice_make(&params, NULL, &slice), 0);
    assert_int_equal(psx_slice_run(&slice, contest->index, contest->sliced, NULL, NULL), 0);
    assert_int_equal(slice.end.packet, contest->full.packet);
    psx_slice_clear(&slice);
    check_tiles(contest, tiles);
    check_latches(contest, tiles->latches);
    check_state(contest);
    contest->compared++;
}

/*
 * Compares slices of these tiles at the position of the full replay: one made from the index, one
 * from a sketch.
 */
static void compare(struct contest *contest, const struct psx_tiles *tiles)
{
    compare_slice(contest, tiles, psx_index_stretches(contest->index), contest->keyframes);
    if (contest->sketch != NULL)
        compare_slice(contest, tiles, psx_sketch_stretches(contest->sketch), NULL);
}

/* Picks some tiles, mostly of the part in which most is drawn. */
static void pick_tiles(struct contest *contest, struct psx_tiles *tiles)
{
    *tiles = (struct psx_tiles){.latches = (uint16_t)(support_random(&contest->random) % 4)};
    for (unsigned i = (unsigned)(support_random(&contest->random) % 5); i > 0; i--) {
        uint64_t bits = support_random(&contest->random);
        bool anywhere = bits % 8 == 0;

        tiles->row[(bits >> 8) % (anywhere ? PSX_TILE_ROWS : 8)] |=
            (uint16_t)(1 << (bits >> 16) % (anywhere ? PSX_TILE_COLUMNS : 4));
    }
}

static void compare_some(struct contest *contest)
{
    struct psx_tiles tiles;

    pick_tiles(contest, &tiles);
    compare(contest, &tiles);
}

static void compare_all(struct contest *contest)
{
    struct psx_tiles tiles;

    psx_tiles_fill(&tiles);
    compare(contest, &tiles);
}

/* Compares the tiles that the frame's picture shows. The frame's end must have been reached. */
static void compare_picture(struct contest *contest, uint64_t frame)
{
    struct psx_screen screen;
    struct psx_tiles tiles;

    psx_display_screen(&contest->index->frames[frame].display, &screen);
    psx_scanout_tiles(&screen, contest->index->vram_lines, &tiles);
    compare(contest, &tiles);
}

static void step(struct contest *contest)
{
    assert_int_equal(psx_gpu_instance_step(&contest->full, contest->index, NULL), 0);
}

/* Compares slices at the end of every `every`-th frame, and before every `packets`-th packet. */
static void compare_frames(struct contest *contest, uint64_t every, uint64_t packets)
{
    const struct psx_index *index = contest->index;
    uint64_t frame = 0;

    while (contest->full.packet < index->packets) {
        step(contest);
        if (contest->full.packet % packets == 0)
            compare_some(contest);
        if (frame == index->frame_count || contest->full.packet < index->frames[frame + 1].packet)
            continue;
        if (frame % every == 0) {
            compare_picture(contest, frame);
            compare_some(contest);
        }
        if (frame % (4 * every) == 0)
            compare_all(contest);
        frame++;
    }
    compare_all(contest);
}

static void test_power_on(void **state)
{
    struct psx_build build;
    struct contest contest;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_16);
    contest_start(&contest, "empty", build.bytes, build.size);
    compare_all(&contest);
    contest_end(&contest);
    psx_build_free(&build);
}

static unsigned slice_feedback(uint64_t seed, uint32_t version)
{
    struct psx_build build;
    struct contest contest;
    char name[48];

    snprintf(name, sizeof(name), "version %u, seed %u", (unsigned)version, (unsigned)seed);
    psx_feedback_build_version(seed * 7919, version, &build);
    contest_start(&contest, name, build.bytes, build.size);
    if (seed % 2 == 0)
        contest_make_keyframes(&contest, 2000 * (seed % 3), seed % 4 == 0 ? 10000 : 1 << 30);
    compare_frames(&contest, 1, 101);
    contest_end(&contest);
    psx_build_free(&build);
    return contest.compared;
}

static void test_feedback(void **state)
{
    enum { SEEDS = 40, SEEDS_OF_VERSIONS = 20 };
    unsigned compared = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS / support_stride(); seed++)
        compared += slice_feedback(seed, 0);
    for (uint64_t seed = 1; seed <= SEEDS_OF_VERSIONS / support_stride(); seed++)
        compared += slice_feedback(seed, 1) + slice_feedback(seed, 3);
    print_message("%u slices\n", compared);
}

enum { RUN_FRAMES = 120, RUN_DRAWS = 20 };

/* Builds a single run of the texel cache, in which textures are drawn over from the start on. */
static void build_stale_run(struct psx_build *build)
{
    uint64_t random = 4711;

    psx_build_start(build, PSX_MAGIC_16);
    psx_build_full_area(build);
    GP0(build, 0xE1000100);
    for (uint32_t x = 0; x < 64; x++)
        GP0(build, 0x60000000 | ((uint32_t)support_random(&random) & 0xFFFFFF), x, 0x00400001);
    for (unsigned frame = 0; frame < RUN_FRAMES; frame++) {
        for (unsigned i = 0; i < RUN_DRAWS; i++) {
            uint32_t bits = (uint32_t)(support_random(&random) >> 16);

            GP0(build, 0x65808080, (bits & 63) | (bits >> 6 & 63) << 16, bits >> 12 & 0x3F3F,
                (1 + (bits >> 28 & 7)) | 0x00040000);
        }
        psx_build_vsync(build, 566121 * (uint64_t)frame);
    }
}

static uint32_t ops_at_end(const struct contest *contest, struct psx_keyframe_store *keyframes)
{
    struct psx_slice_params params = {.index = contest->index,
                                      .stretches = psx_index_stretches(contest->index),
                                      .keyframes = keyframes,
                                      .packet = contest->index->packets};
    struct psx_slice slice;
    uint32_t count;

    params.tiles.row[0] = 1;
    assert_int_equal(psx_slice_make(&params, NULL, &slice), 0);
    count = slice.count;
    psx_slice_clear(&slice);
    return count;
}

/*
 * Keyframes contain the texel cache: what depends on the cache need not be replayed from the start
 * of its run.
 */
static void test_a_long_stale_run(void **state)
{
    struct psx_build build;
    struct contest contest;

    (void)state;
    build_stale_run(&build);
    contest_start(&contest, "a stale run", build.bytes, build.size);
    contest_make_keyframes(&contest, 4000, 1 << 30);
    assert_in_range(ops_at_end(&contest, NULL), RUN_FRAMES * RUN_DRAWS,
                    RUN_FRAMES * RUN_DRAWS + 64);
    assert_in_range(ops_at_end(&contest, contest.keyframes), 0, 20 * RUN_DRAWS);
    compare_frames(&contest, 1, 101);
    contest_end(&contest);
    psx_build_free(&build);
}

/* The state of a full replay at a position that can be requested */
struct known {
    uint64_t frame; /* whose end it is; PSX_INITIAL if it is a readback instead */
    uint64_t packet;
    uint16_t *vram; /* at a frame's end */
    uint8_t *data;  /* of a readback */
    uint32_t words;
};

struct knowledge {
    struct known *list;
    size_t count;
};

static struct known *add_known(struct knowledge *knowledge)
{
    knowledge->list = realloc(knowledge->list, (knowledge->count + 1) * sizeof(*knowledge->list));
    assert_non_null(knowledge->list);
    knowledge->list[knowledge->count] = (struct known){.frame = PSX_INITIAL};
    return &knowledge->list[knowledge->count++];
}

static void learn_readback(struct contest *contest, struct knowledge *knowledge)
{
    struct psx_gpu *gpu = contest->full.gpu;
    struct psx_state before = gpu->state;
    struct psx_packet packet;
    struct known *known;

    if (psx_index_packet(contest->index, contest->full.packet, &packet) != 0 ||
        (packet.type != PSX_PACKET_DISCARD && packet.type != PSX_PACKET_READBACK))
        return;
    known = add_known(knowledge);
    known->packet = contest->full.packet;
    known->words = psx_state_read_left(&gpu->state);
    known->data = malloc(4 * (size_t)known->words + 1);
    assert_non_null(known->data);
    psx_gpu_read(gpu, known->words, known->data);
    gpu->state = before;
}

static void learn_frame(struct contest *contest, struct knowledge *knowledge, uint64_t frame)
{
    size_t bytes = PSX_VRAM_WIDTH * (size_t)contest->index->vram_lines * sizeof(uint16_t);
    struct known *known = add_known(knowledge);

    known->frame = frame;
    known->vram = malloc(bytes);
    assert_non_null(known->vram);
    memcpy(known->vram, contest->full.gpu->vram, bytes);
}

static void learn(struct contest *contest, struct knowledge *knowledge)
{
    const struct psx_index *index = contest->index;
    uint64_t frame = 0;

    while (contest->full.packet < index->packets) {
        learn_readback(contest, knowledge);
        step(contest);
        while (frame < index->frame_count &&
               contest->full.packet >= index->frames[frame + 1].packet)
            learn_frame(contest, knowledge, frame++);
    }
}

static void forget(struct knowledge *knowledge)
{
    for (size_t i = 0; i < knowledge->count; i++) {
        free(knowledge->list[i].vram);
        free(knowledge->list[i].data);
    }
    free(knowledge->list);
}

static void check_area(const struct contest *contest, const struct psx_vram_request *request,
                       const uint16_t *expected, const struct psx_gpu_instance *instance)
{
    for (int y = request->area.y; y < request->area.y + request->area.height; y++)
        for (int x = request->area.x; x < request->area.x + request->area.width; x++) {
            size_t at = ((uint32_t)y % contest->index->vram_lines) * (size_t)PSX_VRAM_WIDTH +
                        x % PSX_VRAM_WIDTH;

            if (instance->gpu->vram[at] != expected[at])
                fail_msg("%s: before packet %lu: pixel %d,%d differs", contest->name,
                         (unsigned long)request->packet, x, y);
        }
}

static void ask_frame(struct contest *contest, const struct known *known, bool picture)
{
    struct psx_dump *psx = psx_dump_of(contest->opened.dump);
    struct psx_gpu_instance *instance = NULL;
    struct psx_vram_request request;

    if (picture)
        psx_vram_request_picture(contest->index, known->frame, true, &request);
    else
        psx_vram_request_frame(contest->index, known->frame, true, &request);
    assert_int_equal(psx_replay_take(psx, &request, NULL, &instance), 0);
    assert_in_range(instance->packet, request.packet, request.upto);
    check_area(contest, &request, known->vram, instance);
    psx_replay_give(psx, &instance);
    contest->compared++;
}

static void ask_readback(struct contest *contest, const struct known *known)
{
    struct psx_dump *psx = psx_dump_of(contest->opened.dump);
    struct psx_vram_request request = {
        .packet = known->packet, .upto = known->packet, .read = true};
    struct psx_gpu_instance *instance = NULL;
    struct psx_state before;
    uint8_t *data = malloc(4 * (size_t)known->words + 1);

    assert_non_null(data);
    assert_int_equal(psx_replay_take(psx, &request, NULL, &instance), 0);
    before = instance->gpu->state;
    assert_int_equal(psx_state_read_left(&before), known->words);
    psx_gpu_read(instance->gpu, known->words, data);
    instance->gpu->state = before;
    psx_replay_give(psx, &instance);
    if (memcmp(data, known->data, 4 * (size_t)known->words) != 0)
        fail_msg("%s: packet %lu reads something else", contest->name,
                 (unsigned long)known->packet);
    free(data);
    contest->compared++;
}

static void ask(struct contest *contest, const struct known *known, bool picture)
{
    if (known->frame == PSX_INITIAL)
        ask_readback(contest, known);
    else
        ask_frame(contest, known, picture);
}

/* Requests single positions, and sequences in order, so that instances are continued. */
static void ask_for_all(struct contest *contest, const struct knowledge *knowledge, unsigned turns)
{
    for (unsigned turn = 0; turn < turns && knowledge->count > 0; turn++) {
        size_t from = support_random(&contest->random) % knowledge->count;
        size_t run = turn % 2 == 0 ? 1 : 2 + support_random(&contest->random) % 12;
        bool pictures = turn % 5 != 0;

        for (size_t i = from; i < from + run && i < knowledge->count; i++)
            ask(contest, &knowledge->list[i], pictures);
    }
}

static void contest_replays(struct contest *contest, unsigned turns)
{
    struct knowledge knowledge = {0};

    learn(contest, &knowledge);
    ask_for_all(contest, &knowledge, turns); /* there are no keyframes yet */
    assert_int_equal(psx_replay_prepare(psx_dump_of(contest->opened.dump), NULL), 0);
    ask_for_all(contest, &knowledge, 3 * turns);
    forget(&knowledge);
}

static unsigned replay_feedback(uint64_t seed, uint32_t version)
{
    enum { TURNS = 12 };
    struct psx_build build;
    struct contest contest;
    char name[48];

    snprintf(name, sizeof(name), "version %u, seed %u", (unsigned)version, (unsigned)seed);
    psx_feedback_build_version(seed * 104729, version, &build);
    contest_start(&contest, name, build.bytes, build.size);
    contest_replays(&contest, TURNS);
    contest_end(&contest);
    psx_build_free(&build);
    return contest.compared;
}

static void test_replays_in_any_order(void **state)
{
    enum { SEEDS = 16, SEEDS_OF_VERSIONS = 6 };
    unsigned compared = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS / support_stride(); seed++)
        compared += replay_feedback(seed, 0);
    for (uint64_t seed = 1; seed <= SEEDS_OF_VERSIONS / support_stride(); seed++)
        compared += replay_feedback(seed, 1) + replay_feedback(seed, 3);
    print_message("%u replays\n", compared);
}

/* Runs some frames of a load. `make bench` takes the same measurements on larger loads. */
static void run_load(const char *preset, unsigned vsyncs)
{
    struct contest contest;
    size_t size;
    char *bytes;
    FILE *file = open_memstream(&bytes, &size);

    assert_non_null(file);
    assert_int_equal(load_write(preset, vsyncs, file), 0);
    assert_int_equal(fclose(file), 0);
    contest_start(&contest, preset, bytes, size);
    contest_make_keyframes(&contest, size / 16, 1 << 20);
    compare_frames(&contest, vsyncs / 16, contest.index->packets / 8);
    contest_end(&contest);
    contest_start(&contest, preset, bytes, size);
    contest_replays(&contest, 8);
    print_message("%s: %u replays\n", preset, contest.compared);
    contest_end(&contest);
    free(bytes);
}

/* Requests a frame's picture, or all of VRAM at its end, before the index knows the frame. */
static void ask_unknown(struct contest *contest, struct psx_dump *psx, const struct known *known,
                        bool picture)
{
    struct psx_gpu_instance *instance = NULL;
    struct psx_vram_request request;

    assert_int_equal(psx_replay_wait_picture(psx, known->frame, NULL), 0);
    assert_false(psx_index_knows_frame(&psx->index, known->frame));
    if (picture)
        psx_vram_request_picture(&psx->index, known->frame, false, &request);
    else
        psx_vram_request_frame(&psx->index, known->frame, false, &request);
    assert_int_equal(psx_replay_take(psx, &request, NULL, &instance), 0);
    assert_int_equal(instance->packet, request.packet);
    check_area(contest, &request, known->vram, instance);
    psx_replay_give(psx, &instance);
    assert_false(psx_index_knows_frame(&psx->index, known->frame));
}

/*
 * Makes the first request to a dump whose packets have not even been walked (`early`), or have
 * been. An instance with all of VRAM continues to the next frame.
 */
static void ask_first(struct contest *contest, const struct known *known, bool early, bool picture)
{
    struct psx_opened opened;
    struct psx_dump *psx;

    psx_index_early_from = early ? 1 : UINT64_MAX;
    psx_opened_init(&opened, contest->index->data, contest->index->size);
    assert_int_equal(psx_opened_open(&opened), 0);
    psx = psx_dump_of(opened.dump);
    assert_int_equal(psx_index_is_early(&psx->index), early);
    if (early)
        psx_replay_announce(psx, known->frame, NULL);
    ask_unknown(contest, psx, known, picture);
    if (!picture)
        ask_unknown(contest, psx, known + 1, picture);
    psx_opened_close(&opened);
    psx_index_early_from = UINT64_C(64) << 20;
}

/* A frame requested before the command pass has begun is replayed from a sketch. */
static void test_frames_before_the_index(void **state)
{
    enum { VSYNCS = 500, ASKED = 24, FROM = 300 };
    struct knowledge knowledge = {0};
    struct contest contest;
    size_t size;
    char *bytes;
    FILE *file = open_memstream(&bytes, &size);

    (void)state;
    assert_non_null(file);
    assert_int_equal(load_write("large", VSYNCS, file), 0);
    assert_int_equal(fclose(file), 0);
    contest_start(&contest, "large", bytes, size);
    learn(&contest, &knowledge);
    for (unsigned n = 0; n < ASKED; n++)
        ask_first(&contest,
                  &knowledge.list[FROM + support_random(&contest.random) % (VSYNCS - 1 - FROM)],
                  n % 2 == 0, n % 4 < 2);
    forget(&knowledge);
    contest_end(&contest);
    free(bytes);
}

enum { FAR_RECTANGLES = 100000 }; /* of 12 bytes: more than an index or sketch takes at once */

static void draw_far_away(struct psx_build *build)
{
    for (uint32_t i = 0; i < FAR_RECTANGLES; i++)
        GP0(build, 0x70000000 | i, 0x01000100);
}

/*
 * Builds a single run of the texel cache, which becomes stale only in frame 1. Frame 0 does not
 * need the cache.
 */
static void build_late_stale_run(struct psx_build *build)
{
    psx_build_start(build, PSX_MAGIC_16);
    psx_build_full_area(build);
    GP0(build, 0xE1000108, 0x6000FF00, 512, 0x00100010); /* texels at 512,0 */
    draw_far_away(build);
    GP0(build, 0x65808080, 0, 0, 0x00100010);
    GP0(build, 0x600000FF, 0, 0x00100010);
    psx_build_vsync(build, 566121);
    draw_far_away(build);
    draw_far_away(build);
    GP0(build, 0x60FF0000, 512, 0x00100010);
    GP0(build, 0x65808080, 64, 0, 0x00100010);
    psx_build_vsync(build, 2 * 566121);
}

/* Requests the first frame from the index or from a sketch, and the next from a sketch. */
static void ask_late(struct contest *contest, const struct known *known, bool indexed)
{
    struct psx_opened opened;
    struct psx_dump *psx;

    psx_opened_init(&opened, contest->index->data, contest->index->size);
    assert_int_equal(psx_opened_open(&opened), 0);
    psx = psx_dump_of(opened.dump);
    if (indexed) {
        struct psx_vram_request request;
        struct psx_gpu_instance *instance = NULL;

        assert_int_equal(psx_index_wait_frame(&psx->index, 0, NULL), 0);
        psx_vram_request_frame(&psx->index, 0, true, &request);
        assert_int_equal(psx_replay_take(psx, &request, NULL, &instance), 0);
        check_area(contest, &request, known->vram, instance);
        psx_replay_give(psx, &instance);
    } else {
        ask_unknown(contest, psx, known, false);
    }
    ask_unknown(contest, psx, known + 1, false);
    psx_opened_close(&opened);
}

/*
 * An instance with all of VRAM at a frame's end may lack what the texel cache is needed for later.
 */
static void test_a_run_that_turns_out_stale(void **state)
{
    struct knowledge knowledge = {0};
    struct contest contest;
    struct psx_build build;

    (void)state;
    build_late_stale_run(&build);
    contest_start(&contest, "a late stale run", build.bytes, build.size);
    learn(&contest, &knowledge);
    ask_late(&contest, knowledge.list, false);
    ask_late(&contest, knowledge.list, true);
    forget(&knowledge);
    contest_end(&contest);
    psx_build_free(&build);
}

static void test_loads(void **state)
{
    (void)state;
    run_load("small", 48);
    run_load("typical", 32);
    run_load("large", 160);
}

/* Compares some positions of a dump of the corpus, whatever its length. */
static unsigned run_dump(const char *name, const uint8_t *dump, size_t size)
{
    enum { FRAMES = 8, PACKETS = 6 };
    struct contest contest;

    contest_start(&contest, name, dump, size);
    contest_make_keyframes(&contest, size / 32 + 1, 1 << 20);
    compare_frames(&contest, contest.index->frame_count / FRAMES + 1,
                   contest.index->packets / PACKETS + 1);
    contest_end(&contest);
    return contest.compared;
}

static bool ends_with(const char *name, const char *end)
{
    size_t length = strlen(name), tail = strlen(end);

    return length >= tail && strcmp(name + length - tail, end) == 0;
}

/* Runs all dumps of a folder of the corpus and of its subfolders. */
static unsigned run_folder(const char *path, unsigned *dumps)
{
    struct dirent **entries;
    int count = scandir(path, &entries, NULL, alphasort);
    unsigned compared = 0;

    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        char *inner = support_path(path, name);
        size_t size;
        uint8_t *dump = NULL;

        if (ends_with(name, ".psxgpu"))
            dump = support_read(inner, &size);
        else if (ends_with(name, ".psxgpu.zst"))
            dump = support_read_zst(inner, &size);
        else if (name[0] != '.' && entries[i]->d_type == DT_DIR)
            compared += run_folder(inner, dumps);
        if (dump != NULL) {
            compared += run_dump(inner, dump, size);
            ++*dumps;
        }
        free(dump);
        free(inner);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return compared;
}

static void test_corpus(void **state)
{
    char *path = support_corpus("psx");
    unsigned dumps = 0, compared = run_folder(path, &dumps);

    (void)state;
    free(path);
    print_message("%u dumps, %u slices\n", dumps, compared);
    assert_true(dumps >= 375);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_power_on),
        cmocka_unit_test(test_feedback),
        cmocka_unit_test(test_a_long_stale_run),
        cmocka_unit_test(test_replays_in_any_order),
        cmocka_unit_test(test_frames_before_the_index),
        cmocka_unit_test(test_a_run_that_turns_out_stale),
        cmocka_unit_test(test_loads),
        cmocka_unit_test(test_corpus),
    };

    psx_sketch_spacing = (struct psx_sketch_spacing){.min = 256, .max = 2048};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
