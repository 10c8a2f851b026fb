/* SPDX-License-Identifier: MIT */
/* Programs of GAPIR that a test builds, opens and runs. */
#ifndef GPUDUMPFS_TESTS_FORMATS_GAPIR_RUN_H
#define GPUDUMPFS_TESTS_FORMATS_GAPIR_RUN_H

#include "examples/gapir_build.h"
#include "formats/gapir/index.h"
#include "tests/support/support.h"

/* Releases whose functions are called. */
#define VK   "vulkan_v3.3.1"
#define GLES "gles_v1.6.1"

/* Volatile addresses of what calls of Vulkan read and write. */
enum { RUN_INFO = 0x100, RUN_OUT = 0x200, RUN_REGION = 0x300 };

/* A program that was built, opened and indexed. */
struct run {
    struct build_files files;
    struct gapir_replay *replay;
    struct gapir_index index;
};

/* A replay within limits that a test can reach; not indexed. */
struct gapir_replay *run_open(const struct build_files *files);

/* Clears the build. */
void run_build(struct build *build, struct run *run);
void run_clear(struct run *run);

/* "ok" or "err:code@pc" */
void run_expect(const struct run *run, const char *wanted);

/* The release whose ids an API has, and that they fit. */
void run_expect_table(const struct run *run, unsigned api, const char *release);

/* A run of its own after some instructions. */
struct gapir_vm_instance *run_play(const struct run *run, uint64_t steps);

/* Calls that several tests make. A structure of Vulkan is written to RUN_INFO before. */
void run_put32(uint8_t *bytes, unsigned offset, uint32_t value);
void run_create_image(struct build *build, uint32_t format, uint32_t width, uint32_t height);
void run_read_pixels(struct build *build, uint32_t width, uint32_t height, uint32_t format,
                     uint32_t type, uint32_t address);

#endif
