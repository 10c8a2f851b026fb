/* SPDX-License-Identifier: MIT */
/*
 * A payload made ready to run: its messages read, its resources found, its words
 * scanned, its function tables chosen. Knows no tree and no file. Immutable once
 * open, but for the limit of instructions once it is indexed (gapir_index.exhausted); any number of
 * VM instances run it at once.
 */
#ifndef GPUDUMPFS_GAPIR_REPLAY_REPLAY_H
#define GPUDUMPFS_GAPIR_REPLAY_REPLAY_H

#include "cache/instance_pool.h"
#include "formats/gapir/container/archive.h"
#include "formats/gapir/container/payload.h"
#include "formats/gapir/decode/scan.h"
#include "formats/gapir/replay/driver.h"
#include "formats/gapir/replay/vm.h"

/* Defaults of gapir_replay_params.limits. */
#define GAPIR_INSTRUCTIONS (UINT64_C(64) << 20)
#define GAPIR_MOVED        (UINT64_C(4) << 30)

/* What posts are that no readback explains: the user's option. */
struct gapir_framebuffer {
    uint32_t width, height;
    const struct gapir_format *format; /* NULL: not said */
    bool bottom_up;
};

/* Which posts of what was read back hold what the graphics worker draws. */
enum gapir_drawing {
    GAPIR_DRAW_MISSING, /* those that the program has not filled itself */
    GAPIR_DRAW_ALL,
    GAPIR_DRAW_NONE,
};

struct gapir_replay_params {
    struct gapir_scan_params scan;
    struct gapir_limits limits;
    struct gapir_framebuffer framebuffer;
    unsigned pointer_size; /* 4 or 8 */
    bool fences_fail;
    enum gapir_drawing drawing;
};

struct gapir_bytes {
    const uint8_t *data;
    uint64_t size;
};

/* Whose calls draw. */
enum gapir_api { GAPIR_API_NONE, GAPIR_API_GLES, GAPIR_API_VULKAN };

struct gapir_replay {
    struct gapir_replay_params params;
    struct gapir_payload payload;
    struct gapir_archive archive;
    struct gapir_resource *resources; /* payload.resource_count */
    struct gapir_scan scan;
    struct gapir_model model;
    struct gapir_program program;
    enum gapir_api api;        /* gapir_replay_api() */
    bool draws;                /* its calls are drawn, where params.drawing wants it (player.h) */
    struct problems *problems; /* may be NULL */
};

/*
 * Opens payload.bin and, if they are there, resources.index and .data, which all
 * outlive the replay. Defects go to `problems`. 0, -ENOMEM, -EINTR.
 */
int gapir_replay_open(struct gapir_bytes payload, struct gapir_bytes index, struct gapir_bytes data,
                      const struct gapir_replay_params *params, struct problems *problems,
                      const struct cancel *cancel, struct gapir_replay **out);
void gapir_replay_close(struct gapir_replay **replay);

/* The API for which it asks for a context or an instance; of both, GLES. */
enum gapir_api gapir_replay_api(const struct gapir_replay *replay);

/* Whether its calls could draw: there is such an API, and drawing is wanted. */
bool gapir_replay_may_draw(const struct gapir_replay *replay);

/* Where a word stands in payload.bin. */
uint64_t gapir_replay_offset(const struct gapir_replay *replay, uint32_t pc);

struct gapir_vm_instance;

/* What a caller sees of a run; any function may be NULL. Negative results stop it. */
struct gapir_run_observer {
    int (*called)(void *context, struct gapir_vm_instance *instance);
    int (*entered)(void *context, struct gapir_vm_instance *instance, uint64_t steps);
    int (*post)(void *context, struct gapir_vm_instance *instance, const struct gapir_post *post);
    int (*notification)(void *context, struct gapir_vm_instance *instance,
                        const struct gapir_notification *notification);
    int (*fence)(void *context, struct gapir_vm_instance *instance, uint32_t id);
    int (*resource)(void *context, struct gapir_vm_instance *instance, uint32_t index);
    int (*reading)(void *context, struct gapir_vm_instance *instance,
                   const struct gapir_location *location, uint64_t size);
};

/* A VM instance: one VM with its driver, somewhere on its way. Belongs to one thread at a time. */
struct gapir_vm_instance {
    struct instance_pool_item idle;
    const struct gapir_replay *replay;
    struct gapir_vm *vm;
    struct gapir_driver *driver;
    const struct gapir_run_observer *observer; /* may be changed between two runs; NULL: none */
    void *context;
};

/* An instance before its first instruction. 0, -ENOMEM, -EFBIG (gapir_vm_create()). */
int gapir_vm_instance_create(const struct gapir_replay *replay, struct gapir_vm_instance **out);
void gapir_vm_instance_destroy(struct gapir_vm_instance **instance);

/* A piece of memory that was given out. */
struct gapir_extent {
    enum gapir_region region;
    uint32_t window;
    uint64_t offset; /* in the region */
    uint32_t size;
};

/*
 * The bytes of an extent as they are now; NULL when their window was given up, or has not so many
 * in this run. They stay where they are until the instance runs on. Of size 0: not NULL.
 */
const uint8_t *gapir_vm_instance_bytes(const struct gapir_vm_instance *instance,
                                       const struct gapir_extent *extent);

/*
 * Copies `size` bytes of an extent, which may be more than it says. Volatile memory that was never
 * written is not looked at: the kernel would have to bring its pages. False: the window was given
 * up, or has not so many.
 */
bool gapir_vm_instance_copy(const struct gapir_vm_instance *instance,
                            const struct gapir_extent *extent, size_t size, uint8_t *out);

/* The CRC-32 of all volatile memory. */
uint32_t gapir_vm_instance_crc32(const struct gapir_vm_instance *instance);

/* Bytes of memory that a instance holds. */
uint64_t gapir_vm_instance_footprint(const struct gapir_vm_instance *instance);

/* As gapir_vm_run(). */
int gapir_vm_instance_run(struct gapir_vm_instance *instance, uint64_t steps,
                          const struct cancel *cancel);

/* What a post shows: by the readbacks so far, else by the user's option. */
void gapir_vm_instance_shape(const struct gapir_vm_instance *instance,
                             const struct gapir_post *post, struct gapir_framebuffer_shape *out);

#endif
