/* SPDX-License-Identifier: MIT */
#include "tests/formats/psx/build.h"

#include "formats/psx/gpu/state.h"
#include "formats/psx/index/indexing.h"
#include "formats/psx/index/walk.h"
#include "formats/psx/views/views.h"

#include "tests/formats/psx/play.h"
#include "tests/support/support.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* An index without a tree */
struct indexed {
    struct source source;
    struct options options;
    struct problems *problems;
    struct psx_index index;
};

static int open_bytes(struct indexed *indexed, const void *bytes, size_t size, uint64_t max_memory)
{
    *indexed = (struct indexed){.source = {.data = bytes, .size = size}};
    assert_int_equal(format_options_init(&indexed->options), 0);
    assert_int_equal(problems_create(&indexed->problems), 0);
    if (max_memory != 0)
        indexed->options.max_memory = max_memory;
    return psx_index_open(&indexed->source, &indexed->options, indexed->problems, NULL,
                          &indexed->index);
}

static void open_build(struct indexed *indexed, const struct psx_build *build)
{
    assert_int_equal(open_bytes(indexed, build->bytes, build->size, 0), 0);
}

static void close_indexed(struct indexed *indexed)
{
    psx_index_close(&indexed->index);
    problems_destroy(&indexed->problems);
    options_clear(&indexed->options);
}

static void a_magic_alone_is_an_empty_dump(void **state)
{
    struct psx_build build;
    struct indexed indexed;
    struct psx_packet packet;

    (void)state;
    for (enum psx_magic magic = PSX_MAGIC_14; magic <= PSX_MAGIC_16; magic++) {
        psx_build_start(&build, magic);
        open_build(&indexed, &build);
        assert_int_equal(indexed.index.packets, 0);
        assert_int_equal(indexed.index.frame_count, 0);
        assert_int_equal(psx_index_packet(&indexed.index, 0, &packet), -ENOENT);
        assert_int_equal(psx_index_frame_of(&indexed.index, 0), PSX_INITIAL);
        assert_int_equal(psx_index_next_readback(&indexed.index, 0), PSX_NO_PACKET);
        assert_int_equal(psx_index_wait_all(&indexed.index, NULL), 0);
        close_indexed(&indexed);
        psx_build_free(&build);
    }
}

/* Counts steps until one fails, immediately before which the walk is cancelled */
struct seen {
    struct cancel cancel;
    uint64_t count, fails; /* number of the step that fails; 0: none */
};

static int see_step(void *context, const struct psx_walk *walk, const struct psx_step *step)
{
    struct seen *seen = context;

    (void)walk;
    (void)step;
    if (++seen->count != seen->fails)
        return 0;
    cancel_raise(&seen->cancel);
    return -ENOMEM;
}

static void a_walk_ends_with_what_failed_first(void **state)
{
    struct psx_build build;
    struct indexed indexed;
    struct seen seen = {.fails = 0};
    struct psx_walk walk;
    uint64_t all;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_14);
    EMPTY_PACKET(&build, PSX_PACKET_BEGIN);
    for (unsigned i = 0; i < 20000; i++)
        GP1(&build, 0x05000000 | i % 512);
    open_build(&indexed, &build);
    assert_int_equal(psx_index_wait_all(&indexed.index, NULL), 0);
    for (uint64_t i = 0; i + 1 < psx_parser_states_count(&indexed.index.checkpoints); i++)
        assert_int_equal(psx_walk_checkpoint(&indexed.index, i, see_step, &seen, NULL), 0);
    all = seen.count;
    assert_true(all > 20000);
    for (uint64_t fails = 4094; fails < 4100;
         fails++) { /* at some of these the cancel flag is polled */
        seen = (struct seen){.fails = fails};
        cancel_init(&seen.cancel, NULL);
        psx_walk_start(&walk, &indexed.index);
        assert_int_equal(psx_walk_each(&walk, UINT64_MAX, 0, see_step, &seen, &seen.cancel),
                         -ENOMEM);
        assert_int_equal(seen.count, fails);
        assert_int_equal(psx_walk_each(&walk, UINT64_MAX, 0, see_step, &seen, &seen.cancel),
                         -EINTR);
        assert_true(seen.count < all);
    }
    close_indexed(&indexed);
    psx_build_free(&build);
}

