/* SPDX-License-Identifier: MIT */
/*
 * The index counts commands that tell nothing new where they stand (index/command_pass.h). Here it
 * is held against one that goes step by step: counts, checkpoints, summaries and stale runs.
 */
#include "tests/formats/psx/build.h"
#include "tests/formats/psx/streams.h"

#include "formats/psx/gpu/texel_reach.h"
#include "formats/psx/index/walk.h"

#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

enum { FRAMES = 6, COMMANDS = 220, ROUNDS = 12, LONG_COMMANDS = 9000 };

static uint32_t below(uint64_t *random, uint32_t n)
{
    return (uint32_t)(support_random(random) >> 33) % n;
}

/* Words that are collected, and sent in packets that begin and end anywhere. */
struct sender {
    struct psx_build *build;
    uint64_t random;
    uint32_t words[64];
    uint32_t count;
};

static void send_words(struct sender *sender)
{
    uint32_t cut = below(&sender->random, 8) == 0 ? below(&sender->random, sender->count + 1) : 0;

    if (cut > 0)
        psx_build_packet(sender->build, PSX_PACKET_GP0, sender->words, cut);
    if (cut < sender->count)
        psx_build_packet(sender->build, PSX_PACKET_GP0, sender->words + cut, sender->count - cut);
    sender->count = 0;
}

static void put(struct sender *sender, uint32_t word)
{
    sender->words[sender->count++] = word;
}

/* Few different places, pages and palettes, so that most come again at once. */
static uint32_t corner(struct sender *sender)
{
    return below(&sender->random, 3) * 40 | below(&sender->random, 3) * 30 << 16;
}

static uint32_t clut(struct sender *sender)
{
    static const uint16_t ids[] = {480 << 6,          480 << 6,     480 << 6,
                                   0x8000 | 480 << 6, 481 << 6 | 4, 10 << 6};

    return (uint32_t)ids[below(&sender->random, COUNT_OF(ids))] << 16;
}

static uint32_t page(struct sender *sender)
{
    static const uint16_t pages[] = {0x05, 0x05, 0x05, 0x25, 0x85, 0x105, 0x185, 0x00, 0x80, 0x805};

    return pages[below(&sender->random, COUNT_OF(pages))];
}

static void put_polygon(struct sender *sender)
{
    uint8_t op = (uint8_t)(0x20 | below(&sender->random, 0x20));

    for (unsigned i = 0; i < (op & GP0_QUAD ? 4 : 3); i++) {
        if (i == 0)
            put(sender, (uint32_t)op << 24 | 0x123456);
        else if (op & GP0_GOURAUD)
            put(sender, 0x654321);
        put(sender, corner(sender));
        if (op & GP0_TEXTURED)
            put(sender, (i == 0   ? clut(sender)
                         : i == 1 ? page(sender) << 16
                                  : 0) |
                            below(&sender->random, 64));
    }
}

static void put_rectangle(struct sender *sender)
{
    uint8_t op = (uint8_t)(0x60 | below(&sender->random, 0x20));

    put(sender, (uint32_t)op << 24 | 0x808080);
    put(sender, corner(sender));
    if (op & GP0_TEXTURED)
        put(sender, clut(sender) | below(&sender->random, 64));
    if (!(op & 0x18))
        put(sender, below(&sender->random, 80) | below(&sender->random, 80) << 16);
}

static void put_line(struct sender *sender)
{
    uint8_t op = (uint8_t)(0x40 | below(&sender->random, 4) << 3);
    uint32_t more = op & 0x08 ? 1 + below(&sender->random, 4) : 1;

    put(sender, (uint32_t)op << 24);
    put(sender, corner(sender));
    for (uint32_t i = 0; i < more; i++) {
        if (op & GP0_GOURAUD)
            put(sender, 0x00FF00);
        put(sender,
            corner(sender) | (op & GP0_GOURAUD ? 0x50005000 : 0)); /* is no end mark there */
    }
    if (op & 0x08)
        put(sender, 0x55555555);
}

