/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tests/formats/vma/play.h"

#include "tests/support/support.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void vma_play_open_with(struct vma_play *play, uint8_t *bytes, size_t size,
                        const struct vma_override *override, enum vma_algorithm pool_algorithm)
{
    const struct vma_recording_params params = {.calls_per_frame = -1, .max_memory = 1 << 30};
    const char *message = "";

    *play = (struct vma_play){.bytes = bytes, .size = size};
    assert_int_equal(problems_create(&play->problems), 0);
    play->diagnostics.problems = play->problems;
    assert_int_equal(
        vma_recording_open(bytes, size, &params, &play->diagnostics, &message, &play->recording),
        0);
    vma_configuration_override(&play->recording.configuration, override);
    play->params = (struct vma_allocator_params){.device = &play->recording.configuration.device,
                                                 .macros = &play->recording.configuration.macros,
                                                 .data = bytes,
                                                 .max_bytes = 1 << 28,
                                                 .budget = true,
                                                 .pool_algorithm = pool_algorithm};
    assert_int_equal(vma_replay_init(&play->replay, &play->recording, &play->params), 0);
    play->replay.diagnostics = &play->diagnostics;
}

void vma_play_open(struct vma_play *play, uint8_t *bytes, size_t size, enum vma_play_macros macros)
{
    const struct vma_override override = {.default_macros = macros == VMA_PLAY_DEFAULT};

    vma_play_open_with(play, bytes, size, &override, VMA_ALGORITHM_RECORDED);
}

void vma_play_corpus(struct vma_play *play, const char *name, enum vma_play_macros macros)
{
    char file[256];
    char *path;
    uint8_t *bytes;
    size_t size = 0;

    snprintf(file, sizeof(file), "vma/recordings/%s.csv", name);
    path = support_corpus(file);
    bytes = support_read(path, &size);
    free(path);
    vma_play_open(play, bytes, size, macros);
}

void vma_play_lines(struct vma_play *play, const uint32_t *types, const char *more,
                    const char *const *calls, size_t count)
{
    struct text text = TEXT_INIT;
    uint32_t type_count = 0;

    while (types[type_count] != 0)
        type_count++;
    text_printf(&text,
                "Vulkan Memory Allocator,Calls recording\n1,8\nConfig,Begin\n"
                "PhysicalDevice,deviceType,2\n"
                "PhysicalDeviceLimits,maxMemoryAllocationCount,4096\n"
                "PhysicalDeviceLimits,bufferImageGranularity,1\n"
                "PhysicalDeviceLimits,nonCoherentAtomSize,64\n"
                "PhysicalDeviceMemory,HeapCount,1\n"
                "PhysicalDeviceMemory,Heap,0,size,1073741824\n"
                "PhysicalDeviceMemory,TypeCount,%" PRIu32 "\n",
                type_count);
    for (uint32_t i = 0; i < type_count; i++)
        text_printf(&text,
                    "PhysicalDeviceMemory,Type,%" PRIu32 ",heapIndex,0\n"
                    "PhysicalDeviceMemory,Type,%" PRIu32 ",propertyFlags,%" PRIu32 "\n",
                    i, i, types[i]);
    text_add(&text, more);
    text_add(&text, "Config,End\n");
    for (size_t i = 0; i < count; i++)
        text_printf(&text, "1,0.%03u,%s\n", (unsigned)i % 1000, calls[i]);
    assert_int_equal(text_status(&text), 0);
    vma_play_open(play, (uint8_t *)text.bytes, text.length, VMA_PLAY_RECORDED);
}

void vma_play_close(struct vma_play *play)
{
    vma_replay_clear(&play->replay);
    vma_recording_close(&play->recording);
    problems_destroy(&play->problems);
    free(play->bytes);
}

void vma_play_until(struct vma_play *play, uint32_t packet)
{
    if (packet > play->recording.packets)
        packet = play->recording.packets;
    assert_int_equal(vma_replay_run(&play->replay, packet, NULL), 0);
}

