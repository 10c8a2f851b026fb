/* SPDX-License-Identifier: MIT */
/*
 * Compares a sketch (index/sketch.h) with a walk over the same stream, step by step: the state at
 * each checkpoint, the stale runs of the texel cache, and what stretches write, of which the sketch
 * may report too much but never too little.
 */
#include "tests/bench/load.h"
#include "tests/formats/psx/build.h"
#include "tests/formats/psx/feedback.h"
#include "tests/formats/psx/repeating.h"
#include "tests/formats/psx/steps.h"
#include "tests/formats/psx/streams.h"
#include "tests/support/support.h"

#include "formats/psx/index/sketch.h"
#include "formats/psx/index/sketch_pass.h"
#include "formats/psx/index/walk.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Compares what slices need of a state. The words of a complete command have no meaning. */
static void compare_states(const struct psx_state *sketched, const struct psx_state *walked)
{
    assert_memory_equal(&sketched->registers.e, &walked->registers.e, sizeof(walked->registers.e));
    assert_memory_equal(&sketched->registers.display, &walked->registers.display,
                        sizeof(walked->registers.display));
    assert_int_equal(sketched->registers.gpuread, walked->registers.gpuread);
    assert_int_equal(sketched->registers.field, walked->registers.field);
    assert_int_equal(sketched->registers.irq, walked->registers.irq);
    assert_int_equal(sketched->parser.phase, walked->parser.phase);
    if (walked->parser.phase != GP0_PHASE_IDLE) {
        assert_int_equal(sketched->parser.op, walked->parser.op);
        assert_int_equal(sketched->parser.have, walked->parser.have);
        assert_int_equal(sketched->parser.need, walked->parser.need);
        assert_int_equal(sketched->parser.due, walked->parser.due);
        assert_memory_equal(sketched->parser.words, walked->parser.words,
                            walked->parser.have * sizeof(walked->parser.words[0]));
    }
    assert_int_equal(sketched->clut.id, walked->clut.id);
    assert_int_equal(sketched->clut.entries, walked->clut.entries);
    assert_memory_equal(&sketched->upload, &walked->upload, sizeof(walked->upload));
    assert_memory_equal(&sketched->read, &walked->read, sizeof(walked->read));
    assert_memory_equal(sketched->last_vertex, walked->last_vertex, sizeof(walked->last_vertex));
    assert_int_equal(sketched->texel_run, walked->texel_run);
    assert_int_equal(sketched->restoring, walked->restoring);
}

static void compare_checkpoint(const struct psx_steps *steps, const struct psx_parser_state *kept)
{
    struct psx_walk resumed;
    struct psx_tiles written, drawn;

    psx_walk_resume(&resumed, steps->index, kept);
    assert_int_equal(resumed.at.offset, steps->walk.at.offset);
    assert_int_equal(resumed.at.frame, steps->walk.at.frame);
    compare_states(&resumed.at.state, &steps->walk.at.state);
    if (steps->checkpoint == 0)
        return;
    psx_tile_summary_store_get_written(steps->told.summaries, steps->checkpoint - 1, &written);
    psx_tile_summary_store_get_drawn(steps->told.summaries, steps->checkpoint - 1, &drawn);
    assert_true(psx_tiles_hold(&written, &steps->maker.summary.written));
    assert_int_equal(written.latches, steps->maker.summary.written.latches);
    assert_true(psx_tiles_hold(&written, &drawn));
}

static void compare(const struct psx_index *index, const struct psx_sketch *sketch)
{
    struct psx_steps steps = {
        .index = index, .told = psx_sketch_stretches(sketch), .meet = compare_checkpoint};

    psx_steps_compare(&steps);
}

/* A dump that was opened, and a sketch of it that has been started */
struct sketched {
    struct psx_opened opened;
    const struct psx_index *index;
    struct psx_sketch *sketch;
};

static void open_sketched(const void *bytes, size_t size, const char *options,
                          struct sketched *sketched)
{
    struct text error = TEXT_INIT;

    psx_opened_init(&sketched->opened, bytes, size);
    if (options != NULL)
        assert_int_equal(options_parse(&sketched->opened.options, options, &error), 1);
    assert_int_equal(psx_opened_open(&sketched->opened), 0);
    sketched->index = psx_opened_index(&sketched->opened);
    assert_true(psx_sketch_is_possible(sketched->index));
    assert_int_equal(psx_sketch_create(sketched->index, NULL, NULL, &sketched->sketch), 0);
    text_clear(&error);
}