static void put_environment(struct sender *sender)
{
    static const uint32_t words[] = {0xE1000205, 0xE1000005, 0xE1000085, 0xE1000800, 0xE2000000,
                                     0xE3000000, 0xE407FDFF, 0xE40280A0, 0xE5000000, 0xE6000000};

    put(sender, words[below(&sender->random, COUNT_OF(words))]);
}

static void put_move(struct sender *sender)
{
    static const uint32_t fill[] = {0x02000000, 0x00000000, 0x00400040};
    static const uint32_t copy[] = {0x80000000, 0x00000000, 0x00800140, 0x00100010};
    static const uint32_t upload[] = {0xA0000000, 0x00000140, 0x00020004, 1, 2, 3, 4};
    static const struct {
        const uint32_t *words;
        unsigned count;
    } moves[] = {{fill, 3}, {copy, 4}, {upload, 7}};
    unsigned chosen = below(&sender->random, COUNT_OF(moves));

    for (unsigned i = 0; i < moves[chosen].count; i++)
        put(sender, moves[chosen].words[i]);
}

/* Rarely what ends what was told: the last of the words may be in progress. */
static void put_other(struct sender *sender)
{
    static const uint32_t gp1[] = {0x01000000, 0x09000001, 0x09000000, 0x05000000, 0x00000000};

    switch (below(&sender->random, 4)) {
    case 0:
        put(sender, 0x01000000);
        break;
    case 1:
        put_move(sender);
        break;
    case 2:
        send_words(sender);
        GP1(sender->build, gp1[below(&sender->random, COUNT_OF(gp1))]);
        break;
    default:
        put(sender, 0);
        break;
    }
}

static void put_command(struct sender *sender)
{
    uint32_t kind = below(&sender->random, 100);

    if (kind < 55)
        put_polygon(sender);
    else if (kind < 75)
        put_rectangle(sender);
    else if (kind < 85)
        put_line(sender);
    else if (kind < 97)
        put_environment(sender);
    else
        put_other(sender);
    if (sender->count > 20 || below(&sender->random, 3) > 0)
        send_words(sender);
}

static void build_dump(uint64_t seed, uint32_t version, unsigned commands, struct psx_build *build)
{
    struct sender sender = {.build = build, .random = seed};

    psx_build_start(build, PSX_MAGIC_16);
    PACKET(build, PSX_PACKET_VERSION, version);
    for (unsigned frame = 0; frame < FRAMES; frame++) {
        for (unsigned i = 0; i < commands; i++)
            put_command(&sender);
        if (frame == 1) {
            send_words(&sender);
            EMPTY_PACKET(build, PSX_PACKET_BEGIN);
        }
        EMPTY_PACKET(build, PSX_PACKET_VSYNC);
    }
    send_words(&sender);
}

/* What the index would be, step by step. */
struct steps {
    const struct psx_index *index;
    struct psx_walk walk;
    struct psx_tile_summary_maker maker;
    struct psx_texel_reach reach;
    uint64_t checkpoint, stale; /* the next of each */
    uint64_t command_frame;
    struct psx_frame_counts counts[FRAMES + 2];
};

static void compare_states(const struct psx_index *index, uint64_t checkpoint,
                           const struct psx_parser_state *at)
{
    struct psx_parser_state kept, wanted = *at;

    psx_parser_states_get(&index->checkpoints, checkpoint, &kept);
    for (unsigned i = wanted.state.parser.have; i < GP0_WORDS_MAX; i++)
        wanted.state.parser.words[i] = 0;
    assert_memory_equal(&kept, &wanted, sizeof(kept));
}

static void compare_summaries(const struct psx_index *index, uint64_t stretch,
                              const struct psx_tile_summary *wanted)
{
    struct psx_tile_summary kept;

    psx_tile_summary_store_get(&index->summaries, stretch, &kept);
    assert_memory_equal(&kept.written, &wanted->written, sizeof(kept.written));
    assert_memory_equal(&kept.killed, &wanted->killed, sizeof(kept.killed));
    assert_memory_equal(&kept.exposed, &wanted->exposed, sizeof(kept.exposed));
}

