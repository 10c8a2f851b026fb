/* SPDX-License-Identifier: MIT */
/*
 * Recordings of calls: any file is refused or replayed to its end. Its lines cover it, its texts
 * have the lengths that were computed before, and its map is drawn.
 */
#include "formats/vma/replay/pass.h"
#include "formats/vma/views/views.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_INPUT = 32 * 1024, MAX_STATE = 16 << 20 };

static void expect(bool true_here)
{
    if (!true_here)
        abort();
}

static void check_lines(const struct vma_recording *recording)
{
    struct vma_line line = {0};
    uint64_t offset = 0;

    for (uint32_t packet = 0; packet < recording->packets; packet++) {
        vma_recording_line(recording, packet, &line);
        expect(line.offset == offset);
        expect(vma_recording_name(recording, packet, &line) != NULL);
        offset += line.bytes;
    }
    expect(offset == recording->size);
}

static void check_texts(const struct vma_replay *replay)
{
    struct text text = TEXT_INIT;

    vma_json_write(&replay->allocator, true, &text);
    expect(text.length == vma_json_length(&replay->allocator));
    text_reset(&text);
    if (vma_live_write(replay, &text) == 0)
        expect(text.length > replay->allocator.rows_length);
    text_clear(&text);
}

static void check_map(const struct vma_replay *replay)
{
    struct canvas canvas;

    if (vma_map_draw(replay, VMA_SCALE_LANE, &canvas) == 0)
        canvas_clear(&canvas);
}

static void replay_all(struct vma_recording *recording, const struct vma_allocator_params *params,
                       struct problems *problems)
{
    struct vma_pass_params pass_params = {
        .recording = recording, .allocator = params, .problems = problems};
    struct vma_checkpoints *checkpoints = NULL;
    struct vma_pass *pass = NULL;
    struct vma_replay *replay = NULL;

    if (vma_checkpoints_create(recording, params, 256 << 20, NULL, &checkpoints) < 0)
        return;
    pass_params.checkpoints = checkpoints;
    if (vma_pass_create(&pass_params, &pass) == 0 &&
        vma_pass_until(pass, recording->packets, NULL) == 0) {
        check_texts(vma_pass_end(pass));
        check_map(vma_pass_end(pass));
        if (vma_checkpoints_seek(checkpoints, recording->packets / 2, NULL, &replay) == 0) {
            check_texts(replay);
            vma_checkpoints_give_back(checkpoints, &replay);
        }
    }
    vma_pass_destroy(&pass);
    vma_checkpoints_destroy(&checkpoints);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct vma_recording_params params = {.calls_per_frame = -1, .max_memory = 1 << 24};
    struct vma_allocator_params allocator = {.data = data, .max_bytes = MAX_STATE, .budget = true};
    struct vma_diagnostics diagnostics = {0};
    struct vma_recording recording;
    const char *message;

    if (size > MAX_INPUT || problems_create(&diagnostics.problems) < 0)
        return 0;
    if (vma_recording_open(data, size, &params, &diagnostics, &message, &recording) == 0) {
        check_lines(&recording);
        allocator.device = &recording.configuration.device;
        allocator.macros = &recording.configuration.macros;
        replay_all(&recording, &allocator, diagnostics.problems);
        vma_recording_close(&recording);
    }
    problems_destroy(&diagnostics.problems);
    return 0;
}
