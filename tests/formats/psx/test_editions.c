/* SPDX-License-Identifier: MIT */
/*
 * A dump that was edited from another takes over what is known of the original (overlay.md 3). Its
 * index must equal, word for word, the index of the same bytes opened from scratch, and its files
 * as well.
 */
#include "tests/bench/load.h"
#include "tests/formats/psx/build.h"
#include "tests/formats/psx/feedback.h"
#include "tests/formats/psx/streams.h"
#include "tests/support/support.h"
#include "tests/support/walk.h"

#include "formats/psx/index/origin.h"
#include "formats/psx/replay/replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PARTS = 6, /* random dumps that make up one */
    SEEDS = 60,
    SOME = 59, /* every SOME-th packet is compared */
    EDITS = 3, /* max. number per dump */
    MAGIC = 14,
};

/* A dump, and the result of editing it */
struct edition {
    uint64_t random;
    struct psx_build origin, edited;
    struct source_edit edits[EDITS];
    size_t count;
};

static uint64_t pick(struct edition *edition, uint64_t below)
{
    return (support_random(&edition->random) >> 16) % below;
}

static uint64_t begin_of(const struct psx_build *build)
{
    return psx_magic_length(psx_magic_read(build->bytes, build->size));
}

/* Concatenates dumps, so that states differ from frame to frame and become equal again. */
static void build_parts(uint64_t seed, struct psx_build *out)
{
    unsigned number = 0;

    psx_build_start(out, PSX_MAGIC_14);
    for (unsigned part = 0; part < PARTS; part++) {
        struct psx_build more;

        if (part % 2 == seed % 2)
            psx_feedback_build(seed * PARTS + part, &more);
        else
            psx_streams_build(psx_streams_kind((unsigned)(seed + number++) % 8),
                              seed * PARTS + part, &more);
        psx_build_bytes(out, more.bytes + begin_of(&more), more.size - begin_of(&more));
        psx_build_free(&more);
    }
}

/* Picks any packet from `from` on. Returns its offset. */
static uint64_t any_packet(struct edition *edition, uint64_t from, struct psx_packet *packet)
{
    uint64_t room = edition->origin.size - from, wanted = from + pick(edition, room);
    uint64_t offset = MAGIC;

    while (psx_packet_read(edition->origin.bytes, edition->origin.size, offset, packet) &&
           (psx_packet_end(packet) <= wanted || offset < from))
        offset = psx_packet_end(packet);
    return offset;
}

static void add_some_packets(struct edition *edition, struct psx_build *by,
                             const struct psx_build *other)
{
    uint64_t offset = begin_of(other);
    struct psx_packet packet;

    for (uint64_t left = 1 + pick(edition, 40);
         left > 0 && psx_packet_read(other->bytes, other->size, offset, &packet); left--) {
        psx_build_bytes(by, other->bytes + offset, psx_packet_end(&packet) - offset);
        offset = psx_packet_end(&packet);
    }
}

/*
 * Replaces a packet by some packets of another dump, a VSync, a comment, nothing, or the same
 * packet with one bit changed.
 */
static void replace(struct edition *edition, const struct psx_packet *old, struct psx_build *by)
{
    struct psx_build other;

    psx_build_start(by, PSX_MAGIC_14);
    switch (pick(edition, 6)) {
    case 0:
        psx_build_vsync(by, 12345);
        break;
    case 1:
        psx_build_string(by, PSX_PACKET_COMMENT, "edited", 6);
        break;
    case 2: /* left out */
        break;
    case 3:
        psx_feedback_build(1 + pick(edition, 1000), &other);
        add_some_packets(edition, by, &other);
        psx_build_free(&other);
        break;
    default:
        psx_build_bytes(by, edition->origin.bytes + old->offset, psx_packet_end(old) - old->offset);
        if (old->words > 0)
            by->bytes[MAGIC + 4 + pick(edition, 4 * (uint64_t)old->words)] ^= 1 << pick(edition, 8);
        break;
    }
}