static void frames_begin_at_trace_begin(void **state)
{
    struct psx_build build;
    struct indexed indexed;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_14);
    GP1(&build, 0x05000000 | 2);
    EMPTY_PACKET(&build, PSX_PACKET_VSYNC);
    EMPTY_PACKET(&build, PSX_PACKET_BEGIN); /* packet 2 */
    GP1(&build, 0x08000001);
    EMPTY_PACKET(&build, PSX_PACKET_VSYNC); /* 4: ends frame 0 */
    GP1(&build, 0x05000000 | 6);
    EMPTY_PACKET(&build, PSX_PACKET_VSYNC); /* 6: ends frame 1 */
    psx_build_string(&build, PSX_PACKET_COMMENT, "end", 3);
    open_build(&indexed, &build);
    assert_int_equal(indexed.index.begin_packet, 2);
    assert_int_equal(indexed.index.frame_count, 2);
    assert_int_equal(indexed.index.totals.vsyncs, 3);
    assert_int_equal(indexed.index.frames[0].packet, 2);
    assert_int_equal(indexed.index.frames[0].display.start, 2);
    assert_int_equal(indexed.index.frames[0].display.mode, 1);
    assert_int_equal(indexed.index.frames[1].packet, 5);
    assert_int_equal(indexed.index.frames[1].display.start, 6);
    assert_int_equal(indexed.index.frames[2].packet, 7);
    assert_int_equal(psx_index_frame_of(&indexed.index, 1), PSX_INITIAL);
    assert_int_equal(psx_index_frame_of(&indexed.index, 2), 0);
    assert_int_equal(psx_index_frame_of(&indexed.index, 4), 0);
    assert_int_equal(psx_index_frame_of(&indexed.index, 6), 1);
    assert_int_equal(psx_index_frame_of(&indexed.index, 7), PSX_INITIAL);
    assert_false(psx_frame_flips(&indexed.index, 0));
    assert_true(psx_frame_flips(&indexed.index, 1));
    close_indexed(&indexed);
    psx_build_free(&build);
}

static void an_unfinished_frame_needs_words(void **state)
{
    struct psx_build build;
    struct indexed indexed;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_16);
    EMPTY_PACKET(&build, PSX_PACKET_VSYNC);
    EMPTY_PACKET(&build, PSX_PACKET_GP0);
    open_build(&indexed, &build);
    assert_int_equal(indexed.index.frame_count, 1);
    assert_false(indexed.index.frames[0].unfinished);
    close_indexed(&indexed);

    GP0(&build, 0);
    open_build(&indexed, &build);
    assert_int_equal(indexed.index.frame_count, 2);
    assert_true(indexed.index.frames[1].unfinished);
    assert_int_equal(indexed.index.frames[1].packet, 1);
    assert_int_equal(indexed.index.frames[2].packet, 3);
    assert_int_equal(psx_index_wait_frame(&indexed.index, 1, NULL), 0);
    assert_int_equal(indexed.index.counts[1].commands, 1);
    close_indexed(&indexed);
    psx_build_free(&build);
}

/* Words before Trace begin do not make a frame. */
static void begin_at_the_end_makes_no_frame(void **state)
{
    struct psx_build build;
    struct indexed indexed;
    struct psx_parser_state place;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_16);
    GP0(&build, 0xE1000001);
    EMPTY_PACKET(&build, PSX_PACKET_BEGIN);
    open_build(&indexed, &build);
    assert_int_equal(indexed.index.frame_count, 0);
    assert_int_equal(psx_index_wait_all(&indexed.index, NULL), 0);
    psx_index_frame_checkpoint(&indexed.index, 0, &place);
    assert_int_equal(place.packet, 1);
    assert_int_equal(place.state.registers.e[1], 1);
    close_indexed(&indexed);
    psx_build_free(&build);
}

static void one_word_stamps_are_unwrapped(void **state)
{
    struct psx_build build;
    struct indexed indexed;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_16);
    EMPTY_PACKET(&build, PSX_PACKET_VSYNC);
    PACKET(&build, PSX_PACKET_VSYNC, 0xFFFFFF00);
    PACKET(&build, PSX_PACKET_VSYNC, 0x00000100);
    EMPTY_PACKET(&build, PSX_PACKET_VSYNC);
    psx_build_vsync(&build, UINT64_C(0x200000000));
    PACKET(&build, PSX_PACKET_VSYNC, 0x00000001);
    open_build(&indexed, &build);
    assert_int_equal(indexed.index.first_stamped, 1);
    assert_true(isnan(psx_frame_time(&indexed.index, 0)));
    assert_true(psx_frame_time(&indexed.index, 1) == 0);
    assert_int_equal(indexed.index.frames[2].cycles, UINT64_C(0x100000100));
    assert_true(isnan(psx_frame_time(&indexed.index, 3)));
    assert_int_equal(indexed.index.frames[5].cycles, UINT64_C(0x200000001));
    assert_float_equal(psx_frame_time(&indexed.index, 2), 512 / 33868800.0, 1e-9);
    close_indexed(&indexed);
    psx_build_free(&build);
}

