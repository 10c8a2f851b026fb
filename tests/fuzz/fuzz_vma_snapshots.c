/* SPDX-License-Identifier: MIT */
/*
 * Snapshots of VMA 3: any text is refused with a position in it, or is read as a state whose sums
 * agree and whose map is drawn. Skipping JSON values never goes beyond the end of the text.
 */
#include "formats/vma/replay/imported.h"
#include "formats/vma/snapshot/snapshot.h"
#include "formats/vma/views/views.h"

#include <errno.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_INPUT = 32 * 1024, MAX_STATE = 16 << 20 };

static void expect(bool true_here)
{
    if (!true_here)
        abort();
}

static void check_state(const struct vma_replay *replay)
{
    const struct vma_allocator *allocator = &replay->allocator;
    struct text text = TEXT_INIT;
    struct canvas canvas;
    uint64_t allocations = 0;

    for (uint32_t type = 0; type < allocator->device->type_count; type++) {
        const struct vma_tally *tally = &allocator->types[type].tally;

        expect(tally->used_bytes <= tally->block_bytes);
        allocations += tally->allocations;
    }
    expect(allocations == allocator->live);
    if (vma_live_write(replay, &text) == 0)
        expect(text.length > allocator->live);
    text_clear(&text);
    if (vma_map_draw(replay, VMA_SCALE_LANE, &canvas) == 0)
        canvas_clear(&canvas);
}

static void read_state(const uint8_t *data, size_t size)
{
    struct vma_recording recording = {.pool_lanes = 2, .shared_lane = true};
    struct vma_allocator_params params = {.device = &recording.configuration.device,
                                          .macros = &recording.configuration.macros,
                                          .max_bytes = MAX_STATE,
                                          .budget = true,
                                          .pool_algorithm = VMA_ALGORITHM_RECORDED};
    struct json_reader reader = json_reader(data, size);
    struct vma_snapshot_state state = {0};
    int status;

    vma_configuration_default(&recording.configuration);
    if (vma_snapshot_device(&reader, &recording.configuration.device) != 0) {
        expect(reader.error != NULL && reader.at <= size);
        return;
    }
    reader = json_reader(data, size);
    status = vma_snapshot_read(&reader, &recording, &params, 0, NULL, &state);
    expect(reader.at <= size && (status != -EPROTO || reader.error != NULL));
    if (status == 0)
        check_state(&state.replay);
    vma_snapshot_clear(&state);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct json_reader reader = json_reader(data, size);
    uint64_t line, column;

    if (size > MAX_INPUT)
        return 0;
    while (json_reader_skip(&reader))
        ;
    expect(reader.at <= size && reader.depth <= JSON_READ_DEPTH);
    json_reader_place(&reader, reader.at, &line, &column);
    expect(line > 0 && column > 0);
    (void)vma_snapshot_probe(data, size);
    read_state(data, size);
    return 0;
}