static void edit(struct edition *edition)
{
    uint64_t at = 0, wanted = 1 + pick(edition, EDITS);

    psx_build_start(&edition->edited, PSX_MAGIC_14);
    edition->edited.size = 0;
    for (uint64_t n = 0, from = MAGIC; n < wanted && from < edition->origin.size; n++) {
        struct psx_packet packet;
        struct psx_build by;
        uint64_t offset = any_packet(edition, from, &packet);

        if (offset >= edition->origin.size)
            break;
        replace(edition, &packet, &by);
        psx_build_bytes(&edition->edited, edition->origin.bytes + at, offset - at);
        psx_build_bytes(&edition->edited, by.bytes + MAGIC, by.size - MAGIC);
        edition->edits[edition->count++] =
            (struct source_edit){offset, psx_packet_end(&packet) - offset, NULL, by.size - MAGIC};
        at = from = psx_packet_end(&packet);
        psx_build_free(&by);
    }
    psx_build_bytes(&edition->edited, edition->origin.bytes + at, edition->origin.size - at);
}

static void edition_free(struct edition *edition)
{
    psx_build_free(&edition->origin);
    psx_build_free(&edition->edited);
}

/* Clears what has no meaning between two commands. */
static void forget(struct psx_parser_state *at)
{
    if (at->state.parser.phase != GP0_PHASE_IDLE)
        return;
    memset(&at->state.parser, 0, sizeof(at->state.parser));
    memset(at->state.last_vertex, 0, sizeof(at->state.last_vertex));
}

static void assert_same_checkpoints(const struct psx_index *one, const struct psx_index *other)
{
    uint64_t count = psx_parser_states_count(&one->checkpoints);

    assert_int_equal(count, psx_parser_states_count(&other->checkpoints));
    for (uint64_t n = 0; n < count; n++) {
        struct psx_parser_state a, b;

        psx_parser_states_get(&one->checkpoints, n, &a);
        psx_parser_states_get(&other->checkpoints, n, &b);
        forget(&a);
        forget(&b);
        assert_memory_equal(&a, &b, sizeof(a));
    }
}

static void assert_same_summaries(const struct psx_index *one, const struct psx_index *other)
{
    uint64_t count = psx_tile_summary_store_count(&one->summaries);

    assert_int_equal(count, psx_tile_summary_store_count(&other->summaries));
    for (uint64_t n = 0; n < count; n++) {
        struct psx_tile_summary a, b;

        psx_tile_summary_store_get(&one->summaries, n, &a);
        psx_tile_summary_store_get(&other->summaries, n, &b);
        assert_memory_equal(&a, &b, sizeof(a));
    }
    assert_int_equal(one->uploads.count, other->uploads.count);
    if (one->uploads.count > 0)
        assert_memory_equal(one->uploads.list, other->uploads.list,
                            one->uploads.count * sizeof(*one->uploads.list));
}

static void assert_same_packets(const struct psx_index *one, const struct psx_index *other)
{
    assert_int_equal(one->packets, other->packets);
    assert_int_equal(one->begin_packet, other->begin_packet);
    assert_int_equal(one->size, other->size);
    for (uint64_t n = 0; n < one->packets; n += SOME) {
        struct psx_packet a, b;

        assert_int_equal(psx_index_packet(one, n, &a), 0);
        assert_int_equal(psx_index_packet(other, n, &b), 0);
        assert_int_equal(a.offset, b.offset);
        assert_int_equal(psx_index_next_readback(one, n), psx_index_next_readback(other, n));
    }
    assert_int_equal(one->string_count, other->string_count);
    assert_memory_equal(one->strings, other->strings, sizeof(one->strings));
}