static void packets_are_found_by_number(void **state)
{
    enum { COUNT = 5000 };
    struct psx_build build;
    struct indexed indexed;
    struct psx_packet packet;
    uint64_t offset = 16, found;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_16);
    for (unsigned i = 0; i < COUNT; i++)
        psx_build_packet(&build, i == 3000 || i == 4999 ? PSX_PACKET_DISCARD : 0x40 + i % 64, NULL,
                         i % 3);
    open_build(&indexed, &build);
    assert_int_equal(indexed.index.packets, COUNT);
    for (unsigned i = 0; i < COUNT; i++) {
        assert_int_equal(psx_index_packet(&indexed.index, i, &packet), 0);
        assert_int_equal(packet.offset, offset);
        assert_int_equal(packet.words, i % 3);
        offset += 4 + 4 * (i % 3);
    }
    assert_int_equal(psx_index_packet(&indexed.index, COUNT, &packet), -ENOENT);
    assert_int_equal(found = psx_index_next_readback(&indexed.index, 0), 3000);
    assert_int_equal(found = psx_index_next_readback(&indexed.index, 3000), 3000);
    assert_int_equal(found = psx_index_next_readback(&indexed.index, 3001), 4999);
    assert_int_equal(found = psx_index_next_readback(&indexed.index, 5000), PSX_NO_PACKET);
    close_indexed(&indexed);
    psx_build_free(&build);
}

static void a_frame_without_drawing_is_the_same_as_before(void **state)
{
    struct psx_build build;
    struct indexed indexed;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_16);
    GP0(&build, 0x02FFFFFF, 0, 0x00100010);
    EMPTY_PACKET(&build, PSX_PACKET_VSYNC);
    EMPTY_PACKET(&build, PSX_PACKET_VSYNC);
    GP0(&build, 0xE1000000);
    GP1(&build, 0x05000002);
    EMPTY_PACKET(&build, PSX_PACKET_VSYNC);
    EMPTY_PACKET(&build, PSX_PACKET_VSYNC);
    GP0(&build, 0xA0000000, 0, 0x00010002);
    EMPTY_PACKET(&build, PSX_PACKET_VSYNC);
    GP0(&build, 0);
    EMPTY_PACKET(&build, PSX_PACKET_VSYNC);
    open_build(&indexed, &build);
    assert_int_equal(psx_index_wait_all(&indexed.index, NULL), 0);

    static const uint32_t same_vram[] = {0, 1, 2, 3, 4, 0}, same_picture[] = {0, 1, 0, 1, 2, 0};

    for (unsigned i = 0; i < 6; i++) {
        assert_int_equal(indexed.index.counts[i].same_vram, same_vram[i]);
        assert_int_equal(indexed.index.counts[i].same_picture, same_picture[i]);
    }
    close_indexed(&indexed);
    psx_build_free(&build);
}

/* Builds random packets over random words, so that commands, uploads and polylines span them. */
static void build_random(struct psx_build *build, uint64_t *random, unsigned packets)
{
    static const uint8_t types[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 2, 3, 4, 5, 6, 0x10, 0x33};

    psx_build_start(build, support_random(random) % 2 ? PSX_MAGIC_14 : PSX_MAGIC_16);
    for (unsigned i = 0; i < packets; i++) {
        uint8_t type = types[support_random(random) % COUNT_OF(types)];
        unsigned words = (unsigned)(support_random(random) % (type == 0 ? 200 : 3));

        psx_build_word(build, (uint32_t)type << 24 | words);
        for (unsigned w = 0; w < words; w++) {
            uint32_t word = (uint32_t)support_random(random);

            if (support_random(random) % 4 == 0)
                word &= 0x0003000F;
            if (type == 1 && support_random(random) % 8 != 0)
                word |= 0x02000000;
            if (support_random(random) % 16 == 0)
                word = 0x50005000;
            psx_build_word(build, word);
        }
        build->packets++;
    }
}