/* Where the index has a checkpoint, all is as it says. */
static void meet_checkpoint(struct steps *steps)
{
    struct psx_parser_state next;

    if (steps->checkpoint >= psx_parser_states_count(&steps->index->checkpoints))
        return;
    psx_parser_states_get(&steps->index->checkpoints, steps->checkpoint, &next);
    assert_false(psx_parser_state_is_before(&next, steps->walk.at.packet, steps->walk.at.word));
    if (next.packet != steps->walk.at.packet || next.word != steps->walk.at.word)
        return;
    compare_states(steps->index, steps->checkpoint, &steps->walk.at);
    psx_tile_summary_end_data(&steps->maker, &steps->walk.at.state);
    if (steps->checkpoint > 0)
        compare_summaries(steps->index, steps->checkpoint - 1, &steps->maker.summary);
    steps->maker = (struct psx_tile_summary_maker){0};
    steps->checkpoint++;
}

static void count_step(struct steps *steps, const struct psx_step *step)
{
    const uint64_t frame = steps->walk.at.frame == PSX_INITIAL ? FRAMES + 1 : steps->walk.at.frame;
    struct psx_frame_counts *now = &steps->counts[frame];

    if (step->kind == PSX_STEP_GP1)
        now->commands++;
    if (step->kind == PSX_STEP_PACKET && step->packet.type >= PSX_PACKET_VSYNC &&
        step->packet.type <= PSX_PACKET_BEGIN)
        now->commands++;
    if (step->kind != PSX_STEP_GP0)
        return;
    now->gp0_words += step->words;
    now->commands += step->event.begins;
    if (step->event.begins)
        steps->command_frame = frame;
    if (step->event.type == GP0_EVENT_COMMAND)
        steps->counts[steps->command_frame].draws +=
            psx_kind_draws(psx_gp0_table[step->event.op].kind);
}

static void look_at_texels(struct steps *steps, const struct psx_gp0_event *event)
{
    const uint32_t run = steps->reach.run;
    const bool known = steps->reach.stale;

    psx_texel_reach_event(&steps->reach, &steps->walk.at.state, event);
    if (!steps->index->texel_cache || !steps->reach.stale || (known && run == steps->reach.run))
        return;
    assert_true(steps->stale < psx_stale_runs_count(&steps->index->stale_runs));
    assert_int_equal(steps->index->stale_runs.list[steps->stale], steps->reach.run);
    steps->stale++;
}

static void take_step(struct steps *steps, const struct psx_step *step)
{
    struct psx_gp0_event line = step->event;

    count_step(steps, step);
    if (step->kind == PSX_STEP_GP0) {
        if (step->event.type == GP0_EVENT_SEGMENT)
            psx_state_segment(&steps->walk.at.state, &step->event, &line);
        steps->maker.lists = true;
        psx_tile_summary_event(&steps->maker, &steps->walk.at.state, &step->event);
    } else if (step->kind == PSX_STEP_GP1 && psx_gp1_turns_data(step->gp1)) {
        psx_tile_summary_end_data(&steps->maker, &steps->walk.at.state);
    }
    psx_walk_apply(&steps->walk, step);
    if (step->kind == PSX_STEP_GP0)
        look_at_texels(steps, &line);
}

static void compare(const struct psx_index *index)
{
    struct steps steps = {.index = index};
    struct psx_step step;

    psx_walk_start(&steps.walk, index);
    meet_checkpoint(&steps);
    while (psx_walk_next(&steps.walk, &step)) {
        take_step(&steps, &step);
        meet_checkpoint(&steps);
    }
    assert_int_equal(steps.checkpoint, psx_parser_states_count(&index->checkpoints));
    assert_int_equal(steps.stale, psx_stale_runs_count(&index->stale_runs));
    for (uint64_t frame = 0; frame < index->frame_count; frame++) {
        assert_int_equal(index->counts[frame].gp0_words, steps.counts[frame].gp0_words);
        assert_int_equal(index->counts[frame].commands, steps.counts[frame].commands);
        assert_int_equal(index->counts[frame].draws, steps.counts[frame].draws);
    }
}