static void assert_same_frames(const struct psx_index *one, const struct psx_index *other)
{
    uint64_t count = one->frame_count;

    assert_int_equal(count, other->frame_count);
    assert_int_equal(one->first_stamped, other->first_stamped);
    for (uint64_t n = 0; n < count; n++) {
        assert_memory_equal(&one->frames[n].display, &other->frames[n].display,
                            sizeof(one->frames[n].display));
        assert_int_equal(one->frames[n].cycles, other->frames[n].cycles);
        assert_int_equal(one->frames[n].field, other->frames[n].field);
        assert_int_equal(one->frames[n].defects, other->frames[n].defects);
    }
    for (uint64_t n = 0; n <= count; n++) {
        assert_int_equal(one->frames[n].packet, other->frames[n].packet);
        assert_int_equal(one->frames[n].offset, other->frames[n].offset);
    }
    if (count > 0) {
        assert_memory_equal(one->counts, other->counts, count * sizeof(*one->counts));
        assert_memory_equal(one->frame_checkpoints, other->frame_checkpoints,
                            (count + 1) * sizeof(*one->frame_checkpoints));
    }
}

static void assert_same_runs(const struct psx_index *one, const struct psx_index *other)
{
    uint64_t count = psx_stale_runs_count(&one->stale_runs);

    assert_int_equal(count, psx_stale_runs_count(&other->stale_runs));
    assert_memory_equal(one->stale_runs.list, other->stale_runs.list, count * sizeof(uint32_t));
}

static void assert_same_index(const struct psx_index *one, const struct psx_index *other)
{
    assert_same_packets(one, other);
    assert_same_frames(one, other);
    assert_memory_equal(&one->totals, &other->totals, sizeof(one->totals));
    assert_same_checkpoints(one, other);
    assert_same_summaries(one, other);
    assert_same_runs(one, other);
}

static void assert_same_problems(const struct psx_opened *one, const struct psx_opened *other)
{
    struct text a = TEXT_INIT, b = TEXT_INIT;

    problems_write(one->problems, &a);
    problems_write(other->problems, &b);
    assert_int_equal(a.length, b.length);
    assert_memory_equal(a.bytes, b.bytes, a.length);
    text_clear(&a);
    text_clear(&b);
}

/*
 * The original, the edited dump with the original as its origin, and the edited bytes opened from
 * scratch
 */
struct editions {
    struct psx_opened origin, edited, scratch;
    struct format_origin by;
};

static void editions_open(struct editions *editions, const struct edition *edition,
                          bool texel_cache)
{
    struct psx_opened *all[] = {&editions->origin, &editions->edited, &editions->scratch};

    for (unsigned i = 0; i < 3; i++) {
        const struct psx_build *build = i == 0 ? &edition->origin : &edition->edited;
        struct psx_index *index;

        psx_opened_init(all[i], build->bytes, build->size);
        if (!texel_cache)
            assert_int_equal(
                options_parse(&all[i]->options, "psx-texel-cache=off", &all[i]->message), 1);
        editions->by =
            (struct format_origin){editions->origin.dump, edition->edits, edition->count};
        all[i]->origin = i == 1 ? &editions->by : NULL;
        assert_int_equal(psx_opened_open(all[i]), 0);
        index = psx_opened_index(all[i]);
        assert_int_equal(psx_index_wait_all(index, NULL), 0);
    }
}

static void editions_close(struct editions *editions)
{
    psx_opened_close(&editions->edited);
    psx_opened_close(&editions->scratch);
    psx_opened_close(&editions->origin);
}

/* What was taken over from the origin: frames by the command pass, packets by the packet pass */
struct taken {
    uint64_t frames, packets;
};

static void count_taken(const struct psx_index *index, struct taken *taken)
{
    taken->frames += index->origin->taken;
    for (size_t i = 0; i < index->taken.count; i++)
        taken->packets += index->taken.list[i].count;
}

static void check_index(const struct edition *edition, bool texel_cache, struct taken *taken)
{
    struct editions editions;

    editions_open(&editions, edition, texel_cache);
    assert_same_index(psx_opened_index(&editions.edited), psx_opened_index(&editions.scratch));
    assert_same_problems(&editions.edited, &editions.scratch);
    count_taken(psx_opened_index(&editions.edited), taken);
    editions_close(&editions);
}

