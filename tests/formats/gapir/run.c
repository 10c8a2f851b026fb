/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tests/formats/gapir/run.h"

#include "base/bytes.h"

struct gapir_replay *run_open(const struct build_files *files)
{
    const struct gapir_replay_params params = {
        .limits = {.instructions = 1000000, .moved = 1 << 30, .memory = 1 << 28},
        .pointer_size = 8};
    struct gapir_replay *replay = NULL;

    assert_int_equal(gapir_replay_open((struct gapir_bytes){files->payload, files->payload_size},
                                       (struct gapir_bytes){files->index, files->index_size},
                                       (struct gapir_bytes){files->data, files->data_size}, &params,
                                       NULL, NULL, &replay),
                     0);
    return replay;
}

void run_build(struct build *build, struct run *run)
{
    build_files(build, &run->files);
    build_clear(build);
    run->replay = run_open(&run->files);
    assert_int_equal(gapir_index_run(run->replay, NULL, &run->index), 0);
}

void run_clear(struct run *run)
{
    gapir_index_clear(&run->index);
    gapir_replay_close(&run->replay);
    build_files_clear(&run->files);
}

void run_expect(const struct run *run, const char *wanted)
{
    char result[32];

    gapir_index_result(&run->index, result);
    assert_string_equal(result, wanted);
}

struct gapir_vm_instance *run_play(const struct run *run, uint64_t steps)
{
    struct gapir_vm_instance *instance = NULL;

    assert_int_equal(gapir_vm_instance_create(run->replay, &instance), 0);
    assert_int_equal(gapir_vm_instance_run(instance, steps, NULL), 0);
    return instance;
}

void run_expect_table(const struct run *run, unsigned api, const char *release)
{
    assert_non_null(run->replay->scan.tables[api]);
    assert_string_equal(run->replay->scan.tables[api]->release, release);
    assert_true(run->replay->scan.table_fits[api]);
}

void run_put32(uint8_t *bytes, unsigned offset, uint32_t value)
{
    bytes_put_le32(bytes + offset, value);
}

void run_create_image(struct build *build, uint32_t format, uint32_t width, uint32_t height)
{
    uint8_t info[88] = {14};

    run_put32(info, 24, format);
    run_put32(info, 28, width);
    run_put32(info, 32, height);
    build_inline(build, RUN_INFO, info, sizeof(info));
    BUILD_CALL(build, VK, "vkCreateImage", 1, RUN_INFO, BUILD_NULL, RUN_OUT);
}

void run_read_pixels(struct build *build, uint32_t width, uint32_t height, uint32_t format,
                     uint32_t type, uint32_t address)
{
    BUILD_CALL(build, GLES, "glReadPixels", 0, 0, width, height, format, type, address);
}
