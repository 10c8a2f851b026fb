/* SPDX-License-Identifier: MIT */
/*
 * mkrecording FILE [FRAMES]: writes a recording of VMA calls, always the same bytes. A game loads a
 * level. Textures are then streamed in and out, uploads go through a ring, uniforms are in a buddy
 * pool, and particles may be lost. Memory is defragmented from time to time. At the end, a shadow
 * map of an old size is leaked.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FRAMES = 120,
    FRAMES_MAX = 1000000,
    TEXTURES = 96, /* number of textures that live at the same time */
    STREAMED = 3,  /* number of textures that change in a frame */
    UNIFORMS = 24,
    UPLOADS = 6, /* number of uploads in a frame; they live for two more */
    PARTICLES = 16,
    PACKED = 40, /* number of frames between two defragmentations */

    GPU_ONLY = 1,
    CPU_ONLY = 2,
    CPU_TO_GPU = 3,
    CAN_BECOME_LOST = 0x8,
    CAN_MAKE_OTHER_LOST = 0x10,
    NAMED = 0x20,
};

/* The pools, by the pointers that the program has to them. */
static const uint64_t ring = 0x1000, buddies = 0x1100, sparks = 0x1200;

static const char preamble[] = "Vulkan Memory Allocator,Calls recording\n"
                               "1,8\n"
                               "Config,Begin\n"
                               "VulkanApiVersion,1,1\n"
                               "PhysicalDevice,apiVersion,4198477\n"
                               "PhysicalDevice,driverVersion,8388653\n"
                               "PhysicalDevice,vendorID,4098\n"
                               "PhysicalDevice,deviceID,26751\n"
                               "PhysicalDevice,deviceType,2\n"
                               "PhysicalDevice,deviceName,An example, as it were\n"
                               "PhysicalDeviceLimits,maxMemoryAllocationCount,4096\n"
                               "PhysicalDeviceLimits,bufferImageGranularity,1024\n"
                               "PhysicalDeviceLimits,nonCoherentAtomSize,64\n"
                               "PhysicalDeviceMemory,HeapCount,2\n"
                               "PhysicalDeviceMemory,Heap,0,size,536870912\n"
                               "PhysicalDeviceMemory,Heap,0,flags,1\n"
                               "PhysicalDeviceMemory,Heap,1,size,268435456\n"
                               "PhysicalDeviceMemory,Heap,1,flags,0\n"
                               "PhysicalDeviceMemory,TypeCount,2\n"
                               "PhysicalDeviceMemory,Type,0,heapIndex,0\n"
                               "PhysicalDeviceMemory,Type,0,propertyFlags,1\n"
                               "PhysicalDeviceMemory,Type,1,heapIndex,1\n"
                               "PhysicalDeviceMemory,Type,1,propertyFlags,6\n"
                               "Extension,VK_KHR_dedicated_allocation,1\n"
                               "Extension,VK_KHR_bind_memory2,1\n"
                               "Extension,VK_EXT_memory_budget,0\n"
                               "Macro,VMA_DEBUG_ALWAYS_DEDICATED_MEMORY,0\n"
                               "Macro,VMA_DEBUG_ALIGNMENT,1\n"
                               "Macro,VMA_DEBUG_MARGIN,0\n"
                               "Macro,VMA_DEBUG_INITIALIZE_ALLOCATIONS,0\n"
                               "Macro,VMA_DEBUG_DETECT_CORRUPTION,0\n"
                               "Macro,VMA_DEBUG_GLOBAL_MUTEX,0\n"
                               "Macro,VMA_DEBUG_MIN_BUFFER_IMAGE_GRANULARITY,1\n"
                               "Macro,VMA_SMALL_HEAP_MAX_SIZE,1073741824\n"
                               "Macro,VMA_DEFAULT_LARGE_HEAP_BLOCK_SIZE,268435456\n"
                               "Config,End\n";

struct game {
    FILE *file;
    uint64_t random;
    uint64_t next_pointer;
    unsigned frame, milliseconds;
    uint64_t textures[TEXTURES], uniforms[UNIFORMS], particles[PARTICLES];
    uint64_t uploads[3][UPLOADS]; /* of this frame and the two before */
    uint64_t shadow_map;
};

static unsigned chance(struct game *game, unsigned choices)
{
    game->random = game->random * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (unsigned)(game->random >> 33) % choices;
}

