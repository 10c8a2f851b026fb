/* SPDX-License-Identifier: MIT */
/*
 * The GPU's registers: drawing environment (E1 to E6), display registers (GP1), GPUSTAT and the
 * GPUREAD latch. They follow from the command stream alone, without VRAM, so the index keeps them,
 * and replays start from them. Plain data; facts: psx-gpu.md 2, 3, 12.
 */
#ifndef GPUDUMPFS_PSX_GPU_REGISTERS_H
#define GPUDUMPFS_PSX_GPU_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>

/* Bits of GP1(08), which is `mode` of struct psx_display. */
enum {
    PSX_MODE_480 = 1 << 2,
    PSX_MODE_PAL = 1 << 3,
    PSX_MODE_24 = 1 << 4,
    PSX_MODE_INTERLACED = 1 << 5,
    PSX_MODE_368 = 1 << 6,
};

enum { PSX_VRAM_WIDTH = 1024, PSX_VRAM_HEIGHT = 512, PSX_VRAM_HEIGHT_MAX = 1024 };

/* The GPUs that are distinguished (psx-gpu.md 0). */
enum psx_gpu_model {
    PSX_GPU_SECOND,      /* 208 pins, with 1 MiB: all consoles except the earliest */
    PSX_GPU_FIRST,       /* 160 pins, with 1 MiB: the earliest consoles (psx-gpu.md 19) */
    PSX_GPU_SECOND_2MIB, /* 208 pins, with 2 MiB: arcade boards */
};

/* Returns the number of lines of a model's memory. */
static inline uint32_t psx_model_lines(enum psx_gpu_model model)
{
    return model == PSX_GPU_SECOND_2MIB ? PSX_VRAM_HEIGHT_MAX : PSX_VRAM_HEIGHT;
}

/* What GP1 sets. It alone determines the size and place of the picture (scan-out). */
struct psx_display {
    uint32_t start;     /* GP1(05), reduced to PSX_START_BITS */
    uint32_t x;         /* GP1(06) */
    uint32_t y;         /* GP1(07) */
    uint32_t mode;      /* GP1(08) */
    uint8_t off;        /* GP1(03) bit 0 */
    uint8_t dma;        /* GP1(04) bits 0-1 */
    uint8_t high_lines; /* GP1(09) bit 0: addresses reach lines from 512 on */
    uint8_t unused;     /* so that states can be stored and compared as words */
};

/*
 * The number of lines that commands address, and the number that memory has: 512 or 1024 each. If
 * fewer are addressed, the other lines cannot be reached; if more are addressed, there is nothing
 * in the additional ones (psx-gpu.md 1).
 */
struct psx_vram_lines {
    uint16_t addressed, memory;
};

struct psx_registers {
    uint32_t e[7]; /* e[1]..e[6]: operand bits of E1-E6 in force; E1.11 only if GP1(09) allows it */
    struct psx_display display;
    uint32_t gpuread; /* the GPUREAD latch */
    bool irq;         /* GPUSTAT.24 */
    uint8_t field;    /* 480i: the field that is displayed, 0 or 1 */
    uint8_t model;    /* enum psx_gpu_model: no command changes it */
};

/* The bits of its operand that GP1(05) keeps: bit 0 of X is not among them (psx-gpu.md 12). */
enum { PSX_START_BITS = 0xFFFFE };

/* Returns the number of lines that addresses distinguish: 512, or 1024 while GP1(09) allows it. */
static inline uint32_t psx_display_lines(const struct psx_display *display)
{
    return (uint32_t)PSX_VRAM_HEIGHT << display->high_lines;
}

static inline struct psx_vram_lines psx_registers_lines(const struct psx_registers *registers)
{
    return (struct psx_vram_lines){(uint16_t)psx_display_lines(&registers->display),
                                   (uint16_t)psx_model_lines((enum psx_gpu_model)registers->model)};
}

/* Returns the number of lines that addresses reach and that memory has. */
static inline uint32_t psx_vram_lines_reached(struct psx_vram_lines lines)
{
    return lines.addressed < lines.memory ? lines.addressed : lines.memory;
}

/*
 * The bits of E1 that a textured polygon's page overwrites: page, blending, depth, and bit 11, 512
 * lines.
 */
enum { PSX_PAGE_BITS = 0x9FF };

/*
 * Returns the bits that count of a texture page, which E1 and a polygon's attribute have in the
 * same form: bits 0 to 8, and bit 11, 512 lines, while GP1(09) allows it.
 */
static inline uint32_t psx_registers_page_bits(const struct psx_registers *registers, uint32_t page)
{
    return page & (0x1FF | (uint32_t)registers->display.high_lines << 11);
}

/* Returns the bits of a palette's id that say where it is: 9 or 10 bits of y above 6 of x. */
static inline uint16_t psx_registers_palette(const struct psx_registers *registers, uint32_t id)
{
    return (uint16_t)(id & (0x7FFF | (uint32_t)registers->display.high_lines << 15));
}

/* Returns the low 11 bits as a signed number: vertices, offsets. */
static inline int psx_sign11(uint32_t bits)
{
    return (int)((bits & 0x7FF) ^ 0x400) - 0x400;
}

/* Resets all registers, as at power-on. */
void psx_registers_reset(struct psx_registers *registers, enum psx_gpu_model model);

/*
 * Returns whether every register has a value that is possible for the model. Any bytes may be
 * passed.
 */
bool psx_registers_are_sound(const struct psx_registers *registers, enum psx_gpu_model model);

/* Carries out a word of E1 to E6. */
void psx_registers_environment(struct psx_registers *registers, uint32_t word);

/* Returns whether a word of E1 to E6 changes nothing in the registers. */
bool psx_registers_keep(const struct psx_registers *registers, uint32_t word);

/*
 * Returns the bits of E1's operand that the register keeps. Of the bits of a texture page these are
 * the ones that psx_registers_page_bits() leaves.
 */
uint32_t psx_registers_texture_page_bits(const struct psx_registers *registers);

/*
 * Carries out a textured polygon's page attribute: it overwrites E1 bits 0-8, and 11 if GP1(09)
 * allows it.
 */
void psx_registers_texture_page(struct psx_registers *registers, uint32_t attribute);

/* Carries out a GP1 word. On 00 and 01 the caller drops what is half received. */
void psx_registers_gp1(struct psx_registers *registers, uint32_t word);

/*
 * Returns GPUSTAT of an idle GPU during vertical blank (bit 31 clear). `reading`: a VRAM read has
 * words left (bit 27).
 */
uint32_t psx_registers_status(const struct psx_registers *registers, bool reading);

/* The drawing area, inclusive; empty if x1 < x0 or y1 < y0. */
struct psx_area {
    int x0, y0, x1, y1;
};

/* Returns the area of E3 and E4: y is 0..1023, on the first GPU 0..511. */
struct psx_area psx_registers_area(const struct psx_registers *registers);

/*
 * Returns the part of that area that can be drawn in. Its line y is line y % 512 of VRAM; while
 * GP1(09) lets addresses reach lines from 512 on, it is line y, as far as memory has it (psx-gpu.md
 * 2).
 */
struct psx_area psx_registers_clip(const struct psx_registers *registers);

/* Gets the offset of E5, signed. */
void psx_registers_offset(const struct psx_registers *registers, int *x, int *y);

/*
 * Returns whether the lines of the displayed field are left out (480i, E1.10 = 0): those with (y &
 * 1) == ((GP1(05).Y + field) & 1).
 */
bool psx_registers_skips_lines(const struct psx_registers *registers);

#endif
