/* SPDX-License-Identifier: MIT */
/*
 * A payload that is ready to run: its messages are read, its resources found, its words scanned,
 * its function tables chosen. It knows neither tree nor files. A replay is immutable once it is
 * open, except that indexing may lower the limit of instructions (gapir_index.exhausted). Any
 * number of VM instances may run it at the same time.
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

/* The user's option: what posts show that no readback explains. */
struct gapir_framebuffer {
    uint32_t width, height;
    const struct gapir_format *format; /* NULL if the option is not given */
    bool bottom_up;
};

/* Which of the posts that a readback explains hold what the graphics worker draws. */
enum gapir_drawing {
    GAPIR_DRAW_MISSING, /* posts whose bytes the program has not written completely by itself */
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

/* The API whose calls draw. */
enum gapir_api { GAPIR_API_NONE, GAPIR_API_GLES, GAPIR_API_VULKAN };

struct gapir_replay {
    struct gapir_replay_params params;
    struct gapir_payload payload;
    struct gapir_archive archive;
    struct gapir_resource *resources; /* payload.resource_count entries */
    struct gapir_scan scan;
    struct gapir_model model;
    struct gapir_program program;
    enum gapir_api api; /* see gapir_replay_api() */
    /* its calls are drawn, as far as params.drawing says so (player.h) */
    bool draws;
    struct problems *problems; /* may be NULL */
};

/*
 * Opens payload.bin and, if they exist, resources.index and resources.data. The bytes must outlive
 * the replay. Defects are reported to `problems`, which may be NULL and must outlive the replay
 * too. Returns 0, -ENOMEM or -EINTR.
 */
int gapir_replay_open(struct gapir_bytes payload, struct gapir_bytes index, struct gapir_bytes data,
                      const struct gapir_replay_params *params, struct problems *problems,
                      const struct cancel *cancel, struct gapir_replay **out);
void gapir_replay_close(struct gapir_replay **replay);

/*
 * Returns the API of which the replay creates a context or an instance. If it does so of both,
 * returns GLES.
 */
enum gapir_api gapir_replay_api(const struct gapir_replay *replay);

/*
 * Returns whether the replay's calls could be drawn: it has such an API, and drawing is requested.
 */
bool gapir_replay_may_draw(const struct gapir_replay *replay);

/* Returns the offset of a word in payload.bin. */
uint64_t gapir_replay_offset(const struct gapir_replay *replay, uint32_t pc);

struct gapir_vm_instance;

/*
 * Callbacks of a run, with the meanings of struct gapir_host; any may be NULL. A negative result
 * stops the run.
 */
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

/*
 * A VM instance: a VM with its driver, at some point of the run. Belongs to one thread at a time.
 */
struct gapir_vm_instance {
    struct instance_pool_item idle;
    const struct gapir_replay *replay;
    struct gapir_vm *vm;
    struct gapir_driver *driver;
    const struct gapir_run_observer *observer; /* may be changed between two runs; may be NULL */
    void *context;
};

/*
 * Creates an instance before its first instruction. Returns 0, -ENOMEM, or -EFBIG (see
 * gapir_vm_create()).
 */
int gapir_vm_instance_create(const struct gapir_replay *replay, struct gapir_vm_instance **out);
void gapir_vm_instance_destroy(struct gapir_vm_instance **instance);

/* A range of bytes within a region. */
struct gapir_extent {
    enum gapir_region region;
    uint32_t window;
    uint64_t offset; /* within the region */
    uint32_t size;
};

/*
 * Returns the current bytes of an extent, which remain valid until the instance runs on. Returns
 * NULL if the extent's window was given up or is smaller in this run. For GAPIR_NOWHERE,
 * the region of extents of size 0, the result is not NULL.
 */
const uint8_t *gapir_vm_instance_bytes(const struct gapir_vm_instance *instance,
                                       const struct gapir_extent *extent);

/*
 * Copies `size` bytes from the beginning of an extent; this may be more than the extent's size.
 * Volatile memory that was never written is not touched, as the kernel would have to allocate its
 * pages: the copy gets zeros. Returns false if the extent's window was given up or is too small.
 */
bool gapir_vm_instance_copy(const struct gapir_vm_instance *instance,
                            const struct gapir_extent *extent, size_t size, uint8_t *out);

/* Returns the CRC-32 of all volatile memory. */
uint32_t gapir_vm_instance_crc32(const struct gapir_vm_instance *instance);

/* Returns the bytes of memory that an instance holds. */
uint64_t gapir_vm_instance_footprint(const struct gapir_vm_instance *instance);

/* Same as gapir_vm_run(). */
int gapir_vm_instance_run(struct gapir_vm_instance *instance, uint64_t steps,
                          const struct cancel *cancel);

/* Determines what a post shows: from the readbacks so far, otherwise from the user's option. */
void gapir_vm_instance_shape(const struct gapir_vm_instance *instance,
                             const struct gapir_post *post, struct gapir_framebuffer_shape *out);

#endif