static uint64_t new_pointer(struct game *game)
{
    game->next_pointer += 0x40;
    return game->next_pointer;
}

/* Writes the first four columns of a line. */
static void begin(struct game *game, unsigned thread, const char *function)
{
    fprintf(game->file, "%u,%u.%03u,%u,%s", thread, game->milliseconds / 1000,
            game->milliseconds % 1000, game->frame, function);
}

static void create_image(struct game *game, unsigned format, unsigned width, unsigned height,
                         unsigned mips, unsigned usage, uint64_t pointer, const char *name)
{
    begin(game, 1, "vmaCreateImage");
    fprintf(game->file, ",0,1,%u,%u,%u,1,%u,1,1,0,%u,0,0,%u,%u,0,0,0,%016X,%016" PRIX64 ",%s\n",
            format, width, height, mips, usage, NAMED, GPU_ONLY, 0, pointer, name);
}

static void create_buffer(struct game *game, unsigned size, unsigned buffer_usage, unsigned flags,
                          unsigned usage, uint64_t pool, uint64_t pointer)
{
    begin(game, 2, "vmaCreateBuffer");
    fprintf(game->file, ",0,%u,%u,0,%u,%u,0,0,0,%016" PRIX64 ",%016" PRIX64 ",\n", size,
            buffer_usage, flags, usage, pool, pointer);
}

static void destroy(struct game *game, const char *function, uint64_t *pointer)
{
    if (*pointer == 0)
        return;
    begin(game, 1, function);
    fprintf(game->file, ",%016" PRIX64 "\n", *pointer);
    *pointer = 0;
}

static void create_pools(struct game *game)
{
    begin(game, 1, "vmaCreatePool");
    fprintf(game->file, ",1,4,4194304,1,1,0,%016" PRIX64 "\n", ring);
    begin(game, 1, "vmaSetPoolName");
    fprintf(game->file, ",%016" PRIX64 ",uploads\n", ring);
    begin(game, 1, "vmaCreatePool");
    fprintf(game->file, ",1,8,1048576,1,2,0,%016" PRIX64 "\n", buddies);
    begin(game, 1, "vmaSetPoolName");
    fprintf(game->file, ",%016" PRIX64 ",uniforms\n", buddies);
    begin(game, 1, "vmaCreatePool");
    fprintf(game->file, ",0,0,4194304,0,1,1,%016" PRIX64 "\n", sparks);
    begin(game, 1, "vmaSetPoolName");
    fprintf(game->file, ",%016" PRIX64 ",particles, may be lost\n", sparks);
}

/* Replaces a texture by another one. */
static void stream_texture(struct game *game, unsigned place)
{
    static const char *const things[] = {"rock", "bark", "roof", "sand", "moss", "brick", "snow"};
    static const unsigned formats[] = {137, 139, 131}; /* BC3, BC4, BC1 */
    unsigned size = 128u << chance(game, 5), mips = 1;
    char name[64];

    destroy(game, "vmaDestroyImage", &game->textures[place]);
    for (unsigned extent = size; extent > 1; extent /= 2)
        mips++;
    snprintf(name, sizeof(name), "%s %u", things[chance(game, 7)], size);
    game->textures[place] = new_pointer(game);
    create_image(game, formats[chance(game, 3)], size, size, mips, 6, game->textures[place], name);
}

static void change_shadow_map(struct game *game, unsigned size)
{
    char name[64];

    snprintf(name, sizeof(name), "shadow map %u", size);
    game->shadow_map = new_pointer(game);
    create_image(game, 126, size, size, 1, 0x24, game->shadow_map, name);
}

static void upload(struct game *game)
{
    uint64_t *oldest = game->uploads[game->frame % 3];

    for (unsigned i = 0; i < UPLOADS; i++) {
        destroy(game, "vmaDestroyBuffer", &oldest[i]);
        oldest[i] = new_pointer(game);
        create_buffer(game, 4096 * (1 + chance(game, 48)), 1, 0, CPU_ONLY, ring, oldest[i]);
    }
}