/* From every checkpoint of the index, a walk comes to the same end as from the start. */
static void a_walk_can_resume_at_every_place(void **state)
{
    uint64_t random = 11;

    (void)state;
    for (unsigned round = 0; round < 10; round++) {
        struct psx_build build;
        struct indexed indexed;
        struct psx_walk through, resumed;
        struct psx_parser_state place;
        struct psx_step step;
        uint64_t next = 0;

        build_random(&build, &random, 4000);
        open_build(&indexed, &build);
        assert_int_equal(psx_index_wait_all(&indexed.index, NULL), 0);
        assert_true(psx_parser_states_count(&indexed.index.checkpoints) > 100);
        psx_walk_start(&through, &indexed.index);
        for (;;) {
            psx_parser_states_get(&indexed.index.checkpoints, next, &place);
            if (place.packet == through.at.packet && place.word == through.at.word) {
                memset(through.at.state.parser.words + through.at.state.parser.have, 0,
                       4 * (GP0_WORDS_MAX - through.at.state.parser.have));
                assert_memory_equal(&place, &through.at, sizeof(place));
                if (++next == psx_parser_states_count(&indexed.index.checkpoints))
                    break;
            }
            if (!psx_walk_next(&through, &step))
                break;
            psx_walk_apply(&through, &step);
        }
        assert_int_equal(next, psx_parser_states_count(&indexed.index.checkpoints));
        psx_walk_resume(&resumed, &indexed.index, &place);
        assert_memory_equal(&resumed.at, &place, sizeof(place));
        close_indexed(&indexed);
        psx_build_free(&build);
    }
}

static void places_are_found_by_position(void **state)
{
    struct psx_build build;
    struct indexed indexed;
    struct psx_parser_state place;
    uint64_t random = 5;

    (void)state;
    build_random(&build, &random, 3000);
    open_build(&indexed, &build);
    assert_int_equal(psx_index_wait_all(&indexed.index, NULL), 0);
    for (uint64_t packet = 0; packet < indexed.index.packets; packet += 7) {
        uint64_t found = psx_parser_states_find(&indexed.index.checkpoints, packet, 1), last = 0;

        for (uint64_t n = 0; n < psx_parser_states_count(&indexed.index.checkpoints); n++) {
            psx_parser_states_get(&indexed.index.checkpoints, n, &place);
            if (place.packet < packet || (place.packet == packet && place.word <= 1))
                last = n;
        }
        assert_int_equal(found, last);
    }
    close_indexed(&indexed);
    psx_build_free(&build);
}

/* What the index knows without drawing equals what a GPU computes by drawing. */
struct comparison {
    struct psx_index *index;
    uint64_t frame;
};

static void compare_at_vsync(void *context, const struct psx_play *play)
{
    struct comparison *comparison = context;
    struct psx_index *index = comparison->index;
    struct psx_state expected = play->gpu->state;
    struct psx_parser_state place;

    if (comparison->frame + 1 > index->frame_count ||
        play->number + 1 != index->frames[comparison->frame + 1].packet)
        return;
    psx_index_frame_checkpoint(index, ++comparison->frame, &place);
    assert_memory_equal(&place.state.registers, &expected.registers, sizeof(expected.registers));
    assert_int_equal(place.state.parser.phase, expected.parser.phase);
    assert_int_equal(place.state.parser.have, expected.parser.have);
    assert_int_equal(place.state.parser.due, expected.parser.due);
    assert_int_equal(place.state.clut.entries, expected.clut.entries);
    if (expected.clut.entries > 0)
        assert_int_equal(place.state.clut.id, expected.clut.id);
    assert_memory_equal(&place.state.upload, &expected.upload, sizeof(expected.upload));
    assert_memory_equal(&place.state.read, &expected.read, sizeof(expected.read));
}

static void the_index_agrees_with_the_machine(void **state)
{
    uint64_t random = 77;

    (void)state;
    for (unsigned round = 0; round < 6; round++) {
        struct psx_build build;
        struct indexed indexed;
        struct psx_gpu *gpu = NULL;
        struct comparison comparison = {.index = &indexed.index};

        build_random(&build, &random, 60);
        open_build(&indexed, &build);
        assert_int_equal(psx_index_wait_all(&indexed.index, NULL), 0);
        assert_int_equal(psx_gpu_create(PSX_GPU_SECOND, &gpu), 0);
        psx_play(build.bytes, build.size, PSX_FIELD_AUTO, gpu, compare_at_vsync, &comparison);
        psx_gpu_destroy(&gpu);
        close_indexed(&indexed);
        psx_build_free(&build);
    }
}