/* Completes the sketch, compares all of it with the walk step by step, and closes the dump. */
static void end_sketched(struct sketched *sketched)
{
    const struct psx_index *index = sketched->index;

    assert_int_equal(psx_sketch_reach(sketched->sketch, index->packets, NULL), 0);
    assert_in_range(psx_sketch_offset(sketched->sketch), index->size - 3, index->size);
    compare(index, sketched->sketch);
    psx_sketch_destroy(&sketched->sketch);
    psx_opened_close(&sketched->opened);
}

static void compare_bytes(const void *bytes, size_t size, const char *options)
{
    struct sketched sketched;

    open_sketched(bytes, size, options, &sketched);
    end_sketched(&sketched);
}

enum { PARTS = 16 };

/*
 * Lets psx_sketch_help() do the work of a second thread on the same thread: after each sixteenth of
 * the dump, another part is begun ahead, unless there is one. Returns how many parts were taken
 * over, and adds the number of those that were not to *misses.
 */
static unsigned compare_helped(const void *bytes, size_t size, const char *options,
                               unsigned *misses)
{
    struct sketched sketched;
    unsigned joins = 0, missed = 0;

    open_sketched(bytes, size, options, &sketched);
    for (unsigned n = 1; n < PARTS; n++) {
        struct psx_sketch *sketch = sketched.sketch;
        const uint64_t packets = sketched.index->packets;
        const bool helped = sketch->ahead != NULL;

        assert_int_equal(psx_sketch_reach(sketch, packets * n / PARTS, NULL), 0);
        joins += helped && sketch->ahead == NULL && sketch->misses == missed;
        missed = sketch->misses;
        psx_sketch_help(sketch, packets * (n + PARTS) / 2 / PARTS, NULL);
    }
    end_sketched(&sketched);
    *misses += missed;
    return joins;
}

static void compare_build(struct psx_build *build)
{
    compare_bytes(build->bytes, build->size, NULL);
    compare_bytes(build->bytes, build->size, "psx-texel-cache=off");
    psx_build_free(build);
}

static void streams_of_all_kinds_are_as_step_by_step(void **state)
{
    static const char *const kinds[] = {"everything", "feedback", "areas", "first-gpu", "2-mib"};

    (void)state;
    for (unsigned i = 0; i < COUNT_OF(kinds); i++)
        for (uint64_t seed = 1; seed <= 6; seed++) {
            struct psx_build build;

            assert_true(psx_streams_build(kinds[i], seed, &build));
            compare_build(&build);
        }
}

/* Copies the same words with all GP0 words between two other packets merged into one packet. */
static void merge_packets(const struct psx_build *from, struct psx_build *out)
{
    uint32_t *words = malloc(from->size);
    size_t count = 0;
    struct psx_packet packet;

    assert_non_null(words);
    psx_build_start(out, PSX_MAGIC_16);
    for (uint64_t offset = psx_magic_length(PSX_MAGIC_16);
         psx_packet_read(from->bytes, from->size, offset, &packet);
         offset = psx_packet_end(&packet)) {
        if (packet.type == PSX_PACKET_GP0) {
            memcpy(words + count, packet.payload, 4 * (size_t)packet.words);
            count += packet.words;
            continue;
        }
        if (count > 0)
            psx_build_packet(out, PSX_PACKET_GP0, words, count);
        count = 0;
        psx_build_bytes(out, from->bytes + packet.offset, 4 + 4 * (size_t)packet.words);
    }
    free(words);
}

static void long_packets_are_as_step_by_step(void **state)
{
    static const char *const kinds[] = {"everything", "feedback", "2-mib"};
    unsigned misses = 0;

    (void)state;
    for (unsigned i = 0; i < COUNT_OF(kinds); i++)
        for (uint64_t seed = 1; seed <= 4; seed++) {
            struct psx_build build, merged;

            assert_true(psx_streams_build(kinds[i], seed, &build));
            merge_packets(&build, &merged);
            compare_helped(merged.bytes, merged.size, NULL, &misses);
            compare_build(&merged);
            psx_build_free(&build);
        }
}