static void indexes_of_edited_dumps_are_those_from_scratch(void **state)
{
    struct taken taken = {0};

    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed += support_stride()) {
        struct edition edition = {.random = seed};

        build_parts(seed, &edition.origin);
        edit(&edition);
        check_index(&edition, seed % 2 == 0, &taken);
        edition_free(&edition);
    }
    assert_true(taken.frames > SEEDS);
    assert_true(taken.packets > taken.frames);
}

/* Builds frames of one packet each, after an empty frame. */
static void build_frames(struct psx_build *build, const uint32_t *const *words,
                         const size_t *counts, size_t frames)
{
    psx_build_start(build, PSX_MAGIC_14);
    EMPTY_PACKET(build, PSX_PACKET_BEGIN);
    psx_build_full_area(build);
    psx_build_vsync(build, 0);
    for (size_t i = 0; i < frames; i++) {
        psx_build_packet(build, PSX_PACKET_GP0, words[i], counts[i]);
        psx_build_vsync(build, (i + 1) * 566121);
    }
}

enum { FRAMES = 6, WORDS = 8 };

/* Replaces the words of frame 1 by the same number of words, and checks the index. */
static void check_frame_1(const uint32_t origin[FRAMES][WORDS], const uint32_t edited[WORDS],
                          bool texel_cache)
{
    struct edition edition = {.random = 1, .count = 1};
    struct taken taken = {0};
    const uint32_t *words[FRAMES];
    size_t counts[FRAMES];
    struct psx_packet packet;
    uint64_t offset = MAGIC;

    for (unsigned i = 0; i < FRAMES; i++) {
        words[i] = origin[i];
        counts[i] = WORDS;
    }
    build_frames(&edition.origin, words, counts, FRAMES);
    words[0] = edited;
    build_frames(&edition.edited, words, counts, FRAMES);
    for (unsigned n = 0; n < 4; n++) { /* begin, area, vsync, the words of the first frame */
        assert_true(psx_packet_read(edition.origin.bytes, edition.origin.size, offset, &packet));
        offset = psx_packet_end(&packet);
    }
    edition.edits[0] = (struct source_edit){packet.offset, 4 + 4 * WORDS, NULL, 4 + 4 * WORDS};
    check_index(&edition, texel_cache, &taken);
    edition_free(&edition);
}

/* What was reported for the edited frame may now have to be reported for a later frame. */
static void an_unknown_byte_is_told_where_it_is_met_first(void **state)
{
    static const uint32_t origin[FRAMES][WORDS] = {{0xF0000000}, {0xF0000000}, {0},
                                                   {0xF1000000}, {0xF0000000}, {0}};
    static const uint32_t edited[WORDS] = {0xF2000000};

    (void)state;
    check_frame_1(origin, edited, false);
}

/* The contents of the texel cache survive frames in which nothing drops them. */
static void a_run_that_began_otherwise_is_followed(void **state)
{
    static const uint32_t origin[FRAMES][WORDS] = {
        {0xE1000105, 0x65808080, 0x00000010, 0, 0x00080008}, /* samples page 5 */
        {0},
        {0x60FFFFFF, 0x00000140, 0x00080008}, /* draws over it */
        {0},
        {0x01000000},
        {0}};
    static const uint32_t edited[WORDS] = {0xE1000105};

    (void)state;
    check_frame_1(origin, edited, true);
}

/*
 * Builds the trees of the origin, with its keyframes, of the edited dump, and of the same bytes
 * opened from scratch.
 */
static void editions_make_trees(struct editions *editions, const struct edition *edition)
{
    psx_opened_init(&editions->origin, edition->origin.bytes, edition->origin.size);
    psx_opened_tree(&editions->origin);
    assert_int_equal(psx_index_wait_all(psx_opened_index(&editions->origin), NULL), 0);
    assert_int_equal(psx_replay_prepare(psx_dump_of(editions->origin.dump), NULL), 0);
    editions->by = (struct format_origin){editions->origin.dump, edition->edits, edition->count};
    psx_opened_init(&editions->edited, edition->edited.bytes, edition->edited.size);
    editions->edited.origin = &editions->by;
    psx_opened_tree(&editions->edited);
    psx_opened_init(&editions->scratch, edition->edited.bytes, edition->edited.size);
    psx_opened_tree(&editions->scratch);
}