/* Builds many frames and commands, so that the command pass takes many slices of time. */
static void build_long(struct psx_build *build)
{
    psx_build_start(build, PSX_MAGIC_16);
    for (unsigned frame = 0; frame < 3000; frame++) {
        for (unsigned i = 0; i < 50; i++)
            GP0(build, 0x20000000, 0x00010001, 0x00020003, frame, 0xE1000000 | frame);
        EMPTY_PACKET(build, PSX_PACKET_VSYNC);
    }
}

static void a_frame_needs_the_pass_up_to_it_only(void **state)
{
    struct psx_build build;
    struct indexed indexed;

    (void)state;
    build_long(&build);
    open_build(&indexed, &build);
    assert_int_equal(psx_index_wait_frame(&indexed.index, 10, NULL), 0);
    assert_int_equal(indexed.index.counts[10].draws, 50);
    assert_false(index_task_knows_all(&indexed.index.pass));
    assert_int_equal(psx_index_wait_packet(&indexed.index, 60000, NULL), 0);
    assert_false(index_task_knows_all(&indexed.index.pass));
    assert_int_equal(psx_index_wait_all(&indexed.index, NULL), 0);
    assert_true(index_task_knows_all(&indexed.index.pass));
    close_indexed(&indexed);
    psx_build_free(&build);
}

static void a_cancelled_caller_leaves(void **state)
{
    struct psx_build build;
    struct indexed indexed;
    struct cancel cancel;

    (void)state;
    build_long(&build);
    open_build(&indexed, &build);
    cancel_init(&cancel, NULL);
    cancel_raise(&cancel);
    assert_int_equal(psx_index_wait_all(&indexed.index, &cancel), -EINTR);
    assert_int_equal(psx_index_wait_all(&indexed.index, NULL), 0);
    close_indexed(&indexed);
    psx_build_free(&build);
}

/* cmocka's assertions belong to the main thread, so this returns the first wrong frame instead. */
static void *wait_for_frames(void *context)
{
    struct psx_index *index = context;
    struct psx_parser_state place;

    for (uint64_t frame = 0; frame < index->frame_count; frame += 97) {
        if (psx_index_wait_frame(index, frame, NULL) != 0)
            return &index->frames[frame];
        psx_index_frame_checkpoint(index, frame + 1, &place);
        if (index->counts[frame].commands != 101 || place.packet != 51 * (frame + 1) ||
            place.state.registers.e[1] != (frame & 0x7FF))
            return &index->frames[frame];
    }
    return NULL;
}

static void many_may_wait(void **state)
{
    struct psx_build build;
    struct indexed indexed;
    pthread_t threads[4];
    void *wrong = NULL;

    (void)state;
    build_long(&build);
    open_build(&indexed, &build);
    for (unsigned i = 0; i < COUNT_OF(threads); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, wait_for_frames, &indexed.index), 0);
    for (unsigned i = 0; i < COUNT_OF(threads); i++) {
        assert_int_equal(pthread_join(threads[i], &wrong), 0);
        assert_null(wrong);
    }
    close_indexed(&indexed);
    psx_build_free(&build);
}

static bool has_problem(const struct indexed *indexed, const char *what)
{
    struct text text = TEXT_INIT;
    bool found;

    problems_write(indexed->problems, &text);
    text_add_char(&text, '\0');
    found = strstr(text.bytes, what) != NULL;
    text_clear(&text);
    return found;
}

/* A command half received at Trace begin is drawn in frame 0, but no frame lists it. */
static void a_command_cut_by_trace_begin_is_no_frames(void **state)
{
    struct psx_build build;
    struct psx_opened opened;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_16);
    GP0(&build, 0x02FFFFFF, 0);
    EMPTY_PACKET(&build, PSX_PACKET_BEGIN);
    GP0(&build, 0x00100010, 0x02FFFFFF, 0, 0x00100010);
    psx_build_vsync(&build, 0);
    psx_opened_build(&opened, &build);

    struct psx_index *index = psx_opened_index(&opened);

    assert_int_equal(psx_index_wait_all(index, NULL), 0);
    assert_int_equal(index->counts[0].draws, 1);
    assert_int_equal(index->totals.draws, 2);
    psx_opened_close(&opened);
    psx_build_free(&build);
}