static int is_recording(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');

    return dot != NULL && strcmp(dot, ".csv") == 0;
}

char **vma_play_names(void)
{
    char *path = support_corpus("vma/recordings");
    struct dirent **entries = NULL;
    int count = scandir(path, &entries, is_recording, alphasort);
    char **names;

    free(path);
    assert_true(count > 0);
    names = calloc((size_t)count + 1, sizeof(*names));
    assert_non_null(names);
    for (int i = 0; i < count; i++) {
        names[i] = strndup(entries[i]->d_name, strlen(entries[i]->d_name) - strlen(".csv"));
        free(entries[i]);
    }
    free(entries);
    return names;
}

const struct vma_allocation *vma_play_find(const struct vma_play *play, uint64_t pointer)
{
    uint32_t index = vma_map_get(&play->replay.allocations, pointer);

    assert_int_not_equal(index, VMA_MAP_NONE);
    return vma_allocation(&play->replay.allocator, index);
}

static const struct vma_range *range_of(const struct vma_play *play, uint64_t pointer)
{
    const struct vma_allocation *allocation = vma_play_find(play, pointer);

    assert_int_equal(allocation->place, VMA_PLACE_BLOCK);
    return vma_range(&play->replay.allocator, allocation->range);
}

uint64_t vma_play_offset(const struct vma_play *play, uint64_t pointer)
{
    return range_of(play, pointer)->offset;
}

uint32_t vma_play_block(const struct vma_play *play, uint64_t pointer)
{
    return vma_block(&play->replay.allocator, range_of(play, pointer)->block)->id;
}

/* Computes the sums over one block, and compares them with what the block says. */
static void check_block(const struct vma_allocator *allocator, const struct vma_vector *vector,
                        uint32_t index, struct vma_tally *sums)
{
    const struct vma_block *block = vma_block(allocator, index);
    uint64_t end = 0, free_bytes = 0;
    uint32_t used = 0, free_ranges = 0;
    bool was_free = false;

    for (uint32_t i = block->first_range; i != VMA_NONE; i = vma_range(allocator, i)->next) {
        const struct vma_range *range = vma_range(allocator, i);
        bool is_free = range->allocation == VMA_NONE;

        assert_int_equal(range->offset, end);
        assert_true(range->size > 0);
        assert_int_equal(range->block, index);
        if (vector->algorithm != VMA_ALGORITHM_BUDDY)
            assert_false(was_free && is_free);
        if (is_free) {
            free_bytes += range->size;
            free_ranges++;
        } else {
            const struct vma_allocation *allocation = vma_allocation(allocator, range->allocation);

            assert_int_equal(allocation->range, i);
            assert_int_equal(allocation->size, range->size);
            assert_int_equal(range->offset % allocation->alignment, 0);
            used++;
        }
        was_free = is_free;
        end += range->size;
        if (range->next == VMA_NONE)
            assert_int_equal(i, block->last_range);
    }
    assert_int_equal(end, block->size);
    assert_int_equal(block->free, free_bytes);
    assert_int_equal(block->allocations, used);
    assert_int_equal(block->free_ranges, free_ranges);
    sums->blocks++;
    sums->allocations += used;
    sums->unused_ranges += free_ranges;
    sums->block_bytes += block->size;
    sums->used_bytes += block->size - free_bytes;
}

static void check_vector(const struct vma_allocator *allocator, uint32_t index,
                         struct vma_tally *sums)
{
    const struct vma_vector *vector = vma_vector(allocator, index);
    uint32_t count = 0, empty = 0, previous = VMA_NONE;

    for (uint32_t i = vector->first_block; i != VMA_NONE; i = vma_block(allocator, i)->next) {
        assert_int_equal(vma_block(allocator, i)->previous, previous);
        check_block(allocator, vector, i, &sums[vector->type]);
        empty += vma_block(allocator, i)->allocations == 0;
        count++;
        previous = i;
    }
    assert_int_equal(vector->last_block, previous);
    assert_int_equal(vector->count, count);
    assert_int_equal(vector->empty, empty);
}

