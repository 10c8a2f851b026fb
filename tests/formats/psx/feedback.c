/* SPDX-License-Identifier: MIT */
#include "tests/formats/psx/feedback.h"

#include "tests/support/support.h"

#include <stdlib.h>

enum {
    FRAMES = 14,
    COMMANDS = 30, /* of a frame, on average */
    STAGE_X = 256, /* most coordinates are below these, so that commands overlap */
    STAGE_Y = 128,
    PACKET_WORDS = 64,
};

struct feedback {
    uint64_t random;
    struct psx_build *build;
    uint32_t words[PACKET_WORDS]; /* of the GP0 packet in progress */
    unsigned count;
    uint64_t cycles;
    bool small_packets;
    bool two_mib;
};

static uint32_t pick(struct feedback *feedback, uint32_t below)
{
    return (uint32_t)(support_random(&feedback->random) >> 20) % below;
}

static bool once_in(struct feedback *feedback, uint32_t times)
{
    return pick(feedback, times) == 0;
}

static void flush(struct feedback *feedback)
{
    if (feedback->count > 0)
        psx_build_packet(feedback->build, PSX_PACKET_GP0, feedback->words, feedback->count);
    feedback->count = 0;
}

static void end_frame(struct feedback *feedback)
{
    flush(feedback);
    feedback->cycles += once_in(feedback, 2) ? 563969 : 566121;
    psx_build_vsync(feedback->build, feedback->cycles);
}

static void gp1(struct feedback *feedback, uint32_t word)
{
    flush(feedback);
    GP1(feedback->build, word);
}

/* Appends a packet that takes words from the read that may be open. */
static void take_read(struct feedback *feedback)
{
    flush(feedback);
    PACKET(feedback->build, once_in(feedback, 2) ? PSX_PACKET_READBACK : PSX_PACKET_DISCARD,
           pick(feedback, 200));
}

/*
 * Appends a GP0 word. Now and then ends the packet or the frame after it, or inserts something
 * else.
 */
static void put(struct feedback *feedback, uint32_t word)
{
    feedback->words[feedback->count++] = word;
    if (feedback->count == PACKET_WORDS || once_in(feedback, feedback->small_packets ? 2 : 40))
        flush(feedback);
    if (once_in(feedback, 900))
        end_frame(feedback);
    if (once_in(feedback, 500))
        gp1(feedback, 0x05000000 | pick(feedback, STAGE_X / 2) | pick(feedback, STAGE_Y) << 10);
    if (once_in(feedback, 900))
        gp1(feedback, 0x08000001 | (once_in(feedback, 2) ? 0x24 : 0));
    if (once_in(feedback, feedback->two_mib ? 300 : 1500))
        gp1(feedback, 0x09000000 | (feedback->two_mib ? !once_in(feedback, 4) : pick(feedback, 2)));
    if (once_in(feedback, 700))
        take_read(feedback);
}

/* Returns an offset in lines: with 2 MiB, the stage has copies around lines 512 and 1024. */
static uint32_t lift(struct feedback *feedback)
{
    static const uint32_t stages[] = {0, 0, 448, 512, 960};

    return feedback->two_mib ? stages[pick(feedback, COUNT_OF(stages))] << 16 : 0;
}

static uint32_t position(struct feedback *feedback)
{
    if (once_in(feedback, 24))
        return (uint32_t)support_random(&feedback->random);
    return (pick(feedback, STAGE_X) | pick(feedback, STAGE_Y) << 16) + lift(feedback);
}

/*
 * Returns a position for commands that are not primitives; often the corner of a tile, for complete
 * tiles.
 */
static uint32_t corner(struct feedback *feedback)
{
    if (once_in(feedback, 2))
        return (pick(feedback, STAGE_X / 64) * 64 | pick(feedback, STAGE_Y / 16) * 16 << 16) +
               lift(feedback);
    return position(feedback);
}

static uint32_t extent(struct feedback *feedback)
{
    if (once_in(feedback, 2))
        return (pick(feedback, 3) + 1) * 64 | (pick(feedback, 4) + 1) * 16 << 16;
    if (once_in(feedback, 24))
        return (uint32_t)support_random(&feedback->random);
    return pick(feedback, 140) | pick(feedback, 70) << 16;
}

static uint32_t colour(struct feedback *feedback)
{
    return (uint32_t)support_random(&feedback->random) & 0xFFFFFF;
}

/* Returns one of few palettes, so that each is used again, and drawn over in between. */
static uint32_t clut_id(struct feedback *feedback)
{
    return (pick(feedback, 3) * 40 << 6 | pick(feedback, 3) * 5) +
           (once_in(feedback, 30) ? 63 : 0) + (lift(feedback) >> 16 << 6);
}

static uint32_t page(struct feedback *feedback)
{
    uint32_t place = once_in(feedback, 20) ? 15 : pick(feedback, STAGE_X / 64);

    if (feedback->two_mib)
        place |= pick(feedback, 2) << 4 | pick(feedback, 2) << 11;
    return place | pick(feedback, 4) << 5 | pick(feedback, 4) << 7;
}

