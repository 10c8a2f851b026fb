/* SPDX-License-Identifier: MIT */
/*
 * What the null driver remembers: objects by their handles, and readbacks. For driver_*.c and
 * framebuffer_shape.c alone; others have driver.h. One thread for each VM.
 */
#ifndef GPUDUMPFS_FORMATS_GAPIR_REPLAY_DRIVER_STATE_H
#define GPUDUMPFS_FORMATS_GAPIR_REPLAY_DRIVER_STATE_H

#include "formats/gapir/replay/driver.h"

enum {
    GAPIR_READBACKS = 16,        /* the latest are remembered */
    GAPIR_BACKBUFFER = 8,        /* its sides before a replay says otherwise */
    GAPIR_OBJECTS_MAX = 1 << 20, /* images, buffers and memories that are remembered */
};

enum gapir_object_kind { GAPIR_IMAGE, GAPIR_BUFFER, GAPIR_DEVICE_MEMORY, GAPIR_SWAPCHAIN };

/* What a handle stands for, as far as readbacks need to know. */
struct gapir_object {
    uint64_t handle;
    enum gapir_object_kind kind;
    uint32_t format, width, height; /* image, swapchain */
    uint64_t size;                  /* buffer, memory */
    uint64_t memory, offset;        /* buffer: what it is bound to; 0: nothing */
    uint32_t window;                /* memory: where it is mapped */
    uint64_t mapped_from;           /* memory: the offset where the window begins */
    bool mapped;
};

/* What the program copied out of a window. */
struct gapir_copy {
    uint64_t target, size;
    struct gapir_location source;
};

struct gapir_driver {
    const struct gapir_model *model;
    struct gapir_renderer renderers[GAPIR_RENDERERS_MAX];
    uint32_t renderer_count;
    uint32_t bound;       /* the id of what was bound last */
    uint32_t next_number; /* of a uniform, or a block */
    uint64_t next_handle;
    uint32_t next_name; /* of a GL object */
    uint32_t pack_alignment, pack_row_length;
    struct gapir_object *objects; /* by rising handle */
    uint32_t object_count, object_room;
    struct gapir_readback readbacks[GAPIR_READBACKS]; /* the newest at readback_count - 1, modulo */
    uint64_t readback_count;
    struct gapir_presented presented;
    struct gapir_copy copies[GAPIR_READBACKS]; /* as readbacks */
    uint64_t copy_count;
};

/* The object of a handle; NULL: there is none of that kind. */
struct gapir_object *gapir_driver_object(const struct gapir_driver *driver, uint64_t handle,
                                         enum gapir_object_kind kind);

/*
 * Remembers the handle that is given out next; NULL when there are GAPIR_OBJECTS_MAX, and for want
 * of memory, with which the run of the VM ends.
 */
struct gapir_object *gapir_driver_add_object(struct gapir_driver *driver, struct gapir_vm *vm,
                                             enum gapir_object_kind kind);

/* Writes a number of so many bytes for the program; the second one unless the address is 0. */
enum gapir_fault gapir_poke(struct gapir_vm *vm, uint64_t address, unsigned size, uint64_t value);
enum gapir_fault gapir_poke_optional(struct gapir_vm *vm, uint64_t address, unsigned size,
                                     uint64_t value);

/* Ends a mapping of what is no memory object that is remembered: windows are searched. */
enum gapir_fault gapir_unmap_tagged(struct gapir_vm *vm, uint64_t tag);

/* Remembers what is read back from a framebuffer, in place of the oldest. */
void gapir_driver_add_readback(struct gapir_driver *driver, const struct gapir_readback *readback);

/* Memory of the program, as the calls' structures lie in it; false: not readable. */
bool gapir_peek32(const struct gapir_vm *vm, uint64_t address, uint32_t *value);
bool gapir_peek64(const struct gapir_vm *vm, uint64_t address, uint64_t *value);

#endif
