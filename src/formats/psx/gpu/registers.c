/* SPDX-License-Identifier: MIT */
#include "formats/psx/gpu/registers.h"

#include <string.h>

enum {
    E1_TO_DISPLAY = 1 << 10, /* draw to the displayed field */
    E1_PAGE_HIGH = 1 << 11,  /* the page is 512 lines further: stored while GP1(09) is 1 */
    GPU_VERSION = 2,
    GP1_DISPLAY_FLIP = 1 << 7,
};

/*
 * Bits that E1 to E6 keep; then those of the first GPU, which has no flips, and nothing from line
 * 512 on.
 */
static const uint32_t environment_bits[2][7] = {
    {0, 0x3FFF, 0xFFFFF, 0xFFFFF, 0xFFFFF, 0x3FFFFF, 0x3},
    {0, 0x07FF, 0xFFFFF, 0x7FFFF, 0x7FFFF, 0x3FFFFF, 0x3},
};

static void reset_display(struct psx_registers *registers)
{
    memset(registers->e, 0, sizeof(registers->e));
    registers->display = (struct psx_display){
        .off = 1,
        .x = 0x200 | 0xC00 << 12,
        .y = 0x10 | 0x100 << 10,
        .high_lines = registers->display.high_lines,
    };
    registers->irq = false;
}

void psx_registers_reset(struct psx_registers *registers, enum psx_gpu_model model)
{
    memset(registers, 0, sizeof(*registers));
    registers->model = (uint8_t)model;
    reset_display(registers);
}

static bool is_display_sound(const struct psx_display *display, enum psx_gpu_model model)
{
    const uint32_t operand = 0xFFFFFF;

    return !(display->start & ~(uint32_t)PSX_START_BITS) && display->x <= operand &&
           display->y <= operand && display->mode <= operand && display->off <= 1 &&
           display->dma <= 3 && display->high_lines <= (model != PSX_GPU_FIRST) &&
           display->unused == 0;
}

bool psx_registers_are_sound(const struct psx_registers *registers, enum psx_gpu_model model)
{
    for (unsigned i = 0; i < 7; i++)
        if (registers->e[i] & ~environment_bits[model == PSX_GPU_FIRST][i])
            return false;
    return is_display_sound(&registers->display, model) && registers->field <= 1 &&
           registers->model == model;
}

static uint32_t gated(const struct psx_registers *registers, uint32_t e1)
{
    return registers->display.high_lines ? e1 : e1 & ~(uint32_t)E1_PAGE_HIGH;
}

/* Computes which register a word sets, and to what. Returns false if it sets none. */
static bool environment_of(const struct psx_registers *registers, uint32_t word, unsigned *index,
                           uint32_t *value)
{
    *index = word >> 24 & 7;
    if (*index < 1 || *index > 6)
        return false;
    *value = word & environment_bits[registers->model == PSX_GPU_FIRST][*index];
    if (*index == 1)
        *value = gated(registers, *value);
    return true;
}

uint32_t psx_registers_texture_page_bits(const struct psx_registers *registers)
{
    return gated(registers, environment_bits[registers->model == PSX_GPU_FIRST][1]);
}

void psx_registers_environment(struct psx_registers *registers, uint32_t word)
{
    unsigned index;
    uint32_t value;

    if (environment_of(registers, word, &index, &value))
        registers->e[index] = value;
}

bool psx_registers_keep(const struct psx_registers *registers, uint32_t word)
{
    unsigned index;
    uint32_t value;

    return !environment_of(registers, word, &index, &value) || registers->e[index] == value;
}

void psx_registers_texture_page(struct psx_registers *registers, uint32_t attribute)
{
    registers->e[1] = (registers->e[1] & ~(uint32_t)PSX_PAGE_BITS) |
                      psx_registers_page_bits(registers, attribute);
}

/*
 * Carries out GP1(10h): latches the answer that GPUREAD will give. Indexes without an answer leave
 * the old value. The first GPU has eight indexes, and no version.
 */
