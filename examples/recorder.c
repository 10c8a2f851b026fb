/* SPDX-License-Identifier: MIT */
/* What an emulator's GPU calls to record. `recorder | gpudumpfs - mnt` shows frames at once. */
#include "psxgpudump.h"

#include <stdio.h>

static struct psxgpudump_writer recording;

static void gpu_write_gp0(const uint32_t *words, size_t count) /* a word, or a block of DMA */
{
    psxgpudump_writer_gp0(&recording, words, count);
}

static void gpu_write_gp1(uint32_t word)
{
    psxgpudump_writer_gp1(&recording, word);
}

static void gpu_read(uint32_t count) /* words of GPUREAD, when a program reads video memory */
{
    psxgpudump_writer_readback(&recording, count);
}

static void gpu_vsync(uint64_t cycles)
{
    psxgpudump_writer_vsync(&recording, cycles);
}

/* The emulator. `now` is the GPU's state; its program moves a triangle and reads some pixels. */
int main(void)
{
    static const struct psxgpudump_state now = {
        {0, 0, 0, 0x03000000, 0, 0, 0x06C60260, 0x07040010, 0x08000001, 0},
        {0, 0, 0, 0xE3000000, 0xE403BD3F, 0, 0},
        NULL};

    psxgpudump_writer_init(&recording, psxgpudump_file_sink, stdout);
    psxgpudump_writer_text(&recording, PSXGPUDUMP_GAME, "SLUS-00000");
    psxgpudump_writer_state(&recording, &now);
    for (uint32_t x = 0; x < 240; x += 4) {
        const uint32_t words[] = {
            0x02402010,   0,          0xF00140,     0x200080FF, 0x400000 | x, 0xC00000 | x,
            0x800040 | x, 0xC0000000, 0x640000 | x, 0x10002};
        gpu_write_gp1(0x05000000);
        gpu_write_gp0(words, sizeof(words) / sizeof(words[0]));
        gpu_read(1);
        gpu_vsync(x * UINT64_C(141120));
    }
    return psxgpudump_writer_flush(&recording) != 0;
}