static void change_some(struct game *game)
{
    unsigned uniform = chance(game, UNIFORMS), particle = chance(game, PARTICLES);

    destroy(game, "vmaDestroyBuffer", &game->uniforms[uniform]);
    game->uniforms[uniform] = new_pointer(game);
    create_buffer(game, 256u << chance(game, 6), 0x10, 0, CPU_TO_GPU, buddies,
                  game->uniforms[uniform]);
    destroy(game, "vmaDestroyBuffer", &game->particles[particle]);
    game->particles[particle] = new_pointer(game);
    create_buffer(game, 65536 * (1 + chance(game, 4)), 0x20, CAN_BECOME_LOST | CAN_MAKE_OTHER_LOST,
                  GPU_ONLY, sparks, game->particles[particle]);
    for (unsigned i = 0; i < PARTICLES / 2; i++)
        if (game->particles[i] != 0) {
            begin(game, 2, "vmaTouchAllocation");
            fprintf(game->file, ",%016" PRIX64 "\n", game->particles[i]);
        }
}

/* Defragments: the GPU moves textures together, and blocks that become empty are freed. */
static void pack(struct game *game)
{
    begin(game, 1, "vmaDefragmentationBegin");
    fputs(",0,", game->file);
    for (unsigned i = 0; i < TEXTURES; i++)
        fprintf(game->file, "%s%016" PRIX64, i > 0 ? " " : "", game->textures[i]);
    fprintf(game->file,
            ",,18446744073709551615,4294967295,18446744073709551615,4294967295,%016X,%016X\n", 0xCB,
            0xDF);
    begin(game, 1, "vmaDefragmentationEnd");
    fprintf(game->file, ",%016X\n", 0xDF);
}

static void play_frame(struct game *game)
{
    game->milliseconds += 16;
    for (unsigned i = 0; i < STREAMED; i++)
        stream_texture(game, chance(game, TEXTURES));
    upload(game);
    change_some(game);
    if (game->frame % PACKED == PACKED - 1)
        pack(game);
    if (game->frame == FRAMES / 2)
        change_shadow_map(game, 4096); /* the old one is leaked */
}

static void load(struct game *game)
{
    begin(game, 1, "vmaCreateAllocator");
    fputs("\n", game->file);
    create_pools(game);
    change_shadow_map(game, 2048);
    for (unsigned i = 0; i < TEXTURES; i++) {
        game->milliseconds++;
        stream_texture(game, i);
    }
}

static void leave(struct game *game)
{
    for (unsigned i = 0; i < TEXTURES; i++)
        destroy(game, "vmaDestroyImage", &game->textures[i]);
    destroy(game, "vmaDestroyImage", &game->shadow_map);
    for (unsigned i = 0; i < 3 * UPLOADS; i++)
        destroy(game, "vmaDestroyBuffer", &game->uploads[i / UPLOADS][i % UPLOADS]);
    for (unsigned i = 0; i < UNIFORMS; i++)
        destroy(game, "vmaDestroyBuffer", &game->uniforms[i]);
    for (unsigned i = 0; i < PARTICLES; i++)
        destroy(game, "vmaDestroyBuffer", &game->particles[i]);
    begin(game, 1, "vmaDestroyPool");
    fprintf(game->file, ",%016" PRIX64 "\n", ring);
    begin(game, 1, "vmaDestroyPool");
    fprintf(game->file, ",%016" PRIX64 "\n", buddies);
    begin(game, 1, "vmaDestroyPool");
    fprintf(game->file, ",%016" PRIX64 "\n", sparks);
    begin(game, 1, "vmaDestroyAllocator");
    fputs("\n", game->file);
}

int main(int argc, char **argv)
{
    struct game game = {.random = 2, .next_pointer = 0x20000};
    long frames = argc > 2 ? strtol(argv[2], NULL, 10) : FRAMES;
    bool good;

    if (argc < 2 || argc > 3 || frames < 1 || frames > FRAMES_MAX) {
        fprintf(stderr, "usage: mkrecording FILE [FRAMES]\n");
        return 1;
    }
    game.file = fopen(argv[1], "w");
    if (game.file == NULL) {
        fprintf(stderr, "mkrecording: %s: %s\n", argv[1], strerror(errno));
        return 1;
    }
    fputs(preamble, game.file);
    load(&game);
    for (game.frame = 1; game.frame <= (unsigned)frames; game.frame++)
        play_frame(&game);
    leave(&game);
    good = ferror(game.file) == 0;
    if (fclose(game.file) != 0 || !good) {
        fprintf(stderr, "mkrecording: %s cannot be written\n", argv[1]);
        return 1;
    }
    return 0;
}
