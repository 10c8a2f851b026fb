/* SPDX-License-Identifier: MIT */
/*
 * Instruction words: the input is scanned, disassembled and run in the dialect that its last byte
 * chooses. The input is also the constants and a resource.
 */
#include "config.h"

#include "formats/gapir/index.h"
#include "formats/gapir/views/views.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct gapir_limits limits = {
    .instructions = 2000, .moved = 1 << 20, .memory = 1 << 20};

static void disassemble(const struct gapir_replay *replay)
{
    const struct gapir_scan *scan = &replay->scan;
    struct text whole = TEXT_INIT, parts = TEXT_INIT;

    for (uint32_t n = 0; n < scan->mark_count; n++)
        gapir_write_lines(replay, &scan->marks[n], GAPIR_MARK_LINES,
                          UINT32_MAX < scan->code.count ? UINT32_MAX : scan->code.count, &whole);
    for (uint32_t n = 0; n < scan->packet_count; n++) {
        const struct gapir_packet *packet = &scan->packets[n];
        struct gapir_mark mark = gapir_mark_at(replay, packet->pc);
        gapir_write_lines(replay, &mark, UINT32_MAX, packet->pc + packet->words, &parts);
    }
    /* The lines of all packets, in order, are all lines. */
    if (whole.length != parts.length ||
        (whole.length != 0 && memcmp(whole.bytes, parts.bytes, whole.length) != 0))
        abort();
    text_clear(&whole);
    text_clear(&parts);
}

static void run(const struct gapir_replay *replay)
{
    struct gapir_vm_instance *instance = NULL;
    struct gapir_index index;

    if (gapir_index_run(replay, NULL, &index) == 0 && !index.refused &&
        gapir_vm_instance_create(replay, &instance) == 0) {
        /* A run depends only on the program: a second run must give the same result. */
        if (gapir_vm_instance_run(instance, index.end.steps, NULL) != 0 ||
            instance->vm->steps != index.end.steps || instance->vm->calls != index.calls)
            abort();
    }
    gapir_vm_instance_destroy(&instance);
    gapir_index_clear(&index);
}

static void run_dialect(const uint8_t *data, size_t size, enum gapir_dialect dialect)
{
    struct gapir_resource_info info = {.id = {data, size, 0}, .size = (uint32_t)size};
    struct gapir_resource resource = {.size = (uint32_t)size, .data = data};
    struct gapir_replay replay = {
        .params = {.scan = {.dialect_given = true, .dialect = dialect}, .limits = limits},
        .payload = {.stack_size = 64,
                    .volatile_size = 4096,
                    .constants = {data, size, 0},
                    .opcodes = {data, size / 4 * 4, 0},
                    .resources = &info,
                    .resource_count = 1},
        .resources = &resource};

    if (gapir_scan(&replay.payload, &replay.params.scan, NULL, NULL, &replay.scan) == 0 &&
        gapir_model_create(&replay.scan, &replay.model) == 0) {
        replay.program = (struct gapir_program){.code = replay.scan.code,
                                                .constants = data,
                                                .constants_size = (uint32_t)size,
                                                .stack_size = 64,
                                                .volatile_size = 4096,
                                                .resources = &resource,
                                                .resource_count = 1,
                                                .jumps = replay.scan.jumps,
                                                .jump_count = replay.scan.jump_count,
                                                .pointer_size = dialect == GAPIR_GAPID12 ? 4 : 8};
        disassemble(&replay);
        run(&replay);
    }
    gapir_model_clear(&replay.model);
    gapir_scan_clear(&replay.scan);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1 || size > 1 << 20)
        return 0;
    run_dialect(data, size - 1, data[size - 1] % GAPIR_DIALECTS);
    return 0;
}