/* Sets an area with lines from 512 on, which without 2 MiB mirror those of the stage. */
static void put_lower_area(struct feedback *feedback)
{
    uint32_t y = once_in(feedback, 2) ? pick(feedback, 700) : 0;

    put(feedback, 0xE3000000 | pick(feedback, 100) | y << 10);
    put(feedback, 0xE4000000 | 1023 | (y + pick(feedback, 1024 - y)) << 10);
    put(feedback, 0xE5000000 | pick(feedback, 40) | (480 + pick(feedback, 64)) << 11);
}

static void put_area(struct feedback *feedback)
{
    uint32_t x = pick(feedback, 160), y = pick(feedback, 80);

    if (once_in(feedback, 6)) {
        put_lower_area(feedback);
        return;
    }

    if (once_in(feedback, feedback->two_mib ? 2 : 3)) {
        put(feedback, 0xE3000000);
        put(feedback, 0xE4000000 | 1023 | (feedback->two_mib ? 1023 : 511) << 10);
        return;
    }
    put(feedback, 0xE3000000 | x | y << 10);
    put(feedback, 0xE4000000 | (x + pick(feedback, 200)) | (y + pick(feedback, 100)) << 10);
    if (once_in(feedback, 12))
        put(feedback, 0xE3000000 | 900); /* an empty area */
}

static void put_page(struct feedback *feedback)
{
    put(feedback, 0xE1000000 | page(feedback) | pick(feedback, 2) << 9 | pick(feedback, 2) << 10 |
                      pick(feedback, 4) << 12);
}

static void put_environment(struct feedback *feedback)
{
    switch (pick(feedback, 6)) {
    case 0:
        put_page(feedback);
        break;
    case 1:
        put(feedback,
            0xE2000000 |
                (once_in(feedback, 2) ? (uint32_t)support_random(&feedback->random) & 0xFFFFF : 0));
        break;
    case 2:
        put(feedback, 0xE6000000 | (once_in(feedback, 3) ? pick(feedback, 4) : 0));
        break;
    case 3:
        put(feedback, 0xE5000000 | pick(feedback, 40) | pick(feedback, 20) << 11);
        break;
    default:
        put_area(feedback);
        break;
    }
}

static void put_texel(struct feedback *feedback, unsigned vertex)
{
    uint32_t texel = (uint32_t)support_random(&feedback->random) & 0x7FFF;

    if (vertex == 0)
        texel |= clut_id(feedback) << 16;
    else if (vertex == 1)
        texel |= page(feedback) << 16;
    put(feedback, texel);
}

/*
 * Appends a quad that is a rectangle and may overwrite complete tiles, or a rectangle except for
 * one coordinate.
 */
static void put_upright_quad(struct feedback *feedback)
{
    uint32_t from = corner(feedback), to = from + extent(feedback);
    uint32_t a = (from & 0xFFFF) | (to & 0xFFFF0000), b = (to & 0xFFFF) | (from & 0xFFFF0000);
    bool mirrored = once_in(feedback, 2);
    uint32_t vertices[4] = {from, mirrored ? a : b, mirrored ? b : a, to};

    if (once_in(feedback, 2))
        vertices[pick(feedback, 4)] += pick(feedback, 60) << (once_in(feedback, 2) ? 16 : 0);
    put(feedback, 0x28000000 | (once_in(feedback, 4) ? 2 << 24 : 0) | colour(feedback));
    for (unsigned i = 0; i < 4; i++)
        put(feedback, vertices[i]);
}

static void put_polygon(struct feedback *feedback)
{
    uint32_t op = 0x20 | pick(feedback, 32);

    if (once_in(feedback, 8)) {
        put_upright_quad(feedback);
        return;
    }
    put(feedback, op << 24 | colour(feedback));
    for (unsigned i = 0; i < (op & 8 ? 4u : 3u); i++) {
        if (i > 0 && (op & 0x10))
            put(feedback, colour(feedback));
        put(feedback, position(feedback));
        if (op & 4)
            put_texel(feedback, i);
    }
}

static void put_line(struct feedback *feedback)
{
    uint32_t op = 0x40 | pick(feedback, 32);
    unsigned vertices = op & 8 ? 2 + pick(feedback, 12) : 2;

    put(feedback, op << 24 | colour(feedback));
    for (unsigned i = 0; i < vertices; i++) {
        if (i > 0 && (op & 0x10))
            put(feedback, colour(feedback));
        put(feedback, position(feedback) & 0x0FFF0FFF);
    }
    if (op & 8)
        put(feedback, 0x55555555);
}

static void put_rectangle(struct feedback *feedback)
{
    uint32_t op = 0x60 | pick(feedback, 32);

    if (once_in(feedback, 3))
        op = 0x60;
    else if (once_in(feedback, 2))
        put_page(feedback);
    put(feedback, op << 24 | colour(feedback));
    put(feedback, corner(feedback));
    if (op & 4)
        put_texel(feedback, 0);
    if ((op & 0x18) == 0)
        put(feedback, extent(feedback));
}

