/* SPDX-License-Identifier: MIT */
/* GAPIR programs that a test builds, opens and runs */
#ifndef GPUDUMPFS_TESTS_FORMATS_GAPIR_RUN_H
#define GPUDUMPFS_TESTS_FORMATS_GAPIR_RUN_H

#include "examples/gapir_build.h"
#include "formats/gapir/index.h"
#include "tests/support/support.h"

/* Releases whose functions the programs call */
#define VK   "vulkan_v3.3.1"
#define GLES "gles_v1.6.1"

/* Volatile addresses of what Vulkan calls read and write */
enum { RUN_INFO = 0x100, RUN_OUT = 0x200, RUN_REGION = 0x300 };

/* A program that was built, opened and indexed */
struct run {
    struct build_files files;
    struct gapir_replay *replay;
    struct gapir_index index;
};

/* Opens a replay within limits that a test can reach, without indexing it. */
struct gapir_replay *run_open(const struct build_files *files);

/* Finishes, opens and indexes a program, and clears the build. Free with run_clear(). */
void run_build(struct build *build, struct run *run);
void run_clear(struct run *run);

/* Checks the result: "ok" or "err:code@pc". */
void run_expect(const struct run *run, const char *wanted);

/* Checks that the function ids of an API are those of a release, and that they fit. */
void run_expect_table(const struct run *run, unsigned api, const char *release);

/* Returns a new instance that has run `steps` instructions. */
struct gapir_vm_instance *run_play(const struct run *run, uint64_t steps);

/*
 * Calls that several tests make. run_create_image() writes the Vulkan structure to RUN_INFO first.
 */
void run_put32(uint8_t *bytes, unsigned offset, uint32_t value);
void run_create_image(struct build *build, uint32_t format, uint32_t width, uint32_t height);
void run_read_pixels(struct build *build, uint32_t width, uint32_t height, uint32_t format,
                     uint32_t type, uint32_t address);

#endif