static void check_sums(const struct vma_allocator *allocator)
{
    struct vma_tally sums[VMA_TYPES] = {0};
    uint64_t heaps[VMA_HEAPS] = {0}, live = 0;

    for (uint32_t type = 0; type < allocator->device->type_count; type++) {
        uint32_t index = allocator->types[type].first_dedicated;

        if (allocator->types[type].vector != VMA_NONE)
            check_vector(allocator, allocator->types[type].vector, sums);
        for (; index != VMA_NONE; index = vma_allocation(allocator, index)->next) {
            sums[type].dedicated++;
            sums[type].allocations++;
            sums[type].block_bytes += vma_allocation(allocator, index)->size;
            sums[type].used_bytes += vma_allocation(allocator, index)->size;
        }
    }
    for (uint32_t pool = allocator->first_pool; pool != VMA_NONE;
         pool = vma_pool(allocator, pool)->next)
        check_vector(allocator, vma_pool(allocator, pool)->vector, sums);
    for (uint32_t type = 0; type < allocator->device->type_count; type++) {
        const struct vma_tally *tally = &allocator->types[type].tally;

        assert_int_equal(tally->blocks, sums[type].blocks);
        assert_int_equal(tally->dedicated, sums[type].dedicated);
        assert_int_equal(tally->allocations, sums[type].allocations);
        assert_int_equal(tally->unused_ranges, sums[type].unused_ranges);
        assert_int_equal(tally->block_bytes, sums[type].block_bytes);
        assert_int_equal(tally->used_bytes, sums[type].used_bytes);
        if (allocator->device->types[type].heap != VMA_NO_HEAP)
            heaps[allocator->device->types[type].heap] += tally->block_bytes;
        live += tally->allocations;
    }
    for (uint32_t heap = 0; heap < allocator->device->heap_count; heap++)
        assert_int_equal(allocator->heaps[heap].block_bytes, heaps[heap]);
    assert_int_equal(allocator->live, live);
}

/* Checks the lengths of texts that are computed in advance. */
static void check_lengths(const struct vma_replay *replay)
{
    struct text text = TEXT_INIT;
    uint64_t stats, detailed;

    vma_json_lengths(&replay->allocator, &stats, &detailed);
    vma_json_write(&replay->allocator, false, &text);
    assert_int_equal(text.length, stats);
    text_reset(&text);
    vma_json_write(&replay->allocator, true, &text);
    assert_int_equal(text.length, detailed);
    assert_int_equal(text.length, vma_json_length(&replay->allocator));
    text_reset(&text);
    assert_int_equal(vma_live_write(replay, &text), 0);
    assert_int_equal(text.length, strcspn(text.bytes, "\n") + 1 + replay->allocator.rows_length);
    text_clear(&text);
}

static void check_largest_free(const struct vma_allocator *allocator)
{
    uint64_t largest = 0;

    for (uint32_t i = 1; i < allocator->ranges.count; i++) {
        const struct vma_range *range = vma_range(allocator, i);

        /* Ranges that were released have no block. */
        if (range->block != VMA_NONE && range->allocation == VMA_NONE && range->size > largest)
            largest = range->size;
    }
    assert_int_equal(vma_largest_free(allocator), largest);
}

void vma_play_check(const struct vma_play *play)
{
    check_sums(&play->replay.allocator);
    check_lengths(&play->replay);
    check_largest_free(&play->replay.allocator);
}

bool vma_play_complains(const struct vma_play *play, const char *text)
{
    struct text lines = TEXT_INIT;
    bool found;

    problems_write(play->problems, &lines);
    text_add_char(&lines, '\0');
    found = strstr(lines.bytes, text) != NULL;
    text_clear(&lines);
    return found;
}
