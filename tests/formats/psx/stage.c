/* SPDX-License-Identifier: MIT */
#include "tests/formats/psx/stage.h"

#include "tests/support/support.h"

enum { COMMANDS = 40 }; /* of a frame */

static uint32_t random_place(uint64_t *random)
{
    uint32_t x = (uint32_t)(support_random(random) >> 20) % (PSX_STAGE_WIDTH + 8) - 4;
    uint32_t y = (uint32_t)(support_random(random) >> 20) % (PSX_STAGE_HEIGHT + 8) - 4;

    return (x & 0xFFFF) | y << 16;
}

static uint32_t random_word(uint64_t *random, uint32_t mask)
{
    return (uint32_t)(support_random(random) >> 16) & mask;
}

static void build_command(struct psx_build *build, uint64_t *random, uint32_t stage)
{
    uint32_t colour = random_word(random, 0xFFFFFF), semi = random_word(random, 0x02000000);

    switch (random_word(random, 15)) {
    case 0:
        GP0(build, 0xE6000000 | random_word(random, 3));
        break;
    case 1:
        GP0(build, 0xE1000100 | random_word(random, 0x260));
        break;
    case 2:
        GP0(build, 0x80000000, random_place(random) & 0x001F001F, random_place(random) & 0x001F001F,
            0x00070009);
        break;
    case 3:
        GP0(build, 0xA0000000, (random_place(random) & 0x001F001F) + stage, 0x00020003,
            random_word(random, 0xFFFFFFFF), random_word(random, 0xFFFFFFFF),
            random_word(random, 0xFFFFFFFF));
        break;
    case 4:
        GP0(build, 0x48000000 | semi | colour, random_place(random), random_place(random));
        GP0(build, random_place(random), random_place(random), 0x55555555);
        break;
    case 5:
    case 6: /* 15-bit texels that are read from what is drawn */
        GP0(build, 0x64000000 | semi | colour, random_place(random), random_word(random, 0x1F1F),
            0x000C000C);
        break;
    case 7:
    case 8: /* 4-bit texels, whose palette is read from what is drawn, too */
        GP0(build, 0x24000000 | semi | colour, random_place(random), random_word(random, 0x1F1F),
            random_place(random), random_word(random, 0x1F1F), random_place(random),
            random_word(random, 0x1F1F));
        break;
    case 9:
    case 10:
        GP0(build, 0x38000000 | semi | colour, random_place(random), random_word(random, 0xFFFFFF),
            random_place(random), random_word(random, 0xFFFFFF), random_place(random),
            random_word(random, 0xFFFFFF), random_place(random));
        break;
    case 11:
        GP0(build, 0x02000000 | colour, stage, 0x00080010);
        break;
    default:
        GP0(build, 0x60000000 | semi | colour, random_place(random), 0x00090007);
        break;
    }
}

void psx_stage_build(uint64_t seed, struct psx_build *build)
{
    uint64_t random = seed;

    psx_build_start(build, PSX_MAGIC_16);
    GP1(build, 0x03000000);
    GP1(build, 0x06000000 | 0x260 | (0x260 + 48 * 10) << 12);
    GP1(build, 0x07000000 | 16 | (16 + PSX_STAGE_HEIGHT) << 10);
    EMPTY_PACKET(build, PSX_PACKET_BEGIN);
    for (uint32_t frame = 0; frame < PSX_STAGE_FRAMES; frame++) {
        uint32_t y = frame % 2 * PSX_STAGE_HEIGHT;

        GP0(build, 0xE3000000 | y << 10,
            0xE4000000 | (PSX_STAGE_WIDTH - 2) | (y + PSX_STAGE_HEIGHT - 1) << 10,
            0xE5000000 | y << 11);
        for (unsigned i = 0; i < COMMANDS; i++)
            build_command(build, &random, y << 16);
        psx_build_vsync(build, 1000 * (frame + 1));
        GP1(build, 0x05000000 | y << 10);
    }
}
