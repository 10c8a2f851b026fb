/* SPDX-License-Identifier: MIT */
/*
 * recorder.c: how an emulator records. Its GPU calls what stands here for each access to the two
 * ports and at each VSync; nothing else is to be known of it. Standard output gets the dump, so
 * that `recorder | gpudumpfs - mnt` shows frames as they come. What main() plays stands for a
 * program: a triangle that moves.
 */
#include "psxgpudump.h"

#include <stdio.h>

static struct psxgpudump_writer recording;

/* The emulator's GPU interface. */

static void gpu_write_gp0(uint32_t word)
{
    psxgpudump_writer_gp0(&recording, &word, 1);
}

static void gpu_write_gp1(uint32_t word)
{
    psxgpudump_writer_gp1(&recording, word);
}

static void gpu_vsync(uint64_t cycles)
{
    psxgpudump_writer_vsync(&recording, cycles);
}

/* The user begins to record: `now` is what the GPU holds. 0 or a negative errno. */
static int start_recording(const struct psxgpudump_state *now, const char *game)
{
    psxgpudump_writer_init(&recording, psxgpudump_file_sink, stdout);
    psxgpudump_writer_gpu(&recording, PSXGPUDUMP_GPU_V2);
    psxgpudump_writer_text(&recording, PSXGPUDUMP_GAME, game);
    psxgpudump_writer_text(&recording, PSXGPUDUMP_VIDEO, "NTSC");
    psxgpudump_writer_state(&recording, now);
    return psxgpudump_writer_flush(&recording);
}

/* The program. */

static void draw(uint32_t x)
{
    const uint32_t words[] = {0x02402010, 0x00000000,     0x00F00140, /* the screen is filled */
                              0x200080FF, 0x00400000 | x, 0x00C00000 | x, 0x00800040 + x};

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        gpu_write_gp0(words[i]);
}

int main(void)
{
    const struct psxgpudump_state state = {
        .gp1 = {[3] = 0x03000000, [6] = 0x06C60260, [7] = 0x07040010, [8] = 0x08000001},
        .e = {[3] = 0xE3000000, [4] = 0xE403BD3F, [6] = 0xE6000000},
    };
    enum { FRAMES = 60, CYCLES_OF_A_FRAME = 564480 };

    if (start_recording(&state, "SLUS-00000") < 0)
        return 1;
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        gpu_write_gp1(0x05000000);
        draw(4 * frame);
        gpu_vsync((uint64_t)frame * CYCLES_OF_A_FRAME);
    }
    return psxgpudump_writer_flush(&recording) == 0 ? 0 : 1;
}
