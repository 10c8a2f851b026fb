/* SPDX-License-Identifier: MIT */
/*
 * Devices and settings for a recording instead of its own (vma.md 3.13). These are devices whose
 * memory has been published: in VMA's documentation (Vega), in a recording of the Inexor engine
 * (GTX 660M), in a report of vulkaninfo (Gen9), and in Mesa's source (lavapipe).
 */
#include "formats/vma/decode/decode.h"

#define GIB(n) (UINT64_C(n) << 30)

enum {
    LOCAL = VMA_DEVICE_LOCAL,
    COHERENT = VMA_HOST_VISIBLE | VMA_HOST_COHERENT,
    CACHED = COHERENT | VMA_HOST_CACHED,
};

struct named_device {
    const char *name;
    struct vma_device device;
};

/* There is no row for VMA_DEVICE_VEGA, which vma_configuration_default() sets. */
static const struct named_device devices[VMA_DEVICE_CHOICES] = {
    [VMA_DEVICE_GTX660M] = {"GeForce GTX 660M",
                            {.api_version = 4198495,
                             .driver_version = 1783087104,
                             .vendor = 4318,
                             .id = 4052,
                             .kind = 2,
                             .max_allocations = 4096,
                             .granularity = 65536,
                             .atom = 64,
                             .heap_count = 2,
                             .type_count = 11,
                             .heaps = {{2075918336, 1}, {8265048064, 0}},
                             .types = {{1, 0},
                                       {1, 0},
                                       {1, 0},
                                       {1, 0},
                                       {1, 0},
                                       {1, 0},
                                       {1, 0},
                                       {0, LOCAL},
                                       {0, LOCAL},
                                       {1, COHERENT},
                                       {1, CACHED}}}},
    [VMA_DEVICE_HD_GEN9] = {"Intel(R) HD Graphics, Gen9 (KBL GT2)",
                            {.api_version = 4202496,
                             .driver_version = 417636,
                             .vendor = 32902,
                             .id = 22807,
                             .kind = VMA_DEVICE_INTEGRATED,
                             .max_allocations = UINT32_MAX,
                             .granularity = 1,
                             .atom = 256,
                             .heap_count = 1,
                             .type_count = 2,
                             .heaps = {{3435973836, 1}},
                             .types = {{0, LOCAL | COHERENT}, {0, LOCAL | CACHED}}}},
    [VMA_DEVICE_LAVAPIPE] = {"llvmpipe",
                             {.api_version = 4206822,
                              .driver_version = 1,
                              .vendor = 65541,
                              .kind = 4,
                              .max_allocations = UINT32_MAX,
                              .granularity = 64,
                              .atom = 64,
                              .heap_count = 1,
                              .type_count = 1,
                              .heaps = {{GIB(2), 1}},
                              .types = {{0, LOCAL | CACHED}}}},
};

static void choose_device(struct vma_device *device, enum vma_device_choice choice)
{
    const struct named_device *named = &devices[choice];
    struct vma_configuration standard;

    if (choice == VMA_DEVICE_VEGA) {
        vma_configuration_default(&standard);
        *device = standard.device;
        return;
    }
    *device = named->device;
    device->name.begin = (const uint8_t *)named->name;
    device->name.end = device->name.begin + strlen(named->name);
}

void vma_configuration_override(struct vma_configuration *configuration,
                                const struct vma_override *override)
{
    struct vma_configuration standard;

    vma_configuration_default(&standard);
    if (override->device != VMA_DEVICE_RECORDED)
        choose_device(&configuration->device, override->device);
    if (override->default_macros)
        configuration->macros = standard.macros;
    if (override->block_size != 0)
        configuration->macros.large_block = override->block_size;
    if (override->granularity != 0) {
        configuration->device.granularity = override->granularity;
        configuration->macros.min_granularity = 1;
    }
}