/* Otherwise a packet would be read as one stretch. */
static void checkpoints_are_within_packets(void **state)
{
    enum { WORDS = 3 * 4000 };
    uint32_t *words = malloc(sizeof(*words) * WORDS);
    struct psx_build build;
    struct sketched sketched;
    uint64_t count;

    (void)state;
    assert_non_null(words);
    for (uint32_t i = 0; i < WORDS; i += 3) {
        words[i] = 0x60000000 | i;
        words[i + 1] = i % 512;
        words[i + 2] = 0x00080008;
    }
    psx_build_start(&build, PSX_MAGIC_16);
    psx_build_full_area(&build);
    psx_build_packet(&build, PSX_PACKET_GP0, words, WORDS);
    psx_build_vsync(&build, 0);
    open_sketched(build.bytes, build.size, NULL, &sketched);
    assert_int_equal(psx_sketch_reach_frame(sketched.sketch, 0, NULL), 0);
    count = psx_parser_states_count(&sketched.sketch->checkpoints);
    assert_in_range(count, build.size / (psx_sketch_spacing.max + 16),
                    build.size / psx_sketch_spacing.max + 2);
    end_sketched(&sketched);
    psx_build_free(&build);
    free(words);
}

static void feedback_is_as_step_by_step(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        struct psx_build build;

        psx_feedback_build_version(seed * 7919, (uint32_t)(seed % 4), &build);
        compare_build(&build);
    }
}

/* A stream of primitives, each of which samples texels near the pixels that it draws. */
struct near {
    uint64_t random;
    uint32_t x, y; /* where the current run draws in VRAM */
    uint32_t offset_x, offset_y;
    uint32_t words[GP0_WORDS_MAX];
};

static uint32_t near_pick(struct near *near, uint32_t below)
{
    return (uint32_t)(support_random(&near->random) >> 20) % below;
}

/* A position near the run's, before the offset: often one that wraps at 11 bits. */
static uint32_t near_vertex(struct near *near)
{
    const uint32_t x = near->x + near_pick(near, 96) - 32 - near->offset_x;
    const uint32_t y = near->y + near_pick(near, 96) - 32 - near->offset_y;

    return (x & 0x7FF) | (y & 0x7FF) << 16;
}

/* Texels around those under the run's position in a page that begins at column 0. */
static uint32_t near_texel(struct near *near, unsigned depth, uint32_t upper)
{
    const uint32_t u = (near->x << (2 - depth)) + near_pick(near, 64) - 32;
    const uint32_t v = near->y + near_pick(near, 64) - 32;

    return (u & 0xFF) | (v & 0xFF) << 8 | upper << 16;
}

static void near_primitive(struct near *near, uint32_t page, struct psx_build *build)
{
    static const uint8_t ops[] = {0x20, 0x24, 0x25, 0x28, 0x2C, 0x34, 0x3C, 0x3E, 0x30, 0x38,
                                  0x40, 0x50, 0x60, 0x64, 0x66, 0x64, 0x6C, 0x74, 0x7C};
    const uint8_t op = ops[near_pick(near, COUNT_OF(ops))];
    const struct psx_gp0_info *info = &psx_gp0_table[op];
    const bool rectangle = info->kind == GP0_RECTANGLE;
    const bool textured = info->kind != GP0_LINE && (op & GP0_TEXTURED);
    const bool gouraud = !rectangle && (op & GP0_GOURAUD);
    unsigned count = 0, vertex = 0;

    while (count < info->words) {
        if (vertex == 0 || gouraud)
            near->words[count++] = near_pick(near, 0xFFFFFF);
        near->words[count++] = near_vertex(near);
        if (textured)
            near->words[count++] =
                near_texel(near, page >> 7 & 3, vertex == 0 ? near_pick(near, 64) : page);
        vertex++;
        if (rectangle && count < info->words)
            near->words[count++] = near_pick(near, 40) | near_pick(near, 40) << 16;
    }
    near->words[0] = (near->words[0] & 0xFFFFFF) | (uint32_t)op << 24;
    psx_build_packet(build, PSX_PACKET_GP0, near->words, info->words);
}

