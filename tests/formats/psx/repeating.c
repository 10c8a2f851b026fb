/* SPDX-License-Identifier: MIT */
#include "tests/formats/psx/repeating.h"

#include "formats/psx/gpu/gp0.h"

#include "tests/support/support.h"

static uint32_t below(uint64_t *random, uint32_t n)
{
    return (uint32_t)(support_random(random) >> 33) % n;
}

/* Collects words, and sends them in packets that begin and end anywhere. */
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

/* Few different positions, pages and palettes, so that most are soon repeated */
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
        put(sender, corner(sender) | (op & GP0_GOURAUD ? 0x50005000 : 0)); /* never an end mark */
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

/*
 * Rarely, appends something that ends the repetition. The command of the last words may still be in
 * progress.
 */
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

void psx_repeating_build(uint64_t seed, uint32_t version, unsigned frames, unsigned commands,
                         struct psx_build *out)
{
    struct sender sender = {.build = out, .random = seed};

    psx_build_start(out, PSX_MAGIC_16);
    PACKET(out, PSX_PACKET_VERSION, version);
    for (unsigned frame = 0; frame < frames; frame++) {
        for (unsigned i = 0; i < commands; i++)
            put_command(&sender);
        if (frame == 1) {
            send_words(&sender);
            EMPTY_PACKET(out, PSX_PACKET_BEGIN);
        }
        EMPTY_PACKET(out, PSX_PACKET_VSYNC);
    }
    send_words(&sender);
}
