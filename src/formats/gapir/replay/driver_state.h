/* SPDX-License-Identifier: MIT */
/*
 * What the null driver remembers: objects by their handles, and readbacks. Only driver_*.c and
 * framebuffer_shape.c include this file; other files use driver.h. One thread for each VM.
 */
#ifndef GPUDUMPFS_FORMATS_GAPIR_REPLAY_DRIVER_STATE_H
#define GPUDUMPFS_FORMATS_GAPIR_REPLAY_DRIVER_STATE_H

#include "formats/gapir/replay/driver.h"

enum {
    GAPIR_READBACKS = 16,        /* number of readbacks that are remembered: the latest */
    GAPIR_BACKBUFFER = 8,        /* width and height until the replay sets them */
    GAPIR_OBJECTS_MAX = 1 << 20, /* maximum number of objects that are remembered */
};

enum gapir_object_kind { GAPIR_IMAGE, GAPIR_BUFFER, GAPIR_DEVICE_MEMORY, GAPIR_SWAPCHAIN };

/* What a handle stands for, as far as readbacks need it. */
struct gapir_object {
    uint64_t handle;
    enum gapir_object_kind kind;
    uint32_t format, width, height; /* of an image or swapchain */
    uint64_t size;                  /* of a buffer or memory, bytes */
    /* of a buffer: memory that it is bound to, 0 if none, and where in it */
    uint64_t memory, offset;
    uint32_t window;      /* of a memory: the window that maps it */
    uint64_t mapped_from; /* of a memory: offset at which the window begins */
    bool mapped;
};

/* A copy that the program made out of a window. */
struct gapir_copy {
    uint64_t target, size;
    struct gapir_location source;
};

struct gapir_driver {
    const struct gapir_model *model;
    struct gapir_renderer renderers[GAPIR_RENDERERS_MAX];
    uint32_t renderer_count;
    const struct gapir_renderer *bound; /* the one of them that was bound last, or NULL */
    uint32_t next_number;               /* the next number for a uniform location or block index */
    uint64_t next_handle;
    uint32_t next_name; /* the next name for a GL object */
    uint32_t pack_alignment, pack_row_length;
    struct gapir_object *objects; /* sorted by handle */
    uint32_t object_count, object_room;
    /* a ring: the newest is at (readback_count - 1) % GAPIR_READBACKS */
    struct gapir_readback readbacks[GAPIR_READBACKS];
    uint64_t readback_count;
    struct gapir_presented presented;
    struct gapir_copy copies[GAPIR_READBACKS]; /* a ring like `readbacks` */
    uint64_t copy_count;
};

/* Returns the object with a handle, or NULL if there is no such object of that kind. */
struct gapir_object *gapir_driver_object(const struct gapir_driver *driver, uint64_t handle,
                                         enum gapir_object_kind kind);

/*
 * Adds an object for the next handle that will be handed out. Returns NULL if there are
 * GAPIR_OBJECTS_MAX objects. Also returns NULL if memory is short; the VM's run then ends with
 * -ENOMEM.
 */
struct gapir_object *gapir_driver_add_object(struct gapir_driver *driver, struct gapir_vm *vm,
                                             enum gapir_object_kind kind);

/*
 * Write `value` as a number of `size` bytes to the program's memory. gapir_poke_optional() does
 * nothing if the address is 0.
 */
enum gapir_fault gapir_poke(struct gapir_vm *vm, uint64_t address, unsigned size, uint64_t value);
enum gapir_fault gapir_poke_optional(struct gapir_vm *vm, uint64_t address, unsigned size,
                                     uint64_t value);

/*
 * Unmaps the window with a tag, the one mapped last if there are several. For mappings without a
 * remembered memory object: all windows are searched, which counts as bytes moved.
 */
enum gapir_fault gapir_unmap_tagged(struct gapir_vm *vm, uint64_t tag);

/* Remembers a readback, replacing the oldest if GAPIR_READBACKS are remembered. */
void gapir_driver_add_readback(struct gapir_driver *driver, const struct gapir_readback *readback);

/*
 * Read a little-endian number from the program's memory. Return false if the address is not
 * readable.
 */
bool gapir_peek32(const struct gapir_vm *vm, uint64_t address, uint32_t *value);
bool gapir_peek64(const struct gapir_vm *vm, uint64_t address, uint64_t *value);

#endif