/* Begins to draw somewhere in the first texture page, which the drawing area overlaps there. */
static void near_run(struct near *near, unsigned depth, struct psx_build *build)
{
    static const uint16_t offsets[] = {0, 1023, 1025, 2046}; /* the last two are negative */
    const uint32_t left = near_pick(near, 3) * 24, top = near_pick(near, 3) * 64;

    near->x = left + near_pick(near, 32);
    near->y = top + near_pick(near, 32);
    near->offset_x = offsets[near_pick(near, COUNT_OF(offsets))];
    near->offset_y = offsets[near_pick(near, COUNT_OF(offsets))];
    GP0(build, 0xE1000000 | depth << 7 | near_pick(near, 4) << 12);
    GP0(build, 0xE2000000 | (near_pick(near, 6) ? 0 : near_pick(near, 1 << 20)));
    GP0(build, 0xE3000000 | left | top << 10);
    GP0(build, 0xE4000000 | (left + 48) | (top + 48) << 10);
    GP0(build, 0xE5000000 | near->offset_x | near->offset_y << 11);
}

/* Whether a run turns stale depends on the exact pixels and texels: bounds must not lose any. */
static void texels_near_pixels_are_as_step_by_step(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 160; seed++) {
        struct near near = {.random = seed};
        struct psx_build build;

        psx_build_start(&build, PSX_MAGIC_16);
        for (unsigned run = 0; run < 100; run++) {
            const unsigned depth = near_pick(&near, 3);

            near_run(&near, depth, &build);
            for (unsigned i = near_pick(&near, 5); i < 5; i++)
                near_primitive(&near, depth << 7, &build);
            GP0(&build, 0xE1000001); /* another page: the next run */
            if (run % 10 == 9)
                psx_build_vsync(&build, run * UINT64_C(5661));
        }
        compare_build(&build);
    }
}

/*
 * The texels of a page beyond line 511 (2 MiB) are recorded in two steps, because the offset
 * changes between them. A box around both contains what is drawn last.
 */
static void pages_beyond_line_511_are_as_step_by_step(void **state)
{
    struct psx_build build;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_16);
    PACKET(&build, PSX_PACKET_VERSION, 3);
    GP1(&build, 0x09000001);
    GP0(&build, 0xE100090F);
    GP0(&build, 0xE3000000, 0xE4000000 | 48 | 112 << 10);
    GP0(&build, 0x6C808080, 100 << 16 | 40, 40 << 8 | 80);
    GP0(&build, 0xE5000001);
    GP0(&build, 0x6C808080, 70 << 16 | 44, 100 << 8 | 100);
    GP0(&build, 0x70808080, 60 << 16 | 20);
    psx_build_vsync(&build, 1);
    compare_build(&build);
}

static void what_repeats_is_as_step_by_step(void **state)
{
    (void)state;
    for (unsigned round = 1; round <= 12; round++) {
        struct psx_build build;

        psx_repeating_build(round, round % 3 + 1, 8, 400, &build);
        compare_build(&build);
    }
}

static void loads_are_as_step_by_step(void **state)
{
    char *bytes;
    size_t size;
    FILE *file = open_memstream(&bytes, &size);

    (void)state;
    assert_non_null(file);
    assert_int_equal(load_write("large", 200, file), 0);
    assert_int_equal(fclose(file), 0);
    compare_bytes(bytes, size, NULL);
    free(bytes);
}

static void a_dump_may_end_anywhere(void **state)
{
    struct psx_build build;

    (void)state;
    assert_true(psx_streams_build("everything", 3, &build));
    for (size_t cut = 0; cut < 120; cut++)
        compare_bytes(build.bytes, build.size - cut, NULL);
    psx_build_free(&build);
}

/* The result is the same however little of the assumed state is correct. */
static void parts_of_two_threads_are_as_step_by_step(void **state)
{
    static const char *const options[] = {NULL, "psx-texel-cache=off"};
    unsigned joins = 0, misses = 0;

    (void)state;
    for (unsigned round = 1; round <= 24; round++) {
        struct psx_build build;

        psx_repeating_build(round, round % 3 + 1, 150, round * 4, &build);
        joins += compare_helped(build.bytes, build.size, options[round % 2], &misses);
        psx_build_free(&build);
    }
    assert_true(joins > 24);
}