/*
 * Appends an upload, which now and then is aborted before its end; GP1(00) resets all settings as
 * well.
 */
static void put_upload(struct feedback *feedback)
{
    uint32_t size = extent(feedback);
    uint32_t words = (gp0_transfer_width(size) * gp0_transfer_height(size) + 1) / 2;
    uint32_t last = once_in(feedback, 5) ? pick(feedback, words) : UINT32_MAX;

    put(feedback, 0xA0000000);
    put(feedback, corner(feedback));
    put(feedback, size);
    for (uint32_t i = 0; i < words; i++) {
        put(feedback, (uint32_t)support_random(&feedback->random));
        if (i != last)
            continue;
        gp1(feedback, once_in(feedback, 2) ? 0x00000000 : 0x01000000);
        put_area(feedback);
        return;
    }
}

/* Appends a wide copy that overlaps itself. */
static void put_overlapping_copy(struct feedback *feedback)
{
    uint32_t from = corner(feedback);

    put(feedback, 0x80000000);
    put(feedback, from);
    put(feedback, ((from + pick(feedback, 300)) & 0x3FF) | ((from >> 16) + pick(feedback, 2))
                                                               << 16);
    put(feedback, (pick(feedback, 900) + 1) | (pick(feedback, 8) + 1) << 16);
}

static void put_copy(struct feedback *feedback)
{
    if (once_in(feedback, 3)) {
        put_overlapping_copy(feedback);
        return;
    }
    put(feedback, 0x80000000);
    put(feedback, corner(feedback));
    put(feedback, corner(feedback));
    put(feedback, extent(feedback));
}

static void put_fill(struct feedback *feedback)
{
    put(feedback, 0x02000000 | colour(feedback));
    put(feedback, corner(feedback));
    put(feedback, extent(feedback));
}

static void put_read(struct feedback *feedback)
{
    put(feedback, 0xC0000000);
    put(feedback, corner(feedback));
    put(feedback, extent(feedback));
    if (once_in(feedback, 2))
        take_read(feedback);
}

static void put_cache(struct feedback *feedback)
{
    put(feedback, 0x01000000);
}

static void put_command(struct feedback *feedback)
{
    static void (*const kinds[])(struct feedback *) = {
        put_environment, put_environment, put_polygon,   put_polygon, put_polygon,
        put_polygon,     put_rectangle,   put_rectangle, put_line,    put_copy,
        put_fill,        put_upload,      put_read,      put_cache,   put_environment,
    };

    kinds[pick(feedback, COUNT_OF(kinds))](feedback);
}

/*
 * Restores VRAM as DuckStation does: the mask first, which has no effect on the upload (psx-dump.md
 * 3.2).
 */
static void put_restored(struct feedback *feedback)
{
    GP1(feedback->build, 0x06000000 | 0x260 | 0xC60 << 12);
    GP1(feedback->build, 0x07000000 | 0x10 | 0x90 << 10);
    GP1(feedback->build, 0x08000001);
    GP1(feedback->build, 0x03000000);
    put(feedback, 0xE6000000 | pick(feedback, 4));
    put_area(feedback);
    if (once_in(feedback, 2)) {
        flush(feedback);
        uint32_t *block = malloc(4 * (3 + 512 * 1024 / 2));

        assert_non_null(block);
        block[0] = 0xA0000000;
        block[1] = block[2] = 0;
        for (unsigned i = 0; i < 512 * 1024 / 2; i++)
            block[3 + i] = (uint32_t)support_random(&feedback->random);
        psx_build_packet(feedback->build, PSX_PACKET_GP0, block, 3 + 512 * 1024 / 2);
        free(block);
    }
    flush(feedback);
    EMPTY_PACKET(feedback->build, PSX_PACKET_BEGIN);
}

/* Builds a dump. With `version` 0 it has no version packet, and either magic. */
static void build_dump(uint64_t seed, uint32_t version, struct psx_build *out)
{
    struct feedback feedback = {.random = seed, .build = out, .two_mib = version == 3};

    feedback.small_packets = once_in(&feedback, 4);
    psx_build_start(out, once_in(&feedback, 2) || version != 0 ? PSX_MAGIC_16 : PSX_MAGIC_14);
    if (version != 0)
        PACKET(out, PSX_PACKET_VERSION, version);
    if (feedback.two_mib)
        GP1(out, 0x09000001);
    if (!once_in(&feedback, 8))
        put_restored(&feedback);
    else
        gp1(&feedback, 0x03000000);
    for (unsigned frame = 0; frame < FRAMES; frame++) {
        for (unsigned i = pick(&feedback, 2 * COMMANDS); i > 0; i--)
            put_command(&feedback);
        if (!once_in(&feedback, 8))
            end_frame(&feedback);
    }
    flush(&feedback);
}

void psx_feedback_build(uint64_t seed, struct psx_build *out)
{
    build_dump(seed, 0, out);
}

void psx_feedback_build_version(uint64_t seed, uint32_t version, struct psx_build *out)
{
    build_dump(seed, version, out);
}