static void latch_info(struct psx_registers *registers, uint32_t index)
{
    const bool first = registers->model == PSX_GPU_FIRST;

    if (first)
        index &= 7;
    if (index >= 2 && index <= 5)
        registers->gpuread = registers->e[index];
    else if (index == 7 && !first)
        registers->gpuread = GPU_VERSION;
    else if (index == 8)
        registers->gpuread = 0;
}

void psx_registers_gp1(struct psx_registers *registers, uint32_t word)
{
    uint32_t operand = word & 0xFFFFFF;
    unsigned command = word >> 24 & 0x3F;

    switch (command) {
    case 0x00:
        reset_display(registers);
        break;
    case 0x02:
        registers->irq = false;
        break;
    case 0x03:
        registers->display.off = operand & 1;
        break;
    case 0x04:
        registers->display.dma = operand & 3;
        break;
    case 0x05:
        registers->display.start = operand & PSX_START_BITS;
        break;
    case 0x06:
        registers->display.x = operand;
        break;
    case 0x07:
        registers->display.y = operand;
        break;
    case 0x08:
        registers->display.mode = operand;
        break;
    case 0x09:
        registers->display.high_lines = registers->model != PSX_GPU_FIRST && (operand & 1);
        break;
    default:
        if (command >= 0x10 && command <= 0x1F)
            latch_info(registers, operand & 0xF);
        break;
    }
}

/*
 * Returns bit 13, the field, in which GPUs differ if there is no interlace; and bit 14, which the
 * first GPU does not have.
 */
static uint32_t status_picture(const struct psx_registers *registers)
{
    const uint32_t mode = registers->display.mode;
    const bool first = registers->model == PSX_GPU_FIRST;
    const bool field = mode & PSX_MODE_INTERLACED ? registers->field : !first;

    return (uint32_t)field << 13 | (uint32_t)(!first && (mode & GP1_DISPLAY_FLIP)) << 14;
}

/* Returns bits 25 and 27, and the DMA direction, on which the DMA request depends. */
static uint32_t status_dma(uint32_t direction, bool reading)
{
    bool request = direction == 3 ? reading : direction != 0;

    return (uint32_t)request << 25 | (uint32_t)reading << 27 | direction << 29;
}

uint32_t psx_registers_status(const struct psx_registers *registers, bool reading)
{
    const struct psx_display *display = &registers->display;
    uint32_t e1 = registers->e[1];
    uint32_t mode = display->mode;
    uint32_t status = e1 & 0x7FF;

    status |= (registers->e[6] & 3) << 11;
    status |= status_picture(registers);
    status |= (e1 >> 11 & 1) << 15;
    status |= (mode >> 6 & 1) << 16;
    status |= (mode & 0x3F) << 17;
    status |= (uint32_t)display->off << 23;
    status |= (uint32_t)registers->irq << 24;
    status |= 1u << 26 | 1u << 28; /* an idle GPU takes commands and DMA blocks */
    return status | status_dma(display->dma, reading);
}

struct psx_area psx_registers_area(const struct psx_registers *registers)
{
    uint32_t from = registers->e[3];
    uint32_t to = registers->e[4];

    return (struct psx_area){
        .x0 = from & 0x3FF,
        .y0 = from >> 10 & 0x3FF,
        .x1 = to & 0x3FF,
        .y1 = to >> 10 & 0x3FF,
    };
}

struct psx_area psx_registers_clip(const struct psx_registers *registers)
{
    struct psx_area area = psx_registers_area(registers);

    if (registers->display.high_lines) {
        const int memory = (int)psx_model_lines((enum psx_gpu_model)registers->model);

        area.y1 = area.y1 < memory ? area.y1 : memory - 1;
    }
    return area;
}

void psx_registers_offset(const struct psx_registers *registers, int *x, int *y)
{
    *x = psx_sign11(registers->e[5]);
    *y = psx_sign11(registers->e[5] >> 11);
}

bool psx_registers_skips_lines(const struct psx_registers *registers)
{
    uint32_t both = PSX_MODE_480 | PSX_MODE_INTERLACED;

    return (registers->display.mode & both) == both && !(registers->e[1] & E1_TO_DISPLAY);
}