static void compare_dump(const struct psx_build *build, bool texel_cache)
{
    struct psx_opened opened;
    struct text error = TEXT_INIT;

    psx_opened_init(&opened, build->bytes, build->size);
    if (!texel_cache)
        assert_int_equal(options_parse(&opened.options, "psx-texel-cache=off", &error), 1);
    assert_int_equal(psx_opened_open(&opened), 0);
    assert_int_equal(psx_index_wait_all(psx_opened_index(&opened), NULL), 0);
    compare(psx_opened_index(&opened));
    psx_opened_close(&opened);
    text_clear(&error);
}

static void what_repeats_is_as_step_by_step(void **state)
{
    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct psx_build build;

        build_dump(round + 1, round % 3 + 1, COMMANDS, &build);
        compare_dump(&build, true);
        compare_dump(&build, false);
        psx_build_free(&build);
    }
}

/* Bit 15 of a palette's id counts while lines from 512 on are addressed, and is kept behind that.
 */
static void palettes_from_line_512_on_are_others(void **state)
{
    struct psx_build build;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_16);
    PACKET(&build, PSX_PACKET_VERSION, 3);
    psx_build_full_area(&build);
    GP0(&build, 0xE1000005);
    GP1(&build, 0x09000001);
    GP0(&build, 0x7C808080, 0, 0xF8000000);
    GP1(&build, 0x09000000);
    GP0(&build, 0x20808080, 0, 10, 10 << 16);
    GP0(&build, 0x7C808080, 0, 0x78000000);
    psx_build_vsync(&build, 0);
    GP0(&build, 0x7C808080, 0, 0x78000000);
    psx_build_vsync(&build, 0);
    compare_dump(&build, true);
    compare_dump(&build, false);
    psx_build_free(&build);
}

/* E1 keeps its bit 11 when lines from 512 on are out of reach again, and loses it with the next. */
static void the_same_e1_may_be_another_page(void **state)
{
    struct psx_build build;

    (void)state;
    psx_build_start(&build, PSX_MAGIC_16);
    PACKET(&build, PSX_PACKET_VERSION, 3);
    psx_build_full_area(&build);
    GP1(&build, 0x09000001);
    GP0(&build, 0xE1000800);
    GP1(&build, 0x09000000);
    GP0(&build, 0x7C808080, 100, 0x78000000);
    GP0(&build, 0xE1000800);
    GP0(&build, 0x7C808080, 100, 0x78000000);
    psx_build_vsync(&build, 0);
    compare_dump(&build, true);
    compare_dump(&build, false);
    psx_build_free(&build);
}

/* Frames that have checkpoints within them. */
static void checkpoints_within_frames_are_where_steps_have_them(void **state)
{
    struct psx_build build;

    (void)state;
    build_dump(77, 2, LONG_COMMANDS, &build);
    compare_dump(&build, true);
    psx_build_free(&build);
}

static void streams_of_all_kinds_are_as_step_by_step(void **state)
{
    static const char *const kinds[] = {"everything", "feedback", "areas", "first-gpu", "2-mib"};

    (void)state;
    for (unsigned i = 0; i < COUNT_OF(kinds); i++) {
        struct psx_build build;

        assert_true(psx_streams_build(kinds[i], 5, &build));
        compare_dump(&build, true);
        psx_build_free(&build);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_repeats_is_as_step_by_step),
        cmocka_unit_test(palettes_from_line_512_on_are_others),
        cmocka_unit_test(the_same_e1_may_be_another_page),
        cmocka_unit_test(checkpoints_within_frames_are_where_steps_have_them),
        cmocka_unit_test(streams_of_all_kinds_are_as_step_by_step),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