static uint64_t frames_known(const struct psx_index *index) LOCKS_UNCHECKED
{
    return index->pass.position.frames;
}

/*
 * Words that are not commands do not make checkpoints: there is room only for those of the stream.
 */
static void packets_of_any_type_leave_room_for_frames(void **state)
{
    static const uint8_t types[] = {0x7F, PSX_PACKET_GP1, PSX_PACKET_COMMENT, PSX_PACKET_GP0};
    struct psx_build build;
    struct psx_opened opened;

    (void)state;
    for (unsigned t = 0; t < sizeof(types); t++) {
        psx_build_start(&build, PSX_MAGIC_16);
        for (unsigned i = 0; i < 12; i++) {
            psx_build_packet(&build, types[t], NULL, 100000);
            psx_build_vsync(&build, 566121 * i);
        }
        psx_opened_build(&opened, &build);

        struct psx_index *index = psx_opened_index(&opened);

        assert_int_equal(psx_index_wait_all(index, NULL), 0);
        assert_int_equal(frames_known(index), 12);
        assert_true(psx_parser_states_count(&index->checkpoints) < index->checkpoints.max);
        psx_opened_close(&opened);
        psx_build_free(&build);
    }
}

static void limits_are_told(void **state)
{
    struct psx_build build;
    struct indexed indexed;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_16);
    for (unsigned i = 0; i < 2000; i++)
        EMPTY_PACKET(&build, PSX_PACKET_VSYNC);
    assert_int_equal(open_bytes(&indexed, build.bytes, build.size, 256 * 1024), 0);
    assert_in_range(indexed.index.frame_count, 100, 1000);
    assert_true(has_problem(&indexed, " frames: what follows is not shown"));
    assert_int_equal(psx_index_wait_all(&indexed.index, NULL), 0);
    close_indexed(&indexed);

    assert_int_equal(open_bytes(&indexed, build.bytes, build.size, 32), 0);
    assert_int_equal(indexed.index.packets, 0);
    assert_true(has_problem(&indexed, "more than 0 frames"));
    close_indexed(&indexed);
    psx_build_free(&build);
}

static void memory_that_is_short_is_an_error(void **state)
{
    struct psx_build build;
    struct indexed indexed;
    uint64_t random = 3;

    (void)state;
    build_random(&build, &random, 3000);
    for (int n = 0; n == 0 || support_allocation_failed(); n++) {
        int status;

        indexed = (struct indexed){.source = {.data = build.bytes, .size = build.size}};
        assert_int_equal(format_options_init(&indexed.options), 0);
        assert_int_equal(problems_create(&indexed.problems), 0);
        support_fail_allocation(n);
        status = psx_index_open(&indexed.source, &indexed.options, indexed.problems, NULL,
                                &indexed.index);
        support_fail_allocation(-1);
        if (status == 0)
            psx_index_close(&indexed.index);
        else
            assert_int_equal(status, -ENOMEM);
        problems_destroy(&indexed.problems);
        options_clear(&indexed.options);
    }
    psx_build_free(&build);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_magic_alone_is_an_empty_dump),
        cmocka_unit_test(a_walk_ends_with_what_failed_first),
        cmocka_unit_test(frames_begin_at_trace_begin),
        cmocka_unit_test(an_unfinished_frame_needs_words),
        cmocka_unit_test(begin_at_the_end_makes_no_frame),
        cmocka_unit_test(one_word_stamps_are_unwrapped),
        cmocka_unit_test(packets_are_found_by_number),
        cmocka_unit_test(a_frame_without_drawing_is_the_same_as_before),
        cmocka_unit_test(a_walk_can_resume_at_every_place),
        cmocka_unit_test(places_are_found_by_position),
        cmocka_unit_test(the_index_agrees_with_the_machine),
        cmocka_unit_test(a_frame_needs_the_pass_up_to_it_only),
        cmocka_unit_test(a_cancelled_caller_leaves),
        cmocka_unit_test(many_may_wait),
        cmocka_unit_test(a_command_cut_by_trace_begin_is_no_frames),
        cmocka_unit_test(packets_of_any_type_leave_room_for_frames),
        cmocka_unit_test(limits_are_told),
        cmocka_unit_test(memory_that_is_short_is_an_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