/* An offset is set once, before the middle, so that the state assumed after that is wrong. */
static void what_was_supposed_wrongly_is_left_out(void **state)
{
    enum { FRAMES = 400, TRIANGLES = 12 };
    struct psx_build build;
    unsigned joins, misses = 0;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_16);
    psx_build_full_area(&build);
    for (unsigned frame = 0; frame < FRAMES; frame++) {
        if (frame == FRAMES / 4)
            GP0(&build, 0xE5000000 | 5);
        for (unsigned i = 0; i < TRIANGLES; i++)
            GP0(&build, 0x20000000 | frame, i, 10 + i, (20 + i) << 16);
        psx_build_vsync(&build, frame);
    }
    joins = compare_helped(build.bytes, build.size, NULL, &misses);
    assert_int_equal(misses, 1);
    assert_true(joins > 0);
    psx_build_free(&build);
}

/* A second thread that helps until it is stopped */
struct helper {
    struct psx_sketch *sketch;
    uint64_t packets;
    atomic_bool ends;
};

static void *help(void *context)
{
    struct helper *helper = context;

    while (!helper->ends)
        psx_sketch_help(helper->sketch, helper->packets, NULL);
    return NULL;
}

static void a_second_thread_may_help_at_any_time(void **state)
{
    (void)state;
    for (unsigned round = 1; round <= 12; round++) {
        struct psx_build build;
        struct sketched sketched;
        struct helper helper;
        pthread_t thread;

        psx_repeating_build(round, round % 3 + 1, 120, 80, &build);
        open_sketched(build.bytes, build.size, NULL, &sketched);
        helper = (struct helper){.sketch = sketched.sketch, .packets = sketched.index->packets};
        assert_int_equal(pthread_create(&thread, NULL, help, &helper), 0);
        for (unsigned n = 1; n <= round; n++)
            assert_int_equal(psx_sketch_reach(sketched.sketch, helper.packets * n / round, NULL),
                             0);
        helper.ends = true;
        pthread_join(thread, NULL);
        end_sketched(&sketched);
        psx_build_free(&build);
    }
}

static void a_game_is_joined(void **state)
{
    unsigned joins, misses = 0;
    char *bytes;
    size_t size;
    FILE *file = open_memstream(&bytes, &size);

    (void)state;
    assert_non_null(file);
    assert_int_equal(load_write("large", 150, file), 0);
    assert_int_equal(fclose(file), 0);
    joins = compare_helped(bytes, size, NULL, &misses);
    free(bytes);
    assert_true(joins > 1);
    assert_int_equal(misses, 0);
}

/* Each word is in a packet of its own: a sketch would be no faster than the command pass. */
static void where_little_is_saved_it_gives_up(void **state)
{
    enum { COMMANDS = 300000 };
    struct psx_build build;
    struct sketched sketched;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_16);
    for (unsigned i = 0; i < COMMANDS; i++)
        GP0(&build, 0x01000000);
    psx_build_vsync(&build, 0);
    open_sketched(build.bytes, build.size, NULL, &sketched);
    assert_int_equal(psx_sketch_reach_frame(sketched.sketch, 0, NULL), -EFBIG);
    psx_sketch_destroy(&sketched.sketch);
    psx_opened_close(&sketched.opened);
    psx_build_free(&build);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_of_all_kinds_are_as_step_by_step),
        cmocka_unit_test(long_packets_are_as_step_by_step),
        cmocka_unit_test(checkpoints_are_within_packets),
        cmocka_unit_test(feedback_is_as_step_by_step),
        cmocka_unit_test(texels_near_pixels_are_as_step_by_step),
        cmocka_unit_test(pages_beyond_line_511_are_as_step_by_step),
        cmocka_unit_test(what_repeats_is_as_step_by_step),
        cmocka_unit_test(loads_are_as_step_by_step),
        cmocka_unit_test(a_dump_may_end_anywhere),
        cmocka_unit_test(parts_of_two_threads_are_as_step_by_step),
        cmocka_unit_test(what_was_supposed_wrongly_is_left_out),
        cmocka_unit_test(a_second_thread_may_help_at_any_time),
        cmocka_unit_test(a_game_is_joined),
        cmocka_unit_test(where_little_is_saved_it_gives_up),
    };

    psx_sketch_spacing = (struct psx_sketch_spacing){.min = 128, .max = 1024};
    psx_sketch_helping = (struct psx_sketch_helping){.min = 2048, .from = 256};
    psx_sketch_piece = 1024;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