static void files_of_edited_dumps_are_those_from_scratch(void **state)
{
    static const struct walk_params some = {.max_entries = 2, .any_source = true};

    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        struct edition edition = {.random = seed};
        struct editions editions;
        struct walk_result edited, scratch;

        build_parts(seed, &edition.origin);
        edit(&edition);
        editions_make_trees(&editions, &edition);
        walk_tree(editions.edited.tree, &some, &edited);
        walk_tree(editions.scratch.tree, &some, &scratch);
        assert_int_equal(edited.files, scratch.files);
        assert_int_equal(edited.digest, scratch.digest);
        editions_close(&editions);
        edition_free(&edition);
    }
}

enum { LOAD_VSYNCS = 60, LOAD_EDITED = 30 };

/* Builds a load, and inserts a fill before one of its frames. */
static void build_load(struct edition *edition)
{
    FILE *file = tmpfile();
    struct psx_opened opened;
    struct psx_build fill;
    uint64_t at;
    long size;

    assert_non_null(file);
    assert_int_equal(load_write("typical", LOAD_VSYNCS, file), 0);
    size = ftell(file);
    rewind(file);
    psx_build_start(&edition->origin, PSX_MAGIC_14);
    edition->origin.bytes = realloc(edition->origin.bytes, (size_t)size);
    edition->origin.size = edition->origin.room = (size_t)size;
    assert_int_equal(fread(edition->origin.bytes, 1, (size_t)size, file), size);
    fclose(file);
    psx_opened_init(&opened, edition->origin.bytes, edition->origin.size);
    assert_int_equal(psx_opened_open(&opened), 0);
    at = psx_opened_index(&opened)->frames[LOAD_EDITED].offset;
    psx_opened_close(&opened);
    psx_build_start(&fill, PSX_MAGIC_14);
    GP0(&fill, 0x02332211, 0, 0x01FF03F0);
    psx_build_start(&edition->edited, PSX_MAGIC_14);
    edition->edited.size = 0;
    psx_build_bytes(&edition->edited, edition->origin.bytes, at);
    psx_build_bytes(&edition->edited, fill.bytes + MAGIC, fill.size - MAGIC);
    psx_build_bytes(&edition->edited, edition->origin.bytes + at, edition->origin.size - at);
    edition->edits[0] = (struct source_edit){at, 0, NULL, fill.size - MAGIC};
    edition->count = 1;
    psx_build_free(&fill);
}

static void keyframes_are_lent_up_to_the_first_edit(void **state)
{
    struct edition edition = {.random = 1};
    struct editions editions;

    (void)state;
    build_load(&edition);
    editions_make_trees(&editions, &edition);
    for (unsigned frame = LOAD_VSYNCS - 1; frame > 0; frame--) {
        size_t size, size_scratch;
        char name[32], *edited, *scratch;

        snprintf(name, sizeof(name), "vram/%06u.bin", frame);
        edited = walk_read(editions.edited.tree, name, &size);
        scratch = walk_read(editions.scratch.tree, name, &size_scratch);
        assert_int_equal(size, size_scratch);
        assert_memory_equal(edited, scratch, size);
        free(edited);
        free(scratch);
    }
    editions_close(&editions);
    edition_free(&edition);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(indexes_of_edited_dumps_are_those_from_scratch),
        cmocka_unit_test(an_unknown_byte_is_told_where_it_is_met_first),
        cmocka_unit_test(a_run_that_began_otherwise_is_followed),
        cmocka_unit_test(keyframes_are_lent_up_to_the_first_edit),
        cmocka_unit_test(files_of_edited_dumps_are_those_from_scratch),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
